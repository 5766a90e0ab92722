"""Picks cards from the list of their deck; a reader or a typed description can name them, too."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil
from typing import Any

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.cards import face_of_card
from companion.cards.deck import field_label, word_label
from companion.requests import Request
from companion.session.card_offers import CardChoice, CardChoices, list_card_choices, narrow_by_value
from companion.session.view import View
from companion.texts import render
from ui import theme
from ui.host import running_app
from ui.questions.card_form import Describing, PrintedDigits, is_small
from ui.questions.question import Question
from ui.widgets.keys.key import Key, across_key
from ui.widgets.keys.option_key import CardKey, OptionKey
from ui.widgets.keys.pager import Pager


class TakeKey(Key):
    """A key that says how many cards lie there, not which: a hand may have come near the reader by chance."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(name="take", **kwargs)
        self.waiting = 0
        self.speak()

    def show(self, waiting: int) -> None:
        """Shows how many cards lie there."""
        self.waiting = waiting
        self.speak()

    def stand_in(self, row: BoxLayout, before: Widget) -> None:
        """Stands in the row, left of that key, while cards lie there."""
        if self.parent is row and not self.waiting:
            row.remove_widget(self)
        if self.parent is None and self.waiting:
            row.add_widget(self, index=row.children.index(before) + 1)

    def speak(self) -> None:
        """How many."""
        app = running_app()
        self.text = app.trn("Use this card", "Use these {n} cards", self.waiting)


# The list of cards


COLUMNS, FEWER = 4, 3
"""Cards side by side, and where there is little room."""
CARD = 1.25
"""Targets that a card is wide at least where there are more."""
LEAST_ROWS, ROWS = 2, 4
"""Rows a page: as few as it may be, and as many as there is always room for where nothing else is wanted."""

FEW_KEYS = 3
"""With more keys in the foot they have no room for words."""


class CardList(Question[Request[Any]]):
    """A touch picks a card, where one is asked for it is the answer; cards known to lie there come first.

    More than a page of them are narrowed first, value by value of what is printed.

    What was laid on a reader is picked too, and no touch takes it back.
    """

    __events__ = ("on_take",)  # the cards that already lay there are to be picked

    def build(self) -> None:
        """The list above, the keys below."""
        self.spacing = theme.length.gap / 4
        self._compact_height, self._collapsed_height = self._high(LEAST_ROWS), 0.0
        self.picked: list[tuple[str, dict[str, Any]]] = []
        self.laid: list[tuple[str, dict[str, Any]]] = []
        self.there = TakeKey(is_full=True)
        self.there.bind(on_release=lambda _: self.dispatch("on_take"))
        self.offers = list_card_choices(self.cards, self.seen, self.app.lang)
        self.narrowed: list[CardChoices] = []
        self.keys = {offer.name: self._key(offer) for offer in self.offers}
        self.pager = Pager(cols=COLUMNS, rows=ROWS, between=self.spacing, is_apart=True)
        self.printed: Describing | PrintedDigits | None = None
        self._forms: list[Describing | PrintedDigits] = []
        """In which a card may be typed: the first that has room is `form`."""
        self.pager.things = self._things()
        self._foot = self._make_foot()
        if self.offers:
            self._list()
        else:
            self._describe()

    # How high it is

    def height_range(self, width: float) -> tuple[float, float]:
        """Room for all its cards, as far as a page goes; more where the keys may be larger."""
        if self.printed is not None:
            form, last = self._form_at(width), self._forms[-1]
            least, _ = form.min_height(width), last.min_height(width)
            self._compact_height, self._collapsed_height = form.compact_height, last.compact_height
            return least, least * 1.25
        needed = self._rows(width)
        rows = min(ROWS, needed)
        self._compact_height = self._high(LEAST_ROWS + self._is_folded(width, paged=needed > LEAST_ROWS))
        least = self._high(rows + self._is_folded(width, paged=needed > rows))
        return least, max(least, self._high(needed * 1.25))

    def is_too_narrow(self, width: float) -> bool:
        """Whether the keys in the foot, or those of what is typed, would be too narrow there."""
        if self.printed is not None:
            return width < self._forms[-1].min_width
        return self._is_folded(width, paged=self._rows(width) > ROWS)

    def _is_folded(self, width: float, *, paged: bool) -> bool:
        """Whether the keys in the foot need two rows there; `paged`: with the ways to other pages."""
        target, is_crowded = theme.length.target, self._many_keys(paged=paged) > FEW_KEYS
        wide = target * (bool(self.narrowed) + 2 * paged)
        if self.form.decline:
            wide += max(target, across_key(self.decline_label, is_full=True))
        if self.cards.deck.fields:
            wide += target if is_crowded else max(target, across_key(self.app.tr("Type it"), "pen"))
        if not self.is_single:
            done = self.app.tr("Done: {n}", n=len(self.all_picked))
            wide += target + max(target, across_key(done, "" if is_crowded else "tick"))
        return bool(width < wide + (self._many_keys(paged=paged) - 1) * theme.length.gap / 2)

    def _many_keys(self, *, paged: bool) -> int:
        """How many keys there are in the foot."""
        others = bool(self.form.decline) + bool(self.cards.deck.fields) + 2 * (not self.is_single)
        return others + bool(self.narrowed) + 2 * paged

    @property
    def compact_height(self) -> float:
        """Two rows a page; where a card is typed, what that needs."""
        return self._compact_height

    @property
    def collapsed_height(self) -> float:
        """Of a card that is typed number by number: the page of dials that has room where they don't."""
        return self._collapsed_height if self.printed is not None else 0.0

    def _form_at(self, width: float) -> Describing | PrintedDigits:
        """The first form that is wide enough."""
        return next((form for form in self._forms if form.min_width <= width), self._forms[-1])

    def _high(self, rows: float) -> float:
        return (rows + 1) * theme.length.target + rows * self.spacing

    def _columns(self, width: float) -> int:
        columns = COLUMNS if width >= COLUMNS * CARD * theme.length.target else FEWER
        worded = [thing for thing in self.pager.things if isinstance(thing, OptionKey)]
        while columns > 1 and any(self._is_too_small(key, width, columns) for key in worded):
            columns -= 1
        return columns

    def _is_too_small(self, key: OptionKey, width: float, columns: int) -> bool:
        """Whether a value to narrow by has no room for its words on a key of a row that is a target high."""
        share = (width - self.spacing * (columns - 1)) / columns
        return key.is_too_narrow(share) or key.high_at(share) > theme.length.target + 1

    def _rows(self, width: float) -> int:
        """Rows that all cards take."""
        return max(LEAST_ROWS, ceil(len(self.pager.things) / self._columns(width)))

    def fit(self) -> None:
        """As many rows a page as there is room for; a card is typed in the first form that has room."""
        if self.printed is not None:
            form = self._form_at(self.width)
            self._show_form(form if form.compact_height <= self.height + 1 else self._forms[-1])
            return
        self._fold_foot()
        room = self.height - self._foot.height
        rows = min(self._rows(self.width), int(room // (theme.length.target + self.spacing)))
        shape = self._columns(self.width), max(LEAST_ROWS, rows)
        if shape != (self.pager.cols, self.pager.rows):
            self.pager.cols, self.pager.rows = shape
            self._renew_foot()
            self._fold_foot()

    def _fold_foot(self) -> None:
        """Lays out the keys of the foot in one row or two."""
        if self._foot.height > 0:
            self._foot.rows = 2 if self._is_folded(self.width, paged=self.pager.pages > 1) else 1
            rows, apart = self._foot.rows, self._foot.spacing[1]
            self._foot.height = rows * theme.length.target + (rows - 1) * apart

    # What is offered

    def _things(self) -> list[Widget]:
        """The key of every card, or where they are too many, of every value of what is printed on them."""
        offers = list(self.narrowed[-1].cards) if self.narrowed else self.offers
        first = [self.there] if self.there.waiting else []
        self.groups = groups = narrow_by_value(offers) if len(offers) > COLUMNS * ROWS else []
        if not groups:
            return [*first, *(self.keys[offer.name] for offer in offers)]
        return [*first, *(self._narrower(group) for group in groups)]

    def group_of(self, name: str) -> CardChoices | None:
        """The group on the screen that this card is in; None: its own key is there."""
        groups = (group for group in self.groups if len(group.cards) > 1)
        return next((group for group in groups if name in [offer.name for offer in group.cards]), None)

    def _narrower(self, group: CardChoices) -> Key:
        """A value that leads to its cards; to an only card its own key leads at once."""
        if len(group.cards) == 1:
            return self.keys[group.cards[0].name]
        key = OptionKey(name=f"narrow {group.field} {group.value}", is_full=True)
        lang = self.app.lang
        value = render(word_label(group.value), lang) if isinstance(group.value, str) else str(group.value)
        key.text = f"{render(field_label(group.field), lang)} {value}"
        key.below = self.app.trn("{n} card", "{n} cards", len(group.cards))
        key.bind(on_release=lambda _: self._narrow([*self.narrowed, group]))
        return key

    def _narrow(self, path: list[CardChoices]) -> None:
        """Only these cards from now on."""
        self.narrowed = path
        self.pager.page, self.pager.things = 0, self._things()
        self._renew_foot()
        self.fit()
        self.speak()

    def _renew_foot(self) -> None:
        listed = self.printed is None
        self._foot.clear_widgets()
        self._foot = self._make_foot()
        if listed:
            self._list()
        self.speak()

    @property
    def is_single(self) -> bool:
        """Whether one card is the whole answer."""
        return self.cards.least == 1 == self.cards.most

    @property
    def all_picked(self) -> list[tuple[str, dict[str, Any]]]:
        """What was laid, and what was touched or typed besides."""
        return [*self.laid, *self.picked]

    def show(self, seen: View) -> None:
        """Cards that were moved by hand meanwhile are other offers; what was picked of the rest stays."""
        super().show(seen)
        names = [offer.name for offer in list_card_choices(self.cards, seen, self.app.lang)]
        if names != list(self.keys):
            picked = [(name, item) for name, item in self.picked if name in (*names, "")]
            tags, waiting = [item["tag"] for _, item in self.laid], self.there.waiting
            self.clear_widgets()
            self.build()
            self.picked = picked
            self.show_laid(tags, waiting)
        else:
            self.speak()

    def show_laid(self, laid: Sequence[str], waiting: int) -> None:
        """Cards on a reader are chosen keys; a key before the others where more lie there."""
        self.laid = [(self._named(tag), {"tag": tag}) for tag in laid]
        was_waiting = self.there.waiting
        self.there.show(waiting)
        if bool(waiting) != bool(was_waiting):
            self.pager.things = self._things()
            self._renew_foot()
        self.speak()

    def _named(self, tag: str) -> str:
        """The key of a tag's card; a card of which there are several has one key."""
        card = self.cards.read({"tag": tag})
        return next((name for name in (card.id, card.design) if name in self.keys), "") or ""

    def _make_foot(self) -> GridLayout:  # noqa: PLR0915 - a line or two for each of its keys
        sizes = theme.length
        row = GridLayout(rows=1, size_hint_y=None, height=sizes.target, spacing=sizes.gap / 2)
        self.cant = Key(name="cant", is_full=True, size_hint_x=1.4, disabled=not self.form.may_decline)
        self.cant.size_hint_min_x = sizes.target
        self.cant.bind(on_release=lambda _: self.dispatch("on_answer", None))
        self.describe = Key(name="describe", icon="pen", size_hint_min_x=sizes.target)
        self.describe.bind(on_release=lambda _: self._describe())
        self.back = Key(icon="delete", name="take back", size_hint_x=None, width=sizes.target)
        self.back.bind(on_release=lambda _: self._take_back())
        self.lay = Key(look="brass", name="lay", icon="tick", size_hint_min_x=sizes.target)
        self.lay.bind(on_release=lambda _: self.dispatch("on_answer", [item for _, item in self.all_picked]))
        wider = Key(icon="up", name="all cards", size_hint_x=None, width=sizes.target)
        wider.bind(on_release=lambda _: self._narrow(self.narrowed[:-1]))
        keys: list[Widget] = [wider] if self.narrowed else []
        keys += [self.cant] if self.form.decline else []
        keys += [self.pager.back, self.pager.on] if self.pager.pages > 1 else []
        keys += [self.describe] if self.cards.deck.fields else []
        keys += [] if self.is_single else [self.back, self.lay]
        for key in (self.pager.back, self.pager.on):
            key.look, key.width = "paper", sizes.target
        self.is_crowded = self._many_keys(paged=self.pager.pages > 1) > FEW_KEYS
        if self.is_crowded:
            self.describe.size_hint_x, self.describe.width = None, sizes.target
            self.lay.icon = ""
        for key in keys or [Widget()]:
            row.add_widget(key)
        row.height = sizes.target if keys else 0
        self._name_foot()
        return row

    def _name_foot(self) -> None:
        """What its keys say; none is narrower than a word of it."""
        tr = self.app.tr
        self.cant.text = self.decline_label
        self.describe.text = "" if self.is_crowded else tr("Type it")
        self.lay.text = tr("Done: {n}", n=len(self.all_picked))
        for key in (self.cant, self.describe, self.lay):
            key.size_hint_min_x = max(theme.length.target, key.across_at_least())

    def speak(self) -> None:
        """The cards in the reader's language, what is picked, how many there are."""
        lang = self.app.lang
        self.offers = list_card_choices(self.cards, self.seen, lang)
        for offer in self.offers:
            key = self.keys[offer.name]
            key.lang = lang
            key.text, key.style, key.lines = offer.title, "body" if "\n" in offer.title else "key", 3
            key.chosen = any(name == offer.name for name, _ in self.all_picked)
        self.there.speak()
        self._name_foot()
        most = self.cards.most
        self.cant.disabled = not self.form.may_decline
        self.lay.disabled = len(self.all_picked) < self.cards.least
        self.lay.disabled |= most is not None and len(self.all_picked) > most
        self.back.disabled = not self.picked

    def _key(self, offer: CardChoice) -> Key:
        face = face_of_card(self.seen.looks, offer.card)
        key = CardKey(name=f"card {offer.name}", is_full=True, card=face, lang=self.app.lang)
        key.bind(on_release=lambda _: self._pick(offer))
        return key

    def _list(self, *_: object) -> None:
        self.printed = None
        self.clear_widgets()
        self.add_widget(self.pager)
        self.add_widget(self._foot)
        self._ask_for_room()

    def _pick(self, offer: CardChoice) -> None:
        """A card there is only one of is put back by a second touch."""
        pick = (offer.name, offer.item)
        if offer.copies == 1 and any(name == offer.name for name, _ in self.laid):
            return
        if offer.copies == 1 and pick in self.picked:
            self.picked.remove(pick)
            self.speak()
        else:
            self._add(*pick)

    def _add(self, name: str, item: dict[str, Any]) -> None:
        if self.is_single:
            self.dispatch("on_answer", [item])
            return
        self.picked.append((name, item))
        self.speak()

    def _take_back(self) -> None:
        self.picked.pop()
        self.speak()

    def _describe(self) -> None:
        """What is printed, in place of the list, until a card is described or given up."""
        deck, shows = self.cards.deck, self.cards.required_values
        self._forms = [Describing(deck, shows)]
        self._forms[:0] = [PrintedDigits(deck, shows)] if is_small(deck, shows) else []
        for form in self._forms:
            form.bind(on_described=lambda _, values: self._described(values))
            form.bind(on_cancel=lambda _: self._cancel())
        self._show_form(self._forms[0])
        self._ask_for_room()

    def _show_form(self, form: Describing | PrintedDigits) -> None:
        """Shows this form alone."""
        self.printed = form
        if self.children != [form]:
            self.clear_widgets()
            self.add_widget(form)

    def _ask_for_room(self) -> None:
        """What stands there now may need more than what stood there before."""
        self.property("height").dispatch(self)

    def _cancel(self) -> None:
        if self.offers:
            self._list()
        else:
            self._describe()

    def _described(self, values: dict[str, Any]) -> None:
        self._cancel()
        self._add("", {"values": values})
