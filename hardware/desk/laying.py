"""What is laid on the readers of a table: given to the game, or kept until somebody says OK.

For the game's thread. What a tag means is decided by `tags`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from typing import Any

from companion.errors import IllegalAnswer, InternalError, NotSaved, PrivateRefusal
from companion.requests import CardsField, OptionField
from companion.session.session import Session
from companion.table.seats import Seat
from companion.texts import Say
from hardware.desk import tags
from hardware.desk.desk import deliver
from hardware.signals import Tag, TagArrived, TagLeft, TagUnread
from hardware.wiring.sections import Reader


class Tray:
    """The tags in all zones, in the order in which they came; it remembers and decides nothing.

    What was laid for an earlier question is spent while it lies there, as long as that answer counts.
    """

    def __init__(self) -> None:
        self.laid: dict[str, str] = {}
        """The tags laid for the open question, in order, each with its reader."""
        self._lying: dict[str, dict[str, None]] = {}
        self._spent: dict[str, int] = {}
        self._n = 0
        self._since = math.inf

    def ask(self, n: int, now: float) -> None:
        """Question `n` is open; 0: none. What was laid belongs to the one before."""
        if n != self._n:
            self._spent |= dict.fromkeys(self.laid, self._n)
            self.laid = {}
            self._n, self._since = n, now

    def arrived(self, signal: TagArrived) -> bool:
        """A tag was laid; whether that was for the open question, and not before it or on two readers."""
        is_new = all(signal.tag not in zone for zone in self._lying.values())
        self._lying.setdefault(signal.device, {})[signal.tag] = None
        return is_new and signal.at > self._since

    def left(self, signal: TagLeft) -> None:
        """A tag was lifted from a reader."""
        self._lying.get(signal.device, {}).pop(signal.tag, None)
        if not any(signal.tag in zone for zone in self._lying.values()):
            self._spent.pop(signal.tag, None)
            self.laid.pop(signal.tag, None)

    def waiting(self, device: str, answered: Collection[int]) -> list[str]:
        """The tags on a reader that were not laid for this question nor for any of those `answered`."""
        return [
            tag
            for tag in self._lying.get(device, ())
            if tag not in self.laid and self._spent.get(tag) not in answered
        ]


class Laying:
    """The tags on these readers; `clock` is that of their signals.

    `whisper` tells a refusal that one seat alone may read.
    """

    def __init__(self, readers: Sequence[Reader], clock: Callable[[], float]) -> None:
        self._readers = {each.device: each for each in readers}
        self._clock = clock
        self._tray = Tray()
        self.whisper: Callable[[Say, Seat], None] = _nobody

    def ask(self, session: Session | None) -> None:
        """Brings up to date which question is open."""
        is_open = session is not None and session.question is not None and not session.is_put_away
        self._tray.ask(session.question_number if session and is_open else 0, self._clock())

    def heard(self, session: Session | None, signal: Tag) -> list[Say]:
        """Settles what a tag says; returns what all must hear. None: no game is listening.

        What can't be read is no card, and is told only to whoever teaches tags.
        """
        if isinstance(signal, TagUnread):
            return []
        if isinstance(signal, TagLeft):
            self._tray.left(signal)
            return []
        is_meant = self._tray.arrived(signal)
        return self._lay(session, signal.device, signal.tag) if session and is_meant else []

    def laid(self, session: Session | None, seat: Seat | None = None) -> list[str]:
        """The tags laid for the open question, in order; of a sealed one those of that seat alone."""
        if session is None or session.question is None or session.question.parts_by_seat:
            number = seat.number if seat and session else 0
            return [tag for tag, device in self._tray.laid.items() if self._readers[device].seat == number]
        return list(self._tray.laid)

    def waiting(self, session: Session | None) -> list[str]:
        """The tags that lay there before the open question and may be taken for it with one touch."""
        return [tag for tag, _ in self._waiting(session)]

    def take(self, session: Session) -> list[Say]:
        """Lays those for the open question; returns what all must hear."""
        n, said = session.question_number, list[Say]()
        for tag, device in self._waiting(session):
            if session.question_number == n:
                said += self._lay(session, device, tag)
        return said

    def _waiting(self, session: Session | None) -> list[tuple[str, str]]:
        form = session.question.form if session and session.question else None
        if session is None or form is None or not isinstance(form.single_field, CardsField):
            return []
        answered = {step.n for step in session.steps}
        devices = [device for device in self._readers if self._field(session, device)]
        lying = {tag: device for device in devices for tag in self._tray.waiting(device, answered)}
        found = tags.offered(form.single_field, list(lying), self.laid(session), session.tags)
        return [(tag, lying[tag]) for tag in found]

    def _field(self, session: Session, device: str) -> CardsField | OptionField | None:
        """What a card on this reader answers; None where nobody sits at it, or no card can answer.

        The table's own reader takes nothing that is sealed.
        """
        number, seats, question = self._readers[device].seat, session.table.seats, session.question
        if question is None or session.is_put_away or (number is not None and number > len(seats)):
            return None
        seat = self._seat(session, device)
        part = question if seat is None else question.question_for(seat)
        return tags.card_field(part.form) if part else None

    def _seat(self, session: Session, device: str) -> Seat | None:
        number = self._readers[device].seat
        return None if number is None else session.table.seats.seat_numbered(number)

    def _lay(self, session: Session, device: str, tag: str) -> list[Say]:
        field, question = self._field(session, device), session.question
        if field is None or question is None:
            return []
        self._tray.laid[tag] = device
        seat = self._seat(session, device)
        try:
            self._give(session, seat, field)
        except IllegalAnswer as error:
            self._tray.laid.pop(tag)
            asked = question.seats[0] if len(question.seats) == 1 else None
            return self._told(session, seat or asked, error)
        except (NotSaved, InternalError) as error:
            self._tray.laid.pop(tag)
            return [error.text]
        return []

    def _give(self, session: Session, seat: Seat | None, field: CardsField | OptionField) -> None:
        given: Any = tags.meaning(field, self.laid(session, seat), session.tags)
        if given is not None:
            deliver(session, seat, given, tags.VIA)

    def _told(self, session: Session, seat: Seat | None, error: IllegalAnswer) -> list[Say]:
        """What is sealed or tells of something covered is told to whoever answered, alone; else to all."""
        question = session.question
        is_sealed = question is not None and question.is_sealed
        is_private = isinstance(error, PrivateRefusal) and error.is_private
        if seat is not None and (is_private or is_sealed):
            self.whisper(error.text, seat)
            return []
        return [error.text]


def _nobody(_text: Say, _seat: Seat) -> None:
    """Nobody is there to read it."""
