"""Scripts of the project, run with stubs in place of the programs that would change this machine."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).parents[2]


class Stubs:
    """`stubs = Stubs(folder)`, `stubs.add("uname", "echo aarch64")`, `stubs.sh(". scripts/x.sh; f")`."""

    def __init__(self, folder: Path) -> None:
        self.bin = folder / "stubs"
        self.bin.mkdir()
        self._calls = folder / "calls"

    def add(self, name: str, script: str = "") -> None:
        """A program that comes first in the PATH; what it was called with is kept."""
        path = self.bin / name
        path.write_text(f'#!/bin/sh\necho "{name} $*" >>{self._calls}\n{script}\n')
        path.chmod(0o755)

    def calls(self) -> list[str]:
        """Every call of a stub: its name and its arguments."""
        return self._calls.read_text().splitlines() if self._calls.exists() else []

    def sh(self, script: str, cwd: Path = PROJECT, **env: str) -> subprocess.CompletedProcess[str]:
        """Runs a script with the stubs first in its PATH."""
        return subprocess.run(
            ["/bin/sh", "-euc", script],
            capture_output=True,
            text=True,
            check=False,
            cwd=cwd,
            env={"PATH": f"{self.bin}:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": str(self.bin), **env},
        )


PYTHON = f"""
case "$*" in
*"-m venv"*)
    for folder in "$@"; do :; done
    rm -rf "$folder"
    mkdir -p "$folder/bin"
    case "$*" in *--system-site-packages*) sees=true ;; *) sees=false ;; esac
    echo "include-system-site-packages = $sees" >"$folder/pyvenv.cfg"
    echo "VIRTUAL_ENV=$PWD/$folder" >"$folder/bin/activate"
    cp "$0" "$folder/bin/python"
    ;;
*"-m pip"*) ;;
*) exec {sys.executable} "$@" ;;
esac
"""
"""A Python that makes environments at once, and installs nothing into them."""
