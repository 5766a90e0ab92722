"""Reads keypad.toml, beside main.py: what is wired to this keypad, if not as in docs/build/keypad.md."""

import json

from .pad import KEY_CAPS

DEFAULT_SETTINGS = {
    "id": "",  # empty: the number of the chip
    "rows": [2, 3, 4, 5],
    "columns": [6, 7, 8, 9],
    "caps": ["1", "2", "3", "NO", "4", "5", "6", "DEL", "7", "8", "9", "OWN", ".", "0", "", "OK"],
    "light": 15,
    "buzzer": 14,
    "display": "ssd1306",  # or "tm1637", or "" for none
    "height": 64,  # rows of dots of the ssd1306, or 32
    "display_pins": [0, 1],  # SDA and SCL, or CLK and DIO
}
"""Every key of keypad.toml with its default value; pins by their GP number."""

ALLOWED_VALUES = {"display": ("ssd1306", "tm1637", ""), "height": (64, 32)}
MAX_ID_LENGTH = 24


def read_keypad_toml(path: str) -> dict[str, object]:
    """Reads keypad.toml; settings that are missing there keep their defaults.

    Without the file all settings are the defaults. Raises ValueError, which names the wrong line.
    """
    settings = dict(DEFAULT_SETTINGS)
    try:
        with open(path) as file:  # noqa: PTH123 - MicroPython has no pathlib
            lines = file.read().split("\n")
    except OSError:
        return settings
    for number, line in enumerate(lines, 1):
        key, equals, value = [part.strip() for part in line.partition("=")]
        if not key or key.startswith("#"):
            continue
        if key not in DEFAULT_SETTINGS or not equals:
            raise ValueError(f"{path}:{number}: {key}; allowed: {', '.join(DEFAULT_SETTINGS)}")
        settings[key] = _parse_value(key, value)
        if settings[key] is None:
            allowed = " or ".join(map(json.dumps, ALLOWED_VALUES.get(key, [DEFAULT_SETTINGS[key]])))
            raise ValueError(f"{path}:{number}: {key} = {value}; allowed: such as {allowed}")
    _check_caps(path, settings)
    return settings


def _check_caps(path: str, settings: dict[str, object]) -> None:
    """Raises ValueError if the number of caps is wrong, or if one names no key."""
    lists = {key: value for key, value in settings.items() if isinstance(value, list)}
    caps, key_count = lists["caps"], len(lists["rows"]) * len(lists["columns"])
    if len(caps) != key_count:
        raise ValueError(
            f"{path}: caps has {len(caps)} keys, rows and columns make {key_count}; allowed: as many"
        )
    for cap in caps:
        if cap != "" and cap not in KEY_CAPS:
            raise ValueError(f'{path}: caps has "{cap}"; allowed: {" ".join(KEY_CAPS)}, "" for no function')


def _parse_value(key: str, text: str) -> object:
    """Returns the value of a key; None if the value isn't allowed."""
    # A value of TOML on one line is JSON, too, apart from a comment.
    try:
        value = json.loads(text.partition(" #")[0])
    except ValueError:
        return None
    is_allowed = type(value) is type(DEFAULT_SETTINGS[key]) and value in ALLOWED_VALUES.get(key, (value,))
    return value if is_allowed else None


def validate_keypad_id(keypad_id: str) -> str:
    """Returns the id; raises ValueError if it has characters that a line can't contain."""
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_."
    if (
        not 0 < len(keypad_id) <= MAX_ID_LENGTH
        or keypad_id[0] == "."
        or any(character not in letters for character in keypad_id)
    ):
        raise ValueError(f'id = "{keypad_id}"; allowed: 1 to 24 characters: A-Z a-z, digits, - _ .')
    return keypad_id
