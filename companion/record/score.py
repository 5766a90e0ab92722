"""A score sheet that was kept as JSON, as values again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from companion.errors import TableError
from companion.table.scores import Kept, KeptStanding, Line, Result, Standing
from companion.table.seats import Seats
from companion.words import from_plain


def score_kept(plain: Kept | None, seats: Seats) -> Result | None:
    """What `Result.plain` wrote; None where there was no result, or none that can be read."""
    if plain is None:
        return None
    with suppress(TableError, ValueError):
        return _score(plain, seats)
    return None


def _score(plain: Kept, seats: Seats) -> Result:
    return Result(
        tuple(
            Standing(
                seats.named(one["seat"]),
                one["rank"],
                one["total"],
                tuple(_lines(one)),
                one["out"],
                from_plain(one.get("why")),
            )
            for one in plain["standings"]
        )
    )


def _lines(one: KeptStanding) -> Iterator[Line]:
    """A sheet of an older version doesn't say which lines count: all where they make the total, else none."""
    adds_up = sum(line["value"] for line in one["lines"]) == one["total"]
    for line in one["lines"]:
        yield Line(from_plain(line["label"]), line["value"], line.get("counts", adds_up))
