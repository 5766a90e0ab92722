"""Plays High Bid with real cards, some with tags and others picked or typed, and tracks each card's place.

The simulated players follow what the companion says about lots, sales and purchases. Only they know which
card they hold, and they tell the truth.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from random import Random
from typing import Any

import msgspec

from companion.errors import ReplayConflict
from companion.games.high_bid.board import (
    ASIDE,
    BANK_PLACE,
    BLOCK_PLACE,
    BOX_PLACE,
    BUYER_VALUES,
    CARD,
    CARDS_DEALT,
    FRONT,
    HAND,
    OFFER,
    PILE_PLACE,
    PLACE_BY_SECTION,
    RETURNED,
)
from companion.games.high_bid.rulebook import GAME
from companion.log.log import MemoryLog
from companion.requests import Choose, Raise, Read, Request, Together
from companion.session.session import Session
from companion.table.indistinguishable import UNSEEN_PLACE
from companion.table.ledger import Place
from companion.table.seats import Seat
from companion.texts import render
from tests.support.games.high_bid_helpers import NAMES, PRINTED

TAGS = {f"04{at:02x}": ("high_bid", name) for at, name in enumerate(PRINTED)}
TAG_OF = {name: tag for tag, (_, name) in TAGS.items()}
HIDDEN_PLACES = (UNSEEN_PLACE, PILE_PLACE, BANK_PLACE, BOX_PLACE)
SECRET = "0" * 32
ANSWERS_UNTIL_DEALT = 2
"""Number of answers until the cards are dealt."""


class RealCards(msgspec.Struct):
    """The place of each real card, the pile from the lowest card on, and the card that was just shown."""

    place_by_card: dict[str, Place]
    pile: list[str]
    shown_card: str = ""
    spent_buyer_card: str = ""

    def cards_at(self, *places: Place) -> list[str]:
        """Returns the cards at these places."""
        return [name for name, place in self.place_by_card.items() if place in places]

    def move(self, names: list[str], target: Place) -> None:
        """Moves cards to a place."""
        self.place_by_card |= dict.fromkeys(names, target)


class HighBidWithRealCards:
    """One match by random players.

    `change_chance` is the probability of an undo, redo, amendment, correction or restart at each step. With
    `uses_front_cards_first` players lay down the card in front of them before an equal card in the hand, so
    that every hand is as the companion counts it; otherwise they lay down any of the equal cards.
    """

    def __init__(self, seed: int, mends: float = 0.0, *, orderly: bool) -> None:
        self.rng = Random(seed)
        self.uses_front_cards_first = orderly
        self.change_chance = mends
        self.event_counts = Counter[str]()
        self._tagged_fraction = self.rng.choice((0.2, 0.5, 0.8))
        self._session_options: dict[str, Any] = {
            "tags": TAGS.get,
            "clock": lambda: 0.0,
            "salt": lambda: SECRET,
        }
        self._log = MemoryLog()
        names = NAMES[: self.rng.randint(2, 4)]
        options = {"red_200": self.rng.choice(("bonus_keep", "collector_plus_bonus"))}
        self.session = Session.begin(GAME, names, options, self._log, seed=seed, **self._session_options)
        pile = self.rng.sample(list(PRINTED), len(PRINTED))
        self.cards = RealCards(dict.fromkeys(pile, PILE_PLACE), pile)
        self._cards_by_step_count: dict[int, RealCards] = {}
        self._shown_cards_by_question: dict[int, list[str]] = {}
        self._counts_before_answer: dict[Place, int] = {}

    def play(self) -> None:
        """Plays the whole match; raises `IllegalAnswer` if the companion refuses a true answer."""
        self._answer(self._random_answer())
        self._answer(True)
        for seat in self.session.table.seats:
            count = CARDS_DEALT[len(self.session.table.seats)]
            self.cards.move([self.cards.pile.pop() for _ in range(count)], Place(HAND, seat))
        while (question := self.session.question) is not None:
            self._cards_by_step_count[len(self.session.steps)] = deepcopy(self.cards)
            if self.rng.random() < self.change_chance:
                self._change_history()
            else:
                self._answer_open_question(question)
            self.check_counts()

    def check_counts(self) -> None:
        """Checks that the companion counts the open cards and the cards of each seat correctly.

        If a player lays down one of two equal cards, the companion can't know whether the other card is in
        front of the player or in the hand.
        """
        ledger, seats = self.session.table.ledger, self.session.table.seats
        for place in ledger.places:
            if place.name == HAND and self.uses_front_cards_first:
                assert ledger.count_at(place, CARD) == len(self.cards.cards_at(place)), place
            elif (
                place not in HIDDEN_PLACES
                and place.name != HAND
                and (self.uses_front_cards_first or place.name != FRONT)
            ):
                assert ledger.count_at(place, CARD) == len(self.cards.cards_at(place)), place
                assert self._open_designs_at(place) == Counter(
                    PRINTED[name].id for name in self.cards.cards_at(place)
                ), place
        for seat in seats:
            places = [Place(place_name, seat) for place_name in (HAND, FRONT)]
            assert sum(ledger.count_at(place, CARD) for place in places) == len(
                self.cards.cards_at(*places)
            ), seat

    def _open_designs_at(self, place: Place) -> Counter[str]:
        """Returns the designs of the card faces at a place."""
        shown = Counter[str]()
        for one in self.session.table.ledger.accounts_at(place):
            if one.piece.is_card_face and one.count:
                shown[self._design_of(one.piece.key)] += one.count
        return shown

    @staticmethod
    def _design_of(key: str) -> str:
        name = key.removeprefix("card ").removeprefix("any ")
        return PRINTED[name].id if name in PRINTED else name

    # What players enter

    def _card_entry(self, name: str) -> dict[str, Any]:
        """Returns an entry for a card: laid on the reader, or picked."""
        if self.rng.random() < self._tagged_fraction:
            return {"tag": TAG_OF[name]}
        return {"values": dict(PRINTED[name].values)}

    def _random_answer(self) -> Any:
        question = self.session.question
        assert question is not None
        return question.answer_to_json(question.random_legal_answer(self.rng))

    def _answer(self, given: object) -> None:
        self._counts_before_answer = self._card_counts()
        self.session.answer(self.session.question_number, given)

    def _card_counts(self) -> dict[Place, int]:
        ledger = self.session.table.ledger
        return {place: ledger.count_at(place, CARD) for place in ledger.places}

    # What happens

    def _answer_open_question(self, question: Request[Any]) -> None:
        match question:
            case Read(seat=None):
                name = self.cards.pile.pop()
                self._lay_cards([name])
                self.cards.move([name], BLOCK_PLACE)
            case Read(seat=Seat() as seat) if question.places:
                self._show_card(question, seat)
            case Read(seat=Seat() as seat):
                hand = self.cards.cards_at(Place(HAND, seat))
                laid = self.rng.sample(hand, self.rng.choice((len(hand), self.rng.randint(0, len(hand)))))
                self._lay_cards(laid)
                self.cards.move(laid, Place(FRONT, seat))
            case Choose():
                self._choose_option(question)
            case Together():
                for seat, part in question.parts_by_seat.items():
                    self._counts_before_answer = self._card_counts()
                    self.session.put_answer_in_envelope(
                        self.session.question_number,
                        seat,
                        part.answer_to_json(part.random_legal_answer(self.rng)),
                    )
            case Raise():
                bid = question.answer_to_json(question.random_legal_answer(self.rng))
                self._answer(None if bid is not None and bid > 400 else bid)
            case _:
                self._answer(self._random_answer())
        self._move_cards_as_told()

    def _lay_cards(self, names: list[str]) -> None:
        """Enters cards and remembers which they were."""
        self._shown_cards_by_question[self.session.question_number] = names
        self._answer([self._card_entry(name) for name in names])

    def _show_card(self, question: Read, seat: Seat) -> None:
        """Lets a seat lay down one of its cards, or decline."""
        front, hand = Place(FRONT, seat), Place(HAND, seat)
        sellable = [
            name
            for name in self.cards.cards_at(front, hand)
            if PRINTED[name].has_printed_values(question.required_values)
        ]
        if not sellable or self.rng.random() < 0.05:
            self._answer(None)
            return
        name = self.rng.choice(sellable)
        before = [other for other in self.cards.cards_at(front) if PRINTED[other] is PRINTED[name]]
        if before and self.cards.place_by_card[name] == hand:
            name = self.rng.choice(before) if self.uses_front_cards_first else name
            self.event_counts["one before and one in the hand"] += 1
        self.cards.shown_card = name
        self._answer([self._card_entry(name)])

    def _choose_option(self, question: Choose) -> None:
        chosen = self._random_answer()
        if chosen == "done" and self.rng.random() < 0.6:
            chosen = self._random_answer()
        if chosen == "declare" and self.rng.random() < 0.9:
            chosen = "go_on"
        self._answer(chosen)
        section, _, design = chosen.partition(" ")
        if section in PLACE_BY_SECTION and question.seat is not None:
            if self.cards.spent_buyer_card:
                self.cards.move([self.cards.spent_buyer_card], BANK_PLACE)
                self.cards.spent_buyer_card = ""
            equal_cards = [
                name for name in self.cards.cards_at(PLACE_BY_SECTION[section]) if PRINTED[name].id == design
            ]
            self.cards.move([self.rng.choice(equal_cards)], Place(ASIDE, question.seat))

    # What the companion tells players to move

    def _move_cards_as_told(self) -> None:
        """Moves the real cards as the companion says."""
        counts_now = self._card_counts()
        if name := self.cards.shown_card:
            seat = self.cards.place_by_card[name].seat
            assert seat is not None
            if PRINTED[name].has_printed_values(BUYER_VALUES):
                self.cards.move([name], Place(FRONT, seat))
                self.cards.spent_buyer_card = name
            else:
                self.cards.move([name], Place(OFFER, seat))
            self.cards.shown_card = ""
        lots = sorted(
            {one for one in self.cards.place_by_card.values() if one.name == RETURNED},
            key=lambda one: one.key,
        )
        for lot in lots:
            if not counts_now.get(lot, 0):
                self.cards.move(self.cards.cards_at(lot), BLOCK_PLACE)
        if not counts_now[BLOCK_PLACE]:
            self._move_sold_cards(self.cards.cards_at(BLOCK_PLACE), counts_now)
        for seat in self.session.table.seats:
            if not counts_now.get(Place(OFFER, seat), 0):
                self._move_sold_cards(self.cards.cards_at(Place(OFFER, seat)), counts_now, seat)
            if not counts_now.get(Place(ASIDE, seat), 0):
                self.cards.move(self.cards.cards_at(Place(ASIDE, seat)), Place(FRONT, seat))

    def _move_sold_cards(
        self, names: list[str], counts_now: dict[Place, int], seller: Seat | None = None
    ) -> None:
        """Moves the cards for sale to the places whose counts have grown; otherwise the seller keeps them."""
        surplus_by_place = {
            place: count - self._counts_before_answer.get(place, 0) for place, count in counts_now.items()
        }
        for name in names:
            targets = [
                place for place in self._possible_targets(seller) if surplus_by_place.get(place, 0) > 0
            ]
            if len(targets) > 1:
                kind = FRONT if PRINTED[name].has_printed_values(BUYER_VALUES) else ASIDE
                targets = [place for place in targets if place.name == kind]
            (target,) = targets or [Place(ASIDE, seller)]
            surplus_by_place[target] = surplus_by_place.get(target, 0) - 1
            self.cards.move([name], target)

    def _possible_targets(self, seller: Seat | None) -> list[Place]:
        seats = self.session.table.seats
        if seller is not None:
            return [*PLACE_BY_SECTION.values(), *[Place(FRONT, seat) for seat in seats if seat != seller]]
        returned = [place for place in self.session.table.ledger.places if place.name == RETURNED]
        return [
            BOX_PLACE,
            *returned,
            *[Place(place_name, seat) for place_name in (FRONT, ASIDE) for seat in seats],
        ]

    # Undo, restart, amendments and corrections

    def _change_history(self) -> None:
        changes = [self._undo, self._restart, self._amend, self._correct]
        change = self.rng.choice(changes)
        if len(self.session.steps) > ANSWERS_UNTIL_DEALT:
            change()

    def _undo(self) -> None:
        """Undoes some answers, and perhaps redoes some of them."""
        count = self.rng.randint(1, 6)
        for _ in range(count):
            if len(self.session.steps) > ANSWERS_UNTIL_DEALT:
                self.session.undo(past_reveal=True)
        self._restore_cards()
        self.event_counts["undone"] += 1
        if self.rng.random() < 0.5:
            self.session.redo(self.rng.randint(1, count))
            self._restore_cards()
            self.event_counts["redone"] += 1

    def _restore_cards(self) -> None:
        self.cards = deepcopy(self._cards_by_step_count[len(self.session.steps)])

    def _restart(self) -> None:
        """Restarts the session from its log."""
        self.session = Session(GAME, self._log, self._log, **self._session_options)
        self.session.answer_for_absent_players()
        self.event_counts["started again"] += 1

    def _amend(self) -> None:
        """Amends an answer: a card that was laid on the reader is picked instead, or the other way round."""
        answered = [
            one
            for one in self.session.rulebook_run.answered_questions
            if isinstance(one.question, Read) and not one.question.places
        ]
        answered = [one for one in answered if self._shown_cards_by_question.get(one.question_number)]
        if not answered:
            return
        n = self.rng.choice(answered).question_number
        conflict = self._amendment_conflict(
            n, [self._card_entry(name) for name in self._shown_cards_by_question[n]]
        )
        assert " elsewhere" not in conflict, conflict
        self.event_counts["not amended" if conflict else "amended"] += 1

    def _amendment_conflict(self, n: int, items: list[dict[str, Any]]) -> str:
        """Amends an answer; returns the conflict with a later answer, if there is one."""
        try:
            self.session.amend_answer(n, items)
        except ReplayConflict as conflict:
            return render(conflict.text)
        return ""

    def _correct(self) -> None:
        """Corrects the place of an open card, or of a card in a hand, that another player has by mistake."""
        seat, other = self.rng.sample(list(self.session.table.seats), 2)
        place_name = self.rng.choice((FRONT, HAND))
        source, target = Place(place_name, seat), Place(place_name, other)
        names = [name for name in self.cards.cards_at(source) if name != self.cards.spent_buyer_card]
        if not names:
            return
        name = self.rng.choice(names)
        piece = "card"
        if place_name == FRONT:
            keys = {one.piece.key for one in self.session.table.ledger.accounts_at(source) if one.count}
            fitting = [key for key in (f"card any {PRINTED[name].id}", f"card {name}") if key in keys]
            equal_cards = [other for other in names if PRINTED[other] is PRINTED[name]]
            if not fitting or self._open_designs_at(source)[PRINTED[name].id] != len(equal_cards):
                return  # the players and the companion would not mean the same card
            piece = fitting[0]
        before = len(self.session.steps)
        result = self.session.correct(source.key, target.key, piece, 1, "mixed up")
        if result.why_asked_again is None and len(self.session.steps) == before + 1:
            self.cards.move([name], target)
            self.event_counts["corrected"] += 1
        else:  # the correction changed the open question
            self.session.undo(past_reveal=True)
            self._restore_cards()
