"""Everything a rulebook may import, in one place: `from companion.rulebook import Choose, Game, Table, say`.

- The game: `Game`, its options `ChoiceOption`, `NumberOption`, `TextOption`, and its
  `PresetConfig` with a `PresetDescription`, which has a `PresetPicture` of `PieceLook`s.
- The table: `Table`, `Seats`, `Seat`, `Place`, `Piece`, `Account`, `BOX`.
- Questions: `Choose` (with `OptionRequirement` and `DetailedOption`), `choose_seat`, `Raise`, `Amount`,
  `Counts` (of `CountedItem`), `Read` (with `PriceInCards` and `CardRate`), `Roll` (of `Die`), `Write`,
  `Done`, `Together`, `Request`, `Limit`, `LiveCount`, `ExplainedLimit`, `BidValues`, `BidPieces`,
  `confirm_above`.
- Cards: `Deck`, `CardDesign`, `Card`, `KnownCardTracker`, `UNSEEN_PLACE`, `NAME_FIELD`, `word_label`.
- Money: `MoneyAtPlace`, `money_at`, `plan_payment_moves`.
- Auctions: `ask_open_bids`, `ask_open_bids_with_final_passes`, `ask_bids_once_around`,
  `offer_at_fixed_price`, `offer_at_falling_price`, `ask_until_all_others_pass` (with a `AskForBid`),
  `ask_sealed_bids`, `run_sealed_round`, `highest_bidders`, `lowest_bidders`, `highest_unique_bidders`,
  `WinnerRule`, `WINNER_RULE_BY_KEY`, `payments_due`, `describe_bids`, `BidPurses`, `NO_PURSE_LIMITS`,
  `BidPiecesBySeat`, `NO_BID_PIECES`, `payable_sealed_bid_limit`, `EmptiestPurseLimit`. Results:
  `AuctionResult`, `BidsAndPassedSeats`, `SealedRoundResult`.
- The score: `GameResult`, `ScoreLine`, `rank_seats`, `competition_ranks`; of a round, `ScoreTable` of
  `ScoreTableLine`.
- How the table looks: `Scene`, `SeatMat`, `CountCell`, `ComputedCell`, `VisibleTable`, `SeatBadge`,
  `PieceRow`, `MiddlePart`, `CountGrid`, `GridLines`, `CardSpread`, `CardPile`, `ProgressTrack`, `LotRow`,
  `LotQueue`, `AnnouncedLot`, `SceneSetup`, `find_leaders`.
- Numbers with a half: `WholeOrHalf`, `halves_of`, `number_from_halves`, `number_from_float`.
- Texts: `say`, `say_n`, `say_list`, `say_amount_of`, `say_people`, `Say`, `Labelled`, `fold_name`.
- Errors: `UserError`.

`companion api` shows these groups with a sentence for each name, `companion api NAME` one of them in full. A
rulebook needs nothing else of Companion. Nothing here draws, stores, waits or rolls dice by itself.
"""

from companion.cards import Card, CardDesign, Deck
from companion.cards.deck import NAME_FIELD, word_label
from companion.errors import UserError
from companion.half_numbers import WholeOrHalf, halves_of, number_from_float, number_from_halves
from companion.name_matching import fold_name
from companion.requests import (
    Amount,
    CardRate,
    Choose,
    CountedItem,
    Counts,
    DetailedOption,
    Die,
    Done,
    OptionRequirement,
    PriceInCards,
    Raise,
    Read,
    Request,
    Roll,
    Together,
    Write,
    choose_seat,
)
from companion.requests.bid_values import BidPieces, BidValues
from companion.requests.fields import confirm_above
from companion.requests.request import ExplainedLimit, Limit, LiveCount
from companion.rules.auctions import (
    NO_BID_PIECES,
    NO_PURSE_LIMITS,
    WINNER_RULE_BY_KEY,
    AskForBid,
    AuctionResult,
    BidPiecesBySeat,
    BidPurses,
    BidsAndPassedSeats,
    EmptiestPurseLimit,
    SealedRoundResult,
    WinnerRule,
    ask_bids_once_around,
    ask_open_bids,
    ask_open_bids_with_final_passes,
    ask_sealed_bids,
    ask_until_all_others_pass,
    describe_bids,
    highest_bidders,
    highest_unique_bidders,
    lowest_bidders,
    offer_at_falling_price,
    offer_at_fixed_price,
    payable_sealed_bid_limit,
    payments_due,
    run_sealed_round,
)
from companion.rules.game import (
    ChoiceOption,
    Game,
    NumberOption,
    PresetConfig,
    PresetDescription,
    TextOption,
)
from companion.rules.preset_pictures import PieceLook, PresetPicture
from companion.rules.scene import (
    AnnouncedLot,
    CardPile,
    CardSpread,
    ComputedCell,
    CountCell,
    CountGrid,
    GridLines,
    LotQueue,
    LotRow,
    MiddlePart,
    PieceRow,
    ProgressTrack,
    Scene,
    SceneSetup,
    SeatBadge,
    SeatMat,
    VisibleTable,
    find_leaders,
)
from companion.table.faces import KnownCardTracker
from companion.table.indistinguishable import UNSEEN_PLACE
from companion.table.ledger import Account, Piece, Place
from companion.table.money import MoneyAtPlace, money_at, plan_payment_moves
from companion.table.outcomes import ScoreTable, ScoreTableLine
from companion.table.scores import GameResult, ScoreLine, competition_ranks, rank_seats
from companion.table.seats import Seat, Seats
from companion.table.table import BOX, Table
from companion.texts import Labelled, Say, say, say_amount_of, say_list, say_n, say_people

__all__ = [
    "BOX",
    "NAME_FIELD",
    "NO_BID_PIECES",
    "NO_PURSE_LIMITS",
    "UNSEEN_PLACE",
    "WINNER_RULE_BY_KEY",
    "Account",
    "Amount",
    "AnnouncedLot",
    "AskForBid",
    "AuctionResult",
    "BidPieces",
    "BidPiecesBySeat",
    "BidPurses",
    "BidValues",
    "BidsAndPassedSeats",
    "Card",
    "CardDesign",
    "CardPile",
    "CardRate",
    "CardSpread",
    "ChoiceOption",
    "Choose",
    "ComputedCell",
    "CountCell",
    "CountGrid",
    "CountedItem",
    "Counts",
    "Deck",
    "DetailedOption",
    "Die",
    "Done",
    "EmptiestPurseLimit",
    "ExplainedLimit",
    "Game",
    "GameResult",
    "GridLines",
    "KnownCardTracker",
    "Labelled",
    "Limit",
    "LiveCount",
    "LotQueue",
    "LotRow",
    "MiddlePart",
    "MoneyAtPlace",
    "NumberOption",
    "OptionRequirement",
    "Piece",
    "PieceLook",
    "PieceRow",
    "Place",
    "PresetConfig",
    "PresetDescription",
    "PresetPicture",
    "PriceInCards",
    "ProgressTrack",
    "Raise",
    "Read",
    "Request",
    "Roll",
    "Say",
    "Scene",
    "SceneSetup",
    "ScoreLine",
    "ScoreTable",
    "ScoreTableLine",
    "SealedRoundResult",
    "Seat",
    "SeatBadge",
    "SeatMat",
    "Seats",
    "Table",
    "TextOption",
    "Together",
    "UserError",
    "VisibleTable",
    "WholeOrHalf",
    "WinnerRule",
    "Write",
    "ask_bids_once_around",
    "ask_open_bids",
    "ask_open_bids_with_final_passes",
    "ask_sealed_bids",
    "ask_until_all_others_pass",
    "choose_seat",
    "competition_ranks",
    "confirm_above",
    "describe_bids",
    "find_leaders",
    "fold_name",
    "halves_of",
    "highest_bidders",
    "highest_unique_bidders",
    "lowest_bidders",
    "money_at",
    "number_from_float",
    "number_from_halves",
    "offer_at_falling_price",
    "offer_at_fixed_price",
    "payable_sealed_bid_limit",
    "payments_due",
    "plan_payment_moves",
    "rank_seats",
    "run_sealed_round",
    "say",
    "say_amount_of",
    "say_list",
    "say_n",
    "say_people",
    "word_label",
]
