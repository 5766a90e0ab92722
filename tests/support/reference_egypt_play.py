"""What tests do with the reducer Egypt: words for scripts, and answers to try.

`random_answer` plays it legally and recklessly; `hands_and_bids` lists every small hand and
bid with what can pay it, found by trying every payment.
"""

from __future__ import annotations

import random
from typing import TYPE_CHECKING, NamedTuple

from tests.support import reference_egypt as egypt

if TYPE_CHECKING:
    from collections.abc import Iterator

Entries = list[dict[str, object]]
OTHER: dict[str, object] = {"values": {}}


class SmallHand(NamedTuple):
    """A hand of `own` cards numbered as the chip and `others`, and a bid it owes.

    minimal: the payments (own, others) that cover it and no longer do with any one card less.
    """

    own: int
    others: int
    owed: int
    can_pay: bool
    minimal: frozenset[tuple[int, int]]


def covers(worths: list[int], owed: int) -> bool:
    """Whether these cards are worth what is owed."""
    return sum(worths) >= owed


def is_minimal(worths: list[int], owed: int) -> bool:
    """Whether they cover it and, whichever one is taken away, cover it no more."""
    fewer = (worths[:gone] + worths[gone + 1 :] for gone in range(len(worths)))
    return covers(worths, owed) and not any(covers(rest, owed) for rest in fewer)


def hands_and_bids(cards: int = 8) -> Iterator[SmallHand]:
    """Every hand of up to so many cards with every bid, the first one out of its reach too."""
    for own in range(cards + 1):
        for others in range(cards + 1 - own):
            payments = [(x, y) for x in range(own + 1) for y in range(others + 1)]
            for owed in range(1, 2 * own + others + 2):
                worths = {paid: [2] * paid[0] + [1] * paid[1] for paid in payments}
                can_pay = any(covers(laid, owed) for laid in worths.values())
                minimal = {paid for paid, laid in worths.items() if is_minimal(laid, owed)}
                yield SmallHand(own, others, owed, can_pay, frozenset(minimal))


def random_answer(state: egypt.State, rng: random.Random) -> object:
    """A legal answer: small bids mostly, at times one nobody can pay, or too many cards."""
    question = egypt.asked(state)
    assert question is not None
    if question.kind == "Choose":
        return rng.choice(question.options)
    if question.kind == "Raise":
        return _random_bid(max(state.bids), rng)
    return True if question.kind == "Done" else _random_payment(state, rng)


def _random_bid(current: int, rng: random.Random) -> int | None:
    if current == egypt.HIGHEST_BID or (current and rng.random() < 0.5):
        return None
    if rng.random() < 0.01:
        return egypt.HIGHEST_BID
    leap = rng.choice((1, 1, 1, 1, 2, 2, 3, rng.randint(1, 30)))
    return min(current + leap, egypt.HIGHEST_BID)


def _random_payment(state: egypt.State, rng: random.Random) -> Entries | None:
    """One of all payments the table would believe, or the knock-out if that is one, too."""
    owed, hand = egypt.owed(state), state.hands[state.due[0] - 1]
    believed = min(hand, egypt.copies_left(state), rng.choice((0, 1, 2, 3, 13)))
    if hand + believed < owed or (hand < owed and rng.random() < 0.5):
        return None
    own = rng.randint(max(0, owed - hand), believed)
    others = max(owed - 2 * own, 0)
    spare = hand - own - others
    others += rng.randint(1, min(spare, 2)) if spare and rng.random() < 0.2 else 0
    return _entries(state, own, others, rng)


def _entries(state: egypt.State, own: int, others: int, rng: random.Random) -> Entries:
    """Cards for the two counts in any order, some typed and some read while unread ones exist."""
    chip = state.market[0]
    mixed = [name for each in state.mixed for name in each.names]
    unread = [name for name in egypt.NAMES if name not in (*state.read, *mixed)]
    unread += [
        name for each in state.mixed for name in rng.sample(each.names, min(each.back, len(each.names)))
    ]
    rng.shuffle(unread)
    entries: Entries = []
    for is_own, count, typed in ((True, own, {"number": chip}), (False, others, {})):
        names = [name for name in unread if (egypt.NAMES[name] == chip) == is_own][:count]
        names = [name for name in names if rng.random() < 0.4]
        entries += [{"card": name} for name in names]
        entries += [{"values": dict(typed)} for _ in range(count - len(names))]
    rng.shuffle(entries)
    return entries


# Words for the scripts


def number(chip: int) -> dict[str, object]:
    """A card typed as numbered like the chip."""
    return {"values": {"number": chip}}


def pay(state: egypt.State, own: int, others: int) -> Entries:
    """A typed payment of cards numbered as the chip now auctioned, and of other cards."""
    chip = state.market[0]
    return [*[number(chip)] * own, *[OTHER] * others]


def named(*names: str) -> Entries:
    """A payment of cards read."""
    return [{"card": name} for name in names]


def play(state: egypt.State, *answers: object) -> egypt.State:
    """Give the answers in order; a tuple is a typed payment of (own, others)."""
    for answer in answers:
        state = egypt.reduce(state, pay(state, *answer) if isinstance(answer, tuple) else answer)
    return state


def dealt(players: int = 3, leader: int = 1, **options: str) -> egypt.State:
    """The first round, dealt, `leader` about to open."""
    return play(egypt.begin(players, options), str(leader), True)


def cheap(state: egypt.State) -> egypt.State:
    """One auction which the leader wins at 1."""
    return play(state, 1, *[None] * (len(state.turn) - 1), (0, 1))


def about(state: egypt.State) -> tuple[str, int | None, int | str]:
    """The open question without its options."""
    question = egypt.asked(state)
    assert question is not None
    return question[:3]
