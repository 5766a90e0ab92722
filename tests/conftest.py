"""What holds for all tests."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from tests.disks import disk, fast
from tests.soak import SOAK

# A run in the background ignores Ctrl-C, and so would all the programs that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("sample", max_examples=30, derandomize=True, deadline=None)
settings.register_profile("soak", max_examples=500, deadline=None)
settings.load_profile("soak" if SOAK else "sample")

PLAYS_MUCH = "test_every_promise"
"""What a package of an author's own calls its conformance suite."""
UNWATCHED = [Path(__file__).parent / folder for folder in ("conformance", "hardware", "ui")]
"""Random games, simulated metal and what draws: `unwatched` like the sweeps in other folders."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Coverage slows what plays much by half to five times, and only finds what was reached elsewhere."""
    for item in items:
        if item.name == PLAYS_MUCH or any(item.path.is_relative_to(folder) for folder in UNWATCHED):
            item.add_marker("unwatched")


@pytest.fixture
def memory() -> Iterator[Path]:
    """Where sweeps write that ask what is read, not what a disk keeps."""
    with fast() as there:
        yield Path(there)


@pytest.fixture
def stick(tmp_path: Path) -> Iterator[Path]:
    """A memory stick that can be pulled."""
    with disk(tmp_path / "stick", "2m") as stick:
        yield stick
