"""The desk: what the keys of a device mean for the open question, and whether they count as an answer.

These are pure functions of signal and question. They read no clock, know no port and keep nothing.
docs/keypad-protocol.md says what the keys mean for each kind of question.
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
from hardware.desk.prompts import allowed_keys_text
from hardware.signals import DeviceAnswer, KeyAnswer, NumbersAnswer

VIA_KEYPAD, VIA_READER = "keypad", "reader"
"""How the log says that an answer was given: on keys, or by tags on a reader."""
MIN_READING_SECONDS = 0.5
"""Whoever presses OK or NO sooner after a question appeared has not read it."""

NO_GAME = say("No game yet")
NOT_ASKED = say("Not your turn")
NOTHING_COVERED = say("Nothing hidden")
TOO_LATE = say("Too late")
TOO_SOON = say("Too soon: again")
NOT_SAVED = say("Not saved: again")
RULES_FAILED = say("Rules crashed")
ASK_ZERO_AGAIN = say("0? Press again")
ASK_CHOICE_AGAIN = say("Sure? Again")


class KeyRefusal(msgspec.Struct, frozen=True):
    """Why an answer doesn't count: a few words for the keypad, and a sentence if the table must hear it.

    `announcement` never tells what was entered. An answer that `needs_confirmation` counts when it is given
    again.
    """

    text: Say
    announcement: Say | None = None
    needs_confirmation: bool = False


CONFIRM_ZERO = KeyRefusal(ASK_ZERO_AGAIN, needs_confirmation=True)
"""The only number that ever needs a confirmation is 0."""
CONFIRM_CHOICE = KeyRefusal(ASK_CHOICE_AGAIN, needs_confirmation=True)
"""A choice needs a confirmation if it ends the game."""


def submit(
    session: Session,
    seat: Seat | None,
    given: DeviceAnswer,
    shown_at: float,
    *,
    is_confirmed: bool = False,
    tags_on_reader: Sequence[str] = (),
) -> KeyRefusal | None:
    """Gives the session an answer from a device of a seat; returns None if it is accepted and saved.

    A peek at the own hidden pieces is no answer: their counts are returned in place of a refusal.
    `seat` is None for a device at which nobody plays.
    `shown_at` is when the open question appeared on the device, by the clock of `given.at`.
    `is_confirmed`: the same answer was just refused because it needs a confirmation.
    `tags_on_reader`: the tags laid for the question, which OK sends.
    """
    part = session.question.question_for(seat) if seat and session.question else None
    form = part.form if part else None
    objection = _answer_peek(session, seat, given) or _objection_now(session, form, given, shown_at)
    if seat is None or part is None or form is None or objection:
        return KeyRefusal(objection or NOT_ASKED)
    try:
        if form.app_may_roll and isinstance(given, KeyAnswer) and given.key == "ok":
            session.roll(session.question_number)
        else:
            sends = bool(tags_on_reader) and _sends_cards(form, given)
            meant = read_answer(tags_on_reader) if sends else answer_from_keys(form, given)
            if not is_confirmed and part.confirmation_for(part.load(meant)):
                return CONFIRM_CHOICE if isinstance(form.single_field, OptionField) else CONFIRM_ZERO
            deliver(session, seat, meant, VIA_READER if sends else VIA_KEYPAD)
    except IllegalAnswer:
        return KeyRefusal(allowed_keys_text(form))
    except NotSaved as error:
        return KeyRefusal(NOT_SAVED, error.text)
    except InternalError as error:
        return KeyRefusal(RULES_FAILED, error.text)
    return None


def _answer_peek(session: Session, seat: Seat | None, said: DeviceAnswer) -> Say | None:
    return (
        describe_hidden_counts(session, seat)
        if seat and isinstance(said, KeyAnswer) and said.key == "own"
        else None
    )


def describe_hidden_counts(session: Session, seat: Seat) -> Say:
    """Returns a text for a seat's own display: how many of each piece lie hidden before it."""
    counts = hidden_counts(session, seat)
    return say("Own: {counts}", counts=".".join(map(str, counts))) if counts else NOTHING_COVERED


def hidden_counts(session: Session, seat: Seat) -> list[int]:
    """Returns the counts of the hidden pieces before a seat, in screen order."""
    shown, mine = view(session).holdings_of(seat), view(session, seat).holdings_of(seat)
    hidden = {(one.place, one.piece) for one in shown if one.count is None}
    return [one.count for one in mine if one.count is not None and (one.place, one.piece) in hidden]


def _objection_now(session: Session, form: Form | None, said: DeviceAnswer, shown: float) -> Say | None:
    """Returns why no answer counts at this moment, whatever it is; None if one may."""
    if said.question not in (0, session.question_number):
        return TOO_LATE
    if session.is_put_away:
        return NO_GAME
    if form is None or said.question == 0:
        return NOT_ASKED
    if isinstance(said, KeyAnswer) and said.at < shown + MIN_READING_SECONDS and not form.is_race:
        return TOO_SOON
    return None


def _sends_cards(form: Form, said: DeviceAnswer) -> bool:
    """Returns whether this OK sends the cards on the reader: OK alone, or after the number 0 on buttons."""
    is_ok = said.key == "ok" if isinstance(said, KeyAnswer) else not any(said.numbers)
    return is_ok and isinstance(form.single_field, CardsField)


def answer_from_keys(form: Form, said: DeviceAnswer) -> object:
    """Returns the answer in JSON that these keys mean; raises `IllegalAnswer` if they mean none.

    In a race a number counts as OK. NO declines; where only a number is asked for, NO means 0.
    """
    if isinstance(said, NumbersAnswer) and not form.is_race:
        if (found := answer_from_numbers(form, said.numbers)) is not None:
            return found[0]
    elif isinstance(said, KeyAnswer) and said.key == "no":
        if form.decline is not None:
            return form.decline.answer
        if isinstance(form.single_field, NumberField):
            return 0
    elif isinstance(form.single_field, ConfirmField):
        return form.answer_from_values([form.single_field.answer])
    raise IllegalAnswer(allowed_keys_text(form))


def read_answer(tags_on_reader: Sequence[str]) -> list[object]:
    """Returns tags as the JSON answer to a Read."""
    return [{"tag": tag} for tag in tags_on_reader]


def deliver(session: Session, seat: Seat | None, answer: object, via: str) -> None:
    """Answers the open question, or puts a seat's sealed answer into its envelope."""
    if session.question is not None and session.question.parts_by_seat:
        assert seat is not None
        session.draft(session.question_number, seat, answer, via)
    else:
        session.answer(session.question_number, answer, via)
