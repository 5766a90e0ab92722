"""A demonstration enters what people paid and moved by hand, and the numbers of a round, by touch."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from companion.games.any_game.rulebook import GAME
from companion.log.events import Corrected
from companion.table.moves import PieceMove
from companion.table.seats import SEAT_COLOURS
from companion.testing import Script
from tests.any_game_presets import read
from tests.support.games.any_game_helpers import COIN_CARD, begin_with_shipped_template, template_card
from tests.support.ui.app_helpers import answer_questions, make_test_app

pytestmark = pytest.mark.usefixtures("without_motion")
FOUR = ("Aki", "Ben", "Chie", "Dai")
MANY_COMPANIES = "\n".join(
    f"[[card]]\n{card}"
    for card in (
        COIN_CARD,
        *[template_card("company", f"line{number}", step_at=1) for number in range(1, 61)],
    )
)


@pytest.fixture
def demonstrate(open_app: Any, tmp_path: Path) -> Callable[..., Any]:
    """A function that begins a game with a built-in template, and returns a demonstration for it."""

    async def begin(template: str, *, names: tuple[str, ...] = FOUR) -> Any:
        from ui.demo.demo import Demonstration
        from ui.demo.hand import AnsweringHand, SimulatedFinger

        table = await open_app(make_test_app(tmp_path / "state"), (800, 480))
        table.app.controller.start_new_game(
            "any_game", names, SEAT_COLOURS[: len(names)], {"template": template}
        )
        await table.wait_frames()
        hand = AnsweringHand(table.app, SimulatedFinger(table.app, table.window))
        return Demonstration(table.app, hand, {}, None)

    return begin


def play_correction(script: Script, line: str) -> Corrected:
    """Plays a line that moves pieces; returns the event."""
    event = script.says(line).log[-1]
    assert isinstance(event, Corrected)
    return event


async def enter_correction(demonstration: Any, *corrections: Corrected) -> bool:
    """Has the hand enter the moves of these corrections as one; returns whether it did."""
    from ui.demo.hand import BankHand

    ledger = demonstration.app.evening.table.ledger
    moves = []
    for move in (move for correction in corrections for move in correction.moves):
        source, target = (
            ledger.find_account_by_keys(place, move.piece) for place in (move.source, move.target)
        )
        moves.append(PieceMove(source.piece, source.place, target.place, move.count))
    return await BankHand(demonstration.app, demonstration.finger).try_correction(moves)


def moves_by_step(demonstration: Any) -> list[Any]:
    """Returns the moves of each correction in the log of the window."""
    return [step.moves for step in demonstration.app.evening.current_session.steps]


@pytest.mark.sweep(4)
@pytest.mark.parametrize(
    ("template", "line"),
    [
        ("poker", "pay Aki Ben 37"),  # with change
        ("poker", "pay Aki pot 5"),
        ("streets", "pay all Aki 10"),
        ("streets", "pay Dai all 10"),
        ("shares", "pay Dai Forest Railway 600"),  # on another page
        ("shares", "correct 3 forest from bank to Dai/purse: "),
        ("streets", "correct 2 house from bank to Chie/purse: "),
    ],
)
async def test_payments_and_moves_of_one_piece_are_entered_in_the_bank(
    demonstrate: Callable[..., Any], template: str, line: str
) -> None:
    """The log of the window has the same moves as the record, and the bank is closed again."""
    names = FOUR[:2] if template == "poker" else FOUR  # nobody comes later to a table of two
    demonstration = await demonstrate(template, names=names)
    correction = play_correction(begin_with_shipped_template(template, *names), line)
    assert await enter_correction(demonstration, correction)
    assert moves_by_step(demonstration) == [correction.moves]
    assert demonstration.finger.can_tap("bank", demonstration.app.stage.screen.bar)


async def test_a_move_of_several_pieces_is_not_entered_by_touch(demonstrate: Callable[..., Any]) -> None:
    """The hand says so before it touches anything."""
    demonstration, script = await demonstrate("streets"), begin_with_shipped_template("streets", *FOUR)
    lines = [f"correct 1 {piece} from bank to Aki/purse: " for piece in ("house", "hotel")]
    assert not await enter_correction(demonstration, *[play_correction(script, line) for line in lines])
    assert moves_by_step(demonstration) == []


async def test_a_piece_without_room_in_its_purse_is_moved_too(
    demonstrate: Callable[..., Any], tmp_path: Path
) -> None:
    """With 60 companies the purse of the bank can't show the shares of all."""
    from ui.widgets.seats.purse import Purse

    (tmp_path / "state/templates").mkdir(parents=True)
    (tmp_path / "state/templates/many.toml").write_text(MANY_COMPANIES, encoding="utf-8")
    demonstration = await demonstrate("many")
    script = Script(GAME, *FOUR, decks={"any_game": read(MANY_COMPANIES, "many.toml")})
    correction = play_correction(script, "correct 2 line60 from bank to Ben/purse: ")
    assert await enter_correction(demonstration, correction)
    assert moves_by_step(demonstration) == [correction.moves]
    await demonstration.finger.tap_buttons("bank")
    widgets = demonstration.finger.walk_widgets_from_top()
    bank = next(
        widget for widget in widgets if isinstance(widget, Purse) and widget.place.key == correction.source
    )
    assert (len(bank.holdings), bank.centre_of_piece("line60")) == (61, None)


async def test_a_notice_of_what_happened_is_touched_first(
    demonstrate: Callable[..., Any],
) -> None:
    """Antes and blinds are so many events that a notice covers the small screen."""
    demonstration = await demonstrate("poker_tournament", names=(*FOUR, "Emi", "Fay"))
    controller = demonstration.app.controller
    answer_questions(controller, "done", *["blinds"] * 4)
    await demonstration.finger.wait_frames(3)
    for answer in ("round", "payment"):
        await demonstration.enter_answer(controller.view.question, answer)
    assert controller.view.question.text.template == "Who pays?"


async def test_the_numbers_of_a_round_are_typed(demonstrate: Callable[..., Any]) -> None:
    """Each player's numbers are typed on the pad of the round, in the order of the rows."""
    demonstration = await demonstrate("lowest")
    answer_questions(demonstration.app.controller, "write_round")
    await demonstration.finger.wait_frames(3)
    points = {"1": 7, "2": 0, "3": -12, "4": 26}
    await demonstration.enter_answer(demonstration.app.controller.view.question, points)
    assert demonstration.app.evening.current_session.steps[-1].answer == points
