"""Fixtures of several tests of devices."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.hardware.device_helpers import FakeSerialDevice


@pytest.fixture
def serial_device(tmp_path: Path) -> Iterator[FakeSerialDevice]:
    """A device at the port `metal`."""
    device = FakeSerialDevice(tmp_path / "metal")
    yield device
    device.close()
