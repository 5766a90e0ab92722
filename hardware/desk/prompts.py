"""The one line and the light of a keypad: what is asked of its seat, in sixteen cells.

It sees the View of everybody and nothing else, so a line can't tell what others may not know.
The light is on while the table waits for this seat.
The words are the desk's own: a display has no kanji, and a game's sentences are longer than a line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache, reduce
from typing import Any

from companion.requests import Amount, Choose, Counts, Done, Raise, Read, Request, Roll, Together, Write
from companion.session.view import View
from companion.table.scores import Result
from companion.table.seats import Seat
from companion.words import Say, Text, listed, render, say
from hardware.panel import Panel, fits

CELLS = 16
NO = "NO"
BLANKS = 4
"""More numbers than this are shown as `6x_`, so that their sum stands in the line too."""


def panel(seen: View, seat: Seat, language: str, laid: int = 0) -> Panel:
    """What the keypad of a seat shows of the game as all may see it, so many cards laid on a reader.

    An envelope that is in leaves the line the same whatever is in it, and may be filled again.
    """
    if seen.result is not None:
        return Panel(line=_first_fitting(language, _place(seen.result, seat)))
    part, awaited = part_of(seen.question, seat), _awaited(seen)
    names = listed(awaited)
    if part is None:
        return Panel(line=_first_fitting(language, say("Wait: {seats}", seats=names), say("Wait")))
    if seat not in awaited:
        return Panel(seen.n, _first_fitting(language, say("OK. Wait: {seats}", seats=names), say("OK. Wait")))
    if isinstance(part, Read) and laid:
        return Panel(seen.n, _first_fitting(language, say("{n} laid: OK", n=laid)), "on")
    return Panel(seen.n, _first_fitting(language, *_prompts(part)), "on")


def part_of(question: Request[Any] | None, seat: Seat) -> Request[Any] | None:
    """What is asked of this seat: its part, the question itself, or nothing."""
    if isinstance(question, Together):
        return question.parts.get(seat)
    if question is None or (question.seats and seat not in question.seats):
        return None
    return question


def is_race(part: Request[Any]) -> bool:
    """Whether the first who presses has it, which no time to read it first may hinder."""
    return isinstance(part, Choose) and bool(part.race)


def allowed(part: Request[Any]) -> str:
    """The keys that answer a question, in any language; empty if a keypad can't."""
    limits = part.limits
    keys = ""
    match part:
        case Raise():
            keys = _or_no(_numbers(limits), may_decline=part.no is not None)
        case Amount():
            keys = _or_no(_numbers(limits) if part.may_bid else "", may_decline=part.none)
        case Choose() if is_race(part):
            keys = "OK"
        case Choose(offered=offered):
            keys = f"1-{len(offered)}" if len(offered) > 1 else "1"
        case Read(worth=worth) if worth is not None:
            counts = ".".join(f"_x{rate.each}" for rate in worth.rates)
            keys = _or_no(f"{worth.owed}={counts}", may_decline=limits["cant"])
        case Counts(cant=cant):
            keys = _or_no(_counts(limits), may_decline=cant is not None)
        case Roll(dice=dice):
            keys = f"OK/{_blanks(len(dice))}"
        case Write(none=none):
            keys = _or_no("", may_decline=none is not None)
        case Done():
            keys = "OK"
    return keys


def only(part: Request[Any]) -> Say:
    """What to tell a seat that pressed something else."""
    keys = allowed(part)
    return say("Only {keys}", keys=keys) if keys else say("Use the screen")


def _awaited(seen: View) -> tuple[Seat, ...]:
    """Whom the table waits for; if all envelopes are in and could not be opened, everybody who has one."""
    asked = seen.question.seats if seen.question else ()
    return tuple(envelope.seat for envelope in seen.envelopes if not envelope.closed) or asked or seen.seats


def _place(result: Result, seat: Seat) -> Say:
    mine = next(standing for standing in result.standings if standing.seat == seat)
    return say("Place {rank}: {total}", rank=mine.rank, total=mine.total)


def _prompts(part: Request[Any]) -> tuple[Text, ...]:
    """What a line may say, the best first."""
    keys = allowed(part)
    lines: tuple[Text, ...] = (only(part),)
    match part:
        case Raise() if keys != NO:
            lines = say("Bid {keys}", keys=keys), keys
        case Amount() if keys != NO:
            lines = say("Enter {keys}", keys=keys), keys
        case Counts() if keys not in {"", NO}:
            lines = say("Enter {keys}", keys=keys), keys
        case Choose() if is_race(part):
            lines = (say("Take it: {keys}", keys=keys),)
        case Choose(offered=offered):
            named = [
                say("{key} {option}", key=at, option=each) for at, each in enumerate(offered.values(), 1)
            ]
            lines = _in_a_row(named), say("Choose {keys}", keys=keys), keys
        case Read() if keys:
            lines = say("Pay {keys}", keys=keys), keys
        case Roll():
            lines = say("Roll {keys}", keys=keys), keys
        case Write() if keys:
            lines = say("Screen, or {keys}", keys=keys), keys
        case Done():
            lines = (say("When done: {keys}", keys=keys),)
    return lines


def _in_a_row(texts: Sequence[Say]) -> Say:
    return reduce(lambda one, other: say("{one} {other}", one=one, other=other), texts)


@lru_cache(maxsize=256)  # a question stands there longer than one look at it
def _first_fitting(language: str, *texts: Text) -> str:
    lines = [render(text, language) for text in texts]
    return next((line for line in lines if fits(line, width=CELLS)), lines[-1])


def _numbers(limits: Mapping[str, Any]) -> str:
    """`5-99`, `5..` without a highest, `10,20..90` in steps; nothing if there is no number."""
    least, most, step = limits["least"], limits["most"], limits["step"]
    if least is None or (most is not None and least > most):
        return ""
    if step > 1:
        return f"{least},{least + step}..{'' if most is None else most}"
    return f"{least}.." if most is None else f"{least}-{most}"


def _counts(limits: Mapping[str, Any]) -> str:
    """`3=_._`: two numbers that make 3; `0-9=6x_`: six that make up to 9."""
    least, counts = limits["least"] or 0, list(limits["counts"].values())
    most = limits["most"]
    if None not in counts:
        most = sum(counts) if most is None else min(most, sum(counts))
    total = str(least) if least == most else _numbers({"least": least, "most": most, "step": 1})
    return f"{total}={_blanks(len(counts))}" if total else ""


def _blanks(count: int) -> str:
    """A blank for each number, as long as a line has room."""
    return ".".join("_" * count) if count <= BLANKS else f"{count}x_"


def _or_no(keys: str, *, may_decline: bool) -> str:
    return "/".join(filter(None, (keys, NO if may_decline else "")))
