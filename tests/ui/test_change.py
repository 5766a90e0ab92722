"""Money that moves is seen: a sign such as +150 beside both numbers, and a coin that slides between them."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from companion import installed_games
from companion.actions import UNDO
from companion.log.log import MemoryLog
from companion.recorded_match import load_recorded_events, replay_until
from companion.rules.scene_views import MatView
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.moves import PieceMove
from tests.any_game_presets import deck_of
from tests.support.games.any_game_helpers import NO_DIRECTORY
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions
from tests.support.ui.play_screen_game import NAMES as TWELVE_NAMES
from tests.support.ui.screen_variants import (
    SCREEN_VARIANTS,
    ScreenVariant,
    variant_id,
)
from tests.ui.test_every_table import laid
from tests.ui.test_signs_at_numbers import faults_of_signs

pytestmark = pytest.mark.usefixtures("without_motion")


def changes(table: Any) -> dict[str, str]:
    """What is written beside the numbers on the strips."""
    strips = table.app.stage.screen.panels.values()
    return {
        strip.seat.name: text
        for strip in strips
        for text in strip.visible_texts
        if text[0] in "+−" and len(text) > 1
    }


def pay(table: Any, source: str, target: str, count: int) -> None:
    """Moves money by hand."""
    money = {
        one.place.seat.name if one.place.seat else one.place.key: one
        for one in table.app.evening.table.ledger
        if one.piece.money_value
    }
    move = PieceMove(money[source].piece, money[source].place, money[target].place, count)
    table.app.controller.correct_by_hand([move], "paid")


async def begin_train(home: Any) -> Any:
    """Three people who own train companies."""
    home.app.controller.start_new_game("any_game", NAMES, COLOURS, {"template": "train"})
    await home.wait_frames()
    return home


@pytest.fixture
async def train(home: Any) -> Any:
    """Three people who own train companies."""
    return await begin_train(home)


async def test_a_payment_is_seen_on_both_strips_until_the_next_answer(
    monkeypatch: pytest.MonkeyPatch, home: Any
) -> None:
    """Who paid has less by so much, who was paid more; the signs of an older answer would mislead."""
    from ui import theme

    monkeypatch.setattr(theme, "CHANGE_SIGN_SECONDS", 600.0)
    train = await begin_train(home)
    assert changes(train) == {}
    pay(train, "Aki", "Ben", 150)
    await train.wait_frames()
    assert changes(train) == {"Aki": "−150", "Ben": "+150"}
    await train.tap("Payment", "pay otherwise")
    assert changes(train) == {}
    pay(train, "ちえ", "bank", 30)
    await train.wait_frames()
    assert changes(train) == {"ちえ": "−30"}


async def test_another_game_tells_no_change(train: Any) -> None:
    """Although it is shown on the same screen, with more money."""
    screen = train.app.stage.screen
    train.app.controller.start_new_game("any_game", NAMES, COLOURS, {"template": "property"})
    await train.wait_frames()
    assert train.app.stage.screen is screen
    assert changes(train) == {}
    assert not [text for text in screen.middle.visible_texts if text.startswith("+")]


async def test_going_back_tells_no_change(train: Any) -> None:
    """It puts things as they were."""
    pay(train, "Aki", "Ben", 150)
    train.app.controller.run_table_action(UNDO, {})
    await train.wait_frames()
    assert changes(train) == {}


async def test_a_covered_number_tells_no_change(train: Any) -> None:
    """Nor one that is laid open: by how much it changed under cover is nobody's business."""
    from ui.widgets.seats.panel_changes import NumberChanges

    play = train.app.stage.screen
    seen, mats = play.view, play.scene_view.mats

    def shown(value: int | None) -> list[MatView]:
        return [replace(mat, headline=replace(mat.headline, value=value), cells=()) for mat in mats]

    changes = NumberChanges()
    for value, told in ((400, set()), (None, set()), (350, set()), (340, {-10})):
        changes.update(replace(seen), shown(value), is_restored=False)
        assert {by for each in changes.changes_by_seat.values() for by in each.values()} == told


async def test_only_a_number_that_says_who_leads_tells_its_change(home: Any) -> None:
    """Cards that are dealt to everybody would only be noise."""
    home.app.controller.start_new_game("egypt", NAMES, COLOURS, {})
    answer_questions(home.app.controller, "1", True)
    await home.wait_frames()
    assert changes(home) == {}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("template", ["property", "auction", "train"])
async def test_money_never_moves_without_a_sign(home: Any, template: str) -> None:
    """Be it the number that matters most or a cell beside it: who paid has less, who was paid more."""
    home.app.controller.start_new_game("any_game", NAMES, COLOURS, {"template": template})
    await home.wait_frames()
    pay(home, "Aki", "Ben", 37)
    await home.wait_frames()
    assert changes(home) == {"Aki": "−37", "Ben": "+37"}


async def test_the_salary_is_seen_and_told(home: Any) -> None:
    """The bank pays it: a sign on the strip, and a sentence."""
    home.app.controller.start_new_game("any_game", NAMES, COLOURS, {"template": "property"})
    answer_questions(home.app.controller, "salary", "1")
    await home.wait_frames()
    assert changes(home) == {"Aki": "+200"}
    assert "Bank pays Aki 200." in home.app.stage.screen.notes.label.text


async def test_a_sign_goes_after_some_seconds(monkeypatch: pytest.MonkeyPatch, home: Any) -> None:
    """It doesn't go while a dialog covers the table; then nothing more is drawn."""
    from ui import theme
    from ui.pages import show_message

    monkeypatch.setattr(theme, "CHANGE_SIGN_SECONDS", 0.0)
    train = await begin_train(home)
    pay(train, "Aki", "Ben", 150)
    notice = show_message("Understood?")
    await train.wait_frames(5)
    assert changes(train) == {"Aki": "−150", "Ben": "+150"}
    notice.close()
    await train.wait_until(lambda: changes(train) == {})
    frames: list[object] = []
    await train.wait_frames(5)
    train.window.bind(on_flip=frames.append)
    await train.wait_frames(2)  # what was changed before anybody looked
    frames.clear()
    await train.wait_frames(10)
    train.window.unbind(on_flip=frames.append)
    assert frames == []


async def test_a_coin_slides_until_a_touch(monkeypatch: pytest.MonkeyPatch, home: Any) -> None:
    """It goes from the payer's panel to the payee's; the touch that ends it does what it always does."""
    from ui import theme
    from ui.widgets.seats.sliding_coins import SlidingCoins

    train = await begin_train(home)
    monkeypatch.setattr(theme, "reduced_motion", False)
    monkeypatch.setattr(theme, "COIN_SLIDE_SECONDS", 600.0)

    def coins() -> list[Any]:
        return [widget for widget in train.app.stage.screen.children if isinstance(widget, SlidingCoins)]

    pay(train, "Aki", "Ben", 150)
    await train.wait_frames()
    (sliding,) = coins()
    ((_, start, end),) = sliding.find_slides()
    panels = {panel.seat.name: panel.parent for panel in train.app.stage.screen.panels.values()}
    assert panels["Aki"].collide_point(*start)
    assert panels["Ben"].collide_point(*end)
    await train.tap("Payment")
    assert coins() == []
    await train.tap("pay otherwise")
    assert train.app.controller.view.question.text.template == "Who pays?"


async def test_a_coin_begins_with_the_new_numbers(monkeypatch: pytest.MonkeyPatch, home: Any) -> None:
    """All of the table is drawn in one frame only; the next one draws the coin over a picture."""
    from kivy.clock import Clock

    from ui import theme

    train = await begin_train(home)
    monkeypatch.setattr(theme, "reduced_motion", False)
    monkeypatch.setattr(theme, "COIN_SLIDE_SECONDS", 600.0)
    await train.wait_frames()
    shown: list[tuple[bool, bool, bool]] = []

    def note(_window: object) -> None:
        play_screen, picture = train.app.stage.screen, train.app.still_picture
        shown.append((changes(train) != {}, play_screen._money._coins is not None, picture.is_shown))

    train.window.bind(on_flip=note)
    await train.wait_frames(5)  # what was changed before anybody looked
    shown.clear()
    Clock.schedule_once(lambda _: pay(train, "Aki", "Ben", 150), -1)  # as late in a frame as a touch
    await train.wait_frames(3)
    train.window.unbind(on_flip=note)
    assert shown[:2] == [(True, True, True)] * 2
    train.app.stage.screen._money.end_slide()


async def test_with_reduced_motion_no_coin_slides(train: Any) -> None:
    """The signs say it all."""
    before = len(train.app.stage.screen.children)
    pay(train, "Aki", "bank", 30)
    await train.wait_frames()
    assert len(train.app.stage.screen.children) == before


@pytest.mark.sweep(2)
@pytest.mark.parametrize("people", [3, 4, 5, 8, 12])
@pytest.mark.parametrize("look", SCREEN_VARIANTS, ids=variant_id)
async def test_a_sign_has_room(open_app: Any, look: ScreenVariant, people: int) -> None:
    """At least one, on every panel at every look; on the smallest panels in small letters.

    Beside a name in one long word, as one of the twelve has, a sign has no room behind any digits to be read.
    """
    from ui.screens.play import PlayScreen

    trains = {"any_game": deck_of("train", NO_DIRECTORY)}
    game, names = installed_games.playable_game("any_game"), TWELVE_NAMES[:people]
    session = Session.begin(game, names, {"template": "train"}, MemoryLog(), deck_by_name=trains, seed=1)
    table = await laid(open_app, look)
    table.app.stage.replace_screen(
        lambda: PlayScreen(view=make_view(session), scene_function=session.scene, layout_name=look.layout)
    )
    await table.wait_frames(2)
    play = table.app.stage.screen
    for panel in play.panels.values():
        panel.number_changes = {-1: -37, 0: -37}
    await table.wait_frames(2)
    signs = {panel.seat.name: {sign.text for sign in panel._signs} for panel in play.panels.values()}
    without = [name for name, texts in signs.items() if texts != {"−37"}]
    assert without in ([], [TWELVE_NAMES[-1]])


@pytest.mark.parametrize(
    ("look", "people"),
    [
        (ScreenVariant("landscape", (800, 480), "de"), 12),
        (ScreenVariant("landscape", (800, 480), "de"), 5),
        (ScreenVariant("flat", (800, 480), "de"), 12),
        (ScreenVariant("upright", (480, 800), "ja"), 12),
    ],
    ids=str,
)
async def test_a_sign_has_room_in_a_crowd(open_app: Any, look: ScreenVariant, people: int) -> None:
    """Every panel whose number changed has a sign, also the smallest one with the longest name."""
    from tests.support.long_names import PEOPLE
    from ui.screens.play import PlayScreen

    decks = {"any_game": deck_of("property", NO_DIRECTORY)}
    game, names = installed_games.playable_game("any_game"), PEOPLE[look.lang][:people]
    options = {"template": "property"}
    session = Session.begin(game, names, options, MemoryLog(), deck_by_name=decks, seed=1)
    table = await laid(open_app, look)
    table.app.stage.replace_screen(
        lambda: PlayScreen(view=make_view(session), scene_function=session.scene, layout_name=look.layout)
    )
    await table.wait_frames(2)
    for change in (3, -37):
        for panel in table.app.stage.screen.panels.values():
            panel.number_changes = {-1: change}
        await table.wait_frames(2)
        for panel in table.app.stage.screen.panels.values():
            assert len(panel._signs) == 1, (panel.seat.name, panel.visible_texts, panel.size)


MATCHES_AT_LOOKS = [
    ("mammon", ScreenVariant("landscape", (800, 480), "en")),
    ("mammon", ScreenVariant("flat", (800, 480), "en")),
    ("bidders", ScreenVariant("upright", (480, 800), "ja")),
    ("oyakata", ScreenVariant("landscape", (800, 480), "ja")),
]
if SOAK:
    MATCHES_AT_LOOKS += product(("bidders", "egypt", "high_bid", "mammon", "oyakata"), SCREEN_VARIANTS)


@pytest.mark.sweep(4)
@pytest.mark.parametrize(("game", "look"), MATCHES_AT_LOOKS, ids=str)
async def test_a_sign_hides_nothing_and_touches_its_number(
    open_app: Any, game: str, look: ScreenVariant
) -> None:
    """It is right behind it, as large as the others, although all numbers of a match change at once."""
    from ui.screens.play import PlayScreen

    table, match, signs = await laid(open_app, look), load_recorded_events(game), list[Any]()
    for share in (0.1, 0.4, 0.7):
        session = replay_until(match, int(max(getattr(event, "n", 0) for event in match) * share))
        table.app.stage.replace_screen(
            lambda session=session: PlayScreen(
                view=make_view(session), scene_function=session.scene, layout_name=look.layout
            )
        )
        await table.wait_frames(2)
        play = table.app.stage.screen
        for panel in play.panels.values():
            cells = [(-1, panel.mat.headline), *enumerate(panel.mat.cells)]
            panel.number_changes = {index: -4 for index, cell in cells if cell and cell.shows_change}
        play.middle.amount_changes = {
            (holding.place, holding.piece): 3
            for holding in play.view.holdings
            if holding.piece.is_money and holding.place.seat is None
        }
        await table.wait_frames(2)
        for widget in (*play.panels.values(), play.middle):
            signs += widget._signs
            assert not [*faults_of_signs(widget)]
    assert signs
