"""The next round of the game on the table, shown on screen and devices instead of the menu that opens it."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.requests import Request, Together
from companion.session.session import Session
from companion.session.upcoming_round import answer_in_upcoming_round, find_upcoming_round, is_same_round
from companion.session.view import View
from companion.table.seats import Seat


class RoundPreview:
    """The preview of the next round: `question`, or None if there is none or if people want the menu.

    Call `follow` whenever the game has changed. The question stays the same object as long as the same menu
    is open and leads to the same round, so that its widget keeps what is typed.
    """

    def __init__(self) -> None:
        self.question: Together[Any] | None = None
        self.is_dismissed = False
        """Whether people want the menu; true until another question is open."""
        self._session_and_menu_number: tuple[Session, int] | None = None
        self._menu_and_step_count: tuple[Request[Any], int] | None = None

    def follow(self, session: Session | None) -> None:
        """Finds the next round, if another menu is open, if the menu is made anew, or after a correction."""
        menu = session.question if session is not None else None
        if session is None or menu is None:
            self.question, self.is_dismissed = None, False
            self._session_and_menu_number = self._menu_and_step_count = None
            return
        session_and_menu_number = session, session.question_number
        if session_and_menu_number != self._session_and_menu_number:
            self.question, self.is_dismissed = None, False
        menu_and_step_count = menu, len(session.steps)
        if menu_and_step_count != self._menu_and_step_count and not self.is_dismissed:
            found = find_upcoming_round(session)
            if not is_same_round(found, self.question):
                self.question = found
        self._session_and_menu_number = session_and_menu_number
        self._menu_and_step_count = menu_and_step_count

    def dismiss(self) -> None:
        """Gives up the preview, because people want the menu."""
        self.question, self.is_dismissed = None, True

    def put_in_place_of_menu(self, view: View | None) -> View | None:
        """Returns a view with the next round instead of the menu."""
        if self.question is None or view is None:
            return view
        return msgspec.structs.replace(view, question=self.question)

    def find_question_for(self, session: Session) -> Together[Any] | None:
        """Returns the preview while its menu is still the open question of this session; else None."""
        is_menu_open = (session, session.question_number) == self._session_and_menu_number
        return self.question if is_menu_open else None

    def enter_answer(self, session: Session, question_number: int, seat: Seat, json_answer: object) -> None:
        """Enters a seat's answer to a question; the first answer opens the next round."""
        if self.question is None:
            session.put_answer_in_envelope(question_number, seat, json_answer)
        else:
            answer_in_upcoming_round(session, self.question, seat, json_answer)
