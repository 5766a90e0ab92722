"""Makes a Raspberry Pi 5 out of files in a folder, for the doctor: healthy, until a test breaks something."""

from __future__ import annotations

import itertools
from pathlib import Path

from msgspec.structs import replace

from companion.distribution import DISTRIBUTION_NAME
from hardware.doctor import Computer
from hardware.doctor.machine import Machine

USER_ID = 1000
BUILD_TIME = 1_700_000_000.0
GROUPS = {"gpio": 993, "spi": 994, "dialout": 20, "input": 101, "video": 44, "render": 105}
COMPANION_REQUIREMENTS = """\
Requires-Python: <3.14,>=3.11
Requires-Dist: gpiod>=2.3; sys_platform == "linux"
Requires-Dist: gpiozero>=2.0.1.post3
Requires-Dist: kivy==2.3.1
Requires-Dist: evdev>=1.6; extra == "numpads"
Requires-Dist: spidev>=3.6; extra == "rfid"
"""
INSTALLED_VERSIONS = {
    "gpiod": "2.5.0",
    "gpiozero": "2.0.1.post3",
    "Kivy": "2.3.1",
    "spidev": "3.6",
    "mfrc522": "0.0.7",
}
MODULE_BY_PACKAGE = {"mfrc522-python": "mfrc522"}
WIRING_TEXT = """\
[[buttons]]
seat = 1
tap = "GPIO17"

[[reader]]
zone = "market"
spi = "/dev/spidev0.0"
"""


def write_system_file(root: Path, path: str, text: str = "") -> Path:
    """Writes a file of the system."""
    file = root / path.lstrip("/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def install_package(
    root: Path, name: str, version: str, more_metadata: str = "", *, lists_files: bool = True
) -> None:
    """Installs a package as pip does; without `lists_files` as Debian does, which keeps no list of files."""
    folder = f"/site/{name.replace('-', '_')}-{version}.dist-info"
    write_system_file(
        root,
        f"{folder}/METADATA",
        f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{more_metadata}",
    )
    top = MODULE_BY_PACKAGE.get(name, name)
    if lists_files:
        write_system_file(root, f"/site/{top}/__init__.py", "")
        write_system_file(root, f"{folder}/RECORD", f"{top}/__init__.py,,\n")
    else:
        write_system_file(root, f"{folder}/top_level.txt", f"{top}\n")


def set_user_groups(root: Path, *groups: str, in_this_session: bool = True) -> None:
    """Puts the user into these groups only; without `in_this_session` they count after the next login."""
    numbers = " ".join(str(GROUPS[group]) for group in groups) if in_this_session else ""
    write_system_file(
        root,
        "/proc/self/status",
        f"Name:\tpython3\nUid:\t{USER_ID}\t{USER_ID}\nGid:\t{USER_ID}\nGroups:\t{numbers} \n",
    )
    lines = [f"{name}:x:{number}:{'aki' if name in groups else ''}" for name, number in GROUPS.items()]
    write_system_file(root, "/etc/group", "\n".join([*lines, ""]))


def make_raspberry_pi(root: Path, **changes: object) -> Computer:
    """Makes a Raspberry Pi with all that `WIRING_TEXT` needs; `changes` are fields of `Computer`."""
    write_system_file(root, "/proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    write_system_file(root, "/etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian\n')
    write_system_file(root, "/proc/sys/kernel/osrelease", "6.12.25+rpt-rpi-2712\n")
    write_system_file(
        root, "/etc/passwd", f"root:x:0:0::/root:/bin/sh\naki:x:{USER_ID}:{USER_ID}::/home/aki:/bin/sh\n"
    )
    set_user_groups(root, *GROUPS)
    write_system_file(root, "/dev/spidev0.0")
    write_system_file(root, "/dev/spidev0.1")
    write_system_file(root, "/sys/class/thermal/thermal_zone0/temp", "48312\n")
    write_system_file(
        root, "/proc/self/mounts", "/dev/mmcblk0p2 / ext4 rw 0 0\ntmpfs /tmp/elsewhere tmpfs rw 0 0\n"
    )
    install_package(root, DISTRIBUTION_NAME, "0.1.0", COMPANION_REQUIREMENTS)
    for name, version in INSTALLED_VERSIONS.items():
        install_package(root, name, version)
    (root / "state").mkdir()
    seconds = itertools.count(step=0.004)
    host = Computer(
        machine=Machine(
            lambda: {"/dev/gpiochip0": "pinctrl-rp1"},
            root,
            has_package=lambda _: True,
            pin_holders=dict[int, str],
            install_python="/srv/companion/.venv/bin/python",
        ),
        state_directory=root / "state",
        wiring_file=write_system_file(root, "/etc/companion/hardware.toml", WIRING_TEXT),
        package_folders=[str(root / "site")],
        environ={},
        python_version="3.13.2",
        pointer_bits=64,
        built_at=BUILD_TIME,
        now=lambda: BUILD_TIME + 1000,
        is_time_known=lambda: True,
        monotonic_seconds=lambda: next(seconds),
        throttling_report=lambda: "throttled=0x0",
    )
    return replace(host, **changes)
