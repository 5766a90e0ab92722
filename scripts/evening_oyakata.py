"""An evening of Oyakata: people with real bags, tiles and chips, who hire, dig, sell, mistype, and mend it.

What comes out of a bag or from a pile is drawn here; the companion learns of it as people enter it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from pathlib import Path

from companion.cards import shipped_deck
from companion.games.oyakata import rulebook as oyakata
from companion.games.oyakata.board import (
    CARD,
    CENTRE,
    DISCONTENT_BAG,
    DRAWN,
    GOLD,
    MARKET,
    PURSE,
    ROUND_MARKER,
    SOIL,
    STORAGE,
    TILE_BY_LETTER,
    TRACK,
    UPTURNED_CARD_PLACE,
    gem_colours,
    make_chip_piece,
    make_gem_piece,
    make_gem_price_marker,
)
from companion.log.events import Event
from companion.requests import Choose, Counts, Read
from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from companion.texts import Say
from scripts.evening import DEMOS, GOLDEN, KEYPAD, READER, SLIPS, Evening

DECK = shipped_deck("oyakata")
NAMED = DECK.cards
GEMS = gem_colours(DECK)
WORTH_SELLING = 3
"""A gem is sold for this much or more, and for less when the storage is nearly full."""
CALM, ANGRY = 2, 3
"""With so few discontent chips employees act at night; with more than so many there is mostly a holiday."""
FULL_BAG = 5
"""With so many gems in the bag nobody surveys."""
BUILT = ("storage", "digging", "hire", "negotiation", "survey", "kinds")
SPARE, LATE = 3, 17
"""So much gold is kept when something is learnt or built; so late in the last round nothing is."""


def tiles(letter: str) -> list[str]:
    """The names of all tiles of a letter."""
    return [name for name, design in NAMED.items() if design.values.get("letter") == letter]


class Oyakata(Evening):
    """A match of Oyakata; `slips` are what goes wrong and is mended, each as soon as it can."""

    def __init__(self, players: int, seed: int, slips: tuple[str, ...] = (), **options: str) -> None:
        super().__init__(oyakata.GAME, players, options, seed, slips)
        self.market: list[str] = []
        self.piles = {letter: self.shuffled(tiles(letter)) for letter in "AB"}
        self.discards: dict[str, list[str]] = {"A": [], "B": []}
        self.in_hand: list[str] = []
        self.bags = {seat: Counter({"soil": 3, "mud": 1}) for seat in self.session.table.seats}
        self.drawn_misheard: tuple[int, str] | None = None

    def play(self) -> list[Event]:
        """The whole match."""
        self.answer(str(self.rng.randint(1, len(self.session.table.seats))), after=8)
        while (question := self.session.question) is not None:
            match question:
                case Read(seat=None):
                    self.turn_up(question)
                case Read(seat=seat):
                    self.place(seat, question)
                case Counts(seat=seat):
                    self.count(seat, question)
                case Choose(seat=seat) if seat is not None:
                    self.choose(seat, question)
        return self.over()

    def shuffled(self, names: list[str]) -> list[str]:
        """Returns the cards in a random order."""
        return self.rng.sample(names, len(names))

    def held(self, piece: Piece, what: Say, seat: Seat | None = None) -> int:
        """How many of a piece lie somewhere."""
        return self.session.table.ledger.count_at(Place(what, seat), piece)

    @property
    def late(self) -> bool:
        """Whether the game is nearly over."""
        turned = self.session.table.ledger.count_at(UPTURNED_CARD_PLACE, CARD)
        return self.held(ROUND_MARKER, TRACK) == self.session.table.options["rounds"] and turned > LATE

    # Cards and tiles

    def turn_up(self, question: Read) -> None:
        """A market card is read, or its prices are typed; the bottom one lies open through the round."""
        if not self.market:
            self.market = self.shuffled([name for name in NAMED if name.startswith("M")])
        name = self.market.pop(0 if question.question.template.endswith("bottom market card") else -1)
        prices = {colour: NAMED[name].values[colour] for colour in GEMS}
        typed = self.happens(0.2)
        self.answer([{"values": prices} if typed else {"card": name}], KEYPAD if typed else READER, after=6)

    def draw(self, letter: str, count: int) -> None:
        """Tiles into the hand, from the discards once the pile is empty."""
        for _ in range(count):
            if not self.piles[letter]:
                self.piles[letter], self.discards[letter] = self.shuffled(self.discards[letter]), []
            self.in_hand.append(self.piles[letter].pop())

    def place(self, seat: Seat | None, question: Read) -> None:
        """The best of the drawn tiles are laid, if there is no accident among them."""
        assert seat is not None
        letter = str(question.required_values["letter"])
        self.draw(letter, self.held(TILE_BY_LETTER[letter], DRAWN, seat) - len(self.in_hand))
        bad = [name for name in self.in_hand if NAMED[name].values["accident"] == "yes"]
        if bad and question.decline is not None:
            self.in_hand.remove(bad[0])
            self.discards[letter].append(bad[0])
            self.answer(None, after=4)
            return
        best = sorted(self.in_hand, key=self.gems_on, reverse=True)[: question.limits_json["most"]]
        self.discards[letter] += [name for name in self.in_hand if name not in best]
        self.in_hand = []
        self.fill(seat, best)
        self.answer([{"card": name} for name in best], READER, after=10)

    def fill(self, seat: Seat, placed: list[str]) -> None:
        """Soil and gems into the bag, as far as the centre has them."""
        for name, piece in {"soil": SOIL, **{colour: make_gem_piece(colour) for colour in GEMS}}.items():
            field = "soil" if name == "soil" else f"{name}_gems"
            printed = sum(int(NAMED[one].values[field]) for one in placed)
            self.bags[seat][name] += min(printed, self.held(piece, CENTRE))

    def gems_on(self, name: str) -> int:
        """How many gems a tile shows, less its soil."""
        values = NAMED[name].values
        return 2 * sum(int(values[f"{colour}_gems"]) for colour in GEMS) - int(values["soil"])

    # Chips

    def count(self, seat: Seat | None, question: Counts) -> None:
        """What comes out of the bag; which gems are sold; which chips go back."""
        assert seat is not None
        text = question.question.template
        if text.endswith("What did you draw?"):
            self.dig(seat, question)
        elif text == "Which gems will you sell?":
            self.answer(self.sale(question), KEYPAD, after=6)
        else:
            self.answer(question.random_legal_answer(self.rng), KEYPAD, after=6)

    def dig(self, seat: Seat, question: Counts) -> None:
        """As many chips as may be, blindly; mud goes back."""
        bag = list(self.bags[seat].elements())
        dug = Counter(self.rng.sample(bag, min(question.limits_json["most"], len(bag))))
        self.bags[seat] -= Counter({name: count for name, count in dug.items() if name != "mud"})
        self.answer(dict(dug), KEYPAD, after=12)

    def sale(self, question: Counts) -> dict[str, int]:
        """All gems of the colours that bring most."""
        held = question.limits_json["counts"]
        prices = self.prices()
        best = sorted(GEMS, key=lambda colour: held[colour] * prices[colour], reverse=True)
        sold = {colour: held[colour] for colour in best[: question.limits_json["kinds"]] if held[colour]}
        return sold or {max(held, key=lambda colour: int(held[colour])): 1}

    def prices(self) -> dict[str, int]:
        """Today's prices."""
        return {colour: self.held(make_gem_price_marker(colour), MARKET) for colour in GEMS}

    def chip_count(self, seat: Seat) -> int:
        """How many discontent chips lie before a seat."""
        piles = self.session.table.ledger.piles
        return next(len(pile) for place, pile in piles.items() if place.seat == seat)

    # Choices

    def choose(self, seat: Seat, question: Choose) -> None:
        """A chip drawn, a day, a night, or something to pick."""
        keys, text = list(question.offered_options), question.question.template
        if text.startswith("Which discontent"):
            self.draw_chip(keys)
        elif text.startswith("Day:"):
            tired = self.chip_count(seat) > ANGRY and self.happens(0.8)
            self.answer("holiday" if tired else "dig", after=15)
        elif text.startswith("Night"):
            self.act(seat, keys, text)
        else:
            self.answer(keys[-1] if "dismissed" in text or self.happens(0.3) else keys[0], after=5)
        self.mend()

    def draw_chip(self, keys: list[str]) -> None:
        """A chip from the discontent bag; once it is misheard."""
        drawn = self.rng.choice(
            [key for key in keys for _ in range(self.held(make_chip_piece(key), DISCONTENT_BAG))]
        )
        if self.slip("amend", 40):
            self.drawn_misheard = self.session.question_number, drawn
            drawn = next(key for key in keys if key != drawn)
        self.answer(drawn, after=4)

    def act(self, seat: Seat, keys: list[str], text: str) -> None:
        """The boss always does something; employees while they are calm."""
        by_boss = "boss" in text
        choice = self.wish(seat, keys) if by_boss or self.chip_count(seat) <= CALM else "end"
        if choice != "end" and self.slip("undo", 20):
            self.answer("end", after=4)
            self.wait(3)
            self.session.undo()
        self.answer(choice, after=9)
        if self.slip("redo", 60):
            self.wait(3)
            self.session.undo()
            self.session.redo()
        if choice == "end" and self.slip("correct", 90):
            self.wait(20)
            self.session.correct("bank", f"{seat.key}/purse", "gold", 1, "a gold lay under the board")

    def wish(self, seat: Seat, keys: list[str]) -> str:
        """Sell what is dear, pay for peace, look for gems, else build what can be had."""
        if self.late:
            return next((key for key in ("sell", "dismiss") if key in keys), "end")
        held = {colour: self.held(make_gem_piece(colour), STORAGE, seat) for colour in GEMS}
        prices = self.prices()
        good = any(held[colour] and prices[colour] >= WORTH_SELLING for colour in GEMS)
        if "sell" in keys and (good or sum(held.values()) >= WORTH_SELLING):
            return "sell"
        if "bonus_1" in keys and self.chip_count(seat) > ANGRY and self.happens(0.5):
            return "bonus_1"
        gold = self.held(GOLD, PURSE, seat)
        surveys = [key for key in ("survey_B", "survey_A") if key in keys]
        if surveys and sum(self.bags[seat][colour] for colour in GEMS) < FULL_BAG:
            return surveys[0] if gold > SPARE else surveys[-1]
        build = [
            key for key in ("storage", "digging", "hire", "negotiation", "survey", "kinds") if key in keys
        ]
        return self.rng.choice(build) if build and gold > 2 * SPARE else "end"

    def mend(self) -> None:
        """Whoever was misheard says so at once."""
        if self.drawn_misheard is not None:
            event, chip = self.drawn_misheard
            self.wait(10)
            self.session.amend_answer(event, chip)
            self.drawn_misheard = None


def _oyakata(players: int, seed: int, *slips: str, **options: str) -> Callable[[], list[Event]]:
    return lambda: Oyakata(players, seed, slips, **options).play()


EMPLOYEES_ONLY = {"boss_on_track": "false", "final_price": "hidden", "bag_odds": "true"}
RECORDS: dict[Path, Callable[[], list[Event]]] = {
    GOLDEN / "oyakata-2.log": _oyakata(2, 52, *SLIPS),
    GOLDEN / "oyakata-2-calm.log": _oyakata(2, 2, "undo", discontent="false"),
    GOLDEN / "oyakata-3.log": _oyakata(3, 35, *SLIPS, **EMPLOYEES_ONLY),
    GOLDEN / "oyakata-4.log": _oyakata(4, 13, *SLIPS, rounds="1", market_per="round"),
    DEMOS / "oyakata/oyakata.log": _oyakata(2, 228),
}
"""Where each match is kept, and how it is played; in each there are accidents, and in all but the calm one,
which is played without discontent, every kind of explosion.
"""
