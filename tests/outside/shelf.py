"""Packages of others, as Python finds them once they are installed: Moorings, and the language of pirates."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest

HOME = Path(__file__).parent / "moorings"
PIRATE = Path(__file__).parent / "pirate"


def put_on_the_shelf(folder: Path, patch: pytest.MonkeyPatch, home: Path = HOME) -> Path:
    """Writes what an installer would, from its own pyproject.toml; gives what takes it away again."""
    project = tomllib.loads((home / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    name = project["name"].replace("-", "_")
    described = folder / f"{name}-{project['version']}.dist-info"
    described.mkdir(parents=True)
    metadata = f"Name: {project['name']}\nVersion: {project['version']}\n"
    (described / "METADATA").write_text(metadata, encoding="utf-8")
    lines = [
        line
        for group, points in project["entry-points"].items()
        for line in (f"[{group}]", *(f"{key} = {value}" for key, value in points.items()))
    ]
    (described / "entry_points.txt").write_text("\n".join(lines), encoding="utf-8")
    patch.syspath_prepend(home)
    patch.syspath_prepend(folder)
    return described
