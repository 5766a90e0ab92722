"""Letters with accents, offered over the keyboard while their plain letter is held."""

from __future__ import annotations

from typing import Any

from kivy.uix.widget import Widget

from ui import theme
from ui.events import Tells
from ui.widgets.drawing.drawn import Sheet
from ui.widgets.drawing.putting import put
from ui.widgets.keys.key import Key

ACCENTS = {
    "a": "äàáâãåæą",
    "c": "çćč",
    "d": "ďð",
    "e": "éèêëęě",
    "g": "ğ",
    "i": "íìîïı",
    "l": "ł",
    "n": "ñńň",
    "o": "öóòôõøœő",
    "r": "ř",
    "s": "ßśšş",
    "t": "ťþ",
    "u": "üúùûůű",
    "y": "ýÿ",
    "z": "žźż",
}
"""By the plain letter, those of names in Europe; each is in our fonts."""


def accented(letter: str) -> str:
    """What else that letter can be, large where it is; an ß has no large form in our fonts."""
    found = ACCENTS.get(letter.lower(), "")
    return found if letter.islower() else "".join(one.upper() for one in found if len(one.upper()) == 1)


class Accents(Tells, Sheet):
    """A row of such letters; a finger that slides here chooses with `slide` and `lift`, another by touch."""

    __events__ = ("on_chosen",)  # letter

    def __init__(self, letters: str, **kwargs: Any) -> None:
        sizes = theme.length
        side, pad = sizes.target, sizes.gap / 2
        super().__init__(orientation="horizontal", padding=pad, spacing=0, size_hint=(None, None), **kwargs)
        self.size = (len(letters) * side + 2 * pad, side + 2 * pad)
        for letter in letters:
            key = Key(text=letter, name=letter, style="kana", lines=1)
            key.bind(on_release=lambda key: self.dispatch("on_chosen", key.text))
            put(self, key)

    def place_over(self, key: Widget, within: Widget) -> None:
        """Above the key, as far as there is room."""
        left = min(max(key.center_x - self.width / 2, within.x), within.right - self.width)
        self.pos = (left, min(key.top, within.top - self.height))

    def slide(self, x: float, y: float) -> None:
        """The letter under the finger looks pressed."""
        for key in self.children:
            key.state = "down" if key.collide_point(x, y) else "normal"

    def lift(self, x: float, y: float) -> None:
        """The finger is lifted: on a letter that is chosen, elsewhere nothing is yet."""
        self.slide(-1.0, -1.0)
        for key in self.children:
            if key.collide_point(x, y):
                self.dispatch("on_chosen", key.text)
                return
