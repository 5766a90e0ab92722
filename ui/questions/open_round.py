"""A round with open answers: a row for each seat, which people fill in on one shared pad or on keypads."""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, NamedTuple

from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.half_numbers import WholeOrHalf, number_to_json
from companion.requests import (
    NumberField,
    QuantitiesField,
    Request,
    Together,
    answer_from_numbers,
    number_fields_replacing_all_fields,
    numbers_from_answer,
)
from companion.session.view import View
from companion.table.seats import Seat
from companion.texts import render, say_people
from ui import theme
from ui.events import EventMixin
from ui.host import get_companion_app
from ui.pages import Page
from ui.questions.question import QuestionWidget, make_question_widget, report_touches_on_unavailable_options
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key, min_key_width
from ui.widgets.keys.number_pad import DIGIT_KEYS_WIDTH_TARGETS, NumberPad
from ui.widgets.keys.typed_number import TypedNumber
from ui.widgets.seats.answer_rows import SeatNumbersRow
from ui.widgets.sheets.messages import RefusalNotice
from ui.widgets.sheets.overlays import Overlay

MIN_ROW_WIDTH_IN_TARGETS, WIDTH_PER_FURTHER_NUMBER_IN_TARGETS = 2.7, 0.9
"""The minimum width of a row with one number, and the width for each further number, in targets."""
PAD_HEIGHT_IN_TARGETS = 4.25
"""The height of the pad in targets: three rows of digits, the confirming key, and the gaps."""
MENU_KEY_TO_LEAST_WIDTH_RATIO = 1.15
"""The width of the key that leads to the menu, relative to the least that its text needs."""
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
        return number_fields_replacing_all_fields(form)
    return (NumberField(most=0),) if form.decline and not form.fields else ()


class RoundNumberPad(NumberPad):
    """A number pad for a round: digits, and a key below that saves the number.

    An empty pad counts as 0, but its key isn't brass: people are asked to type a number.
    """

    has_answer_keys_beside_digits = False

    def _arrange(self, *_: object) -> None:
        """Places the digits above the key. The seat's row shows the typed number."""
        if self.children:
            return
        self.orientation, self.spacing = "vertical", theme.length.gap / 2
        self.answer_key_row.height = theme.length.target
        for part in (self.digit_grid, self.answer_key_row):
            self.add_widget(part)

    def is_number_allowed(self) -> bool:
        """Returns whether the number on the pad is allowed."""
        return bool(self.is_amount_allowed is None or self.is_amount_allowed(self.amount or 0))

    @property
    def has_typed_allowed_number(self) -> bool:
        """Returns whether somebody has typed a number, and the number is allowed."""
        return self.amount is not None and not self.typed_number.is_offered and self.is_number_allowed()

    def _show(self, *changed: object) -> None:
        """Updates the pad; the confirming key shows its text also without a number."""
        super()._show(*changed)
        self.confirm_key.text, self.confirm_key.icon = self.confirm_text, ""
        self.confirm_key.look = "paper" if self.amount is None else "brass"


class RowsLayout(NamedTuple):
    """A layout of the seats' rows: the number of columns, the height, and whether the pad is beside them.

    If the pad isn't beside the rows, it is below them.
    """

    columns: int
    height: float
    is_beside_pad: bool


class RoundAnswerSheet(EventMixin, BoxLayout):
    """A sheet of an open round: a row for each seat's answer, and one pad that fills row after row.

    Call `show_answers` with the answers so far. The pad enters the number `current_field`, then the next
    one. If the round asks for something else than numbers, there is no pad, and the owner of the sheet asks
    each seat. `submits_per_seat`: the sheet sends an answer as soon as its seat has all numbers; else the
    last press of the key sends all answers.
    """

    __events__ = (
        "on_seat_answer",  # seat, plain: one seat's answer as JSON
        "on_all_answers",  # plain: all answers as JSON, by seat number
        "on_seat_question",  # seat: somebody touched the row of a seat, whose question has no pad
        "on_menu",  # people want the menu instead of the round, where the pad has that key
    )

    def __init__(self, question: Request[Any], **kwargs: Any) -> None:
        super().__init__(spacing=theme.length.gap, **kwargs)
        self.parts_by_seat: Mapping[Seat, Request[Any]] = question.parts_by_seat
        self.has_pad = all(map(number_fields_for_pad, self.parts_by_seat.values()))
        self.submits_per_seat = True
        self.answer_by_seat: dict[Seat, Any] = {}
        self._typed_number_by_field: dict[SeatAndNumberKey, WholeOrHalf] = {}
        self.rows = {seat: SeatNumbersRow(seat, self._number_labels(seat)) for seat in self.parts_by_seat}
        self.fields = [(seat, key) for seat in self.parts_by_seat for key in self._number_keys(seat)]
        self.current_field = self.fields[0]
        self._number_to_confirm: WholeOrHalf | None = None
        """The huge number on the pad whose key has been pressed once; a second press saves it."""
        self.pad = RoundNumberPad(is_amount_allowed=self._is_allowed)
        self.grid = GridLayout(cols=1, spacing=theme.length.gap / 2)
        for row in self.rows.values():
            row.bind(on_release=self._select_touched_number)
            self.grid.add_widget(row)
        self.pad.bind(on_confirm=lambda *_: self._confirm(), typed_number=lambda *_: self.update_rows())
        self.pad.decline_key.name, self.pad.decline_key.size_hint_x = "menu", None
        self.pad.bind(on_decline=lambda _: self.dispatch("on_menu"))
        self.fbind("size", self._arrange_to_size)

    def _number_keys(self, seat: Seat) -> list[str]:
        return list(self._fields_by_key(seat)) if self.has_pad else [""]

    def _fields_by_key(self, seat: Seat) -> dict[str, NumberField]:
        """Returns the number fields of a seat by key, with the current limits."""
        return {number.key: number for number in number_fields_for_pad(self.parts_by_seat[seat])}

    def _number_labels(self, seat: Seat) -> list[str]:
        lang = get_companion_app().lang
        if not self.has_pad:
            return [""]
        return [render(number.label, lang) for number in self._fields_by_key(seat).values()]

    # The answers

    def show_answers(self, answer_by_seat: Mapping[Seat, Any], *, submit_per_seat: bool = True) -> None:
        """Shows the answers so far.

        The pad goes to the next missing number if it is empty, or if the current seat has a new answer.
        """
        seat, _ = self.current_field
        has_new_answer = seat in answer_by_seat and answer_by_seat.get(seat) != self.answer_by_seat.get(seat)
        self.answer_by_seat, self.submits_per_seat = dict(answer_by_seat), submit_per_seat
        self._typed_number_by_field = {
            field: number
            for field, number in self._typed_number_by_field.items()
            if field[0] not in answer_by_seat
        }
        if has_new_answer or self.pad.typed_number == TypedNumber():
            self._set_current_field(self._next_missing_field())
        self.update_rows()

    @property
    def unanswered_seats(self) -> list[Seat]:
        """Returns the seats without an answer."""
        return [seat for seat in self.rows if seat not in self.answer_by_seat]

    @property
    def is_only_current_number_missing(self) -> bool:
        """Returns whether no number is missing but the current one."""
        return not {field for field in self.fields if self._known_number(field) is None} - {
            self.current_field
        }

    def _known_number(self, field: SeatAndNumberKey) -> WholeOrHalf | None:
        seat, key = field
        if field in self._typed_number_by_field:
            return self._typed_number_by_field[field]
        return (
            self.answer_numbers_by_key(seat, self.answer_by_seat[seat])[key]
            if seat in self.answer_by_seat
            else None
        )

    def answer_numbers_by_key(self, seat: Seat, json_answer: Any) -> dict[str, WholeOrHalf]:
        """Returns the numbers of a seat's answer, by key."""
        numbers = numbers_from_answer(self.parts_by_seat[seat].form, json_answer) or [json_answer]
        return dict(zip(self._number_keys(seat), numbers, strict=True))

    def _make_json_answer(self, seat: Seat, numbers: Mapping[str, WholeOrHalf]) -> Any:
        """Returns a seat's answer as JSON, from its numbers."""
        values = list(numbers.values())
        parsed_answer = answer_from_numbers(self.parts_by_seat[seat].form, values)
        return (
            number_to_json(values[0]) if parsed_answer is None else parsed_answer[0]
        )  # the question refuses a number that is no answer any more

    def _next_missing_field(self) -> SeatAndNumberKey:
        """Returns the next missing number; else the current one.

        The search begins at the current number, and goes on from the first one.
        """
        if not self.has_pad:
            return self.current_field
        index = self.fields.index(self.current_field)
        fields = (*self.fields[index:], *self.fields[:index])
        return next((field for field in fields if self._known_number(field) is None), self.current_field)

    def _set_current_field(self, field: SeatAndNumberKey) -> None:
        """Makes a number the current one; the pad offers its value, which the first typed digit replaces."""
        self.current_field = seat, key = field
        if self.has_pad:
            number = self._fields_by_key(seat)[key]
            self.pad.allow_numbers_of(number)
            self.pad.prefill_amount(self._known_number(field))

    def _select_touched_number(self, row: SeatNumbersRow) -> None:
        """Saves the number on the pad, and goes to the touched one.

        Without a pad, the page asks the seat's own question.
        """
        if not self.has_pad:
            self._set_current_field((row.seat, ""))
            self.update_rows()
            self.dispatch("on_seat_question", row.seat)
            return
        self._go_to_field((row.seat, self._number_keys(row.seat)[row.touched_number_index]))

    def _go_to_field(self, field: SeatAndNumberKey) -> None:
        """Saves the number on the pad, and makes another number the current one.

        A huge number stays on the pad until people confirm or change it.
        """
        if self.pad.has_typed_allowed_number:
            if self._asks_about(self.pad.amount or 0):
                return
            self._save_number(self.pad.amount or 0)
        self._set_current_field(field)
        self.update_rows()

    def _asks_about(self, number: WholeOrHalf) -> bool:
        """Returns whether a number is huge; then the key asks people about it."""
        seat, key = self.current_field
        is_huge = self._fields_by_key(seat)[key].needs_confirmation(number)
        self._number_to_confirm = number if is_huge else None
        self.update_rows()
        return is_huge

    def go_to_seat(self, seat: Seat) -> None:
        """Makes the first missing number of a seat the current one."""
        fields = [(seat, key) for key in self._number_keys(seat)]
        missing = (field for field in fields if self._known_number(field) is None)
        self._go_to_field(next(missing, fields[0]))

    def _save_number(self, number: WholeOrHalf) -> None:
        """Saves the current number, and sends the answer of a seat that has all its numbers.

        The last missing number of the round sends nothing here: `_confirm` then sends all answers.
        """
        is_last = self.is_only_current_number_missing
        self._typed_number_by_field[self.current_field] = number
        if self.submits_per_seat and not is_last:
            self._send_if_complete(self.current_field[0])

    def _send_if_complete(self, seat: Seat) -> None:
        """Sends a seat's answer if all its numbers are known; keeps them if the answer is refused."""
        numbers = {key: self._known_number((seat, key)) for key in self._number_keys(seat)}
        if None in numbers.values():
            return
        answer = self._make_json_answer(seat, {key: number or 0 for key, number in numbers.items()})
        self.dispatch("on_seat_answer", seat, answer)
        if self.answer_by_seat.get(seat) == answer:
            for key in numbers:
                self._typed_number_by_field.pop((seat, key), None)

    def _confirm(self) -> None:
        """Saves the number on the pad and goes to the next one; after the last one, sends the answers."""
        number, is_last = self.pad.amount or 0, self.is_only_current_number_missing
        if self._number_to_confirm != number and self._asks_about(number):
            return
        self._number_to_confirm = None
        self._save_number(number)
        if is_last:
            self._send_missing_answers()
        self._set_current_field(self._next_missing_field())
        self.update_rows()

    def _send_missing_answers(self) -> None:
        """Sends the answers that the sheet hasn't sent, or all answers if the round was answered before."""
        if self.submits_per_seat:
            for seat in dict.fromkeys(
                (*(seat for seat, _ in self._typed_number_by_field), self.current_field[0])
            ):
                self._send_if_complete(seat)
            return
        answers = {
            str(seat.number): self._make_json_answer(
                seat, {key: self._known_number((seat, key)) or 0 for key in self._number_keys(seat)}
            )
            for seat in self.parts_by_seat
        }
        self.dispatch("on_all_answers", answers)

    def update_rows(self) -> None:
        """Updates all rows, and the text of the key."""
        for seat, row in self.rows.items():
            keys = self._number_keys(seat)
            row.active_number_index = (
                keys.index(self.current_field[1]) if seat == self.current_field[0] else -1
            )
            row.is_answer_complete = self.submits_per_seat and seat in self.answer_by_seat
            row.show_numbers([self._displayed_text((seat, key)) for key in keys])
        self.pad.confirm_text = self._confirm_text()

    def _confirm_text(self) -> str:
        """Returns what the key of the pad says: it asks about a huge number that has been typed."""
        tr = get_companion_app().tr
        if self._number_to_confirm is not None and self._number_to_confirm == self.pad.amount:
            text = TypedNumber.from_amount(self._number_to_confirm).display_text
            return str(tr("Really {number}?", number=text))
        is_last = self.has_pad and self.is_only_current_number_missing
        return str(tr("Enter all answers") if is_last else tr("Next"))

    def _displayed_text(self, field: SeatAndNumberKey) -> str:
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
        number = self._known_number(field)
        return "" if number is None else TypedNumber.from_amount(number).display_text

    def _is_allowed(self, number: WholeOrHalf) -> bool:
        seat, key = self.current_field
        if not self.has_pad:
            return False
        return self.parts_by_seat[seat].form.is_decline(number) or self._fields_by_key(seat)[key].accepts(
            number
        )

    # The layout

    def layouts_fitting_width(self, width: float) -> list[RowsLayout]:
        """Returns the layouts that fit the width; those with the rows beside the pad come first."""
        sizes, count = theme.length, len(self.rows)
        target, gap = sizes.target, sizes.gap
        further_numbers = len(self.fields) // count - 1
        pad_height, row_height, row_width = (
            PAD_HEIGHT_IN_TARGETS * target,
            target + gap / 2,
            (MIN_ROW_WIDTH_IN_TARGETS + WIDTH_PER_FURTHER_NUMBER_IN_TARGETS * further_numbers) * target
            + gap / 2,
        )
        max_columns_above = int((width + gap / 2) // row_width)
        if not self.has_pad:
            if not max_columns_above:
                return []
            height = ceil(count / max_columns_above) * row_height
            return [RowsLayout(max_columns_above, height, is_beside_pad=False)]
        max_columns_beside = max(0, int((width - DIGIT_KEYS_WIDTH_TARGETS * target - gap / 2) // row_width))
        layouts = [
            RowsLayout(
                columns, max(pad_height, ceil(count / columns) * row_height - gap / 2), is_beside_pad=True
            )
            for columns in range(1, max_columns_beside + 1)
        ]
        if max_columns_above and width >= DIGIT_KEYS_WIDTH_TARGETS * target:
            height = ceil(count / max_columns_above) * row_height + gap + pad_height
            layouts.append(RowsLayout(max_columns_above, height, is_beside_pad=False))
        return layouts

    def _arrange_to_size(self, *_: object) -> None:
        """Arranges rows and pad in the first layout that fits; rows beside the pad come first."""
        layouts = self.layouts_fitting_width(self.width)
        fitting_layouts = [layout for layout in layouts if layout.height <= self.height + 1]
        single_column = RowsLayout(1, self.height, is_beside_pad=True)
        layout = [*fitting_layouts, *layouts, single_column][0]
        target = theme.length.target
        self.orientation = "horizontal" if layout.is_beside_pad else "vertical"
        self.grid.cols = layout.columns
        spare_height = self.height - layout.height
        self.pad.size_hint = (None, 1) if layout.is_beside_pad else (1, None)
        self.pad.size = (
            DIGIT_KEYS_WIDTH_TARGETS * target,
            PAD_HEIGHT_IN_TARGETS * target + max(0.0, spare_height) / 2,
        )
        self.clear_widgets()
        for part in (self.grid, self.pad) if self.has_pad else (self.grid,):
            self.add_widget(part)


# The question with its rows, or the key that opens them over everything


PREFERRED_TO_MIN_HEIGHT_RATIO = 1.2
"""The preferred height of rows and keys, relative to their minimum."""


class RoundOverlayPage(Page):
    """A page over the whole screen with the sheet of a round or one seat's question.

    The page also shows why an answer is refused.
    """

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


class OpenRoundWidget(QuestionWidget[Together[Any]]):
    """The widget of an open round: the rows of all seats, or a key that opens them on a page.

    After `prefill`, the widget gives all answers at once. `has_menu_key`: beside the key that confirms, a key
    leads to the menu that opens such rounds.
    """

    outranks_notes = True
    takes_answers_at_panels = True
    has_menu_key = BooleanProperty(defaultvalue=False)
    __events__ = (  # type: ignore[assignment]  # one event more than the base class has
        "on_seat_answer",  # seat, plain: one seat's answer as JSON
        "on_menu",  # people want the menu instead of the round
    )

    def build_widgets(self) -> None:
        """Builds the rows, and the key that replaces them if they don't fit."""
        self._overlay: Overlay | None = None
        self._seat_of_page: Seat | None = None
        """The only seat that answers on the open page; None if there is no such page."""
        self.sheet = RoundAnswerSheet(self.request)
        self.sheet.bind(on_seat_answer=lambda _, seat, plain: self._send_answer(seat, plain))
        self.sheet.bind(on_all_answers=lambda _, plain: self.dispatch("on_answer", plain))
        self.sheet.bind(on_seat_question=lambda _, seat: self._open_seat_question(seat))
        self.sheet.bind(on_menu=lambda _: self.dispatch("on_menu"))
        self.open_sheet_key = Key(look="brass", name="unfold")
        self.open_sheet_key.bind(
            on_release=lambda _: self._open_page(self.render_with_short_names(self.request.text), self.sheet)
        )
        self.menu_key = Key(name="menu", has_narrow_margins=True, lines=1, size_hint_x=None)
        self.menu_key.bind(on_release=lambda _: self.dispatch("on_menu"))
        self.key_row = BoxLayout(size_hint_y=None, height=theme.length.target, spacing=theme.length.gap / 2)
        self.missing_names_text = FittedLabel(is_on_felt=True, halign="center", lines=2)
        self.fbind("has_menu_key", lambda *_: self._show_menu_key())
        self._show_answers_of(self.view)

    def _show_menu_key(self) -> None:
        """Shows the key that leads to the menu, or removes it."""
        self.menu_key.text = self.app.tr("Menu")
        least_width = min_key_width(self.menu_key.text)
        width = max(theme.length.target, MENU_KEY_TO_LEAST_WIDTH_RATIO * least_width)
        self.menu_key.width = self.sheet.pad.decline_key.width = width
        self.sheet.pad.decline_text = self.menu_key.text if self.has_menu_key else ""
        self.key_row.clear_widgets()
        for key in (self.menu_key, self.open_sheet_key) if self.has_menu_key else (self.open_sheet_key,):
            self.key_row.add_widget(key)

    def try_reuse_for(self, request: Request[Any], view: View) -> bool:
        """Goes on with the same round once it has been opened, and keeps what is typed."""
        if not isinstance(request, Together) or request.log_key != self.request.log_key:
            return False
        self.request, self.sheet.parts_by_seat = request, request.parts_by_seat
        self.show_newer_view(view)
        return True

    def show_newer_view(self, view: View) -> None:
        """Shows a newer view, with the answers so far."""
        super().show_newer_view(view)
        self._show_answers_of(view)
        self.update_texts()
        if self._seat_of_page is not None and self._seat_of_page not in self.sheet.unanswered_seats:
            self._close_page()

    def _show_answers_of(self, view: View) -> None:
        self.sheet.show_answers(
            {
                envelope.seat: envelope.open_answer[0]
                for envelope in view.envelopes
                if envelope.open_answer is not None
            }
        )

    def prefill(self, previous_answer: Mapping[Seat, Any]) -> None:
        """Fills in the previous answer of each seat."""
        parts = self.request.parts_by_seat
        self.sheet.show_answers(
            {seat: part.answer_to_json(previous_answer[seat]) for seat, part in parts.items()},
            submit_per_seat=False,
        )
        self.update_texts()

    def _send_answer(self, seat: Seat, plain: object) -> None:
        """Sends one seat's answer, or all answers if the round was answered before."""
        if self.sheet.submits_per_seat:
            self.dispatch("on_seat_answer", seat, plain)
            return
        answer_by_seat = {**self.sheet.answer_by_seat, seat: plain}
        self.dispatch(
            "on_answer",
            {str(other_seat.number): answer_by_seat[other_seat] for other_seat in self.request.parts_by_seat},
        )

    def try_begin_answer_of(self, seat: Seat) -> bool:
        """Opens a page, turned to a seat that hasn't answered, until it has; returns whether it did."""
        if seat not in self.sheet.unanswered_seats:
            return False
        if self.sheet.has_pad:
            self.sheet.go_to_seat(seat)
            text = self.render_with_short_names(self.request.text)
            self._open_page(f"{seat.name}: {text}", self.sheet, seat)
        else:
            self._open_seat_question(seat)
        return True

    def _open_seat_question(self, seat: Seat) -> None:
        """Opens the question of one seat on a page, turned to the seat, in a round without a pad."""
        part = self.request.parts_by_seat[seat]
        self.seat_question: Any = make_question_widget(part, self.view)
        self.seat_question.bind(on_answer=lambda _, plain: self._send_page_answer(seat, plain))
        report_touches_on_unavailable_options(self.seat_question, self.try_show_refusal)
        self._open_page(f"{seat.name}: {self.render_with_short_names(part.text)}", self.seat_question, seat)

    def _send_page_answer(self, seat: Seat, plain: object) -> None:
        """Sends the answer from a seat's page; the page stays open, with the answer, if it is refused."""
        previous_view = self.view
        self._send_answer(seat, plain)
        if self.view is not previous_view or self.sheet.answer_by_seat.get(seat) == plain:
            self._close_page()

    def update_texts(self) -> None:
        """Updates the rows, the names of the missing seats, and the texts of the keys."""
        tr, missing_seats = self.app.tr, self.sheet.unanswered_seats
        self.sheet.update_rows()
        self.open_sheet_key.text = tr("Enter all answers")
        self._show_menu_key()
        names = self.render_with_short_names(say_people(missing_seats)) if missing_seats else ""
        self.missing_names_text.text = tr("Still missing: {names}", names=names) if missing_seats else ""

    def try_show_refusal(self, text: str) -> bool:
        """Shows the refusal on the open page, if there is one; returns whether it did."""
        if self._overlay is None:
            return False
        self._overlay.content.show_refusal(text)
        return True

    # The layout

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height at this width: all rows and the pad."""
        height = min(
            (layout.height for layout in self.sheet.layouts_fitting_width(width)),
            default=self.min_collapsed_height,
        )
        return height, height * PREFERRED_TO_MIN_HEIGHT_RATIO

    @property
    def min_collapsed_height(self) -> float:
        """Returns the height of the key that opens all rows on a page."""
        return theme.length.target

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the rows and the pad, at any height."""
        return not self.sheet.layouts_fitting_width(width)

    def adapt_to_size(self) -> None:
        """Adapts to the size: shows the rows and the pad, or the key that opens them."""
        has_room = any(
            layout.height <= self.height + 1 for layout in self.sheet.layouts_fitting_width(self.width)
        )
        self.clear_widgets()
        if self.sheet.parent is None and has_room:
            self.add_widget(self.sheet)
            return
        room_above_key = self.height - theme.length.target - self.spacing
        if self.missing_names_text.min_height_at(self.width) <= room_above_key:
            self.add_widget(self.missing_names_text)
        self.add_widget(self.key_row)

    def _open_page(self, title: str, content: Any, seat: Seat | None = None) -> None:
        """Opens a page over everything, until people answer or close it; with `seat` for that player only."""
        self._close_page()
        self._seat_of_page = seat
        page = RoundOverlayPage(title, content)
        self._overlay = Overlay(page)
        page.bind(on_close=lambda _: self._close_page())
        self.app.stage.show_overlay(self._overlay, seat)

    def _close_page(self) -> None:
        overlay, self._overlay, self._seat_of_page = self._overlay, None, None
        if overlay is not None:
            overlay.close()
            overlay.content.remove_widget(overlay.content.content)
        self.adapt_to_size()

    def on_parent(self, _widget: object, parent: object) -> None:
        """Handles a change of the parent: closes the open page when the widget is removed from the screen."""
        if parent is None:
            self._close_page()
