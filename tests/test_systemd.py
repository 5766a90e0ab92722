"""The service that starts the companion with the machine."""

import configparser
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

UNIT = Path(__file__).parents[1] / "systemd" / "companion.service"
VERIFIER = shutil.which("systemd-analyze")


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
    unit = configparser.RawConfigParser(strict=False)
    unit.read(UNIT)
    assert f"COMPANION_STATE=/var/lib/{unit['Service']['StateDirectory']}" in UNIT.read_text()


def test_the_service_may_write_where_its_wiring_is() -> None:
    """Number pads are paired on its screen: hardware.toml is looked for first where systemd lets it write."""
    lines = UNIT.read_text().splitlines()
    folder = next(line.split("=")[2] for line in lines if line.startswith("Environment=COMPANION_CONFIG="))
    assert f"ReadWritePaths=-{folder}" in lines
