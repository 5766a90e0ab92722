"""On a panel that lies flat, all players who must answer see it at their places, and nobody else does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from random import Random
from typing import Any

import pytest

from companion import installed_games
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events, replay_until
from companion.session.session import Session
from companion.session.view import View, make_view
from tests.any_game_presets import deck_of
from tests.support.games.any_game_helpers import NO_DIRECTORY
from tests.support.games.script_helpers import repeat_step
from tests.support.ui.screen_variants import ScreenVariant
from tests.ui.test_every_table import laid

pytestmark = pytest.mark.usefixtures("without_motion")
NAMES = ["Aki", "Ben", "Chie", "Dai"]
CUE_SIGN = "!"
TEMPLATES = ("property", "contract", "train")
ANSWERS = 60


def recorded_views(game: str) -> Iterator[tuple[Session, View]]:
    """Yields the view of each question to several players in a recorded match."""
    match = load_recorded_events(game)
    session = replay_until(match, 0)
    for step in build_timeline(match).steps:
        repeat_step(session, step)
        if session.question is not None and len(session.question.seats) > 1:
            yield session, make_view(session)


def random_views(template: str) -> Iterator[tuple[Session, View]]:
    """Yields the view of each question to several players, or to the table, in a random game."""
    decks, rng = {"any_game": deck_of(template, NO_DIRECTORY)}, Random(7)
    game = installed_games.playable_game("any_game")
    session = Session.begin(game, NAMES, {"template": template}, MemoryLog(), deck_by_name=decks, seed=1)
    for _ in range(ANSWERS):
        if session.question is None:
            return
        if len(session.question.seats) != 1:
            yield session, make_view(session)
        question = session.question
        session.answer(session.question_number, question.answer_to_json(question.random_legal_answer(rng)))


def faults_of_cues(play: Any) -> Iterator[str]:
    """Yields each panel that has no cue although its player must answer, or has one without need.

    A cue is a sign on the token, and a word if all these panels have room; no number makes room for it.
    """
    view, shown, worded = play.view, dict[str, str](), list[str]()
    for seat, panel in play.panels.items():
        cues = [text for text in panel.visible_texts if panel.cue_text and text == panel.cue_text]
        must_answer = seat in view.question.seats and not any(
            envelope.seat == seat and envelope.has_answer for envelope in view.envelopes
        )
        is_lit = panel.status.is_asked and not panel.status.has_answered
        if is_lit != must_answer:
            yield f"{seat.name} is lit: {is_lit}, in {view.question.text}"
        has_cues = view.question.is_sealed or play.question_widget.takes_answers_at_panels
        if (CUE_SIGN in panel.visible_texts) != (must_answer and has_cues):
            yield f"{seat.name} has {cues} in {panel.visible_texts}, {view.question.text.template}"
        shown |= dict.fromkeys(cues, seat.name)
        worded += [seat.name for _ in cues]
        all_texts = " ".join(panel.visible_texts).split()
        arranged = " ".join(placed.mark.visible_text for placed in panel.arranged.marks).split()
        if missing := [text for text in arranged if text.isdigit() and text not in all_texts]:
            yield f"{seat.name} leaves out {missing}: {panel.visible_texts}"
    if len(shown) > 1:
        yield f"different texts: {shown}"
    if shown and len(worded) < sum(CUE_SIGN in panel.visible_texts for panel in play.panels.values()):
        yield f"only {worded} have {[*shown]}"


@pytest.mark.sweep(2)
@pytest.mark.parametrize("source", [*TEMPLATES, "mammon", "bidders"])
async def test_all_who_must_answer_and_only_they_are_told(open_app: Any, source: str) -> None:
    """With the same words on each panel, whatever else it shows; a question to the table lights none."""
    from ui.screens.play import PlayScreen

    table, faults = await laid(open_app, ScreenVariant("flat", (800, 480), "en")), set[str]()
    play: Any = None
    told = set[str]()
    views = random_views(source) if source in TEMPLATES else recorded_views(source)
    for session, view in islice(views, ANSWERS):
        if play is None:
            table.app.stage.replace_screen(
                lambda view=view, session=session: PlayScreen(
                    view=view, scene_function=session.scene, layout_name="flat"
                )
            )
            await table.wait_frames(2)
            play = table.app.stage.screen
        play.view = view
        await table.wait_frames(2)
        faults |= {*faults_of_cues(play)}
        told |= {panel.cue_text for panel in play.panels.values()}
    assert told & {"answer", "Touch here"} or source == "train"
    assert not faults, "\n".join(sorted(faults))
