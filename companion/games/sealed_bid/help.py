"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "Everybody bids in secret": say(
        "Everybody bids in secret, and 0 is no bid. When all bids are in, they are opened together."
    ),
    "Another round?": say("Again asks everybody for a new sealed bid. Finish counts the score."),
}
