"""Sealed bid: one sealed round on demand, as often as the table likes, beside any other game. 2 to 12 people.

Rulings:
1. 0 is no bid, also where the lowest bid wins; a round in which nobody bids is won by nobody.
2. A tie that is only named is won by nobody: the other game decides, and only `pays = all` takes money.
3. Where ties bid again, only those tied bid, as often as it takes; what is paid is each one's last bid.
4. Without purses payments are only recorded.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from companion.rulebook import (
    NO_PURSE_LIMITS,
    WINNER_RULE_BY_KEY,
    Account,
    ChoiceOption,
    Choose,
    CountCell,
    Game,
    GameResult,
    Labelled,
    NumberOption,
    Piece,
    Scene,
    SceneSetup,
    ScoreLine,
    Seat,
    SeatMat,
    Table,
    TextOption,
    ask_sealed_bids,
    find_leaders,
    payments_due,
    rank_seats,
    run_sealed_round,
    say,
    say_amount_of,
    say_list,
    say_n,
    say_people,
)

PURSE, FRONT, BANK, ROUND_TRACK = say("purse"), say("front"), say("bank"), say("round track")
ROUND_WON_MARKER = Piece(
    "round won",
    say("round won"),
    is_endless=True,
    is_marker=True,
    count_label=say_n("{n} round won", "{n} rounds won", n=2),
)
MONEY_PAID_MARKER = Piece("paid", say("paid"), is_endless=True, is_marker=True)
ROUND_MARKER = Piece(
    "round", say("round"), is_endless=True, is_marker=True, count_label=say("round {n}", n=2)
)


class SealedBidAccounts:
    """The accounts of sealed bids: what the seats hold, have paid and have won."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self.unit = str(table.options["unit"])
        self.money = make_money_piece(table.options)
        self.purses = table.account_by_seat(self.money, PURSE)
        self.rounds_won = table.account_by_seat(ROUND_WON_MARKER, FRONT)
        self.paid = table.account_by_seat(MONEY_PAID_MARKER, FRONT)
        self.round = table.round_counter = table.account(ROUND_MARKER, ROUND_TRACK)
        starting_money = table.options["start"]
        self.has_purses = isinstance(starting_money, int)
        if isinstance(starting_money, int):
            for purse in self.purses.values():
                table.supply_from_box(purse, starting_money)

    def add_from_bank(self, account: Account, count: int = 1) -> None:
        """Moves pieces from the bank to an account."""
        self.table.move(self.table.account(account.piece, BANK), account, count)

    def pay_up_to_purse(self, seat: Seat, amount: int) -> None:
        """Pays an amount from the purse, as far as the purse goes, and records the payment.

        Without purses the payment is only recorded.
        """
        paid, bank = amount, self.table.account(self.money, BANK)
        if self.has_purses:
            paid = self.table.move_up_to(self.purses[seat], bank, amount)
        if paid < amount:
            self.table.add_note(
                say("{seat} can pay only {amount}.", seat=seat, amount=self.amount_with_unit(paid))
            )
        self.add_from_bank(self.paid[seat], paid)

    def amount_with_unit(self, amount: int) -> Labelled | int:
        """Returns an amount with its unit."""
        return say("{amount} {unit}", amount=amount, unit=self.unit) if self.unit else amount


def make_money_piece(option_values: Mapping[str, str | int | None]) -> Piece:
    """Returns the piece that is money: a coin, or the unit that the table has chosen."""
    unit = option_values["unit"]
    if unit:
        label, count_label = say("{unit}", unit=str(unit)), say("{n} {unit}", n=2, unit=str(unit))
        return Piece("money", label, is_endless=True, count_label=count_label)
    return Piece("money", say("coin"), is_endless=True, count_label=say_n("{n} coin", "{n} coins", n=2))


# The rules


async def play_rounds(table: Table) -> GameResult:
    """Plays sealed rounds until the table ends the game."""
    accounts = SealedBidAccounts(table)
    table.score_so_far = lambda: standings(accounts)
    choice = "again"
    while choice == "again":
        accounts.add_from_bank(accounts.round)
        table.heading = say("Round {round}", round=accounts.round.count)
        await play_sealed_round(accounts)
        options = {"again": say("Again"), "finish": say("Finish")}
        confirmations = {"finish": say("Finish this game and count the score?")}
        choice = await Choose(None, say("Another round?"), dict(options), confirmations=confirmations)
    return table.score_so_far()


async def play_sealed_round(accounts: SealedBidAccounts) -> None:
    """Plays a sealed round: asks everybody for a bid at once, names the winner and collects payments."""
    table = accounts.table

    def announce_tie(tied_seats: Sequence[Seat], bid: int) -> None:
        table.add_note(
            say(
                "Tie at {bid}: {seats} bid again.",
                bid=accounts.amount_with_unit(bid),
                seats=say_people(tied_seats),
            )
        )

    winner_rule = WINNER_RULE_BY_KEY[str(table.options["wins"])]
    bids, best_bidders = await run_sealed_round(
        lambda seats: ask_secret_bids(accounts, seats),
        winner_rule,
        table.seats,
        announce_tie if table.options["ties"] == "again" else None,
    )
    announce_result_and_collect_payments(accounts, bids, best_bidders)


async def ask_secret_bids(accounts: SealedBidAccounts, seats: Sequence[Seat]) -> dict[Seat, int]:
    """Asks each seat for a sealed bid, at most the money in its purse if there are purses."""
    max_bid = accounts.table.options["most"]
    assert not isinstance(max_bid, str)
    question = say("How much do you bid? 0 is no bid.")
    if accounts.unit:
        question = say("How much do you bid in {unit}? 0 is no bid.", unit=accounts.unit)
    purses = accounts.purses if accounts.has_purses else NO_PURSE_LIMITS
    return await ask_sealed_bids(say("Sealed bid"), question, seats, max_bid, purses)


def announce_result_and_collect_payments(
    accounts: SealedBidAccounts, bid_by_seat: Mapping[Seat, int], best_bidders: Sequence[Seat]
) -> None:
    """Announces the winner, if there is one; counts the round for the winner and collects the payments."""
    table = accounts.table
    if not best_bidders:
        table.add_note(say("No bid: nobody wins this round."))
    elif len(best_bidders) > 1:
        table.add_note(
            say(
                "Tie at {bid}: {seats}. Nobody wins here; follow the rules of your game.",
                bid=accounts.amount_with_unit(bid_by_seat[best_bidders[0]]),
                seats=say_people(best_bidders),
            )
        )
    else:
        table.declare_outcome(
            say(
                "{seat} wins with {bid}.",
                seat=best_bidders[0],
                bid=accounts.amount_with_unit(bid_by_seat[best_bidders[0]]),
            ),
            best_bidders,
        )
        accounts.add_from_bank(accounts.rounds_won[best_bidders[0]])
    amount_due_by_seat = payments_due(bid_by_seat, best_bidders, str(table.options["pays"]))
    if amount_due_by_seat:
        payments = [
            say_amount_of(seat, accounts.amount_with_unit(amount))
            for seat, amount in amount_due_by_seat.items()
        ]
        table.add_note(say("To pay: {payments}.", payments=say_list(payments)))
    for seat, amount in amount_due_by_seat.items():
        accounts.pay_up_to_purse(seat, amount)


def standings(accounts: SealedBidAccounts) -> GameResult:
    """Returns the result, most rounds won first."""
    return rank_seats(
        accounts.table.seats,
        lambda seat: accounts.rounds_won[seat].count,
        lambda seat: score_lines(accounts, seat),
    )


def score_lines(accounts: SealedBidAccounts, seat: Seat) -> tuple[ScoreLine, ...]:
    """Returns a seat's score lines: the rounds won, and for information the total paid."""
    paid = ScoreLine(say("paid"), accounts.paid[seat].count, is_part_of_total=False)
    return ScoreLine(say("rounds won"), accounts.rounds_won[seat].count), paid


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


# The scene


def build_sealed_bid_scene(setup: SceneSetup) -> Scene:
    """Builds the scene of sealed bids.

    Before each seat are the rounds that it won, and what it paid or still holds.
    """
    purse_cells = (
        (CountCell(make_money_piece(setup.options), PURSE, label=PURSE, shows_change=True),)
        if setup.options["start"] is not None
        else ()
    )
    cells = (*purse_cells, CountCell(MONEY_PAID_MARKER, FRONT, label=say("paid"), shows_change=True))
    headline = CountCell(ROUND_WON_MARKER, FRONT, label=say("won"), shows_change=True)
    return Scene(
        SeatMat(headline, cells),
        (CountCell(ROUND_MARKER, ROUND_TRACK, label=say("round"), hidden_when_zero=True),),
        leaders=lambda look: find_leaders(
            setup.seats, lambda seat: look.count(ROUND_WON_MARKER, FRONT, seat)
        ),
    )


# Help: the rule behind each question, and what comes next


HELP = {
    "Everybody bids in secret": say(
        "Everybody bids in secret; 0 means no bid. When all bids are in, they are opened together."
    ),
    "Another round?": say(
        '"Again" starts a new round of sealed bids. "Finish" ends the game and counts the score.'
    ),
}

# The game

GAME = Game(
    "sealed_bid",
    1,
    say("Sealed bid"),
    (2, 12),
    play_rounds,
    OPTIONS,
    question_kinds=("Choose", "Together"),
    scene=build_sealed_bid_scene,
    help=HELP,
    is_trial=True,
)
