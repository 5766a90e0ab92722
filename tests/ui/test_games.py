"""One whole game of each rulebook on the real window: nothing is cut, whatever is asked."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.requests import Amount, Choose, Counts, Done, Raise, Roll, Together
from tests.ui.cuts import check_whole
from tests.ui.evening import app_for
from tests.ui.shelf import SIZES
from tests.ui.test_play import check_all

NAMES = ["Emmanuelle", "Ben", "ちえ", "ダイスケ", "Maximilian"]
COLOURS = ["orange", "sky", "green", "vermilion", "purple"]
FEW = 6
"""More touches than these for one number are typed in no time by nobody."""


def touches(question: Any, plain: Any) -> list[str]:
    """The keys that give this answer, from first to last; none where it takes too many."""
    match question:
        case Done():
            return ["done"]
        case Choose():
            return [plain]
        case Amount():
            return [*str(plain), "confirm"]
        case Raise():
            return ["way out"] if plain is None else [*str(plain), "confirm"]
        case Roll():
            return [f"die {at} {face}" for at, face in enumerate(plain, 1)]
        case Counts() if plain is None:
            return ["cant"]
        case Counts() if sum(plain.values()) <= FEW:
            return [f"more {key}" for key, count in plain.items() for _ in range(count)] + ["take"]
    return []


async def answered(table: Any, rng: Random, *, by_touch: bool) -> None:
    """The open question is answered in some legal way."""
    evening = table.app.evening
    question, n = evening.view.question, evening.view.n
    if isinstance(question, Together):
        for seat, part in question.parts.items():
            evening.draft(n, seat, part.dump(part.sample(rng)))
        if table.app.reveal is not None:
            table.app.reveal.close()
        return
    plain = question.dump(question.sample(rng))
    keys = touches(question, plain) if by_touch else []
    there = {getattr(widget, "name", None) or getattr(widget, "text", None) for widget in table.widgets()}
    if not keys or not set(keys) <= there:
        evening.answer(n, plain)
        return
    await table.tap(*keys)
    assert evening._session.steps[-1].answer == plain


@pytest.mark.parametrize(
    ("game", "players", "seed", "lang", "size"),
    [
        ("bidders", 5, 1, "en", SIZES[0]),
        ("high_bid", 4, 2, "ja", SIZES[0]),
        ("mammon", 5, 3, "ja", SIZES[0]),
        ("oyakata", 4, 4, "en", SIZES[0]),
        ("oyakata", 2, 5, "ja", SIZES[1]),
    ],
)
async def test_a_whole_game_fits_on_the_window(
    open_table: Any,
    tmp_path: Path,
    locale: Path,
    monkeypatch: pytest.MonkeyPatch,
    game: str,
    players: int,
    seed: int,
    lang: str,
    size: tuple[int, int],
) -> None:
    """Every kind of question is answered by touch when it comes first, up to the sums of the final score."""
    from ui import theme
    from ui.widgets.writing import Writing

    monkeypatch.setattr(theme, "TWICE", 0.0)
    table = await open_table(app_for(tmp_path / "state", locale, lang=lang), size)
    evening, rng, seen = table.app.evening, Random(seed), set()
    evening.begin(game, NAMES[:players], COLOURS[:players], {})
    while (question := evening.view.question) is not None:
        news = (question.kind, getattr(getattr(question, "question", None), "id", ""))
        if news not in seen:
            await table.frames(4)
            check_all(table, size)
        await answered(table, rng, by_touch=news not in seen)
        seen.add(news)
    assert len(seen) > FEW
    table.app.stage.screen.skip()
    await table.frames()
    await table.tap(NAMES[0])
    for writing in (each for each in table.widgets() if isinstance(each, Writing)):
        check_whole(writing)
