"""Change: which notes go where so that an amount is paid."""

from collections.abc import Iterator, Mapping
from itertools import product

import pytest

from companion.bounds import MAX_NUMBER
from companion.errors import IllegalAnswer
from companion.table.ledger import Ledger, Piece, Place
from companion.table.money import (
    NotePaymentLimits,
    PaidNoteCounts,
    find_fewest_notes,
    money_at,
    plan_moves_of_several_payments,
    plan_payment_moves,
)
from companion.table.seats import make_seats
from companion.texts import Say, render, say

AKI, BEN = (Place(say("purse"), seat) for seat in make_seats(["Aki", "Ben"]))
BANK, POT = Place(say("bank")), Place(say("pot"))


def cost(counts: PaidNoteCounts) -> tuple[int, int]:
    """How many notes move, and how many of them come back."""
    return sum(map(abs, counts)), sum(max(-count, 0) for count in counts)


def every(notes: list[NotePaymentLimits]) -> Iterator[tuple[int, PaidNoteCounts]]:
    """Each amount that can be made, in every way."""
    for counts in product(*[range(-note.max_change, note.max_paid + 1) for note in notes]):
        yield sum(note.value * count for note, count in zip(notes, counts, strict=True)), counts


@pytest.mark.sweep(3)
@pytest.mark.parametrize("worths", [(1,), (1, 5), (5, 10), (2, 3), (3, 4, 6), (1, 5, 25), (5, 5), (4, 7, 9)])
def test_no_way_is_shorter(worths: tuple[int, ...]) -> None:
    """Of all small purses every amount is paid with the fewest notes, and what can't be made isn't."""
    many = len(worths)
    for given, back in product(product(range(3), repeat=many), product(range(2), repeat=many)):
        notes = [NotePaymentLimits(*one) for one in zip(worths, given, back, strict=True)]
        best: dict[int, tuple[int, int]] = {}
        for amount, counts in every(notes):
            best[amount] = min(best.get(amount, cost(counts)), cost(counts))
        for amount in range(min(best) - 1, max(best) + 2):
            found = find_fewest_notes(amount, notes)
            assert (found and cost(found)) == best.get(amount), (notes, amount)
            if found is not None:
                assert all(
                    -one.max_change <= many <= one.max_paid for one, many in zip(notes, found, strict=True)
                )
                assert sum(one.value * many for one, many in zip(notes, found, strict=True)) == amount


def test_the_order_of_notes_makes_no_difference() -> None:
    """What is found is told in the order in which the notes were given."""
    notes = [
        NotePaymentLimits(25, 3, 0),
        NotePaymentLimits(10, 1, 0),
        NotePaymentLimits(5, 2, 4),
        NotePaymentLimits(1, 0, 9),
    ]
    found = find_fewest_notes(37, notes)
    assert found == (1, 1, 1, -3)
    assert find_fewest_notes(37, notes[::-1]) == found[::-1]


@pytest.mark.parametrize("amount", [99_999, 999_999_937])
def test_large_amounts_take_no_time(amount: int) -> None:
    """A bank that never runs out pays whatever anybody counts, and one that can't isn't searched for long."""
    bank = [NotePaymentLimits(worth, MAX_NUMBER, 20) for worth in (1, 5, 10, 20, 50, 100, 500)]
    found = find_fewest_notes(amount, bank)
    assert found is not None
    assert sum(one.value * count for one, count in zip(bank, found, strict=True)) == amount
    assert (
        find_fewest_notes(amount, [NotePaymentLimits(worth, MAX_NUMBER, 20) for worth in (6, 10, 15 * 2, 50)])
        is None
    )


def laid(lying: Mapping[Place, tuple[int, ...]], *, endless: bool = False, debt: int = 0) -> Ledger:
    """A table with notes of 1, 5 and 25 at these places; Aki may owe so many ones."""
    ledger = Ledger()
    for place, counts in lying.items():
        for worth, count in zip((1, 5, 25), counts, strict=True):
            note = Piece(
                f"note {worth}", say("{worth} note", worth=worth), is_endless=endless, money_value=worth
            )
            owes = debt if place is AKI and worth == 1 else None if place is BANK else 0
            ledger.supply_from_box(ledger.open_account(place, note, max_debt=owes), count)
    return ledger


def pays(ledger: Ledger, source: Place, target: Place, amount: int) -> list[str]:
    """The moves of a payment, which are made; what is held differs by it afterwards and nothing else does."""
    before = {place: money_at(ledger, place).total_value for place in (AKI, BEN, BANK, POT)}
    moves = plan_payment_moves(ledger, source, target, amount)
    for one in moves:
        ledger.transfer(
            ledger.open_account(one.source, one.piece), ledger.open_account(one.target, one.piece), one.count
        )
    before[source] -= amount
    before[target] += amount
    assert {place: money_at(ledger, place).total_value for place in before} == before
    return [
        f"{one.count} × {one.piece.money_value}: "
        f"{one.source.key_with_player_name} → {one.target.key_with_player_name}"
        for one in moves
    ]


def test_who_is_paid_gives_change() -> None:
    """Pay 37 is one act: 25 and three 5s go, three ones come back."""
    ledger = laid({AKI: (0, 4, 1), BEN: (9, 0, 0), BANK: (0, 0, 0)})
    assert pays(ledger, AKI, BEN, 37) == [
        "3 × 1: Ben/purse → Aki/purse",
        "3 × 5: Aki/purse → Ben/purse",
        "1 × 25: Aki/purse → Ben/purse",
    ]


def test_else_the_bank_changes() -> None:
    """Ben has nothing to give back, so the bank takes Aki's notes, gives change and pays on."""
    ledger = laid({AKI: (0, 0, 2), BEN: (0, 0, 0), BANK: (20, 9, 4)})
    assert pays(ledger, AKI, BEN, 37) == [
        "3 × 1: bank → Aki/purse",
        "2 × 5: bank → Aki/purse",
        "2 × 25: Aki/purse → bank",
        "2 × 1: bank → Ben/purse",
        "2 × 5: bank → Ben/purse",
        "1 × 25: bank → Ben/purse",
    ]
    assert money_at(ledger, AKI).total_value == 13


def test_a_pot_pays_and_owes_nothing() -> None:
    """Only the bank never runs out: a pot of endless chips has what lies there."""
    ledger = laid({AKI: (0, 0, 2), BEN: (0, 0, 0), BANK: (0, 0, 0), POT: (3, 1, 0)}, endless=True)
    with pytest.raises(IllegalAnswer, match="pot has only 8, not 9"):
        plan_payment_moves(ledger, POT, AKI, 9)
    assert pays(ledger, POT, BEN, 7)
    assert money_at(ledger, POT).total_value == 1
    assert pays(ledger, BANK, POT, 999)


def test_what_is_lacking_is_owed_only_where_the_table_lends() -> None:
    """As far as the template allows; never silently less."""
    ledger = laid({AKI: (2, 0, 1), BEN: (9, 9, 9), BANK: (9, 9, 9)}, debt=50)
    assert pays(ledger, AKI, BEN, 60)
    assert money_at(ledger, AKI).total_value == -33
    assert money_at(ledger, AKI).count == 17
    with pytest.raises(IllegalAnswer, match="Aki has only -33, not 18"):
        plan_payment_moves(ledger, AKI, BEN, 18)


def refused(ledger: Ledger, source: Place, target: Place, amount: int) -> str:
    """Why it can't be paid."""
    with pytest.raises(IllegalAnswer) as refusal:
        plan_payment_moves(ledger, source, target, amount)
    return render(refusal.value.text)


def test_what_is_no_payment_is_refused() -> None:
    """Nothing, to oneself, and what no notes make."""
    ledger = laid({AKI: (0, 1, 2), BEN: (0, 0, 0), BANK: (0, 9, 0)})
    assert (
        refused(ledger, AKI, AKI, 5)
        == "Nothing can move from Aki's purse to the same place. Choose two places."
    )
    assert refused(ledger, AKI, BEN, 0) == "Move at least 1 piece, not 0."
    assert refused(ledger, AKI, BEN, 3) == "These notes can't add up to 3. Change some notes first."
    assert refused(ledger, BANK, AKI, 3) == "These notes can't add up to 3. Change some notes first."
    assert refused(Ledger(), AKI, BEN, 3) == "There is no money on this table."


def test_a_table_without_a_bank_pays_and_refuses() -> None:
    """Where only players have money, nobody else gives change."""
    ledger = laid({AKI: (0, 1, 0), BEN: (1, 0, 0)})
    assert pays(ledger, AKI, BEN, 4)
    assert refused(ledger, BEN, AKI, 2) == "These notes can't add up to 2. Change some notes first."


def test_a_covered_purse_is_believed() -> None:
    """What lies there decides nothing: nobody finds it out by trying."""
    ledger, coin = Ledger(), Piece("coin", Say("coin"), money_value=1)
    ledger.open_account(AKI, coin, covered=True)
    for place in (BEN, BANK):
        ledger.open_account(place, coin)
    assert money_at(ledger, AKI).covered
    assert [one.count for one in plan_payment_moves(ledger, AKI, BEN, 12)] == [12]


def test_several_payments_are_one_act() -> None:
    """Each counts on what the ones before have left: Ben's ones are given back only once."""
    ledger = laid({AKI: (0, 1, 0), BEN: (1, 0, 0), POT: (0, 1, 0), BANK: (0, 0, 0)})
    assert [one.count for one in plan_moves_of_several_payments(ledger, [(AKI, BEN, 4)])] == [1, 1]
    with pytest.raises(IllegalAnswer, match="can't add up to 4"):
        plan_moves_of_several_payments(ledger, [(AKI, BEN, 4), (POT, BEN, 4)])
    with pytest.raises(IllegalAnswer, match="Aki has only 0, not 1"):
        plan_moves_of_several_payments(ledger, [(AKI, BEN, 5), (AKI, POT, 1)])
