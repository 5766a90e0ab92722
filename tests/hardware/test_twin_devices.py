"""Two sealed rounds that differ only in what is bid: until the reveal no device tells them apart.

Observed at the metal: every edge of the pins of lights and buzzers, the segments of every display but that
of the seat that is just entering (it faces its owner), and every line that the host says to any keypad.
Buttons are pressed as often as it takes: what comes more often without changing anything is no difference.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple

import pytest
from msgspec.structs import replace

from benchmarks.pad_side import parse_host_line
from companion.requests import Amount, Together
from companion.rules.game import Game
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.texts import say
from hardware.device_drivers import SeatPanel
from hardware.devices import Devices
from hardware.firmware.keypad.lines import LineSplitter
from hardware.gpio.buzzers import Buzzers
from hardware.gpio.displays import Displays
from hardware.gpio.lights import Lights
from hardware.keypad_protocol import HelloRequestMessage, ShowMessage
from hardware.keypads import KeypadTty
from hardware.wiring import Buttons, Buzzer, Display, Keypad, Light, Wiring
from hardware.wiring.pins import Pin
from tests.support.hardware.button_table import ButtonTable
from tests.support.hardware.device_helpers import TIMEOUT_SECONDS, wait_until_silent

AKI, BEN, CHIE = 1, 2, 3
WIRING = Wiring(
    keypad=(Keypad(CHIE, id="kp-3"),),
    buttons=(Buttons(AKI, minus=Pin(22), plus=Pin(5), ok=Pin(6)), Buttons(BEN, tap=Pin(4))),
    outputs=(
        Light(AKI, red=Pin(18), green=Pin(19), blue=Pin(20)),
        Light(BEN, pin=Pin(17)),
        Light(CHIE, pin=Pin(16)),
        Buzzer(Pin(12), seat=BEN),
        Buzzer(Pin(13)),
        Display(AKI, clock=Pin(23), data=Pin(24)),
        Display(BEN, clock=Pin(25), data=Pin(26)),
    ),
)
OUTPUTS = [
    pin
    for each in (*WIRING.sections_of_type(Light), *WIRING.sections_of_type(Buzzer))
    for pin in each.pins.values()
]


async def arm(there: Table) -> GameResult:
    """One sealed round, in which 0 is asked about once more."""
    sure = say("With 0 you are out.")
    seats = there.seats
    await Together(
        say("Arm"), {seat: Amount(seat, say("Strength"), 0, 99, zero_confirmation=sure) for seat in seats}
    )
    return rank_seats(seats, lambda _: 0, lambda _: ())


ARMING = Game("arming", 1, say("Arming"), (2, 5), arm)


Bids = tuple[int, int, int]
"""Chie's, Ben's and Aki's, in the order in which they are entered."""
ONE: Bids = (5, 0, 3)
OTHER: Bids = (8, 4, 0)


class Seen(NamedTuple):
    """What strangers could observe, in order."""

    moments: list[tuple[object, ...]]
    lines: list[object]


class Evening(ButtonTable):
    """A table with all devices, and somebody who watches them."""

    def __init__(self) -> None:
        self.entering = 0
        self.moments: list[tuple[object, ...]] = []
        self._edges: list[tuple[str, bool]] = []
        super().__init__(WIRING)
        for number in OUTPUTS:
            pin = self.simulated.pins().pin(int(number))
            pin.watchers.append(partial(self._edge, pin))

    def play_until(self, seen: Callable[[], bool]) -> None:
        """Plays on, and looks at everything at each moment."""

        def look() -> bool:
            self._look()
            return seen()

        super().play_until(look)

    def seals(self, seat: int, bid: int) -> None:
        """Somebody enters a bid, says a 0 once more when asked, and closes the envelope."""
        self.begins_to_enter(seat, bid)
        if seat == CHIE:
            self.simulated.keypads[seat].type("OK")
        else:
            self.enter(seat, "ok" if bid else "no")
        self.play_until(
            partial(
                self.is_answer_in,
                self.current_session.question_number,
                self.current_session.table.seats.seat_numbered(seat),
            )
        )
        self.entering = 0
        self.play_until(lambda: True)

    def begins_to_enter(self, seat: int, bid: int) -> None:
        """All but the last press."""
        self.entering = seat
        if seat == CHIE:
            keypad = self.simulated.keypads[seat]
            keypad.wait_until(lambda: keypad.light == "on", TIMEOUT_SECONDS)
            keypad.type(str(bid))
        elif bid:
            for _ in range(bid):
                self.press(seat, "tap" if seat == BEN else "plus")
            self.play_until(lambda: self.simulated.displays[seat].text == f"{bid:4}")
        else:
            self.enter(seat, "no")
            self.play_until(partial(self.was_refused, seat))

    def _edge(self, pin: Any) -> None:
        self._edges.append((pin.info.name, bool(pin.state)))

    def _look(self) -> None:
        for each in self.devices._drivers:
            if isinstance(each, Buzzers):
                wait_until_silent(each)
        displays = [
            each.lit_segments_by_digit
            for seat, each in self.simulated.displays.items()
            if seat != self.entering
        ]
        self.moments.append((*self._edges, *displays))


@pytest.fixture
def evening(monkeypatch: pytest.MonkeyPatch) -> Callable[[Bids], Seen]:
    """Plays a sealed round up to the last press before the reveal; gives all that was to be seen."""
    said: list[bytes] = []

    class Tapped(KeypadTty):
        """A port with somebody who listens to what the host says."""

        def write(self, data: Any, /) -> int:
            said.append(bytes(data))
            return super().write(data)

    monkeypatch.setattr("hardware.keypads.KeypadTty", Tapped)

    def play(bids: Bids) -> Seen:
        said.clear()
        table = Evening()
        try:
            table.begin_game(ARMING)
            table.seals(CHIE, bids[0])
            table.seals(BEN, bids[1])
            table.begins_to_enter(AKI, bids[2])
            keypad = table.simulated.keypads[CHIE]
            keypad.wait_until(lambda: keypad.display.startswith("OK. Wait: Aki"), TIMEOUT_SECONDS)
        finally:
            table.close()
        return Seen(without_repeats(table.moments), without_repeats(lines(said)))

    return play


def without_repeats(seen: list[Any]) -> list[Any]:
    """Each only where something is another."""
    return [each for each, _ in groupby(seen)]


def lines(said: list[bytes]) -> list[Any]:
    """The lines said to the keypad since the first prompt, without the number that it draws at its start."""
    found = map(parse_host_line, LineSplitter().feed_bytes(b"".join(said)))
    return [
        (seq, replace(line, boot="") if isinstance(line, ShowMessage) else line)
        for seq, line in found
        if not isinstance(line, HelloRequestMessage)
        and line != ShowMessage(getattr(line, "boot", ""), 0, "off", "")
    ]


def test_no_device_tells_what_is_sealed(evening: Callable[[Bids], Seen]) -> None:
    """Lights, buzzers, other seats' displays and the lines to a keypad are the same, whatever is bid."""
    one, other = evening(ONE), evening(OTHER)
    assert one == other
    assert len(one.moments[-1]) > len(one.moments[0])
    assert len(one.lines) > 1


Show_: Any = Callable[[Any, int, SeatPanel], None]


def goes_out(show: Show_) -> Show_:
    """The light of a seat goes out while 3 is entered."""
    return lambda self, seat, panel: show(
        self, seat, replace(panel, light="off") if panel.entry == "3" else panel
    )


def mirrors(show: Show_) -> Show_:
    """What one seat enters stands on the others' displays too."""

    def shown(self: Any, seat: int, panel: SeatPanel) -> None:
        for each in self._section_by_seat:
            show(self, each, panel) if panel.entry else None
        show(self, seat, panel)

    return shown


def clicks(show: Show_) -> Show_:
    """The buzzer says that a bid is a high one."""
    return lambda self, seat, panel: show(
        self, seat, replace(panel, light="blink") if panel.entry == "4" else panel
    )


@pytest.mark.parametrize(("kind", "leak"), [(Lights, goes_out), (Displays, mirrors), (Buzzers, clicks)])
def test_a_device_that_tells_is_seen(
    kind: Any,
    leak: Callable[[Show_], Show_],
    evening: Callable[[Bids], Seen],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A light, a display and a buzzer that tell a single thing of what is entered."""
    monkeypatch.setattr(kind, "show_panel", leak(kind.show_panel))
    one, other = evening(ONE), evening(OTHER)
    assert one.moments != other.moments
    assert one.lines == other.lines


def test_a_light_that_asks_about_a_0_is_seen(
    evening: Callable[[Bids], Seen], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where envelopes are not told from open bids, the light blinks after a 0 and gives it away."""
    panel = Devices._build_panel
    monkeypatch.setattr(
        Devices, "_build_panel", lambda *args, **kwargs: replace(panel(*args, **kwargs), is_sealed=False)
    )
    assert evening(ONE).moments != evening(OTHER).moments


def test_a_line_that_tells_is_seen(evening: Callable[[Bids], Seen], monkeypatch: pytest.MonkeyPatch) -> None:
    """The prompt of a keypad ends with a point after a high bid of somebody."""
    panel = Devices._build_panel

    def told(self: Any, session: Any, seen: Any, number: int, *, language: str) -> SeatPanel:
        shown = panel(self, session, seen, number, language=language)
        high = session is not None and any(draft.answer == 4 for draft in session.drafts.values())
        return replace(shown, line=f"{shown.line}.") if high else shown

    monkeypatch.setattr(Devices, "_build_panel", told)
    one, other = evening(ONE), evening(OTHER)
    assert one.lines != other.lines
