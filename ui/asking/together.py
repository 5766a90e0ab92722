"""Sealed answers: a row of envelopes, each filled under cover by the one who owns it.

It never learns what is in an envelope: the pad that knew it forgets it before the envelope closes.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil
from typing import Any, ClassVar

from kivy.animation import Animation
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.requests import Together
from companion.session.view import View
from companion.table.seats import Seat
from ui import theme
from ui.asking.question import ROOMY, Question
from ui.asking.sealing import Sealing, pass_it_on
from ui.widgets.drawing.drawn import inset, rim
from ui.widgets.drawing.inscribed import REST, across, within
from ui.widgets.drawing.turned import Turned
from ui.widgets.drawing.writing import Writing
from ui.widgets.seats.columns import FEW_SEATS
from ui.widgets.seats.envelope import DEEPEST, FLAP, Envelope, flap_of, foot_of

SENTENCE = 3
"""Lines of the sentence below the envelopes; one less where these stand in two rows."""
BEGUN_LINES = 2
"""Of a name that is shown by its beginning."""
NAME_LINES = 3
"""That a name takes where it is wider than its envelope."""
LOWEST = 0.94
"""Targets that an envelope is high at least in one of two rows; with its name it is one."""
TALLEST = 1.4
"""How high to its width: in a narrow row its height gives an envelope the room for its seal."""


OPPOSITE = 2
"""The side that is turned by two quarters: an envelope turned by one would have too little room."""


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
        many = len(self.keys) > FEW_SEATS
        self.rows = 2 if many else 1
        gap = theme.length.gap / self.rows
        self.row = GridLayout(cols=ceil(len(self.keys) / self.rows), size_hint_y=None, spacing=gap)
        lines = SENTENCE - 1 if many else SENTENCE
        self.sentence = Writing(halign="center", felt=True, lines=lines, size_hint_y=None)
        for each in self.seen.envelopes:
            key = self.keys[each.seat.number]
            key.bind(on_release=lambda _, seat=each.seat: self._hand_over(seat))
            self.row.add_widget(_in_a_frame(key))
        for part in (Widget(size_hint_y=0.2), self.row, self.sentence, Widget(size_hint_y=0.2)):
            self.add_widget(part)
        self.bind(size=self._fit)

    def wish(self, width: float) -> tuple[float, float]:
        """Envelopes with their flaps up, their names and the sentence."""
        share, sizes = self._share(width), theme.length
        names = foot_of(self._name_lines(share))
        tall = min(share * TALLEST, self._least)
        rows = self.rows * (tall + flap_of(share, tall) + names) + (self.rows - 1) * self.row.spacing[1]
        least = rows + self._sentence_high + 4 * self.spacing
        return least, least + ROOMY * sizes.target

    def turn(self, around: Mapping[Seat, int]) -> None:
        """The envelopes of those who sit opposite are upright for them."""
        for seat, side in around.items():
            if seat.number in self.keys:
                self.keys[seat.number].parent.quarter = side if side == OPPOSITE else 0

    def speak(self) -> None:
        """What to do, and who is still missing."""
        app, missing = self.app, self.missing()
        text = ""
        if len(missing) == len(self.keys):
            text = app.tr("Touch your envelope, one after the other.")
        elif missing:
            text = pass_it_on(app, missing)
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

    def _name_lines(self, share: float) -> int:
        """Lines that the longest name takes below its envelope; two where even three can't hold it."""
        names = [within(key.name, share) for key in self.keys.values()]
        if any(lines[-1].endswith(REST) for lines in names):
            return BEGUN_LINES
        lines = max(map(len, names))
        is_long = any(across(key.name, theme.length.smallest) > share for key in self.keys.values())
        return lines if self.rows > 1 and lines > 1 else NAME_LINES if is_long else 1

    @property
    def _least(self) -> float:
        """How high an envelope is at least; in two rows the seal's three lines."""
        return theme.length.target if self.rows == 1 else theme.length.target * LOWEST

    @property
    def bare(self) -> float:
        """In two rows the sentence is left out before the middle of the table is."""
        return self.folded if self.rows > 1 else 0.0

    @property
    def folded(self) -> float:
        """Only the sentence can be left out."""
        return self.wish(self.width)[0] - self._sentence_high

    @property
    def _sentence_high(self) -> float:
        return float(theme.length.smallest * 1.3 * self.sentence.lines)

    def _share(self, width: float) -> float:
        return float((width - self.row.spacing[0] * (self.row.cols - 1)) / self.row.cols)

    def _fit(self, *_: object) -> None:
        share = self._share(self.width)
        lines = self._name_lines(share)
        for key in self.keys.values():
            key.name_lines = lines
        needed = self.wish(self.width)[0] - 2 * self.spacing  # what is around it may be nothing
        is_said = self.height >= needed
        self.sentence.opacity, self.sentence.height = (1, self._sentence_high) if is_said else (0, 0)
        between = (self.rows - 1) * self.row.spacing[1]
        room = (self.height - self.sentence.height - self.spacing * 3 - between) / self.rows - key.foot
        high = max(room / (1 + FLAP), room - share * DEEPEST)
        tall = min(share * TALLEST, max(self._least, high))
        self.row.height = self.rows * (tall + flap_of(share, tall) + key.foot) + between
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


def _in_a_frame(key: EnvelopeKey) -> Turned:
    """The frame in which an envelope is turned to its owner; it takes all of it."""
    frame = Turned(size_hint=(1, 1))
    frame.bind(size=lambda _, size: setattr(key, "size", size))
    frame.add_widget(key)
    return frame
