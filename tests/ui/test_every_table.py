"""Every game's table in every plan, at every size, in every language: nothing is cut, nothing is left out."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import product
from random import Random
from typing import Any

import pytest

from companion import installed_games
from companion.clocks import parse_clocks
from companion.errors import IllegalAnswer
from companion.languages import languages
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.recorded_match import load_recorded_events
from companion.requests import Amount, Counts, Request, Roll, Together
from companion.rules.scene_views import GridView
from companion.session.session import Session
from companion.session.timekeeper import Timekeeper
from companion.session.view import make_view
from companion.texts import say
from tests.any_game_presets import SHIPPED, deck_of
from tests.support.games.any_game_helpers import NO_DIRECTORY
from tests.support.games.script_helpers import repeat_step
from tests.support.long_names import PEOPLE
from tests.support.soak import SOAK
from tests.support.ui.layout_checks import (
    check_columns_align,
    check_marks_inside_and_apart,
    check_parts_inside,
)
from tests.support.ui.layout_shift import check_nothing_moves, touch_middle
from tests.support.ui.screen_faults import (
    MANY_PANELS,
    SEVERAL_LINES,
    count_lines_of_notes,
    find_cut_texts,
    find_indistinguishable_keys,
    find_keys_with_lost_lines,
    find_overhanging_texts,
    find_overprinted_texts,
    visible_widgets,
)
from tests.support.ui.screen_variants import ScreenVariant, variants_with_languages_in_turn
from tests.ui.test_play import check_all

PLANS = {
    "landscape": [(800, 480), (1280, 720), (1920, 1080)],
    "upright": [(480, 800), (720, 1280)],
    "flat": [(800, 480), (480, 800), (1280, 720), (720, 1280), (1920, 1080)],
}
GAMES = ("any_game", "bidders", "egypt", "high_bid", "mammon", "oyakata", "sealed_bid")
FEW = 5
"""Number of players in a game that has no more, or would have too many looks."""
RECORDED = ("bidders", "egypt", "high_bid", "mammon", "oyakata")
CROWDS = [(game, people) for game in ("any_game", "sealed_bid") for people in (6, 8, 12)]
LOOKS = [(plan, size, lang) for plan, sizes in PLANS.items() for size, lang in product(sizes, languages())]
SEATED = [*((game, FEW) for game in GAMES), *CROWDS]
TABLES = (
    list(product(SEATED, LOOKS))
    if SOAK
    else [
        (game, LOOKS[(2 * at + 7 * turn) % len(LOOKS)]) for turn in (0, 1) for at, game in enumerate(SEATED)
    ]
)
MOST = 600 if SOAK else 150
"""Answers after which a game has asked all it asks."""
USUAL, SMALL = 1000, 100
"""Numbers that people type are lower, and not below zero by more."""
ROOMY = 720
"""From this shorter side on nothing is left out."""
WHY = (
    "{seat}'s button {what} has a loose wire, or a long wire with interference. Fix the wire or let {seat} "
    "use the screen."
)
"""As long as anything that is said near a question."""
ROOMY_PLANS = {plan: [size for size in sizes if min(size) >= ROOMY] for plan, sizes in PLANS.items()}
FLAT_PLANS = {"flat": PLANS["flat"]}
MANY_GRID_LINES = 6
"""Most lines of grids that a flat panel of 720 pixels shows beside everything else."""
MANY_FACES = 16
"""A die with more has keys in three lines."""


def called(at: str | int | tuple[object, ...]) -> str:
    """A game, a number of people or a look in the name of a test."""
    return "-".join(map(str, at)) if isinstance(at, tuple) else str(at)


def crowds_at_looks(
    crowds: tuple[int, ...], plans: Mapping[str, Sequence[tuple[int, int]]]
) -> list[tuple[int, ScreenVariant]]:
    """Returns each number of people at each look, the languages in turn."""
    return [
        (people, look)
        for turn, people in enumerate(crowds)
        for look in variants_with_languages_in_turn(turn, plans)
    ]


def sort_of(question: Any) -> object:
    """What tells a question from others of its kind: its text, of a bid the way out, of a roll its dice."""
    text = getattr(getattr(question, "question", None), "template", question.kind)
    return text, getattr(question, "no", None), len(getattr(question, "dice", ()))


def small(question: Any, rng: Random) -> Any:
    """A legal answer, a number as it is in a real game; none but 0 may be as low as it can."""
    if isinstance(question, Amount) and question.least <= 0:
        return max(-SMALL, min(question.random_legal_answer(rng), rng.randrange(0, USUAL, question.step)))
    return question.random_legal_answer(rng)


def answer(session: Session, rng: Random) -> None:
    """The open question is answered in some legal way; Any Game goes on as long as it can."""
    question: Any = session.question
    for _try in range(100):
        try:
            given = small(question, rng)
            if given == "finish" and len(question.legal_option_keys) > 1:
                continue
            if isinstance(question, Together):
                for seat, part in question.parts_by_seat.items():
                    session.put_answer_in_envelope(
                        session.question_number, seat, part.answer_to_json(small(part, rng))
                    )
            else:
                session.answer(session.question_number, question.answer_to_json(given))
        except IllegalAnswer:
            continue
        return


def _has_room_for_grids(parts: Sequence[Any], look: ScreenVariant) -> bool:
    """Whether all grids of the middle are shown: a flat panel of 720 pixels has room for a few lines."""
    lines = sum(len(part.lines) for part in parts if isinstance(part, GridView))
    return look.layout != "flat" or min(look.size) > ROOMY or lines <= MANY_GRID_LINES


def _is_roomy(question: Request[Any], size: tuple[int, int], people: int, lines: int) -> bool:
    """Where a question, or what has just happened, leaves the middle no room, it is a touch away.

    Counts on a smaller panel; what many people have written down, beside envelopes or dice; three lines of
    keys for a die of twenty; several lines of what has happened, which are never left out. Also grids of many
    lines in the middle of a flat panel of 720 pixels.
    """
    from ui.widgets.seats.panel_columns import MAX_FULL_DETAIL_PANELS

    counts = isinstance(question, Counts) and min(size) == ROOMY
    many = isinstance(question, Together | Counts | Roll) and people > MAX_FULL_DETAIL_PANELS
    large = isinstance(question, Roll) and max(len(die.faces) for die in question.dice) > MANY_FACES
    return min(size) >= ROOMY and not counts and not many and not large and lines < SEVERAL_LINES


async def laid(open_app: Any, look: ScreenVariant) -> Any:
    """A window on which tables can be shown."""
    from tests.support.ui.screen_sizes import make_bare_app

    return await open_app(make_bare_app(lang=look.lang), look.size)


async def check_table(
    table: Any, session: Session, look: ScreenVariant, *, may_leave_out: bool = False
) -> None:
    """All of it is whole, apart and inside, and where there is room nothing is left out.

    `may_leave_out`: numbers are so wide that something is a touch away on any screen.
    """
    from ui.screens.play import PlayScreen

    stage, (plan, size, _), clocks = table.app.stage, look, Timekeeper(session).clock_states
    stage.replace_screen(
        lambda: PlayScreen(
            view=make_view(session), scene_function=session.scene, layout_name=plan, has_clocks=bool(clocks)
        )
    )
    stage.screen.clocks = clocks
    await table.wait_frames(4)
    assert session.question is not None
    check_screen(table, size)
    people, lines = len(session.table.seats), count_lines_of_notes([*visible_widgets(stage.screen)])
    for strip in stage.screen.panels.values():
        shows_everything = not may_leave_out and _is_roomy(session.question, size, people, 0)
        check_marks_inside_and_apart(strip, shows_everything=shows_everything)
    if stage.screen.middle.width > 0:
        shows_everything = (
            not may_leave_out
            and _is_roomy(session.question, size, people, lines)
            and _has_room_for_grids(stage.screen.middle.parts, look)
        )
        check_marks_inside_and_apart(stage.screen.middle, shows_everything=shows_everything)
    check_columns_align([*stage.screen.panels.values()])
    if stage.screen.events_notice is not None:
        stage.screen.events_notice.close()
    await check_nothing_moves(table, lambda: _say_why(stage.screen, session))
    await check_pages(table, size)
    await check_typing(table, size)


def check_screen(table: Any, size: tuple[int, int]) -> None:
    """Texts are whole and apart, keys large, each with all its lines and none like another."""
    check_all(table, size)
    widgets = [*visible_widgets(table.app.stage)]
    faults = [
        *find_overprinted_texts(widgets),
        *find_overhanging_texts(widgets),
        *find_cut_texts(widgets),
        *find_keys_with_lost_lines(widgets),
        *find_indistinguishable_keys(widgets),
    ]
    assert not faults
    check_parts_inside(table.app.stage.screen.question_area)


async def check_pages(table: Any, size: tuple[int, int]) -> None:
    """What has no room on the first page is as whole on the others."""
    asking = table.app.stage.screen.question_area
    while pages := [
        one for one in visible_widgets(asking) if getattr(one, "name", "") == "page on" and not one.disabled
    ]:
        await touch_middle(table, pages[0])
        check_screen(table, size)


async def _say_why(play: Any, session: Session) -> None:
    play.show_refusal(say(WHY, seat=session.table.seats[-1], what=say("OK")))


async def check_typing(table: Any, size: tuple[int, int]) -> None:
    """Where a card may be typed as what is printed on it, the same is so of what it is typed with."""
    asking = table.app.stage.screen.question_area
    key = getattr(asking.children[0], "type_key", None)
    if key is None or key.parent is None or key.name != "describe":
        return
    await table.tap("describe")
    await table.wait_frames(4)
    check_screen(table, size)
    await table.tap("cancel")


async def played(table: Any, session: Session, look: ScreenVariant) -> set[object]:
    """Answers as it comes; each sort of question is looked at once. Gives these sorts."""
    rng, seen = Random(3), set[object]()
    for _answer in range(MOST):
        if (question := session.question) is None:
            break
        sort = sort_of(question)
        if sort not in seen:
            seen.add(sort)
            await check_table(table, session, look)
        answer(session, rng)
    return seen


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("seated", "look"), TABLES, ids=lambda at: "-".join(map(str, at)))
async def test_every_question_of_every_game_fits(open_app: Any, seated: tuple[str, int], look: Any) -> None:
    """As many people as may play, with long names: each kind of question as it comes, and what lies there."""
    (game, people), look = seated, ScreenVariant(*look)
    rules = installed_games.playable_game(game)
    names = PEOPLE[look.lang][: min(people, rules.players[1])]
    session = Session.begin(rules, names, {}, MemoryLog(), seed=7)
    assert await played(await laid(open_app, look), session, look)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("template", "look"),
    [(each, look) for n, each in enumerate(SHIPPED) for look in variants_with_languages_in_turn(n, PLANS)],
    ids=called,
)
async def test_every_question_of_every_template_fits(
    open_app: Any, template: str, look: ScreenVariant
) -> None:
    """Four people do whatever comes to their mind for some time."""
    names = PEOPLE[look.lang][:4]
    decks = {"any_game": deck_of(template, NO_DIRECTORY)}
    game = installed_games.playable_game("any_game")
    session = Session.begin(game, names, {"template": template}, MemoryLog(), deck_by_name=decks, seed=7)
    assert len(await played(await laid(open_app, look), session, look)) > 1


@pytest.mark.sweep(1)
@pytest.mark.parametrize("look", LOOKS, ids=called)
@pytest.mark.parametrize("game", RECORDED)
async def test_every_question_of_a_recorded_match_fits(open_app: Any, game: str, look: Any) -> None:
    """Where people play well, other things lie there and are offered than by chance."""
    began, *_ = events = load_recorded_events(game)
    log = MemoryLog([began])
    session = Session(installed_games.playable_game(game), log, log)
    session.answer_for_absent_players()
    table, seen = await laid(open_app, ScreenVariant(*look)), set[object]()
    for step in build_timeline(events).steps:
        question: Any = session.question
        news = sort_of(question)
        if news not in seen:
            seen.add(news)
            await check_table(table, session, ScreenVariant(*look))
        repeat_step(session, step)
    assert len(seen) > 1


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("people", "look"), crowds_at_looks((4, 8, 12), ROOMY_PLANS), ids=called)
async def test_all_companies_of_a_table_are_seen(open_app: Any, people: int, look: ScreenVariant) -> None:
    """Four with their prices, and the shares that everybody holds; before and after much was traded."""
    names = PEOPLE[look.lang][:people]
    trains = {"any_game": deck_of("train", NO_DIRECTORY)}
    game = installed_games.playable_game("any_game")
    session = Session.begin(game, names, {"template": "train"}, MemoryLog(), deck_by_name=trains, seed=7)
    table, rng = await laid(open_app, look), Random(3)
    for _look in range(3):
        if session.question is None:
            break
        await check_table(table, session, look)
        if look.layout == "landscape" and (people <= MANY_PANELS or min(look.size) > ROOMY):
            assert not re.search(
                r"^\+\d", "\n".join(table.app.stage.screen.middle.visible_texts), re.MULTILINE
            )
        for _answer in range(20):
            if session.question is not None:
                answer(session, rng)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("people", "look"), crowds_at_looks((6, 8, 12), FLAT_PLANS), ids=called)
async def test_many_people_with_clocks_have_room(open_app: Any, people: int, look: ScreenVariant) -> None:
    """The key that stops the clocks stands beside the others, and none lies under a strip."""
    names = PEOPLE[look.lang][:people]
    rules, clocks = installed_games.playable_game("sealed_bid"), parse_clocks("budget=900")
    session = Session.begin(rules, names, {}, MemoryLog(), seed=7, clock_settings=clocks)
    table = await laid(open_app, look)
    await check_table(table, session, look)
