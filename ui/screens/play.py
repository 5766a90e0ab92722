"""The play screen: whose turn it is, what is asked, and what everybody has.

The scene of the view says what is shown, a layout in `ui.layouts` where it stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, DictProperty, ListProperty, ObjectProperty, OptionProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.requests import Raise
from companion.rules.scene_views import GridView
from companion.scenes.evaluate import SceneView, evaluate_scene
from companion.session.view import View
from companion.table.seats import Seat
from companion.texts import Say, render
from ui import theme
from ui.events import EventMixin, bind_weak
from ui.host import running_app
from ui.layouts.column import place_refusal
from ui.layouts.flat import arrange_flat, sides_of_seats
from ui.layouts.play_widgets import PlayWidgets
from ui.layouts.standing import arrange_landscape, arrange_upright
from ui.questions import asking
from ui.questions.question import Question
from ui.screens.notices import EventsNotice
from ui.widgets.drawing.containers import Turned
from ui.widgets.drawing.text import Writing, called
from ui.widgets.keys.icon_bar import Bar
from ui.widgets.pieces.middle import TableMiddle
from ui.widgets.seats.clock_face import clock_of_question, clock_of_seat, table_clock_texts
from ui.widgets.seats.panel_changes import NumberChanges
from ui.widgets.seats.panel_columns import PanelColumns
from ui.widgets.seats.player_panel import PlayerPanel, SeatStatus
from ui.widgets.seats.question_banner import QuestionBanner
from ui.widgets.sheets.dialog import Dialog
from ui.widgets.sheets.holdings_dialog import Inventory
from ui.widgets.sheets.messages import Notes, Refusal
from ui.words import rename_seats

BAR_ACTIONS = ("undo", "redo", "history", "bank")
LAYOUTS = ("landscape", "upright", "flat")


class QuestionArea(BoxLayout):
    """Holds the widget with the keys for the answer; it passes on what a layout asks."""

    def height_range(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height at that width."""
        return self.children[0].height_range(width) if self.children else (0.0, 0.0)

    def is_too_narrow(self, width: float) -> bool:
        """Whether the keys would be too narrow at that width."""
        return bool(self.children) and self.children[0].is_too_narrow(width)

    @property
    def compact_height(self) -> float:
        """Least height if only one page of the keys is shown, 0 if that makes no difference."""
        return float(self.children[0].compact_height) if self.children else 0.0

    @property
    def collapsed_height(self) -> float:
        """Least height if one key opens all others on a page of their own, 0 if there is no such page."""
        return float(self.children[0].collapsed_height) if self.children else 0.0


class PlayScreen(EventMixin, Widget):
    """Shows `seen`, a view with an open question; a new view replaces it."""

    seen = ObjectProperty()
    scene = ObjectProperty(None, allownone=True)
    """The game's function that describes its table, or None."""
    timed = BooleanProperty(defaultvalue=False)
    """Whether the game is played with clocks; `clocks` are those that are shown now."""
    clocks = ListProperty()
    paused = BooleanProperty(defaultvalue=False)
    is_demo = BooleanProperty(defaultvalue=False)
    """Whether the game plays by itself."""
    plan = OptionProperty("", options=["", *LAYOUTS])
    """The layout; empty: landscape or upright, as the window is."""
    sides = DictProperty()
    """The sides that people chose around a screen that lies flat: see `ui.layouts.flat`."""
    __events__ = (
        "on_answer",  # n, plain: somebody answered question `n`
        "on_draft",  # n, seat, plain: a seat put its answer to question `n` into its envelope
        "on_roll",  # n: the companion is to roll for question `n`
        "on_take",  # n: the cards that lie there are taken for question `n`
        "on_do",  # name: a sign was pressed: undo, redo, history, bank, more, or the badge of printed values
        "on_private",  # seat: somebody wants to look at what lies covered before them
    )

    def __init__(self, **kwargs: Any) -> None:
        self.panels: dict[Seat, PlayerPanel] = {}
        self.question: Question[Any] | None = None
        self._kept: dict[type, Question[Any]] = {}
        self.laid: SceneView | None = None
        self.happened: EventsNotice | None = None
        self._news_of = 0
        self._columns, self._changes = PanelColumns(), NumberChanges()
        self._n = self._touched_n = 0
        self._trays: tuple[list[str], int] = ([], 0)
        self._refused: Say | None = None
        self._missed: Sequence[Say] = ()
        self._shown_at = 0.0
        self._touched = self._answering = (0.0, 0.0)
        super().__init__(**kwargs)
        self.app = running_app()
        self._plan_soon = Clock.create_trigger(self._place, -1)
        self._build()
        bind_weak(self.app, "lang", self._speak)
        self.bind(seen=lambda *_: self.show_view(), plan=lambda *_: self._write(), sides=self._plan_soon)
        self.bind(timed=self._show_signs, paused=self._show_signs, clocks=self._tell_time)
        for name in ("pos", "size"):
            self.fbind(name, self._plan_soon)
        self._show_signs()
        self.show_view()

    def _build(self) -> None:
        self.bar = Bar(things=[*BAR_ACTIONS, None, "more"], size_hint=(None, None))
        self.heading = Writing(style="body", felt=True, size_hint=(None, None))
        self.turn, self.asking = QuestionBanner(size_hint=(None, None)), QuestionArea(size_hint=(None, None))
        self.notes, self.refusal = Notes(size_hint=(None, None)), Refusal(size_hint=(None, None))
        self.middle = TableMiddle()
        self.bar.bind(on_do=lambda _, name: self.dispatch("on_do", name))
        self.notes.fold.bind(on_release=lambda _: self._open_notes())
        self.middle.bind(on_release=lambda _: self._look_into_the_middle())
        self.turn.bind(on_help=lambda _: self._help())
        self.turn.badge.bind(on_values=lambda _: self.dispatch("on_do", "values"))
        self.across = Turned()
        self.turn_across = QuestionBanner()
        self.across.add_widget(self.turn_across)
        self.centre = Turned()
        self.add_widget(self.centre)
        said = (self.turn, self.notes)
        for part in (self.across, self.bar, self.heading, *said, self.middle, self.asking, self.refusal):
            self.centre.add_widget(part)

    # What is wrong

    def show_refusal(self, text: Say) -> None:
        """Shows near the question why something can't be, until the next touch or answer."""
        if self.question is None or not self.question.refuse(render(text, self.app.lang)):
            self._refused = text
            self._say_what_is_wrong()

    def add_device_warnings(self, *texts: Say) -> None:
        """Shows which devices can't be used, until the next touch or question."""
        self._missed = (*self._missed, *texts)
        self._say_what_is_wrong()

    def remove_device_warnings(self, *texts: Say) -> None:
        """Removes the warnings about devices that work again."""
        self._missed = tuple(text for text in self._missed if text not in texts)
        self._say_what_is_wrong()

    def _settle(self) -> None:
        """Removes refusals and warnings: people have read them or put things right."""
        self._refused, self._missed = None, ()
        self._say_what_is_wrong()

    def _say_what_is_wrong(self) -> None:
        texts = self._missed if self._refused is None else (self._refused,)
        text = " ".join(render(text, self.app.lang) for text in texts)
        if text:
            self._close_notes()  # it would lie over what is wrong
        if text != self.refusal.text:
            self.refusal.text = text
            place_refusal(self._parts())

    # What is shown

    def show_cards_on_reader(self, laid: list[str], waiting: int) -> None:
        """Shows the cards on a reader for this question, and how many more lie there for it.

        One more was taken: what was said of the one before is settled.
        """
        if len(laid) > len(self._trays[0]):
            self._refused = None
            self._say_what_is_wrong()
        self._trays = laid, waiting
        if self.question is not None:
            self.question.show_laid(laid, waiting)

    def show_view(self) -> None:
        """Shows everything again from the view."""
        self._refused = None
        self._ask()
        self._write()

    def _speak(self, *_: object) -> None:
        if self.get_root_window() is not None:
            self._write()

    def _write(self) -> None:
        seen, lang = self.seen, self.app.lang
        self.laid = evaluate_scene(seen, self.scene)
        self.bar.enable("undo", can=seen.may_undo)
        self.bar.enable("redo", can=seen.may_redo or seen.waiting_redo_count > 0)
        self.turn.show_question(seen, lang, is_demo=self.is_demo)
        if self.plan == "flat":
            self.turn_across.show_question(seen, lang, is_demo=self.is_demo)
        self.notes.show([render(note, lang) for note in seen.notes], self.app.tr("What happened"))
        self.middle.lang, self.middle.parts = lang, self.laid.middle
        self._say_what_is_wrong()
        self._seat()
        self._tell_time()
        if self.parent is None:
            self._plan_soon()
        else:  # at once: what is drawn and written before it has its place is drawn and written twice
            self._place(0)

    def _seat(self) -> None:
        """Updates everybody's panel; all panels share their columns."""
        laid, question, lang = self.laid, self.seen.question, self.app.lang
        assert laid is not None
        bids = question.bids if isinstance(question, Raise) else {}
        self._columns.widen(laid.mats, bids.values(), [seat.name for seat in self.seen.seats], lang)
        self._changes.update(self.seen, laid.mats)
        if tuple(self.panels) != tuple(self.seen.seats):
            for panel in self.panels.values():
                self.remove_widget(panel.parent)
            self.panels = {mat.seat: PlayerPanel(mat, self._columns) for mat in laid.mats}
            for panel in self.panels.values():
                panel.bind(on_release=lambda panel: self._look(panel.seat))
                frame = Turned()
                frame.add_widget(panel)
                self.add_widget(frame)
        for mat in laid.mats:
            panel = self.panels[mat.seat]
            panel.mat, panel.lang, panel.status = mat, lang, seat_status(self.seen, mat.seat)
            panel.columns_key, panel.changes = (
                self._columns.layout_key,
                self._changes.by_seat.get(mat.seat, {}),
            )

    def _tell_time(self, *_: object) -> None:
        """Shows the clocks: each seat's on its panel, the question's large, the table's in the heading."""
        for seat, panel in self.panels.items():
            had = panel.dial.clock is None
            panel.dial.clock = clock_of_seat(self.clocks, seat)
            if had != (panel.dial.clock is None):
                panel.columns_key = (*self._columns.layout_key, int(had))
                self._plan_soon()
        asked = self.seen.question
        clock = clock_of_question(self.clocks, asked) if asked is not None else None
        self.turn.clock = self.turn_across.clock = clock
        said = [rename_seats(text, called) for text in (self.seen.game, self.seen.heading) if text]
        parts = [render(text, self.app.lang) for text in said]
        paused = [self.app.tr("clocks stopped")] if self.paused else []
        self.heading.text = " · ".join([*parts, *table_clock_texts(self.clocks, self.app.lang), *paused])

    def _show_signs(self, *_: object) -> None:
        """Shows the key for a pause only in a game with clocks."""
        sign = ["go on" if self.paused else "pause"] if self.timed else []
        things = [*BAR_ACTIONS, None, *sign, "more"]
        if things != self.bar.things:
            self.bar.things = things
        self._tell_time()

    def _place(self, _seconds: float) -> None:
        """Places everything by the layout."""
        edge = theme.length.gap
        box = (self.x + edge / 2, self.y + edge, self.width - 1.5 * edge, self.height - 2 * edge)
        plan = self.plan or ("upright" if self.height > self.width else "landscape")
        parts = self._parts()
        is_upright = self.height > self.width
        around = sides_of_seats(self.seen.seats, self.sides, upright=is_upright) if plan == "flat" else {}
        match plan:
            case "flat":
                arrange_flat(parts, box, around)
            case "upright":
                arrange_upright(parts, box)
            case _:
                arrange_landscape(parts, box)
        place_refusal(parts)
        facing = int(self.centre.quarter)
        self.app.stage.sides, self.app.stage.facing = around, facing
        if self.question is not None:
            self.question.turn({seat: (around.get(seat, facing) - facing) % 4 for seat in self.seen.seats})
        self._show_news()

    def _parts(self) -> PlayWidgets:
        things = (self.across, self.turn, self.notes, self.refusal, self.middle, self.asking)
        return PlayWidgets(self.centre, self.bar, self.heading, *things, list(self.panels.values()))

    def _show_news(self) -> None:
        """Opens once what happened after the last answer if it has no room; after undo it opens nothing."""
        seen = self.seen
        if self._news_of == seen.n:
            return
        self._news_of = seen.n
        self._close_notes()
        if self.notes.is_folded and self.notes.opacity and not seen.may_redo:
            self._open_notes()

    def _open_notes(self) -> None:
        """Opens a sheet with all that happened."""
        self.happened = EventsNotice(self.notes.fold.text, self.notes.texts)
        self.app.stage.show_overlay(self.happened)

    def _close_notes(self) -> None:
        if self.happened is not None:
            self.happened.leave()
            self.happened = None

    def _look_into_the_middle(self) -> None:
        """Opens the score sheet if people write one, else the list of what lies in the middle."""
        assert self.laid is not None
        if any(isinstance(part, GridView) and part.has_amendable_answers for part in self.laid.middle):
            self.dispatch("on_do", "score")
        else:
            self._look(None)

    def _look(self, seat: Seat | None) -> None:
        """Opens the list of everything in front of a seat, or of what belongs to nobody."""
        tr, lang = self.app.tr, self.app.lang
        held = self.seen.common_holdings() if seat is None else self.seen.holdings_of(seat)
        title = tr("On the table") if seat is None else seat.name
        answers = [("close", tr("Close"), "brass")]
        if seat is not None and any(one.count is None for one in held):
            answers.insert(0, ("private", tr("Show only to {name}", name=seat.name), "paper"))
        sheet = Inventory(self.seen, held, lang, title=title, answers=answers)
        sheet.bind(
            on_answer=lambda _, answer: self.dispatch("on_private", seat) if answer == "private" else None
        )
        self.app.stage.show_overlay(sheet)

    def _help(self) -> None:
        """Opens the rule behind the question."""
        text = render(self.seen.help, self.app.lang)
        close = [("close", self.app.tr("Close"), "brass")]
        self.app.stage.show_overlay(Dialog(title=self.turn.what.text, text=text, answers=close))

    # What is asked

    def _ask(self) -> None:
        """Shows the widget of the open question; one question keeps its widget and what was begun on it.

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
        if self.question.is_event_type("on_cant"):
            self.question.bind(on_cant=lambda _, why: self.show_refusal(why))
        if self.question.is_event_type("on_draft"):
            self.question.bind(on_draft=lambda _, seat, plain: self._draft(n, seat, plain))
        if self.question.is_event_type("on_roll"):
            self.question.bind(on_roll=lambda _: self._answer_with("on_roll"))
        if self.question.is_event_type("on_take"):
            self.question.bind(on_take=lambda _: self._answer_with("on_take"))
        self.question.fbind("height", lambda *_: self._plan_soon())
        if self.question.renews:
            self._kept[type(self.seen.question)] = self.question
        self._put()

    def _renewed(self) -> bool:
        """Whether a widget of an earlier question of this kind can show the new one; if so it is shown."""
        kept = self._kept.get(type(self.seen.question))
        if kept is None or not kept.renew(self.seen.question, self.seen):
            return False
        self.question = kept
        self._put()
        return True

    def _put(self) -> None:
        assert self.question is not None
        self.question.show_laid(*self._trays)
        if self.question.parent is not self.asking:
            self.asking.clear_widgets()
            self.asking.add_widget(self.question)

    def _answer(self, plain: object) -> None:
        self._answer_with("on_answer", plain)

    def _draft(self, n: int, seat: Seat, plain: object) -> None:
        """Sends a draft; the last one of a round leads to the next question, as an answer does."""
        self.dispatch("on_draft", n, seat, plain)
        if self._n != n:
            self._await_people()

    def _answer_with(self, event: str, *plain: object) -> None:
        """Sends an answer with the number of the question that was under the finger when it came down."""
        self.dispatch(event, self._touched_n, *plain)
        self._await_people()

    def _await_people(self) -> None:
        """Waits for the next frame: on a slow screen people see only then what they touch."""
        self._shown_at, self._answering = inf, self._touched
        Clock.schedule_once(self._drawn, 0)

    def _drawn(self, _seconds: float) -> None:
        self._shown_at = Clock.get_time()

    def on_touch_down(self, touch: Any) -> bool:
        """Drops the second half of a double touch, which would answer the next question."""
        x, y = self._answering
        near = abs(touch.x - x) + abs(touch.y - y) < theme.length.target
        if near and Clock.get_time() < self._shown_at + theme.DOUBLE_TOUCH_SECONDS:
            return True
        self._touched, self._touched_n = touch.pos, self._n
        if self.refusal.text:
            is_on_it = self.refusal.collide_point(*self.centre.to_local(*touch.pos))
            self._settle()
            if is_on_it:  # what lies below it can't be seen
                return True
        return bool(super().on_touch_down(touch))


def seat_status(seen: View, seat: Seat) -> SeatStatus:
    """Returns a seat's part in the open question."""
    question = seen.question
    sealed = any(each.seat == seat and each.seal for each in seen.envelopes)
    asked = question is not None and seat in question.seats
    away = seat in seen.absent
    if not isinstance(question, Raise):
        return SeatStatus(is_asked=asked, has_sealed=sealed, has_left=away)
    bid, highest = question.bids.get(seat), max(question.bids.values(), default=None)
    gone = question.has_withdrawn(seat)
    return SeatStatus(bid, bid is not None and bid == highest, asked, sealed, gone, away)
