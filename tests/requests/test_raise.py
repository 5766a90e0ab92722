"""Open bidding."""

from random import Random
from typing import Any

import pytest

from companion.errors import IllegalAnswer, PrivateRefusal
from companion.requests import NumberField, Raise
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.table.seats import make_seats
from companion.texts import render, say

AKI, BEN, CHIE = make_seats(["Aki", "Ben", "Chie"])
CHIP = Piece("chip 7", say("daughter {number}", number=7))


def raise_(bids: dict[Any, int] | None = None, **limits: Any) -> Raise:
    """Ben is asked."""
    return Raise(BEN, CHIP, bids or {}, **limits)


def test_what_is_asked() -> None:
    """One seat is asked about one thing, however much is bid."""
    assert raise_().log_key == raise_({AKI: 4}, decline=None).log_key == "Raise @2: chip 7"
    assert raise_().seats == (BEN,)


def test_nobody_has_withdrawn_where_nobody_says_who_is_still_in() -> None:
    """Of a rulebook that keeps no list all may bid; of one that does those who aren't in it are out."""
    assert not any(raise_({AKI: 4}).has_withdrawn(seat) for seat in (AKI, BEN, CHIE))
    in_turn = raise_({AKI: 4, CHIE: 5}, still_bidding=(BEN, CHIE))
    assert [in_turn.has_withdrawn(seat) for seat in (AKI, BEN, CHIE)] == [True, False, False]


def test_who_has_bid_where_each_bids_once_is_not_out() -> None:
    """Who has bid is no longer asked, but the bid counts; who has passed is out."""
    once = raise_({AKI: 4}, still_bidding=(BEN,), passed_seats=(CHIE,), asks_once=True)
    assert [once.has_withdrawn(seat) for seat in (AKI, BEN, CHIE)] == [False, False, True]


def test_who_has_passed_stands_beside_the_form() -> None:
    """As a fact beside the fields, if anybody has; it is no part of the question's identity."""
    question = raise_({AKI: 4}, passed_seats=(CHIE,))
    assert question.form.side_facts == {"bids": {AKI: 4}, "passed": (CHIE,)}
    assert raise_({AKI: 4}).form.side_facts == {"bids": {AKI: 4}}
    assert question.log_key == raise_({AKI: 4}).log_key


@pytest.mark.parametrize(
    ("no", "text", "told"),
    [
        (None, "Ben, open the bidding for daughter 7.", None),
        ("pass", "Ben, bid for daughter 7 or pass.", "Ben passes."),
        ("withdraw", "Ben, bid for daughter 7 or withdraw.", "Ben withdraws."),
    ],
)
def test_how_one_may_decline(no: str | None, text: str, told: str | None) -> None:
    """Pass, withdraw, or not at all, as the question says."""
    question = raise_(decline=no)
    assert render(question.text) == text
    assert question.parse_answer(None) is None
    if told is None:
        with pytest.raises(IllegalAnswer, match=r"^Ben must bid at least 1\.$"):
            question.check_answer(None)
    else:
        question.check_answer(None)
        assert render(question.describe_answer(None)) == told
    assert render(question.describe_answer(5)) == "Ben bids 5 for daughter 7."


@pytest.mark.parametrize(
    ("bids", "limits", "bid", "why"),
    [
        ({}, {}, 0, "Ben must bid at least 1."),
        ({}, {"least": 10}, 9, "Ben must bid at least 10."),
        ({AKI: 4, CHIE: 2}, {}, 4, "Ben must bid more than 4."),
        ({AKI: 4}, {"step": 2}, 5, "Ben must bid at least 6."),
        ({AKI: 4}, {"step": 2}, 7, "Ben must bid 6 or more, in steps of 2."),
        ({AKI: 4}, {"most": 99}, 100, "Ben can bid at most 99."),
    ],
)
def test_a_bid_that_is_refused(bids: dict[Any, int], limits: Any, bid: int, why: str) -> None:
    """A bid is more than all others, within the limits and on the grid."""
    with pytest.raises(IllegalAnswer) as refused:
        raise_(bids, **limits).check_answer(bid)
    assert str(refused.value) == why


@pytest.mark.parametrize(
    ("bids", "limits", "bid"), [({}, {}, 1), ({AKI: 4}, {"most": 99}, 99), ({AKI: 4}, {"step": 2}, 8)]
)
def test_a_bid_that_is_taken(bids: dict[Any, int], limits: Any, bid: int) -> None:
    """Any higher bid is taken, jumps too."""
    raise_(bids, **limits).check_answer(raise_().parse_answer(bid) or 0)


@pytest.mark.parametrize("given", ["4", 4.0, True, [4]])
def test_a_bid_is_a_whole_number(given: object) -> None:
    """Text, fractions and true are no bids."""
    with pytest.raises(IllegalAnswer, match="whole number"):
        raise_().parse_answer(given)


@pytest.mark.parametrize("given", [10**9 + 1, -(10**9) - 1, 2**64, 10**400])
def test_a_bid_has_an_end(given: object) -> None:
    """Nobody bids more than the companion counts, however rich the game."""
    assert raise_().parse_answer(10**9) == 10**9
    with pytest.raises(IllegalAnswer, match=r"^Ben can't use a number above 1000000000\.$"):
        raise_().parse_answer(given)


def test_the_limits_say_all_that_is_open() -> None:
    """The lowest and highest bid, the step, how to decline, and the bids so far by name."""
    assert raise_({AKI: 4}, most=99).limits_json == {
        "least": 5,
        "most": 99,
        "step": 1,
        "no": "pass",
        "bids": {"Aki": 4},
    }


def test_samples_bid_and_decline() -> None:
    """Random games bid a little more, or not; whoever must open does."""
    bids = {raise_({AKI: 97}, most=99).random_legal_answer(Random(seed)) for seed in range(100)}
    assert bids == {None, 98, 99}
    assert {raise_(decline=None).random_legal_answer(Random(seed)) for seed in range(100)} == {1, 2, 3}
    assert {raise_({AKI: 99}, most=99).random_legal_answer(Random(seed)) for seed in range(100)} == {None}


def purse(count: int, *, covered: bool = False) -> Account:
    """What Ben can pay from."""
    ledger = Ledger()
    return ledger.supply_from_box(ledger.open_account(Place(say("purse"), BEN), CHIP, covered=covered), count)


@pytest.mark.parametrize(
    ("no", "text"),
    [
        ("pass", "Ben can't bid for daughter 7 now and must pass."),
        ("withdraw", "Ben can't bid for daughter 7 now and must withdraw."),
    ],
)
@pytest.mark.parametrize("limits", [{"most": 99}, {"most": 999, "paid_from": 99}])
def test_where_only_declining_is_left(no: str, text: str, limits: Any) -> None:
    """Where the lowest bid is above the highest, question, limits and every refusal say so, and agree."""
    question = raise_({AKI: 99}, decline=no, **limits)
    assert render(question.text) == text
    assert (question.limits_json["least"], question.limits_json["most"], question.limits_json["no"]) == (
        None,
        99,
        no,
    )
    for bid in (99, 100):
        with pytest.raises(IllegalAnswer) as refused:
            question.check_answer(bid)
        assert str(refused.value) == text
    question.check_answer(None)
    assert {question.random_legal_answer(Random(seed)) for seed in range(20)} == {None}


def test_a_bid_beyond_all_numbers_is_not_asked_for() -> None:
    """With a large step the next bid would be above the largest number of all: only declining is left."""
    question = raise_({AKI: 950_000_000}, step=99_999_999)
    assert render(question.text) == "Ben can't bid for daughter 7 now and must pass."
    assert (question.form.fields, question.limits_json["least"]) == ((), None)
    assert {question.random_legal_answer(Random(seed)) for seed in range(20)} == {None}


def test_who_must_open_is_never_told_that_there_is_no_bid() -> None:
    """Nothing is left to decline with: the limits stay as they are."""
    assert raise_(decline=None, most=0).limits_json["least"] == 1


def test_a_purse_limits_a_bid_while_it_changes() -> None:
    """What a bid is paid from is a limit as it stands now; the lower of two limits counts."""
    held = purse(7)
    question = raise_({AKI: 4}, most=99, paid_from=held)
    assert question.limits_json["most"] == 7
    question.check_answer(7)
    with pytest.raises(IllegalAnswer, match=r"^Ben can bid at most 7\.$"):
        question.check_answer(8)
    other = Ledger().open_account(Place(say("bank")), CHIP)
    Ledger().transfer(held, other, 3)
    assert question.limits_json["least"] is None
    assert {question.random_legal_answer(Random(seed)) for seed in range(20)} == {None}


@pytest.mark.parametrize("limit", ["most", "paid_from"])
@pytest.mark.parametrize("no", [None, "pass", "withdraw"])
def test_a_covered_limit_of_either_name_is_never_told(limit: str, no: str | None) -> None:
    """Whatever is in it, empty too: question, limits, what silence means and every refusal are the same."""
    told: set[tuple[object, ...]] = set()
    for count in (0, 4, 5, 7):
        question = raise_({AKI: 4}, decline=no, **{limit: purse(count, covered=True)})
        told.add(
            (render(question.text), repr(question.limits_json), question.default_answer, question.may_bid)
        )
        with pytest.raises(IllegalAnswer, match=r"^Ben must bid more than 4\.$"):
            question.check_answer(4)
        with pytest.raises(PrivateRefusal, match=r"^Ben can't bid that\.$"):
            question.check_answer(8)
        bids = {question.random_legal_answer(Random(seed)) for seed in range(50)} - {None}
        assert count < 5 or bids <= set(range(5, count + 1))
    assert len(told) == 1


@pytest.mark.parametrize("limit", ["most", "paid_from"])
def test_the_form_tells_nothing_of_a_covered_purse(limit: str) -> None:
    """The highest bid on screen and keypad is the same, whatever lies in a covered purse."""
    poor, rich = (raise_({AKI: 4}, **{limit: purse(count, covered=True)}).form for count in (5, 7))
    assert poor == rich
    assert raise_({AKI: 4}, **{limit: purse(5)}).form != raise_({AKI: 4}, **{limit: purse(7)}).form


def test_a_covered_purse_is_never_told_by_a_bid() -> None:
    """It is checked last and refused without a number; question, limits and other refusals know nothing."""
    told: set[tuple[object, ...]] = set()
    for count in (2, 7):
        question = raise_({AKI: 4}, step=2, most=20, paid_from=purse(count, covered=True))
        limits = question.limits_json
        told.add((render(question.text), limits["least"], limits["most"]))
        for bid in (5, 7, 22):
            with pytest.raises(IllegalAnswer) as refused:
                question.check_answer(bid)
            told.add((bid, str(refused.value)))
        with pytest.raises(PrivateRefusal, match=r"^Ben can't bid that\.$"):
            question.check_answer(8)
        samples = {question.random_legal_answer(Random(seed)) for seed in range(50)}
        assert samples == ({None} if count == 2 else {None, 6})
    assert told == {
        ("Ben, bid for daughter 7 or pass.", 6, 20),
        (5, "Ben must bid at least 6."),
        (7, "Ben must bid 6 or more, in steps of 2."),
        (22, "Ben can bid at most 20."),
    }


# Bids with numbers of one's own


def tiles(*numbers: int, covered: bool = False) -> dict[int, Account]:
    """The numbered tiles before Ben, each alone in its account."""
    ledger = Ledger()
    place = Place(say("tiles"), BEN)
    return {
        number: ledger.supply_from_box(
            ledger.open_account(place, Piece(f"tile {number}", say("tile {n}", n=number)), covered=covered), 1
        )
        for number in numbers
    }


SUNS = (2, 5, 9)
"""Ben's suns, as in Ra: each player owns a few numbers and bids only those."""


@pytest.mark.parametrize("own", [{"values": SUNS}, {"pieces": tiles(*SUNS)}])
def test_a_bid_is_one_of_the_bidders_own_numbers(own: Any) -> None:
    """Over Aki's 4 Ben bids 5 or 9; every front end reads the numbers from the form."""
    question = raise_({AKI: 4}, **own)
    assert (question.allowed_values, question.lowest_allowed_bid) == ((5, 9), 5)
    (field,) = question.form.fields
    assert field == NumberField(least=5, most=9, values=(5, 9))
    assert question.limits_json == {
        "least": 5,
        "most": None,
        "step": 1,
        "no": "pass",
        "bids": {"Aki": 4},
        "values": [5, 9],
    }
    for bid in (5, 9, None):
        question.check_answer(bid)
    for bid in (2, 4, 6, 10):
        with pytest.raises(IllegalAnswer, match=r"^Ben can bid only these numbers: 5, 9\.$"):
            question.check_answer(bid)
    assert {question.random_legal_answer(Random(seed)) for seed in range(50)} == {None, 5, 9}


@pytest.mark.parametrize("own", [{"values": SUNS}, {"values": ()}, {"pieces": tiles(*SUNS)}])
def test_who_has_no_higher_number_can_only_decline(own: Any) -> None:
    """Over a 9 nothing is left; the question, the limits and every refusal say so."""
    question = raise_({AKI: 9}, **own)
    assert (question.may_bid, question.limits_json["least"], question.limits_json["values"]) == (
        False,
        None,
        [],
    )
    assert question.form.fields == ()
    with pytest.raises(IllegalAnswer, match=r"^Ben can't bid for daughter 7 now and must pass\.$"):
        question.check_answer(9)
    question.check_answer(None)
    assert {question.random_legal_answer(Random(seed)) for seed in range(20)} == {None}


def test_own_numbers_have_limits_too() -> None:
    """The least bid, a step, the highest bid and the purse count as always."""
    question = raise_({AKI: 4}, step=3, most=20, paid_from=12, values=(5, 7, 12, 13, 21))
    assert question.allowed_values == (7, 12)
    assert raise_(least=3, values=SUNS).allowed_values == (5, 9)


def test_a_piece_that_was_moved_away_can_no_longer_be_bid() -> None:
    """People move pieces by hand while the question is open; the answer is the value of the piece."""
    own = tiles(*SUNS)
    question = raise_(pieces=own)
    question.check_answer(9)
    Ledger().transfer(own[9], Ledger().open_account(Place(say("middle")), own[9].piece), 1)
    assert question.allowed_values == (2, 5)
    with pytest.raises(IllegalAnswer, match=r"^Ben can bid only these numbers: 2, 5\.$"):
        question.check_answer(9)


def test_which_covered_pieces_a_bidder_has_is_never_told() -> None:
    """All are named, whether they are there or not; a missing one is refused only to its owner."""
    told = set[str]()
    for missing in SUNS:
        own = tiles(*SUNS, covered=True)
        Ledger().transfer(own[missing], Ledger().open_account(Place(say("middle")), own[missing].piece), 1)
        question = raise_(pieces=own)
        told.add(f"{question.form} {question.limits_json} {render(question.text)}")
        with pytest.raises(PrivateRefusal, match=r"^Ben can't bid that\.$"):
            question.check_answer(missing)
        bids = {question.random_legal_answer(Random(seed)) for seed in range(50)}
        assert bids == {None, *SUNS} - {missing}
    assert len(told) == 1


def test_who_must_bid_and_has_nothing_to_bid_is_an_error_of_the_rules() -> None:
    """The author is told; with a way to decline, or a number, all is well."""
    fault = raise_(decline=None, values=()).find_definition_fault()
    assert fault == 'Ben has nothing to bid and can\'t decline "Ben, open the bidding for daughter 7."'
    assert raise_(decline=None, values=SUNS).find_definition_fault() is None
    assert raise_(values=()).find_definition_fault() is None
    assert {raise_(decline=None, values=SUNS).random_legal_answer(Random(seed)) for seed in range(50)} == {
        *SUNS
    }


def test_a_bid_with_both_kinds_of_own_numbers_is_an_error_of_the_rules() -> None:
    """Nobody could know which of them count; one of them is fine."""
    fault = raise_(values=SUNS, pieces=tiles(3)).find_definition_fault()
    assert fault == '"Ben, bid for daughter 7 or pass." has both values and pieces'
    assert raise_(pieces=tiles(3)).find_definition_fault() is None


def test_who_must_open_and_has_no_piece_left_is_told_to_move_one_back() -> None:
    """If all pieces were moved away, no answer is legal, and the refusal says why."""
    own = tiles(9)
    question = raise_(decline=None, pieces=own)
    Ledger().transfer(own[9], Ledger().open_account(Place(say("middle")), own[9].piece), 1)
    assert question.limits_json["least"] is None
    nothing_left = r"^Ben has nothing left to bid\. Move a piece back by hand\.$"
    for bid in (9, None):
        with pytest.raises(IllegalAnswer, match=nothing_left):
            question.check_answer(bid)
