"""`companion settings list | get | set`: what is set, at a shell."""

from __future__ import annotations

import json
from contextlib import closing
from io import BytesIO, TextIOWrapper
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
    rows = [line.split() for line in out.splitlines()[1 : 1 + len(setting_definitions())]]
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
    assert "on, which asks for four digits, or off" in out
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
        (["set", "egypt", "pay_rule", "x"], "pay_rule must be one of own_bid, winning_bid, not x."),
        (["set", "egypt", "taxes", "x"], "Egypt has no option taxes. Its options: pay_rule."),
        (["set", "egypt", "winning_bid"], "Type an option of Egypt after its name: pay_rule."),
        (["set", "egpt", "pay_rule", "x"], 'There is no "egpt". Did you mean "egypt"?'),
        (["set", "any_game", "rumy", "tie_rule", "money"], 'There is no "rumy". Did you mean "rummy"?'),
        (["get", "mammon"], "Mammon has no options."),
        (["set", "any_game", "rummy", "money"], "Type an option of rummy after its name: tie_rule."),
        (["reset", "sond"], 'There is no "sond". Did you mean "sound"?'),
    ],
)
def test_what_can_not_be_is_refused_in_a_sentence(
    state: Path, capsys: pytest.CaptureFixture[str], words: list[str], why: str
) -> None:
    """It names what is allowed, and changes nothing."""
    assert companion(state, capsys, *words) == (2, "", f"{why}\n")
    assert not state.exists()


@pytest.mark.parametrize("words", [["get", "any_game"], ["get", "Any", "Game"], ["reset", "any_game"]])
def test_a_game_with_templates_needs_one(
    state: Path, capsys: pytest.CaptureFixture[str], words: list[str]
) -> None:
    """The sentence says which there are."""
    status, _, why = companion(state, capsys, *words)
    assert status == 2
    assert why.startswith("Type a template of Any Game after its name. Templates: plain, points, ")


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
        (("42", "42"), "A PIN must be four digits."),
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
    assert list(json.loads(every)) == [*setting_definitions(), "house_rules"]
    assert json.loads(every)["sound"] == json.loads(out)["sound"]


def test_house_rules_are_listed_changed_and_reset(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A game and its option stand where the setting stands, the game as people spell it."""
    assert companion(state, capsys, "set", "Egypt", "pay_rule", "winning_bid") == (0, "winning_bid\n", "")
    assert companion(state, capsys, "set", "high", "bid", "penalty", "bid") == (0, "bid\n", "")
    assert companion(state, capsys, "set", "any", "game", "rummy", "tie_rule", "money")[0] == 0
    assert saved(state).house_rules == {
        "egypt": {"pay_rule": "winning_bid"},
        "high_bid": {"penalty": "bid"},
        "any_game rummy": {"tie_rule": "money"},
    }
    _, out, _ = companion(state, capsys, "list")
    rows = {" ".join(words[:-5]): words for words in map(str.split, out.splitlines())}
    assert any(row.startswith("egypt pay_rule winning_bid own_bid,") for row in rows)
    assert any(row.startswith("oyakata rounds 2 1 to") for row in rows)
    assert any(row.startswith("any_game rummy tie_rule money shared,") for row in rows)
    assert not any(row.startswith("any_game poker ") for row in rows)
    assert companion(state, capsys, "get", "high_bid", "penalty") == (0, "bid\n", "")
    _, out, _ = companion(state, capsys, "get", "egypt")
    assert [line.split()[:2] for line in out.splitlines()] == [
        ["Option", "Value"],
        ["pay_rule", "winning_bid"],
    ]
    assert companion(state, capsys, "reset", "high_bid", "penalty") == (0, "warehouse\n", "")
    assert companion(state, capsys, "reset", "egypt") == (0, "Egypt has no house rules now.\n", "")
    assert saved(state).house_rules == {"any_game rummy": {"tie_rule": "money"}}


def test_programs_read_house_rules_as_json(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """By game and option, with what is allowed; the same for one, for a game and for all."""
    _, one, _ = companion(state, capsys, "set", "oyakata", "rounds", "1", "--json")
    assert json.loads(one)["house_rules"]["oyakata"]["rounds"] == {
        "value": 1,
        "default": 2,
        "least": 1,
        "most": 2,
        "applies_to": "table",
        "label": "Rounds",
        "hint": "Choose the number of rounds. A beginners' game of one round has no payday.",
    }
    _, all_of_game, _ = companion(state, capsys, "get", "oyakata", "--json")
    _, every, _ = companion(state, capsys, "list", "--json")
    found = json.loads(every)["house_rules"]
    assert found["oyakata"] == json.loads(all_of_game)["house_rules"]["oyakata"]
    assert found["oyakata"]["rounds"] == json.loads(one)["house_rules"]["oyakata"]["rounds"]
    assert found["egypt"]["pay_rule"]["choices"] == ["own_bid", "winning_bid"]
    assert found["sealed_bid"]["unit"]["max_letters"] == 8
    assert found["sealed_bid"]["most"]["value"] is None


def test_any_setting_can_be_reset(state: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It has its usual value then; house rules of a game that isn't installed can be deleted so too."""
    companion(state, capsys, "set", "volume", "5")
    assert companion(state, capsys, "reset", "volume") == (0, "3\n", "")
    with closing(Store.open(state, for_writing=True)) as store:
        store.save_value("house_rules", {"harbour": {"tides": "high"}})
    sentence = "House rules are saved for harbour, which isn't installed or can't be loaded.\n"
    assert companion(state, capsys, "get", "volume") == (0, "3\n", sentence)
    assert companion(state, capsys, "reset", "harbour") == (0, "harbour has no house rules now.\n", "")
    assert companion(state, capsys, "get", "volume") == (0, "3\n", "")


def test_a_game_in_the_terminal_begins_with_its_house_rules(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says so; JSON begins with them too; an option that is typed counts instead."""
    companion(state, capsys, "set", "egypt", "pay_rule", "winning_bid")
    for words, begins_with, is_told in (
        ([], "winning_bid", True),
        (["--option", "pay_rule=own_bid"], "own_bid", False),
        (["--json"], "winning_bid", False),
    ):
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"")))
        cli.main(["play", "egypt", "--seats", "Aki,Ben,Chie", *words, "--state", str(state)])
        out = capsys.readouterr().out
        assert ("House rules: Payment: the winning bid\n" in out) is is_told
        with closing(Store.open(state)) as store:
            (newest, *_) = store.all_saved_games()
            began = store.read_began_event(newest.number)
            assert began is not None
            assert began.options == {"pay_rule": begins_with}


def test_a_house_rule_that_can_not_be_used_is_told_aside_when_its_game_begins(
    state: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not when another game begins, and not when a game goes on."""
    with closing(Store.open(state, for_writing=True)) as store:
        store.save_value("house_rules", {"egypt": {"pay_rule": "nothing"}})
    sentence = "The house rule “Payment” of Egypt can't be used."
    for words, is_told in (
        (["egypt", "--seats", "Aki,Ben,Chie", "--json"], True),
        (["egypt", "--seats", "Aki,Ben,Chie"], True),
        (["egypt", "--resume"], False),
        (["mammon", "--seats", "Aki,Ben,Chie"], False),
    ):
        monkeypatch.setattr("sys.stdin", TextIOWrapper(BytesIO(b"")))
        cli.main(["play", *words, "--state", str(state)])
        assert (sentence in capsys.readouterr().err) is is_told


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
