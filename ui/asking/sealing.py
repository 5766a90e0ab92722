"""One envelope on a shared screen: cover, enter, close, pass on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.requests import Request
from companion.session.view import View
from companion.table.seats import Seat
from companion.words import listed, render
from ui import theme
from ui.asking.question import asking, hear_why_not
from ui.events import Tells
from ui.host import running
from ui.widgets.drawing.drawn import Felt
from ui.widgets.drawing.token import Token
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key
from ui.widgets.seats.columns import FEW_SEATS
from ui.widgets.seats.cover import Cover
from ui.widgets.seats.envelope import Envelope


def pass_it_on(app: Any, missing: Sequence[Seat], *, has_room: Callable[[str], bool] = lambda _: True) -> str:
    """Whose envelopes are still open; of many, or where their names have no room, only how many."""
    named = str(
        app.tr("Pass the screen on. Not answered yet: {names}", names=render(listed(missing), app.lang))
    )
    if len(missing) > FEW_SEATS or (len(missing) > 1 and not has_room(named)):
        return str(app.tr("Pass the screen on. {count} players still have to answer.", count=len(missing)))
    return named


class Sealing(Tells, FloatLayout):
    """Asks one seat under cover, with the widget of its part's own kind.

    Whoever hears what is sealed calls `close_envelope` once that is taken.
    """

    __events__ = (
        "on_sealed",  # plain: the answer, as JSON
        "on_close",  # it has taken itself away
    )

    def __init__(self, part: Request[Any], seen: View, seat: Seat, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.part, self.seen, self.seat = part, seen, seat
        self.app = running()
        self._again = any(each.seat == seat and each.closed for each in seen.envelopes)
        self._ending: Any = None
        self._refusal: Writing | None = None
        self._show(self._cover())

    def leave(self) -> None:
        """Takes itself away; the envelope stays as it was."""
        if self._ending is not None:
            self._ending.cancel()
        if self.parent is not None:
            self.parent.remove_widget(self)
            self.dispatch("on_close")

    def close_envelope(self, seal: str, missing: Sequence[Seat]) -> None:
        """The answer is taken: forget it, close the envelope, say who comes next."""
        self.question.forget()
        self.envelope = Envelope(colour=self.seat.colour, name=self.seat.name, seal="", waiting=False)
        self.envelope.flap = 1.0
        self._show(self._closing(missing))
        shut = Animation(flap=0.0, duration=theme.lasting(theme.TURN), t="in_cubic")
        shut.bind(on_complete=lambda *_: setattr(self.envelope, "seal", seal))
        shut.start(self.envelope)
        self._ending = Clock.schedule_once(lambda _: self.leave(), theme.PAUSE)

    def refuse(self, text: str) -> bool:
        """Says on this very screen why the answer can't be, if somebody is entering one."""
        if self._refusal is None or self._ending is not None:
            return False
        self._refusal.text = text
        return True

    def _show(self, *things: Widget) -> None:
        self.clear_widgets()
        for thing in (Felt(), *things):
            self.add_widget(thing)

    def _cover(self) -> Widget:
        hint = self.app.tr("Press here when nobody else is looking.")
        if self._again:
            hint = self.app.tr("Your envelope is sealed. Press to change your answer.")
        cover = Cover(
            colour=self.seat.colour,
            text=self.app.tr("{name}, take the screen", name=self.seat.name),
            hint=hint,
        )
        cover.bind(on_release=lambda _: self._show(self._entering()))
        return cover

    def _entering(self) -> Widget:
        sizes = theme.length
        page = BoxLayout(orientation="vertical", padding=sizes.margin, spacing=sizes.gap)
        head = BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.space)
        back = Key(icon="leave", name="not now", look="felt", size_hint_x=None, width=sizes.bar)
        back.bind(on_release=lambda _: self._not_now())
        head.add_widget(back)
        head.add_widget(Token(colour=self.seat.colour, size_hint_x=None, width=sizes.token))
        text = render(self.part.text, self.app.lang)
        head.add_widget(Writing(text=text, style="question", felt=True, lines=3, line_height=1.0))
        self.question: Any = asking(self.part, self.seen)
        self.question.bind(on_answer=lambda _, plain: self.dispatch("on_sealed", plain))
        hear_why_not(self.question, self.refuse)
        self._refusal = Writing(
            style="body", felt=True, halign="center", size_hint_y=None, height=sizes.body * 1.4
        )
        for part in (head, self.question, self._refusal):
            page.add_widget(part)
        return page

    def _not_now(self) -> None:
        self.question.forget()
        self.leave()

    def _closing(self, missing: Sequence[Seat]) -> Widget:
        sizes = theme.length
        page = BoxLayout(orientation="vertical", padding=sizes.margin, spacing=sizes.gap)
        page.add_widget(self.envelope)
        page.add_widget(
            Writing(
                text=pass_it_on(self.app, missing),
                style="question",
                halign="center",
                felt=True,
                lines=2,
                size_hint_y=0.4,
            )
        )
        return page

    def on_touch_down(self, touch: Any) -> bool:
        """Nothing below can be touched; while the envelope closes, a touch goes on at once.

        What was refused is being put right.
        """
        if self._ending is not None:
            self.leave()
        else:
            self.refuse("")
            super().on_touch_down(touch)
        return True
