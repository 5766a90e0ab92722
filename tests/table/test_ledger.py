"""Where every piece lies."""

import pytest

from companion.errors import IllegalAnswer, PrivateRefusal, UnknownName
from companion.table.ledger import Ledger, Piece, Place
from companion.table.seats import make_seats
from companion.texts import render, say, say_n

AKI, BEN = make_seats(["Aki", "Ben"])
CARD, MONEY = (
    Piece("card", say("card"), count_label=say_n("{n} card", "{n} cards", n=2)),
    Piece("money", say("coin"), is_endless=True, count_label=say_n("{n} coin", "{n} coins", n=2)),
)
POINT = Piece("point", say("point"), is_marker=True)
BANK, SLOT = Place(say("bank")), Place(say("market"), slot=4)
AKIS, BENS = Place(say("hand"), AKI), Place(say("hand"), BEN)


class Board:
    """Ten cards at the bank, three with Aki; a covered purse with seven coins."""

    def __init__(self) -> None:
        self.ledger = ledger = Ledger()
        self.bank = ledger.supply_from_box(ledger.open_account(BANK, CARD), 10)
        self.akis = ledger.supply_from_box(ledger.open_account(AKIS, CARD), 3)
        self.coins = ledger.open_account(BANK, MONEY)
        self.purse = ledger.supply_from_box(ledger.open_account(AKIS, MONEY, covered=True), 7)


@pytest.fixture
def board() -> Board:
    """A board."""
    return Board()


@pytest.mark.parametrize(
    ("place", "label", "key", "text"),
    [
        (BANK, "bank", "bank", "bank"),
        (SLOT, "market 4", "market/4", "market/4"),
        (AKIS, "Aki's hand", "@1/hand", "Aki/hand"),
        (Place(say("front"), AKI, 2), "Aki's front 2", "@1/front/2", "Aki/front/2"),
        (Place(say("bag"), None, 1, say("{seat}'s bag", seat=AKI)), "Aki's bag", "bag/1", "bag/1"),
    ],
)
def test_a_place_has_a_name(place: Place, label: str, key: str, text: str) -> None:
    """People read a label, type a text, and the log keeps the number of the seat."""
    assert (render(place), place.key, place.key_with_player_name) == (label, key, text)


def test_pieces_move(board: Board) -> None:
    """A transfer takes from one account what it gives to the other."""
    board.ledger.transfer(board.bank, board.akis, 4)
    assert (board.bank.count, board.akis.count) == (6, 7)
    assert board.ledger.total_by_piece_key() == {"card": 13, "money": 7}
    assert repr(board.akis) == "<Aki/hand: 7 card>"


@pytest.mark.parametrize(
    ("source", "target", "count", "why"),
    [
        ("akis", "bank", 0, "Move at least 1 piece, not 0."),
        ("akis", "bank", -1, "Move at least 1 piece, not -1."),
        ("akis", "akis", 1, "Nothing can move from Aki's hand to the same place. Choose two places."),
        ("akis", "coins", 1, "card can't become coin."),
        ("akis", "bank", 4, "Aki's hand has only 3 cards, not 4."),
        ("bank", "akis", 11, "bank has only 10 cards, not 11."),
        ("purse", "coins", 8, "These pieces can't come from Aki's hand."),
    ],
)
def test_what_is_not_there_can_not_move(board: Board, source: str, target: str, count: int, why: str) -> None:
    """A refused transfer says why, without the count of a covered account, and changes nothing."""
    before = [account.count for account in board.ledger]
    with pytest.raises(IllegalAnswer) as refused:
        board.ledger.transfer(getattr(board, source), getattr(board, target), count)
    assert str(refused.value) == why
    assert [account.count for account in board.ledger] == before


def test_an_endless_bank_may_owe(board: Board) -> None:
    """Where the box is not the limit the bank goes below zero, a seat never does; the sum stays."""
    board.ledger.transfer(board.coins, board.purse, 5)
    assert (board.coins.count, board.purse.count) == (-5, 12)
    with pytest.raises(IllegalAnswer):
        board.ledger.transfer(board.purse, board.coins, 13)


def test_an_account_is_found_by_its_name(board: Board) -> None:
    """By the text people type or the key of the log."""
    assert board.ledger.find_account_by_keys("Aki/hand", "card") is board.akis
    assert board.ledger.find_account_by_keys("@1/hand", "card") is board.akis


@pytest.mark.parametrize(
    ("place", "piece", "why"),
    [
        ("Ben/hand", "card", "There is no place called Ben/hand. Places: Aki/hand, bank."),
        ("bank", "gem", "There is no piece called gem. Pieces: card, money."),
    ],
)
def test_an_unknown_place_names_those_that_exist(board: Board, place: str, piece: str, why: str) -> None:
    """What doesn't exist is refused with what does."""
    with pytest.raises(UnknownName) as refused:
        board.ledger.find_account_by_keys(place, piece)
    assert str(refused.value) == why


def test_a_place_is_found_as_soon_as_it_is_opened(board: Board) -> None:
    """Also where another one was asked for before it was there."""
    assert board.ledger.find_account_by_keys("bank", "card") is board.bank
    with pytest.raises(UnknownName):
        board.ledger.find_account_by_keys("market/4", "card")
    opened = board.ledger.open_account(SLOT, CARD)
    assert board.ledger.find_account_by_keys("market/4", "card") is opened


def test_looking_opens_nothing(board: Board) -> None:
    """An account that was only looked for counts once it is kept; a rulebook may still open it covered."""
    board.ledger.open_account(BENS, CARD)
    found = board.ledger.find_account_by_keys("Ben/hand", "money")
    assert len(list(board.ledger)) == 5
    assert board.ledger.open_account(BENS, MONEY, covered=True).covered
    other = board.ledger.find_account_by_keys("Ben/hand", "money")
    assert other is not found
    board.ledger.register_account(other)
    assert board.ledger.find_account_by_keys("Ben/hand", "money") is other


def test_a_row_that_closes_up_is_counted_anew() -> None:
    """Each place has its number among those that still hold the piece; an empty one has that of the next."""
    ledger, market = Ledger(), say("market")
    card, chip = (
        Piece("card", say("card"), count_label=say_n("{n} card", "{n} cards", n=2)),
        Piece("chip", say("chip")),
    )
    places = [Place(market, slot=slot) for slot in (1, 2, 3)]
    for place in places:
        ledger.supply_from_box(ledger.open_account(place, card), 1)
    assert ledger.current_slot_by_place() == {}
    ledger.define_compact_row(market, card)
    assert ledger.current_slot_by_place() == {place: place for place in places}
    ledger.supply_from_box(ledger.open_account(places[1], chip), 1)
    ledger.transfer(ledger.open_account(places[1], card), ledger.open_account(Place(say("hand")), card), 1)
    assert [place.slot for place in ledger.current_slot_by_place().values()] == [1, 2, 2]


def test_what_a_covered_place_lacks_is_for_its_owner_s_ears(board: Board) -> None:
    """The refusal tells no number and isn't read aloud; of an open place everybody may hear it."""
    with pytest.raises(PrivateRefusal, match=r"^These pieces can't come from Aki's hand\.$"):
        board.ledger.transfer(board.purse, board.coins, 8)
    with pytest.raises(IllegalAnswer) as aloud:
        board.ledger.transfer(board.akis, board.bank, 4)
    assert not isinstance(aloud.value, PrivateRefusal)


def test_a_track_has_its_length(board: Board) -> None:
    """By hand no more is laid than there are places."""
    track = board.ledger.open_account(Place(say("track")), CARD, capacity=12)
    board.ledger.transfer(board.bank, track, 10)
    board.ledger.check_target_of_move_by_hand(track, 2)
    with pytest.raises(IllegalAnswer, match=r"^track has room for only 12 cards\.$"):
        board.ledger.check_target_of_move_by_hand(track, 3)


def test_a_row_is_counted_by_its_numbers() -> None:
    """Not in the order in which its places were first used."""
    ledger, market, card = (
        Ledger(),
        say("market"),
        Piece("card", say("card"), count_label=say_n("{n} card", "{n} cards", n=2)),
    )
    for slot in (3, 1, 2):
        ledger.supply_from_box(ledger.open_account(Place(market, slot=slot), card), 1)
    ledger.define_compact_row(market, card)
    assert {place.slot: now.slot for place, now in ledger.current_slot_by_place().items()} == {
        1: 1,
        2: 2,
        3: 3,
    }
