"""A web process with the box's end of its link."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from companion.web.link import WebListening
from tests.support.web_process import BoxEnd, WebProcess


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
