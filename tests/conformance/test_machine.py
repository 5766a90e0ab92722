"""A state machine that does everything people can do, in any order, with every installed game, and dice."""

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

PLAYED_GAMES = [*GAMES, FAIR_GAME]
random_generators = st.integers(0, 2**32).map(Random)


class GameMachine(RuleBasedStateMachine):
    """Answer, seal, correct, undo, redo, amend, put away, reopen and restart, in any order."""

    trial: RandomGame
    piece_totals: dict[str, int]
    used_numbers: list[int]
    drafts: int

    @initialize(game=st.sampled_from(PLAYED_GAMES), number=st.integers(0, 4), rng=random_generators)
    def begin_game(self, game: object, number: int, rng: Random) -> None:
        """Begins a game."""
        chosen = next(one for one in PLAYED_GAMES if one is game)
        self.trial = RandomGame.begin(chosen, number, rng)
        self.piece_totals = self.session.table.ledger.total_by_piece_key()
        self.used_numbers = [self.session.question_number]

    @property
    def session(self) -> Session:
        """The session of the running program."""
        return self.trial.session

    @rule(rng=random_generators, count=st.integers(1, 12))
    def answer_questions(self, rng: Random, count: int) -> None:
        """Gives some answers, each of which uses up a question number."""
        for _ in range(count):
            question, n = self.session.question, self.session.question_number
            if question is None or isinstance(question, Together):
                return
            try:
                if isinstance(question, Roll) and rng.random() < APP_ROLL_FRACTION:
                    self.roll_dice(n)
                    continue
                self.session.answer(n, sample_answer(question, rng))
            except (RulesCrashed, IllegalAnswer):
                self.check_a_correction_was_made()
                return
            self.check_number_is_used_up(n)

    @precondition(lambda self: isinstance(self.session.question, Together))
    @rule(rng=random_generators)
    def seal_answer(self, rng: Random) -> None:
        """Seals or replaces an answer of one seat; only the last missing answer uses up the number."""
        session, question = self.session, self.session.question
        assert isinstance(question, Together)
        seat, n = rng.choice(question.seats), session.question_number
        waiting = set(question.seats) - set(session.drafts) - {seat}
        try:
            session.put_answer_in_envelope(n, seat, sample_answer(question.parts_by_seat[seat], rng))
        except (RulesCrashed, IllegalAnswer):
            self.check_a_correction_was_made()
            return
        if waiting:
            assert session.question_number == n
            assert set(session.drafts) == set(question.seats) - waiting
        else:
            self.check_number_is_used_up(n)
            assert not session.drafts

    @rule(rng=random_generators)
    def correct_pieces(self, rng: Random) -> None:
        """Moves pieces by hand; the question keeps its number and drafts, or another question is asked."""
        accounts = list(self.session.table.ledger)
        source = rng.choice([account for account in accounts if account.count] or accounts)
        target = rng.choice([account for account in accounts if account.piece == source.piece])
        before, sealed, n = (
            replayable_state(self.session),
            set(self.session.drafts),
            self.session.question_number,
        )
        try:
            result = self.session.correct(
                source.place.key, target.place.key, source.piece.key, rng.randint(0, 5), "miscounted"
            )
        except UserError:
            assert replayable_state(self.session) == before
            return
        assert set(self.session.drafts) == (sealed if self.session.question_number == n else set())
        assert self.session.waiting_redo_count or not self.session.may_redo
        if result.why_asked_again is None:
            assert self.session.question_number == n
        else:
            self.check_number_is_used_up(n)

    @rule(sure=st.booleans())
    def undo(self, sure: bool) -> None:
        """Undoes the last step; past a reveal only with a confirmation."""
        before, n = replayable_state(self.session), self.session.question_number
        try:
            self.session.undo(past_reveal=sure)
        except WouldUndoReveal:
            assert not sure
            assert replayable_state(self.session) == before
        except UserError:
            assert not self.session.steps
        else:
            self.check_number_is_used_up(n)
            assert not self.session.drafts

    @rule(count=st.sampled_from([1, 1, 2, 99]))
    def redo(self, count: int) -> None:
        """Redoes undone steps; after an amendment as many as fit."""
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
            self.check_number_is_used_up(n)
            # A correction that came before the opening of a sealed round comes before it again.
            assert [step for step in self.session.steps if step in steps] == list(steps)
            if offered:
                assert len(self.session.steps) == len(steps) + min(count, offered)

    @precondition(lambda self: any(isinstance(step, Answered) for step in self.session.steps))
    @rule(rng=random_generators, back=st.booleans(), sure=st.booleans())
    def amend_answer(self, rng: Random, back: bool, sure: bool) -> None:
        """Amends an earlier answer; if a later answer conflicts, nothing changes or the game goes back."""
        answered = [step for step in self.session.steps if isinstance(step, Answered)]
        event = rng.choice(answered).n
        seat, given = self.trial.sample_amendment(event)
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
            self.check_a_correction_was_made()
            assert replayable_state(self.session) == before
        else:
            self.check_number_is_used_up(n)
            assert not self.session.drafts

    @rule()
    def restart(self) -> None:
        """Restarts the program from its log."""
        self.trial = self.trial.reopen_from_log()

    @rule(restarts=st.booleans())
    def put_away_and_reopen(self, *, restarts: bool) -> None:
        """Puts the game away and reopens it: it is unchanged, without envelopes, under a new number."""
        session, n = self.session, self.session.question_number
        steps, log_key = list(session.steps), session.question and session.question.log_key
        session.put_away()
        if restarts:
            self.trial = self.trial.reopen_from_log()
        self.session.reopen()
        self.check_number_is_used_up(n)
        assert not self.session.drafts
        assert (list(self.session.steps), self.session.question and self.session.question.log_key) == (
            steps,
            log_key,
        )

    @rule(rng=random_generators)
    def answer_late(self, rng: Random) -> None:
        """Checks that an answer to another question than the open one is refused."""
        before = replayable_state(self.session)
        late = rng.choice([0, self.session.question_number + 1, *self.used_numbers[:-1]])
        try:
            self.session.answer(late, rng.choice([None, 1, True]))
        except StaleAnswer:
            assert replayable_state(self.session) == before
            return
        raise AssertionError("a late answer was taken")

    def roll_dice(self, n: int) -> None:
        """Rolls the app's dice; after an undo, a new roll has the same result."""
        self.session.roll_app_dice(n)
        self.check_number_is_used_up(n)
        rolled = self.session.rulebook_run.answered_questions[-1].answer
        self.session.undo()
        self.check_number_is_used_up(n + 1)
        self.session.roll_app_dice(n + 2)
        self.check_number_is_used_up(n + 2)
        assert self.session.rulebook_run.answered_questions[-1].answer == rolled

    def check_number_is_used_up(self, n: int) -> None:
        """Checks that the next question has the next number, which was never used before."""
        assert self.session.question_number == n + 1
        assert self.session.question_number not in self.used_numbers
        self.used_numbers.append(self.session.question_number)

    def check_a_correction_was_made(self) -> None:
        """Checks that there was a correction: only then may the rules crash, or have no legal answer."""
        assert len([step for step in self.session.steps if not isinstance(step, Answered)]) > 0

    @invariant()
    def check_log_restores_game(self) -> None:
        """Checks that replaying the log gives the same question, number, drafts and ledger."""
        if hasattr(self, "trial"):
            self.trial.check_replay()
            assert self.trial.reopen_from_log().session.drafts == self.session.drafts

    @invariant()
    def check_piece_totals(self) -> None:
        """Checks that no piece is made or lost."""
        if hasattr(self, "trial"):
            assert self.session.table.ledger.total_by_piece_key() == self.piece_totals


GameMachine.TestCase.settings = settings(
    max_examples=500 if SOAK else 20,
    stateful_step_count=40,
    deadline=None,
    derandomize=not SOAK,
    suppress_health_check=list(HealthCheck),
)
TestEveryGame = GameMachine.TestCase


def test_a_correction_before_a_reveal_is_redone_before_it() -> None:
    """A correction during a sealed round comes before its answers, also after an undo and a redo."""
    machine, mammon = GameMachine(), next(game for game in PLAYED_GAMES if game.key == "mammon")
    machine.begin_game(game=mammon, number=0, rng=Random(0))
    machine.answer_questions(count=1, rng=Random(0))
    machine.seal_answer(rng=Random(0))
    machine.seal_answer(rng=Random(1))
    machine.correct_pieces(rng=Random(343))
    kinds = [type(step) for step in machine.session.steps]
    assert kinds == [Answered, Corrected, Answered]
    machine.undo(sure=False)
    machine.redo(count=1)
    assert [type(step) for step in machine.session.steps] == kinds
