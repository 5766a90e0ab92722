"""Unfinished games, past games and their players: the pages, and what people do with a saved game.

The pages change nothing; their owner handles touches of rows.
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
from companion.log.log import PlayDates
from companion.record import player_statistics
from companion.record.dates import game_date, parse_game_date, short_date_time
from companion.record.player_statistics import PlayerStatistics
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
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.game_box import draw_cover_image
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.steppers import Dial

MIN_ROW_HEIGHT_IN_TARGETS, MIN_UPRIGHT_ROW_HEIGHT_IN_TARGETS = 1.25, 1.8
"""Upright, lines are shorter, so that a row has more of them."""


class GameRow(ButtonBehavior, AutoRedrawWidget, BoxLayout):
    """A row for a game or a player.

    The row is of paper. It has the picture of the game's box, a title over a line, and a word at the right.
    A player's row has no picture. An `is_static` row can't be touched.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = ("state",)
    name = StringProperty("")
    is_static = BooleanProperty(defaultvalue=False)

    def __init__(
        self, title: str, line: str = "", aside: str = "", cover: str | None = None, **kwargs: Any
    ) -> None:
        sizes = theme.length
        if (
            aside and line and get_companion_app().stage.is_next_page_portrait
        ):  # beside it there is no room for the title
            line, aside = f"{aside}   {line}", ""
        self._cover = cover
        left = sizes.space if cover is None else sizes.target * MIN_ROW_HEIGHT_IN_TARGETS + sizes.gap
        kwargs.setdefault("size_hint_max_y", _high() * 1.2)
        super().__init__(padding=(left, sizes.line, sizes.token, sizes.line), **kwargs)
        head = add_children(BoxLayout(spacing=sizes.gap), FittedLabel(text=title, style="key"))
        if aside:
            add_children(head, FittedLabel(text=aside, style="quiet" if line else "body", halign="right"))
        text = add_children(BoxLayout(orientation="vertical", padding=(0, sizes.line)), head)
        if line:
            head.size_hint_y, head.height = None, sizes.key * 1.4
            add_children(
                text, FittedLabel(text=line, style="quiet", lines=4, line_height=1.0, abbreviates=True)
            )
        add_children(self, text)

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


class RowListPage(Page):
    """A page with a list of rows, one for each of `things`.

    `build_row` builds a row. `empty_text` is shown if there are none. Long lists have several pages.
    """

    def __init__(
        self,
        title: str,
        things: Sequence[Any],
        build_row: Callable[[Any], Widget],
        empty_text: str,
        keys: tuple[Widget, ...] = (),
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        sizes = theme.length
        high = get_companion_app().stage.next_page_size[1] - sizes.target - 3 * sizes.gap
        rows = max(1, int((high + sizes.gap) // (_high() + sizes.gap)))
        self.pager = Pager(items=things, rows=rows, make=build_row, is_apart=True)
        empty = FittedLabel(text=empty_text, is_on_felt=True, halign="center", lines=3)
        self.add_content(title, self.pager if things else empty, keys=(*self.pager.page_turn_keys, *keys))


class UnfinishedGamesPage(RowListPage):
    """The games that people can continue."""

    __events__: tuple[str, ...] = ("on_game",)  # saved: that one goes on

    def __init__(self, unfinished: Sequence[SavedGame], title: str, **kwargs: Any) -> None:
        super().__init__(title, unfinished, self._row, "", **kwargs)

    def _row(self, saved: SavedGame) -> Widget:
        app = get_companion_app()
        title, names = saved_games.title_of(app, saved), saved_games.player_names_of(app, saved)
        when, cover = (
            " ".join(saved_games.last_played_date_and_time(app, saved)),
            saved_games.cover_file(saved),
        )
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
        people = self.make_event_key("on_people", name="regulars", look="felt", **width)
        super().__init__(**kwargs, things=over, build_row=self._row, keys=(people,))
        people.text = self.app.tr("Players")

    def _row(self, saved: SavedGame) -> Widget:
        app = get_companion_app()
        title, ending = saved_games.title_of(app, saved), saved_games.describe_ending(app, saved)
        when, cover = (
            short_date_time(saved_games.facts_of(app, saved).play_dates),
            saved_games.cover_file(saved),
        )
        row = GameRow(title, ending, when, cover, name=f"game {saved.number}")
        row.bind(on_release=lambda _: self.dispatch("on_game", saved))
        return row


class PastPlayersPage(RowListPage):
    """The page of everybody who played in past games.

    Each player has a row with the number of games they finished and won.
    """

    __events__: tuple[str, ...] = ("on_regular",)  # player: more of that one is wanted

    def __init__(self, found: Sequence[PlayerStatistics], **kwargs: Any) -> None:
        super().__init__(**kwargs, things=found, build_row=self._row)

    def _row(self, one: PlayerStatistics) -> Widget:
        row = GameRow(
            one.name, aside=describe_finished_and_won_games(self.app, one), name=f"regular {one.name}"
        )
        row.bind(on_release=lambda _: self.dispatch("on_regular", one))
        return row


def _high() -> float:
    """Returns the least height of a row."""
    targets = (
        MIN_UPRIGHT_ROW_HEIGHT_IN_TARGETS
        if get_companion_app().stage.is_next_page_portrait
        else MIN_ROW_HEIGHT_IN_TARGETS
    )
    return theme.length.target * targets


def describe_finished_and_won_games(app: Any, player: PlayerStatistics) -> str:
    """Returns how many games a player finished and won, as a sentence."""
    games = app.trn("{n} game", "{n} games", player.games)
    return str(app.tr("{games}, {n} won", games=games, n=player.wins))


# The date of a game by hand, for a machine whose clock wasn't set.


FIRST_YEAR, LAST_YEAR = 2026, 2099


class GameDatePage(Page):
    """Asks for the date of a game, with steppers for year, month and day; `day` is shown first.

    `now` is the time, None if it isn't known. `is_by_hand`: people have set a date, which they can remove.
    The page says if a date doesn't exist.
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
        along = "vertical" if get_companion_app().stage.is_next_page_portrait else "horizontal"
        row = add_children(BoxLayout(orientation=along, spacing=sizes.gap), *self.dials)
        self.sentence = FittedLabel(is_on_felt=True, lines=2)
        self.done_key = self._key("take", "brass", tr("Done"), lambda: self.entered_date)
        none = self._key("none", "felt", tr("Remove this date"), str)
        keys = add_children(
            BoxLayout(size_hint_y=None, height=sizes.row, spacing=sizes.gap),
            none if is_by_hand else Widget(),
            self.done_key,
        )
        self.add_content(tr("When was it played?"), self.sentence, row, keys)
        self._show()

    @property
    def entered_date(self) -> str:
        """Returns the date on the steppers, which may not be in the calendar."""
        year, month, day = (int(dial.count) for dial in self.dials)
        return f"{year:04}-{month:02}-{day:02}"

    def _done(self, day: str) -> None:
        self.close()
        self.dispatch("on_done", day)

    def _key(self, name: str, look: str, text: str, day: Any) -> Key:
        return make_key(name, text, lambda: self._done(day()), look=look, lines=2)

    def _dial(self, name: str, text: str, count: int, least: int, most: int) -> Dial:
        dial = Dial(name=name, text=text, count=count, least=least, most=most)
        open_number_pad_on_touch(dial)
        dial.bind(count=self._show)
        return dial

    def _show(self, *_: object) -> None:
        """Shows why the date isn't allowed, if it isn't."""
        try:
            parse_game_date(self.entered_date, self._now)
        except UserError as error:
            self.sentence.text, self.done_key.disabled = render(error.text, self.app.lang), True
        else:
            self.sentence.text, self.done_key.disabled = "", False


# The flow from home to unfinished and past games and their players, and back.
#
# It shows the pages and asks before it changes something; the controller and the store do the changes.


class PastGamesFlow:
    """Shows unfinished games, past games and their players; the back key leads home."""

    def __init__(self, app: AppWithEvening) -> None:
        self.app = app
        self._page = 0

    # Games

    def show_unfinished_games(self) -> None:
        """Shows the games that people can continue."""
        self._show(self._waiting)

    def _waiting(self) -> Widget:
        unfinished = self.app.controller.read_store(Evening.unfinished_games, [])
        page = UnfinishedGamesPage(unfinished, self.app.tr("Unfinished games"))
        page.bind(
            on_game=lambda _, saved: self.resume_game(saved.number), on_close=lambda _: self.app.show_home()
        )
        return page

    def resume_game(self, game_number: int) -> None:
        """Continues a game, or explains why it can't."""
        for saved in self.app.controller.read_store(Evening.unfinished_games, []):
            if saved.number == game_number:
                try:
                    self.app.controller.continue_saved_game(saved)
                except CompanionError as error:
                    self._stuck(saved, error)

    def _stuck(self, saved: SavedGame, error: CompanionError) -> None:
        """Explains why a game can't be continued; people may delete it, unless the disk can't be read."""
        if isinstance(error, StoreUnavailable):
            show_message(error.text)
        else:
            self._tell(saved, ", ".join(saved.names), render(error.text, self.app.lang))

    def show_past_games(self) -> None:
        """Shows the games that are over."""
        self._page = 0
        self.return_to_past_games()

    def return_to_past_games(self) -> None:
        """Shows past games again, at the page shown before."""
        self._show(self._past)

    def _past(self) -> Widget:
        tr = self.app.tr
        page = PastGamesPage(
            self.app.controller.read_store(Evening.games_put_away, []),
            title=tr("Past games"),
            empty_text=tr("No game has ended yet. Finished games appear here with their scores."),
        )
        page.pager.page = self._page
        page.pager.bind(page=lambda _, at: setattr(self, "_page", at))
        page.bind(
            on_game=lambda _, saved: self._look_back(saved),
            on_people=lambda _: self.show_players(),
            on_close=lambda _: self.app.show_home(),
        )
        return page

    def _look_back(self, saved: SavedGame) -> None:
        """Shows the score of a past game; if its rules can't read it, the known details."""
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

    def show_game_details(self, saved: SavedGame) -> None:
        """Shows the details of a past game besides its score, and what people can do with it."""
        tr, facts = self.app.tr, saved_games.facts_of(self.app, saved)
        count = partial(self._count_game, saved, counts=not facts.is_counted)
        choices = [
            DialogChoice("reopen", tr("Reopen"), partial(self.ask_to_reopen, saved)),
            DialogChoice("date", tr("Enter date"), partial(self._date, saved)),
            DialogChoice("count", tr("Don't count") if facts.is_counted else tr("Count again"), count),
            DialogChoice("delete", tr("Delete"), partial(self.ask_to_delete, saved), "danger"),
        ]
        text = "\n".join(render(text, self.app.lang) for text in facts.sentences)
        close = DialogChoice("close", tr("Close"), look="brass")
        title, columns = (
            saved_games.title_of(self.app, saved),
            2 if self.app.stage.is_next_page_portrait else 4,
        )
        open_choice_dialog(title, choices, close, columns=columns, explanation=text)

    def ask_to_reopen(self, saved: SavedGame) -> None:
        """Asks whether to reopen a past game, which people then continue."""
        tr = self.app.tr
        text = tr(
            "You can correct the game and put it away again. The record will say that the game was reopened."
        )
        if going := self.app.controller.read_store(Evening.find_open_game, None):
            text = f"{text}\n{stays_saved_sentence(self.app, going)}"
        reopen = partial(run_or_explain, partial(self.app.controller.reopen_past_game, saved))
        yes = DialogChoice("yes", tr("Reopen"), reopen, "brass")
        open_dialog(tr("Reopen this game?"), text, DialogChoice("no", tr("Change nothing")), yes)

    def _date(self, saved: SavedGame) -> None:
        """Opens the page that sets the date of a game; it starts with the known date, or today."""
        now, played = self._store.wall_clock(), self._store.play_dates(saved.number)
        day = game_date(played) or game_date(PlayDates(now)) or f"{FIRST_YEAR}-01-01"
        page = GameDatePage(day, now, is_by_hand=bool(played.day))

        def take(_page: object, day: str) -> None:
            if self.app.controller.try_or_refuse(partial(self._store.set_play_date, saved.number, day)):
                self._changed(saved)

        page.bind(on_done=take)
        open_page(page)

    def _count_game(self, saved: SavedGame, *, counts: bool) -> None:
        do = player_statistics.include_in_statistics if counts else player_statistics.exclude_from_statistics
        if self.app.controller.try_or_refuse(partial(do, self._store, saved.number)):
            self._changed(saved)

    def _changed(self, saved: SavedGame) -> None:
        """Updates the page and the page over it after a change."""
        self.app.stage.rebuild_screen()
        self.show_game_details(saved)

    def _tell(self, saved: SavedGame, known: str, why: str) -> None:
        """Shows the known details of a game that can't be opened, and the reason."""
        tr, title = self.app.tr, saved_games.title_of(self.app, saved)
        text = f"{known}\n\n{why}"
        first = DialogChoice("delete", tr("Delete"), partial(self.ask_to_delete, saved), "danger")
        if saved.state not in UNFINISHED_STATES:
            first = DialogChoice("more", tr("More"), partial(self.show_game_details, saved))
        open_dialog(title, text, first, DialogChoice("close", tr("Close"), look="brass"), is_full_screen=True)

    def ask_to_delete(self, saved: SavedGame) -> None:
        """Asks whether to delete a game for good."""
        tr = self.app.tr

        def gone() -> None:
            if self.app.controller.try_or_refuse(partial(self._store.delete_game, saved.number)):
                self.app.controller.leave_table()
                (self.app.show_home if saved.state in UNFINISHED_STATES else self.return_to_past_games)()

        open_dialog(
            tr("Delete this game permanently?"),
            tr("You can't restore the game, and it will no longer count in anybody's statistics."),
            DialogChoice("no", tr("Keep the game")),
            DialogChoice("yes", tr("Delete"), gone, "danger"),
        )

    # People

    def show_players(self) -> None:
        """Shows the players and how many games they won."""
        self._show(self._regulars)

    def _regulars(self) -> Widget:
        tr = self.app.tr
        nothing = tr("Players appear here after they have finished a game.")
        page = PastPlayersPage(self._players(), title=tr("Players"), empty_text=nothing)
        page.bind(
            on_regular=lambda _, one: self._regular(one), on_close=lambda _: self.return_to_past_games()
        )
        return page

    def _players(self) -> list[PlayerStatistics]:
        return self.app.controller.read_store(
            lambda evening: player_statistics.statistics_of_all_players(evening.store), []
        )

    def _regular(self, one: PlayerStatistics) -> None:
        """Shows the results of one player, game by game."""
        tr = self.app.tr
        nothing: dict[str, PlayerStatistics] = {}
        found = self.app.controller.read_store(
            lambda evening: player_statistics.player_statistics_by_game(evening.store, one.name), nothing
        )
        rows = [
            GameRow(
                saved_games.game_title(self.app, game),
                aside=describe_finished_and_won_games(self.app, each),
                is_static=True,
            )
            for game, each in found.items()
        ]
        body = Pager(items=rows, rows=self._rows, look="paper")
        open_full_screen_dialog(
            f"{one.name}: {describe_finished_and_won_games(self.app, one)}",
            body,
            DialogChoice("forget", tr("Forget"), partial(self._forget, one), "danger"),
            DialogChoice("same", tr("Same person as …"), partial(self._same, one)),
            DialogChoice("close", tr("Close"), look="brass"),
        )

    @property
    def _store(self) -> Store:
        return self.app.evening.store

    @property
    def _rows(self) -> int:
        """Returns how many rows fit on a sheet."""
        return 8 if self.app.stage.is_next_page_portrait else 4

    def _forget(self, one: PlayerStatistics) -> None:
        tr = self.app.tr
        forget = partial(player_statistics.delete_player_statistics, self._store, one.name)
        open_dialog(
            tr("Forget {name}?", name=one.name),
            tr(
                "{name}'s games so far will no longer count. The games themselves won't be deleted.",
                name=one.name,
            ),
            DialogChoice("no", tr("Keep the results")),
            DialogChoice("yes", tr("Forget"), partial(self._count, forget), "danger"),
        )

    def _same(self, one: PlayerStatistics) -> None:
        """Asks for the name under which the games of two names of one person count from now on."""
        others = [other.name for other in self._players() if other.name != one.name]
        choices = [
            DialogChoice(
                f"into {name}",
                name,
                partial(self._count, partial(player_statistics.merge_players, self._store, one.name, name)),
            )
            for name in others
        ]
        title = self.app.tr("{name} is the same person as …", name=one.name)
        open_choice_dialog(title, choices, rows_per_page=self._rows, lines=1)

    def _count(self, do: Callable[[], None]) -> None:
        """Changes what counts and shows the players again, or explains why it can't."""
        if run_or_explain(do):
            self.show_players()

    def _show(self, make: Callable[[], Widget]) -> None:
        self.app.stage.replace_screen(make)
