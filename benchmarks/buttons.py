"""What buttons cost and whether a press is ever lost, on a real kernel with simulated lines.

See scripts/kernel-lane; without that kernel there is nothing to measure, and the figures say so.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
KERNEL = Path(os.environ.get("COMPANION_UML", Path.home() / ".cache/companion/uml/linux"))
NAMES = {"buttons.lost": "presses", "buttons.invented": "presses", "buttons.idle_cpu": "%"}


def figures() -> Iterator[dict[str, Any]]:
    """600 presses at fifteen bouncing buttons at once, and fifteen that nobody presses."""
    if not KERNEL.is_file():
        for name, unit in NAMES.items():
            yield figure(name, "skipped", unit, {"missing": str(KERNEL)})
        return
    heard = lane("mash")
    # A bounce that this machine itself stretched beyond a contact's is another press.
    beside = {"pressed": heard["pressed"], "heard": heard["pushed"], "stretched": heard["slipped"]}
    lost = max(0, heard["pressed"] - heard["fewest"])
    invented = max(0, heard["pushed"] - heard["pressed"] - heard["slipped"])
    yield figure("buttons.lost", lost, "presses", beside)
    yield figure("buttons.invented", invented, "presses", beside)
    yield figure("buttons.idle_cpu", round(lane("idle")["idle_cpu"], 2), "%", {})


def lane(run: str) -> dict[str, Any]:
    """What a run of `tests/hardware/kernel_buttons.py` found."""
    program = ROOT / "tests/hardware/kernel_buttons.py"
    done = subprocess.run(
        [ROOT / "scripts/kernel-lane/uml_run.sh", KERNEL, sys.executable, program, run],
        check=True,
        capture_output=True,
        text=True,
    )
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def figure(name: str, value: object, unit: str, beside: dict[str, object]) -> dict[str, Any]:
    """One line of the results."""
    return {"name": name, "value": value, "unit": unit, "ratio": None, "beside": beside}
