"""A round whose answers everybody sees: a row for each seat, filled by one pad or by keypads."""

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
    number_slots,
    numbers_from_answer,
)
from companion.session.view import View
from companion.table.seats import Seat
from companion.texts import render, say_list
from ui import theme
from ui.events import EventMixin
from ui.host import running_app
from ui.pages import Page
from ui.questions.question import Question, asking, hear_why_not
from ui.widgets.drawing.text import Writing
from ui.widgets.keys.key import Key
from ui.widgets.keys.number_pad import DIGITS_WIDE, Pad
from ui.widgets.keys.typed_number import Numeral
from ui.widgets.seats.answer_rows import OpenRoundRow
from ui.widgets.sheets.messages import Refusal
from ui.widgets.sheets.overlays import Overlay

ROW, MORE = 2.7, 0.9
"""Targets that a row is wide at least, and for each further number in it."""
PAD = 4.25
"""Targets that the pad is high: three rows of digits, the confirming key, and what is between them."""
SeatField = tuple[Seat, str]
"""One number of one seat, by its key."""


def pad_numbers(part: Request[Any]) -> tuple[NumberField, ...]:
    """Returns the numbers of a part that a pad can enter; () if it takes no numbers, or none may be given."""
    form = part.form
    if form.decline is not None and not isinstance(form.decline.answer, int):
        return ()
    if isinstance(form.single_field, NumberField | QuantitiesField):
        return number_slots(form)
    return (NumberField(most=0),) if form.decline and not form.fields else ()


class RoundPad(Pad):
    """Digits over the one key that takes the number; nothing typed is 0."""

    def _arrange(self, *_: object) -> None:
        """Digits, then the key; what is typed stands in the row."""
        if self.children:
            return
        self.orientation, self.spacing = "vertical", theme.length.gap / 2
        self.answers.height = theme.length.target
        for part in (self.digits, self.answers):
            self.add_widget(part)

    def fits(self) -> bool:
        """Whether the number may be taken."""
        return bool(self.allows is None or self.allows(self.amount or 0))

    @property
    def is_typed(self) -> bool:
        """Whether somebody has typed a number that may be taken."""
        return self.amount is not None and not self.numeral.is_offered and self.fits()

    def _show(self, *changed: object) -> None:
        """As any pad, but for the key, which says what comes next."""
        super()._show(*changed)
        self.confirm_key.text, self.confirm_key.icon = self.yes, ""


class RoundSheet(EventMixin, BoxLayout):
    """`fill` it with the answers that are in; the pad fills the number `at`, and then the next one.

    Where something else than numbers is asked there is no pad: whoever made it puts the question.
    `at_once`: an answer is told as soon as its seat has all its numbers; else all of them with the last key.
    """

    __events__ = (
        "on_taken",  # seat, plain: that is the answer of that seat
        "on_all",  # plain: these are the answers of all, by the numbers of their seats
        "on_put",  # seat: what is asked of that seat is to be put to people
    )

    def __init__(self, question: Request[Any], **kwargs: Any) -> None:
        super().__init__(spacing=theme.length.gap, **kwargs)
        self.parts_by_seat: Mapping[Seat, Request[Any]] = question.parts_by_seat
        self.has_pad = all(map(pad_numbers, self.parts_by_seat.values()))
        self.at_once = True
        self.values: dict[Seat, Any] = {}
        self._typed: dict[SeatField, int] = {}
        self.rows = {seat: OpenRoundRow(seat, self._labels(seat)) for seat in self.parts_by_seat}
        self.fields = [(seat, key) for seat in self.parts_by_seat for key in self._keys(seat)]
        self.at = self.fields[0]
        self.pad = RoundPad(allows=self._allows)
        self.grid = GridLayout(cols=1, spacing=theme.length.gap / 2)
        for row in self.rows.values():
            row.bind(on_release=self._touch)
            self.grid.add_widget(row)
        self.pad.bind(on_confirm=lambda *_: self._confirm(), numeral=lambda *_: self.write())
        self.fbind("size", self._fit)

    def _keys(self, seat: Seat) -> list[str]:
        return list(self._numbers(seat)) if self.has_pad else [""]

    def _numbers(self, seat: Seat) -> dict[str, NumberField]:
        """What the pad enters for a seat, by key, with the limits of this moment."""
        return {number.key: number for number in pad_numbers(self.parts_by_seat[seat])}

    def _labels(self, seat: Seat) -> list[str]:
        lang = running_app().lang
        if not self.has_pad:
            return [""]
        return [render(number.label, lang) for number in self._numbers(seat).values()]

    # What stands in it

    def fill(self, values: Mapping[Seat, Any], *, at_once: bool = True) -> None:
        """Shows the numbers that are in, and asks for the next one when the one in question has come in."""
        seat, _ = self.at
        came = seat in values and values.get(seat) != self.values.get(seat)
        self.values, self.at_once = dict(values), at_once
        self._typed = {field: number for field, number in self._typed.items() if field[0] not in values}
        if came or self.pad.numeral == Numeral():
            self._choose(self._next())
        self.write()

    @property
    def missing(self) -> list[Seat]:
        """Whose rows are not filled."""
        return [seat for seat in self.rows if seat not in self.values]

    @property
    def is_last(self) -> bool:
        """Whether with this number all are there."""
        return not {field for field in self.fields if self._number(field) is None} - {self.at}

    def _number(self, field: SeatField) -> int | None:
        seat, key = field
        if field in self._typed:
            return self._typed[field]
        return self.read(seat, self.values[seat])[key] if seat in self.values else None

    def read(self, seat: Seat, plain: Any) -> dict[str, int]:
        """Returns the numbers of a seat's answer, by key."""
        row = numbers_from_answer(self.parts_by_seat[seat].form, plain) or [plain]
        return dict(zip(self._keys(seat), row, strict=True))

    def _plain(self, seat: Seat, numbers: Mapping[str, int]) -> Any:
        """The answer in JSON that these numbers of a seat make."""
        row = list(numbers.values())
        meant = answer_from_numbers(self.parts_by_seat[seat].form, row)
        return row[0] if meant is None else meant[0]  # what is no answer any more the question refuses

    def _next(self) -> SeatField:
        """The next number that isn't there from this one on, all round; this one if there is none."""
        if not self.has_pad:
            return self.at
        at = self.fields.index(self.at)
        order = (*self.fields[at:], *self.fields[:at])
        return next((field for field in order if self._number(field) is None), self.at)

    def _choose(self, field: SeatField) -> None:
        """From now on the pad types that one; what stands there is replaced by the first digit."""
        self.at = seat, key = field
        if self.has_pad:
            number = self._numbers(seat)[key]
            self.pad.least, self.pad.most, self.pad.step = number.least, number.most, number.step
            self.pad.start_at(self._number(field))

    def _touch(self, row: OpenRoundRow) -> None:
        """What was typed elsewhere stays there."""
        if not self.has_pad:
            self._choose((row.seat, ""))
            self.write()
            self.dispatch("on_put", row.seat)
            return
        if self.pad.is_typed:
            self._keep(self.pad.amount or 0)
        self._choose((row.seat, self._keys(row.seat)[row.touched_number]))
        self.write()

    def _keep(self, number: int) -> None:
        """Keeps a number; a seat that has all its numbers has answered, unless that ended the round."""
        ends = self.is_last
        self._typed[self.at] = number
        if self.at_once and not ends:
            self._tell(self.at[0])

    def _tell(self, seat: Seat) -> None:
        numbers = {key: self._number((seat, key)) for key in self._keys(seat)}
        if None not in numbers.values():
            for key in numbers:
                self._typed.pop((seat, key), None)
            self.dispatch("on_taken", seat, self._plain(seat, {k: n or 0 for k, n in numbers.items()}))

    def _confirm(self) -> None:
        """The next number, or with the last one all of them."""
        number, ends = self.pad.amount or 0, self.is_last
        self._keep(number)
        if ends:
            self._end()
        self._choose(self._next())
        self.write()

    def _end(self) -> None:
        """Every answer that isn't in yet, or where all are given anew all of them."""
        if self.at_once:
            for seat in dict.fromkeys((*(seat for seat, _ in self._typed), self.at[0])):
                self._tell(seat)
            return
        answers = {
            str(seat.number): self._plain(
                seat, {key: self._number((seat, key)) or 0 for key in self._keys(seat)}
            )
            for seat in self.parts_by_seat
        }
        self.dispatch("on_all", answers)

    def write(self) -> None:
        """Every row, and what the key says."""
        app = running_app()
        for seat, row in self.rows.items():
            keys = self._keys(seat)
            row.active = keys.index(self.at[1]) if seat == self.at[0] else -1
            row.given = self.at_once and seat in self.values
            row.show_numbers([self._shown((seat, key)) for key in keys])
        self.pad.yes = app.tr("Enter all answers") if self.has_pad and self.is_last else app.tr("Next")

    def _shown(self, field: SeatField) -> str:
        seat, _ = field
        if not self.has_pad:
            part = self.parts_by_seat[seat]
            lang = running_app().lang
            return (
                render(part.describe_revealed(part.load(self.values[seat])), lang)
                if seat in self.values
                else ""
            )
        if field == self.at and self.pad.numeral != Numeral():
            return str(self.pad.numeral.shown)
        number = self._number(field)
        return "" if number is None else Numeral.of(number).shown

    def _allows(self, number: int) -> bool:
        seat, key = self.at
        if not self.has_pad:
            return False
        return self.parts_by_seat[seat].form.is_decline(number) or self._numbers(seat)[key].accepts(number)

    # How it stands

    def layouts(self, width: float) -> list[tuple[int, float]]:
        """How it may stand where it is so wide: columns of rows, below zero: over the pad; and how high."""
        sizes, count = theme.length, len(self.rows)
        target, gap = sizes.target, sizes.gap
        several = len(self.fields) // count - 1
        pad, row, wide = PAD * target, target + gap / 2, (ROW + MORE * several) * target + gap / 2
        above = int((width + gap / 2) // wide)
        if not self.has_pad:
            return [(-above, ceil(count / above) * row)] if above else []
        beside = max(0, int((width - DIGITS_WIDE * target - gap / 2) // wide))
        found = [(cols, max(pad, ceil(count / cols) * row - gap / 2)) for cols in range(1, beside + 1)]
        if above and width >= DIGITS_WIDE * target:
            found.append((-above, ceil(count / above) * row + gap + pad))
        return found

    def _fit(self, *_: object) -> None:
        """The first of the ways that has room, rows beside the pad before rows over it."""
        layouts = self.layouts(self.width)
        fitting = [cols for cols, high in layouts if high <= self.height + 1]
        cols = (fitting or [cols for cols, _ in layouts] or [1])[0]
        target = theme.length.target
        self.orientation = "horizontal" if cols > 0 else "vertical"
        self.grid.cols = abs(cols)
        spare = self.height - dict(layouts).get(cols, self.height)
        self.pad.size_hint = (None, 1) if cols > 0 else (1, None)
        self.pad.size = (DIGITS_WIDE * target, PAD * target + max(0.0, spare) / 2)
        self.clear_widgets()
        for part in (self.grid, self.pad) if self.has_pad else (self.grid,):
            self.add_widget(part)


# The question with its rows, or the key that opens them over everything


LIKED = 1.2
"""Rows and keys like to be so many times as high as they must be."""


class OverRound(Page):
    """One thing of a round over everything, and why it can't be as it is."""

    def __init__(self, title: str, content: Any, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(padding=(gap, gap / 2), spacing=gap / 2, **kwargs)
        self.refusal = Refusal()
        self.content = content
        self.lay_out(title, content)

    def refuse(self, text: str) -> None:
        """Until the next touch."""
        self.refusal.text = text
        self.refusal.lay_over(self, self.head.beside)

    def on_touch_down(self, touch: Any) -> bool:
        """What was refused is being put right."""
        return self.refusal.take(touch) or bool(super().on_touch_down(touch))


class OpenRound(Question[Together[Any]]):
    """`show` it each new view of the same question; begun at an answer it gives all of it again at once."""

    __events__ = ("on_draft",)  # seat, plain: one seat's answer as JSON

    def build(self) -> None:
        """The rows, and what stands in their place where there is no room."""
        self._over: Overlay | None = None
        self.sheet = RoundSheet(self.request)
        self.sheet.bind(on_taken=lambda _, seat, plain: self._take(seat, plain))
        self.sheet.bind(on_all=lambda _, plain: self.dispatch("on_answer", plain))
        self.sheet.bind(on_put=lambda _, seat: self._put(seat))
        self.unfold = Key(look="brass", name="unfold", size_hint_y=None, height=theme.length.target)
        self.unfold.bind(on_release=lambda _: self._lay(self.said(self.request.text), self.sheet))
        self.still = Writing(felt=True, halign="center", lines=2)
        self._read(self.seen)

    def show(self, seen: View) -> None:
        """What is in by now."""
        super().show(seen)
        self._read(seen)
        self.speak()

    def _read(self, seen: View) -> None:
        self.sheet.fill(
            {each.seat: each.open_answer[0] for each in seen.envelopes if each.open_answer is not None}
        )

    def begin_at(self, answer: Mapping[Seat, Any]) -> None:
        """Every row as it was answered."""
        parts = self.request.parts_by_seat
        self.sheet.fill({seat: part.dump(answer[seat]) for seat, part in parts.items()}, at_once=False)
        self.speak()

    def _take(self, seat: Seat, plain: object) -> None:
        """One seat's answer; of a round that was answered before, all of them."""
        if self.sheet.at_once:
            self.dispatch("on_draft", seat, plain)
            return
        values = {**self.sheet.values, seat: plain}
        self.dispatch("on_answer", {str(each.number): values[each] for each in self.request.parts_by_seat})

    def _put(self, seat: Seat) -> None:
        """What is asked of one seat, where it is no number."""
        part = self.request.parts_by_seat[seat]
        self.put: Any = asking(part, self.seen)
        self.put.bind(on_answer=lambda _, plain: self._answered(seat, plain))
        hear_why_not(self.put, self.refuse)
        self._lay(f"{seat.name}: {self.said(part.text)}", self.put)

    def _answered(self, seat: Seat, plain: object) -> None:
        self._close()
        self._take(seat, plain)

    def speak(self) -> None:
        """Whose rows are empty, and what the keys do."""
        tr, missing = self.app.tr, self.sheet.missing
        self.sheet.write()
        self.unfold.text = tr("Enter all answers")
        names = self.said(say_list(missing)) if missing else ""
        self.still.text = tr("Still missing: {names}", names=names) if missing else ""

    def refuse(self, text: str) -> bool:
        """On the page over everything it is said there."""
        if self._over is None:
            return False
        self._over.content.refuse(text)
        return True

    # Where it stands

    def height_range(self, width: float) -> tuple[float, float]:
        """All rows and the pad, beside or over each other."""
        high = min((high for _, high in self.sheet.layouts(width)), default=self.collapsed_height)
        return high, high * LIKED

    @property
    def collapsed_height(self) -> float:
        """The key that leads to them."""
        return theme.length.target

    def is_too_narrow(self, width: float) -> bool:
        """Whether rows and pad have no room there, however high it is."""
        return not self.sheet.layouts(width)

    def fit(self) -> None:
        """Rows and pad; or the key, where they have no room or lie over everything."""
        has_room = any(high <= self.height + 1 for _, high in self.sheet.layouts(self.width))
        self.clear_widgets()
        if self.sheet.parent is None and has_room:
            self.add_widget(self.sheet)
            return
        if self.height >= theme.length.target + theme.length.body * 2:
            self.add_widget(self.still)
        self.add_widget(self.unfold)

    def _lay(self, title: str, content: Any) -> None:
        """Over everything, until it is answered or the way back taken."""
        self._close()
        page = OverRound(title, content)
        self._over = Overlay(page)
        page.bind(on_close=lambda _: self._close())
        self.app.stage.show_overlay(self._over)

    def _close(self) -> None:
        over, self._over = self._over, None
        if over is not None:
            over.close()
            over.content.remove_widget(over.content.content)
        self.fit()

    def on_parent(self, _widget: object, parent: object) -> None:
        """A question that is taken away takes its page with it."""
        if parent is None:
            self._close()
