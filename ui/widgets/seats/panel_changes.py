"""Finds how the numbers on each player's panel changed.

Changes follow from the views of everybody alone, so a number that is or was covered has none.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from companion.half_numbers import WholeOrHalf
from companion.rules.scene_views import CellView, MatView
from companion.session.view import View
from companion.table.seats import Seat

HEADLINE_INDEX = -1
"""Index of the headline among a panel's numbers; cells are counted from 0."""


class NumberChanges:
    """How the numbers on each seat's panel changed, from comparing each view with the one before.

    The keys of a seat's changes are `HEADLINE_INDEX` or the index of a cell. `changes_by_seat` are those
    between the last two views; there are none where the newer view only restores earlier numbers.
    """

    def __init__(self) -> None:
        self.changes_by_seat: Mapping[Seat, Mapping[int, WholeOrHalf]] = {}
        self._known_numbers: Mapping[tuple[int, int], WholeOrHalf] = {}
        self._view: View | None = None

    def update(self, view: View, mats: Sequence[MatView], *, is_restored: bool) -> None:
        """Replaces the changes with those since the previous view; does nothing for the same view."""
        before, self._view = self._view, view
        if view is before:
            return
        numbers, seat_by_number = dict(_find_numbers(mats)), {mat.seat.number: mat.seat for mat in mats}
        earlier, self._known_numbers = self._known_numbers, numbers
        self.changes_by_seat = {}
        if before is None or is_restored:
            return
        changes: dict[Seat, dict[int, WholeOrHalf]] = {}
        for key, previous in earlier.items():
            seat_number, index = key
            if (change := numbers.get(key, previous) - previous) != 0:
                changes.setdefault(seat_by_number[seat_number], {})[index] = change
        self.changes_by_seat = changes


def _find_numbers(mats: Iterable[MatView]) -> Iterator[tuple[tuple[int, int], WholeOrHalf]]:
    """Yields each number whose change is shown, by the number of the seat and the index on its panel."""
    for mat in mats:
        cells: list[tuple[int, CellView | None]] = [(HEADLINE_INDEX, mat.headline), *enumerate(mat.cells)]
        for index, cell in cells:
            if cell is not None and cell.shows_change and cell.number is not None:
                yield (mat.seat.number, index), cell.number
