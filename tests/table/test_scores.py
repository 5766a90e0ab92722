"""The end of a game."""

import pytest

from companion.table.outcomes import ScoreTable, ScoreTableLine
from companion.table.scores import GameResult, ScoreLine, Standing, competition_ranks, rank_seats
from companion.table.seats import Seat, make_seats
from companion.texts import render, say

AKI, BEN, CHIE = make_seats(["Aki", "Ben", "Chie"])


@pytest.mark.parametrize(
    ("totals", "expected"),
    [([], []), ([3], [1]), ([5, 9, 5, 2], [2, 1, 2, 4]), ([1, 1, 1], [1, 1, 1]), ([-1, 0], [2, 1])],
)
def test_equals_share_a_rank(totals: list[int], expected: list[int]) -> None:
    """Equals share a rank and the next is skipped; more is better."""
    assert competition_ranks(totals) == expected


def test_a_result_opens_into_its_sums() -> None:
    """The best come first, winners share the first rank, and JSON says of every line whether it counts."""
    points = {AKI: 1, BEN: 2, CHIE: 2}
    lines = (ScoreLine(say("cards"), 9, is_part_of_total=False),)
    result = rank_seats(
        points, lambda seat: points[seat], lambda seat: (ScoreLine(say("points"), points[seat]), *lines)
    )
    assert [(standing.seat.name, standing.rank) for standing in result.standings] == [
        ("Ben", 1),
        ("Chie", 1),
        ("Aki", 3),
    ]
    assert result.to_json(render)["winners"] == ["Ben", "Chie"]
    assert result.to_json(render)["standings"][2] == {
        "seat": "Aki",
        "rank": 3,
        "out": False,
        "total": 1,
        "why": None,
        "lines": [
            {"label": "points", "value": 1, "counts": True},
            {"label": "cards", "value": 9, "counts": False},
        ],
    }


def test_who_is_out_wins_nothing() -> None:
    """An eliminated seat is no winner, whatever its rank."""
    assert GameResult((Standing(AKI, 1, 0, is_eliminated=True), Standing(BEN, 1, 0))).winners == (BEN,)


def test_ties_may_be_broken_by_more_than_the_total() -> None:
    """Where a game breaks ties, `rank_by` orders the seats and equals in all of it share."""
    spare = {AKI: (5, 2), BEN: (5, 3), CHIE: (5, 2)}
    result = rank_seats(spare, lambda seat: spare[seat][0], lambda _: (), rank_by=lambda seat: spare[seat])
    assert [(each.seat, each.rank, each.total) for each in result.standings] == [
        (BEN, 1, 5),
        (AKI, 2, 5),
        (CHIE, 2, 5),
    ]


def test_who_is_out_is_ranked_after_the_others() -> None:
    """An eliminated seat comes after all others whatever its total, and the ranks go on."""
    totals = {AKI: 9, BEN: 1, CHIE: 3}
    result = rank_seats(totals, lambda seat: totals[seat], lambda _: (), eliminated_seats={AKI})
    assert [(each.seat, each.rank, each.is_eliminated) for each in result.standings] == [
        (CHIE, 1, False),
        (BEN, 2, False),
        (AKI, 3, True),
    ]
    assert result.winners == (CHIE,)


def test_a_score_sheet_reads_as_lines() -> None:
    """Rank, name, total and the reason; under each the sum, and apart from it what is for information."""
    apart = (
        ScoreLine(say("cards"), 9, is_part_of_total=False),
        ScoreLine(say("bets"), 2, is_part_of_total=False),
    )
    lines = (apart[0], ScoreLine(say("points"), 5), apart[1])
    why = say("eliminated: lowest popularity")
    result = GameResult(
        (
            Standing(AKI, 1, 5, lines),
            Standing(BEN, 2, 7, is_eliminated=True),
            Standing(CHIE, 3, 0, is_eliminated=True, why=why),
        )
    )
    assert list(result.score_sheet_lines()) == [
        "1. Aki: 5",
        "   points: 5",
        "   (for information: cards 9, bets 2)",
        "2. Ben: eliminated (7)",
        "3. Chie: eliminated: lowest popularity (0)",
    ]
    assert result.standings[0].counted_lines == (lines[1],)
    assert result.standings[0].uncounted_lines == apart


def test_the_first_of_a_tie_says_what_decided_it() -> None:
    """Of equal totals the first carries the reason; nobody does whose total is alone or who shares."""
    held = {AKI: (5, 2), BEN: (5, 3), CHIE: (4, 9)}

    def whys(out: tuple[Seat, ...] = ()) -> dict[str, str | None]:
        result = rank_seats(
            held,
            lambda seat: held[seat][0],
            lambda _: (),
            rank_by=lambda seat: held[seat],
            eliminated_seats=out,
            tie_breaker=say("more cash"),
        )
        return {one.seat.name: render(one.why) if one.why else None for one in result.standings}

    assert whys() == {"Ben": "wins the tie with more cash", "Aki": None, "Chie": None}
    assert set(whys(out=(AKI,)).values()) == {None}
    held[AKI] = held[BEN]
    assert set(whys().values()) == {None}


def test_the_winner_of_a_round_is_its_first_line() -> None:
    """The other lines follow from the highest last number, in whatever order a game counts them."""
    lines = [
        ScoreTableLine(seat, (), (9, number), say("-")) for seat, number in ((AKI, 3), (BEN, 8), (CHIE, 8))
    ]
    table = ScoreTable((say("daughters"), say("total")), tuple(lines))
    assert [line.seat for line in table.in_order([CHIE]).lines] == [CHIE, BEN, AKI]
