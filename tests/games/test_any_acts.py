"""The acts of three evenings that the page of Any Game counts for others: of the very evenings we play."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.games.test_any_evenings import FOUR, SALES, properties

DOCS = Path(__file__).parents[2] / "docs"
OTHERS = len(FOUR) - 1
"""Number of players who pay whoever is paid by everybody."""
UNIT = {"rent": 5, "bank": 3, "fine": 3, "salary": 3, "everybody": 2 + 3 * OTHERS}
PHONE = {"rent": 1, "bank": 1, "fine": 1, "salary": 1, "everybody": OTHERS}
LINES = {"rent": 2, "bank": 1, "fine": 2, "salary": 1, "everybody": OTHERS + 1}
"""What the unit, BoardBank and 18SH want for each kind of payment: see the page."""


def turns() -> Counter[str]:
    """How often somebody pays in which way."""
    found = Counter[str]()
    for act in properties(Counter()):
        payer, payee, _ = act.split() if isinstance(act, str) else ("bank", "", "")
        kinds = {"all": "everybody", "bank": "salary"}
        found[kinds.get(payer) or {"bank": "bank", "fines": "fine"}.get(payee, "rent")] += 1
    return found


def test_the_turns_are_those_of_the_page() -> None:
    """What was counted is said on it."""
    assert turns() == {"rent": 28, "bank": 14, "fine": 10, "salary": 14, "everybody": 14}
    assert sum(winner == FOUR[at % 4] for at, (_, winner, _) in enumerate(SALES)) == 3


@pytest.mark.parametrize("page", ["games/any_game_compared.md", "ja/games/any_game_compared.md"])
@pytest.mark.parametrize(
    ("evening", "acts"),
    [
        (
            "property",
            [82, *(sum(each[kind] * n for kind, n in turns().items()) for each in (UNIT, PHONE, LINES))],
        ),
        ("tricks", [110, 60]),
        ("pictures", [31, 7 * 5 + 3 * 3, 10, 7 * 3 + 3 * 2]),
    ],
)
def test_the_page_has_these_numbers(page: str, evening: str, acts: list[int]) -> None:
    """In one row of its table; ours are counted on the window."""
    rows: Mapping[str, str] = {
        key: line
        for line in (DOCS / page).read_text(encoding="utf-8").splitlines()
        for key, starts in {
            "property": ("| property trading, four", "| 不動産の売買、4人"),
            "tricks": ("| tricks under contract, five", "| ビッド制トリックテイキング、5人"),
            "pictures": ("| ten pictures", "| 売り手のいる絵"),
        }.items()
        if line.startswith(starts)
    }
    assert [number for number in acts if str(number) not in rows[evening].partition("|")[2]] == []
