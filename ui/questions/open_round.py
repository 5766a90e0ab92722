"""A round with open answers: a row for each seat, filled in on one shared pad or on keypads."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.requests import (
    NumberField,
    QuantitiesField,
    Request,
    Together,
    answer_from_numbers,
    number_fields_for_numeric_entry,
    numbers_from_answer,
)
from companion.session.view import View
from companion.table.seats import Seat
from companion.texts import render, say_list
from ui import theme
from ui.events import EventMixin
from ui.host import get_companion_app
from ui.pages import Page
from ui.questions.question import Question, make_question_widget, report_touches_on_unavailable_options
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key
from ui.widgets.keys.number_pad import DIGIT_KEYS_WIDTH_TARGETS, NumberPad
from ui.widgets.keys.typed_number import TypedNumber
from ui.widgets.seats.answer_rows import OpenRoundRow
from ui.widgets.sheets.messages import RefusalNotice
from ui.widgets.sheets.overlays import Overlay

MIN_ROW_WIDTH_IN_TARGETS, WIDTH_PER_FURTHER_NUMBER_IN_TARGETS = 2.7, 0.9
"""The minimum width of a row, and for each further number in the row, in targets."""
PAD_HEIGHT_IN_TARGETS = 4.25
"""The height of the pad in targets: three rows of digits, the confirming key, and the gaps."""
SeatAndNumberKey = tuple[Seat, str]
"""One number of a seat's answer: the seat, and the number's key."""


def number_fields_for_pad(part: Request[Any]) -> tuple[NumberField, ...]:
    """Returns the number fields of a seat's question, if a pad can enter its answer.

    () if the question needs another widget.
    """
    form = part.form
    if form.decline is not None and not isinstance(form.decline.answer, int):
        return ()
    if isinstance(form.single_field, NumberField | QuantitiesField):
        return number_fields_for_numeric_entry(form)
    return (NumberField(most=0),) if form.decline and not form.fields else ()


class RoundNumberPad(NumberPad):
    """A pad of digits for the numbers of a round, with a key below that takes the number.

    An empty pad counts as 0.
    """

    def _arrange(self, *_: object) -> None:
        """Places the digits above the key; the row of the seat shows the typed number."""
        if self.children:
            return
        self.orientation, self.spacing = "vertical", theme.length.gap / 2
        self.answers.height = theme.length.target
        for part in (self.digits, self.answers):
            self.add_widget(part)

    def is_number_allowed(self) -> bool:
        """Returns whether the number on the pad is allowed."""
        return bool(self.is_amount_allowed is None or self.is_amount_allowed(self.amount or 0))

    @property
    def has_typed_allowed_number(self) -> bool:
        """Returns whether somebody has typed a number, and the number is allowed."""
        return self.amount is not None and not self.typed_number.is_offered and self.is_number_allowed()

    def _show(self, *changed: object) -> None:
        """Updates the pad; the key says what comes next."""
        super()._show(*changed)
        self.confirm_key.text, self.confirm_key.icon = self.confirm_text, ""


class RoundAnswerSheet(EventMixin, BoxLayout):
    """A sheet of an open round: a row for each seat's answer, and one pad that fills row after row.

    Call `show_answers` with the answers so far. The pad enters the number `current_field`, then the next
    one. If the seats are asked for something else than numbers, there is no pad, and the owner of the sheet
    asks. `submits_per_seat`: an answer is sent as soon as its seat has all numbers; else the last key
    sends all.
    """

    __events__ = (
        "on_taken",  # seat, plain: that is the answer of that seat
        "on_all",  # plain: these are the answers of all, by the numbers of their seats
        "on_put",  # seat: what is asked of that seat is to be put to people
    )

    def __init__(self, question: Request[Any], **kwargs: Any) -> None:
        super().__init__(spacing=theme.length.gap, **kwargs)
        self.parts_by_seat: Mapping[Seat, Request[Any]] = question.parts_by_seat
        self.has_pad = all(map(number_fields_for_pad, self.parts_by_seat.values()))
        self.submits_per_seat = True
        self.answer_by_seat: dict[Seat, Any] = {}
        self._typed: dict[SeatAndNumberKey, int] = {}
        self.rows = {seat: OpenRoundRow(seat, self._labels(seat)) for seat in self.parts_by_seat}
        self.fields = [(seat, key) for seat in self.parts_by_seat for key in self._keys(seat)]
        self.current_field = self.fields[0]
        self.pad = RoundNumberPad(is_amount_allowed=self._allows)
        self.grid = GridLayout(cols=1, spacing=theme.length.gap / 2)
        for row in self.rows.values():
            row.bind(on_release=self._touch)
            self.grid.add_widget(row)
        self.pad.bind(on_confirm=lambda *_: self._confirm(), typed_number=lambda *_: self.update_rows())
        self.fbind("size", self._fit)

    def _keys(self, seat: Seat) -> list[str]:
        return list(self._numbers(seat)) if self.has_pad else [""]

    def _numbers(self, seat: Seat) -> dict[str, NumberField]:
        """Returns the number fields of a seat by key, with the current limits."""
        return {number.key: number for number in number_fields_for_pad(self.parts_by_seat[seat])}

    def _labels(self, seat: Seat) -> list[str]:
        lang = get_companion_app().lang
        if not self.has_pad:
            return [""]
        return [render(number.label, lang) for number in self._numbers(seat).values()]

    # What stands in it

    def show_answers(self, answer_by_seat: Mapping[Seat, Any], *, submit_per_seat: bool = True) -> None:
        """Shows the answers so far, and goes on to the next number once the current one has an answer."""
        seat, _ = self.current_field
        came = seat in answer_by_seat and answer_by_seat.get(seat) != self.answer_by_seat.get(seat)
        self.answer_by_seat, self.submits_per_seat = dict(answer_by_seat), submit_per_seat
        self._typed = {
            field: number for field, number in self._typed.items() if field[0] not in answer_by_seat
        }
        if came or self.pad.typed_number == TypedNumber():
            self._choose(self._next())
        self.update_rows()

    @property
    def unanswered_seats(self) -> list[Seat]:
        """Returns the seats without an answer."""
        return [seat for seat in self.rows if seat not in self.answer_by_seat]

    @property
    def is_last_missing_number(self) -> bool:
        """Returns whether the current number is the last one that is missing."""
        return not {field for field in self.fields if self._number(field) is None} - {self.current_field}

    def _number(self, field: SeatAndNumberKey) -> int | None:
        seat, key = field
        if field in self._typed:
            return self._typed[field]
        return (
            self.answer_numbers_by_key(seat, self.answer_by_seat[seat])[key]
            if seat in self.answer_by_seat
            else None
        )

    def answer_numbers_by_key(self, seat: Seat, json_answer: Any) -> dict[str, int]:
        """Returns the numbers of a seat's answer, by key."""
        row = numbers_from_answer(self.parts_by_seat[seat].form, json_answer) or [json_answer]
        return dict(zip(self._keys(seat), row, strict=True))

    def _plain(self, seat: Seat, numbers: Mapping[str, int]) -> Any:
        """Returns the answer as JSON that these numbers of a seat make."""
        row = list(numbers.values())
        meant = answer_from_numbers(self.parts_by_seat[seat].form, row)
        return row[0] if meant is None else meant[0]  # what is no answer any more the question refuses

    def _next(self) -> SeatAndNumberKey:
        """Returns the next missing number from the current one on, all round; else the current one."""
        if not self.has_pad:
            return self.current_field
        at = self.fields.index(self.current_field)
        order = (*self.fields[at:], *self.fields[:at])
        return next((field for field in order if self._number(field) is None), self.current_field)

    def _choose(self, field: SeatAndNumberKey) -> None:
        """Makes a number the current one; the first typed digit replaces its value."""
        self.current_field = seat, key = field
        if self.has_pad:
            number = self._numbers(seat)[key]
            self.pad.least, self.pad.most, self.pad.step = number.least, number.most, number.step
            self.pad.offer_amount(self._number(field))

    def _touch(self, row: OpenRoundRow) -> None:
        """Goes to the touched number, and keeps what was typed for the number before."""
        if not self.has_pad:
            self._choose((row.seat, ""))
            self.update_rows()
            self.dispatch("on_put", row.seat)
            return
        if self.pad.has_typed_allowed_number:
            self._keep(self.pad.amount or 0)
        self._choose((row.seat, self._keys(row.seat)[row.touched_number_index]))
        self.update_rows()

    def _keep(self, number: int) -> None:
        """Keeps a number; a seat that has all its numbers has answered, unless that ended the round."""
        ends = self.is_last_missing_number
        self._typed[self.current_field] = number
        if self.submits_per_seat and not ends:
            self._tell(self.current_field[0])

    def _tell(self, seat: Seat) -> None:
        numbers = {key: self._number((seat, key)) for key in self._keys(seat)}
        if None not in numbers.values():
            for key in numbers:
                self._typed.pop((seat, key), None)
            self.dispatch("on_taken", seat, self._plain(seat, {k: n or 0 for k, n in numbers.items()}))

    def _confirm(self) -> None:
        """Takes the number and goes to the next one; after the last missing number, sends the answers."""
        number, ends = self.pad.amount or 0, self.is_last_missing_number
        self._keep(number)
        if ends:
            self._end()
        self._choose(self._next())
        self.update_rows()

    def _end(self) -> None:
        """Sends every answer that isn't in yet, or all answers if they are given anew."""
        if self.submits_per_seat:
            for seat in dict.fromkeys((*(seat for seat, _ in self._typed), self.current_field[0])):
                self._tell(seat)
            return
        answers = {
            str(seat.number): self._plain(
                seat, {key: self._number((seat, key)) or 0 for key in self._keys(seat)}
            )
            for seat in self.parts_by_seat
        }
        self.dispatch("on_all", answers)

    def update_rows(self) -> None:
        """Updates all rows, and the text of the key."""
        app = get_companion_app()
        for seat, row in self.rows.items():
            keys = self._keys(seat)
            row.active_number_index = (
                keys.index(self.current_field[1]) if seat == self.current_field[0] else -1
            )
            row.is_answer_complete = self.submits_per_seat and seat in self.answer_by_seat
            row.show_numbers([self._shown((seat, key)) for key in keys])
        self.pad.confirm_text = (
            app.tr("Enter all answers") if self.has_pad and self.is_last_missing_number else app.tr("Next")
        )

    def _shown(self, field: SeatAndNumberKey) -> str:
        seat, _ = field
        if not self.has_pad:
            part = self.parts_by_seat[seat]
            lang = get_companion_app().lang
            return (
                render(part.describe_revealed_answer(part.parse_answer(self.answer_by_seat[seat])), lang)
                if seat in self.answer_by_seat
                else ""
            )
        if field == self.current_field and self.pad.typed_number != TypedNumber():
            return str(self.pad.typed_number.display_text)
        number = self._number(field)
        return "" if number is None else TypedNumber.from_amount(number).display_text

    def _allows(self, number: int) -> bool:
        seat, key = self.current_field
        if not self.has_pad:
            return False
        return self.parts_by_seat[seat].form.is_decline(number) or self._numbers(seat)[key].accepts(number)

    # How it stands

    def layouts_fitting_width(self, width: float) -> list[tuple[int, float]]:
        """Returns the layouts that fit the width.

        Each layout is a number of columns of rows, and the height. Columns above 0: the rows are beside the
        pad. Below 0: they are above the pad.
        """
        sizes, count = theme.length, len(self.rows)
        target, gap = sizes.target, sizes.gap
        several = len(self.fields) // count - 1
        pad, row, wide = (
            PAD_HEIGHT_IN_TARGETS * target,
            target + gap / 2,
            (MIN_ROW_WIDTH_IN_TARGETS + WIDTH_PER_FURTHER_NUMBER_IN_TARGETS * several) * target + gap / 2,
        )
        above = int((width + gap / 2) // wide)
        if not self.has_pad:
            return [(-above, ceil(count / above) * row)] if above else []
        beside = max(0, int((width - DIGIT_KEYS_WIDTH_TARGETS * target - gap / 2) // wide))
        found = [(cols, max(pad, ceil(count / cols) * row - gap / 2)) for cols in range(1, beside + 1)]
        if above and width >= DIGIT_KEYS_WIDTH_TARGETS * target:
            found.append((-above, ceil(count / above) * row + gap + pad))
        return found

    def _fit(self, *_: object) -> None:
        """Chooses the first layout that fits: rows beside the pad before rows above it."""
        layouts = self.layouts_fitting_width(self.width)
        fitting = [cols for cols, high in layouts if high <= self.height + 1]
        cols = (fitting or [cols for cols, _ in layouts] or [1])[0]
        target = theme.length.target
        self.orientation = "horizontal" if cols > 0 else "vertical"
        self.grid.cols = abs(cols)
        spare = self.height - dict(layouts).get(cols, self.height)
        self.pad.size_hint = (None, 1) if cols > 0 else (1, None)
        self.pad.size = (
            DIGIT_KEYS_WIDTH_TARGETS * target,
            PAD_HEIGHT_IN_TARGETS * target + max(0.0, spare) / 2,
        )
        self.clear_widgets()
        for part in (self.grid, self.pad) if self.has_pad else (self.grid,):
            self.add_widget(part)


# The question with its rows, or the key that opens them over everything


PREFERRED_TO_MIN_HEIGHT_RATIO = 1.2
"""The preferred height of rows and keys, relative to their minimum."""


class RoundOverlayPage(Page):
    """A page over the whole screen with the sheet of a round or one seat's question, and any refusal."""

    def __init__(self, title: str, content: Any, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(padding=(gap, gap / 2), spacing=gap / 2, **kwargs)
        self.refusal = RefusalNotice()
        self.content = content
        self.add_content(title, content)

    def show_refusal(self, text: str) -> None:
        """Shows why the answer is refused, until the next touch."""
        self.refusal.text = text
        self.refusal.show_over(self, self.head.area_beside_back_key)

    def on_touch_down(self, touch: Any) -> bool:
        """Handles a touch, and removes the last refusal."""
        return self.refusal.dismiss_on_touch(touch) or bool(super().on_touch_down(touch))


class OpenRound(Question[Together[Any]]):
    """The widget of an open round: the rows of all seats, or a key that opens them on a page.

    After `prefill`, it gives all answers again at once.
    """

    __events__ = ("on_draft",)  # seat, plain: one seat's answer as JSON

    def build_widgets(self) -> None:
        """Builds the rows, and the key that replaces them if they don't fit."""
        self._over: Overlay | None = None
        self.sheet = RoundAnswerSheet(self.request)
        self.sheet.bind(on_taken=lambda _, seat, plain: self._take(seat, plain))
        self.sheet.bind(on_all=lambda _, plain: self.dispatch("on_answer", plain))
        self.sheet.bind(on_put=lambda _, seat: self._put(seat))
        self.open_sheet_key = Key(look="brass", name="unfold", size_hint_y=None, height=theme.length.target)
        self.open_sheet_key.bind(
            on_release=lambda _: self._lay(self.render_with_short_names(self.request.text), self.sheet)
        )
        self.missing_names_text = FittedLabel(is_on_felt=True, halign="center", lines=2)
        self._read(self.view)

    def show_newer_view(self, view: View) -> None:
        """Shows a newer view, with the answers so far."""
        super().show_newer_view(view)
        self._read(view)
        self.update_texts()

    def _read(self, seen: View) -> None:
        self.sheet.show_answers(
            {each.seat: each.open_answer[0] for each in seen.envelopes if each.open_answer is not None}
        )

    def prefill(self, previous_answer: Mapping[Seat, Any]) -> None:
        """Fills in the previous answer of each seat."""
        parts = self.request.parts_by_seat
        self.sheet.show_answers(
            {seat: part.answer_to_json(previous_answer[seat]) for seat, part in parts.items()},
            submit_per_seat=False,
        )
        self.update_texts()

    def _take(self, seat: Seat, plain: object) -> None:
        """Sends one seat's answer; all answers if the round was answered before."""
        if self.sheet.submits_per_seat:
            self.dispatch("on_draft", seat, plain)
            return
        values = {**self.sheet.answer_by_seat, seat: plain}
        self.dispatch("on_answer", {str(each.number): values[each] for each in self.request.parts_by_seat})

    def _put(self, seat: Seat) -> None:
        """Opens the question of one seat, if it doesn't ask for numbers."""
        part = self.request.parts_by_seat[seat]
        self.seat_question: Any = make_question_widget(part, self.view)
        self.seat_question.bind(on_answer=lambda _, plain: self._answered(seat, plain))
        report_touches_on_unavailable_options(self.seat_question, self.try_show_refusal)
        self._lay(f"{seat.name}: {self.render_with_short_names(part.text)}", self.seat_question)

    def _answered(self, seat: Seat, plain: object) -> None:
        self._close()
        self._take(seat, plain)

    def update_texts(self) -> None:
        """Updates the rows, the names of the missing seats, and the texts of the keys."""
        tr, missing = self.app.tr, self.sheet.unanswered_seats
        self.sheet.update_rows()
        self.open_sheet_key.text = tr("Enter all answers")
        names = self.render_with_short_names(say_list(missing)) if missing else ""
        self.missing_names_text.text = tr("Still missing: {names}", names=names) if missing else ""

    def try_show_refusal(self, text: str) -> bool:
        """Shows the refusal on the open page, if there is one; returns whether it did."""
        if self._over is None:
            return False
        self._over.content.show_refusal(text)
        return True

    # Where it stands

    def height_range(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height at this width: all rows and the pad."""
        high = min(
            (high for _, high in self.sheet.layouts_fitting_width(width)), default=self.min_collapsed_height
        )
        return high, high * PREFERRED_TO_MIN_HEIGHT_RATIO

    @property
    def min_collapsed_height(self) -> float:
        """Returns the minimum height with all rows on a page of their own.

        What remains is the key that opens the rows on that page.
        """
        return theme.length.target

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the rows and the pad, at any height."""
        return not self.sheet.layouts_fitting_width(width)

    def adapt_to_size(self) -> None:
        """Adapts to the size: shows the rows and the pad, or the key that opens them."""
        has_room = any(high <= self.height + 1 for _, high in self.sheet.layouts_fitting_width(self.width))
        self.clear_widgets()
        if self.sheet.parent is None and has_room:
            self.add_widget(self.sheet)
            return
        room_above_key = self.height - theme.length.target - self.spacing
        if self.missing_names_text.min_height_at(self.width) <= room_above_key:
            self.add_widget(self.missing_names_text)
        self.add_widget(self.open_sheet_key)

    def _lay(self, title: str, content: Any) -> None:
        """Opens a page over everything, until it is answered or closed."""
        self._close()
        page = RoundOverlayPage(title, content)
        self._over = Overlay(page)
        page.bind(on_close=lambda _: self._close())
        self.app.stage.show_overlay(self._over)

    def _close(self) -> None:
        over, self._over = self._over, None
        if over is not None:
            over.close()
            over.content.remove_widget(over.content.content)
        self.adapt_to_size()

    def on_parent(self, _widget: object, parent: object) -> None:
        """Handles a change of the parent: closes the open page when the widget is removed from the screen."""
        if parent is None:
            self._close()
