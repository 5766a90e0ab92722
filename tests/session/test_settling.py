"""From where a correction counts: small games whose rules fail in one way each."""

import pytest

from companion.errors import NoLegalContinuation, RulesCrashed
from companion.requests import Choose, OptionRequirement
from companion.rules.game import Game, RulebookCoroutine
from companion.table.ledger import Account, Piece, Place
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.testing import Script
from companion.texts import Say, say, say_n

COIN, GEM = (
    Piece("coin", say("coin"), count_label=say_n("{n} coin", "{n} coins", n=2)),
    Piece("gem", say("gem"), count_label=say_n("{n} gem", "{n} gems", n=2)),
)
PURSE, BANK = say("purse"), say("bank")
GO_ON = {"on": say("Go on")}


def purse_and_bank(table: Table, *, covered: bool = False) -> tuple[Account, Account]:
    """Aki's purse with two coins, and the bank with two."""
    purse = table.ledger.open_account(Place(PURSE, table.seats[0]), COIN, covered=covered)
    return table.supply_from_box(purse, 2), table.supply_from_box(table.account(COIN, BANK), 2)


def script(play: RulebookCoroutine | object) -> Script:
    """Aki and Ben play by these rules."""
    return Script(Game("small", 1, say("Small"), (2, 3), play), "Aki", "Ben")  # type: ignore[arg-type]  # a coroutine


def nobody(table: Table) -> GameResult:
    """No score."""
    return rank_seats(table.seats, lambda _: 0, lambda _: ())


async def spends(table: Table) -> GameResult:
    """As long as Aki has coins, one is spent, whatever lies there by then."""
    purse, bank = purse_and_bank(table)
    while purse.count:
        await Choose(None, say("Spend one"), dict(GO_ON))
        table.move(purse, bank)
    return nobody(table)


def test_a_correction_may_end_the_game() -> None:
    """Where nothing is left to be asked the game is over; undone, it goes on."""
    small = script(spends).says("table: on", "correct 1 coin from Aki/purse to bank: lost")
    assert small.session.result is not None
    assert small.says("undo", "table: on").session.result is not None


def test_asking_again_can_be_refused_too() -> None:
    """Also where people want the question asked again, the game must be able to go on."""

    async def trusts(table: Table) -> GameResult:
        purse, bank = purse_and_bank(table)
        for turn in range(3):
            await Choose(None, say("Turn {n}", n=turn), dict(GO_ON))
            if turn:
                table.move(purse, bank)
        return nobody(table)

    small = script(trusts).says("table: on")
    with pytest.raises(NoLegalContinuation):
        small.session.correct("Aki/purse", "bank", "coin", 2, "lost", ask_again=True)
    assert small["Aki/purse", "coin"] == 2
    assert small.says("table: on")["Aki/purse", "coin"] == 1


async def takes_covered(table: Table) -> GameResult:
    """One coin after the other out of a covered purse, whatever is in it."""
    purse, bank = purse_and_bank(table, covered=True)
    for turn in range(2):
        await Choose(None, say("Turn {n}", n=turn), dict(GO_ON))
        table.move(purse, bank)
    return nobody(table)


def test_what_is_covered_counts_from_now_on() -> None:
    """The question stays as it is, nothing is played again, also where the rules can't go on from there."""
    small = script(takes_covered).says("table: on")
    n = small.question_number
    assert small.session.correct("bank", "Aki/purse", "coin", 1, "so").why_asked_again is None
    assert small.question_number == n
    assert small.session.correct("Aki/purse", "bank", "coin", 2, "lost").why_asked_again is None
    with pytest.raises(RulesCrashed):
        small.says("table: on")


def test_what_fails_anyway_is_no_reason() -> None:
    """A correction may be what mends the rules: only what fails because of it counts against it."""

    async def needs_three(table: Table) -> GameResult:
        purse, bank = purse_and_bank(table)
        for turn in range(2):
            await Choose(None, say("Turn {n}", n=turn), dict(GO_ON))
            table.move(purse, bank, 3 * turn)
        return nobody(table)

    small = script(needs_three).says("table: on", "correct 1 coin from Aki/purse to bank: lost")
    assert small["Aki/purse", "coin"] == 1
    small.says("correct 2 coin from bank to Aki/purse: found", "table: on")
    assert small.session.result is not None


def test_an_option_that_only_the_correction_brings_must_go_on_too() -> None:
    """What could not be answered without the correction, and fails with it, is a reason."""

    async def opens(table: Table) -> GameResult:
        purse, _ = purse_and_bank(table)
        for turn in range(2):
            rich: dict[str, Say] = {"rich": say("Rich")} if purse.count > 2 else {}
            if await Choose(None, say("Turn {n}", n=turn), GO_ON | rich) == "rich":
                raise ZeroDivisionError
        return nobody(table)

    small = script(opens).says("table: on", "correct 1 coin from bank to Aki/purse: found")
    assert small.open_question_limits == {"options": {"on": "Go on"}}


def test_a_question_that_nobody_can_answer_does_not_stand() -> None:
    """Where no answer is legal any more the last one is asked again; where none was, nothing is worse."""

    async def buys(table: Table) -> GameResult:
        purse, bank = purse_and_bank(table)
        for turn in range(2):
            await Choose(None, say("Turn {n}", n=turn), dict(GO_ON))
            need = {"on": OptionRequirement(purse, 2, say("Too little"))}
            await Choose(None, say("Turn {n}: pay", n=turn), dict(GO_ON), need)
            table.move(purse, bank, turn)
        return nobody(table)

    small = script(buys).says("table: on", "table: on", "table: on")
    assert small.session.correct("Aki/purse", "bank", "coin", 1, "lost").why_asked_again is not None
    assert small.question_log_key == "Choose: Turn 1"
    small.says("table: on")
    assert small.session.correct("Aki/purse", "bank", "coin", 1, "lost").why_asked_again is None
    assert small.question_log_key == "Choose: Turn 1: pay"
    assert small.says("correct 2 coin from bank to Aki/purse: found", "table: on").session.result is not None


def test_where_the_answer_needs_the_correction_undo_takes_back_the_answer() -> None:
    """Undo always goes back by something: first by the answer that was played once more, then by the rest."""

    async def shows_two(table: Table) -> GameResult:
        purse, bank = purse_and_bank(table)
        for turn in range(2):
            await Choose(None, say("Turn {n}: show two", n=turn), dict(GO_ON))
            table.move(purse, bank, 2)
            table.move(bank, purse, 2)
            held: dict[str, Say] = {str(purse.count): say("So many")}
            await Choose(None, say("Turn {n}: how many?", n=turn), dict(held))
        return nobody(table)

    small = script(shows_two).says("table: on", "correct 1 coin from Aki/purse to bank: lost")
    small.says("correct 2 coin from bank to Aki/purse: found")
    assert small.open_question_limits == {"options": {"3": "So many"}}
    assert small.says("undo").question_log_key == "Choose: Turn 0: show two"
    assert small.says("undo", "undo")["Aki/purse", "coin"] == 2


def test_what_moves_under_cover_is_no_reason_to_stay() -> None:
    """What the last answer, played again, would lay elsewhere nobody sees: the question is asked anew."""

    async def saves(table: Table) -> GameResult:
        purse = table.supply_from_box(table.covered_account(COIN, PURSE, table.seats[0]), 9)
        chest = table.covered_account(COIN, say("chest"), table.seats[0])
        shelf, box = (table.supply_from_box(table.account(GEM, say(place)), 2) for place in ("shelf", "box"))
        await Choose(None, say("Save as many as there are gems"), dict(GO_ON))
        table.move(purse, chest, shelf.count)
        await Choose(None, say("How many are left?"), {str(box.count): say("So many")})
        return nobody(table)

    small = script(saves).says("table: on")
    assert small.session.correct("box", "shelf", "gem", 1, "found").why_asked_again is not None
    assert small.open_question_limits == {"options": {"1": "So many"}}
