"""Rounds that are open to all: seats answer at once, everybody sees it, and one line may answer for all."""

from io import BytesIO
from itertools import count
from random import Random
from typing import Any

import pytest

from companion.errors import EventNotSaved, IllegalAnswer
from companion.jsonlines import play_over_streams
from companion.log.events import Answered, Sealed
from companion.log.log import MemoryLog
from companion.log.proof import sealed_rounds
from companion.requests import Amount, Choose, CountedItem, Counts, Request, Together
from companion.rules.game import Game, RulebookCoroutine
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.ledger import Piece
from companion.table.scores import GameResult, rank_seats
from companion.table.seats import Seat
from companion.table.table import Table
from companion.testing import Script
from companion.texts import render, say
from hardware.desk.answers import DeviceAnswerRefusal, submit_device_answer
from hardware.desk.prompts import build_seat_panel
from hardware.signals import NumbersAnswer
from tests.support.stall_game import FailingLog
from tests.support.terminal_sessions import play_lines

POINT, FRONT = Piece("point", say("point"), is_endless=True, is_marker=True), say("front")
NAMES = ("Aki", "Ben", "Chie")


async def evening(table: Table) -> GameResult:
    """Points for all, again and again, and once in pairs."""
    fronts = table.account_by_seat(POINT, FRONT)
    question = say("Points of the round")
    while True:
        points: dict[Any, int] = await Together(
            question, {seat: Amount(seat, question, 0, 99) for seat in table.seats}, is_open=True
        )
        for seat, many in points.items():
            table.add_markers(fronts[seat], many)
        if await Choose(None, say("Another?"), {"yes": say("yes"), "no": say("no")}) == "no":
            return rank_seats(table.seats, lambda seat: fronts[seat].count, lambda seat: ())


def play(table: Table) -> RulebookCoroutine:
    """The whole evening."""
    return evening(table)


ROUNDS = Game("rounds", 1, say("Rounds"), (2, 5), play)


@pytest.fixture
def sheet() -> Script:
    """Three people at an open round."""
    return Script(ROUNDS, *NAMES)


def entered(script: Script) -> dict[str, object]:
    """What all see of what has been entered so far."""
    return {
        one.seat.name: one.open_answer and one.open_answer[0] for one in make_view(script.session).envelopes
    }


def fronts(script: Script) -> list[int]:
    """The points of all."""
    return [script[f"{name}/front", "point"] for name in NAMES]


def test_everybody_sees_what_has_been_entered(sheet: Script) -> None:
    """Each seat answers for itself, at once and in the open; no seal is shown."""
    sheet.says("Ben 7")
    assert entered(sheet) == {"Aki": None, "Ben": 7, "Chie": None}
    aki, ben, _ = make_view(sheet.session).envelopes
    assert (aki.has_answer, ben.has_answer, ben.seal) == (False, True, "")
    sheet.says("Ben 8", "Aki 1", "Chie 0")
    assert fronts(sheet) == [1, 8, 0]
    assert make_view(sheet.session).opened_envelopes is None


def test_nothing_of_it_is_sealed(sheet: Script) -> None:
    """The log has the answers alone, there is nothing to verify, and undo asks about no reveal."""
    sheet.says("Ben 7", "table: 1, 2, 3")
    assert not any(isinstance(event, Sealed) for event in sheet.log)
    assert sealed_rounds(sheet.log) == []
    sheet.says("undo", "redo")
    assert fronts(sheet) == [1, 2, 3]


def test_a_round_can_be_answered_in_one_go(sheet: Script) -> None:
    """Whoever has the screen answers for all; what others have entered before is dropped."""
    sheet.says("Ben 7", "table: 4, 5, 6")
    assert fronts(sheet) == [4, 5, 6]
    assert sheet.log.drafts() == []
    assert not sheet.session.drafts
    (answer,) = [event for event in sheet.log if isinstance(event, Answered)]
    assert answer.answer == {"1": 4, "2": 5, "3": 6}
    assert answer.salts == {}


def test_a_whole_answer_is_checked_part_by_part(sheet: Script) -> None:
    """One illegal part refuses all of it, and so does one that is missing."""
    sheet.says("Ben 7")
    assert sheet.refuses("table: 4, 100, 6") == "Ben can answer at most 99."
    with pytest.raises(IllegalAnswer, match="All players who are asked must answer"):
        sheet.session.answer(sheet.question_number, {"1": 4, "2": 5})
    assert entered(sheet) == {"Aki": None, "Ben": 7, "Chie": None}


def test_only_who_is_asked_may_enter(sheet: Script) -> None:
    """As in a sealed round."""
    two = Script(ASKS_TWO, *NAMES)
    with pytest.raises(IllegalAnswer, match=r"^Chie isn't asked now. Answers must come from: Aki, Ben\.$"):
        two.session.put_answer_in_envelope(two.question_number, two.session.table.seats[2], 3)


async def _two(table: Table) -> GameResult:
    question = say("Points")
    parts = {seat: Amount(seat, question) for seat in table.seats[:2]}
    await Together(question, dict(parts), is_open=True)
    return rank_seats(table.seats, lambda _: 0, lambda _: ())


ASKS_TWO = Game("two", 1, say("Two"), (3, 3), _two)


def test_what_was_entered_outlives_the_program(sheet: Script) -> None:
    """After a restart it is there; the last entry counts, and drafts of other questions don't."""
    sheet.says("Ben 7", "Aki 3", "Ben 9", "restart")
    assert entered(sheet) == {"Aki": 3, "Ben": 9, "Chie": None}
    sheet.says("Chie 2")
    assert fronts(sheet) == [3, 9, 2]


def test_undo_drops_what_was_entered(sheet: Script) -> None:
    """As it drops envelopes."""
    sheet.says("table: 1, 1, 1", "table: yes", "Ben 7", "undo", "table: yes")
    assert entered(sheet) == {"Aki": None, "Ben": None, "Chie": None}


def test_what_could_not_be_kept_was_not_entered() -> None:
    """On a full disk nothing is taken, neither a part nor the whole."""
    disk = FailingLog()
    session = Session.begin(ROUNDS, NAMES, {}, disk, clock=lambda: 0.0, salt=map(str, count()).__next__)
    disk.is_full = True
    with pytest.raises(EventNotSaved):
        session.put_answer_in_envelope(session.question_number, session.table.seats[1], 7)
    with pytest.raises(EventNotSaved):
        session.answer(session.question_number, {"1": 4, "2": 5, "3": 6})
    assert not session.drafts
    assert session.question_number == 1


def test_a_part_or_the_whole_is_amended(sheet: Script) -> None:
    """One seat's figure, or all of them, as the question was asked."""
    sheet.says("table: 1, 2, 3", "amend 1: Ben 7")
    assert fronts(sheet) == [1, 7, 3]
    sheet.says("amend 1: table: 4, 5, 6")
    assert fronts(sheet) == [4, 5, 6]


def test_silence_answers_for_who_has_left(sheet: Script) -> None:
    """0 is entered for who is away, and nothing for who is at the table."""
    sheet.says("Chie leaves", "Ben 7")
    assert entered(sheet) == {"Aki": None, "Ben": 7, "Chie": 0}
    sheet.says("Aki 1")
    assert fronts(sheet) == [1, 7, 0]


def test_who_returns_finds_what_was_entered_by_hand(sheet: Script) -> None:
    """A number that was entered before leaving stays, even a 0; what silence entered goes."""
    sheet.says("Aki 0", "Aki leaves", "Ben leaves", "restart", "Aki returns", "Ben returns")
    assert entered(sheet) == {"Aki": 0, "Ben": None, "Chie": None}


# The terminal


@pytest.mark.parametrize(
    "lines",
    [
        ("12 3 10",),
        ("12, 3, 10",),
        ("Aki 12 Ben 3 Chie 10",),
        ("chie 10 AKI 12", "ben 3"),
        ("Ben 9", "12 3 10"),
    ],
)
def test_a_line_enters_a_round(lines: tuple[str, ...]) -> None:
    """As people sit, or by name, all of it or some; the answer is told."""
    session = Session.begin(ROUNDS, NAMES, {}, MemoryLog())
    text = play_lines(session, *lines)
    assert "Aki: 12, Ben: 3, Chie: 10" in text
    assert session.question_number == 2


def test_the_terminal_shows_what_was_entered() -> None:
    """Above what may be typed; a line that can't be read says how."""
    session = Session.begin(ROUNDS, NAMES, {}, MemoryLog())
    text = play_lines(session, "Ben 7", "Ben", "12 x 10", "Dai 3", "12 3")
    assert "Points of the round\n  Ben: 7\n  0 to 99\n" in text
    how = 'Type 3 answers in this order: Aki, Ben, Chie; or only some answers with names, such as "Aki 7".'
    assert text.count(how) == 4
    assert session.question_number == 1


def test_the_terminal_asks_before_entries_are_thrown_away() -> None:
    """Going back drops them."""
    session = Session.begin(ROUNDS, NAMES, {}, MemoryLog())
    text = play_lines(session, "1 1 1", "yes", "Ben 7", "undo", "no")
    assert "1 entry of this round will be deleted.\nDelete the entries? (yes or no)" in text


async def _pairs(table: Table) -> GameResult:
    counted = {"bid": CountedItem(say("bid"), 9), "made": CountedItem(say("made"), 9)}
    aki, ben = table.seats
    ask = say("Tricks")
    parts: dict[Seat, Request[Any]] = {aki: Counts(aki, ask, counted), ben: Amount(ben, ask, 0, 9)}
    got = await Together(ask, parts, is_open=True)
    table.add_note(say("{seat}: {amount}", seat=aki, amount=got[aki]["made"]))
    return rank_seats(table.seats, lambda _: 0, lambda _: ())


def test_several_numbers_are_one_word() -> None:
    """`2/1` answers a part that asks two numbers; where parts differ each says what it takes."""
    game = Game("pairs", 1, say("Pairs"), (2, 2), _pairs)
    session = Session.begin(game, ("Aki", "Ben"), {}, MemoryLog())
    text = play_lines(session, "2/1 5")
    assert "  Aki: bid: at most 9\n" in text
    assert "  Ben: 0 to 9\n" in text
    assert 'such as "Aki 1/2"' in text
    assert session.rulebook_run.answered_questions[0].question.answer_to_json(
        session.rulebook_run.answered_questions[0].answer
    ) == {
        "1": {"bid": 2, "made": 1},
        "2": 5,
    }


# Keypads


def test_a_keypad_enters_its_own_seats_part(sheet: Script) -> None:
    """All see it, its light goes out, and it may be entered again; what is refused is nobody's secret."""
    session, seats = sheet.session, sheet.session.table.seats

    def types(seat: Seat, *numbers: int) -> DeviceAnswerRefusal | None:
        return submit_device_answer(
            session, seat, NumbersAnswer("pad", session.question_number, numbers, 9.0, 1), 0.0
        )

    assert types(seats[1], 7) is None
    assert entered(sheet) == {"Aki": None, "Ben": 7, "Chie": None}
    assert (
        build_seat_panel(make_view(session), seats[1], "en").light,
        build_seat_panel(make_view(session), seats[0], "en").light,
    ) == (
        "off",
        "on",
    )
    assert types(seats[1], 100) is not None
    assert types(seats[1], 8) is None
    assert (types(seats[0], 1), types(seats[2], 0)) == (None, None)
    assert fronts(sheet) == [1, 8, 0]


def test_what_was_entered_for_an_earlier_round_counts_no_more() -> None:
    """Also where the disk refused to destroy it: the next start finds it, and the open round stays empty."""
    disk = FailingLog()
    session = Session.begin(ROUNDS, NAMES, {}, disk)
    disk.cannot_erase = True
    for seat in session.table.seats:
        session.put_answer_in_envelope(1, seat, 7)
    session.answer(2, "yes")
    again = Session(ROUNDS, list(disk), disk)
    assert (len(disk.drafts()), again.question_number, again.drafts) == (3, 3, {})


# JSON


def test_json_answers_for_all_or_for_one() -> None:
    """A line with a seat enters its part, which all see; one without enters all."""
    session = Session.begin(ROUNDS, NAMES, {}, MemoryLog())
    out = BytesIO()
    lines = [
        b'{"n": 1, "seat": "Ben", "answer": 7}\n',
        b'{"do": "undo"}\n',
        b'{"n": 1, "answer": {"1": 4, "2": 5, "3": 6}}\n',
    ]
    play_over_streams(session, BytesIO(b"".join(lines)), out)
    first, taken, refused, after = out.getvalue().decode().splitlines()
    assert '"in": [], "open": {}' in first
    assert taken == '{"n": 1, "seat": "Ben", "taken": true}'
    assert "There is nothing to undo." in refused
    assert after.startswith('{"n": 2, "kind": "Choose"')


def test_a_sample_answers_it(sheet: Script) -> None:
    """As any other question."""
    question = sheet.question
    sheet.session.answer(
        sheet.question_number, question.answer_to_json(question.random_legal_answer(Random(1)))
    )
    assert sheet.question_log_key == "Choose: Another?"
    assert render(sheet.session.rulebook_run.answered_questions[0].sentence).startswith("Aki: ")
