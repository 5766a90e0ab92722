"""The pages for phones as they are served: the real web process, real phones, and a real game in a thread.

with PageServer(directory) as server:
    server.begin("sealed_bid", "Aki", "Ben")
    address = server.offer_code(seat_number=1)
"""

from __future__ import annotations

import base64
import os
import select
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import closing, suppress
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Self, TypeVar

from companion.cards import Deck
from companion.clocks import ClockState
from companion.installed_games import playable_game
from companion.log.events import Answered, Event, Sealed
from companion.phones.state import PublicTable, question_state
from companion.recorded_match import replay_until
from companion.requests import Request
from companion.rules.game import Game
from companion.session.session import Session
from companion.session.view import make_view
from companion.store import Store
from companion.web.link import (
    AnyToWeb,
    ClosePhone,
    LinkBroken,
    PhoneConnected,
    PhoneGone,
    encode,
    receive_from_web,
)
from companion.web.static_files import STATIC_FOLDER
from hardware.phones.phones import Phones
from tests.support.web_process import wait_until

RUN_WEB_PROCESS = """
import socket, sys
from pathlib import Path
from companion.web import app, static_files
from companion.web.rates import Rate
from companion.web.server import run_server
app.POSTS_OF_ADDRESS = app.POSTS_OF_ALL = app.SOCKETS_OF_ADDRESS = app.SOCKETS_OF_ALL = Rate(1000, 1000)
static_files.STATIC_FOLDER = Path(sys.argv[1])
run_server(*(socket.socket(fileno=int(number)) for number in sys.argv[2:]))
"""
"""All tests of a session pair their phones with one process, faster than people could."""
TIMEOUT_SECONDS = 30
GAME_SEED = 7
Result = TypeVar("Result")


class PageServer:
    """The box and its web process. Phones and game live in one thread; `run` asks that thread.

    `static_folder` has the pages.
    """

    def __init__(self, directory: Path, static_folder: Path = STATIC_FOLDER) -> None:
        self._directory, self._static_folder = directory, static_folder
        self._acts = SimpleQueue[Callable[[], object] | None]()
        self._wakes, self._wake = socket.socketpair()
        self._is_ready = threading.Event()
        self._link: socket.socket | None = None
        self._connected: set[int] = set()
        self.session: Session | None = None
        self.clocks: tuple[ClockState, ...] = ()

    def __enter__(self) -> Self:
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.address = f"http://127.0.0.1:{self._listening.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve, daemon=True)
        self._thread.start()
        assert self._is_ready.wait(TIMEOUT_SECONDS)
        self.start_web_process()
        return self

    def __exit__(self, *_: object) -> None:
        self.end_web_process()
        self._ask(None)
        self._thread.join()
        for each in (self._listening, self._wakes, self._wake):
            each.close()

    # The web process

    def start_web_process(self) -> None:
        """Starts the process that faces the network."""
        self._link, end_of_web_process = socket.socketpair()
        numbers = (self._listening.fileno(), end_of_web_process.fileno())
        with end_of_web_process:
            self._web_process = subprocess.Popen(
                [sys.executable, "-c", RUN_WEB_PROCESS, str(self._static_folder), *map(str, numbers)],
                pass_fds=numbers,
                stdout=subprocess.DEVNULL,
                env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
            )
        self._wake.send(b".")

    def end_web_process(self) -> None:
        """Ends the process that faces the network, and with it all connections."""
        self._web_process.terminate()
        self._web_process.wait(TIMEOUT_SECONDS)
        self.run(self._forget_web_process)

    def _forget_web_process(self) -> None:
        assert self._link is not None
        self._link.close()
        self._link = None
        self._connected.clear()
        self.phones.forget_connections()

    # The thread of phones and game

    def _serve(self) -> None:
        with closing(Store.open(self._directory, for_writing=True)) as self._store:
            self.phones = Phones(self._store, send=self._send)
            self.phones.switch_on()
            self._is_ready.set()
            while True:
                links = [self._link] if self._link is not None else []
                readable, _, _ = select.select([self._wakes, *links], [], [])
                if self._wakes in readable:
                    self._wakes.recv(1)
                    while not self._acts.empty():
                        if (act := self._acts.get()) is None:
                            return
                        act()
                elif self._link is not None:
                    self._receive(self._link)

    def _receive(self, link: socket.socket) -> None:
        try:
            message = receive_from_web(link)
        except LinkBroken:
            select.select([self._wakes], [], [])  # the test that ended the process says so
            return
        if isinstance(message, PhoneConnected):
            self._connected.add(message.connection)
        elif isinstance(message, PhoneGone):
            self._connected.discard(message.connection)
        if self.phones.handle(message, self.session).must_show:
            self._show()

    def _send(self, message: AnyToWeb) -> None:
        if self._link is not None:
            with suppress(
                BrokenPipeError
            ):  # the web process has just ended; its end of the link says so next
                self._link.sendall(encode(message))

    def _show(self) -> None:
        table = None
        if self.session is not None:
            view, number = make_view(self.session), self.session.question_number
            table = PublicTable(self.session, view, number, clocks=self.clocks)
        self.phones.show(table)

    def _ask(self, act: Callable[[], object] | None) -> None:
        self._acts.put(act)
        self._wake.send(b".")

    # What tests do

    def run(self, act: Callable[[], Result]) -> Result:
        """Runs a function in the thread of the game, shows the table again, and returns the result."""
        future: Future[Result] = Future()

        def run_and_show() -> None:
            try:
                result = act()
                self._show()
            except BaseException as error:  # noqa: BLE001 - the test that asked gets it
                future.set_exception(error)
            else:
                future.set_result(result)

        self._ask(run_and_show)
        return future.result(TIMEOUT_SECONDS)

    def reset(self) -> None:
        """Puts the game away and forgets all phones, as if nobody had been here."""
        if self._web_process.poll() is not None:  # a test that failed had ended it
            self.run(self._forget_web_process)
            self.start_web_process()
        self.run(self._forget_game)

    def _forget_game(self) -> None:
        if self.session is not None:
            self.session.put_away()
        self.session, self.clocks = None, ()
        self.phones.switch_off()
        self.phones.switch_on()

    def begin(
        self,
        game: str | Game,
        *names: str,
        options: Mapping[str, str] | None = None,
        decks: Mapping[str, Deck] | None = None,
    ) -> Session:
        """Begins a game, always with the same seed."""

        def begin() -> Session:
            if self.session is not None:
                self.session.put_away()
            self._log = log = self._store.new_game_log()
            rules = playable_game(game) if isinstance(game, str) else game
            self.session = Session.begin(
                rules, list(names), dict(options or {}), log, deck_by_name=decks, seed=GAME_SEED
            )
            return self.session

        return self.run(begin)

    def begin_recorded(self, events: Sequence[Event]) -> None:
        """Puts a recorded match on the table, as it is after these events."""

        def begin() -> None:
            if self.session is not None:
                self.session.put_away()
            self.session = replay_until(events)

        self.run(begin)

    def answer(self, *answers: object) -> None:
        """Answers the open questions, one after the other, as the screen does."""

        def answer_all() -> None:
            assert self.session is not None
            for answer in answers:
                self.session.answer(self.session.question_number, answer)

        self.run(answer_all)

    def seal(self, seat_number: int, answer: object) -> None:
        """Answers for one of the seats that are asked at once."""

        def put_in_envelope() -> None:
            assert self.session is not None
            seat = self.session.table.seats.seat_numbered(seat_number)
            self.session.put_answer_in_envelope(self.session.question_number, seat, answer)

        self.run(put_in_envelope)

    def drop_phones(self) -> None:
        """Ends the connections of all phones, which may connect again."""

        def drop_all() -> None:
            for number in self._connected:
                self._send(ClosePhone(number, "error"))

        self.run(drop_all)

    def offer_code(self, seat_number: int) -> str:
        """Offers a code for a seat; returns the address in it."""
        secret = self.run(lambda: self.phones.offer_code(seat_number)).code.secret
        fragment = base64.urlsafe_b64encode(secret).decode().rstrip("=")
        return f"{self.address}/seat/{seat_number}#{fragment}"

    def confirm_digits(self) -> None:
        """Waits until a phone shows its digits, and confirms them as somebody at the screen does."""

        def is_waiting() -> bool:
            pending = self.phones.pending_pairing
            return pending is not None and pending.confirmation_request is not None

        wait_until(lambda: self.run(is_waiting))
        self.run(self.phones.confirm_pairing)

    @property
    def last_answer(self) -> Any:
        """The last answer of the log, as JSON."""

        def read() -> Any:
            assert self.session is not None
            answered = self.session.steps[-1]
            assert isinstance(answered, Answered)
            return answered.answer

        return self.run(read)

    @property
    def answer_events(self) -> list[Answered | Sealed]:
        """What the log says of answers: given in the open, or sealed."""
        return self.run(lambda: [each for each in self._log.events() if isinstance(each, Answered | Sealed)])

    def asked(self, seat_number: int, language: str) -> tuple[Any, Request[Any]]:
        """Returns what a phone of a seat is asked in a language, and the request."""

        def find() -> tuple[Any, Request[Any]]:
            assert self.session is not None
            assert self.session.question is not None
            seat = self.session.table.seats.seat_numbered(seat_number)
            table = PublicTable(self.session, make_view(self.session), self.session.question_number)
            part = self.session.question.question_for(seat)
            assert part is not None
            return question_state(table, seat, language), part

        return self.run(find)

    @property
    def connection_numbers(self) -> frozenset[int]:
        """The numbers of all phones that are connected."""
        return self.run(lambda: frozenset(self._connected))
