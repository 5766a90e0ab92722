"""What one answer costs: `Session.answer`, kept in memory, beside a plain loop of the same rules.

Whole random matches of Egypt by four players, each from its beginning; every final state is compared.
Time is the processor's, so that other programs on the machine don't count.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from time import process_time
from typing import Any, TypeVar

from benchmarks import plain_egypt as plain
from benchmarks.openspiel import OpenSpiel
from benchmarks.rounds import alternate, ratio
from benchmarks.workload import Match, cards, matches, said
from companion.games.egypt.rulebook import GAME
from companion.log.log import MemoryLog
from companion.requests import Read
from companion.session.session import Session

MATCHES, PASSES, ROUNDS = 20, 2, 15
End = TypeVar("End")
NAMES = ("Aki", "Ben", "Chie", "Dai")
PLAIN, OPENSPIEL = "plain loop", "OpenSpiel with its legality check"


def figures() -> Iterator[dict[str, Any]]:
    """`engine.answers` as played; `engine.answers_with_payments`: the player counts the cards, too."""
    work = matches(MATCHES)
    with OpenSpiel(work, PASSES) as peer:
        rates = alternate(
            ROUNDS,
            {
                PLAIN: partial(moves_a_second, work, play_plain, plain.digest),
                "engine.answers": partial(moves_a_second, work, as_played, digest),
                "engine.answers_with_payments": partial(moves_a_second, work, with_payments, digest),
                **({OPENSPIEL: peer.moves_a_second} if peer.installed else {}),
            },
        )
    floor, rival = rates.pop(PLAIN), rates.pop(OPENSPIEL, None)
    beside: dict[str, object] = {PLAIN: round(median(floor)), OPENSPIEL: "skipped: not installed"}
    if rival:
        beside |= {OPENSPIEL: round(median(rival)), "ratio of OpenSpiel": ratio(rival, floor)}
    for name, ours in rates.items():
        value = round(median(ours))
        yield {"name": name, "value": value, "unit": "moves/s", "beside": beside, "ratio": ratio(ours, floor)}


def moves_a_second(
    work: list[Match], play: Callable[[Match], End], told: Callable[[End], list[object]]
) -> float:
    """Plays every match; fails where one doesn't end as it must, which is not measured."""
    took = 0.0
    for match in work * PASSES:
        start = process_time()
        end = play(match)
        took += process_time() - start
        assert told(end) == match.final
    return PASSES * sum(len(match.moves) for match in work) / took


def play_plain(match: Match) -> plain.State:
    """The plain loop."""
    return plain.play(match.decks, match.moves)


def begun() -> Session:
    """A match that has just begun."""
    return Session.begin(GAME, NAMES, {}, MemoryLog(), seed=1)


def as_played(match: Match) -> Session:
    """All answers, written down beforehand."""
    session = begun()
    for answer in match.answers:
        session.answer(session.question_number, answer)
    return session


def with_payments(match: Match) -> Session:
    """The player looks at the price and the cards and counts: that is part of the move."""
    session, decks = begun(), iter(match.decks)
    hands: list[list[int]] = []
    for player, verb, amount in match.moves:
        if verb == "deal":
            hands = plain.dealt(next(decks))
        session.answer(
            session.question_number, said(verb, amount) if verb != "pay" else paid(session, hands, player)
        )
    return session


def paid(session: Session, hands: list[list[int]], player: int | None) -> object:
    """What the player who is asked lays down."""
    question = session.question
    assert player is not None
    assert isinstance(question, Read)
    assert question.price is not None
    return cards(hands[player], int(question.price.rates[0].values["number"]), question.price.owed)


def digest(session: Session) -> list[object]:
    """The end of a match, as `plain_egypt.digest` tells it."""
    counts = {(account.place.key, account.piece.key): account.count for account in session.table.ledger}
    fronts = [f"{seat.key}/front" for seat in session.table.seats]
    return [
        [counts[front, "point"] for front in fronts],
        counts["round track", "round"],
        [sum(n * counts[front, f"chip {n}"] for n in range(plain.FIRST, plain.LAST + 1)) for front in fronts],
        [counts[f"{seat.key}/hand", "card"] for seat in session.table.seats],
        [bool(counts[front, "knocked out"]) for front in fronts],
    ]
