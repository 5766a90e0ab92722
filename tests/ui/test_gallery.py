"""The gallery of Any Game's templates: by touch from home to the set-up of a template."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.any_game_presets import SHIPPED
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import COLOURS, make_test_app
from tests.support.ui.screen_faults import find_faults

pytestmark = pytest.mark.usefixtures("without_motion")
LOOKS = [((800, 480), "en"), ((800, 480), "de"), ((480, 800), "ja")]
MORE_LOOKS = [
    (size, lang)
    for size in ((800, 480), (480, 800), (1280, 720), (720, 1280), (1920, 1080))
    for lang in ("en", "ja", "de")
]


def cards(table: Any) -> list[str]:
    """The templates on the page, in reading order."""
    from ui.widgets.keys.preset_card import PresetCard

    found = [widget for widget in table.widgets() if isinstance(widget, PresetCard)]
    found.sort(key=lambda card: (-card.y, card.x))
    return [card.name.removeprefix("template ") for card in found]


def shortened_texts(table: Any) -> list[str]:
    """The texts of cards that end in dots, which only own templates may."""
    from ui.widgets.keys.preset_card import PresetCard

    labels = [
        label
        for card in table.widgets()
        if isinstance(card, PresetCard)
        for label in (card.title_label, card.sentence_label, card.good_for_label)
    ]
    return [label.text for label in labels if label.shown_text != label.text]


async def test_each_template_is_three_touches_away_from_home(home: Any) -> None:
    """Any Game, a group, a card: then its set-up is there, and asks who plays."""
    reached = set[str]()
    for group in ("Money", "Points", "Cards", "Boards", "Auctions"):
        await home.tap("Any Game", f"group {group}")
        reached |= set(cards(home))
        await home.tap("close")
    assert reached == {"plain", *SHIPPED}
    await home.tap("Any Game", "group Cards", "template poker_tournament")
    assert "Poker tournament: who plays?" in home.texts()
    await home.tap("Begin")
    assert home.app.evening.current_session.began.options["template"] == "poker_tournament"


async def test_what_was_played_last_comes_first(home: Any) -> None:
    """It is two touches away; the way back from set-up leads to the gallery, and then home."""
    await home.tap("Any Game", "group Auctions", "template estate", "Begin")
    home.app.controller.leave_table()
    home.app.show_home()
    await home.wait_frames()
    await home.tap("Any Game")
    assert cards(home)[0] == "estate"
    await home.tap("template estate", "back")
    assert cards(home)[0] == "estate"
    await home.tap("close")
    assert {"Any Game", "Continue"} <= set(home.texts())


async def test_a_favourite_is_a_box_on_home(home: Any) -> None:
    """The star of set-up makes it one; the box leads to that set-up, and the star takes it away again."""
    await home.tap("Any Game", "group Cards", "template rummy", "favourite", "back", "close", "Rummy")
    assert "Rummy: who plays?" in home.texts()
    assert home.app.controller.load_remembered_value("favourite presets") == [["any_game", "rummy"]]
    await home.tap("favourite", "back")
    assert "Rummy" not in home.texts()
    assert "Any Game" in home.texts()


def test_every_sign_is_drawn() -> None:
    """A game names no sign that the screen doesn't know."""
    from companion.rules.preset_pictures import PICTURE_SIGNS
    from ui.widgets.pieces.preset_picture import _DRAW_FUNCTION_BY_SIGN

    assert tuple(sorted(_DRAW_FUNCTION_BY_SIGN)) == tuple(sorted(PICTURE_SIGNS))


def test_a_sign_that_nobody_knows_is_left_out() -> None:
    """Home is drawn from a file that another version may have saved; the other signs are drawn."""
    from kivy.uix.widget import Widget

    from companion.rules.preset_pictures import PresetPicture
    from ui.widgets.pieces.preset_picture import draw_preset_picture

    for signs in (("of tomorrow",), ("of tomorrow", "star")):
        widget = Widget()
        with widget.canvas:
            draw_preset_picture(PresetPicture(signs), "", (0.0, 0.0, 100.0, 100.0))
        assert widget.canvas.children


async def test_as_many_players_are_seated_as_the_template_suits(home: Any) -> None:
    """However many played the last game."""
    home.app.controller.remember_value("player count", 12)
    descriptions = home.app.evening.describe_presets(home.app.evening.game_with_presets("any_game"))
    most_players = {name: each.players[1] for name, each in descriptions.items() if each.players}
    template = min(most_players, key=lambda name: most_players[name])
    assert most_players[template] < 12
    home.app.home_flow.open_set_up("any_game", template)
    await home.wait_frames()
    assert home.app.stage.screen.seating.size == most_players[template]


async def test_a_template_that_is_gone_is_no_favourite(home: Any) -> None:
    """Its box goes with it."""
    home.app.controller.remember_value("favourite presets", [("any_game", "gone"), ("egypt", "gone")])
    home.app.controller.remember_value("recent presets", {"any_game": ["gone"]})
    home.app.show_home()
    await home.wait_frames()
    assert "gone" not in home.texts()
    await home.tap("Any Game")
    assert "gone" not in cards(home)


async def test_set_up_offers_only_what_the_template_uses(home: Any) -> None:
    """Points by round know no bids; sealed bids have all options, and no template is chosen there."""
    for template, expected in (
        ("points", {"tie_rule"}),
        ("estate", {"most", "pays", "tie_rule"}),
        ("dealers", {"most", "wins", "ties", "pays", "tie_rule"}),
        ("tournament", set()),
    ):
        home.app.home_flow.open_set_up("any_game", template)
        await home.wait_frames()
        assert {option.key for option in home.app.stage.screen._options} == {*expected, "clock of the table"}


async def test_the_gallery_leads_to_templates_of_our_own(home: Any) -> None:
    """A copy is made there, and stands first in the gallery, with a sentence about what it has."""
    await home.tap("Any Game", "own", "template plain", "copy", "Q", "done", "close", "close")
    assert cards(home)[0] == "q"
    assert "Our own: points, money, auctions." in home.texts()
    await home.tap("template q")
    assert "Q: who plays?" in home.texts()


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang"), MORE_LOOKS if SOAK else LOOKS, ids=str)
async def test_nothing_is_wrong_with_the_gallery(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    """All texts of all cards are whole, on each page; so is home with two favourites."""
    app = make_test_app(tmp_path / "state", lang=lang)
    table = await open_app(app, size)
    app.controller.remember_value("favourite presets", [("any_game", "poker"), ("any_game", "streets")])
    app.controller.start_new_game("egypt", ["あき", "べん", "ちえ"], COLOURS, {})
    app.controller.leave_table()
    await table.wait_frames()
    found = [f"home: {fault}" for fault in find_faults(table, size)]
    app.home_flow.open_gallery("any_game")
    for page in range(app.stage.screen.pager.page_count):
        app.stage.screen.pager.page = page
        await table.wait_frames()
        found += [f"page {page}: {fault}" for fault in find_faults(table, size)]
        found += [f"page {page}: shortened: {text}" for text in shortened_texts(table)]
    assert not found, "\n".join(found)
