"""People change, a game ends early, and the table goes back to an earlier answer."""

from pathlib import Path

import pytest

from companion.errors import UserError, WouldUndoReveal
from companion.games.sealed_bid.rulebook import GAME as SEALED_BID
from companion.log.events import Event, PutAway
from companion.log.log import MemoryLog
from companion.session.session import Session
from companion.session.view import make_view
from companion.store import Store
from companion.testing import Script
from tests.support.shop_game import SHOP_GAME


def reopened(session: Session, log: MemoryLog) -> Session:
    """The game as a program finds it that starts now."""
    return Session(session.game, list(log), log)


# Names


def test_a_seat_gets_another_name() -> None:
    """From then on everything says the new name, the history too; number, colour and pieces stay."""
    script = Script(SHOP_GAME, "Aki", "Ben").says("Aki: buy")
    session = script.session
    session.rename_player(session.table.seats[0], "Dai")
    assert [seat.name for seat in session.table.seats] == ["Dai", "Ben"]
    assert script.question_log_key == "Choose Dai: Turn 1"
    assert script.history_texts == ["Dai: Turn 0 → buy"]
    assert script["Dai/purse", "coin"] == 1
    assert script.says("restart", "Dai: buy")["Dai/purse", "coin"] == 0


def test_a_seat_is_renamed_by_its_number() -> None:
    """Who names it as it was called before means the same seat."""
    script = Script(SHOP_GAME, "Aki", "Ben")
    aki = script.session.table.seats[0]
    script.session.rename_player(aki, "Dai")
    script.session.rename_player(aki, "Emi")
    assert [seat.name for seat in script.session.table.seats] == ["Emi", "Ben"]


def test_closed_envelopes_stay_closed_under_another_name() -> None:
    """Who has sealed has still sealed, and the commitment is the same."""
    script = Script(SEALED_BID, "Aki", "Ben").says("Aki 4")
    before = [one.seal for one in make_view(script.session).envelopes]
    script.session.rename_player(script.session.table.seats[0], "Dai")
    assert [one.seal for one in make_view(script.session).envelopes] == before
    assert script.says("Ben 3").history_texts == ["Dai: 4, Ben: 3"]


@pytest.mark.parametrize(
    ("name", "why"),
    [("Ben", "Ben is used twice"), ("", "A name must have 1 to 20 characters"), ("a/b", "can't contain")],
)
def test_a_name_must_fit_the_table(name: str, why: str) -> None:
    """A name that is taken or can't be is refused, and nothing changes."""
    script = Script(SHOP_GAME, "Aki", "Ben")
    with pytest.raises(UserError, match=why):
        script.session.rename_player(script.session.table.seats[0], name)
    assert [seat.name for seat in script.session.table.seats] == ["Aki", "Ben"]


def test_the_list_of_games_has_the_new_name(tmp_path: Path) -> None:
    """The store lists the game under the names that people have now, and opens it with them."""
    store = Store.open(tmp_path, for_writing=True)
    log = store.new_game_log()
    session = Session.begin(SHOP_GAME, ["Aki", "Ben"], {}, log)
    session.rename_player(session.table.seats[1], "Emi")
    assert store.all_saved_games()[0].names == ("Aki", "Emi")
    assert [seat.name for seat in Session(SHOP_GAME, log.events(), log).table.seats] == ["Aki", "Emi"]
    store.close()


def test_an_earlier_moment_has_the_names_of_now() -> None:
    """Who looks back finds the people who sit there, though they came later."""
    script = Script(SHOP_GAME, "Aki", "Ben").says("Aki: buy", "Aki is now Dai")
    assert [seat.name for seat in script.session.session_after_steps(1).table.seats] == ["Dai", "Ben"]


# The end


def test_a_game_put_away_early_keeps_the_score_so_far() -> None:
    """The log ends with the score as it stands, marked as early; nothing can be answered any more."""
    script = Script(SHOP_GAME, "Aki", "Ben").says("Aki: buy")
    script.session.put_away()
    last: Event = script.log[-1]
    assert isinstance(last, PutAway)
    assert last.early
    assert last.result is not None
    assert last.result["winners"] == ["Ben"]
    assert [one["total"] for one in last.result["standings"]] == [2, 1]
    assert reopened(script.session, script.log).is_put_away


def test_a_finished_game_is_not_early() -> None:
    """After the last question the score is final."""
    finished = Script(SHOP_GAME, "Aki", "Ben").says(*["Aki: pass"] * 9)
    finished.session.put_away()
    assert isinstance(finished.log[-1], PutAway)
    assert not finished.log[-1].early


def test_no_correction_of_a_game_put_away_is_taken_back() -> None:
    """Not one either that counts from before the last answer."""
    script = Script(SHOP_GAME, "Aki", "Ben").says(
        "Aki: buy", "Aki: buy", "correct 1 coin from bank to Aki/purse: so"
    )
    script.session.put_away()
    assert script.refuses("undo") == "This game has been put away."


# Going back


def test_the_table_goes_back_to_an_earlier_answer() -> None:
    """That answer and all later things are taken back in one step; redo puts them back one by one."""
    script = Script(SHOP_GAME, "Aki", "Ben").says("Aki: pass", "Aki: buy", "Aki: buy", "Aki: pass")
    script.says("correct 1 coin from Ben/purse to bank: lent", "back to 2")
    assert script.question_log_key == "Choose Aki: Turn 1"
    assert script.moves_by_hand == [
        "2 coins from bank back to Aki",
        "1 coin from bank back to Ben",
    ]
    assert script["Ben/purse", "coin"] == 2
    assert script.says("redo").history_texts == ["Aki passes.", "Aki: Turn 1 → buy"]
    assert script.says("redo", "redo", "redo")["Ben/purse", "coin"] == 1
    assert script.says("restart").history_texts[1:3] == ["Aki: Turn 1 → buy", "Aki: Turn 2 → buy"]


def test_one_goes_back_to_an_answer_that_counts() -> None:
    """A number that no answer in force has is refused, and nothing changes."""
    script = Script(SHOP_GAME, "Aki", "Ben").says("Aki: buy", "undo")
    assert "can't be changed" in script.refuses("back to 1")


def test_going_back_past_a_reveal_is_asked_first() -> None:
    """However far the reveal lies back."""
    script = Script(SEALED_BID, "Aki", "Ben").says("Aki 4", "Ben 3", "table: again", "Aki 1", "Ben 1")
    with pytest.raises(WouldUndoReveal):
        script.says("back to 2")
    assert script.says("undo past a reveal", "back to 2").question_log_key == "Choose: Another round?"
