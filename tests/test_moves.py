"""What people move by hand to make one table another."""

import pytest

from companion.games.bidders import GAME as BIDDERS
from companion.games.egypt import GAME as EGYPT
from companion.games.high_bid import GAME as HIGH_BID
from companion.games.mammon import GAME as MAMMON
from companion.ledger import Ledger, Piece, Place
from companion.moves import Move, lying, moves
from companion.seats import seated
from companion.testing import Script
from companion.words import render, say
from tests.games.high_bid_table import dealt, puts_up, won

AKI, BEN = seated(["Aki", "Ben"])
CARD, COIN = Piece("card", say("card")), Piece("coin", say("coin"), endless=True)
BLACK = Piece("black card", say("black card"), look="card")
POINT = Piece("point", say("point"), endless=True, mark=True)
BANK, BAG = Place(say("bank")), Place(say("bag"), slot=1)
AKIS, BENS = Place(say("hand"), AKI), Place(say("hand"), BEN)
SLOT = Place(say("market"), slot=4)
Lies = dict[tuple[Place, Piece], int]


def face(name: str) -> Piece:
    """What is printed on a card."""
    return Piece(f"card {name}", say("{name}", name=name), endless=True, mark=True, look="card")


BOOKS, MAPS = face("Books"), face("Maps")


def table(lies: Lies, covered: Lies | None = None) -> Ledger:
    """A ledger in which that lies where."""
    ledger = Ledger()
    for (place, piece), count in lies.items():
        ledger.supply(ledger.account(place, piece), count)
    for (place, piece), count in (covered or {}).items():
        ledger.supply(ledger.account(place, piece, covered=True), count)
    return ledger


def told(now: Ledger, then: Ledger, *, back: bool = True) -> list[str]:
    """What is said of the way from one to the other."""
    return [render(move.told(back=back)) for move in moves(lying(now), lying(then))]


def test_from_where_to_where_and_how_many() -> None:
    """Each move is said once, with the place of a seat too; marks and a covered purse are not."""
    one = table({(BANK, CARD): 5, (AKIS, CARD): 0, (BENS, CARD): 2, (SLOT, CARD): 3, (AKIS, POINT): 5},
                {(BENS, COIN): 5})  # fmt: skip
    other = table({(BANK, CARD): 1, (AKIS, CARD): 4, (BENS, CARD): 5, (SLOT, CARD): 0, (AKIS, POINT): 1},
                  {(BENS, COIN): 1})  # fmt: skip
    assert told(one, other) == [
        "4 × card from bank back to Aki's hand",
        "3 × card from market 4 back to Ben's hand",
    ]
    assert told(other, one, back=False) == [
        "4 × card from Aki's hand to bank",
        "3 × card from Ben's hand to market 4",
    ]


def test_what_came_out_of_a_bag() -> None:
    """What went into or came out of a covered place of nobody's was seen, so it is said; a purse isn't."""
    now = table({(BANK, CARD): 3, (SLOT, COIN): 3}, {(BAG, CARD): 2, (BENS, COIN): 2})
    then = table({(BANK, CARD): 1, (SLOT, COIN): 1}, {(BAG, CARD): 4, (BENS, COIN): 4})
    assert told(now, then) == ["2 × card from bank back to bag 1"]


def test_a_purse_covered_only_later_stays_covered() -> None:
    """What is hidden at one of the two moments isn't told."""
    assert told(table({(BENS, COIN): 3, (BANK, COIN): 0}), table({(BANK, COIN): 3}, {(BENS, COIN): 0})) == []


def test_comparing_opens_nothing() -> None:
    """An account that only one ledger has is compared with nothing, and stays unopened in the other."""
    now, then = table({(BANK, COIN): -(10**12), (AKIS, COIN): 10**12}), Ledger()
    assert told(now, then) == ["1000000000000 × coin from Aki's hand back to bank"]
    assert not list(then)


@pytest.mark.parametrize(
    ("now", "then", "moved"),
    [
        # open before and after
        (
            {(SLOT, CARD): 2, (SLOT, BOOKS): 1, (SLOT, MAPS): 1, (AKIS, CARD): 0},
            {(SLOT, CARD): 1, (SLOT, MAPS): 1, (AKIS, CARD): 1, (AKIS, BOOKS): 1},
            ["1 × card (Books) from market 4 to Aki's hand"],
        ),
        # exchanged, though the numbers are the same
        (
            {(SLOT, CARD): 1, (SLOT, BOOKS): 1, (AKIS, CARD): 1, (AKIS, MAPS): 1},
            {(SLOT, CARD): 1, (SLOT, MAPS): 1, (AKIS, CARD): 1, (AKIS, BOOKS): 1},
            ["1 × card (Books) from market 4 to Aki's hand", "1 × card (Maps) from Aki's hand to market 4"],
        ),
        # open only here: into a hand
        (
            {(SLOT, CARD): 1, (SLOT, BOOKS): 1},
            {(AKIS, CARD): 1},
            ["1 × card (Books) from market 4 to Aki's hand"],
        ),
        # open only there: out of a hand
        (
            {(AKIS, CARD): 3},
            {(AKIS, CARD): 1, (SLOT, CARD): 2, (SLOT, BOOKS): 2},
            ["2 × card (Books, Books) from Aki's hand to market 4"],
        ),
        # turned face down here, and another one comes to lie open there: they are not the same
        (
            {(SLOT, CARD): 1, (SLOT, BOOKS): 1, (BENS, CARD): 1},
            {(BANK, CARD): 1, (BANK, MAPS): 1, (AKIS, CARD): 1},
            ["1 × card (Books) from market 4 to Aki's hand", "1 × card (Maps) from Ben's hand to bank"],
        ),
        # the same where nothing else is left
        (
            {(SLOT, CARD): 1, (SLOT, BOOKS): 1},
            {(BANK, CARD): 1, (BANK, MAPS): 1},
            ["1 × card (Books) from market 4 to bank"],
        ),
        # two lie face down afterwards, and one of them leaves: nobody knows which
        (
            {(SLOT, CARD): 2, (SLOT, BOOKS): 1, (SLOT, MAPS): 1},
            {(SLOT, CARD): 1, (AKIS, CARD): 1},
            ["1 × card from market 4 to Aki's hand"],
        ),
        # cards with different backs lie together, so that the other place says which is meant
        (
            {(SLOT, CARD): 1, (SLOT, BLACK): 1, (SLOT, BOOKS): 1, (SLOT, MAPS): 1},
            {(SLOT, BLACK): 1, (SLOT, MAPS): 1, (BANK, CARD): 1, (BANK, BOOKS): 1},
            ["1 × card (Books) from market 4 to bank"],
        ),
        # or nothing does
        (
            {(SLOT, CARD): 1, (SLOT, BLACK): 1, (SLOT, BOOKS): 1},
            {(AKIS, CARD): 1, (AKIS, BLACK): 1, (AKIS, BOOKS): 1},
            ["1 × card from market 4 to Aki's hand", "1 × black card from market 4 to Aki's hand"],
        ),
        # turned over where it lies
        ({(SLOT, CARD): 1, (SLOT, BOOKS): 1}, {(SLOT, CARD): 1}, []),
        # its back was taken away by hand
        ({(SLOT, BOOKS): 1, (BANK, CARD): 1}, {(BANK, CARD): 1, (BANK, BOOKS): 1}, []),
    ],
)
def test_which_card(now: Lies, then: Lies, moved: list[str]) -> None:
    """A card is called by its name where it lies open, and one that lies face down is not."""
    assert told(table(now), table(then), back=False) == moved


def test_a_covered_face_is_never_told() -> None:
    """A card that lies face down has no name, though the companion knows it."""
    now = table({(SLOT, CARD): 1}, {(SLOT, BOOKS): 1})
    assert told(now, table({(AKIS, CARD): 1}, {(AKIS, BOOKS): 1})) == [
        "1 × card from market 4 back to Aki's hand"
    ]


def test_a_line_of_the_journal() -> None:
    """The same as something that happened."""
    move = Move(CARD, SLOT, AKIS, 1, (say("Books"),))
    assert render(move.line) == "1 × card (Books): market 4 → Aki's hand"


# On the table


def test_each_of_a_seats_places_is_named() -> None:
    """Back and forth over a round: workers lie on an edge, on a project or on a guild card."""
    script = Script(BIDDERS, "Aki", "Ben", "Chie", "Dai").says("table: Aki", "table: done")
    script.says("table: turns card:W1", "table: turns card:B1", "Aki: white", "Aki 2")
    script.says("Ben: pass", "Chie: pass", "Dai: pass", "Ben 1", "Dai 0", "undo past a reveal")
    assert script.moves == [
        "2 × Aki's worker from Aki's left edge back to white project",
        "1 × Ben's worker from Aki's left edge back to Ben's guild card",
        "1 × white bid marker from white project back to Aki's guild card",
        "1 × white card (card W1) from Aki's left edge back to white project",
        "1 × start player from Ben's guild card back to Aki's guild card",
    ]
    assert script.says("redo").moves == [
        "2 × Aki's worker from white project to Aki's left edge",
        "1 × Ben's worker from Ben's guild card to Aki's left edge",
        "1 × white bid marker from Aki's guild card to white project",
        "1 × white card (card W1) from white project to Aki's left edge",
        "1 × start player from Aki's guild card to Ben's guild card",
    ]


def test_a_card_that_all_know_has_its_name() -> None:
    """What was put up for sale comes back by name, and forth again to where it was sold."""
    script = puts_up(won(dealt(), "Ben", "maps"), "Ben", "coins", 75, 3).says("undo", "undo")
    assert script.moves == ["1 × card (Coins) from Ben's offer back to Ben's hand"]
    assert script.says("redo", "redo").moves == ["1 × card (Coins) from Ben's offer to gallery"]


def test_a_deal_is_taken_back_by_shuffling() -> None:
    """Who has which cards is gone with the shuffle: it is said once, not as 25 cards from a hand."""
    egypt = Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki", "table: done", "undo")
    assert egypt.moves == ["Gather the cards and shuffle again."]
    deal = "Shuffle, deal 25 cards each, box the rest, lay out the daughters."
    assert egypt.says("redo").moves == [deal]
    egypt.says("Aki 1", "Ben withdraws", "Chie withdraws", "Aki pays 4", "back to 2")
    assert egypt.moves == [
        "Gather the cards and shuffle again.",
        "1 × daughter 4 from Aki's front back to market 4",
    ]


def second_round() -> Script:
    """Egypt, dealt for the second time: Aki and Ben had paid a card each, Chie had none to pay with."""
    egypt = Script(EGYPT, "Aki", "Ben", "Chie").says(
        "table: Aki", "table: done", "Aki 1", "Ben 60", "Chie 70"
    )
    egypt.says("Aki withdraws", "Ben withdraws", "Aki pays 6", "Ben can't pay", "Chie can't pay")
    return egypt.says("table: end_round", "table: done")


def test_beyond_a_deal_as_many_cards_lie_as_then() -> None:
    """Whose turn it was to deal sees only the shuffle; whoever goes on back counts the hands out, too."""
    egypt = second_round()
    deal = egypt.n - 1
    out = "1 × daughter 4 from market 4 back to box"
    assert egypt.says(f"back to {deal}").moves == ["Gather the cards and shuffle again.", out]
    egypt = second_round().says(f"back to {deal - 2}")
    assert egypt.moves == [
        "Gather the cards and shuffle again.",
        "1 × card from Aki's hand back to bank",
    ]


def test_every_game_says_that_it_shuffles() -> None:
    """Undo of a shuffle or a deal is told by every game that has one."""
    begun = [
        Script(BIDDERS, "Aki", "Ben", "Chie").says("table: Aki", "table: done"),
        Script(HIGH_BID, "Aki", "Ben").says("table: Aki", "table: done"),
        Script(MAMMON, "Aki", "Ben").says("table: done"),
    ]
    for script in begun:
        assert script.says("undo").moves == ["Gather the cards and shuffle again."]
        assert len(script.says("redo").moves) == 1
