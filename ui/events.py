"""The events of a widget, each named once: whoever wants to know binds to it, and nobody need."""

from __future__ import annotations

from typing import Any


class Tells:
    """Stands before the Kivy class: what `__events__` names is dispatched, whether anybody listens or not."""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        for event in vars(cls).get("__events__", ()):
            if not hasattr(cls, event):
                setattr(cls, event, _told)


def _told(*_values: object) -> None:
    """Kivy asks every event for a method of its name."""
