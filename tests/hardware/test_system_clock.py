"""Systemd's own command sets the machine's clock; here another command writes down how it is called."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from hardware import system_clock
from hardware.system_clock import set_system_clock

MOMENT = datetime(2026, 12, 24, 18, 5).astimezone()
NOT_YET = "Failed to set time: Automatic time synchronization is enabled"


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file with a line for each call.

    The time comes from the network if the file `ntp` says "yes". With a file `refuse`, the command fails and
    says that; with a file `refuse once`, only the first time.
    """
    command = tmp_path / "timedatectl"
    command.write_text(
        f"""#!/bin/sh
cd {tmp_path}
echo "$*" >>calls
case "$2" in
show) cat ntp ;;
set-time)
    if [ -e "refuse once" ]; then mv "refuse once" refused; cat refused >&2; exit 1; fi
    if [ -e refuse ]; then cat refuse >&2; exit 1; fi ;;
esac
"""
    )
    command.chmod(0o755)
    (tmp_path / "ntp").write_text("yes\n")
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return tmp_path / "calls"


class PassingTime:
    """Monotonic seconds that pass only in `sleep`."""

    def __init__(self) -> None:
        self.now = 0.0

    def seconds(self) -> float:
        """Returns the seconds."""
        return self.now

    def sleep(self, seconds: float) -> None:
        """Lets seconds pass."""
        self.now += seconds


def called(calls: Path) -> list[str]:
    """Returns the words of each call."""
    return [line.removeprefix("--no-ask-password ") for line in calls.read_text().splitlines()]


READ_NTP, SET_TIME = "show -p NTP --value", "set-time 2026-12-24 18:05:00"


def test_the_clock_is_set_while_the_network_may_not(calls: Path) -> None:
    """Systemd would refuse otherwise; afterwards the network may set it again."""
    assert set_system_clock(MOMENT) == ""
    assert called(calls) == [READ_NTP, "set-ntp false", SET_TIME, "set-ntp true"]


def test_a_machine_that_takes_no_time_from_the_network_stays_so(calls: Path) -> None:
    """Its owner has chosen that; only the time is set."""
    (calls.parent / "ntp").write_text("no\n")
    assert set_system_clock(MOMENT) == ""
    assert called(calls) == [READ_NTP, SET_TIME]


def test_the_clock_is_set_again_while_systemd_refuses_it_for_a_moment(calls: Path) -> None:
    """The service that takes the time from the network needs a moment to stop."""
    (calls.parent / "refuse once").write_text(f"{NOT_YET}\n")
    time = PassingTime()
    assert set_system_clock(MOMENT, time.seconds, time.sleep) == ""
    assert called(calls) == [READ_NTP, "set-ntp false", SET_TIME, SET_TIME, "set-ntp true"]


def test_a_refusal_that_stays_ends_after_some_seconds(calls: Path) -> None:
    """People wait for it, so it ends soon; the network may set the clock again all the same."""
    (calls.parent / "refuse").write_text(f"{NOT_YET}\n")
    time = PassingTime()
    assert set_system_clock(MOMENT, time.seconds, time.sleep) == NOT_YET
    assert time.now == pytest.approx(system_clock.MAX_REFUSED_SECONDS)
    assert called(calls)[-1] == "set-ntp true"


def test_all_calls_together_end_before_the_watchdog_of_systemd(
    calls: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A call that never ends is killed, and the last call still has time of its own."""
    (calls.parent / "timedatectl").write_text(
        f'#!/bin/sh\necho "$*" >>{calls}\n[ "$2" != show ] || echo yes\n'
        '[ "$2" != set-time ] || exec sleep 60\n'
    )
    monkeypatch.setattr(system_clock, "MAX_SETTING_SECONDS", 0.5)
    assert "timed out" in set_system_clock(MOMENT)
    assert called(calls)[-1] == "set-ntp true"
    assert system_clock.MAX_TOTAL_SECONDS < 12


def test_a_clock_that_cannot_be_set_says_why(calls: Path) -> None:
    """In the words of systemd; the network may set the clock again all the same."""
    (calls.parent / "refuse").write_text("Failed to set time: Access denied\n")
    assert set_system_clock(MOMENT) == "Failed to set time: Access denied"
    assert called(calls)[-1] == "set-ntp true"


def test_a_machine_without_systemd_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command isn't there."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "timedatectl" in set_system_clock(MOMENT)
