"""A small number or word between a key for less and a key for more."""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.properties import BooleanProperty, ListProperty, NumericProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.surfaces import Drawn, Sheet, fill, rim
from ui.widgets.drawing.text import Writing, across, lines_of
from ui.widgets.keys.key import Key
from ui.widgets.pieces.glyph import Plate

NUMBER_WIDTH_TARGETS = 0.7
"""How wide its number is, in targets."""


class Stepper(Sheet):
    """`count` of what `text` names, from `least` to `most`; `note` says what each is worth."""

    count = NumericProperty(0)
    least = NumericProperty(0)
    most = NumericProperty(99)
    text = StringProperty("")
    note = StringProperty("")

    def __init__(self, name: str = "", **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="horizontal", padding=(gap * 1.5, 0, gap, 0), spacing=0, **kwargs)
        self.label, self.badge = Writing(lines=2), Plate("")
        named = BoxLayout(orientation="vertical", padding=(0, gap * 0.25), spacing=0)
        put(named, self.label, self.badge)
        self.figure = Writing(
            style="digit", halign="center", size_hint_x=None, width=theme.length.target * NUMBER_WIDTH_TARGETS
        )
        self.less = Key(icon="minus", name=f"less {name}", size_hint_x=None, width=theme.length.target)
        self.more = Key(icon="plus", name=f"more {name}", size_hint_x=None, width=theme.length.target)
        self.less.bind(on_press=lambda _: self._step(-1))
        self.more.bind(on_press=lambda _: self._step(1))
        for key in (self.less, self.more):
            key.size_hint_y, key.height, key.pos_hint = None, theme.length.target, {"center_y": 0.5}
        put(self, named, self.less, self.figure, self.more)
        for prop in ("count", "least", "most", "text", "note"):
            self.fbind(prop, self._show)
        self._show()

    @staticmethod
    def room(width: float) -> float:
        """How wide its words may be."""
        return width - theme.length.target * (2 + NUMBER_WIDTH_TARGETS) - theme.length.gap * 2.5

    def _step(self, by: int) -> None:
        self.count = min(self.most, max(self.least, self.count + by))

    def _show(self, *_: object) -> None:
        self.label.text, self.badge.text = self.text, self.note
        self.figure.text = str(self.count)
        self.less.disabled, self.more.disabled = self.count <= self.least, self.count >= self.most


# The stepper whose number can be typed


MAX_STEPS_BEFORE_TYPING = 5
"""Above that it is quicker to type than to step, and to choose a word from a list."""


class DialFigure(ButtonBehavior, Drawn, BoxLayout):
    """What is counted over the number; a line under it where it can be typed."""

    shows: ClassVar[tuple[str, ...]] = ("state", "typed")
    typed = BooleanProperty(defaultvalue=False)
    """Whether a touch lets people type it."""

    def __init__(self, **kwargs: Any) -> None:
        self.label = Writing(style="quiet", halign="center", size_hint_y=None, line_height=1.0)
        self.number = Writing(style="digit", halign="center")
        super().__init__(orientation="vertical", padding=(0, theme.length.rim / 2), **kwargs)
        self.label.color = theme.INK
        put(self, self.label, self.number)

    def write(self, label: str, number: str, style: str) -> None:
        """Both texts; a long label takes two lines, beside the number where there is no room above it.

        Where there is none beside it either, the number is small.
        """
        sizes = theme.length
        self.label.text, self.number.text = label, number
        self.label.lines = lines_of(label, max(self.width, sizes.target), bold=False)
        self.label.height = sizes.smallest * (1.15 if self.label.lines == 1 else 2.1)
        wide = across(number, sizes.digit, theme.MONEY) + sizes.gap / 2
        is_low = self.label.lines > 1 and self.height < self.label.height + sizes.digit
        is_beside = is_low and wide < self.width / 2
        self.orientation = "horizontal" if is_beside else "vertical"
        self.number.style = "key" if is_low and not is_beside else style
        self.label.size_hint_y = 1 if is_beside else None
        self.number.size_hint_x, self.number.width = (None, wide) if is_beside else (1, self.width)

    def draw(self) -> None:
        """A line under what can be typed, a dent while it is pressed."""
        if self.typed and self.state == "down":
            fill(theme.PAPER_PRESSED, self.box)
        if self.typed:
            wide = min(self.width * 0.5, theme.length.target)
            foot = (self.center_x - wide / 2, self.y + theme.length.line, wide, theme.length.line)
            rim(theme.BRASS_DARK, foot, theme.length.hair, theme.length.hair)


class Dial(EventMixin, Sheet):
    """`count` from `least` to `most` (None: no end) of what `text` names; `words` stand for 0, 1, 2 ….

    `may_rise` says whether one more is allowed now.
    """

    count = NumericProperty(0)
    by = NumericProperty(1)
    """How much one more is."""
    is_limited = BooleanProperty(defaultvalue=False)
    """Whether the limit is read beside the number."""
    least = NumericProperty(0)
    most = NumericProperty(None, allownone=True)
    text = StringProperty("")
    words = ListProperty()
    __events__ = ("on_type",)  # the number was touched, or one of many words

    def __init__(self, name: str = "", **kwargs: Any) -> None:
        super().__init__(orientation="horizontal", padding=0, spacing=0, **kwargs)
        target = theme.length.target
        self.size_hint_max_y = target * 1.4
        self.less = Key(icon="minus", name=f"less {name}", size_hint_x=None, width=target)
        self.more = Key(icon="plus", name=f"more {name}", size_hint_x=None, width=target)
        self.figure = DialFigure()
        self.figure.name = f"type {name}"
        self.less.bind(on_press=lambda _: self.step(-1))
        self.more.bind(on_press=lambda _: self.step(1))
        self.figure.bind(on_release=lambda figure: figure.typed and self.dispatch("on_type"))
        put(self, self.less, self.figure, self.more)
        self.may_rise = True
        for prop in ("count", "least", "most", "text", "words", "is_limited"):
            self.fbind(prop, self.show)
        self.figure.fbind("size", self.show)
        self.show()

    def step(self, by: int) -> None:
        """One more or one less, within the limits."""
        wanted = self.count + by * self.by
        self.count = max(self.least, wanted if self.most is None else min(self.most, wanted))

    def show(self, *_: object) -> None:
        """Writes everything again."""
        number = str(self.count).replace("-", "−")
        number = f"{number}/{self.most}" if self.is_limited and self.most is not None else number
        word = self.words[self.count] if self.words else ""
        self.figure.write(self.text, word or number, "key" if word else "digit")
        is_long = self.most is None or self.most - self.least > MAX_STEPS_BEFORE_TYPING * self.by
        self.figure.typed = is_long
        self.less.disabled = self.count <= self.least
        self.more.disabled = not self.may_rise or (self.most is not None and self.count >= self.most)
