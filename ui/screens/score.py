"""The final score, revealed from last to first; each total opens its sum. Saves the record as a file."""

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

from companion.record.record import ScoreMoment, ThinkingTime
from companion.record.text_export import score_summary
from companion.session.view import View
from companion.table.scores import GameResult, ScoreLine, Standing
from companion.texts import render, say_list
from ui import theme
from ui.events import EventMixin, bind_weak
from ui.host import AppWithEvening, get_companion_app
from ui.pages import DialogChoice, open_choice_dialog, open_full_screen_dialog, run_or_explain, show_message
from ui.screens.notices import EventsNotice
from ui.widgets.drawing.containers import add_children, detach
from ui.widgets.drawing.surfaces import AutoRedrawWidget, fill_box
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.seats.panel_columns import MAX_FULL_DETAIL_PANELS
from ui.widgets.seats.rank_card import RankCard
from ui.widgets.sheets.messages import CollapsibleMessages
from ui.widgets.sheets.score_charts import QrCode, ScoreLineChart, ThinkingTimeBars

Builder.load_file(str(Path(__file__).with_suffix(".kv")))
ICONS = ("chart", "code", "save", "undo", "history")
PAST_ICONS = ("chart", "code", "save", "history", "more")
MAX_CARD_HEIGHT_IN_ROWS = 1.3
"""The greatest height of a card."""
UPRIGHT_CARDS_HEIGHT_SHARE = 0.6
"""The height of a column of cards on an upright screen, as a share of the screen's height."""


class ScoreScreen(EventMixin, BoxLayout):
    """The screen of the final score.

    `view` has a result. A touch skips the animation of the cards. The outcome of the last answer is below
    the cards once all are turned up, as it may name the winner; if it has no room there, a sheet shows it.
    `score_history` returns the score after each answer, `thinking_times` how long everybody took; they are
    called only when somebody wants to see them. If `is_saved` is False, the game is in no history and
    people can't save it. `past_game_title` names a game of the past: its cards are all turned up, and
    nothing can be undone.
    """

    view = ObjectProperty()
    winners = StringProperty("")
    heading = StringProperty("")
    is_saved = BooleanProperty(defaultvalue=True)
    past_game_title = StringProperty("")
    is_upright = BooleanProperty(defaultvalue=False)
    is_demo = BooleanProperty(defaultvalue=False)
    is_flat = BooleanProperty(defaultvalue=False)
    """Whether people sit around the screen, so that it can be turned."""
    __events__ = ("on_do",)  # name: undo, again, put away, history, save, shelf, more, values

    def __init__(
        self,
        view: View,
        score_history: Callable[[], Sequence[ScoreMoment]] = tuple,
        thinking_times: Callable[[], Sequence[ThinkingTime]] = tuple,
        **kwargs: Any,
    ) -> None:
        super().__init__(view=view, is_upright=get_companion_app().stage.is_next_page_portrait, **kwargs)
        self._standing, self._thinking = score_history, thinking_times
        self.ids.warned.bind(on_values=lambda _: self.dispatch("on_do", "values"))
        self.app = get_companion_app()
        self._due: Any = None
        self._down: list[RankCard] = []
        self.notes = CollapsibleMessages(size_hint_y=None, opacity=0)
        self.events_notice: EventsNotice | None = None
        self._share_soon = Clock.create_trigger(self._share, -1)  # no box may change while it is laid out
        bind_weak(self.app, "lang", self._speak)
        self._lay()
        self._lay_keys()
        if self.past_game_title:
            self.turn_up_all_cards()
        else:
            self._speak()
            self._wait()

    @property
    def result(self) -> GameResult:
        """Returns the result of the view."""
        result: GameResult = self.view.result
        return result

    def _lay(self) -> None:
        """Places all cards face down, the best on top."""
        standings = self.result.standings
        self._lines = len(standings) if self._have_a_column(len(standings)) else ceil(len(standings) / 2)
        is_narrow = self._lines < len(standings)
        self.places = [
            RankCard(one, ended_early=self.view.is_early, is_narrow=is_narrow) for one in standings
        ]
        self._down = list(self.places)
        self.ids.places.clear_widgets()
        into = self.ids.places
        if is_narrow:
            gap = theme.length.gap * 0.375
            self.padding = (theme.length.margin, theme.length.gap)
            into = GridLayout(rows=self._lines, cols=2, orientation="tb-lr", spacing=gap)
            into.size_hint_max_y = self._lines * theme.length.row * MAX_CARD_HEIGHT_IN_ROWS
            self.ids.places.add_widget(into)
        for place in self.places:
            place.bind(on_release=lambda place: self._open(place.standing))
            place.bind(min_card_height=self._share_soon, turned=self._announce)
            into.add_widget(place)
        self.ids.places.add_widget(Widget(size_hint_y=0.001))
        self.ids.places.bind(size=self._share_soon)

    def _have_a_column(self, people: int) -> bool:
        """Returns whether all cards fit in one column: many only on a tall screen."""
        is_long = (
            self.is_upright
            and people * theme.length.row <= UPRIGHT_CARDS_HEIGHT_SHARE * self.app.stage.next_page_size[1]
        )
        return people <= MAX_FULL_DETAIL_PANELS or is_long

    def _lay_keys(self) -> None:
        """Makes the keys for a game that has just ended, or for a past game."""
        first, second = ("shelf", "again") if self.past_game_title else ("again", "put away")
        self._keys = [Key(name=first, look="brass"), Key(name=second)]
        for key in self._keys:
            key.bind(on_release=lambda key: self.dispatch("on_do", key.name))
            self.ids.ways.add_widget(key)
        shown: dict[str, Callable[[], None]] = {
            "chart": self.show_score_over_time,
            "code": self.show_qr_code,
            "turn": self.app.stage.turn_to_opposite_side,
        }
        for icon in (*(PAST_ICONS if self.past_game_title else ICONS), *(["turn"] if self.is_flat else [])):
            do = shown.get(icon, partial(self.dispatch, "on_do", icon))
            key = Key(icon=icon, name=icon, look="felt", on_release=lambda _, do=do: do())
            key.disabled = (icon == "save" and not self.is_saved) or (icon == "undo" and self.view.is_early)
            self.ids.signs.add_widget(key)

    def _share(self, *_: object) -> None:
        """Gives each card the height it needs; if that is too much, all are equally high."""
        stack, most = (
            self.ids.places,
            theme.length.row * (1.9 if self.is_upright else MAX_CARD_HEIGHT_IN_ROWS),
        )
        if self._lines < len(self.places):
            need = max(place.min_card_height for place in self.places)
            needs, likes = self._lines * (need + stack.spacing), self._lines * (most + stack.spacing)
        else:
            needs = sum(place.min_card_height for place in self.places) + stack.spacing * len(self.places)
            likes = sum(max(most, place.min_card_height) + stack.spacing for place in self.places)
            for place in self.places:
                place.size_hint_max_y = max(most, place.min_card_height)
                place.size_hint_min_y = place.min_card_height if needs <= stack.height else None
        self._make_room(needs, likes)

    def _make_room(self, needs: float, likes: float) -> None:
        """Shows the notes below the cards if both fit; `needs` and `likes` are the heights of the cards."""
        stack, notes = self.ids.places, self.notes
        column = stack.parent
        others = [each.height + column.spacing for each in column.children if each not in (stack, notes)]
        room = column.height - sum(others)
        least, best = notes.height_range(stack.width)
        if notes.texts and needs + column.spacing + least <= room:
            notes.height = max(least, min(best, room - column.spacing - likes))
            if notes.parent is None:
                add_children(column, notes)
        else:
            detach(notes)

    def _wait(self) -> None:
        """Schedules the next card; before the winner's the pause is longer."""
        pause = theme.REVEAL_PAUSE_SECONDS if len(self._down) == 1 else theme.REVEAL_PAUSE_SECONDS / 2
        self._due = Clock.schedule_once(lambda _: self._next(), theme.animation_seconds(pause))

    def _next(self) -> None:
        """Turns the next card, unless something lies over the cards."""
        self._due = None
        if not self.app.stage.has_overlay:
            self._down.pop().turn_face_up()
        if self._down:
            self._wait()

    def turn_up_all_cards(self) -> None:
        """Turns all cards face up at once."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        self._down.clear()
        for place in self.places:
            place.skip_animation()
        self._speak()

    def _speak(self, *_: object) -> None:
        self.ids.warned.show_warning(self.view, self.app.lang, is_demo=self.is_demo)
        for place in self.places:
            place.show_rank_reason(self.app.lang)
        tr = self.app.tr
        texts = {"again": tr("Play again"), "put away": tr("Put away"), "shelf": tr("Past games")}
        for key in self._keys:
            key.text = texts[key.name]
        notes = () if self.past_game_title or self.view.is_early else self.view.notes
        self.notes.show_messages([render(note, self.app.lang) for note in notes], tr("What happened"))
        self._share_soon()
        ended = tr("Ended early: the score so far") if self.view.is_early else tr("Final score")
        self.heading = self.past_game_title or ended
        self._announce()

    def _announce(self, *_: object) -> None:
        """Announces the winner once every card is face up, with what the last answer led to."""
        are_up = all(place.turned == 1.0 for place in self.places)
        self.winners = self._won() if are_up else ""
        self.notes.opacity = float(are_up)
        if are_up and self.notes.texts and self.events_notice is None:
            Clock.schedule_once(self._open_notes, 0)  # once it has its size

    def _open_notes(self, _seconds: float) -> None:
        """Shows notes that don't fit below the cards over them, once; not in a demo."""
        is_seen = self.notes.parent is not None or self.events_notice is not None or self.is_demo
        if not is_seen and self.get_root_window() is not None:
            self.events_notice = EventsNotice(self.notes.expand_key.text, self.notes.texts)
            self.app.stage.show_overlay(self.events_notice)

    def _won(self) -> str:
        app, winners = self.app, self.result.winners
        if self.view.is_early:
            return str(app.tr("Ended early"))
        if not winners:
            return str(app.tr("Nobody wins."))
        names = render(say_list(winners), app.lang)
        if len(winners) == 1:
            return str(app.tr("{name} wins!", name=names))
        return str(app.tr("{names} share the win!", names=names))

    def _open(self, standing: Standing) -> None:
        tr, lang = self.app.tr, self.app.lang
        body = ScoreSumSheet(standing, tr("Total"), tr("For information"), lang)
        open_full_screen_dialog(standing.seat.name, body)

    def show_score_over_time(self) -> None:
        """Opens a chart of the score over time, with a way to the thinking times."""
        tr = self.app.tr
        moments = self._standing()
        nothing = tr("There is no history of the score.")
        body = ScoreLineChart(moments) if moments else FittedLabel(text=nothing, lines=2)
        close, times = DialogChoice("close", tr("Close"), look="brass"), self._thinking()
        if any(one.seconds for one in times):
            thinking = DialogChoice("thinking", tr("Thinking times"), partial(self._show_thinking, times))
            open_full_screen_dialog(tr("Score over time"), body, thinking, close)
        else:
            open_full_screen_dialog(tr("Score over time"), body)

    def _show_thinking(self, times: Sequence[ThinkingTime]) -> None:
        open_full_screen_dialog(self.app.tr("Thinking times"), ThinkingTimeBars(times, self.app.lang))

    def show_qr_code(self) -> None:
        """Shows a QR code with names, ranks and totals for a phone's camera."""
        tr, lang = self.app.tr, self.app.lang
        code = QrCode(score_summary(self.view.game_title, self.result, lang))
        open_full_screen_dialog(tr("Scan with a phone to see names, ranks and totals"), code)

    def on_parent(self, _widget: object, parent: object) -> None:
        """Handles a change of the parent: stops the animation when the screen is removed."""
        if parent is None and self._due is not None:
            self._due.cancel()

    def on_touch_down(self, touch: Any) -> bool:
        """Handles a touch; while the cards are turned one by one, the touch turns them all up."""
        if self._due is not None or any(place.turned < 1.0 for place in self.places):
            self.turn_up_all_cards()
            return True
        return bool(super().on_touch_down(touch))


# How one total came about: its sum, the reason of the rank, and values for information only.


MIN_LINES_PER_SHEET = 4
"""The lines that always fit on a sheet; more lines may need pages."""
PAGE_KEYS_HEIGHT_IN_LINES = 2
"""The height of a pager's page keys, in lines."""
MIN_LINE_HEIGHT_IN_ROWS = 0.66
"""The least height of a line: two lines of its label."""
FRAME_ROWS_BY_UPRIGHT = {True: 7, False: 3.4}
"""The height of title, total and keys in rows, by `is_upright`; upright with the reason and the headings."""
REASON_HEIGHT_IN_ROWS = 0.7
"""The height of a reason, in rows."""


class ScoreSumLine(AutoRedrawWidget, BoxLayout):
    """A line of the sum behind a score: a label and a value.

    A rule separates the total.
    """

    def __init__(self, label: str, value: int, *, last: bool = False, quiet: bool = False) -> None:
        super().__init__(spacing=theme.length.space, size_hint_max_y=theme.length.row)
        self.last = last
        style = "key" if last else "quiet" if quiet else "body"
        self.add_widget(FittedLabel(text=label, style=style, lines=2))
        figure = FittedLabel(text=str(value), style="quiet" if quiet else "digit", halign="right")
        figure.size_hint_x, figure.width = None, figure.one_line_width() + theme.length.line
        self.add_widget(figure)

    def draw(self) -> None:
        """Draws the line's rule, which separates the total."""
        sizes = theme.length
        width = sizes.line if self.last else sizes.hair
        colour = theme.INK if self.last else theme.PAPER_LINE
        fill_box(colour, (self.x, self.top - width / 2, self.width, width), 0)


class ScoreSumSheet(BoxLayout):
    """A sheet with the sum behind one player's total, the reason of the rank, and values for information."""

    def __init__(self, standing: Standing, total: str, apart: str, lang: str) -> None:
        stage, row = get_companion_app().stage, theme.length.row
        along = "vertical" if stage.is_next_page_portrait else "horizontal"
        super().__init__(orientation=along, spacing=theme.length.margin)
        self._lang = lang
        count = len(standing.counted_lines) + len(standing.uncounted_lines)
        around = FRAME_ROWS_BY_UPRIGHT[stage.is_next_page_portrait] + (
            REASON_HEIGHT_IN_ROWS if standing.rank_reason and not stage.is_next_page_portrait else 0
        )
        room = int((stage.next_page_size[1] - around * row) / (row * MIN_LINE_HEIGHT_IN_ROWS))
        self._fits = stage.is_next_page_portrait and count <= room
        self._few = (
            MIN_LINES_PER_SHEET
            if stage.is_next_page_portrait and not self._fits
            else max(MIN_LINES_PER_SHEET, room)
        )
        lines = self._lines(standing.counted_lines, cols=1 if standing.uncounted_lines else 2)
        foot = [ScoreSumLine(total, standing.total, last=True)]
        if standing.rank_reason:
            foot.append(FittedLabel(text=render(standing.rank_reason, lang), lines=2))
        self._lay(*lines, *map(_low, foot))
        if standing.uncounted_lines:
            heading = _low(FittedLabel(text=apart, style="quiet"))
            self._lay(heading, *self._lines(standing.uncounted_lines, quiet=True), wide=1.25)

    def _lines(self, lines: Sequence[ScoreLine], *, cols: int = 1, quiet: bool = False) -> Sequence[Widget]:
        """Returns the lines one below the other, or as pages if there are too many."""
        ruled = [ScoreSumLine(render(one.label, self._lang), one.value, quiet=quiet) for one in lines]
        return ruled if len(ruled) <= self._few else [self._paged(ruled, cols)]

    def _paged(self, ruled: Sequence[ScoreSumLine], cols: int) -> Pager:
        rows = max(MIN_LINES_PER_SHEET - 1, self._few - PAGE_KEYS_HEIGHT_IN_LINES)
        return Pager(items=ruled, cols=cols, rows=rows, between=(theme.length.space, 0), look="paper")

    def _lay(self, *parts: Widget, wide: float = 1.0) -> None:
        sheet = BoxLayout(orientation="vertical")
        if self.orientation == "horizontal":
            sheet.size_hint_x = wide
        elif self._fits:
            sheet.size_hint_y = len(parts)
        for part in (*parts, Widget(size_hint_y=0.001)):
            sheet.add_widget(part)
        self.add_widget(sheet)


def _low(part: Widget) -> Widget:
    part.size_hint_y, part.height = None, theme.length.row * 0.7
    return part


# The record of a finished game as a file.
#
# It writes nothing itself; the evening does.


def save_record_as_file(app: AppWithEvening) -> None:
    """Saves the record as a file, in the format that people choose.

    Afterwards people see where it is or why it failed.
    """
    tr, lang = app.tr, app.lang
    forms = {
        "html": tr("A page to read and print (HTML)"),
        "csv": tr("A table for a spreadsheet (CSV)"),
        "json": tr("All data, for programs (JSON)"),
    }

    def write(form: str) -> None:
        file = app.evening.export_record(form, lang)
        show_message(tr("The record was saved as {file}.", file=str(file)))

    choices = [
        DialogChoice(form, text, partial(run_or_explain, partial(write, form)))
        for form, text in forms.items()
    ]
    open_choice_dialog(
        tr("Save the record"), choices, DialogChoice("close", tr("Close")), columns=1, height_fraction=0.94
    )
