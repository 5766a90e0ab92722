"""Pages of the shelf behind home: the games that wait, those that are over, and who played them.

They change nothing; whoever made one hears which row was touched.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, ClassVar

from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.errors import CompanionError, StoreUnavailable, UserError
from companion.evening import UNFINISHED_STATES, Evening
from companion.log.log import PlayedDates
from companion.record import player_statistics
from companion.record.dates import game_date, parse_game_date, short_date_time
from companion.record.player_statistics import PlayerStatistics
from companion.store import SavedGame, Store
from companion.texts import render
from ui import theme
from ui.host import TableHost, running
from ui.pages import (
    Choice,
    Page,
    key,
    open_choice,
    open_dialog,
    open_page,
    open_sheet,
    run_or_explain,
    show_message,
    type_into,
)
from ui.screens import saved_games
from ui.screens.saved_games import stays_saved
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.surfaces import Drawn, inset, paper
from ui.widgets.drawing.symbols import draw_icon
from ui.widgets.drawing.text import Writing
from ui.widgets.keys.game_box import draw_cover
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.steppers import Dial
from ui.widgets.sheets.page_header import Head

ROW, UPRIGHT_ROW = 1.25, 1.8
"""A row is at least so high, in targets; upright its lines are short, and more."""


class ShelfRow(ButtonBehavior, Drawn, BoxLayout):
    """A row of paper: the picture on the box, a title over a line, and a word at its right end.

    Where it is `still` it only tells, and leads nowhere.
    """

    shows: ClassVar[tuple[str, ...]] = ("state",)
    name = StringProperty("")
    still = BooleanProperty(defaultvalue=False)

    def __init__(
        self, title: str, line: str = "", aside: str = "", cover: str | None = None, **kwargs: Any
    ) -> None:
        sizes = theme.length
        if aside and line and running().stage.is_upright:  # beside it there is no room for the title
            line, aside = f"{aside}   {line}", ""
        self._cover = cover
        left = sizes.space if cover is None else sizes.target * ROW + sizes.gap
        kwargs.setdefault("size_hint_max_y", _high() * 1.2)
        super().__init__(padding=(left, sizes.line, sizes.token, sizes.line), **kwargs)
        head = put(BoxLayout(spacing=sizes.gap), Writing(text=title, style="key"))
        if aside:
            put(head, Writing(text=aside, style="quiet" if line else "body", halign="right"))
        text = put(BoxLayout(orientation="vertical", padding=(0, sizes.line)), head)
        if line:
            head.size_hint_y, head.height = None, sizes.key * 1.4
            put(text, Writing(text=line, style="quiet", lines=4, line_height=1.0, abbreviates=True))
        put(self, text)

    def draw(self) -> None:
        """Paper, the picture, and the sign that it leads on."""
        sizes, down = theme.length, self.state == "down" and not self.still
        paper(self.box, sizes.line, theme.PAPER_PRESSED if down else theme.PAPER)
        x, y, _width, height = inset(self.box, sizes.gap / 2)
        if self._cover is not None:
            draw_cover(self._cover, (x, y, sizes.target * ROW - sizes.gap, height))
        if not self.still:
            side = sizes.smallest
            draw_icon("next", (self.right - side * 1.5, self.center_y - side / 2, side, side), theme.INK)


class ShelfPage(Page):
    """Rows made of `things`, page by page; `nothing` is said where there are none."""

    def __init__(
        self,
        title: str,
        things: Sequence[Any],
        make: Callable[[Any], Widget],
        nothing: str,
        keys: tuple[Widget, ...] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        sizes = theme.length
        high = running().stage.room[1] - sizes.target - 3 * sizes.gap
        rows = max(1, int((high + sizes.gap) // (_high() + sizes.gap)))
        self.pager = Pager(things=things, rows=rows, make=make, is_apart=True)
        empty = Writing(text=nothing, felt=True, halign="center", lines=3)
        self.lay_under(Head(title, (*self.pager.turning, *keys)), self.pager if things else empty)


class WaitingGames(ShelfPage):
    """The games that can go on."""

    __events__: tuple[str, ...] = ("on_game",)  # saved: that one goes on

    def __init__(self, unfinished: Sequence[SavedGame], title: str, **kwargs: Any) -> None:
        super().__init__(title, unfinished, self._row, "", **kwargs)

    def _row(self, saved: SavedGame) -> Widget:
        app = running()
        title, names = saved_games.title(app, saved), saved_games.names(app, saved)
        when, cover = " ".join(saved_games.last_played(app, saved)), saved_games.cover(saved)
        row = ShelfRow(title, names, when, cover, name=f"game {saved.number}")
        row.bind(on_release=lambda _: self.dispatch("on_game", saved))
        return row


class PastGames(ShelfPage):
    """The games that are over, the newest first, and how each of them ended."""

    __events__: tuple[str, ...] = (
        "on_game",  # saved: its score is wanted
        "on_people",  # who played them is wanted
    )

    def __init__(self, over: Sequence[SavedGame], **kwargs: Any) -> None:
        width = {"size_hint_x": None, "width": theme.length.target * 2.2}
        people = self.telling("on_people", name="regulars", look="felt", **width)
        super().__init__(**kwargs, things=over, make=self._row, keys=(people,))
        people.text = self.app.tr("Players")

    def _row(self, saved: SavedGame) -> Widget:
        app = running()
        title, ending = saved_games.title(app, saved), saved_games.ending(app, saved)
        when, cover = short_date_time(saved_games.facts(app, saved).play_dates), saved_games.cover(saved)
        row = ShelfRow(title, ending, when, cover, name=f"game {saved.number}")
        row.bind(on_release=lambda _: self.dispatch("on_game", saved))
        return row


class Regulars(ShelfPage):
    """Who played, how often, and how many games they won."""

    __events__: tuple[str, ...] = ("on_regular",)  # player: more of that one is wanted

    def __init__(self, found: Sequence[PlayerStatistics], **kwargs: Any) -> None:
        super().__init__(**kwargs, things=found, make=self._row)

    def _row(self, one: PlayerStatistics) -> Widget:
        row = ShelfRow(one.name, aside=counted(self.app, one), name=f"regular {one.name}")
        row.bind(on_release=lambda _: self.dispatch("on_regular", one))
        return row


def _high() -> float:
    """How high a row is at least."""
    targets = UPRIGHT_ROW if running().stage.is_upright else ROW
    return theme.length.target * targets


def counted(app: Any, one: PlayerStatistics) -> str:
    """How many games a player finished and how many they won."""
    games = app.trn("{n} game", "{n} games", one.games)
    return str(app.tr("{games}, {n} won", games=games, n=one.wins))


# The date of a game by hand, for a box whose clock nobody had set: year, month and day.


FIRST_YEAR, LAST_YEAR = 2026, 2099


class DatePage(Page):
    """`day` is shown first, such as 2026-11-24; `now` is the time, None where this machine doesn't know it.

    `is_by_hand`: there is a date by hand, which can be taken away. A day that can't be is said to be none.
    """

    __events__: tuple[str, ...] = ("on_done",)  # day: that is the date by hand; empty: none is

    def __init__(self, day: str, now: float | None, *, is_by_hand: bool, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(**kwargs)
        tr, self._now = self.app.tr, now
        year, month, number = map(int, day.split("-"))
        self.dials = [
            self._dial("year", tr("Year"), year, FIRST_YEAR, LAST_YEAR),
            self._dial("month", tr("Month"), month, 1, 12),
            self._dial("day", tr("Day"), number, 1, 31),
        ]
        along = "vertical" if running().stage.is_upright else "horizontal"
        row = put(BoxLayout(orientation=along, spacing=sizes.gap), *self.dials)
        self.sentence = Writing(felt=True, lines=2)
        self.take = self._key("take", "brass", tr("Done"), lambda: self.day)
        none = self._key("none", "felt", tr("Remove this date"), str)
        keys = put(
            BoxLayout(size_hint_y=None, height=sizes.row, spacing=sizes.gap),
            none if is_by_hand else Widget(),
            self.take,
        )
        self.lay_under(Head(tr("When was it played?")), self.sentence, row, keys)
        self._show()

    @property
    def day(self) -> str:
        """The date on the dials, be it none of the calendar."""
        year, month, day = (int(dial.count) for dial in self.dials)
        return f"{year:04}-{month:02}-{day:02}"

    def _done(self, day: str) -> None:
        self.close()
        self.dispatch("on_done", day)

    def _key(self, name: str, look: str, text: str, day: Any) -> Key:
        return key(name, text, lambda: self._done(day()), look=look, lines=2)

    def _dial(self, name: str, text: str, count: int, least: int, most: int) -> Dial:
        dial = Dial(name=name, text=text, count=count, least=least, most=most)
        type_into(dial)
        dial.bind(count=self._show)
        return dial

    def _show(self, *_: object) -> None:
        """Why a day can't be."""
        try:
            parse_game_date(self.day, self._now)
        except UserError as error:
            self.sentence.text, self.take.disabled = render(error.text, self.app.lang), True
        else:
            self.sentence.text, self.take.disabled = "", False


# The shelf behind home: games that wait and those that are over, who played them, and back again.
#
# It shows the pages and asks what is meant; the evening opens, looks back and forgets.


class Shelving:
    """`Shelving(app)`; then `waiting` or `past` shows that page, whose way back is home."""

    def __init__(self, app: TableHost) -> None:
        self.app = app
        self._page = 0

    # Games

    def waiting(self) -> None:
        """The games that can go on."""
        self._show(self._waiting)

    def _waiting(self) -> Widget:
        unfinished = self.app.controller.read(Evening.unfinished_games, [])
        page = WaitingGames(unfinished, self.app.tr("Unfinished games"))
        page.bind(on_game=lambda _, saved: self.resume(saved.number), on_close=lambda _: self.app.go_home())
        return page

    def resume(self, number: int) -> None:
        """Goes on with that game, or says why it can't go on."""
        for saved in self.app.controller.read(Evening.unfinished_games, []):
            if saved.number == number:
                try:
                    self.app.controller.go_on_with(saved)
                except CompanionError as error:
                    self._stuck(saved, error)

    def _stuck(self, saved: SavedGame, error: CompanionError) -> None:
        """Why a game can't go on; it may be deleted, unless it is the disk that can't be read."""
        if isinstance(error, StoreUnavailable):
            show_message(error.text)
        else:
            self._tell(saved, ", ".join(saved.names), render(error.text, self.app.lang))

    def past(self) -> None:
        """The games that are over."""
        self._page = 0
        self.back()

    def back(self) -> None:
        """Returns to the page of past games where people were."""
        self._show(self._past)

    def _past(self) -> Widget:
        tr = self.app.tr
        page = PastGames(
            self.app.controller.read(Evening.ended_games, []),
            title=tr("Past games"),
            nothing=tr("No game has ended yet. Finished games appear here with their scores."),
        )
        page.pager.page = self._page
        page.pager.bind(page=lambda _, at: setattr(self, "_page", at))
        page.bind(
            on_game=lambda _, saved: self._look_back(saved),
            on_people=lambda _: self.regulars(),
            on_close=lambda _: self.app.go_home(),
        )
        return page

    def _look_back(self, saved: SavedGame) -> None:
        """The score as it was; where the rules can't read the game any more, all that was kept of it."""
        controller, tr = self.app.controller, self.app.tr
        try:
            if saved.result is None:
                self._tell(saved, self._ending(saved), tr("There is no score for this game."))
            else:
                controller.look_back(saved)
        except CompanionError as error:
            self._tell(saved, self._ending(saved), render(error.text, self.app.lang))

    def _ending(self, saved: SavedGame) -> str:
        return saved_games.ending(self.app, saved)

    def more(self, saved: SavedGame) -> None:
        """What is known of a past game besides its score, and what can be done with it."""
        tr, facts = self.app.tr, saved_games.facts(self.app, saved)
        count = partial(self._count_game, saved, counts=not facts.is_counted)
        choices = [
            Choice("reopen", tr("Reopen"), partial(self.reopen, saved)),
            Choice("date", tr("Enter date"), partial(self._date, saved)),
            Choice("count", tr("Don't count") if facts.is_counted else tr("Count again"), count),
            Choice("delete", tr("Delete"), partial(self.delete, saved), "danger"),
        ]
        text = "\n".join(render(text, self.app.lang) for text in facts.sentences)
        close = Choice("close", tr("Close"), look="brass")
        title, columns = saved_games.title(self.app, saved), 2 if self.app.stage.is_upright else 4
        open_choice(title, choices, close, columns=columns, text=text)

    def reopen(self, saved: SavedGame) -> None:
        """Asks first; then the game lies on the table again."""
        tr = self.app.tr
        text = tr(
            "You can correct the game and put it away again. The record will say that the game was reopened."
        )
        if going := self.app.controller.read(Evening.find_open_game, None):
            text = f"{text}\n{stays_saved(self.app, going)}"
        reopen = partial(run_or_explain, partial(self.app.controller.reopen, saved))
        yes = Choice("yes", tr("Reopen"), reopen, "brass")
        open_dialog(tr("Reopen this game?"), text, Choice("no", tr("Change nothing")), yes)

    def _date(self, saved: SavedGame) -> None:
        """The date of a game by hand; what the machine knows of it, or today, is there first."""
        now, played = self._store.wall_clock(), self._store.play_dates(saved.number)
        day = game_date(played) or game_date(PlayedDates(now)) or f"{FIRST_YEAR}-01-01"
        page = DatePage(day, now, is_by_hand=bool(played.day))

        def take(_page: object, day: str) -> None:
            if self.app.controller.attempt(partial(self._store.set_date, saved.number, day)):
                self._changed(saved)

        page.bind(on_done=take)
        open_page(page)

    def _count_game(self, saved: SavedGame, *, counts: bool) -> None:
        do = player_statistics.include_game if counts else player_statistics.exclude_game
        if self.app.controller.attempt(partial(do, self._store, saved.number)):
            self._changed(saved)

    def _changed(self, saved: SavedGame) -> None:
        """The page below says it otherwise now, and so does what lies over it."""
        self.app.stage.rebuild()
        self.more(saved)

    def _tell(self, saved: SavedGame, known: str, why: str) -> None:
        """What is known of a game that can't be shown, and why it can't."""
        tr, title = self.app.tr, saved_games.title(self.app, saved)
        text = f"{known}\n\n{why}"
        first = Choice("delete", tr("Delete"), partial(self.delete, saved), "danger")
        if saved.state not in UNFINISHED_STATES:
            first = Choice("more", tr("More"), partial(self.more, saved))
        open_dialog(title, text, first, Choice("close", tr("Close"), look="brass"), is_large=True)

    def delete(self, saved: SavedGame) -> None:
        """Asks first; then the game is gone."""
        tr = self.app.tr

        def gone() -> None:
            if self.app.controller.attempt(partial(self._store.delete_game, saved.number)):
                self.app.controller.leave()
                (self.app.go_home if saved.state in UNFINISHED_STATES else self.back)()

        open_dialog(
            tr("Delete this game permanently?"),
            tr("You can't restore the game, and it will no longer count in anybody's statistics."),
            Choice("no", tr("Keep the game")),
            Choice("yes", tr("Delete"), gone, "danger"),
        )

    # People

    def regulars(self) -> None:
        """Who played, and how many games they won."""
        self._show(self._regulars)

    def _regulars(self) -> Widget:
        tr = self.app.tr
        nothing = tr("Players appear here after they have finished a game.")
        page = Regulars(self._players(), title=tr("Players"), nothing=nothing)
        page.bind(on_regular=lambda _, one: self._regular(one), on_close=lambda _: self.back())
        return page

    def _players(self) -> list[PlayerStatistics]:
        return self.app.controller.read(
            lambda evening: player_statistics.player_statistics(evening.store), []
        )

    def _regular(self, one: PlayerStatistics) -> None:
        """One of them, game by game."""
        tr = self.app.tr
        nothing: dict[str, PlayerStatistics] = {}
        found = self.app.controller.read(
            lambda evening: player_statistics.statistics_by_game(evening.store, one.name), nothing
        )
        rows = [
            ShelfRow(saved_games.game_title(self.app, game), aside=counted(self.app, each), still=True)
            for game, each in found.items()
        ]
        body = Pager(things=rows, rows=self._rows, look="paper")
        open_sheet(
            f"{one.name}: {counted(self.app, one)}",
            body,
            Choice("forget", tr("Forget"), partial(self._forget, one), "danger"),
            Choice("same", tr("Same person as …"), partial(self._same, one)),
            Choice("close", tr("Close"), look="brass"),
        )

    @property
    def _store(self) -> Store:
        return self.app.evening.store

    @property
    def _rows(self) -> int:
        """How many rows a sheet holds."""
        return 8 if self.app.stage.is_upright else 4

    def _forget(self, one: PlayerStatistics) -> None:
        tr = self.app.tr
        forget = partial(player_statistics.delete_player, self._store, one.name)
        open_dialog(
            tr("Forget {name}?", name=one.name),
            tr(
                "{name}'s games so far will no longer count. The games themselves won't be deleted.",
                name=one.name,
            ),
            Choice("no", tr("Keep the results")),
            Choice("yes", tr("Forget"), partial(self._count, forget), "danger"),
        )

    def _same(self, one: PlayerStatistics) -> None:
        """Asks for the name under which the games of two names of one person count from now on."""
        others = [other.name for other in self._players() if other.name != one.name]
        choices = [
            Choice(
                f"into {name}",
                name,
                partial(self._count, partial(player_statistics.merge_players, self._store, one.name, name)),
            )
            for name in others
        ]
        title = self.app.tr("{name} is the same person as …", name=one.name)
        open_choice(title, choices, rows=self._rows, lines=1)

    def _count(self, do: Callable[[], None]) -> None:
        """Counts otherwise, and shows it or why that can't be."""
        if run_or_explain(do):
            self.regulars()

    def _show(self, make: Callable[[], Widget]) -> None:
        self.app.stage.show(make)
