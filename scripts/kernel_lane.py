"""A real kernel with simulated GPIO, in which programs try the drivers; how it is built: scripts/kernel-lane.

from scripts.kernel_lane import run

run(ROOT / "tests/support/hardware/kernel_buttons.py", "mash")
"""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PLACES = ("../shared/kernel-lane/linux.xz", "~/.cache/companion/uml/linux")
"""Where it is looked for, from the project's root: packed beside the project, or built here."""
PATIENCE = 120
"""Seconds until a kernel is stopped that doesn't end by itself."""


def named(environ: Mapping[str, str] = os.environ) -> Path | None:
    """The kernel's file, perhaps packed: the one that COMPANION_UML names, or the first that there is."""
    wanted = environ.get("COMPANION_UML")
    places = (ROOT / Path(place).expanduser() for place in ([wanted] if wanted else PLACES))
    return next((place for place in places if place.is_file()), None)


MISSING = "" if named() else "no kernel with simulated GPIO and uinput; see scripts/kernel-lane"
"""Why nothing can be run; empty where it can."""


def kernel(file: Path, cache: Path | None = None) -> Path:
    """The kernel as it can be run: a packed one is unpacked once, into this user's cache."""
    if file.suffix != ".xz":
        return file
    packed = file.read_bytes()
    folder = cache or Path.home() / ".cache/companion/uml"
    path = folder / f"linux-{sha256(packed).hexdigest()[:16]}"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        mine = path.with_name(f"{path.name}.{os.getpid()}")  # others may unpack it at the same time
        mine.write_bytes(lzma.decompress(packed))
        mine.chmod(0o755)
        mine.replace(path)
    return path


def run(program: Path, *words: str, **environ: str) -> Any:
    """The last line that a program of Python prints in that kernel, as JSON; RuntimeError where it fails."""
    file = named()
    if file is None:
        raise FileNotFoundError(MISSING)
    lane = ROOT / "scripts/kernel-lane/uml_run.sh"
    done = subprocess.run(
        [lane, "-t", str(PATIENCE), kernel(file), sys.executable, program, *words],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE + 30,
    )
    if done.returncode:
        raise RuntimeError(done.stdout + done.stderr)
    return json.loads(done.stdout.splitlines()[-1])
