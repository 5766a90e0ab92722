"""A screen that lies flat: the people opposite read results too, and everybody sees who may act."""

from __future__ import annotations

from itertools import pairwise, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from companion import installed_games
from companion.languages import languages
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events
from companion.requests import Amount, Choose, Done, Together
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.scores import GameResult
from companion.table.seats import make_seats
from companion.table.table import Table
from companion.texts import render, say
from tests.support.games.script_helpers import repeat_step
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.play_screen_game import NAMES, begin_session
from tests.support.ui.screen_faults import find_covered_texts, find_faults, visible_widgets
from tests.support.ui.screen_variants import SIZES_BY_LAYOUT, ScreenVariant
from tests.ui.test_every_table import ROOMY, WHY, laid
from tests.ui.test_last_answer import at_its_end, show
from tests.ui.test_nothing_hidden import GOLDEN
from tests.ui.test_open_round import votes

COLOURS = (
    *("orange", "sky", "green", "vermilion", "purple", "lemon"),
    *("indigo", "rose", "cocoa", "mint", "slate", "pearl"),
)
PLAYER_COUNTS = (2, 3, 5, 12)
LOOKS = [ScreenVariant("flat", size, lang) for size, lang in product(SIZES_BY_LAYOUT["flat"], languages())]
TABLES = list(product(LOOKS, PLAYER_COUNTS))
"""Looks and numbers of players."""
MOST_WITH_SLIPS = 10
"""With more players than this, a small screen has no room for slips beside the final score."""
PLACES = {
    "en": ("1st", "2nd", "3rd", *(f"{n}th" for n in range(4, 13))),
    "ja": tuple(f"{n}位" for n in range(1, 13)),
    "de": tuple(f"{n}." for n in range(1, 13)),
}
"""How each language writes the places of a score."""
ROOMY_COUNT = 5
"""With no more players than this, every result has room for its headline twice."""


def case_id(case: object) -> str:
    """Returns a look or a number of players as a part of a test's name."""
    return f"{case.size[0]}x{case.size[1]}-{case.lang}" if isinstance(case, ScreenVariant) else str(case)


def names(table: Any) -> list[str]:
    """The names of all visible widgets."""
    return [getattr(widget, "name", "") for widget in table.widgets()]


def opposite_texts(table: Any) -> list[str]:
    """What stands upside down at the far edge of what is on top."""
    from ui.widgets.sheets.opposite_headline import OppositeHeadline

    strips = [
        one for one in visible_widgets(table.app.stage.topmost_widget) if isinstance(one, OppositeHeadline)
    ]
    for strip in strips:
        assert strip.quarter_turns == 2
        x, y, _ = strip.rotation_to_parent.transform_point(*strip.label.center, 0)
        assert (x, y) == pytest.approx(strip.center, abs=1)  # it is drawn where it stands
    return [strip.label.text for strip in strips]


def layout_faults(table: Any, size: tuple[int, int]) -> list[str]:
    """Everything that is wrong with the screen, except texts of the test itself in English."""
    return [fault for fault in find_faults(table, size) if not fault.startswith("untranslated")]


def check_opposite_text(table: Any, players: int, text: str) -> None:
    """Checks that a text stands upside down at the far edge; many players may leave it no room."""
    assert opposite_texts(table) == [text] or (players > ROOMY_COUNT and not opposite_texts(table))


def check_edge(page: Any, strip_text: str) -> None:
    """Checks that the strip is the uppermost text of a page."""
    texts = [one for one in visible_widgets(page) if getattr(one, "text", "")]
    heights = [max(one.to_window(*one.pos)[1], one.to_window(one.x, one.top)[1]) for one in texts]
    assert texts[heights.index(max(heights))].text == strip_text


async def bids(table: Table) -> None:
    """Everybody bids in secret, and the last seat wins."""
    await Together(say("All bid"), {seat: Amount(seat, say("How much?"), 0, 99) for seat in table.seats})
    winner = table.seats[-1]
    table.declare_outcome(say("{seat} wins the round.", seat=winner), [winner])


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("look", "players"), TABLES, ids=case_id)
@pytest.mark.usefixtures("without_motion")
async def test_the_people_opposite_read_who_won_a_reveal(
    open_app: Any, look: ScreenVariant, players: int
) -> None:
    """If the answers leave room, the title stands at both edges; a key turns the screen in any case."""
    from ui.screens.reveal import RevealScreen

    session = begin_session(bids, players)
    for seat in session.table.seats:
        session.put_answer_in_envelope(session.question_number, seat, 10 + seat.number)
    table = await laid(open_app, look)
    reveal = RevealScreen(make_view(session), is_flat=True)
    table.app.stage.show_overlay(reveal)
    await table.wait_frames(2)
    assert "turn" in names(table)
    reveal.skip_to_end()
    await table.wait_frames(4)
    assert "turn" in names(table)
    headline = reveal.title.text
    assert headline.startswith(NAMES[players - 1])
    check_opposite_text(table, players, headline)
    if opposite_texts(table):
        check_edge(reveal, headline)
    assert not layout_faults(table, look.size)


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("look", "players"), TABLES, ids=case_id)
async def test_the_people_opposite_read_a_result_card(
    open_small_game: Any, monkeypatch: pytest.MonkeyPatch, look: ScreenVariant, players: int
) -> None:
    """The headline stands at both edges of the card, and a key turns it."""
    from ui import theme

    async def one_round(table: Table) -> None:
        await Choose(table.seats[0], say("Red or blue?"), {"red": say("Red"), "blue": say("Blue")})
        table.declare_outcome(say("{seat} wins the round.", seat=table.seats[-1]), [table.seats[-1]])

    monkeypatch.setattr(theme, "RESULT_CARD_SECONDS", 100.0)
    table, game = await open_small_game(one_round, look.size, look.lang, players)
    game.play_screen.layout_name = "flat"
    await table.wait_frames(4)
    await table.tap("blue")
    await table.wait_until(lambda: table.app.stage.has_overlay)
    await table.wait_frames(3)
    await table.tap(table.app.stage.topmost_widget.headline.text)  # opens all of it
    await table.wait_frames(3)
    card = table.app.stage.topmost_widget
    assert "turn" in names(table)
    assert opposite_texts(table) == [card.headline.text]
    assert not layout_faults(table, look.size)


async def show_score(open_app: Any, tmp_path: Path, look: ScreenVariant, players: int) -> Any:
    """A game of sealed bids that has just ended on a screen that lies flat."""
    table = await open_app(make_test_app(tmp_path / "state", lang=look.lang), look.size)
    controller = table.app.controller
    controller.change_setting("placement", "flat")
    controller.start_new_game("sealed_bid", list(NAMES[:players]), list(COLOURS[:players]), {})
    for seat in controller.view.seats:
        controller.seal_answer_in_envelope(controller.view.question_number, seat, 10 + seat.number)
    table.app.table_flow.last_reveal_screen.close()
    controller.answer_question(controller.view.question_number, "finish")
    await table.wait_frames(4)
    return table


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("look", "players"), TABLES, ids=case_id)
@pytest.mark.usefixtures("without_motion")
async def test_the_people_opposite_read_who_won_the_game(
    open_app: Any, tmp_path: Path, look: ScreenVariant, players: int
) -> None:
    """Who won stands at both edges of the score, if the cards leave room; a key turns it in any case."""
    table = await show_score(open_app, tmp_path, look, players)
    score = table.app.stage.screen
    await table.wait_until(lambda: score.is_ceremony_over)
    await table.wait_frames(4)
    assert "turn" in names(table)
    check_opposite_text(table, players, score.winners_text)
    assert not layout_faults(table, look.size)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("look", LOOKS, ids=case_id)
@pytest.mark.parametrize("log", GOLDEN, ids=lambda log: log.stem)
@pytest.mark.usefixtures("without_motion")
async def test_the_score_of_a_recorded_match_is_whole(open_app: Any, log: Path, look: ScreenVariant) -> None:
    """With the keys of a screen that lies flat, reasons, what happened and who won at both edges."""
    table, seen = await laid(open_app, look), at_its_end(log)
    score = await show(table, seen, is_flat=True)
    score.turn_up_all_cards()
    await table.wait_frames(4)
    if not score.notes.texts:
        check_opposite_text(table, len(seen.seats), score.winners_text)
    assert not [*find_covered_texts([*visible_widgets(score)]), *layout_faults(table, look.size)]


@pytest.mark.sweep(2)
@pytest.mark.parametrize(("look", "players"), TABLES, ids=case_id)
async def test_the_ceremony_can_be_turned_and_names_the_winner_at_both_edges(
    open_app: Any, tmp_path: Path, look: ScreenVariant, players: int
) -> None:
    """The key that turns the screen skips no sum, and closes no podium."""
    table = await show_score(open_app, tmp_path, look, players)
    stage = table.app.stage
    assert not stage.screen.is_ceremony_over
    facing = stage.facing_side
    await table.tap("turn")
    assert stage.screen.parent.quarter_turns == (facing + 2) % 4
    assert not stage.screen._has_skipped_step
    while not stage.screen.is_ceremony_over:
        stage.screen._finish_card()
    await table.wait_until(lambda: stage.screen.winners_page is not None)
    await table.wait_frames(4)
    page = stage.topmost_widget
    assert page is stage.screen.winners_page
    assert opposite_texts(table) == [stage.screen.winners_text]
    turned = page.parent.parent.quarter_turns
    await table.tap("turn")
    assert page.parent.parent.quarter_turns == (turned + 2) % 4
    assert not layout_faults(table, look.size)
    await table.tap(stage.screen.winners_text)
    assert not stage.has_overlay


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
@pytest.mark.usefixtures("without_motion")
async def test_the_score_sheet_can_be_turned(open_app: Any, tmp_path: Path, size: tuple[int, int]) -> None:
    """Whoever sits opposite reads it as well; a screen that stands has no such key."""
    table = await open_app(make_test_app(tmp_path / "state"), size)
    controller, menu = table.app.controller, table.app.table_flow.menu
    controller.start_new_game("any_game", list(NAMES[:3]), list(COLOURS[:3]), {"template": "points"})
    await table.wait_frames(3)
    menu.open_menu_page("score")
    await table.wait_frames(3)
    assert "turn" not in names(table)
    await table.tap("close")
    controller.change_setting("placement", "flat")
    menu.open_menu_page("score")
    await table.wait_frames(3)
    overlay = table.app.stage.topmost_widget
    turned = overlay.parent.parent.quarter_turns
    await table.tap("turn")
    assert overlay.parent.parent.quarter_turns == (turned + 2) % 4
    assert not layout_faults(table, size)


@pytest.mark.parametrize("last", [0, 1, 2])
@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
@pytest.mark.usefixtures("without_motion")
async def test_the_final_score_faces_who_acted_last(
    open_app: Any, tmp_path: Path, size: tuple[int, int], last: int
) -> None:
    """At any side, as the last question did; after a question to the whole table it faces a long side."""
    from ui.screens.settings import ScreenPlacement

    table = await open_app(make_test_app(tmp_path / "state"), size)
    controller = table.app.controller
    controller.change_setting("placement", "flat")
    controller.start_new_game("sealed_bid", list(NAMES[:3]), list(COLOURS[:3]), {})
    await table.wait_frames(3)
    seats, placement, evening = controller.view.seats, ScreenPlacement(table.app), table.app.evening
    sides = [table.app.stage.side_by_seat[seat] for seat in seats]
    assert sorted(sides) == [0, 1, 3]
    assert placement.side_to_face(seats, [seats[last]]) == sides[last]
    assert placement.side_to_face(seats, ()) == (0 if size[0] > size[1] else 3)
    for seat in seats:
        controller.seal_answer_in_envelope(controller.view.question_number, seat, 10 + seat.number)
    table.app.table_flow.last_reveal_screen.close()
    assert evening.last_asked_seats() == tuple(seats)
    controller.answer_question(controller.view.question_number, "finish")
    assert evening.last_asked_seats() == ()
    await table.wait_frames(4)
    stage = table.app.stage
    assert stage.screen.parent.quarter_turns == stage.facing_side == placement.side_to_face(seats, ())
    assert stage.screen.size == list(stage.screen.parent.inner_size)


# Open rounds


async def open_points(table: Table) -> None:
    """Points for everybody in the open, then something for the whole table."""
    points = say("Points of the round")
    await Together(points, {seat: Amount(seat, points, 0, 99) for seat in table.seats}, is_open=True)
    await Done(None, say("Turn the tile"))


def lit_seats(game: Any) -> list[str]:
    """The names of the seats whose panels have a brass frame."""
    panels = game.play_screen.panels.values()
    return [panel.seat.name for panel in panels if panel.status.is_asked and not panel.status.has_answered]


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("look", "players"), TABLES, ids=case_id)
async def test_panels_of_all_who_may_answer_are_lit(
    open_small_game: Any, look: ScreenVariant, players: int
) -> None:
    """Until they have answered; what the whole table must do lights none."""
    table, game = await open_small_game(open_points, look.size, look.lang, players)
    game.play_screen.layout_name = "flat"
    await table.wait_frames(4)
    seats = game.session.table.seats
    assert lit_seats(game) == [*NAMES[:players]]
    hint = game.play_screen.question_banner.hint_label
    assert hint.text
    assert hint.opacity == 1
    assert not layout_faults(table, look.size)
    game.session.put_answer_in_envelope(game.session.question_number, seats[0], 7)
    game.show()
    assert lit_seats(game) == [*NAMES[1:players]]
    for seat in seats[1:]:
        game.session.put_answer_in_envelope(game.session.question_number, seat, 7)
    game.show()
    assert lit_seats(game) == []
    assert not hint.text


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("look", "players"), TABLES, ids=case_id)
async def test_a_touch_on_ones_panel_enters_ones_answer(
    open_small_game: Any, look: ScreenVariant, players: int
) -> None:
    """The page is turned to the player, and goes once the number counts; then the panel opens as ever."""
    table, game = await open_small_game(open_points, look.size, look.lang, players)
    game.play_screen.layout_name = "flat"
    await table.wait_frames(4)
    stage, seats = table.app.stage, game.session.table.seats
    for seat in reversed(seats[1:]):
        await table.tap(f"before {seat.name}")
        await table.wait_frames(3)
        overlay = stage.topmost_widget
        assert overlay.parent.parent.quarter_turns == stage.side_by_seat[seat]
        assert not layout_faults(table, look.size)
        await table.tap("1", str(seat.number % 10), "confirm")
        assert not stage.has_overlay
    drafts = {seat.name: draft.answer for seat, draft in game.session.drafts.items()}
    assert drafts == {seat.name: 10 + seat.number % 10 for seat in seats[1:]}
    await table.tap(f"before {seats[1].name}")
    assert "close" in names(table)
    await table.tap("close", f"before {seats[0].name}", "5", "confirm")
    assert not stage.has_overlay
    assert game.answers == [{"1": 5} | {str(seat.number): drafts[seat.name] for seat in seats[1:]}]


async def test_a_vote_turns_to_the_panel_that_is_touched(open_small_game: Any) -> None:
    """What is no number is asked on a page of its own; on a screen that stands, the panel opens as ever."""
    table, game = await open_small_game(votes, (800, 480), players=4)
    stage, ben = table.app.stage, game.session.table.seats[1]
    await table.tap("before Ben")
    assert "close" in names(table)
    await table.tap("close")
    game.play_screen.layout_name = "flat"
    await table.wait_frames(4)
    await table.tap("before Ben")
    await table.wait_frames(2)
    assert stage.topmost_widget.parent.parent.quarter_turns == stage.side_by_seat[ben] == 3
    await table.tap("no")
    assert not stage.has_overlay
    assert {seat.name: draft.answer for seat, draft in game.session.drafts.items()} == {"Ben": "no"}


# What stands on a panel, and what lies over what


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("look", "players"), TABLES, ids=case_id)
async def test_everything_on_a_panel_faces_its_owner(
    open_small_game: Any, look: ScreenVariant, players: int
) -> None:
    """Wherever people sit: each panel is at its owner's edge, and upright from there."""
    table, game = await open_small_game(open_points, look.size, look.lang, players)
    screen, rng = game.play_screen, Random(players)
    screen.layout_name = "flat"
    seats = game.session.table.seats
    for turn in range(4):
        if turn:
            screen.side_by_seat = {seat: rng.randrange(4) for seat in seats}
        await table.wait_frames(4)
        for seat, panel in screen.panels.items():
            side = table.app.stage.side_by_seat[seat]
            for one in visible_widgets(panel):
                (x, y), (u, v) = one.to_window(0, 0), one.to_window(0, 10)
                assert (round(u - x), round(v - y)) == {0: (0, 10), 1: (-10, 0), 2: (0, -10), 3: (10, 0)}[
                    side
                ]
            centre_x, centre_y = panel.to_window(*panel.center)
            distances = (centre_y, look.size[0] - centre_x, look.size[1] - centre_y, centre_x)
            assert distances[side] <= min(distances[side], distances[(side + 2) % 4])


MATCHES = ("bidders", "egypt", "high_bid", "mammon", "oyakata")
CHECKED_STEPS = 40 if SOAK else 12


@pytest.mark.sweep(1)
@pytest.mark.parametrize("look", LOOKS, ids=case_id)
@pytest.mark.parametrize("game", MATCHES)
async def test_nothing_lies_over_a_text_in_play(open_app: Any, game: str, look: ScreenVariant) -> None:
    """From answer to answer on one screen: no key or panel hides a text, nor why something is refused."""
    from ui.screens.play import PlayScreen

    began, *_ = events = load_recorded_events(game)
    log = MemoryLog([began])
    session = Session(installed_games.playable_game(game), log, log)
    session.answer_for_absent_players()
    table = await laid(open_app, look)
    stage, steps = table.app.stage, build_timeline(events).steps
    checked = {*Random(5).sample(range(len(steps)), min(len(steps), CHECKED_STEPS))}
    stage.replace_screen(
        lambda: PlayScreen(view=make_view(session), scene_function=session.scene, layout_name="flat")
    )
    for index, step in enumerate(steps):
        if index in checked:
            stage.screen.view = make_view(session)
            await table.wait_frames(3)
            faults = [*find_covered_texts([*visible_widgets(stage.screen)])]
            stage.screen.show_refusal(say(WHY, seat=session.table.seats[-1], what=say("OK")))
            await table.wait_frames(2)
            assert not [*faults, *find_covered_texts([*visible_widgets(stage.screen)])]
        repeat_step(session, step)
        if session.question is None:
            break


@pytest.mark.parametrize("size", [(800, 480), (1280, 720)])
async def test_people_opposite_read_what_happened(open_app: Any, size: tuple[int, int]) -> None:
    """Upside down at their edge, also while one player is asked; never where it would hide something."""
    from ui.screens.play import PlayScreen

    began, *_ = events = load_recorded_events("mammon")
    log = MemoryLog([began])
    session = Session(installed_games.playable_game("mammon"), log, log)
    table, shown = await laid(open_app, ScreenVariant("flat", size, "en")), set[bool]()
    for index, step in enumerate(build_timeline(events).steps):
        question: Any = session.question
        if index % 10 == 0 and len(question.seats) == 1 and (notes := make_view(session).notes):
            table.app.stage.replace_screen(
                lambda: PlayScreen(view=make_view(session), scene_function=session.scene, layout_name="flat")
            )
            await table.wait_frames(3)
            screen = table.app.stage.screen
            strip = screen.opposite_notes
            shown.add(bool(strip.opacity))
            if strip.opacity:
                assert strip.label.text in [render(note, "en") for note in notes]
                assert strip.quarter_turns == 2
                assert strip.y >= max(part.top for part in (screen.question_banner, screen.notes))
                assert strip.top <= screen.centre.inner_size[1] + 1
                assert screen.heading.opacity
            assert not layout_faults(table, size)
        repeat_step(session, step)
    assert True in shown


# What each player reads at the own edge


def slips_on_stage(table: Any) -> dict[str, Any]:
    """The slip of each player who has one, by name; each is upright for its player."""
    from ui.widgets.seats.seat_slips import SeatSlip

    slips = {one.seat.name: one for one in visible_widgets(table.app.stage) if isinstance(one, SeatSlip)}
    for slip in slips.values():
        assert slip.parent.quarter_turns == table.app.stage.side_by_seat[slip.seat]
    return slips


def faced_side(table: Any) -> int:
    """The side that the topmost page faces."""
    stage = table.app.stage
    frame = stage.topmost_widget.parent.parent if stage.has_overlay else stage.screen.parent
    return int(frame.quarter_turns)


def is_too_crowded(stage: Any) -> bool:
    """Whether the cards of the final score leave no room for slips on a smaller screen."""
    return min(stage.size) < ROOMY and len(stage.side_by_seat) > MOST_WITH_SLIPS


def check_slips(table: Any, size: tuple[int, int]) -> dict[str, Any]:
    """Checks that all who don't read the page upright have a slip, which lies under and over nothing."""
    slips, stage = slips_on_stage(table), table.app.stage
    facing = faced_side(table)
    others = {seat.name for seat, side in stage.side_by_seat.items() if side != facing}
    assert set(slips) == others or (not slips and is_too_crowded(stage))
    seen = [one for root in (stage.topmost_widget, *slips.values()) for one in visible_widgets(root)]
    assert not [*find_covered_texts(seen), *layout_faults(table, size)]
    return slips


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("look", "players"), TABLES, ids=case_id)
@pytest.mark.usefixtures("without_motion")
async def test_nobody_reads_a_reveal_upside_down(
    open_app: Any, tmp_path: Path, look: ScreenVariant, players: int
) -> None:
    """At the own edge stand the own bid and who won, however the page is turned; they go with the page."""
    table = await open_app(make_test_app(tmp_path / "state", lang=look.lang), look.size)
    controller = table.app.controller
    controller.change_setting("placement", "flat")
    controller.start_new_game("sealed_bid", list(NAMES[:players]), list(COLOURS[:players]), {})
    await table.wait_frames(3)
    seats = controller.view.seats
    for seat in seats:
        controller.seal_answer_in_envelope(controller.view.question_number, seat, 10 + seat.number)
    await table.wait_frames(1)
    reveal = table.app.table_flow.last_reveal_screen
    reveal.skip_to_end()
    await table.wait_frames(4)
    for _turn in range(2):
        slips = check_slips(table, look.size)
        bids = {seat.name: str(10 + seat.number) for seat in seats if seat.name in slips}
        assert {name: slip.number for name, slip in slips.items()} == bids
        if players <= ROOMY_COUNT:
            said = {*reveal._sentences_about_winners}
            assert reveal.title.text in said
            assert {slip.text_label.text for slip in slips.values()} <= said
        await table.tap("turn")
    reveal.close()
    await table.wait_frames(2)
    assert not slips_on_stage(table)


@pytest.mark.sweep(3)
@pytest.mark.parametrize(("look", "players"), TABLES, ids=case_id)
@pytest.mark.usefixtures("without_motion")
async def test_nobody_reads_a_score_upside_down(
    open_app: Any, tmp_path: Path, look: ScreenVariant, players: int
) -> None:
    """At the own edge stand the own place, such as 4th, and total, however the page is turned."""
    table = await show_score(open_app, tmp_path, look, players)
    score = table.app.stage.screen
    score.turn_up_all_cards()
    await table.wait_frames(4)
    results = {
        one.seat.name: (PLACES[look.lang][one.rank - 1], str(one.total)) for one in score.result.standings
    }
    for _turn in range(2):
        slips = check_slips(table, look.size)
        assert {name: (slip.rank, slip.number) for name, slip in slips.items()} == {
            name: result for name, result in results.items() if name in slips
        }
        assert all(slip.is_winner == (slip.rank == PLACES[look.lang][0]) for slip in slips.values())
        ranks = [place for place, _ in results.values()]
        for slip in slips.values():
            assert bool(slip.rank_note) == (ranks.count(slip.rank) > 1)
            assert slip.rank_label.x < slip.number_label.x < slip.text_label.x
        await table.tap("turn")
        await table.wait_frames(2)


@pytest.mark.parametrize("lang", languages())
@pytest.mark.parametrize("width", [450, 225])
@pytest.mark.usefixtures("kivy_window")
def test_a_slip_says_that_a_rank_is_shared(width: int, lang: str) -> None:
    """The rank and the total come first, and both are whole beside the word, however short the slip."""
    from ui.widgets.seats.seat_slips import SeatSlip

    note = {"en": "shared", "de": "geteilt", "ja": "タイ"}[lang]
    slip = SeatSlip(make_seats(["Emmanuelle"])[0])
    slip.rank, slip.rank_note, slip.number, slip.size = PLACES[lang][0], note, "400", (width, 37)
    slip.draw()
    assert slip.rank_note_label.text == note
    labels = [slip.rank_label, slip.rank_note_label, slip.number_label]
    assert all(one.right <= other.x for one, other in pairwise(labels))
    assert slip.number_label.right < width - slip.height * 0.7


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
async def test_a_slip_says_no_more_than_the_cards(
    open_app: Any, tmp_path: Path, size: tuple[int, int]
) -> None:
    """Rank and total stand at a player's edge only once the player's card is face up."""
    table = await show_score(open_app, tmp_path, ScreenVariant("flat", size, "en"), 4)
    score = table.app.stage.screen
    assert not score.is_ceremony_over
    for finished in range(4):
        known = {card.standing.seat.name for card in score.rank_cards if card.turned_share == 1.0}
        slips = slips_on_stage(table)
        assert len(slips) == 3
        assert {name for name, slip in slips.items() if slip.number or slip.rank} == known & set(slips)
        assert len(known) == finished
        score._finish_card()
        await table.wait_frames(1)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("look", LOOKS, ids=case_id)
@pytest.mark.usefixtures("without_motion")
async def test_the_slip_of_a_player_who_is_out_shows_a_quiet_total(
    open_app: Any, tmp_path: Path, look: ScreenVariant
) -> None:
    """It is quiet, as on the card, and the slip says why; all others' totals count."""
    from ui.screens.score import ScoreScreen

    table = await show_score(open_app, tmp_path, look, 4)
    shown = table.app.stage.screen.view
    standings = [replace(one, is_eliminated=one.rank == 4) for one in shown.result.standings]
    view = replace(shown, result=GameResult(tuple(standings)))
    table.app.stage.replace_screen(lambda: ScoreScreen(view, is_flat=True))
    score = table.app.stage.screen
    score.turn_up_all_cards()
    await table.wait_frames(4)
    for _turn in range(2):
        slips = check_slips(table, look.size)
        for one in standings:
            if (slip := slips.get(one.seat.name)) is not None:
                assert slip.number_label.is_dimmed == one.is_eliminated
                out = {"en": "eliminated", "ja": "脱落", "de": "raus"}[look.lang]
                lines = [one.seat.name, out] if one.is_eliminated else [one.seat.name]
                assert slip.text_label.text.split("\n") == lines
        await table.tap("turn")
        await table.wait_frames(2)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("look", LOOKS, ids=case_id)
@pytest.mark.usefixtures("without_motion")
async def test_every_sheet_over_the_score_turns_round(
    open_app: Any, tmp_path: Path, look: ScreenVariant
) -> None:
    """The sum behind a total, and the chart: the people opposite read each of them, too."""
    table = await show_score(open_app, tmp_path, look, 4)
    score, stage = table.app.stage.screen, table.app.stage
    score.turn_up_all_cards()
    await table.wait_frames(4)
    standing = score.result.standings[0]
    for open_sheet in (lambda: score._open_sum(standing), score.show_score_over_time):
        open_sheet()
        await table.wait_frames(4)
        assert not layout_faults(table, look.size)
        before = stage._overlay_frame.quarter_turns
        await table.tap("turn")
        await table.wait_frames(2)
        assert (stage._overlay_frame.quarter_turns - before) % 4 == 2
        assert not layout_faults(table, look.size)
        await table.tap("close")
