"""The phones of one table: pairing, answers, and what each phone is shown.

    phones = Phones(store, send=link.send)
    phones.switch_on()
    code = phones.offer_code(seat_number=2)  # the panel shows it as a QR code
    handled = phones.handle(message, session)  # for each message of the link
    phones.confirm_pairing()  # the two digits on panel and phone are equal
    phones.show(table)  # after each change of the game

Only the game's thread may use the phones. The process that faces the network passes the messages on, and is
treated as hostile: an answer counts only if a paired phone has encrypted it.

Whatever a paired phone sends, all phones are shown the table again. So nobody who records the Wi-Fi learns
whether a sealed answer was refused.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from companion import languages
from companion.errors import CompanionError, EventNotSaved, InternalError, UserError
from companion.files.regular_files import read_regular_file
from companion.files.user_files import delete_app_file, write_app_file
from companion.phones.channel import (
    KEY_BYTES,
    Channel,
    ChannelError,
    ChannelKeys,
    KeyPair,
    PairingCode,
    encrypt_two_keys,
    keys_at_box,
    read_offer,
)
from companion.phones.state import PublicTable, empty_table_state, table_state
from companion.requests import Together
from companion.session.session import Session
from companion.store import Store
from companion.table.seats import Seat
from companion.texts import Say, render, say
from companion.web.link import (
    AnyFromWeb,
    AnyToWeb,
    ClosePhone,
    PairingAborted,
    PairingPosted,
    PairingReply,
    PhoneConnected,
    PhoneGone,
    PhoneSent,
    PublishTable,
    SendToPhone,
    TableWatched,
    WebListening,
)
from hardware.phones import KEY_FILE_NAME
from hardware.phones.answers import PhoneMessage, find_seat_at, parse_message, submit_phone_answer
from hardware.phones.shown_state import PaddedQuestions, PublicState, padded_private_part
from hardware.wifi.hotspot import HOTSPOT_ADDRESS

CODE_SECONDS = 5 * 60
"""How long a QR code can be used."""
CONFIRMATION_SECONDS = 60
"""How long a paired phone waits until somebody compares the digits on the panel."""
MAX_CONNECTIONS_PER_SEAT = 4
"""The most connections of one seat, such as several tabs; a further one closes the oldest."""
MAX_MESSAGES_IN_A_ROW, MESSAGES_PER_SECOND = 20, 5
"""How many messages a phone may send at once, and how many more each second; nobody taps faster."""
MAX_WRONG_PAIRINGS = 20
"""How many messages of the pairing that name no open code are answered; a new code starts again."""
PAIRINGS_KEY = "phone_pairings"
HTTP_OK, HTTP_FORBIDDEN, HTTP_TOO_MANY = 200, 403, 429


class Pairing(msgspec.Struct, frozen=True):
    """A phone that is paired with a seat: its public key, and a digest of its cookie.

    `player` is the name of the seat's player; empty until the game begins if the phone was paired before.
    """

    seat: int
    phone_public: bytes
    cookie_digest: bytes
    player: str = ""


class OfferedCode(NamedTuple):
    """A QR code on the panel: for which seat, its secret, and until when it can be used."""

    seat_number: int
    code: PairingCode
    expires_at: float


class PendingPairing(NamedTuple):
    """A phone that has used a code, and waits until somebody compares the digits.

    `confirmation_request` is the request to answer; None until the phone has asked.
    """

    seat_number: int
    phone_public: bytes
    keys: ChannelKeys
    expires_at: float
    confirmation_request: int | None = None


class HandledMessage(NamedTuple):
    """What a message of the web process led to.

    Strangers in the network can send messages, too: they must not disturb people at the panel or on phones.
    """

    must_show: bool
    """True if phones or viewers must be shown the table."""
    has_changed_phones: bool = False
    """True if a phone was paired, connected or lost, or a code was used: the panel shows it."""
    announcements: Sequence[Say] = ()
    """Messages for the whole table."""


class _Connection:
    """One connection of a paired phone."""

    def __init__(self, seat_number: int, channel: Channel, now: float) -> None:
        self.seat_number, self.channel = seat_number, channel
        self.language: str | None = None
        """The language of the page; None until it has sent something that its phone has encrypted."""
        self.shown_version = 0
        """The version of the public table that the page has."""
        self.feedback: dict[str, Any] = {}
        """What the last message led to, for the next state."""
        self._allowance, self._allowance_at = float(MAX_MESSAGES_IN_A_ROW), now

    @property
    def has_spoken(self) -> bool:
        """True once it has sent something that the paired phone has encrypted."""
        return self.language is not None

    def decrypt(self, encrypted: bytes, now: float) -> bytes:
        """Returns the next message of the phone; raises `ChannelError` for any other, and for too many."""
        plaintext = self.channel.decrypt(encrypted)
        passed = now - self._allowance_at
        self._allowance = min(MAX_MESSAGES_IN_A_ROW, self._allowance + passed * MESSAGES_PER_SECOND) - 1
        self._allowance_at = now
        if self._allowance < 0:
            raise ChannelError
        return plaintext


class Phones:
    """The phones of a table. `send` passes a message to the web process; `seconds` are monotonic."""

    def __init__(
        self,
        store: Store,
        send: Callable[[AnyToWeb], object],
        *,
        seconds: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store, self._send, self._seconds = store, send, seconds
        self._key: KeyPair | None = None
        self._pairings: dict[int, Pairing] = {}
        self._connections: dict[int, _Connection] = {}
        self._public_states: dict[str, PublicState] = {}
        self._watched_languages: tuple[str, ...] = ()
        self._wrong_pairings = 0
        self._players: Sequence[str] = ()
        self.web_addresses: tuple[str, ...] | None = None
        """Where browsers reach the pages: addresses with port; None while the web process isn't ready.

        The address in our hotspot is the first: phones in it may reach no other. Empty if this machine is in
        no network.
        """
        self.offered_code: OfferedCode | None = None
        """The QR code that the panel shows."""
        self.pending_pairing: PendingPairing | None = None
        """The phone whose digits somebody has to compare."""

    # On, off, and who is paired

    @property
    def is_on(self) -> bool:
        """True if phones are switched on."""
        return self._key is not None

    def switch_on(self) -> None:
        """Switches phones on; phones that were paired before a restart stay paired."""
        if self._key is not None:
            return
        pairings = self._store.load_value(PAIRINGS_KEY, (), tuple[Pairing, ...])
        key = self._read_key()
        if key is None:
            key, pairings = KeyPair.make_new(), ()
            write_app_file(self._key_file, key.private)
        self._key = key
        self._pairings = {pairing.seat: pairing for pairing in pairings}

    def switch_off(self) -> None:
        """Switches phones off: no phone is paired any more."""
        self.unpair_all()
        delete_app_file(self._key_file)
        self._key = None
        self._public_states.clear()

    def unpair(self, seat_number: int) -> None:
        """Ends the pairing of a seat and closes its connections."""
        self._forget(seat_number)
        self._save_pairings()

    def seat_players(self, players: Sequence[str], *, is_same_game: bool) -> None:
        """Takes the names of the players at the seats, from seat 1; none while no game is on the table.

        In another game, a phone stays paired only if its player has the same seat as before. In the same
        game, a seat may get another name: the name was misspelt, or a guest takes the seat over.
        """
        self._players, before = players, dict(self._pairings)
        for number, pairing in before.items() if players else ():
            player = players[number - 1] if number <= len(players) else None
            if player is not None and (is_same_game or pairing.player in {"", player}):
                self._pairings[number] = msgspec.structs.replace(pairing, player=player)
            else:
                self._forget(number)
        if before != self._pairings:
            self._save_pairings()

    def unpair_all(self) -> None:
        """Ends all pairings, and closes their connections."""
        for seat_number in tuple(self._pairings):
            self._forget(seat_number)
        self.withdraw_code()
        self._save_pairings()

    @property
    def paired_seat_numbers(self) -> frozenset[int]:
        """The numbers of the seats with a paired phone."""
        return frozenset(self._pairings)

    @property
    def connected_seat_numbers(self) -> frozenset[int]:
        """The numbers of the seats with a phone that is connected now."""
        return frozenset(
            connection.seat_number for connection in self._connections.values() if connection.has_spoken
        )

    def _forget(self, seat_number: int) -> None:
        self._pairings.pop(seat_number, None)
        for number, connection in tuple(self._connections.items()):
            if connection.seat_number == seat_number:
                self._close(number, "unpaired")

    def _close(self, connection_number: int, reason: str) -> None:
        self._connections.pop(connection_number, None)
        self._send(ClosePhone(connection_number, reason))

    def _save_pairings(self) -> None:
        self._store.save_value(PAIRINGS_KEY, tuple(self._pairings.values()))

    @property
    def _key_file(self) -> Path:
        return self._store.directory / KEY_FILE_NAME

    def _read_key(self) -> KeyPair | None:
        try:
            private = read_regular_file(self._key_file, KEY_BYTES + 1)
        except OSError:
            return None
        return KeyPair.from_private_key(private) if len(private) == KEY_BYTES else None

    # Pairing

    def offer_code(self, seat_number: int) -> OfferedCode:
        """Returns a new QR code for a seat; an earlier code can't be used any more."""
        self.withdraw_code()
        self.offered_code = OfferedCode(seat_number, PairingCode.make_new(), self._seconds() + CODE_SECONDS)
        self._wrong_pairings = 0
        return self.offered_code

    def withdraw_code(self) -> None:
        """Makes the code useless, and refuses the phone that waits for the digits."""
        self.offered_code = None
        self.reject_pairing()

    def reject_pairing(self) -> None:
        """Refuses the phone that waits: the digits differ, or nobody compared them in time."""
        pending, self.pending_pairing = self.pending_pairing, None
        if pending is not None and pending.confirmation_request is not None:
            self._send(PairingReply(pending.confirmation_request, HTTP_FORBIDDEN))

    def confirm_pairing(self) -> None:
        """Pairs the phone that waits, in place of another phone of its seat."""
        pending = self.pending_pairing
        if pending is None or pending.confirmation_request is None or self._seconds() > pending.expires_at:
            self.reject_pairing()
            return
        self.pending_pairing = None
        cookie = secrets.token_urlsafe(KEY_BYTES)
        self._forget(pending.seat_number)
        player = dict(enumerate(self._players, 1)).get(pending.seat_number, "")
        self._pairings[pending.seat_number] = Pairing(
            pending.seat_number, pending.phone_public, _digest(cookie), player
        )
        self._save_pairings()
        self._send(
            PairingReply(pending.confirmation_request, HTTP_OK, seat=pending.seat_number, cookie=cookie)
        )

    def expire(self) -> None:
        """Withdraws a code that is too old, and refuses a phone that has waited too long."""
        now = self._seconds()
        if self.offered_code is not None and now > self.offered_code.expires_at:
            self.withdraw_code()
        if self.pending_pairing is not None and now > self.pending_pairing.expires_at:
            self.reject_pairing()

    def address_of_code(self) -> str | None:
        """Returns the address in the QR code: of the seat's page, with the secret behind it.

        Returns None without a code or while the web process isn't ready.
        """
        if self.offered_code is None or not self.web_addresses:
            return None
        secret = base64.urlsafe_b64encode(self.offered_code.code.secret).decode().rstrip("=")
        return f"http://{self.web_addresses[0]}/seat/{self.offered_code.seat_number}#{secret}"

    def _handle_pairing(self, message: PairingPosted) -> None:
        self.expire()
        if self._wrong_pairings >= MAX_WRONG_PAIRINGS:
            self._send(PairingReply(message.request, HTTP_TOO_MANY))
            return
        try:
            if message.step == 1:
                self._send(PairingReply(message.request, HTTP_OK, self._accept_offer(message)))
            else:
                self._await_confirmation(message)
        except ChannelError:
            self._wrong_pairings += 1
            self._send(PairingReply(message.request, HTTP_FORBIDDEN))

    def _accept_offer(self, message: PairingPosted) -> bytes:
        """Spends the code for a phone that knows it; returns the box's keys for the phone."""
        offered = self.offered_code
        if offered is None or self._key is None or offered.seat_number != message.seat:
            raise ChannelError
        offer = read_offer(offered.code, message.body)
        box_once = KeyPair.make_new()
        keys = keys_at_box(self._key, box_once, offer.phone_public, offer.phone_once_public)
        self.withdraw_code()
        self.pending_pairing = PendingPairing(
            message.seat, offer.phone_public, keys, self._seconds() + CONFIRMATION_SECONDS
        )
        return encrypt_two_keys(offered.code, self._key.public, box_once.public)

    def _await_confirmation(self, message: PairingPosted) -> None:
        """Remembers which request to answer when somebody has compared the digits."""
        pending = self.pending_pairing
        if pending is None or pending.seat_number != message.seat or pending.confirmation_request is not None:
            raise ChannelError
        if pending.keys.channel_of_box().decrypt(message.body) != b"paired":
            raise ChannelError
        self.pending_pairing = pending._replace(confirmation_request=message.request)

    # Messages

    def handle(
        self, message: AnyFromWeb, session: Session | None, upcoming_round: Together[Any] | None = None
    ) -> HandledMessage:
        """Handles a message of the web process.

        `session` is None while no game can be answered. `upcoming_round`: the round that is shown instead of
        the menu. Call `show` afterwards if the result says so.
        """
        before, must_show = self._state_on_panel(), False
        announcements: Sequence[Say] | None = None
        match message:
            case WebListening(addresses, port):
                hotspot_first = sorted(addresses, key=lambda address: address != HOTSPOT_ADDRESS)
                self.web_addresses = tuple(f"{address}:{port}" for address in hotspot_first)
            case PairingPosted():
                self._handle_pairing(message)
            case PairingAborted(request):
                if self.pending_pairing is not None and self.pending_pairing.confirmation_request == request:
                    self.pending_pairing = None
            case PhoneConnected():
                self._connect(message)
            case PhoneGone(number):
                self._connections.pop(number, None)
            case TableWatched(watched):
                known = dict.fromkeys(each for each in watched if languages.find_language(each))
                must_show = self._watched_languages != tuple(known)
                self._watched_languages = tuple(known)
            case PhoneSent():
                announcements = self._receive(message, session, upcoming_round)
                must_show = announcements is not None
        has_changed_phones = before != self._state_on_panel()
        return HandledMessage(must_show or has_changed_phones, has_changed_phones, announcements or ())

    def _state_on_panel(self) -> object:
        """Returns what the panel shows of phones."""
        return self.web_addresses, self.offered_code, self.pending_pairing, self.connected_seat_numbers

    def forget_connections(self) -> None:
        """Forgets all connections: the web process has ended, and with it whatever was connected."""
        self._connections.clear()
        self._watched_languages, self.web_addresses = (), None
        self.pending_pairing = None

    def _connect(self, message: PhoneConnected) -> None:
        pairing = self._pairings.get(message.seat)
        if (
            self._key is None
            or pairing is None
            or not hmac.compare_digest(pairing.cookie_digest, _digest(message.cookie))
            or len(message.hello) != KEY_BYTES
        ):
            self._send(ClosePhone(message.connection, "unpaired"))
            return
        box_once = KeyPair.make_new()
        try:
            keys = keys_at_box(self._key, box_once, pairing.phone_public, message.hello)
        except ChannelError:
            self._send(ClosePhone(message.connection, "error"))
            return
        self._make_room(message.seat, "error", has_spoken=False)
        self._connections[message.connection] = _Connection(
            message.seat, keys.channel_of_box(), self._seconds()
        )
        self._send(SendToPhone(message.connection, box_once.public))

    def _make_room(self, seat_number: int, reason: str, *, has_spoken: bool) -> None:
        """Closes the oldest connections of a seat, so that one more is within the limit.

        Whoever has recorded the cookie can connect, but takes no place of a connection that has spoken.
        """
        of_seat = [
            number
            for number, each in self._connections.items()
            if each.seat_number == seat_number and each.has_spoken == has_spoken
        ]
        for number in of_seat[: max(0, len(of_seat) + 1 - MAX_CONNECTIONS_PER_SEAT)]:
            self._close(number, reason)

    def _receive(
        self, sent: PhoneSent, session: Session | None, upcoming_round: Together[Any] | None
    ) -> Sequence[Say] | None:
        """Handles a message of a paired phone; returns the messages for the whole table.

        Any other message closes its connection; then returns None.
        """
        connection = self._connections.get(sent.connection)
        if connection is None:
            return None
        try:
            message = parse_message(connection.decrypt(sent.message, self._seconds()))
            self._use_language(connection, message.language)
        except (ChannelError, UserError, ValueError):
            self._close(sent.connection, "error")
            return None
        return self._answer(connection, message, session, upcoming_round) if message.n else ()

    def _use_language(self, connection: _Connection, language: str) -> None:
        """Takes the language of a page, if a message names one; raises `ChannelError` if none ever did."""
        if language:
            if not connection.has_spoken:
                self._make_room(connection.seat_number, "replaced", has_spoken=True)
            is_known = languages.find_language(language) is not None
            connection.language, connection.shown_version = language if is_known else languages.ENGLISH, 0
        elif not connection.has_spoken:
            raise ChannelError

    def _answer(
        self,
        connection: _Connection,
        message: PhoneMessage,
        session: Session | None,
        upcoming_round: Together[Any] | None,
    ) -> Sequence[Say]:
        """Gives an answer to the session; the phone's next state says what became of it.

        Returns the messages for the whole table.
        """
        assert connection.language is not None
        try:
            confirmation = submit_phone_answer(session, connection.seat_number, message, upcoming_round)
        except CompanionError as error:
            connection.feedback = {"n": message.n, "refused": render(error.text, connection.language)}
            return (error.text,) if isinstance(error, EventNotSaved | InternalError) else ()
        if confirmation is not None:
            connection.feedback = {"n": message.n, "confirm": render(confirmation, connection.language)}
        else:
            connection.feedback = {"n": message.n, "taken": True}
        return ()

    # What is shown

    def show(self, table: PublicTable | None) -> None:
        """Shows the table to all phones and to all who watch it."""
        spoken = {connection.language for connection in self._connections.values() if connection.language}
        for language in {*spoken, *self._watched_languages}:
            values = empty_table_state() if table is None else table_state(table, language)
            self._public_states.setdefault(language, PublicState()).update(values)
        for language in self._watched_languages:
            self._send(PublishTable(language, self._public_states[language].published))
        questions = PaddedQuestions(table)
        for number, connection in tuple(self._connections.items()):
            if connection.has_spoken:
                self._show_to(number, connection, table, questions)

    def _show_to(
        self, number: int, connection: _Connection, table: PublicTable | None, questions: PaddedQuestions
    ) -> None:
        language = connection.language
        assert language is not None
        public = self._public_states[language]
        seat = None if table is None else find_seat_at(table.view.seats, connection.seat_number)
        parts = (
            public.padded_part_after(connection.shown_version),
            questions.padded_question(seat, language),
            padded_private_part(table, seat, language, connection.feedback),
        )
        connection.shown_version, connection.feedback = public.version, {}
        self._send(SendToPhone(number, connection.channel.encrypt(b"".join(parts))))


def describe_sleeping_phone(seat: Seat) -> Say:
    """Returns the message about a phone whose answer is awaited, with what people can do."""
    return say("{seat}'s phone is asleep. Wake it up, or let {seat} use the screen.", seat=seat)


def _digest(cookie: str) -> bytes:
    return hashlib.sha256(cookie.encode()).digest()
