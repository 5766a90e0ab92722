"""Decks and cards."""

from typing import Any

import pytest

from companion.cards import UNSEEN, Card, Deck, Design, Faces, deck_of
from companion.errors import IllegalAnswer
from companion.ledger import Ledger, Piece, Place
from companion.words import say

BANK = Place(say("bank"))
TAGS = {"04a1": ("egypt", "6.1"), "04b2": ("high_bid", "12")}
SIX = {"values": {"number": 6}}
JUNK: tuple[object, ...] = (None, 6, "6.1", [], {}, {"card": 6}, {"card": "6.1", "values": {}})
NO_CARD = 'A card is {"card": id}, {"tag": uid} or {"values": {…}}.'


@pytest.fixture
def ledger() -> Ledger:
    """An empty table."""
    return Ledger()


@pytest.fixture
def faces(ledger: Ledger) -> Faces:
    """Egypt's cards, none of them seen, and two learnt tags, one of another game."""
    return Faces(deck_of("egypt"), ledger, TAGS.get, BANK)


def read(faces: Faces, *items: object) -> list[Card]:
    """The cards that these items mean."""
    return [faces.read(item) for item in items]


def test_a_deck_lists_every_card() -> None:
    """Copies of a design are numbered; an only copy goes by its design."""
    named = deck_of("egypt").named()
    assert len(named) == 85
    assert named["6.2"].values == {"number": 6}
    assert list(Deck("one", (Design("a", 1, {}),)).named()) == ["a"]


@pytest.mark.parametrize(
    ("item", "card"),
    [
        ({"card": "6.1"}, Card("6.1", "6", {"number": 6})),
        ({"tag": "04a1"}, Card("6.1", "6", {"number": 6})),
        (SIX, Card(None, "6", {"number": 6})),
        ({"values": {}}, Card(None, None, {})),
    ],
)
def test_a_card_is_named_or_described(faces: Faces, item: object, card: Card) -> None:
    """Picked, laid on a reader, or typed, as far as it was typed."""
    assert faces.read(item) == card


@pytest.mark.parametrize(
    ("item", "why"),
    [
        ({"card": "6.7"}, "There is no card 6.7 in this deck."),
        ({"tag": "ffff"}, "Tag ffff has not been learnt; pick or type the card."),
        ({"tag": "04b2"}, "Tag 04b2 is card 12 of another game, high_bid."),
        ({"values": {"number": 3}}, "No card of this deck shows number 3."),
        ({"values": {"number": 6.0}}, "No card of this deck shows number 6.0."),
        ({"values": {"colour": "red"}}, "No card of this deck shows colour red."),
        ({"values": {"number": [6]}}, "No card of this deck shows number [6]."),
        *((junk, NO_CARD) for junk in JUNK),
    ],
)
def test_what_is_no_card_is_refused(faces: Faces, item: object, why: str) -> None:
    """Unknown cards and tags, tags of other games and numbers nobody printed are refused with a reason."""
    with pytest.raises(IllegalAnswer) as refused:
        faces.read(item)
    assert str(refused.value) == why


def test_a_card_shows_its_values(faces: Faces) -> None:
    """A described card shows what was typed; of what was left open it shows nothing."""
    assert faces.read(SIX).shows({"number": 6})
    assert faces.read({"card": "6.1"}).shows({})
    assert not faces.read({"values": {}}).shows({"number": 6})


@pytest.mark.parametrize(
    ("items", "why"),
    [
        ([{"card": "6.1"}, {"tag": "04a1"}], "Card 6.1 is there twice."),
        ([SIX] * 7, "There can't be so many cards 6."),
        ([SIX] * 6 + [{"card": "6.1"}], "There can't be so many cards 6."),
    ],
)
def test_a_deck_holds_only_its_copies(faces: Faces, items: list[object], why: str) -> None:
    """What can't lie there together in any case is refused with what it is."""
    with pytest.raises(IllegalAnswer) as refused:
        faces.check(read(faces, *items))
    assert str(refused.value) == why


def test_what_was_shown_can_not_be_shown_again(faces: Faces) -> None:
    """A named card is shown once; typed ones count against the copies that are left."""
    faces.show(read(faces, {"card": "6.1"}, SIX, {"values": {}}))
    assert "6.1" not in faces.unseen()
    assert faces.left("6") == 4
    assert not faces.may_show(read(faces, {"card": "6.1"}))
    assert not faces.may_show(read(faces, {"card": "6.2"}, {"card": "6.2"}))
    assert not faces.may_show(read(faces, *[SIX] * 5))
    assert faces.may_show(read(faces, {"card": "6.2"}, *[SIX] * 3, *[{"values": {}}] * 80))


def test_a_card_that_was_read_is_there(faces: Faces) -> None:
    """Only typed cards can be too many: whatever was typed before, a card on the reader is believed."""
    faces.show(read(faces, *[SIX] * 6))
    assert faces.may_show(read(faces, {"card": "6.1"}))
    assert not faces.may_show(read(faces, SIX))


def test_a_new_deal_forgets_what_was_seen(faces: Faces, ledger: Ledger) -> None:
    """Gathered, all faces are unseen again, wherever they were, and nothing else has moved."""
    money: Any = ledger.supply(ledger.account(BANK, Piece("money", say("coin"))), 5)
    before = ledger.totals()
    faces.show(read(faces, {"card": "6.1"}, SIX))
    faces.gather()
    assert faces.left("6") == 6
    assert len(faces.unseen()) == 85
    assert money.count == 5
    assert ledger.totals() == before


def test_which_faces_were_seen_is_covered(faces: Faces, ledger: Ledger) -> None:
    """Faces are not to be shown, neither those still unseen nor those that lie face down."""
    faces.show(read(faces, {"card": "6.1"}))
    assert all(account.covered for account in ledger if account.place in {UNSEEN, BANK})
