"""Cards laid on a reader, picked from the list of their deck, or typed as what is printed on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.cards import Card, face_of
from companion.cards.deck import NAME, field_word, spoken
from companion.requests import Read
from companion.session.view import View
from companion.words import render
from ui import theme
from ui.asking.describing import Describing
from ui.asking.question import Question
from ui.asking.take import TakeKey
from ui.widgets.keys.key import Key
from ui.widgets.keys.option import CardKey
from ui.widgets.keys.pager import Pager
from ui.widgets.pieces.glyph import is_face

NARROW, WIDE = 4, 3
"""Columns of cards with a name alone, and of those with what is printed on them."""
ROWS = (3, 4)
"""Rows a page: where all cards fit into so few, and otherwise."""
FEW = 3
"""More values than these can't be read on a key."""


class ListedCard(NamedTuple):
    """One card of the list: how an answer names it, how people do, and how often it can be picked."""

    name: str
    item: dict[str, Any]
    title: str
    copies: int
    card: Card


class CardList(Question[Read]):
    """A touch picks a card, where one is asked for it is the answer; cards known to lie there come first.

    What was laid on a reader is picked too, and no touch takes it back.
    """

    __events__ = ("on_take",)  # the cards that already lay there are to be picked

    def build(self) -> None:
        """The list above, the keys below."""
        self.picked: list[tuple[str, dict[str, Any]]] = []
        self.laid: list[tuple[str, dict[str, Any]]] = []
        self.there = TakeKey(is_full=True)
        self.there.bind(on_release=lambda _: self.dispatch("on_take"))
        self.spacing = theme.length.gap / 4
        offers = offered(self.request, self.seen, self.app.lang)
        cols = NARROW
        self.rows = ROWS[0] if len(offers) <= cols * ROWS[0] else ROWS[1]
        self.keys = {offer.name: self._key(offer) for offer in offers}
        self.pager = Pager(
            things=list(self.keys.values()), cols=cols, rows=self.rows, between=self.spacing, is_apart=True
        )
        self._foot = self._make_foot()
        self._list()

    @property
    def least(self) -> float:
        """How high it must be so that every key is large enough."""
        return (self.rows + 1) * theme.length.target + self.rows * self.spacing

    @property
    def is_single(self) -> bool:
        """Whether one card is the whole answer."""
        return bool(self.request.least == 1 == self.request.limits["most"])

    @property
    def all_picked(self) -> list[tuple[str, dict[str, Any]]]:
        """What was laid, and what was touched or typed besides."""
        return [*self.laid, *self.picked]

    def show(self, seen: View) -> None:
        """Cards that were moved by hand meanwhile are other offers; what was picked of the rest stays."""
        super().show(seen)
        names = [offer.name for offer in offered(self.request, seen, self.app.lang)]
        if names != list(self.keys):
            picked = [(name, item) for name, item in self.picked if name in (*names, "")]
            tags, waiting = [item["tag"] for _, item in self.laid], self.there.waiting
            self.clear_widgets()
            self.build()
            self.picked = picked
            self.show_laid(tags, waiting)

    def show_laid(self, laid: Sequence[str], waiting: int) -> None:
        """Cards on a reader are chosen keys; a key before the others where more lie there."""
        self.laid = [(self._named(tag), {"tag": tag}) for tag in laid]
        self.there.show(waiting)
        things = [*([self.there] if waiting else []), *self.keys.values()]
        if things != self.pager.things:
            was_listed = self.pager.parent is self
            self.pager.things = things
            self._foot.clear_widgets()
            self._foot = self._make_foot()
            if was_listed:
                self._list()
        self.speak()

    def _named(self, tag: str) -> str:
        """The key of a tag's card; a card of which there are several has one key."""
        card = self.request.faces.read({"tag": tag})
        return next((name for name in (card.id, card.design) if name in self.keys), "") or ""

    def _make_foot(self) -> BoxLayout:
        sizes = theme.length
        row = BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.gap / 2)
        self.cant = Key(name="cant", is_full=True, size_hint_x=1.4, disabled=not self.request.limits["cant"])
        self.cant.bind(on_release=lambda _: self.dispatch("on_answer", None))
        self.describe = Key(name="describe", icon="pen")
        self.describe.bind(on_release=lambda _: self._describe())
        self.back = Key(icon="delete", name="take back", size_hint_x=None, width=sizes.target)
        self.back.bind(on_release=lambda _: self._take_back())
        self.lay = Key(look="brass", name="lay", icon="tick")
        self.lay.bind(on_release=lambda _: self.dispatch("on_answer", [item for _, item in self.all_picked]))
        keys: list[Widget] = [self.cant] if self.request.cant else []
        keys += [self.pager.back, self.pager.on] if self.pager.pages > 1 else []
        keys += [self.describe] if self.request.faces.deck.fields else []
        keys += [] if self.is_single else [self.back, self.lay]
        for key in (self.pager.back, self.pager.on):
            key.look, key.width = "paper", sizes.target
        if self.pager.pages > 1:
            self.describe.size_hint_x, self.describe.width = None, sizes.target
            self.lay.icon = ""
        for key in keys or [Widget()]:
            row.add_widget(key)
        row.height = sizes.target if keys else 0
        return row

    def speak(self) -> None:
        """The cards in the reader's language, what is picked, how many there are."""
        tr, lang = self.app.tr, self.app.lang
        for offer in offered(self.request, self.seen, lang):
            key = self.keys[offer.name]
            key.lang = lang
            key.text, key.style, key.lines = offer.title, "body" if "\n" in offer.title else "key", 3
            key.chosen = any(name == offer.name for name, _ in self.all_picked)
        self.cant.text = self.said(self.request.cant) if self.request.cant else ""
        self.describe.text = tr("Type it") if self.pager.pages == 1 else ""
        self.there.speak()
        self.lay.text = str(len(self.all_picked))
        most = self.request.limits["most"]
        self.lay.disabled = len(self.all_picked) < self.request.least
        self.lay.disabled |= most is not None and len(self.all_picked) > most
        self.back.disabled = not self.picked

    def _key(self, offer: ListedCard) -> Key:
        face = face_of(self.seen.looks, offer.card)
        key = CardKey(name=f"card {offer.name}", is_full=True, card=face, lang=self.app.lang)
        key.bind(on_release=lambda _: self._pick(offer))
        return key

    def _list(self, *_: object) -> None:
        self.clear_widgets()
        self.add_widget(self.pager)
        self.add_widget(self._foot)

    def _pick(self, offer: ListedCard) -> None:
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
        """The dials in place of the list, until a card is described or given up."""
        form = Describing(self.request.faces.deck, self.request.shows)
        form.bind(on_described=lambda _, values: self._described(values), on_cancel=self._list)
        self.clear_widgets()
        self.add_widget(form)

    def _described(self, values: dict[str, Any]) -> None:
        self._list()
        self._add("", {"values": values})


def offered(request: Read, seen: View, lang: str) -> list[ListedCard]:
    """The cards that may be meant: those known to lie at one of the places first, then the deck in its order.

    Of several that look the same one is offered, by its look: nobody can tell which of them was touched.
    Barred ones, those that don't show what they must, and those that all know to lie elsewhere are left out.
    What is covered isn't looked at.
    """
    barred = {card.id or card.design for card in request.barred}
    lying = [card for card in _at(request, seen) if card.shows(request.shows)]
    counts = Counter(card.design or card.key for card in lying)
    cards = {(card.design or card.key): card for card in lying}
    copies = {design.id: design.copies for design in request.faces.deck.designs}
    for design in request.faces.deck.designs:
        if design.id not in barred and design.shows(request.shows):
            cards.setdefault(design.id, Card(None, design.id, design.values))
    offers = []
    for alike in _alike(cards).values():
        name = alike[0]
        card = cards[name]
        item = _item(card, copies) if len(alike) == 1 else {"values": dict(card.values)}
        lies = sum(copies.get(each, counts[each]) for each in alike)
        if many := request.so_many(request.faces.read(item), lies):
            offers.append(ListedCard(name, item, _title(card, request, lang), many, card))
    return offers


def _alike(cards: Mapping[str, Card]) -> dict[object, list[str]]:
    """The names of cards that look alike, together: what is printed decides, never a code."""
    found: dict[object, list[str]] = {}
    for name, card in cards.items():
        found.setdefault(tuple(sorted(card.values.items())) or name, []).append(name)
    return found


def _item(card: Card, copies: Mapping[str, int]) -> dict[str, Any]:
    """A card there is only one of by its id; any other by what is printed on it."""
    only = card.design is not None and copies[card.design] == 1
    return {"card": card.design} if only else {"values": dict(card.values)}


def _at(request: Read, seen: View) -> list[Card]:
    """Cards whose faces all can see at one of the places."""
    is_open = {one.place for one in seen.holdings if is_face(one.piece) and one.count}
    cards = [card for place in request.at if place in is_open for card in request.faces.lying(place)]
    return [card for card in cards if card not in request.barred]


def _title(card: Card, request: Read, lang: str) -> str:
    """The card's name; where it has none its id over what is printed, if that isn't too much to read."""
    name, values = card.design or "", card.values
    if NAME in values:
        return render(spoken(str(values[NAME])), lang)
    printed = [
        (render(field_word(field), lang), str(value).replace("-", "−"))
        for field, value in values.items()
        if field not in request.shows and isinstance(value, int)
    ]
    if not printed or (name and len(printed) > FEW):
        return name
    few = [value for _, value in printed[:FEW]]
    told = " ".join(printed[0]) if len(printed) == 1 else " · ".join(few)
    return f"{name}\n{told}" if name else told
