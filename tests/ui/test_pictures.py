"""Every screen and widget drawn at both sizes and in both languages.

The pictures go where `COMPANION_PICTURES` says, for eyes; the test itself sees that nothing is cut.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.ui.app_helpers import COLOURS, NAMES, make_test_app
from tests.support.ui.screen_sizes import SIZES, SIZES_AND_LONG_WORDS, make_bare_app
from tests.support.ui.text_checks import check_all_texts_are_whole

PEOPLE = [("アキ", "orange"), ("Ben", "sky"), ("ちえ", "green"), ("ダイスケ", "vermilion")]


@pytest.fixture
def album(tmp_path: Path) -> Path:
    """Where the pictures go."""
    folder = Path(os.environ.get("COMPANION_PICTURES", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    return folder


async def _take(table: Any, file: Path) -> None:
    await table.take_screenshot(file)
    check_all_texts_are_whole(table.widgets())


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LONG_WORDS)
async def test_no_text_is_cut_on_home(
    open_app: Any, album: Path, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    """With and without an open game."""
    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    end = f"{lang}-{size[0]}.png"
    await _take(table, album / f"home-fresh-{end}")
    table.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    table.app.controller.leave_table()
    await _take(table, album / f"home-{end}")


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LONG_WORDS)
async def test_no_text_is_cut_in_set_up(
    open_app: Any, album: Path, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    """People, the choice of a piece, the rules, a number."""
    app = make_test_app(tmp_path / "state", lang=lang)
    table = await open_app(app, size)
    end = f"{lang}-{size[0]}.png"
    app.open_game_setup("sealed_bid")
    await table.wait_frames()
    await table.tap("more players", "more players", "more players")
    await _take(table, album / f"people-{end}")
    app.stage.screen._ask_colour(0)
    await _take(table, album / f"piece-{end}")
    await table.tap(app.tr("Cancel"))
    app.stage.screen._show_rules()
    await _take(table, album / f"rules-{end}")
    await table.tap("start")
    await _take(table, album / f"number-{end}")


def _pieces() -> dict[str, Any]:
    from kivy.uix.boxlayout import BoxLayout

    from ui import theme
    from ui.widgets.keys.icon_bar import IconBar
    from ui.widgets.keys.keyboard import Keyboard
    from ui.widgets.keys.number_pad import NumberPad
    from ui.widgets.seats.envelope import Envelope
    from ui.widgets.seats.private_view import HandOverCover
    from ui.widgets.sheets.overlays import Dialog

    def row() -> Any:
        length = theme.length
        box = BoxLayout(padding=length.space, spacing=length.space)
        box.add_widget(IconBar(label_by_name={"language": "日本語"}, size_hint_x=None, width=length.bar))
        for at, (name, colour) in enumerate(PEOPLE):
            envelope = Envelope(colour=colour, name=name, is_waiting=at == 0)
            if at > 1:
                envelope.open(f"{12 * at}")
                envelope.skip_animation()
                envelope.is_winner = at == 3
            box.add_widget(envelope)
        return box

    return {
        "cover": lambda: HandOverCover(
            colour="green", text="ちえさんの番です", hint="一人で見て触れてください"
        ),
        "dialog": lambda: Dialog(
            title="Take back the last answer?",
            text="Ben paid 3.\nGive Ben 3 cards back from the bank.",
            answers=[("no", "Keep it", "paper"), ("yes", "Take it back", "danger")],
        ),
        "envelopes": row,
        "latin": lambda: Keyboard(text="Aki", heading="Name of seat 1"),
        "pad": lambda: NumberPad(least=5, most=99, limits_text="From 5 to 99", padding=theme.length.space),
        "kana": lambda: Keyboard(
            script="katakana", text="アキ", heading="席1の名前", done_text="決定", cancel_text="やめる"
        ),
    }


@pytest.mark.sweep(1)
@pytest.mark.parametrize("size", SIZES)
async def test_no_text_is_cut_on_any_piece(open_app: Any, album: Path, size: tuple[int, int]) -> None:
    """The pieces that play screens are made of."""
    app = make_bare_app()
    table = await open_app(app, size)
    for name, make in _pieces().items():
        app.stage.replace_screen(make)
        await _take(table, album / f"{name}-{size[0]}.png")
