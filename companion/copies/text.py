"""A deck as rows, and rows as the text of a file: TOML that people can read and change."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping

import msgspec

from companion.cards import Deck, Value
from companion.cards.printed import COPIES

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
