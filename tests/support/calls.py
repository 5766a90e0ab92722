"""Counts the calls of a function while something is done."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def calls_of(function: Any) -> Iterator[list[object]]:
    """Lists the calls of a function in this thread, as long as this is open."""
    calls: list[object] = []

    def profile(frame: Any, event: str, _: object) -> None:
        if event == "call" and frame.f_code is function.__code__:
            calls.append(frame.f_code)

    before = sys.getprofile()
    sys.setprofile(profile)
    try:
        yield calls
    finally:
        sys.setprofile(before)
