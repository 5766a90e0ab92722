"""Japanese on keys: no line ends inside a phrase, in any game, at any look, where smaller letters hold it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from random import Random
from typing import Any

import pytest

from companion import installed_games
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events
from companion.session.session import Session
from companion.session.view import make_view
from tests.any_game_presets import SHIPPED, deck_of
from tests.support.games.any_game_helpers import NO_DIRECTORY
from tests.support.games.script_helpers import repeat_step
from tests.support.soak import SOAK
from tests.support.ui.screen_faults import find_texts_at_edges_of_keys, visible_widgets
from tests.support.ui.screen_variants import ScreenVariant
from tests.ui.test_every_table import PLANS, RECORDED, answer, called, laid, sort_of

pytestmark = pytest.mark.usefixtures("without_motion")
LOOKS = [ScreenVariant(plan, size, "ja") for plan, sizes in PLANS.items() for size in sizes]
PLAYERS = ("あき", "ベン", "ちえ", "だい")
ANSWERS = 600 if SOAK else 60


def find_broken_phrases(widgets: Sequence[Any]) -> Iterator[str]:
    """Yields each Japanese phrase on a key of which a part is on the next line."""
    from ui.widgets.drawing.line_breaking import find_japanese_phrases
    from ui.widgets.keys.key import Key

    for key in widgets:
        if not isinstance(key, Key) or key.abbreviates:
            continue
        for text, lines in texts_on(key):
            for before, after in pairwise(lines):
                yield from (
                    f"{before}|{after} on {key.name!r} of {key.width:.0f}"
                    for phrase in find_japanese_phrases(text)
                    for end in range(1, len(phrase))
                    if before.endswith(phrase[:end]) and after.startswith(phrase[end:])
                )


def texts_on(key: Any) -> Iterator[tuple[str, Sequence[str]]]:
    """Yields each text on a key, with its lines."""
    from ui.widgets.keys.option_key import OptionKey

    lines = [
        "".join(word.text for word in line.words) for line in key.label._label._cached_lines if line.words
    ]
    if key.label.opacity:
        yield key.text, lines
    if key.shown_reason:
        yield key.reason, key.wrap_reason(key.label.width)
    if isinstance(key, OptionKey) and key.shown_detail:
        yield key.detail_text, key.wrap_detail(key.available_text_width(key.width))


class LookedAt:
    """Looks at a match at all looks, once for each sort of question."""

    def __init__(self, table: Any, look: ScreenVariant) -> None:
        self.table, self.look = table, look
        self.seen, self.broken, self.edges = set[object](), set[str](), set[str]()

    async def look_at(self, session: Session) -> None:
        """Shows the question, unless one of its sort has been shown, and keeps what is broken."""
        from ui.screens.play import PlayScreen

        if (sort := sort_of(session.question)) in self.seen:
            return
        self.seen.add(sort)
        stage = self.table.app.stage
        stage.replace_screen(
            lambda: PlayScreen(
                view=make_view(session), scene_function=session.scene, layout_name=self.look.layout
            )
        )
        await self.table.wait_frames(4)
        widgets = [*visible_widgets(stage)]
        self.broken |= set(find_broken_phrases(widgets))
        self.edges |= set(find_texts_at_edges_of_keys(widgets))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("look", LOOKS, ids=called)
@pytest.mark.parametrize("game", RECORDED)
async def test_no_key_of_a_recorded_match_breaks_a_phrase(
    open_app: Any, game: str, look: ScreenVariant
) -> None:
    """All that people are asked when they play well."""
    began, *_ = events = load_recorded_events(game)
    log = MemoryLog([began])
    session = Session(installed_games.playable_game(game), log, log)
    session.answer_for_absent_players()
    looked = LookedAt(await laid(open_app, look), look)
    for step in build_timeline(events).steps:
        await looked.look_at(session)
        repeat_step(session, step)
    assert not looked.broken | looked.edges, "\n".join(sorted(looked.broken | looked.edges))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("look", LOOKS, ids=called)
@pytest.mark.parametrize("template", SHIPPED)
async def test_no_key_of_a_template_breaks_a_phrase(
    open_app: Any, template: str, look: ScreenVariant
) -> None:
    """Four people do whatever comes to their mind for some time."""
    game, decks = installed_games.playable_game("any_game"), {"any_game": deck_of(template, NO_DIRECTORY)}
    session = Session.begin(game, PLAYERS, {"template": template}, MemoryLog(), deck_by_name=decks, seed=7)
    looked, rng = LookedAt(await laid(open_app, look), look), Random(3)
    for _ in range(ANSWERS):
        if session.question is None:
            break
        await looked.look_at(session)
        answer(session, rng)
    assert not looked.broken | looked.edges, "\n".join(sorted(looked.broken | looked.edges))
