"""Pieces are moved by hand under an open question, which is asked again where it no longer holds."""

import msgspec
import pytest

from companion.errors import NoLegalContinuation, RulesCrashed, UserError, WouldDeleteDrafts
from companion.games.sealed_bid.rulebook import GAME as SEALED_BID
from companion.requests import Amount, Choose, Together
from companion.rules.game import Game
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.testing import Script
from companion.texts import render, say
from tests.support.shop_game import BANK, COIN, PURSE, SHOP_GAME

FREE = msgspec.structs.replace(SHOP_GAME, has_free_moves=True)


def test_a_question_is_asked_anew_after_a_correction() -> None:
    """What it offers was computed before the correction; where that no longer holds, it is asked again."""
    script = Script(SHOP_GAME, "Aki", "Ben").says("Aki: buy", "Aki: buy")
    assert script.open_question_limits == {"options": {"pass": "pass"}}
    n = script.question_number
    settled = script.session.correct("bank", "Aki/purse", "coin", 1, "miscounted")
    assert (
        render(settled.why_asked_again or "")
        == "The choices have changed, so the companion asks the question again."
    )
    assert settled.moves_by_hand == []
    assert script.open_question_limits == {"options": {"buy": "buy", "pass": "pass"}}
    assert script.question_number == n + 1
    assert script["Aki/purse", "coin"] == 1
    script.says("restart")
    assert script.open_question_limits == {"options": {"buy": "buy", "pass": "pass"}}


def test_undo_takes_back_the_correction_that_came_last() -> None:
    """Also where it counts from before the last answer; redo puts it back there, a second undo the answer."""
    script = Script(SHOP_GAME, "Aki", "Ben").says(
        "Aki: buy", "Aki: buy", "correct 1 coin from bank to Aki/purse: so"
    )
    assert script.says("undo").open_question_limits == {"options": {"pass": "pass"}}
    assert script.history_texts == ["Aki: Turn 0 → buy", "Aki: Turn 1 → buy"]
    assert script.says("restart", "redo")["Aki/purse", "coin"] == 1
    assert script.open_question_limits == {"options": {"buy": "buy", "pass": "pass"}}
    assert script.says("restart", "undo", "undo").history_texts == ["Aki: Turn 0 → buy"]
    assert script.says("redo", "redo", "Aki: buy", "undo", "undo").history_texts == [
        "Aki: Turn 0 → buy",
        "Aki: Turn 1 → buy",
    ]


def test_going_back_past_a_correction_and_redoing_it() -> None:
    """Step by step each thing comes back where it stood in force."""
    script = Script(SHOP_GAME, "Aki", "Ben").says(
        "Aki: buy", "Aki: buy", "correct 1 coin from bank to Aki/purse: so"
    )
    told = script.history_texts
    assert script.says("back to 1", "redo", "redo", "redo").history_texts == told
    assert script.open_question_limits == {"options": {"buy": "buy", "pass": "pass"}}


def test_a_question_that_still_holds_stays_as_it_is() -> None:
    """Where nothing else would be offered, it keeps its number, and nothing is said."""
    script = Script(SHOP_GAME, "Aki", "Ben").says("Aki: buy")
    settled = script.session.correct("bank", "Aki/purse", "coin", 1, "miscounted")
    assert (settled.why_asked_again, script.question_number, script["Aki/purse", "coin"]) == (None, 2, 2)
    assert script.says("undo")["Aki/purse", "coin"] == 1


async def barter(table: Table) -> GameResult:
    """Aki says how many coins are spent, then on what; what can be spent was computed before."""
    purse, bank = table.account(COIN, PURSE, table.seats[0]), table.account(COIN, BANK)
    table.supply_from_box(purse, 3)
    for turn in range(3):
        most = purse.count
        often = {str(count): say("{n} coins", n=count) for count in range(most + 1)}
        count = int(await Choose(table.seats[0], say("Turn {n}: how many?", n=turn), dict(often)))
        if (
            await Choose(table.seats[0], say("Turn {n}: sure?", n=turn), {"yes": say("yes"), "no": say("no")})
            == "yes"
        ):
            table.move(purse, bank, count)
    return rank_seats(table.seats, lambda _: 0, lambda _: ())


BARTER = Game("barter", 1, say("Barter"), (2, 3), barter)


def test_an_answer_that_no_longer_fits_is_taken_back() -> None:
    """A question that can't stand after a correction goes back one, and says which answer is asked again."""
    script = Script(BARTER, "Aki", "Ben").says("Aki: 0", "Aki: no", "Aki: 3")
    settled = script.session.correct("Aki/purse", "bank", "coin", 2, "lost")
    assert render(settled.why_asked_again or "") == (
        "This answer is no longer possible, so the companion asks the question again: Aki: Turn 1: how "
        "many? → 3 coins"
    )
    assert script.question_log_key == "Choose Aki: Turn 1: how many?"
    assert script.open_question_limits == {"options": {"0": "0 coins", "1": "1 coins"}}
    script.says("restart", "Aki: 1", "Aki: yes")
    assert script["Aki/purse", "coin"] == 0
    assert script.history_texts[1:3] == [
        "Corrected: 2 coins from Aki to bank (lost)",
        "Aki: Turn 0: sure? → no",
    ]


def test_a_correction_with_which_the_game_could_not_go_on_is_refused() -> None:
    """Nothing moves where no answer taken back would help; the first question can't be asked again."""
    script = Script(SHOP_GAME, "Aki", "Ben")
    with pytest.raises(
        NoLegalContinuation,
        match="The game can't continue after that correction, so the correction wasn't made",
    ):
        script.session.correct("Aki/purse", "Ben/purse", "coin", 2, "lost")
    assert script["Aki/purse", "coin"] == 2
    assert script.says("Aki: buy")["Aki/purse", "coin"] == 1


def test_what_people_laid_somewhere_stays_there() -> None:
    """Where the last answer would move it again, the question stays as it is, though it would offer less."""

    async def tax(table: Table) -> GameResult:
        purse, other = table.account_by_seat(COIN, PURSE).values()
        bank = table.account(COIN, BANK)
        for one in (purse, other):
            table.supply_from_box(one, 6)
        for turn in range(2):
            await Choose(table.seats[0], say("Turn {n}", n=turn), {"pay": say("pay")})
            table.move(purse, bank, purse.count // 2)
            left = {str(purse.count): say("so many are left")}
            await Choose(table.seats[0], say("Turn {n}: left", n=turn), dict(left))
        return rank_seats(table.seats, lambda _: 0, lambda _: ())

    script = Script(Game("tax", 1, say("Tax"), (2, 3), tax), "Aki", "Ben").says("Aki: pay")
    settled = script.session.correct("Ben/purse", "Aki/purse", "coin", 2, "found")
    assert (
        settled.why_asked_again,
        script["Aki/purse", "coin"],
        list(script.open_question_limits["options"]),
    ) == (None, 5, ["3"])


def test_all_corrections_since_the_last_answer_count_before_it() -> None:
    """The question is asked again as of them together."""
    script = Script(SHOP_GAME, "Aki", "Ben").says("Aki: buy")
    script.says(
        "correct 1 coin from Ben/purse to Aki/purse: so", "correct 2 coin from Aki/purse to Ben/purse: so"
    )
    assert script.open_question_limits == {"options": {"pass": "pass"}}
    assert script.says("undo").open_question_limits == {"options": {"buy": "buy", "pass": "pass"}}
    assert script.says("undo")["Aki/purse", "coin"] == 1


def test_a_reveal_is_not_taken_back_by_a_correction() -> None:
    """Where the opened envelopes would have to be closed again, the correction is refused."""

    async def sale(table: Table) -> GameResult:
        purse, bank = table.account(COIN, PURSE, table.seats[0]), table.account(COIN, BANK)
        table.supply_from_box(purse, 3)
        for _ in range(2):
            await Choose(None, say("Ready?"), {"yes": say("yes")})
            held = purse.count
            bids = await Together(
                say("Bid"), {seat: Amount(seat, say("Bid"), 0, held) for seat in table.seats}
            )
            await Choose(None, say("Pay?"), {"yes": say("yes")})
            table.move(purse, bank, bids[table.seats[0]])
        return rank_seats(table.seats, lambda _: 0, lambda _: ())

    script = Script(Game("sale", 1, say("Sale"), (2, 3), sale), "Aki", "Ben").says(
        "table: yes", "Aki 3", "Ben 0"
    )
    with pytest.raises(NoLegalContinuation):
        script.session.correct("Aki/purse", "bank", "coin", 1, "lost")
    script.says("undo past a reveal", "correct 1 coin from Aki/purse to bank: lost")
    assert script.says("Aki 2", "Ben 0", "table: yes")["Aki/purse", "coin"] == 0


def test_every_earlier_moment_can_be_looked_at() -> None:
    """Where a question was asked again in between, or what waits to be redone was passed over, too."""
    script = Script(SHOP_GAME, "Aki", "Ben").says("Aki: pass", "Aki: buy", "Aki: buy", "Aki: pass")
    session = script.session
    session.amend_answer(1, "buy", go_back=True)
    script.says("Aki: pass")
    session.correct("bank", "Aki/purse", "coin", 1, "change", ask_again=True)
    script.says("Aki: buy")
    assert any(getattr(step, "rest", 0) for step in session.steps)
    assert any(getattr(step, "again", False) for step in session.steps)
    for kept, run in enumerate(session.replay_step_by_step(), 1):
        earlier = session.session_after_steps(kept)
        assert [step.n for step in earlier.steps] == [step.n for step in session.steps[:kept]]
        assert [one.count for one in earlier.table.ledger] == [one.count for one in run.table.ledger]


def test_asking_again_needs_an_answer_that_still_fits() -> None:
    """Where the last answer no longer fits, or none was given, nothing changes and the reason is said."""
    script = Script(SHOP_GAME, "Aki", "Ben")
    before = len(script.log)
    with pytest.raises(UserError, match="There is no earlier question"):
        script.session.correct("Aki/purse", "bank", "coin", 1, "lost", ask_again=True)
    script.says("Aki: buy", "Aki: buy")
    with pytest.raises(RulesCrashed):
        script.session.correct("Aki/purse", "Ben/purse", "coin", 1, "lost", ask_again=True)
    assert len(script.log) == before + 2
    assert script["Aki/purse", "coin"] == 0


def test_asking_again_opens_the_envelopes() -> None:
    """A sealed round that is asked again is sealed again; answers are deleted only where that is wanted."""
    script = Script(SEALED_BID, "Aki", "Ben", options={"start": "9"}).says(
        "Aki 1", "Ben 2", "table: again", "Ben 3"
    )
    before = len(script.log)
    with pytest.raises(WouldDeleteDrafts):
        script.session.correct("bank", "Ben/purse", "money", 1, "change", ask_again=True)
    assert (len(script.log), list(script.session.drafts)) == (before, [script.session.table.seats[1]])
    script.session.correct("bank", "Ben/purse", "money", 1, "change", ask_again=True, drop_drafts=True)
    assert not script.session.drafts


@pytest.mark.parametrize(("game", "taken"), [(FREE, True), (SHOP_GAME, False)])
def test_free_moves_need_no_reason(game: Game, taken: bool) -> None:
    """Where a game allows free moves, an empty reason is one; elsewhere it is refused."""
    script = Script(game, "Aki", "Ben")
    if taken:
        script.session.correct("Aki/purse", "Ben/purse", "coin", 2, "")
        assert script["Ben/purse", "coin"] == 4
        return
    with pytest.raises(UserError, match="A correction needs a reason"):
        script.session.correct("Aki/purse", "Ben/purse", "coin", 2, "")


def test_a_reason_is_one_line_everywhere() -> None:
    """Line breaks are no reason, free or not."""
    with pytest.raises(UserError, match="in one line"):
        Script(FREE, "Aki", "Ben").session.correct("Aki/purse", "Ben/purse", "coin", 1, "a\nb")


def test_a_correction_asks_again() -> None:
    """Where people say so, the question is asked again though it would have stood."""
    script = Script(SHOP_GAME, "Aki", "Ben").says("Aki: buy")
    script.says("correct 1 coin from Ben/purse to Aki/purse: found, asking again")
    assert script.question_number == 3
    assert list(script.open_question_limits["options"]) == ["buy", "pass"]
    script.says("Aki is now Dai")
    assert script.question_log_key == "Choose Dai: Turn 1"
