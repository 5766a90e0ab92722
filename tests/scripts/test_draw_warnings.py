"""The pictures of mistakes in docs/build: up to date, readable, shown on a page, and true to the header."""

from __future__ import annotations

import re
from itertools import combinations

import pytest

from hardware.wiring.header_drawing import PANEL_POWER_PINS, SUPPLY_COLOURS
from hardware.wiring.pins import USE_BY_FIXED_PIN
from scripts.draw_warnings import PICTURES, draw
from scripts.draw_wiring import BUILD
from tests.scripts.test_draw_wiring import read, texts

PAGES = "\n".join(page.read_text("utf-8") for page in sorted(BUILD.glob("*.md")))


@pytest.mark.parametrize("name", PICTURES)
def test_a_picture_is_what_the_code_draws(name: str) -> None:
    """The file is what `python -m scripts.draw_wiring` writes, and a page shows it."""
    assert (BUILD / f"warning-{name}.svg").read_text("utf-8") == draw(PICTURES[name])
    assert f"(warning-{name}.svg)" in PAGES


@pytest.mark.parametrize("name", PICTURES)
def test_no_text_is_cut_or_covered(name: str) -> None:
    """No text lies over another one or over the edge of its panel."""
    picture = PICTURES[name]
    svg = read(draw(picture))
    _, _, width, height = map(float, svg.get("viewBox", "").split())
    said = texts(svg)
    assert [(one.what, two.what) for one, two in combinations(said, 2) if one.meets(two)] == []
    assert [box.what for box in said if box.left < 0 or box.right > width or box.bottom > height] == []
    edges = [16 + at * (picture.width + 16) for at in range(len(picture.panels) + 1)]
    across = [box.what for box in said[1:] for edge in edges[1:-1] if box.left < edge - 16 < box.right]
    assert across == []


@pytest.mark.parametrize("name", PICTURES)
def test_each_picture_shows_the_right_way(name: str) -> None:
    """A picture is a row of steps, or begins with the right way and shows a wrong one beside it."""
    colours = [panel.colour for panel in PICTURES[name].panels]
    assert len(set(colours)) == 1 or colours[0] == "#00795a"
    assert len(set(colours)) == 1 or "#c62828" in colours


def test_pins_have_the_colour_of_what_they_are() -> None:
    """Wherever a pin of power or ground is drawn, it has the colour that the header drawings give it."""
    for picture in PICTURES.values():
        drawing = draw(picture)
        for fill, number in re.findall(
            r'<(?:circle|rect) [^>]*fill="(#\w+)"/>\n<text [^>]*>(\d+)</text>', drawing
        ):
            if picture.panels[0].colour != "#6b6b6b" or int(number) > len(picture.panels):
                assert fill == SUPPLY_COLOURS.get(USE_BY_FIXED_PIN.get(int(number), ""), "#dfe5df")


def test_the_panels_plug_is_where_the_wiring_leaves_room() -> None:
    """The picture names the pins that no device of ours is given."""
    one, two, three = PANEL_POWER_PINS
    assert PICTURES["panel-plug"].title == f"The panel's power plug: pins {one}, {two} and {three}"
    assert [USE_BY_FIXED_PIN[place] for place in PANEL_POWER_PINS] == ["5 V", "5 V", "ground"]
