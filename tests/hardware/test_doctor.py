"""What the doctor says of a machine: well, or what is wrong and what to do."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.distribution import DISTRIBUTION_NAME
from companion.texts import render, say
from hardware.doctor import Computer, Finding, run_all_checks, this_computer
from hardware.doctor.machine import Machine, run_system_program
from hardware.doctor.report import write_report
from hardware.doctor.system import is_version_allowed
from tests.support.hardware.fake_raspberry_pi import (
    GROUPS,
    WIRING_TEXT,
    install_package,
    make_raspberry_pi,
    set_user_groups,
    write_system_file,
)

PIP = "/srv/companion/.venv/bin/python -m pip"
Break = Callable[[Computer, Path], Computer | None]


def lines(host: Computer) -> list[str]:
    """Every line as it is read."""
    return [f"{each.status}: {render(each.subject)}" for each in run_all_checks(host)]


def failing(host: Computer) -> list[str]:
    """What is wrong, each with what to do."""
    return [f"{render(each.subject)} | {render(each.advice)}" for each in run_all_checks(host) if each.advice]


def test_a_machine_that_is_well_has_no_failing_line(tmp_path: Path) -> None:
    """A Raspberry Pi 5 with all that its table needs: everything looked at is told, each thing once."""
    told = lines(make_raspberry_pi(tmp_path))
    assert [line for line in told if not line.startswith("ok: ")] == []
    assert len(told) == len(set(told))
    assert told[:3] == [
        "ok: computer: Raspberry Pi 5 Model B Rev 1.0",
        "ok: system: Debian GNU/Linux 13 (trixie), Linux 6.12.25+rpt-rpi-2712, 64-bit",
        "ok: Python 3.13.2",
    ]
    assert {
        *(f"ok: group {group}" for group in GROUPS),
        "ok: SPI: /dev/spidev0.0, /dev/spidev0.1",
        "ok: pins: pinctrl-rp1 at /dev/gpiochip0",
        "ok: power: the voltage is fine, and the processor runs at full speed",
        "ok: temperature: 48 °C",
        f"ok: state directory: {tmp_path}/state",
        "ok: saving: an answer usually takes 4.0 ms, and at most 4.0 ms",
        "ok: import mfrc522: this module comes from mfrc522 0.0.7",
        f"ok: {tmp_path}/etc/companion/hardware.toml: 2 devices",
        "ok: reader[1]: /dev/spidev0.0",
    } <= set(told)


def no_reader(host: Computer, root: Path) -> None:
    """A table without cards."""
    write_system_file(root, "/etc/companion/hardware.toml", '[[buttons]]\nseat = 1\ntap = "GPIO17"\n')


def no_wiring(host: Computer, root: Path) -> Computer:
    """A table without devices."""
    return replace(host, wiring_file=None)


def number_pads(host: Computer, root: Path) -> None:
    """Number pads alone, and evdev as the package that is called evdev-binary."""
    write_system_file(root, "/etc/companion/hardware.toml", '[[numpad]]\nseat = 1\nport = "usb-1.3"\n')
    write_system_file(root, "/sys/class/input/event0/device/phys", "usb-1.3/input0\n")
    write_system_file(root, "/dev/input/event0")
    install_package(root, "evdev-binary", "2.0.0")


def is_root(host: Computer, root: Path) -> None:
    """It was begun with sudo."""
    write_system_file(root, "/proc/self/status", "Uid:\t0\t0\n")


def only_akira_is_in_gpio(_: Computer, root: Path) -> None:
    """The user, aki, is in all groups but one, whose member has a name that begins like aki's."""
    set_user_groups(root, "spi", "input", "video", "render")
    group_file = root / "etc/group"
    group_file.write_text(
        group_file.read_text().replace(f"gpio:x:{GROUPS['gpio']}:", f"gpio:x:{GROUPS['gpio']}:akira")
    )


def no_spi(host: Computer, root: Path) -> None:
    """SPI was never switched on."""
    for number in (0, 1):
        (root / f"dev/spidev0.{number}").unlink()


def only_the_boot_memory(host: Computer, root: Path) -> None:
    """A Raspberry Pi 5 whose only SPI device isn't the header's."""
    no_spi(host, root)
    write_system_file(root, "/dev/spidev10.0")


def spi_since_a_moment(host: Computer, root: Path) -> None:
    """It was, but the machine hasn't started since."""
    no_spi(host, root)
    write_system_file(root, "/boot/firmware/config.txt", "[all]\ndtparam=i2c_arm=on,spi=on\n")


def second_bus(host: Computer, root: Path) -> None:
    """A reader at a bus that has another switch."""
    write_system_file(root, "/etc/companion/hardware.toml", WIRING_TEXT.replace("spidev0.0", "spidev1.0"))


def two_owners(host: Computer, root: Path) -> None:
    """Two packages of that import name in one folder: the second overwrote the first."""
    install_package(root, "mfrc522-python", "0.0.10")


def another_owner(host: Computer, root: Path) -> None:
    """The other package that brings the same import name, and no right one."""
    (root / "site/mfrc522-0.0.7.dist-info/METADATA").write_text(
        "Metadata-Version: 2.1\nName: x\nVersion: 1\n"
    )
    (root / "site/mfrc522-0.0.7.dist-info/RECORD").write_text("x.py,,\n")
    install_package(root, "mfrc522-python", "0.0.10", lists_files=False)


def no_owner(host: Computer, root: Path) -> None:
    """Nobody has installed it."""
    (root / "site/mfrc522-0.0.7.dist-info/METADATA").write_text(
        "Metadata-Version: 2.1\nName: x\nVersion: 1\n"
    )
    (root / "site/mfrc522-0.0.7.dist-info/RECORD").write_text("x.py,,\n")


def temperature(host: Computer, root: Path) -> None:
    """It is hot."""
    write_system_file(root, "/sys/class/thermal/thermal_zone0/temp", "83100\n")


def in_memory(host: Computer, root: Path) -> None:
    """The state directory lies on a tmpfs."""
    write_system_file(root, "/proc/self/mounts", f"a / ext4 rw 0 0\nb {root} tmpfs rw 0 0\n")


def read_only(host: Computer, root: Path) -> None:
    """Raspberry Pi's read-only mode."""
    write_system_file(root, "/proc/self/mounts", "overlayroot / overlay rw 0 0\n")


def a_stick_with_fat(host: Computer, root: Path) -> None:
    """The state directory lies on a file system without owners."""
    write_system_file(
        root, "/proc/self/mounts", f"a / ext4 rw 0 0\nb {root} vfat rw,fmask=0022,dmask=0022 0 0\n"
    )


def a_stick_with_fat_for_one(host: Computer, root: Path) -> None:
    """A stick that is mounted so that everything on it is one user's, as the service's rule does."""
    write_system_file(
        root, "/proc/self/mounts", f"a / ext4 rw 0 0\nb {root} vfat rw,fmask=0077,dmask=0077 0 0\n"
    )


def old_gpiozero(host: Computer, root: Path) -> None:
    """One that takes the wrong chip on a Raspberry Pi 5."""
    write_system_file(
        root, "/site/gpiozero-2.0.1.post3.dist-info/METADATA", "Name: gpiozero\nVersion: 2.0.1\n"
    )


def no_kivy(host: Computer, root: Path) -> None:
    """No screen is installed."""
    write_system_file(root, "/site/Kivy-2.3.1.dist-info/METADATA", "Name: kiwi\nVersion: 2.3.1\n")


def bare_number(host: Computer, root: Path) -> None:
    """A pin that could be two."""
    write_system_file(root, "/etc/companion/hardware.toml", "[[buttons]]\nseat = 1\ntap = 4\n")


@pytest.mark.parametrize(
    ("harm", "told"),
    [
        (lambda host, _: replace(host, pointer_bits=32), ["rpi-2712, 32-bit | Install a 64-bit system"]),
        (
            lambda host, _: replace(host, python_version="3.14.0"),
            ["Python 3.14.0 | Create the virtual environment again"],
        ),
        (
            lambda host, _: replace(host, python_version="3.9.2"),
            ["Python 3.9.2 | Create the virtual environment again with Python <3.14,>=3.11."],
        ),
        # No keypad is wired, so nobody needs dialout.
        (lambda _, root: set_user_groups(root, "gpio", "spi", "input", "video", "render"), []),
        (
            lambda _, root: set_user_groups(root, "spi", "input", "video", "render"),
            ["group gpio: not joined | Join the group gpio: sudo usermod -aG gpio $USER, then log in again."],
        ),
        (
            lambda _, root: set_user_groups(root, *GROUPS, in_this_session=False),
            [
                f"group {group}: joined, but this takes effect at the next login | Log in again"
                for group in ("gpio", "spi", "input", "video", "render")
            ],
        ),
        (
            only_akira_is_in_gpio,
            ["group gpio: not joined | Join the group gpio: sudo usermod -aG gpio $USER, then log in again."],
        ),
        (no_spi, ["SPI: off | Switch SPI on: sudo", "reader[1]: /dev/spidev0.0 | Switch SPI on"]),
        (
            only_the_boot_memory,
            ["SPI: off | Switch SPI on: sudo", "reader[1]: /dev/spidev0.0 | Switch SPI on"],
        ),
        (
            spi_since_a_moment,
            [
                "SPI: off, but /boot/firmware/config.txt switches it on | Restart the machine.",
                "reader[1]: /dev/spidev0.0 | Switch SPI on",
            ],
        ),
        (second_bus, ["reader[1]: /dev/spidev1.0 | Add dtoverlay=spi1-3cs to /boot/firmware/config.txt"]),
        (
            lambda host, _: replace(host, now=lambda: 86400.0),
            ["date: 1970-01-0 | Connect this machine to a network"],
        ),
        (
            lambda host, _: replace(host, is_time_known=lambda: False),
            ["not confirmed by a time server | Connect this machine to a network"],
        ),
        (
            lambda host, _: replace(host, throttling_report=lambda: "throttled=0x50005"),
            [
                (
                    "voltage too low, processor slowed down now; since start-up: voltage too low, "
                    "processor slowed down | Use the power supply"
                )
            ],
        ),
        (
            lambda host, _: replace(host, throttling_report=lambda: "throttled=0xe0000"),
            [
                (
                    "power: no trouble now; since start-up: processor speed limited, processor slowed "
                    "down, too hot | Cool the computer"
                )
            ],
        ),
        (temperature, ["temperature: 83 °C | Cool the computer"]),
        (in_memory, ["/state | This directory is in memory, so games are lost when the power goes off."]),
        (read_only, ["/state | This directory is in memory"]),
        (
            a_stick_with_fat,
            [
                (
                    "/state | The file system of this directory doesn't record who owns a file. Use a "
                    "file system that does"
                )
            ],
        ),
        (
            lambda host, _: replace(host, monotonic_seconds=iter(range(100)).__next__),
            [
                (
                    "saving: an answer usually takes 1000.0 ms, and at most 1000.0 ms | Use a faster "
                    "memory card (class A1 or A2), or an SSD."
                )
            ],
        ),
        (
            two_owners,
            [
                (
                    f"import mfrc522: this module comes from | Run: {PIP} uninstall -y mfrc522-python && "
                    f"{PIP} install"
                )
            ],
        ),
        (
            another_owner,
            [f"from mfrc522-python 0.0.10 | Run: {PIP} uninstall -y mfrc522-python && {PIP} install --force"],
        ),
        (
            no_owner,
            [
                (
                    "import mfrc522: this module doesn't come from a package | "
                    f"Run: {PIP} install --force-reinstall --no-deps mfrc522==0.0.7"
                )
            ],
        ),
        (old_gpiozero, [f"package gpiozero 2.0.1 | Run: {PIP} install 'gpiozero>=2.0.1.post3'"]),
        (no_kivy, [f"package kivy | Run: {PIP} install kivy"]),
        (bare_number, ["buttons[1].tap: | Fix the file, then run: companion hardware check"]),
    ],
)
def test_what_is_wrong_is_told_with_what_to_do(tmp_path: Path, harm: Break, told: list[str]) -> None:
    """One thing broken gives one failing line (SPI its own and the reader's), which ends with what to do."""
    host = make_raspberry_pi(tmp_path)
    found = [line.split(" | ") for line in failing(harm(host, tmp_path) or host)]
    expected = [line.split(" | ") for line in told]
    assert len(found) == len(expected), found
    for (what, todo), (part, beginning) in zip(found, expected, strict=True):
        assert part in what
        assert todo.startswith(beginning)


@pytest.mark.parametrize(
    ("harms", "line"),
    [
        ((no_reader,), "ok: import mfrc522: this module comes from mfrc522 0.0.7"),
        ((number_pads,), "ok: numpad[1]: usb-1.3"),
        ((no_reader, no_spi), "ok: SPI: off, not needed here"),
        ((no_reader, no_owner), "ok: import mfrc522: this module doesn't come from a package"),
        (
            (no_reader, two_owners),
            "ok: import mfrc522: this module comes from mfrc522-python 0.0.10, mfrc522 0.0.7",
        ),
        (
            (no_wiring,),
            "ok: hardware.toml: not created yet; everybody plays on the touchscreen",
        ),
        (
            (
                no_wiring,
                lambda host, root: replace(
                    host, machine=Machine(lambda: {"/dev/gpiochip0": "INT3453:00"}, root)
                ),
            ),
            "ok: pins: none found, not needed here",
        ),
        ((no_wiring,), "ok: pins: pinctrl-rp1 at /dev/gpiochip0"),
        (
            (lambda host, _: replace(host, throttling_report=lambda: ""),),
            "ok: power: this computer doesn't report its voltage",
        ),
        ((is_root,), "ok: groups: root can open every device"),
        ((lambda host, root: replace(host, state_directory=root / "a/b"),), "ok: state directory: "),
        ((a_stick_with_fat_for_one,), "ok: state directory: "),
    ],
)
def test_what_a_table_does_not_need_is_no_fault(tmp_path: Path, harms: tuple[Break, ...], line: str) -> None:
    """Without readers SPI and their packages don't matter, without a file no pins do; still all is told."""
    host = make_raspberry_pi(tmp_path)
    for harm in harms:
        host = harm(host, tmp_path) or host
    assert failing(host) == []
    assert [told for told in lines(host) if told.startswith(line)]


def test_undervoltage_is_read_from_the_kernel_where_no_program_tells_it(tmp_path: Path) -> None:
    """Without vcgencmd, or without the right to ask it, the kernel's file says the same."""
    host = make_raspberry_pi(tmp_path, throttling_report=lambda: "")
    write_system_file(tmp_path, "/sys/devices/platform/soc/soc:firmware/get_throttled", "10000\n")
    assert failing(host)[0].startswith(
        "power: no trouble now; since start-up: voltage too low | Use the power"
    )


@pytest.mark.parametrize("content", [None, "not available\n"])
def test_a_computer_that_fails_to_report_power_and_heat_is_examined_to_the_end(
    tmp_path: Path, content: str | None
) -> None:
    """A file of the kernel that can't be read, or has no number, is as if it weren't there."""
    host = make_raspberry_pi(tmp_path, throttling_report=lambda: "")
    for path in (
        "/sys/devices/platform/soc/soc:firmware/get_throttled",
        "/sys/class/thermal/thermal_zone0/temp",
    ):
        if content is None:
            (tmp_path / path.lstrip("/")).unlink(missing_ok=True)
            (tmp_path / path.lstrip("/")).mkdir(parents=True)
        else:
            write_system_file(tmp_path, path, content)
    assert "ok: power: this computer doesn't report its voltage" in lines(host)
    assert failing(host) == []
    assert not [line for line in lines(host) if "temperature" in line]


def test_a_check_that_crashes_is_a_failing_line(tmp_path: Path) -> None:
    """The line says why the check crashed, and the other checks still run."""

    def crash() -> bool:
        raise RuntimeError("no clock")

    host = make_raspberry_pi(tmp_path, is_time_known=crash)
    (told,) = failing(host)
    assert told.startswith("examination: a check crashed: RuntimeError: no clock | Update the Companion.")
    assert f"ok: state directory: {tmp_path}/state" in lines(host)


def test_a_system_program_may_print_anything() -> None:
    """Output that is no UTF-8 doesn't end the examination."""
    assert run_system_program("printf", r"throttled=0x0\377") == "throttled=0x0\ufffd"


@pytest.mark.parametrize(
    ("files", "name"),
    [
        ({"/proc/device-tree/model": "Radxa ROCK 5B\0"}, "Radxa ROCK 5B"),
        ({"/sys/class/dmi/id/product_name": "ThinkPad\n"}, "ThinkPad"),
        ({"/proc/cpuinfo": "processor\t: 0\nmodel name\t: AMD EPYC\n"}, "AMD EPYC"),
        ({}, "-"),
    ],
)
def test_another_computer_is_named(tmp_path: Path, files: dict[str, str], name: str) -> None:
    """By its board, its maker or its processor; it is no fault to be no Raspberry Pi and have no groups."""
    host = make_raspberry_pi(tmp_path, wiring_file=None)
    (tmp_path / "proc/device-tree/model").unlink()
    set_user_groups(tmp_path)
    for path, text in files.items():
        write_system_file(tmp_path, path, text)
    assert lines(host)[0] == f"info: computer: {name}, not a Raspberry Pi"
    assert failing(host) == []
    assert "ok: group render: not joined, not needed here" in lines(host)


def test_a_state_directory_that_takes_nothing_is_told(tmp_path: Path) -> None:
    """There a file can't be made even by root, and there is no room; why is told in the system's words."""
    told = failing(make_raspberry_pi(tmp_path, state_directory=Path("/proc/self")))
    assert [line.split(" | ")[0] for line in told][:1] == ["free space: 0 MB"]
    assert re.fullmatch(
        r"saving: [A-Z].+ \| Nothing can be saved in this directory\. .+COMPANION_STATE\.", told[1]
    )


def test_nothing_is_left_in_the_state_directory(tmp_path: Path) -> None:
    """The file that was written to measure a commit is gone; a directory that isn't there isn't made."""
    host = make_raspberry_pi(tmp_path)
    lines(host)
    lines(replace(host, state_directory=tmp_path / "state/not/yet"))
    assert list((tmp_path / "state").iterdir()) == []


def test_every_kind_of_line_is_explained(tmp_path: Path) -> None:
    """The page about the doctor has a row for each; a device's own is one of many."""
    page = (Path(__file__).parents[2] / "docs/build/doctor.md").read_text("utf-8")
    kinds = [
        render(each.subject).split(":")[0].split("[")[0]
        for each in run_all_checks(make_raspberry_pi(tmp_path))
    ]
    named = {kind for kind in kinds if not kind.startswith("/")} - {
        "package gpiod",
        "package spidev",
        "reader",
    }
    told = {kind.removeprefix("group ").split(" 3.")[0] for kind in named}
    assert {kind for kind in told if f"`{kind}`" not in page and f"`group {kind}`" not in page} == set()


@pytest.mark.parametrize("harm", [two_owners, another_owner, no_owner, old_gpiozero, no_kivy])
def test_nobody_is_told_to_install_into_the_systems_python(tmp_path: Path, harm: Break) -> None:
    """Debian refuses that (PEP 668): where the companion has no environment of its own, it is to get one."""
    host = make_raspberry_pi(tmp_path)
    harm(host, tmp_path)
    (line,) = failing(replace(host, machine=replace(host.machine, install_python="")))
    assert "pip" not in line.split(" | ")[1]
    assert "scripts/setup" in line


def test_a_package_that_another_folder_hides_is_nobodys_trouble(tmp_path: Path) -> None:
    """A system's own package lies beside an environment that has ours: they overwrite nothing."""
    host = make_raspberry_pi(tmp_path)
    install_package(tmp_path / "usr", "mfrc522-python", "0.0.10")
    both = replace(host, package_folders=[*host.package_folders, str(tmp_path / "usr/site")])
    assert failing(both) == []
    assert "ok: import mfrc522: this module comes from mfrc522 0.0.7" in lines(both)


def test_a_package_without_a_name_is_ignored(tmp_path: Path) -> None:
    """An installation that was interrupted leaves a folder without metadata; the doctor checks the others."""
    host = make_raspberry_pi(tmp_path)
    (tmp_path / "site" / "broken-1.0.dist-info").mkdir()
    assert failing(host) == []


def test_a_report_hides_other_homes_if_this_user_has_no_name(tmp_path: Path) -> None:
    """A user without an entry in /etc/passwd has no home, but the homes of others are still hidden."""
    host = make_raspberry_pi(tmp_path, environ={})
    write_system_file(tmp_path, "/etc/passwd", "root:x:0:0::/root:/bin/sh\n")
    assert host.user_name == ""
    write_report(tmp_path / "report.txt", [Finding(say("state: {path}", path="/home/chie/games"))], host)
    report = (tmp_path / "report.txt").read_text("utf-8")
    assert "state: ~/games\n" in report
    assert "chie" not in report


def test_a_report_hides_a_home_that_begins_like_this_users(tmp_path: Path) -> None:
    """Akiko's home isn't Aki's with two more letters."""
    host = make_raspberry_pi(tmp_path, environ={"HOME": "/home/aki"})
    findings = [Finding(say("state: {path}", path=path)) for path in ("/home/akiko/a", "/home/aki/b")]
    write_report(tmp_path / "report.txt", findings, host)
    report = (tmp_path / "report.txt").read_text("utf-8")
    assert "state: ~/a\n" in report
    assert "state: ~/b\n" in report


def test_a_mount_point_with_a_space_is_found(tmp_path: Path) -> None:
    """The kernel writes the space as an octal number; a directory in memory is told there too."""
    folder = tmp_path / "usb stick"
    host = make_raspberry_pi(tmp_path, state_directory=folder)
    folder.mkdir()
    mount = str(folder).replace(" ", r"\040")
    write_system_file(
        tmp_path, "/proc/self/mounts", f"/dev/mmcblk0p2 / ext4 rw 0 0\ntmpfs {mount} tmpfs rw 0 0\n"
    )
    (line,) = failing(host)
    assert line.startswith(f"state directory: {folder} | This directory is in memory")


def test_no_hint_and_no_page_names_a_strangers_package() -> None:
    """`companion` on the package index is somebody else's; pip is named with the environment it is of."""
    root = Path(__file__).parents[2]
    pages = [*root.glob("docs/**/*.md"), *root.glob("*.md"), *root.glob("companion/locale/**/*.po")]
    code = [
        file for part in ("companion", "hardware", "ui", "scripts") for file in (root / part).rglob("*.py")
    ]
    for file in [*pages, *code]:
        text = file.read_text("utf-8")
        assert not re.search(r"pip install[^`\n]*\bcompanion\b(?!/)", text), file
        assert not re.search(r"(?<!-m )(?<!bin/)\bpip install", text), file


@pytest.mark.parametrize(
    ("version", "wish", "does"),
    [
        ("2.0.1.post3", ">=2.0.1.post3", True),
        ("2.0.1", ">=2.0.1.post3", False),
        ("2.0.2", ">=2.0.1.post3", True),
        ("3.9.18", "<3.14,>=3.11", False),
        ("3.11", ">=3.11.0", True),
        ("2.3.1", "==2.3.1", True),
        ("2.3.0", "==2.3.1", False),
        ("1.0", "", True),
        ("1.0", "~=0.9", True),
    ],
)
def test_versions_are_compared_by_their_numbers(version: str, wish: str, *, does: bool) -> None:
    """2.0.10 is later than 2.0.9, and a post-release later than its release; other signs wish for nothing."""
    assert is_version_allowed(version, wish) is does


def test_this_machine_is_examined_truthfully(tmp_path: Path) -> None:
    """Here, where the tests run: its own Python and packages, and a state directory that can be written."""
    told = lines(this_computer(tmp_path))
    version = sys.version.split()[0]
    assert f"ok: Python {version}" in told
    assert any(line.startswith("ok: saving: ") for line in told)
    assert next(line for line in told if line.startswith(f"ok: packages: {DISTRIBUTION_NAME} "))


SOUND_CARDS = """ 0 [vc4hdmi0       ]: vc4-hdmi - vc4-hdmi-0
                      vc4-hdmi-0
 1 [Device         ]: USB-Audio - USB Audio Device
                      Generic USB Audio Device at usb-xhci-hcd.0-1, full speed
"""


@pytest.mark.parametrize(
    ("cards", "line"),
    [
        (SOUND_CARDS, "ok: sound: vc4-hdmi - vc4-hdmi-0, USB-Audio - USB Audio Device"),
        ("--- no soundcards ---\n", "ok: sound: no sound card, so the touchscreen is silent"),
        (None, "ok: sound: no sound card, so the touchscreen is silent"),
    ],
)
def test_the_sound_cards_are_named(tmp_path: Path, cards: str | None, line: str) -> None:
    """A table without a loudspeaker is in order; the line says why nothing is heard."""
    host = make_raspberry_pi(tmp_path)
    if cards is not None:
        write_system_file(host.machine.root, "/proc/asound/cards", cards)
    assert [each for each in lines(host) if "sound:" in each] == [line]
