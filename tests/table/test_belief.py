"""What people take out of a covered place was there: no count decides it, and each try stays told."""

import pytest

from companion.errors import IllegalAnswer, NoLegalContinuation
from companion.games.egypt.rulebook import GAME as EGYPT
from companion.log.events import Corrected
from companion.record.record import create_record
from companion.record.text_export import record_to_text
from companion.requests import Choose, OptionRequirement
from companion.rules.game import Game
from companion.session.corrections import CorrectionResult
from companion.session.view import list_history_entries, make_view, undone_hidden_corrections_and_rolls
from companion.table.ledger import Piece
from companion.table.moves_by_hand import overdrawn_place_texts
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.testing import Script
from companion.texts import render, say, say_n
from tests.support.games.high_bid_helpers import deal_first_round, dollar_counts, sell_to, turn_up_cards
from tests.support.stall_game import STALL_GAME


@pytest.fixture
def stall() -> Script:
    """Two purses of 20 coins, covered, and a gem that was given."""
    return Script(STALL_GAME, "Aki", "Ben").says("table: give")


def test_more_may_be_taken_than_is_counted(stall: Script) -> None:
    """The owner sees that the count was too small; what is put back makes it what it was."""
    session = stall.session
    assert session.correct("Ben/purse", "Aki/front", "coin", 25, "paid") == CorrectionResult()
    assert (stall["Ben/purse", "coin"], stall["Aki/front", "coin"]) == (-5, 25)
    ben = session.table.seats[1]
    assert [one.count for one in make_view(session).holdings_of(ben)] == [None]
    assert [one.count for one in make_view(session, ben).holdings_of(ben)] == [-5]
    session.correct("Aki/front", "Ben/purse", "coin", 25, "not paid")
    assert stall["Ben/purse", "coin"] == 20


def test_all_may_know_what_lies_nowhere_covered(stall: Script) -> None:
    """Of forty coins that were covered 15 lie open: no 26 can come out of anywhere."""
    stall.session.correct("Ben/purse", "Aki/front", "coin", 15, "paid")
    for purse in ("Aki/purse", "Ben/purse"):
        with pytest.raises(IllegalAnswer, match="These pieces can't come from"):
            stall.session.correct(purse, "till", "coin", 26, "lost")
        stall.session.correct(purse, "till", "coin", 25, "lost")
        stall.session.undo()


def test_what_was_short_is_told_at_the_end() -> None:
    """When all is opened, a count below zero is named; it isn't made up."""
    script = Script(STALL_GAME, "Aki", "Ben").says("table: give")
    script.session.correct("Ben/purse", "till", "coin", 23, "lost")
    script.says("table: close")
    assert script.last_notes == [
        "More came out of Ben's purse than the companion had counted there: 3 coins more."
    ]


def test_a_bank_that_never_runs_out_is_never_short() -> None:
    """It owes what it has paid; only purses and piles that can be empty are named."""
    script = deal_first_round(2)
    assert script["bank", "dollar"] < 0
    assert list(overdrawn_place_texts(script.session.table.ledger)) == []


def test_every_try_stays_in_the_history(stall: Script) -> None:
    """A covered correction that is taken back is told, how often it was tried too; one in force is no try."""
    session = stall.session
    for _ in range(2):
        session.correct("Ben/purse", "till", "coin", 3, "miscounted")
        session.undo()
    session.correct("till", "Aki/front", "gem", 1, "found")
    session.undo()
    told = "Hidden correction (miscounted) (taken back)"
    assert [(n, render(text)) for n, text in undone_hidden_corrections_and_rolls(session)] == [
        (2, told),
        (3, told),
    ]
    assert record_to_text(create_record(session, stall.log)).count(f"! {told}") == 2
    session.correct("Ben/purse", "till", "coin", 3, "miscounted")
    session.undo()
    session.redo()
    assert len(undone_hidden_corrections_and_rolls(session)) == 2
    assert render(list_history_entries(session)[-1].text) == "Hidden correction (miscounted)"


def test_a_card_comes_from_wherever_it_lies_covered() -> None:
    """It is in one place: named at the bank it leaves what is unseen; put where it lies covered, it stays."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki")
    script.session.correct("bank", "Aki/front", "card 4.1", 1, "laid open")
    assert [script[place, "card 4.1"] for place in ("unseen", "bank", "Aki/front")] == [0, 0, 1]
    with pytest.raises(IllegalAnswer, match="These pieces can't come from bank"):
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
    session, n = stall.session, stall.session.question_number
    session.correct("Ben/purse", "till", "coin", 23, "lost", ask_again=True)
    session.correct("till", "Aki/front", "gem", 1, "found", ask_again=True)
    made = [step for step in session.steps if isinstance(step, Corrected)]
    assert [step.again for step in made] == [False, False]
    assert session.question_number == n
    stall.says("table: give")
    session.correct("till", "Aki/front", "gem", 1, "found", ask_again=True)
    assert session.question_number == n + 2


@pytest.mark.parametrize(("source", "target"), [("Ben/purse", "till"), ("till", "Ben/purse")])
def test_what_waits_to_be_redone_tells_nothing(source: str, target: str) -> None:
    """An amendment took an answer back that a covered count may have made impossible: it waits no longer."""
    script = Script(STALL_GAME, "Aki", "Ben")
    script.session.correct("Ben/purse", "till", "coin", 1, "change")
    script.says("table: sell", "Aki 19", "Ben 0", "table: sell", "Aki 0", "Ben 19")
    assert script.session.amend_answer(1, "give", go_back=True, past_reveal=True)
    assert script.session.waiting_redo_count
    script.session.correct("till", "Aki/front", "gem", 1, "found")
    assert script.session.waiting_redo_count
    script.session.correct(source, target, "coin", 1, "miscounted")
    assert not script.session.waiting_redo_count


def test_nothing_is_paid_out_of_a_purse_that_is_short() -> None:
    """High Bid: whoever can't pay a bid pays the penalty as far as the purse goes, which may be no way."""
    script = deal_first_round(2)
    script.session.correct("Aki/purse", "bank", "dollar", 2_500, "lost")
    sell_to(turn_up_cards(script, "lamps"), "Aki")
    assert script.last_notes[0].startswith("Aki can't pay $")
    assert dollar_counts(script) == [-500, 2_000]


COIN, GEM = (
    Piece("coin", say("coin"), count_label=say_n("{n} coin", "{n} coins", n=2)),
    Piece("gem", say("gem"), count_label=say_n("{n} gem", "{n} gems", n=2)),
)
BUY = {"buy": say("Buy"), "on": say("Go on")}


def shop(held: int) -> Script:
    """Aki has so many coins, covered, and may buy a gem for three, twice; those in the box are counted."""

    async def play(table: Table) -> GameResult:
        purse = table.supply_from_box(table.covered_account(COIN, say("purse"), table.seats[0]), held)
        table.covered_account(COIN, say("sock"), table.seats[0])
        shelf, box, front = (table.account(GEM, say(place)) for place in ("shelf", "box", "front"))
        table.supply_from_box(shelf, 2)
        for turn in range(2):
            need = {"buy": OptionRequirement(purse, 3, say("Too little"))}
            if await Choose(None, say("Turn {n}", n=turn), dict(BUY), need) == "buy":
                table.move(shelf, front)
            await Choose(None, say("Turn {n}: how many?", n=turn), {str(box.count): say("So many")})
        return rank_seats(table.seats, lambda _: 0, lambda _: ())

    return Script(Game("shop", 1, say("Shop"), (2, 2), play), "Aki", "Ben")


@pytest.mark.parametrize("held", [1, 5])
def test_where_a_question_stands_is_tried_with_enough(held: int) -> None:
    """Without a gem buying fails: that is found out also where Aki, as only Aki knows, could not pay."""
    with pytest.raises(NoLegalContinuation):
        shop(held).session.correct("shelf", "box", "gem", 2, "broken")


@pytest.mark.parametrize("taken", [1, 4])
def test_after_a_covered_correction_the_last_answer_is_not_tried_again(taken: int) -> None:
    """It might have become impossible, and that would show; the question stays, with or without `again`."""
    script = shop(5).says("table: buy")
    assert script.session.correct("shelf", "box", "gem", 1, "broken").why_asked_again is not None
    script.says("undo")
    script.session.correct("Aki/purse", "Aki/sock", "coin", taken, "saved")
    for again in (False, True):
        assert (
            script.session.correct("shelf", "box", "gem", 1, "broken", ask_again=again) == CorrectionResult()
        )
        script.says("undo")


def test_a_covered_correction_after_which_no_game_could_go_on_is_refused() -> None:
    """Where it would lead all see: the rules fail on what lies open."""

    async def play(table: Table) -> GameResult:
        table.supply_from_box(table.covered_account(COIN, say("purse"), table.seats[0]), 2)
        tray = table.account(COIN, say("tray"))
        while await Choose(None, say("What now?"), dict(BUY)) == "on":
            assert not tray.count
        return rank_seats(table.seats, lambda _: 0, lambda _: ())

    script = Script(Game("shop", 1, say("Shop"), (2, 2), play), "Aki", "Ben")
    with pytest.raises(NoLegalContinuation):
        script.session.correct("Aki/purse", "tray", "coin", 1, "lost")
    assert script.says("table: on")["Aki/purse", "coin"] == 2
