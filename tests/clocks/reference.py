"""What budgets must be at the table of `ROUNDS`, reckoned without any of the program's own code."""

from __future__ import annotations

BUDGET, INCREMENT = 3_600_000, 7_000
CLOCKS = f"budget={BUDGET // 1000} ring, increment={INCREMENT // 1000}"
SEATS = 3
DELAY = 11_000
"""Of the delay clocks; it is longer than many answers."""


def with_delay(key: str) -> str:
    """The settings of a table with that kind of delay instead of an increment."""
    return f"budget={BUDGET // 1000} ring, {key}={DELAY // 1000}"


class Reference:
    """All in thousandths of a second of play; two questions are a turn."""

    def __init__(self) -> None:
        self.now = self.kept = self.asked = 0
        self.answers = self.undone = 0
        self.spent = [0] * SEATS
        self.paused = False

    @property
    def asks(self) -> int:
        """Whose question is open, from 0."""
        return self.answers // 2 % SEATS

    @property
    def left(self) -> list[int]:
        """What everybody has left."""
        turns = [turn % SEATS for turn in range(self.answers // 2)]
        own = [BUDGET + INCREMENT * turns.count(seat) - self.spent[seat] for seat in range(SEATS)]
        own[self.asks] -= self.now - self.asked
        return own

    def wait(self, some: int) -> None:
        """Time goes by."""
        self.now += 0 if self.paused else some

    def answer(self) -> None:
        """The open question is answered, which ends a pause."""
        self.spent[self.asks] += self.now - self.asked
        self.answers, self.undone, self.paused = self.answers + 1, 0, False
        self._keep()

    def undo(self) -> None:
        """The last answer is taken back."""
        self.answers, self.undone = self.answers - 1, self.undone + 1
        self._keep()

    def redo(self) -> None:
        """It is put back."""
        self.answers, self.undone = self.answers + 1, self.undone - 1
        self._keep()

    def pause(self) -> None:
        """Time stands still."""
        self.paused, self.kept = True, self.now

    def go_on(self) -> None:
        """It goes on."""
        self.paused = False

    def die(self) -> None:
        """The plug is pulled: what was not kept never was, and the clocks stand still afterwards."""
        self.now, self.paused = self.kept, True

    def _keep(self) -> None:
        self.asked = self.kept = self.now


class DelayReference(Reference):
    """What a turn took up to the delay costs nothing: simple at once, Bronstein's afterwards."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.is_simple = key == "delay"
        self.turn = 0
        self.free = [0] * SEATS

    @property
    def left(self) -> list[int]:
        """What everybody has left."""
        own = [BUDGET + self.free[seat] - self.spent[seat] for seat in range(SEATS)]
        running = self.now - self.asked
        own[self.asks] += (min(DELAY, self.turn + running) if self.is_simple else 0) - running
        return own

    def answer(self) -> None:
        """The second answer ends a turn."""
        self.turn += self.now - self.asked
        if self.answers % 2:
            self._end_turn()
        super().answer()

    def undo(self) -> None:
        """The turn that was open is over."""
        self._end_turn()
        super().undo()

    def redo(self) -> None:
        """So it is here."""
        self._end_turn()
        super().redo()

    def _end_turn(self) -> None:
        self.free[self.asks] += min(DELAY, self.turn)
        self.turn = 0
