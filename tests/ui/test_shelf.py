"""What home shows of the games that are really installed and saved."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.ui.evening import app_for


@pytest.fixture
def stranger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another package is installed whose game can't be imported."""
    metadata = tmp_path / "stranger-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: stranger\nVersion: 1\n")
    (metadata / "entry_points.txt").write_text("[companion.games]\ncrash = stranger_crash:GAME\n")
    (tmp_path / "stranger_crash.py").write_text("raise ValueError('no dice')\n")
    monkeypatch.syspath_prepend(tmp_path)


@pytest.mark.usefixtures("stranger")
async def test_a_broken_game_has_a_box_that_says_why_and_leads_nowhere(
    open_table: Any, tmp_path: Path, locale: Path
) -> None:
    """Its lid is marked; touched, it tells the one sentence of its error, and the others can be played."""
    table = await open_table(app_for(tmp_path / "state", locale))
    assert {"crash", "Broken"} <= set(table.texts())
    await table.tap("crash")
    assert "The game crash can't be loaded: ValueError: no dice." in table.texts()
    await table.tap("Understood", "Egypt")
    assert "Next" in table.texts()
