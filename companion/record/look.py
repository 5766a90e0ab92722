"""How a printed record looks: ink on paper, and the players' colours, each with its shape.

The same as on the screen, whose `ui.theme` no module here may know.
"""

from __future__ import annotations

INK, INK_QUIET, LINE = "#221C14", "#5B5040", "#D3C4A3"
COLOURS = {
    "orange": "#E69F00",
    "sky": "#56B4E9",
    "green": "#009E73",
    "vermilion": "#D55E00",
    "purple": "#CC79A7",
}
CORNERS = {
    "sky": "0,-1 0.95,0.75 -0.95,0.75",
    "green": "-0.85,-0.85 0.85,-0.85 0.85,0.85 -0.85,0.85",
    "vermilion": "0,-1.1 1.1,0 0,1.1 -1.1,0",
    "purple": "0,-1.1 .26,-.36 1.05,-.34 .42,.14 .65,.89 0,.44 -.65,.89 -.42,.14 -1.05,-.34 -.26,-.36",
}
"""Triangle, square, diamond and star about a middle, half as wide as 1; orange is a circle."""


def outline(colour: str, x: float, y: float, width: float) -> str:
    """A seat's shape in SVG, its middle at x, y."""
    paint = f'fill="{COLOURS[colour]}" stroke="{INK}" stroke-width="{2 / width:.2f}"'
    where = f'transform="translate({x:.1f} {y:.1f}) scale({width / 2:g})"'
    if colour in CORNERS:
        return f'<polygon points="{CORNERS[colour]}" {paint} {where}/>'
    return f'<circle r="0.9" {paint} {where}/>'


def token(colour: str) -> str:
    """A seat's shape as a picture of its own."""
    return f'<svg class="token" viewBox="-13 -13 26 26" aria-hidden="true">{outline(colour, 0, 0, 20)}</svg>'
