"""What home shows of the games that are really installed and saved."""

from __future__ import annotations

import time
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from companion.texts import say_plain_text
from companion.wall_clock import trusted_unix_time
from tests.support.ui.app_helpers import COLOURS, NAMES, make_test_app
from tests.support.ui.text_checks import check_text_is_whole


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another package is installed whose game can't be imported."""
    metadata = tmp_path / "stranger-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[companion.games]\ncrash = stranger_crash:GAME\n")
    (tmp_path / "stranger_crash.py").write_text("raise ValueError('no dice')\n")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("stranger")
async def test_a_broken_game_has_a_box_that_says_why_and_leads_nowhere(open_app: Any, tmp_path: Path) -> None:
    """Its lid is marked; touched, it tells the one sentence of its error, and the others can be played."""
    table = await open_app(make_test_app(tmp_path / "state"))
    assert {"crash", "Broken"} <= set(table.texts())
    await table.tap("crash")
    assert "The game crash can't be loaded: ValueError: no dice." in table.texts()
    await table.tap("Understood", "Egypt")
    assert "Begin" in table.texts()


def sides(lid: Any) -> set[int]:
    """How wide or high the pictures on a box are, as far as they are shown, in their own pixels."""
    from kivy.graphics import Rectangle

    drawn = [one.texture for one in lid.canvas.before.children if type(one) is Rectangle]
    return {round(side) for texture in drawn if texture for side in texture.size}


@pytest.mark.usefixtures("without_motion")
async def test_every_box_of_ours_has_its_picture(open_app: Any, tmp_path: Path) -> None:
    """Also the demo table; a box without one shows a card's back."""
    from ui.widgets.keys.game_box import GameBoxButton

    table = await open_app(make_test_app(tmp_path / "state"))
    lids = [each for each in table.widgets() if isinstance(each, GameBoxButton)]
    assert len(lids) >= 8
    assert [lid.text for lid in lids if 360 not in sides(lid)] == []
    lids[0].cover_path = ""
    await table.wait_frames()
    assert 480 not in sides(lids[0])


FRIDAY = datetime(2026, 11, 20, 20, 15).timestamp()  # noqa: DTZ001 as the clock on the wall there says


@pytest.mark.parametrize(
    ("clock", "lang", "since"),
    [
        (FRIDAY, "en", "last played 2026-11-20\u00a020:15"),
        (FRIDAY, "ja", "最後に遊んだのは2026/11/20\u00a020:15"),
        (None, "en", ""),
    ],
)
async def test_home_says_when_the_open_game_was_played_last(
    open_app: Any, tmp_path: Path, clock: float | None, lang: str, since: str
) -> None:
    """Also the next evening; where nobody knew the time it says nothing."""
    from companion.store import Store
    from ui.evening.controller import TableController

    first = TableController(Store.open(tmp_path / "state", for_writing=True), clock=lambda: clock)
    assert first.start_new_game("egypt", NAMES, COLOURS, {})
    first.close()
    table = await open_app(make_test_app(tmp_path / "state", lang=lang))
    assert table.app.stage.screen.ids.table.children[-1].last_played_text == since
    assert not since or since in table.texts()


def test_a_game_begun_without_a_clock_is_not_dated_by_the_one_before(tmp_path: Path) -> None:
    """What is remembered of another game says nothing of this one."""
    from companion.store import Store
    from ui.evening.controller import TableController

    times = iter([FRIDAY, None, None])
    controller = TableController(Store.open(tmp_path / "state", for_writing=True), clock=lambda: next(times))
    for _ in range(2):
        controller.start_new_game("egypt", NAMES, COLOURS, {})
    assert [controller.evening.last_played_at(saved) for saved in controller.evening.unfinished_games()] == [
        None,
        FRIDAY,
    ]
    controller.close()


def test_the_time_is_this_machines_or_unknown() -> None:
    """Never something in between: without a time server there is none."""
    before = time.time()
    told = trusted_unix_time()
    assert told is None or before <= told <= time.time()


async def test_six_boxes_stand_on_one_page(
    open_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Five games and the demo table are seen without paging, each lid large enough for its label."""
    from companion import installed_games
    from ui.widgets.keys.game_box import GameBoxButton

    egypt = installed_games.playable_game("egypt")
    four = [replace(egypt, key=f"game{n}", title=say_plain_text(f"Sailors of {n}")) for n in range(4)]
    monkeypatch.setattr(installed_games, "games", lambda: {game.key: game for game in (egypt, *four)})
    table = await open_app(make_test_app(tmp_path / "state"))
    table.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    table.app.controller.leave_table()
    await table.wait_frames()
    lids = [each for each in table.widgets() if isinstance(each, GameBoxButton)]
    assert len(lids) == 6
    for lid in lids:
        for writing in (lid.title_label, lid.audience_label):
            check_text_is_whole(writing)


async def test_the_last_three_groups_are_remembered(home: Any) -> None:
    """The latest first, each once however its people sit; not those of whom one has no name."""
    from ui.screens.set_up import NewGame

    flow = home.app.home_flow

    def play(*names: str) -> None:
        guests = tuple(zip((*names, "Emi"), (*COLOURS, "vermilion"), strict=False))
        called = tuple(name or "Player" for name in names)
        flow.begin_game(NewGame("sealed_bid", called, tuple(COLOURS[: len(names)]), {}, "none", guests))

    assert flow.recent_player_groups() == []
    play("Aki", "Ben")
    play("Aki", "")
    play("Aki", "Chie")
    play("Aki", "Dai")
    play("Ben", "Aki")
    play("Fumi", "Gen")
    assert [[name for name, _ in group] for group in flow.recent_player_groups()] == [
        ["Fumi", "Gen"],
        ["Ben", "Aki"],
        ["Aki", "Dai"],
    ]
