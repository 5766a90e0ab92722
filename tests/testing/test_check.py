"""What every game must hold: a game that breaks a promise is caught."""

from collections.abc import Callable, Iterator
from itertools import count
from random import Random
from typing import Any

import msgspec
import pytest

from companion.errors import IllegalAnswer, RulesCrashed, RulesDifferFromLog, UserError
from companion.requests import Amount, Choose, CountedItem, Counts, Die, Done, Roll
from companion.rules.game import Game, RulebookCoroutine
from companion.rules.scene import CountCell, ProgressTrack, Scene, SeatMat
from companion.table.ledger import Piece
from companion.table.scores import GameResult, ScoreLine, rank_seats
from companion.table.table import Table
from companion.testing import check_game
from companion.testing.game_check import _expect_refusal
from companion.testing.random_game import RandomGame, play_randomly_to_end
from companion.texts import say
from tests.support.fair_game import FAIR_GAME
from tests.support.stall_game import play_stall

COIN, BANK, PURSE = Piece("coin", say("coin")), say("bank"), say("purse")
MENU = {"go": say("Go on"), "stop": say("Stop")}
CHANCE: Iterator[int] = count()

Rules = Callable[[Table], Any]


def over(table: Table) -> GameResult:
    """Nobody wins."""
    return rank_seats(table.seats, lambda seat: 0, lambda seat: ())


async def asks_until_stop(table: Table) -> bool:
    """Whether the table goes on."""
    return await Choose(None, say("What now?"), dict(MENU)) == "go"


async def makes_coins(table: Table) -> GameResult:
    """Lays coins on the table long after it began."""
    while await asks_until_stop(table):
        table.supply_from_box(table.account(COIN, BANK))
    return over(table)


async def has_no_end(table: Table) -> GameResult:
    """Goes on whatever is answered."""
    while True:
        await Done(None, say("Go on."))


async def sums_badly(table: Table) -> GameResult:
    """Mixes what counts with what is for information."""
    await Done(None, say("Go on."))
    lines = (ScoreLine(say("points"), 1), ScoreLine(say("cards"), 2))
    return rank_seats(table.seats, lambda seat: 1, lambda seat: lines)


async def remembers_too_much(table: Table) -> GameResult:
    """Asks what follows from something outside of the game."""
    while await asks_until_stop(table):
        await Done(None, say("Step {n}", n=next(CHANCE)))
    return over(table)


async def plays_with_time(table: Table) -> GameResult:
    """Moves what no answer decides."""
    bank, purse = table.supply_from_box(table.account(COIN, BANK), 1_000_000), table.account(COIN, PURSE)
    while await asks_until_stop(table):
        table.move(bank, purse, next(CHANCE) + 1)
    return over(table)


class Guess(Amount, frozen=True, eq=False):
    """An amount whose sample isn't legal."""

    def random_legal_answer(self, rng: Random) -> int:
        """One too many."""
        return 10 + rng.randrange(2)


async def samples_badly(table: Table) -> GameResult:
    """Asks for an amount whose samples aren't legal."""
    await Guess(table.seats[0], say("How much?"), 0, 9)
    return over(table)


class Gullible(Amount, frozen=True, eq=False):
    """An amount that takes JSON's true for a number."""

    def parse_answer(self, json_value: object) -> int:
        """Whatever Python can make a number of."""
        try:
            return int(json_value)  # type: ignore[call-overload,no-any-return]  # that is the mistake
        except (TypeError, ValueError):
            raise IllegalAnswer(say("No.")) from None


async def takes_anything(table: Table) -> GameResult:
    """Asks until the highest number for one that may be true."""
    while await Gullible(table.seats[0], say("How much?"), 0, 9) < 9:
        pass
    return over(table)


class Generous(Counts, frozen=True, eq=False):
    """Several numbers, of which one may be below 0."""

    def check_answer(self, answer: dict[str, int] | None) -> None:
        """Anything."""


async def takes_debts(table: Table) -> GameResult:
    """Asks a few times for numbers that may be below 0."""
    table.supply_from_box(table.account(COIN, BANK))
    while await asks_until_stop(table):
        await Generous(table.seats[0], say("How many?"), {"own": CountedItem(COIN, 3)})
    return over(table)


async def counts_by_numbers(table: Table) -> GameResult:
    """Asks how many of 4 and of 6: "4 6" may be six of 4."""
    await Counts(
        None, say("Which dice?"), {"4": CountedItem(say("of 4"), 9), "6": CountedItem(say("of 6"), 9)}
    )
    return over(table)


class Loaded(Roll, frozen=True, eq=False):
    """Dice of which any number may be typed."""

    def parse_answer(self, json_value: object) -> tuple[int, ...]:
        """As many as people like."""
        if isinstance(json_value, list) and all(type(face) is int for face in json_value):
            return tuple(json_value)
        raise IllegalAnswer(say("No."))

    def check_answer(self, answer: tuple[int, ...]) -> None:
        """Anything."""


async def takes_any_dice(table: Table) -> GameResult:
    """Asks a few times for dice."""
    table.supply_from_box(table.account(COIN, BANK))
    while await asks_until_stop(table):
        await Loaded(table.seats[0], say("Roll."), (Die(say("die"), (1, 2)),))
    return over(table)


class Boundless(Amount, frozen=True, eq=False):
    """An amount whose limits can't be written."""

    @property
    def limits_json(self) -> dict[str, Any]:
        """Infinite."""
        return {"most": float("inf")}


async def has_no_limits(table: Table) -> GameResult:
    """Asks for what JSON can't say."""
    await Boundless(table.seats[0], say("How much?"))
    return over(table)


def game(rules: Rules, players: tuple[int, int] = (2, 3)) -> Game:
    """A game of these rules."""

    def play(table: Table) -> RulebookCoroutine:
        return rules(table)  # type: ignore[no-any-return]  # a coroutine

    return Game("broken", 1, say("Broken"), players, play)


@pytest.mark.without_coverage
@pytest.mark.parametrize(
    ("rules", "error", "why"),
    [
        (makes_coins, AssertionError, "pieces were made or lost before 2"),
        (has_no_end, AssertionError, "after 10000 answers the game still asks"),
        (remembers_too_much, RulesDifferFromLog, "” is no longer possible"),
        (plays_with_time, AssertionError, "replays to another table"),
        (samples_badly, IllegalAnswer, "Aki can answer at most 9"),
        (takes_anything, AssertionError, "took True"),
        (takes_debts, AssertionError, "took {'own': -1}"),
        (takes_any_dice, AssertionError, r"took \[\]"),
        (counts_by_numbers, AssertionError, "Counts: Which dice. counts 4, 6: a key is a word"),
        (sums_badly, AssertionError, "Aki's lines that count don't add up to 1"),
        (has_no_limits, ValueError, "not JSON compliant"),
        (play_stall, RulesCrashed, "The rules of Broken crashed here"),
    ],
)
def test_a_broken_promise_is_caught(rules: Rules, error: type[Exception], why: str) -> None:
    """The error says what is wrong, and a note says in which game, so that it can be played again."""
    with pytest.raises(error, match=why) as caught:
        check_game(game(rules), games=20, seed=5)
    assert "check_game(broken, seed=5)" in caught.value.__notes__[0]


@pytest.mark.parametrize(
    ("cell", "why"),
    [
        (CountCell(COIN, say("attic")), "The scene of Broken names a place that isn't on its table: attic."),
        (CountCell(Piece("x", say("pearl")), BANK), "The scene of Broken names a piece .* table: pearl."),
    ],
)
def test_a_scene_of_what_is_not_on_the_table_is_caught(cell: CountCell, why: str) -> None:
    """Before anything is asked, a sentence names the first piece or place that doesn't exist."""
    broken = msgspec.structs.replace(game(takes_debts), scene=lambda setup: Scene(SeatMat(cell)))
    with pytest.raises(UserError, match=why):
        check_game(broken, games=1)


def test_a_scene_of_what_is_no_part_of_one_is_caught() -> None:
    """The author is told what stands there instead."""
    wrong: Any = ProgressTrack(say("coins"), BANK, 4)  # type: ignore[arg-type]  # what this is about
    broken = msgspec.structs.replace(game(takes_debts), scene=lambda setup: Scene(SeatMat(), (wrong,)))
    with pytest.raises(
        AssertionError,
        match=r'ProgressTrack.position must be a CountCell or a ComputedCell, not say\("bank"\)',
    ):
        check_game(broken, games=1)


def test_a_question_that_the_game_does_not_name_is_caught() -> None:
    """What a game says that it asks is all that it asks."""
    asks_rolls = msgspec.structs.replace(game(has_no_end), question_kinds=("Roll",))
    with pytest.raises(AssertionError, match=r"it asks Done, but Game\.question_kinds names only Roll"):
        check_game(asks_rolls, games=1)


def test_what_should_be_refused_and_is_not_is_caught() -> None:
    """A refusal passes; anything taken instead is said."""

    def refuses() -> None:
        raise UserError(say("No."))

    _expect_refusal(refuses, "it was taken")
    with pytest.raises(AssertionError, match="it was taken"):
        _expect_refusal(lambda: None, "it was taken")


async def removes_what_it_needs(table: Table) -> GameResult:
    """Fails as soon as people take the coins away by hand."""
    bank, purse = table.supply_from_box(table.account(COIN, BANK), 1), table.account(COIN, PURSE)
    while await asks_until_stop(table):
        table.move(bank, purse)
        table.move(purse, bank)
    return over(table)


def test_a_game_without_a_piece_keeps_the_promises() -> None:
    """Where there is nothing to move by hand, nothing is."""

    async def counts_alone(table: Table) -> GameResult:
        points = {seat: await Amount(seat, say("Points"), most=9) for seat in table.seats}
        return rank_seats(
            table.seats, points.__getitem__, lambda seat: (ScoreLine(say("points"), points[seat]),)
        )

    check_game(Game("counts", 1, say("Counts"), (1, 5), counts_alone), games=5)


def test_a_table_may_take_away_what_the_rules_need() -> None:
    """Rules that fail after a correction keep the promises, as long as the table can go back."""
    check_game(game(removes_what_it_needs), games=60)


def test_dice_and_several_numbers_keep_the_promises() -> None:
    """A game that asks for both is checked like any other."""
    check_game(FAIR_GAME, games=12)


def test_the_companion_rolls_in_about_half_of_the_cases() -> None:
    """Random games have both kinds of dice: those of the table and the companion's own."""
    vias = []
    for number in range(30):
        trial = RandomGame.begin(FAIR_GAME, number, Random(number))
        play_randomly_to_end(trial.session, trial.rng)
        vias += [step.via for step in trial.session.steps if step.asks.startswith("Roll")]  # type: ignore[union-attr]  # no corrections
    assert 0.4 < vias.count("dice") / len(vias) < 0.6
    assert set(vias) == {"dice", "sample"}
