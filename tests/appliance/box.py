"""A Debian with systemd as its init, in namespaces of its own: `scripts/boot.sh`, and what is done in it."""

from __future__ import annotations

import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

ROOT = Path(__file__).parents[2]
CACHE = Path.home() / ".cache/companion/roots"
PATIENCE = 300.0
"""Seconds until something that never comes is given up."""
FETCHING = 1800.0
"""Seconds for the first boot of all, which fetches a whole Debian."""
DROP_IN = """\
# Neither a virtual terminal nor a panel is in here: it draws into memory.
[Service]
StandardInput=null
TTYPath=
TTYReset=no
TTYVHangup=no
Environment=SDL_VIDEODRIVER=offscreen
"""
STATE = "/var/lib/companion"
INSTALL = "/srv/companion/scripts/install.sh"
PLACES = ["--mount", "--net", "--pid", "--uts", "--ipc", "--cgroup", "--root", "--wd"]


def missing() -> str:
    """Why no machine can be booted here; empty where one can."""
    if os.geteuid() != 0:
        return "only root can boot a machine in namespaces"
    return "" if shutil.which("apt-get") and shutil.which("unshare") else "apt-get and unshare are needed"


def until(check: Callable[[], object], what: str, patience: float = PATIENCE) -> float:
    """Waits until that is so; gives how many seconds it took."""
    begun = time.monotonic()
    while not check():
        assert time.monotonic() - begun < patience, f"it never came to that: {what}"
        select.select([], [], [], 0.05)
    return time.monotonic() - begun


def _says(process: Path, words: tuple[bytes, ...]) -> bool:
    try:
        said = (process / "cmdline").read_bytes()
    except OSError:
        return False
    return any(word in said for word in words)


class Box:
    """`with Box("trixie") as box: box.run("systemctl", "is-system-running")`."""

    def __init__(self, suite: str) -> None:
        self._suite = suite
        self._work = Path(tempfile.mkdtemp(prefix="companion-box-"))
        self.root = self._work / "root"
        self._init = 0

    def __enter__(self) -> Self:
        CACHE.mkdir(parents=True, exist_ok=True)
        self._starts()
        folder = self.root / "etc/systemd/system/companion.service.d"
        folder.mkdir(parents=True)
        (folder / "box.conf").write_text(DROP_IN)
        return self

    def __exit__(self, *_: object) -> None:
        self._pull_the_plug()
        shutil.rmtree(self._work)

    def _starts(self, **told: str) -> None:
        self._boot = subprocess.Popen(
            [ROOT / "scripts/boot.sh", self._suite, self._work],
            env={**os.environ, "FRESH_CACHE": str(CACHE), **told},
            stdout=subprocess.DEVNULL,
            start_new_session=True,
        )
        until(self._is_up, "systemd runs", FETCHING)

    def _pull_the_plug(self) -> None:
        os.kill(self._init, signal.SIGKILL)
        self._boot.wait(PATIENCE)

    def starts_again(self, stick: Path | None = None, *, in_own_network: bool = False) -> None:
        """The plug is pulled and put in again; with a stick nothing but that keeps what is written."""
        self._pull_the_plug()
        told = {} if stick is None else {"READ_ONLY": str(stick)}
        self._starts(**told, **({"OWN_NETWORK": "yes"} if in_own_network else {}))

    def sets_up_network(self, *words: str) -> None:
        """Runs `ip` of this machine in the network of the box."""
        subprocess.run(["nsenter", "--target", str(self._init), "--net", "ip", *words], check=True)

    def _is_up(self) -> bool:
        assert self._boot.poll() is None, "it doesn't boot"
        children = Path(f"/proc/{self._boot.pid}/task/{self._boot.pid}/children")
        found = children.read_text().split()
        if not found or Path(f"/proc/{found[0]}/comm").read_text().strip() != "systemd":
            return False
        self._init = int(found[0])
        return self.run("systemctl", "is-system-running").stdout.strip() in {"running", "degraded"}

    def started(self, *words: str, **how: Any) -> subprocess.Popen[str]:
        """A program in there, as root."""
        told = (self._work / "settings").read_bytes().split(b"\0")
        settings = [os.fsdecode(each) for each in told if each]
        path = "PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        command = [
            "nsenter",
            "--target",
            str(self._init),
            *PLACES,
            "env",
            "-i",
            *settings,
            path,
            "HOME=/root",
        ]
        return subprocess.Popen([*command, "LANG=C.UTF-8", *words], text=True, **how)

    def run(self, *words: str, said: str | None = None) -> subprocess.CompletedProcess[str]:
        """Runs a command in the box to its end."""
        pipe = subprocess.PIPE
        program = self.started(*words, stdin=pipe, stdout=pipe, stderr=pipe)
        out, err = program.communicate(said, PATIENCE)
        return subprocess.CompletedProcess(words, program.returncode, out, err)

    def does(self, *words: str, said: str | None = None) -> str:
        """Runs a command in the box, which must succeed; returns what it printed."""
        done = self.run(*words, said=said)
        assert done.returncode == 0, f"{words}: {done.stdout[-2000:]}{done.stderr[-2000:]}"
        return done.stdout

    def installs(self, *words: str) -> subprocess.CompletedProcess[str]:
        """The installation from the clone in there."""
        return self.run(INSTALL, *words)

    def shown(self, name: str) -> str:
        """A property of the service, as systemd has it."""
        return self.does("systemctl", "show", "--property", name, "--value", "companion").strip()

    @property
    def pid(self) -> int:
        """The number of the service's process in there; 0: it doesn't run."""
        return int(self.shown("MainPID"))

    def outside(self, pid: int) -> int:
        """The number out here of a process in there."""
        for process in self._inside():
            with suppress(OSError, StopIteration):  # it has ended meanwhile
                lines = (process / "status").read_text().splitlines()
                numbers = next(line for line in lines if line.startswith("NSpid:"))
                if numbers.split()[2:] == [str(pid)]:
                    return int(process.name)
        raise ProcessLookupError(pid)

    def kill(self, *words: bytes) -> None:
        """Every process in there that has one of these words is gone, whoever began others first."""
        while found := [int(process.name) for process in self._inside() if _says(process, words)]:
            for process in sorted(found):
                with suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)

    def _inside(self) -> Iterator[Path]:
        namespace = Path(f"/proc/{self._init}/ns/pid").readlink()
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if (process / "ns/pid").readlink() == namespace:
                    yield process

    def plays(self, *lines: str, game: str = "", seats: str = "") -> list[str]:
        """A game in JSON lines by the service's own user; a new one if it is told who plays."""
        party = ["--seats", seats] if seats else ["--resume"]
        command = [
            "runuser",
            "-u",
            "companion",
            "--",
            "/usr/local/bin/companion",
            "play",
            game,
            "--json",
            *party,
        ]
        return self.does(*command, "--state", STATE, said="".join(f"{line}\n" for line in lines)).splitlines()
