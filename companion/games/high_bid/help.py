"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "Who opens the first auction?": say(
        "Choose who bids first. Later the player to the left of the last winner bids first."
    ),
    "Deal {count} cards each, face down; the rest is the auction pile.": say(
        "Confirm when the cards are dealt. Everybody then begins with the same cash."
    ),
    "Auction {number}: turn up card {card}": say(
        "Turn over cards until you reveal a property. All these cards are one lot. Or a player may declare "
        "the end of the game."
    ),
    "Auction {number}: the next returned lot": say(
        "The pile is empty, so lots that nobody bought are auctioned once more. Or a player may declare the "
        "end of the game."
    ),
    "Auction {number}: who declares the end?": say(
        "Only a player who has reached the goal may declare the end of the game. Then the score is counted."
    ),
    "Raise": say(
        "Bid more than the highest bid, or pass; you can bid again later. The auction ends when all others "
        "pass in a row."
    ),
    "Everybody bids in secret": say(
        "The lot came with a Buyer's card, so everybody bids in secret. 0 means no bid. The highest bid wins."
    ),
    "Tie in auction {number}: bid again": say(
        "The tied players bid again, and not less than before. If they tie again, the player who is first in "
        "bidding order wins."
    ),
    "Auction {number}: sell, buy, or done?": say(
        'The winner may sell up to three properties and use one Buyer\'s card, in any order. Choose "Done" '
        "to begin the next auction."
    ),
    "Auction {number}, sale {sale}: put up a property": say(
        "Show the property that you offer. Then the dice decide who buys it."
    ),
    "Auction {number}, sale {sale}: roll both dice": say(
        "The green die decides whether the property is sold on the board. The red die decides who buys it."
    ),
    "Auction {number}: lay down a Buyer's card": say(
        "With a Buyer's card you buy up to three properties from one section of the board. You give up the "
        "card when you buy the first property."
    ),
    "Auction {number}: buy property {at}": say(
        "Each property costs the price of its section. All properties must come from the same section."
    ),
    "Lay down the cards of your hand": say(
        "Show the cards from your hand that score points. Then the score is counted."
    ),
}
