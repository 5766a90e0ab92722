"""Stand-ins for the modules `RPi.GPIO` and `spidev`, on which packages of others drive a simulated chip.

    plug_in(SimulatedRc522(), bus=0, device=0)
    print(stock_reader()().read_id_no_block())

Our own driver needs neither. Pins do nothing here: a reader's reset pin stays high.
"""

import importlib
from types import ModuleType
from typing import Any, Protocol

BOARD, BCM, OUT, IN, PUD_UP, FALLING = 10, 11, 0, 1, 22, 32
"""The numbers that these have in RPi.GPIO."""


class Wired(Protocol):
    """What can stand at an SPI device."""

    max_speed_hz: int

    def xfer2(self, data: list[int], /) -> list[int]:
        """One chip select."""


class SimulatedGpio(ModuleType):
    """RPi.GPIO with pins that nothing is wired to."""

    BOARD, BCM, OUT, IN, PUD_UP, FALLING = BOARD, BCM, OUT, IN, PUD_UP, FALLING

    def __init__(self) -> None:
        super().__init__("RPi.GPIO")
        self._mode: int | None = None

    def getmode(self) -> int | None:
        """How pins are numbered, if somebody has said so."""
        return self._mode

    def setmode(self, mode: int) -> None:
        """Number pins like this."""
        self._mode = mode

    def setup(self, *_pin: object, **_options: object) -> None:
        """No pin, nothing to set up."""

    def output(self, pin: int, level: int) -> None:
        """No pin, nothing to drive."""

    def add_event_detect(self, *_pin: object, **_options: object) -> None:
        """No pin, nothing will happen."""

    def cleanup(self) -> None:
        """As after a start."""
        self._mode = None


class SpiDev:
    """spidev.SpiDev; what stands at a bus and device was plugged in there."""

    plugged: dict[tuple[int, int], Wired] = {}  # noqa: RUF012  one bus for the process, as on a Pi

    def __init__(self) -> None:
        self.max_speed_hz = 500_000
        self._chip: Wired | None = None

    def open(self, bus: int, device: int) -> None:
        """Raises FileNotFoundError as on a Pi."""
        if (bus, device) not in self.plugged:
            raise FileNotFoundError(2, "No such file or directory", f"/dev/spidev{bus}.{device}")
        self._chip = self.plugged[bus, device]

    def xfer2(self, data: list[int]) -> list[int]:
        """One chip select. Raises OSError if it isn't open."""
        if self._chip is None:
            raise OSError(9, "Bad file descriptor")
        self._chip.max_speed_hz = self.max_speed_hz
        return self._chip.xfer2(data)

    def close(self) -> None:
        """Let go of it."""
        self._chip = None


def plug_in(chip: Wired, *, bus: int, device: int) -> None:
    """From now on the stand-in for spidev finds this chip there."""
    SpiDev.plugged[bus, device] = chip


def stand_ins() -> dict[str, ModuleType]:
    """The modules, by the names under which they are imported."""
    package, gpio, spidev = ModuleType("RPi"), SimulatedGpio(), ModuleType("spidev")
    vars(package).update(GPIO=gpio, __path__=[])
    vars(spidev)["SpiDev"] = SpiDev
    return {"RPi": package, "RPi.GPIO": gpio, "spidev": spidev}


def stock_reader() -> Any:
    """The class of the package `mfrc522` as it is, which reads tags by itself, on the stand-ins."""
    importlib.import_module("hardware.rfid.rc522")  # which loads the package where there is no RPi.GPIO
    driver = importlib.import_module("mfrc522.MFRC522")
    vars(driver).update(GPIO=SimulatedGpio(), spidev=stand_ins()["spidev"])
    return importlib.import_module("mfrc522").SimpleMFRC522
