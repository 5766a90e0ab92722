"""Points as marks: those of a round lie at places of that round, so that a grid can show them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.any_game.printed import named, number, word
from companion.rulebook import Account, Design, Piece, Seat, Table, say

FRONT = say("front")


def points(printed: Design) -> tuple[Piece, Piece]:
    """The marks of points gained and of points lost."""
    label = named(printed)
    gained = Piece(printed.id, label, is_endless=True, is_marker=True)
    return gained, Piece(
        f"{printed.id} lost", say("{points} lost", points=label), is_endless=True, is_marker=True
    )


def filled(printed: Design) -> Piece:
    """The mark of a box that has been filled in, be it with nothing."""
    return Piece(
        f"{printed.id} filled", say("{box} filled", box=named(printed)), is_endless=True, is_marker=True
    )


class Category:
    """Points of one kind: those gained and those lost, as no place holds less than nothing.

    `when`: with the rounds, or besides them at the `end`. `prizes` are what the most, the next and the third
    get where people have things to be counted; nothing in it: points are written down as they are.
    """

    def __init__(self, table: Table, printed: Design, keeper: Mapping[Seat, Seat]) -> None:
        self.key, self.label = printed.id, named(printed)
        self.when, self.ties = word(printed, "when", "round"), word(printed, "ties", "split")
        self.group, self.highest = number(printed, "group"), number(printed, "highest")
        self.multiple = number(printed, "multiple", 1)
        prizes = [number(printed, name) for name in PRIZES]
        self.prizes = prizes if any(prizes) else []
        self.gained, self.lost = points(printed)
        self._filled = filled(printed)
        self._keeper, self._table = keeper, table
        for seat in table.seats:
            self._at(self.gained, seat, None)
            self._at(self.lost, seat, None)

    def add(self, seat: Seat, points: int, slot: int | None = None) -> None:
        """Notes points gained or lost; one makes up for the other, so that what lies there is the net."""
        mine, other = (self.gained, self.lost) if points > 0 else (self.lost, self.gained)
        there = self._at(other, seat, slot)
        back = min(abs(points), there.count)
        self._table.remove_markers(there, back)
        self._table.add_markers(self._at(mine, seat, slot), abs(points) - back)

    def fill(self, seat: Seat, points: int) -> None:
        """Fills the box of a seat."""
        self.add(seat, points)
        self._table.add_markers(self._at(self._filled, seat, None))

    def is_filled(self, seat: Seat) -> bool:
        """Whether the box of a seat has been filled, be it with nothing."""
        return self._at(self._filled, seat, None).count > 0

    def of(self, seat: Seat) -> int:
        """The points of a seat, or of its team, of all rounds."""
        return self._all(self.gained, seat) - self._all(self.lost, seat)

    def _at(self, mark: Piece, seat: Seat, slot: int | None) -> Account:
        return self._table.account(mark, FRONT, self._keeper[seat], slot)

    def _all(self, mark: Piece, seat: Seat) -> int:
        keeper = self._keeper[seat]
        return sum(one.count for one in self._table.ledger.accounts_of(mark) if one.place.seat == keeper)


PRIZES = ("first", "second", "third")
"""What the most of something gives, the next and the third."""


class Bonus:
    """What boxes of one group give besides, once they make so much together."""

    def __init__(self, printed: Design) -> None:
        self.label = named(printed)
        self.group, self._at = number(printed, "of_group"), number(printed, "reached_at")
        self._gives = number(printed, "gives")

    def of(self, categories: Sequence[Category], seat: Seat) -> int:
        """What a seat gets of it."""
        return self.from_(sum(one.of(seat) for one in categories if one.group == self.group))

    def from_(self, points: int) -> int:
        """What so many points in the group give."""
        return self._gives if points >= self._at else 0


def prizes_for(counts: Mapping[Seat, int], prizes: Sequence[int], ties: str) -> dict[Seat, int]:
    """What each gets who has so many of something; nothing is nobody's majority.

    Who ties takes as many places as they are: they `split` what these give, rounded down, or each gets what
    the `lower` of these gives, or the `higher`.
    """
    found = dict.fromkeys(counts, 0)
    for many in {*counts.values()} - {0}:
        tied = [seat for seat, count in counts.items() if count == many]
        ahead = sum(count > many for count in counts.values())
        places = [*prizes[ahead : ahead + len(tied)], *[0] * len(tied)][: len(tied)]
        share = {"split": sum(places) // len(tied), "lower": places[-1], "higher": places[0]}[ties]
        found |= dict.fromkeys(tied, share)
    return found
