"""Whole matches on phones, with reconnects at random questions, equal matches without phones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from random import Random

import pytest

from companion.cards import Deck
from companion.installed_games import playable_game
from companion.log.log import MemoryLog
from companion.presets import chosen_preset_decks
from companion.rules.game import Game
from companion.session.session import Session
from companion.session.view import make_view
from companion.testing.random_game import MISSING_STATE_DIRECTORY
from companion.texts import render
from hardware.phones.phones import MAX_MESSAGES_IN_A_ROW
from tests.outside.shelf import put_on_the_shelf
from tests.support.page_server import GAME_SEED, PageServer
from tests.support.phone_client import PhoneTab
from tests.support.recorded_moves import CONFIGS, Match, MatchConfig, Move, make_move, match_of, record_match
from tests.support.soak import SOAK
from tests.support.web_phone import WebPhone

pytestmark = pytest.mark.without_coverage

NAMES = ("Aki", "Ben", "Chie", "Dai")
LANGUAGE_BY_PHONE_SEAT = {1: "de", 2: "ja"}
SOURCES = ("keypad", "panel")
"""How the other seats answer."""
RECONNECT_FRACTION = 0.1
"""How often a phone reconnects before it answers."""
JSON_PAGE = Path(__file__).parents[2] / "docs/json.md"


SAMPLE_CONFIG = MatchConfig("mammon")
"""The match that is played each time: with sealed answers, and in a few seconds."""


class CheckedPhone(WebPhone):
    """A phone that checks each state it shows."""

    title = ""
    messages_sent = 0

    def open_page(self, language: str = "en") -> CheckedPhone:
        """Opens the page; a new connection may send as many messages as any."""
        self.messages_sent = 1
        return super().open_page(language)

    def read_state(self) -> PhoneTab:
        """Reads the next state: the seat has a question if and only if it is asked."""
        tab = super().read_state()
        table, seat = tab.table, tab.seat_number
        is_asked = table["question"] != "" and (not table["asked"] or seat in table["asked"])
        assert (tab.question is not None) == is_asked
        assert tab.question is None or tab.question["for_table"] == (not table["asked"])
        assert table["game"] == self.title
        envelope = next(each for each in table["seats"] if each["number"] == seat).get("envelope")
        has_sealed = envelope is not None and envelope["closed"] and table["sealed"]
        assert ("envelope" in tab.private) == has_sealed
        assert not has_sealed or tab.private["envelope"]["letters"] == envelope["seal"]
        return tab

    def make(self, move: Move) -> None:
        """Makes a move when the page shows its question."""
        self.read_until(lambda tab: bool(tab.table["n"] == move.n))
        self.messages_sent += 2
        if move.rolls:
            self.roll()
        else:
            self.answer(move.answer)


def play_on_phones(
    server: PageServer, game: Game, decks: Mapping[str, Deck] | None, config: MatchConfig, moves: list[Move]
) -> tuple[Match, set[str]]:
    """Makes the moves, of two seats on phones; returns the match, and the types of fields on phones."""
    rng, types = Random(config.seed), set[str]()
    session = server.begin(game, *NAMES, options=config.options, decks=decks)
    phones: dict[int, CheckedPhone] = {}
    for seat, language in LANGUAGE_BY_PHONE_SEAT.items():
        phones[seat] = phone = CheckedPhone(server.offer_code(seat))
        phone.title = render(make_view(session).game_title, language)
        phone.redeem()
        with ThreadPoolExecutor(1) as threads:
            confirmed = threads.submit(phone.await_confirmation)
            server.confirm_digits()
            assert confirmed.result() == 200
        phone.open_page(language)
    for move in moves:
        phone_seat = rng.choice([*phones, None]) if move.seat is None else move.seat
        if phone_seat in phones:
            phone = phones[phone_seat]
            if phone.messages_sent > MAX_MESSAGES_IN_A_ROW - 3 or rng.random() < RECONNECT_FRACTION:
                phone.reconnect()
            phone.make(move)
            types |= move.field_types
        else:
            source = rng.choice(SOURCES)
            server.run(partial(make_move, session, move, source))
    for phone in phones.values():
        phone.read_until(lambda tab: tab.table["result"] is not None)
        phone.close()
    return server.run(lambda: match_of(session)), types


@pytest.mark.timeout(1800)
def test_matches_on_phones_equal_matches_without_phones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Two seats answer on phones in two languages; log and result are equal, and all states consistent.

    In a soak all games are played, and every type of field is answered on a phone.
    """
    put_on_the_shelf(tmp_path / "site", monkeypatch)
    types: set[str] = set()
    for number, config in enumerate(CONFIGS if SOAK else [SAMPLE_CONFIG]):
        game = playable_game(config.game)
        decks = chosen_preset_decks(game, config.options, MISSING_STATE_DIRECTORY) or None
        begun = Session.begin(game, NAMES, config.options, MemoryLog(), deck_by_name=decks, seed=GAME_SEED)
        expected, moves = record_match(begun, config.seed)
        with PageServer(tmp_path / f"{number}") as server:
            match, types_of_match = play_on_phones(server, game, decks, config, moves)
        assert match == expected, config
        types |= types_of_match
    assert not SOAK or types == documented_field_types()


def documented_field_types() -> set[str]:
    """Returns the types in the table of fields of docs/json.md."""
    _, _, table = JSON_PAGE.read_text("utf-8").partition("A field has a `type`:")
    return set(re.findall(r"^\| `(\w+)` \|", table.partition("###")[0], re.MULTILINE))
