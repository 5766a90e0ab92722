"""A table with phones for tests: a real game in a real store, and phones that speak docs/web.md with it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

from companion import installed_games
from companion.phones.state import PublicTable
from companion.session.session import Session
from companion.session.upcoming_round import find_upcoming_round
from companion.session.view import make_view
from companion.store import Store
from companion.table.seats import Seat
from companion.web.link import (
    AnyFromWeb,
    AnyToWeb,
    ClosePhone,
    PairingPosted,
    PairingReply,
    PhoneConnected,
    PhoneSent,
    PublishTable,
    SendToPhone,
)
from hardware.desk.answers import find_device_question
from hardware.phones.phones import Phones
from tests.support.phone_client import PhoneClient, PhoneTab


class PhoneTable:
    """A game on the table, with phones. What the box sends is in `sent`, in its order."""

    def __init__(
        self, directory: Path, game: str, *names: str, options: dict[str, str] | None = None, seed: int = 1
    ) -> None:
        self.store = Store.open(directory, for_writing=True)
        self.now = 1000.0
        self.sent: list[AnyToWeb] = []
        self.phones = Phones(self.store, self.sent.append, seconds=lambda: self.now)
        self.session: Session | None = Session.begin(
            installed_games.playable_game(game), names, options or {}, self.store.new_game_log(), seed=seed
        )
        self.shows_upcoming_rounds = False
        self.tabs: dict[int, PhoneTab] = {}
        self._last_number = 0
        self.phones.switch_on()

    def next_number(self) -> int:
        """Returns a number for a connection or a request."""
        self._last_number += 1
        return self._last_number

    def seat(self, number: int) -> Seat:
        """Returns a seat of the game."""
        assert self.session is not None
        return self.session.table.seats.seat_numbered(number)

    def show(self) -> None:
        """Shows the table to the phones, as the screen does after each change."""
        session = self.session
        table = None
        if session is not None:
            upcoming = find_upcoming_round(session) if self.shows_upcoming_rounds else None
            number = find_device_question(session, upcoming).number
            table = PublicTable(session, make_view(session), number)
        self.phones.show(table)
        self._deliver()

    def tell_box(self, message: AnyFromWeb) -> list[Any]:
        """Hands a message to the box, shows the table if it must, and returns what the box sent."""
        before = len(self.sent)
        upcoming = None
        if self.session is not None and self.shows_upcoming_rounds:
            upcoming = find_upcoming_round(self.session)
        handled = self.phones.handle(message, self.session, upcoming)
        if isinstance(message, PhoneConnected):
            for sent in self.sent[before:]:
                if isinstance(sent, SendToPhone) and sent.connection == message.connection:
                    self.tabs[message.connection].connected(sent.message)
        if handled.must_show:
            self.show()
        return self.sent[before:]

    def _deliver(self) -> None:
        """Lets each tab read what the box sent it since the last call."""
        for sent in self.sent[getattr(self, "_delivered", 0) :]:
            tab = self.tabs.get(getattr(sent, "connection", 0))
            if isinstance(sent, SendToPhone) and tab is not None and len(sent.message) > 32:
                tab.read(sent.message)
        self._delivered = len(self.sent)

    def post(self, seat_number: int, step: int, body: bytes) -> PairingReply | None:
        """Posts a step of the pairing; returns the reply, or None if it doesn't come yet."""
        request = self.next_number()
        replies = [
            sent
            for sent in self.tell_box(PairingPosted(request, seat_number, step, body))
            if isinstance(sent, PairingReply) and sent.request == request
        ]
        return replies[0] if replies else None

    def pair(self, seat_number: int) -> PhoneClient:
        """Pairs a phone with a seat, as people do."""
        secret = self.phones.offer_code(seat_number).code.secret
        client = PhoneClient(seat_number)
        reply = self.post(seat_number, 1, client.offer(secret))
        assert reply is not None
        assert reply.status == 200
        client.read_reply(secret, reply.body)
        assert self.post(seat_number, 2, client.confirmation()) is None
        before = len(self.sent)
        self.phones.confirm_pairing()
        (paired,) = [sent for sent in self.sent[before:] if isinstance(sent, PairingReply)]
        assert paired.status == 200
        client.cookie = paired.cookie
        return client

    def connect(self, client: PhoneClient, language: str = "en") -> int:
        """Opens a tab of a paired phone; returns the number of its connection."""
        number = self.next_number()
        self.tabs[number] = tab = client.open_tab()
        self.tell_box(PhoneConnected(number, client.seat_number, client.cookie, tab.hello))
        if not self.is_closed(number):
            self.send(number, language=language)
        return number

    def send(self, connection: int, **message: object) -> list[Any]:
        """Sends a message of a tab; returns what the box sent."""
        return self.tell_box(PhoneSent(connection, self.tabs[connection].encrypt(**message)))

    def answer(self, connection: int, answer: object, **more: object) -> dict[str, Any]:
        """Answers the question that a tab shows; returns what the box says about it."""
        tab = self.tabs[connection]
        self.send(connection, n=tab.table["n"], answer=answer, **more)
        feedback: dict[str, Any] = tab.private["feedback"]
        return feedback

    def is_closed(self, connection: int) -> bool:
        """Returns whether the box has closed a connection."""
        return any(isinstance(sent, ClosePhone) and sent.connection == connection for sent in self.sent)

    def published(self, language: str = "en") -> list[bytes]:
        """Returns every public state that was published in a language."""
        return [
            sent.state for sent in self.sent if isinstance(sent, PublishTable) and sent.language == language
        ]


def answer_at_random(session: Session, rng: Random) -> None:
    """Answers the open question with a random answer that the rules allow."""
    question, number = session.question, session.question_number
    assert question is not None
    if not question.parts_by_seat:
        session.answer(number, question.answer_to_json(question.random_legal_answer(rng)))
        return
    for seat, part in question.parts_by_seat.items():
        if session.question_number == number:
            session.put_answer_in_envelope(number, seat, part.answer_to_json(part.random_legal_answer(rng)))
