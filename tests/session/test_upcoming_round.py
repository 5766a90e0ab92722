"""The next round while the menu is still open: when there is one, and what its first answer does."""

from __future__ import annotations

from typing import Any

import pytest

from companion.log.events import Answered
from companion.requests import Amount, Choose, Counts, Together
from companion.rules.game import Game
from companion.session.upcoming_round import (
    answer_in_upcoming_round,
    find_upcoming_round,
    is_round_just_opened,
)
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.testing import Script
from companion.texts import render, say
from tests.support.games.any_game_helpers import (
    begin_with_cards,
    begin_with_shipped_template,
    rules_card,
    template_card,
)
from tests.support.games.script_helpers import correct_count

POINTS = template_card("category", "points")


def upcoming(script: Script) -> str | None:
    """The log name of the upcoming round."""
    found = find_upcoming_round(script.session)
    return None if found is None else render(found.log_name or found.question)


def points(**settings: object) -> Script:
    """Three people whose points are entered by round."""
    return begin_with_cards(rules_card(scoring="rounds", **settings), POINTS)


def test_the_next_round_is_there_once_a_round_has_been_entered() -> None:
    """At the beginning of a match the menu comes first; nothing is answered, and asking twice is the same."""
    script = points()
    assert upcoming(script) is None
    script.says("table: write_round")
    assert upcoming(script) is None
    script.says("table: 1, 2, 3")
    log = len(script.log)
    assert upcoming(script) == upcoming(script) == "Round 2: points"
    assert (script.question_log_key, len(script.log)) == ("Choose: What is next?", log)


def test_after_anything_else_from_the_menu_it_stays() -> None:
    """Who rolls dice or pays may want more of the menu; the next round brings the sheets back."""
    script = points().says("table: write_round", "table: 1, 2, 3", "table: chance", "table: coin", "table: 1")
    assert upcoming(script) is None


def test_what_is_undone_leads_to_the_menu() -> None:
    """Else undo would seem to do nothing; a redo of everything leads to the sheet again."""
    script = points().says("table: write_round", "table: 1, 2, 3", "table: write_round", "table: 4, 5, 6")
    assert upcoming(script) == "Round 3: points"
    script.says("undo", "undo")
    assert (script.question_log_key, upcoming(script)) == ("Choose: What is next?", None)
    script.says("redo", "redo")
    assert upcoming(script) == "Round 3: points"


@pytest.mark.parametrize("settings", [{"rounds": 2}, {"target": 10}])
def test_after_the_last_round_the_end_is_asked_about(settings: dict[str, object]) -> None:
    """The question whether to finish is no menu; a table that goes on is in a new round."""
    script = points(**settings).says("table: write_round", "table: 1, 2, 3")
    assert upcoming(script) == "Round 2: points"
    script.says("table: write_round", "table: 9, 9, 9")
    assert (script.question_log_key.startswith("Choose: What is next?"), upcoming(script)) == (False, None)


def test_a_wrong_sum_is_asked_about_before_the_next_round() -> None:
    """The question about the sum belongs to the round."""
    script = points(fixed_sum="yes").says("table: write_round", "table: 1, 2, 3")
    assert upcoming(script) is None
    assert upcoming(script.says("table: keep")) == "Round 2: points"


def test_bids_before_the_round_come_after_the_tricks_of_the_last() -> None:
    """Between bids and tricks people play; no menu is open then."""
    script = begin_with_cards(rules_card(scoring="contract", bids="before"), POINTS)
    script.says("table: write_round", "table: 1, 1, 1")
    assert upcoming(script) is None
    script.says("table: 1, 0, 0")
    assert upcoming(script) == "Round 2: bids"


TEMPLATES_BY_ROUND = ("chess", "contract", "lowest", "mahjong", "partners", "points", "rummy", "tricks")


@pytest.mark.parametrize("template", TEMPLATES_BY_ROUND)
def test_shipped_templates_with_rounds_have_it(template: str) -> None:
    """Sheets, contracts and teams: any round of numbers that the menu opens."""
    script = begin_with_shipped_template(template, "Aki", "Ben", "Chie", "Dai")
    if template == "rummy":
        script.says("table: done")  # nobody comes later
    script.says("table: write_round")
    while script.question_log_key.startswith("Together"):
        answer_all(script)
    if not script.question_log_key.startswith("Choose: What is next?"):
        script.says("table: keep")
    assert (upcoming(script) or "").startswith("Round 2: ")


def test_rounds_of_prizes_have_it() -> None:
    """What people enter is how many pieces they have; the prizes follow."""
    script = begin_with_cards(
        rules_card(scoring="rounds"), template_card("category", "towns", first=5, second=3)
    )
    script.says("table: write_round", "table: 1, 2, 3")
    assert upcoming(script) == "Round 2: towns"


def answer_all(script: Script) -> None:
    """Answers an open round with zeros."""
    session = script.session
    assert session.question is not None
    zeros: dict[str, Any] = {
        str(seat.number): dict.fromkeys(part.items, 0) if isinstance(part, Counts) else 0
        for seat, part in session.question.parts_by_seat.items()
    }
    session.answer(session.question_number, zeros)


def test_games_without_such_a_menu_have_none() -> None:
    """A menu without rounds of numbers is only a menu."""
    assert upcoming(begin_with_shipped_template("plain")) is None


def test_its_first_answer_chooses_it_from_the_menu() -> None:
    """The log is that of people who chose the round first."""
    script = points().says("table: write_round", "table: 1, 2, 3")
    session = script.session
    aki, ben, chie = session.table.seats
    assert not is_round_just_opened(session)
    upcoming_round = find_upcoming_round(session)
    assert upcoming_round is not None
    answer_in_upcoming_round(session, upcoming_round, ben, 7)
    assert is_round_just_opened(session)
    assert {seat.name: draft.answer for seat, draft in session.drafts.items()} == {"Ben": 7}
    for seat in (aki, chie):
        session.put_answer_in_envelope(session.question_number, seat, 5)
    answered = [event for event in script.log if isinstance(event, Answered)]
    assert [(event.n, event.answer, event.via) for event in answered[2:]] == [
        (3, "write_round", "screen"),
        (4, {"1": 5, "2": 7, "3": 5}, "screen"),
    ]
    assert not is_round_just_opened(session)


def test_a_payment_after_the_round_was_opened_is_what_undo_takes_back() -> None:
    """Then a single undo doesn't lead to the menu."""
    script = begin_with_cards(
        rules_card(scoring="rounds"), POINTS, 'id = "coin"\nkind = "piece"\nstart = 100'
    )
    script.says("table: write_round")
    assert is_round_just_opened(script.session)
    correct_count(script, 5, "coin", "Aki/purse", "Ben/purse")
    assert not is_round_just_opened(script.session)


async def match(table: Table) -> GameResult:
    """A menu that leads to a round of numbers, then to something that the name of the first player says."""
    question, rounds = say("Points"), 0
    while await Choose(None, say("What is next?"), {"round": say("Round"), "end": say("End")}) == "round":
        rounds += 1
        numbers = {seat: Amount(seat, question, 0, 9) for seat in table.seats}
        if rounds == 1:
            await Together(question, dict(numbers), is_open=True)
            continue
        match table.seats[0].name:
            case "Sealed":
                await Together(question, dict(numbers))
            case "Words":
                votes = {seat: Choose(seat, question, {"yes": say("yes")}) for seat in table.seats}
                await Together(question, dict(votes), is_open=True)
            case "Crash":
                raise ZeroDivisionError
            case "Alone":
                await Amount(table.seats[0], question, 0, 9)
            case _:
                break
    return rank_seats(table.seats, lambda _: 0, lambda _: ())


@pytest.mark.parametrize("name", ["Sealed", "Words", "Crash", "Alone", "End"])
def test_only_an_open_round_of_numbers_is_shown_before_it_is_asked(name: str) -> None:
    """A sealed or wordy round, a question to one player, the end, and a fault of the rules have none."""
    game = Game("small", 1, say("Small"), (2, 5), match, typed_numbers_option_key="round")
    script = Script(game, name, "Ben").says("table: round")
    answer_all(script)
    log = len(script.log)
    assert upcoming(script) is None
    assert (script.question_log_key, len(script.log)) == ("Choose: What is next?", log)


def test_a_game_that_is_put_away_has_none() -> None:
    """Nothing can be answered in it."""
    script = points().says("table: write_round", "table: 1, 2, 3")
    script.session.put_away()
    assert upcoming(script) is None
