"""Describes how every question is entered, as a table: what people see, and what their keys mean.

    python -m tests.support.entry_table  # writes the table anew

The table has one question of each shape from the recorded matches, and made-up questions for what no match
has: a race, lots, a text, hidden limits, and limits that leave only declining. It has no sealed answers.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import astuple

from companion import installed_games
from companion.bounds import MAX_ENTERED_NUMBER
from companion.errors import IllegalAnswer
from companion.form_json import form_as_json
from companion.half_numbers import HalfNumber, number_to_json
from companion.log.events import Answered, Began
from companion.log.timeline import build_timeline
from companion.logtext import parse_log_text
from companion.requests import (
    Amount,
    Choose,
    CountedItem,
    Counts,
    DetailedOption,
    Die,
    Done,
    FallingPriceStep,
    Raise,
    Request,
    Roll,
    Write,
)
from companion.session.run import RulebookRun
from companion.session.session import find_no_card
from companion.table.ledger import Piece
from companion.table.seats import Seat, make_seats
from companion.terminal.answers import parse_typed_answer, typing_hints
from companion.texts import Say, render, say
from hardware.desk import answers
from hardware.desk.entry import value_steps_for_each_number
from hardware.desk.prompts import display_texts_by_preference, key_texts_by_preference
from hardware.keypad_protocol import UNCLEAR_NUMBER
from hardware.signals import ControlKeyAnswer, DeviceAnswer, NumbersAnswer

TABLE_FILE = Path(__file__).parents[1] / "golden" / "entry.jsonl"
TYPED_LINES = (
    "",
    "p",
    "w",
    "c",
    "no",
    "none",
    "0",
    "1",
    "2",
    "7",
    "-3",
    "99",
    "r",
    "done",
    "1 1",
    "2 1",
    "other",
    "Vase",
    "7½",
    "7,5",
    "7 1/2",
    "7.25",
    "7.0",
    ".5",
)
MOST_HALVES = 2 * MAX_ENTERED_NUMBER
ENTERED_NUMBERS = (
    (0,),
    (1,),
    (2,),
    (7,),
    (99,),
    (0, 0),
    (1, 1),
    (2, 0),
    (7, 5),
    (7, UNCLEAR_NUMBER),
    (1, 1, 1),
    (0, 0, 0, 0, 0, 0),
)


class HiddenPurse(msgspec.Struct):
    """A purse whose count only its owner knows."""

    count: int = 4
    covered: bool = True


def made_up_questions() -> Iterator[tuple[str, Request[Any]]]:
    """Yields questions for what no recorded match has, each with a name."""
    aki, ben = make_seats(["Aki", "Ben"], ["orange", "sky"])
    question_text, chip, hidden = say("Well?"), Piece("chip 7", say("chip 7")), HiddenPurse()
    seats = {"1": say("Aki"), "2": say("Ben"), "pass": say("Nobody")}
    options = {
        "a": DetailedOption(say("A"), price=3),
        "b": DetailedOption(say("B"), barred_reason=say("B is sold.")),
        "pass": DetailedOption(say("Pass"), is_decline_option=True),
    }
    coins = {"own": CountedItem(say("own coins"), hidden), "foreign": CountedItem(say("foreign coins"), 3)}
    six = {key: CountedItem(say(key), 3) for key in ("a", "b", "c", "d", "e", "f")}
    yield (
        "a race",
        Choose(None, question_text, seats, race_seats=(aki, ben), falling_price=FallingPriceStep(10, 8)),
    )
    yield "a grave choice", Choose(aki, question_text, options, confirmations={"a": say("Sure?")})
    yield "a grave 0", Amount(aki, question_text, 0, 9, zero_confirmation=say("0?"))
    yield "below 0", Amount(aki, question_text, -6, 9, step=3)
    yield "eight digits", Amount(aki, question_text, -MAX_ENTERED_NUMBER, MAX_ENTERED_NUMBER)
    yield "a hidden purse", Amount(aki, question_text, 1, None, paid_from=hidden, decline=True)
    yield "no bid possible", Amount(aki, question_text, 5, 3, decline=True)
    yield "hidden counts", Counts(aki, question_text, coins, least=2, most=4, decline=say("can't pay"))
    yield (
        "too few coins",
        Counts(aki, question_text, {"own": CountedItem(say("own coins"), 1)}, 2, 2, decline=say("can't pay")),
    )
    yield "six counts", Counts(aki, question_text, six, least=0, most=9, max_nonzero_items=2)
    yield "a text", Write(aki, question_text)
    yield "a text or nothing", Write(aki, question_text, decline=say("No name"))
    yield from _made_up_rolls(question_text, aki, ben, chip)
    yield "a bid that must be made", Raise(aki, chip, {}, decline=None)
    yield (
        "a bid from a hidden purse",
        Raise(aki, chip, {ben: 4}, step=2, decline="withdraw", paid_from=hidden),
    )
    yield "only pass", Raise(aki, chip, {ben: 4}, most=4)
    yield from _own_numbers(question_text, aki, ben, chip)
    yield "a step at the table", Done(None, say("Deal."))


def _own_numbers(question_text: Say, aki: Seat, ben: Seat, chip: Piece) -> Iterator[tuple[str, Request[Any]]]:
    yield "a bid of few own numbers", Raise(aki, chip, {ben: 1}, values=(1, 2, 7, 99))
    yield "a bid of many own numbers", Raise(aki, chip, {}, values=tuple(range(1, 16)), decline=None)
    yield "a bid of tens", Raise(aki, chip, {}, values=(10, 20, 30, 40))
    yield "a sealed bid of own numbers", Amount(aki, question_text, values=(2, 7, 99), decline=True)
    yield "a huge number", Amount(aki, question_text, 0, MAX_ENTERED_NUMBER, confirm_above=98)
    yield "halves", Amount(aki, question_text, 0, 20, in_halves=True)
    yield "halves below 0", Amount(aki, question_text, -MOST_HALVES, MOST_HALVES, in_halves=True)


def _made_up_rolls(
    question_text: Say, aki: Seat, ben: Seat, chip: Piece
) -> Iterator[tuple[str, Request[Any]]]:
    one, two = Die(say("lot 1"), (1, 2)), Die(say("lot 2"), (1,))
    yield "lots", Roll(None, question_text, (one, two), (aki, ben))
    yield "pieces as lots", Roll(None, question_text, (one,), (chip, Piece("coin", say("coin"))))
    yield "a coin", Roll(None, question_text, (Die(say("coin"), (1, 2), (say("heads"), say("tails"))),))


def recorded_questions() -> Iterator[tuple[str, Request[Any]]]:
    """Yields the first question of each shape in the recorded matches, each with its file and number."""
    found = set[str]()
    folders = Path("tests/golden").glob("*.log"), Path("companion/games").glob("*/*.log")
    for path in sorted(path for folder in folders for path in folder):
        events = parse_log_text(path.read_text(encoding="utf-8"))
        began = events[0]
        assert isinstance(began, Began)
        rulebook_run = RulebookRun(installed_games.playable_game(began.game), began, find_no_card)
        for step in build_timeline(events).steps:
            question = rulebook_run.question
            if question is not None and isinstance(step, Answered):
                for part in question.parts_by_seat.values() or (question,):
                    form = part.form
                    shape = (
                        f"{part.kind} {sorted(part.limits_json)} {form.may_decline_now} {len(form.fields)}"
                    )
                    if shape not in found:
                        found.add(shape)
                        yield f"{path.name} {step.n}", part
            rulebook_run.apply_step(step)


def table_lines() -> Iterator[dict[str, Any]]:
    """Yields the table, one line per question."""
    for source, question in (*made_up_questions(), *recorded_questions()):
        yield {"where": source, **describe_entry(question)}


def describe_entry(question: Request[Any]) -> dict[str, Any]:
    """Describes how one question is entered by JSON, keypads, displays, buttons and the terminal."""
    seat = question.seats[0] if question.seats else None
    part = question.question_for(seat) if seat else question
    assert part is not None
    form = question.form
    return {
        "question": f"{question.kind}: {render(question.text)}",
        "form": form_as_json(form),
        "keys": key_texts_by_preference(part.form)[0],
        "lines": [render(line) for line in display_texts_by_preference(part.form)],
        "buttons": [
            [number_to_json(value) if isinstance(value, HalfNumber) else value for value in astuple(steps)]
            for steps in value_steps_for_each_number(part.form)
        ],
        "hints": [render(hint) for hint in typing_hints(form)],
        "pressed": {
            _device_answer_name(device_answer): _parse_device_answer(part, device_answer)
            for device_answer in _device_answers()
        },
        "typed": {line: _parse_typed_line(question, line, seat) for line in TYPED_LINES},
    }


def _device_answers() -> Iterator[DeviceAnswer]:
    yield from (ControlKeyAnswer("keypad", 1, key, 0.0, 1) for key in ("ok", "no"))
    yield from (NumbersAnswer("keypad", 1, numbers, 0.0, 1) for numbers in ENTERED_NUMBERS)


def _device_answer_name(device_answer: DeviceAnswer) -> str:
    return (
        device_answer.key
        if isinstance(device_answer, ControlKeyAnswer)
        else ".".join("05" if number == UNCLEAR_NUMBER else str(number) for number in device_answer.numbers)
    )


def _parse_device_answer(part: Request[Any], device_answer: DeviceAnswer) -> Any:
    try:
        return _check_and_describe(part, answers.answer_from_keys(part.form, device_answer))
    except IllegalAnswer:
        return "refused"


def _parse_typed_line(question: Request[Any], line: str, seat: Seat | None) -> Any:
    try:
        return _check_and_describe(question, parse_typed_answer(question.form, line, "en", seat))
    except IllegalAnswer as refusal:
        return f"refused: {render(refusal.text)}"


def _check_and_describe(question: Request[Any], plain_answer: object) -> Any:
    answer = question.parse_answer(plain_answer)
    question.check_answer(answer)
    return {"answer": question.answer_to_json(answer)}


if __name__ == "__main__":
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in table_lines())
    TABLE_FILE.write_text(text, encoding="utf-8")
