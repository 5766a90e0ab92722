"""The events of a widget, each named once: whoever wants to know binds to it, and nobody need.

And `heed`, for widgets that go before what they listen to.
"""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any, cast
from weakref import ReferenceType, WeakMethod, finalize, ref


class Tells:
    """Stands before the Kivy class: what `__events__` names is dispatched, whether anybody listens or not."""

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        for event in vars(cls).get("__events__", ()):
            if not hasattr(cls, event):
                setattr(cls, event, _told)


def _told(*_values: object) -> None:
    """Kivy asks every event for a method of its name."""


def heed(lasting: Any, name: str, method: Callable[..., object]) -> None:
    """Calls the method of a widget when that property of what outlives it changes, as long as it lives.

    Kivy's `bind` keeps an empty binding for each widget that is gone: one a question, all evening long.
    """
    held = WeakMethod(method)

    def changed(*values: object) -> None:
        if (still := held()) is not None:
            still(*values)

    uid = lasting.fbind(name, changed)
    finalize(cast(MethodType, method).__self__, _unbind, ref(lasting), name, uid).atexit = False


def _unbind(lasting: ReferenceType[Any], name: str, uid: int) -> None:
    """What lasted may go with all its widgets: it isn't held for their sake."""
    if (there := lasting()) is not None:
        there.unbind_uid(name, uid)
