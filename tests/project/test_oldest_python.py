"""What later versions of Python 3.11 added is not used, for Debian 12 has 3.11.2; no tool warns of it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[2]
SOURCES = [
    file for room in ("companion", "hardware", "ui", "scripts") for file in (PROJECT / room).rglob("*.py")
]
KEYWORDS = {"extract": "filter", "extractall": "filter", "unpack_archive": "filter", "lseek": "whence"}
"""Arguments that came between 3.11.2 and 3.11.7, by the function that takes them."""
NAMES = {
    "AbsoluteLinkError",
    "AbsolutePathError",
    "FilterError",
    "LinkOutsideDestinationError",
    "OutsideDestinationError",
    "SpecialFileError",
    "data_filter",
    "extraction_filter",
    "fully_trusted_filter",
    "tar_filter",
}
"""Names that came then, all of them in tarfile.

Found by comparing names and signatures of the whole standard library of both.
"""

ANY_OF_THEM = re.compile("|".join([*KEYWORDS, *NAMES]))


def too_new(source: str) -> list[int]:
    """The lines that Python 3.11.2 would not understand."""
    if not ANY_OF_THEM.search(source):  # to parse all sources takes seconds
        return []
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in KEYWORDS and KEYWORDS[name] in {each.arg for each in node.keywords}:
                found.append(node.lineno)
        elif isinstance(node, ast.Attribute) and node.attr in NAMES:
            found.append(node.lineno)
    return found


def test_nothing_is_used_that_the_oldest_python_lacks() -> None:
    """In no module that runs on a machine of ours."""
    assert len(SOURCES) > 300
    assert {str(file): lines for file in SOURCES if (lines := too_new(file.read_text("utf-8")))} == {}


@pytest.mark.parametrize(
    "source",
    [
        "archive.extractall(folder, filter='data')",
        "unpack_archive(a, b, filter='data')",
        "tarfile.data_filter",
    ],
)
def test_what_is_too_new_is_found(source: str) -> None:
    """Whether it is an argument or a name."""
    assert too_new(f"1\n{source}") == [2]
