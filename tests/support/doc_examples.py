"""The pages of the project, and the examples on them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted(path for top in ("docs", "hardware", "scripts") for path in (ROOT / top).rglob("*.md")),
]
FENCED = re.compile(
    r"(<!-- illustration: .+ -->\n+)?^( *)```([\w{}-]*)\n(.*?)^\2```$", re.MULTILINE | re.DOTALL
)
INDENTED = re.compile(r"(?:\A|^ *\n)((?:^ {4,}(?![-*] |\d+\. ).*\n(?:\n(?= {4}))?)+)", re.MULTILINE)


class Block(NamedTuple):
    """One example: its page, its language, its text, and whether the page says why it isn't run."""

    page: Path
    kind: str
    text: str
    is_illustration: bool = False


def blocks(page: Path) -> Iterator[Block]:
    """The examples of a page, fenced or indented."""
    text = page.read_text(encoding="utf-8")
    for why, _, kind, block in FENCED.findall(text):
        yield Block(page, kind, textwrap.dedent(block), bool(why))
    for block in INDENTED.findall(FENCED.sub("", text)):
        yield Block(page, "", textwrap.dedent(block))
