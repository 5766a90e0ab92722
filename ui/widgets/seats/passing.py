"""What stands on a strip only for a while: a bid on its small card, and room for a clock's digits."""

from __future__ import annotations

from ui import theme
from ui.widgets.drawing.surfaces import Box, fill, rim
from ui.widgets.drawing.text import inscribe
from ui.widgets.pieces.marks import Mark


class BidMark(Mark):
    """A bid on a small card, that of the highest in brass; without a bid there is only its room."""

    def __init__(self, text: str, wide: float, *, highest: bool, gone: bool) -> None:
        self._text, self._wide, self._highest, self._gone = text, wide, highest, gone

    def across(self, high: float) -> float:  # noqa: ARG002 - as wide as the highest bid so far
        """The card, with or without a bid."""
        return self._wide

    def draw(self, x: float, y: float, high: float) -> None:
        """Card and number."""
        if not self._text:
            return
        sizes, box = theme.length, (x, y, self._wide, high)
        fill(theme.PAPER_LIT, box, sizes.radius * 0.6)
        edge, line = (theme.BRASS, sizes.rim) if self._highest else (theme.PAPER_LINE, sizes.line)
        rim(edge, box, line, sizes.radius * 0.6)
        colour = theme.INK_QUIET if self._gone else theme.INK
        inscribe(self._text, _middle(box), min(sizes.bid, high * 0.95), colour, theme.MONEY)


class EmptySpace(Mark):
    """Empty room of that width, where something else is drawn."""

    def __init__(self, wide: float) -> None:
        self._wide = wide

    def across(self, high: float) -> float:  # noqa: ARG002 - what is drawn there has its own height
        """The room."""
        return self._wide

    def draw(self, x: float, y: float, high: float) -> None:
        """Nothing."""


def _middle(box: Box) -> tuple[float, float]:
    return box[0] + box[2] / 2, box[1] + box[3] / 2
