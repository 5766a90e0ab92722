"""Mammon's sums, each against every case there is."""

from itertools import product

import pytest

from companion.games.mammon.board import bet_value, can_split_in_several_ways, pick_most_common_foreign_coins
from companion.table.seats import Seat, make_seats

AKI, BEN, CHIE, DAI = make_seats(["Aki", "Ben", "Chie", "Dai"])


@pytest.mark.parametrize(
    ("own", "foreign", "spies", "worth"),
    [(0, 0, 0, 0), (4, 0, 0, 4), (0, 3, 0, 6), (2, 3, 0, 8), (4, 0, 1, 7), (0, 0, 2, 6), (1, 1, 1, 6)],
)
def test_what_a_bet_counts(own: int, foreign: int, spies: int, worth: int) -> None:
    """Own coins count 1, foreign coins 2, a spy 3."""
    assert bet_value(own, foreign, spies) == worth


@pytest.mark.parametrize(
    ("held", "count", "taken"),
    [
        ((4, 1, 2), 1, (1, 0, 0)),
        ((4, 1, 2), 3, (3, 0, 0)),
        ((4, 1, 2), 4, (3, 0, 1)),
        ((2, 2, 2), 4, (2, 1, 1)),
        ((0, 1, 3), 3, (0, 1, 2)),
        ((1, 1, 1), 0, (0, 0, 0)),
    ],
)
def test_most_numerous_first(held: tuple[int, ...], count: int, taken: tuple[int, ...]) -> None:
    """Each coin is of the colour held most of at that moment; among equals of the first, the next seat's."""
    assert tuple(pick_most_common_foreign_coins(_by_seat(held), count).values()) == taken


def _by_seat(counts: tuple[int, ...]) -> dict[Seat, int]:
    return dict(zip((BEN, CHIE, DAI), counts, strict=True))


def test_every_split_of_small_treasuries() -> None:
    """What is taken is held and leaves the colours as even as can be; a choice is offered if there is one."""
    for held in product(range(4), repeat=3):
        ways = list(product(*(range(count + 1) for count in held)))
        for count in range(sum(held) + 1):
            taken = tuple(pick_most_common_foreign_coins(_by_seat(held), count).values())
            possible = [way for way in ways if sum(way) == count]
            assert taken in possible
            assert _left(held, taken) == min(_left(held, way) for way in possible)
            owned = {seat: number for seat, number in _by_seat(held).items() if number}
            assert can_split_in_several_ways(owned, count) == (len(possible) > 1)


def _left(held: tuple[int, ...], taken: tuple[int, ...]) -> list[int]:
    return sorted((have - less for have, less in zip(held, taken, strict=True)), reverse=True)
