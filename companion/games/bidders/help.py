"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "Who is the start player?": say(
        "Choose who bids first. Later the place of the white card decides who starts."
    ),
    "Shuffle the cards by colour, put {count} of each back unseen; all take {workers} workers.": say(
        "Confirm when both decks are shuffled and everybody has the workers. Then the "
        "first two projects are turned up."
    ),
    "Round {round}: turn up the {card}": say(
        "Turn up the top card of its deck and show it to the companion. Both projects are then open for bids."
    ),
    "Round {round}: bid on a card, or pass": say(
        "White goes to the most workers; a bid on black takes exactly its crew and moves at least $1 to "
        "white. The auction ends when all others pass in a row."
    ),
    "Round {round}: how many workers on the white card?": say(
        "Place more workers than are on the card now. An outbid player takes the workers back."
    ),
    "Round {round}: how many dollars from the black card to the white card?": say(
        "Each bid on black moves $1 or more to white. The last bidder gets what is left under black."
    ),
    "Round {round}: everybody bids in secret": say(
        "Both neighbours of the white card's winner bid workers in secret, and 0 is no bid. The "
        "higher bid shares the card."
    ),
}
