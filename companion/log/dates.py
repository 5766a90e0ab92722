"""When a game was played. No rule knows of it: it is kept beside the log, like the clocks of the table."""

from __future__ import annotations

from typing import Annotated

import msgspec

Moment = Annotated[float, msgspec.Meta(ge=0, le=10**11)]
"""Seconds since 1970."""
Day = Annotated[str, msgspec.Meta(pattern=r"^([0-9]{4}-[0-9]{2}-[0-9]{2})?$")]
"""A date such as 2026-11-24, or none."""


class Played(msgspec.Struct, frozen=True):
    """When a game began and when it last lay on the table; None where this machine didn't know the time.

    `day` is the date that people gave it by hand, empty where they gave none.
    """

    began: Moment | None = None
    ended: Moment | None = None
    day: Day = ""
