"""Everything that happened, as sentences: what is in force, and between it what the table should remember.

Taking something back leaves no trace but three: a round of envelopes that everybody has seen, a correction
under cover, and a roll of the companion's dice. The movements tell thing by thing what moved, from what all
may see.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import pairwise

import msgspec

from companion.log.events import Corrected, Event, Left, PutAway, Reopened, Returned
from companion.log.proof import rounds
from companion.session.session import Session
from companion.session.view import history, withdrawn
from companion.table.moves import diff_snapshots, take_snapshot
from companion.table.seats import Seat, Seats
from companion.texts import Say, say


class RecordEntry(msgspec.Struct, frozen=True):
    """One sentence with what followed from it; `n` is the question, `at` the seconds of play.

    `at` is None where the log has no time. `undone`: it tells of what was taken back, or changed too late.
    `heading` is where in the game that was, `seats` who was asked.
    """

    n: int
    at: float | None
    text: Say
    notes: tuple[Say, ...] = ()
    undone: bool = False
    heading: Say | None = None
    seats: tuple[Seat, ...] = ()


def entries(session: Session, events: Sequence[Event]) -> tuple[RecordEntry, ...]:
    """The whole game, oldest first.

    What the result was before a game was reopened is told once it is over again: it counts what is covered.
    """
    found = [
        RecordEntry(step.n, step.at, entry.text, entry.notes, heading=entry.heading, seats=entry.seats)
        for step, entry in zip(session.steps, history(session), strict=True)
    ]
    tried = [RecordEntry(n, None, text, undone=True) for n, text in withdrawn(session)]
    is_over = session.put_aside or session.result is not None
    comings = (*_comings(events, session.table.seats), *_reopened(events, is_over=is_over))
    extras = sorted((*comings, *_undone(events), *tried), key=lambda one: one.n)
    return tuple(_merged(found, extras))


def _merged(found: Sequence[RecordEntry], extras: Sequence[RecordEntry]) -> Iterator[RecordEntry]:
    """What was said while a question was open comes before its answer."""
    rest = deque(extras)
    for one in found:
        while rest and rest[0].n <= one.n:
            yield rest.popleft()
        yield one
    yield from rest


def _comings(events: Sequence[Event], seats: Seats) -> Iterator[RecordEntry]:
    """Who left and came back, and a game that ended before its end."""
    for event in events:
        match event:
            case Left():
                yield RecordEntry(event.n, None, say("{seat} leaves.", seat=seats.seat_numbered(event.seat)))
            case Returned():
                yield RecordEntry(event.n, None, say("{seat} is back.", seat=seats.seat_numbered(event.seat)))
            case PutAway(early=True) if event is events[-1]:
                yield RecordEntry(
                    event.n, None, say("The game was put away before the end. This is the score so far.")
                )


def _reopened(events: Sequence[Event], *, is_over: bool) -> Iterator[RecordEntry]:
    """Where the game was taken up again after it had been put away, and what its result was until then."""
    for before, event in pairwise(events):
        if isinstance(before, PutAway) and isinstance(event, Reopened):
            text = say("The game was put away and later reopened.")
            standings = before.result["standings"] if before.result and is_over else ()
            ranks = ", ".join(f"{one['rank']}. {one['seat']} {one['total']}" for one in standings)
            notes = (say("The result before the game was reopened: {ranks}", ranks=ranks),) if ranks else ()
            yield RecordEntry(event.n, None, text, notes, undone=True)


def _undone(events: Sequence[Event]) -> Iterator[RecordEntry]:
    for one in rounds(events):
        if one.taken_back is not None:
            text = say(
                "The envelopes of question {n} were opened, and later the reveal was taken back.", n=one.n
            )
            yield RecordEntry(one.taken_back, None, text, undone=True)
        for n in one.amended:
            text = say("The sealed answers to question {n} were changed after the reveal.", n=one.n)
            yield RecordEntry(n, None, text, undone=True)


class Movement(msgspec.Struct, frozen=True):
    """One thing in force, and what it moved; `by_hand`: it was a correction."""

    text: Say
    moves: tuple[Say, ...]
    by_hand: bool


def movements(session: Session) -> list[Movement]:
    """All that is in force, oldest first."""
    found, before = [], take_snapshot(session.earlier(0).table.ledger)
    for entry, step, run in zip(history(session), session.steps, session.moments(), strict=True):
        now, by_hand = take_snapshot(run.table.ledger), isinstance(step, Corrected)
        moved = () if by_hand else tuple(move.line for move in diff_snapshots(before, now))
        found.append(Movement(entry.text, moved, by_hand))
        before = now
    return found
