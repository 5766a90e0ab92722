"""An evening of Bidders!: people who bid by what a card is worth to them, mistype, and mend it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.cards import shipped_deck
from companion.games.bidders import rulebook as bidders
from companion.games.bidders.board import CHIPS, DOLLAR, PROJECT_PLACE_NAME_BY_COLOUR, make_worker_piece
from companion.log.events import Event
from companion.requests import Amount, Choose, Done, Read, Together
from companion.table.seats import Seat
from scripts.evening import DEMOS, GOLDEN, KEYPAD, READER, SLIPS, Evening


class Bidders(Evening):
    """A match of Bidders!; `slips` are what goes wrong and is mended, each as soon as it can."""

    def __init__(self, players: int, seed: int, slips: tuple[str, ...] = ()) -> None:
        super().__init__(bidders.GAME, players, {}, seed, slips)
        names = list(shipped_deck("bidders").cards)
        self.rng.shuffle(names)
        self.decks = {
            colour: [name for name in names if name[0] == colour[0].upper()] for colour in ("white", "black")
        }
        self.printed: dict[str, dict[str, Any]] = {}
        self.most: dict[Seat, int] = {}
        self.enough: dict[Seat, float] = {}

    def play(self) -> list[Event]:
        """The whole match."""
        while (question := self.session.question) is not None:
            match question:
                case Choose(seat=None):
                    self.answer(str(self.rng.randint(1, len(self.session.table.seats))), after=8)
                case Done():
                    self.answer(True, after=60)
                case Read():
                    self.turn_up(question.required_values["colour"])
                case Choose():
                    self.bid(question)
                case Amount():
                    self.say_amount(question)
                case Together():
                    self.cooperate(question)
            self.mend()
        return self.over()

    def turn_up(self, colour: object) -> None:
        """Lays the next card on the reader, or types it; then everybody sees what the cards are worth."""
        name = self.decks[str(colour)].pop()
        printed = shipped_deck("bidders").cards[name].values
        self.printed[str(colour)] = dict(printed)
        if self.happens(0.1):
            typed = {key: value for key, value in printed.items() if key not in ("id", "colour")}
            self.answer([{"values": typed}], after=12)
        else:
            self.answer([{"card": name}], READER, after=5)
        liked = 0 if self.happens(0.08) else self.printed["white"]["popularity"]
        dull = self.happens(0.08)
        for seat in self.session.table.seats:
            self.most[seat] = round(liked * self.rng.uniform(0.1, 0.75))
            disliked = -self.printed.get("black", {"popularity": 0})["popularity"]
            self.enough[seat] = 20 if dull else self.rng.uniform(1.5, 4.5) + 0.6 * disliked

    def bid(self, question: Choose) -> None:
        """Black for enough money, white for workers enough, or a pass."""
        assert question.seat is not None
        dollars = self.session.table.account(DOLLAR, PROJECT_PLACE_NAME_BY_COLOUR["black"]).count
        choice = "pass"
        if "white" in question.offered_options and self.most[question.seat] > self.placed():
            choice = "white"
        if "black" in question.offered_options and dollars > self.enough[question.seat]:
            choice = "black"
        if choice == "pass" and self.slip("redo", 40):
            self.answer(choice, after=4)
            self.wait(3)
            self.session.undo()
            self.session.redo()
        else:
            self.answer(choice, after=4)

    def placed(self) -> int:
        """The workers on the white card."""
        table = self.session.table
        return sum(
            table.account(make_worker_piece(seat), PROJECT_PLACE_NAME_BY_COLOUR["white"]).count
            for seat in table.seats
        )

    def say_amount(self, question: Amount) -> None:
        """As few workers or dollars as may be, or a few more; at first another number at times."""
        most = question.limits_json["most"]
        amount = min(question.least + self.rng.choice((0, 0, 0, 1, 2)), most)
        if amount < most and self.slip("undo", 12):
            self.answer(amount + 1, KEYPAD)
            self.wait(4)
            self.session.undo()
        workers = "workers" in question.question.key
        if workers and amount < most and self.slip("amend", 20):
            self.misheard = self.session.question_number, amount
            amount += 1
        self.answer(amount, KEYPAD, after=4)

    def mend(self) -> None:
        """Whoever was misheard says so; money that was miscounted is put right."""
        self.speak_up()
        rich = [seat for seat in self.session.table.seats if self.chips(seat) > 1]
        if rich and self.session.question is not None and self.slip("correct", 50):
            self.wait(20)
            self.session.correct(f"{rich[0].key}/chips", "bank", "dollar", 1, "took one too many")

    def chips(self, seat: Seat) -> int:
        """What lies at a seat's chips."""
        return self.session.table.account(DOLLAR, CHIPS, seat).count

    def cooperate(self, question: Together[Any]) -> None:
        """A few workers, more for a card that is liked; somebody may think again."""
        seats = self.rng.sample(question.seats, len(question.seats))
        again = [seats[0]] if len(seats) > 1 and self.happens(0.2) else []
        for seat in [*seats[:-1], *again, seats[-1]]:
            self.wait(8)
            eager = self.printed["white"]["popularity"] // 3
            workers = max(0, self.rng.choice((-2, -1, 0, 0, 1)) + eager)
            self.session.put_answer_in_envelope(
                self.session.question_number,
                seat,
                min(workers, question.parts_by_seat[seat].limits_json["most"]),
                KEYPAD,
            )


def _bidders(players: int, seed: int, *slips: str) -> Callable[[], list[Event]]:
    return lambda: Bidders(players, seed, slips).play()


RECORDS: dict[Path, Callable[[], list[Event]]] = {
    GOLDEN / "bidders-3.log": _bidders(3, 3, *SLIPS),
    GOLDEN / "bidders-4.log": _bidders(4, 5, *SLIPS),
    GOLDEN / "bidders-5.log": _bidders(5, 4, *SLIPS),
    DEMOS / "bidders/bidders.log": _bidders(4, 29),
}
"""Where each match is kept, and how it is played.

The seeds were searched for: each has an unwanted card of either colour, a tie and somebody who is out;
in the demo the richest is out.
"""
