"""Plays a game whose cards are audited: read by a reader, compared with the ledger, and corrected."""

from __future__ import annotations

from collections.abc import Mapping

from companion.cards import Deck
from companion.log.log import MemoryLog
from companion.rules.game import Game
from companion.session.session import Session
from companion.table.audit import AUDIT_CORRECTION_REASON, AuditDifference, AuditFix, find_audit_differences
from companion.texts import render

NAMES = ("Aki", "Ben", "Chie")


class Auditor:
    """A game, and functions that audit the cards of a seat, by default Aki's."""

    def __init__(self, game: Game, decks: Mapping[str, Deck] | None = None) -> None:
        self.log = MemoryLog()
        self.session = Session.begin(game, NAMES, {}, self.log, deck_by_name=decks, seed=1)
        self.deck = self.session.table.find_deck(game.key)

    def move_by_hand(self, piece: str, source: str, target: str, count: int = 1) -> None:
        """Moves pieces by a correction, so that the ledger has them at `target`."""
        self.session.correct(source, target, piece, count, "as it is")

    def find_differences(self, *cards: str, who: int = 0) -> list[AuditDifference]:
        """Reads these cards of a seat and returns the differences from the ledger."""
        return find_audit_differences(
            self.session.table.ledger, self.deck, self.session.table.seats[who], set(cards)
        )

    def difference_texts(self, *cards: str, who: int = 0) -> list[str]:
        """Reads these cards of a seat and returns the differences as sentences."""
        return [render(difference.text) for difference in self.find_differences(*cards, who=who)]

    def apply_fix(self, fix: AuditFix) -> None:
        """Corrects a difference."""
        for move in fix.moves:
            keys = move.source.key, move.target.key, move.piece.key
            self.session.correct(*keys, move.count, AUDIT_CORRECTION_REASON)

    def ledger_count(self, place: str, piece: str) -> int:
        """Returns the ledger's count of a piece at a place."""
        return self.session.table.ledger.find_account_by_keys(place, piece).count
