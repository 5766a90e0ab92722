"""Actions of the monkey test other than touches: on devices, on another screen, and on the game itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

from companion.actions import AMEND, ENVELOPES_CONFIRMATION, REDO, RENAME, UNDO
from companion.cards import Deck
from companion.clocks import parse_clocks
from companion.errors import CompanionError
from companion.installed_games import playable_game
from companion.languages import languages
from companion.requests import Together
from companion.table.moves import PieceMove
from companion.testing.random_game import choose_random_options, sample_answer
from hardware.simulated.table import SimulatedTable, run_script_line
from hardware.simulated.tags import simulated_tag_uid

NAMES, COLOURS = ["Aki", "Ben", "ちえ"], ["orange", "sky", "green"]
OTHER_NAMES = ("Aki", "Ben", "ちえ", "Zoe", "Maximilian 3", "じゅげむ", "")
SIZES = [(800, 480), (1280, 720), (720, 1280)]
CLOCKS = ("", "turn=5 answer", "turn=9 ring, budget=60 answer, increment=3")
"""Clocks with short time limits."""
BURST_SIZES = (1, 1, 2, 4, 9, 20)
"""Numbers of answers given at once, so that games go on and end."""
SEAL_CHANCE = 0.8
"""Probability that a seat seals an answer when all are asked."""
KEYPAD_ENTRIES = ("OK", "NO", "1 OK", "2 OK", "12 OK", "1.1 OK", "0 OK", "DEL", "OWN", "9", ".")
DEVICE_LINES = {
    "pads": ("1 unplug", "1 plug", "2 unplug", "2 plug"),
    "buttons": ("3 plus", "3 minus", "3 ok", "3 ok 2.5", "3 bounce plus", "3 chatter ok 0.3"),
    "cable": ("1 noise", "1 damage 30", "1 damage 0", "1 silent", "1 speak"),
    "reader": ("market unplug", "market plug", "market deaf", "market brown-out", "market noise 1"),
    "quiet": ("market noise 0", "1 plug", "2 plug", "market plug", "1 speak"),
}
"""Script lines for the simulated devices."""


class MonkeyActions:
    """The actions; each is reported before it is performed. `app` is the running app."""

    def __init__(self, rng: Random, simulated: SimulatedTable, report: Callable[[str], None]) -> None:
        self.rng, self.simulated, self.report = rng, simulated, report
        self.app: Any = None
        self.begun_game_count = 0

    def share_clock_with_devices(self) -> None:
        """Makes the game use the clock of the simulated devices."""
        self.app.evening._session_options["clock"] = self.simulated.clock

    def weight_by_action(self, key: str) -> Mapping[Callable[[], Any], float]:
        """Returns each action with its weight."""
        return {
            self.use_device: 8,
            self.answer_questions: 8,
            self.undo_or_redo: 2,
            self.amend_answer: 1,
            self.correct_pieces: 1,
            self.rename_player: 1,
            self.wait: 2,
            self.change_language: 1,
            self.resize_window: 0.7,
            partial(self.begin_game, key): 0.2 if self.is_playing else 2,
        }

    @property
    def is_playing(self) -> bool:
        """Whether a game is open and isn't a recording."""
        if not self.app.has_open_evening:
            return False
        controller = self.app.controller
        return controller.view is not None and not controller.is_playing_recording

    def use_device(self) -> None:
        """Presses keys or buttons, lays cards, or makes a device fail."""
        line = self.rng.choice(list(self._possible_device_lines()))
        self.report(f"device: {line}")
        run_script_line(self.simulated, line)

    def _possible_device_lines(self) -> Iterator[str]:
        yield from (f"{seat} keys {self.rng.choice(KEYPAD_ENTRIES)}" for seat in (1, 1, 1, 2, 2, 2))
        for lines in DEVICE_LINES.values():
            yield from lines
        yield from (f"market lift {tag}" for tag in sorted(self.simulated.readers["market"].tag_uids))
        deck = self.app.evening.taggable_deck if self.app.has_open_evening else None
        if deck is not None:
            yield from (f"market lay {simulated_tag_uid(deck.name, card)}" for card in self._some_cards(deck))

    def _some_cards(self, deck: Deck) -> list[str]:
        return self.rng.sample(list(deck.cards), 6)

    def answer_questions(self) -> None:
        """Answers a few questions with random legal answers, without touching the screen."""
        for _ in range(self.rng.choice(BURST_SIZES)):
            if self.is_playing and self.app.controller.view.question is not None:
                self._answer(self.app.controller)

    def _answer(self, controller: Any) -> None:
        question, n = controller.view.question, controller.view.question_number
        plain_answer: Any = sample_answer(question, self.rng)
        self.report(f"answer {question.log_key}: {plain_answer}")
        if not isinstance(question, Together):
            controller.answer_question(n, plain_answer)
            return
        for seat in question.seats:
            if self.rng.random() < SEAL_CHANCE:
                controller.seal_answer_in_envelope(n, seat, plain_answer[str(seat.number)])

    def undo_or_redo(self) -> None:
        """Undoes or redoes the last step."""
        if self.is_playing:
            from ui.screens.actions import perform_with_confirmations

            action = self.rng.choice([UNDO, REDO])
            self.report(action.key)
            perform_with_confirmations(self.app, action)

    def amend_answer(self) -> None:
        """Changes an earlier answer to a random one that was legal then."""
        controller = self.app.controller
        answered = controller.evening.session.rulebook_run.answered_questions if self.is_playing else []
        if not answered:
            return
        chosen = self.rng.choice(answered)
        with suppress(CompanionError):
            step_count = controller.evening.session.step_count_before_answer(chosen.question_number)
            question = controller.evening.current_session.session_after_steps(step_count).question
            seat = self.rng.choice(question.seats) if isinstance(question, Together) else None
            plain_answer = sample_answer(question if seat is None else question.parts_by_seat[seat], self.rng)
            self.report(f"amend {chosen.question_number}: {plain_answer}")
            arguments = {
                "event": chosen.question_number,
                "answer": plain_answer,
                **({"seat": seat.key} if seat else {}),
            }
            confirmations = AMEND.confirmations if self.rng.random() < 0.5 else (ENVELOPES_CONFIRMATION,)
            controller.run_table_action(AMEND, arguments, confirmations)

    def correct_pieces(self) -> None:
        """Moves random pieces to a random place by hand."""
        if not self.is_playing:
            return
        controller = self.app.controller
        holdings_by_place = controller.evening.movable_holdings_by_place()
        holdings = [
            chosen for holdings_at_place in holdings_by_place.values() for chosen in holdings_at_place
        ]
        chosen, target = self.rng.choice(holdings or [None]), self.rng.choice(list(holdings_by_place))
        if chosen is not None:
            self.report(f"correct {chosen.piece.key}: {chosen.place.key} to {target.key}")
            with suppress(CompanionError):
                move = PieceMove(chosen.piece, chosen.place, target, self.rng.randint(1, 3))
                controller.correct_by_hand([move], "a monkey", ask_again=self.rng.random() < 0.3)

    def rename_player(self) -> None:
        """Renames a seat."""
        if self.is_playing:
            seat, name = self.rng.choice(self.app.controller.view.seats), self.rng.choice(OTHER_NAMES)
            self.report(f"rename {seat.name}: {name}")
            with suppress(CompanionError):
                self.app.controller.run_table_action(RENAME, {"seat": seat.key, "name": name})

    def wait(self) -> None:
        """Waits until some clock may be expired."""
        seconds = self.rng.choice([0.3, 3, 30])
        self.report(f"wait {seconds}")
        self.simulated.clock.wait(seconds)
        if self.is_playing and self.app.controller.ticker.has_clocks:
            self.app.controller.ticker.handle_expired_clock()

    def change_language(self) -> None:
        """Changes to a random language."""
        lang = self.rng.choice([*languages()])
        self.report(f"the language {lang}")
        self.app.lang = lang

    def resize_window(self) -> None:
        """Changes to a random window size."""
        from kivy.core.window import Window

        size = self.rng.choice(SIZES)
        self.report(f"size {size}")
        Window.size = size

    def begin_game(self, key: str) -> None:
        """Begins this game with random options; the open game waits."""
        if not self.app.has_open_evening:
            return
        options = choose_random_options(playable_game(key), self.rng)
        clocks = self.rng.choice(CLOCKS)
        self.report(f"begin {key} {options} {clocks}")
        self.begun_game_count += self.app.controller.start_new_game(
            key, NAMES, COLOURS, options, parse_clocks(clocks)
        )
