"""A sign such as +37 is right behind its number, as large as every other sign of the panel."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product
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
LEAST_LETTERS = 14 / 18
"""The least height of the digits of a sign, as a share of the smallest letters: 14 px at 800×480."""
LEAST_SHARE_WITH_SIGN = 0.8
"""The least share of changes with a sign; on the lowest panels, whose rows touch, some have no room."""
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


def is_within(inner: Box, outer: Box) -> bool:
    """Whether a box is within another one, up to a pixel."""
    return all(
        outer[axis] - 1 <= inner[axis] and inner[axis] + inner[axis + 2] <= outer[axis] + outer[axis + 2] + 1
        for axis in (0, 1)
    )


def is_right_behind(sign: Box, digits: Box) -> bool:
    """Whether a sign begins where the digits end, at the height of their middle."""
    from ui import theme

    gap, middle = sign[0] - digits[0] - digits[2], sign[1] + sign[3] / 2
    return 0 <= gap <= theme.length.line + 1 and abs(middle - digits[1] - digits[3] / 2) <= 1


def faults_of_signs(widget: Any) -> Iterator[str]:
    """Yields what is wrong with the signs of a panel, or of the middle of the table."""
    from ui import theme
    from ui.widgets.pieces.signs_of_change import SIGN_HEIGHT_EM

    heights = {round(sign.box[3] / SIGN_HEIGHT_EM, 3) for sign in widget._signs}
    if len(heights) > 1 or min(heights, default=99) < LEAST_LETTERS * theme.length.smallest:
        yield f"{widget.name}: the signs have {heights} px"
    name = [widget.arranged.name] if hasattr(widget, "arranged") else []
    pieces = [
        part for mark in chain(widget.placed, name) for part in mark.walk() if not part.parts and part.box[2]
    ]
    taken = [widget.arranged.token] if name else []
    for sign in widget._signs:
        digits, said = sign.digits.ink_box, f"{widget.name}: {sign.text} in {widget.visible_texts}"
        if not is_right_behind(sign.box, digits):
            yield f"{said} is not right behind its number"
        others = [piece for piece in pieces if piece != sign.digits]
        boxes = [*taken, *(each.box for each in widget._signs if each is not sign)]
        if any(overlap(sign.box, box) for box in (*boxes, digits, *(other.ink_box for other in others))):
            yield f"{said} covers something"
        if not is_within(sign.box, widget.box):
            yield f"{said} is not within the panel"
        for other in others:
            if other.mark.visible_text and distance(sign.box, other.ink_box) <= distance(sign.box, digits):
                yield f"{said} is no nearer to its number than to {other.mark.visible_text}"


@pytest.mark.parametrize(("game", "look"), CASES if SOAK else CASES[3::16], ids=called)
async def test_every_sign_of_a_recorded_match_is_right_behind_its_number(
    open_app: Any, game: str, look: ScreenVariant
) -> None:
    """After every answer, on every panel and in the middle; a sample looks at a part of the match.

    Most changes have a sign.
    """
    from ui.screens.play import PlayScreen

    table, match = await laid(open_app, look), load_recorded_events(game)
    session, faults, signs, changes = replay_until(match, 0), list[str](), 0, 0
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
            shown = [panel._find_number(panel.arranged, index) for index in panel.number_changes]
            changes += len([number for number in shown if number is not None])
            faults += faults_of_signs(panel)
        faults += faults_of_signs(play.middle)
    assert not faults, f"{len(faults)} of {signs}: " + "\n".join(faults)
    assert signs >= LEAST_SHARE_WITH_SIGN * changes > 0
