"""Which number pad is at which seat: people press 1 at one seat after the other.

    from hardware.numpads.pairing import Pairing, sections, struck

    pairing, _ = struck(Pairing((1, 2)), "usb-1.4", "1")
    pairing, _ = struck(pairing, "usb-1.2", "1")
    print(sections(pairing.numpads))

Pure: ports and keys in, sections for hardware.toml out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace

from companion.errors import UserError
from companion.files import toml
from companion.files.user_files import read_text, write_new_file, write_text
from companion.texts import Say, say
from hardware.signals import PadCap
from hardware.wiring.conflicts import WiringError
from hardware.wiring.files import parse_wiring, rights_of
from hardware.wiring.sections import Numpad

TO_PRESS: PadCap = "1"
NUMPAD = re.compile(r"^\s*\[\[\s*numpad\s*\]\].*$")
HEADER = re.compile(r"^\s*\[")


def at_usb(port: str) -> str | None:
    """What a pad is called while its seat isn't known: its port; nothing for what isn't on USB."""
    return port if port.startswith("usb-") else None


class Pairing(msgspec.Struct, frozen=True):
    """The seats still to be asked, the first one now, and the pads whose seat is known."""

    seats: tuple[int, ...]
    numpads: tuple[Numpad, ...] = ()

    @property
    def seat(self) -> int | None:
        """Where 1 is to be pressed now; None: everybody was asked."""
        return self.seats[0] if self.seats else None


def struck(pairing: Pairing, port: str, cap: PadCap | None) -> tuple[Pairing, Say | None]:
    """What a key at a port makes of it, and what to say if it doesn't tell where that pad is."""
    if pairing.seat is None or cap is None:
        return pairing, None
    if cap != TO_PRESS:
        # Enter and the like are pressed in passing, or come from a keyboard.
        return pairing, say("You pressed {key}. Press 1.", key=cap) if cap.isdigit() else None
    taken = next((each.seat for each in pairing.numpads if each.port == port), None)
    if taken is not None:
        return pairing, say(
            "This number pad already belongs to seat {number}. Press 1 on another number pad.", number=taken
        )
    numpads = (*pairing.numpads, Numpad(pairing.seat, port))
    return Pairing(pairing.seats[1:], numpads), None


def skipped(pairing: Pairing) -> Pairing:
    """The seat that is asked now has no number pad."""
    return replace(pairing, seats=pairing.seats[1:])


def sections(numpads: Sequence[Numpad]) -> str:
    """The sections of these pads, as they stand in hardware.toml."""
    return "\n".join(f'[[numpad]]\nseat = {each.seat}\nport = "{each.port}"\n' for each in numpads)


def rewritten(path: Path, text: str, numpads: Sequence[Numpad]) -> str:
    """A hardware.toml with these pads in place of all others; everything else stays as it is written.

    Raises `WiringError` if there is a mistake in it, or if the pads can't be put in without touching more.
    """
    _check(path, text)
    kept = _without_numpads(text).rstrip()
    new = "\n\n".join(filter(None, (kept, sections(numpads).rstrip()))) + "\n"
    if not _is_same_but_for_numpads(text, new, numpads):
        raise WiringError(
            say(
                (
                    "{file}: the [[numpad]] sections can't be changed automatically. Enter the number "
                    "pads by hand."
                ),
                file=str(path),
            )
        )
    _check(path, new)
    return new


def save(path: Path, numpads: Sequence[Numpad]) -> None:
    """Writes them into that file, which is begun if there is none. Raises `UserError`."""
    text = read_text(path, toml.MAX_FILE_CHARACTERS) if path.exists() else ""
    new = rewritten(path, text, numpads)
    (write_text if path.exists() else write_new_file)(path, new, rights_of(path))


def _check(path: Path, text: str) -> None:
    faults = parse_wiring(path, text).faults
    if faults:
        raise WiringError(faults[0])


def _without_numpads(text: str) -> str:
    kept, inside = [], False
    for line in text.splitlines(keepends=True):
        if HEADER.match(line):
            inside = bool(NUMPAD.match(line))
        # A comment under a pad may be about what comes next.
        if not inside or line.lstrip().startswith("#"):
            kept.append(line)
    return "".join(kept)


def _is_same_but_for_numpads(old: str, new: str, numpads: Sequence[Numpad]) -> bool:
    before = toml.parse_toml(old)
    try:
        after = toml.parse_toml(new)
    except UserError:
        return False
    found = [(each["seat"], each["port"]) for each in after.pop("numpad", [])]
    before.pop("numpad", None)
    return before == after and found == [(each.seat, each.port) for each in numpads]
