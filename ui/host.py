"""What screens and flows need of the app: its language and stage, its evening and the table's controller."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Protocol

from kivy.app import App

from ui.sound import Sounds
from ui.stage import Stage
from ui.words import Speaking

if TYPE_CHECKING:
    from companion.evening import Evening
    from companion.rules.game import Game
    from ui.evening.controller import TableController


class Host(Speaking, Protocol):
    """An app with a stage."""

    stage: Stage
    sounds: Sounds

    def go_home(self) -> None:
        """Home is shown."""

    def switch_sounds(self) -> None:
        """On or off, now and in the evenings to come."""

    def fbind(self, name: str, do: Callable[..., object]) -> object:
        """Whenever that property changes, this is done."""

    def stop(self) -> None:
        """The app ends."""


class TableHost(Host, Protocol):
    """An app at whose table an evening is open."""

    @property
    def is_open(self) -> bool:
        """Whether there is an evening now."""

    @property
    def evening(self) -> Evening:
        """The game on the table and what is saved, to look at."""

    @property
    def controller(self) -> TableController:
        """What people do goes through it, so that screen and devices show it."""

    def set_up(self, game: str) -> None:
        """Who plays that game, and how, is asked."""

    def open_settings(self) -> None:
        """The settings, with a way to the service page."""

    def open_presets(self, game: Game, done: Callable[[str], object]) -> None:
        """Opens the presets of a game; `done` gets the name of the preset seen last."""

    def open_cards(self, decks: Collection[str] = ()) -> None:
        """The cards of one deck, or all decks to choose from."""

    def open(self) -> None:
        """The evening is opened, and home shown."""

    def let_go(self) -> None:
        """The evening is closed, until `open`."""


def running() -> TableHost:
    """The app on whose stage a screen lies; only once it has been made."""
    app: TableHost = App.get_running_app()
    return app
