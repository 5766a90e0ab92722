"""Sealed rounds of Any Game and Sealed bid against a second reckoning, over every way to win, pay and tie.

The reference below knows nothing of `companion.rules.auctions`: it counts on its fingers.
"""

from collections.abc import Iterator, Sequence
from itertools import product

import pytest

from companion.errors import IllegalAnswer
from companion.games.any_game import rulebook as any_game
from companion.games.sealed_bid import rulebook as sealed_bid
from companion.log.log import MemoryLog
from companion.rules.game import ChoiceOption, Game
from companion.session.session import Session
from companion.session.view import make_view
from companion.texts import render

NAMES = ("Aki", "Ben", "Chie")
PURSES = ((3, 3, 1), (2, 0, 3))
MOST = 3
"""Bids from 0 to here are tried, in every combination."""
MONEY = {"any_game": "coin", "sealed_bid": "money"}
Bids = dict[int, int]
Rules = dict[str, str]


def ways(game: Game) -> Iterator[Rules]:
    """Every combination of what wins, who pays and what a tie means."""
    picks = {option.key: option for option in game.options if isinstance(option, ChoiceOption)}
    keys = ("wins", "pays", "ties")
    for chosen in product(*(picks[key].choices for key in keys)):
        yield dict(zip(keys, chosen, strict=True))


# The reference: seats are 0, 1, 2


def may_bid(seat: int, purses: Sequence[int], rules: Rules, game: str) -> int:
    """The highest bid that can be paid whatever the others do."""
    if rules["pays"] == "nobody" and game == "any_game":
        return MOST
    if (rules["wins"], rules["pays"]) == ("lowest", "second"):
        return min(purse for purse in purses if purse) if purses[seat] else 0
    return purses[seat]


def best(bids: Bids, wins: str) -> list[int]:
    """Who is ahead."""
    real = [bid for bid in bids.values() if bid]
    if wins == "unique":
        real = [bid for bid in real if real.count(bid) == 1]
    if not real:
        return []
    top = min(real) if wins == "lowest" else max(real)
    return [seat for seat, bid in bids.items() if bid == top]


def paid(bids: Bids, ahead: list[int], rules: Rules) -> list[int]:
    """What each pays."""
    out = [0, 0, 0]
    if rules["pays"] == "all":
        out = [bids[seat] for seat in range(3)]
    elif len(ahead) == 1 and rules["pays"] != "nobody":
        (winner,) = ahead
        rest = {seat: bid for seat, bid in bids.items() if seat != winner}
        following = best(rest, rules["wins"])
        second = rest[following[0]] if following else 0
        out[winner] = second if rules["pays"] == "second" else bids[winner]
    return out


# The table


class Round:
    """One sealed round with these purses, played again and again from its beginning."""

    def __init__(self, game: Game, rules: Rules, purses: Sequence[int]) -> None:
        self.game, self.rules, self.purses = game, rules, purses
        self.piece = MONEY[game.key]
        counted = {} if game.has_free_moves else {"start": "0"}
        self.session = Session.begin(game, NAMES, rules | counted, MemoryLog(), seed=1)
        for name, count in zip(NAMES, purses, strict=True):
            if count:
                self.session.correct("bank", f"{name}/purse", self.piece, count, "begin")
        if game.has_free_moves:
            self.session.answer(self.session.question_number, "sealed_bid")
        self.begun = len(self.session.steps)
        self.books = self.session.table.ledger.total_by_piece_key()

    def again(self) -> None:
        """Back to the beginning."""
        if len(self.session.steps) > self.begun:
            self.session.undo_to_step_count(self.begun, past_reveal=True)

    def seal(self, bids: Bids) -> bool:
        """Whether all are taken; each is, exactly if the reference says so, whatever others sealed."""
        session, n = self.session, self.session.question_number
        for number, bid in bids.items():
            allowed = bid <= may_bid(number, self.purses, self.rules, self.game.key)
            try:
                session.put_answer_in_envelope(n, session.table.seats[number], bid)
            except IllegalAnswer:
                assert not allowed, (self.rules, bids, number)
                return False
            assert allowed, (self.rules, bids, number)
        return True

    def asked(self) -> list[int]:
        """Who is to bid again; nobody once the round is over."""
        question = self.session.question
        assert question is not None
        return [seat.number - 1 for seat in question.seats]

    def agrees(self, bids: Bids, ahead: list[int]) -> None:
        """The purses hold what the reference says, and no piece was made or lost."""
        held = [
            self.session.table.ledger.find_account_by_keys(f"{name}/purse", self.piece).count
            for name in NAMES
        ]
        price = paid(bids, ahead, self.rules)
        assert held == [before - out for before, out in zip(self.purses, price, strict=True)], (
            self.rules,
            self.purses,
            bids,
        )
        books = self.session.table.ledger.total_by_piece_key()
        assert books.get(self.piece, 0) == self.books.get(self.piece, 0)
        if not self.game.has_free_moves:
            noted = [
                self.session.table.ledger.find_account_by_keys(f"{name}/front", "paid").count
                for name in NAMES
            ]
            assert noted == price


def all_bids(seats: Sequence[int]) -> Iterator[Bids]:
    """Every combination of their bids."""
    for bids in product(range(MOST + 1), repeat=len(seats)):
        yield dict(zip(seats, bids, strict=True))


@pytest.mark.sweep(2)
@pytest.mark.without_coverage
@pytest.mark.parametrize("purses", PURSES, ids=str)
@pytest.mark.parametrize("game", [any_game.GAME, sealed_bid.GAME], ids=lambda game: game.key)
def test_every_sealed_round_is_settled_as_the_reference_says(game: Game, purses: Sequence[int]) -> None:
    """A bid is taken if what it costs at worst can be paid, whatever others sealed; the price is right."""
    settled = refused = tied = 0
    for rules in ways(game):
        table = Round(game, rules, purses)
        for sealed in all_bids(range(3)):
            table.again()
            if not table.seal(sealed):
                refused += 1
                continue
            bids, ahead = sealed, best(sealed, rules["wins"])
            if len(ahead) > 1 and rules["ties"] == "again":
                assert table.asked() == ahead
                bids, ahead = rebid(table, bids, ahead)
                tied += 1
            elif rules["ties"] == "order":
                ahead = ahead[:1]  # without a start player, turn order begins with the first seat
            table.agrees(bids, ahead)
            settled += 1
    assert min(settled, refused, tied) > 0


def rebid(table: Round, bids: Bids, ahead: list[int]) -> tuple[Bids, list[int]]:
    """Those who tie bid again: the first bids 1 and the others nothing."""
    again = {seat: int(seat == ahead[0]) for seat in ahead}
    assert table.seal(again)
    return bids | again, [ahead[0]]


@pytest.mark.parametrize("game", [any_game.GAME, sealed_bid.GAME], ids=lambda game: game.key)
def test_money_taken_away_by_hand_stops_no_round(game: Game) -> None:
    """A purse emptied by hand between a tie and its end pays what is there, and all hear it, or are asked."""
    short = 0
    for rules in ways(game):
        if rules["ties"] != "again":
            continue
        table = Round(game, rules, (3, 3, 3))
        for bids in all_bids(range(3)):
            table.again()
            assert table.seal(bids)
            ahead = best(bids, rules["wins"])
            if len(ahead) < 2:
                continue
            table.session.correct("Chie/purse", "bank", table.piece, 3, "lent")
            again = {seat: int(seat == ahead[0] != 2) for seat in ahead}
            for seat, bid in again.items():
                table.session.put_answer_in_envelope(
                    table.session.question_number, table.session.table.seats[seat], bid
                )
            owed = paid(bids | again, best(again, rules["wins"]), rules)
            held = [
                table.session.table.ledger.find_account_by_keys(f"{name}/purse", table.piece).count
                for name in NAMES
            ]
            assert held == [3 - owed[0], 3 - owed[1], 0]
            told = [render(note) for note in make_view(table.session).notes]
            question = table.session.question
            assert question is not None
            said = [*told, render(question.text)]
            unpaid = {"Chie can pay only 0.", f"Chie must pay bank {owed[2]}, but has only 0. What now?"}
            assert bool(unpaid & {*said}) == (owed[2] > 0)
            short += owed[2] > 0
    assert short


def test_the_next_best_is_the_price_in_the_order_that_wins() -> None:
    """Purses of 10, 10 and 5, bids 9 9 4: where none may be shared the 4 wins and is the only bid."""
    table = Round(any_game.GAME, {"wins": "unique", "pays": "second"}, (10, 10, 5))
    assert table.seal({0: 9, 1: 9, 2: 4})
    assert [render(note) for note in make_view(table.session).notes] == ["Chie wins with 4."]
    table.again()
    assert table.seal({0: 9, 1: 7, 2: 4})
    assert [render(note) for note in make_view(table.session).notes] == ["Aki wins with 9.", "Aki pays 7."]


def test_the_lowest_never_has_to_pay_more_than_it_can() -> None:
    """Where the lowest pays the second, everybody is told before that no bid is above the emptiest purse."""
    table = Round(any_game.GAME, {"wins": "lowest", "pays": "second"}, (10, 0, 5))
    question = table.session.question
    assert question is not None
    seats = table.session.table.seats
    parts = [question.parts_by_seat[seat] for seat in seats]
    assert [part.limits_json["most"] for part in parts] == [5, 0, 5]
    told = "How much do you bid in coin? At most what the emptiest purse holds; 0 is no bid."
    assert {render(part.text) for part in parts} == {told}
    table.session.correct("Chie/purse", "bank", "coin", 1, "lent")
    assert [part.limits_json["most"] for part in parts] == [4, 0, 4]
    assert Round(any_game.GAME, {"wins": "lowest", "pays": "second"}, (0, 0, 0)).seal({0: 0, 1: 0, 2: 0})


@pytest.mark.parametrize("game", [any_game.GAME, sealed_bid.GAME], ids=lambda game: game.key)
def test_the_bids_of_a_tie_are_told_as_they_were(game: Game) -> None:
    """The history keeps what was bid first, also after those who tied have bid again."""
    table = Round(game, {"wins": "highest", "pays": "winner", "ties": "again"}, (3, 3, 3))
    assert table.seal({0: 3, 1: 3, 2: 1})
    told = table.session.rulebook_run.answered_questions[-1]
    first = render(told.sentence)
    rebid(table, {0: 3, 1: 3, 2: 1}, [0, 1])
    assert render(told.sentence) == first
