"""A panel that lies flat among the cards: everybody's strip at their side, touches where things are drawn."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import installed_games
from companion.actions import PUT_AWAY
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events
from companion.requests import Amount, Choose, Done, Raise, Together
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.table import Table
from companion.texts import say
from tests.support.games.script_helpers import repeat_step
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import COLOURS, NAMES, make_test_app
from tests.support.ui.screen_faults import find_faults, visible_widgets
from tests.support.ui.screen_variants import ScreenVariant
from tests.ui.test_every_table import answer, laid, sort_of
from tests.ui.test_play import in_window

SIZES = [(1280, 720), (720, 1280), (1920, 1080)]
SMALL_SIZES = [(800, 480), (480, 800)]
RECORDED = ["egypt", "high_bid", "mammon", "oyakata"]
GAMES_AND_SIZES = [*(product(RECORDED, SMALL_SIZES) if SOAK else zip(RECORDED, SMALL_SIZES * 2, strict=True))]
"""In a sample, each game has one of the sizes."""
PEOPLE = ("Aki", "Ben", "Chie", "Dai")
PRICE_COUNT = 4
"""What the four sections of the board in High Bid pay for the lot."""


async def round_of_questions(table: Table) -> None:
    """Everybody chooses, then says a number; then the whole table does something."""
    for seat in table.seats:
        await Choose(seat, say("Red or blue?"), {"red": say("Red"), "blue": say("Blue")})
        await Amount(seat, say("How many?"), 0, 99)
    await Done(None, say("Turn the tile"))


@pytest.fixture
async def flat(open_small_game: Any, request: pytest.FixtureRequest) -> Any:
    """Five people round a panel that lies flat."""
    size, players = request.param
    table, game = await open_small_game(round_of_questions, size, players=players)
    game.play_screen.layout_name = "flat"
    await table.wait_frames(4)
    return table, game


@pytest.mark.sweep(1)
@pytest.mark.parametrize("flat", [(size, 4) for size in SIZES], indirect=True)
async def test_every_question_turns_to_who_is_asked(flat: Any) -> None:
    """Its keys are answered by touches where they are drawn, at each of the four sides."""
    table, game = flat
    turned = set[int]()
    while len(game.answers) < 8:
        turned.add(int(game.play_screen.centre.quarter_turns))
        asked = game.session.question.seat
        assert table.app.stage.side_by_seat[asked] == game.play_screen.centre.quarter_turns
        await table.tap(*(["blue"] if isinstance(game.session.question, Choose) else ["7", "confirm"]))
    assert game.answers == ["blue", 7] * 4
    assert turned == {0, 1, 2, 3}


@pytest.mark.sweep(1)
@pytest.mark.parametrize("game", RECORDED)
@pytest.mark.parametrize("size", SMALL_SIZES)
async def test_every_question_of_a_recorded_match_faces_who_is_asked(
    open_app: Any, game: str, size: tuple[int, int]
) -> None:
    """However large its form is, and however short the side: nobody bids or pays upside down."""
    from ui.screens.play import PlayScreen

    began, *_ = events = load_recorded_events(game)
    log = MemoryLog([began])
    session = Session(installed_games.playable_game(game), log, log)
    session.answer_for_absent_players()
    table, seen = await laid(open_app, ScreenVariant("flat", size, "en")), set[tuple[object, object]]()
    stage = table.app.stage
    for step in build_timeline(events).steps:
        question: Any = session.question
        if len(question.seats) == 1 and (kind := (sort_of(question), question.seats[0])) not in seen:
            seen.add(kind)
            stage.replace_screen(
                lambda: PlayScreen(view=make_view(session), scene_function=session.scene, layout_name="flat")
            )
            await table.wait_frames(2)
            assert stage.screen.centre.quarter_turns == stage.side_by_seat[question.seats[0]], kind
        repeat_step(session, step)
    assert len({seat for _, seat in seen}) == len(session.table.seats)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("flat", [(size, players) for size in SIZES for players in (2, 3, 5)], indirect=True)
async def test_a_touch_lands_where_it_is_drawn_on_every_side(flat: Any) -> None:
    """Every key and every strip, whoever is asked: pressed in its middle it goes down, and no other."""
    from kivy.tests.common import UnitTestTouch
    from kivy.uix.behaviors import ButtonBehavior

    table, game = flat
    for _question in range(2 * len(game.session.table.seats)):
        await table.wait_frames(2)
        keys = [one for one in table.widgets() if isinstance(one, ButtonBehavior) and one.width > 0]
        keys = [one for one in keys if not one.disabled]
        assert len(keys) > len(game.session.table.seats)
        for key in keys:
            left, low, right, high = in_window(key)
            touch = UnitTestTouch((left + right) / 2, (low + high) / 2)
            touch.touch_down()
            assert [one for one in keys if one.state == "down"] == [key]
            touch.touch_move(-9, -9)
            touch.touch_up()
        choose = isinstance(game.session.question, Choose)
        await table.tap(*(["blue"] if choose else ["clear", "7", "confirm"]))


@pytest.mark.parametrize("flat", [(SIZES[0], 4)], indirect=True)
async def test_what_is_turned_is_drawn_as_it_is_touched(flat: Any) -> None:
    """The picture of each corner of each frame is where a touch must be to be there."""
    from ui.widgets.drawing.containers import RotatedFrame

    table, _ = flat
    frames = [one for one in table.widgets() if isinstance(one, RotatedFrame) and one.width > 0]
    assert {int(one.quarter_turns) for one in frames} == {0, 1, 2, 3}
    for frame in frames:
        width, height = frame.inner_size
        for corner in ((0, 0), (width, 0), (0, height), (width, height)):
            x, y, _z = frame.rotation_to_parent.transform_point(*corner, 0)
            assert frame.to_parent(*corner) == pytest.approx((x, y), abs=0.6)
            assert frame.to_local(x, y) == pytest.approx(corner, abs=0.6)


@pytest.mark.parametrize("flat", [((1280, 720), 4)], indirect=True)
async def test_what_everybody_must_do_is_said_to_both_long_sides(flat: Any) -> None:
    """Once for who sits below, once turned for who sits above."""
    table, game = flat
    for seat in game.session.table.seats:
        assert game.session.question.seat == seat
        assert game.play_screen.opposite_frame.opacity == 0
        await table.tap("blue", "7", "confirm")
    await table.wait_frames(3)
    texts = [one for one in table.widgets() if getattr(one, "text", "") == "Turn the tile"]
    assert len(texts) == 2
    assert game.play_screen.centre.quarter_turns == 0
    assert game.play_screen.opposite_frame.quarter_turns == 2


@pytest.mark.parametrize("flat", [(size, 2) for size in (*SIZES, (800, 480), (480, 800))], indirect=True)
async def test_two_players_at_the_short_sides_read_every_question(flat: Any) -> None:
    """A question faces the asked player, and what both must do faces both; never a side where nobody sits."""
    table, game = flat
    screen = game.play_screen
    short_sides = (1, 3) if screen.width > screen.height else (0, 2)
    screen.side_by_seat = dict(zip(game.session.table.seats, short_sides, strict=True))
    for side in short_sides:
        for keys in (["blue"], ["7", "confirm"]):
            await table.wait_frames(3)
            assert screen.centre.quarter_turns == side
            await table.tap(*keys)
    await table.wait_frames(3)
    assert screen.centre.quarter_turns in short_sides
    assert screen.opposite_frame.quarter_turns == 2


@pytest.mark.sweep(1)
@pytest.mark.parametrize("size", SIZES)
async def test_a_panel_laid_flat_says_at_once_what_everybody_must_do(
    open_small_game: Any, size: tuple[int, int]
) -> None:
    """To both long sides, though the question stood there before the panel lay flat."""

    async def one_thing(_table: Table) -> None:
        await Done(None, say("Turn the tile"))

    table, game = await open_small_game(one_thing, size, players=4)
    game.play_screen.layout_name = "flat"
    await table.wait_frames(3)
    assert [getattr(one, "text", "") for one in table.widgets()].count("Turn the tile") == 2


@pytest.mark.parametrize("flat", [((1280, 720), 4), ((800, 480), 4)], indirect=True)
async def test_pages_turn_to_who_is_asked_and_covers_to_their_owner(flat: Any) -> None:
    """What is laid over the table can be read by the one whom it concerns, and touched where it is drawn."""
    from ui.widgets.sheets.overlays import Dialog

    table, game = flat
    stage, seats = table.app.stage, game.session.table.seats
    await table.tap("blue", "7", "confirm")
    asked = stage.side_by_seat[game.session.question.seat]
    stage.show_overlay(Dialog(title="Read this", answers=[("yes", "Yes", "brass")]))
    await table.wait_frames(2)
    left, low, right, high = in_window(table.find("Yes"))
    assert (right - left < high - low) == (asked % 2 == 1)
    await table.tap("Yes")
    assert not stage.has_overlay
    for seat in seats:
        heard: list[object] = []
        dialog = Dialog(title=seat.name, answers=[("yes", "Yes", "brass")])
        dialog.bind(on_answer=lambda _, answer, heard=heard: heard.append(answer))
        stage.show_overlay(dialog, seat)
        await table.wait_frames(2)
        assert dialog.parent.parent.quarter_turns == stage.side_by_seat[seat]
        await table.tap("Yes")
        assert heard == ["yes"]


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
async def test_a_result_faces_who_acts_next_and_can_be_turned(
    open_small_game: Any, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    """A touch opens all of it, until the next touch; a key turns it to the people opposite."""
    from ui import theme

    async def two_rounds(table: Table) -> None:
        await Choose(table.seats[0], say("Red or blue?"), {"red": say("Red"), "blue": say("Blue")})
        table.declare_outcome(say("{seat} wins the round.", seat=table.seats[2]), [table.seats[2]])
        await Choose(table.seats[1], say("Go on?"), {"yes": say("Yes"), "no": say("No")})

    monkeypatch.setattr(theme, "RESULT_CARD_SECONDS", 100.0)
    table, game = await open_small_game(two_rounds, size, players=4)
    game.play_screen.layout_name = "flat"
    await table.wait_frames(4)
    await table.tap("blue")
    await table.wait_until(lambda: table.app.stage.has_overlay)
    card, stage = table.app.stage.topmost_widget, table.app.stage
    await table.wait_frames(2)
    side = stage.side_by_seat[game.session.table.seats[1]]
    assert card.parent.parent.quarter_turns == side == 3
    await table.tap("Chie wins the round.")
    card = stage.topmost_widget
    await table.tap("turn")
    assert card.parent.parent.quarter_turns == 1
    assert card._closing is None
    await table.tap("Chie wins the round.")
    assert not stage.has_overlay
    assert not game.answers[1:]


async def ask_sealed_bids(table: Table) -> None:
    """Everybody bids in secret."""
    await Together(
        say("Everybody bids in secret"), {seat: Amount(seat, say("Your bid?"), 0, 9) for seat in table.seats}
    )


@pytest.mark.sweep(5)
@pytest.mark.parametrize("players", [3, 4, 5, 8])
@pytest.mark.parametrize("size", [*SIZES, (800, 480), (480, 800)])
async def test_envelopes_are_upright_for_their_owners(
    open_small_game: Any, size: tuple[int, int], players: int
) -> None:
    """At every side; touched where they are drawn they open for their owner; on a stand all are upright."""
    table, game = await open_small_game(ask_sealed_bids, size, players=players)
    game.play_screen.layout_name = "flat"
    await table.wait_frames(4)
    around, facing = table.app.stage.side_by_seat, table.app.stage.facing_side
    keys = game.play_screen.question_widget.keys
    for seat, side in around.items():
        key = keys[seat.number]
        assert key.parent.quarter_turns == (side - facing) % 4
        x, y, width, height = key.body_box()
        assert key.x <= x
        assert key.y <= y
        assert x + width <= key.right + 1
        assert y + height <= key.top
        assert key.name_label.text == seat.name
    for owner in [seat for seat, side in around.items() if side != facing]:
        if keys[owner.number].get_root_window() is None:
            continue  # on another page
        await table.tap(owner.name)
        await table.wait_frames(2)
        assert game.play_screen.question_widget.answer_screen.seat == owner
        game.play_screen.question_widget.answer_screen.remove_from_screen()
        await table.wait_frames(1)
    game.play_screen.layout_name = "landscape"
    await table.wait_frames(4)
    assert not any(key.parent.quarter_turns for key in keys.values())


@pytest.mark.sweep(6)
@pytest.mark.parametrize("players", [2, 3, 4, 5, 8, 12])
@pytest.mark.parametrize("size", [*SIZES, (800, 480), (480, 800)])
async def test_envelopes_have_one_size_at_every_side(
    open_small_game: Any, size: tuple[int, int], players: int
) -> None:
    """Who sits at a side has an envelope as large as everybody's, no narrower than a finger needs."""
    from ui import theme
    from ui.questions.sealed_round import MIN_ENVELOPE_HEIGHT_IN_TARGETS
    from ui.widgets.seats.panel_columns import MAX_FULL_DETAIL_PANELS

    table, game = await open_small_game(ask_sealed_bids, size, players=players)
    game.play_screen.layout_name = "flat"
    await table.wait_frames(4)
    shown_keys = [
        key for key in game.play_screen.question_widget.keys.values() if key.get_root_window() is not None
    ]
    sizes = {tuple(round(side) for side in key.body_box()[2:]) for key in shown_keys}
    assert len(sizes) == 1
    least_share = MIN_ENVELOPE_HEIGHT_IN_TARGETS if players > MAX_FULL_DETAIL_PANELS else 1
    assert min(*sizes.pop()) >= round(theme.length.target * least_share)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("players", [2, 5, 12])
@pytest.mark.parametrize("size", [*SIZES, (800, 480), (480, 800)])
@pytest.mark.usefixtures("without_motion")
async def test_a_closed_envelope_says_to_both_sides_who_still_has_to_answer(
    open_small_game: Any, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int], players: int
) -> None:
    """Nobody passes a screen that lies on the table; everybody has time to read it."""
    from ui import theme

    monkeypatch.setattr(theme, "REVEAL_PAUSE_SECONDS", 600.0)
    table, game = await open_small_game(ask_sealed_bids, size, players=players)
    game.play_screen.layout_name = "flat"
    await table.wait_frames(4)
    owner, *others = table.app.stage.side_by_seat
    await table.tap(owner.name)
    assert not any("screen" in text for text in table.texts())
    await table.tap(f"Only {owner.name} looks now", "3", "confirm")
    await table.wait_frames(2)
    title = "Still to answer:" if len(others) <= 5 else f"{len(others)} players still have to answer."
    texts = [getattr(widget, "text", "") for widget in visible_widgets(table.app.stage.topmost_widget)]
    assert texts.count(title) == 2
    assert not any("Pass the screen on" in text for text in texts)
    for other in others if len(others) <= 5 else ():
        assert texts.count(other.name) == 2
    assert not find_faults(table, size)
    table.app.stage.topmost_widget.remove_from_screen()
    assert not table.app.stage.has_overlay


@pytest.mark.sweep(4)
@pytest.mark.parametrize("players", [2, 4, 12])
@pytest.mark.parametrize("size", [*SIZES, (800, 480), (480, 800)])
async def test_each_panel_tells_its_player_to_touch_the_envelope(
    open_small_game: Any, size: tuple[int, int], players: int
) -> None:
    """Turned to that player, over nothing else, until the envelope is closed; on a stand no panel says it.

    Panels of many players may have no room for it.
    """
    table, game = await open_small_game(ask_sealed_bids, size, players=players)
    panels = game.play_screen.panels

    def seats_with_cue() -> list[str]:
        cues = {"Touch your envelope", "answer"}
        return [seat.name for seat, panel in panels.items() if cues & {*panel.visible_texts}]

    await table.wait_frames(2)
    assert not seats_with_cue()
    game.play_screen.layout_name = "flat"
    await table.wait_frames(4)
    first, *others = panels
    assert players > 4 or seats_with_cue() == [seat.name for seat in panels]
    assert not find_faults(table, size)
    game.session.put_answer_in_envelope(game.session.question_number, first, 3)
    game.play_screen.view = make_view(game.session)
    await table.wait_frames(2)
    assert {*seats_with_cue()} <= {seat.name for seat in others}
    assert players > 4 or len(seats_with_cue()) == len(others)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("game", "size"), GAMES_AND_SIZES)
async def test_the_key_that_opens_the_rule_leaves_a_question_the_width_of_its_card(
    open_app: Any, game: str, size: tuple[int, int]
) -> None:
    """The card is the key: a target high, with a small question mark beside the words, never over them."""
    from ui import theme
    from ui.screens.play import PlayScreen

    began, *_ = events = load_recorded_events(game)
    log = MemoryLog([began])
    session = Session(installed_games.playable_game(game), log, log)
    session.answer_for_absent_players()
    table, seen = await laid(open_app, ScreenVariant("flat", size, "en")), set[object]()
    stage = table.app.stage
    for step in build_timeline(events).steps:
        if make_view(session).help_text is not None and (kind := sort_of(session.question)) not in seen:
            seen.add(kind)
            stage.replace_screen(
                lambda: PlayScreen(view=make_view(session), scene_function=session.scene, layout_name="flat")
            )
            await table.wait_frames(2)
            banner = stage.screen.question_banner
            key, words = banner.help_key, banner.question_label
            assert min(key.size) >= theme.length.target - 0.5, kind
            assert words.right <= key.label.x or words.top <= key.label.y, kind
            if not banner.warning_badge.text:
                assert banner.right - words.right < theme.length.target * 0.8, kind
            assert not find_faults(table, size), kind
            if len(seen) == 1:
                await table.tap("help", "Close")
        repeat_step(session, step)
    assert seen


@pytest.mark.usefixtures("without_motion")
async def test_reveal_and_score_are_turned_to_who_sits_opposite(open_app: Any, tmp_path: Path) -> None:
    """A key turns each by half, with its keys and what is opened from it; the table stands as ever after."""
    table = await open_app(make_test_app(tmp_path / "state"), (1280, 720))
    controller = table.app.controller
    controller.change_setting("placement", "flat")
    controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    for seat, bid in zip(controller.view.seats, (12, 7, 9), strict=True):
        controller.seal_answer_in_envelope(controller.view.question_number, seat, bid)
    await table.wait_until(lambda: "turn" in names(table))
    await table.wait_frames(4)
    first = in_window(table.find("go on"))
    assert table.find("turn").text == "Turn round"
    await table.tap("turn")
    assert turned(first, in_window(table.find("go on")))
    await table.tap("go on")
    controller.answer_question(controller.view.question_number, "finish")
    await table.wait_until(lambda: "turn" in names(table))
    await table.wait_frames(4)
    first = in_window(table.find("again"))
    await table.tap("turn")
    assert turned(first, in_window(table.find("again")))
    await table.tap("chart")
    low, high = (table.find("close").to_window(0, y)[1] for y in (0, 10))
    assert low > high
    await table.tap("close", "turn")
    assert in_window(table.find("again")) == first


async def test_a_score_that_stands_has_no_key_to_turn_it(open_app: Any, tmp_path: Path) -> None:
    """Everybody reads it from one side."""
    table = await open_app(make_test_app(tmp_path / "state"), (1280, 720))
    table.app.controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    table.app.controller.run_table_action(PUT_AWAY, {}, PUT_AWAY.confirmations)
    await table.wait_frames(4)
    table.app.stage.screen.turn_up_all_cards()
    await table.wait_frames(2)
    assert "chart" in names(table)
    assert "turn" not in names(table)


def names(table: Any) -> list[str]:
    """Of all keys."""
    return [getattr(widget, "name", "") for widget in table.widgets()]


def turned(before: Sequence[float], now: Sequence[float]) -> bool:
    """Whether it stands at the other end of a window of 1280×720."""
    x, y, right, top = before
    expected = (1280 - right, 720 - top, 1280 - x, 720 - y)
    return all(abs(one - other) < 2 for one, other in zip(now, expected, strict=True))


@pytest.mark.sweep(3)
@pytest.mark.parametrize("lang", ["en", "ja", "de"])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.usefixtures("without_motion")
async def test_who_bids_reads_what_the_lot_sells_for(open_app: Any, lang: str, players: int) -> None:
    """On the smallest panel four prices stand beside or below the lot; only what happened outranks them."""
    from ui.screens.play import PlayScreen
    from ui.widgets.pieces.grid import GridMark

    table, rng = await laid(open_app, ScreenVariant("flat", (800, 480), lang)), Random(3)
    session = Session.begin(
        installed_games.playable_game("high_bid"), PEOPLE[:players], {}, MemoryLog(), seed=7
    )
    table.app.stage.replace_screen(
        lambda: PlayScreen(view=make_view(session), scene_function=session.scene, layout_name="flat")
    )
    looked_at = 0
    for _answer in range(80):
        play = table.app.stage.screen
        if session.question is None:
            break
        if isinstance(session.question, Raise):
            play.view = make_view(session)
            await table.wait_frames(1)
            grids = [one.mark for one in play.middle.placed if isinstance(one.mark, GridMark)]
            if grids or not play.notes.texts:
                assert len(grids[0].visible_text.split()) >= PRICE_COUNT
                looked_at += 1
        answer(session, rng)
    assert looked_at
