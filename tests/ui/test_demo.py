"""The recorded matches on the screen: which keys give an answer, and how they end."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion import installed_games
from companion.log.events import Answered, Began
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events
from companion.requests import Read, Together
from companion.session.session import Session
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import COLOURS, NAMES, make_test_app
from ui.demo.presses import button_names_for_answer, keypad_keys_for_answer


@pytest.fixture
def match() -> tuple[Session, list[Any]]:
    """The recorded match of Egypt before its first answer, and its answers."""
    events = load_recorded_events("egypt")
    assert isinstance(events[0], Began)
    return Session(installed_games.playable_game("egypt"), events[:1], MemoryLog()), build_timeline(
        events
    ).steps


def test_every_recorded_answer_has_its_keys(match: tuple[Session, list[Any]]) -> None:
    """On the screen and on a keypad; the first of each kind as people would press them."""
    session, steps = match
    first: dict[str, tuple[list[str], str]] = {}
    for step in steps:
        assert isinstance(step, Answered)
        assert session.question
        name = f"{session.question.kind} no" if step.answer is None else session.question.kind
        form = session.question.form
        pressed = (button_names_for_answer(form, step.answer), keypad_keys_for_answer(form, step.answer))
        first.setdefault(name, pressed)
        session.answer(session.question_number, step.answer)
    assert first == {
        "Choose": (["4"], "4 OK"),
        "Done": (["done"], "OK"),
        "Raise": (["2", "confirm"], "2 OK"),
        "Raise no": (["way out"], "NO"),
        "Read": (["more 1", "lay"], "1.0 OK"),
        "Read no": (["cant"], "NO"),
    }


# On the window


def looks(question: Any, answer: Any) -> tuple[object, ...]:
    """Answers that look the same are given in the same way."""
    if isinstance(question, Together):
        part = next(iter(question.parts_by_seat.values()))
        return "sealed", part.kind, 0 in answer.values()
    if isinstance(question, Read) and answer is not None:
        return "Read", *{"values" in item for item in answer}, len(answer) > 1
    return question.kind, answer is None, len(getattr(question, "options", ())) > 9


@pytest.mark.parametrize(
    "game", ["bidders", "egypt", "high_bid", "mammon", "oyakata"] if SOAK else ["oyakata"]
)
@pytest.mark.usefixtures("without_motion")
async def test_every_kind_of_answer_is_given_by_touch(open_app: Any, tmp_path: Path, game: str) -> None:
    """The first of each kind in a recorded match is touched as it was answered, envelopes and all."""
    from ui.demo.hand import AnsweringHand, SimulatedFinger

    table = await open_app(make_test_app(tmp_path / "state"))
    controller, hand = (
        table.app.controller,
        AnsweringHand(table.app, SimulatedFinger(table.app, table.window)),
    )
    for before, step in firsts(load_recorded_events(game)):
        controller.evening.session = Session(installed_games.playable_game(game), before, MemoryLog())
        controller._show()
        if table.app.table_flow.last_reveal_screen is not None:
            table.app.table_flow.last_reveal_screen.close()
        await table.wait_frames()
        question = controller.view.question
        await hand.answer_open_question(question, step.answer)
        given = controller.evening.session.steps[-1]
        assert (given.n, meaning(question, given.answer)) == (step.n, meaning(question, step.answer))


@pytest.mark.usefixtures("without_motion")
async def test_a_hand_fills_only_the_rows_that_it_is_given(open_app: Any, tmp_path: Path) -> None:
    """Who has answered an open round already is left out; the last missing answer ends the round."""
    from ui.demo.hand import AnsweringHand, SimulatedFinger

    table = await open_app(make_test_app(tmp_path / "state", lang="en"), (1280, 720))
    controller, hand = (
        table.app.controller,
        AnsweringHand(table.app, SimulatedFinger(table.app, table.window)),
    )
    controller.start_new_game("any_game", NAMES, COLOURS, {"template": "points"})
    await table.wait_frames(3)
    await table.tap("Points", NAMES[1], "5", "Next")
    answers = {"1": -7, "3": 12}
    await hand.answer_open_question(controller.view.question, answers)
    assert controller.evening.session.steps[-1].answer == {**answers, "2": 5}


def firsts(events: list[Any]) -> Iterator[tuple[list[Any], Answered]]:
    """The first step of each look, with the log before it."""
    session, seen = Session(installed_games.playable_game(events[0].game), events[:1], MemoryLog()), set()
    for step in build_timeline(events).steps:
        assert isinstance(step, Answered)
        question = session.question
        if (look := looks(question, step.answer)) not in seen:
            seen.add(look)
            yield [event for event in events if event == events[0] or event.n < step.n], step
        session.rulebook_run.apply_step(step)


def meaning(question: Any, answer: Any) -> Any:
    """What an answer says; of equal cards any copy says the same, of a payment what each card counts."""
    if not isinstance(question, Read) or answer is None:
        return answer
    cards = question.parse_answer(answer)
    return [question.price.value_of(card) if question.price else card.values for card in cards or ()]


async def never() -> Any:
    """A match that takes for ever."""
    await asyncio.Event().wait()


async def fails() -> Any:
    """A match that goes wrong."""
    raise LookupError("there is no key")


async def test_a_demo_ends_with_its_window(kivy_window: Any, tmp_path: Path) -> None:
    """Whoever closes the window in the middle of a match ends it at once; there is no score then."""
    from ui.demo.demo import _make_app_and_hand, _run_until_closed

    app, hand = _make_app_and_hand(tmp_path, {}, offscreen=False)
    played = asyncio.create_task(_run_until_closed(app, never(), waits_for_close=False))
    await hand.finger.wait_frames(3)
    app.stop()
    assert await asyncio.wait_for(played, 5) is None


async def test_a_demo_that_goes_wrong_closes_its_window(kivy_window: Any, tmp_path: Path) -> None:
    """What went wrong is raised once the app has ended and let go of its games."""
    from companion.store import Store
    from ui.demo.demo import _make_app_and_hand, _run_until_closed

    app, _ = _make_app_and_hand(tmp_path, {}, offscreen=False)
    with pytest.raises(LookupError, match="there is no key"):
        await _run_until_closed(app, fails(), waits_for_close=False)
    Store.open(tmp_path / "state", for_writing=True).close()


async def photographed(finger: Any, file: Path) -> Any:
    """A match in which nothing happens but a picture."""
    await finger.save_screenshot(file)


def pictures(folder: Path) -> dict[str, int]:
    """Every PNG there, and who may do what with it."""
    found = [path for path in folder.iterdir() if path.is_file() and path.read_bytes().startswith(b"\x89PNG")]
    return {path.name: path.stat().st_mode & 0o777 for path in found}


async def test_the_pictures_of_a_demo_are_their_owners(kivy_window: Any, tmp_path: Path) -> None:
    """A photograph lies exactly under its name, as a PNG, and nobody else can read it, whatever the umask."""
    from ui.demo.demo import _make_app_and_hand, _run_until_closed

    app, hand = _make_app_and_hand(tmp_path, {}, offscreen=False)
    before = os.umask(0)
    try:
        await _run_until_closed(
            app, photographed(hand.finger, tmp_path / "01 home.png"), waits_for_close=False
        )
    finally:
        os.umask(before)
    assert pictures(tmp_path) == {"01 home.png": 0o600}
