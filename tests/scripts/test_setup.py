"""Set-up on other computers than this one, played by stubs of the programs that tell or change what it is."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.scripts.stubs import PROJECT, PYTHON, Stubs

DRIVERS = ["python3-spidev", "python3-evdev"]
BOARDS = ["aarch64", "armv7l", "riscv64"]
"""What `uname -m` says on a Raspberry Pi and on other boards."""


@pytest.fixture
def stubs(tmp_path: Path) -> Stubs:
    """A computer with Debian on it."""
    there = Stubs(tmp_path)
    there.add("apt-get")
    there.add("apt-cache")
    there.add("id", "echo 0")
    return there


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """As much of the project as set-up reads."""
    folder = tmp_path / "clone"
    (folder / "scripts").mkdir(parents=True)
    (folder / "tests").mkdir()
    for name in ("pyproject.toml", "scripts/setup", "scripts/packages.sh", "tests/programs.txt"):
        shutil.copy(PROJECT / name, folder / name)
    return folder


def is_a(kind: str, stubs: Stubs, installed: list[str]) -> None:
    """Makes it a computer with such a processor and those packages, whose Python installs nothing."""
    stubs.add("uname", f"echo {kind}")
    stubs.add("dpkg-query", f'case " {" ".join(installed)} " in *" $2 "*) ;; *) exit 1 ;; esac')
    for name in ("python3", "python3.13", "python3.12", "python3.11"):
        stubs.add(name, PYTHON)


def sees_debians_packages(clone: Path) -> bool:
    """Whether the environment that was made does."""
    return "= true" in (clone / ".venv/pyvenv.cfg").read_text()


def set_up(stubs: Stubs, clone: Path) -> str:
    """Sets the clone up with the stubs' Python in place of Debian's; returns what it said."""
    script = (
        (clone / "scripts/packages.sh").read_text().replace("/usr/bin/python3", str(stubs.bin / "python3"))
    )
    (clone / "scripts/packages.sh").write_text(script)
    done = stubs.sh("scripts/setup", clone)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("kind", BOARDS)
def test_on_every_board_the_drivers_are_debians(stubs: Stubs, kind: str) -> None:
    """Whatever model it is: PyPI has them as sources only, and a board has no compiler."""
    is_a(kind, stubs, installed=[])
    said = stubs.sh(". scripts/packages.sh; missing_packages").stdout.split()
    assert [package for package in said if package in DRIVERS] == DRIVERS
    is_a(kind, stubs, installed=DRIVERS)
    assert not {*DRIVERS} & {*stubs.sh(". scripts/packages.sh; missing_packages").stdout.split()}


def test_on_a_pc_the_drivers_come_from_pypi(stubs: Stubs, clone: Path) -> None:
    """Its environment needs no packages of Debian's, and readers are not wired to a PC."""
    is_a("x86_64", stubs, installed=[])
    assert not {*DRIVERS} & {*stubs.sh(". scripts/packages.sh; missing_packages").stdout.split()}
    set_up(stubs, clone)
    assert not sees_debians_packages(clone)
    assert not [call for call in stubs.calls() if "[rfid]" in call]


@pytest.mark.parametrize("kind", BOARDS)
def test_on_every_board_the_environment_sees_debians_packages(stubs: Stubs, clone: Path, kind: str) -> None:
    """And Companion is installed with what wired readers need; a second set-up makes nothing again."""
    is_a(kind, stubs, installed=DRIVERS)
    set_up(stubs, clone)
    assert sees_debians_packages(clone)
    assert [call for call in stubs.calls() if "--editable .[rfid]" in call]
    made = len(stubs.calls())
    assert set_up(stubs, clone) == ""
    assert not [call for call in stubs.calls()[made:] if "venv" in call or "pip" in call]


@pytest.mark.parametrize("is_set_up", [False, True], ids=["made by hand before", "made by hand after"])
def test_an_environment_without_debians_packages_is_noticed(
    stubs: Stubs, clone: Path, is_set_up: bool
) -> None:
    """Somebody made it as for a PC: it is made again, and set-up says so."""
    is_a("aarch64", stubs, installed=DRIVERS)
    if is_set_up:
        set_up(stubs, clone)
    stubs.sh("python3 -m venv .venv", clone)
    assert not sees_debians_packages(clone)
    assert "setup: .venv belongs to another folder or lacks Debian's packages: making it again" in (
        set_up(stubs, clone).splitlines()
    )
    assert sees_debians_packages(clone)


def test_an_environment_of_a_pc_stays(stubs: Stubs, clone: Path) -> None:
    """It sees no packages of Debian's, and needs none."""
    is_a("x86_64", stubs, installed=[])
    stubs.sh("python3 -m venv .venv", clone)
    (clone / ".venv/mine").touch()
    set_up(stubs, clone)
    assert (clone / ".venv/mine").exists()


def test_a_service_on_a_board_sees_debians_packages(stubs: Stubs, tmp_path: Path) -> None:
    """Each version in /opt is an environment of its own, made by the same rule."""
    for kind, sees in (("aarch64", True), ("x86_64", False)):
        is_a(kind, stubs, installed=DRIVERS)
        folder = tmp_path / kind
        script = f"""
            me=test here=$PWD wheels=
            . scripts/packages.sh
            . scripts/releases.sh
            opt={folder}
            usable_python() {{ command -v python3; }}
            make_release x
        """
        stubs.sh(script)
        settings = (folder / "releases/x/pyvenv.cfg").read_text()
        assert ("= true" in settings) is sees


@pytest.mark.parametrize(
    ("apt", "left"),
    [('echo installs >"$HOME/strace"; chmod +x "$HOME/strace"', ""), ("exit 100", "strace")],
    ids=["brought", "no network"],
)
def test_what_tests_need_is_installed_or_named(stubs: Stubs, clone: Path, apt: str, left: str) -> None:
    """Without a network set-up goes on: it says what is missing, and keeps it for whoever must know."""
    is_a("x86_64", stubs, installed=[])
    (clone / "tests/programs.txt").write_text("# none\nsh sh\nstrace strace-of-a-test\n")
    stubs.add("apt-get", f'case "$*" in *install*) {apt.replace("strace", "strace-of-a-test")} ;; esac')
    set_up(stubs, clone)
    done = stubs.sh("scripts/setup --tests", clone)
    assert done.returncode == 0
    assert (clone / ".venv/not-installed").read_text().strip() == left
    assert ("so the tests that need them are skipped: strace" in done.stdout) is bool(left)
