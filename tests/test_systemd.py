"""The service that starts the companion with the machine."""

import configparser
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from ui.screen import SERVICE

UNIT = Path(__file__).parents[1] / "systemd" / "companion.service"
SYSUSERS = UNIT.with_name("companion.sysusers.conf")
VERIFIER = shutil.which("systemd-analyze")
MAKER = shutil.which("systemd-sysusers")


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """Fill the unit in with a checkout whose program exists."""
    program = tmp_path / ".venv" / "bin" / "companion"
    program.parent.mkdir(parents=True)
    program.symlink_to(sys.executable)
    unit = tmp_path / UNIT.name
    unit.write_text(UNIT.read_text().replace("@COMPANION@", str(tmp_path)))
    return unit


def complaints(unit: Path) -> str:
    """Ask systemd itself what it dislikes about this unit; other units' faults are not ours."""
    assert VERIFIER is not None
    told = subprocess.run(
        [VERIFIER, "verify", "--man=no", "--recursive-errors=no", str(unit)],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    mine = [line for line in told.stderr.splitlines() if unit.name in line]
    return "\n".join(mine) or ("refused: " + told.stderr if told.returncode else "")


@pytest.mark.skipif(VERIFIER is None, reason="systemd-analyze is not installed here")
def test_systemd_finds_nothing_to_complain_about(installed: Path) -> None:
    """The unit, filled in with a checkout's directory, passes systemd's own check."""
    assert complaints(installed) == ""


@pytest.mark.skipif(VERIFIER is None, reason="systemd-analyze is not installed here")
def test_systemd_would_have_complained(installed: Path) -> None:
    """A misspelt setting does not pass the check unseen."""
    installed.write_text(installed.read_text().replace("ProtectSystem=", "ProtectSytem="))
    assert "ProtectSytem" in complaints(installed)


def test_the_service_keeps_its_state_where_the_program_looks() -> None:
    """The state directory that systemd makes is the one named to the program."""
    assert f"COMPANION_STATE=/var/lib/{service()['StateDirectory']}" in UNIT.read_text()


def test_the_service_may_write_where_its_wiring_is() -> None:
    """Number pads are paired on its screen: hardware.toml is looked for first where systemd lets it write."""
    lines = UNIT.read_text().splitlines()
    folder = next(line.split("=")[2] for line in lines if line.startswith("Environment=COMPANION_CONFIG="))
    assert f"ReadWritePaths=-{folder}" in lines


def service() -> configparser.SectionProxy:
    """What the unit says of the service; of settings that stand there several times the last."""
    unit = configparser.RawConfigParser(strict=False)
    unit.read(UNIT)
    return unit["Service"]


def test_every_user_and_group_of_the_service_can_be_made() -> None:
    """For a group that doesn't exist the unit can't start: what it names, the file beside it makes."""
    lines = [line.split() for line in SYSUSERS.read_text().splitlines() if line and line[0] != "#"]
    assert [name for kind, name, *_ in lines if kind == "u"] == [service()["User"]]
    assert [name for kind, name, *_ in lines if kind == "g"] == service()["SupplementaryGroups"].split()


@pytest.mark.skipif(MAKER is None or os.geteuid() != 0, reason="systemd-sysusers and root are needed")
def test_systemd_makes_them(tmp_path: Path) -> None:
    """On a bare system all are there afterwards; a second time nothing changes."""
    assert MAKER is not None
    (tmp_path / "etc").mkdir()
    made = []
    for _ in range(2):
        subprocess.run([MAKER, f"--root={tmp_path}", SYSUSERS], check=True, capture_output=True, timeout=60)
        made.append([(tmp_path / "etc" / name).read_text() for name in ("passwd", "group")])
    assert made[0] == made[1]
    groups = {line.split(":")[0] for line in made[0][1].splitlines()}
    assert groups == {service()["User"], *service()["SupplementaryGroups"].split()}
    assert made[0][0].startswith("companion:")


def test_the_service_never_leaves_an_empty_screen() -> None:
    """However often and however it ends it is restarted, and its power sign knows that."""
    text = UNIT.read_text()
    assert service()["Restart"] == "always"
    assert "StartLimitIntervalSec=0" in text
    assert f"Environment={SERVICE}=1" in text
