"""How much of a piece is in the hand: keys whose numbers add up, and whom it goes to or comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kivy.properties import NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from companion.session.view import Holding
from companion.texts import render
from ui import theme
from ui.events import Tells
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.line_breaking import UNBROKEN
from ui.widgets.drawing.text import Writing, called
from ui.widgets.keys.key import Key
from ui.words import speaking, with_names

QUICK_AMOUNTS = (1, 5, 10, 50, 100)
WORDS_TARGETS, ALL_KEY_TARGETS = 2.2, 1.35
"""Targets that the words take at least, and a key for everybody else."""
ONE_ROW_TARGETS, WORDS_ABOVE_TARGETS = 11.0, 0.6
"""Where it is so many targets wide the words stand beside the keys, else above them, and are so high."""


class AmountBar(Tells, BoxLayout):
    """`held` is what is in the hand (None: nothing), `amount` how much of it; 0: nobody has said.

    `along` is what goes with it, and how much of each.
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
        self.app = speaking()
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
        """So much can be in the hand at once: no more than lies there, as far as that can be seen."""
        held = self.held
        return float("inf") if held is None or held.count is None or held.endless else held.count

    def _add(self, key: Key) -> None:
        self.amount += int(key.name)

    def _clear(self, _key: Key) -> None:
        self.along = {}
        self.amount = 0

    def _show(self, *_: object) -> None:
        """The hint alone, or the piece, how much of it, and the keys that have room."""
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
        if held is None or held.piece.mark:
            return
        if counted:
            place = render(with_names(held.place, called), self.app.lang)
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
        """Those that have room; the largest and the smallest are worth most."""
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
