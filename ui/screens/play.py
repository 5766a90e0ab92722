"""The play screen: whose turn it is, the open question, and what everybody has.

The scene of the view says what is shown, a layout in `ui.layouts` says where.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from math import inf
from typing import Any, NamedTuple

from kivy.clock import Clock
from kivy.properties import BooleanProperty, DictProperty, ListProperty, ObjectProperty, OptionProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.half_numbers import WholeOrHalf
from companion.requests import Raise
from companion.rules.scene_views import GridView, MatView
from companion.scenes import SceneView, evaluate_scene
from companion.session.view import Holding, View
from companion.session.view_changes import PublicMove
from companion.table.outcomes import Outcome
from companion.table.seats import Seat
from companion.texts import Say, render, say_people
from ui import theme
from ui.events import EventMixin, bind_weak
from ui.host import get_companion_app
from ui.layouts.column import place_messages
from ui.layouts.flat import arrange_flat_screen, assign_sides
from ui.layouts.play_widgets import PlayWidgets
from ui.layouts.standing import arrange_landscape_screen, arrange_portrait_screen
from ui.pages import DialogChoice, Page, open_dialog, open_full_screen_dialog, open_page
from ui.questions import make_question_widget
from ui.questions.question import QuestionWidget
from ui.screens.undone import UndoneMessage
from ui.screens.visible_money import VisibleMoney
from ui.widgets.drawing.containers import RotatedFrame, add_children
from ui.widgets.drawing.surfaces import Box, redraw_below
from ui.widgets.drawing.text import FittedLabel, shorten_name
from ui.widgets.keys.icon_bar import SOUND_ICONS, IconBar
from ui.widgets.keys.pager import Pager
from ui.widgets.pieces.glyph import MarkWidget
from ui.widgets.pieces.laid import select_holdings_to_show
from ui.widgets.pieces.marks import BadgeMark, Mark, PieceMark, StackMark
from ui.widgets.pieces.middle import TableMiddle
from ui.widgets.pieces.things import SOLID_PIECE_LOOKS, use_pieces_of_game
from ui.widgets.pieces.worded import MAX_STACK_SHOWN_PIECE_BY_PIECE, make_holding_mark, piece_letter
from ui.widgets.seats.clock_face import choose_question_clock, choose_seat_clock, texts_of_clocks_without_seat
from ui.widgets.seats.heading_line import HeadingLine
from ui.widgets.seats.panel_columns import PanelColumns
from ui.widgets.seats.player_panel import PlayerPanel, SeatQuestionStatus
from ui.widgets.seats.question_banner import QuestionBanner
from ui.widgets.sheets.messages import CollapsibleMessages, RefusalNotice, UndoneNotice
from ui.widgets.sheets.opposite_headline import OppositeHeadline
from ui.widgets.sheets.overlays import EventsNotice, make_turn_key
from ui.widgets.sheets.result_card import CardRooms, ResultCard, find_gains
from ui.words import render_sentence, replace_seat_names

BAR_ACTIONS = ("undo", "redo", "history", "bank")
LAYOUT_NAMES = ("landscape", "upright", "flat")
FIRST_PANEL_KEY = "first player panel"
"""Key under which a touch keeps the panel on which the finger came down."""


class OutcomeChanges(NamedTuple):
    """What changed when some outcomes were new: moved pieces, and numbers on panels."""

    outcomes: Sequence[Outcome]
    moves: Sequence[PublicMove]
    mats: Sequence[MatView]
    number_changes_by_seat: Mapping[Seat, Mapping[int, WholeOrHalf]]


NO_OUTCOME_CHANGES = OutcomeChanges((), (), (), {})


class AnswerArea(BoxLayout):
    """The area of the play screen in which the question's widget is shown.

    A layout asks the area for its sizes; the area answers with the sizes of that widget.
    """

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height at this width."""
        return self.children[0].min_and_preferred_height(width) if self.children else (0.0, 0.0)

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the keys."""
        return bool(self.children) and self.children[0].is_too_narrow(width)

    @property
    def outranks_notes(self) -> bool:
        """Returns whether the notes of what happened shrink to a line before keys go to another page."""
        return bool(self.children) and bool(self.children[0].outranks_notes)

    @property
    def min_compact_height(self) -> float:
        """Returns the minimum height with some parts left out or on other pages.

        Returns 0 if the widget can't be made lower so.
        """
        return float(self.children[0].min_compact_height) if self.children else 0.0

    @property
    def min_collapsed_height(self) -> float:
        """Returns the minimum height with nearly all parts on another page, which one key opens.

        Returns 0 if there is no such page.
        """
        return float(self.children[0].min_collapsed_height) if self.children else 0.0

    @property
    def belongs_on_one_page(self) -> bool:
        """Returns whether a key on another page is worse than parts of the middle left out."""
        return bool(self.children) and bool(self.children[0].belongs_on_one_page)

    def page_count_at(self, width: float, height: float) -> int:
        """Returns the number of pages of keys at this size."""
        return int(self.children[0].page_count_at(width, height)) if self.children else 1

    @property
    def wanted_sizes(self) -> tuple[object, ...]:
        """Returns what a layout asks the area at its present width."""
        return (
            self.min_and_preferred_height(self.width),
            self.is_too_narrow(self.width),
            self.outranks_notes,
            self.min_compact_height,
            self.min_collapsed_height,
        )


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
    layout_name = OptionProperty("", options=["", *LAYOUT_NAMES])
    """The name of the layout; if empty, landscape or upright, by the shape of the window."""
    side_by_seat = DictProperty()
    """The side of each seat around a screen that lies flat, as people chose: see `ui.layouts.flat`."""
    is_round_upcoming = BooleanProperty(defaultvalue=False)
    """Whether the view shows the next round, while the menu that opens it is the open question."""
    has_menu_behind = BooleanProperty(defaultvalue=False)
    """Whether a key leads from the round to the menu that opens it."""
    can_pay_from = ObjectProperty(lambda _seat: False)
    """Function that says whether people may pay from a seat to others now."""
    is_restoring = False
    """Whether the next view restores what was on the table, or plays it again: it announces nothing."""
    _is_upcoming_round_shown = False
    _placed_sizes: tuple[object, ...] = ()
    """What the question's widget wanted when everything was placed."""
    _question_drawn_at = 0.0
    _outcomes_known_for = 0
    _outcome_changes = NO_OUTCOME_CHANGES
    __events__ = (
        "on_answer",  # n, plain: somebody answered question `n`
        "on_seat_answer",  # n, seat, plain: a seat put its answer to question `n` into its envelope
        "on_roll",  # n: people let the companion roll for question `n`
        "on_use_reader_cards",  # n: people answer question `n` with the cards on the reader
        "on_menu",  # people want the menu instead of the round
        "on_icon_press",  # name: people pressed an icon such as undo, or the badge of printed values
        "on_put_back",  # count: people put back that many steps, which were just undone
        "on_private",  # seat: a player looks at their covered pieces
        "on_pay",  # seat: people want to pay from this seat
        "on_pay_page",  # answer: people want to pay, or `answer()` the question; returns True if they can
        "on_drag_between_panels",  # payer, payee: people drag from one panel to another
    )

    def __init__(self, **kwargs: Any) -> None:
        self.panels: dict[Seat, PlayerPanel] = {}
        self.question_widget: QuestionWidget[Any] | None = None
        self._reusable_widgets: dict[type, QuestionWidget[Any]] = {}
        self.scene_view: SceneView | None = None
        self.events_notice: EventsNotice | ResultCard | None = None
        self._is_result_due = False
        self._columns = PanelColumns()
        self._notes_shown_for = self._n = self._touched_n = 0
        self._tags_on_reader: tuple[list[str], int] = ([], 0)
        self._refusal_text: Say | None = None
        self._device_warnings: Sequence[Say] = ()
        self._last_touch_pos = self._answer_touch_pos = (0.0, 0.0)
        super().__init__(**kwargs)
        self.app = get_companion_app()
        self._arrange_soon = Clock.create_trigger(self._place, -1)
        self._build()
        self._money = VisibleMoney(self.app.stage, self, self._parts)
        self._undone_message = UndoneMessage(
            self.undone, lambda: place_messages(self._parts()), lambda: bool(self.refusal.text)
        )
        bind_weak(self.app, "lang", self._update_language)
        bind_weak(self.app, "is_sound_on", self._show_bar_icons)
        bind_weak(self.app.stage, "has_overlay", self._show_result_soon)
        self.bind(
            view=lambda *_: self.show_view(),
            layout_name=lambda *_: self._update_widgets(),
            side_by_seat=self._arrange_soon,
            has_clocks=self._show_bar_icons,
            is_paused=self._show_bar_icons,
            clocks=self._show_clocks,
        )
        for name in ("pos", "size"):
            self.fbind(name, self._arrange_soon)
        self._show_bar_icons()
        self.show_view()

    def _build(self) -> None:
        self.bar = IconBar(icon_names=[], size_hint=(None, None))
        self.heading = HeadingLine()
        self.question_banner = QuestionBanner(size_hint=(None, None))
        self.question_area = AnswerArea(size_hint=(None, None))
        self.notes = CollapsibleMessages(size_hint=(None, None))
        self.refusal = RefusalNotice(size_hint=(None, None))
        self.undone = UndoneNotice(size_hint=(None, None))
        self.middle = TableMiddle()
        self.bar.bind(on_icon_press=lambda _, name: self._handle_icon_press(name))
        self.notes.messages_key.bind(on_release=lambda _: self._open_notes())
        self.notes.expand_key.bind(on_release=lambda _: self._open_notes())
        self.middle.bind(on_release=lambda _: self._open_middle())
        self.undone.put_back_key.bind(on_release=lambda _: self._put_back())
        self.question_banner.bind(on_help=lambda _: self._open_help())
        for badge in (self.heading.warning_badge, self.question_banner.warning_badge):
            badge.bind(on_open_provisional_values=lambda _: self.dispatch("on_icon_press", "values"))
        self.opposite_frame = RotatedFrame()
        self.opposite_banner = QuestionBanner(is_warning_elsewhere=True)
        self.opposite_frame.add_widget(self.opposite_banner)
        self.opposite_notes = OppositeHeadline()
        self.centre = RotatedFrame()
        self.add_widget(self.centre)
        for part in (
            self.opposite_frame,
            self.opposite_notes,
            self.bar,
            self.heading,
            self.question_banner,
            self.notes,
            self.middle,
            self.question_area,
            self.undone,
            self.refusal,
        ):
            self.centre.add_widget(part)

    # Refusals and warnings

    def show_refusal(self, text: Say) -> None:
        """Shows near the question why something is refused, until the next touch or answer."""
        if self.question_widget is None or not self.question_widget.try_show_refusal(
            render(text, self.app.lang)
        ):
            self._refusal_text = text
            self._show_problems()

    def add_device_warnings(self, *texts: Say) -> None:
        """Shows which devices can't be used, until the next touch or question."""
        self._device_warnings = (*self._device_warnings, *texts)
        self._show_problems()

    def remove_device_warnings(self, *texts: Say) -> None:
        """Removes the warnings about devices that work again."""
        self._device_warnings = tuple(text for text in self._device_warnings if text not in texts)
        self._show_problems()

    def _clear_refusals(self) -> None:
        """Removes refusals and warnings: people have read them or put things right."""
        self._refusal_text, self._device_warnings = None, ()
        self._show_problems()

    def _show_problems(self) -> None:
        texts = self._device_warnings if self._refusal_text is None else (self._refusal_text,)
        text = " ".join(render(text, self.app.lang) for text in texts)
        if text:
            self._close_notes()  # the notice would cover the refusal
        if text != self.refusal.text:
            self.refusal.text = text
            place_messages(self._parts())

    def show_undone(self, texts: Sequence[Say]) -> None:
        """Shows for a moment what was undone, the last step first, and offers to put it back."""
        self._undone_message.show(texts if self.view.may_redo else ())

    def _put_back(self) -> None:
        count = self._undone_message.undone_count
        self._undone_message.clear()
        self.dispatch("on_put_back", count)

    # The view

    def show_cards_on_reader(self, accepted_tags: list[str], waiting_count: int) -> None:
        """Shows the tags accepted for this question, and how many more cards wait on the reader.

        Another accepted card removes the last refusal.
        """
        if len(accepted_tags) > len(self._tags_on_reader[0]):
            self._refusal_text = None
            self._show_problems()
        self._tags_on_reader = accepted_tags, waiting_count
        if self.question_widget is not None:
            self.question_widget.show_tags_on_reader(accepted_tags, waiting_count)

    def show_view(self) -> None:
        """Updates the whole screen from the view."""
        use_pieces_of_game(holding.piece for holding in self.view.holdings)
        self._refusal_text = None
        if not self.view.may_redo:
            self._undone_message.clear()
        self._money.compare_views(self.view, is_restored=self._is_view_restored)
        self._show_question()
        if self.question_widget is not None and self.question_widget.is_event_type("on_menu"):
            self.question_widget.has_menu_key = self.has_menu_behind
        self._update_widgets()

    @property
    def _is_view_restored(self) -> bool:
        """Whether the view restores what was on the table, so that nothing is announced."""
        return self.is_restoring or self.view.may_redo

    def forget_last_view(self) -> None:
        """Forgets the last view, so that the next one, of another game, shows nothing as a change."""
        self._notes_shown_for = 0
        self._outcomes_known_for, self._outcome_changes = 0, NO_OUTCOME_CHANGES
        self._money.forget_last_view()

    def _update_language(self, *_: object) -> None:
        if self.get_root_window() is not None:
            self._update_widgets()

    def _update_widgets(self) -> None:
        view, lang = self.view, self.app.lang
        self.scene_view = evaluate_scene(view, self.scene_function)
        self.bar.set_enabled("undo", is_enabled=view.may_undo)
        self.bar.set_enabled("redo", is_enabled=view.may_redo or view.waiting_redo_count > 0)
        self.heading.show_warning(view, lang, is_demo=self.is_demo)
        is_flat, widget = self.layout_name == "flat", self.question_widget
        if is_flat != theme.is_read_from_all_sides:
            theme.is_read_from_all_sides = is_flat
            redraw_below(self)
        takes_answers_at_panels = is_flat and widget is not None and widget.takes_answers_at_panels
        hint = self.app.tr("Touch your own panel.") if takes_answers_at_panels else ""
        for banner in (self.question_banner, *([self.opposite_banner] if is_flat else [])):
            banner.show_question(view, lang, is_demo=self.is_demo, hint=hint)
        self._show_notes()
        parts: Sequence[Any] = self.scene_view.middle_parts
        if self.question_widget is not None:
            parts = self.question_widget.take_parts_of_middle(parts)
        self.middle.lang, self.middle.parts = lang, tuple(parts)
        self._show_problems()
        self._undone_message.write()
        self._update_panels()
        self._show_clocks()
        if self.parent is None:
            self._arrange_soon()
        else:  # at once: a widget that gets its place later is drawn and written twice
            self._place(0)

    def _show_notes(self) -> None:
        """Shows what happened: what no note says, then the notes.

        Where they have no room, less is said: beside what has been decided not who answered, and after a
        correction not the answer before it, which was shown until then.
        """
        view, lang = self.view, self.app.lang
        notes = [render_sentence(note, lang) for note in (*view.earlier_notes, *view.notes)]
        texts = [render_sentence(step.text, lang) for step in view.untold_steps]
        headline = texts[0] if texts else ""
        if view.outcomes:
            headline = render_sentence(view.outcomes[-1].headline, lang)
        shorter_texts = [notes] if view.outcomes else [texts[:1]] if texts and not notes else []
        self.notes.show_messages(
            [*texts, *notes],
            self.app.tr("What happened"),
            headline,
            shorter_texts,
            is_more_to_open=bool(view.outcomes),
        )
        self.notes.is_shown_elsewhere = not notes and all(step.is_open_bid for step in view.untold_steps)
        short_texts = [] if self.notes.is_shown_elsewhere else [headline, *notes]
        self.opposite_notes.label.text = next((text for text in short_texts if text), "")

    def _update_panels(self) -> None:
        """Updates everybody's panel; all panels share their columns."""
        scene_view, question, lang = self.scene_view, self.view.question, self.app.lang
        assert scene_view is not None
        bids = question.bids if isinstance(question, Raise) else {}
        names = [seat.name for seat in self.view.seats]
        self._columns.widen_to_fit(
            scene_view.mats, bids.values(), names, lang, are_details_omitted=self.layout_name == "flat"
        )
        self._money.compare_numbers(self.view, scene_view.mats, is_restored=self._is_view_restored)
        self._keep_changes_of_outcomes(scene_view.mats)
        if tuple(self.panels) != tuple(self.view.seats):
            for panel in self.panels.values():
                self.remove_widget(panel.parent)
            self.panels = {mat.seat: PlayerPanel(mat, self._columns) for mat in scene_view.mats}
            for panel in self.panels.values():
                panel.bind(on_release=lambda panel: self._handle_panel_touch(panel.seat))
                panel.bind(cue_text=self._show_cue_texts, has_room_for_cue=self._show_cue_texts)
                frame = RotatedFrame()
                frame.add_widget(panel)
                self.add_widget(frame)
        for mat in scene_view.mats:
            panel = self.panels[mat.seat]
            panel.mat, panel.lang = mat, lang
            panel.status = question_status_of(self.view, mat.seat)
            must_answer = panel.status.is_asked and not panel.status.has_answered
            panel.cue_text = self._cue_text() if must_answer else ""
            panel.columns_key = self._columns.layout_key
            panel.number_changes = self._money.number_changes_of(mat.seat)

    def _show_cue_texts(self, *_: object) -> None:
        """Shows the words of the cues if all panels with a cue have room for them; else only the signs."""
        with_cue = [panel for panel in self.panels.values() if panel.cue_text]
        for panel in self.panels.values():
            panel.shows_cue_text = all(each.has_room_for_cue for each in with_cue)

    def _cue_text(self) -> str:
        """Returns what the panel of each player who still must answer says.

        Only a panel of a screen that lies flat says it: there no other text faces every player.
        """
        question, widget, tr = self.view.question, self.question_widget, self.app.tr
        if self.layout_name != "flat" or question is None or widget is None:
            return ""
        if question.is_sealed:
            return str(tr("answer"))
        return str(tr("Touch here")) if widget.takes_answers_at_panels else ""

    def _keep_changes_of_outcomes(self, mats: Sequence[MatView]) -> None:
        """Keeps what changed when the outcomes were new, so that their card shows the same gains later."""
        view, kept = self.view, self._outcome_changes
        is_new = self._outcomes_known_for != view.question_number
        self._outcomes_known_for = view.question_number
        if kept.outcomes != view.outcomes or (is_new and not self._is_view_restored):
            self._outcome_changes = OutcomeChanges(
                view.outcomes, self._money.moves, mats, self._money.changes_by_seat
            )

    def _show_clocks(self, *_: object) -> None:
        """Shows the clocks: each seat's on its panel, the question's large, the table's in the heading."""
        for seat, panel in self.panels.items():
            had_no_clock = panel.clock_face.clock is None
            panel.clock_face.clock = choose_seat_clock(self.clocks, seat)
            if had_no_clock != (panel.clock_face.clock is None):
                panel.columns_key = (*self._columns.layout_key, int(had_no_clock))
                self._arrange_soon()
        question = self.view.question
        clock = choose_question_clock(self.clocks, question) if question is not None else None
        self.question_banner.clock = self.opposite_banner.clock = clock
        if self.question_widget is not None:
            self.question_widget.show_clock(clock)
        parts = [
            render(replace_seat_names(text, shorten_name), self.app.lang)
            for text in (self.view.game_title, self.view.heading)
            if text
        ]
        parts += texts_of_clocks_without_seat(self.clocks, self.app.lang)
        if self.is_paused:
            parts.append(self.app.tr("clocks stopped"))
        self.heading.text = " · ".join(parts)

    def _handle_icon_press(self, name: str) -> None:
        if name in SOUND_ICONS:
            self.app.toggle_sounds()
        else:
            self.dispatch("on_icon_press", name)

    def _show_bar_icons(self, *_: object) -> None:
        """Shows whether sound is on, and the key for a pause only in a game with clocks."""
        pause = ["go on" if self.is_paused else "pause"] if self.has_clocks else []
        sound, muted = SOUND_ICONS
        icon_names = [*BAR_ACTIONS, None, sound if self.app.is_sound_on else muted, *pause, "more"]
        if icon_names != self.bar.icon_names:
            self.bar.icon_names = icon_names
        self._show_clocks()

    def _place(self, _seconds: float) -> None:
        """Places everything by the layout."""
        edge = theme.length.gap
        box = (self.x + edge / 2, self.y + edge, self.width - 1.5 * edge, self.height - 2 * edge)
        is_upright = self.height > self.width
        layout = self.layout_name or ("upright" if is_upright else "landscape")
        parts = self._parts()
        side_by_seat: dict[Seat, int] = {}
        match layout:
            case "flat":
                side_by_seat = assign_sides(self.view.seats, self.side_by_seat, is_portrait=is_upright)
                arrange_flat_screen(parts, box, side_by_seat)
            case "upright":
                arrange_portrait_screen(parts, box)
            case _:
                arrange_landscape_screen(parts, box)
        self._placed_sizes = self.question_area.wanted_sizes
        place_messages(parts)
        facing = int(self.centre.quarter_turns)
        self.app.stage.side_by_seat, self.app.stage.facing_side = side_by_seat, facing
        if self.question_widget is not None:
            self.question_widget.rotate_toward_seats(
                {seat: (side_by_seat.get(seat, facing) - facing) % 4 for seat in self.view.seats}
            )
        self._open_collapsed_notes()

    def _place_if_unfitting(self, seconds: float) -> None:
        """Places everything again if the question's widget wants other sizes now than when it was placed.

        Its height mostly changes because it was placed, and a layout takes long.
        """
        if self.question_area.wanted_sizes != self._placed_sizes:
            self._place(seconds)

    def _parts(self) -> PlayWidgets:
        return PlayWidgets(
            central_frame=self.centre,
            bar=self.bar,
            heading=self.heading,
            opposite_question=self.opposite_frame,
            opposite_notes=self.opposite_notes,
            question=self.question_banner,
            notes=self.notes,
            refusal=self.refusal,
            undone=self.undone,
            middle=self.middle,
            answer_widget=self.question_area,
            panels=list(self.panels.values()),
        )

    def _open_collapsed_notes(self) -> None:
        """Opens the notes once for each question if they have no room, unless the view is restored.

        They don't cover the sheet of the next round, which people want to see at once.
        What has been decided covers the table for a moment even if there is room, unless a reveal shows it.
        """
        view, is_first = self.view, not self._notes_shown_for
        if self._notes_shown_for == view.question_number:
            return
        self._notes_shown_for = view.question_number
        self._close_notes()
        self._is_result_due = False
        if self._is_view_restored:
            return
        is_shown_briefly = bool(view.outcomes) and view.opened_envelopes is None
        is_unread = (
            bool(view.notes) and self.notes.is_collapsed and bool(self.notes.opacity) and not is_shown_briefly
        )
        if is_unread and not self.is_round_upcoming:
            self._open_notes()
        else:
            self._is_result_due = is_shown_briefly and not is_first
            self._show_result_if_uncovered()

    def _show_result_soon(self, *_: object) -> None:
        """Shows in the next frame what has been decided: by then another screen may be on the stage."""
        if self._is_result_due:
            Clock.schedule_once(self._show_result_if_uncovered, 0)

    def _show_result_if_uncovered(self, *_: object) -> None:
        """Shows for a moment what has just been decided, unless something else covers the table."""
        is_shown = self.get_root_window() is not None
        if self._is_result_due and is_shown and not self.app.stage.has_overlay:
            self._is_result_due = False
            self._open_notes(theme.RESULT_CARD_SECONDS)

    def _open_notes(self, seconds: float | None = None) -> None:
        """Opens a notice with all notes of what happened, for some seconds or until a touch."""
        view, lang = self.view, self.app.lang
        turn = self.app.stage.turn_to_opposite_side if self.layout_name == "flat" else None
        if view.outcomes:
            changes = self._outcome_changes
            gains = find_gains(changes.moves, changes.mats, changes.number_changes_by_seat, lang)
            self.events_notice = ResultCard(
                view.outcomes,
                self.notes.texts,
                list(gains),
                self.app.stage.next_page_size,
                lang,
                seconds,
                leader_text=self._leader_text(),
                rooms=None if seconds is None else self._rooms_beside_question(),
                open_all=self._open_notes,
                turn=turn,
            )
        else:
            title, page_size = self.app.tr("What happened"), self.app.stage.next_page_size
            self.events_notice = EventsNotice(title, self.notes.texts, page_size, turn=turn)
        self.app.stage.show_overlay(self.events_notice)

    def _rooms_beside_question(self) -> CardRooms:
        """Returns the boxes on a page in which a card leaves the question readable, the best first.

        The first one leaves the keys free, too; the next ones of a standing screen cover panels, those after
        them the keys. The last one is the whole page, for what fits nowhere else.
        """
        stage, question, answer, gap = (
            self.app.stage,
            self.question_banner,
            self.question_area,
            theme.length.gap / 2,
        )
        x, y = stage.point_on_next_page(*self.centre.to_parent(0, 0))
        page_width, page_height = stage.next_page_size
        is_one_column = answer.x < question.right
        left = gap if is_one_column else x + question.x
        width = page_width - 2 * gap if is_one_column else question.width
        bottom, top = (y + answer.top + gap if is_one_column else gap), y + question.y - gap
        above, right = y + question.top + gap, x + question.right + gap
        box_above: Box = (gap, above, page_width - 2 * gap, page_height - gap - above)
        box_beside: Box = (right, gap, page_width - gap - right, page_height - 2 * gap)
        boxes: list[Box] = [
            (left, bottom, width, top - bottom),
            *([] if self.layout_name == "flat" else [box_above, box_beside]),
            (left, gap, width, top - gap),
            box_beside,
            (gap, gap, page_width - 2 * gap, page_height - 2 * gap),
        ]
        return CardRooms(boxes, question.y - self.notes.y if self.notes.opacity else 0.0)

    def _leader_text(self) -> str:
        """Returns a text that says who leads; an empty one if that is hidden or nobody does."""
        assert self.scene_view is not None
        leaders = [mat.seat for mat in self.scene_view.mats if mat.leads]
        if not leaders or self.view.question is None:
            return ""
        return str(self.app.tr("In the lead: {names}", names=render(say_people(leaders), self.app.lang)))

    def _close_notes(self) -> None:
        if self.events_notice is not None:
            self.events_notice.close()
            self.events_notice = None

    def _open_middle(self) -> None:
        """Chooses the touched thing if the question asks for it; else opens the score sheet, or a page.

        The page shows the whole middle if something has no room in it, else it lists the pieces there. Only a
        game with a score sheet has that instead.
        """
        assert self.scene_view is not None
        place = self.middle.touched_place
        widget = self.question_widget
        if place is not None and widget is not None and widget.try_choose_thing_at(place):
            return
        if any(
            isinstance(part, GridView) and part.has_amendable_answers for part in self.scene_view.middle_parts
        ):
            self.dispatch("on_icon_press", "score")
        elif self.middle.leaves_something_out:
            self._open_whole_middle()
        else:
            self._open_holdings(None)

    def _open_whole_middle(self) -> None:
        """Opens a page with everything in the middle, as large as it fits."""
        middle, stage = TableMiddle(), self.app.stage
        middle.size_hint, middle.disabled = (1, 1), True
        middle.parts, middle.lang = self.middle.parts, self.middle.lang
        middle.bind(size=lambda middle, _: middle.choose_line_height())
        turn_keys = [make_turn_key(stage.turn_to_opposite_side)] if self.layout_name == "flat" else []
        open_page(Page(self.app.tr("On the table"), middle, keys_beside_title=turn_keys))

    def _handle_panel_touch(self, seat: Seat) -> None:
        """Lets a player answer at the panel, if the screen lies flat and the question allows it.

        Else opens the list of everything in front of the player.
        """
        is_answered = (
            self.layout_name == "flat"
            and self.question_widget is not None
            and self.question_widget.try_begin_answer_of(seat)
        )
        if not is_answered:
            self._open_holdings(seat)

    def _open_holdings(self, seat: Seat | None) -> None:
        """Opens the list of everything in front of a seat, or of what belongs to nobody."""
        tr, lang = self.app.tr, self.app.lang
        holdings = self.view.common_holdings() if seat is None else self.view.holdings_of(seat)
        title = tr("On the table") if seat is None else seat.name
        choices = [DialogChoice("close", tr("Close"), look="brass")]
        if seat is not None and any(holding.count is None for holding in holdings):
            show_privately = partial(self.dispatch, "on_private", seat)
            choices.insert(
                0, DialogChoice("private", tr("Show only to {name}", name=seat.name), show_privately)
            )
        if seat is not None and self.can_pay_from(seat):
            choices.insert(0, DialogChoice("pay", tr("Pay"), partial(self.dispatch, "on_pay", seat)))
        open_full_screen_dialog(title, _make_holdings_pager(self.view, holdings, lang), *choices)

    def _open_help(self) -> None:
        """Opens a dialog with the rule behind the question."""
        text = render(self.view.help_text, self.app.lang)
        close = DialogChoice("close", self.app.tr("Close"), look="brass")
        open_dialog(self.question_banner.question_label.text, text, close)

    # The question

    def _show_question(self) -> None:
        """Shows the widget of the open question.

        A question that is still open keeps its widget with the unfinished answer. Its number isn't enough to
        recognize a question: after a replay of the game, for instance when a seat is renamed, another
        Request with the same number is open, and the old one has other names and accounts.
        """
        if self.question_widget is not None and self.question_widget.request is self.view.question:
            self.question_widget.show_newer_view(self.view)
            return
        self._n = self.view.question_number
        self._device_warnings = ()
        if self._continue_upcoming_round() or self._reuse_widget():
            return
        self.question_widget = make_question_widget(self.view.question, self.view)
        self.question_widget.bind(on_answer=lambda _, plain: self._send_answer("on_answer", plain))
        if self.question_widget.is_event_type("on_unavailable_option"):
            self.question_widget.bind(on_unavailable_option=lambda _, why: self.show_refusal(why))
        if self.question_widget.is_event_type("on_payment"):
            self.question_widget.bind(on_payment=lambda _, answer: self._offer_pay_page(answer))
        if self.question_widget.is_event_type("on_seat_answer"):
            self.question_widget.question_number = self._n
            self.question_widget.bind(on_seat_answer=self._send_draft)
        if self.question_widget.is_event_type("on_menu"):
            self.question_widget.bind(on_menu=lambda _: self.dispatch("on_menu"))
        if self.question_widget.is_event_type("on_roll"):
            self.question_widget.bind(on_roll=lambda _: self._send_answer("on_roll"))
        if self.question_widget.is_event_type("on_use_reader_cards"):
            self.question_widget.bind(on_use_reader_cards=lambda _: self._send_answer("on_use_reader_cards"))
        self.question_widget.fbind("height", Clock.create_trigger(self._place_if_unfitting, -1))
        if self.question_widget.is_reusable:
            self._reusable_widgets[type(self.view.question)] = self.question_widget
        self._place_question()

    def _continue_upcoming_round(self) -> bool:
        """Keeps the widget of the upcoming round, with what is typed, if the round has just been opened."""
        widget, was_upcoming = self.question_widget, self._is_upcoming_round_shown
        self._is_upcoming_round_shown = self.is_round_upcoming
        if widget is None or not was_upcoming or self.is_round_upcoming:
            return False
        if not widget.try_reuse_for(self.view.question, self.view):
            return False
        widget.question_number = self._n
        self._place_question()
        return True

    def _reuse_widget(self) -> bool:
        """Reuses the widget of an earlier question of this kind, if possible; returns whether it did."""
        widget = self._reusable_widgets.get(type(self.view.question))
        if widget is None or not widget.try_reuse_for(self.view.question, self.view):
            return False
        self.question_widget = widget
        self._place_question()
        return True

    def _place_question(self) -> None:
        assert self.question_widget is not None
        self.question_widget.show_tags_on_reader(*self._tags_on_reader)
        self.question_widget.prefill_only_answer()
        if self.question_widget.parent is not self.question_area:
            self.question_area.clear_widgets()
            self.question_area.add_widget(self.question_widget)

    def _offer_pay_page(self, answer: object) -> bool:
        """Lets people pay on the page for paying, from which they can still give the answer."""
        return bool(self.dispatch("on_pay_page", partial(self._send_answer, "on_answer", answer)))

    def _send_draft(self, widget: QuestionWidget[Any], seat: Seat, plain: object) -> None:
        """Sends a draft; the last draft of a round leads to the next question, as an answer does."""
        self.dispatch("on_seat_answer", widget.question_number, seat, plain)
        if self.question_widget is not widget:
            self._ignore_double_touch()

    def _send_answer(self, event: str, *plain: object) -> None:
        """Sends an answer with the number of the question that was shown when the finger came down."""
        self.dispatch(event, self._touched_n, *plain)
        self._ignore_double_touch()

    def _ignore_double_touch(self) -> None:
        """Waits for the next frame: on a slow screen people see only then what they touch."""
        self._question_drawn_at, self._answer_touch_pos = inf, self._last_touch_pos
        Clock.schedule_once(self._note_frame, 0)

    def _note_frame(self, _seconds: float) -> None:
        self._question_drawn_at = Clock.get_time()

    def on_touch_down(self, touch: Any) -> bool:
        """Handles a touch: hides the refusal, and ignores the second touch of a double touch.

        The second touch would answer the next question.
        """
        x, y = self._answer_touch_pos
        is_near = abs(touch.x - x) + abs(touch.y - y) < theme.length.target
        if is_near and Clock.get_time() < self._question_drawn_at + theme.IGNORED_REPEATED_TOUCH_SECONDS:
            return True
        self._last_touch_pos, self._touched_n = touch.pos, self._n
        self._money.end_slide()
        if self.refusal.text:
            is_on_refusal = self.refusal.collide_point(*self.centre.to_local(*touch.pos))
            self._clear_refusals()
            if is_on_refusal:  # people can't see what lies below the refusal
                return True
        touch.ud[FIRST_PANEL_KEY] = self._panel_at(touch)
        return bool(super().on_touch_down(touch))

    def on_touch_up(self, touch: Any) -> bool:
        """Handles a lifted finger: a drag from one player's panel to another's begins a payment."""
        first_panel = touch.ud.pop(FIRST_PANEL_KEY, None)
        is_handled = bool(super().on_touch_up(touch))
        last_panel = self._panel_at(touch) if first_panel is not None else None
        if first_panel is None or last_panel is None or last_panel is first_panel:
            return is_handled
        self.dispatch("on_drag_between_panels", first_panel.seat, last_panel.seat)
        return True

    def _panel_at(self, touch: Any) -> PlayerPanel | None:
        panels = self.panels.values()
        return next((panel for panel in panels if panel.collide_point(*panel.to_widget(*touch.pos))), None)


def question_status_of(view: View, seat: Seat) -> SeatQuestionStatus:
    """Returns a seat's status in the open question, such as its bid and whether it is asked."""
    question = view.question
    has_answered = any(envelope.seat == seat and envelope.has_answer for envelope in view.envelopes)
    has_left = seat in view.absent_seats
    is_asked = question is not None and seat in question.seats
    if not isinstance(question, Raise):
        return SeatQuestionStatus(is_asked=is_asked, has_answered=has_answered, has_left=has_left)
    bid, highest = question.bids.get(seat), max(question.bids.values(), default=None)
    return SeatQuestionStatus(
        bid,
        bid is not None and bid == highest,
        is_asked,
        has_answered,
        question.has_withdrawn(seat),
        seat in question.passed_seats,
        has_left,
    )


# The list of all pieces in front of a player or on the table, each with its name


HOLDINGS_COLUMNS, HOLDINGS_ROWS = 2, 4


def _make_holdings_pager(view: View, holdings: Sequence[Holding], lang: str) -> Pager:
    """Returns a pager that lists holdings in two columns, each with its place."""
    lines = [
        _make_holdings_line(view, line_holdings, lang)
        for line_holdings in _split_keeping_piles(view, select_holdings_to_show(holdings))
    ]
    return Pager(
        items=lines,
        cols=HOLDINGS_COLUMNS,
        rows=theme.grow_count(HOLDINGS_ROWS),
        between=theme.length.gap / 2,
        look="paper",
    )


def _split_keeping_piles(view: View, holdings: Sequence[Holding]) -> list[list[Holding]]:
    """Returns the holdings of each line: one holding, or all of a pile."""
    lines: list[list[Holding]] = []
    for holding in holdings:
        is_in_pile = holding.place in view.piles
        if is_in_pile and lines and lines[-1][0].place == holding.place:
            lines[-1].append(holding)
        else:
            lines.append([holding])
    return lines


def _make_holdings_line(view: View, holdings: Sequence[Holding], lang: str) -> Widget:
    """Builds a line: the piece with its number, and its name above the place's name."""
    holding, mark = holdings[0], _make_holdings_mark(view, holdings, lang)
    row = BoxLayout(spacing=theme.length.gap)
    place_name = render(holding.place.label if holding.place.slot_name else holding.place.name, lang)
    slot = (
        None if holding.place.slot_name else view.current_slot_by_place.get(holding.place, holding.place).slot
    )
    if slot is not None:
        place_name = f"{place_name} {slot}"
    if mark is not None:
        add_children(row, MarkWidget(mark, pos_hint={"center_y": 0.5}))
    is_only_placed = isinstance(mark, StackMark) or holding.count is None
    name = place_name if is_only_placed else _piece_text(holding, lang, counted=mark is not None)
    texts = ((name, "body"), (place_name, "quiet"))[: 1 if name == place_name else 2]
    labels = [FittedLabel(text=text, style=style) for text, style in texts]
    return add_children(row, add_children(BoxLayout(orientation="vertical"), *labels))


def _make_holdings_mark(view: View, holdings: Sequence[Holding], lang: str) -> Mark | None:
    """Returns the mark of a pile in its order, or of a piece with its number; None without a picture."""
    pile = view.piles.get(holdings[0].place, ())
    if 0 < len(pile) <= MAX_STACK_SHOWN_PIECE_BY_PIECE and all(
        piece.look in SOLID_PIECE_LOOKS for piece in pile
    ):
        return StackMark([PieceMark(piece, piece_letter(piece, lang)) for piece in pile])
    marks = (make_holding_mark(holding, lang) for holding in holdings if not holding.piece.is_card_face)
    return next((mark for mark in marks if not isinstance(mark, BadgeMark)), None)


def _piece_text(holding: Holding, lang: str, *, counted: bool) -> str:
    if counted or holding.count is None or holding.count == 1:
        return render(holding.piece, lang)
    return render(holding.piece.quantity_text(holding.count), lang)
