"""The drawings of docs/build: they are what the wiring says, and no wire strikes through a number."""

from __future__ import annotations

import re
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET

import pytest

from companion import cli
from hardware.wiring import Buttons, Buzzer, Keypad, Wiring, load_wiring_without_faulty_sections
from hardware.wiring.header_drawing import (
    PANEL_POWER_PINS,
    PHYSICAL_PINS_BY_SUPPLY,
    draw_header_svg,
    list_pin_connections,
)
from hardware.wiring.pins import USE_BY_FIXED_PIN, Pin
from scripts.draw_wiring import BUILD, TABLES, main, table

SVG = "{http://www.w3.org/2000/svg}"
WIDE = {"bold": 0.66, "normal": 0.6}
"""How wide a letter is on average, as a part of its size, in the widest font that is asked for."""


class Box(NamedTuple):
    """A rectangle that something fills, and what it is."""

    left: float
    top: float
    right: float
    bottom: float
    what: str

    def meets(self, other: Box) -> bool:
        """Whether two of them share more than an edge."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def texts(svg: ET.Element) -> list[Box]:
    """Where each line of text stands."""
    found = []
    for each in svg.iter(f"{SVG}text"):
        said, size, x, y = (
            "".join(each.itertext()),
            *(float(each.get(key, "")) for key in ("font-size", "x", "y")),
        )
        width = len(said) * size * WIDE[each.get("font-weight", "normal")]
        left = x - {"start": 0.0, "middle": 0.5, "end": 1.0}[each.get("text-anchor", "start")] * width
        found.append(Box(left, y - 0.76 * size, left + width, y + 0.2 * size, said))
    return found


def lines(svg: ET.Element) -> list[Box]:
    """Where each line lies; all of them are level, so a box holds nothing else."""
    found = []
    for each in svg.iter(f"{SVG}line"):
        x1, y1, x2, y2 = (float(each.get(key, "")) for key in ("x1", "y1", "x2", "y2"))
        assert y1 == y2
        half = float(each.get("stroke-width", "1")) / 2
        found.append(Box(min(x1, x2), y1 - half, max(x1, x2), y1 + half, "line"))
    return found


def pins(svg: ET.Element) -> list[Box]:
    """Where each pin is, by the number on it."""
    half = 11
    return [
        Box(
            (each.left + each.right) / 2 - half,
            each.top,
            (each.left + each.right) / 2 + half,
            each.bottom,
            each.what,
        )
        for each in texts(svg)
        if re.fullmatch(r"[1-9][0-9]?", each.what)
    ]


def struck(svg: ET.Element) -> list[str]:
    """What a line strikes through: a text or a pin."""
    return [box.what for line in lines(svg) for box in [*texts(svg), *pins(svg)] if line.meets(box)]


def read(drawing: str) -> ET.Element:
    """The drawing as shapes."""
    return ET.fromstring(drawing)  # noqa: S314  # our own


@pytest.mark.parametrize("name", TABLES)
def test_a_drawing_is_what_the_wiring_says(name: str) -> None:
    """Drawn again it is the same; `python -m scripts.draw_wiring` mends one that is older than its table."""
    assert (BUILD / f"header-{name}.svg").read_text("utf-8") == table(name)


@pytest.mark.parametrize("name", TABLES)
def test_no_wire_strikes_through_a_number(name: str) -> None:
    """No line lies over a text or a pin, no text over another or over the edge, and there are forty pins."""
    svg = read(table(name))
    _, _, width, height = map(float, svg.get("viewBox", "").split())
    assert struck(svg) == []
    assert [(one.what, two.what) for one, two in combinations(texts(svg), 2) if one.meets(two)] == []
    assert [box.what for box in texts(svg) if box.left < 0 or box.right > width or box.bottom > height] == []
    assert sorted(int(pin.what) for pin in pins(svg)) == list(range(1, 41))


@pytest.mark.parametrize("name", TABLES)
def test_a_drawing_names_each_wire_of_its_table(name: str) -> None:
    """Each wire stands in the legend with its pin, by both numbers, and each pin of the file has one."""
    wiring = load_wiring_without_faulty_sections(Path(str(files("hardware") / "examples" / f"{name}.toml")))
    said = [box.what for box in texts(read(table(name)))]
    for lead in list_pin_connections(wiring):
        assert any(line.startswith(f"{lead.wire_name} → pin {lead.physical_pin}, ") for line in said)
    wanted = {
        pin.physical_number for _, section in wiring.sections_with_keys() for pin in section.pins.values()
    }
    assert wanted <= {lead.physical_pin for lead in list_pin_connections(wiring)}


def test_a_line_over_a_text_is_found() -> None:
    """The test sees what it is there for."""
    bad = '<svg xmlns="http://www.w3.org/2000/svg"><text x="9" y="14" font-size="10">17</text>{}</svg>'
    assert struck(read(bad.format('<line x1="0" y1="10" x2="12" y2="10"/>'))) == ["17", "17"]
    assert struck(read(bad.format('<line x1="0" y1="30" x2="12" y2="30"/>'))) == []


def test_power_and_ground_are_proposed_where_they_are() -> None:
    """Power comes from its own pins, for a button that is high as well; the panel's plug is left alone."""
    wiring = Wiring(
        keypad=(Keypad(1, port="/dev/serial0"),),
        buttons=(Buttons(2, tap=Pin(5), active="high"),),
        outputs=(Buzzer(Pin(18)), Buzzer(Pin(13), seat=2, model="passive")),
    )
    wired = {
        (lead.section.device_name, lead.wire_name): lead.physical_pin for lead in list_pin_connections(wiring)
    }
    assert wired["keypad 1", "RX"] == 8
    assert wired["keypad 1", "TX"] == 10
    assert USE_BY_FIXED_PIN[wired["buttons 2", "other leg"]] == "3.3 V"
    assert USE_BY_FIXED_PIN[wired["buzzer table", "plus"]] == "3.3 V"
    assert (
        USE_BY_FIXED_PIN[wired["buzzer 2", "other wire"]]
        == USE_BY_FIXED_PIN[wired["keypad 1", "GND"]]
        == "ground"
    )
    assert not {*PANEL_POWER_PINS} & {
        place for places in PHYSICAL_PINS_BY_SUPPLY.values() for place in places
    }
    assert struck(read(draw_header_svg("all else", wiring))) == []


def test_the_pages_drawings_are_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of them, and nothing else."""
    monkeypatch.setattr("scripts.draw_wiring.BUILD", tmp_path)
    main()
    assert len([*tmp_path.glob("header-*.svg")]) == len(TABLES)


def test_a_table_of_ones_own_is_drawn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It goes to standard output with its name, or into a file, over another only if told so."""
    path, picture = tmp_path / "mine.toml", tmp_path / "mine.svg"
    path.write_text("[[buttons]]\nseat = 1\ntap = 'GPIO5'\n", "utf-8")
    assert cli.main(["hardware", "draw", "--file", str(path)]) == 0
    told = capsys.readouterr().out
    assert "tap → pin 29, GPIO5" in told
    assert struck(read(told)) == []
    to_file = ["hardware", "draw", "--file", str(path), "--out", str(picture)]
    assert [cli.main(to_file), cli.main(to_file), cli.main([*to_file, "--force"])] == [0, 2, 0]
    assert picture.read_text("utf-8") == told


def test_a_fault_of_a_table_is_told_beside_its_drawing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """What can be drawn is, and the exit status says that something is missing."""
    path = tmp_path / "mine.toml"
    path.write_text("[[buttons]]\nseat = 1\ntap = 'GPIO5'\n[[light]]\nseat = 1\npin = 'GPIO5'\n", "utf-8")
    assert cli.main(["hardware", "draw", "--file", str(path)]) == 2
    told = capsys.readouterr()
    assert "tap → pin 29, GPIO5" in told.out
    assert "light[1].pin: buttons[1].tap already uses GPIO5" in told.err
