"""Unfinished games, past games and their players: the pages, and what people do with a saved game.

The pages change nothing; their owner handles touches of rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar, NamedTuple

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.errors import CompanionError, StoreUnavailable, UserError
from companion.evening import UNFINISHED_STATES, Evening
from companion.log.log import PlayDates
from companion.record import player_statistics
from companion.record.dates import game_date, parse_game_date
from companion.record.player_records import (
    GamesOfOneEvening,
    TitleRecords,
    TitleSummary,
    find_title_records,
    group_by_evening,
    summarize_player,
)
from companion.record.player_statistics import CountedGame, PlayerStatistics
from companion.store import SavedGame, Store
from companion.texts import render
from ui import theme
from ui.host import AppWithEvening, get_companion_app
from ui.pages import (
    DialogChoice,
    Page,
    make_key,
    open_choice_dialog,
    open_dialog,
    open_full_screen_dialog,
    open_number_pad_on_touch,
    open_page,
    run_or_explain,
    show_message,
)
from ui.screens import saved_games
from ui.screens.saved_games import stays_saved_sentence
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import AutoRedrawWidget, draw_paper, inset_box
from ui.widgets.drawing.symbols import draw_icon
from ui.widgets.drawing.text import FittedLabel, measure_text_width
from ui.widgets.keys.game_box import draw_cover_image
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.steppers import TypableStepper
from ui.widgets.sheets.player_charts import PlayerScoreBars, ResultDots

PAST_GAME_COLUMN_SHARES = (0.95, 1.15, 1.35)
"""Shares of the width that the title, the ending and the players of a past game get."""
MAX_PAST_GAME_LINES = 3
"""The most lines of the ending and of the players in a row that isn't upright."""
TWO_LINES_HEIGHT_SHARE = 1.6
"""The height of two lines in an upright row, in heights of one line."""
WIDEST_DATE = "2000-00-00"
RECORDS_TITLE_SHARE = 0.24
"""The share of the width of a row of records for the game's title."""
RECORD_COLUMN_SHARES = (0.42, 0.13, 0.45)
"""Shares of the width that the label, the value and the names of a record get."""
RECORD_LINE_HEIGHT_EM = 1.2
"""The least height of a line of a record, in heights of the smallest letters."""
MAX_ROW_GROWTH = 1.2
"""The greatest height of a row, in least heights."""
MIN_ROW_HEIGHT_IN_TARGETS, MIN_UPRIGHT_ROW_HEIGHT_IN_TARGETS = 1.25, 1.8
"""The least heights of a row. On an upright screen lines are shorter, so that a row has more of them."""


class PaperRow(ButtonBehavior, AutoRedrawWidget, BoxLayout):
    """A row of paper with the picture of a game's box, if it has one.

    An `is_static` row can't be touched.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("state",)
    name = StringProperty("")
    is_static = BooleanProperty(defaultvalue=False)

    def __init__(self, cover_path: str | None, **kwargs: Any) -> None:
        sizes = theme.length
        self._cover = cover_path
        kwargs.setdefault("size_hint_max_y", _min_row_height() * MAX_ROW_GROWTH)
        super().__init__(padding=(_left_padding(cover_path), sizes.line, sizes.token, sizes.line), **kwargs)

    def draw(self) -> None:
        """Draws the row: paper, the picture, and an arrow if the row can be touched."""
        sizes, down = theme.length, self.state == "down" and not self.is_static
        draw_paper(self.box, sizes.line, theme.PAPER_PRESSED if down else theme.PAPER)
        x, y, _width, height = inset_box(self.box, sizes.gap / 2)
        if self._cover is not None:
            draw_cover_image(
                self._cover, (x, y, sizes.target * MIN_ROW_HEIGHT_IN_TARGETS - sizes.gap, height)
            )
        if not self.is_static:
            side = sizes.smallest
            draw_icon("next", (self.right - side * 1.5, self.center_y - side / 2, side, side), theme.INK)


def _left_padding(cover_path: str | None) -> float:
    """Returns the padding at the left of a row, which has room for the picture if there is one."""
    sizes = theme.length
    return sizes.space if cover_path is None else sizes.target * MIN_ROW_HEIGHT_IN_TARGETS + sizes.gap


def _row_text_width(cover_path: str | None) -> float:
    """Returns the width of the texts of a row on a page."""
    sizes = theme.length
    page_width = get_companion_app().stage.next_page_size[0] - 2 * sizes.gap
    return float(page_width - _left_padding(cover_path) - sizes.token)


class TitledPaperRow(PaperRow):
    """A row for a game or a player: a title over a line, and a word at the right.

    A player's row has no picture. `has_names`: the line has names of people, so that it may be shortened.
    """

    def __init__(
        self,
        title: str,
        line: str = "",
        right_text: str = "",
        cover_path: str | None = None,
        *,
        has_names: bool = True,
        **kwargs: Any,
    ) -> None:
        sizes = theme.length
        if right_text and line and get_companion_app().stage.is_next_page_portrait:
            line, right_text = f"{right_text}   {line}", ""  # a text on the right leaves the title no room
        super().__init__(cover_path, **kwargs)
        head = add_children(
            BoxLayout(spacing=sizes.gap),
            FittedLabel(text=title, style="key", lines=1 if line else 3, line_height=1.0, abbreviates=True),
        )
        if right_text:
            add_children(
                head,
                FittedLabel(
                    text=right_text,
                    style="note",
                    halign="right",
                    lines=2,
                    line_height=1.0,
                ),
            )
        text = add_children(BoxLayout(orientation="vertical", padding=(0, sizes.line)), head)
        if line:
            head.size_hint_y, head.height = None, sizes.key * 1.4
            add_children(
                text, FittedLabel(text=line, style="note", lines=4, line_height=1.0, abbreviates=has_names)
            )
        add_children(self, text)


class PastGameRow(PaperRow):
    """A row for a past game: its date, its title, who won, and who played.

    They are in columns, which are the same in every row. On an upright screen, who won and who played are
    below each other. `describe_ending` returns the ending in a width and a number of lines.
    """

    def __init__(
        self,
        date: str,
        title: str,
        describe_ending: Callable[[float, int], str],
        player_names: Sequence[str],
        cover_path: str,
        **kwargs: Any,
    ) -> None:
        sizes, stage = theme.length, get_companion_app().stage
        super().__init__(cover_path, **kwargs)
        date_width = measure_text_width(WIDEST_DATE, sizes.note, bold=False) + 1
        self._width = _row_text_width(cover_path)
        self._date = FittedLabel(text=date, style="note", lines=2, size_hint_x=None, width=date_width)
        self._title = FittedLabel(text=title, style="key", lines=2, abbreviates=True)
        self._describe_ending, self._player_names = describe_ending, player_names
        (self._arrange_upright if stage.is_next_page_portrait else self._arrange_in_columns)()

    def _arrange_in_columns(self) -> None:
        self.spacing = theme.length.space
        width = self._width - self._date.width - len(PAST_GAME_COLUMN_SHARES) * self.spacing
        _, ending_width, names_width = (
            width * share / sum(PAST_GAME_COLUMN_SHARES) for share in PAST_GAME_COLUMN_SHARES
        )
        columns = (
            self._title,
            self._make_ending(ending_width, MAX_PAST_GAME_LINES),
            self._make_names(names_width, MAX_PAST_GAME_LINES),
        )
        for label, share in zip(columns, PAST_GAME_COLUMN_SHARES, strict=True):
            label.size_hint_x = share
        add_children(self, self._date, *columns)

    def _arrange_upright(self) -> None:
        self.orientation = "vertical"
        head = add_children(BoxLayout(spacing=theme.length.space, size_hint_y=1.1), self._date, self._title)
        ending, names = self._make_ending(self._width, 1), self._make_names(self._width, 2)
        if not saved_games.has_room_in_lines(ending.text, self._width, 1):
            ending = self._make_ending(self._width, 2)
            ending.size_hint_y = TWO_LINES_HEIGHT_SHARE
        names.size_hint_y = TWO_LINES_HEIGHT_SHARE
        add_children(self, head, ending, names)

    def _make_ending(self, width: float, lines: int) -> FittedLabel:
        return FittedLabel(
            text=self._describe_ending(width, lines), style="note", lines=lines, line_height=1.0
        )

    def _make_names(self, width: float, lines: int) -> FittedLabel:
        names = saved_games.join_names_that_fit(self._player_names, width, lines)
        return FittedLabel(text=names, style="note", lines=lines, line_height=1.0)


class RecordsRow(PaperRow):
    """A row for the records of a game: its title and how many games count, and a line for each record.

    Labels, values and names of the entries are in columns, which are the same in every row.
    """

    def __init__(self, title: str, games: str, entries: Sequence[RecordLine], **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(None, is_static=True, **kwargs)
        self.spacing = sizes.space
        title_label = FittedLabel(text=title, style="key", lines=2, line_height=1.0, size_hint_y=1.8)
        title_width = _row_text_width(None) * RECORDS_TITLE_SHARE
        head = BoxLayout(orientation="vertical", size_hint_x=None, width=title_width)
        add_children(head, title_label, FittedLabel(text=games, style="note"))
        table = BoxLayout(orientation="vertical", padding=(0, sizes.line))
        add_children(self, head, add_children(table, *map(_make_record_row, entries)))


class RecordLine(NamedTuple):
    """A record in a row: a label, a value and the names of who holds it."""

    label: str
    value: str
    names: Sequence[str]

    @property
    def line_count(self) -> int:
        """The lines that the entry takes: two if a name is too long for one."""
        return 1 if saved_games.has_room_in_lines(self.names_in_lines(1), _record_names_width(), 1) else 2

    def names_in_lines(self, lines: int) -> str:
        """Returns as many of the names as fit in that number of lines."""
        return saved_games.join_names_that_fit(self.names, _record_names_width(), lines)


def _record_names_width() -> float:
    """Returns the width of the column with the names of who holds a record."""
    return (
        _row_text_width(None) * (1 - RECORDS_TITLE_SHARE) - 3 * theme.length.space
    ) * RECORD_COLUMN_SHARES[-1]


def _min_records_height(entries: Sequence[RecordLine]) -> float:
    """Returns the least height of a row with these records."""
    lines = sum(entry.line_count for entry in entries)
    return max(_min_row_height(), lines * theme.length.smallest * RECORD_LINE_HEIGHT_EM)


def _make_record_row(entry: RecordLine) -> BoxLayout:
    """Returns the line of a record; its columns have the shares of `RECORD_COLUMN_SHARES`."""
    label_share, value_share, names_share = RECORD_COLUMN_SHARES
    lines = entry.line_count
    names = FittedLabel(text=entry.names_in_lines(lines), style="note", lines=lines, line_height=1.0)
    names.size_hint_x = names_share
    return add_children(
        BoxLayout(spacing=theme.length.space, size_hint_y=lines),
        FittedLabel(text=entry.label, style="note", size_hint_x=label_share),
        FittedLabel(text=entry.value, style="seal", halign="right", size_hint_x=value_share),
        names,
    )


class RowListPage(Page):
    """A page with a list of rows, one for each of `items`; long lists have several pages.

    `build_row` builds a row, at least `min_row_height` high. `empty_text` is shown if there are no things.
    """

    def __init__(
        self,
        title: str,
        items: Sequence[Any],
        build_row: Callable[[Any], Widget],
        empty_text: str,
        keys: tuple[Widget, ...] = (),
        min_row_height: float = 0.0,
    ) -> None:
        super().__init__()
        sizes = theme.length
        height = self.app.stage.next_page_size[1] - sizes.target - 3 * sizes.gap
        row_height = max(min_row_height, _min_row_height())
        rows = max(1, int((height + sizes.gap) // (row_height + sizes.gap)))
        self.pager = Pager(items=items, rows=rows, make=build_row, has_external_keys=True)
        empty = FittedLabel(text=empty_text, is_on_felt=True, halign="center", lines=3)
        self.add_content(
            title, self.pager if items else empty, keys_beside_title=(*self.pager.page_keys_for_title, *keys)
        )


def _min_row_height() -> float:
    targets = (
        MIN_UPRIGHT_ROW_HEIGHT_IN_TARGETS
        if get_companion_app().stage.is_next_page_portrait
        else MIN_ROW_HEIGHT_IN_TARGETS
    )
    return theme.length.target * targets


def describe_games_and_wins(app: Any, games: int, wins: int) -> str:
    """Returns how many games a player finished and won, as a sentence."""
    return str(app.tr("{games}, {n} won", games=app.trn("{n} game", "{n} games", games), n=wins))


# The date of a game by hand, for a machine whose clock wasn't set.


MIN_GAME_YEAR, MAX_GAME_YEAR = 2026, 2099


class GameDatePage(Page):
    """A page that asks for the date of a game, with steppers for year, month and day.

    `day` is shown first. `now` is the time, None if it isn't known. `on_date` gets the date that people set.
    `is_by_hand`: people have set a date; if they remove it, `on_date` gets "". The page says if a date
    doesn't exist.
    """

    def __init__(
        self, day: str, now: float | None, on_date: Callable[[str], object], *, is_by_hand: bool
    ) -> None:
        sizes = theme.length
        super().__init__()
        self._on_date = on_date
        tr, self._now = self.app.tr, now
        year, month, number = map(int, day.split("-"))
        self.dials = [
            self._dial("year", tr("Year"), year, MIN_GAME_YEAR, MAX_GAME_YEAR),
            self._dial("month", tr("Month"), month, 1, 12),
            self._dial("day", tr("Day"), number, 1, 31),
        ]
        orientation = "vertical" if self.app.stage.is_next_page_portrait else "horizontal"
        row = add_children(BoxLayout(orientation=orientation, spacing=sizes.gap), *self.dials)
        self.problem_label = FittedLabel(is_on_felt=True, lines=2)
        self.done_key = self._key("take", "brass", tr("Done"), lambda: self.entered_date)
        remove = self._key("none", "felt", tr("Remove this date"), str)
        keys = add_children(
            BoxLayout(size_hint_y=None, height=sizes.row, spacing=sizes.gap),
            remove if is_by_hand else Widget(),
            self.done_key,
        )
        self.add_content(tr("When was it played?"), self.problem_label, row, keys)
        self._validate()

    @property
    def entered_date(self) -> str:
        """Returns the date on the steppers, which may not be in the calendar."""
        year, month, day = (int(dial.count) for dial in self.dials)
        return f"{year:04}-{month:02}-{day:02}"

    def _done(self, day: str) -> None:
        self.close()
        self._on_date(day)

    def _key(self, name: str, look: str, text: str, get_date: Callable[[], str]) -> Key:
        return make_key(name, text, lambda: self._done(get_date()), look=look, lines=2)

    def _dial(self, name: str, text: str, count: int, least: int, most: int) -> TypableStepper:
        dial = TypableStepper(name=name, text=text, count=count, least=least, most=most)
        open_number_pad_on_touch(dial)
        dial.bind(count=self._validate)
        return dial

    def _validate(self, *_: object) -> None:
        """Shows why the date isn't allowed, if it isn't, and disables the key that takes it."""
        try:
            parse_game_date(self.entered_date, self._now)
        except UserError as error:
            self.problem_label.text, self.done_key.disabled = render(error.text, self.app.lang), True
        else:
            self.problem_label.text, self.done_key.disabled = "", False


# The flow from home to unfinished and past games and their players, and back.
#
# It shows the pages and asks before it changes something; the controller and the store do the changes.


class PastGamesFlow:
    """Shows unfinished games, past games and their players; the back key leads home."""

    def __init__(self, app: AppWithEvening) -> None:
        self.app = app
        self._page_index = 0
        self._counted_games: list[CountedGame] = []

    # Games

    def show_unfinished_games(self) -> None:
        """Shows the games that people can continue."""
        self.app.stage.replace_screen(self._make_unfinished_page)

    def _make_unfinished_page(self) -> Widget:
        unfinished = self.app.controller.read_store(Evening.unfinished_games, [])
        page = RowListPage(self.app.tr("Unfinished games"), unfinished, self._make_unfinished_row, "")
        page.bind(on_close=lambda _: self.app.show_home())
        return page

    def _make_unfinished_row(self, saved: SavedGame) -> Widget:
        """Returns the row of a game that people can continue."""
        app, path = self.app, saved_games.cover_path(saved)
        played_at = saved_games.last_played_date_and_time(app, saved)
        is_upright = app.stage.is_next_page_portrait

        def describe(names: str) -> str:
            return "   ".join([*([played_at] if played_at and is_upright else []), names])

        row = TitledPaperRow(
            saved_games.saved_game_title(app, saved),
            saved_games.join_names_that_fit(
                saved.names, _row_text_width(path), 3 if is_upright else 2, describe
            ),
            "" if is_upright else played_at,
            path,
            name=f"game {saved.number}",
            has_names=False,
        )
        row.bind(on_release=lambda _: self.resume_game(saved.number))
        return row

    def resume_game(self, game_number: int) -> None:
        """Continues a game, or explains why it can't."""
        for saved in self.app.controller.read_store(Evening.unfinished_games, []):
            if saved.number == game_number:
                try:
                    self.app.controller.continue_saved_game(saved)
                except CompanionError as error:
                    self._explain_why_stuck(saved, error)

    def _explain_why_stuck(self, saved: SavedGame, error: CompanionError) -> None:
        """Explains why a game can't be continued.

        People may delete the game, unless the disk can't be read.
        """
        if isinstance(error, StoreUnavailable):
            show_message(error.text)
        else:
            self._show_known_details(saved, ", ".join(saved.names), render(error.text, self.app.lang))

    def show_past_games(self) -> None:
        """Shows the games that are over."""
        self._page_index = 0
        self.return_to_past_games()

    def return_to_past_games(self) -> None:
        """Shows past games again, at the page shown before."""
        self.app.stage.replace_screen(self._make_past_games_page)

    def _make_past_games_page(self) -> Widget:
        tr = self.app.tr
        width = theme.length.target * 2.2
        page = RowListPage(
            tr("Past games"),
            self.app.controller.read_store(Evening.past_games, []),
            self._make_past_game_row,
            tr("No game has ended yet. Finished games appear here with their scores."),
            (
                make_key(
                    "records", "", self.show_records, width_px=theme.length.target, look="felt", icon="chart"
                ),
                make_key("regulars", tr("Players"), self.show_players, width_px=width, look="felt"),
            ),
        )
        page.pager.page = self._page_index
        page.pager.bind(page=lambda _, page_index: setattr(self, "_page_index", page_index))
        page.bind(on_close=lambda _: self.app.show_home())
        return page

    def _make_past_game_row(self, saved: SavedGame) -> Widget:
        """Returns the row of a game that is over."""
        app = self.app
        row = PastGameRow(
            saved_games.describe_date(app, game_date(saved_games.saved_game_facts(app, saved).play_dates)),
            saved_games.saved_game_title(app, saved),
            partial(saved_games.describe_winners, app, saved),
            saved.names,
            saved_games.cover_path(saved),
            name=f"game {saved.number}",
        )
        row.bind(on_release=lambda _: self._open_past_game(saved))
        return row

    def _open_past_game(self, saved: SavedGame) -> None:
        """Shows the score of a past game; if its rules can't read the game, the known details."""
        if saved.result is None:
            problem = self.app.tr("There is no score for this game.")
        else:
            try:
                self.app.controller.show_past_game(saved)
            except CompanionError as error:
                problem = render(error.text, self.app.lang)
            else:
                return
        self._show_known_details(saved, saved_games.describe_ending_and_duration(self.app, saved), problem)

    def show_game_details(self, saved: SavedGame) -> None:
        """Shows the details of a past game besides its score, and what people can do with it."""
        tr, facts = self.app.tr, saved_games.saved_game_facts(self.app, saved)
        count = partial(self._count_game, saved, counts=not facts.is_counted)
        choices = [
            DialogChoice("reopen", tr("Reopen"), partial(self.ask_to_reopen, saved)),
            DialogChoice("date", tr("Enter date"), partial(self._open_date_page, saved)),
            DialogChoice("count", tr("Don't count") if facts.is_counted else tr("Count again"), count),
            DialogChoice("delete", tr("Delete"), partial(self.ask_to_delete, saved), "danger"),
        ]
        text = "\n".join(render(text, self.app.lang) for text in facts.sentences)
        close = DialogChoice("close", tr("Close"), look="brass")
        title = saved_games.saved_game_title(self.app, saved)
        columns = 2 if self.app.stage.is_next_page_portrait else 3
        open_choice_dialog(title, choices, close, columns=columns, explanation=text)

    def ask_to_reopen(self, saved: SavedGame) -> None:
        """Asks whether to reopen a past game, which people then continue."""
        tr = self.app.tr
        text = tr(
            "You can correct the game and put it away again. The record will say that the game was reopened."
        )
        if open_game := self.app.controller.read_store(Evening.find_open_game, None):
            text = f"{text}\n{stays_saved_sentence(self.app, open_game)}"
        reopen = partial(run_or_explain, partial(self.app.controller.reopen_past_game, saved))
        yes = DialogChoice("yes", tr("Reopen"), reopen, "brass")
        open_dialog(tr("Reopen this game?"), text, DialogChoice("no", tr("Keep it")), yes)

    def _open_date_page(self, saved: SavedGame) -> None:
        """Opens the page that sets the date of a game; it starts with the known date, or today.

        Nobody knows whether a clock that wasn't set is right, but its date is nearer than any other.
        """
        now, play_dates = self._store.wall_clock(), self._store.play_dates(saved.number)
        today = game_date(PlayDates(time.time() if now is None else now))
        first_day = max(game_date(play_dates) or today or "", f"{MIN_GAME_YEAR}-01-01")

        def set_date(day: str) -> None:
            if self.app.controller.try_or_refuse(partial(self._store.set_play_date, saved.number, day)):
                self._refresh(saved)

        open_page(GameDatePage(first_day, now, set_date, is_by_hand=bool(play_dates.entered_date)))

    def _count_game(self, saved: SavedGame, *, counts: bool) -> None:
        change = (
            player_statistics.include_in_statistics if counts else player_statistics.exclude_from_statistics
        )
        if self.app.controller.try_or_refuse(partial(change, self._store, saved.number)):
            self._refresh(saved)

    def _refresh(self, saved: SavedGame) -> None:
        """Shows the list and the details of a game again after a change."""
        self.app.stage.rebuild_screen()
        self.show_game_details(saved)

    def _show_known_details(self, saved: SavedGame, details: str, problem: str) -> None:
        """Shows the known details of a game that can't be opened, and the reason."""
        tr, title = self.app.tr, saved_games.saved_game_title(self.app, saved)
        text = f"{details}\n\n{problem}"
        if saved.state in UNFINISHED_STATES:
            first = DialogChoice("delete", tr("Delete"), partial(self.ask_to_delete, saved), "danger")
        else:
            first = DialogChoice("more", tr("More"), partial(self.show_game_details, saved))
        open_dialog(title, text, first, DialogChoice("close", tr("Close"), look="brass"), is_full_screen=True)

    def ask_to_delete(self, saved: SavedGame) -> None:
        """Asks whether to delete a game for good."""
        tr = self.app.tr

        def delete() -> None:
            if self.app.controller.try_or_refuse(partial(self._store.delete_game, saved.number)):
                self.app.controller.leave_table()
                (self.app.show_home if saved.state in UNFINISHED_STATES else self.return_to_past_games)()

        open_dialog(
            tr("Delete this game permanently?"),
            tr("You can't restore the game, and it will no longer count in anybody's statistics."),
            DialogChoice("no", tr("Keep the game")),
            DialogChoice("yes", tr("Delete"), delete, "danger"),
        )

    # Players

    def show_players(self) -> None:
        """Shows the players, how many games they won, and their last results."""
        self.app.stage.replace_screen(self._make_players_page)

    def _make_players_page(self) -> Widget:
        tr = self.app.tr
        empty_text = tr("Players appear here after they have finished a game.")
        self._counted_games = self._load_counted_games()
        page = RowListPage(tr("Players"), self._load_players(), self._make_player_row, empty_text)
        page.bind(on_close=lambda _: self.return_to_past_games())
        return page

    def _make_player_row(self, player: PlayerStatistics) -> Widget:
        """Returns the row of a player: games finished and won, win rate, and the last results as dots."""
        summary = summarize_player(self._counted_games, player.name)
        counts = describe_games_and_wins(self.app, player.games, player.wins)
        line = f"{counts}   {summary.win_percent} %"
        row = TitledPaperRow(player.name, line, name=f"regular {player.name}", has_names=False)
        add_children(row, ResultDots(summary.last_results))
        row.bind(on_release=lambda _: self._show_player(player))
        return row

    def _load_players(self) -> list[PlayerStatistics]:
        return self.app.controller.read_store(
            lambda evening: player_statistics.statistics_of_all_players(evening.store), []
        )

    def _load_counted_games(self) -> list[CountedGame]:
        return self.app.controller.read_store(Evening.counted_games, [])

    def _show_player(self, player: PlayerStatistics) -> None:
        """Shows one player: each game with best and average score and a chart, then each opponent."""
        tr, lang = self.app.tr, self.app.lang
        summary = summarize_player(self._load_counted_games(), player.name)
        rows: list[Widget] = []
        for title in summary.by_title:
            counts = describe_games_and_wins(self.app, title.games, title.wins)
            line = f"{counts}   {render(title.text, lang)}"
            row = TitledPaperRow(render(title.title, lang), line, name=f"scores {len(rows)}", has_names=False)
            row.bind(on_release=lambda _, title=title: self._show_scores(player, title))
            rows.append(row)
        rows += [
            TitledPaperRow(
                tr("Against {name}", name=pair.name), right_text=render(pair.text, lang), is_static=True
            )
            for pair in summary.opponents
        ]
        # On an upright screen the three keys are below each other.
        rows_per_page = self._tall_rows_per_page - (2 if self.app.stage.is_next_page_portrait else 1)
        body = Pager(items=rows, rows=max(1, rows_per_page), look="paper")
        open_full_screen_dialog(
            f"{player.name}: {describe_games_and_wins(self.app, player.games, player.wins)}",
            body,
            DialogChoice("forget", tr("Forget"), partial(self._ask_to_forget, player), "danger"),
            DialogChoice("same", tr("Same person as …"), partial(self._ask_same_person, player)),
            DialogChoice("close", tr("Close"), look="brass"),
        )

    def _show_scores(self, player: PlayerStatistics, title: TitleSummary) -> None:
        """Shows the scores of one player in one game as bars."""
        text = render(title.text, self.app.lang)
        bars = PlayerScoreBars(title.results, title.average, text)
        open_full_screen_dialog(f"{player.name}: {render(title.title, self.app.lang)}", bars)

    # Records and evenings

    def show_records(self) -> None:
        """Shows the records of each game."""
        self.app.stage.replace_screen(self._make_records_page)

    def _make_records_page(self) -> Widget:
        tr, width = self.app.tr, theme.length.target * 2.2
        evenings_key = make_key("evenings", tr("Evenings"), self.show_evenings, width_px=width, look="felt")
        records = find_title_records(self._load_counted_games())
        page = RowListPage(
            tr("Records"),
            records,
            self._make_records_row,
            tr("No game has been finished yet."),
            (evenings_key,),
            max((_min_records_height(self._record_lines(each)) for each in records), default=0.0),
        )
        page.bind(on_close=lambda _: self.return_to_past_games())
        return page

    def _make_records_row(self, records: TitleRecords) -> Widget:
        """Returns the row of a game, with its records."""
        lang = self.app.lang
        title, games = render(records.title, lang), render(records.games_text, lang)
        if self.app.stage.is_next_page_portrait:  # columns would have no room for names of twenty letters
            sentences = "   ".join(render(sentence, lang) for sentence in records.sentences)
            return TitledPaperRow(title, sentences, games, is_static=True)
        entries = self._record_lines(records)
        max_height = _min_records_height(entries) * MAX_ROW_GROWTH
        return RecordsRow(title, games, entries, size_hint_max_y=max_height)

    def _record_lines(self, records: TitleRecords) -> list[RecordLine]:
        """Returns the records of a game as a row on a wide screen shows them; none on an upright one."""
        if self.app.stage.is_next_page_portrait:
            return []
        lang = self.app.lang
        return [RecordLine(render(each.label, lang), each.value, each.names) for each in records.entries]

    def show_evenings(self) -> None:
        """Shows the evenings on which games were played."""
        self.app.stage.replace_screen(self._make_evenings_page)

    def _make_evenings_page(self) -> Widget:
        tr = self.app.tr
        evenings = group_by_evening(self._load_counted_games())
        page = RowListPage(
            tr("Evenings"), evenings, self._make_evening_row, tr("No game has been finished yet.")
        )
        page.bind(on_close=lambda _: self.show_records())
        return page

    def _make_evening_row(self, evening: GamesOfOneEvening) -> Widget:
        """Returns the row of an evening: its date, how many games, and who won how many."""
        lang = self.app.lang
        title, games = self._title_of_evening(evening), render(evening.games_text, lang)
        winners = self.app.tr("Won: {names}", names=render(evening.winners_text, lang))
        row = TitledPaperRow(
            title, winners if evening.wins_by_name else games, games, name=f"evening {title}"
        )
        row.bind(on_release=lambda _: self._show_evening(evening))
        return row

    def _title_of_evening(self, evening: GamesOfOneEvening) -> str:
        return saved_games.describe_date(self.app, evening.date)

    def _show_evening(self, evening: GamesOfOneEvening) -> None:
        """Shows the games of an evening, with the results."""
        lang = self.app.lang
        rows = [
            TitledPaperRow(
                render(game.title, lang),
                "   ".join(result.text for result in game.results),
                is_static=True,
            )
            for game in evening.games
        ]
        body = Pager(items=rows, rows=self._tall_rows_per_page, look="paper")
        open_full_screen_dialog(self._title_of_evening(evening), body)

    @property
    def _store(self) -> Store:
        return self.app.evening.store

    @property
    def _rows_per_page(self) -> int:
        """Returns how many rows fit in a dialog."""
        return theme.grow_count(8 if self.app.stage.is_next_page_portrait else 4)

    @property
    def _tall_rows_per_page(self) -> int:
        """Returns how many rows fit in a dialog if a row has a line below its title."""
        return theme.grow_count(6 if self.app.stage.is_next_page_portrait else 3)

    def _ask_to_forget(self, player: PlayerStatistics) -> None:
        tr = self.app.tr
        forget = partial(player_statistics.delete_player_statistics, self._store, player.name)
        open_dialog(
            tr("Forget {name}?", name=player.name),
            tr(
                "{name}'s games so far will no longer count. The games themselves won't be deleted.",
                name=player.name,
            ),
            DialogChoice("no", tr("Keep the results")),
            DialogChoice("yes", tr("Forget"), partial(self._change_statistics, forget), "danger"),
        )

    def _ask_same_person(self, player: PlayerStatistics) -> None:
        """Asks under which other name the games of a player count from now on."""
        merge = player_statistics.merge_players
        choices = [
            DialogChoice(
                f"into {other.name}",
                other.name,
                partial(self._change_statistics, partial(merge, self._store, player.name, other.name)),
            )
            for other in self._load_players()
            if other.name != player.name
        ]
        title = self.app.tr("{name} is the same person as …", name=player.name)
        open_choice_dialog(title, choices, rows_per_page=self._rows_per_page, lines=1)

    def _change_statistics(self, change: Callable[[], None]) -> None:
        """Changes the statistics and shows the players again, or explains why it can't."""
        if run_or_explain(change):
            self.show_players()
