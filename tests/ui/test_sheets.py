"""Every reason and every line that a game's score sheet may hold, on every screen: nothing is cut."""

from __future__ import annotations

import re
from functools import cache
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion.installed_games import games, playable_game
from companion.languages import languages
from companion.session.view import make_view
from companion.table.scores import GameResult, ScoreLine, Standing
from companion.table.seats import make_seats
from companion.testing.random_game import RandomGame, play_randomly_to_end
from companion.texts import Say, render, say
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import make_test_app
from tests.support.ui.text_checks import check_all_texts_are_whole, check_texts_do_not_touch
from tests.ui.test_games import COLOURS, NAMES
from tests.ui.test_play import check_all

pytestmark = pytest.mark.usefixtures("without_motion")
SIZES = [(800, 480), (1280, 720), (720, 1280), (1920, 1080)]
TIGHTEST = [((800, 480), "de"), ((800, 480), "ja"), ((720, 1280), "en")]
FEW = 4
"""Lines of a kind that are shown on one page."""
TRIALS = 20 if SOAK else 1
"""Number of games that are played at random for the lines of their sheets."""


TIE = "wins the tie with {reason}"
"""Of two with equal totals only one carries it."""


def first(tie: Say) -> Say:
    """What decided between equal totals."""
    return say(TIE, reason=tie)


WHY: dict[str, list[Say]] = {
    "any_game": [
        first(say("first in turn")),
        first(say("an earlier turn")),
        say("wins the tie, as the table decided"),
        say("didn't join"),
        first(say("more of {piece}", piece=say("chip"))),
        say("not reached: {track}", track=say("quest")),
        say("not reached: {track}", track=say("cures")),
        say("lost: {track}", track=say("danger")),
    ],
    "bidders": [say("eliminated: popularity {popularity}, rank {rank}", popularity=-12, rank=5)],
    "egypt": [],
    "high_bid": [say("declared the end; short of ${goal} by ${short}", goal=10000, short=10000)],
    "mammon": [say("number {number} to go out", number=4)],
    "oyakata": [first(say("fewer chips in the bag"))],
    "sealed_bid": [],
}
"""Every reason that a rulebook gives, as long as it gets."""


@pytest.mark.parametrize("key", WHY)
def test_no_reason_has_brackets_within_brackets(key: str) -> None:
    """In the sentence with rank, name and total, in every language."""
    seat = make_seats(["Aki"])[0]
    for reason, lang in product(WHY[key], languages()):
        sentence = render(Standing(seat, 2, 7, is_eliminated=True, why=reason).text, lang)
        assert not re.search("[(（][^)）]*[(（]", sentence), sentence


@cache
def played(key: str) -> list[GameResult]:
    """How some games of as many as may play it ended."""
    found = []
    for seed in range(TRIALS):
        trial = RandomGame.begin(playable_game(key), -1, Random(seed))
        play_randomly_to_end(trial.session, trial.rng)
        assert trial.session.result is not None
        found.append(trial.session.result)
    return found


def lines_of(results: list[GameResult]) -> tuple[ScoreLine, ...]:
    """Each line that stood on some sheet, once, with its largest number."""
    all_lines = [line for result in results for standing in result.standings for line in standing.lines]
    widest = sorted(all_lines, key=lambda line: len(str(line.value)))
    return tuple({(line.label, line.is_part_of_total): line for line in widest}.values())


def few(lines: tuple[ScoreLine, ...], lang: str) -> tuple[ScoreLine, ...]:
    """As many lines as have room on one page, the longest there are."""
    longest = sorted(lines, key=lambda line: len(render(line.label, lang)), reverse=True)
    counting = [line for line in longest if line.is_part_of_total]
    return *counting[:FEW], *[line for line in longest if not line.is_part_of_total][:FEW]


async def check_page(table: Any, size: tuple[int, int], result: GameResult) -> None:
    """The cards of a score, then the sheets of the first two page by page."""
    from ui.screens.score import ScoreScreen

    seen = msgspec.structs.replace(make_view(table.app.evening.session), question=None, result=result)
    table.app.stage.replace_screen(lambda: ScoreScreen(seen))
    await table.wait_frames(1)
    table.app.stage.screen.turn_up_all_cards()
    await table.wait_frames()
    check_all(table, size)
    for place in table.app.stage.screen.rank_cards:
        texts = [
            text
            for text in (place.rank_label, place.name_label, place.reason_label, place.total_label)
            if text.text
        ]
        for one, other in combinations(texts, 2):
            check_texts_do_not_touch(one, other)
    for standing in result.standings[:2]:
        await table.tap(standing.seat.name)
        sheet = table.app.stage.topmost_widget
        check_all_texts_are_whole(sheet.walk())
        while [key for key in sheet.walk() if getattr(key, "name", "") == "page on" and not key.disabled]:
            await table.tap("page on")
            check_all_texts_are_whole(sheet.walk())
        await table.tap("close")


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang"), list(product(SIZES, languages())) if SOAK else TIGHTEST)
async def test_every_sheet_fits_every_screen(
    open_app: Any, tmp_path: Path, size: tuple[int, int], lang: str
) -> None:
    """As many as may play, with long names and totals; as many of them as can carry each reason."""
    table = await open_app(make_test_app(tmp_path / "state", lang=lang), size)
    table.app.controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    for key in games():
        seats = table.app.controller.view.seats[: playable_game(key).players[1]]
        lines = lines_of(played(key))
        sheets = {1: lines, 2: few(lines, lang)}
        whys: list[Say | None] = [*WHY[key]]
        for why in whys or [None]:
            every = 2 if why is not None and why.template == TIE else 1
            standings = [
                Standing(seat, rank, -8888, sheets.get(rank, ()), why=None if (rank - 1) % every else why)
                for rank, seat in enumerate(seats, 1)
            ]
            await check_page(table, size, GameResult(tuple(standings)))


async def test_no_reason_drives_a_card_off_the_screen(open_app: Any, tmp_path: Path) -> None:
    """A rulebook that gives everybody a speech leaves all cards equally high."""
    from ui.screens.score import ScoreScreen

    table = await open_app(make_test_app(tmp_path / "state"))
    table.app.controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    seen, why = table.app.controller.view, first(say(" ".join(["whoever has more of it"] * 9)))
    standings = tuple(Standing(seat, seat.number, 1, why=why) for seat in seen.seats)
    ended = msgspec.structs.replace(seen, question=None, result=GameResult(standings))
    table.app.stage.replace_screen(lambda: ScoreScreen(ended))
    await table.wait_frames()
    places = table.app.stage.screen.rank_cards
    assert len({round(place.height) for place in places}) == 1
    assert places[0].top < table.window.height


def like(text: Say) -> str:
    """A reason whatever its numbers."""
    names = {name: getattr(part, "label", part) for name, part in text.args}
    return " ".join([text.template, *(like(part) for part in names.values() if isinstance(part, Say))])


@pytest.mark.parametrize("key", sorted(games()))
def test_every_reason_is_looked_at(key: str) -> None:
    """What a rulebook says beside a total is one of those above."""
    known = {like(why) for why in WHY[key]}
    for result in played(key):
        for standing in result.standings:
            assert standing.why is None or like(standing.why) in known, render(standing.why)
