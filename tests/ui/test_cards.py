"""Cards without a reader, by touch: picked from the list of the deck, or typed as what is printed on them."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from companion.cards import parse_deck_file
from companion.requests import CardRate, PriceInCards, Read
from companion.session.session import find_no_card
from companion.session.view import make_view
from companion.table.faces import KnownCardTracker
from companion.table.ledger import Piece, Place
from companion.table.table import Table
from companion.texts import say
from tests.support.ui.screen_faults import find_faults
from tests.support.ui.screen_sizes import SIZES_AND_LONG_WORDS
from tests.ui.test_play import check_all

FIELDS = """
provisional = true
[fields.colour]
choices = ["white", "black"]
[fields.popularity]
least = -9
most = 9
[fields.start]
least = 1
most = 20
on = { colour = "black" }
[fields.value]
least = 100
most = 4000
step = 10
on = { colour = "black" }
"""
CARDS = "".join(
    f'[[card]]\nid = "W{n}"\ncolour = "white"\npopularity = {n}\n'
    f'[[card]]\nid = "B{n}"\ncolour = "black"\npopularity = -{n}\nstart = {n}\nvalue = 500\n'
    for n in range(1, 8)
)
KINDS = "".join(
    f'[[card]]\nid = "{name}"\nname = "{name}"\ncopies = 2\n' for name in ("mansion", "spy", "dung")
)
MANY = "".join(f'[[card]]\nid = "T{n}"\n' for n in range(1, 71))
FALLING = """
provisional = true
[fields.first]
least = 10
most = 90
step = 10
[fields.second]
least = 10
most = 90
step = 10
under = "first"
[fields.third]
least = 10
most = 90
step = 10
under = "second"
[[card]]
id = "A"
first = 30
second = 20
third = 10
"""
PRICES = "".join(f"[fields.{name}]\nleast = 1\nmost = 5\n" for name in ("red", "blue", "yellow", "white"))
PRICES += '[[card]]\nid = "A"\nred = 2\nblue = 3\nyellow = 1\nwhite = 5\n'
FRONT, HELD = say("front"), say("hand")


def cards_of(table: Table, text: str, *covered: Place) -> KnownCardTracker:
    """The faces of a deck of the test's own."""
    return KnownCardTracker(
        parse_deck_file("small", text, "small.toml").deck, table.ledger, find_no_card, *covered
    )


async def priced(table: Table) -> None:
    """One card with three prices that fall."""
    await Read(None, say("Turn up a card"), cards_of(table, FALLING, Place(HELD)), 1, 1)


async def prices(table: Table) -> None:
    """One card with four prices, each of five."""
    await Read(None, say("Turn up a card"), cards_of(table, PRICES, Place(HELD)), 1, 1)


def one_white(table: Table) -> Any:
    """One white card is turned up."""
    faces = cards_of(table, FIELDS + CARDS, Place(HELD))
    return Read(None, say("Turn up the white card"), faces, 1, 1, required_values={"colour": "white"})


async def white(table: Table) -> None:
    """One white card."""
    await one_white(table)


async def several(table: Table) -> None:
    """Two or three cards of any colour, or none."""
    faces = cards_of(table, FIELDS + CARDS, Place(HELD))
    await Read(table.seats[0], say("Lay down"), faces, 2, 3, decline=say("no cards"))


async def kinds(table: Table) -> None:
    """One of three kinds of which there are two each."""
    await Read(None, say("Play a card"), cards_of(table, KINDS, Place(HELD)), 1, 2)


async def kinds_elsewhere(table: Table) -> None:
    """A question about kinds of cards, while one of the spies lies before somebody."""
    faces = cards_of(table, KINDS, Place(HELD))
    faces.move_faces([faces.parse_card({"card": "spy.1"})], Place(FRONT, table.seats[1]))
    await Read(None, say("Play a card"), faces, 1, 2)


async def seventy(table: Table) -> None:
    """One of very many."""
    await Read(
        None, say("Turn up a tile"), cards_of(table, MANY, Place(HELD)), 1, 1, decline=say("none left")
    )


async def own_front(table: Table) -> None:
    """Some cards lie open in front of Aki, others covered in the hand; one of the open ones is barred."""
    aki = table.seats[0]
    front, hand = Place(FRONT, aki), Place(HELD, aki)
    faces = cards_of(table, FIELDS + CARDS, hand)
    read = [faces.parse_card({"card": name}) for name in ("W6", "B2", "W4")]
    faces.move_faces(read, front)
    faces.move_faces([faces.parse_card({"card": "W7"})])
    await Read(aki, say("Sell a card"), faces, 1, 1, places=(front, hand), barred_cards=(read[1],))


async def own_two(table: Table) -> None:
    """Two cards lie open in front of Aki, and Ben has a place for them, too."""
    aki, ben = table.seats[:2]
    faces = cards_of(table, FIELDS + CARDS, Place(HELD))
    faces.move_faces([faces.parse_card({"card": name}) for name in ("W6", "W4")], Place(FRONT, aki))
    faces.move_faces([faces.parse_card({"card": "B1"})], Place(FRONT, ben))
    await Read(aki, say("Sell cards"), faces, 2, 2, places=(Place(FRONT, aki),))


async def own_hidden(table: Table) -> None:
    """A card lies where nobody sees it, and isn't asked for there."""
    aki = table.seats[0]
    faces = cards_of(table, FIELDS + CARDS, Place(HELD, aki))
    faces.move_faces([faces.parse_card({"card": "W7"})])
    await Read(aki, say("Turn up a card"), faces, 1, 1)


async def two_lists(table: Table) -> None:
    """One white card is turned up, then another one."""
    faces = cards_of(table, FIELDS + CARDS)
    for text in (say("Turn up the white card"), say("Sell cards")):
        await Read(None, text, faces, 1, 1, required_values={"colour": "white"})


async def equal_front(table: Table) -> None:
    """Two spies lie open in front of Aki, each known by its id."""
    aki = table.seats[0]
    faces = cards_of(table, KINDS)
    faces.move_faces([faces.parse_card({"card": f"spy.{copy}"}) for copy in (1, 2)], Place(FRONT, aki))
    await Read(aki, say("Sell a card"), faces, 1, 1, places=(Place(FRONT, aki),))


def listed(table: Any) -> list[str]:
    """The cards on this page, in their order."""
    keys = reversed(table.app.stage.screen.question_widget.pager.grid.children)
    return [key.name.removeprefix("card ") for key in keys if hasattr(key, "name")]


async def test_one_card_takes_one_touch(open_small_game: Any) -> None:
    """Only the cards that show what they must are offered, each with what is printed on it."""
    table, game = await open_small_game(white)
    assert listed(table) == [f"W{n}" for n in range(1, 8)]
    assert "W3\npopularity 3" in table.texts()
    await table.tap("card W3")
    assert game.answers == [[{"card": "W3"}]]


async def test_of_equal_cards_one_is_offered(open_small_game: Any) -> None:
    """Nobody can tell which of them was touched: the answer says what it looks like, and binds to no copy."""
    table, game = await open_small_game(equal_front)
    assert listed(table) == ["spy", "mansion", "dung"]
    await table.tap("card spy")
    assert game.answers == [[{"values": {"name": "spy"}}]]


async def test_several_cards_are_picked_before_they_are_laid_down(open_small_game: Any) -> None:
    """A second touch puts a card back; too few or too many can't be laid down."""
    table, game = await open_small_game(several)
    await table.tap("card W1")
    assert table.find("lay").disabled
    await table.tap("card B1", "card W2", "card B2")
    assert table.find("lay").disabled
    await table.tap("card B1")
    assert [table.find(f"card {name}").chosen for name in ("W1", "B1", "W2", "B2")] == [
        True,
        False,
        True,
        True,
    ]
    await table.tap("take back", "lay")
    assert game.answers == [[{"card": "W1"}, {"card": "W2"}]]


async def test_who_has_no_cards_says_so(open_small_game: Any) -> None:
    """The words of the rulebook are a key."""
    table, game = await open_small_game(several)
    await table.tap("No cards")
    assert game.answers == [None]


async def test_a_kind_can_be_picked_twice(open_small_game: Any) -> None:
    """Where a deck has copies, people know the kind, not the copy."""
    table, game = await open_small_game(kinds)
    await table.tap("card spy", "card spy", "lay")
    assert game.answers == [[{"values": {"name": "spy"}}] * 2]


async def test_a_copy_that_lies_elsewhere_is_none_to_pick(open_small_game: Any) -> None:
    """Where only one of a kind can come, a second touch puts it back."""
    table, game = await open_small_game(kinds_elsewhere)
    await table.tap("card spy", "card spy", "card dung", "lay")
    assert game.answers == [[{"values": {"name": "dung"}}]]


async def test_seventy_cards_are_on_pages(open_small_game: Any) -> None:
    """Every card is on exactly one of them."""
    table, _ = await open_small_game(seventy)
    found = listed(table)
    while not table.find("page on").disabled:
        await table.tap("page on")
        found += listed(table)
    assert found == [f"T{n}" for n in range(1, 71)]


async def test_cards_that_are_known_to_lie_there_come_first(open_small_game: Any) -> None:
    """Open ones only: the order tells nothing about the hand; a card that is barred isn't offered."""
    table, _ = await open_small_game(own_front)
    assert listed(table)[:4] == ["W4", "W6", "W1", "B1"]
    assert "B2" not in listed(table)


@pytest.mark.parametrize(("game", "card", "is_offered"), [(own_two, "B1", False), (own_hidden, "W7", True)])
async def test_cards_that_all_know_to_lie_elsewhere_are_not_offered(
    open_small_game: Any, game: Any, card: str, is_offered: bool
) -> None:
    """They would be refused; a covered card is offered all the same, for the list must not tell of it."""
    table, _ = await open_small_game(game)
    assert (card in table.app.stage.screen.question_widget.keys) == is_offered


async def test_a_card_that_is_moved_by_hand_is_another_offer(open_small_game: Any) -> None:
    """The list follows, in both languages, and what was picked of the rest stays picked."""
    table, game = await open_small_game(own_two)
    assert listed(table)[:2] == ["W4", "W6"]
    await table.tap("card W6", "card W1")
    game.session.correct("Aki/front", "Ben/front", "card W4", 1, "forgotten")
    game.show()
    await table.wait_frames()
    assert listed(table)[0] == "W6"
    table.app.lang = "ja"
    await table.wait_frames()
    await table.tap("lay")
    assert game.session.steps[-1].answer == [{"card": "W6"}, {"card": "W1"}]


async def test_a_list_that_is_gone_is_not_translated(open_small_game: Any) -> None:
    """What it asked about has changed, and nobody reads it."""
    table, _ = await open_small_game(two_lists)
    gone = table.app.stage.screen.question_widget
    await table.tap("card W1")
    assert table.app.stage.screen.question_widget is not gone
    table.app.lang = "ja"
    await table.wait_frames()
    assert gone.type_key.text == "Type it"
    assert table.app.stage.screen.question_widget.type_key.text != "Type it"


async def test_a_list_finds_its_shape_at_any_size(open_small_game: Any, monkeypatch: Any) -> None:
    """Also in a language with a long word for "Type it", whose key has a text if the list has no pages."""
    deck = "[fields.size]\nleast = 1\nmost = 13\n" + "".join(
        f'[[card]]\nid = "{n}"\nname = "card {n}"\nsize = {n}\n' for n in range(1, 14)
    )

    async def rules(table: Table) -> None:
        await Read(table.seats[0], say("Lay down"), cards_of(table, deck, Place(HELD)), 0, 13)

    from ui import theme

    table, game = await open_small_game(rules)
    words, long_words = table.app.words, {"Type it": "Hineinschreiben"}
    translate = words.translate_text
    monkeypatch.setattr(
        words, "translate_text", lambda lang, text, **v: long_words.get(text) or translate(lang, text, **v)
    )
    widget = game.play_screen.question_widget
    widget.update_texts()
    for width, height in product(range(320, 420, 20), range(320, 400, 16)):
        widget.size = (width, height)
        widget.type_key.dispatch("on_release")
        widget.open_form.dispatch("on_cancel")
        list_height = height - widget.pager.rows * (theme.length.target + widget.spacing)
        assert widget._foot.height <= list_height + widget.spacing


async def test_what_is_printed_can_be_typed(open_small_game: Any) -> None:
    """A dial for each field that is open yet; the card need not be in the list."""
    table, game = await open_small_game(white)
    await table.tap("describe", "more popularity", "more popularity", "described")
    assert game.answers == [[{"values": {"colour": "white", "popularity": 2}}]]


async def test_a_number_that_stands_under_another_takes_it_along(open_small_game: Any) -> None:
    """The higher price rises with the lower one and the lower one falls with it, typed or stepped."""
    table, game = await open_small_game(priced)
    await table.tap("describe", "more second", "more third", "more third", "less first", "described")
    assert game.answers == [[{"values": {"first": 20, "second": 20, "third": 20}}]]


async def test_a_typed_number_takes_others_along(open_small_game: Any) -> None:
    """The pad does as the keys do."""
    table, game = await open_small_game(priced)
    await table.tap(
        "describe", "type third", "9", "0", "confirm", "type second", "6", "0", "confirm", "described"
    )
    assert game.answers == [[{"values": {"first": 90, "second": 60, "third": 60}}]]


@pytest.mark.parametrize("plan", ["landscape", "flat"])
async def test_small_numbers_are_one_touch_each_or_dials_where_they_have_no_room(
    open_small_game: Any, plan: str
) -> None:
    """A panel that lies flat has none for four rows of five keys; the dials are on pages there."""
    table, game = await open_small_game(prices, players=4)
    game.play_screen.layout_name = plan
    await table.wait_frames(4)
    await table.tap("describe")
    await table.wait_frames(4)
    assert not find_faults(table, (800, 480))
    if plan == "landscape":
        await table.tap("red 2", "blue 3", "yellow 1", "white 5")
    else:
        await table.tap("more red")
        for name, price in (("blue", 3), ("yellow", 1), ("white", 5)):
            while not any(getattr(one, "name", "") == f"type {name}" for one in table.widgets()):
                await table.tap("page on")
            await table.tap(*[f"more {name}"] * (price - 1))
        await table.tap("described")
    assert game.answers == [[{"values": {"red": 2, "blue": 3, "yellow": 1, "white": 5}}]]


async def test_what_is_asked_follows_from_what_was_chosen(open_small_game: Any) -> None:
    """Only a black card has a start; a large number is typed, and giving up takes no card."""
    table, game = await open_small_game(several)
    await table.tap("describe")
    assert "start" not in table.texts()
    await table.tap("cancel", "describe", "more colour", "less popularity", "page on", "more start")
    await table.tap("type value", "3", "0", "0", "confirm", "described", "card W1", "lay")
    typed = {"colour": "black", "popularity": -1, "start": 2, "value": 300}
    assert game.answers == [[{"values": typed}, {"card": "W1"}]]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LONG_WORDS)
@pytest.mark.parametrize("rules", [several, seventy])
async def test_lists_and_dials_fit_on_the_play_screen(
    open_small_game: Any, size: tuple[int, int], lang: str, rules: Any
) -> None:
    """Beside five seats, every key large enough, nothing cut."""
    table, game = await open_small_game(rules, size, lang, players=5)
    check_all(table, size)
    if game.play_screen.question_widget.type_key.parent is not None:
        await table.tap("describe")
        check_all(table, size)


async def test_what_can_not_be_paid_any_more_can_be_declined_at_once(open_small_game: Any) -> None:
    """Cards that people take away by hand while a payment is open count at once."""
    held: list[Any] = []

    async def rules(table: Table) -> None:
        back = Piece("card", say("card"))
        hands = table.account_by_seat(back, say("hand"))
        held.append(table.supply_from_box(hands[table.seats[0]], 5))
        table.supply_from_box(hands[table.seats[1]], 0)
        worth = PriceInCards(3, (CardRate(say("cards"), 1),))
        faces = table.track_faces("small")
        question = say("What do you pay?")
        await Read(table.seats[0], question, faces, 0, held[0], worth, decline=say("can't pay"))

    table, game = await open_small_game(rules)
    assert game.play_screen.question_widget.decline_key.disabled
    game.session.correct("Aki/hand", "Ben/hand", "card", 3, "miscounted")
    game.play_screen.view = make_view(game.session)
    await table.wait_frames()
    assert not game.play_screen.question_widget.decline_key.disabled
    await table.tap("cant")
    await table.wait_frames()
    assert game.session.rulebook_run.answered_questions[-1].answer is None


async def test_keys_of_printed_values_are_read_in_another_language(open_small_game: Any) -> None:
    """Whoever changes the language while a long list is shown reads how many cards each value has."""
    deck = FIELDS + "".join(
        f'[[card]]\nid = "{colour}{n}"\ncolour = "{colour}"\npopularity = {n}\n{rest}'
        for colour, rest in (("white", ""), ("black", "start = 1\nvalue = 500\n"))
        for n in range(9)
    )

    async def rules(table: Table) -> None:
        await Read(table.seats[0], say("Lay down"), cards_of(table, deck, Place(HELD)), 2, 3)

    table, _ = await open_small_game(rules)
    key = table.find("narrow colour white")
    assert key.detail_text == table.app.trn("{n} card", "{n} cards", 9) == "9 cards"
    table.app.lang = "ja"
    assert key.detail_text == table.app.trn("{n} card", "{n} cards", 9) != "9 cards"
