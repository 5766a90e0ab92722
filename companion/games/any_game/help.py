"""The rule behind each question of this game and what comes next; its rulebook decides."""

from companion.rulebook import say

HELP = {
    "What is next?": say(
        "The companion keeps track of money, bids and points. You play by your own rules. Choose what "
        'happens now. "Finish" counts the score.'
    ),
    "Who is the start player?": say(
        "Choose who gets the start player marker. Open auctions begin with that player."
    ),
    "Everybody bids in secret": say(
        "Everybody bids in secret; 0 means no bid. When all bids are in, they are opened together."
    ),
    "Raise": say(
        "Bid more than the highest bid, pass or withdraw. After a pass you can bid again; after withdrawing "
        "you are out."
    ),
    "How much do you add to your {category}?": say(
        "Enter the points to add to your earlier points. They can be negative. Then it's "
        "the next player's turn."
    ),
    "Points for what?": say(
        "Choose what the points are for. Then enter everybody's points; you can add more after that."
    ),
    "How much do you add to everybody's {category}?": say(
        "Enter everybody's points; they can be negative. The companion adds them to the earlier points. On a "
        "keypad, players enter their own points."
    ),
    "How many pieces does everybody have in {category}?": say(
        "Enter how many pieces each player has there. The companion works out the points; a player with 0 "
        "gets no points."
    ),
    "How many tricks, bid and made?": say(
        "Enter everybody's bid and the tricks they made. The companion works out the points."
    ),
    "Bids of this round": say("Enter everybody's bid. Then play the round."),
    "Tricks made in this round": say(
        "Enter how many tricks everybody made. The companion works out the points from the bids."
    ),
    "Which box?": say(
        "Fill each box once. If your dice give no points, enter 0. The player with the fewest filled boxes "
        "is next."
    ),
    "How many points in {box}?": say(
        "Enter how many points your dice score in this box. Enter 0 to cross the box out."
    ),
    "Which track moves?": say(
        "All players share the tracks. At the end of some tracks, everybody wins or everybody loses."
    ),
    "Who deals?": say("Choose who gets the dealer marker. The marker moves one seat to the left each round."),
    "Who is out?": say(
        "A player who is out can't play on. This player ranks behind everybody still in the game. The last "
        "player left wins."
    ),
    "{one} meets {other}: who wins?": say(
        "The winner goes on and the loser is out. The draw decides who plays whom next."
    ),
    "{why} Finish the game?": say(
        'The rules of this template let the game end now. Choose "Go on" to play on, or "Finish" to count '
        "the score."
    ),
    "What is left to chance?": say(
        "Roll dice, toss a coin, or draw by chance. Let the companion do it, or enter your own result."
    ),
    "Which dice?": say("Choose how many dice of each kind you roll. You can roll up to nine dice."),
    "Dice of how many sides?": say("Enter how many sides each die has. Then enter how many dice you roll."),
    "How many {sides}-sided dice?": say("Roll up to nine dice; the companion adds them up."),
    "A number from 1 to what?": say("The companion draws a number. All numbers are equally likely."),
    "Roll, or enter what your own dice show.": say(
        "Let the companion roll (all sides are equally likely), or enter the roll of your own dice."
    ),
    "Toss a coin": say("Let the companion toss, or enter what your own coin shows."),
    "Draw lots": say(
        "Let the companion draw, or enter your own result. To find a player's number, count the players who "
        "are not drawn yet, in seat order."
    ),
    "Who pays?": say(
        "Players, the bank and other places can all pay each other. Everybody can pay at the same time."
    ),
    "Whom does {payer} pay?": say(
        "Choose who gets the money. Every player can get this amount, or all players can share it evenly."
    ),
    "From {payer} to {payee}: how much?": say(
        "Enter the amount. The companion finds the notes and the change."
    ),
    "From {payer} to {payee}: what percentage?": say(
        "Enter the percentage of their money that the payer pays. The companion rounds the amount down."
    ),
    "Who gets the salary?": say("The bank pays the salary."),
    "{who} must pay {whom} {due}, but has only {held}. What now?": say(
        "To pay the full amount, first sell something or move money by hand. You can also pay only the money "
        "you have, or nothing. Several receivers share this money."
    ),
    "{who} already owes {n} and must pay {whom} {due}. What now?": say(
        "This template limits debts. Sell something or borrow first, or pay nothing."
    ),
    "{who} must pay {whom} {due}. What now?": say(
        "Only the owner can see this purse. The owner can pay everything, a part, or nothing."
    ),
    "{who} has no notes to pay {whom} exactly {due}. What now?": say(
        "Change notes into smaller notes by hand, then pay everything. Or pay the part that your notes "
        "allow, or nothing."
    ),
    "{n} is left over. Who gets the rest?": say(
        "The money can't be shared evenly. Choose who gets the rest, or leave the rest where it is."
    ),
    "You owe {due}. How much will you pay?": say(
        "Enter how much to pay. You can't pay more than the available money."
    ),
    "Which place pays out?": say("Choose a place. The place pays out all its money."),
    "{place}: who gets the money?": say(
        "One player gets all the money from this place, or several players share it evenly."
    ),
    "{place}: who shares the money?": say("Choose everybody who shares the money, one after the other."),
    "Who borrows?": say("The bank lends money. Some templates charge interest each round."),
    "How much do you want to borrow?": say(
        "Enter how much the bank lends you. You owe this money until you pay it back."
    ),
    "Who pays back?": say("Choose who pays back all or part of a loan."),
    "How much will you pay back?": say("Enter how much you pay back now."),
    "Shares of which company?": say("The bank sells shares and buys shares at the company's price."),
    "Who buys shares of {company}?": say("Choose the player. That player then enters the number of shares."),
    "Who sells shares of {company}?": say("Choose the player. That player then enters the number of shares."),
    "How many shares of {company} at {price}?": say(
        "Enter the number of shares, or 0 for none. You must have enough money for all the shares."
    ),
    "Which company made money?": say(
        "The company's shareholders get a dividend, or the company keeps all the money."
    ),
    "{company}: how much for each share?": say("Enter what each share earns."),
    "{company} earns {n} per share. Who is paid?": say(
        "Shareholders get this amount for each share, or the company keeps all the money."
    ),
    "Which price changes?": say("Prices go up and down on a track, as the rules of your game say."),
    "What is the new price of {company}? It is {price} now.": say("Choose the new step of the price."),
    "What is sold?": say("Write a name for this lot. Without a name, the lot gets a number."),
    "Who is paid for it?": say(
        "Choose the seller, the bank, a place, or all others in equal shares. The seller bids last."
    ),
    "Lowest bid for {about}?": say(
        "Enter the lowest bid allowed for this lot. A falling price stops at this amount."
    ),
    "Step of {about}?": say(
        "Bids for this lot go up in steps of this amount. A falling price drops by this amount each time."
    ),
    "How is it sold?": say(
        "Choose how to sell this lot. At a falling price, the first player to press buys the lot."
    ),
    "Who sells first?": say(
        "The seller gets the money and bids last. The next lot is sold by the player to the left."
    ),
    "{about}: who wins?": say("Bid aloud. Then choose the winner, or nobody."),
    "{about}: your winning bid?": say("Enter the winning bid."),
    "Price of {about}?": say("Enter the price. A falling price starts at this amount."),
    "{about} for {price}?": say("Buy the lot for this price, or offer it to the next player."),
    "Who takes {about} for {price}?": say(
        "The first player to press buys the lot for this price. If nobody presses, the price falls."
    ),
}
