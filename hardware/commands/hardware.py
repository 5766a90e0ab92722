"""`companion hardware check | show | draw | init | pair`: checks, lists, draws or creates the wiring.

It plays no game. It touches no device but number pads, while they are paired; these are not grabbed, so that
a keyboard can still be typed on.
"""

from __future__ import annotations

import os
import selectors
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from companion.errors import UserError
from companion.files import toml
from companion.files.user_files import export_text, read_user_file, write_new_file
from companion.subcommand import USER_ERROR_STATUS, Subcommand, add_examples
from companion.texts import Say, render, say
from hardware.doctor.machine import Machine, check_wiring_needs, join_group_advice, read_gpio_chip_labels
from hardware.numpads import (
    EVDEV_MISSING_TEXT,
    InputDeviceSource,
    NumpadPairing,
    NumpadReader,
    handle_pairing_key,
    make_kernel_inputs,
    skip_seat,
    usb_port_as_device_name,
)
from hardware.signals import DeviceFound, DeviceLost, Inbox, NumpadKeyDown, Signal
from hardware.wiring import WIRING_FILE, Wiring, config_folders, find_config_file, load_wiring_file
from hardware.wiring.examples import DESCRIPTION_BY_EXAMPLE, combine_examples
from hardware.wiring.files import choose_wiring_file_mode
from hardware.wiring.header_drawing import draw_header_svg
from hardware.wiring.sections import MAX_SEATS_WITH_DEVICES, Numpad

MAX_READ_BYTES = 4096
SKIP, STOP = "s", "q"


class _PadsAndLines:
    """Reads pads and typed lines; the end of input counts as `STOP`."""

    def __init__(self, fd: int, inputs: Callable[[], InputDeviceSource]) -> None:
        self._fd = fd
        self._opened = ExitStack()
        self._woken, self._wake = os.pipe()
        for end in (self._woken, self._wake):
            self._opened.callback(os.close, end)
        self._inbox = Inbox(self._rouse)
        self._reader = NumpadReader(usb_port_as_device_name, self._inbox, inputs, grab=False)
        # Files may be typed from too, which epoll can't wait for.
        self._selector = self._opened.enter_context(selectors.SelectSelector())
        for end in (fd, self._woken):
            self._selector.register(end, selectors.EVENT_READ)

    def _rouse(self) -> None:
        os.write(self._wake, b"!")

    def read_next(self) -> list[Signal | str]:
        """Waits for and returns the next signals and words."""
        heard: list[Signal | str] = []
        for key, _ in self._selector.select():
            said = os.read(key.fd, MAX_READ_BYTES)
            if key.fd == self._woken:
                heard += self._inbox.drain()
            else:
                heard += said.decode("utf-8", "replace").split() if said else [STOP]
        return heard

    def __enter__(self) -> Self:
        self._opened.callback(self._reader.close)
        try:
            self._reader.start()
        except ImportError as error:
            self._opened.close()
            raise UserError(EVDEV_MISSING_TEXT) from error
        return self

    def __exit__(self, *_error: object) -> None:
        self._opened.close()


def pair_numpads(
    seat_count: int,
    show_text: Callable[[str], object],
    *,
    input_fd: int = 0,
    inputs: Callable[[], InputDeviceSource] = make_kernel_inputs,
) -> tuple[Numpad, ...] | None:
    """Asks people at one seat after the other to press 1, and returns the number pads of the seats.

    Returns None if people stop. Typed lines are read from `input_fd`. Raises `UserError` if number pads can't
    be read.
    """
    pairing = NumpadPairing(tuple(range(1, seat_count + 1)))
    with _PadsAndLines(input_fd, inputs) as ears:
        show_text(_question_of(pairing))
        while pairing.current_seat is not None:
            seat = pairing.current_seat
            for heard in ears.read_next():
                if heard == STOP:
                    return None
                pairing, remark = _handle_input(pairing, heard)
                if remark is not None:
                    show_text(render(remark))
            if pairing.current_seat not in (None, seat):
                show_text(_question_of(pairing))
    return pairing.numpads


def _handle_input(pairing: NumpadPairing, signal_or_line: Signal | str) -> tuple[NumpadPairing, Say | None]:
    match signal_or_line:
        case NumpadKeyDown(port, cap):
            return handle_pairing_key(pairing, port, cap)
        case DeviceFound(port):
            return pairing, say("Number pad found at {port}.", port=port)
        case DeviceLost(reason="denied"):
            raise UserError(join_group_advice("input"))
        case str() if signal_or_line == SKIP:
            return skip_seat(pairing), None
    return pairing, None


def _question_of(pairing: NumpadPairing) -> str:
    asked = say(
        "Press 1 on the number pad of seat {number}. If this seat has no number pad, type {skip} and press "
        "Enter. To stop, type {stop} and press Enter.",
        number=pairing.current_seat or 0,
        skip=SKIP,
        stop=STOP,
    )
    return render(asked)


ALLOWED_SEAT_COUNTS = range(1, MAX_SEATS_WITH_DEVICES + 1)


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
    pair.add_argument(
        "--seats",
        type=int,
        choices=ALLOWED_SEAT_COUNTS,
        default=ALLOWED_SEAT_COUNTS[-1],
        help="number of seats",
    )
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
        return _init(args.file or config_folders(os.environ)[0] / WIRING_FILE, args.examples)
    path = args.file or find_config_file(WIRING_FILE, config_folders(os.environ))
    if args.act == "pair":
        return _pair(path or config_folders(os.environ)[0] / WIRING_FILE, args.seats, is_written=args.write)
    if path is None:
        folders = ", ".join(map(str, config_folders(os.environ)))
        raise UserError(
            say(
                "There is no {file} in {folders}. To create one, run: companion hardware init",
                file=WIRING_FILE,
                folders=folders,
            )
        )
    wiring = load_wiring_file(path)
    if args.act == "draw":
        return _draw(path, wiring, args)
    _print(str(path))
    for fault in wiring.faults:
        _print(f"wrong   {render(fault)}")
    status = USER_ERROR_STATUS if wiring.faults else 0
    if args.act == "show":
        for line in list_devices(wiring):
            _print(line)
        if not wiring.sections_with_keys():
            _print(render(say("The wiring file lists no devices.")))
        return status
    return status if args.simulate else max(status, _check(wiring))


def _check(wiring: Wiring) -> int:
    status = 0
    for finding in check_wiring_needs(wiring, Machine(read_gpio_chip_labels)):
        if finding.advice is None:
            _print(f"ok      {render(finding.subject)}")
        else:
            _print(f"missing {render(finding.subject)}. {render(finding.advice)}")
            status = USER_ERROR_STATUS
    return status


def list_devices(wiring: Wiring) -> Iterator[str]:
    """Yields a line of text for each device: its seat or the table, its type, and its pins or port."""
    for _, section in wiring.sections_with_keys():
        seat = section.seat_number
        where = [f"{name} {pin} (pin {pin.physical_number})" for name, pin in section.pins.items()]
        for name in section.__struct_fields__:
            match getattr(section, name):
                case str(value):
                    where.append(f"{name} {value}")
                case tuple(values):
                    where.append(f"{name} {' '.join(values)}")
        yield f"{f'seat {seat}' if seat else 'table':7} {type(section).__name__.lower():8} {', '.join(where)}"


def _examples() -> Iterator[str]:
    yield from (f"{name:14} {sentence}" for name, sentence in DESCRIPTION_BY_EXAMPLE.items())


def _draw(path: Path, wiring: Wiring, args: Namespace) -> int:
    for fault in wiring.faults:
        _print_aside(render(fault))
    drawing = draw_header_svg(path.name, wiring)
    if args.out is None:
        sys.stdout.write(drawing)
    else:
        export_text(args.out, drawing, overwrite=args.force)
        _print(str(args.out))
    return USER_ERROR_STATUS if wiring.faults else 0


def _init(path: Path, examples: Sequence[str]) -> int:
    if not examples:
        _print_aside(render(say("Choose an example: companion hardware init EXAMPLE")))
        for line in _examples():
            _print(line)
        return 0
    combined = combine_examples(examples)
    write_new_file(path, combined.text, choose_wiring_file_mode(path))
    for change in combined.changes:
        _print_aside(render(change))
    _print(str(path))
    return 0


def _pair(path: Path, seats: int, *, is_written: bool) -> int:
    from hardware.commands.hardware import pair_numpads  # needed nowhere else
    from hardware.numpads import format_numpad_sections, replace_numpad_sections, save_numpads

    if is_written and path.exists():
        # What is in the way is said before people walk round the table.
        replace_numpad_sections(path, read_user_file(path, toml.MAX_FILE_CHARACTERS), ())
    numpads = pair_numpads(seats, _print_aside)
    if numpads is None:
        return 0
    if is_written:
        save_numpads(path, numpads)
        _print(str(path))
    else:
        _print(format_numpad_sections(numpads).rstrip())
    return 0


def _print_aside(text: str) -> None:
    """Prints to people, while the output may go into a file."""
    sys.stderr.write(f"{text}\n")


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")


HARDWARE = Subcommand(
    "Create, check, list or draw the wiring (hardware.toml), or pair number pads.",
    _arguments,
    _run,
    ("companion hardware check", "companion hardware init"),
)
