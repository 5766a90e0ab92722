"""`python -m scripts.draw_wiring`: the drawings of docs/build are made again.

`companion hardware draw` draws a table of one's own.
"""

from __future__ import annotations

from pathlib import Path

from hardware.wiring import load_wiring_without_faulty_sections
from hardware.wiring.examples import DESCRIPTION_BY_EXAMPLE, EXAMPLES_FOLDER
from hardware.wiring.header_drawing import draw_header_svg
from scripts.draw_warnings import PICTURES, draw

BUILD = Path(__file__).parents[1] / "docs/build"
TABLES = ("reader", "one-keypad", "one-button", "three-buttons", "full-table")
"""The examples that docs/build/README.md builds, the smallest first."""


def table(name: str) -> str:
    """The drawing of an example."""
    return draw_header_svg(
        DESCRIPTION_BY_EXAMPLE[name], load_wiring_without_faulty_sections(EXAMPLES_FOLDER / f"{name}.toml")
    )


def main() -> None:
    """Draws each of them, and the pictures of mistakes."""
    for name in TABLES:
        (BUILD / f"header-{name}.svg").write_text(table(name), encoding="utf-8")
    for name, picture in PICTURES.items():
        (BUILD / f"warning-{name}.svg").write_text(draw(picture), encoding="utf-8")


if __name__ == "__main__":
    main()
