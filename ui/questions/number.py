"""Entering one number: an amount on a pad, or the next bid of an open auction."""

from __future__ import annotations

from typing import Any, ClassVar, TypeVar

from kivy.properties import ObjectProperty, OptionProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.bounds import MAX_ENTERED_NUMBER
from companion.clocks import FINAL_WARNING_SECONDS, TICKS_PER_SECOND, ClockState
from companion.half_numbers import WholeOrHalf, number_from_json, number_to_json
from companion.requests import NumberField, Raise, Request
from companion.session.view import View
from companion.table.seats import Seat
from ui import theme
from ui.host import get_companion_app
from ui.questions.buttons import AnswerConfirmation
from ui.questions.question import QuestionWidget
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import AutoRedrawWidget, Box, draw_paper, inset_box
from ui.widgets.drawing.symbols import draw_player_token
from ui.widgets.drawing.text import (
    LINE_SPACING_EM,
    draw_text,
    draw_text_lines,
    is_name_whole,
    measure_text_width,
    wrap_name,
)
from ui.widgets.keys.number_keys import NumberKeys
from ui.widgets.keys.number_pad import DIGIT_KEYS_WIDTH_TARGETS, LOW_AMOUNT_HEIGHT_TARGETS, NumberPad
from ui.widgets.keys.typed_number import TypedNumber

LEAST_BID_HEIGHT_IN_LINES = 1.2
"""The least height of a bid below its caption, in small lines."""
MAX_EXTRA_BID_KEY_WIDTH_IN_TARGETS = 0.3
"""How much wider than a target the key that bids is at most, where the declining key has room."""
OWN_BID_HEIGHT_SHARE = 0.48
"""The height of the own bid in a high panel, below the highest bid, as a share of the panel's."""
MAX_STATED_VALUES = 12
"""The most numbers that the pad lists; of more it states how many there are, the lowest and the highest."""


NumberRequest = TypeVar("NumberRequest", bound=Request[Any])


class ConfirmingWidget(QuestionWidget[NumberRequest]):
    """A widget that asks for a number, and asks people to confirm a serious or a huge one.

    Subclasses say with `_entry` what people enter the number with, and call `_answer_or_confirm` with it.
    """

    def build_widgets(self) -> None:
        """Builds what asks people to confirm a number."""
        self.answer_to_confirm: Any = 0
        self.confirmation = AnswerConfirmation()
        self.confirmation.bind(
            on_confirm=lambda _: self.dispatch("on_answer", self.answer_to_confirm),
            on_cancel=lambda _: self.clear_answer(),
        )

    @property
    def _entry(self) -> Any:
        """The widget that people enter the number with."""
        raise NotImplementedError

    def _answer_or_confirm(self, answer: Any) -> None:
        """Gives the answer, or first asks people to confirm a serious or a huge number."""
        if self.form.confirmation_for(answer) is None:
            self.dispatch("on_answer", answer)
            return
        self.answer_to_confirm = answer
        self.update_texts()
        self._show(self.confirmation)

    def _forget_answer_to_confirm(self) -> None:
        """Leaves no number behind that may have been secret."""
        self.answer_to_confirm = 0
        self._update_confirmation("")

    def _show(self, part: Widget) -> None:
        if self.children != [part]:
            self.clear_widgets()
            self.add_widget(part)

    def _show_entry_unless_confirming(self) -> None:
        if self.confirmation.parent is None:
            self._show(self._entry)

    def _update_confirmation(self, confirm_text: str) -> None:
        """Updates the texts of the confirmation; `confirm_text` is that of the key that confirms."""
        confirmation_text = self.form.confirmation_for(self.answer_to_confirm)
        self.confirmation.text.text = (
            self.render_with_short_names(confirmation_text) if confirmation_text else ""
        )
        self.confirmation.confirm_key.text = confirm_text
        self.confirmation.cancel_key.text = self.app.tr("Cancel")


class AmountPad(ConfirmingWidget[Request[Any]]):
    """The widget that asks for one amount: a key for each of a few numbers, or a number pad with the limits.

    One touch gives one of few numbers; in an envelope it only chooses it, and another key seals it. The pad
    is empty at the start.
    """

    def build_widgets(self) -> None:
        """Builds the keys and the pad, of which one is shown."""
        super().build_widgets()
        self.pad = NumberPad(is_amount_allowed=self._is_allowed)
        self.pad.bind(on_confirm=lambda _, amount: self._answer_or_confirm(number_to_json(amount)))
        self.number_keys = NumberKeys()
        self.number_keys.bind(on_confirm=lambda _, number: self._answer_or_confirm(number))
        for part in (self.pad, self.number_keys):
            part.bind(on_decline=lambda _: self._decline())
        self._update_limits()

    def show_newer_view(self, view: View) -> None:
        """Shows a newer view, with its limits."""
        super().show_newer_view(view)
        self._update_limits()
        self.update_texts()

    def prefill(self, previous_answer: Any) -> None:
        """Fills in the previous amount, until people type another."""
        amount = number_from_json(self.request.answer_to_json(previous_answer))
        self.pad.prefill_amount(amount)
        self.number_keys.chosen = amount

    def _update_limits(self) -> None:
        self.pad.allow_numbers_of(self._number)
        self.number_keys.numbers = self._number.few_numbers
        self.number_keys.grave_numbers = tuple(self.form.confirmations)
        self._show_entry_unless_confirming()

    @property
    def _entry(self) -> NumberKeys | NumberPad:
        """Returns what people enter the amount with: the keys for few numbers, else the pad."""
        is_few = isinstance(self.form.single_field, NumberField) and bool(self.number_keys.numbers)
        return self.number_keys if is_few else self.pad

    @property
    def _number(self) -> NumberField:
        """Returns the number field; one that allows only 0 if people can only decline."""
        field = self.form.single_field
        return field if isinstance(field, NumberField) else NumberField(most=0)

    def _is_allowed(self, amount: WholeOrHalf) -> bool:
        """Returns whether the form accepts the amount.

        The check ignores covered holdings, because the key must not reveal them.
        """
        return self.form.is_decline(amount) or self._number.accepts(amount)

    def _decline(self) -> None:
        """Gives the declining answer, if there is one."""
        decline = self.form.decline
        if decline is not None:
            self._answer_or_confirm(decline.answer)

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height of the keys or the pad."""
        return self._entry.min_and_preferred_height(width)

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the keys or the pad."""
        return self._entry.is_too_narrow(width)

    def update_texts(self) -> None:
        """Updates the texts of the keys, of the pad and of the confirmation."""
        self.pad.limits_text = self._limits_text()
        self.pad.confirm_text = self._confirm_text("{amount}")
        self.number_keys.confirm_text = self._confirm_text("{amount}") if self.is_sealed else ""
        self.pad.decline_text = self.number_keys.decline_text = self.decline_key_text
        self._update_confirmation(self._confirm_text(number_from_json(self.answer_to_confirm)))

    def _confirm_text(self, amount: object) -> str:
        """Returns what the key that gives the answer says."""
        if self.is_sealed:
            return str(self.app.tr("Seal {amount}", amount=amount))
        return str(self.app.tr("Take {amount}", amount=amount))

    def _limits_text(self) -> str:
        if 0 < len(self.pad.values) <= MAX_STATED_VALUES:
            return str(self.app.tr("One of these: {numbers}", numbers=", ".join(map(str, self.pad.values))))
        least, most = TypedNumber.from_amount(self.pad.least).display_text, self._number.stated_most
        if self._number.stated_least is None:
            return ""
        if most is None or (most >= MAX_ENTERED_NUMBER and not self.pad.values):
            return str(self.app.tr("{least} or more", least=least))
        has_gaps = 0 < len(self.pad.values) <= most - self.pad.least
        highest = TypedNumber.from_amount(most).display_text
        if has_gaps:
            value_count = len(self.pad.values)
            return str(
                self.app.tr("{n} numbers from {least} to {most}", n=value_count, least=least, most=highest)
            )
        return str(self.app.tr("From {least} to {most}", least=least, most=highest))

    def clear_answer(self) -> None:
        """Clears the number, and shows the keys or the pad."""
        self._forget_answer_to_confirm()
        self.pad.clear()
        self.number_keys.chosen = None
        self._show(self._entry)


# Open bidding


class HighestBidPanel(AutoRedrawWidget):
    """A panel with the highest bid and its bidder, and the bid that the key would make now if it has room.

    `typed_number` is that bid; it is pale until somebody types a digit. The key says it too. Without a
    highest bid, only the caption says so.
    """

    redraw_properties: ClassVar[tuple[str, ...]] = (
        "bidder_colour",
        "bid_text",
        "bidder_name",
        "caption",
        "typed_number",
        "own_caption",
    )
    bidder_colour = OptionProperty("", options=["", *theme.PLAYER_LOOKS])
    bid_text = StringProperty("")
    bidder_name = StringProperty("")
    caption = StringProperty("")
    typed_number = ObjectProperty(TypedNumber())
    own_caption = StringProperty("")

    @property
    def own_bid_colour(self) -> theme.Colour:
        """The colour of the bid that the key would make: pale if nobody has typed it."""
        return theme.INK_QUIET if self.typed_number.is_offered else theme.INK

    def draw(self) -> None:
        """Draws the highest bid on paper, and the own bid if both have room."""
        draw_paper(self.box, theme.length.line)
        box = inset_box(self.box, theme.length.gap / 2)
        highest_box, own_box = self._divide(box)
        if not self._have_bids_room(highest_box, own_box):
            self._draw_highest_bid(box)
            return
        self._draw_highest_bid(highest_box)
        below_caption = self._draw_caption(self.own_caption, own_box)
        self._draw_number(self.typed_number.display_text, *own_box[:3], below_caption, self.own_bid_colour)

    def _divide(self, box: Box) -> tuple[Box, Box]:
        """Returns the boxes of the highest and the own bid: side by side, or one above the other if high."""
        x, y, width, height = box
        if width > height:
            gap = theme.length.gap
            half = (width - gap) / 2
            return (x, y, half, height), (x + half + gap, y, half, height)
        own_height = min(OWN_BID_HEIGHT_SHARE * height, height - self._least_height_of_highest_bid(width))
        return (x, y + own_height, width, height - own_height), (x, y, width, own_height)

    def _have_bids_room(self, highest_box: Box, own_box: Box) -> bool:
        """Returns whether both bids with their captions, and the bidder's name, have room in these boxes."""
        own_lines = len(wrap_name(self.own_caption, own_box[2], bold=False)) + LEAST_BID_HEIGHT_IN_LINES
        return bool(
            self.own_caption
            and self._least_height_of_highest_bid(highest_box[2]) <= highest_box[3]
            and own_lines * theme.length.smallest * LINE_SPACING_EM <= own_box[3]
        )

    def _least_height_of_highest_bid(self, width: float) -> float:
        """Returns the least height of the caption, the highest bid and the lines of the bidder's name."""
        small = theme.length.smallest * LINE_SPACING_EM
        name = self.bidder_name
        is_token_beside_name = is_name_whole(name, self._wrap_name_beside_token(width))
        name_lines = 1 if is_token_beside_name else len(wrap_name(name, width))
        caption_lines = len(wrap_name(self.caption, width, bold=False))
        return small * (caption_lines + (name_lines + LEAST_BID_HEIGHT_IN_LINES if self.bid_text else 0))

    def _draw_caption(self, caption: str, box: Box) -> float:
        """Draws a caption at the top of a box; returns the height that is left below."""
        x, y, width, height = box
        small, lines = theme.length.smallest, wrap_name(caption, width, bold=False)
        caption_height = small * LINE_SPACING_EM * len(lines)
        middle = (x + width / 2, y + height - caption_height / 2)
        draw_text_lines(lines, middle, small, theme.INK_QUIET, bold=False)
        return height - caption_height

    @staticmethod
    def _draw_number(
        text: str, x: float, y: float, width: float, height: float, colour: theme.Colour
    ) -> None:
        size = min(theme.length.number, height)
        size *= min(1.0, width / max(1.0, measure_text_width(text, size, theme.MONEY_FONT)))
        draw_text(text, (x + width / 2, y + height / 2), size, colour, theme.MONEY_FONT)

    def _draw_highest_bid(self, box: Box) -> None:
        x, y, width, _ = box
        height = self._draw_caption(self.caption, box)
        if not self.bid_text:
            return
        is_token_beside_name = is_name_whole(self.bidder_name, self._wrap_name_beside_token(width))
        owner_height = self._draw_owner(x, y, width, has_token=is_token_beside_name)
        token_width = 0.0 if is_token_beside_name else _owner_token_side()
        middle_y = y + owner_height + (height - owner_height) / 2
        if token_width:
            draw_player_token(self.bidder_colour, (x, middle_y - token_width / 2, token_width, token_width))
        self._draw_number(
            self.bid_text,
            x + token_width,
            y + owner_height,
            width - token_width,
            height - owner_height,
            theme.INK,
        )

    def _wrap_name_beside_token(self, width: float) -> list[str]:
        return wrap_name(self.bidder_name, width - _owner_token_side() - theme.length.gap / 4)

    def _draw_owner(self, x: float, y: float, width: float, *, has_token: bool) -> float:
        """Draws the bidder's name, with the token before it or alone; returns their height."""
        if not self.bidder_name:
            return 0.0
        size, token_side, gap = theme.length.smallest, _owner_token_side(), theme.length.gap / 4
        if not has_token:
            lines = wrap_name(self.bidder_name, width)
            text_height = size * LINE_SPACING_EM * len(lines)
            draw_text_lines(lines, (x + width / 2, y + text_height / 2), size, theme.INK)
            return text_height
        lines = self._wrap_name_beside_token(width)
        text_height, text_width = (
            size * LINE_SPACING_EM * len(lines),
            max(measure_text_width(line, size) for line in lines),
        )
        left = x + (width - token_side - text_width - gap) / 2
        draw_player_token(
            self.bidder_colour, (left, y + (text_height - token_side) / 2, token_side, token_side)
        )
        draw_text_lines(
            lines, (left + token_side + gap + text_width / 2, y + text_height / 2), size, theme.INK
        )
        return text_height


def _owner_token_side() -> float:
    return theme.length.smallest * 1.15


class BidDigitsPad(NumberPad):
    """A number pad for bids: digits, and a key that shows the typed number and bids it.

    The key also bids a number that isn't allowed; the rules refuse it with a sentence.
    """

    amount_beside_min_width_targets = 6.5
    keys_per_row = 4
    are_step_keys_stacked = True
    has_answer_keys_beside_digits = False
    step_key_steps: ClassVar[tuple[int, ...]] = (5, 1)

    def _build(self) -> None:
        super()._build()
        self.highest_bid_panel = HighestBidPanel()
        self.confirm_key.style = "question"
        self.column = BoxLayout(orientation="vertical", spacing=theme.length.gap / 2, size_hint_x=None)
        self.column.width = theme.length.target
        self.numbers = BoxLayout(spacing=theme.length.gap / 2)
        self.fbind("decline_text", self._arrange)

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height at this width.

        The pad needs one more row if the bid key doesn't fit beside the digits.
        """
        min_height, preferred_height = super().min_and_preferred_height(width)
        bid_row_height = theme.length.target + theme.length.gap / 2 if self._is_very_narrow(width) else 0.0
        return min_height + bid_row_height, preferred_height + bid_row_height

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the keys and the text of the declining key."""
        return super().is_too_narrow(width) or (
            not self._is_narrow(width) and self._spare_slip_width(width) < 0
        )

    def _spare_slip_width(self, width: float) -> float:
        """Returns how much wider the slip beside the digits is than the text of the declining key needs."""
        sizes = theme.length
        slip_width = width - (DIGIT_KEYS_WIDTH_TARGETS + 1) * sizes.target - 2.5 * sizes.gap
        return slip_width - measure_text_width(self.decline_text, sizes.smallest) - sizes.gap

    def _is_very_narrow(self, width: float) -> bool:
        """Returns whether five keys don't fit side by side."""
        return width < 5 * theme.length.target + 2 * theme.length.gap

    def _arrange(self, *_: object) -> None:
        super()._arrange()
        narrow, roomy = (self._narrow or (False, False, False))[:2]
        is_very_narrow = self._is_very_narrow(self.width)
        sizes = theme.length
        self.numbers.size_hint_x = 1 if narrow else None
        digits_width = DIGIT_KEYS_WIDTH_TARGETS * sizes.target
        spare_width = (
            self._spare_slip_width(self.width) - 2 * sizes.gap
        )  # the declining key keeps its margins
        column_width = sizes.target + max(
            0.0, min(MAX_EXTRA_BID_KEY_WIDTH_IN_TARGETS * sizes.target, spare_width)
        )
        self.numbers.width = digits_width + column_width + self.numbers.spacing
        self.digit_grid.size_hint_x, self.digit_grid.width = (1, 0) if narrow else (None, digits_width)
        self.numbers.orientation = "vertical" if is_very_narrow else "horizontal"
        self.column.orientation = "horizontal" if is_very_narrow else "vertical"
        self.column.size_hint = (1, None) if is_very_narrow else (None, 1)
        self.column.size = (sizes.target if narrow else column_width, sizes.target)
        self.column.clear_widgets()
        step_keys = self.step_keys if roomy else self.step_keys[1:]
        add_children(self.column, *step_keys, self.confirm_key)
        self.confirm_key.size_hint = (2, 1) if is_very_narrow else (1, 2)
        self.confirm_key.lines = 1 if is_very_narrow else 2
        self.numbers.clear_widgets()
        add_children(self.numbers, self.digit_grid, self.column)
        add_children(self, self.numbers)
        self._show()

    def _lay_slip(self, *, narrow: bool, roomy: bool, low: bool) -> BoxLayout:  # noqa: ARG002 - as every pad
        """Builds the panel with the highest bid, and the declining key below it or beside it."""
        slip = BoxLayout(orientation="horizontal" if narrow else "vertical", spacing=theme.length.gap)
        if narrow:
            slip.size_hint_y, slip.height = None, LOW_AMOUNT_HEIGHT_TARGETS * theme.length.target
        self.answer_key_row.size_hint_y = 1 if narrow else None
        self.answer_key_row.height = theme.length.target
        add_children(slip, self.highest_bid_panel, self.answer_key_row)
        return slip

    def _show_figure(self) -> None:
        """Shows the typed number, which the key bids, in the panel with the highest bid."""
        self.highest_bid_panel.typed_number = self.typed_number

    def _show(self, *_: object) -> None:
        super()._show()
        if self._is_very_narrow(self.width):  # the key is wide and low
            self.confirm_key.text = " ".join(self.confirm_key.text.split())
        self.confirm_key.disabled = self.amount is None
        if self.numbers.disabled:
            self.confirm_key.reason = get_companion_app().tr("can't bid now")


class RaisePad(ConfirmingWidget[Raise]):
    """The widget that asks for a higher bid in an open auction: a number pad.

    The pad offers the lowest allowed bid, so that one touch bids it.
    """

    is_reusable = True
    _clock: ClockState | None = None

    def build_widgets(self) -> None:
        """Builds the pad, with the highest bid beside it."""
        super().build_widgets()
        self.pad = BidDigitsPad()
        self._update_limits()
        self.pad.bind(
            on_confirm=lambda _, amount: self._answer_or_confirm(amount),
            on_decline=lambda _: self.dispatch("on_answer", None),
        )
        self._show(self.pad)

    @property
    def _entry(self) -> BidDigitsPad:
        """The pad."""
        return self.pad

    def clear_answer(self) -> None:
        """Offers the lowest allowed bid again, on the pad."""
        self._forget_answer_to_confirm()
        self._update_limits()
        self._show(self.pad)

    def try_reuse_for(self, request: Raise, view: View) -> bool:
        """Reuses the pad for the next bidder, and returns True."""
        self.request, self.view = request, view
        self.clear_answer()
        self.update_texts()
        return True

    def show_newer_view(self, view: View) -> None:
        """Shows a newer view, in which the bid may have other limits."""
        super().show_newer_view(view)
        bid = self._bid_field
        shown_limits = self.pad.most, self.pad.values, not self.pad.numbers.disabled
        if shown_limits != (bid and bid.most, bid.values if bid else self.pad.values, bid is not None):
            self._update_limits()

    def prefill(self, previous_answer: int | None) -> None:
        """Fills in the previous bid, until people type another."""
        if previous_answer is not None:
            self.pad.prefill_amount(previous_answer)

    def _update_limits(self) -> None:
        """Updates the pad's limits and offered bid; disables the digits if people can only decline."""
        bid = self._bid_field
        if bid is not None:
            self.pad.allow_numbers_of(bid)
        self.pad.prefill_amount(bid.least if bid else None)
        self.pad.numbers.disabled = bid is None

    @property
    def _bid_field(self) -> NumberField | None:
        """Returns the number field of the bid; None if people can only decline."""
        field = self.form.single_field
        return field if isinstance(field, NumberField) else None

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height of the pad."""
        return self.pad.min_and_preferred_height(width)

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the pad."""
        return self.pad.is_too_narrow(width)

    def update_texts(self) -> None:
        """Updates the texts: the highest bid and its bidder, and what the keys do."""
        owner, panel = self.highest_bidder, self.pad.highest_bid_panel
        panel.caption = self._caption
        panel.bid_text = str(self.request.bids[owner]) if owner else ""
        panel.own_caption = self.app.tr("Your bid")
        panel.bidder_name, panel.bidder_colour = (owner.name, owner.colour) if owner else ("", "")
        self.pad.decline_key.lines = 1
        self.pad.confirm_text = self.app.tr("Bid\n{amount}", amount="{amount}")
        self.pad.decline_text = self.decline_key_text
        self._update_confirmation(self.app.tr("Bid {amount}", amount=self.answer_to_confirm))

    def show_clock(self, clock: ClockState | None) -> None:
        """Shows "going once" and "going twice" in the last seconds in which the bidding can go on."""
        self._clock = clock
        self.pad.highest_bid_panel.caption = self._caption

    @property
    def _caption(self) -> str:
        """The text above the highest bid.

        The lot is going if only the asked seat can bid more, and its time is nearly up.
        """
        tr, owner, clock = self.app.tr, self.highest_bidder, self._clock
        if owner is None:
            return str(tr("No bid yet"))
        is_last_chance = {*self.request.still_bidding} == {self.request.seat, owner}
        if clock is None or not (is_last_chance and clock.answers_on_timeout and clock.is_in_final_seconds):
            return str(tr("Top bid"))
        seconds = (clock.remaining_ticks or 0) / TICKS_PER_SECOND
        return str(tr("Going once") if seconds > FINAL_WARNING_SECONDS / 2 else tr("Going twice"))

    @property
    def highest_bidder(self) -> Seat | None:
        """Returns the seat with the highest bid; None if nobody has bid."""
        bids = self.request.bids
        return max(bids, key=lambda seat: bids[seat]) if bids else None
