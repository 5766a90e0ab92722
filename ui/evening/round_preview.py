"""The next round of the game on the table, shown on screen and devices instead of the menu that opens it."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.requests import Request, Together
from companion.session.session import Session
from companion.session.upcoming_round import answer_in_upcoming_round, find_upcoming_round
from companion.session.view import View
from companion.table.seats import Seat


class RoundPreview:
    """The preview of the next round: `question`, or None if there is none or if people want the menu.

    Call `follow` whenever the game has changed. The question stays the same object as long as the same menu
    is open and leads to the same round, so that its widget keeps what is typed.
    """

    def __init__(self) -> None:
        self.question: Together[Any] | None = None
        self._menu: Request[Any] | None = None
        self._session: Session | None = None
        self._question_number = 0

    def follow(self, session: Session | None) -> None:
        """Finds the next round, if another menu is open than before."""
        menu = session.question if session is not None else None
        if menu is None or menu is not self._menu:
            self.question = None if session is None or menu is None else find_upcoming_round(session)
        self._menu = menu
        self._session = session
        self._question_number = 0 if session is None else session.question_number

    def dismiss(self) -> None:
        """Gives up the preview, because people want the menu."""
        self.question = None

    def put_in_place_of_menu(self, view: View | None) -> View | None:
        """Returns a view with the next round instead of the menu."""
        if self.question is None or view is None:
            return view
        return msgspec.structs.replace(view, question=self.question)

    def find_question_for(self, session: Session) -> Together[Any] | None:
        """Returns the preview while its menu is still the open question of this session; else None."""
        is_menu_open = session is self._session and session.question_number == self._question_number
        return self.question if is_menu_open else None

    def enter_answer(self, session: Session, question_number: int, seat: Seat, json_answer: object) -> None:
        """Enters a seat's answer to a question; the first answer opens the next round."""
        if self.question is None:
            session.put_answer_in_envelope(question_number, seat, json_answer)
        else:
            answer_in_upcoming_round(session, self.question, seat, json_answer)
