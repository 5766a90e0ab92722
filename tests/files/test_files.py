"""Files that people name: whole or not at all, and never through somebody else's link."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from companion.errors import UserError
from companion.files import user_files
from tests.support.disks import write_without_space

OWNER_ONLY = 0o600


def mode(path: Path) -> int:
    """Who may do what with a file."""
    return path.stat().st_mode & 0o777


def test_a_file_is_written_and_read_back(tmp_path: Path) -> None:
    """What was written is read again, and nothing else is left in the directory."""
    user_files.write_user_file(tmp_path / "evening.log", "ちえ\n")
    assert user_files.read_user_file(tmp_path / "evening.log", 10) == "ちえ\n"
    assert list(tmp_path.iterdir()) == [tmp_path / "evening.log"]


def test_a_new_file_is_written_over_nothing(tmp_path: Path) -> None:
    """Its folders are made; what is there already stays as it is; a file is no folder."""
    path = tmp_path / "a" / "report.txt"
    user_files.write_new_file(path, "ok\n")
    with pytest.raises(UserError, match="already exists and was not changed"):
        user_files.write_new_file(path, "other\n")
    assert path.read_text() == "ok\n"
    with pytest.raises(UserError, match="can't be written"):
        user_files.write_new_file(path / "below", "ok\n")


def test_a_new_file_that_does_not_fit_is_not_there(tmp_path: Path) -> None:
    """Nothing half-written is left on a full disk, so that it can be tried again where there is room."""
    report = tmp_path / "report.txt"
    assert write_without_space("write_new_file", report) == f"{report} can't be written: File too large.\n"
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_fails_half_way_leaves_the_old_one(tmp_path: Path) -> None:
    """Text that can't be written is refused while the old file still stands whole."""
    (tmp_path / "evening.log").write_text("old")
    with pytest.raises(UnicodeEncodeError):
        user_files.write_user_file(tmp_path / "evening.log", "new \ud800")
    assert (tmp_path / "evening.log").read_text() == "old"
    assert list(tmp_path.iterdir()) == [tmp_path / "evening.log"]


def test_a_reader_of_the_old_file_goes_on_with_it(tmp_path: Path) -> None:
    """Whoever has the old file open reads it to its end: the new one takes its name at once and whole."""
    (tmp_path / "evening.log").write_text("old")
    with (tmp_path / "evening.log").open() as old:
        user_files.write_user_file(tmp_path / "evening.log", "new")
        assert old.read() == "old"
    assert (tmp_path / "evening.log").read_text() == "new"


@pytest.mark.parametrize("private", [None, OWNER_ONLY])
def test_a_link_is_not_followed(tmp_path: Path, private: int | None) -> None:
    """Where a link lies the file takes its place; what it led to stays as it was."""
    (tmp_path / "elsewhere").write_text("theirs")
    (tmp_path / "evening.log").symlink_to(tmp_path / "elsewhere")
    user_files.write_user_file(tmp_path / "evening.log", "ours", private)
    assert (tmp_path / "elsewhere").read_text() == "theirs"
    assert not (tmp_path / "evening.log").is_symlink()
    assert (tmp_path / "evening.log").read_text() == "ours"


def test_what_is_private_is_private_over_an_old_file_too(tmp_path: Path) -> None:
    """A file for its owner only is so from its first moment, whatever lay there before."""
    (tmp_path / "evening.log").write_text("old")
    (tmp_path / "evening.log").chmod(0o644)
    user_files.write_user_file(tmp_path / "evening.log", "covered", OWNER_ONLY)
    assert mode(tmp_path / "evening.log") == OWNER_ONLY


def test_an_old_file_keeps_its_rights(tmp_path: Path) -> None:
    """A file that people opened to others stays so; a new file is its owner's alone, whatever the umask."""
    (tmp_path / "cards.csv").write_text("old")
    (tmp_path / "cards.csv").chmod(0o640)
    user_files.write_user_file(tmp_path / "cards.csv", "new")
    assert mode(tmp_path / "cards.csv") == 0o640
    for mask in (0o000, 0o027, 0o777):
        before = os.umask(mask)
        user_files.write_user_file(tmp_path / f"fresh-{mask}.csv", "new")
        os.umask(before)
        assert mode(tmp_path / f"fresh-{mask}.csv") == OWNER_ONLY


def test_a_program_that_is_replaced_is_none_any_more(tmp_path: Path) -> None:
    """A file keeps who may read and write it, but what people export can't be run."""
    (tmp_path / "cards.csv").write_text("#!/bin/sh")
    (tmp_path / "cards.csv").chmod(0o755)
    user_files.export_text(tmp_path / "cards.csv", "new", overwrite=True)
    assert mode(tmp_path / "cards.csv") == 0o644


def test_a_file_of_somebody_else_lends_no_rights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever lays an open file where ours will be can't read ours."""
    (tmp_path / "cards.csv").write_text("theirs")
    (tmp_path / "cards.csv").chmod(0o666)
    monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
    user_files.write_user_file(tmp_path / "cards.csv", "ours")
    assert mode(tmp_path / "cards.csv") == OWNER_ONLY


def test_what_a_program_has_open_is_not_replaced(tmp_path: Path) -> None:
    """/dev/stdout and its like are written to, also where they lead to a file; they stay what they are."""
    program = (
        "from pathlib import Path; from companion.files import user_files; "
        "user_files.write_user_file(Path({!r}), 'x')"
    )
    before = Path("/dev/stdout").readlink()
    for name in ("/dev/stdout", "/dev/fd/1"):
        with (tmp_path / "out").open("w") as out:
            subprocess.run([sys.executable, "-c", program.format(name)], stdout=out, check=True)
        assert (tmp_path / "out").read_text() == "x"
    assert Path("/dev/stdout").readlink() == before


def test_a_device_is_written_to(tmp_path: Path) -> None:
    """What is no file is written to as it is; a directory is refused in a sentence."""
    user_files.write_user_file(Path("/dev/null"), "gone")
    assert Path("/dev/null").is_char_device()
    with pytest.raises(UserError, match="can't be written: Is a directory"):
        user_files.write_user_file(tmp_path, "gone")


@pytest.mark.parametrize("new_name", [None, "new.toml"])
def test_an_old_name_does_not_come_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, new_name: str | None
) -> None:
    """Once a file is deleted or renamed its folder is synced, so that a power cut doesn't undo it."""
    path, sync, names_when_synced = tmp_path / "old.toml", os.fsync, list[object]()
    path.write_text("x")

    def note_names(descriptor: int) -> None:
        if os.path.sameopenfile(descriptor, folder):
            names_when_synced.append([each.name for each in tmp_path.iterdir()])
        sync(descriptor)

    folder = os.open(tmp_path, os.O_RDONLY)
    monkeypatch.setattr(os, "fsync", note_names)
    if new_name is None:
        user_files.delete_app_file(path)
    else:
        user_files.rename_app_file(path, tmp_path / new_name)
    os.close(folder)
    assert names_when_synced[-1:] == [[new_name] if new_name else []]
