"""What can be done in Oyakata and what it costs, and the keys of a day and a night.

Which of it is done is asked and played in night.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from companion.games.oyakata.board import ACTIONS, GOLD, LETTERS, MOST_WORKERS, Board
from companion.games.oyakata.printed import VALUES, redundancy
from companion.rulebook import Need, Offer, Say, Seat, say, say_n

SURVEY_FEE = {"A": 1, "B": 2}
BONUS_AN_EMPLOYEE = {1: 2, 2: 4}
BONUSES = {"bonus_1": 1, "bonus_2": 2}
"""How many chips each returns."""
SURVEYS = {f"survey_{letter}": letter for letter in LETTERS}
STEPS = ("digging", "survey", "dormitory", "storage", "negotiation", "kinds")
ACTION_KEYS, BONUS_KEYS = say("Actions"), say("Bonuses")
DONE_TONIGHT = say("That is done already tonight.")
CANT = {
    "survey_A": say("All tiles A are laid."),
    "survey_B": say("All tiles B are laid."),
    "hire": say("The marker is on its last place."),
    "dismiss": say("There is no employee to dismiss."),
    "sell": say("There is no gem to sell."),
} | dict.fromkeys(STEPS, say("The marker is on its last place."))
"""Why an action without a price can't be taken."""


def actions(board: Board, seat: Seat, possible: Mapping[str, int]) -> dict[str, int]:
    """Those of the `possible` actions that can be paid and are not done yet, with what they cost."""
    gold, done = board.gold[seat].count, board.done[seat]
    return {key: price for key, price in possible.items() if price <= gold and not done[key].count}


def offers(
    board: Board, seat: Seat, prices: Mapping[str, int], possible: Mapping[str, int]
) -> dict[str, Offer]:
    """A key for every action, also for each that can't be taken, and why not; `possible` as of `costs`."""
    found = {}
    for key in ACTIONS:
        price = prices.get(key)
        cant = None if price is not None else why_not(board, seat, key, possible)
        found[key] = offer(key, price, gives(board, seat, key, possible), cant)
    return found


def bonus_offers(prices: Mapping[str, int]) -> dict[str, Offer]:
    """The keys of the bonuses that can be paid."""
    return {key: bonus(key, price) for key, price in prices.items()}


# A replay makes every key of every night, though nobody looks at them: they are made once.
@lru_cache(maxsize=1024)
def offer(key: str, price: int | None, gives: Say | None, cant: Say | None) -> Offer:
    """An action: what it costs at least and what it gives; without a price, why it can't be taken."""
    return Offer(
        ACTIONS[key], GOLD if price else None, price=price or None, gives=gives, group=ACTION_KEYS, cant=cant
    )


@lru_cache
def bonus(key: str, price: int) -> Offer:
    """A bonus: what it costs, and how many chips go back."""
    label = say_n("Bonus: {n} chip back", "Bonus: {n} chips back", BONUSES[key])
    return Offer(label, GOLD, price=price, group=BONUS_KEYS)


def gives(board: Board, seat: Seat, key: str, possible: Mapping[str, int]) -> Say | None:
    """What a survey draws and places, or what is printed at a marker's place now and at the next."""
    if key in SURVEYS:
        drawn, placed = board.value(seat, "survey"), board.value(seat, "survey", "survey_placed")
        return drawing(drawn, placed)
    if key not in STEPS or key not in possible:
        return None
    level = board.level(seat, key)
    places = board.printed[VALUES[key]] if key in VALUES else range(level + 2)
    return stepping(places[level], places[level + 1])


@lru_cache
def drawing(drawn: int, placed: int) -> Say:
    """What a survey gives."""
    return say("draw {drawn}, place {placed}", drawn=drawn, placed=placed)


@lru_cache
def stepping(now: int, then: int) -> Say:
    """What a step on a track gives."""
    return say("{now} → {then}", now=now, then=then)


def why_not(board: Board, seat: Seat, key: str, possible: Mapping[str, int]) -> Say:
    """Why an action can't be taken now; `possible` are those that can be taken with enough gold."""
    if board.done[seat][key].count:
        return DONE_TONIGHT
    return CANT[key] if key not in possible else too_little(key, seat)


def needs(board: Board, seat: Seat, prices: Mapping[str, int]) -> dict[str, Need]:
    """The gold for each, as it lies there when it is chosen: a correction may have come between."""
    gold = board.gold[seat]
    return {key: Need(gold, price, too_little(key, seat)) for key, price in prices.items() if price}


@lru_cache
def too_little(key: str, seat: Seat) -> Say:
    """Why an action or a bonus can't be paid."""
    return say("{what}: {seat} has too little gold.", what=ACTIONS.get(key, say("Bonus")), seat=seat)


def costs(board: Board, seat: Seat) -> dict[str, int]:
    """What each action costs at least; those left out can't be taken."""
    found = {f"survey_{letter}": SURVEY_FEE[letter] for letter in LETTERS if board.left_of(letter)}
    if hiring := hire_prices(board, seat):
        found["hire"] = hiring[0]
    if board.employees(seat):
        found["dismiss"] = redundancy(1)
    if any(account.count for account in board.stored[seat].values()):
        found["sell"] = 0
    for track in STEPS:
        price = board.step_price(seat, track)
        if price is not None:
            found[track] = price
    return found


def hire_prices(board: Board, seat: Seat) -> Sequence[int]:
    """What each further step of the worker track costs."""
    return board.printed["hire_prices"][board.workers[seat].count : MOST_WORKERS]


def bonuses(board: Board, seat: Seat) -> dict[str, int]:
    """The bonuses that can be paid now, with what they cost."""
    chips, employees, gold = board.chip_count(seat), board.employees(seat), board.gold[seat].count
    return {
        key: BONUS_AN_EMPLOYEE[back] * employees
        for key, back in BONUSES.items()
        if back <= chips and 0 < BONUS_AN_EMPLOYEE[back] * employees <= gold
    }
