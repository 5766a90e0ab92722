"""Answering with few buttons: tables of presses with their seconds, for every kind of question."""

from pathlib import Path
from typing import Any

import pytest

from companion.requests import Request
from hardware.desk.entry import (
    IMPOSSIBLE_VALUE,
    MIN_PRESS_FOR_NO_SECONDS,
    MIN_PRESS_FOR_OK_SECONDS,
    ButtonEntry,
    ButtonEntryResult,
    apply_button_signal,
    format_button_entry,
)
from hardware.gpio.buttons import FIRST_HOLD_REPORT_SECONDS, HOLD_REPORT_INTERVAL_SECONDS, STUCK_AFTER_SECONDS
from hardware.signals import ButtonDown, ButtonName, ButtonStillHeld, ButtonUp, RawInput
from hardware.wiring.sections import ButtonScheme
from tests.hardware.test_desk import desk

CAPS: dict[str, ButtonName] = {"t": "tap", "-": "minus", "+": "plus", "k": "ok"}
TIMES = {"": 0.1, "_": MIN_PRESS_FOR_OK_SECONDS + 0.1, "=": MIN_PRESS_FOR_NO_SECONDS + 0.1}


def signals(presses: str) -> list[RawInput]:
    """`t t t_ k=`: a tap, a tap, a long press, OK very long; `+3` is plus held for three repeats."""
    found: list[RawInput] = []
    at = 0.0
    for press in presses.split():
        cap, how = CAPS[press[0]], press[1:]
        found.append(ButtonDown("buttons 2", cap, at))
        repeats = int(how) if how.isdecimal() else 0
        seconds = MIN_PRESS_FOR_OK_SECONDS + HOLD_REPORT_INTERVAL_SECONDS * repeats if repeats else TIMES[how]
        found += [
            ButtonStillHeld(
                "buttons 2", cap, at + MIN_PRESS_FOR_OK_SECONDS + HOLD_REPORT_INTERVAL_SECONDS * number
            )
            for number in range(repeats)
        ]
        at += seconds
        found.append(ButtonUp("buttons 2", cap, at))
        at += 0.1
    return found


def said(scheme: ButtonScheme, name: str, presses: str) -> list[ButtonEntryResult]:
    """All that presses say to Ben's question of that name."""
    part: Any = asked(name)
    entry, found = ButtonEntry(), []
    for signal in signals(presses):
        entry, each = apply_button_signal(scheme, entry, signal, part.form)
        found += [] if each is None else [each]
    return found


def asked(name: str) -> Request[Any]:
    """What Ben is asked."""
    session = desk(name).session
    question = session.question
    assert question is not None
    part = question.question_for(session.table.seats[1])
    assert part is not None
    return part


@pytest.mark.parametrize(("scheme", "presses"), [("one", "t"), ("two", "+ k"), ("three", "- + k")])
def test_in_a_race_the_first_press_counts(scheme: ButtonScheme, presses: str) -> None:
    """The first button that goes down takes it, and no other says anything else."""
    assert set(said(scheme, "falls", presses)) == {"ok"}
    assert said(scheme, "falls", presses.split(maxsplit=1)[0]) == ["ok"]


@pytest.mark.parametrize(
    ("name", "one", "two", "three", "meant"),
    [
        ("opens", "t t t_", "+ + k", "+ + k", [(2,)]),
        ("bids", "t t_", "+ k", "+ k", [(5,)]),
        ("bids", "t t t t=", "+ + k= ", "+ + k=", []),
        ("bids", "t=", "k=", "k=", ["no"]),
        ("bids", "t_", "k", "k", ["ok"]),
        ("penniless", "t t=", "+ k=", "+ k=", ["no"]),
        ("too dear", "t t=", "+ k=", "+ k=", ["no"]),
        ("tens", "t t t_", "+ + k", "+ + + - k", [(20,)]),
        ("amount", "t t t t_", "+ + + k", "+ + + k", [(3,)]),
        ("amount", "t=", "k=", "- k", [["no"], ["no"], [(0,)]]),
        ("points", "t t_", "+ k", "+ k", [(1,)]),
        ("points", "t=", "k=", "+ - k", [["no"], ["no"], [(0,)]]),
        ("from -5", "t t_", "+ k", "+ k", [(3,)]),
        ("some", "t t t_", "+ + k", "+ + k", [(2,)]),
        ("sealed", "t t t t t_", "+ + + + k", "+3 k", [(4,)]),
        ("which", "t t t_", "+ + k", "+ + k", [(2,)]),
        ("which", "t_", "k", "k", ["ok"]),
        ("price", "t t t_ t t_", "+ + k + k", "+ + k + k", [(2, 1)]),
        ("price", "t_ t t t t_", "k + + + k", "k + + + k", [(0, 3)]),
        ("can pay", "t=", "k=", "k=", ["no"]),
        ("can pay", "t t_ t= t=", "+ k k= k=", "+ k k= k=", ["no"]),
        ("pay", "t t t_ t t_", "+ + k + k", "+ + k + k", [(2, 1)]),
        ("poor", "t=", "k=", "k=", ["no"]),
        ("dice", "t_", "k", "k", ["ok"]),
        ("dice", "t t t t_ t t_", "+ + + k + k", "+ + - + + k + k", [(50, 0)]),
        ("dice", "t t_ t_ t t_", "+ k k + k", "+ k k + k", [(0, 0)]),
        ("dice", "t t t t t t_ t t_", "+ + + + + k + k", "+ + + + + k + k", [(IMPOSSIBLE_VALUE, 0)]),
        ("any", "t_", "k", "k", [(0,)]),
        ("any", "t t t_", "+ + k", "+ + k", [(2,)]),
        ("which", "t t t t t_", "+ + + + k", "+ + + + k", [(4,)]),
        ("deal", "t_", "k", "k", ["ok"]),
        ("deal", "t t_", "+ k", "+ - k", ["ok"]),
        ("lay", "t t_", "+ k", "+ - k", ["ok"]),
    ],
)
def test_presses_mean_an_answer(name: str, one: str, two: str, three: str, meant: list[Any]) -> None:
    """One button, two and three give equal answers."""
    each = meant if meant and isinstance(meant[0], list) else [meant] * 3
    assert [said("one", name, one), said("two", name, two), said("three", name, three)] == each


@pytest.mark.parametrize(
    ("name", "presses", "meant"),
    [
        ("points", "- - k", (-2,)),
        ("points", "+ - - - + k", (-1,)),
        ("from -5", "- k", (-1,)),
        ("from -5", "-9 k", (-5,)),
        ("amount", "- - + k", (1,)),
        ("some", "- - + k", (1,)),
    ],
)
def test_minus_leads_below_0_where_that_is_allowed(name: str, presses: str, meant: tuple[int, ...]) -> None:
    """Down to the least, a step at a time; where nothing is below 0, minus does nothing there."""
    assert said("three", name, presses) == [meant]


@pytest.mark.parametrize(
    ("name", "presses", "meant"),
    [
        ("which", "+9 k", (3,)),
        ("tens to 50", "+9 k", (50,)),
        ("tens to 50", "+9 + k", (60,)),
        ("opens", "+9 -9 + k", (1,)),
        ("price", "+9 k + k", (4, 1)),
        ("some", "+9 k", (10,)),
    ],
)
def test_a_held_plus_stops_at_the_most(name: str, presses: str, meant: tuple[int, ...]) -> None:
    """Nine repeats never go beyond what is allowed; a press more does, and is refused by the desk."""
    assert said("three", name, presses) == [meant]


@pytest.mark.parametrize(("scheme", "presses"), [("one", "t"), ("two", "+"), ("three", "+")])
def test_a_release_without_its_press_is_nothing(scheme: ButtonScheme, presses: str) -> None:
    """Who pressed before the question stood there has answered nothing by letting go."""
    _, let_go = signals(presses)
    assert apply_button_signal(scheme, ButtonEntry(), let_go, asked("bids").form) == (ButtonEntry(), None)
    held = ButtonStillHeld("buttons 2", "plus", 1.0)
    assert apply_button_signal(scheme, ButtonEntry(), held, asked("bids").form) == (ButtonEntry(), None)


def test_what_is_still_down_goes_on_after_ok() -> None:
    """Plus that was held through OK counts for what is entered next: the answer may have been refused."""
    part, entry, found = asked("bids"), ButtonEntry(), []
    for signal in (
        *(ButtonDown("buttons 2", "plus", 0.0), ButtonDown("buttons 2", "ok", 0.2)),
        *(ButtonUp("buttons 2", "ok", 0.3), ButtonStillHeld("buttons 2", "plus", FIRST_HOLD_REPORT_SECONDS)),
    ):
        entry, each = apply_button_signal("three", entry, signal, part.form)
        found.append(each)
    assert (found, format_button_entry(entry, part.form)) == ([None, None, (5,), None], "5")


def test_the_document_says_how_long_is_long() -> None:
    """docs/build/buttons.md has the seconds of the code."""
    document = (Path(__file__).parents[2] / "docs/build/buttons.md").read_text("utf-8")
    assert f"| tap | less than {MIN_PRESS_FOR_OK_SECONDS} | one more |" in document
    assert f"| very long | {MIN_PRESS_FOR_NO_SECONDS:g} or more | NO |" in document
    assert f"held for {FIRST_HOLD_REPORT_SECONDS} seconds they go on, eight a second" in document
    assert round(1 / HOLD_REPORT_INTERVAL_SECONDS) == 8
    assert f"stays down for {STUCK_AFTER_SECONDS:g} seconds" in document
