"""Which browser gets what the box sends, and what the box hears of browsers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from companion.web.box import BoxLink, BoxListener
from companion.web.browser import Browser
from companion.web.link import (
    MAX_VIEWERS,
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

RECONNECT_CODE, UNPAIRED_CODE, REPLACED_CODE = 4000, 4001, 4002
CODE_BY_REASON = {"error": RECONNECT_CODE, "unpaired": UNPAIRED_CODE, "replaced": REPLACED_CODE}
"""The codes with which connections of phones are closed."""
ADDRESS_CHECK_SECONDS = 5.0
"""How often this machine's addresses are compared with those that the box knows."""
PAIRING_REPLY_SECONDS = 80.0
"""How long the box may take to reply to a pairing request: people compare two digits for up to 60 seconds."""


class Relay(BoxListener):
    """The phones, requests and viewers that are there, by the numbers that the box knows."""

    def __init__(self, box: BoxLink, find_listening: Callable[[], WebListening]) -> None:
        self._box, self._find_listening = box, find_listening
        self._listening: WebListening | None = None
        self._numbers = count(1)
        self._phones: dict[int, Browser] = {}
        self._requests: dict[int, asyncio.Future[PairingReply | None]] = {}
        self._language_by_viewer: dict[Browser, str] = {}
        self._state_by_language: dict[str, str] = {}
        self._watched: tuple[str, ...] = ()

    @property
    def is_box_connected(self) -> bool:
        """True while the box can be reached."""
        return self._box.is_connected

    async def tell_addresses(self) -> None:
        """Tells the box where browsers connect whenever that changes, such as after joining a Wi-Fi."""
        while True:
            await asyncio.sleep(ADDRESS_CHECK_SECONDS)
            if (listening := self._find_listening()) != self._listening:
                self._listening = listening
                self._box.send(listening)

    # What the box does

    def box_connected(self) -> None:
        """Tells a box that has just started where browsers connect, and what they watch."""
        self._listening = self._find_listening()
        self._box.send(self._listening)
        self._box.send(TableWatched(self._watched))

    def box_lost(self) -> None:
        """Closes all connections: the box has forgotten their keys. Browsers connect again."""
        for browser in (*self._phones.values(), *self._language_by_viewer):
            browser.close(RECONNECT_CODE)
        for reply in self._requests.values():
            if not reply.done():
                reply.set_result(None)
        self._state_by_language.clear()

    def handle(self, message: AnyToWeb) -> None:
        """Passes a message of the box on; one for a browser that is gone is dropped."""
        match message:
            case SendToPhone(number, content):
                if (phone := self._phones.get(number)) is not None:
                    phone.send(content)
            case ClosePhone(number, reason):
                if (phone := self._phones.get(number)) is not None:
                    phone.close(CODE_BY_REASON.get(reason, RECONNECT_CODE))
            case PairingReply(number):
                reply = self._requests.get(number)
                if reply is not None and not reply.done():
                    reply.set_result(message)
            case PublishTable(language, state):
                self._publish(language, state.decode())

    def _publish(self, language: str, state: str) -> None:
        if language in self._watched:
            self._state_by_language[language] = state
            for viewer, watched in self._language_by_viewer.items():
                if watched == language:
                    viewer.send(state)

    # What browsers do

    async def run_phone(self, phone: Browser, seat: int, cookie: str, hello: bytes) -> None:
        """Passes on what a phone sends, until its connection ends."""
        number = next(self._numbers)
        self._phones[number] = phone
        try:
            if not self._box.is_connected:
                phone.close(RECONNECT_CODE)
            await self._box.send_when_possible(PhoneConnected(number, seat, cookie, hello))
            while (message := await phone.receive()) is not None:
                await self._box.send_when_possible(PhoneSent(number, message))
        finally:
            del self._phones[number]
            self._box.send(PhoneGone(number))

    async def pair(
        self, seat: int, step: int, body: bytes, gone: asyncio.Future[None]
    ) -> PairingReply | None:
        """Returns the box's reply to a message of the pairing; None if no reply comes.

        `gone` is done when the browser doesn't wait any more.
        """
        number = next(self._numbers)
        reply: asyncio.Future[PairingReply | None] = asyncio.get_running_loop().create_future()
        self._requests[number] = reply
        try:
            await self._box.send_when_possible(PairingPosted(number, seat, step, body))
            if self._box.is_connected:
                waiting: set[asyncio.Future[Any]] = {reply, gone}
                await asyncio.wait(
                    waiting, timeout=PAIRING_REPLY_SECONDS, return_when=asyncio.FIRST_COMPLETED
                )
            if reply.done():
                return reply.result()
            self._box.send(PairingAborted(number))
            return None
        finally:
            del self._requests[number]

    @contextmanager
    def viewing(self, viewer: Browser, language: str) -> Iterator[bool]:
        """Shows the table to a browser during the block; the value is whether there is a place for it."""
        if len(self._language_by_viewer) >= MAX_VIEWERS:
            yield False
            return
        self._language_by_viewer[viewer] = language
        if (state := self._state_by_language.get(language)) is not None:
            viewer.send(state)
        self._update_watched()
        try:
            yield True
        finally:
            del self._language_by_viewer[viewer]
            self._update_watched()

    def _update_watched(self) -> None:
        watched = tuple(sorted({*self._language_by_viewer.values()}))
        if watched == self._watched:
            return
        self._watched = watched
        self._state_by_language = {
            language: state for language, state in self._state_by_language.items() if language in watched
        }
        self._box.send(TableWatched(watched))
