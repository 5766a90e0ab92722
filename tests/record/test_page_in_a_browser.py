"""The record's page as a browser shows it, on a phone and on paper."""

from __future__ import annotations

import base64
import fcntl
import json
import os
import re
import select
import signal
import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from companion import logtext
from companion.games.high_bid.rulebook import GAME
from companion.languages import languages
from companion.log.log import MemoryLog
from companion.record.html_page import record_to_html
from companion.record.record import create_record
from companion.session.session import Session
from scripts.update_catalogue import ROOT
from tests.support.required_programs import path_of_required_program

pytestmark = pytest.mark.needs("chromium")
PATIENCE = 60.0
"""Seconds until a browser that says nothing is given up."""
PHONE, PAPER = 360, 680
"""Pixels across: a small phone, and what A4 leaves between margins of 15 mm."""
SIZE_OF_A4 = (595, 842)
"""Points."""
OVERFLOWING = """
[...document.body.querySelectorAll("*")].filter(one => {
  const box = one.getBoundingClientRect();
  return box.width && (box.left < -1 || box.right > document.documentElement.clientWidth + 1);
}).map(one => `${one.tagName} ${one.textContent.slice(0, 40)}`)
"""
"""Everything that stands out at the sides."""


class Browser:
    """A browser without a window, driven through two pipes in the protocol of its developer tools."""

    def __init__(self, home: Path) -> None:
        theirs, self._to = map(_high, os.pipe())
        self._from, theirs_too = map(_high, os.pipe())
        chromium = path_of_required_program("chromium")
        flags = (
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--remote-debugging-pipe",
            f"--user-data-dir={home}",
        )
        quiet = (os.POSIX_SPAWN_OPEN, 2, os.devnull, os.O_WRONLY, 0)
        pipes = ((os.POSIX_SPAWN_DUP2, theirs, 3), (os.POSIX_SPAWN_DUP2, theirs_too, 4))
        self._process = os.posix_spawn(
            chromium, [chromium, *flags, "about:blank"], os.environ, file_actions=[*pipes, quiet]
        )
        os.close(theirs)
        os.close(theirs_too)
        self._numbers, self._heard = count(1), b""
        self.events: list[dict[str, Any]] = []
        self._page: dict[str, str] = {}
        pages = self.do("Target.getTargets")["targetInfos"]
        target = next(one["targetId"] for one in pages if one["type"] == "page")
        told = self.do("Target.attachToTarget", targetId=target, flatten=True)
        self._page = {"sessionId": told["sessionId"]}

    def do(self, method: str, **params: object) -> dict[str, Any]:
        """What the browser answers; what it tells meanwhile is added to the events."""
        n = next(self._numbers)
        message = {"id": n, "method": method, "params": params, **self._page}
        os.write(self._to, json.dumps(message).encode() + b"\0")
        while (told := self._next()).get("id") != n:
            self.events.append(told)
        assert "error" not in told, told
        result: dict[str, Any] = told["result"]
        return result

    def until(self, method: str) -> None:
        """Waits for an event."""
        while not any(one.get("method") == method for one in self.events):
            self.events.append(self._next())

    def value(self, expression: str) -> Any:
        """What an expression is on the page."""
        return self.do("Runtime.evaluate", expression=expression, returnByValue=True)["result"]["value"]

    def close(self) -> None:
        """Ends it."""
        self._page = {}
        try:
            self.do("Browser.close")
            ended = os.pidfd_open(self._process)
            has_ended = bool(select.select([ended], [], [], PATIENCE)[0])
            os.close(ended)
            assert has_ended, "the browser doesn't end"
        finally:
            os.kill(self._process, signal.SIGKILL)  # until it is waited for its number is nobody else's
            os.waitpid(self._process, 0)
            os.close(self._to)
            os.close(self._from)

    def _next(self) -> dict[str, Any]:
        until = time.monotonic() + PATIENCE
        while b"\0" not in self._heard:
            ready, _, _ = select.select([self._from], [], [], max(0, until - time.monotonic()))
            assert ready, "the browser says nothing"
            more = os.read(self._from, 1 << 16)
            assert more, "the browser has ended"
            self._heard += more
        message, _, self._heard = self._heard.partition(b"\0")
        told: dict[str, Any] = json.loads(message)
        return told


def _high(file: int) -> int:
    """Duplicates the pipe under a number that is none of those the browser is given."""
    other = fcntl.fcntl(file, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(file)
    return other


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """One browser for all pages."""
    browser = Browser(tmp_path_factory.mktemp("browser"))
    yield browser
    browser.close()


def overflowing(browser: Browser) -> tuple[int, int, list[str]]:
    """How wide the window and the page in it are, and what stands out at the sides."""
    wide, needed = (
        browser.value(f"document.documentElement.{name}") for name in ("clientWidth", "scrollWidth")
    )
    return wide, needed, browser.value(OVERFLOWING)


@pytest.mark.parametrize("lang", languages())
def test_the_page_needs_nothing_else_and_fits_phone_and_paper(
    browser: Browser, tmp_path: Path, lang: str
) -> None:
    """It asks for nothing but itself; at 360 pixels and on A4 nothing stands out at the sides."""
    events = logtext.parse_log_text((ROOT / "tests/golden/high_bid-4.log").read_text(encoding="utf-8"))
    page = tmp_path / "record.html"
    page.write_text(
        record_to_html(create_record(Session(GAME, events, MemoryLog()), events), lang), encoding="utf-8"
    )
    browser.events.clear()
    for domain in ("Page", "Network"):
        browser.do(f"{domain}.enable")
    screen = {"height": 640, "deviceScaleFactor": 1, "mobile": True}
    browser.do("Emulation.setDeviceMetricsOverride", **screen, width=PHONE)
    browser.do("Page.navigate", url=page.as_uri())
    browser.until("Page.loadEventFired")
    assert overflowing(browser) == (PHONE, PHONE, [])
    browser.do("Emulation.setEmulatedMedia", media="print")
    browser.do("Emulation.setDeviceMetricsOverride", **screen, width=PAPER)
    assert overflowing(browser) == (PAPER, PAPER, [])
    printed = base64.b64decode(browser.do("Page.printToPDF", preferCSSPageSize=True)["data"])
    sizes = re.findall(rb"/MediaBox\s*\[0 0 ([0-9.]+) ([0-9.]+)\]", printed)
    assert {(round(float(wide)), round(float(high))) for wide, high in sizes} == {SIZE_OF_A4}
    asked = [
        one["params"]["request"]["url"]
        for one in browser.events
        if one["method"] == "Network.requestWillBeSent"
    ]
    assert asked == [page.as_uri()]
    browser.do("Emulation.setEmulatedMedia", media="")
