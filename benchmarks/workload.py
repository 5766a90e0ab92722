"""Random matches of Egypt by four players: what every engine replays, so that choosing is not measured."""

from __future__ import annotations

import random
from typing import Any, NamedTuple

from benchmarks import plain_egypt as plain

MOST_ROUNDS = 60
NUMBERED = [{"values": {"number": number}} for number in range(plain.LAST + 1)]
OTHER: dict[str, Any] = {"values": {}}


class Match(NamedTuple):
    """The decks, the moves, the same moves as answers to a session, and what they must lead to."""

    decks: list[list[int]]
    moves: list[plain.Move]
    answers: list[object]
    final: list[object]


def matches(count: int, seed: int = 1) -> list[Match]:
    """Returns `count` random matches; a seed always gives equal matches."""
    rng = random.Random(seed)
    return [random_match(rng) for _ in range(count)]


def random_match(rng: random.Random) -> Match:
    """Raise by one with p = 0.5, else withdraw; the last survivor tosses a coin, too."""
    decks = [rng.sample(plain.DECK, len(plain.DECK)) for _ in range(MOST_ROUNDS)]
    s = plain.new_match()
    moves: list[plain.Move] = []
    answers: list[object] = []
    while verbs := plain.legal(s):
        verb = rng.choice(verbs)
        move = (s["turn"], verb, amount(s, verb, rng))
        answers.append(answer(s, *move))
        plain.apply(s, decks, *move)
        moves.append(move)
    return Match(decks[: s["round"] + 1], moves, answers, plain.digest(s))


def amount(s: plain.State, verb: str, rng: random.Random) -> int:
    """One more than the highest bid; the first leader; whether the round ends early; else nothing."""
    if verb == "bid":
        return int(s["price"]) + 1
    return rng.randrange({"lead": plain.PLAYERS, "end": 2}.get(verb, 1))


def answer(s: plain.State, player: int | None, verb: str, amount: int) -> object:
    """The move as it is said to a session."""
    if verb == "pay":
        assert player is not None
        return cards(s["hands"][player][:], s["chip"], s["bids"][player])
    return said(verb, amount)


SAID = {"withdraw": None, "deal": True}


def said(verb: str, amount: int) -> object:
    """Any move but a payment, as it is said to a session."""
    if verb == "end":
        return "end_round" if amount else "play_on"
    if verb == "lead":
        return str(amount + 1)
    return amount if verb == "bid" else SAID[verb]


def cards(hand: list[int], chip: int, due: int) -> list[dict[str, Any]] | None:
    """A payment out of this hand, typed as two counts; None for who can't."""
    own, others = plain.pay(hand, chip, due)
    return [NUMBERED[chip]] * own + [OTHER] * others or None
