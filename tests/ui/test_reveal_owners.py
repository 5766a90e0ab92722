"""On a reveal, people see whose envelope is whose, and which one has won."""

from __future__ import annotations

from typing import Any

import pytest

from companion.session.view import make_view
from tests.support.ui.play_screen_game import begin_session
from tests.support.ui.screen_faults import box_in_window, contrast_ratio
from tests.support.ui.screen_variants import ScreenVariant
from tests.support.ui.text_checks import check_text_is_whole, ink_box_in_window
from tests.ui.test_every_table import laid
from tests.ui.test_reveals import three_bids

pytestmark = pytest.mark.usefixtures("without_motion")
LEAST_CONTRAST = 3
"""Contrast that people need to tell two colours of a drawing apart."""


async def open_reveal(open_app: Any, look: ScreenVariant, people: int) -> tuple[Any, Any]:
    """The reveal of a sealed round of so many people, all open; the first one has won."""
    from ui.screens.reveal import RevealScreen

    table = await laid(open_app, look)
    session = begin_session(three_bids, people)
    for seat in session.table.seats:
        session.put_answer_in_envelope(session.question_number, seat, seat.number)
    reveal = RevealScreen(make_view(session))
    table.app.stage.show_overlay(reveal)
    reveal.skip_to_end()
    await table.wait_frames(8)
    return table, reveal


@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (1920, 1080)])
@pytest.mark.parametrize("people", [4, 8])
async def test_every_token_of_a_reveal_can_be_recognised(
    open_app: Any, size: tuple[int, int], people: int
) -> None:
    """It is at least as large as a sign in a text, on the envelope or beside the name."""
    from ui import theme

    _, reveal = await open_reveal(open_app, ScreenVariant("landscape", size, "en"), people)
    for bar in reveal.bars.values():
        x, y, width, height = bar.token_box()
        assert width >= theme.length.glyph - 1, bar.name
        assert bar.x <= x
        check_text_is_whole(bar.name_label)
        if x + width < bar.name_label.x:
            name = ink_box_in_window(bar.name_label)
            assert name[1] <= y + height / 2 <= name[3] + 1, bar.name


async def test_the_ring_of_a_winner_stands_out_from_the_colour_of_any_player(open_app: Any) -> None:
    """Beside the player's colour it is clearly darker, and its outer edge is light on the felt."""
    from ui import theme

    table, reveal = await open_reveal(open_app, ScreenVariant("landscape", (1280, 720), "en"), 4)
    (winner,) = [bar for bar in reveal.bars.values() if bar.is_winner]
    for colour, look in theme.PLAYER_LOOKS.items():
        winner.colour = colour
        await table.wait_frames(2)
        picture = table.app.stage.export_as_image().texture
        left, low, _, high = box_in_window(winner)
        x, y, _, height = winner.body_box()
        column, row = round(left + x - winner.x), picture.height - round(low + y - winner.y + height / 2)
        assert low < high
        rim = theme.length.rim

        def pixel(at: float, row: int = row, picture: Any = picture) -> list[float]:
            start = 4 * (row * picture.width + round(at))
            return [part / 255 for part in picture.pixels[start : start + 3]]

        edge, inner, outer = (pixel(column + share * rim) for share in (0.5, -0.5, -1.5))
        assert contrast_ratio(edge, look.colour) < LEAST_CONTRAST
        assert contrast_ratio(edge, inner) >= LEAST_CONTRAST - 0.2, colour
        assert contrast_ratio(inner, outer) >= LEAST_CONTRAST, colour
