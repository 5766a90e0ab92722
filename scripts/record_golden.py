"""Records the golden logs: whole matches as people might play them, and always the same.

    .venv/bin/python -m scripts.record_golden

Run it when a rulebook asks in another way, and read what changed. People here bid by what a thing is
worth to them, bluff at times, lay down a card too many, mistype, and mend it.
The seeds were searched for: each match of Egypt has a knock-out, an overpayment and a round without a point.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion import logtext
from companion.cards import shipped_deck
from companion.games.egypt import rulebook as egypt
from companion.games.sealed_bid import rulebook as sealed_bid
from companion.log.events import Event
from companion.requests import Choose, Done, Raise, Read, Together
from companion.table.seats import Seat
from scripts import evening_bidders, evening_high_bid, evening_mammon, evening_oyakata
from scripts.evening import DEMOS, GOLDEN, KEYPAD, READER, ROOT, SLIPS, Evening


class Egypt(Evening):
    """A match of Egypt with real hands; `slips` are what goes wrong and is mended, each as soon as it can.

    People who make no slips bid briskly, too, so that their match is short enough to watch.
    """

    def __init__(self, players: int, seed: int, slips: tuple[str, ...] = (), **options: str) -> None:
        super().__init__(egypt.GAME, players, options, seed, slips)
        self.leaps = (0, 0, 1, 1, 2) if slips else (0, 1, 2, 2, 3, 4)
        self.hands: dict[Seat, list[str]] = {}
        self.worth_to: dict[Seat, int] = {}
        self.last_card = ""

    def play(self) -> list[Event]:
        """The whole match."""
        self.answer(str(self.rng.randint(1, len(self.session.table.seats))), after=8)
        while (question := self.session.question) is not None:
            match question:
                case Done():
                    self.deal()
                case Raise():
                    self.bid(question)
                case Read():
                    self.pay(question)
                case Choose(seat=None):
                    self.answer("end_round" if self.happens(0.7) else "play_on", after=6)
                case Choose():
                    self.think_again(question)
        return self.over()

    def deal(self) -> None:
        """Shuffles and deals, one card too few to somebody perhaps."""
        cards = list(shipped_deck("egypt").cards)
        self.rng.shuffle(cards)
        seats = self.session.table.seats
        count = egypt.CARDS_DEALT[len(seats)]
        self.hands = {seat: [cards.pop() for _ in range(count)] for seat in seats}
        self.answer(True, after=90)
        if self.slip("correct", 20):
            seat = self.rng.choice(seats)
            self.hands[seat].pop()
            self.wait(20)
            self.session.correct(f"{seat.key}/hand", "box", "card", 1, "dealt one card too few")

    def bid(self, question: Raise) -> None:
        """A bid as high as the chip is worth to this player, or a withdrawal."""
        if not question.bids:
            self.worth_to = {seat: self.worth(seat, question.about.key) for seat in self.hands}
        limit = self.worth_to[question.seat]
        bid: int | None = None
        if question.decline is None or question.lowest_allowed_bid <= limit:
            bid = min(question.lowest_allowed_bid + self.rng.choice(self.leaps), max(limit, 1))
        self.say_bid(question, bid, misheard_after=40)
        self.speak_up()

    def worth(self, seat: Seat, chip: str) -> int:
        """What a chip is worth to a player, in what the hand can pay; now and then that is a bluff."""
        number = int(chip.removeprefix("chip "))
        own = self.own(seat, number)
        power = len(self.hands[seat]) + len(own)
        worth = round(number * self.rng.uniform(0.05, 0.6) + 0.9 * len(own))
        if self.happens(0.03):
            return worth + self.rng.randint(8, 20)
        return min(worth, power)

    def own(self, seat: Seat, number: int) -> list[str]:
        """The cards of this number in a hand."""
        return [card for card in self.hands[seat] if card.partition(".")[0] == str(number)]

    def pay(self, question: Read) -> None:
        """As few cards as will do, those that are worth 2 first; at times one too many."""
        assert question.seat is not None
        assert question.price is not None
        hand, owed = self.hands[question.seat], question.price.owed
        number = int(question.log_key.rpartition(" ")[2])
        own = self.own(question.seat, number)
        others = sorted(set(hand) - set(own), key=lambda card: (int(card.partition(".")[0]) > number, card))
        paid = own[: owed // 2]
        paid += others[: owed - 2 * len(paid)]
        if (worth := len(paid) + len(set(paid) & set(own))) < owed:
            paid += own[owed // 2 :][: owed - worth]
            worth += 2 * (owed - worth) if len(own) > owed // 2 else 0
        spare = [card for card in others if card not in paid]
        if worth < owed:
            self.answer(None, after=15)
            hand.clear()
        else:
            self.lay_down(question.seat, number, paid + (spare[:1] if self.happens(0.06) else []))

    def lay_down(self, seat: Seat, number: int, paid: list[str]) -> None:
        """Aki and Chie lay their cards on the reader, the others type two counts."""
        reads = seat.number in {1, 3}
        cards = [{"card": card} if reads else typed(card, number) for card in paid]
        self.last_card = paid[-1]
        self.hands[seat] = [card for card in self.hands[seat] if card not in paid]
        self.answer(cards, READER if reads else KEYPAD, after=2 + 2 * len(cards))

    def think_again(self, question: Choose) -> None:
        """Takes the last card back, or leaves it out of pride."""
        assert question.seat is not None
        if self.happens(0.7):
            self.hands[question.seat].append(self.last_card)
            self.answer("take_back", after=4)
        else:
            self.answer("leave", after=4)


def typed(card: str, number: int) -> dict[str, Any]:
    """A card as people type it: of the chip's number, or another."""
    return {"values": {"number": number} if card.partition(".")[0] == str(number) else {}}


GOES_WRONG = 2


class SealedBid(Evening):
    """A few sealed rounds beside another game; in the second everything goes wrong and is mended."""

    def __init__(self, players: int, seed: int, rounds: int, **options: str) -> None:
        super().__init__(sealed_bid.GAME, players, options, seed)
        self.rounds = rounds

    def play(self) -> list[Event]:
        """The whole evening."""
        for number in range(1, self.rounds + 1):
            while isinstance(self.session.question, Together):
                self.bid(self.session.question)
            if number == GOES_WRONG:
                self.mend()
            self.answer("finish" if number == self.rounds else "again", after=60)
        self.wait(30)
        self.session.put_away()
        return list(self.log)

    def bid(self, question: Together[Any]) -> None:
        """Everybody seals a bid, in any order; somebody may think again."""
        seats = self.rng.sample(question.seats, len(question.seats))
        again = [seats[0]] if len(seats) > 1 and self.happens(0.3) else []
        for seat in [*seats[:-1], *again, seats[-1]]:
            self.wait(8)
            bid = self.rng.choice((0, 1, 2, 3, 3, 4, 5, 5, 6, 8))
            self.session.put_answer_in_envelope(
                self.session.question_number,
                seat,
                min(bid, question.parts_by_seat[seat].limits_json["most"]),
                KEYPAD,
            )

    def mend(self) -> None:
        """The round is undone and bid again, a bid in it amended, and a purse put right."""
        self.wait(20)
        self.session.undo(past_reveal=True)
        while isinstance(self.session.question, Together):
            self.bid(self.session.question)
        last = max(step.n for step in self.session.steps)
        self.wait(20)
        self.session.amend_answer(last, 7, self.session.table.seats[0])
        if self.session.table.options["start"] is not None:
            self.session.correct("bank", "Ben/purse", "money", 10, "sold a house")


def _egypt(players: int, seed: int, *slips: str, **options: str) -> Callable[[], list[Event]]:
    return lambda: Egypt(players, seed, slips, **options).play()


def _sealed_bid(
    players: int, seed: int, rounds: int, most: str = "999", **options: str
) -> Callable[[], list[Event]]:
    return lambda: SealedBid(players, seed, rounds, most=most, **options).play()


RECORDS: dict[Path, Callable[[], list[Event]]] = {
    GOLDEN / "egypt-3.log": _egypt(3, 113, *SLIPS),
    GOLDEN / "egypt-4.log": _egypt(4, 140, *SLIPS, pay_rule="winning_bid"),
    GOLDEN / "egypt-5.log": _egypt(5, 224, *SLIPS),
    DEMOS / "egypt/egypt.log": _egypt(4, 1412),
    GOLDEN / "sealed_bid-2.log": _sealed_bid(2, 1, 4),
    GOLDEN / "sealed_bid-3.log": _sealed_bid(3, 2, 4, unit="gold", start="50", pays="all", ties="again"),
    GOLDEN / "sealed_bid-4.log": _sealed_bid(4, 1, 5, wins="lowest", pays="nobody"),
    GOLDEN / "sealed_bid-5.log": _sealed_bid(5, 1, 5, unit="$", start="20", most="15"),
    GOLDEN / "sealed_bid-12.log": _sealed_bid(12, 3, 4, start="999", pays="all"),
    **evening_bidders.RECORDS,
    **evening_high_bid.RECORDS,
    **evening_mammon.RECORDS,
    **evening_oyakata.RECORDS,
}
"""Where each match is kept, and how it is played."""

if __name__ == "__main__":
    for path, play in RECORDS.items():
        (ROOT / path).write_text(logtext.format_log_text(play()), encoding="utf-8")
        print(path)
