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
    """The latest changes of numbers on each seat's panel, from comparing each view with the one before.

    The keys of a seat's changes are `HEADLINE_INDEX` or the index of a cell. Undo clears all changes,
    because undo only restores earlier numbers.
    """

    def __init__(self) -> None:
        self.changes_by_seat: Mapping[Seat, Mapping[int, WholeOrHalf]] = {}
        self._known_numbers: Mapping[tuple[int, int], WholeOrHalf] = {}
        self._question_number = 0

    def update(self, view: View, mats: Sequence[MatView]) -> bool:
        """Replaces the changes with those since the previous view, if any number changed.

        Returns whether there are new changes.
        """
        numbers, seat_by_number = dict(_find_numbers(mats)), {mat.seat.number: mat.seat for mat in mats}
        if view.question_number < self._question_number:  # another game
            self._known_numbers = {}
        self._question_number = view.question_number
        changes: dict[Seat, dict[int, WholeOrHalf]] = {}
        for key, previous in self._known_numbers.items():
            seat_number, index = key
            if (change := numbers.get(key, previous) - previous) != 0:
                changes.setdefault(seat_by_number[seat_number], {})[index] = change
        has_changed = numbers != self._known_numbers
        self._known_numbers = numbers
        if view.may_redo:
            self.changes_by_seat = {}
            return False
        if has_changed:
            self.changes_by_seat = changes
        return has_changed and bool(changes)

    def clear(self) -> None:
        """Forgets all changes; the next view is compared with the latest one as before."""
        self.changes_by_seat = {}


def _find_numbers(mats: Iterable[MatView]) -> Iterator[tuple[tuple[int, int], WholeOrHalf]]:
    """Yields each number whose change is shown, by the number of the seat and the index on its panel."""
    for mat in mats:
        cells: list[tuple[int, CellView | None]] = [(HEADLINE_INDEX, mat.headline), *enumerate(mat.cells)]
        for index, cell in cells:
            if cell is not None and cell.shows_change and cell.number is not None:
                yield (mat.seat.number, index), cell.number
