"""A name that is merged or forgotten is so in everything that set-up offers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from companion.games.sealed_bid import rulebook as sealed_bid
from companion.record.player_statistics import delete_player_statistics, merge_players
from companion.record.remembered_players import (
    KNOWN_PLAYERS_KEY,
    LAST_PLAYERS_KEY,
    PLAYER_SIDES_KEY,
    RECENT_GROUPS_KEY,
    rename_remembered_player,
)
from companion.session.session import Session
from companion.store import Store
from companion.table.seats import SEAT_COLOURS

RED, BLUE, GREEN, *_ = SEAT_COLOURS
GROUP = [["Akki", RED], ["Ben", BLUE]]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    """A store with three known people, two of whom finished a game together."""
    with closing(Store.open(tmp_path, for_writing=True)) as store:
        for names in (["Akki", "Ben"], ["Aki", "Ben"]):
            session = Session.begin(sealed_bid.GAME, names, {}, store.new_game_log())
            for seat, bid in zip(session.table.seats, (2, 1), strict=True):
                session.put_answer_in_envelope(session.question_number, seat, bid)
            session.answer(session.question_number, "finish")
            session.put_away()
        store.save_value(KNOWN_PLAYERS_KEY, [*GROUP, ["Aki", GREEN]])
        store.save_value(LAST_PLAYERS_KEY, [*GROUP, ["", GREEN]])
        store.save_value(RECENT_GROUPS_KEY, [GROUP, [["Aki", GREEN], ["Ben", BLUE]]])
        store.save_value(PLAYER_SIDES_KEY, {"Akki": 2, "Ben": 1})
        yield store


def test_a_forgotten_name_is_offered_nowhere(store: Store) -> None:
    """The piece stays on its seat; a group without one of its people is no group."""
    delete_player_statistics(store, "Akki")
    assert store.load_value(KNOWN_PLAYERS_KEY) == [["Ben", BLUE], ["Aki", GREEN]]
    assert store.load_value(LAST_PLAYERS_KEY) == [["", RED], ["Ben", BLUE], ["", GREEN]]
    assert store.load_value(RECENT_GROUPS_KEY) == [[["Aki", GREEN], ["Ben", BLUE]]]
    assert store.load_value(PLAYER_SIDES_KEY) == {"Ben": 1}


def test_a_merged_name_is_offered_as_the_other(store: Store) -> None:
    """Nobody is offered twice."""
    merge_players(store, "Akki", "Aki")
    assert store.load_value(KNOWN_PLAYERS_KEY) == [["Ben", BLUE], ["Aki", GREEN]]
    assert store.load_value(LAST_PLAYERS_KEY) == [["Aki", RED], ["Ben", BLUE], ["", GREEN]]
    assert store.load_value(RECENT_GROUPS_KEY) == [
        [["Aki", RED], ["Ben", BLUE]],
    ]
    assert store.load_value(PLAYER_SIDES_KEY) == {"Aki": 2, "Ben": 1}


def test_a_name_that_nobody_has_changes_nothing(store: Store) -> None:
    """Nothing is saved, either."""
    rename_remembered_player(store, "Cleo", "Dai")
    assert store.load_value(LAST_PLAYERS_KEY) == [*GROUP, ["", GREEN]]
    assert store.load_value(PLAYER_SIDES_KEY) == {"Akki": 2, "Ben": 1}
