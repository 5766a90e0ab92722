"""A draw of lots by the names of those who are drawn, in their order: `Chie Aki Ben`.

A draw is a Roll whose first die counts all, the next all but one: each lot counts those who are left.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.requests import Request, Roll
from companion.table.seats import Seat, as_typed


def are_drawn(question: Roll) -> bool:
    """Whether several lots are drawn, each out of one less."""
    most = len(question.dice[0].faces)
    less = [tuple(range(1, most - at + 1)) for at in range(len(question.dice))]
    return len(less) > 1 and [die.faces for die in question.dice] == less


def counted(question: Request[Any], line: str, seats: Sequence[Seat]) -> str:
    """The lots of a line of names, each counted among those who are left; any other line as it is.

    The last one need not be named.
    """
    if not (isinstance(question, Roll) and are_drawn(question)) or len(question.dice[0].faces) != len(seats):
        return line
    left, found = list(seats), list[str]()
    words = as_typed(line.replace(",", " ").replace("、", " ")).split()
    while words:
        named = [seat for seat in left if words[: len(_words(seat))] == _words(seat)]
        if not named:
            return line
        seat = max(named, key=lambda one: len(_words(one)))
        found.append(str(left.index(seat) + 1))
        left.remove(seat)
        del words[: len(_words(seat))]
    lots = len(question.dice)
    return " ".join(found[:lots]) if len(found) >= lots else line


def _words(seat: Seat) -> list[str]:
    return as_typed(seat.name).split()
