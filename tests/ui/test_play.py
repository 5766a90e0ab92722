"""A game at the table, by touch on the real window."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.actions import AMEND, LEAVE, PUT_AWAY, UNDO_TO_STEP
from companion.errors import EventNotSaved
from companion.log.events import Answered
from companion.recorded_match import load_recorded_events
from companion.requests import Choose, Done
from companion.rules.auctions import ask_open_bids
from companion.table.audit import AuditFix
from companion.table.ledger import Piece
from companion.table.moves import PieceMove
from companion.table.seats import SEAT_COLOURS
from companion.table.table import Table
from companion.texts import say
from tests.support.calls import calls_of
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import NAMES, answer_questions, answer_randomly, make_test_app
from tests.support.ui.screen_faults import visible_widgets
from tests.support.ui.screen_sizes import SIZES_AND_LANGUAGES
from tests.support.ui.text_checks import check_all_texts_are_whole

LOT = Piece("lot", say("lot"))
LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"


@pytest.fixture
def calm(kivy_window: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A finger that never slips: every touch counts, however soon."""
    from ui import theme

    monkeypatch.setattr(theme, "IGNORED_REPEATED_TOUCH_SECONDS", 0.0)


@pytest.fixture
async def home(open_app: Any, tmp_path: Path) -> Any:
    """The app on its first screen, in English at 800×480, with nothing saved."""
    return await open_app(make_test_app(tmp_path / "state"))


@pytest.fixture
async def table(home: Any) -> Any:
    """Aki has opened the auction of daughter 4 with 3; now it is Ben's turn."""
    controller = home.app.controller
    controller.start_new_game("egypt", NAMES, SEAT_COLOURS, {})
    answer_questions(controller, "1", True, 3)
    await home.wait_frames()
    return home


async def test_from_home_to_the_first_payment_by_touch_alone(home: Any, calm: None) -> None:
    """Names, rules, deal, auction, payment: what is asked is always the next thing to touch."""
    await home.tap("Egypt", "Player 1", "A", "k", "i", "done", "Close", "Begin")
    assert "Who leads the first auction?" in home.texts()
    await home.tap("Aki", "done", "5", "confirm", "way out", "way out")
    assert "Aki wins daughter 4 at 5." in "\n".join(home.texts())
    assert "Aki won daughter 4. What do you pay?" in home.texts()
    await home.tap("more 1", "more 1", "more 2", "lay")
    view = home.app.controller.view
    aki = view.seats[0]
    assert {
        one.place.name.template: one.count
        for one in view.holdings_of(aki)
        if one.piece.key in ("card", "chip 4")
    } == {"hand": 22, "front": 1}
    assert "daughter 5" in home.find("Egypt · Round 1 · daughter 5").text


async def test_a_bid_that_is_not_higher_is_refused_with_a_sentence(table: Any, calm: None) -> None:
    """It stands near the question, the question stays, and the next touch takes the sentence away."""
    n = table.app.controller.view.question_number
    await table.tap("3", "confirm")
    assert "Ben must bid more than 3." in table.texts()
    assert n == table.app.controller.view.question_number
    await table.tap("7")
    assert "Ben must bid more than 3." not in table.texts()
    await table.tap("confirm")
    assert n + 1 == table.app.controller.view.question_number


async def test_the_next_bid_takes_one_touch(table: Any, calm: None) -> None:
    """The pad begins at the lowest bid allowed; the quick keys raise it."""
    assert table.find("confirm").text == "Bid\n4"
    await table.tap("+1", "+1", "confirm")
    assert table.find("confirm").text == "Bid\n7"


async def test_the_next_question_is_laid_out_once(table: Any) -> None:
    """Other keys than before get their places in one layout: people wait for it after every touch."""
    from ui.layouts.standing import arrange_landscape_screen

    answer_questions(table.app.controller, None)
    await table.wait_frames(3)
    with calls_of(arrange_landscape_screen) as layouts:
        answer_questions(table.app.controller, None)
        await table.wait_frames(3)
    assert "Aki won daughter 4. What do you pay?" in table.texts()
    assert len(layouts) == 1


async def test_a_panel_is_measured_once_until_it_changes(table: Any) -> None:
    """After an answer the screen tries many heights of lines and numbers, but most panels are as before."""
    from ui.widgets.seats.panel_layout import PanelLayout

    panel = next(iter(table.app.stage.screen.panels.values()))
    width, line_height = panel.width, panel.line_height
    with calls_of(PanelLayout.needed_height) as measured:
        panel.needed_height(width, line_height, panel.shape)
        assert not measured
        panel.mat = msgspec.structs.replace(panel.mat, leads=not panel.mat.leads)
        panel.needed_height(width, line_height, panel.shape)
        panel.needed_height(width, line_height, panel.shape)
    assert len(measured) == 1


async def test_a_double_touch_answers_once(table: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second half of a double touch doesn't withdraw the next player as well."""
    from ui import theme

    monkeypatch.setattr(theme, "IGNORED_REPEATED_TOUCH_SECONDS", 60.0)
    n = table.app.controller.view.question_number
    await table.tap("way out", "way out")
    assert n + 1 == table.app.controller.view.question_number
    assert table.app.controller.view.question.seat.name == "ちえ"


async def test_a_press_that_began_at_another_question_is_dropped(table: Any) -> None:
    """A keypad answered while the finger was down: its release means nothing any more."""
    touch = table.press("way out")
    answer_questions(table.app.controller, 4)
    await table.wait_frames()
    n = table.app.controller.view.question_number
    touch.touch_up()
    await table.wait_frames()
    assert n == table.app.controller.view.question_number


async def test_everybody_sees_whose_turn_it_is_and_who_has_withdrawn(table: Any) -> None:
    """The strip of who is asked is framed; bids stand on the strips; who withdrew is faded."""
    answer_questions(table.app.controller, None)
    await table.wait_frames()
    strips = table.app.stage.screen.panels
    standing = [strip.status for strip in strips.values()]
    assert [each.is_asked for each in standing] == [False, False, True]
    assert [each.has_withdrawn for each in standing] == [False, True, False]
    assert [each.bid for each in standing] == [3, None, None]
    assert [each.is_highest for each in standing] == [True, False, False]


async def test_a_mark_says_who_has_passed(open_small_game: Any) -> None:
    """It goes when they are asked again, and with the auction."""

    async def auction(table: Table) -> None:
        await ask_open_bids(table.seats, LOT)

    table, game = await open_small_game(auction)
    for answer, passed in (
        (3, []),
        (None, ["Ben"]),
        (5, ["Ben"]),
        (None, ["Aki"]),
        (6, ["Aki"]),
        (None, ["Chie"]),
        (None, []),
    ):
        game.session.answer(game.session.question_number, answer)
        game.show()
        await table.wait_frames()
        panels = game.play_screen.panels.values()
        assert [panel.seat.name for panel in panels if "passed" in panel.visible_texts] == passed


async def test_who_is_knocked_out_has_one_plate_that_says_so(table: Any, calm: None) -> None:
    """The mark tells more than that they bid no more, so it stands alone."""
    await table.tap("9", "0", "confirm", "way out", "way out", "more 2", "more 2", "more 2", "lay", "cant")
    assert table.app.controller.view.question.kind == "Raise"
    strip = list(table.app.stage.screen.panels.values())[1]
    assert [text for text in strip.visible_texts if "out" in text] == ["knocked out"]


async def test_the_language_changes_in_the_middle_of_a_question(table: Any) -> None:
    """Every text is Japanese at once, and what was typed stays."""
    await table.tap("9", "more", "language", "日本語")
    clear = "C"  # as on every Japanese calculator
    texts = [text for text in table.texts() if text not in (*NAMES, clear, "スタート")]
    assert not [text for text in texts if set(text.replace("Aki", "").replace("Ben", "")) & set(LATIN)]
    assert table.find("confirm").text == "入札\n9"
    await table.tap("more", "language", "English")
    assert "Bid for daughter 4 or withdraw." in table.texts()
    assert table.find("confirm").text == "Bid\n9"


async def test_the_language_is_still_known_the_next_evening(open_app: Any, tmp_path: Path) -> None:
    """It is a setting, kept with the games."""
    first = await open_app(make_test_app(tmp_path / "state"))
    await first.tap("language", "日本語")
    first.app.controller.close()
    second = await open_app(make_test_app(tmp_path / "state"))
    assert "テーブルメイト" in second.texts()


async def test_who_played_is_offered_the_next_time(home: Any, calm: None) -> None:
    """Set-up remembers names; who never typed one is a number again."""
    await home.tap("Egypt", "Player 2", "B", "e", "n", "done", "Close", "Begin", "more", "home", "Egypt")
    assert {"Player 1", "Ben", "Player 3"} <= set(home.texts())


async def test_a_game_left_for_home_goes_on_at_the_same_question(table: Any, calm: None) -> None:
    """Home offers it with those who play it."""
    n = table.app.controller.view.question_number
    await table.tap("more", "home")
    assert {"Continue", *NAMES} <= set(table.texts())
    await table.tap("Continue")
    assert n == table.app.controller.view.question_number


async def test_cant_pay_is_asleep_while_the_hand_could_pay(table: Any, calm: None) -> None:
    """It wakes when the hand is smaller than what is owed; paying waits until the price is reached."""
    await table.tap("9", "0", "confirm", "way out", "way out")
    assert table.find("cant").disabled
    assert table.find("lay").disabled
    await table.tap("more 2", "more 2", "more 2")
    assert not table.find("lay").disabled
    await table.tap("lay")
    assert table.app.controller.view.question.seat.name == "Ben"
    assert not table.find("cant").disabled
    await table.tap("cant")
    assert "Ben can't pay and is knocked out of the round." in "\n".join(table.texts())


async def test_one_touch_pays_the_rest_with_the_cards_of_one_rate(table: Any, calm: None) -> None:
    """Its own key says "pay rest" if these cards pay exactly what is owed; a second touch does nothing."""
    await table.tap("9", "0", "confirm", "way out", "way out")
    widget = table.app.stage.screen.question_widget
    assert (widget.owed.caption, widget.owed.amount_label.text) == ("Still to pay: 3", "0/3")
    assert [stepper.rest for stepper in widget.steppers] == [0, 3]
    await table.tap("more 2")
    assert [stepper.rest for stepper in widget.steppers] == [1, 2]
    await table.tap("rest 1", "rest 1")
    assert (widget.owed.caption, widget.owed.amount_label.text) == ("Paid exactly", "3/3")
    assert [stepper.count for stepper in widget.steppers] == [1, 1]
    await table.tap("less 1", "less 2", "rest 2", "lay")
    assert table.app.controller.view.question.seat.name == "Ben"


async def test_the_companion_rolls_where_nobody_has_dice(home: Any, calm: None) -> None:
    """One touch rolls for the table, and the next question comes."""
    controller, rng = home.app.controller, Random(1)
    controller.start_new_game("high_bid", NAMES, SEAT_COLOURS, {})
    for _ in range(50):
        question = controller.view.question
        if question.kind == "Roll":
            break
        for seat, part in getattr(question, "parts_by_seat", {}).items():
            controller.seal_answer_in_envelope(
                controller.view.question_number, seat, part.answer_to_json(part.random_legal_answer(rng))
            )
        if question.kind != "Together":
            answer_randomly(controller, rng)
    n = controller.view.question_number
    await home.wait_frames()
    await home.tap("roll")
    assert n + 1 == controller.view.question_number


async def test_a_word_and_a_number_of_the_rules_are_typed(home: Any, calm: None) -> None:
    """The unit of a sealed bid and the purses reach the game."""
    await home.tap(
        "Sealed bid", "rules", "unit", "G", "o", "l", "d", "done", "start", "5", "0", "confirm", "Begin"
    )
    held = {
        one.piece.label.in_language("en"): one.count for one in home.app.controller.view.holdings if one.count
    }
    assert held["Gold"] == 50


async def test_people_that_do_not_fit_are_refused_with_a_sentence(home: Any) -> None:
    """What a game refuses at its beginning is said, and nothing has begun."""
    home.app.controller.start_new_game("egypt", ["Aki", "Ben"], SEAT_COLOURS, {})
    await home.wait_frames()
    assert "Egypt is for 3 to 5 players, not 2." in home.texts()
    assert home.app.evening.find_open_game() is None


async def test_a_game_that_begins_while_the_demo_plays_is_played_by_people(home: Any, calm: None) -> None:
    """The recorded answers are not for it."""
    controller = home.app.controller
    home.app.home_flow.play_demo()
    assert controller.is_playing_recording
    for go_on in (
        lambda: controller.start_new_game("sealed_bid", NAMES, SEAT_COLOURS, {}),
        controller.resume_saved_game,
    ):
        assert go_on()
        assert not controller.is_playing_recording
        home.app.home_flow.play_demo()
    controller.resume_saved_game()
    n = controller.view.question_number
    controller._play_next_step()
    assert controller.view.question_number == n


async def test_the_demo_table_plays_by_itself_and_keeps_nothing(home: Any, calm: None) -> None:
    """Touches don't count there, nor what they lead to from the bank and the history."""
    await home.tap("Demo table")
    controller = home.app.controller
    n = controller.view.question_number
    controller.answer_question(n, "1")
    assert n == controller.view.question_number
    await home.wait_until(lambda: controller.view.question_number > n)
    steps, places = list(controller.evening.session.steps), controller.evening.movable_holdings_by_place()
    held = next(one for lying in places.values() for one in lying if one.count)
    other = next(place for place in places if place != held.place)
    controller.run_table_action(UNDO_TO_STEP, {"kept": 0})
    controller.run_table_action(AMEND, {"event": steps[0].n, "answer": "2"})
    controller.correct_by_hand([PieceMove(held.piece, held.place, other, 1)], "?")
    controller.apply_audit_fix(AuditFix(other, (PieceMove(held.piece, held.place, other, 1),)))
    controller.run_table_action(LEAVE, {"seat": "@1"})
    controller.run_table_action(PUT_AWAY, {}, PUT_AWAY.confirmations)
    assert list(controller.evening.session.steps) == steps
    assert not controller.view.absent_seats
    assert not controller.view.is_score_so_far
    await home.wait_until(lambda: len(controller.evening.session.steps) > len(steps))
    await home.tap("more", "home")
    assert "Continue" not in home.texts()


async def test_a_demo_says_so_and_its_keys_invite_to_play(home: Any, calm: None) -> None:
    """The word stands beside whose turn it is; a key that would answer leads to the game's set-up instead."""
    await home.tap("Demo table")
    controller = home.app.controller
    assert "Demo" in home.texts()
    await home.tap(next(iter(controller.view.question.options)))
    assert any("plays by itself" in text for text in home.texts())
    await home.tap("no")
    assert controller.is_playing_recording
    await home.wait_until(lambda: controller.view.question_number > 1)
    await home.tap("undo", "yes")
    assert not controller.is_showing_recorded_game
    assert home.app.stage.screen.game.key == "egypt"
    assert "Screen position" in home.texts()


async def test_a_demo_is_played_by_people_as_they_are_written_there(home: Any) -> None:
    """In Japanese by Japanese names."""
    home.app.lang = "ja"
    home.app.home_flow.play_demo()
    assert [seat.name for seat in home.app.controller.view.seats] == ["アキ", "ベン", "ちえ", "大輔"]


async def test_the_end_of_a_demo_wears_its_word(home: Any) -> None:
    """Nothing there is kept, and to play again is to play oneself; another game wears it no longer."""
    home.app.home_flow.play_demo()
    controller = home.app.controller
    while controller.is_playing_recording:
        controller._play_next_step()
    await home.wait_frames()
    home.app.stage.screen.turn_up_all_cards()
    await home.wait_frames()
    assert "Demo" in home.texts()
    await home.tap("again", "yes")
    assert "Screen position" in home.texts()
    controller.start_new_game("sealed_bid", NAMES, SEAT_COLOURS, {})
    await home.wait_frames()
    assert "Demo" not in home.texts()


async def test_an_evening_that_is_over_plays_nothing(home: Any) -> None:
    """A recorded answer that was on its way when it ended is dropped."""
    from kivy.clock import Clock

    from ui import theme

    shown: list[object] = []
    passed: list[float] = []
    controller = home.app.controller
    controller.bind(on_change=shown.append)
    await home.tap("Demo table")
    await home.wait_until(lambda: len(shown) > 1)
    home.app.close_evening()
    shown.clear()
    Clock.schedule_once(passed.append, 2 * theme.REVEAL_PAUSE_SECONDS)
    await home.wait_until(lambda: passed)
    assert shown == []


@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LANGUAGES)
async def test_no_text_is_cut_and_no_target_is_small_in_a_whole_round(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    """Five players with long names: every kind of question, and what a round leaves to be told."""
    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    controller = table.app.controller
    names = ["Emmanuelle", "Ben", "ちえ", "ダイスケ", "Maximilian"]
    controller.start_new_game("egypt", names, ["orange", "sky", "green", "vermilion", "purple"], {})
    rng, seen = Random(5), set[object]()
    wanted = {("Raise", False), ("Read", True), ("Done", True)}
    while (question := controller.view.question) is not None and (SOAK or not wanted <= seen):
        news = (question.kind, bool(controller.view.notes)) if question.kind != "Choose" else question.log_key
        if news not in seen:
            seen.add(news)
            await table.wait_frames(4)
            check_all(table, size)
        answer_randomly(controller, rng)
    assert wanted <= seen


def check_all(table: Any, size: tuple[int, int]) -> None:
    """Texts are whole, and the keys that can be touched are large, apart and inside the window."""
    from itertools import combinations

    from kivy.uix.behaviors import ButtonBehavior

    from ui import theme

    least = theme.length.target - 0.5
    check_all_texts_are_whole(table.widgets())
    keys = [
        widget
        for widget in visible_widgets(table.app.stage.topmost_widget)
        if isinstance(widget, ButtonBehavior) and _touched(widget)
    ]
    for widget in keys:
        assert min(widget.size) >= least, (widget.name, getattr(widget, "text", ""), widget.size)
        left, low, right, high = in_window(widget)
        assert left >= -0.5 <= low, (widget.name, in_window(widget))
        assert right <= size[0] + 0.5, (widget.name, in_window(widget))
        assert high <= size[1] + 0.5, (widget.name, in_window(widget))
    for one, other in combinations(keys, 2):
        assert _apart(one, other), (one.name, other.name)


def _touched(widget: Any) -> bool:
    """Not what has no room, nor a middle that is a line."""
    return bool(widget.width > 0 and (widget.name != "middle" or not widget.disabled))


def in_window(widget: Any) -> tuple[float, float, float, float]:
    """Left, low, right and high end, also of one that is turned."""
    (x, y), (u, v) = widget.to_window(*widget.pos), widget.to_window(widget.right, widget.top)
    return min(x, u), min(y, v), max(x, u), max(y, v)


def _apart(one: Any, other: Any) -> bool:
    left, low, right, high = in_window(one)
    west, south, east, north = in_window(other)
    beside = right <= west + 0.5 or east <= left + 0.5
    return bool(beside or high <= south + 0.5 or north <= low + 0.5)


def test_a_covered_thing_is_the_back_of_a_card_without_a_number(kivy_window: Any) -> None:
    """A count that nobody may know is on no widget."""
    from companion.session.view import Holding
    from companion.table.ledger import Piece, Place
    from companion.texts import say
    from ui.widgets.pieces.marks import CoveredMark
    from ui.widgets.pieces.worded import make_holding_mark

    money = Piece("money", say("coin"))
    hidden = make_holding_mark(Holding(Place(say("purse")), money, None), "en")
    assert isinstance(hidden, CoveredMark)
    assert not hidden.visible_text


async def test_a_finger_that_came_down_elsewhere_opens_nothing(table: Any, calm: None) -> None:
    """What lies on the table is shown larger to who touches it, not to who touches something over it."""
    from kivy.tests.common import UnitTestTouch

    common = table.app.stage.screen.middle
    touch = UnitTestTouch(*table.find("confirm").center)
    touch.touch_down()
    touch.touch_move(*common.to_window(*common.center))
    touch.touch_up()
    await table.wait_frames()
    assert "On the table" not in table.texts()
    touch = UnitTestTouch(*common.to_window(*common.center))
    touch.touch_down()
    touch.touch_up()
    await table.wait_frames()
    assert "On the table" in table.texts()


def spoilt(state: Path, *statements: str) -> None:
    """Something happens to the saved games while they are open."""
    with closing(sqlite3.connect(state / "companion.sqlite3")) as db:
        for statement in statements:
            db.execute(statement)
        db.commit()


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("UPDATE game SET names = 'x'", "is damaged and can't be read to the end."),
        ("ALTER TABLE game RENAME TO lost", "can't be used: no such table: game."),
        ("ALTER TABLE setting RENAME TO lost", "can't be used: no such table: setting."),
    ],
)
async def test_a_store_that_fails_is_a_sentence_over_home(
    table: Any, calm: None, tmp_path: Path, statement: str, said: str
) -> None:
    """Where the saved games can't be read any more, home is shown without them, and why."""
    spoilt(tmp_path / "state", statement)
    table.app.controller.leave_table()
    await table.wait_frames()
    await table.tap("Understood")
    assert "Egypt" in table.texts()
    table.app.show_home()
    await table.wait_frames()
    assert said in "\n".join(table.texts())


async def test_a_store_that_fails_is_told_once(table: Any, calm: None, tmp_path: Path) -> None:
    """A page that reads several values from it shows one message, with one sound."""
    sounds: list[str] = []
    table.app.table_flow._sounds._play = sounds.append
    spoilt(tmp_path / "state", "ALTER TABLE setting RENAME TO lost")
    for show in (table.app.controller.leave_table, lambda: table.app.open_game_setup("egypt")):
        show()
        await table.wait_frames(5)
        assert (table.app.stage.overlay_count, sounds) == (1, ["refusal"])
        await table.tap("Understood")
        assert not table.app.stage.has_overlay
        sounds.clear()


async def test_a_game_that_can_not_be_read_says_so_when_it_is_to_go_on(
    table: Any, calm: None, tmp_path: Path
) -> None:
    """Home shows it all the same, as it is in the list of games."""
    spoilt(tmp_path / "state", "UPDATE event SET body = 'x'")
    table.app.controller.leave_table()
    await table.wait_frames()
    await table.tap("Continue")
    assert "is damaged. Event 1 has changed since it was saved." in "\n".join(table.texts())


async def test_a_recorded_match_that_fails_is_a_sentence_over_home(home: Any, without_motion: None) -> None:
    """A recorded answer that no longer fits ends the demo table, and it is said why."""
    events = load_recorded_events("egypt")
    first = next(at for at, event in enumerate(events) if isinstance(event, Answered))
    events[first] = msgspec.structs.replace(events[first], answer="nobody")
    home.app.controller.play_recording(events)
    await home.wait_until(lambda: home.app.controller.view is None)
    await home.wait_frames()
    assert 'Choose from: "1" (Aki), "2" (Ben), "3" (Chie), "4" (Dai).' in "\n".join(home.texts())
    assert not home.app.controller.is_playing_recording
    home.app.controller.play_recording([msgspec.structs.replace(events[0], game="chess")])
    await home.wait_frames()
    assert "There is no game called chess" in "\n".join(home.texts())


@pytest.mark.parametrize("by", ["touch", "a device", "a correction"])
async def test_what_can_not_be_kept_leaves_the_question_as_it_is_now(table: Any, calm: None, by: str) -> None:
    """The game was played again from its log, and what is on the screen belongs to that."""
    controller, n = table.app.controller, table.app.controller.view.question_number
    controller.evening.store._games.execute("PRAGMA query_only = ON")
    if by == "touch":
        await table.tap("confirm")
    elif by == "a device":
        session = controller.evening.session
        controller._refresh_and_announce(_said(session, n))
        await table.wait_frames()
    else:
        held = next(one for one in controller.view.holdings if one.piece.key == "leader" and one.count)
        target = next(
            place for place in controller.evening.movable_holdings_by_place() if place.key == "@2/front"
        )
        with pytest.raises(EventNotSaved) as unkept:
            controller.correct_by_hand([PieceMove(held.piece, held.place, target, 1)], "forgotten")
        table.app.table_flow.show_refusal(unkept.value.text)
        await table.wait_frames()
    assert [text for text in table.texts() if "could not be saved" in text]
    assert (controller.view.question_number, controller.view.question) == (
        n,
        controller.evening.session.question,
    )
    assert table.app.stage.screen.question_widget.request is controller.evening.session.question
    controller.evening.store._games.execute("PRAGMA query_only = OFF")
    await table.tap("confirm")
    assert controller.view.question_number > n


def _said(session: Any, n: int) -> list[Any]:
    """What a keypad makes of an answer, as the desk settles it."""
    try:
        session.answer(n, 4)
    except EventNotSaved as error:
        return [error.text]
    return []


async def one_question_each(table: Table) -> None:
    """Everybody is asked something short, then something long; then all do something."""
    for seat in table.seats[:2]:
        for text in ("Red or blue?", "Which of both colours do you lay before you for the rest of the game?"):
            await Choose(seat, say(text), {"red": say("Red"), "blue": say("Blue")})
    await Done(None, say("Turn the tile"))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("plan", ["", "flat"])
@pytest.mark.parametrize("size", [(800, 480), (480, 800), (1280, 720), (720, 1280), (1920, 1080)])
@pytest.mark.parametrize("lang", ["en", "ja", "de"])
async def test_the_question_is_larger_than_the_name_of_who_is_asked(
    open_small_game: Any, size: tuple[int, int], plan: str, lang: str
) -> None:
    """The question is the headline, and the name a tag above it; what all must do has no tag."""
    table, game = await open_small_game(one_question_each, size, lang, players=4)
    game.play_screen.layout_name = plan
    banner = game.play_screen.question_banner
    for _question in range(4):
        await table.wait_frames(3)
        tag, question = banner.tag_label, banner.question_label
        assert tag.shown_text == game.session.question.seat.name
        assert question.font_size > tag.font_size
        assert question.top <= tag.y + 1
        assert question.shown_text == banner.question_label.text
        await table.tap("blue")
    await table.wait_frames(3)
    assert banner.tag_label.text == ""
    assert banner.question_label.text == "Turn the tile"


async def test_a_warning_is_in_the_heading_line_if_there_is_one(table: Any) -> None:
    """The badge stands at the end of the heading; the banner shows it only where the heading has no room."""
    screen = table.app.stage.screen
    screen.is_demo = True
    screen.show_view()
    await table.wait_frames(4)
    assert screen.heading.opacity == 1
    assert screen.heading.warning_badge.text == "Demo"
    assert screen.heading.warning_badge.opacity == 1
    assert screen.question_banner.warning_badge.opacity == 0
    assert screen.heading.warning_badge.right <= screen.heading.right + 1
