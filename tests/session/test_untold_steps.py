"""After every step everybody can read who did what: in a note, or in the sentence of the history."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import installed_games
from companion.languages import translations
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.logtext import parse_log_text
from companion.recorded_match import load_recorded_events, replay_until
from companion.requests import Amount, Choose, Done, Roll, Together
from companion.session.session import Session
from companion.session.view import Holding, View, make_view
from companion.table.seats import Seat
from companion.table.table import Table
from companion.testing.random_game import RandomGame
from companion.texts import render, say
from tests.any_game_presets import SHIPPED, deck_of
from tests.support.games.any_game_helpers import NO_DIRECTORY, begin_with_cards_and_coins, rules_card
from tests.support.games.script_helpers import repeat_step
from tests.support.soak import SOAK
from tests.support.ui.play_screen_game import begin_session

LOGS = [
    Path(__file__).parents[1] / "golden" / f"{name}.log"
    for name in ("bidders-4", "egypt-4", "high_bid-3", "mammon-4", "oyakata-3", "sealed_bid-3")
]
TEMPLATES = SHIPPED if SOAK else Random(4).sample(SHIPPED, 4)
GAMES = ("bidders", "egypt", "high_bid", "mammon", "oyakata", "sealed_bid")
MOST = 200 if SOAK else 40
"""Answers of a match that are given."""


def said(view: View) -> list[str]:
    """What the view says has happened."""
    return [render(answer.text) for answer in view.untold_steps] + [
        render(note) for note in (*view.earlier_notes, *view.notes)
    ]


def find_untold(session: Session, before: View) -> Iterator[str]:
    """The last answer, if nothing that everybody sees says who gave it, or what it was.

    The next question says what was chosen only to get there, and people have just done what was to do.
    """
    view, question = make_view(session), before.question
    if is_only_leading(before, view) or isinstance(question, Done):
        return
    if view.question_number == before.question_number or view.opened_envelopes is not None:
        return  # a round whose envelopes aren't all in, or a reveal, which shows everybody's answer
    assert question is not None
    texts = " ".join(said(view))
    if not texts or (len(question.seats) == 1 and question.seats[0].name not in texts):
        yield f"{question.log_key}: {texts}"


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.stem)
def test_every_answer_of_a_recorded_match_is_told(log: Path) -> None:
    """By its player, or at a question to the table at least by what was answered."""
    events = parse_log_text(log.read_text(encoding="utf-8"))
    session, untold = replay_until(events, 0), list[str]()
    for step in build_timeline(events).steps:
        before = make_view(session)
        repeat_step(session, step)
        untold += find_untold(session, before)
    assert untold == []


def play_at_random(session: Session, rng: Random, most: int = MOST) -> Iterator[View]:
    """Gives random answers; yields the view before each question's answer, when it has been given."""
    for _ in range(most):
        before, question = make_view(session), session.question
        if question is None:
            return
        if question.parts_by_seat:
            for seat, part in question.parts_by_seat.items():
                plain = part.answer_to_json(part.random_legal_answer(rng))
                session.put_answer_in_envelope(session.question_number, seat, plain)
        else:
            answer = question.answer_to_json(question.random_legal_answer(rng))
            session.answer(session.question_number, answer)
        yield before


def begin_template(template: str) -> Session:
    """A match of Any Game with that template."""
    decks = {"any_game": deck_of(template, NO_DIRECTORY)}
    game = installed_games.playable_game("any_game")
    return Session.begin(
        game, ("Aki", "Ben", "Chie"), {"template": template}, MemoryLog(), deck_by_name=decks, seed=1
    )


def begin_games() -> Iterator[Session]:
    """A match of every game, and of every template of Any Game."""
    for key in GAMES:
        yield RandomGame.begin(installed_games.playable_game(key), 1, Random(key)).session
    yield from map(begin_template, SHIPPED)


@pytest.mark.parametrize("template", TEMPLATES)
def test_every_answer_of_a_template_is_told(template: str) -> None:
    """In any order in which people choose."""
    session = begin_template(template)
    assert [
        text for before in play_at_random(session, Random(3)) for text in find_untold(session, before)
    ] == []


def test_what_happened_stays_while_the_table_only_chooses_what_is_next() -> None:
    """In every game: the next question says what was chosen, and names a chosen player."""
    lost, stayed = list[str](), 0
    for session in begin_games():
        facts = said(make_view(session))
        for before in play_at_random(session, Random(5)):
            view, question = make_view(session), before.question
            if not is_only_leading(before, view):
                facts = said(view)
            elif facts and said(view) != facts:
                lost.append(f"{question and render(question.text)}: {said(view)} for {facts}")
            else:
                stayed += bool(facts)
    assert lost == []
    assert stayed > 50


def is_only_leading(before: View, view: View) -> bool:
    """Whether an answer changed nothing that everybody sees but the question.

    The table gave it, or a player chose, and is asked what follows or went back to what the table is asked.
    """
    question, next_question = before.question, view.question
    assert question is not None
    if question.is_sealed or find_things(view) != find_things(before):
        return False
    if view.notes or view.outcomes or view.winners:
        return False
    if len(question.seats) != 1:
        return True
    is_same_player = next_question is not None and next_question.seats in {question.seats, ()}
    return isinstance(question, Choose) and is_same_player


def find_things(view: View) -> list[Holding]:
    """What lies on the table, without counters of no player, which the heading or the question names."""
    return [
        holding
        for holding in view.holdings
        if holding.place.seat or not holding.piece.is_marker or holding.piece.is_card_face
    ]


def test_what_happened_is_told_in_sentences() -> None:
    """In every game, in every language: never as the question with its answer, or as a name with a key."""
    faults, told = set[str](), 0
    for session in begin_games():
        for before in play_at_random(session, Random(6), most=120):
            question, view = before.question, make_view(session)
            assert question is not None
            told += len(view.untold_steps)
            if isinstance(question, Roll):
                continue  # it is also taken back in brackets
            faults.update(line for line in told_in(view, "en") if not SENTENCE.search(line))
            for language in ("en", "ja", "de"):
                text = render(question.text, language)
                faults.update(line for line in told_in(view, language) if text in line)
    assert faults == set()
    assert told > 100


SENTENCE = re.compile(r"[.!]$|^(?:(?:, )?\w+: -?\d+½?)+$")
"""A sentence, or everybody's number of an open round; the score sheet says for what."""
ORDER_WORD_BY_LANGUAGE = {"ja": "ください"}
"""What every order to people ends with, where a language has such a word."""
TELLING_CALLS = {"add_note", "add_note_about", "declare_outcome"}


def find_told_texts() -> Iterator[str]:
    """Every text that a rulebook tells the table, as it is written in a call or assigned before it."""
    for path in Path(installed_games.__file__).with_name("games").rglob("*.py"):
        for function in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
                yield from find_told_texts_in(function)


def find_told_texts_in(function: ast.AST) -> Iterator[str]:
    """The texts that one function tells."""
    nodes = [*ast.walk(function)]
    assigned = {
        target.id: node.value
        for node in nodes
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in nodes:
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") in TELLING_CALLS:
            for part in ast.walk(node):
                value = assigned.get(part.id, part) if isinstance(part, ast.Name) else part
                for constant in ast.walk(value):
                    if isinstance(constant, ast.Constant) and isinstance(constant.value, str):
                        yield constant.value


def test_what_happened_is_no_order() -> None:
    """What people must do at the real table is told as what becomes of the things there."""
    texts = {*find_told_texts()}
    orders = {
        text
        for language, word in ORDER_WORD_BY_LANGUAGE.items()
        for text in texts
        if word in translations(language).gettext(text)
    }
    assert orders == set()
    assert len(texts) > 150


def told_in(view: View, language: str) -> list[str]:
    """What the view says was done, in that language."""
    return [render(step.text, language) for step in view.untold_steps]


def test_a_final_score_begins_with_what_ended_the_game() -> None:
    """In every game with its own rules, and wherever else something is told at the end."""
    endings, without_ending = list[str](), list[str]()
    for session in begin_games():
        for _ in play_at_random(session, Random(7), most=5000):
            pass
        view = make_view(session)
        assert view.result is not None
        if view.ending is not None:
            endings.append(session.game.key)
            assert view.notes_from_ending[0] == view.ending
            assert sorted(map(str, view.notes_from_ending)) == sorted(map(str, view.notes))
        elif view.notes:
            without_ending.append(f"{session.game.key}: {said(view)}")
    assert without_ending == []
    assert {*GAMES, "any_game"} - {*endings} == {"sealed_bid"}  # it ends when the table says so


def test_the_sentence_before_stays_while_a_payment_is_chosen() -> None:
    """Through all its menus, and after going back."""
    script = begin_with_cards_and_coins(rules_card(payments="yes"))
    script.says("table: payment")
    assert said(make_view(script.session)) == []  # nothing has happened yet
    script.says("table: 1", "table: bank", "Aki 3")
    paid = said(make_view(script.session))
    for line in ("table: payment", "table: bank", "table: 2"):
        script.says(line)
        assert said(make_view(script.session)) == paid
    script.session.undo()
    assert said(make_view(script.session)) == paid


def test_a_pass_in_bidders_is_told() -> None:
    """No card moves and no number changes, so a sentence must say it."""
    events = load_recorded_events("bidders")
    session, passes = replay_until(events, 0), list[list[str]]()
    for step in build_timeline(events).steps:
        question = session.question
        repeat_step(session, step)
        if isinstance(question, Choose) and getattr(step, "answer", None) == "pass":
            assert question.seat is not None
            passes.append(said(make_view(session)))
            assert question.seat.name in " ".join(passes[-1])
    assert passes


async def _choices(table: Table) -> None:
    """Aki's choice is followed by a note about somebody else, Ben's by one about him; then all bid."""
    aki, ben, _ = table.seats
    options: dict[str, Any] = {"dig": say("dig"), "rest": say("rest")}
    await Choose(aki, say("Day 1: what do you do?"), options)
    table.add_note(say("{seat} gets the mule.", seat=ben))
    await Choose(ben, say("Day 1: what do you do?"), options)
    table.add_note(say("{seats} dig.", seats=say("{seat} and others", seat=ben)))
    await Choose(None, say("Who begins?"), {"aki": aki, "ben": ben})
    await Together(say("All bid"), {seat: Amount(seat, say("How much?"), 0, 9) for seat in table.seats})


def test_an_answer_is_told_unless_a_note_names_its_player() -> None:
    """Also within another text; a player's choice without its question."""
    session = begin_session(_choices)
    assert said(make_view(session)) == []
    session.answer(1, "dig")
    view = make_view(session)
    assert said(view) == ["Aki: dig", "Ben gets the mule."]
    session.answer(2, "rest")
    assert said(make_view(session)) == ["Ben and others dig."]
    session.answer(3, "ben")
    assert said(make_view(session)) == ["Who begins? Ben"]


def test_nothing_sealed_is_told() -> None:
    """Not while envelopes are closed; then the reveal shows all answers."""
    session = begin_session(_choices)
    for number, answer in enumerate(("dig", "rest", "ben"), start=1):
        session.answer(number, answer)
    for seat in session.table.seats:
        session.put_answer_in_envelope(4, seat, 7)
        assert "7" not in " ".join(said(make_view(session)))
    assert make_view(session).opened_envelopes is not None
    assert make_view(session).untold_steps == ()


def test_the_answers_for_absent_players_are_told() -> None:
    """They follow at once, so people haven't seen what was asked."""

    async def turns(table: Table) -> None:
        options = {"on": say("go on"), "pass": say("pass")}
        for seat in (*table.seats, table.seats[0]):
            await Choose(seat, say("What do you do?"), dict(options))

    session = begin_session(turns)
    session.mark_player_absent(session.table.seats[1])
    session.answer(1, "on")
    texts = said(make_view(session))
    assert texts == ["Aki: go on", "Ben passes."]


def test_a_correction_is_told_until_something_else_happens() -> None:
    """Choosing what comes next is nothing that happened."""
    script = begin_with_cards_and_coins(rules_card(payments="yes"))
    script.says("correct 5 coin from Aki/purse to Ben/purse: lost a bet")
    assert said(make_view(script.session)) == ["Corrected: 5 coins from Aki to Ben (lost a bet)"]
    script.says("table: payment")
    assert said(make_view(script.session)) == ["Corrected: 5 coins from Aki to Ben (lost a bet)"]
    script.says("table: 1", "table: bank", "Aki 3")
    assert "Corrected" not in " ".join(said(make_view(script.session)))


def test_a_game_says_who_begins() -> None:
    """As a fact, not as the question to the table with its answer."""
    for key in GAMES:
        session = RandomGame.begin(installed_games.playable_game(key), 1, Random(key)).session
        question = session.question
        if isinstance(question, Choose) and not question.seats:
            seat = next(option for option in question.options.values() if isinstance(option, Seat))
            session.answer(1, str(seat.number))
            view = make_view(session)
            assert view.untold_steps == ()
            assert seat.name in render(view.notes[0])
