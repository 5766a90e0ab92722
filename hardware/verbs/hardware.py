"""`companion hardware check | show | init | pair`: the wiring of this table, checked, shown, or begun.

It plays no game. No device is touched but number pads, while they are paired.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator
from pathlib import Path

from companion.errors import TableError
from companion.files import toml
from companion.files.files import read, write_new
from companion.verb import THE_TABLES, Verb
from companion.words import render, say
from hardware.doctor.machine import Machine, chip_labels, findings, seat_of
from hardware.wiring import FILE, Wiring, config_folders, find_config, load_wiring
from hardware.wiring.files import rights_of
from hardware.wiring.sections import MOST_SEATS

SEATS = range(1, MOST_SEATS + 1)
EXAMPLES = {
    "reader": "One reader for the tags of cards; people answer on the screen.",
    "one-keypad": "A keypad on USB for seat 1; the others answer on the screen.",
    "one-button": "One button a seat, for five.",
    "three-buttons": "Three buttons and a light a seat, for five.",
    "usb-keypads": "A keypad on USB a seat, for four.",
    "number-pads": "A number pad on USB a seat, for three.",
    "full-table": "Keypads, buttons, lights, displays, a buzzer and two readers, for four.",
}
"""What `init` can begin with, each in a sentence; docs/build has a page of each."""
FOLDER = Path(__file__).parents[1] / "examples"
"""Where their files lie."""


def _arguments(parser: ArgumentParser) -> None:
    acts = parser.add_subparsers(dest="act", required=True, metavar="check | show | init | pair")
    check = acts.add_parser("check", help="check the whole file, and whether this machine has what it names")
    check.add_argument("--simulate", action="store_true", help="without metal: check the file alone")
    show = acts.add_parser("show", help="show who has what, with the pins by both of their numbers")
    init = acts.add_parser(
        "init",
        help="write a hardware.toml to begin with",
        epilog="\n".join(_examples()),
        formatter_class=RawDescriptionHelpFormatter,
    )
    init.add_argument(
        "example",
        nargs="?",
        choices=EXAMPLES,
        metavar="EXAMPLE",
        help="the table most like yours; without, all",
    )
    pair = acts.add_parser("pair", help="say by pressing 1 which number pad is at which seat")
    pair.add_argument("--seats", type=int, choices=SEATS, default=SEATS[-1], help="how many are asked")
    pair.add_argument("--write", action="store_true", help="put them into hardware.toml, not only out")
    for each in (check, show, init, pair):
        each.add_argument("--file", type=Path, help="another file than the one that is found")


def _run(args: Namespace) -> int:
    if args.act == "init":
        return _init(args.file or config_folders(os.environ)[0] / FILE, args.example)
    path = args.file or find_config(FILE, config_folders(os.environ))
    if args.act == "pair":
        return _pair(path or config_folders(os.environ)[0] / FILE, args.seats, is_written=args.write)
    if path is None:
        folders = ", ".join(map(str, config_folders(os.environ)))
        raise TableError(
            say(
                "There is no {file} in {folders}. Begin one: companion hardware init",
                file=FILE,
                folders=folders,
            )
        )
    wiring = load_wiring(path)
    _print(str(path))
    for fault in wiring.faults:
        _print(f"wrong   {render(fault)}")
    status = THE_TABLES if wiring.faults else 0
    if args.act == "show":
        for line in shown(wiring):
            _print(line)
        return status
    return status if args.simulate else max(status, _check(wiring))


def _check(wiring: Wiring) -> int:
    status = 0
    for finding in findings(wiring, Machine(chip_labels)):
        if finding.todo is None:
            _print(f"ok      {render(finding.what)}")
        else:
            _print(f"missing {render(finding.what)}. {render(finding.todo)}")
            status = THE_TABLES
    return status


def shown(wiring: Wiring) -> Iterator[str]:
    """A line for each device: whose it is, what it is called, and where it is."""
    for _, section in wiring.sections():
        seat = seat_of(section)
        where = [f"{name} {pin} (pin {pin.physical})" for name, pin in section.pins.items()]
        for name in section.__struct_fields__:
            match getattr(section, name):
                case str(value):
                    where.append(f"{name} {value}")
                case tuple(values):
                    where.append(f"{name} {' '.join(values)}")
        yield f"{f'seat {seat}' if seat else 'table':7} {type(section).__name__.lower():8} {', '.join(where)}"


def _examples() -> Iterator[str]:
    yield from (f"{name:14} {sentence}" for name, sentence in EXAMPLES.items())


def _init(path: Path, example: str | None) -> int:
    if example is None:
        _say_aside(render(say("Say which: companion hardware init EXAMPLE")))
        for line in _examples():
            _print(line)
        return 0
    text = (FOLDER / f"{example}.toml").read_text("utf-8")
    write_new(path, text, rights_of(path))
    _print(str(path))
    return 0


def _pair(path: Path, seats: int, *, is_written: bool) -> int:
    from hardware.numpads.pairing import rewritten, save, sections
    from hardware.verbs.pair import pair  # needed nowhere else

    if is_written and path.exists():
        # What is in the way is said before people walk round the table.
        rewritten(path, read(path, toml.MOST), ())
    numpads = pair(seats, _say_aside)
    if numpads is None:
        return 0
    if is_written:
        save(path, numpads)
        _print(str(path))
    else:
        _print(sections(numpads).rstrip())
    return 0


def _say_aside(text: str) -> None:
    """To people, where the output may go into a file."""
    sys.stderr.write(f"{text}\n")


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")


HARDWARE = Verb(
    "Check, show or begin hardware.toml, which says what is wired where; pair number pads.", _arguments, _run
)
