"""Two evenings that differ only in what is in the envelopes look alike until the reveal."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.ui.evening import app_for
from tests.ui.evening_table import covered

pytestmark = pytest.mark.usefixtures("nothing_moves")
Trace = list[tuple[list[str], bytes]]


@pytest.fixture
def twin(
    open_table: Any, tmp_path: Path, locale: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Any]:
    """Seals the bids it is given, one player after the other; gives all that the shared screen showed.

    Commitments are masked, since they follow from the values.
    """
    from companion.log.memory import Draft
    from ui import theme

    monkeypatch.setattr(theme, "PAUSE", 3600.0)
    monkeypatch.setattr(Draft, "commitment", property(lambda draft: f"{draft.seat}abc" * 16))

    async def play(*bids: int) -> Trace:
        table = await open_table(app_for(tmp_path / str(bids), locale, lang="en"))
        await table.tap("Sealed bid", "3", "Next", "Begin")
        trace: Trace = []

        async def look() -> None:
            trace.append((table.texts(), (await table.photograph(tmp_path / "look.png")).read_bytes()))

        for name, bid in zip(("Player 1", "Player 2"), bids, strict=False):
            await look()
            await table.tap(name)
            await look()
            await table.tap(f"{name}, take the screen", *str(bid), "confirm")
            await look()
            await table.tap(name)
            assert not covered(table)
        await look()
        table.app.stop()
        await table.running
        for left in table.window.children[:]:
            table.window.remove_widget(left)
        return trace

    return play


async def test_twins_that_differ_in_sealed_bids_look_alike(twin: Callable[..., Any]) -> None:
    """Row, covers and closing envelopes: the same texts and the same pixels whatever is inside."""
    one, other = await twin(7, 950), await twin(123, 0)
    assert [texts for texts, _ in one] == [texts for texts, _ in other]
    assert [pixels for _, pixels in one] == [pixels for _, pixels in other]


async def test_twins_tell_a_leak(twin: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """An envelope that bulges by a pixel over a high bid is seen."""
    from ui.asking.together import TogetherEnvelopes

    take = TogetherEnvelopes._seal

    def bulge(self: Any, sealing: Any, seat: Any, plain: int) -> None:
        take(self, sealing, seat, plain)
        self.row.spacing += plain > 100

    monkeypatch.setattr(TogetherEnvelopes, "_seal", bulge)
    one, other = await twin(7), await twin(123)
    assert [texts for texts, _ in one] == [texts for texts, _ in other]
    assert [pixels for _, pixels in one] != [pixels for _, pixels in other]
