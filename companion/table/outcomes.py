"""What has been decided at a table: a battle, a round, a sale."""

from __future__ import annotations

import msgspec

from companion.table.ledger import Piece
from companion.table.seats import Seat
from companion.texts import Say


class Outcome(msgspec.Struct, frozen=True):
    """Something that has been decided, in a sentence, with its winners and the piece that it was about."""

    headline: Say
    winners: tuple[Seat, ...] = ()
    about: Piece | None = None
