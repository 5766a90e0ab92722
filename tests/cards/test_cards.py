"""Decks and cards."""

from random import Random
from typing import Any

import msgspec
import pytest

from companion.cards import ANY_CARD, Card, CardDesign, CardField, Deck, shipped_deck
from companion.errors import IllegalAnswer
from companion.table.faces import KnownCardTracker
from companion.table.indistinguishable import UNSEEN_PLACE
from companion.table.ledger import Ledger, Piece, Place
from companion.texts import render, say

BANK = Place(say("bank"))
TAGS = {"04a1": ("egypt", "6.1"), "04b2": ("high_bid", "12")}
SIX = {"values": {"number": 6}}
JUNK: tuple[object, ...] = (None, 6, "6.1", [], {}, {"card": 6}, {"card": "6.1", "values": {}})
NO_CARD = 'Write a card as {"card": id}, {"tag": uid} or {"values": {…}}.'


@pytest.fixture
def ledger() -> Ledger:
    """An empty table."""
    return Ledger()


@pytest.fixture
def faces(ledger: Ledger) -> KnownCardTracker:
    """Egypt's cards, none of them seen, and two learnt tags, one of another game."""
    return KnownCardTracker(shipped_deck("egypt"), ledger, TAGS.get, BANK)


def read(faces: KnownCardTracker, *items: object) -> list[Card]:
    """The cards that these items mean."""
    return [faces.parse_card(item) for item in items]


def test_a_deck_lists_every_card() -> None:
    """Copies of a design are numbered; an only copy goes by its design."""
    named = shipped_deck("egypt").cards
    assert len(named) == 85
    assert named["6.2"].values == {"number": 6}
    assert list(Deck("one", (CardDesign("a", 1, {}),)).cards) == ["a"]


def test_a_card_can_be_a_part_of_any_text() -> None:
    """Equal cards make equal texts, which a keypad's line and a log know again; other cards make others."""
    six, same = (Card("6.1", "6", {"number": 6}) for _ in range(2))
    sold = {say("Sell {card}", card=card): card.key for card in (six, same, ANY_CARD)}
    assert len(sold) == 2
    assert say("Sell {card}", card=six).key == "Sell 6.1"


@pytest.mark.parametrize(
    ("item", "card"),
    [
        ({"card": "6.1"}, Card("6.1", "6", {"number": 6})),
        ({"tag": "04a1"}, Card("6.1", "6", {"number": 6})),
        (SIX, Card(None, "6", {"number": 6})),
        ({"values": {}}, Card(None, None, {})),
    ],
)
def test_a_card_is_named_or_described(faces: KnownCardTracker, item: object, card: Card) -> None:
    """Picked, laid on a reader, or typed, as far as it was typed."""
    assert faces.parse_card(item) == card


@pytest.mark.parametrize(
    ("item", "why"),
    [
        ({"card": "6.7"}, "There is no card 6.7 in this deck."),
        ({"tag": "ffff"}, "Tag ffff doesn't belong to a card yet. Pick or type the card."),
        ({"tag": "04b2"}, "Tag 04b2 belongs to card 12 of another game: high_bid."),
        ({"values": {"number": 3}}, "No card in this deck shows number 3."),
        ({"values": {"number": 6.0}}, "No card in this deck shows number 6.0."),
        ({"values": {"colour": "red"}}, "No card in this deck shows colour red."),
        ({"values": {"number": [6]}}, "No card in this deck shows number [6]."),
        *((junk, NO_CARD) for junk in JUNK),
    ],
)
def test_what_is_no_card_is_refused(faces: KnownCardTracker, item: object, why: str) -> None:
    """Unknown cards and tags, tags of other games and numbers nobody printed are refused with a reason."""
    with pytest.raises(IllegalAnswer) as refused:
        faces.parse_card(item)
    assert str(refused.value) == why


def test_a_card_shows_its_values(faces: KnownCardTracker) -> None:
    """A described card shows what was typed; of what was left open it shows nothing."""
    assert faces.parse_card(SIX).has_printed_values({"number": 6})
    assert faces.parse_card({"card": "6.1"}).has_printed_values({})
    assert not faces.parse_card({"values": {}}).has_printed_values({"number": 6})


@pytest.mark.parametrize(
    ("items", "why"),
    [
        ([{"card": "6.1"}, {"tag": "04a1"}], "Card 6.1 is listed twice. Remove one of the two entries."),
        ([SIX] * 7, "card 6: the deck has only 6, not 7."),
        ([SIX] * 6 + [{"card": "6.1"}], "card 6: the deck has only 6, not 7."),
    ],
)
def test_a_deck_holds_only_its_copies(faces: KnownCardTracker, items: list[object], why: str) -> None:
    """What can't lie there together in any case is refused with what it is."""
    with pytest.raises(IllegalAnswer) as refused:
        faces.check_enough_copies(read(faces, *items))
    assert str(refused.value) == why


def test_what_was_shown_can_not_be_shown_again(faces: KnownCardTracker) -> None:
    """A named card is shown once; typed ones count against the copies that are left."""
    faces.move_faces(read(faces, {"card": "6.1"}, SIX, {"values": {}}))
    assert "6.1" not in faces.possibly_unseen_card_ids()
    assert faces.max_unseen_count("6") == 4
    assert not faces.can_come_from(read(faces, {"card": "6.1"}))
    assert not faces.can_come_from(read(faces, {"card": "6.2"}, {"card": "6.2"}))
    assert not faces.can_come_from(read(faces, *[SIX] * 5))
    assert faces.can_come_from(read(faces, {"card": "6.2"}, *[SIX] * 3, *[{"values": {}}] * 80))


def test_a_card_that_was_read_is_there(faces: KnownCardTracker) -> None:
    """Where that is asked for, only typed cards can be too many: a card on the reader is believed."""
    faces.move_faces(read(faces, *[SIX] * 6))
    assert faces.can_come_from(read(faces, {"card": "6.1"}), trust_readers=True)
    assert not faces.can_come_from(read(faces, {"card": "6.1"}))
    assert not faces.can_come_from(read(faces, SIX), trust_readers=True)


def test_a_new_deal_forgets_what_was_seen(faces: KnownCardTracker, ledger: Ledger) -> None:
    """Gathered, all faces are unseen again, wherever they were, and nothing else has moved."""
    money: Any = ledger.supply_from_box(ledger.open_account(BANK, Piece("money", say("coin"))), 5)
    before = ledger.total_by_piece_key()
    faces.move_faces(read(faces, {"card": "6.1"}, SIX))
    faces.mark_all_unseen()
    assert faces.max_unseen_count("6") == 6
    assert len(faces.possibly_unseen_card_ids()) == 85
    assert money.count == 5
    assert ledger.total_by_piece_key() == before


def test_which_faces_were_seen_is_covered(faces: KnownCardTracker, ledger: Ledger) -> None:
    """Faces are not to be shown, neither those still unseen nor those that lie face down."""
    faces.move_faces(read(faces, {"card": "6.1"}))
    assert all(account.covered for account in ledger if account.place in {UNSEEN_PLACE, BANK})


# Decks that say what may be printed

FRONT, BOX, MARKET = Place(say("front")), Place(say("box")), Place(say("market"))
ONE_OF_TWO = (
    "a card with colour white, popularity 3: only 1 of the 2 copies can be here, not 2. The "
    "other copies are at other places: front."
)
NONE_SUCH = "No card in this deck shows colour black, popularity 3, start 9."
WHITE = {"colour": "white"}
TOWN = Deck(
    "town",
    (
        CardDesign("W1", 1, {"name": "a {bridge}", "colour": "white", "popularity": 3}),
        CardDesign("W2", 1, {"colour": "white", "popularity": 3}),
        CardDesign("B1", 3, {"colour": "black", "popularity": -1, "start": 9}),
    ),
    fields={
        "colour": CardField(choices=("white", "black")),
        "popularity": CardField(-9, 9),
        "start": CardField(1, 20, on={"colour": "black"}),
    },
    provisional=True,
)
ENTERED = msgspec.structs.replace(TOWN, provisional=False)
BLACK = {"values": {"colour": "black", "popularity": -1, "start": 9}}
ODD = {"values": {"colour": "white", "popularity": 7}}


@pytest.fixture
def town(ledger: Ledger) -> KnownCardTracker:
    """Two white and three black cards, a guess, that may lie open, or covered in the box."""
    return KnownCardTracker(TOWN, ledger, {"04c3": ("town", "B1.2")}.get, BOX)


@pytest.fixture
def entered(ledger: Ledger) -> KnownCardTracker:
    """Faces of the deck as its owner entered it."""
    return KnownCardTracker(ENTERED, ledger, TAGS.get, BOX)


@pytest.mark.parametrize(
    ("values", "card"),
    [
        (TOWN.designs[2].values, Card(None, "B1", TOWN.designs[2].values)),
        ({"popularity": 3}, Card(None, None, {"colour": "white", "popularity": 3})),
        ({"popularity": 7}, Card(None, None, {"colour": "white", "popularity": 7})),
    ],
)
def test_a_description_may_be_of_a_card_that_is_not_listed(
    town: KnownCardTracker, values: dict[str, Any], card: Card
) -> None:
    """One that fits a single design is that design; it must be complete, with what is asked for.

    As long as the list is a guess it needn't fit any.
    """
    assert town.parse_card({"values": values}, {} if "colour" in values else WHITE) == card


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"popularity": 10}, "popularity must be a number from -9 to 9, not 10."),
        ({"popularity": True}, "popularity must be a number from -9 to 9, not True."),
        ({}, "popularity is missing. Allowed: a number from -9 to 9."),
        (
            {"popularity": 4, "start": 3},
            "This kind of card has no value called start. Choose from: colour, popularity.",
        ),
        (
            {"colour": "white", "populrity": 4},
            "This kind of card has no value called populrity. Choose from: popularity, colour.",
        ),
        ({"colour": "black", "popularity": -1}, "start is missing. Allowed: a number from 1 to 20."),
        ({"colour": "red", "popularity": 4}, "colour must be one of white, black, not red."),
    ],
)
def test_a_description_that_can_not_be_is_refused(
    town: KnownCardTracker, values: dict[str, Any], why: str
) -> None:
    """The sentence names the field and what may stand there; of fields the nearest comes first."""
    with pytest.raises(IllegalAnswer) as refused:
        town.parse_card({"values": values}, WHITE)
    assert str(refused.value) == why


def test_what_decides_the_fields_of_a_card_is_asked_for_first(town: KnownCardTracker) -> None:
    """Some cards have a start: nobody hears that this one has none before its colour is said."""
    with pytest.raises(IllegalAnswer, match=r"colour is missing\. Allowed: one of white, black"):
        town.parse_card({"values": {"start": 3, "popularity": -1}}, {})


def test_cards_have_names(town: KnownCardTracker) -> None:
    """A name if the deck gives one, else the id, else what is known of the card."""
    cards = read(town, {"card": "W1"}, {"card": "B1.2"}, BLACK, ODD)
    labels = ["a {bridge}", "card B1.2", "card B1", "a card with colour white, popularity 7"]
    assert [render(card) for card in cards] == labels
    assert [card.key for card in cards] == ["W1", "B1.2", "B1", "colour white, popularity 7"]
    assert (render(ANY_CARD), ANY_CARD.key) == ("another card", "")


def test_a_described_card_is_read_in_the_readers_language(town: KnownCardTracker) -> None:
    """The fields and choices of its file are words like any other."""
    (card,) = read(town, ODD)
    assert render(card, "ja") == "色 白、好感度 7のカード"


def test_an_open_face_is_called_as_its_card(town: KnownCardTracker, ledger: Ledger) -> None:
    """Whether it was read, typed, or isn't even listed."""
    town.move_faces(read(town, {"card": "W1"}, BLACK, ODD), FRONT)
    labels = [render(account.piece, "ja") for account in ledger if account.place == FRONT and account.count]
    assert labels == ["a {bridge}", "カードB1", "色 白、好感度 7のカード"]


def test_open_faces_lie_where_they_were_put(town: KnownCardTracker, ledger: Ledger) -> None:
    """Faces go to any place and on from there, also of cards that aren't listed; nothing is made or lost."""
    before, cards = ledger.total_by_piece_key(), read(town, {"card": "W1"}, BLACK, BLACK, ODD)
    town.move_faces(cards, FRONT)
    assert town.known_cards_at(FRONT) == cards
    assert not any(account.covered for account in ledger if account.place == FRONT)
    town.move_faces(read(town, {"tag": "04c3"}), FRONT)
    town.move_faces(read(town, BLACK, ODD), source_places=[FRONT])
    assert town.known_cards_at(BOX) == [cards[1], cards[3]]
    assert len(town.known_cards_at(FRONT)) == 3
    town.move_faces(cards[:1], FRONT, source_places=[FRONT])
    assert ledger.total_by_piece_key() == before
    town.mark_all_unseen()
    assert not town.known_cards_at(FRONT)


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ({"popularity": 7}, "No card in this deck shows popularity 7."),
        ({"colour": "black", "popularity": 3, "start": 9}, NONE_SUCH),
        ({"popularity": 3, "name": "mill"}, "No card in this deck shows name mill."),
    ],
)
def test_a_description_fits_a_card_of_an_entered_list(
    entered: KnownCardTracker, values: dict[str, Any], why: str
) -> None:
    """What no card shows is refused by the value that is wrong, or by all of them."""
    with pytest.raises(IllegalAnswer) as refused:
        entered.parse_card({"values": values}, {} if "colour" in values else WHITE)
    assert str(refused.value) == why


def test_which_cards_may_come(entered: KnownCardTracker) -> None:
    """Unseen ones and those at the places named; a typed one is one that lies there, if any does."""
    bridge, black, white = read(entered, {"card": "W1"}, BLACK, {"values": {**WHITE, "popularity": 3}})
    entered.move_faces([bridge, black], FRONT)
    assert not entered.can_come_from([bridge])
    assert entered.can_come_from([bridge, black, black, black], [FRONT])
    assert not entered.can_come_from([black] * 4, [FRONT])
    assert entered.cards_seen_for_first_time([bridge, black, black], [FRONT]) == [black]
    assert entered.cards_seen_for_first_time([white, white], [FRONT]) == [white]
    assert entered.cards_seen_for_first_time([black]) == [black]


def test_why_cards_can_not_come(entered: KnownCardTracker) -> None:
    """Which card, and where it or all like it are known to be; nothing of what lies covered."""
    bridge, other, black = read(entered, {"card": "W1"}, {"card": "W2"}, BLACK)
    white = entered.parse_card({"values": {**WHITE, "popularity": 3}})
    entered.move_faces([bridge, black], FRONT)
    texts = [
        entered.why_cannot_come_from(cards)
        for cards in ([bridge], [other], [white], [white, white], [black] * 3)
    ]
    assert [text and render(text) for text in texts] == [
        "a {bridge} is already at another place: front.",
        None,
        None,
        ONE_OF_TWO,
        "card B1: only 2 of the 3 copies can be here, not 3. The other copies are at other places: front.",
    ]
    entered.move_faces([other, black])
    assert entered.why_cannot_come_from([white]) is None
    assert not entered.can_come_from([white])
    entered.move_faces([other, black, black], MARKET)
    assert [render(entered.why_cannot_come_from([card]) or "") for card in (white, black)] == [
        "a card with colour white, popularity 3: all 2 copies are already at other places: front, market.",
        "card B1: all 3 copies are already at other places: front, market.",
    ]


def test_a_copy_is_called_by_its_number(faces: KnownCardTracker) -> None:
    """One of several with a name goes by both; others by their ids as ever."""
    books = Card("books.2", "books", {"name": "Books"})
    assert render(books.copy_label) == "Books 2"
    assert render(read(faces, {"card": "6.1"})[0].copy_label) == "card 6.1"
    assert books.without_id == Card(None, "books", {"name": "Books"})


@pytest.mark.parametrize(
    ("provisional", "values", "taken"),
    [(True, {"size": 2}, 3), (True, {"size": 3, "name": "mill"}, 1), (False, {"size": 2}, 1)],
)
def test_a_guessed_list_does_not_limit_what_is_typed(
    ledger: Ledger, *, provisional: bool, values: dict[str, Any], taken: int
) -> None:
    """As long as the list is a guess, more cards than it has may show the same values; a name is no guess."""
    designs = (CardDesign("a", 1, {"size": 2}), CardDesign("b", 1, {"size": 3, "name": "mill"}))
    deck = Deck("town", designs, fields={"size": CardField(1, 3)}, provisional=provisional)
    faces = KnownCardTracker(deck, ledger, TAGS.get, BANK)
    card = faces.parse_card({"values": values})
    for _ in range(taken):
        assert faces.can_come_from([card])
        faces.move_faces([card])
    assert faces.can_come_from([card]) == (provisional and "name" not in values)


def test_an_any_card_moves_nothing(faces: KnownCardTracker, ledger: Ledger) -> None:
    """Of a card of which nothing is known no face can be moved."""
    before = [account.count for account in ledger]
    faces.move_faces(read(faces, {"values": {}}))
    assert [account.count for account in ledger] == before


def test_a_number_may_go_in_steps() -> None:
    """A field with a step takes only every so many numbers, and says so."""
    price = CardField(10, 60, step=10)
    assert [number for number in range(75) if price.allows(number)] == [10, 20, 30, 40, 50, 60]
    assert {price.random_allowed_value(Random(seed)) for seed in range(60)} == {10, 20, 30, 40, 50, 60}
    assert render(price.allowed_text) == "a number from 10 to 60 in steps of 10"


def test_what_is_not_typed_may_have_a_default(ledger: Ledger) -> None:
    """A field with a default stands there as printed where nothing is typed for it."""
    fields = {"soil": CardField(0, 9), "gems": CardField(0, 9, default=0)}
    designs = (CardDesign("a", 1, {"soil": 2, "gems": 0}), CardDesign("b", 1, {"soil": 2, "gems": 1}))
    faces = KnownCardTracker(Deck("mine", designs, fields=fields, provisional=True), ledger, TAGS.get)
    assert faces.parse_card({"values": {"soil": 2}}).design == "a"
    assert faces.parse_card({"values": {"soil": 3}}) == Card(None, None, {"gems": 0, "soil": 3})
    assert faces.parse_card({"values": {"soil": 2, "gems": 1}}).design == "b"


PRICES = Deck("shop", (CardDesign("a", 1, {"first": 40, "second": 20}),), fields={
    "first": CardField(10, 60, step=10), "second": CardField(10, 60, step=10, under="first"),
    "colour": CardField(choices=("white", "black"), on={"first": 60}),
}, provisional=True)  # fmt: skip  # a deck as a table


def test_a_number_may_stand_under_another(ledger: Ledger) -> None:
    """Equal is allowed, above is refused with the other field and its number; samples obey."""
    shop = KnownCardTracker(PRICES, ledger, TAGS.get)
    assert shop.parse_card({"values": {"second": 40, "first": 40}}).values == {"second": 40, "first": 40}
    for values in ({"first": 40, "second": 50}, {"second": 50, "first": 40}):
        with pytest.raises(IllegalAnswer) as refused:
            shop.parse_card({"values": values})
        assert str(refused.value) == "second can't be higher than first: at most 40, not 50."
    samples = [PRICES.sample_values({}, Random(seed)) or {} for seed in range(50)]
    for sampled in samples:
        PRICES.check_values(sampled)
    assert any(sampled["second"] == sampled["first"] for sampled in samples)


def test_a_half_more_is_above_too() -> None:
    """7½ is higher than 7, also where halves are printed."""
    fields = {"size": CardField(0, 9), "worth": CardField(0, 9, step=0.5, under="size")}
    pots = Deck("pots", (CardDesign("a", 1, {"size": 7, "worth": 6.5}),), fields=fields, provisional=True)
    pots.check_values({"size": 7, "worth": 6.5})
    with pytest.raises(IllegalAnswer) as refused:
        pots.check_values({"size": 7, "worth": 7.5})
    assert str(refused.value) == "worth can't be higher than size: at most 7, not 7.5."
