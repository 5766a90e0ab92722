"""The desk: what somebody's keys mean for the question now open, and whether that counts.

A pure function over (signal, pending question): it reads no clock, knows no port and keeps nothing.
What the keys mean for each kind of question stands in docs/keypad-protocol.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec

from companion.errors import IllegalAnswer, NothingTaken, OurError
from companion.requests import Amount, Choose, Counts, Done, Raise, Read, Request, Roll, Together, Write
from companion.session.session import Session
from companion.session.view import view
from companion.table.seats import Seat
from companion.words import Say, say
from hardware.desk import tags
from hardware.desk.prompts import is_race, only, part_of
from hardware.signals import Given, Pressed, Typed

VIA = "keypad"
SOON = 0.5
"""Seconds: who presses OK or NO so soon after a question appeared has not read it."""

NO_GAME = say("No game yet")
NOT_ASKED = say("Not your turn")
NOTHING_COVERED = say("Nothing hidden")
TOO_LATE = say("Too late")
TOO_SOON = say("Too soon: again")
NOT_SAVED = say("Not saved: again")
RULES_FAILED = say("Rules crashed")
AGAIN = say("0? Press again")
SURE = say("Sure? Again")


class Refused(msgspec.Struct, frozen=True):
    """Why an answer doesn't count: a few words for the keypad, and what all must hear, if anything.

    What is said aloud never tells what was typed. What is `grave` counts when it is said once more.
    """

    text: Say
    aloud: Say | None = None
    grave: bool = False


UNSURE = Refused(AGAIN, grave=True)
"""Of numbers only 0 is ever so grave that it is asked about."""
UNSURE_OF_CHOICE = Refused(SURE, grave=True)
"""So is a choice that ends the game."""


def settle(
    session: Session,
    seat: Seat | None,
    said: Given,
    shown: float,
    *,
    sure: bool = False,
    laid: Sequence[str] = (),
) -> Refused | None:
    """Gives the session what a seat's keypad said; None: taken and kept.

    To ask what is one's own is no answer: what is told stands where a refusal would.
    `seat` is None for a keypad at which nobody plays.
    `shown` is when the open question appeared on that keypad, by the clock of `said.at`.
    `sure`: what was said before was refused as grave. `laid`: the tags laid for the question, which OK sends.
    """
    part = part_of(session.question, seat) if seat else None
    objection = _asked_for_own(session, seat, said) or _objection(session, part, said, shown)
    if seat is None or part is None or objection:
        return Refused(objection or NOT_ASKED)
    try:
        if isinstance(part, Roll) and isinstance(said, Pressed) and said.key == "ok":
            session.roll(session.n)
        else:
            sends = bool(laid) and _sends(part, said)
            meant = tags.cards(laid) if sends else claimed(part, seat, said) or answer(part, said)
            if not sure and part.doubt(part.load(meant)):
                return UNSURE_OF_CHOICE if isinstance(part, Choose) else UNSURE
            give(session, seat, meant, tags.VIA if sends else VIA)
    except IllegalAnswer:
        return Refused(only(part))
    except NothingTaken as error:
        return Refused(NOT_SAVED, error.text)
    except OurError as error:
        return Refused(RULES_FAILED, error.text)
    return None


def _asked_for_own(session: Session, seat: Seat | None, said: Given) -> Say | None:
    return own(session, seat) if seat and isinstance(said, Pressed) and said.key == "own" else None


def own(session: Session, seat: Seat) -> Say:
    """How many of each piece lie covered before a seat, in the order of the screen; for its own display."""
    counts = own_counts(session, seat)
    return say("Own: {counts}", counts=".".join(map(str, counts))) if counts else NOTHING_COVERED


def own_counts(session: Session, seat: Seat) -> list[int]:
    """Counts of the hidden pieces before a seat, in screen order."""
    shown, mine = view(session).before(seat), view(session, seat).before(seat)
    hidden = {(one.place, one.piece) for one in shown if one.count is None}
    return [one.count for one in mine if one.count is not None and (one.place, one.piece) in hidden]


def _objection(session: Session, part: Request[Any] | None, said: Given, shown: float) -> Say | None:
    """What is wrong with the moment, whatever was said."""
    if said.question not in (0, session.n):
        return TOO_LATE
    if session.put_aside:
        return NO_GAME
    if part is None or said.question == 0:
        return NOT_ASKED
    if isinstance(said, Pressed) and said.at < shown + SOON and not is_race(part):
        return TOO_SOON
    return None


def _sends(part: Request[Any], said: Given) -> bool:
    """Whether OK sends the cards that were laid: alone, or of buttons without a number before it."""
    is_ok = said.key == "ok" if isinstance(said, Pressed) else not any(said.numbers)
    return isinstance(part, Read) and is_ok


def claimed(part: Request[Any], seat: Seat, said: Given) -> str | None:
    """What OK, or any number, at a seat means in a race: this seat was first. None: it is no race.

    Raises `IllegalAnswer` for NO, as nobody's device speaks for all.
    """
    if not is_race(part):
        return None
    if isinstance(said, Pressed) and said.key != "ok":
        raise IllegalAnswer(only(part))
    return str(seat.number)


def answer(part: Request[Any], said: Given) -> object:
    """The answer, as JSON, that these keys mean; raises `IllegalAnswer` where they mean none."""
    meant: object
    match part, said:
        case (Raise() | Amount(), Typed(numbers=(number,))):
            meant = number
        case (Counts(counted=counted), Typed(numbers=numbers)) if len(numbers) == len(counted):
            meant = dict(zip(counted, numbers, strict=True))
        case (Roll(), Typed(numbers=faces)):
            meant = list(faces)
        case (Raise() | Counts() | Read(), Pressed(key="no")):
            meant = None
        case (Amount(), Pressed(key="no")):
            meant = 0
        case (Write(), Pressed(key="no")):
            meant = ""
        case (Choose(offered=offered), Typed(numbers=(number,))) if 1 <= number <= len(offered):
            meant = list(offered)[number - 1]
        case (Read(), Typed(numbers=counts)):
            meant = _cards(part, counts)
        case (Done(), Pressed(key="ok")):
            meant = True
        case _:
            raise IllegalAnswer(only(part))
    return meant


def _cards(part: Read, counts: tuple[int, ...]) -> list[object]:
    rates = part.worth.rates if part.worth else ()
    in_the_deck = len(part.faces.deck.cards)
    if len(counts) != len(rates) or sum(counts) > in_the_deck:
        raise IllegalAnswer(only(part))
    return [{"values": rate.values} for rate, count in zip(rates, counts, strict=True) for _ in range(count)]


def give(session: Session, seat: Seat | None, given: object, via: str) -> None:
    """Answers the open question, or puts a seat's sealed answer into its envelope."""
    if isinstance(session.question, Together):
        assert seat is not None
        session.draft(session.n, seat, given, via)
    else:
        session.answer(session.n, given, via)
