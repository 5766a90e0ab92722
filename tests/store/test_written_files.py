"""All files are written by one function: under a new name that nobody guesses, then moved into place."""

from __future__ import annotations

import ast
import fcntl
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.files.regular_files import (
    UNFINISHED_FILE_NAME_PATTERN,
    open_replacement,
    open_temporary_file,
    remove_unfinished_files,
    replace_file,
)
from companion.store import Store
from tests.support.program import COMPANION, run_companion
from tests.support.sealed_bid_games import begin_game, seal_bid

ROOT = Path(__file__).parents[2]
HOME = "companion/files/regular_files.py"
EXCEPTIONS = {
    "companion/cli.py: open": "/dev/null takes the place of a pipe that nobody reads any more",
    "companion/files/user_files.py: write_text": "a pipe or a device that people named is written to",
    "companion/store/state_files.py: open": "the lock must stay the same file; it holds nothing",
    "companion/store/database.py: connect": "SQLite writes them; ensure_private_file makes them first",
    "companion/store/archive.py: connect": "into a temporary file, or the part that unpacking has made",
    "companion/store/archive.py: ZipFile": "it writes into the file of open_replacement",
    "companion/store/archive.py: open": "it writes into the archive of open_replacement",
    "hardware/backlight.py: write_text": "the brightness of the panel, in a file of the kernel",
    "hardware/commands/update.py: copyfileobj": "into the file that the next line tells of",
    "hardware/commands/update.py: mkdir": "a release is for all who use this machine",
    "hardware/commands/update.py: open": "root unpacks it into its own directory, for all to read",
    "hardware/simulated/keypads.py: symlink_to": "the name of a simulated serial port",
}
"""Where else something is opened for writing: file and call, and why."""

ALWAYS = {
    *("write_text", "write_bytes", "extractall", "extract", "symlink_to", "hardlink_to", "mkdir", "makedirs"),
    *("mkstemp", "NamedTemporaryFile", "TemporaryFile", "SpooledTemporaryFile"),
    *(
        "shutil.copy",
        "shutil.copy2",
        "shutil.copyfile",
        "shutil.copytree",
        "shutil.copyfileobj",
        "shutil.move",
    ),
    *("os.symlink", "os.link", "os.mknod", "os.mkfifo", "os.truncate"),
}
"""Calls that write a file or make a directory or a link, whatever they are given."""
OF_A_MODE = {"open", "fdopen", "FileIO", "ZipFile", "TarFile", "PyZipFile", "GzipFile"}
WRITES = re.compile(r"[wax+]")
FLAGS = {"O_WRONLY", "O_RDWR", "O_CREAT", "O_TRUNC", "O_APPEND"}


def called(call: ast.Call) -> str:
    """The last name of what is called."""
    match call.func:
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def writes(call: ast.Call) -> bool:
    """Whether a call opens a file for writing, or may."""
    name, whole = called(call), ast.unparse(call.func)
    given = [*call.args, *(each.value for each in call.keywords)]
    if name in ALWAYS or whole in ALWAYS:
        return True
    if name == "touch":  # of a path; a finger touches something
        return not any(
            isinstance(each, ast.Name | ast.Call | ast.Subscript | ast.Attribute) for each in call.args
        )
    if whole == "sqlite3.connect":
        return ast.unparse(call.args[0]) != "':memory:'"
    if name not in OF_A_MODE:
        return False
    words = [each.value for each in given if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    flags = {each.attr for one in given for each in ast.walk(one) if isinstance(each, ast.Attribute)}
    return any(len(word) < 4 and WRITES.search(word) for word in words) or bool(flags & FLAGS)


def found(root: Path) -> Iterator[str]:
    """Each place of the program that opens a file for writing."""
    for folder in ("companion", "hardware", "ui"):
        for file in sorted((root / folder).rglob("*.py")):
            name = str(file.relative_to(root))
            if name != HOME and not name.startswith("hardware/firmware/"):  # that runs on the keypad
                tree = ast.parse(file.read_text(encoding="utf-8"))
                calls = (each for each in ast.walk(tree) if isinstance(each, ast.Call))
                yield from (f"{name}: {called(call)}" for call in calls if writes(call))


def test_one_function_writes_all_files() -> None:
    """Nothing else in the program opens a file for writing or makes a directory, but for listed reasons."""
    assert sorted(set(found(ROOT))) == sorted(EXCEPTIONS)


@pytest.mark.parametrize(
    "line",
    [
        "open(path, 'w')",
        "path.open('ab')",
        "path.open(mode='x')",
        "path.write_bytes(b'')",
        "path.touch()",
        "path.mkdir()",
        "os.open(path, os.O_WRONLY | flags)",
        "os.open(path, flags=O | os.O_CREAT)",
        "zipfile.ZipFile(file, 'w')",
        "shutil.copy(a, b)",
        "sqlite3.connect(path)",
        "tempfile.NamedTemporaryFile()",
    ],
)
def test_no_way_to_write_is_overlooked(tmp_path: Path, line: str) -> None:
    """The look-out sees each way that Python has; it doesn't take a reader for a writer."""
    (tmp_path / "ui").mkdir()
    (tmp_path / "ui/x.py").write_text(
        f"{line}\nopen(path); path.open('rb'); os.open(path, os.O_RDONLY); d.copy()\n"
    )
    assert len(list(found(tmp_path))) == 1


# The function


def test_nothing_is_written_through_what_lies_there(tmp_path: Path) -> None:
    """A link at the place of a file is replaced, and stays no way to what it led to."""
    (tmp_path / "games").write_text("live")
    (tmp_path / "copy").symlink_to("games")
    replace_file(tmp_path / "copy", b"new")
    assert (tmp_path / "games").read_text() == "live"
    assert (tmp_path / "copy").read_bytes() == b"new"
    assert not (tmp_path / "copy").is_symlink()


def test_what_fails_half_way_leaves_nothing(tmp_path: Path) -> None:
    """The old file is still there, and nothing beside it."""
    replace_file(tmp_path / "file", b"old")

    def half() -> None:
        with open_replacement(tmp_path / "file") as file:
            file.write(b"ne")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        half()
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"file": b"old"}


def test_leftovers_are_deleted_and_nothing_else(tmp_path: Path) -> None:
    """A file that was cut off goes; one that is being written stays, and any that is called otherwise."""
    left, other = tmp_path / f".companion-{'0' * 32}.part", tmp_path / ".companion.part"
    with open_temporary_file(tmp_path) as (new, _):
        left.write_text("half")
        other.write_text("theirs")
        assert UNFINISHED_FILE_NAME_PATTERN.fullmatch(new.name)
        remove_unfinished_files(tmp_path)
        assert set(tmp_path.iterdir()) == {new, other}
    assert list(tmp_path.iterdir()) == [other]
    remove_unfinished_files(tmp_path / "absent")


def test_a_file_that_is_taken_for_a_leftover_is_made_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another program may remove leftovers after a file was made and before it is locked."""
    lock = fcntl.flock

    def lock_late(file: Any, operation: int) -> None:
        if not operation & fcntl.LOCK_NB:
            monkeypatch.setattr(fcntl, "flock", lock)
            remove_unfinished_files(tmp_path)
        lock(file, operation)

    monkeypatch.setattr(fcntl, "flock", lock_late)
    replace_file(tmp_path / "file", b"whole")
    assert fcntl.flock is lock
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"file": b"whole"}


CALL = re.compile(r"^\d+ +(?P<name>\w+)\((?P<rest>.*)\) += (?P<result>\d+)(?:<(?P<opened>[^>]*)>)?")
PATH = re.compile(r'"([^"]*)"|<([^>]*)>')


def moved(trace: Path) -> Iterator[tuple[str, list[str]]]:
    """Each file that was moved into place, and what was done to its new name and its directory, in order."""
    did: dict[str, list[str]] = {}
    there: dict[str, list[str]] = {}
    for line in trace.read_text(errors="replace").splitlines():
        call = CALL.match(line)
        if call is None:
            continue
        paths = [first or second for first, second in PATH.findall(call["rest"])]
        if call["name"] == "openat" and "O_CREAT" in call["rest"]:
            sure = {"O_EXCL", "O_NOFOLLOW", "0600"} <= set(re.findall(r"\w+", call["rest"]))
            did[call["opened"]] = ["made" if sure else "opened"]
        elif call["name"] == "fsync" and paths:
            did.get(paths[0], []).append("synced")
            for name, deeds in there.items():
                if str(Path(name).parent) == paths[0]:
                    deeds.append("name synced")
        elif call["name"].startswith("rename") and UNFINISHED_FILE_NAME_PATTERN.fullmatch(
            Path(paths[0]).name
        ):
            there[paths[-1]] = [*did.pop(paths[0], []), "moved"]
    yield from there.items()


@pytest.mark.without_coverage
@pytest.mark.needs("strace")
@pytest.mark.parametrize(
    ("command", "file"),
    [
        (["backup", "HERE/kept.zip"], "kept.zip"),
        (["export", "1", "--out", "HERE/sheet.txt"], "sheet.txt"),
        (["cards", "export", "egypt", "HERE/cards.toml"], "cards.toml"),
        (["log", "1"], "sealed_bid-1.log"),
    ],
)
def test_a_file_and_its_name_are_on_the_disk(tmp_path: Path, command: list[str], file: str) -> None:
    """The new file is made by nobody else, synced, moved into place, and then its directory is synced."""
    state, trace = tmp_path / "state", tmp_path / "trace"
    store = Store.open(state, for_writing=True)
    seal_bid(begin_game(store), "Aki", 5)
    store.close()
    strace = ["strace", "-f", "-y", "-qq", "-s", "1000", "-e", "trace=openat,fsync,rename,renameat,renameat2"]
    words = [word.replace("HERE", str(tmp_path)) for word in command]
    done = subprocess.run(
        [*strace, "-o", str(trace), COMPANION, *words, "--state", str(state)],
        capture_output=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    found = {Path(name).name: deeds for name, deeds in moved(trace)}
    assert found[file][:3] == ["made", "synced", "moved"]
    assert "name synced" in found[file]


def test_a_copy_is_written_through_nothing(tmp_path: Path) -> None:
    """What lies beside the copy's name, such as a link to the games, is left alone."""
    state = tmp_path / "state"
    store = Store.open(state, for_writing=True)
    seal_bid(begin_game(store), "Aki", 5)
    store.close()
    before = (state / "companion.sqlite3").read_bytes()
    for name in (".kept.zip.part", "kept.zip.part", "kept.zip.new"):
        (tmp_path / name).symlink_to(state / "companion.sqlite3")
    assert run_companion(["backup", str(tmp_path / "kept.zip")], state).returncode == 0
    assert (state / "companion.sqlite3").read_bytes() == before
    assert (tmp_path / "kept.zip").stat().st_size > 0
    assert not (tmp_path / "kept.zip").is_symlink()
