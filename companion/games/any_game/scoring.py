"""Who is ahead, by what, and what stands on each seat's sheet."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from msgspec.structs import replace

from companion.games.any_game.laid import Laid
from companion.games.any_game.printed import number
from companion.rulebook import GameResult, Say, ScoreLine, Seat, listed, rank_seats, say


def standings(shelf: Laid) -> GameResult:
    """The best total first, who has left the game last; equals share or go by the tie rule."""
    rule, sign = str(shelf.table.options["tie_rule"]), -1 if shelf.rules.lowest_wins else 1
    words = {"turn_order": say("first in turn")}
    if shelf.pieces:
        words["money"] = say("more of {piece}", piece=shelf.money)
    failed = defeat(shelf)

    def better(seat: Seat) -> tuple[int, int, int]:
        left = shelf.outs[seat].count if shelf.outs else 0
        return left, sign * shelf.total(seat), TIE_RULES[rule](shelf, seat)

    result = rank_seats(
        shelf.seats,
        shelf.total,
        lambda seat: score_sheet(shelf, seat),
        rank_by=better,
        out=shelf.seats if failed else [seat for seat in shelf.seats if shelf.is_out(seat)],
        why=lambda _: failed,
        tie=words.get(rule),
    )
    return by_teams(shelf, result) if shelf.rules.teams else result


def defeat(shelf: Laid) -> Say | None:
    """Why the whole table has lost, where it plays against a track; None: it hasn't."""
    lost = [one.label for one in shelf.tracks if one.ends == "lost" and one.is_full]
    aims = [one for one in shelf.tracks if one.ends == "won"]
    if lost:
        return say("lost: {track}", track=listed(lost))
    if aims and not any(one.is_full for one in aims):
        return say("not reached: {track}", track=listed([one.label for one in aims]))
    return None


def by_teams(shelf: Laid, result: GameResult) -> GameResult:
    """Returns the result with ranks for teams: behind the two of the first team comes the second."""

    def ahead(rank: int) -> int:
        return len({shelf.keeper[one.seat] for one in result.standings if one.rank < rank})

    return GameResult(tuple([replace(one, rank=1 + ahead(one.rank)) for one in result.standings]))


def first_in_turn(shelf: Laid, seat: Seat) -> int:
    """Who sits nearest from the start player on comes first."""
    return -shelf.seats.starting_with(shelf.start or shelf.seats[0]).index(shelf.keeper[seat])


TIE_RULES: dict[str, Callable[[Laid, Seat], int]] = {
    "shared": lambda _shelf, _seat: 0,
    "money": lambda shelf, seat: shelf.purse(seat).value if shelf.pieces else 0,
    "turn_order": first_in_turn,
}


def score_sheet(shelf: Laid, seat: Seat) -> tuple[ScoreLine, ...]:
    """What pieces and points count; for information pieces that somebody holds and that count nothing."""
    counting = [one for one, printed in shelf.pieces.items() if number(printed, "worth")]
    held = [one for one, purses in shelf.purses.items() if any(purse.count for purse in purses.values())]
    return (
        *(ScoreLine(one.label, shelf.worth(one, seat)) for one in counting),
        *_invested(shelf, seat),
        *_points(shelf, seat),
        *(
            ScoreLine(one.label, shelf.purses[one][seat].count, is_part_of_total=False)
            for one in held
            if one not in counting
        ),
    )


def _invested(shelf: Laid, seat: Seat) -> Iterator[ScoreLine]:
    """Shares at their price, and what is owed to the bank."""
    counts = bool(shelf.pieces) and number(shelf.pieces[shelf.money], "worth") != 0
    for company in shelf.companies if counts else ():
        yield ScoreLine(company.label, shelf.counted(company.worth(shelf.keeper[seat])))
    if shelf.loans and counts:
        yield ScoreLine(say("loans"), -shelf.counted(shelf.owed(seat)))


def _points(shelf: Laid, seat: Seat) -> Iterator[ScoreLine]:
    """Points, what groups of them give besides, and matches won."""
    for category in shelf.categories:
        yield ScoreLine(category.label, category.of(seat))
    for bonus in shelf.bonuses:
        yield ScoreLine(bonus.label, bonus.of(shelf.categories, seat))
    if shelf.wins:
        yield ScoreLine(say("matches won"), shelf.wins[seat].count)
