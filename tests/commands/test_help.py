"""The helps of all subcommands and of their parts: what they are for, and commands that can be copied."""

from __future__ import annotations

import re
import shlex
from argparse import ArgumentParser, _SubParsersAction
from collections.abc import Iterator

import pytest

from companion import cli
from companion.subcommand import EXAMPLES_HEADING_PATTERN, Subcommand, add_examples


def parts(parser: ArgumentParser) -> Iterator[ArgumentParser]:
    """A parser, and those of its parts."""
    yield parser
    for action in parser._actions:
        for one in (action.choices or {}).values() if isinstance(action, _SubParsersAction) else ():
            yield from parts(one)


def examples(parser: ArgumentParser) -> list[str]:
    """The commands that a help ends with."""
    _, *below = EXAMPLES_HEADING_PATTERN.split(parser.format_help())
    return [line.strip() for line in below[0].splitlines() if line] if below else []


VERBS = sorted(cli._entry_points())
HELPS = [
    part for name in VERBS for part in parts(cli.create_subcommand_parser(name, cli.load_subcommand(name)))
]


@pytest.mark.parametrize("parser", HELPS, ids=lambda parser: parser.prog)
def test_each_help_has_examples_that_work(parser: ArgumentParser) -> None:
    """One or two of the subcommand, or of that very part, which the program's own parser can read."""
    assert 1 <= len(examples(parser)) <= 2
    for command in examples(parser):
        program, *words = shlex.split(command.removeprefix("sudo "))
        name, *rest = words or ["screen"]
        assert program == "companion"
        assert parser.prog.split()[1] == name
        assert " ".join([program, name, *rest]).startswith(parser.prog)
        cli.create_subcommand_parser(name, cli.load_subcommand(name)).parse_args(rest)


@pytest.mark.parametrize("parser", HELPS, ids=lambda parser: parser.prog)
def test_each_help_says_what_each_argument_is_for(parser: ArgumentParser) -> None:
    """Those that only name the part that follows have a list of the parts."""
    silent = [
        action.dest
        for action in parser._actions
        if not action.help and not isinstance(action, _SubParsersAction)
    ]
    assert silent == []


@pytest.mark.parametrize("option", ["--help", "help"])
def test_the_overview_begins_with_what_the_companion_is(
    option: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Then each subcommand has a line, and the last lines say where there is more."""
    assert cli.main([option]) == 0
    usage, empty, first, *others = capsys.readouterr().out.splitlines()
    assert (usage, empty) == ("usage: companion [COMMAND] …", "")
    assert first == "The companion for real board games. Without a command it opens the touchscreen."
    assert [found[1] for line in others if (found := re.match(r"  (\S+) ", line))] == VERBS


def test_examples_stay_on_their_lines() -> None:
    """However narrow the terminal is; what stands above them is wrapped."""
    parser = cli.create_subcommand_parser("try", Subcommand("Tries something.", lambda _: None, lambda _: 0))
    assert examples(parser) == []
    add_examples(parser, "companion try --with a line that is far too long for a terminal of eighty columns")
    assert examples(parser) == [
        "companion try --with a line that is far too long for a terminal of eighty columns"
    ]
    assert "example:" in parser.format_help()
