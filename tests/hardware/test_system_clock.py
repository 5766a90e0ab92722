"""Systemd's own command sets the machine's clock; here another command writes down how it is called."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

import pytest

from hardware.system_clock import set_system_clock

MOMENT = datetime(2026, 12, 24, 18, 5).astimezone()


@pytest.fixture
def calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The file with a line for each call; with a file `refuse` beside it, the command fails and says that."""
    command = tmp_path / "timedatectl"
    command.write_text(
        f'#!/bin/sh\necho "$*" >>{tmp_path}/calls\n'
        f'[ "$2" != set-time ] || [ ! -e {tmp_path}/refuse ] || {{ cat {tmp_path}/refuse >&2; exit 1; }}\n'
    )
    command.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")
    return tmp_path / "calls"


def test_the_clock_is_set_while_the_network_may_not(calls: Path) -> None:
    """Systemd would refuse otherwise; afterwards the network may set it again."""
    assert set_system_clock(MOMENT) == ""
    assert calls.read_text().splitlines() == [
        "--no-ask-password set-ntp false",
        "--no-ask-password set-time 2026-12-24 18:05:00",
        "--no-ask-password set-ntp true",
    ]


def test_a_clock_that_cannot_be_set_says_why(calls: Path) -> None:
    """In the words of systemd; the network may set the clock again all the same."""
    (calls.parent / "refuse").write_text("Failed to set time: Access denied\n")
    assert set_system_clock(MOMENT) == "Failed to set time: Access denied"
    assert calls.read_text().splitlines()[-1] == "--no-ask-password set-ntp true"


def test_a_machine_without_systemd_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command isn't there."""
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "timedatectl" in set_system_clock(MOMENT)
