"""The next round of the game on the table, shown on screen and devices instead of the menu that opens it."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.requests import Request
from companion.session.session import Session
from companion.session.upcoming_round import answer_in_upcoming_round, find_upcoming_round
from companion.session.view import View
from companion.table.seats import Seat
from hardware.devices import is_peek_at_own_pieces
from hardware.signals import (
    ButtonDown,
    ControlKeyAnswer,
    NumbersAnswer,
    NumpadKeyDown,
    Signal,
)


class RoundPreview:
    """The preview of the next round: `question`, or None if there is none or if people want the menu.

    Call `follow` whenever the game has changed. The question stays the same object as long as the same menu
    is open, so that its widget keeps what is typed.
    """

    def __init__(self) -> None:
        self.question: Request[Any] | None = None
        self._menu: Request[Any] | None = None
        self._question_number = 0

    def follow(self, session: Session | None) -> None:
        """Finds the next round, if another menu is open than before."""
        menu = session.question if session is not None else None
        if menu is None or menu is not self._menu:
            self.question = None if session is None or menu is None else find_upcoming_round(session)
        self._menu = menu
        self._question_number = 0 if session is None else session.question_number + 1

    def dismiss(self) -> None:
        """Gives up the preview, because people want the menu, or because the round is being opened."""
        self.question = None

    def put_in_place_of_menu(self, view: View | None, *, for_devices: bool = False) -> View | None:
        """Returns a view with the next round instead of the menu.

        Devices send the number of the question with an answer, so they get the number that the round will
        have.
        """
        if self.question is None or view is None:
            return view
        number = self._question_number if for_devices else view.question_number
        return msgspec.structs.replace(view, question=self.question, question_number=number)

    def enter_answer(self, session: Session, question_number: int, seat: Seat, json_answer: object) -> None:
        """Enters a seat's answer to a question; the first answer opens the next round."""
        if self.question is None:
            session.put_answer_in_envelope(question_number, seat, json_answer)
        else:
            answer_in_upcoming_round(session, seat, json_answer)

    def is_key_for_round(self, signal: Signal) -> bool:
        """Returns whether somebody pressed a key for the next round on a device."""
        if self.question is None:
            return False
        match signal:
            case ControlKeyAnswer(question=number) | NumbersAnswer(question=number):
                return number == self._question_number and not is_peek_at_own_pieces(signal)
            case _:
                return isinstance(signal, ButtonDown | NumpadKeyDown)
