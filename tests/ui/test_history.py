"""The history on the real window: what happened, going back, and amending by touch."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.actions import UNDO
from companion.installed_games import games
from companion.languages import languages
from companion.requests import Amount, Counts, Together
from tests.support.games.any_game_helpers import COIN_CARD, rules_card, template_card
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions, make_test_app
from tests.support.ui.text_checks import check_all_texts_are_whole
from tests.ui.test_bank import play
from tests.ui.test_games import touches

pytestmark = pytest.mark.usefixtures("without_motion")
LENGTH = 24
KINDS = 3
"""Number of kinds of questions that are amended in each game."""


@pytest.fixture
async def egypt(home: Any) -> Any:
    """Aki has won daughter 4 with 3 and paid; Aki opens with 2 for the next, and the history lies open."""
    home.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    paid = [{"card": "4.1"}, {"values": {}}]
    answer_questions(home.app.controller, "1", True, 3, None, None, paid, 2)
    await home.wait_frames()
    await home.tap("history")
    return home


async def turn_to(table: Any, at: int) -> Any:
    """The line of that event, however far back."""
    for _ in range(LENGTH):
        found = [widget for widget in table.widgets() if getattr(widget, "name", None) == f"event {at}"]
        if found:
            return found[0]
        await table.tap("page on")
    raise AssertionError(at)


def offers(table: Any) -> list[str]:
    """What is offered to be redone."""
    return [text for text in table.texts() if text.startswith("Redo ") and text.endswith("?")]


def told(table: Any) -> list[Any]:
    """Every answer in force."""
    return [step.answer for step in table.app.evening.session.steps]


async def test_what_happened_before_the_first_question_is_shown(open_app: Any, tmp_path: Path) -> None:
    """It stands beside the first question until something else has happened, and begins the history.

    Its line there can't be touched.
    """
    cards = (COIN_CARD, rules_card(scoring="contract", income=10), template_card("category", "points"))
    (tmp_path / "templates").mkdir()
    text = "\n".join(f"[[card]]\n{card}" for card in cards)
    (tmp_path / "templates/own.toml").write_text(text, encoding="utf-8")
    table = await open_app(make_test_app(tmp_path), (1280, 720))
    table.app.controller.start_new_game("any_game", NAMES, COLOURS, {"template": "own"})
    await table.wait_frames()
    income = f"Bank pays {', '.join(NAMES)} 30 in all."
    assert income in table.texts()
    answer_questions(table.app.controller, "write_round")
    await table.wait_frames()
    assert income in table.texts()
    await table.tap("history")
    assert {"The game begins.", income, "What is next? Round 1"} <= set(table.texts())
    assert not [widget for widget in table.widgets() if getattr(widget, "name", None) == "event 1"]


async def test_every_event_is_a_sentence_the_latest_first(egypt: Any) -> None:
    """With what it led to; older ones are on the next page."""
    texts = egypt.texts()
    assert "Aki bids 2 for daughter 5." in texts
    assert "Aki lays down 2 cards." in texts
    assert "Who leads the first auction? Aki" not in texts
    await egypt.tap("page on")
    assert "Who leads the first auction? Aki" in egypt.texts()


async def test_what_happened_stands_below_where_it_was(egypt: Any) -> None:
    """The round and the lot, once for all that happened there."""
    assert "Round 1 · daughter 5" in egypt.texts()
    await egypt.tap("page on")
    assert "Round 1 · daughter 4" in egypt.texts()
    assert "Round 1 · daughter 5" not in egypt.texts()


async def test_one_persons_answers_are_shown_alone(egypt: Any) -> None:
    """A touch on the piece hides what others were asked; another shows all again."""
    await egypt.tap("only Ben")
    texts = egypt.texts()
    assert "Ben withdraws." in texts
    assert not [text for text in texts if text.startswith("Aki lays down")]
    await egypt.tap("event 3")
    assert "Ben withdraws." in egypt.texts()
    await egypt.tap("close", "only Ben")
    assert "Aki lays down 2 cards." in egypt.texts()


async def test_who_was_asked_nothing_yet_is_named(home: Any) -> None:
    """That is no empty history."""
    home.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    answer_questions(home.app.controller, "1")
    await home.wait_frames()
    await home.tap("history", "only Ben")
    assert "Ben hasn't been asked anything yet." in home.texts()


async def test_whose_sealed_answer_is_changed_is_asked_with_what_each_gave(home: Any) -> None:
    """All have seen it."""
    home.app.controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    for seat, bid in zip(home.app.controller.view.seats, (3, 5, 4), strict=True):
        home.app.controller.seal_answer_in_envelope(home.app.controller.view.question_number, seat, bid)
    home.app.table_flow.last_reveal_screen.close()
    await home.wait_frames()
    await home.tap("history", "event 0", "amend")
    assert [home.find(name).text for name in NAMES] == ["Aki: 3", "Ben: 5", "ちえ: 4"]


async def test_a_change_begins_at_what_was_answered(home: Any) -> None:
    """The bid stands on the pad, the key that was pressed is framed."""
    home.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    answer_questions(home.app.controller, "1", True, 7)
    await home.wait_frames()
    await home.tap("history", "event 2", "amend")
    pad = next(widget for widget in home.widgets() if type(widget).__name__ == "BidDigitsPad")
    assert pad.amount == 7
    await home.tap("close", "event 0", "amend")
    assert home.find("1").chosen


async def test_the_table_goes_back_to_before_an_event(egypt: Any) -> None:
    """All later ones are taken back with it, and what to move by hand is listed."""
    await turn_to(egypt, 4)
    await egypt.tap("event 4", "back")
    assert "Move these pieces on the table" in egypt.texts()
    assert told(egypt) == ["1", True, 3, None]
    assert egypt.app.controller.view.may_redo


async def open_two_pages(table: Any) -> None:
    """Two fingers on one key open its page twice."""
    await table.tap("close")
    fingers = [table.press("history"), table.press("history")]
    for finger in fingers:
        finger.touch_up()
    await table.wait_frames()
    assert table.app.stage.overlay_count == len(fingers)


async def test_two_pages_opened_by_two_fingers_both_follow_the_game(egypt: Any) -> None:
    """What happens by keypad while they are open is on both."""
    await open_two_pages(egypt)
    answer_questions(egypt.app.controller, 5)
    for _page in range(2):
        await egypt.wait_frames()
        assert egypt.find("event 7")
        await egypt.tap("close")
    assert not egypt.app.stage.has_overlay


async def test_two_pages_opened_by_two_fingers_both_close_after_an_undo(egypt: Any) -> None:
    """None is left that has the events that were taken back."""
    await open_two_pages(egypt)
    await turn_to(egypt, 4)
    await egypt.tap("event 4", "back", "done")
    assert not egypt.app.stage.has_overlay


async def test_an_answer_that_still_fits_is_amended_at_once(egypt: Any) -> None:
    """Aki had opened with 4, and whoever is asked must bid more than that."""
    await egypt.tap("event 6", "amend")
    assert "Current answer: Aki bids 2 for daughter 5." in egypt.texts()
    await egypt.tap("4", "confirm")
    assert told(egypt)[6] == 4
    assert egypt.app.controller.view.question.lowest_allowed_bid == 5


async def test_what_no_longer_fits_is_named_before_anything_changes(egypt: Any) -> None:
    """People leave it as it was, or go back to there; what was later can be redone."""
    before = told(egypt)
    await turn_to(egypt, 2)
    await egypt.tap("event 2", "amend", "9", "confirm")
    assert [text for text in egypt.texts() if "no longer possible" in text and "These cards are w" in text]
    await egypt.tap("no")
    assert told(egypt) == before
    await egypt.tap("confirm", "yes")
    assert told(egypt) == ["1", True, 9, None, None]
    assert egypt.app.controller.view.question.kind == "Read"


async def test_what_was_later_is_offered_to_be_redone(egypt: Any) -> None:
    """Once the payment is made again one touch puts back what came after it; until then redo says why not."""
    await turn_to(egypt, 2)
    await egypt.tap("event 2", "amend", "9", "confirm", "yes", "done", "close")
    controller = egypt.app.controller
    assert (
        controller.view.waiting_redo_count,
        controller.view.fitting_redo_count,
        controller.view.may_redo,
    ) == (2, 0, False)
    assert not offers(egypt)
    await egypt.tap("redo")
    assert [text for text in egypt.texts() if "“Aki lays down 2 cards.” is no longer possible" in text]
    controller.answer_question(
        controller.view.question_number, [{"card": f"4.{copy}"} for copy in (1, 2, 3, 4)] + [{"values": {}}]
    )
    await egypt.wait_frames()
    assert offers(egypt) == ["Redo 1 more answer?"]
    await egypt.tap("no")
    assert told(egypt)[-1] != 2
    await egypt.tap("redo")
    assert (told(egypt)[-1], controller.view.waiting_redo_count) == (2, 0)
    assert not offers(egypt)


async def test_what_was_later_is_put_back_with_one_touch(home: Any) -> None:
    """Ben's workers aren't asked for any more: all others answer as they had, and envelopes stay closed."""
    controller = home.app.controller
    controller.start_new_game("bidders", (*NAMES, "Dai"), (*COLOURS, "vermilion"), {})
    turned = [{"card": "W1"}], [{"card": "B1"}]
    answer_questions(controller, "1", True, *turned, "white", 2, "pass", "pass", "pass")
    await home.wait_frames()
    await home.tap("history")
    await turn_to(home, 4)
    await home.tap("event 4", "amend", "pass", "yes", "done")
    assert offers(home) == ["Redo 3 more answers?"]
    await home.tap("yes")
    assert told(home)[4:] == ["pass", "pass", "pass", "pass"]
    assert controller.view.waiting_redo_count == 0


async def test_going_back_past_a_reveal_asks_twice(home: Any) -> None:
    """An amendment that takes a round back says what that means."""
    controller = home.app.controller
    controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    for choice in ("again", None):
        for seat in controller.view.seats:
            controller.seal_answer_in_envelope(controller.view.question_number, seat, 1)
        home.app.table_flow.last_reveal_screen.close()
        if choice:
            controller.answer_question(controller.view.question_number, choice)
    await home.wait_frames()
    await home.tap("history", "event 1", "amend")
    page = home.app.stage.topmost_widget.content
    page.dispatch("on_answer", "finish")
    await home.wait_frames()
    await home.tap("yes")
    assert "Undo the reveal?" in home.texts()
    await home.tap("no")
    assert len(told(home)) == 3
    page.dispatch("on_answer", "finish")
    await home.wait_frames()
    await home.tap("yes", "yes")
    assert told(home)[1:] == ["finish"]


async def test_an_answer_that_was_never_legal_is_a_sentence(egypt: Any) -> None:
    """The widget stays, and says why."""
    await turn_to(egypt, 2)
    await egypt.tap("event 2", "amend")
    egypt.app.stage.topmost_widget.content.dispatch("on_answer", 100)
    await egypt.wait_frames()
    assert "Aki can bid at most 99." in egypt.texts()
    assert told(egypt)[2] == 3


async def test_a_sealed_answer_is_amended_for_one_seat(home: Any) -> None:
    """Whose it was is asked first; that it was amended after the reveal is marked from then on."""
    controller = home.app.controller
    controller.start_new_game("sealed_bid", NAMES, COLOURS, {"start": "20"})
    for seat, bid in zip(controller.view.seats, (7, 5, 3), strict=True):
        controller.seal_answer_in_envelope(controller.view.question_number, seat, bid)
    home.app.table_flow.last_reveal_screen.close()
    await home.wait_frames()
    await home.tap("history", "event 0", "amend", "Ben", "9", "confirm")
    assert told(home) == [{"1": 7, "2": 9, "3": 3}]
    await home.tap("done")
    assert [text for text in home.texts() if "changed after the reveal" in text]


async def test_a_reveal_that_was_taken_back_is_marked(home: Any) -> None:
    """Going back past it asks first, and the history keeps saying so."""
    controller = home.app.controller
    controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    for seat in controller.view.seats:
        controller.seal_answer_in_envelope(controller.view.question_number, seat, 1)
    home.app.table_flow.last_reveal_screen.close()
    await home.wait_frames()
    await home.tap("history", "event 0", "back", "yes")
    assert told(home) == []
    await home.tap("history")
    assert [text for text in home.texts() if "later the reveal was taken back" in text]


GAMES = sorted(games()) if SOAK else ["mammon", "sealed_bid"]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("game", GAMES)
async def test_answers_of_every_game_are_amended_by_touch(
    home: Any, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One of each of the first kinds of questions: another answer counts, or the first misfit is named."""
    from ui import theme

    monkeypatch.setattr(theme, "REVEAL_PAUSE_SECONDS", 0.0)
    controller, rng = home.app.controller, Random(8)
    controller.start_new_game(game, NAMES, COLOURS, {})
    for _ in range(LENGTH):
        if controller.view.question is not None:
            play(home, rng) if isinstance(controller.view.question, Together) else answer_one(controller, rng)
    if controller.view.result is not None:
        controller.run_table_action(UNDO, {}, UNDO.confirmations)
    await home.wait_frames()
    if "All moved" in home.texts():
        await home.tap("done")
    await home.tap("history")
    for at in sorted(first_of_each_kind(controller).values(), reverse=True)[:KINDS]:
        await amend(home, at, rng)


def answer_one(controller: Any, rng: Random) -> None:
    """The open question is answered in some legal way, but the game doesn't end."""
    question = controller.view.question
    plain = question.answer_to_json(question.random_legal_answer(rng))
    for _ in range(LENGTH):
        plain = plain if plain not in ("finish", "done") else question.answer_to_json(question.sample(rng))
    controller.answer_question(controller.view.question_number, plain)


def first_of_each_kind(controller: Any) -> dict[str, int]:
    """Which event was the first of its kind."""
    found: dict[str, int] = {}
    for at, one in enumerate(controller.evening.session.rulebook_run.answered_questions):
        found.setdefault(one.question.kind, at)
    return found


async def amend(table: Any, at: int, rng: Random) -> None:
    """Changes that answer by touch; what no longer fits is gone back to."""
    controller = table.app.controller
    question = controller.evening.current_session.session_after_steps(at).question
    await turn_to(table, at)
    await table.tap(f"event {at}", "amend")
    seat = None
    if isinstance(question, Together):
        seat = question.seats[0]
        await table.tap(seat.name)
        question = question.parts_by_seat[seat]
    plain = await answers(table, question, rng)
    if [text for text in table.texts() if "no longer possible" in text]:
        await table.tap("yes")
    if "Undo the reveal?" in table.texts():
        await table.tap("yes")
    given = controller.evening.session.steps[at].answer
    assert (given if seat is None else given[str(seat.number)]) == plain
    await back_to_the_history(table)


async def answers(table: Any, question: Any, rng: Random) -> object:
    """Another answer by touch, or where a touch isn't enough as if it were one; gives it as JSON."""
    plain = question.answer_to_json(question.random_legal_answer(rng))
    page = table.app.stage.topmost_widget
    there = {getattr(widget, "name", "") or getattr(widget, "text", "") for widget in page.walk()}
    keys = touches(question, plain)
    if isinstance(question, Amount):  # its first digit replaces what was given, so the sign comes last
        keys = [*str(abs(plain)), *["sign"] * (plain < 0), "confirm"]
    if isinstance(question, Counts):  # it stands at what was given
        keys = []
    if keys and set(keys) <= there:
        await table.tap(*keys)
    else:
        page.content.question_widget.dispatch("on_answer", plain)
        await table.wait_frames()
    return plain


async def close(table: Any, name: str) -> None:
    """What has such a key is closed with it."""
    if any(getattr(widget, "name", None) == name for widget in table.widgets()):
        await table.tap(name)


async def back_to_the_history(table: Any) -> None:
    """Whatever lies over it is closed, the topmost first; a game that an amendment has ended goes on."""
    if table.app.controller.view.result is not None:
        table.app.controller.run_table_action(UNDO, {}, UNDO.confirmations)
        await table.wait_frames()
    await close(table, "done")
    if offers(table):
        await table.tap("no")
    await close(table, "close")
    if not any(type(widget).__name__ == "HistoryPage" for widget in table.widgets()):
        await table.tap("history")


@pytest.mark.sweep(1)
@pytest.mark.parametrize("lang", languages())
async def test_the_history_fits_the_small_screen(open_app: Any, tmp_path: Path, lang: str) -> None:
    """Lines, what can be done about one, and the question put again: no text is cut."""
    table = await open_app(make_test_app(tmp_path / "state", lang=lang))
    controller = table.app.controller
    controller.start_new_game("bidders", NAMES, COLOURS, {})
    for _ in range(6):
        play(table, Random(2))
    await table.wait_frames()
    for touch in ("history", "event 2", "amend"):
        await table.tap(touch)
        await table.wait_frames(3)
        check_all_texts_are_whole(table.widgets())
