"""Subcommands and games of third-party packages, installed as the program finds them; many are broken."""

from pathlib import Path

ECHO_SUBCOMMAND = """
from companion.subcommand import Subcommand

def arguments(parser):
    parser.add_argument("words", nargs="*")
    parser.add_argument("--offscreen", action="store_true")
    parser.add_argument("--out")

def run(args):
    print(args.words, args.offscreen, args.out)
    return 7

VERB = Subcommand("Print what it is told.", arguments, run)
"""


def install_subcommand(folder: Path, name: str, module_text: str, group: str = "companion.commands") -> None:
    """Installs a package with one subcommand in a folder of `sys.path`; `group` is its entry point group."""
    (folder / f"stranger_{name}.py").write_text(module_text, encoding="utf-8")
    metadata = folder / f"stranger_{name}-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Name: stranger-{name}\nVersion: 1\n", encoding="utf-8")
    entry_points = f"[{group}]\n{name} = stranger_{name}:VERB\n"
    (metadata / "entry_points.txt").write_text(entry_points, encoding="utf-8")


def install_games(folder: Path, module_text_by_key: dict[str, str], package: str = "strangers") -> None:
    """Installs a package of games in a folder of `sys.path`, from the module text of each game's key."""
    metadata = folder / f"{package}-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Name: {package}\nVersion: 1\n", encoding="utf-8")
    entry_points = "".join(f"{key} = {package}_{key}:GAME\n" for key in module_text_by_key)
    (metadata / "entry_points.txt").write_text(f"[companion.games]\n{entry_points}", encoding="utf-8")
    for key, text in module_text_by_key.items():
        if text:
            (folder / f"{package}_{key}.py").write_text(text, encoding="utf-8")


_MODULE_START = """
from companion.errors import UserError
from companion.rules.game import ChoiceOption, Game, GameOption, NumberOption
from companion.requests import Done
from companion.table.scores import rank_seats
from companion.texts import say

async def play(table):
    await Done(None, say("Clap your hands."))
    return rank_seats(table.seats, lambda seat: 0, lambda seat: ())

def fails(*_):
    raise ValueError("no dice")

def refuses(_):
    raise UserError(say("no card is blue."))

def gives_up(deck):
    if deck.provisional:
        raise ValueError("no dice")
    return []

async def stops(table):
    raise ValueError("no dice")

async def ends(table):
    return None

async def hurries(table):
    class Nothing:
        def __await__(self):
            yield "what now?"
    await Nothing()

async def forgets(table):
    table.score_so_far = fails
    return await play(table)

YES = {"yes": say("yes")}
"""


def game_module_text(
    key: str,
    *,
    title: str = "",
    version: str = "1",
    players: str = "(2, 5)",
    play: str = "play",
    more: str = "",
) -> str:
    """Returns the text of a module with a game; each parameter is Python source of an argument of Game."""
    title = title or f'say("{key.title()}")'
    return f'{_MODULE_START}\nGAME = Game("{key}", {version}, {title}, {players}, {play}, {more})\n'


FROM_1_TO_12 = "its players must be two numbers from 1 to 12, the fewest and the most players, not "
OPTIONS = "its options must be a tuple of ChoiceOption, NumberOption and TextOption with different keys"
BROKEN_GAMES = {
    "absent": ("", "ModuleNotFoundError: No module named 'strangers_absent'"),
    "crash": ("raise ValueError('no dice')", "ValueError: no dice."),
    "typo": ("GAME = (", "SyntaxError: '(' was never closed"),
    "mute": ("assert False", "AssertionError."),
    "lines": ("raise ValueError('no dice\\nat all')", "ValueError: no dice."),
    "quits": ("raise SystemExit('no dice')", "SystemExit: no dice"),
    "number": ("GAME = 7", "strangers_number:GAME is not a Game"),
    "twin": (game_module_text("other"), "its key is other"),
    "bare": (game_module_text("bare", title='"Bare"'), "its title must be a text made with say(), not Bare"),
    "early": (game_module_text("early", version="'1'"), "its version must be a whole number, not 1"),
    "upside": (game_module_text("upside", players="(4, 2)"), FROM_1_TO_12),
    "crowd": (game_module_text("crowd", players="(2, 13)"), FROM_1_TO_12),
    "many": (game_module_text("many", players="'2-5'"), FROM_1_TO_12),
    "silent": (game_module_text("silent", play="None"), "its play must be a coroutine function, not None"),
    "choosy": (game_module_text("choosy", more='options=("red",)'), OPTIONS),
    "strange": (
        game_module_text("strange", more='options=(GameOption("red", say("red"), say("red"), 1),)'),
        OPTIONS,
    ),
    "defaults": (
        game_module_text(
            "defaults", more='options=(ChoiceOption("red", say("red"), say("red"), "no", choices=YES),)'
        ),
        "red must be one of yes, not no.",
    ),
    "twice": (
        game_module_text(
            "twice", more='options=(NumberOption("red", say("red"), say("red"), 1, least=0, most=9),) * 2'
        ),
        OPTIONS,
    ),
    "spoken": (
        game_module_text("spoken", more='question_kinds=("Shout",)'),
        "its question_kinds must be a tuple of",
    ),
    "lanterns": (game_module_text("lanterns", more='decks=("lanterns",)'), "there is no deck lanterns"),
    "wanders": (
        game_module_text("wanders", more='decks=("../games/egypt",)'),
        "there is no deck ../games/egypt",
    ),
    "letters": (
        game_module_text("letters", more='decks="egypt"'),
        "its decks must be a tuple of names, not egypt",
    ),
    "misreads": (
        game_module_text("misreads", more='decks=("egypt",), check_deck=fails'),
        "ValueError: no dice",
    ),
    "refuses": (
        game_module_text("refuses", more='decks=("egypt",), check_deck=refuses'),
        "egypt: no card is blue.",
    ),
    "egypt": (game_module_text("egypt"), "another game has the same name"),
}
"""Games that can't be played, each broken in its own way, with the expected error message."""
GAMES_THAT_FAIL_AT_START = {
    "stops": (game_module_text("stops", play="stops"), "ValueError: no dice"),
    "plain": (game_module_text("plain", play="fails"), "ValueError: no dice"),
    "blank": (
        game_module_text("blank", play="lambda table: None"),
        "TypeError: The rulebook isn't written with async def",
    ),
    "ends": (game_module_text("ends", play="ends"), "TypeError: The rulebook ends without a GameResult"),
    "hurries": (game_module_text("hurries", play="hurries"), "TypeError: 'what now?' is not a Request"),
}
"""Games that load without an error and fail when they begin, with the expected error message."""
PLAYABLE_GAMES = {
    "claps": game_module_text("claps"),
    "lender": game_module_text("lender", more='decks=("egypt",), check_deck=gives_up'),
    "hides": game_module_text("hides", play="forgets"),
}
"""Games that can be played; one uses Egypt's cards, and one fails when asked for the score so far."""


def install_all_games(folder: Path) -> None:
    """Installs the broken, the failing and the playable games as one package."""
    games = {
        key: text for group in (BROKEN_GAMES, GAMES_THAT_FAIL_AT_START) for key, (text, _) in group.items()
    }
    install_games(folder, games | PLAYABLE_GAMES)
