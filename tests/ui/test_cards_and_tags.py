"""Cards & tags by touch: pages of cards, tags laid on a simulated chip, values entered on our own keys."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from hardware.signals import DeviceLost
from hardware.simulated.rc522 import SimulatedRc522
from hardware.simulated.tags import SimulatedTag
from hardware.wiring import Reader
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.screen_sizes import SIZES_AND_LANGUAGES
from tests.support.ui.tag_table import (
    TAG_1,
    TAG_2,
    TAG_3,
    TagTable,
    make_app_with_reader,
    make_real_time_chip,
)
from tests.support.ui.text_checks import check_all_texts_are_whole, check_text_is_whole

pytestmark = pytest.mark.usefixtures("without_motion")


@pytest.fixture
async def hands(open_app: Any, tmp_path: Path) -> TagTable:
    """The app on its first screen."""
    chip = make_real_time_chip()
    return TagTable(await open_app(make_app_with_reader(tmp_path / "state", chip)), chip)


def ticked(table: Any) -> list[str]:
    """The cards on this page that have their tags."""
    keys = [widget for widget in table.widgets() if getattr(widget, "name", "").startswith("card ")]
    return sorted(key.name for key in keys if key.chosen)


async def test_one_card_gets_its_tag(hands: TagTable) -> None:
    """From home to a card: lay it, it is said, the tick is in the grid; another game's tag is named."""
    table = hands.table
    await table.tap("cards", "deck mammon", "card spy.2")
    assert "No tag yet." in table.texts()
    await hands.lay_and_lift(TAG_1)
    assert hands.page_message == "Saved the tag of spy, 2 of 2."
    assert f"Tag: {TAG_1}" in table.texts()
    assert hands.card_service.tag_by_card("mammon") == {"spy.2": TAG_1}
    await table.tap("close")
    assert ticked(table) == ["card spy.2"]
    await table.tap("close", "deck egypt", "card 4.1")
    await hands.lay_and_lift(TAG_1)
    assert (
        hands.page_message
        == "This tag belongs to spy, 2 of 2 in Mammon, so it can't be used for a card of Egypt."
    )
    assert hands.card_service.tag_by_card("egypt") == {}
    await table.tap("close", "close", "close")
    assert "Companion" in table.texts()
    assert table.app.controller._devices.tag_listener is None


async def test_a_reader_that_can_not_be_used_is_said(hands: TagTable) -> None:
    """With what to do, before anybody lays cards on it for nothing."""
    table = hands.table
    hands.chip.unplug()
    await table.wait_until(lambda: "reader market" in table.app.controller._devices.lost_devices)
    await table.tap("cards", "deck mammon", "card spy.2")
    assert hands.page_message.startswith("The reader market ")
    await table.tap("close", "whole")
    assert hands.page_message.startswith("The reader market ")
    reader = Reader("market", "/dev/spidev0.0")
    denied = reader.describe_missing(DeviceLost("reader market", "denied", "spi"), None)
    table.app.stage.screen.show_tag_result(denied.in_language("en"), is_refusal=True)
    await table.wait_frames()
    check_text_is_whole(table.app.stage.screen.refusal.label)


async def test_what_is_said_of_a_lost_reader_goes_when_it_is_back(hands: TagTable) -> None:
    """And comes while a page is shown, not only before; what was said of a tag goes first."""
    table = hands.table
    await table.tap("cards", "deck mammon", "whole")
    for _ in range(2):
        hands.chip.unplug()
        await table.wait_until(lambda: hands.page_message.startswith("The reader market "))
        hands.chip.plug_in()
        await table.wait_until(lambda: not hands.page_message)
    await hands.lay_and_lift(TAG_1)
    said = hands.page_message
    assert said
    hands.chip.unplug()
    await table.wait_until(lambda: "reader market" in table.app.controller._devices.lost_devices)
    await table.wait_frames()
    assert hands.page_message == said


async def test_a_tag_that_can_not_be_read_is_said(hands: TagTable) -> None:
    """A phone, and a broken tag: nothing is learnt, and whoever teaches reads why, in whole."""
    table = hands.table
    await table.tap("cards", "deck mammon", "card spy.2")
    await hands.lay_and_lift("08A2B3C4")
    assert hands.page_message.startswith("08A2B3C4 (08…) changes each time it is read")
    hands.chip.add_tag(SimulatedTag.with_wrong_check_byte(TAG_2))
    await table.wait_until(lambda: TAG_2 in hands.page_message)
    assert hands.page_message == f"Tag {TAG_2} is broken: its check byte is wrong. Use another tag."
    check_text_is_whole(table.app.stage.screen.refusal.label)
    await table.tap("close", "whole")
    hands.chip.remove_tag(TAG_2)
    hands.chip.add_tag("88A2B3C4")
    await table.wait_until(lambda: "88A2B3C4" in hands.page_message)
    assert hands.card_service.tag_by_card("mammon") == {}


async def test_a_tag_is_forgotten(hands: TagTable) -> None:
    """One touch, and the card has no tag; the next one laid is learnt."""
    table = hands.table
    await table.tap("cards", "deck mammon", "card spy.2")
    await hands.lay_and_lift(TAG_1)
    await table.tap("forget")
    assert "No tag yet." in table.texts()
    await hands.lay_and_lift(TAG_2)
    assert hands.card_service.tag_by_card("mammon") == {"spy.2": TAG_2}


async def test_a_card_that_comes_near_while_somebody_types_ends_nothing(hands: TagTable) -> None:
    """What was typed stays, and no tag is learnt that nobody meant."""
    table = hands.table
    await table.tap("cards", "deck bidders", "card B1", "name", "T")
    await hands.lay_and_lift(TAG_1)
    assert hands.card_service.tag_by_card("bidders") == {}
    await table.tap("o", "m", "done")
    deck = hands.card_service.taggable_decks()["bidders"].load_own_or_shipped_deck()
    assert deck.cards["B1"].values["name"] == "Tom"
    await hands.lay_and_lift(TAG_1)
    assert hands.card_service.tag_by_card("bidders") == {"B1": TAG_1}


async def test_a_whole_deck_is_learnt_card_by_card(hands: TagTable) -> None:
    """The next card and how many are left; skip and back; doubled tags and two at once are refused."""
    table = hands.table
    await table.tap("cards", "deck mammon", "whole")
    assert {"mansion, 1 of 2", "18 cards are left"} <= set(table.texts())
    await hands.lay_and_lift(TAG_1)
    assert {"mansion, 2 of 2", "17 cards are left"} <= set(table.texts())
    await hands.lay_and_lift(TAG_1)
    assert hands.page_message == (
        "This tag already belongs to mansion, 1 of 2. Lay down another card, or remove that tag first."
    )
    await table.tap("skip")
    assert {"ambush, 1 of 2", "16 cards are left"} <= set(table.texts())
    assert hands.page_message == ""
    hands.chip.add_tag(TAG_2)
    hands.chip.add_tag(TAG_3)
    await table.wait_until(lambda: "laid down at the same time" in hands.page_message)
    assert {"ambush, 1 of 2", "16 cards are left"} <= set(table.texts())
    assert hands.card_service.tag_by_card("mammon") == {"mansion.1": TAG_1}
    for tag in (TAG_2, TAG_3):
        hands.chip.remove_tag(tag)
    await table.tap("card before", "card before")
    assert hands.card_service.tag_by_card("mammon") == {}
    await table.tap("finish")
    assert ticked(table) == []


async def test_a_deck_that_has_all_tags_is_learnt_anew_if_people_want_it(hands: TagTable) -> None:
    """It asks first; each card keeps its tag until another one is laid."""
    store = hands.table.app.evening.store
    names = list(hands.card_service.taggable_decks()["mammon"].load_own_or_shipped_deck().cards)
    for at, name in enumerate(names):
        store.assign_tag(f"04B0000000{at:04X}", "mammon", name)
    table = hands.table
    await table.tap("cards", "deck mammon")
    assert "Mammon: 18 of 18 cards have a tag" in table.texts()
    await table.tap("whole", "no")
    assert len(ticked(table)) == 18
    await table.tap("whole", "yes")
    assert "18 cards are left" in table.texts()
    await hands.lay_and_lift(TAG_1)
    assert hands.card_service.tag_by_card("mammon")[names[0]] == TAG_1
    assert len(hands.card_service.tag_by_card("mammon")) == 18


async def test_values_are_entered_and_confirmed(hands: TagTable) -> None:
    """Dials for what is printed, the keyboard for a name; what can't be is said, and the badge goes last."""
    from companion.owner_decks import OwnerDeck

    table = hands.table
    await table.tap("cards", "deck bidders")
    assert "provisional values" in table.texts()
    copy: OwnerDeck = hands.card_service.taggable_decks()["bidders"]
    before = copy.load_own_or_shipped_deck().cards["B1"].values
    await table.tap("card B1", "edit", "more crew", "described")
    assert copy.load_own_or_shipped_deck().cards["B1"].values == {**before, "crew": int(before["crew"]) + 1}
    await table.tap("name", "T", "o", "m", "b", "done")
    assert copy.load_own_or_shipped_deck().cards["B1"].values["name"] == "Tomb"
    assert "Tomb" in table.texts()
    await table.tap("close", "card W1", "edit", "more colour", "described")
    assert any("card W1: popularity must be a number from -20 to -1, not" in text for text in table.texts())
    assert copy.load_own_or_shipped_deck().cards["W1"].values["colour"] == "white"
    await table.tap("done", "cancel", "close", "entered", "no")
    assert copy.load_own_or_shipped_deck().provisional
    await table.tap("entered", "yes")
    assert not copy.load_own_or_shipped_deck().provisional
    assert "provisional values" not in table.texts()


async def test_boards_are_entered_too(hands: TagTable) -> None:
    """After the cards: a dial for each number, or the pad where it may be large; what can't be is said."""
    table = hands.table
    copy = hands.card_service.taggable_decks()["bidders"]
    before = copy.load_own_or_shipped_deck().board["hearts"]
    await table.tap("cards", "deck bidders", "page on", "board hearts")
    await table.tap("more 2", "more 2", "page on", "less 9", "entered")
    assert copy.load_own_or_shipped_deck().board["hearts"] == (
        before[0],
        before[1] + 2,
        *before[2:8],
        before[8] - 1,
        before[9],
    )
    assert table.find("board dollars")
    copy = hands.card_service.taggable_decks()["high_bid"]
    await table.tap("close", "deck high_bid", "page on", "page on")
    key = next(iter(copy.load_own_or_shipped_deck().board))
    number = copy.load_own_or_shipped_deck().board[key][0]
    await table.tap(
        f"board {key}", "more 1" if number < copy.shipped_file.bounds[key].most else "less 1", "close"
    )
    assert copy.load_own_or_shipped_deck().board[key][0] == number


async def test_a_broken_file_is_told_and_a_page_is_kept(hands: TagTable) -> None:
    """The box of a deck that can't be read says why; back from a card its page is shown."""
    table = hands.table
    copy = hands.card_service.taggable_decks()["oyakata"]
    copy.path.parent.mkdir()
    copy.path.write_text("[board]\n", encoding="utf-8")
    await table.tap("cards", "deck oyakata")
    assert any("is missing" in text for text in table.texts())
    await table.tap("done", "deck egypt", "page on", "page on", "card 10.3", "close")
    assert table.find("card 10.3")


async def test_without_a_reader_it_is_said(open_app: Any, tmp_path: Path) -> None:
    """Cards can be looked at and entered; tags need a reader."""
    table = await open_app(make_test_app(tmp_path / "state"))
    await table.tap("cards", "deck mammon", "card spy.1")
    assert "There is no reader. Add one to hardware.toml." in table.texts()
    await table.tap("close", "whole")
    assert "There is no reader. Add one to hardware.toml." in table.texts()


async def test_a_full_disk_is_said(hands: TagTable) -> None:
    """What can't be kept isn't learnt, and the sentence says why."""
    table = hands.table
    await table.tap("cards", "deck mammon", "whole")
    table.app.evening.store._games.execute("PRAGMA query_only = ON")
    await hands.lay_and_lift(TAG_1)
    assert "no permission to write" in hands.page_message
    assert "18 cards are left" in table.texts()
    table.app.evening.store._games.execute("PRAGMA query_only = OFF")
    assert hands.card_service.tag_by_card("mammon") == {}


@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LANGUAGES)
async def test_every_page_fits(open_app: Any, tmp_path: Path, lang: str, size: tuple[int, int]) -> None:
    """No text is cut, every key is large enough and on the screen."""
    from kivy.uix.behaviors import ButtonBehavior

    chip = SimulatedRc522()
    table = await open_app(make_app_with_reader(tmp_path / "state", chip, lang=lang), size)
    table.app.evening.store.assign_tag(TAG_1, "high_bid", "maps.1")
    from ui import theme

    least = theme.length.target - 0.5
    for step in (
        ("cards",),
        ("deck high_bid", "page on"),
        ("close", "deck bidders", "card B1"),
        ("close", "page on", "board hearts"),
        ("close", "close", "deck oyakata", "page on", "card A1.1", "edit"),
        ("cancel", "close", "whole"),
        ("finish", "close", "deck mammon", "card spy.1"),
    ):
        await table.tap(*step)
        await table.wait_frames(4)
        check_all_texts_are_whole(table.widgets())
        for widget in table.widgets():
            if isinstance(widget, ButtonBehavior) and type(widget).__name__ == "Key":
                assert min(widget.size) >= least, (step, widget.text, widget.size)


async def test_a_bar_that_is_empty_looks_empty(open_app: Any) -> None:
    """Nothing done is paper within an outline; what is done is filled with brass."""
    from kivy.uix.boxlayout import BoxLayout

    from tests.support.ui.screen_faults import box_in_window, contrast_ratio
    from tests.support.ui.screen_sizes import make_bare_app
    from ui import theme
    from ui.pages import open_full_screen_dialog
    from ui.screens.cards_and_tags import EnrolmentProgress
    from ui.widgets.drawing.containers import add_children

    table = await open_app(make_bare_app(lang="en"))
    bar = EnrolmentProgress(size_hint_y=None, height=theme.length.space)
    open_full_screen_dialog("Bar", add_children(BoxLayout(), bar))
    for share, colour in ((0.0, theme.PAPER), (0.75, theme.BRASS)):
        bar.share = share
        await table.wait_frames()
        picture = table.app.stage.export_as_image().texture
        left, low, right, high = box_in_window(bar)
        column, row = round((left + right) / 2), picture.height - round((low + high) / 2)
        start = 4 * (row * picture.width + column)
        pixel = [part / 255 for part in picture.pixels[start : start + 3]]
        assert contrast_ratio(pixel, colour) < 1.2


async def test_a_narrow_page_is_titled_with_the_game_alone(open_app: Any, tmp_path: Path) -> None:
    """The keys beside the title leave no room for how many cards have a tag."""
    table = await open_app(make_test_app(tmp_path / "state", lang="de"), (480, 800))
    await table.tap("cards", "deck mammon")
    check_all_texts_are_whole(table.widgets())
