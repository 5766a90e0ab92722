"""Twins of a phone's page: whoever sees the phone, its history or its storage can't tell two secrets apart.

While the cover is closed, everything in the browser is the same, whatever its player has entered, sealed or
hidden.
"""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import pytest

from companion.web.static_files import STATIC_FOLDER
from tests.support.asking_game import asking_game
from tests.support.page_server import PageServer
from tests.support.pages import BrowserTab, Page, start_browser
from tests.web.test_seat_page import bid_from_covered_coins

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

pytestmark = pytest.mark.without_coverage

RANDOM = re.compile(r"[0-9A-Z]{4} [0-9A-Z]{4} [0-9A-Z]{4}|[\w+/-]{43}=?|(?<=<span>)[0-9A-Z]{4}(?=</span>)")
"""What is new in each game: letters of a seal, also one by one, keys and cookies."""
OBSERVE = """
const values = [...document.querySelectorAll("input, textarea, select")].map((each) => each.value);
Promise.all([caches.keys(), indexedDB.databases()]).then(([names, databases]) => done({
    title: document.title,
    address: location.href,
    history: [history.length - arguments[0], history.state, window.name],
    storage: [{...localStorage}, {...sessionStorage}, document.cookie, names, databases],
    document: document.documentElement.outerHTML,
    values,
}));
"""


@pytest.fixture(scope="module")
def recording_browser() -> Iterator[Chrome]:
    """A browser that records what its pages ask of the network."""
    browser = start_browser("performance")
    BrowserTab(browser).prefer_language("en-US")
    yield browser
    browser.quit()


class Secrets(NamedTuple):
    """What only Aki may know: how many coins Aki has, and what Aki bids."""

    coins: int
    bid: str


ONE, OTHER = Secrets(18, "16"), Secrets(13, "7")
TOO_MUCH = "99"

Moments = dict[str, dict[str, str]]


class Observer:
    """Notes everything that is in the browser, moment by moment."""

    def __init__(self, page: Page) -> None:
        self._page, self.moments = page, Moments()
        list(network_use(page.browser))
        self._history_length = page.browser.execute_script("return history.length")

    def observe(self, moment: str) -> None:
        """Notes what is in the browser now."""
        seen = dict(self._page.run(OBSERVE, self._history_length))
        seen["cookies"] = [
            {name: cookie[name] for name in ("name", "value", "path", "httpOnly", "sameSite", "session")}
            for cookie in self._page.browser.execute_cdp_cmd("Network.getAllCookies", {})["cookies"]
        ]
        seen["console"] = [line["message"] for line in read_log(self._page.browser, "browser")]
        self._note(moment, seen)

    def observe_network(self) -> None:
        """Notes what the browser has asked for, in any order, and what it has sent."""
        uses = list(network_use(self._page.browser))
        asked, sent = ([value for what, value in uses if what == each] for each in ("asked for", "sent"))
        self._note("in all", {"network": (sorted(asked), sent)})

    def _note(self, moment: str, seen: Mapping[str, object]) -> None:
        address = self._page.server.address
        self.moments[moment] = {
            name: RANDOM.sub("random", str(value)).replace(address, "") for name, value in seen.items()
        }


def observe_bidding(browser: Chrome, server: PageServer, secrets: Secrets) -> Moments:
    """Returns what is in the browser while Aki's phone pairs, bids, changes the bid and loads again."""
    page = Page(browser, server)
    page.resize(390, 844)
    observer = Observer(page)
    server.begin(
        asking_game(bid_from_covered_coins, bid_from_covered_coins, covered_coins=(secrets.coins, 25)),
        "Aki",
        "Ben",
    )
    page.pair()
    page.read("How much do you bid?")
    observer.observe("asked")
    page.tap(*secrets.bid)
    observer.observe("entered")
    page.hold()
    page.read(secrets.bid)
    page.let_go()
    observer.observe("covered again")
    page.tap("Seal")
    page.see(".letters")
    observer.observe("sealed")
    page.tap("Change the answer", *TOO_MUCH, "Seal")
    page.read("Your answer isn't sealed.")
    observer.observe("refused")
    browser.refresh()
    page.see(".letters")
    observer.observe("loaded again")
    observer.observe_network()
    page.forget_everything()
    return observer.moments


def read_log(browser: Chrome, name: str) -> list[dict[str, str]]:
    """Returns what has come to a log since the last call."""
    lines: list[dict[str, str]] = browser.get_log(name)  # type: ignore[no-untyped-call] # its annotations are incomplete
    return lines


def network_use(browser: Chrome) -> Iterator[tuple[str, str]]:
    """Yields what the page has asked for, and how long the messages are that it has sent."""
    for line in read_log(browser, "performance"):
        event = json.loads(line["message"])["message"]
        if event["method"] == "Network.requestWillBeSent":
            yield "asked for", event["params"]["request"]["url"]
        elif event["method"] == "Network.webSocketFrameSent":
            yield "sent", str(len(event["params"]["response"]["payloadData"]))


def compare_twins(browser: Chrome, folder: Path, static_folder: Path) -> Iterator[str]:
    """Yields what differs between two pages with different secrets, and when."""
    moments = []
    for secrets in (ONE, OTHER):
        with PageServer(folder / secrets.bid, static_folder) as server:
            moments.append(observe_bidding(browser, server, secrets))
    for moment, one in moments[0].items():
        for name, value in one.items():
            if value != moments[1][moment][name]:
                yield f"{name}, {moment}: {value} != {moments[1][moment][name]}"


def test_a_covered_page_tells_nothing(recording_browser: Chrome, tmp_path: Path) -> None:
    """Title, address, history, storage, caches, cookies, console, network and document are the same."""
    assert list(compare_twins(recording_browser, tmp_path, STATIC_FOLDER)) == []


SEND = "function send(message) {\n"
LEAKS = {
    "title": (
        "document.title = seat ? `${seat.name}",
        "document.title = seat ? `${seat.name} ${own.envelope?.answer}",
    ),
    "storage": (SEND, f'{SEND}  localStorage.setItem("draft", JSON.stringify(message));\n'),
    "address": (SEND, f"{SEND}  history.replaceState(null, '', `?${{message.answer}}`);\n"),
    "network": (SEND, f"{SEND}  fetch(`/static/${{message.answer}}`);\n"),
    "document": (
        'place(byId("secret"), ',
        'byId("secret").dataset.answer = own.envelope?.answer;\n  place(byId("secret"), ',
    ),
}
"""What a leaking page has, and what has to be in its place, by what shows the leak."""


@pytest.mark.sweep(1)
@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_of_the_page_is_noticed(recording_browser: Chrome, tmp_path: Path, leak: str) -> None:
    """Whatever the page writes down somewhere makes a difference there."""
    folder, (text, leaking_text) = tmp_path / "static", LEAKS[leak]
    shutil.copytree(STATIC_FOLDER, folder)
    script = (folder / "seat.js").read_text("utf-8")
    assert script.count(text) == 1
    (folder / "seat.js").write_text(script.replace(text, leaking_text), "utf-8")
    assert any(
        difference.startswith(leak) for difference in compare_twins(recording_browser, tmp_path, folder)
    )
