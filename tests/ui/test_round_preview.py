"""Which round is shown instead of the menu, while the game changes under it; no window is needed."""

from __future__ import annotations

from companion.session.upcoming_round import find_upcoming_round, is_same_round
from companion.testing import Script
from companion.texts import render
from tests.support.games.any_game_helpers import COIN_CARD, begin_with_cards, rules_card, template_card
from tests.support.games.script_helpers import correct_count
from ui.evening.round_preview import RoundPreview

POINTS = template_card("category", "points")


def begin() -> tuple[Script, RoundPreview]:
    """Three people who have entered one round, and the preview of the next."""
    script = begin_with_cards(rules_card(scoring="rounds"), POINTS, COIN_CARD)
    script.says("table: write_round", "table: 1, 2, 3")
    preview = RoundPreview()
    preview.follow(script.session)
    return script, preview


def shown(preview: RoundPreview) -> str | None:
    """The log name of the round that is shown."""
    question = preview.question
    return None if question is None else render(question.log_name or question.question)


def test_a_correction_leads_to_the_round_that_would_be_asked() -> None:
    """The menu is still open with the same number, but another round follows it."""
    script, preview = begin()
    assert shown(preview) == "Round 2: points"
    number, menu = script.session.question_number, script.session.question
    correct_count(script, 1, "round", "box", "round track")
    assert (script.session.question_number, script.session.question) == (number, menu)
    preview.follow(script.session)
    assert shown(preview) == "Round 3: points"
    assert is_same_round(preview.question, find_upcoming_round(script.session))


def test_a_correction_of_something_else_keeps_what_is_typed() -> None:
    """The question stays the same object, and so does its widget."""
    script, preview = begin()
    before = preview.question
    correct_count(script, 5, "coin", "Aki/purse", "Ben/purse")
    preview.follow(script.session)
    assert preview.question is before


def test_the_menu_that_people_want_stays_until_something_is_chosen() -> None:
    """A new name makes its question anew, and a correction moves pieces; the next round is shown again."""
    script, preview = begin()
    preview.dismiss()
    script.session.rename_player(script.session.table.seats[0], "Zoe")
    preview.follow(script.session)
    assert preview.question is None
    correct_count(script, 5, "coin", "Zoe/purse", "Ben/purse")
    preview.follow(script.session)
    assert preview.question is None
    for line in ("table: write_round", "table: 4, 5, 6"):
        script.says(line)
        preview.follow(script.session)
    assert shown(preview) == "Round 3: points"


def test_another_name_is_shown() -> None:
    """The round has the names of now."""
    script, preview = begin()
    script.session.rename_player(script.session.table.seats[0], "Zoe")
    preview.follow(script.session)
    assert preview.question is not None
    assert [seat.name for seat in preview.question.seats] == ["Zoe", "Ben", "Chie"]
