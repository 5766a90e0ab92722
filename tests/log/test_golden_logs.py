"""The golden logs: recorded matches that must replay to the end they were recorded with.

When a rulebook asks in another way, run `.venv/bin/python -m scripts.record_golden` and read what changed.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import msgspec
import pytest

from companion import installed_games, logtext
from companion.log.events import Amended, Answered, Began, Corrected, Event, PutAway, Redone, Sealed, Undone
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.requests import Together
from companion.rules.game import ChoiceOption
from companion.session.session import Session
from companion.session.view import list_history_entries
from companion.texts import CURRENT_TEMPLATE_BY_OLD_TEMPLATE, render, text_to_json
from scripts.evening import ROOT
from scripts.record_golden import RECORDS
from tests.support.games.script_helpers import repeat_step

pytestmark = pytest.mark.without_coverage

DEMO = Path("companion/games/egypt/egypt.log")
LONGEST_DEMO = 250


def recorded(path: Path) -> list[Event]:
    """The events of a golden log."""
    return logtext.parse_log_text((ROOT / path).read_text(encoding="utf-8"))


def replayed(events: list[Event]) -> Session:
    """The game after these events."""
    began = events[0]
    assert isinstance(began, Began)
    return Session(installed_games.playable_game(began.game), events, MemoryLog())


def notes(path: Path) -> str:
    """Everything that was told in a recorded match."""
    return "\n".join(
        render(note) for entry in list_history_entries(replayed(recorded(path))) for note in entry.notes
    )


def older_form(event: Event) -> Event:
    """The event of a sealed round as older versions wrote it, with its seats the other way round."""
    if not isinstance(event, Answered) or not event.salts:
        return event
    head, _, about = event.asks.partition(": ")
    kind, *seats = head.split()
    return msgspec.structs.replace(event, asks=f"{' '.join([kind, *reversed(seats)])}: {about}")


every_log = pytest.mark.parametrize("path", RECORDS, ids=str)
egypt_with_slips = pytest.mark.parametrize(
    "path", [path for path in RECORDS if path.match("golden/egypt-*.log")], ids=str
)


@pytest.mark.parametrize("path", sorted(ROOT.glob("tests/golden/older/*.log")), ids=lambda path: path.stem)
def test_a_match_of_an_older_version_goes_on_opening(path: Path) -> None:
    """What was recorded before a rulebook learnt to ask in another way ends as it ended then.

    Nobody can record these again: their name says which version of which game played them.
    """
    events = recorded(path)
    began, end = events[0], events[-1]
    assert isinstance(began, Began)
    assert isinstance(end, PutAway)
    assert path.stem.startswith(f"{began.game}-{began.version}-")
    assert began.version < installed_games.playable_game(began.game).version
    result = replayed(events).result
    assert result is not None
    kept = json.dumps(end.result)
    for before, now in CURRENT_TEMPLATE_BY_OLD_TEMPLATE.items():
        kept = kept.replace(json.dumps(before), json.dumps(now))
    assert result.to_json(text_to_json) == json.loads(kept)


def test_every_golden_log_is_played_by_somebody() -> None:
    """No log lies about that isn't recorded again with the others."""
    found = {path.relative_to(ROOT) for path in ROOT.glob("tests/golden/*.log")}
    demos = {path.relative_to(ROOT) for path in ROOT.glob("companion/games/*/*.log")}
    assert found | demos == set(RECORDS)


@every_log
def test_a_golden_log_replays_to_its_recorded_end(path: Path) -> None:
    """A recorded match replays to the standings with which it was put away."""
    events = recorded(path)
    end = events[-1]
    assert isinstance(end, PutAway)
    result = replayed(events).result
    assert result is not None
    assert result.to_json(text_to_json) == end.result


@every_log
def test_a_golden_log_is_rewritten_byte_for_byte(path: Path) -> None:
    """What was read from a log is written as exactly that log."""
    assert logtext.format_log_text(recorded(path)).encode() == (ROOT / path).read_bytes()


@pytest.mark.sweep(7)
@every_log
def test_a_golden_log_is_played_again_by_the_same_people(path: Path) -> None:
    """The people who recorded it bid, pay, slip and mend as they did then."""
    assert logtext.format_log_text(RECORDS[path]()) == (ROOT / path).read_text(encoding="utf-8")


@every_log
def test_an_older_log_has_the_seats_of_a_round_in_any_order(path: Path) -> None:
    """Logs once named the seats of a sealed round in the order in which they were asked: they still open."""
    events = recorded(path)
    older = [older_form(event) for event in events]
    sealed = any(isinstance(event, Answered) and event.salts for event in events)
    assert (older != events) is sealed
    assert replayed(older).result == replayed(events).result


def test_every_choice_of_every_option_is_recorded() -> None:
    """Whatever a table can choose before a match, some golden log was played so; Any Game has no match."""
    headers = [recorded(path)[0] for path in RECORDS]
    played = {
        (one.game, *option) for one in headers if isinstance(one, Began) for option in one.options.items()
    }
    games = {one.game for one in headers if isinstance(one, Began)}
    picks = {
        (game, option.key, choice)
        for game in games
        for option in installed_games.playable_game(game).options
        if isinstance(option, ChoiceOption)
        for choice in option.choices
    }
    assert picks
    assert picks - played == set()


@egypt_with_slips
def test_a_golden_match_of_egypt_has_everything(path: Path) -> None:
    """Named and typed cards, a knock-out, an overpayment, a tie, and everything that mends a slip."""
    events, told = recorded(path), notes(path)
    assert {type(event) for event in events} == {
        Began,
        Answered,
        Undone,
        Redone,
        Corrected,
        Amended,
        PutAway,
    }
    answers = [event for event in events if isinstance(event, Answered)]
    assert any("One card less would be enough" in event.asks for event in answers)
    cards = [card for event in answers if event.asks.startswith("Read") for card in event.answer or ()]
    assert any("card" in card for card in cards)
    assert any(card == {"values": {}} for card in cards)
    assert any(card.get("values") for card in cards)
    for words in ("is knocked out of the round", "share the highest total", "wins the match"):
        assert words in told


def test_the_golden_demo_is_a_story() -> None:
    """The match that ships is short, has no slips, and is won by the last who isn't knocked out in time."""
    events, told = recorded(DEMO), notes(DEMO)
    assert {type(event) for event in events} == {Began, Answered, PutAway}
    assert sum(isinstance(event, Answered) for event in events) <= LONGEST_DEMO
    for words in ("is knocked out of the round", "share the highest total", "Aki wins the match."):
        assert words in told


def test_the_golden_sealed_rounds_have_everything() -> None:
    """Replaced bids, ties named and bid again, a revealed round undone, a purse corrected, a bid amended."""
    logs = {path: recorded(path) for path in RECORDS if path.name.startswith("sealed_bid")}
    told = "\n".join(map(notes, logs))
    for words in ("Nobody wins here; follow the rules of your game", "bid again", "wins with", "To pay"):
        assert words in told
    kinds = {type(event) for events in logs.values() for event in events}
    assert kinds == {Began, Answered, Sealed, Undone, Corrected, Amended, PutAway}
    assert any(replaced(events) for events in logs.values())


def replaced(events: list[Event]) -> bool:
    """Whether a seat sealed two answers to one question."""
    sealed = [(event.n, event.seat) for event in events if isinstance(event, Sealed)]
    return len(set(sealed)) < len(sealed)


def test_the_golden_matches_of_high_bid_have_everything() -> None:
    """Named and typed cards, returned lots, ties, penalties, public auctions, and everything that mends."""
    logs = {path: recorded(path) for path in RECORDS if path.match("golden/high_bid-*.log")}
    for events in logs.values():
        assert {type(event) for event in events} == {
            *(Began, Answered, Sealed, Undone, Redone, Corrected, Amended, PutAway)
        }
    cards = [
        card
        for events in logs.values()
        for event in events
        if isinstance(event, Answered) and event.asks.startswith("Read")
        for card in event.answer or ()
    ]
    assert any("card" in card for card in cards)
    assert any("values" in card for card in cards)
    told = "\n".join(map(notes, logs))
    for words in (
        *(
            "bid again",
            "is first in bidding order",
            "can't pay",
            "is returned",
            "leaves the game",
            "goes to public auction",
        ),
        *("gets a bonus", "keeps", "The gallery pays", "Buyer's card: closed bids from"),
    ):
        assert words in told
    assert "declares the end" in notes(Path("companion/games/high_bid/high_bid.log"))


@pytest.mark.parametrize("key", sorted({path.stem.split("-")[0] for path in RECORDS}))
def test_a_game_names_the_kinds_of_questions_it_asks(key: str) -> None:
    """All that its recorded matches ask, and no others: set-up offers limits of time for these."""
    events = (event for path in RECORDS if path.stem.split("-")[0] == key for event in recorded(path))
    asked = {event.asks.split()[0].rstrip(":") for event in events if isinstance(event, Answered)}
    assert set(installed_games.playable_game(key).question_kinds) == asked


PARTS = {
    "bidders": {"Amount: Round N: how many workers do you bid on the cooperation? 0 is no bid."},
    "high_bid": {
        "Amount: What do you bid? 0 is no bid.",
        "Amount: What is your second bid? No less than the first.",
    },
    "mammon": {
        "Amount: How many coins do you bet? 0 is no bet.",
        "Amount: How many coins of your colour become strength? With 0 you are out.",
        "Counts: How many coins do you bet? 0 is no bet.",
    },
    "sealed_bid": {
        "Amount: How much do you bid in $? 0 is no bid.",
        "Amount: How much do you bid in gold? 0 is no bid.",
        "Amount: How much do you bid? 0 is no bid.",
    },
}


def test_the_parts_of_a_sealed_round_keep_their_names() -> None:
    """Logs hold the name of a part that is asked again alone, so they open only as long as it stays."""
    found: dict[str, set[str]] = {}
    for path in RECORDS:
        began, *_ = events = recorded(path)
        assert isinstance(began, Began)
        kept = MemoryLog([began])
        session = Session(installed_games.playable_game(began.game), kept, kept)
        session.answer_for_absent_players()
        for step in build_timeline(events).steps:
            if isinstance(session.question, Together):
                log_key = [part.log_key for part in session.question.parts_by_seat.values()]
                names = {re.sub(r"Round \d+", "Round N", re.sub(r" @\d+:", ":", one)) for one in log_key}
                found.setdefault(began.game, set()).update(names)
            repeat_step(session, step)
            if session.question is None:
                break
    assert found == PARTS
