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
        "Choose what the points are for. Then everybody's are entered at once, and you are asked for more."
    ),
    "Everybody's {category}": say(
        "Enter everybody's points, below zero too; they are added to what was entered before. Keypads enter "
        "those of their own seat."
    ),
    "How much has everybody in {category}?": say(
        "Enter how much everybody has there; nothing gets nothing. The companion works out the points."
    ),
    "Tricks: bid and made": say(
        "Enter for everybody what was bid and how many tricks were made. The companion works out the points."
    ),
    "Bids of this round": say("Enter everybody's bid. Then the round is played."),
    "Tricks made in this round": say(
        "Enter how many tricks everybody made. The companion works out the points from the bids."
    ),
    "Which box?": say(
        "Each box is filled once, with nothing too. Then it is the turn of whoever has filled fewest."
    ),
    "Points in {box}": say("Enter what the dice are worth in this box. 0 crosses it out."),
    "Which track moves?": say("Tracks belong to all of you. At the end of some the game is won or lost."),
    "Who deals?": say("The dealer's marker goes to whoever is named; with each round it passes to the left."),
    "Who is out?": say(
        "Who is out takes no part any more and is ranked behind all who stay. The last one in is first."
    ),
    "{one} meets {other}: who wins?": say(
        "The winner goes on, the other is out. The draw says who meets whom next."
    ),
    "{why} Finish?": say(
        "The template says that the game may end here. Go on if you like; Finish counts the score."
    ),
    "What is left to chance?": say(
        "Dice, a coin or lots, drawn by the companion, or entered as your own show them."
    ),
    "Which dice?": say("Choose how many of each kind are rolled, nine at most."),
    "A number from 1 to what?": say("The companion draws a number, each as likely as the others."),
    "Roll": say("Let the companion roll, or enter what your own dice show."),
    "Toss a coin": say("Let the companion toss, or enter what your own coin shows."),
    "Draw lots": say(
        "Let the companion draw, or enter your own lots. Each number counts those who are left, as they sit."
    ),
}
