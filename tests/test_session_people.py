"""People change, pieces are moved freely, a question is asked again, and a game ends early."""

import msgspec
import pytest

from companion.errors import PastReveal, RulesCrashed, TableError
from companion.events import Event, Memory, PutAway
from companion.game import Game
from companion.games.sealed_bid import GAME as SEALED_BID
from companion.ledger import Piece
from companion.requests import Choose
from companion.scores import Line, Result, ranked
from companion.seats import Seat
from companion.session import Session
from companion.store import Store
from companion.table import Table
from companion.testing import Script
from companion.view import view
from companion.words import render, say

COIN, PURSE, BANK = Piece("coin", say("coin")), say("purse"), say("bank")


async def shop(table: Table) -> Result:
    """Aki buys for a coin as long as there are coins; the purse decides what is offered."""
    purses, bank = table.each(COIN, PURSE), table.account(COIN, BANK)
    for purse in purses.values():
        table.lay(purse, 2)

    def lines(seat: Seat) -> tuple[Line, ...]:
        return (Line(say("coins"), purses[seat].count),)

    table.so_far = lambda: ranked(table.seats, lambda seat: purses[seat].count, lines)

    for turn in range(9):
        options = {"buy": say("buy")} if purses[table.seats[0]].count else {}
        if await Choose(table.seats[0], say("Turn {n}", n=turn), options | {"pass": say("pass")}) == "buy":
            table.move(purses[table.seats[0]], bank)
    return table.so_far()


SHOP = Game("shop", 1, say("Shop"), (2, 3), shop)
FREE = msgspec.structs.replace(SHOP, free_moves=True)


def reopened(session: Session, log: Memory) -> Session:
    """The game as a program finds it that starts now."""
    return Session(session.game, list(log), log)


# Names


def test_a_seat_gets_another_name() -> None:
    """From then on everything says the new name, the history too; number, colour and pieces stay."""
    script = Script(SHOP, "Aki", "Ben").says("Aki: buy")
    session = script.session
    session.rename(session.table.seats[0], "Dai")
    assert [seat.name for seat in session.table.seats] == ["Dai", "Ben"]
    assert script.asks == "Choose Dai: Turn 1"
    assert script.told == ["Dai: buy"]
    assert script["Dai/purse", "coin"] == 1
    assert script.says("restart", "Dai: buy")["Dai/purse", "coin"] == 0


def test_a_seat_is_renamed_by_its_number() -> None:
    """Who names it as it was called before means the same seat."""
    script = Script(SHOP, "Aki", "Ben")
    aki = script.session.table.seats[0]
    script.session.rename(aki, "Dai")
    script.session.rename(aki, "Emi")
    assert [seat.name for seat in script.session.table.seats] == ["Emi", "Ben"]


def test_closed_envelopes_stay_closed_under_another_name() -> None:
    """Who has sealed has still sealed, and the commitment is the same."""
    script = Script(SEALED_BID, "Aki", "Ben").says("Aki 4")
    before = [one.seal for one in view(script.session).envelopes]
    script.session.rename(script.session.table.seats[0], "Dai")
    assert [one.seal for one in view(script.session).envelopes] == before
    assert script.says("Ben 3").told == ["Dai: 4, Ben: 3"]


@pytest.mark.parametrize(
    ("name", "why"),
    [("Ben", "Ben is there twice"), ("", "A name has 1 to 12 letters"), ("a/b", "may not contain")],
)
def test_a_name_must_fit_the_table(name: str, why: str) -> None:
    """A name that is taken or can't be is refused, and nothing changes."""
    script = Script(SHOP, "Aki", "Ben")
    with pytest.raises(TableError, match=why):
        script.session.rename(script.session.table.seats[0], name)
    assert [seat.name for seat in script.session.table.seats] == ["Aki", "Ben"]


def test_the_list_of_games_has_the_new_name(tmp_path: object) -> None:
    """The store lists the game under the names that people have now, and opens it with them."""
    from pathlib import Path

    with_store = Store.open(Path(str(tmp_path)), playing=True)
    log = with_store.new_game()
    session = Session.begin(SHOP, ["Aki", "Ben"], {}, log)
    session.rename(session.table.seats[1], "Emi")
    assert with_store.saved()[0].names == ("Aki", "Emi")
    assert [seat.name for seat in Session(SHOP, log.events(), log).table.seats] == ["Aki", "Emi"]
    with_store.close()


# Corrections


def test_a_question_is_asked_again_after_a_correction() -> None:
    """What it offers was computed before the correction; asked again, it offers what there is now."""
    script = Script(SHOP, "Aki", "Ben").says("Aki: buy", "Aki: buy")
    assert script.limits == {"options": {"pass": "pass"}}
    n = script.n
    script.session.correct("bank", "Aki/purse", "coin", 1, "miscounted")
    assert (script.limits, script.n) == ({"options": {"pass": "pass"}}, n)
    script.session.correct("bank", "Aki/purse", "coin", 1, "miscounted", again=True)
    assert script.limits == {"options": {"buy": "buy", "pass": "pass"}}
    assert script.n == n + 1
    assert script["Aki/purse", "coin"] == 2
    script.says("restart")
    assert script.limits == {"options": {"buy": "buy", "pass": "pass"}}
    assert script.says("undo").limits == {"options": {"buy": "buy", "pass": "pass"}}


def test_asking_again_needs_an_answer_that_still_fits() -> None:
    """Where the last answer no longer fits, or none was given, nothing changes and the reason is said."""
    script = Script(SHOP, "Aki", "Ben")
    before = len(script.log)
    with pytest.raises(TableError, match="Nothing was answered yet"):
        script.session.correct("Aki/purse", "bank", "coin", 1, "lost", again=True)
    script.says("Aki: buy", "Aki: buy")
    with pytest.raises(RulesCrashed):
        script.session.correct("Aki/purse", "Ben/purse", "coin", 1, "lost", again=True)
    assert len(script.log) == before + 2
    assert script["Aki/purse", "coin"] == 0


def test_asking_again_opens_the_envelopes() -> None:
    """A sealed round that is asked again is sealed again; those who had sealed are named."""
    script = Script(SEALED_BID, "Aki", "Ben", options={"start": "9"}).says(
        "Aki 1", "Ben 2", "table: again", "Ben 3"
    )
    dropped = script.session.correct("bank", "Ben/purse", "money", 1, "change", again=True)
    assert [seat.name for seat in dropped] == ["Ben"]
    assert not script.session.drafts


@pytest.mark.parametrize(("game", "taken"), [(FREE, True), (SHOP, False)])
def test_free_moves_need_no_reason(game: Game, taken: bool) -> None:
    """Where a game allows free moves, an empty reason is one; elsewhere it is refused."""
    script = Script(game, "Aki", "Ben")
    if taken:
        script.session.correct("Aki/purse", "Ben/purse", "coin", 2, "")
        assert script["Ben/purse", "coin"] == 4
        return
    with pytest.raises(TableError, match="A correction needs a reason"):
        script.session.correct("Aki/purse", "Ben/purse", "coin", 2, "")


def test_a_reason_is_one_line_everywhere() -> None:
    """Line breaks are no reason, free or not."""
    with pytest.raises(TableError, match="in one line"):
        Script(FREE, "Aki", "Ben").session.correct("Aki/purse", "Ben/purse", "coin", 1, "a\nb")


# The end


def test_a_game_put_away_early_keeps_the_score_so_far() -> None:
    """The log ends with the score as it stands, marked as early; nothing can be answered any more."""
    script = Script(SHOP, "Aki", "Ben").says("Aki: buy")
    script.session.put_away()
    last: Event = script.log[-1]
    assert isinstance(last, PutAway)
    assert last.early
    assert last.result is not None
    assert last.result["winners"] == ["Ben"]
    assert [one["total"] for one in last.result["standings"]] == [2, 1]
    assert reopened(script.session, script.log).put_aside


def test_a_finished_game_is_not_early() -> None:
    """After the last question the score is final; a game that tells no score so far ends without one."""
    finished = Script(SHOP, "Aki", "Ben").says(*["Aki: pass"] * 9)
    finished.session.put_away()
    assert isinstance(finished.log[-1], PutAway)
    assert not finished.log[-1].early
    assert render(finished.session.game.title) == "Shop"


# Going back


def test_the_table_goes_back_to_an_earlier_answer() -> None:
    """That answer and all later things are taken back in one step; redo puts them back one by one."""
    script = Script(SHOP, "Aki", "Ben").says("Aki: pass", "Aki: buy", "Aki: buy", "Aki: pass")
    script.says("correct 1 coin from Ben/purse to bank: lent", "back to 2")
    assert script.asks == "Choose Aki: Turn 1"
    assert script.moves == [
        "2 × coin from bank back to Aki's purse",
        "1 × coin from bank back to Ben's purse",
    ]
    assert script["Ben/purse", "coin"] == 2
    assert script.says("redo").told == ["Aki: pass", "Aki: buy"]
    assert script.says("redo", "redo", "redo")["Ben/purse", "coin"] == 1
    assert script.says("restart").told[1:3] == ["Aki: buy", "Aki: buy"]


def test_one_goes_back_to_an_answer_that_counts() -> None:
    """A number that no answer in force has is refused, and nothing changes."""
    script = Script(SHOP, "Aki", "Ben").says("Aki: buy", "undo")
    assert "is no answer in force" in script.refuses("back to 1")


def test_going_back_past_a_reveal_is_asked_first() -> None:
    """However far the reveal lies back."""
    script = Script(SEALED_BID, "Aki", "Ben").says("Aki 4", "Ben 3", "table: again", "Aki 1", "Ben 1")
    with pytest.raises(PastReveal):
        script.says("back to 2")
    assert script.says("undo past a reveal", "back to 2").asks == "Choose: Another round?"


def test_a_correction_asks_again() -> None:
    """What the question offers is computed anew from what lies there now."""
    script = Script(SHOP, "Aki", "Ben").says("Aki: buy", "Aki: buy")
    assert list(script.limits["options"]) == ["pass"]
    script.says("correct 1 coin from bank to Aki/purse: found, asking again")
    assert list(script.limits["options"]) == ["buy", "pass"]
    script.says("Aki is now Dai")
    assert script.asks == "Choose Dai: Turn 2"
