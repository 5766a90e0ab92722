"""Decides which numbers no player panel shows, because they would say nothing now.

The decision follows from the views of everybody alone, and is the same for all panels of a table.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from companion.rules.scene_views import CellView, MatView
from ui.widgets.seats.panel_changes import HEADLINE_INDEX


def find_omitted_numbers(mats: Sequence[MatView], *, are_details_omitted: bool = False) -> frozenset[int]:
    """Returns `HEADLINE_INDEX` or the index of each cell that no panel shows.

    These are the numbers that are 0 for everybody, and those that repeat everybody's total. A number with a
    maximum is always shown, because the maximum says what there is to reach. Details are left out, too, if
    `are_details_omitted`.
    """
    totals = _visible_totals(mats)
    return frozenset(
        index
        for index, cells in _columns(mats)
        if all(cell.value == 0 and not cell.maximum for cell in cells)
        or (are_details_omitted and all(cell.is_detail for cell in cells))
        or (index != HEADLINE_INDEX and totals and [cell.number for cell in cells] == totals)
    )


def _columns(mats: Sequence[MatView]) -> Iterator[tuple[int, Sequence[CellView]]]:
    """Yields each number's cells on all mats, with the number's index."""
    headlines = [mat.headline for mat in mats if mat.headline is not None]
    if headlines:
        yield HEADLINE_INDEX, headlines
    yield from enumerate(zip(*(mat.cells for mat in mats), strict=True))


def _visible_totals(mats: Sequence[MatView]) -> list[object]:
    """Returns the headline of each mat if it is a total and visible on all of them, else nothing."""
    headlines = [mat.headline for mat in mats if mat.headline is not None]
    totals = [cell.number for cell in headlines if cell.is_total and cell.number is not None]
    return [*totals] if len(totals) == len(mats) else []
