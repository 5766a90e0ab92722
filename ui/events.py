"""Events of widgets: a mixin that declares them, and a binding that doesn't keep a widget alive."""

from __future__ import annotations

from collections.abc import Callable
from types import MethodType
from typing import Any, cast
from weakref import ReferenceType, WeakMethod, finalize, ref


class EventMixin:
    """Mixin for a class with events of its own: gives each event in `__events__` a default handler.

    The mixin stands before the Kivy class in the list of bases.
    """

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for event in vars(cls).get("__events__", ()):
            if not hasattr(cls, event):
                setattr(cls, event, _ignore_event)


def _ignore_event(*_values: object) -> None:
    """Does nothing: Kivy needs a method for every event."""


def bind_weak(dispatcher: Any, event_name: str, method: Callable[..., object]) -> None:
    """Binds a method to an event or property of `dispatcher`, without keeping the method's widget alive.

    `method` is called on each event or property change while its widget lives. `dispatcher` outlives the
    widget. Kivy's own `bind` would keep an empty binding for each widget that is gone: one for every question
    of an evening.
    """
    weak_method = WeakMethod(method)

    def call_live_method(*values: object) -> None:
        if (live_method := weak_method()) is not None:
            live_method(*values)

    uid = dispatcher.fbind(event_name, call_live_method)
    finalize(cast(MethodType, method).__self__, _unbind, ref(dispatcher), event_name, uid).atexit = False


def _unbind(dispatcher_ref: ReferenceType[Any], event_name: str, uid: int) -> None:
    """Removes the binding, unless the dispatcher is gone; a binding doesn't keep it alive."""
    if (dispatcher := dispatcher_ref()) is not None:
        dispatcher.unbind_uid(event_name, uid)
