"""Which number pad is at which seat: where 1 is to be pressed now, and what is known so far.

It hears nothing and writes nothing; `ui.flows.pairing` does.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from kivy.properties import BooleanProperty
from kivy.uix.boxlayout import BoxLayout

from hardware.numpads.pairing import Pairing
from ui import theme
from ui.widgets.drawing.drawn import Drawn, dent, paper, rim
from ui.widgets.drawing.putting import put
from ui.widgets.drawing.writing import Writing
from ui.widgets.sheets.head import Head, Page
from ui.words import Speaking


class AskedSeat(Drawn, BoxLayout):
    """A seat: in a brass frame while it is asked, flat on the felt while it waits."""

    shows: ClassVar[tuple[str, ...]] = ("asked", "known")
    asked = BooleanProperty(defaultvalue=False)
    known = BooleanProperty(defaultvalue=False)

    def __init__(self, name: str, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(padding=(gap * 1.5, 0), spacing=gap, size_hint_max_y=theme.length.row, **kwargs)
        self.called = Writing(text=name, style="question")
        self.status = Writing(halign="right", lines=2, line_height=1.0)
        put(self, self.called, self.status)

    def draw(self) -> None:
        """Paper for what is asked or known, else a dent in the felt."""
        self.called.felt = self.status.felt = not (self.asked or self.known)
        if self.asked or self.known:
            paper(self.box, theme.length.line)
        else:
            dent(self.box)
        if self.asked:
            rim(theme.BRASS, self.box, theme.length.rim)


class PairingPage(Page):
    """A row for each of `names`, in the order of the seats."""

    __events__: tuple[str, ...] = (
        "on_skip",  # the seat that is asked has no number pad
        "on_save",  # keep what is known; seats that weren't asked have no number pad
    )

    def __init__(self, app: Speaking, names: Sequence[str], **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.app, tr = app, app.tr
        self.names = names
        width = {"size_hint_x": None, "width": theme.length.target * 2.4}
        self.skip = self.telling("on_skip", name="skip", text=tr("No number pad"), **width)
        self.save = self.telling("on_save", name="save", text=tr("Save"), **width)
        self.head = Head("", (self.skip, self.save))
        self.remark = Writing(felt=True, size_hint_y=None, height=theme.length.body * 1.4)
        self.places = [AskedSeat(name) for name in names]
        self.lay_under(self.head, self.remark, *self.places, BoxLayout())

    def show(self, pairing: Pairing, remark: str = "") -> None:
        """So far these pads are known; `remark` is what was wrong with the last press."""
        tr = self.app.tr
        known = {each.seat: each.port for each in pairing.numpads}
        for number, place in enumerate(self.places, 1):
            place.asked, place.known = number == pairing.seat, number in known
            place.status.text = self._status(pairing, number, known.get(number))
        self.remark.text = remark
        seat = pairing.seat
        name = self.names[seat - 1] if seat else ""
        self.head.title.text = (
            tr("{name}: press 1 on your number pad", name=name) if seat else tr("Who has which number pad?")
        )
        self.skip.disabled = seat is None
        self.save.look = "brass" if seat is None else "paper"

    def _status(self, pairing: Pairing, number: int, port: str | None) -> str:
        tr = self.app.tr
        if port is not None:
            return port
        if number == pairing.seat:
            return str(tr("Press 1"))
        return "" if number in pairing.seats else str(tr("No number pad"))
