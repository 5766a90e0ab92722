"""The pins over libgpiod, as far as no kernel is needed; the rest is in the kernel lane."""

import os
import threading
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from gpiozero.exc import (
    PinFixedPull,
    PinInvalidBounce,
    PinInvalidEdges,
    PinInvalidFunction,
    PinInvalidPull,
    PinPWMUnsupported,
    PinSetInput,
)

from hardware.devices import open_header_pins
from hardware.gpio.gpiod_pins import GpiodFactory, HeaderChipNotFound, find_header_chip, list_gpio_chips


@pytest.fixture
def factory(monkeypatch: pytest.MonkeyPatch) -> GpiodFactory:
    """A factory on a machine that says it is a Raspberry Pi 4 and has no chip."""
    monkeypatch.setattr(GpiodFactory, "_get_revision", lambda _: 0xC03115)
    return GpiodFactory("/dev/null")


def test_a_machine_without_a_header_says_which_chips_it_has(tmp_path: Path) -> None:
    """A chip that can't be opened is passed over, what isn't numbered is none."""
    for name in ("gpiochip0", "gpiochip10", "gpiochips", "null"):
        (tmp_path / name).touch()
    assert list(list_gpio_chips(tmp_path)) == []
    with pytest.raises(HeaderChipNotFound, match="found: none"):
        find_header_chip(tmp_path)


def test_a_chip_that_may_not_be_opened_is_no_missing_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever isn't in the group hears that, and not that this is no Raspberry Pi."""
    (tmp_path / "gpiochip0").touch()
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may open all
    with pytest.raises(PermissionError, match="gpiochip0"):
        find_header_chip(tmp_path)


def test_gpiozero_finds_it_by_name() -> None:
    """GPIOZERO_PIN_FACTORY=gpiod is enough for any program of gpiozero."""
    assert entry_points(group="gpiozero_pin_factories")["gpiod"].load() is GpiodFactory


def test_libgpiod_is_used_where_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    """Its refusal isn't hidden by another library's."""
    monkeypatch.setattr("hardware.gpio.gpiod_pins.find_header_chip", lambda: Path("/dev/null"))
    factory = open_header_pins()
    assert isinstance(factory, GpiodFactory)
    factory.close()


@pytest.mark.parametrize(
    ("key", "value", "error"),
    [
        ("function", "both", PinInvalidFunction),
        ("state", 1, PinSetInput),
        ("pull", "sideways", PinInvalidPull),
        ("frequency", 100, PinPWMUnsupported),
        ("bounce", 0.1, PinInvalidBounce),
        ("edges", "some", PinInvalidEdges),
    ],
)
def test_what_a_pin_can_not_do_is_refused_in_gpiozeros_way(
    factory: GpiodFactory, key: str, value: object, error: type[Exception]
) -> None:
    """The error is the one that gpiozero's own pins raise."""
    pin = factory.pin(4)
    with pytest.raises(error):
        setattr(pin, key, value)
    assert (pin.function, pin.pull, pin.frequency, pin.bounce, pin.edges) == (
        "input",
        "floating",
        None,
        None,
        "both",
    )
    factory.close()


def test_a_pull_on_the_board_is_fixed(factory: GpiodFactory) -> None:
    """GPIO2 has a resistor to 3.3 V."""
    with pytest.raises(PinFixedPull):
        factory.pin(2).pull = "down"
    factory.close()


def test_a_thread_that_dies_tells_so(factory: GpiodFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever a pin raises, whoever waits for the buttons hears that no edge will come any more."""
    raised: list[type[BaseException]] = []
    monkeypatch.setattr(threading, "excepthook", lambda fault: raised.append(fault.exc_type))
    told = threading.Event()
    factory.on_thread_failure = told.set

    class Broken:
        def read_edges(self) -> None:
            raise ZeroDivisionError

    woken, wake = os.pipe()
    factory.watch_pin(Broken(), woken)  # type: ignore[arg-type]  # all that the thread asks of a pin
    os.write(wake, b"!")
    assert told.wait(5)
    factory.close()
    assert raised == [ZeroDivisionError]
    for fd in (woken, wake):
        os.close(fd)


def test_edges_that_wait_can_be_had_at_once(factory: GpiodFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever reads a line hears of its edges first, though the thread that reads them is kept busy."""
    heard = []
    monkeypatch.setattr(factory, "_run", lambda: None)

    class Quick:
        def read_edges(self) -> None:
            heard.append(os.read(woken, 1))

    woken, wake = os.pipe()
    factory.watch_pin(Quick(), woken)  # type: ignore[arg-type]  # all that the factory asks of a pin
    factory.read_pending_edges()
    assert heard == []
    os.write(wake, b"!")
    factory.read_pending_edges()
    assert heard == [b"!"]
    factory.close()
    for fd in (woken, wake):
        os.close(fd)
