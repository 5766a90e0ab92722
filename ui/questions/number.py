"""One number: an amount on a pad, or the next bid of an open auction."""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.properties import OptionProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.requests import NumberField, Raise, Request
from companion.session.view import View
from companion.table.seats import Seat
from ui import theme
from ui.questions.buttons import AnswerConfirmation
from ui.questions.question import Question
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.surfaces import Drawn, inset, paper
from ui.widgets.drawing.symbols import draw_token
from ui.widgets.drawing.text import LINE, across, inscribe, inscribe_lines, within
from ui.widgets.keys.number_pad import DIGITS_WIDE, SLIP_LOW, Pad
from ui.widgets.keys.typed_number import Numeral

ENDLESS = 99_999
"""Nobody comes to so much: a limit beyond it is not worth a word."""


class AmountPad(Question[Request[Any]]):
    """The pad with the limits of the question; nothing is typed beforehand."""

    def build(self) -> None:
        """The pad."""
        self.pad = Pad(allows=self._allows)
        self._limit()
        self.pad.bind(on_confirm=lambda _, amount: self._give(int(amount)))
        self.pad.bind(on_no=lambda _: self._decline())
        self.grave = 0
        self.doubt = AnswerConfirmation()
        self.doubt.bind(
            on_sure=lambda _: self.dispatch("on_answer", self.grave), on_unsure=lambda _: self.forget()
        )
        self.add_widget(self.pad)

    def show(self, seen: View) -> None:
        """The limits are live."""
        super().show(seen)
        self._limit()
        self.speak()

    def begin_at(self, answer: int) -> None:
        """The number stands there until another is typed."""
        self.pad.start_at(answer)

    def _limit(self) -> None:
        number = self._number
        self.pad.least, self.pad.most, self.pad.step = number.least, number.most, number.step

    @property
    def _number(self) -> NumberField:
        """The number asked for; 0 alone where only declining is left."""
        field = self.form.single_field
        return field if isinstance(field, NumberField) else NumberField(most=0)

    def _allows(self, amount: int) -> bool:
        """What is covered doesn't count here: the key must not tell of it."""
        return self.form.is_decline(amount) or self._number.accepts(amount)

    def _decline(self) -> None:
        """Gives the answer that declines."""
        declined = self.form.decline
        if declined is not None:
            self._give(declined.answer)

    def _give(self, answer: Any) -> None:
        """Answers; where the number is grave, asks first in the pad's place."""
        if answer not in self.form.confirmations:
            self.dispatch("on_answer", answer)
            return
        self.grave = answer
        self.speak()
        self._show(self.doubt)

    def _show(self, part: Widget) -> None:
        self.clear_widgets()
        self.add_widget(part)

    def height_range(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height of the pad."""
        return self.pad.height_range(width)

    def is_too_narrow(self, width: float) -> bool:
        """Whether the pad would be."""
        return self.pad.is_too_narrow(width)

    def speak(self) -> None:
        """What is allowed, and what the key does."""
        self.pad.sentence = self._allowed()
        self.pad.yes = self.app.tr("Take {amount}", amount="{amount}")
        self.pad.way_out = self.way_out
        caution = self.form.confirmations.get(self.grave)
        self.doubt.text.text = self.said(caution) if caution else ""
        self.doubt.sure.text = self.app.tr("Take {amount}", amount=self.grave)
        self.doubt.unsure.text = self.app.tr("Cancel")

    def _allowed(self) -> str:
        least, most = Numeral.of(self.pad.least).shown, self.pad.most
        if most is None or most >= ENDLESS:
            return str(self.app.tr("{least} or more", least=least))
        most = Numeral.of(most).shown
        return str(self.app.tr("From {least} to {most}", least=least, most=most))

    def forget(self) -> None:
        """The number is wiped off the very pad that knew it."""
        self.pad.clear()
        self._show(self.pad)


# Open bidding


class Highest(Drawn):
    """The bid that must be beaten, large, and below it whose it is."""

    shows: ClassVar[tuple[str, ...]] = ("colour", "amount", "owner", "caption")
    colour = OptionProperty("", options=["", *theme.PLAYER_LOOKS])
    amount = StringProperty("")
    owner = StringProperty("")
    caption = StringProperty("")

    def draw(self) -> None:
        """Paper; a caption, the figure, the owner's token before the name."""
        sizes, small = theme.length, theme.length.smallest
        paper(self.box, sizes.line)
        x, y, width, height = inset(self.box, sizes.gap / 2)
        caption = within(self.caption, width, bold=False)
        top, low = small * LINE * len(caption), self._draw_owner(x, y, width)
        inscribe_lines(caption, (x + width / 2, y + height - top / 2), small, theme.INK_QUIET, bold=False)
        size = min(sizes.number, height - top - low)
        size *= min(1.0, width / max(1.0, across(self.amount, size, theme.MONEY)))
        middle = (x + width / 2, y + low + (height - top - low) / 2)
        inscribe(self.amount, middle, size, theme.INK, theme.MONEY)

    def _draw_owner(self, x: float, y: float, width: float) -> float:
        """The token before the name; how high they are."""
        if not self.owner:
            return 0.0
        size, side, gap = theme.length.smallest, theme.length.smallest * 1.15, theme.length.gap / 4
        lines = within(self.owner, width - side - gap)
        high, named = size * LINE * len(lines), max(across(line, size) for line in lines)
        left = x + (width - side - named - gap) / 2
        draw_token(self.colour, (left, y + (high - side) / 2, side, side))
        inscribe_lines(lines, (left + side + gap + named / 2, y + high / 2), size, theme.INK)
        return high


class BidDigitsPad(Pad):
    """A pad that types into the bidding key; what can't be bid is refused by the rules, with a sentence."""

    wide = 6.5
    keys_across = 4
    are_steps_apart = True
    steps: ClassVar[tuple[int, ...]] = (5, 1)

    def _build(self) -> None:
        super()._build()
        self.highest = Highest()
        self.confirm_key.style = "question"
        self.column = BoxLayout(orientation="vertical", spacing=theme.length.gap / 2, size_hint_x=None)
        self.column.width = theme.length.target
        self.numbers = BoxLayout(spacing=theme.length.gap / 2)

    def height_range(self, width: float) -> tuple[float, float]:
        """A row more where the key that bids has no room beside the digits."""
        least, best = super().height_range(width)
        more = theme.length.target + theme.length.gap / 2 if self._is_thin(width) else 0.0
        return least + more, best + more

    def is_too_narrow(self, width: float) -> bool:
        """Whether its keys would be too narrow there, or the word of the way out be cut."""
        sizes = theme.length
        beside = width - (DIGITS_WIDE + 1) * sizes.target - 2.5 * sizes.gap  # what is left for the slip
        word = across(self.way_out, sizes.smallest) + sizes.gap
        return super().is_too_narrow(width) or (not self._is_narrow(width) and beside < word)

    def _is_thin(self, width: float) -> bool:
        """Whether five keys have no room side by side."""
        return width < 5 * theme.length.target + 2 * theme.length.gap

    def _arrange(self, *_: object) -> None:
        super()._arrange()
        narrow, roomy = (self._narrow or (False, False, False))[:2]
        thin = self._is_thin(self.width)
        sizes = theme.length
        self.numbers.size_hint_x = 1 if narrow else None
        wide = DIGITS_WIDE * sizes.target
        self.numbers.width = wide + sizes.target + self.numbers.spacing
        self.digits.size_hint_x, self.digits.width = (1, 0) if narrow else (None, wide)
        self.numbers.orientation = "vertical" if thin else "horizontal"
        self.column.orientation = "horizontal" if thin else "vertical"
        self.column.size_hint = (1, None) if thin else (None, 1)
        self.column.size = (sizes.target, sizes.target)
        self.column.clear_widgets()
        quick = self.quick if roomy else self.quick[1:]
        put(self.column, *quick, self.confirm_key)
        self.confirm_key.size_hint = (2, 1) if thin else (1, 2)
        self.confirm_key.lines = 1 if thin else 2
        self.numbers.clear_widgets()
        put(self.numbers, self.digits, self.column)
        put(self, self.numbers)
        self._show()

    def _lay_slip(self, *, narrow: bool, roomy: bool, low: bool) -> BoxLayout:  # noqa: ARG002 - as every pad
        """The bid to beat, and the way out below it or beside it."""
        slip = BoxLayout(orientation="horizontal" if narrow else "vertical", spacing=theme.length.gap)
        if narrow:
            slip.size_hint_y, slip.height = None, SLIP_LOW * theme.length.target
        self.answers.size_hint_y = 1 if narrow else None
        self.answers.height = theme.length.target
        put(slip, self.highest, self.answers)
        return slip

    def _show_figure(self) -> None:
        """Shows the typed number on the key that bids it."""

    def _show(self, *_: object) -> None:
        super()._show()
        if self._is_thin(self.width):  # its key is wide and low
            self.confirm_key.text = " ".join(self.confirm_key.text.split())
        self.confirm_key.disabled = self.amount is None


class RaisePad(Question[Raise]):
    """The pad begins at the lowest bid allowed, so that one touch bids it."""

    def build(self) -> None:
        """The pad beside the bid that must be beaten."""
        self.pad = BidDigitsPad()
        self._limit()
        self.pad.bind(
            on_confirm=lambda _, amount: self.dispatch("on_answer", amount),
            on_no=lambda _: self.dispatch("on_answer", None),
        )
        self.add_widget(self.pad)

    renews = True

    def renew(self, request: Raise, seen: View) -> bool:
        """Reuses the pad for the next bidder."""
        self.request, self.seen = request, seen
        self._limit()
        self.speak()
        return True

    def show(self, seen: View) -> None:
        """What a bid is paid from may change while it is asked for."""
        super().show(seen)
        bid = self._bid
        if (self.pad.most, not self.pad.numbers.disabled) != (bid and bid.most, bid is not None):
            self._limit()

    def begin_at(self, answer: int | None) -> None:
        """The bid stands there until another is typed."""
        if answer is not None:
            self.pad.start_at(answer)

    def _limit(self) -> None:
        """Where only declining is left no key says a number."""
        bid = self._bid
        if bid is not None:
            self.pad.least, self.pad.most, self.pad.step = bid.least, bid.most, bid.step
        self.pad.start_at(bid.least if bid else None)
        self.pad.numbers.disabled = bid is None

    @property
    def _bid(self) -> NumberField | None:
        """The bid asked for; None where only declining is left."""
        field = self.form.single_field
        return field if isinstance(field, NumberField) else None

    def height_range(self, width: float) -> tuple[float, float]:
        """Returns the least and the preferred height of the pad."""
        return self.pad.height_range(width)

    def is_too_narrow(self, width: float) -> bool:
        """Whether the pad would be."""
        return self.pad.is_too_narrow(width)

    def speak(self) -> None:
        """The highest bid and its owner; what the keys do."""
        owner, shown = self.highest, self.pad.highest
        shown.caption = self.app.tr("Top bid") if owner else self.app.tr("No bid yet")
        shown.amount = str(self.request.bids[owner]) if owner else "–"
        shown.owner, shown.colour = (owner.name, owner.colour) if owner else ("", "")
        self.pad.no_key.lines = 1
        self.pad.yes = self.app.tr("Bid\n{amount}", amount="{amount}")
        self.pad.way_out = self.way_out

    @property
    def highest(self) -> Seat | None:
        """Whose bid must be beaten."""
        bids = self.request.bids
        return max(bids, key=lambda seat: bids[seat]) if bids else None
