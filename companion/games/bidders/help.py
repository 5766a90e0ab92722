"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "Who is the start player?": say(
        "Choose who bids first. Later the place of the white card decides who starts."
    ),
    "Shuffle the cards by colour, put {count} of each back unseen; all take {workers} workers.": say(
        "Confirm when both decks are shuffled and everybody has their workers. Then turn over the first two "
        "projects."
    ),
    "Round {round}: turn up the {card}": say(
        "Turn over the top card of the deck and show it to the companion. Bidding begins when both projects "
        "are face up."
    ),
    "Round {round}: bid on a card, or pass": say(
        "The most workers win the white card. A black bid needs exactly the card's crew and moves $1 or more "
        "to white. The auction ends when all others pass in a row."
    ),
    "Round {round}: how many workers do you place on the white card?": say(
        "Place more workers than are on the card now. A player who is outbid takes their workers back."
    ),
    "Round {round}: how many dollars do you move from the black card to the white card?": say(
        "Each bid on the black card moves $1 or more to the white card. The last bidder gets the dollars "
        "left under the black card."
    ),
    "Round {round}: everybody bids in secret": say(
        "The two neighbours of the white card's winner bid workers in secret. 0 means no bid. The higher "
        "bidder shares the card."
    ),
}
