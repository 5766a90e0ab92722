"""The row of envelopes, as large as the screen lets it be."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.screen_sizes import SIZES
from tests.support.ui.text_checks import check_text_is_whole

SHORT = ["Aki", "Ben", "ちえ", "大輔", "Emma"]
LONG = ["Maximilienne", "アレクサンドロス大王様さ", "Bartholomeus", "Wilhelmina W", "龍之介左衛門尉政宗公"]


@pytest.mark.sweep(3)
@pytest.mark.parametrize(
    "names",
    [SHORT[:2], SHORT[:3], SHORT[:4], SHORT, LONG],
    ids=["two", "three", "four", "five", "five with long names"],
)
@pytest.mark.parametrize("size", SIZES)
async def test_an_envelope_in_the_row_can_be_read_at_arms_length(
    open_app: Any, tmp_path: Path, size: tuple[int, int], names: list[str]
) -> None:
    """Each is a target with a whole name, and its owner's token is inside, larger than small print."""
    from ui import theme
    from ui.questions.sealed_round import EnvelopeKey

    table = await open_app(make_test_app(tmp_path / "state", lang="en"), size)
    controller = table.app.controller
    controller.start_new_game("sealed_bid", names, list(theme.PLAYER_LOOKS)[: len(names)], {})
    for seat in controller.view.seats[1:]:
        controller.seal_answer_in_envelope(controller.view.question_number, seat, 7)
    await table.wait_frames(4)
    for key in (each for each in table.widgets() if isinstance(each, EnvelopeKey)):
        x, y, across, tall = key.body_box()
        assert min(across, tall) >= theme.length.target
        check_text_is_whole(key.name_label)
        piece = key.token_box()
        assert min(piece[2:]) >= theme.length.smallest
        assert x <= piece[0] <= piece[0] + piece[2] <= x + across
        assert y <= piece[1] <= piece[1] + piece[3] <= y + tall


@pytest.mark.parametrize("size", SIZES)
async def test_the_row_leaves_room_for_its_sentence(
    open_app: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    """Who is still missing stands below it, and no flap reaches what is above."""
    from ui import theme

    table = await open_app(make_test_app(tmp_path / "state", lang="ja"), size)
    table.app.controller.start_new_game("sealed_bid", LONG, list(theme.PLAYER_LOOKS), {})
    table.app.controller.seal_answer_in_envelope(
        table.app.controller.view.question_number, table.app.controller.view.seats[0], 7
    )
    await table.wait_frames(4)
    question = table.app.stage.screen.question_widget
    check_text_is_whole(question.sentence)
    assert question.y <= question.sentence.y
    assert question.sentence.top <= question.row.y
    assert question.row.top <= question.top
