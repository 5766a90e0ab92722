"""What has been decided is an event: a card covers the table for a moment, then one touch brings it back."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion.installed_games import playable_game
from companion.log.events import Began
from companion.log.log import MemoryLog
from companion.logtext import parse_log_text
from companion.requests import Amount, Choose, Together
from companion.rules.scene import Scene, SceneSetup, find_leaders
from companion.rules.scene_views import CellView, MatView, RowView
from companion.scenes import evaluate_scene
from companion.session.session import Session
from companion.session.view import View, make_view
from companion.session.view_changes import PublicMove, find_public_moves
from companion.table.ledger import Piece, Place
from companion.table.outcomes import ScoreTable, ScoreTableLine
from companion.table.seats import make_seats
from companion.table.table import Table
from companion.testing.random_game import RandomGame, answer_randomly
from companion.texts import say
from tests.conformance.registry import GameConfig, each_config
from tests.support.soak import SOAK
from tests.support.ui.missing_information import find_missing_information
from tests.support.ui.play_screen_game import begin_session
from tests.support.ui.screen_variants import ScreenVariant, variants_with_languages_in_turn
from tests.support.ui.text_checks import check_text_is_whole
from tests.ui.test_every_table import laid
from ui.widgets.seats.panel_changes import HEADLINE_INDEX, NumberChanges

GOLDEN = Path(__file__).parents[1] / "golden"
MAX_ANSWERS = 300
"""The number of answers after which a random game has shown its outcomes."""
COIN = Piece("coin", say("coin"), look="coin")
LANTERN = Piece("lantern", say("lantern"))
HEADLINE = "Ben wins the lantern."
pytestmark = pytest.mark.usefixtures("without_motion")


async def sale(table: Table) -> None:
    """Ben buys a lantern from Aki; then everybody bids in secret, and Chie wins."""
    purses = table.account_by_seat(COIN, say("purse"))
    goods = table.account_by_seat(LANTERN, say("front"))
    aki, ben, chie = table.seats
    table.supply_from_box(purses[ben], 9)
    table.supply_from_box(goods[aki])
    await Choose(None, say("Who buys?"), {"ben": say("Ben buys"), "no": say("Nobody")})
    table.move(purses[ben], purses[aki], 4)
    table.move(goods[aki], goods[ben])
    table.add_note(say("Nobody else wants it."))
    table.declare_outcome(say("{seat} wins the lantern.", seat=ben), [ben], LANTERN)
    await Choose(None, say("And now?"), {"on": say("Go on"), "stop": say("Stop")})
    await Together(say("All bid"), {seat: Amount(seat, say("How much?"), 0, 9) for seat in table.seats})
    table.declare_outcome(say("{seat} is first.", seat=chie), [chie])


def cards(table: Any) -> list[Any]:
    """The cards over the table."""
    from ui.widgets.sheets.result_card import ResultCard

    return [widget for widget in table.app.stage.overlays_topmost_first if isinstance(widget, ResultCard)]


@pytest.fixture
def lasting(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards stay until they are touched."""
    from ui import theme

    monkeypatch.setattr(theme, "RESULT_CARD_SECONDS", 600.0)


@pytest.mark.usefixtures("lasting")
async def test_a_card_says_who_won_and_what_each_gains(open_small_game: Any) -> None:
    """A touch takes it away and presses nothing; what happened stays, and a touch there brings it back."""
    table, game = await open_small_game(sale)
    await table.tap("Ben buys")
    assert len(cards(table)) == 1
    assert find_missing_information(game.play_screen) == []
    await table.tap(HEADLINE)  # a small card opens everything
    shown = table.texts()
    assert HEADLINE in shown
    assert "Nobody else wants it." in shown
    gains = ("Aki", "− lantern", "+4", "Ben", "−4", "+ lantern")
    assert [text for text in shown if text in gains] == [*gains]
    assert find_missing_information(game.play_screen) == []
    await table.tap(HEADLINE)
    assert cards(table) == []
    for key in ("Go on", "Stop"):
        game.play_screen.notes.messages_key.dispatch("on_release")
        assert len(cards(table)) == 1
        touch = table.press(key)
        touch.touch_up()
        await table.wait_frames(2)
        assert cards(table) == []
        assert len(game.answers) == 1
    game.play_screen.notes.messages_key.dispatch("on_release")
    await table.wait_frames(2)
    await table.tap("close")  # a card that stays has a key that says how
    assert cards(table) == []


@pytest.mark.usefixtures("lasting")
@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
async def test_a_card_that_goes_by_itself_leaves_the_keys_free(
    open_small_game: Any, size: tuple[int, int]
) -> None:
    """It covers the line that says the same; a touch on a key closes the card and presses the key."""
    table, game = await open_small_game(sale, size)
    await table.tap("Ben buys")
    await table.wait_frames()
    (card,), play = cards(table), game.play_screen
    low, high = (card.to_window(0, y)[1] for y in (card.sheet.y, card.sheet.top))
    assert low >= play.centre.y + play.question_area.top
    assert high <= size[1]
    assert low <= play.centre.y + play.notes.y
    assert play.centre.y + play.notes.top <= high
    await table.tap("Go on")
    assert cards(table) == []
    assert game.answers == ["ben", "on"]


async def test_a_card_goes_by_itself(open_small_game: Any) -> None:
    """A notice over it stops its time: people must have seen it."""
    from ui.pages import show_message

    table, game = await open_small_game(sale)
    game.session.answer(game.session.question_number, "ben")
    game.show()
    notice = show_message("Read me first.")
    await table.wait_frames(5)
    assert len(cards(table)) == 1
    notice.close()
    await table.wait_until(lambda: cards(table) == [])
    assert len(game.answers) == 1


@pytest.mark.usefixtures("lasting")
async def test_the_next_answer_takes_the_card_away(open_small_game: Any) -> None:
    """A keypad needn't wait until somebody has touched the screen; a reveal shows its result itself."""
    table, game = await open_small_game(sale)
    await table.tap("Ben buys")
    game.session.answer(game.session.question_number, "on")
    game.show()
    await table.wait_frames()
    assert cards(table) == []
    for seat in game.session.table.seats:
        game.session.put_answer_in_envelope(game.session.question_number, seat, seat.number)
    game.show()
    await table.wait_frames()
    assert game.play_screen.view.winners
    assert cards(table) == []


@pytest.mark.usefixtures("lasting")
async def test_going_back_shows_no_card(open_small_game: Any) -> None:
    """Everybody has seen it; nor does a card cover the page that somebody reads."""
    from ui.pages import show_message

    table, game = await open_small_game(sale)
    await table.tap("Ben buys")
    cards(table)[0].close()
    game.session.answer(game.session.question_number, "on")
    game.session.undo()
    game.show()
    await table.wait_frames()
    assert cards(table) == []
    game.session.undo()
    game.show()
    page = show_message("Let me read.")
    game.session.answer(game.session.question_number, "ben")
    game.show()
    await table.wait_frames()
    assert cards(table) == []
    page.close()
    await table.wait_frames()
    assert len(cards(table)) == 1


async def sale_before_sealed_bids(table: Table) -> None:
    """Ben buys from Aki; then all bid in secret."""
    purses = table.account_by_seat(COIN, say("purse"))
    aki, ben, _ = table.seats
    table.supply_from_box(purses[ben], 9)
    await Choose(None, say("Who buys?"), {"ben": say("Ben buys"), "no": say("Nobody")})
    table.move(purses[ben], purses[aki], 4)
    table.declare_outcome(say("{seat} buys.", seat=ben), [ben])
    table.add_note(say("Nobody else wants it."))
    await Together(say("All bid"), {seat: Amount(seat, say("How much?"), 0, 9) for seat in table.seats})


@pytest.mark.usefixtures("lasting")
async def test_a_card_that_comes_back_shows_the_same_gains(
    open_small_game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after an envelope was closed. The second touch of a double touch doesn't close a card.

    What is played again after an amendment was seen before: no card shows it.
    """
    from ui import theme

    table, game = await open_small_game(sale_before_sealed_bids)
    await table.tap("Ben buys")
    cards(table)[0].close()
    game.session.put_answer_in_envelope(game.session.question_number, game.session.table.seats[0], 3)
    game.show()
    await table.wait_frames()
    assert cards(table) == []
    monkeypatch.setattr(theme, "IGNORED_REPEATED_TOUCH_SECONDS", 600.0)
    game.play_screen.notes.messages_key.dispatch("on_release")
    await table.wait_frames()
    gains = ("Aki", "+4", "Ben", "−4")
    assert [text for text in table.texts() if text in gains] == [*gains]
    await touch_corner(table)
    assert len(cards(table)) == 1
    monkeypatch.setattr(theme, "IGNORED_REPEATED_TOUCH_SECONDS", 0.0)
    await touch_corner(table)
    assert cards(table) == []
    game.session.amend_answer(1, "ben")
    game.play_screen.is_restoring = True
    game.show()
    await table.wait_frames()
    assert game.play_screen.view.outcomes
    assert cards(table) == []


async def touch_corner(table: Any) -> None:
    """A touch at the lower left of the window."""
    await touch_point(table, 5, 5)


async def touch_point(table: Any, x: float, y: float) -> None:
    """A touch at a point of the window."""
    from kivy.tests.common import UnitTestTouch

    touch = UnitTestTouch(x, y)
    touch.touch_down()
    touch.touch_up()
    await table.wait_frames(2)


@pytest.mark.usefixtures("lasting")
async def test_a_screen_that_goes_shows_no_card(open_small_game: Any) -> None:
    """The page that covered it goes too; the card would cover the next screen."""
    from kivy.uix.widget import Widget

    from ui.pages import show_message

    table, game = await open_small_game(sale)
    show_message("Let me read.")
    game.session.answer(game.session.question_number, "ben")
    game.show()
    table.app.stage.replace_screen(Widget)
    await table.wait_frames()
    assert cards(table) == []


async def test_points_that_change_like_the_money_are_gains_too(open_small_game: Any) -> None:
    """A number on the panel says no more only if it counts the money itself."""
    from ui.widgets.sheets.result_card import find_gains

    _, game = await open_small_game(sale_before_sealed_bids)
    aki = game.session.table.seats[0]
    moves = [PublicMove(COIN, Place(say("purse"), aki), 3)]
    (mat,) = [mat for mat in game.play_screen.scene_view.mats if mat.seat == aki]
    for is_money, texts in ((True, ["+3"]), (False, ["+3", "points +3"])):
        cell = CellView(None, say("points"), 8, shows_change=True, is_money=is_money)
        ((seat, marks),) = find_gains(moves, [replace(mat, cells=(cell,))], {aki: {0: 3}}, "en")
        assert seat == aki
        assert [mark.visible_text for mark in marks] == texts


def check_gains_agree_with_signs(
    before: View | None, view: View, mats: Sequence[MatView], numbers: NumberChanges
) -> None:
    """A number on the card is that of the sign at the number of the same name on the player's panel."""
    from ui.widgets.sheets.result_card import find_piece_gains

    numbers.update(view, mats, is_restored=False)
    if before is None or not view.outcomes:
        return
    moves = [move for move in find_public_moves(before, view) if not move.piece.is_marker]
    for mat in mats:
        signs = numbers.changes_by_seat.get(mat.seat, {})
        gains = [*find_piece_gains([move for move in moves if move.place.seat == mat.seat], mat)]
        for index, cell in [(HEADLINE_INDEX, mat.headline), *enumerate(mat.cells)]:
            if cell is not None and cell.shows_change and cell.accounts:
                piece = cell.accounts[0][1]
                on_card = [gain.change for gain in gains if (gain.piece, gain.label) == (piece, cell.label)]
                assert on_card in ([], [signs.get(index, 0)]), (view.outcomes[0].headline, gains, signs)


@pytest.mark.usefixtures("kivy_window")
@pytest.mark.parametrize("log", ["mammon-3", "mammon-5", "egypt-3", "sealed_bid-5", "bidders-4"])
def test_a_recorded_game_counts_gains_on_the_card_as_on_the_panels(log: str) -> None:
    """What had left the purse before, such as a bet, has the name of its place on the card."""
    events = parse_log_text((GOLDEN / f"{log}.log").read_text(encoding="utf-8"))
    began, numbers, before = events[0], NumberChanges(), None
    assert isinstance(began, Began)
    for count in range(1, len(events) + 1):
        session = Session(playable_game(began.game), events[:count], MemoryLog())
        view = make_view(session)
        is_new = before is not None and view.question_number != before.question_number
        mats = evaluate_scene(view, session.scene).mats
        check_gains_agree_with_signs(before if is_new else None, view, mats, numbers)
        before = view


@pytest.mark.usefixtures("kivy_window")
@each_config
def test_a_random_game_counts_gains_on_the_card_as_on_the_panels(config: GameConfig) -> None:
    """In every game, and with every template of Any Game."""
    game = RandomGame.begin(config.game, 1, Random(1), config.decks)
    numbers, before = NumberChanges(), None
    for _ in range(MAX_ANSWERS):
        view = make_view(game.session)
        check_gains_agree_with_signs(before, view, evaluate_scene(view, game.session.scene).mats, numbers)
        before = view
        if game.session.question is None:
            break
        answer_randomly(game.session, game.rng)


def window_box(widget: Any) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of a widget in the window, however it is turned."""
    corners = [widget.to_window(widget.x, widget.y), widget.to_window(widget.right, widget.top)]
    (left, right), (bottom, top) = (sorted(values) for values in zip(*corners, strict=True))
    return left, bottom, right, top


def overlaps(one: Any, other: Any) -> bool:
    """Whether two widgets lie over each other."""
    first, second = window_box(one), window_box(other)
    return all(first[at] < second[at + 2] - 1 and second[at] < first[at + 2] - 1 for at in (0, 1))


PLANS = {
    "landscape": [(800, 480), (1280, 720)],
    "upright": [(480, 720), (720, 720)],
    "flat": [(800, 480), (480, 720), (1280, 720)],
}
"""Sizes for the window of a test, which is no higher than 720 pixels."""
LOGS = ("mammon-3", "egypt-4", "bidders-4", "high_bid-3")
MAX_CARDS = 60 if SOAK else 3
"""The number of cards that are looked at in each match."""


@pytest.mark.sweep(4)
@pytest.mark.usefixtures("lasting")
@pytest.mark.parametrize(
    ("log", "look"),
    [(log, look) for at, log in enumerate(LOGS) for look in variants_with_languages_in_turn(at, PLANS)],
)
async def test_a_card_leaves_the_question_readable(open_app: Any, log: str, look: ScreenVariant) -> None:
    """It lies beside the question to which the result leads, standing or flat, with its headline whole.

    The cross closes it.
    """
    from ui.screens.play import PlayScreen

    table = await laid(open_app, look)
    events = parse_log_text((GOLDEN / f"{log}.log").read_text(encoding="utf-8"))
    began, count = events[0], len(events) // 3
    assert isinstance(began, Began)
    sessions = (
        Session(playable_game(began.game), events[:end], MemoryLog())
        for end in range(count, min(len(events), count + 60))
    )
    first = next(sessions)
    table.app.stage.replace_screen(
        lambda: PlayScreen(view=make_view(first), scene_function=first.scene, layout_name=look.layout)
    )
    play, seen = table.app.stage.screen, 0
    for session in sessions:
        if seen == MAX_CARDS:
            break
        play.view = make_view(session)
        await table.wait_frames(2)
        if play.view.opened_envelopes is not None:  # the reveal shows the result
            play._close_notes()
        for card in cards(table):
            assert not overlaps(card.sheet, play.question_banner), (play.view.outcomes[-1].headline, look)
            check_text_is_whole(card.headline)
            (cross,) = [each for each in card.walk() if type(each).__name__ == "CloseMark"]
            await touch_point(table, *cross.to_window(*cross.center))
            assert cards(table) == []
            seen += 1
    assert seen


@pytest.mark.usefixtures("kivy_window")
def test_a_bet_that_left_the_purse_before_is_named_on_the_card() -> None:
    """The winner of a battle pays the bet, not again from the treasury; a bet that comes back is no gain."""
    from ui.widgets.sheets.result_card import PieceGain, find_piece_gains

    game = RandomGame.begin(playable_game("mammon"), 1, Random(1))
    mat = evaluate_scene(make_view(game.session), game.session.scene).mats[0]
    coin = next(cell.piece for cell in mat.cells if cell.piece is not None)
    treasury, strength, front, bet = (
        Place(say(name), mat.seat) for name in ("treasury", "strength", "front line", "bet")
    )

    def gains(**changes: int) -> list[PieceGain]:
        places = {"treasury": treasury, "strength": strength, "front": front, "bet": bet}
        return [*find_piece_gains([PublicMove(coin, places[key], n) for key, n in changes.items()], mat)]

    assert gains(bet=-3, strength=2, front=-2) == [PieceGain(coin, -3, say("bet"))]
    assert gains(treasury=1, bet=-1, front=-6) == [PieceGain(coin, -6, say("strength"))]
    assert gains(bet=-1, treasury=5) == [PieceGain(coin, 5), PieceGain(coin, -1, say("bet"))]


async def scored(table: Table) -> None:
    """A round that Ben wins; its totals are notes, too."""
    await Choose(None, say("Score it?"), {"yes": say("Yes")})
    lines = []
    for seat, total in zip(table.seats, (3, 11, 8), strict=False):
        sentence = say("{seat} has {total} in all.", seat=seat, total=total)
        table.add_note(sentence)
        lines.append(ScoreTableLine(seat, (COIN,) * 9, (total - 2, 2, total), sentence))
    scores = ScoreTable((say("lanterns"), say("bonus"), say("total")), tuple(lines))
    table.declare_outcome(say("{seat} gets the point.", seat=table.seats[1]), table.seats[1:2], scores=scores)
    table.add_note(say("Ben begins."))
    await Choose(None, say("And now?"), {"on": say("Go on"), "stop": say("Stop")})


@pytest.mark.usefixtures("lasting")
@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
async def test_a_round_is_a_table(open_small_game: Any, size: tuple[int, int]) -> None:
    """Each total in its column, instead of a sentence; all sentences stay on the table."""
    table, game = await open_small_game(scored, size)
    await table.tap("Yes")
    await table.wait_frames(3)
    (card,) = cards(table)
    shown = table.texts()
    assert [text for text in shown if text in ("lanterns", "bonus", "total")] == [
        "lanterns",
        "bonus",
        "total",
    ]
    assert {"1", "3", "9", "11", "6", "8"} <= {*shown}
    assert card.label.text == "Ben begins."
    assert card.headline.text == "Ben gets the point."
    assert "Aki has 3 in all." in card.texts
    assert find_missing_information(game.play_screen) == []


@pytest.mark.usefixtures("lasting")
@pytest.mark.parametrize("size", [(800, 480), (480, 800), (720, 1280)])
async def test_names_of_twenty_letters_are_whole_beside_the_numbers(
    open_app: Any, size: tuple[int, int]
) -> None:
    """They wrap between words, so that the round stays a table."""
    from ui.widgets.sheets.result_card import ResultCard, ScoreTableWidget

    table = await laid(open_app, ScreenVariant("landscape", size, "en"))
    session = begin_session(scored, names=("Maximilian Alexander", "Wilhelmina-Charlotte", "Ben"))
    session.answer(session.question_number, "yes")
    view = make_view(session)
    card = ResultCard(view.outcomes, ["Ben begins."], (), table.app.stage.next_page_size, "en", None)
    table.app.stage.show_overlay(card)
    await table.wait_frames()
    (scores,) = [each for each in card.walk() if isinstance(each, ScoreTableWidget)]
    assert scores.min_width <= scores.width
    shown = " ".join(scores.visible_texts)
    assert "Maximilian Alexander" in shown
    assert "Wilhelmina-Charlotte" in shown
    assert "11" in scores.visible_texts


async def scored_openly(table: Table) -> None:
    """Ben gets a lantern; who leads is known."""
    goods = table.account_by_seat(LANTERN, say("front"))
    await Choose(None, say("Who buys?"), {"ben": say("Ben buys"), "no": say("Nobody")})
    table.supply_from_box(goods[table.seats[1]])
    table.supply_from_box(goods[table.seats[0]], 12)
    table.declare_outcome(say("{seat} buys.", seat=table.seats[1]), table.seats[1:2])
    await Choose(None, say("And now?"), {"on": say("Go on"), "stop": say("Stop")})


@pytest.mark.usefixtures("lasting")
async def test_a_card_ends_with_who_leads(open_small_game: Any) -> None:
    """After what happened and what each gains."""

    def make_scene(setup: SceneSetup) -> Scene:
        return Scene(
            leaders=lambda look: find_leaders(
                setup.seats, lambda seat: look.count(LANTERN, say("front"), seat)
            )
        )

    table, _ = await open_small_game(scored_openly, scene=make_scene)
    await table.tap("Ben buys")
    await table.tap("Ben buys.")
    (card,) = cards(table)
    assert card.leader_label.text == "In the lead: Aki"
    check_text_is_whole(card.leader_label)
    gains = next(each for each in card.walk() if type(each).__name__ == "GainsList")
    assert gains.visible_texts[-2:] == ["Ben", "+ lantern"]
    assert card.leader_label.top <= gains.y <= gains.top <= card.headline.y


def test_the_digits_of_gains_are_right_aligned_in_columns() -> None:
    """Of names of any length and numbers of any width."""
    from ui.widgets.pieces.marks import TextMark
    from ui.widgets.sheets.result_card import GainsList, PlayerGains

    aki, ben = make_seats(["Aki", "Bartholomew"])
    gains = [
        PlayerGains(seat, [TextMark(text, (0, 0, 0, 1)) for text in texts])
        for seat, texts in ((aki, ("+1", "+2")), (ben, ("+1000", "+20")))
    ]
    rows = GainsList(gains)._rows(700)
    assert [[mark.width_at(20) for mark in row] for row in rows] == [
        [mark.width_at(20) for mark in rows[0]]
    ] * 2
    assert len(GainsList(gains)._rows(60)) > 2


async def test_several_goods_of_one_name_are_counted() -> None:
    """Instead of repeated, at the place of the first."""
    from ui.widgets.pieces.marks import PAPER_TEXT_COLOURS
    from ui.widgets.pieces.worded import make_piece_row_marks

    lots = [
        (Piece(f"lot {n}", say("{name}", name=name), is_endless=True, is_marker=True), count)
        for n, (name, count) in enumerate((("Vase", 1), ("Paintings", 1), ("Vase", 1), ("Chair", 3)))
    ]
    marks = make_piece_row_marks(RowView(say("won"), tuple(lots)), "en", PAPER_TEXT_COLOURS)
    assert [mark.visible_text for mark in marks] == ["won", "Vase ×2", "Paintings", "Chair ×3"]
