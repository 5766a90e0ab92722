"""Bidders!: two auctions at once in which workers are bid, and come home slowly. 3 to 5 players.

Design: Kei Kajino, 2015. Six phases, two auctions and twelve rulings: a little longer than 300 lines.
What lies where is told by `board.py`.

Rulings:
1. The table chooses the first start player, and again where nobody has the marker.
2. Whoever bids on black moves $1 or more to white, the first bidder too; with $0 left nobody can.
3. The holder of a bid marker is passed for; that counts like any other pass.
4. Somebody without a legal bid is asked all the same, with pass as the only option.
5. A neighbour without workers bids 0 for the cooperation without being asked.
6. The black card's winner may bid for the cooperation with the workers left on the guild card.
7. Equal bids for the cooperation above 0 are won by the left neighbour of the white card's winner.
8. A white card without cooperation lies in one stack with the black cards in front of its winner.
9. Recovery takes one worker from each of three places, not from each card; an edge has a stack for each.
10. A white card's popularity counts in full for both players between whom it lies.
11. Popularity rank 4 or worse is out, with 3 players rank 3; those out are ranked by money, too.
12. Won cards lie face down, also for their owners; no sum that includes them is shown before the end.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from companion.games.bidders.board import (
    BANK,
    CARD,
    CARDS,
    DOLLAR,
    FRONT,
    MARKER,
    WORKERS,
    Board,
    Project,
    Spot,
    around,
    between,
    filled,
    nearest,
    neighbours,
)
from companion.games.bidders.help import HELP
from companion.games.bidders.scene import scene
from companion.rulebook import (
    BOX,
    Amount,
    Card,
    Choose,
    Deck,
    DetailedOption,
    Done,
    Game,
    GameResult,
    Labelled,
    OptionRequirement,
    Read,
    Say,
    ScoreLine,
    Seat,
    Table,
    Together,
    UserError,
    ask_until_all_pass,
    choose_seat,
    competition_ranks,
    highest_bidders,
    rank_seats,
    say,
    say_list,
    say_n,
)

ROUNDS = 10
BOXED = 2
LAST_RANK_IN = {3: 2, 4: 3, 5: 3}
EXAMPLE_SLOTS, EXAMPLE_SUMS = 8, {"hearts": 5, "dollars": 6}


def popularity_ranks(popularity: Mapping[Seat, int]) -> dict[Seat, int]:
    """Equals share a rank, the next is skipped."""
    return dict(zip(popularity, competition_ranks(list(popularity.values())), strict=True))


def eliminated(places: Mapping[Seat, int]) -> list[Seat]:
    """Whose popularity rank is too low to win."""
    return [seat for seat, place in places.items() if place > LAST_RANK_IN[len(places)]]


async def match(table: Table) -> GameResult:
    """Ten rounds; then popularity decides who stays in, and money who wins."""
    board = Board(table)
    table.score_so_far = lambda: standings(board)
    table.start_player = await choose_start(board)
    await Done(
        None,
        say("Shuffle the cards by colour, put {count} of each back unseen; all take {workers} workers.",
            count=BOXED, workers=WORKERS[len(table.seats)]),
        shuffled_pieces=tuple(CARD.values()),
    )  # fmt: skip  # one sentence
    for project in board.projects:
        table.move_up_to(project.deck, table.account(project.piece, BOX), BOXED)
    while board.round.count < ROUNDS and all(project.deck.count for project in board.projects):
        await play_round(board)
    return score(board)


async def choose_start(board: Board) -> Seat:
    """The table says who is start player."""
    first = await choose_seat(say("Who is the start player?"), board.seats)
    board.appoint(first)
    return first


async def play_round(board: Board) -> None:
    """The six phases of a round."""
    table = board.table
    table.add_markers(board.round)
    await prepare(board)
    start = board.start or await choose_start(board)
    await ask_until_all_pass(board.seats.starting_with(start), lambda seat: turn(board, seat))
    for project in board.projects:
        take_chips(board, project)
    await cooperation(board)
    if board.round.count > 1:
        recover(board)
    end_round(board)


async def prepare(board: Board) -> None:
    """A card of each colour is turned up; the bank puts the opening dollars under the black one."""
    table, count = board.table, board.round.count
    table.heading = say("Round {round} of {rounds}", round=count, rounds=ROUNDS)
    for project in board.projects:
        question = say("Round {round}: turn up the {card}", round=count, card=project.piece)
        cards = await Read(None, question, board.faces, 1, 1, required_values={"colour": project.colour})
        assert cards is not None
        table.move_up_to(project.deck, project.turned, 1)
        board.faces.show(cards, project.place)
    table.move(table.account(DOLLAR, BANK), board.black.dollars, board.black.printed("start"))


async def turn(board: Board, seat: Seat) -> bool:
    """A bid on one of the cards, or a pass; gives whether it was a bid."""
    for project in board.projects:
        if project.bidder == seat:
            board.table.add_note(
                say("{seat} has the {marker} and passes.", seat=seat, marker=MARKER[project.colour])
            )
            return False
    question = say("Round {round}: bid on a card, or pass", round=board.round.count)
    least, few = legal(board, seat), say("{seat} doesn't have enough workers for that.", seat=seat)
    options = {one.colour: offer(one, least, few) for one in board.projects if one.cards}
    needs = {key: OptionRequirement(board.guilds[seat], count, few) for key, count in least.items()}
    options["pass"] = DetailedOption(say("pass"), is_way_out=True)
    about = (board.white.place, board.black.place)
    choice = await Choose(seat, question, dict(options), needs, about=about)
    if choice == "white":
        await bid_white(board, seat)
    if choice == "black":
        await bid_black(board, seat)
    return choice != "pass"


def offer(project: Project, least: Mapping[str, int], few: Say) -> DetailedOption:
    """The card as a key: what a bid on it takes, or why there can be none."""
    cant = None if project.colour in least else few
    if project.colour == "white":
        takes = say_n("{n} worker or more", "{n} workers or more", project.placed + 1)
    else:
        takes = say_n("{n} worker", "{n} workers", project.printed("crew"))
        if not project.dollars.count:
            cant = say("There are no dollars left under the black card.")
    return DetailedOption(
        project.piece.label, project.piece, project.cards[0], note=takes, barred_reason=cant
    )


def legal(board: Board, seat: Seat) -> dict[str, int]:
    """The auctions in which a seat can bid, and how many workers that takes at least."""
    held, white, black = board.guilds[seat].count, board.white, board.black
    least: dict[str, int] = {}
    if held > white.placed:
        least["white"] = white.placed + 1
    if black.cards and black.dollars.count and held >= black.printed("crew"):
        least["black"] = black.printed("crew")
    return least


async def bid_white(board: Board, seat: Seat) -> None:
    """More workers than lie on the card now."""
    white = board.white
    number = board.round.count
    question = say("Round {round}: how many workers do you place on the white card?", round=number)
    logged = say("Round {round}: your workers on the white card", round=number)
    least, most = white.placed + 1, board.guilds[seat]
    white.bid(seat, await Amount(seat, question, least, most, about=white.place, log_name=logged))


async def bid_black(board: Board, seat: Seat) -> None:
    """$1 or more from under black to under white, and exactly the crew."""
    black, crew = board.black, board.black.printed("crew")
    number = board.round.count
    question = say(
        "Round {round}: how many dollars do you move from the black card to the white card?", round=number
    )
    logged = say("Round {round}: dollars from the black card to the white card", round=number)
    cards = (black.place, board.white.place)
    dollars = await Amount(seat, question, 1, black.dollars, about=cards, log_name=logged)
    board.table.move(black.dollars, board.white.dollars, dollars)
    black.bid(seat, crew)


def take_chips(board: Board, project: Project) -> None:
    """The winner takes the dollars under the card; if there is none, all goes back where it came from."""
    table, winner, dollars = board.table, project.bidder, project.dollars
    if winner is None:
        text = "Nobody bids on the {card}. Put the card in the box and its ${dollars} in the bank."
        table.add_note(say(text, card=project.piece, dollars=dollars.count))
        project.to_box()
    else:
        text = "{seat} wins the {card} and takes ${dollars}."
        table.add_note(say(text, seat=winner, card=project.piece, dollars=dollars.count))
        table.move_all(dollars, board.chips[winner])


async def cooperation(board: Board) -> None:
    """The neighbours of the white card's winner bid in secret for a share of it."""
    winner = board.white.bidder
    if winner is None:
        return
    beside = neighbours(board.seats, winner)
    made = await cooperative_bids(board, beside)
    bids = {seat: made.get(seat, 0) for seat in beside}
    best = highest_bidders(bids)
    if not best:
        board.table.add_note(say("Nobody cooperates with {seat}.", seat=winner))
        return
    partner = best[0]
    board.table.add_note(say("{partner} cooperates with {seat}.", partner=partner, seat=winner))
    board.table.declare_winners([partner])
    board.table.move(board.guilds[partner], board.white.workers[partner], bids[partner])


async def cooperative_bids(board: Board, beside: Iterable[Seat]) -> Mapping[Seat, int]:
    """What those bid who have workers."""
    count = board.round.count
    question = say("Round {round}: how many workers do you bid on the cooperation? 0 is no bid.", round=count)
    parts = {
        seat: Amount(seat, question, 0, board.guilds[seat]) for seat in beside if board.guilds[seat].count
    }
    asked, known = (
        say("Round {round}: everybody bids in secret", round=count),
        say("Round {round}: cooperation", round=count),
    )
    return await Together(asked, dict(parts), about=board.white.place, log_name=known) if parts else {}


def recover(board: Board) -> None:
    """Everybody takes back one worker from each place; those bid in this round don't lie there yet."""
    table, sums = board.table, list[Labelled]()
    for seat in board.seats:
        stacks = [board.stack(seat, spot) for spot in around(board.seats, seat)]
        back = [stack for stack in stacks if stack.count]
        for stack in back:
            table.move(stack, board.guilds[seat])
        if back:
            sums.append(say("{amount} by {seat}", seat=seat, amount=len(back)))
    if sums:
        table.add_note(say("Take back one worker from each place: {workers}.", workers=say_list(sums)))


def end_round(board: Board) -> None:
    """Won cards are laid face down with their workers; where the white one lies decides who starts next."""
    lay_white(board)
    if board.black.bidder:
        board.black.lay(Spot(FRONT, board.black.bidder))
    for project in board.projects:
        board.table.move_only_piece(project.marker)
    if board.start and board.round.count < ROUNDS:
        board.table.add_note(say("{seat} is the next start player.", seat=board.start))


def lay_white(board: Board) -> None:
    """Between its winner and who cooperates, or in front of the winner; and the start player marker moves."""
    table, winner, partner = board.table, board.white.bidder, board.partner
    if winner:
        spot = between(board.seats, winner, partner)
        board.white.lay(spot)
        board.appoint(nearest(board.seats, spot))
        if partner:
            text = "The white card is now face down between {seat} and {partner}."
            table.add_note(say(text, seat=winner, partner=partner))
        else:
            table.add_note(say("The white card is now face down in front of {seat}.", seat=winner))
    elif board.start:
        board.appoint(board.seats.starting_after(board.start)[0])


def score(board: Board) -> GameResult:
    """Won cards are turned up, workers on them go to the box; then popularity, then money."""
    table = board.table
    for spot in board.spots:
        board.faces.show(board.faces.cards_at(spot.face_down), spot.place, at=(spot.face_down,))
        for seat in board.seats:
            table.move_all(board.stack(seat, spot), table.account(board.guilds[seat].piece, BOX))
    popularity = {seat: board.popularity(seat) for seat in board.seats}
    places = popularity_ranks(popularity)
    for seat in eliminated(places):
        text = "{seat} is out: popularity {popularity}, rank {rank}."
        table.add_note(say(text, seat=seat, popularity=popularity[seat], rank=places[seat]))
    return standings(board)


def standings(board: Board) -> GameResult:
    """Most money first, of those whose popularity keeps them in."""
    places = popularity_ranks({seat: board.popularity(seat) for seat in board.seats})
    out = eliminated(places)
    text = "eliminated: popularity {popularity}, rank {rank}"
    return rank_seats(
        board.seats,
        board.money,
        lambda seat: score_sheet(board, seat, places[seat]),
        out=out,
        why=lambda seat: (
            say(text, popularity=board.popularity(seat), rank=places[seat]) if seat in out else None
        ),
    )


def _look(card: Card) -> Say:
    """A card by its colour: its popularity stands beside it, and its code tells nobody anything."""
    return CARD[str(card.values["colour"])].label


def score_sheet(board: Board, seat: Seat, place: int) -> tuple[ScoreLine, ...]:
    """For information popularity card by card and its rank, which keeps in or out; the money counts."""
    return (
        *[
            ScoreLine(_look(card), int(card.values["popularity"]), is_part_of_total=False)
            for card in board.won(seat)
        ],
        ScoreLine(say("hearts on the guild card"), board.hearts(seat), is_part_of_total=False),
        ScoreLine(say("popularity"), board.popularity(seat), is_part_of_total=False),
        ScoreLine(say("popularity rank"), place, is_part_of_total=False),
        ScoreLine(say("chips"), board.chips[seat].count),
        ScoreLine(say("dollars on the guild card"), board.earned(seat)),
    )


def check_deck(deck: Deck) -> list[Say]:
    """Warns where a guild card differs from the rulebook's example; raises `UserError` for what can't be."""
    for colour in CARD:
        held = sum([design.copies for design in deck.designs if design.values["colour"] == colour])
        if held != CARDS:
            text = "The number of cards of colour {colour} must be {count}, not {held}."
            raise UserError(say(text, count=CARDS, colour=colour, held=held))
    sums = {name: filled(deck.board[name], EXAMPLE_SLOTS) for name in EXAMPLE_SUMS}
    odd = "{name}: slots 1 to {slots} add up to {sum}. In the rulebook's example they add up to {expected}."
    return [
        say(odd, name=name, slots=EXAMPLE_SLOTS, sum=sums[name], expected=expected)
        for name, expected in EXAMPLE_SUMS.items()
        if sums[name] != expected
    ]


GAME = Game(
    "bidders",
    1,
    say("Bidders!"),
    (3, 5),
    match,
    decks=("bidders",),
    check_deck=check_deck,
    question_kinds=("Choose", "Amount", "Read", "Done", "Together"),
    scene=scene,
    help=HELP,
)
