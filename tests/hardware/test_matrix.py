"""The keypad's matrix of keys, looked at in a time that a test decides."""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

RESTS = 20
"""Milliseconds a key must be up before it can go down again; docs/build/keypad.md."""


class Key:
    """One key between a row and a column, which moves by the clock."""

    def __init__(self) -> None:
        self.now = 0
        self.moves: list[tuple[int, bool]] = []

    def clock(self) -> int:
        """Milliseconds."""
        return self.now

    def value(self, level: int | None = None) -> int:
        """What the column reads: low while the key is closed; the row may be driven as it likes."""
        if level is not None:
            return level
        is_down = [down for at, down in self.moves if at <= self.now][-1:] == [True]
        return int(not is_down)


@pytest.fixture
def key() -> Key:
    """Never pressed."""
    return Key()


@pytest.fixture
def looks(key: Key, monkeypatch: pytest.MonkeyPatch) -> Callable[..., list[int]]:
    """When a key counts as pressed, of looks at these moments."""
    pins = SimpleNamespace(OPEN_DRAIN=2, IN=0, PULL_UP=1)
    pin: Any = lambda *_, **__: key  # noqa: E731 - a class that has modes
    vars(pin).update(vars(pins))
    monkeypatch.setitem(sys.modules, "machine", SimpleNamespace(Pin=pin))
    monkeypatch.setattr(time, "sleep_us", lambda _: None, raising=False)
    monkeypatch.delitem(sys.modules, "hardware.firmware.keypad.matrix", raising=False)
    matrix = importlib.import_module("hardware.firmware.keypad.matrix").KeyMatrix([2], [6], ["OK"], key.clock)

    def looked(*moments: int) -> list[int]:
        pressed = []
        for moment in moments:
            key.now = max(key.now, moment)
            pressed += [moment] * len(matrix.scan_new_presses())
        return pressed

    return looked


def test_a_press_counts_at_the_second_look_and_a_spark_does_not(
    key: Key, looks: Callable[..., list[int]]
) -> None:
    """A spark is seen by one look alone."""
    key.moves = [(4, True), (6, False), (50, True), (90, False)]
    assert looks(*range(0, 120, 5)) == [55]


def test_a_key_that_bounces_as_it_comes_up_is_one_press(key: Key, looks: Callable[..., list[int]]) -> None:
    """However late the look is that finds it up: its rest begins there, not when it was last seen down."""
    key.moves = [(0, True), (29, False), (33, True), (39, False)]
    assert looks(1, 6, 31, 34, 37, 40, 45) == [6]


def test_a_key_that_rested_is_pressed_again(key: Key, looks: Callable[..., list[int]]) -> None:
    """From the look that found it up."""
    key.moves = [(0, True), (29, False), (31 + RESTS + 5, True)]
    assert looks(1, 6, 31, 45, 31 + RESTS, 31 + RESTS + 6, 31 + RESTS + 9) == [6, 31 + RESTS + 9]
