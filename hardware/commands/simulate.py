"""`companion simulate keypad` and `companion simulate table`: simulated devices, to play or try the wiring.

`simulate table` simulates everything in hardware.toml, see `hardware.simulated.table`.
`simulate keypad` reads keys from standard input, one or more per line: `12 OK`, `NO`, `2.3 OK`; the end of
input unplugs the keypad for good. Faults: `unplug` and `plug`; `noise` sends a burst of garbage; `damage 30`
damages 30 % of the chunks on its cable from then on; with `silent` its program hangs, and with `speak` it
resumes.
"""

import argparse
import re
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from companion.errors import UserError
from companion.subcommand import Subcommand, add_examples
from companion.texts import say
from hardware.device_drivers import LightState
from hardware.keypad_protocol import KEYPAD_ID_PATTERN
from hardware.simulated.keypads import SimulatedKeypad
from hardware.simulated.table import run_simulation_script
from hardware.wiring import load_wiring_without_faulty_sections, read_machine_wiring


def add_simulate_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments of `companion simulate` to its parser."""
    subcommands = parser.add_subparsers(dest="device", required=True, metavar="keypad | table")
    keypad = subcommands.add_parser("keypad", help="simulate one keypad on its own serial port")
    keypad.add_argument("--id", default="kp-1", type=_parse_keypad_id, help="the id of the keypad")
    keypad.add_argument(
        "--port", type=Path, help="the path of the keypad's port (by default, a path is chosen and printed)"
    )
    table = subcommands.add_parser(
        "table",
        help="simulate all devices in hardware.toml: type what people do, and read what the devices send",
    )
    add_examples(keypad, "companion simulate keypad --id kp-1")
    add_examples(table, "companion simulate table --file hardware.toml")
    table.add_argument("--file", type=Path, help="use this file instead of the hardware.toml that was found")


def run_simulation(args: argparse.Namespace) -> int:
    """Simulates a keypad, or all devices of a table, until the end of input; returns the exit status.

    Raises `UserError` if the keypad's port can't be created.
    """
    if args.device == "table":
        run_simulation_script(
            load_wiring_without_faulty_sections(args.file) if args.file else read_machine_wiring(),
            sys.stdin,
            _print,
        )
        return 0
    with tempfile.TemporaryDirectory(prefix="companion-") as folder:
        path = (args.port or Path(folder) / args.id).absolute()
        try:
            keypad = SimulatedKeypad(args.id, path, on_change=_print_display)
        except OSError as error:
            raise UserError(
                say("The port of the simulated keypad can't be created: {why}", why=str(error))
            ) from error
        with keypad:
            _print(f"port {path}")
            for line in sys.stdin:
                _run_keypad_line(keypad, line.strip())
    return 0


def _run_keypad_line(keypad: SimulatedKeypad, line: str) -> None:
    action_by_word: dict[str, Callable[[], None]] = {
        "unplug": keypad.unplug,
        "plug": keypad.plug_in,
        "noise": keypad.send_garbage,
        "silent": keypad.hang_program,
        "speak": keypad.resume_program,
    }
    damage_match = re.fullmatch(r"damage (100|[0-9]{1,2})", line)
    if line in action_by_word:
        action_by_word[line]()
    elif damage_match:
        keypad.set_damaged_chunk_share(int(damage_match[1]) / 100)
    else:
        try:
            keypad.type(line)
        except ValueError as error:
            _print(f"{error}; or: {', '.join(action_by_word)}, damage PERCENT")


def _parse_keypad_id(text: str) -> str:
    if re.fullmatch(KEYPAD_ID_PATTERN, text) is None:
        raise argparse.ArgumentTypeError("1 to 24 characters: A-Z a-z, digits, - _ .")
    return text


def _print_display(display: str, light: LightState) -> None:
    line, entry = display.split("\n")
    _print(f"[{line:16}|{entry:16}] light {light}")


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


SIMULATE = Subcommand(
    "Simulate a keypad or a whole table, to play or to try the wiring.",
    add_simulate_arguments,
    run_simulation,
    ("companion simulate keypad", "companion simulate table"),
)
