"""Pieces by their look: in strips, in the middle of the table, and opened into everything that lies there."""

from __future__ import annotations

from itertools import combinations, pairwise
from typing import Any

import pytest

from companion.requests import Done
from companion.session.view import Holding
from companion.table.ledger import Piece, Place
from companion.table.seats import Seat
from companion.table.table import Table
from companion.texts import say
from tests.support.ui.play_screen_game import DECK
from tests.support.ui.screen_sizes import SIZES_AND_LANGUAGES
from tests.ui.test_play import check_all

COLOURS = (
    "red",
    "blue",
    "yellow",
    "black",
    "white",
    "brown",
    "grey",
    "orange",
    "sky",
    "green",
    "vermilion",
    "purple",
)
CARD = Piece("card", say("card"), look="card")
GOLD = Piece("gold", say("gold"), is_endless=True, look="coin", colour="yellow")
GEMS = {
    colour: Piece(f"{colour} gem", say("{colour} gem", colour=say(colour)), look="gem", colour=colour)
    for colour in ("red", "blue", "yellow", "white")
}
CHIPS = {
    colour: Piece(f"{colour} chip", say("{colour} chip", colour=say(colour)), look="chip", colour=colour)
    for colour in ("red", "blue", "yellow", "black", "white")
}
TRACKS = [Piece(f"track {n}", say(name)) for n, name in enumerate(("workers", "digging skill", "storage"))]
OUT = Piece("eliminated", say("eliminated"), is_endless=True, is_marker=True)


def coin(seat: Seat) -> Piece:
    """A coin of a player's colour."""
    return Piece(f"{seat.colour} coin", say("{seat}'s coin", seat=seat), look="coin", colour=seat.colour)


def cube(seat: Seat) -> Piece:
    """A cube of a player's colour."""
    return Piece(f"{seat.colour} cube", say("{seat}'s worker", seat=seat), look="cube", colour=seat.colour)


def face(name: str) -> Piece:
    """The face of a card."""
    return Piece(f"card {name}", say("card {id}", id=name), is_marker=True, look="card")


async def treasuries(table: Table) -> None:
    """Coins of all colours before everybody, some as strength, and a row of 18 cards with coins on them."""
    for seat in table.seats:
        for at, other in enumerate(table.seats):
            table.supply_from_box(table.account(coin(other), say("treasury"), seat), 20 - 3 * at)
        table.supply_from_box(table.account(coin(seat), say("strength"), seat), 12)
        table.supply_from_box(table.account(CARD, say("hand"), seat), 4)
    for slot in range(1, 19):
        table.supply_from_box(table.account(CARD, say("market"), slot=slot))
        for other in table.seats[: slot % (len(table.seats) + 1)]:
            table.supply_from_box(table.account(coin(other), say("market"), slot=slot))
    await Done(None, say("Look"))


async def mines(table: Table) -> None:
    """Gold, gems, tracks, a covered bag and a stack of discontent."""
    for seat in table.seats:
        table.supply_from_box(table.account(GOLD, say("purse"), seat), 23)
        for gem in GEMS.values():
            table.supply_from_box(table.account(gem, say("storage"), seat), 2)
            table.supply_from_box(table.covered_account(gem, say("bag"), seat), 3)
        table.make_pile(say("discontent"), seat)
        for colour in ("blue", "red", "blue", "yellow"):
            table.supply_from_box(table.account(CHIPS[colour], say("discontent"), seat))
        for track in TRACKS:
            table.supply_from_box(table.account(track, say("board"), seat), 3)
    await Done(None, say("Look"))


async def projects(table: Table) -> None:
    """Cubes at four places, two cards in the middle, one of them open."""
    white = Piece("white card", say("white card"), look="card", colour="white")
    for seat in table.seats:
        for place in ("guild card", "front", "left edge", "right edge"):
            table.supply_from_box(table.account(cube(seat), say(place), seat), 3)
        table.supply_from_box(table.account(white, say("front"), seat), 2)
    table.supply_from_box(table.account(white, say("white project")))
    table.track_faces(DECK.name).move_faces([DECK.cards["A3"]], Place(say("white project")))
    table.supply_from_box(table.account(cube(table.seats[0]), say("white project")), 5)
    table.supply_from_box(table.account(Piece("dollar", say("$1"), look="coin"), say("white project")), 6)
    table.supply_from_box(table.account(white, say("deck")), 9)
    await Done(None, say("Look"))


async def sections(table: Table) -> None:
    """Many open cards before everybody, and in four sections."""
    faces = table.track_faces(DECK.name)
    for number, seat in enumerate(table.seats):
        faces.move_faces(
            [DECK.cards[f"{'ABCDE'[number]}{card}"] for card in range(12)], Place(say("front"), seat)
        )
        table.supply_from_box(table.account(CARD, say("front"), seat), 12)
        table.supply_from_box(table.covered_account(GOLD, say("purse"), seat), 2000)
        table.supply_from_box(table.account(CARD, say("hand"), seat), 7)
    for at, place in enumerate(("collector", "gallery", "dealer", "warehouse")):
        faces.move_faces([DECK.cards[f"{'FGHI'[at]}{card}"] for card in range(3)], Place(say(place)))
    await Done(None, say("Look"))


Box = tuple[float, float, float, float]
TABLES = [treasuries, mines, projects, sections]


@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LANGUAGES)
@pytest.mark.parametrize("rules", TABLES)
async def test_strips_stay_readable_however_much_lies_there(
    open_small_game: Any, size: tuple[int, int], lang: str, rules: Any
) -> None:
    """Five seats: nothing is cut, nothing overlaps, every mark is inside its strip."""
    table, game = await open_small_game(rules, size, lang, players=5)
    check_all(table, size)
    strips = list(game.play_screen.panels.values())
    for strip in strips:
        assert strip.placed
        for x, y, width, height in [one.box for one in strip.placed]:
            assert strip.x - 1 <= x
            assert x + width <= strip.right + 1
            assert strip.y - 1 <= y
            assert y + height <= strip.top + 1
        for one, other in combinations([one.box for one in strip.placed], 2):
            assert apart(one, other)
    for upper, lower in pairwise(strips):
        assert upper.to_window(0, upper.y)[1] >= lower.to_window(0, lower.top)[1] - 1


def apart(one: Box, other: Box) -> bool:
    """Whether two marks don't overlap by more than a rim."""
    beside = one[0] + one[2] <= other[0] + 2 or other[0] + other[2] <= one[0] + 2
    return beside or one[1] + one[3] <= other[1] + 2 or other[1] + other[3] <= one[1] + 2


async def test_a_strip_opens_into_everything(open_small_game: Any) -> None:
    """Each piece by its name, with its place, page by page."""
    table, _ = await open_small_game(treasuries, players=5)
    await table.tap("before Ben")
    texts = set(table.texts())
    assert {"Ben", "20", "Aki's coin", "17", "Ben's coin", "treasury", "strength"} <= texts
    await table.tap("Close")
    assert "Aki's coin" not in table.texts()


async def test_the_table_opens_into_everything(open_small_game: Any) -> None:
    """What lies before nobody too."""
    table, game = await open_small_game(projects)
    game.play_screen.middle.dispatch("on_release")
    await table.wait_frames()
    assert {"On the table", "Aki's worker", "6", "$1", "A3"} <= set(table.texts())


async def test_a_pile_is_shown_in_its_order(open_small_game: Any) -> None:
    """The lowest chip first, each with its letter."""
    table, game = await open_small_game(mines, players=2)
    strip = game.play_screen.panels[game.session.table.seats[0]]
    assert "B R B Y" in strip.visible_texts
    table.app.lang = "ja"
    await table.wait_frames()
    assert any(text.endswith("青 赤 青 黄") for text in strip.visible_texts)


async def test_a_covered_bag_is_one_back_with_its_name(open_small_game: Any) -> None:
    """However many kinds of things may be in it; that there are several tells something."""
    from ui.widgets.pieces.marks import CoveredMark, HorizontalGroup

    _, game = await open_small_game(mines, players=2)
    strip = game.play_screen.panels[game.session.table.seats[0]]
    parts = [part for one in strip.placed for part in getattr(one.mark, "marks", (one.mark,))]
    assert sum(isinstance(part, CoveredMark) for part in parts) == 1
    (bag,) = [one.mark for one in strip.placed if one.mark.visible_text == "bag"]
    assert isinstance(bag, HorizontalGroup)


async def test_an_open_card_is_shown_once(open_small_game: Any) -> None:
    """Its face, not the back that lies at the same place."""
    _, game = await open_small_game(projects)
    assert [text for text in game.play_screen.middle.visible_texts if "A3" in text] == ["A3"]
    assert not [part for part in game.play_screen.scene_view.middle_parts if getattr(part, "back_count", 0)]


async def test_a_place_is_named_where_its_pieces_lie_elsewhere_too(open_small_game: Any) -> None:
    """Cubes in front need no name, those on the edges do."""
    _, game = await open_small_game(projects, (1280, 720))
    said = " ".join(game.play_screen.panels[game.session.table.seats[0]].visible_texts)
    assert "left edge" in said
    assert "right edge" in said
    assert "front" not in said


async def test_a_player_s_coin_has_a_shape_and_a_gem_a_letter(open_small_game: Any) -> None:
    """Colour alone tells nothing: every look and colour has a sign of its own."""
    await open_small_game(projects)
    from ui.widgets.pieces.things import name_letters

    aki = Seat(1, "Aki", "orange")
    assert name_letters(coin(aki), "en") == name_letters(cube(aki), "en") == ""
    gems = [Piece("gem", say(f"{colour} gem"), look="gem", colour=colour) for colour in COLOURS]
    signs = [name_letters(gem, "en") for gem in gems]
    assert all(signs)
    assert len(set(signs)) == len(signs)


@pytest.mark.usefixtures("kivy_window")
def test_a_nought_can_be_read() -> None:
    """It is paler than other numbers, and as clear against what lies behind it as letters have to be."""
    from tests.support.ui.screen_faults import MIN_CONTRAST, contrast_ratio
    from ui import theme
    from ui.widgets.pieces.marks import FELT_TEXT_COLOURS, PAPER_TEXT_COLOURS

    for ground, behind in (
        (PAPER_TEXT_COLOURS, theme.PAPER),
        (PAPER_TEXT_COLOURS, theme.PAPER_PRESSED),
        (PAPER_TEXT_COLOURS, theme.KRAFT),
        (FELT_TEXT_COLOURS, theme.FELT),
        (FELT_TEXT_COLOURS, theme.FELT_LIT),
    ):
        assert MIN_CONTRAST <= contrast_ratio(ground.quiet, behind) < contrast_ratio(ground.normal, behind)


def test_owed_pieces_and_covered_faces_are_nowhere(kivy_window: Any) -> None:
    """A bank that owes money, and cards that nobody may know, are no glyphs."""
    from ui.widgets.pieces.laid import select_holdings_to_show

    bank, hidden = Holding(Place(say("bank")), GOLD, -5), Holding(Place(say("unseen")), face("W1"), None)
    assert select_holdings_to_show([bank, hidden]) == []


@pytest.mark.parametrize(
    ("wanted", "room", "given"),
    [([10, 20, 30], 100, [10, 20, 30]), ([10, 60, 60], 100, [10, 45, 45]), ([50, 50], 60, [30, 30])],
)
def test_strips_share_the_room(
    kivy_window: Any, wanted: list[float], room: float, given: list[float]
) -> None:
    """Who wants little gets it; the others share what is left alike."""
    from ui.layouts.panels import lower_largest_heights_to_fit

    assert lower_largest_heights_to_fit(wanted, room) == given


@pytest.mark.parametrize(
    ("size", "has_large_text", "growth", "rows"),
    [
        ((800, 480), False, 1.0, 3),
        ((1280, 720), False, 1.18, 3),
        ((1920, 1080), False, 1.33, 4),
        ((1920, 1080), True, 1.0, 3),
    ],
)
def test_things_grow_into_the_room_of_a_large_window(
    kivy_window: Any, size: tuple[int, int], has_large_text: bool, growth: float, rows: int
) -> None:
    """At most to the proportions of the smallest window; with large text they have these anyway."""
    from ui import theme

    theme.use_look(theme.Look(has_large_text=has_large_text))
    theme.scale_lengths_to_window(*size)
    row_share = theme.length.row * theme.max_growth / size[1]
    assert theme.max_growth == pytest.approx(growth, abs=0.01)
    assert row_share == pytest.approx(72 / 480)
    assert max(theme.with_grown([20.0, 10.0])) == pytest.approx(20 * theme.max_growth)
    assert theme.grow_count(3) == rows
