"""Letters and numbers of player panels grow into the room of the panel, the main number first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest

from companion import installed_games
from companion.languages import languages
from companion.log.log import MemoryLog
from companion.requests import Raise
from companion.session.session import Session
from companion.session.view import make_view
from tests.support.long_names import PEOPLE
from tests.support.ui.screen_variants import ScreenVariant, variant_id
from tests.ui.test_every_table import GAMES, PLANS, answer, laid

pytestmark = pytest.mark.usefixtures("without_motion")
SHORT_NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi", "Fumi", "Gen", "Hana", "Ian", "Jun", "Ken", "Lea")
LOOKS = [
    ScreenVariant(plan, size, lang)
    for plan, sizes in PLANS.items()
    for size, lang in product(sizes, languages())
]
TABLES = [
    (game, people, has_long_names)
    for game in GAMES
    for people in (2, 3, 4, 5, 8, 12)
    for has_long_names in (False, True)
    if people in range(*installed_games.playable_game(game).players)
    or people == installed_games.playable_game(game).players[1]
]
MOMENTS = (4, 20)
"""Numbers of answers after which panels are looked at."""
SIZE_LARGER = 1.25
"""A headline that could be larger by this factor wastes the room of its panel."""
LEAST_DECIDING = 20
"""Digits of money, totals and main numbers are at least so high at 800×480, in pixels."""
FEW = 5
"""More people may see smaller numbers there."""
LARGEST_LINE_IN_GLYPHS = 2.0
"""No line of a panel is higher than this, in glyphs, on a small screen."""
Box = tuple[float, float, float, float]


def begin(game: str, people: int, lang: str, *, has_long_names: bool) -> Session:
    """A game by that many people."""
    names = (PEOPLE[lang] if has_long_names else SHORT_NAMES)[:people]
    return Session.begin(installed_games.playable_game(game), names, {}, MemoryLog(), seed=7)


async def show(table: Any, session: Session, look: ScreenVariant) -> Sequence[Any]:
    """Shows the table of a game; returns everybody's panel."""
    from ui.screens.play import PlayScreen

    view, scene = make_view(session), session.scene
    table.app.stage.replace_screen(
        lambda: PlayScreen(view=view, scene_function=scene, layout_name=look.layout, has_clocks=False)
    )
    await table.wait_frames(3)
    return [*table.app.stage.screen.panels.values()]


def find_headlines_with_free_room(panels: Sequence[Any]) -> Iterator[str]:
    """Yields a panel's headline that could be larger, on it and on every panel of the same size."""
    by_size: dict[tuple[int, int], list[Any]] = {}
    for panel in panels:
        by_size.setdefault((round(panel.width), round(panel.height)), []).append(panel)
    for size, alike in by_size.items():
        if all(map(has_room_for_larger_headline, alike)):
            yield f"{alike[0].name} {size} {alike[0].visible_texts} {alike[0].shape}"


def has_room_for_larger_headline(panel: Any) -> bool:
    """Whether the headline, larger and anywhere near its place, is inside the margins and over nothing.

    A covered headline is a card's back, which has nothing to read.
    """
    from ui import theme
    from ui.widgets.seats.panel_layout import vertical_margin

    arranged = panel.arranged
    headline = panel.find_headline(arranged)
    if headline is None or not headline.mark.visible_text:
        return False
    if headline.line_height * SIZE_LARGER > theme.length.number * theme.max_growth:
        return False
    others = [arranged.token, arranged.name.box]
    others += [one.box for one in arranged.marks if one is not headline]
    others += [box for box in (arranged.bid, arranged.clock) if box is not None and box[2]]
    x, y, width, height = headline.box
    larger_width = headline.mark.width_at(headline.line_height * SIZE_LARGER)
    larger_height = height * SIZE_LARGER
    boxes = product((x, x + width - larger_width), (y, y + height - larger_height))
    gap = theme.length.gap
    margin = vertical_margin(panel.detail_level)
    left, right, bottom, top = panel.x + gap, panel.right - gap, panel.y + margin, panel.top - margin
    return any(
        left <= box_x <= right - larger_width
        and bottom <= box_y <= top - larger_height
        and not any(
            _overlap((box_x - gap, box_y, larger_width + 2 * gap, larger_height), box) for box in others
        )
        for box_x, box_y in boxes
    )


def find_small_rows(panels: Sequence[Any]) -> Iterator[str]:
    """Yields a panel whose rows would all fit in larger letters, on it and on all alike at its side."""
    alike: dict[object, list[Any]] = {}
    for panel in panels:
        look = round(panel.width), round(panel.height), panel.parent.quarter_turns
        alike.setdefault(look, []).append(panel)
    for group in alike.values():
        if all(map(have_rows_larger_room, group)):
            yield f"{group[0].name} {group[0].size} {group[0].visible_texts} {group[0].shape}"


def have_rows_larger_room(panel: Any) -> bool:
    """Whether everything but name, headline and bid fits between these in larger letters."""
    from ui import theme
    from ui.widgets.pieces.rows import flow_into_rows, rows_height, widest_row_width

    arranged, gap = panel.arranged, theme.length.gap
    headline = panel.find_headline(arranged)
    rows = [one for one in arranged.marks if one is not headline]
    if not rows:
        return False
    line_height = SIZE_LARGER * max(one.line_height for one in rows)
    if line_height > LARGEST_LINE_IN_GLYPHS * theme.length.glyph * theme.max_growth:
        return False
    ends = [one.box for one in (arranged.name, headline) if one is not None]
    ends += [box for box in (arranged.token, arranged.bid, arranged.clock) if box is not None and box[2]]
    middle = panel.center_x
    left = max((x + width for x, _, width, _ in ends if x + width / 2 < middle), default=panel.x)
    right = min((x for x, _, width, _ in ends if x + width / 2 >= middle), default=panel.right)
    width = right - left - 4 * gap
    lines = flow_into_rows([one.mark for one in rows], line_height, width, gap)
    is_narrow_enough = widest_row_width(lines, line_height, gap) <= width
    return is_narrow_enough and bool(rows_height(lines, line_height, gap / 2) <= panel.height - gap)


def deciding_digits(panels: Sequence[Any]) -> Iterator[tuple[float, Any]]:
    """Yields the height of the digits of each visible main number, money and total, with its panel."""
    from ui.widgets.pieces.marks import TextMark
    from ui.widgets.seats.panel_changes import HEADLINE_INDEX

    for panel in panels:
        cells = {HEADLINE_INDEX: panel.mat.headline, **dict(enumerate(panel.mat.cells))}
        deciding = [
            index
            for index, cell in cells.items()
            if cell is not None and (index == HEADLINE_INDEX or cell.is_money or cell.is_total)
        ]
        placed = [panel._find_number(panel.arranged, index) for index in deciding]
        for number in (one.parts[-1] for one in placed if one is not None and one.parts):
            if isinstance(number.mark, TextMark):
                yield number.mark.letter_size(number.line_height), panel


def _overlap(one: Box, other: Box) -> bool:
    return (
        one[0] < other[0] + other[2]
        and other[0] < one[0] + one[2]
        and one[1] < other[1] + other[3]
        and other[1] < one[1] + one[3]
    )


@pytest.mark.sweep(4)
@pytest.mark.parametrize("look", LOOKS, ids=variant_id)
@pytest.mark.parametrize(("game", "people", "has_long_names"), TABLES)
async def test_no_headline_leaves_its_room_empty(
    open_app: Any, game: str, people: int, look: ScreenVariant, *, has_long_names: bool
) -> None:
    """On every screen, a panel with free height and width shows its main number as large as has room."""
    table, rng, found = await laid(open_app, look), Random(3), []
    session = begin(game, people, look.lang, has_long_names=has_long_names)
    for answered in range(max(MOMENTS) + 1):
        if session.question is None:
            break
        if answered in MOMENTS:
            panels = await show(table, session, look)
            found += [f"{answered}: {fault}" for fault in find_headlines_with_free_room(panels)]
        answer(session, rng)
    assert not found, f"{len(found)}\n" + "\n".join(found)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("look", [look for look in LOOKS if look.layout == "flat"], ids=variant_id)
@pytest.mark.parametrize(
    ("game", "people"), [(game, people) for game, people, has_long_names in TABLES if not has_long_names]
)
async def test_no_row_is_smaller_than_it_need_be(
    open_app: Any, game: str, people: int, look: ScreenVariant
) -> None:
    """On a screen that lies flat, no panel has small letters beside room for larger ones."""
    table, rng, found = await laid(open_app, look), Random(3), []
    session = begin(game, people, look.lang, has_long_names=False)
    for answered in range(max(MOMENTS) + 1):
        if session.question is None:
            break
        if answered in MOMENTS:
            panels = await show(table, session, look)
            found += [f"{answered}: {fault}" for fault in find_small_rows(panels)]
        answer(session, rng)
    assert not found, f"{len(found)}\n" + "\n".join(found)


@pytest.mark.sweep(4)
@pytest.mark.parametrize(
    "look", [look for look in LOOKS if look.layout == "flat" and min(look.size) == 480], ids=variant_id
)
@pytest.mark.parametrize(("game", "people", "has_long_names"), [each for each in TABLES if each[1] <= FEW])
async def test_numbers_that_decide_are_large_on_the_smallest_table(
    open_app: Any, game: str, people: int, look: ScreenVariant, *, has_long_names: bool
) -> None:
    """Flat at 480 px, main numbers, money and totals of five people are larger than the smallest letters."""
    table, rng, found = await laid(open_app, look), Random(3), []
    session = begin(game, people, look.lang, has_long_names=has_long_names)
    for answered in range(max(MOMENTS) + 1):
        if session.question is None:
            break
        if answered in MOMENTS:
            panels = await show(table, session, look)
            found += [
                f"{answered}: {size} on {panel.name}"
                for size, panel in deciding_digits(panels)
                if size < LEAST_DECIDING
            ]
        answer(session, rng)
    assert not found, f"{len(found)}\n" + "\n".join(found)


def find_marks_near_frame(panels: Sequence[Any]) -> Iterator[str]:
    """Yields each mark of a panel that is nearer to the panel's edge than the width of a frame."""
    from ui import theme

    for panel in panels:
        arranged, (x, y, width, height) = panel.arranged, panel.box
        boxes = [(arranged.token, "token")]
        boxes += [(one.ink_box, one.mark.visible_text) for one in [arranged.name, *arranged.marks]]
        for (left, bottom, box_width, box_height), text in boxes:
            right, top = left + box_width, bottom + box_height
            distance = min(left - x, bottom - y, x + width - right, y + height - top)
            if box_width and distance < theme.length.rim - 1:  # panels and texts are placed on whole pixels
                yield f"{text} {distance:.1f} on {panel.name} {panel.detail_level}"


@pytest.mark.sweep(4)
@pytest.mark.parametrize("look", [look for look in LOOKS if look.layout == "flat"], ids=variant_id)
@pytest.mark.parametrize(
    ("game", "people"), [(game, people) for game, people, has_long_names in TABLES if has_long_names]
)
async def test_nothing_is_near_the_edge_of_a_panel(
    open_app: Any, game: str, people: int, look: ScreenVariant
) -> None:
    """On a screen that lies flat, at every level of detail; the frame of who is asked is around the panel."""
    table, rng, found = await laid(open_app, look), Random(3), []
    session = begin(game, people, look.lang, has_long_names=True)
    for answered in range(max(MOMENTS) + 1):
        if session.question is None:
            break
        if answered in MOMENTS:
            panels = await show(table, session, look)
            found += [f"{answered}: {fault}" for fault in find_marks_near_frame(panels)]
        answer(session, rng)
    assert not found, f"{len(found)}\n" + "\n".join(found)


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("people", [2, 3])
async def test_long_names_leave_numbers_their_room(open_app: Any, people: int, lang: str) -> None:
    """On a low panel a long name is in two lines beside the coins, which are then larger than a note."""
    from ui import theme

    look = ScreenVariant("flat", (800, 480), lang)
    table, session, rng = (
        await laid(open_app, look),
        begin("mammon", people, lang, has_long_names=True),
        Random(3),
    )
    for _ in range(max(MOMENTS)):
        answer(session, rng)
    sizes = [size for size, _panel in deciding_digits(await show(table, session, look))]
    assert len(sizes) >= people
    assert min(sizes) > theme.length.note, sizes


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
async def test_numbers_on_a_table_can_be_read_from_two_metres(open_app: Any, size: tuple[int, int]) -> None:
    """While three people bid round the smallest screen, main numbers are at least half as high as panels."""
    look = ScreenVariant("flat", size, "en")
    table, session, rng = await laid(open_app, look), begin("egypt", 3, "en", has_long_names=False), Random(3)
    while len(session.steps) < 14 or not isinstance(session.question, Raise):
        answer(session, rng)
    for panel in await show(table, session, look):
        headline = panel.find_headline(panel.arranged)
        assert headline.line_height >= panel.height * 0.6, panel.visible_texts
