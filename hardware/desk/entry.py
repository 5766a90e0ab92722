"""Entering answers with keys and buttons: what each key or press makes of what was entered before.

Keys of keypads and number pads:

    from hardware.desk.entry import KeyEntry, apply_key

    entry, _ = apply_key(KeyEntry(), "1", question=7)
    entry, _ = apply_key(entry, "2", question=7)
    print(apply_key(entry, "OK", question=7))  # (KeyEntry(text='', question=0), (12,))

Buttons of a seat, one, two or three:

- One button (`tap`): each tap counts one more, a long press is OK, a very long press is NO.
- Two buttons (`plus`, `ok`): plus counts one more; OK held very long is NO.
- Three buttons (`minus`, `plus`, `ok`): minus counts one less; both repeat while they are held.

As on a keypad, NO erases what was entered; if nothing was entered, it is the answer *no*.
The first count is the least answer allowed, and each further count is one step more. An `Amount` that may be
0 and numbers of pieces begin at 0; for pieces OK alone says 0, for an `Amount` NO does.
Only minus goes below 0, where that is allowed.
Several numbers are entered one after the other, with OK after each.
In a race the first button that goes down is OK, whichever it is.

All functions are pure: keys, or presses with their times, in; answers out. The desk decides whether an
answer counts.
"""

from __future__ import annotations

from typing import TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from companion.requests import Form, NumberField, number_fields_for_numeric_entry, quantities_field_with_total
from hardware.keypad_protocol import MAX_ENTRY_LENGTH
from hardware.signals import ButtonDown, ButtonHeld, ButtonUp, ControlKey, OkOrNoKey, PadKey, RawInput
from hardware.wiring.sections import ButtonScheme

PAD_KEYS: tuple[PadKey, ...] = get_args(PadKey)

KeyEntryResult: TypeAlias = ControlKey | tuple[int, ...]
"""The answer that keys of a keypad complete: a control key alone, or numbers followed by OK."""


class KeyEntry(msgspec.Struct, frozen=True):
    """What has been entered with keys before OK: digits and points.

    The question that was shown at the first of them is noted too.
    """

    text: str = ""
    question: int = 0


def apply_key(entry: KeyEntry, key: PadKey, shown_question: int) -> tuple[KeyEntry, KeyEntryResult | None]:
    """Applies a key to an entry; returns the new entry, and the answer that the key completes, or None.

    OK after a point completes nothing, because a number is missing. NO after digits erases them, so that
    nobody withdraws by mistake.
    """
    match key:
        case "OK" if entry.text.endswith("."):
            return entry, None
        case "OK":
            return KeyEntry(), tuple(map(int, entry.text.split("."))) if entry.text else "ok"
        case "NO":
            return KeyEntry(), None if entry.text else "no"
        case "OWN":
            return entry, "own"
    return KeyEntry(_edit_text(entry.text, key), entry.question if entry.text else shown_question), None


def _edit_text(text: str, cap: PadKey) -> str:
    if cap == "DEL":
        return text[:-1]
    if len(text) == MAX_ENTRY_LENGTH or (cap == "." and not text[-1:].isdigit()):
        return text
    return text + cap


MIN_PRESS_FOR_OK_SECONDS = 0.6
"""Minimum seconds of a press that means OK, at a seat with only one button."""
MIN_PRESS_FOR_NO_SECONDS = 2.0
"""Minimum seconds of a press that means NO."""

ButtonEntryResult: TypeAlias = OkOrNoKey | tuple[int, ...]
"""The answer that buttons complete: OK or NO alone, or numbers followed by OK."""


IMPOSSIBLE_VALUE = -1
"""A value that no option and no die has."""


class ValueSteps(msgspec.Struct, frozen=True):
    """The steps from value to value that presses make: which value a number of presses stands for.

    These are the `numbers` one by one, or steps from `first` up to `most`. `counts_from_zero`: 0 presses
    stand for a value too; `ok_means_zero`: OK alone enters it. Counts below 0 go down to `min_press_count`.
    """

    first: int = 0
    step: int = 1
    counts_from_zero: bool = False
    ok_means_zero: bool = False
    most: int | None = None
    numbers: tuple[int, ...] = ()
    min_press_count: int = 0

    def value_for_presses(self, press_count: int) -> int:
        """Returns the value that a number of presses stands for.

        Past the last of `numbers`, this is a value that is never allowed.
        """
        if self.numbers:
            return self.numbers[press_count - 1] if press_count <= len(self.numbers) else IMPOSSIBLE_VALUE
        return self.first + self.step * (press_count if self.counts_from_zero else press_count - 1)

    @property
    def max_press_count(self) -> int | None:
        """The highest number of presses that stands for an allowed value; None if there is no limit."""
        if self.numbers:
            return len(self.numbers)
        if self.most is None:
            return None
        return max(0, (self.most - self.first) // self.step + (0 if self.counts_from_zero else 1))


class ButtonEntry(msgspec.Struct, frozen=True):
    """What a seat has entered with buttons so far; `press_count` is None before the first press."""

    finished_numbers: tuple[int, ...] = ()
    press_count: int | None = None
    held_since_by_button: tuple[tuple[str, float], ...] = ()
    """Pairs of a button that is held down and the time since when it is."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is entered."""
        return self.press_count is None and not self.finished_numbers


def value_steps_for_each_number(form: Form) -> tuple[ValueSteps, ...]:
    """Returns the value steps for each number that a form asks for.

    Returns () if OK or NO alone answers the form.
    """
    is_blank = quantities_field_with_total(form) is not None
    return tuple([_steps_of(number, is_blank=is_blank) for number in number_fields_for_numeric_entry(form)])


def _steps_of(number: NumberField, *, is_blank: bool) -> ValueSteps:
    if number.values:
        return ValueSteps(numbers=tuple(dict.fromkeys(number.values)))
    below = max(0, -(number.least // number.step))
    first = number.least + below * number.step
    has_nil = number.least <= 0
    return ValueSteps(first, number.step, has_nil, is_blank, number.most, min_press_count=-below)


def apply_button_signal(
    scheme: ButtonScheme, entry: ButtonEntry, signal: RawInput, form: Form
) -> tuple[ButtonEntry, ButtonEntryResult | None]:
    """Applies a press, hold or release to an entry; returns the new entry, and the answer it completes."""
    match signal:
        case ButtonDown() if form.is_race:
            return ButtonEntry(), "ok"
        case ButtonDown(cap=cap, at=at):
            entry = replace(entry, held_since_by_button=(*_without_button(entry, cap), (cap, at)))
            return _apply_plus_minus(entry, cap, form, held=False), None
        case ButtonHeld(cap=cap) if scheme == "three" and cap in dict(entry.held_since_by_button):
            return _apply_plus_minus(entry, cap, form, held=True), None
        case ButtonUp(cap=cap, at=at) if cap in dict(entry.held_since_by_button):
            seconds = at - dict(entry.held_since_by_button)[cap]
            entry = replace(entry, held_since_by_button=_without_button(entry, cap))
            if cap == "tap" and seconds < MIN_PRESS_FOR_OK_SECONDS:
                return _change_count(entry, 1, form), None
            if cap in {"tap", "ok"}:
                return _apply_no(entry) if seconds >= MIN_PRESS_FOR_NO_SECONDS else _apply_ok(entry, form)
    return entry, None


def format_button_entry(entry: ButtonEntry, form: Form) -> str:
    """Formats an entry as keypads show it: `12`, `2.3`; `2.` before the second number."""
    numbers = [str(number) for number in entry.finished_numbers]
    now = _current_steps(entry, form)
    if now is not None and (numbers or entry.press_count is not None):
        number = "" if entry.press_count is None else now.value_for_presses(entry.press_count)
        numbers.append("-" if number == IMPOSSIBLE_VALUE else str(number))
    return ".".join(numbers)


def _without_button(entry: ButtonEntry, cap: str) -> tuple[tuple[str, float], ...]:
    return tuple(each for each in entry.held_since_by_button if each[0] != cap)


def _apply_plus_minus(entry: ButtonEntry, cap: str, form: Form, *, held: bool) -> ButtonEntry:
    """Returns the entry after plus or minus, which count when they go down."""
    if cap == "minus":
        return _change_count(entry, -1, form)
    if cap != "plus":
        return entry
    now = _current_steps(entry, form)
    # Who holds plus looks up late; who presses has counted, and hears it if that was too much.
    if (
        held
        and now is not None
        and now.max_press_count is not None
        and (entry.press_count or 0) >= now.max_press_count
    ):
        return entry
    return _change_count(entry, 1, form)


def _change_count(entry: ButtonEntry, by: int, form: Form) -> ButtonEntry:
    now = _current_steps(entry, form)
    if now is None:
        return entry
    count = (entry.press_count or 0) + by
    if count <= 0 and not now.counts_from_zero:
        return replace(entry, press_count=None)
    return replace(entry, press_count=max(count, now.min_press_count))


def _current_steps(entry: ButtonEntry, form: Form) -> ValueSteps | None:
    """Returns the steps of the number that is being entered; None if no number is asked for."""
    steps = value_steps_for_each_number(form)
    return steps[len(entry.finished_numbers)] if len(entry.finished_numbers) < len(steps) else None


def _apply_ok(entry: ButtonEntry, form: Form) -> tuple[ButtonEntry, ButtonEntryResult | None]:
    now, many = _current_steps(entry, form), len(value_steps_for_each_number(form))
    if now is None or (entry.is_empty and not now.ok_means_zero):
        return ButtonEntry(held_since_by_button=entry.held_since_by_button), "ok"
    if entry.press_count is None and not now.ok_means_zero:
        return entry, None
    numbers = (*entry.finished_numbers, now.value_for_presses(entry.press_count or 0))
    if len(numbers) < many:
        return replace(entry, finished_numbers=numbers, press_count=None), None
    return ButtonEntry(held_since_by_button=entry.held_since_by_button), numbers


def _apply_no(entry: ButtonEntry) -> tuple[ButtonEntry, ButtonEntryResult | None]:
    return ButtonEntry(held_since_by_button=entry.held_since_by_button), "no" if entry.is_empty else None
