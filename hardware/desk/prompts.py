"""Builds the panel of a seat's devices: a line of sixteen cells for the open question, and a light.

The module gets only the public view, so a line can't show what others may not know. The light is on while the
table waits for the seat. The words are the desk's own: a display has no kanji, and the sentences of games are
longer than a line.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce

from msgspec.structs import replace

from companion.bounds import MAX_ENTERED_NUMBER
from companion.half_numbers import WholeOrHalf
from companion.requests import (
    CardsField,
    ConfirmField,
    Form,
    NumberField,
    OptionField,
    QuantitiesField,
    number_fields_replacing_all_fields,
    quantities_field_with_total,
)
from companion.session.view import View
from companion.table.scores import GameResult
from companion.table.seats import Seat
from companion.texts import Say, Text, render, say, say_list
from hardware.device_drivers import SeatPanel, can_display_show

DISPLAY_LINE_CELLS = 16
DECLINE_KEY = "NO"
THOUSAND = 1000
MAX_NUMBERS_SHOWN_AS_BLANKS = 4
"""Maximum number of numbers shown as one blank each, such as `_._`.

More numbers are shown as `6x_`, so that the line has room for their sum too.
"""
MAX_LISTED_VALUES = DISPLAY_LINE_CELLS // 2
"""Maximum number of values listed before the count of the others: no line has room for more of them."""


def build_seat_panel(
    public_view: View, seat: Seat, language: str, tags_on_reader_count: int = 0
) -> SeatPanel:
    """Builds the panel that the devices of a seat show, from the public view.

    After an envelope is filled, the line doesn't depend on the answer in it, and the answer may be changed.
    """
    if public_view.result is not None:
        return SeatPanel(line=_first_text_that_fits(language, _format_place(public_view.result, seat)))
    part = public_view.question.question_for(seat) if public_view.question else None
    awaited_seats = public_view.awaited_seats or public_view.seats
    names = say_list(awaited_seats)
    if part is None:
        return SeatPanel(line=_first_text_that_fits(language, say("Wait: {seats}", seats=names), say("Wait")))
    if seat not in awaited_seats:
        return SeatPanel(
            public_view.question_number,
            _first_text_that_fits(language, say("OK. Wait: {seats}", seats=names), say("OK. Wait")),
        )
    form = part.form
    if tags_on_reader_count and isinstance(form.single_field, CardsField):
        return SeatPanel(
            public_view.question_number,
            _first_text_that_fits(language, say("{n} laid: OK", n=tags_on_reader_count)),
            "on",
        )
    return SeatPanel(
        public_view.question_number, _first_text_that_fits(language, *display_texts_by_preference(form)), "on"
    )


def key_texts_by_preference(form: Form) -> tuple[str, ...]:
    """Returns texts for the keys that answer a form, for any language, the most complete one first.

    The only text is "" if a keypad can't answer the form.
    """
    key_texts: tuple[str, ...] = ("",)
    numbers, total = number_fields_replacing_all_fields(form), quantities_field_with_total(form)
    if total is not None:
        blanks = _format_blanks(total.numbers)
        key_texts = tuple(f"{text}={blanks}" if text else "" for text in _total_texts(total))
    elif form.is_list_answer:
        key_texts = (_format_blanks(numbers),)
    elif numbers:
        key_texts = _range_texts(numbers[0], is_choice=isinstance(form.single_field, OptionField))
    elif isinstance(form.single_field, ConfirmField):
        key_texts = ("OK",)
    before, after = "OK" if form.app_may_roll else "", DECLINE_KEY if form.may_decline_now else ""
    return tuple("/".join(filter(None, (before, keys, after))) for keys in key_texts)


def wrong_key_message(form: Form) -> Say:
    """Returns the message after a wrong key: which keys are allowed."""
    key_texts = key_texts_by_preference(form)
    if not key_texts[0]:
        return say("Use the screen")
    texts = _texts_with_keys(say("Only {keys}", keys=""), key_texts)
    return next((text for text in texts if _fits_line(render(text))), texts[-1])


def display_texts_by_preference(form: Form) -> tuple[Text, ...]:
    """Returns the texts for the line of a keypad's display, the preferred one first."""
    key_texts = key_texts_by_preference(form)
    if not form.fields or not key_texts[0]:
        return (wrong_key_message(form),)
    texts = _texts_with_keys(form.keypad_line, key_texts)
    if isinstance(form.single_field, ConfirmField):
        return texts[:1]
    if not isinstance(form.single_field, OptionField):
        return texts
    options = enumerate(form.single_field.options.values(), 1)
    return _join_with_spaces([say("{key} {option}", key=at, option=option) for at, option in options]), *texts


def _texts_with_keys(line: Say, key_texts: Sequence[str]) -> tuple[Say, ...]:
    """Returns a line with the keys, and the keys alone, the preferred text first.

    All keys without a word are better than some keys with it. The last, least complete keys come after all
    others.
    """
    lines = [replace(line, args=(("keys", keys),)) for keys in key_texts]
    lone_keys = [say("{keys}", keys=keys) for keys in key_texts]
    complete, incomplete, least_complete = slice(0, 1), slice(1, -1), slice(max(1, len(key_texts) - 1), None)
    return tuple(
        text for part in (complete, incomplete, least_complete) for text in (*lines[part], *lone_keys[part])
    )


def _format_place(result: GameResult, seat: Seat) -> Say:
    own_standing = next(standing for standing in result.standings if standing.seat == seat)
    return say("Place {rank}: {total}", rank=own_standing.rank, total=own_standing.total)


def _join_with_spaces(texts: Sequence[Say]) -> Say:
    return reduce(lambda one, other: say("{one} {other}", one=one, other=other), texts)


@lru_cache(maxsize=256)  # panels are built many times while a question is open
def _first_text_that_fits(language: str, *texts: Text) -> str:
    lines = [render(text, language) for text in texts]
    return next(filter(_fits_line, lines), lines[-1])


def _fits_line(line: str) -> bool:
    return can_display_show(line, width_cells=DISPLAY_LINE_CELLS)


def _range_texts(number: NumberField, *, is_choice: bool = False) -> tuple[str, ...]:
    """Returns texts for the allowed numbers, the most complete one first.

    The texts are `5-99`, `5..` without a limit, `10,20..90` in steps, `1` for one choice. The second number
    after `0,½..` says that halves are allowed; displays write it as 0.5. If a line has no room for both
    limits, thousands stand for them: `12346k-98765k` are allowed from 12,345,678 to 98,765,432. If there is
    no room for that either, the lowest number is enough. Numbers of a bidder's own are `2,5,9`, or `2,5,+7`
    for these and seven others. The only text is "" if no number is allowed.
    """
    if number.values:
        texts = [str(value) for value in number.values]
        listed_counts = range(min(len(texts) - 1, MAX_LISTED_VALUES), 0, -1)
        some_values = [",".join([*texts[:listed], f"+{len(texts) - listed}"]) for listed in listed_counts]
        return ",".join(texts), *some_values
    least, most, step = number.least, number.stated_most, number.step
    if number.allows_halves or number.stated_least is None:
        least = max(least, 0)  # keys have no minus, and a longer line has no room for the first half
    if most is not None and least > most:
        return ("",)
    if is_choice and least == most:
        return (str(least),)
    at_least = f"{least}.."
    if most is None or most >= MAX_ENTERED_NUMBER:
        return (f"{least},{least + step}..", at_least) if step != 1 else (at_least,)
    both_limits = f"{least},{least + step}..{most}" if step != 1 else f"{least}-{most}"
    return both_limits, *_ranges_in_thousands(least, most), at_least


def _ranges_in_thousands(least: WholeOrHalf, most: WholeOrHalf) -> Iterator[str]:
    """Yields shorter texts for a range: with the highest number in thousands, then with both.

    Numbers are rounded so that all in the text are allowed. No text is yielded if nothing is left then, or
    if a limit has a half.
    """
    if not (isinstance(least, int) and isinstance(most, int)):
        return
    least_thousands, most_thousands = -(-least // THOUSAND), most // THOUSAND
    if most_thousands > 0 and least_thousands < most_thousands:
        yield f"{least}-{most_thousands}k"
        yield f"{least_thousands}k-{most_thousands}k"


def _total_texts(total: QuantitiesField) -> tuple[str, ...]:
    """Returns texts for the total that numbers must reach: `3`, `0-9`, `2..`; "" if they can't reach it."""
    least = total.least or 0
    if any(part.unit_value != 1 for part in total.numbers):
        return (str(least),)
    most = total.highest_total
    return (str(least),) if least == most else _range_texts(NumberField(least=least, most=most))


def _format_blanks(numbers: Sequence[NumberField]) -> str:
    """Formats a blank per number: `_._`, `_x5._x1` with the value of each, or `6x_` if a line has no room."""
    if any(number.unit_value != 1 for number in numbers):
        return ".".join(f"_x{number.unit_value}" for number in numbers)
    return (
        ".".join("_" * len(numbers)) if len(numbers) <= MAX_NUMBERS_SHOWN_AS_BLANKS else f"{len(numbers)}x_"
    )
