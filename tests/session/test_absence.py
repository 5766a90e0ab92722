"""Silence: what it answers once time is up, and for a seat whose player has left."""

from typing import Any

import pytest

from companion.games.egypt.rulebook import GAME as EGYPT
from companion.games.mammon.rulebook import GAME as MAMMON
from companion.games.sealed_bid.rulebook import GAME as SEALED_BID
from companion.log.events import Answered, PlayerLeft, PlayerReturned
from companion.log.log import MemoryLog
from companion.requests import (
    Amount,
    Choose,
    CountedItem,
    Counts,
    Die,
    Done,
    Raise,
    Read,
    Request,
    Roll,
    Together,
)
from companion.rules.game import Game
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.ledger import Piece
from companion.table.scores import GameResult, rank_seats
from companion.table.seats import make_seats
from companion.table.table import Table
from companion.testing import Script
from companion.texts import render, say
from tests.support.stall_game import FailingLog

AKI, BEN = make_seats(["Aki", "Ben"])
LOT, WHAT = Piece("lot", say("lot")), say("What?")
SOME = {"red": CountedItem(say("red"), 3)}


@pytest.mark.parametrize(
    ("question", "otherwise"),
    [
        (Choose(AKI, WHAT, {"sell": say("sell"), "pass": say("pass")}), ("pass",)),
        (Choose(AKI, WHAT, {"sell": say("sell"), "keep": say("keep")}), None),
        (Raise(AKI, LOT, {BEN: 3}, decline="withdraw"), (None,)),
        (Raise(AKI, LOT, {}, decline=None), None),
        (Amount(AKI, WHAT), (0,)),
        (Amount(AKI, WHAT, 40, decline=True), (0,)),
        (Amount(AKI, WHAT, 1), None),
        (Counts(AKI, WHAT, SOME), ({"red": 0},)),
        (Counts(AKI, WHAT, SOME, 1, decline=say("can't")), (None,)),
        (Counts(AKI, WHAT, SOME, 1), None),
        (Roll(AKI, WHAT, (Die(say("die"), (1, 2)),)), None),
        (Done(AKI, WHAT), None),
        (Together(WHAT, {AKI: Amount(AKI, WHAT)}), None),
    ],
)
def test_what_silence_means(question: Request[Any], otherwise: object) -> None:
    """To pass, 0, that one can't; where none of these can be said, and for cards or dice, only a ring."""
    assert question.default_answer == otherwise
    if question.default_answer:
        question.check_answer(question.default_answer[0])


def test_cards_are_never_laid_down_by_silence() -> None:
    """Who doesn't pay in time is rung for: silence is not "can't pay", which would knock out."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki", "table: done", "Aki 1", "Ben 2")
    script.says("Chie withdraws", "Aki withdraws")
    assert isinstance(script.question, Read)
    assert script.says("time is up").has_only_rung
    assert script.question_log_key == "Read Aki: Payment for chip 4"


def test_time_is_up() -> None:
    """The clock answers for who is slow, as the question says; the history says that it was the clock."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki", "table: done")
    assert script.says("time is up").has_only_rung
    script.says("Aki 1", "time is up")
    assert not script.has_only_rung
    assert script.history_texts[-1] == "Ben withdraws."
    assert script.session.steps[-1].via == "clock"  # type: ignore[union-attr]  # it is an answer
    script.says("restart")
    assert script.question_log_key == "Raise Chie: chip 4"


def test_only_missing_envelopes_are_filled() -> None:
    """In a sealed round the clock answers for those whose envelope is open, and leaves the others alone."""
    script = Script(SEALED_BID, "Aki", "Ben", "Chie").says("Ben 4", "time is up")
    assert script.history_texts[-1] == "Aki: 0, Ben: 4, Chie: 0"
    assert script.last_notes[0] == "Ben wins with 4."


def test_who_has_left_is_answered_for() -> None:
    """Silence answers for an absent seat at once, in its turn and in sealed rounds, until it returns."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki", "table: done", "Ben leaves", "Aki 2")
    assert script.history_texts[-1] == "Ben withdraws."
    assert [seat.name for seat in script.session.absent_seats] == ["Ben"]
    script.says("restart", "Chie 3", "Aki withdraws")
    assert [seat.name for seat in script.session.absent_seats] == ["Ben"]
    script.says("Aki pays other other", "Chie pays other other other")
    script.says("Ben returns", "Chie 1", "Aki withdraws", "Ben 2")
    assert script.history_texts[-1] == "Ben bids 2 for daughter 5."


def test_leaving_answers_the_open_question() -> None:
    """Who leaves while being asked is answered for at once."""
    script = Script(SEALED_BID, "Aki", "Ben").says("Aki 3", "Ben leaves")
    assert script.history_texts == ["Aki: 3, Ben: 0"]
    assert script.question_log_key == "Choose: Another round?"
    script.says("table: again", "Aki 5")
    assert script.history_texts[-1] == "Aki: 5, Ben: 0"


def test_where_silence_only_rings_the_table_answers() -> None:
    """A question that silence can't answer stays open for whoever sits at the screen."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki", "table: done", "Aki leaves")
    assert script.question_log_key == "Raise Aki: chip 4"
    assert script.says("Aki 1").question_log_key == "Raise Ben: chip 4"


def test_nothing_goes_on_by_itself_at_an_empty_table() -> None:
    """When all have left, the game waits."""
    script = Script(SEALED_BID, "Aki", "Ben").says("Aki leaves", "Ben leaves")
    assert script.question_log_key == "Together Aki Ben: Sealed bid"
    assert script.says("Aki returns", "Aki 2").history_texts == ["Aki: 2, Ben: 0"]


def test_who_comes_back_seals_anew() -> None:
    """An envelope that silence has closed is open again for whoever takes the seat, after a restart too."""
    script = Script(SEALED_BID, "Aki", "Ben", "Chie").says("Aki leaves", "Ben 1")
    assert set(script.session.drafts) == set(script.session.table.seats[:2])
    script.says("Aki returns", "restart")
    assert set(script.session.drafts) == {script.session.table.seats[1]}
    assert script.says("Aki 2", "Chie 0").history_texts == ["Aki: 2, Ben: 1, Chie: 0"]


def test_who_had_sealed_before_leaving_need_not_seal_again() -> None:
    """An envelope that was closed by hand stays closed when its player returns, after a restart too."""
    script = Script(SEALED_BID, "Aki", "Ben", "Chie").says("Aki 4", "Aki leaves", "restart", "Aki returns")
    assert set(script.session.drafts) == {script.session.table.seats[0]}
    script.says("restart", "Ben 1", "Chie 0")
    assert script.history_texts == ["Aki: 4, Ben: 1, Chie: 0"]


def test_silence_does_not_tie_for_ever() -> None:
    """Where only absent players are asked again and again, the table gets to answer in the end."""
    script = Script(MAMMON, "Aki", "Ben", "Chie").says("table: done", "Aki 5", "Ben 5", "Chie 0")
    script.says("Aki leaves", "Ben leaves")
    answers = len(script.history_texts)
    assert script.history_texts[-1] == "Aki: 0, Ben: 0"
    assert len(script.says("Chie is now Dai", "restart").history_texts) == answers
    assert script.says("Aki 3", "Ben 2").history_texts[-1] != "Aki: 0, Ben: 0"
    assert "Aki is the start player." in script.last_notes


def test_undo_goes_back_before_what_silence_answered() -> None:
    """An answer of silence can be taken back like any other, and then the seat is asked."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says(
        "table: Aki", "table: done", "Ben leaves", "Aki 2", "undo"
    )
    assert script.question_log_key == "Raise Ben: chip 4"
    assert script.says("Ben 3").question_log_key == "Raise Chie: chip 4"


ALL_LEFT = ("table: Aki", "table: done", "Aki 2", "Aki leaves", "Chie leaves", "Ben leaves")
"""Egypt, three at the table: Ben is asked, and nobody is there."""


def test_coming_back_wakes_silence() -> None:
    """Once somebody is at the table again, silence answers for those who still aren't."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says(*ALL_LEFT)
    assert script.question_log_key == "Raise Ben: chip 4"
    script.says("Aki returns")
    assert script.history_texts[-2:] == ["Ben withdraws.", "Chie withdraws."]
    assert script.question_log_key == "Read Aki: Payment for chip 4"


BEN_LEAVES = ("table: Aki", "table: done", "Aki 2", "Ben leaves")


def opened(script: Script) -> Script:
    """The game in a program without default answers so far: it stopped as the last player left."""
    log = MemoryLog(
        [event for event in script.log if not (isinstance(event, Answered) and event.via == "absent")]
    )
    script.session = Session(script.session.game, list(log), log)
    script.log = log
    return script


def test_resuming_wakes_silence() -> None:
    """A game that stopped before silence answered goes on when it is resumed, not when it is looked at."""
    script = opened(Script(EGYPT, "Aki", "Ben", "Chie").says(*BEN_LEAVES))
    assert script.question_log_key == "Raise Ben: chip 4"
    script.session.answer_for_absent_players()
    assert script.question_log_key == "Raise Chie: chip 4"


def test_renaming_wakes_silence() -> None:
    """Who takes a seat over is there; silence answers for the others."""
    script = opened(Script(EGYPT, "Aki", "Ben", "Chie").says(*BEN_LEAVES))
    assert script.says("Chie is now Dai").question_log_key == "Raise Dai: chip 4"


def test_a_correction_wakes_silence() -> None:
    """A correction ends what could be redone, and so silence answers again."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says(
        "table: Aki", "table: done", "Ben leaves", "Aki 2", "undo"
    )
    assert script.question_log_key == "Raise Ben: chip 4"
    assert script.says("correct 1 card from Aki/hand to box: lost").question_log_key == "Raise Chie: chip 4"


def test_redo_and_amend_wake_silence() -> None:
    """Once nothing is left to be redone, silence answers for who is asked then; before it waits."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki", "table: done", "Aki 2", "Ben 3")
    script.says("undo", "undo", "Ben leaves", "redo")
    assert script.question_log_key == "Raise Ben: chip 4"
    script = Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki", "table: done", "Aki 2", "undo")
    assert script.says("Ben leaves", "redo").history_texts[-1] == "Ben withdraws."
    assert script.says("undo", "amend 3: Aki 3").history_texts[-2:] == [
        "Aki bids 3 for daughter 4.",
        "Ben withdraws.",
    ]


def test_time_that_is_up_wakes_silence() -> None:
    """What comes after an answer of the clock may be silence's to answer."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki", "table: done", "Chie leaves", "Aki 2")
    assert script.says("time is up").history_texts[-2:] == ["Ben withdraws.", "Chie withdraws."]


@pytest.mark.parametrize(
    ("line", "why"),
    [("Ben leaves", "Ben has already left."), ("Aki returns", "Aki is already at the table.")],
)
def test_nobody_leaves_twice(line: str, why: str) -> None:
    """Leaving twice, or returning without having left, is refused."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says("Ben leaves")
    assert script.refuses(line) == why


def test_leaving_is_in_the_log() -> None:
    """Both events name question and seat."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says("Ben leaves", "Ben returns")
    assert script.log[1:] == [PlayerLeft(1, 2), PlayerReturned(1, 2)]


async def often(table: Table) -> GameResult:
    """Asks Ben for a number, four times."""
    for _ in range(4):
        await Amount(table.seats[1], say("How much?"))
    return rank_seats(table.seats, lambda _: 0, lambda _: ())


async def decided_before_silence(table: Table) -> GameResult:
    """Aki decides something; then Ben is asked, and Aki again."""
    await Amount(table.seats[0], say("How much?"))
    table.declare_outcome(say("{seat} wins.", seat=table.seats[0]), table.seats[:1])
    await Amount(table.seats[1], say("How much?"))
    table.add_note(say("Ben is done."))
    await Amount(table.seats[0], say("How much?"))
    return rank_seats(table.seats, lambda _: 0, lambda _: ())


def test_what_was_decided_before_silence_answers_is_still_told() -> None:
    """The default answers follow at once, so nobody could have read it before them."""
    game = Game("decided", 1, say("Decided"), (2, 2), decided_before_silence)
    session = Session.begin(game, ["Aki", "Ben"], {}, MemoryLog(), seed=1)
    session.mark_player_absent(session.table.seats[1])
    session.answer(1, 7)
    view = make_view(session)
    assert view.question_number == 3
    assert [render(note) for note in view.notes] == ["Aki wins.", "Ben is done."]
    assert [render(outcome.headline) for outcome in view.outcomes] == ["Aki wins."]
    assert [seat.name for seat in view.winners] == ["Aki"]


def test_what_silence_answers_may_fail_to_be_kept() -> None:
    """That Ben left is kept; where no answer fits on the disk any more, the question stays open."""
    disk = FailingLog()
    session = Session.begin(Game("often", 1, say("Often"), (2, 2), often), ["Aki", "Ben"], {}, disk, seed=1)
    disk.free_event_slots = 1
    session.mark_player_absent(session.table.seats[1])
    assert session.question_number == 1
    assert [seat.name for seat in session.absent_seats] == ["Ben"]
    disk.is_full = False
    session.answer(1, 7)
    assert session.result is not None
