"""Two evenings that differ only in what is in the envelopes look alike until the reveal.

So do two tables that differ only in what lies covered, in every plan.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import installed_games
from companion.log.log import MemoryLog
from companion.rules.scene import ComputedCell, Scene, SeatMat, VisibleTable
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.seats import Seat
from companion.testing.noninterference import swap_covered_pieces
from companion.texts import say
from tests.games.test_scenes import answer
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.sealing import is_sealed_answer_screen_open

pytestmark = pytest.mark.usefixtures("without_motion")
Trace = list[tuple[list[str], bytes]]
Scenes = Callable[[Session], Scene | None]
PLANS = {"landscape": (1280, 720), "upright": (720, 1280), "flat": (1280, 720)}
COVERS = ("bidders", "high_bid", "oyakata")
"""Games in which things lie covered that can change places."""


@pytest.fixture
def twin(open_app: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Seals the bids it is given, one player after the other; gives all that the shared screen showed.

    Commitments are masked, since they follow from the values.
    """
    from companion.log.log import SealedDraft
    from ui import theme

    monkeypatch.setattr(theme, "REVEAL_PAUSE_SECONDS", 3600.0)
    monkeypatch.setattr(SealedDraft, "commitment", property(lambda draft: f"{draft.seat}abc" * 16))

    async def play(*bids: int) -> Trace:
        table = await open_app(make_test_app(tmp_path / str(bids), lang="en"))
        await table.tap("Sealed bid", "more players", "Begin")
        trace: Trace = []

        async def look() -> None:
            trace.append((table.texts(), (await table.take_screenshot(tmp_path / "look.png")).read_bytes()))

        for name, bid in zip(("Player 1", "Player 2"), bids, strict=False):
            await look()
            await table.tap(name)
            await look()
            await table.tap(f"{name}, take the screen", *str(bid), "confirm")
            await look()
            await table.tap(name)
            assert not is_sealed_answer_screen_open(table)
        await look()
        table.app.stop()
        await table.running
        for left in table.window.children[:]:
            table.window.remove_widget(left)
        return trace

    return play


async def test_twins_that_differ_in_sealed_bids_look_alike(twin: Callable[..., Any]) -> None:
    """Row, covers and closing envelopes: the same texts and the same pixels whatever is inside."""
    one, other = await twin(7, 950), await twin(123, 0)
    assert [texts for texts, _ in one] == [texts for texts, _ in other]
    assert [pixels for _, pixels in one] == [pixels for _, pixels in other]


async def test_twins_tell_a_leak(twin: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """An envelope that bulges by a pixel over a high bid is seen."""
    from ui.questions.sealed_round import SealedRoundWidget

    take = SealedRoundWidget._seal

    def bulge(self: Any, sealing: Any, seat: Any, plain: int) -> None:
        take(self, sealing, seat, plain)
        self.row.padding[0] += plain > 100

    monkeypatch.setattr(SealedRoundWidget, "_seal", bulge)
    one, other = await twin(7), await twin(123)
    assert [texts for texts, _ in one] == [texts for texts, _ in other]
    assert [pixels for _, pixels in one] != [pixels for _, pixels in other]


def covered_twins(game: str, seed: int) -> tuple[Session, Session]:
    """A game that was played for a while, twice, with something else under its covers."""
    log, rng = MemoryLog(), Random(seed)
    session = Session.begin(
        installed_games.playable_game(game),
        ("Aki", "Ben", "Chie")[: installed_games.playable_game(game).players[1]],
        {},
        log,
        seed=seed,
    )
    for _answer in range(30):
        answer(session, rng)
    one, other = (Session(session.game, list(log), MemoryLog(), salt=lambda: "0" * 32) for _twin in range(2))
    assert swap_covered_pieces(one, other, rng), "nothing lies covered"
    return one, other


@pytest.fixture
def pictures(open_app: Any) -> Callable[..., Any]:
    """What a plan shows of each of these sessions: its texts and its pixels.

    They are not drawn in the window, for a display may be smaller than an upright panel.
    """

    async def look(plan: str, scene: Scenes, *sessions: Session) -> list[tuple[list[str], bytes]]:
        from tests.support.ui.screen_sizes import make_bare_app
        from ui.screens.play import PlayScreen

        app: Any = make_bare_app(lang="en")
        table = await open_app(app, PLANS[plan])
        seen = []
        for one in sessions:
            app.stage.replace_screen(
                lambda one=one: PlayScreen(view=make_view(one), scene_function=scene(one), layout_name=plan)
            )
            await table.wait_frames(4)
            seen.append((table.texts(), app.stage.export_as_image().texture.pixels))
        return seen

    return look


@pytest.mark.sweep(2)
@pytest.mark.parametrize("plan", PLANS)
@pytest.mark.parametrize("game", COVERS)
async def test_tables_that_differ_in_what_lies_covered_look_alike(
    pictures: Callable[..., Any], game: str, plan: str
) -> None:
    """Purses, hands, face-down cards and bags: the same texts and the same pixels whatever lies there."""
    one, other = await pictures(plan, lambda session: session.scene, *covered_twins(game, 5))
    assert one == other


@pytest.mark.parametrize("plan", PLANS)
async def test_a_figure_that_leaks_is_seen(pictures: Callable[..., Any], plan: str) -> None:
    """A scene's number that is worked out from what lies covered differs in its pixels."""

    def leaking(session: Session) -> Scene:
        def rich(_: VisibleTable, seat: Seat | None) -> int:
            return sum(one.count for one in session.table.ledger if one.covered and one.place.seat == seat)

        return Scene(SeatMat(headline=ComputedCell(say("rich"), rich)))

    (_, one), (_, other) = await pictures(plan, leaking, *covered_twins("high_bid", 5))
    assert one != other
