"""Tricks under contract: everybody says how many, plays, and says how many it became."""

from __future__ import annotations

from collections.abc import Mapping

from companion.games.any_game.laid import Laid
from companion.games.any_game.points import FRONT
from companion.games.any_game.printed import HouseRules
from companion.rulebook import Amount, Count, Counts, Labelled, Place, Say, Seat, Together, say

MOST_TRICKS = 99
"""Where the template names no limit."""


def scored(rules: HouseRules, bid: int, made: int) -> int:
    """What a bid gives: once for being met, for each trick of it, or for each that it was missed by."""
    if bid == made:
        return rules.hit + rules.each * made
    return rules.miss * abs(bid - made)


async def tricks(shelf: Laid) -> None:
    """Bids and tricks of a round, in one go after it, or the bids before it; then the points."""
    bids, made = await (bids_first(shelf) if shelf.rules.bids == "before" else both_at_once(shelf))
    category = next(one for one in shelf.categories if one.when == "round")
    points = {seat: scored(shelf.rules, bids[seat], made[seat]) for seat in bids}
    for seat, number in points.items():
        category.add(seat, number, shelf.slot)
    text = "{seat} bid {bid} and made {made}. Points: {points}."
    for seat, number in points.items():
        shelf.table.add_note(say(text, seat=seat, bid=bids[seat], made=made[seat], points=number))


async def both_at_once(shelf: Laid) -> tuple[Mapping[Seat, int], Mapping[Seat, int]]:
    """One screen a round: what each bid and what each made."""
    most = shelf.rules.tricks or MOST_TRICKS
    counted = {"bid": Count(say("bid"), most), "made": Count(say("made"), most)}
    question = say("How many tricks, bid and made?")
    parts = {seat: Counts(seat, _of(shelf, seat, question), counted) for seat in shelf.sides}
    given = await Together(
        question, dict(parts), open=True, about=_about(shelf), known_as=_known(shelf, "bid")
    )
    rows = {seat: row or {} for seat, row in given.items()}
    return {seat: row["bid"] for seat, row in rows.items()}, {seat: row["made"] for seat, row in rows.items()}


async def bids_first(shelf: Laid) -> tuple[Mapping[Seat, int], Mapping[Seat, int]]:
    """The bids, which lie before everybody while the round is played; then the tricks."""
    bids = await _amounts(shelf, say("Bids of this round"), _known(shelf, "bid"))
    for seat, number in bids.items():
        shelf.table.add_markers(shelf.bids[seat], number)
    made = await _amounts(shelf, say("Tricks made in this round"), _known(shelf, "made"))
    for seat in bids:
        shelf.table.remove_markers(shelf.bids[seat])
    return bids, made


async def _amounts(shelf: Laid, question: Say, known: Say) -> dict[Seat, int]:
    most = shelf.rules.tricks or MOST_TRICKS
    parts = {seat: Amount(seat, _of(shelf, seat, question), 0, most) for seat in shelf.sides}
    return await Together(question, dict(parts), open=True, about=_about(shelf), known_as=known)


def _of(shelf: Laid, seat: Seat, question: Say) -> Say:
    return say("{team}", team=shelf.side(seat)) if shelf.rules.teams else question


def _about(shelf: Laid) -> Place:
    return Place(FRONT, slot=shelf.slot)


def _known(shelf: Laid, what: str) -> Say:
    words: dict[str, Labelled] = {"bid": say("bids"), "made": say("tricks")}
    return say("Round {round}: {category}", round=shelf.slot or 1, category=words[what])
