"""The end of a game: standings with score lines, and the competition ranking that orders them.

Counted lines add up to the total; the others are only information.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator, Sequence
from typing import Annotated, Any, NotRequired, TypedDict

import msgspec

from companion.bounds import BoundedNatural, Int64
from companion.bounds import LoggedText as Text
from companion.half_numbers import WholeOrHalf, number_to_json
from companion.table.seats import Seat
from companion.texts import Labelled, Say, render, say, say_list, say_people

StoredNumber = Int64 | Annotated[float, msgspec.Meta(ge=-(2.0**52), le=2.0**52, multiple_of=0.5)]
"""A stored number of points: 7, or 7.5 for 7½."""


class StoredScoreLine(TypedDict):
    """One line of a stored score sheet; in older sheets, `counts` is missing."""

    label: Any
    value: StoredNumber
    counts: NotRequired[bool]


class StoredStanding(TypedDict):
    """The stored rank and total of one seat; in older sheets, `why` is missing.

    `joined` is False for a seat whose player never joined, and missing for all others.
    """

    seat: Text
    rank: BoundedNatural
    out: bool
    total: StoredNumber
    why: NotRequired[Any]
    joined: NotRequired[bool]
    lines: list[StoredScoreLine]


class StoredResult(TypedDict):
    """A result as JSON.

    The store has the texts as `text_to_json` writes them.
    """

    winners: list[Text]
    standings: list[StoredStanding]


ELIMINATED = say("eliminated")
PROVISIONAL_NOTE = say("The score is provisional: some values printed on your cards are not entered yet.")


class ScoreLine(msgspec.Struct, frozen=True):
    """One line of a player's score: a part of the total, positive or negative.

    With `is_part_of_total=False` it is only information.
    """

    label: Say
    value: WholeOrHalf
    is_part_of_total: bool = True


class Standing(msgspec.Struct, frozen=True):
    """The final position of one seat: rank from 1, total, score lines, and whether it was eliminated.

    `why` says in a few words what the total doesn't: "wins the tie with more cash". `has_joined` is False for
    a seat whose player was to come later, and never joined.
    """

    seat: Seat
    rank: int
    total: WholeOrHalf
    lines: tuple[ScoreLine, ...] = ()
    is_eliminated: bool = False
    why: Say | None = None
    has_joined: bool = True

    @property
    def counted_lines(self) -> tuple[ScoreLine, ...]:
        """The lines that add up to the total."""
        return tuple(line for line in self.lines if line.is_part_of_total)

    @property
    def uncounted_lines(self) -> tuple[ScoreLine, ...]:
        """The lines that are only information and not part of the total."""
        return tuple(line for line in self.lines if not line.is_part_of_total)

    @property
    def lines_add_up(self) -> bool:
        """True if the counted lines add up to the total, or if there are none."""
        return not self.counted_lines or sum(line.value for line in self.counted_lines) == self.total

    def sum_of_lines(self, line_count: int) -> WholeOrHalf:
        """Returns the sum of the first `line_count` counted lines; the total if there are no more."""
        if line_count >= len(self.counted_lines):
            return self.total
        return sum(line.value for line in self.counted_lines[:line_count])

    @property
    def uncounted_lines_text(self) -> Say | None:
        """The lines that are only information, as one text; None without such lines."""
        lines = [say("{what} {count}", what=line.label, count=line.value) for line in self.uncounted_lines]
        return say("for information: {lines}", lines=say_list(lines)) if lines else None

    @property
    def rank_reason(self) -> Say | None:
        """The reason for the rank, if the total alone doesn't explain it."""
        return self.why or (ELIMINATED if self.is_eliminated else None)

    @property
    def has_void_total(self) -> bool:
        """True if the total doesn't count, because the player is out; a 0 never counts for anything."""
        return self.is_eliminated and self.total != 0

    @property
    def total_text(self) -> str:
        """The total, in parentheses if it doesn't count because the player is out."""
        return format_total(self.total, is_eliminated=self.is_eliminated)

    @property
    def text(self) -> Say:
        """The standing as a text: rank, name and total.

        The reason follows if the total doesn't explain the rank. If the player is out, it comes first, and
        the total is in parentheses.
        """
        if self.is_eliminated and self.rank_reason:
            text = "{rank}. {seat}: {reason} ({total})"
            return say(text, rank=self.rank, seat=self.seat, reason=self.rank_reason, total=self.total)
        total = say("{rank}. {seat}: {total}", rank=self.rank, seat=self.seat, total=self.total)
        return say("{total}, {reason}", total=total, reason=self.rank_reason) if self.rank_reason else total

    def to_json(self, encode_text: Callable[[Say], Any]) -> StoredStanding:
        """Returns the standing as JSON, with each text as `encode_text` writes it."""
        stored: StoredStanding = {
            "seat": self.seat.name,
            "rank": self.rank,
            "out": self.is_eliminated,
            "total": number_to_json(self.total),
            "why": self.why and encode_text(self.why),
            "lines": [
                {
                    "label": encode_text(line.label),
                    "value": number_to_json(line.value),
                    "counts": line.is_part_of_total,
                }
                for line in self.lines
            ],
        }
        if not self.has_joined:
            stored["joined"] = False
        return stored


class GameResult(msgspec.Struct, frozen=True):
    """The final standings of a game, best first."""

    standings: tuple[Standing, ...]

    @property
    def winners(self) -> tuple[Seat, ...]:
        """All seats that share first rank and are not eliminated."""
        return tuple(
            standing.seat for standing in self.standings if standing.rank == 1 and not standing.is_eliminated
        )

    def is_rank_shared(self, standing: Standing) -> bool:
        """Returns whether another seat has the rank of a standing, too."""
        return sum(other.rank == standing.rank for other in self.standings) > 1

    @property
    def winners_text(self) -> Say:
        """The sentence that says who won."""
        if len(self.winners) == 1:
            return say("Final score: {seat} wins.", seat=self.winners[0])
        if self.winners:
            return say("Final score: {seats} share first place.", seats=say_people(self.winners))
        return say("Final score: nobody wins.")

    def score_sheet_lines(self) -> Iterator[str]:
        """Yields the score sheet as plain English lines."""
        for standing in self.standings:
            yield render(standing.text)
            yield from (f"   {render(line.label)}: {line.value}" for line in standing.counted_lines)
            if standing.uncounted_lines_text:
                yield f"   ({render(standing.uncounted_lines_text)})"

    def to_json(self, encode_text: Callable[[Say], Any]) -> StoredResult:
        """Returns the result as JSON, with seats by name and each text as `encode_text` writes it."""
        return {
            "winners": [seat.name for seat in self.winners],
            "standings": [standing.to_json(encode_text) for standing in self.standings],
        }


def format_total(total: WholeOrHalf, *, is_eliminated: bool) -> str:
    """Returns a total as text: in parentheses for a player who is out, whose total doesn't count.

    >>> format_total(7, is_eliminated=True)
    '(7)'
    """
    return f"({total})" if is_eliminated else str(total)


def competition_ranks(totals: Sequence[Any]) -> list[int]:
    """Returns the rank of each total, highest first; equal totals share a rank and the next rank is skipped.

    >>> competition_ranks([5, 9, 5, 2])
    [2, 1, 2, 4]
    """
    return [1 + sum(other > total for other in totals) for total in totals]


def rank_seats(  # noqa: PLR0913 - each says one thing about a score
    seats: Iterable[Seat],
    total: Callable[[Seat], WholeOrHalf],
    lines: Callable[[Seat], tuple[ScoreLine, ...]],
    *,
    rank_by: Callable[[Seat], Any] | None = None,
    eliminated_seats: Container[Seat] = (),
    reason_for_seat: Callable[[Seat], Say | None] = lambda _: None,
    tie_breaker: Labelled | None = None,
) -> GameResult:
    """Returns a result in which the highest total wins and equal totals share a rank.

    `rank_by`: ranks by this instead of the total. Eliminated seats come after all others.
    `lines`: the lines of a seat's score; the counted ones must add up to its total.
    `reason_for_seat`: a reason to show for a seat.
    `tie_breaker`: what decides between equal totals, as it follows "wins the tie with": `say("more cash")`.
    """
    ranking_key = rank_by or total
    key_by_seat = {seat: (seat not in eliminated_seats, ranking_key(seat)) for seat in seats}
    seats_in_order = sorted(key_by_seat, key=lambda seat: key_by_seat[seat], reverse=True)
    standings = [
        Standing(seat, rank, total(seat), lines(seat), seat in eliminated_seats, reason_for_seat(seat))
        for seat, rank in zip(
            seats_in_order, competition_ranks([key_by_seat[seat] for seat in seats_in_order]), strict=True
        )
    ]
    return GameResult(
        tuple(standings if tie_breaker is None else _add_tie_breaker_reason(standings, tie_breaker))
    )


def _add_tie_breaker_reason(standings: Sequence[Standing], tie_breaker: Labelled) -> Iterator[Standing]:
    """Yields the standings; the first of several seats with equal totals gets the tie breaker as a reason."""
    for standing in standings:
        tied_ranks = {
            other.rank
            for other in standings
            if (other.total, other.is_eliminated) == (standing.total, standing.is_eliminated)
        }
        wins_tie = standing.rank == min(tied_ranks) < max(tied_ranks)
        reason = say("wins the tie with {reason}", reason=tie_breaker) if wins_tie else standing.why
        yield msgspec.structs.replace(standing, why=reason)
