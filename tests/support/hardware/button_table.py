"""A table whose players answer by buttons only, which are simulated at the pins."""

import random
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import product
from typing import Any

from companion.cards import TagLookup
from companion.errors import IllegalAnswer
from companion.log.log import MemoryLog
from companion.requests import Amount, Choose, Done, Read, Request
from companion.rules.game import Game
from companion.session.session import Session, find_no_card
from companion.table.seats import Seat
from companion.testing.random_game import sample_answer
from companion.texts import Say
from hardware.desk.entry import (
    MIN_PRESS_FOR_NO_SECONDS,
    MIN_PRESS_FOR_OK_SECONDS,
    value_steps_for_each_number,
)
from hardware.devices import Devices
from hardware.signals import Inbox
from hardware.simulated.pins import WORN_CONTACT_BOUNCE_SECONDS, ManualClock
from hardware.simulated.table import SimulatedTable
from hardware.wiring import Buttons, Light, Wiring
from hardware.wiring.pins import Pin
from tests.support.hardware.device_helpers import run_until

NAMES = ["Aki", "Ben", "Chie"]
WIRING = Wiring(
    buttons=(
        Buttons(1, tap=Pin(4)),
        Buttons(2, plus=Pin(5), ok=Pin(6)),
        Buttons(3, minus=Pin(22), plus=Pin(23), ok=Pin(24), active="high"),
    ),
    outputs=(
        Light(1, pin=Pin(16)),
        Light(2, pin=Pin(17)),
        Light(3, red=Pin(18), green=Pin(19), blue=Pin(20)),
    ),
)
READING_SECONDS = 1.0
"""Seconds that players look at a question before they press."""


class ButtonTable:
    """Three players without a screen, on a simulated clock.

    By default, Aki has one button, Ben two, Chie three, and everybody has a light.
    """

    def __init__(self, wiring: Wiring = WIRING) -> None:
        self.awake = threading.Event()
        self.clock = ManualClock()
        self.simulated = SimulatedTable(wiring, self.clock)
        self.devices = Devices(
            self.simulated.wiring,
            Inbox(self.awake.set),
            clock=self.clock,
            pins=self.simulated.pins,
            spi=self.simulated.open_reader,
            inputs=self.simulated.inputs,
            pause=lambda _: None,
        )
        self.session: Session | None = None
        self.announcements: list[Say] = []
        self.devices.open()

    def begin_game(
        self, game: Game, seed: int = 7, tags: TagLookup = find_no_card, **options: str
    ) -> Session:
        """Begins a game and waits until its devices are found."""
        self.session = Session.begin(game, NAMES, options, MemoryLog(), seed=seed, tags=tags)
        self.play_until(lambda: not self.devices.missing_devices_needed_by_game(self.current_session))
        return self.session

    def is_answer_in(self, n: int, seat: Seat) -> bool:
        """Whether the answer of a seat to question `n` is taken."""
        return self.current_session.question_number != n or seat in self.current_session.drafts

    def was_refused(self, seat: int) -> bool:
        """Whether the last answer by the buttons of a seat was refused."""
        return self.devices.was_last_answer_refused(f"buttons {seat}")

    @property
    def current_session(self) -> Session:
        """The session of the game; there must be one."""
        assert self.session is not None
        return self.session

    def play_until(self, seen: Callable[[], bool]) -> None:
        """Processes signals until `seen` is true."""
        run_until(seen, self.process_signals, self.awake, lambda: self.session and self.session.question)

    def process_signals(self) -> None:
        """Runs the game's loop once."""
        self.announcements += self.devices.process_signals_and_refresh(self.session)

    def press(self, seat: int, cap: str, seconds: float = 0.1) -> None:
        """Presses a worn button, which bounces, for some seconds."""
        self.simulated.buttons[seat][cap].press(seconds, WORN_CONTACT_BOUNCE_SECONDS)

    def enter(self, seat: int, counts: tuple[int, ...] | str) -> None:
        """Reads the question and presses: counts with OK after each, OK alone, or NO."""
        self.clock.wait(READING_SECONDS)
        has_one_button = "tap" in self.simulated.buttons[seat]
        for count in counts if isinstance(counts, tuple) else (0,):
            for _ in range(count):
                self.press(seat, "tap" if has_one_button else "plus")
            if counts != "no":
                self.press(
                    seat,
                    "tap" if has_one_button else "ok",
                    MIN_PRESS_FOR_OK_SECONDS + 0.1 if has_one_button else 0.1,
                )
        if counts == "no":
            self.press(seat, "tap" if has_one_button else "ok", MIN_PRESS_FOR_NO_SECONDS + 0.1)

    def answer_randomly(self, rng: random.Random) -> None:
        """Answers the open question by buttons, with a random legal answer for everybody who is asked."""
        session, question = self.current_session, self.current_session.question
        assert question is not None
        answer: Any = (
            smallest_legal_payment(question) if isinstance(question, Read) else sample_answer(question, rng)
        )
        n = session.question_number
        for seat in question.seats or session.table.seats[-1:]:
            part = question.question_for(seat)
            assert part is not None
            plain_answer = answer[str(seat.number)] if question.parts_by_seat else answer
            self.enter(seat.number, press_counts_for_answer(part, plain_answer))
            if part.confirmation_for(part.parse_answer(plain_answer)):
                self.play_until(partial(self.was_refused, seat.number))
                self.enter(seat.number, press_counts_for_answer(part, plain_answer))
            self.play_until(partial(self.is_answer_in, n, seat))
        answered = session.rulebook_run.answered_questions[-1]
        assert answered.question is question
        taken = question.answer_to_json(answered.answer)
        assert taken == answer, f"{question.log_key} of {question.seats}: pressed {answer}, taken {taken}"

    def close(self) -> None:
        """Closes the devices and the simulation."""
        self.devices.close()
        self.simulated.close()


def press_counts_for_answer(part: Request[Any], plain_answer: Any) -> tuple[int, ...] | str:
    """Returns the press counts for an answer in JSON form, or `no` or `ok` for that single button."""
    if isinstance(part, Done):
        return "ok"
    if plain_answer is None:
        return "no"
    numbers = (
        [list(part.offered_options).index(plain_answer) + 1]
        if isinstance(part, Choose)
        else _numbers(plain_answer)
    )
    steps = value_steps_for_each_number(part.form)
    if isinstance(part, Read) and part.price is not None:
        numbers = [plain_answer.count({"values": rate.values}) for rate in part.price.rates]
    if isinstance(part, Amount) and numbers[0] == 0:
        return "no"
    return tuple(
        next(
            count
            for count in range(1000)
            if (count or step.counts_from_zero) and step.value_for_presses(count) == number
        )
        for step, number in zip(steps, numbers, strict=True)
    )


def smallest_legal_payment(part: Read) -> Any:
    """Returns the legal payment with the fewest cards, as buttons can enter it; None if none is legal."""
    assert part.price is not None
    rates = part.price.rates
    for counts in sorted(product(range(part.price.owed + 1), repeat=len(rates)), key=sum):
        plain_answer = [
            {"values": rate.values} for rate, count in zip(rates, counts, strict=True) for _ in range(count)
        ]
        with suppress(IllegalAnswer):
            part.check_answer(part.parse_answer(plain_answer))
            return plain_answer
    return None


def _numbers(plain_answer: Any) -> list[int]:
    if isinstance(plain_answer, dict):
        return list(plain_answer.values())
    return plain_answer if isinstance(plain_answer, list) else [plain_answer]
