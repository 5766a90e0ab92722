"""Plays on the app by devices only: a keypad, a number pad, three buttons and a reader, all simulated.

Each use of a device is a line of the simulation's script. Cards are lifted from the reader after reading.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from companion.cards import shipped_deck
from companion.errors import IllegalAnswer
from companion.requests import Choose, Counts, Done, Read, Request, Roll, Together
from companion.table.seats import Seat
from companion.testing.random_game import sample_answer
from hardware.desk.entry import MIN_PRESS_FOR_NO_SECONDS
from hardware.devices import Devices
from hardware.simulated.table import SimulatedTable, run_script_line
from hardware.wiring import Buttons, Keypad, Light, Numpad, Reader, Wiring, read_machine_wiring
from hardware.wiring.pins import Pin
from tests.support.hardware.button_table import press_counts_for_answer
from tests.support.hardware.device_helpers import LaggingClock

WIRING = Wiring(
    keypad=(Keypad(1, id="kp-1"),),
    numpad=(Numpad(2, "usb-0000:01:00.0-1.1"),),
    buttons=(Buttons(3, minus=Pin(22), plus=Pin(23), ok=Pin(24)),),
    outputs=(Light(3, pin=Pin(17)),),
    reader=(Reader("market", "/dev/spidev0.0", reset=Pin(25)),),
)
NAMES, COLOURS = ["Aki", "Ben", "Chie"], ["orange", "sky", "green"]
READING_SECONDS = 1.0
"""Seconds that players look at a question before they answer it."""
LONG_READING_SECONDS = 1e6
"""Seconds of reading in all; a keypad takes the time of its key presses from the machine's clock."""


@contextmanager
def simulate_wiring(text: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[SimulatedTable]:
    """Simulates the devices of a hardware.toml with this text; the screen finds the file in `folder`."""
    (folder / "hardware.toml").write_text(text)
    monkeypatch.setenv("COMPANION_CONFIG", str(folder))
    with SimulatedTable(read_machine_wiring()) as metal:
        yield metal


class DeviceTable:
    """The app with a store and simulated devices. `refusals` has every refusal so far."""

    def __init__(self, state: Path, key: str, seed: int) -> None:
        from companion.installed_games import playable_game
        from companion.store import Store
        from ui.app import CompanionApp
        from ui.evening.controller import TableController

        self.clock = LaggingClock(LONG_READING_SECONDS)
        self.simulated = SimulatedTable(WIRING, self.clock)
        self.rng = random.Random(seed)
        self.key = key
        self.tag_by_card: dict[tuple[str, str], str] = {}
        self.laid_cards: list[tuple[str, str]] = []
        self.device_by_answer: list[tuple[int, str]] = []
        self.refusals: list[str] = []
        store = Store.open(state, for_writing=True)
        for name in playable_game(key).decks:
            for card in shipped_deck(name, playable_game(key).folder).cards:
                self.tag_by_card[name, card] = f"04{len(self.tag_by_card):012X}"
                store.assign_tag(self.tag_by_card[name, card], name, card)
        metal, clock = self.simulated, self.clock
        devices = partial(Devices, pins=metal.pins, spi=metal.open_reader, inputs=metal.inputs, clock=clock)
        self.app: Any = CompanionApp(lambda: TableController(store, metal.wiring, devices=devices), lang="en")

    async def begin_game(self, table: Any) -> None:
        """Waits until all devices are found, and begins the game."""
        self.table, self.controller = table, self.app.controller
        self.controller.bind(on_refusal=self._record_refusal)
        await table.wait_until(lambda: not self.controller._devices.lost_devices)
        assert self.controller.start_new_game(self.key, NAMES, COLOURS, {})

    def _record_refusal(self, _controller: Any, text: Any, _seat: Any) -> None:
        message = text.in_language("en")
        if "the screen" not in message:  # on a busy machine a plug may seem pulled; that is no refusal
            self.refusals.append(message)

    async def play(self, max_answers: int) -> None:
        """Plays to the final score, or until `most` questions are answered."""
        for _ in range(max_answers):
            if self.controller.view.question is None:
                return
            await self.answer_question()

    async def answer_question(self) -> None:
        """Answers the open question, by a card if it asks for one, else by each player's device."""
        session, question = self.controller.evening.session, self.controller.view.question
        question, n = session.question, session.question_number
        card = self._card_for_question(question)
        if card is not None:
            self.clock.wait(READING_SECONDS)
            self.run_line(f"market lay {self.tag_by_card[card]}")
            await self.table.wait_until(lambda: session.question_number != n)
            self.run_line(f"market lift {self.tag_by_card[card]}")
            self.laid_cards.append(card)
            return
        full_answer: Any = sample_answer(question, self.rng)
        for seat in question.seats or [self.rng.choice(session.table.seats)]:
            part = question.question_for(seat) if question else None
            assert part is not None
            plain_answer = full_answer[str(seat.number)] if isinstance(question, Together) else full_answer
            await self._answer_for_seat(n, seat, part, plain_answer)
            if part.confirmation_for(part.parse_answer(plain_answer)):
                await self.table.wait_until(
                    partial(self.controller._devices.was_last_answer_refused, _device_name(seat))
                )
                await self._answer_for_seat(n, seat, part, plain_answer)
            await self.table.wait_until(partial(self._is_answer_in, n, seat))
        assert question.answer_to_json(session.rulebook_run.answered_questions[-1].answer) == full_answer
        assert (
            self.app.stage.screen.view.question_number == session.question_number or session.question is None
        )

    def run_line(self, line: str) -> None:
        """Runs one line of the simulation's script."""
        assert run_script_line(self.simulated, line) == ""

    async def _answer_for_seat(self, n: int, seat: Seat, part: Request[Any], plain_answer: Any) -> None:
        self.device_by_answer.append((n, _device_name(seat)))
        self.clock.wait(READING_SECONDS)
        if seat.number in self.simulated.keypads:
            await self._wait_until_shown(n, seat)
        if seat.number in self.simulated.buttons:
            for line in _button_lines_for_answer(seat, part, plain_answer):
                self.run_line(line)
        else:
            self.run_line(f"{seat.number} keys {_pad_keys_for_answer(part, plain_answer)}")

    async def _wait_until_shown(self, n: int, seat: Seat) -> None:
        """Waits until the keypad shows the question and waits for no verdict."""
        pad = self.simulated.keypads[seat.number]
        await self.table.wait_until(lambda: pad.answerable_question_number == n)

    def _is_answer_in(self, n: int, seat: Seat) -> bool:
        session = self.controller.evening.session
        return session.question_number != n or seat in session.drafts

    def _card_for_question(self, question: Any) -> tuple[str, str] | None:
        """Returns deck and card to lay for the question; None if the question takes no card."""
        if isinstance(question, Read):
            for name in self.rng.sample(unseen := question.tracker.possibly_unseen_card_ids(), len(unseen)):
                with suppress(IllegalAnswer):
                    question.check_answer(question.parse_answer([{"card": name}]))
                    return question.tracker.deck.name, name
        if isinstance(question, Choose) and question.deck is not None:
            deck = question.deck
            playable_designs = [each for each in deck.designs if each.id in question.offered_options]
            cards = [(deck.name, name) for each in playable_designs for name in each.copy_ids]
            return next((card for card in cards if card not in self.laid_cards), None)
        return None


def _device_name(seat: Seat) -> str:
    return f"{('keypad', 'numpad', 'buttons')[seat.number - 1]} {seat.number}"


def _pad_keys_for_answer(part: Request[Any], plain_answer: Any) -> str:
    """Returns the pad keys for an answer."""
    match part, plain_answer:
        case Done(), _:
            return "OK"
        case _, None:
            return "NO"
        case Choose(offered_options=offered), _:
            return f"{list(offered).index(plain_answer) + 1} OK"
        case Counts() | Roll(), _:
            numbers = plain_answer.values() if isinstance(plain_answer, dict) else plain_answer
            return f"{'.'.join(map(str, numbers))} OK"
    return f"{plain_answer} OK"


def _button_lines_for_answer(seat: Seat, part: Request[Any], plain_answer: Any) -> list[str]:
    """Returns the script lines that press three buttons for an answer."""
    counts = press_counts_for_answer(part, plain_answer)
    if counts == "no":
        return [f"{seat.number} ok {MIN_PRESS_FOR_NO_SECONDS + 0.1}"]
    lines = []
    for count in counts if isinstance(counts, tuple) else (0,):
        lines += [f"{seat.number} plus"] * count + [f"{seat.number} ok"]
    return lines
