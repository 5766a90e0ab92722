"""Somebody who reads people's cards at a table, compares them with the ledger and mends what differs."""

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
    """A game, and the cards of Aki on a reader."""

    def __init__(self, game: Game, decks: Mapping[str, Deck] | None = None) -> None:
        self.log = MemoryLog()
        self.session = Session.begin(game, NAMES, {}, self.log, deck_by_name=decks, seed=1)
        self.deck = self.session.table.find_deck(game.key)

    def lies(self, piece: str, source: str, target: str, count: int = 1) -> None:
        """Moves pieces, so that the ledger has them there."""
        self.session.correct(source, target, piece, count, "as it is")

    def reads(self, *cards: str, who: int = 0) -> list[AuditDifference]:
        """What is found when these cards of a seat are read."""
        return find_audit_differences(
            self.session.table.ledger, self.deck, self.session.table.seats[who], set(cards)
        )

    def says(self, *cards: str, who: int = 0) -> list[str]:
        """The differences as sentences."""
        return [render(difference.text) for difference in self.reads(*cards, who=who)]

    def mends(self, fix: AuditFix) -> None:
        """Puts a difference right."""
        for move in fix.moves:
            keys = move.source.key, move.target.key, move.piece.key
            self.session.correct(*keys, move.count, AUDIT_CORRECTION_REASON)

    def count(self, place: str, piece: str) -> int:
        """What the ledger has there."""
        return self.session.table.ledger.find_account_by_keys(place, piece).count
