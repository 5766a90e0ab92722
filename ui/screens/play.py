"""The play screen: whose turn it is, the open question, and what everybody has.

The scene of the view says what is shown, a layout in `ui.layouts` says where.
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
from ui.host import get_companion_app
from ui.layouts.column import place_refusal_message
from ui.layouts.flat import arrange_flat_screen, assign_sides
from ui.layouts.play_widgets import PlayWidgets
from ui.layouts.standing import arrange_landscape, arrange_portrait
from ui.questions import make_question_widget
from ui.questions.question import Question
from ui.screens.notices import EventsNotice
from ui.widgets.drawing.containers import RotatedFrame
from ui.widgets.drawing.text import FittedLabel, shorten_name
from ui.widgets.keys.icon_bar import IconBar
from ui.widgets.pieces.middle import TableMiddle
from ui.widgets.seats.clock_face import choose_question_clock, choose_seat_clock, texts_of_clocks_without_seat
from ui.widgets.seats.panel_changes import NumberChanges
from ui.widgets.seats.panel_columns import PanelColumns
from ui.widgets.seats.player_panel import PlayerPanel, SeatStatus
from ui.widgets.seats.question_banner import QuestionBanner
from ui.widgets.sheets.dialog import Dialog
from ui.widgets.sheets.holdings_dialog import HoldingsDialog
from ui.widgets.sheets.messages import CollapsibleMessages, RefusalNotice
from ui.words import replace_seat_names

BAR_ACTIONS = ("undo", "redo", "history", "bank")
LAYOUTS = ("landscape", "upright", "flat")


class QuestionArea(BoxLayout):
    """The area of the play screen in which the question's widget is shown.

    The area passes the layout's size questions on to that widget.
    """

    def height_range(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height at this width."""
        return self.children[0].height_range(width) if self.children else (0.0, 0.0)

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the keys."""
        return bool(self.children) and self.children[0].is_too_narrow(width)

    @property
    def min_compact_height(self) -> float:
        """Returns the minimum height with some parts left out or on other pages.

        0 if that makes no difference.
        """
        return float(self.children[0].min_compact_height) if self.children else 0.0

    @property
    def min_collapsed_height(self) -> float:
        """Returns the minimum height with nearly all parts on another page.

        One key opens that page. 0 if there is no such page.
        """
        return float(self.children[0].min_collapsed_height) if self.children else 0.0


class PlayScreen(EventMixin, Widget):
    """The screen during play, with the open question and everybody's panels.

    `view` says what is shown; a new view replaces it.
    """

    view = ObjectProperty()
    scene_function = ObjectProperty(None, allownone=True)
    """The game's function that describes its table for a view, or None."""
    has_clocks = BooleanProperty(defaultvalue=False)
    """Whether the game is played with clocks; `clocks` are the clocks shown now."""
    clocks = ListProperty()
    is_paused = BooleanProperty(defaultvalue=False)
    is_demo = BooleanProperty(defaultvalue=False)
    """Whether this is a demo, which plays by itself."""
    layout_name = OptionProperty("", options=["", *LAYOUTS])
    """The name of the layout; if empty, landscape or upright, by the shape of the window."""
    side_by_seat = DictProperty()
    """The side of each seat around a screen that lies flat, as people chose: see `ui.layouts.flat`."""
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
        self._reusable_widgets: dict[type, Question[Any]] = {}
        self.scene_view: SceneView | None = None
        self.events_notice: EventsNotice | None = None
        self._news_of = 0
        self._columns, self._changes = PanelColumns(), NumberChanges()
        self._n = self._touched_n = 0
        self._tags_on_reader: tuple[list[str], int] = ([], 0)
        self._refused: Say | None = None
        self._missed: Sequence[Say] = ()
        self._shown_at = 0.0
        self._touched = self._answering = (0.0, 0.0)
        super().__init__(**kwargs)
        self.app = get_companion_app()
        self._plan_soon = Clock.create_trigger(self._place, -1)
        self._build()
        bind_weak(self.app, "lang", self._speak)
        self.bind(
            view=lambda *_: self.show_view(),
            layout_name=lambda *_: self._write(),
            side_by_seat=self._plan_soon,
        )
        self.bind(has_clocks=self._show_signs, is_paused=self._show_signs, clocks=self._tell_time)
        for name in ("pos", "size"):
            self.fbind(name, self._plan_soon)
        self._show_signs()
        self.show_view()

    def _build(self) -> None:
        self.bar = IconBar(icon_names=[*BAR_ACTIONS, None, "more"], size_hint=(None, None))
        self.heading = FittedLabel(style="body", is_on_felt=True, size_hint=(None, None))
        self.turn, self.question_area = (
            QuestionBanner(size_hint=(None, None)),
            QuestionArea(size_hint=(None, None)),
        )
        self.notes, self.refusal = (
            CollapsibleMessages(size_hint=(None, None)),
            RefusalNotice(size_hint=(None, None)),
        )
        self.middle = TableMiddle()
        self.bar.bind(on_do=lambda _, name: self.dispatch("on_do", name))
        self.notes.expand_key.bind(on_release=lambda _: self._open_notes())
        self.middle.bind(on_release=lambda _: self._look_into_the_middle())
        self.turn.bind(on_help=lambda _: self._help())
        self.turn.warning_badge.bind(on_values=lambda _: self.dispatch("on_do", "values"))
        self.across = RotatedFrame()
        self.turn_across = QuestionBanner()
        self.across.add_widget(self.turn_across)
        self.centre = RotatedFrame()
        self.add_widget(self.centre)
        said = (self.turn, self.notes)
        for part in (
            self.across,
            self.bar,
            self.heading,
            *said,
            self.middle,
            self.question_area,
            self.refusal,
        ):
            self.centre.add_widget(part)

    # What is wrong

    def show_refusal(self, text: Say) -> None:
        """Shows near the question why something is refused, until the next touch or answer."""
        if self.question is None or not self.question.try_show_refusal(render(text, self.app.lang)):
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
            place_refusal_message(self._parts())

    # What is shown

    def show_cards_on_reader(self, accepted_tags: list[str], waiting_count: int) -> None:
        """Shows the tags accepted for this question, and how many more cards wait on the reader.

        Another accepted card removes the last refusal.
        """
        if len(accepted_tags) > len(self._tags_on_reader[0]):
            self._refused = None
            self._say_what_is_wrong()
        self._tags_on_reader = accepted_tags, waiting_count
        if self.question is not None:
            self.question.show_tags_on_reader(accepted_tags, waiting_count)

    def show_view(self) -> None:
        """Updates the whole screen from the view."""
        self._refused = None
        self._ask()
        self._write()

    def _speak(self, *_: object) -> None:
        if self.get_root_window() is not None:
            self._write()

    def _write(self) -> None:
        seen, lang = self.view, self.app.lang
        self.scene_view = evaluate_scene(seen, self.scene_function)
        self.bar.set_enabled("undo", is_enabled=seen.may_undo)
        self.bar.set_enabled("redo", is_enabled=seen.may_redo or seen.waiting_redo_count > 0)
        self.turn.show_question(seen, lang, is_demo=self.is_demo)
        if self.layout_name == "flat":
            self.turn_across.show_question(seen, lang, is_demo=self.is_demo)
        self.notes.show_messages([render(note, lang) for note in seen.notes], self.app.tr("What happened"))
        self.middle.lang, self.middle.parts = lang, self.scene_view.middle
        self._say_what_is_wrong()
        self._seat()
        self._tell_time()
        if self.parent is None:
            self._plan_soon()
        else:  # at once: what is drawn and written before it has its place is drawn and written twice
            self._place(0)

    def _seat(self) -> None:
        """Updates everybody's panel; all panels share their columns."""
        laid, question, lang = self.scene_view, self.view.question, self.app.lang
        assert laid is not None
        bids = question.bids if isinstance(question, Raise) else {}
        self._columns.widen_to_fit(laid.mats, bids.values(), [seat.name for seat in self.view.seats], lang)
        self._changes.update(self.view, laid.mats)
        if tuple(self.panels) != tuple(self.view.seats):
            for panel in self.panels.values():
                self.remove_widget(panel.parent)
            self.panels = {mat.seat: PlayerPanel(mat, self._columns) for mat in laid.mats}
            for panel in self.panels.values():
                panel.bind(on_release=lambda panel: self._look(panel.seat))
                frame = RotatedFrame()
                frame.add_widget(panel)
                self.add_widget(frame)
        for mat in laid.mats:
            panel = self.panels[mat.seat]
            panel.mat, panel.lang, panel.status = mat, lang, question_status_of(self.view, mat.seat)
            panel.columns_key, panel.number_changes = (
                self._columns.layout_key,
                self._changes.changes_by_seat.get(mat.seat, {}),
            )

    def _tell_time(self, *_: object) -> None:
        """Shows the clocks: each seat's on its panel, the question's large, the table's in the heading."""
        for seat, panel in self.panels.items():
            had = panel.clock_face.clock is None
            panel.clock_face.clock = choose_seat_clock(self.clocks, seat)
            if had != (panel.clock_face.clock is None):
                panel.columns_key = (*self._columns.layout_key, int(had))
                self._plan_soon()
        asked = self.view.question
        clock = choose_question_clock(self.clocks, asked) if asked is not None else None
        self.turn.clock = self.turn_across.clock = clock
        said = [
            replace_seat_names(text, shorten_name)
            for text in (self.view.game_title, self.view.heading)
            if text
        ]
        parts = [render(text, self.app.lang) for text in said]
        paused = [self.app.tr("clocks stopped")] if self.is_paused else []
        self.heading.text = " · ".join(
            [*parts, *texts_of_clocks_without_seat(self.clocks, self.app.lang), *paused]
        )

    def _show_signs(self, *_: object) -> None:
        """Shows the key for a pause only in a game with clocks."""
        sign = ["go on" if self.is_paused else "pause"] if self.has_clocks else []
        things = [*BAR_ACTIONS, None, *sign, "more"]
        if things != self.bar.icon_names:
            self.bar.icon_names = things
        self._tell_time()

    def _place(self, _seconds: float) -> None:
        """Places everything by the layout."""
        edge = theme.length.gap
        box = (self.x + edge / 2, self.y + edge, self.width - 1.5 * edge, self.height - 2 * edge)
        plan = self.layout_name or ("upright" if self.height > self.width else "landscape")
        parts = self._parts()
        is_upright = self.height > self.width
        around = (
            assign_sides(self.view.seats, self.side_by_seat, is_portrait=is_upright) if plan == "flat" else {}
        )
        match plan:
            case "flat":
                arrange_flat_screen(parts, box, around)
            case "upright":
                arrange_portrait(parts, box)
            case _:
                arrange_landscape(parts, box)
        place_refusal_message(parts)
        facing = int(self.centre.quarter_turns)
        self.app.stage.side_by_seat, self.app.stage.facing_side = around, facing
        if self.question is not None:
            self.question.rotate_toward_seats(
                {seat: (around.get(seat, facing) - facing) % 4 for seat in self.view.seats}
            )
        self._show_news()

    def _parts(self) -> PlayWidgets:
        things = (self.across, self.turn, self.notes, self.refusal, self.middle, self.question_area)
        return PlayWidgets(self.centre, self.bar, self.heading, *things, list(self.panels.values()))

    def _show_news(self) -> None:
        """Opens once what happened after the last answer if it has no room; after undo it opens nothing."""
        seen = self.view
        if self._news_of == seen.question_number:
            return
        self._news_of = seen.question_number
        self._close_notes()
        if self.notes.is_collapsed and self.notes.opacity and not seen.may_redo:
            self._open_notes()

    def _open_notes(self) -> None:
        """Opens a sheet with all that happened."""
        self.events_notice = EventsNotice(self.notes.expand_key.text, self.notes.texts)
        self.app.stage.show_overlay(self.events_notice)

    def _close_notes(self) -> None:
        if self.events_notice is not None:
            self.events_notice.close()
            self.events_notice = None

    def _look_into_the_middle(self) -> None:
        """Opens the score sheet if the game has one, else the list of the pieces in the middle."""
        assert self.scene_view is not None
        if any(isinstance(part, GridView) and part.has_amendable_answers for part in self.scene_view.middle):
            self.dispatch("on_do", "score")
        else:
            self._look(None)

    def _look(self, seat: Seat | None) -> None:
        """Opens the list of everything in front of a seat, or of what belongs to nobody."""
        tr, lang = self.app.tr, self.app.lang
        held = self.view.common_holdings() if seat is None else self.view.holdings_of(seat)
        title = tr("On the table") if seat is None else seat.name
        answers = [("close", tr("Close"), "brass")]
        if seat is not None and any(one.count is None for one in held):
            answers.insert(0, ("private", tr("Show only to {name}", name=seat.name), "paper"))
        sheet = HoldingsDialog(self.view, held, lang, title=title, answers=answers)
        sheet.bind(
            on_answer=lambda _, answer: self.dispatch("on_private", seat) if answer == "private" else None
        )
        self.app.stage.show_overlay(sheet)

    def _help(self) -> None:
        """Opens the rule behind the question."""
        text = render(self.view.help_text, self.app.lang)
        close = [("close", self.app.tr("Close"), "brass")]
        self.app.stage.show_overlay(Dialog(title=self.turn.question_label.text, text=text, answers=close))

    # What is asked

    def _ask(self) -> None:
        """Shows the widget of the open question; one question keeps its widget and what was begun on it.

        Its number isn't enough to know it by: a game that was played again, as when a seat is renamed, asks
        with another Request, and the old one knows other names and accounts.
        """
        if self.question is not None and self.question.request is self.view.question:
            self.question.show_newer_view(self.view)
            return
        n = self._n = self.view.question_number
        self._missed = ()
        if self._reuse_widget():
            return
        self.question = make_question_widget(self.view.question, self.view)
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
        if self.question.is_reusable:
            self._reusable_widgets[type(self.view.question)] = self.question
        self._put()

    def _reuse_widget(self) -> bool:
        """Reuses the widget of an earlier question of this kind, if possible; returns whether it did."""
        kept = self._reusable_widgets.get(type(self.view.question))
        if kept is None or not kept.reuse_for(self.view.question, self.view):
            return False
        self.question = kept
        self._put()
        return True

    def _put(self) -> None:
        assert self.question is not None
        self.question.show_tags_on_reader(*self._tags_on_reader)
        if self.question.parent is not self.question_area:
            self.question_area.clear_widgets()
            self.question_area.add_widget(self.question)

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
        """Handles a touch, and drops the second of a double touch.

        The second would answer the next question.
        """
        x, y = self._answering
        near = abs(touch.x - x) + abs(touch.y - y) < theme.length.target
        if near and Clock.get_time() < self._shown_at + theme.IGNORED_DOUBLE_TOUCH_SECONDS:
            return True
        self._touched, self._touched_n = touch.pos, self._n
        if self.refusal.text:
            is_on_it = self.refusal.collide_point(*self.centre.to_local(*touch.pos))
            self._settle()
            if is_on_it:  # what lies below it can't be seen
                return True
        return bool(super().on_touch_down(touch))


def question_status_of(view: View, seat: Seat) -> SeatStatus:
    """Returns a seat's status in the open question: bid, highest, asked, sealed, withdrawn, away."""
    question = view.question
    sealed = any(each.seat == seat and each.seal for each in view.envelopes)
    asked = question is not None and seat in question.seats
    away = seat in view.absent_seats
    if not isinstance(question, Raise):
        return SeatStatus(is_asked=asked, has_sealed=sealed, has_left=away)
    bid, highest = question.bids.get(seat), max(question.bids.values(), default=None)
    gone = question.has_withdrawn(seat)
    return SeatStatus(bid, bid is not None and bid == highest, asked, sealed, gone, away)
