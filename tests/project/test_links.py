"""No page sends its reader to a place that isn't there. Nothing here goes online."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(<?([^)>\s]+)|^\[[^\]]+\]: <?([^>\s]+)|(?:src|href)=\"([^\"]+)\"", re.MULTILINE)
ELSEWHERE = re.compile(r"[a-z]+:")
"""How an address of the wide world begins."""


def links(page: Path) -> list[str]:
    """All links and pictures of a page."""
    return ["".join(found) for found in LINK.findall(CODE.sub("", page.read_text("utf-8")))]


def lost(page: Path, root: Path) -> list[str]:
    """The links and pictures of a page that lead to no file below the root, or to no heading in it."""
    return [link for link in links(page) if not (ELSEWHERE.match(link) or leads(page, link, root))]


def linked(page: Path) -> set[Path]:
    """The pages that a page links to."""
    files = [link.partition("#")[0] for link in links(page)]
    return {(page.parent / file).resolve() for file in files if file.endswith(".md")}


def leads(page: Path, link: str, root: Path) -> bool:
    """Whether a relative link leads somewhere; only a page has headings."""
    name, _, heading = link.partition("#")
    target = (page.parent / name).resolve() if name else page
    if not (target.exists() and target.is_relative_to(root)):
        return False
    return not heading or (target.suffix == ".md" and heading in anchors(target))


def anchors(page: Path) -> set[str]:
    """What the headings of a page are called in a link: small letters, hyphens, a number where it repeats."""
    text = re.sub(r"^```.*?^```", "", page.read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    count = Counter[str]()
    found = set()
    for heading in re.findall(r"^#+ +(.+?) *#*$", text, re.MULTILINE):
        shown = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading)
        name = re.sub(r"[^\w\- ]", "", shown.lower()).replace(" ", "-")
        found.add(f"{name}-{count[name]}" if count[name] else name)
        count[name] += 1
    return found


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(ROOT)) for page in PAGES])
def test_every_relative_link_leads_to_a_file_or_heading(page: Path) -> None:
    """Each link and picture that stays in the repository leads to a file there, each anchor to a heading."""
    assert lost(page, ROOT) == []


def test_every_page_is_found_from_the_readme() -> None:
    """Each page right under docs is named in README.md, so is the service; others are one page further."""
    named = linked(ROOT / "README.md")
    pages = {*(ROOT / "docs").glob("*.md"), ROOT / "docs/build/service.md"}
    assert pages - named == set()
    assert {*(ROOT / "docs/build").glob("*.md")} - named.union(*map(linked, named)) == set()


@pytest.mark.parametrize(
    "named", re.findall(r"`(\w+/[\w/]+\.\w+)`", (ROOT / "docs/safety.md").read_text("utf-8"))
)
def test_what_tries_a_promise_is_there(named: str) -> None:
    """Each file that the page of promises names exists."""
    assert (ROOT / named).is_file()


def test_a_link_that_leads_nowhere_is_named(tmp_path: Path) -> None:
    """A file, picture or heading that isn't there is found; code and the wide world are left alone."""
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/there.md").write_text("# It's `one` page\n## Again\n## Again\n", "utf-8")
    page = tmp_path / "page.md"
    good = "[a](docs/there.md#its-one-page) [b](docs) [c](#here) [d](docs/there.md#again-1) [e](https://a.example)"
    bad = "![f](docs/gone.png) [g](docs/there.md#again-2) [h](#nowhere) [i](../outside.md) [j](docs#here)"
    page.write_text(
        f"## Here\n{good}\n`[k](gone.md)`\n```\n[l](gone.md)\n```\n{bad}\n[m]: gone.md\n", "utf-8"
    )
    (tmp_path.parent / "outside.md").touch()
    missing = ["docs/gone.png", "docs/there.md#again-2", "#nowhere", "../outside.md", "docs#here", "gone.md"]
    assert lost(page, tmp_path) == missing


def test_the_index_of_the_site_names_every_page() -> None:
    """A page that nobody entered there would be missing from the site's list."""
    index = (ROOT / "docs/index.md").read_text(encoding="utf-8")
    entries = [
        line
        for block in re.findall(r"^```{toctree}\n(.*?)^```", index, re.MULTILINE | re.DOTALL)
        for line in block.split()
    ]
    listed = {page for entry in entries for page in ROOT.glob(f"docs/{entry}.md")}
    listed |= {ROOT / f"{entry.removeprefix('../')}.md" for entry in entries if entry.startswith("../")}
    assert {page.relative_to(ROOT) for page in {*PAGES} - listed} == {Path("docs/index.md")}
