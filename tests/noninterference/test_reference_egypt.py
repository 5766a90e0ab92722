"""The reference Egypt against its rulings."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.support import reference_egypt as egypt
from tests.support.reference_egypt_play import (
    deal_first_round,
    give_answers,
    play_cheapest_auction,
    question_without_options,
)

pytestmark = pytest.mark.without_coverage


def test_the_worked_example() -> None:
    """D wins chip 6 at 5; A, B and D pay 2, 4 and 5; C pays nothing; D leads chip 7."""
    state = replace(deal_first_round(4), market=egypt.CHIPS[2:])
    state = give_answers(state, 2, 4, None, 5, None)
    assert question_without_options(state) == ("Raise", 2, 6)
    state = give_answers(state, None)
    assert question_without_options(state) == ("Read", 1, 6)
    state = give_answers(state, (1, 0), (1, 2))
    assert question_without_options(state) == ("Read", 4, 6)
    state = give_answers(state, (2, 1))
    assert state.hands == (20, 18, 21, 18)
    assert state.won == ((), (), (), (6,))
    assert question_without_options(state) == ("Raise", 4, 7)


@pytest.mark.parametrize(("players", "hand", "aside"), [(3, 25, 10), (4, 21, 1), (5, 17, 0)])
def test_the_deal(players: int, hand: int, aside: int) -> None:
    """The table chooses who leads first, then confirms the deal, then that seat opens chip 4."""
    state = egypt.begin(players)
    seats = tuple(str(seat) for seat in range(1, players + 1))
    assert egypt.open_question(state) == egypt.Question("Choose", None, "first leader", seats)
    state = give_answers(state, "3")
    assert question_without_options(state) == ("Done", None, "deal")
    state = give_answers(state, True)
    assert (state.hands, state.aside) == ((hand,) * players, aside)
    assert question_without_options(state) == ("Raise", 3, 4)


@pytest.mark.parametrize(("rule", "owed"), [("own_bid", [1, 2, 4]), ("winning_bid", [4, 4, 4])])
def test_what_each_bidder_owes(rule: str, owed: list[int]) -> None:
    """Each who bid owes the own last bid, or under winning_bid the winning one."""
    state = give_answers(deal_first_round(4, pay_rule=rule), 1, 2, None, 4, None, None)
    seen = []
    for seat in (1, 2, 4):
        assert question_without_options(state) == ("Read", seat, 4)
        seen.append(egypt.owed(state))
        state = give_answers(state, (0, egypt.owed(state)))
    assert seen == owed
    assert question_without_options(state) == ("Raise", 4, 5)


def test_payments_start_at_the_leader() -> None:
    """Payments go clockwise from the auction's leader, whoever has won."""
    state = give_answers(deal_first_round(3, leader=2), 1, None, 3, None, (0, 1))
    assert question_without_options(state) == ("Read", 1, 4)


def test_a_player_without_cards_is_skipped_and_can_still_win() -> None:
    """Without cards one isn't asked in auctions, but keeps the chips and may win the round."""
    state = give_answers(deal_first_round(3), 25, None, None, (0, 25))
    assert state.turn == (2, 3)
    state = give_answers(state, 98, 99, None, None, None)
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
    state = give_answers(deal_first_round(4, leader=2), *answers)
    assert question_without_options(state) == ("Raise", leader, 5)


def test_a_chip_whose_winner_is_knocked_out() -> None:
    """It is out of the round and doesn't count as sold."""
    state = give_answers(deal_first_round(3), 1, 99, None, None, (0, 1), None)
    assert (state.gone, state.won, state.last_buyer) == ((4,), ((), (), ()), 0)


def test_the_bluff_at_the_limit() -> None:
    """Bids above every hand are taken; above 99 there is none, so the others only withdraw."""
    state = give_answers(deal_first_round(3), 99)
    assert egypt.refusal_reason(state, 100) is not None
    assert egypt.refusal_reason(state, None) is None


def test_no_knock_out_before_all_have_paid() -> None:
    """Who can't pay keeps the cards until the auction's last payment, then all go to the bank."""
    state = give_answers(deal_first_round(3), 26, 27, None, None, None)
    assert (state.hands, state.out) == ((25, 25, 25), ())
    state = give_answers(state, (4, 19))
    assert (state.hands, state.out, state.bank) == ((0, 2, 25), (1,), 48)


def test_the_only_one_with_cards_leads_every_chip() -> None:
    """Others are in without cards: one must bid alone, wins at once, pays, and leads again."""
    state = give_answers(deal_first_round(3), 24, 25, None, None, (0, 24), (0, 25))
    assert state.turn == (3, 1)
    state = give_answers(state, 2, None, (0, 2), 1, 2, None, (0, 1), (1, 0))
    assert (state.hands, question_without_options(state)) == ((0, 0, 22), ("Raise", 3, 7))
    assert egypt.refusal_reason(state, None) is not None
    assert question_without_options(give_answers(state, 1)) == ("Read", 3, 7)
    assert question_without_options(give_answers(state, 1, (0, 1))) == ("Raise", 3, 8)


def test_nobody_who_is_in_holds_cards() -> None:
    """The remaining chips aren't sold; the round ends and is scored."""
    state = give_answers(deal_first_round(3), 23, 24, 25, None, None, (0, 23), (0, 24), (0, 25))
    state = give_answers(state, 1, 2, None, (0, 1), None)
    assert question_without_options(state) == ("Raise", 1, 6)
    state = give_answers(state, 1, (0, 1))
    assert question_without_options(state) == ("Done", None, "deal")
    assert [row.total for row in state.last] == [6, 0, 4]
    assert (state.points, state.market) == ((1, 0, 0), (7, 8, 9, 10, 11, 12, 13))


def test_nobody_left_and_nothing_sold() -> None:
    """No point; whoever led the round's first auction leads again."""
    state = give_answers(deal_first_round(3, leader=2), 97, 98, 99, None, None, None, None, None)
    assert (question_without_options(state), state.points) == (("Done", None, "deal"), (0, 0, 0))
    assert question_without_options(give_answers(state, True)) == ("Raise", 2, 4)


def test_nothing_sold_in_a_later_round() -> None:
    """What was sold in an earlier round gives no lead: the round's own opener leads again."""
    state = give_answers(
        play_cheapest_auction(deal_first_round(3, leader=2)),
        98,
        None,
        99,
        None,
        None,
        None,
        "end_round",
        True,
    )
    assert (state.points, question_without_options(state)) == ((0, 0, 1), ("Raise", 3, 4))
    state = give_answers(state, 97, 98, 99, None, None, None, None, None, True)
    assert question_without_options(state) == ("Raise", 3, 4)


def test_the_offer_to_end_the_round() -> None:
    """With one player left who isn't knocked out the table may end the round: a point at once."""
    state = give_answers(deal_first_round(3), 98, None, 99, None, None, None)
    options = ("end_round", "play_on")
    assert egypt.open_question(state) == egypt.Question("Choose", None, "end round", options)
    state = give_answers(state, "end_round")
    assert state.points == (0, 1, 0)
    assert state.last[1] == egypt.RoundScore(0, 8, 8)
    assert question_without_options(give_answers(state, True)) == ("Raise", 2, 4)


def test_playing_on_alone() -> None:
    """Refused once, the offer isn't made again in the round; the survivor can still fall."""
    state = give_answers(
        play_cheapest_auction(deal_first_round(3)), 1, 98, 99, None, None, (0, 1), None, None, "play_on"
    )
    state = play_cheapest_auction(state)
    assert question_without_options(state) == ("Raise", 1, 7)
    state = give_answers(state, 99, None)
    assert (state.points, state.last) == ((0, 0, 0), (egypt.RoundScore(10, 0, 0), (0,) * 3, (0,) * 3))
    assert question_without_options(give_answers(state, True)) == ("Raise", 1, 4)


def test_no_offer_after_the_last_chip() -> None:
    """After chip 13 there is nothing to end early: the round is scored."""
    state = deal_first_round(3)
    for _chip in egypt.CHIPS[:-1]:
        state = play_cheapest_auction(state)
    state = give_answers(state, 98, 99, None, None, None, None)
    assert (question_without_options(state), state.points) == (("Done", None, "deal"), (0, 0, 1))


def test_a_tie_gives_no_point() -> None:
    """A tie for highest: nobody gets the point, and the last sold chip's winner leads."""
    state = replace(deal_first_round(3), market=(13,), won=((4, 9), (), ()), hands=(25, 25, 25))
    state = give_answers(state, 1, 2, None, None, (0, 1), (1, 0))
    assert [row.total for row in state.last] == [21, 21, 8]
    assert (state.points, state.leader) == ((0, 0, 0), 2)


def test_the_last_buyer_leads_even_if_knocked_out_later() -> None:
    """The winner of the last sold chip leads after a tie, knocked out or not."""
    state = replace(deal_first_round(3), market=(12, 13))
    state = give_answers(play_cheapest_auction(state), 99, None, None, None)
    assert state.last == (egypt.RoundScore(12, 0, 0), *[egypt.RoundScore(0, 8, 8)] * 2)
    assert (state.points, state.leader) == ((0, 0, 0), 1)


def test_a_single_highest_total_of_nothing() -> None:
    """The single highest total gets the point, a total of 0 too."""
    state = replace(deal_first_round(3), market=(13,), hands=(1, 1, 2))
    state = give_answers(state, 98, 99, None, None, None, None)
    assert (state.points, state.last[2]) == ((0, 0, 1), egypt.RoundScore())


def test_cards_count_by_threes() -> None:
    """After chip 13 every 3 cards still held are one point, rounded down."""
    state = deal_first_round(3)
    for _chip in egypt.CHIPS:
        state = play_cheapest_auction(state)
    assert state.last == (egypt.RoundScore(85, 5, 90), *[egypt.RoundScore(0, 8, 8)] * 2)


def test_the_match_ends_at_two_points() -> None:
    """Two points win; ranks are 1224, and the lines are points and the last round's score."""
    knocked_out = (98, 99, None, None, None, None)
    state = give_answers(deal_first_round(3), *knocked_out, "end_round", True)
    assert (state.hands, state.market, state.out) == ((25, 25, 25), egypt.CHIPS, ())
    state = give_answers(play_cheapest_auction(state), 99, None, None, None)
    assert question_without_options(state) == ("Raise", 1, 6)
    state = give_answers(state, 1, 99, None, (0, 1), None, "end_round", True)
    assert (state.points, question_without_options(state)) == ((1, 0, 1), ("Raise", 1, 4))
    state = give_answers(play_cheapest_auction(state), 1, 98, 99, None, None, (0, 1), None, None, "end_round")
    assert egypt.open_question(state) is None
    assert egypt.refusal_reason(state, True) == "the match is over"
    assert egypt.standings(state) == (
        egypt.Standing(1, 1, 2, (2, 4, 7, 11)),
        egypt.Standing(3, 2, 1, (1, 0, 0, 0)),
        egypt.Standing(2, 3, 0, (0, 0, 0, 0)),
    )


def test_standings_before_a_point() -> None:
    """Equal points share a rank; before the first round is over all lines are 0."""
    rows = egypt.standings(deal_first_round(4))
    assert rows == tuple(egypt.Standing(seat, 1, 0, (0, 0, 0, 0)) for seat in (1, 2, 3, 4))
