"""What the recorded matches of Bidders! show."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import logtext
from companion.games.bidders.rulebook import GAME
from companion.log.events import Amended, Answered, Corrected, Event, PutAway, Redone, Undone
from companion.log.log import MemoryLog
from companion.session.session import Session
from companion.session.view import list_history_entries
from companion.table.scores import GameResult
from companion.texts import render
from scripts.evening import ROOT
from scripts.evening_bidders import RECORDS

DEMO = Path("companion/games/bidders/bidders.log")


def match(path: Path) -> tuple[list[Event], Session]:
    """What happened in a recorded match, and how it ended."""
    events = logtext.parse_log_text((ROOT / path).read_text(encoding="utf-8"))
    return events, Session(GAME, events, MemoryLog())


def ended(session: Session) -> GameResult:
    """The standings of a match."""
    assert session.result is not None
    return session.result


@pytest.mark.parametrize("path", [path for path in RECORDS if path != DEMO], ids=str)
def test_a_golden_match_of_bidders_has_everything(path: Path) -> None:
    """Unwanted cards, forced passes, 0 : 0 and a tie, a typed card, somebody out, and slips mended."""
    events, session = match(path)
    told = "\n".join(render(note) for entry in list_history_entries(session) for note in entry.notes)
    for words in (
        "Nobody bids on the white card",
        "Nobody bids on the black card",
        "marker and passes",
        "Nobody cooperates",
        "One worker goes back from each place",
        "is out: popularity",
    ):
        assert words in told
    assert {type(event) for event in events} >= {Undone, Redone, Corrected, Amended, PutAway}
    answers = [event for event in events if isinstance(event, Answered)]
    assert any("values" in event.answer[0] for event in answers if event.asks.startswith("Read"))
    bids = [tuple(event.answer.values()) for event in answers if event.asks.startswith("Together")]
    assert any(len(made) == 2 and made[0] == made[1] > 0 for made in bids)


def test_the_golden_demo_of_bidders_is_a_story() -> None:
    """The match that ships is played without a slip, and the richest is out."""
    events, session = match(DEMO)
    assert not {type(event) for event in events} & {Undone, Redone, Corrected, Amended}
    standings = ended(session).standings
    richest = max(standings, key=lambda standing: standing.total)
    assert (richest.is_eliminated, richest.rank) == (True, 4)
    assert [seat.name for seat in ended(session).winners] == ["Dai"]
