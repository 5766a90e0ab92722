"""Each type of field can be answered on a phone, with its limits, in the open and under the cover."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.requests import (
    Amount,
    Choose,
    CountedItem,
    Counts,
    DetailedOption,
    Die,
    Done,
    FallingPriceStep,
    Raise,
    Request,
    Roll,
    Together,
    Write,
)
from companion.table.seats import Seat
from companion.table.table import Table
from companion.texts import Labelled, say
from tests.support.asking_game import COIN, asking_game
from tests.support.page_server import PageServer
from tests.support.pages import Page

pytestmark = pytest.mark.needs("chromium", "chromedriver")

BUY_OPTIONS: dict[str, Labelled] = {
    "buy": say("Buy a card"),
    "sell": DetailedOption(say("Sell a card"), barred_reason=say("None for sale.")),
    "end": say("End the game"),
}
COUNTED = {"own": CountedItem(say("own coins"), 5), "foreign": CountedItem(say("foreign coins"), 3)}
TWO_DICE = (Die(say("red"), (1, 2, 3, 4, 5, 6)), Die(say("coin"), (0, 1), (say("heads"), say("tails"))))

NUMBER = "input.number"
MakePart = Callable[[Seat], Request[Any]]
PARTS: dict[str, MakePart] = {
    "number": lambda seat: Amount(seat, say("How much?"), 3, 40),
    "negative": lambda seat: Amount(seat, say("How many points?"), -99, 99),
    "half": lambda seat: Amount(seat, say("How many points?"), 0, 20, in_halves=True),
    "values": lambda seat: Amount(seat, say("Which tile?"), 0, 9, values=(5, 9)),
    "option": lambda seat: Choose(
        seat, say("What now?"), BUY_OPTIONS, confirmations={"end": say("Finish this game?")}
    ),
    "quantities": lambda seat: Counts(seat, say("What do you pay?"), COUNTED, 3, 4, decline=say("can't pay")),
    "text": lambda seat: Write(seat, say("What is it?"), decline=say("No name")),
    "dice": lambda seat: Roll(seat, say("Roll the dice"), TWO_DICE),
    "confirm": lambda seat: Done(seat, say("Deal the cards.")),
}


def ask(server: PageServer, page: Page, name: str, *, is_sealed: bool = False) -> None:
    """Asks Aki one of the questions, alone or together with Ben, and pairs Aki's phone."""
    make = PARTS[name]

    def question(table: Table) -> Request[Any]:
        if is_sealed:
            return Together(say("All in secret"), {seat: make(seat) for seat in table.seats})
        return make(table.seats[0])

    def last(table: Table) -> Request[Any]:
        return Done(None, say("Finally"))

    server.begin(asking_game(question, last), "Aki", "Ben")
    page.pair()


OPEN_ANSWERS: list[tuple[str, Callable[[Page], object], object]] = [
    ("number", lambda page: page.type(NUMBER, "11").tap("more", "Enter 12"), 12),
    ("number", lambda page: page.tap("more", "more", "less", "Enter 3"), 3),
    ("negative", lambda page: page.type(NUMBER, "-7").tap("Enter −7"), -7),
    ("half", lambda page: page.type(NUMBER, "7.5").tap("Enter 7½"), 7.5),
    ("half", lambda page: page.tap("more", "more", "Enter ½"), 0.5),
    ("number", lambda page: page.type(NUMBER, "12\n"), 12),
    ("values", lambda page: page.tap("9"), 9),
    ("option", lambda page: page.tap("Buy a card"), "buy"),
    ("option", lambda page: page.tap("End the game", "Yes"), "end"),
    (
        "quantities",
        lambda page: page.tap("own coins: more", "own coins: more", "foreign coins: more", "Enter"),
        {"own": 2, "foreign": 1},
    ),
    ("quantities", lambda page: page.tap("can't pay"), None),
    ("text", lambda page: page.type("input.words", " Vase ").tap("Enter"), "Vase"),
    ("text", lambda page: page.tap("No name"), ""),
    ("dice", lambda page: page.tap("4", "tails", "Enter"), [4, 1]),
    ("confirm", lambda page: page.tap("OK"), True),
]


@pytest.mark.sweep(4)
@pytest.mark.parametrize(("name", "act", "answer"), OPEN_ANSWERS)
def test_an_open_question_is_answered(
    server: PageServer, page: Page, name: str, act: Callable[[Page], object], answer: object
) -> None:
    """The player enters an answer with keys or by typing, and one key sends it."""
    ask(server, page, name)
    act(page)
    page.read("Anybody may answer.")
    assert server.last_answer == answer


SEALED_ANSWERS: list[tuple[str, Callable[[Page], object], str]] = [
    ("number", lambda page: page.tap("1", "2"), "12"),
    ("negative", lambda page: page.tap("±", "7"), "-7"),
    ("half", lambda page: page.tap("7", "½"), "7½"),
    ("values", lambda page: page.tap("9"), "9"),
    ("option", lambda page: page.tap("Buy a card"), "Buy a card"),
    (
        "quantities",
        lambda page: page.tap("own coins: more", "own coins: more", "foreign coins: more"),
        "foreign coins",
    ),
    ("text", lambda page: page.tap("Write").press_keys("Vase"), "Vase"),
    ("dice", lambda page: page.tap("4", "tails"), "4"),
]


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("name", "act", "answer"), SEALED_ANSWERS)
def test_a_covered_question_is_answered(
    server: PageServer, page: Page, name: str, act: Callable[[Page], object], answer: str
) -> None:
    """Under the cover the same fields are entered without being seen; holding the cover shows the answer."""
    ask(server, page, name, is_sealed=True)
    act(page)
    page.tap("Seal")
    page.see(".envelope")
    assert page.browser.execute_script("return document.querySelector('#secret').textContent") == ""
    page.hold()
    assert answer in page.see(".own-answer strong").text
    page.let_go()


def test_the_button_says_what_is_missing(server: PageServer, page: Page) -> None:
    """An answer outside the limits can't be sent, and the page says why."""
    ask(server, page, "number")
    page.read("Nothing is entered yet.")
    page.type(NUMBER, "2")
    page.read("at least 3")
    page.type(NUMBER, "41")
    page.read("at most 40")
    assert not page.key("Enter").is_enabled()
    assert server.session is not None
    assert server.session.question_number == 1


def test_quantities_show_their_total_and_limits(server: PageServer, page: Page) -> None:
    """The total runs along; above the limit the answer can't be sent."""
    ask(server, page, "quantities")
    page.tap(*["own coins: more"] * 5)
    page.read("Total: 5 · at least 3 · at most 4")
    page.read("at most 4 in all")
    assert not page.key("Enter").is_enabled()


def test_options_that_are_barred_have_reasons(server: PageServer, page: Page) -> None:
    """An option that can't be chosen is shown with the reason, and isn't a key."""
    ask(server, page, "option")
    page.read("None for sale.")
    assert not page.has_key("Sell a card")


def test_an_answer_with_consequences_is_asked_first(server: PageServer, page: Page) -> None:
    """After “No” nothing has happened, and the question can still be answered."""
    ask(server, page, "option")
    page.tap("End the game")
    page.read("Finish this game?")
    assert page.accessibility_faults() == []
    page.tap("No", "Buy a card")
    page.read("Anybody may answer.")
    assert server.last_answer == "buy"


def test_companion_rolls(server: PageServer, page: Page) -> None:
    """Where Companion may answer by chance, a key offers it."""
    ask(server, page, "dice")
    page.tap("Let Companion roll")
    page.read("Anybody may answer.")
    assert len(server.last_answer) == 2


def test_a_race_says_what_counts(server: PageServer, page: Page) -> None:
    """In a race the page says that the order of arrival counts, and shows the falling price."""

    def race(table: Table) -> Request[Any]:
        options = {str(seat.number): seat for seat in table.seats} | {"pass": say("Nobody")}
        return Choose(
            None,
            say("Who buys?"),
            options,
            race_seats=tuple(table.seats),
            falling_price=FallingPriceStep(95, 80),
        )

    server.begin(asking_game(race, lambda _: Done(None, say("Finally"))), "Aki", "Ben")
    page.pair()
    page.read("The first answer that reaches Companion counts.")
    page.read("95")
    page.tap("Take it")
    page.read("Finally")
    assert server.last_answer == "1"


def test_a_bid_is_raised(server: PageServer, page: Page) -> None:
    """An auction shows the bids so far; declining is a second key with its word."""

    def bid(table: Table) -> Request[Any]:
        aki, ben = table.seats
        return Raise(aki, COIN, {ben: 7}, least=8, most=40)

    server.begin(asking_game(bid, bid, lambda _: Done(None, say("Finally"))), "Aki", "Ben")
    page.pair()
    page.read("Ben 7")
    page.tap("more", "Enter 8")
    page.wait(lambda: server.last_answer == 8)
    page.tap("pass")
    page.read("Finally")
    assert server.last_answer is None


def test_cards_are_found_and_chosen(server: PageServer, page: Page) -> None:
    """Cards are a list that can be narrowed; a tap chooses one."""
    server.begin("high_bid", "Aki", "Ben")
    server.answer("1", True)
    page.pair()
    page.type("input.filter", "stam")
    page.tap("Stamps", "Enter")
    page.read("bid for Stamps")
    (card,) = server.last_answer
    assert card["values"]["name"] == "Stamps"


def test_a_payment_in_cards_is_counted_by_rate(server: PageServer, page: Page) -> None:
    """A payment says how many cards of each rate, and adds up what they are worth."""
    server.begin("egypt", "Aki", "Ben", "Chie")
    server.answer("1", True, 3, None, None)
    page.pair()
    page.tap("cards numbered 4: more", "other cards: more")
    page.read("Total: 3")
    page.tap("Enter")
    page.wait(lambda: server.last_answer == [{"values": {"number": 4}}, {"values": {}}])
