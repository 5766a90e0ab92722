"""A file system that forgets at a power cut what nobody has synced, for the tests of the store.

`recorded(program, state)` runs a program under strace and gives what it wrote, synced and told, in order;
`Disk` does the same things once more, and `Disk.cut` makes a folder as the power cut may leave it; `cuts`
does so at random moments.

What was synced is there, and of the rest anything: each write whole, torn by sectors, or not at all, later
ones too where sooner ones are lost; of the names in a directory those of some moment since it was synced. To
sync a file does not keep its name. That is less than ext4 promises.
"""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

SECTOR = 512
CALLS = (
    "write,pwrite64,writev,pwritev,pwritev2,fsync,fdatasync,sync_file_range,ftruncate,truncate,openat,creat,mkdir,"
    "mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,link,linkat,fallocate,copy_file_range,sendfile"
)
CALL = re.compile(r"^\d+ +(?P<name>\w+)\((?P<rest>.*)\) += (?P<result>-?\d+)")
STRING = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
FILE = re.compile(r"^(?P<fd>\d+)<(?P<path>[^>]*)>")


class Deed(msgspec.Struct, frozen=True):
    """`make` or `drop` a file, `mkdir`, `rename` to `other`; `write`, `cut` to a size, `sync`; or `tell`."""

    what: str
    path: str = ""
    other: str = ""
    at: int = 0
    content: bytes = b""


def recorded(program: Sequence[str], state: Path) -> list[Deed]:
    """What a program did in a directory that isn't there yet; raises OSError where nobody may look."""
    trace = state.with_name("trace")
    strace = ["strace", "-f", "-y", "-qq", "-xx", "-s", "1000000", "-e", f"trace={CALLS}", "-o", str(trace)]
    ran = subprocess.run([*strace, *program], capture_output=True, check=False)
    if ran.returncode:
        raise OSError(ran.stderr.decode(errors="replace").strip())
    found: list[Deed] = []
    for line in trace.read_text().splitlines():
        assert "unfinished" not in line, "two threads write"
        call = CALL.match(line)
        if call and not call["result"].startswith("-"):
            found += _deeds(call["name"], call["rest"], str(state))
    trace.unlink()
    return found


def written(state: Path) -> Iterator[Deed]:
    """What it took to write a directory that is there, every bit of it synced."""
    yield from (Deed("mkdir", str(state)), Deed("sync", str(state.parent)))
    for path in sorted(state.iterdir()):
        if path.is_dir():
            yield from written(path)
        else:
            yield Deed("make", str(path))
            yield Deed("write", str(path), content=path.read_bytes())
            yield Deed("sync", str(path))
    yield Deed("sync", str(state))


def _deeds(name: str, rest: str, state: str) -> Iterator[Deed]:
    """What one call did, if it was there, or told."""
    texts = [_bytes(text) for text in STRING.findall(rest)]
    file = FILE.match(rest)
    path = os.fsdecode(_bytes(file["path"]) if file else texts[0])
    if file and file["fd"] == "1":
        yield from (Deed("tell", content=line) for line in texts[0].splitlines() if line)
    elif path == str(Path(state).parent) or path.startswith(state):
        yield from _deed(name, rest, path, texts)


def _deed(name: str, rest: str, path: str, texts: Sequence[bytes]) -> Iterator[Deed]:
    numbers = [int(number) for number in re.findall(r", (\d+)", rest)]
    match name:
        case "openat" if "O_CREAT" in rest or "O_TRUNC" in rest:
            yield Deed("make", path, at=int("O_TRUNC" in rest))
        case "pwrite64":
            yield Deed("write", path, at=numbers[-1], content=texts[0])
        case "ftruncate":
            yield Deed("cut", path, at=numbers[-1])
        case "fsync" | "fdatasync":
            yield Deed("sync", path)
        case "mkdir":
            yield Deed("mkdir", path)
        case "unlink":
            yield Deed("drop", path)
        case "rename":
            yield Deed("rename", path, os.fsdecode(texts[1]))
        case "openat":
            pass
        case _:
            raise AssertionError(f"nobody has said what {name} does")


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


class File:
    """What was done to a file or to the names in a directory, and how much of it was synced."""

    def __init__(self) -> None:
        self.deeds: list[Deed] = []
        self.synced = 0

    def left(self, rng: random.Random) -> Iterator[Deed]:
        """The deeds of which a cut left something, whole or torn; several cuts in a row are alike."""
        yield from self.deeds[: self.synced]
        share = rng.choice((0.0, 0.5, 0.9, 1.0))
        for deed in self.deeds[self.synced :]:
            if rng.random() < share:
                yield deed
            elif deed.what == "write" and rng.random() < share:
                yield from _torn(deed, rng)

    def content(self, rng: random.Random) -> bytes:
        """What a cut leaves in a file."""
        content = bytearray()
        for deed in self.left(rng):
            if deed.what == "cut":
                del content[deed.at :]
                content += bytes(deed.at - len(content))
            else:
                content += bytes(max(0, deed.at - len(content)))
                content[deed.at : deed.at + len(deed.content)] = deed.content
        return bytes(content)


def _torn(deed: Deed, rng: random.Random) -> Iterator[Deed]:
    """Some of the sectors of a write."""
    at, end = deed.at, deed.at + len(deed.content)
    while at < end:
        border = min(end, (at // SECTOR + 1) * SECTOR)
        if rng.random() < 0.5:
            yield Deed("write", deed.path, at=at, content=deed.content[at - deed.at : border - deed.at])
        at = border


class Directory(File):
    """A directory: its names, and what they stood for when they were given."""

    def __init__(self) -> None:
        super().__init__()
        self.names: dict[str, File] = {}
        self.moments: list[dict[str, File]] = [{}]

    def note(self) -> None:
        """The names have changed."""
        self.moments.append(dict(self.names))

    def lay(self, folder: Path, rng: random.Random) -> None:
        """The names of some moment since it was synced, and what is in them."""
        folder.mkdir()
        for name, file in rng.choice(self.moments).items():
            if isinstance(file, Directory):
                file.lay(folder / name, rng)
            else:
                (folder / name).write_bytes(file.content(rng))


class Disk:
    """The directory in which `state` is made, empty at first; `do` each deed, then `cut`."""

    def __init__(self, state: Path) -> None:
        self._root = state.parent
        self._top = Directory()
        self.told: list[str] = []
        self._ways: dict[str, Callable[[Deed], None]] = {
            "make": self._make,
            "mkdir": self._make,
            "drop": self._drop,
            "rename": self._rename,
            "write": self._change,
            "cut": self._change,
            "sync": self._sync,
            "tell": lambda deed: self.told.append(deed.content.decode()),
        }

    def do(self, deed: Deed) -> None:
        """One more deed."""
        self._ways[deed.what](deed)

    def cut(self, folder: Path, rng: random.Random) -> None:
        """The power goes, and comes back: what is left, in a folder that isn't there yet."""
        self._top.lay(folder, rng)

    def _at(self, path: str) -> File:
        found: File = self._top
        for name in Path(path).relative_to(self._root).parts:
            assert isinstance(found, Directory)
            found = found.names[name]
        return found

    def _directory(self, path: str) -> tuple[Directory, str]:
        found = self._at(str(Path(path).parent))
        assert isinstance(found, Directory)
        return found, Path(path).name

    def _make(self, deed: Deed) -> None:
        directory, name = self._directory(deed.path)
        if name not in directory.names:
            directory.names[name] = Directory() if deed.what == "mkdir" else File()
            directory.note()
        elif deed.at:
            directory.names[name].deeds.append(Deed("cut", deed.path))

    def _drop(self, deed: Deed) -> None:
        directory, name = self._directory(deed.path)
        del directory.names[name]
        directory.note()

    def _rename(self, deed: Deed) -> None:
        source, name = self._directory(deed.path)
        target, other = self._directory(deed.other)
        assert source is target, "nobody moves files from one directory to another"
        source.names[other] = source.names.pop(name)
        source.note()

    def _change(self, deed: Deed) -> None:
        self._at(deed.path).deeds.append(deed)

    def _sync(self, deed: Deed) -> None:
        file = self._at(deed.path)
        file.synced = len(file.deeds)
        if isinstance(file, Directory):
            del file.moments[:-1]


def cuts(
    state: Path, deeds: Sequence[Deed], count: int, folder: Path, *, after: int = 0, seed: object = None
) -> Iterator[Disk]:
    """Yields `count` states that a cut leaves of the deeds in a folder `state`, each in its own folder."""
    rng = random.Random(f"{count} {seed}" if seed is not None else count)
    disk, done = Disk(state), 0
    for moment in sorted(rng.sample(range(after, len(deeds)), min(count, len(deeds) - after))):
        for deed in deeds[done:moment]:
            disk.do(deed)
        done = moment
        shutil.rmtree(folder, ignore_errors=True)
        disk.cut(folder, rng)
        yield disk
