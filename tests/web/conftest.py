"""One browser for all tests of the pages, and a page server for each test."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support import required_programs
from tests.support.page_server import PageServer
from tests.support.pages import Page

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture(scope="session")
def browser() -> Iterator["Chrome"]:
    """A browser without a window."""
    from selenium.webdriver import Chrome, ChromeOptions
    from selenium.webdriver.chrome.service import Service

    options = ChromeOptions()
    options.binary_location = required_programs.path_of_required_program("chromium")
    options.add_argument("--headless=new")
    options.add_argument("--disable-dev-shm-usage")
    options.add_argument("--lang=en")
    if os.geteuid() == 0:
        options.add_argument("--no-sandbox")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options, Service(required_programs.path_of_required_program("chromedriver")))
    yield driver
    driver.quit()


@pytest.fixture
def server(tmp_path: Path) -> Iterator[PageServer]:
    """A running server with an empty store."""
    with PageServer(tmp_path) as server:
        yield server


@pytest.fixture
def page(browser: "Chrome", server: PageServer) -> Iterator[Page]:
    """The browser with one empty tab, without cookies or stored values."""
    page = Page(browser, server)
    page.resize(390, 844)
    yield page
    page.forget_everything()
    page.check_console()
