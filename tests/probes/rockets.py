"""A page and a dialog that the product doesn't have. Nothing else in the product changes for them."""

from __future__ import annotations

from typing import Any

from ui.pages import DialogChoice, Page, make_key, make_key_row, open_dialog, open_page
from ui.widgets.drawing.text import FittedLabel


class RocketPage(Page):
    """How many rockets are lit, and a key that asks before it lights another."""

    def __init__(self, **kwargs: Any) -> None:
        self.lit = 0
        self.count = FittedLabel(text="0 rockets", is_on_felt=True)
        super().__init__(
            "Rockets", self.count, make_key_row(make_key("light", "Light one", self._ask)), **kwargs
        )

    def _ask(self) -> None:
        light = DialogChoice("yes", "Light", self._light, look="brass")
        open_dialog("Light a rocket?", "Rockets are loud.", DialogChoice("no", "Wait"), light)

    def _light(self) -> None:
        self.lit += 1
        self.count.text = f"{self.lit} rockets"


def open_rockets() -> None:
    """Shows the page over everything."""
    open_page(RocketPage())
