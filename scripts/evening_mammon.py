"""An evening of Mammon: people who look at cards, haggle with coins, bluff, strike, mistype, and mend it.

The cards are real here; the companion learns of one only when it is played.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from companion.cards import shipped_deck
from companion.games.mammon import rulebook as mammon
from companion.games.mammon.board import bet_value
from companion.log.events import Answered, Event
from companion.requests import Amount, Choose, Counts, Together
from companion.table.seats import Seat
from scripts.evening import DEMOS, GOLDEN, KEYPAD, SLIPS, Evening

LIKED = {
    "ambush": 6,
    "spy": 4,
    "retreat": 4,
    "mansion": 4,
    "command": 3,
    "resolve": 3,
    "confusion": 2,
    "exchange": 2,
    "dung": 0,
}
UNKNOWN, FEW = 3, 3
SHOWN = 5
"""A survey looks at one of so many cards at the head: the others are too dear."""


class Mammon(Evening):
    """A match of Mammon; `slips` are what goes wrong and is mended, each as soon as it can."""

    def __init__(self, players: int, seed: int, slips: tuple[str, ...] = ()) -> None:
        super().__init__(mammon.GAME, players, {}, seed, slips)
        kinds = [design.id for design in shipped_deck("mammon").designs for _ in range(design.copies)]
        self.rng.shuffle(kinds)
        self.row = dict(enumerate(kinds, 1))
        self.hands: dict[Seat, list[str]] = {seat: [] for seat in self.session.table.seats}
        self.known: dict[Seat, set[int]] = {seat: set() for seat in self.session.table.seats}

    def play(self) -> list[Event]:
        """The whole match."""
        self.answer(True, after=120)
        while (question := self.session.question) is not None:
            match question:
                case Together():
                    self.wager(question)
                case Counts():
                    self.pay(question)
                case Choose(seat=seat) if seat is not None:
                    self.choose(seat, question)
        return self.over()

    def coins(self, place: str, seat: Seat) -> tuple[int, int]:
        """The own and the foreign coins at one of a seat's places."""
        ledger = self.session.table.ledger
        held = {
            other: ledger.find_account_by_keys(f"{seat.key}/{place}", f"{other.colour} coin").count
            for other in self.session.table.seats
        }
        return held[seat], sum(held.values()) - held[seat]

    # Sealed

    def wager(self, question: Together[Any]) -> None:
        """Everybody closes a hand, in any order; somebody may think again."""
        n, text = self.session.question_number, question.question.template
        seats = self.rng.sample(question.seats, len(question.seats))
        again = [seats[0]] if self.happens(0.2) else []
        for seat in [*seats[:-1], *again, seats[-1]]:
            self.wait(8)
            self.session.put_answer_in_envelope(
                n, seat, self.hand(seat, text, question.parts_by_seat[seat]), KEYPAD
            )
        if text.startswith("Start wager"):
            self.take_turned_up()
        elif not text.startswith("Arming") and self.slip("amend", 60):
            self.recount(n, question)

    def recount(self, n: int, question: Together[Any]) -> None:
        """A bet had one coin more than was entered; if nobody has one to spare, that comes to light later."""
        bets = next(step.answer for step in self.session.steps if isinstance(step, Answered) and step.n == n)
        for seat, part in question.parts_by_seat.items():
            bet = bets[str(seat.number)]
            if isinstance(part, Amount) and self.coins("treasury", seat)[0]:
                self.wait(10)
                self.session.amend_answer(n, bet + 1, seat)
                return
        self.slips.append("amend")

    def hand(self, seat: Seat, text: str, part: object) -> Any:
        """What is in a closed hand: little for the start, about half for the army, a part in a battle."""
        own, foreign = self.coins("treasury", seat)
        if text.startswith("Start wager"):
            return self.rng.choice((0, 1, 2, 2, 3, 4))
        if text.startswith("Arming"):
            return round(own * self.rng.uniform(0.35, 0.65))
        bet = round(own * self.rng.choice((0, 0.2, 0.3, 0.4, 0.6)))
        if isinstance(part, Amount):
            return bet
        return {"own": bet // 2, "foreign": self.rng.randint(0, min(foreign, 4))}

    def take_turned_up(self) -> None:
        """The start player takes what has been turned up."""
        starts = [
            seat
            for seat in self.hands
            if self.session.table.ledger.find_account_by_keys(f"{seat.key}/hand", "card").count
        ]
        for seat in starts:
            count = self.session.table.ledger.find_account_by_keys(f"{seat.key}/hand", "card").count
            self.hands[seat] = [self.row[slot] for slot in range(1, count + 1)]

    # Coins

    def pay(self, question: Counts) -> None:
        """Own coins first, since foreign ones are worth more in a battle; any foreign ones."""
        if question.decline is not None:
            self.answer(question.random_legal_answer(self.rng) if self.happens(0.6) else None, KEYPAD)
        else:
            limits = question.limits_json
            own = min(limits["counts"]["own"], limits["most"])
            own = self.rng.randint(max(0, limits["most"] - limits["counts"]["foreign"]), own)
            self.answer({"own": own, "foreign": limits["most"] - own}, KEYPAD)

    # Choices

    def choose(self, seat: Seat, question: Choose) -> None:
        """One of the options of a turn, a purchase or a window."""
        keys, text = list(question.offered_options), (question.log_name or question.question).template
        if text.startswith("Survey"):
            self.survey(seat, question.legal_option_keys)
        elif text.startswith("Buy"):
            self.buy(seat, keys)
        elif "pass" in keys:
            self.react(seat, keys)
        elif text.startswith("With whom"):
            self.answer(self.exchange(seat, self.rng.choice(keys)), after=10)
        else:
            self.turn(seat, keys)

    def survey(self, seat: Seat, keys: list[str]) -> None:
        """Looks at a card that isn't too dear."""
        key = self.rng.choice(keys[:SHOWN])
        self.known[seat].add(int(key))
        self.answer(key, after=6)

    def buy(self, seat: Seat, keys: list[str]) -> None:
        """The card that is best for its price, as far as one knows; somebody may tap the wrong one."""
        worth = {
            key: (LIKED[self.row[int(key)]] if int(key) in self.known[seat] else UNKNOWN) - price
            for price, key in enumerate(keys)
        }
        best = max(keys, key=worth.__getitem__)
        if best != keys[0] and self.slip("undo", 20):
            self.answer(keys[0], after=5)
            self.wait(4)
            self.session.undo()
        self.hands[seat].append(self.row[int(best)])
        self.answer(best, after=8)
        if self.slip("redo", 30):
            self.wait(3)
            self.session.undo()
            self.session.redo()

    def turn(self, seat: Seat, keys: list[str]) -> None:
        """A card that helps now, or a battle."""
        held = [kind for kind in dict.fromkeys(self.hands[seat]) if kind in keys and self.helps(seat, kind)]
        if held and self.happens(0.7):
            self.play_card(seat, self.rng.choice(held))
        else:
            self.answer(self.rng.choice([key for key in keys if key.startswith("battle")]), after=15)
        paid = [one for one in self.hands if self.coins("strength", one)[0] and self.banked(one)]
        if paid and self.session.question is not None and self.slip("correct", 60):
            self.wait(20)
            treasury = f"{paid[0].key}/treasury"
            self.session.correct("bank", treasury, f"{paid[0].colour} coin", 1, "paid one coin too many")

    def helps(self, seat: Seat, kind: str) -> bool:
        """Mansion and ambush need coins at the bank."""
        return kind not in {"mansion", "ambush"} or self.banked(seat) >= FEW

    def banked(self, seat: Seat) -> int:
        """The coins of somebody's colour at the bank."""
        return self.session.table.ledger.find_account_by_keys("bank", f"{seat.colour} coin").count

    def play_card(self, seat: Seat, kind: str) -> None:
        """The card leaves the hand; an exchange with the only other one is made at once."""
        self.hands[seat].remove(kind)
        partners = [
            other for other in self.hands if other != seat and self.hands[other] and not self.is_out(other)
        ]
        if kind == "exchange" and len(partners) == 1:
            self.exchange(seat, str(partners[0].number))
        self.answer(kind, after=12)

    def is_out(self, seat: Seat) -> bool:
        """Whether somebody is eliminated."""
        return bool(self.session.table.ledger.find_account_by_keys(f"{seat.key}/front", "eliminated").count)

    def exchange(self, seat: Seat, key: str) -> str:
        """The worst card for one drawn by chance."""
        other = self.session.table.seats.seat_numbered(int(key))
        drawn = self.rng.choice(self.hands[other])
        self.hands[other].remove(drawn)
        if self.hands[seat]:
            worst = min(self.hands[seat], key=LIKED.__getitem__)
            self.hands[seat].remove(worst)
            self.hands[other].append(worst)
        self.hands[seat].append(drawn)
        return key

    def react(self, seat: Seat, keys: list[str]) -> None:
        """Whoever loses plays a spy if that is enough, else a retreat, if either is in the hand."""
        counts = {one: self.counted(one) for one in self.hands}
        best, mine = max(counts.values()), counts[seat]
        hand = [kind for kind in keys if kind in self.hands[seat]]
        choice = "pass"
        if mine < best and "spy" in hand and mine + 3 >= best:
            choice = "spy"
        elif mine < best and "retreat" in hand and not self.lies("retreat", seat):
            choice = "retreat"
        if choice != "pass":
            self.hands[seat].remove(choice)
        self.answer(choice, after=5)

    def counted(self, seat: Seat) -> int:
        """What a bet counts now."""
        return bet_value(*self.coins("bet", seat), self.lies("spy", seat))

    def lies(self, kind: str, seat: Seat) -> int:
        """How many cards of a kind lie open with a seat's bet."""
        return self.session.table.ledger.find_account_by_keys(f"{seat.key}/bet", kind).count


def _mammon(players: int, seed: int, *slips: str) -> Callable[[], list[Event]]:
    return lambda: Mammon(players, seed, slips).play()


RECORDS: dict[Path, Callable[[], list[Event]]] = {
    GOLDEN / "mammon-2.log": _mammon(2, 1, *SLIPS),
    GOLDEN / "mammon-3.log": _mammon(3, 21, *SLIPS),
    GOLDEN / "mammon-4.log": _mammon(4, 40, *SLIPS),
    GOLDEN / "mammon-5.log": _mammon(5, 28, *SLIPS),
    DEMOS / "mammon/mammon.log": _mammon(4, 24),
}
"""Where each match is kept, and how it is played."""
