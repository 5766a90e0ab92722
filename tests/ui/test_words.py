"""The words of the screen."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.games.egypt.rulebook import CARD
from companion.requests import Choose, DetailedOption
from companion.session.view import Holding
from companion.table.ledger import Piece, Place
from companion.table.seats import make_seats
from companion.texts import say
from tests.session.test_untold_steps import begin_games, play_at_random
from ui.words import ScreenTexts, render_sentence

UI = Path(__file__).parents[2] / "ui"


def test_every_text_is_where_it_is_found() -> None:
    """`tr` begins with it, `said` with the language; elsewhere it would be shown, and stay English."""
    sources = [*UI.rglob("*.py"), *UI.rglob("*.kv")]
    wrong = [
        f"{source.relative_to(UI)}: {call}"
        for source in sources
        for call in re.findall(
            r"""\btrn?\((?!self, )\s*[^"'\s)].*|\.said(?:_n)?\(\s*["'].*""", source.read_text("utf-8")
        )
    ]
    assert not [call for call in wrong if "`" not in call]


@pytest.mark.parametrize(
    ("name", "shown"), [("アキ", "アキさん、画面をどうぞ"), ("プレイヤー1", "プレイヤー1、画面をどうぞ")]
)
def test_no_honorific_follows_a_name_that_ends_with_a_digit(name: str, shown: str) -> None:
    """Texts of the screen leave さん out as texts of the games do."""
    assert ScreenTexts().translate_text("ja", "{name}, take the screen", name=name) == shown


BEN = make_seats(("ben", "anna"))[0]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (say("pass"), "Pass"),
        (DetailedOption(say("never mind")), "Never mind"),
        (say("{card} is now face up.", card=Piece("m1", say("market {n}", n=1))), "Market 1 is now face up."),
        (say("{seat} passes.", seat=BEN), "ben passes."),
        (say("{name}", name="iPad"), "iPad"),
        (BEN, "ben"),
        (say("{n} cards", n=3), "3 cards"),
    ],
)
def test_what_stands_alone_begins_with_a_capital_letter(text: Any, shown: str) -> None:
    """Keys and sentences do; names that people wrote stay as they are."""
    assert render_sentence(text, "en") == shown


def test_every_key_of_every_game_begins_with_a_capital_letter() -> None:
    """In English, as people see options on the screen."""
    small = set[str]()
    for session in begin_games():
        for before in play_at_random(session, Random(8)):
            if isinstance(before.question, Choose):
                texts = [render_sentence(option, "en") for option in before.question.options.values()]
                small.update(text for text in texts if text[:1].islower())
    assert small == set()


@pytest.mark.parametrize(
    ("count", "language", "name"),
    [
        (1, "en", "card"),
        (21, "en", "cards"),
        (21, "de", "Karten"),
        (21, "ja", "カード"),
        (None, "en", "card"),
    ],
)
def test_the_name_beside_a_number_is_plural(count: int | None, language: str, name: str) -> None:
    """The bank says "cards" beside 21 of them."""
    from ui.widgets.seats.purse import name_of_counted_pieces

    holding = Holding(Place(say("hand")), CARD, count)
    assert name_of_counted_pieces(holding, language) == name
