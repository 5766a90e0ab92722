"""Any Game: bank, purses, rounds, auctions on demand and a score sheet beside any other game. 2 to 12 people.

What is on the table is a template: pieces, of which the first pays bids, and categories of points.
Pieces are moved by hand at any time and without a reason; nothing here says who may take what.

Rulings:
1. Each seat begins with what the template says; a bank without a limit never runs out.
2. The start player is whom the table chooses, at first nobody; with each round the marker passes to the left.
3. Sealed bids: 0 is no bid. With `wins = unique` the highest bid that nobody else made wins.
4. A tie that is only named is won by nobody; then only `pays = all` takes money.
5. Who pays for a bid pays the bank in money, out of the purse that bids are limited to;
   where nobody pays, purses limit nothing. The second bid is the next best in the order that wins.
   As the lowest may have to pay any bid then, none is above what the emptiest purse but empty ones holds;
   covered purses limit their owners alone, and what a lowest bid costs more than itself the table is asked.
6. In an open auction a pass is not final; the winner pays, unless nobody does.
7. Points may be entered below zero. In the end pieces count what the template says, points as entered.
8. Equal totals share a rank, or go by what `tie_rule` says. Where the fewest points win that rule stays.
9. Where a dealer's marker goes around, the first seat deals first, and whoever sits to the left begins.
10. What ends an evening is asked once a round; whoever goes on is asked again after the next.
11. Who ties for a majority takes as many places as they are; what these give is shared, rounded down.
12. In a tournament whoever is left over goes on without a match, nobody twice before all who are still in
   have once; losers of one stage share a rank.
13. Against a track all lose together, also where no track that wins is at its end when people finish.
14. A lot's name is only how it is called; several may have the same, and a log keeps lots by their numbers.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from companion.games.any_game import (
    bidding,
    chance,
    ends,
    leaving,
    matches,
    money,
    moving,
    payments,
    rounds,
    sheet,
    trading,
)
from companion.games.any_game.deeds import MenuLine
from companion.games.any_game.help import HELP
from companion.games.any_game.laid import BOTH, NO_AUCTION, Laid
from companion.games.any_game.printed import DECK
from companion.games.any_game.scene import scene
from companion.games.any_game.scoring import standings
from companion.games.any_game.terms import unkept
from companion.games.any_game.wanting import wanting
from companion.rulebook import (
    ChoiceOption,
    Choose,
    Deck,
    Game,
    GameResult,
    Labelled,
    NumberOption,
    Offer,
    Presets,
    Say,
    Table,
    TableError,
    say,
)

FINISH = "finish"
WAY_OUT = {FINISH: Offer(say("Finish"), apart=True)}
SURE = {FINISH: say("Finish this game and count the score?")}
MENU: tuple[MenuLine, ...] = (
    *rounds.ROUNDS,
    *sheet.DEEDS,
    *matches.DEEDS,
    *moving.DEEDS,
    *bidding.DEEDS,
    *payments.DEEDS,
    *trading.DEEDS,
    *rounds.POINTS,
    *leaving.DEEDS,
    *chance.DEEDS,
)
"""Everything that can be done, in the order of the menu; a table has what its template has."""


async def evening(table: Table) -> GameResult:
    """Whatever the table wants, as often as it likes."""
    shelf = Laid(table, {**money.RAISING, **trading.RAISING})
    table.score_so_far = lambda: standings(shelf)
    await rounds.begin(shelf)
    end = ends.End(shelf)
    menus: Menus = {}
    while (deed := await next_deed(shelf, menus)) is not None:
        await deed.do(shelf)
        over = deed.key in rounds.ENDS_ROUND
        if await end.is_wanted(round_over=over):
            break
        if over:
            await rounds.open_round(shelf)
            if await end.is_wanted():
                break
    return table.score_so_far()


Menus = dict[object, tuple[dict[str, MenuLine], dict[str, Labelled]]]
"""What can be done, and its texts, by who is in the game and which round it is: nothing else changes them."""


async def next_deed(shelf: Laid, menus: Menus) -> MenuLine | None:
    """What the table wants now; None: to finish."""
    if (shelf.slot or shelf.round.count) <= 1:  # later the marker says who starts a round, not the game
        shelf.table.start_player = shelf.start
    now = shelf.playing, shelf.slot
    if now not in menus:  # every step begins with the menu
        deeds = {deed.key: deed for deed in (*bidding.lots(shelf), *MENU) if deed.there(shelf)}
        menus[now] = deeds, menu(shelf, deeds)
    deeds, texts = menus[now]
    return deeds.get(await Choose(None, say("What is next?"), texts, sure=SURE))


def menu(shelf: Laid, deeds: dict[str, MenuLine]) -> dict[str, Labelled]:
    """The texts of the menu now: deeds that belong together stand together, the way out apart."""
    usual = usual_of(shelf, deeds)
    texts: dict[str, Labelled] = {
        key: offered(deed.called(shelf), deed.group, usual=key == usual) for key, deed in deeds.items()
    }
    return texts | WAY_OUT


def usual_of(shelf: Laid, deeds: Mapping[str, MenuLine]) -> str | None:
    """What people come for with this template: a newcomer sees it. None where it is one of several."""
    is_sold = "auction" if shelf.terms.auction not in (BOTH, NO_AUCTION) else ""
    wanted = (rounds.WRITE, "turns", "match", "track", "payment", is_sold, "points", "round")
    return None if shelf.terms.lots == "shares" else next((key for key in wanted if key in deeds), None)


@lru_cache(maxsize=256)  # each match has its own menu
def offered(label: Say, group: Say | None, *, usual: bool) -> Offer:
    """A line that may stand with others."""
    return Offer(label, group=group, usual=usual)


def check_deck(deck: Deck) -> list[Say]:
    """A template has something to count, and what its rules need."""
    if why := wanting(deck) or unkept(deck):
        raise TableError(why)
    return []


OPTIONS = (
    ChoiceOption("template", say("Template"), say("Choose what the companion keeps track of."), "plain",
         is_game_title=True, choices={"plain": say("coins and points"), "points": say("points by round"),
                  "lowest": say("fewest points win"), "contract": say("tricks under contract"),
                  "sheet": say("sheet for five dice"), "majority": say("area majority"),
                  "coop": say("all together"), "tournament": say("knock-out tournament"),
                  "poker": say("poker chips"), "train": say("train companies"),
                  "property": say("property trading"), "art": say("art auction"),
                  "estate": say("estate cards by auction"), "auction": say("auction of named lots")}),
    NumberOption("most", say("Highest bid"),
         say("Highest bid allowed. None: players can bid all their money."),
           None, least=1, most=99_999),
    ChoiceOption("wins", say("Winning bid"), say("Choose which sealed bid wins."), "highest",
         choices={"highest": say("the highest"), "lowest": say("the lowest"),
                  "unique": say("the highest bid that isn't tied")}),
    ChoiceOption("ties", say("Ties"),
         say("Choose what happens when several players make the best bid."), "named",
         choices={"named": say("nobody wins"), "again": say("the tied players bid again")}),
    ChoiceOption("pays", say("Who pays"),
         say("Choose who pays their bid. In an auction, this can only be the winner or nobody."), "winner",
         choices={"winner": say("the winner"), "second": say("the winner, but only the second bid"),
                  "all": say("everybody"), "nobody": say("nobody")}),
    ChoiceOption("tie_rule", say("Equal totals"),
         say("Choose who ranks higher when totals are equal."), "shared",
         choices={"shared": say("tied players share the rank"), "money": say("more pieces of the first kind"),
                  "turn_order": say("the first in turn order from the start player")}),
)  # fmt: skip  # a lid

GAME = Game(
    "any_game",
    2,
    say("Any Game"),
    (2, 12),
    evening,
    OPTIONS,
    (DECK,),
    check_deck=check_deck,
    check_options=bidding.check_options,
    has_free_moves=True,
    typed_row_option=rounds.WRITE,
    question_kinds=("Choose", "Raise", "Amount", "Counts", "Roll", "Write", "Together", "price"),
    scene=scene,
    help=HELP,
    presets=Presets("template", DECK, own_folder=""),  # presets of version 0.2 lie in no folder of their own
)
