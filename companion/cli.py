"""The command `companion VERB`: finds verbs by entry point, runs one, says in a sentence what is wrong.

It imports no verb before it is used, so neither the screen nor the metal loads for the others.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from importlib.metadata import EntryPoint, entry_points, version
from io import TextIOWrapper
from typing import NoReturn

from companion.distribution import DISTRIBUTION
from companion.errors import CompanionError, OurError, TableError, Unknown, in_a_line
from companion.verb import THE_TABLES, Verb
from companion.words import Say, brief, render, say

GROUP = "companion.verbs"
WITHOUT_A_VERB = "screen"
OURS, INTERRUPTED = 1, 130
"""Exit statuses: a fault of the program, and Ctrl-C."""


class Parser(ArgumentParser):
    """Refuses arguments as everything else is refused: briefly, and in letters that can be seen."""

    def error(self, message: str) -> NoReturn:
        """Ends the program with a sentence."""
        super().error(render(brief(Say("{why}", (("why", message),)))))


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one verb and gives the exit status."""
    words = list(sys.argv[1:] if argv is None else argv)
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")  # a file's name may be none in UTF-8
    try:
        status = _run(words)
        sys.stdout.flush()  # here a reader that went away can still be answered quietly
    except CompanionError as error:
        print(error, file=sys.stderr)
        return THE_TABLES if isinstance(error, TableError) else OURS
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OURS
    except KeyboardInterrupt:
        return INTERRUPTED
    return status


def verb(name: str) -> Verb:
    """The verb of that name; raises `Unknown`, which names all there are, or `OurError` if it is broken."""
    points = _points()
    if name not in points:
        raise Unknown(say("There is no verb {name}; there are: {names}.", name=name, names=", ".join(points)))
    try:
        loaded = points[name].load()
    except Exception as fault:
        raise _broken(name, in_a_line(fault)) from fault
    if not isinstance(loaded, Verb):
        raise _broken(name, f"{points[name].value} is no Verb")
    return loaded


def _run(words: list[str]) -> int:
    match words:
        case ["-h" | "--help"]:
            print(_overview())
            return 0
        case ["--version"]:
            print(f"companion {version(DISTRIBUTION)}")
            return 0
        case [name, *rest] if not name.startswith("-"):
            return _do(name, rest)
    return _do(WITHOUT_A_VERB, words)


def _do(name: str, words: Sequence[str]) -> int:
    found = verb(name)
    parser = Parser(prog=f"companion {name}", description=found.help)
    found.arguments(parser)
    return found.run(parser.parse_args(words))


def _overview() -> str:
    points = _points()
    width = max(map(len, points), default=0)
    lines = [f"  {name:{width}}  {_sentence(name)}" for name in points]
    return "\n".join(
        [
            "usage: companion [VERB] [-h] …",
            "",
            f"Stands beside real board games. Without a verb: {WITHOUT_A_VERB}.",
            "",
            *lines,
            "",
            "companion VERB --help says more; companion --version says which one this is.",
        ]
    )


def _sentence(name: str) -> str:
    try:
        return verb(name).help
    except CompanionError as error:
        return str(error)


def _points() -> dict[str, EntryPoint]:
    return {point.name: point for point in sorted(entry_points(group=GROUP), key=lambda point: point.name)}


def _broken(name: str, why: str) -> OurError:
    return OurError(say("The verb {name} can't be loaded: {why}.", name=name, why=why))
