"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "Who is the start player?": say(
        "Choose who bids first. Later the place of the white card decides who starts."
    ),
    "Shuffle the cards by colour, put {count} of each back unseen; all take {workers} workers.": say(
        "Confirm when both decks are shuffled and everybody has their workers. Then turn up the first two "
        "projects."
    ),
    "Round {round}: turn up the {card}": say(
        "Turn up the top card of the deck and show it to the companion. When both projects are face up, "
        "bidding begins."
    ),
    "Round {round}: bid on a card, or pass": say(
        "The most workers win the white card. A bid on black needs exactly its crew and moves at least $1 to "
        "white. The auction ends when all others pass in a row."
    ),
    "Round {round}: how many workers on the white card?": say(
        "Place more workers than are on the card now. A player who is outbid takes their workers back."
    ),
    "Round {round}: how many dollars from the black card to the white card?": say(
        "Each bid on the black card moves $1 or more to the white card. The last bidder gets the dollars "
        "left under the black card."
    ),
    "Round {round}: everybody bids in secret": say(
        "Both neighbours of the player who won the white card bid workers in secret. 0 means no bid. The "
        "higher bidder shares the card."
    ),
}
