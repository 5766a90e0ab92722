"""The values printed on people's own copies of the games, entered once and kept in the state directory.

A game takes them when it begins and keeps what it began with. Updates of the program leave them alone.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

import msgspec

from companion.cards import CardValue, Deck, DeckFile, parse_deck_file, shipped_deck_file
from companion.cards.deck import NAME_FIELD
from companion.cards.deck_file import COPIES_KEY, ID_KEY, parse_design
from companion.errors import UserError, describe_exception
from companion.files import spreadsheet, toml, user_files
from companion.rules.game import Game
from companion.texts import Say, say

# One copy of a game: `STATE/cards/GAME.toml` where its owner has entered something, else what ships.
#
# It is read as rows, and rows are its text: TOML that people can read and change.
# Nothing is kept that could not be read again, and a file that can't be read begins no game.


BARE_TOML_KEY = re.compile(r"[A-Za-z0-9_-]+")
"""What TOML takes as a key without quotes."""
DesignRow = dict[str, CardValue]


class DeckRows(msgspec.Struct, frozen=True):
    """What an owner's file holds, checked or not: one row a design, and the rows of the boards."""

    cards: list[DesignRow]
    board: dict[str, list[CardValue]]
    provisional: bool


def deck_to_rows(deck: Deck, id_field: str) -> DeckRows:
    """The rows of a deck whose cards are named by the value `id_field`."""
    cards: list[DesignRow] = [
        {id_field: design.id, COPIES_KEY: design.copies, **design.values} for design in deck.designs
    ]
    board = {key: list[CardValue](values) for key, values in deck.board.items()}
    return DeckRows(cards, board, deck.provisional)


def rows_to_toml(rows: DeckRows) -> str:
    """The rows as TOML."""
    return "\n".join(_toml_lines(rows))


def _toml_lines(rows: DeckRows) -> Iterator[str]:
    if rows.provisional:
        yield "provisional = true"
        yield ""
    if rows.board:
        yield "[board]"
        for key, values in rows.board.items():
            yield f"{_toml_key(key)} = [{', '.join(map(_toml_value, values))}]"
        yield ""
    for row in rows.cards:
        yield "[[card]]"
        yield from _toml_pairs(row)
        yield ""


def _toml_pairs(row: Mapping[str, CardValue]) -> Iterator[str]:
    for key, value in row.items():
        if (key, value) != (COPIES_KEY, 1):
            yield f"{_toml_key(key)} = {_toml_value(value)}"


def _toml_key(name: str) -> str:
    return name if BARE_TOML_KEY.fullmatch(name) else _toml_value(name)


def _toml_value(value: CardValue) -> str:
    """JSON's strings are TOML's, but for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


class OwnerDeck:
    """`OwnerDeck(bidders.GAME, "bidders", state_directory(None))`.

    What is printed on one's own copy of a deck.
    """

    def __init__(self, game: Game, name: str, directory: Path) -> None:
        self.game = game
        self.name = name
        self.path = directory / "cards" / f"{name}.toml"

    @property
    def shipped(self) -> DeckFile:
        """The values that come with the game, and what may be printed in their stead."""
        return shipped_deck_file(self.name, self.game.folder)

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
        deck = parse_deck_file(self.name, text, where, self.shipped).deck
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

    def rows(self) -> DeckRows:
        """The values in force as rows that can be changed and kept."""
        return deck_to_rows(self.deck(), self.shipped.id)

    def keep(self, rows: DeckRows, where: str) -> Deck:
        """Makes these the values in force; they are on the disk when this returns. Raises as `read` does."""
        text = rows_to_toml(rows)
        deck = self.read(text, where)
        user_files.write_own_file(self.path, text)
        return deck

    def _check_cards(self, deck: Deck) -> None:
        """Cards without fields leave nothing to enter."""
        if not deck.fields and deck.designs != self.shipped.deck.designs:
            raise UserError(
                say("you don't need to enter values for the cards of {game}.", game=self.game.title)
            )


# The cards of a deck as a sheet (CSV), for people who would rather type into a table.
#
# The first line names the columns: what names a card, `copies`, `name`, and the fields; each further line
# is one design. An empty cell is not printed on that card. Text that a spreadsheet would calculate has an
# apostrophe before it, and comes back without. What is printed on boards isn't in a sheet.


WHOLE_NUMBER = re.compile(r"-?[0-9]{1,18}")


def sheet_columns(printed: DeckFile) -> list[str]:
    """The columns of the sheet of a deck."""
    shown = [key for one in printed.deck.designs for key in one.values]
    return list(dict.fromkeys([printed.id, COPIES_KEY, NAME_FIELD, *shown, *printed.deck.fields]))


def rows_to_csv(cards: Sequence[DesignRow], printed: DeckFile) -> str:
    """The cards as CSV."""
    out = io.StringIO()
    rows = csv.DictWriter(out, sheet_columns(printed), lineterminator="\n")
    rows.writeheader()
    rows.writerows({key: _format_cell(one) for key, one in card.items()} for card in cards)
    return out.getvalue()


def rows_from_csv(text: str, printed: DeckFile) -> list[DesignRow]:
    """The cards of a sheet; raises `UserError`, which names the line, the key and what is allowed."""
    lines = _csv_lines(text)
    at, header = next(lines, (1, []))
    with _naming_line(at):
        _check_header(header, printed)
    cards: dict[CardValue, DesignRow] = {}
    for at, cells in lines:
        with _naming_line(at):
            row = _parse_row(header, cells, printed)
            if row[printed.id] in cards:
                raise UserError(say("card {id} appears twice.", id=str(row[printed.id])))
            cards[row[printed.id]] = row
    if not cards:
        raise UserError(say("there are no cards below the first line."))
    return list(cards.values())


def parse_cell(printed: DeckFile, key: str, text: str) -> CardValue:
    """What people wrote as the value that stands there: a number, unless it is a name or a choice."""
    field = printed.deck.fields.get(key)
    is_word = key in {NAME_FIELD, ID_KEY} or (field is not None and field.choices)
    return text if is_word or not WHOLE_NUMBER.fullmatch(text) else int(text)


def _format_cell(one: CardValue) -> CardValue:
    """A value as it is written: text that no spreadsheet takes for a formula."""
    return spreadsheet.escape_formulas(one) if isinstance(one, str) else one


def _csv_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Each line that isn't blank: its number, counted from 1, and its cells."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for cells in reader:
            stripped = [spreadsheet.unescape_formulas(cell.strip()).strip() for cell in cells]
            if any(stripped):
                yield reader.line_num, stripped
    except csv.Error as error:
        with _naming_line(reader.line_num):
            raise UserError(say("this is not valid CSV: {why}.", why=str(error))) from error


def _check_header(header: Sequence[str], printed: DeckFile) -> None:
    known = sheet_columns(printed)
    for name in header:
        if name not in known:
            raise UserError(
                say("unknown column {name}; known columns: {names}.", name=name, names=", ".join(known))
            )
        if header.count(name) > 1:
            raise UserError(say("column {name} appears twice.", name=name))
    if printed.id not in header:
        raise UserError(say("column {name} is missing. This column names the cards.", name=printed.id))


def _parse_row(header: Sequence[str], cells: Sequence[str], printed: DeckFile) -> DesignRow:
    if len(cells) != len(header):
        raise UserError(
            say(
                "this line has {count} cells, but there are {columns} columns.",
                count=len(cells),
                columns=len(header),
            )
        )
    row = {key: parse_cell(printed, key, cell) for key, cell in zip(header, cells, strict=True) if cell}
    if printed.id not in row:
        raise UserError(say("{field} is missing. This field names the card.", field=printed.id))
    parse_design(
        str(row[printed.id]), {key: one for key, one in row.items() if key != ID_KEY}, printed.deck.fields
    )
    return row


@contextmanager
def _naming_line(line: int) -> Iterator[None]:
    try:
        yield
    except UserError as error:
        raise UserError(say("Line {line}: {why}", line=line, why=error.text)) from error
