"""hardware.toml: what may stand in it, and what an error says."""

import re
from importlib.resources import files
from pathlib import Path

import pytest

from companion.texts import Text, render
from hardware.wiring import (
    Buttons,
    Buzzer,
    Display,
    Keypad,
    Light,
    Numpad,
    Reader,
    Wiring,
    WiringError,
    config_folders,
    find_config_file,
    load_wiring_without_faulty_sections,
    read_machine_wiring,
)
from hardware.wiring.examples import DESCRIPTION_BY_EXAMPLE
from hardware.wiring.header_drawing import (
    describe_device_with_owner,
    describe_physical_pin,
    list_pin_connections,
)
from hardware.wiring.pins import ALLOWED_PINS_TEXT, Pin
from hardware.wiring.sections import describe_allowed_value


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where hardware.toml is in these tests."""
    return tmp_path / "hardware.toml"


def test_a_keypad_has_a_seat_and_a_port_or_an_id_or_both(file: Path) -> None:
    """Each [[keypad]] becomes one keypad, named after its seat."""
    file.write_text(
        """
        [[keypad]]
        seat = 1
        port = "/dev/serial/by-id/usb-Pico-if00"
        [[keypad]]
        seat = 2
        id = "kp-2"
        [[keypad]]
        seat = 5
        port = "/dev/ttyUSB0"
        id = "kp-3"
        """
    )
    wiring = load_wiring_without_faulty_sections(file)
    assert wiring.keypad == (
        Keypad(1, port="/dev/serial/by-id/usb-Pico-if00"),
        Keypad(2, id="kp-2"),
        Keypad(5, port="/dev/ttyUSB0", id="kp-3"),
    )
    assert [keypad.device_name for keypad in wiring.keypad] == ["keypad 1", "keypad 2", "keypad 5"]


def check_refused(file: Path, text: str, key: str, why: str, allowed: Text) -> None:
    """The file is refused, and the sentence names it, the key, what is wrong and what is allowed."""
    file.write_text(text)
    (fault,) = map(render, load_wiring_without_faulty_sections(file).faults)
    assert fault.startswith(f"{file}: {key}: ")
    assert why in fault
    assert fault.endswith(f"; allowed: {render(allowed)}")


@pytest.mark.parametrize(
    ("text", "key", "why", "allowed"),
    [
        ("[[knob]]", "top", "unknown key knob", describe_allowed_value("")),
        ("keypad = 3", "keypad", "3 isn't allowed here", describe_allowed_value("keypad")),
        ("[[keypad]]\nport='/dev/a'", "keypad[1]", "seat is missing", "seat, port, id"),
        ("[[keypad]]\nseat=1\nprot='x'", "keypad[1]", "unknown key prot", "seat, port, id"),
        ("[[keypad]]\nseat=1", "keypad[1]", "both missing", 'the key "port", the key "id", or both keys'),
        (
            "[[keypad]]\nseat=6\nid='a'",
            "keypad[1].seat",
            "6 isn't allowed here",
            "a whole number from 1 to 5",
        ),
        (
            "[[keypad]]\nseat='1'\nid='a'",
            "keypad[1].seat",
            '"1" isn\'t allowed here',
            "a whole number from 1 to 5",
        ),
        (
            "[[keypad]]\nseat=1\nport='COM1'",
            "keypad[1].port",
            '"COM1" isn\'t allowed here',
            describe_allowed_value("keypad[].port"),
        ),
        (
            "[[keypad]]\nseat=1\nid='a b'",
            "keypad[1].id",
            '"a b" isn\'t allowed here',
            describe_allowed_value("keypad[].id"),
        ),
        (
            "[[keypad]]\nseat=1\nid='a'\n[[keypad]]\nseat=1\nid='b'",
            "keypad[2].seat",
            "keypad[1] already uses 1",
            "each seat only once",
        ),
        (
            "[[keypad]]\nseat=1\nport='/dev/a'\n[[keypad]]\nseat=2\nport='/dev/../dev/a'",
            "keypad[2].port",
            "keypad[1] already uses /dev/../dev/a",
            "each port only once",
        ),
        (
            "[[keypad]]\nseat=1\nid='a'\n[[keypad]]\nseat=2\nid='b'\n[[keypad]]\nseat=3\nid='b'",
            "keypad[3].id",
            "keypad[2] already uses b",
            "each id only once",
        ),
    ],
)
def test_an_error_names_file_key_and_what_is_allowed(
    file: Path, text: str, key: str, why: str, allowed: Text
) -> None:
    """One sentence for the one who wrote the file."""
    check_refused(file, text, key, why, allowed)


@pytest.mark.parametrize("content", [b"[[keypad", b"\xff", None])
def test_a_file_that_can_not_be_read_is_named(file: Path, content: bytes | None) -> None:
    """No TOML, no UTF-8 or no file: the error says which file and why."""
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(WiringError, match=re.escape(str(file))):
        load_wiring_without_faulty_sections(file)


def test_configuration_is_looked_for_in_three_folders() -> None:
    """$COMPANION_CONFIG if it is set, the home's, the machine's."""
    home, machine = Path("/home/aki/.config/companion"), Path("/etc/companion")
    environ = {"HOME": "/home/aki"}
    assert config_folders(environ) == [home, machine]
    assert config_folders({**environ, "COMPANION_CONFIG": "/c"}) == [Path("/c"), home, machine]


def test_the_first_folder_with_the_file_counts(tmp_path: Path) -> None:
    """A later folder's file is not read, and no file is an empty wiring."""
    folders = [tmp_path / name for name in ("none", "first", "second")]
    for number, folder in enumerate(folders[1:], 1):
        folder.mkdir()
        (folder / "hardware.toml").write_text(f"[[keypad]]\nseat={number}\nid='a'")
    assert find_config_file("hardware.toml", folders) == folders[1] / "hardware.toml"
    assert read_machine_wiring(folders).keypad[0].seat == 1
    assert read_machine_wiring([tmp_path / "none"]) == Wiring()


def test_this_machines_folders_are_the_default(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without folders the environment is asked."""
    file.write_text("[[keypad]]\nseat=4\nid='a'")
    monkeypatch.setenv("COMPANION_CONFIG", str(file.parent))
    assert read_machine_wiring().keypad[0].device_name == "keypad 4"


def test_the_documented_wiring_is_right(file: Path) -> None:
    """The example in docs/keypad-protocol.md can be copied."""
    document = (Path(__file__).parents[2] / "docs" / "keypad-protocol.md").read_text("utf-8")
    examples = re.findall(r"```toml\n(.*?)```", document, re.DOTALL)
    assert len(examples) == 1
    file.write_text(examples[0])
    assert [keypad.seat for keypad in load_wiring_without_faulty_sections(file).keypad] == [1, 2]


# Everything else that may be wired

BUTTON = "[[buttons]]\nseat = 1\n"
READER = "[[reader]]\nzone = 'market'\nspi = '/dev/spidev0.0'\n"


def test_one_file_describes_a_table(file: Path) -> None:
    """Buttons, lights, displays, buzzers, number pads and readers, each with its name for signals."""
    file.write_text(
        "[[buttons]]\nseat = 1\ntap = 'BOARD7'\n"
        "[[buttons]]\nseat = 2\nminus = 'GPIO5'\nplus = 'GPIO6'\nok = 'GPIO13'\nactive = 'high'\n"
        "[[numpad]]\nseat = 3\nport = 'usb-1.2/input0'\n"
        "[[light]]\nseat = 1\nred = 'GPIO16'\ngreen = 'GPIO20'\nblue = 'GPIO21'\n"
        "[[buzzer]]\npin = 'GPIO18'\n"
        "[[display]]\nseat = 1\nclock = 'GPIO23'\ndata = 'GPIO24'\n" + READER
    )
    wiring = load_wiring_without_faulty_sections(file)
    assert [section for _, section in wiring.sections_with_keys()] == [
        Numpad(3, "usb-1.2/input0"),
        Buttons(1, tap=Pin(4)),
        Buttons(2, minus=Pin(5), plus=Pin(6), ok=Pin(13), active="high"),
        Light(1, red=Pin(16), green=Pin(20), blue=Pin(21)),
        Buzzer(Pin(18)),
        Display(1, Pin(23), Pin(24)),
        Reader("market", "/dev/spidev0.0"),
    ]
    assert [each.scheme for each in wiring.buttons] == ["one", "three"]
    names = ["numpad 3", "buttons 1", "buttons 2", "light 1", "buzzer table", "display 1", "reader market"]
    assert [section.device_name for _, section in wiring.sections_with_keys()] == names


@pytest.mark.parametrize(
    ("text", "key", "why", "may_be"),
    [
        (
            BUTTON + "tap = 11",
            "buttons[1].tap",
            'GPIO11" is the physical pin 23, "BOARD11" is GPIO17',
            ALLOWED_PINS_TEXT,
        ),
        (BUTTON + "tap = '17'", "buttons[1].tap", '"BOARD17" is 3.3 V', ALLOWED_PINS_TEXT),
        (BUTTON + "tap = 99", "buttons[1].tap", "99 is not a pin", ALLOWED_PINS_TEXT),
        (BUTTON + "tap = 'GPIO1'", "buttons[1].tap", "GPIO1 is not a pin", ALLOWED_PINS_TEXT),
        (BUTTON + "tap = 'BOARD6'", "buttons[1].tap", "BOARD6 is ground", ALLOWED_PINS_TEXT),
        (BUTTON + "tap = 1.5", "buttons[1].tap", "1.5 is not a pin", ALLOWED_PINS_TEXT),
        (
            BUTTON + "knob = 'GPIO4'",
            "buttons[1]",
            "unknown key knob",
            "seat, tap, minus, plus, ok, active",
        ),
        (
            BUTTON,
            "buttons[1]",
            "found: no pins",
            'the key "tap" alone; the keys "plus" and "ok"; or the keys "minus", "plus" and "ok"',
        ),
        (
            BUTTON + "plus = 'GPIO4'",
            "buttons[1]",
            "found: plus",
            'the key "tap" alone; the keys "plus" and "ok"; or the keys "minus", "plus" and "ok"',
        ),
        (
            BUTTON + "plus = 'GPIO4'\nok = 'BOARD7'",
            "buttons[1].ok",
            "buttons[1].plus already uses GPIO4",
            "each pin only once",
        ),
        (
            BUTTON + "tap = 'GPIO4'\n[[light]]\nseat = 1\npin = 'GPIO4'",
            "light[1].pin",
            "buttons[1].tap already uses GPIO4",
            "each pin only once",
        ),
        (
            BUTTON + "tap = 'GPIO3'\nactive = 'high'",
            "buttons[1].tap",
            "has a pull-up resistor on the board",
            'another pin, or the setting active = "low"',
        ),
        (BUTTON + "tap = 'GPIO4'\nactive = 'both'", "buttons[1].active", "both", '"low", "high"'),
        (
            READER + BUTTON + "tap = 'GPIO10'",
            "buttons[1].tap",
            "reader[1].spi already uses GPIO10 as SPI0 MOSI",
            "each pin only once",
        ),
        (
            READER + BUTTON + "tap = 'GPIO7'",
            "buttons[1].tap",
            "reader[1].spi already uses GPIO7 as SPI0 CE1",
            "each pin only once",
        ),
        (
            READER + "reset = 'GPIO25'\n" + BUTTON + "tap = 'GPIO25'",
            "reader[1].reset",
            "buttons[1].tap already uses GPIO25",
            "each pin only once",
        ),
        (
            READER + "[[reader]]\nzone = 'hand'\nspi = '/dev/spidev0.0'",
            "reader[2].spi",
            "reader[1] already uses",
            "each spi only once",
        ),
        (
            "[[numpad]]\nseat = 1\nport = 'usb-1.2/input0'\n[[numpad]]\nseat = 2\nport = 'usb-1.2'",
            "numpad[2].port",
            "numpad[1] already uses usb-1.2",
            "each port only once",
        ),
        (
            "[[buzzer]]\npin = 'GPIO4'\n[[buzzer]]\npin = 'GPIO5'",
            "buzzer[2].seat",
            "buzzer[1] already uses table",
            "each seat only once",
        ),
        (
            READER + "[[reader]]\nzone = 'market'\nspi = '/dev/spidev0.1'",
            "reader[2].zone",
            "reader[1] already uses market",
            "each zone only once",
        ),
        (READER + "mhz = 0", "reader[1].mhz", "0", "a whole number from 1 to 10"),
        (READER + "mhz = 11", "reader[1].mhz", "11 isn't allowed here", "a whole number from 1 to 10"),
        (READER + "model = 'pn532'", "reader[1].model", "pn532", '"mfrc522"'),
        (
            "[[reader]]\nzone = 'a'\nspi = '/dev/spidev2.0'",
            "reader[1].spi",
            '"/dev/spidev2.0" isn\'t allowed here',
            describe_allowed_value("reader[].spi"),
        ),
        (
            "[[keypad]]\nseat = 1\nport = '/dev/serial0'\n" + BUTTON + "tap = 'GPIO15'",
            "buttons[1].tap",
            "keypad[1].port already uses GPIO15 as UART RXD",
            "each pin only once",
        ),
        (
            "[[light]]\nseat = 1\nred = 'GPIO4'",
            "light[1]",
            "found: red",
            'the key "pin" alone, or the keys "red", "green" and "blue" together',
        ),
        (
            "[[light]]\nseat = 1\npin = 'GPIO4'\n[[light]]\nseat = 1\npin = 'GPIO5'",
            "light[2].seat",
            "light[1] already uses 1",
            "each seat only once",
        ),
        ("buzzer = 3", "buzzer", "3 isn't allowed here", "a [[buzzer]] section for each device"),
    ],
)
def test_what_can_not_be_is_refused_before_anything_is_touched(
    file: Path, text: str, key: str, why: str, may_be: Text
) -> None:
    """A pin twice, or one of a bus or port in use; a model nobody knows: file, key and what is allowed."""
    check_refused(file, text, key, why, may_be)


def test_two_readers_share_a_bus(file: Path) -> None:
    """The lines of SPI0 are for both; a second select line of SPI1 is free while one reader is there."""
    file.write_text(
        READER + "[[reader]]\nzone = 'hand'\nspi = '/dev/spidev0.1'\n"
        "[[reader]]\nzone = 'pile'\nspi = '/dev/spidev1.0'\n" + BUTTON + "tap = 'GPIO17'"
    )
    assert len(load_wiring_without_faulty_sections(file).reader) == 3


@pytest.mark.parametrize(("device", "gpio"), [(0, 18), (1, 18), (1, 17), (2, 18), (2, 17), (2, 16)])
def test_the_kernel_holds_the_select_lines_of_spi1_up_to_the_readers_own(
    file: Path, device: int, gpio: int
) -> None:
    """Nothing else can be wired to the select line of a reader, nor to those of the devices before it."""
    file.write_text(f"[[reader]]\nzone = 'pile'\nspi = '/dev/spidev1.{device}'\n{BUTTON}tap = 'GPIO{gpio}'\n")
    (fault,) = load_wiring_without_faulty_sections(file).faults
    assert f"reader[1].spi already uses GPIO{gpio} as SPI1 CE" in render(fault)


BUILD = Path(__file__).parents[2] / "docs" / "build"


@pytest.mark.parametrize("name", DESCRIPTION_BY_EXAMPLE)
def test_a_worked_example_is_right(name: str, file: Path) -> None:
    """What docs/build shows is what `companion hardware init` writes, and it tells each wire with its pin."""
    document = (BUILD / f"{name}.md").read_text("utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", document, re.DOTALL)
    assert example == (files("hardware") / "examples" / f"{name}.toml").read_text("utf-8")
    file.write_text(example)
    wired = [
        (
            describe_device_with_owner(lead.section),
            lead.wire_name,
            str(lead.physical_pin),
            describe_physical_pin(lead.physical_pin),
        )
        for lead in list_pin_connections(load_wiring_without_faulty_sections(file))
    ]
    rows = re.findall(
        r"^\| ([^|]+) \| ([^|]+) \| (\d+) \| (GPIO\d+|3\.3 V|ground) \|$", document, re.MULTILINE
    )
    assert rows == wired
