"""The presets of Any Game, as tests read them: `deck_of("poker", tmp_path)`."""

from pathlib import Path

from companion.cards import Deck
from companion.games.any_game.rulebook import GAME
from companion.presets import PresetLibrary
from companion.testing.random_game import MISSING_STATE_DIRECTORY


def library(directory: Path = MISSING_STATE_DIRECTORY) -> PresetLibrary:
    """The presets that Any Game offers to the owner of that state directory."""
    return PresetLibrary(GAME, directory)


SHIPPED = library().shipped_names


def deck_of(name: str, directory: Path) -> Deck:
    """The deck of a preset."""
    return library(directory).load_preset_deck(name)


def read(text: str, where: str) -> Deck:
    """The deck of a preset's text."""
    return library().parse_preset(text, where)
