"""Oyakata: a mine, a bag, and people who get discontented. Two rounds of 20 market cards. 2 to 4 players.

This module has the market, the days, payday and the score. The pieces and what is printed are in `board.py`,
the nights in `actions.py`, discontent in `discontent.py`.

Rulings where the rulebook is silent or unclear:
1. The worker track counts the boss, or with `boss_on_track = false` only employees.
2. A market card is turned up each turn, passed turns too, or with `market_per = round` each time round.
3. The turn order goes on from round to round without a break.
4. Mud counts as drawn and goes back once the whole draw is done.
5. The owner picks which chips a bonus or a holiday returns; of a colour the topmost goes.
6. What is in a bag is known, as all that went in and out was seen, but hidden unless `bag_odds` is on.
7. An effect lasts while the seat has chips of its colour, whenever they came; another explosion replaces it.
8. In the turn in which it begins, the running action is finished, an employee's chip for it drawn too;
   then a strike ends the turn and illness stops further employee actions.
9. All accidents of a survey come before any tile is placed; an accident tile isn't shuffled in again before
   its survey is over. A survey is refused only when all tiles of the letter are placed.
10. Payday is clockwise from the start player, one player completely: how many are unpaid is fixed first.
11. `rounds = 1`: no payday, and the last card isn't open before its turn.
12. `discontent = false`: no chips, one night action, the boss's; unpaid wages and accidents have no effect.
13. A tie for any place goes to the fewer chips in the bag, then it is shared.
"""

from __future__ import annotations

from functools import lru_cache

from companion.games.oyakata.actions import (
    bonus_options,
    cost_by_payable_bonus,
    gold_requirements,
    pay_bonus_and_return_chips,
    play_night,
    required_values_of_placeable_tile,
)
from companion.games.oyakata.board import (
    BOARD,
    CARD,
    CENTRE,
    DISCONTENT,
    EFFECT_CHIP_COLOURS,
    FINAL,
    GOLD,
    HOLIDAY_MARKER,
    ILLNESS_MARKER,
    LABEL_BY_COLOUR,
    MARKER_BY_TRACK,
    MARKET,
    MARKET_CARD_COUNT,
    PILE,
    PURSE,
    START_PLAYER_MARKER,
    STORAGE,
    STRIKE_MARKER,
    TILE_BY_LETTER,
    TONIGHT,
    UPTURNED_CARD_PLACE,
    VALUE_ROW_BY_TRACK,
    Board,
    check_deck,
    chip_colour_without_effect,
    count_paid_employees,
    gem_colours,
    make_chip_piece,
    make_gem_piece,
    make_gem_price_marker,
    printed_value_at_level,
)
from companion.games.oyakata.discontent import (
    ask_and_add_discontent_chip,
    ask_and_return_discontent_chips,
    return_chip_per_lasting_effect,
)
from companion.rulebook import (
    Card,
    CardPile,
    ChoiceOption,
    Choose,
    ComputedCell,
    CountCell,
    CountGrid,
    Counts,
    DetailedOption,
    Game,
    GameResult,
    NumberOption,
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
    VisibleTable,
    choose_seat,
    rank_seats,
    say,
    say_list,
    say_n,
)

START_TILES_DRAWN, START_TILES_PLACED = 2, 1
CHIPS_DUG_ON_HOLIDAY = 1

DIG_LABEL, DAY_QUESTION = say("dig"), say("Day: do you dig or take a holiday?")
DAY_LOG_NAME, START_TILE_LOG_NAME = say("Day"), say("Start tile")
DIG_LOG_NAME, HOLIDAY_DIG_LOG_NAME = say("Chips dug"), say("Chips dug on the holiday")
"""Names of questions in logs, from an earlier wording."""
WAGES_REASON = say("wages")


async def play_match(table: Table) -> GameResult:
    """Plays a match of Oyakata and returns the result.

    Every round ends with a payday, except in a game of one round. In the end the richest boss wins.
    """
    board = Board(table)
    table.score_so_far = lambda: standings(board, shows_bags=table.options["bag_odds"] == "true")
    table.start_player = start_player = await choose_seat(say("Who is the start player?"), table.seats)
    table.add_note(say("{seat} is the start player.", seat=start_player))
    for marker_by_seat in (board.start_player_marks, board.turn_marks):
        table.add_markers(marker_by_seat[start_player])
    for seat in table.seats.starting_with(start_player):
        await ask_and_place_start_tile(board, seat)
    while board.round.count < board.rounds:
        await play_round(board)
        if board.wage_per_employee_this_round:
            await pay_everybodys_wages(board, board.wage_per_employee_this_round)
    table.ending = say("Round {round} was the last.", round=board.round.count)
    return standings(board, shows_bags=True)


async def ask_and_place_start_tile(board: Board, seat: Seat) -> None:
    """Asks which A tile a seat places at the start, and places it.

    Two A tiles are drawn without a fee.
    """
    board.draw_tiles(seat, "A", START_TILES_DRAWN)
    tiles = await Read(
        seat,
        say("Draw {drawn} A tiles; place one", drawn=START_TILES_DRAWN),
        board.faces,
        START_TILES_PLACED,
        START_TILES_PLACED,
        required_values=required_values_of_placeable_tile("A"),
        is_face_up=True,
        log_name=START_TILE_LOG_NAME,
    )
    board.place_drawn_tiles_in_tunnel(seat, "A", tiles or ())


# The market


async def play_round(board: Board) -> None:
    """Plays one round.

    A round has twenty market cards, each for one turn or for a turn of everybody.
    """
    options = board.table.options
    board.table.add_markers(board.round)
    round_number = board.round.count
    board.table.heading = say("Round {round}", round=round_number)
    if not board.market_pile.count:
        board.reshuffle_market_cards()
        board.table.add_note(say("The market cards are shuffled: round {round} begins.", round=round_number))
        if options["final_price"] == "open":
            await turn_up_bottom_market_card(board, round_number)
    turns_per_card = len(board.seats) if options["market_per"] == "round" else 1
    while board.market_pile.count or board.last_card_account.count:
        await turn_up_next_market_card(board)
        for _ in range(turns_per_card):
            await play_day_and_night(board)


async def turn_up_bottom_market_card(board: Board, round_number: int) -> None:
    """Turns up the bottom card at the start, so that everybody knows the final price."""
    question = say("Round {round}: turn over the bottom market card", round=round_number)
    card = await read_market_card(
        board, question, say("Round {round}: the bottom market card", round=round_number)
    )
    board.table.move(board.market_pile, board.last_card_account)
    board.show_market_card(card, board.final_price_markers)


async def turn_up_next_market_card(board: Board) -> None:
    """Turns up the next market card; the last one may be face up already."""
    round_number, card_number = board.round.count, board.upturned_account.count + 1
    if not board.market_pile.count:
        board.apply_last_market_card()
        board.table.add_note(say("The bottom market card shows today's prices."))
        return
    question = say("Round {round}: turn over market card {n}", round=round_number, n=card_number)
    log_name = say("Round {round}: market card {n}", round=round_number, n=card_number)
    card = await read_market_card(board, question, log_name)
    board.table.move(board.market_pile, board.upturned_account)
    board.show_market_card(card, board.price_markers_today)


async def read_market_card(board: Board, question: Say, log_name: Say) -> Card:
    """Asks for a market card that hasn't been turned up in this round."""
    required_values = {"kind": "market"}
    cards = await Read(
        None, question, board.faces, 1, 1, required_values=required_values, is_face_up=True, log_name=log_name
    )
    assert cards is not None
    return cards[0]


# A turn


async def play_day_and_night(board: Board) -> None:
    """Plays day and night of the seat that has the turn; nothing in a strike."""
    seat = board.mark_holder(board.turn_marks)
    board.show_turn_heading(seat)
    return_chip_per_lasting_effect(board, seat)
    if board.suffers_effect(seat, "black"):
        board.table.add_note(say("Strike: no employee works, so {seat} misses this turn.", seat=seat))
    else:
        await play_day(board, seat)
        await play_night(board, seat)
    board.end_turn(seat)


async def play_day(board: Board, seat: Seat) -> None:
    """Plays the day of a seat: digging or a holiday.

    Before that, the boss may pay as many bonuses as the boss likes.
    """
    while True:
        price_by_bonus = cost_by_payable_bonus(board, seat)
        max_chips = min(max_chips_to_dig(board, seat), board.free_gem_storage(seat))
        options = {**digging_and_holiday_options(max_chips), **bonus_options(price_by_bonus)}
        choice = await Choose(
            seat, DAY_QUESTION, options, gold_requirements(board, seat, price_by_bonus), log_name=DAY_LOG_NAME
        )
        if choice not in price_by_bonus:
            break
        await pay_bonus_and_return_chips(board, seat, choice)
    if choice == "holiday":
        board.table.add_markers(board.holidays[seat])
        board.table.add_note(say("{seat} takes a holiday.", seat=seat))
        await ask_and_move_dug_chips(
            board,
            seat,
            CHIPS_DUG_ON_HOLIDAY,
            say("Holiday: you may draw one chip. What did you draw?"),
            HOLIDAY_DIG_LOG_NAME,
        )
        await ask_and_return_discontent_chips(
            board, seat, board.track_value(seat, "dormitory"), HOLIDAY_MARKER.label
        )
        return
    await ask_and_move_dug_chips(
        board,
        seat,
        max_chips_to_dig(board, seat),
        say("Draw chips from your bag. What did you draw?"),
        DIG_LOG_NAME,
    )
    if not board.suffers_effect(seat, "blue"):
        await ask_and_add_discontent_chip(board, seat, DIG_LABEL)


@lru_cache
def digging_and_holiday_options(max_chips: int) -> dict[str, DetailedOption]:
    """Returns the options of a day without the bonuses: digging, or a holiday."""
    dig = DetailedOption(say("Dig"), gain=say("up to {count}", count=max_chips), emblem="⛏")
    return {"dig": dig, "holiday": DetailedOption(say("Holiday"), emblem="🏖")}


def max_chips_to_dig(board: Board, seat: Seat) -> int:
    """Returns the largest number of chips that a seat can dig, whatever its storage has room for.

    The boss, each working employee and each step of skill add one chip.
    """
    workers = 0 if board.suffers_effect(seat, "blue") else board.employee_count(seat)
    return 1 + workers + board.track_level(seat, "digging")


async def ask_and_move_dug_chips(
    board: Board, seat: Seat, max_chips: int, question: Say, log_name: Say
) -> None:
    """Asks which chips were dug, and moves them: soil to the centre, gems to the storage.

    Mud stays in the bag: it goes back at once. No more chips are dug than the storage has room for.
    """
    max_chips = min(max_chips, board.free_gem_storage(seat))
    if not max_chips:
        board.table.add_note(say("{seat}'s storage is full, so {seat} can't dig.", seat=seat))
        return
    bag = board.bags[seat]
    dug_counts = await Counts(
        seat, question, board.item_by_bag_content[seat], 0, max_chips, log_name=log_name
    )
    assert dug_counts is not None
    board.table.move(bag["soil"], board.centre["soil"], dug_counts["soil"])
    for colour, stored in board.gems_in_storage[seat].items():
        board.table.move(bag[colour], stored, dug_counts[colour])
    chips = [bag[content].piece.quantity_text(count) for content, count in dug_counts.items() if count]
    board.table.add_note(
        say("{seat} digs up {chips}.", seat=seat, chips=say_list(chips))
        if chips
        else say("{seat} digs up nothing.", seat=seat)
    )


# Payday and the end


async def pay_everybodys_wages(board: Board, wage_each: int) -> None:
    """Pays wages to as many employees of each seat as its gold allows; unpaid ones cause discontent.

    The order is clockwise from the start player.
    """
    for seat in board.seats.starting_with(board.mark_holder(board.start_player_marks)):
        paid, unpaid = count_paid_employees(board.employee_count(seat), board.gold[seat].count, wage_each)
        board.pay_gold_to_bank(seat, paid * wage_each)
        if paid:
            board.table.add_note(say("Payday: {seat} pays {gold} gold.", seat=seat, gold=paid * wage_each))
        if unpaid:
            board.table.add_note(
                say_n(
                    "Payday: {seat} can't pay {n} employee.",
                    "Payday: {seat} can't pay {n} employees.",
                    n=unpaid,
                    seat=seat,
                )
            )
        for _ in range(unpaid):
            await ask_and_add_discontent_chip(board, seat, WAGES_REASON)


def standings(board: Board, *, shows_bags: bool) -> GameResult:
    """Returns the standings by final gold; the seat with fewer chips in the bag wins a tie.

    Without `shows_bags`, bags neither break ties nor show: before the end they stay closed.
    """
    return rank_seats(
        board.seats,
        lambda seat: final_gold(board, seat),
        lambda seat: score_lines(board, seat, shows_bags=shows_bags),
        rank_by=lambda seat: (final_gold(board, seat), -board.chips_in_bag(seat) if shows_bags else 0),
        tie_breaker=say("fewer chips in the bag"),
    )


def final_gold(board: Board, seat: Seat) -> int:
    """Returns a player's gold in the final score.

    The worth of the gems is added, and one gold is subtracted for each discontent chip; the result may be
    negative.
    """
    return (
        board.gold[seat].count
        + sum(total_gem_worth_by_colour(board, seat).values())
        - board.discontent_chip_count(seat)
    )


def total_gem_worth_by_colour(board: Board, seat: Seat) -> dict[str, int]:
    """Returns the worth of the gems in a storage by colour, without any bonus."""
    price_by_colour = board.gem_price_today_by_colour()
    return {
        colour: stored.count * price_by_colour[colour]
        for colour, stored in board.gems_in_storage[seat].items()
    }


def score_lines(board: Board, seat: Seat, *, shows_bags: bool) -> tuple[ScoreLine, ...]:
    """Returns a seat's score lines, and what decides a tie."""
    bag_line = (
        (ScoreLine(say("chips in the bag"), board.chips_in_bag(seat), is_part_of_total=False),)
        if shows_bags
        else ()
    )
    return (
        ScoreLine(say("gold"), board.gold[seat].count),
        *(
            ScoreLine(say("{colour} gems", colour=LABEL_BY_COLOUR[colour]), worth)
            for colour, worth in total_gem_worth_by_colour(board, seat).items()
        ),
        ScoreLine(say("discontent"), -board.discontent_chip_count(seat)),
        *bag_line,
    )


YES_AND_NO_LABELS = {"true": say("yes"), "false": say("no")}
OPTIONS = (
    ChoiceOption("boss_on_track", say("Boss on the track"),
         say("Choose whether the worker track counts the boss."),
         "true", choices=YES_AND_NO_LABELS),
    ChoiceOption("market_per", say("Market card"),
         say("Choose how long a market card's prices are valid."), "turn",
         choices={"turn": say("one turn"), "round": say("one turn of each player")}),
    ChoiceOption("final_price", say("Final price"),
         say("Choose whether the last market card is face up."), "open",
         choices={"open": say("lies open"), "hidden": say("stays hidden")}),
    NumberOption("rounds", say("Rounds"),
         say("Choose the number of rounds. A beginners' game of one round has no "
"payday."), 2, least=1, most=2),
    ChoiceOption("discontent", say("Discontent"),
         say("Choose whether to use discontent chips. Beginners may leave "
"these chips out."), "true",
         choices=YES_AND_NO_LABELS),
    ChoiceOption("bag_odds", say("Bags shown"),
         say("Choose whether everybody can see the chips left in each bag."),
         "false", choices=YES_AND_NO_LABELS),
)  # fmt: skip  # a lid


# The scene


class PrintedTrackReader:
    """Reads the numbers printed along the tracks at the seats' markers."""

    def __init__(self, setup: SceneSetup) -> None:
        self.board, self.gems = setup.deck("oyakata").board, gem_colours(setup.deck("oyakata"))

    def value_at(self, track: str, look: VisibleTable, seat: Seat | None) -> int:
        """Returns the number printed at a seat's marker."""
        level = look.visible_count_or_zero(MARKER_BY_TRACK[track], BOARD, seat)
        return printed_value_at_level(self.board[VALUE_ROW_BY_TRACK[track]], level)

    def stored_and_max_gems(self, look: VisibleTable, seat: Seat | None) -> tuple[int, int]:
        """Returns the number of gems stored and the room for gems."""
        stored = sum(
            look.visible_count_or_zero(make_gem_piece(colour), STORAGE, seat) for colour in self.gems
        )
        return stored, self.value_at("storage", look, seat)

    def placed_and_drawn_survey_tiles(self, look: VisibleTable, seat: Seat | None) -> tuple[int, int]:
        """Returns how many tiles a survey places and draws."""
        level = look.visible_count_or_zero(MARKER_BY_TRACK["survey"], BOARD, seat)
        placed, drawn = (
            printed_value_at_level(self.board[row_name], level)
            for row_name in ("survey_placed", "survey_taken")
        )
        return placed, drawn


def build_oyakata_scene(setup: SceneSetup) -> Scene:
    """Builds the scene of Oyakata.

    Gold, tracks, gems and discontent are before each seat, and prices in the middle.
    """
    printed = PrintedTrackReader(setup)
    gems = tuple([make_gem_piece(colour) for colour in printed.gems])
    chips = tuple(
        [
            make_chip_piece(colour)
            for colour in (*EFFECT_CHIP_COLOURS, chip_colour_without_effect(setup.deck("oyakata")))
        ]
    )
    price_markers = [make_gem_price_marker(colour) for colour in printed.gems]

    def printed_number(label: Say, track: str) -> ComputedCell:
        return ComputedCell(label, lambda look, seat: printed.value_at(track, look, seat), is_detail=True)

    mat = SeatMat(
        headline=CountCell(GOLD, PURSE),
        cells=(
            CountCell(MARKER_BY_TRACK["workers"], BOARD, label=say("workers")),
            printed_number(say("beds"), "dormitory"),
            CountCell(MARKER_BY_TRACK["digging"], BOARD, label=say("dig"), is_detail=True),
            ComputedCell(say("survey"), printed.placed_and_drawn_survey_tiles, is_detail=True),
            ComputedCell(say("stored"), printed.stored_and_max_gems, is_detail=True),
            printed_number(say("price +"), "negotiation"),
            printed_number(say("colours"), "kinds"),
            *[CountCell(gem, STORAGE) for gem in gems],
        ),
        badges=(
            SeatBadge(START_PLAYER_MARKER, BOARD, say("starts")),
            SeatBadge(ILLNESS_MARKER, BOARD),
            SeatBadge(STRIKE_MARKER, BOARD),
            SeatBadge(HOLIDAY_MARKER, TONIGHT),
        ),
        rows=(PieceRow(DISCONTENT, chips, label=DISCONTENT),),
    )
    grid = CountGrid(
        gems,
        (
            (
                say("price today"),
                tuple([CountCell(marker, MARKET, hidden_when_zero=True) for marker in price_markers]),
            ),
            (
                say("final price"),
                tuple([CountCell(marker, FINAL, hidden_when_zero=True) for marker in price_markers]),
            ),
            (say("left over"), tuple([CountCell(gem, CENTRE) for gem in gems])),
        ),
    )
    card_track = ProgressTrack(
        say("market card"), CountCell(CARD, UPTURNED_CARD_PLACE.name), MARKET_CARD_COUNT
    )
    return Scene(
        mat,
        (
            grid,
            card_track,
            *[CardPile(tile, PILE, label=tile.label) for tile in TILE_BY_LETTER.values()],
        ),
    )


# Help: the rule behind each question, and what comes next


HELP = {
    "Who is the start player?": say(
        "Choose who draws the first start tile and takes the first turn. Turns go clockwise."
    ),
    "Draw {drawn} A tiles; place one": say(
        "Draw two A tiles and place one. The soil and gems printed on the tile go into your bag."
    ),
    "Round {round}: turn over the bottom market card": say(
        "Turn over the bottom market card. Its prices count at the end of the game."
    ),
    "Round {round}: turn over market card {n}": say(
        "Turn over the next market card. You sell gems at its prices until the next card."
    ),
    "Day: do you dig or take a holiday?": say(
        "If you dig, draw chips from your bag and then a discontent chip. On a holiday, discontent chips go "
        "back. Then the night begins."
    ),
    "Draw chips from your bag. What did you draw?": say(
        "Draw chips from your bag and enter what you drew. Soil goes to the centre, gems go to your storage, "
        "and mud goes back into the bag."
    ),
    "Holiday: you may draw one chip. What did you draw?": say(
        "The boss alone may draw one chip. Then discontent chips go back, and no employee acts tonight."
    ),
    "Which chips go back? ({why})": say(
        "Choose which discontent chips go back into their bag. Illness or a strike ends when all its chips "
        "are gone."
    ),
    "Which discontent chip was drawn? ({why})": say(
        "Draw a chip from the discontent bag without looking, and enter its colour. Five chips explode."
    ),
    "Which gem is stolen?": say(
        "A thief takes one of your most expensive gems. Several colours have the same "
        "price, so choose the gem."
    ),
    "Night: what does the boss do?": say(
        "The boss takes one action without drawing a discontent chip. Then each employee may take one "
        "action. No action may be taken twice in one night."
    ),
    "Night: what does an employee do?": say(
        "Each employee may take one action. You draw a discontent chip after each action. No action may be "
        "taken twice in one night."
    ),
    "Night: do you pay a bonus or end the night?": say(
        "No more actions tonight. You may pay your employees a bonus; then discontent chips go back."
    ),
    "How many are hired?": say(
        "Each new worker moves the marker one space and costs the price printed there. New workers may act "
        "tonight."
    ),
    "How many are dismissed?": say(
        "Each dismissal costs more if you dismiss several employees at once. The boss always stays."
    ),
    "Which gems will you sell?": say(
        "You get today's price plus your bonus for each gem. Your marker shows how many colours you may sell."
    ),
    "Draw {drawn} {letter} tiles; you may place up to {placed}": say(
        "Draw your tiles. Your skill says how many you may place. After an accident you draw another tile "
        "for free."
    ),
    "Draw again after the accident; you may place up to {placed}": say(
        "Draw your tiles. Your skill says how many you may place. After an accident you draw another tile "
        "for free."
    ),
}

# The game

GAME = Game(
    "oyakata",
    1,
    say("Oyakata"),
    (2, 4),
    play_match,
    OPTIONS,
    ("oyakata",),
    check_deck,
    question_kinds=("Choose", "Counts", "Read"),
    scene=build_oyakata_scene,
    help=HELP,
)
