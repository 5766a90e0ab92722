"""Everything on the table."""

import pytest

from companion.cards import shipped_deck
from companion.errors import IllegalAnswer
from companion.table.ledger import Piece, Place
from companion.table.seats import make_seats
from companion.table.table import BOX, Table
from companion.texts import say

CARD, HAND, BANK = Piece("card", say("card")), say("hand"), say("bank")


@pytest.fixture
def table() -> Table:
    """A table of two with Egypt's cards."""
    return Table(make_seats(["Aki", "Ben"]), {}, {"egypt": shipped_deck("egypt")}, lambda uid: None)


def test_accounts_are_opened_by_piece_and_place(table: Table) -> None:
    """One piece at one place is one account; each seat has its own."""
    aki, ben = table.seats
    hands = table.account_by_seat(CARD, HAND)
    assert hands[aki] is table.account(CARD, HAND, aki)
    assert hands[ben] is not hands[aki]
    assert table.account(CARD, HAND, slot=4) is not table.account(CARD, HAND)


def test_pieces_are_laid_and_moved(table: Table) -> None:
    """Moving none is nothing; clearing moves all."""
    bank, hand = (
        table.supply_from_box(table.account(CARD, BANK), 5),
        table.account(CARD, HAND, table.seats[0]),
    )
    table.move(bank, hand, 0)
    table.move(bank, hand)
    table.move_all(bank, hand)
    table.move_all(bank, hand)
    assert (bank.count, hand.count) == (0, 5)


def test_no_more_than_there_are_are_moved(table: Table) -> None:
    """It moves what is wanted or all there is; a bank that may owe gives as many as are wanted."""
    bank, hand = (
        table.supply_from_box(table.account(CARD, BANK), 5),
        table.account(CARD, HAND, table.seats[0]),
    )
    assert table.move_up_to(bank, hand, 3) == 3
    assert table.move_up_to(bank, hand, 3) == 2
    assert table.move_up_to(bank, hand, 3) == 0
    coin = Piece("coin", say("coin"), is_endless=True)
    owing, purse = table.account(coin, BANK), table.account(coin, HAND, table.seats[0])
    assert table.move_up_to(owing, purse, 3) == 3
    assert (owing.count, purse.count) == (-3, 3)


def test_a_piece_that_lies_nowhere_is_not_brought(table: Table) -> None:
    """The author is told what was forgotten, and of which piece."""
    starts = table.account_by_seat(Piece("start", say("start"), is_marker=True), HAND)
    with pytest.raises(LookupError, match=r"'start' lies nowhere: table\.supply_from_box it first"):
        table.move_single_piece(starts[table.seats[0]])


def test_the_only_piece_of_its_kind_is_brought_from_wherever_it_lies(table: Table) -> None:
    """Out of the box, from seat to seat, and nowhere where it lies there already."""
    aki, ben = table.seats
    start = Piece("start", say("start"), is_marker=True)
    starts = table.account_by_seat(start, HAND)
    table.supply_from_box(table.account(start, BOX))
    assert table.first_holder(starts) is None
    for seat in (ben, aki, aki):
        table.move_single_piece(starts[seat])
        assert table.first_holder(starts) is seat


def test_a_card_is_carried_with_its_face(table: Table) -> None:
    """It is seen from then on; where people moved a face and no card, nothing more is carried."""
    faces = table.track_faces("egypt")
    bank, hand = (
        table.supply_from_box(table.account(CARD, BANK), 2),
        table.account(CARD, HAND, table.seats[0]),
    )
    cards = [faces.parse_card({"card": name}) for name in faces.possibly_unseen_card_ids()[:3]]
    faces.move_cards_openly(cards[:1], bank, bank)
    assert (bank.count, faces.known_cards_at(bank.place)) == (2, cards[:1])
    faces.move_cards_openly(cards, bank, hand)
    assert (bank.count, hand.count) == (0, 2)
    assert faces.known_cards_at(hand.place) == cards[:2]


def test_people_move_by_hand(table: Table) -> None:
    """A correction moves at least one piece, to places that were never used too."""
    bank = table.supply_from_box(table.account(CARD, BANK), 5)
    table.account(Piece("coin", say("coin")), say("purse"), table.seats[0])
    purse = table.ledger.find_account_by_keys("Aki/purse", "card")
    table.move_by_hand(bank, purse, 2)
    assert table.ledger.find_account_by_keys("Aki/purse", "card").count == 2
    with pytest.raises(IllegalAnswer, match="Move at least 1"):
        table.move_by_hand(bank, purse, 0)


def test_what_happened_is_told(table: Table) -> None:
    """Sentences for everybody, in order."""
    table.add_note(say("one"))
    table.add_note(say("two"))
    assert [note.template for note in table.notes] == ["one", "two"]


def test_the_faces_of_a_deck_are_unseen(table: Table) -> None:
    """A game's cards begin unseen, with the values they were printed with."""
    assert len(table.track_faces("egypt", Place(BANK)).possibly_unseen_card_ids()) == 85


def test_covered_places_and_piles(table: Table) -> None:
    """A covered account is found again as one; a pile begins empty and keeps its order."""
    aki, _ = table.seats
    assert table.covered_account(CARD, HAND, aki).covered
    assert table.account(CARD, HAND, aki).covered
    stack = table.make_pile(say("stack"), aki)
    table.supply_from_box(table.account(CARD, say("stack"), aki), 2)
    assert table.ledger.piles == {stack: [CARD, CARD]}


def test_the_printed_values_are_there(table: Table) -> None:
    """A rulebook reads what is printed from the deck of its match."""
    assert table.find_deck("egypt") == shipped_deck("egypt")
