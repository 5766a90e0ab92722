"""How every question is entered, as one table of readable lines: what people see, and what their keys mean.

    python -m tests.support.entry_table  # writes the table anew

It holds one question of each shape of the recorded matches, and made-up ones with what no match has: a race,
lots, a text, limits that are hidden, and limits that leave only declining. Sealed answers aren't in it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from companion import installed_games
from companion.errors import IllegalAnswer
from companion.jsonlines.messages import form_as_json
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
from hardware.desk.prompts import display_texts_by_preference, format_allowed_keys
from hardware.signals import ControlKeyAnswer, DeviceAnswer, NumbersAnswer

TABLE = Path(__file__).parents[1] / "golden" / "entry.jsonl"
LINES = (
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
)
NUMBERS = ((0,), (1,), (2,), (7,), (99,), (0, 0), (1, 1), (2, 0), (1, 1, 1), (0, 0, 0, 0, 0, 0))


class Hidden(msgspec.Struct):
    """A purse that nobody but its owner knows."""

    count: int = 4
    covered: bool = True


def made_up() -> Iterator[tuple[str, Request[Any]]]:
    """Questions with what no recorded match has, each with a name."""
    aki, ben = make_seats(["Aki", "Ben"], ["orange", "sky"])
    asked, chip, hidden = say("Well?"), Piece("chip 7", say("chip 7")), Hidden()
    seats = {"1": say("Aki"), "2": say("Ben"), "pass": say("Nobody")}
    offers = {
        "a": DetailedOption(say("A"), price=3),
        "b": DetailedOption(say("B"), barred_reason=say("B is sold.")),
        "pass": DetailedOption(say("Pass"), is_decline_option=True),
    }
    coins = {"own": CountedItem(say("own coins"), hidden), "foreign": CountedItem(say("foreign coins"), 3)}
    six = {key: CountedItem(say(key), 3) for key in ("a", "b", "c", "d", "e", "f")}
    yield (
        "a race",
        Choose(None, asked, seats, race_seats=(aki, ben), falling_price=FallingPriceStep(10, 8)),
    )
    yield "a grave choice", Choose(aki, asked, offers, confirmations={"a": say("Sure?")})
    yield "a grave 0", Amount(aki, asked, 0, 9, zero_confirmation=say("0?"))
    yield "below 0", Amount(aki, asked, -6, 9, step=3)
    yield "a hidden purse", Amount(aki, asked, 1, None, paid_from=hidden, decline=True)
    yield "no bid possible", Amount(aki, asked, 5, 3, decline=True)
    yield "hidden counts", Counts(aki, asked, coins, least=2, most=4, decline=say("can't pay"))
    yield (
        "too few coins",
        Counts(aki, asked, {"own": CountedItem(say("own coins"), 1)}, 2, 2, decline=say("can't pay")),
    )
    yield "six counts", Counts(aki, asked, six, least=0, most=9, max_nonzero_items=2)
    yield "a text", Write(aki, asked)
    yield "a text or nothing", Write(aki, asked, decline=say("No name"))
    yield from _rolls(asked, aki, ben, chip)
    yield "a bid that must be made", Raise(aki, chip, {}, decline=None)
    yield (
        "a bid from a hidden purse",
        Raise(aki, chip, {ben: 4}, step=2, decline="withdraw", paid_from=hidden),
    )
    yield "only pass", Raise(aki, chip, {ben: 4}, most=4)
    yield from _own_numbers(asked, aki, ben, chip)
    yield "a step at the table", Done(None, say("Deal."))


def _own_numbers(asked: Say, aki: Seat, ben: Seat, chip: Piece) -> Iterator[tuple[str, Request[Any]]]:
    yield "a bid of few own numbers", Raise(aki, chip, {ben: 1}, values=(1, 2, 7, 99))
    yield "a bid of many own numbers", Raise(aki, chip, {}, values=tuple(range(1, 16)), decline=None)
    yield "a sealed bid of own numbers", Amount(aki, asked, values=(2, 7, 99), decline=True)


def _rolls(asked: Say, aki: Seat, ben: Seat, chip: Piece) -> Iterator[tuple[str, Request[Any]]]:
    one, two = Die(say("lot 1"), (1, 2)), Die(say("lot 2"), (1,))
    yield "lots", Roll(None, asked, (one, two), (aki, ben))
    yield "pieces as lots", Roll(None, asked, (one,), (chip, Piece("coin", say("coin"))))
    yield "a coin", Roll(None, asked, (Die(say("coin"), (1, 2), (say("heads"), say("tails"))),))


def recorded_questions() -> Iterator[tuple[str, Request[Any]]]:
    """Questions of the recorded matches, of each shape the first, each with where it comes from."""
    found = set[str]()
    folders = Path("tests/golden").glob("*.log"), Path("companion/games").glob("*/*.log")
    for path in sorted(path for folder in folders for path in folder):
        events = parse_log_text(path.read_text(encoding="utf-8"))
        began = events[0]
        assert isinstance(began, Began)
        run = RulebookRun(installed_games.playable_game(began.game), began, find_no_card)
        for step in build_timeline(events).steps:
            question = run.question
            if question is not None and isinstance(step, Answered):
                for part in question.parts_by_seat.values() or (question,):
                    form = part.form
                    shape = (
                        f"{part.kind} {sorted(part.limits_json)} {form.may_decline_now} {len(form.fields)}"
                    )
                    if shape not in found:
                        found.add(shape)
                        yield f"{path.name} {step.n}", part
            run.apply_step(step)


def lines() -> Iterator[dict[str, Any]]:
    """The table, a line for each question."""
    for where, question in (*made_up(), *recorded_questions()):
        yield {"where": where, **entered(question)}


def entered(question: Request[Any]) -> dict[str, Any]:
    """How one question is entered everywhere."""
    seat = question.seats[0] if question.seats else None
    part = question.question_for(seat) if seat else question
    assert part is not None
    form = question.form
    return {
        "question": f"{question.kind}: {render(question.text)}",
        "form": form_as_json(form),
        "keys": format_allowed_keys(part.form),
        "lines": [render(line) for line in display_texts_by_preference(part.form)],
        "buttons": [list(msgspec.structs.astuple(steps)) for steps in value_steps_for_each_number(part.form)],
        "hints": [render(hint) for hint in typing_hints(form)],
        "pressed": {_name(said): _answer(part, said) for said in _presses()},
        "typed": {line: _typed(question, line, seat) for line in LINES},
    }


def _presses() -> Iterator[DeviceAnswer]:
    yield from (ControlKeyAnswer("keypad", 1, key, 0.0, 1) for key in ("ok", "no"))
    yield from (NumbersAnswer("keypad", 1, numbers, 0.0, 1) for numbers in NUMBERS)


def _name(said: DeviceAnswer) -> str:
    return said.key if isinstance(said, ControlKeyAnswer) else ".".join(map(str, said.numbers))


def _answer(part: Request[Any], said: DeviceAnswer) -> Any:
    try:
        return _checked(part, answers.answer_from_keys(part.form, said))
    except IllegalAnswer:
        return "refused"


def _typed(question: Request[Any], line: str, seat: Seat | None) -> Any:
    try:
        return _checked(question, parse_typed_answer(question.form, line, "en", seat))
    except IllegalAnswer as refusal:
        return f"refused: {render(refusal.text)}"


def _checked(question: Request[Any], plain: object) -> Any:
    answer = question.parse_answer(plain)
    question.check_answer(answer)
    return {"answer": question.answer_to_json(answer)}


if __name__ == "__main__":
    text = "".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines())
    TABLE.write_text(text, encoding="utf-8")
