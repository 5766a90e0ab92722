"""Presets: the named option files of a game. People choose, copy, change and share them as "templates".

A game declares its presets in `Game.presets`. The presets that ship with the game are beside its rulebook, as
`presets/NAME.toml`. People's own presets are in the state directory, as `templates/NAME.toml`. The fields of
the game's deck say which values a preset can have; this module knows no field.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Collection, Mapping
from contextlib import suppress
from functools import lru_cache
from itertools import chain, count
from pathlib import Path

import msgspec

from companion.bounds import MAX_OWN_TEMPLATES_PER_GAME
from companion.cards import CardValues, Deck, parse_deck_file, shipped_deck_file
from companion.cards.deck import word_label
from companion.errors import UnknownName, UserError, make_unknown_name_error
from companion.files import toml, user_files
from companion.files.regular_files import is_regular_file
from companion.owner_decks import DesignRow, EditableDeckRows, OwnerDeck, deck_to_rows, rows_to_toml
from companion.rules.game import Game, PresetDescription
from companion.table.table import OptionValue
from companion.texts import Say, say

MAX_PRESET_NAME_LETTERS = 20
PRESET_NAME_PATTERN = re.compile(rf"[^\W_][\w-]{{0,{MAX_PRESET_NAME_LETTERS - 1}}}")
DESIGN_KIND_FIELD = "kind"
"""The field that says which kind of thing a design of a preset is."""
DEFAULT_COPIES_ENTRY = ("copies", 1)
MAX_CACHED_DECKS = 64
"""Number of presets whose decks are kept: more than a gallery shows."""


class PresetLibrary:
    """All presets of a game, shipped and own: `PresetLibrary(any_game.GAME, state_directory(None))`.

    The game must have presets. A preset is known by its name, which is also the name of its file.
    """

    def __init__(self, game: Game, directory: Path) -> None:
        assert game.presets is not None, f"{game.key} has no presets"
        self.game, self.directory = game, directory
        self.deck_name, self.preset_option = game.presets.deck, game.preset_option
        own_folder = game.key if game.presets.own_folder is None else game.presets.own_folder
        self._own_folder = directory / "templates" / own_folder

    @property
    def default_name(self) -> str:
        """The name of the default preset: a table plays with it unless it chooses another one."""
        return str(self.preset_option.default)

    @property
    def shipped_names(self) -> tuple[str, ...]:
        """The names of the presets that ship with the game, in the order in which they are offered."""
        return tuple([name for name in self.preset_option.choices if self._shipped_file(name).is_file()])

    def own_names(self) -> list[str]:
        """Returns the names of people's own presets."""
        paths = sorted(self._own_folder.glob("*.toml"))
        return [path.stem for path in paths if _is_valid_name(path.stem) and is_regular_file(path)]

    def labels_by_name(self) -> dict[str, Say]:
        """Returns the label of each preset by name; shipped presets come first."""
        return {**self.preset_option.choices, **{name: word_label(name) for name in self.own_names()}}

    def existing_or_new_preset(self, name: str) -> Preset:
        """Returns the preset with this name, to read, change and share.

        The preset need not exist yet: saving rows creates it. Raises `UserError` for a name that no preset
        can have.
        """
        return Preset(self, name)

    def load_preset_deck(self, name: str) -> Deck:
        """Returns the deck of a preset.

        Raises `UserError`, which names the file, the key and what is allowed.
        """
        return self.parse_preset(self.read_preset_text(name), f"{name}.toml")

    def describe_preset(self, name: str) -> PresetDescription:
        """Returns what people read and see of a preset; nothing of one whose file can't be read."""
        assert self.game.presets is not None
        with suppress(UserError):
            return self.game.presets.describe(name, self.load_preset_deck(name))
        return PresetDescription()

    def parse_preset(self, text: str, file_name: str) -> Deck:
        """Returns the deck in the text of a preset.

        `file_name` is what people call the file. Raises `UserError` for an invalid text.
        """
        return _parse_preset(self.deck_name, self.game.folder, text, file_name)

    def read_preset_text(self, name: str) -> str:
        """Returns the text of a preset's file, or the game's deck as such a text for the default preset.

        Raises `UnknownName`, which lists all presets.
        """
        path = self.own_preset_path(name)
        if os.path.lexists(path):
            return user_files.read_user_file(path, toml.MAX_TOML_CHARACTERS, follow_links=False)
        if (file := self._shipped_file(name)).is_file():
            return file.read_text(encoding="utf-8")
        if name == self.default_name:
            return self.existing_or_new_preset(name).toml_text
        raise self._make_unknown_preset_error(name)

    def own_preset_path(self, name: str) -> Path:
        """Returns the file of an own preset; raises `UserError` for a name that no preset can have."""
        if not _is_valid_name(name):
            text = (
                "A template's name must be 1 to 20 lowercase letters, digits, - or _; {name} isn't allowed."
            )
            raise UserError(say(text, name=name))
        return self._own_folder / f"{name}.toml"

    def create_copy(self, name: str, source_name: str) -> Path:
        """Writes a new preset with the text of another one; raises `UserError` if the name is taken."""
        path = self.new_preset_path(name)
        user_files.write_app_file(path, self.read_preset_text(source_name))
        return path

    def new_preset_path(self, name: str) -> Path:
        """Returns the file of a new preset; raises `UserError` if the name is taken or there are too many."""
        path = self.own_preset_path(name)
        if self._is_taken(name):
            text = "There is already a template called {name}. Choose another name."
            raise UserError(say(text, name=name))
        if len(self.own_names()) >= MAX_OWN_TEMPLATES_PER_GAME:
            text = "There are {most} templates already. Delete a template first."
            raise UserError(say(text, most=MAX_OWN_TEMPLATES_PER_GAME))
        return path

    def unused_name_like(self, typed_name: str) -> str:
        """Returns an unused name close to what people typed: `My game` is `my-game`, or `my-game-2`."""
        words = re.findall(r"\w+", unicodedata.normalize("NFC", typed_name).lower().replace("_", " "))
        name = "-".join(words)[: MAX_PRESET_NAME_LETTERS - 3] or "template"
        suffixes = chain([""], (f"-{number}" for number in count(2)))
        names = (f"{name[: MAX_PRESET_NAME_LETTERS - len(suffix)]}{suffix}" for suffix in suffixes)
        return next(unused for unused in names if not self._is_taken(unused))

    def rename(self, name: str, new_name: str) -> None:
        """Renames an own preset; raises `UserError` if it isn't an own one or the new name is taken."""
        user_files.rename_app_file(self._existing_own_path(name), self.new_preset_path(new_name))

    def delete(self, name: str) -> None:
        """Deletes an own preset.

        Matches that began with it have their own copy of its values. Raises `UserError` if the preset
        ships with the game or doesn't exist.
        """
        user_files.delete_app_file(self._existing_own_path(name))

    def import_file(self, file: Path, *, follow_links: bool = True) -> Preset:
        """Copies a file as a new preset with the name of the file; a number is added to a taken name.

        Raises `UserError` for a file that can't be a preset.
        """
        text = user_files.read_user_file(file, toml.MAX_TOML_CHARACTERS, follow_links=follow_links)
        rows = self.existing_or_new_preset(self.default_name).parse_rows_without_defaults(text, file.name)
        return self.create_from_rows(self.unused_name_like(file.stem), rows, file.name)

    def create_from_rows(self, name: str, rows: EditableDeckRows, source_name_in_errors: str) -> Preset:
        """Writes a new preset with these rows.

        Errors name the source of the rows as people call it. Raises `UserError` for invalid rows.
        """
        self.new_preset_path(name)
        preset = self.existing_or_new_preset(name)
        preset.save_rows(rows, source_name_in_errors)
        return preset

    def deck_of_chosen_preset(self, options: Mapping[str, str]) -> Deck | None:
        """Returns the deck of the preset that the options choose; None for the deck that ships with the game.

        Raises `UserError`, which names the file and what is wrong with it.
        """
        name = options.get(self.preset_option.key, self.default_name)
        if name == self.default_name and not self._shipped_file(name).is_file():
            return None
        deck = self.load_preset_deck(name)
        try:
            self.game.check_deck(deck)
        except UserError as error:
            raise UserError(say("{file}: {why}", file=f"{name}.toml", why=error.text)) from error
        return deck

    def _shipped_file(self, name: str) -> Path:
        return self.game.folder / "presets" / f"{name}.toml"

    def _existing_own_path(self, name: str) -> Path:
        path = self.own_preset_path(name)
        if name in self.own_names():
            return path
        if name in self.preset_option.choices:
            text = (
                "The template {name} comes with the Companion. You can rename or delete only your own "
                "templates."
            )
            raise UserError(say(text, name=name))
        raise self._make_unknown_preset_error(name)

    def _make_unknown_preset_error(self, name: str) -> UnknownName:
        names = ", ".join(dict.fromkeys([self.default_name, *self.shipped_names, *self.own_names()]))
        text = say("There is no template {name}. Templates: {names}.", name=name, names=names)
        return make_unknown_name_error(name, names.split(", "), text)

    def _is_taken(self, name: str) -> bool:
        return name in self.preset_option.choices or os.path.lexists(self.own_preset_path(name))


class Preset(OwnerDeck):
    """One preset as rows, which can be changed and saved like the values of an owner's cards.

    A preset that ships with the game can only be read; an own one can be saved too.
    """

    def __init__(self, library: PresetLibrary, name: str) -> None:
        super().__init__(library.game, library.deck_name, library.directory)
        self.library, self.preset_name = library, name
        self.path = library.own_preset_path(name)

    @property
    def _is_shipped_deck(self) -> bool:
        """True for the default preset, whose rows are those of the game's deck."""
        return self.preset_name == self.library.default_name and not self.might_have_own_values

    def load_rows(self) -> EditableDeckRows:
        """Returns the rows of the preset.

        Raises `UserError`, which names the file, the key and what is allowed.
        """
        if self._is_shipped_deck:
            return self._without_defaults(
                OwnerDeck(self.game, self.deck_name, self.library.directory).load_own_or_shipped_deck()
            )
        text = self.library.read_preset_text(self.preset_name)
        return self.parse_rows_without_defaults(text, f"{self.preset_name}.toml")

    def parse_rows_without_defaults(self, text: str, file_name: str) -> EditableDeckRows:
        """Returns the rows in a text, without the values that are defaults of their field."""
        return self._without_defaults(self.parse_deck(text, file_name))

    def _without_defaults(self, deck: Deck) -> EditableDeckRows:
        """Returns the rows of a deck without default values, so that defaults of later versions apply."""
        rows = deck_to_rows(deck, self.shipped_file.id_key)
        defaults = {name: field.default for name, field in deck.fields.items()}
        cards = [
            {
                key: value
                for key, value in row.items()
                if value != defaults.get(key) and (key, value) != DEFAULT_COPIES_ENTRY
            }
            for row in rows.cards
        ]
        return msgspec.structs.replace(rows, cards=cards)

    @property
    def toml_text(self) -> str:
        """The text of the preset's TOML file."""
        return rows_to_toml(self._without_default_boards(self.load_rows()))

    def save_rows(self, rows: EditableDeckRows, file_name: str) -> Deck:
        """Saves these rows as the preset; raises as `parse_deck` does."""
        return super().save_rows(self._without_default_boards(rows), file_name)

    def _without_default_boards(self, rows: EditableDeckRows) -> EditableDeckRows:
        """Returns the rows without boards whose numbers are those of the game's deck."""
        defaults = self.shipped_file.deck.board
        board = {key: numbers for key, numbers in rows.board.items() if tuple(numbers) != defaults.get(key)}
        return msgspec.structs.replace(rows, board=board)

    def duplicate(self, new_name: str) -> Preset:
        """Writes a duplicate of the preset under a new name, and returns it.

        Rows and comments are the same. Raises `UserError` if the name is taken, and for values that a
        preset can't have.
        """
        self.load_rows()
        self.library.create_copy(new_name, self.preset_name)
        return self.library.existing_or_new_preset(new_name)

    def export_to_folder(self, folder: Path) -> Path:
        """Writes the preset as a new file into a folder and returns the file.

        Raises `UserError` if that isn't possible.
        """
        text, number = self.toml_text, 1
        while os.path.lexists(
            file := folder / f"{self.preset_name}{f'-{number}' if number > 1 else ''}.toml"
        ):
            number += 1
        user_files.write_new_file(file, text)
        return file


def with_own_presets(game: Game, directory: Path) -> Game:
    """Returns the game with people's own presets among its choices; a game without presets is unchanged."""
    if game.presets is None:
        return game
    library = PresetLibrary(game, directory)
    option_with_own = msgspec.structs.replace(library.preset_option, choices=library.labels_by_name())
    options = tuple(
        [option_with_own if option is library.preset_option else option for option in game.options]
    )
    return msgspec.structs.replace(game, options=options)


def chosen_preset_decks(game: Game, options: Mapping[str, str], directory: Path) -> dict[str, Deck]:
    """Returns the deck of the chosen preset, by the name of the deck that it replaces.

    The result is empty if the game has no presets, or if the table plays with the deck that ships with the
    game. Raises `UserError`, which names the file and what is wrong with it.
    """
    if game.presets is None:
        return {}
    deck = PresetLibrary(game, directory).deck_of_chosen_preset(options)
    return {} if deck is None else {game.presets.deck: deck}


def options_set_by_preset(game: Game, directory: Path, preset_name: str) -> dict[str, OptionValue]:
    """Returns the values of other options that a preset of the game sets, by the key of the option.

    A preset that nobody can play with sets none: the game begins with a refusal that says why.
    """
    assert game.presets is not None, f"{game.key} has no presets"
    with suppress(UserError):
        decks = starting_decks(game, directory, {game.presets.option: preset_name})
        set_by_preset = game.presets.read_options(decks[game.presets.deck])
        options = game.parse_options(set_by_preset)
        return {key: options[key] for key in set_by_preset}
    return {}


def options_unused_by_preset(game: Game, directory: Path, preset_name: str) -> Collection[str]:
    """Returns the keys of the options that have no effect with a preset of the game.

    With a preset that nobody can play with, all options may have an effect.
    """
    assert game.presets is not None, f"{game.key} has no presets"
    with suppress(UserError):
        return game.presets.find_unused_options(PresetLibrary(game, directory).load_preset_deck(preset_name))
    return ()


def starting_decks(game: Game, directory: Path, options: Mapping[str, str]) -> dict[str, Deck]:
    """Returns the decks with which a new game starts, by name: with the owner's values or the chosen preset.

    Raises `UserError`, which names the file, the key and what is allowed.
    """
    decks = {name: OwnerDeck(game, name, directory).load_own_or_shipped_deck() for name in game.decks}
    return decks | chosen_preset_decks(game, options, directory)


@lru_cache(MAX_CACHED_DECKS)  # the gallery describes all presets whenever it is opened
def _parse_preset(deck_name: str, folder: Path, text: str, file_name: str) -> Deck:
    return parse_deck_file(deck_name, text, file_name, shipped_file=shipped_deck_file(deck_name, folder)).deck


def unused_design_id(rows: EditableDeckRows, kind: str) -> str:
    """Returns an unused id for a new design of a kind.

    No log and no rule uses the id, so it isn't translated.
    """
    taken = {str(row["id"]) for row in rows.cards}
    return next(name for number in range(1, len(taken) + 2) if (name := f"{kind} {number}") not in taken)


def with_design(rows: EditableDeckRows, design_id: str, values: CardValues) -> EditableDeckRows:
    """Returns the rows with these values for the design with an id; a new design comes last."""
    row: DesignRow = {"id": design_id, **values}
    is_known = any(str(old_row["id"]) == design_id for old_row in rows.cards)
    cards = [
        {**row, **_copies_entry(old_row)} if str(old_row["id"]) == design_id else old_row
        for old_row in rows.cards
    ]
    return msgspec.structs.replace(rows, cards=cards if is_known else [*cards, row])


def without_design(rows: EditableDeckRows, design_id: str) -> EditableDeckRows:
    """Returns the rows without the design with an id; raises `UserError` if there is no other design."""
    cards = [row for row in rows.cards if str(row["id"]) != design_id]
    if not cards:
        raise UserError(say("A template can't be empty."))
    return msgspec.structs.replace(rows, cards=cards)


def with_design_moved_up(rows: EditableDeckRows, design_id: str) -> EditableDeckRows:
    """Returns the rows with a design moved before the previous one of its kind.

    The first design of a kind stays in place.
    """
    cards = list(rows.cards)
    index = next(index for index, row in enumerate(cards) if str(row["id"]) == design_id)
    previous_indices = [
        other_index
        for other_index in range(index)
        if cards[other_index].get(DESIGN_KIND_FIELD) == cards[index].get(DESIGN_KIND_FIELD)
    ]
    if previous_indices:
        cards[previous_indices[-1]], cards[index] = cards[index], cards[previous_indices[-1]]
    return msgspec.structs.replace(rows, cards=cards)


def _copies_entry(row: DesignRow) -> DesignRow:
    return {key: value for key, value in row.items() if key == "copies"}


def _is_valid_name(name: str) -> bool:
    """Returns whether a preset can have this name: its letters, of any script, are lowercase.

    Some file systems treat names as equal that differ only in capitals.
    """
    return PRESET_NAME_PATTERN.fullmatch(name) is not None and name == name.lower()
