"""A round that is open to all: a row for each seat that is asked, filled by one pad or by their own keypads.

What is in stands in its row for everybody. Where there is no room for the rows a key leads to them, over
everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from companion.requests import Together
from companion.session.view import View
from companion.table.seats import Seat
from companion.words import listed
from ui import theme
from ui.asking.question import Question, asking, hear_why_not
from ui.asking.round_sheet import RoundSheet
from ui.pages import Page
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key
from ui.widgets.sheets.head import Head
from ui.widgets.sheets.overlay import Overlay
from ui.widgets.sheets.slip import Refusal

LIKED = 1.2
"""Rows and keys like to be so many times as high as they must be."""


class OverRound(Page):
    """One thing of a round over everything, and why it can't be as it is."""

    def __init__(self, title: str, content: Any, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(padding=(gap, gap / 2), spacing=gap / 2, **kwargs)
        self.refusal = Refusal()
        self.content = content
        self.head = Head(title)
        self.lay_under(self.head, content)

    def refuse(self, text: str) -> None:
        """Until the next touch."""
        self.refusal.text = text
        self.refusal.lay_over(self, self.head.beside)

    def on_touch_down(self, touch: Any) -> bool:
        """What was refused is being put right."""
        return self.refusal.take(touch) or bool(super().on_touch_down(touch))


class OpenRound(Question[Together[Any]]):
    """`show` it each new view of the same question; begun at an answer it gives all of it again at once."""

    __events__ = ("on_draft",)  # seat, plain: one seat's answer as JSON

    def build(self) -> None:
        """The rows, and what stands in their place where there is no room."""
        self._over: Overlay | None = None
        self.sheet = RoundSheet(self.request)
        self.sheet.bind(on_taken=lambda _, seat, plain: self._take(seat, plain))
        self.sheet.bind(on_all=lambda _, plain: self.dispatch("on_answer", plain))
        self.sheet.bind(on_put=lambda _, seat: self._put(seat))
        self.unfold = Key(look="brass", name="unfold", size_hint_y=None, height=theme.length.target)
        self.unfold.bind(on_release=lambda _: self._lay(self.said(self.request.text), self.sheet))
        self.still = Writing(felt=True, halign="center", lines=2)
        self._read(self.seen)

    def show(self, seen: View) -> None:
        """What is in by now."""
        super().show(seen)
        self._read(seen)
        self.speak()

    def _read(self, seen: View) -> None:
        self.sheet.fill({each.seat: each.given[0] for each in seen.envelopes if each.given is not None})

    def begin_at(self, answer: Mapping[Seat, Any]) -> None:
        """Every row as it was answered."""
        parts = self.request.parts
        self.sheet.fill({seat: part.dump(answer[seat]) for seat, part in parts.items()}, at_once=False)
        self.speak()

    def _take(self, seat: Seat, plain: object) -> None:
        """One seat's answer; of a round that was answered before, all of them."""
        if self.sheet.at_once:
            self.dispatch("on_draft", seat, plain)
            return
        values = {**self.sheet.values, seat: plain}
        self.dispatch("on_answer", {str(each.number): values[each] for each in self.request.parts})

    def _put(self, seat: Seat) -> None:
        """What is asked of one seat, where it is no number."""
        part = self.request.parts[seat]
        self.put: Any = asking(part, self.seen)
        self.put.bind(on_answer=lambda _, plain: self._answered(seat, plain))
        hear_why_not(self.put, self.refuse)
        self._lay(f"{seat.name}: {self.said(part.text)}", self.put)

    def _answered(self, seat: Seat, plain: object) -> None:
        self._close()
        self._take(seat, plain)

    def speak(self) -> None:
        """Whose rows are empty, and what the keys do."""
        tr, missing = self.app.tr, self.sheet.missing
        self.sheet.write()
        self.unfold.text = tr("Enter all answers")
        names = self.said(listed(missing)) if missing else ""
        self.still.text = tr("Still missing: {names}", names=names) if missing else ""

    def refuse(self, text: str) -> bool:
        """On the page over everything it is said there."""
        if self._over is None:
            return False
        self._over.content.refuse(text)
        return True

    # Where it stands

    def height_range(self, width: float) -> tuple[float, float]:
        """All rows and the pad, beside or over each other."""
        high = min((high for _, high in self.sheet.layouts(width)), default=self.collapsed_height)
        return high, high * LIKED

    @property
    def collapsed_height(self) -> float:
        """The key that leads to them."""
        return theme.length.target

    def is_too_narrow(self, width: float) -> bool:
        """Whether rows and pad have no room there, however high it is."""
        return not self.sheet.layouts(width)

    def fit(self) -> None:
        """Rows and pad; or the key, where they have no room or lie over everything."""
        has_room = any(high <= self.height + 1 for _, high in self.sheet.layouts(self.width))
        self.clear_widgets()
        if self.sheet.parent is None and has_room:
            self.add_widget(self.sheet)
            return
        if self.height >= theme.length.target + theme.length.body * 2:
            self.add_widget(self.still)
        self.add_widget(self.unfold)

    def _lay(self, title: str, content: Any) -> None:
        """Over everything, until it is answered or the way back taken."""
        self._close()
        page = OverRound(title, content)
        self._over = Overlay(page)
        page.bind(on_close=lambda _: self._close())
        self.app.stage.lay(self._over)

    def _close(self) -> None:
        over, self._over = self._over, None
        if over is not None:
            over.close()
            over.content.remove_widget(over.content.content)
        self.fit()

    def on_parent(self, _widget: object, parent: object) -> None:
        """A question that is taken away takes its page with it."""
        if parent is None:
            self._close()
