"""Paying a price with cards: people count the cards by their worth, or lay them on a reader."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from kivy.properties import NumericProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.requests import CardsField, QuantitiesField, Request
from companion.session.view import View
from companion.texts import render
from ui import theme
from ui.questions.card_picker import UseCardsOnReaderKey
from ui.questions.question import MAX_EXTRA_HEIGHT_IN_TARGETS, QuestionWidget, needs_single_column
from ui.widgets.drawing.containers import add_children, detach_from_parent
from ui.widgets.drawing.line_breaking import count_wrapped_lines, widest_phrase_width, widest_word_width
from ui.widgets.drawing.surfaces import PaperBoxLayout
from ui.widgets.drawing.text import FittedLabel, measure_text_width
from ui.widgets.keys.key import Key
from ui.widgets.keys.steppers import Stepper

STEPPERS_TO_OWED_WIDTH_RATIO = 2.6
"""The width of the steppers relative to the owed amount beside them."""
MIN_ROW_HEIGHT_IN_TARGETS, MIN_TWO_LINE_ROW_HEIGHT_IN_TARGETS, PREFERRED_ROW_HEIGHT_IN_TARGETS = (
    1.0,
    1.12,
    1.25,
)
"""The height of a rate's row in targets: minimum, minimum for labels in two lines, and preferred."""
MAX_STEPPER_LABEL_LINES = 2
"""The most lines for a stepper's label."""
MIN_OWED_HEIGHT_IN_ROWS, PREFERRED_OWED_HEIGHT_IN_ROWS = 0.6, 1.5
"""The height of the owed amount's own row, in rows of a rate: minimum and preferred."""

OWED_WIDTH_BETWEEN_KEYS = 0.4
"""The width of the owed amount between the keys, relative to the key that lays down cards."""
CAPTION_HEIGHT_SHARE = 0.4
"""The height of the caption above the owed amount, relative to the amount's."""


class AmountOwedSheet(PaperBoxLayout):
    """A sheet with the paid amount and the price as large numbers, and a caption that compares them."""

    caption = StringProperty("")
    paid = NumericProperty(0)
    price = NumericProperty(0)

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(padding=theme.length.gap, spacing=0, **kwargs)
        self.caption_label = FittedLabel(
            style="body",
            halign="center",
            lines=2,
            size_hint_y=CAPTION_HEIGHT_SHARE,
            size_hint_min_y=2.4 * theme.length.smallest,  # two lines, also on a low sheet with large text
        )
        self.amount_label = FittedLabel(style="number", halign="center", text="0/0")
        self.add_widget(self.caption_label)
        self.add_widget(self.amount_label)
        self.fbind("caption", self.caption_label.setter("text"))
        self.bind(paid=self._update_amounts, price=self._update_amounts)

    def _update_amounts(self, *_: object) -> None:
        self.amount_label.text = f"{self.paid}/{self.price}"


class RateStepper(Stepper):
    """A stepper for the cards of one rate; a key of its own pays the rest with these cards.

    `rest` is the number of cards that pay exactly what is still owed, or 0: then the key is hidden. Nothing
    else ever has its place, so that a second touch does nothing.
    """

    rest = NumericProperty(0)
    rest_label = StringProperty("")

    def __init__(self, name: str = "", **kwargs: Any) -> None:
        target = theme.length.target
        self.rest_key = Key(
            name=f"rest {name}", has_narrow_margins=True, size_hint=(None, None), size=(target, target)
        )
        self.rest_key.pos_hint = {"center_y": 0.5}
        self.rest_key.bind(on_press=lambda _: self._change_count(self.rest))
        super().__init__(name, **kwargs)
        self.add_widget(self.rest_key)
        for property_name in ("rest", "rest_label"):
            self.fbind(property_name, self._update_texts_and_keys)

    @staticmethod
    def label_width(stepper_width: float) -> float:
        """Returns the width for the label in a stepper of that width."""
        return Stepper.label_width(stepper_width) - theme.length.target

    def _update_texts_and_keys(self, *_: object) -> None:
        super()._update_texts_and_keys()
        self.rest_key.text = self.rest_label
        self.rest_key.disabled, self.rest_key.opacity = not self.rest, float(bool(self.rest))


class CardPaymentWidget(QuestionWidget[Request[Any]]):
    """The widget for paying with cards: a stepper for each rate, and the amount still owed.

    A rate is what a card is worth. Cards on a reader are counted automatically, and no touch can remove
    them.
    """

    __events__ = ("on_use_reader_cards",)  # people want to count the cards that already lay on the reader
    is_reusable = True

    def build_widgets(self) -> None:
        """Builds the steppers at the left, the owed amount at the right, and the keys below."""
        self._min_compact_height = 0.0
        self.spacing = theme.length.gap / 2
        self.body = body = BoxLayout(spacing=theme.length.space)
        self.column = column = BoxLayout(
            orientation="vertical", spacing=theme.length.gap / 2, size_hint_x=STEPPERS_TO_OWED_WIDTH_RATIO
        )
        self.steppers = [RateStepper(name=number.key) for number in self.card_count_by_rate_field.numbers]
        for stepper in self.steppers:
            stepper.fbind("count", self._update_texts)
            column.add_widget(stepper)
        self.accepted_tags: list[str] = []
        self.owed = AmountOwedSheet()
        body.add_widget(column)
        body.add_widget(self.owed)
        self.add_widget(body)
        self.add_widget(self._build_foot())

    @property
    def card_count_by_rate_field(self) -> QuantitiesField:
        """Returns the quantities field with a number of cards for each rate, and the sum to reach."""
        counts = self.cards_field.counts
        assert counts is not None
        return counts

    def try_reuse_for(self, request: Request[Any], view: View) -> bool:
        """Reuses the widget for another payment with as many rates, and returns whether it did."""
        form = request.form
        rate_quantities = form.single_field.counts if isinstance(form.single_field, CardsField) else None
        has_same_rates = rate_quantities is not None and len(rate_quantities.numbers) == len(self.steppers)
        if not has_same_rates or (form.decline is None) != (self.form.decline is None):
            return False
        self.request, self.view, self.accepted_tags = request, view, []
        for stepper in self.steppers:
            stepper.least = stepper.count = 0
        self.update_texts()
        return True

    def min_and_preferred_height(self, width: float) -> tuple[float, float]:
        """Returns the minimum and the preferred height at this width.

        Each rate has a row. In a narrow widget the owed amount has a row, too.
        """
        is_narrow = self._is_narrow(width)
        self._min_compact_height = self._min_height(width, owed_rows=0.0) if is_narrow else 0.0
        preferred_height = self._height_of_rows(
            is_narrow=is_narrow,
            row_targets=PREFERRED_ROW_HEIGHT_IN_TARGETS,
            owed_rows=PREFERRED_OWED_HEIGHT_IN_ROWS,
        )
        min_height = self._min_height(width, MIN_OWED_HEIGHT_IN_ROWS)
        return min_height, preferred_height + MAX_EXTRA_HEIGHT_IN_TARGETS * theme.length.target

    @property
    def min_compact_height(self) -> float:
        """Returns the least height if the owed amount is between the keys; 0 if it is beside the steppers."""
        return self._min_compact_height

    def _min_height(self, width: float, owed_rows: float) -> float:
        """Returns the least height at this width for an owed amount of so many rows."""
        is_narrow = self._is_narrow(width)
        label_width = RateStepper.label_width(width if is_narrow else self._stepper_width_beside_owed(width))
        is_wordy = any(_label_text_width(stepper.text) > label_width for stepper in self.steppers)
        row_targets = MIN_TWO_LINE_ROW_HEIGHT_IN_TARGETS if is_wordy else MIN_ROW_HEIGHT_IN_TARGETS
        return self._height_of_rows(is_narrow=is_narrow, row_targets=row_targets, owed_rows=owed_rows)

    def _height_of_rows(self, *, is_narrow: bool, row_targets: float, owed_rows: float) -> float:
        """Returns the height for a rate's row of `step` targets, and an owed amount of `owed` rows."""
        row_count = len(self.steppers) + owed_rows if is_narrow else max(2, len(self.steppers))
        gaps_height = (len(self.steppers) + (is_narrow and owed_rows > 0)) * self.column.spacing
        return float(row_count * theme.length.target * row_targets + gaps_height + self.foot.height)

    def adapt_to_size(self) -> None:
        """Adapts to the size: places the owed amount beside the steppers, below them, or between the keys."""
        is_narrow = self._is_narrow(self.width)
        is_low = self.height < self._height_of_rows(
            is_narrow=is_narrow,
            row_targets=PREFERRED_ROW_HEIGHT_IN_TARGETS,
            owed_rows=PREFERRED_OWED_HEIGHT_IN_ROWS,
        )
        self.body.orientation = "vertical" if is_narrow else "horizontal"
        self.body.spacing = self.column.spacing if is_narrow else theme.length.space
        self.column.size_hint = (1, len(self.steppers)) if is_narrow else (STEPPERS_TO_OWED_WIDTH_RATIO, 1)
        self.owed.orientation = "horizontal" if is_narrow else "vertical"
        self.owed.caption_label.size_hint_y = 1.0 if is_narrow else CAPTION_HEIGHT_SHARE
        self.owed.caption_label.size_hint_min_y = None if is_narrow else 2.4 * theme.length.smallest
        self.owed.size_hint_y = (
            (MIN_OWED_HEIGHT_IN_ROWS if is_low else PREFERRED_OWED_HEIGHT_IN_ROWS) if is_narrow else 1
        )
        self.owed.padding = (theme.length.gap, theme.length.rim) if is_narrow else theme.length.gap
        least_height = self._min_height(self.width, MIN_OWED_HEIGHT_IN_ROWS)
        self._place_owed(is_between_keys=is_narrow and self.height + 1 < least_height)

    def _place_owed(self, *, is_between_keys: bool) -> None:
        """Places the owed amount between the keys, where its caption has no room, or in a row of its own."""
        if is_between_keys:
            self.owed.size_hint_y = 1
        if is_between_keys == (self.owed.parent is self.foot):
            return
        detach_from_parent(self.owed.caption_label)
        if is_between_keys:
            detach_from_parent(self.gap_between_keys)
            detach_from_parent(self.owed)
            self.owed.size_hint_x = OWED_WIDTH_BETWEEN_KEYS
            self.foot.add_widget(self.owed, index=self.foot.children.index(self.lay_down_key) + 1)
        else:
            add_children(self.body, self.owed)
            self.owed.size_hint_x = 1
            self.owed.add_widget(self.owed.caption_label, index=1)
            if self.form.decline is not None:
                index = self.foot.children.index(self.decline_key)
                self.foot.add_widget(self.gap_between_keys, index=index)

    def _is_narrow(self, width: float) -> bool:
        """Returns whether the labels of the steppers don't fit if the owed amount is beside the steppers."""
        stepper_width = self._stepper_width_beside_owed(width)
        return needs_single_column(width) or not self._do_labels_fit(RateStepper.label_width(stepper_width))

    def is_too_narrow(self, width: float) -> bool:
        """Returns whether the width is too narrow for the texts of the steppers and of the keys below.

        A stepper may take the whole width.
        """
        space = theme.length.space
        can_decline = self.form.decline is not None
        keys = (
            [(self.decline_key, 0.7), (self.lay_down_key, 1.0)] if can_decline else [(self.lay_down_key, 1.0)]
        )
        unit_width = (width - space * len(keys)) / (2.0 if can_decline else 1.0)
        is_key_too_narrow = any(
            widest_phrase_width(key.text, _key_text_width) + space > unit_width * units for key, units in keys
        )
        return is_key_too_narrow or not self._do_labels_fit(RateStepper.label_width(width))

    @staticmethod
    def _stepper_width_beside_owed(width: float) -> float:
        """Returns the width of a stepper beside the owed amount."""
        return (
            (width - theme.length.space) * STEPPERS_TO_OWED_WIDTH_RATIO / (STEPPERS_TO_OWED_WIDTH_RATIO + 1)
        )

    def _do_labels_fit(self, label_width: float) -> bool:
        """Returns whether each stepper's label fits into this width in two lines."""
        texts = [stepper.text for stepper in self.steppers]
        return all(
            widest_word_width(text, _label_text_width) <= label_width
            and count_wrapped_lines(text, label_width, _label_text_width) <= MAX_STEPPER_LABEL_LINES
            for text in texts
        )

    def _build_foot(self) -> BoxLayout:
        """Builds the row of keys, with a gap between "can't" and the brass key."""
        self.foot = row = BoxLayout(size_hint_y=None, height=theme.length.target, spacing=theme.length.space)
        self.use_cards_key = UseCardsOnReaderKey()
        self.use_cards_key.bind(on_release=lambda _: self.dispatch("on_use_reader_cards"))
        self.decline_key = Key(name="cant", size_hint_x=0.7)
        self.decline_key.bind(on_release=lambda _: self.dispatch("on_answer", None))
        self.lay_down_key = Key(look="brass", name="lay")
        self.lay_down_key.bind(on_release=lambda _: self.dispatch("on_answer", self.make_answer()))
        self.gap_between_keys = Widget(size_hint_x=0.3)
        for key in (self.decline_key, self.gap_between_keys) if self.form.decline else ():
            row.add_widget(key)
        row.add_widget(self.lay_down_key)
        return row

    def show_newer_view(self, view: View) -> None:
        """Shows a newer view, in which people may hold other cards."""
        super().show_newer_view(view)
        self.update_texts()

    def show_tags_on_reader(self, accepted_tags: Sequence[str], waiting_count: int) -> None:
        """Shows the accepted cards on the reader as counted, and how many more cards wait there.

        The steppers count each accepted card. If more cards wait, a key appears that counts them, too.
        """
        self.accepted_tags = list(accepted_tags)
        rate_indices = [
            self.cards_field.rate_index_of(self.cards_field.parse_card_item({"tag": tag}))
            for tag in accepted_tags
        ]
        for index, stepper in enumerate(self.steppers):
            previous_least, stepper.least = stepper.least, rate_indices.count(index)
            stepper.count = max(stepper.least, stepper.count + stepper.least - previous_least)
        self.use_cards_key.show_waiting_count(waiting_count)
        self.use_cards_key.add_or_remove_in_row(self.foot, right_neighbour=self.lay_down_key)
        self.update_texts()

    def prefill_only_answer(self) -> None:
        """Counts the cards that pay exactly what is owed, if there is one way and none lies on a reader."""
        payment = None if self.accepted_tags else self.cards_field.only_exact_payment
        if payment is not None:
            for number, stepper in zip(self.card_count_by_rate_field.numbers, self.steppers, strict=True):
                stepper.count = payment[number.key]

    def make_answer(self) -> list[object]:
        """Returns the answer of the widget as JSON: an item for each card.

        The tags of the cards on the reader are first, then the values of the counted cards.
        """
        typed_cards = [
            {"values": dict(values)}
            for values, stepper in zip(self.cards_field.rates, self.steppers, strict=True)
            for _ in range(int(stepper.count - stepper.least))
        ]
        return [*({"tag": tag} for tag in self.accepted_tags), *typed_cards]

    def update_texts(self) -> None:
        """Updates the texts: what each card is worth, and what is paid of what is owed."""
        self.decline_key.text = self.decline_label
        self.bar_declining(self.decline_key)
        self.use_cards_key.update_texts()
        self.lay_down_key.text = self.app.trn(
            "Lay down {n} card", "Lay down {n} cards", len(self.make_answer())
        )
        cards, counts = self.cards_field, self.card_count_by_rate_field
        owed, most = counts.least or 0, cards.most
        card_count = sum(stepper.count for stepper in self.steppers)
        numbers_and_steppers = list(zip(counts.numbers, self.steppers, strict=True))
        paid = sum(number.unit_value * stepper.count for number, stepper in numbers_and_steppers)
        for number, stepper in numbers_and_steppers:
            rest, remainder = divmod(max(0, owed - paid), number.unit_value)
            allowed = max(1, rest) if most is None else most - card_count
            stepper.most = stepper.count + allowed
            stepper.rest = rest if not remainder and rest <= allowed else 0
            stepper.rest_label = self.app.tr("pay rest")
            stepper.text = self.render_with_short_names(number.label)
            stepper.note = self.app.tr("worth {n}", n=number.unit_value)
        tr, self.owed.paid, self.owed.price = self.app.tr, paid, owed
        if paid < owed:
            self.owed.caption = tr("Still to pay: {n}", n=owed - paid)
        else:
            self.owed.caption = tr("Paid too much") if paid > owed else tr("Paid exactly")
        self.lay_down_key.reason = self._why_not_laid_down(owed - paid, card_count)
        self.lay_down_key.disabled = bool(self.lay_down_key.reason)
        self.adapt_to_size()

    def _why_not_laid_down(self, missing: int, card_count: int) -> str:
        """Returns in a few words why these cards aren't the price yet; "" if they can be."""
        if missing > 0:
            return str(self.app.tr("{n} missing", n=missing))
        reason = self.cards_field.why_count_refused(card_count)
        return "" if reason is None else render(reason, self.app.lang)


def _key_text_width(text: str) -> float:
    return measure_text_width(text, theme.length.smallest)


def _label_text_width(text: str) -> float:
    return measure_text_width(text, theme.length.smallest, bold=False)
