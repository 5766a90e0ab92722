"""The rule behind every question of every game that is installed."""

from random import Random

import pytest

from companion.rules.game import Game
from companion.session.view import make_view
from companion.testing.random_game import RandomGame, play_randomly_to_end
from companion.texts import render
from tests.conformance.registry import GAMES, games_with_one_template

GAMES_PLAYED = 50
MAX_LETTERS, MAX_SENTENCES = 160, 3
"""Maximum length of a rule: letters, but sentences in Japanese."""
RARE_QUESTIONS = {
    "Which gem is stolen?",
    "How much do you add to your {category}?",  # asked in games that were begun before templates had rules
    "{about} for {price}?",  # this one and those below: where a template says so
    "Price of {about}?",
    "How is it sold?",
    "Who is paid for it?",
    "Lowest bid for {about}?",
    "Step of {about}?",
    "You owe {due}. How much will you pay?",
    "{who} must pay {whom} {due}. What now?",  # out of a covered purse
    "{who} already owes {n} and must pay {whom} {due}. What now?",
}
"""Questions that hardly ever come up in random games."""


@pytest.mark.sweep(1)
@pytest.mark.without_coverage
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
def test_every_question_has_its_rule(game: Game) -> None:
    """The game has a rule for every question, and no rule for a question that is never asked."""
    met: set[str] = set()

    def watch() -> None:
        question = trial.session.question
        if question is not None:
            rule = make_view(trial.session).help_text
            assert rule is not None, f"no rule for {question.text.template}"
            met.add(rule.template)

    for table in games_with_one_template(game):
        for number in range(GAMES_PLAYED):
            trial = RandomGame.begin(table, number, Random(f"help {game.key} {number}"))
            play_randomly_to_end(trial.session, trial.rng, watch)
    assert {rule.template for key, rule in game.help.items() if key not in RARE_QUESTIONS} <= met


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.key)
@pytest.mark.parametrize(("language", "stop"), [("en", "."), ("de", "."), ("ja", "。")])
def test_a_rule_is_short(game: Game, language: str, stop: str) -> None:
    """It has at most 160 letters, in Japanese at most three sentences; it ends with a full stop."""
    for rule in game.help.values():
        text = render(rule, language)
        assert text.endswith(stop)
        assert text.count(stop) <= MAX_SENTENCES if language == "ja" else len(text) <= MAX_LETTERS, text
