"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "What is next?": say(
        "The companion keeps money, bids and points; the rules are yours. Choose what happens now; Finish "
        "counts the score."
    ),
    "Who is the start player?": say(
        "Choose who gets the start player marker. Open auctions begin with that player."
    ),
    "Everybody bids in secret": say(
        "Everybody bids in secret, and 0 is no bid. When all bids are in, they are opened together."
    ),
    "Raise": say(
        "Bid more than the highest bid, pass or withdraw. After a pass you can bid again; after withdrawing "
        "you are out."
    ),
    "Add to {category}": say(
        "These points are added to the earlier ones; they can be below zero. Then comes the next player."
    ),
    "Points for what?": say(
        "Choose what the points are for. Then enter everybody's points; you can add more after that."
    ),
    "Add to everybody's {category}": say(
        "Enter everybody's points, which can be below zero; they are added to the earlier ones. Each keypad "
        "enters the points of its own seat."
    ),
    "How many does everybody have in {category}?": say(
        "Enter how many everybody has there. The companion works out the points; 0 gets none."
    ),
    "How many tricks, bid and made?": say(
        "Enter everybody's bid and the tricks they made. The companion works out the points."
    ),
    "Bids of this round": say("Enter everybody's bid. Then play the round."),
    "Tricks made in this round": say(
        "Enter how many tricks everybody made. The companion works out the points from the bids."
    ),
    "Which box?": say(
        "Fill each box once, with 0 if need be. Next comes the player who has filled the fewest boxes."
    ),
    "How many points in {box}?": say("Enter what the dice are worth in this box. 0 crosses it out."),
    "Which track moves?": say("Tracks belong to all of you. At the end of some tracks you all win or lose."),
    "Who deals?": say("Choose who gets the dealer marker. It moves to the left each round."),
    "Who is out?": say(
        "A player who is out takes no further part and ranks behind everybody still in. The last "
        "player in wins."
    ),
    "{one} meets {other}: who wins?": say(
        "The winner goes on and the loser is out. The draw decides who plays whom next."
    ),
    "{why} Finish?": say(
        "The template says the game can end here. Go on if you like; Finish counts the score."
    ),
    "What is left to chance?": say(
        "Dice, a coin or lots. Let the companion draw, or enter the result of your own."
    ),
    "Which dice?": say("Choose how many of each kind you roll, up to nine in all."),
    "Dice of how many sides?": say("All dice have this many sides. Next you enter how many you roll."),
    "How many dice of {sides}?": say("Roll up to nine dice; the companion adds them up."),
    "A number from 1 to what?": say("The companion draws a number. All numbers are equally likely."),
    "Roll, or enter what your own dice show.": say(
        "Let the companion roll (all sides are equally likely), or enter the roll of your own dice."
    ),
    "Toss a coin": say("Let the companion toss, or enter what your own coin shows."),
    "Draw lots": say(
        "Let the companion draw, or enter your own lots. Each number counts the players still left, "
        "in seat order."
    ),
    "Who pays?": say("Players, the bank and other places can all pay each other. Everybody can pay at once."),
    "From {payer} to whom?": say(
        "Choose who gets it. Everybody can get this much each, or an even share of one sum."
    ),
    "From {payer} to {payee}: how much?": say(
        "Enter the amount. The companion finds the notes and the change."
    ),
    "From {payer} to {payee}: how many percent?": say(
        "This percentage of the money there is paid, rounded down."
    ),
    "Who gets the salary?": say("The bank pays it."),
    "{who} must pay {whom} {due}, but has only {held}. What now?": say(
        "Raise money (sell something, or move money by hand) and then pay all; or pay what is there, or "
        "nothing. If several are paid, they share what is there."
    ),
    "{who} already owes {n} and must pay {whom} {due}. What now?": say(
        "The template limits debts. Sell something or borrow first, or pay nothing."
    ),
    "{who} must pay {whom} {due}. What now?": say(
        "Only the owner can see this purse. Pay all of it, a part of it, or nothing."
    ),
    "The notes of {who} don't make exactly {due} for {whom}. What now?": say(
        "Change notes by hand and then pay all, pay the part that your notes make, or pay nothing."
    ),
    "{n} is left over. Who gets it?": say(
        "It can't be shared evenly. Choose who gets the rest, or leave it there."
    ),
    "How much of {due} do you pay?": say("Enter how much of it you pay, up to what is there."),
    "Out of which?": say("Choose a place. All the money there is paid out."),
    "{place}: who gets it?": say("One player gets all the money there, or several share it evenly."),
    "{place}: who has a share?": say("Choose everybody who shares it, one after the other."),
    "Who borrows?": say("The bank lends money. Some templates charge interest each round."),
    "How much do you borrow?": say("Enter what the bank lends you. You owe it until you pay it back."),
    "Who pays back?": say("Choose who pays back a loan, all of it or a part."),
    "How much do you pay back?": say("Enter how much you pay back now."),
    "Shares of which company?": say(
        "You buy shares from the bank and sell them to it, at the company's price."
    ),
    "Who buys shares of {company}?": say("Choose the player; that player then says how many."),
    "Who sells shares of {company}?": say("Choose the player; that player then says how many."),
    "How many shares of {company} at {price}?": say(
        "Enter how many, or 0 for none. You must be able to pay the whole price."
    ),
    "Which company has earned?": say("Its shareholders get a dividend, or its treasury keeps all the money."),
    "{company}: how much for each share?": say("Enter what each share earns."),
    "{company} earns {n} a share. Who is paid?": say(
        "Shareholders get this much for each share, or the company keeps all of it."
    ),
    "Which price changes?": say("Prices go up and down on a track, as the rules of your game say."),
    "What is the new price of {company}? It is {price} now.": say("Choose the new step of the price."),
    "What is sold?": say("Write a name for this lot, or leave it out: then the lot has a number."),
    "Who is paid for it?": say("The seller, the bank, a place, or all others evenly. The seller bids last."),
    "Least bid for {about}?": say("No bid for this lot can be lower. A falling price stops here."),
    "Step of {about}?": say(
        "Each bid must be higher by at least this much. A falling price falls by this much."
    ),
    "How is it sold?": say(
        "Choose how to sell this lot. At a falling price, the first player to press buys it."
    ),
    "Who sells first?": say(
        "The seller gets the money and bids last. The next lot is sold by the player to the left."
    ),
    "{about}: who wins?": say("Bid aloud. Then choose the winner, or nobody."),
    "{about}: your winning bid?": say("Enter the winning bid."),
    "Price of {about}?": say("Enter the price. A falling price starts here."),
    "{about} for {price}?": say("Buy it for this price, or pass it on to the next player."),
    "Who takes {about} for {price}?": say(
        "The first player to press buys it for this price. If nobody presses, the price falls."
    ),
}
