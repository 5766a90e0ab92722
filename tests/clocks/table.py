"""A table with a clock that goes on when it is told to, and games that ask little."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from companion.clocks import parse_clocks
from companion.log.log import MemoryLog
from companion.requests import Amount, Choose, Raise, Together
from companion.rules.game import Game
from companion.session.session import Session
from companion.session.timekeeper import ClockTimeout, Timekeeper
from companion.table.ledger import Piece
from companion.table.scores import GameResult, rank_seats
from companion.table.seats import Seat
from companion.table.table import Table
from companion.texts import render, say

NAMES = ("Aki", "Ben", "Chie")


class Clocked:
    """A game with clocks, looked at whenever time passes; `Clocked(game, "turn=60 answer")`."""

    def __init__(
        self, game: Game, clocks: str, log: MemoryLog | None = None, names: Sequence[str] = NAMES
    ) -> None:
        self.log = MemoryLog() if log is None else log
        self.now = 1000.0
        self.rings: list[ClockTimeout] = []
        self.session = Session.begin(
            game, names, {}, self.log, clock_settings=parse_clocks(clocks), seed=1, clock=lambda: self.now
        )
        self.keeper = Timekeeper(self.session)

    def restart(self) -> None:
        """The program is started again on its log, with a monotonic clock that begins again."""
        self.now = 3.0
        self.session = Session(self.session.game, list(self.log), self.log, clock=lambda: self.now)
        self.keeper = Timekeeper(self.session)

    def wait(self, seconds: float) -> None:
        """Lets seconds go by; the front end looks as often as `due` asks for."""
        until = round(self.now + seconds, 3)
        while (due := self.keeper.seconds_until_next_ring) is not None and round(self.now + due, 3) <= until:
            self.now = round(self.now + due, 3)
            ring = self.keeper.ring_next_due_clock()
            assert ring is not None
            self.rings.append(ring)
        self.now = until

    def says(self, *answers: object) -> None:
        """Answers one question after the other at once."""
        for answer in answers:
            self.session.answer(self.session.question_number, answer)

    def seals(self, name: str, answer: object) -> None:
        """Puts a seat's answer into its envelope."""
        self.session.put_answer_in_envelope(
            self.session.question_number, self.session.table.seats.find_seat(name), answer
        )

    @property
    def rung(self) -> list[str]:
        """What was said when clocks were up."""
        return [render(ring.text) for ring in self.rings]

    def left(self, key: str = "budget") -> list[int]:
        """The ticks left on all clocks of that kind."""
        return [
            clock.remaining_ticks
            for clock in self.keeper.clock_states
            if clock.key == key and clock.remaining_ticks is not None
        ]

    def faces(self) -> dict[str, str]:
        """What the clocks show, by their names."""
        return {render(clock.label): clock.display_text for clock in self.keeper.clock_states}


def do(session: Session, deed: str) -> None:
    """What a table does that is one word."""
    match deed:
        case "answer":
            session.answer(session.question_number, "yes")
        case "undo":
            session.undo()
        case "redo":
            session.redo()
        case "pause":
            session.pause_clocks()
        case "go on":
            session.resume_clocks()


def over(table: Table) -> GameResult:
    """The end: nobody has won anything."""
    return rank_seats(table.seats, lambda _: 0, lambda _: ())


def game_of(play: Any, *decks: str) -> Game:
    """A game that is that coroutine, with these decks."""
    return Game("clocked", 1, say("Clocked"), (2, 3), play, decks=decks)


async def rounds(table: Table) -> GameResult:
    """Everybody says go in turn, two questions a turn, a thousand times."""
    for _ in range(1000):
        for seat in table.seats:
            for word in ("go", "stop"):
                await Choose(seat, say("{word}?", word=word), {"yes": say("yes"), "pass": say("pass")})
    return over(table)


async def lots(table: Table) -> GameResult:
    """Open auctions, one after the other."""
    for lot in range(1000):
        chip = Piece(f"chip {lot}", say("chip {lot}", lot=lot))
        bids: dict[Seat, int] = {}
        turn = list(table.seats)
        while len(turn) > 1 or not bids:
            seat = turn.pop(0)
            bid = await Raise(seat, chip, bids=dict(bids), decline="withdraw" if bids else None)
            if bid is not None:
                bids[seat] = bid
                turn.append(seat)
    return over(table)


async def envelopes(table: Table) -> GameResult:
    """Sealed rounds."""
    for _ in range(1000):
        parts = {seat: Amount(seat, say("How many?"), 0, 9) for seat in table.seats}
        await Together[int](say("Sealed"), {**parts})
    return over(table)


ROUNDS, LOTS, ENVELOPES = game_of(rounds), game_of(lots), game_of(envelopes)
