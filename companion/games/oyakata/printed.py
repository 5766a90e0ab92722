"""What is printed on the cards and boards of Oyakata, and the sums made with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.rulebook import Deck, Say, UserError, say

TILES_A_LETTER, MARKET_CARDS, MOST_WORKERS = 35, 20, 5
VALUES = {"survey": "survey_taken"} | {
    name: name for name in ("dormitory", "storage", "negotiation", "kinds")
}
"""What is printed along a track; the digging skill counts its own steps."""

Printed = Mapping[str, Sequence[int]]
"""The rows of numbers on the boards."""


# Sums


def kept_colour(stack: Sequence[str]) -> str:
    """The commonest colour of a stack, its lowest chip first; of several the one nearest the top."""
    return max(reversed(stack), key=stack.count)


def redundancy(dismissed: int) -> int:
    """What it costs to dismiss so many at once: 1, 3, 6, 10."""
    return dismissed * (dismissed + 1) // 2


class Wages(NamedTuple):
    """How many are paid and how many are not."""

    paid: int
    unpaid: int


def wages(employees: int, gold: int, each: int) -> Wages:
    """As many as the gold allows are paid."""
    paid = min(employees, gold // each)
    return Wages(paid, employees - paid)


def sale(sold: Mapping[str, int], prices: Mapping[str, int], bonus: int) -> int:
    """Today's price and the bonus for each gem."""
    return sum(number * (prices[colour] + bonus) for colour, number in sold.items())


def dearest(held: Mapping[str, int], prices: Mapping[str, int]) -> list[str]:
    """The colours with the highest price of which any is held; several where they tie."""
    best = max((prices[colour] for colour, number in held.items() if number), default=0)
    return [colour for colour, number in held.items() if number and prices[colour] == best]


# What is printed


def at(values: Sequence[int], level: int) -> int:
    """What is printed at a marker's place along a track; the last place where it was laid too far."""
    return values[min(level, len(values) - 1)]


def step_price(printed: Printed, track: str, level: int) -> int | None:
    """What the next step of a marker costs; None on its last place."""
    prices = printed[f"{track}_prices"]
    return prices[level] if level < len(prices) else None


def hire_prices(printed: Printed, workers: int) -> Sequence[int]:
    """What each further step of the worker track costs."""
    return printed["hire_prices"][workers:MOST_WORKERS]


def gem_colours(deck: Deck) -> list[str]:
    """The colours that have a price on every market card."""
    return [name for name, field in deck.fields.items() if field.on == {"kind": "market"}]


def fifth_colour(deck: Deck) -> str:
    """The colour of the chips without an effect."""
    return str(next(design.values["colour"] for design in deck.designs if design.values["kind"] == "chip"))


def accidents(deck: Deck) -> int:
    """How many tiles show an accident."""
    return sum(design.copies for design in deck.designs if design.values.get("accident") == "yes")


def check_deck(deck: Deck) -> list[Say]:
    """Raises `UserError` where cards or boards can't be so; warns of what is odd."""
    counts = {"market": 0, "A": 0, "B": 0, "chip": 0}
    for design in deck.designs:
        kind = str(design.values["kind"])
        counts[str(design.values["letter"]) if kind == "tile" else kind] += design.copies
        if design.values.get("letter") == "A" and design.values["accident"] == "yes":
            raise UserError(
                say("card {id}: this is an A tile, and A tiles never show an accident.", id=design.id)
            )
    wanted = {"market": MARKET_CARDS, "A": TILES_A_LETTER, "B": TILES_A_LETTER, "chip": 1}
    for name, number in wanted.items():
        if counts[name] != number:
            text = "The number of cards of kind {kind} must be {wanted}, not {count}."
            raise UserError(say(text, wanted=number, kind=name, count=counts[name]))
    _check_board(deck.board)
    return [] if accidents(deck) else [say("At least one B tile must show an accident.")]


def _check_board(board: Mapping[str, Sequence[int]]) -> None:
    for name in ("survey_taken", "survey_placed", "dormitory", "storage", "negotiation", "kinds"):
        if sorted(board[name]) != list(board[name]):
            raise UserError(say("The numbers in board.{key} must not get smaller.", key=name))
    for track, values in VALUES.items():
        prices = f"{track}_prices"
        if len(board[prices]) != len(board[values]) - 1:
            text = "board.{key} needs one number fewer than board.{values}."
            raise UserError(say(text, key=prices, values=values))
    for taken, placed in zip(board["survey_taken"], board["survey_placed"], strict=True):
        if placed > taken:
            raise UserError(say("board.survey_placed can't be higher than board.survey_taken."))
