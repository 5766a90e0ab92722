"""What every game must hold of its answers: also where several are asked at once, and of texts."""

import pytest

from companion.requests import CountedItem, Counts, Together, Write
from companion.table.scores import GameResult
from companion.table.table import Table
from companion.testing import check_game
from companion.texts import say
from tests.testing.test_check import COIN, Rules, asks_until_stop, game, over


async def counts_by_numbers_at_once(table: Table) -> GameResult:
    """Asks everybody how many of 4."""
    parts = {seat: Counts(seat, say("Which dice?"), {"4": CountedItem(COIN, 9)}) for seat in table.seats}
    await Together(say("Which dice?"), dict(parts))
    return over(table)


class Patient(Write, frozen=True, eq=False):
    """A text of any length."""

    def check_answer(self, answer: str) -> None:
        """Anything."""


async def takes_any_text(table: Table) -> GameResult:
    """Asks a few times for a text."""
    table.supply_from_box(table.account(COIN, say("bank")))
    while await asks_until_stop(table):
        await Patient(None, say("What is it called?"))
    return over(table)


@pytest.mark.without_coverage
@pytest.mark.parametrize(
    ("rules", "why"),
    [
        (counts_by_numbers_at_once, "Counts @1: Which dice. counts 4: a key is a word"),
        (takes_any_text, "Write: What is it called. took 'x"),
    ],
)
def test_a_careless_question_is_caught(rules: Rules, why: str) -> None:
    """It says which question, and what is wrong with it."""
    with pytest.raises(AssertionError, match=why):
        check_game(game(rules), games=20, seed=5)
