"""Oyakata's bags stay closed, and nothing is ever made or lost: soil, gems, mud, chips."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import msgspec
import pytest

from companion.errors import IllegalAnswer
from companion.games.oyakata import rulebook as oyakata
from companion.games.oyakata.board import (
    BOARD,
    DISCONTENT,
    MARKER_BY_TRACK,
    STORAGE,
    Board,
    make_chip_piece,
    make_gem_piece,
)
from companion.games.oyakata.rulebook import GAME
from companion.requests import Counts
from companion.session.session import Session
from companion.session.view import View, make_view
from companion.table.ledger import Account, Piece, Place
from companion.table.scores import GameResult
from companion.table.seats import Seat
from companion.table.table import Table
from companion.testing import Script
from companion.testing.noninterference import Observation, ViewFunction, find_observable_differences
from companion.testing.random_game import RandomGame, play_randomly_to_end
from companion.texts import Say, render, say
from tests.support.games.oyakata_helpers import CHIPS, GEMS, begin_script, idle_through_turns
from tests.support.twin_observations import observe_moment

# Conservation


@pytest.mark.sweep(6)
@pytest.mark.without_coverage
@pytest.mark.parametrize("number", range(12))
def test_nothing_is_made_or_lost(number: int) -> None:
    """At every event: 60 soil, 15 gems and 5 chips a colour, a mud a player, 35 tiles of each letter."""
    trial = RandomGame.begin(GAME, number, Random(f"bags {number}"))
    session = trial.session
    wanted = {f"{colour} gem": 15 for colour in GEMS} | {f"{colour} chip": 5 for colour in CHIPS}
    wanted |= {"soil": 60, "mud": len(session.table.seats), "tile A": 35, "tile B": 35, "market card": 20}

    def watch() -> None:
        totals = session.table.ledger.total_by_piece_key()
        assert {piece: totals[piece] for piece in wanted} == wanted
        for account in session.table.ledger:
            assert account.count >= 0 or (account.piece.is_endless and account.place.seat is None)
        for seat in session.table.seats:
            look_at(session.table, seat)

    play_randomly_to_end(session, trial.rng, watch)


def look_at(table: Table, seat: Seat) -> None:
    """What holds before every seat at any moment."""

    def count(what: Say, *pieces: Piece) -> int:
        return sum(table.ledger.count_at(Place(what, seat), piece) for piece in pieces)

    assert 0 <= count(BOARD, MARKER_BY_TRACK["workers"]) <= 5
    assert count(BOARD, MARKER_BY_TRACK["digging"]) <= 3
    assert count(STORAGE, *map(make_gem_piece, GEMS)) <= 10
    assert count(DISCONTENT, *map(make_chip_piece, CHIPS)) <= 6
    assert table.ledger.find_account_by_keys(f"bag/{seat.number}", "mud").count == 1


def found(session: Session, place: str, piece: str) -> Account:
    """An account by the names people use."""
    return session.table.ledger.find_account_by_keys(place, piece)


# Twins


PROBES: tuple[object, ...] = (
    *({"soil": 1}, {"soil": 3}, {"soil": 4}, {"mud": 1}, {"mud": 2}, {"red": 1}, {"white": 1}, {"red": -1}),
    *({"soil": 2, "red": 1}, {"blue": 2}, {}, {"soil": 1, "mud": 1, "red": 1}, None, {"gold": 1}, "soil"),
)
AFTER = (
    "Aki: dig",
    "Aki: soil 1, mud 1",
    "Aki: blue",
    "Aki: survey_A",
    "Aki places A2",
    "Aki: end",
    "table: shows M2",
    "Ben: holiday",
    "Ben: soil 1",
    "Ben: end",
    "undo",
    "undo",
    "redo",
    "Ben: end",
    "table: shows M3",
    "Aki: dig",
)


def swap(table: Table) -> None:
    """Two soil of Aki's bag lie in Ben's, and a red gem of Ben's in Aki's: nobody could have seen it."""
    for piece, less, more, count in (("soil", "bag/1", "bag/2", 2), ("red gem", "bag/2", "bag/1", 1)):
        source, target = (
            table.ledger.find_account_by_keys(less, piece),
            table.ledger.find_account_by_keys(more, piece),
        )
        assert source.covered
        assert target.covered
        table.ledger.supply_from_box(source, -count)
        table.ledger.supply_from_box(target, count)


def nothing(table: Table) -> None:
    """The twin whose bags are as they were."""


def refusals(session: Session) -> dict[str, str]:
    """Why digs would be refused now; those that would be taken are left out."""
    question, why = session.question, dict[str, str]()
    for probe in PROBES:
        if not isinstance(question, Counts):
            break
        try:
            question.check_answer(question.parse_answer(probe))
        except IllegalAnswer as error:
            why[str(probe)] = render(error.text)
    return why


def observed(
    differ: Callable[[Table], None], look: ViewFunction = make_view
) -> tuple[list[Observation], list[dict[str, str]]]:
    """Two turns and what is seen of them, from the moment when the bags differ; undo finds them so again."""
    honest = oyakata.play_round

    async def differing_round(board: Board) -> None:
        differ(board.table)
        await honest(board)

    with pytest.MonkeyPatch.context() as rules:
        rules.setattr(oyakata, "play_round", differing_round)
        return two_turns(Script(GAME, "Aki", "Ben"), look)


def two_turns(script: Script, look: ViewFunction) -> tuple[list[Observation], list[dict[str, str]]]:
    """What is seen from the first market card on."""
    script.says("table: Aki", "Aki places A1", "Ben places A6", "table: shows M1")
    moments, refused = [], []
    for line in (None, *AFTER):
        if line is not None:
            script.says(line)
        now = observe_moment(script.session, view_function=look)
        now.values["moves"] = repr(script.moves_by_hand).encode()
        now.values["told"] = repr((script.history_texts, script.last_notes)).encode()
        now.values["so far"] = repr(score_so_far(script)).encode()
        moments.append(now)
        refused.append(refusals(script.session))
    return moments, refused


def score_so_far(script: Script) -> GameResult:
    """The score as it stands."""
    score = script.session.table.score_so_far
    assert score is not None
    return score()


def told_apart(one: list[dict[str, str]], other: list[dict[str, str]]) -> list[str]:
    """Digs that are refused in both twins, with another text."""
    return [
        probe
        for mine, yours in zip(one, other, strict=True)
        for probe in mine.keys() & yours.keys()
        if mine[probe] != yours[probe]
    ]


def test_what_is_in_a_bag_is_covered() -> None:
    """Nobody sees into a bag, its owner neither: no view, limit, history, instruction or refusal tells."""
    one, refused = observed(nothing)
    other, also_refused = observed(swap)
    assert find_observable_differences(one, other) == []
    assert told_apart(refused, also_refused) == []
    assert refused != also_refused, "what is in a bag still decides what can be dug"


def test_a_dig_is_never_limited_by_the_bag() -> None:
    """The limit shown is what can be carried; an empty bag asks like a full one and is only checked."""
    script = begin_script()
    for taken in ("4 soil", "1 mud"):
        script.says(f"correct {taken} from bag/1 to bag/2: for the test")
    script.says("table: shows M1")
    assert script.open_question_limits["options"]["dig"] == "Dig · up to 3"
    script.says("Aki: dig")
    assert (script.open_question_limits["most"], script.open_question_limits["counts"]["mud"]) == (3, None)
    assert (
        script.refuses("Aki: mud 1")
        == script.refuses("Aki: soil 1")
        == "These pieces can't come from Aki's bag."
    )
    script.says("Aki: nothing")


def test_a_correction_of_a_bag_is_covered() -> None:
    """A bag put right by hand is told without what and how many."""
    script = begin_script().says("correct 1 soil from bag/1 to centre: fell out")
    assert script.history_texts[-1] == "Hidden correction (fell out)"


def leaky_view(session: Session, eyes: Seat | None) -> View:
    """Tells one bit of a bag."""
    seen, many = make_view(session, eyes), found(session, "bag/1", "soil").count > 2
    return msgspec.structs.replace(seen, notes=(*seen.notes, say("Hm."))) if many else seen


def test_one_bit_is_enough() -> None:
    """A view that tells a single bit of a bag is caught."""
    one, _ = observed(nothing, leaky_view)
    other, _ = observed(swap, leaky_view)
    assert any("view of all" in difference for difference in find_observable_differences(one, other))


def test_a_rule_that_counts_the_bag_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """A limit that follows from what is in the bag differs between the twins."""
    honest = oyakata.max_chips_to_dig

    def leaky(board: Board, seat: Seat) -> int:
        return min(honest(board, seat), board.bags[seat]["soil"].count)

    monkeypatch.setattr(oyakata, "max_chips_to_dig", leaky)
    one, _ = observed(nothing)
    other, _ = observed(swap)
    assert any("question" in difference for difference in find_observable_differences(one, other))


def test_open_bags_are_seen() -> None:
    """With bag_odds everybody sees what is in the bags: the twins are told apart."""
    script = Script(GAME, "Aki", "Ben", options={"bag_odds": "true"})
    bags = [account for account in script.session.table.ledger if account.place.key.startswith("bag/")]
    assert len(bags) == 2 * (2 + len(GEMS))
    assert not any(account.covered for account in bags)


@pytest.mark.parametrize(("bag_odds", "told"), [("false", False), ("true", True)])
def test_the_score_so_far_tells_of_bags_only_where_they_lie_open(bag_odds: str, told: bool) -> None:
    """Before the end the score leaves out what is in closed bags, and they decide no tie."""
    script = begin_script(bag_odds=bag_odds).says("correct 1 soil from bag/2 to centre: for the test")
    standings = score_so_far(script).standings
    assert [standing.rank for standing in standings] == ([1, 2] if told else [1, 1])
    assert ("chips in the bag" in [render(line.label) for line in standings[0].lines]) == told


def test_the_score_sheet_tells_how_many_are_left() -> None:
    """Only at the end the number of chips in each bag is told, because it decides ties."""
    script = idle_through_turns(begin_script(rounds="1"), 20)
    assert script.result_json["standings"][0]["lines"][-1] == {
        "label": "chips in the bag",
        "value": 5,
        "counts": False,
    }
