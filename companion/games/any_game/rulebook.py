"""Any Game: bank, purses, rounds, auctions on demand and a score sheet beside any other game. 2 to 12 people.

What is on the table is a template: pieces, of which the first pays bids, and categories of points.
Pieces are moved by hand at any time and without a reason; nothing here says who may take what.

Rulings:
1. Each seat begins with what the template says; a bank without a limit never runs out.
2. The start player is whom the table chooses, at first nobody; with each round the marker passes to the left.
3. Sealed bids: 0 is no bid. With `wins = unique` the highest bid that nobody else made wins.
4. A tie that is only named is won by nobody; then only `pays = all` takes money.
5. Who pays for a bid pays the bank in the template's first piece, out of the purse that bids are limited to;
   where nobody pays, purses limit nothing. The second bid is the next best in the order that wins.
   As the lowest may have to pay any bid then, none is above what the emptiest purse but empty ones holds.
6. In an open auction a pass is not final; the winner pays, unless nobody does.
7. Points may be entered below zero. In the end pieces count what the template says, points as entered.
8. Equal totals share a rank, or go by what `tie_rule` says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from companion.games.any_game.help import HELP
from companion.games.any_game.laid import DECK, Laid
from companion.games.any_game.scene import scene
from companion.rulebook import (
    BEST,
    Amount,
    Choose,
    Deck,
    Emptiest,
    Game,
    Labelled,
    Line,
    Number,
    Pick,
    Piece,
    Result,
    Say,
    Seat,
    Table,
    TableError,
    bids_made,
    capped,
    choose_seat,
    listed,
    open_bids,
    payments,
    ranked,
    say,
    sealed_bids,
    sealed_round,
)

MOST_POINTS = 9_999


async def evening(table: Table) -> Result:
    """Whatever the table wants, as often as it likes."""
    shelf = Laid(table)
    table.so_far = lambda: standings(shelf)
    deeds = {
        "round": next_round,
        "start_player": choose_start,
        "sealed_bid": sealed_bid,
        "auction": auction,
        "points": points,
    }
    texts: dict[str, Labelled] = {
        "round": say("Next round"),
        "start_player": say("Start player"),
        "sealed_bid": say("Sealed bid"),
        "auction": say("Auction"),
        "points": say("Points"),
        "finish": say("Finish"),
    }
    if not shelf.categories:
        del texts["points"]
    sure = {"finish": say("Finish this game and count the score?")}
    while (choice := await Choose(None, say("What is next?"), texts, sure=sure)) != "finish":
        await deeds[choice](shelf)
    return table.so_far()


async def next_round(shelf: Laid) -> None:
    """The round track goes on, and the start player marker passes to the left."""
    shelf.table.mark(shelf.round)
    shelf.table.heading = say("Round {round}", round=shelf.round.count)
    if shelf.start:
        shelf.appoint(shelf.seats.after(shelf.start)[0])
        shelf.table.tell(say("{seat} is the start player.", seat=shelf.start))


async def choose_start(shelf: Laid) -> None:
    """The table says who has the marker."""
    shelf.appoint(await choose_seat(say("Who is the start player?"), shelf.seats))


async def sealed_bid(shelf: Laid) -> None:
    """Everybody bids in secret; the options say what wins, who pays and what a tie means."""
    table, held = shelf.table, shelf.paid_from
    wins, pays = str(table.options["wins"]), str(table.options["pays"])
    most = capped(shelf.most, held, wins, pays)
    question = say("Your sealed bid in {unit}; 0 is no bid", unit=shelf.money)
    if isinstance(most, Emptiest):
        text = "Your sealed bid in {unit}, at most what the emptiest purse holds; 0 is no bid"
        question = say(text, unit=shelf.money)

    def tie(ahead: Sequence[Seat], bid: int) -> None:
        table.tell(say("Tie at {bid}: {seats} bid again.", bid=bid, seats=listed(ahead)))

    bids, ahead = await sealed_round(
        lambda seats: sealed_bids(say("Sealed bid"), question, seats, most, held),
        BEST[wins],
        shelf.seats,
        tie if table.options["ties"] == "again" else None,
    )
    tell_winner(shelf, ahead, bids[ahead[0]] if ahead else 0)
    if pays == "nobody" and any(bids.values()):
        table.tell(say("Nobody pays. Bids: {bids}.", bids=bids_made(bids)))
    for seat, amount in payments(bids, ahead, pays, BEST[wins]).items():
        shelf.pay(seat, amount)


def tell_winner(shelf: Laid, ahead: Sequence[Seat], bid: int) -> None:
    """Who has won, who ties, or that nobody has bid."""
    if not ahead:
        shelf.table.tell(say("Nobody wins."))
    elif len(ahead) == 1:
        shelf.table.tell(say("{seat} wins with {bid}.", seat=ahead[0], bid=bid))
    else:
        text = "Tie at {bid}: {seats}. Nobody wins; your game decides."
        shelf.table.tell(say(text, bid=bid, seats=listed(ahead)))


async def auction(shelf: Laid) -> None:
    """Bids in turn from the start player on; the winner pays the bank, unless nobody pays."""
    table, first, held = shelf.table, shelf.start or shelf.seats[0], shelf.paid_from
    shelf.table.mark(shelf.lot)
    number = shelf.lot.count
    about = Piece(f"lot {number}", say("lot {number}", number=number))
    winner, bid = await open_bids(shelf.seats.from_(first), about, most=shelf.most, held=held)
    if winner is None:
        table.tell(say("Nobody wins."))
        return
    table.tell(say("{seat} wins with {bid}.", seat=winner, bid=bid))
    if held:
        shelf.pay(winner, bid)


async def points(shelf: Laid) -> None:
    """Points of one category for everybody; they add to what was entered before."""
    categories = {str(at): one for at, one in enumerate(shelf.categories)}
    key = next(iter(categories))
    if len(categories) > 1:
        texts: dict[str, Labelled] = {at: one.label for at, one in categories.items()}
        key = await Choose(None, say("Points for what?"), texts)
    category = categories[key]
    for seat in shelf.seats:
        question, logged = (
            say("Add to {category}", category=category.label),
            say("Points for {category}", category=category.label),
        )
        category.add(seat, await Amount(seat, question, -MOST_POINTS, MOST_POINTS, known_as=logged))


def standings(shelf: Laid) -> Result:
    """The highest total first; equals share or go by the tie rule."""
    rule = str(shelf.table.options["tie_rule"])
    words = {"money": say("more of {piece}", piece=shelf.money), "turn_order": say("first in turn")}
    return ranked(
        shelf.seats,
        shelf.total,
        lambda seat: score_sheet(shelf, seat),
        by=lambda seat: (shelf.total(seat), TIE_RULES[rule](shelf, seat)),
        tie=words.get(rule),
    )


def first_in_turn(shelf: Laid, seat: Seat) -> int:
    """Who sits nearest from the start player on comes first."""
    return -shelf.seats.from_(shelf.start or shelf.seats[0]).index(seat)


TIE_RULES: dict[str, Callable[[Laid, Seat], int]] = {
    "shared": lambda _shelf, _seat: 0,
    "money": lambda shelf, seat: shelf.purses[shelf.money][seat].count,
    "turn_order": first_in_turn,
}


def score_sheet(shelf: Laid, seat: Seat) -> tuple[Line, ...]:
    """What pieces and points count; for information pieces that somebody holds and that count nothing."""
    counting = [one for one, printed in shelf.pieces.items() if printed.values["worth"]]
    held = [one for one, purses in shelf.purses.items() if any(purse.count for purse in purses.values())]
    return (
        *(Line(one.label, shelf.worth(one, seat)) for one in counting),
        *(Line(one.label, one.of(seat)) for one in shelf.categories),
        *(
            Line(one.label, shelf.purses[one][seat].count, counts=False)
            for one in held
            if one not in counting
        ),
    )


def check_deck(deck: Deck) -> list[Say]:
    """Bids are made in a piece, so a template must have one."""
    if not any(one.values["kind"] == "piece" for one in deck.designs):
        raise TableError(say("card: there is no piece; bids are made in the first one."))
    return []


OPTIONS = (
    Pick("template", say("Template"), say("What lies on the table."), "plain",
         choices={"plain": say("coins and points"), "poker": say("poker-chip bank"),
                  "train": say("train game's bank"), "points": say("points sheet")}),
    Number("most", say("Highest bid"), say("No bid may be higher; none: whatever the purse holds."), None,
           least=1, most=99_999),
    Pick("wins", say("Winning bid"), say("Which sealed bid wins."), "highest",
         choices={"highest": say("the highest"), "lowest": say("the lowest"),
                  "unique": say("the highest that isn't tied")}),
    Pick("ties", say("Ties"), say("What happens when the best bid was made more than once."), "named",
         choices={"named": say("only named"), "again": say("they bid again")}),
    Pick("pays", say("Who pays"), say("Who pays for a bid; in an auction the winner or nobody."), "winner",
         choices={"winner": say("the winner"), "second": say("the winner, the second bid"),
                  "all": say("everybody"), "nobody": say("nobody")}),
    Pick("tie_rule", say("Equal totals"), say("Who is ranked first where totals are equal."), "shared",
         choices={"shared": say("they share the rank"), "money": say("more of the first piece"),
                  "turn_order": say("the first from the start player on")}),
)  # fmt: skip  # a lid

GAME = Game(
    "any_game",
    1,
    say("Any Game"),
    (2, 12),
    evening,
    OPTIONS,
    (DECK,),
    check_deck=check_deck,
    free_moves=True,
    asks=("Choose", "Raise", "Amount", "Together"),
    scene=scene,
    help=HELP,
)
