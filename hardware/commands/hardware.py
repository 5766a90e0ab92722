"""`companion hardware check | show | draw | init | pair`: checks, lists, draws or creates the wiring.

The command plays no game. It uses no devices except number pads while they are paired. The pads are not
grabbed, so that people can still type on a keyboard.
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
from companion.texts import render, say
from hardware.doctor.machine import Machine, check_wiring_needs, join_group_advice, read_chip_labels_by_path
from hardware.numpads import (
    EVDEV_MISSING_TEXT,
    InputDeviceSource,
    NumpadPairingProgress,
    NumpadReader,
    PairingAfterKey,
    format_numpad_sections,
    handle_pairing_key,
    make_kernel_input_devices,
    replace_numpad_sections,
    save_numpads,
    skip_seat,
    usb_port_as_device_name,
)
from hardware.signals import DeviceFound, DeviceLost, Inbox, NumpadKeyDown, Signal
from hardware.wiring import (
    WIRING_FILE,
    Wiring,
    config_folders,
    find_config_file,
    load_wiring_without_faulty_sections,
)
from hardware.wiring.examples import DESCRIPTION_BY_EXAMPLE, combine_examples
from hardware.wiring.files import choose_file_mode_by_folder
from hardware.wiring.header_drawing import draw_header_svg
from hardware.wiring.sections import MAX_SEATS_WITH_DEVICES, Numpad

MAX_READ_BYTES = 4096
SKIP_WORD, STOP_WORD = "s", "q"


class _PairingInput:
    """Reads number pads and typed words; the end of input counts as `STOP_WORD`."""

    def __init__(self, fd: int, inputs: Callable[[], InputDeviceSource]) -> None:
        self._fd = fd
        self._resources = ExitStack()
        self._wake_read_fd, self._wake_write_fd = os.pipe()
        for pipe_end in (self._wake_read_fd, self._wake_write_fd):
            self._resources.callback(os.close, pipe_end)
        self._inbox = Inbox(self._wake_selector)
        self._reader = NumpadReader(usb_port_as_device_name, self._inbox, inputs, grab=False)
        # Standard input may be a file, which epoll can't wait for.
        self._selector = self._resources.enter_context(selectors.SelectSelector())
        for pipe_end in (fd, self._wake_read_fd):
            self._selector.register(pipe_end, selectors.EVENT_READ)

    def _wake_selector(self) -> None:
        os.write(self._wake_write_fd, b"!")

    def read_next(self) -> list[Signal | str]:
        """Waits for and returns the next signals and words."""
        inputs: list[Signal | str] = []
        for key, _ in self._selector.select():
            data = os.read(key.fd, MAX_READ_BYTES)
            if key.fd == self._wake_read_fd:
                inputs += self._inbox.drain()
            else:
                inputs += data.decode("utf-8", "replace").split() if data else [STOP_WORD]
        return inputs

    def __enter__(self) -> Self:
        self._resources.callback(self._reader.close)
        try:
            self._reader.start()
        except ImportError as error:
            self._resources.close()
            raise UserError(EVDEV_MISSING_TEXT) from error
        return self

    def __exit__(self, *_error: object) -> None:
        self._resources.close()


def pair_numpads(
    seat_count: int,
    show_text: Callable[[str], object],
    *,
    input_fd: int = 0,
    inputs: Callable[[], InputDeviceSource] = make_kernel_input_devices,
) -> tuple[Numpad, ...] | None:
    """Asks people at one seat after the other to press 1, and returns the number pads of the seats.

    Returns None if people stop. Typed lines are read from `input_fd`. Raises `UserError` if number pads can't
    be read.
    """
    pairing = NumpadPairingProgress(tuple(range(1, seat_count + 1)))
    with _PairingInput(input_fd, inputs) as pairing_input:
        show_text(_format_question(pairing))
        while pairing.current_seat is not None:
            seat = pairing.current_seat
            for signal_or_line in pairing_input.read_next():
                if signal_or_line == STOP_WORD:
                    return None
                pairing, remark = _handle_input(pairing, signal_or_line)
                if remark is not None:
                    show_text(render(remark))
            if pairing.current_seat not in (None, seat):
                show_text(_format_question(pairing))
    return pairing.numpads


def _handle_input(pairing: NumpadPairingProgress, signal_or_line: Signal | str) -> PairingAfterKey:
    match signal_or_line:
        case NumpadKeyDown(port, cap):
            return handle_pairing_key(pairing, port, cap)
        case DeviceFound(port):
            return PairingAfterKey(pairing, say("Number pad found at {port}.", port=port))
        case DeviceLost(reason="denied"):
            raise UserError(join_group_advice("input"))
        case str() if signal_or_line == SKIP_WORD:
            return PairingAfterKey(skip_seat(pairing))
    return PairingAfterKey(pairing)


def _format_question(pairing: NumpadPairingProgress) -> str:
    question = say(
        "Press 1 on the number pad of seat {number}. If this seat has no number pad, type {skip} and press "
        "Enter. To stop, type {stop} and press Enter.",
        number=pairing.current_seat or 0,
        skip=SKIP_WORD,
        stop=STOP_WORD,
    )
    return render(question)


ALLOWED_SEAT_COUNTS = range(1, MAX_SEATS_WITH_DEVICES + 1)


def _add_arguments(parser: ArgumentParser) -> None:
    subcommands = parser.add_subparsers(
        dest="act", required=True, metavar="check | show | draw | init | pair"
    )
    check = subcommands.add_parser("check", help="check the file and whether its devices are connected")
    check.add_argument("--simulate", action="store_true", help="check the file only, without devices")
    show = subcommands.add_parser(
        "show", help="list the devices of each player, with both numbers of each pin"
    )
    draw = subcommands.add_parser("draw", help="draw the pins and their wires as an SVG picture")
    draw.add_argument(
        "--out", type=Path, metavar="FILE", help="write the picture to FILE instead of printing it"
    )
    draw.add_argument("--force", action="store_true", help="overwrite an existing file")
    init = subcommands.add_parser(
        "init",
        help="write a first hardware.toml from an example",
        epilog="\n".join(_format_examples()),
        formatter_class=RawDescriptionHelpFormatter,
    )
    init.add_argument(
        "examples",
        nargs="*",
        metavar="EXAMPLE",
        help="the example most like your table, or several to combine; without EXAMPLE, all are listed",
    )
    pair = subcommands.add_parser(
        "pair", help="find out which number pad is at which seat: players press 1 in turn"
    )
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
    for subparser in (check, show, draw, init, pair):
        subparser.add_argument(
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
    wiring = load_wiring_without_faulty_sections(path)
    if args.act == "draw":
        return _draw(path, wiring, args)
    _print(str(path))
    for fault in wiring.faults:
        _print(f"wrong   {render(fault)}")
    status = USER_ERROR_STATUS if wiring.faults else 0
    if args.act == "show":
        for line in format_device_lines(wiring):
            _print(line)
        if not wiring.sections_with_keys():
            _print(render(say("The wiring file lists no devices.")))
        return status
    return status if args.simulate else max(status, _check_needs(wiring))


def _check_needs(wiring: Wiring) -> int:
    status = 0
    for finding in check_wiring_needs(wiring, Machine(read_chip_labels_by_path)):
        if finding.advice is None:
            _print(f"ok      {render(finding.subject)}")
        else:
            _print(f"missing {render(finding.subject)}. {render(finding.advice)}")
            status = USER_ERROR_STATUS
    return status


def format_device_lines(wiring: Wiring) -> Iterator[str]:
    """Yields a line of text for each device: its seat or the table, its type, and its pins or port."""
    for _, section in wiring.sections_with_keys():
        seat = section.seat_number
        descriptions = [f"{name} {pin} (pin {pin.physical_number})" for name, pin in section.pins.items()]
        for name in section.__struct_fields__:
            match getattr(section, name):
                case str(value):
                    descriptions.append(f"{name} {value}")
                case tuple(values):
                    descriptions.append(f"{name} {' '.join(values)}")
        place = f"seat {seat}" if seat else "table"
        yield f"{place:7} {type(section).__name__.lower():8} {', '.join(descriptions)}"


def _format_examples() -> Iterator[str]:
    yield from (f"{name:14} {sentence}" for name, sentence in DESCRIPTION_BY_EXAMPLE.items())


def _draw(path: Path, wiring: Wiring, args: Namespace) -> int:
    for fault in wiring.faults:
        _print_to_stderr(render(fault))
    drawing = draw_header_svg(path.name, wiring)
    if args.out is None:
        sys.stdout.write(drawing)
    else:
        export_text(args.out, drawing, overwrite=args.force)
        _print(str(args.out))
    return USER_ERROR_STATUS if wiring.faults else 0


def _init(path: Path, examples: Sequence[str]) -> int:
    if not examples:
        _print_to_stderr(render(say("Choose an example: companion hardware init EXAMPLE")))
        for line in _format_examples():
            _print(line)
        return 0
    combined = combine_examples(examples)
    write_new_file(path, combined.text, choose_file_mode_by_folder(path))
    for change in combined.changes:
        _print_to_stderr(render(change))
    _print(str(path))
    return 0


def _pair(path: Path, seats: int, *, is_written: bool) -> int:
    if is_written and path.exists():
        # People hear about mistakes in the file before they walk round the table.
        replace_numpad_sections(path, read_user_file(path, toml.MAX_TOML_CHARACTERS), ())
    numpads = pair_numpads(seats, _print_to_stderr)
    if numpads is None:
        return 0
    if is_written:
        save_numpads(path, numpads)
        _print(str(path))
    else:
        _print(format_numpad_sections(numpads).rstrip())
    return 0


def _print_to_stderr(text: str) -> None:
    """Prints a text for people, while standard output may go into a file."""
    sys.stderr.write(f"{text}\n")


def _print(text: str) -> None:
    sys.stdout.write(f"{text}\n")


HARDWARE = Subcommand(
    "Create, check, list or draw the wiring (hardware.toml), or pair number pads.",
    _add_arguments,
    _run,
    ("companion hardware check", "companion hardware init"),
)
