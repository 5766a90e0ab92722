"""The box without its screen: a process that owns the store, the phones and the link to the web process.

    python -m tests.support.phone_box DIRECTORY LISTENING_FD GAME NAME...

It resumes the open game, or begins one with these names. For each seat number on its standard input it prints
the address in a new QR code, and confirms the digits of the phone that uses it.
"""

from __future__ import annotations

import os
import select
import socket
import sys
from contextlib import closing
from pathlib import Path

from companion.installed_games import playable_game
from companion.phones.state import PublicTable
from companion.session.session import Session
from companion.session.view import make_view
from companion.store import Store
from hardware.phones.link import WebLink
from hardware.phones.phones import Phones
from hardware.signals import Inbox, PhoneSignal, WebLinkLost


class PhoneBox:
    """One game with its phones. All methods run in the thread of the game."""

    def __init__(self, store: Store, session: Session, link: WebLink) -> None:
        self._session = session
        self._phones = Phones(store, link.send)
        self._phones.switch_on()
        self._must_print_address = False

    def offer_code(self, seat_number: int) -> None:
        """Offers a code; its address is printed as soon as browsers can connect."""
        self._phones.offer_code(seat_number)
        self._must_print_address = True
        self._print_address()

    def handle(self, signal: PhoneSignal | WebLinkLost) -> None:
        """Handles a signal of the link, and shows the table again if it must."""
        if isinstance(signal, WebLinkLost):
            self._phones.forget_connections()
        elif not self._phones.handle(signal.message, self._session).must_show:
            return
        pending = self._phones.pending_pairing
        if pending is not None and pending.confirmation_request is not None:
            self._phones.confirm_pairing()
        self._print_address()
        self._phones.show(PublicTable(self._session, make_view(self._session), self._session.question_number))

    def _print_address(self) -> None:
        address = self._phones.address_of_code()
        if self._must_print_address and address is not None:
            print(address, flush=True)
            self._must_print_address = False


def begin_or_resume(store: Store, game: str, names: list[str]) -> Session:
    """Returns the session of the open game, or of a new one."""
    rules, saved = playable_game(game), store.find_open_game()
    if saved is None:
        return Session.begin(rules, names, {}, store.new_game_log(), seed=7)
    log = store.open_game_log(saved.number)
    return Session(rules, log.events(), log)


def main() -> None:
    """Plays until standard input ends."""
    directory, listening_fd, game, *names = sys.argv[1:]
    wakes, wake = socket.socketpair()
    inbox = Inbox(lambda: wake.sendall(b"."))
    with closing(Store.open(Path(directory), for_writing=True)) as store:
        session = begin_or_resume(store, game, names)
        link = WebLink(inbox)
        box = PhoneBox(store, session, link)
        link.listen(socket.socket(fileno=int(listening_fd)), [os.getuid()])
        while True:
            readable, _, _ = select.select([wakes, sys.stdin], [], [])
            if wakes in readable:
                wakes.recv(1)
                for signal in inbox.drain():
                    assert isinstance(signal, PhoneSignal | WebLinkLost)
                    box.handle(signal)
            elif line := sys.stdin.readline():
                box.offer_code(int(line))
            else:
                return


if __name__ == "__main__":
    main()
