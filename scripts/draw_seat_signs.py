"""Writes the shapes of the seats' signs for the pages: `companion/web/static/signs.js`.

python -m scripts.draw_seat_signs
"""

from pathlib import Path

from companion.table.seat_signs import SIGN_BY_SEAT_COLOUR, shape_outline

SIGNS_MODULE = Path(__file__).parents[1] / "companion/web/static/signs.js"


def signs_module() -> str:
    """Returns the module with the outline of each sign, by the letter that stands for it in plain text."""
    lines = [
        f'  "{sign.letter}": "{_svg_path(shape_outline(sign.shape))}",'
        for sign in SIGN_BY_SEAT_COLOUR.values()
    ]
    return "\n".join(
        [
            "// The outline of each seat's sign, from -100 to 100. Written by scripts/draw_seat_signs.py.",
            "",
            "export const OUTLINES = {",
            *lines,
            "};",
            "",
        ]
    )


def _svg_path(outline: list[tuple[float, float]]) -> str:
    """Returns the outline for SVG, where y points down."""
    return "M" + " ".join(f"{round(100 * x)} {round(-100 * y)}" for x, y in outline) + "Z"


if __name__ == "__main__":
    SIGNS_MODULE.write_text(signs_module(), "utf-8")
