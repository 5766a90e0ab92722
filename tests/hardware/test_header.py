"""Where lgpio may put its pipe: never into the directory somebody happens to be in."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import pytest

from hardware.header import pipe_folder
from hardware.rfid import at_spi


@pytest.mark.parametrize(
    ("environ", "folder"),
    [
        ({"LG_WD": "/chosen", "RUNTIME_DIRECTORY": "/run/companion"}, "/chosen"),
        ({"RUNTIME_DIRECTORY": "/run/companion"}, "/run/companion"),
        ({}, tempfile.gettempdir()),
    ],
)
def test_the_pipe_lies_where_it_was_told_or_in_the_service_s_own_directory(
    environ: dict[str, str], folder: str
) -> None:
    """People's choice first, then the service's, then the system's for what is temporary."""
    assert pipe_folder(environ) == Path(folder)


def test_a_reader_s_packages_are_told_before_they_load(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where the reader can't be opened, as here, where there is none."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LG_WD", "")
    monkeypatch.setenv("RUNTIME_DIRECTORY", str(tmp_path / "run"))
    with pytest.raises(OSError, match=r".+"):
        at_spi("/dev/spidev7.7")
    assert os.environ["LG_WD"] == str(tmp_path / "run")
    assert list(tmp_path.iterdir()) == []
