"""The bank's purses: a purse shows the pieces of one place, and a bar says how many of a piece are moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf
from typing import Any, ClassVar

from kivy.properties import BooleanProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.session.view import Holding
from companion.table.ledger import Place
from companion.texts import render
from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.line_breaking import UNBROKEN
from ui.widgets.drawing.surfaces import Drawn, brass_round, is_within, paper
from ui.widgets.drawing.symbols import Token
from ui.widgets.drawing.text import REST, Writing, called, lines_of, within
from ui.widgets.keys.key import Key
from ui.widgets.pieces.glyph import Glyph
from ui.widgets.pieces.marks import ON_PAPER, Beside, Mark, Said, digits, middle
from ui.widgets.pieces.pieces import Pieces
from ui.widgets.pieces.things import THINGS
from ui.widgets.pieces.worded import is_drawn, lying, picture
from ui.words import rename_seats, running_translator

ENDLESS_SIGN = "∞"
MAX_NAME_LINES = 2
"""Lines that the name of a purse may take."""
EASY_PIECE_SHARE = 0.67
"""Preferred size of pieces, at least, as a share of the largest size."""


class Purse(Drawn, BoxLayout):
    """A place as a sheet of paper with its pieces and their names. A covered holding is a back.

    `lit`: a piece that is let go now comes here.
    """

    shows: ClassVar[tuple[str, ...]] = ("lit",)
    lit = BooleanProperty(defaultvalue=False)

    def __init__(self, place: Place, lang: str, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="vertical", padding=(gap, gap * 0.5), spacing=gap * 0.25, **kwargs)
        self.place, self.name, self._lang = place, render(place, lang), lang
        self._line = theme.length.body * 1.4
        self.head = BoxLayout(spacing=gap, size_hint_y=None, height=self._line)
        if place.seat is not None:
            put(self.head, Token(colour=place.seat.colour, size_hint_x=None, width=self._line * 0.85))
        self.writing = Writing(text=self.name, style="body", line_height=1.0, abbreviates=True)
        self.things = Pieces(lambda one: _named(one, lang))
        put(self, put(self.head, self.writing), self.things)
        self.writing.bind(width=self._make_room)

    def _make_room(self, _writing: Writing, width: float) -> None:
        """Gives a name that is too long for one line two lines."""
        self.writing.lines = lines_of(self.name, width)
        self.head.height = self._line if self.writing.lines == 1 else theme.length.smallest * 2.4

    def needed_height(self, width: float, piece_share: float = EASY_PIECE_SHARE) -> float:
        """Returns the height at which it and its pieces can be touched; infinite if the name is too wide.

        `piece_share` is the size of the pieces as a share of the largest size.
        """
        gap, token = theme.length.gap, self._line * 0.85 + theme.length.gap
        inner = width - 2 * gap
        named = inner - (token if self.place.seat is not None else 0.0)
        lines = within(self.name, named)
        if len(lines) > MAX_NAME_LINES and not lines[-1].endswith(REST):
            return inf
        head = self._line if lines_of(self.name, named) == 1 else theme.length.smallest * 2.4
        return max(theme.length.target, head + gap * 1.25 + self.things.high(inner, piece_share))

    def show_name(self, place: Place) -> None:
        """Shows the name of the place, which changes when a row closes up."""
        self.name = render(place, self._lang)
        if self.name != self.writing.text:
            self.writing.text = self.name
            self._make_room(self.writing, self.writing.width)

    def show_holdings(self, holdings: Sequence[Holding]) -> None:
        """Shows what lies here. Nothing is drawn again if nothing has changed."""
        self.things.held = tuple(holdings)

    @property
    def holdings(self) -> Sequence[Holding]:
        """What lies here, as it was shown last."""
        found: Sequence[Holding] = self.things.held
        return found

    def holding_at(self, x: float, y: float) -> Holding | None:
        """Returns the holding under a point, or None."""
        return next((held for held, placed in self.things.placed if is_within(placed.box, x, y)), None)

    def position_of(self, piece: str) -> tuple[float, float] | None:
        """Returns the middle of the piece with that key, or None if it isn't shown."""
        found = (placed.box for held, placed in self.things.placed if held.piece.key == piece)
        return next((middle(box) for box in found), None)

    def draw(self) -> None:
        """Draws paper, with brass around it if a piece may be put here."""
        paper(self.box, theme.length.line)
        if self.lit:
            brass_round(self.box)


def _named(one: Holding, lang: str) -> Mark:
    """Returns the mark of a holding, behind its name if the picture alone doesn't tell which piece it is."""
    is_told = one.piece.look in THINGS and one.piece.colour in theme.PLAYER_LOOKS and one.count is not None
    if is_told or not (is_drawn(one.piece) or one.count is None):
        return _taken(one, lang)
    name = Said(render(one.piece, lang), ON_PAPER.quiet, 0.0, bold=False)
    return Beside(name, _taken(one, lang))


def _taken(one: Holding, lang: str) -> Mark:
    """Returns the mark of a holding; one that never runs out has an infinity sign."""
    if not one.is_endless:
        return lying(one, lang)
    alone = picture(one.piece, lang, ON_PAPER)
    return Beside(alone, digits(ENDLESS_SIGN, ON_PAPER.word)) if is_drawn(one.piece) else alone


def holding_picture(one: Holding, lang: str) -> Glyph:
    """Returns the picture of a holding that is dragged."""
    return Glyph(_taken(one, lang))


# The bar for amounts


QUICK_AMOUNTS = (1, 5, 10, 50, 100)
WORDS_TARGETS, ALL_KEY_TARGETS = 2.2, 1.35
"""Least width of the words and width of a key for all other seats, in targets."""
ONE_ROW_TARGETS, WORDS_ABOVE_TARGETS = 11.0, 0.6
"""Width from which the words stand beside the keys, and their height above narrower keys, in targets."""


class AmountBar(EventMixin, BoxLayout):
    """Says how much of a piece is moved, by keys whose numbers add up; two keys move it to or from all.

    `held` is the holding that is moved (None: nothing), `amount` how much of it (0: not said yet).
    `along` are other holdings that are moved with it, each with its amount.
    """

    held = ObjectProperty(None, allownone=True)
    amount = NumericProperty(0)
    along = ObjectProperty({})
    hint = StringProperty("")
    """What can be done now."""
    __events__ = (
        "on_each",  # to_each: everybody else gets it from this purse, or gives it to its owner
    )

    def __init__(self, **kwargs: Any) -> None:
        sizes = theme.length
        super().__init__(size_hint_y=None, height=sizes.target, spacing=sizes.gap / 2, **kwargs)
        self.app = running_translator()
        self.description = Writing(style="quiet", felt=True, lines=2)
        self.keys = BoxLayout(spacing=sizes.gap / 2, size_hint_y=None, height=sizes.target)
        self.quick_keys = [self._key(str(count), self._add, text=f"+{count}") for count in QUICK_AMOUNTS]
        self.clear_key = self._key("clear", self._clear, text="C")
        tr = self.app.tr
        each = [("to each", tr("To each"), True), ("from each", tr("From each"), False)]
        self.all_seats_keys = [
            self._key(name, lambda _, to=to: self.dispatch("on_each", to), text=text, lines=2)
            for name, text, to in each
        ]
        for key in self.all_seats_keys:
            key.width = sizes.target * ALL_KEY_TARGETS
        for name in ("held", "amount", "along", "hint", "width"):
            self.fbind(name, self._show)
        self._show()

    def _key(self, name: str, do: Any, **look: Any) -> Key:
        sizes = theme.length
        return Key(name=name, on_release=do, size_hint_x=None, width=sizes.target, is_full=True, **look)

    @property
    def max_amount(self) -> float:
        """The most that can be moved at once: what lies there, or infinity if nobody may know."""
        held = self.held
        return float("inf") if held is None or held.count is None or held.is_endless else held.count

    def _add(self, key: Key) -> None:
        self.amount += int(key.name)

    def _clear(self, _key: Key) -> None:
        self.along = {}
        self.amount = 0

    def _show(self, *_: object) -> None:
        """Shows the hint alone, or the piece with its amount and the keys that have room."""
        held, amount, sizes = self.held, int(self.amount), theme.length
        wide = self.width >= ONE_ROW_TARGETS * sizes.target
        self.orientation = "horizontal" if wide else "vertical"
        self.height = sizes.target * (1 if wide else 1 + WORDS_ABOVE_TARGETS) + (0 if wide else self.spacing)
        self.clear_widgets()
        self.keys.clear_widgets()
        self.description.halign = "center" if held is None else "left"
        counted = {**self.along, **({held: amount} if amount else {})}
        self.description.style = "body" if counted else "quiet"
        self.description.text = self.hint
        self.add_widget(self.description)
        if held is None or held.piece.is_marker:
            return
        if counted:
            place = render(rename_seats(held.place, called), self.app.lang)
            what = self._what(counted)
            self.description.text = f"{what}\n{place}" if wide else f"{place}: {what}"
        keys = (*self._presets(wide=wide), self.clear_key, *self.all_seats_keys)
        put(self.keys, *keys)
        self.keys.size_hint_x = None if wide else 1
        self.keys.width = sum(key.width + sizes.gap / 2 for key in keys)
        self.add_widget(self.keys)
        for key in self.quick_keys:
            key.disabled = amount + int(key.name) > self.max_amount
        self.clear_key.disabled = not counted

    def _what(self, counted: Mapping[Holding, int]) -> str:
        return ", ".join(
            render(one.piece.quantity(count), self.app.lang).replace(" ", UNBROKEN)
            for one, count in counted.items()
        )

    def _presets(self, *, wide: bool) -> list[Key]:
        """Returns the keys that have room; the largest and the smallest amount come first."""
        sizes = theme.length
        key = sizes.target + sizes.gap / 2
        others = (
            (WORDS_TARGETS * sizes.target if wide else 0)
            + key
            + 2 * (ALL_KEY_TARGETS * sizes.target + sizes.gap / 2)
        )
        room = max(2, int((self.width - others) / key))
        one, five, ten, fifty, hundred = self.quick_keys
        return sorted([one, hundred, ten, fifty, five][:room], key=lambda key: int(key.name))
