"""All that a rulebook is made of, in one import: `from companion.rulebook import Choose, Game, Table, say`.

- The lid of the box: `Game`, and its options `Pick`, `Number`, `Word`.
- The table: `Table`, its `Seats` of `Seat`s, `Piece`s at a `Place`, counted in an `Account`; marks come out
  of the `BOX`.
- Questions: `Choose` (with `Need`, and `Offer` where a text is too little), `Raise`, `Amount`, `Counts` of
  `Count`s, `Read` (with `Worth` and `Rate`), `Roll` of `Die`s, `Write`, `Done`, `Together`; each is a
  `Request` that a rulebook awaits. A `Limit` is a number or something `Live`, such as an account.
  `choose_seat` asks for one of the people.
- Cards: a `Deck` of `Design`s, of which each `Card` shows one, and the `Faces` of a deck on the table; `NAME`
  is what people call a card, `spoken` says a word of a deck's file as a text, and `UNSEEN` is where the faces
  lie that nobody has seen.
- Money: a `Fund` is all that lies at a place, `purse` finds it, `payment` says which notes go where.
- Auctions: `until_all_pass` (with a `Turn`), `open_bids` and `final_bids` in turn, `once_around`,
  `fixed_price`, `falling_price`; `sealed_bids` and `sealed_round` in secret; `Purses` pay them;
  `highest`, `lowest` and `unique`, each a `Best`, and all of `BEST` say who is ahead, `payments` who pays;
  `bids_made` tells; `capped`, `Emptiest` and `NO_PURSES` are for what bids are paid from.
- The end: a `Result` of `Line`s, `ranked` by total; `ranks` alone.
- How the table looks: a `Scene` of one `Mat` for every seat and each `Part` of the middle, from a `Setup`.
  `Cell`, `Figure` (reads a `Look`), `Badge`, `Row`, `Grid` of `Lines`, `Cards`, `Pile`, `Track`, `Lots`.
- Words: `say`, `say_n` and `listed` make a `Say`, of which whatever is `Labelled` can be a part; names whose
  `fold_name` is the same are taken for each other by whoever types them.
- `TableError`: a sentence for people about something that can't be, such as a printed value.

Nothing here draws, stores, waits or is a matter of chance; a rulebook needs nothing else of Companion.
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
from companion.rules.game import Game, Number, Pick, Word
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
