"""One table that does everything people can do, in any order, with every game that is installed, and dice."""

from random import Random

from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from companion.errors import (
    IllegalAnswer,
    ReplayConflict,
    RulesCrashed,
    StaleAnswer,
    UserError,
    WouldUndoReveal,
)
from companion.log.events import Answered, Corrected
from companion.requests import Roll, Together
from companion.session.session import Session
from companion.testing.random_game import APP_ROLL_FRACTION, RandomGame, replayable_state, sample_answer
from tests.conformance.registry import GAMES
from tests.support.fair_game import FAIR_GAME
from tests.support.soak import SOAK

PLAYED = [*GAMES, FAIR_GAME]
chances = st.integers(0, 2**32).map(Random)


class EveryGame(RuleBasedStateMachine):
    """Answer, seal, correct, undo, redo, amend, put away, reopen and restart, in any order."""

    trial: RandomGame
    books: dict[str, int]
    numbers: list[int]
    drafts: int

    @initialize(game=st.sampled_from(PLAYED), number=st.integers(0, 4), rng=chances)
    def begins(self, game: object, number: int, rng: Random) -> None:
        """A table sits down to a game."""
        chosen = next(one for one in PLAYED if one is game)
        self.trial = RandomGame.begin(chosen, number, rng)
        self.books = self.session.table.ledger.total_by_piece_key()
        self.numbers = [self.session.question_number]

    @property
    def session(self) -> Session:
        """The running program's session."""
        return self.trial.session

    @rule(rng=chances, often=st.integers(1, 12))
    def answers(self, rng: Random, often: int) -> None:
        """Some answers, each of which uses up a number."""
        for _ in range(often):
            question, n = self.session.question, self.session.question_number
            if question is None or isinstance(question, Together):
                return
            try:
                if isinstance(question, Roll) and rng.random() < APP_ROLL_FRACTION:
                    self.rolls(n)
                    continue
                self.session.answer(n, sample_answer(question, rng))
            except (RulesCrashed, IllegalAnswer):
                self.only_a_correction_may_crash_the_rules()
                return
            self.used_up(n)

    @precondition(lambda self: isinstance(self.session.question, Together))
    @rule(rng=chances)
    def seals(self, rng: Random) -> None:
        """One seat seals an answer, or another in its stead; only the last one in uses up the number."""
        session, question = self.session, self.session.question
        assert isinstance(question, Together)
        seat, n = rng.choice(question.seats), session.question_number
        waiting = set(question.seats) - set(session.drafts) - {seat}
        try:
            session.put_answer_in_envelope(n, seat, sample_answer(question.parts_by_seat[seat], rng))
        except (RulesCrashed, IllegalAnswer):
            self.only_a_correction_may_crash_the_rules()
            return
        if waiting:
            assert session.question_number == n
            assert set(session.drafts) == set(question.seats) - waiting
        else:
            self.used_up(n)
            assert not session.drafts

    @rule(rng=chances)
    def corrects(self, rng: Random) -> None:
        """People move some pieces by hand; the question keeps its number and what fits, or it is another."""
        accounts = list(self.session.table.ledger)
        source = rng.choice([account for account in accounts if account.count] or accounts)
        target = rng.choice([account for account in accounts if account.piece == source.piece])
        before, sealed, n = (
            replayable_state(self.session),
            set(self.session.drafts),
            self.session.question_number,
        )
        try:
            settled = self.session.correct(
                source.place.key, target.place.key, source.piece.key, rng.randint(0, 5), "miscounted"
            )
        except UserError:
            assert replayable_state(self.session) == before
            return
        assert set(self.session.drafts) == (sealed if self.session.question_number == n else set())
        assert self.session.waiting_redo_count or not self.session.may_redo
        if settled.why_asked_again is None:
            assert self.session.question_number == n
        else:
            self.used_up(n)

    @rule(sure=st.booleans())
    def undoes(self, sure: bool) -> None:
        """The last thing in force is taken back, past a reveal only after a second question."""
        before, n = replayable_state(self.session), self.session.question_number
        try:
            self.session.undo(past_reveal=sure)
        except WouldUndoReveal:
            assert not sure
            assert replayable_state(self.session) == before
        except UserError:
            assert not self.session.steps
        else:
            self.used_up(n)
            assert not self.session.drafts

    @rule(count=st.sampled_from([1, 1, 2, 99]))
    def redoes(self, count: int) -> None:
        """What was taken back counts again; of what an amendment took back as much as was offered."""
        before, n, steps, offered = (
            replayable_state(self.session),
            self.session.question_number,
            self.session.steps,
            self.session.fitting_redo_count,
        )
        try:
            self.session.redo(count)
        except ReplayConflict:
            assert replayable_state(self.session) == before
            assert not offered
        except UserError:
            assert not self.session.may_redo
        else:
            self.used_up(n)
            # A correction that counted before a sealed round was opened does so again.
            assert [step for step in self.session.steps if step in steps] == list(steps)
            if offered:
                assert len(self.session.steps) == len(steps) + min(count, offered)

    @precondition(lambda self: any(isinstance(step, Answered) for step in self.session.steps))
    @rule(rng=chances, back=st.booleans(), sure=st.booleans())
    def amends(self, rng: Random, back: bool, sure: bool) -> None:
        """An earlier answer becomes another; if a later one misfits, all stays or the game goes back."""
        answered = [step for step in self.session.steps if isinstance(step, Answered)]
        event = rng.choice(answered).n
        seat, given = self.trial.sample_answer_to_earlier_question(event)
        before, n = replayable_state(self.session), self.session.question_number
        try:
            self.session.amend_answer(event, given, seat, go_back=back, past_reveal=sure)
        except ReplayConflict:
            assert not back
            assert replayable_state(self.session) == before
        except WouldUndoReveal:
            assert back
            assert not sure
            assert replayable_state(self.session) == before
        except RulesCrashed:
            self.only_a_correction_may_crash_the_rules()
            assert replayable_state(self.session) == before
        else:
            self.used_up(n)
            assert not self.session.drafts

    @rule()
    def restarts(self) -> None:
        """The program is started again and goes on with what its log holds."""
        self.trial = self.trial.reopen_from_log()

    @rule(restarts=st.booleans())
    def puts_away_and_reopens(self, *, restarts: bool) -> None:
        """What was put away by mistake stands as it did, its envelopes open, under a number never used."""
        session, n = self.session, self.session.question_number
        steps, log_key = list(session.steps), session.question and session.question.log_key
        session.put_away()
        if restarts:
            self.trial = self.trial.reopen_from_log()
        self.session.reopen()
        self.used_up(n)
        assert not self.session.drafts
        assert (list(self.session.steps), self.session.question and self.session.question.log_key) == (
            steps,
            log_key,
        )

    @rule(rng=chances)
    def answers_late(self, rng: Random) -> None:
        """An answer to any other question than the open one is refused, whatever it says."""
        before = replayable_state(self.session)
        late = rng.choice([0, self.session.question_number + 1, *self.numbers[:-1]])
        try:
            self.session.answer(late, rng.choice([None, 1, True]))
        except StaleAnswer:
            assert replayable_state(self.session) == before
            return
        raise AssertionError("a late answer was taken")

    def rolls(self, n: int) -> None:
        """The companion rolls; taken back and rolled again, the same comes up."""
        self.session.roll_app_dice(n)
        self.used_up(n)
        rolled = self.session.rulebook_run.answered_questions[-1].answer
        self.session.undo()
        self.used_up(n + 1)
        self.session.roll_app_dice(n + 2)
        self.used_up(n + 2)
        assert self.session.rulebook_run.answered_questions[-1].answer == rolled

    def used_up(self, n: int) -> None:
        """The number is spent: the next question has a higher one, never used before."""
        assert self.session.question_number == n + 1
        assert self.session.question_number not in self.numbers
        self.numbers.append(self.session.question_number)

    def only_a_correction_may_crash_the_rules(self) -> None:
        """Our own rules fail, or no answer is legal, only where people took away by hand what they need."""
        assert len([step for step in self.session.steps if not isinstance(step, Answered)]) > 0

    @invariant()
    def the_log_tells_all(self) -> None:
        """Folding the log from its beginning gives the live table: question, number, drafts, ledger."""
        if hasattr(self, "trial"):
            self.trial.check_replay()
            assert self.trial.reopen_from_log().session.drafts == self.session.drafts

    @invariant()
    def the_books_balance(self) -> None:
        """No piece is ever made or lost."""
        if hasattr(self, "trial"):
            assert self.session.table.ledger.total_by_piece_key() == self.books


EveryGame.TestCase.settings = settings(
    max_examples=500 if SOAK else 20,
    stateful_step_count=40,
    deadline=None,
    derandomize=not SOAK,
    suppress_health_check=list(HealthCheck),
)
TestEveryGame = EveryGame.TestCase


def test_a_correction_before_a_reveal_is_redone_before_it() -> None:
    """It was put among what lay there when people sealed; taken back and redone it stands there again."""
    machine, mammon = EveryGame(), next(game for game in PLAYED if game.key == "mammon")
    machine.begins(game=mammon, number=0, rng=Random(0))
    machine.answers(often=1, rng=Random(0))
    machine.seals(rng=Random(0))
    machine.seals(rng=Random(1))
    machine.corrects(rng=Random(343))
    kinds = [type(step) for step in machine.session.steps]
    assert kinds == [Answered, Corrected, Answered]
    machine.undoes(sure=False)
    machine.redoes(count=1)
    assert [type(step) for step in machine.session.steps] == kinds
