"""The card with the question: whole letters within it, in few lines, and each name once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest

from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events, replay_until
from companion.session.view import make_view
from companion.texts import render
from tests.support.games.script_helpers import repeat_step
from tests.support.ui.screen_variants import ScreenVariant
from tests.support.ui.text_checks import check_text_is_whole, ink_box_in_window
from tests.ui.test_every_table import RECORDED, called, laid

pytestmark = pytest.mark.usefixtures("without_motion")
LOOKS = [("flat", (800, 480)), ("flat", (480, 800)), ("flat", (1280, 720)), ("landscape", (800, 480))]
CASES = [
    (game, ScreenVariant(plan, size, lang))
    for game, lang, (plan, size) in product(RECORDED, ("en", "ja", "de"), LOOKS)
]
LEAST_MARGIN = 6 / 18
"""Least distance of the letters from the lower edge, as a share of the smallest letters: 6 px at 800×480."""
MAX_LINES_BESIDE_TOKEN = 3


def faults_of_card(banner: Any, view: Any, lang: str) -> Iterator[str]:
    """Yields what is wrong with the card of a question."""
    from ui import theme

    label = banner.question_label
    check_text_is_whole(label)
    margin = ink_box_in_window(label)[1] - banner.y
    if margin < LEAST_MARGIN * theme.length.smallest - 1:
        yield f"{label.text!r} ends {margin} px above the edge"
    lines = label._label.text.count("\n") + 1
    if banner.colour and not banner._is_stacked(banner.width) and lines > MAX_LINES_BESIDE_TOKEN:
        yield f"{label.text!r} has {lines} lines beside the token"
    asked = [render(seat, lang) for seat in view.question.seats]
    if any(
        banner.tag_label.text == name and label.text.startswith((f"{name},", f"{name}さん、"))
        for name in asked
    ):
        yield f"{label.text!r} has the name again"


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("game", "look"), CASES, ids=called)
async def test_every_question_of_a_recorded_match_has_room_on_its_card(
    open_app: Any, game: str, look: ScreenVariant
) -> None:
    """Letters end well above the lower edge, in at most three lines beside a token, with one name."""
    from ui.screens.play import PlayScreen

    table, match = await laid(open_app, look), load_recorded_events(game)
    session, faults, seen = replay_until(match, 0), set[str](), set[str]()
    table.app.stage.replace_screen(
        lambda: PlayScreen(view=make_view(session), scene_function=session.scene, layout_name=look.layout)
    )
    await table.wait_frames(2)
    play = table.app.stage.screen
    for step in build_timeline(match).steps:
        repeat_step(session, step)
        if session.question is None:
            break
        if (text := session.question.text.template) in seen:
            continue
        seen.add(text)
        play.view = make_view(session)
        await table.wait_frames(2)
        faults |= {*faults_of_card(play.question_banner, play.view, look.lang)}
    assert seen
    assert not faults, "\n".join(faults)
