"""The table while a game is played: whose turn it is, what is asked, what everybody has.

Over 300 lines, because all that stands beside the question shares the room that the question leaves.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from pathlib import Path
from typing import Any

from kivy.app import App
from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import BooleanProperty, ListProperty, ObjectProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.session.view import View
from companion.table.seats import Seat
from companion.words import Say, render
from ui import theme
from ui.asking import asking
from ui.asking.question import Question
from ui.events import Tells
from ui.widgets.drawing.inscribed import across
from ui.widgets.keys.bar import Bar  # noqa: F401 - named in play.kv
from ui.widgets.pieces.common import Common, Piles, common  # noqa: F401 - one named in play.kv
from ui.widgets.seats.strip import Strip, before, of_the_table
from ui.widgets.seats.turn import Turn  # noqa: F401 - named in play.kv
from ui.widgets.sheets.inventory import Inventory
from ui.widgets.sheets.slip import Notes, Refusal

FEW = 3
"""With more notes than these there is no room for the market beside them."""
LINES = 2
"""So many lines of notes stand in the narrow place over a pad; more take the heading's place as well."""
MANY = 9
"""The same over a small question."""
PAUSES = ("pause", "go on")
"""Signs that are in the bar only where there is a clock."""
LARGE, SMALL = 2.2, 1.35
"""Targets that the turn is high."""
Builder.load_file(str(Path(__file__).with_suffix(".kv")))


def level(wanted: Sequence[float], room: float) -> list[float]:
    """What each gets of the room: as much as it wants, or where that is too much, no more than the others."""
    least = max(0.0, room)
    for at, each in enumerate(sorted(wanted)):
        share = least / (len(wanted) - at)
        if each > share:
            return [min(one, share) for one in wanted]
        least -= each
    return list(wanted)


class Play(Tells, BoxLayout):
    """Shows `seen`, a view with an open question; give it a new view and it shows that."""

    seen = ObjectProperty()
    timed = BooleanProperty(defaultvalue=False)
    """Whether the game is played with clocks; `clocks` is what those that count now show."""
    clocks = ListProperty()
    paused = BooleanProperty(defaultvalue=False)
    __events__ = (
        "on_answer",  # n, plain: somebody answered question `n`
        "on_draft",  # n, seat, plain: a seat put its answer to question `n` into its envelope
        "on_roll",  # n: the companion is to roll for question `n`
        "on_take",  # n: the cards that lie there are taken for question `n`
        "on_do",  # name: a sign in the bar was pressed: undo, redo, history, bank, more
        "on_private",  # seat: somebody wants to look at what lies covered before them
    )

    def __init__(self, **kwargs: Any) -> None:
        self.strips: dict[Seat, Strip] = {}
        self.question: Question[Any] | None = None
        self._n = self._touched_n = 0
        self._trays: tuple[list[str], int] = ([], 0)
        self._refused: Say | None = None
        self._missed: Sequence[Say] = ()
        self._shown_at = 0.0
        self._touched = self._answering = (0.0, 0.0)
        super().__init__(**kwargs)
        self.app = App.get_running_app()
        self.common, self.notes, self.refusal = Common(), Notes(), Refusal()
        self.app.bind(lang=self._speak)
        self.bind(seen=lambda *_: self.show(), clocks=self._tell_time)
        self.bind(timed=self._tell_time, paused=self._tell_time)
        self.show()
        self._tell_time()
        self.ids.middle.fbind("height", lambda *_: self._place())
        self.ids.piles.fbind("held", lambda *_: self._write())
        self.ids.seats.fbind("height", lambda *_: self._level())
        self.common.bind(on_look=lambda _: self._look(None))

    def refuse(self, text: Say) -> None:
        """Says near the question why something can't be; goes with the next touch or answer."""
        if self.question is None or not self.question.refuse(render(text, self.app.lang)):
            self._refused = text
            self._say_what_is_wrong()

    def miss(self, *texts: Say) -> None:
        """Says the same of devices that can't be used; goes with the next touch or question too."""
        self._missed = (*self._missed, *texts)
        self._say_what_is_wrong()

    def find(self, *texts: Say) -> None:
        """Of these devices nothing is wrong any more."""
        self._missed = tuple(text for text in self._missed if text not in texts)
        self._say_what_is_wrong()

    def _settle(self) -> None:
        """People have read what is wrong, or have put it right."""
        self._refused, self._missed = None, ()
        self._say_what_is_wrong()

    def _say_what_is_wrong(self) -> None:
        self.refusal.text = self._wrong
        self._place()

    @property
    def _wrong(self) -> str:
        texts = self._missed if self._refused is None else (self._refused,)
        return " ".join(render(text, self.app.lang) for text in texts)

    def show_laid(self, laid: list[str], waiting: int) -> None:
        """Shows the cards laid on a reader for this question, and how many more lie there for it.

        One more was taken: what was said of the one before is settled.
        """
        if len(laid) > len(self._trays[0]):
            self._refused = None
            self._say_what_is_wrong()
        self._trays = laid, waiting
        if self.question is not None:
            self.question.show_laid(laid, waiting)

    def show(self) -> None:
        """Everything again from the view."""
        self._refused = None
        self._ask()
        self._write()

    def _speak(self, *_: object) -> None:
        if self.get_root_window() is not None:
            self._write()

    def _write(self) -> None:
        seen: View = self.seen
        lang = self.app.lang
        ids = self.ids
        ids.bar.enable("undo", can=seen.may_undo)
        ids.bar.enable("redo", can=seen.may_redo or seen.waiting > 0)
        ids.piles.show(seen, lang)
        self.common.show(seen, lang, ids.piles.held)
        self.notes.show([render(note, lang) for note in seen.notes])
        self.refusal.text = self._wrong
        self._seat()
        self._place()

    def _seat(self) -> None:
        """The strips, each as high as there is room for."""
        if tuple(self.strips) != tuple(self.seen.seats):
            self.strips = {seat: Strip(seat) for seat in self.seen.seats}
            self.ids.seats.clear_widgets()
            for strip in self.strips.values():
                strip.bind(on_release=lambda strip: self._look(strip.seat))
                self.ids.seats.add_widget(strip)
            self.ids.seats.add_widget(Widget(size_hint_y=0.001))
        for seat, strip in self.strips.items():
            strip.tell_time(before(self.clocks, seat))
            strip.show(self.seen, self.app.lang)
        self._level()

    def _tell_time(self, *_: object) -> None:
        """On the strips what is before each seat, in the heading the rest."""
        sign = ["go on" if self.paused else "pause"] if self.timed else []
        things = [*sign, *(name for name in self.ids.foot.things if name not in PAUSES)]
        if things != self.ids.foot.things:
            self.ids.foot.things = things
        for seat, strip in self.strips.items():
            strip.tell_time(before(self.clocks, seat))
        self.ids.heading.text = self._heading() if self.ids.heading.height else ""

    def _level(self) -> None:
        """What the strips want at least, as far as there is room."""
        column, strips = self.ids.seats, self.strips.values()
        # The empty last one must get something: Kivy makes it 100 high where nothing is left.
        room = column.height - column.spacing * len(self.strips) - 1
        for strip, height in zip(strips, level([strip.needed for strip in strips], room), strict=True):
            strip.take(height)

    def _look(self, seat: Seat | None) -> None:
        """Everything that lies before a seat, or before nobody."""
        tr, lang = self.app.tr, self.app.lang
        held = common(self.seen) if seat is None else self.seen.before(seat)
        title = tr("On the table") if seat is None else seat.name
        answers = [("close", tr("Close"), "brass")]
        if seat is not None and any(one.count is None for one in held):
            answers.insert(0, ("private", tr("Only for {name}", name=seat.name), "paper"))
        sheet = Inventory(self.seen, held, lang, title=title, answers=answers)
        sheet.bind(
            on_answer=lambda _, answer: self.dispatch("on_private", seat) if answer == "private" else None
        )
        self.app.stage.lay(sheet)

    def _ask(self) -> None:
        """The widget of the open question; the same question keeps its widget and what was begun on it.

        Its number isn't enough to know it by: a game that was played again, as when a seat is renamed, asks
        with another Request, and the old one knows other names and accounts.
        """
        if self.question is not None and self.question.request is self.seen.question:
            self.question.show(self.seen)
            return
        n = self._n = self.seen.n
        self._missed = ()
        if self._renewed():
            return
        self.question = asking(self.seen.question, self.seen)
        self.question.bind(on_answer=lambda _, plain: self._answer(plain))
        if self.question.is_event_type("on_draft"):
            self.question.bind(on_draft=lambda _, seat, plain: self.dispatch("on_draft", n, seat, plain))
        if self.question.is_event_type("on_roll"):
            self.question.bind(on_roll=lambda _: self._answer_with("on_roll"))
        if self.question.is_event_type("on_take"):
            self.question.bind(on_take=lambda _: self._answer_with("on_take"))
        self.question.show_laid(*self._trays)
        self.ids.asking.clear_widgets()
        self.ids.asking.add_widget(self.question)

    def _place(self) -> None:
        """The remark takes what room the question leaves; a roomy question leaves it one line or two."""
        assert self.question is not None
        ids, question = self.ids, self.question
        small = question.size_hint_y is None
        ids.asking.size_hint_y = None if small else 1
        ids.asking.height = question.height if small else 0
        ids.remark.size_hint_y = 1 if small else None
        few = len(self.seen.notes) <= FEW
        crowded = self.notes.rows > (MANY if small else LINES) and not self.refusal.text
        large, tight = self._share(question.height if small else question.least, few=few, crowded=crowded)
        if tight and self.refusal.text:
            ids.turn.hide()
        else:
            ids.turn.show(self.seen, self.app.lang, large=large)
        ids.heading.text = self._heading() if ids.heading.height else ""
        self.notes.lay(lines=small or not crowded)
        things: list[Widget] = [self.refusal] if self.refusal.text else []
        if tight:
            things = things or [Widget()]
        things += [self.notes] if self.notes.texts and (small or not things) else []
        things += [self.common] if not things or (small and few and self.common.things) else []
        ids.remark.clear_widgets()
        for thing in things:
            ids.remark.add_widget(thing)

    def _share(self, needed: float, *, few: bool, crowded: bool) -> tuple[bool, bool]:
        """Shares out what a question of that height leaves: whether its turn is large, the remark left out.

        Where there is no remark, a refusal stands in place of the turn.
        """
        ids, sizes = self.ids, theme.length
        room = ids.middle.height - 3 * ids.middle.spacing - needed
        line, remark = sizes.body * 1.4, sizes.remark * 0.9
        if across(self._heading(), sizes.smallest) > max(ids.middle.width, sizes.target):
            two = sizes.smallest * 2.15
            line = two if room >= two + sizes.target * SMALL + remark else line
        large = ids.asking.size_hint_y is None and few
        large = large and room >= line + sizes.target * LARGE + sizes.remark
        turn = sizes.target * (LARGE if large else SMALL)
        tight = room < line + turn + remark
        ids.heading.height = 0 if crowded or room < line + turn else line
        ids.remark.height = 0 if tight else min(sizes.remark, room - line - turn) + (line if crowded else 0)
        hidden = tight and bool(self.refusal.text)
        ids.turn.height, ids.turn.opacity = (0, 0.0) if hidden else (turn, 1.0)
        if hidden:
            ids.remark.height = turn
        return large, tight

    def _heading(self) -> str:
        lang = self.app.lang
        parts = [render(text, lang) for text in (self.seen.game, self.seen.heading) if text]
        paused = [self.app.tr("time stands still")] if self.paused else []
        return " · ".join([*parts, *of_the_table(self.clocks, lang), *paused])

    def _renewed(self) -> bool:
        """Whether the widget on the screen puts the new question as well."""
        asked, question = self.seen.question, self.question
        return (
            question is not None
            and type(question.request) is type(asked)
            and question.renew(asked, self.seen)
        )

    def _answer(self, plain: object) -> None:
        self._answer_with("on_answer", plain)

    def _answer_with(self, event: str, *plain: object) -> None:
        """A press and its release carry the same number: that of the question under the finger."""
        self._shown_at, self._answering = inf, self._touched
        self.dispatch(event, self._touched_n, *plain)
        # A slow screen takes a while to draw; only from then on can people see where they touch.
        Clock.schedule_once(self._drawn, 0)

    def _drawn(self, _seconds: float) -> None:
        self._shown_at = Clock.get_time()

    def on_touch_down(self, touch: Any) -> bool:
        """Drops the second half of a double touch, which would answer the next question."""
        x, y = self._answering
        near = abs(touch.x - x) + abs(touch.y - y) < theme.length.target
        if near and Clock.get_time() < self._shown_at + theme.TWICE:
            return True
        self._touched, self._touched_n = touch.pos, self._n
        if self.refusal.text:
            self._settle()
        return bool(super().on_touch_down(touch))
