"""A new kind of question needs no widget: the window takes the one for its field."""

from __future__ import annotations

from typing import Any

from companion.table.table import Table
from companion.texts import say
from tests.probes.dial import Dial


async def test_the_window_gives_its_numbers_keys(open_small_game: Any) -> None:
    """The keys are its limits and steps, and a way out says how it declines; the pad would have the same."""

    async def rules(table: Table) -> None:
        for seat in table.seats[:2]:
            await Dial(seat, say("Dial a number"))

    table, game = await open_small_game(rules)
    pad = game.play_screen.question_widget.pad
    assert (pad.least, pad.most, pad.step, pad.decline_text) == (0, 8, 2, "Skip")
    keys = game.play_screen.question_widget.number_keys
    assert (keys.numbers, keys.decline_text) == ((0, 2, 4, 6, 8), "Skip")
    await table.tap("4")
    await table.wait_frames()
    await table.tap("way out")
    await table.wait_frames()
    assert [told.answer for told in game.session.rulebook_run.answered_questions] == [4, None]
