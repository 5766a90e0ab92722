"""How Mammon's table looks."""

from __future__ import annotations

from companion.games.mammon.board import (
    BANK,
    BET,
    CARD,
    CONFUSION,
    DISCARD,
    EXTRA,
    FRONT,
    FRONT_LINE,
    HAND,
    MARKET,
    OUT,
    REACTIONS,
    START,
    STRENGTH,
    TREASURY,
    TURNED_UP,
    WON,
    coin,
    value,
)
from companion.rulebook import Badge, Cards, Cell, Figure, Look, Mat, Row, Scene, Seat, Setup, say


def scene(setup: Setup) -> Scene:
    """Before each seat its coins by colour, strength and bet; in the middle the market."""
    coins = tuple([coin(seat) for seat in setup.seats])

    def bet(look: Look, seat: Seat | None) -> int:
        assert seat is not None
        own = look.number(coin(seat), BET, seat)
        foreign = sum(look.number(one, BET, seat) for one in coins) - own
        return value(own, foreign, look.number(REACTIONS["spy"], BET, seat))

    mat = Mat(
        hero=Figure(say("bet"), bet),
        cells=(
            *[Cell(one, TREASURY) for one in coins],
            Cell(coin, STRENGTH, label=STRENGTH),
            Cell(coin, FRONT_LINE, label=say("front")),
            Cell(CARD, HAND),
            Cell(WON, FRONT, label=say("won")),
        ),
        badges=(
            Badge(START, FRONT, say("starts")),
            Badge(EXTRA, FRONT),
            Badge(CONFUSION, FRONT),
            Badge(OUT, FRONT, out=True),
        ),
        rows=(Row(BET, (*coins, *REACTIONS.values()), label=say("bets")),),
    )
    cards = range(1, sum(design.copies for design in setup.deck("mammon").designs) + 1)
    market = tuple([Cards(MARKET, slot, back=CARD, on=(Row(MARKET, coins, slot=slot),)) for slot in cards])
    return Scene(
        mat,
        (
            *market,
            Row(TURNED_UP, label=TURNED_UP),
            Row(DISCARD, label=DISCARD),
            Row(BANK, coins, label=BANK),
        ),
    )
