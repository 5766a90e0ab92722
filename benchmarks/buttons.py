"""What buttons cost and whether a press is ever lost, on a real kernel with simulated lines.

See scripts/kernel-lane; without that kernel there is nothing to measure, and the figures say so.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from scripts.kernel_lane import MISSING, ROOT, run

PROGRAM = ROOT / "tests/support/hardware/kernel_buttons.py"
NAMES = {
    "buttons.lost": "presses",
    "buttons.invented": "presses",
    "buttons.delay": "ms",
    "buttons.idle_cpu": "%",
}


def figures() -> Iterator[dict[str, Any]]:
    """600 presses at fifteen bouncing buttons at once, and fifteen that nobody presses."""
    if MISSING:
        for name, unit in NAMES.items():
            yield figure(name, "skipped", unit, {"missing": MISSING})
        return
    heard = run(PROGRAM, "mash")
    # A bounce that this machine itself stretched is another press by the kernel's times, and counts as one.
    beside = {"pressed": heard["pressed"], "by the kernel's times": heard["settled"]}
    yield figure("buttons.lost", heard["lost"], "presses", beside)
    yield figure("buttons.invented", heard["invented"], "presses", beside)
    middle, longest = heard["delay"]
    due, latest = heard["late"]
    beside = {"longest": longest, "beyond bounce and rest": due, "at most": latest}
    yield figure("buttons.delay", middle, "ms", beside)
    yield figure("buttons.idle_cpu", round(run(PROGRAM, "idle")["idle_cpu"], 2), "%", {})


def figure(name: str, value: object, unit: str, beside: dict[str, object]) -> dict[str, Any]:
    """One line of the results."""
    return {"name": name, "value": value, "unit": unit, "ratio": None, "beside": beside}
