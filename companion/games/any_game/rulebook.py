"""Any Game: bank, purses, rounds, auctions on demand and a score sheet beside any other game. 2 to 12 people.

A template says what is on the table: pieces, of which the first pays bids, and categories of points.
People move pieces by hand at any time and without a reason; nothing here says who may take what.
Each feature is a module of its own: what it reads of a template, what it puts on the table, its actions in
the menu, its errors, its score, its parts of the scene and its help. This module puts them in order.

Rulings:
1. Each seat begins with the pieces that the template says; a bank without a limit never runs out.
2. The table chooses the start player; at first there is none. The marker passes to the left each round.
3. In sealed bids 0 is no bid. With `wins = unique` the highest bid that nobody else made wins.
4. Nobody wins a tie that is only named; then only `pays = all` takes money. With `ties = order` the first
   clockwise from the seller on wins and pays like any winner; the second bid is then the tied bid.
5. Bids are paid to the bank in money, out of the purse that limits them. If nobody pays, purses limit
   nothing. The second bid is the next best in the order that wins. If the lowest bidder may have to pay any
   bid, no bid is above the money in the emptiest purse that isn't empty. Covered purses limit only their
   owners; the table is asked about what a lowest bid costs more than itself.
6. In an open auction a pass is not final; the winner pays, unless nobody does.
7. Points may be entered below zero. At the end pieces count what the template says, and points as entered.
8. Equal totals share a rank, or go by `tie_rule`. That rule is also used when the fewest points win. With
   `tie_rule = table` the table says at the end who wins a tie for first place; other ties share a rank.
9. Where a dealer's marker goes around, the first seat deals first, and the seat to the dealer's left begins.
10. A reason to end the match is asked about once a round; a table that goes on is asked again next round.
11. Tied seats take as many places of a majority as there are tied seats; they share its prizes.
    With `ties = next` they take two places, and each gets the prize of the second.
12. In a tournament a seat that is left over goes on without a match. Nobody has two byes before everybody
    still in has had one. The losers of one stage share a rank.
13. Against a track all lose together, also if no winning track is at its end when people finish.
14. A lot's name is only what people call it. Several lots may have one name; a log keeps lots by number.
15. Where a bid of 0 has points of its own, each partner bids. The tricks of a partner who missed a bid of 0
    are bags, but score nothing and don't help the others.
16. A lot is unsold only if nobody bids; after a tie the table goes by its own rules. A seller who may have to
    pay can name any price from 0 to what the purse holds.
17. A tile is paid by whoever would pay money. A dealt tile then changes places with the tiles in the middle,
    so only a winner can pay one; another is used up until people take used tiles back.
18. Players who come later have a seat from the beginning, and take no part until they join. Players who
    never join rank last.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from itertools import chain

from companion.games.any_game import (
    bank,
    blinds,
    companies,
    contract,
    descriptions,
    dice,
    joining,
    leaving,
    loans,
    lots,
    majority,
    points,
    preset_options,
    round_sum,
    rounds,
    scoring,
    sheet,
    template,
    tiles,
    tournament,
    tracks,
    turn_order,
)
from companion.games.any_game.limits import MAX_AMOUNT
from companion.games.any_game.scene import build_scene
from companion.games.any_game.scoring import FinishPrompt, ask_winner_of_tie, current_result
from companion.games.any_game.state import MenuAction, TemplateState
from companion.games.any_game.template import DECK, Template
from companion.rulebook import (
    ChoiceOption,
    Choose,
    Deck,
    DetailedOption,
    Game,
    GameResult,
    Labelled,
    NumberOption,
    PresetConfig,
    Say,
    Table,
    UserError,
    say,
)

FEATURE_STATE_CLASSES = (
    companies.Companies,
    bank.TemplatePlaces,
    bank.BankStatus,
    loans.Loans,
    turn_order.RoundTrack,
    lots.SoldLotCounter,
    lots.LotsToCome,
    turn_order.StartOrDealerMarker,
    leaving.LeavingOrder,
    leaving.LateSeats,
    tracks.Tracks,
    contract.BidsAndBags,
    tournament.Tournament,
    tiles.BidTiles,
    blinds.BlindLevel,
)
"""Classes of the features' states, in the order in which people see what they put on the table."""
MONEY_SOURCE_BY_KEY = {"loan": loans.MONEY_SOURCE, "sell": companies.MONEY_SOURCE}
MENU: tuple[MenuAction, ...] = (
    *rounds.MENU,
    *turn_order.MENU,
    *blinds.MENU,
    *sheet.MENU,
    *tournament.MENU,
    *tracks.MENU,
    *lots.MENU,
    *tiles.MENU,
    *bank.MENU,
    *loans.MENU,
    *companies.MENU,
    *rounds.POINTS_MENU,
    *joining.MENU,
    *leaving.MENU,
    *dice.MENU,
)
"""All menu actions, in the order of the menu; a table has those of its template."""
RESERVED_MARKER_IDS = frozenset(
    one.key
    for one in (
        bank.BROKEN_BANK_MARKER,
        contract.BAG_MARKER,
        contract.BID_MARKER,
        blinds.LEVEL_MARKER,
        turn_order.DEALER_MARKER,
        loans.LOAN,
        lots.LOTS_WON_PLACEHOLDER,
        lots.SOLD_LOT_MARKER,
        leaving.LATE_MARKER,
        leaving.OUT_ORDER_MARKER,
        leaving.START_DEALT_MARKER,
        turn_order.ROUND_MARKER,
        tournament.SEED_MARKER,
        tournament.STAGE_MARKER,
        turn_order.START_PLAYER_MARKER,
        tournament.MATCH_WON_MARKER,
    )
)
"""The ids of markers that are on every table; no design of a template may have one."""
TEMPLATE_CHECKS: tuple[Callable[[Template], Iterator[Say]], ...] = (
    template.find_content_errors,
    tournament.find_tournament_errors,
    leaving.find_leaving_errors,
    joining.find_joining_errors,
    rounds.find_scoring_errors,
    partial(template.find_name_errors, reserved_ids=RESERVED_MARKER_IDS),
    tracks.find_track_errors,
    contract.find_contract_rule_errors,
    points.find_category_errors,
    companies.find_company_errors,
    rounds.find_round_rule_errors,
    round_sum.find_round_sum_errors,
    template.find_reserved_place_name_errors,
    bank.find_money_rule_errors,
    blinds.find_blind_errors,
    loans.find_loan_rule_errors,
    lots.find_lot_rule_errors,
    tiles.find_tile_errors,
    preset_options.find_option_errors,
)
"""Functions that yield the errors of a template, in the order in which they run."""
FINISH_KEY = "finish"
FINISH_OPTION_BY_KEY = {FINISH_KEY: DetailedOption(say("Finish"), is_decline_option=True)}
FINISH_CONFIRMATION_BY_KEY = {FINISH_KEY: say("Finish this game and count the score?")}
USUAL_ACTION_KEYS = (
    rounds.WRITE_ROUND_KEY,
    "turns",
    "match",
    "track",
    "payment",
    "auction",
    "points",
    "round",
)
"""Keys of usual actions: the first that a table has is what people most likely want."""


async def play_match(table: Table) -> GameResult:
    """Plays a match: runs the menu actions that the table chooses, until it finishes."""
    state = TemplateState(table, MONEY_SOURCE_BY_KEY)
    for feature in FEATURE_STATE_CLASSES:
        state.add_feature(feature)
    table.score_so_far = lambda: current_result(state)
    await joining.ask_who_comes_later_and_deal_start(state)
    await rounds.give_dealer_marker_and_open_first_round(state)
    finish_prompt = FinishPrompt(state)
    menu_cache: MenuCache = {}
    while (action := await ask_next_action(state, menu_cache)) is not None:
        bank.BankStatus.of(state).declare_if_broken()  # people may have moved its money by hand
        await action.run(state)
        is_round_over = action.key in rounds.ROUND_ENDING_ACTION_KEYS
        if await finish_prompt.ask_if_due(is_round_over=is_round_over):
            break
        if is_round_over:
            await rounds.open_next_round(state)
            if await finish_prompt.ask_if_due():
                break
    result = await ask_winner_of_tie(state)
    table.score_so_far = lambda: result
    return result


MenuCache = dict[object, tuple[dict[str, MenuAction], dict[str, Labelled]]]
"""Menu actions and their options, by the seats in the match, those that come later, and the round.

Nothing else changes them.
"""


async def ask_next_action(state: TemplateState, menu_cache: MenuCache) -> MenuAction | None:
    """Asks which menu action comes next; returns None if the table finishes the match."""
    current_round, playing_seats = turn_order.current_round(state), leaving.playing_seats(state)
    if (current_round or turn_order.RoundTrack.of(state).round_marker_position) <= 1:
        # Later the marker says who starts a round, not who starts the match.
        state.table.start_player = turn_order.start_seat(state)
    cache_key = playing_seats, leaving.late_seats(state), current_round
    if cache_key not in menu_cache:  # every step begins with the menu
        actions = {
            action.key: action
            for action in (*lots.share_auction_actions(state), *MENU)
            if action.is_offered(state)
        }
        menu_cache[cache_key] = actions, menu_options(state, actions)
    actions, options = menu_cache[cache_key]
    requirements = {
        key: requirement
        for key, action in actions.items()
        if (requirement := action.make_requirement(state)) is not None
    }
    return actions.get(
        await Choose(
            None,
            say("What is next?"),
            options,
            requirements,
            confirmations=FINISH_CONFIRMATION_BY_KEY,
            has_free_order=True,
        )
    )


def menu_options(state: TemplateState, action_by_key: Mapping[str, MenuAction]) -> dict[str, Labelled]:
    """Returns the options of the menu; the end of the match is last."""
    usual_key = usual_action_key(state, action_by_key)
    options: dict[str, Labelled] = {
        key: make_menu_option(
            action.current_label(state),
            action,
            is_most_likely=key == usual_key,
            is_usual=key in USUAL_ACTION_KEYS,
        )
        for key, action in action_by_key.items()
    }
    return options | FINISH_OPTION_BY_KEY


def usual_action_key(state: TemplateState, action_by_key: Mapping[str, MenuAction]) -> str | None:
    """Returns the key of the action that newcomers most likely want; None if no action is more likely."""
    rules = state.template.read_rules(lots.LotRules)
    if rules.lots == "shares":
        return None
    are_optional = rules.auction in (lots.AUCTION_AND_SEALED_BID, lots.NO_AUCTION)
    return next(
        (
            key
            for key in USUAL_ACTION_KEYS
            if key in action_by_key and not (key == "auction" and are_optional)
        ),
        None,
    )


@lru_cache(maxsize=256)  # each match of a tournament has its own menu
def make_menu_option(
    label: Say, action: MenuAction, *, is_most_likely: bool, is_usual: bool
) -> DetailedOption:
    """Returns one action as an option of the menu, with its own emblem or that of its group."""
    return DetailedOption(
        label,
        note=action.note,
        group=action.group.label,
        emblem=action.emblem or action.group.emblem,
        is_most_likely=is_most_likely,
        is_usual=is_usual,
        is_payment=action.is_payment,
    )


def check_deck(deck: Deck) -> list[Say]:
    """Raises `UserError` for the first error in a template; returns no warnings."""
    checked_template = Template(deck)
    if error := next(
        chain.from_iterable(find_errors(checked_template) for find_errors in TEMPLATE_CHECKS), None
    ):
        raise UserError(error)
    return []


def check_options(
    option_values: Mapping[str, str | int | None], deck_by_key: Mapping[str, Deck], player_count: int
) -> None:
    """Raises `UserError` if the options or the number of players don't go together with the template."""
    chosen_template = Template(deck_by_key[DECK])
    lots.check_bid_options(option_values, chosen_template)
    tiles.check_enough_tiles(chosen_template, player_count)


HELP = {
    "What is next?": say(
        "The companion keeps track of money, bids and points. You play by your own rules. Choose what "
        'happens now. "Finish" counts the score.'
    ),
    **turn_order.HELP,
    **lots.HELP,
    **rounds.HELP,
    **round_sum.HELP,
    **majority.HELP,
    **contract.HELP,
    **sheet.HELP,
    **tracks.HELP,
    **joining.HELP,
    **leaving.HELP,
    **tournament.HELP,
    **scoring.HELP,
    **dice.HELP,
    **bank.HELP,
    **loans.HELP,
    **companies.HELP,
}

OPTIONS = (
    ChoiceOption("template", say("Template"), say("Choose what the companion keeps track of."), "plain",
         is_game_title=True, choices={"plain": say("coins and points"), "points": say("points by round"),
                  "lowest": say("fewest points win"), "rummy": say("rummy"),
                  "race": say("race to 121 points"), "mahjong": say("mahjong"),
                  "chess": say("chess in rounds"), "contract": say("tricks under contract"),
                  "tricks": say("tricks with bonus points"), "partners": say("tricks for two teams"),
                  "sheet": say("sheet for five dice"), "majority": say("area majority"),
                  "areas": say("areas with three prizes"), "coop": say("all together"),
                  "tracks": say("all together on three tracks"), "tournament": say("knock-out tournament"),
                  "poker": say("poker chips"), "poker_tournament": say("poker tournament"),
                  "train": say("train companies"), "shares": say("railway shares"),
                  "property": say("property trading"), "streets": say("property with auctions"),
                  "workers": say("workers and wages"), "art": say("art auction"),
                  "dealers": say("art dealers"), "estate": say("estate cards by auction"),
                  "auction": say("auction of named lots")}),
    NumberOption("most", say("Highest bid"),
         say("Highest bid allowed. None: players can bid all their money."),
           None, least=1, most=MAX_AMOUNT),
    ChoiceOption("wins", say("Winning bid"), say("Choose which sealed bid wins."), "highest",
         choices={"highest": say("the highest"), "lowest": say("the lowest"),
                  "unique": say("the highest bid that isn't tied")}),
    ChoiceOption("ties", say("Ties"),
         say("Choose what happens when several players make the best bid."), "named",
         choices={"named": say("nobody wins"), "again": say("the tied players bid again"),
                  "order": say("the first in turn order from the seller or start player wins")}),
    ChoiceOption("pays", say("Who pays"),
         say("Choose who pays their bid. In an auction, this can only be the winner or nobody."), "winner",
         choices={"winner": say("the winner"), "second": say("the winner, but only the second bid"),
                  "all": say("everybody"), "nobody": say("nobody")}),
    ChoiceOption("tie_rule", say("Equal totals"),
         say("Choose who ranks higher when totals are equal."), "shared",
         choices={"shared": say("tied players share the rank"), "money": say("more money"),
                  "turn_order": say("the first in turn order from the start player"),
                  "table": say("you decide who wins a tie for first place")}),
)  # fmt: skip  # a lid

GAME = Game(
    "any_game",
    3,
    say("Any Game"),
    (2, 12),
    play_match,
    OPTIONS,
    (DECK,),
    check_deck=check_deck,
    check_options=check_options,
    has_free_moves=True,
    typed_numbers_option_key=rounds.WRITE_ROUND_KEY,
    question_kinds=("Choose", "Raise", "Amount", "Counts", "Roll", "Write", "Together", "price"),
    scene=build_scene,
    help=HELP,
    presets=PresetConfig(
        "template",
        DECK,
        own_folder="",  # presets of version 0.2 lie in no folder of their own
        read_options=preset_options.read_options,
        find_unused_options=preset_options.find_unused_options,
        describe=descriptions.describe_template,
    ),
)
