"""What is printed for Oyakata, its sums against every case there is, explosions against brute force."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any

import msgspec
import pytest

from companion.cards import CardDesign, Deck, shipped_deck
from companion.errors import UserError
from companion.games.oyakata.board import (
    Board,
    check_deck,
    chip_colour_without_effect,
    colour_kept_by_explosion,
    count_accident_tiles,
    count_paid_employees,
    gem_colours,
    most_expensive_held_colours,
    redundancy_pay,
    sale_proceeds,
)
from companion.games.oyakata.discontent import explode_discontent_of_seat
from companion.games.oyakata.rulebook import GAME
from companion.requests import Choose
from companion.session.session import find_no_card
from companion.table.seats import Seat, make_seats
from companion.table.table import Table
from companion.texts import render
from tests.support.games.oyakata_helpers import CHIPS, GEMS

DECK = shipped_deck("oyakata")


# Sums


@pytest.mark.parametrize(("dismissed", "gold"), [(1, 1), (2, 3), (3, 6), (4, 10), (5, 15)])
def test_what_dismissals_cost(dismissed: int, gold: int) -> None:
    """k(k+1)/2 gold for k at once."""
    assert redundancy_pay(dismissed) == gold


@pytest.mark.parametrize("each", [2, 5])
def test_wages_of_every_small_purse(each: int) -> None:
    """As many are paid as the gold allows; every other one is unpaid."""
    for employees, gold in product(range(6), range(30)):
        paid, unpaid = count_paid_employees(employees, gold, each)
        assert paid + unpaid == employees
        assert paid * each <= gold
        assert not unpaid or (paid + 1) * each > gold


def test_a_sale() -> None:
    """Each gem brings today's price and the bonus."""
    assert sale_proceeds({"red": 2, "blue": 1, "white": 0}, {"red": 3, "blue": 1, "white": 5}, 2) == 2 * 5 + 3


def test_the_dearest_gems_of_every_small_storage() -> None:
    """Of the colours held those with the highest price; nothing where nothing is held."""
    for held, prices in product(product(range(2), repeat=3), product(range(1, 4), repeat=3)):
        found = most_expensive_held_colours(
            dict(zip("abc", held, strict=True)), dict(zip("abc", prices, strict=True))
        )
        best = max((price for count, price in zip(held, prices, strict=True) if count), default=None)
        wanted = [
            name for name, count, price in zip("abc", held, prices, strict=True) if count and price == best
        ]
        assert found == wanted


# Explosions against brute force


def every_stack() -> Iterator[tuple[str, ...]]:
    """All stacks of 5, and those of 6 that come from one that stayed: five alike and any other."""
    yield from product(CHIPS, repeat=5)
    for kept, last in product(CHIPS, repeat=2):
        if kept != last:
            yield (kept,) * 5 + (last,)


def by_hand(stack: Sequence[str]) -> str:
    """The colour that stays, found as people do: count each, then look from the top down."""
    most = max(sum(chip == colour for chip in stack) for colour in CHIPS)
    common = [colour for colour in CHIPS if sum(chip == colour for chip in stack) == most]
    for chip in reversed(stack):
        if chip in common:
            return chip
    raise AssertionError("a stack has chips")


def test_which_colour_stays_of_every_stack() -> None:
    """Over all stacks of 5 and those that grow to 6: the commonest, of several the nearest to the top."""
    stacks = list(every_stack())
    assert len(stacks) == 5**5 + 20
    assert [stack for stack in stacks if colour_kept_by_explosion(stack) != by_hand(stack)] == []


class Mine:
    """Aki's mine: so many on the track, four gems in the storage, today's prices, some discontent."""

    def __init__(self) -> None:
        options = {option.key: option.default for option in GAME.options}
        self.table = Table(make_seats(["Aki", "Ben"]), options, {"oyakata": DECK}, find_no_card)
        self.board = Board(self.table)
        self.seat: Seat = self.table.seats[0]
        for colour, price in zip(GEMS, (1, 4, 4, 2), strict=True):
            self.board.table.add_markers(self.board.price_markers_today[colour], price)
        self.stored = self.board.gems_in_storage[self.seat]

    def prepare(self, stack: Sequence[str], workers: int) -> None:
        """Everything lies as before the explosion."""
        board, move = self.board, self.table.move
        board.table.remove_markers(board.tracks["workers"][self.seat])
        board.table.add_markers(board.tracks["workers"][self.seat], workers)
        for account in (*board.effects["blue"].values(), *board.effects["black"].values()):
            board.table.remove_markers(account)
        for colour, stored in self.stored.items():
            move(board.centre[colour], stored, 1 - stored.count)
        for colour, account in board.discontent_chips[self.seat].items():
            self.table.move_all(account, board.chip_bag[colour])
        for colour in stack:
            move(board.chip_bag[colour], board.discontent_chips[self.seat][colour])

    def explode(self) -> list[list[str]]:
        """Runs the explosion, picking the first gem whenever the owner may pick; gives what was offered."""
        offered: list[list[str]] = []
        play, answer = explode_discontent_of_seat(self.board, self.seat), None
        while True:
            try:
                question: Any = play.send(answer)
            except StopIteration:
                return offered
            assert isinstance(question, Choose)
            offered.append(list(question.offered_options))
            answer = offered[-1][0]


def test_what_every_explosion_does() -> None:
    """Over all those stacks: what stays, what lasts, who leaves, what is stolen, and no chip is lost."""
    mine = Mine()
    board, totals = mine.board, mine.table.ledger.total_by_piece_key()
    for stack in every_stack():
        workers = 2 + len(set(stack)) % 4
        mine.prepare(stack, workers)
        offered = mine.explode()
        colour = by_hand(stack)
        count = stack.count(colour)
        stays = [colour] * count if colour in ("blue", "black") else []
        assert board.chip_colours_from_bottom(mine.seat) == stays, stack
        lasting = [lasts for lasts in ("blue", "black") if board.suffers_effect(mine.seat, lasts)]
        assert lasting == stays[:1], stack
        left = max(workers - 1 - count, 0) if colour == "red" else workers - 1
        assert board.employee_count(mine.seat) == left, stack
        stolen = ["blue", "yellow", "white", "red"][: count if colour == "yellow" else 0]
        assert {gem for gem in GEMS if not mine.stored[gem].count} == set(stolen), stack
        assert offered == ([["blue", "yellow"]] if stolen else []), stack
        assert mine.table.ledger.total_by_piece_key() == totals, stack


# The shipped cards and boards


def test_the_shipped_deck_is_plausible() -> None:
    """20 market cards, 35 tiles of each letter, nothing odd; a guess until the owner has entered theirs."""
    assert GAME.check_deck(DECK) == []
    assert DECK.provisional
    assert gem_colours(DECK) == list(GEMS)
    assert (chip_colour_without_effect(DECK), count_accident_tiles(DECK)) == ("white", 5)


def test_the_market_is_fair() -> None:
    """On the 20 shipped cards each gem costs as much as the others together, and no two cards are alike."""
    cards = [design.values for design in DECK.designs if design.values["kind"] == "market"]
    assert {sum(int(card[colour]) for card in cards) for colour in GEMS} == {57}
    assert len({tuple(card[colour] for colour in GEMS) for card in cards}) == 20


def changed(design: str, **values: Any) -> Deck:
    """The shipped deck with other values on one card."""
    return msgspec.structs.replace(
        DECK, designs=tuple(_changed(one, values) if one.id == design else one for one in DECK.designs)
    )


def _changed(design: CardDesign, values: dict[str, Any]) -> CardDesign:
    copies = values.pop("copies", design.copies)
    return msgspec.structs.replace(design, copies=copies, values=design.values | values)


def with_board(**rows: tuple[int, ...]) -> Deck:
    """The shipped deck with other numbers on the players' boards."""
    return msgspec.structs.replace(DECK, board=DECK.board | rows)


@pytest.mark.parametrize(
    ("deck", "why"),
    [
        (changed("A1", accident="yes"), "card A1: this is an A tile, and A tiles never show an accident."),
        (changed("A1", copies=2), "The number of cards of kind A must be 35, not 34."),
        (changed("B1", copies=4), "The number of cards of kind B must be 35, not 36."),
        (changed("M1", copies=2), "The number of cards of kind market must be 20, not 21."),
        (changed("fifth", copies=2), "The number of cards of kind chip must be 1, not 2."),
        (with_board(storage=(4, 8, 6, 10)), "The numbers in board.storage must not get smaller."),
        (
            with_board(kinds=(1, 2)),
            "board.kinds_prices needs one number fewer than board.kinds.",
        ),
        (with_board(survey_placed=(1, 4, 4)), "board.survey_placed can't be higher than board.survey_taken."),
    ],
)
def test_cards_that_can_not_be(deck: Deck, why: str) -> None:
    """A deck that can't be is refused: which key, and what is allowed."""
    with pytest.raises(UserError) as refusal:
        check_deck(deck)
    assert str(refusal.value) == why


def test_a_warning() -> None:
    """Without any accident among the tiles B something was forgotten."""
    assert [render(text) for text in check_deck(changed("accident", accident="no"))] == [
        "At least one B tile must show an accident."
    ]
