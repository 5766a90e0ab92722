"""Which keys give an answer: those of the screen, by their names, and those of a keypad. Knows no widget."""

from __future__ import annotations

from typing import Any

from companion.requests import Amount, Choose, Counts, Done, Raise, Read, Request, Roll, Write
from hardware.protocol.protocol import ENTRY_LENGTH

_NOTHING = {"Read": "cant", "Counts": "cant", "Write": "nothing"}
"""The key that declines, where it isn't the way out of a pad."""


def touches(question: Request[Any], answer: Any) -> list[str]:
    """The keys that give an answer, where they depend on nothing that is shown."""
    match question, answer:
        case (Raise(), None) | (Amount(none=True), 0) | (Read() | Counts(), None) | (Write(), ""):
            return [_NOTHING.get(question.kind, "way out")]
        case (Raise() | Amount(), _):
            typed = "" if isinstance(question, Raise) and answer == question.floor else str(answer)
            return [*("sign" if key == "-" else key for key in typed), "confirm"] + (
                ["sure"] if question.doubt(answer) else []
            )
        case (Choose(), _):
            return [answer] + (["sure"] if question.doubt(answer) else [])
        case (Roll(), _):
            return [f"die {at} {face}" for at, face in enumerate(answer, 1)]
        case (Read(), _):
            counts = enumerate(_counts_of(question, answer), 1)
            return [f"more {at}" for at, count in counts for _ in range(count)] + ["lay"]
    return ["done"]


def keys(part: Request[Any], answer: Any) -> str:
    """The keys of a keypad that give an answer; empty where a keypad can't."""
    match part:
        case Choose(offered=offered):
            numbers = [list(offered).index(answer) + 1]
        case Raise() | Read() | Counts() if answer is None:
            return "NO"
        case Write(none=none) if not answer and none:
            return "NO"
        case Raise() | Amount():
            numbers = [answer]
        case Counts():
            numbers = [answer[key] for key in part.counted]
        case Roll():
            numbers = answer
        case Read() if part.worth:
            numbers = _counts_of(part, answer)
        case Done():
            return "OK"
        case _:
            return ""
    if min(numbers, default=0) < 0:
        return ""
    typed = ".".join(map(str, numbers))
    return f"{typed} OK" if len(typed) <= ENTRY_LENGTH else ""


def _counts_of(question: Read, answer: Any) -> list[int]:
    """How many cards of each rate were laid down; each card counts by the first rate that fits it."""
    assert question.worth is not None
    rates = question.worth.rates
    cards = [question.faces.read(card) for card in answer]
    fitting = [next(at for at, rate in enumerate(rates) if card.shows(rate.values)) for card in cards]
    return [fitting.count(at) for at in range(len(rates))]
