"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "Who opens the first auction?": say(
        "Whoever is named bids first. Later the winner of an auction opens the next one."
    ),
    "Deal {count} cards each, face down; the rest is the auction pile.": say(
        "Confirm when the cards are dealt. Everybody then begins with the same cash."
    ),
    "Auction {number}: turn up card {card}": say(
        "Turn up cards until a property comes; all of them are one lot. Instead somebody may declare the end."
    ),
    "Auction {number}: the next returned lot": say(
        "The pile is empty, so lots that nobody bought come up once more. Instead somebody may "
        "declare the end."
    ),
    "Auction {number}: who declares the end?": say(
        "Only somebody who has reached the goal may declare it. The score is then counted."
    ),
    "Raise": say(
        "Bid more than the highest bid, or pass; whoever passed may bid again. It ends when all "
        "others have passed in a row."
    ),
    "Everybody bids in secret": say(
        "The lot came with a Buyer's card, so everybody bids in secret, and 0 is no bid. The "
        "highest bid wins."
    ),
    "Tie in auction {number}: bid again": say(
        "Those tied bid once more, no less than before. Another tie goes to who comes first in the "
        "order of bidding."
    ),
    "Auction {number}: sell, buy, or done?": say(
        "The winner may put up to three properties on sale and use one Buyer's card, in any order. "
        "Done begins the next auction."
    ),
    "Auction {number}, sale {sale}: put up a property": say(
        "Show the property that you offer. Then the dice decide who buys it."
    ),
    "Auction {number}, sale {sale}: roll both dice": say(
        "The green die says whether it sells on the board. The red die says to whom."
    ),
    "Auction {number}: lay down a Buyer's card": say(
        "It lets you buy up to three properties from one section of the board. It is given up with "
        "the first of them."
    ),
    "Auction {number}: buy property {at}": say(
        "Each property costs the price of its section and is paid at once. All must come from the "
        "same section."
    ),
    "Lay down the cards of your hand": say(
        "Show the cards of your hand that count. Then the score is counted."
    ),
}
