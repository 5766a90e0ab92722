"""Copies that look the same, beside a bag of real ones: what is really there is never refused.

The bag knows where each copy lies; the companion is told only what people at a table tell it. Beside both
stands every world that fits what was told: whatever may be in one of them is taken, what is known is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from companion.cards import Card, CardDesign, CardField, Deck
from companion.session.session import find_no_card
from companion.table.faces import KnownCardTracker
from companion.table.indistinguishable import UNSEEN_PLACE
from companion.table.ledger import Piece, Place
from companion.table.seats import make_seats
from companion.table.table import Table
from companion.texts import say

FRONT, MARKET, BOX = (Place(say(name)) for name in ("front", "market", "box"))
OPEN = (FRONT, MARKET, BOX)
DECK = Deck(
    "shop",
    (CardDesign("a", 4, {"n": 1}), CardDesign("c", 1, {"n": 2}), CardDesign("d", 1, {"n": 2})),
    fields={"n": CardField(1, 2)},
)
COPIES = list(DECK.cards)
PRINTED = [int(design.values["n"]) for design in DECK.cards.values()]
World = tuple[Place, ...]
STEPS, MATCHES = 30, 16
RARE = 200
"""What only several moves together rule out isn't followed: of so many claims one may be taken wrongly."""


class Bag:
    """The real copies, the companion, and every world that fits what it was told."""

    def __init__(self, seed: int) -> None:
        self.rng = Random(seed)
        self.table = Table(make_seats(["Aki", "Ben"]), {}, {"shop": DECK}, find_no_card)
        self.faces = self.table.track_faces("shop")
        self.lies: list[Place] = [UNSEEN_PLACE] * len(COPIES)
        self.worlds: set[World] = {tuple(self.lies)}
        self.known: dict[int, Place] = {}
        self.claims = self.wrongly = 0

    def card(self, at: int) -> Card:
        """A copy as the reader reads it."""
        return self.faces.parse_card({"card": COPIES[at]})

    def typed(self, n: int) -> Card:
        """A card as people type it."""
        return self.faces.parse_card({"values": {"n": n}})

    # What happens at the table

    def step(self) -> None:
        """Some copy goes somewhere, and people say which, or what it looks like, or move its face by hand."""
        at = self.rng.randrange(len(COPIES))
        source = self.lies[at]
        target = self.rng.choice([place for place in (UNSEEN_PLACE, *OPEN) if place != source])
        places = () if source == UNSEEN_PLACE else (source,)
        way = self.rng.random()
        if way < 0.4:
            assert self.faces.cards_seen_for_first_time([self.card(at)], places) == (
                [] if places else [self.card(at)]
            )
            self.faces.move_faces([self.card(at)], target, places)
            self.named(at, source, target)
        elif way < 0.8:
            card = self.typed(PRINTED[at])
            assert self.faces.can_come_from([card], places)
            self.faces.move_faces([card], target, places)
            self.one_of(range(len(COPIES)), at, source, target)
        elif source != UNSEEN_PLACE:
            self.moves_by_hand(source, target)

    def moves_by_hand(self, source: Place, target: Place) -> None:
        """A correction of a face that lies at a place: a named one, or any that looks like it."""
        ledger = self.table.ledger
        piece: Piece = self.rng.choice([one.piece for one in ledger.accounts_at(source) if one.count > 0])
        self.table.move_by_hand(ledger.open_account(source, piece), ledger.open_account(target, piece), 1)
        if at := [at for at, name in enumerate(COPIES) if self.piece(name) == piece]:
            self.named(at[0], source, target)
            return
        n = 1 if piece.key == "card any a" else 2
        others = [at for at in range(len(COPIES)) if PRINTED[at] == n]
        self.one_of(others, self.rng.choice([at for at in others if self.lies[at] == source]), source, target)

    def piece(self, name: str) -> Piece:
        """The face of a copy."""
        return next(
            one.piece
            for one in self.table.ledger.accounts_at(UNSEEN_PLACE)
            if one.piece.key == f"card {name}"
        )

    def named(self, at: int, source: Place, target: Place) -> None:
        """A copy went, and everybody knows which."""
        self.lies[at] = target
        fitting = [world for world in self.worlds if world[at] == source]
        self.worlds = {(*world[:at], target, *world[at + 1 :]) for world in fitting}
        self.known[at] = target

    def one_of(self, copies: Sequence[int], at: int, source: Place, target: Place) -> None:
        """One of these copies that look the same went, and nobody said which."""
        alike = [other for other in copies if PRINTED[other] == PRINTED[at]]
        there = [other for other in alike if self.lies[other] == source]
        for other in there:
            if self.known.get(other) == source:
                del self.known[other]
                if there == [other] and source != UNSEEN_PLACE:
                    self.known[other] = target
        self.lies[at] = target
        self.worlds = {
            (*world[:other], target, *world[other + 1 :])
            for world in self.worlds
            for other in alike
            if world[other] == source
        }

    # What must hold

    def check(self) -> None:
        """Numbers are right; what may be is taken, alone and together; what is known elsewhere is not."""
        for place in OPEN:
            assert len(self.faces.known_cards_at(place)) == self.lies.count(place)
        for places in ((), *[(place,) for place in OPEN]):
            for at in range(len(COPIES)):
                self.claim([at], places)
                if self.known.get(at, UNSEEN_PLACE) not in (UNSEEN_PLACE, *places):
                    assert not self.faces.can_come_from([self.card(at)], places)
            for pair in combinations(range(len(COPIES)), 2):
                self.claim(pair, places)
            for n in (1, 2):
                is_there = any(self.may_lie(world, n, places) for world in self.worlds)
                assert self.faces.can_come_from([self.typed(n)], places) >= is_there

    def may_lie(self, world: World, n: int, places: Sequence[Place]) -> bool:
        """Whether such a card may come from there."""
        return any(
            lies in (UNSEEN_PLACE, *places)
            for lies, printed in zip(world, PRINTED, strict=True)
            if printed == n
        )

    def claim(self, copies: Sequence[int], places: Sequence[Place]) -> None:
        """Somebody shows these copies."""
        may_be = any(all(world[at] in (UNSEEN_PLACE, *places) for at in copies) for world in self.worlds)
        taken = self.faces.can_come_from([self.card(at) for at in copies], places)
        assert taken or not may_be
        self.claims += 1
        self.wrongly += taken and not may_be


@pytest.mark.without_coverage
def test_what_is_there_is_never_refused() -> None:
    """Random scans, typed cards and corrections: the real cards always fit; what is known is nowhere else."""
    claims = wrongly = 0
    for seed in range(MATCHES):
        bag = Bag(seed)
        for _ in range(STEPS):
            bag.step()
            bag.check()
        claims, wrongly = claims + bag.claims, wrongly + bag.wrongly
    assert wrongly * RARE < claims


# One by one


@pytest.fixture
def table() -> Table:
    """Two people and the shop's cards."""
    return Table(make_seats(["Aki", "Ben"]), {}, {"shop": DECK}, find_no_card)


@pytest.fixture
def faces(table: Table) -> KnownCardTracker:
    """Four copies of a; c and d, which look the same."""
    return table.track_faces("shop")


def cards(faces: KnownCardTracker, *names: str | int) -> list[Card]:
    """Copies by their ids, or any card that shows a number."""
    return [
        faces.parse_card({"values": {"n": name}} if isinstance(name, int) else {"card": name})
        for name in names
    ]


def test_one_of_several_goes_and_nobody_says_which(faces: KnownCardTracker) -> None:
    """Each of those that lay there may be it, nothing else; once one is seen the others are known again."""
    faces.move_faces(cards(faces, "a.1", "a.2"), MARKET)
    faces.move_faces(cards(faces, 1), FRONT, [MARKET])
    assert [faces.known_cards_at(place) for place in (MARKET, FRONT)] == [cards(faces, 1)] * 2
    for name in ("a.1", "a.2"):
        assert faces.can_come_from(cards(faces, name), [FRONT])
        assert not faces.can_come_from(cards(faces, name))
    assert not faces.can_come_from(cards(faces, "a.1", "a.2"), [FRONT])
    assert faces.cards_seen_for_first_time(cards(faces, "a.3"), [FRONT]) == cards(faces, "a.3")
    faces.move_faces(cards(faces, "a.2"), BOX, [FRONT])
    assert [faces.known_cards_at(place) for place in (MARKET, FRONT, BOX)] == [
        cards(faces, "a.1"),
        [],
        cards(faces, "a.2"),
    ]


def test_the_only_one_that_lies_there_keeps_its_name(faces: KnownCardTracker) -> None:
    """Whoever picks it from a list means that one."""
    faces.move_faces(cards(faces, "a.1"), MARKET)
    faces.move_faces(cards(faces, 1), FRONT, [MARKET])
    assert faces.known_cards_at(FRONT) == cards(faces, "a.1")


def test_cards_of_two_designs_that_look_the_same(faces: KnownCardTracker) -> None:
    """A description that fits both may be either, wherever they lie."""
    faces.move_faces(cards(faces, "c", "d"), MARKET)
    faces.move_faces(cards(faces, 2), FRONT, [MARKET])
    for name in ("c", "d"):
        assert faces.can_come_from(cards(faces, name), [FRONT])
        assert faces.can_come_from(cards(faces, name), [MARKET])
        assert not faces.can_come_from(cards(faces, name))
    faces.move_faces(cards(faces, "d"), BOX, [FRONT])
    assert faces.known_cards_at(MARKET) == cards(faces, "c")


def test_a_typed_card_and_a_read_one_lie_together(faces: KnownCardTracker) -> None:
    """When one of them goes the read one may be it, or still be there."""
    faces.move_faces(cards(faces, 2), MARKET)
    faces.move_faces(cards(faces, "c"), MARKET)
    faces.move_faces(cards(faces, 2), FRONT, [MARKET])
    assert faces.can_come_from(cards(faces, "c", "d"), [FRONT, MARKET])
    assert not faces.can_come_from(cards(faces, "c"))
    assert not faces.can_come_from(cards(faces, 2))


def test_two_can_not_both_be_the_last_one(faces: KnownCardTracker) -> None:
    """A typed card and two read ones went to three places: once the typed one is seen no other may come."""
    faces.move_faces(cards(faces, 1), MARKET)
    faces.move_faces(cards(faces, "a.1", "a.2"), MARKET)
    faces.move_faces(cards(faces, 1), FRONT, [MARKET])
    faces.move_faces(cards(faces, 1), BOX, [MARKET])
    for name in ("a.1", "a.2", "a.3", "a.4"):
        assert faces.can_come_from(cards(faces, name), [FRONT])
    faces.move_faces(cards(faces, "a.3"), UNSEEN_PLACE, [FRONT])
    assert faces.cards_seen_for_first_time(cards(faces, "a.4"), [BOX]) == cards(faces, "a.4")


def test_those_that_were_seen_must_lie_somewhere(faces: KnownCardTracker) -> None:
    """Two read ones and two typed ones lie mixed: what comes from the front leaves room for the read ones."""
    faces.move_faces(cards(faces, 1, 1), MARKET)
    faces.move_faces(cards(faces, "a.1", "a.2"), MARKET)
    for _ in range(3):
        faces.move_faces(cards(faces, 1), FRONT, [MARKET])
    assert faces.can_come_from(cards(faces, "a.3", "a.4"), [FRONT])
    faces.move_faces(cards(faces, 1, 1), BOX, [FRONT])
    assert not faces.can_come_from(cards(faces, "a.3", "a.4"))
    assert not faces.can_come_from(cards(faces, "a.1"))
    assert faces.cards_seen_for_first_time(cards(faces, "a.1", "a.2"), [BOX]) == []
    assert not faces.can_come_from(cards(faces, "a.1", "a.2", "a.3"), [BOX])


def test_a_card_is_taken_back(faces: KnownCardTracker) -> None:
    """Of two alike that were laid down one was taken back unseen: either may come, but not both."""
    faces.move_faces(cards(faces, "a.1", "a.2", "c"), MARKET, returned_unseen=cards(faces, 1))
    assert faces.can_come_from(cards(faces, "a.1"))
    assert faces.can_come_from(cards(faces, "a.2", "a.3"))
    assert not faces.can_come_from(cards(faces, "a.1", "a.2"))
    assert faces.possibly_unseen_card_ids() == ["a.1", "a.2", "a.3", "a.4", "d"]
    faces.move_faces(cards(faces, "a.2"), BOX)
    assert faces.known_cards_at(MARKET) == cards(faces, "a.1", "c")
    assert faces.possibly_unseen_card_ids() == ["a.3", "a.4", "d"]


def test_a_face_that_people_moved(table: Table, faces: KnownCardTracker) -> None:
    """A correction tells no name: whichever lay there may have gone."""
    faces.move_faces(cards(faces, "a.1", "a.2"), MARKET)
    faces.move_faces(cards(faces, 1), FRONT, [MARKET])
    piece = next(one.piece for one in table.ledger.accounts_at(FRONT) if one.count)
    table.move_by_hand(table.ledger.open_account(FRONT, piece), table.ledger.open_account(BOX, piece), 1)
    assert faces.can_come_from(cards(faces, "a.1"), [BOX])
    assert not faces.can_come_from(cards(faces, "a.1"), [FRONT])
    table.move_by_hand(
        table.ledger.open_account(BOX, piece), table.ledger.open_account(UNSEEN_PLACE, piece), 1
    )
    assert faces.can_come_from(cards(faces, "a.1"))
    assert not faces.can_come_from(cards(faces, "a.1", "a.2"))


def test_a_card_that_was_moved_to_where_it_can_not_be(faces: KnownCardTracker) -> None:
    """What a rule shows is shown, though by all that was told it is elsewhere."""
    faces.move_faces(cards(faces, "a.1", "a.2", "a.3"), MARKET)
    faces.move_faces(cards(faces, 1, 1, 1), FRONT)
    faces.move_faces(cards(faces, "a.2"), BOX)
    assert faces.known_cards_at(BOX) == cards(faces, "a.2")
    faces.mark_all_unseen()
    assert faces.possibly_unseen_card_ids() == COPIES
