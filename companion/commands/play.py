"""The subcommands `play`, which begins or resumes a game in the terminal or in JSON lines, and `games`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from companion import installed_games
from companion.clocks import CLOCK_PRESETS, ClockSettings, parse_clocks, parse_clocks_toml
from companion.commands.templates import add_game_argument, preset_library
from companion.errors import UnknownName, UserError, make_unknown_name_error
from companion.evening import Evening
from companion.files import toml, user_files
from companion.files.state_directory import state_directory
from companion.jsonlines import json_session
from companion.name_matching import fold_name
from companion.presets import with_own_presets
from companion.rules.game import Game, option_value_as_typed
from companion.session.session import Session
from companion.store import SavedGame, Store
from companion.subcommand import Subcommand, add_examples, add_language_argument, add_state_argument
from companion.texts import render, say

UNFINISHED_STATES = ("open", "waiting")
NO_SAVED_GAME = say("No game is saved yet.")


def find_saved_game(saved_games: Sequence[SavedGame], number_or_game: str | None) -> SavedGame:
    """Returns the saved game with a number, else the newest one of a game, else the newest of all.

    Raises `UnknownName` if there is none.
    """
    if not saved_games:
        raise UnknownName(NO_SAVED_GAME)
    installed = installed_games.games()
    kinds = {game.game: installed.get(game.game) for game in saved_games}
    key = (
        None
        if number_or_game is None
        else installed_games.match_game_key(number_or_game.removeprefix("#"), kinds)
    )
    for game in saved_games:
        if key in (None, game.game, str(game.number)):
            return game
    names = ", ".join(f"{game.number} ({game.game})" for game in saved_games)
    none = say("There is no saved game {name}. Saved games: {names}.", name=str(number_or_game), names=names)
    raise make_unknown_name_error(str(number_or_game), kinds, none)


class PlayArguments(msgspec.Struct, frozen=True):
    """The arguments of the subcommand `play`: game, players, options, and clocks or None."""

    game: Game
    names: Sequence[str]
    options: Mapping[str, str]
    clocks: ClockSettings | None = None


def begin_game(evening: Evening, arguments: PlayArguments) -> Session:
    """Begins a new game with the arguments of `play`.

    A game that is still open becomes a waiting one.
    """
    return evening.begin_game(
        arguments.game.key, arguments.names, arguments.options, arguments.clocks or ClockSettings()
    )


def resume_unfinished_game(evening: Evening, arguments: PlayArguments) -> Session:
    """Resumes the unfinished game that the arguments name: the open one, else the newest waiting one.

    Clocks that are given replace those of the game. Raises `UnknownName` if there is no such game, and
    `UserError` if the players or options are different; after an error the open game is still open.
    """

    def agreed(session: Session) -> None:
        _check_same(session, arguments.names, arguments.options)
        if arguments.clocks is not None:
            session.set_clock_settings(arguments.clocks)

    return evening.resume_game(_unfinished(evening.store, arguments.game), agreed)


def _unfinished(store: Store, game: Game) -> SavedGame:
    """The game that is open, else the newest of this kind that waits; raises `UnknownName`."""
    unfinished = sorted(
        (saved for saved in store.saved_games() if saved.state in UNFINISHED_STATES),
        key=lambda saved: UNFINISHED_STATES.index(saved.state),
    )
    found = next((saved for saved in unfinished if saved.game == game.key), None)
    if found is None:
        if not unfinished:
            raise UnknownName(say("There is no unfinished game to resume."))
        text = "There is no unfinished game of {game}. Unfinished games: {names}."
        names = ", ".join(dict.fromkeys(saved.game for saved in unfinished))
        raise UnknownName(say(text, game=game.title, names=names))
    return found


def _check_same(session: Session, names: Sequence[str], options: Mapping[str, str]) -> None:
    set_to, now = session.table.options, [seat.name for seat in session.table.seats]
    known = [[*map(fold_name, people)] for people in (now, session.began.names)]
    if names and [*map(fold_name, names)] not in known:
        raise UserError(
            say(
                "This game is played by {names}, not by {others}. To continue it, don't type --seats.",
                names=", ".join(now),
                others=", ".join(names),
            )
        )
    for key, setting in session.game.parse_options(options).items():
        if key in options and setting != set_to[key]:
            raise UserError(
                say(
                    "This game began with {key} {setting}, not {other}. To continue it, don't type --option.",
                    key=key,
                    setting=option_value_as_typed(set_to[key]),
                    other=options[key],
                )
            )


# play


def _play_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "game", metavar="GAME", nargs="+", help="the game to play; companion games lists all games"
    )
    parser.add_argument("--seats", metavar="NAMES", help="the players, clockwise, such as Aki,Ben,Chie")
    parser.add_argument(
        "--option",
        dest="options",
        metavar="KEY=VALUE",
        action="append",
        default=[],
        help="set an option of the game; repeat --option for more options",
    )
    clocks = ", ".join(CLOCK_PRESETS)
    parser.add_argument(
        "--clock", metavar="CLOCKS", help=f"set time limits: {clocks}, KEY=VALUE,KEY=VALUE or a TOML file"
    )
    parser.add_argument("--resume", action="store_true", help="continue a game that is not finished")
    parser.add_argument("--json", action="store_true", help="read and write JSON lines, for programs")
    add_language_argument(parser)
    add_state_argument(parser)


def _play(args: Namespace) -> int:
    game = installed_games.find_playable_game(" ".join(args.game))
    names = [name.strip() for name in args.seats.split(",")] if args.seats is not None else []
    options = dict(map(_option, args.options))
    if args.json and not names and not args.resume:
        raise UserError(say("Name the players in clockwise order, such as --seats Aki,Ben,Chie."))
    wanted = PlayArguments(game, names, options, _clocks(args))
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        for notice in store.notices:
            print(render(notice), file=sys.stderr)
        if not args.json:
            return _at_terminal(args, store, wanted)
        session = (resume_unfinished_game if args.resume else begin_game)(Evening(store), wanted)
        return json_session.play_over_stdio(session, store)


def _clocks(args: Namespace) -> ClockSettings | None:
    if args.clock is None:
        return None
    if args.json:
        raise UserError(say("Clocks don't run with --json. Don't type --clock."))
    if args.clock.endswith(".toml"):
        text = user_files.read_user_file(Path(args.clock), toml.MAX_FILE_CHARACTERS)
        return parse_clocks_toml(text, args.clock)
    return parse_clocks(args.clock)


def _at_terminal(args: Namespace, store: Store, wanted: PlayArguments) -> int:
    from companion import terminal

    there = terminal.make_standard_terminal(args.lang)
    if not wanted.names and not args.resume:
        names = terminal.ask_player_names(there, wanted.game, store.find_open_game())
        wanted = msgspec.structs.replace(wanted, names=names)
    session = (resume_unfinished_game if args.resume or not wanted.names else begin_game)(
        Evening(store), wanted
    )
    return terminal.play_in_terminal(session, there, args.state, store)


def _option(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise UserError(say("Write an option as KEY=VALUE, not {text}.", text=text))
    return key, value


PLAY = Subcommand(
    "Play a game in the terminal.",
    _play_arguments,
    _play,
    ("companion play egypt --seats Aki,Ben,Chie", "companion play egypt --resume"),
)


# games


def _games_arguments(parser: ArgumentParser) -> None:
    words = parser.add_subparsers(metavar="ACTION")
    new = words.add_parser(
        "new",
        help="Begin your own template.",
        description="Begin your own template.",
    )
    new.add_argument("name", metavar="NAME", help="the name of the template: small letters and digits")
    new.add_argument("--like", metavar="TEMPLATE", help="the template to start from (default: the first one)")
    add_game_argument(new)
    add_state_argument(new, is_nested=True)
    add_examples(new, "companion games new mygame --like train")
    new.set_defaults(word=_new_preset)
    parser.set_defaults(word=_list_games)
    add_state_argument(parser)


def _new_preset(args: Namespace) -> int:
    library = preset_library(args)
    like = library.get_preset(library.shipped_names[0] if args.like is None else args.like)
    print(
        f"{like.duplicate(args.name).path}\nOpen this file in an editor and write down what your game needs. "
        f"To play with it: companion play {library.game.key} --option {library.option.key}={args.name}"
    )
    return 0


def _list_games(args: Namespace) -> int:
    directory, shelf = state_directory(args.state), installed_games.games()
    for found in shelf.values():
        print(
            _title(
                found if isinstance(found, installed_games.BrokenGame) else with_own_presets(found, directory)
            )
        )
    with closing(Store.open(directory)) as store:
        saved = store.saved_games()
    if saved:
        print("\nSaved, newest first:")
    for game in saved:
        print(render(f"  {game.number}  {game.game}: {', '.join(game.names)} ({_state(game, shelf)})"))
    return 0


def _state(saved: SavedGame, shelf: Mapping[str, Game | installed_games.BrokenGame]) -> str:
    """Whether it is over, and why it can't be opened where its game is gone or broken."""
    found = shelf.get(saved.game)
    if isinstance(found, Game):
        return saved.state
    why = say("its game is not installed") if found is None else found.why
    return f"{saved.state}; {render(why)}"


def _title(found: Game | installed_games.BrokenGame) -> str:
    if isinstance(found, installed_games.BrokenGame):
        return f"{found.key}  {render(found.why)}"
    least, most = found.players
    lines = [f"{found.key}  {render(found.title)}, {least} to {most} players"]
    for option in found.options:
        setting = f"--option {option.key}={option_value_as_typed(option.default)}"
        lines.append(f"    {setting}  {render(option.hint)} ({render(option.allowed_values_text)})")
    return "\n".join(lines)


GAMES = Subcommand(
    "List all games with their options, and all saved games; or begin a template.",
    _games_arguments,
    lambda args: int(args.word(args)),
    ("companion games", "companion games new mygame"),
)
