"""The companion's own dice: chance that nobody can fish in."""

import sys
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest

from companion.errors import IllegalAnswer, ReplayConflict, StaleAnswer, UserError
from companion.log.events import Answered
from companion.log.log import MemoryLog
from companion.record.record import history_entries
from companion.requests import Choose, Die, Roll
from companion.rules.game import Game
from companion.session.session import Session
from companion.session.view import undone_hidden_corrections_and_rolls
from companion.table.ledger import Piece
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.texts import render, say

COIN = Piece("coin", say("coin"))
D100 = Die(say("hundred"), tuple(range(100)))
NEXT = {"roll": say("Roll"), "wait": say("Wait"), "hold": say("Hold"), "stop": say("Stop")}


async def play(table: Table) -> GameResult:
    """As many rolls as the table likes."""
    table.supply_from_box(table.account(COIN, say("bank")), 9)
    table.account(COIN, say("till"))
    while (what := await Choose(None, say("What now?"), dict(NEXT))) != "stop":
        if what == "roll":
            await Roll(None, say("Roll the dice"), (D100, D100))
    return rank_seats(table.seats, lambda _: 0, lambda _: ())


DICE = Game("dice", 1, say("Dice"), (1, 3), play)


def begun(seed: int = 7, *answers: str) -> Session:
    """A table at which dice are to be rolled, after these answers."""
    session = Session.begin(DICE, ["Aki", "Ben"], {}, MemoryLog(), seed=seed)
    for answer in (*answers, "roll"):
        session.answer(session.question_number, answer)
    return session


def rolled(session: Session) -> Any:
    """The faces that came up."""
    session.roll_app_dice(session.question_number)
    last = session.steps[-1]
    assert isinstance(last, Answered)
    return last.answer


def test_the_roll_is_an_answer_in_the_log() -> None:
    """What was rolled is kept like what people type, with the dice as its way in."""
    session = begun()
    faces = rolled(session)
    last = session.steps[-1]
    assert isinstance(last, Answered)
    assert (last.asks, last.via) == ("Roll: Roll the dice", "dice")
    assert session.rulebook_run.answered_questions[-1].answer == tuple(faces)


def test_undo_can_not_fish() -> None:
    """Undone and rolled again, after a restart and after a correction too, the same faces come up."""
    session = begun()
    faces = rolled(session)
    session.undo()
    assert rolled(session) == faces
    session.undo()
    session.undo()
    session.answer(session.question_number, "roll")
    assert rolled(session) == faces
    session.undo()
    session.correct("bank", "till", "coin", 1, "a try")
    assert rolled(session) == faces
    log = session._log
    assert isinstance(log, MemoryLog)
    again = Session(DICE, list(log), MemoryLog(log))
    again.undo()
    assert rolled(again) == faces


def test_after_another_answer_it_is_another_roll() -> None:
    """A roll that was taken back says nothing about that one; after the same answers it comes again."""
    same = 0
    for seed in range(20):
        session = begun(seed, "wait")
        faces = rolled(session)
        session.undo_to_step_count(0)
        for answer in ("hold", "roll"):
            session.answer(session.question_number, answer)
        same += rolled(session) == faces
        session.undo_to_step_count(0)
        for answer in ("wait", "roll"):
            session.answer(session.question_number, answer)
        assert rolled(session) == faces
    assert same < 3


def gone(session: Session) -> list[str]:
    """The rolls that were taken back, as the history and the record tell them."""
    found = [render(text) for _, text in undone_hidden_corrections_and_rolls(session)]
    log = session._log
    assert isinstance(log, MemoryLog)
    assert [render(one.text) for one in history_entries(session, list(log)) if one.is_undone] == found
    return found


def told(faces: list[int]) -> str:
    """A roll that was taken back."""
    return f"Rolled: hundred {faces[0]}, hundred {faces[1]} (taken back)"


def test_the_history_shows_a_roll_that_was_taken_back() -> None:
    """Whoever takes back a roll is seen to have done so, after a restart too, until it is redone."""
    session = begun(7, "wait")
    first = rolled(session)
    assert gone(session) == []
    session.undo()
    assert gone(session) == [told(first)]
    session.redo()
    assert gone(session) == []
    session.undo_to_step_count(0)
    for answer in ("hold", "roll"):
        session.answer(session.question_number, answer)
    second = rolled(session)
    assert gone(session) == [told(first)]
    session.undo()
    assert gone(session) == [told(first), told(second)]
    log = session._log
    assert isinstance(log, MemoryLog)
    assert gone(Session(DICE, list(log), log)) == [told(first), told(second)]


def test_a_roll_that_an_amendment_took_back_is_shown() -> None:
    """Such as where no dice are rolled after the changed answer."""
    session = begun()
    faces = rolled(session)
    session.amend_answer(1, "wait", go_back=True)
    assert gone(session) == [told(faces)]


TOSSES = 60


def _toss_each_after_the_other(session: Session) -> None:
    """Tosses, all taken back at once."""
    for _ in range(TOSSES):
        session.answer(session.question_number, "roll")
        session.roll_app_dice(session.question_number)
    session.undo_to_step_count(0)


def _take_back_one_at_a_time(session: Session) -> None:
    """Tosses, taken back one by one."""
    for _ in range(TOSSES):
        session.answer(session.question_number, "roll")
        session.roll_app_dice(session.question_number)
    for _ in range(2 * TOSSES):
        session.undo()


def _toss_the_same_again(session: Session) -> None:
    """One toss after many answers, taken back again and again."""
    for _ in range(TOSSES):
        session.answer(session.question_number, "wait")
    session.answer(session.question_number, "roll")
    for _ in range(TOSSES):
        session.roll_app_dice(session.question_number)
        session.undo()


@pytest.mark.parametrize(
    "take_back", [_toss_each_after_the_other, _take_back_one_at_a_time, _toss_the_same_again]
)
def test_the_sentences_of_many_rolls_need_one_replay(take_back: Callable[[Session], None]) -> None:
    """While the game goes on nothing is replayed; after a rename or a restart each answer once."""
    asked: list[str] = []

    async def counted(table: Table) -> GameResult:
        while (what := await Choose(None, say("What now?"), dict(NEXT))) != "stop":
            asked.append(what)
            if what == "roll":
                await Roll(None, say("Roll the dice"), (D100, D100))
        return rank_seats(table.seats, lambda _: 0, lambda _: ())

    game, log = Game("dice", 1, say("Dice"), (1, 3), counted), MemoryLog()
    session = Session.begin(game, ["Aki", "Ben"], {}, log, seed=7)
    take_back(session)
    asked.clear()
    found = [render(text) for _, text in undone_hidden_corrections_and_rolls(session)]
    assert len(found) == TOSSES
    assert asked == []
    session.rename_player(session.table.seats[0], "Chie")
    asked.clear()
    assert [render(text) for _, text in undone_hidden_corrections_and_rolls(session)] == found
    assert len(asked) <= TOSSES + 1
    assert undone_hidden_corrections_and_rolls(session) == undone_hidden_corrections_and_rolls(session)
    again = Session(game, list(log), log)
    asked.clear()
    assert [render(text) for _, text in undone_hidden_corrections_and_rolls(again)] == found
    assert len(asked) <= TOSSES + 1


@pytest.mark.parametrize(
    "take_back", [_toss_each_after_the_other, _take_back_one_at_a_time, _toss_the_same_again]
)
def test_many_rolls_share_what_was_in_force_before_them(take_back: Callable[[Session], None]) -> None:
    """However many rolls were taken back, the first answer is kept only a few times."""
    log = MemoryLog()
    session = Session.begin(DICE, ["Aki", "Ben"], {}, log, seed=7)
    take_back(session)
    first = next(event for event in log if isinstance(event, Answered))
    assert sys.getrefcount(first) < 12


@pytest.mark.parametrize("seed", range(20))
def test_a_restart_finds_the_same_sentences(seed: int) -> None:
    """Whatever was rolled, taken back, amended, corrected and redone, the history tells it as before."""
    rng, log = Random(seed), MemoryLog()
    deeds = ["answer"] * 2 + ["roll"] * 2 + ["undo", "back", "amend", "correct", "redo"]
    session = Session.begin(DICE, ["Aki", "Ben"], {}, log, seed=seed)
    for _ in range(120):
        with suppress(UserError):
            match rng.choice(deeds):
                case "answer":
                    session.answer(session.question_number, rng.choice(("roll", "roll", "wait", "hold")))
                case "roll":
                    session.roll_app_dice(session.question_number)
                case "undo":
                    session.undo()
                case "back":
                    session.undo_to_step_count(rng.randrange(len(session.steps) + 1))
                case "amend":
                    changed = rng.choice([step.n for step in session.steps] or [1])
                    session.amend_answer(changed, rng.choice(("roll", "wait")), go_back=True)
                case "correct":
                    session.correct("bank", "till", "coin", 1, "a try")
                case "redo":
                    session.redo()
    found = undone_hidden_corrections_and_rolls(session)
    assert found
    assert undone_hidden_corrections_and_rolls(Session(DICE, list(log), log)) == found


def test_answers_undone_one_by_one_are_recalled_with_one_replay() -> None:
    """After a restart too, where an amendment took back the last one and it doesn't fit."""
    asked: list[str] = []

    async def counted(table: Table) -> GameResult:
        options = dict(NEXT)
        while (what := await Choose(None, say("What now?"), dict(options))) != "stop":
            asked.append(what)
            if what == "hold":
                options.pop("roll")
        return rank_seats(table.seats, lambda _: 0, lambda _: ())

    game, log = Game("dice", 1, say("Dice"), (1, 3), counted), MemoryLog()
    session = Session.begin(game, ["Aki", "Ben"], {}, log, seed=7)
    for _ in range(TOSSES):
        session.answer(session.question_number, "wait")
    session.answer(session.question_number, "roll")
    session.amend_answer(1, "hold", go_back=True)
    for _ in range(TOSSES - 1):
        session.undo()
    again = Session(game, list(log), log)
    asked.clear()
    again.redo(TOSSES)
    with pytest.raises(ReplayConflict, match=r"“What now\? Roll”"):
        again.redo()
    assert len(asked) < 7 * TOSSES


def test_what_real_dice_showed_is_taken_back_without_a_trace() -> None:
    """It was misread, and is typed again."""
    session = begun()
    session.answer(session.question_number, [75, 0])
    session.undo()
    assert gone(session) == []


def test_each_roll_and_each_game_is_another() -> None:
    """Later rolls of a game, and the first ones of other games, show other faces."""
    session = begun()
    rolls = []
    for _ in range(20):
        rolls.append(tuple(rolled(session)))
        session.answer(session.question_number, "roll")
    assert len(set(rolls)) > 15
    assert len({tuple(rolled(begun(seed))) for seed in range(20)}) > 15
    assert rolled(begun(7)) != rolled(begun(7, "wait"))


def test_over_many_games_the_dice_are_fair() -> None:
    """Every ten of the hundred comes up in a tenth of 3,000 first rolls, within 4 sigma."""
    tens = Counter(rolled(begun(seed))[0] // 10 for seed in range(3_000))
    assert all(abs(tens[ten] - 300) < 66 for ten in range(10))


def test_dice_are_rolled_only_when_asked_for() -> None:
    """A late roll, one that nobody asked for, and one after the end are refused and change nothing."""
    session = begun()
    with pytest.raises(StaleAnswer):
        session.roll_app_dice(session.question_number - 1)
    rolled(session)
    steps = list(session.steps)
    with pytest.raises(IllegalAnswer, match=r"^There are no dice to roll now\.$"):
        session.roll_app_dice(session.question_number)
    assert list(session.steps) == steps
    session.answer(session.question_number, "stop")
    with pytest.raises(UserError, match="The game is over"):
        session.roll_app_dice(session.question_number)


def test_real_dice_are_typed() -> None:
    """What people rolled is an answer like any other."""
    session = begun()
    session.answer(session.question_number, [75, 0])
    assert session.rulebook_run.answered_questions[-1].answer == (75, 0)
