"""An audit by touch: cards are passed over a simulated reader, and nobody but their owner sees of it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.session.view import list_history_entries
from companion.texts import render
from hardware.simulated.rc522 import SimulatedRc522
from tests.support.ui.app_helpers import COLOURS, NAMES, make_test_app
from tests.support.ui.screen_sizes import SIZES_AND_LONG_WORDS
from tests.support.ui.tag_table import (
    TAG_1,
    TAG_2,
    TAG_3,
    TagTable,
    make_app_with_reader,
    make_real_time_chip,
)
from tests.support.ui.text_checks import check_all_texts_are_whole

pytestmark = pytest.mark.usefixtures("without_motion")
OPEN = "Aki, take the screen"


def begin(app: Any, *, paid: bool = True) -> None:
    """Egypt: Aki has two cards on the hand; 13.1 was paid, or so the companion has it, or else 12.1."""
    app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    session, store = app.evening.session, app.evening.store
    for tag, card in ((TAG_1, "13.1"), (TAG_2, "4.1"), (TAG_3, "5.1")):
        store.assign_tag(tag, "egypt", card)
    session.correct("box", "@1/hand", "card", 2, "dealt")
    session.correct("box", "bank", "card", 1, "paid")
    session.correct("unseen", "bank", "card 13.1" if paid else "card 12.1", 1, "paid")
    app.controller._show()


@pytest.fixture
async def hands(open_app: Any, tmp_path: Path) -> TagTable:
    """The bank of Egypt."""
    chip = make_real_time_chip()
    table = await open_app(make_app_with_reader(tmp_path / "state", chip))
    begin(table.app)
    await table.wait_frames()
    await table.tap("bank")
    return TagTable(table, chip)


def counts(hands: TagTable, *wheres: tuple[str, str]) -> list[int]:
    """What the ledger has there."""
    ledger = hands.table.app.evening.table.ledger
    return [ledger.find_account_by_keys(*where).count for where in wheres]


async def test_nobody_takes_a_screen_that_lies_on_the_table_to_count_cards(hands: TagTable) -> None:
    """The cover says who looks at the screen instead."""
    from ui import theme

    theme.is_read_from_all_sides = True
    await hands.table.tap("audit", "Aki")
    assert OPEN not in hands.table.texts()
    await hands.table.tap("Only Aki looks now")
    assert "compare" in [getattr(widget, "name", "") for widget in hands.table.widgets()]


async def test_a_hand_is_put_right(hands: TagTable) -> None:
    """A card that was paid is on the hand: named to its owner, put right with one touch, with its reason."""
    table = hands.table
    await table.tap("audit", "Aki", OPEN)
    for tag in (TAG_1, TAG_2, TAG_3):
        await hands.lay_and_lift(tag)
    assert "3" in table.texts()
    await table.tap("compare")
    assert any(text.startswith("card 13.1 is here, but it is recorded at bank.") for text in table.texts())
    await table.tap("fix elsewhere")
    assert "Everything matches the companion's records." in table.texts()
    assert counts(hands, ("Aki/hand", "card"), ("bank", "card"), ("bank", "card 13.1")) == [3, 0, 0]
    told = [render(entry.text) for entry in list_history_entries(table.app.evening.session)]
    assert told[-1] == "Corrected: 1 card from bank to Aki's hand, other moves, which are hidden (audit)"
    await table.tap("close")
    assert "Bank" in table.texts()
    assert table.app.controller._devices.tag_listener is None


async def test_all_that_is_clear_is_put_right_and_people_choose_the_rest(hands: TagTable) -> None:
    """Where a card went only people know: they touch the place."""
    table = hands.table
    await table.tap("audit", "Aki", OPEN)
    await hands.lay_and_lift(TAG_1)
    await table.tap("compare", "all")
    texts = [text.split("\n")[0] for text in table.texts() if "missing" in text]
    assert texts == ["2 cards are missing."]
    assert table.find("all").disabled
    await table.tap("fix missing", "at Ben/hand")
    assert "Everything matches the companion's records." in table.texts()
    assert counts(hands, ("Aki/hand", "card"), ("Ben/hand", "card")) == [1, 2]


async def test_tags_that_do_not_count_are_said(hands: TagTable) -> None:
    """Unknown and foreign tags are named behind the cover, and reading goes on or begins again."""
    table = hands.table
    table.app.evening.store.assign_tag("04FFFFFF", "mammon", "spy.1")
    await table.tap("audit", "Aki", OPEN)
    await hands.lay_and_lift("04FFFFFF")
    assert hands.page_message == "This tag belongs to spy, 1 of 2 in Mammon."
    await hands.lay_and_lift("04EEEEEE")
    assert hands.page_message == "Tag 04EEEEEE doesn't belong to a card yet."
    hands.chip.add_tag("88A2B3C4")
    await table.wait_until(lambda: "88A2B3C4" in hands.page_message)
    hands.chip.remove_tag("88A2B3C4")
    await hands.lay_and_lift(TAG_2)
    await table.tap("compare", "more")
    assert "1" in table.texts()
    await table.tap("again")
    assert "0" in table.texts()


async def test_a_reader_that_can_not_be_used_is_said(hands: TagTable) -> None:
    """Before anybody passes cards over it for nothing, and only as long as that is so."""
    table = hands.table
    hands.chip.unplug()
    await table.wait_until(lambda: "reader market" in table.app.controller._devices.lost_devices)
    await table.tap("audit", "Aki", OPEN)
    assert hands.page_message.startswith("The reader market ")
    hands.chip.plug_in()
    await table.wait_until(lambda: not hands.page_message)


async def test_a_page_that_goes_takes_the_tags_with_it(hands: TagTable) -> None:
    """Where the screen is built again, tags are the game's again, and nothing of the audit is left."""
    table = hands.table
    await table.tap("audit", "Aki", OPEN)
    await hands.lay_and_lift(TAG_1)
    table.app.stage.rebuild_screen()
    await table.wait_frames()
    assert table.app.controller._devices.tag_listener is None
    assert "Aki's cards" not in table.texts()


async def test_without_a_reader_or_without_cards(open_app: Any, tmp_path: Path) -> None:
    """Without a reader it says so; in a game without cards nobody is asked for any."""
    table = await open_app(make_test_app(tmp_path / "state"))
    begin(table.app)
    await table.wait_frames()
    await table.tap("bank", "audit", "Ben", "Ben, take the screen")
    assert "There is no reader. Add one to hardware.toml." in table.texts()
    table.app.controller.leave_table()
    table.app.controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    await table.wait_frames()
    await table.tap("bank")
    assert not any(getattr(widget, "name", "") == "audit" for widget in table.widgets())


async def test_nothing_of_it_is_on_the_shared_screen(open_app: Any, tmp_path: Path) -> None:
    """Two tables that differ in what was paid look alike at every step but the one behind the cover."""

    async def looks(*, paid: bool) -> tuple[list[tuple[list[str], bytes]], list[str]]:
        chip = make_real_time_chip()
        table = await open_app(make_app_with_reader(tmp_path / str(paid), chip))
        begin(table.app, paid=paid)
        await table.wait_frames()
        hands, seen = TagTable(table, chip), []

        async def look(*touches: str) -> None:
            await table.tap(*touches)
            picture = await table.take_screenshot(tmp_path / "look.png")
            seen.append((table.texts(), picture.read_bytes()))

        for touch in ("bank", "audit", "Aki", OPEN):
            await look(touch)
        await hands.lay_and_lift(TAG_1)
        await hands.lay_and_lift(TAG_2)
        await look()
        await table.tap("compare")
        found = table.texts()
        await look("close")
        table.app.stop()
        await table.running
        for left in table.window.children[:]:
            table.window.remove_widget(left)
        return seen, found

    (one, here), (other, there) = await looks(paid=True), await looks(paid=False)
    assert one == other
    assert here != there


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LONG_WORDS)
async def test_every_page_of_it_fits(open_app: Any, tmp_path: Path, lang: str, size: tuple[int, int]) -> None:
    """No text is cut, and every key is large enough."""
    from ui.widgets.keys.key import Key

    table = await open_app(make_app_with_reader(tmp_path / "state", SimulatedRc522(), lang=lang), size)
    begin(table.app)
    await table.wait_frames()
    from ui import theme

    least = theme.length.target - 0.5
    cover = table.app.tr("{name}, take the screen", name="Aki")
    for step in ("bank", "audit", "Aki", cover, "compare", "fix missing"):
        await table.tap(step)
        await table.wait_frames(4)
        check_all_texts_are_whole(table.widgets())
        for widget in table.widgets():
            if isinstance(widget, Key):
                assert min(widget.size) >= least, (step, widget.text, widget.size)
