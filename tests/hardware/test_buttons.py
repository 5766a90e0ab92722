"""Buttons at simulated pins: the real driver with its threads, the desk, and whole games without a screen.

The debounce is tested with tables of edges with their times, and what is taken of them.
"""

import random
from collections.abc import Callable, Iterator, Sequence
from functools import partial

import pytest
from gpiozero import DigitalInputDevice
from gpiozero.exc import BadPinFactory

from companion.games.bidders import rulebook as bidders
from companion.games.egypt import rulebook as egypt
from companion.games.mammon import rulebook as mammon
from companion.games.sealed_bid import rulebook as sealed_bid
from companion.log.log import MemoryLog
from companion.requests import Amount, Done, Read, Together
from companion.rules.game import Game
from companion.session.session import Session
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table as Rules
from companion.testing.random_game import sample_answer
from companion.texts import render, say
from hardware.devices import Devices
from hardware.gpio.buttons import (
    FIRST_HOLD_REPORT_SECONDS,
    HOLD_REPORT_INTERVAL_SECONDS,
    MAX_BOUNCE_SECONDS,
    MAX_CHATTER_SECONDS,
    MAX_PRESSES_PER_SECOND,
    MIN_EDGE_GAP_WITHOUT_CHATTER_SECONDS,
    MIN_STABLE_SECONDS,
    STUCK_AFTER_SECONDS,
    ButtonReader,
    DebounceState,
    LevelChange,
    LineEvent,
    LineFaultChange,
    handle_edge,
    handle_level_check,
    initial_debounce_state,
)
from hardware.gpio.gpiod_pins import HeaderChipNotFound
from hardware.signals import ButtonDown, ButtonStillHeld, ButtonUp, DeviceFound, DeviceLost, Inbox
from hardware.simulated.pins import QUICKEST_FINGER_PRESS_SECONDS, WORN_CONTACT_BOUNCE_SECONDS, ManualClock
from hardware.simulated.table import SimulatedTable
from hardware.wiring import Buttons, Wiring
from hardware.wiring.pins import Pin
from tests.support.hardware.button_table import ButtonTable
from tests.support.hardware.debounce_reference import debounce_trace
from tests.support.hardware.device_helpers import SignalListener

AKI = Wiring(buttons=(Buttons(1, tap=Pin(4)), Buttons(2, plus=Pin(5), ok=Pin(6))))


class Fingers(SignalListener):
    """Somebody at buttons, and a game that only listens."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = ManualClock()
        self.metal = SimulatedTable(AKI, self.clock)
        self.reader = ButtonReader(AKI.buttons, self.inbox, pins=self.metal.pins, clock=self.clock)


@pytest.fixture
def fingers() -> Iterator[Fingers]:
    """Two seats with buttons that are read."""
    fingers = Fingers()
    with fingers.metal, fingers.reader:
        yield fingers


@pytest.fixture
def table() -> Iterator[ButtonTable]:
    """Three people with buttons and lights."""
    table = ButtonTable()
    yield table
    table.close()


def test_a_bouncing_press_is_one_press_with_its_own_time(fingers: Fingers) -> None:
    """Down when the first edge came, up when the finger went."""
    fingers.metal.buttons[1]["tap"].press(0.1, WORN_CONTACT_BOUNCE_SECONDS)
    assert fingers.wait_for_signal(ButtonDown) == ButtonDown("buttons 1", "tap", 1000.0)
    assert fingers.wait_for_signal(ButtonUp) == ButtonUp("buttons 1", "tap", 1000.1)
    assert fingers.signals[:2] == [DeviceFound("buttons 1"), DeviceFound("buttons 2")]


def test_who_was_first_is_seen_by_the_time_of_the_edges(fingers: Fingers) -> None:
    """Two seats press within a thousandth of a second."""
    fingers.metal.buttons[2]["ok"].press_down()
    fingers.clock.wait(0.0004)
    fingers.metal.buttons[1]["tap"].press_down()
    fingers.clock.wait(MIN_STABLE_SECONDS)
    first, second = fingers.wait_for_signal(ButtonDown), fingers.wait_for_signal(ButtonDown)
    assert [first.device, second.device] == ["buttons 2", "buttons 1"]
    assert second.at - first.at == pytest.approx(0.0004)


def test_a_worn_contact_makes_nobody_second(fingers: Fingers) -> None:
    """It rests later than one that was pressed after it, and is heard before it all the same."""
    early, worn, new = (fingers.metal.pins().pin(number) for number in (5, 6, 4))
    fingers.clock.wait(1.0)
    early.drive_low()
    fingers.clock.wait(0.001)
    worn.drive_low()
    fingers.clock.wait(0.001)
    new.drive_low()
    fingers.clock.wait(0.001)
    for contact in (early, worn):
        contact.drive_high()
        contact.drive_low()
    fingers.clock.wait(0.002)
    worn.drive_high()
    worn.drive_low()
    fingers.clock.wait(0.003)
    assert (
        fingers.wait_for_signal(ButtonDown).button == "plus"
    )  # now it was seen that the tap rests and worn doesn't
    fingers.clock.wait(MIN_STABLE_SECONDS)
    assert [fingers.wait_for_signal(ButtonDown).button, fingers.wait_for_signal(ButtonDown).button] == [
        "ok",
        "tap",
    ]


def test_a_click_on_a_simulated_button_is_a_press(fingers: Fingers) -> None:
    """A pointing device may say down and up at one moment; what is simulated is a finger all the same."""
    fingers.metal.buttons[1]["tap"].press_down()
    fingers.metal.buttons[1]["tap"].release()
    fingers.clock.wait(1.0)
    assert (fingers.wait_for_signal(ButtonDown).at, fingers.wait_for_signal(ButtonUp).at) == (
        1000.0,
        1000.0 + QUICKEST_FINGER_PRESS_SECONDS,
    )


def test_nobody_waits_for_a_line_that_never_rests(fingers: Fingers) -> None:
    """A press beside a loose wire is heard, no later than a bounce may last."""
    loose = fingers.metal.buttons[2]["plus"]
    loose.simulate_loose_wire(2 * MAX_BOUNCE_SECONDS)
    fingers.metal.buttons[1]["tap"].press_down()
    loose.simulate_loose_wire(2 * MAX_BOUNCE_SECONDS)
    assert fingers.wait_for_signal(ButtonDown).device == "buttons 1"


def test_what_a_long_wire_picks_up_presses_nothing(fingers: Fingers) -> None:
    """Spikes of 3 ms are no presses and no fault; a finger is heard as ever."""
    fingers.metal.buttons[1]["tap"].simulate_mains_hum(3.0, 0.003)
    at = fingers.clock()
    fingers.metal.buttons[1]["tap"].press()
    assert fingers.wait_for_signal(ButtonDown).at == at
    assert not [each for each in fingers.signals if isinstance(each, DeviceLost)]


def test_a_hum_that_presses_is_named(fingers: Fingers) -> None:
    """Spikes of 8 ms: more presses than a finger can make; the seat is lost after 15 until it is quiet."""
    fingers.metal.buttons[1]["tap"].simulate_mains_hum(3.0, 0.008)
    assert fingers.wait_for_signal(DeviceLost) == DeviceLost("buttons 1", "chatters", "tap (GPIO4)")
    pressed = [each for each in fingers.signals if isinstance(each, ButtonDown)]
    assert len(pressed) == MAX_PRESSES_PER_SECOND
    fingers.clock.wait(MAX_CHATTER_SECONDS)
    assert fingers.wait_for_signal(DeviceFound) == DeviceFound("buttons 1")


def test_a_held_button_says_so_again_and_again(fingers: Fingers) -> None:
    """First after a while, then in a steady pace, until it comes up."""
    fingers.metal.buttons[2]["plus"].press(FIRST_HOLD_REPORT_SECONDS + 2.5 * HOLD_REPORT_INTERVAL_SECONDS)
    fingers.wait_for_signal(ButtonUp)
    held = [each.at - 1000.0 for each in fingers.signals if isinstance(each, ButtonStillHeld)]
    assert held == pytest.approx(
        [
            FIRST_HOLD_REPORT_SECONDS,
            FIRST_HOLD_REPORT_SECONDS + HOLD_REPORT_INTERVAL_SECONDS,
            FIRST_HOLD_REPORT_SECONDS + 2 * HOLD_REPORT_INTERVAL_SECONDS,
        ]
    )


def test_a_loose_wire_is_named_with_its_pin(fingers: Fingers) -> None:
    """The seat's buttons are lost until it is quiet; another seat's go on."""
    fingers.metal.buttons[2]["plus"].simulate_loose_wire(2 * MAX_CHATTER_SECONDS)
    assert fingers.wait_for_signal(DeviceLost) == DeviceLost("buttons 2", "chatters", "plus (GPIO5)")
    fingers.metal.buttons[1]["tap"].press()
    assert fingers.wait_for_signal(ButtonDown, lambda each: each.device == "buttons 1").button == "tap"
    fingers.clock.wait(MAX_CHATTER_SECONDS + MIN_EDGE_GAP_WITHOUT_CHATTER_SECONDS)
    assert fingers.wait_for_signal(DeviceFound) == DeviceFound("buttons 2")
    quiet = fingers.clock()
    fingers.metal.buttons[2]["plus"].press()
    assert fingers.wait_for_signal(ButtonDown) == ButtonDown("buttons 2", "plus", quiet)


def test_a_pin_that_can_not_be_had_loses_its_seat_only() -> None:
    """GPIO2 is pulled up on the board: a button to 3.3 V can't be read there, the other seat plays on."""
    listener, clock = SignalListener(), ManualClock()
    wiring = Wiring(buttons=(Buttons(1, tap=Pin(2), active="high"), Buttons(2, plus=Pin(5), ok=Pin(6))))
    metal = SimulatedTable(wiring, clock)
    with metal, ButtonReader(wiring.buttons, listener.inbox, pins=metal.pins, clock=clock):
        assert listener.wait_for_signal(DeviceLost) == DeviceLost("buttons 1", "no_pins")
        assert listener.wait_for_signal(DeviceFound) == DeviceFound("buttons 2")


def test_a_seat_that_lacks_one_pin_is_lost_with_all_its_buttons() -> None:
    """The pins it had go back: a loose wire at one of them says nothing and disturbs nobody."""
    listener, clock = SignalListener(), ManualClock()
    lame = Buttons(1, plus=Pin(4), ok=Pin(2), active="high")
    metal = SimulatedTable(Wiring(buttons=(lame, Buttons(2, plus=Pin(5), ok=Pin(6)))), clock)
    wired = metal.wiring.buttons
    with metal, ButtonReader(wired, listener.inbox, pins=metal.pins, clock=clock):
        assert listener.wait_for_signal(DeviceLost) == DeviceLost("buttons 1", "no_pins")
        metal.buttons[1]["plus"].simulate_loose_wire(2 * MAX_CHATTER_SECONDS)
        metal.buttons[2]["ok"].press()
        assert listener.wait_for_signal(ButtonDown).device == "buttons 2"
        assert not [each for each in listener.signals if isinstance(each, DeviceLost)][1:]
        DigitalInputDevice(4, pin_factory=metal.pins()).close()


HERE = "This computer can't read {name}'s buttons. Let {name} use the screen."
JOIN = (
    "No permission to read {name}'s buttons. Join the group gpio (sudo usermod -aG gpio $USER) and log in "
    "again, or let {name} use the screen."
)


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (HeaderChipNotFound("no GPIO chip"), HERE),
        (PermissionError(13, "denied"), JOIN),
        (BadPinFactory("none"), HERE),
        (ImportError("gpiod"), HERE),
    ],
)
def test_without_pins_the_game_begins_all_the_same(fault: Exception, said: str) -> None:
    """A machine without a header, or a user without the group: the seat is missed and uses the screen."""

    def pins() -> object:
        raise fault

    session = Session.begin(sealed_bid.GAME, ["Aki", "Ben"], {}, MemoryLog())
    with Devices(AKI, Inbox(lambda: None), pins=pins) as devices:
        assert devices.process_signals_and_refresh(session) == []
        heard = [render(missing.message) for missing in devices.missing_devices_needed_by_game(session)]
    assert heard == [said.format(name=name) for name in ("Aki", "Ben")]


def test_a_dead_thread_is_noticed(fingers: Fingers) -> None:
    """Whatever kills the pins' thread, every seat hears that its buttons are dead."""
    fingers.metal.pins().on_thread_failure()
    assert fingers.wait_for_signal(DeviceLost) == DeviceLost("buttons 1", "dead")
    assert fingers.wait_for_signal(DeviceLost) == DeviceLost("buttons 2", "dead")


def test_a_light_is_on_while_the_table_waits_for_its_seat(table: ButtonTable) -> None:
    """On when asked, off when the envelope is in, whatever is in it."""
    table.begin_game(sealed_bid.GAME)
    assert [table.simulated.is_light_on(seat) for seat in (1, 2, 3)] == [True] * 3
    table.enter(2, (4,))
    table.play_until(lambda: len(table.current_session.drafts) == 1)
    assert [table.simulated.is_light_on(seat) for seat in (1, 2, 3)] == [True, False, True]
    table.enter(3, "no")
    table.play_until(lambda: len(table.current_session.drafts) == 2)
    assert [table.simulated.is_light_on(seat) for seat in (1, 2, 3)] == [True, False, False]


def test_what_is_not_understood_is_told_to_that_seat_only(table: ButtonTable) -> None:
    """OK without a bid, and a press of somebody who isn't asked: their own light blinks until they press."""
    table.begin_game(egypt.GAME)
    session = table.current_session
    table.enter(1, (1,))
    table.play_until(lambda: session.question_number == 2)
    table.enter(2, "ok")
    table.play_until(lambda: session.question_number == 3)
    table.enter(1, "ok")
    table.play_until(lambda: table.was_refused(1))
    assert not table.was_refused(2)
    table.press(3, "plus")
    table.play_until(lambda: table.was_refused(3))
    table.enter(1, (3,))
    table.play_until(lambda: session.question_number == 4)
    assert session.rulebook_run.answered_questions[-1].answer == 3
    assert not table.was_refused(1)


async def two_bid(there: Rules) -> GameResult:
    """Aki and Ben fill envelopes; then Aki is asked openly."""
    aki, ben, _ = there.seats
    await Together(say("Bid"), {seat: Amount(seat, say("Bid"), 0, 9) for seat in (aki, ben)})
    await Done(aki, say("Ready?"))
    return rank_seats(there.seats, lambda _: 0, lambda _: ())


def test_a_press_beside_a_sealed_round_is_over_when_it_is_opened(table: ButtonTable) -> None:
    """Nothing blinks while envelopes are filled, and a light doesn't make up for it afterwards."""
    table.begin_game(Game("two_bid", 1, say("Two bid"), (3, 3), two_bid))
    heard: list[object] = []
    table.devices.signal_listeners.append(heard.append)
    table.press(3, "plus")
    table.play_until(lambda: any(isinstance(each, ButtonUp) for each in heard))
    for seat in (1, 2):
        table.enter(seat, (1,))
        table.play_until(
            partial(table.is_answer_in, 1, table.current_session.table.seats.seat_numbered(seat))
        )
    assert table.current_session.question_number == 2
    assert not table.was_refused(3)
    assert not table.simulated.is_light_on(3)


def test_a_press_that_was_meant_for_the_question_before_counts_for_nothing(table: ButtonTable) -> None:
    """Pushed while one question stood, let go when the next did: neither answers."""
    table.begin_game(egypt.GAME)
    session = table.current_session
    table.clock.wait(1.0)
    table.simulated.buttons[2]["ok"].press_down()
    session.answer(session.question_number, "1")
    table.clock.wait(0.2)
    table.play_until(lambda: True)
    table.simulated.buttons[2]["ok"].release()
    table.enter(2, "ok")
    table.play_until(lambda: session.question_number == 3)
    assert table.announcements == []


def cards_by_the_reader(table: ButtonTable, rng: random.Random) -> bool:
    """Cards that are turned up are no matter for buttons: a reader knows them."""
    question = table.current_session.question
    if isinstance(question, Read) and question.price is None:
        table.current_session.answer(
            table.current_session.question_number, sample_answer(question, rng), "reader"
        )
        table.play_until(lambda: True)
        return True
    return False


@pytest.mark.parametrize(("game", "seed"), [(bidders.GAME, 3), (mammon.GAME, 5)])
def test_a_whole_game_is_played_with_buttons_alone(game: Game, seed: int, table: ButtonTable) -> None:
    """One button, two and three side by side, on worn contacts, until the score; nobody looks at a screen."""
    rng = random.Random(seed)
    session = table.begin_game(game, seed)
    while session.question is not None:
        if not cards_by_the_reader(table, rng):
            table.answer_randomly(rng)
    assert session.result is not None
    assert table.announcements == []


Shine = tuple[bool, ...]


def evening(bids: tuple[int, int], shines: Callable[[ButtonTable, int], bool]) -> list[Shine]:
    """What all lights do during a sealed round, up to just before the last envelope."""
    table = ButtonTable()
    try:
        table.begin_game(sealed_bid.GAME)
        seen = [tuple(shines(table, seat) for seat in (1, 2, 3))]
        for seat, bid in enumerate(bids, 2):
            table.enter(seat, (bid,) if bid else "no")
            table.play_until(
                partial(
                    table.is_answer_in,
                    table.current_session.question_number,
                    table.current_session.table.seats.seat_numbered(seat),
                )
            )
            seen.append(tuple(shines(table, seat) for seat in (1, 2, 3)))
    finally:
        table.close()
    return seen


def leaks(table: ButtonTable, seat: int) -> bool:
    """A mutant: the light of a seat that bids nothing stays on."""
    own = table.current_session.drafts.get(table.current_session.table.seats.seat_numbered(seat))
    return table.simulated.is_light_on(seat) or (own is not None and not own.answer)


def test_no_light_tells_what_is_sealed() -> None:
    """Two rounds that differ only in what was bid look the same; a light that told of a 0 is caught."""
    assert evening((0, 3), shines) == evening((7, 0), shines)
    assert evening((0, 3), leaks) != evening((7, 0), leaks)


def shines(table: ButtonTable, seat: int) -> bool:
    """What a light does."""
    return table.simulated.is_light_on(seat)


BOUNCE = (0.0004, 0.0011, 0.0007, 0.002, 0.0005, 0.0013)


def heard(trace: Sequence[tuple[float, bool]], *, until: float, lost: Sequence[int] = ()) -> list[LineEvent]:
    """What is taken of a line with these levels; the edges in `lost` never reach us."""
    line, news, level = initial_debounce_state(0.0, is_down=False), [], False
    for number, (at, is_down) in enumerate(trace):
        line, more = looks(line, level, before=at)
        news += more
        level = is_down
        if number not in lost:
            line, more = handle_edge(line, at, is_down=is_down)
            news += more
    _, more = looks(line, level, before=until)
    return [*news, *more]


def looks(line: DebounceState, level: bool, *, before: float) -> tuple[DebounceState, list[LineEvent]]:
    """Everything that falls due before that time."""
    news: list[LineEvent] = []
    while line.check_due_at < before:
        line, more = handle_level_check(line, line.check_due_at, is_down=level)
        news += more
    return line, news


def bounced(at: float, is_down: bool, pauses: Sequence[float] = BOUNCE) -> Iterator[tuple[float, bool]]:
    """A contact that bounces before it stays."""
    for number, pause in enumerate((0.0, *pauses)):
        at += pause
        yield at, is_down if number % 2 == 0 else not is_down


@pytest.mark.parametrize(
    ("trace", "lost", "taken"),
    [
        ([(1.0, True), (1.2, False)], (), [(True, 1.0), (False, 1.2)]),
        ([(1.0, True), (1.014, False)], (), [(True, 1.0), (False, 1.014)]),
        ([*bounced(1.0, True), *bounced(1.1, False)], (), [(True, 1.0), (False, 1.1)]),
        ([*bounced(1.0, True), *bounced(1.014, False)], (), [(True, 1.0), (False, 1.014)]),
        ([(1.0, True), (1.5, False)], (1,), [(True, 1.0)]),
        ([(1.0, True), (1.006, False)], (1,), [(True, 1.0), (False, 1.0 + MAX_BOUNCE_SECONDS)]),
        ([(1.0, True), (1.0039, False)], (), []),
        ([(1.0, True), (1.0039, False)], (1,), []),
        ([(1.0, True), (1.0005, False), (1.001, True), (1.2, False)], (2,), [(True, 1.0045), (False, 1.2)]),
        ([(1.0, True), (1.2, False), (1.203, True), (1.4, False)], (), [(True, 1.0), (False, 1.4)]),
        ([(1.0, True), (1.001, False), (1.01, True), (1.2, False)], (), [(True, 1.01), (False, 1.2)]),
        (
            [(1.0, True), (1.1, False), (1.13, True), (1.2, False)],
            (),
            [(True, 1.0), (False, 1.1), (True, 1.13), (False, 1.2)],
        ),
        (
            [(1.0, True), (1.1, False), (1.11, True), (1.2, False)],
            (),
            [(True, 1.0), (False, 1.1), (True, 1.11), (False, 1.2)],
        ),
        ([(1.0, False), (1.1, False)], (), []),
    ],
    ids=[
        "slow",
        "a tap shorter than the window",
        "bounce",
        "a bouncing tap",
        "a release nobody saw",
        "lost in the window",
        "a spark",
        "a spark that nobody saw end",
        "the last edge of a bounce lost",
        "a loose contact under a finger",
        "a spark and a press",
        "again soon",
        "again in the window",
        "nothing new",
    ],
)
def test_of_a_trace_each_press_and_release_is_taken_once(
    trace: list[tuple[float, bool]], lost: tuple[int, ...], taken: list[tuple[bool, float]]
) -> None:
    """What rests counts with the time of its first edge; what is lost or bounces is settled by the level."""
    found = [
        (each.is_down, each.at)
        for each in heard(trace, until=2.0, lost=lost)
        if isinstance(each, LevelChange)
    ]
    assert [down for down, _ in found] == [down for down, _ in taken]
    assert [at for _, at in found] == pytest.approx([at for _, at in taken])


@pytest.mark.parametrize(
    ("edges", "delay"),
    [(1, MIN_STABLE_SECONDS), (3, MIN_STABLE_SECONDS + 0.0015), (7, MIN_STABLE_SECONDS + 0.006)],
)
def test_a_press_is_said_as_soon_as_its_contact_has_rested(edges: int, delay: float) -> None:
    """That long after its last edge, and not later; its time is that of the first."""
    line = initial_debounce_state(0.0, is_down=False)
    for at, is_down in list(bounced(1.0, True))[:edges]:
        line, news = handle_edge(line, at, is_down=is_down)
        assert news == []
    assert line.check_due_at == pytest.approx(1.0 + delay)
    assert handle_level_check(line, line.check_due_at, is_down=True)[1] == [LevelChange(True, 1.0)]


@pytest.mark.parametrize("seed", range(20))
def test_of_600_bouncing_presses_none_is_lost_and_none_invented(seed: int) -> None:
    """Presses of 14 to 34 ms with up to 5 ms of bounce at both ends, and pauses of a finger in a hurry."""
    chance = random.Random(seed)
    trace: list[tuple[float, bool]] = []
    at = 1.0
    for _ in range(600):
        seconds = chance.uniform(0.014, 0.034)
        for is_down, start in ((True, at), (False, at + seconds)):
            pauses = [chance.uniform(0.0001, 0.0008) for _ in range(2 * chance.randint(0, 3))]
            trace += bounced(start, is_down, pauses)
        at += seconds + chance.uniform(0.045, 0.1)
    news = heard(trace, until=at + 1)
    assert [each.is_down for each in news if isinstance(each, LevelChange)] == [True, False] * 600
    assert not any(isinstance(each, LineFaultChange) for each in news)


def test_a_button_on_which_something_lies_is_named_once_and_forgiven() -> None:
    """After so long it is stuck; when it comes up, it is used again."""
    trace = [(1.0, True), (1.0 + 3 * STUCK_AFTER_SECONDS, False)]
    assert heard(trace, until=200.0) == [
        LevelChange(True, 1.0),
        LineFaultChange("stuck"),
        LevelChange(False, 1.0 + 3 * STUCK_AFTER_SECONDS),
        LineFaultChange(None),
    ]


def test_a_button_pressed_from_the_start_is_no_press_but_may_be_stuck() -> None:
    """Who leans on a button when the companion starts has answered nothing."""
    line = initial_debounce_state(0.0, is_down=True)
    assert handle_level_check(line, line.check_due_at - 0.1, is_down=True) == (line, [])
    assert handle_level_check(line, line.check_due_at, is_down=True)[1] == [LineFaultChange("stuck")]


@pytest.mark.parametrize("pause", [0.0005, 0.003, 0.01])
def test_a_loose_wire_is_named_and_forgiven_when_it_is_quiet(pause: float) -> None:
    """Edges without a finger's pause for a second, mains hum among them; afterwards it presses nothing."""
    edges = int(3.0 / pause)
    trace = [(1.0 + number * pause, number % 2 == 0) for number in range(edges)]
    news = heard(trace, until=10.0)
    faults = [each for each in news if isinstance(each, LineFaultChange)]
    assert faults == [LineFaultChange("chatters"), LineFaultChange(None)]
    assert all(each.at < 1.0 + MAX_CHATTER_SECONDS for each in news if isinstance(each, LevelChange))


def test_fast_fingers_are_no_loose_wire() -> None:
    """Fifteen presses a second for three seconds leave pauses."""
    assert MIN_EDGE_GAP_WITHOUT_CHATTER_SECONDS < 1 / 30
    trace = [(1.0 + number / 30, number % 2 == 0) for number in range(90)]
    assert not any(isinstance(each, LineFaultChange) for each in heard(trace, until=10.0))


def hum(seconds: float, width: float, hertz: float = 50.0) -> list[tuple[float, bool]]:
    """What mains hum leaves on a long wire: down for a moment, again and again."""
    starts = [1.0 + number / hertz for number in range(int(seconds * hertz))]
    return [edge for at in starts for edge in ((at, True), (at + width, False))]


@pytest.mark.parametrize("milliseconds", [1.0, 2.0, 3.0, 3.9])
@pytest.mark.parametrize("hertz", [50.0, 60.0])
def test_spikes_of_a_hum_press_nothing(milliseconds: float, hertz: float) -> None:
    """A down shorter than the rest of a contact is none; nobody has to mend a wire that works."""
    assert heard(hum(3.0, milliseconds / 1000, hertz), until=10.0) == []


@pytest.mark.parametrize("milliseconds", [1.0, 3.0])
def test_beside_the_spikes_of_a_hum_a_finger_is_heard(milliseconds: float) -> None:
    """A button that is pressed leads to ground, and what hums with it; its time is the finger's."""
    spikes = hum(3.0, milliseconds / 1000)
    trace = [*spikes[:100], (2.012, True), (2.112, False), *spikes[112:]]
    assert heard(trace, until=10.0) == [LevelChange(True, 2.012), LevelChange(False, 2.112)]


@pytest.mark.parametrize("milliseconds", [4.1, 6.0, 8.0, 10.0, 14.0])
def test_more_presses_than_a_finger_can_make_are_chatter(milliseconds: float) -> None:
    """Spikes that last are named after so many, however long their pauses are, and forgiven in quiet."""
    news = heard(hum(3.0, milliseconds / 1000), until=10.0)
    assert [each for each in news if isinstance(each, LineFaultChange)] == [
        LineFaultChange("chatters"),
        LineFaultChange(None),
    ]
    presses = [each.at for each in news if isinstance(each, LevelChange) and each.is_down]
    assert len(presses) == MAX_PRESSES_PER_SECOND
    assert presses[-1] < 1.0 + MAX_CHATTER_SECONDS / 2


def test_an_edge_that_comes_late_has_its_own_time() -> None:
    """A busy machine reads the line before it hears of its edge: what rested until then still counts."""
    line, _ = handle_edge(initial_debounce_state(0.0, is_down=False), 1.0, is_down=True)
    line, news = handle_level_check(line, 1.03, is_down=False)
    assert news == []
    line, news = handle_edge(line, 1.02, is_down=False)
    assert news == [LevelChange(True, 1.0)]
    assert handle_level_check(line, line.check_due_at, is_down=False)[1] == [LevelChange(False, 1.02)]


@pytest.mark.parametrize("seed", range(50))
def test_what_is_taken_one_by_one_is_what_the_whole_trace_says(seed: int) -> None:
    """Any edges, close or far, none lost: looking forward takes what looking back does."""
    chance = random.Random(seed)
    at, trace = 1.0, []
    for number in range(200):
        trace.append((at, number % 2 == 0))
        at += chance.choice((0.001, 0.003, 0.005, 0.02, 0.1)) * chance.uniform(0.5, 1.5)
    found = [(each.is_down, each.at) for each in heard(trace, until=at + 5) if isinstance(each, LevelChange)]
    assert found == [(each.is_down, each.seconds) for each in debounce_trace(trace)]
