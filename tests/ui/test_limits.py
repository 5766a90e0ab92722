"""Time limits that a table sets by itself, on the real window: in set-up and while a game goes on."""

from __future__ import annotations

from typing import Any

import pytest

from tests.support.ui.clock_helpers import ManualSeconds, begin_egypt_auction, pass_time, turn_to_clock_page
from tests.support.ui.screen_sizes import SIZES_AND_LONG_WORDS
from tests.support.ui.text_checks import check_all_texts_are_whole

pytestmark = pytest.mark.usefixtures("without_motion")


async def to_the_limits(table: Any, game: str = "Egypt") -> None:
    """From home to the page with all clocks of a game."""
    await table.tap(game, "rules")
    await turn_to_clock_page(table)
    await table.tap("clock of the table", "own")


async def test_a_table_sets_limits_of_its_own(open_app: Any, make_app_with_clock: Any) -> None:
    """Each clock for itself, with its seconds and what silence means; the game begins with these."""
    table = await open_app(make_app_with_clock())
    await to_the_limits(table)
    await table.tap("Raise", "Auto-answer", "less minutes", *["more seconds"] * 4)
    sentence = "The time that a player has for making a higher bid.\n"
    silence = (
        "When time is up, the companion passes or withdraws for you if that is allowed. Otherwise a "
        "bell rings."
    )
    assert sentence + silence in table.texts()
    await table.tap("take")
    assert "Each open bid\n0:20, auto-answer" in table.texts()
    await table.tap("lot", "Auto-answer", *["more extension"] * 2, "take")
    await table.tap("game", "Only measure", "take")
    await table.tap("budget", "Ring a bell", "type minutes", "1", "5", "confirm", "more increment", "take")
    await table.tap("take")
    assert "Our own limits" in table.texts()
    await table.tap("Begin")
    expected = "lot=60 answer, game=up, budget=900 ring, Raise=20 answer, increment=5, extension=10"
    assert table.app.evening.current_session.clock_settings.as_text == expected


async def test_a_budget_has_an_increment_or_a_delay(open_app: Any, make_app_with_clock: Any) -> None:
    """One of the three is chosen, says what it does, and comes back as it was set."""
    table = await open_app(make_app_with_clock())
    await to_the_limits(table)
    await table.tap("budget", "Ring a bell", "more increment", "Delay")
    sentence = "Each player's time for the whole game. In every turn, the clock waits for the delay first."
    assert sentence in table.texts()
    await table.tap("take")
    assert "Time per player\n1:00, then a bell, delay 5" in table.texts()
    await table.tap("budget", "Bronstein delay", "more increment")
    assert (
        "Each player's time for the whole game. Every turn gives back the time it took, up to the delay."
        in table.texts()
    )
    await table.tap("take", "take")
    await table.tap("Begin")
    assert table.app.evening.current_session.clock_settings.as_text == "budget=60 ring, bronstein=10"


async def test_a_limit_is_taken_away_again(open_app: Any, make_app_with_clock: Any) -> None:
    """Limits may begin as those of the list; where they end as some of the list, they are called so."""
    table = await open_app(make_app_with_clock())
    await table.tap("Egypt", "rules")
    await turn_to_clock_page(table)
    await table.tap("clock of the table", "20 s per bid; too late means no bid", "clock of the table", "own")
    assert "Sealed round\n1:00, auto-answer" in table.texts()
    await table.tap("Together", "No limit", "take", "Raise", "close", "Raise", "No limit", "take")
    assert "Each open bid\nno limit" in table.texts()
    await table.tap("take")
    assert "No clock" in table.texts()


async def test_limits_that_clash_are_refused_in_a_sentence(open_app: Any, make_app_with_clock: Any) -> None:
    """No time at all, and more after a late bid than the whole lot: neither can be taken."""
    table = await open_app(make_app_with_clock())
    await to_the_limits(table)
    await table.tap("turn", "Ring a bell", "less minutes")
    why = "A limit can be from 1 second to 24 hours."
    assert why in table.texts()
    assert table.find("take").disabled
    await table.tap("more seconds")
    assert why not in table.texts()
    assert not table.find("take").disabled
    await table.tap("take", "lot", "Ring a bell", "type extension", "9", "0", "confirm")
    assert "The extension can't be longer than the time for a lot." in table.texts()
    check_all_texts_are_whole(table.widgets())
    await table.tap("take")
    assert table.find("take").disabled
    await table.tap("close")
    assert "Each lot\nno limit" in table.texts()


async def test_only_what_can_be_is_offered(open_app: Any, make_app_with_clock: Any) -> None:
    """A game shows the kinds of questions it asks; where silence can't answer only a ring is offered."""
    table = await open_app(make_app_with_clock())
    await to_the_limits(table, "Sealed bid")
    names = {getattr(widget, "name", "") for widget in table.find("take").parent.walk()}
    assert {"turn", "game", "budget", "Choose", "Together"} <= names
    assert not {"lot", "Raise", "Amount", "Counts", "Read", "Roll", "Done"} & names
    await table.tap("game")
    assert {"Only measure", "Ring a bell"} <= set(table.texts())
    assert "Auto-answer" not in table.texts()
    await table.tap("close", "Together")
    assert "Only measure" not in table.texts()
    assert "Auto-answer" in table.texts()


def test_where_silence_can_not_answer_it_is_not_offered(kivy_window: Any) -> None:
    """The kinds of questions that only ring are those for which silence means nothing."""
    from companion.requests import REQUEST_TYPE_BY_KIND, Request, Together
    from ui.screens.limits import CLOCKS_THAT_ONLY_RING

    mute = {
        kind
        for kind, one in REQUEST_TYPE_BY_KIND.items()
        if one.default_answer is Request.default_answer and one is not Together
    }
    assert set(CLOCKS_THAT_ONLY_RING) == {"game", *mute}


def test_every_clock_is_told_in_words(kivy_window: Any, make_app_with_clock: Any) -> None:
    """Each that can be set has a title and says what it counts; each that silence may answer says how."""
    from companion.clocks import CLOCK_KEYS
    from companion.requests import REQUEST_TYPE_BY_KIND
    from ui.screens.limits import (
        clock_explanations,
        clock_titles,
        is_timeout_mode_allowed,
        timeout_explanations,
    )

    app, clocks = make_app_with_clock(), {*CLOCK_KEYS, *REQUEST_TYPE_BY_KIND}
    assert set(clock_titles(app)) == set(clock_explanations(app)) == clocks
    assert set(timeout_explanations(app)) == {key for key in clocks if is_timeout_mode_allowed(key, "answer")}


async def test_limits_are_changed_at_the_table(
    open_app: Any, make_app_with_clock: Any, seconds: ManualSeconds
) -> None:
    """A game that goes on has other clocks from now on; they stand still until somebody goes on."""
    table = await open_app(make_app_with_clock())
    controller = await begin_egypt_auction(table, "")
    await table.wait_frames()
    await table.tap("more", "limits", "turn", "Ring a bell", "take", "take")
    assert controller.evening.current_session.clock_settings.as_text == "turn=60 ring"
    assert controller.ticker.are_clocks_paused
    await table.tap("go on")
    await pass_time(table, seconds, 100)
    assert "Time is up, Aki." in table.texts()
    table.app.stage.topmost_widget.close()
    await table.wait_frames(1)
    await table.tap("more", "limits", "turn", "No limit", "take", "take")
    assert not controller.evening.current_session.clock_settings
    assert not controller.ticker.has_clocks


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang"), [*SIZES_AND_LONG_WORDS, ((720, 1280), "en")])
async def test_limits_fit_every_screen(
    open_app: Any, make_app_with_clock: Any, size: tuple[int, int], lang: str
) -> None:
    """Nothing is cut on the page with all clocks, set as long as can be, and on pages of single ones."""
    from companion.clocks import parse_clocks
    from companion.requests import REQUEST_TYPE_BY_KIND
    from ui.pages import open_page
    from ui.screens.limits import CLOCKS_THAT_ONLY_RING, TimeLimitsPage

    long = ", ".join(
        f"{kind}=23:59:55 {'ring' if kind in CLOCKS_THAT_ONLY_RING else 'answer'}"
        for kind in REQUEST_TYPE_BY_KIND
    )
    text = f"turn=20:59:55 answer, game=up, lot=23:59:55 answer, budget=23:59:55 answer, {long}"
    table = await open_app(make_app_with_clock(lang), size)
    page = TimeLimitsPage(
        parse_clocks(f"{text}, bronstein=3600, extension=3600").as_text, tuple(REQUEST_TYPE_BY_KIND), str
    )
    open_page(page)
    await table.wait_frames()
    check_all_texts_are_whole(table.app.stage.topmost_widget.walk())
    for key in ("lot", "budget", "Counts"):
        await table.tap(key)
        check_all_texts_are_whole(table.app.stage.topmost_widget.walk())
        await table.tap("close")
