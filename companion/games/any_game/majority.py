"""Majorities: who has most of something gets the first prize, and the next two get smaller ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from companion.rulebook import CardDesign, Say, Seat, say

PRIZE_FIELDS = ("first", "second", "third")
SPLIT = "split"
"""Word of the template for tied seats that share the points of their prizes."""
HELP = {
    "How many pieces does everybody have in {category}?": say(
        "Enter how many pieces each player has there. The companion works out the points; a player with 0 "
        "gets no points."
    ),
}


def majority_prizes(category_design: CardDesign) -> list[int]:
    """Returns the prizes for most pieces in a category; empty if points are entered directly."""
    prizes = [int(category_design.values.get(field, 0)) for field in PRIZE_FIELDS]
    return prizes if any(prizes) else []


def piece_count_question(category_label: Say) -> Say:
    """Returns the question how many pieces of a category each player has."""
    return say("How many pieces does everybody have in {category}?", category=category_label)


def majority_points(
    count_by_seat: Mapping[Seat, int], prizes: Sequence[int], tie_rule: str
) -> dict[Seat, Fraction]:
    """Returns the exact points of each seat for its number of pieces.

    Nobody gets points for 0 pieces. Tied seats take as many prizes as there are tied seats. With `split`
    they share the sum; with `lower` or `higher` each of them gets the lowest or the highest
    of these prizes. With `next` each of them gets the prize after the first of these, and seats behind them
    go on after that prize.
    """
    if tie_rule == "next":
        return {
            seat: Fraction(points)
            for seat, points in _points_with_next_prize_for_ties(count_by_seat, prizes).items()
        }
    points = dict.fromkeys(count_by_seat, Fraction(0))
    for count in {*count_by_seat.values()} - {0}:
        tied_seats = [seat for seat, other_count in count_by_seat.items() if other_count == count]
        seats_ahead = sum(other_count > count for other_count in count_by_seat.values())
        taken_prizes = [*prizes[seats_ahead : seats_ahead + len(tied_seats)], *[0] * len(tied_seats)][
            : len(tied_seats)
        ]
        share = {
            SPLIT: Fraction(sum(taken_prizes), len(tied_seats)),
            "lower": Fraction(taken_prizes[-1]),
            "higher": Fraction(taken_prizes[0]),
        }[tie_rule]
        points |= dict.fromkeys(tied_seats, share)
    return points


def _points_with_next_prize_for_ties(
    count_by_seat: Mapping[Seat, int], prizes: Sequence[int]
) -> dict[Seat, int]:
    """Returns the points if tied seats use up their own prize, and each of them gets the next lower one.

    Counts of 4, 4, 4 and 3 with the prizes 5, 3 and 1 score 3, 3, 3 and 1 points.
    """
    points, remaining_prizes = dict.fromkeys(count_by_seat, 0), iter(prizes)
    for count in sorted({*count_by_seat.values()} - {0}, reverse=True):
        tied_seats = [seat for seat, other_count in count_by_seat.items() if other_count == count]
        prize = next(remaining_prizes, 0)
        if len(tied_seats) > 1:
            prize = next(remaining_prizes, 0)
        points |= dict.fromkeys(tied_seats, prize)
    return points
