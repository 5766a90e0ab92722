"""Interfaces of the app for screens: its language, its stage, its evening and the controller of the table."""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from typing import TYPE_CHECKING, Protocol

from kivy.app import App

from ui.sound import SoundPlayer
from ui.stage import Stage
from ui.words import Translator

if TYPE_CHECKING:
    from companion.evening import Evening
    from companion.rules.game import Game
    from ui.evening.controller import TableController
    from ui.evening.pin_attempts import PinAttempts
    from ui.widgets.drawing.still_picture import StillPicture


SetClockFunction = Callable[[datetime], str]
"""A function that sets the machine's clock; it returns why it can't, or an empty text."""


class AppWithStage(Translator, Protocol):
    """An app that shows screens on a stage."""

    stage: Stage
    sounds: SoundPlayer
    is_sound_on: bool
    shows_table_across_room: bool

    def show_home(self) -> None:
        """Shows the home screen."""

    def toggle_sounds(self) -> None:
        """Turns sounds on or off, now and in later evenings."""

    def fbind(self, name: str, do: Callable[..., object]) -> object:
        """Calls `do` whenever property `name` changes."""

    def stop(self) -> None:
        """Ends the app."""


class AppWithEvening(AppWithStage, Protocol):
    """An app with an open evening: games, devices and settings."""

    set_system_clock: SetClockFunction | None
    """Sets the machine's clock; None if that isn't the app's business."""
    pin_attempts: PinAttempts
    """Counts the wrong PINs; closing a page doesn't change the count."""
    still_picture: StillPicture
    """Draws what stands still behind what moves."""

    @property
    def has_open_evening(self) -> bool:
        """Returns whether an evening is open."""

    @property
    def evening(self) -> Evening:
        """Returns the open evening: the game on the table, the saved games and the settings.

        The evening must be open. Changes go through the controller.
        """

    @property
    def controller(self) -> TableController:
        """Returns the controller of the open evening.

        The evening must be open. The controller applies what people do, so that screen and devices show it.
        """

    def open_game_setup(self, game_key: str) -> None:
        """Shows the set-up screen of a game: who plays, and with which options."""

    def open_settings(self) -> None:
        """Shows the settings, with a way to the service page."""

    def open_language_list(self) -> None:
        """Shows the languages, of which people choose one."""

    def open_presets(self, game: Game, on_closed_with_last_preset: Callable[[str], object]) -> None:
        """Opens the presets of a game.

        `on_closed_with_last_preset` gets the name of the preset seen last.
        """

    def open_cards(self, preferred_deck_names: Collection[str] = ()) -> None:
        """Shows the cards of one deck, or all decks to choose from."""

    def open_evening(self) -> None:
        """Opens the evening and shows home, or why the evening can't be opened."""

    def close_evening(self) -> None:
        """Closes the evening, until `open_evening`."""


def get_companion_app() -> AppWithEvening:
    """Returns the running Companion app, which must have been made."""
    app: AppWithEvening = App.get_running_app()
    return app
