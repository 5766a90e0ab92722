"""The services that start the companion with the machine and keep copies of its games."""

import configparser
import os
import re
import shlex
import subprocess
import sys
from fnmatch import fnmatch
from pathlib import Path

import pytest

from tests.project.test_examples import parse
from tests.support.doc_examples import DOC_PAGES
from tests.support.required_programs import path_of_required_program
from ui.screen import SERVICE_ENV_VARIABLE

SIGNS = 4
"""Signs of life in the time of the watchdog, as `ui.supervisor` gives them."""

ROOT = Path(__file__).parents[2]
UNIT = ROOT / "systemd" / "companion.service"
WEB_UNIT = UNIT.with_name("companion-web.service")
UNITS = [
    UNIT.name,
    WEB_UNIT.name,
    "companion-web.socket",
    "companion-probes.socket",
    "companion-backup.service",
    "companion-backup.timer",
    "companion-desktop.service",
    "companion-dhcp.service",
]
PROGRAM = "/opt/companion/current/bin/companion"
SYSUSERS = UNIT.with_name("companion.sysusers.conf")
RULES = UNIT.with_name("60-companion.rules")


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """A folder with all units, filled in with a program that exists."""
    for name in UNITS:
        text = UNIT.with_name(name).read_text()
        filled = text.replace("@COMPANION@/.venv/bin/companion", sys.executable).replace(
            PROGRAM, sys.executable
        )
        (tmp_path / name).write_text(filled)
    return tmp_path


def complaints(unit: Path) -> str:
    """Ask systemd itself what it dislikes about this unit; other units' faults are not ours."""
    told = subprocess.run(
        [
            path_of_required_program("systemd-analyze"),
            "verify",
            "--man=no",
            "--recursive-errors=no",
            str(unit),
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    mine = [line for line in told.stderr.splitlines() if unit.name in line]
    return "\n".join(mine) or ("refused: " + told.stderr if told.returncode else "")


@pytest.mark.needs("systemd-analyze")
@pytest.mark.parametrize("name", UNITS)
def test_systemd_finds_nothing_to_complain_about(installed: Path, name: str) -> None:
    """Each unit, filled in with a program, passes systemd's own check."""
    assert complaints(installed / name) == ""


@pytest.mark.needs("systemd-analyze")
@pytest.mark.parametrize(
    ("name", "tenths"),
    [
        (UNIT.name, 20),
        (WEB_UNIT.name, 12),
        ("companion-backup.service", 10),
        ("companion-dhcp.service", 20),
    ],
)
def test_a_service_may_do_no_more_than_it_needs(installed: Path, name: str, tenths: int) -> None:
    """By systemd's own measure of what a service is exposed to, from 0 to 10."""
    command = [
        path_of_required_program("systemd-analyze"),
        "security",
        "--offline=yes",
        f"--threshold={tenths}",
        "--no-pager",
    ]
    told = subprocess.run(
        [*command, installed / name], capture_output=True, text=True, check=False, timeout=60
    )
    assert told.returncode == 0, told.stdout.splitlines()[-1]


def calls_of(name: str) -> set[str]:
    """The system calls that a word of a filter names, such as @clock."""
    if not name.startswith("@"):
        return {name}
    listed = subprocess.run(
        [path_of_required_program("systemd-analyze"), "syscall-filter", "--no-pager", name],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    words = [line.strip() for line in listed.stdout.splitlines()[1:] if not line.strip().startswith("#")]
    return {call for word in words if word for call in calls_of(word)}


@pytest.mark.needs("systemd-analyze")
def test_the_service_may_ask_whether_the_clock_was_set() -> None:
    """Without that its games have no dates, on a machine whose clock has no battery."""
    allowed: set[str] = set()
    for line in re.findall(r"^SystemCallFilter=(.*)$", UNIT.read_text(), re.MULTILINE):
        calls = {call for word in line.removeprefix("~").split() for call in calls_of(word)}
        allowed = allowed - calls if line.startswith("~") else allowed | calls
    assert {"adjtimex", "clock_adjtime"} <= allowed
    assert "clock_settime" not in allowed
    assert "execve" in allowed


@pytest.mark.needs("systemd-analyze")
def test_systemd_would_have_complained(installed: Path) -> None:
    """A misspelt setting does not pass the check unseen."""
    unit = installed / UNIT.name
    unit.write_text(unit.read_text().replace("ProtectSystem=", "ProtectSytem="))
    assert "ProtectSytem" in complaints(unit)


def test_the_service_keeps_its_state_where_the_program_looks() -> None:
    """The state directory that systemd makes is the one named to the program."""
    assert f"COMPANION_STATE=/var/lib/{service()['StateDirectory']}" in UNIT.read_text()


def test_the_service_may_write_where_its_wiring_is() -> None:
    """Number pads are paired on its screen: hardware.toml is looked for first where systemd lets it write."""
    lines = UNIT.read_text().splitlines()
    folder = next(line.split("=")[2] for line in lines if line.startswith("Environment=COMPANION_CONFIG="))
    writable = next(line for line in lines if line.startswith("ReadWritePaths="))
    assert f"-{folder}" in writable.partition("=")[2].split()


def service(path: Path = UNIT) -> configparser.SectionProxy:
    """What the unit says of the service; of settings that stand there several times the last."""
    unit = configparser.RawConfigParser(strict=False)
    unit.read(path)
    return unit["Service"]


def test_every_user_and_group_of_the_service_can_be_made() -> None:
    """For a group that doesn't exist the unit can't start: what it names, the file beside it makes."""
    lines = [line.split() for line in SYSUSERS.read_text().splitlines() if line and line[0] != "#"]
    users = [service()["User"], service(WEB_UNIT)["User"]]
    assert [name for kind, name, *_ in lines if kind == "u"] == users
    assert [name for kind, name, *_ in lines if kind == "g"] == service()["SupplementaryGroups"].split()


def test_what_faces_the_network_reaches_no_game_and_no_device() -> None:
    """The web service has a user of its own, no group of the games, no capability, and no folder of ours."""
    web = service(WEB_UNIT)
    assert web["User"] != service()["User"]
    assert "SupplementaryGroups" not in web
    assert web["CapabilityBoundingSet"] == ""
    assert web["PrivateDevices"] == "yes"
    assert {"-/var/lib/companion", "-/etc/companion"} <= {*web["InaccessiblePaths"].split()}


def test_the_games_have_no_network() -> None:
    """The service of the games can open no internet socket; the link is a file that only both may use."""
    assert service()["RestrictAddressFamilies"] == "AF_UNIX AF_NETLINK"
    assert service()["IPAddressDeny"] == "any"
    unit = configparser.RawConfigParser(strict=False)
    unit.read(UNIT.with_name("companion-web.socket"))
    link = unit["Socket"]
    assert (link["SocketUser"], link["SocketGroup"], link["SocketMode"]) == (
        service()["User"],
        service(WEB_UNIT)["User"],
        "0660",
    )


OPENED = {"gpio": "gpiochip0", "spidev": "spidev0.0"}
"""A device of each subsystem that Debian leaves to root."""


@pytest.mark.parametrize(("subsystem", "device"), OPENED.items())
def test_pins_and_readers_belong_to_groups_of_the_service(subsystem: str, device: str) -> None:
    """Debian, unlike Raspberry Pi OS, gives them to root alone; udev ignores a group that doesn't exist."""
    lines = UNIT.with_name("60-companion.rules").read_text().splitlines()
    (rule,) = (line for line in lines if f'SUBSYSTEM=="{subsystem}"' in line)
    found = dict(re.findall(r'(\w+)(?:==|!=|=)"([^"]*)"', rule))
    assert fnmatch(device, found["KERNEL"])
    assert found["MODE"] == "0660"
    assert found["GROUP"] in service()["SupplementaryGroups"].split()


def test_polkit_allows_to_shut_down_and_to_set_the_clock() -> None:
    """To the service's user; every action is named in full, and there are no others."""
    rules = UNIT.with_name("50-companion.rules").read_text()
    allowed = set(re.findall(r'"((?:login1|timedate1)\.[a-z-]+)"', rules))
    shut_down = {f"login1.{name}" for name in ("power-off", "reboot")}
    others = {f"{name}-multiple-sessions" for name in shut_down}
    assert allowed == {*shut_down, *others, "timedate1.set-time", "timedate1.set-ntp"}
    assert f'subject.user === "{service()["User"]}"' in rules


def test_groups_are_made_before_the_rules_that_name_them() -> None:
    """Rules are read again when they are written, and what is there already changes hands at once."""
    lines = [line.strip() for line in (ROOT / "scripts/install.sh").read_text().splitlines()]
    steps = lines[lines.index("install_all() {") :]
    assert steps.index("make_user") < steps.index("rules")
    brightness, others = (line for line in lines if "udevadm trigger" in line)
    assert {f"--subsystem-match={subsystem}" for subsystem in OPENED} <= {*others.split()}
    assert {"--action=add", "--subsystem-match=backlight"} <= {*brightness.split()}


def test_the_brightness_of_a_panel_belongs_to_a_group_of_the_service() -> None:
    """It does once the panel is there; a change of brightness, which udev is told too, changes nothing."""
    (rule,) = (line for line in RULES.read_text().splitlines() if 'SUBSYSTEM=="backlight"' in line)
    assert 'ACTION=="add"' in rule
    (group,) = re.findall(r"/bin/chgrp (\w+) /sys%p/brightness", rule)
    assert group in service()["SupplementaryGroups"].split()
    assert "/bin/chmod g+w /sys%p/brightness" in rule
    assert "ProtectKernelTunables" not in service()


@pytest.mark.needs("systemd-sysusers")
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make users")
def test_systemd_makes_them(tmp_path: Path) -> None:
    """On a bare system all are there afterwards; a second time nothing changes."""
    (tmp_path / "etc").mkdir()
    made = []
    for _ in range(2):
        subprocess.run(
            [path_of_required_program("systemd-sysusers"), f"--root={tmp_path}", SYSUSERS],
            check=True,
            capture_output=True,
            timeout=60,
        )
        made.append([(tmp_path / "etc" / name).read_text() for name in ("passwd", "group")])
    assert made[0] == made[1]
    groups = {line.split(":")[0] for line in made[0][1].splitlines()}
    users = {service()["User"], service(WEB_UNIT)["User"]}
    assert groups == {*users, *service()["SupplementaryGroups"].split()}
    assert made[0][0].startswith("companion:")


def test_the_service_never_leaves_an_empty_screen() -> None:
    """However often and however it ends it is restarted, and its power sign knows that."""
    text = UNIT.read_text()
    assert service()["Restart"] == "always"
    assert "StartLimitIntervalSec=0" in text
    assert f"Environment={SERVICE_ENV_VARIABLE}=1" in text


def test_its_watchdog_waits_for_more_than_one_sign_of_life() -> None:
    """One that comes late, as the disk is slow, ends nothing."""
    assert service()["Type"] == "notify"
    assert int(service()["WatchdogSec"]) / SIGNS >= 5


@pytest.fixture
def told() -> list[str]:
    """What the installation would do here, line by line."""
    command = ["sh", str(ROOT / "scripts" / "install.sh"), "--dry-run"]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=60)
    return done.stdout.splitlines()


def test_a_dry_run_says_each_step_and_does_none(told: list[str]) -> None:
    """Also what it would write and where, and nothing else."""
    assert all(line.startswith("install: would ") for line in told)
    for name in ("50-companion.rules", "51-companion-web.rules"):
        assert any(f"/etc/polkit-1/rules.d/{name}" in line for line in told)
    assert not Path("/opt/companion").exists() or not any("make /opt/companion" in line for line in told)


def test_a_desktops_user_gets_a_window_of_their_own_and_root_does_not(tmp_path: Path) -> None:
    """What it would write is below that user's home; root is told that this isn't for it."""
    installation = ["sh", str(ROOT / "scripts" / "install.sh"), "--desktop", "--dry-run"]
    nobody = [] if os.geteuid() else ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    env = {"PATH": os.environ["PATH"], "HOME": str(tmp_path / "home")}
    told = subprocess.run(
        [*nobody, *installation], capture_output=True, text=True, check=True, env=env
    ).stdout
    assert told.splitlines() == [
        f"install: would set up {ROOT}/.venv",
        f"install: would write {tmp_path}/home/.config/systemd/user/companion.service",
        f"install: would write {tmp_path}/home/.config/autostart/companion.desktop",
    ]
    if nobody:
        done = subprocess.run(installation, capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (
            1,
            "install: --desktop is for one user; run it without sudo\n",
        )


def test_every_way_to_install_that_a_page_names_is_one() -> None:
    """And is told where somebody asks for another."""
    wanted = re.compile(r"scripts/install\.sh((?: --[a-z-]+(?: [A-Z]+)?)+)")
    found = [each for page in DOC_PAGES for each in wanted.findall(page.read_text(encoding="utf-8"))]
    named = {flag for flags in found for flag in re.findall(r"--[a-z-]+", flags)}
    done = subprocess.run(
        ["sh", str(ROOT / "scripts" / "install.sh"), "--frob"], capture_output=True, text=True, check=False
    )
    assert done.returncode == 2
    assert named <= set(re.findall(r"--[a-z-]+", done.stdout))
    assert {"--dry-run", "--desktop", "--overlay", "--uninstall"} <= named


CALLED = re.compile(r'bin/companion"? ([a-z][^|&>;\n]*)')


def test_what_scripts_and_units_say_to_the_program_it_understands() -> None:
    """A verb that is misspelt there would fail, and be taken for something else that failed."""
    files = [*(ROOT / "systemd").glob("*.service"), ROOT / "scripts/releases.sh", ROOT / "scripts/install.sh"]
    said = [shlex.split(each) for file in files for each in CALLED.findall(file.read_text(encoding="utf-8"))]
    for words in said:
        parse(words)
    assert {words[0] for words in said} == {"backup", "health", "history", "web"}


def test_the_installation_brings_every_file_of_the_service() -> None:
    """What lies in systemd/ is named in the scripts, each by its name."""
    scripts = "".join((ROOT / "scripts" / name).read_text() for name in ("install.sh", "releases.sh"))
    assert [file.name for file in (ROOT / "systemd").iterdir() if file.name not in scripts] == []


def test_a_copy_before_an_update_holds_no_envelopes(tmp_path: Path) -> None:
    """It is the whole state directory but them, with owners and rights; an earlier copy is replaced."""
    state, copy = tmp_path / "state", tmp_path / "state.before"
    for name in ("sealed/drafts.sqlite3", "companion.sqlite3", "before-restore-1/sealed/drafts.sqlite3"):
        (state / name).parent.mkdir(parents=True, exist_ok=True)
        (state / name).write_text("7777")
    (state / "companion.sqlite3").chmod(0o600)
    (copy / "old").mkdir(parents=True)
    program = 'set -eu; here=.; . scripts/releases.sh; copy_games "$1" "$2"'
    subprocess.run(["sh", "-c", program, "sh", state, copy], cwd=ROOT, check=True)
    files = {str(path.relative_to(copy)) for path in copy.rglob("*")}
    assert files == {"companion.sqlite3", "before-restore-1"}
    assert (copy / "companion.sqlite3").stat().st_mode & 0o777 == 0o600
    assert copy.stat().st_mode & 0o777 == 0o700
    assert not (tmp_path / "state.before.part").exists()


MATCH = re.compile(r'(\w+)(?:\{(\w+)\})?(==|!=|\+=|=)"([^"]*)"')
SAFE = {"nosuid", "nodev", "noexec"}


def mounted(**found: str) -> list[str]:
    """What udev runs to mount a block device that was plugged in, of which it found this."""
    there = {"ACTION": "add", "SUBSYSTEM": "block", "ID_BUS": "usb", "ID_FS_USAGE": "filesystem", **found}
    runs = []
    for line in UNIT.with_name("60-companion.rules").read_text().splitlines():
        parts = [] if line.startswith("#") else MATCH.findall(line)
        tests = [part for part in parts if part[2] in {"==", "!="}]
        if all(
            any(fnmatch(there.get(key or name, ""), one) for one in values.split("|")) == (sign == "==")
            for name, key, sign, values in tests
        ):
            runs += [value for name, _, _, value in parts if name == "RUN" and "systemd-mount" in value]
    return runs


@pytest.mark.parametrize("kind", ["vfat", "exfat", "ntfs", "ext4"])
def test_a_stick_is_mounted_so_that_nothing_on_it_runs(kind: str) -> None:
    """Once; no program of it starts, none gets another user's rights, and none of its files is a device."""
    (run,) = mounted(ID_FS_TYPE=kind)
    (options,) = (word.partition("=")[2] for word in run.split() if word.startswith("--options="))
    assert set(options.split(",")) >= SAFE
    assert ("umask=0077" in options) == (kind != "ext4")


@pytest.mark.parametrize(
    "kind", ["iso9660", "udf", "btrfs", "xfs", "f2fs", "hfsplus", "jfs", "squashfs", "ext4dev", "apfs", ""]
)
def test_other_file_systems_are_not_mounted(kind: str) -> None:
    """Nor is one that udev can't name."""
    assert mounted(ID_FS_TYPE=kind) == []


def test_the_games_own_stick_and_disks_inside_are_left_alone() -> None:
    """The first has its line in /etc/fstab; the others are no sticks."""
    assert mounted(ID_FS_TYPE="ext4", ID_FS_LABEL="companion-games") == []
    assert mounted(ID_FS_TYPE="ext4", ID_BUS="ata") == []
    assert mounted(ID_FS_TYPE="ext4", ID_FS_USAGE="raid") == []
    assert mounted(ID_FS_TYPE="ext4", ACTION="remove") == [
        "/usr/bin/systemd-mount --umount /media/companion-%k"
    ]
