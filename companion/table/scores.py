"""The end of a game: standings whose totals open into lines, and the competition ranking that orders them.

Lines that count add up to the total; the others stand apart from them, for information.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Any, NotRequired, TypedDict

import msgspec

from companion.bounds import BoundedNatural, Int64
from companion.bounds import LoggedText as Text
from companion.table.seats import Seat
from companion.texts import Labelled, Say, render, say, say_list


class StoredScoreLine(TypedDict):
    """One line of a sheet as it is kept; older sheets don't say whether it `counts`."""

    label: Any
    value: Int64
    counts: NotRequired[bool]


class StoredStanding(TypedDict):
    """Where one seat ended, as it is kept; older sheets know no `why`."""

    seat: Text
    rank: BoundedNatural
    out: bool
    total: Int64
    why: NotRequired[Any]
    lines: list[StoredScoreLine]


class StoredResult(TypedDict):
    """A result as JSON; where it is kept its texts are as `text_to_json` writes them."""

    winners: list[Text]
    standings: list[StoredStanding]


PROVISIONAL_NOTE = say("The score is provisional: some values printed on your cards are not entered yet.")


class ScoreLine(msgspec.Struct, frozen=True):
    """One line of a player's score: a part of the total, positive or negative.

    With `is_part_of_total=False` it is information only and not part of the total.
    """

    label: Say
    value: int
    is_part_of_total: bool = True


class Standing(msgspec.Struct, frozen=True):
    """Where one seat ended: rank from 1, whether it was eliminated, the total, and its lines.

    `why` says in a few words what the total doesn't: "wins the tie: more cash".
    """

    seat: Seat
    rank: int
    total: int
    lines: tuple[ScoreLine, ...] = ()
    is_out: bool = False
    why: Say | None = None

    @property
    def counted_lines(self) -> tuple[ScoreLine, ...]:
        """The lines that add up to the total."""
        return tuple(line for line in self.lines if line.is_part_of_total)

    @property
    def information_lines(self) -> tuple[ScoreLine, ...]:
        """The lines that are for information."""
        return tuple(line for line in self.lines if not line.is_part_of_total)

    @property
    def adds_up(self) -> bool:
        """Whether the sum, where the sheet has one, makes the total."""
        return not self.counted_lines or sum(line.value for line in self.counted_lines) == self.total

    @property
    def information_text(self) -> Say | None:
        """The lines for information in one."""
        lines = [say("{what} {count}", what=line.label, count=line.value) for line in self.information_lines]
        return say("for information: {lines}", lines=say_list(lines)) if lines else None

    @property
    def reason(self) -> Say | None:
        """Why it is ranked so, where there is more to say than the total."""
        return self.why or (say("eliminated") if self.is_out else None)

    @property
    def text(self) -> Say:
        """Rank, name and total, and why where the total doesn't say it."""
        total = say("{rank}. {seat}: {total}", rank=self.rank, seat=self.seat, total=self.total)
        return say("{total}, {reason}", total=total, reason=self.reason) if self.reason else total

    def to_json(self, label: Callable[[Say], Any]) -> StoredStanding:
        """As JSON, each text as `label` writes it."""
        return {
            "seat": self.seat.name,
            "rank": self.rank,
            "out": self.is_out,
            "total": self.total,
            "why": self.why and label(self.why),
            "lines": [
                {"label": label(line.label), "value": line.value, "counts": line.is_part_of_total}
                for line in self.lines
            ],
        }


class GameResult(msgspec.Struct, frozen=True):
    """The final standings, best first."""

    standings: tuple[Standing, ...]

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Everybody who shares first rank and is not out."""
        return tuple(
            standing.seat for standing in self.standings if standing.rank == 1 and not standing.is_out
        )

    @property
    def text(self) -> Say:
        """Who won, as a sentence."""
        if len(self.winners) == 1:
            return say("Final score: {seat} wins.", seat=self.winners[0])
        if self.winners:
            return say("Final score: {seats} share first place.", seats=say_list(self.winners))
        return say("Final score: nobody wins.")

    def sheet_lines(self) -> Iterator[str]:
        """Returns the score sheet as plain English lines."""
        for standing in self.standings:
            yield render(standing.text)
            yield from (f"   {render(line.label)}: {line.value}" for line in standing.counted_lines)
            if standing.information_text:
                yield f"   ({render(standing.information_text)})"

    def to_json(self, label: Callable[[Say], Any]) -> StoredResult:
        """Returns the result as JSON, with seats by name and each text as `label` writes it."""
        return {
            "winners": [seat.name for seat in self.winners],
            "standings": [standing.to_json(label) for standing in self.standings],
        }


def competition_ranks(totals: Sequence[Any]) -> list[int]:
    """Returns the rank of each total, most first; equal totals share a rank and the next one is skipped.

    >>> ranks([5, 9, 5, 2])
    [2, 1, 2, 4]
    """
    return [1 + sum(other > total for other in totals) for total in totals]


def rank_seats(  # noqa: PLR0913 - each says one thing about a score
    seats: Iterable[Seat],
    total: Callable[[Seat], int],
    lines: Callable[[Seat], tuple[ScoreLine, ...]],
    *,
    rank_by: Callable[[Seat], Any] | None = None,
    out: Container[Seat] = (),
    why: Callable[[Seat], Say | None] = lambda _: None,
    tie: Labelled | None = None,
) -> GameResult:
    """Returns a result in which the highest total wins and equal totals share a rank.

    `rank_by`: ranks by this instead of the total. Seats that are `out` come after all others.
    `lines`: the lines of a seat's score; those that count must add up to its total.
    `why`: a reason to show for a seat. `tie`: what decides between equal totals, such as `say("more cash")`.
    """
    best = rank_by or total
    order = {seat: (seat not in out, best(seat)) for seat in seats}
    in_order = sorted(order, key=lambda seat: order[seat], reverse=True)
    standings = [
        Standing(seat, rank, total(seat), lines(seat), seat in out, why(seat))
        for seat, rank in zip(in_order, competition_ranks([order[seat] for seat in in_order]), strict=True)
    ]
    return GameResult(tuple(standings if tie is None else _explained(standings, tie)))


def _explained(standings: Sequence[Standing], tie: Labelled) -> Iterator[Standing]:
    """Whoever comes first of some with equal totals carries the reason."""
    for one in standings:
        tied = {other.rank for other in standings if (other.total, other.is_out) == (one.total, one.is_out)}
        is_first = one.rank == min(tied) < max(tied)
        why = say("wins the tie: {reason}", reason=tie) if is_first else one.why
        yield msgspec.structs.replace(one, why=why)
