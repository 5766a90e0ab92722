"""What people move by hand to make one table another."""

from collections import Counter

import pytest

from companion.table.indistinguishable import UNSEEN_PLACE
from companion.table.ledger import CardMovement, Ledger, Piece, Place
from companion.table.moves import (
    MAX_TRACED_CARDS,
    PieceMove,
    diff_snapshots,
    take_snapshot,
    trace_cards_to_move,
)
from companion.table.seats import make_seats
from companion.texts import render, say, say_n

AKI, BEN = make_seats(["Aki", "Ben"])
CARD, COIN = (
    Piece("card", say("card"), count_label=say_n("{n} card", "{n} cards", n=2)),
    Piece("coin", say("coin"), is_endless=True, count_label=say_n("{n} coin", "{n} coins", n=2)),
)
BLACK = Piece(
    "black card", say("black card"), look="card", count_label=say_n("{n} black card", "{n} black cards", n=2)
)
POINT = Piece("point", say("point"), is_endless=True, is_marker=True)
BANK, BAG = Place(say("bank")), Place(say("bag"), slot=1)
AKIS, BENS = Place(say("hand"), AKI), Place(say("hand"), BEN)
SLOT = Place(say("market"), slot=4)
Lies = dict[tuple[Place, Piece], int]
Step = list[tuple[Piece, Place, Place, int]]


def face(name: str) -> Piece:
    """What is printed on a card."""
    return Piece(f"card {name}", say("{name}", name=name), is_endless=True, is_marker=True, look="card")


BOOKS, MAPS = face("Books"), face("Maps")


def table(lies: Lies, covered: Lies | None = None) -> Ledger:
    """A ledger in which that lies where."""
    ledger = Ledger()
    for (place, piece), count in lies.items():
        ledger.supply_from_box(ledger.open_account(place, piece), count)
    for (place, piece), count in (covered or {}).items():
        ledger.supply_from_box(ledger.open_account(place, piece, covered=True), count)
    return ledger


def told(now: Ledger, then: Ledger, *, back: bool = True) -> list[str]:
    """What is said of the way from one to the other."""
    return [
        render(move.instruction_text(is_return=back))
        for move in diff_snapshots(take_snapshot(now), take_snapshot(then))
    ]


def test_from_where_to_where_and_how_many() -> None:
    """Each move is said once, with the place of a seat too; marks and a covered purse are not."""
    one = table(
        {(BANK, CARD): 5, (AKIS, CARD): 0, (BENS, CARD): 2, (SLOT, CARD): 3, (AKIS, POINT): 5},
        {(BENS, COIN): 5},
    )
    other = table(
        {(BANK, CARD): 1, (AKIS, CARD): 4, (BENS, CARD): 5, (SLOT, CARD): 0, (AKIS, POINT): 1},
        {(BENS, COIN): 1},
    )
    assert told(one, other) == [
        "4 cards from bank back to Aki's hand",
        "3 cards from market 4 back to Ben's hand",
    ]
    assert told(other, one, back=False) == [
        "4 cards from Aki's hand to bank",
        "3 cards from Ben's hand to market 4",
    ]


def test_what_came_out_of_a_bag() -> None:
    """What went into or came out of a covered place of nobody's was seen, so it is said; a purse isn't."""
    now = table({(BANK, CARD): 3, (SLOT, COIN): 3}, {(BAG, CARD): 2, (BENS, COIN): 2})
    then = table({(BANK, CARD): 1, (SLOT, COIN): 1}, {(BAG, CARD): 4, (BENS, COIN): 4})
    assert told(now, then) == ["2 cards from bank back to bag 1"]


def test_a_purse_covered_only_later_stays_covered() -> None:
    """What is hidden at one of the two moments isn't told."""
    assert told(table({(BENS, COIN): 3, (BANK, COIN): 0}), table({(BANK, COIN): 3}, {(BENS, COIN): 0})) == []


def test_comparing_opens_nothing() -> None:
    """An account that only one ledger has is compared with nothing, and stays unopened in the other."""
    now, then = table({(BANK, COIN): -(10**12), (AKIS, COIN): 10**12}), Ledger()
    assert told(now, then) == ["1000000000000 coins from Aki's hand back to bank"]
    assert not list(then)


def happened(lies: Lies, *steps: Step) -> Ledger:
    """A ledger in which that lay where, and the things that happened since."""
    ledger = table(lies)
    for step in steps:
        for piece, source, target, count in step:
            one, other = (
                ledger.open_account(at, piece, covered=at == UNSEEN_PLACE) for at in (source, target)
            )
            ledger.transfer(one, other, count)
        ledger.end_movement_step()
    return ledger


def goes(piece: Piece, source: Place, target: Place, face: Piece | None = None) -> Step:
    """A card goes there, and its face."""
    return [(piece, source, target, 1), *([(face, source, target, 1)] if face else [])]


def turned(face: Piece, source: Place, target: Place) -> Step:
    """Only a face goes somewhere."""
    return [(face, source, target, 1)]


@pytest.mark.parametrize(
    ("lies", "steps", "moved"),
    [
        # open before and after
        (
            {(SLOT, CARD): 2, (SLOT, BOOKS): 1, (SLOT, MAPS): 1},
            [goes(CARD, SLOT, AKIS, BOOKS)],
            ["1 card (Books) from market 4 to Aki's hand"],
        ),
        # exchanged, though the numbers are the same
        (
            {(SLOT, CARD): 1, (SLOT, BOOKS): 1, (AKIS, CARD): 1, (AKIS, MAPS): 1},
            [goes(CARD, SLOT, AKIS, BOOKS) + goes(CARD, AKIS, SLOT, MAPS)],
            ["1 card (Books) from market 4 to Aki's hand", "1 card (Maps) from Aki's hand to market 4"],
        ),
        # open only here: into a hand
        (
            {(SLOT, CARD): 1, (SLOT, BOOKS): 1},
            [goes(CARD, SLOT, AKIS) + turned(BOOKS, SLOT, UNSEEN_PLACE)],
            ["1 card (Books) from market 4 to Aki's hand"],
        ),
        # open only there: out of a hand
        (
            {(AKIS, CARD): 3},
            [2 * (goes(CARD, AKIS, SLOT) + turned(BOOKS, UNSEEN_PLACE, SLOT))],
            ["2 cards (Books, Books) from Aki's hand to market 4"],
        ),
        # each from another hand, one after the other
        (
            {(AKIS, CARD): 2, (BENS, CARD): 2},
            [
                goes(CARD, AKIS, SLOT) + turned(BOOKS, UNSEEN_PLACE, SLOT),
                goes(CARD, BENS, SLOT) + turned(MAPS, UNSEEN_PLACE, SLOT),
            ],
            ["1 card (Books) from Aki's hand to market 4", "1 card (Maps) from Ben's hand to market 4"],
        ),
        # at once: nobody knows whose is which
        (
            {(AKIS, CARD): 2, (BENS, CARD): 2},
            [
                goes(CARD, AKIS, SLOT)
                + goes(CARD, BENS, SLOT)
                + turned(BOOKS, UNSEEN_PLACE, SLOT)
                + turned(MAPS, UNSEEN_PLACE, SLOT)
            ],
            ["1 card from Aki's hand to market 4", "1 card from Ben's hand to market 4"],
        ),
        # unless they are alike
        (
            {(AKIS, CARD): 2, (BENS, CARD): 2},
            [
                goes(CARD, AKIS, SLOT)
                + goes(CARD, BENS, SLOT)
                + turned(BOOKS, UNSEEN_PLACE, SLOT)
                + turned(BOOKS, UNSEEN_PLACE, SLOT)
            ],
            ["1 card (Books) from Aki's hand to market 4", "1 card (Books) from Ben's hand to market 4"],
        ),
        # turned face down here, and another one comes to lie open there: they are not the same
        (
            {(SLOT, CARD): 1, (SLOT, BOOKS): 1, (BENS, CARD): 1},
            [
                goes(CARD, SLOT, AKIS)
                + turned(BOOKS, SLOT, UNSEEN_PLACE)
                + goes(CARD, BENS, BANK)
                + turned(MAPS, UNSEEN_PLACE, BANK)
            ],
            ["1 card (Books) from market 4 to Aki's hand", "1 card (Maps) from Ben's hand to bank"],
        ),
        # two lie face down afterwards, and one of them leaves: nobody knows which
        (
            {(SLOT, CARD): 2, (SLOT, BOOKS): 1, (SLOT, MAPS): 1},
            [
                [
                    *turned(BOOKS, SLOT, UNSEEN_PLACE),
                    *turned(MAPS, SLOT, UNSEEN_PLACE),
                    *goes(CARD, SLOT, AKIS),
                ]
            ],
            ["1 card from market 4 to Aki's hand"],
        ),
        # cards with different backs lie together, so that the other place says which is meant
        (
            {(SLOT, CARD): 1, (SLOT, BLACK): 1, (SLOT, BOOKS): 1, (SLOT, MAPS): 1},
            [goes(CARD, SLOT, BANK, BOOKS)],
            ["1 card (Books) from market 4 to bank"],
        ),
        # or nothing does
        (
            {(SLOT, CARD): 1, (SLOT, BLACK): 1, (SLOT, BOOKS): 1},
            [goes(CARD, SLOT, AKIS, BOOKS) + goes(BLACK, SLOT, AKIS)],
            ["1 card from market 4 to Aki's hand", "1 black card from market 4 to Aki's hand"],
        ),
        # turned over where it lies
        ({(SLOT, CARD): 1, (SLOT, BOOKS): 1}, [turned(BOOKS, SLOT, UNSEEN_PLACE)], []),
        # its back was taken away by hand
        ({(SLOT, BOOKS): 1, (BANK, CARD): 1}, [turned(BOOKS, SLOT, BANK)], []),
        # there and back again
        ({(SLOT, CARD): 1}, [goes(CARD, SLOT, BANK), goes(CARD, BANK, SLOT)], []),
        # on top of the others, and from there
        (
            {(SLOT, CARD): 1, (BANK, CARD): 4},
            [goes(CARD, SLOT, BANK), goes(CARD, BANK, AKIS)],
            ["1 card from market 4 to Aki's hand"],
        ),
        # on at once
        (
            {(SLOT, CARD): 1, (BANK, CARD): 4},
            [goes(CARD, SLOT, BANK) + goes(CARD, BANK, AKIS)],
            ["1 card from market 4 to Aki's hand"],
        ),
        # exchanged, face down
        (
            {(AKIS, CARD): 2, (BENS, CARD): 2},
            [goes(CARD, AKIS, BENS) + goes(CARD, BENS, AKIS)],
            ["1 card from Aki's hand to Ben's hand", "1 card from Ben's hand to Aki's hand"],
        ),
        # into a hand that holds others: its owner knows which one leaves it
        (
            {(SLOT, CARD): 1, (AKIS, CARD): 1},
            [goes(CARD, SLOT, AKIS), goes(CARD, AKIS, BANK) + turned(MAPS, UNSEEN_PLACE, BANK)],
            ["1 card from market 4 to Aki's hand", "1 card (Maps) from Aki's hand to bank"],
        ),
        # into an empty hand, so that it can be no other
        (
            {(SLOT, CARD): 1},
            [goes(CARD, SLOT, AKIS), goes(CARD, AKIS, BANK)],
            ["1 card from market 4 to bank"],
        ),
        # two of different places, and both to one
        (
            {(SLOT, CARD): 1, (BANK, CARD): 1},
            [goes(CARD, SLOT, AKIS), goes(CARD, BANK, AKIS), *2 * [goes(CARD, AKIS, BENS)]],
            ["1 card from market 4 to Ben's hand", "1 card from bank to Ben's hand"],
        ),
        # two of different places to two others: only their owner knows
        (
            {(SLOT, CARD): 1, (BANK, CARD): 1},
            [
                *[goes(CARD, SLOT, AKIS), goes(CARD, BANK, AKIS)],
                *[goes(CARD, AKIS, BENS), goes(CARD, AKIS, BAG), goes(CARD, BENS, AKIS)],
            ],
            [
                "1 card from market 4 to Aki's hand",
                "1 card from bank to Aki's hand",
                "1 card from Aki's hand to bag 1",
            ],
        ),
    ],
)
def test_which_card(lies: Lies, steps: list[Step], moved: list[str]) -> None:
    """A card is told from where it lies to where it shall lie, by its name if it lies open at one of them."""
    assert told(table(lies), happened(lies, *steps), back=False) == moved


def test_which_card_lies_on_top() -> None:
    """Back on the top of a pile, from where another game drew the same card."""
    lies = {(BANK, CARD): 4}
    now = happened(lies, goes(CARD, BANK, AKIS), goes(CARD, BANK, BENS))
    then = happened(lies, [*goes(CARD, BANK, BENS), *goes(CARD, BANK, SLOT)])
    assert told(now, then) == [
        "1 card from Ben's hand back to market 4",
        "1 card from Aki's hand back to Ben's hand",
    ]


def test_as_many_cards_as_nobody_lays_one_by_one() -> None:
    """Of very many cards it makes no difference which is which."""
    lies = {(BANK, CARD): MAX_TRACED_CARDS}
    now = happened(lies, [(CARD, BANK, AKIS, MAX_TRACED_CARDS)], [(CARD, AKIS, BENS, 1)])
    assert told(now, table(lies)) == [
        f"{MAX_TRACED_CARDS - 1} cards from Aki's hand back to bank",
        "1 card from Ben's hand back to bank",
    ]


def test_a_place_that_was_emptied_before_a_card_is_known_to_have_come_there() -> None:
    """Which of several cards lay in a hand that is empty by now is told only later; then nothing is lost."""
    now = [
        (CardMovement(CARD, SLOT, BENS, 2), CardMovement(MAPS, SLOT, None, 1)),
        (
            CardMovement(CARD, BENS, AKIS, 1),
            CardMovement(CARD, AKIS, BENS, 2),
            CardMovement(MAPS, AKIS, BENS, 1),
        ),
    ]
    then = [(CardMovement(CARD, AKIS, BANK, 1), CardMovement(CARD, SLOT, BENS, 1))]
    cards = trace_cards_to_move(CARD, {BANK: 0, AKIS: 0, BENS: 3, SLOT: 0}, now, then)
    ends = Counter([card.place for card in cards])
    ends.subtract(card.origin for card in cards)
    assert {place: more for place, more in ends.items() if more} == {BENS: -2, BANK: 1, SLOT: 1}


def test_cards_that_only_their_owner_may_count() -> None:
    """What comes to a covered place of a seat, or leaves it, isn't told, though a card went on from there."""
    now, then = (table({(BANK, CARD): 2}, {(BENS, CARD): 3}) for _ in range(2))
    bank, bens, akis = (then.open_account(place, CARD) for place in (BANK, BENS, AKIS))
    then.transfer(bank, bens, 2)
    then.end_movement_step()
    then.transfer(bens, akis, 1)
    then.end_movement_step()
    assert told(now, then) == []


def test_a_covered_face_is_never_told() -> None:
    """A card that lies face down has no name, though the companion knows it."""
    now = table({(SLOT, CARD): 1}, {(SLOT, BOOKS): 1})
    then = table({(SLOT, CARD): 1}, {(SLOT, BOOKS): 1})
    for piece in (CARD, BOOKS):
        then.transfer(
            then.open_account(SLOT, piece), then.open_account(AKIS, piece, covered=piece == BOOKS), 1
        )
    assert told(now, then) == ["1 card from market 4 back to Aki's hand"]


def test_a_line_of_the_movements() -> None:
    """A move is told as something that happened."""
    move = PieceMove(CARD, SLOT, AKIS, 1, (say("Books"),))
    assert render(move.description_text) == "1 card (Books) from market 4 to Aki's hand"
