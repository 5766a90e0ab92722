"""Sealed rounds on the real window, by touch: the ritual, the reveal, the score, and what undo asks first."""

from __future__ import annotations

import gc
import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from companion.texts import say
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.app_to_kill import describe_state
from tests.support.ui.screen_faults import find_faults
from tests.support.ui.screen_sizes import SIZES_AND_LANGUAGES
from tests.support.ui.sealing import is_sealed_answer_screen_open, seal_bid_by_touch
from tests.support.ui.text_checks import check_all_texts_are_whole

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.usefixtures("without_motion")


@pytest.fixture
async def table(open_app: Any, tmp_path: Path) -> Any:
    """An empty shelf of saved games, in English at 800×480."""
    return await open_app(make_test_app(tmp_path / "state", lang="en"))


@pytest.fixture
async def sealed(table: Any) -> Any:
    """Three people at their envelopes."""
    await table.tap("Sealed bid", "more players", "Begin")
    return table


def seals(table: Any) -> dict[str, str]:
    """The letters on everybody's envelope, as the view has them."""
    return {each.seat.name: each.seal for each in table.app.controller.view.envelopes}


async def reveal(table: Any) -> Any:
    """The ceremony, once everything is open."""
    await table.wait_until(lambda: "Go on" in table.texts())
    return table.app.table_flow.last_reveal_screen


async def test_a_whole_game_from_the_shelf_to_the_final_score(table: Any) -> None:
    """New game, a round under cover, the final score with a total that opens, and away."""
    await table.tap("Sealed bid", "Begin")
    await seal_bid_by_touch(table, "Player 1", 5)
    await seal_bid_by_touch(table, "Player 2", 12)
    ceremony = await reveal(table)
    assert {"5", "12", "Player 2 wins with 12.", "To pay: Player 2: 12."} <= set(table.texts())
    assert [bar.is_winner for bar in ceremony.bars.values()] == [False, True]
    assert not find_faults(table, table.window.size)
    await table.tap("Go on", "finish", "sure")
    await table.wait_until(lambda: "Player 2 wins!" in table.texts())
    await table.tap("Player 2")
    assert {"rounds won", "paid", "Total", "12"} <= set(table.texts())
    await table.tap("Close", "put away")
    saved = table.app.evening.store.all_saved_games()
    assert [(each.state, each.result["winners"]) for each in saved] == [("finished", ["Player 2"])]


async def test_a_closed_envelope_shows_the_letters_of_its_seal_only_when_asked(sealed: Any) -> None:
    """The cover of its owner has them; the row of envelopes says who is missing."""
    await seal_bid_by_touch(sealed, "Player 2", 42)
    letters = seals(sealed)["Player 2"]
    assert [each for each in seals(sealed).values() if each] == [letters]
    assert not [text for text in sealed.texts() if letters in text]
    assert "Pass the screen on. Not answered yet: Player 1, Player 3" in sealed.texts()
    await sealed.tap("Player 2")
    assert f"Seal: {letters}" in sealed.texts()
    await sealed.tap("Player 2, take the screen", "not now", "Player 1")
    assert not [text for text in sealed.texts() if "Seal:" in text]


def traces(table: Any, amount: int) -> list[Any]:
    """The amount on the screen, and the pads with it that are still in memory."""
    from ui.widgets.keys.number_pad import NumberPad

    pads = [each for each in gc.get_objects() if issubclass(type(each), NumberPad)]
    return [
        *[text for text in table.texts() if str(amount) in text],
        *[
            pad
            for pad in pads
            if pad.amount == amount or str(amount) in pad.confirm_key.text + pad.amount_label.text
        ],
    ]


async def test_nothing_of_an_amount_is_left_when_its_envelope_is_closed(sealed: Any) -> None:
    """Not on the screen, and on no pad that is still in memory."""
    await seal_bid_by_touch(sealed, "Player 1", 731)
    assert not traces(sealed, 731)


async def test_nothing_of_an_amount_is_left_when_nobody_has_answered(sealed: Any) -> None:
    """Whoever gives the screen back after a look leaves no more on it than who has answered."""
    await sealed.tap("Player 1", "Player 1, take the screen", "7", "3", "1")
    assert traces(sealed, 731)
    assert "Seal 731" in sealed.texts()
    await sealed.tap("not now")
    assert not traces(sealed, 731)
    assert not any(seals(sealed).values())


async def test_an_envelope_may_be_filled_anew_until_all_are_in(sealed: Any) -> None:
    """The cover comes again; the last amount counts; a change of mind leaves the envelope as it was."""
    await seal_bid_by_touch(sealed, "Player 1", 4)
    before = seals(sealed)["Player 1"]
    await sealed.tap("Player 1")
    assert "Your envelope is sealed. Press to change your answer." in sealed.texts()
    await sealed.tap("Player 1, take the screen", "9", "not now")
    assert seals(sealed)["Player 1"] == before
    for name, bid in (("Player 1", 6), ("Player 2", 5), ("Player 3", 1)):
        await seal_bid_by_touch(sealed, name, bid)
    await reveal(sealed)
    assert {"Player 1 wins with 6.", "To pay: Player 1: 6."} <= set(sealed.texts())


async def is_refused_under_cover(sealed: Any) -> None:
    """Player 1 has typed something and reads why the envelope can't take it."""
    await sealed.tap("Player 1", "Player 1, take the screen", "5")
    controller = sealed.app.controller
    controller.seal_answer_in_envelope(controller.view.question_number, controller.view.seats[0], -1)
    await sealed.wait_frames(2)
    assert "Player 1 must answer at least 0." in sealed.texts()


async def test_what_an_envelope_cannot_take_is_said_only_under_the_cover(sealed: Any) -> None:
    """The envelope stays open, the sentence is gone with the cover."""
    await is_refused_under_cover(sealed)
    await sealed.tap("not now")
    assert "Player 1 must answer at least 0." not in sealed.texts()
    assert not any(seals(sealed).values())


async def test_a_refusal_under_the_cover_goes_with_the_next_touch(sealed: Any) -> None:
    """Who types another number is putting it right."""
    await is_refused_under_cover(sealed)
    await sealed.tap("6")
    assert "Player 1 must answer at least 0." not in sealed.texts()
    assert "56" in sealed.texts()


async def test_what_the_whole_table_must_hear_is_not_lost_under_a_cover(sealed: Any) -> None:
    """Nobody is entering yet, so it stands beside the question."""
    await sealed.tap("Player 1")
    sealed.app.table_flow.show_refusal(say("This could not be saved."))
    await sealed.wait_frames(2)
    assert "This could not be saved." in sealed.texts()


async def test_a_device_closes_its_envelope_while_another_is_being_filled(sealed: Any) -> None:
    """The row follows the view; whoever is entering is not disturbed."""
    await sealed.tap("Player 1", "Player 1, take the screen", "8")
    controller = sealed.app.controller
    controller.seal_answer_in_envelope(controller.view.question_number, controller.view.seats[2], 3)
    await sealed.wait_frames(2)
    assert is_sealed_answer_screen_open(sealed)
    await sealed.tap("confirm")
    await sealed.wait_until(lambda: not is_sealed_answer_screen_open(sealed))
    assert "Pass the screen on. Not answered yet: Player 2" in sealed.texts()


async def test_a_tie_is_named_and_nobody_glows(sealed: Any) -> None:
    """The sentence names those who tied; a lone winner would glow."""
    for name, bid in (("Player 1", 6), ("Player 2", 6), ("Player 3", 1)):
        await seal_bid_by_touch(sealed, name, bid)
    ceremony = await reveal(sealed)
    assert "Tie at 6: Player 1, Player 2. Nobody wins here; follow the rules of your game." in sealed.texts()
    assert not any(bar.is_winner for bar in ceremony.bars.values())


async def test_the_drum_roll_shows_nothing_and_a_touch_ends_it(
    sealed: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Until the envelopes open no amount can be read; then the bars are as high as the bids."""
    from ui import theme

    monkeypatch.setattr(theme, "reduced_motion", False)
    monkeypatch.setattr(theme, "REVEAL_PAUSE_SECONDS", 60.0)
    controller = sealed.app.controller
    for seat, bid in zip(controller.view.seats, (40, 20, 0), strict=True):
        controller.seal_answer_in_envelope(controller.view.question_number, seat, bid)
    await sealed.wait_frames(2)
    assert not {"40", "20"} & set(sealed.texts())
    ceremony = sealed.app.table_flow.last_reveal_screen
    ceremony.on_touch_down(None)
    await sealed.wait_frames(2)
    assert {"40", "20", "Player 1 wins with 40.\nTo pay: Player 1: 40."} <= set(sealed.texts())
    assert [(bar.bid_share, bar.is_winner) for bar in ceremony.bars.values()] == [
        (1.0, True),
        (0.5, False),
        (0.0, False),
    ]


async def test_undo_asks_before_it_tears_envelopes_up(sealed: Any) -> None:
    """Left alone they stay closed; torn up they are open again."""
    await _round(sealed)
    await seal_bid_by_touch(sealed, "Player 1", 4)
    await seal_bid_by_touch(sealed, "Player 3", 5)
    closed = seals(sealed)
    await sealed.tap("undo")
    assert "2 sealed answers will be torn up." in sealed.texts()
    await sealed.tap("Keep it")
    assert seals(sealed) == closed
    await sealed.tap("undo", "Tear up")
    assert sealed.app.controller.view.question.kind == "Choose"


async def test_undo_past_a_reveal_asks_first(sealed: Any) -> None:
    """What was seen can't be unseen: only who says so gets there."""
    await _round(sealed)
    await sealed.tap("undo")
    n = sealed.app.controller.view.question_number
    await sealed.tap("undo")
    assert "Undo the reveal?" in sealed.texts()
    await sealed.tap("Keep it")
    assert sealed.app.controller.view.question_number == n
    await sealed.tap("undo", "Undo")
    assert sealed.app.controller.view.question.kind == "Together"
    assert not any(seals(sealed).values())


async def _round(table: Any) -> None:
    """A first round, and another begun."""
    controller = table.app.controller
    for seat in controller.view.seats:
        controller.seal_answer_in_envelope(controller.view.question_number, seat, seat.number)
    await reveal(table)
    await table.tap("Go on", "again")


async def test_undo_lists_what_to_move_back_by_hand(table: Any) -> None:
    """Each move is a line, until somebody says it is done."""
    controller = table.app.controller
    controller.start_new_game("egypt", ["Aki", "Ben", "Chie"], ["orange", "sky", "green"], {})
    plains: list[object] = ["1", True, 1, None, None, [{"values": {}}]]
    for plain in plains:
        controller.answer_question(controller.view.question_number, plain)
    await table.wait_frames()
    await table.tap("undo")
    assert {"Move these pieces on the table", "1 card from bank back to Aki's hand"} <= set(table.texts())
    await table.tap("All moved")
    assert "Move these pieces on the table" not in table.texts()


@pytest.mark.sweep(1)
@pytest.mark.parametrize("game", ["sealed_bid", "egypt"])
async def test_a_killed_evening_goes_on_where_it_stood(open_app: Any, tmp_path: Path, game: str) -> None:
    """SIGKILL in a sealed bid and in an auction: same question, same envelopes under the same seals."""
    from ui.questions.sealed_round import EnvelopeKey

    state = tmp_path / "state"
    victim = subprocess.Popen(  # noqa: ASYNC220 nothing else runs meanwhile
        [sys.executable, ROOT / "tests/support/ui/app_to_kill.py", state, game],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert victim.stdout
    with victim, victim.stdout as said:
        before = json.loads(said.readline())
        victim.send_signal(signal.SIGKILL)
    table = await open_app(make_test_app(state, lang="en"))
    await table.tap("Continue")
    assert describe_state(table.app.controller.view) == before
    keys = [key for key in table.widgets() if isinstance(key, EnvelopeKey)]
    assert {key.name: key.seal for key in keys} == before["envelopes"]


@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LANGUAGES)
async def test_nothing_is_cut_for_five_people_with_long_names(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    """Row, reveal and final score, with the highest bids."""
    from ui import theme

    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    names = [
        "Maximilienne",
        "アレクサンドロス大王様さん"[:12],
        "Bartholomeus",
        "Wilhelmina W",
        "龍之介左衛門尉政宗公",
    ]
    controller = table.app.controller
    controller.start_new_game("sealed_bid", names, list(theme.PLAYER_LOOKS), {"most": "99999"})

    async def look() -> None:
        await table.wait_frames(3)
        check_all_texts_are_whole(table.widgets())

    await look()
    for seat in controller.view.seats:
        controller.seal_answer_in_envelope(controller.view.question_number, seat, 99_999)
    await table.wait_until(lambda: not table.app.table_flow.last_reveal_screen._steps)
    await look()
    table.app.table_flow.last_reveal_screen.close()
    controller.answer_question(controller.view.question_number, "finish")
    table.app.stage.screen.turn_up_all_cards()
    await look()
