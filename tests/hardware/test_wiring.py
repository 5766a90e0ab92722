"""hardware.toml: what may stand in it, and what an error says."""

import re
from pathlib import Path

import pytest

from companion.errors import TableError
from companion.words import Text, render
from hardware.wiring import (
    ALLOWED,
    Keypad,
    Wiring,
    WiringError,
    config_folders,
    find_config,
    load_wiring,
    read_wiring,
)


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
    wiring = load_wiring(file)
    assert wiring.keypad == (
        Keypad(1, port="/dev/serial/by-id/usb-Pico-if00"),
        Keypad(2, id="kp-2"),
        Keypad(5, port="/dev/ttyUSB0", id="kp-3"),
    )
    assert [keypad.device for keypad in wiring.keypad] == ["keypad 1", "keypad 2", "keypad 5"]


@pytest.mark.parametrize(
    ("text", "key", "why", "allowed"),
    [
        ("[[knob]]", "top", "unknown field `knob`", ALLOWED[""]),
        ("keypad = 3", "keypad", "Expected `array`", ALLOWED["keypad"]),
        ("[[keypad]]\nport='/dev/a'", "keypad[1]", "missing required field `seat`", "seat, port, id"),
        ("[[keypad]]\nseat=1\nprot='x'", "keypad[1]", "unknown field `prot`", "seat, port, id"),
        ("[[keypad]]\nseat=1", "keypad[1]", "both missing", "a port, an id or both"),
        ("[[keypad]]\nseat=6\nid='a'", "keypad[1].seat", "<= 5", "a whole number from 1 to 5"),
        ("[[keypad]]\nseat='1'\nid='a'", "keypad[1].seat", "got `str`", "a whole number from 1 to 5"),
        ("[[keypad]]\nseat=1\nport='COM1'", "keypad[1].port", "matching regex", ALLOWED["keypad[].port"]),
        ("[[keypad]]\nseat=1\nid='a b'", "keypad[1].id", "matching regex", ALLOWED["keypad[].id"]),
        (
            "[[keypad]]\nseat=1\nid='a'\n[[keypad]]\nseat=1\nid='b'",
            "keypad[2].seat",
            "1 is taken by keypad[1]",
            "each seat once",
        ),
        (
            "[[keypad]]\nseat=1\nport='/dev/a'\n[[keypad]]\nseat=2\nport='/dev/../dev/a'",
            "keypad[2].port",
            "/dev/../dev/a is taken by keypad[1]",
            "each port once",
        ),
        (
            "[[keypad]]\nseat=1\nid='a'\n[[keypad]]\nseat=2\nid='b'\n[[keypad]]\nseat=3\nid='b'",
            "keypad[3].id",
            "b is taken by keypad[2]",
            "each id once",
        ),
    ],
)
def test_an_error_names_file_key_and_what_is_allowed(
    file: Path, text: str, key: str, why: str, allowed: Text
) -> None:
    """One sentence for the one who wrote the file."""
    file.write_text(text)
    with pytest.raises(WiringError) as caught:
        load_wiring(file)
    assert str(caught.value).startswith(f"{file}: {key}: ")
    assert why in str(caught.value)
    assert str(caught.value).endswith(f"; allowed: {render(allowed)}")
    assert isinstance(caught.value, TableError)


@pytest.mark.parametrize("content", [b"[[keypad", b"\xff", None])
def test_a_file_that_can_not_be_read_is_named(file: Path, content: bytes | None) -> None:
    """No TOML, no UTF-8 or no file: the error says which file and why."""
    if content is not None:
        file.write_bytes(content)
    with pytest.raises(WiringError, match=re.escape(f"{file}: can't be read: ")):
        load_wiring(file)


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
    assert find_config("hardware.toml", folders) == folders[1] / "hardware.toml"
    assert read_wiring(folders).keypad[0].seat == 1
    assert read_wiring([tmp_path / "none"]) == Wiring()


def test_this_machines_folders_are_the_default(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without folders the environment is asked."""
    file.write_text("[[keypad]]\nseat=4\nid='a'")
    monkeypatch.setenv("COMPANION_CONFIG", str(file.parent))
    assert read_wiring().keypad[0].device == "keypad 4"


def test_the_documented_wiring_is_right(file: Path) -> None:
    """The example in docs/keypad-protocol.md can be copied."""
    document = (Path(__file__).parents[2] / "docs" / "keypad-protocol.md").read_text("utf-8")
    examples = re.findall(r"```toml\n(.*?)```", document, re.DOTALL)
    assert len(examples) == 1
    file.write_text(examples[0])
    assert [keypad.seat for keypad in load_wiring(file).keypad] == [1, 2]
