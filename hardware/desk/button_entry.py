"""Answering with few buttons: what presses at a seat mean, with one button, two or three.

One button (`tap`): each tap counts one more, a long press is OK, a very long one is NO.
Two (`plus`, `ok`): plus counts one more; OK held very long is NO.
Three (`minus`, `plus`, `ok`): minus counts one less, both go on counting while they are held.
As on a keypad, NO erases what was entered; where nothing was, it is the answer *no*.

The first count is the least answer allowed, each further one a step more; an `Amount` that may be 0 and
numbers of things begin at 0; of things OK alone says 0, of an `Amount` NO does.
Below 0 leads minus alone, where that is allowed.
Several numbers are entered one after the other, OK after each.
In a race the first button that goes down is OK, whichever it is.

Pure: presses with their times in, keys of a keypad out. Whether an answer counts is decided by the desk.
"""

from __future__ import annotations

from typing import TypeAlias

import msgspec
from msgspec.structs import replace

from companion.requests import Form, NumberField, number_slots, total_field
from hardware.signals import Held, LetGo, Moved, Pushed, YesNo
from hardware.wiring.sections import Scheme

LONG = 0.6
"""Seconds: a press of the only button as long as this is OK."""
VERY_LONG = 2.0
"""Seconds: a press as long as this is NO."""

Said: TypeAlias = YesNo | tuple[int, ...]
"""OK or NO alone, or numbers and OK."""


NO_FACE = -1
"""What no die shows."""


class ValueSteps(msgspec.Struct, frozen=True):
    """The numbers that counts stand for: `numbers` one by one, or from `first` on in steps up to `most`.

    `nil`: a count of 0 is a number too; `blank`: OK alone says it. Counts below 0 go down to `bottom`.
    """

    first: int = 0
    step: int = 1
    nil: bool = False
    blank: bool = False
    most: int | None = None
    numbers: tuple[int, ...] = ()
    bottom: int = 0

    def number(self, count: int) -> int:
        """What a count stands for; beyond the last of `numbers` it is none that anybody allows."""
        if self.numbers:
            return self.numbers[count - 1] if count <= len(self.numbers) else NO_FACE
        return self.first + self.step * (count if self.nil else count - 1)

    @property
    def top(self) -> int | None:
        """The highest count that stands for an allowed number; None: there is no highest."""
        if self.numbers:
            return len(self.numbers)
        if self.most is None:
            return None
        return max(0, (self.most - self.first) // self.step + (0 if self.nil else 1))


class EntryState(msgspec.Struct, frozen=True):
    """What a seat has entered for a question; `count` is None before the first press."""

    numbers: tuple[int, ...] = ()
    count: int | None = None
    down: tuple[tuple[str, float], ...] = ()
    """The buttons that are down now, and since when."""

    @property
    def is_empty(self) -> bool:
        """Nothing entered."""
        return self.count is None and not self.numbers


def value_steps(form: Form) -> tuple[ValueSteps, ...]:
    """Returns the numbers that a question takes, in order; () where OK or NO alone answers it."""
    is_blank = total_field(form) is not None
    return tuple([_steps_of(number, is_blank=is_blank) for number in number_slots(form)])


def _steps_of(number: NumberField, *, is_blank: bool) -> ValueSteps:
    if number.values:
        return ValueSteps(numbers=tuple(dict.fromkeys(number.values)))
    below = max(0, -(number.least // number.step))
    first = number.least + below * number.step
    has_nil = number.least <= 0
    return ValueSteps(first, number.step, has_nil, is_blank, number.most, bottom=-below)


def apply_button(
    scheme: Scheme, entry: EntryState, signal: Moved, form: Form
) -> tuple[EntryState, Said | None]:
    """What a press, a hold or a release makes of an entry, and the answer it completes."""
    match signal:
        case Pushed() if form.is_race:
            return EntryState(), "ok"
        case Pushed(cap=cap, at=at):
            entry = replace(entry, down=(*_others(entry, cap), (cap, at)))
            return _counted(entry, cap, form, held=False), None
        case Held(cap=cap) if scheme == "three" and cap in dict(entry.down):
            return _counted(entry, cap, form, held=True), None
        case LetGo(cap=cap, at=at) if cap in dict(entry.down):
            seconds = at - dict(entry.down)[cap]
            entry = replace(entry, down=_others(entry, cap))
            if cap == "tap" and seconds < LONG:
                return _stepped(entry, 1, form), None
            if cap in {"tap", "ok"}:
                return _no(entry) if seconds >= VERY_LONG else _ok(entry, form)
    return entry, None


def format_entry(entry: EntryState, form: Form) -> str:
    """What an entry says so far, as keypads show it: `12`, `2.3`; `2.` before the second number."""
    numbers = [str(number) for number in entry.numbers]
    now = _current_steps(entry, form)
    if now is not None and (numbers or entry.count is not None):
        number = "" if entry.count is None else now.number(entry.count)
        numbers.append("-" if number == NO_FACE else str(number))
    return ".".join(numbers)


def _others(entry: EntryState, cap: str) -> tuple[tuple[str, float], ...]:
    return tuple(each for each in entry.down if each[0] != cap)


def _counted(entry: EntryState, cap: str, form: Form, *, held: bool) -> EntryState:
    """Plus and minus count when they go down."""
    if cap == "minus":
        return _stepped(entry, -1, form)
    if cap != "plus":
        return entry
    now = _current_steps(entry, form)
    # Who holds plus looks up late; who presses has counted, and hears it if that was too much.
    if held and now is not None and now.top is not None and (entry.count or 0) >= now.top:
        return entry
    return _stepped(entry, 1, form)


def _stepped(entry: EntryState, by: int, form: Form) -> EntryState:
    now = _current_steps(entry, form)
    if now is None:
        return entry
    count = (entry.count or 0) + by
    if count <= 0 and not now.nil:
        return replace(entry, count=None)
    return replace(entry, count=max(count, now.bottom))


def _current_steps(entry: EntryState, form: Form) -> ValueSteps | None:
    """The numbers of which one is being entered; None where none is asked for."""
    steps = value_steps(form)
    return steps[len(entry.numbers)] if len(entry.numbers) < len(steps) else None


def _ok(entry: EntryState, form: Form) -> tuple[EntryState, Said | None]:
    now, many = _current_steps(entry, form), len(value_steps(form))
    if now is None or (entry.is_empty and not now.blank):
        return EntryState(down=entry.down), "ok"
    if entry.count is None and not now.blank:
        return entry, None
    numbers = (*entry.numbers, now.number(entry.count or 0))
    if len(numbers) < many:
        return replace(entry, numbers=numbers, count=None), None
    return EntryState(down=entry.down), numbers


def _no(entry: EntryState) -> tuple[EntryState, Said | None]:
    return EntryState(down=entry.down), "no" if entry.is_empty else None
