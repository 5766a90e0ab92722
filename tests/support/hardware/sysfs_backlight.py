"""A backlight as the kernel shows it, in a folder of files."""

from __future__ import annotations

from pathlib import Path


def add_backlight(folder: Path, name: str, most: str = "255") -> Path:
    """Adds a backlight as the kernel has it, at half its brightness; returns its file of the brightness."""
    (folder / name).mkdir()
    (folder / name / "max_brightness").write_text(f"{most}\n")
    (folder / name / "brightness").write_text("127\n")
    return folder / name / "brightness"
