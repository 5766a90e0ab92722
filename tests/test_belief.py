"""What people take out of a covered place was there: no count decides it, and each try stays told."""

import pytest

from companion.errors import IllegalAnswer
from companion.events import Corrected
from companion.games.egypt import GAME as EGYPT
from companion.record.as_text import as_text
from companion.record.record import recorded
from companion.settling import Settled
from companion.testing import Script
from companion.view import history, view, withdrawn
from companion.words import render
from tests.games.high_bid_table import cash, dealt, sold, turned
from tests.stall import STALL


@pytest.fixture
def stall() -> Script:
    """Two purses of 20 coins, covered, and a gem that was given."""
    return Script(STALL, "Aki", "Ben").says("table: give")


def test_more_may_be_taken_than_is_counted(stall: Script) -> None:
    """The owner sees that the count was too small; what is put back makes it what it was."""
    session = stall.session
    assert session.correct("Ben/purse", "Aki/front", "coin", 25, "paid") == Settled()
    assert (stall["Ben/purse", "coin"], stall["Aki/front", "coin"]) == (-5, 25)
    ben = session.table.seats[1]
    assert [one.count for one in view(session).before(ben)] == [None]
    assert [one.count for one in view(session, ben).before(ben)] == [-5]
    session.correct("Aki/front", "Ben/purse", "coin", 25, "not paid")
    assert stall["Ben/purse", "coin"] == 20


def test_all_may_know_what_lies_nowhere_covered(stall: Script) -> None:
    """Of forty coins that were covered 15 lie open: no 26 can come out of anywhere."""
    stall.session.correct("Ben/purse", "Aki/front", "coin", 15, "paid")
    for purse in ("Aki/purse", "Ben/purse"):
        with pytest.raises(IllegalAnswer, match="That can't come out of"):
            stall.session.correct(purse, "till", "coin", 26, "lost")
        stall.session.correct(purse, "till", "coin", 25, "lost")
        stall.session.undo()


def test_what_was_short_is_told_at_the_end() -> None:
    """When all is opened, a count below zero is named; it isn't made up."""
    script = Script(STALL, "Aki", "Ben").says("table: give")
    script.session.correct("Ben/purse", "till", "coin", 23, "lost")
    script.says("table: close")
    assert script.notes == ["Ben's purse: 3 × coin more came out than was counted there."]


def test_every_try_stays_in_the_history(stall: Script) -> None:
    """A covered correction that is taken back is told, how often it was tried too; one in force is no try."""
    session = stall.session
    for _ in range(2):
        session.correct("Ben/purse", "till", "coin", 3, "miscounted")
        session.undo()
    session.correct("till", "Aki/front", "gem", 1, "found")
    session.undo()
    told = "Corrected under cover (miscounted), and taken back"
    assert [(n, render(text)) for n, text in withdrawn(session)] == [(2, told), (3, told)]
    assert as_text(recorded(session, stall.log)).count(f"! {told}") == 2
    session.correct("Ben/purse", "till", "coin", 3, "miscounted")
    session.undo()
    session.redo()
    assert len(withdrawn(session)) == 2
    assert render(history(session)[-1].text) == "Corrected under cover (miscounted)"


def test_a_card_comes_from_wherever_it_lies_covered() -> None:
    """It is in one place: named at the bank it leaves what is unseen; put where it lies covered, it stays."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki")
    script.session.correct("bank", "Aki/front", "card 4.1", 1, "laid open")
    assert [script[place, "card 4.1"] for place in ("unseen", "bank", "Aki/front")] == [0, 0, 1]
    with pytest.raises(IllegalAnswer, match="That can't come out of bank"):
        script.session.correct("bank", "unseen", "card 4.1", 1, "laid open")
    script.session.correct("Aki/front", "bank", "card 4.1", 1, "paid")
    script.session.correct("unseen", "bank", "card 4.1", 1, "paid")
    assert [script[place, "card 4.1"] for place in ("unseen", "bank")] == [0, 1]


def test_described_cards_that_were_never_listed_come_unseen() -> None:
    """No other place owes them, so that all can be gathered; at the target they may lie already."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki")
    there = script["unseen", "card any 4"]
    script.session.correct("unseen", "bank", "card any 4", 2, "paid")
    script.session.correct("bank", "Aki/front", "card any 4", there + 1, "laid open")
    assert [script[place, "card any 4"] for place in ("unseen", "bank", "Aki/front")] == [-1, 0, there + 1]
    script.session.correct("bank", "unseen", "card any 4", 1, "gone")
    assert script["unseen", "card any 4"] == -1


def test_asking_again_does_not_tell_either(stall: Script) -> None:
    """What is covered is in no option: such a correction counts from now on, and what comes after it too."""
    session, n = stall.session, stall.session.n
    session.correct("Ben/purse", "till", "coin", 23, "lost", again=True)
    session.correct("till", "Aki/front", "gem", 1, "found", again=True)
    made = [step for step in session.steps if isinstance(step, Corrected)]
    assert [step.again for step in made] == [False, False]
    assert session.n == n
    stall.says("table: give")
    session.correct("till", "Aki/front", "gem", 1, "found", again=True)
    assert session.n == n + 2


def test_what_waits_to_be_redone_tells_nothing() -> None:
    """An amendment took an answer back that a covered count may have made impossible: it waits no longer."""
    script = Script(STALL, "Aki", "Ben").says(
        "table: sell", "Aki 20", "Ben 0", "table: sell", "Aki 0", "Ben 20"
    )
    assert script.session.amend(1, "give", go_back=True, past_reveal=True)
    assert script.session.waiting
    script.session.correct("till", "Aki/front", "gem", 1, "found")
    assert script.session.waiting
    script.session.correct("Ben/purse", "till", "coin", 1, "lost")
    assert not script.session.waiting


def test_nothing_is_paid_out_of_a_purse_that_is_short() -> None:
    """High Bid: whoever can't pay a bid pays the penalty as far as the purse goes, which may be no way."""
    script = dealt(2)
    script.session.correct("Aki/purse", "bank", "dollar", 2_500, "lost")
    sold(turned(script, "lamps"), "Aki")
    assert script.notes[0].startswith("Aki can't pay $")
    assert cash(script) == [-500, 2_000]
