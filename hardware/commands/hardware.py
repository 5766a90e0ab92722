"""`companion hardware check | show | draw | init | pair`: the wiring of this table, checked, shown, or begun.

It plays no game. No device is touched but number pads, while they are paired.
"""

from __future__ import annotations

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Iterator, Sequence
from pathlib import Path

from companion.errors import UserError
from companion.files import toml
from companion.files.user_files import export_text, read_text, write_new_file
from companion.subcommand import EXIT_FIXABLE, Subcommand, add_examples
from companion.texts import render, say
from hardware.commands.examples import EXAMPLES, combine
from hardware.commands.header_drawing import draw_header
from hardware.doctor.machine import Machine, chip_labels, findings, seat_of
from hardware.wiring import FILE, Wiring, config_folders, find_config, load_wiring
from hardware.wiring.files import rights_of
from hardware.wiring.sections import MOST_SEATS

SEATS = range(1, MOST_SEATS + 1)


def _arguments(parser: ArgumentParser) -> None:
    acts = parser.add_subparsers(dest="act", required=True, metavar="check | show | draw | init | pair")
    check = acts.add_parser("check", help="check the file and whether its devices are connected")
    check.add_argument("--simulate", action="store_true", help="check the file only, without devices")
    show = acts.add_parser("show", help="list the devices of each player, with both numbers of each pin")
    draw = acts.add_parser("draw", help="draw the pins and their wires as an SVG picture")
    draw.add_argument(
        "--out", type=Path, metavar="FILE", help="write the picture to FILE instead of printing it"
    )
    draw.add_argument("--force", action="store_true", help="overwrite an existing file")
    init = acts.add_parser(
        "init",
        help="write a first hardware.toml from an example",
        epilog="\n".join(_examples()),
        formatter_class=RawDescriptionHelpFormatter,
    )
    init.add_argument(
        "examples",
        nargs="*",
        metavar="EXAMPLE",
        help="the example most like your table, or several to combine; without EXAMPLE, all are listed",
    )
    pair = acts.add_parser("pair", help="find out which number pad is at which seat: players press 1 in turn")
    pair.add_argument("--seats", type=int, choices=SEATS, default=SEATS[-1], help="number of seats")
    pair.add_argument(
        "--write", action="store_true", help="write the result into hardware.toml instead of printing it"
    )
    add_examples(check, "companion hardware check")
    add_examples(show, "companion hardware show")
    add_examples(draw, "companion hardware draw --out wiring.svg")
    add_examples(init, "companion hardware init", "companion hardware init number-pads")
    add_examples(pair, "companion hardware pair --seats 4 --write")
    for each in (check, show, draw, init, pair):
        each.add_argument(
            "--file", type=Path, help="use this file instead of the hardware.toml that was found"
        )


def _run(args: Namespace) -> int:
    if args.act == "init":
        return _init(args.file or config_folders(os.environ)[0] / FILE, args.examples)
    path = args.file or find_config(FILE, config_folders(os.environ))
    if args.act == "pair":
        return _pair(path or config_folders(os.environ)[0] / FILE, args.seats, is_written=args.write)
    if path is None:
        folders = ", ".join(map(str, config_folders(os.environ)))
        raise UserError(
            say(
                "There is no {file} in {folders}. To create one, run: companion hardware init",
                file=FILE,
                folders=folders,
            )
        )
    wiring = load_wiring(path)
    if args.act == "draw":
        return _draw(path, wiring, args)
    _print(str(path))
    for fault in wiring.faults:
        _print(f"wrong   {render(fault)}")
    status = EXIT_FIXABLE if wiring.faults else 0
    if args.act == "show":
        for line in shown(wiring):
            _print(line)
        if not wiring.sections():
            _print(render(say("The wiring file lists no devices.")))
        return status
    return status if args.simulate else max(status, _check(wiring))


def _check(wiring: Wiring) -> int:
    status = 0
    for finding in findings(wiring, Machine(chip_labels)):
        if finding.todo is None:
            _print(f"ok      {render(finding.what)}")
        else:
            _print(f"missing {render(finding.what)}. {render(finding.todo)}")
            status = EXIT_FIXABLE
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


def _draw(path: Path, wiring: Wiring, args: Namespace) -> int:
    for fault in wiring.faults:
        _say_aside(render(fault))
    drawing = draw_header(path.name, wiring)
    if args.out is None:
        sys.stdout.write(drawing)
    else:
        export_text(args.out, drawing, overwrite=args.force)
        _print(str(args.out))
    return EXIT_FIXABLE if wiring.faults else 0


def _init(path: Path, examples: Sequence[str]) -> int:
    if not examples:
        _say_aside(render(say("Choose an example: companion hardware init EXAMPLE")))
        for line in _examples():
            _print(line)
        return 0
    combined = combine(examples)
    write_new_file(path, combined.text, rights_of(path))
    for change in combined.changes:
        _say_aside(render(change))
    _print(str(path))
    return 0


def _pair(path: Path, seats: int, *, is_written: bool) -> int:
    from hardware.commands.pair import pair  # needed nowhere else
    from hardware.numpads.pairing import rewritten, save, sections

    if is_written and path.exists():
        # What is in the way is said before people walk round the table.
        rewritten(path, read_text(path, toml.MAX_FILE_CHARACTERS), ())
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


HARDWARE = Subcommand(
    "Create, check, list or draw the wiring (hardware.toml), or pair number pads.",
    _arguments,
    _run,
    ("companion hardware check", "companion hardware init"),
)
