"""Rounds of tricks with bids, bonus points and bags on the real window, by touch."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from companion.languages import languages
from companion.table.seats import SEAT_COLOURS
from tests.games.test_any_contracts import POINTS, SKULL_KING, SPADES
from tests.support.games.any_game_helpers import rules_card
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import answer_questions
from tests.support.ui.screen_faults import find_faults
from tests.ui.test_every_screen import SIZES

pytestmark = pytest.mark.usefixtures("without_motion")
SIX = ("Aki", "Ben", "Chie", "Dai", "Emi", "Fumi")


async def begun(table: Any, names: tuple[str, ...], said: dict[str, object]) -> Any:
    """A table at which people begin with these rules."""
    controller = table.app.controller
    folder = controller.evening.store.directory / "templates"
    folder.mkdir(parents=True)
    text = "\n".join(f"[[card]]\n{one}" for one in (rules_card(scoring="contract", **said), POINTS))
    (folder / "own.toml").write_text(text, encoding="utf-8")
    controller.start_new_game("any_game", names, SEAT_COLOURS[: len(names)], {"template": "own"})
    await table.wait_frames()
    return table


async def test_a_round_with_bonus_points_is_entered_and_checked(
    open_app: Any, make_app_with_clock: Any
) -> None:
    """Three numbers a player; the sum is off, so people enter them again, or keep them."""
    table = await begun(await open_app(make_app_with_clock("en"), (1280, 720)), ("Aki", "Ben"), SKULL_KING)
    await table.tap("Round 1")
    for bid, made, bonus in (("1", "1", "3 0"), ("0", "1", "0")):
        last = "Enter all answers" if bid == "0" else "Next"
        await table.tap(bid, "Next", made, "Next", *bonus.split(), last)
    question = "The tricks add up to 2, but this round has 1. Enter them again, or keep them?"
    assert question in table.texts()
    await table.tap("Keep")
    standings = table.app.evening.table.score_so_far().standings
    assert {one.seat.name: one.total for one in standings} == {"Aki": 50, "Ben": -10}


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang"), [*product(SIZES, languages())] if SOAK else [(SIZES[0], "ja")])
@pytest.mark.parametrize(("names", "said"), [(SIX, SKULL_KING), (SIX[:4], {**SPADES, "bids": "before"})])
async def test_nothing_is_wrong_with_a_round_of_a_contract(
    open_app: Any,
    make_app_with_clock: Any,
    names: tuple[str, ...],
    said: dict[str, object],
    size: tuple[int, int],
    lang: str,
) -> None:
    """Six people with three numbers each, four with bids and bags, and the question about the sum."""
    table = await begun(await open_app(make_app_with_clock(lang), size), names, said)
    found = find_faults(table, size)
    answers: list[object] = ["write_round"]
    if "bags" in said:
        answers += [{str(at): 3 for at in range(1, 5)}, {str(at): 2 for at in range(1, 5)}]
    else:
        answers += [{str(at): {"bid": 1, "made": 1, "bonus": 9_999} for at in range(1, 7)}]
    for one in (*answers, "keep"):
        answer_questions(table.app.controller, one)
        await table.wait_frames()
        found += find_faults(table, size)
    assert not [fault for fault in found if "untranslated" not in fault], "\n".join(found)
