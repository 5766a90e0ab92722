"""The debounce: tables of edges with their times, and what is taken of them."""

import random
from collections.abc import Iterator, Sequence

import pytest

from hardware.gpio.debounce import (
    MAX_BOUNCE_SECONDS,
    MAX_CHATTER_SECONDS,
    MAX_PRESSES_PER_SECOND,
    MIN_EDGE_GAP_WITHOUT_CHATTER_SECONDS,
    MIN_STABLE_SECONDS,
    STUCK_AFTER_SECONDS,
    DebounceState,
    LevelChange,
    LineEvent,
    LineFaultChange,
    handle_edge,
    handle_level_check,
    initial_debounce_state,
)
from tests.support.hardware.debounce_reference import debounce_trace

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
