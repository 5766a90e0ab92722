"""A player's row in set-up: the token to change the colour, the name to change the name."""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.properties import OptionProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout

from ui import theme
from ui.events import Tells
from ui.widgets.drawing.token import draw_token
from ui.widgets.keys.key import Key


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


class Person(Tells, BoxLayout):
    """One person: a token and a name, each of which can be pressed."""

    colour = StringProperty("orange")
    name = StringProperty("")
    __events__ = (
        "on_piece",  # the token was pressed
        "on_rename",  # the name was pressed
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.token = TokenKey(name="colour", size_hint_x=None, width=theme.length.target * 1.2)
        self.label = Key(lines=1)
        self.add_widget(self.token)
        self.add_widget(self.label)
        self.token.bind(on_release=lambda _: self.dispatch("on_piece"))
        self.label.bind(on_release=lambda _: self.dispatch("on_rename"))
        self.bind(colour=self._show, name=self._show)
        self._show()

    def _show(self, *_: object) -> None:
        self.token.colour, self.label.text = self.colour, self.name
