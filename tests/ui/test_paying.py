"""Paying by amount in the bank: type it, draw from payer to payee, and the change is made by itself."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from companion.actions import UNDO
from companion.languages import languages
from companion.log.events import Answered, Corrected
from companion.table.seats import SEAT_COLOURS
from companion.table.seats import SEAT_COLOURS as COLOURS_OF_ALL
from tests.support.games.any_game_helpers import rules_card
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import NAMES, answer_questions, make_test_app
from tests.support.ui.screen_faults import find_faults
from tests.ui.test_every_screen import SIZES

pytestmark = pytest.mark.usefixtures("without_motion")


async def paying(home: Any, names: Sequence[str] = NAMES) -> Any:
    """The page, over the bank of a table with chips."""
    colours = COLOURS_OF_ALL[: len(names)]
    home.app.controller.start_new_game("any_game", names, colours, {"template": "poker"})
    if len(names) > 2:  # nobody comes later to a table of two
        answer_questions(home.app.controller, "done")
    await home.wait_frames()
    await home.tap("bank", "pay")
    return home


def tills(table: Any) -> dict[str, str]:
    """How much lies where, as it can be read."""
    found = [one for one in table.widgets() if type(one).__name__ == "MoneyPlaceTile"]
    return {till.name: till.amount for till in reversed(found)}


async def draw(table: Any, payer: str, payee: str) -> None:
    """A finger goes from one till to the other."""
    from kivy.tests.common import UnitTestTouch

    there = {till.name: till for till in table.widgets() if type(till).__name__ == "MoneyPlaceTile"}
    touch = UnitTestTouch(*there[payer].to_window(*there[payer].center))
    touch.touch_down()
    touch.touch_move(*there[payee].to_window(*there[payee].center))
    touch.touch_up()
    await table.wait_frames(2)


async def touch(table: Any, *names: str) -> None:
    """One till after the other."""
    for name in names:
        await draw(table, name, name)


async def test_an_amount_is_paid_in_one_stroke(home: Any) -> None:
    """Whatever chips it takes is one line of the history; people read which; undo takes back all of it."""
    await paying(home)
    before = tills(home)
    assert before["Aki"] == before["Ben"] != "0"
    await home.tap("3", "7")
    await draw(home, "Aki", "Ben")
    start = int(before["Aki"])
    after = tills(home)
    assert (after["Aki"], after["Ben"]) == (str(start - 37), str(start + 37))
    assert any("from Aki to Ben" in text for text in home.texts())
    playing = home.app.evening.current_session
    assert [type(step) for step in playing.steps] == [Answered, Corrected]
    home.app.controller.run_table_action(UNDO, {})
    await home.wait_frames()
    assert tills(home) == before


async def test_people_are_asked_about_an_unusually_large_amount(home: Any) -> None:
    """As in an answer: nothing is paid until it is confirmed."""
    home.app.controller.start_new_game("any_game", NAMES, SEAT_COLOURS, {"template": "plain"})
    await home.wait_frames()
    await home.tap("bank", "pay")
    before = tills(home)["Aki"]
    await home.tap(*"150000")
    await draw(home, "bank", "Aki")
    assert "150000 is an unusual number here. Is it right?" in home.texts()
    await home.tap("no")
    assert tills(home)["Aki"] == before
    await draw(home, "bank", "Aki")
    await home.tap("yes")
    assert int(tills(home)["Aki"]) == int(before) + 150000


async def test_one_till_is_touched_and_then_the_other(home: Any) -> None:
    """A second touch on the same lets it go; without an amount it is said what is missing."""
    await paying(home)
    await touch(home, "Aki", "Ben")
    assert "Type the amount first." in home.texts()
    await home.tap("5")
    await touch(home, "Ben")
    assert "Ben pays. Touch the player who gets the money." in home.texts()
    await touch(home, "Ben", "Aki", "Ben")
    assert int(tills(home)["Ben"]) - int(tills(home)["Aki"]) == 10


async def test_everybody_pays_one_and_is_paid(home: Any) -> None:
    """All of it in one go."""
    await paying(home)
    start = int(tills(home)["Aki"])
    await home.tap("2")
    await draw(home, "Everybody", "Aki")
    assert [int(tills(home)[name]) - start for name in NAMES] == [4, -2, -2]
    await home.tap("1")
    await draw(home, "Aki", "Everybody")
    assert [int(tills(home)[name]) - start for name in NAMES] == [2, -1, -1]
    steps = home.app.evening.current_session.steps
    assert [type(step) for step in steps] == [Answered, Corrected, Corrected]


async def test_who_has_left_for_good_is_not_among_everybody(home: Any) -> None:
    """By name they can be paid all the same."""
    names = [*NAMES, "Dai"]
    home.app.controller.start_new_game("any_game", names, COLOURS_OF_ALL[:4], {"template": "property"})
    session = home.app.evening.current_session
    session.answer(session.question_number, "out")
    session.answer(session.question_number, str(session.table.seats[1].number))
    await home.wait_frames()
    await home.tap("bank", "pay", "2")
    await draw(home, "Everybody", NAMES[0])
    assert [tills(home)[name] for name in names] == ["1504", "1500", "1498", "1498"]
    await home.tap("1")
    await draw(home, NAMES[0], "Everybody")
    assert [tills(home)[name] for name in names] == ["1502", "1500", "1499", "1499"]
    await home.tap("3")
    await draw(home, NAMES[0], NAMES[1])
    assert [tills(home)[name] for name in names] == ["1499", "1503", "1499", "1499"]


async def test_who_can_not_pay_is_told_and_nothing_moves(home: Any) -> None:
    """The sentence goes with the next touch."""
    await paying(home)
    before = tills(home)
    await home.tap("9", "9", "9", "9")
    await draw(home, "Aki", "Ben")
    assert any(text.startswith("Aki has only") for text in home.texts())
    assert tills(home) == before


MONEY = 'id = "coin"\nkind = "piece"\nstart = 10\nworth = 1\nsupply = 20'
RULES = rules_card(payments="yes", empty_bank="broken", debts=100)


async def test_debts_are_amounts_below_zero(open_app: Any, tmp_path: Path) -> None:
    """1830: a broken bank shows what it owes, and so does a purse with debts."""
    (tmp_path / "state/templates").mkdir(parents=True)
    text = f"[[card]]\n{MONEY}\n[[card]]\n{RULES}"
    (tmp_path / "state/templates/own.toml").write_text(text, encoding="utf-8")
    app = make_test_app(tmp_path / "state")
    table = await open_app(app)
    app.controller.start_new_game("any_game", NAMES, SEAT_COLOURS[: len(NAMES)], {"template": "own"})
    session = app.evening.current_session
    aki = str(session.table.seats[0].number)
    ben = str(session.table.seats[1].number)
    for answer in ("payment", "bank", aki, 50, "payment", aki, ben, 90, "pay"):
        session.answer(session.question_number, answer)
    await table.wait_frames()
    await table.tap("bank", "pay")
    assert tills(table) == {"Aki": "−30", "Ben": "100", NAMES[2]: "10", "bank": "−30", "Everybody": ""}


async def test_only_where_there_is_money_amounts_are_paid(home: Any) -> None:
    """A game without any has no such key."""
    home.app.controller.start_new_game("egypt", NAMES, SEAT_COLOURS, {})
    await home.wait_frames()
    await home.tap("bank")
    assert "pay" not in [getattr(widget, "name", "") for widget in home.widgets()]


LOOKS = [*product(SIZES, languages())] if SOAK else [(SIZES[0], "ja")]


@pytest.mark.parametrize(("size", "lang"), LOOKS)
async def test_nothing_is_wrong_with_the_page_for_amounts(
    open_app: Any, make_app_with_clock: Any, size: tuple[int, int], lang: str
) -> None:
    """Before and after a payment, and when one can't be."""
    table = await open_app(make_app_with_clock(lang), size)
    names = [f"Maximilian{at}" for at in range(10, 22)]
    await paying(table, names)
    found = find_faults(table, size)
    await table.tap("3", "7")
    await draw(table, *names[:2])
    found += find_faults(table, size)
    await draw(table, *names[:2])
    found += find_faults(table, size)
    assert not [fault for fault in found if "untranslated" not in fault], "\n".join(found)


# From player panel to player panel


async def drag_between_panels(table: Any, payer: int, payee: int) -> None:
    """A finger goes from one player's panel to another's."""
    from kivy.tests.common import UnitTestTouch

    first, last = (list(table.app.stage.screen.panels.values())[index] for index in (payer, payee))
    touch = UnitTestTouch(*first.to_window(*first.center))
    touch.touch_down()
    touch.touch_move(*last.to_window(*last.center))
    touch.touch_up()
    await table.wait_frames(3)


def money_of_seats(table: Any) -> list[int]:
    """The money of each seat."""
    money = table.app.evening.money_by_place().items()
    return [sum(one.piece.money_value * one.count for one in held) for place, held in money if place.seat]


async def play_poker(home: Any) -> Any:
    """The play screen of a table with chips."""
    home.app.controller.start_new_game("any_game", NAMES, COLOURS_OF_ALL[:3], {"template": "poker"})
    answer_questions(home.app.controller, "done")
    await home.wait_frames()
    return home


@pytest.mark.parametrize("layout", ["", "flat"])
async def test_a_drag_from_panel_to_panel_and_the_amount_pay_in_four_touches(home: Any, layout: str) -> None:
    """The drag, 3, 7 and Pay; one payment in the history, which undo takes back."""
    await play_poker(home)
    home.app.stage.screen.layout_name = layout
    await home.wait_frames(3)
    before = money_of_seats(home)
    await drag_between_panels(home, 0, 1)
    assert "Aki pays Ben" in home.texts()
    await home.tap("3", "7", "confirm")
    assert money_of_seats(home) == [before[0] - 37, before[1] + 37, before[2]]
    home.app.controller.run_table_action(UNDO, {})
    assert money_of_seats(home) == before


async def test_two_fingers_pay_nothing(home: Any) -> None:
    """Each touches a panel of its own: nobody drags from one to the other."""
    from kivy.tests.common import UnitTestTouch

    await play_poker(home)
    panels = [*home.app.stage.screen.panels.values()][:2]
    touches = [UnitTestTouch(*panel.to_window(*panel.center)) for panel in panels]
    for touch in touches:
        touch.touch_down()
    touches[0].touch_up()
    await home.wait_frames(3)
    assert "Ben pays Aki" not in home.texts()


async def test_a_payment_by_taps_takes_five(home: Any) -> None:
    """The payer's panel, Pay, 3, 7 and the receiver; then the table is there again."""
    await play_poker(home)
    before = money_of_seats(home)
    await home.tap("before Aki", "pay", "3", "7")
    await touch(home, "Ben")
    assert money_of_seats(home) == [before[0] - 37, before[1] + 37, before[2]]
    assert not tills(home)


async def test_the_payment_of_the_menu_takes_five(home: Any) -> None:
    """Payment, 3, 7, the payer and the receiver, in the words of a payment from panel to panel."""
    await play_poker(home)
    before = money_of_seats(home)
    await home.tap("Payment", "3", "7")
    await touch(home, "Aki")
    assert "Aki pays. Touch the player who gets the money." in home.texts()
    await touch(home, "Ben")
    assert money_of_seats(home) == [before[0] - 37, before[1] + 37, before[2]]
    assert not tills(home)
    assert isinstance(home.app.evening.current_session.steps[-1], Corrected)


async def test_other_ways_to_pay_are_asked_step_by_step(home: Any) -> None:
    """An amount that players share, or that somebody owes, is for the rules: a key of the page asks them."""
    await play_poker(home)
    await home.tap("Payment", "pay otherwise")
    assert not tills(home)
    assert home.app.controller.view.question.text.template == "Who pays?"


async def test_a_payment_of_the_menu_that_is_impossible_says_why(home: Any) -> None:
    """The page stays, with the amount to be typed again."""
    await play_poker(home)
    before = money_of_seats(home)
    await home.tap("Payment", *"99999")
    await touch(home, "Aki", "Ben")
    assert any("Aki has only" in text for text in home.texts())
    assert tills(home)
    assert money_of_seats(home) == before


async def test_a_payment_between_panels_that_is_impossible_says_why_and_moves_nothing(home: Any) -> None:
    """The payer hasn't that much."""
    await play_poker(home)
    before = money_of_seats(home)
    await drag_between_panels(home, 1, 2)
    await home.tap(*"9999999", "confirm")
    assert any("Ben" in text and "9999999" in text.replace(",", "") for text in home.texts())
    assert money_of_seats(home) == before


async def test_a_drag_between_panels_does_nothing_where_the_rules_say_who_pays(home: Any) -> None:
    """In a game that the companion knows, money moves by its rules, and by hand only with a reason."""
    home.app.controller.start_new_game("egypt", NAMES, COLOURS_OF_ALL[:3], {})
    await home.wait_frames()
    screen = home.app.stage.screen
    await drag_between_panels(home, 0, 1)
    assert home.app.stage.screen is screen
    assert not [one for one in home.widgets() if type(one).__name__ in ("NumberPad", "PayPage")]
