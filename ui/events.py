"""Events of widgets: a mixin that declares them, and a binding that doesn't keep a widget alive."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any, cast
from weakref import ReferenceType, WeakMethod, finalize, ref


class EventMixin:
    """Mixin for a widget class with events of its own: registers those named in `__events__`.

    The events get default handlers. Goes before the Kivy class.
    """

    def __init_subclass__(cls, **named: Any) -> None:
        super().__init_subclass__(**named)
        for event in vars(cls).get("__events__", ()):
            if not hasattr(cls, event):
                setattr(cls, event, _ignore_event)


def _ignore_event(*_values: object) -> None:
    """Does nothing: Kivy needs a method for every event."""


def bind_weak(dispatcher: Any, event_name: str, method: Callable[..., object]) -> None:
    """Binds a method to an event or property of `dispatcher`, without keeping its widget alive.

    `method` is called on each event or property change while its widget lives. `dispatcher` outlives
    the widget. Kivy's own `bind` would keep an empty binding for each widget that is gone: one for
    every question of an evening.
    """
    held = WeakMethod(method)

    def changed(*values: object) -> None:
        if (still := held()) is not None:
            still(*values)

    uid = dispatcher.fbind(event_name, changed)
    finalize(cast(MethodType, method).__self__, _unbind, ref(dispatcher), event_name, uid).atexit = False


def _unbind(lasting: ReferenceType[Any], name: str, uid: int) -> None:
    """Removes the binding; the dispatcher may be gone by then, as a binding doesn't keep it alive."""
    if (there := lasting()) is not None:
        there.unbind_uid(name, uid)
