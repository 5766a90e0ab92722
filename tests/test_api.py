"""The page of the API: everything that a rulebook and its tests may import stands there."""

from __future__ import annotations

import re
from importlib import import_module
from pathlib import Path

import pytest

from companion import rulebook, testing

PAGE = (Path(__file__).parents[1] / "docs/api.md").read_text("utf-8")
LISTED = [
    (module, name)
    for module, names in re.findall(r"automodule:: (\S+)\n   :members: (.+)", PAGE)
    for name in names.split(", ")
]
CLASSES = [tuple(path.rsplit(".", 1)) for path in re.findall(r"autoclass:: (\S+)", PAGE)]


@pytest.mark.parametrize("names", [rulebook.__all__, testing.__all__], ids=["rulebook", "testing"])
def test_all_that_authors_may_import_is_listed(names: list[str]) -> None:
    """A new name of the two is written down there as well."""
    assert set(names) - {name for _, name in LISTED} == set()


@pytest.mark.parametrize(("module", "name"), [*LISTED, *CLASSES])
def test_what_is_listed_is_there(module: str, name: str) -> None:
    """Each name is one of the module it is looked for in."""
    assert hasattr(import_module(module), name)
