"""Each type of field can be answered on a phone, with its limits, in the open and under the cover."""

from collections.abc import Callable
from typing import Any

import pytest

from companion.requests import (
    Done,
    Raise,
    Request,
)
from companion.table.table import Table
from companion.texts import say
from tests.support.asking_game import COIN, asking_game
from tests.support.page_questions import ask, ask_for_card, ask_for_payment, ask_in_race
from tests.support.page_server import PageServer
from tests.support.pages import Page

pytestmark = pytest.mark.needs("chromium", "chromedriver")

NUMBER = "input.number"
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
    ask(server, name)
    page.pair()
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
    ask(server, name, is_sealed=True)
    page.pair()
    act(page)
    page.tap("Seal")
    page.see(".envelope")
    assert page.browser.execute_script("return document.querySelector('#secret').textContent") == ""
    page.hold()
    assert answer in page.see(".own-answer strong").text
    page.let_go()


def test_the_button_says_what_is_missing(server: PageServer, page: Page) -> None:
    """An answer outside the limits can't be sent, and the page says why."""
    ask(server, "number")
    page.pair()
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
    ask(server, "quantities")
    page.pair()
    page.tap(*["own coins: more"] * 5)
    page.read("Total: 5 · at least 3 · at most 4")
    page.read("at most 4 in all")
    assert not page.key("Enter").is_enabled()


def test_options_that_are_barred_have_reasons(server: PageServer, page: Page) -> None:
    """An option that can't be chosen is shown with the reason, and isn't a key."""
    ask(server, "option")
    page.pair()
    page.read("None for sale.")
    assert not page.has_key("Sell a card")


def test_an_answer_with_consequences_is_asked_first(server: PageServer, page: Page) -> None:
    """After “No” nothing has happened, and the question can still be answered."""
    ask(server, "option")
    page.pair()
    page.tap("End the game")
    page.read("Finish this game?")
    assert page.accessibility_faults() == []
    page.tap("No", "Buy a card")
    page.read("Anybody may answer.")
    assert server.last_answer == "buy"


def test_companion_rolls(server: PageServer, page: Page) -> None:
    """Where Companion may answer by chance, a key offers it."""
    ask(server, "dice")
    page.pair()
    page.tap("Let Companion roll")
    page.read("Anybody may answer.")
    assert len(server.last_answer) == 2


def test_a_race_says_what_counts(server: PageServer, page: Page) -> None:
    """In a race the page says that the order of arrival counts, and shows the falling price."""
    ask_in_race(server)
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
    page.wait(lambda: server.answer_events and server.last_answer == 8)
    page.tap("pass")
    page.read("Finally")
    assert server.last_answer is None


def test_cards_are_found_and_chosen(server: PageServer, page: Page) -> None:
    """Cards are a list that can be narrowed; a tap chooses one."""
    ask_for_card(server)
    page.pair()
    page.type("input.filter", "stam")
    page.tap("Stamps", "Enter")
    page.read("bid for Stamps")
    (card,) = server.last_answer
    assert card["values"]["name"] == "Stamps"


def test_a_payment_in_cards_is_counted_by_rate(server: PageServer, page: Page) -> None:
    """A payment says how many cards of each rate, and adds up what they are worth."""
    ask_for_payment(server)
    page.pair()
    page.tap("cards numbered 4: more", "other cards: more")
    page.read("Total: 3")
    page.tap("Enter")
    page.wait(lambda: server.last_answer == [{"values": {"number": 4}}, {"values": {}}])
