"""A reminder that a rulebook sets: after a time of play, people are told to do something.

The rules never know whether the time is over. What people then do is an answer like any other.
"""

from __future__ import annotations

import msgspec

from companion.texts import Say


class Reminder(msgspec.Struct, frozen=True):
    """A reminder: the label of its clock, the seconds of play, and the text that is then shown."""

    label: Say
    seconds: int
    text: Say
