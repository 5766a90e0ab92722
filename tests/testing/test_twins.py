"""What every game must hold: nothing covered shows; a game that lets it show is caught."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from companion.errors import IllegalAnswer
from companion.requests import Amount, Choose, Done, OptionRequirement, Raise, Together
from companion.rules.game import ChoiceOption, Game
from companion.table.ledger import Account, Piece, Place
from companion.table.scores import GameResult, rank_seats
from companion.table.seats import Seat
from companion.table.table import Table
from companion.testing import check_game
from companion.testing.noninterference import check_noninterference
from companion.testing.random_game import RandomGame
from companion.texts import say, say_list

COIN, LOT = Piece("coin", say("coin")), Piece("lot", say("lot"))
BANK, PURSE, SOCK = say("bank"), say("purse"), say("sock")
ROUNDS, OWN = 6, 9

Round = Callable[[Table, Seat, Account], Any]


class Loud(Amount, frozen=True, eq=False):
    """An amount that refuses aloud what only its seat may know."""

    def check_answer(self, answer: int) -> None:
        """As an Amount does, but for all to hear."""
        try:
            super().check_answer(answer)
        except IllegalAnswer as error:
            raise IllegalAnswer(error.text) from None


def covered(table: Table) -> dict[Seat, Account]:
    """The purses."""
    return {seat: table.covered_account(COIN, PURSE, seat) for seat in table.seats}


async def bids(_: Table, seat: Seat, purse: Account) -> None:
    """Limits that are accounts, which say for themselves whether they are covered."""
    await Raise(seat, LOT, {}, most=purse)
    await Amount(seat, say("How much?"), paid_from=purse)


async def chooses(_: Table, seat: Seat, purse: Account) -> None:
    """An option that takes what lies covered."""
    needs = {"buy": OptionRequirement(purse, OWN, say("{seat} can't buy that.", seat=seat))}
    await Choose(seat, say("Buy?"), {"buy": say("Buy"), "not": say("Don't")}, requirements=needs)


async def moves_and_tells(table: Table, seat: Seat, purse: Account) -> None:
    """Whatever is in the purse goes into a sock, and all hear how much it is."""
    await Done(seat, say("Go on."))
    many = table.move_up_to(purse, table.covered_account(COIN, SOCK, seat), purse.count)
    table.add_note(say("{n} moved.", n=many))


async def tells_in_a_bid(_: Table, seat: Seat, purse: Account) -> None:
    """The highest bid is what is in the purse."""
    await Raise(seat, LOT, {}, most=purse.count)


async def tells_in_an_amount(_: Table, seat: Seat, purse: Account) -> None:
    """The highest number is what is in the purse."""
    await Amount(seat, say("How much?"), 0, purse.count)


async def tells_in_a_refusal(_: Table, seat: Seat, purse: Account) -> None:
    """Everybody hears that it is too much."""
    await Loud(seat, say("How much?"), paid_from=purse)


async def tells_in_a_sealed_refusal(table: Table, _: Seat, __: Account) -> None:
    """Leaks in a sealed refusal, in a game where everybody seals."""
    question, purses = say("How much?"), covered(table)
    await Together(question, {seat: Loud(seat, question, paid_from=purses[seat]) for seat in table.seats})


async def tells_in_a_text(_: Table, seat: Seat, purse: Account) -> None:
    """The question says what is in the purse."""
    await Done(seat, say("{n} left.", n=purse.count))


async def tells_in_a_note(table: Table, seat: Seat, purse: Account) -> None:
    """The answer leads to a sentence about it."""
    await Done(seat, say("Go on."))
    table.add_note(say("{n} left.", n=purse.count))


async def tells_in_the_heading(table: Table, seat: Seat, purse: Account) -> None:
    """It stands above the table."""
    table.heading = say("{n} left", n=purse.count)
    await Done(seat, say("Go on."))


async def tells_by_an_option(_: Table, seat: Seat, purse: Account) -> None:
    """Who has none isn't offered to buy."""
    buys = {"buy": say("Buy")} if purse.count >= OWN else {}
    await Choose(seat, say("Buy?"), {**buys, "not": say("Don't")})


async def tells_by_an_order(table: Table, seat: Seat, _: Account) -> None:
    """The richest is offered first."""
    purses = covered(table)
    richest = sorted(table.seats, key=lambda one: -purses[one].count)
    await Choose(seat, say("From whom?"), {str(one.number): one for one in richest})


async def tells_by_who_is_asked(table: Table, _: Seat, __: Account) -> None:
    """The richest is asked."""
    purses = covered(table)
    await Done(max(table.seats, key=lambda one: purses[one].count), say("Go on."))


def game(asks: Round) -> Game:
    """Some rounds of covered purses."""

    async def play(table: Table) -> GameResult:
        table.supply_from_box(table.account(COIN, BANK), 100)
        purses = covered(table)
        for seat in table.seats:
            table.supply_from_box(purses[seat], OWN)
        for seat in table.seats * ROUNDS:
            await asks(table, seat, purses[seat])
        return rank_seats(table.seats, lambda seat: 0, lambda _: ())

    asks_for = ("Amount", "Choose", "Done", "Raise", "Together")
    return Game("covered", 1, say("Covered"), (2, 3), play, question_kinds=asks_for)


@pytest.mark.without_coverage
@pytest.mark.parametrize("asks", [bids, chooses, moves_and_tells])
def test_what_is_covered_and_stays_so_is_no_fault(asks: Round) -> None:
    """Limits and needs that are accounts, and what is told of pieces that the rules move."""
    check_game(game(asks), games=10)


@pytest.mark.parametrize(
    ("asks", "where"),
    [
        (tells_in_a_bid, "question"),
        (tells_in_an_amount, "question"),
        (tells_in_a_refusal, "refusal of"),
        (tells_in_a_sealed_refusal, "refusal of"),
        (tells_in_a_text, "question"),
        (tells_in_a_note, "notes"),
        (tells_in_the_heading, "heading"),
        (tells_by_an_option, "question"),
        (tells_by_an_order, "question"),
        (tells_by_who_is_asked, "question"),
    ],
)
def test_what_is_covered_and_shows_is_caught(asks: Round, where: str) -> None:
    """And it is said where it shows, and what."""
    with pytest.raises(AssertionError, match=f"{where}.*: tells whether coin of"):
        check_game(game(asks), games=10)


async def deals_face_down(table: Table) -> GameResult:
    """Two cards are laid face down, and a sentence says which."""
    places = [Place(PURSE, slot=number) for number in (1, 2)]
    faces = table.track_faces("egypt", *places)
    for place, name in zip(places, ("4.1", "13.1"), strict=True):
        faces.move_faces([faces.parse_card({"card": name})], place)
    for _ in range(ROUNDS):
        there = say_list(faces.known_cards_at(places[0]))
        await Done(None, say("Go on.") if table.options["quiet"] == "yes" else say("{cards}!", cards=there))
    return rank_seats(table.seats, lambda seat: 0, lambda _: ())


def cards(quiet: str) -> Game:
    """The game with that option alone."""
    option = ChoiceOption(
        "quiet", say("Quiet"), say("Whether it is said."), quiet, choices={quiet: say("It is so.")}
    )
    return Game(
        "cards", 1, say("Cards"), (2, 3), deals_face_down, (option,), ("egypt",), question_kinds=("Done",)
    )


def test_a_card_that_lies_covered_and_shows_is_caught() -> None:
    """Cards change places with each other, also with those that nobody has seen."""
    check_game(cards("yes"), games=10)
    with pytest.raises(AssertionError, match=r"question.*: tells whether card"):
        check_game(cards("no"), games=10)


def test_where_nothing_lies_covered_there_is_nothing_to_hide() -> None:
    """Then a twin proves nothing, and says so."""

    async def play(table: Table) -> GameResult:
        await Done(None, say("Go on."))
        return rank_seats(table.seats, lambda seat: 0, lambda _: ())

    open_game = Game("open", 1, say("Open"), (2, 3), play, question_kinds=("Done",))
    assert not check_noninterference(RandomGame.begin(open_game, 0, Random(1)))
