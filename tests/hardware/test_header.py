"""lgpio, where libgpiod is missing: which chip it takes, and where it may put its pipe."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from gpiozero import PiBoardInfo

from hardware.gpio.chips import PinTaken
from hardware.gpio.header import header_pins, pipe_folder
from hardware.rfid.rfid import at_spi


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"LG_WD": "/chosen", "RUNTIME_DIRECTORY": "/run/companion"}, "/chosen"),
        ({"RUNTIME_DIRECTORY": "/run/companion"}, "/run/companion"),
        ({}, tempfile.gettempdir()),
    ],
)
def test_the_pipe_lies_where_it_was_told_or_in_the_service_s_own_directory(
    environ: dict[str, str], folder: str
) -> None:
    """People's choice first, then the service's, then the system's for what is temporary."""
    assert pipe_folder(environ) == Path(folder)


def test_a_reader_s_packages_are_told_before_they_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the reader can't be opened, as here, where there is none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LG_WD", "")
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "run"))
    with pytest.raises(OSError, match=r".+"):
        at_spi("/dev/spidev7.7")
    assert os.environ["LG_WD"] == str(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []


class Refused(Exception):
    """lgpio's own error, which is no OSError."""


class Factory:
    """gpiozero's pins over lgpio, as far as they are asked for; GPIO4 is in use."""

    board_info = PiBoardInfo.from_revision(0xC03115)

    def __init__(self, chip: int) -> None:
        self.chip = self._handle = chip

    def pin(self, name: str) -> str:
        """A pin."""
        if name in (4, "GPIO4"):
            raise Refused("GPIO busy")
        if name == "GPIO5":
            raise Refused("bad handle")
        return name


@pytest.fixture
def lgpio(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[int, str]], None]:
    """A machine without libgpiod whose chips have these labels; one without a label may not be opened."""

    def chips(labels: dict[int, str]) -> None:
        def opened(number: int) -> int:
            if not labels[number]:
                raise Refused
            return number

        for number in labels:
            (tmp_path / f"gpiochip{number}").touch()
        library = SimpleNamespace(
            error=Refused,
            gpiochip_open=opened,
            gpio_get_chip_info=lambda handle: [0, 54, f"gpiochip{handle}", labels[handle]],
            gpiochip_close=lambda _handle: None,
            gpio_get_line_info=lambda _, number: [0, number, 1, f"GPIO{number}", "doorbell"],
        )
        monkeypatch.setitem(sys.modules, "lgpio", library)
        monkeypatch.setitem(sys.modules, "gpiozero.pins.lgpio", SimpleNamespace(LGPIOFactory=Factory))
        monkeypatch.setitem(sys.modules, "hardware.gpio.gpiod_pins", None)
        monkeypatch.setattr("hardware.gpio.header.DEVICES", tmp_path)
        monkeypatch.setenv("LG_WD", str(tmp_path))

    return chips


def test_lgpio_takes_the_chip_with_the_header_too(lgpio: Callable[[dict[int, str]], None]) -> None:
    """By its label; a chip that can't be opened is passed over."""
    lgpio({0: "", 4: "raspberrypi-exp-gpio", 11: "pinctrl-rp1"})
    assert header_pins().chip == 11


def test_a_pin_that_lgpio_can_not_have_stops_no_game(lgpio: Callable[[dict[int, str]], None]) -> None:
    """It fails as the pins of libgpiod do, which every device expects, and names who holds it."""
    lgpio({0: "pinctrl-bcm2711"})
    assert header_pins().pin("GPIO17") == "GPIO17"
    with pytest.raises(OSError, match="GPIO5: bad handle"):
        header_pins().pin("GPIO5")
    with pytest.raises(PinTaken) as error:
        header_pins().pin(4)
    assert error.value.holder == "doorbell (GPIO4)"


def test_lgpio_says_what_is_closed_and_what_is_missing(
    lgpio: Callable[[dict[int, str]], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that whoever lacks a right isn't told that this is no Raspberry Pi."""
    lgpio({0: ""})
    with pytest.raises(OSError, match="no GPIO chip of a Raspberry Pi"):
        header_pins()
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may open all
    with pytest.raises(PermissionError, match="gpiochip0"):
        header_pins()
