"""Who listens to what lasts longer, and who is held for that: nobody."""

from __future__ import annotations

import gc
from typing import Any
from weakref import ref

import pytest


@pytest.fixture
def pair(kivy_window: Any) -> list[Any]:
    """What lasts, and what listens to it; each knows the other, as an app and its screens do."""
    from kivy.event import EventDispatcher
    from kivy.properties import StringProperty

    from ui.events import bind_weak

    class Lasting(EventDispatcher):
        """An app."""

        lang = StringProperty("en")

    class Listener:
        """A screen."""

        heard = 0
        app: Any = None

        def hear(self, *_values: object) -> None:
            """The language is another."""
            self.heard += 1

    assert kivy_window
    lasting, listener = Lasting(), Listener()
    lasting.screen, listener.app = listener, lasting
    bind_weak(lasting, "lang", listener.hear)
    return [lasting, listener]


def test_a_listener_hears_as_long_as_it_lives(pair: list[Any]) -> None:
    """Once it is gone nothing stays bound."""
    lasting, listener = pair
    lasting.lang = "ja"
    assert listener.heard == 1
    pair.clear()
    lasting.screen = listener = None
    gc.collect()
    assert not list(lasting.get_property_observers("lang"))


def test_what_lasted_goes_with_its_listeners(pair: list[Any]) -> None:
    """Nobody outside holds it for their sake."""
    gone = ref(pair[0])
    pair.clear()
    gc.collect()
    assert gone() is None
