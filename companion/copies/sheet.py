"""The cards of a deck as a sheet (CSV), for people who would rather type into a table.

The first line names the columns: what names a card, `copies`, `name`, and the fields; each further line
is one design. An empty cell is not printed on that card. Text that a spreadsheet would calculate has an
apostrophe before it, and comes back without. What is printed on boards isn't in a sheet.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from companion.cards import Printed, Value
from companion.cards.deck import NAME
from companion.cards.printed import COPIES, ID, design
from companion.copies.copy import Row
from companion.errors import UserError
from companion.files import spreadsheet
from companion.texts import say

WHOLE = re.compile(r"-?[0-9]{1,18}")


def columns(printed: Printed) -> list[str]:
    """The columns of the sheet of a deck."""
    shown = [key for one in printed.deck.designs for key in one.values]
    return list(dict.fromkeys([printed.id, COPIES, NAME, *shown, *printed.deck.fields]))


def sheet(cards: Sequence[Row], printed: Printed) -> str:
    """The cards as CSV."""
    out = io.StringIO()
    rows = csv.DictWriter(out, columns(printed), lineterminator="\n")
    rows.writeheader()
    rows.writerows({key: _cell(one) for key, one in card.items()} for card in cards)
    return out.getvalue()


def read_sheet(text: str, printed: Printed) -> list[Row]:
    """The cards of a sheet; raises `UserError`, which names the line, the key and what is allowed."""
    lines = _lines(text)
    at, header = next(lines, (1, []))
    with _at(at):
        _check_header(header, printed)
    cards: dict[Value, Row] = {}
    for at, cells in lines:
        with _at(at):
            row = _row(header, cells, printed)
            if row[printed.id] in cards:
                raise UserError(say("card {id} appears twice.", id=str(row[printed.id])))
            cards[row[printed.id]] = row
    if not cards:
        raise UserError(say("there are no cards below the first line."))
    return list(cards.values())


def value(printed: Printed, key: str, text: str) -> Value:
    """What people wrote as the value that stands there: a number, unless it is a name or a choice."""
    field = printed.deck.fields.get(key)
    is_word = key in {NAME, ID} or (field is not None and field.choices)
    return text if is_word or not WHOLE.fullmatch(text) else int(text)


def _cell(one: Value) -> Value:
    """A value as it is written: text that no spreadsheet takes for a formula."""
    return spreadsheet.escape_formulas(one) if isinstance(one, str) else one


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Each line that isn't blank: its number, counted from 1, and its cells."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        for cells in reader:
            stripped = [spreadsheet.unescape_formulas(cell.strip()).strip() for cell in cells]
            if any(stripped):
                yield reader.line_num, stripped
    except csv.Error as error:
        with _at(reader.line_num):
            raise UserError(say("this is not valid CSV: {why}.", why=str(error))) from error


def _check_header(header: Sequence[str], printed: Printed) -> None:
    known = columns(printed)
    for name in header:
        if name not in known:
            raise UserError(
                say("unknown column {name}; known columns: {names}.", name=name, names=", ".join(known))
            )
        if header.count(name) > 1:
            raise UserError(say("column {name} appears twice.", name=name))
    if printed.id not in header:
        raise UserError(say("column {name} is missing. This column names the cards.", name=printed.id))


def _row(header: Sequence[str], cells: Sequence[str], printed: Printed) -> Row:
    if len(cells) != len(header):
        raise UserError(
            say(
                "this line has {count} cells, but there are {columns} columns.",
                count=len(cells),
                columns=len(header),
            )
        )
    row = {key: value(printed, key, cell) for key, cell in zip(header, cells, strict=True) if cell}
    if printed.id not in row:
        raise UserError(say("{field} is missing. This field names the card.", field=printed.id))
    design(str(row[printed.id]), {key: one for key, one in row.items() if key != ID}, printed.deck.fields)
    return row


@contextmanager
def _at(line: int) -> Iterator[None]:
    try:
        yield
    except UserError as error:
        raise UserError(say("Line {line}: {why}", line=line, why=error.text)) from error
