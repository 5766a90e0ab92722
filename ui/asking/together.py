"""Sealed answers: a row of envelopes, each filled under cover by the one who owns it.

It never learns what is in an envelope: the pad that knew it forgets it before the envelope closes.
"""

from __future__ import annotations

from typing import Any, ClassVar

from kivy.animation import Animation
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.requests import Together
from companion.session.view import View
from companion.table.seats import Seat
from companion.words import listed
from ui import theme
from ui.asking.question import ROOMY, Question
from ui.asking.sealing import Sealing
from ui.widgets.drawing.drawn import inset, rim
from ui.widgets.drawing.inscribed import across
from ui.widgets.drawing.writing import Writing
from ui.widgets.seats.envelope import DEEPEST, FLAP, Envelope, flap_of

SENTENCE = 3
"""Lines of the sentence below the envelopes."""
NAME_LINES = 3
"""That a name takes where it is wider than its envelope."""
TALLEST = 1.4
"""How high to its width: in a narrow row its height gives an envelope the room for its seal."""


class EnvelopeKey(ButtonBehavior, Envelope):
    """A player's envelope to touch: its flap is up until it is sealed."""

    shows: ClassVar[tuple[str, ...]] = (*Envelope.shows, "state")

    def __init__(self, seat: Seat, seal: str) -> None:
        super().__init__(colour=seat.colour, name=seat.name, seal=seal, waiting=False)
        self.flap = 0.0 if seal else 1.0

    def take(self, seal: str) -> None:
        """Shows this seal; the flap turns down, or up where the seal is gone."""
        if bool(seal) != bool(self.seal):
            Animation.cancel_all(self, "flap")
            Animation(flap=0.0 if seal else 1.0, duration=theme.lasting(theme.TURN), t="in_out_cubic").start(
                self
            )
        self.seal = seal

    def draw(self) -> None:
        """The envelope; pressed it wears a frame of brass."""
        super().draw()
        if self.state == "down":
            rim(theme.BRASS_LIT, inset(self.body(), -theme.length.rim), theme.length.rim)


class TogetherEnvelopes(Question[Together[Any]]):
    """Everybody's envelope; `show` it each new view of the same question."""

    __events__ = ("on_draft",)  # seat, plain: one seat's answer as JSON

    def build(self) -> None:
        """The row, and the sentence under it."""
        self.sealing: Sealing | None = None
        self.keys = {each.seat.number: EnvelopeKey(each.seat, each.seal) for each in self.seen.envelopes}
        self.row = BoxLayout(size_hint_y=None, spacing=theme.length.gap)
        self.sentence = Writing(halign="center", felt=True, lines=SENTENCE, size_hint_y=None)
        for each in self.seen.envelopes:
            key = self.keys[each.seat.number]
            key.bind(on_release=lambda _, seat=each.seat: self._hand_over(seat))
            self.row.add_widget(key)
        for part in (Widget(size_hint_y=0.2), self.row, self.sentence, Widget(size_hint_y=0.2)):
            self.add_widget(part)
        self.bind(size=self._fit)

    def wish(self, width: float) -> tuple[float, float]:
        """Envelopes with their flaps up, their names and the sentence."""
        share, sizes = self._share(width), theme.length
        names = NAME_LINES * sizes.smallest * 1.3 if self._is_long(share) else sizes.body * 1.5
        tall = min(share * TALLEST, sizes.target)
        row = tall + flap_of(share, tall) + names
        least = row + SENTENCE * sizes.smallest * 1.3 + 4 * self.spacing
        return least, least + ROOMY * sizes.target

    def speak(self) -> None:
        """What to do, and who is still missing."""
        app, missing = self.app, self.missing()
        text = ""
        if len(missing) == len(self.keys):
            text = app.tr("Touch your envelope, one after the other.")
        elif missing:
            text = app.tr("Pass it on. Still missing: {names}", names=self.said(listed(missing)))
        self.sentence.text = text

    def missing(self) -> list[Seat]:
        """Whose envelopes are open."""
        return [each.seat for each in self.seen.envelopes if not each.closed]

    def show(self, seen: View) -> None:
        """Closes and opens envelopes as this view has them."""
        self.seen = seen
        for each in seen.envelopes:
            self.keys[each.seat.number].take(each.seal)
        self.speak()

    def refuse(self, text: str) -> bool:
        """Only who is entering sees why their answer can't be."""
        return self.sealing is not None and self.sealing.refuse(text)

    def is_cramped(self, width: float) -> bool:
        """Whether an envelope is no target there."""
        return self._share(width) < theme.length.target

    def _is_long(self, share: float) -> bool:
        """Whether a name has no room below its envelope in one line."""
        return any(across(key.name, theme.length.smallest) > share for key in self.keys.values())

    def _share(self, width: float) -> float:
        return float((width - self.row.spacing * (len(self.keys) - 1)) / len(self.keys))

    def _fit(self, *_: object) -> None:
        share = self._share(self.width)
        long = self._is_long(share)
        for key in self.keys.values():
            key.name_lines = NAME_LINES if long else 1
        self.sentence.height = theme.length.smallest * 1.3 * self.sentence.lines
        room = self.height - self.sentence.height - self.spacing * 3 - key.foot
        high = max(room / (1 + FLAP), room - share * DEEPEST)
        tall = min(share * TALLEST, max(theme.length.target, high))
        self.row.height = tall + flap_of(share, tall) + key.foot
        for key in self.keys.values():
            key.ratio = tall / share

    def _hand_over(self, seat: Seat) -> None:
        sealing = Sealing(self.request.parts[seat], self.seen, seat)
        sealing.bind(
            on_sealed=lambda _, plain: self._seal(sealing, seat, plain),
            on_close=lambda _: self._end(),
        )
        self.sealing = sealing
        self.app.stage.lay(sealing, seat)

    def _seal(self, sealing: Sealing, seat: Seat, plain: object) -> None:
        """Hands the answer on; the envelope closes if it was taken, else the pad stays."""
        before = self.seen
        self.dispatch("on_draft", seat, plain)
        if self.sealing is sealing and self.seen is not before:
            sealing.close_envelope(self.keys[seat.number].seal, self.missing())

    def _end(self) -> None:
        self.sealing = None

    def on_parent(self, _widget: object, parent: object) -> None:
        """A question that is taken away takes its cover with it."""
        if parent is None and self.sealing is not None:
            self.sealing.leave()
