"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "Who is the start player?": say(
        "Choose who draws the first start tile and takes the first turn. Turns go clockwise."
    ),
    "Draw {drawn} A tiles; place one": say(
        "Draw two A tiles and place one. The soil and gems printed on the tile go into your bag."
    ),
    "Round {round}: turn over the bottom market card": say(
        "Turn over the bottom market card. Its prices count at the end of the game."
    ),
    "Round {round}: turn over market card {n}": say(
        "Turn over the next market card. You sell gems at its prices until the next card."
    ),
    "Day: do you dig or take a holiday?": say(
        "If you dig, draw chips from your bag and then a discontent chip. On a holiday, discontent chips go "
        "back. Then the night begins."
    ),
    "Draw chips from your bag. What did you draw?": say(
        "Draw chips from your bag and enter what you drew. Soil goes to the centre, gems go to your storage, "
        "and mud goes back into the bag."
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
        "A thief takes one of your most expensive gems. Several colours have the same "
        "price, so choose the gem."
    ),
    "Night: what does the boss do?": say(
        "The boss takes one action without drawing a discontent chip. Then each employee may take one "
        "action. No action may be taken twice in one night."
    ),
    "Night: what does an employee do?": say(
        "Each employee may take one action. You draw a discontent chip after each action. No action may be "
        "taken twice in one night."
    ),
    "Night: do you pay a bonus or end the night?": say(
        "No more actions tonight. You may pay your employees a bonus; then discontent chips go back."
    ),
    "How many are hired?": say(
        "Each new worker moves the marker one space and costs the price printed there. New workers may act "
        "tonight."
    ),
    "How many are dismissed?": say(
        "Each dismissal costs more if you dismiss several employees at once. The boss always stays."
    ),
    "Which gems will you sell?": say(
        "You get today's price plus your bonus for each gem. Your marker shows how many colours you may sell."
    ),
    "Draw {drawn} {letter} tiles; you may place up to {placed}": say(
        "Draw your tiles. Your skill says how many you may place. After an accident you draw another tile "
        "for free."
    ),
    "Draw again after the accident; you may place up to {placed}": say(
        "Draw your tiles. Your skill says how many you may place. After an accident you draw another tile "
        "for free."
    ),
}
