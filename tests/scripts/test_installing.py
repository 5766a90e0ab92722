"""Installation where systemd doesn't run, as in a chroot where the image of a memory card is made."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.scripts.stubs import PROJECT, Stubs

BOOTED = "/run/systemd/system"
"""Where systemd tells others that it runs this system."""
SERVICES = ("install.sh", "releases.sh")


@pytest.fixture
def stubs(tmp_path: Path) -> Stubs:
    """A system whose systemd, if it runs, has a directory of its own."""
    there = Stubs(tmp_path)
    there.add("systemctl", 'echo "offline ${SYSTEMD_OFFLINE:-no}"')
    return there


def script(tmp_path: Path, *lines: str) -> str:
    """Lines of a script that knows how versions are installed, with that directory in place of systemd's."""
    known = (PROJECT / "scripts/releases.sh").read_text().replace(BOOTED, str(tmp_path / "systemd"))
    return "\n".join([known, "say() { :; }", "put() { :; }", "take_away() { :; }", f"opt={tmp_path}", *lines])


@pytest.mark.parametrize(
    ("runs", "in_chroot", "told", "booted"),
    [
        (True, False, "", True),
        (True, False, "0", True),
        (True, False, "1", False),
        (True, False, "true", False),
        (True, True, "", False),
        (False, False, "", False),
        (False, True, "1", False),
    ],
)
def test_systemd_runs_this_system_or_it_does_not(
    tmp_path: Path, stubs: Stubs, runs: bool, in_chroot: bool, told: str, booted: bool
) -> None:
    """Not in a chroot, even one that sees the host's /run; SYSTEMD_OFFLINE=1 says so where it isn't seen."""
    if runs:
        (tmp_path / "systemd").mkdir()
    stubs.add("systemd-detect-virt", f"exit {0 if in_chroot else 1}")
    assert (stubs.sh(script(tmp_path, "is_booted"), SYSTEMD_OFFLINE=told).returncode == 0) is booted


def test_a_version_changes_over_where_no_systemd_runs(tmp_path: Path, stubs: Stubs) -> None:
    """It is tried and becomes current; nothing is stopped, started or read again."""
    (tmp_path / "releases/new").mkdir(parents=True)
    steps = script(tmp_path, "copy_games() { :; }", "is_well() { echo tried; }", "change_over new")
    done = stubs.sh(steps.replace("/usr/local/bin", str(tmp_path)))
    assert (done.returncode, done.stdout) == (0, "tried\n"), done.stderr
    assert (tmp_path / "current").readlink() == Path("releases/new")
    assert not [call for call in stubs.calls() if call.startswith("systemctl")]


def test_every_other_command_to_systemd_knows_that_it_does_not_run() -> None:
    """A line that starts, stops or reloads asks before; for enabling, systemctl itself is told."""
    for name in SERVICES:
        lines = (PROJECT / "scripts" / name).read_text().splitlines()
        for number, line in enumerate(lines):
            if re.search(r"systemctl (?:start|stop|daemon-reload|restart|.*--now)", line):
                assert any("is_booted" in each for each in lines[max(0, number - 1) : number + 1]), line
    assert "is_booted || export SYSTEMD_OFFLINE=1" in (PROJECT / "scripts/install.sh").read_text()
