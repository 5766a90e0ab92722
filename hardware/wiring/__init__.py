"""hardware.toml: which device sits where.

    from hardware.wiring import read_wiring

    for keypad in read_wiring().keypad:
        print(keypad.device, keypad.port or keypad.id)

The file is checked as a whole before any device is touched: each key in `files`, what clashes in `conflicts`.
"""

from hardware.wiring.conflicts import WiringError
from hardware.wiring.files import FILE, config_folders, find_config, load_wiring, read_wiring
from hardware.wiring.sections import (
    Buttons,
    Buzzer,
    Display,
    Keypad,
    Light,
    Numpad,
    Reader,
    Section,
    Wiring,
)

__all__ = [
    "FILE",
    "Buttons",
    "Buzzer",
    "Display",
    "Keypad",
    "Light",
    "Numpad",
    "Reader",
    "Section",
    "Wiring",
    "WiringError",
    "config_folders",
    "find_config",
    "load_wiring",
    "read_wiring",
]
