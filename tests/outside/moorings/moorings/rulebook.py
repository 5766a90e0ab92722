"""Moorings: ships are bought in open auctions, and sent out in secret for the best freights. 3 to 5 players.

Rulings where the rulebook is silent:
1. Whoever passes pays half of their bid, rounded up; without a bid nothing. The last one pays all of it.
2. Of equal freights it doesn't matter which is taken; no two ships are equal.
3. Coins are covered; what is paid is said aloud. The two ships that everybody is dealt nobody sees but their
   owner until they sail; ships bought at the quay were seen by all.
4. Whoever has no ship left, because people moved it, sits the voyage out.
"""

from __future__ import annotations

from companion.rulebook import (
    Account,
    Card,
    Choose,
    Done,
    Game,
    GameResult,
    Labelled,
    OptionRequirement,
    Piece,
    Raise,
    Read,
    Say,
    ScoreLine,
    Seat,
    Table,
    Together,
    choose_seat,
    rank_seats,
    say,
    say_n,
)

SHIPS_IN_PLAY = {3: 24, 4: 28, 5: 30}
COINS = {3: 18, 4: 18, 5: 14}
DEALT = 2

PILE, QUAY, SEA, BOX = say("pile"), say("quay"), say("sea"), say("box")
HAND, OWN, HOLD = say("hand"), say("dealt"), say("hold")
OFFICE, DESK = say("freight office"), say("desk")
PURSE, BANK = say("purse"), say("bank")
SHIP = Piece("ship", say("ship"), look="card", count_label=say_n("{n} ship", "{n} ships", n=2))
FREIGHT = Piece("freight", say("freight"), look="card", count_label=say("{n} freight", n=2))
COIN = Piece("coin", say("coin"), look="coin", count_label=say_n("{n} coin", "{n} coins", n=2))
OWN_SHIP = "own"


class Board:
    """What lies on the table, and what can be read off it."""

    def __init__(self, table: Table) -> None:
        self.table, self.seats = table, table.seats
        self.ships, self.freights = table.track_faces("moorings"), table.track_faces("moorings_freights")
        count = SHIPS_IN_PLAY[len(table.seats)]
        self.voyages = count // len(table.seats)
        self.pile = table.supply_from_box(table.account(SHIP, PILE), count)
        self.quay, self.sea = table.account(SHIP, QUAY), table.account(SHIP, SEA)
        self.hands, self.dealt = table.account_by_seat(SHIP, HAND), table.account_by_seat(SHIP, OWN)
        self.office = table.supply_from_box(table.account(FREIGHT, OFFICE), count)
        self.desk, self.holds = table.account(FREIGHT, DESK), table.account_by_seat(FREIGHT, HOLD)
        table.supply_from_box(table.account(SHIP, BOX), len(self.ships.deck.cards) - count)
        table.supply_from_box(table.account(FREIGHT, BOX), len(self.freights.deck.cards) - count)
        self.purses = {seat: table.covered_account(COIN, PURSE, seat) for seat in table.seats}
        self.bank = table.covered_account(COIN, BANK)
        for purse in self.purses.values():
            table.supply_from_box(purse, COINS[len(table.seats)])

    def lying(self, account: Account) -> list[Card]:
        """The cards that lie open there, the lowest first; no more than there are."""
        faces = self.ships if account.piece == SHIP else self.freights
        return sorted(faces.known_cards_at(account.place), key=value)[: max(0, account.count)]

    def pay(self, seat: Seat, amount: int) -> None:
        """Coins go to the bank, as far as there are any."""
        self.table.move_up_to(self.purses[seat], self.bank, amount)

    def freight(self, seat: Seat) -> int:
        """What the freights in a seat's hold bring."""
        return sum(map(value, self.freights.known_cards_at(self.holds[seat].place)))


def value(card: Card) -> int:
    """The number of a ship, or what a freight brings."""
    return int(card.values["number"])


async def match(table: Table) -> GameResult:
    """All ships are bought, then all of them sail."""
    board = Board(table)
    table.score_so_far = lambda: score(board, coins=False)
    opener = await choose_seat(say("Who opens the first auction?"), table.seats)
    await Done(None, say("Deal {count} ships each, face down.", count=DEALT), shuffled_pieces=(SHIP,))
    for seat in table.seats:
        table.move(board.pile, board.dealt[seat], DEALT)
    for number in range(1, board.voyages - DEALT + 1):
        table.heading = say("Auction {number}", number=number)
        opener = await auction(board, opener, number)
    for number in range(1, board.voyages + 1):
        table.heading = say("Voyage {number}", number=number)
        await voyage(board, number)
    return score(board, coins=True)


async def auction(board: Board, opener: Seat, number: int) -> Seat:
    """As many ships as seats: whoever passes takes the lowest; the last one takes the best and opens next."""
    for at in range(1, min(len(board.seats), board.pile.count) + 1):
        question = say("Auction {number}: turn up ship {at}", number=number, at=at)
        ships = await Read(None, question, board.ships, 1, 1, is_face_up=True)
        board.ships.move_cards_openly(ships or (), board.pile, board.quay)
    about = Piece(f"auction {number}", say("auction {number}", number=number))
    bids: dict[Seat, int] = {}
    still = list(board.seats.starting_with(opener))
    while len(still) > 1:
        seat = still.pop(0)
        bid = await Raise(seat, about, dict(bids), still_bidding=(seat, *still), paid_from=board.purses[seat])
        if bid is None:
            paid = bids.get(seat, 0)
            take(board, seat, paid - paid // 2)
        else:
            bids[seat] = bid
            still.append(seat)
    take(board, still[0], bids.get(still[0], 0))
    return still[0]


def take(board: Board, seat: Seat, price: int) -> None:
    """The lowest ship at the quay goes to a seat, and its price to the bank."""
    board.pay(seat, price)
    for ship in board.lying(board.quay)[:1]:
        board.ships.move_cards_openly([ship], board.quay, board.hands[seat])
        board.table.add_note(say("{seat} takes {ship} for {price}.", seat=seat, ship=ship, price=price))


async def voyage(board: Board, number: int) -> None:
    """As many freights as seats: the highest ship that sails takes the best."""
    for at in range(1, min(len(board.seats), board.office.count) + 1):
        question = say("Voyage {number}: turn up freight {at}", number=number, at=at)
        freights = await Read(None, question, board.freights, 1, 1, is_face_up=True)
        board.freights.move_cards_openly(freights or (), board.office, board.desk)
    sailing = await sail(board, number)
    waiting = board.lying(board.desk)
    for seat in sorted(sailing, key=lambda seat: value(sailing[seat]), reverse=True):
        if waiting:
            freight = waiting.pop()
            board.freights.move_cards_openly([freight], board.desk, board.holds[seat])
            text = say("{seat}'s {ship} brings {freight}.", seat=seat, ship=sailing[seat], freight=freight)
            board.table.add_note(text)


async def sail(board: Board, number: int) -> dict[Seat, Card]:
    """Who sends which ship, chosen in secret; one that was dealt is shown by its owner."""
    question = say("Voyage {number}: which ship sails?", number=number)
    fleets = {seat: board.lying(board.hands[seat]) for seat in board.seats}
    parts = {seat: fleet_choice(board, seat, question, fleets[seat]) for seat in board.seats}
    asked = {seat: part for seat, part in parts.items() if part.legal_option_keys}
    chosen = await Together(say("Voyage {number}", number=number), dict(asked)) if asked else {}
    sailing: dict[Seat, Card] = {}
    for seat, key in chosen.items():
        known = [ship for ship in fleets[seat] if str(value(ship)) == key]
        source = board.hands[seat] if known else board.dealt[seat]
        shown = known or await Read(
            seat, say("Voyage {number}: show your ship", number=number), board.ships, 1, 1, is_face_up=True
        )
        for ship in shown or ():
            board.ships.move_cards_openly([ship], source, board.sea)
            sailing[seat] = ship
    return sailing


def fleet_choice(board: Board, seat: Seat, question: Say, fleet: list[Card]) -> Choose:
    """One of the ships that a seat bought, or one that it was dealt."""
    options: dict[str, Labelled] = {str(value(ship)): ship for ship in fleet}
    options[OWN_SHIP] = say("A ship I was dealt")
    none = say("{seat} has no such ship any more.", seat=seat)
    needs = {OWN_SHIP: OptionRequirement(board.dealt[seat], 1, none)}
    return Choose(seat, question, options, needs, board.ships.deck)


def score(board: Board, *, coins: bool) -> GameResult:
    """What the freights bring, and in the end a point for each coin left."""

    def lines(seat: Seat) -> tuple[ScoreLine, ...]:
        freight = ScoreLine(say("freights"), board.freight(seat))
        left = ScoreLine(say("coins left"), board.purses[seat].count)
        return (freight, left) if coins else (freight,)

    return rank_seats(board.seats, lambda seat: sum(line.value for line in lines(seat)), lines)


GAME = Game(
    "moorings",
    1,
    say("Moorings"),
    (3, 5),
    match,
    decks=("moorings", "moorings_freights"),
    question_kinds=("Choose", "Done", "Raise", "Read", "Together"),
)
