"""Evenings that differ only in secrets sound and move alike, frame by frame, also from across the room.

The end of a game isn't told before the ceremony tells it.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator
from functools import wraps
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from companion import installed_games
from companion.log.log import MemoryLog
from companion.requests import Together
from companion.session.session import Session
from companion.session.view import View, make_view
from companion.table.scores import GameResult
from companion.testing.noninterference import (
    Observation,
    _answer_both_games,
    find_observable_differences,
    swap_covered_pieces,
)
from companion.texts import Say, say
from tests.games.test_scenes import answer
from tests.support.soak import SOAK
from tests.support.ui.app_helpers import COLOURS, NAMES, make_test_app
from tests.ui.test_score import ended

Leak = Callable[[pytest.MonkeyPatch], None]
TwinResults = tuple[tuple[tuple[int, ...], dict[str, Any]], tuple[tuple[int, ...], dict[str, Any]], int]
"""The totals of two games with what else differs, and the rank of the first card by which they differ."""
HIGH_BID = 100
"""The bit that a leak tells of a sealed bid: whether it is higher."""


@pytest.fixture
def window(kivy_window: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """An observer of the window."""
    from tests.support.ui.observed_window import ObservedWindow

    monkeypatch.setattr("ui.theme.IGNORED_REPEATED_TOUCH_SECONDS", 0.0)
    window = ObservedWindow(monkeypatch)
    yield window
    window.close()


@pytest.fixture
async def table(open_app: Any, tmp_path: Path, window: Any) -> AsyncIterator[Any]:
    """An app under observation."""
    from kivy.uix.widget import Widget

    table = await open_app(make_test_app(tmp_path / "state", lang="en"))
    await table.wait_until(lambda: hasattr(table.app, "table_flow"))
    window.watch(table)
    yield table
    table.app.stage.replace_screen(Widget)  # else a ceremony would go on in the next test


def differing_senses(one: list[Observation], other: list[Observation]) -> set[str]:
    """By what the twins can be told apart: `sounds`, `across the room: texts`."""
    return {line.partition(": ")[2] for line in find_observable_differences(one, other)}


# Sealed


@pytest.fixture
def seal_bids(table: Any, window: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Seals the bids of the first players by touch; gives all that others see and hear of it.

    Commitments are masked, since they follow from the values.
    """
    from companion.log.log import SealedDraft

    monkeypatch.setattr(SealedDraft, "commitment", property(lambda draft: f"{draft.seat}abc" * 16))

    async def play(*bids: int) -> list[Observation]:
        table.app.controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
        await window.pass_time(1.0)
        window.watch(table)
        for name, bid in zip(NAMES, bids, strict=False):
            await table.tap(name)
            await window.look(0.0)
            await table.tap(f"{name}, take the screen", *str(bid))
            window.note_sounds_and_animations()
            await table.tap("confirm")
            await window.look(0.1, 0.1, 0.15, 1.0)
            await window.look_across_room()
        table.app.controller.leave_table()
        await window.pass_time(1.0)
        return list(window.moments)

    return play


async def test_sealed_bids_sound_and_move_alike(seal_bids: Callable[..., Any]) -> None:
    """Covers, closing envelopes and the page across the room, whatever is inside."""
    one, other = await seal_bids(7, 950), await seal_bids(123, 0)
    assert find_observable_differences(one, other) == []
    assert any(b"envelope" in moment.values.get("sounds", b"") for moment in one)
    assert any(b"flap" in moment.values.get("animations", b"") for moment in one)
    assert any("across the room: texts" in moment.values for moment in one)


def has_high_bid() -> bool:
    """Whether a bid in an envelope is high: what no one may learn."""
    from ui.host import get_companion_app

    session = get_companion_app().evening.session
    return session is not None and any(draft.answer > HIGH_BID for draft in session.drafts.values())


def leak_by_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    """A high bid rings."""
    from ui.evening.table_sounds import TableSounds

    play_soon = TableSounds.play_soon

    def ring(sounds: Any, effect: Any) -> None:
        play_soon(sounds, "time_up" if has_high_bid() else effect)

    monkeypatch.setattr(TableSounds, "play_soon", ring)


def leak_by_motion(monkeypatch: pytest.MonkeyPatch) -> None:
    """The envelope with a high bid closes a little more slowly."""
    from ui import theme

    seconds = theme.animation_seconds
    monkeypatch.setattr(theme, "animation_seconds", lambda usual: seconds(usual) + 0.01 * has_high_bid())


def leak_across_room(monkeypatch: pytest.MonkeyPatch) -> None:
    """After a high bid, the others are named in another order."""
    awaited_seats = attrgetter("awaited_seats.fget")(View)
    monkeypatch.setattr(
        View, "awaited_seats", property(lambda view: awaited_seats(view)[:: -1 if has_high_bid() else 1])
    )


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("leak", "sense"),
    [
        (leak_by_sound, "sounds"),
        (leak_by_motion, "animations"),
        (leak_across_room, "across the room: texts"),
    ],
)
async def test_a_leak_of_a_sealed_bid_is_noticed(
    seal_bids: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, leak: Leak, sense: str
) -> None:
    """One bit is enough, by whichever sense."""
    leak(monkeypatch)
    assert sense in differing_senses(await seal_bids(7), await seal_bids(123))


# Covered


class CoveredTwins:
    """A game that was played for a while, twice, with something else under its covers, and common answers.

    `answers` can be given in both games; only after the last one may they look different, if it ends them.
    """

    def __init__(self, game: str, seed: int, answers_before: int, max_answers: int) -> None:
        self._rules, self._seed, self._log = installed_games.playable_game(game), seed, MemoryLog()
        rng = Random(seed)
        session = Session.begin(self._rules, NAMES[: self._rules.players[1]], {}, self._log, seed=seed)
        for _ in range(answers_before):
            answer(session, rng)
        one, other = self.make_sessions()
        common_count = first_count = len(one.steps)
        while common_count < first_count + max_answers and _answer_both_games(one, other, rng):
            if one.question is None or make_view(one).holdings != make_view(other).holdings:
                break
            common_count = len(one.steps)
        self.ends_differently = one.result is not None and one.result != other.result
        if self.ends_differently:
            common_count = len(one.steps)
        self.session_on_table = one
        self.answers = [step.answer for step in one.steps[first_count:common_count]]  # type: ignore[union-attr]  # nothing is corrected

    def make_sessions(self) -> list[Session]:
        """Returns both games before the common answers."""
        sessions = [
            Session(self._rules, list(self._log), MemoryLog(), salt=lambda: "0" * 32) for _ in range(2)
        ]
        swap = swap_covered_pieces(sessions[0], sessions[1], Random(self._seed))
        assert swap is not None, "nothing lies covered"
        self._place_and_piece = swap.source.place.key, swap.source.piece.key
        self._least_count = min(map(self._count_in, sessions))
        return sessions

    def _count_in(self, session: Session) -> int:
        return session.table.ledger.find_account_by_keys(*self._place_and_piece).count

    def has_more(self) -> bool:
        """Whether the game on the table is the one with more under the cover: the bit that a leak tells."""
        return self._count_in(self.session_on_table) > self._least_count


@pytest.fixture
def play_covered(table: Any, window: Any) -> Callable[..., Any]:
    """Plays a session by its answers; gives all that everybody sees and hears, also across the room."""

    async def play(session: Session, answers: list[Any]) -> list[Observation]:
        controller = table.app.controller
        controller.evening.session = session
        controller._show()
        await window.pass_time(1.0)
        window.watch(table)
        await window.look(0.0)
        for given in answers:
            question, n = session.question, session.question_number
            if isinstance(question, Together):
                for seat in question.seats:
                    controller.seal_answer_in_envelope(n, seat, given[str(seat.number)])
            else:
                controller.answer_question(n, given)
            await window.look(0.1, 0.4)
            await window.look_across_room()
            if table.app.table_flow.last_reveal_screen is not None:
                table.app.table_flow.last_reveal_screen.close()
            if session.question is not None:
                await window.pass_time(4.0)
        return list(window.moments)

    return play


ANSWERS = 12 if SOAK else 3


@pytest.mark.sweep(1)
@pytest.mark.parametrize("game", ["bidders", "egypt", "high_bid", "oyakata"])
async def test_what_lies_covered_sounds_and_moves_alike(play_covered: Callable[..., Any], game: str) -> None:
    """Two tables that differ only in what lies covered, answer by answer."""
    twins = CoveredTwins(game, 0, 30, ANSWERS)
    assert twins.answers
    one, other = [await play_covered(session, twins.answers) for session in twins.make_sessions()]
    assert find_observable_differences(one, other) == []


def leak_covered_by_sound(monkeypatch: pytest.MonkeyPatch, has_more: Callable[[], bool]) -> None:
    """A rich player rings."""
    from ui.evening.table_sounds import TableSounds

    handle_change = TableSounds._handle_change

    @wraps(handle_change)  # Kivy finds a bound method by its name
    def ring(sounds: Any, controller: Any) -> None:
        handle_change(sounds, controller)
        if has_more():
            sounds.play_soon("time_up")

    monkeypatch.setattr(TableSounds, "_handle_change", ring)


def leak_covered_by_motion(monkeypatch: pytest.MonkeyPatch, has_more: Callable[[], bool]) -> None:
    """Coins tremble at a rich table, too little to be seen."""
    from kivy.animation import Animation

    from ui.screens.visible_money import VisibleMoney

    compare_views = VisibleMoney.compare_views

    def tremble(money: Any, view: View, *, is_restored: bool) -> None:
        compare_views(money, view, is_restored=is_restored)
        if has_more():
            Animation(opacity=1.0, duration=0.2).start(money._layer)

    monkeypatch.setattr(VisibleMoney, "compare_views", tremble)


def leak_covered_across_room(monkeypatch: pytest.MonkeyPatch, has_more: Callable[[], bool]) -> None:
    """The back of a card, in place of a hidden number, is a pixel narrower over more money."""
    from ui.screens.across_room import _HiddenNumber

    draw = _HiddenNumber.draw

    def draw_narrower(number: Any) -> None:
        number.width -= has_more()
        draw(number)

    monkeypatch.setattr(_HiddenNumber, "draw", draw_narrower)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("leak", "sense"),
    [
        (leak_covered_by_sound, "sounds"),
        (leak_covered_by_motion, "animations"),
        (leak_covered_across_room, "across the room: pixels"),
    ],
)
async def test_a_leak_of_what_lies_covered_is_noticed(
    play_covered: Callable[..., Any],
    monkeypatch: pytest.MonkeyPatch,
    leak: Callable[[pytest.MonkeyPatch, Callable[[], bool]], None],
    sense: str,
) -> None:
    """One bit is enough, by whichever sense."""
    twins, seen = CoveredTwins("high_bid", 0, 30, 1), []
    leak(monkeypatch, twins.has_more)
    for session in twins.make_sessions():
        twins.session_on_table = session
        seen.append(await play_covered(session, twins.answers))
    assert sense in differing_senses(*seen)


# The end


async def test_the_end_is_not_told_before_the_ceremony(play_covered: Callable[..., Any], window: Any) -> None:
    """Covered cash decides: until the first card turns, after the last answer, both games are the same."""
    twins = CoveredTwins("high_bid", 4, 33, 20)
    assert twins.ends_differently
    moments = []
    for session in twins.make_sessions():
        before = await play_covered(session, twins.answers)
        await window.look(1.0, 1.0, 1.0)
        moments.append((before, window.moments[-1]))
    (one, one_later), (other, other_later) = moments
    assert find_observable_differences(one, other) == []
    assert "texts" in differing_senses([one_later], [other_later])


@pytest.fixture
async def show_ceremony(table: Any, window: Any) -> Callable[..., Any]:
    """Shows a ceremony until the card of that rank turns; gives all that everybody saw and heard."""
    from ui.screens.score import ScoreScreen

    table.app.controller.start_new_game("sealed_bid", NAMES, COLOURS, {})
    await window.pass_time(1.0)

    async def show(totals: tuple[int, ...], rank: int, bests: tuple[Say, ...] = (), **how: Any) -> Any:
        view = ended(table.app.controller, totals, **how)
        assert view.result is not None
        standings = sorted(view.result.standings, key=lambda standing: standing.rank)
        view = msgspec.structs.replace(view, result=GameResult(tuple(standings)))
        window.watch(table)
        table.app.stage.replace_screen(lambda: ScoreScreen(view, find_new_bests=lambda: bests))
        turned_count = 0
        while turned_count <= len(totals) - rank:
            await window.look(0.25)
            turned_count += window.moments[-1].values["animations"].count(b"turned_share")
        return window.moments[:-1]

    return show


LONG_REASON = say(
    "Tied on points, on cards, on gems and on rounds won: the last card that was played decides."
)
LAST_IS_SAME: TwinResults = ((3, 2, 1), {}), ((2, 3, 1), {}), 2
WINNER_IS_OTHER: TwinResults = (
    ((3, 2, 1), {}),
    ((9, 2, 1), {"why": LONG_REASON, "bests": (say("A new best"),)}),
    1,
)
TWIN_RESULTS = pytest.mark.parametrize(("one", "other", "rank"), [LAST_IS_SAME, WINNER_IS_OTHER])


@TWIN_RESULTS
async def test_a_ceremony_tells_no_more_than_the_cards_that_are_up(
    show_ceremony: Callable[..., Any], one: Any, other: Any, rank: int
) -> None:
    """Neither order, names, sums, reasons and bests of the others, nor their number of lines."""
    seen = [await show_ceremony(totals, rank, **how) for totals, how in (one, other)]
    assert len(seen[0]) > 1
    assert find_observable_differences(*seen) == []


def leak_winner_by_shade(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first player's card is a little paler while it lies face down, if it wins."""
    from ui.widgets.seats.rank_card import RankCard

    draw = RankCard.draw

    def draw_paler(card: Any) -> None:
        card.opacity = 0.95 if card.standing.seat.number == 1 and card.is_winner else 1.0
        draw(card)

    monkeypatch.setattr(RankCard, "draw", draw_paler)


def leak_winner_by_text(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name is on a card that lies face down, though nothing shows it."""
    from ui.widgets.seats.rank_card import RankCard

    show_or_hide_labels = RankCard._show_or_hide_labels

    @wraps(show_or_hide_labels)
    def name_card(card: Any, *arguments: object) -> None:
        show_or_hide_labels(card, *arguments)
        card.name = card.standing.seat.name

    monkeypatch.setattr(RankCard, "_show_or_hide_labels", name_card)


def leak_winner_by_pace(monkeypatch: pytest.MonkeyPatch) -> None:
    """The pause before the first card is longer if the first player has won."""
    from ui.screens.score import ScoreScreen

    perform_ceremony = ScoreScreen._perform_ceremony

    def perform_slowly(score: Any) -> Any:
        yield 0.3 * (score.result.winners[0].number == 1)
        yield from perform_ceremony(score)

    monkeypatch.setattr(ScoreScreen, "_perform_ceremony", perform_slowly)


def leak_winner_by_sound(monkeypatch: pytest.MonkeyPatch) -> None:
    """A card turns with a chink if the first player has won."""
    from ui.host import get_companion_app
    from ui.widgets.seats.rank_card import RankCard

    turn_face_up = RankCard.turn_face_up

    def chink(card: Any) -> None:
        turn_face_up(card)
        if get_companion_app().stage.screen.result.winners[0].number == 1:
            get_companion_app().sounds.play("chip")

    monkeypatch.setattr(RankCard, "turn_face_up", chink)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(
    ("leak", "sense"),
    [
        (leak_winner_by_shade, "pixels"),
        (leak_winner_by_text, "widgets"),
        (leak_winner_by_pace, "animations"),
        (leak_winner_by_sound, "sounds"),
    ],
)
async def test_a_leak_of_the_winner_is_noticed(
    show_ceremony: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, leak: Leak, sense: str
) -> None:
    """One bit is enough, by whichever sense."""
    leak(monkeypatch)
    (one, _), (other, _), rank = LAST_IS_SAME
    assert sense in differing_senses(await show_ceremony(one, rank), await show_ceremony(other, rank))
