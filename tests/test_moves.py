"""What people move by hand to make one table another."""

import pytest

from companion.cards import UNSEEN
from companion.games.bidders import GAME as BIDDERS
from companion.games.egypt import GAME as EGYPT
from companion.games.high_bid import GAME as HIGH_BID
from companion.games.mammon import GAME as MAMMON
from companion.games.oyakata import GAME as OYAKATA
from companion.ledger import Ledger, Piece, Place
from companion.moves import Move, lying, moves
from companion.seats import seated
from companion.testing import Script
from companion.ways import MOST
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
Step = list[tuple[Piece, Place, Place, int]]


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


def happened(lies: Lies, *steps: Step) -> Ledger:
    """A ledger in which that lay where, and the things that happened since."""
    ledger = table(lies)
    for step in steps:
        for piece, source, target, count in step:
            one, other = (ledger.account(at, piece, covered=at == UNSEEN) for at in (source, target))
            ledger.transfer(one, other, count)
        ledger.draw_line()
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
            ["1 × card (Books) from market 4 to Aki's hand"],
        ),
        # exchanged, though the numbers are the same
        (
            {(SLOT, CARD): 1, (SLOT, BOOKS): 1, (AKIS, CARD): 1, (AKIS, MAPS): 1},
            [goes(CARD, SLOT, AKIS, BOOKS) + goes(CARD, AKIS, SLOT, MAPS)],
            ["1 × card (Books) from market 4 to Aki's hand", "1 × card (Maps) from Aki's hand to market 4"],
        ),
        # open only here: into a hand
        (
            {(SLOT, CARD): 1, (SLOT, BOOKS): 1},
            [goes(CARD, SLOT, AKIS) + turned(BOOKS, SLOT, UNSEEN)],
            ["1 × card (Books) from market 4 to Aki's hand"],
        ),
        # open only there: out of a hand
        (
            {(AKIS, CARD): 3},
            [2 * (goes(CARD, AKIS, SLOT) + turned(BOOKS, UNSEEN, SLOT))],
            ["2 × card (Books, Books) from Aki's hand to market 4"],
        ),
        # each from another hand, one after the other
        (
            {(AKIS, CARD): 2, (BENS, CARD): 2},
            [
                goes(CARD, AKIS, SLOT) + turned(BOOKS, UNSEEN, SLOT),
                goes(CARD, BENS, SLOT) + turned(MAPS, UNSEEN, SLOT),
            ],
            ["1 × card (Books) from Aki's hand to market 4", "1 × card (Maps) from Ben's hand to market 4"],
        ),
        # at once: nobody knows whose is which
        (
            {(AKIS, CARD): 2, (BENS, CARD): 2},
            [
                goes(CARD, AKIS, SLOT)
                + goes(CARD, BENS, SLOT)
                + turned(BOOKS, UNSEEN, SLOT)
                + turned(MAPS, UNSEEN, SLOT)
            ],
            ["1 × card from Aki's hand to market 4", "1 × card from Ben's hand to market 4"],
        ),
        # unless they are alike
        (
            {(AKIS, CARD): 2, (BENS, CARD): 2},
            [
                goes(CARD, AKIS, SLOT)
                + goes(CARD, BENS, SLOT)
                + turned(BOOKS, UNSEEN, SLOT)
                + turned(BOOKS, UNSEEN, SLOT)
            ],
            ["1 × card (Books) from Aki's hand to market 4", "1 × card (Books) from Ben's hand to market 4"],
        ),
        # turned face down here, and another one comes to lie open there: they are not the same
        (
            {(SLOT, CARD): 1, (SLOT, BOOKS): 1, (BENS, CARD): 1},
            [
                goes(CARD, SLOT, AKIS)
                + turned(BOOKS, SLOT, UNSEEN)
                + goes(CARD, BENS, BANK)
                + turned(MAPS, UNSEEN, BANK)
            ],
            ["1 × card (Books) from market 4 to Aki's hand", "1 × card (Maps) from Ben's hand to bank"],
        ),
        # two lie face down afterwards, and one of them leaves: nobody knows which
        (
            {(SLOT, CARD): 2, (SLOT, BOOKS): 1, (SLOT, MAPS): 1},
            [[*turned(BOOKS, SLOT, UNSEEN), *turned(MAPS, SLOT, UNSEEN), *goes(CARD, SLOT, AKIS)]],
            ["1 × card from market 4 to Aki's hand"],
        ),
        # cards with different backs lie together, so that the other place says which is meant
        (
            {(SLOT, CARD): 1, (SLOT, BLACK): 1, (SLOT, BOOKS): 1, (SLOT, MAPS): 1},
            [goes(CARD, SLOT, BANK, BOOKS)],
            ["1 × card (Books) from market 4 to bank"],
        ),
        # or nothing does
        (
            {(SLOT, CARD): 1, (SLOT, BLACK): 1, (SLOT, BOOKS): 1},
            [goes(CARD, SLOT, AKIS, BOOKS) + goes(BLACK, SLOT, AKIS)],
            ["1 × card from market 4 to Aki's hand", "1 × black card from market 4 to Aki's hand"],
        ),
        # turned over where it lies
        ({(SLOT, CARD): 1, (SLOT, BOOKS): 1}, [turned(BOOKS, SLOT, UNSEEN)], []),
        # its back was taken away by hand
        ({(SLOT, BOOKS): 1, (BANK, CARD): 1}, [turned(BOOKS, SLOT, BANK)], []),
        # there and back again
        ({(SLOT, CARD): 1}, [goes(CARD, SLOT, BANK), goes(CARD, BANK, SLOT)], []),
        # on top of the others, and from there
        (
            {(SLOT, CARD): 1, (BANK, CARD): 4},
            [goes(CARD, SLOT, BANK), goes(CARD, BANK, AKIS)],
            ["1 × card from market 4 to Aki's hand"],
        ),
        # on at once
        (
            {(SLOT, CARD): 1, (BANK, CARD): 4},
            [goes(CARD, SLOT, BANK) + goes(CARD, BANK, AKIS)],
            ["1 × card from market 4 to Aki's hand"],
        ),
        # exchanged, face down
        (
            {(AKIS, CARD): 2, (BENS, CARD): 2},
            [goes(CARD, AKIS, BENS) + goes(CARD, BENS, AKIS)],
            ["1 × card from Aki's hand to Ben's hand", "1 × card from Ben's hand to Aki's hand"],
        ),
        # into a hand that holds others: its owner knows which one leaves it
        (
            {(SLOT, CARD): 1, (AKIS, CARD): 1},
            [goes(CARD, SLOT, AKIS), goes(CARD, AKIS, BANK) + turned(MAPS, UNSEEN, BANK)],
            ["1 × card from market 4 to Aki's hand", "1 × card (Maps) from Aki's hand to bank"],
        ),
        # into an empty hand, so that it can be no other
        (
            {(SLOT, CARD): 1},
            [goes(CARD, SLOT, AKIS), goes(CARD, AKIS, BANK)],
            ["1 × card from market 4 to bank"],
        ),
        # two of different places, and both to one
        (
            {(SLOT, CARD): 1, (BANK, CARD): 1},
            [goes(CARD, SLOT, AKIS), goes(CARD, BANK, AKIS), *2 * [goes(CARD, AKIS, BENS)]],
            ["1 × card from market 4 to Ben's hand", "1 × card from bank to Ben's hand"],
        ),
        # two of different places to two others: only their owner knows
        (
            {(SLOT, CARD): 1, (BANK, CARD): 1},
            [
                *[goes(CARD, SLOT, AKIS), goes(CARD, BANK, AKIS)],
                *[goes(CARD, AKIS, BENS), goes(CARD, AKIS, BAG), goes(CARD, BENS, AKIS)],
            ],
            [
                "1 × card from market 4 to Aki's hand",
                "1 × card from bank to Aki's hand",
                "1 × card from Aki's hand to bag 1",
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
        "1 × card from Ben's hand back to market 4",
        "1 × card from Aki's hand back to Ben's hand",
    ]


def test_as_many_cards_as_nobody_lays_one_by_one() -> None:
    """Of very many cards it makes no difference which is which."""
    lies = {(BANK, CARD): MOST}
    now = happened(lies, [(CARD, BANK, AKIS, MOST)], [(CARD, AKIS, BENS, 1)])
    assert told(now, table(lies)) == [f"{MOST - 1} × card from Aki's hand back to bank",
                                      "1 × card from Ben's hand back to bank"]  # fmt: skip


def test_cards_that_only_their_owner_may_count() -> None:
    """What comes to a covered place of a seat, or leaves it, isn't told, though a card went on from there."""
    now, then = (table({(BANK, CARD): 2}, {(BENS, CARD): 3}) for _ in range(2))
    bank, bens, akis = (then.account(place, CARD) for place in (BANK, BENS, AKIS))
    then.transfer(bank, bens, 2)
    then.draw_line()
    then.transfer(bens, akis, 1)
    then.draw_line()
    assert told(now, then) == []


def test_a_covered_face_is_never_told() -> None:
    """A card that lies face down has no name, though the companion knows it."""
    now = table({(SLOT, CARD): 1}, {(SLOT, BOOKS): 1})
    then = table({(SLOT, CARD): 1}, {(SLOT, BOOKS): 1})
    for piece in (CARD, BOOKS):
        then.transfer(then.account(SLOT, piece), then.account(AKIS, piece, covered=piece == BOOKS), 1)
    assert told(now, then) == ["1 × card from market 4 back to Aki's hand"]


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


def first_round(*names: str) -> Script:
    """Bidders!, four at the table; the first two cards are turned up."""
    script = Script(BIDDERS, "Aki", "Ben", "Chie", "Dai").says("table: Aki", "table: done")
    return script.says("table: turns card:W1", "table: turns card:B1", *names)


def cards(script: Script) -> list[str]:
    """What was said of cards and tiles."""
    return [move for move in script.moves if {"card", "tile"} & set(move.partition(" from ")[0].split())]


def test_whose_card_goes_back() -> None:
    """Two cards of the same back lie before two seats: each goes back to where it came from."""
    script = first_round("Aki: pass", "Ben: white", "Ben 1", "Chie: pass", "Dai: pass", "Aki: pass")
    script.says("Aki 0", "Chie 0", "table: turns card:W2", "table: turns card:B2")
    script.says("Ben: pass", "Chie: pass", "Dai: pass", "Aki: white", "Aki 1", "Ben: pass", "Chie: pass")
    script.says("Dai: pass", "Ben 0", "Dai 0")
    session = script.session
    script.moves = [render(move) for move in session.go_back(session.before(5), past_reveal=True)]
    assert cards(script) == [
        "1 × white card from Aki's front back to deck",
        "1 × white card (card W1) from Ben's front back to white project",
        "1 × black card (card B2) from box back to deck",
        "1 × black card (card B1) from box back to black project",
    ]


def test_a_card_goes_where_another_leaves() -> None:
    """The number of cards on the project stays the same, yet one comes to it and another leaves it."""
    script = first_round("Aki: white", "Aki 2", "Ben: pass", "Chie: pass", "Dai: pass", "Ben 1", "Dai 1")
    script.says("table: turns card:W2", "table: turns card:B2", "Ben: white", "Ben 1", "Chie: pass")
    script.says("Dai: pass", "Aki: pass", "Aki 0", "Chie 0", "table: turns card:W3")
    script.says("amend 5: Aki: pass, going back past a reveal")
    assert cards(script) == [
        "1 × white card (card W3) from white project to deck",
        "1 × white card from Ben's front to deck",
        "1 × white card (card W1) from Aki's left edge to white project",
        "1 × black card (card B2) from box to deck",
        "1 × black card (card B1) from box to black project",
    ]


def test_whose_tiles_are_drawn_and_discarded() -> None:
    """A tile lies face down, and still has a way of its own."""
    script = Script(OYAKATA, "Aki", "Ben").says("table: Aki", "Aki: places card:A1.1")
    script.says("Ben: places card:A2.1", "undo", "undo")
    assert cards(script.says("redo")) == [
        "1 × tile A from Aki's drawn tiles to Aki's tunnel",
        "1 × tile A from Aki's drawn tiles to discards",
        "2 × tile A from pile to Ben's drawn tiles",
    ]
    assert cards(script.says("redo")) == [
        "1 × tile A from Ben's drawn tiles to Ben's tunnel",
        "1 × tile A from Ben's drawn tiles to discards",
    ]


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
