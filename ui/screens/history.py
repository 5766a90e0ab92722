"""The history of this game: every event in force as a sentence, the latest first, page by page.

It changes nothing; whoever made it hears which event was touched.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from kivy.app import App
from kivy.core.window import Window
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout

from companion.words import Say, render
from ui import theme
from ui.widgets.drawn import Drawn, fill, paper, rim
from ui.widgets.head import Head
from ui.widgets.inscribed import across
from ui.widgets.pager import Pager
from ui.widgets.writing import Writing

ROWS = 5
ROOM = 1.7
"""Lines that notes fill, at most: the end of the first one is ragged."""


class Line(ButtonBehavior, Drawn, BoxLayout):
    """One sentence with what it led to; `marked` in red: a reveal that was taken back or amended.

    What can't be touched into lies flat on the felt.
    """

    shows: ClassVar[tuple[str, ...]] = ("state", "marked")
    marked = BooleanProperty(defaultvalue=False)
    name = StringProperty("")

    def __init__(self, text: str, notes: str, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="vertical", padding=(gap * 2, gap * 0.4), **kwargs)
        self.add_widget(Writing(text=text, lines=2, line_height=1.0, felt=self.disabled))
        if notes:
            self.add_widget(Writing(text=notes, style="quiet", lines=2, line_height=1.0, felt=self.disabled))
        for child in self.children:
            child.disabled = False

    def draw(self) -> None:
        """Paper to touch, or a dent in the felt."""
        if self.disabled:
            fill(theme.fade(theme.FELT_DARK, 0.55), self.box)
        else:
            down = self.state == "down"
            paper(self.box, theme.length.line, theme.PAPER_PRESSED if down else theme.PAPER)
        if self.marked:
            rim(theme.DANGER, self.box, theme.length.rim)


class Pages(BoxLayout):
    """A page of lines over the table, the latest first. Event: `on_close()`."""

    __events__ = ("on_close",)

    def __init__(self, title: str, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(orientation="vertical", padding=sizes.gap, spacing=sizes.gap, **kwargs)
        self.app = App.get_running_app()
        self.pager = Pager(rows=ROWS, is_apart=True)
        self.pager.back.width = self.pager.on.width = sizes.bar
        head = Head(title, (self.pager.back, self.pager.on))
        head.bind(on_close=lambda _: self.dispatch("on_close"))
        self.nothing = Writing(
            text=self.app.tr(self.app.lang, "Nothing has happened yet."), felt=True, halign="center"
        )
        self.add_widget(head)
        self.add_widget(self.pager)

    def lay(self, lines: Sequence[Line]) -> None:
        """These, oldest first."""
        self.pager.things = list(reversed(lines)) or [self.nothing]

    def said(self, texts: Sequence[Say]) -> str:
        """Several sentences one after the other; how many have no room in two lines is said at the end."""
        shown = [render(text, self.app.lang) for text in texts]
        room = (Window.width - 4 * theme.length.space) * ROOM
        while len(shown) > 1 and across(self._cut(shown, len(texts)), theme.length.smallest) > room:
            shown.pop()
        return self._cut(shown, len(texts))

    def _cut(self, shown: Sequence[str], count: int) -> str:
        more = [f"+{count - len(shown)}"] if count > len(shown) else []
        return "  ".join([*shown, *more])

    def on_close(self) -> None:
        """Back to the table."""


class History(Pages):
    """`show` it everything that happened. Event: `on_event(at)`, its place among those in force."""

    __events__ = ("on_event",)

    def __init__(self, **kwargs: Any) -> None:
        app = App.get_running_app()
        super().__init__(app.tr(app.lang, "History"), **kwargs)

    def show(self, told: Sequence[Any]) -> None:
        """All of it; what has no time is told only, and can't be touched."""
        lines, at = [], 0
        for one in told:
            text, notes = render(one.text, self.app.lang), self.said(one.notes)
            if one.at is None:
                lines.append(Line(text, notes, disabled=True, marked=one.undone))
                continue
            line = Line(text, notes, name=f"event {at}")
            line.bind(on_release=lambda _, at=at: self.dispatch("on_event", at))
            lines.append(line)
            at += 1
        self.lay(lines)

    def on_event(self, at: int) -> None:
        """Somebody wants to change what came `at` in force, counted from 0."""


class Journal(Pages):
    """What moved, thing by thing; corrections are told as they were made."""

    def __init__(self, **kwargs: Any) -> None:
        app = App.get_running_app()
        super().__init__(app.tr(app.lang, "Journal"), **kwargs)

    def show(self, movements: Sequence[Any]) -> None:
        """All that moved anything."""
        moving = [one for one in movements if one.by_hand or one.moves]
        self.lay(
            [Line(render(one.text, self.app.lang), self.said(one.moves), disabled=True) for one in moving]
        )
