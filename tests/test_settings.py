"""What people set: one field describes a setting, and the store keeps it as 0.2 did."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion import settings
from companion.errors import UnknownName, UserError
from companion.languages import languages
from companion.pin import is_pin_correct
from companion.settings import (
    APPLIES_TO,
    Settings,
    find_setting,
    load_settings,
    save_setting,
    setting_definitions,
)
from companion.store import Store
from companion.texts import render
from tests.probes.fireworks import WithFireworks

NAMES = [
    "language",
    "placement",
    "sound",
    "volume",
    "brightness",
    "dim_after",
    "sleep_after",
    "large_text",
    "high_contrast",
    "reduced_motion",
    "pin",
]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store where nothing has been set."""
    with closing(Store.open(tmp_path / "state", for_writing=True)) as store:
        yield store


def test_every_setting_says_what_it_is_for() -> None:
    """Its label, a sentence, where it applies and what it may be; its default is allowed."""
    assert list(setting_definitions()) == NAMES
    for name, setting in setting_definitions().items():
        assert setting.as_option.key == name
        assert render(setting.description.label)
        assert render(setting.description.hint)
        assert setting.description.applies_to in APPLIES_TO
        assert setting.require_allowed_value(setting.default) == setting.default
        assert setting.parse_value(setting.format_value(setting.default)) == setting.default
        assert setting.public_value(setting.default) == (setting.default if name != "pin" else False)


def test_nothing_set_is_the_default(store: Store) -> None:
    """A new table speaks English, stands, and is heard."""
    assert load_settings(store) == (Settings(language="en", placement="standing", sound=True), [])


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("language", "ja"),
        ("placement", "flat"),
        ("sound", False),
        ("volume", 5),
        ("brightness", 1),
        ("dim_after", "1"),
        ("sleep_after", "never"),
        ("large_text", True),
        ("high_contrast", True),
        ("reduced_motion", True),
    ],
)
def test_what_is_set_is_there_at_the_next_start(store: Store, name: str, value: Any) -> None:
    """It alone has changed."""
    save_setting(store, name, value)
    store.close()
    with closing(Store.open(store.directory)) as again:
        found, faults = load_settings(again)
    assert faults == []
    assert found == Settings(**{name: value})


def test_the_keys_are_those_of_0_2(tmp_path: Path) -> None:
    """A table of 0.2 opens with what was set there, and 0.2 could read what is set now."""
    old = Path(__file__).parent / "old_states" / "release-0.2.0"
    shutil.copytree(old, tmp_path / "state")
    with closing(Store.open(tmp_path / "state", for_writing=True)) as store:
        for key, value in (("language", "ja"), ("plan", "flat"), ("sound", False)):
            store.save_value(key, value)
        assert load_settings(store) == (Settings(language="ja", placement="flat", sound=False), [])
        save_setting(store, "placement", "standing")
        save_setting(store, "sound", value=True)
        assert (store.load_value("plan"), store.load_value("sound")) == ("standing", True)


@pytest.mark.parametrize("json", ['"loud"', "1", "null", "[[]]", '"on"', "{", "", b"\xff"])
def test_a_value_that_is_not_allowed_is_the_default_and_stays_in_the_file(
    tmp_path: Path, json: str | bytes
) -> None:
    """One sentence says so, in plain words; the other settings count."""
    Store.open(tmp_path, for_writing=True).close()
    with closing(sqlite3.connect(tmp_path / "companion.sqlite3")) as db, db:
        db.execute(
            "INSERT INTO setting VALUES ('plan', '\"flat\"', 0), ('sound', CAST(? AS TEXT), 0)", (json,)
        )
    before = kept(tmp_path)
    with closing(Store.open(tmp_path)) as store:
        found, faults = load_settings(store)
        assert (found.placement, found.sound) == ("flat", True)
        assert list(map(render, faults)) == [
            "The saved setting “Sound” can't be used. Until you change it, it is: On."
        ]
    assert kept(tmp_path) == before


def kept(directory: Path) -> list[Any]:
    """What lies in the table of settings."""
    with closing(sqlite3.connect(directory / "companion.sqlite3")) as db:
        return db.execute("SELECT key, CAST(value AS BLOB) FROM setting ORDER BY key").fetchall()


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("language", "xx", f"language must be one of {', '.join(languages())}, not xx."),
        ("placement", "hanging", "placement must be one of standing, flat, not hanging."),
        ("placement", True, "placement must be one of standing, flat, not true."),
        ("sound", "on", 'sound must be one of on, off, not "on".'),
        ("sound", 1, "sound must be one of on, off, not 1."),
        ("volume", 6, "volume must be a number from 0 to 5, not 6."),
        ("dim_after", "7", "dim_after must be one of never, 1, 2, 5, 10, 30, 60, not 7."),
        ("brightness", 0, "brightness must be a number from 1 to 10, not 0."),
    ],
)
def test_what_is_not_allowed_is_refused_in_a_sentence(
    store: Store, name: str, value: object, why: str
) -> None:
    """It says what is allowed, and nothing has changed."""
    with pytest.raises(UserError) as refused:
        save_setting(store, name, value)
    assert str(refused.value) == why
    assert load_settings(store) == (Settings(), [])


def test_a_setting_that_does_not_exist_is_named(store: Store) -> None:
    """With the names of all settings, or the one that was probably meant."""
    with pytest.raises(
        UnknownName, match=rf"^There is no setting called x\. Settings: {', '.join(NAMES)}\.$"
    ):
        find_setting("x")
    with pytest.raises(UnknownName, match='Did you mean "sound"'):
        save_setting(store, "sond", value=True)


def test_of_a_pin_only_a_hash_is_saved(store: Store) -> None:
    """Neither the database nor a sentence about a wrong one has the digits."""
    setting = find_setting("pin")
    save_setting(store, "pin", setting.parse_value("0042"))
    saved = load_settings(store).settings.pin
    assert is_pin_correct("0042", saved)
    assert (setting.format_value(saved), setting.public_value(saved)) == ("on", True)
    for wrong in ("00042", "on"):
        with pytest.raises(UserError) as refused:
            setting.parse_value(wrong)
        assert str(refused.value) == "A PIN must be four digits."
    with pytest.raises(UserError, match=r"^A PIN must be four digits\.$"):
        save_setting(store, "pin", "0042")
    save_setting(store, "pin", setting.parse_value("off"))
    assert load_settings(store).settings == Settings()


def test_what_the_program_remembers_is_no_setting(store: Store) -> None:
    """Who played last lies beside the settings, and neither is taken for the other."""
    store.save_value("people", [["Aki", "orange"]])
    assert "people" not in setting_definitions()
    assert load_settings(store) == (Settings(), [])


@pytest.mark.parametrize(
    ("value", "is_allowed"),
    [(0, True), (5, True), (6, False), (-1, False), (2.0, False), ("2", False), (True, False)],
)
def test_a_setting_is_one_field(
    store: Store,
    monkeypatch: pytest.MonkeyPatch,
    value: Any,
    is_allowed: bool,
) -> None:
    """A field more, and it is saved, loaded and kept within its bounds; nothing else names it."""
    monkeypatch.setattr(settings, "Settings", WithFireworks)
    assert list(setting_definitions()) == [*NAMES, "fireworks"]
    if is_allowed:
        save_setting(store, "fireworks", value)
        assert load_settings(store) == (WithFireworks(fireworks=value), [])
    else:
        with pytest.raises(UserError, match="fireworks must be a number from 0 to 5, not"):
            save_setting(store, "fireworks", value)
        assert load_settings(store) == (WithFireworks(), [])
