"""Entering answers with keys and buttons: how each key or press changes an entry, until it is an answer.

Keys of keypads and number pads:

    from hardware.desk.entry import KeyEntry, apply_key

    entry, _ = apply_key(KeyEntry(), "1", shown_question=7)
    entry, _ = apply_key(entry, "2", shown_question=7)
    print(apply_key(entry, "OK", shown_question=7).completed_answer)  # (12,)

A seat has one, two or three buttons:

- One button (`tap`): each tap counts one more, a long press is OK, a very long press is NO.
- Two buttons (`plus`, `ok`): plus counts one more; OK held very long is NO.
- Three buttons (`minus`, `plus`, `ok`): minus counts one less; both repeat while they are held.

As on a keypad, NO erases the entry; without an entry, NO is the answer *no*.
The first count is the least answer allowed, and each further count is one step more, which may be a half.
Where only some values are allowed, such as a bidder's numbered tiles, each count is the next higher value.
An `Amount` with a lowest number of 0 and numbers of pieces begin at 0; for pieces OK alone means 0, for an
`Amount` NO does.
Only minus goes below 0, where numbers below 0 are allowed.
Several numbers are entered one after the other, with OK after each.
In a race the first button that goes down is OK, whichever it is.

The functions are pure: they get keys, or presses with their times, and return entries and answers. The desk
decides whether an answer counts.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias, get_args

import msgspec
from msgspec.structs import replace

from companion.half_numbers import WholeOrHalf, number_as_ascii
from companion.requests import (
    Form,
    NumberField,
    number_fields_replacing_all_fields,
    quantities_field_with_total,
)
from hardware.keypad_protocol import MAX_ENTRY_LENGTH, parse_entry
from hardware.signals import ButtonDown, ButtonStillHeld, ButtonUp, ControlKey, OkOrNoKey, PadKey, RawInput
from hardware.wiring.sections import ButtonScheme

PAD_KEYS: tuple[PadKey, ...] = get_args(PadKey)

KeyEntryResult: TypeAlias = ControlKey | tuple[int, ...]
"""The answer that keys of a keypad complete: a control key alone, or numbers followed by OK."""


class KeyEntry(msgspec.Struct, frozen=True):
    """Digits and points entered with keys before OK, and the question that was shown at the first of them."""

    text: str = ""
    question: int = 0


class EntryAfterKey(NamedTuple):
    """The entry after a key, and the answer that the key completed, or None."""

    entry: KeyEntry
    completed_answer: KeyEntryResult | None


def apply_key(entry: KeyEntry, key: PadKey, shown_question: int) -> EntryAfterKey:
    """Applies a key to an entry.

    A point before any digit makes `0.`, so that `.5` isn't taken for 5. OK after a point completes no answer,
    because a number is missing. NO after digits erases them, so that nobody withdraws by mistake.
    """
    match key:
        case "OK" if entry.text.endswith("."):
            return EntryAfterKey(entry, None)
        case "OK":
            return EntryAfterKey(KeyEntry(), parse_entry(entry.text) if entry.text else "ok")
        case "NO":
            return EntryAfterKey(KeyEntry(), None if entry.text else "no")
        case "OWN":
            return EntryAfterKey(entry, "own")
    question = entry.question if entry.text else shown_question
    return EntryAfterKey(KeyEntry(_edit_text(entry.text, key), question), None)


def _edit_text(text: str, key: PadKey) -> str:
    if key == "DEL":
        return text[:-1]
    if key == "." and not text:
        return "0."
    if len(text) == MAX_ENTRY_LENGTH or (key == "." and text.endswith(".")):
        return text
    return text + key


MIN_PRESS_FOR_OK_SECONDS = 0.6
"""Minimum seconds of a press that means OK, at a seat with only one button."""
MIN_PRESS_FOR_NO_SECONDS = 2.0
"""Minimum seconds of a press that means NO."""

ButtonEntryResult: TypeAlias = OkOrNoKey | tuple[WholeOrHalf, ...]
"""The answer that buttons complete: OK or NO alone, or numbers followed by OK."""


IMPOSSIBLE_VALUE = -1
"""A value that no option, no die and no bidder's own number has."""


class ValueSteps(msgspec.Struct, frozen=True):
    """The steps from value to value that presses make: which value a number of presses stands for.

    The steps are the `numbers` one by one, or go from `first` up to `most`. `counts_from_zero`: 0 presses
    stand for a value too; `ok_means_zero`: OK alone enters that value. Counts below 0 go down to
    `min_press_count`.
    """

    first: WholeOrHalf = 0
    step: WholeOrHalf = 1
    counts_from_zero: bool = False
    ok_means_zero: bool = False
    most: WholeOrHalf | None = None
    numbers: tuple[int, ...] = ()
    min_press_count: int = 0

    def value_for_presses(self, press_count: int) -> WholeOrHalf:
        """Returns the value that a number of presses stands for.

        Past the last of `numbers` the value is `IMPOSSIBLE_VALUE`.
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

    finished_numbers: tuple[WholeOrHalf, ...] = ()
    press_count: int | None = None
    held_since_by_button: tuple[tuple[str, float], ...] = ()
    """Pairs of a button that is held down and the time when it went down."""

    @property
    def is_empty(self) -> bool:
        """Whether nothing is entered."""
        return self.press_count is None and not self.finished_numbers


def value_steps_for_each_number(form: Form) -> tuple[ValueSteps, ...]:
    """Returns the value steps for each number that a form asks for.

    Returns () if OK or NO alone answers the form.
    """
    ok_means_zero = quantities_field_with_total(form) is not None
    return tuple(
        [
            _make_value_steps(field, ok_means_zero=ok_means_zero)
            for field in number_fields_replacing_all_fields(form)
        ]
    )


def _make_value_steps(field: NumberField, *, ok_means_zero: bool) -> ValueSteps:
    if field.values:
        return ValueSteps(numbers=tuple(dict.fromkeys(field.values)))
    steps_below_zero = max(0, -(field.least // field.step))
    first = field.least + steps_below_zero * field.step
    counts_from_zero = field.least <= 0
    return ValueSteps(
        first, field.step, counts_from_zero, ok_means_zero, field.most, min_press_count=-steps_below_zero
    )


class EntryAfterButtonSignal(NamedTuple):
    """The entry after a signal of a button, and the answer that the signal completed, or None."""

    entry: ButtonEntry
    completed_answer: ButtonEntryResult | None


def apply_button_signal(
    scheme: ButtonScheme, entry: ButtonEntry, signal: RawInput, form: Form
) -> EntryAfterButtonSignal:
    """Applies a press, hold or release to an entry."""
    match signal:
        case ButtonDown() if form.is_race:
            return EntryAfterButtonSignal(ButtonEntry(), "ok")
        case ButtonDown(button=cap, at=at):
            entry = replace(entry, held_since_by_button=(*_without_button(entry, cap), (cap, at)))
            return EntryAfterButtonSignal(_apply_plus_minus(entry, cap, form, is_held=False), None)
        case ButtonStillHeld(button=cap) if scheme == "three" and cap in dict(entry.held_since_by_button):
            return EntryAfterButtonSignal(_apply_plus_minus(entry, cap, form, is_held=True), None)
        case ButtonUp(button=cap, at=at) if cap in dict(entry.held_since_by_button):
            seconds = at - dict(entry.held_since_by_button)[cap]
            entry = replace(entry, held_since_by_button=_without_button(entry, cap))
            if cap == "tap" and seconds < MIN_PRESS_FOR_OK_SECONDS:
                return EntryAfterButtonSignal(_change_count(entry, 1, form), None)
            if cap in {"tap", "ok"}:
                return _apply_no(entry) if seconds >= MIN_PRESS_FOR_NO_SECONDS else _apply_ok(entry, form)
    return EntryAfterButtonSignal(entry, None)


def format_button_entry(entry: ButtonEntry, form: Form) -> str:
    """Formats an entry as keypads show it: `12`, `2.3`, `7.5` for 7½; `2.` before the second number."""
    numbers = [number_as_ascii(number) for number in entry.finished_numbers]
    steps = _current_steps(entry, form)
    if steps is not None and (numbers or entry.press_count is not None):
        number = None if entry.press_count is None else steps.value_for_presses(entry.press_count)
        numbers.append(
            "" if number is None else "-" if number == IMPOSSIBLE_VALUE else number_as_ascii(number)
        )
    return ".".join(numbers)


def _without_button(entry: ButtonEntry, button: str) -> tuple[tuple[str, float], ...]:
    return tuple(pair for pair in entry.held_since_by_button if pair[0] != button)


def _apply_plus_minus(entry: ButtonEntry, button: str, form: Form, *, is_held: bool) -> ButtonEntry:
    """Returns the entry after plus or minus went down or are held; other buttons change nothing."""
    if button == "minus":
        return _change_count(entry, -1, form)
    if button != "plus":
        return entry
    steps = _current_steps(entry, form)
    # People who hold plus look up late, so holding stops at the limit. People who press have counted, and
    # are told if they pressed too often.
    if (
        is_held
        and steps is not None
        and steps.max_press_count is not None
        and (entry.press_count or 0) >= steps.max_press_count
    ):
        return entry
    return _change_count(entry, 1, form)


def _change_count(entry: ButtonEntry, change: int, form: Form) -> ButtonEntry:
    steps = _current_steps(entry, form)
    if steps is None:
        return entry
    count = (entry.press_count or 0) + change
    if count <= 0 and not steps.counts_from_zero:
        return replace(entry, press_count=None)
    return replace(entry, press_count=max(count, steps.min_press_count))


def _current_steps(entry: ButtonEntry, form: Form) -> ValueSteps | None:
    """Returns the steps of the number that is being entered; None if no number is asked for."""
    steps = value_steps_for_each_number(form)
    return steps[len(entry.finished_numbers)] if len(entry.finished_numbers) < len(steps) else None


def _apply_ok(entry: ButtonEntry, form: Form) -> EntryAfterButtonSignal:
    empty_entry = ButtonEntry(held_since_by_button=entry.held_since_by_button)
    steps, number_count = _current_steps(entry, form), len(value_steps_for_each_number(form))
    if steps is None or (entry.is_empty and not steps.ok_means_zero):
        return EntryAfterButtonSignal(empty_entry, "ok")
    if entry.press_count is None and not steps.ok_means_zero:
        return EntryAfterButtonSignal(entry, None)
    numbers = (*entry.finished_numbers, steps.value_for_presses(entry.press_count or 0))
    if len(numbers) < number_count:
        return EntryAfterButtonSignal(replace(entry, finished_numbers=numbers, press_count=None), None)
    return EntryAfterButtonSignal(empty_entry, numbers)


def _apply_no(entry: ButtonEntry) -> EntryAfterButtonSignal:
    empty_entry = ButtonEntry(held_since_by_button=entry.held_since_by_button)
    return EntryAfterButtonSignal(empty_entry, "no" if entry.is_empty else None)
