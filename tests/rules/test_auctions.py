"""Auction shapes that several games share."""

from collections.abc import Mapping

import pytest

from companion.bounds import MAX_NUMBER
from companion.errors import IllegalAnswer
from companion.requests import Choose, Request, Together
from companion.rules.auctions import (
    WINNER_RULE_BY_KEY,
    EmptiestPurseLimit,
    ask_sealed_bids,
    ask_until_all_others_pass,
    describe_bids,
    highest_bidders,
    highest_unique_bidders,
    lowest_bidders,
    payable_sealed_bid_limit,
    payments_due,
)
from companion.rules.game import Game
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.table.scores import GameResult, ScoreLine, rank_seats
from companion.table.seats import Seat, make_seats
from companion.table.table import Table
from companion.testing import Script
from companion.texts import render, say

AKI, BEN, CHIE = make_seats(["Aki", "Ben", "Chie"])


async def one_lot(table: Table) -> GameResult:
    """One auction in which a bid needs no amount."""

    async def turn(seat: Seat) -> bool:
        return await Choose(seat, say("Bid?"), {"bid": say("bid"), "pass": say("pass")}) == "bid"

    winner = await ask_until_all_others_pass(table.seats, turn)
    return rank_seats(table.seats, lambda seat: int(seat == winner), lambda _: (ScoreLine(say("won"), 1),))


LOT = Game("lot", 1, say("Lot"), (2, 5), one_lot)


@pytest.mark.parametrize(
    ("turns", "winners"),
    [
        ("Aki bid, Ben pass, Chie pass", ["Aki"]),
        ("Aki pass, Ben pass, Chie pass", []),
        ("Aki pass, Ben bid, Chie pass, Aki bid, Ben bid, Chie pass, Aki pass", ["Ben"]),
        ("Aki pass, Ben pass, Chie bid, Aki pass, Ben pass", ["Chie"]),
    ],
)
def test_a_pass_is_not_final(turns: str, winners: list[str]) -> None:
    """All others in a row since the last bid, or everybody without any, must pass."""
    lot = Script(LOT, "Aki", "Ben", "Chie").says(*turns.split(", "))
    ahead = [one["seat"] for one in lot.result_json["standings"] if one["total"]]
    assert ahead == winners


@pytest.mark.parametrize(
    ("bids", "least", "best"),
    [
        ({}, 1, []),
        ({AKI: 0, BEN: 0}, 1, []),
        ({AKI: 0, BEN: 0}, 0, [AKI, BEN]),
        ({AKI: 3, BEN: 5, CHIE: 4}, 1, [BEN]),
        ({AKI: 5, BEN: 2, CHIE: 5}, 1, [AKI, CHIE]),
        ({AKI: 5, BEN: 2}, 6, []),
    ],
)
def test_the_highest_bids(bids: Mapping[Seat, int], least: int, best: list[Seat]) -> None:
    """All who made the best bid, if it is at least the least."""
    assert highest_bidders(bids, least) == best


@pytest.mark.parametrize(
    ("made", "most", "least", "alone"),
    [
        ((3, 5, 4), [BEN], [AKI], [BEN]),
        ((0, 5, 4), [BEN], [CHIE], [BEN]),
        ((0, 0, 4), [CHIE], [CHIE], [CHIE]),
        ((0, 0, 0), [], [], []),
        ((5, 5, 4), [AKI, BEN], [CHIE], [CHIE]),
        ((4, 5, 4), [BEN], [AKI, CHIE], [BEN]),
        ((2, 2, 2), [AKI, BEN, CHIE], [AKI, BEN, CHIE], []),
        ((0, 3, 3), [BEN, CHIE], [BEN, CHIE], []),
    ],
)
def test_what_wins_a_sealed_round(
    made: tuple[int, ...], most: list[Seat], least: list[Seat], alone: list[Seat]
) -> None:
    """The highest, the lowest or the highest that nobody shares; 0 is no bid whatever wins."""
    bids = dict(zip((AKI, BEN, CHIE), made, strict=True))
    assert (highest_bidders(bids), lowest_bidders(bids), highest_unique_bidders(bids)) == (most, least, alone)
    assert [best(bids) for best in WINNER_RULE_BY_KEY.values()] == [most, least, alone]


@pytest.mark.parametrize(
    ("pays", "ahead", "paid"),
    [
        ("winner", [BEN], {BEN: 5}),
        ("winner", [AKI, BEN], {}),
        ("winner", [], {}),
        ("second", [BEN], {BEN: 3}),
        ("second", [CHIE], {CHIE: 5}),
        ("second", [AKI, BEN], {}),
        ("all", [BEN], {AKI: 3, BEN: 5}),
        ("all", [AKI, BEN], {AKI: 3, BEN: 5}),
        ("nobody", [BEN], {}),
    ],
)
def test_who_pays(pays: str, ahead: list[Seat], paid: dict[Seat, int]) -> None:
    """The lone winner the own or the second bid, everybody who bid, or nobody; 0 is nothing to pay."""
    assert payments_due({AKI: 3, BEN: 5, CHIE: 0}, ahead, pays) == paid


def test_the_second_price_of_a_lone_bid_is_nothing() -> None:
    """Who bids against nobody pays nothing."""
    assert payments_due({AKI: 3, BEN: 0}, [AKI], "second") == {}


@pytest.mark.parametrize(
    ("wins", "price"),
    [("highest", {BEN: 5}), ("lowest", {CHIE: 3}), ("unique", {BEN: 5})],
)
def test_the_second_price_is_the_next_best_in_the_order_that_wins(wins: str, price: dict[Seat, int]) -> None:
    """Where the lowest wins, the next lowest; where none may be shared, the next that nobody shares."""
    bids = {AKI: 3, BEN: 7, CHIE: 2} | ({AKI: 5} if wins != "lowest" else {})
    best = WINNER_RULE_BY_KEY[wins]
    assert payments_due(bids, best(bids), "second", best) == price
    shared = {AKI: 3, BEN: 7, CHIE: 3}
    assert payments_due(shared, [BEN], "second", highest_unique_bidders) == {}


def test_bids_that_were_made_are_named() -> None:
    """No bid is none."""
    assert render(describe_bids({AKI: 3, BEN: 0, CHIE: 4})) == "Aki 3, Chie 4"


def purse(seat: Seat, count: int, *, covered: bool = False) -> Account:
    """What a seat has."""
    ledger, coin = Ledger(), Piece("coin", say("coin"))
    return ledger.supply_from_box(
        ledger.open_account(Place(say("purse"), seat), coin, covered=covered), count
    )


def test_the_emptiest_purse_limits_all_but_tells_of_no_covered_one() -> None:
    """The least of the open purses in which something lies, and no more than the table's limit."""
    aki, ben, chie = purse(AKI, 9), purse(BEN, 0), purse(CHIE, 4)
    assert (EmptiestPurseLimit((aki, ben, chie)).count, EmptiestPurseLimit((aki, ben, chie), 3).count) == (
        4,
        3,
    )
    hidden = EmptiestPurseLimit((aki, purse(CHIE, 4, covered=True)))
    assert (hidden.count, hidden.covered) == (9, False)
    for nothing_open in ((ben,), (ben, purse(CHIE, 4, covered=True))):
        assert (EmptiestPurseLimit(nothing_open).count, EmptiestPurseLimit(nothing_open, 3).count) == (
            MAX_NUMBER,
            3,
        )


def test_what_no_bid_may_exceed() -> None:
    """The table's limit, beside the own purse; with a lowest bid that may pay any bid the emptiest purse."""
    held = {AKI: purse(AKI, 9)}
    for purses in (held, {}):
        assert (
            payable_sealed_bid_limit(5, purses, "lowest", "winner"),
            payable_sealed_bid_limit(None, purses, "lowest", "winner"),
        ) == (5, None)
    assert payable_sealed_bid_limit(None, held, "lowest", "second") == EmptiestPurseLimit((held[AKI],))
    assert payable_sealed_bid_limit(None, {}, "lowest", "second") is None
    covered = {AKI: purse(AKI, 9, covered=True), BEN: purse(BEN, 4, covered=True)}
    assert payable_sealed_bid_limit(None, covered, "lowest", "second") is None
    some = {**covered, **held}
    assert payable_sealed_bid_limit(5, some, "lowest", "second") == EmptiestPurseLimit(
        tuple(some.values()), 5
    )


@pytest.mark.parametrize(
    ("covered", "most", "known"),
    [
        ("", [3, 3, 3], [3, 3, 3]),
        ("Aki", [3, 3, 3], [3, 3, 3]),
        ("Chie", [5, 5, 3], [5, 5, 5]),
        ("Aki Ben Chie", [9, 5, 3], [None, None, None]),
    ],
)
def test_a_covered_purse_limits_only_its_owner(covered: str, most: list[int], known: list[int]) -> None:
    """Where the lowest pays the second, open purses limit everybody; of the covered ones nothing is told."""
    purses = {
        seat: purse(seat, count, covered=seat.name in covered)
        for seat, count in zip((AKI, BEN, CHIE), (9, 5, 3), strict=True)
    }
    limit = payable_sealed_bid_limit(None, purses, "lowest", "second")
    asked = ask_sealed_bids(say("Sealed bid"), say("Your bid?"), [*purses], limit, purses).send(None)
    assert isinstance(asked, Together)
    parts = [asked.parts_by_seat[seat] for seat in purses]
    assert [part.limits_json["most"] for part in parts] == known
    assert [highest_taken(part) for part in parts] == most


def highest_taken(part: Request[int]) -> int:
    """The highest bid that isn't refused."""
    return next(bid for bid in range(MAX_NUMBER) if not is_taken(part, bid + 1))


def is_taken(part: Request[int], bid: int) -> bool:
    """Whether a bid is legal."""
    try:
        part.check_answer(bid)
    except IllegalAnswer:
        return False
    return True
