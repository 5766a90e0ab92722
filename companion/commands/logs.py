"""The subcommands for logs as text: `log` writes one, `replay` and `demo` play one, `verify` checks one.

`verify` also checks saved games that nobody has written as text. It names a fault with its event.
"""

from __future__ import annotations

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from companion import cli, installed_games, jsonlines, logtext
from companion.commands.play import UNFINISHED_STATES, find_saved_game
from companion.errors import RulesCrashed, RulesDifferFromLog, UserError
from companion.files import user_files
from companion.files.state_directory import OWNER_ONLY_FILE_MODE, state_directory
from companion.log.events import Began, Event, PutAway, normalize_seal_letters
from companion.log.log import MemoryLog
from companion.log.proof import SealedRound, describe_first_misplaced_event, sealed_rounds
from companion.recorded_match import load_recorded_events, replay_until
from companion.session.session import Session
from companion.session.view import beginning_of_history, list_history_entries, make_view
from companion.store import SavedGame, Store
from companion.subcommand import USER_ERROR_STATUS, Subcommand, add_state_argument, has_display
from companion.table.scores import PROVISIONAL_NOTE, StoredNumber, StoredResult
from companion.texts import Say, render, say, shorten_long_values, text_to_json

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


# verify: it changes nothing and repairs nothing. Only a seal that somebody noted when they saw it proves that
# an envelope is the one that was closed.


def _add_verify_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "game",
        metavar="GAME",
        nargs="?",
        help="the number of the game in companion games, its kind, or a log file (the newest game)",
    )
    parser.add_argument(
        "--noted",
        metavar="SEAL",
        action="append",
        default=[],
        help="the twelve letters of a seal that somebody wrote down; repeat --noted for more seals",
    )
    add_state_argument(parser)


def _verify(args: Namespace) -> int:
    game_or_file = args.game
    if game_or_file is not None and (Path(game_or_file).suffix or user_files.file_exists(Path(game_or_file))):
        log_text = user_files.read_user_file(Path(game_or_file), logtext.MAX_LOG_TEXT_CHARACTERS)
        return _print_result(_verify_events(logtext.parse_log_text(log_text), args.noted))
    with closing(Store.open(state_directory(args.state))) as store:
        log = store.open_game_log(find_saved_game(store.all_saved_games(), game_or_file).number)
        if altered_rows := log.describe_altered_rows():
            return _print_result(VerificationResult(faults=altered_rows))
        events = log.events()
        result = _verify_events(events, args.noted)
    if not result.faults and not result.has_false_or_missing_seal:
        text = "All {count} events are intact. A replay gives the present position."
        print(render(say(text, count=len(events))))
    return _print_result(result)


class VerificationResult(msgspec.Struct):
    """The result of verifying a saved game: its faults, and reports of its sealed rounds.

    `has_false_or_missing_seal`: an opened answer differs from the sealed one, or no opened envelope has a
    noted seal.
    """

    faults: list[Say]
    round_reports: list[Say] = []
    has_false_or_missing_seal: bool = False


def _verify_events(events: Sequence[Event], noted_seals: Sequence[str]) -> VerificationResult:
    """Checks the order of events, the envelopes, and the rules only if there is no fault before."""
    rounds = sealed_rounds(events)
    round_reports = [text for sealed_round in rounds for text in _describe_round(sealed_round, events[0])]
    has_false_seal = any(sealed_round.seats_with_false_seal for sealed_round in rounds)
    faults = [misplaced_event] if (misplaced_event := describe_first_misplaced_event(events)) else []
    if not faults and not has_false_seal:
        faults += _find_replay_faults(events)
    missing_seals = list(_missing_seals(rounds, noted_seals))
    round_reports = round_reports or [say("This game has no sealed rounds.")]
    return VerificationResult(faults, [*round_reports, *missing_seals], has_false_seal or bool(missing_seals))


def _missing_seals(rounds: Iterable[SealedRound], noted_seals: Iterable[str]) -> Iterator[Say]:
    """Yields a sentence about each noted seal that no opened envelope had.

    Seals are read as people write them down.
    """
    shown_seals = {seal for sealed_round in rounds for seal in sealed_round.seal_letters_by_seat.values()}
    for text in noted_seals:
        if normalize_seal_letters(text) not in shown_seals:
            yield shorten_long_values(say("No opened envelope has the seal {noted}.", noted=text))


def _print_result(result: VerificationResult) -> int:
    """Prints the result; returns the exit status."""
    for text in (*result.faults, *result.round_reports):
        print(render(text))
    return USER_ERROR_STATUS if result.faults or result.has_false_or_missing_seal else 0


def _find_replay_faults(events: Sequence[Event]) -> Iterator[Say]:
    """Yields a sentence if the rules don't allow an event, or if they give another score at the end."""
    began, last = events[0], events[-1]
    assert isinstance(began, Began)
    try:
        session = Session(installed_games.playable_game(began.game), events, MemoryLog())
    except RulesDifferFromLog as error:
        yield error.text
        return
    except (RulesCrashed, UserError) as error:
        yield say("The game can't be checked against its rules: {why}", why=error.text)
        return
    if isinstance(last, PutAway) and last.result is not None:
        result = session.rulebook_run.result_or_score_so_far()
        if result is None or not _is_same_score(result.to_json(text_to_json), last.result):
            yield say(
                "Event {at}: the saved score differs from the score that the rules give.", at=len(events)
            )


def _is_same_score(replayed: StoredResult, saved: StoredResult) -> bool:
    """Returns True if both results have equal ranks, totals and lines.

    Names are not compared: they may have changed. The lines of an older version, which didn't save which
    lines count, are not compared either: its sheet had other lines than now.
    """
    has_counts = all("counts" in line for standing in saved["standings"] for line in standing["lines"])
    return _ranks_and_totals(replayed, with_lines=has_counts) == _ranks_and_totals(
        saved, with_lines=has_counts
    )


def _ranks_and_totals(
    result: StoredResult, *, with_lines: bool
) -> list[tuple[int, StoredNumber, list[tuple[StoredNumber, bool]]]]:
    return [
        (
            standing["rank"],
            standing["total"],
            [(line["value"], line["counts"]) for line in standing["lines"] if with_lines],
        )
        for standing in result["standings"]
    ]


def _describe_round(sealed_round: SealedRound, began: Event) -> Iterator[Say]:
    names = {str(number): name for number, name in enumerate(getattr(began, "names", ()), 1)}
    if sealed_round.seats_with_false_seal:
        seats = ", ".join(
            names.get(seat_number, seat_number) for seat_number in sealed_round.seats_with_false_seal
        )
        text = (
            "Event {at}, question {n}: the opened answers of these players differ from their sealed "
            "answers: {seats}."
        )
        yield say(text, at=sealed_round.event_number, n=sealed_round.question_number, seats=seats)
    else:
        yield say("Question {n}: every opened answer matches its seal.", n=sealed_round.question_number)
    for seat, seal in sealed_round.seal_letters_by_seat.items():
        yield say("  The seal of {seat}: {seal}", seat=names.get(str(seat), str(seat)), seal=seal)
    for question_number in sealed_round.amended_during_questions:
        yield say("  The answer was changed later, while question {n} was open.", n=question_number)
    if sealed_round.taken_back_during_question is not None:
        yield say(
            "  The reveal was taken back later, while question {n} was open.",
            n=sealed_round.taken_back_during_question,
        )


VERIFY = Subcommand(
    "Check that a saved game was not changed: its events, sealed answers and score.",
    _add_verify_arguments,
    _verify,
    ("companion verify 12", "companion verify egypt --noted K7MQ93XD2HVT"),
)
