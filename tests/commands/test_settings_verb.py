"""`companion settings list | get | set`: what is set, at a shell."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path

import pytest

from companion import cli, settings
from companion.languages import languages
from companion.pin import is_pin_correct
from companion.settings import Settings, load_settings, setting_definitions
from companion.store import Store
from tests.probes.fireworks import WithFireworks


@pytest.fixture
def state(tmp_path: Path) -> Path:
    """A directory with nothing in it."""
    return tmp_path / "state"


def companion(state: Path, capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    """Its exit status, what it prints, and what it tells people aside."""
    status = cli.main(["settings", *words, "--state", str(state)])
    out, aside = capsys.readouterr()
    return status, out, aside


def saved(state: Path) -> Settings:
    """What is set there."""
    with closing(Store.open(state)) as store:
        return load_settings(store).settings


def test_the_list_says_what_is_set_and_what_is_allowed(
    state: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A line for each setting; looking makes no directory."""
    status, out, aside = companion(state, capsys, "list")
    assert (status, aside) == (0, "")
    rows = [line.split() for line in out.splitlines()[1:]]
    values = {row[0]: row[1] for row in rows}
    assert values == {
        "language": "en",
        "placement": "standing",
        "sound": "on",
        "volume": "3",
        "brightness": "10",
        "dim_after": "5",
        "sleep_after": "30",
        "large_text": "off",
        "high_contrast": "off",
        "reduced_motion": "off",
        "pin": "off",
    }
    assert ", ".join(languages()) in out
    assert not state.exists()


def test_a_setting_is_changed_and_read_again(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each prints the value as it is now."""
    assert companion(state, capsys, "set", "placement", "flat") == (0, "flat\n", "")
    assert companion(state, capsys, "get", "placement") == (0, "flat\n", "")
    assert saved(state) == Settings(placement="flat")


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (["set", "sound", "loud"], "sound must be one of on, off, not loud."),
        (["set", "volume", "6"], "volume must be a number from 0 to 5, not 6."),
        (["set", "x", "3"], f"There is no setting called x. Settings: {', '.join(setting_definitions())}."),
        (["get", "sond"], 'There is no "sond". Did you mean "sound"?'),
    ],
)
def test_what_can_not_be_is_refused_in_a_sentence(
    state: Path, capsys: pytest.CaptureFixture[str], words: list[str], why: str
) -> None:
    """It names what is allowed, and changes nothing."""
    assert companion(state, capsys, *words) == (2, "", f"{why}\n")
    assert not state.exists()


def type_pins(monkeypatch: pytest.MonkeyPatch, *pins: str) -> None:
    """Types a PIN at each question for one, as the terminal doesn't show it."""
    typed = iter(pins)
    monkeypatch.setattr("companion.commands.settings.getpass", lambda _question: next(typed))


def test_a_pin_is_no_part_of_the_command(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The shell keeps its commands, and everybody on the machine sees a program's words."""
    assert companion(state, capsys, "set", "pin", "0042") == (
        2,
        "",
        "Don't type the PIN here, where others could read it. Type: companion settings set pin on\n",
    )
    assert not state.exists()


@pytest.mark.parametrize(
    ("pins", "why"),
    [
        (("0042", "0043"), "The two PINs weren't the same."),
        (("42", "42"), "pin must be four digits, or off."),
    ],
)
def test_a_pin_that_is_mistyped_is_not_saved(
    state: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    pins: tuple[str, str],
    why: str,
) -> None:
    """It is typed twice, as nobody sees it."""
    type_pins(monkeypatch, *pins)
    assert companion(state, capsys, "set", "pin", "on") == (2, "", f"{why}\n")
    assert not state.exists()


def test_a_forgotten_pin_is_turned_off(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """By whoever may use the saved games; no command shows the digits or their hash."""
    type_pins(monkeypatch, "0042", "0042")
    assert companion(state, capsys, "set", "pin", "on") == (0, "on\n", "")
    assert is_pin_correct("0042", saved(state).pin)
    saved_hash = saved(state).pin
    _, table, _ = companion(state, capsys, "list")
    _, line, _ = companion(state, capsys, "list", "--json")
    assert json.loads(line)["pin"]["value"] is True
    assert json.loads(line)["pin"]["digits"] == 4
    assert not {"0042", *saved_hash.split(":")} & {*table.split(), *line.replace('"', " ").split()}
    assert companion(state, capsys, "set", "pin", "off") == (0, "off\n", "")
    assert saved(state) == Settings()


def test_while_somebody_plays_nothing_is_changed(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The window has the settings in its hands; they can be read."""
    with closing(Store.open(state, for_writing=True)):
        status, out, aside = companion(state, capsys, "set", "sound", "off")
        assert (status, out) == (2, "")
        assert aside.startswith("Another Companion is already using the saved games")
        assert companion(state, capsys, "get", "sound") == (0, "on\n", "")


def test_programs_read_json(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One line, with the value and what a page of settings needs; the same for one and for all."""
    _, out, _ = companion(state, capsys, "set", "sound", "off", "--json")
    assert json.loads(out) == {
        "sound": {
            "value": False,
            "default": True,
            "choices": [True, False],
            "applies_to": "machine",
            "label": "Sound",
            "hint": "What you hear of money, cards, envelopes and clocks.",
        }
    }
    _, every, _ = companion(state, capsys, "list", "--json")
    assert list(json.loads(every)) == list(setting_definitions())
    assert json.loads(every)["sound"] == json.loads(out)["sound"]


def test_a_value_that_is_not_allowed_is_told_aside(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The default is printed, and the file keeps what it has."""
    with closing(Store.open(state, for_writing=True)) as store:
        store.save_value("sound", "loud")
    assert companion(state, capsys, "get", "sound") == (
        0,
        "on\n",
        "The saved setting “Sound” can't be used. Until you change it, it is: On.\n",
    )
    with closing(Store.open(state)) as store:
        assert store.load_value("sound") == "loud"


def test_a_setting_is_one_field(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One more, and it is listed, read, changed and kept within its bounds; nothing names it."""
    monkeypatch.setattr(settings, "Settings", WithFireworks)
    assert "fireworks" in companion(state, capsys, "list")[1]
    assert companion(state, capsys, "set", "fireworks", "5") == (0, "5\n", "")
    assert companion(state, capsys, "get", "fireworks") == (0, "5\n", "")
    why = "fireworks must be a number from 0 to 5, not 6.\n"
    assert companion(state, capsys, "set", "fireworks", "6") == (2, "", why)
    _, out, _ = companion(state, capsys, "get", "fireworks", "--json")
    found = json.loads(out)["fireworks"]
    assert (found["value"], found["least"], found["most"]) == (5, 0, 5)
