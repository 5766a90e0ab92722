"""Half points on the real window, by touch: a chess match in rounds."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from companion.cards.deck_file import shipped_deck
from companion.games.any_game.rulebook import GAME
from companion.games.any_game.template import DECK
from companion.languages import languages
from companion.table.seats import SEAT_COLOURS
from tests.support.games.any_game_helpers import rules_card, template_card
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import answer_questions
from tests.support.ui.screen_faults import find_faults
from tests.ui.test_every_screen import SIZES
from tests.ui.test_open_round import rows
from tests.ui.test_score_sheet import cells

pytestmark = pytest.mark.usefixtures("without_motion")
PLAYERS = ("Spassky", "Fischer")
MATCH = rules_card(scoring="rounds", half_points="yes", fixed_sum="yes", round_sum=1, target=12.5)
SIX = ("Aki", "Ben", "Chie", "Dai", "Emi", "Fumi")


async def begun(table: Any, names: tuple[str, ...] = PLAYERS, rules: str = MATCH) -> Any:
    """A table at which people begin with half points."""
    controller = table.app.controller
    folder = controller.evening.store.directory / "templates"
    folder.mkdir(parents=True)
    text = "\n".join(f"[[card]]\n{card}" for card in (rules, template_card("category", "points")))
    (folder / "own.toml").write_text(text, encoding="utf-8")
    controller.start_new_game(GAME.key, names, SEAT_COLOURS[: len(names)], {"template": "own"})
    await table.wait_frames()
    return table


async def test_a_draw_is_two_touches_of_the_half_key(home: Any) -> None:
    """Each row shows ½, and the panels show the total with its change."""
    table = await begun(home)
    await table.tap("Round 1", "half", "Next", "half")
    assert rows(table) == {"Spassky": ("½", True), "Fischer": ("½", False)}
    await table.tap("Enter all answers", "1", "Next", "Enter all answers")
    standings = table.app.evening.table.score_so_far().standings
    assert {one.seat.name: str(one.total) for one in standings} == {"Spassky": "1½", "Fischer": "½"}


async def test_the_keys_of_a_half_below_zero(home: Any) -> None:
    """The half stays with the sign; delete takes the half first, and a digit replaces it."""
    table = await begun(home)
    await table.tap("Round 1", "3", "half", "sign")
    assert rows(table)["Spassky"] == ("−3½", False)
    await table.tap("delete")
    assert rows(table)["Spassky"] == ("−3", False)
    await table.tap("half", "4")
    assert rows(table)["Spassky"] == ("−34", False)


async def test_a_number_with_a_half_is_amended_on_the_score_sheet(home: Any) -> None:
    """The sheet has halves and the sums so far; the pad of the amendment has the half key, too."""
    table = await begun(home, rules=rules_card(scoring="rounds", half_points="yes"))
    for points in ({"1": 0.5, "2": 0.5}, {"1": 1, "2": 0}):
        answer_questions(table.app.controller, "write_round", points)
    await table.wait_frames()
    await table.tap("more", "score")
    assert cells(table) == [["½/½", "½/½"], ["1/1½", "0/½"], ["1½", "½"]]
    await table.tap("cell 1 1")
    assert "Current answer: Fischer: points → 0" in table.texts()
    await table.tap("1", "half", "confirm")
    assert cells(table) == [["½/½", "½/½"], ["1/1½", "1½/2"], ["1½", "2"]]


async def test_without_half_points_there_is_no_half_key(home: Any) -> None:
    """Templates of whole points look as before."""
    table = await begun(home, rules=rules_card(scoring="rounds"))
    await table.tap("Round 1")
    assert table.find("confirm").parent.children == [table.find("confirm"), table.find("menu")]


@pytest.mark.usefixtures("home")
async def test_half_points_are_switched_on_in_the_form_of_a_template() -> None:
    """Then the target takes a half, by typing or by steps; before, it was whole."""
    from ui.questions.card_form import CardValuesForm

    form = CardValuesForm(shipped_deck(DECK), {"kind": "rules", "name": "rules"})
    assert form.dials["target"].step_size == 1
    form.dials["half_points"].count = 1
    dial = form.dials["target"]
    dial.change_count_by_steps(25)
    assert dial.number.number.text == "12½"
    assert form.values["target"] == 12.5


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("size", "lang"), [*product(SIZES, languages())] if SOAK else [(SIZES[0], "en"), (SIZES[0], "ja")]
)
@pytest.mark.parametrize("names", [PLAYERS, SIX] if SOAK else [SIX])
async def test_nothing_is_wrong_with_a_round_of_half_points(
    open_app: Any, make_app_with_clock: Any, names: tuple[str, ...], size: tuple[int, int], lang: str
) -> None:
    """Menu, round, sum and score sheet have room for every number."""
    rules = rules_card(scoring="rounds", half_points="yes", fixed_sum="yes", round_sum=9_999_999.5)
    table = await begun(await open_app(make_app_with_clock(lang), size), names, rules)
    found = find_faults(table, size)
    points = {str(seat): 8_888_888.5 for seat in range(1, len(names) + 1)}
    for answer in ("write_round", points, "keep", "write_round"):
        answer_questions(table.app.controller, answer)
        await table.wait_frames()
        found += find_faults(table, size)
    assert not [fault for fault in found if "untranslated" not in fault], "\n".join(found)
