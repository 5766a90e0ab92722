"""The web process with the box's end of its link, and a browser with a page server."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from companion.web.link import WebListening
from tests.support.page_server import PageServer
from tests.support.pages import Page
from tests.support.web_process import BoxEnd, WebProcess

if TYPE_CHECKING:
    from selenium.webdriver import Chrome


@pytest.fixture
def box(tmp_path: Path) -> Iterator[BoxEnd]:
    """The box's end of the link."""
    with closing(BoxEnd(tmp_path / "link")) as end:
        yield end


@pytest.fixture
def web(box: BoxEnd) -> Iterator[WebProcess]:
    """The web process, connected with the box; at its end it has printed nothing about what happened."""
    with _run_quietly(box) as process:
        yield process


@pytest.fixture(scope="module")
def shared_web(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WebProcess]:
    """A web process for all tests of a file that only get pages from it."""
    with closing(BoxEnd(tmp_path_factory.mktemp("link") / "link")) as box, _run_quietly(box) as process:
        yield process


@contextmanager
def _run_quietly(box: BoxEnd) -> Iterator[WebProcess]:
    with WebProcess(box.path) as process:
        box.receive(WebListening)
        yield process
        assert process.stop() == (0, "")


@pytest.fixture(scope="session")
def running_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PageServer]:
    """The server of all tests in this process: starting one takes longer than most of them."""
    with PageServer(tmp_path_factory.mktemp("server")) as server:
        yield server


@pytest.fixture
def server(running_server: PageServer) -> PageServer:
    """The running server, without a game and without phones."""
    running_server.reset()
    return running_server


@pytest.fixture
def page(browser: Chrome, server: PageServer) -> Iterator[Page]:
    """The browser with one empty tab, without cookies or stored values."""
    page = Page(browser, server)
    page.resize(390, 844)
    yield page
    page.forget_everything()
    page.check_console()
