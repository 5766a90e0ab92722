"""All devices of this machine beside one game: hears them, settles what they say, keeps their displays right.

    import threading

    from hardware.devices import Devices
    from hardware.inbox import Inbox
    from hardware.wiring import read_wiring

    awake = threading.Event()
    with Devices(read_wiring(), Inbox(wake=awake.set)) as devices:
        while session.question is not None:
            for sentence in devices.pump(session, "en"):
                print(sentence.in_("en"))
            awake.wait()
            awake.clear()

For the game's thread. What an answer means is decided by the desk.
Metal is touched only where the wiring names some: without keypads pyserial isn't even imported, and
without buttons and lights neither is gpiozero.
Over 300 lines, because everything that devices say meets here, in one order.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, Self

from msgspec.structs import replace

from companion.session.session import Session
from companion.session.view import View, view
from companion.table.seats import SEAT_COLOURS, Seat
from companion.texts import Say, Text, render, say
from hardware.desk.desk import NO_GAME, Refused, own_counts, submit
from hardware.desk.laying import Laying
from hardware.desk.missing import TWIN, Missing, missing
from hardware.desk.prompts import panel
from hardware.echoes import Echoes, asks_for_own
from hardware.gpio.taking import header_pins
from hardware.inbox import Inbox
from hardware.kinds import (
    ANSWERING,
    TELLING,
    Answering,
    Echoing,
    Introducing,
    Pressing,
    Surroundings,
    Telling,
    readers,
)
from hardware.numpads.reader import Inputs, event_files
from hardware.openable import Openable
from hardware.panel import Panel
from hardware.rfid.rfid import ReaderChip, at_spi
from hardware.signals import (
    Doubled,
    Found,
    Given,
    Held,
    KeyDown,
    LetGo,
    Lost,
    Moved,
    Pressed,
    Pushed,
    Signal,
    Tag,
    TagArrived,
    TagLeft,
    TagUnread,
    Typed,
    Why,
)
from hardware.wiring import Wiring

AT_FIRST: dict[str, Why] = {"keypad": "unplugged", "numpad": "unplugged", "buttons": "no_pins"}
"""Why a device counts as lost until it says something."""
EVERY_SEAT = range(1, len(SEAT_COLOURS) + 1)
"""What is the table's tells of those too who have nothing of their own."""
NOTHING_YET = (0, math.inf)
"""No question, and when it was shown: never."""


class Devices:
    """The wired devices; starts with `open` or `with`, ends with `close`.

    `inbox` wakes the game's thread, which then calls `pump`.
    `clock` returns the monotonic seconds that signals carry; `pins` the pins of the header; `spi` opens a
    reader's chip by its path; `inputs` finds number pads; `pause` is what buzzers wait with.
    """

    def __init__(  # noqa: PLR0913 - each a way to the metal, with the real one as default
        self,
        wiring: Wiring,
        inbox: Inbox,
        *,
        clock: Callable[[], float] = time.monotonic,
        pins: Callable[[], Any] = header_pins,
        spi: Callable[..., ReaderChip] = at_spi,
        inputs: Callable[[], Inputs] = event_files,
        pause: Callable[[float], None] = time.sleep,
    ) -> None:
        self._wired = wiring
        self._inbox = inbox
        self._clock = clock
        self._pins = cache(pins)
        self._around = Surroundings(inbox, clock, self._pins, spi, inputs, pause)
        kinds = {kind: getattr(wiring, kind) for kind in AT_FIRST}
        self._seats = {each.device: each.seat for wired in kinds.values() for each in wired}
        self._outputs = {each.device: each.seat for kind in TELLING for each in getattr(wiring, kind)}
        self._readers = {each.device: each for each in wiring.reader}
        self._lost = {
            each.device: Lost(each.device, AT_FIRST[kind]) for kind, wired in kinds.items() for each in wired
        }
        self._asked: dict[str, tuple[int, float]] = {}
        self._unsure: dict[str, int] = {}
        self._refused: set[str] = set()
        self._ends: dict[str, Answering] = {}
        self._echoing: dict[str, Echoing] = {}
        self._echoes = Echoes()
        self._tells: list[tuple[Telling, Sequence[int]]] = []
        self._opened: list[Openable] = []
        self.laying = Laying(wiring.reader, clock)
        self.tags_to: Callable[[Tag], None] | None = None
        """Who hears of tags in the game's place: whoever learns or counts them."""
        self.overhearing: list[Callable[[Signal], None]] = []
        """Who hears every signal before it is settled: whoever tries or shows the devices."""

    def open(self) -> None:
        """Opens ports and pins; each device that people answer with is missing until it is heard.

        Of a kind whose packages aren't installed nothing is opened, and the game goes on without it.
        """
        for kind, make in ANSWERING.items():
            if ends := self._made(getattr(self._wired, kind), make):
                found = {each.device: ends for each in getattr(self._wired, kind)}
                self._ends |= found
                self._echoing |= found if isinstance(ends, Echoing) else {}
        for kind, tell in TELLING.items():
            wired = getattr(self._wired, kind)
            if teller := self._made(wired, tell):
                seats = [each.seat for each in wired]
                self._tells.append((teller, EVERY_SEAT if None in seats else seats))
        self._made(self._wired.reader, readers)
        for opened in self._opened:
            opened.start()

    def close(self) -> None:
        """Lets go of all ports and pins."""
        for opened in self._opened:
            opened.close()
        if self._pins.cache_info().currsize:
            self._pins().close()

    def pump(self, session: Session | None, language: str = "en") -> list[Say]:
        """Hears the devices, then shows on them what all may see; returns what the whole table must hear.

        To be called when the inbox wakes and after everything that changes the game or the language;
        None: no game is being played. Who shows the game elsewhere too calls `hear` and `show`.
        """
        aloud = self.hear(session, language)
        self.show(session, view(session) if session else None, language)
        return aloud

    def hear(self, session: Session | None, language: str = "en") -> list[Say]:
        """Settles all that was said since the last time.

        Returns what the whole table must hear: that something could not be saved, that the rules failed, or
        that a keypad isn't the one it says it is.
        """
        aloud = []
        for signal in self._inbox.drain():
            self.laying.ask(session)
            for hears in tuple(self.overhearing):
                hears(signal)
            match signal:
                case Found(device):
                    self._lost.pop(device, None)
                case Lost(device):
                    self._lost[device] = signal
                case Doubled(device, name) if session and (seat := self._seat(session, device)):
                    aloud.append(say(TWIN.template, id=name, seat=seat))
                case Pushed() | Held() | LetGo() | KeyDown():
                    aloud += self._moved(session, signal, language)
                case Pressed() | Typed():
                    aloud += self._settle(session, signal, language)
                case TagArrived() | TagLeft() | TagUnread():
                    aloud += self._tag(session, signal)
        return aloud

    def show(self, session: Session | None, seen: View | None, language: str = "en") -> None:
        """Brings every display up to date: of the game what is `seen` by all, and how many cards are laid."""
        self.laying.ask(session)
        self._show(cache(partial(self._panel, session, seen, language=language)))

    def missing(self, session: Session) -> tuple[Missing, ...]:
        """The devices that can't be used now and are wanted in this game: readers where it has cards."""
        found = []
        for device, lost in self._lost.items():
            seat, reader = self._seat(session, device), self._readers.get(device)
            is_wanted = reader is None or bool(session.began.decks)
            if is_wanted and (seat is not None or self._number(device) is None):
                found.append(missing(lost, seat, reader.zone if reader else None))
        return tuple(found)

    @property
    def lost(self) -> Mapping[str, Lost]:
        """Every device that can't be used now, wanted or not."""
        return dict(self._lost)

    def at_seat(self, number: int) -> Mapping[str, bool]:
        """The devices that a seat answers with, and whether each can be used now."""
        return {device: device not in self._lost for device, seat in self._seats.items() if seat == number}

    def about(self, device: str) -> Text:
        """What a device says of itself, such as its firmware or chip; nothing while it isn't known."""
        known = (each.about(device) for each in self._opened if isinstance(each, Introducing))
        return next((text for text in known if text), "")

    def is_refused(self, device: str) -> bool:
        """Whether what was last answered there didn't count."""
        return device in self._refused

    def __enter__(self) -> Self:
        self.open()
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def _made(self, wired: Sequence[Any], make: Callable[[Any, Surroundings], Any]) -> Any:
        """The devices of one kind; None where there are none, or none can be used."""
        if not wired:
            return None
        try:
            made = make(wired, self._around)
        except ImportError:
            self._lost |= {each.device: Lost(each.device, "no_package") for each in wired}
            return None
        self._opened.append(made)
        return made

    def _tag(self, session: Session | None, signal: Tag) -> list[Say]:
        if self.tags_to is None:
            return self.laying.heard(session, signal)
        self.laying.heard(None, signal)
        self.tags_to(signal)
        return []

    def _moved(self, session: Session | None, signal: Moved, language: str) -> list[Say]:
        presses = self._ends[signal.device]
        assert isinstance(presses, Pressing)
        if isinstance(signal, Pushed | KeyDown):
            self._refused.discard(signal.device)
        seat = self._seat(session, signal.device) if session else None
        part = session.question.question_for(seat) if session and session.question and seat else None
        said = presses.heard(signal, part.form if part else None)
        if said is None:
            self._echoes.forget_own(signal.device)
            return []
        return self._settle(session, said, language)

    def _settle(self, session: Session | None, said: Given, language: str) -> list[Say]:
        refused: Refused | None = Refused(NO_GAME)
        seat = self._seat(session, said.device) if session else None
        if session is not None:
            _, shown = self._asked.get(said.device, NOTHING_YET)
            sure = self._unsure.pop(said.device, 0) == said.question
            laid = self.laying.laid(session, seat)
            refused = submit(session, seat, said, shown, sure=sure, laid=laid)
        if refused is not None and refused.grave:
            self._unsure[said.device] = said.question
        end = self._ends[said.device]
        if refused is None:
            self._refused.discard(said.device)
            self._echoes.forget_own(said.device)
            end.taken(said)
            return []
        if not asks_for_own(said):
            self._refused.add(said.device)
            self._echoes.forget_own(said.device)
        elif session is not None and seat is not None:
            self._echoes.show_own(said.device, own_counts(session, seat))
        end.refused(said, render(refused.text, language))
        return [] if refused.aloud is None else [refused.aloud]

    def _show(self, panels: Callable[[int], Panel]) -> None:
        """Brings everything up to date that shows something; a seat's light tells of its own refusal."""
        for device, end in self._ends.items():
            asked = panels(self._seats[device])
            if asked.question != self._asked.get(device, NOTHING_YET)[0]:
                self._asked[device] = (asked.question, self._clock())
                self._refused.discard(device)
                self._echoes.forget_own(device)
            if asked.is_sealed and not asked.question:
                self._refused.discard(device)  # not shown now, it would be when the envelopes are opened
            end.show(device, asked)
        entered = {
            self._seats[device]: text
            for device in self._ends
            if (text := self._echoes.shown(device, self._echoing.get(device)))
        }
        refused = {self._seats[device] for device in self._refused}
        for teller, seats in self._tells:
            for seat in seats:
                asked = replace(panels(seat), entry=entered.get(seat, ""))
                # Of an envelope nobody else may see that it was refused: what a 0 means may be asked again.
                blinks = seat in refused and not asked.is_sealed
                teller.show(seat, replace(asked, light="blink") if blinks else asked)

    def _panel(self, session: Session | None, seen: View | None, number: int, *, language: str) -> Panel:
        """What is shown at a seat; nothing where nobody plays."""
        if session is None or seen is None or session.is_put_away or number > len(seen.seats):
            return Panel()
        seat = seen.seats.seat_numbered(number)
        return replace(
            panel(seen, seat, language, len(self.laying.laid(session, seat))),
            colour=seat.colour,
            is_sealed=seen.question is not None and seen.question.is_sealed,
        )

    def _seat(self, session: Session, device: str) -> Seat | None:
        """Who sits at a device; None where nobody plays, and for what is the table's."""
        seats, number = session.table.seats, self._number(device)
        return seats.seat_numbered(number) if number is not None and number <= len(seats) else None

    def _number(self, device: str) -> int | None:
        reader = self._readers.get(device)
        return reader.seat if reader else (self._seats | self._outputs)[device]
