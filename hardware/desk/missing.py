"""What to say of a device that can't be used: whose it is, and what to do."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec

from companion.table.seats import Seat
from companion.words import Say, say
from hardware.signals import Lost, TagUnread, Unread, Why

NO_PACKAGE = say("A package for {seat}'s device is missing. Install it or let {seat} use the screen.")

KEYPADS: Mapping[Why, Say] = {
    "unplugged": say("{seat}'s keypad is unplugged. Plug it in again or let {seat} use the screen."),
    "silent": say("{seat}'s keypad says nothing. Plug it in again or let {seat} use the screen."),
    "another": say("Another keypad is at {seat}'s port. Plug in the right one or let {seat} use the screen."),
    "protocol": say("{seat}'s keypad speaks another version. Let {seat} use the screen."),
    "denied": say(
        "{seat}'s keypad can't be read. Join the group {what} (sudo usermod -aG {what} $USER) and log in "
        "again, or let {seat} use the screen."
    ),
    "failed": say("The keypads have failed. Start again or let {seat} use the screen."),
    "no_package": NO_PACKAGE,
}

BUTTONS: Mapping[Why, Say] = {
    "no_pins": say("{seat}'s buttons can't be read here. Let {seat} use the screen."),
    "taken": say("{what} has a pin of {seat}'s buttons. End that program or let {seat} use the screen."),
    "denied": say(
        "{seat}'s buttons can't be read. Join the group {what} (sudo usermod -aG {what} $USER) and log in "
        "again, or let {seat} use the screen."
    ),
    "stuck": say("{seat}'s button {what} doesn't come up. Free it or let {seat} use the screen."),
    "chatters": say(
        "{seat}'s button {what} has a loose wire, or one so long that it hums. Mend it or let {seat} use the "
        "screen."
    ),
    "dead": say("The buttons have failed. Start again or let {seat} use the screen."),
    "no_package": NO_PACKAGE,
}

NO_EVDEV = say("Number pads need the package evdev: sudo apt install python3-evdev")
"""What to say where they are looked for."""

NUMPADS: Mapping[Why, Say] = {
    "unplugged": say("{seat}'s number pad is unplugged. Plug it in again or let {seat} use the screen."),
    "denied": say(
        "{seat}'s number pad can't be read. Join the group {what} (sudo usermod -aG {what} $USER) and log "
        "in again, or let {seat} use the screen."
    ),
    "busy": say("Another program holds {seat}'s number pad. End it or let {seat} use the screen."),
    "stuck": say("A key of {seat}'s number pad is held down: {what}. Free it or let {seat} use the screen."),
    "dead": say("The number pads have failed. Start again or let {seat} use the screen."),
    "no_package": NO_PACKAGE,
}

ENDS: Mapping[str, Mapping[Why, Say]] = {"keypad": KEYPADS, "buttons": BUTTONS, "numpad": NUMPADS}
"""Of what a seat answers with, by its kind."""

READERS: Mapping[Why, Say] = {
    "unplugged": say("The reader {zone} isn't there. Switch SPI on, or pick cards on the screen."),
    "silent": say("The reader {zone} says nothing. Look at its wires, or pick cards on the screen."),
    "no_pins": say(
        "The reset pin of the reader {zone} can't be used. Ask the doctor why, or pick cards on the screen."
    ),
    "taken": say(
        "{what} has the reset pin of the reader {zone}. End that program, or pick cards on the screen."
    ),
    "denied": say(
        "The reader {zone} can't be read. Join the group {what} (sudo usermod -aG {what} $USER) and log in "
        "again, or pick cards on the screen."
    ),
    "failed": say("The readers have failed. Start again, or pick cards on the screen."),
    "no_package": say("A package for the reader {zone} is missing. Install it, or pick cards on the screen."),
}
"""Of a reader, which may be anybody's."""


OUTPUTS: Mapping[str, Say] = {
    "light": say("{seat}'s light can't be used. The game goes on without it; the doctor says why."),
    "display": say("{seat}'s display can't be used. The game goes on without it; the doctor says why."),
    "buzzer": say("{seat}'s buzzer can't be used. The game goes on without it; the doctor says why."),
}
"""Of what only tells a seat something."""
TABLES_BUZZER = say("The table's buzzer can't be used. The game goes on without it; the doctor says why.")


TWIN = say("Another keypad calls itself {id}, as {seat}'s does. It isn't used; give it an id of its own.")
"""What the table hears of it, once."""


UNREAD: Mapping[Unread, Say] = {
    "check": say("Tag {tag} has a wrong check byte: it is broken. Take another."),
    "mark": say("Tag {tag} contradicts itself on how long its id is: it is forged or broken. Take another."),
}
"""Of a tag that can't be read, to whoever teaches or tries it."""


def unread(signal: TagUnread) -> Say:
    """What to say of it."""
    return say(UNREAD[signal.why].id, tag=signal.tag)


class Missing(msgspec.Struct, frozen=True):
    """A device that can't be used, and what to do; a question to its seat waits. No seat: the table's."""

    seat: Seat | None
    why: Say


def missing(lost: Lost, seat: Seat | None, zone: str | None) -> Missing:
    """What to say of a lost device; a reader has a zone, and all else that has no seat is a buzzer."""
    if zone is not None:
        return Missing(seat, say(READERS[lost.why].id, zone=zone, what=lost.what))
    if seat is None:
        return Missing(None, TABLES_BUZZER)
    kind = lost.device.partition(" ")[0]
    if kind in OUTPUTS:
        return Missing(seat, say(OUTPUTS[kind].id, seat=seat))
    return Missing(seat, say(ENDS[kind][lost.why].id, seat=seat, what=lost.what))
