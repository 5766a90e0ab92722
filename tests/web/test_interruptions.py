"""A phone sleeps, loses its connection or loads its page again at any kind of question."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from companion.web.texts import page_texts
from tests.support.page_form import PageForm
from tests.support.page_questions import QUESTIONS
from tests.support.page_server import PageServer
from tests.support.pages import Page

pytestmark = pytest.mark.needs("chromium", "chromedriver")

LANGUAGES = ("de", "ja")
STORED = """
    const databases = (await indexedDB.databases()).map((each) => each.name);
    const files = "caches" in window ? await caches.keys() : [];
    done(JSON.stringify([{...localStorage}, {...sessionStorage}, databases, files,
        document.cookie, history.state, location.href, window.name]));
"""
ENTERED = """
    return JSON.stringify([document.querySelector("#entry").innerText,
        [...document.querySelectorAll("#entry input")].map((each) => each.value),
        [...document.querySelectorAll("#entry [aria-pressed]")].map((each) => each.ariaPressed)]);
"""


def sleep(server: PageServer, page: Page) -> None:
    """The phone is locked, loses its connection meanwhile, and is unlocked again."""
    set_state = "Page.setWebLifecycleState"
    page.browser.execute_script("document.dispatchEvent(new Event('visibilitychange'))")
    page.browser.execute_cdp_cmd(set_state, {"state": "frozen"})
    server.drop_phones()
    page.wait(lambda: not server.connection_numbers)
    page.browser.execute_cdp_cmd(set_state, {"state": "active"})
    page.browser.execute_script("document.dispatchEvent(new Event('visibilitychange'))")


def lose_connection(server: PageServer, page: Page) -> None:
    """The phone is out of reach of the Wi-Fi for a while."""
    conditions = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    page.browser.execute_cdp_cmd("Network.enable", {})
    page.browser.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": True, **conditions})
    server.drop_phones()
    page.see("[data-state=connecting]")
    page.browser.execute_cdp_cmd("Network.emulateNetworkConditions", {"offline": False, **conditions})


def reload(server: PageServer, page: Page) -> None:
    """The page is loaded again."""
    page.browser.refresh()


WAYS: list[Callable[[PageServer, Page], None]] = [sleep, lose_connection, reload]


@pytest.mark.sweep(3)
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("interrupt", WAYS)
@pytest.mark.parametrize("name", QUESTIONS)
def test_the_same_question_stands_there_again(
    server: PageServer, page: Page, name: str, interrupt: Callable[..., None], language: str
) -> None:
    """The browser keeps nothing of what was entered; the answer is given once, and taken once."""
    asking, form = QUESTIONS[name], PageForm(page, language)
    page.prefer_language(language)
    asking.ask(server)
    page.pair()
    question, part = server.asked(1, language)
    page.read(question["text"])
    untouched, stored = entered(page, form), page.run(STORED)
    if asking.answer not in (True, "1") and form.must_be_sent(question, part, asking.answer):
        form.enter(question, part, asking.answer)
        assert entered(page, form) != untouched
    assert page.run(STORED) == stored
    interrupt(server, page)
    page.see("[data-state=on]")
    page.read(question["text"])
    if interrupt is reload:
        assert entered(page, form) == untouched
    assert page.browser.execute_script("return document.querySelector('#secret').innerText") == ""
    before = server.answer_events
    form.answer(question, part, asking.answer)
    page.wait(lambda: server.answer_events != before)
    page.see(".letters" if asking.is_sealed else "[data-state=on]")
    page.read_no_more(page_texts(language)["not_sent"])
    assert (sealed_answer(server) if asking.is_sealed else server.last_answer) == asking.answer
    assert len(server.answer_events) == len(before) + 1


def entered(page: Page, form: PageForm) -> str:
    """Returns what is entered, as its player sees it."""
    with form.open_cover():
        found: str = page.browser.execute_script(ENTERED)
    return found


def sealed_answer(server: PageServer) -> Any:
    """Returns what is in Aki's envelope."""
    session = server.session
    assert session is not None
    return server.run(lambda: session.drafts[session.table.seats[0]].answer)
