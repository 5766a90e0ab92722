"""An evening of some people, from which golden logs and demos come: whoever plays, it is always the same."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from random import Random

from companion.errors import ReplayConflict
from companion.log.events import Event
from companion.log.log import MemoryLog
from companion.requests import Raise
from companion.rules.game import Game
from companion.session.session import Session

ROOT = Path(__file__).parents[1]
GOLDEN, DEMOS = Path("tests/golden"), Path("companion/games")
NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi", "Fumi", "Gen", "Hana", "Ian", "Jun", "Ken", "Lea")
SCREEN, KEYPAD, READER = "screen", "keypad", "reader"
SLIPS = ("undo", "amend", "correct", "redo")


class Evening:
    """Some people, a game, and a clock that goes on only when somebody does something.

    `slips` are what goes wrong and is mended, each as soon as it can.
    """

    def __init__(
        self, game: Game, players: int, options: Mapping[str, str], seed: int, slips: Sequence[str] = ()
    ) -> None:
        self.rng = Random(seed)
        self.slips = list(slips)
        self.misheard: tuple[int, int] | None = None
        self.log = MemoryLog()
        self._now = 0.0
        self.session = Session.begin(
            game,
            NAMES[:players],
            options,
            self.log,
            seed=seed,
            clock=lambda: self._now,
            salt=lambda: f"{self.rng.getrandbits(128):032x}",
        )

    def answer(self, given: object, via: str = SCREEN, *, after: float = 3.0) -> None:
        """Answers the open question after about so many seconds."""
        self.wait(after)
        self.session.answer(self.session.question_number, given, via)

    def wait(self, seconds: float) -> None:
        """Time passes: about so many seconds, a tenth exactly."""
        self._now = round(self._now + self.rng.uniform(0.5, 1.5) * seconds, 1)

    def happens(self, chance: float) -> bool:
        """Whether something of this chance happens."""
        return self.rng.random() < chance

    def say_bid(self, question: Raise, bid: int | None, *, misheard_after: int) -> None:
        """Types the bid, or at first another one; or a lower one, of which `misheard` keeps what was said."""
        step, most = question.step, question.highest_publicly_allowed
        if bid is not None and (most is None or bid < most) and self.slip("undo", 12):
            self.answer(bid + step, KEYPAD)
            self.wait(4)
            self.session.undo()
        if bid is not None and bid > question.lowest_allowed_bid and self.slip("amend", misheard_after):
            self.misheard = self.session.question_number, bid
            bid -= step
        self.answer(bid, KEYPAD, after=4)
        if self.slip("redo", 60):
            self.wait(3)
            self.session.undo()
            self.session.redo()

    def speak_up(self) -> None:
        """Whoever was misheard says so once another has answered; if that is too late, at the next time."""
        if self.misheard is None or self.misheard[0] >= self.session.question_number - 1:
            return
        event, said = self.misheard
        self.misheard = None
        try:
            self.wait(10)
            self.session.amend_answer(event, said)
        except ReplayConflict:
            self.slips.append("amend")

    def slip(self, what: str, after: int) -> bool:
        """Whether this goes wrong now: once, and not before question `after`."""
        due = what in self.slips and self.session.question_number >= after
        if due:
            self.slips.remove(what)
        return due

    def over(self) -> list[Event]:
        """People look at the score for a while and put the game away; gives the whole log."""
        self.wait(60)
        self.session.put_away()
        return list(self.log)
