"""Settings and fixtures of all tests."""

from __future__ import annotations

import gc
import signal
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

import pytest
from hypothesis import settings

from tests.support import required_programs
from tests.support.disks import memory_directory, mount_disk
from tests.support.soak import SOAK

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

# A test run in the background ignores Ctrl-C, and so would all programs that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
# SDL would take SIGTERM for a request to close the window: a run that has taken too long would go on, and the
# test at that moment would fail.
signal.signal(signal.SIGTERM, signal.default_int_handler)

settings.register_profile("sample", max_examples=12, derandomize=True, deadline=None)
settings.register_profile("soak", max_examples=500, deadline=None)
settings.load_profile("soak" if SOAK else "sample")

PACKAGE_CONFORMANCE_TEST = "test_every_promise"
"""The name of the conformance test in the package of a game author."""
FOLDERS_WITHOUT_COVERAGE = [Path(__file__).parent / folder for folder in ("conformance", "hardware", "ui")]
"""Folders with random games, simulated devices and drawing: all their tests are `without_coverage`."""


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Generator[None, None, None]:
    """Makes only n cases of a `sweep(n)`, always the same ones in all processes; in a soak all of them.

    Half of all cases are left out. Each process would otherwise make them first, in a second and a half.
    """
    yield
    if not SOAK and (mark := metafunc.definition.get_closest_marker("sweep")):
        cases = metafunc._calls
        left_out = Random(metafunc.definition.name).sample(
            range(len(cases)), max(0, len(cases) - mark.args[0])
        )
        for number in sorted(left_out, reverse=True):
            del cases[number]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Marks tests that play much as `without_coverage`.

    Coverage makes them 1.5 to 5 times slower, and other tests cover the same code.
    """
    for item in items:
        if item.name == PACKAGE_CONFORMANCE_TEST or _is_in_folder_without_coverage(item.path):
            item.add_marker("without_coverage")


@cache
def _is_in_folder_without_coverage(path: Path) -> bool:
    return any(path.is_relative_to(folder) for folder in FOLDERS_WITHOUT_COVERAGE)


def pytest_collection_finish() -> None:
    """Freezes the thousands of collected tests, so that the garbage collector doesn't scan them each time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(300_000, 10, 50)  # most objects live as long as their app


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """Skips a test that `needs` a missing program, before its fixtures are made."""
    for mark in item.iter_markers("needs"):
        for program in mark.args:
            if required_programs.find_program(program) is None:
                pytest.skip(f"{program} is not installed")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    """Prints what was not checked as the last line of a run."""
    yield
    if terminal := session.config.pluginmanager.get_plugin("terminalreporter"):
        skipped = terminal.stats.get("skipped", [])
        terminal.write_line(
            required_programs.summarize_skipped_tests(
                each.longrepr[2].removeprefix("Skipped: ") for each in skipped
            )
        )


@pytest.fixture(scope="session")
def browser() -> Iterator[Chrome]:
    """A browser without a window."""
    from tests.support.pages import start_browser

    driver = start_browser()
    yield driver
    driver.quit()


@pytest.fixture
def fast_directory() -> Iterator[Path]:
    """A directory in memory, for sweeps that test reading and don't need a real disk."""
    with memory_directory() as directory:
        yield Path(directory)


@pytest.fixture
def memory_stick(tmp_path: Path) -> Iterator[Path]:
    """A memory stick that can be pulled."""
    with mount_disk(tmp_path / "stick", "2m") as stick:
        yield stick
