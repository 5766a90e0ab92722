"""The values printed on people's own copies of the games, entered once and saved in the state directory.

The values of a deck are in `STATE/cards/DECK.toml` if its owner has entered any; otherwise the shipped values
are used. A game takes the values when it begins and keeps them to its end. Updates of the program don't
change them. A file is saved only if it can be read again, and no game begins with a file that can't be read.

People may also edit the cards of a deck as a sheet (CSV). Its first line names the columns: the value that
names a card, `copies`, `name`, and the fields. Each further line is one design. An empty cell is not printed
on that card. Text that a spreadsheet would calculate gets an apostrophe before it, which is removed when the
sheet is read. The values printed on boards aren't in a sheet.
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
from companion.half_numbers import HalfNumber, parse_number
from companion.rules.game import Game
from companion.texts import Say, say

BARE_TOML_KEY_PATTERN = re.compile(r"[A-Za-z0-9_-]+")
"""The pattern of a key that needs no quotes in TOML."""
DesignRow = dict[str, CardValue]


class EditableDeckRows(msgspec.Struct, frozen=True):
    """An owner's deck as editable rows, checked or not: one row per design, and the rows of the boards."""

    cards: list[DesignRow]
    board: dict[str, list[CardValue]]
    provisional: bool


def deck_to_rows(deck: Deck, id_field: str) -> EditableDeckRows:
    """Returns the rows of a deck whose cards are named by the value `id_field`."""
    cards: list[DesignRow] = [
        {id_field: design.id, COPIES_KEY: design.copies, **design.values} for design in deck.designs
    ]
    board = {key: list[CardValue](values) for key, values in deck.board.items()}
    return EditableDeckRows(cards, board, deck.provisional)


def rows_to_toml(rows: EditableDeckRows) -> str:
    """Returns the rows as TOML."""
    return "\n".join(_toml_lines(rows))


def _toml_lines(rows: EditableDeckRows) -> Iterator[str]:
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
        yield from _toml_row_lines(row)
        yield ""


def _toml_row_lines(row: Mapping[str, CardValue]) -> Iterator[str]:
    for key, value in row.items():
        if (key, value) != (COPIES_KEY, 1):
            yield f"{_toml_key(key)} = {_toml_value(value)}"


def _toml_key(name: str) -> str:
    return name if BARE_TOML_KEY_PATTERN.fullmatch(name) else _toml_value(name)


def _toml_value(value: CardValue) -> str:
    """Returns a value as TOML. TOML writes strings as JSON does, except for DEL."""
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


class OwnerDeck:
    """The values printed on the owner's copy of a deck: `OwnerDeck(GAME, "deck", state_directory(None))`."""

    def __init__(self, game: Game, name: str, directory: Path) -> None:
        self.game = game
        self.deck_name = name
        self.path = directory / "cards" / f"{name}.toml"

    @property
    def shipped_file(self) -> DeckFile:
        """The deck file that ships with the game.

        The file has the shipped values, and says what may be printed instead.
        """
        return shipped_deck_file(self.deck_name, self.game.folder)

    @property
    def might_have_own_values(self) -> bool:
        """True if the owner has entered values, or if that can't be found out."""
        try:
            self.path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return False
        except OSError:
            return True
        return True

    def load_own_or_shipped_deck(self) -> Deck:
        """Returns the deck with the owner's values, else the shipped one.

        Raises `UserError`, which names the file, the key and what is allowed.
        """
        if not self.might_have_own_values:
            return self.shipped_file.deck
        return self.parse_deck(
            user_files.read_user_file(self.path, toml.MAX_TOML_CHARACTERS, follow_links=False), str(self.path)
        )

    def parse_deck(self, text: str, file_name: str) -> Deck:
        """Returns the deck in a text; `file_name` is what people call the file.

        Raises `UserError` as `load_own_or_shipped_deck` does.
        """
        deck = parse_deck_file(self.deck_name, text, file_name, self.shipped_file).deck
        self.check_deck(deck, file_name)
        return deck

    def check_deck(self, deck: Deck, file_name: str) -> list[Say]:
        """Checks a deck and returns warnings about unlikely values.

        Raises `UserError` for impossible values.
        """
        try:
            self._refuse_changed_cards_without_fields(deck)
            return self.game.check_deck(deck)
        except UserError as error:
            raise UserError(say("{file}: {why}", file=file_name, why=error.text)) from error
        except Exception as fault:
            text = "{file}: {game} can't check this file: {why}."
            raise UserError(
                say(text, file=file_name, game=self.game.title, why=describe_exception(fault))
            ) from fault

    def load_rows(self) -> EditableDeckRows:
        """Returns the values in force as rows that can be changed and saved."""
        return deck_to_rows(self.load_own_or_shipped_deck(), self.shipped_file.id_key)

    def save_rows(self, rows: EditableDeckRows, file_name: str) -> Deck:
        """Checks and saves the owner's values, which are used from then on.

        Raises as `parse_deck` does.
        """
        text = rows_to_toml(rows)
        deck = self.parse_deck(text, file_name)
        user_files.write_app_file(self.path, text)
        return deck

    def _refuse_changed_cards_without_fields(self, deck: Deck) -> None:
        """Raises `UserError` if the deck has no fields, so nothing can be entered, but other cards."""
        if not deck.fields and deck.designs != self.shipped_file.deck.designs:
            raise UserError(
                say("you don't need to enter values for the cards of {game}.", game=self.game.title)
            )


# Sheets in CSV


WHOLE_NUMBER_PATTERN = re.compile(r"-?[0-9]{1,18}")


def csv_columns(deck_file: DeckFile) -> list[str]:
    """Returns the names of the columns of a deck as CSV."""
    printed_fields = [key for design in deck_file.deck.designs for key in design.values]
    return list(
        dict.fromkeys([deck_file.id_key, COPIES_KEY, NAME_FIELD, *printed_fields, *deck_file.deck.fields])
    )


def rows_to_csv(cards: Sequence[DesignRow], deck_file: DeckFile) -> str:
    """Returns the cards as CSV."""
    text = io.StringIO()
    writer = csv.DictWriter(text, csv_columns(deck_file), lineterminator="\n")
    writer.writeheader()
    writer.writerows({key: _format_cell(value) for key, value in card.items()} for card in cards)
    return text.getvalue()


def rows_from_csv(text: str, deck_file: DeckFile) -> list[DesignRow]:
    """Returns the rows of cards in CSV.

    Raises `UserError`, which names the line, the key and what is allowed.
    """
    lines = _csv_lines(text)
    line_number, header = next(lines, (1, []))
    with _naming_line(line_number):
        _check_header(header, deck_file)
    cards: dict[CardValue, DesignRow] = {}
    for line_number, cells in lines:
        with _naming_line(line_number):
            row = _parse_row(header, cells, deck_file)
            if row[deck_file.id_key] in cards:
                raise UserError(say("card {id} appears twice.", id=str(row[deck_file.id_key])))
            cards[row[deck_file.id_key]] = row
    if not cards:
        raise UserError(say("there are no cards below the first line."))
    return list(cards.values())


def parse_cell(deck_file: DeckFile, key: str, text: str) -> CardValue:
    """Returns the value of a CSV cell: a number, unless the column has names or choices."""
    field = deck_file.deck.fields.get(key)
    if key in {NAME_FIELD, ID_KEY} or (field is not None and field.choices):
        return text
    if field is not None and isinstance(number := parse_number(text), HalfNumber):
        return float(number)
    return int(text) if WHOLE_NUMBER_PATTERN.fullmatch(text) else text


def _format_cell(value: CardValue) -> CardValue:
    """Returns a value as a sheet has it: no spreadsheet takes the text for a formula."""
    return spreadsheet.escape_formulas(value) if isinstance(value, str) else value


def _csv_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yields each line that isn't blank: its number, counted from 1, and its cells."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for cells in reader:
            texts = [spreadsheet.unescape_formulas(cell.strip()).strip() for cell in cells]
            if any(texts):
                yield reader.line_num, texts
    except csv.Error as error:
        with _naming_line(reader.line_num):
            raise UserError(say("this is not valid CSV: {why}.", why=str(error))) from error


def _check_header(header: Sequence[str], deck_file: DeckFile) -> None:
    known_columns = csv_columns(deck_file)
    for name in header:
        if name not in known_columns:
            raise UserError(
                say(
                    "unknown column {name}; known columns: {names}.",
                    name=name,
                    names=", ".join(known_columns),
                )
            )
        if header.count(name) > 1:
            raise UserError(say("column {name} appears twice.", name=name))
    if deck_file.id_key not in header:
        raise UserError(say("column {name} is missing. This column names the cards.", name=deck_file.id_key))


def _parse_row(header: Sequence[str], cells: Sequence[str], deck_file: DeckFile) -> DesignRow:
    if len(cells) != len(header):
        raise UserError(
            say(
                "this line has {count} cells, but there are {columns} columns.",
                count=len(cells),
                columns=len(header),
            )
        )
    row = {key: parse_cell(deck_file, key, cell) for key, cell in zip(header, cells, strict=True) if cell}
    if deck_file.id_key not in row:
        raise UserError(say("{field} is missing. This field names the card.", field=deck_file.id_key))
    parse_design(
        str(row[deck_file.id_key]),
        {key: value for key, value in row.items() if key != ID_KEY},
        deck_file.deck.fields,
    )
    return row


@contextmanager
def _naming_line(line: int) -> Iterator[None]:
    try:
        yield
    except UserError as error:
        raise UserError(say("Line {line}: {why}", line=line, why=error.text)) from error
