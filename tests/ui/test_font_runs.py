"""Text in scripts that the theme's own fonts lack."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from companion import installed_games
from companion.log.log import MemoryLog
from companion.session.session import Session
from tests.support.ui.screen_variants import ScreenVariant
from tests.ui.test_every_table import LOOKS, RECORDED, called, laid, played

LINES = {
    "Ștefan bids 12.": [("Ștefan", "Noto Sans"), (" bids 12.", None)],
    "张伟: 5": [("张伟", "Droid Sans Fallback"), (": 5", None)],
    "한국 😀 ปู่": [
        ("한국", "Droid Sans Fallback"),
        (" ", None),
        ("😀", "Noto Emoji"),
        (" ", None),
        ("ปู่", "Noto Sans Thai"),
    ],
    "אבי bids 12.": [("אבי", "Noto Sans Hebrew"), (" bids 12.", None)],
    "אבי כהן bids 12.": [
        ("כהן", "Noto Sans Hebrew"),
        (" ", None),
        ("אבי", "Noto Sans Hebrew"),
        (" bids 12.", None),
    ],
    "אבי 12 כהן": [
        ("כהן", "Noto Sans Hebrew"),
        (" ", None),
        ("12", None),
        (" ", None),
        ("אבי", "Noto Sans Hebrew"),
    ],
    "علي → אבי": [("אבי", "Noto Sans Hebrew"), (" → ", None), ("علي", "Noto Sans Arabic")],
}
"""Lines, and their runs from left to right as the Unicode bidirectional algorithm orders them."""


@pytest.fixture(autouse=True)
def fonts(kivy_window: Any) -> None:
    """The theme's fonts, by name."""
    from ui.widgets.drawing.text import load_fonts

    load_fonts()


@pytest.mark.parametrize("line", LINES)
def test_each_word_is_drawn_in_a_font_that_has_its_letters(line: str) -> None:
    """Runs stand in visual order; the label's own font draws whatever it can."""
    from ui.widgets.drawing.font_runs import split_into_font_runs

    assert [tuple(run) for run in split_into_font_runs(line)] == LINES[line]


def _pixels(text: str, *, bold: bool = False) -> bytes:
    from ui import theme
    from ui.widgets.drawing.font_runs import FallbackLabel

    label = FallbackLabel(text=text, font_size=40, font_name=theme.TEXT_FONT, bold=bold)
    label.refresh()
    return bytes(label.texture.pixels)


@pytest.mark.parametrize("letter", list("ș张한あ花😀אعปĂ😁"))
def test_no_letter_is_drawn_as_a_box(letter: str) -> None:
    """Every letter that is accepted looks different from the box of an unknown one, in both weights."""
    for bold in (False, True):
        assert _pixels(letter, bold=bold) != _pixels("\U000e0fff", bold=bold)
        assert any(_pixels(letter, bold=bold))


def test_arabic_letters_are_joined() -> None:
    """A letter inside a word has another shape than alone."""
    from ui.widgets.drawing.font_runs import FallbackLabel

    label = FallbackLabel(font_size=40)
    label.resolve_font_name()
    alone, joined = (label.get_extents(text)[0] for text in ("ع", "ععع"))
    assert joined < 2.7 * alone


def test_a_line_is_as_wide_as_its_runs() -> None:
    """Measuring and drawing agree, so that nothing is cut at the right."""
    from ui import theme
    from ui.widgets.drawing.font_runs import FallbackLabel

    for line in LINES:
        label = FallbackLabel(text=line, font_size=40, font_name=theme.TEXT_FONT)
        label.refresh()
        width, height = label.texture.size
        pixels = bytes(label.texture.pixels)
        alpha = pixels[3::4]
        columns = [any(alpha[x::width]) for x in range(width)]
        assert (width, height) == label.get_extents(line)
        assert any(columns[:8]), line
        assert any(columns[-8:]), line


def test_marks_stay_inside_their_line() -> None:
    """Letters with as many marks as are accepted touch neither the top nor the bottom of their picture."""
    from ui import theme
    from ui.widgets.drawing.font_runs import FallbackLabel

    for text in (*"\u1eac\u1e68\u1ea4", "j\u0303\u0302", "S\u0301\u0331", "ที่ปู่", "\u0634\u064e\u0651", "שַּׁבָּת"):
        label = FallbackLabel(text=text, font_size=40, font_name=theme.TEXT_FONT)
        label.refresh()
        width = label.texture.width
        alpha = bytes(label.texture.pixels)[3::4]
        assert not any(alpha[:width]), text
        assert not any(alpha[-width:]), text


LABEL_WIDTHS = (112, 132)
"""Widths at which the label of a dial takes two lines."""


VISIBLE_ALPHA = 128
"""The least opacity of a line, added up over its height, at which people see it: half a pixel."""


@pytest.mark.parametrize("weight", ["regular", "bold"])
@pytest.mark.parametrize("line_height", [1.0, 1.12])
def test_an_underscore_can_be_seen_at_every_size(weight: str, line_height: float) -> None:
    """A name with underscores, as many networks have, looks different from one with spaces."""
    from ui import theme
    from ui.widgets.drawing.font_runs import FallbackLabel

    for font_size in range(12, 41):
        options = {"font_size": font_size, "bold": weight == "bold", "line_height": line_height}
        label = FallbackLabel(text="___", font_name=theme.TEXT_FONT, **options)
        label.refresh()
        column = bytes(label.texture.pixels)[3::4][2 :: label.texture.width]
        assert sum(column) >= VISIBLE_ALPHA, font_size


async def test_a_dial_of_a_name_in_another_script_is_not_overprinted(open_app: Any) -> None:
    """Two lines of a label are as high as their fonts make them, and the number keeps clear of them."""
    from tests.support.ui.screen_sizes import make_bare_app
    from tests.support.ui.text_checks import ink_box_in_window
    from ui import theme
    from ui.widgets.keys.steppers import TypableStepper

    table = await open_app(make_bare_app(), (480, 800))
    for name, label_width, height in product(NAMES, LABEL_WIDTHS, (64, 68, 72, 80)):
        dial = TypableStepper(
            "dial", text=f"{name}'s coin", most=10, shows_limit=True, size_hint=(None, None)
        )
        dial.size = (label_width + 2 * theme.length.target, height)
        table.app.stage.add_widget(dial)
        await table.wait_frames(2)
        label, number = (ink_box_in_window(each) for each in (dial.number.label, dial.number.number))
        assert label[1] >= number[3] - 0.5 or label[2] <= number[0], (name, label_width, height)
        table.app.stage.remove_widget(dial)


NAMES = ["Ștefan 😀", "محمد علي", "אבי כהן", "ปู่กนกวรรณ", "한국 张伟"]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("look", LOOKS, ids=called)
@pytest.mark.parametrize("game", RECORDED)
async def test_names_in_every_script_fit(open_app: Any, game: str, look: Any) -> None:
    """Players with names in Arabic, Hebrew, Thai, Hangul, Chinese and emoji are asked every question."""
    rules, look = installed_games.playable_game(game), ScreenVariant(*look)
    session = Session.begin(rules, NAMES[: rules.players[1]], {}, MemoryLog(), seed=7)
    assert await played(await laid(open_app, look), session, look)
