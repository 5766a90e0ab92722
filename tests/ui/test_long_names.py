"""Names of twenty letters: whole where there is room, else their beginning; counted as people see letters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.requests import Choose
from companion.rules.scene import AnnouncedLot, Scene
from companion.table.ledger import Piece
from companion.table.seats import make_seats
from companion.table.table import Table
from companion.texts import render, say
from tests.support.long_names import PEOPLE
from tests.support.ui.app_helpers import COLOURS, make_test_app
from tests.support.ui.play_screen_game import begin_session
from tests.support.ui.screen_faults import (
    find_faults,
    find_overhanging_texts,
    find_overprinted_texts,
    letter_box,
    visible_widgets,
)
from tests.support.ui.screen_sizes import make_bare_app
from tests.support.ui.screen_variants import ScreenVariant, variant_id
from tests.support.ui.text_checks import check_text_is_whole
from tests.ui.test_every_table import check_table, laid
from tests.ui.test_shelving import play

pytestmark = pytest.mark.usefixtures("without_motion")
LATIN, WIDE = "Anna-Katharina Mayer", "寿限無寿限無五劫の擦り切れ海砂利水魚の水"


@pytest.mark.parametrize(("width", "shown"), [(400, LATIN), (120, "Anna-Kat…")])
async def test_a_name_that_has_no_room_is_shown_by_its_beginning(
    open_app: Any, tmp_path: Path, width: int, shown: str
) -> None:
    """No other text is; what is shown is whole."""
    from ui.widgets.drawing.text import FittedLabel

    table = await open_app(make_test_app(tmp_path, lang="en"))
    one, other = (
        FittedLabel(text=LATIN, size_hint=(None, None), size=(width, 30), abbreviates=each)
        for each in (True, False)
    )
    for writing in (one, other):
        table.app.stage.screen.add_widget(writing)
    await table.wait_frames(3)
    assert one.shown_text == shown
    assert other.shown_text == LATIN
    check_text_is_whole(one)


@pytest.mark.parametrize(
    ("name", "width", "max_lines", "lines"),
    [
        (LATIN, 170, 2, ["Anna-Katharina", "Mayer"]),
        (LATIN, 110, 3, ["Anna-", "Katharina", "Mayer"]),
        (LATIN, 130, 2, ["Anna-", "Katharina…"]),
        ("Konstantinos Petrou", 190, 1, ["Konstantinos…"]),
        ("Konstantinos Petrou", 145, 1, ["Konstantinos"]),
        ("Konstantinos Petrou", 130, 1, ["Konstanti…"]),
        ("Papadimitrakopoulosa", 150, 2, ["Papadimitr-", "akopoulosa"]),
        ("アレクサンドラ・スミス夫人", 160, 2, ["アレクサンドラ・", "スミス夫人"]),
        ("アレクサンドラ・スミス夫人", 160, 1, ["アレクサンドラ…"]),
    ],
)
async def test_a_name_is_broken_between_its_words(
    open_app: Any, name: str, width: int, max_lines: int, lines: list[str]
) -> None:
    """After a space, a hyphen or a dot; it is shortened there. Only a word wider than a line is broken."""
    from ui.widgets.drawing.text import wrap_name

    await open_app(make_bare_app(lang="en"))
    assert wrap_name(name, width, max_lines=max_lines) == lines


@pytest.mark.parametrize(
    ("name", "lines", "count"),
    [
        (LATIN, ["Anna-Katharina", "Mayer"], 0),
        (LATIN, ["Anna-Katharina…"], 5),
        ("Papadimitrakopoulosa", ["Papadimitr-", "akopoulosa"], 0),
        ("アレクサンドラ・スミス夫人", ["アレクサンドラ", "スミス夫人"], 0),
        ("アレクサンドラ・スミス夫人", ["アレクサンドラ…"], 5),
        ("海砂利水魚の水", ["海砂利水魚の…"], 1),
        ("xe\u0323\u0301y", ["x…"], 2),
    ],
)
def test_left_out_letters_are_counted_as_people_see_them(name: str, lines: list[str], count: int) -> None:
    """Neither "…" nor the signs between the parts of a name are letters."""
    from ui.widgets.drawing.text import count_left_out_letters

    assert count_left_out_letters(name, lines) == count


async def test_the_highest_bidder_is_named_without_a_broken_word(open_app: Any) -> None:
    """On a narrow card the token is beside the number, so that the name has the whole width."""
    from ui import theme
    from ui.questions.number import HighestBidPanel
    from ui.widgets.drawing.text import measure_text_width

    table = await open_app(make_bare_app(lang="en"))
    card = HighestBidPanel(
        size_hint=(None, None),
        size=(112, 131),
        bidder_colour="orange",
        bid_text="13",
        bidder_name=LATIN,
        caption="Top bid",
    )
    table.app.stage.screen.add_widget(card)
    await table.wait_frames(3)
    widgets = [*visible_widgets(card)]
    assert not [*find_overprinted_texts(widgets), *find_overhanging_texts(widgets)]
    shown = [stroke.keyword_args["size"][0] for stroke, _ in card._applied if letter_box(stroke.keyword_args)]
    assert measure_text_width("Katharina", theme.length.smallest) in shown


@pytest.mark.parametrize("name", ["Aki", LATIN, WIDE])
@pytest.mark.parametrize(
    ("size", "has_own_bid"), [((77, 130), False), ((150, 200), True), ((300, 130), True)]
)
async def test_the_own_bid_is_beside_the_highest_one_where_both_have_room(
    open_app: Any, name: str, size: tuple[int, int], *, has_own_bid: bool
) -> None:
    """Else only the highest bid is in the panel, as large as people can read: the key says the own bid."""
    from ui import theme
    from ui.questions.number import HighestBidPanel
    from ui.widgets.keys.typed_number import TypedNumber

    table = await open_app(make_bare_app(lang="en"))
    panel = HighestBidPanel(
        size_hint=(None, None),
        size=size,
        bidder_colour="orange",
        bid_text="15",
        bidder_name=name,
        caption="Top bid",
        own_caption="Your bid",
        typed_number=TypedNumber.from_amount(20),
    )
    table.app.stage.screen.add_widget(panel)
    await table.wait_frames(3)
    widgets = [*visible_widgets(panel)]
    assert not [*find_overprinted_texts(widgets), *find_overhanging_texts(widgets)]
    shown = [box for stroke, _ in panel._applied if (box := letter_box(stroke.keyword_args))]
    assert min(top - low for _, low, _, top in shown) > 0.8 * theme.length.smallest
    panel.own_caption = ""
    await table.wait_frames(3)
    without_own_bid = [box for stroke, _ in panel._applied if (box := letter_box(stroke.keyword_args))]
    assert (shown != without_own_bid) == has_own_bid


async def test_a_sentence_on_a_key_has_room_for_twenty_latin_letters(open_app: Any, tmp_path: Path) -> None:
    """A name as wide as a dozen full-width letters is whole in it, a far wider one is not."""
    from ui.widgets.drawing.text import shorten_name
    from ui.words import replace_seat_names

    await open_app(make_test_app(tmp_path, lang="en"))
    aki, ben = make_seats([LATIN, WIDE])
    text = say("{one} pays {other}: {what}", one=aki, other=ben, what=say("{seat}'s purse", seat=aki))
    said = render(replace_seat_names(text, shorten_name))
    assert said.startswith(f"{LATIN} pays 寿限無寿限無五劫の")
    assert said.endswith(f"…: {LATIN}'s purse")


async def test_the_keyboard_counts_letters_as_people_do(open_app: Any, tmp_path: Path) -> None:
    """A letter with its accent is one, and is deleted as one."""
    from ui.widgets.sheets.overlays import make_keyboard_overlay

    table = await open_app(make_test_app(tmp_path, lang="en"))
    table.app.stage.show_overlay(
        make_keyboard_overlay("Name", lambda _name: None, max_letters=3, text="xe\u0323\u0301")
    )
    await table.wait_frames(2)
    await table.tap("a", "s")
    keys = next(widget for widget in table.widgets() if type(widget).__name__ == "Keyboard")
    assert keys.text == "xe\u0323\u0301a"
    await table.tap("delete", "delete")
    assert keys.text == "x"


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("size", "lang"), [((800, 480), "en"), ((480, 800), "de"), ((800, 480), "ja"), ((720, 1280), "ja")]
)
async def test_names_are_whole_on_every_page_around_the_game(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    """Open and past games, records, evenings, players, people and history: no name is shortened."""
    from ui.widgets.drawing.text import FittedLabel

    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    names, controller = PEOPLE[lang][:4], table.app.controller
    play(controller, names)
    play(controller, names[::-1])
    for game in ("sealed_bid", "egypt"):
        controller.start_new_game(game, names, [*COLOURS, "vermilion"], {})
        controller.leave_table()
    await table.wait_frames()
    for steps in (
        ("waiting",),
        ("close", "past"),
        ("regulars",),
        (f"regular {names[0]}",),
        ("close", "close", "records"),
        ("evenings",),
        ("close", "close", "close", table.app.tr("Continue"), "more", "people"),
        ("close", "history"),
    ):
        await table.tap(*steps)
        await table.wait_frames()
        labels = [widget for widget in table.widgets() if isinstance(widget, FittedLabel)]
        assert [label.text for label in labels if label.shown_text != label.text] == [], steps
        assert find_faults(table, size) == [], steps


@pytest.mark.parametrize("name", [WIDE, f"{LATIN}: {LATIN}", f"{WIDE}: {WIDE}"])
@pytest.mark.parametrize(
    "look",
    [
        ScreenVariant("landscape", (800, 480), "ja"),
        ScreenVariant("upright", (480, 800), "en"),
        ScreenVariant("flat", (480, 800), "ja"),
        ScreenVariant("flat", (800, 480), "de"),
    ],
    ids=variant_id,
)
async def test_the_name_of_the_lot_on_sale_is_in_lines_if_it_is_too_wide(
    open_app: Any, look: ScreenVariant, name: str
) -> None:
    """The share of a company has two names; neither is wider than the middle."""

    async def sale(table: Table) -> None:
        await Choose(None, say("Who buys?"), {"no": say("Nobody")}, about=Piece("lot 1", say(name)))

    table = await laid(open_app, look)
    middle = (AnnouncedLot(say("the lot"), lambda _: True),)
    session = begin_session(sale, scene=lambda _: Scene(middle=middle))
    await check_table(table, session, look)
    assert name in " ".join(table.app.stage.screen.middle.visible_texts)
