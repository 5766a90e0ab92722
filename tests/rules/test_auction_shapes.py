"""The shapes of auctions that end for whoever passes, go round once, or fall."""

from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from companion.requests import Request
from companion.rules.auctions import (
    NO_PURSE_LIMITS,
    ask_bids_once_around,
    ask_open_bids,
    ask_open_bids_with_final_passes,
    offer_at_falling_price,
    offer_at_fixed_price,
)
from companion.rules.game import Game
from companion.table.ledger import Piece, Place
from companion.table.money import MoneyAtPlace, money_at
from companion.table.scores import GameResult, rank_seats
from companion.table.seats import Seat
from companion.table.table import Table
from companion.testing import Script
from companion.texts import say

LOT = Piece("lot 1", say("lot 1"))
COIN = Piece("coin", say("coin"), money_value=1)
Shape = Callable[[Table, dict[Seat, MoneyAtPlace]], Coroutine[Request[Any], Any, object]]


def played(shape: Shape, *lines: str, held: tuple[int, ...] = (10, 10, 10)) -> Script:
    """A lot sold in that way; what comes of it is told at the end."""

    async def lot(table: Table) -> GameResult:
        purses = {}
        for seat, count in zip(table.seats, held, strict=True):
            table.supply_from_box(table.account(COIN, say("purse"), seat), count)
            purses[seat] = money_at(table.ledger, Place(say("purse"), seat))
        table.add_note(say("{end}", end=repr(await shape(table, purses))))
        return rank_seats(table.seats, lambda _: 0, lambda _: ())

    return Script(Game("lot", 1, say("Lot"), (2, 5), lot), "Aki", "Ben", "Chie").says(*lines)


def name(seat: Seat | None) -> str:
    """Its name; - for nobody."""
    return seat.name if seat else "-"


def named(bids: dict[Seat, int]) -> dict[str, int]:
    """The bids by name."""
    return {seat.name: bid for seat, bid in bids.items()}


async def finally_out(table: Table, held: dict[Seat, MoneyAtPlace]) -> object:
    """Whoever withdraws is out."""
    bids, out = await ask_open_bids_with_final_passes(table.seats, LOT, min_bid=2, bid_step=2, purses=held)
    return named(bids), [*map(name, out)]


async def round_once(table: Table, held: dict[Seat, MoneyAtPlace]) -> object:
    """One bid each."""
    return named(await ask_bids_once_around(table.seats, LOT, max_bid=8, purses=held))


async def for_seven(table: Table, held: dict[Seat, MoneyAtPlace]) -> object:
    """One price, in turn."""
    return name(await offer_at_fixed_price(table.seats, LOT, 7, held))


async def falling(table: Table, held: dict[Seat, MoneyAtPlace]) -> object:
    """From 9 down by 3."""
    taker, price = await offer_at_falling_price(table.seats, LOT, range(9, 0, -3), held)
    return name(taker), price


def end(script: Script) -> str:
    """What came of it."""
    assert script.session.result
    return script.last_notes[-1]


@pytest.mark.parametrize(
    ("lines", "comes"),
    [
        ("Aki 2, Ben 4, Chie withdraws, Aki withdraws", ({"Aki": 2, "Ben": 4}, ["Chie", "Aki"])),
        ("Aki withdraws, Ben withdraws, Chie withdraws", ({}, ["Aki", "Ben", "Chie"])),
        ("Aki withdraws, Ben withdraws, Chie 2", ({"Chie": 2}, ["Aki", "Ben"])),
        ("Aki 2, Ben withdraws, Chie 6, Aki 8, Chie withdraws", ({"Aki": 8, "Chie": 6}, ["Ben", "Chie"])),
    ],
)
def test_whoever_withdraws_is_out(lines: str, comes: object) -> None:
    """The last who is left wins, but nobody who hasn't bid."""
    assert end(played(finally_out, *lines.split(", "))) == repr(comes)


async def never_out(table: Table, held: dict[Seat, MoneyAtPlace]) -> object:
    """Whoever passes may bid again."""
    return name((await ask_open_bids(table.seats, LOT, purses=held)).winner)


@pytest.mark.parametrize(
    ("shape", "lines", "passed"),
    [
        (never_out, ["Aki 2", "Ben passes", "Chie passes"], None),
        (never_out, ["Aki 2", "Ben passes"], ["Ben"]),
        (never_out, ["Aki passes", "Ben 2", "Chie 3"], []),
        (never_out, ["Aki passes", "Ben 2"], ["Aki"]),
        (never_out, ["Aki passes", "Ben 2", "Chie 3", "Aki 4"], []),
        (never_out, ["Aki 2", "Ben 3", "Chie passes", "Aki passes"], None),
        (round_once, ["Aki passes", "Ben 2"], ["Aki"]),
    ],
)
def test_everybody_is_told_who_has_passed(shape: Shape, lines: list[str], passed: list[str] | None) -> None:
    """Whoever has passed counts as such until they are asked again or the auction ends."""
    question = played(shape, *lines).session.question
    seats = None if question is None else getattr(question, "passed_seats", ())
    assert (None if seats is None else [seat.name for seat in seats]) == passed


def test_final_bids_keep_to_step_and_purse() -> None:
    """A step of 2 from 2 on, and nobody above the purse."""
    script = played(finally_out, held=(10, 3, 10))
    assert script.refuses("Aki 3") == "Aki must bid 2 or more, in steps of 2."
    assert script.says("Aki 2").refuses("Ben 4") == "Ben can't bid for lot 1 now and must withdraw."


@pytest.mark.parametrize(
    ("lines", "comes"),
    [
        ("Aki 2, Ben passes, Chie 3", {"Aki": 2, "Chie": 3}),
        ("Aki passes, Ben passes, Chie passes", {}),
        ("Aki 8, Ben passes, Chie passes", {"Aki": 8}),
    ],
)
def test_once_around(lines: str, comes: object) -> None:
    """Everybody bids more or passes, once; the last who sits there may have the last word."""
    assert end(played(round_once, *lines.split(", "))) == repr(comes)


@pytest.mark.parametrize(
    ("lines", "comes"),
    [
        ("Aki: pass, Ben: take", "Ben"),
        ("Aki: take", "Aki"),
        ("Aki: pass, Ben: pass, Chie: pass", "-"),
    ],
)
def test_a_fixed_price(lines: str, comes: str) -> None:
    """The first in turn who wants it takes it."""
    assert end(played(for_seven, *lines.split(", "))) == repr(comes)


def test_a_fixed_price_needs_the_money() -> None:
    """Who hasn't so much sees why not, and can pass."""
    script = played(for_seven, held=(6, 7, 0))
    assert script.refuses("Aki: take") == "Aki can't pay 7."
    assert end(script.says("Aki: pass", "Ben: take")) == "'Ben'"


@pytest.mark.parametrize(
    ("lines", "comes"),
    [
        ("Ben: 2", ("Ben", 9)),
        ("Aki: pass, Chie: 3", ("Chie", 6)),
        ("Aki: pass, Ben: pass, Aki: pass", ("-", 0)),
        ("time is up, Ben: 2", ("Ben", 6)),
    ],
)
def test_a_falling_price(lines: str, comes: object) -> None:
    """All are asked at each price; the first has it, and silence lets it fall."""
    assert end(played(falling, *lines.split(", "))) == repr(comes)


def test_a_falling_price_says_what_it_is_and_what_comes_then() -> None:
    """As a number, so that nobody has to read it out of the question; the last has no next."""
    script = played(falling)
    assert script.open_question_limits["falling"] == {"price": 9, "then": 6}
    assert script.says("Aki: pass").open_question_limits["falling"] == {"price": 6, "then": 3}
    assert script.says("Aki: pass").open_question_limits["falling"] == {"price": 3, "then": None}
    assert set(script.open_question_limits["options"].values()) == {"Aki", "Ben", "Chie", "Nobody yet"}


def test_only_who_has_so_much_takes_a_falling_price() -> None:
    """The others are there, with the reason, until the price is theirs."""
    script = played(falling, held=(10, 6, 0))
    assert [seat.name for seat in script.question.seats] == ["Aki", "Ben", "Chie"]
    assert script.open_question_limits["cant"] == {"2": "Ben can't pay 9.", "3": "Chie can't pay 9."}
    assert script.refuses("Ben: 2") == "Ben can't pay 9."
    assert end(script.says("Aki: pass", "Ben: 2")) == "('Ben', 6)"


def test_what_lies_covered_is_only_checked() -> None:
    """No key tells whose purse is too small; the refusal doesn't either."""

    async def covered(table: Table, _: dict[Seat, MoneyAtPlace]) -> object:
        held = {}
        for seat in table.seats:
            bag = table.covered_account(COIN, say("bag"), seat)
            held[seat] = MoneyAtPlace(bag.place, (table.supply_from_box(bag, 5),))
        return name(await offer_at_fixed_price(table.seats, LOT, 7, held))

    script = played(covered)
    assert "cant" not in script.open_question_limits
    assert script.refuses("Aki: take") == "Aki can't pay 7."


def test_where_nobody_pays_nothing_limits() -> None:
    """Without purses every price can be taken."""

    async def free(table: Table, _: dict[Seat, MoneyAtPlace]) -> object:
        taker, price = await offer_at_falling_price(table.seats, LOT, [999], NO_PURSE_LIMITS)
        return name(taker), price, name(await offer_at_fixed_price(table.seats, LOT, 999))

    assert end(played(free, "Chie: 3", "Aki: take")) == "('Chie', 999, 'Aki')"
