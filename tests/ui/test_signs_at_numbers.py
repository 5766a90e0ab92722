"""A sign such as +37 is nearer to its number than to anything else that people could read with it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from math import hypot
from typing import Any

import pytest

from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events, replay_until
from companion.session.view import make_view
from tests.support.games.script_helpers import repeat_step
from tests.support.soak import SOAK
from tests.support.ui.screen_variants import ScreenVariant
from tests.ui.test_every_table import called, laid

pytestmark = pytest.mark.usefixtures("without_motion")
GAMES = ("bidders", "egypt", "mammon", "oyakata")
"""Games that show by how much numbers on panels change; in High Bid all such numbers are covered."""
LOOKS = [("flat", (800, 480)), ("landscape", (800, 480)), ("landscape", (1280, 720))]
CASES = [
    (game, ScreenVariant(plan, size, lang))
    for game, lang, (plan, size) in product(GAMES, ("en", "ja", "de"), LOOKS)
]
"""In a sample, the stride 8 takes every game, language and look."""
SIGNS_IN_SAMPLE = 20
"""Number of signs after which a sample ends; it begins after a quarter of the match."""
Box = tuple[float, float, float, float]


def distance(one: Box, other: Box) -> float:
    """The distance between two boxes; 0 if they touch or overlap."""
    gaps = [
        max(0.0, one[axis] - other[axis] - other[axis + 2], other[axis] - one[axis] - one[axis + 2])
        for axis in (0, 1)
    ]
    return hypot(*gaps)


def overlap(one: Box, other: Box) -> bool:
    """Whether two boxes overlap by more than a pixel."""
    return all(
        one[axis] + 1 < other[axis] + other[axis + 2] and other[axis] + 1 < one[axis] + one[axis + 2]
        for axis in (0, 1)
    )


def numbers_and_name(panel: Any) -> Iterator[Any]:
    """Yields what people could read with a sign: each number of a panel, and the name."""
    yield panel.arranged.name
    for placed in panel.placed:
        for piece in placed.walk():
            if not piece.parts and any(letter.isdigit() for letter in piece.mark.visible_text):
                yield piece


def unbound_signs(panel: Any) -> Iterator[str]:
    """Yields each sign of a panel that people could read with another number, or with the name."""
    from ui.widgets.pieces.signs_of_change import format_signed_change

    arranged = panel.arranged
    for sign in panel._signs:
        owner, said = sign.change.owner, f"{panel.seat.name}: {sign.sign.text} in {panel.visible_texts}"
        others = [one for one in numbers_and_name(panel) if one.box != owner.box]
        is_at_name, own = owner.box == arranged.name.box, distance(sign.box, owner.ink_box)
        if is_at_name and any(
            panel._find_number(arranged, index)
            for index, change in panel.number_changes.items()
            if format_signed_change(change) == sign.sign.text
        ):
            yield f"{said} is at the name, although the number that changed is shown"
        for one in (owner, *others):
            if overlap(sign.box, one.ink_box):
                yield f"{said} covers {one.mark.visible_text or 'the name'}"
        for other in [] if is_at_name else others:  # a sign at the name is of a number that isn't shown
            if distance(sign.box, other.ink_box) <= own:
                yield f"{said} is no nearer to its number than to {other.mark.visible_text or 'the name'}"


@pytest.mark.parametrize(("game", "look"), CASES if SOAK else CASES[3::8], ids=called)
async def test_every_sign_of_a_recorded_match_is_at_its_number(
    open_app: Any, game: str, look: ScreenVariant
) -> None:
    """After every answer, on every panel: of the whole match in a soak, else of a part of it."""
    from ui.screens.play import PlayScreen

    table, match = await laid(open_app, look), load_recorded_events(game)
    session, faults, signs = replay_until(match, 0), list[str](), 0
    steps = build_timeline(match).steps
    first = 0 if SOAK else len(steps) // 4
    for step in steps[:first]:
        repeat_step(session, step)
    table.app.stage.replace_screen(
        lambda: PlayScreen(view=make_view(session), scene_function=session.scene, layout_name=look.layout)
    )
    await table.wait_frames(2)
    play = table.app.stage.screen
    for step in steps[first:]:
        repeat_step(session, step)
        if session.question is None or (signs >= SIGNS_IN_SAMPLE and not SOAK):
            break
        play.view = make_view(session)
        if not any(play._money.number_changes_of(seat) for seat in play.view.seats):
            continue
        await table.wait_frames(2)
        for panel in play.panels.values():
            signs += len(panel._signs)
            faults += unbound_signs(panel)
    assert signs
    assert not faults, f"{len(faults)} of {signs}: " + "\n".join(faults)
