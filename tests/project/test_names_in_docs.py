"""Pages for people who read the code call things as the code does."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from textwrap import dedent
from types import CodeType

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "docs/architecture.md", ROOT / "docs/glossary.md", *sorted((ROOT / "docs/adr").glob("0*.md"))]
NOT_OURS = {"Aki", "Dai", "RPi", "SmoothRoundedRectangle", "True"}
"""People of examples, and names of Python and of other programs."""

FIELD = re.compile(r"^ +(\w+): ", re.MULTILINE)
"""A field that has only a type: compiled code keeps its name as a text."""


@cache
def names_in_code() -> set[str]:
    """All names that our Python defines or uses.

    Compiled code has them in lists; to walk its syntax trees took more than twice as long.
    """
    names = set()
    for folder in ("companion", "hardware", "ui", "tests", "scripts", "benchmarks"):
        for file in (ROOT / folder).rglob("*.py"):
            source = file.read_text("utf-8")
            names.update(FIELD.findall(source))
            code = [compile(source, file, "exec", dont_inherit=True)]
            while code:
                part = code.pop()
                names.update(part.co_names, part.co_varnames, part.co_cellvars)
                code += [each for each in part.co_consts if isinstance(each, CodeType)]
    return {name.rpartition(".")[2] for name in names}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_class_or_call_that_a_page_names_is_in_the_code(page: Path) -> None:
    """In code marks, each word that looks like a class or has a bracket after it is a name of the code."""
    marks = re.findall(r"`([^`\n]+)`", page.read_text("utf-8"))
    named = {word for mark in marks for word in re.findall(r"\b[A-Z]\w*[a-z]\w*\b|\b[a-z_]\w+(?=\()", mark)}
    named -= {
        word
        for mark in marks
        for text in re.findall(r"\"[^\"]*\"", mark)
        for word in re.findall(r"\w+", text)
    }
    assert sorted(named - names_in_code() - NOT_OURS) == []


def docstrings(statement: ast.AST) -> Iterator[str]:
    """Yields the docstrings of a module and all that is defined in it; no expression is looked into."""
    if isinstance(statement, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
        yield ast.get_docstring(statement) or ""
    for part in ast.iter_child_nodes(statement):
        if isinstance(part, ast.stmt | ast.excepthandler | ast.match_case):
            yield from docstrings(part)


def examples(text: str) -> Iterator[ast.Module]:
    """Yields the paragraphs of a docstring that are Python with a call or an import."""
    for paragraph in re.split(r"\n\s*\n", text):
        if "(" not in paragraph and "import" not in paragraph:
            continue
        with suppress(SyntaxError):
            tree = ast.parse(dedent(paragraph))
            if any(isinstance(node, ast.Call | ast.ImportFrom) for node in ast.walk(tree)):
                yield tree


def test_an_example_in_a_docstring_calls_things_as_the_code_does() -> None:
    """A docstring can be copied from: what its examples call or import is a name of the code."""
    found, count = dict[str, list[str]](), 0
    for folder in ("companion", "hardware", "ui", "scripts", "benchmarks"):
        for file in sorted((ROOT / folder).rglob("*.py")):
            for text in docstrings(ast.parse(file.read_text("utf-8"))):
                for example in examples(text):
                    count += 1
                    missing = set(called_names(example)) - names_in_code() - {*dir(builtins)}
                    if missing:
                        found.setdefault(f"{file.relative_to(ROOT)}", []).extend(sorted(missing))
    assert count > 50
    assert found == {}


def called_names(example: ast.Module) -> Iterator[str]:
    """Yields the names that an example calls or imports."""
    for node in ast.walk(example):
        match node:
            case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)) | ast.alias(name=name):
                yield name.rpartition(".")[2]
