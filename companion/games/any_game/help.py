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
        "Bid more than the highest bid, or don't. Whoever passed may bid again, if it comes round to them; "
        "whoever withdrew is out."
    ),
    "Add to {category}": say(
        "These points are added to what was entered before; they may be below zero. Then the next "
        "player is asked."
    ),
    "Points for what?": say(
        "Choose what the points are for. Then everybody's are entered at once, and you are asked for more."
    ),
    "Add to everybody's {category}": say(
        "Enter everybody's points, below zero too; they are added to what was entered before. Keypads enter "
        "those of their own seat."
    ),
    "How much has everybody in {category}?": say(
        "Enter how much everybody has there; nothing gets nothing. The companion works out the points."
    ),
    "How many tricks, bid and made?": say(
        "Enter for everybody what was bid and how many tricks were made. The companion works out the points."
    ),
    "Bids of this round": say("Enter everybody's bid. Then the round is played."),
    "Tricks made in this round": say(
        "Enter how many tricks everybody made. The companion works out the points from the bids."
    ),
    "Which box?": say(
        "Each box is filled once, with nothing too. Then it is the turn of whoever has filled fewest."
    ),
    "How many points in {box}?": say("Enter what the dice are worth in this box. 0 crosses it out."),
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
    "Dice of how many sides?": say("All of them have as many sides. Then you are asked how many are rolled."),
    "How many dice of {sides}?": say("So many are rolled, nine at most; the companion adds them up."),
    "A number from 1 to what?": say("The companion draws a number, each as likely as the others."),
    "Roll, or enter what your own dice show.": say(
        "The companion rolls, each side as likely as the others; or enter what lies on the table."
    ),
    "Toss a coin": say("Let the companion toss, or enter what your own coin shows."),
    "Draw lots": say(
        "Let the companion draw, or enter your own lots. Each number counts those who are left, as they sit."
    ),
    "Who pays?": say(
        "Anybody pays anybody: seats, the bank, and every other place. Everybody can pay at once."
    ),
    "From {payer} to whom?": say(
        "Whoever is named gets it. Everybody gets so much each, or a share of one sum."
    ),
    "From {payer} to {payee}: how much?": say(
        "Enter the amount. The companion finds the notes and the change."
    ),
    "From {payer} to {payee}: how many percent?": say(
        "So much of a hundred of what is there is paid, rounded down."
    ),
    "Who gets the salary?": say("The bank pays it."),
    "{who} has to pay {whom} {due} and has only {held}. What happens?": say(
        "Sell something or move money by hand and then pay it all; or pay what is there, or nothing. Several"
        " who are paid share what is there."
    ),
    "{who} owes {n} already and has to pay {whom} {due}. What happens?": say(
        "The template says how far debts go. Sell something or borrow first, or nothing is paid."
    ),
    "{who} has to pay {whom} {due}. What happens?": say(
        "Only its owner knows whether so much is in the purse. Pay it, pay a part of it, or nothing."
    ),
    "The notes of {who} can't make {due} for {whom}. What happens?": say(
        "Change some notes by hand and then pay it, pay a part that the notes make, or nothing."
    ),
    "{n} is left over. Who gets it?": say("It can't be shared evenly. It goes to whom you say, or stays."),
    "How much of {due} do you pay?": say("Enter how much of it is paid; what it is paid from must have it."),
    "Out of which?": say("All that lies in one place is paid out; say of which."),
    "{place}: who gets it?": say("All that lies there goes to one. Several share it evenly."),
    "{place}: who has a share?": say("Name all who share it, one after the other."),
    "Who borrows?": say("The bank lends money. With each round interest is paid, if the template says so."),
    "How much do you borrow?": say("Enter what the bank lends you. You owe it until you pay it back."),
    "Who pays back?": say("Whoever owes something can pay back all of it or a part."),
    "How much do you pay back?": say("Enter how much of it you pay back now."),
    "Shares of which company?": say(
        "Shares are bought from the bank and sold to it at the price of the company."
    ),
    "Who buys shares of {company}?": say("Whoever is named says how many."),
    "Who sells shares of {company}?": say("Whoever is named says how many."),
    "How many shares of {company} at {price}?": say(
        "Enter how many, 0 for none. All of the price is paid, or nothing is bought."
    ),
    "Which company has earned?": say(
        "A dividend goes to whoever holds its shares, or its treasury keeps all."
    ),
    "{company}: how much for each share?": say("Enter what each share earns."),
    "{company} earns {n} a share. Who is paid?": say(
        "Whoever holds shares gets so much for each, or the company keeps all."
    ),
    "Which price changes?": say("Prices go up and down on a track, whenever your game says so."),
    "What is the new price of {company}? It is {price} now.": say("Choose the step to which the price goes."),
    "What is sold?": say(
        "Write what this lot is called; bids, notes and the record call it so. Without a name it goes by its"
        " number."
    ),
    "Who is paid for it?": say(
        "Whoever sells it, the bank, a place, or all others evenly. Whoever sells bids last."
    ),
    "Least bid for {about}?": say("Nobody bids less for this lot; at it a falling price stops."),
    "Step of {about}?": say("Each bid is so much higher at least; a falling price falls by so much."),
    "How is it sold?": say("Choose how this lot is sold. A falling price is taken by whoever presses first."),
    "Who sells first?": say(
        "Whoever sells is paid, and bids last. With each lot the next to the left sells."
    ),
    "{about}: who wins?": say("Bid aloud. Then say who wins, or that nobody does."),
    "{about}: your winning bid?": say("Enter the winning bid."),
    "Price of {about}?": say("Enter the price. One that falls begins with it."),
    "{about} for {price}?": say("Take it for this price, or pass it on to the next."),
    "Who takes {about} for {price}?": say(
        "Whoever presses first takes it for this price. Otherwise it falls."
    ),
}
