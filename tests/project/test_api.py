"""The page of the API names what authors and builders meet. Its directives are read; no site is built."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from inspect import getsource
from itertools import pairwise
from pathlib import Path
from types import FunctionType, ModuleType

import pytest

from companion import rulebook, testing

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs/api.md").read_text("utf-8")
SEVERAL = re.compile(r"^\.\. automodule:: (\S+)\n +:members: (.+)$", re.MULTILINE)
ONE = re.compile(r"^\.\. auto(?:class|data|exception|function):: (\S+)\.(\w+)$", re.MULTILINE)
PAGE = [
    (import_module(module), name)
    for module, names in SEVERAL.findall(TEXT) + ONE.findall(TEXT)
    for name in names.split(", ")
]
"""Each name on the page with the module it is read from."""
PROTOCOL = re.compile(r"^class ([A-Z]\w*)\(.*\bProtocol\b.*\):", re.MULTILINE)


def is_described(value: object) -> bool:
    """Whether it is a class or a function with a docstring; no value has one of its own."""
    return isinstance(value, type | FunctionType) and bool(value.__doc__)


def described(module: ModuleType) -> Iterator[str]:
    """The values of a module below which stands what they are."""
    body = ast.parse(getsource(module)).body
    for given, text in pairwise(body):
        if isinstance(given, ast.Assign | ast.AnnAssign) and isinstance(text, ast.Expr):
            target = given.target if isinstance(given, ast.AnnAssign) else given.targets[0]
            yield ast.unparse(target)


RULEBOOK = TEXT[TEXT.index("## The one import of a rulebook") : TEXT.index("## Where a log is kept")]
"""The part of the page that stands under `companion.rulebook`."""


def test_the_page_names_as_imports_of_a_rulebook_only_what_can_be_imported() -> None:
    """Whatever stands there is in `companion.rulebook`, too."""
    there = SEVERAL.findall(RULEBOOK) + ONE.findall(RULEBOOK)
    named = [name for _, names in there for name in names.split(", ")]
    assert len(named) > 50
    assert [name for name in named if name not in rulebook.__all__] == []


@pytest.mark.parametrize("offered", [rulebook, testing], ids=lambda module: module.__name__)
def test_the_page_names_all_that_an_author_imports(offered: ModuleType) -> None:
    """Every public name is there, read from a module in which it means the same."""
    found = {name: getattr(module, name) for module, name in PAGE}
    assert [name for name in offered.__all__ if found.get(name) is not getattr(offered, name)] == []


def test_the_page_names_every_protocol() -> None:
    """Whoever writes a device, a log or a game finds what it must do."""
    files = [file for house in ("companion", "hardware") for file in sorted((ROOT / house).rglob("*.py"))]
    protocols = [name for file in files for name in PROTOCOL.findall(file.read_text("utf-8"))]
    assert {"Log", "Labelled", "InputDriver"} <= set(protocols)
    assert [name for name in protocols if name not in {name for _, name in PAGE}] == []


def test_what_the_page_names_says_what_it_is() -> None:
    """The generator leaves out what has no sentence of its own, such as a bare alias."""
    values = [(module, name) for module, name in PAGE if not is_described(getattr(module, name))]
    assert [name for module, name in values if name not in described(module)] == []
