"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "Lay the shuffled cards in a row, face down; everybody takes 20 coins of a colour.": say(
        "Confirm when the row is laid out and everybody has the coins. Then wagers decide who starts."
    ),
    "Start wager {number}: everybody bets in secret": say(
        "Everybody hides coins in the hand; 0 is no bet. A single highest bet wins: that player pays it, "
        "takes the cards turned up and starts."
    ),
    "{about}: which foreign coins?": say(
        "You have coins of several other colours. Choose which go to the bank, or pay the colour you have "
        "most of first."
    ),
    "Survey a first card": say(
        "Look at a face-down card without a coin of yours, and lay one of your coins on it. Then you survey "
        "a second card."
    ),
    "Survey a second card": say(
        "Look at another card without a coin of yours, and lay one of your coins on it. Then you buy a card."
    ),
    "Which card do you buy?": say(
        "A card costs one coin for each card before it in the row. You also get the coins on it."
    ),
    "How do you pay for {card}?": say("Own and foreign coins each count 1. Enter how many of each you pay."),
    "Arming: everybody turns coins into strength in secret": say(
        "Everybody turns own coins into strength, in secret. Anyone with 0 is out before the first battle."
    ),
    "Your turn: a battle or a card?": say(
        "Call a battle up to your own strength, or play one card. Anyone with no strength left is out."
    ),
    "Your extra turn: a battle or a card?": say(
        "Command gave you this extra turn: a battle or a card. You must take it."
    ),
    "With whom do you exchange a card?": say(
        "You swap one of your cards for one of theirs, at random and unseen. Without a card you just "
        "take one."
    ),
    "{seat}'s battle: everybody bets in secret": say(
        "Everybody hides coins in the hand: foreign coins count 2, own coins 1. The highest bet wins and is "
        "paid; the others lose the strength they put forward."
    ),
    "{battle}: a card, or pass?": say(
        "A spy adds 3 to your bet; a retreat saves your strength if you lose. This ends when all have passed "
        "since the last card."
    ),
}
