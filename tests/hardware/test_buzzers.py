"""Buzzers, heard at simulated pins: what sounds when, and for how long."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from threading import Event

import pytest

from companion.texts import Text, render
from hardware.device_drivers import SeatPanel
from hardware.gpio.buzzers import (
    MAX_QUEUED_SOUNDS,
    ON_OFF_SECONDS_BY_SOUND,
    PASSIVE_BUZZER_HERTZ,
    Buzzers,
    sound_for_panel_change,
)
from hardware.signals import DeviceFound, DeviceLost, Inbox
from hardware.simulated.pins import ManualClock, SimulatedPins
from hardware.wiring import Buzzer, load_wiring_without_faulty_sections
from hardware.wiring.pins import Pin
from tests.support.hardware.device_helpers import TIMEOUT_SECONDS, wait_until_silent

OWN, TABLE = Buzzer(Pin(12), seat=1), Buzzer(Pin(18))
NOBODY = SeatPanel()
WAITS = SeatPanel(0, "Wait: Ben")
ASKED = SeatPanel(3, "Bid 1-9", "on")
REFUSED = SeatPanel(3, "Bid 1-9", "blink")
SEALED = SeatPanel(3, "OK. Wait: Ben", "off", is_sealed=True)


class Ears:
    """Somebody who hears the buzzers at two pins: the seconds they sound and rest, in order."""

    def __init__(self, *wired: Buzzer) -> None:
        self.pins = SimulatedPins(ManualClock())
        self.inbox = Inbox(lambda: None)
        self.buzzers = Buzzers(wired, self.inbox, pins=lambda: self.pins, pause=self._listen)
        self._heard: list[tuple[int, bool, float]] = []

    def hears(self, pin: int, *panels: SeatPanel, seat: int = 1) -> list[tuple[bool, float]]:
        """What sounds there when a seat comes to see these, one after the other."""
        for panel in panels:
            self.buzzers.show_panel(seat, panel)
        wait_until_silent(self.buzzers)
        found = [(is_on, seconds) for number, is_on, seconds in self._heard if number == pin]
        self._heard.clear()
        return found

    def _listen(self, seconds: float) -> None:
        for pin in (12, 18):
            self._heard.append((pin, bool(self.pins.pin(pin).state), seconds))


def beeps(*seconds: float) -> list[tuple[bool, float]]:
    """On, off, on for so long."""
    return [(at % 2 == 0, each) for at, each in enumerate(seconds)]


@pytest.mark.parametrize(
    ("before", "now", "sound"),
    [
        (NOBODY, ASKED, "turn"),
        (WAITS, ASKED, "turn"),
        (SeatPanel(0, "Wait: Ben", "blink"), ASKED, "turn"),
        (ASKED, WAITS, "taken"),
        (ASKED, SEALED, "taken"),
        (REFUSED, WAITS, "taken"),
        (ASKED, SeatPanel(4, "When done: OK", "on"), "taken"),
        (ASKED, REFUSED, "refused"),
        (WAITS, SeatPanel(0, "Wait: Ben", "blink"), "refused"),
        (REFUSED, REFUSED, None),
        (REFUSED, ASKED, None),
        (ASKED, ASKED, None),
        (ASKED, SeatPanel(2, "Bid 1-9", "on"), None),
        (ASKED, NOBODY, None),
        (WAITS, NOBODY, None),
        (SEALED, SEALED, None),
        (SEALED, WAITS, None),
        (SeatPanel(0, "Wait: Ben", "blink"), WAITS, None),
    ],
)
def test_a_sound_is_a_change_of_what_is_asked(before: SeatPanel, now: SeatPanel, sound: str | None) -> None:
    """The turn begins, the answer is in, or it wasn't understood; undoing and putting away are silent."""
    assert sound_for_panel_change(before, now) == sound


@pytest.mark.parametrize("entry", ["", "0", "7", "999"])
def test_what_is_entered_makes_no_sound(entry: str) -> None:
    """Neither while it is typed nor when it goes into the envelope."""
    typing = SeatPanel(3, "Enter 0-999", "on", is_sealed=True, entry=entry)
    assert sound_for_panel_change(ASKED, typing) is None
    assert sound_for_panel_change(typing, SEALED) == "taken"


def test_an_active_buzzer_is_on_for_the_length_of_its_sounds() -> None:
    """One short, two shorter, one long."""
    ears = Ears(OWN)
    with ears.buzzers:
        assert ears.inbox.drain() == [DeviceFound("buzzer 1")]
        assert ears.hears(12, ASKED) == beeps(*ON_OFF_SECONDS_BY_SOUND["turn"])
        assert ears.hears(12, REFUSED) == beeps(*ON_OFF_SECONDS_BY_SOUND["refused"])
        assert ears.hears(12, WAITS) == beeps(*ON_OFF_SECONDS_BY_SOUND["taken"])
        assert not ears.pins.pin(12).state


def test_a_passive_buzzer_is_swung() -> None:
    """As many times a second as its tone says, for as long as an active one is on."""
    ears = Ears(Buzzer(Pin(12), seat=1, model="passive"))
    with ears.buzzers:
        swung = ears.hears(12, ASKED)
    assert all(one != other for (one, _), (other, _) in pairwise(swung))
    assert {seconds for _, seconds in swung} == {0.5 / PASSIVE_BUZZER_HERTZ}
    assert sum(seconds for _, seconds in swung) == pytest.approx(sum(ON_OFF_SECONDS_BY_SOUND["turn"]))


def test_the_buzzer_of_the_table_sounds_for_seats_without_one() -> None:
    """But never that they weren't understood, which is for their own light to say."""
    ears = Ears(OWN, TABLE)
    with ears.buzzers:
        assert ears.inbox.drain() == [DeviceFound("buzzer 1"), DeviceFound("buzzer table")]
        assert ears.hears(18, ASKED, seat=1) == [(False, each) for each in ON_OFF_SECONDS_BY_SOUND["turn"]]
        assert ears.hears(18, ASKED, seat=2) == beeps(*ON_OFF_SECONDS_BY_SOUND["turn"])
        assert ears.hears(18, REFUSED, seat=2) == []
        assert ears.hears(18, WAITS, seat=2) == beeps(*ON_OFF_SECONDS_BY_SOUND["taken"])


def test_without_a_buzzer_of_the_table_other_seats_are_silent() -> None:
    """A seat's own is for that seat alone."""
    ears = Ears(OWN)
    with ears.buzzers:
        assert ears.hears(12, ASKED, seat=2) == []


def test_sounds_are_chosen_in_the_wiring() -> None:
    """Only the turn, or none at all."""
    ears = Ears(Buzzer(Pin(12), seat=1, sounds=("turn",)), Buzzer(Pin(18), sounds=()))
    with ears.buzzers:
        assert ears.hears(12, ASKED) == beeps(*ON_OFF_SECONDS_BY_SOUND["turn"])
        assert ears.hears(12, REFUSED, ASKED, WAITS) == []
        assert ears.hears(18, ASKED, WAITS, seat=2) == []


def test_who_presses_too_fast_is_not_heard_for_ever() -> None:
    """While one sound lasts only a few wait; the others are never heard."""
    ears, go_on = Ears(OWN), Event()

    def pause(_seconds: float) -> None:
        go_on.wait(TIMEOUT_SECONDS)

    ears.buzzers._pause = pause
    with ears.buzzers:
        for _ in range(10 * MAX_QUEUED_SOUNDS):
            ears.buzzers.show_panel(1, ASKED)
            ears.buzzers.show_panel(1, NOBODY)
        assert ears.buzzers._queued_sounds.qsize() == MAX_QUEUED_SOUNDS
        go_on.set()


def test_a_buzzer_without_a_pin_is_lost() -> None:
    """The other one sounds; closing twice is fine."""
    ears = Ears(OWN, Buzzer(Pin(12)))
    ears.buzzers.start()
    assert ears.inbox.drain() == [DeviceFound("buzzer 1"), DeviceLost("buzzer table", "no_pins")]
    assert ears.hears(12, ASKED, seat=2) == []
    assert ears.hears(12, ASKED, seat=1) == beeps(*ON_OFF_SECONDS_BY_SOUND["turn"])
    ears.buzzers.close()
    ears.buzzers.close()


def test_a_pin_that_fails_while_it_sounds_is_said() -> None:
    """The buzzer is lost, the thread goes on."""
    ears = Ears(OWN)
    with ears.buzzers:
        ears.inbox.drain()
        ears.pins.pin(12).function = "input"
        ears.hears(12, ASKED)
        assert ears.inbox.drain() == [DeviceLost("buzzer 1", "no_pins")]


def test_a_machine_without_pins_is_silent() -> None:
    """All are lost, nothing is raised, and no thread begins."""

    def pins() -> object:
        raise ImportError("gpiod")

    inbox = Inbox(lambda: None)
    with Buzzers([OWN, TABLE], inbox, pins=pins) as buzzers:
        buzzers.show_panel(1, ASKED)
        assert inbox.drain() == [DeviceLost("buzzer 1", "no_pins"), DeviceLost("buzzer table", "no_pins")]


@pytest.mark.parametrize(
    ("text", "key", "may_be"),
    [
        ("sounds = ['turn', 'ring']", "buzzer[1].sounds[2]", Buzzer.allowed_text_by_key["sounds"]),
        ("sounds = 'turn'", "buzzer[1].sounds", Buzzer.allowed_text_by_key["sounds"]),
        ("model = 'piezo'", "buzzer[1].model", Buzzer.allowed_text_by_key["model"]),
    ],
)
def test_a_sound_that_there_is_not_is_refused(tmp_path: Path, text: str, key: str, may_be: Text) -> None:
    """The sentence names the key and what may stand there."""
    file = tmp_path / "hardware.toml"
    file.write_text(f"[[buzzer]]\npin = 'GPIO12'\n{text}")
    (fault,) = map(render, load_wiring_without_faulty_sections(file).faults)
    assert fault.startswith(f"{file}: {key}: ")
    assert fault.endswith(f"; allowed: {render(may_be)}")


def test_what_the_page_shows_can_be_copied(tmp_path: Path) -> None:
    """All sections of the page together are one wiring, and each pin is where its tables say."""
    page = (Path(__file__).parents[2] / "docs/build/lights-displays-buzzers.md").read_text("utf-8")
    file = tmp_path / "hardware.toml"
    file.write_text("\n".join(re.findall(r"```toml\n(.*?)```", page, re.DOTALL)))
    wiring = load_wiring_without_faulty_sections(file)
    assert wiring.sections_of_type(Buzzer) == (Buzzer(Pin(18), sounds=("turn",)), Buzzer(Pin(13), seat=1))
    for _, section in wiring.sections_with_keys():
        for each in section.pins.values():
            is_named = (
                f"| {each} | {each.physical_number} |" in page or f"{each.physical_number} ({each})" in page
            )
            assert is_named, each
