"""One game as it is kept: who played, how it ended, everything that happened."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

import msgspec

from companion.errors import UserError
from companion.log.events import Event, PutAway
from companion.record.entries import RecordEntry, entries
from companion.record.facts import NO_FACTS, Facts, with_rules
from companion.record.standing import Thinking, Totals, standing, thinking
from companion.scenes.evaluate import SceneView, evaluate_scene
from companion.session.session import Session
from companion.session.view import Holding, view
from companion.table.scores import GameResult, ScoreLine, Standing, StoredResult, StoredStanding
from companion.table.seats import Seats
from companion.table.table import OptionValue
from companion.texts import Say, Text, text_from_json


class Record(msgspec.Struct, frozen=True):
    """`result` is the final score, or where the game was put `early` away the score so far; None before.

    `table` is what lies where as all may see it, while the game goes on; `laid` the same as people see it.
    `trouble` says why there is nothing but the result, if the rules no longer read the log.
    `provisional`: printed values it was played by were a guess.
    """

    game: str
    title: Text
    number: int | None
    seats: Seats
    result: GameResult | None
    early: bool = False
    version: int | None = None
    options: Mapping[str, OptionValue] = {}
    provisional: bool = False
    entries: tuple[RecordEntry, ...] = ()
    standing: tuple[Totals, ...] = ()
    thinking: tuple[Thinking, ...] = ()
    table: tuple[Holding, ...] = ()
    laid: SceneView | None = None
    trouble: Say | None = None
    facts: Facts = NO_FACTS

    @property
    def over(self) -> bool:
        """Whether this is how it ended."""
        return self.result is not None


def recorded(
    session: Session, events: Sequence[Event], number: int | None = None, facts: Facts = NO_FACTS
) -> Record:
    """The record of a game at this moment.

    `events` is its log, `number` the one in the history, `facts` what the store knows of it.
    """
    seen, last = view(session), events[-1]
    put_away = last if isinstance(last, PutAway) else None
    result = score_kept(put_away.result, seen.seats) if put_away else seen.result
    over = put_away is not None or result is not None
    return Record(
        game=session.game.key,
        title=seen.game,
        number=number,
        seats=seen.seats,
        result=result,
        early=put_away is not None and (put_away.early or result is None),
        version=session.began.version,
        options=session.table.options,
        provisional=seen.provisional,
        entries=entries(session, events),
        standing=standing(session),
        thinking=thinking(events, seen.seats),
        table=() if over else _by_place(seen.holdings),
        laid=None if over else evaluate_scene(seen, session.scene),
        facts=with_rules(facts, session, events),
    )


def _by_place(holdings: Sequence[Holding]) -> tuple[Holding, ...]:
    """What lies at one place together, places in the order of the table."""
    order = list(dict.fromkeys(holding.place for holding in holdings))
    return tuple(sorted(holdings, key=lambda holding: order.index(holding.place)))


def score_kept(plain: StoredResult | None, seats: Seats) -> GameResult | None:
    """What `GameResult.plain` wrote; None where there was no result, or none that can be read."""
    if plain is None:
        return None
    with suppress(UserError, ValueError):
        return _score(plain, seats)
    return None


def _score(plain: StoredResult, seats: Seats) -> GameResult:
    return GameResult(
        tuple(
            Standing(
                seats.find_seat(one["seat"]),
                one["rank"],
                one["total"],
                tuple(_lines(one)),
                one["out"],
                text_from_json(one.get("why")),
            )
            for one in plain["standings"]
        )
    )


def _lines(one: StoredStanding) -> Iterator[ScoreLine]:
    """A sheet of an older version doesn't say which lines count: all where they make the total, else none."""
    adds_up = sum(line["value"] for line in one["lines"]) == one["total"]
    for line in one["lines"]:
        yield ScoreLine(text_from_json(line["label"]), line["value"], line.get("counts", adds_up))
