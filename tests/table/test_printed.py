"""The file of a deck: what may stand in it, and the sentence for what may not."""

from random import Random
from textwrap import dedent

import pytest

from companion.cards import (
    CardDesign,
    CardField,
    Deck,
    DeckFile,
    parse_deck_file,
    shipped_deck,
    shipped_deck_file,
)
from companion.errors import UserError

FILE = """
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
[board]
hire = [3, 4]
[bounds.hire]
least = 1
most = 9
[[card]]
id = "W1"
name = "a bridge"
colour = "white"
popularity = 3
[[card]]
id = "B1"
copies = 2
colour = "black"
popularity = -1
start = 9
"""


def deck_file(*changes: tuple[str, str]) -> str:
    """The file, with these texts in place of others."""
    text = FILE
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return text


@pytest.fixture
def town() -> DeckFile:
    """The deck of the file."""
    return parse_deck_file("town", FILE, "town.toml")


def test_a_file_becomes_a_deck(town: DeckFile) -> None:
    """Designs with their values, the board's rows, what may be printed, and whether that is a guess."""
    deck = town.deck
    assert deck.designs == (
        CardDesign("W1", 1, {"name": "a bridge", "colour": "white", "popularity": 3}),
        CardDesign("B1", 2, {"colour": "black", "popularity": -1, "start": 9}),
    )
    assert deck.board == {"hire": (3, 4)}
    assert deck.fields["start"] == CardField(1, 20, on={"colour": "black"})
    assert deck.provisional
    assert list(deck.cards) == ["W1", "B1.1", "B1.2"]


KEYS = "id, provisional, fields, face, board, bounds, card"
PRIVISIONAL = f"unknown key privisional; known keys: {KEYS}."
NO_VALUE = "this is not valid TOML: line 2, column 14: a value can't be read; put texts in quotation marks."
NO_CHOICES = "fields.colour.choices: 4 isn't allowed here."
NO_START = "card W1: This kind of card has no value called start. Choose from: colour, popularity."


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("provisional = true", "provisional =", NO_VALUE),
        ("provisional = true", 'provisional = "yes"', "provisional must be true or false."),
        ("provisional", "privisional", PRIVISIONAL),
        ('choices = ["white", "black"]', "choices = 4", NO_CHOICES),
        ('colour = "black" }', "colour = 1.5 }", "field start: colour must be one of white, black, not 1.5."),
        (
            "provisional = true",
            "face = [{ signs = { name = 3 } }]",
            "face[1].signs.name: 3 isn't allowed here.",
        ),
        ("hire = [3, 4]", "fire = [3, 4]", "board.fire is unknown; known: hire."),
        ("hire = [3, 4]", "", "board.hire is missing."),
        ("hire = [3, 4]", "hire = [3, 10]", "board.hire must be a number from 1 to 9, not 10."),
        ("hire = [3, 4]", "hire = [3, true]", "board.hire must be a number from 1 to 9, not True."),
        ('id = "W1"', "", "card number 1 has no id."),
        ('id = "W1"', 'id = "B1"', "card B1 appears twice."),
        ("copies = 2", "copies = 0", "card B1: copies must be a number from 1 to 99, not 0."),
        ("popularity = 3", "", "card W1: popularity is missing. Allowed: a number from -9 to 9."),
        ("popularity = 3", "popularity = 12", "card W1: popularity must be a number from -9 to 9, not 12."),
        ("popularity = 3", "popularity = 3.0", "card W1: popularity must be a number from -9 to 9, not 3.0."),
        ('"white"\n', '"grey"\n', "card W1: colour must be one of white, black, not grey."),
        ("popularity = 3", "popularity = 3\nstart = 4", NO_START),
        (
            'name = "a bridge"',
            "name = 4",
            "card W1: This kind of card has no value called name. Choose from: colour, popularity.",
        ),
        ("start = 9", "", "card B1: start is missing. Allowed: a number from 1 to 20."),
    ],
)
def test_what_is_wrong_is_named(old: str, new: str, why: str) -> None:
    """The sentence names the file, the card or key, and what is allowed."""
    with pytest.raises(UserError) as refused:
        parse_deck_file("town", deck_file((old, new)), "town.toml")
    assert str(refused.value) == f"town.toml: {why}"


CHAIN = """
provisional = true
[fields.depth]
least = 1
most = 9
default = 4
on = { size = "large" }
[fields.size]
choices = ["small", "large"]
default = "large"
on = { kind = "tile" }
[fields.kind]
choices = ["chip", "tile"]
default = "tile"
[[card]]
id = "all of it"
[[card]]
id = "a small one"
size = "small"
[[card]]
id = "a deep one"
depth = 9
[[card]]
id = "a chip"
kind = "chip"
"""


def test_a_default_brings_the_fields_that_depend_on_it() -> None:
    """In whichever order the fields stand: from the kind follows the size, from the size the depth."""
    deck = parse_deck_file("mine", CHAIN, "mine.toml").deck
    assert {design.id: dict(design.values) for design in deck.designs} == {
        "all of it": {"kind": "tile", "size": "large", "depth": 4},
        "a small one": {"kind": "tile", "size": "small"},
        "a deep one": {"kind": "tile", "size": "large", "depth": 9},
        "a chip": {"kind": "chip"},
    }
    assert deck.card_from_values({"depth": 9}).design == "a deep one"
    assert deck.card_from_values({}).design == "all of it"
    for seed in range(50):
        sampled = deck.sample_values({}, Random(seed))
        assert sampled is not None
        deck.check_values(sampled)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        (
            '{ kind = "tile" }',
            '{ knid = "tile" }',
            '"on" names an unknown field, knid; known fields: depth, size, kind.',
        ),
        ('{ kind = "tile" }', '{ kind = "tiles" }', "kind must be one of chip, tile, not tiles."),
        ("default = 4", "default = 40", "default must be a number from 1 to 9, not 40."),
        (
            "default = 4",
            'under = "size of it"',
            '"under" names an unknown field, size of it; known fields: depth, size, kind.',
        ),
        ("default = 4", 'under = "size"', '"under" needs numbers in depth and in size, not choices.'),
        ('default = "large"', 'under = "depth"', '"under" needs numbers in size and in depth, not choices.'),
        (
            "default = 4",
            'only = [{ most = 3, on = { kind = "chip" }, under = "kind" }]',
            '"under" needs numbers in depth and in kind, not choices.',
        ),
        ("least = 1", "least = 10", '"least" (10) is higher than "most" (9).'),
    ],
)
def test_a_field_that_can_never_be_filled_is_refused(old: str, new: str, why: str) -> None:
    """One that depends on nothing there is, or whose own values don't go together."""
    with pytest.raises(UserError) as refused:
        parse_deck_file("mine", CHAIN.replace(old, new), "mine.toml")
    field, _, rest = str(refused.value).removeprefix("mine.toml: field ").partition(": ")
    assert field in {"depth", "size"}
    assert rest == why


def test_a_deck_without_cards_is_refused() -> None:
    """There must be cards, each in a table of its own."""
    for text in ("", "card = 4", "card = [4]"):
        with pytest.raises(UserError, match=r"there are no cards; begin each card with \[\[card\]\]"):
            parse_deck_file("town", text, "town.toml")


COPY = """
[board]
hire = [5, 6]
[[card]]
id = "W1"
colour = "white"
popularity = 4
"""


def test_an_owners_file_holds_only_values(town: DeckFile) -> None:
    """What may be printed comes from the game; the owner's values are checked against it and final."""
    copy = parse_deck_file("town", COPY, "mine.toml", shipped_file=town)
    assert copy.deck.board == {"hire": (5, 6)}
    assert copy.deck.fields == town.deck.fields
    assert not copy.deck.provisional


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("[5, 6]", "[5, 6, 7]", "board.hire must be a list of 2 numbers."),
        ("[5, 6]", "5", "board.hire must be a list of 2 numbers."),
        (
            "[board]",
            "[fields.colour]\n[board]",
            "unknown key fields; known keys: provisional, board, card.",
        ),
        ("popularity = 4", "popularity = 10", "card W1: popularity must be a number from -9 to 9, not 10."),
    ],
)
def test_an_owners_file_must_be_like_the_games(town: DeckFile, old: str, new: str, why: str) -> None:
    """Rows are as long as on the game's own board, and no other keys are there."""
    assert old in COPY
    with pytest.raises(UserError) as refused:
        parse_deck_file("town", COPY.replace(old, new), "mine.toml", shipped_file=town)
    assert str(refused.value) == f"mine.toml: {why}"


def test_rows_whose_length_differs_from_copy_to_copy() -> None:
    """Where a bound says between how many and how many numbers, any such row is taken, the game's own too."""
    longer = ("[bounds.hire]", "[bounds.hire]\nlengths = [2, 3]")
    town = parse_deck_file("town", deck_file(longer), "town.toml")
    for row in ("[5, 6]", "[5, 6, 7]"):
        copy = parse_deck_file("town", COPY.replace("[5, 6]", row), "mine.toml", shipped_file=town)
        assert len(copy.deck.board["hire"]) == row.count(",") + 1
    for row in ("[5]", "[5, 6, 7, 8]"):
        with pytest.raises(UserError, match=r"mine\.toml: board\.hire must be a list of 2 to 3 numbers\."):
            parse_deck_file("town", COPY.replace("[5, 6]", row), "mine.toml", shipped_file=town)
    with pytest.raises(UserError, match=r"town\.toml: board\.hire must be a list of 2 to 3 numbers\."):
        parse_deck_file("town", deck_file(longer, ("[3, 4]", "[3]")), "town.toml")


def test_numbers_of_boards_are_whole() -> None:
    """A log has no halves on boards, so a bound with steps of a half is refused."""
    halves = ("[bounds.hire]", "[bounds.hire]\nstep = 0.5"), ("[3, 4]", "[3, 4.5]")
    with pytest.raises(UserError, match=r"town\.toml: bounds\.hire\.step: 0\.5 isn't allowed here\."):
        parse_deck_file("town", deck_file(*halves), "town.toml")


def test_a_value_may_name_the_cards() -> None:
    """With `id`, a printed value takes the place of a name of its own, as in Egypt."""
    assert shipped_deck_file("egypt").id_key == "number"
    assert shipped_deck("egypt").designs[0] == CardDesign("4", 4, {"number": 4})
    numbers = parse_deck_file("n", dedent('id = "number"\n[[card]]\nnumber = 7\n'), "n.toml").deck
    assert numbers == Deck("n", (CardDesign("7", 1, {"number": 7}),))
