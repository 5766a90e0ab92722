"""A panel's backlight, in a folder that looks like the kernel's."""

from __future__ import annotations

from pathlib import Path

import pytest

from hardware.backlight import find_backlight
from tests.support.hardware.sysfs_backlight import add_backlight


@pytest.mark.parametrize(
    ("most", "fraction", "written"),
    [("255", 1.0, "255"), ("255", 0.5, "128"), ("31", 0.1, "3"), ("3", 0.1, "1"), ("255", 0.0, "1")],
)
def test_a_fraction_is_written_in_the_panels_own_steps(
    tmp_path: Path, most: str, fraction: float, written: str
) -> None:
    """The panel stays lit even at the lowest brightness, as a crash may leave it so."""
    brightness = add_backlight(tmp_path, "rpi_backlight", most)
    backlight = find_backlight(tmp_path)
    assert backlight is not None
    backlight.set_brightness(fraction)
    assert brightness.read_text() == written


def test_the_first_backlight_that_can_be_used_is_found(tmp_path: Path) -> None:
    """Neither one without a greatest brightness nor one that has no steps."""
    add_backlight(tmp_path, "a", "much")
    add_backlight(tmp_path, "b", "0")
    add_backlight(tmp_path, "d")
    found = add_backlight(tmp_path, "c").parent
    backlight = find_backlight(tmp_path)
    assert backlight is not None
    assert backlight.folder == found


def test_a_machine_without_a_backlight_has_none(tmp_path: Path) -> None:
    """With an empty folder, or without the folder."""
    assert find_backlight(tmp_path) is None
    assert find_backlight(tmp_path / "missing") is None


def test_a_backlight_that_is_gone_is_an_error(tmp_path: Path) -> None:
    """The panel was unplugged."""
    brightness = add_backlight(tmp_path, "rpi_backlight")
    backlight = find_backlight(tmp_path)
    assert backlight is not None
    brightness.unlink()
    brightness.parent.joinpath("max_brightness").unlink()
    brightness.parent.rmdir()
    with pytest.raises(OSError, match="No such file"):
        backlight.set_brightness(0.5)
