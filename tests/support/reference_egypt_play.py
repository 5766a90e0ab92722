"""Plays the reference Egypt: script helpers, random answers, and all small hands.

`random_answer` plays legally and recklessly. `small_hands` lists every small hand and bid with the payments
that cover it, found by trying every payment.
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
    """A hand of `own` cards numbered like the chip and `others`, and the bid it owes.

    `minimal` has the payments (own, others) that cover the bid only with all their cards.
    """

    own: int
    others: int
    owed: int
    can_pay: bool
    minimal: frozenset[tuple[int, int]]


def is_covered_by(worths: list[int], owed: int) -> bool:
    """Whether these cards are worth what is owed."""
    return sum(worths) >= owed


def is_minimal(worths: list[int], owed: int) -> bool:
    """Whether the cards cover the bid, and don't without any one of them."""
    fewer = (worths[:gone] + worths[gone + 1 :] for gone in range(len(worths)))
    return is_covered_by(worths, owed) and not any(is_covered_by(rest, owed) for rest in fewer)


def small_hands(cards: int = 8) -> Iterator[SmallHand]:
    """Yields every hand of up to `cards` cards with every bid up to the first that it can't pay."""
    for own in range(cards + 1):
        for others in range(cards + 1 - own):
            payments = [(x, y) for x in range(own + 1) for y in range(others + 1)]
            for owed in range(1, 2 * own + others + 2):
                worths = {paid: [2] * paid[0] + [1] * paid[1] for paid in payments}
                can_pay = any(is_covered_by(laid, owed) for laid in worths.values())
                minimal = {paid for paid, laid in worths.items() if is_minimal(laid, owed)}
                yield SmallHand(own, others, owed, can_pay, frozenset(minimal))


def random_answer(state: egypt.State, rng: random.Random) -> object:
    """Returns a legal answer: mostly small bids, sometimes a bid nobody can pay, or too many cards."""
    question = egypt.open_question(state)
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
    """Returns a random payment that the table accepts, or None for the knock-out if that is legal."""
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
    """Returns cards for the two counts in any order, some typed and some read while unread ones exist."""
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


# Script helpers


def card_with_number(chip: int) -> dict[str, object]:
    """Returns a card that is typed with the chip's number."""
    return {"values": {"number": chip}}


def typed_payment(state: egypt.State, own: int, others: int) -> Entries:
    """Returns a typed payment of cards with the number of the auctioned chip, and of other cards."""
    chip = state.market[0]
    return [*[card_with_number(chip)] * own, *[OTHER] * others]


def read_payment(*names: str) -> Entries:
    """Returns a payment of cards that were read."""
    return [{"card": name} for name in names]


def give_answers(state: egypt.State, *answers: object) -> egypt.State:
    """Gives the answers in order; a tuple is a typed payment of (own, others)."""
    for answer in answers:
        state = egypt.apply_answer(
            state, typed_payment(state, *answer) if isinstance(answer, tuple) else answer
        )
    return state


def deal_first_round(players: int = 3, leader: int = 1, **options: str) -> egypt.State:
    """Begins a match and deals; `leader` is about to open."""
    return give_answers(egypt.begin(players, options), str(leader), True)


def play_cheapest_auction(state: egypt.State) -> egypt.State:
    """Plays one auction which the leader wins at 1."""
    return give_answers(state, 1, *[None] * (len(state.turn) - 1), (0, 1))


def question_without_options(state: egypt.State) -> tuple[str, int | None, int | str]:
    """Returns the open question without its options."""
    question = egypt.open_question(state)
    assert question is not None
    return question[:3]
