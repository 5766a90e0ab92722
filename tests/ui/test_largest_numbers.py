"""The largest numbers of Any Game on the real window: each is whole, at every size, for few and for many."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.any_game.limits import MAX_AMOUNT, MAX_VALUE_OF_ONE
from companion.games.any_game.rulebook import GAME
from companion.log.log import MemoryLog
from companion.requests import Raise, Together
from companion.session.session import Session
from tests.any_game_presets import read
from tests.support.games.any_game_helpers import rules_card, template_card
from tests.support.long_names import PEOPLE
from tests.support.ui.screen_variants import ScreenVariant
from tests.ui.test_every_table import LOOKS, called, check_table, laid

pytestmark = pytest.mark.usefixtures("without_motion")
LARGEST = (
    template_card("piece", "chip", start=MAX_AMOUNT, note=1, worth=1),
    template_card("piece", "plaque", start=9, note=MAX_VALUE_OF_ONE, worth=MAX_VALUE_OF_ONE),
    template_card("place", "pot"),
    template_card("category", "points"),
    template_card("category", "bonus"),
)
"""Chips and plaques as in a tournament, where one player holds all of both."""


@pytest.mark.sweep(1)
@pytest.mark.parametrize("look", LOOKS, ids=called)
@pytest.mark.parametrize("people", [2, 4, 8, 12])
async def test_the_largest_numbers_fit(open_app: Any, people: int, look: Any) -> None:
    """Purses, bids, the points of rounds, their sums and what is missing, with a sign where they have one."""
    look = ScreenVariant(*look)
    said = rules_card(scoring="rounds", payments="yes", auction="open", fixed_sum="yes")
    text = "\n".join(f"[[card]]\n{one}" for one in (*LARGEST, said))
    session = Session.begin(
        GAME, PEOPLE[look.lang][:people], {}, MemoryLog(), deck_by_name={"any_game": read(text, "own.toml")}
    )
    table = await laid(open_app, look)
    await check_table(table, session, look, may_leave_out=True)
    session.answer(1, "auction")
    session.answer(session.question_number, MAX_AMOUNT - 1)
    await check_table(table, session, look, may_leave_out=True)
    while isinstance(session.question, Raise):
        session.answer(session.question_number, None)
    for sign in (-1, 1, -1):
        session.answer(session.question_number, "write_round")
        while isinstance(session.question, Together):
            for seat in session.question.parts_by_seat:
                session.put_answer_in_envelope(session.question_number, seat, sign * MAX_AMOUNT)
            if sign < 0:
                await check_table(table, session, look, may_leave_out=True)
            session.answer(session.question_number, "keep")
    await check_table(table, session, look, may_leave_out=True)
