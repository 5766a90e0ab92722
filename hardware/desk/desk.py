"""The desk: what somebody's keys mean for the question now open, and whether that counts.

A pure function over (signal, pending question): it reads no clock, knows no port and keeps nothing.
What the keys mean for each kind of question stands in docs/keypad-protocol.md.
"""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion.errors import IllegalAnswer, InternalError, NotSaved
from companion.requests import CardsField, ConfirmField, Form, NumberField, OptionField, answer_from_numbers
from companion.session.session import Session
from companion.session.view import view
from companion.table.seats import Seat
from companion.texts import Say, say
from hardware.desk import tags
from hardware.desk.prompts import allowed_keys_text
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


def submit(
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
    part = session.question.question_for(seat) if seat and session.question else None
    form = part.form if part else None
    objection = _asked_for_own(session, seat, said) or _objection(session, form, said, shown)
    if seat is None or part is None or form is None or objection:
        return Refused(objection or NOT_ASKED)
    try:
        if form.app_may_roll and isinstance(said, Pressed) and said.key == "ok":
            session.roll(session.question_number)
        else:
            sends = bool(laid) and _sends(form, said)
            meant = tags.cards(laid) if sends else answer(form, said)
            if not sure and part.confirmation_for(part.load(meant)):
                return UNSURE_OF_CHOICE if isinstance(form.single_field, OptionField) else UNSURE
            deliver(session, seat, meant, tags.VIA if sends else VIA)
    except IllegalAnswer:
        return Refused(allowed_keys_text(form))
    except NotSaved as error:
        return Refused(NOT_SAVED, error.text)
    except InternalError as error:
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
    shown, mine = view(session).holdings_of(seat), view(session, seat).holdings_of(seat)
    hidden = {(one.place, one.piece) for one in shown if one.count is None}
    return [one.count for one in mine if one.count is not None and (one.place, one.piece) in hidden]


def _objection(session: Session, form: Form | None, said: Given, shown: float) -> Say | None:
    """What is wrong with the moment, whatever was said."""
    if said.question not in (0, session.question_number):
        return TOO_LATE
    if session.is_put_away:
        return NO_GAME
    if form is None or said.question == 0:
        return NOT_ASKED
    if isinstance(said, Pressed) and said.at < shown + SOON and not form.is_race:
        return TOO_SOON
    return None


def _sends(form: Form, said: Given) -> bool:
    """Whether OK sends the cards that were laid: alone, or of buttons without a number before it."""
    is_ok = said.key == "ok" if isinstance(said, Pressed) else not any(said.numbers)
    return is_ok and isinstance(form.single_field, CardsField)


def answer(form: Form, said: Given) -> object:
    """Returns the answer in JSON that these keys mean; raises `IllegalAnswer` where they mean none.

    Where the first answer counts, a number is as good as OK. NO declines, and is 0 where only a number is
    asked for.
    """
    if isinstance(said, Typed) and not form.is_race:
        if (found := answer_from_numbers(form, said.numbers)) is not None:
            return found[0]
    elif isinstance(said, Pressed) and said.key == "no":
        if form.decline is not None:
            return form.decline.answer
        if isinstance(form.single_field, NumberField):
            return 0
    elif isinstance(form.single_field, ConfirmField):
        return form.answer_from_values([form.single_field.answer])
    raise IllegalAnswer(allowed_keys_text(form))


def deliver(session: Session, seat: Seat | None, given: object, via: str) -> None:
    """Answers the open question, or puts a seat's sealed answer into its envelope."""
    if session.question is not None and session.question.parts_by_seat:
        assert seat is not None
        session.draft(session.question_number, seat, given, via)
    else:
        session.answer(session.question_number, given, via)
