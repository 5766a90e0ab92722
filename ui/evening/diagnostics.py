"""The doctor's findings and the reports of the devices, for the service screen; nothing is drawn here.

While the service screen is open no game is on the table, but an entry that was made for a question of a game
is hidden even so.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from threading import Thread
from typing import Any

from kivy.clock import Clock
from kivy.event import EventDispatcher
from kivy.properties import BooleanProperty, ListProperty

from companion.texts import Text
from hardware.devices import Devices
from hardware.doctor import Computer, Finding, run_all_checks
from hardware.doctor.device_tests import (
    DeviceStateTracker,
    check_device_usable,
    describe_device_or_pins,
    testable_sections,
)
from hardware.doctor.report import write_report
from hardware.signals import ControlKeyAnswer, NumbersAnswer, NumpadKeyDown, Signal
from hardware.usb_sticks import back_up_games_to_first_stick
from hardware.wiring import Section, Wiring
from ui.events import EventMixin

HIDDEN_ENTRY = "•••"
REPORTS_FOLDER_NAME = "reports"
"""The name of the folder of reports in the state directory."""


class Diagnostics(EventMixin, EventDispatcher):
    """Examines the machine and listens to its devices, from `start_examination` until `stop_examination`.

    `read_computer` describes the machine at the time of the call.
    """

    findings = ListProperty()
    """The findings so far, in the order of the checks."""
    is_examination_done = BooleanProperty(defaultvalue=False)
    """True once all checks are done."""
    __events__ = ("on_device_signal",)  # device: a device said something, was lost or found

    def __init__(
        self, devices: Devices, wiring: Wiring, read_computer: Callable[[], Computer], **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self._devices = devices
        self.wiring = wiring
        self.read_computer = read_computer
        self.signal_history = DeviceStateTracker(devices)
        self._collected_findings: list[Finding] = []
        self._findings_trigger = Clock.create_trigger(self._show_findings)

    def start_examination(self) -> None:
        """Starts to listen, and examines the machine in a thread of its own, because its disk may be slow."""
        self.signal_history = DeviceStateTracker(self._devices)
        if self._record_signal not in self._devices.signal_listeners:
            self._devices.signal_listeners.append(self._record_signal)
        self._collected_findings, self.findings, self.is_examination_done = [], [], False
        Thread(target=self._examine, args=(self._collected_findings,), name="doctor", daemon=True).start()

    def stop_examination(self) -> None:
        """Stops listening to devices; results of checks that still run are ignored."""
        if self._record_signal in self._devices.signal_listeners:
            self._devices.signal_listeners.remove(self._record_signal)
        self._collected_findings = []
        self._findings_trigger.cancel()

    def device_findings_by_section(self) -> Sequence[tuple[Section, Finding]]:
        """Returns the section of each wired device with a finding: whether the device can be used now."""
        return [
            (section, check_device_usable(section, self._devices))
            for _, section in self.wiring.sections_with_keys()
        ]

    def describe_device(self, section: Section) -> Text:
        """Returns what a device reports about itself, or where it is connected."""
        return describe_device_or_pins(section, self._devices)

    def last_input_text(self, device_name: str) -> str:
        """Returns the last input at a device, as text.

        An entry that began during a question is hidden.
        """
        match self.signal_history.last_signals.get(device_name):
            case ControlKeyAnswer(_, _, key):
                return key.upper()
            case NumbersAnswer(_, question, numbers):
                return HIDDEN_ENTRY if question else f"{'.'.join(map(str, numbers))} OK"
            case NumpadKeyDown(_, cap):
                return cap or ""
        return ""

    def write_report_file(self) -> Path:
        """Writes a report of all findings into a new file in the state directory, and returns the file.

        Raises `UserError` if writing fails.
        """
        computer = self.read_computer()
        folder, number = computer.state_directory / REPORTS_FOLDER_NAME, 1
        while (path := folder / f"doctor-{number}.txt").exists():
            number += 1
        devices = [check_device_usable(section, self._devices) for section in testable_sections(self.wiring)]
        write_report(path, [*self.findings, *devices], computer)
        return path

    def back_up_games_to_usb_stick(self) -> Path:
        """Saves all games in one file on a USB stick; raises `UserError` if that fails."""
        computer = self.read_computer()
        return back_up_games_to_first_stick(computer.state_directory, computer.machine.root)

    def _record_signal(self, signal: Signal) -> None:
        self.signal_history.record(signal)
        Clock.schedule_once(
            lambda _: self.dispatch("on_device_signal", signal.device)
        )  # after the signal is handled

    def _examine(self, findings: list[Finding]) -> None:
        """Runs the checks in a thread of its own, until another examination begins or the page is closed."""
        for finding in run_all_checks(self.read_computer()):
            if findings is not self._collected_findings:
                return
            findings.append(finding)
            self._findings_trigger()
        Clock.schedule_once(lambda _: self._finish_examination(findings))

    def _show_findings(self, _seconds: float) -> None:
        self.findings = list(self._collected_findings)

    def _finish_examination(self, findings: list[Finding]) -> None:
        if findings is self._collected_findings:
            self.findings, self.is_examination_done = list(findings), True
