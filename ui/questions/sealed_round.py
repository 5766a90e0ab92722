"""Sealed answers: an envelope for each player, which its owner fills under a cover.

The row of envelopes never learns what is in one: the pad that knew it forgets it before the envelope closes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any, ClassVar

from kivy.animation import Animation
from kivy.clock import Clock
from kivy.uix.behaviors import ButtonBehavior
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.requests import Request, Together
from companion.session.view import View
from companion.table.seats import Seat
from companion.texts import render, say_list
from ui import theme
from ui.events import EventMixin
from ui.host import running_app
from ui.questions.question import ROOMY, Question, asking, hear_why_not
from ui.widgets.drawing.containers import Turned
from ui.widgets.drawing.line_breaking import lines_in
from ui.widgets.drawing.surfaces import Felt, inset, rim
from ui.widgets.drawing.symbols import Token
from ui.widgets.drawing.text import REST, Writing, across, within
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.seats.envelope import FLAP_SHARE, MAX_FLAP_SHARE_OF_WIDTH, Envelope, flap_height, name_height
from ui.widgets.seats.panel_columns import MAX_DETAILED_SEATS
from ui.widgets.seats.private_view import HandOverCover


def pass_it_on(app: Any, missing: Sequence[Seat], *, has_room: Callable[[str], bool] = lambda _: True) -> str:
    """Whose envelopes are still open; of many, or where their names have no room, only how many."""
    named = str(
        app.tr("Pass the screen on. Not answered yet: {names}", names=render(say_list(missing), app.lang))
    )
    if len(missing) > MAX_DETAILED_SEATS or (len(missing) > 1 and not has_room(named)):
        return str(app.tr("Pass the screen on. {count} players still have to answer.", count=len(missing)))
    return named


class Sealing(EventMixin, FloatLayout):
    """Asks one seat under cover, with the widget of its part's own kind.

    Whoever hears what is sealed calls `close_envelope` once that is taken.
    """

    __events__ = (
        "on_sealed",  # plain: the answer, as JSON
        "on_close",  # it has taken itself away
    )

    def __init__(self, part: Request[Any], seen: View, seat: Seat, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.part, self.seen, self.seat = part, seen, seat
        self.app = running_app()
        self._again = any(each.seat == seat and each.is_closed for each in seen.envelopes)
        self._ending: Any = None
        self._refusal: Writing | None = None
        self._show(self._cover())

    def leave(self) -> None:
        """Takes itself away; the envelope stays as it was."""
        if self._ending is not None:
            self._ending.cancel()
        if self.parent is not None:
            self.parent.remove_widget(self)
            self.dispatch("on_close")

    def close_envelope(self, seal: str, missing: Sequence[Seat]) -> None:
        """The answer is taken: forget it, close the envelope, say who comes next."""
        self.question.forget()
        self.envelope = Envelope(colour=self.seat.colour, name=self.seat.name, seal="", waiting=False)
        self.envelope.flap = 1.0
        self._show(self._closing(missing))
        shut = Animation(flap=0.0, duration=theme.movement_seconds(theme.TURN_SECONDS), t="in_cubic")
        shut.bind(on_complete=lambda *_: setattr(self.envelope, "seal", seal))
        shut.start(self.envelope)
        self._ending = Clock.schedule_once(lambda _: self.leave(), theme.REVEAL_PAUSE_SECONDS)

    def refuse(self, text: str) -> bool:
        """Says on this very screen why the answer can't be, if somebody is entering one."""
        if self._refusal is None or self._ending is not None:
            return False
        self._refusal.text = text
        return True

    def _show(self, *things: Widget) -> None:
        self.clear_widgets()
        for thing in (Felt(), *things):
            self.add_widget(thing)

    def _cover(self) -> Widget:
        hint = self.app.tr("Press here when nobody else is looking.")
        if self._again:
            hint = self.app.tr("Your envelope is sealed. Press to change your answer.")
        cover = HandOverCover(
            colour=self.seat.colour,
            text=self.app.tr("{name}, take the screen", name=self.seat.name),
            hint=hint,
        )
        cover.bind(on_release=lambda _: self._show(self._entering()))
        return cover

    def _entering(self) -> Widget:
        sizes = theme.length
        page = BoxLayout(orientation="vertical", padding=sizes.margin, spacing=sizes.gap)
        head = BoxLayout(size_hint_y=None, height=sizes.target, spacing=sizes.space)
        back = Key(icon="leave", name="not now", look="felt", size_hint_x=None, width=sizes.bar)
        back.bind(on_release=lambda _: self._not_now())
        head.add_widget(back)
        head.add_widget(Token(colour=self.seat.colour, size_hint_x=None, width=sizes.token))
        text = render(self.part.text, self.app.lang)
        head.add_widget(Writing(text=text, style="question", felt=True, lines=3, line_height=1.0))
        self.question: Any = asking(self.part, self.seen)
        self.question.bind(on_answer=lambda _, plain: self.dispatch("on_sealed", plain))
        hear_why_not(self.question, self.refuse)
        self._refusal = Writing(
            style="body", felt=True, halign="center", size_hint_y=None, height=sizes.body * 1.4
        )
        for part in (head, self.question, self._refusal):
            page.add_widget(part)
        return page

    def _not_now(self) -> None:
        self.question.forget()
        self.leave()

    def _closing(self, missing: Sequence[Seat]) -> Widget:
        sizes = theme.length
        page = BoxLayout(orientation="vertical", padding=sizes.margin, spacing=sizes.gap)
        page.add_widget(self.envelope)
        page.add_widget(
            Writing(
                text=pass_it_on(self.app, missing),
                style="question",
                halign="center",
                felt=True,
                lines=2,
                size_hint_y=0.4,
            )
        )
        return page

    def on_touch_down(self, touch: Any) -> bool:
        """Nothing below can be touched; while the envelope closes, a touch goes on at once.

        What was refused is being put right.
        """
        if self._ending is not None:
            self.leave()
        else:
            self.refuse("")
            super().on_touch_down(touch)
        return True


# The row of envelopes


SENTENCE = 3
"""Lines of the sentence below the envelopes; one less where these stand in two rows."""
BEGUN_LINES = 2
"""Of a name that is shown by its beginning."""
NAME_LINES = 3
"""Most lines for a name that is wider than its envelope."""
LOWEST = 0.94
"""Targets that an envelope is high at least in one of two rows; with its name it is one."""
TALLEST = 1.4
"""How high to its width: in a narrow row its height gives an envelope the room for its seal."""
LEAST_COLUMNS = 3
"""Of many envelopes so many stand side by side at least."""
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
            Animation(
                flap=0.0 if seal else 1.0,
                duration=theme.movement_seconds(theme.TURN_SECONDS),
                t="in_out_cubic",
            ).start(self)
        self.seal = seal

    def draw(self) -> None:
        """The envelope; pressed it wears a frame of brass."""
        super().draw()
        if self.state == "down":
            rim(theme.BRASS_LIT, inset(self.body_box(), -theme.length.rim), theme.length.rim)


class TogetherEnvelopes(Question[Together[Any]]):
    """Everybody's envelope; `show` it each new view of the same question.

    Many stand in two rows, in more where a row has no room for half of them, or on pages.
    """

    __events__ = ("on_draft",)  # seat, plain: one seat's answer as JSON

    def build(self) -> None:
        """The row, and the sentence under it."""
        self.sealing: Sealing | None = None
        self.keys = {each.seat.number: EnvelopeKey(each.seat, each.seal) for each in self.seen.envelopes}
        self.many = len(self.keys) > MAX_DETAILED_SEATS
        self._between = theme.length.gap / (2 if self.many else 1)
        self._compact_height = self._collapsed_height = 0.0
        lines = SENTENCE - 1 if self.many else SENTENCE
        self.sentence = Writing(halign="center", felt=True, lines=lines, size_hint_y=None)
        for each in self.seen.envelopes:
            key = self.keys[each.seat.number]
            key.bind(on_release=lambda _, seat=each.seat: self._hand_over(seat))
        frames = [_in_a_frame(key) for key in self.keys.values()]
        self.row = Pager(things=frames, cols=len(frames), rows=1, between=self._between, size_hint_y=None)
        for part in (Widget(size_hint_y=0.2), self.row, self.sentence, Widget(size_hint_y=0.2)):
            self.add_widget(part)
        self.bind(size=self._fit)

    def height_range(self, width: float) -> tuple[float, float]:
        """Envelopes with their flaps up, their names and the sentence."""
        cols = self._columns(width)
        rows, sentence = ceil(len(self.keys) / cols), self._sentence_high
        least = self._rows_high(rows, self._share(width, cols)) + sentence + 4 * self.spacing
        paged = self._rows_high(1, self._share(width, cols)) + self._way_high + 4 * self.spacing
        self._compact_height = least - sentence if cols == self._half else paged
        self._collapsed_height = min(least - sentence, paged) if self.many else least - sentence
        return least, least + ROOMY * theme.length.target

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
            text = app.tr("One player at a time: touch your own envelope.")
        elif missing:
            text = pass_it_on(app, missing, has_room=self._has_room)
        self.sentence.text = text

    def _has_room(self, text: str) -> bool:
        """Whether a sentence has room below the envelopes at its smallest."""
        small = theme.length.smallest
        lines = lines_in(text, max(1.0, self.width), lambda part: across(part, small, bold=False))
        return bool(lines <= self.sentence.lines)

    def missing(self) -> list[Seat]:
        """Whose envelopes are open."""
        return [each.seat for each in self.seen.envelopes if not each.is_closed]

    def show(self, seen: View) -> None:
        """Closes and opens envelopes as this view has them."""
        self.seen = seen
        for each in seen.envelopes:
            self.keys[each.seat.number].take(each.seal)
        self._turn_page()
        self.speak()

    def _turn_page(self) -> None:
        """Where all envelopes of a page are closed, shows the next that isn't."""
        numbers, missing = list(self.keys), {seat.number for seat in self.missing()}
        each = int(self.row.cols * self.row.rows)
        first = int(self.row.page) * each
        if missing and missing.isdisjoint(numbers[first : first + each]):
            following = [at for at in (*range(first, len(numbers)), *range(first)) if numbers[at] in missing]
            self.row.page = following[0] // each

    def refuse(self, text: str) -> bool:
        """Only who is entering sees why their answer can't be."""
        return self.sealing is not None and self.sealing.refuse(text)

    def is_too_narrow(self, width: float) -> bool:
        """Whether an envelope is no target there; of many at least so many have room side by side."""
        cols = min(self._half, LEAST_COLUMNS) if self.many else self._half
        return self._share(width, cols) < theme.length.target

    def _name_lines(self, share: float) -> int:
        """Lines that the longest name takes below its envelope; two where even three can't hold it."""
        names = [within(key.name, share) for key in self.keys.values()]
        if any(lines[-1].endswith(REST) for lines in names):
            return BEGUN_LINES
        lines = max(map(len, names))
        is_long = any(across(key.name, theme.length.smallest) > share for key in self.keys.values())
        return lines if self.many and lines > 1 else NAME_LINES if is_long else 1

    @property
    def _least(self) -> float:
        """How high an envelope is at least; in two rows the seal's three lines."""
        return theme.length.target * (LOWEST if self.many else 1)

    @property
    def compact_height(self) -> float:
        """Of many the sentence is left out before the middle of the table is, or they stand on pages."""
        return self._compact_height if self.many else 0.0

    @property
    def collapsed_height(self) -> float:
        """The sentence can be left out, and of many all but a row, which is a page."""
        return self._collapsed_height

    @property
    def _sentence_high(self) -> float:
        return float(theme.length.smallest * 1.3 * self.sentence.lines)

    @property
    def _way_high(self) -> float:
        """How high the ways to other pages are."""
        return float(theme.length.target + theme.length.gap)

    @property
    def _half(self) -> int:
        """How many stand side by side where there is room: half of many."""
        return ceil(len(self.keys) / (2 if self.many else 1))

    def _columns(self, width: float) -> int:
        """How many stand side by side: as many as are targets there."""
        if not self.many:
            return self._half
        most = int((width + self._between) / (theme.length.target + self._between))
        return max(1, min(self._half, most))

    def _share(self, width: float, cols: int) -> float:
        return float((width - self._between * (cols - 1)) / cols)

    def _rows_high(self, rows: int, share: float) -> float:
        """How high so many rows of the lowest envelopes are, with their flaps up and their names."""
        tall = min(share * TALLEST, self._least)
        row = tall + flap_height(share, tall) + name_height(self._name_lines(share))
        return rows * row + (rows - 1) * self._between

    def _fit(self, *_: object) -> None:
        needed = self.height_range(self.width)[0] - 2 * self.spacing  # what is around it may be nothing
        cols = self._columns(self.width)
        rows = ceil(len(self.keys) / cols)
        is_said = self.height >= needed
        way = 0.0
        if self.many and self.height + 1 < needed - self._sentence_high:
            way = self._way_high
            cols, rows = self._page(cols, rows)
        self.speak()
        self.sentence.opacity, self.sentence.height = (1, self._sentence_high) if is_said else (0, 0)
        share = self._share(self.width, cols)
        lines = self._name_lines(share)
        for key in self.keys.values():
            key.name_lines = lines
        foot, between = name_height(lines), (rows - 1) * self._between
        room = (self.height - self.sentence.height - self.spacing * 3 - between - way) / rows - foot
        high = max(room / (1 + FLAP_SHARE), room - share * MAX_FLAP_SHARE_OF_WIDTH)
        tall = min(share * TALLEST, max(self._least, high))
        self.row.height = rows * (tall + flap_height(share, tall) + foot) + between + way
        self.row.cols, self.row.rows = cols, rows
        for key in self.keys.values():
            key.ratio = tall / share

    def _page(self, cols: int, rows: int) -> tuple[int, int]:
        """Columns and rows of a page: as many rows as have room, and as few columns as need no page more."""
        room = self.height - self._way_high - 3 * self.spacing + 1

        def fits(cols: int, rows: int) -> bool:
            return bool(self._rows_high(rows, self._share(self.width, cols)) <= room)

        rows = next((fewer for fewer in range(rows - 1, 1, -1) if fits(cols, fewer)), 1)
        pages = ceil(len(self.keys) / (cols * rows))
        even = ceil(len(self.keys) / (pages * rows))
        return (even if fits(even, rows) else cols), rows

    def _hand_over(self, seat: Seat) -> None:
        sealing = Sealing(self.request.parts_by_seat[seat], self.seen, seat)
        sealing.bind(
            on_sealed=lambda _, plain: self._seal(sealing, seat, plain),
            on_close=lambda _: self._end(),
        )
        self.sealing = sealing
        self.app.stage.show_overlay(sealing, seat)

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
