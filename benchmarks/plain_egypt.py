"""Egypt's rules as plain functions on a dict, without table, log or session: the floor of what a move costs.

Payment is automatic: cards numbered like the chip first, then the lowest numbers.
It stands alone, so that another engine can run it in another environment.
"""

from __future__ import annotations

from typing import Any

PLAYERS, HAND, FIRST, LAST, GOAL = 4, 21, 4, 13, 2
DECK = [number for number in range(FIRST, LAST + 1) for _ in range(number)]

State = dict[str, Any]
Move = tuple[int | None, str, int]
"""Whose move (None: the table's), the verb, and its amount: the bid, the first leader, or 1 for yes."""


def new_match() -> State:
    """The table before anybody was asked; seats count from 0."""
    return {"points": [0] * PLAYERS, "round": 0, "phase": "lead", "turn": None}


def deal(s: State, deck: list[int]) -> None:
    """Everybody gets cards and is in again."""
    s.update(hands=dealt(deck), chips=[0] * PLAYERS, out=[False] * PLAYERS, last=s["leader"])
    start_auction(s, FIRST, seats_from(s["leader"]))


def dealt(deck: list[int]) -> list[list[int]]:
    """Each hand: how many cards of each number."""
    hands = [[0] * (LAST + 1) for _ in range(PLAYERS)]
    for place, card in enumerate(deck[: HAND * PLAYERS]):
        hands[place // HAND][card] += 1
    return hands


def seats_from(player: int) -> list[int]:
    """Everybody, clockwise."""
    return [(player + step) % PLAYERS for step in range(PLAYERS)]


def start_auction(s: State, chip: int, live: list[int]) -> None:
    """The first of those who can bid opens."""
    s.update(phase="bid", chip=chip, price=0, bids=[0] * PLAYERS, live=live, turn=live[0], opener=live[0])


def legal(s: State) -> tuple[str, ...]:
    """The verbs that may be used now."""
    if s["phase"] == "bid":
        return ("bid", "withdraw") if s["price"] else ("bid",)
    return () if s["phase"] == "over" else (s["phase"],)


def apply(s: State, decks: list[list[int]], player: int | None, verb: str, amount: int) -> None:
    """Checks one move and plays it, in place."""
    if player != s["turn"] or verb not in legal(s) or (verb == "bid" and amount <= s["price"]):
        raise ValueError(f"illegal move: {player} {verb} {amount}")
    if verb == "pay":
        settle(s, s["turn"])
    elif verb in ("bid", "withdraw"):
        call(s, s["turn"], verb, amount)
    elif verb == "lead":
        s.update(leader=amount, phase="deal")
    elif verb == "deal":
        deal(s, decks[s["round"]])
    elif amount:
        end_round(s)
    else:
        start_auction(s, s["chip"] + 1, bidders(s))


def call(s: State, player: int, verb: str, amount: int) -> None:
    """A bid, or no more bids from this player."""
    live = s["live"]
    seat = live.index(player)
    if verb == "bid":
        s["price"] = s["bids"][player] = amount
        seat += 1
    else:
        live.pop(seat)
    if len(live) > 1:
        s["turn"] = live[seat % len(live)]
    else:
        s["winner"], s["broke"] = live[0], []
        s["owing"] = [seat for seat in seats_from(s["opener"]) if s["bids"][seat]]
        s["phase"], s["turn"] = "pay", s["owing"][0]


def settle(s: State, player: int) -> None:
    """One payment; after the last the auction is over."""
    if not any(pay(s["hands"][player], s["chip"], s["bids"][player])):
        s["broke"].append(player)
    s["owing"].pop(0)
    if s["owing"]:
        s["turn"] = s["owing"][0]
    else:
        end_auction(s)


def pay(hand: list[int], chip: int, due: int) -> tuple[int, int]:
    """Takes the price out of a hand: cards numbered like the chip, and others; (0, 0) if it can't."""
    own = min(hand[chip], (due + 1) // 2)
    hand[chip] -= own
    due -= 2 * own
    others = max(due, 0)
    for number in range(FIRST, LAST + 1):
        if due <= 0:
            return own, others
        if number != chip:
            used = min(hand[number], due)
            hand[number] -= used
            due -= used
    return (0, 0) if due > 0 else (own, others)


def end_auction(s: State) -> None:
    """Knock-outs count, the chip goes to a winner who could pay, and the next auction begins."""
    for player in s["broke"]:
        s["out"][player] = True
        s["hands"][player] = [0] * (LAST + 1)
    if s["winner"] not in s["broke"]:
        s["chips"][s["winner"]] += s["chip"]
        s["last"] = s["winner"]
    live = bidders(s)
    if s["chip"] == LAST or not live:
        end_round(s)
    elif s["broke"] and s["out"].count(False) == 1:
        s["phase"], s["turn"] = "end", None
    else:
        start_auction(s, s["chip"] + 1, live)


def bidders(s: State) -> list[int]:
    """Who holds cards, clockwise from the last winner; who is knocked out holds none."""
    return [player for player in seats_from(s["winner"]) if any(s["hands"][player])]


def end_round(s: State) -> None:
    """The single highest total gets the point and the lead."""
    totals = [
        -1 if out else chips + sum(hand) // 3
        for out, chips, hand in zip(s["out"], s["chips"], s["hands"], strict=True)
    ]
    best = max(totals)
    s["leader"] = s["last"]
    if best >= 0 and totals.count(best) == 1:
        s["leader"] = totals.index(best)
        s["points"][s["leader"]] += 1
    s["turn"] = None
    if GOAL in s["points"]:
        s["phase"] = "over"
    else:
        s["phase"] = "deal"
        s["round"] += 1


def digest(s: State) -> list[object]:
    """What every engine must agree on at the end: points, rounds, chips, cards, and who is out, by seat."""
    return [s["points"], s["round"] + 1, s["chips"], [sum(hand) for hand in s["hands"]], s["out"]]


def play(decks: list[list[int]], moves: list[Move]) -> State:
    """A whole match."""
    s = new_match()
    for player, verb, amount in moves:
        apply(s, decks, player, verb, amount)
    return s
