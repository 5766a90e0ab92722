"""The recorded matches of Mammon hold everything that can happen at its table."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import logtext
from companion.games.mammon.rulebook import GAME
from companion.log.events import Amended, Answered, Began, Corrected, Event, PutAway, Redone, Sealed, Undone
from companion.log.log import MemoryLog
from companion.session.session import Session
from companion.session.view import list_history_entries
from companion.texts import render
from scripts.evening import ROOT
from scripts.evening_mammon import RECORDS

MATCHES = [path for path in RECORDS if path.parent.name == "golden"]
DEMO = Path("companion/games/mammon/mammon.log")
LONGEST_DEMO = 150
EVERYTHING = (
    "tie and bet again",
    "The battle is won by",
    "retreats and loses no strength",
    "exchange a card without showing it",
    "has no strength left and is eliminated",
    "→ spy",
    "→ command",
    "→ confusion",
    "→ resolve",
    "foreign coin",
)


def events_of(path: Path) -> list[Event]:
    """A recorded match."""
    return logtext.parse_log_text((ROOT / path).read_text(encoding="utf-8"))


def told(events: list[Event]) -> str:
    """Everything that was said in it."""
    entries = list_history_entries(Session(GAME, events, MemoryLog()))
    return "\n".join(render(text) for entry in entries for text in (entry.text, *entry.notes))


@pytest.mark.parametrize("path", MATCHES, ids=str)
def test_a_golden_match_of_mammon_has_everything(path: Path) -> None:
    """Ties, foreign coins, cards of all kinds, eliminations, and everything that mends a slip."""
    events = events_of(path)
    assert {type(event) for event in events} == {
        Began,
        Answered,
        Sealed,
        Undone,
        Redone,
        Corrected,
        Amended,
        PutAway,
    }
    everything = told(events)
    assert [words for words in EVERYTHING if words not in everything] == []


def test_a_golden_match_for_each_number_of_players() -> None:
    """2, 3, 4 and 5 play."""
    began = [events_of(path)[0] for path in MATCHES]
    assert [len(event.names) for event in began if isinstance(event, Began)] == [2, 3, 4, 5]


def test_the_golden_demo_of_mammon_is_a_story() -> None:
    """The match that ships is short, has no slips, and everything in it."""
    events = events_of(DEMO)
    assert {type(event) for event in events} == {Began, Answered, Sealed, PutAway}
    assert sum(isinstance(event, Answered) for event in events) <= LONGEST_DEMO
    everything = told(events)
    assert [words for words in EVERYTHING if words not in everything] == []
    assert "most common colour first" in everything
