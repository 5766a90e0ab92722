"""The clock at the table: it rings, it answers for silence, and it never does either twice."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from companion.clocks import parse_clocks
from companion.errors import EventNotSaved, StaleAnswer
from companion.jsonlines import question_as_json
from companion.requests import Amount, Choose, Counts, Die, Done, Raise, Read, Request, Roll, Together
from companion.requests.counts import CountedItem
from companion.rules.auctions import offer_at_falling_price
from companion.table.ledger import Piece
from companion.table.scores import GameResult
from companion.table.seats import Seat
from companion.table.table import Table
from companion.texts import render, say
from tests.clocks.table import ENVELOPES, LOTS, ROUNDS, Clocked, game_of, over
from tests.support.stall_game import FailingLog

YES = {"yes": say("yes")}
CHIP = Piece("chip", say("chip"))


def question(name: str, seat: Seat, table: Table) -> Request[Any]:
    """Each kind of question, where silence has a meaning and where it has none."""
    text = say("Which?")
    some = {"coins": CountedItem(say("coins"), 5)}
    questions: dict[str, Request[Any]] = {
        "Choose pass": Choose(seat, text, YES | {"pass": say("pass")}),
        "Choose": Choose(seat, text, YES),
        "Raise pass": Raise(seat, CHIP, {}),
        "Raise": Raise(seat, CHIP, {}, decline=None),
        "Amount 0": Amount(seat, text),
        "Amount none": Amount(seat, text, least=2, decline=True),
        "Amount": Amount(seat, text, least=2),
        "Counts nothing": Counts(seat, text, some),
        "Counts can't": Counts(seat, text, some, least=1, decline=say("can't")),
        "Counts": Counts(seat, text, some, least=1),
        "Read": Read(seat, text, table.track_faces("egypt"), 1, 2),
        "Roll": Roll(seat, text, (Die(say("die"), (1, 2)),)),
        "Done": Done(seat, text),
    }
    return questions[name]


@pytest.mark.parametrize(
    ("name", "otherwise"),
    [
        ("Choose pass", ("pass",)),
        ("Choose", ()),
        ("Raise pass", (None,)),
        ("Raise", ()),
        ("Amount 0", (0,)),
        ("Amount none", (0,)),
        ("Amount", ()),
        ("Counts nothing", ({"coins": 0},)),
        ("Counts can't", (None,)),
        ("Counts", ()),
        ("Read", ()),
        ("Roll", ()),
        ("Done", ()),
    ],
)
@pytest.mark.parametrize("clock", ["kind", "turn", "budget"])
def test_what_silence_means(name: str, otherwise: tuple[object, ...], clock: str) -> None:
    """Each kind of question says what silence means; where it means nothing, every clock only rings."""

    async def play(table: Table) -> GameResult:
        await question(name, table.seats[0], table)
        return over(table)

    key = name.split(maxsplit=1)[0] if clock == "kind" else clock
    table = Clocked(game_of(play, "egypt"), f"{key}=20 answer")
    table.wait(19.999)
    assert table.rings == []
    table.wait(0.001)
    assert len(table.rings) == 1
    assert [ring.gave_default_answer for ring in table.rings] == [bool(otherwise)]
    answered = [event for event in table.log if type(event).__name__ == "Answered"]
    assert [(event.answer, event.via, event.at) for event in answered] == [  # type: ignore[union-attr]  # answers
        (each, "clock", 20.0) for each in otherwise
    ]
    table.wait(1000)
    assert len(table.rings) == 1


def test_only_missing_envelopes_are_filled() -> None:
    """In a sealed round the clock answers for those who are slow; who was in time keeps what they sealed."""
    table = Clocked(ENVELOPES, "Together=60 answer")
    table.seals("Ben", 7)
    table.wait(59)
    table.seals("Ben", 8)
    table.wait(1)
    assert table.session.rulebook_run.answered_questions[-1].answer == dict(
        zip(table.session.table.seats, (0, 8, 0), strict=True)
    )
    assert table.rung == ["Time is up."]
    assert table.left("Together") == [60_000]


def test_only_who_has_used_up_their_budget_is_filled_in() -> None:
    """In a sealed round the others go on thinking when one seat's own time is over."""
    table = Clocked(ENVELOPES, "budget=60 answer")
    table.wait(10)
    table.seals("Aki", 3)
    table.wait(20)
    table.seals("Ben", 5)
    table.wait(5)
    table.seals("Chie", 1)
    assert table.left() == [50_000, 30_000, 25_000]
    table.wait(25)
    assert table.rung == ["Chie has used up all their time."]
    assert [seat.name for seat in table.session.drafts] == ["Chie"]
    table.wait(5)
    assert [seat.name for seat in table.session.drafts] == ["Chie", "Ben"]
    table.seals("Aki", 9)
    assert list(table.session.rulebook_run.answered_questions[-1].answer.values()) == [9, 0, 0]
    assert table.left() == [20_000, 0, 0]


def test_who_opens_the_envelope_again_pays_for_the_time() -> None:
    """A seat's time runs until its envelope was closed for the last time."""
    table = Clocked(ENVELOPES, "budget=60")
    table.wait(10)
    table.seals("Aki", 3)
    table.wait(10)
    assert table.left() == [50_000, 40_000, 40_000]
    table.seals("Aki", 4)
    table.wait(10)
    assert table.left() == [40_000, 30_000, 30_000]


def test_a_turn_goes_on_until_somebody_else_is_asked() -> None:
    """All questions in a row to the same seat share the time of one turn."""
    table = Clocked(ROUNDS, "turn=60 ring")
    table.wait(40)
    table.says("yes")
    assert table.left("turn") == [20_000]
    table.wait(25)
    assert table.rung == ["Time is up, Aki."]
    table.says("yes")
    assert table.left("turn") == [60_000]


def test_silence_ends_a_whole_turn() -> None:
    """Where silence answers, it answers what is left of the turn, and the next seat has all its time."""
    table = Clocked(ROUNDS, "turn=60 answer")
    table.wait(60)
    assert [told.answer for told in table.session.rulebook_run.answered_questions] == ["pass", "pass"]
    assert table.left("turn") == [60_000]


def test_an_increment_comes_with_each_finished_turn() -> None:
    """A seat gets its seconds when its turn is over, and loses them where the turn is taken back."""
    table = Clocked(ROUNDS, "budget=60 answer, increment=10")
    table.wait(5)
    table.says("yes")
    assert table.left() == [55_000, 60_000, 60_000]
    table.says("yes")
    assert table.left() == [65_000, 60_000, 60_000]
    table.session.undo()
    assert table.left() == [55_000, 60_000, 60_000]


def test_the_time_of_a_twelfth_player_counts() -> None:
    """A seat's number may have two digits; its budget runs, and its turns bring an increment."""
    names = [f"P{number}" for number in range(1, 13)]
    game = msgspec.structs.replace(ROUNDS, players=(2, 12))
    table = Clocked(game, "budget=60 answer, increment=10", names=names)
    table.says(*["yes"] * 22)
    table.wait(5)
    table.says("yes")
    assert table.left()[-1] == 55_000
    table.says("yes")
    assert table.left()[-1] == 65_000


def test_a_turn_that_silence_ends_brings_no_increment() -> None:
    """Who has used up their time has none at each later question; a turn played in time brings some."""
    table = Clocked(ROUNDS, "budget=60 answer, increment=10")
    table.wait(60)
    assert table.left() == [0, 60_000, 60_000]
    table.says("yes", "yes", "yes", "yes")
    assert [told.answer for told in table.session.rulebook_run.answered_questions] == [
        "pass",
        "pass",
        "yes",
        "yes",
        "yes",
        "yes",
    ]
    assert table.left() == [0, 70_000, 70_000]
    table.wait(0)
    assert [told.answer for told in table.session.rulebook_run.answered_questions][-2:] == ["pass", "pass"]
    assert table.left() == [0, 70_000, 70_000]


def test_whose_player_has_left_gains_no_increment() -> None:
    """Silence answers for the seat at once, and its clock stays where it is."""
    table = Clocked(ROUNDS, "budget=60 answer, increment=10")
    table.session.mark_player_absent(table.session.table.seats[0])
    assert table.left() == [60_000, 60_000, 60_000]


def test_only_who_sealed_in_time_gains_the_increment_of_a_sealed_round() -> None:
    """Whether silence filled the first envelope or the last; after a restart too."""

    async def play(table: Table) -> GameResult:
        for _ in range(9):
            parts = {seat: Amount(seat, say("How many?"), 0, 9) for seat in table.seats}
            await Together[int](say("Sealed"), {**parts})
            await Done(None, say("Go on"))
        return over(table)

    table = Clocked(game_of(play), "budget=60 answer, increment=10")
    table.wait(10)
    table.seals("Aki", 3)
    table.seals("Ben", 3)
    table.wait(50)
    assert table.left() == [60_000, 60_000, 0]
    table.says(True)
    table.wait(0)
    assert [seat.name for seat in table.session.drafts] == ["Chie"]
    table.seals("Aki", 3)
    table.seals("Ben", 3)
    assert table.left() == [70_000, 70_000, 0]
    table.restart()
    assert table.left() == [70_000, 70_000, 0]


def test_a_late_press_is_dropped() -> None:
    """Whoever answers after the clock has, answers a question that is no longer open."""
    table = Clocked(ROUNDS, "Choose=20 answer")
    n = table.session.question_number
    table.wait(20)
    with pytest.raises(StaleAnswer):
        table.session.answer(n, "yes")


# Lots


def test_a_lot_that_is_over_goes_to_the_highest_bid() -> None:
    """When the time for a lot is up, silence withdraws all others; the next lot has all its time."""
    table = Clocked(LOTS, "lot=60 answer")
    table.wait(10)
    table.says(1, 2)
    table.wait(50)
    assert [told.answer for told in table.session.rulebook_run.answered_questions] == [1, 2, None, None]
    assert table.rung == ["The time for this lot is up."] * 2
    assert table.session.question is not None
    assert table.session.question.log_key == "Raise @1: chip 1"
    assert table.left("lot") == [60_000]


@pytest.mark.parametrize(
    ("waits", "left"),
    [
        ([49.999], 10_001),
        ([50], 10_000),
        ([55], 10_000),
        ([55, 9], 10_000),
        ([30, 25, 3], 10_000),
        ([30], 30_000),
    ],
)
def test_a_late_bid_lengthens_the_lot(waits: list[float], left: int) -> None:
    """After a bid in the last seconds there are that many left again, so that nobody wins by a snipe."""
    table = Clocked(LOTS, "lot=60 answer, extension=10")
    for bid, wait in enumerate(waits, 1):
        table.wait(wait)
        table.says(bid)
    assert table.left("lot") == [left]
    table.wait(left / 1000)
    assert table.rung[0] == "The time for this lot is up."


def test_no_bid_lengthens_nothing() -> None:
    """Who withdraws in the last seconds gives nobody more time."""
    table = Clocked(LOTS, "lot=60 answer, extension=10")
    table.says(1)
    table.wait(55)
    table.says(None)
    assert table.left("lot") == [5_000]


# Ring, pause, undo


def test_the_game_rings_once() -> None:
    """The clock of the game rings once, however many questions come after."""
    table = Clocked(ROUNDS, "game=60")
    table.wait(61)
    table.says("yes", "yes")
    table.wait(100)
    assert table.rung == ["The time for this game is up."]
    assert table.faces() == {"game": "-1:41"}


def test_a_budget_rings_once_until_it_has_time_again() -> None:
    """A seat that has used up its time is told so once, and again after an increment gave it some."""
    table = Clocked(ROUNDS, "budget=60 ring, increment=30")
    table.wait(80)
    table.says("yes")
    table.wait(1)
    assert table.rung == ["Aki has used up all their time."]
    table.says("yes", "yes", "yes", "yes", "yes")
    table.wait(9)
    assert table.rung == ["Aki has used up all their time."] * 2


@pytest.mark.parametrize("clocks", ["turn=60 ring", "budget=60 ring"])
def test_a_clock_that_has_rung_doesnt_ring_again_under_another_name(clocks: str) -> None:
    """Who is told that time is up and then gets another name is told so once."""
    table = Clocked(ROUNDS, clocks)
    table.wait(61)
    table.session.rename_player(table.session.table.seats[0], "Dai")
    table.wait(100)
    assert len(table.rung) == 1


def test_nothing_is_due_in_a_pause() -> None:
    """In a pause no clock goes on and none rings; an answer ends it."""
    table = Clocked(ROUNDS, "turn=60 answer, budget=5:00")
    table.wait(30)
    table.session.pause_clocks()
    assert table.keeper.seconds_until_next_ring is None
    table.wait(100_000)
    assert table.keeper.ring_next_due_clock() is None
    assert table.left() == [270_000, 300_000, 300_000]
    table.says("yes")
    table.wait(29)
    assert table.rings == []
    table.wait(1)
    assert table.rung == ["Time is up, Aki."]


def test_a_pause_while_the_time_is_up() -> None:
    """Paused when its time was up already, the clock neither rings nor answers."""
    table = Clocked(ROUNDS, "turn=60 answer")
    table.now += 60
    table.session.pause_clocks()
    assert table.keeper.ring_next_due_clock() is None
    table.session.resume_clocks()
    assert table.keeper.seconds_until_next_ring == 0
    assert table.keeper.ring_next_due_clock() is not None


def test_what_is_taken_back_gives_a_turn_its_time_again() -> None:
    """After undo the seat has its whole turn, and the clock answers again; its budget doesn't come back."""
    table = Clocked(ROUNDS, "turn=60 answer, budget=5:00")
    table.wait(50)
    table.says("yes")
    table.wait(5)
    table.session.undo()
    assert table.left("turn") == [60_000]
    assert table.left() == [250_000, 300_000, 300_000]
    table.wait(60)
    assert [told.answer for told in table.session.rulebook_run.answered_questions] == ["pass", "pass"]


def test_a_resumed_game_stands_still() -> None:
    """After a restart the clocks stand still with what they had, until somebody answers."""
    table = Clocked(ROUNDS, "budget=5:00, turn=60 answer")
    table.wait(30)
    table.says("yes")
    table.wait(20)
    table.session.pause_clocks()
    table.restart()
    assert table.session.are_clocks_paused
    table.wait(1000)
    assert (table.left(), table.left("turn")) == ([250_000, 300_000, 300_000], [10_000])
    table.says("yes")
    table.wait(1)
    assert table.left() == [250_000, 299_000, 300_000]


async def reminded(table: Table) -> GameResult:
    """Asks again and again; after each yes people are reminded in 60 seconds."""
    for _ in range(1000):
        table.remind_after(60, say("level"), say("Raise the blinds."))
        while await Choose(None, say("What now?"), {"yes": say("yes"), "wait": say("wait")}) != "yes":
            pass
    return over(table)


REMINDED = game_of(reminded)


def test_a_reminder_rings_once_and_changes_nothing() -> None:
    """It counts from the answer after which the rules set it; then it waits for what people do."""
    table = Clocked(REMINDED, "none")
    table.wait(40)
    table.says("wait")
    assert table.faces() == {"level": "0:20"}
    table.wait(500)
    assert table.rung == ["Raise the blinds."]
    assert (table.session.question_number, table.faces()) == (2, {"level": "-8:00"})
    assert question_as_json(table.session)["reminder"] == "Raise the blinds."
    table.says("yes")
    assert table.faces() == {"level": "1:00"}
    assert "reminder" not in question_as_json(table.session)
    table.wait(60)
    assert table.rung == ["Raise the blinds."] * 2


def test_a_reminder_survives_a_pause_and_a_restart() -> None:
    """Only play counts; a resumed game stands still until somebody goes on."""
    table = Clocked(REMINDED, "none")
    table.wait(10)
    table.says("yes")
    table.wait(20)
    table.session.pause_clocks()
    table.wait(1000)
    table.restart()
    assert (table.session.are_clocks_paused, table.faces()) == (True, {"level": "0:40"})
    table.wait(1000)
    assert (table.rung, table.faces()) == ([], {"level": "0:40"})
    table.session.resume_clocks()
    table.wait(40)
    assert table.rung == ["Raise the blinds."]


def test_undo_of_what_a_reminder_asked_for_reminds_again() -> None:
    """The clock then counts from the answer before; redo puts it back."""
    table = Clocked(REMINDED, "none")
    table.wait(70)
    table.says("yes")
    table.wait(5)
    table.session.undo()
    table.wait(1)
    assert table.rung == ["Raise the blinds."] * 2
    table.session.redo()
    assert table.faces() == {"level": "0:54"}


@pytest.mark.parametrize("restarts", [False, True])
def test_a_reopened_game_goes_on_where_its_clocks_stood(restarts: bool) -> None:
    """A turn of two questions keeps what it had left; nobody pays for the time on the page of the score."""
    table = Clocked(ROUNDS, "budget=5:00, turn=60 answer, Choose=30")
    table.wait(20)
    table.says("yes")
    table.wait(15)
    table.session.put_away()
    table.wait(1000)
    if restarts:
        table.restart()
    table.session.reopen()
    assert table.session.are_clocks_paused
    table.session.resume_clocks()
    table.wait(5)
    assert (table.left(), table.left("turn")) == ([260_000, 300_000, 300_000], [20_000])
    assert table.left("Choose") == [10_000]
    table.says("yes")
    assert table.left("turn") == [60_000]


def test_whose_envelope_is_empty_after_reopening_has_what_was_left() -> None:
    """Aki had sealed early and waited: only thinking counts, before and after."""
    table = Clocked(ENVELOPES, "budget=60")
    table.wait(10)
    table.seals("Aki", 3)
    table.wait(20)
    table.session.put_away()
    table.wait(50)
    table.restart()
    table.session.reopen()
    table.session.resume_clocks()
    assert table.left() == [50_000, 30_000, 30_000]
    table.wait(5)
    table.seals("Aki", 3)
    table.wait(5)
    table.seals("Ben", 3)
    table.seals("Chie", 3)
    assert table.session.time_used.ticks_by_seat == {1: 15_000, 2: 40_000, 3: 40_000}


def test_a_game_that_cant_be_put_away_keeps_its_clocks() -> None:
    """The disk is full: the game goes on, and so do its clocks."""
    log = FailingLog()
    table = Clocked(ROUNDS, "turn=60 ring", log)
    log.is_full = True
    with pytest.raises(EventNotSaved):
        table.session.put_away()
    assert not table.session.are_clocks_paused
    table.session.pause_clocks()
    with pytest.raises(EventNotSaved):
        table.session.put_away()
    assert table.session.are_clocks_paused


def test_without_clocks_a_resumed_game_goes_on() -> None:
    """Where nobody looks at the time, nobody has to start it."""
    table = Clocked(ROUNDS, "none")
    table.says("yes")
    table.restart()
    assert not table.session.are_clocks_paused
    assert table.keeper.clock_states == []
    assert table.keeper.seconds_until_next_ring is None


def test_clocks_may_change_in_the_middle() -> None:
    """The table sets other clocks at any time; what was used so far counts."""
    table = Clocked(ROUNDS, "budget=5:00")
    table.wait(30)
    table.session.set_clock_settings(parse_clocks("budget=10:00"))
    assert table.left() == [570_000, 600_000, 600_000]
    table.restart()
    assert table.left() == [570_000, 600_000, 600_000]


def test_counting_up() -> None:
    """A clock without a limit shows how long it has gone and is never up."""
    table = Clocked(LOTS, "turn=up, lot=up, game=up")
    table.wait(70.9)
    assert table.faces() == {"turn": "1:10", "lot": "1:10", "game": "1:10"}
    table.says(1)
    table.wait(3600)
    assert table.faces() == {"turn": "1:00:00", "lot": "1:01:10", "game": "1:01:10"}
    assert table.keeper.seconds_until_next_ring is None


def test_a_question_to_the_table_has_its_own_clock() -> None:
    """Who asks nobody in particular takes nobody's time; the limit of its kind rings."""

    async def play(table: Table) -> GameResult:
        await Choose(None, say("Who begins?"), YES | {"pass": say("pass")})
        return over(table)

    table = Clocked(game_of(play), "Choose=20 answer, turn=5, budget=5:00")
    table.wait(30)
    assert table.rung == ["Time is up."]
    assert table.left() == [300_000] * 3
    table.says("yes")
    assert table.keeper.clock_states == []


def test_an_answer_that_could_not_be_kept() -> None:
    """Where the disk refuses what silence answers, the question waits and the clock doesn't try again."""
    disk = FailingLog()
    table = Clocked(ROUNDS, "turn=60 answer", log=disk)
    disk.is_full = True
    table.now += 60
    with pytest.raises(EventNotSaved):
        table.keeper.ring_next_due_clock()
    assert table.keeper.ring_next_due_clock() is None
    assert table.session.question_number == 1


def test_together_is_a_turn_of_all() -> None:
    """The limit of a turn counts in a sealed round for everybody who is asked."""

    async def play(table: Table) -> GameResult:
        for _ in range(2):
            await Together[int](say("Bids"), {seat: Amount(seat, say("Bid")) for seat in table.seats})
            await Choose(None, say("Next?"), YES)
        return over(table)

    table = Clocked(game_of(play), "turn=30 answer")
    table.wait(30)
    assert table.rung == ["Time is up."]
    assert table.session.rulebook_run.answered_questions[0].answer == dict.fromkeys(
        table.session.table.seats, 0
    )


async def falling(table: Table) -> GameResult:
    """Prices of 30, 20 and 10, which fall."""
    await offer_at_falling_price(table.seats, CHIP, (30, 20, 10))
    return over(table)


def test_a_price_falls_by_the_clock() -> None:
    """With each price it has its whole time again; nobody is told that time is up, and nothing is red."""
    table = Clocked(game_of(falling), "price=4 answer, turn=60")
    table.wait(3.9)
    (price, turn) = table.keeper.clock_states
    assert (price.key, price.display_text, price.is_in_final_seconds, turn.key) == (
        "price",
        "0:01",
        False,
        "turn",
    )
    assert render(price.label) == "price"
    table.wait(4.1)
    assert [ring.is_silent for ring in table.rings] == [True, True]
    question = table.session.question
    assert question is not None
    assert render(question.text) == "Who takes chip for 10?"
    table.says("2")
    assert table.session.result is not None


def test_a_price_that_only_rings_is_told() -> None:
    """Where the clock only rings, people let the price fall themselves."""
    table = Clocked(game_of(falling), "price=4")
    table.wait(9)
    assert [(ring.is_silent, ring.gave_default_answer) for ring in table.rings] == [(False, False)]
