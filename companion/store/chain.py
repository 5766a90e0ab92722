"""A log as rows: each event is chained to all before it, so that none can be changed, lost or moved unseen.

The chain finds accidents, and whoever changes a row without knowing of it. Who can write the file can also
chain it again.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Iterable, Iterator

import msgspec

from companion.errors import UserError
from companion.files import bounded_json
from companion.log.events import Began, Event
from companion.log.proof import in_order
from companion.texts import say

INSERT_EVENT = "INSERT OR REPLACE INTO event (game, seq, n, kind, body, chain) VALUES (?, ?, ?, ?, ?, ?)"
SELECT_EVENTS = "SELECT seq, CAST(body AS BLOB), chain FROM event WHERE game = ? ORDER BY seq"
SELECT_UNCHAINED_EVENTS = "SELECT seq, CAST(body AS BLOB), '' FROM event WHERE game = ? ORDER BY seq"
"""Of a file that is older than the chain, and can't be brought up to date because it is only looked at."""
NO_CHECKSUM = ""
"""What an event has that was kept before there was a chain."""

EventRow = tuple[int, int, int, str, str, str]
_events: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


def next_event_row(number: int, seq: int, event: Event, before: str) -> EventRow:
    """The next event as a row, `before` being the chain of the row before."""
    body = msgspec.json.encode(event)
    return event_row(number, seq, event, body, chain_checksum(before, body))


def event_row(number: int, seq: int, event: Event, body: bytes, chain: str) -> EventRow:
    """A row with this JSON and chain: game, place, question, kind, JSON, chain."""
    n = 0 if isinstance(event, Began) else event.n
    return number, seq, n, type(event).__name__, body.decode(), chain


def chain_checksum(before: str, body: bytes) -> str:
    """The chain after one more event: BLAKE2 of the chain before it and its JSON, in hex."""
    return hashlib.blake2b(before.encode() + body, digest_size=16).hexdigest()


def last_checksum(db: sqlite3.Connection, number: int | None) -> tuple[int, str]:
    """How many events a game has, and the chain after them."""
    query = "SELECT seq, chain FROM event WHERE game = ? ORDER BY seq DESC LIMIT 1"
    found: tuple[int, str] | None = db.execute(query, (number,)).fetchone()
    return found or (0, NO_CHECKSUM)


def read_events(rows: Iterable[tuple[int, bytes, str]]) -> Iterator[Event]:
    """The events in a log's rows; raises `UserError` or a decoding error at the first not as kept."""
    return in_order(map(decode_event, verified_bodies(rows)))


def verified_bodies(rows: Iterable[tuple[int, bytes, str]]) -> Iterator[bytes]:
    """The events as JSON; raises `UserError` at the first that isn't the next, or isn't what was kept."""
    before = NO_CHECKSUM
    for at, (seq, body, chain) in enumerate(rows, 1):
        if seq != at:
            raise UserError(say("Event {at} is missing.", at=at))
        if chain != (chain_checksum(before, body) if chain or before else NO_CHECKSUM):
            raise UserError(say("Event {at} has changed since it was saved.", at=at))
        before = chain
        yield body


def decode_event(body: bytes) -> Event:
    """The event of a row; raises `msgspec.DecodeError` or `UnicodeDecodeError`."""
    return bounded_json.decode_stored(_events, body)
