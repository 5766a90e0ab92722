"""The final score, revealed from last to first; every total opens into its sum. And the record as a file."""

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
from ui.host import AppWithEvening, running_app
from ui.pages import Choice, open_choice, open_sheet, run_or_explain, show_message
from ui.screens.notices import EventsNotice
from ui.widgets.drawing.containers import put, take_away
from ui.widgets.drawing.surfaces import Drawn, fill
from ui.widgets.drawing.text import Writing
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.seats.panel_columns import MAX_DETAILED_SEATS
from ui.widgets.seats.rank_card import RankCard
from ui.widgets.sheets.messages import Notes
from ui.widgets.sheets.score_charts import Bars, Course, Qr

Builder.load_file(str(Path(__file__).with_suffix(".kv")))
ICONS = ("chart", "code", "save", "undo", "history")
PAST_ICONS = ("chart", "code", "save", "history", "more")
MAX_CARD_HEIGHT_IN_ROWS = 1.3
"""The greatest height of a card."""
COLUMN_HEIGHT_SHARE = 0.6
"""The share of an upright screen's height for a column of cards."""


class ScoreScreen(EventMixin, BoxLayout):
    """The end of a game: `seen` is a view with a result. A touch skips the ceremony.

    What the last answer led to stands below the cards once all are turned up, as it may name the winner;
    where it has no room a sheet shows it.

    `standing` gives the score after each answer, `thinking` how long everybody took; they are asked only
    when somebody wants to see them. What isn't `is_kept` is in no history and can't be saved.
    `about` says which game of the past it is: there nothing is turned up any more, or can be taken back.
    """

    seen = ObjectProperty()
    winners = StringProperty("")
    heading = StringProperty("")
    is_kept = BooleanProperty(defaultvalue=True)
    about = StringProperty("")
    is_upright = BooleanProperty(defaultvalue=False)
    is_demo = BooleanProperty(defaultvalue=False)
    is_flat = BooleanProperty(defaultvalue=False)
    """Whether people sit around the screen, so that it can be turned."""
    __events__ = ("on_do",)  # name: undo, again, put away, history, save, shelf, more, values

    def __init__(
        self,
        seen: View,
        standing: Callable[[], Sequence[ScoreMoment]] = tuple,
        thinking: Callable[[], Sequence[ThinkingTime]] = tuple,
        **kwargs: Any,
    ) -> None:
        super().__init__(seen=seen, is_upright=running_app().stage.is_upright, **kwargs)
        self._standing, self._thinking = standing, thinking
        self.ids.warned.bind(on_values=lambda _: self.dispatch("on_do", "values"))
        self.app = running_app()
        self._due: Any = None
        self._down: list[RankCard] = []
        self.notes = Notes(size_hint_y=None, opacity=0)
        self.happened: EventsNotice | None = None
        self._share_soon = Clock.create_trigger(self._share, -1)  # no box may change while it is laid out
        bind_weak(self.app, "lang", self._speak)
        self._lay()
        self._lay_keys()
        if self.about:
            self.skip()
        else:
            self._speak()
            self._wait()

    @property
    def result(self) -> GameResult:
        """Returns the result of the view."""
        result: GameResult = self.seen.result
        return result

    def _lay(self) -> None:
        """Places all cards face down, the best on top."""
        standings = self.result.standings
        self._lines = len(standings) if self._have_a_column(len(standings)) else ceil(len(standings) / 2)
        is_narrow = self._lines < len(standings)
        self.places = [RankCard(one, early=self.seen.is_early, is_narrow=is_narrow) for one in standings]
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
            place.bind(need=self._share_soon, turned=self._announce)
            into.add_widget(place)
        self.ids.places.add_widget(Widget(size_hint_y=0.001))
        self.ids.places.bind(size=self._share_soon)

    def _have_a_column(self, people: int) -> bool:
        """Returns whether all cards fit in one column: many only on a tall screen."""
        is_long = (
            self.is_upright and people * theme.length.row <= COLUMN_HEIGHT_SHARE * self.app.stage.page_size[1]
        )
        return people <= MAX_DETAILED_SEATS or is_long

    def _lay_keys(self) -> None:
        """Makes the keys for a game that has just ended, or for a past game."""
        first, second = ("shelf", "again") if self.about else ("again", "put away")
        self._keys = [Key(name=first, look="brass"), Key(name=second)]
        for key in self._keys:
            key.bind(on_release=lambda key: self.dispatch("on_do", key.name))
            self.ids.ways.add_widget(key)
        shown: dict[str, Callable[[], None]] = {
            "chart": self.show_course,
            "code": self.show_code,
            "turn": self.app.stage.turn_round,
        }
        for icon in (*(PAST_ICONS if self.about else ICONS), *(["turn"] if self.is_flat else [])):
            do = shown.get(icon, partial(self.dispatch, "on_do", icon))
            key = Key(icon=icon, name=icon, look="felt", on_release=lambda _, do=do: do())
            key.disabled = (icon == "save" and not self.is_kept) or (icon == "undo" and self.seen.is_early)
            self.ids.signs.add_widget(key)

    def _share(self, *_: object) -> None:
        """Gives each card the height it needs; if that is too much, all are equally high."""
        stack, most = (
            self.ids.places,
            theme.length.row * (1.9 if self.is_upright else MAX_CARD_HEIGHT_IN_ROWS),
        )
        if self._lines < len(self.places):
            need = max(place.need for place in self.places)
            needs, likes = self._lines * (need + stack.spacing), self._lines * (most + stack.spacing)
        else:
            needs = sum(place.need for place in self.places) + stack.spacing * len(self.places)
            likes = sum(max(most, place.need) + stack.spacing for place in self.places)
            for place in self.places:
                place.size_hint_max_y = max(most, place.need)
                place.size_hint_min_y = place.need if needs <= stack.height else None
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
                put(column, notes)
        else:
            take_away(notes)

    def _wait(self) -> None:
        """Schedules the next card; before the winner's the pause is longer."""
        pause = theme.REVEAL_PAUSE_SECONDS if len(self._down) == 1 else theme.REVEAL_PAUSE_SECONDS / 2
        self._due = Clock.schedule_once(lambda _: self._next(), theme.movement_seconds(pause))

    def _next(self) -> None:
        """Turns the next card, unless something lies over the cards."""
        self._due = None
        if not self.app.stage.is_covered:
            self._down.pop().turn_face_up()
        if self._down:
            self._wait()

    def skip(self) -> None:
        """Turns all cards face up at once."""
        if self._due is not None:
            self._due.cancel()
            self._due = None
        self._down.clear()
        for place in self.places:
            place.skip()
        self._speak()

    def _speak(self, *_: object) -> None:
        self.ids.warned.show(self.seen, self.app.lang, is_demo=self.is_demo)
        for place in self.places:
            place.write_reason(self.app.lang)
        tr = self.app.tr
        texts = {"again": tr("Play again"), "put away": tr("Put away"), "shelf": tr("Past games")}
        for key in self._keys:
            key.text = texts[key.name]
        notes = () if self.about or self.seen.is_early else self.seen.notes
        self.notes.show([render(note, self.app.lang) for note in notes], tr("What happened"))
        self._share_soon()
        ended = tr("Ended early: the score so far") if self.seen.is_early else tr("Final score")
        self.heading = self.about or ended
        self._announce()

    def _announce(self, *_: object) -> None:
        """Announces the winner once every card is face up, with what the last answer led to."""
        are_up = all(place.turned == 1.0 for place in self.places)
        self.winners = self._won() if are_up else ""
        self.notes.opacity = float(are_up)
        if are_up and self.notes.texts and self.happened is None:
            Clock.schedule_once(self._open_notes, 0)  # once it has its size

    def _open_notes(self, _seconds: float) -> None:
        """Shows notes that don't fit below the cards over them, once; not in a demo."""
        is_seen = self.notes.parent is not None or self.happened is not None or self.is_demo
        if not is_seen and self.get_root_window() is not None:
            self.happened = EventsNotice(self.notes.fold.text, self.notes.texts)
            self.app.stage.show_overlay(self.happened)

    def _won(self) -> str:
        app, winners = self.app, self.result.winners
        if self.seen.is_early:
            return str(app.tr("Ended early"))
        if not winners:
            return str(app.tr("Nobody wins."))
        names = render(say_list(winners), app.lang)
        if len(winners) == 1:
            return str(app.tr("{name} wins!", name=names))
        return str(app.tr("{names} share the win!", names=names))

    def _open(self, standing: Standing) -> None:
        tr, lang = self.app.tr, self.app.lang
        body = SumSheet(standing, tr("Total"), tr("For information"), lang)
        open_sheet(standing.seat.name, body)

    def show_course(self) -> None:
        """Shows the score over time, with a way to the thinking times."""
        tr = self.app.tr
        moments = self._standing()
        nothing = tr("There is no history of the score.")
        body = Course(moments) if moments else Writing(text=nothing, lines=2)
        close, times = Choice("close", tr("Close"), look="brass"), self._thinking()
        if any(one.seconds for one in times):
            thinking = Choice("thinking", tr("Thinking times"), partial(self._show_thinking, times))
            open_sheet(tr("Score over time"), body, thinking, close)
        else:
            open_sheet(tr("Score over time"), body)

    def _show_thinking(self, times: Sequence[ThinkingTime]) -> None:
        open_sheet(self.app.tr("Thinking times"), Bars(times, self.app.lang))

    def show_code(self) -> None:
        """Shows names, ranks and totals for a phone's camera."""
        tr, lang = self.app.tr, self.app.lang
        code = Qr(score_summary(self.seen.game, self.result, lang))
        open_sheet(tr("Scan with a phone to see names, ranks and totals"), code)

    def on_parent(self, _widget: object, parent: object) -> None:
        """Stops the ceremony when the screen is removed."""
        if parent is None and self._due is not None:
            self._due.cancel()

    def on_touch_down(self, touch: Any) -> bool:
        """Turns all cards while the ceremony runs."""
        if self._due is not None or any(place.turned < 1.0 for place in self.places):
            self.skip()
            return True
        return bool(super().on_touch_down(touch))


# How one total came about: its sum, the reason of the rank, and values for information only.


MIN_LINES = 4
"""Lines that always fit on a sheet; more lines may need pages."""
LINES_OF_PAGE_KEYS = 2
"""Lines that the keys of a pager take."""
MIN_LINE_HEIGHT_IN_ROWS = 0.66
"""The least height of a line: two lines of its label."""
FRAME_ROWS = {True: 7, False: 3.4}
"""Rows of title, total and keys by `is_upright`; upright also of the reason and the headings."""
REASON_ROWS = 0.7
"""Rows that a reason takes."""


class SumLine(Drawn, BoxLayout):
    """A line with label and value; the total stands under a rule."""

    def __init__(self, label: str, value: int, *, last: bool = False, quiet: bool = False) -> None:
        super().__init__(spacing=theme.length.space, size_hint_max_y=theme.length.row)
        self.last = last
        style = "key" if last else "quiet" if quiet else "body"
        self.add_widget(Writing(text=label, style=style, lines=2))
        figure = Writing(text=str(value), style="quiet" if quiet else "digit", halign="right")
        figure.size_hint_x, figure.width = None, figure.across_at_best() + theme.length.line
        self.add_widget(figure)

    def draw(self) -> None:
        """The rule."""
        sizes = theme.length
        width = sizes.line if self.last else sizes.hair
        colour = theme.INK if self.last else theme.PAPER_LINE
        fill(colour, (self.x, self.top - width / 2, self.width, width), 0)


class SumSheet(BoxLayout):
    """The sum of a standing, its total and the reason of its rank, and values for information."""

    def __init__(self, standing: Standing, total: str, apart: str, lang: str) -> None:
        stage, row = running_app().stage, theme.length.row
        along = "vertical" if stage.is_upright else "horizontal"
        super().__init__(orientation=along, spacing=theme.length.margin)
        self._lang = lang
        count = len(standing.counted_lines) + len(standing.information_lines)
        around = FRAME_ROWS[stage.is_upright] + (
            REASON_ROWS if standing.reason and not stage.is_upright else 0
        )
        room = int((stage.page_size[1] - around * row) / (row * MIN_LINE_HEIGHT_IN_ROWS))
        self._fits = stage.is_upright and count <= room
        self._few = MIN_LINES if stage.is_upright and not self._fits else max(MIN_LINES, room)
        lines = self._lines(standing.counted_lines, cols=1 if standing.information_lines else 2)
        foot = [SumLine(total, standing.total, last=True)]
        if standing.reason:
            foot.append(Writing(text=render(standing.reason, lang), lines=2))
        self._lay(*lines, *map(_low, foot))
        if standing.information_lines:
            heading = _low(Writing(text=apart, style="quiet"))
            self._lay(heading, *self._lines(standing.information_lines, quiet=True), wide=1.25)

    def _lines(self, lines: Sequence[ScoreLine], *, cols: int = 1, quiet: bool = False) -> Sequence[Widget]:
        """Returns the lines one below the other, or as pages if there are too many."""
        ruled = [SumLine(render(one.label, self._lang), one.value, quiet=quiet) for one in lines]
        return ruled if len(ruled) <= self._few else [self._paged(ruled, cols)]

    def _paged(self, ruled: Sequence[SumLine], cols: int) -> Pager:
        rows = max(MIN_LINES - 1, self._few - LINES_OF_PAGE_KEYS)
        return Pager(things=ruled, cols=cols, rows=rows, between=(theme.length.space, 0), look="paper")

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


def save_record(app: AppWithEvening) -> None:
    """Asks for the file format, saves the record, and says where the file is or why there is none."""
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
        Choice(form, text, partial(run_or_explain, partial(write, form))) for form, text in forms.items()
    ]
    open_choice(tr("Save the record"), choices, Choice("close", tr("Close")), columns=1, tall=0.94)
