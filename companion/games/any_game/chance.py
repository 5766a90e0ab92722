"""Dice, coins and lots: the companion draws from the seed of the game, or people enter what was rolled."""

from __future__ import annotations

from companion.games.any_game.deeds import MenuLine
from companion.games.any_game.laid import Laid
from companion.rulebook import (
    Amount,
    Choose,
    Count,
    Counts,
    Die,
    Labelled,
    Offer,
    Roll,
    Seat,
    listed,
    say,
    say_n,
)

POLYHEDRA = {"d4": 4, "d6": 6, "d8": 8, "d10": 10, "d12": 12, "d20": 20}
MOST_DICE, MOST_SIDES = 9, 1_000
HEADS = 1


async def draw(shelf: Laid) -> None:
    """What the table leaves to chance."""
    ways = {
        "dice": roll,
        "other_dice": roll_others,
        "any_dice": roll_any,
        "number": number,
        "coin": coin,
        "starts": starter,
        "order": order,
    }
    texts: dict[str, Labelled] = {
        "dice": say_n(
            "{n} {sides}-sided die", "{n} {sides}-sided dice", n=shelf.rules.dice, sides=shelf.rules.sides
        ),
        "other_dice": say("Other dice"),
        "any_dice": say("Dice with any number of sides"),
        "number": say("A number"),
        "coin": say("A coin"),
        "starts": say("Who starts"),
        "order": say("Player order"),
        "back": Offer(say("Nothing"), apart=True),
    }
    if (way := await Choose(None, say("What is left to chance?"), texts)) != "back":
        await ways[way](shelf)


async def roll(shelf: Laid) -> None:
    """The dice of the template."""
    await _rolled(shelf, {shelf.rules.sides: shelf.rules.dice})


async def roll_others(shelf: Laid) -> None:
    """As many of each kind as people want."""
    counted = {
        key: Count(say("{sides}-sided dice", sides=sides), MOST_DICE) for key, sides in POLYHEDRA.items()
    }
    wanted = await Counts(None, say("Which dice?"), counted, least=1, most=MOST_DICE)
    await _rolled(shelf, {POLYHEDRA[key]: count for key, count in (wanted or {}).items()})


async def roll_any(shelf: Laid) -> None:
    """Of a kind that nobody sells, too."""
    sides = await Amount(None, say("Dice of how many sides?"), least=2, most=MOST_SIDES)
    question, known = (
        say("How many {sides}-sided dice?", sides=sides),
        say("How many dice of {sides}?", sides=sides),
    )
    count = await Amount(None, question, least=1, most=MOST_DICE, known_as=known)
    await _rolled(shelf, {sides: count})


async def number(shelf: Laid) -> None:
    """A die of any number of sides."""
    sides = await Amount(None, say("A number from 1 to what?"), least=2, most=MOST_SIDES)
    await _rolled(shelf, {sides: 1})


async def _rolled(shelf: Laid, wanted: dict[int, int]) -> None:
    dice = [
        Die(say("die {n}, 1 to {sides}", n=n, sides=sides), tuple(range(1, sides + 1)))
        for sides, count in wanted.items()
        for n in range(1, count + 1)
    ]
    question = say("Roll, or enter what your own dice show.")
    faces = await Roll(None, question, tuple(dice), known_as=say("Roll"))
    each = listed([say("{face}", face=face) for face in faces])
    if len(faces) > 1:
        shelf.table.add_note(say("Rolled: {faces}, together {sum}.", faces=each, sum=sum(faces)))
    else:
        shelf.table.add_note(say("Rolled: {faces}.", faces=each))


async def coin(shelf: Laid) -> None:
    """Heads or tails."""
    die = Die(say("coin"), (HEADS, HEADS + 1), (say("heads"), say("tails")))
    (face,) = await Roll(None, say("Toss a coin"), (die,))
    shelf.table.add_note(say("Heads.") if face == HEADS else say("Tails."))


async def starter(shelf: Laid) -> None:
    """Somebody who plays begins, or deals."""
    (seat,) = await drawn(shelf, 1)
    shelf.appoint(seat)
    text = "{seat} is the start player." if shelf.rules.deal == "nobody" else "{seat} deals."
    shelf.table.add_note(say(text, seat=seat))


async def order(shelf: Laid) -> None:
    """Everybody who plays in an order; in a tournament it is the draw."""
    seats = await drawn(shelf, len(shelf.playing))
    for at, seat in enumerate(seats, 1):
        if shelf.seeds:
            shelf.table.remove_markers(shelf.seeds[seat])
            shelf.table.add_markers(shelf.seeds[seat], at)
    shelf.table.add_note(say("The order: {seats}.", seats=listed(seats)))


async def drawn(shelf: Laid, count: int) -> list[Seat]:
    """Draws `count` players at random, one after the other out of those who are left."""
    left, found = list(shelf.playing), list[Seat]()
    most = min(count, len(left) - 1) or 1
    lots = [Die(say("lot {n}", n=n + 1), tuple(range(1, len(left) - n + 1))) for n in range(most)]
    for face in await Roll(None, say("Draw lots"), tuple(lots), tuple(left)):
        found.append(left.pop(face - 1))
    return [*found, *left][:count]


DEEDS = (MenuLine("chance", say("Dice and lots"), draw, lambda shelf: shelf.rules.chance),)
