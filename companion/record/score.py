"""A score sheet that was kept as JSON, as values again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from companion.scores import Line, Result, Standing
from companion.seats import Seats
from companion.words import from_plain


def score_kept(plain: Any, seats: Seats) -> Result | None:
    """What `Result.plain` wrote; None where there was no result."""
    if plain is None:
        return None
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


def _lines(one: Any) -> Iterator[Line]:
    """A sheet of an older version doesn't say which lines count: all where they make the total, else none."""
    adds_up = sum(line["value"] for line in one["lines"]) == one["total"]
    for line in one["lines"]:
        yield Line(from_plain(line["label"]), line["value"], line.get("counts", adds_up))
