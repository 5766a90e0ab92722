"""What to say of a device that can't be used: whose it is, and what to do."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.table.seats import Seat
from companion.texts import Say, say
from hardware.signals import Lost, TagUnread, Unread, Why

NO_PACKAGE = say("A package for {seat}'s device is missing. Install it or let {seat} use the screen.")

KEYPADS: Mapping[Why, Say] = {
    "unplugged": say("{seat}'s keypad is unplugged. Plug it in again or let {seat} use the screen."),
    "silent": say(
        "{seat}'s keypad isn't responding. Unplug it and plug it in again, or let {seat} use the screen."
    ),
    "another": say(
        "A different keypad is plugged into {seat}'s port. Plug in the right keypad or let {seat} use the "
        "screen."
    ),
    "protocol": say(
        "The firmware on {seat}'s keypad is from another version. Flash it again or let {seat} use the "
        "screen."
    ),
    "denied": say(
        "No permission to read {seat}'s keypad. Join the group {what} (sudo usermod -aG {what} $USER) and "
        "log in again, or let {seat} use the screen."
    ),
    "failed": say("The keypads have stopped working. Restart the Companion or let {seat} use the screen."),
    "no_package": NO_PACKAGE,
}

BUTTONS: Mapping[Why, Say] = {
    "no_pins": say("This computer can't read {seat}'s buttons. Let {seat} use the screen."),
    "taken": say(
        "{what} is using a pin of {seat}'s buttons. Close that program or let {seat} use the screen."
    ),
    "denied": say(
        "No permission to read {seat}'s buttons. Join the group {what} (sudo usermod -aG {what} $USER) and "
        "log in again, or let {seat} use the screen."
    ),
    "stuck": say("{seat}'s button {what} is stuck. Free the button or let {seat} use the screen."),
    "chatters": say(
        "{seat}'s button {what} has a loose wire, or a long wire with interference. Fix the wire or let "
        "{seat} use the screen."
    ),
    "dead": say("The buttons have stopped working. Restart the Companion or let {seat} use the screen."),
    "no_package": NO_PACKAGE,
}

NO_EVDEV = say("Number pads need the package evdev: sudo apt install python3-evdev")
"""What to say where they are looked for."""

NUMPADS: Mapping[Why, Say] = {
    "unplugged": say("{seat}'s number pad is unplugged. Plug it in again or let {seat} use the screen."),
    "denied": say(
        "No permission to read {seat}'s number pad. Join the group {what} (sudo usermod -aG {what} $USER) "
        "and log in again, or let {seat} use the screen."
    ),
    "busy": say(
        "Another program is using {seat}'s number pad. Close that program or let {seat} use the screen."
    ),
    "stuck": say("A key of {seat}'s number pad is stuck: {what}. Free the key or let {seat} use the screen."),
    "dead": say("The number pads have stopped working. Restart the Companion or let {seat} use the screen."),
    "no_package": NO_PACKAGE,
}

ENDS: Mapping[str, Mapping[Why, Say]] = {"keypad": KEYPADS, "buttons": BUTTONS, "numpad": NUMPADS}
"""Of what a seat answers with, by its kind."""

READERS: Mapping[Why, Say] = {
    "unplugged": say("The reader {zone} wasn't found. Switch SPI on, or pick cards on the screen."),
    "silent": say("The reader {zone} isn't responding. Check its wires, or pick cards on the screen."),
    "no_pins": say(
        'The reset pin of the reader {zone} can\'t be used. To see why, run "companion doctor", or pick '
        "cards on the screen."
    ),
    "taken": say(
        "{what} is using the reset pin of the reader {zone}. Close that program, or pick cards on the screen."
    ),
    "denied": say(
        "No permission to use the reader {zone}. Join the group {what} (sudo usermod -aG {what} $USER) and "
        "log in again, or pick cards on the screen."
    ),
    "failed": say("The readers have stopped working. Restart the Companion, or pick cards on the screen."),
    "no_package": say("A package for the reader {zone} is missing. Install it, or pick cards on the screen."),
}
"""Of a reader, which may be anybody's."""


OUTPUTS: Mapping[str, Say] = {
    "light": say(
        "{seat}'s light isn't working. The game goes on without it. To see why, run \"companion doctor\"."
    ),
    "display": say(
        "{seat}'s display isn't working. The game goes on without it. To see why, run \"companion doctor\"."
    ),
    "buzzer": say(
        "{seat}'s buzzer isn't working. The game goes on without it. To see why, run \"companion doctor\"."
    ),
}
"""Of what only tells a seat something."""
TABLES_BUZZER = say(
    "The table's buzzer isn't working. The game goes on without it. To see why, run \"companion doctor\"."
)


TWIN = say(
    "Another keypad has the same id as {seat}'s keypad: {id}. The other keypad isn't used; give it a "
    "different id."
)
"""What the table hears of it, once."""


UNREAD: Mapping[Unread, Say] = {
    "check": say("Tag {tag} is broken: its check byte is wrong. Use another tag."),
    "mark": say("Tag {tag} is forged or broken: it gives two lengths for its id. Use another tag."),
}
"""Of a tag that can't be read, to whoever teaches or tries it."""


def unread(signal: TagUnread) -> Say:
    """What to say of it."""
    return say(UNREAD[signal.why].template, tag=signal.tag)


class Missing(msgspec.Struct, frozen=True):
    """A device that can't be used, and what to do; a question to its seat waits. No seat: the table's."""

    seat: Seat | None
    why: Say


def missing(lost: Lost, seat: Seat | None, zone: str | None) -> Missing:
    """What to say of a lost device; a reader has a zone, and all else that has no seat is a buzzer."""
    if zone is not None:
        return Missing(seat, say(READERS[lost.why].template, zone=zone, what=lost.what))
    if seat is None:
        return Missing(None, TABLES_BUZZER)
    kind = lost.device.partition(" ")[0]
    if kind in OUTPUTS:
        return Missing(seat, say(OUTPUTS[kind].template, seat=seat))
    return Missing(seat, say(ENDS[kind][lost.why].template, seat=seat, what=lost.what))
