"""The keyboard or the number pad over a screen, until something is typed or given up."""

from __future__ import annotations

from collections.abc import Callable

from kivy.uix.boxlayout import BoxLayout

from companion.languages import find
from ui import theme
from ui.widgets.drawing.putting import put
from ui.widgets.keys.dial import Dial
from ui.widgets.keys.keyboard import Keyboard
from ui.widgets.keys.pad import Pad
from ui.widgets.sheets.overlay import Overlay
from ui.words import speaking


def keyboard(heading: str, take: Callable[[str], object], *, most: int, text: str = "") -> Overlay:
    """To be laid over a screen; it has gone when `take` gets what was typed, at most `most` letters."""
    app = speaking()
    tr, language = app.tr, find(app.lang)
    keys = Keyboard(
        text=text,
        most=most,
        script=language.keyboard if language else "latin",
        heading=heading,
        done_text=tr("Done"),
        cancel_text=tr("Cancel"),
        space_text=tr("Space"),
    )
    overlay = Overlay(keys)

    def done(_keyboard: Keyboard, typed: str) -> None:
        overlay.close()
        take(typed)

    keys.bind(on_done=done, on_cancel=overlay.close)
    return overlay


def number_pad(dial: Dial, step: int) -> Overlay:
    """Opens a number pad for a dial, with multiples of `step`; the dial shows what was typed."""
    tr = speaking().tr
    pad = Pad(least=dial.least, most=dial.most, step=step, sentence=dial.text)
    pad.yes, pad.way_out = tr("Take {amount}", amount="{amount}"), tr("Cancel")
    pad.start_at(int(dial.count))
    overlay = Overlay(put(BoxLayout(padding=theme.length.margin), pad))

    def typed(_pad: Pad, amount: int) -> None:
        overlay.close()
        dial.count = amount

    pad.bind(on_confirm=typed, on_no=overlay.close)
    return overlay
