"""Dice, coins and lots: the companion draws from the seed of the match, or people enter their own roll."""

from __future__ import annotations

import msgspec

from companion.games.any_game.leaving import playing_seats
from companion.games.any_game.state import (
    CHANCE_GROUP,
    MIN_VERSION_REFUSING_IMPOSSIBLE,
    MenuAction,
    TemplateState,
)
from companion.games.any_game.tournament import Tournament
from companion.games.any_game.turn_order import announce_start_player_or_dealer, give_start_or_dealer_marker
from companion.rulebook import (
    Amount,
    Choose,
    CountedItem,
    Counts,
    DetailedOption,
    Die,
    Labelled,
    Roll,
    Seat,
    say,
    say_list,
    say_n,
    say_people,
)

SIDES_BY_USUAL_DIE = {"d4": 4, "d6": 6, "d8": 8, "d10": 10, "d12": 12, "d20": 20}
MAX_DICE, MAX_SIDES, MAX_NUMBER_DRAWN = 9, 100, 1_000
"""`MAX_SIDES` is also that of a template; there are real dice with a hundred sides."""
HEADS_FACE = 1


class DiceRules(msgspec.Struct, frozen=True):
    """Rules for chance and dice: whether the companion offers chance, and which dice are used most.

    any_game.toml explains each word.
    """

    chance: bool = True
    dice: int = 2
    sides: int = 6


async def ask_and_run_chance_action(state: TemplateState) -> None:
    """Asks what to leave to chance, and rolls or draws.

    The choices are dice, a number, a coin and who starts.
    """
    rules = state.template.read_rules(DiceRules)
    action_by_key = {
        "dice": roll_template_dice,
        "other_dice": ask_and_roll_usual_dice,
        "any_dice": ask_sides_and_roll_dice,
        "number": ask_limit_and_draw_number,
        "coin": toss_coin,
        "starts": draw_start_player_or_dealer,
        "order": draw_player_order,
    }
    options: dict[str, Labelled] = {
        "dice": say_n("{n} {sides}-sided die", "{n} {sides}-sided dice", n=rules.dice, sides=rules.sides),
        "other_dice": say("Other dice"),
        "any_dice": say("Dice with any number of sides"),
        "number": say("A number"),
        "coin": say("A coin"),
        "starts": say("Who starts"),
        "order": say("Player order"),
        "back": DetailedOption(say("Nothing"), is_decline_option=True),
    }
    if (key := await Choose(None, say("What is left to chance?"), options)) != "back":
        await action_by_key[key](state)


async def roll_template_dice(state: TemplateState) -> None:
    """Rolls the dice of the template."""
    rules = state.template.read_rules(DiceRules)
    await _roll_and_announce(state, {rules.sides: rules.dice})


async def ask_and_roll_usual_dice(state: TemplateState) -> None:
    """Asks how many dice of each usual shape to roll, and rolls them."""
    item_by_die = {
        key: CountedItem(say("{sides}-sided dice", sides=sides), MAX_DICE)
        for key, sides in SIDES_BY_USUAL_DIE.items()
    }
    count_by_die = await Counts(None, say("Which dice?"), item_by_die, least=1, most=MAX_DICE)
    await _roll_and_announce(
        state, {SIDES_BY_USUAL_DIE[key]: count for key, count in (count_by_die or {}).items()}
    )


async def ask_sides_and_roll_dice(state: TemplateState) -> None:
    """Asks for a number of sides and a number of dice, and rolls dice that nobody may sell."""
    are_sides_limited = state.table.version >= MIN_VERSION_REFUSING_IMPOSSIBLE
    most = MAX_SIDES if are_sides_limited else MAX_NUMBER_DRAWN
    sides = await Amount(None, say("Dice of how many sides?"), least=2, most=most)
    question = say("How many {sides}-sided dice?", sides=sides)
    log_name = say("How many dice of {sides}?", sides=sides)
    count = await Amount(None, question, least=1, most=MAX_DICE, log_name=log_name)
    await _roll_and_announce(state, {sides: count})


async def ask_limit_and_draw_number(state: TemplateState) -> None:
    """Asks for a limit, and draws a random number from 1 to this limit."""
    limit = await Amount(None, say("A number from 1 to what?"), least=2, most=MAX_NUMBER_DRAWN)
    die = Die(say("number from 1 to {limit}", limit=limit), tuple(range(1, limit + 1)))
    question = say("Draw a number, or enter your own.")
    (number,) = await Roll(None, question, (die,), log_name=say("Roll"))
    state.table.add_note(say("Drawn: {number}.", number=number))


async def _roll_and_announce(state: TemplateState, count_by_sides: dict[int, int]) -> None:
    """Rolls a number of dice for each number of sides, and announces the result."""
    dice = [
        Die(say("die {n}, 1 to {sides}", n=n, sides=sides), tuple(range(1, sides + 1)))
        for sides, count in count_by_sides.items()
        for n in range(1, count + 1)
    ]
    question = say("Roll, or enter what your own dice show.")
    faces = await Roll(None, question, tuple(dice), log_name=say("Roll"))
    faces_text = say_list([say("{face}", face=face) for face in faces])
    if len(faces) > 1:
        state.table.add_note(say("Rolled: {faces}, together {sum}.", faces=faces_text, sum=sum(faces)))
    else:
        state.table.add_note(say("Rolled: {faces}.", faces=faces_text))


async def toss_coin(state: TemplateState) -> None:
    """Tosses a coin and announces the result."""
    die = Die(say("coin"), (HEADS_FACE, HEADS_FACE + 1), (say("heads"), say("tails")))
    (face,) = await Roll(None, say("Toss a coin"), (die,))
    state.table.add_note(say("Heads.") if face == HEADS_FACE else say("Tails."))


async def draw_start_player_or_dealer(state: TemplateState) -> None:
    """Draws at random who begins or deals, and gives this seat the marker."""
    (seat,) = await draw_random_seats(state, 1)
    give_start_or_dealer_marker(state, seat)
    announce_start_player_or_dealer(state, seat)


async def draw_player_order(state: TemplateState) -> None:
    """Draws a random order of all players; a tournament uses the order as its draw."""
    seats = await draw_random_seats(state, len(playing_seats(state)))
    if seeds := Tournament.of(state).seeds:
        for position, seat in enumerate(seats, 1):
            state.table.remove_markers(seeds[seat])
            state.table.add_markers(seeds[seat], position)
    state.table.add_note(say("The order: {seats}.", seats=say_people(seats)))


async def draw_random_seats(state: TemplateState, count: int) -> list[Seat]:
    """Draws `count` different players at random."""
    remaining_seats, drawn_seats = list(playing_seats(state)), list[Seat]()
    draw_count = min(count, len(remaining_seats) - 1) or 1  # the last seat needs no draw
    lots = [
        Die(say("lot {n}", n=n + 1), tuple(range(1, len(remaining_seats) - n + 1))) for n in range(draw_count)
    ]
    for face in await Roll(None, say("Draw lots"), tuple(lots), tuple(remaining_seats)):
        drawn_seats.append(remaining_seats.pop(face - 1))
    return [*drawn_seats, *remaining_seats][:count]


MENU = (
    MenuAction(
        "chance",
        say("Dice and lots"),
        ask_and_run_chance_action,
        CHANCE_GROUP,
        lambda state: state.template.read_rules(DiceRules).chance,
    ),
)
HELP = {
    "What is left to chance?": say(
        "Roll dice, toss a coin, or draw by chance. Let the companion do it, or enter your own result."
    ),
    "Which dice?": say("Choose how many dice of each kind you roll. You can roll up to nine dice."),
    "Dice of how many sides?": say("Enter how many sides each die has. Then enter how many dice you roll."),
    "How many {sides}-sided dice?": say("Roll up to nine dice; the companion adds them up."),
    "A number from 1 to what?": say("The companion draws a number. All numbers are equally likely."),
    "Roll, or enter what your own dice show.": say(
        "Let the companion roll (all sides are equally likely), or enter the roll of your own dice."
    ),
    "Draw a number, or enter your own.": say(
        "Let the companion draw (all numbers are equally likely), or enter the number that you drew."
    ),
    "Toss a coin": say("Let the companion toss, or enter what your own coin shows."),
    "Draw lots": say(
        "Let the companion draw, or enter your own result. To find a player's number, count the players who "
        "are not drawn yet, in seat order."
    ),
}
