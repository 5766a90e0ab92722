"""Sealed bid: one sealed round on demand, as often as the table likes, beside any other game. 2 to 12 people.

Rulings:
1. 0 is no bid, also where the lowest bid wins; a round in which nobody bids is won by nobody.
2. A tie that is only named is won by nobody: the other game decides, and only `pays = all` takes money.
3. Where ties bid again, only those tied bid, as often as it takes; what is paid is each one's last bid.
4. Without purses payments_due are only recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.games.sealed_bid.help import HELP
from companion.games.sealed_bid.purses import Purses
from companion.games.sealed_bid.scene import scene
from companion.rulebook import (
    NO_PURSES,
    WINNER_RULES,
    ChoiceOption,
    Choose,
    Game,
    GameResult,
    NumberOption,
    ScoreLine,
    Seat,
    Table,
    TextOption,
    ask_sealed_bids,
    payments_due,
    rank_seats,
    run_sealed_round,
    say,
    say_list,
)


async def rounds(table: Table) -> GameResult:
    """Sealed rounds until the table has enough."""
    purses = Purses(table)
    table.score_so_far = lambda: standings(purses)
    another = True
    while another:
        purses.take(purses.round)
        table.heading = say("Round {round}", round=purses.round.count)
        await play_round(purses)
        choices = {"again": say("Again"), "finish": say("Finish")}
        sure = {"finish": say("Finish this game and count the score?")}
        another = await Choose(None, say("Another round?"), dict(choices), confirmations=sure) == "again"
    return table.score_so_far()


async def play_round(purses: Purses) -> None:
    """Everybody bids at once; the best bid wins; then whoever the options say pays."""
    table = purses.table

    def tie(ahead: Sequence[Seat], bid: int) -> None:
        table.add_note(say("Tie at {bid}: {seats} bid again.", bid=purses.sum(bid), seats=say_list(ahead)))

    best = WINNER_RULES[str(table.options["wins"])]
    bids, ahead = await run_sealed_round(
        lambda seats: round_of(purses, seats),
        best,
        table.seats,
        tie if table.options["ties"] == "again" else None,
    )
    settle(purses, bids, ahead)


async def round_of(purses: Purses, seats: Sequence[Seat]) -> dict[Seat, int]:
    """One sealed bid from each of these seats; where purses are counted, none above what is in it."""
    most = purses.table.options["most"]
    assert not isinstance(most, str)
    question = say("How much do you bid? 0 is no bid.")
    if purses.unit:
        question = say("How much do you bid in {unit}? 0 is no bid.", unit=purses.unit)
    held = purses.purses if purses.counted else NO_PURSES
    return await ask_sealed_bids(say("Sealed bid"), question, seats, most, held)


def settle(purses: Purses, bids: Mapping[Seat, int], ahead: Sequence[Seat]) -> None:
    """Names the winner or the tie, and takes the payments_due."""
    table = purses.table
    if not ahead:
        table.add_note(say("No bid: nobody wins this round."))
    elif len(ahead) > 1:
        tie = purses.sum(bids[ahead[0]])
        table.add_note(
            say(
                "Tie at {bid}: {seats}. Nobody wins here; follow the rules of your game.",
                bid=tie,
                seats=say_list(ahead),
            )
        )
    else:
        table.add_note(say("{seat} wins with {bid}.", seat=ahead[0], bid=purses.sum(bids[ahead[0]])))
        table.declare_winners(ahead)
        purses.take(purses.won[ahead[0]])
    paid = payments_due(bids, ahead, str(table.options["pays"]))
    if paid:
        sums = [say("{amount} by {seat}", seat=seat, amount=purses.sum(paid[seat])) for seat in paid]
        table.add_note(say("To pay: {payments}.", payments=say_list(sums)))
    for seat, amount in paid.items():
        purses.pay(seat, amount)


def standings(purses: Purses) -> GameResult:
    """Whoever has won most rounds first."""
    return rank_seats(
        purses.table.seats, lambda seat: purses.won[seat].count, lambda seat: score_sheet(purses, seat)
    )


def score_sheet(purses: Purses, seat: Seat) -> tuple[ScoreLine, ...]:
    """Rounds won, and what was paid in all."""
    paid = ScoreLine(say("paid"), purses.paid[seat].count, is_part_of_total=False)
    return ScoreLine(say("rounds won"), purses.won[seat].count), paid


OPTIONS = (
    TextOption("unit", say("Unit"), say("Unit of the bids, such as $ or gold."), "", max_letters=8),
    NumberOption("start", say("Purse"),
         say("Money that each player begins with. None: the companion only records "
"payments."), None,
           least=0, most=99_999),
    NumberOption("most", say("Highest bid"),
         say("Highest bid allowed. None: players can bid all their money."),
           None, least=1, most=99_999),
    ChoiceOption("wins", say("Winning bid"), say("Choose which bid wins the round."), "highest",
         choices={"highest": say("the highest"), "lowest": say("the lowest")}),
    ChoiceOption("ties", say("Ties"),
         say("Choose what happens when several players make the best bid."), "named",
         choices={"named": say("nobody wins"), "again": say("the tied players bid again")}),
    ChoiceOption("pays", say("Who pays"), say("Choose who pays their bid after the round."), "winner",
         choices={"winner": say("the winner"), "all": say("everybody"), "nobody": say("nobody")}),
)  # fmt: skip  # a lid

GAME = Game(
    "sealed_bid",
    1,
    say("Sealed bid"),
    (2, 12),
    rounds,
    OPTIONS,
    question_kinds=("Choose", "Together"),
    scene=scene,
    help=HELP,
)
