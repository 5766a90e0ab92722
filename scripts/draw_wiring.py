"""`python -m scripts.draw_wiring [FILE.toml]`: a Raspberry Pi's header and what is wired to it, as SVG.

With a file it goes to standard output. Without one the drawings of docs/build are made again.
"""

from __future__ import annotations

import sys
from pathlib import Path

from hardware.verbs.hardware import EXAMPLES, FOLDER
from hardware.wiring import load_wiring
from scripts.drawn_header import drawn

BUILD = Path(__file__).parents[1] / "docs/build"
TABLES = ("reader", "one-keypad", "one-button", "three-buttons", "full-table")
"""The examples that docs/build/README.md builds, the smallest first."""


def table(name: str) -> str:
    """The drawing of an example."""
    return drawn(EXAMPLES[name], load_wiring(FOLDER / f"{name}.toml"))


def main() -> None:
    """Draw."""
    if sys.argv[1:]:
        path = Path(sys.argv[1])
        sys.stdout.write(drawn(path.name, load_wiring(path)))
        return
    for name in TABLES:
        (BUILD / f"header-{name}.svg").write_text(table(name), encoding="utf-8")


if __name__ == "__main__":
    main()
