"""The end of a game: standings whose totals open into lines, and the competition ranking that orders them."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any

import msgspec

from companion.seats import Seat
from companion.words import Say, listed, render, say

PROVISIONAL = say("Provisional: the values printed on your copy have not all been entered.")


class Line(msgspec.Struct, frozen=True):
    """One line of a seat's sum."""

    label: Say
    value: int


class Standing(msgspec.Struct, frozen=True):
    """Where one seat ended: rank from 1, whether it was eliminated, the total and the lines that make it."""

    seat: Seat
    rank: int
    total: int
    lines: tuple[Line, ...] = ()
    out: bool = False

    @property
    def text(self) -> Say:
        """Rank, name and total, and whether the seat was eliminated."""
        total = say("{rank}. {seat}: {total}", rank=self.rank, seat=self.seat, total=self.total)
        return say("{total}, eliminated", total=total) if self.out else total


class Result(msgspec.Struct, frozen=True):
    """All standings, best first."""

    standings: tuple[Standing, ...]

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Everybody who shares the first rank and is not out."""
        return tuple(standing.seat for standing in self.standings if standing.rank == 1 and not standing.out)

    @property
    def text(self) -> Say:
        """Who won, as a sentence."""
        if len(self.winners) == 1:
            return say("Final score: {seat} wins.", seat=self.winners[0])
        if self.winners:
            return say("Final score: {seats} share the first place.", seats=listed(self.winners))
        return say("Final score: nobody wins.")

    def sheet(self) -> Iterator[str]:
        """The score sheet as plain English lines."""
        for standing in self.standings:
            yield render(standing.text)
            yield from (f"   {render(line.label)}: {line.value}" for line in standing.lines)

    def plain(self, label: Callable[[Say], Any]) -> dict[str, Any]:
        """As JSON, seats by name, each line's label as `label` writes it."""
        standings = [
            {
                "seat": standing.seat.name,
                "rank": standing.rank,
                "out": standing.out,
                "total": standing.total,
                "lines": [{"label": label(line.label), "value": line.value} for line in standing.lines],
            }
            for standing in self.standings
        ]
        return {"winners": [seat.name for seat in self.winners], "standings": standings}


def ranks(totals: Sequence[Any]) -> list[int]:
    """Standard competition ranking ("1224"): equals share a rank, the next is skipped; more is better.

    >>> ranks([5, 9, 5, 2])
    [2, 1, 2, 4]
    """
    return [1 + sum(other > total for other in totals) for total in totals]


def ranked(
    seats: Iterable[Seat],
    total: Callable[[Seat], int],
    lines: Callable[[Seat], tuple[Line, ...]],
    *,
    by: Callable[[Seat], Any] | None = None,
    out: Container[Seat] = (),
) -> Result:
    """The result where the highest total wins, or the most of what `by` gives, and equals share.

    Seats that are `out` come after the others; their ranks go on.
    """
    best = by or total
    order = {seat: (seat not in out, best(seat)) for seat in seats}
    in_order = sorted(order, key=lambda seat: order[seat], reverse=True)
    places = ranks([order[seat] for seat in in_order])
    return Result(
        tuple(
            Standing(seat, rank, total(seat), lines(seat), seat in out)
            for seat, rank in zip(in_order, places, strict=True)
        )
    )
