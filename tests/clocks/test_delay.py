"""Delay clocks, as chess knows them: a simple delay before the clock runs, and Bronstein's, which gives back.

The figures are those of a game with 60 seconds for each player and a delay of 5 seconds ("G/1 d5").
"""

from __future__ import annotations

import pytest

from companion.clocks import parse_clocks
from companion.requests import Amount, Choose, Done, Together
from companion.table.scores import GameResult
from companion.table.table import Table
from companion.texts import say
from tests.clocks.table import ENVELOPES, ROUNDS, Clocked, game_of, over

SIMPLE, BRONSTEIN = "budget=60 answer, delay=5", "budget=60 answer, bronstein=5"


async def turns(table: Table) -> GameResult:
    """One question is one turn; the table is asked after each round."""
    for _ in range(1000):
        for seat in table.seats:
            await Choose(seat, say("go?"), {"yes": say("yes"), "pass": say("pass")})
        await Done(None, say("Go on"))
    return over(table)


async def sealed_rounds(table: Table) -> GameResult:
    """Sealed rounds, with a question to the table after each."""
    for _ in range(9):
        parts = {seat: Amount(seat, say("How many?"), 0, 9) for seat in table.seats}
        await Together[int](say("Sealed"), {**parts})
        await Done(None, say("Go on"))
    return over(table)


TURNS, SEALED_ROUNDS = game_of(turns), game_of(sealed_rounds)


def play_round(table: Clocked, seconds: float) -> None:
    """Aki answers after these seconds, Ben and Chie at once, and the table goes on."""
    table.wait(seconds)
    table.says("yes", "yes", "yes", True)


@pytest.mark.parametrize(
    ("seconds", "left"),
    [(0, 60_000), (4.999, 60_000), (5, 60_000), (5.001, 59_999), (8, 57_000), (64.999, 1)],
)
@pytest.mark.parametrize("clocks", [SIMPLE, "budget=60 ring, bronstein=5"])
def test_a_turn_costs_what_is_above_the_delay(clocks: str, seconds: float, left: int) -> None:
    """After a turn both delays leave the same time: the turn took as much as it was longer than the delay."""
    table = Clocked(TURNS, clocks)
    play_round(table, seconds)
    assert table.left() == [left, 60_000, 60_000]


def test_the_last_ten_seconds_begin_after_the_delay() -> None:
    """A budget of 10 seconds is red from the moment at which it runs, not while it waits for a delay of 5."""
    table = Clocked(TURNS, "budget=10 answer, delay=5")
    table.wait(4.9)
    assert not table.keeper.clock_states[0].is_in_final_seconds
    table.wait(0.2)
    assert table.keeper.clock_states[0].is_in_final_seconds


def test_a_delay_is_never_saved_up() -> None:
    """Unlike an increment, what a turn leaves of its delay is lost: 3 seconds and then 8 cost 3."""
    for clocks in (SIMPLE, BRONSTEIN):
        table = Clocked(TURNS, clocks)
        play_round(table, 3)
        assert table.left() == [60_000, 60_000, 60_000]
        play_round(table, 8)
        assert table.left() == [57_000, 60_000, 60_000]
    table = Clocked(TURNS, "budget=60 answer, increment=5")
    play_round(table, 3)
    play_round(table, 8)
    assert table.left() == [59_000, 70_000, 70_000]


def test_a_simple_delay_waits_before_the_clock_runs() -> None:
    """The clock stands still for the delay, then runs; the time is up after both, and not before."""
    table = Clocked(TURNS, SIMPLE)
    table.wait(4)
    assert table.left() == [60_000, 60_000, 60_000]
    assert table.keeper.seconds_until_next_ring == 61
    table.wait(3)
    assert table.left() == [58_000, 60_000, 60_000]
    assert table.keeper.seconds_until_next_ring == 58
    table.wait(57.999)
    assert table.rings == []
    table.wait(0.001)
    assert table.rung == ["Aki has used up all their time."]
    assert table.left() == [0, 60_000, 60_000]


def test_bronsteins_delay_gives_back_after_the_turn() -> None:
    """The clock runs at once and may run out in the delay; only a turn that ends in time gives back."""
    table = Clocked(TURNS, BRONSTEIN)
    table.wait(58)
    assert table.left() == [2_000, 60_000, 60_000]
    table.says("yes", "yes", "yes", True)
    assert table.left() == [7_000, 60_000, 60_000]
    table.wait(7)
    assert table.rung == ["Aki has used up all their time."]
    assert table.left() == [0, 60_000, 60_000]
    table.says("yes", "yes", True)
    table.wait(0)
    assert len(table.rings) == 2
    assert table.left() == [0, 60_000, 60_000]


def test_who_has_used_up_all_time_gets_no_delay() -> None:
    """With a simple delay, too, default answers go on at once for a seat whose time was used up."""
    table = Clocked(TURNS, SIMPLE)
    table.wait(65)
    table.says("yes", "yes", True)
    assert table.keeper.seconds_until_next_ring == 0
    table.wait(0)
    assert table.rung == ["Aki has used up all their time."] * 2
    assert table.session.question is not None
    assert table.session.question.log_key == "Choose @2: go?"


def test_several_questions_of_a_turn_share_one_delay() -> None:
    """Two questions in a row to one seat are one turn: 3 seconds, a restart and 4 seconds cost 2."""
    for clocks, between in ((SIMPLE, 60_000), (BRONSTEIN, 57_000)):
        table = Clocked(ROUNDS, clocks)
        table.wait(3)
        table.says("yes")
        assert table.left() == [between, 60_000, 60_000]
        table.session.pause_clocks()
        table.restart()
        assert table.left() == [between, 60_000, 60_000]
        table.session.resume_clocks()
        table.wait(4)
        table.says("yes")
        assert table.left() == [58_000, 60_000, 60_000]


def test_a_delay_stands_still_in_a_pause() -> None:
    """A pause uses up no delay: 2 seconds, a pause of an hour and 4 seconds cost 1."""
    for clocks in (SIMPLE, BRONSTEIN):
        table = Clocked(TURNS, clocks)
        table.wait(2)
        table.session.pause_clocks()
        table.wait(3600)
        assert table.keeper.seconds_until_next_ring is None
        table.session.resume_clocks()
        play_round(table, 4)
        assert table.left() == [59_000, 60_000, 60_000]


def test_after_undo_the_delay_begins_anew() -> None:
    """What was used beyond the delay stays used; the turn that is played again has its whole delay."""
    for clocks in (SIMPLE, BRONSTEIN):
        table = Clocked(TURNS, clocks)
        table.wait(8)
        table.says("yes")
        assert table.left() == [57_000, 60_000, 60_000]
        table.wait(2)
        table.session.undo()
        assert table.left() == [57_000, 60_000, 60_000]
        table.wait(6)
        table.says("yes")
        assert table.left() == [56_000, 60_000, 60_000]
        table.restart()
        assert table.left() == [56_000, 60_000, 60_000]


def test_undo_within_a_turn_ends_it() -> None:
    """Undo of the first answer of a turn begins the turn again, with either delay."""
    for clocks in (SIMPLE, BRONSTEIN):
        table = Clocked(ROUNDS, clocks)
        table.wait(7)
        table.says("yes")
        table.wait(1)
        table.session.undo()
        assert table.left() == [58_000, 60_000, 60_000]
        table.wait(6)
        table.says("yes", "yes")
        assert table.left() == [57_000, 60_000, 60_000]


@pytest.mark.parametrize("deed", ["redo", "amend"])
def test_redo_and_a_changed_answer_begin_the_delay_anew(deed: str) -> None:
    """Ben has thought for 4 seconds when an earlier answer changes; then he has 5 seconds of delay again."""
    table = Clocked(TURNS, SIMPLE)
    table.says("yes")
    table.wait(4)
    if deed == "redo":
        table.session.undo()
        table.session.redo()
    else:
        table.session.amend_answer(1, "pass")
    table.wait(6)
    assert table.left() == [60_000, 59_000, 60_000]


def test_a_turn_that_a_default_answer_ends_gives_nothing_back() -> None:
    """With a limit for each question: Aki's 3 seconds until the default answer stay used with Bronstein's.

    A simple delay never counted them.
    """
    for clocks, left in ((BRONSTEIN, 57_000), (SIMPLE, 60_000)):
        table = Clocked(TURNS, f"{clocks}, Choose=3 answer")
        table.wait(3)
        assert table.rung == ["Time is up, Aki."]
        assert table.left() == [left, 60_000, 60_000]


def test_an_absent_player_has_no_turns_to_give_back() -> None:
    """Default answers for a player who has left take no time, and a delay changes nothing."""
    table = Clocked(TURNS, BRONSTEIN)
    table.session.mark_player_absent(table.session.table.seats[0])
    table.wait(3)
    assert table.left() == [60_000, 57_000, 60_000]


def test_each_seat_of_a_sealed_round_has_its_own_delay() -> None:
    """Aki seals after 4 seconds, Ben after 9, Chie after 12: they pay 0, 4 and 7 seconds."""
    for clocks, before in (
        (SIMPLE, [60_000, 56_000, 56_000]),
        (BRONSTEIN, [56_000, 51_000, 51_000]),
    ):
        table = Clocked(SEALED_ROUNDS, clocks)
        table.wait(4)
        table.seals("Aki", 1)
        table.wait(5)
        table.seals("Ben", 2)
        assert table.left() == before
        table.wait(3)
        table.seals("Chie", 3)
        assert table.left() == [60_000, 56_000, 53_000]


def test_sealed_rounds_in_a_row_are_one_turn() -> None:
    """As for every clock of a turn: rounds that ask the same seats again share one delay."""
    table = Clocked(ENVELOPES, SIMPLE)
    for seconds in (4, 4):
        table.wait(seconds)
        for name in ("Aki", "Ben", "Chie"):
            table.seals(name, 1)
    assert table.left() == [57_000, 57_000, 57_000]


def test_who_opens_an_envelope_again_uses_up_the_delay() -> None:
    """A seat's time runs until its envelope was closed for the last time; so does its delay."""
    table = Clocked(SEALED_ROUNDS, SIMPLE)
    table.wait(3)
    table.seals("Aki", 1)
    table.wait(4)
    assert table.left() == [60_000, 58_000, 58_000]
    table.seals("Aki", 2)
    assert table.left() == [58_000, 58_000, 58_000]


def test_only_who_sealed_in_time_gets_time_back() -> None:
    """Chie's budget runs out in a sealed round; Aki and Ben get theirs back, Chie doesn't."""
    table = Clocked(SEALED_ROUNDS, BRONSTEIN)
    table.wait(4)
    table.seals("Aki", 1)
    table.seals("Ben", 1)
    assert table.left() == [56_000, 56_000, 56_000]
    table.wait(56)
    assert table.left() == [60_000, 60_000, 0]
    table.restart()
    assert table.left() == [60_000, 60_000, 0]


def test_the_delay_may_change_in_the_middle() -> None:
    """As with an increment, a new setting counts for the turns that were played, too."""
    table = Clocked(TURNS, SIMPLE)
    play_round(table, 8)
    table.session.set_clock_settings(parse_clocks("budget=60 answer, bronstein=2"))
    assert table.left() == [54_000, 60_000, 60_000]
    table.session.set_clock_settings(parse_clocks("budget=60 answer"))
    assert table.left() == [52_000, 60_000, 60_000]
