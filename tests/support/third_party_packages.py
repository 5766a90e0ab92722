"""Verbs and games that a stranger's package brings, as the program finds them; many are broken."""

from pathlib import Path

ECHO = """
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


def install(folder: Path, name: str, module: str, group: str = "companion.commands") -> None:
    """Installs a subcommand in a folder of `sys.path`, by its name and the text of its module."""
    (folder / f"stranger_{name}.py").write_text(module, encoding="utf-8")
    described = folder / f"stranger_{name}-1.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Name: stranger-{name}\nVersion: 1\n", encoding="utf-8")
    points = f"[{group}]\n{name} = stranger_{name}:VERB\n"
    (described / "entry_points.txt").write_text(points, encoding="utf-8")


def install_games(folder: Path, modules: dict[str, str], package: str = "strangers") -> None:
    """Installs a package of games in a folder of `sys.path`: the text of each module, by the game's key."""
    described = folder / f"{package}-1.dist-info"
    described.mkdir()
    (described / "METADATA").write_text(f"Name: {package}\nVersion: 1\n", encoding="utf-8")
    points = "".join(f"{key} = {package}_{key}:GAME\n" for key in modules)
    (described / "entry_points.txt").write_text(f"[companion.games]\n{points}", encoding="utf-8")
    for key, text in modules.items():
        if text:
            (folder / f"{package}_{key}.py").write_text(text, encoding="utf-8")


_LID = """
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


def lid(key: str, *, title: str = "", version: str = "1", players: str = "(2, 5)", play: str = "play",
        more: str = "") -> str:  # fmt: skip  # a lid, part by part
    """The text of a module with a game: each part of its lid as Python writes it."""
    title = title or f'say("{key.title()}")'
    return f'{_LID}\nGAME = Game("{key}", {version}, {title}, {players}, {play}, {more})\n'


FROM_1_TO_12 = "its players must be two numbers from 1 to 12, the fewest and the most players, not "
OPTIONS = "its options must be a tuple of ChoiceOption, NumberOption and TextOption with different keys"
BROKEN = {
    "absent": ("", "ModuleNotFoundError: No module named 'strangers_absent'"),
    "crash": ("raise ValueError('no dice')", "ValueError: no dice."),
    "typo": ("GAME = (", "SyntaxError: '(' was never closed"),
    "mute": ("assert False", "AssertionError."),
    "lines": ("raise ValueError('no dice\\nat all')", "ValueError: no dice."),
    "quits": ("raise SystemExit('no dice')", "SystemExit: no dice"),
    "number": ("GAME = 7", "strangers_number:GAME is not a Game"),
    "twin": (lid("other"), "its key is other"),
    "bare": (lid("bare", title='"Bare"'), "its title must be a text made with say(), not Bare"),
    "early": (lid("early", version="'1'"), "its version must be a whole number, not 1"),
    "upside": (lid("upside", players="(4, 2)"), FROM_1_TO_12),
    "crowd": (lid("crowd", players="(2, 13)"), FROM_1_TO_12),
    "many": (lid("many", players="'2-5'"), FROM_1_TO_12),
    "silent": (lid("silent", play="None"), "its play must be a coroutine function, not None"),
    "choosy": (lid("choosy", more='options=("red",)'), OPTIONS),
    "strange": (lid("strange", more='options=(GameOption("red", say("red"), say("red"), 1),)'), OPTIONS),
    "defaults": (
        lid("defaults", more='options=(ChoiceOption("red", say("red"), say("red"), "no", choices=YES),)'),
        "red must be one of yes, not no.",
    ),
    "twice": (
        lid("twice", more='options=(NumberOption("red", say("red"), say("red"), 1, least=0, most=9),) * 2'),
        OPTIONS,
    ),
    "spoken": (
        lid("spoken", more='question_kinds=("Shout",)'),
        "its question_kinds must be a tuple of",
    ),
    "lanterns": (lid("lanterns", more='decks=("lanterns",)'), "there is no deck lanterns"),
    "wanders": (lid("wanders", more='decks=("../games/egypt",)'), "there is no deck ../games/egypt"),
    "letters": (lid("letters", more='decks="egypt"'), "its decks must be a tuple of names, not egypt"),
    "misreads": (lid("misreads", more='decks=("egypt",), check_deck=fails'), "ValueError: no dice"),
    "refuses": (lid("refuses", more='decks=("egypt",), check_deck=refuses'), "egypt: no card is blue."),
    "egypt": (lid("egypt"), "another game has the same name"),
}
"""Games that can't be played, each broken in its own way, and what is wrong with them."""
STUMBLING = {
    "stops": (lid("stops", play="stops"), "ValueError: no dice"),
    "plain": (lid("plain", play="fails"), "ValueError: no dice"),
    "blank": (
        lid("blank", play="lambda table: None"),
        "TypeError: The rulebook isn't written with async def",
    ),
    "ends": (lid("ends", play="ends"), "TypeError: The rulebook ends without a GameResult"),
    "hurries": (lid("hurries", play="hurries"), "TypeError: 'what now?' is not a Request"),
}
"""Games that look well and fail as they begin."""
WHOLE = {
    "claps": lid("claps"),
    "lender": lid("lender", more='decks=("egypt",), check_deck=gives_up'),
    "hides": lid("hides", play="forgets"),
}
"""Games that can be played; one uses Egypt's cards, and one fails where it is asked for the score so far."""


def install_all(folder: Path) -> None:
    """Installs all of these games at once."""
    games = {key: text for group in (BROKEN, STUMBLING) for key, (text, _) in group.items()}
    install_games(folder, games | WHOLE)
