"""The subcommand `verify`: checks that a game was not changed, from its log as text or from the saved games.

It changes nothing and repairs nothing. A fault is named with its event. Only a seal that somebody noted when
they saw it proves that an envelope is the one that was closed.
"""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

import msgspec

from companion import installed_games, logtext
from companion.commands.play import find_saved_game
from companion.errors import RulesCrashed, RulesDifferFromLog, UserError
from companion.files import user_files
from companion.files.state_directory import state_directory
from companion.log.events import Began, Event, PutAway, normalize_seal_letters
from companion.log.log import MemoryLog
from companion.log.proof import SealedRound, find_misplaced_event, sealed_rounds
from companion.session.session import Session
from companion.store import Store
from companion.subcommand import USER_ERROR_STATUS, Subcommand, add_state_argument
from companion.table.scores import StoredResult
from companion.texts import Say, render, say, shorten_long_values, text_to_json


def _arguments(parser: ArgumentParser) -> None:
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
    wanted = args.game
    if wanted is not None and (Path(wanted).suffix or user_files.file_exists(Path(wanted))):
        return _print_result(
            _verify_events(
                logtext.parse_log_text(
                    user_files.read_user_file(Path(wanted), logtext.MAX_LOG_TEXT_CHARACTERS)
                ),
                args.noted,
            )
        )
    with closing(Store.open(state_directory(args.state))) as store:
        log = store.open_game_log(find_saved_game(store.saved_games(), wanted).number)
        odd = log.describe_altered_rows()
        events = [] if odd else log.events()
        found = VerificationResult(faults=odd) if odd else _verify_events(events, args.noted)
    if not found.faults and not found.has_false_seal:
        text = "All {count} events are intact. A replay gives the present position."
        print(render(say(text, count=len(events))))
    return _print_result(found)


class VerificationResult(msgspec.Struct):
    """The faults of a saved game, and reports of its sealed rounds.

    `has_false_seal`: an opened answer differs from the sealed one.
    """

    faults: list[Say]
    round_reports: list[Say] = []
    has_false_seal: bool = False


def _verify_events(events: Sequence[Event], noted: Sequence[str]) -> VerificationResult:
    """Order first, then envelopes; the rules are asked only where both are as they should be."""
    found = sealed_rounds(events)
    sealed = [text for one in found for text in _describe_round(one, events[0])]
    false = any(one.false_seats for one in found)
    wrong = [misplaced] if (misplaced := find_misplaced_event(events)) else []
    if not wrong and not false:
        wrong += _replay_faults(events)
    missing = list(_unseen_seals(found, noted))
    sealed = sealed or [say("This game has no sealed rounds.")]
    return VerificationResult(wrong, [*sealed, *missing], false or bool(missing))


def _unseen_seals(found: Iterable[SealedRound], noted: Iterable[str]) -> Iterator[Say]:
    """The seals somebody noted that no opened envelope had; read as people write them down."""
    shown = {seal for one in found for seal in one.letters_by_seat.values()}
    for text in noted:
        if normalize_seal_letters(text) not in shown:
            yield shorten_long_values(say("No opened envelope has the seal {noted}.", noted=text))


def _print_result(found: VerificationResult) -> int:
    """Prints the result; returns the exit status."""
    for text in (*found.faults, *found.round_reports):
        print(render(text))
    return USER_ERROR_STATUS if found.faults or found.has_false_seal else 0


def _replay_faults(events: Sequence[Event]) -> Iterator[Say]:
    """Yields the first event that the rules don't allow, or an end that doesn't follow from the events."""
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
        result = session.run.result_or_score_so_far()
        if result is None or not _same_score(result.to_json(text_to_json), last.result):
            yield say(
                "Event {at}: the saved score differs from the score that the rules give.", at=len(events)
            )


def _same_score(led_to: StoredResult, kept: StoredResult) -> bool:
    """Without names, which may have changed; a sheet of an older version had other lines than now."""
    is_older = any("counts" not in line for one in kept["standings"] for line in one["lines"])
    return _totals(led_to, lines=not is_older) == _totals(kept, lines=not is_older)


def _totals(result: StoredResult, *, lines: bool) -> list[tuple[int, int, list[tuple[int, bool]]]]:
    return [
        (one["rank"], one["total"], [(line["value"], line["counts"]) for line in one["lines"] if lines])
        for one in result["standings"]
    ]


def _describe_round(one: SealedRound, began: Event) -> Iterator[Say]:
    names = {str(number): name for number, name in enumerate(getattr(began, "names", ()), 1)}
    if one.false_seats:
        seats = ", ".join(names.get(key, key) for key in one.false_seats)
        text = (
            "Event {at}, question {n}: the opened answers of these players differ from their sealed "
            "answers: {seats}."
        )
        yield say(text, at=one.event_number, n=one.question_number, seats=seats)
    else:
        yield say("Question {n}: every opened answer matches its seal.", n=one.question_number)
    for seat, seal in one.letters_by_seat.items():
        yield say("  The seal of {seat}: {seal}", seat=names.get(str(seat), str(seat)), seal=seal)
    for event in one.amended_during_questions:
        yield say("  The answer was changed later, while question {n} was open.", n=event)
    if one.taken_back_at is not None:
        yield say("  The reveal was taken back later, while question {n} was open.", n=one.taken_back_at)


VERIFY = Subcommand(
    "Check that a saved game was not changed: its events, sealed answers and score.",
    _arguments,
    _verify,
    ("companion verify 12", "companion verify egypt --noted K7MQ93XD2HVT"),
)
