"""Subcommands of `companion`, and the arguments that several of them share; `companion.cli` finds them."""

from __future__ import annotations

import os
import re
from argparse import SUPPRESS, ArgumentParser, ArgumentTypeError, HelpFormatter, Namespace
from collections.abc import Callable
from pathlib import Path

import msgspec

from companion import languages

EXAMPLES_HEADING_PATTERN = re.compile(r"^examples?:$", re.MULTILINE)
"""The pattern of the line above the examples in a help text."""
USER_ERROR_STATUS = 2
"""The exit status of an error that people can correct themselves."""


class Subcommand(msgspec.Struct, frozen=True):
    """A subcommand of `companion`: its help in a sentence, its arguments, and the function that runs it.

    `run` returns the exit status. A `CompanionError` that it raises is shown as a sentence.
    `examples` are one or two commands at the end of its help.
    """

    help: str
    add_arguments: Callable[[ArgumentParser], None]
    run: Callable[[Namespace], int]
    examples: tuple[str, ...] = ()


class _ExampleHelpFormatter(HelpFormatter):
    """Wraps texts as argparse does, but keeps each example on its own line."""

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        return text if EXAMPLES_HEADING_PATTERN.search(text) else super()._fill_text(text, width, indent)


def add_examples(parser: ArgumentParser, *commands: str) -> None:
    """Adds example commands to the end of a parser's help text."""
    parser.formatter_class = _ExampleHelpFormatter
    lines = "\n  ".join(["example:" if len(commands) == 1 else "examples:", *commands])
    parser.epilog = f"{parser.epilog}\n\n{lines}" if parser.epilog else lines


def add_state_argument(parser: ArgumentParser, *, is_nested: bool = False) -> None:
    """Adds the argument `--state DIR` to a parser.

    `is_nested`: the parent parser has the argument too. Its value is used if the argument isn't given to
    `parser`.
    """
    parser.add_argument(
        "--state",
        type=Path,
        metavar="DIR",
        help="the directory with the saved games",
        default=SUPPRESS if is_nested else None,
    )


def add_language_argument(
    parser: ArgumentParser,
    help_text: str = "the language of the texts (default: the language of your system)",
    *,
    is_nested: bool = False,
    default: str | None = None,
) -> None:
    """Adds the argument `--lang CODE` to a parser, with this help text.

    `is_nested` is as for `add_state_argument`. The languages are looked up only if the argument is given,
    because looking them up delays the first frame.
    """
    parser.add_argument(
        "--lang",
        type=_parse_language_code,
        metavar="CODE",
        help=f"{help_text}; companion doctor lists the languages",
        default=SUPPRESS if is_nested else default,
    )


def _parse_language_code(code: str) -> str:
    if languages.find_language(code) is None:
        raise ArgumentTypeError(f"the language must be one of {', '.join(languages.languages())}, not {code}")
    return code


def has_display() -> bool:
    """Returns whether this machine has a screen that people can see."""
    if os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        return True
    panels = Path("/sys/class/drm").glob("*/status")
    return any(panel.read_text().strip() == "connected" for panel in panels)
