"""How Oyakata's table looks."""

from __future__ import annotations

from companion.games.oyakata.board import (
    BOARD,
    CARD,
    CENTRE,
    CHIP_COLOURS,
    DISCONTENT,
    FINAL,
    GOLD,
    HOLIDAY,
    ILLNESS,
    MARKET,
    PILE,
    PURSE,
    START,
    STORAGE,
    STRIKE,
    TILE,
    TONIGHT,
    TRACKS,
    UPTURNED,
    chip,
    gem,
    price_mark,
)
from companion.games.oyakata.printed import MARKET_CARDS, VALUES, fifth_colour, gem_colours
from companion.rulebook import Badge, Cell, Figure, Grid, Look, Mat, Pile, Row, Scene, Seat, Setup, Track, say


class PrintedTracks:
    """What is printed along the tracks, read off a look."""

    def __init__(self, setup: Setup) -> None:
        self.board, self.gems = setup.deck("oyakata").board, gem_colours(setup.deck("oyakata"))

    def at(self, track: str, look: Look, seat: Seat | None) -> int:
        """What stands at a seat's marker."""
        level, values = look.number(TRACKS[track], BOARD, seat), self.board[VALUES[track]]
        return values[min(level, len(values) - 1)]

    def storage(self, look: Look, seat: Seat | None) -> tuple[int, int]:
        """Gems stored, and how many have room."""
        stored = sum(look.number(gem(colour), STORAGE, seat) for colour in self.gems)
        return stored, self.at("storage", look, seat)

    def survey(self, look: Look, seat: Seat | None) -> tuple[int, int]:
        """Tiles placed of those drawn."""
        level = look.number(TRACKS["survey"], BOARD, seat)
        last = len(self.board["survey_taken"]) - 1
        return self.board["survey_placed"][min(level, last)], self.board["survey_taken"][min(level, last)]


def scene(setup: Setup) -> Scene:
    """Before each seat the gold, the tracks, gems and discontent; in the middle the prices."""
    printed = PrintedTracks(setup)
    gems = tuple([gem(colour) for colour in printed.gems])
    chips = tuple([chip(colour) for colour in (*CHIP_COLOURS, fifth_colour(setup.deck("oyakata")))])
    marks = [price_mark(colour) for colour in printed.gems]
    mat = Mat(
        hero=Cell(GOLD, PURSE),
        cells=(
            Cell(TRACKS["workers"], BOARD, label=say("workers")),
            Figure(say("beds"), lambda look, seat: printed.at("dormitory", look, seat)),
            Cell(TRACKS["digging"], BOARD, label=say("dig")),
            Figure(say("survey"), printed.survey),
            Figure(say("stored"), printed.storage),
            Figure(say("price +"), lambda look, seat: printed.at("negotiation", look, seat)),
            Figure(say("colours"), lambda look, seat: printed.at("kinds", look, seat)),
            *[Cell(one, STORAGE) for one in gems],
        ),
        badges=(
            Badge(START, BOARD, say("starts")),
            Badge(ILLNESS, BOARD),
            Badge(STRIKE, BOARD),
            Badge(HOLIDAY, TONIGHT),
        ),
        rows=(Row(DISCONTENT, chips, label=DISCONTENT),),
    )
    grid = Grid(
        gems,
        (
            (say("price today"), tuple([Cell(mark, MARKET, late=True) for mark in marks])),
            (say("final price"), tuple([Cell(mark, FINAL, late=True) for mark in marks])),
            (say("left over"), tuple([Cell(one, CENTRE) for one in gems])),
        ),
    )
    card = Track(say("market card"), Cell(CARD, UPTURNED.name), MARKET_CARDS)
    return Scene(mat, (grid, card, *[Pile(TILE[letter], PILE, label=TILE[letter].label) for letter in TILE]))
