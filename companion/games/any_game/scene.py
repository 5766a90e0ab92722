"""How the table of Any Game looks: as its template says what lies there."""

from __future__ import annotations

from companion.games.any_game.laid import BANK, FRONT, PURSE, ROUND, START, TRACK, piece, points
from companion.games.any_game.printed import DECK, kind_of, named, number
from companion.rulebook import Badge, Cell, Design, Figure, Look, Mat, Row, Scene, Seat, Setup, say


def scored(printed: Design) -> Figure:
    """The points of one kind, gained less lost."""
    gained, lost = points(printed)

    def of(look: Look, seat: Seat | None) -> int:
        return look.number(gained, FRONT, seat) - look.number(lost, FRONT, seat)

    return Figure(named(printed), of)


def scene(setup: Setup) -> Scene:
    """Before each seat its total; then what it holds and its points of each kind."""
    deck = setup.deck(DECK)
    pieces = {piece(one): number(one, "worth") for one in kind_of(deck, "piece")}
    scores = tuple([scored(one) for one in kind_of(deck, "category")])

    def total(look: Look, seat: Seat | None) -> int:
        held = sum(look.number(one, PURSE, seat) * worth for one, worth in pieces.items())
        return held + sum(int(str(score.of(look, seat))) for score in scores)

    mat = Mat(
        hero=Figure(say("total"), total),
        cells=(*[Cell(one, PURSE) for one in pieces], *scores),
        badges=(Badge(START, FRONT, say("starts")),),
    )
    return Scene(mat, (Cell(ROUND, TRACK, label=say("round")), Row(BANK, tuple(pieces), label=BANK)))
