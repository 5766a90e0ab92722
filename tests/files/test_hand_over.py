"""Files handed over to people: whole or not at all, and never over another one unasked."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.errors import UserError
from companion.files import user_files
from tests.support.disks import write_without_space


def test_a_file_is_handed_over(tmp_path: Path) -> None:
    """It is there with every letter as it was said, and nothing lies beside it."""
    user_files.export_text(tmp_path / "sheet.csv", "a\r\nü\n")
    assert (tmp_path / "sheet.csv").read_bytes() == "a\r\nü\n".encode()
    assert [path.name for path in tmp_path.iterdir()] == ["sheet.csv"]


def test_nothing_is_written_over_a_file(tmp_path: Path) -> None:
    """What is there stays; told to, it is replaced, and a link to it stays a link."""
    (tmp_path / "real").write_text("old", encoding="utf-8")
    (tmp_path / "link").symlink_to("real")
    with pytest.raises(UserError, match="Add --force to overwrite it"):
        user_files.export_text(tmp_path / "link", "new")
    assert (tmp_path / "real").read_text(encoding="utf-8") == "old"
    user_files.export_text(tmp_path / "link", "new", overwrite=True)
    assert (tmp_path / "real").read_text(encoding="utf-8") == "new"
    assert (tmp_path / "link").is_symlink()


def test_only_a_file_is_replaced(tmp_path: Path) -> None:
    """A folder or a device is left alone, even when told to write over it."""
    for there in (tmp_path, Path("/dev/null")):
        with pytest.raises(UserError, match="is not a regular file"):
            user_files.export_text(there, "new", overwrite=True)
    assert Path("/dev/null").is_char_device()


def test_a_folder_that_is_not_there_is_a_sentence(tmp_path: Path) -> None:
    """What can't be written says which file and why."""
    with pytest.raises(UserError, match="no_folder/sheet can't be written: No such file or directory"):
        user_files.export_text(tmp_path / "no_folder" / "sheet", "new")


def test_a_name_that_no_file_can_have_is_a_sentence(tmp_path: Path) -> None:
    """A name that is too long is refused as other files that can't be written."""
    with pytest.raises(UserError, match="can't be written: File name too long"):
        user_files.export_text(tmp_path / ("a" * 300), "new")


def test_a_disk_without_room_keeps_nothing_half_written(tmp_path: Path) -> None:
    """Where not all of it fits, what was there is still there, whole, and nothing lies beside it."""
    sheet = tmp_path / "sheet"
    sheet.write_text("old", encoding="utf-8")
    assert (
        write_without_space("export_text", sheet, overwrite=True)
        == f"{sheet} can't be written: File too large.\n"
    )
    assert {path.name: path.read_text(encoding="utf-8") for path in tmp_path.iterdir()} == {"sheet": "old"}
