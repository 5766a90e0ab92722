"""A score sheet that was kept as JSON, as values again."""

from __future__ import annotations

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
                tuple(Line(from_plain(line["label"]), line["value"]) for line in one["lines"]),
                one["out"],
            )
            for one in plain["standings"]
        )
    )
