"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "Lay the shuffled cards in a row, face down; everybody takes 20 coins of a colour.": say(
        "Confirm when the row is laid out and everybody has their coins. Then a wager decides who starts."
    ),
    "Start wager {number}: everybody bets in secret": say(
        "Everybody hides coins in one hand; 0 means no bet. The highest bet wins if it isn't tied. The "
        "winner pays it, takes the revealed cards and starts."
    ),
    "{about}: which foreign coins?": say(
        "You have coins of several other colours. Choose which coins go to the bank, or pay your most common "
        "colour first."
    ),
    "Survey a first card": say(
        "Look at a face-down card that has none of your coins on it. Lay one of your coins on the card. Then "
        "survey a second card."
    ),
    "Survey a second card": say(
        "Look at another card that has none of your coins on it. Lay one of your coins on the card. Then buy "
        "a card."
    ),
    "Which card do you buy?": say(
        "A card costs one coin for each card in front of it in the row. You also get the coins on the card."
    ),
    "How do you pay for {card}?": say(
        "Your own coins and foreign coins each count as 1. Enter how many of each you pay."
    ),
    "Arming: everybody turns coins into strength in secret": say(
        "Everybody secretly turns coins of their own colour into strength. A player with 0 is out before the "
        "first battle."
    ),
    "Your turn: a battle or a card?": say(
        "Start a battle or play one card. The scale of a battle can't be higher than your strength. A player "
        "with no strength left is out."
    ),
    "Your extra turn: a battle or a card?": say(
        "Your Command card gives you this extra turn. Start a battle or play a card. You "
        "can't skip this turn."
    ),
    "With whom do you exchange a card?": say(
        "You and that player swap one card each, at random and without looking. If you have no card, you "
        "only take a card."
    ),
    "{seat}'s battle: everybody bets in secret": say(
        "Everybody hides coins in one hand. Foreign coins count as 2, your own as 1. The highest bet wins "
        "and goes to the bank. The others lose their front line."
    ),
    "{battle}: a card, or pass?": say(
        "A spy adds 3 to your bet. A retreat saves your strength if you lose. The battle ends when everybody "
        "has passed after the last card."
    ),
}
