"""Rounds and points: what is written down for everybody at once, and what moves by itself with each round."""

from __future__ import annotations

from companion.games.any_game import contract
from companion.games.any_game.deeds import MenuLine
from companion.games.any_game.laid import Laid
from companion.games.any_game.payments import at_round
from companion.games.any_game.points import FRONT, Category, prizes_for
from companion.rulebook import (
    Amount,
    Choose,
    Labelled,
    Offer,
    Place,
    Say,
    Seat,
    Together,
    choose_seat,
    listed,
    say,
)

MOST_POINTS = 9_999
DONE = "done"
WRITE = "write_round"
ENDS_ROUND = (WRITE, "round")
"""The lines of the menu after which a round is over."""


async def begin(shelf: Laid) -> None:
    """Where rounds are limited or written down the first one is open; where people deal somebody deals."""
    if shelf.rules.deal == "left":
        shelf.appoint(shelf.seats[0])
    if shelf.by_rounds or (has_rounds(shelf) and shelf.rules.rounds):
        await open_round(shelf)


def head(shelf: Laid) -> None:
    """Which round it is stands above the table."""
    shelf.table.heading = say("Round {round}", round=shelf.slot or 1)


async def next_round(shelf: Laid) -> None:
    """Nothing more belongs to this round; the next one is opened once the table has said that it goes on."""


async def open_round(shelf: Laid) -> None:
    """The round track goes on, and the marker of the start player or dealer passes to the left.

    Not as the first round begins: whoever deals or starts does so in that one, unless they have left.
    """
    begun = shelf.round.count > 0
    if not shelf.by_rounds:
        shelf.table.add_markers(shelf.round)
    head(shelf)
    marked = shelf.table.first_holder(shelf.starts)
    if marked is not None and (begun or shelf.is_out(marked)):
        pass_marker(shelf, marked)
    await at_round(shelf)


def pass_marker(shelf: Laid, holder: Seat) -> None:
    """The marker passes to the left."""
    marked = shelf.following(holder)
    shelf.appoint(marked)
    starts, deals = say("{seat} is the start player.", seat=marked), say("{seat} deals.", seat=marked)
    shelf.table.add_note(starts if shelf.rules.deal == "nobody" else deals)


async def write_round(shelf: Laid) -> None:
    """The points of a round, one screen for each kind; then it is played."""
    if shelf.rules.scoring == "contract":
        await contract.tricks(shelf)
    else:
        for category in shelf.categories:
            if category.when == "round":
                await enter(shelf, category, shelf.slot)
    shelf.table.add_markers(shelf.round)


async def choose_start(shelf: Laid) -> None:
    """The table says who has the marker."""
    nobody_deals = shelf.rules.deal == "nobody"
    question = say("Who is the start player?") if nobody_deals else say("Who deals?")
    shelf.appoint(await choose_seat(question, shelf.playing))


async def enter(shelf: Laid, category: Category, slot: int | None) -> None:
    """Points of one kind for everybody at once; they add to what was entered before."""
    counted = bool(category.prizes)
    asked, known = _wording(category, slot)
    parts = {seat: _part(shelf, seat, category) for seat in shelf.sides}
    about = category.gained if slot is None else Place(FRONT, slot=slot)
    given = await Together(asked, dict(parts), open=True, about=about, known_as=known)
    if counted:
        given = prizes_for(given, category.prizes, category.ties)
        shelf.table.add_note(told(given))
    for seat, points in given.items():
        category.add(seat, points, slot)


def _wording(category: Category, slot: int | None) -> tuple[Say, Say]:
    """The question, and how logs call it."""
    if category.prizes:
        asked = say("How many pieces does everybody have in {category}?", category=category.label)
    else:
        asked = say("How much do you add to everybody's {category}?", category=category.label)
    if slot is None:
        return asked, say("Points for {category}", category=category.label)
    return asked, say("Round {round}: {category}", round=slot, category=category.label)


def _part(shelf: Laid, seat: Seat, category: Category) -> Amount:
    least = 0 if category.prizes else -MOST_POINTS
    text = say("{team}", team=shelf.side(seat)) if shelf.rules.teams else category.label
    return Amount(seat, text, least, MOST_POINTS)


def told(points: dict[Seat, int]) -> Say:
    """What everybody got, in one sentence."""
    each = [say("{seat} {points}", seat=seat, points=number) for seat, number in points.items()]
    return say("Points: {points}.", points=listed(each))


async def points(shelf: Laid) -> None:
    """Points of one kind for everybody, and of the next until the table is done."""
    open_ = {one.key: one for one in shelf.categories if one.when == "end" or not shelf.by_rounds}
    if not shelf.rules.knows_rounds:
        await points_of_old(shelf)
    elif len(open_) == 1:
        await enter(shelf, next(iter(open_.values())), _slot(shelf, next(iter(open_.values()))))
    else:
        texts: dict[str, Labelled] = {key: one.label for key, one in open_.items()}
        texts[DONE] = Offer(say("No more points"), apart=True)
        while (key := await Choose(None, say("Points for what?"), texts)) != DONE:
            await enter(shelf, open_[key], _slot(shelf, open_[key]))


def _slot(shelf: Laid, category: Category) -> int | None:
    return None if category.when == "end" else shelf.slot


async def points_of_old(shelf: Laid) -> None:
    """As games were asked that were begun before templates had rules: seat by seat, of one kind."""
    categories = {str(at): one for at, one in enumerate(shelf.categories)}
    key = next(iter(categories))
    if len(categories) > 1:
        texts: dict[str, Labelled] = {at: one.label for at, one in categories.items()}
        key = await Choose(None, say("Points for what?"), texts)
    category = categories[key]
    question = say("How much do you add to your {category}?", category=category.label)
    logged = say("Points for {category}", category=category.label)
    for seat in shelf.seats:
        category.add(seat, await Amount(seat, question, -MOST_POINTS, MOST_POINTS, known_as=logged))


def has_rounds(shelf: Laid) -> bool:
    """Whether rounds are counted by a touch, and points written down in them at will."""
    return shelf.rules.scoring == "free"


def has_points(shelf: Laid) -> bool:
    """Whether there are points to write down besides those of the rounds."""
    return any(has_rounds(shelf) or one.when == "end" for one in shelf.categories)


def has_start(shelf: Laid) -> bool:
    """Whether a start player's marker can be given out; where people deal in turn, a dealer has it."""
    return shelf.rules.deal == "nobody" and shelf.rules.scoring != "knockout"


ROUNDS = (
    MenuLine(
        WRITE,
        lambda shelf: say("Round {round}", round=shelf.slot or 1),
        write_round,
        lambda shelf: shelf.by_rounds,
    ),
    MenuLine("round", say("Next round"), next_round, has_rounds),
    MenuLine("start_player", say("Start player"), choose_start, has_start),
    MenuLine("start_player", say("Dealer"), choose_start, lambda shelf: shelf.rules.deal == "left"),
)
POINTS = (MenuLine("points", say("Points"), points, has_points),)
