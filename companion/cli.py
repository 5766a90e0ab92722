"""The command `companion SUBCOMMAND`.

Finds subcommands by entry point, runs one, and prints errors as sentences.
It imports no subcommand before it is used, so neither the screen nor the hardware is loaded for the others.
"""

from __future__ import annotations

import os
import shlex
import sys
from argparse import Action, ArgumentError, ArgumentParser, Namespace, _SubParsersAction
from collections.abc import Iterable, Iterator, Sequence
from importlib.metadata import EntryPoint, entry_points, version
from io import TextIOWrapper
from pathlib import Path
from typing import Any, NoReturn

from companion.distribution import DISTRIBUTION_NAME
from companion.errors import CompanionError, InternalError, UnknownName, UserError, describe_exception
from companion.files.state_directory import SERVICE_USER, service_directory_if_different, state_directory
from companion.monospace_text import WrappingOutput, terminal_columns, wrap_text
from companion.name_matching import suggest_name
from companion.subcommand import USER_ERROR_STATUS, Subcommand, add_examples
from companion.texts import Say, render, say, shorten_long_values

ENTRY_POINT_GROUP = "companion.commands"
DEFAULT_SUBCOMMAND = "screen"
INTERNAL_ERROR_STATUS, INTERRUPTED_STATUS = 1, 130
"""Exit statuses: a fault of the program, and Ctrl-C."""


SUBCOMMANDS_WITHOUT_DIRECTORY_NOTICE = ("screen", "health", "doctor")
"""Subcommands that print no notice about another directory of saved games: they examine a directory."""
SUBCOMMANDS_PRINTING_NOTICE_FIRST = ("play", "simulate")
"""Subcommands that print the notice about other saved games before they run, because they run long."""
HELP_WORD, VERSION_WORD = "help", "version"
STDOUT_FILE_NAME = "-"
"""The file name with which people have the output printed instead of written to a file."""
FOLDER_SHARED_BY_ALL_USERS = "/tmp"  # noqa: S108 - people are told of it; nothing is written there
"""A folder that all users of a machine can use."""
QUIT_WORDS = ("q", "quit", "exit", "bye")
"""Words with which people leave a program; in the shell no game is running."""
SUBCOMMAND_SYNONYMS = {
    **dict.fromkeys(("list", "ls"), ("games",)),
    **dict.fromkeys(("stats", "statistics", "scores"), ("players",)),
    **dict.fromkeys(("start", "open", "gui"), ("screen",)),
}
"""Other words that people type for a subcommand, each with the words that replace it."""


class CommandLineParser(ArgumentParser):
    """Parses the arguments of a command line, and suggests the likely word for a wrong one.

    Wrong arguments are refused briefly, in visible characters.
    """

    def error(self, message: str) -> NoReturn:
        """Prints the usage and an error sentence, and ends the program."""
        text = f"{self.prog}: error: {render(shorten_long_values(Say('{why}', (('why', message),))))}\n"
        self.exit(USER_ERROR_STATUS, wrap_text(f"{self.format_usage()}{text}", terminal_columns(sys.stderr)))

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parses arguments as `ArgumentParser` does, and suggests the likely option for an unknown one."""
        found, others = self.parse_known_args(args, namespace)
        if others:
            parsers = self._with_subparsers()  # argparse lists the options nowhere else
            known = [name for each in parsers for name in each._option_string_actions]  # noqa: SLF001 - see above
            word = others[0].partition("=")[0]
            self.error(f"unrecognized arguments: {' '.join(others)}{_did_you_mean(word, known)}")
        return found

    def _check_value(self, action: Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except ArgumentError as error:
            near = _did_you_mean(str(value), map(str, action.choices or ()))
            raise ArgumentError(action, f"{error.message}{near}") from None

    def _with_subparsers(self) -> Iterator[ArgumentParser]:
        """Itself, and the parsers of its parts."""
        yield self
        for action in self._actions:
            for one in (action.choices or {}).values() if isinstance(action, _SubParsersAction) else ():
                yield from one._with_subparsers()  # noqa: SLF001 - another of its class


def _did_you_mean(word: str, names: Iterable[str]) -> str:
    near = suggest_name(word, names)
    return "" if near is None else f". Did you mean {near}?"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one subcommand and returns the exit status."""
    words, out = list(sys.argv[1:] if argv is None else argv), sys.stdout
    if isinstance(out, TextIOWrapper):
        out.reconfigure(errors="backslashreplace")  # a file's name may be none in UTF-8
    if out.isatty():
        sys.stdout = WrappingOutput(out)
    try:
        status = _run(words)
        sys.stdout.flush()  # here a reader that went away can still be answered quietly
    except CompanionError as error:
        print(wrap_text(str(error), terminal_columns(sys.stderr)), file=sys.stderr)
        return USER_ERROR_STATUS if isinstance(error, UserError) else INTERNAL_ERROR_STATUS
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return INTERNAL_ERROR_STATUS
    except KeyboardInterrupt:
        return INTERRUPTED_STATUS
    finally:
        sys.stdout = out
    return status


def load_subcommand(name: str) -> Subcommand:
    """Returns a subcommand by name.

    Raises `UnknownName`, which lists all subcommands, or `InternalError` if the subcommand is broken.
    """
    points = _entry_points()
    if name not in points:
        if near := suggest_name(name, [*points, HELP_WORD, *SUBCOMMAND_SYNONYMS]):
            raise UnknownName(say('Unknown command "{name}". Did you mean "{near}"?', name=name, near=near))
        known = ", ".join(points)
        raise UnknownName(say('Unknown command "{name}". Commands: {names}.', name=name, names=known))
    try:
        loaded = points[name].load()
    except Exception as fault:
        raise _broken(name, describe_exception(fault)) from fault
    if not isinstance(loaded, Subcommand):
        raise _broken(name, f"{points[name].value} is not a Subcommand")
    return loaded


def _run(words: list[str]) -> int:
    match _resolve_synonyms(words):
        case ["-h" | "--help"]:
            print(wrap_text(_overview(), terminal_columns(sys.stdout)))
        case ["--version"]:
            print(f"companion {version(DISTRIBUTION_NAME)}")
        case [name] if name in QUIT_WORDS:
            print(render(say('No game is running here. Type "companion" to open the touchscreen.')))
        case [name, *rest] if not name.startswith("-"):
            return _run_subcommand(name, rest)
        case others:
            return _run_subcommand(DEFAULT_SUBCOMMAND, others)
    return 0


def _resolve_synonyms(words: list[str]) -> list[str]:
    """Returns the typed words with the names of subcommands; an installed subcommand keeps its name."""
    if not words or words[0] in _entry_points():
        return words
    first, rest = words[0].lower(), words[1:]
    if first in (HELP_WORD, "?"):
        return [*_resolve_synonyms(rest), "--help"]
    if first == VERSION_WORD and not rest:
        return ["--version"]
    if first in SUBCOMMAND_SYNONYMS:
        return [*SUBCOMMAND_SYNONYMS[first], *rest]
    return [first, *rest] if first in (*_entry_points(), *QUIT_WORDS) else words


def _run_subcommand(name: str, words: Sequence[str]) -> int:
    found = load_subcommand(name)
    parser = create_subcommand_parser(name, found)
    args = parser.parse_args(words)
    told = _describe_other_games(name, words, args)
    if name in SUBCOMMANDS_PRINTING_NOTICE_FIRST:
        _print_to_stderr(told)
    try:
        return found.run(args)
    finally:
        if name not in SUBCOMMANDS_PRINTING_NOTICE_FIRST:
            _print_to_stderr(told)


def create_subcommand_parser(name: str, subcommand: Subcommand) -> CommandLineParser:
    """Creates the parser for the arguments of a subcommand.

    The parser also shows the help of the subcommand.
    """
    parser = CommandLineParser(prog=f"companion {name}", description=subcommand.help)
    subcommand.add_arguments(parser)
    if subcommand.examples:
        add_examples(parser, *subcommand.examples)
    return parser


def _describe_other_games(name: str, words: Sequence[str], args: Namespace) -> str:
    """Returns which games a subcommand works on, if the service of this machine has others.

    Else an empty text.
    """
    if (
        "state" not in args
        or name in SUBCOMMANDS_WITHOUT_DIRECTORY_NOTICE
        or (others := service_directory_if_different(args.state)) is None
    ):
        return ""
    text = (
        "This command used the games in {here}. The games of the touchscreen are in {there}. To use the "
        "touchscreen's games, run: {command}"
    )
    told = render(
        say(
            text, here=str(state_directory(None)), there=str(others), command=_command_as_service(name, words)
        )
    )
    if not _needs_a_file(args):
        return told
    folder = say(
        "The file must be in a folder that the user {user} can use, such as {folder}.",
        user=SERVICE_USER,
        folder=FOLDER_SHARED_BY_ALL_USERS,
    )
    return f"{told}\n{render(folder)}"


def _command_as_service(name: str, words: Sequence[str]) -> str:
    """Returns the command for the games of the service.

    An output file is written by the person who types it.
    """
    said, out = [*words], ""
    for at, word in enumerate(words):
        option, equals, value = word.partition("=")
        if option == "--out" and (equals or words[at + 1 :]):
            out = f" > {shlex.quote(value if equals else words[at + 1])}"
            del said[at : at + (1 if equals else 2)]
            break
    return shlex.join(["sudo", "-u", SERVICE_USER, "companion", name, *said]) + out


def _needs_a_file(args: Namespace) -> bool:
    """Returns whether the service itself must read or write a file that somebody named."""
    named = {key: value for key, value in vars(args).items() if key not in ("state", "out")}
    return named.get("file") not in (None, STDOUT_FILE_NAME) or any(
        isinstance(value, Path) for value in named.values()
    )


def _print_to_stderr(text: str) -> None:
    """Prints a text for people, where the output may go into a file."""
    if text:
        print(wrap_text(text, terminal_columns(sys.stderr)), file=sys.stderr)


def _overview() -> str:
    points = _entry_points()
    width = max(map(len, points), default=0)
    lines = [f"  {name:{width}}  {_help_or_fault(name)}" for name in points]
    return "\n".join(
        [
            "usage: companion [COMMAND] …",
            "",
            "The companion for real board games. Without a command it opens the touchscreen.",
            "",
            *lines,
            "",
            "companion COMMAND --help explains a command and gives examples.",
            "companion --version shows the version.",
        ]
    )


def _help_or_fault(name: str) -> str:
    try:
        return load_subcommand(name).help
    except CompanionError as error:
        return str(error)


def _entry_points() -> dict[str, EntryPoint]:
    return {
        point.name: point
        for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name)
    }


def _broken(name: str, why: str) -> InternalError:
    return InternalError(say("The command {name} can't be loaded: {why}.", name=name, why=why))
