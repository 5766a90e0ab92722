"""Every device tried by hand, on simulated metal below the real drivers; then the verb as people run it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from functools import partial
from pathlib import Path
from queue import SimpleQueue

import pytest

from companion.store import Store
from companion.texts import render
from hardware.devices import Devices
from hardware.doctor.device_tests import DeviceStateTracker, DeviceTestEvent, DeviceTests, lost_device_advice
from hardware.doctor.report import format_finding
from hardware.firmware.keypad.pad import NO_HOST_TEXT
from hardware.rfid.readers import ReaderChip
from hardware.signals import ControlKeyAnswer, DeviceFound, DeviceLost, Inbox, Signal, TagArrived, TagLeft
from hardware.simulated.keypads import SimulatedKeypad
from hardware.simulated.rc522 import SimulatedRc522, open_simulated_reader
from hardware.simulated.table import SimulatedTable
from hardware.simulated.tags import SimulatedTag
from hardware.wiring import Buttons, Keypad, Numpad, Reader, Section, Wiring
from hardware.wiring.pins import Pin
from tests.support.hardware.device_helpers import TIMEOUT_SECONDS
from tests.support.program import COMPANION

WIRING = Wiring(
    keypad=(Keypad(1, id="kp-1"),),
    buttons=(Buttons(2, plus=Pin(6), ok=Pin(13)), Buttons(3, tap=Pin(17))),
    reader=(Reader("market", "/dev/spidev0.0"),),
)
KEYS = "No key press arrived. Check the wires of the keys, or use another keypad."
TAG = (
    "No tag was read. Lay the tag flat in the middle of the reader, or try another kind of tag: NTAG213, "
    "NTAG215, MIFARE Classic."
)
Hand = Callable[[], object]


class Clinic:
    """A simulated table on trial; `hands` are what people do when they are asked for something."""

    def __init__(self, metal: SimulatedTable, chip: SimulatedRc522 | None, hands: Mapping[str, Hand]) -> None:
        self.metal = metal
        self.chip = chip
        self.events: SimpleQueue[DeviceTestEvent] = SimpleQueue()
        self.asked: list[str] = []
        self.hands = hands

    def skip(self) -> None:
        """People press Enter."""
        self.events.put("enter")

    def run(self, *, to_answer: float = TIMEOUT_SECONDS, to_act: float = TIMEOUT_SECONDS) -> list[str]:
        """The lines of all trials."""

        def ask(text: object) -> None:
            told = render(text)  # type: ignore[arg-type]  # it is what the trials say
            self.asked.append(told)
            next((hand for part, hand in self.hands.items() if part in told), self.skip)()

        inbox = Inbox(wake=partial(self.events.put, "woken"))
        with Devices(self.metal.wiring, inbox, pins=self.metal.pins, spi=self._spi) as devices:
            trials = DeviceTests(
                devices, self.events, ask, found_timeout_seconds=to_answer, step_timeout_seconds=to_act
            )
            return [format_finding(finding) for finding in trials.run(self.metal.wiring)]

    def _spi(self, path: str, **_reset: object) -> ReaderChip:
        if self.chip is None:
            raise FileNotFoundError(path)
        return open_simulated_reader(self.chip)


@contextmanager
def clinic(
    wiring: Wiring = WIRING, chip: SimulatedRc522 | None = None, **hands: Callable[[SimulatedTable], object]
) -> Iterator[Clinic]:
    """A table without metal; each hand is named by the word in what it is asked."""
    with SimulatedTable(wiring) as metal:
        done = {word.replace("_", " "): partial(hand, metal) for word, hand in hands.items()}
        yield Clinic(metal, chip, done)


def type_on(keypad: SimulatedKeypad) -> None:
    """Somebody who sees that it is connected types on it."""
    keypad.wait_until(lambda: NO_HOST_TEXT not in keypad.display, TIMEOUT_SECONDS)
    keypad.type("12 OK")


def test_tests_that_stop_early_leave_no_listener() -> None:
    """Whoever stops after the first finding leaves nothing behind at the devices."""
    events: SimpleQueue[DeviceTestEvent] = SimpleQueue()
    wiring = Wiring(keypad=(Keypad(1, id="kp-1"),))
    with (
        SimulatedTable(wiring) as metal,
        Devices(metal.wiring, Inbox(lambda: None), pins=metal.pins) as devices,
    ):
        before = list(devices.signal_listeners)
        findings = DeviceTests(devices, events, print, found_timeout_seconds=0.0).run(metal.wiring)
        assert isinstance(findings, Generator)
        next(findings)
        assert len(devices.signal_listeners) == len(before) + 1
        findings.close()
        assert devices.signal_listeners == before


def test_a_table_that_is_well_passes_every_trial() -> None:
    """Each device says what it is; each button is pressed, the keypad typed on and a tag laid, as asked."""
    chip = SimulatedRc522()
    hands: dict[str, Callable[[SimulatedTable], object]] = {
        "plus": lambda metal: metal.buttons[2]["plus"].press_down(),
        "ok": lambda metal: metal.buttons[2]["ok"].press_down(),
        "tap": lambda metal: metal.buttons[3]["tap"].press_down(),
        "Type": lambda metal: type_on(metal.keypads[1]),
        "Lay": lambda _: chip.add_tag("04A1B2C3D4E5F6"),
    }
    with clinic(WIRING, chip, **hands) as table:
        assert table.run() == [
            "ok      seat 1's keypad: kp-1, simulated",
            "ok      seat 1's keypad: keys",
            "ok      seat 2's buttons: plus GPIO6, ok GPIO13",
            "ok      seat 2's buttons: plus (GPIO6, pin 31)",
            "ok      seat 2's buttons: ok (GPIO13, pin 33)",
            "ok      seat 3's buttons: tap GPIO17",
            "ok      seat 3's buttons: tap (GPIO17, pin 11)",
            "ok      reader market: MFRC522 2.0",
            "ok      reader market: reading a tag",
        ]
        assert table.asked == [
            "Type a number and press OK on seat 1's keypad.",
            "Press plus (GPIO6, pin 31) on seat 2's buttons.",
            "Press ok (GPIO13, pin 33) on seat 2's buttons.",
            "Press tap (GPIO17, pin 11) on seat 3's buttons.",
            "Lay a tag on reader market.",
        ]


READER = Wiring(reader=(Reader("market", "/dev/spidev0.0"),))


def test_what_is_odd_about_a_chip_is_told_after_its_first_tag() -> None:
    """A clone that ends with every answer reads the tag; what is done about it is said."""
    chip = SimulatedRc522(stops_after_answer=True)
    with clinic(READER, chip, Lay=lambda _: chip.add_tag("04A1B2C3D4E5F6")) as table:
        assert table.run() == [
            "ok      reader market: MFRC522 2.0",
            "ok      reader market: reading a tag",
            "ok      reader market: MFRC522 2.0, restarted before every message",
        ]


def test_a_tag_that_can_not_be_read_is_no_deaf_reader() -> None:
    """The reader hears it: the tag is to be changed. The line doesn't say which one it is."""
    chip = SimulatedRc522()
    with clinic(
        READER, chip, Lay=lambda _: chip.add_tag(SimulatedTag.with_wrong_check_byte("04A1B2C3D4E5F6"))
    ) as table:
        todo = "A tag can't be read: it is broken or forged. Use another tag."
        assert table.run(to_act=1.0)[1:] == [f"failed  reader market: reading a tag → {todo}"]


def test_what_is_not_done_in_time_fails_with_what_to_do() -> None:
    """A device that is there but says nothing when it is tried: its wires, its keys, its tag."""
    with clinic(
        chip=SimulatedRc522(), Press=lambda _: None, Type=lambda _: None, Lay=lambda _: None
    ) as table:
        failed = [told for told in table.run(to_act=0.0) if told.startswith("failed")]
    assert failed == [
        f"failed  seat 1's keypad: keys → {KEYS}",
        "failed  seat 2's buttons: plus (GPIO6, pin 31) → No signal arrived. Check the wires of this button.",
        "failed  seat 2's buttons: ok (GPIO13, pin 33) → No signal arrived. Check the wires of this button.",
        "failed  seat 3's buttons: tap (GPIO17, pin 11) → No signal arrived. Check the wires of this button.",
        f"failed  reader market: reading a tag → {TAG}",
    ]


def test_swapped_wires_are_found_by_what_is_heard_instead() -> None:
    """Asked for plus, the table hears another seat's tap: that button is named."""
    wiring = Wiring(buttons=WIRING.buttons)
    with clinic(wiring, plus=lambda metal: metal.buttons[3]["tap"].press_down()) as table:
        told = table.run(to_act=0.3)
    seen = "buttons 3 tap responded instead of this button. Are two wires swapped?"
    assert f"failed  seat 2's buttons: plus (GPIO6, pin 31) → {seen}" in told


def test_what_people_skip_is_told_as_skipped() -> None:
    """Enter goes on to the next trial; what was skipped is neither well nor failing."""
    with clinic(Wiring(buttons=WIRING.buttons[:1])) as table:
        assert table.run() == [
            "ok      seat 2's buttons: plus GPIO6, ok GPIO13",
            "skipped seat 2's buttons: plus (GPIO6, pin 31)",
            "skipped seat 2's buttons: ok (GPIO13, pin 33)",
        ]


def test_a_device_that_is_not_there_is_not_tried() -> None:
    """It fails once, with why; its keys are not asked for. Enter before the time is up skips it."""
    wiring = Wiring(keypad=WIRING.keypad, reader=WIRING.reader)
    with clinic(wiring) as table:
        table.metal.keypads[1].unplug()
        told = table.run(to_answer=0.2)
        assert told == [
            "failed  seat 1's keypad → Plug this device in.",
            (
                "failed  reader market → The reader wasn't found. Switch SPI on, and check "
                "the name of the device."
            ),
        ]
        assert table.asked == []
        for _device in range(2):
            table.skip()
        assert table.run()[0] == "skipped seat 1's keypad"


def test_what_was_heard_is_kept_for_whoever_shows_it() -> None:
    """Which devices are lost, which tags lie where, and what each device said last."""
    with SimulatedTable(WIRING) as metal:
        heard = DeviceStateTracker(Devices(metal.wiring, Inbox(lambda: None)))
        assert set(heard.lost_by_device) == {"keypad 1", "buttons 2", "buttons 3"}
        arrived: list[Signal] = [TagArrived("reader market", "market", tag, 1.0) for tag in ("04", "05")]
        for signal in [DeviceFound("keypad 1"), *arrived, TagLeft("reader market", "market", "04", 2.0)]:
            heard.record(signal)
        heard.record(TagLeft("reader market", "market", "77", 2.0))
        heard.record(pressed := ControlKeyAnswer("keypad 1", 0, "ok", 3.0, 1))
        assert (set(heard.lost_by_device), heard.tags_by_device) == (
            {"buttons 2", "buttons 3"},
            {"reader market": ["05"]},
        )
        assert heard.last_signals["keypad 1"] == pressed
        heard.record(DeviceLost("keypad 1", "silent"))
        assert heard.lost_by_device["keypad 1"].reason == "silent"
        assert not heard.found_devices


@pytest.mark.parametrize(
    ("section", "lost", "called", "told"),
    [
        (Numpad(2, "usb-1"), DeviceLost("numpad 2", "dead"), "seat 2's number pad", "The driver"),
        (Buttons(3, tap=Pin(4)), DeviceLost("", "stuck", "tap"), "seat 3's buttons", "tap is stuck"),
        (
            Reader("hand", "/dev/spidev0.1", seat=2),
            DeviceLost("", "silent"),
            "reader hand",
            "The reader isn't responding. Check",
        ),
    ],
)
def test_a_device_is_called_by_its_seat_or_its_zone(
    section: Section, lost: DeviceLost, called: str, told: str
) -> None:
    """Also in what to do about it; a name may stand for the seat."""
    assert render(section.device_title()) == called
    assert render(lost_device_advice(section, lost)).startswith(told)
    assert render(Keypad(1, id="kp-1").device_title("Aki")) == "Aki's keypad"


# The verb


def doctor(folder: Path, *words: str, said: str = "") -> subprocess.CompletedProcess[str]:
    """The program itself, on this very machine, for a user with a name and a home."""
    environ = {**os.environ, "HOME": "/home/akiko", "USER": "akiko", "COMPANION_CONFIG": str(folder)}
    command = [COMPANION, "doctor", "--state", str(folder / "akiko-state"), *words]
    return subprocess.run(command, input=said, text=True, capture_output=True, check=False, env=environ)


def test_the_doctor_tells_every_line_and_whether_one_fails(tmp_path: Path) -> None:
    """A wiring that can't be read makes it fail; each failing line has a sentence more than the others."""
    (tmp_path / "hardware.toml").write_text("[[keypad]]\nseat = 9\n")
    done = doctor(tmp_path)
    assert done.returncode == 2
    assert "failed  " in done.stdout
    assert "Fix the file, then run: companion hardware check" in done.stdout
    assert all(told[:8].strip() in ("ok", "info", "failed") for told in done.stdout.splitlines())
    assert done.stderr == ""


def test_the_doctor_speaks_japanese(tmp_path: Path) -> None:
    """On demand."""
    assert "コンピューター" in doctor(tmp_path, "--lang", "ja").stdout


def test_a_report_holds_every_line_and_nobodys_name(tmp_path: Path) -> None:
    """Names and homes are taken out; games and journal follow; what is there already stays as it is.

    Nothing is examined then.
    """
    path = tmp_path / "report.txt"
    (tmp_path / "hardware.toml").write_text('[[keypad]]\nseat = 1\nport = "/home/akiko/tty"\n')
    done = doctor(tmp_path, "--report", str(path))
    told, report = done.stdout.splitlines(), path.read_text().splitlines()
    assert report[0].startswith("companion 0.")
    assert report.index("") == len(told) + 1
    # A folder of a user's own is named after them, and that name is taken out, too.
    said, kept = ([line.split(":")[0].rpartition("/")[2] for line in lines] for lines in (told, report[1:]))
    assert kept[: len(said)] == said
    assert "/home/akiko/tty" in done.stdout
    assert "akiko" not in path.read_text()
    assert "keypad[1]: ~/tty" in path.read_text()
    again = doctor(tmp_path, "--report", str(path))
    assert (again.returncode, again.stdout) == (2, "")
    assert "already exists and was not changed" in again.stderr
    assert path.read_text().splitlines() == report


def test_devices_are_tried_only_while_nobody_plays(tmp_path: Path) -> None:
    """Whoever plays has the devices; without a wiring there is nothing to try."""
    assert "devices: " not in doctor(tmp_path, "--live").stdout
    with ExitStack() as playing:
        playing.callback(Store.open(tmp_path / "akiko-state", for_writing=True).close)
        told = doctor(tmp_path, "--live").stdout
    assert "failed  devices: in use by the running Companion → Stop the running Companion first" in told


def test_devices_are_tried_with_enter_to_skip(tmp_path: Path) -> None:
    """A simulated keypad at a port, and one Enter instead of typing on it."""
    with SimulatedKeypad("kp-1", tmp_path / "kp-1"):
        (tmp_path / "hardware.toml").write_text(f'[[keypad]]\nseat = 1\nport = "{tmp_path}/kp-1"\n')
        with subprocess.Popen(
            [COMPANION, "doctor", "--live", "--state", str(tmp_path / "state"), "--lang", "en"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "COMPANION_CONFIG": str(tmp_path)},
        ) as process:
            assert process.stdout
            assert process.stdin
            told = []
            for heard in process.stdout:
                told.append(heard.rstrip("\n"))
                if "Type a number" in heard:
                    process.stdin.write("\n")
                    process.stdin.flush()
        assert process.returncode in (0, 2)
    assert told[-3:] == [
        "ok      seat 1's keypad: kp-1, simulated",
        "        Type a number and press OK on seat 1's keypad. (20 s; press Enter to skip this test)",
        "skipped seat 1's keypad: keys",
    ]
