"""What a verb of the command is, and what several of them share; `companion.cli` finds which there are."""

from __future__ import annotations

import os
from argparse import SUPPRESS, ArgumentParser, Namespace
from collections.abc import Callable
from pathlib import Path

import msgspec

THE_TABLES = 2
"""The exit status where people can mend what is wrong."""


class Verb(msgspec.Struct, frozen=True):
    """One thing `companion` can do: a sentence, the arguments it takes, and how it is done.

    `run` gives the exit status; what it raises of `CompanionError` is shown as a sentence.
    """

    help: str
    arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]


def state_argument(parser: ArgumentParser, *, within: bool = False) -> None:
    """`--state DIR`; `within` a part of a verb that has it, too: given there it counts, if not here."""
    parser.add_argument(
        "--state",
        type=Path,
        metavar="DIR",
        help="where games are kept",
        default=SUPPRESS if within else None,
    )


def has_display() -> bool:
    """Whether this machine has a screen that people can see."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    panels = Path("/sys/class/drm").glob("*/status")
    return any(panel.read_text().strip() == "connected" for panel in panels)
