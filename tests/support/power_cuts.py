"""Simulates power cuts on a file system that loses what nobody has synced, for the tests of the store.

`record_operations(program, state)` runs a program under strace and returns what it wrote, synced and printed,
in order. `SimulatedDisk` repeats these operations, and `SimulatedDisk.cut_power` makes a folder as a power
cut may leave it. `simulate_power_cuts` does this at random moments.

All synced data survives a power cut. Each later write may be whole, torn by sectors, or lost, even if a
still later write survives. A directory has its names of some moment since it was synced; syncing a file
doesn't save its name. That is less than ext4 promises.
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
TRACED_CALLS = (
    "write,pwrite64,writev,pwritev,pwritev2,fsync,fdatasync,sync_file_range,ftruncate,truncate,openat,creat,mkdir,"
    "mkdirat,rename,renameat,renameat2,unlink,unlinkat,rmdir,link,linkat,fallocate,copy_file_range,sendfile"
)
CALL_LINE = re.compile(r"^\d+ +(?P<name>\w+)\((?P<rest>.*)\) += (?P<result>-?\d+)")
STRING_ARGUMENT = re.compile(r'"((?:\\x[0-9a-f]{2})*)"')
FILE_ARGUMENT = re.compile(r"^(?P<fd>\d+)<(?P<path>[^>]*)>")


class DiskOperation(msgspec.Struct, frozen=True):
    """One operation of a program.

    `kind` is `make`, `mkdir`, `drop`, `rename` (to `new_path`), `write`, `truncate` (to `offset`), `sync`, or
    `print` for a line of output.
    """

    kind: str
    path: str = ""
    new_path: str = ""
    offset: int = 0
    content: bytes = b""


def record_operations(program: Sequence[str], state: Path) -> list[DiskOperation]:
    """Runs a program that makes the directory `state`; raises OSError if strace isn't allowed."""
    trace = state.with_name("trace")
    strace = [
        "strace",
        "-f",
        "-y",
        "-qq",
        "-xx",
        "-s",
        "1000000",
        "-e",
        f"trace={TRACED_CALLS}",
        "-o",
        str(trace),
    ]
    run = subprocess.run([*strace, *program], capture_output=True, check=False)
    if run.returncode:
        raise OSError(run.stderr.decode(errors="replace").strip())
    found: list[DiskOperation] = []
    for line in trace.read_text().splitlines():
        assert "unfinished" not in line, "two threads write"
        call = CALL_LINE.match(line)
        if call and not call["result"].startswith("-"):
            found += _operations_of_call(call["name"], call["rest"], str(state))
    trace.unlink()
    return found


def operations_that_write(state: Path) -> Iterator[DiskOperation]:
    """Yields operations that write an existing directory, all of it synced."""
    yield from (DiskOperation("mkdir", str(state)), DiskOperation("sync", str(state.parent)))
    for path in sorted(state.iterdir()):
        if path.is_dir():
            yield from operations_that_write(path)
        else:
            yield DiskOperation("make", str(path))
            yield DiskOperation("write", str(path), content=path.read_bytes())
            yield DiskOperation("sync", str(path))
    yield DiskOperation("sync", str(state))


def _operations_of_call(name: str, arguments: str, state: str) -> Iterator[DiskOperation]:
    """Yields the operations of one system call, if it works in the directory or prints."""
    strings = [_bytes(text) for text in STRING_ARGUMENT.findall(arguments)]
    file = FILE_ARGUMENT.match(arguments)
    path = os.fsdecode(_bytes(file["path"]) if file else strings[0])
    if file and file["fd"] == "1":
        yield from (DiskOperation("print", content=line) for line in strings[0].splitlines() if line)
    elif path == str(Path(state).parent) or path.startswith(state):
        yield from _disk_operations(name, arguments, path, strings)


def _disk_operations(
    name: str, arguments: str, path: str, strings: Sequence[bytes]
) -> Iterator[DiskOperation]:
    numbers = [int(number) for number in re.findall(r", (\d+)", arguments)]
    match name:
        case "openat" if "O_CREAT" in arguments or "O_TRUNC" in arguments:
            yield DiskOperation("make", path, offset=int("O_TRUNC" in arguments))
        case "pwrite64":
            yield DiskOperation("write", path, offset=numbers[-1], content=strings[0])
        case "ftruncate":
            yield DiskOperation("truncate", path, offset=numbers[-1])
        case "fsync" | "fdatasync":
            yield DiskOperation("sync", path)
        case "mkdir":
            yield DiskOperation("mkdir", path)
        case "unlink":
            yield DiskOperation("drop", path)
        case "rename":
            yield DiskOperation("rename", path, os.fsdecode(strings[1]))
        case "openat":
            pass
        case _:
            raise AssertionError(f"the simulation doesn't know the system call {name}")


def _bytes(text: str) -> bytes:
    return bytes.fromhex(text.replace("\\x", ""))


class SimulatedFile:
    """The operations on a file, and how many of them are synced."""

    def __init__(self) -> None:
        self.operations: list[DiskOperation] = []
        self.synced_count = 0

    def surviving_operations(self, rng: random.Random) -> Iterator[DiskOperation]:
        """Yields the operations that survive a power cut, whole or torn.

        The survival rate is the same for all operations of one cut.
        """
        yield from self.operations[: self.synced_count]
        share = rng.choice((0.0, 0.5, 0.9, 1.0))
        for operation in self.operations[self.synced_count :]:
            if rng.random() < share:
                yield operation
            elif operation.kind == "write" and rng.random() < share:
                yield from _torn_write(operation, rng)

    def surviving_content(self, rng: random.Random) -> bytes:
        """Returns the content of the file after a power cut."""
        content = bytearray()
        for operation in self.surviving_operations(rng):
            if operation.kind == "truncate":
                del content[operation.offset :]
                content += bytes(operation.offset - len(content))
            else:
                content += bytes(max(0, operation.offset - len(content)))
                content[operation.offset : operation.offset + len(operation.content)] = operation.content
        return bytes(content)


def _torn_write(operation: DiskOperation, rng: random.Random) -> Iterator[DiskOperation]:
    """Yields some of the sectors of a write."""
    position, end = operation.offset, operation.offset + len(operation.content)
    while position < end:
        sector_end = min(end, (position // SECTOR + 1) * SECTOR)
        if rng.random() < 0.5:
            yield DiskOperation(
                "write",
                operation.path,
                offset=position,
                content=operation.content[position - operation.offset : sector_end - operation.offset],
            )
        position = sector_end


class SimulatedDirectory(SimulatedFile):
    """A directory: its current names, and each listing since it was last synced."""

    def __init__(self) -> None:
        super().__init__()
        self.file_by_name: dict[str, SimulatedFile] = {}
        self.unsynced_listings: list[dict[str, SimulatedFile]] = [{}]

    def record_listing(self) -> None:
        """Records that the names have changed."""
        self.unsynced_listings.append(dict(self.file_by_name))

    def write_survivors(self, folder: Path, rng: random.Random) -> None:
        """Writes a folder with the names of some moment since the last sync, and their surviving contents."""
        folder.mkdir()
        for name, file in rng.choice(self.unsynced_listings).items():
            if isinstance(file, SimulatedDirectory):
                file.write_survivors(folder / name, rng)
            else:
                (folder / name).write_bytes(file.surviving_content(rng))


class SimulatedDisk:
    """The parent directory of `state`, empty at first; `apply` each operation, then `cut_power`."""

    def __init__(self, state: Path) -> None:
        self._root = state.parent
        self._top = SimulatedDirectory()
        self.printed_lines: list[str] = []
        self._handler_by_kind: dict[str, Callable[[DiskOperation], None]] = {
            "make": self._make,
            "mkdir": self._make,
            "drop": self._drop,
            "rename": self._rename,
            "write": self._change,
            "truncate": self._change,
            "sync": self._sync,
            "print": lambda operation: self.printed_lines.append(operation.content.decode()),
        }

    def apply(self, operation: DiskOperation) -> None:
        """Applies one operation."""
        self._handler_by_kind[operation.kind](operation)

    def cut_power(self, folder: Path, rng: random.Random) -> None:
        """Makes `folder` with what a power cut leaves."""
        self._top.write_survivors(folder, rng)

    def _file_at(self, path: str) -> SimulatedFile:
        found: SimulatedFile = self._top
        for name in Path(path).relative_to(self._root).parts:
            assert isinstance(found, SimulatedDirectory)
            found = found.file_by_name[name]
        return found

    def _parent_and_name(self, path: str) -> tuple[SimulatedDirectory, str]:
        found = self._file_at(str(Path(path).parent))
        assert isinstance(found, SimulatedDirectory)
        return found, Path(path).name

    def _make(self, operation: DiskOperation) -> None:
        directory, name = self._parent_and_name(operation.path)
        if name not in directory.file_by_name:
            directory.file_by_name[name] = (
                SimulatedDirectory() if operation.kind == "mkdir" else SimulatedFile()
            )
            directory.record_listing()
        elif operation.offset:
            directory.file_by_name[name].operations.append(DiskOperation("truncate", operation.path))

    def _drop(self, operation: DiskOperation) -> None:
        directory, name = self._parent_and_name(operation.path)
        del directory.file_by_name[name]
        directory.record_listing()

    def _rename(self, operation: DiskOperation) -> None:
        source, name = self._parent_and_name(operation.path)
        target, new_name = self._parent_and_name(operation.new_path)
        assert source is target, "the program never moves files to another directory"
        source.file_by_name[new_name] = source.file_by_name.pop(name)
        source.record_listing()

    def _change(self, operation: DiskOperation) -> None:
        self._file_at(operation.path).operations.append(operation)

    def _sync(self, operation: DiskOperation) -> None:
        file = self._file_at(operation.path)
        file.synced_count = len(file.operations)
        if isinstance(file, SimulatedDirectory):
            del file.unsynced_listings[:-1]


def simulate_power_cuts(
    state: Path,
    operations: Sequence[DiskOperation],
    count: int,
    folder: Path,
    *,
    after: int = 0,
    seed: object = None,
) -> Iterator[SimulatedDisk]:
    """Cuts the power at `count` random moments, each time into a new `folder`, and yields the disk."""
    rng = random.Random(f"{count} {seed}" if seed is not None else count)
    disk, applied_count = SimulatedDisk(state), 0
    for moment in sorted(rng.sample(range(after, len(operations)), min(count, len(operations) - after))):
        for operation in operations[applied_count:moment]:
            disk.apply(operation)
        applied_count = moment
        shutil.rmtree(folder, ignore_errors=True)
        disk.cut_power(folder, rng)
        yield disk
