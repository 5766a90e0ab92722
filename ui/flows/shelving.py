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
from companion.evening import UNFINISHED
from companion.log.dates import Played
from companion.record.when import day_of
from companion.store import Saved
from companion.words import render
from ui import theme
from ui.evening.boxes import Regular
from ui.evening.shelf import EveningShelf
from ui.host import TableHost
from ui.screens.dating import FIRST_YEAR, DatePage
from ui.screens.past import PastGames, Regulars, ShelfRow, WaitingGames, counted
from ui.widgets.drawing.putting import put
from ui.widgets.drawing.writing import Writing
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.dialog import Leaf


class Shelving:
    """`Shelving(app, shelf)`; then `waiting` or `past` shows that page, whose way back is home."""

    def __init__(self, app: TableHost, shelf: EveningShelf) -> None:
        self.app, self.shelf = app, shelf
        self._page = 0

    # Games

    def waiting(self) -> None:
        """The games that can go on."""
        self._show(self._waiting)

    def _waiting(self) -> Widget:
        page = WaitingGames(self.shelf.going(self.app.lang), self.app.tr("Unfinished games"))
        page.bind(
            on_game=lambda _, going: self.shelf.resume(going.number), on_close=lambda _: self.app.go_home()
        )
        return page

    def stuck(self, saved: Saved, error: CompanionError) -> None:
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
            self.shelf.over(),
            lambda saved: self.shelf.ended(saved, self.app.lang),
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
        evening, tr = self.app.evening, self.app.tr
        try:
            if saved.result is None:
                self._tell(saved, self._ending(saved), tr("There is no score for this game."))
            else:
                evening.look_back(saved)
        except CompanionError as error:
            self._tell(saved, self._ending(saved), render(error.text, self.app.lang))

    def _ending(self, saved: Saved) -> str:
        return self.shelf.ended(saved, self.app.lang).ending

    def about(self, saved: Saved) -> str:
        """Which game it was, and when."""
        over = self.shelf.ended(saved, self.app.lang)
        return f"{over.title}  {over.when}".rstrip()

    def more(self, saved: Saved) -> None:
        """What is known of a past game besides its score, and what can be done with it."""
        tr, shelf = self.app.tr, self.shelf
        facts = shelf.facts(saved)
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
        leaf = Leaf(title=shelf.ended(saved, self.app.lang).title, body=body, answers=close)
        leaf.leave_with(keys, lambda key: ways[key.name][1]())
        self.app.stage.lay(leaf)

    def reopen(self, saved: Saved) -> None:
        """Asks first; then the game lies on the table again."""
        tr = self.app.tr
        text = tr(
            "You can correct the game and put it away again. The record will say that the game was reopened."
        )
        for going in self.shelf.going(self.app.lang):
            if going.is_open:
                kept = tr(
                    "{game} with {names} is saved. You can continue it from the home screen at any time.",
                    game=going.title,
                    names=going.names,
                )
                text = f"{text}\n{kept}"
        answers = [("no", tr("Change nothing"), "paper"), ("yes", tr("Reopen"), "brass")]
        reopen = partial(self.app.tries, partial(self.app.evening.reopen, saved))
        self.app.ask(tr("Reopen this game?"), text, answers, reopen)

    def _date(self, saved: Saved) -> None:
        """The date of a game by hand; what the machine knows of it, or today, is there first."""
        headless = self.app.evening.headless
        now, played = headless.store.clock(), headless.store.played(saved.number)
        day = day_of(played) or day_of(Played(now)) or f"{FIRST_YEAR}-01-01"
        page = DatePage(day, now, is_by_hand=bool(played.day))

        def take(_page: object, day: str) -> None:
            if self.app.evening.date(saved, day):
                self._changed(saved)

        page.bind(on_done=take)
        page.open()

    def _count_game(self, saved: Saved, *, counts: bool) -> None:
        if self.app.evening.count(saved, counts=counts):
            self._changed(saved)

    def _changed(self, saved: Saved) -> None:
        """The page below says it otherwise now, and so does what lies over it."""
        self.app.stage.rebuild()
        self.more(saved)

    def _tell(self, saved: Saved, known: str, why: str) -> None:
        """What is known of a game that can't be shown, and why it can't."""
        tr, over = self.app.tr, self.shelf.ended(saved, self.app.lang)
        text = f"{known}\n\n{why}"
        answers = [("delete", tr("Delete"), "danger"), ("close", tr("Close"), "brass")]
        deeds = {"delete": partial(self.delete, saved), "more": partial(self.more, saved)}
        if saved.state not in UNFINISHED:
            answers[0] = ("more", tr("More"), "paper")
        self.app.stage.lay(Leaf(title=over.title, text=text, answers=answers, deeds=deeds))

    def delete(self, saved: Saved) -> None:
        """Asks first; then the game is gone."""
        tr = self.app.tr

        def gone() -> None:
            if self.app.evening.forget(saved):
                self.app.evening.leave()
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
        page = Regulars(self.shelf.regulars(), title=tr("Players"), nothing=nothing)
        page.bind(on_regular=lambda _, one: self._regular(one), on_close=lambda _: self.back())
        return page

    def _regular(self, one: Regular) -> None:
        """One of them, game by game."""
        tr = self.app.tr
        rows = [
            ShelfRow(each.name, aside=counted(self.app, each), still=True)
            for each in self.shelf.by_game(one.name, self.app.lang)
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
    def _rows(self) -> int:
        """How many rows a sheet holds."""
        return 8 if self.app.stage.is_upright else 4

    def _forget(self, one: Regular) -> None:
        tr = self.app.tr
        answers = [("no", tr("Keep the results"), "paper"), ("yes", tr("Forget"), "danger")]
        text = tr(
            "{name}'s games so far will no longer count. The games themselves won't be deleted.",
            name=one.name,
        )
        ask = tr("Forget {name}?", name=one.name)
        self.app.ask(ask, text, answers, lambda: self._count(partial(self.shelf.uncount, one.name)))

    def _same(self, one: Regular) -> None:
        """Two names of one person: under which they are counted from now on."""
        tr = self.app.tr
        others = [other.name for other in self.shelf.regulars() if other.name != one.name]
        names = [Key(text=name, name=f"into {name}", lines=1) for name in others]
        keys = Pager(things=names, cols=2, rows=self._rows, look="paper")
        title = tr("{name} is the same person as …", name=one.name)
        leaf = Leaf(title=title, body=keys, answers=[("no", tr("Cancel"), "paper")])
        leaf.leave_with(names, lambda key: self._count(partial(self.shelf.merge, one.name, key.text)))
        self.app.stage.lay(leaf)

    def _count(self, do: Callable[[], None]) -> None:
        """Counts otherwise, and shows it or why that can't be."""
        if self.app.tries(do):
            self.regulars()

    def _show(self, make: Callable[[], Widget]) -> None:
        self.app.stage.show(make)
