"""How Any Game names people in Japanese sentences."""

from __future__ import annotations

import pytest

from companion.session.view import make_view
from companion.testing import Script
from companion.texts import render
from tests.support.games.any_game_helpers import (
    begin_with_cards_and_coins,
    begin_with_shipped_template,
    rules_card,
)

FOUR = ("アキ", "ベン", "ちえ", "大輔")


def japanese_notes(script: Script) -> list[str]:
    """The notes of the last answer, in Japanese."""
    return [render(note, "ja") for note in make_view(script.session).notes]


@pytest.mark.parametrize(
    ("teams", "questions"),
    [
        (0, ["アキさんからだれに払いますか？", "アキさん → ベンさん：いくら払いますか？"]),
        (
            2,
            [
                "アキさん、ちえさんからだれに払いますか？",
                "アキさん、ちえさん → ベンさん、大輔さん：いくら払いますか？",
            ],
        ),
    ],
)
def test_the_questions_for_a_payment_name_people_with_their_honorific(
    teams: int, questions: list[str]
) -> None:
    """Who pays and who is paid has さん, each partner too; the options are a list and have none."""
    script = begin_with_cards_and_coins(rules_card(teams=teams, payments="yes"), names=FOUR)
    script.says("table: payment")
    for answer, question in zip(("1", "2"), questions, strict=True):
        script.says(f"table: {answer}")
        assert render(script.question.text, "ja") == question


def test_who_is_paid_can_be_everybody() -> None:
    """The option for everybody is no name; the question for the amount repeats it as it is."""
    script = begin_with_cards_and_coins(rules_card(payments="yes"), names=FOUR).says(
        "table: payment", "table: 1", "table: all"
    )
    assert render(script.question.text, "ja") == "アキさん → 全員が同額を受け取る：いくら払いますか？"


def test_who_meets_and_who_is_out_has_the_honorific() -> None:
    """A match names both players, and the note names who has lost."""
    script = begin_with_shipped_template("tournament", *FOUR).says("table: match")
    assert render(script.question.text, "ja") == "アキさんとベンさんの対戦で、勝ったのはだれですか？"
    assert japanese_notes(script.says("table: アキ")) == ["ベンさんは脱落しました。"]
