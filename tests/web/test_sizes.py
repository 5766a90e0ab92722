"""Every state of the pages at every size: nothing is cut, all can be touched, and axe finds nothing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import pytest

from companion.recorded_match import load_recorded_events
from companion.web.texts import page_texts
from tests.support.long_names import PEOPLE
from tests.support.page_form import PageForm
from tests.support.page_questions import QUESTIONS
from tests.support.page_server import PageServer
from tests.support.pages import SIZES, Page
from tests.support.soak import SOAK

pytestmark = pytest.mark.needs("chromium", "chromedriver")

LANGUAGES = ("en", "de", "ja")
THEMES = ("light", "dark")
TABLE_SIZES = [(1280, 720), (1920, 1080), *SIZES]


@pytest.fixture(autouse=True)
def without_motion(page: Page) -> None:
    """Lets nothing fade in while axe measures contrasts."""
    features = [{"name": "prefers-reduced-motion", "value": "reduce"}]
    page.browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def find_faults(page: Page, sizes: list[tuple[int, int]], where: str) -> Iterator[str]:
    """Yields what is wrong with a page at these sizes, and what axe finds in both themes.

    Only a soak looks at more than the first two sizes.
    """
    for width, height in sizes if SOAK else sizes[:2]:
        page.resize(width, height)
        yield from (f"{where} {width}x{height} {fault}" for fault in page.layout_faults())
    for theme in THEMES:
        page.browser.execute_script("document.documentElement.dataset.theme = arguments[0]", theme)
        yield from (f"{where} {theme} {fault}" for fault in page.accessibility_faults())


@pytest.mark.sweep(2)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_can_be_read_and_answered(
    server: PageServer, page: Page, name: str, language: str
) -> None:
    """As asked, as entered, with the cover open, and with the answer in its envelope."""
    asking, form, found = QUESTIONS[name], PageForm(page, language), list[str]()

    def look(what: str) -> None:
        found.extend(find_faults(page, SIZES, f"{name} {language} {what}"))

    page.prefer_language(language)
    asking.ask(server)
    page.pair()
    question, part = server.asked(1, language)
    page.read(question["text"])
    look("asked")
    if asking.is_sealed:
        form.enter(question, part, asking.answer)
        with form.open_cover():
            look("open")
        form.send()
        page.see(".letters")
        look("sealed")
    elif form.must_be_sent(question, part, asking.answer):
        form.enter(question, part, asking.answer)
        look("entered")
    assert found == []


def look_at_both(server: PageServer, page: Page, seat: int, where: str) -> list[str]:
    """Returns what is wrong with the page of the table, and with that of a seat."""
    page.open("/table")
    page.see("#seats li")
    found = [*find_faults(page, TABLE_SIZES, f"{where} table")]
    page.pair(seat)
    page.see("#seats li")
    return [*found, *find_faults(page, SIZES, f"{where} seat")]


SEALED_SEATS = {"bids": 0, "sealed": 11, "revealed": 12, "score": 12}


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("state", "language"), [*product(SEALED_SEATS, LANGUAGES)])
def test_the_table_of_twelve_can_be_read(server: PageServer, page: Page, state: str, language: str) -> None:
    """Twelve people with long names: on a television, a tablet, a phone, and on the phone of one of them."""
    page.prefer_language(language)
    server.begin("sealed_bid", *PEOPLE[language], options={"start": "900", "unit": "gold"})
    for seat in range(1, SEALED_SEATS[state] + 1):
        server.seal(seat, 3 * seat)
    if state == "score":
        server.answer("finish")
    assert look_at_both(server, page, 12, f"{state} {language}") == []


GAMES = ("bidders", "egypt", "high_bid", "mammon", "oyakata")


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("game", "language"), [*product(GAMES, LANGUAGES)])
def test_the_table_of_each_game_can_be_read(server: PageServer, page: Page, game: str, language: str) -> None:
    """Some moves into a recorded match."""
    page.prefer_language(language)
    server.begin_recorded(load_recorded_events(game)[:40])
    assert look_at_both(server, page, 1, f"{game} {language}") == []


@pytest.mark.sweep(1)
@pytest.mark.parametrize("language", LANGUAGES)
def test_pairing_can_be_read(server: PageServer, page: Page, language: str) -> None:
    """The page before the code is used, the digits, and what is said without a code."""
    page.prefer_language(language)
    page.open("/seat/2")
    page.read(page_texts(language)["pair:how"])
    found = [*find_faults(page, SIZES, "without a code")]
    page.open(server.offer_code(1))
    page.see("#pairing button.main")
    found += find_faults(page, SIZES, "code")
    page.tap_on("#pairing button.main")
    page.see(".digits")
    found += find_faults(page, SIZES, "digits")
    server.confirm_digits()
    page.see("[data-state=on]")
    page.tap_on("summary")
    found += find_faults(page, SIZES, "look")
    assert found == []
