"""What phones and viewers are shown, as padded JSON: the table, the question of a seat, and its secrets.

The sizes follow from what everybody may know.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

import msgspec

from companion.form_json import Json
from companion.phones.channel import pad
from companion.phones.state import PublicTable, private_state, question_state
from companion.requests import Request
from companion.table.seats import Seat

PUBLIC_SIZE_STEP, PRIVATE_SIZE_STEP = 1024, 4096
"""The sizes to whose multiples the public parts and the private part of a message are padded."""
PRIVATE_BYTES_PER_HIDDEN_PIECE, PRIVATE_BYTES_BESIDE = 160, 2048
"""The bytes that the private part may need for each hidden piece of the seat, and beside them."""


class PublicState:
    """The public table in one language: the whole state, and what the last change changed."""

    def __init__(self) -> None:
        self.version = 0
        self.values: Mapping[str, Any] = {}
        self.published = self.whole = self.change = b""

    def update(self, values: Mapping[str, Any]) -> None:
        """Takes the values of the next version."""
        changed = {key: value for key, value in values.items() if self.values.get(key, ...) != value}
        gone = [key for key in self.values if key not in values]
        self.published = msgspec.json.encode(values)
        self.whole = b'{"table":' + self.published + b"}"
        self.change = self.whole if gone else msgspec.json.encode({"changed": changed})
        self.values, self.version = values, self.version + 1

    def padded_part_after(self, version: int) -> bytes:
        """Returns what a page needs that has a version: the change, or the whole state after a gap."""
        part = self.change if version and version == self.version - 1 else self.whole
        return pad(part, PUBLIC_SIZE_STEP)


class PaddedQuestions:
    """What seats are asked, as padded JSON. What several seats are asked alike is written once."""

    def __init__(self, table: PublicTable | None) -> None:
        self._table = table
        self._padded_by_part: dict[tuple[int, str], tuple[Request[Any] | None, bytes]] = {}
        """The padded JSON by the identity of what is asked, which is kept so that the identity stays."""

    def padded_question(self, seat: Seat | None, language: str) -> bytes:
        """Returns what a seat is asked, in a language."""
        table = self._table
        part: Request[Any] | None = None
        if table is not None and table.view.question is not None and seat is not None:
            part = table.view.question.question_for(seat)
        if (id(part), language) not in self._padded_by_part:
            asked = None if table is None or seat is None else question_state(table, seat, language)
            padded = pad(msgspec.json.encode(asked), PUBLIC_SIZE_STEP)
            self._padded_by_part[id(part), language] = part, padded
        return self._padded_by_part[id(part), language][1]


def padded_private_part(table: PublicTable | None, seat: Seat | None, language: str, feedback: Json) -> bytes:
    """Returns what only the player of a seat may see, and what became of the phone's last message."""
    private = {} if seat is None or table is None else private_state(table, seat, language)
    content = msgspec.json.encode(private | {"feedback": feedback})
    return pad(content, _private_size(len(private.get("hidden", ()))))


def _private_size(hidden_piece_count: int) -> int:
    """Returns the size of the private part: it follows from what everybody may know."""
    needed = PRIVATE_BYTES_BESIDE + PRIVATE_BYTES_PER_HIDDEN_PIECE * hidden_piece_count
    return PRIVATE_SIZE_STEP * ceil(needed / PRIVATE_SIZE_STEP)
