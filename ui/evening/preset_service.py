"""The presets of a game and the files on a USB stick, as the pages of the screen need them.

This module draws nothing and asks nobody. It raises `UserError` for what can't be kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cards import DeckFile
from companion.files.regular_files import is_regular_file
from companion.owner_decks import DeckRows
from companion.presets import PresetLibrary
from companion.rules.game import Game
from companion.texts import Say
from hardware.usb_sticks import find_usb_sticks

if TYPE_CHECKING:
    from ui.evening.diagnostics import Diagnostics

EXPORTS_FOLDER = "exports"
"""The folder in the state directory for exported and imported files when no stick is plugged in."""


class PresetService:
    """`PresetService(game, diagnostics)`: the examined machine has the state directory and the sticks."""

    def __init__(self, game: Game, diagnostics: Diagnostics) -> None:
        self.game = game
        self._diagnostics = diagnostics

    @property
    def _library(self) -> PresetLibrary:
        return PresetLibrary(self.game, self._diagnostics.host().state)

    def labels(self) -> dict[str, Say]:
        """What people call each preset; those that come with the game stand first."""
        return self._library.labels()

    def is_own(self, name: str) -> bool:
        """True for people's own presets, which can be changed."""
        return name in self._library.own_names()

    def rows(self, name: str) -> DeckRows:
        """The rows of a preset."""
        return self._library.preset(name).load_rows()

    def printed_deck(self) -> DeckFile:
        """What may stand in a preset."""
        library = self._library
        return library.preset(library.default_name).shipped_file

    def save(self, name: str, rows: DeckRows) -> None:
        """Makes these the rows of an own preset."""
        self._library.preset(name).save_rows(rows, f"{name}.toml")

    def duplicate(self, name: str, wanted: str) -> str:
        """Copies a preset and returns the name of the copy, which is as near to `wanted` as can be."""
        library = self._library
        return library.preset(name).duplicate(library.free_name(wanted)).preset_name

    def rename(self, name: str, wanted: str) -> str:
        """Renames an own preset and returns its new name, which is as near to `wanted` as can be."""
        library = self._library
        to = library.free_name(wanted)
        library.rename(name, to)
        return to

    def delete(self, name: str) -> None:
        """Deletes an own preset."""
        self._library.delete(name)

    def export(self, name: str) -> Path:
        """Writes a preset as a file onto the first stick, or into the exports folder; returns the file."""
        return self._library.preset(name).export_to(self._folders()[0])

    def files_to_import(self) -> Sequence[Path]:
        """The files on sticks and in the exports folder that may be presets."""
        found = (file for folder in self._folders() for file in sorted(folder.glob("*.toml")))
        return [file for file in found if is_regular_file(file)]

    def import_file(self, file: Path) -> str:
        """Copies such a file as a new preset; returns its name."""
        return self._library.import_file(file, follow=False).preset_name

    def _folders(self) -> list[Path]:
        host = self._diagnostics.host()
        return [*find_usb_sticks(host.machine.root), host.state / EXPORTS_FOLDER]
