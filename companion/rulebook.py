"""Everything a rulebook may import, in one place: `from companion.rulebook import Choose, Game, Table, say`.

- The game: `Game`, its options `ChoiceOption`, `NumberOption`, `TextOption`, and its `Presets`.
- The table: `Table`, `Seats`, `Seat`, `Place`, `Piece`, `Account`, `BOX`.
- Questions: `Choose` (with `Need` and `Offer`), `choose_seat`, `Raise`, `Amount`, `Counts` (of `Count`),
  `Read` (with `Worth` and `Rate`), `Roll` (of `Die`), `Write`, `Done`, `Together`, `Request`, `Limit`,
  `Live`.
- Cards: `Deck`, `Design`, `Card`, `FaceTracker`, `UNSEEN_PLACE`, `NAME`, `spoken`.
- Money: `MoneyAtPlace`, `money_at`, `payment_moves`.
- Auctions: `open_bids`, `final_bids`, `once_around`, `fixed_price`, `falling_price`, `until_all_pass` (with a
  `Turn`), `sealed_bids`, `sealed_round`, `highest`, `lowest`, `unique`, `Best`, `BEST`, `payments`,
  `bids_made`, `Purses`, `NO_PURSES`, `capped`, `Emptiest`.
- The score: `GameResult`, `ScoreLine`, `rank_seats`, `competition_ranks`.
- How the table looks: `Scene`, `Mat`, `Cell`, `Figure`, `Look`, `Badge`, `Row`, `Part`, `Grid`, `Lines`,
  `Cards`, `Pile`, `Track`, `Lots`, `Setup`.
- Texts: `say`, `say_n`, `say_list`, `Say`, `Labelled`, `fold_name`.
- Errors: `UserError`.

`companion api` shows these groups with a sentence for each name, `companion api NAME` one of them in full. A
rulebook needs nothing else of Companion. Nothing here draws, stores, waits or rolls dice by itself.
"""

from companion.cards import Card, Deck, Design
from companion.cards.deck import NAME, spoken
from companion.errors import UserError
from companion.name_matching import fold_name
from companion.requests import (
    Amount,
    Choose,
    Count,
    Counts,
    Die,
    Done,
    Need,
    Offer,
    Raise,
    Rate,
    Read,
    Request,
    Roll,
    Together,
    Worth,
    Write,
    choose_seat,
)
from companion.requests.request import Limit, Live
from companion.rules.auctions import (
    BEST,
    NO_PURSES,
    Best,
    Emptiest,
    Purses,
    Turn,
    bids_made,
    capped,
    falling_price,
    final_bids,
    fixed_price,
    highest,
    lowest,
    once_around,
    open_bids,
    payments,
    sealed_bids,
    sealed_round,
    unique,
    until_all_pass,
)
from companion.rules.game import ChoiceOption, Game, NumberOption, Presets, TextOption
from companion.rules.scene import (
    Badge,
    Cards,
    Cell,
    Figure,
    Grid,
    Lines,
    Look,
    Lots,
    Mat,
    Part,
    Pile,
    Row,
    Scene,
    Setup,
    Track,
)
from companion.table.alike import UNSEEN_PLACE
from companion.table.change import MoneyAtPlace, money_at, payment_moves
from companion.table.faces import FaceTracker
from companion.table.ledger import Account, Piece, Place
from companion.table.scores import GameResult, ScoreLine, competition_ranks, rank_seats
from companion.table.seats import Seat, Seats
from companion.table.table import BOX, Table
from companion.texts import Labelled, Say, say, say_list, say_n

__all__ = [
    "BEST",
    "BOX",
    "NAME",
    "NO_PURSES",
    "UNSEEN_PLACE",
    "Account",
    "Amount",
    "Badge",
    "Best",
    "Card",
    "Cards",
    "Cell",
    "ChoiceOption",
    "Choose",
    "Count",
    "Counts",
    "Deck",
    "Design",
    "Die",
    "Done",
    "Emptiest",
    "FaceTracker",
    "Figure",
    "Game",
    "GameResult",
    "Grid",
    "Labelled",
    "Limit",
    "Lines",
    "Live",
    "Look",
    "Lots",
    "Mat",
    "MoneyAtPlace",
    "Need",
    "NumberOption",
    "Offer",
    "Part",
    "Piece",
    "Pile",
    "Place",
    "Presets",
    "Purses",
    "Raise",
    "Rate",
    "Read",
    "Request",
    "Roll",
    "Row",
    "Say",
    "Scene",
    "ScoreLine",
    "Seat",
    "Seats",
    "Setup",
    "Table",
    "TextOption",
    "Together",
    "Track",
    "Turn",
    "UserError",
    "Worth",
    "Write",
    "bids_made",
    "capped",
    "choose_seat",
    "competition_ranks",
    "falling_price",
    "final_bids",
    "fixed_price",
    "fold_name",
    "highest",
    "lowest",
    "money_at",
    "once_around",
    "open_bids",
    "payment_moves",
    "payments",
    "rank_seats",
    "say",
    "say_list",
    "say_n",
    "sealed_bids",
    "sealed_round",
    "spoken",
    "unique",
    "until_all_pass",
]
