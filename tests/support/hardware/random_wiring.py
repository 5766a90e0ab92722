"""Makes random hardware.toml files with valid, invalid and impossible sections."""

from __future__ import annotations

import random

VALID_SECTION_BY_DEVICE = {
    "keypad 1": '[[keypad]]\nseat = 1\nid = "kp-1"\n',
    "numpad 2": '[[numpad]]\nseat = 2\nport = "usb-1.2"\n',
    "buttons 3": '[[buttons]]\nseat = 3\nplus = "GPIO5"\nok = "GPIO6"\n',
    "light 3": '[[light]]\nseat = 3\npin = "GPIO12"\n',
    "buzzer table": '[[buzzer]]\npin = "GPIO18"\n',
    "display 4": '[[display]]\nseat = 4\nclock = "GPIO23"\ndata = "GPIO24"\n',
    "reader market": '[[reader]]\nzone = "market"\nspi = "/dev/spidev0.0"\nmhz = 2\n',
}
ODD_VALUES = (
    "1", "0", "6", "-1", "9" * 64, "0x" + "F" * 62, "1.5", "inf", "nan", "true", "2026-11-22", "07:30:00",
    "2026-11-22T07:30:00Z", "''", "'a'", '"a\\n"', '"\\u0000"', "'{seat}'", "'GPIO4'", "'GPIO04'", "'BOARD7'",
    "'17'", "'１１'", "'" + "9" * 150 + "'", "'/dev/serial0'", "'/dev/spidev0.0'", "'kp-1'", "[]",
    "[1, 'a']", "[[[]]]", "{}", "{a = 1}", "{seat = 1}", "'日本'", "'" + "x" * 250 + "'", "9" * 5_000,
    "[" * 50, "=", "",
)  # fmt: skip  # a list of odd parts
KEYS = (
    "seat", "port", "id", "tap", "plus", "minus", "ok", "active", "pin", "red", "green", "blue", "model",
    "sounds", "clock", "data", "zone", "spi", "reset", "mhz", "knob", "a.b", "'a b'", '"\\n"', "x" * 70, "''",
    "faults", "keys",
)  # fmt: skip  # a list of odd parts
ODD_LETTERS = ("[", "]", "{", '"', "'", '"""', "\\", "=", ".", "\n", "#", "\0", "é")
SECTION_HEADS = (
    "[[keypad]]", "[[numpad]]", "[[buttons]]", "[[light]]", "[[buzzer]]", "[[display]]", "[[reader]]",
    "[[knob]]", "[keypad]", "[[faults]]", "[keys]", "[[keypad.a]]", "[[", "",
)  # fmt: skip  # a list of odd parts


def random_wiring_text(rng: random.Random) -> str:
    """Returns a file with valid, invalid and impossible sections, sometimes with stray letters."""
    parts = [rng.choice(list(VALID_SECTION_BY_DEVICE.values())) for _ in range(rng.randrange(4))]
    for _ in range(rng.randrange(4)):
        lines = [f"{rng.choice(KEYS)} = {rng.choice(ODD_VALUES)}" for _ in range(rng.randrange(5))]
        parts.append("\n".join([rng.choice(SECTION_HEADS), *lines, ""]))
    rng.shuffle(parts)
    text = "".join(parts)
    for _ in range(rng.choice((0, 0, 0, 1, 3))):
        at = rng.randrange(len(text) + 1)
        text = text[:at] + rng.choice(ODD_LETTERS) + text[at:]
    return text
