"""What lies on the readers of tags, for the screen; it draws nothing and knows no reader."""

from __future__ import annotations

from typing import Any

from kivy.event import EventDispatcher
from kivy.properties import ListProperty, NumericProperty

from companion.session.session import Session
from hardware.desk.laying import Laying


class ReaderState(EventDispatcher):
    """`laid`: the tags laid for the open question, in order; `waiting`: how many more lie there for it."""

    laid = ListProperty()
    waiting = NumericProperty(0)

    def __init__(self, laying: Laying, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._laying = laying

    def look(self, session: Session | None) -> None:
        """Something may have changed."""
        self.laid = self._laying.laid(session) if session else []
        self.waiting = len(self._laying.waiting(session))
