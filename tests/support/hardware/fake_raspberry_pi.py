"""A Raspberry Pi 5 made of files in a folder, for the doctor: well, until a test breaks something."""

from __future__ import annotations

import itertools
from pathlib import Path

from msgspec.structs import replace

from companion.distribution import DISTRIBUTION_NAME
from hardware.doctor import Computer
from hardware.doctor.machine import Machine

UID = 1000
BUILT = 1_700_000_000.0
GROUPS = {"gpio": 993, "spi": 994, "dialout": 20, "input": 101, "video": 44, "render": 105}
REQUIRES = """\
Requires-Python: <3.14,>=3.11
Requires-Dist: gpiod>=2.3; sys_platform == "linux"
Requires-Dist: gpiozero>=2.0.1.post3
Requires-Dist: kivy==2.3.1
Requires-Dist: evdev>=1.6; extra == "numpads"
Requires-Dist: spidev>=3.6; extra == "rfid"
"""
INSTALLED = {
    "gpiod": "2.5.0",
    "gpiozero": "2.0.1.post3",
    "Kivy": "2.3.1",
    "spidev": "3.6",
    "mfrc522": "0.0.7",
}
TOPS = {"mfrc522-python": "mfrc522"}
WIRED = """\
[[buttons]]
seat = 1
tap = "GPIO17"

[[reader]]
zone = "market"
spi = "/dev/spidev0.0"
"""


def write(root: Path, path: str, text: str = "") -> Path:
    """A file of the system."""
    file = root / path.lstrip("/")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def install(root: Path, name: str, version: str, says: str = "", *, lists_files: bool = True) -> None:
    """A package as pip leaves it, or as Debian does, which keeps no list of its files."""
    folder = f"/site/{name.replace('-', '_')}-{version}.dist-info"
    write(root, f"{folder}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n{says}")
    top = TOPS.get(name, name)
    if lists_files:
        write(root, f"/site/{top}/__init__.py", "")
        write(root, f"{folder}/RECORD", f"{top}/__init__.py,,\n")
    else:
        write(root, f"{folder}/top_level.txt", f"{top}\n")


def member(root: Path, *groups: str, now: bool = True) -> None:
    """The user is in these groups and no other; `now`: since before this session began."""
    numbers = " ".join(str(GROUPS[group]) for group in groups) if now else ""
    write(
        root, "/proc/self/status", f"Name:\tpython3\nUid:\t{UID}\t{UID}\nGid:\t{UID}\nGroups:\t{numbers} \n"
    )
    lines = [f"{name}:x:{number}:{'aki' if name in groups else ''}" for name, number in GROUPS.items()]
    write(root, "/etc/group", "\n".join([*lines, ""]))


def raspberry_pi(root: Path, **otherwise: object) -> Computer:
    """One that has all that WIRED needs; `otherwise` are fields of `Computer`."""
    write(root, "/proc/device-tree/model", "Raspberry Pi 5 Model B Rev 1.0\0")
    write(root, "/etc/os-release", 'PRETTY_NAME="Debian GNU/Linux 13 (trixie)"\nID=debian\n')
    write(root, "/proc/sys/kernel/osrelease", "6.12.25+rpt-rpi-2712\n")
    write(root, "/etc/passwd", f"root:x:0:0::/root:/bin/sh\naki:x:{UID}:{UID}::/home/aki:/bin/sh\n")
    member(root, *GROUPS)
    write(root, "/dev/spidev0.0")
    write(root, "/dev/spidev0.1")
    write(root, "/sys/class/thermal/thermal_zone0/temp", "48312\n")
    write(root, "/proc/self/mounts", "/dev/mmcblk0p2 / ext4 rw 0 0\ntmpfs /tmp/elsewhere tmpfs rw 0 0\n")
    install(root, DISTRIBUTION_NAME, "0.1.0", REQUIRES)
    for name, version in INSTALLED.items():
        install(root, name, version)
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
        wiring_file=write(root, "/etc/companion/hardware.toml", WIRED),
        package_folders=[str(root / "site")],
        environ={},
        python_version="3.13.2",
        pointer_bits=64,
        built_at=BUILT,
        now=lambda: BUILT + 1000,
        is_time_known=lambda: True,
        monotonic_seconds=lambda: next(seconds),
        throttling_report=lambda: "throttled=0x0",
    )
    return replace(host, **otherwise)
