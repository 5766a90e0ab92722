"""Tracks of the whole table: how far they have gone, and which of them win or lose the game together."""

from __future__ import annotations

from companion.games.any_game.printed import named, number, word
from companion.rulebook import Design, Piece, Table, say

TRACKS = say("tracks")


def marker_of(printed: Design) -> Piece:
    """What stands on a track."""
    return Piece(printed.id, named(printed), is_endless=True, is_marker=True)


class TableTrack:
    """A marker on so many steps; at its end the table has `won` or `lost`, or nothing follows."""

    def __init__(self, table: Table, printed: Design) -> None:
        self.key, self.label = printed.id, named(printed)
        self.goal, self.ends = number(printed, "goal"), word(printed, "ends", "nothing")
        self._marker = table.account(marker_of(printed), TRACKS)
        table.supply(self._marker, min(number(printed, "at"), self.goal))
        self._table = table

    @property
    def step(self) -> int:
        """How far the marker is."""
        return self._marker.count

    @property
    def is_full(self) -> bool:
        """Whether it stands at the end."""
        return self.step >= self.goal

    def after(self, steps: int) -> int:
        """Where it stands after so many steps on or back; it stops at its ends."""
        return max(0, min(self.goal, self.step + steps))

    def go(self, steps: int) -> None:
        """On or back, between the ends of the track."""
        to = self.after(steps)
        if to > self.step:
            self._table.add_markers(self._marker, to - self.step)
        else:
            self._table.remove_markers(self._marker, self.step - to)
