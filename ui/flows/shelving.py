"""The shelf behind home: games that wait and those that are over, who played them, and back again.

It shows the pages and asks what is meant; the evening opens, looks back and forgets.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.errors import CompanionError, StoreUnavailable
from companion.evening import UNFINISHED, Evening
from companion.log.dates import Played
from companion.record import register
from companion.record.register import Player
from companion.record.when import day_of
from companion.store import Saved, Store
from companion.words import render
from ui import theme
from ui.flows.keeping import stays_saved
from ui.host import TableHost
from ui.screens import saved_games
from ui.screens.dating import FIRST_YEAR, DatePage
from ui.screens.past import PastGames, Regulars, ShelfRow, WaitingGames, counted
from ui.widgets.drawing.putting import put
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.dialog import Leaf


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
        unfinished = self.app.controller.read(Evening.unfinished, [])
        page = WaitingGames(unfinished, self.app.tr("Unfinished games"))
        page.bind(on_game=lambda _, saved: self.resume(saved.number), on_close=lambda _: self.app.go_home())
        return page

    def resume(self, number: int) -> None:
        """Goes on with that game, or says why it can't go on."""
        for saved in self.app.controller.read(Evening.unfinished, []):
            if saved.number == number:
                try:
                    self.app.controller.go_on_with(saved)
                except CompanionError as error:
                    self._stuck(saved, error)

    def _stuck(self, saved: Saved, error: CompanionError) -> None:
        """Why a game can't go on; it may be deleted, unless it is the disk that can't be read."""
        if isinstance(error, StoreUnavailable):
            self.app.say(error.text)
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
            self.app.controller.read(Evening.over, []),
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

    def _look_back(self, saved: Saved) -> None:
        """The score as it was; where the rules can't read the game any more, all that was kept of it."""
        controller, tr = self.app.controller, self.app.tr
        try:
            if saved.result is None:
                self._tell(saved, self._ending(saved), tr("There is no score for this game."))
            else:
                controller.look_back(saved)
        except CompanionError as error:
            self._tell(saved, self._ending(saved), render(error.text, self.app.lang))

    def _ending(self, saved: Saved) -> str:
        return saved_games.ending(self.app, saved)

    def more(self, saved: Saved) -> None:
        """What is known of a past game besides its score, and what can be done with it."""
        tr, facts = self.app.tr, saved_games.facts(self.app, saved)
        counted = tr("Don't count") if facts.counts else tr("Count again")
        ways: dict[str, tuple[str, Callable[[], object]]] = {
            "reopen": (tr("Reopen"), partial(self.reopen, saved)),
            "date": (tr("Enter date"), partial(self._date, saved)),
            "count": (counted, partial(self._count_game, saved, counts=not facts.counts)),
            "delete": (tr("Delete"), partial(self.delete, saved)),
        }
        keys = [
            Key(name=name, text=text, lines=2, look="danger" if name == "delete" else "paper")
            for name, (text, _) in ways.items()
        ]
        row, gap, rows = theme.length.row, theme.length.gap, 2 if self.app.stage.is_upright else 1
        sentences = "\n".join(render(text, self.app.lang) for text in facts.told)
        told = Writing(text=sentences, lines=8, valign="top")
        high = (row + gap) * rows - gap
        grid = put(GridLayout(rows=rows, spacing=gap, size_hint_y=None, height=high), *keys)
        body = put(BoxLayout(orientation="vertical", spacing=gap), told, grid)
        close = [("close", tr("Close"), "brass")]
        leaf = Leaf(title=saved_games.title(self.app, saved), body=body, answers=close)
        leaf.leave_with(keys, lambda key: ways[key.name][1]())
        self.app.stage.lay(leaf)

    def reopen(self, saved: Saved) -> None:
        """Asks first; then the game lies on the table again."""
        tr = self.app.tr
        text = tr(
            "You can correct the game and put it away again. The record will say that the game was reopened."
        )
        if going := self.app.controller.read(Evening.going, None):
            text = f"{text}\n{stays_saved(self.app, going)}"
        answers = [("no", tr("Change nothing"), "paper"), ("yes", tr("Reopen"), "brass")]
        reopen = partial(self.app.tries, partial(self.app.controller.reopen, saved))
        self.app.ask(tr("Reopen this game?"), text, answers, reopen)

    def _date(self, saved: Saved) -> None:
        """The date of a game by hand; what the machine knows of it, or today, is there first."""
        now, played = self._store.clock(), self._store.played(saved.number)
        day = day_of(played) or day_of(Played(now)) or f"{FIRST_YEAR}-01-01"
        page = DatePage(day, now, is_by_hand=bool(played.day))

        def take(_page: object, day: str) -> None:
            if self.app.controller.attempt(partial(self._store.date, saved.number, day)):
                self._changed(saved)

        page.bind(on_done=take)
        page.open()

    def _count_game(self, saved: Saved, *, counts: bool) -> None:
        do = register.count_in if counts else register.leave_out
        if self.app.controller.attempt(partial(do, self._store, saved.number)):
            self._changed(saved)

    def _changed(self, saved: Saved) -> None:
        """The page below says it otherwise now, and so does what lies over it."""
        self.app.stage.rebuild()
        self.more(saved)

    def _tell(self, saved: Saved, known: str, why: str) -> None:
        """What is known of a game that can't be shown, and why it can't."""
        tr, title = self.app.tr, saved_games.title(self.app, saved)
        text = f"{known}\n\n{why}"
        answers = [("delete", tr("Delete"), "danger"), ("close", tr("Close"), "brass")]
        deeds = {"delete": partial(self.delete, saved), "more": partial(self.more, saved)}
        if saved.state not in UNFINISHED:
            answers[0] = ("more", tr("More"), "paper")
        self.app.stage.lay(Leaf(title=title, text=text, answers=answers, deeds=deeds))

    def delete(self, saved: Saved) -> None:
        """Asks first; then the game is gone."""
        tr = self.app.tr

        def gone() -> None:
            if self.app.controller.attempt(partial(self._store.delete, saved.number)):
                self.app.controller.leave()
                (self.app.go_home if saved.state in UNFINISHED else self.back)()

        answers = [("no", tr("Keep the game"), "paper"), ("yes", tr("Delete"), "danger")]
        text = tr("You can't restore the game, and it will no longer count in anybody's statistics.")
        self.app.ask(tr("Delete this game permanently?"), text, answers, gone)

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

    def _players(self) -> list[Player]:
        return self.app.controller.read(lambda evening: register.players(evening.store), [])

    def _regular(self, one: Player) -> None:
        """One of them, game by game."""
        tr = self.app.tr
        nothing: dict[str, Player] = {}
        found = self.app.controller.read(lambda evening: register.by_game(evening.store, one.name), nothing)
        rows = [
            ShelfRow(saved_games.game_title(self.app, game), aside=counted(self.app, each), still=True)
            for game, each in found.items()
        ]
        body = Pager(things=rows, rows=self._rows, look="paper")
        answers = [
            ("forget", tr("Forget"), "danger"),
            ("same", tr("Same person as …"), "paper"),
            ("close", tr("Close"), "brass"),
        ]
        deeds = {"forget": partial(self._forget, one), "same": partial(self._same, one)}
        title = f"{one.name}: {counted(self.app, one)}"
        self.app.stage.lay(Leaf(title=title, body=body, answers=answers, deeds=deeds))

    @property
    def _store(self) -> Store:
        return self.app.evening.store

    @property
    def _rows(self) -> int:
        """How many rows a sheet holds."""
        return 8 if self.app.stage.is_upright else 4

    def _forget(self, one: Player) -> None:
        tr = self.app.tr
        answers = [("no", tr("Keep the results"), "paper"), ("yes", tr("Forget"), "danger")]
        text = tr(
            "{name}'s games so far will no longer count. The games themselves won't be deleted.",
            name=one.name,
        )
        ask = tr("Forget {name}?", name=one.name)
        forget = partial(register.delete, self._store, one.name)
        self.app.ask(ask, text, answers, partial(self._count, forget))

    def _same(self, one: Player) -> None:
        """Two names of one person: under which they are counted from now on."""
        tr = self.app.tr
        others = [other.name for other in self._players() if other.name != one.name]
        names = [Key(text=name, name=f"into {name}", lines=1) for name in others]
        keys = Pager(things=names, cols=2, rows=self._rows, look="paper")
        title = tr("{name} is the same person as …", name=one.name)
        leaf = Leaf(title=title, body=keys, answers=[("no", tr("Cancel"), "paper")])
        leaf.leave_with(
            names, lambda key: self._count(partial(register.merge, self._store, one.name, key.text))
        )
        self.app.stage.lay(leaf)

    def _count(self, do: Callable[[], None]) -> None:
        """Counts otherwise, and shows it or why that can't be."""
        if self.app.tries(do):
            self.regulars()

    def _show(self, make: Callable[[], Widget]) -> None:
        self.app.stage.show(make)
