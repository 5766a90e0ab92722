"""The command `companion SUBCOMMAND`.

The module finds subcommands by entry point, runs one, and prints errors as sentences. It imports no
subcommand before it is used, so neither the screen nor the hardware is loaded for the others.
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
from companion.files.state_directory import SERVICE_USER, service_directory_if_none_chosen, state_directory
from companion.monospace_text import WrappingOutput, columns_to_wrap_at, wrap_text
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
FOLDER_SHARED_BY_ALL_USERS = "/tmp"  # noqa: S108 - the program names it to people and writes nothing there
"""A folder that all users of a machine can use."""
QUIT_WORDS = ("q", "quit", "exit", "bye")
"""Words with which people leave a program; in the shell no game is running."""
SUBCOMMAND_SYNONYMS = {
    **dict.fromkeys(("list", "ls"), ("games",)),
    **dict.fromkeys(("stats", "statistics", "scores"), ("players",)),
    **dict.fromkeys(("start", "open", "gui"), ("screen",)),
}
"""Other words that people type for a subcommand, each with the words that replace it."""


class SuggestingArgumentParser(ArgumentParser):
    """Parses the arguments of a command line, and suggests the likely word for a wrong one.

    Wrong arguments are refused briefly, in visible characters.
    """

    def error(self, message: str) -> NoReturn:
        """Prints the usage and an error sentence, and ends the program."""
        text = f"{self.prog}: error: {render(shorten_long_values(Say('{why}', (('why', message),))))}\n"
        self.exit(
            USER_ERROR_STATUS, wrap_text(f"{self.format_usage()}{text}", columns_to_wrap_at(sys.stderr))
        )

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Returns the parsed arguments, as `ArgumentParser.parse_args` does.

        The error for an unknown option suggests the likely one.
        """
        parsed, unknown_words = self.parse_known_args(args, namespace)
        if unknown_words:
            parsers = self._parsers_with_subparsers()  # argparse lists the options nowhere else
            known_options = [name for parser in parsers for name in parser._option_string_actions]  # noqa: SLF001 - see above
            word = unknown_words[0].partition("=")[0]
            self.error(
                f"unrecognized arguments: {' '.join(unknown_words)}{_suggestion_text(word, known_options)}"
            )
        return parsed

    def _check_value(self, action: Action, value: Any) -> None:
        try:
            super()._check_value(action, value)
        except ArgumentError as error:
            suggestion = _suggestion_text(str(value), map(str, action.choices or ()))
            raise ArgumentError(action, f"{error.message}{suggestion}") from None

    def _parsers_with_subparsers(self) -> Iterator[ArgumentParser]:
        """Yields this parser, and the parsers of its subcommands."""
        yield self
        for action in self._actions:
            if isinstance(action, _SubParsersAction):
                for parser in action.choices.values():
                    yield from parser._parsers_with_subparsers()  # noqa: SLF001 - another of its class


def _suggestion_text(word: str, names: Iterable[str]) -> str:
    similar_name = suggest_name(word, names)
    return "" if similar_name is None else f". Did you mean {similar_name}?"


def main(argv: Sequence[str] | None = None) -> int:
    """Runs one subcommand and returns the exit status."""
    words, out = list(sys.argv[1:] if argv is None else argv), sys.stdout
    if isinstance(out, TextIOWrapper):
        out.reconfigure(errors="backslashreplace")  # a file's name may not be valid UTF-8
    if out.isatty():
        sys.stdout = WrappingOutput(out)
    try:
        status = _run_words(words)
        sys.stdout.flush()  # here the error of a reader that went away can still be caught
    except CompanionError as error:
        print(wrap_text(str(error), columns_to_wrap_at(sys.stderr)), file=sys.stderr)
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
        raise _make_broken_command_error(name, describe_exception(fault)) from fault
    if not isinstance(loaded, Subcommand):
        raise _make_broken_command_error(name, f"{points[name].value} is not a Subcommand")
    return loaded


def _run_words(words: list[str]) -> int:
    match _resolve_synonyms(words):
        case ["-h" | "--help"]:
            print(wrap_text(_overview_text(), columns_to_wrap_at(sys.stdout)))
        case ["--version"]:
            print(f"companion {version(DISTRIBUTION_NAME)}")
        case [name] if name in QUIT_WORDS:
            print(render(say('No game is running here. Type "companion" to open the touchscreen.')))
        case [name, *rest] if not name.startswith("-"):
            return _run_subcommand(name, rest)
        case options:
            return _run_subcommand(DEFAULT_SUBCOMMAND, options)
    return 0


def _resolve_synonyms(words: list[str]) -> list[str]:
    """Returns the typed words with synonyms replaced by the names of subcommands.

    An installed subcommand with the name of a synonym wins.
    """
    if not words or words[0] in _entry_points():
        return words
    command, arguments = words[0].lower(), words[1:]
    if command in (HELP_WORD, "?"):
        return [*_resolve_synonyms(arguments), "--help"]
    if command == VERSION_WORD and not arguments:
        return ["--version"]
    if command in SUBCOMMAND_SYNONYMS:
        return [*SUBCOMMAND_SYNONYMS[command], *arguments]
    return [command, *arguments] if command in (*_entry_points(), *QUIT_WORDS) else words


def _run_subcommand(name: str, words: Sequence[str]) -> int:
    subcommand = load_subcommand(name)
    parser = create_subcommand_parser(name, subcommand)
    args = parser.parse_args(words)
    notice = _other_games_notice(name, words, args)
    if name in SUBCOMMANDS_PRINTING_NOTICE_FIRST:
        _print_to_stderr(notice)
    try:
        return subcommand.run(args)
    finally:
        if name not in SUBCOMMANDS_PRINTING_NOTICE_FIRST:
            _print_to_stderr(notice)


def create_subcommand_parser(name: str, subcommand: Subcommand) -> SuggestingArgumentParser:
    """Creates the parser for the arguments of a subcommand.

    The parser also shows the help of the subcommand.
    """
    parser = SuggestingArgumentParser(prog=f"companion {name}", description=subcommand.help)
    subcommand.add_arguments(parser)
    if subcommand.examples:
        add_examples(parser, *subcommand.examples)
    return parser


def _other_games_notice(name: str, words: Sequence[str], args: Namespace) -> str:
    """Returns a notice which games a subcommand works on, if the service of this machine has others.

    Otherwise the text is empty.
    """
    if (
        "state" not in args
        or name in SUBCOMMANDS_WITHOUT_DIRECTORY_NOTICE
        or (service_directory := service_directory_if_none_chosen(args.state)) is None
    ):
        return ""
    text = (
        "This command used the games in {here}. The games of the touchscreen are in {there}. To use the "
        "touchscreen's games, run: {command}"
    )
    notice = render(
        say(
            text,
            here=str(state_directory(None)),
            there=str(service_directory),
            command=_command_as_service(name, words),
        )
    )
    if not _needs_file_of_user(args):
        return notice
    folder = say(
        "The file must be in a folder that the user {user} can use, such as {folder}.",
        user=SERVICE_USER,
        folder=FOLDER_SHARED_BY_ALL_USERS,
    )
    return f"{notice}\n{render(folder)}"


def _command_as_service(name: str, words: Sequence[str]) -> str:
    """Returns the shell command that runs a subcommand on the games of the service.

    The shell of the person who types the command writes its output file, not the service.
    """
    remaining_words, redirection = [*words], ""
    for index, word in enumerate(words):
        option, equals, value = word.partition("=")
        if option == "--out" and (equals or words[index + 1 :]):
            redirection = f" > {shlex.quote(value if equals else words[index + 1])}"
            del remaining_words[index : index + (1 if equals else 2)]
            break
    return shlex.join(["sudo", "-u", SERVICE_USER, "companion", name, *remaining_words]) + redirection


def _needs_file_of_user(args: Namespace) -> bool:
    """Returns whether the service itself must read or write a file that somebody named."""
    arguments = {key: value for key, value in vars(args).items() if key not in ("state", "out")}
    return arguments.get("file") not in (None, STDOUT_FILE_NAME) or any(
        isinstance(value, Path) for value in arguments.values()
    )


def _print_to_stderr(text: str) -> None:
    """Prints a text for people, where the output may go into a file."""
    if text:
        print(wrap_text(text, columns_to_wrap_at(sys.stderr)), file=sys.stderr)


def _overview_text() -> str:
    points = _entry_points()
    width = max(map(len, points), default=0)
    lines = [f"  {name:{width}}  {_help_or_error_text(name)}" for name in points]
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


def _help_or_error_text(name: str) -> str:
    try:
        return load_subcommand(name).help
    except CompanionError as error:
        return str(error)


def _entry_points() -> dict[str, EntryPoint]:
    return {
        point.name: point
        for point in sorted(entry_points(group=ENTRY_POINT_GROUP), key=lambda point: point.name)
    }


def _make_broken_command_error(name: str, why: str) -> InternalError:
    return InternalError(say("The command {name} can't be loaded: {why}.", name=name, why=why))
