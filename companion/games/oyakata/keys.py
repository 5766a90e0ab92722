"""What can be done in Oyakata and what it costs, and the keys of a day and a night.

Which of it is done is asked and played in night.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

import msgspec

from companion.games.oyakata.board import ACTIONS, GOLD, LETTERS, Board
from companion.games.oyakata.printed import VALUES, at, hire_prices, redundancy, step_price
from companion.rulebook import Deck, DetailedOption, OptionRequirement, Say, Seat, say, say_n

SURVEY_FEE = {"A": 1, "B": 2}
BONUS_AN_EMPLOYEE = {1: 2, 2: 4}
BONUSES = {"bonus_1": 1, "bonus_2": 2}
"""How many chips each returns."""
SURVEYS = {f"survey_{letter}": letter for letter in LETTERS}
STEPS = ("digging", "survey", "dormitory", "storage", "negotiation", "kinds")
ACTION_KEYS, BONUS_KEYS = say("Actions"), say("Bonuses")
DONE_TONIGHT = say("You have already taken this action tonight.")
CANT = {
    "survey_A": say("All A tiles have been placed."),
    "survey_B": say("All B tiles have been placed."),
    "hire": say("The marker is already on the last space."),
    "dismiss": say("There is no employee to dismiss."),
    "sell": say("There is no gem to sell."),
} | dict.fromkeys(STEPS, say("The marker is already on the last space."))
"""Why an action without a price can't be taken."""


class Means(msgspec.Struct, frozen=True):
    """All that the keys of actions depend on, as it is when they are shown to `seat`.

    `tiles`: whether any are left, by letter. `gems`: whether any are stored. `levels` goes by `STEPS`, and
    `done` (already tonight) by `ACTIONS`.
    """

    deck: Deck
    seat: Seat
    gold: int
    workers: int
    employees: int
    gems: bool
    tiles: tuple[bool, ...]
    levels: tuple[int, ...]
    done: tuple[bool, ...]


def means(board: Board, seat: Seat) -> Means:
    """What a seat has for its actions now."""
    return Means(
        board.deck,
        seat,
        board.gold[seat].count,
        board.workers[seat].count,
        board.employees(seat),
        board.has_gems(seat),
        tuple([board.left_of(letter) > 0 for letter in LETTERS]),
        tuple([board.tracks[track][seat].count for track in STEPS]),
        tuple([account.count > 0 for account in board.done[seat].values()]),
    )


# A replay makes the keys of every night, though nobody looks at them: the same are made once.
@lru_cache(maxsize=1024)
def actions(has: Means) -> tuple[Mapping[str, int], Mapping[str, DetailedOption]]:
    """What those actions cost at least that can be taken; and the keys of all, some with why they can't."""
    possible, done = costs(has), dict(zip(ACTIONS, has.done, strict=True))
    prices = {key: price for key, price in possible.items() if price <= has.gold and not done[key]}
    offers = {}
    for key in ACTIONS:
        price = prices.get(key)
        cant = None if key in prices else why_not(key, has.seat, done=done[key], possible=key in possible)
        piece, given = GOLD if price else None, gives(has, key, possible)
        offers[key] = DetailedOption(
            ACTIONS[key], piece, price=price or None, gain=given, group=ACTION_KEYS, barred_reason=cant
        )
    return prices, offers


def bonus_offers(prices: Mapping[str, int]) -> dict[str, DetailedOption]:
    """The keys of the bonuses that can be paid."""
    return {key: bonus(key, price) for key, price in prices.items()}


@lru_cache
def bonus(key: str, price: int) -> DetailedOption:
    """A bonus: what it costs, and how many chips go back."""
    label = say_n("Bonus: {n} chip goes back", "Bonus: {n} chips go back", BONUSES[key])
    return DetailedOption(label, GOLD, price=price, group=BONUS_KEYS)


def gives(has: Means, key: str, possible: Mapping[str, int]) -> Say | None:
    """What a survey draws and places, or what is printed at a marker's place now and at the next."""
    printed, levels = has.deck.board, dict(zip(STEPS, has.levels, strict=True))
    if key in SURVEYS:
        drawn, placed = (at(printed[name], levels["survey"]) for name in (VALUES["survey"], "survey_placed"))
        return say("draw {drawn}, place {placed}", drawn=drawn, placed=placed)
    if key not in STEPS or key not in possible:
        return None
    level = levels[key]
    places = printed[VALUES[key]] if key in VALUES else range(level + 2)
    return say("{now} → {then}", now=places[level], then=places[level + 1])


def why_not(key: str, seat: Seat, *, done: bool, possible: bool) -> Say:
    """Why an action can't be taken now; `possible`: it can with enough gold."""
    if done:
        return DONE_TONIGHT
    return too_little(key, seat) if possible else CANT[key]


def needs(board: Board, seat: Seat, prices: Mapping[str, int]) -> dict[str, OptionRequirement]:
    """The gold for each, as it lies there when it is chosen: a correction may have come between."""
    gold = board.gold[seat]
    return {
        key: OptionRequirement(gold, price, too_little(key, seat)) for key, price in prices.items() if price
    }


@lru_cache
def too_little(key: str, seat: Seat) -> Say:
    """Why an action or a bonus can't be paid."""
    return say("{what}: {seat} doesn't have enough gold.", what=ACTIONS.get(key, say("Bonus")), seat=seat)


def costs(has: Means) -> dict[str, int]:
    """What each action costs at least; those left out can't be taken."""
    printed = has.deck.board
    found = {
        f"survey_{letter}": SURVEY_FEE[letter]
        for letter, are_left in zip(LETTERS, has.tiles, strict=True)
        if are_left
    }
    if hiring := hire_prices(printed, has.workers):
        found["hire"] = hiring[0]
    if has.employees:
        found["dismiss"] = redundancy(1)
    if has.gems:
        found["sell"] = 0
    for track, level in zip(STEPS, has.levels, strict=True):
        price = step_price(printed, track, level)
        if price is not None:
            found[track] = price
    return found


def bonuses(board: Board, seat: Seat) -> dict[str, int]:
    """The bonuses that can be paid now, with what they cost."""
    chips, employees, gold = board.chip_count(seat), board.employees(seat), board.gold[seat].count
    if not chips or not employees:
        return {}
    return {
        key: BONUS_AN_EMPLOYEE[back] * employees
        for key, back in BONUSES.items()
        if back <= chips and BONUS_AN_EMPLOYEE[back] * employees <= gold
    }
