"""A template of Any Game as a copy of its deck: read, changed and kept like the values of one's own cards.

What may stand in it is what the deck's fields say; nothing here knows any of them.
"""

from __future__ import annotations

import os
from pathlib import Path

import msgspec

from companion import templates
from companion.cards import Deck, Values
from companion.copies.copy import Copy, Row, Rows, rows_of, written
from companion.errors import TableError
from companion.files import files, toml
from companion.rules.game import Game
from companion.words import say

ONE = ("copies", 1)
KIND = "kind"
"""The field that says what a design of a template is."""


class Template(Copy):
    """`Template(any_game.GAME, "mine", directory)`; one that came along is read, one's own kept too."""

    def __init__(self, game: Game, name: str, directory: Path) -> None:
        super().__init__(game, templates.DECK, directory)
        self.called = name
        self.directory = directory
        self._plain = Copy(game, templates.DECK, directory)
        self.path = templates.path_of(name, directory)

    @property
    def _is_plain(self) -> bool:
        return self.called == templates.PLAIN and not self.is_entered

    def rows(self) -> Rows:
        """What stands in it; raises `TableError`, which names the file, the key and what is allowed."""
        if self._is_plain:
            return self._brief(self._plain.deck())
        text = templates.text_of(self.called, self.directory)
        return self._brief(self.read(text, f"{self.called}.toml"))

    def _brief(self, deck: Deck) -> Rows:
        """Its rows without what a reader fills in: short, and with the usual values of later versions."""
        rows, usual = rows_of(deck, self.shipped.id), {name: one.default for name, one in deck.fields.items()}
        cards = [
            {key: value for key, value in row.items() if value != usual.get(key) and (key, value) != ONE}
            for row in rows.cards
        ]
        return msgspec.structs.replace(rows, cards=cards)

    @property
    def text(self) -> str:
        """What its file holds."""
        return written(self._unusual(self.rows()))

    def keep(self, rows: Rows, where: str) -> Deck:
        """Makes that what stands in it. Raises as `read` does."""
        return super().keep(self._unusual(rows), where)

    def _unusual(self, rows: Rows) -> Rows:
        """Without rows of numbers that are the usual ones: those needn't stand in a file."""
        usual = self.shipped.deck.board
        board = {key: numbers for key, numbers in rows.board.items() if tuple(numbers) != usual.get(key)}
        return msgspec.structs.replace(rows, board=board)

    def begun(self, name: str) -> Template:
        """A new one of that name with the same in it, remarks and all.

        Raises `TableError` where there is one already, and for what can't be in one.
        """
        rows = self.rows()
        if self._is_plain:
            return self._begun(name, rows, name)
        templates.begin(name, self.called, self.directory)
        return Template(self.game, name, self.directory)

    def taken(self, file: Path, *, follow: bool = True) -> Template:
        """A new one with what stands in a file, called like it; raises `TableError` for what can't be in one.

        Where one is called so already, a number is put behind the name.
        """
        rows = self._brief(self.read(files.read(file, toml.MOST, follow=follow), file.name))
        return self._begun(templates.fitting(file.stem, self.directory), rows, file.name)

    def _begun(self, name: str, rows: Rows, where: str) -> Template:
        templates.new(name, self.directory)
        new = Template(self.game, name, self.directory)
        new.keep(rows, where)
        return new

    def given(self, folder: Path) -> Path:
        """Writes it as a file into a folder, beside what lies there; raises `TableError` where it can't."""
        text, number = self.text, 1
        while os.path.lexists(file := folder / f"{self.called}{f'-{number}' if number > 1 else ''}.toml"):
            number += 1
        files.write_new(file, text)
        return file


def free(rows: Rows, kind: str) -> str:
    """An id for one more of a kind: no word of people's, so that it is none that a log or the rules use."""
    taken = {str(row["id"]) for row in rows.cards}
    return next(name for number in range(1, len(taken) + 2) if (name := f"{kind} {number}") not in taken)


def entered(rows: Rows, name: str, values: Values) -> Rows:
    """With these values on the design of that id, which is a new one after all others if there is none."""
    row: Row = {"id": name, **values}
    there = any(str(one["id"]) == name for one in rows.cards)
    cards = [{**row, **_copies(one)} if str(one["id"]) == name else one for one in rows.cards]
    return msgspec.structs.replace(rows, cards=cards if there else [*cards, row])


def without(rows: Rows, name: str) -> Rows:
    """Without the design of that id; raises `TableError` where nothing else is there."""
    cards = [row for row in rows.cards if str(row["id"]) != name]
    if not cards:
        raise TableError(say("A template can't be empty."))
    return msgspec.structs.replace(rows, cards=cards)


def earlier(rows: Rows, name: str) -> Rows:
    """The design of that id before the one of its kind that it came after; the first stays where it is."""
    cards = list(rows.cards)
    at = next(at for at, row in enumerate(cards) if str(row["id"]) == name)
    before = [other for other in range(at) if cards[other].get(KIND) == cards[at].get(KIND)]
    if before:
        cards[before[-1]], cards[at] = cards[at], cards[before[-1]]
    return msgspec.structs.replace(rows, cards=cards)


def _copies(row: Row) -> Row:
    return {key: value for key, value in row.items() if key == "copies"}
