"""The guide for contributors must not promise what isn't so."""

import re
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
SILENCED = re.compile(
    r"# (?:noqa(?:: [A-Z0-9, ]*[0-9])?|type: ignore(?:\[[a-z,-]*\])?|pragma: no \w+|fmt: \w+)"
)
ADRS = sorted((ROOT / "docs" / "adr").glob("0*.md"))


def test_the_example_test_passes() -> None:
    """The test shown to contributors is a real one and passes."""
    (example,) = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    names: dict[str, Callable[[], None]] = {}
    exec(example, names)  # noqa: S102 - our own page
    shown = [test for name, test in names.items() if name.startswith("test_")]
    assert len(shown) == 1
    shown[0]()


def test_every_make_target_named_exists() -> None:
    """Each `make TARGET` in the guide is a target of the Makefile."""
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    named = set(re.findall(r"make (quick|test|soak|run|bench|screenshots|lint)\b", GUIDE))
    assert named
    assert named <= targets


def test_every_silenced_line_has_its_reason() -> None:
    """Where a checker is told to look away, the same line says in words why."""
    folders = ("benchmarks", "companion", "hardware", "scripts", "tests", "ui")
    files = [file for folder in folders for file in (ROOT / folder).rglob("*.py")]
    lines = [(file, line) for file in files for line in file.read_text("utf-8").splitlines()]
    silenced = [(file, line, found.start()) for file, line in lines if (found := SILENCED.search(line))]
    assert silenced
    unsaid = [
        f"{file.name}: {line.strip()}"
        for file, line, at in silenced
        if not re.search(r"[A-Za-z]{3}", SILENCED.sub("", line[at:]))
    ]
    assert unsaid == []


def test_the_running_app_has_a_type() -> None:
    """Kivy gives it as anything; it is asked for at the two places that say what it is."""
    files = [file for file in (ROOT / "ui").rglob("*.py") if "App.get_running_app" in file.read_text("utf-8")]
    assert {file.name for file in files} == {"host.py", "words.py"}


@pytest.mark.parametrize("adr", ADRS, ids=lambda adr: adr.stem)
def test_a_decision_is_one_short_page(adr: Path) -> None:
    """A decision has its number, context, decision and consequences on at most forty lines."""
    text = adr.read_text("utf-8")
    assert text.startswith(f"# {int(adr.stem[:4])}. ")
    assert re.findall(r"^## (.+)$", text, re.MULTILINE) == ["Context", "Decision", "Consequences"]
    assert len(text.splitlines()) <= 40


def test_the_index_of_decisions_lists_each_with_its_title() -> None:
    """The index has a line for each page, in order, and says the title that the page has."""
    index = (ROOT / "docs" / "adr" / "README.md").read_text("utf-8")
    titles = [(adr.read_text("utf-8").splitlines()[0].split(". ", 1)[1], adr.name) for adr in ADRS]
    assert re.findall(r"^\| \d+ \| \[(.+)\]\((.+)\) \|$", index, re.MULTILINE) == titles


def test_the_changelog_tells_of_this_version() -> None:
    """The version that is built is the last one with a date in the changelog."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["version"]
    dated = re.findall(
        r"^## \[([\d.]+)\] - (\d{4}-\d\d-\d\d)$", (ROOT / "CHANGELOG.md").read_text("utf-8"), re.MULTILINE
    )
    assert dated[0][0] == version
    assert [day for _, day in dated] == sorted((day for _, day in dated), reverse=True)
