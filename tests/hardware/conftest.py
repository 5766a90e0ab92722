"""What several tests of the metal find on the table."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.hardware.device_helpers import FakeSerialDevice


@pytest.fixture
def metal(tmp_path: Path) -> Iterator[FakeSerialDevice]:
    """Some device at the port `metal`."""
    metal = FakeSerialDevice(tmp_path / "metal")
    yield metal
    metal.close()
