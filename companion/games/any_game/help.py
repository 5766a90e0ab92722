"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "What is next?": say(
        "The companion keeps counters, bids and points; the rules are your own. Choose what happens"
        " now; Finish counts the score."
    ),
    "Who is the start player?": say("The marker goes to whoever is named. Open auctions begin there."),
    "Everybody bids in secret": say(
        "Everybody bids in secret, and 0 is no bid. Once all are in, they open together."
    ),
    "Raise": say(
        "Bid more than the highest bid, or pass; whoever passed may bid again. It ends when all "
        "others have passed in a row."
    ),
    "Add to {category}": say(
        "These points are added to what was entered before; they may be below zero. Then the next "
        "player is asked."
    ),
    "Points for what?": say(
        "Choose what the points are for. Then everybody's points are entered, one after the other."
    ),
}
