"""An evening of High Bid: collectors who bid what a card is worth to them, at times more than they have."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.cards import Card, shipped_deck
from companion.games.high_bid import rulebook as high_bid
from companion.games.high_bid.board import (
    CARDS_DEALT,
    PLACE_BY_SECTION,
    VALUE_OF_UNUSED_BUYER,
    WEALTH_TO_DECLARE_END,
    most_valuable_card_sets,
    printed_number,
)
from companion.log.events import Event
from companion.requests import Amount, Choose, Done, Raise, Read, Request, Roll, Together
from companion.table.seats import Seat
from scripts.evening import DEMOS, GOLDEN, KEYPAD, READER, SCREEN, SLIPS, Evening

DESIGNS = {design.id: design for design in shipped_deck("high_bid").designs}
UNTAGGED = "lamps"
"""The set whose tags fell off: people type what is printed on it."""
BUYER = "buyer"


class HighBid(Evening):
    """A match of High Bid with real hands; `slips` are what goes wrong and is mended, each once."""

    def __init__(self, players: int, seed: int, slips: tuple[str, ...] = (), **options: str) -> None:
        super().__init__(high_bid.GAME, players, options, seed, slips)
        self.leaps = (0, 0, 1, 1, 2) if slips else (0, 1, 2, 3)
        cards = list(shipped_deck("high_bid").cards)
        self.rng.shuffle(cards)
        seats = self.session.table.seats
        self.hidden = {seat: [cards.pop() for _ in range(CARDS_DEALT[players])] for seat in seats}
        self.pile = cards
        self.worth_to: dict[tuple[str, Seat], int] = {}

    def play(self) -> list[Event]:
        """The whole match."""
        while (question := self.session.question) is not None:
            self.reply(question)
            self.mend()
        return self.over()

    def reply(self, question: Request[Any]) -> None:
        """Somebody answers."""
        match question:
            case Choose(seat=None):
                self.say_at_the_table(question)
            case Done():
                self.answer(True, after=90)
            case Read(seat=None):
                self.turn_up(question)
            case Raise():
                self.bid(question)
            case Together():
                self.bid_in_secret(question)
            case Read():
                self.lay_down(question)
            case Roll():
                self.roll(question)
            case Choose():
                self.use_rights(question)

    # What somebody has

    def known(self, seat: Seat, place: str = "front") -> list[str]:
        """The cards that lie open before a seat: `books.2`, or `lamps` where only typed."""
        return [
            account.piece.key.removeprefix("card ").removeprefix("any ")
            for account in self.session.table.ledger
            if account.place.key == f"{seat.key}/{place}" and account.piece.key.startswith("card ")
            for _ in range(account.count)
        ]

    def cards(self, seat: Seat) -> list[str]:
        """Everything that a seat has, known or not."""
        places = ("front", "set aside", "offer")
        return self.hidden[seat] + [card for place in places for card in self.known(seat, place)]

    def has(self, seat: Seat, name: str) -> int:
        """How many cards of a set a seat has."""
        return sum(design(card) == name for card in self.cards(seat))

    def cash(self, seat: Seat) -> int:
        """What a seat knows to be in its purse."""
        return self.session.table.ledger.find_account_by_keys(f"{seat.key}/purse", "dollar").count

    def rich(self) -> Seat | None:
        """Somebody who could declare the end."""
        seats = self.session.table.seats
        for seat in seats:
            cards = [Card(card, design(card), DESIGNS[design(card)].values) for card in self.cards(seat)]
            if (
                self.cash(seat) + most_valuable_card_sets(cards).total_worth
                >= WEALTH_TO_DECLARE_END[len(seats)]
            ):
                return seat
        return None

    # Between lots

    def say_at_the_table(self, question: Choose) -> None:
        """Who opens, whether the game goes on, who declares the end."""
        rich = self.rich()
        if "go_on" in question.offered_options:
            self.answer("declare" if rich else "go_on", after=10)
        elif "nobody" in question.offered_options:
            self.answer(str(rich.number) if rich else "nobody", after=10)
        else:
            self.answer(str(self.rng.randint(1, len(question.offered_options))), after=8)

    def turn_up(self, question: Read) -> None:
        """The top card on the reader, or the end is declared."""
        if question.may_decline and self.rich() and self.happens(0.5):
            self.answer(None, after=15)
            return
        card = self.pile.pop()
        self.worth_to.clear()
        self.answer([read(card)], READER if design(card) != UNTAGGED else SCREEN, after=6)

    # Bids

    def worth(self, seat: Seat, name: str, least: int) -> int:
        """What a lot of this set is worth to a seat; now and then that is a bluff."""
        if (name, seat) not in self.worth_to:
            values = Card(None, name, DESIGNS[name].values)
            each = printed_number(values, "value") / printed_number(values, "size")
            eager = self.rng.uniform(0.3, 1.0) * printed_number(values, "collector") + 0.7 * each * self.has(
                seat, name
            )
            if not self.happens(0.04):
                eager = min(eager, self.cash(seat))
            self.worth_to[name, seat] = max(round(eager / 10) * 10, 0 if self.happens(0.8) else least)
        return self.worth_to[name, seat]

    def lot(self) -> str:
        """The set now auctioned: on the block, or at the public auction."""
        heading = self.session.table.heading
        assert heading is not None
        label = str(dict(heading.args)["card"].label.template)
        return next(name for name, each in DESIGNS.items() if each.values["name"] == label)

    def bid(self, question: Raise) -> None:
        """More, while it is worth more; or a pass."""
        limit = self.worth(question.seat, self.lot(), question.lowest_allowed_bid)
        highest = max(question.bids, key=lambda seat: question.bids[seat], default=None)
        bid: int | None = None
        if question.lowest_allowed_bid <= limit and highest != question.seat:
            bid = question.lowest_allowed_bid + 20 * self.rng.choice(self.leaps)
        self.say_bid(question, bid, misheard_after=30)

    def bid_in_secret(self, question: Together[Any]) -> None:
        """Round sums, so that some tie; somebody may think again."""
        seats = self.rng.sample(question.seats, len(question.seats))
        again = [seats[0]] if len(seats) > 1 and self.happens(0.2) else []
        for seat in [*seats[:-1], *again, seats[-1]]:
            part = question.parts_by_seat[seat]
            assert isinstance(part, Amount)
            self.wait(10)
            bid = part.least + 50 * self.rng.choice((0, 0, 1, 2))
            if part.decline:
                limit = min(self.worth(seat, self.lot(), part.least) + VALUE_OF_UNUSED_BUYER, self.cash(seat))
                bid = part.least + max(0, limit - part.least) // 100 * 50 if limit >= part.least else 0
            self.session.put_answer_in_envelope(self.session.question_number, seat, bid, KEYPAD)

    def mend(self) -> None:
        """Whoever was misheard says so; money that was miscounted is put right."""
        self.speak_up()
        if self.session.question is not None and self.slip("correct", 45):
            self.wait(20)
            self.session.correct("bank", "Ben/purse", "dollar", 20, "took a note too few")

    # Rights

    def use_rights(self, question: Choose) -> None:
        """Sells what makes no set, buys what does."""
        seat = question.seat
        assert seat is not None
        if "enough" in question.offered_options:
            self.answer(self.wanted(seat, question) or "enough", after=6)
        elif "buy" in question.offered_options and self.buys(seat) and self.happens(0.8):
            self.answer("buy", after=10)
        elif "sell" in question.offered_options and self.spare(seat) and self.happens(0.6):
            self.answer("sell", after=10)
        else:
            self.answer("done", after=6)

    def wanted(self, seat: Seat, question: Choose) -> str | None:
        """An offer that makes a set larger and can be paid."""
        for key, need in question.requirements.items():
            if need.least <= self.cash(seat) and self.has(seat, design(key.split(maxsplit=1)[1])):
                return key
        return None

    def buys(self, seat: Seat) -> bool:
        """Whether a Buyer's card is worth spending: one is there, and so is something wanted."""
        on_board = {
            design(account.piece.key.removeprefix("card ").removeprefix("any "))
            for account in self.session.table.ledger
            if account.count and account.piece.is_marker and account.place.key in PLACE_BY_SECTION
        }
        return bool(self.has(seat, BUYER)) and any(self.has(seat, name) for name in on_board)

    def spare(self, seat: Seat) -> list[str]:
        """Properties that make no set yet, the lonely ones first."""
        mine = [card for card in self.hidden[seat] + self.known(seat) if design(card) != BUYER]
        lacking = {card: DESIGNS[design(card)].copies - self.has(seat, design(card)) for card in mine}
        return sorted((card for card in mine if lacking[card] > 1), key=lambda card: (-lacking[card], card))

    def lay_down(self, question: Read) -> None:
        """A property to sell, a Buyer's card to use, or the hand at the end."""
        seat, kind = question.seat, question.required_values.get("kind")
        assert seat is not None
        if kind is None:
            cards = sorted(self.hidden[seat])
        elif kind == BUYER:
            cards = [card for card in self.known(seat) + self.hidden[seat] if design(card) == BUYER][:1]
        else:
            cards = self.spare(seat)[:1]
        self.hidden[seat] = [card for card in self.hidden[seat] if card not in cards]
        self.answer([read(card) for card in cards], READER, after=4 + 2 * len(cards))

    def roll(self, question: Roll) -> None:
        """The real dice, or the companion's where one rolled under the table."""
        self.wait(5)
        if self.happens(0.2):
            self.session.roll_app_dice(self.session.question_number)
        else:
            self.session.answer(
                self.session.question_number, [self.rng.choice(die.faces) for die in question.dice]
            )


def design(card: str) -> str:
    """The set of a card: `books` of `books.2`."""
    return card.partition(".")[0]


def read(card: str) -> dict[str, Any]:
    """A card as it gets into the companion: by its tag, or typed where that fell off."""
    name = design(card)
    return {"values": dict(DESIGNS[name].values)} if name == UNTAGGED else {"card": card}


def _high_bid(players: int, seed: int, *slips: str, **options: str) -> Callable[[], list[Event]]:
    return lambda: HighBid(players, seed, slips, **options).play()


RECORDS: dict[Path, Callable[[], list[Event]]] = {
    GOLDEN / "high_bid-2.log": _high_bid(2, 4, *SLIPS, penalty="bid"),
    GOLDEN / "high_bid-3.log": _high_bid(3, 7, *SLIPS, red_200="bonus_keep"),
    GOLDEN / "high_bid-4.log": _high_bid(4, 2, *SLIPS),
    DEMOS / "high_bid/high_bid.log": _high_bid(4, 238),
}
"""Where each match is kept, and how it is played."""
