"""What moved in a game, thing by thing: everything in force with the pieces that went from place to place.

It draws from what all may see, so nothing that is covered is in it; what people did by hand is marked.
"""

from __future__ import annotations

import msgspec

from companion.log.events import Corrected
from companion.session.session import Session
from companion.session.view import history
from companion.table.moves import lying, moves
from companion.words import Say


class Movement(msgspec.Struct, frozen=True):
    """One thing in force, and what it moved; `by_hand`: it was a correction."""

    text: Say
    moves: tuple[Say, ...]
    by_hand: bool


def journal(session: Session) -> list[Movement]:
    """All that is in force, oldest first."""
    found, before = [], lying(session.earlier(0).table.ledger)
    for entry, step, run in zip(history(session), session.steps, session.moments(), strict=True):
        now, by_hand = lying(run.table.ledger), isinstance(step, Corrected)
        moved = () if by_hand else tuple(move.line for move in moves(before, now))
        found.append(Movement(entry.text, moved, by_hand))
        before = now
    return found
