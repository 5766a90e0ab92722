"""hardware.toml: which device sits where, and at which pins or ports.

    from hardware.wiring import read_machine_wiring

    for keypad in read_machine_wiring().keypad:
        print(keypad.device_name, keypad.port or keypad.id)

The file is checked as a whole before any device is touched (`hardware.wiring.files`).
"""

from hardware.wiring.files import (
    WIRING_FILE,
    WiringError,
    config_folders,
    find_config_file,
    load_wiring_without_faulty_sections,
    read_machine_wiring,
)
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
    "WIRING_FILE",
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
    "find_config_file",
    "load_wiring_without_faulty_sections",
    "read_machine_wiring",
]
