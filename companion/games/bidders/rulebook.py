"""Bidders!: two auctions at once in which workers are bid, and come home slowly. 3 to 5 players.

Design: Kei Kajino, 2015. `board.py` says where the pieces are.

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
    CARD_BY_COLOUR,
    CARDS_PER_COLOUR,
    CHIPS,
    DECK,
    DOLLAR,
    EDGE,
    FRONT,
    GUILD,
    MARKER_BY_COLOUR,
    PROJECT_PLACE_NAME_BY_COLOUR,
    ROUND_MARKER,
    ROUND_TRACK,
    START_PLAYER_MARKER,
    WORKERS_PER_SEAT,
    Board,
    Project,
    WonCardSpot,
    first_seat_clockwise_from,
    left_and_right_neighbour,
    make_worker_piece,
    spots_of_seat,
    sum_of_filled_slots,
    white_card_spot,
)
from companion.rulebook import (
    BOX,
    Amount,
    Card,
    CardPile,
    CardSpread,
    Choose,
    CountCell,
    Deck,
    DetailedOption,
    Done,
    Game,
    GameResult,
    Labelled,
    MiddlePart,
    OptionRequirement,
    PieceRow,
    ProgressTrack,
    Read,
    Say,
    Scene,
    SceneSetup,
    ScoreLine,
    Seat,
    SeatBadge,
    SeatMat,
    Table,
    Together,
    UserError,
    ask_until_all_others_pass,
    choose_seat,
    competition_ranks,
    highest_bidders,
    rank_seats,
    say,
    say_amount_of,
    say_list,
    say_n,
)

ROUNDS = 10
CARDS_PER_COLOUR_PUT_IN_BOX = 2
MAX_POPULARITY_RANK_TO_STAY_IN = {3: 2, 4: 3, 5: 3}
EXAMPLE_SLOT_COUNT, EXAMPLE_SUM_BY_NAME = 8, {"hearts": 5, "dollars": 6}


def popularity_ranks(popularity_by_seat: Mapping[Seat, int]) -> dict[Seat, int]:
    """Returns the popularity rank of each seat; after a shared rank the next rank is skipped."""
    return dict(zip(popularity_by_seat, competition_ranks(list(popularity_by_seat.values())), strict=True))


def seats_eliminated_by_popularity(rank_by_seat: Mapping[Seat, int]) -> list[Seat]:
    """Returns the seats whose popularity rank is too low to win."""
    return [
        seat
        for seat, rank in rank_by_seat.items()
        if rank > MAX_POPULARITY_RANK_TO_STAY_IN[len(rank_by_seat)]
    ]


async def play_match(table: Table) -> GameResult:
    """Plays ten rounds; then popularity decides who stays in, and money who wins."""
    board = Board(table)
    table.score_so_far = lambda: standings(board)
    table.start_player = await ask_and_mark_start_player(board)
    await Done(
        None,
        say("Shuffle the cards by colour, put {count} of each back unseen; all take {workers} workers.",
            count=CARDS_PER_COLOUR_PUT_IN_BOX, workers=WORKERS_PER_SEAT[len(table.seats)]),
        shuffled_pieces=tuple(CARD_BY_COLOUR.values()),
    )  # fmt: skip  # one sentence
    for project in board.projects:
        table.move_up_to(project.deck, table.account(project.piece, BOX), CARDS_PER_COLOUR_PUT_IN_BOX)
    while board.round.count < ROUNDS and all(project.deck.count for project in board.projects):
        await play_round(board)
    table.ending = say("Round {round} was the last.", round=board.round.count)
    return reveal_cards_and_score(board)


async def ask_and_mark_start_player(board: Board) -> Seat:
    """Asks the table who is the start player, and gives this seat the marker."""
    start_player = await choose_seat(say("Who is the start player?"), board.seats)
    board.appoint_start_player(start_player)
    board.table.add_note(say("{seat} is the start player.", seat=start_player))
    return start_player


async def play_round(board: Board) -> None:
    """Plays the six phases of a round."""
    table = board.table
    table.add_markers(board.round)
    await turn_up_project_cards(board)
    start_player = board.start_player or await ask_and_mark_start_player(board)
    await ask_until_all_others_pass(
        board.seats.starting_with(start_player), lambda seat: ask_bid_or_pass(board, seat)
    )
    for project in board.projects:
        give_dollars_or_discard_project(board, project)
    await auction_cooperation(board)
    if board.round.count > 1:
        recover_one_worker_per_spot(board)
    place_won_cards(board)


async def turn_up_project_cards(board: Board) -> None:
    """Turns up a card of each colour and puts the opening dollars under the black one."""
    table, round_number = board.table, board.round.count
    table.heading = say("Round {round} of {rounds}", round=round_number, rounds=ROUNDS)
    for project in board.projects:
        question = say("Round {round}: turn up the {card}", round=round_number, card=project.piece)
        cards = await Read(None, question, board.faces, 1, 1, required_values={"colour": project.colour})
        assert cards is not None
        table.move_up_to(project.deck, project.upturned_account, 1)
        board.faces.move_faces(cards, project.place)
    table.move(table.account(DOLLAR, BANK), board.black.dollars, board.black.printed_number("start"))


async def ask_bid_or_pass(board: Board, seat: Seat) -> bool:
    """Asks for a bid on one of the cards, or a pass; returns True for a bid."""
    for project in board.projects:
        if project.best_bidder == seat:
            board.table.add_note(
                say("{seat} has the {marker} and passes.", seat=seat, marker=MARKER_BY_COLOUR[project.colour])
            )
            return False
    question = say("Round {round}: bid on a card, or pass", round=board.round.count)
    min_workers_by_colour = min_workers_for_bid_by_project_colour(board, seat)
    too_few_reason = say("Not enough workers.")
    options = {
        project.colour: make_project_option(project, min_workers_by_colour, too_few_reason)
        for project in board.projects
        if project.upturned_cards
    }
    requirements = {
        key: OptionRequirement(board.guild_workers_by_seat[seat], count, too_few_reason)
        for key, count in min_workers_by_colour.items()
    }
    options["pass"] = DetailedOption(say("pass"), is_decline_option=True)
    project_places = (board.white.place, board.black.place)
    choice = await Choose(seat, question, dict(options), requirements, about=project_places)
    if choice == "white":
        await ask_white_bid(board, seat)
    if choice == "black":
        await ask_black_bid(board, seat)
    return choice != "pass"


def make_project_option(
    project: Project, min_workers_by_colour: Mapping[str, int], too_few_reason: Say
) -> DetailedOption:
    """Returns a project card as an option: what a bid on it takes, or why no bid is possible."""
    barred_reason = None if project.colour in min_workers_by_colour else too_few_reason
    if project.colour == "white":
        workers_needed = say_n("{n} worker or more", "{n} workers or more", project.placed_worker_count + 1)
    else:
        workers_needed = say_n("{n} worker", "{n} workers", project.printed_number("crew"))
        if not project.dollars.count:
            barred_reason = say("There are no dollars left under the black card.")
    return DetailedOption(
        project.piece.label,
        project.piece,
        project.upturned_cards[0],
        note=workers_needed,
        barred_reason=barred_reason,
        place=project.place,
    )


def min_workers_for_bid_by_project_colour(board: Board, seat: Seat) -> dict[str, int]:
    """Returns the fewest workers for a bid, by colour of the project; only where the seat has that many."""
    worker_count, white, black = board.guild_workers_by_seat[seat].count, board.white, board.black
    min_workers_by_colour: dict[str, int] = {}
    if worker_count > white.placed_worker_count:
        min_workers_by_colour["white"] = white.placed_worker_count + 1
    if black.upturned_cards and worker_count >= black.printed_number("crew"):
        min_workers_by_colour["black"] = black.printed_number("crew")
    return min_workers_by_colour


async def ask_white_bid(board: Board, seat: Seat) -> None:
    """Asks for a bid on the white card, with more workers than are on it, and places it."""
    white = board.white
    round_number = board.round.count
    question = say("Round {round}: how many workers do you place on the white card?", round=round_number)
    log_name = say("Round {round}: your workers on the white card", round=round_number)
    workers = await Amount(
        seat,
        question,
        white.placed_worker_count + 1,
        board.guild_workers_by_seat[seat],
        about=white.place,
        log_name=log_name,
    )
    white.place_higher_bid(seat, workers)
    board.table.add_note(
        say_n(
            "{seat} places {n} worker on the {card}.",
            "{seat} places {n} workers on the {card}.",
            n=workers,
            seat=seat,
            card=white.piece,
        )
    )


async def ask_black_bid(board: Board, seat: Seat) -> None:
    """Asks for a bid on the black card, and places it.

    The bid takes exactly the crew, and moves $1 or more from the black card to the white card.
    """
    black, crew = board.black, board.black.printed_number("crew")
    round_number = board.round.count
    question = say(
        "Round {round}: how many dollars do you move from the black card to the white card?",
        round=round_number,
    )
    log_name = say("Round {round}: dollars from the black card to the white card", round=round_number)
    project_places = (black.place, board.white.place)
    dollars = await Amount(seat, question, 1, black.dollars, about=project_places, log_name=log_name)
    board.table.move(black.dollars, board.white.dollars, dollars)
    black.place_higher_bid(seat, crew)
    text = "{seat} bids on the {card} and moves ${dollars} to the white card."
    board.table.add_note(say(text, seat=seat, card=black.piece, dollars=dollars))


def give_dollars_or_discard_project(board: Board, project: Project) -> None:
    """Gives the winner the dollars under the card; without a winner, discards the card."""
    table, winner, dollars = board.table, project.best_bidder, project.dollars
    if winner is None:
        text = "Nobody bids on the {card}. The card goes to the box and its ${dollars} to the bank."
        table.declare_outcome(say(text, card=project.piece, dollars=dollars.count), about=project.piece)
        project.discard_card_and_dollars()
    else:
        text = "{seat} wins the {card} and takes ${dollars}."
        headline = say(text, seat=winner, card=project.piece, dollars=dollars.count)
        table.declare_outcome(headline, [winner], project.piece)
        table.move_all(dollars, board.chips[winner])


async def auction_cooperation(board: Board) -> None:
    """Lets the neighbours of the white card's winner bid in secret for a share of it."""
    winner = board.white.best_bidder
    if winner is None:
        return
    neighbours = left_and_right_neighbour(board.seats, winner)
    entered_bids = await ask_cooperative_bids(board, neighbours)
    bids = {seat: entered_bids.get(seat, 0) for seat in neighbours}
    best_bidders = highest_bidders(bids)
    if not best_bidders:
        board.table.declare_outcome(say("Nobody cooperates with {seat}.", seat=winner))
        return
    partner = best_bidders[0]
    if len(best_bidders) > 1:
        text = "Tie at {bid}: {partner} sits to the left of {seat} and wins the cooperation."
        board.table.add_note(say(text, bid=bids[partner], partner=partner, seat=winner))
    headline = say("{partner} cooperates with {seat}.", partner=partner, seat=winner)
    board.table.declare_outcome(headline, [partner])
    board.table.move(
        board.guild_workers_by_seat[partner], board.white.worker_account_by_seat[partner], bids[partner]
    )


async def ask_cooperative_bids(board: Board, neighbour_seats: Iterable[Seat]) -> Mapping[Seat, int]:
    """Asks the neighbours who have workers for secret bids on the cooperation; returns the bids."""
    round_number = board.round.count
    question = say(
        "Round {round}: how many workers do you bid on the cooperation? 0 is no bid.", round=round_number
    )
    request_by_seat = {
        seat: Amount(seat, question, 0, board.guild_workers_by_seat[seat])
        for seat in neighbour_seats
        if board.guild_workers_by_seat[seat].count
    }
    if not request_by_seat:
        return {}
    group_question = say("Round {round}: the neighbours bid in secret to cooperate", round=round_number)
    log_name = say("Round {round}: cooperation", round=round_number)
    return await Together(group_question, dict(request_by_seat), about=board.white.place, log_name=log_name)


def recover_one_worker_per_spot(board: Board) -> None:
    """Returns one worker of each seat from each of its spots.

    Workers bid in this round aren't at the spots yet.
    """
    table, amounts_taken_back = board.table, list[Labelled]()
    for seat in board.seats:
        stacks = [board.worker_account_at(seat, spot) for spot in spots_of_seat(board.seats, seat)]
        stacks_with_workers = [stack for stack in stacks if stack.count]
        for stack in stacks_with_workers:
            table.move(stack, board.guild_workers_by_seat[seat])
        if stacks_with_workers:
            amounts_taken_back.append(say_amount_of(seat, len(stacks_with_workers)))
    if amounts_taken_back:
        table.declare_outcome(
            say("One worker goes back from each place: {workers}.", workers=say_list(amounts_taken_back))
        )


def place_won_cards(board: Board) -> None:
    """Places won cards face down with their workers, and moves the start player marker.

    The spot of the white card decides who starts next.
    """
    place_white_card_and_start_marker(board)
    if board.black.best_bidder:
        board.black.place_card_face_down(WonCardSpot(FRONT, board.black.best_bidder))
    for project in board.projects:
        board.table.move_single_piece(project.marker)
    if board.start_player and board.round.count < ROUNDS:
        board.table.add_note(say("{seat} is the next start player.", seat=board.start_player))


def place_white_card_and_start_marker(board: Board) -> None:
    """Places the white card and moves the start player marker."""
    table, winner, partner = board.table, board.white.best_bidder, board.cooperation_partner
    if winner:
        spot = white_card_spot(board.seats, winner, partner)
        board.white.place_card_face_down(spot)
        board.appoint_start_player(first_seat_clockwise_from(board.seats, spot))
        if partner:
            text = "The white card is now face down between {seat} and {partner}."
            table.add_note(say(text, seat=winner, partner=partner))
        else:
            table.add_note(say("The white card is now face down in front of {seat}.", seat=winner))
    elif board.start_player:
        board.appoint_start_player(board.seats.starting_after(board.start_player)[0])


def reveal_cards_and_score(board: Board) -> GameResult:
    """Reveals the won cards, moves their workers to the box, and returns the result."""
    table = board.table
    for spot in board.spots:
        board.faces.move_faces(
            board.faces.known_cards_at(spot.place_of_hidden_faces),
            spot.place,
            source_places=(spot.place_of_hidden_faces,),
        )
        for seat in board.seats:
            table.move_all(
                board.worker_account_at(seat, spot),
                table.account(board.guild_workers_by_seat[seat].piece, BOX),
            )
    popularity = {seat: board.total_popularity(seat) for seat in board.seats}
    rank_by_seat = popularity_ranks(popularity)
    for seat in seats_eliminated_by_popularity(rank_by_seat):
        text = "{seat} is out: popularity {popularity}, rank {rank}."
        table.add_note(say(text, seat=seat, popularity=popularity[seat], rank=rank_by_seat[seat]))
    return standings(board)


def standings(board: Board) -> GameResult:
    """Returns the standings, most money first; seats that popularity eliminates come after all others."""
    rank_by_seat = popularity_ranks({seat: board.total_popularity(seat) for seat in board.seats})
    eliminated_seats = seats_eliminated_by_popularity(rank_by_seat)
    text = "eliminated: popularity {popularity}, rank {rank}"
    return rank_seats(
        board.seats,
        board.money_including_guild_card,
        lambda seat: score_lines(board, seat, rank_by_seat[seat]),
        eliminated_seats=eliminated_seats,
        reason_for_seat=lambda seat: (
            say(text, popularity=board.total_popularity(seat), rank=rank_by_seat[seat])
            if seat in eliminated_seats
            else None
        ),
    )


def _describe_card(card: Card) -> Say:
    """Returns a card's colour as its label.

    The popularity stands beside it, and the card's id says nothing to people.
    """
    return CARD_BY_COLOUR[str(card.values["colour"])].label


def score_lines(board: Board, seat: Seat, popularity_rank: int) -> tuple[ScoreLine, ...]:
    """Returns a seat's score lines: money, and for information the popularity and its rank."""
    return (
        *[
            ScoreLine(_describe_card(card), int(card.values["popularity"]), is_part_of_total=False)
            for card in board.cards_won(seat)
        ],
        ScoreLine(
            say("hearts on the guild card"), board.popularity_on_guild_card(seat), is_part_of_total=False
        ),
        ScoreLine(say("popularity"), board.total_popularity(seat), is_part_of_total=False),
        ScoreLine(say("popularity rank"), popularity_rank, is_part_of_total=False),
        ScoreLine(say("chips"), board.chips[seat].count),
        ScoreLine(say("dollars on the guild card"), board.money_on_guild_card(seat)),
    )


def check_deck(deck: Deck) -> list[Say]:
    """Checks the deck and returns warnings; raises `UserError` for wrong values.

    A warning says that a guild card differs from the rulebook.
    """
    for colour in CARD_BY_COLOUR:
        card_count = sum([design.copies for design in deck.designs if design.values["colour"] == colour])
        if card_count != CARDS_PER_COLOUR:
            text = "The number of cards of colour {colour} must be {count}, not {held}."
            raise UserError(say(text, count=CARDS_PER_COLOUR, colour=colour, held=card_count))
    sum_by_name = {
        name: sum_of_filled_slots(deck.board[name], EXAMPLE_SLOT_COUNT) for name in EXAMPLE_SUM_BY_NAME
    }
    warning = (
        "{name}: slots 1 to {slots} add up to {sum}. In the rulebook's example they add up to {expected}."
    )
    return [
        say(warning, name=name, slots=EXAMPLE_SLOT_COUNT, sum=sum_by_name[name], expected=expected)
        for name, expected in EXAMPLE_SUM_BY_NAME.items()
        if sum_by_name[name] != expected
    ]


# The scene


def build_bidders_scene(setup: SceneSetup) -> Scene:
    """Builds the scene of a Bidders match.

    The workers on the guild card are before each seat, and the two projects in the middle.
    """
    workers = tuple([make_worker_piece(seat) for seat in setup.seats])
    cards = tuple(CARD_BY_COLOUR.values())
    projects: tuple[MiddlePart, ...] = tuple(
        [
            CardSpread(
                place, on_top=(PieceRow(place, (MARKER_BY_COLOUR[colour], *workers, DOLLAR)),), label=place
            )
            for colour, place in PROJECT_PLACE_NAME_BY_COLOUR.items()
        ]
    )
    piles = tuple(
        [
            CardPile(CARD_BY_COLOUR[colour], DECK, label=CARD_BY_COLOUR[colour].label)
            for colour in CARD_BY_COLOUR
        ]
    )
    mat = SeatMat(
        headline=CountCell(make_worker_piece, GUILD),
        cells=(CountCell(DOLLAR, CHIPS),),
        badges=(SeatBadge(START_PLAYER_MARKER, GUILD, say("starts")),),
        rows=(
            PieceRow(FRONT, (*cards, *workers), label=say("cards won")),
            PieceRow(EDGE, (*cards, *workers), label=EDGE),
        ),
    )
    return Scene(
        mat, (*projects, ProgressTrack(say("round"), CountCell(ROUND_MARKER, ROUND_TRACK), ROUNDS), *piles)
    )


# Help: the rule behind each question, and what comes next


HELP = {
    "Who is the start player?": say(
        "Choose who bids first. Later the place of the white card decides who starts."
    ),
    "Shuffle the cards by colour, put {count} of each back unseen; all take {workers} workers.": say(
        "Confirm when both decks are shuffled and everybody has their workers. Then turn over the first two "
        "projects."
    ),
    "Round {round}: turn up the {card}": say(
        "Turn over the top card of the deck and show it to the companion. Bidding begins when both projects "
        "are face up."
    ),
    "Round {round}: bid on a card, or pass": say(
        "The most workers win the white card. A black bid needs exactly the card's crew and moves $1 or more "
        "to white. The auction ends when all others pass in a row."
    ),
    "Round {round}: how many workers do you place on the white card?": say(
        "Place more workers than are on the card now. A player who is outbid takes their workers back."
    ),
    "Round {round}: how many dollars do you move from the black card to the white card?": say(
        "Each bid on the black card moves $1 or more to the white card. The last bidder gets the dollars "
        "left under the black card."
    ),
    "Round {round}: the neighbours bid in secret to cooperate": say(
        "The two neighbours of the white card's winner bid workers in secret. 0 means no bid. The higher "
        "bidder shares the card."
    ),
}

# The game

GAME = Game(
    "bidders",
    1,
    say("Bidders!"),
    (3, 5),
    play_match,
    decks=("bidders",),
    check_deck=check_deck,
    question_kinds=("Choose", "Amount", "Read", "Done", "Together"),
    scene=build_bidders_scene,
    help=HELP,
)
