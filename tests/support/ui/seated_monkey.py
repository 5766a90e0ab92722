"""A monkey that plays by touch alone: seats people, touches mostly what answers, and counts the answers.

It has no devices and takes no short cut into the game. What it presses is random, but a key that answers, or
one that leads back to the question, is more likely than others.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, NamedTuple

import pytest

from companion.installed_games import playable_game
from companion.log.events import DEFAULT_ANSWER_SOURCES, Answered
from companion.testing.random_game import is_legal_answer, sample_answer
from companion.texts import render
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.monkey import KEYS_LEADING_HOME, TouchingMonkey
from tests.support.ui.monkey_checks import key_description, key_name

SEAT_CHANCE = 0.8
"""Probability that people are seated when home is shown; otherwise home is touched at random."""
OPTIONAL_STEP_CHANCE = 0.6
"""Probability of each optional step of set-up: a number of players, a name, a piece, the rules."""
MAX_NAME_LETTERS, MAX_TOUCHES_ON_RULES = 5, 8
MAX_TOUCHES_IN_SET_UP = 200
"""More touches than set-up takes."""
TOUCH_WEIGHTS = {"a key": 90, "again": 3, "anywhere": 3, "long": 2, "drag": 3, "two fingers": 2}
"""Weights of the kinds of touches."""
BRASS_WEIGHT, ANSWER_WEIGHT, WAY_BACK_WEIGHT, ASIDE_WEIGHT, SEALED_WEIGHT = 24.0, 3.0, 12.0, 0.1, 0.3
"""Weights of the thing to do now, an answer, a way back, what is beside a question, and a closed envelope.

Any other key has a weight of 1.
"""
ANSWER_CHANCE = 0.3
"""Probability that the monkey gives a whole legal answer, touch by touch, instead of one random touch."""
MAX_CARDS_TAKEN_BACK, MAX_DIGITS_DELETED = 20, 20
"""More cards and digits than random touches enter."""
LONG_NUMBER = 1000
"""From here on the monkey leaves out the first digits of a number: people hardly ever type that many."""
REPEATED_SHARE = 0.2
"""The share of its weight that a key has just after it was touched."""


class AnswerState(NamedTuple):
    """The game on the table, its open question, and how many seats have sealed an answer to it."""

    session: Any
    question: Any
    question_number: int
    sealed_count: int


class SeatedMonkey(TouchingMonkey):
    """`await start_app()`, `await play(key, touches)`, then `close()`; `answer_count` counts the answers.

    `touches` are those after set-up. If several players are asked, the answer of each counts.
    """

    def __init__(self, open_app: Any, state: Any, seed: str) -> None:
        super().__init__(open_app, state, seed)
        self.answer_count = self.seating_count = 0

    def make_app(self, lang: str) -> Any:
        """Returns an app without devices."""
        return make_test_app(self._state, lang=lang)

    async def _act(self, key: str) -> None:
        if self.checks.is_home and (not self.seating_count or self.rng.random() < SEAT_CHANCE):
            tap_count = self.tap_count
            await self._seat_people(key)
            self.tap_count = tap_count
            return
        before = self._answer_state()
        can_answer = not self.app.stage.has_overlay or self._open_answer_screen() is not None
        if before is not None and can_answer and self.rng.random() < ANSWER_CHANCE:
            await self._give_answer(before)
        else:
            await self._touch_at_random()
        await self.table.wait_frames(1)
        self._count_answer_since(before)

    async def _touch_at_random(self) -> None:
        action_by_kind: dict[str, Callable[[], Any]] = {
            "a key": self._tap_random_key,
            "again": self._tap_key_repeatedly,
            "anywhere": self._tap_anywhere,
            "long": self._hold_key,
            "drag": self._drag,
            "two fingers": self._tap_with_two_fingers,
        }
        kind = self.rng.choices(list(TOUCH_WEIGHTS), list(TOUCH_WEIGHTS.values()))[0]
        await action_by_kind[kind]()

    # Answers

    async def _give_answer(self, state: AnswerState) -> None:
        """Gives a random legal answer by touch; in a sealed round that of one seat, in an open one of all.

        Seats that have answered already are left out.
        Earlier touches may have left the question on a page that has no key for the answer; then nothing is
        answered.
        """
        hand, question, drafts = self._make_hand(), state.question, state.session.drafts
        if question is None:
            return
        await self._take_back_what_was_begun()
        waiting = {seat: part for seat, part in question.parts_by_seat.items() if seat not in drafts}
        with suppress(LookupError):
            if not question.parts_by_seat:
                await hand.answer_open_question(question, self._sample_short_answer(question))
            elif (answer_screen := self._open_answer_screen()) is not None:
                part = answer_screen.part
                await hand.seal_on_answer_screen(answer_screen, part, self._sample_short_answer(part))
            elif question.is_sealed:
                seat = self.rng.choice(list(waiting))
                await hand.seal_answer(seat, waiting[seat], self._sample_short_answer(waiting[seat]))
            else:
                answers = {str(seat.number): self._sample_short_answer(waiting[seat]) for seat in waiting}
                await hand.answer_open_question(question, answers)

    def _open_answer_screen(self) -> Any:
        """Returns the private screen of the seat that is entering its answer; None without one."""
        top = self.app.stage.topmost_widget
        return top if type(top).__name__ == "SealedAnswerScreen" else None

    def _sample_short_answer(self, question: Any) -> Any:
        """Returns a random legal answer to a question that isn't a round, with no long number if possible."""
        plain_answer: Any = sample_answer(question, self.rng)
        if isinstance(plain_answer, int | float) and abs(plain_answer) >= LONG_NUMBER:
            short_number = abs(plain_answer) % LONG_NUMBER * (1 if plain_answer > 0 else -1)
            return short_number if is_legal_answer(question, short_number) else plain_answer
        return plain_answer

    async def _take_back_what_was_begun(self) -> None:
        """Clears the number pad, and takes back the cards that are already chosen."""
        if (clear := self._find_key("clear")) is not None:
            await self._tap_key(clear)
        elif self._find_key("sign") is not None:
            await self._delete_digits()
        for _ in range(MAX_CARDS_TAKEN_BACK):
            if (take_back := self._find_key("take back")) is None:
                return
            await self._tap_key(take_back)

    async def _delete_digits(self) -> None:
        """Clears a number pad that has a key for the sign instead of one that clears."""
        from ui.widgets.keys.number_pad import NumberPad

        widgets = self.app.stage.topmost_widget.walk(restrict=True)
        pad: Any = next(each for each in widgets if isinstance(each, NumberPad))
        for _ in range(MAX_DIGITS_DELETED):
            if not pad.typed_number.ascii_text or pad.typed_number.is_offered:
                return
            await self._tap_key(self._find_key("delete"))

    def _make_hand(self) -> Any:
        """Returns a hand that enters answers; its touches are counted and reported, too."""
        from ui.demo.hand import AnsweringHand, SimulatedFinger

        finger: Any = SimulatedFinger(self.app, self.table.window)
        press_and_hold = finger.press_and_hold

        def press_and_report(widget: Any, position: tuple[float, float]) -> Any:
            self.tap_count += 1
            self.last_actions.append(f"answer by {key_description(widget)}")
            return press_and_hold(widget, position)

        finger.press_and_hold = press_and_report
        return AnsweringHand(self.app, finger)

    def _answer_state(self) -> AnswerState | None:
        """Returns what tells whether a touch answers; None without a game that people play."""
        session = self.app.evening.session if self.app.has_open_evening else None
        if session is None or session.is_put_away or self.app.controller.is_showing_recorded_game:
            return None
        return AnswerState(session, session.question, session.question_number, len(session.drafts))

    def _count_answer_since(self, before: AnswerState | None) -> None:
        """Counts what people answered or sealed since then; undo, redo and clocks count nothing."""
        after = self._answer_state()
        if before is None or after is None or after.session is not before.session:
            return
        if after.question_number == before.question_number:
            self.answer_count += max(0, after.sealed_count - before.sealed_count)
        elif after.session.steps:
            step = after.session.steps[-1]
            is_new = isinstance(step, Answered) and step.n == before.question_number
            if is_new and step.via not in DEFAULT_ANSWER_SOURCES:
                self.answer_count += max(1, len(before.question.parts_by_seat) - before.sealed_count)

    # Touches

    def _weight_of(self, key: Any) -> float:
        """Returns how likely a key is touched, compared with others."""
        is_repeated = bool(self.last_actions) and f" {key_description(key)} at " in self.last_actions[-1]
        return self._first_weight_of(key) * (REPEATED_SHARE if is_repeated else 1.0)

    def _first_weight_of(self, key: Any) -> float:
        if getattr(key, "look", "") == "brass":
            return BRASS_WEIGHT
        if getattr(key, "seal", ""):
            return SEALED_WEIGHT
        top = self.app.stage.topmost_widget
        question = getattr(top, "question_widget", None) or getattr(top, "question", None)
        if question is None:
            is_way_back = self.app.stage.has_overlay and key_name(key) in KEYS_LEADING_HOME
            return WAY_BACK_WEIGHT if is_way_back else 1.0
        if not any(widget is key for widget in question.walk(restrict=True)):
            return ASIDE_WEIGHT
        return ANSWER_WEIGHT

    async def _tap_key(self, key: Any) -> None:
        await self._tap(key.to_window(*key.center), key_description(key))
        await self.table.wait_frames(1)

    def _find_key(self, name: str) -> Any:
        """Returns the key with this name or text that can be touched now; None without one."""
        keys = self.checks.touchable_keys()
        return next((key for key in keys if name in (key_name(key), key_description(key))), None)

    # Set-up

    async def _seat_people(self, game_key: str) -> None:
        """Sets up a game from home by touch, with random choices, until it begins."""
        self.last_actions.append(f"seat people for {game_key}")
        await self._turn_page_and_tap(render(playable_game(game_key).title, self.app.lang))
        if type(self.app.stage.screen).__name__ == "GalleryPage":
            await self._tap_one_of(self._is_preset)
        await self._choose_player_count()
        await self._type_names()
        await self._choose_piece()
        if self.rng.random() < OPTIONAL_STEP_CHANCE:
            await self._change_rules()
        await self._begin()
        self.seating_count += 1

    @staticmethod
    def _is_preset(key: Any) -> bool:
        return key_name(key).startswith("template ")

    async def _turn_page_and_tap(self, name: str) -> None:
        """Touches a key, on whichever page it is."""
        while (key := self._find_key(name)) is None and (page_on := self._find_key("page on")) is not None:
            await self._tap_key(page_on)
        if key is None:
            pytest.fail(f"home has no key {name!r}; it says {self.table.texts()}")
        await self._tap_key(key)

    async def _tap_one_of(self, is_wanted: Callable[[Any], bool]) -> bool:
        """Touches one of the keys that are wanted, and returns whether there was one."""
        keys = [key for key in self.checks.touchable_keys() if is_wanted(key)]
        if keys:
            await self._tap_key(self.rng.choice(keys))
        return bool(keys)

    async def _choose_player_count(self) -> None:
        if self.rng.random() < OPTIONAL_STEP_CHANCE and not await self._tap_one_of(
            lambda key: key_description(key).isdecimal()
        ):
            for _ in range(self.rng.randint(1, 3)):
                await self._tap_one_of(lambda key: key_name(key) in ("less players", "more players"))

    async def _type_names(self) -> None:
        """Types or chooses some names; the keyboard comes back for each player without one."""
        if self.rng.random() > OPTIONAL_STEP_CHANCE:
            return
        await self._tap_one_of(self._is_name_key)
        while self._find_key("done") is not None or self._find_key("latin") is not None:
            if self.rng.random() > OPTIONAL_STEP_CHANCE:
                await self._close_overlays()
                return
            await self._type_letters()

    def _is_name_key(self, key: Any) -> bool:
        return any(key is row.name_key for row in self.app.stage.screen.people_page.rows)

    async def _type_letters(self) -> None:
        """Types a few letters on the keyboard, and says that this is the whole name."""
        for _ in range(self.rng.randint(1, MAX_NAME_LETTERS)):
            await self._tap_one_of(lambda key: len(key_description(key)) == 1 and not key_name(key))
        if (done := self._find_key("done")) is not None:
            await self._tap_key(done)

    async def _choose_piece(self) -> None:
        if self.rng.random() < OPTIONAL_STEP_CHANCE and await self._tap_one_of(
            lambda key: key_name(key) == "colour"
        ):
            await self._tap_one_of(lambda _key: True)
            await self._close_overlays()

    async def _change_rules(self) -> None:
        """Touches options, their lists and what these open, at random."""
        await self._tap_one_of(lambda key: key_name(key) == "rules")
        for _ in range(self.rng.randint(1, MAX_TOUCHES_ON_RULES)):
            await self._tap_one_of(lambda key: key_name(key) not in ("begin", "back"))
        await self._close_overlays()

    async def _close_overlays(self) -> None:
        """Leaves keyboards, lists and dialogs of set-up."""
        for _ in range(MAX_TOUCHES_IN_SET_UP):
            top = self.app.stage.topmost_widget
            is_plain = type(top).__name__ != "SetUpScreen" or len(top.children) == 1
            if not self.app.stage.has_overlay and is_plain:
                return
            keys = {key_name(key): key for key in self.checks.touchable_keys()}
            keys |= {key_description(key): key for key in self.checks.touchable_keys()}
            name = next((name for name in KEYS_LEADING_HOME if name in keys), None)
            await (self._tap_anywhere() if name is None else self._tap_key(keys[name]))
        pytest.fail(f"there is no way back to set-up from {self.table.texts()}")

    async def _begin(self) -> None:
        """Begins the game; if something is missing, changes what is said to be wrong."""
        for _ in range(MAX_TOUCHES_IN_SET_UP):
            if type(self.app.stage.screen).__name__ == "PlayScreen":
                return
            if self.app.stage.has_overlay and await self._tap_one_of(lambda key: key_name(key) == "yes"):
                continue  # another game waits until people continue it
            await self._close_overlays()
            if (begin := self._find_key("begin")) is not None:
                await self._tap_key(begin)
            else:
                await self._tap_one_of(lambda _key: True)
            await self.table.wait_frames(2)
        pytest.fail(f"the game can't begin; the screen says {self.table.texts()}")
