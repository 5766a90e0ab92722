"""Legal payments and other answers of the reference Egypt, and whole random matches."""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import asdict, replace

import pytest

from tests.support import reference_egypt as egypt
from tests.support.reference_egypt_play import (
    OTHER,
    Entries,
    card_with_number,
    deal_first_round,
    give_answers,
    random_answer,
    read_payment,
    small_hands,
    typed_payment,
)

pytestmark = pytest.mark.without_coverage


def owing(owed: int, chip: int = 6, hand: int = 8) -> egypt.State:
    """Seat 1 of three is asked to pay for a chip."""
    state = replace(deal_first_round(3), market=(chip, 13), hands=(hand, 9, 9))
    return give_answers(state, owed, None, None)


@pytest.mark.parametrize(
    ("laid", "left"),
    [
        pytest.param([OTHER, *read_payment("6.1")], read_payment("6.1"), id="another card before one of n"),
        pytest.param([*read_payment("4.1"), OTHER, OTHER], [OTHER, OTHER], id="one that is known first"),
        pytest.param(read_payment("4.1", "5.1", "7.1"), read_payment("4.1", "5.1"), id="the last one read"),
        pytest.param(
            [card_with_number(6), card_with_number(6)],
            [card_with_number(6)],
            id="one of n when there is no other",
        ),
        pytest.param([OTHER] * 4, [OTHER] * 2, id="all at once"),
    ],
)
def test_what_is_taken_back(laid: Entries, left: Entries) -> None:
    """Who overpays by a card is told of one to take back; nothing has left the hand till then."""
    state = give_answers(owing(2), laid)
    options = ("take_back", "leave")
    assert egypt.open_question(state) == egypt.Question("Choose", 1, "overpaid", options)
    assert (state.hands[0], state.bank) == (8, 0)
    assert give_answers(state, "take_back") == give_answers(owing(2), left)
    assert give_answers(state, "leave").hands[0] == 8 - len(laid)


def test_a_card_taken_back_may_be_paid_later() -> None:
    """Only what was handed over counts as paid; of cards alike any may be that until one is seen."""
    state = give_answers(owing(1), read_payment("4.1", "5.2"), "take_back")
    assert state.read == ("4.1",)
    state = give_answers(give_answers(owing(1), read_payment("5.1", "5.2"), "take_back"), 1, None, None)
    assert state.read == ()
    assert egypt.refusal_reason(state, read_payment("5.1", "5.2")) == "a card is paid once a round"
    assert egypt.refusal_reason(state, read_payment("5.1")) is None
    assert egypt.refusal_reason(state, read_payment("5.2")) is None
    state = give_answers(state, read_payment("5.2"))
    assert set(state.read) == {"5.1", "5.2"}


def test_each_small_hand_and_bid() -> None:
    """A payment within the hand is taken when it covers, and warned of unless it is minimal."""
    for hand in small_hands():
        if not hand.own + hand.others:
            continue
        state = owing(hand.owed, chip=13, hand=hand.own + hand.others)
        taken = {
            (own, others)
            for own in range(hand.own + 1)
            for others in range(hand.others + 1)
            if egypt.refusal_reason(state, typed_payment(state, own, others)) is None
        }
        calm = {paid for paid in taken if give_answers(state, paid).phase != "overpaid"}
        assert (bool(taken), calm) == (hand.can_pay, set(hand.minimal)), hand


def test_cannot_pay_is_believed_below_the_count_only() -> None:
    """As many cards as are owed always pay; one card fewer may not."""
    assert egypt.refusal_reason(owing(8), None) is not None
    assert egypt.refusal_reason(owing(9), None) is None
    assert egypt.refusal_reason(owing(9), typed_payment(owing(9), 1, 7)) is None


# Bad input


@pytest.mark.parametrize("answer", [0, -1, 3, 2, 100, True, "4", 4.0])
def test_a_bid_refused(answer: object) -> None:
    """A bid is a whole amount above the current one, from 1 to 99."""
    assert egypt.refusal_reason(give_answers(deal_first_round(), 3), answer) is not None


@pytest.mark.parametrize("answer", [None, 0, 100])
def test_an_opening_refused(answer: object) -> None:
    """The leader must open with at least 1."""
    assert egypt.refusal_reason(deal_first_round(), answer) is not None


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param([], id="nothing"),
        pytest.param(5, id="not a list"),
        pytest.param([OTHER] * 2, id="below the bid"),
        pytest.param([OTHER] * 9, id="more than the hand"),
        pytest.param([card_with_number(6)] * 7, id="more of a number than exist"),
        pytest.param([card_with_number(5)] * 3, id="typed as another number"),
        pytest.param(read_payment("6.1", "6.1"), id="one card twice"),
        pytest.param(read_payment("6.1", "6.7"), id="no such copy"),
        pytest.param(read_payment("6.1", "14.1"), id="no such number"),
        pytest.param([{"card": "6.1", "values": {}}, *[OTHER] * 3], id="named and typed at once"),
    ],
)
def test_a_payment_refused(answer: object) -> None:
    """A payment is of cards of this game, each once, no more than are held, and covers the bid."""
    assert egypt.refusal_reason(owing(3), answer) is not None
    with pytest.raises(ValueError, match=r"."):
        egypt.apply_answer(owing(3), answer)


def test_copies_of_a_number() -> None:
    """Typed and read cards of n in this auction and n read earlier this round are n at most."""
    state = replace(deal_first_round(3), market=(4, 5, 6), hands=(20, 20, 20))
    state = give_answers(state, 1, None, None, read_payment("5.5"), 7, 8, 9, None, None)
    state = give_answers(state, [*typed_payment(state, 2, 2), *read_payment("5.1")], "leave")
    assert egypt.copies_left(state) == 1
    assert egypt.refusal_reason(state, typed_payment(state, 2, 6)) is not None
    assert egypt.refusal_reason(state, [*typed_payment(state, 1, 6), *read_payment("5.2")]) is not None
    state = give_answers(state, (1, 6))
    assert egypt.refusal_reason(state, typed_payment(state, 1, 8)) is not None
    assert egypt.refusal_reason(state, typed_payment(state, 0, 9)) is None


@pytest.mark.parametrize(
    ("state", "answer"),
    [
        pytest.param(egypt.begin(3), "4", id="a seat that isn't there"),
        pytest.param(egypt.begin(3), 1, id="a number for a key"),
        pytest.param(give_answers(egypt.begin(3), "1"), False, id="not done"),
        pytest.param(give_answers(egypt.begin(3), "1"), None, id="nothing"),
    ],
)
def test_a_choice_refused(state: egypt.State, answer: object) -> None:
    """Only the options' keys and a plain done are taken."""
    assert egypt.refusal_reason(state, answer) is not None


@pytest.mark.parametrize(
    ("players", "options"), [(2, {}), (6, {}), (3, {"pay_rule": "all"}), (3, {"pays": "own_bid"})]
)
def test_a_table_refused(players: int, options: dict[str, str]) -> None:
    """3 to 5 players, and the one option with its two values."""
    with pytest.raises(ValueError, match="no Egypt"):
        egypt.begin(players, options)


# Random matches


def conserve(state: egypt.State) -> None:
    """85 cards and ten chips, wherever they lie, and no knocked-out player with cards."""
    assert sum(state.hands) + state.bank + state.aside == 85
    held = [chip for won in state.won for chip in won]
    assert sorted([*held, *state.market, *state.gone]) == list(range(4, 14))
    assert min(state.hands) >= 0
    assert not any(state.hands[seat - 1] for seat in state.out)
    assert len(state.read) == len(set(state.read)) <= state.bank


@pytest.mark.sweep(1)
@pytest.mark.parametrize("rule", egypt.PAY_RULES)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_matches_end(players: int, rule: str) -> None:
    """100 matches a rule end with one winner at two points; nothing is lost on the way."""
    seen: Counter[str] = Counter()
    for seed in range(100):
        rng = random.Random(seed)
        state = egypt.begin(players, {"pay_rule": rule})
        while egypt.open_question(state) is not None:
            answer = random_answer(state, rng)
            seen[f"{state.phase} {answer if isinstance(answer, str) else answer is None}"] += 1
            state = egypt.apply_answer(state, answer)
            conserve(state)
        best, second, *_ = egypt.standings(state)
        assert (best.rank, best.total, second.rank) == (1, 2, 2)
        assert json.loads(json.dumps(asdict(state)))["points"] == list(state.points)
    wanted = {"raise True", "pay True", "pay False", "overpaid take_back", "overpaid leave"}
    assert wanted | {"end round end_round", "end round play_on"} <= set(seen)
