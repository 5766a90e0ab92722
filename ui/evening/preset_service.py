"""The presets of a game and the preset files on a USB stick, for the pages of the screen.

The module draws nothing and asks nobody. It raises `UserError` if something can't be saved.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from companion.cards import DeckFile
from companion.files.regular_files import is_regular_file
from companion.owner_decks import EditableDeckRows
from companion.presets import PresetLibrary
from companion.rules.game import Game
from companion.rules.preset_pictures import PresetPicture
from companion.texts import Say
from hardware.usb_sticks import find_writable_usb_sticks

if TYPE_CHECKING:
    from ui.evening.diagnostics import Diagnostics

EXPORTS_FOLDER_NAME = "exports"
"""The name of the folder for exported presets.

The folder is in the state directory. Presets are exported into it only when no stick is plugged in. Files to
import are always looked for there, and on sticks as well.
"""


class PresetService:
    """Lists, changes, copies, imports and exports the presets of a game.

    The state directory and the sticks are those of the machine that `diagnostics` examines.
    """

    def __init__(self, game: Game, diagnostics: Diagnostics) -> None:
        self.game = game
        self._diagnostics = diagnostics

    @property
    def _library(self) -> PresetLibrary:
        return PresetLibrary(self.game, self._diagnostics.read_computer().state_directory)

    def label_by_preset_name(self) -> dict[str, Say]:
        """Returns the label of each preset, by its name.

        Presets that come with the game are first.
        """
        return self._library.labels_by_name()

    def picture_by_preset_name(self) -> dict[str, PresetPicture]:
        """Returns the picture of each preset, by its name; the gallery shows the same one."""
        library = self._library
        return {name: library.describe_preset(name).picture for name in library.labels_by_name()}

    def is_own_preset(self, name: str) -> bool:
        """Returns whether people made the preset; only such a preset can be changed."""
        return name in self._library.own_names()

    def load_preset_rows(self, name: str) -> EditableDeckRows:
        """Returns the rows of a preset."""
        return self._library.existing_or_new_preset(name).load_rows()

    def shipped_deck_file(self) -> DeckFile:
        """Returns the deck file that is shipped with the game; the file says what a preset may contain."""
        library = self._library
        return library.existing_or_new_preset(library.default_name).shipped_file

    def save_preset(self, name: str, rows: EditableDeckRows) -> None:
        """Saves these rows as the contents of an own preset."""
        self._library.existing_or_new_preset(name).save_rows(rows, f"{name}.toml")

    def duplicate_preset(self, name: str, new_name: str) -> str:
        """Duplicates a preset and returns the name of the copy.

        The name is `new_name`, or a similar one that is free.
        """
        library = self._library
        return library.existing_or_new_preset(name).duplicate(library.unused_name_like(new_name)).preset_name

    def rename_preset(self, name: str, new_name: str) -> str:
        """Renames an own preset and returns its name.

        The name is `new_name`, or a similar one that is free.
        """
        library = self._library
        unused_name = library.unused_name_like(new_name)
        library.rename(name, unused_name)
        return unused_name

    def delete_preset(self, name: str) -> None:
        """Deletes an own preset."""
        self._library.delete(name)

    def export_preset(self, name: str) -> Path:
        """Exports a preset as a file, and returns the file.

        The file is on the first stick, or in the exports folder.
        """
        return self._library.existing_or_new_preset(name).export_to_folder(
            self._export_and_import_folders()[0]
        )

    def find_importable_files(self) -> Sequence[Path]:
        """Returns the files that may be imported as presets.

        They are on sticks and in the exports folder.
        """
        files = (
            file for folder in self._export_and_import_folders() for file in sorted(folder.glob("*.toml"))
        )
        return [file for file in files if is_regular_file(file)]

    def import_preset_file(self, file: Path) -> str:
        """Copies a file as a new preset; returns the name of the preset."""
        return self._library.import_file(file, follow_links=False).preset_name

    def _export_and_import_folders(self) -> list[Path]:
        computer = self._diagnostics.read_computer()
        return [
            *find_writable_usb_sticks(computer.machine.root),
            computer.state_directory / EXPORTS_FOLDER_NAME,
        ]
