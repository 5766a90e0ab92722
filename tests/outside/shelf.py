"""Moorings, a game of another package, as Python finds it once it is installed."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

HOME = Path(__file__).parent / "moorings"


def put_on_the_shelf(folder: Path, patch: pytest.MonkeyPatch) -> Path:
    """Writes what an installer would, from its own pyproject.toml; gives what takes it away again."""
    project = tomllib.loads((HOME / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    described = folder / f"companion_moorings-{project['version']}.dist-info"
    described.mkdir(parents=True)
    metadata = f"Name: {project['name']}\nVersion: {project['version']}\n"
    (described / "METADATA").write_text(metadata, encoding="utf-8")
    points = project["entry-points"]["companion.games"]
    lines = "".join(f"{key} = {value}\n" for key, value in points.items())
    (described / "entry_points.txt").write_text(f"[companion.games]\n{lines}", encoding="utf-8")
    patch.syspath_prepend(folder)
    return described
