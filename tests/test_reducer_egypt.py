"""The reducer Egypt against its rulings, and what later tests borrow to play it.

`random_answer` plays it legally and recklessly; `hands_and_bids` lists every small hand and
bid with what can pay it, found by trying every payment. The file is long because the rulings
are many, and each is one short script.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, NamedTuple

import pytest

from tests import reducer_egypt as egypt

if TYPE_CHECKING:
    from collections.abc import Iterator

pytestmark = pytest.mark.unwatched

Entries = list[dict[str, object]]
OTHER: dict[str, object] = {"values": {}}


# What later tests borrow


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
    """These counts as cards in any order, some typed and some read while unread ones exist."""
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


# The rulings


def test_the_worked_example() -> None:
    """D wins chip 6 at 5; A, B and D pay 2, 4 and 5; C pays nothing; D leads chip 7."""
    state = replace(dealt(4), market=egypt.CHIPS[2:])
    state = play(state, 2, 4, None, 5, None)
    assert about(state) == ("Raise", 2, 6)
    state = play(state, None)
    assert about(state) == ("Read", 1, 6)
    state = play(state, (1, 0), (1, 2))
    assert about(state) == ("Read", 4, 6)
    state = play(state, (2, 1))
    assert state.hands == (20, 18, 21, 18)
    assert state.won == ((), (), (), (6,))
    assert about(state) == ("Raise", 4, 7)


@pytest.mark.parametrize(("players", "hand", "aside"), [(3, 25, 10), (4, 21, 1), (5, 17, 0)])
def test_the_deal(players: int, hand: int, aside: int) -> None:
    """The table chooses who leads first, then confirms the deal, then that seat opens chip 4."""
    state = egypt.begin(players)
    seats = tuple(str(seat) for seat in range(1, players + 1))
    assert egypt.asked(state) == egypt.Asked("Choose", None, "first leader", seats)
    state = play(state, "3")
    assert about(state) == ("Done", None, "deal")
    state = play(state, True)
    assert (state.hands, state.aside) == ((hand,) * players, aside)
    assert about(state) == ("Raise", 3, 4)


@pytest.mark.parametrize(("rule", "owed"), [("own_bid", [1, 2, 4]), ("winning_bid", [4, 4, 4])])
def test_what_each_bidder_owes(rule: str, owed: list[int]) -> None:
    """Each who bid owes the own last bid, or under winning_bid the winning one."""
    state = play(dealt(4, pay_rule=rule), 1, 2, None, 4, None, None)
    seen = []
    for seat in (1, 2, 4):
        assert about(state) == ("Read", seat, 4)
        seen.append(egypt.owed(state))
        state = play(state, (0, egypt.owed(state)))
    assert seen == owed
    assert about(state) == ("Raise", 4, 5)


def test_payments_start_at_the_leader() -> None:
    """Payments go clockwise from the auction's leader, whoever has won."""
    state = play(dealt(3, leader=2), 1, None, 3, None, (0, 1))
    assert about(state) == ("Read", 1, 4)


def test_a_player_without_cards_is_skipped_and_can_still_win() -> None:
    """Without cards one isn't asked in auctions, but keeps the chips and may win the round."""
    state = play(dealt(3), 25, None, None, (0, 25))
    assert state.turn == (2, 3)
    state = play(state, 98, 99, None, None, None)
    assert state.points == (1, 0, 0)
    assert state.last[0] == egypt.RoundScore(4, 0, 4)


@pytest.mark.parametrize(
    ("answers", "leader"),
    [
        pytest.param((1, 21, None, None, None, (0, 1), (0, 21)), 4, id="winner without cards"),
        pytest.param((1, 99, None, None, None, (0, 1), None), 4, id="winner knocked out"),
        pytest.param((1, 50, 51, None, None, 60, None, (0, 1), None, None), 1, id="the next one as well"),
    ],
)
def test_who_leads_when_the_winner_cannot(answers: tuple[object, ...], leader: int) -> None:
    """The next one clockwise from the winner who holds cards and is in leads the next chip."""
    state = play(dealt(4, leader=2), *answers)
    assert about(state) == ("Raise", leader, 5)


def test_a_chip_whose_winner_is_knocked_out() -> None:
    """It is out of the round and doesn't count as sold."""
    state = play(dealt(3), 1, 99, None, None, (0, 1), None)
    assert (state.gone, state.won, state.last_buyer) == ((4,), ((), (), ()), 0)


def test_the_bluff_at_the_limit() -> None:
    """Bids above every hand are taken; above 99 there is none, so the others only withdraw."""
    state = play(dealt(3), 99)
    assert egypt.legal(state, 100) is not None
    assert egypt.legal(state, None) is None


def test_no_knock_out_before_all_have_paid() -> None:
    """Who can't pay keeps the cards until the auction's last payment, then all go to the bank."""
    state = play(dealt(3), 26, 27, None, None, None)
    assert (state.hands, state.out) == ((25, 25, 25), ())
    state = play(state, (4, 19))
    assert (state.hands, state.out, state.bank) == ((0, 2, 25), (1,), 48)


def test_the_only_one_with_cards_leads_every_chip() -> None:
    """Others are in without cards: one must bid alone, wins at once, pays, and leads again."""
    state = play(dealt(3), 24, 25, None, None, (0, 24), (0, 25))
    assert state.turn == (3, 1)
    state = play(state, 2, None, (0, 2), 1, 2, None, (0, 1), (1, 0))
    assert (state.hands, about(state)) == ((0, 0, 22), ("Raise", 3, 7))
    assert egypt.legal(state, None) is not None
    assert about(play(state, 1)) == ("Read", 3, 7)
    assert about(play(state, 1, (0, 1))) == ("Raise", 3, 8)


def test_nobody_who_is_in_holds_cards() -> None:
    """The remaining chips aren't sold; the round ends and is scored."""
    state = play(dealt(3), 23, 24, 25, None, None, (0, 23), (0, 24), (0, 25))
    state = play(state, 1, 2, None, (0, 1), None)
    assert about(state) == ("Raise", 1, 6)
    state = play(state, 1, (0, 1))
    assert about(state) == ("Done", None, "deal")
    assert [row.total for row in state.last] == [6, 0, 4]
    assert (state.points, state.market) == ((1, 0, 0), (7, 8, 9, 10, 11, 12, 13))


def test_nobody_left_and_nothing_sold() -> None:
    """No point; whoever led the round's first auction leads again."""
    state = play(dealt(3, leader=2), 97, 98, 99, None, None, None, None, None)
    assert (about(state), state.points) == (("Done", None, "deal"), (0, 0, 0))
    assert about(play(state, True)) == ("Raise", 2, 4)


def test_nothing_sold_in_a_later_round() -> None:
    """What was sold in an earlier round gives no lead: the round's own opener leads again."""
    state = play(cheap(dealt(3, leader=2)), 98, None, 99, None, None, None, "end_round", True)
    assert (state.points, about(state)) == ((0, 0, 1), ("Raise", 3, 4))
    state = play(state, 97, 98, 99, None, None, None, None, None, True)
    assert about(state) == ("Raise", 3, 4)


def test_the_offer_to_end_the_round() -> None:
    """With one player left who isn't knocked out the table may end the round: a point at once."""
    state = play(dealt(3), 98, None, 99, None, None, None)
    options = ("end_round", "play_on")
    assert egypt.asked(state) == egypt.Asked("Choose", None, "end round", options)
    state = play(state, "end_round")
    assert state.points == (0, 1, 0)
    assert state.last[1] == egypt.RoundScore(0, 8, 8)
    assert about(play(state, True)) == ("Raise", 2, 4)


def test_playing_on_alone() -> None:
    """Refused once, the offer isn't made again in the round; the survivor can still fall."""
    state = play(cheap(dealt(3)), 1, 98, 99, None, None, (0, 1), None, None, "play_on")
    state = cheap(state)
    assert about(state) == ("Raise", 1, 7)
    state = play(state, 99, None)
    assert (state.points, state.last) == ((0, 0, 0), (egypt.RoundScore(10, 0, 0), (0,) * 3, (0,) * 3))
    assert about(play(state, True)) == ("Raise", 1, 4)


def test_no_offer_after_the_last_chip() -> None:
    """After chip 13 there is nothing to end early: the round is scored."""
    state = dealt(3)
    for _chip in egypt.CHIPS[:-1]:
        state = cheap(state)
    state = play(state, 98, 99, None, None, None, None)
    assert (about(state), state.points) == (("Done", None, "deal"), (0, 0, 1))


def test_a_tie_gives_no_point() -> None:
    """A tie for highest: nobody gets the point, and the last sold chip's winner leads."""
    state = replace(dealt(3), market=(13,), won=((4, 9), (), ()), hands=(25, 25, 25))
    state = play(state, 1, 2, None, None, (0, 1), (1, 0))
    assert [row.total for row in state.last] == [21, 21, 8]
    assert (state.points, state.leader) == ((0, 0, 0), 2)


def test_the_last_buyer_leads_even_if_knocked_out_later() -> None:
    """The winner of the last sold chip leads after a tie, knocked out or not."""
    state = replace(dealt(3), market=(12, 13))
    state = play(cheap(state), 99, None, None, None)
    assert state.last == (egypt.RoundScore(12, 0, 0), *[egypt.RoundScore(0, 8, 8)] * 2)
    assert (state.points, state.leader) == ((0, 0, 0), 1)


def test_a_single_highest_total_of_nothing() -> None:
    """The single highest total gets the point, a total of 0 too."""
    state = replace(dealt(3), market=(13,), hands=(1, 1, 2))
    state = play(state, 98, 99, None, None, None, None)
    assert (state.points, state.last[2]) == ((0, 0, 1), egypt.RoundScore())


def test_cards_count_by_threes() -> None:
    """After chip 13 every 3 cards still held are one point, rounded down."""
    state = dealt(3)
    for _chip in egypt.CHIPS:
        state = cheap(state)
    assert state.last == (egypt.RoundScore(85, 5, 90), *[egypt.RoundScore(0, 8, 8)] * 2)


def test_the_match_ends_at_two_points() -> None:
    """Two points win; ranks are 1224, and the lines are points and the last round's score."""
    knocked_out = (98, 99, None, None, None, None)
    state = play(dealt(3), *knocked_out, "end_round", True)
    assert (state.hands, state.market, state.out) == ((25, 25, 25), egypt.CHIPS, ())
    state = play(cheap(state), 99, None, None, None)
    assert about(state) == ("Raise", 1, 6)
    state = play(state, 1, 99, None, (0, 1), None, "end_round", True)
    assert (state.points, about(state)) == ((1, 0, 1), ("Raise", 1, 4))
    state = play(cheap(state), 1, 98, 99, None, None, (0, 1), None, None, "end_round")
    assert egypt.asked(state) is None
    assert egypt.legal(state, True) == "the match is over"
    assert egypt.standings(state) == (
        egypt.Standing(1, 1, 2, (2, 4, 7, 11)),
        egypt.Standing(3, 2, 1, (1, 0, 0, 0)),
        egypt.Standing(2, 3, 0, (0, 0, 0, 0)),
    )


def test_standings_before_a_point() -> None:
    """Equal points share a rank; before the first round is over all lines are 0."""
    rows = egypt.standings(dealt(4))
    assert rows == tuple(egypt.Standing(seat, 1, 0, (0, 0, 0, 0)) for seat in (1, 2, 3, 4))


# Payments


def owing(owed: int, chip: int = 6, hand: int = 8) -> egypt.State:
    """Seat 1 of three is asked to pay for a chip."""
    state = replace(dealt(3), market=(chip, 13), hands=(hand, 9, 9))
    return play(state, owed, None, None)


@pytest.mark.parametrize(
    ("laid", "left"),
    [
        pytest.param([OTHER, *named("6.1")], named("6.1"), id="another card before one of n"),
        pytest.param([*named("4.1"), OTHER, OTHER], [OTHER, OTHER], id="one that is known first"),
        pytest.param(named("4.1", "5.1", "7.1"), named("4.1", "5.1"), id="the last one read"),
        pytest.param([number(6), number(6)], [number(6)], id="one of n when there is no other"),
        pytest.param([OTHER] * 4, [OTHER] * 2, id="all at once"),
    ],
)
def test_what_is_taken_back(laid: Entries, left: Entries) -> None:
    """Who overpays by a card is told of one to take back; nothing has left the hand till then."""
    state = play(owing(2), laid)
    options = ("take_back", "leave")
    assert egypt.asked(state) == egypt.Asked("Choose", 1, "overpaid", options)
    assert (state.hands[0], state.bank) == (8, 0)
    assert play(state, "take_back") == play(owing(2), left)
    assert play(state, "leave").hands[0] == 8 - len(laid)


def test_a_card_taken_back_may_be_paid_later() -> None:
    """Only what was handed over counts as paid; of cards alike any may be that until one is seen."""
    state = play(owing(1), named("4.1", "5.2"), "take_back")
    assert state.read == ("4.1",)
    state = play(play(owing(1), named("5.1", "5.2"), "take_back"), 1, None, None)
    assert state.read == ()
    assert egypt.legal(state, named("5.1", "5.2")) == "a card is paid once a round"
    assert egypt.legal(state, named("5.1")) is None
    assert egypt.legal(state, named("5.2")) is None
    state = play(state, named("5.2"))
    assert set(state.read) == {"5.1", "5.2"}


def test_each_small_hand_and_bid() -> None:
    """A payment within the hand is taken when it covers, and warned of unless it is minimal."""
    for hand in hands_and_bids():
        if not hand.own + hand.others:
            continue
        state = owing(hand.owed, chip=13, hand=hand.own + hand.others)
        taken = {
            (own, others)
            for own in range(hand.own + 1)
            for others in range(hand.others + 1)
            if egypt.legal(state, pay(state, own, others)) is None
        }
        calm = {paid for paid in taken if play(state, paid).phase != "overpaid"}
        assert (bool(taken), calm) == (hand.can_pay, set(hand.minimal)), hand


def test_cannot_pay_is_believed_below_the_count_only() -> None:
    """As many cards as are owed always pay; one card fewer may not."""
    assert egypt.legal(owing(8), None) is not None
    assert egypt.legal(owing(9), None) is None
    assert egypt.legal(owing(9), pay(owing(9), 1, 7)) is None


# Bad input


@pytest.mark.parametrize("answer", [0, -1, 3, 2, 100, True, "4", 4.0])
def test_a_bid_refused(answer: object) -> None:
    """A bid is a whole amount above the current one, from 1 to 99."""
    assert egypt.legal(play(dealt(), 3), answer) is not None


@pytest.mark.parametrize("answer", [None, 0, 100])
def test_an_opening_refused(answer: object) -> None:
    """The leader must open with at least 1."""
    assert egypt.legal(dealt(), answer) is not None


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param([], id="nothing"),
        pytest.param(5, id="not a list"),
        pytest.param([OTHER] * 2, id="below the bid"),
        pytest.param([OTHER] * 9, id="more than the hand"),
        pytest.param([number(6)] * 7, id="more of a number than exist"),
        pytest.param([number(5)] * 3, id="typed as another number"),
        pytest.param(named("6.1", "6.1"), id="one card twice"),
        pytest.param(named("6.1", "6.7"), id="no such copy"),
        pytest.param(named("6.1", "14.1"), id="no such number"),
        pytest.param([{"card": "6.1", "values": {}}, *[OTHER] * 3], id="named and typed at once"),
    ],
)
def test_a_payment_refused(answer: object) -> None:
    """A payment is of cards of this game, each once, no more than are held, and covers the bid."""
    assert egypt.legal(owing(3), answer) is not None
    with pytest.raises(ValueError, match=r"."):
        egypt.reduce(owing(3), answer)


def test_copies_of_a_number() -> None:
    """Typed and read cards of n in this auction and n read earlier this round are n at most."""
    state = replace(dealt(3), market=(4, 5, 6), hands=(20, 20, 20))
    state = play(state, 1, None, None, named("5.5"), 7, 8, 9, None, None)
    state = play(state, [*pay(state, 2, 2), *named("5.1")], "leave")
    assert egypt.copies_left(state) == 1
    assert egypt.legal(state, pay(state, 2, 6)) is not None
    assert egypt.legal(state, [*pay(state, 1, 6), *named("5.2")]) is not None
    state = play(state, (1, 6))
    assert egypt.legal(state, pay(state, 1, 8)) is not None
    assert egypt.legal(state, pay(state, 0, 9)) is None


@pytest.mark.parametrize(
    ("state", "answer"),
    [
        pytest.param(egypt.begin(3), "4", id="a seat that isn't there"),
        pytest.param(egypt.begin(3), 1, id="a number for a key"),
        pytest.param(play(egypt.begin(3), "1"), False, id="not done"),
        pytest.param(play(egypt.begin(3), "1"), None, id="nothing"),
    ],
)
def test_a_choice_refused(state: egypt.State, answer: object) -> None:
    """Only the options' keys and a plain done are taken."""
    assert egypt.legal(state, answer) is not None


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


@pytest.mark.parametrize("rule", egypt.PAY_RULES)
@pytest.mark.parametrize("players", [3, 4, 5])
def test_random_matches_end(players: int, rule: str) -> None:
    """100 matches a rule end with one winner at two points; nothing is lost on the way."""
    seen: Counter[str] = Counter()
    for seed in range(100):
        rng = random.Random(seed)
        state = egypt.begin(players, {"pay_rule": rule})
        while egypt.asked(state) is not None:
            answer = random_answer(state, rng)
            seen[f"{state.phase} {answer if isinstance(answer, str) else answer is None}"] += 1
            state = egypt.reduce(state, answer)
            conserve(state)
        best, second, *_ = egypt.standings(state)
        assert (best.rank, best.total, second.rank) == (1, 2, 2)
        assert json.loads(json.dumps(asdict(state)))["points"] == list(state.points)
    wanted = {"raise True", "pay True", "pay False", "overpaid take_back", "overpaid leave"}
    assert wanted | {"end round end_round", "end round play_on"} <= set(seen)
