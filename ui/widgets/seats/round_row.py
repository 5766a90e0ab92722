"""One seat's row in a round that is open to all: its sign, its name, and its numbers as they stand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from kivy.properties import BooleanProperty, NumericProperty
from kivy.uix.behaviors import ButtonBehavior

from companion.table.seats import Seat
from ui import theme
from ui.widgets.drawing.surfaces import Box, Drawn, fill, inset, paper, rim
from ui.widgets.drawing.symbols import draw_icon, draw_token
from ui.widgets.drawing.text import Writing, across, within

WIDEST_USUAL_NUMBER = "−8888"
"""As wide as any number of a round usually is; a wider one is written smaller."""
MAX_NAME_LETTERS = 8
"""How wide a name need be, in heights of the smallest letters; a longer one has two lines."""
BESIDE_NAME_TARGETS, MORE_TARGETS_PER_NUMBER = 4.2, 1.4
"""From so many targets on a number stands beside the name, else below it; and each further number."""


class OpenRoundRow(ButtonBehavior, Drawn):
    """`labels` say what its numbers are, empty where there is one; `active` is the one in question."""

    shows: ClassVar[tuple[str, ...]] = ("state", "active", "given")
    active = NumericProperty(-1)
    given = BooleanProperty(defaultvalue=False)
    """Whether they are in, as far as everybody is concerned."""

    def __init__(self, seat: Seat, labels: Sequence[str], **kwargs: Any) -> None:
        self.seat, self.name, self.touched_number = seat, seat.name, 0
        self.called = Writing(text=seat.name, style="key", line_height=1.0)
        self.labels = [Writing(text=label, style="quiet", halign="right") for label in labels]
        self.figures = [Writing(style="digit", halign="right") for _ in labels]
        super().__init__(**kwargs)
        for writing in (self.called, *self.labels, *self.figures):
            self.add_widget(writing)

    def show_numbers(self, numbers: Sequence[str]) -> None:
        """Shows numbers, with a dash where there is none."""
        for figure, number in zip(self.figures, numbers, strict=True):
            figure.text = number or "–"

    def on_touch_down(self, touch: Any) -> bool:
        """Which of its numbers is under the finger."""
        if self.collide_point(*touch.pos):
            under = [at for at, figure in enumerate(self.figures) if figure.x <= touch.x <= figure.right]
            self.touched_number = under[0] if under else 0
        return bool(super().on_touch_down(touch))

    def draw(self) -> None:
        """Paper; brass round the row in question, a tick where it is in."""
        sizes = theme.length
        x, y, width, height = inset(self.box, sizes.line)
        paper((x, y, width, height), 0.0 if self.state == "down" else sizes.line)
        frame = sizes.rim * 1.4
        if self.active >= 0:
            rim(theme.BRASS_DARK, (x, y, width, height), frame)
            rim(theme.BRASS, (x, y, width, height), sizes.rim)
        gap, tick = sizes.gap, sizes.smallest * 0.75
        if self.given:
            draw_icon("tick", (x + width - tick - gap, y + height - tick - gap, tick, tick), theme.INK)
        # Within the frame even where there is none: nothing moves when it comes.
        self._place((x + frame + gap, y + frame, width - frame - gap * 3, height - 2 * frame))

    def _place(self, box: Box) -> None:
        """Numbers at the right, sign and name at their left; where that is narrow the name above the sign.

        Several numbers stand below the name then.
        """
        x, y, width, height = box
        sizes, count = theme.length, len(self.figures)
        wide, line = across(WIDEST_USUAL_NUMBER, sizes.digit, theme.MONEY) * count, sizes.smallest * 1.35
        most = MAX_NAME_LETTERS * sizes.smallest
        named = min(most, across(self.seat.name, sizes.smallest)) + sizes.token + sizes.smallest + sizes.gap
        is_beside = (
            self.width >= (BESIDE_NAME_TARGETS + MORE_TARGETS_PER_NUMBER * (count - 1)) * sizes.target
            and named + wide <= width
        )
        low = height if is_beside else height - line
        side = min(low * (0.55 if is_beside else 0.95), sizes.token)
        draw_token(self.seat.colour, (x, y + (low - side) / 2, side, side))
        left = x + side + sizes.gap / 2
        if is_beside:
            right = x + width - sizes.smallest - wide
            self.called.pos, self.called.size = (left, y), (right - left, height)
            self._call(right - left, 2)
            self._place_numbers((right, y, wide, height))
        else:
            right = x + width - sizes.smallest  # beyond it the tick has its place
            alone = count == 1 and across(self.seat.name, sizes.smallest) <= right - wide - x
            self.called.pos = (x, y + height - line)
            self.called.size = (right - x - (wide if alone else 0.0), line)
            self._call(self.called.width, 1)
            self._place_numbers(
                (right - wide, y, wide, height) if alone else (left, y, x + width - left, low)
            )

    def _call(self, width: float, most: int) -> None:
        """Writes the name, in so many lines at most."""
        lines = within(self.seat.name, width, most=most)
        self.called.lines, self.called.text = len(lines), "\n".join(lines)

    def _place_numbers(self, box: Box) -> None:
        """Side by side, each after what it is called; one that is in question is underlined."""
        x, y, width, height = box
        sizes, share = theme.length, width / len(self.figures)
        for at, (label, figure) in enumerate(zip(self.labels, self.figures, strict=True)):
            said = across(label.text, sizes.smallest, bold=False) + sizes.gap if label.text else 0.0
            named = min(said, share * 0.7)
            label.pos, label.size = (x + at * share, y), (named, height)
            figure.pos, figure.size = (x + at * share + named, y), (share - named, height)
            if at == self.active and len(self.figures) > 1:
                across_it = figure.width - sizes.gap
                foot = (figure.x + sizes.gap, y + sizes.rim * 0.75, across_it, sizes.line * 1.5)
                fill(theme.BRASS_DARK, foot, sizes.line)
