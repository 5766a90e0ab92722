"""What holds for all tests."""

import gc
import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from random import Random

import pytest
from hypothesis import settings

from tests.support import required_programs
from tests.support.disks import memory_directory, mount_disk
from tests.support.soak import SOAK

# A run in the background ignores Ctrl-C, and so would all the programs that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("sample", max_examples=20, derandomize=True, deadline=None)
settings.register_profile("soak", max_examples=500, deadline=None)
settings.load_profile("soak" if SOAK else "sample")

PLAYS_MUCH = "test_every_promise"
"""What a package of an author's own calls its conformance suite."""
UNWATCHED = [Path(__file__).parent / folder for folder in ("conformance", "hardware", "ui")]
"""Random games, simulated metal and what draws: `unwatched` like the sweeps in other folders."""


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of a `sweep(n)` n cases are played, always the same; in a soak all of them.

    Coverage slows what plays much by half to five times, and only finds what was reached elsewhere.
    """
    left = set() if SOAK else {case for cases in _sweeps(items) for case in cases}
    config.hook.pytest_deselected(items=[item for item in items if item in left])
    items[:] = [item for item in items if item not in left]
    for item in items:
        if item.name == PLAYS_MUCH or any(item.path.is_relative_to(folder) for folder in UNWATCHED):
            item.add_marker("unwatched")


def pytest_collection_finish() -> None:
    """Thousands of tests lie in memory, and Python needn't look them through again and again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 10, 50)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A test that `needs` a program is skipped on a machine that has none, before its fixtures are made."""
    for mark in item.iter_markers("needs"):
        for program in mark.args:
            if required_programs.find_program(program) is None:
                pytest.skip(f"{program} is not installed")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_sessionfinish(session: pytest.Session) -> Generator[None, None, None]:
    """The last line of a run says what was not checked."""
    yield
    if terminal := session.config.pluginmanager.get_plugin("terminalreporter"):
        skipped = terminal.stats.get("skipped", [])
        terminal.write_line(
            required_programs.summarize_skipped_tests(
                each.longrepr[2].removeprefix("Skipped: ") for each in skipped
            )
        )


def _sweeps(items: list[pytest.Item]) -> Iterator[list[pytest.Item]]:
    """Of each sweep the cases that are left out; which is the same in all processes."""
    sweeps: dict[tuple[Path, str, int], list[pytest.Item]] = {}
    for item in items:
        if mark := item.get_closest_marker("sweep"):
            sweeps.setdefault((item.path, item.name.partition("[")[0], mark.args[0]), []).append(item)
    for (_, name, kept), cases in sweeps.items():
        yield Random(name).sample(cases, max(0, len(cases) - kept))


@pytest.fixture
def memory() -> Iterator[Path]:
    """Where sweeps write that ask what is read, not what a disk keeps."""
    with memory_directory() as there:
        yield Path(there)


@pytest.fixture
def stick(tmp_path: Path) -> Iterator[Path]:
    """A memory stick that can be pulled."""
    with mount_disk(tmp_path / "stick", "2m") as stick:
        yield stick
