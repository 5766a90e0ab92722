"""The subcommands for logs as text: `log` writes a log, `replay` and `demo` play one."""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from companion import cli, jsonlines, logtext
from companion.commands.play import UNFINISHED_STATES, find_saved_game
from companion.errors import UserError
from companion.files import user_files
from companion.files.state_directory import OWNER_ONLY_FILE_MODE, state_directory
from companion.recorded_match import load_recorded_events, replay_until
from companion.session.session import Session
from companion.session.view import beginning_of_history, list_history_entries, make_view
from companion.store import SavedGame, Store
from companion.subcommand import Subcommand, add_state_argument, has_display
from companion.table.scores import PROVISIONAL_NOTE
from companion.texts import render, say

SHOW_RECORDED_MATCH_SUBCOMMAND = "show"
"""The name of the subcommand that plays a recorded match in the window.

`companion show GAME [--offscreen] [--out DIR]`
"""


# log


def _add_log_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "game", metavar="GAME", nargs="?", help="the number of the game in companion games, or its kind"
    )
    parser.add_argument("--to", type=Path, metavar="FILE", help="write a finished game to this file")
    add_state_argument(parser)


def _log(args: Namespace) -> int:
    directory = state_directory(args.state)
    with closing(Store.open(directory)) as store:
        saved_game = find_saved_game(store.all_saved_games(), args.game)
        text = logtext.format_log_text(store.open_game_log(saved_game.number).events())
    if saved_game.state in UNFINISHED_STATES:
        if args.to is not None:
            raise UserError(
                say(
                    "This game isn't over, and its log shows hidden things. Without --to, the log is written "
                    "to the folder of the saved games."
                )
            )
        print(_write_private_log(directory, saved_game, text))
    elif args.to is not None:
        user_files.write_user_file(args.to, text)
    else:
        print(text, end="")
    return 0


def _write_private_log(directory: Path, saved_game: SavedGame, text: str) -> Path:
    """Writes the log of an unfinished game into the state directory, and returns the file.

    Only the owner may read the file: the log shows hidden things.
    """
    path = directory / f"{saved_game.game}-{saved_game.number}.log"
    user_files.write_user_file(path, text, OWNER_ONLY_FILE_MODE)
    return path


LOG = Subcommand(
    "Print the log of a saved game: every answer as a line of text.",
    _add_log_arguments,
    _log,
    ("companion log 12", "companion log egypt --to egypt.log"),
)


# replay


def _add_replay_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", metavar="FILE", type=Path, help="a log written by companion log")
    parser.add_argument("--until", type=int, metavar="N", help="stop after question N")
    parser.add_argument(
        "--json", action="store_true", help="print the result, or the present state, as a line of JSON"
    )


def _replay(args: Namespace) -> int:
    if args.until is not None and args.until < 1:
        raise UserError(say("--until must be the number of a question, 1 or higher, not {n}.", n=args.until))
    session = replay_until(
        logtext.parse_log_text(user_files.read_user_file(args.file, logtext.MAX_LOG_TEXT_CHARACTERS)),
        args.until,
    )
    if args.json:
        line = (
            {"state": jsonlines.public_table_as_json(session)}
            if session.result is None
            else jsonlines.question_or_result_as_json(session)
        )
        print(json.dumps(line, ensure_ascii=False))
    else:
        print(*_describe_match(session), sep="\n")
    return 0


def _describe_match(session: Session) -> Iterator[str]:
    """Yields what happened as sentences, then the open question or the score."""
    for entry in (*beginning_of_history(session), *list_history_entries(session)):
        yield f"{entry.question_number or ''!s:>4}  {render(entry.text)}"
        yield from (f"      {render(note)}" for note in entry.notes)
    yield ""
    if session.question is not None:
        yield f"{session.question_number:>4}  {render(session.question.text)}"
    if session.result is not None:
        yield from (f"   {line}" for line in session.result.score_sheet_lines())
    if make_view(session).has_provisional_values:
        yield render(PROVISIONAL_NOTE)


REPLAY = Subcommand(
    "Replay a log and print what happened.",
    _add_replay_arguments,
    _replay,
    ("companion replay egypt.log", "companion replay egypt.log --until 20"),
)


# demo


def _add_demo_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("game", metavar="GAME", help="the game to watch")
    parser.add_argument(
        "--offscreen", action="store_true", help="play the match off screen, in a window that is not shown"
    )
    parser.add_argument("--out", metavar="DIR", help="save pictures and the score sheet in this directory")


def _demo(args: Namespace) -> int:
    events = load_recorded_events(args.game)
    if args.offscreen or has_display():
        out_arguments = [] if args.out is None else ["--out", args.out]
        offscreen_arguments = ["--offscreen"] if args.offscreen else []
        return cli.main([SHOW_RECORDED_MATCH_SUBCOMMAND, args.game, *offscreen_arguments, *out_arguments])
    print(*_describe_match(replay_until(events)), sep="\n")
    return 0


DEMO = Subcommand(
    "Watch a recorded match: on the screen, or as text where there is no screen.",
    _add_demo_arguments,
    _demo,
    ("companion demo egypt",),
)
