"""Answering with few buttons: tables of presses with their seconds, for every kind of question."""

from typing import Any

import pytest

from companion.requests import Request, Together
from hardware.schemes import LONG, VERY_LONG, Entry, Said, moved
from hardware.signals import Cap, Held, LetGo, Moved, Pushed
from hardware.wiring.sections import Scheme
from tests.hardware.test_desk import desk

CAPS: dict[str, Cap] = {"t": "tap", "-": "minus", "+": "plus", "k": "ok"}
TIMES = {"": 0.1, "_": LONG + 0.1, "=": VERY_LONG + 0.1}
REPEAT = 0.12


def signals(presses: str) -> list[Moved]:
    """`t t t_ k=`: a tap, a tap, a long press, OK very long; `+3` is plus held for three repeats."""
    found: list[Moved] = []
    at = 0.0
    for press in presses.split():
        cap, how = CAPS[press[0]], press[1:]
        found.append(Pushed("buttons 2", cap, at))
        repeats = int(how) if how.isdecimal() else 0
        seconds = LONG + REPEAT * repeats if repeats else TIMES[how]
        found += [Held("buttons 2", cap, at + LONG + REPEAT * number) for number in range(repeats)]
        at += seconds
        found.append(LetGo("buttons 2", cap, at))
        at += 0.1
    return found


def said(scheme: Scheme, name: str, presses: str) -> list[Said]:
    """All that presses say to Ben's question of that name."""
    part: Any = asked(name)
    entry, found = Entry(), []
    for signal in signals(presses):
        entry, each = moved(scheme, entry, signal, part)
        found += [] if each is None else [each]
    return found


def asked(name: str) -> Request[Any]:
    """What Ben is asked."""
    session = desk(name).session
    question = session.question
    assert question is not None
    return question.parts[session.table.seats[1]] if isinstance(question, Together) else question


@pytest.mark.parametrize(
    ("name", "one", "two", "three", "meant"),
    [
        ("opens", "t t t_", "+ + k", "+ + k", [(2,)]),
        ("bids", "t t_", "+ k", "+ k", [(5,)]),
        ("bids", "t t t t=", "+ + k= ", "+ + k=", []),
        ("bids", "t=", "k=", "k=", ["no"]),
        ("bids", "t_", "k", "k", ["ok"]),
        ("tens", "t t t_", "+ + k", "+ + + - k", [(20,)]),
        ("amount", "t t t t_", "+ + + k", "+ + + k", [(3,)]),
        ("amount", "t=", "k=", "- k", [["no"], ["no"], [(0,)]]),
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
        ("deal", "t_", "k", "k", ["ok"]),
        ("deal", "t t_", "+ k", "+ - k", ["ok"]),
        ("lay", "t t_", "+ k", "+ - k", ["ok"]),
    ],
)
def test_presses_mean_an_answer(name: str, one: str, two: str, three: str, meant: list[Any]) -> None:
    """The same answers with one button, two and three."""
    each = meant if meant and isinstance(meant[0], list) else [meant] * 3
    assert [said("one", name, one), said("two", name, two), said("three", name, three)] == each
