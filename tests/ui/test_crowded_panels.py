"""Panels of Any Game's templates with names of twenty letters: no word is broken, no number is hidden."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from random import Random
from typing import Any

import pytest

from companion import installed_games
from companion.languages import languages
from companion.log.log import MemoryLog
from companion.rulebook import Deck
from companion.session.session import Session
from companion.session.view import make_view
from tests.any_game_presets import SHIPPED, deck_of, read
from tests.support.games.any_game_helpers import NO_DIRECTORY
from tests.support.long_names import PEOPLE
from tests.support.ui.screen_faults import MANY_PANELS
from tests.support.ui.screen_variants import ScreenVariant, variant_id
from tests.ui.test_bid_tiles import TILES, tiles_template
from tests.ui.test_every_table import PLANS, ROOMY, answer, laid

pytestmark = pytest.mark.usefixtures("without_motion")
LOOKS = [
    ScreenVariant(plan, size, lang)
    for plan, sizes in PLANS.items()
    for size, lang in product(sizes, languages())
]
MOMENTS = (0, 8, 24)
"""Numbers of answers after which panels are looked at."""
FEW = 5
"""The largest group whose panels show every number on each screen that stands in landscape."""
LONGEST_WHOLE_WORD_EM = 9
"""A word of a name that is wider, in heights of the smallest letters, may be broken."""


def begin(template: str, people: int, look: ScreenVariant) -> Session:
    """A game of a shipped template, or of one with tiles to bid with, by that many people with long names."""
    deck: Deck = (
        read(tiles_template(template), "own.toml") if template in TILES else deck_of(template, NO_DIRECTORY)
    )
    options = {} if template in TILES else {"template": template}
    game, names = installed_games.playable_game("any_game"), PEOPLE[look.lang][:people]
    return Session.begin(game, names, options, MemoryLog(), deck_by_name={"any_game": deck}, seed=7)


def find_broken_names(panels: list[Any]) -> Iterator[str]:
    """Names with a word over two lines, or with a part of a word before "…", although the word has room.

    Only a word that is wider than a panel without everything else beside the name may be broken.
    """
    from ui import theme
    from ui.widgets.drawing.line_breaking import find_name_parts
    from ui.widgets.drawing.text import measure_text_width

    def letters(text: str) -> str:
        return re.sub("[ ・…]", "", text)

    max_word_width = LONGEST_WHOLE_WORD_EM * theme.length.smallest
    for panel in panels:
        parts, lines = find_name_parts(panel.seat.name)[-1], panel.name_lines
        ends = {letters("".join(parts[:count])) for count in range(len(parts) + 1)}
        shown = [letters("".join(lines[:count])) for count in range(1, len(lines) + 1)]
        beginning = parts[0].strip().removesuffix("・")
        is_narrow = (
            measure_text_width(beginning, theme.length.smallest) > panel.width - _least_width_beside_name()
        )
        has_long_word = any(
            measure_text_width(part.strip(), theme.length.smallest) > max_word_width for part in parts
        )
        if not ends.issuperset(shown) and not is_narrow and not has_long_word:
            yield f"{panel.seat.name} is broken: {lines} on {panel.detail_level}"


def _least_width_beside_name() -> float:
    """Returns the width of margins and token on a panel that has nothing else beside the name."""
    from ui import theme

    return theme.length.glyph + 2.2 * theme.length.gap


def find_hidden_numbers(panels: list[Any], look: ScreenVariant) -> Iterator[str]:
    """Panels that only count what they leave out, or show no more than the headline where there is room."""
    from ui.widgets.pieces.marks import LeftOutCountBadge

    is_roomy = len(panels) <= (MANY_PANELS if min(look.size) >= ROOMY else FEW) and (
        look.layout == "landscape" or min(look.size) >= ROOMY
    )
    for panel in panels:
        counted = [one.mark.visible_text for one in panel.placed if isinstance(one.mark, LeftOutCountBadge)]
        if counted:
            yield f"{counted} on {panel.name}"
        if is_roomy and panel.detail_level not in ("everything", "condensed"):
            yield f"{panel.name} shows only {panel.detail_level}"


@pytest.mark.sweep(1)
@pytest.mark.parametrize("look", LOOKS, ids=variant_id)
@pytest.mark.parametrize("people", [3, FEW, 8, 12])
@pytest.mark.parametrize("template", [*SHIPPED, *TILES])
async def test_long_names_hide_no_number(
    open_app: Any, template: str, people: int, look: ScreenVariant
) -> None:
    """At the beginning, and after some answers; all panels of a table show equally much."""
    from ui.screens.play import PlayScreen

    table, session, rng, found = await laid(open_app, look), begin(template, people, look), Random(3), []
    for answered in range(max(MOMENTS) + 1):
        if session.question is None:
            break
        if answered in MOMENTS:
            view, scene = make_view(session), session.scene
            table.app.stage.replace_screen(
                lambda view=view, scene=scene: PlayScreen(
                    view=view, scene_function=scene, layout_name=look.layout, has_clocks=False
                )
            )
            await table.wait_frames(3)
            panels = [*table.app.stage.screen.panels.values()]
            assert len({panel.detail_level for panel in panels}) == 1
            faults = [*find_broken_names(panels), *find_hidden_numbers(panels, look)]
            found += [f"{answered} {session.question.log_key}: {fault}" for fault in faults]
        answer(session, rng)
    assert not found, f"{len(found)}\n" + "\n".join(found)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("template", "lang"), [*product(["workers", *TILES], languages())])
async def test_five_people_see_all_goods_and_tiles_on_the_smallest_screen(
    open_app: Any, template: str, lang: str
) -> None:
    """At 800×480 each panel lists every number of the template and every tile of the player."""
    await test_long_names_hide_no_number(
        open_app, template, FEW, ScreenVariant("landscape", (800, 480), lang)
    )


@pytest.mark.parametrize(("template", "lang"), [("rummy", "de"), ("poker_tournament", "ja")])
async def test_twelve_people_see_all_badges_on_the_smallest_screen(
    open_app: Any, template: str, lang: str
) -> None:
    """At 800×480 each panel says who deals and who comes later, whose 0 makes room for that."""
    await test_long_names_hide_no_number(open_app, template, 12, ScreenVariant("landscape", (800, 480), lang))
