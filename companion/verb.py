"""What a verb of the command is, and what several of them share; `companion.cli` finds which there are."""

from __future__ import annotations

import os
import re
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, HelpFormatter, Namespace
from collections.abc import Callable
from pathlib import Path

import msgspec

from companion import languages

EXAMPLES = re.compile(r"^examples?:$", re.MULTILINE)
"""The line above the examples in a help."""
THE_TABLES = 2
"""The exit status where people can mend what is wrong."""


class Verb(msgspec.Struct, frozen=True):
    """One thing `companion` can do: a sentence, the arguments it takes, and how it is done.

    `run` gives the exit status; what it raises of `CompanionError` is shown as a sentence.
    `examples` are one or two commands that its help ends with.
    """

    help: str
    arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]
    examples: tuple[str, ...] = ()


class _KeepingExamples(HelpFormatter):
    """Wraps texts as argparse does, but leaves each example on its own line."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if EXAMPLES.search(text) else super()._fill_text(text, width, indent)


def add_examples(parser: ArgumentParser, *commands: str) -> None:
    """Ends the help of a verb, or of a part of one, with commands that can be copied."""
    parser.formatter_class = _KeepingExamples
    lines = "\n  ".join(["example:" if len(commands) == 1 else "examples:", *commands])
    parser.epilog = f"{parser.epilog}\n\n{lines}" if parser.epilog else lines


def state_argument(parser: ArgumentParser, *, within: bool = False) -> None:
    """`--state DIR`; `within` a part of a verb that has it, too: given there it counts, if not here."""
    parser.add_argument(
        "--state",
        type=Path,
        metavar="DIR",
        help="the directory with the saved games",
        default=SUPPRESS if within else None,
    )


def language_argument(
    parser: ArgumentParser,
    what: str = "the language of the texts (default: the language of your system)",
    *,
    within: bool = False,
    default: str | None = None,
) -> None:
    """Adds `--lang CODE`, which says `what`; `within` is as for `state_argument`.

    Which languages there are is looked up only where one is given: that takes long before the first frame.
    """
    parser.add_argument(
        "--lang",
        type=_language,
        metavar="CODE",
        help=f"{what}; companion doctor lists the languages",
        default=SUPPRESS if within else default,
    )


def _language(code: str) -> str:
    if languages.find(code) is None:
        raise ArgumentTypeError(f"the language must be one of {', '.join(languages.languages())}, not {code}")
    return code


def has_display() -> bool:
    """Whether this machine has a screen that people can see."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    panels = Path("/sys/class/drm").glob("*/status")
    return any(panel.read_text().strip() == "connected" for panel in panels)
