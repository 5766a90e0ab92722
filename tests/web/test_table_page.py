"""The page that shows the table: everybody can read it from afar, and it follows by itself."""

import pytest

from companion.clocks import TICKS_PER_SECOND, ClockState
from tests.support.long_names import PEOPLE
from tests.support.page_server import PageServer
from tests.support.pages import Page

pytestmark = pytest.mark.needs("chromium", "chromedriver")

TELEVISIONS = [(1280, 720), (1920, 1080)]


@pytest.fixture
def table(server: PageServer, page: Page) -> Page:
    """The table page, at a round of sealed bids."""
    server.begin("sealed_bid", "Aki", "Ben", options={"start": "20", "unit": "gold"})
    page.open("/table")
    page.read("Everybody bids in secret")
    return page


def test_it_follows_the_game_from_bids_to_the_final_score(server: PageServer, table: Page) -> None:
    """Closed envelopes, the opened bids, what happened and the final score come without a touch."""
    server.seal(1, 17)
    table.read("envelope closed")
    assert "17" not in table.whole_document.partition("<body")[2]
    server.seal(2, 5)
    table.wait(
        lambda: (
            table.see("#revealed .envelopes").text.replace("\n", " ").split()
            == ["Aki", "17", "winner", "Ben", "5"]
        )
    )
    table.read("Aki wins with 17 gold.")
    server.answer("finish")
    table.read("Final score: Aki wins.")
    assert table.see("#result .wins .total").text == "1"


def test_it_shows_the_bids_of_an_auction(server: PageServer, page: Page) -> None:
    """What has been bid stands beside the question."""
    server.begin("egypt", "Aki", "Ben", "Chie")
    server.answer("1", True, 3)
    page.open("/table")
    page.read("Aki 3")


def test_nobody_can_change_anything(table: Page) -> None:
    """The only keys are those of language and look."""
    keys = table.browser.execute_script("return document.querySelectorAll('main button, main input').length")
    assert keys == 0


@pytest.mark.parametrize("people", [2, 12])
def test_letters_can_be_read_at_four_metres(server: PageServer, page: Page, people: int) -> None:
    """On a television the smallest letters are at least 1/48 of its height, and all players fit on it."""
    server.begin("sealed_bid", *PEOPLE["en"][:people], options={"start": "900", "unit": "gold"})
    for seat in range(1, people):
        server.seal(seat, 10 * seat)
    page.open("/table")
    page.read("Everybody bids in secret")
    for width, height in TELEVISIONS:
        page.resize(width, height)
        sizes, bottom = page.browser.execute_script(
            """
            const isText = (each) => !each.childElementCount && each.offsetParent && each.textContent.trim();
            const texts = [...document.querySelectorAll("main *")].filter(isText);
            return [texts.map((each) => parseFloat(getComputedStyle(each).fontSize)),
                document.querySelector("#seats").getBoundingClientRect().bottom];
            """
        )
        assert min(sizes) >= height / 48
        assert bottom <= height


def test_a_clock_runs_between_two_messages(server: PageServer, table: Page) -> None:
    """The time that is left is counted down in the browser, which needs no right time of its own."""
    session = server.session
    assert session is not None
    clock = ClockState("lot", 0, 45 * TICKS_PER_SECOND, answers_on_timeout=False, seats=session.table.seats)
    server.run(lambda: setattr(server, "clocks", (clock,)))
    table.read("0:45")
    table.read("0:44")


def test_without_a_game_it_says_so(page: Page) -> None:
    """The page waits until a game begins."""
    page.open("/table")
    page.read("No game is on the table.")


def test_the_first_page_leads_to_the_table(server: PageServer, page: Page) -> None:
    """Whoever opens the address alone reads how to get a seat, and can watch."""
    page.open("/")
    page.read("scan the code of your seat")
    assert page.accessibility_faults() == []
    page.tap("Watch the table")
    page.read("No game is on the table.")
