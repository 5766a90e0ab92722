"""One word for one thing: a newcomer who finds a class by its name has found the right one."""

import re
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).parents[2]
ONE_A_GAME = {"Board"}
"""Each game's own board, as each has its own rulebook."""
PUBLIC_CLASS = re.compile(r"^class ([A-Za-z]\w*)", re.MULTILINE)
"""A class of a module; those in other classes or functions may have the names of others."""
ANOTHER_PROGRAM = ROOT / "hardware" / "firmware"
"""What runs on the keypads is a program of its own and says display and lamp in its own words."""


def test_no_two_classes_have_one_name() -> None:
    """No name stands for two classes in companion, hardware and ui."""
    where = defaultdict(list)
    for house in ("companion", "hardware", "ui"):
        for file in (ROOT / house).rglob("*.py"):
            if not file.is_relative_to(ANOTHER_PROGRAM):
                for name in PUBLIC_CLASS.findall(file.read_text("utf-8")):
                    where[name].append(str(file.relative_to(ROOT)))
    assert len(where) > 500
    assert {name: files for name, files in where.items() if len(files) > 1 and name not in ONE_A_GAME} == {}
