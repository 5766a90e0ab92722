"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "Who is the start player?": say(
        "Choose who draws the first start tile and takes the first turn. Turns go clockwise."
    ),
    "Draw {drawn} A tiles; place one": say(
        "Draw two A tiles and place one. The soil and gems printed on the tile go into your bag."
    ),
    "Round {round}: turn up the bottom market card": say(
        "Turn the bottom market card face up. Its prices count at the end of the game."
    ),
    "Round {round}: turn up market card {n}": say(
        "Turn up the next market card. You sell gems at its prices until the next card."
    ),
    "By day: dig, or take a holiday": say(
        "Dig: draw chips from your bag, then a discontent chip. Or take a holiday: discontent chips go back. "
        "Then the night begins."
    ),
    "Draw chips from your bag. What did you draw?": say(
        "Draw chips from your bag and enter what you drew. Soil goes to the centre, gems to your storage, "
        "mud back into the bag."
    ),
    "Holiday: you may draw one chip. What did you draw?": say(
        "The boss alone may draw one chip. Then discontent chips go back, and no employee acts tonight."
    ),
    "Which chips go back? ({why})": say(
        "Choose which discontent chips go back into their bag. Illness or a strike ends when all its chips "
        "are gone."
    ),
    "Which discontent chip was drawn? ({why})": say(
        "Draw a chip from the discontent bag without looking, and enter its colour. Five chips explode."
    ),
    "Which gem is stolen?": say(
        "A thief takes one of your most expensive gems. Several colours have the same price, so choose one."
    ),
    "Night: what does the boss do?": say(
        "The boss takes one action without drawing a discontent chip. Then each employee may take one. No "
        "action may be taken twice in one night."
    ),
    "Night: what does an employee do?": say(
        "Each employee may take one action. You draw a discontent chip after each one. No action may be "
        "taken twice in one night."
    ),
    "Night: do you pay a bonus or end the night?": say(
        "No more actions tonight. You may pay your employees a bonus; then discontent chips go back."
    ),
    "How many are hired?": say(
        "Each new worker costs the price printed on the space that the marker reaches. New workers may act "
        "tonight."
    ),
    "How many are dismissed?": say(
        "The more you dismiss at once, the more each one costs. The boss always stays."
    ),
    "Which gems will you sell?": say(
        "For each gem you get today's price plus your bonus. Your marker shows how many colours you may sell."
    ),
    "Draw {drawn} {letter} tiles; you may place up to {placed}": say(
        "Draw your tiles. Place as many of them as your skill allows, or fewer. After an accident you draw "
        "another tile for free."
    ),
    "After the accident, draw again; you may place up to {placed}": say(
        "Draw your tiles. Place as many of them as your skill allows, or fewer. After an accident you draw "
        "another tile for free."
    ),
}
