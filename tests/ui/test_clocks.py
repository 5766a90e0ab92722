"""Clocks on the real window: chosen in set-up, seen on the strips, stopped by touch, and what they do."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ui.cuts import check_whole
from tests.ui.evening import answer
from tests.ui.evening_table import seal
from tests.ui.shelf import LOOKS

TITLE = {"en": "Egypt", "ja": "エジプトの人買い"}
pytestmark = pytest.mark.usefixtures("nothing_moves")


class Seconds:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        """Now."""
        return self.now


@pytest.fixture
def seconds() -> Seconds:
    """The time of this evening."""
    return Seconds()


@pytest.fixture
def app_at(tmp_path: Path, locale: Path, seconds: Seconds) -> Any:
    """An app over one state directory, with that clock."""
    from companion.store import Store
    from ui.evening import Evening
    from ui.table import TableApp
    from ui.words import Words

    def make(lang: str = "en") -> Any:
        def opened() -> Evening:
            return Evening(Store.open(tmp_path / "state", playing=True), seconds=seconds)

        return TableApp(opened, Words(locale), lang=lang)

    return make


async def begin(table: Any, game: str, clocks: str, names: tuple[str, ...] = ("Aki", "Ben", "Chie")) -> Any:
    """A game with these clocks, begun without set-up."""
    from companion.clocks import read

    evening = table.app.evening
    options = {"pay_rule": "winning_bid"} if game == "egypt" else {}
    assert evening.begin(game, names, ("orange", "sky", "green")[: len(names)], options, read(clocks))
    await table.frames()
    return evening


async def auction(table: Any, clocks: str, *bids: int | None) -> Any:
    """Egypt with these clocks: Aki leads, the cards are dealt, and this is what was bid so far."""
    evening = await begin(table, "egypt", clocks)
    answer(evening, "1", True, *bids)
    return evening


async def to_the_clock(table: Any) -> None:
    """Turns the pages of set-up until the clock of the table is there."""
    while "clock of the table" not in [getattr(widget, "name", "") for widget in table.widgets()]:
        await table.tap("page on")


def check_texts(table: Any, *, topmost: bool = False) -> None:
    """No text that can be read is cut; `topmost`: of what lies over everything."""
    from ui.widgets.writing import Writing

    for widget in table.app.stage.children[0].walk() if topmost else table.widgets():
        if isinstance(widget, Writing) and widget.width and widget.height:
            check_whole(widget)


async def pass_time(table: Any, seconds: Seconds, some: float) -> None:
    """So many seconds go by, and the clock looks."""
    seconds.now += some
    table.app.evening.clockwork.tick()
    await table.frames()


def faces(table: Any) -> list[str]:
    """What stands on each strip's clock."""
    return [strip.time.text for strip in table.app.stage.screen.strips.values()]


async def test_a_clock_is_chosen_in_set_up(open_table: Any, app_at: Any) -> None:
    """Every game has a slip for the clock; what is chosen from its list runs in the game."""
    table = await open_table(app_at())
    await table.tap("Sealed bid", "Next")
    await to_the_clock(table)
    await table.tap("clock of the table", "15 minutes each, 10 s more a turn", "Begin")
    assert table.app.evening.clockwork.clocks
    assert faces(table) == ["15:00", "15:00"]


async def test_without_a_clock_there_is_no_pause(open_table: Any, app_at: Any) -> None:
    """Who plays without a clock sees none and finds no pause sign in the bar."""
    table = await open_table(app_at())
    await begin(table, "sealed_bid", "none")
    assert "pause" not in table.app.stage.screen.ids.foot.things
    assert faces(table) == ["", "", ""]


async def test_time_goes_on_the_strip_of_who_is_asked(open_table: Any, app_at: Any, seconds: Seconds) -> None:
    """The strip of who is asked counts down, the others show what they have; the game's in the heading."""
    table = await open_table(app_at())
    await auction(table, "Raise=20 answer, budget=5:00, game=1:00:00")
    await pass_time(table, seconds, 12.5)
    assert faces(table) == ["0:08", "5:00", "5:00"]
    assert table.app.stage.screen.ids.heading.text == "Egypt · Round 1 · daughter 4 · game 59:48"
    check_texts(table)


async def test_a_pause_stops_the_clocks_until_somebody_answers(
    open_table: Any, app_at: Any, seconds: Seconds
) -> None:
    """Paused by the sign in the bar, nothing runs; the sign that replaces it or an answer ends the pause."""
    table = await open_table(app_at())
    evening = await auction(table, "turn=1:00 ring")
    await table.tap("pause")
    await pass_time(table, seconds, 1000)
    assert faces(table) == ["1:00", "", ""]
    assert table.app.stage.screen.ids.heading.text.endswith("time stands still")
    await table.tap("go on")
    await pass_time(table, seconds, 20)
    assert faces(table) == ["0:40", "", ""]
    await table.tap("pause")
    await pass_time(table, seconds, 1000)
    evening.answer(3, 1)
    await pass_time(table, seconds, 5)
    assert faces(table) == ["", "0:55", ""]


async def test_a_ring_is_seen(open_table: Any, app_at: Any, seconds: Seconds) -> None:
    """Where silence only rings, a sentence says so, the question stays open, and the plate is red."""
    table = await open_table(app_at())
    evening = await auction(table, "turn=1:00 ring")
    await pass_time(table, seconds, 61)
    assert "Time is up, Aki." in table.texts()
    assert evening.view.n == 3
    assert [strip.time.warning for strip in table.app.stage.screen.strips.values()] == [True, False, False]
    check_texts(table)


async def test_silence_answers_and_a_late_press_is_dropped(
    open_table: Any, app_at: Any, seconds: Seconds
) -> None:
    """After its time the clock answers; who presses later presses for a question that is gone."""
    table = await open_table(app_at())
    evening = await auction(table, "Raise=20 answer", 1)
    await pass_time(table, seconds, 20)
    assert (evening.view.n, evening.view.question.asks) == (5, "Raise @3: chip 4")
    assert "Time is up, Ben." in table.texts()
    evening.answer(4, 7)
    assert evening.view.n == 5


async def test_silence_answers_behind_the_cover(open_table: Any, app_at: Any, seconds: Seconds) -> None:
    """Who holds the screen when time is up is answered for, and the cover goes; what is in stays in."""
    from tests.ui.evening_table import covered

    table = await open_table(app_at())
    evening = await begin(table, "sealed_bid", "Together=60 answer")
    await seal(table, "Ben", 7)
    await table.tap("Aki", "Aki, take the screen", "3")
    assert covered(table)
    await pass_time(table, seconds, 60)
    await table.until(lambda: not covered(table))
    told = evening.view.opened
    assert {seat.name: bid for seat, bid in told.answers.items()} == {"Aki": 0, "Ben": 7, "Chie": 0}


async def test_a_game_waits_with_its_clocks_standing_still(
    open_table: Any, app_at: Any, seconds: Seconds
) -> None:
    """Left and continued, the game has the time it had, and stands still until somebody answers."""
    table = await open_table(app_at())
    evening = await auction(table, "budget=5:00")
    await pass_time(table, seconds, 30)
    evening.leave()
    seconds.now += 1_000_000
    evening.resume()
    await table.frames()
    assert faces(table) == ["4:30", "5:00", "5:00"]
    assert evening.clockwork.paused
    evening.answer(3, 1)
    await pass_time(table, seconds, 30)
    assert faces(table) == ["4:30", "4:30", "5:00"]


async def to_the_limits(table: Any, game: str = "Egypt") -> None:
    """From home to the page with all clocks of a game."""
    await table.tap(game, "Next")
    await to_the_clock(table)
    await table.tap("clock of the table", "own")


async def test_a_table_sets_limits_of_its_own(open_table: Any, app_at: Any) -> None:
    """Each clock for itself, with its seconds and what silence means; the game begins with these."""
    table = await open_table(app_at())
    await to_the_limits(table)
    await table.tap("Raise", "Then an answer", "less minutes", *["more seconds"] * 4)
    sentence = "Each time somebody is asked for a higher bid.\n"
    assert f"{sentence}Silence passes or withdraws where one may; else it rings." in table.texts()
    await table.tap("take")
    assert "An open bid\n0:20, then an answer" in table.texts()
    await table.tap("lot", "Then an answer", *["more extension"] * 2, "take")
    await table.tap("game", "Only counted", "take")
    await table.tap("budget", "Then a ring", "type minutes", "1", "5", "confirm", "more increment", "take")
    await table.tap("take")
    assert "Limits of our own" in table.texts()
    await table.tap("Begin")
    expected = "lot=60 answer, game=up, budget=900 ring, Raise=20 answer, increment=5, extension=10"
    assert table.app.evening.limits()[0].text == expected


async def test_a_limit_is_taken_away_again(open_table: Any, app_at: Any) -> None:
    """Limits may begin as those of the list; where they end as some of the list, they are called so."""
    table = await open_table(app_at())
    await table.tap("Egypt", "Next")
    await to_the_clock(table)
    await table.tap("clock of the table", "20 s a bid, then no bid", "clock of the table", "own")
    assert "A sealed round\n1:00, then an answer" in table.texts()
    await table.tap("Together", "No limit", "take", "Raise", "close", "Raise", "No limit", "take")
    assert "An open bid\nno limit" in table.texts()
    await table.tap("take")
    assert "No clock" in table.texts()


async def test_limits_that_clash_are_refused_in_a_sentence(open_table: Any, app_at: Any) -> None:
    """No time at all, and more after a late bid than the whole lot: neither can be taken."""
    table = await open_table(app_at())
    await to_the_limits(table)
    await table.tap("turn", "Then a ring", "less minutes")
    why = "A limit is from 1 second to 24 hours."
    assert why in table.texts()
    assert table.find("take").disabled
    await table.tap("more seconds")
    assert why not in table.texts()
    assert not table.find("take").disabled
    await table.tap("take", "lot", "Then a ring", "type extension", "9", "0", "confirm")
    assert "The extension can be at most as long as the lot." in table.texts()
    check_texts(table)
    await table.tap("take")
    assert table.find("take").disabled
    await table.tap("close")
    assert "A lot\nno limit" in table.texts()


async def test_only_what_can_be_is_offered(open_table: Any, app_at: Any) -> None:
    """A game shows the kinds of questions it asks; where silence can't answer only a ring is offered."""
    table = await open_table(app_at())
    await to_the_limits(table, "Sealed bid")
    names = {getattr(widget, "name", "") for widget in table.find("take").parent.walk()}
    assert {"turn", "game", "budget", "Choose", "Together"} <= names
    assert not {"lot", "Raise", "Amount", "Counts", "Read", "Roll", "Done"} & names
    await table.tap("game")
    assert {"Only counted", "Then a ring"} <= set(table.texts())
    assert "Then an answer" not in table.texts()
    await table.tap("close", "Together")
    assert "Only counted" not in table.texts()
    assert "Then an answer" in table.texts()


def test_where_silence_can_not_answer_it_is_not_offered(kivy_window: Any) -> None:
    """The kinds of questions that only ring are those for which silence means nothing."""
    from companion.requests import KINDS, Request, Together
    from ui.screens.limits import ONLY_RINGS

    mute = {kind for kind, one in KINDS.items() if one.otherwise is Request.otherwise and one is not Together}
    assert set(ONLY_RINGS) == {"game", *mute}


def test_every_clock_is_told_in_words(kivy_window: Any, app_at: Any) -> None:
    """Each that can be set has a title and says what it counts; each that silence may answer says how."""
    from companion.clocks.settings import CLOCKS
    from companion.requests import KINDS
    from ui.screens.limits import may_be, meanings, silences, titles

    app, clocks = app_at(), {*CLOCKS, *KINDS}
    assert set(titles(app)) == set(meanings(app)) == clocks
    assert set(silences(app)) == {key for key in clocks if may_be(key, "answer")}


async def test_limits_are_changed_at_the_table(open_table: Any, app_at: Any, seconds: Seconds) -> None:
    """A game that goes on has other clocks from now on; they stand still until somebody goes on."""
    table = await open_table(app_at())
    evening = await auction(table, "")
    await table.frames()
    await table.tap("more", "limits", "turn", "Then a ring", "take", "take")
    assert evening.limits()[0].text == "turn=60 ring"
    assert evening.clockwork.paused
    await table.tap("go on")
    await pass_time(table, seconds, 100)
    assert "Time is up, Aki." in table.texts()
    await table.tap("more", "limits", "turn", "No limit", "take", "take")
    assert not evening.limits()[0]
    assert not evening.clockwork.timed


@pytest.mark.parametrize(("size", "lang"), [*LOOKS, ((720, 1280), "en")])
async def test_limits_fit_every_screen(
    open_table: Any, app_at: Any, size: tuple[int, int], lang: str
) -> None:
    """Nothing is cut on the page with all clocks, set as long as can be, and on pages of single ones."""
    from companion.clocks import read
    from companion.requests import KINDS
    from ui.screens.limits import ONLY_RINGS, Limits

    long = ", ".join(f"{kind}=23:59:55 {'ring' if kind in ONLY_RINGS else 'answer'}" for kind in KINDS)
    text = f"turn=20:59:55 answer, game=up, lot=23:59:55 answer, budget=23:59:55 answer, {long}"
    table = await open_table(app_at(lang), size)
    page = Limits(table.app, read(f"{text}, increment=3600, extension=3600").text, tuple(KINDS))
    page.open()
    await table.frames()
    check_texts(table, topmost=True)
    for key in ("lot", "budget", "Counts"):
        await table.tap(key)
        check_texts(table, topmost=True)
        await table.tap("close")


@pytest.mark.parametrize(("size", "lang"), LOOKS)
async def test_clocks_fit_every_screen(
    open_table: Any, app_at: Any, seconds: Seconds, size: tuple[int, int], lang: str
) -> None:
    """With all clocks at once nothing is cut, and the list of clocks in set-up isn't either."""
    table = await open_table(app_at(lang), size)
    tr = table.app.tr
    await table.tap(TITLE[lang], tr(lang, "Next"))
    await to_the_clock(table)
    check_texts(table)
    await table.tap("clock of the table")
    check_texts(table)
    evening = await begin(
        table, "egypt", "game=3:00:00, turn=2:00:00, budget=1:30:00", ("Wilhelmina M", "Ben", "Chie")
    )
    answer(evening, "1", True, 12)
    await pass_time(table, seconds, 3)
    assert faces(table)[1] == "1:29:57"
    check_texts(table)


@pytest.mark.parametrize("clocks", ["none", "turn"])
async def test_the_bar_has_room_for_a_pause(open_table: Any, app_at: Any, clocks: str) -> None:
    """Where a pause sign comes into the bar, piles of cards that have no room there lie with the rest."""
    from kivy.uix.behaviors import ButtonBehavior

    from companion.clocks import read

    table = await open_table(app_at())
    evening = table.app.evening
    assert evening.begin("oyakata", ("Aki", "Ben"), ("orange", "sky"), {}, read(clocks))
    await table.frames(6)
    tops = [
        widget.to_window(0, widget.top)[1] for widget in table.widgets() if isinstance(widget, ButtonBehavior)
    ]
    assert max(tops) <= 480
    piles, common = table.app.stage.screen.ids.piles, table.app.stage.screen.common
    assert len(piles.held) < 2
    assert piles.height <= piles.room
    assert common.things
