"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "Who is the start player?": say(
        "Whoever is named draws the first start tile and takes the first turn. The turn order goes clockwise."
    ),
    "Draw {drawn} tiles A; place one": say(
        "Draw two tiles A and place one. What is printed on it goes into your bag."
    ),
    "Round {round}: turn up the bottom market card": say(
        "Turn the bottom market card face up. Its prices count in the end."
    ),
    "Round {round}: turn up market card {n}": say(
        "Turn up the next market card. Gems are sold at its prices until the next one."
    ),
    "By day: dig, or take a holiday": say(
        "Dig to draw chips from your bag, after which a discontent chip is drawn; or take a holiday"
        " to send chips back. Then comes the night."
    ),
    "Draw chips from your bag; what came?": say(
        "Draw the chips from your bag and say what came. Soil goes to the centre, gems to your "
        "storage, mud back into the bag."
    ),
    "Holiday: you may draw a chip; what came?": say(
        "The boss alone may draw one chip. Then discontent chips go back, and no employee acts tonight."
    ),
    "Which chips go back? ({why})": say(
        "Choose which of your discontent chips go back into their bag. What lasts ends when its "
        "chips are gone."
    ),
    "Which discontent chip was drawn? ({why})": say(
        "Draw a chip from the discontent bag, unseen, and say its colour. With five chips it explodes."
    ),
    "Which gem is stolen?": say(
        "A thief takes a gem of the dearest colour in your storage. Several are equal, so you choose."
    ),
    "Night: what does the boss do?": say(
        "The boss takes one action without discontent, then each employee may take one. None may be"
        " taken twice in a night."
    ),
    "Night: what does an employee do?": say(
        "Each employee may take one action, after which a discontent chip is drawn. None may be "
        "taken twice in a night."
    ),
    "Night: do you pay a bonus, or is it over?": say(
        "Nobody acts any more tonight. A bonus pays your employees, and discontent chips go back."
    ),
    "How many are hired?": say(
        "Each step costs the price of the place it reaches. Those just hired may act tonight."
    ),
    "How many are dismissed?": say("The more leave at once, the more each costs. The boss always stays."),
    "Which gems do you sell?": say(
        "You get today's price and your bonus for each gem. Your marker says of how many colours "
        "you may sell."
    ),
    "Draw {drawn} tiles {letter}; you may place {placed}": say(
        "Draw your tiles and place as many as your skill allows, or none. After an accident another"
        " tile is drawn without a fee."
    ),
    "After the accident draw again; you may place {placed}": say(
        "Draw your tiles and place as many as your skill allows, or none. After an accident another"
        " tile is drawn without a fee."
    ),
}
