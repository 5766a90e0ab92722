"""Whole matches on the real window with phones in a browser: each ends as it was recorded without them."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pytest

from companion.installed_games import playable_game
from companion.languages import ENGLISH
from companion.log.log import MemoryLog
from companion.phones.state import PublicTable, question_state
from companion.presets import chosen_preset_decks
from companion.session.session import Session
from companion.table.scores import GameResult
from companion.table.seats import Seat
from companion.testing.random_game import MISSING_STATE_DIRECTORY
from hardware.simulated.keypads import SimulatedKeypad
from hardware.wiring import Keypad, Wiring
from tests.outside.shelf import put_on_the_shelf
from tests.support.page_form import PageForm, can_be_entered
from tests.support.pages import BrowserTab, Tabs
from tests.support.recorded_moves import CONFIGS, MatchConfig, Move, record_match
from tests.support.soak import SOAK
from tests.ui.test_keypads import wired_app
from tests.ui.test_phones import switch_on
from ui.demo.demo import Demonstration
from ui.demo.presses import keypad_keys_for_answer

if TYPE_CHECKING:
    from selenium.webdriver import Chrome

NAMES = ("Aki", "Ben", "Chie", "Dai")
LANGUAGE_BY_PHONE_SEAT = {1: "de", 2: "ja"}
KEYPAD_SEAT = 3
GAME_SEED = 7


class PhoneMatch(Demonstration):
    """Two players answer on phones, one with a keypad, and the others on the screen."""

    tabs: Tabs[BrowserTab]
    rng: Random

    @property
    def session(self) -> Session:
        """The game on the table."""
        session = self.app.controller.evening.session
        assert session is not None
        return session

    async def pair(self, service: Any, seat: int, language: str) -> None:
        """Pairs the phone of a seat: its page is opened, and the digits are confirmed on the screen."""
        page = self.tabs.open_phone(str(seat))
        service.phones.offer_code(seat)
        await self.finger.wait_until(lambda: service.phones.address_of_code() is not None)
        page.prefer_language(language)
        address = service.phones.address_of_code()
        await asyncio.to_thread(page.open, address)
        await asyncio.to_thread(page.tap_on, "#pairing button.main")
        await self.finger.wait_until(
            lambda: (
                service.phones.pending_pairing is not None
                and service.phones.pending_pairing.confirmation_request is not None
            )
        )
        service.phones.confirm_pairing()
        await asyncio.to_thread(page.see, "[data-state=on]")

    async def make(self, move: Move) -> None:
        """Makes a move, where the player of its seat would make it."""
        await self._close_events_notice()
        before = self._answers()
        place = self._seat_that_answers(move)
        seat = None if place is None else self.session.table.seats.seat_numbered(place)
        await self._enter(move, seat)
        try:
            await self.finger.wait_until(lambda: self._answers() != before)
        except TimeoutError:
            pytest.fail(f"nothing comes of {move}; the screen says {self.finger.visible_texts()}")
        await self.finger.wait_frames(2)
        await self._leave_reveal_screen()

    async def _enter(self, move: Move, seat: Seat | None) -> None:
        question = self.session.question
        assert question is not None
        part = question if seat is None else question.question_for(seat)
        assert part is not None
        asked = seat or self.session.table.seats[0]
        language = LANGUAGE_BY_PHONE_SEAT.get(asked.number)
        shown = self._question_on_phone(asked, language or ENGLISH)
        keypad = None if seat is None else self.keypad_by_seat.get(seat.number)
        keys = "" if keypad is None else keypad_keys_for_answer(part.form, move.answer)
        if not can_be_entered(shown, part, move.answer):
            # Nobody lists a card that isn't in the deck; people would describe it on the screen.
            self.app.controller.answer_question(move.n, move.answer)
        elif seat is not None and language is not None:
            await asyncio.to_thread(self._answer_on_phone, seat, language, shown, part, move.answer)
        elif keypad is not None and keys and seat in self.session.drafts:
            keypad.type(keys)  # in place of the answer that is in
        elif seat is not None and question.parts_by_seat and not question.is_sealed and not keys:
            await self.hand._fill_open_round(question, {str(seat.number): move.answer})
        else:
            await self._enter_answer_of_seat(seat, part, move.answer, is_sealed=question.is_sealed)

    def _answers(self) -> object:
        drafts = {seat.number: draft.commitment for seat, draft in self.session.drafts.items()}
        return self.session.question_number, drafts

    def _seat_that_answers(self, move: Move) -> int | None:
        if move.seat is not None or self.app.controller.round_preview.question is not None:
            return move.seat
        return self.rng.choice([*LANGUAGE_BY_PHONE_SEAT, None])

    def _question_on_phone(self, seat: Seat, language: str) -> Any:
        controller = self.app.controller
        return question_state(
            PublicTable(self.session, controller.view, self.session.question_number), seat, language
        )

    def _answer_on_phone(self, seat: Seat, language: str, question: Any, part: Any, answer: Any) -> None:
        page = self.tabs.show(str(seat.number))
        page.read(question["text"])
        PageForm(page, language).answer(question, part, answer)


@pytest.fixture
def pad(tmp_path: Path) -> Iterator[SimulatedKeypad]:
    """The keypad of the third seat."""
    with SimulatedKeypad("kp", tmp_path / f"kp-{KEYPAD_SEAT}") as pad:
        yield pad


@pytest.mark.skipif(not SOAK, reason="matches with phones, a keypad and the screen are played in a soak")
@pytest.mark.timeout(1800)
@pytest.mark.needs("chromium", "chromedriver")
@pytest.mark.usefixtures("loopback")
@pytest.mark.parametrize(
    "config", CONFIGS, ids=lambda config: "-".join([config.game, *config.options.values()])
)
async def test_a_recorded_match_ends_as_recorded(
    open_app: Any,
    tmp_path: Path,
    browser: Chrome,
    pad: SimulatedKeypad,
    monkeypatch: pytest.MonkeyPatch,
    config: MatchConfig,
) -> None:
    """Two seats answer on phones in two languages, one on a keypad, one on the screen; the score is equal."""
    from ui.demo.hand import AnsweringHand, SimulatedFinger

    put_on_the_shelf(tmp_path / "site", monkeypatch)
    wiring = Wiring((Keypad(KEYPAD_SEAT, port=str(pad.path)),))
    table = await open_app(wired_app(tmp_path, wiring), (1280, 720))
    controller = table.app.controller
    expected, moves = record_match(begin(config), config.seed, app_may_roll=False)
    controller.evening.session = begin(config, controller.evening.store.new_game_log())
    controller._show()
    await table.wait_frames(3)
    hand = AnsweringHand(table.app, SimulatedFinger(table.app, table.window))
    match = PhoneMatch(table.app, hand, {KEYPAD_SEAT: pad}, None)
    match.rng = Random(config.seed)
    service = await switch_on(table)
    await table.tap("close")
    with closing(Tabs(BrowserTab(browser), "none")) as match.tabs:
        for seat, language in LANGUAGE_BY_PHONE_SEAT.items():
            await match.pair(service, seat, language)
        for move in moves:
            await match.make(move)
    assert scores(match.session.result) == scores(expected.result)


def begin(config: MatchConfig, log: Any = None) -> Session:
    """Begins a game, always with the same seed."""
    game = playable_game(config.game)
    decks = chosen_preset_decks(game, config.options, MISSING_STATE_DIRECTORY) or None
    return Session.begin(game, NAMES, config.options, log or MemoryLog(), deck_by_name=decks, seed=GAME_SEED)


def scores(result: GameResult | None) -> list[tuple[str, int, Any]]:
    """Returns the name, the rank and the total of each seat."""
    assert result is not None
    return [(each.seat.name, each.rank, each.total) for each in result.standings]
