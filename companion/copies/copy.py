"""One copy of a game: `STATE/cards/GAME.toml` where its owner has entered something, else what ships.

It is read as rows, and rows are its text: TOML that people can read and change.
Nothing is kept that could not be read again, and a file that can't be read begins no game.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import msgspec

from companion.cards import Deck, Printed, Value, read_deck, shipped
from companion.cards.printed import COPIES
from companion.errors import UserError, describe_exception
from companion.files import toml, user_files
from companion.rules.game import Game
from companion.texts import Say, say

BARE = re.compile(r"[A-Za-z0-9_-]+")
"""What TOML takes as a key without quotes."""
Row = dict[str, Value]


class Rows(msgspec.Struct, frozen=True):
    """What an owner's file holds, checked or not: one row a design, and the rows of the boards."""

    cards: list[Row]
    board: dict[str, list[Value]]
    provisional: bool


def rows_of(deck: Deck, id_field: str) -> Rows:
    """The rows of a deck whose cards are named by the value `id_field`."""
    cards: list[Row] = [
        {id_field: design.id, COPIES: design.copies, **design.values} for design in deck.designs
    ]
    board = {key: list[Value](values) for key, values in deck.board.items()}
    return Rows(cards, board, deck.provisional)


def written(rows: Rows) -> str:
    """The rows as TOML."""
    return "\n".join(_lines(rows))


def _lines(rows: Rows) -> Iterator[str]:
    if rows.provisional:
        yield "provisional = true"
        yield ""
    if rows.board:
        yield "[board]"
        for key, values in rows.board.items():
            yield f"{_key(key)} = [{', '.join(map(_quoted, values))}]"
        yield ""
    for row in rows.cards:
        yield "[[card]]"
        yield from _pairs(row)
        yield ""


def _pairs(row: Mapping[str, Value]) -> Iterator[str]:
    for key, value in row.items():
        if (key, value) != (COPIES, 1):
            yield f"{_key(key)} = {_quoted(value)}"


def _key(name: str) -> str:
    return name if BARE.fullmatch(name) else _quoted(name)


def _quoted(value: Value) -> str:
    """JSON's strings are TOML's, but for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


class Copy:
    """`Copy(bidders.GAME, "bidders", state_directory(None))`: what is printed on one's own copy of a deck."""

    def __init__(self, game: Game, name: str, directory: Path) -> None:
        self.game = game
        self.name = name
        self.path = directory / "cards" / f"{name}.toml"

    @property
    def shipped(self) -> Printed:
        """The values that come with the game, and what may be printed in their stead."""
        return shipped(self.name, self.game.folder)

    @property
    def is_entered(self) -> bool:
        """Whether its owner has entered anything; what can't be looked at may be theirs."""
        try:
            self.path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            return True
        return True

    def deck(self) -> Deck:
        """The values in force; raises `UserError`, which names the file, the key and what is allowed."""
        if not self.is_entered:
            return self.shipped.deck
        return self.read(
            user_files.read_text(self.path, toml.MAX_FILE_CHARACTERS, follow=False), str(self.path)
        )

    def read(self, text: str, where: str) -> Deck:
        """The deck of a file of this copy, `where` as people know it; raises `UserError` as `deck` does."""
        deck = read_deck(self.name, text, where, self.shipped).deck
        self.check(deck, where)
        return deck

    def check(self, deck: Deck, where: str) -> list[Say]:
        """What looks odd in a deck; raises `UserError` for what can't be."""
        try:
            self._check_cards(deck)
            return self.game.check_deck(deck)
        except UserError as error:
            raise UserError(say("{file}: {why}", file=where, why=error.text)) from error
        except Exception as fault:
            text = "{file}: {game} can't check this file: {why}."
            raise UserError(
                say(text, file=where, game=self.game.title, why=describe_exception(fault))
            ) from fault

    def rows(self) -> Rows:
        """The values in force as rows that can be changed and kept."""
        return rows_of(self.deck(), self.shipped.id)

    def keep(self, rows: Rows, where: str) -> Deck:
        """Makes these the values in force; they are on the disk when this returns. Raises as `read` does."""
        text = written(rows)
        deck = self.read(text, where)
        user_files.write_own_file(self.path, text)
        return deck

    def _check_cards(self, deck: Deck) -> None:
        """Cards without fields leave nothing to enter."""
        if not deck.fields and deck.designs != self.shipped.deck.designs:
            raise UserError(
                say("you don't need to enter values for the cards of {game}.", game=self.game.title)
            )
