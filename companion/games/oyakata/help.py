"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "Who is the start player?": say(
        "Choose who draws the first start tile and takes the first turn. Turns go clockwise."
    ),
    "Draw {drawn} tiles A; place one": say(
        "Draw two tiles A and place one. What is printed on it goes into your bag."
    ),
    "Round {round}: turn up the bottom market card": say(
        "Turn the bottom market card face up. Its prices count at the end of the game."
    ),
    "Round {round}: turn up market card {n}": say(
        "Turn up the next market card. You sell gems at its prices until the next card."
    ),
    "By day: dig, or take a holiday": say(
        "Dig to draw chips from your bag, then a discontent chip. Or take a holiday to send discontent chips "
        "back; then comes the night."
    ),
    "Draw chips from your bag. What came out?": say(
        "Draw chips from your bag and enter what came out. Soil goes to the centre, gems to your storage, "
        "mud back into the bag."
    ),
    "Holiday: you may draw one chip. What came out?": say(
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
        "The boss takes one action without discontent, then each employee may take one. No action may be "
        "taken twice in one night."
    ),
    "Night: what does an employee do?": say(
        "Each employee may take one action; then you draw a discontent chip. No action may be taken twice in "
        "one night."
    ),
    "Night: do you pay a bonus, or is it over?": say(
        "No more actions tonight. You may pay your employees a bonus; then discontent chips go back."
    ),
    "How many are hired?": say(
        "Each new worker costs the price printed on the place reached. New workers may act tonight."
    ),
    "How many are dismissed?": say(
        "The more you dismiss at once, the more each one costs. The boss always stays."
    ),
    "Which gems do you sell?": say(
        "For each gem you get today's price plus your bonus. Your marker shows how many colours you may sell."
    ),
    "Draw {drawn} tiles {letter}; you may place {placed}": say(
        "Draw your tiles and place up to as many as your skill allows. After an accident you draw another "
        "tile for free."
    ),
    "After the accident draw again; you may place {placed}": say(
        "Draw your tiles and place up to as many as your skill allows. After an accident you draw another "
        "tile for free."
    ),
}
