"""The final score, revealed from last to first; each total opens its sum. The record is saved as a file."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from math import ceil
from pathlib import Path
from typing import Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import BooleanProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.half_numbers import WholeOrHalf
from companion.record.record import ScoreMoment, ThinkingTime
from companion.record.text_export import score_summary
from companion.session.view import View
from companion.table.scores import GameResult, ScoreLine, Standing
from companion.texts import render, say_list
from ui import theme
from ui.events import EventMixin, bind_weak
from ui.host import AppWithEvening, get_companion_app
from ui.pages import (
    DialogChoice,
    SoundKey,
    open_choice_dialog,
    open_full_screen_dialog,
    run_or_explain,
    show_message,
)
from ui.widgets.drawing.containers import add_children, detach_from_parent
from ui.widgets.drawing.surfaces import AutoRedrawWidget, fill_rounded_box
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.seats.panel_columns import MAX_FULL_DETAIL_PANELS
from ui.widgets.seats.rank_card import RankCard
from ui.widgets.sheets.messages import CollapsibleMessages
from ui.widgets.sheets.overlays import EventsNotice
from ui.widgets.sheets.score_charts import QrCode, ScoreLineChart, ThinkingTimeBars

Builder.load_file(str(Path(__file__).with_suffix(".kv")))
SCORE_ICONS = ("chart", "code", "save", "undo", "history")
PAST_SCORE_ICONS = ("chart", "code", "save", "history", "more")
MAX_CARD_HEIGHT_IN_ROWS = 1.3
"""The greatest height of a card."""
UPRIGHT_CARDS_HEIGHT_SHARE = 0.6
"""The height of a column of cards on an upright screen, as a share of the screen's height."""


class ScoreScreen(EventMixin, BoxLayout):
    """The screen of the final score.

    `view` has a result. A touch skips the animation of the cards. The outcome of the last answer is below
    the cards once all are turned up, as it may name the winner; if it has no room there, a notice shows it.
    `scores_after_each_step` returns the score after each answer, `thinking_times` how long everybody took;
    both are called only when somebody opens the chart. If `is_saved` is False, the game isn't in the store
    and people can't save its record. `past_game_title` is the title of a past game: its cards are all
    turned up, and nothing can be undone.
    """

    view = ObjectProperty()
    winners_text = StringProperty("")
    heading = StringProperty("")
    is_saved = BooleanProperty(defaultvalue=True)
    past_game_title = StringProperty("")
    is_upright = BooleanProperty(defaultvalue=False)
    is_demo = BooleanProperty(defaultvalue=False)
    is_flat = BooleanProperty(defaultvalue=False)
    """Whether people sit around the screen, so that it can be turned."""
    __events__ = ("on_icon_press",)  # name: undo, again, put away, history, save, shelf, more, values

    def __init__(
        self,
        view: View,
        scores_after_each_step: Callable[[], Sequence[ScoreMoment]] = tuple,
        thinking_times: Callable[[], Sequence[ThinkingTime]] = tuple,
        **kwargs: Any,
    ) -> None:
        super().__init__(view=view, is_upright=get_companion_app().stage.is_next_page_portrait, **kwargs)
        self._score_history, self._thinking_times = scores_after_each_step, thinking_times
        self.ids.warned.bind(on_open_provisional_values=lambda _: self.dispatch("on_icon_press", "values"))
        self.app = get_companion_app()
        self._next_card_event: Any = None
        self._face_down_cards: list[RankCard] = []
        self.notes = CollapsibleMessages(size_hint_y=None, opacity=0)
        self.events_notice: EventsNotice | None = None
        self._share_height_soon = Clock.create_trigger(
            self._share_height, -1
        )  # no box may change while it is laid out
        bind_weak(self.app, "lang", self._update_texts)
        self._place_cards()
        self._make_keys()
        if self.past_game_title:
            self.turn_up_all_cards()
        else:
            self._update_texts()
            self._schedule_next_card()

    @property
    def result(self) -> GameResult:
        """Returns the result of the view."""
        result: GameResult = self.view.result
        return result

    def _place_cards(self) -> None:
        """Places all cards face down, the best at the top."""
        standings = self.result.standings
        count = len(standings)
        self._rows = count if self._do_cards_fit_in_one_column(count) else ceil(count / 2)
        is_narrow = self._rows < count
        self.rank_cards = [
            RankCard(standing, ended_early=self.view.is_score_so_far, is_narrow=is_narrow)
            for standing in standings
        ]
        self._face_down_cards = list(self.rank_cards)
        self.ids.places.clear_widgets()
        parent = self.ids.places
        if is_narrow:
            gap = theme.length.gap * 0.375
            self.padding = (theme.length.margin, theme.length.gap)
            parent = GridLayout(rows=self._rows, cols=2, orientation="tb-lr", spacing=gap)
            parent.size_hint_max_y = self._rows * theme.length.row * MAX_CARD_HEIGHT_IN_ROWS
            self.ids.places.add_widget(parent)
        for card in self.rank_cards:
            card.bind(on_release=lambda card: self._open_sum(card.standing))
            card.bind(min_card_height=self._share_height_soon, turned_share=self._announce)
            parent.add_widget(card)
        self.ids.places.add_widget(Widget(size_hint_y=0.001))
        self.ids.places.bind(size=self._share_height_soon)

    def _do_cards_fit_in_one_column(self, count: int) -> bool:
        """Returns whether all cards fit in one column; many fit only on a tall screen."""
        max_height = UPRIGHT_CARDS_HEIGHT_SHARE * self.app.stage.next_page_size[1]
        is_tall_enough = self.is_upright and count * theme.length.row <= max_height
        return count <= MAX_FULL_DETAIL_PANELS or is_tall_enough

    def _make_keys(self) -> None:
        """Makes the keys for a game that has just ended, or for a past game."""
        first, second = ("shelf", "again") if self.past_game_title else ("again", "put away")
        self._keys = [Key(name=first, look="brass"), Key(name=second)]
        for key in self._keys:
            key.bind(on_release=lambda key: self.dispatch("on_icon_press", key.name))
            self.ids.ways.add_widget(key)
        action_by_icon: dict[str, Callable[[], None]] = {
            "chart": self.show_score_over_time,
            "code": self.show_qr_code,
            "turn": self.app.stage.turn_to_opposite_side,
        }
        for icon in (
            *(PAST_SCORE_ICONS if self.past_game_title else SCORE_ICONS),
            *(["turn"] if self.is_flat else []),
        ):
            action = action_by_icon.get(icon, partial(self.dispatch, "on_icon_press", icon))
            key = Key(icon=icon, name=icon, look="felt", on_release=lambda _, action=action: action())
            key.disabled = (icon == "save" and not self.is_saved) or (
                icon == "undo" and self.view.is_score_so_far
            )
            self.ids.signs.add_widget(key)
        self.ids.signs.add_widget(SoundKey(size_hint_x=1))

    def _share_height(self, *_: object) -> None:
        """Gives each card the height it needs; if that is too much, all are equally high."""
        cards = self.ids.places
        max_card_height = theme.length.row * (1.9 if self.is_upright else MAX_CARD_HEIGHT_IN_ROWS)
        if self._rows < len(self.rank_cards):
            min_card_height = max(card.min_card_height for card in self.rank_cards)
            min_height = self._rows * (min_card_height + cards.spacing)
            preferred_height = self._rows * (max_card_height + cards.spacing)
        else:
            min_height = sum(card.min_card_height for card in self.rank_cards) + cards.spacing * len(
                self.rank_cards
            )
            preferred_height = sum(
                max(max_card_height, card.min_card_height) + cards.spacing for card in self.rank_cards
            )
            for card in self.rank_cards:
                card.size_hint_max_y = max(max_card_height, card.min_card_height)
                card.size_hint_min_y = card.min_card_height if min_height <= cards.height else None
        self._place_notes(min_height, preferred_height)

    def _place_notes(self, min_cards_height: float, preferred_cards_height: float) -> None:
        """Shows the notes below the cards if both fit, else removes the notes."""
        cards, notes = self.ids.places, self.notes
        column = cards.parent
        others = [each.height + column.spacing for each in column.children if each not in (cards, notes)]
        available_height = column.height - sum(others)
        min_height, preferred_height = notes.min_and_preferred_height(cards.width)
        if notes.texts and min_cards_height + column.spacing + min_height <= available_height:
            notes.height = max(
                min_height, min(preferred_height, available_height - column.spacing - preferred_cards_height)
            )
            if notes.parent is None:
                add_children(column, notes)
        else:
            detach_from_parent(notes)

    def _schedule_next_card(self) -> None:
        """Schedules the next card; the pause before the winner's card is longer."""
        pause = (
            theme.REVEAL_PAUSE_SECONDS if len(self._face_down_cards) == 1 else theme.REVEAL_PAUSE_SECONDS / 2
        )
        self._next_card_event = Clock.schedule_once(
            lambda _: self._turn_next_card(), theme.animation_seconds(pause)
        )

    def _turn_next_card(self) -> None:
        """Turns the next card, unless something lies over the cards."""
        self._next_card_event = None
        if not self.app.stage.has_overlay:
            self._face_down_cards.pop().turn_face_up()
        if self._face_down_cards:
            self._schedule_next_card()

    def turn_up_all_cards(self) -> None:
        """Turns all cards face up at once."""
        if self._next_card_event is not None:
            self._next_card_event.cancel()
            self._next_card_event = None
        self._face_down_cards.clear()
        for card in self.rank_cards:
            card.skip_animation()
        self._update_texts()

    def _update_texts(self, *_: object) -> None:
        self.ids.warned.show_warning(self.view, self.app.lang, is_demo=self.is_demo)
        for card in self.rank_cards:
            card.show_rank_reason(self.app.lang)
        tr = self.app.tr
        texts = {"again": tr("Play again"), "put away": tr("Put away"), "shelf": tr("Past games")}
        for key in self._keys:
            key.text = texts[key.name]
        notes = () if self.past_game_title or self.view.is_score_so_far else self.view.notes
        self.notes.show_messages([render(note, self.app.lang) for note in notes], tr("What happened"))
        self._share_height_soon()
        ending = tr("Ended early: the score so far") if self.view.is_score_so_far else tr("Final score")
        self.heading = self.past_game_title or ending
        self._announce()

    def _announce(self, *_: object) -> None:
        """Announces the winner once every card is face up, with what the last answer led to."""
        are_up = all(card.turned_share == 1.0 for card in self.rank_cards)
        self.winners_text = self._winners_text() if are_up else ""
        self.notes.opacity = float(are_up)
        if are_up and self.notes.texts and self.events_notice is None:
            Clock.schedule_once(self._open_notes, 0)  # when the notes have their size

    def _open_notes(self, _seconds: float) -> None:
        """Shows notes that don't fit below the cards in a notice over the cards, once; not in a demo."""
        is_seen = self.notes.parent is not None or self.events_notice is not None or self.is_demo
        if not is_seen and self.get_root_window() is not None:
            self.events_notice = EventsNotice(self.notes.expand_key.text, self.notes.texts)
            self.app.stage.show_overlay(self.events_notice)

    def _winners_text(self) -> str:
        app, winners = self.app, self.result.winners
        if self.view.is_score_so_far:
            return str(app.tr("Ended early"))
        if not winners:
            return str(app.tr("Nobody wins."))
        names = render(say_list(winners), app.lang)
        if len(winners) == 1:
            return str(app.tr("{name} wins!", name=names))
        return str(app.tr("{names} share the win!", names=names))

    def _open_sum(self, standing: Standing) -> None:
        tr, lang = self.app.tr, self.app.lang
        body = ScoreSumSheet(standing, tr("Total"), tr("For information"), lang)
        open_full_screen_dialog(standing.seat.name, body)

    def show_score_over_time(self) -> None:
        """Opens a chart of the score over time, with a way to the thinking times."""
        tr = self.app.tr
        moments = self._score_history()
        empty_text = tr("There is no history of the score.")
        body = ScoreLineChart(moments) if moments else FittedLabel(text=empty_text, lines=2)
        choices = [DialogChoice("close", tr("Close"), look="brass")]
        times = self._thinking_times()
        if any(time.seconds for time in times):
            show_times = partial(self._show_thinking_times, times)
            choices.insert(0, DialogChoice("thinking", tr("Thinking times"), show_times))
        open_full_screen_dialog(tr("Score over time"), body, *choices)

    def _show_thinking_times(self, times: Sequence[ThinkingTime]) -> None:
        open_full_screen_dialog(self.app.tr("Thinking times"), ThinkingTimeBars(times, self.app.lang))

    def show_qr_code(self) -> None:
        """Shows a QR code with names, ranks and totals for a phone's camera."""
        tr, lang = self.app.tr, self.app.lang
        code = QrCode(score_summary(self.view.game_title, self.result, lang))
        open_full_screen_dialog(tr("Scan with a phone to see names, ranks and totals"), code)

    def on_parent(self, _widget: object, parent: object) -> None:
        """Handles a change of the parent: stops the animation when the screen is removed."""
        if parent is None and self._next_card_event is not None:
            self._next_card_event.cancel()

    def on_touch_down(self, touch: Any) -> bool:
        """Handles a touch: turns up all cards at once, while they are being turned one by one."""
        if self._next_card_event is not None or any(card.turned_share < 1.0 for card in self.rank_cards):
            self.turn_up_all_cards()
            return True
        return bool(super().on_touch_down(touch))


# The sum behind one total, the reason of the rank, and values for information only.


MIN_LINES_PER_SHEET = 4
"""The number of lines that always fit on a sheet; more lines may need pages."""
PAGER_KEYS_HEIGHT_IN_LINES = 2
"""The height of a pager's page keys, in lines."""
MIN_LINE_HEIGHT_IN_ROWS = 0.66
"""The least height of a line: two lines of its label."""
FRAME_ROWS_BY_UPRIGHT = {True: 7, False: 3.4}
"""The height of title, total and keys in rows, by `is_upright`.

On an upright screen the height includes the reason and the headings.
"""
REASON_HEIGHT_IN_ROWS = 0.7
"""The height of a reason, in rows."""


class ScoreSumLine(AutoRedrawWidget, BoxLayout):
    """A line of the sum behind a score: a label and a value, with a rule above."""

    def __init__(
        self, label: str, value: WholeOrHalf, *, is_total: bool = False, is_uncounted: bool = False
    ) -> None:
        super().__init__(spacing=theme.length.space, size_hint_max_y=theme.length.row)
        self.last = is_total
        style = "key" if is_total else "quiet" if is_uncounted else "body"
        self.add_widget(FittedLabel(text=label, style=style, lines=2))
        figure = FittedLabel(text=str(value), style="quiet" if is_uncounted else "digit", halign="right")
        figure.size_hint_x, figure.width = None, figure.one_line_width() + theme.length.line
        self.add_widget(figure)

    def draw(self) -> None:
        """Draws the line's rule; the rule above the total is thicker."""
        sizes = theme.length
        width = sizes.line if self.last else sizes.hair
        colour = theme.INK if self.last else theme.PAPER_LINE
        fill_rounded_box(colour, (self.x, self.top - width / 2, self.width, width), 0)


class ScoreSumSheet(BoxLayout):
    """A sheet with the sum behind one player's total, the reason of the rank, and values for information."""

    def __init__(self, standing: Standing, total_label: str, uncounted_heading: str, lang: str) -> None:
        stage, row = get_companion_app().stage, theme.length.row
        is_upright = stage.is_next_page_portrait
        super().__init__(orientation="vertical" if is_upright else "horizontal", spacing=theme.length.margin)
        self._lang = lang
        count = len(standing.counted_lines) + len(standing.uncounted_lines)
        frame_rows = FRAME_ROWS_BY_UPRIGHT[is_upright] + (
            REASON_HEIGHT_IN_ROWS if standing.rank_reason and not is_upright else 0
        )
        fitting_lines = int((stage.next_page_size[1] - frame_rows * row) / (row * MIN_LINE_HEIGHT_IN_ROWS))
        self._is_unpaged_column = is_upright and count <= fitting_lines
        self._max_lines_without_pages = (
            MIN_LINES_PER_SHEET
            if is_upright and not self._is_unpaged_column
            else max(MIN_LINES_PER_SHEET, fitting_lines)
        )
        lines = self._lines(standing.counted_lines, cols=1 if standing.uncounted_lines else 2)
        foot = [ScoreSumLine(total_label, standing.total, is_total=True)]
        if standing.rank_reason:
            foot.append(FittedLabel(text=render(standing.rank_reason, lang), lines=2))
        self._add_sheet(*lines, *map(_fix_height, foot))
        if standing.uncounted_lines:
            heading = _fix_height(FittedLabel(text=uncounted_heading, style="quiet"))
            self._add_sheet(heading, *self._lines(standing.uncounted_lines, quiet=True), width_share=1.25)

    def _lines(self, lines: Sequence[ScoreLine], *, cols: int = 1, quiet: bool = False) -> Sequence[Widget]:
        """Returns the lines one below the other, or as pages if there are too many."""
        widgets = [
            ScoreSumLine(render(line.label, self._lang), line.value, is_uncounted=quiet) for line in lines
        ]
        if len(widgets) <= self._max_lines_without_pages:
            return widgets
        rows = max(MIN_LINES_PER_SHEET - 1, self._max_lines_without_pages - PAGER_KEYS_HEIGHT_IN_LINES)
        return [Pager(items=widgets, cols=cols, rows=rows, between=(theme.length.space, 0), look="paper")]

    def _add_sheet(self, *parts: Widget, width_share: float = 1.0) -> None:
        sheet = BoxLayout(orientation="vertical")
        if self.orientation == "horizontal":
            sheet.size_hint_x = width_share
        elif self._is_unpaged_column:
            sheet.size_hint_y = len(parts)
        for part in (*parts, Widget(size_hint_y=0.001)):
            sheet.add_widget(part)
        self.add_widget(sheet)


def _fix_height(part: Widget) -> Widget:
    """Makes a part as high as one line of text, and returns it."""
    part.size_hint_y, part.height = None, theme.length.row * 0.7
    return part


# The record of a finished game as a file, which the evening writes.


def save_record_as_file(app: AppWithEvening) -> None:
    """Saves the record as a file, in the format that people choose.

    A message says where the file is or why it can't be saved.
    """
    tr, lang = app.tr, app.lang
    text_by_format = {
        "html": tr("A page to read and print (HTML)"),
        "csv": tr("A table for a spreadsheet (CSV)"),
        "json": tr("All data, for programs (JSON)"),
    }

    def write(file_format: str) -> None:
        file = app.evening.export_record(file_format, lang)
        show_message(tr("The record was saved as {file}.", file=str(file)))

    choices = [
        DialogChoice(file_format, text, partial(run_or_explain, partial(write, file_format)))
        for file_format, text in text_by_format.items()
    ]
    open_choice_dialog(
        tr("Save the record"), choices, DialogChoice("close", tr("Close")), columns=1, height_fraction=0.94
    )
