"""Answering with a number pad: a table of presses for every kind of question, from the key to the game."""

import random
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from companion.games.bidders import rulebook as bidders
from companion.games.egypt import rulebook as egypt
from companion.games.mammon import rulebook as mammon
from companion.requests import REQUEST_TYPE_BY_KIND, Choose, Read
from companion.rules.game import Game
from companion.session.session import Session
from companion.testing.random_game import sample_answer
from companion.texts import render, say
from hardware.desk.entry import value_steps_for_each_number
from hardware.devices import Devices
from hardware.input_events import KERNEL_KEY_NAMES_BY_PAD_KEY
from hardware.signals import Inbox
from hardware.simulated.pins import ManualClock
from hardware.simulated.table import SimulatedTable
from hardware.wiring.sections import Numpad, Wiring
from tests.hardware.test_desk import QUESTIONS, desk
from tests.support.hardware.button_table import READING_SECONDS, ButtonTable
from tests.support.hardware.device_helpers import run_until

PRINTED = {
    "Enter": "KEY_KPENTER",
    "Back": "KEY_BACKSPACE",
    "Num": "KEY_NUMLOCK",
    "-": "KEY_KPMINUS",
    "+": "KEY_KPPLUS",
    ".": "KEY_KPDOT",
    "*": "KEY_KPASTERISK",
    "/": "KEY_KPSLASH",
} | {digit: f"KEY_KP{digit}" for digit in "0123456789"}
"""What is printed on a number pad's keys, and the kernel's names of them."""


GLANCE = 0.01
"""Seconds between two looks at what shows itself."""


class NumpadTable:
    """A question to Ben, who has a number pad; so has Chie."""

    def __init__(self) -> None:
        self.clock = ManualClock()
        self.metal = SimulatedTable(Wiring(numpad=(Numpad(2, "usb-2"), Numpad(3, "usb-3"))), self.clock)
        self.awake = threading.Event()
        self.devices = Devices(
            self.metal.wiring, Inbox(self.awake.set), clock=self.clock, inputs=self.metal.inputs
        )
        self.devices.open()

    def asks(self, name: str) -> Session:
        """The question of that name, which people have read."""
        self.session = desk(name).session
        self.until(lambda: not self.devices.missing_devices_needed_by_game(self.session))
        self.clock.wait(10)
        return self.session

    def press(self, seat: int, keys: str) -> None:
        """Keys by what is printed on them: `2 + 1 Enter`."""
        for key in keys.split():
            self.metal.numpads[seat].press_key(PRINTED[key])

    def until(self, seen: Callable[[], bool]) -> None:
        """Plays on until something is to be seen."""
        turn, why = (
            lambda: self.devices.process_signals_and_refresh(self.session),
            lambda: self.session.question,
        )
        run_until(seen, turn, self.awake, why, GLANCE)  # a light wakes nobody

    def is_refused(self, seat: int) -> bool:
        """Whether that seat was told that what it pressed doesn't count."""
        return self.devices.was_last_answer_refused(f"numpad {seat}")


@pytest.fixture
def table() -> Iterator[NumpadTable]:
    """Two number pads that are plugged in."""
    table = NumpadTable()
    yield table
    table.devices.close()
    table.metal.close()


ANSWERS: list[tuple[str, str, object]] = [
    ("opens", "7 Enter", 7),
    ("bids", "1 2 Enter", 12),
    ("bids", "1 2 Back 5 Enter", 15),
    ("bids", "1 2 - 5 Enter", 5),
    ("bids", "-", None),
    ("tens", "3 0 Enter", 30),
    ("amount", "0 Enter", 0),
    ("amount", "-", 0),
    ("amount", "Num 4 Num Enter", 4),
    ("some", "1 Enter", 1),
    ("or none", "-", 0),
    ("price", "2 . 1 Enter", {"kind 1": 2, "kind 2": 1}),
    ("price", "2 + 1 Enter", {"kind 1": 2, "kind 2": 1}),
    ("can pay", "-", None),
    ("any", "0 Enter", {"soil": 0}),
    ("dice", "7 5 + 0 Enter", (75, 0)),
    ("which", "3 Enter", "@3"),
    ("yes or no", "2 Enter", "end"),
    ("deal", "Enter", True),
    ("poor", "-", None),
    ("name", "-", ""),
]


@pytest.mark.parametrize(("name", "keys", "answer"), ANSWERS)
def test_presses_answer(table: NumpadTable, name: str, keys: str, answer: object) -> None:
    """Digits and Enter, `-` for no, `+` or `.` between numbers."""
    session = table.asks(name)
    table.press(2, keys)
    table.until(lambda: bool(session.rulebook_run.answered_questions))
    assert session.rulebook_run.answered_questions[0].answer == answer


def test_a_payment_is_typed_as_counts(table: NumpadTable) -> None:
    """The numbers of cards of each rate are typed in the order of the question."""
    session = table.asks("pay")
    table.press(2, "2 + 1 Enter")
    table.until(lambda: bool(session.rulebook_run.answered_questions))
    assert [card.values for card in session.rulebook_run.answered_questions[0].answer] == [
        {"number": 6}
    ] * 2 + [{}]


def test_enter_alone_lets_the_companion_roll(table: NumpadTable) -> None:
    """Where dice are asked for."""
    session = table.asks("dice")
    table.press(2, "Enter")
    table.until(lambda: bool(session.rulebook_run.answered_questions))


def test_an_envelope_is_closed_by_enter_and_may_be_filled_anew(table: NumpadTable) -> None:
    """The light goes off when it is in."""
    session = table.asks("sealed")
    ben = session.table.seats[1]
    table.until(lambda: table.metal.numpads[2].is_lit)
    table.press(2, "1 2 Enter")
    table.until(lambda: ben in session.drafts)
    table.until(lambda: not table.metal.numpads[2].is_lit)


def test_the_light_says_nothing_of_the_amount() -> None:
    """Whatever is bid in secret, the pad's light is told the same."""

    def shone(keys: str) -> list[bool]:
        table = NumpadTable()
        session = table.asks("sealed")
        pad = table.metal.numpads[2]
        table.until(lambda: pad.is_lit)
        before = len(pad.light_history)  # whether it was dark at first is a matter of luck
        table.press(2, keys)
        table.until(lambda: session.table.seats[1] in session.drafts)
        table.until(lambda: not pad.is_lit)
        table.devices.close()
        table.metal.close()
        return pad.light_history[before:]

    assert shone("0 Enter") == shone("9 9 9 Enter") == shone("-")


@pytest.mark.parametrize(
    ("name", "keys"),
    [
        ("bids", "4 Enter"),
        ("bids", "Enter"),
        ("bids", "5 . Enter"),
        ("opens", "-"),
        ("which", "Enter"),
        ("deal", "1 Enter"),
        ("lay", "3 Enter"),
        ("price", "2 Enter"),
    ],
)
def test_other_presses_are_refused_at_that_seat_alone(table: NumpadTable, name: str, keys: str) -> None:
    """Nothing changes; the refusal is shown there until the next key."""
    session = table.asks(name)
    table.press(2, keys)
    table.until(lambda: table.is_refused(2))
    assert not table.is_refused(3)
    assert not session.rulebook_run.answered_questions
    table.press(2, "9")
    table.until(lambda: not table.is_refused(2))


def test_another_grave_choice_is_asked_about_too(table: NumpadTable, monkeypatch: pytest.MonkeyPatch) -> None:
    """A choice counts when it is entered twice in a row; then a different one was only entered once."""
    options = {"end": say("Finish"), "burn": say("Burn the bank")}
    monkeypatch.setitem(
        cast(dict[str, Any], QUESTIONS),
        "two graves",
        lambda _, ben: Choose(ben, say("What now?"), options, confirmations=options),
    )
    session = table.asks("two graves")
    for digit in ("1", "2"):
        table.press(2, digit)
        table.until(lambda: not table.is_refused(2))
        table.press(2, "Enter")
        table.until(lambda: table.is_refused(2))
        assert not session.rulebook_run.answered_questions
    table.press(2, "2 Enter")
    table.until(lambda: bool(session.rulebook_run.answered_questions))
    assert session.rulebook_run.answered_questions[0].answer == "burn"


def test_a_key_for_a_seat_that_is_not_asked_is_told_to_that_seat_alone(table: NumpadTable) -> None:
    """Chie's pad blinks at the first key; Ben's question stays as it was."""
    session = table.asks("bids")
    table.press(3, "5")
    table.until(lambda: table.is_refused(3))
    assert not table.is_refused(2)
    assert (session.question_number, list(session.rulebook_run.answered_questions)) == (1, [])


def test_what_lies_covered_is_asked_for_by_a_star(table: NumpadTable) -> None:
    """It counts as no answer, and what was keyed stays."""
    session = table.asks("bids")
    table.press(2, "1 * 2 Enter")
    table.until(lambda: bool(session.rulebook_run.answered_questions))
    assert session.rulebook_run.answered_questions[0].answer == 12


def test_a_pad_that_is_pulled_out_is_named_with_its_seat(table: NumpadTable) -> None:
    """The question waits, and the pad is found again."""
    session = table.asks("bids")
    table.metal.numpads[2].unplug()
    table.until(lambda: bool(table.devices.missing_devices_needed_by_game(session)))
    [missing] = table.devices.missing_devices_needed_by_game(session)
    assert (
        render(missing.message)
        == "Ben's number pad is unplugged. Plug it in again or let Ben use the screen."
    )
    table.metal.numpads[2].plug_in()
    table.until(lambda: not table.devices.missing_devices_needed_by_game(session))
    table.press(2, "5 Enter")
    table.until(lambda: bool(session.rulebook_run.answered_questions))


class NumpadPeople(ButtonTable):
    """Three people who have number pads and see no screen."""

    def __init__(self) -> None:
        super().__init__(Wiring(numpad=tuple(Numpad(seat, f"usb-{seat}") for seat in (1, 2, 3))))

    def enter(self, seat: int, counts: tuple[int, ...] | str) -> None:
        """Somebody reads the question and keys numbers, OK alone, or NO."""
        self.clock.wait(READING_SECONDS)
        keys = str(counts).upper()
        if isinstance(counts, tuple):
            question = self.current_session.question
            part = (
                question.question_for(self.current_session.table.seats.seat_numbered(seat))
                if question
                else None
            )
            assert part is not None
            numbers = [
                step.value_for_presses(count)
                for step, count in zip(value_steps_for_each_number(part.form), counts, strict=True)
            ]
            keys = f"{'.'.join(map(str, numbers))} OK"
        self.simulated.numpads[seat].type(keys)

    def was_refused(self, seat: int) -> bool:
        """Whether that seat was told that what it keyed doesn't count."""
        return self.devices.was_last_answer_refused(f"numpad {seat}")


@pytest.mark.parametrize(("game", "seed"), [(bidders.GAME, 3), (mammon.GAME, 5), (egypt.GAME, 7)])
def test_a_whole_game_is_played_with_number_pads_alone(game: Game, seed: int) -> None:
    """Until the score; cards that are turned up are no matter for a pad."""
    people, rng = NumpadPeople(), random.Random(seed)
    session = people.begin_game(game, seed)
    while (question := session.question) is not None:
        if isinstance(question, Read) and question.price is None:
            session.answer(session.question_number, sample_answer(question, rng), "reader")
            people.play_until(lambda: True)
        else:
            people.answer_randomly(rng)
    assert session.result is not None
    assert people.announcements == []
    people.close()


def test_every_kind_of_question_has_its_presses() -> None:
    """A kind that is registered stands in the table."""
    names = {name for name, _, _ in ANSWERS} | {"pay", "sealed"}
    assert {type(desk(name).session.question) for name in names} == set(REQUEST_TYPE_BY_KIND.values())


def test_the_document_has_the_table_of_keys() -> None:
    """docs/build/number-pads.md names every key that means something."""
    document = (Path(__file__).parents[2] / "docs/build/number-pads.md").read_text("utf-8")
    for cap, names in KERNEL_KEY_NAMES_BY_PAD_KEY.items():
        for name in names:
            assert f"`{name.removeprefix('KEY_')}`" in document, (cap, name)
