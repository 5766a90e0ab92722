"""Majorities: who has most of something gets the first prize, and the next two get smaller ones."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rulebook import CardDesign, Say, Seat, say

PRIZE_FIELDS = ("first", "second", "third")
HELP = {
    "How many pieces does everybody have in {category}?": say(
        "Enter how many pieces each player has there. The companion works out the points; a player with 0 "
        "gets no points."
    ),
}


def prizes_of(category: CardDesign) -> list[int]:
    """The prizes of a category of points; empty if its points are entered as they are."""
    prizes = [int(category.values.get(field, 0)) for field in PRIZE_FIELDS]
    return prizes if any(prizes) else []


def count_question(category: Say) -> Say:
    """The question for the number of pieces that each player has."""
    return say("How many pieces does everybody have in {category}?", category=category)


def majority_points(counts: Mapping[Seat, int], prizes: Sequence[int], ties: str) -> dict[Seat, int]:
    """The points of each seat for its number of pieces; nobody gets points for 0 pieces.

    Tied seats take as many prizes as there are tied seats. With `split` they share the sum, rounded down;
    with `lower` or `higher` each of them gets the lowest or the highest of these prizes.
    """
    points = dict.fromkeys(counts, 0)
    for count in {*counts.values()} - {0}:
        tied = [seat for seat, other in counts.items() if other == count]
        ahead = sum(other > count for other in counts.values())
        taken = [*prizes[ahead : ahead + len(tied)], *[0] * len(tied)][: len(tied)]
        share = {"split": sum(taken) // len(tied), "lower": taken[-1], "higher": taken[0]}[ties]
        points |= dict.fromkeys(tied, share)
    return points
