"""One game being played: takes answers, drafts and corrections, goes back and forth, and knows the time.

It draws nothing, listens to no device, and is used by one thread.
It is a class in three chapters: how a game is `kept`, `going_back`, and here what people do at the table.
A little over 300 lines, because that is one short method a deed.
"""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import islice, takewhile
from random import Random
from typing import Any

import msgspec

from companion.cards import Deck, FaceLayout, TagLookup, shipped_deck, shipped_deck_file
from companion.clocks import ClockSettings
from companion.errors import (
    IllegalAnswer,
    RulesCrashed,
    UserError,
)
from companion.log.events import (
    DICE,
    SILENCE,
    Answered,
    Began,
    Event,
    Left,
    PutAway,
    Reopened,
    Returned,
)
from companion.log.memory import Log, Memory, Timing
from companion.log.timeline import in_order
from companion.rules.game import Game
from companion.rules.scene import Scene, Setup, check
from companion.screen_characters import check_showable
from companion.session.entering import load_entered
from companion.session.going_back import GoingBack
from companion.session.run import Run
from companion.session.silence import unanswered
from companion.table.scores import GameResult
from companion.table.seats import (
    SEAT_COLOURS,
    Seat,
    Seats,
    check_new_name,
    compose_name,
    make_new_seats,
    make_seats,
)
from companion.texts import say, say_list, text_to_json

PATIENCE = 50
"""Most default answers in a row for absent players; then the table must answer."""
NO_CLOCKS = ClockSettings()
"""Nobody looks at the time."""


def no_tags(uid: str) -> None:
    """The look-up of a table that has learnt no tags."""


class Session(GoingBack):
    """`Session.begin(game, ["Aki", "Ben"], {}, log=Memory())`, then `answer` until there is a `result`.

    Every input names the number `n` of the question it is meant for; late and double input is refused.
    `clock` gives monotonic seconds; `salt` gives the secret that makes a commitment unguessable.
    """

    def __init__(
        self,
        game: Game,
        events: Sequence[Event],
        log: Log,
        *,
        tags: TagLookup = no_tags,
        clock: Callable[[], float] = time.monotonic,
        salt: Callable[[], str] = lambda: secrets.token_hex(16),
    ) -> None:
        """Opens a game from its log; raises `RulesChanged` where the rulebook no longer asks the same."""
        super().__init__(game, events, log, tags, clock, salt)
        self._scene: tuple[Seats, Scene] | None = None

    @classmethod
    def begin(  # noqa: PLR0913 - each says one thing about a new game
        cls,
        game: Game,
        names: Sequence[str],
        options: Mapping[str, str],
        log: Log,
        *,
        colours: Sequence[str] = SEAT_COLOURS,
        decks: Mapping[str, Deck] | None = None,
        seed: int | None = None,
        clocks: ClockSettings = NO_CLOCKS,
        **outside: Any,
    ) -> Session:
        """A new game with these printed values, or those that come along.

        Raises `UserError` for people or options that don't fit, or a scene that doesn't fit the table.
        """
        game.check_players(names)
        for text in options.values():
            check_showable(text)
        seats = make_new_seats(names, colours)
        began = Began(
            game.key,
            game.version,
            tuple(seat.name for seat in seats),
            tuple(seat.colour for seat in seats),
            game.parse_options(options),
            {deck: shipped_deck(deck, game.folder) for deck in game.decks} if decks is None else dict(decks),
            secrets.randbits(32) if seed is None else seed,
        )
        game.check_options(began.options, began.decks)
        log.keep_timing(Timing(clocks.text))
        session = cls(game, [began], log, **outside)
        session.check_scene()
        game.check_names(began.names, session.table.ledger)
        session._commit(began)
        session.go_on()
        return session

    # What there is

    def moments(self) -> Iterator[Run]:
        """The table after each step in force, played again from the beginning; it is one Run that goes on."""
        run = self._replay(())
        for step in self.steps:
            run.take(step)
            yield run

    def earlier(self, kept: int) -> Session:
        """The game as it stood after the first `kept` things in force, to look at; its log is nobody's."""
        log = Memory([self.began, *in_order(self.steps[:kept])])
        log.rename([seat.name for seat in self.table.seats])
        return Session(self.game, list(log), log, tags=self._tags)

    @property
    def scene(self) -> Scene | None:
        """How the game says that its table looks."""
        return self.check_scene()

    def check_scene(self) -> Scene | None:
        """Gives it, or raises `UserError` for what isn't on the table: before a match is kept."""
        make, table = self.game.scene, self.table
        if make is None:
            return None
        if self._scene is None or self._scene[0] != table.seats:
            made = make(Setup(table.seats, table.options, self.began.decks))
            check(made, table.ledger, self.game.title)
            self._scene = table.seats, made
        return self._scene[1]

    @cached_property
    def looks(self) -> tuple[FaceLayout, ...]:
        """How the cards of its decks look."""
        found: list[FaceLayout] = []
        for deck in self.game.decks:
            with suppress(UserError):  # a deck of the owner's own has no file beside the rulebook
                found += shipped_deck_file(deck, self.game.folder).faces
        return tuple(found)

    def where(self) -> str:
        """The line of the rulebook the game waits at."""
        return self.run.where()

    # What people do

    def resume(self) -> None:
        """Goes on with a game that was opened: what silence would have answered meanwhile, it answers now."""
        self._wake_silence()

    def answer(self, n: int, given: object, via: str = "screen") -> None:
        """Answers the open question; when this returns, the answer is kept. It ends a pause."""
        self._answer(n, given, via)
        self._watch.start()
        if self._timeline.left:
            self._wake_silence()

    def _answer(self, n: int, given: object, via: str) -> None:
        question = self._open(n)
        if question.is_sealed:
            raise IllegalAnswer(say("Each player must answer this question alone."))
        self._keep_answer(question, load_entered(question, given), via)
        if self._envelopes.drafts:
            self._envelopes.drop()

    def roll(self, n: int) -> None:
        """Answers the open Roll with the companion's own dice; raises `IllegalAnswer` where there is none.

        They are drawn from the seed of the game and the answers in force. The number of the question would
        let people fish: undo renews it. So would a stream of chance: each undone roll would use it up. The
        count of the answers would tell beforehand what comes after another answer. So a roll that was taken
        back comes again as it was after the same answers, whatever was corrected, and the history shows it.
        """
        question = self._open(n)
        if not question.form.app_may_roll:
            raise IllegalAnswer(say("There are no dice to roll now."))
        answers = [(step.asks, step.answer) for step in self.steps if isinstance(step, Answered)]
        played = hashlib.sha256(msgspec.json.encode(answers, order="deterministic")).hexdigest()
        faces = question.sample(Random(f"{self.began.seed} {played}"))
        self.answer(n, question.dump(faces), DICE)

    def draft(self, n: int, seat: Seat, given: object, via: str = "screen") -> None:
        """Puts a seat's answer into its envelope, or another in its stead; the last one in opens them all.

        In a round that is open to all everybody sees it at once.
        """
        self._draft(n, seat, given, via)
        self.go_on()
        self._wake_silence()

    def _draft(self, n: int, seat: Seat, given: object, via: str) -> None:
        question = self._open(n)
        if not question.parts_by_seat:
            raise IllegalAnswer(
                say("The answers to the present question are not sealed: {question}", question=question.text)
            )
        if seat not in question.parts_by_seat:
            text = "{seat} isn't asked now. Sealed answers must come from: {names}."
            if not question.is_sealed:
                text = "{seat} isn't asked now. Answers must come from: {names}."
            raise IllegalAnswer(say(text, seat=seat, names=say_list(question.seats)))
        part = question.parts_by_seat[seat]
        self._seal(question, seat, part.dump(load_entered(part, given)), silent=via in SILENCE)
        if self._envelopes.full(question):
            self._reveal(question, via)

    def rename(self, seat: Seat, name: str) -> None:
        """Another name for a seat, whoever sits there now; no event, as the log knows seats by number."""
        self._not_put_away()
        name = compose_name(name)
        names = [name if one.number == seat.number else one.name for one in self.table.seats]
        make_seats(names, self.began.colours)
        check_new_name(name, [one.name for one in self.table.seats if one.number != seat.number])
        self.game.check_names([name], self.table.ledger)
        self._log.rename(names)
        self._taken_back.clear()  # the sentences have the old name
        self._stand(self._replay(self.steps))
        self._envelopes.reseat(self.table.seats)
        self._wake_silence()

    def leave(self, seat: Seat) -> None:
        """A player leaves: silence answers for the seat, and where it means only a ring, the table does."""
        self._not_put_away()
        if seat.number in self._timeline.left:
            raise UserError(say("{seat} has already left.", seat=seat))
        self._commit(Left(self.n, seat.number))
        self._answer_for_the_absent()

    def come_back(self, seat: Seat) -> None:
        """Somebody takes the seat again, and seals again where silence had sealed."""
        self._not_put_away()
        if seat.number not in self._timeline.left:
            raise UserError(say("{seat} is already at the table.", seat=seat))
        self._commit(Returned(self.n, seat.number))
        self._envelopes.reopen(seat)
        self._wake_silence()

    @property
    def absent(self) -> list[Seat]:
        """Whose players have left."""
        return [seat for seat in self.table.seats if seat.number in self._timeline.left]

    # Time

    @property
    def clocks(self) -> ClockSettings:
        """The clocks of this table; whoever runs the front end looks at them and says `time_up`."""
        return self._clocks

    @property
    def paused(self) -> bool:
        """Whether time stands still; a game with clocks is resumed so."""
        return self._watch.is_stopped

    def set_clocks(self, clocks: ClockSettings) -> None:
        """Other clocks from now on; no event, as no rule knows of time."""
        self._log.keep_timing(Timing(clocks.text, self.seconds))
        self._clocks = clocks

    def pause(self) -> None:
        """Time stands still until `go_on`, or until somebody answers; raises OSError if that isn't kept."""
        self._watch.stop()
        self._log.keep_timing(Timing(self._clocks.text, self.seconds))

    def go_on(self) -> None:
        """Time goes on."""
        self._watch.start()

    def time_up(self, n: int, seats: Sequence[Seat] | None = None) -> bool:
        """The limit of time is up for `seats`, or all who are asked: silence answers for those who haven't.

        False where that only means a ring.
        """
        question = self._open(n)
        answered = self._answer_for(question.seats if seats is None else seats, "clock")
        self._wake_silence()
        return answered

    def put_away(self) -> GameResult | None:
        """Ends the game, unless it is reopened; gives the result, or unfinished the score so far."""
        self._not_put_away()
        result = self.run.score()
        early = result is not self.result
        self._commit(PutAway(self.n, None if result is None else result.to_json(text_to_json), early))
        self._envelopes.drop()
        return result

    def reopen(self) -> None:
        """Takes the game up again as it stood when it was put away; the log and the record say so."""
        if not self.put_aside:
            raise UserError(say("This game has not been put away."))
        self._commit(Reopened(self.n))
        if self._clocks:
            self._watch.stop()
        self._wake_silence()

    # Silence

    def _wake_silence(self) -> None:
        """After whatever may have left a question to silence, unless something can still be redone.

        Or nobody could go back past what silence answered.
        """
        if self._timeline.left and not self.may_redo:
            self._answer_for_the_absent()

    def _answer_for_the_absent(self) -> None:
        """As long as only absent players are waited for; with nobody left at the table nothing goes on.

        Nor for ever: a rulebook may ask those who tie again and again, and silence would never decide.
        What can't be taken, or kept, waits for the table.
        """
        with suppress(UserError, RulesCrashed):
            for _ in range(self._silent_in_a_row, PATIENCE):
                if len(self.absent) == len(self.table.seats) or not self._answer_for(self.absent, "absent"):
                    break

    @property
    def _silent_in_a_row(self) -> int:
        """How many answers for absent players came last, so that waking silence doesn't begin them again."""
        silent = takewhile(lambda step: isinstance(step, Answered) and step.via == "absent", self.steps[::-1])
        return sum(1 for _ in islice(silent, PATIENCE))

    def _answer_for(self, silent: Sequence[Seat], via: str) -> bool:
        answers = list(unanswered(self.question, self.drafts, silent))
        for seat, given in answers:
            if seat is None:
                self._answer(self.n, given, via)
            else:
                self._draft(self.n, seat, given, via)
        return bool(answers)
