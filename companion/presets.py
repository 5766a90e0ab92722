"""Presets: the named option files of a game. People choose, copy, change and share them as "templates".

A game that has presets says so in its `Game.presets`. Presets that come with it lie beside its rulebook, as
`presets/NAME.toml`; people's own lie in the state directory, as `templates/NAME.toml`. What may stand in a
preset is what the fields of the game's deck say; nothing here knows any of them.
"""

from __future__ import annotations

import os
import re
import unicodedata
from collections.abc import Mapping
from itertools import chain, count
from pathlib import Path

import msgspec

from companion.bounds import MAX_OWN_TEMPLATES
from companion.cards import CardValues, Deck, parse_deck_file, shipped_deck_file
from companion.cards.deck import word_label
from companion.errors import UnknownName, UserError, unknown_name
from companion.files import toml, user_files
from companion.files.regular_files import is_regular_file
from companion.owner_decks import DeckRows, DesignRow, OwnerDeck, deck_to_rows, rows_to_toml
from companion.rules.game import Game
from companion.texts import Say, say

MAX_NAME_LETTERS = 20
NAME_PATTERN = re.compile(rf"[^\W_][\w-]{{0,{MAX_NAME_LETTERS - 1}}}")
KIND_FIELD = "kind"
"""The field that says what a design of a preset is."""
ONE_COPY = ("copies", 1)


class PresetLibrary:
    """All presets of a game: `PresetLibrary(any_game.GAME, state_directory(None))`. The game must have some.

    A preset is known by its name, which is also the name of its file.
    """

    def __init__(self, game: Game, directory: Path) -> None:
        assert game.presets is not None, f"{game.key} has no presets"
        self.game, self.directory = game, directory
        self.deck_name, self.option = game.presets.deck, game.preset_option
        own_folder = game.key if game.presets.own_folder is None else game.presets.own_folder
        self._own_folder = directory / "templates" / own_folder

    @property
    def default_name(self) -> str:
        """The preset that a table plays with unless it chooses another one."""
        return str(self.option.default)

    @property
    def shipped_names(self) -> tuple[str, ...]:
        """The presets that come with the game as files, in the order in which they are offered."""
        return tuple([name for name in self.option.choices if self._shipped_file(name).is_file()])

    def own_names(self) -> list[str]:
        """The names of people's own presets."""
        paths = sorted(self._own_folder.glob("*.toml"))
        return [path.stem for path in paths if _is_name(path.stem) and is_regular_file(path)]

    def labels(self) -> dict[str, Say]:
        """What people call each preset; those that come with the game stand first."""
        return {**self.option.choices, **{name: word_label(name) for name in self.own_names()}}

    def preset(self, name: str) -> Preset:
        """One preset, to read, change and share."""
        return Preset(self, name)

    def deck_of(self, name: str) -> Deck:
        """The deck of a preset; raises `UserError`, which names the file, the key and what is allowed."""
        return self.read(self.text_of(name), f"{name}.toml")

    def read(self, text: str, where: str) -> Deck:
        """Reads the text of a preset; `where` is what people call the file. Raises `UserError`."""
        return parse_deck_file(
            self.deck_name, text, where, shipped_file=shipped_deck_file(self.deck_name, self.game.folder)
        ).deck

    def text_of(self, name: str) -> str:
        """The file of a preset; raises `UnknownName`, which names those there are."""
        path = self.path_of(name)
        if os.path.lexists(path):
            return user_files.read_user_file(path, toml.MAX_FILE_CHARACTERS, follow_links=False)
        if (file := self._shipped_file(name)).is_file():
            return file.read_text(encoding="utf-8")
        raise self._unknown(name)

    def path_of(self, name: str) -> Path:
        """Where an own preset lies; raises `UserError` for a name that no file can have."""
        if not _is_name(name):
            text = (
                "A template's name must be 1 to 20 lowercase letters, digits, - or _; {name} isn't allowed."
            )
            raise UserError(say(text, name=name))
        return self._own_folder / f"{name}.toml"

    def create_copy(self, name: str, like: str) -> Path:
        """Writes a new preset with the text of another one; raises `UserError` if the name is taken."""
        path = self.path_of_new(name)
        user_files.write_own_file(path, self.text_of(like))
        return path

    def path_of_new(self, name: str) -> Path:
        """Where a new preset will lie; raises `UserError` if the name is taken or there are too many."""
        path = self.path_of(name)
        if self._is_taken(name):
            text = "There is already a template called {name}. Choose another name."
            raise UserError(say(text, name=name))
        if len(self.own_names()) >= MAX_OWN_TEMPLATES:
            text = "There are {most} templates already. Delete a template first."
            raise UserError(say(text, most=MAX_OWN_TEMPLATES))
        return path

    def free_name(self, wanted: str) -> str:
        """The free name nearest to what people wrote: `My game` is `my-game`, or `my-game-2`."""
        words = re.findall(r"\w+", unicodedata.normalize("NFC", wanted).lower().replace("_", " "))
        name = "-".join(words)[: MAX_NAME_LETTERS - 3] or "template"
        names = chain([name], (f"{name}-{number}" for number in count(2)))
        return next(one for one in names if not self._is_taken(one))

    def rename(self, name: str, to: str) -> None:
        """Renames an own preset; raises `UserError` if it isn't an own one or the new name is taken."""
        user_files.rename_own_file(self._own_path(name), self.path_of_new(to))

    def delete(self, name: str) -> None:
        """Deletes an own preset; matches that began with it keep what they need.

        Raises `UserError` if the preset came with the game or there is none.
        """
        user_files.delete_own_file(self._own_path(name))

    def import_file(self, file: Path, *, follow: bool = True) -> Preset:
        """Copies a file as a new preset with the name of the file, or with a number behind a taken name.

        Raises `UserError` for what can't stand in a preset.
        """
        text = user_files.read_user_file(file, toml.MAX_FILE_CHARACTERS, follow_links=follow)
        rows = self.preset(self.default_name).rows_without_defaults(text, file.name)
        return self.create_from_rows(self.free_name(file.stem), rows, file.name)

    def create_from_rows(self, name: str, rows: DeckRows, where: str) -> Preset:
        """Writes a new preset; `where` is what people call the source. Raises `UserError`."""
        self.path_of_new(name)
        new = self.preset(name)
        new.save_rows(rows, where)
        return new

    def chosen_deck(self, options: Mapping[str, str]) -> Deck | None:
        """The deck of the preset that a table chose; None if the deck that the game ships stays.

        Raises `UserError`, which names the file and what is wrong with it.
        """
        name = options.get(self.option.key, self.default_name)
        if name == self.default_name and not self._shipped_file(name).is_file():
            return None
        deck = self.deck_of(name)
        try:
            self.game.check_deck(deck)
        except UserError as error:
            raise UserError(say("{file}: {why}", file=f"{name}.toml", why=error.text)) from error
        return deck

    def _shipped_file(self, name: str) -> Path:
        return self.game.folder / "presets" / f"{name}.toml"

    def _own_path(self, name: str) -> Path:
        path = self.path_of(name)
        if name in self.own_names():
            return path
        if name in self.option.choices:
            text = (
                "The template {name} comes with the Companion. You can rename or delete only your own "
                "templates."
            )
            raise UserError(say(text, name=name))
        raise self._unknown(name)

    def _unknown(self, name: str) -> UnknownName:
        names = ", ".join([*self.option.choices, *self.own_names()])
        none = say("There is no template {name}. Templates: {names}.", name=name, names=names)
        return unknown_name(name, names.split(", "), none)

    def _is_taken(self, name: str) -> bool:
        return name in self.option.choices or os.path.lexists(self.path_of(name))


class Preset(OwnerDeck):
    """One preset as rows, which can be changed and kept like the values of an owner's cards.

    A preset that came with the game can only be read; an own one can be kept, too.
    """

    def __init__(self, library: PresetLibrary, name: str) -> None:
        super().__init__(library.game, library.deck_name, library.directory)
        self.library, self.preset_name = library, name
        self.path = library.path_of(name)

    @property
    def _is_shipped_deck(self) -> bool:
        """True for the default, whose rows are those of the game's deck."""
        return self.preset_name == self.library.default_name and not self.has_own_values

    def load_rows(self) -> DeckRows:
        """The rows of the preset; raises `UserError`, which names the file, the key and what is allowed."""
        if self._is_shipped_deck:
            return self._without_defaults(OwnerDeck(self.game, self.name, self.library.directory).load_deck())
        text = self.library.text_of(self.preset_name)
        return self.rows_without_defaults(text, f"{self.preset_name}.toml")

    def rows_without_defaults(self, text: str, where: str) -> DeckRows:
        """The rows of a text, without the values that a reader fills in."""
        return self._without_defaults(self.parse_deck(text, where))

    def _without_defaults(self, deck: Deck) -> DeckRows:
        """Short rows, which take the defaults of later versions."""
        rows = deck_to_rows(deck, self.shipped_file.id)
        defaults = {name: one.default for name, one in deck.fields.items()}
        cards = [
            {
                key: value
                for key, value in row.items()
                if value != defaults.get(key) and (key, value) != ONE_COPY
            }
            for row in rows.cards
        ]
        return msgspec.structs.replace(rows, cards=cards)

    @property
    def text(self) -> str:
        """The text of its file."""
        return rows_to_toml(self._without_default_boards(self.load_rows()))

    def save_rows(self, rows: DeckRows, file_name: str) -> Deck:
        """Makes these the rows of the preset. Raises as `read` does."""
        return super().save_rows(self._without_default_boards(rows), file_name)

    def _without_default_boards(self, rows: DeckRows) -> DeckRows:
        """The rows without boards whose numbers are those of the game's deck."""
        defaults = self.shipped_file.deck.board
        board = {key: numbers for key, numbers in rows.board.items() if tuple(numbers) != defaults.get(key)}
        return msgspec.structs.replace(rows, board=board)

    def duplicate(self, name: str) -> Preset:
        """Writes a new preset with the same rows and comments.

        Raises `UserError` if the name is taken, and for what can't stand in a preset.
        """
        rows = self.load_rows()
        if self._is_shipped_deck:
            return self.library.create_from_rows(name, rows, name)
        self.library.create_copy(name, self.preset_name)
        return self.library.preset(name)

    def export_to(self, folder: Path) -> Path:
        """Writes the preset as a new file into a folder; raises `UserError` where it can't."""
        text, number = self.text, 1
        while os.path.lexists(
            file := folder / f"{self.preset_name}{f'-{number}' if number > 1 else ''}.toml"
        ):
            number += 1
        user_files.write_new_file(file, text)
        return file


def with_own_presets(game: Game, directory: Path) -> Game:
    """The game with people's own presets among its choices; a game without presets as it is."""
    if game.presets is None:
        return game
    library = PresetLibrary(game, directory)
    pick = msgspec.structs.replace(library.option, choices=library.labels())
    options = tuple([pick if option is library.option else option for option in game.options])
    return msgspec.structs.replace(game, options=options)


def chosen_decks(game: Game, options: Mapping[str, str], directory: Path) -> dict[str, Deck]:
    """The deck of the preset that a table chose, by the name of the deck whose place it takes.

    Empty if the game has no presets or the table plays with the deck that the game ships.
    Raises `UserError`, which names the file and what is wrong with it.
    """
    if game.presets is None:
        return {}
    deck = PresetLibrary(game, directory).chosen_deck(options)
    return {} if deck is None else {game.presets.deck: deck}


def starting_decks(game: Game, directory: Path, options: Mapping[str, str]) -> dict[str, Deck]:
    """The decks that a new game begins with: the owner's printed values, and the chosen preset.

    Raises `UserError`, which names the file, the key and what is allowed.
    """
    decks = {name: OwnerDeck(game, name, directory).load_deck() for name in game.decks}
    return decks | chosen_decks(game, options, directory)


def unused_id(rows: DeckRows, kind: str) -> str:
    """An id for a new design of a kind; no word of a language, so that no log and no rule uses it."""
    taken = {str(row["id"]) for row in rows.cards}
    return next(name for number in range(1, len(taken) + 2) if (name := f"{kind} {number}") not in taken)


def with_design(rows: DeckRows, design_id: str, values: CardValues) -> DeckRows:
    """The rows with these values on the design of that id; a new design comes last."""
    row: DesignRow = {"id": design_id, **values}
    there = any(str(one["id"]) == design_id for one in rows.cards)
    cards = [{**row, **_copies(one)} if str(one["id"]) == design_id else one for one in rows.cards]
    return msgspec.structs.replace(rows, cards=cards if there else [*cards, row])


def without_design(rows: DeckRows, design_id: str) -> DeckRows:
    """The rows without the design of that id; raises `UserError` if there is no other."""
    cards = [row for row in rows.cards if str(row["id"]) != design_id]
    if not cards:
        raise UserError(say("A template can't be empty."))
    return msgspec.structs.replace(rows, cards=cards)


def with_design_earlier(rows: DeckRows, design_id: str) -> DeckRows:
    """The rows with the design of that id before the previous one of its kind; the first stays in place."""
    cards = list(rows.cards)
    at = next(at for at, row in enumerate(cards) if str(row["id"]) == design_id)
    before = [other for other in range(at) if cards[other].get(KIND_FIELD) == cards[at].get(KIND_FIELD)]
    if before:
        cards[before[-1]], cards[at] = cards[at], cards[before[-1]]
    return msgspec.structs.replace(rows, cards=cards)


def _copies(row: DesignRow) -> DesignRow:
    return {key: value for key, value in row.items() if key == "copies"}


def _is_name(name: str) -> bool:
    """True for lowercase letters of any script: file systems differ in which other names are one name."""
    return NAME_PATTERN.fullmatch(name) is not None and name == name.lower()
