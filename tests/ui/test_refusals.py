"""What is refused: a sentence that says why, and nothing else on the screen that changes for it."""

from __future__ import annotations

from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest

from companion.requests import Amount, Choose, DetailedOption, Together
from companion.table.table import Table
from companion.texts import say
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions
from tests.support.ui.layout_shift import check_nothing_moves, touch_middle
from tests.support.ui.screen_faults import find_cut_texts

pytestmark = pytest.mark.usefixtures("without_motion")
WHY = "Emmanuelle can't do that: nothing of what it costs lies there, and nobody may lend any of it."
SIZES = [(800, 480), (480, 800), (1280, 720)]


async def menu(table: Table) -> None:
    """One of sixty, most of which can't be chosen now."""
    why = say("{seat} can't do that: nothing of what it costs lies there.", seat=table.seats[0])
    options = {
        str(at): DetailedOption(
            say("Thing {n}", n=at), gain=say("counts"), barred_reason=why if at % 3 else None
        )
        for at in range(60)
    }
    await Choose(
        table.seats[0],
        say("Which one?"),
        {**options, "none": DetailedOption(say("None of them"), is_decline_option=True)},
    )


@pytest.mark.sweep(1)
@pytest.mark.parametrize("plan", ["", "flat"])
@pytest.mark.parametrize("size", SIZES)
async def test_a_key_that_says_why_not_stays_under_the_finger(
    open_small_game: Any, size: Any, plan: str
) -> None:
    """On whatever page it stands: neither it nor any other thing moves, then or at the next touch."""
    table, game = await open_small_game(menu, size)
    game.play_screen.layout_name = plan
    await table.wait_frames(4)
    for page in range(3):
        keys = [
            key
            for key in game.play_screen.question_widget.keys.values()
            if key.looks_disabled and key.get_root_window()
        ]
        assert keys, page
        for key in keys[:2]:
            await check_nothing_moves(table, partial(touch_middle, table, key))
        await table.tap("page on")
    assert not game.answers


async def bank(home: Any) -> Any:
    """The page on which pieces are moved."""
    home.app.controller.start_new_game("any_game", NAMES, COLOURS, {"template": "train"})
    await home.wait_frames()
    await home.tap("bank")
    return page_of(home)


async def amending(home: Any) -> Any:
    """The page on which an answer is changed."""
    home.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    answer_questions(home.app.controller, "1", True, 7)
    await home.wait_frames()
    await home.tap("history", "event 2", "amend")
    return page_of(home)


async def paying(home: Any) -> Any:
    """The page on which an amount is paid."""
    home.app.controller.start_new_game("any_game", NAMES, COLOURS, {"template": "poker"})
    answer_questions(home.app.controller, "done")
    await home.wait_frames()
    await home.tap("bank", "pay")
    return page_of(home)


def page_of(table: Any) -> Any:
    """What lies over everything."""
    from ui.widgets.sheets.overlays import Overlay

    return next(one.content for one in table.widgets() if isinstance(one, Overlay))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("opened", [bank, amending, paying])
async def test_nothing_on_a_page_moves_for_what_is_refused(home: Any, size: Any, opened: Any) -> None:
    """It lies over the page until the next touch."""
    home.window.size = size
    await home.wait_frames(6)
    page = await opened(home)
    await home.wait_frames(4)

    async def refuse() -> None:
        page.show_refusal(WHY)

    await check_nothing_moves(home, refuse)


@pytest.mark.parametrize("name", ["Papadimitrakopoulosa", "Wolfgang"])
def test_a_long_name_is_whole_in_what_is_refused(kivy_window: Any, name: str) -> None:
    """Beside a narrow question the slip also lies over the keys, unless it has room for each word."""
    from kivy.uix.widget import Widget

    from ui.layouts.column import place_messages
    from ui.widgets.drawing.text import load_fonts
    from ui.widgets.sheets.messages import RefusalNotice, UndoneNotice

    load_fonts()
    slip = RefusalNotice(size_hint=(None, None))
    slip.text = f"{name}'s button OK has a loose wire. Fix the wire or let {name} use the screen."
    question, keys = Widget(pos=(72, 260), size=(223, 60)), Widget(pos=(303, 0), size=(341, 320))
    undone = UndoneNotice(size_hint=(None, None))
    parts: Any = SimpleNamespace(refusal=slip, undone=undone, question=question, answer_widget=keys)
    place_messages(parts)
    slip.do_layout()
    slip.label._fit(0)
    assert not [*find_cut_texts([slip.label])], slip.size
    assert slip.width == (question.width if name == "Wolfgang" else keys.right - question.x)


@pytest.mark.parametrize("width", range(120, 300, 20))
def test_a_slip_is_as_high_as_its_lines(kivy_window: Any, width: int) -> None:
    """Also where a name goes on below, because it is wider than any line."""
    from tests.support.ui.text_checks import ink_box_in_window
    from ui.widgets.drawing.text import load_fonts
    from ui.widgets.sheets.messages import RefusalNotice

    load_fonts()
    slip = RefusalNotice(size_hint=(None, None))
    slip.text = "Papadimitrakopoulosa's button: Papadimitrakopoulosa, Christopher or Papadimitrakopoulosa."
    slip.size = width, slip.min_and_preferred_height(width)[0]
    slip.do_layout()
    slip.label._fit(0)
    assert slip.y <= ink_box_in_window(slip.label)[1], slip.label.texture_size
    assert ink_box_in_window(slip.label)[3] <= slip.top, slip.label.texture_size


async def rounds(table: Table) -> None:
    """Points for everybody."""
    points = say("Points of the round")
    parts = {seat: Amount(seat, points, -99, 99) for seat in table.seats}
    await Together(points, dict(parts), is_open=True)


async def test_nothing_moves_on_a_round_over_everything(open_small_game: Any) -> None:
    """Where the rows have no room on the table they lie over it, and what is refused over their title."""
    table, game = await open_small_game(rounds, players=12)
    game.play_screen.layout_name = "flat"
    await table.wait_frames(3)
    await table.tap("unfold")

    async def refuse() -> None:
        game.play_screen.show_refusal(
            say("{seat} can't have that many points in one round.", seat=game.play_screen.view.seats[-1])
        )

    await check_nothing_moves(table, refuse)
