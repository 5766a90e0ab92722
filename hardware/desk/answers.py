"""The desk: what the keys of a device mean for the open question, and whether they count as an answer.

The functions read no clock, know no port and keep no state. docs/keypad-protocol.md says what the keys mean
for each kind of question.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from companion.errors import EventNotSaved, IllegalAnswer, InternalError
from companion.half_numbers import ONE_HALF, WholeOrHalf
from companion.requests import (
    CardsField,
    ConfirmField,
    Form,
    NumberField,
    Request,
    Together,
    answer_from_numbers,
)
from companion.session.session import Session
from companion.session.upcoming_round import answer_in_upcoming_round, is_round_just_opened
from companion.session.view import make_view
from companion.table.seats import Seat
from companion.texts import Say, say
from hardware.desk.prompts import wrong_key_message
from hardware.keypad_protocol import UNCLEAR_NUMBER
from hardware.signals import ControlKeyAnswer, DeviceAnswer, NumbersAnswer

VIA_KEYPAD, VIA_READER = "keypad", "reader"
"""The words in the log for an answer that was given with keys, or with tags on a reader."""
MIN_QUESTION_READING_SECONDS = 0.5
"""Minimum seconds from a question to OK or NO that counts; nobody can read a question faster."""
TYPED_HALF = 5
"""The number after a point that means a half, as in `7.5`."""

FIRST_NUMBER_OF_UPCOMING_ROUNDS = 1_000_000_000
"""Device numbers from here on are those of rounds that are shown before they are opened.

No game has so many events. A number in a line of a keypad has at most ten digits.
"""

NO_GAME_TEXT = say("No game yet")
NOT_YOUR_TURN_TEXT = say("Not your turn")
NOTHING_HIDDEN_TEXT = say("Nothing hidden")
TOO_LATE_TEXT = say("Too late")
TOO_SOON_TEXT = say("Too soon: again")
NOT_SAVED_TEXT = say("Not saved: again")
RULES_CRASHED_TEXT = say("Rules crashed")
PRESS_ZERO_AGAIN_TEXT = say("0? Press again")
PRESS_AGAIN_TEXT = say("Sure? Again")


class DeviceAnswerRefusal(msgspec.Struct, frozen=True):
    """Why an answer from a device is refused, in a few words for the keypad's display.

    `announcement` is a sentence for the whole table, and never contains the entry. An answer that
    `needs_confirmation` counts when it is given again.
    """

    text: Say
    announcement: Say | None = None
    needs_confirmation: bool = False


ZERO_NEEDS_CONFIRMATION = DeviceAnswerRefusal(PRESS_ZERO_AGAIN_TEXT, needs_confirmation=True)
"""Refusal that asks for 0 to be entered again."""
ANSWER_NEEDS_CONFIRMATION = DeviceAnswerRefusal(PRESS_AGAIN_TEXT, needs_confirmation=True)
"""Refusal that asks for any other answer to be entered again, such as a choice that ends the game."""


class DeviceQuestion(NamedTuple):
    """The question that devices ask, and the number with which they answer it; None when the game is over."""

    question: Request[Any] | None
    number: int


def find_device_question(session: Session, upcoming_round: Together[Any] | None) -> DeviceQuestion:
    """Returns what devices ask: the open question, or the upcoming round while it is shown for its menu.

    People may choose something else from the menu, and that question gets the session's next number. So on
    devices an upcoming round has a number of its own. It keeps the number when it is opened, so that what
    others are typing then counts. A correction may lead to another round while the same menu is open, and
    gives it another number.
    """
    number = FIRST_NUMBER_OF_UPCOMING_ROUNDS + session.question_number + session.correction_count
    if upcoming_round is not None:
        return DeviceQuestion(upcoming_round, number)
    if is_round_just_opened(session):
        return DeviceQuestion(session.question, number - 1)  # that of its menu, which had the number before
    return DeviceQuestion(session.question, session.question_number)


def submit_device_answer(  # noqa: PLR0913 - each known only to the caller
    session: Session,
    seat: Seat | None,
    device_answer: DeviceAnswer,
    question_shown_at: float,
    *,
    is_confirmed: bool = False,
    tags_for_question: Sequence[str] = (),
    upcoming_round: Together[Any] | None = None,
) -> DeviceAnswerRefusal | None:
    """Submits an answer from a device of a seat to the session; returns why it is refused, or None.

    A peek at the seat's hidden pieces is no answer: the text with their counts is returned in place of a
    refusal. `seat` is None for a device at which nobody plays. `question_shown_at` is when the open question
    appeared on the device, by the clock of `device_answer.at`. `is_confirmed`: the same answer was just
    refused because it needs a confirmation. OK sends `tags_for_question`. `upcoming_round`: the round that is
    shown instead of the menu; an answer that it allows opens it.
    """
    question, number = find_device_question(session, upcoming_round)
    part = question.question_for(seat) if seat and question else None
    form = part.form if part else None
    # A number of the session always belongs to the same question, so it counts besides the device number.
    numbers = (number,) if upcoming_round else (number, session.question_number)
    objection = _describe_peek(session, seat, device_answer) or _find_objection(
        session, form, device_answer, question_shown_at, numbers
    )
    if seat is None or part is None or form is None or objection:
        return DeviceAnswerRefusal(objection or NOT_YOUR_TURN_TEXT)
    try:
        if form.app_may_roll and isinstance(device_answer, ControlKeyAnswer) and device_answer.key == "ok":
            session.roll_app_dice(session.question_number)
        else:
            sends_cards = bool(tags_for_question) and _sends_cards(form, device_answer)
            answer = (
                build_read_request_answer(tags_for_question)
                if sends_cards
                else answer_from_keys(form, device_answer)
            )
            if not is_confirmed and part.confirmation_for(part.parse_answer(answer)):
                return ANSWER_NEEDS_CONFIRMATION if answer else ZERO_NEEDS_CONFIRMATION
            if upcoming_round is not None:
                answer_in_upcoming_round(session, upcoming_round, seat, answer, VIA_KEYPAD)
            else:
                answer_or_seal(session, seat, answer, VIA_READER if sends_cards else VIA_KEYPAD)
    except IllegalAnswer:
        return DeviceAnswerRefusal(wrong_key_message(form))
    except EventNotSaved as error:
        return DeviceAnswerRefusal(NOT_SAVED_TEXT, error.text)
    except InternalError as error:
        return DeviceAnswerRefusal(RULES_CRASHED_TEXT, error.text)
    return None


def _describe_peek(session: Session, seat: Seat | None, device_answer: DeviceAnswer) -> Say | None:
    return (
        describe_hidden_piece_counts(session, seat)
        if seat and isinstance(device_answer, ControlKeyAnswer) and device_answer.key == "own"
        else None
    )


def describe_hidden_piece_counts(session: Session, seat: Seat) -> Say:
    """Returns a text for a seat's own display: how many of each hidden piece the seat has."""
    counts = hidden_piece_counts(session, seat)
    return say("Own: {counts}", counts=".".join(map(str, counts))) if counts else NOTHING_HIDDEN_TEXT


def hidden_piece_counts(session: Session, seat: Seat) -> list[int]:
    """Returns the counts of a seat's hidden pieces, in screen order."""
    public_holdings, own_holdings = (
        make_view(session).holdings_of(seat),
        make_view(session, seat).holdings_of(seat),
    )
    hidden_accounts = {(holding.place, holding.piece) for holding in public_holdings if holding.count is None}
    return [
        holding.count
        for holding in own_holdings
        if holding.count is not None and (holding.place, holding.piece) in hidden_accounts
    ]


def _find_objection(
    session: Session,
    form: Form | None,
    device_answer: DeviceAnswer,
    question_shown_at: float,
    numbers: Sequence[int],
) -> Say | None:
    """Returns why no answer counts now, whatever it is; None if an answer may count.

    `numbers` are those of the open question.
    """
    if device_answer.question not in (0, *numbers):
        return TOO_LATE_TEXT
    if session.is_put_away:
        return NO_GAME_TEXT
    if form is None or device_answer.question == 0:
        return NOT_YOUR_TURN_TEXT
    if (
        isinstance(device_answer, ControlKeyAnswer)
        and device_answer.at < question_shown_at + MIN_QUESTION_READING_SECONDS
        and not form.is_race
    ):
        return TOO_SOON_TEXT
    return None


def _sends_cards(form: Form, device_answer: DeviceAnswer) -> bool:
    """Returns whether an answer sends the cards on the reader: OK alone, or after 0 on buttons."""
    is_ok = (
        device_answer.key == "ok"
        if isinstance(device_answer, ControlKeyAnswer)
        else not any(device_answer.numbers)
    )
    return is_ok and isinstance(form.single_field, CardsField)


def answer_from_keys(form: Form, device_answer: DeviceAnswer) -> object:
    """Converts the keys pressed on a device to the answer to a form, as JSON.

    In a race a number counts as OK. NO declines; where only a number is asked for, NO means 0. Where halves
    are allowed, the keys of 7.5 mean 7½. Raises `IllegalAnswer` if the keys mean no answer.
    """
    if isinstance(device_answer, NumbersAnswer) and not form.is_race:
        numbers = _join_typed_half(form, device_answer.numbers)
        is_clear = UNCLEAR_NUMBER not in numbers
        if is_clear and (converted := answer_from_numbers(form, numbers)) is not None:
            return converted[0]
    elif isinstance(device_answer, ControlKeyAnswer) and device_answer.key == "no":
        if form.decline is not None:
            return form.decline.answer
        if isinstance(form.single_field, NumberField):
            return 0
    elif isinstance(form.single_field, ConfirmField):
        return form.answer_from_values([form.single_field.answer])
    raise IllegalAnswer(wrong_key_message(form))


def _join_typed_half(form: Form, numbers: Sequence[WholeOrHalf]) -> Sequence[WholeOrHalf]:
    """Returns the numbers of an entry; where one number with a half is asked for, `7.5` is 7½.

    Such a question never asks for several numbers, so the point can't separate two of them.
    """
    field = form.single_field
    if isinstance(field, NumberField) and field.allows_halves and [*numbers[1:]] == [TYPED_HALF]:
        return [numbers[0] + ONE_HALF]
    return numbers


def build_read_request_answer(tags: Sequence[str]) -> list[object]:
    """Builds the answer to a `Read` request, as JSON, from these tags."""
    return [{"tag": tag} for tag in tags]


def answer_or_seal(session: Session, seat: Seat | None, answer: object, via: str) -> None:
    """Answers the open question, or seals the answer of a seat in its envelope."""
    if session.question is not None and session.question.parts_by_seat:
        assert seat is not None
        session.put_answer_in_envelope(session.question_number, seat, answer, via)
    else:
        session.answer(session.question_number, answer, via)
