"""Home and set-up: what stands on the shelf, the way to a game and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Protocol

from ui.evening.boxes import Begin, Box, Going
from ui.evening.glimpse import Glimpse
from ui.flows.keeping import keeping
from ui.flows.language import choose_language
from ui.flows.leaving import Leaving
from ui.host import Host
from ui.screens.home import Home

if TYPE_CHECKING:
    from ui.screens.set_up import SetUp


class Shelf(Protocol):
    """What is needed of whoever keeps the games; texts come in the language asked for."""

    def boxes(self, lang: str) -> Sequence[Box]:
        """The games that are installed, the broken ones too."""

    def going(self, lang: str) -> Sequence[Going]:
        """The games that can go on, the one played last first."""

    def people(self) -> Sequence[tuple[str, str]]:
        """Names and colours of those who played last."""

    def groups(self) -> Sequence[Sequence[tuple[str, str]]]:
        """Names and colours of the last groups who played together, at most three, the latest first."""

    def sides(self, people: Sequence[tuple[str, str]]) -> None:
        """Ask at which side of the panel these people sit, each a name and a colour."""

    def templates(self, done: Callable[[str], object]) -> None:
        """Show the templates of Any Game; `done` gets the one looked at last."""
        ...

    def inputs(self, seat: int) -> Mapping[str, bool]:
        """The devices with which a seat answers, and whether each can be used now."""

    def begin(self, begin: Begin) -> None:
        """Begin this game; whatever was open waits."""

    def resume(self, number: int) -> None:
        """Go on with that game."""

    def waiting(self) -> None:
        """Show the games that can go on."""

    def past(self) -> None:
        """Show the games that are over, and who played them."""

    def demo(self) -> None:
        """Show the recorded game."""

    def cards(self) -> None:
        """Show what is printed on cards, and learn their tags."""

    def settings(self) -> None:
        """Show the settings."""


def glimpsed(glimpse: Glimpse) -> Home:
    """Home as it was seen; nothing can be done there yet."""
    return Home(boxes=glimpse.lids, going=glimpse.going)


class AtHome:
    """`AtHome(app, shelf, leaving).show()`.

    `glimpsed` is what is shown of home already: where home still looks so, it stays.
    `keep` is told how it looks.
    """

    def __init__(
        self,
        app: Host,
        shelf: Shelf,
        leaving: Leaving,
        glimpsed: tuple[Glimpse, Home] | None = None,
        keep: Callable[[Glimpse], None] = lambda _glimpse: None,
    ) -> None:
        self.app, self.shelf, self.leaving = app, shelf, leaving
        self._glimpsed, self._keep = glimpsed, keep
        self._setting_up: SetUp | None = None

    def show(self) -> None:
        """Home."""
        self.app.stage.show(self._home)

    def hear(self, device: str, *, pressed: bool) -> None:
        """Something was pressed at a device, or it was lost or found."""
        if self._setting_up is not None and self.app.stage.screen is self._setting_up:
            self._setting_up.hear(device, pressed=pressed)

    def set_up(self, game: str) -> None:
        """The set-up of that game."""
        self.app.stage.show(lambda: self._set_up(game))

    def speak(self) -> None:
        """Texts in kv have changed by themselves; what came as values is asked for again."""
        screen = self.app.stage.screen
        if isinstance(screen, Home):
            glimpse = self._look()
            screen.boxes, screen.going = glimpse.lids, glimpse.going
        elif self._setting_up is not None and screen is self._setting_up:
            self._setting_up.box = self._box(self._setting_up.box.key)

    def _look(self) -> Glimpse:
        """Returns what home shows now, and keeps it for the next start."""
        lang = self.app.lang
        lids = tuple(box.lid for box in self.shelf.boxes(lang))
        glimpse = Glimpse(lang, lids, tuple(self.shelf.going(lang)))
        self._keep(glimpse)
        return glimpse

    def _home(self) -> Home:
        glimpse = self._look()
        there, self._glimpsed = self._glimpsed, None
        home = there[1] if there is not None and there[0] == glimpse else glimpsed(glimpse)
        home.bind(
            on_continue=lambda home: self.shelf.resume(home.going[0].number),
            on_waiting=lambda _: self.shelf.waiting(),
            on_past=lambda _: self.shelf.past(),
            on_new=lambda _, box: self.set_up(box.key),
            on_broken=lambda _, box: self.app.tell(box.broken),
            on_demo=lambda _: self.shelf.demo(),
            on_cards=lambda _: self.shelf.cards(),
            on_settings=lambda _: self.shelf.settings(),
            on_language=lambda _: choose_language(self.app),
            on_quit=lambda home: self.leaving.ask(next(iter(home.going), None)),
        )
        return home

    def _made(self, screen: SetUp, option: str, name: str) -> None:
        """The set-up offers what there is now, and has chosen what was looked at last."""
        screen.box = self._box(screen.box.key)
        screen.choose(option, name)

    def _box(self, game: str) -> Box:
        return next(box for box in self.shelf.boxes(self.app.lang) if box.key == game)

    def _set_up(self, game: str) -> SetUp:
        from ui.screens.set_up import SetUp  # not before: it would delay the first frame

        screen = self._setting_up = SetUp(
            box=self._box(game),
            guests=self.shelf.people(),
            groups=self.shelf.groups(),
            inputs=self.shelf.inputs,
        )
        screen.bind(
            on_begin=lambda _, begin: keeping(
                self.app, self.shelf.going(self.app.lang), partial(self.shelf.begin, begin)
            ),
            on_sides=lambda _, people: self.shelf.sides(people),
            on_made=lambda screen, option: self.shelf.templates(partial(self._made, screen, option.key)),
            on_leave=lambda _: self.show(),
        )
        return screen
