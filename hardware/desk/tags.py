"""Tags on readers: what they mean for the open question, and which of them wait until somebody presses OK.

The functions are pure. `TagInput` belongs to the game's thread and remembers which tags are on which reader.
A refusal is one sentence that names the card of the tag. A refusal that follows from hidden cards names no
card.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion import installed_games
from companion.cards import Deck, TagLookup
from companion.errors import EventNotSaved, IllegalAnswer, InternalError, PrivateRefusal
from companion.requests import CardsField, Form, OptionField
from companion.session.session import Session
from companion.table.seats import Seat
from companion.tag_enrolment import labels_of_card_and_game
from companion.texts import Say, say
from hardware.desk.answers import VIA_READER, answer_or_seal, build_read_request_answer
from hardware.signals import TagArrived, TagLeft, TagSignal, TagUnreadable, UnreadableTagReason
from hardware.wiring.sections import Reader

UNKNOWN_TAG_TEXT = say('This tag doesn\'t belong to a card yet. Add it under "Cards & tags".')


UNREADABLE_TAG_TEXT_BY_REASON: Mapping[UnreadableTagReason, Say] = {
    "check": say("Tag {tag} is broken: its check byte is wrong. Use another tag."),
    "mark": say("Tag {tag} is forged or broken: it gives two lengths for its id. Use another tag."),
}
"""Message for each reason why a tag can't be read, for people who enrol or test tags."""


def describe_unreadable_tag(signal: TagUnreadable) -> Say:
    """Returns the message about a tag that can't be read."""
    return say(UNREADABLE_TAG_TEXT_BY_REASON[signal.reason].template, tag=signal.claimed_tag)


def find_field_answerable_by_card(form: Form) -> CardsField | OptionField | None:
    """Finds the field of a form that a card on a reader can answer; None if there is none."""
    field = form.single_field
    if isinstance(field, CardsField) or (isinstance(field, OptionField) and field.deck is not None):
        return field
    return None


def complete_answer_from_tags(
    field: CardsField | OptionField, tags_on_reader: Sequence[str], tag_lookup: TagLookup
) -> object | None:
    """Converts tags on a reader to the JSON answer to a field; None if more tags may follow.

    The last tag is the newest. Raises `IllegalAnswer` if the newest tag can't be part of an answer.
    """
    if isinstance(field, OptionField):
        return _option_of_tag(field, tags_on_reader[-1], tag_lookup)
    last = field.parse_card_item({"card": _card_of_tag(tags_on_reader[-1], field.deck, tag_lookup)})
    field.rules.are_cards_possible(
        [*(field.parse_card_item({"tag": tag}) for tag in tags_on_reader[:-1]), last]
    )
    most = field.most
    if most is not None and len(tags_on_reader) > most > 1:
        text = "{card} is one card too many. At most {most} cards count, so take another card away first."
        raise IllegalAnswer(say(text, card=last, most=most))
    return build_read_request_answer(tags_on_reader) if most == 1 else None


def find_fitting_tags_read_before_question(
    field: CardsField, tags_read_before: Sequence[str], tags_on_reader: Sequence[str], tag_lookup: TagLookup
) -> list[str]:
    """Returns the tags that were on a reader before the question and fit its field.

    Whether a tag fits is judged by what everybody may know. One touch uses the returned tags. If one card is
    asked for and several such tags fit, none is returned.
    """
    usable_tags: list[str] = []
    for tag in tags_read_before:
        with suppress(IllegalAnswer):
            complete_answer_from_tags(field, [*tags_on_reader, *usable_tags, tag], tag_lookup)
            usable_tags.append(tag)
    return [] if field.most == 1 and len(usable_tags) > 1 else usable_tags


def _option_of_tag(field: OptionField, tag: str, tag_lookup: TagLookup) -> str:
    assert field.deck is not None
    card_id = _card_of_tag(tag, field.deck, tag_lookup)
    card = field.deck.cards.get(card_id)
    if card is None or card.design is None or card.design not in field.all_options:
        raise IllegalAnswer(say("{card} can't be played now.", card=card or card_id))
    return card.design


def _card_of_tag(tag: str, deck: Deck, tag_lookup: TagLookup) -> str:
    """Returns the card of a tag; raises `IllegalAnswer` for a tag without a card, or of another deck."""
    deck_and_card = tag_lookup(tag)
    if deck_and_card is None:
        raise IllegalAnswer(UNKNOWN_TAG_TEXT)
    deck_name, card = deck_and_card
    if deck_name != deck.name:
        card_label, game = labels_of_card_and_game(
            installed_games.owner_decks_by_name(Path()), deck_name, card
        )
        raise IllegalAnswer(say("This tag belongs to {card} in {game}.", card=card_label, game=game))
    return card


class TagsOnReaders:
    """The tags that are on the readers now, in the order in which they arrived.

    A tag that was used for an earlier question isn't used again while it stays on its reader, as long as that
    answer counts.
    """

    def __init__(self) -> None:
        self.device_by_current_tag: dict[str, str] = {}
        """The tags for the open question, in order, each with its reader."""
        self._tags_by_device: dict[str, dict[str, None]] = {}
        self._question_by_used_tag: dict[str, int] = {}
        self._question_number = 0
        self._question_opened_at = math.inf

    def start_question(self, question_number: int, now: float) -> None:
        """Starts a question, unless it is already the open one.

        The tags so far belong to the earlier question. The number 0 means that no question is open.
        """
        if question_number != self._question_number:
            self._question_by_used_tag |= dict.fromkeys(self.device_by_current_tag, self._question_number)
            self.device_by_current_tag = {}
            self._question_number, self._question_opened_at = question_number, now

    def add_arrived_tag(self, signal: TagArrived) -> bool:
        """Adds an arrived tag; returns whether it counts for the open question.

        A tag counts if it arrived after the question and isn't on another reader.
        """
        is_new = all(signal.tag not in tags for tags in self._tags_by_device.values())
        self._tags_by_device.setdefault(signal.device, {})[signal.tag] = None
        return is_new and signal.at > self._question_opened_at

    def remove_lifted_tag(self, signal: TagLeft) -> None:
        """Removes a tag that was lifted from a reader."""
        self._tags_by_device.get(signal.device, {}).pop(signal.tag, None)
        if not any(signal.tag in tags for tags in self._tags_by_device.values()):
            self._question_by_used_tag.pop(signal.tag, None)
            self.device_by_current_tag.pop(signal.tag, None)

    def unused_tags_read_before_question(self, device: str, answered_questions: Collection[int]) -> list[str]:
        """Returns the tags on a reader that were used neither for the open question nor an answered one."""
        return [
            tag
            for tag in self._tags_by_device.get(device, ())
            if tag not in self.device_by_current_tag
            and self._question_by_used_tag.get(tag) not in answered_questions
        ]


class TagInput:
    """Answers questions with the tags on readers, at once or when somebody presses OK.

    `clock` is the clock of the readers' signals. `show_private_notice` shows a refusal that only one seat may
    read.
    """

    def __init__(self, readers: Sequence[Reader], clock: Callable[[], float]) -> None:
        self._reader_by_device = {each.device_name: each for each in readers}
        self._clock = clock
        self._tags_on_readers = TagsOnReaders()
        self.show_private_notice: Callable[[Say, Seat], None] = _ignore_notice

    def update_open_question(self, session: Session | None) -> None:
        """Updates which question is open."""
        is_open = session is not None and session.question is not None and not session.is_put_away
        self._tags_on_readers.start_question(
            session.question_number if session and is_open else 0, self._clock()
        )

    def handle_tag_signal(self, session: Session | None, signal: TagSignal) -> list[Say]:
        """Handles a signal of a reader; returns the messages for the whole table.

        `session` is None without a game. A tag that can't be read is no card; only people who enrol tags get
        a message.
        """
        if isinstance(signal, TagUnreadable):
            return []
        if isinstance(signal, TagLeft):
            self._tags_on_readers.remove_lifted_tag(signal)
            return []
        counts_for_question = self._tags_on_readers.add_arrived_tag(signal)
        return self._use_tag(session, signal.device, signal.tag) if session and counts_for_question else []

    def tags_for_open_question(self, session: Session | None, seat: Seat | None = None) -> list[str]:
        """Returns the tags that are used for the open question, in order.

        If each seat answers for itself, only the tags on readers of `seat` are returned.
        """
        if session is None or session.question is None or session.question.parts_by_seat:
            seat_number = seat.number if seat and session else 0
            return [
                tag
                for tag, device in self._tags_on_readers.device_by_current_tag.items()
                if self._reader_by_device[device].seat == seat_number
            ]
        return list(self._tags_on_readers.device_by_current_tag)

    def fitting_tags_read_before_question(self, session: Session | None) -> list[str]:
        """Returns the tags from before the open question that one touch can use for it."""
        return [tag for tag, _ in self._fitting_tags_with_devices(session)]

    def use_earlier_tags(self, session: Session) -> list[Say]:
        """Uses the earlier tags for the open question; returns the messages for the whole table."""
        question_number, messages = session.question_number, list[Say]()
        for tag, device in self._fitting_tags_with_devices(session):
            if session.question_number == question_number:
                messages += self._use_tag(session, device, tag)
        return messages

    def _fitting_tags_with_devices(self, session: Session | None) -> list[tuple[str, str]]:
        form = session.question.form if session and session.question else None
        if session is None or form is None or not isinstance(form.single_field, CardsField):
            return []
        answered_questions = {step.n for step in session.steps}
        devices = [device for device in self._reader_by_device if self._field_at(session, device)]
        device_by_tag = {
            tag: device
            for device in devices
            for tag in self._tags_on_readers.unused_tags_read_before_question(device, answered_questions)
        }
        usable_tags = find_fitting_tags_read_before_question(
            form.single_field, list(device_by_tag), self.tags_for_open_question(session), session.tags
        )
        return [(tag, device_by_tag[tag]) for tag in usable_tags]

    def _field_at(self, session: Session, device: str) -> CardsField | OptionField | None:
        """Returns the field that a card on this reader answers.

        Returns None where nobody sits, and where no card can answer. Sealed answers can't be given on a
        reader of the table.
        """
        seat_number, seats, question = (
            self._reader_by_device[device].seat,
            session.table.seats,
            session.question,
        )
        if question is None or session.is_put_away or (seat_number is not None and seat_number > len(seats)):
            return None
        seat = self._seat_at(session, device)
        part = question if seat is None else question.question_for(seat)
        return find_field_answerable_by_card(part.form) if part else None

    def _seat_at(self, session: Session, device: str) -> Seat | None:
        seat_number = self._reader_by_device[device].seat
        return None if seat_number is None else session.table.seats.seat_numbered(seat_number)

    def _use_tag(self, session: Session, device: str, tag: str) -> list[Say]:
        field, question = self._field_at(session, device), session.question
        if field is None or question is None:
            return []
        self._tags_on_readers.device_by_current_tag[tag] = device
        seat = self._seat_at(session, device)
        try:
            self._deliver_answer(session, seat, field)
        except IllegalAnswer as error:
            self._tags_on_readers.device_by_current_tag.pop(tag)
            asked_seat = question.seats[0] if len(question.seats) == 1 else None
            return self._announce_refusal(session, seat or asked_seat, error)
        except (EventNotSaved, InternalError) as error:
            self._tags_on_readers.device_by_current_tag.pop(tag)
            return [error.text]
        return []

    def _deliver_answer(self, session: Session, seat: Seat | None, field: CardsField | OptionField) -> None:
        answer: Any = complete_answer_from_tags(
            field, self.tags_for_open_question(session, seat), session.tags
        )
        if answer is not None:
            answer_or_seal(session, seat, answer, VIA_READER)

    def _announce_refusal(self, session: Session, seat: Seat | None, error: IllegalAnswer) -> list[Say]:
        """Shows a refusal of something sealed or hidden to the seat alone; returns any other refusal."""
        question = session.question
        is_sealed = question is not None and question.is_sealed
        is_private = isinstance(error, PrivateRefusal) and error.is_private
        if seat is not None and (is_private or is_sealed):
            self.show_private_notice(error.text, seat)
            return []
        return [error.text]


def _ignore_notice(_text: Say, _seat: Seat) -> None:
    """Drops the notice: no front end shows it."""
