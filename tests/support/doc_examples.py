"""The documentation pages of the project, and the examples on them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DOC_PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted(path for top in ("docs", "hardware", "scripts") for path in (ROOT / top).rglob("*.md")),
]
FENCED = re.compile(
    r"(<!-- illustration: .+ -->\n+)?^( *)```([\w{}-]*)\n(.*?)^\2```$", re.MULTILINE | re.DOTALL
)
INDENTED = re.compile(r"(?:\A|^ *\n)((?:^ {4,}(?![-*] |\d+\. ).*\n(?:\n(?= {4}))?)+)", re.MULTILINE)


class DocExample(NamedTuple):
    """One example of a page. `is_illustration` means that the page says why the example isn't run."""

    page: Path
    kind: str
    text: str
    is_illustration: bool = False


def examples_on_page(page: Path) -> Iterator[DocExample]:
    """Yields the examples of a page, fenced or indented."""
    text = page.read_text(encoding="utf-8")
    for why, _, kind, block in FENCED.findall(text):
        yield DocExample(page, kind, textwrap.dedent(block), bool(why))
    for block in INDENTED.findall(FENCED.sub("", text)):
        yield DocExample(page, "", textwrap.dedent(block))
