"""A whole match of sealed bids on the real pages: two phones and a television."""

from __future__ import annotations

from contextlib import closing
from functools import partial

import pytest
from selenium.webdriver import ActionChains
from selenium.webdriver.common.actions import interaction
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.keys import Keys

from tests.support.page_server import PageServer
from tests.support.pages import Page, Tabs

pytestmark = [pytest.mark.needs("chromium", "chromedriver"), pytest.mark.without_coverage]

TELEVISION_SIZE = (1920, 1080)


def pair(page: Page, address: str) -> None:
    """Pairs the phone of a seat at an address of the web process."""
    page.open(address)
    page.tap("Use this phone for seat")
    page.see(".digits")
    page.server.confirm_digits()
    page.read("How much do you bid")


def touch(page: Page, *names: str) -> None:
    """Touches keys with a finger."""
    for name in names:
        key = page.key(name)
        page.browser.execute_script("arguments[0].scrollIntoView({block: 'center'})", key)
        finger = PointerInput(interaction.POINTER_TOUCH, "finger")  # type: ignore[no-untyped-call]  # its annotations are incomplete
        ActionChains(page.browser, devices=[finger]).click(key).perform()


def type_and_seal(page: Page, bid: str) -> None:
    """Seals a bid with the keyboard alone."""
    page.wait(lambda: focus(page, "1"))
    page.press_keys(bid)
    focus(page, "Seal")
    page.press_keys(Keys.ENTER)


def focus(page: Page, name: str) -> bool:
    """Presses Tab until a key with this name has the focus; returns whether there is one."""
    for _ in range(40):
        page.press_keys(Keys.TAB)
        if page.browser.switch_to.active_element.accessible_name.startswith(name):
            return True
    return False


def is_revealed(page: Page, words: list[str]) -> bool:
    """Returns whether the opened envelopes show these words."""
    return page.see("#revealed .envelopes").text.split() == words


def test_a_match_of_sealed_bids_is_played_on_two_phones(server: PageServer, page: Page) -> None:
    """One player touches, the other types; the table page shows each reveal, and all see the result."""
    server.begin("sealed_bid", "Aki", "Ben", options={"start": "40", "unit": "gold"})
    page.resize(*TELEVISION_SIZE)
    page.open("/table")
    with closing(Tabs(page, "table")) as tabs:
        pair(tabs.open_phone("aki"), server.offer_code(1))
        pair(tabs.open_phone("ben"), server.offer_code(2).replace("127.0.0.1", "localhost"))
        for bids, words in (
            (("17", "5"), ["Aki", "17", "winner", "Ben", "5"]),
            (("8", "12"), ["Aki", "8", "Ben", "12", "winner"]),
        ):
            touch(tabs.show("aki"), *bids[0], "Seal")
            page.see(".letters")
            tabs.show("table").read("envelope closed")
            assert bids[0] not in page.text.split()
            type_and_seal(tabs.show("ben"), bids[1])
            page.wait(lambda: page.has_key("Again"))
            tabs.show("table").wait(partial(is_revealed, page, words))
            if bids[0] == "17":
                touch(tabs.show("aki"), "Again")
                page.read("How much do you bid")
        touch(tabs.show("ben"), "Finish", "Yes")
        for name in ("ben", "aki", "table"):
            tabs.show(name).read("Final score")
        assert server.run(lambda: server.session is not None and server.session.result is not None)
