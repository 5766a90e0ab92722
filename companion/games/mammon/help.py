"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "Lay the shuffled cards in a row, face down; everybody takes 20 coins of a colour.": say(
        "Confirm when the row is laid out and everybody has the coins. Then wagers decide who starts."
    ),
    "Start wager {number}: everybody bets in secret": say(
        "Everybody hides coins in the hand, and 0 is no bet. The highest bet alone starts, pays, "
        "and takes the cards turned up."
    ),
    "{about}: which foreign coins?": say(
        "You hold coins of several other colours. Say which of them go to the bank, or let the most"
        " numerous go first."
    ),
    "Survey a first card": say(
        "Look at a face-down card without an own coin, and lay an own coin on it. Then you survey a"
        " second one."
    ),
    "Survey a second card": say(
        "Look at another card without an own coin, and lay an own coin on it. Then you buy a card."
    ),
    "Which card do you buy?": say(
        "A card costs a coin for each card before it in the row. You also take the coins that lie on it."
    ),
    "How do you pay for {card}?": say("Own and foreign coins each count 1. Say how many of which you pay."),
    "Arming: everybody turns coins into strength in secret": say(
        "Everybody turns own coins into strength, in secret. Anyone with 0 is out before the first battle."
    ),
    "Your turn: a battle or a card?": say(
        "Call a battle up to your own strength, or play one card. Anyone with no strength left is out."
    ),
    "Your extra turn: a battle or a card?": say(
        "Command gave you this turn: a battle or a card, as in any other. Extra turns must be taken."
    ),
    "With whom do you exchange a card?": say(
        "One of your cards goes for one of theirs, by chance and unseen. Without a card you just take one."
    ),
    "{seat}'s battle: everybody bets in secret": say(
        "Everybody hides coins in the hand: foreign ones count 2, own ones 1. The highest bet wins "
        "and is paid; the others lose the strength put forward."
    ),
    "{battle}: a card, or pass?": say(
        "A spy adds 3 to your bet; a retreat saves your strength if you lose. It ends when all have"
        " passed since the last card."
    ),
}
