"""Everything a rulebook may import, in one place: `from companion.rulebook import Choose, Game, Table, say`.

- The game: `Game`, its options `Pick`, `Number`, `Word`, and its `Presets`.
- The table: `Table`, `Seats`, `Seat`, `Place`, `Piece`, `Account`, `BOX`.
- Questions: `Choose` (with `Need` and `Offer`), `choose_seat`, `Raise`, `Amount`, `Counts` (of `Count`),
  `Read` (with `Worth` and `Rate`), `Roll` (of `Die`), `Write`, `Done`, `Together`, `Request`, `Limit`,
  `Live`.
- Cards: `Deck`, `Design`, `Card`, `Faces`, `UNSEEN`, `NAME`, `spoken`.
- Money: `Fund`, `purse`, `payment`.
- Auctions: `open_bids`, `final_bids`, `once_around`, `fixed_price`, `falling_price`, `until_all_pass` (with a
  `Turn`), `sealed_bids`, `sealed_round`, `highest`, `lowest`, `unique`, `Best`, `BEST`, `payments`,
  `bids_made`, `Purses`, `NO_PURSES`, `capped`, `Emptiest`.
- The score: `Result`, `Line`, `ranked`, `ranks`.
- How the table looks: `Scene`, `Mat`, `Cell`, `Figure`, `Look`, `Badge`, `Row`, `Part`, `Grid`, `Lines`,
  `Cards`, `Pile`, `Track`, `Lots`, `Setup`.
- Texts: `say`, `say_n`, `listed`, `Say`, `Labelled`, `fold_name`.
- Errors: `TableError`.

`companion api` shows these groups with a sentence for each name, `companion api NAME` one of them in full. A
rulebook needs nothing else of Companion. Nothing here draws, stores, waits or rolls dice by itself.
"""

from companion.cards import Card, Deck, Design
from companion.cards.deck import NAME, spoken
from companion.errors import TableError
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
from companion.rules.game import Game, Number, Pick, Presets, Word
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
from companion.spelling import fold_name
from companion.table.alike import UNSEEN
from companion.table.change import Fund, payment, purse
from companion.table.faces import Faces
from companion.table.ledger import Account, Piece, Place
from companion.table.scores import Line, Result, ranked, ranks
from companion.table.seats import Seat, Seats
from companion.table.table import BOX, Table
from companion.words import Labelled, Say, listed, say, say_n

__all__ = [
    "BEST",
    "BOX",
    "NAME",
    "NO_PURSES",
    "UNSEEN",
    "Account",
    "Amount",
    "Badge",
    "Best",
    "Card",
    "Cards",
    "Cell",
    "Choose",
    "Count",
    "Counts",
    "Deck",
    "Design",
    "Die",
    "Done",
    "Emptiest",
    "Faces",
    "Figure",
    "Fund",
    "Game",
    "Grid",
    "Labelled",
    "Limit",
    "Line",
    "Lines",
    "Live",
    "Look",
    "Lots",
    "Mat",
    "Need",
    "Number",
    "Offer",
    "Part",
    "Pick",
    "Piece",
    "Pile",
    "Place",
    "Presets",
    "Purses",
    "Raise",
    "Rate",
    "Read",
    "Request",
    "Result",
    "Roll",
    "Row",
    "Say",
    "Scene",
    "Seat",
    "Seats",
    "Setup",
    "Table",
    "TableError",
    "Together",
    "Track",
    "Turn",
    "Word",
    "Worth",
    "Write",
    "bids_made",
    "capped",
    "choose_seat",
    "falling_price",
    "final_bids",
    "fixed_price",
    "fold_name",
    "highest",
    "listed",
    "lowest",
    "once_around",
    "open_bids",
    "payment",
    "payments",
    "purse",
    "ranked",
    "ranks",
    "say",
    "say_n",
    "sealed_bids",
    "sealed_round",
    "spoken",
    "unique",
    "until_all_pass",
]
