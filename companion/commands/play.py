"""The subcommands `play`, which begins or resumes a game in the terminal or in JSON lines, and `games`."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from companion import installed_games, jsonlines
from companion.clocks import CLOCK_PRESETS, ClockSettings, parse_clocks, parse_clocks_toml
from companion.commands.templates import add_game_argument, find_preset_library
from companion.errors import UnknownName, UserError, make_unknown_name_error
from companion.evening import Evening
from companion.files import toml, user_files
from companion.files.state_directory import state_directory
from companion.house_rules import load_house_rules, make_game_variant
from companion.name_matching import fold_name
from companion.presets import with_own_presets
from companion.rules.game import Game, option_value_as_typed
from companion.session.session import Session
from companion.store import SavedGame, Store
from companion.subcommand import Subcommand, add_examples, add_language_argument, add_state_argument
from companion.texts import Labelled, render, say

UNFINISHED_STATES = ("open", "waiting")
NO_SAVED_GAME_TEXT = say("No game is saved yet.")


def find_saved_game(saved_games: Sequence[SavedGame], number_or_game: str | None) -> SavedGame:
    """Returns the saved game with a number, else the newest one of a game, else the newest of all.

    Raises `UnknownName` if there is none.
    """
    if not saved_games:
        raise UnknownName(NO_SAVED_GAME_TEXT)
    installed = installed_games.games()
    game_by_key = {game.game: installed.get(game.game) for game in saved_games}
    key = (
        None
        if number_or_game is None
        else installed_games.match_game_key(number_or_game.removeprefix("#"), game_by_key)
    )
    for game in saved_games:
        if key in (None, game.game, str(game.number)):
            return game
    names = ", ".join(f"{game.number} ({game.game})" for game in saved_games)
    not_found = say(
        "There is no saved game {name}. Saved games: {names}.", name=str(number_or_game), names=names
    )
    raise make_unknown_name_error(str(number_or_game), game_by_key, not_found)


class PlayArguments(msgspec.Struct, frozen=True):
    """The arguments of the subcommand `play`: game, players, options, and clocks or None."""

    game: Game
    names: Sequence[str]
    options: Mapping[str, str]
    clocks: ClockSettings | None = None


def begin_new_game(evening: Evening, arguments: PlayArguments) -> Session:
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

    def check_session(session: Session) -> None:
        _require_same_players_and_options(session, arguments.names, arguments.options)
        if arguments.clocks is not None:
            session.set_clock_settings(arguments.clocks)

    return evening.resume_game(_find_unfinished_game(evening.store, arguments.game), check_session)


def _find_unfinished_game(store: Store, game: Game) -> SavedGame:
    """Returns the open game if it is of this kind, else the newest waiting one; raises `UnknownName`."""
    unfinished_games = sorted(
        (saved_game for saved_game in store.all_saved_games() if saved_game.state in UNFINISHED_STATES),
        key=lambda saved_game: UNFINISHED_STATES.index(saved_game.state),
    )
    match = next((saved_game for saved_game in unfinished_games if saved_game.game == game.key), None)
    if match is None:
        if not unfinished_games:
            raise UnknownName(say("There is no unfinished game to resume."))
        text = "There is no unfinished game of {game}. Unfinished games: {names}."
        names = ", ".join(dict.fromkeys(saved_game.game for saved_game in unfinished_games))
        raise UnknownName(say(text, game=game.title, names=names))
    return match


def _require_same_players_and_options(
    session: Session, names: Sequence[str], options: Mapping[str, str]
) -> None:
    """Raises `UserError` if typed names or options differ from those of the game.

    Names may also be those from the beginning of the game.
    """
    game_options, current_names = session.table.options, [seat.name for seat in session.table.seats]
    allowed_names = [[*map(fold_name, allowed)] for allowed in (current_names, session.began.names)]
    if names and [*map(fold_name, names)] not in allowed_names:
        raise UserError(
            say(
                "This game is played by {names}, not by {others}. To continue it, don't type --seats.",
                names=", ".join(current_names),
                others=", ".join(names),
            )
        )
    for key, value in session.game.parse_options(options).items():
        if key in options and value != game_options[key]:
            raise UserError(
                say(
                    "This game began with {key} {setting}, not {other}. To continue it, don't type --option.",
                    key=key,
                    setting=option_value_as_typed(game_options[key]),
                    other=options[key],
                )
            )


# play


def _add_play_arguments(parser: ArgumentParser) -> None:
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
    options = dict(map(_parse_option, args.options))
    if args.json and not names and not args.resume:
        raise UserError(say("Name the players in clockwise order, such as --seats Aki,Ben,Chie."))
    arguments = PlayArguments(game, names, options, _parse_clock_argument(args))
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        for notice in store.notices:
            print(render(notice), file=sys.stderr)
        if not args.json:
            return _play_at_terminal(args, store, arguments)
        if not args.resume:
            _print_unusable_house_rules(store, game)
        session = (resume_unfinished_game if args.resume else begin_new_game)(Evening(store), arguments)
        return jsonlines.play_over_stdio(session, store)


def _parse_clock_argument(args: Namespace) -> ClockSettings | None:
    if args.clock is None:
        return None
    if args.json:
        raise UserError(say("Clocks don't run with --json. Don't type --clock."))
    if args.clock.endswith(".toml"):
        text = user_files.read_user_file(Path(args.clock), toml.MAX_TOML_CHARACTERS)
        return parse_clocks_toml(text, args.clock)
    return parse_clocks(args.clock)


def _play_at_terminal(args: Namespace, store: Store, arguments: PlayArguments) -> int:
    from companion import terminal

    standard_terminal = terminal.make_standard_terminal(args.lang)
    if not arguments.names and not args.resume:
        names = terminal.ask_names_or_continue(standard_terminal, arguments.game, store.find_open_game())
        arguments = msgspec.structs.replace(arguments, names=names)
    is_new = bool(arguments.names) and not args.resume
    if is_new:
        _print_unusable_house_rules(store, arguments.game)
    session = (begin_new_game if is_new else resume_unfinished_game)(Evening(store), arguments)
    if is_new and (used := _describe_house_rules_in_use(store, session, arguments)) is not None:
        standard_terminal.print_line(say("House rules: {rules}", rules=used))
    return terminal.play_in_terminal(session, standard_terminal, args.state, store)


def _print_unusable_house_rules(store: Store, game: Game) -> None:
    """Prints a sentence about each saved house rule of a game that can't be used."""
    for key, faults in load_house_rules(store).faults.items():
        if key.split(" ")[0] in ("", game.key):
            for fault in faults:
                print(render(fault), file=sys.stderr)


def _describe_house_rules_in_use(store: Store, session: Session, arguments: PlayArguments) -> Labelled | None:
    """Returns the house rules with which a game began, in words; None if it began without any."""
    game = with_own_presets(arguments.game, store.directory)
    preset_name = "" if game.presets is None else str(session.began.options[game.presets.option])
    variant = make_game_variant(game, store.directory, preset_name)
    rules = load_house_rules(store).rules.get(variant.key, {})
    used = {key: value for key, value in rules.items() if key not in arguments.options}
    return variant.describe_values(used) if used else None


def _parse_option(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not equals:
        raise UserError(say("Write an option as KEY=VALUE, not {text}.", text=text))
    return key, value


PLAY = Subcommand(
    "Play a game in the terminal.",
    _add_play_arguments,
    _play,
    ("companion play egypt --seats Aki,Ben,Chie", "companion play egypt --resume"),
)


# games


def _add_games_arguments(parser: ArgumentParser) -> None:
    subparsers = parser.add_subparsers(metavar="ACTION")
    new_parser = subparsers.add_parser(
        "new",
        help="Begin your own template.",
        description="Begin your own template.",
    )
    new_parser.add_argument("name", metavar="NAME", help="the name of the template: small letters and digits")
    new_parser.add_argument(
        "--like", metavar="TEMPLATE", help="the template to start from (default: the first one)"
    )
    add_game_argument(new_parser)
    add_state_argument(new_parser, is_nested=True)
    add_examples(new_parser, "companion games new mygame --like train")
    new_parser.set_defaults(word=_new_preset)
    parser.set_defaults(word=_list_games)
    add_state_argument(parser)


def _new_preset(args: Namespace) -> int:
    library = find_preset_library(args)
    source = library.existing_or_new_preset(library.shipped_names[0] if args.like is None else args.like)
    print(
        f"{source.duplicate(args.name).path}\n"
        "Open this file in an editor and write down what your game needs. "
        f"To play with it: companion play {library.game.key} --option {library.preset_option.key}={args.name}"
    )
    return 0


def _list_games(args: Namespace) -> int:
    directory, games = state_directory(args.state), installed_games.games()
    for game in games.values():
        print(
            _describe_game(
                game if isinstance(game, installed_games.BrokenGame) else with_own_presets(game, directory)
            )
        )
    with closing(Store.open(directory)) as store:
        saved_games = store.all_saved_games()
    if saved_games:
        print("\nSaved, newest first:")
    for saved_game in saved_games:
        names, state = ", ".join(saved_game.names), _describe_state(saved_game, games)
        print(render(f"  {saved_game.number}  {saved_game.game}: {names} ({state})"))
    return 0


def _describe_state(saved_game: SavedGame, games: Mapping[str, Game | installed_games.BrokenGame]) -> str:
    """Returns the state of a saved game, and why it can't be opened if its game is gone or broken."""
    game = games.get(saved_game.game)
    if isinstance(game, Game):
        return saved_game.state
    why = say("its game is not installed") if game is None else game.why
    return f"{saved_game.state}; {render(why)}"


def _describe_game(game: Game | installed_games.BrokenGame) -> str:
    if isinstance(game, installed_games.BrokenGame):
        return f"{game.key}  {render(game.why)}"
    least, most = game.players
    lines = [f"{game.key}  {render(game.title)}, {least} to {most} players"]
    for option in game.options:
        setting = f"--option {option.key}={option_value_as_typed(option.default)}"
        lines.append(f"    {setting}  {render(option.hint)} ({render(option.allowed_values_text)})")
    return "\n".join(lines)


GAMES = Subcommand(
    "List all games with their options, and all saved games; or begin a template.",
    _add_games_arguments,
    lambda args: int(args.word(args)),
    ("companion games", "companion games new mygame"),
)
