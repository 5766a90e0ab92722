"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "Everybody bids in secret": say(
        "Everybody bids in secret; 0 means no bid. When all bids are in, they are opened together."
    ),
    "Another round?": say(
        '"Again" starts a new round of sealed bids. "Finish" ends the game and counts the score.'
    ),
}
