"""A player's row in set-up: the token to change the colour, the name to change the name."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from kivy.clock import Clock
from kivy.properties import BooleanProperty, OptionProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.events import Tells
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.symbols import draw_token
from ui.widgets.drawing.text import Writing
from ui.widgets.keys.key import Key
from ui.words import speaking


class TokenKey(Key):
    """A key with a token on it."""

    shows: ClassVar[tuple[str, ...]] = (*Key.shows, "colour")
    colour = OptionProperty("orange", options=list(theme.PLAYERS))

    def draw(self) -> None:
        """The card, then the piece."""
        super().draw()
        x, y, width, height = self.face
        side = min(width, height, theme.length.target) * 0.66
        draw_token(self.colour, (x + (width - side) / 2, y + (height - side) / 2, side, side))


LIT_SECONDS = 1.2
"""Seconds that a person's row is lit."""
INPUTS_WIDTH_TARGETS = 2.4
"""Targets that what they answer with is wide."""


class PlayerRow(Tells, BoxLayout):
    """One person: a token and a name, each of which can be pressed; and what they answer with.

    Where it `is_narrow` that stands below the name.
    """

    colour = StringProperty("orange")
    is_narrow = BooleanProperty(defaultvalue=False)
    name = StringProperty("")
    __events__ = (
        "on_piece",  # the token was pressed
        "on_rename",  # the name was pressed
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        width = theme.length.target * (1.0 if self.is_narrow else 1.2)
        self.token_key = TokenKey(name="colour", size_hint_x=None, width=width)
        self.name_key = Key(lines=2, abbreviates=True)
        put(self, self.token_key, self.name_key)
        self.token_key.bind(on_release=lambda _: self.dispatch("on_piece"))
        self.name_key.bind(on_release=lambda _: self.dispatch("on_rename"))
        gap = theme.length.gap
        self.inputs_text = Writing(
            style="quiet", lines=2, line_height=1.0, size_hint_x=None, padding=(gap, 0, 0, 0)
        )
        self.inputs_text.width = theme.length.target * INPUTS_WIDTH_TARGETS
        self._below = ""
        self._out = Clock.create_trigger(lambda _: self._put_out(), LIT_SECONDS)
        self.bind(colour=self._show, name=self._show)
        self._show()

    def show_inputs(self, inputs: Sequence[tuple[str, bool]] | None) -> None:
        """Their devices, each by its kind; the screen where they have none; None: nobody has any."""
        is_beside = inputs is not None and not self.is_narrow
        if is_beside == (self.inputs_text.parent is None):
            self.add_widget(self.inputs_text) if is_beside else self.remove_widget(self.inputs_text)
        tr = speaking().tr
        kinds = {"keypad": tr("keypad"), "numpad": tr("number pad"), "buttons": tr("buttons")}
        missing = {kind: tr("{device} off", device=name) for kind, name in kinds.items()}
        said = [(kinds if there else missing)[kind] for kind, there in inputs or ()]
        self.inputs_text.text = ", ".join(said) or tr("screen")
        self._below = self.inputs_text.text if self.is_narrow and inputs is not None else ""
        self._show()

    def flash(self) -> None:
        """For a moment, in brass: they have pressed something of their own."""
        self.name_key.look = "brass"
        self._out()

    def _put_out(self) -> None:
        self.name_key.look = "paper"

    def _show(self, *_: object) -> None:
        self.token_key.colour = self.colour
        self.name_key.text = f"{self.name}\n{self._below}" if self._below else self.name
