"""Who won what the last answer decided is declared by the rules, never read out of a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion import installed_games, logtext
from companion.games.egypt.rulebook import GAME as EGYPT
from companion.jsonlines import JsonSession
from companion.log.events import Began
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.session.session import Session
from companion.session.view import make_view
from companion.testing import Script
from tests.games.test_bidders import sharing
from tests.games.test_sealed_bid import bids, opened
from tests.support.games.mammon_helpers import begin_battle
from tests.support.games.script_helpers import repeat_step

GOLDEN = sorted((Path(__file__).parents[1] / "golden").glob("*.log"))


def winners(script: Script) -> list[str]:
    """Their names, as everybody sees them."""
    return [seat.name for seat in make_view(script.session).winners]


def test_the_winner_of_a_sealed_bid_is_declared() -> None:
    """For as long as that is what happened last."""
    sealed = bids(opened(), 3, 7, 5)
    assert winners(sealed) == ["Ben"]
    assert winners(sealed.says("table: again")) == []


def test_what_has_been_decided_is_told_as_data() -> None:
    """The sentence, who won and what, as long as that is what happened last; it is a note, too."""
    egypt = Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki", "table: done", "Aki 4", "Ben withdraws")
    assert make_view(egypt.session).outcomes == ()
    egypt.says("Chie withdraws")
    view = make_view(egypt.session)
    (outcome,) = view.outcomes
    assert outcome.headline in view.notes
    assert [seat.name for seat in outcome.winners] == ["Aki"]
    assert outcome.about is not None
    assert outcome.about.key == "chip 4"
    egypt.session.undo()
    assert make_view(egypt.session).outcomes == ()


def test_nobody_wins_a_tie() -> None:
    """Although the sentence names those who tie."""
    assert winners(bids(opened(), 3, 7, 7)) == []


def test_the_partner_wins_the_cooperation() -> None:
    """The sentence names the winner of the white card beside the partner."""
    assert winners(sharing().says("Chie 3", "Aki 2")) == ["Chie"]
    assert winners(sharing().says("Chie 0", "Aki 0")) == []


def test_who_is_eliminated_has_won_nothing() -> None:
    """The sentence after the arming names nobody but who is out."""
    script = begin_battle(5, 2, 0)
    assert script.last_notes == ["Chie has no strength left and is eliminated: all cards and coins go back."]
    assert winners(script) == []


def test_all_who_tie_at_the_top_of_a_battle_win_it() -> None:
    """They are declared once the reactions are over, not when the bets are revealed."""
    script = begin_battle(5, 4).says("Aki: battle_1", "Aki 3", "Ben 3")
    assert winners(script) == []
    while script.question.text.template == "{battle}: a card, or pass?":
        script.says(f"{script.question.seats[0].name} pass")
    assert winners(script) == ["Aki", "Ben"]


@pytest.mark.sweep(8)
@pytest.mark.parametrize("log", GOLDEN, ids=lambda log: log.stem)
def test_json_names_whom_a_reveal_highlights(log: Path) -> None:
    """After every answer of a recorded match; without a reveal nobody."""
    events = logtext.parse_log_text(log.read_text(encoding="utf-8"))
    began = events[0]
    assert isinstance(began, Began)
    kept = MemoryLog([began])
    session = Session(installed_games.playable_game(began.game), kept, kept)
    session.answer_for_absent_players()
    for step in build_timeline(events).steps:
        repeat_step(session, step)
        seen = make_view(session)
        highlighted = [seat.name for seat in seen.winners] if seen.opened_envelopes else []
        assert JsonSession(session).question_with_last_event().get("won", []) == highlighted
