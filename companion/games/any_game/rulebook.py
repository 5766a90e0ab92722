"""Any Game: bank, purses, rounds, auctions on demand and a score sheet beside any other game. 2 to 5 players.

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

from companion.games.any_game import bidding, rounds
from companion.games.any_game.deeds import Deed
from companion.games.any_game.help import HELP
from companion.games.any_game.laid import Laid
from companion.games.any_game.printed import DECK, kind_of
from companion.games.any_game.scene import scene
from companion.games.any_game.scoring import standings
from companion.rulebook import (
    Choose,
    Deck,
    Game,
    Labelled,
    Number,
    Offer,
    Pick,
    Result,
    Say,
    Table,
    TableError,
    say,
)

MENU: tuple[Deed, ...] = (*rounds.ROUNDS, *bidding.DEEDS, *rounds.POINTS)
"""Everything that can be done, in the order of the menu; a table has what its template has."""


async def evening(table: Table) -> Result:
    """Whatever the table wants, as often as it likes."""
    shelf = Laid(table)
    table.so_far = lambda: standings(shelf)
    deeds = {deed.key: deed for deed in MENU if deed.there(shelf)}
    sure = {"finish": say("Finish this game and count the score?")}
    while (choice := await Choose(None, say("What is next?"), menu(shelf, deeds), sure=sure)) != "finish":
        await deeds[choice].do(shelf)
    return table.so_far()


def menu(shelf: Laid, deeds: dict[str, Deed]) -> dict[str, Labelled]:
    """The texts of the menu now: deeds that belong together stand together, the way out apart."""
    texts: dict[str, Labelled] = {}
    for key, deed in deeds.items():
        label = deed.called(shelf)
        texts[key] = Offer(label, group=deed.group) if deed.group else label
    return texts | {"finish": Offer(say("Finish"), apart=True)}


def check_deck(deck: Deck) -> list[Say]:
    """Bids are made in a piece, so a template must have one."""
    if not kind_of(deck, "piece"):
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
    (2, 5),
    evening,
    OPTIONS,
    (DECK,),
    check_deck=check_deck,
    free_moves=True,
    asks=("Choose", "Raise", "Amount", "Together"),
    scene=scene,
    help=HELP,
)
