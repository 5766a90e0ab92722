"""Plays Egypt, Oyakata and Bidders! with real cards, some scanned and others picked or typed.

The simulated players tell the truth. This module knows the place of each real card; the companion doesn't.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

import msgspec

from companion.cards import Card, CardDesign, Deck, shipped_deck
from companion.errors import ReplayConflict
from companion.games.egypt import rulebook as egypt
from companion.log.log import MemoryLog
from companion.requests import Choose, Done, Read, Together
from companion.requests.read import PriceInCards
from companion.rules.game import Game
from companion.session.session import Session
from companion.table.seats import Seat
from companion.testing.random_game import answer_randomly
from companion.texts import render

NAMES = ("Aki", "Ben", "Chie", "Dai")
SECRET = "0" * 32


class RealHands(msgspec.Struct):
    """The real cards in each hand, the cards that left the pile, and the last payment."""

    hand_by_seat: dict[int, list[str]] = {}
    used_cards: set[str] = set()
    shown_round: object = None
    seats_that_could_not_pay: set[int] = set()
    last_payment: list[str] = []


class GameWithRealCards:
    """A match by random players; `change_chance` is the probability of an undo, amendment or restart."""

    def __init__(self, game: Game, seed: int, mends: float) -> None:
        self.rng = Random(seed)
        self.game, self.change_chance = game, mends
        self.event_counts = Counter[str]()
        self.deck: Deck = shipped_deck(game.decks[0], game.folder)
        self.design_by_card: dict[str, CardDesign] = {
            name: one for one in self.deck.designs for name in one.copy_ids
        }
        self._tagged_fraction = self.rng.choice((0.2, 0.5, 0.8))
        tags = {f"04{at:03x}": (self.deck.name, name) for at, name in enumerate(self.design_by_card)}
        self._tag_of = {name: tag for tag, (_, name) in tags.items()}
        self._session_options: dict[str, Any] = {
            "tags": tags.get,
            "clock": lambda: 0.0,
            "salt": lambda: SECRET,
        }
        self._log = MemoryLog()
        self.session = Session.begin(game, NAMES, {}, self._log, seed=seed, **self._session_options)
        self.cards = RealHands()
        self._cards_by_step_count: dict[int, RealHands] = {}
        self._shown_cards_by_question: dict[int, list[str]] = {}

    def play(self, answers: int) -> None:
        """Gives this many answers; raises `IllegalAnswer` if the companion refuses a true answer."""
        for _ in range(answers):
            if self.session.question is None:
                return
            self._cards_by_step_count[len(self.session.steps)] = deepcopy(self.cards)
            if self.rng.random() < self.change_chance and self.session.steps:
                self.rng.choice((self._undo, self._amend, self._restart))()
            else:
                self._answer_open_question()
            if not isinstance(self.session.question, Done | None):  # before dealing, all hands are gathered
                self._check_hands()

    def _check_hands(self) -> None:
        """Checks that the companion counts the hands correctly; players who couldn't pay lose their cards."""
        for number, hand in self.cards.hand_by_seat.items():
            count = self.session.table.ledger.find_account_by_keys(f"@{number}/hand", "card").count
            if not count and number in self.cards.seats_that_could_not_pay:
                hand.clear()
            assert count == len(hand), number

    def _answer_open_question(self) -> None:
        match self.session.question:
            case Done(shuffled_pieces=(_, *_)) if self.game is egypt.GAME:
                self._deal()
            case Read(price=PriceInCards() as price, seat=Seat() as seat) as question:
                self._pay(question, price, seat)
            case Read() as question:
                self._show_cards(question)
            case Choose(options=options) as question if "take_back" in options:
                self._take_back(question)
            case Together() | _:
                answer_randomly(self.session, self.rng)

    def _card_entry(self, name: str) -> dict[str, Any]:
        if self.rng.random() < self._tagged_fraction:
            return {"tag": self._tag_of[name]}
        return {"values": dict(self.design_by_card[name].values)}

    def _answer_with_cards(self, names: list[str]) -> None:
        self._shown_cards_by_question[self.session.question_number] = names
        self.session.answer(self.session.question_number, [self._card_entry(name) for name in names])

    # Egypt

    def _deal(self) -> None:
        pile = self.rng.sample(list(self.design_by_card), len(self.design_by_card))
        count = egypt.CARDS_DEALT[len(NAMES)]
        self.session.answer(self.session.question_number, True)
        self.cards.seats_that_could_not_pay = set()
        self.cards.hand_by_seat = {at: [pile.pop() for _ in range(count)] for at in range(1, len(NAMES) + 1)}

    def _pay(self, question: Read, price: PriceInCards, seat: Seat) -> None:
        hand = self.cards.hand_by_seat[seat.number]
        paid = list[str]()
        for name in self.rng.sample(hand, len(hand)):
            if price.total_value([self.deck.cards[each] for each in paid]) < price.owed:
                paid.append(name)
        if price.total_value([self.deck.cards[each] for each in paid]) < price.owed:
            self.session.answer(self.session.question_number, None)
            self.cards.seats_that_could_not_pay.add(seat.number)
            return
        self.cards.last_payment = paid
        self._answer_with_cards(paid)
        self.cards.hand_by_seat[seat.number] = [name for name in hand if name not in paid]

    def _take_back(self, question: Choose) -> None:
        """Takes back some of the paid cards by their look; only the owner knows which real cards they are."""
        assert question.seat is not None
        answered_read = next(
            answered
            for answered in reversed(self.session.rulebook_run.answered_questions)
            if isinstance(answered.question, Read)
        )
        assert isinstance(answered_read.question, Read)
        assert answered_read.question.price is not None
        returned_cards: list[Card] = egypt.surplus_cards(answered_read.question.price, answered_read.answer)
        chosen = self.rng.choice(list(question.options))
        self.session.answer(self.session.question_number, chosen)
        remaining = [*self.cards.last_payment]
        for card in returned_cards if chosen == "take_back" else ():
            equal_cards = [
                name
                for name in remaining
                if card.id in {None, name} and self.design_by_card[name].has_printed_values(card.values)
            ]
            remaining.remove(name := self.rng.choice(equal_cards))
            self.cards.hand_by_seat[question.seat.number].append(name)

    # Oyakata and Bidders!

    def _show_cards(self, question: Read) -> None:
        """Shows cards of a pile; shown cards stay open until all market cards are shuffled again."""
        number = dict(question.text.args).get("round")
        if number != self.cards.shown_round and question.required_values.get("kind") == "market":
            self.cards.used_cards -= {
                name
                for name, one in self.design_by_card.items()
                if one.has_printed_values({"kind": "market"})
            }
            self.cards.shown_round = number
        available = [
            name
            for name, one in self.design_by_card.items()
            if one.has_printed_values(question.required_values)
        ]
        available = [name for name in available if name not in self.cards.used_cards]
        max_cards = question.most if isinstance(question.most, int) else question.most.count
        if question.may_decline and self.rng.random() < 0.2:
            self.session.answer(self.session.question_number, None)
            return
        names = self.rng.sample(available, self.rng.randint(question.least, min(max_cards, len(available))))
        self._answer_with_cards(names)
        self.cards.used_cards |= set(names)

    # Undo, restart and amendments

    def _undo(self) -> None:
        count = min(self.rng.randint(1, 6), len(self.session.steps))
        for _ in range(count):
            self.session.undo(past_reveal=True)
        self.cards = deepcopy(self._cards_by_step_count[len(self.session.steps)])
        self.event_counts["undone"] += 1
        if self.rng.random() < 0.5:
            self.session.redo(self.rng.randint(1, count))
            self.cards = deepcopy(self._cards_by_step_count[len(self.session.steps)])
            self.event_counts["redone"] += 1

    def _restart(self) -> None:
        self.session = Session(self.game, self._log, self._log, **self._session_options)
        self.session.answer_for_absent_players()
        self.event_counts["started again"] += 1

    def _amend(self) -> None:
        """Amends an answer: scanned cards are typed, or the other way round; payments are left alone."""
        answered = [
            one
            for one in self.session.rulebook_run.answered_questions
            if isinstance(one.question, Read) and not one.question.price
        ]
        answered = [
            one for one in answered if self._shown_cards_by_question.get(one.question_number) and one.answer
        ]
        if not answered:
            return
        n = self.rng.choice(answered).question_number
        conflict = self._amendment_conflict(
            n, [self._card_entry(name) for name in self._shown_cards_by_question[n]]
        )
        assert not conflict, conflict
        self.event_counts["amended"] += 1

    def _amendment_conflict(self, n: int, items: list[dict[str, Any]]) -> str:
        try:
            self.session.amend_answer(n, items)
        except ReplayConflict as conflict:
            return render(conflict.text)
        return ""
