"""Tags on readers: what they mean for the open question, and which of them wait until somebody says OK.

The functions are pure. `TagInput` belongs to the game's thread and remembers which tags lie where.
A refusal is one sentence that names the card of the tag. A refusal that follows from hidden cards names none.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from companion import installed_games
from companion.cards import Deck, TagLookup
from companion.errors import IllegalAnswer, InternalError, NotSaved, PrivateRefusal
from companion.requests import CardsField, Form, OptionField
from companion.session.session import Session
from companion.table.seats import Seat
from companion.tag_enrolment import labels_of_other_card
from companion.texts import Say, say
from hardware.desk.answers import VIA_READER, deliver, read_answer
from hardware.signals import TagArrived, TagLeft, TagSignal, TagUnreadable, UnreadReason
from hardware.wiring.sections import Reader

UNKNOWN_TAG = say('This tag doesn\'t belong to a card yet. Add it under "Cards & tags".')


UNREADABLE_TAG_TEXTS: Mapping[UnreadReason, Say] = {
    "check": say("Tag {tag} is broken: its check byte is wrong. Use another tag."),
    "mark": say("Tag {tag} is forged or broken: it gives two lengths for its id. Use another tag."),
}
"""The text for a tag that can't be read, for people who teach or test tags."""


def describe_unreadable_tag(signal: TagUnreadable) -> Say:
    """Returns the text for a tag that can't be read."""
    return say(UNREADABLE_TAG_TEXTS[signal.reason].template, tag=signal.claimed_tag)


def card_field(form: Form) -> CardsField | OptionField | None:
    """Returns the field that a card on a reader answers; None if no card can."""
    field = form.single_field
    if isinstance(field, CardsField) or (isinstance(field, OptionField) and field.deck is not None):
        return field
    return None


def answer_from_tags(
    field: CardsField | OptionField, tags_on_reader: Sequence[str], tags: TagLookup
) -> object | None:
    """Returns the answer, as JSON, of these tags, the last one just laid; None if more tags may follow.

    Raises `IllegalAnswer` if the last tag can't be part of an answer.
    """
    if isinstance(field, OptionField):
        return _option_of_tag(field, tags_on_reader[-1], tags)
    last = field.read({"card": _card_of_tag(tags_on_reader[-1], field.deck, tags)})
    field.rules.check_cards_possible([*(field.read({"tag": tag}) for tag in tags_on_reader[:-1]), last])
    most = field.most
    if most is not None and len(tags_on_reader) > most > 1:
        text = "{card} is one card too many. At most {most} cards count, so take another card away first."
        raise IllegalAnswer(say(text, card=last, most=most))
    return read_answer(tags_on_reader) if most == 1 else None


def usable_tags(
    field: CardsField, waiting: Sequence[str], tags_on_reader: Sequence[str], tags: TagLookup
) -> list[str]:
    """Returns the tags that already lay on a reader and may be used with one touch.

    They fit as far as everybody may know; if one card is asked for, only if it is clear which.
    """
    found: list[str] = []
    for tag in waiting:
        with suppress(IllegalAnswer):
            answer_from_tags(field, [*tags_on_reader, *found, tag], tags)
            found.append(tag)
    return [] if field.most == 1 and len(found) > 1 else found


def _option_of_tag(field: OptionField, tag: str, tags: TagLookup) -> str:
    assert field.deck is not None
    name = _card_of_tag(tag, field.deck, tags)
    card = field.deck.cards.get(name)
    if card is None or card.design is None or card.design not in field.all_options:
        raise IllegalAnswer(say("{card} can't be played now.", card=card or name))
    return card.design


def _card_of_tag(tag: str, deck: Deck, tags: TagLookup) -> str:
    """Returns the card of a tag; raises `IllegalAnswer` if it has none, or one of another deck."""
    known = tags(tag)
    if known is None:
        raise IllegalAnswer(UNKNOWN_TAG)
    other, card = known
    if other != deck.name:
        named, game = labels_of_other_card(installed_games.owner_decks(Path()), other, card)
        raise IllegalAnswer(say("This tag belongs to {card} in {game}.", card=named, game=game))
    return card


class TagBuffer:
    """The tags in all zones, in the order in which they came; it decides nothing.

    A tag that was laid for an earlier question is used up while it lies there, as long as that answer counts.
    """

    def __init__(self) -> None:
        self.current: dict[str, str] = {}
        """The tags laid for the open question, in order, each with its reader."""
        self._lying: dict[str, dict[str, None]] = {}
        self._spent: dict[str, int] = {}
        self._n = 0
        self._since = math.inf

    def start_question(self, n: int, now: float) -> None:
        """Question `n` is open, or none if 0. The tags so far belong to the question before."""
        if n != self._n:
            self._spent |= dict.fromkeys(self.current, self._n)
            self.current = {}
            self._n, self._since = n, now

    def add(self, signal: TagArrived) -> bool:
        """Adds a tag; returns whether it counts for the open question: it is new, and on one reader."""
        is_new = all(signal.tag not in zone for zone in self._lying.values())
        self._lying.setdefault(signal.device, {})[signal.tag] = None
        return is_new and signal.at > self._since

    def remove(self, signal: TagLeft) -> None:
        """A tag was lifted from a reader."""
        self._lying.get(signal.device, {}).pop(signal.tag, None)
        if not any(signal.tag in zone for zone in self._lying.values()):
            self._spent.pop(signal.tag, None)
            self.current.pop(signal.tag, None)

    def earlier_tags(self, device: str, answered: Collection[int]) -> list[str]:
        """Returns the tags on a reader that belong neither to the open question nor to an answered one."""
        return [
            tag
            for tag in self._lying.get(device, ())
            if tag not in self.current and self._spent.get(tag) not in answered
        ]


class TagInput:
    """Gives the tags on these readers to the game, or keeps them until OK.

    `clock` is the clock of their signals.

    `private_notice` tells a refusal that only one seat may read.
    """

    def __init__(self, readers: Sequence[Reader], clock: Callable[[], float]) -> None:
        self._readers = {each.device_name: each for each in readers}
        self._clock = clock
        self._buffer = TagBuffer()
        self.private_notice: Callable[[Say, Seat], None] = _ignore_notice

    def update_question(self, session: Session | None) -> None:
        """Notes which question is open."""
        is_open = session is not None and session.question is not None and not session.is_put_away
        self._buffer.start_question(session.question_number if session and is_open else 0, self._clock())

    def handle_signal(self, session: Session | None, signal: TagSignal) -> list[Say]:
        """Handles a signal of a reader; returns what the whole table must hear.

        `session` is None without a game.

        A tag that can't be read is no card. Only people who teach tags are told.
        """
        if isinstance(signal, TagUnreadable):
            return []
        if isinstance(signal, TagLeft):
            self._buffer.remove(signal)
            return []
        is_meant = self._buffer.add(signal)
        return self._use_tag(session, signal.device, signal.tag) if session and is_meant else []

    def current_tags(self, session: Session | None, seat: Seat | None = None) -> list[str]:
        """Returns the tags laid for the open question, in order.

        For a sealed question only those of the seat.
        """
        if session is None or session.question is None or session.question.parts_by_seat:
            number = seat.number if seat and session else 0
            return [
                tag for tag, device in self._buffer.current.items() if self._readers[device].seat == number
            ]
        return list(self._buffer.current)

    def waiting_tags(self, session: Session | None) -> list[str]:
        """Returns the tags that lay there before the open question and may be used for it with one touch."""
        return [tag for tag, _ in self._waiting_with_devices(session)]

    def use_waiting_tags(self, session: Session) -> list[Say]:
        """Uses the waiting tags for the open question; returns what the whole table must hear."""
        n, said = session.question_number, list[Say]()
        for tag, device in self._waiting_with_devices(session):
            if session.question_number == n:
                said += self._use_tag(session, device, tag)
        return said

    def _waiting_with_devices(self, session: Session | None) -> list[tuple[str, str]]:
        form = session.question.form if session and session.question else None
        if session is None or form is None or not isinstance(form.single_field, CardsField):
            return []
        answered = {step.n for step in session.steps}
        devices = [device for device in self._readers if self._field_at(session, device)]
        lying = {tag: device for device in devices for tag in self._buffer.earlier_tags(device, answered)}
        found = usable_tags(form.single_field, list(lying), self.current_tags(session), session.tags)
        return [(tag, lying[tag]) for tag in found]

    def _field_at(self, session: Session, device: str) -> CardsField | OptionField | None:
        """Returns the field that a card on this reader answers.

        None where nobody sits, or where no card can answer.

        A reader of the table takes nothing that is sealed.
        """
        number, seats, question = self._readers[device].seat, session.table.seats, session.question
        if question is None or session.is_put_away or (number is not None and number > len(seats)):
            return None
        seat = self._seat_at(session, device)
        part = question if seat is None else question.question_for(seat)
        return card_field(part.form) if part else None

    def _seat_at(self, session: Session, device: str) -> Seat | None:
        number = self._readers[device].seat
        return None if number is None else session.table.seats.seat_numbered(number)

    def _use_tag(self, session: Session, device: str, tag: str) -> list[Say]:
        field, question = self._field_at(session, device), session.question
        if field is None or question is None:
            return []
        self._buffer.current[tag] = device
        seat = self._seat_at(session, device)
        try:
            self._deliver_answer(session, seat, field)
        except IllegalAnswer as error:
            self._buffer.current.pop(tag)
            asked = question.seats[0] if len(question.seats) == 1 else None
            return self._announce_refusal(session, seat or asked, error)
        except (NotSaved, InternalError) as error:
            self._buffer.current.pop(tag)
            return [error.text]
        return []

    def _deliver_answer(self, session: Session, seat: Seat | None, field: CardsField | OptionField) -> None:
        given: Any = answer_from_tags(field, self.current_tags(session, seat), session.tags)
        if given is not None:
            deliver(session, seat, given, VIA_READER)

    def _announce_refusal(self, session: Session, seat: Seat | None, error: IllegalAnswer) -> list[Say]:
        """Tells a refusal of something sealed or hidden to the seat alone.

        Returns any other refusal for all.
        """
        question = session.question
        is_sealed = question is not None and question.is_sealed
        is_private = isinstance(error, PrivateRefusal) and error.is_private
        if seat is not None and (is_private or is_sealed):
            self.private_notice(error.text, seat)
            return []
        return [error.text]


def _ignore_notice(_text: Say, _seat: Seat) -> None:
    """Drops the notice: no front end shows it."""
