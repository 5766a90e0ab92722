"""Photographs the pages of phones for docs/phones.md, in the browser of the tests.

    .venv/bin/python -m scripts.phone_pictures [--out DIR]

The game is a recorded match of High Bid, at its round of sealed bids.
"""

from __future__ import annotations

import logging
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import msgspec

from companion.languages import ENGLISH, languages
from companion.log.events import Began, Event
from companion.recorded_match import load_recorded_events, replay_until
from companion.requests import Raise, Request, Together
from scripts.pictures import photograph, png
from tests.support.page_form import PageForm
from tests.support.page_server import PageServer
from tests.support.pages import PHONE_SIZE, Page, start_browser

GAME = "high_bid"
SIDEWAYS, TELEVISION = (844, 390), (1280, 720)
DARK = "document.documentElement.dataset.theme = 'dark'"


class Photographer:
    """Opens the pages of a recorded match, and takes pictures of them."""

    def __init__(self, page: Page, out: Path) -> None:
        self._page, self._out = page, out
        page.browser.execute_cdp_cmd("Emulation.setScrollbarsHidden", {"hidden": True})

    def open_seat(self, is_wanted: Callable[[Request[Any] | None], bool], language: str = ENGLISH) -> None:
        """Goes on in the match until a question is wanted, and opens the page of the first seat it asks."""
        page, server = self._page, self._page.server
        server.reset()
        began, *events = load_recorded_events(GAME)
        assert isinstance(began, Began)
        names = languages()[language].demo_names[: len(began.names)]
        events.insert(0, msgspec.structs.replace(began, names=names))
        count = _find_count(events, is_wanted)
        server.begin_recorded(events[:count])
        assert server.session is not None
        assert server.session.question is not None
        self._seat, self._language = server.session.question.seats[0].number, language
        page.prefer_language(language)
        page.resize(*PHONE_SIZE, scale=2)
        page.pair(self._seat)
        page.read(server.asked(self._seat, language)[0]["text"])

    def enter(self, answer: object) -> PageForm:
        """Enters an answer, and returns the form in which it stands."""
        form = PageForm(self._page, self._language)
        form.enter(*self._page.server.asked(self._seat, self._language), answer)
        return form

    def take(self, name: str) -> None:
        """Takes a picture, with few colours so that the file is small."""
        file = self._out / f"{name}.png"
        self._page.browser.execute_script("document.activeElement.blur(); scrollTo(0, 0)")
        self._page.browser.execute_script("document.getAnimations().forEach((each) => each.finish())")
        self._page.take_picture(file)
        file.write_bytes(png(photograph(file)))


def _find_count(events: Sequence[Event], is_wanted: Callable[[Request[Any] | None], bool]) -> int:
    counts = range(1, len(events) + 1)
    return next(count for count in counts if is_wanted(replay_until(events[:count]).question))


def take_pictures(page: Page, out: Path) -> None:
    """Takes all pictures."""
    photographer = Photographer(page, out)
    photographer.open_seat(lambda question: isinstance(question, Raise) and len(question.bids) > 1)
    photographer.take("question")
    photographer.open_seat(_is_sealed)
    form = photographer.enter(340)
    photographer.take("cover")
    page.resize(*SIDEWAYS, scale=2)
    photographer.take("sideways")
    page.resize(*PHONE_SIZE, scale=2)
    page.browser.execute_script(DARK)
    photographer.take("dark")
    page.browser.execute_script(DARK.replace("dark", "light"))
    page.hold()
    photographer.take("held")
    page.let_go()
    form.send()
    page.see(".letters")
    photographer.take("envelope")
    page.resize(*TELEVISION)
    page.open("/table")
    page.see("#seats li")
    photographer.take("table")
    photographer.open_seat(_is_sealed, "ja")
    photographer.take("question-ja")


def _is_sealed(question: Request[Any] | None) -> bool:
    return isinstance(question, Together)


def main() -> None:
    """Takes all pictures."""
    parser = ArgumentParser(prog="phone_pictures")
    parser.add_argument("--out", type=Path, default=Path("docs/phones"), metavar="DIR", help="where they go")
    out: Path = parser.parse_args().out
    out.mkdir(parents=True, exist_ok=True)
    logging.getLogger("selenium").setLevel(logging.WARNING)  # Kivy, which reads the pictures, logs everything
    with TemporaryDirectory() as folder, PageServer(Path(folder)) as server:
        browser = start_browser()
        try:
            take_pictures(Page(browser, server), out)
        finally:
            browser.quit()


if __name__ == "__main__":
    main()
