"""The subcommands `history`, `export` and `players`: saved games, the record of one, and who played them.

`history` lists, shows and changes saved games, `export` writes the record of one, and `players` lists who has
played, how often, and how many games they won.
A game that can't be replayed, because its rules have changed or are gone, still has its result.
"""

from __future__ import annotations

import os
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from pathlib import Path

from companion import installed_games, wall_clock
from companion.commands.play import NO_SAVED_GAME_TEXT, UNFINISHED_STATES, find_saved_game
from companion.errors import CompanionError, UserError
from companion.evening import Evening
from companion.files import user_files
from companion.files.state_directory import state_directory
from companion.languages import prefer_translations_of_game
from companion.log.log import MemoryLog
from companion.monospace_text import align_columns
from companion.record import player_statistics
from companion.record.dates import format_duration, parse_game_date, say_date_and_time
from companion.record.exports import EXPORT_FORMATS
from companion.record.player_records import (
    find_title_records,
    group_by_evening,
    summarize_player,
    win_percent,
)
from companion.record.record import GameRecord, create_record, facts_from_store, result_from_json
from companion.record.text_export import record_to_text
from companion.rules.game import Game
from companion.session.session import Session
from companion.store import SavedGame, Store
from companion.subcommand import Subcommand, add_examples, add_language_argument, add_state_argument
from companion.table.seats import make_seats
from companion.terminal.terminal import detect_language
from companion.texts import Say, Text, render, say, say_n

NOBODY_FINISHED_TEXT = say("Nobody has finished a game yet.")
REMOVE_DATE_ARGUMENT = "unknown"
"""The argument of `date` that removes a date entered by hand."""


def read_record(store: Store, saved_game: SavedGame) -> GameRecord:
    """Returns the record of a saved game.

    The record goes as far as the game's rules can still be played. The game isn't opened.
    """
    try:
        return _replay_record(store, saved_game)
    except CompanionError as error:
        options = _describe_remaining_options(saved_game)
        seats = make_seats(saved_game.names)
        return GameRecord(
            saved_game.game,
            _game_titles().get(saved_game.game, saved_game.game),
            saved_game.number,
            seats,
            result_from_json(saved_game.result, seats),
            was_put_away_early=saved_game.state == "put away",
            replay_error=say("{why} {still}", why=error.text, still=options),
            facts=facts_from_store(store, saved_game.number),
        )


def _replay_record(store: Store, saved_game: SavedGame) -> GameRecord:
    events = store.open_game_log(saved_game.number).events()
    log = MemoryLog(events)
    log.save_names(saved_game.names)
    session = Session(installed_games.playable_game(saved_game.game), events, log, tags=store.card_of_tag)
    prefer_translations_of_game(saved_game.game)
    return create_record(session, events, saved_game.number, facts_from_store(store, saved_game.number))


def _describe_remaining_options(saved_game: SavedGame) -> Say:
    """Returns sentences about what can be done with a game that can't be replayed."""
    if saved_game.state in UNFINISHED_STATES:
        return say(
            'Only the version that began this game can continue it. To print its answers, run "companion log '
            '{number}". To delete the game, run "companion history delete {number}".',
            number=saved_game.number,
        )
    return say(
        'The result of this game is saved, and you can export it. To print the answers, run "companion log '
        '{number}".',
        number=saved_game.number,
    )


def _game_titles() -> dict[str, Text]:
    """Returns the titles of the games by key; a game that is gone or broken has none."""
    return {key: game.title for key, game in installed_games.games().items() if isinstance(game, Game)}


def _add_game_argument(parser: ArgumentParser) -> None:
    parser.add_argument(
        "game", metavar="GAME", help="the number of the game in companion history list, or its kind"
    )


# list


def _list(args: Namespace) -> int:
    titles = _game_titles()
    with closing(Store.open(state_directory(args.state))) as store:
        lines = [_describe_saved_game(store, saved_game, titles) for saved_game in store.all_saved_games()]
    for line in lines or [NO_SAVED_GAME_TEXT]:
        print(render(line, _language(args)))
    return 0


def _describe_saved_game(store: Store, saved_game: SavedGame, titles: Mapping[str, Text]) -> Say:
    """Returns a line such as `3  Egypt: Aki, Ben (won by Aki; 2026-11-24 20:15; 1:12:30)`."""
    game_and_names = say(
        "{number}  {game}: {names}",
        number=saved_game.number,
        game=_find_title(store, saved_game, titles),
        names=", ".join(saved_game.names),
    )
    state = _describe_state(saved_game)
    facts = facts_from_store(store, saved_game.number)
    details: list[str | Say | None] = [
        say_date_and_time(facts.play_dates),
        format_duration(facts.played_seconds) if round(facts.played_seconds) else "",
    ]
    if facts.reopen_count:
        details.append(say("reopened"))
    if not facts.is_counted:
        details.append(say("not in the statistics"))
    for detail in details:
        state = say("{state}; {fact}", state=state, fact=detail) if detail else state
    return say("{game} ({state})", game=game_and_names, state=state)


def _find_title(store: Store, saved_game: SavedGame, titles: Mapping[str, Text]) -> Text:
    """Returns the title of what was played: the game, or its preset."""
    began_event = store.read_began_event(saved_game.number)
    with suppress(CompanionError):
        if began_event is not None:
            return installed_games.playable_game(saved_game.game).title_for_options(began_event.options)
    return titles.get(saved_game.game, saved_game.game)


def _describe_state(saved_game: SavedGame) -> Say:
    match saved_game.state:
        case "open":
            return say("open")
        case "waiting":
            return say("waiting")
        case "put away":
            return say("put away before the end")
    if not saved_game.winners:
        return say("nobody won")
    return say("won by {names}", names=", ".join(saved_game.winners))


# records and evenings


def _print_title_records(args: Namespace) -> int:
    with closing(Store.open(state_directory(args.state))) as store:
        records = find_title_records(Evening(store).counted_games())
    lang = _language(args)
    for title_records in records:
        print(render(title_records.title, lang), f"({render(title_records.games_text, lang)})")
        print(*(f"  {render(sentence, lang)}" for sentence in title_records.sentences), sep="\n")
    if not records:
        print(render(NOBODY_FINISHED_TEXT, lang))
    return 0


def _list_evenings(args: Namespace) -> int:
    with closing(Store.open(state_directory(args.state))) as store:
        evenings = group_by_evening(Evening(store).counted_games())
    lang = _language(args)
    for evening in evenings:
        date = evening.date or render(say("unknown date"), lang)
        print(f"{date}  {render(evening.games_text, lang)}  {render(evening.winners_text, lang)}".rstrip())
        for game in evening.games:
            ranks = "   ".join(result.text for result in game.results)
            print(f"  {game.number}  {render(game.title, lang)}: {ranks}")
    if not evenings:
        print(render(NOBODY_FINISHED_TEXT, lang))
    return 0


# show


def _print_record(args: Namespace) -> int:
    print(record_to_text(_read_record_of_game(args), _language(args)), end="")
    return 0


def _read_record_of_game(args: Namespace) -> GameRecord:
    with closing(Store.open(state_directory(args.state))) as store:
        return read_record(store, find_saved_game(store.all_saved_games(), args.game))


# resume


def _resume(args: Namespace) -> int:
    # This store only reads: a game that can't be played must not become the open game.
    record = _read_record_of_game(args)
    if record.replay_error:
        raise UserError(record.replay_error)
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        saved_game = find_saved_game(store.all_saved_games(), args.game)
        if saved_game.state not in UNFINISHED_STATES:
            raise UserError(
                say(
                    'Game {number} is over. To see it, run "companion history show {number}". To write it to '
                    'a file, run "companion export {number} --out FILE".',
                    number=saved_game.number,
                )
            )
        store.open_game_log(saved_game.number)
    message = say(
        'Game {number} is open. To continue on the touchscreen, run "companion". To continue in the '
        'terminal, run "companion play {game} --resume".',
        number=saved_game.number,
        game=saved_game.game,
    )
    print(render(message, _language(args)))
    return 0


# reopen


def _reopen(args: Namespace) -> int:
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        saved_game = find_saved_game(store.all_saved_games(), args.game)
        if saved_game.state in UNFINISHED_STATES:
            raise UserError(say("Game {number} has not been put away.", number=saved_game.number))
        Evening(store).reopen_game(saved_game)
    message = say(
        "Game {number} is open again, exactly as you put it away. To continue on the touchscreen, run "
        '"companion". To continue in the terminal, run "companion play {game} --resume". Correct the game '
        'with "undo", "history" and "amend", then put it away again. The game\'s record says that it '
        "was reopened.",
        number=saved_game.number,
        game=saved_game.game,
    )
    print(render(message, _language(args)))
    return 0


# delete


def _delete(args: Namespace) -> int:
    with closing(Store.open(state_directory(args.state), for_writing=args.yes)) as store:
        saved_game = find_saved_game(store.all_saved_games(), args.game)
        line = _describe_saved_game(store, saved_game, _game_titles())
        if not args.yes:
            raise UserError(
                say("This command deletes the game for good. If you are sure, add --yes: {game}", game=line)
            )
        store.delete_game(saved_game.number)
    print(render(say("Deleted: {game}", game=line), _language(args)))
    return 0


# date


def _set_date(args: Namespace) -> int:
    date = (
        ""
        if args.date == REMOVE_DATE_ARGUMENT
        else parse_game_date(args.date, wall_clock.trusted_unix_time())
    )
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        saved_game = find_saved_game(store.all_saved_games(), args.game)
        store.set_play_date(saved_game.number, date)
        print(render(_describe_saved_game(store, saved_game, _game_titles()), _language(args)))
    return 0


# leave-out, count-in


def _leave_out(args: Namespace) -> int:
    return _change_statistics(args, player_statistics.exclude_from_statistics)


def _count_in(args: Namespace) -> int:
    return _change_statistics(args, player_statistics.include_in_statistics)


def _change_statistics(args: Namespace, change: Callable[[Store, int], None]) -> int:
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        saved_game = find_saved_game(store.all_saved_games(), args.game)
        change(store, saved_game.number)
        print(render(_describe_saved_game(store, saved_game, _game_titles()), _language(args)))
    return 0


def _add_history_arguments(parser: ArgumentParser) -> None:
    _add_common_arguments(parser)
    parser.set_defaults(do=_list)
    subparsers = parser.add_subparsers(metavar="ACTION")
    for name, help_text, do, examples in (
        ("list", "List all saved games, the newest first.", _list, ("companion history list",)),
        (
            "show",
            "Show a saved game: the score and everything that happened.",
            _print_record,
            ("companion history show 12",),
        ),
        (
            "records",
            "List the records of each game: best score, biggest margin, longest game.",
            _print_title_records,
            ("companion history records",),
        ),
        (
            "evenings",
            "List the finished games by evening, with the winners.",
            _list_evenings,
            ("companion history evenings",),
        ),
        ("resume", "Open a waiting game, to continue it.", _resume, ("companion history resume 12",)),
        (
            "reopen",
            "Reopen a game that was put away, to correct it.",
            _reopen,
            ("companion history reopen 12",),
        ),
        (
            "date",
            "Enter the date on which a game was played.",
            _set_date,
            ("companion history date 12 2026-11-24",),
        ),
        (
            "leave-out",
            "Leave a game out of the statistics. It stays in the history.",
            _leave_out,
            ("companion history leave-out 12",),
        ),
        ("count-in", "Count a game in the statistics again.", _count_in, ("companion history count-in 12",)),
        ("delete", "Delete a saved game for good.", _delete, ("companion history delete 12 --yes",)),
    ):
        subparser = subparsers.add_parser(name, help=help_text, description=help_text)
        add_examples(subparser, *examples)
        if do not in (_list, _print_title_records, _list_evenings):
            _add_game_argument(subparser)
        if do is _set_date:
            subparser.add_argument(
                "date",
                metavar="DATE",
                help=f"such as 2026-11-24; {REMOVE_DATE_ARGUMENT} removes a date entered by hand",
            )
        if do is _delete:
            subparser.add_argument(
                "--yes", action="store_true", help="really delete it; this can't be undone"
            )
        _add_common_arguments(subparser, is_nested=True)
        subparser.set_defaults(do=do)


def _language(args: Namespace) -> str:
    return str(args.lang or detect_language(os.environ))


def _add_common_arguments(parser: ArgumentParser, *, is_nested: bool = False) -> None:
    add_language_argument(parser, is_nested=is_nested)
    add_state_argument(parser, is_nested=is_nested)


HISTORY = Subcommand(
    "List, show, continue, correct or delete saved games.",
    _add_history_arguments,
    lambda args: int(args.do(args)),
    ("companion history list", "companion history show 12"),
)


# export


def _add_export_arguments(parser: ArgumentParser) -> None:
    _add_game_argument(parser)
    parser.add_argument(
        "--format", choices=EXPORT_FORMATS, default="text", help="the format of the file (default: text)"
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", help="write the game to this file instead of printing it"
    )
    parser.add_argument("--force", action="store_true", help="overwrite a file that already exists")
    _add_common_arguments(parser)


def _export(args: Namespace) -> int:
    text = EXPORT_FORMATS[args.format](_read_record_of_game(args), _language(args))
    if args.out is None:
        print(text, end="")
    else:
        user_files.export_text(args.out, text, overwrite=args.force)
    return 0


EXPORT = Subcommand(
    "Write a saved game to a file: as text, web page, table or JSON.",
    _add_export_arguments,
    _export,
    ("companion export 12 --format html --out evening.html", "companion export 12 --format csv"),
)


# players


def _list_players(args: Namespace) -> int:
    with closing(Store.open(state_directory(args.state))) as store:
        players = player_statistics.statistics_of_all_players(store)
    rows = [
        [
            render(player.name),
            render(say_n("{n} game", "{n} games", n=player.games)),
            render(say_n("{n} won", "{n} won", n=player.wins)),
            f"{win_percent(player.games, player.wins)} %",
        ]
        for player in players
    ]
    if rows:
        print(*align_columns(rows), sep="\n")
    else:
        print(render(NOBODY_FINISHED_TEXT))
    return 0


def _show_player(args: Namespace) -> int:
    with closing(Store.open(state_directory(args.state))) as store:
        name = player_statistics.find_player_name(store, args.name)
        summary = summarize_player(Evening(store).counted_games(), name)
    games, wins = (
        say_n("{n} game", "{n} games", n=summary.games),
        say_n("{n} won", "{n} won", n=summary.wins),
    )
    last_results = "".join("●" if result.is_winner else "○" for result in summary.last_results)
    print(f"{summary.name}: {render(games)}, {render(wins)}, {summary.win_percent} %   {last_results}")
    rows = [
        [
            render(each.title),
            render(say_n("{n} game", "{n} games", n=each.games)),
            render(say_n("{n} won", "{n} won", n=each.wins)),
            render(each.text),
        ]
        for each in summary.by_title
    ]
    print(*align_columns(rows), sep="\n")
    opponents = [
        [render(say("against {name}", name=pair.name)), render(pair.text)] for pair in summary.opponents
    ]
    if opponents:
        print(*align_columns(opponents), sep="\n")
    return 0


def _merge_players(args: Namespace) -> int:
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        player_statistics.merge_players(store, args.name, args.into)
    return 0


def _delete_player(args: Namespace) -> int:
    with closing(Store.open(state_directory(args.state), for_writing=True)) as store:
        player_statistics.delete_player_statistics(store, args.name)
    return 0


def _add_players_arguments(parser: ArgumentParser) -> None:
    add_state_argument(parser)
    parser.set_defaults(do=_list_players)
    subparsers = parser.add_subparsers(metavar="ACTION")
    for name, help_text, do, example in (
        ("list", "List all players with their games and wins.", _list_players, "companion players list"),
        (
            "show",
            "Show one player's games, best scores, and how often they were ahead of others.",
            _show_player,
            "companion players show Aki",
        ),
        (
            "merge",
            "Count the games of NAME as games of INTO, because both are the same person.",
            _merge_players,
            "companion players merge Akki Aki",
        ),
        (
            "delete",
            "Forget the wins of NAME. The games stay saved.",
            _delete_player,
            "companion players delete Ben",
        ),
    ):
        subparser = subparsers.add_parser(name, help=help_text, description=help_text)
        add_examples(subparser, example)
        if do is not _list_players:
            subparser.add_argument("name", metavar="NAME", help="the name of the player")
        if do is _merge_players:
            subparser.add_argument("into", metavar="INTO", help="the name that stays")
        add_state_argument(subparser, is_nested=True)
        subparser.set_defaults(do=do)


PLAYERS = Subcommand(
    "List all players with their games and wins, or merge or forget players.",
    _add_players_arguments,
    lambda args: int(args.do(args)),
    ("companion players list", "companion players merge Akki Aki"),
)
