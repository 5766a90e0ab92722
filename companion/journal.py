"""What moved in a game, thing by thing: everything in force with the pieces that went from place to place.

It draws from what all may see, so nothing that is covered is in it; what people did by hand is marked.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from companion.events import Corrected
from companion.ledger import Ledger, Piece, Place
from companion.session import Session
from companion.view import history
from companion.words import Say, say

Counts = Mapping[Piece, Mapping[Place, int]]


class Movement(msgspec.Struct, frozen=True):
    """One thing in force, and what it moved; `by_hand`: it was a correction."""

    text: Say
    moves: tuple[Say, ...]
    by_hand: bool


def journal(session: Session) -> list[Movement]:
    """All that is in force, oldest first."""
    found, before = [], _open(session.earlier(0).table.ledger)
    for entry, step, run in zip(history(session), session.steps, session.moments(), strict=True):
        now, by_hand = _open(run.table.ledger), isinstance(step, Corrected)
        found.append(Movement(entry.text, () if by_hand else tuple(_moves(before, now)), by_hand))
        before = now
    return found


def _open(ledger: Ledger) -> Counts:
    """What all may count, without what only the companion keeps."""
    covered = {(account.place, account.piece) for account in ledger if account.covered}
    found: dict[Piece, dict[Place, int]] = {}
    for account in ledger:
        if not account.piece.mark and (account.place, account.piece) not in covered:
            found.setdefault(account.piece, {})[account.place] = account.count
    return found


def _moves(before: Counts, now: Counts) -> Iterator[Say]:
    """Each piece's way from where it became fewer to where it became more."""
    for piece, there in now.items():
        was = before.get(piece, {})
        more = {place: count - was.get(place, 0) for place, count in there.items()}
        gains = {place: change for place, change in more.items() if change > 0}
        for source, change in more.items():
            left = -change
            for target in list(gains):
                if (count := min(left, gains[target])) > 0:
                    left -= count
                    gains[target] -= count
                    yield say("{count} × {piece}: {source} → {target}", count=count, piece=piece,
                              source=source, target=target)  # fmt: skip
