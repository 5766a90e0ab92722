"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "Who leads the first auction?": say(
        "Choose who leads the first auction. Later the winner of each auction leads the next auction."
    ),
    "Shuffle, deal {count} cards each, box the rest, lay out the daughters.": say(
        "Confirm when the cards are dealt and ten daughters are on the table. The first "
        "auction is for daughter 4."
    ),
    "Raise": say(
        "Bid more than the last bid, or withdraw and leave this auction. The last player left wins, and "
        "everybody who made a bid pays."
    ),
    "What do you pay for {chip}?": say(
        "Cards with the daughter's number count as 2, other cards as 1. A player who can't pay is knocked "
        "out of the round."
    ),
    "One card less would be enough for {chip}.": say(
        "You have paid more than you owe, and the bank gives no change. Take these cards "
        "back, or pay them too."
    ),
    "Only one player is left. End the round?": say(
        "Nobody else can buy a daughter in this round. End the round and give the point now, or play on."
    ),
}
