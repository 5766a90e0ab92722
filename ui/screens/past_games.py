"""Unfinished games, past games and their players: the pages, and what people do with a saved game.

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
from ui.host import AppWithEvening, running_app
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
from ui.screens.saved_games import stays_saved_sentence
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.surfaces import Drawn, inset, paper
from ui.widgets.drawing.symbols import draw_icon
from ui.widgets.drawing.text import Writing
from ui.widgets.keys.game_box import draw_cover
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.steppers import Dial

MIN_ROW_HEIGHT_IN_TARGETS, MIN_UPRIGHT_ROW_HEIGHT_IN_TARGETS = 1.25, 1.8
"""Upright, lines are shorter, so that a row has more of them."""


class GameRow(ButtonBehavior, Drawn, BoxLayout):
    """A row of paper: the picture of the box, a title over a line, and a word at the right.

    Where it is `still` it only tells, and leads nowhere.
    """

    shows: ClassVar[tuple[str, ...]] = ("state",)
    name = StringProperty("")
    still = BooleanProperty(defaultvalue=False)

    def __init__(
        self, title: str, line: str = "", aside: str = "", cover: str | None = None, **kwargs: Any
    ) -> None:
        sizes = theme.length
        if aside and line and running_app().stage.is_upright:  # beside it there is no room for the title
            line, aside = f"{aside}   {line}", ""
        self._cover = cover
        left = sizes.space if cover is None else sizes.target * MIN_ROW_HEIGHT_IN_TARGETS + sizes.gap
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
        """Draws paper, the picture, and an arrow if the row can be touched."""
        sizes, down = theme.length, self.state == "down" and not self.still
        paper(self.box, sizes.line, theme.PAPER_PRESSED if down else theme.PAPER)
        x, y, _width, height = inset(self.box, sizes.gap / 2)
        if self._cover is not None:
            draw_cover(self._cover, (x, y, sizes.target * MIN_ROW_HEIGHT_IN_TARGETS - sizes.gap, height))
        if not self.still:
            side = sizes.smallest
            draw_icon("next", (self.right - side * 1.5, self.center_y - side / 2, side, side), theme.INK)


class RowListPage(Page):
    """Pages with a row for each of `things`; the text `nothing` if there are none."""

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
        high = running_app().stage.page_size[1] - sizes.target - 3 * sizes.gap
        rows = max(1, int((high + sizes.gap) // (_high() + sizes.gap)))
        self.pager = Pager(things=things, rows=rows, make=make, is_apart=True)
        empty = Writing(text=nothing, felt=True, halign="center", lines=3)
        self.lay_out(title, self.pager if things else empty, keys=(*self.pager.turning, *keys))


class UnfinishedGamesPage(RowListPage):
    """The games that people can continue."""

    __events__: tuple[str, ...] = ("on_game",)  # saved: that one goes on

    def __init__(self, unfinished: Sequence[SavedGame], title: str, **kwargs: Any) -> None:
        super().__init__(title, unfinished, self._row, "", **kwargs)

    def _row(self, saved: SavedGame) -> Widget:
        app = running_app()
        title, names = saved_games.title_of(app, saved), saved_games.names_of(app, saved)
        when, cover = " ".join(saved_games.last_played(app, saved)), saved_games.cover_file(saved)
        row = GameRow(title, names, when, cover, name=f"game {saved.number}")
        row.bind(on_release=lambda _: self.dispatch("on_game", saved))
        return row


class PastGamesPage(RowListPage):
    """The games that are over, the newest first, with their endings."""

    __events__: tuple[str, ...] = (
        "on_game",  # saved: its score is wanted
        "on_people",  # who played them is wanted
    )

    def __init__(self, over: Sequence[SavedGame], **kwargs: Any) -> None:
        width = {"size_hint_x": None, "width": theme.length.target * 2.2}
        people = self.event_key("on_people", name="regulars", look="felt", **width)
        super().__init__(**kwargs, things=over, make=self._row, keys=(people,))
        people.text = self.app.tr("Players")

    def _row(self, saved: SavedGame) -> Widget:
        app = running_app()
        title, ending = saved_games.title_of(app, saved), saved_games.describe_ending(app, saved)
        when, cover = (
            short_date_time(saved_games.facts_of(app, saved).play_dates),
            saved_games.cover_file(saved),
        )
        row = GameRow(title, ending, when, cover, name=f"game {saved.number}")
        row.bind(on_release=lambda _: self.dispatch("on_game", saved))
        return row


class PastPlayersPage(RowListPage):
    """The players, with the number of games they finished and won."""

    __events__: tuple[str, ...] = ("on_regular",)  # player: more of that one is wanted

    def __init__(self, found: Sequence[PlayerStatistics], **kwargs: Any) -> None:
        super().__init__(**kwargs, things=found, make=self._row)

    def _row(self, one: PlayerStatistics) -> Widget:
        row = GameRow(one.name, aside=describe_wins(self.app, one), name=f"regular {one.name}")
        row.bind(on_release=lambda _: self.dispatch("on_regular", one))
        return row


def _high() -> float:
    """Returns the least height of a row."""
    targets = (
        MIN_UPRIGHT_ROW_HEIGHT_IN_TARGETS if running_app().stage.is_upright else MIN_ROW_HEIGHT_IN_TARGETS
    )
    return theme.length.target * targets


def describe_wins(app: Any, one: PlayerStatistics) -> str:
    """Returns how many games a player finished and won, as a sentence."""
    games = app.trn("{n} game", "{n} games", one.games)
    return str(app.tr("{games}, {n} won", games=games, n=one.wins))


# The date of a game by hand, for a machine whose clock wasn't set.


FIRST_YEAR, LAST_YEAR = 2026, 2099


class DatePage(Page):
    """Steppers for year, month and day. `day` is shown first; `now` is the time, None if it isn't known.

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
        along = "vertical" if running_app().stage.is_upright else "horizontal"
        row = put(BoxLayout(orientation=along, spacing=sizes.gap), *self.dials)
        self.sentence = Writing(felt=True, lines=2)
        self.take = self._key("take", "brass", tr("Done"), lambda: self.day)
        none = self._key("none", "felt", tr("Remove this date"), str)
        keys = put(
            BoxLayout(size_hint_y=None, height=sizes.row, spacing=sizes.gap),
            none if is_by_hand else Widget(),
            self.take,
        )
        self.lay_out(tr("When was it played?"), self.sentence, row, keys)
        self._show()

    @property
    def day(self) -> str:
        """Returns the date on the steppers, which may not be in the calendar."""
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
        """Shows why the date isn't allowed, if it isn't."""
        try:
            parse_game_date(self.day, self._now)
        except UserError as error:
            self.sentence.text, self.take.disabled = render(error.text, self.app.lang), True
        else:
            self.sentence.text, self.take.disabled = "", False


# The flow from home to unfinished and past games and their players, and back.
#
# It shows the pages and asks before it changes something; the controller and the store do the changes.


class PastGamesFlow:
    """Shows unfinished and past games and their players; the way back leads home."""

    def __init__(self, app: AppWithEvening) -> None:
        self.app = app
        self._page = 0

    # Games

    def show_unfinished(self) -> None:
        """Shows the games that people can continue."""
        self._show(self._waiting)

    def _waiting(self) -> Widget:
        unfinished = self.app.controller.read_store(Evening.unfinished_games, [])
        page = UnfinishedGamesPage(unfinished, self.app.tr("Unfinished games"))
        page.bind(
            on_game=lambda _, saved: self.resume_game(saved.number), on_close=lambda _: self.app.go_home()
        )
        return page

    def resume_game(self, number: int) -> None:
        """Continues a game, or explains why it can't."""
        for saved in self.app.controller.read_store(Evening.unfinished_games, []):
            if saved.number == number:
                try:
                    self.app.controller.continue_game(saved)
                except CompanionError as error:
                    self._stuck(saved, error)

    def _stuck(self, saved: SavedGame, error: CompanionError) -> None:
        """Explains why a game can't be continued; people may delete it, unless the disk can't be read."""
        if isinstance(error, StoreUnavailable):
            show_message(error.text)
        else:
            self._tell(saved, ", ".join(saved.names), render(error.text, self.app.lang))

    def show_past(self) -> None:
        """Shows the games that are over."""
        self._page = 0
        self.return_to_past()

    def return_to_past(self) -> None:
        """Shows the page of past games where people were."""
        self._show(self._past)

    def _past(self) -> Widget:
        tr = self.app.tr
        page = PastGamesPage(
            self.app.controller.read_store(Evening.ended_games, []),
            title=tr("Past games"),
            nothing=tr("No game has ended yet. Finished games appear here with their scores."),
        )
        page.pager.page = self._page
        page.pager.bind(page=lambda _, at: setattr(self, "_page", at))
        page.bind(
            on_game=lambda _, saved: self._look_back(saved),
            on_people=lambda _: self.show_players(),
            on_close=lambda _: self.app.go_home(),
        )
        return page

    def _look_back(self, saved: SavedGame) -> None:
        """Shows the score of a past game; if its rules can't read it, what is known of it."""
        controller, tr = self.app.controller, self.app.tr
        try:
            if saved.result is None:
                self._tell(saved, self._ending(saved), tr("There is no score for this game."))
            else:
                controller.show_past_game(saved)
        except CompanionError as error:
            self._tell(saved, self._ending(saved), render(error.text, self.app.lang))

    def _ending(self, saved: SavedGame) -> str:
        return saved_games.describe_ending(self.app, saved)

    def show_details(self, saved: SavedGame) -> None:
        """Shows what is known of a past game besides its score, and what people can do with it."""
        tr, facts = self.app.tr, saved_games.facts_of(self.app, saved)
        count = partial(self._count_game, saved, counts=not facts.is_counted)
        choices = [
            Choice("reopen", tr("Reopen"), partial(self.ask_to_reopen, saved)),
            Choice("date", tr("Enter date"), partial(self._date, saved)),
            Choice("count", tr("Don't count") if facts.is_counted else tr("Count again"), count),
            Choice("delete", tr("Delete"), partial(self.ask_to_delete, saved), "danger"),
        ]
        text = "\n".join(render(text, self.app.lang) for text in facts.sentences)
        close = Choice("close", tr("Close"), look="brass")
        title, columns = saved_games.title_of(self.app, saved), 2 if self.app.stage.is_upright else 4
        open_choice(title, choices, close, columns=columns, text=text)

    def ask_to_reopen(self, saved: SavedGame) -> None:
        """Asks whether to reopen a game, which then lies on the table again."""
        tr = self.app.tr
        text = tr(
            "You can correct the game and put it away again. The record will say that the game was reopened."
        )
        if going := self.app.controller.read_store(Evening.find_open_game, None):
            text = f"{text}\n{stays_saved_sentence(self.app, going)}"
        reopen = partial(run_or_explain, partial(self.app.controller.reopen, saved))
        yes = Choice("yes", tr("Reopen"), reopen, "brass")
        open_dialog(tr("Reopen this game?"), text, Choice("no", tr("Change nothing")), yes)

    def _date(self, saved: SavedGame) -> None:
        """Opens the page that sets the date of a game; it starts with the known date, or today."""
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
        """Updates the page below and what lies over it after a change."""
        self.app.stage.rebuild()
        self.show_details(saved)

    def _tell(self, saved: SavedGame, known: str, why: str) -> None:
        """Shows what is known of a game that can't be opened, and why it can't."""
        tr, title = self.app.tr, saved_games.title_of(self.app, saved)
        text = f"{known}\n\n{why}"
        first = Choice("delete", tr("Delete"), partial(self.ask_to_delete, saved), "danger")
        if saved.state not in UNFINISHED_STATES:
            first = Choice("more", tr("More"), partial(self.show_details, saved))
        open_dialog(title, text, first, Choice("close", tr("Close"), look="brass"), is_large=True)

    def ask_to_delete(self, saved: SavedGame) -> None:
        """Asks whether to delete a game for good."""
        tr = self.app.tr

        def gone() -> None:
            if self.app.controller.attempt(partial(self._store.delete_game, saved.number)):
                self.app.controller.leave()
                (self.app.go_home if saved.state in UNFINISHED_STATES else self.return_to_past)()

        open_dialog(
            tr("Delete this game permanently?"),
            tr("You can't restore the game, and it will no longer count in anybody's statistics."),
            Choice("no", tr("Keep the game")),
            Choice("yes", tr("Delete"), gone, "danger"),
        )

    # People

    def show_players(self) -> None:
        """Shows the players and how many games they won."""
        self._show(self._regulars)

    def _regulars(self) -> Widget:
        tr = self.app.tr
        nothing = tr("Players appear here after they have finished a game.")
        page = PastPlayersPage(self._players(), title=tr("Players"), nothing=nothing)
        page.bind(on_regular=lambda _, one: self._regular(one), on_close=lambda _: self.return_to_past())
        return page

    def _players(self) -> list[PlayerStatistics]:
        return self.app.controller.read_store(
            lambda evening: player_statistics.player_statistics(evening.store), []
        )

    def _regular(self, one: PlayerStatistics) -> None:
        """Shows the results of one player, game by game."""
        tr = self.app.tr
        nothing: dict[str, PlayerStatistics] = {}
        found = self.app.controller.read_store(
            lambda evening: player_statistics.statistics_by_game(evening.store, one.name), nothing
        )
        rows = [
            GameRow(saved_games.game_title(self.app, game), aside=describe_wins(self.app, each), still=True)
            for game, each in found.items()
        ]
        body = Pager(things=rows, rows=self._rows, look="paper")
        open_sheet(
            f"{one.name}: {describe_wins(self.app, one)}",
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
        """Returns how many rows fit on a sheet."""
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
        """Changes what counts and shows the players again, or explains why it can't."""
        if run_or_explain(do):
            self.show_players()

    def _show(self, make: Callable[[], Widget]) -> None:
        self.app.stage.show_screen(make)
