"""What a phone sends: an answer to the question that it shows, a language, or that Companion rolls.

message = parse_message(channel.decrypt(encrypted))
confirmation = submit_phone_answer(session, seat_number, message)
"""

from __future__ import annotations

from typing import Any

import msgspec

from companion.errors import UserError
from companion.files import bounded_json
from companion.phones.channel import ChannelError, unpad
from companion.requests import Together
from companion.session.session import Session
from companion.session.upcoming_round import answer_in_upcoming_round
from companion.table.seats import Seat, Seats
from companion.texts import Say, say
from companion.web.link import MAX_PHONE_MESSAGE_BYTES
from hardware.desk.answers import NO_GAME_TEXT, TOO_LATE_TEXT, answer_or_seal, find_device_question

VIA_PHONE = "phone"
"""The word in the log for an answer that was given on a phone."""
NOT_ASKED_TEXT = say("You aren't asked now.")


class PhoneMessage(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a phone sends: a language, an answer to question `n`, or that Companion rolls."""

    language: str = ""
    n: int = 0
    answer: Any = msgspec.UNSET
    confirmed: bool = False
    roll: bool = False


def parse_message(padded: bytes) -> PhoneMessage:
    """Returns the message of a phone.

    Raises `ChannelError` for one of another size, and `UserError` or ValueError for one that isn't JSON of a
    message.
    """
    if len(padded) != MAX_PHONE_MESSAGE_BYTES:
        raise ChannelError
    value = bounded_json.parse_json(unpad(padded).decode(), MAX_PHONE_MESSAGE_BYTES)
    message = msgspec.convert(value, PhoneMessage)
    if message.n and not message.roll and message.answer is msgspec.UNSET:
        raise ChannelError
    return message


def submit_phone_answer(
    session: Session | None,
    seat_number: int,
    message: PhoneMessage,
    upcoming_round: Together[Any] | None = None,
) -> Say | None:
    """Submits the answer of a phone to the session; returns what the player must confirm first, or None.

    When this returns None, the answer is saved. Raises `CompanionError` if the answer is refused.
    """
    if session is None:
        raise UserError(NO_GAME_TEXT)
    seat = find_seat_at(session.table.seats, seat_number)
    question, number = find_device_question(session, upcoming_round)
    if seat is None or question is None or message.n != number:
        raise UserError(TOO_LATE_TEXT)
    part = question.question_for(seat)
    if part is None or (question.seats and seat in session.absent_seats):
        raise UserError(NOT_ASKED_TEXT)
    if message.roll:
        session.roll_app_dice(session.question_number)
        return None
    confirmation = None if message.confirmed else part.confirmation_for(part.parse_answer(message.answer))
    if confirmation is not None:
        return confirmation
    if upcoming_round is not None:
        answer_in_upcoming_round(session, upcoming_round, seat, message.answer, VIA_PHONE)
    else:
        answer_or_seal(session, seat, message.answer, VIA_PHONE)
    return None


def find_seat_at(seats: Seats, seat_number: int) -> Seat | None:
    """Returns the seat of a phone; None if nobody sits there in this game."""
    return seats.seat_numbered(seat_number) if seat_number <= len(seats) else None
