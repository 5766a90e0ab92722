"""One game being played: order, numbers, drafts, going back and forth, and what a bad day may bring."""

from collections.abc import Callable
from itertools import count
from typing import Any

import msgspec
import pytest

from companion import logtext
from companion.bounds import MAX_EVENTS_PER_GAME
from companion.errors import (
    EventNotSaved,
    IllegalAnswer,
    ReplayConflict,
    RulesCrashed,
    RulesDifferFromLog,
    StaleAnswer,
    UnknownName,
    UserError,
    WouldUndoReveal,
)
from companion.log.events import Answered, Corrected, PlayerLeft, PlayerReturned, PutAway, Sealed
from companion.log.log import MemoryLog, SealedDraft
from companion.session.corrections import CorrectionResult
from companion.session.session import Session
from companion.table.seats import Seat
from companion.testing.random_game import question_as_json_text, replayable_state
from companion.texts import render
from tests.support.stall_game import CHANGED_STALL_GAME, CRASHING_BID, STALL_GAME, FailingLog

Deed = Callable[["Stall"], object]


class Stall:
    """Aki and Ben at the market stall, and the disk their game is kept on."""

    def __init__(self) -> None:
        self.disk = FailingLog()
        self.seconds = 0.0
        salts = count(1)
        self.outside: dict[str, Any] = {
            "clock": lambda: self.seconds,
            "salt": lambda: f"{next(salts):032x}",
        }
        self.session = Session.begin(STALL_GAME, ["Aki", "Ben"], {}, self.disk, seed=7, **self.outside)

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Aki and Ben."""
        return self.session.table.seats

    def says(self, *choices: object) -> None:
        """Answers what is open, such as the menu."""
        for choice in choices:
            self.session.answer(self.session.question_number, choice)

    def seals(self, **bids: int) -> None:
        """Sealed bids by name."""
        for name, bid in bids.items():
            self.session.put_answer_in_envelope(
                self.session.question_number, self.session.table.seats.find_seat(name), bid
            )

    def corrects(self, number: int = 1, piece: str = "gem", reason: str = "miscounted") -> CorrectionResult:
        """Moves something out of the till, or coins from Aki into it."""
        places = ("till", "Aki/front") if piece == "gem" else ("Aki/purse", "till")
        return self.session.correct(*places, piece, number, reason)

    def restarts(self, disk: FailingLog | None = None) -> Session:
        """The program is started again."""
        self.session = Session(STALL_GAME, list(self.disk), disk or self.disk, **self.outside)
        return self.session

    def everything(self) -> tuple[object, ...]:
        """All that a refused deed may not change."""
        return (
            replayable_state(self.session),
            dict(self.session.drafts),
            list(self.disk),
            self.session.may_redo,
        )

    def has(self, place: str, piece: str = "gem") -> int:
        """How many of a piece lie somewhere."""
        return self.session.table.ledger.find_account_by_keys(place, piece).count


@pytest.fixture
def stall() -> Stall:
    """A game that has just begun."""
    return Stall()


def selling(stall: Stall) -> Stall:
    """Aki has a gem, a second one was given and taken back, and Aki's bid for another is in."""
    stall.says("give", "give")
    stall.session.undo()
    stall.says("sell")
    stall.seals(Aki=4)
    return stall


# Beginning


def test_a_front_end_looks_tags_up_as_the_rules_do() -> None:
    """Whoever teaches or names a tag asks the same table of tags that answers are read with."""
    learnt = {"04a2": ("egypt", "6.1")}
    session = Session.begin(STALL_GAME, ["Aki", "Ben"], {}, MemoryLog(), tags=learnt.get)
    assert session.tags("04a2") == ("egypt", "6.1")
    assert session.tags("04a3") is None


def test_a_game_begins(stall: Stall) -> None:
    """The log keeps who plays what, and the first question has the number 1."""
    began = stall.session.began
    assert (began.game, began.names, began.colours, began.seed) == (
        "stall",
        ("Aki", "Ben"),
        ("orange", "sky"),
        7,
    )
    assert list(stall.disk) == [began]
    assert stall.session.question_number == 1
    assert not stall.session.steps


def test_chance_comes_from_outside() -> None:
    """Without a seed every game has its own."""
    seeds = {Session.begin(STALL_GAME, ["Aki", "Ben"], {}, FailingLog()).began.seed for _ in range(4)}
    assert len(seeds) == 4


@pytest.mark.parametrize(
    ("names", "options", "why"),
    [
        (["Aki"], {}, "Stall is for 2 to 3 players, not 1."),
        (["Aki", "Aki"], {}, "Aki is used twice"),
        (["Aki", "Ben"], {"unit": "gold"}, "Stall has no option unit. Its options: none."),
    ],
)
def test_who_can_not_begin(names: list[str], options: dict[str, str], why: str) -> None:
    """People and options that don't fit are refused, and nothing is kept."""
    disk = FailingLog()
    with pytest.raises(UserError, match=why):
        Session.begin(STALL_GAME, names, options, disk)
    assert not disk


def test_a_game_that_can_not_be_kept_does_not_begin() -> None:
    """A full disk is said at once."""
    disk = FailingLog()
    disk.is_full = True
    with pytest.raises(EventNotSaved, match="No space left on device"):
        Session.begin(STALL_GAME, ["Aki", "Ben"], {}, disk)


# Answers and their numbers


def test_an_answer_is_checked_sent_kept_and_shown(stall: Stall) -> None:
    """What is legal changes the table and is in the log with its time and device."""
    stall.seconds = 2.5004
    stall.session.answer(1, "give", answer_source="keypad 2")
    assert stall.has("Aki/front") == 1
    assert stall.disk[-1] == Answered(1, "Choose: What now?", "give", "keypad 2", 2.5)
    assert stall.session.question_number == 2


@pytest.mark.parametrize("given", ["Sell a gem", None, 1, {}])
def test_what_is_illegal_changes_nothing(stall: Stall, given: object) -> None:
    """A refusal says what is allowed, and the question stays open."""
    before = stall.everything()
    with pytest.raises(
        IllegalAnswer,
        match=r'Choose from: "sell" \(Sell a gem\), "give" \(Give a gem\), "fail" \(Fail\), "close" ',
    ):
        stall.session.answer(1, given)
    assert stall.everything() == before


def test_double_and_late_answers_are_dropped(stall: Stall) -> None:
    """An answer counts for the question it was meant for, once."""
    stall.says("give")
    before = stall.everything()
    for n, why in (
        (1, "Question 1 has been answered"),
        (0, "There is no question 0"),
        (3, "Question 3 isn't open yet"),
    ):
        with pytest.raises(StaleAnswer, match=f"{why}. Question 2 is open now"):
            stall.session.answer(n, "give")
        with pytest.raises(StaleAnswer):
            stall.session.put_answer_in_envelope(n, stall.seats[0], 4)
    assert stall.everything() == before


def test_a_number_is_never_used_twice(stall: Stall) -> None:
    """Answers, undo, redo and amendments use up a number each; corrections and seals keep it."""
    numbers = [stall.session.question_number]

    def then(*, new: bool) -> None:
        assert (stall.session.question_number == numbers[-1] + 1) is new
        numbers.append(stall.session.question_number)

    stall.says("give")
    then(new=True)
    stall.session.undo()
    then(new=True)
    stall.session.redo()
    then(new=True)
    stall.corrects()
    then(new=False)
    stall.session.amend_answer(1, "give")
    then(new=True)
    stall.says("sell")
    then(new=True)
    stall.seals(Aki=3)
    then(new=False)
    stall.restarts()
    then(new=False)
    stall.seals(Ben=2)
    then(new=True)


def test_a_number_is_kept_as_a_number(stall: Stall) -> None:
    """Python's True equals 1; in the log stands 1."""
    stall.session.answer(True, "give")
    first = stall.disk[-1]
    assert isinstance(first, Answered)
    assert type(first.n) is int


def test_time_goes_on_after_a_restart(stall: Stall) -> None:
    """While the program doesn't run, no time passes in the game."""
    stall.seconds = 10.0
    stall.says("give")
    stall.seconds = 1_000.0
    stall.restarts()
    stall.seconds = 1_001.0
    stall.says("give")
    assert [step.at for step in stall.session.steps] == [10.0, 11.0]


# Sealed answers


def test_a_round_is_sealed_until_all_are_in(stall: Stall) -> None:
    """Each envelope is committed to and kept apart; the last one opens them all and leaves no draft."""
    stall.says("sell")
    stall.seals(Aki=4)
    sealed = stall.disk[-1]
    assert isinstance(sealed, Sealed)
    assert sealed.commitment == stall.disk.drafts()[0].commitment
    stall.seals(Ben=3)
    answered = stall.disk[-1]
    assert isinstance(answered, Answered)
    assert answered.answer == {"1": 4, "2": 3}
    opened = SealedDraft(2, 1, 4, answered.salts["1"])
    assert opened.commitment == sealed.commitment
    assert stall.disk.drafts() == []
    assert stall.session.drafts == {}
    assert (stall.has("Aki/front"), stall.has("Ben/front")) == (1, 0)


def test_a_sealed_answer_can_be_replaced_until_all_are_in(stall: Stall) -> None:
    """The last one counts; the earlier one is destroyed."""
    stall.says("sell")
    stall.seals(Aki=4)
    stall.seals(Aki=9)
    assert [draft.answer for draft in stall.disk.drafts()] == [9]
    stall.seals(Ben=8)
    assert stall.has("Aki/front") == 1


def test_only_who_is_asked_may_seal(stall: Stall) -> None:
    """A sealed answer needs a question to that seat, an open one needs an open question."""
    with pytest.raises(
        IllegalAnswer, match=r"^The answers to the present question are not sealed: What now\?$"
    ):
        stall.seals(Aki=4)
    stall.says("sell")
    with pytest.raises(IllegalAnswer, match="Each player must answer this question alone"):
        stall.session.answer(2, {"1": 4, "2": 3})
    with pytest.raises(IllegalAnswer, match=r"^Aki can't answer that\.$"):
        stall.seals(Aki=21)
    assert stall.session.drafts == {}


def test_sealed_answers_outlive_the_program(stall: Stall) -> None:
    """Started again, the same envelopes are closed and the same question is open."""
    selling(stall)
    before = stall.everything()
    stall.restarts()
    assert stall.everything() == before
    stall.seals(Ben=3)
    assert stall.has("Aki/front") == 2


def test_drafts_that_count_no_longer_are_destroyed_at_the_start(stall: Stall) -> None:
    """Drafts of another question, without a commitment, of nobody who is asked, or that nobody reads."""
    stall.says("sell")
    stall.seals(Aki=4)
    kept = stall.disk.drafts()
    stall.disk.add_draft(SealedDraft(1, 2, 5, "salt"))
    stall.disk.add_draft(SealedDraft(2, 2, 5, "salt"))
    unfit = SealedDraft(2, 2, "ten", "salt")
    stall.disk.add_draft(unfit)
    stall.disk.append(Sealed(2, 2, unfit.commitment))
    stall.restarts()
    assert stall.disk.drafts() == kept
    assert list(stall.session.drafts) == [stall.seats[0]]


def test_drafts_to_no_open_round_are_destroyed_at_the_start(stall: Stall) -> None:
    """A draft whose question was never sealed doesn't count."""
    stray = SealedDraft(1, 2, 5, "salt")
    stall.disk.add_draft(stray)
    stall.disk.append(Sealed(1, 2, stray.commitment))
    stall.restarts()
    assert stall.disk.drafts() == []


def test_a_full_set_is_opened_at_the_start(stall: Stall) -> None:
    """Where the plug was pulled between the last envelope and the reveal, the start reveals."""
    selling(stall)
    last = SealedDraft(stall.session.question_number, 2, 3, "salt")
    stall.disk.add_draft(last)
    stall.disk.append(Sealed(last.n, 2, last.commitment))
    stall.restarts()
    assert stall.has("Aki/front") == 2
    revealed = stall.disk[-1]
    assert isinstance(revealed, Answered)
    assert revealed.via == "resume"
    assert stall.disk.drafts() == []


def test_a_full_set_that_can_not_be_opened_waits(stall: Stall) -> None:
    """On a full disk the game opens with all envelopes closed; whoever seals again opens them."""
    selling(stall)
    stall.disk.is_full = stall.disk.can_save_drafts_when_full = False
    last = SealedDraft(stall.session.question_number, 2, 3, "salt")
    stall.disk.add_draft(last)
    stall.disk.append(Sealed(last.n, 2, last.commitment))
    stall.disk.is_full = True
    stall.restarts()
    assert len(stall.session.drafts) == 2
    stall.disk.is_full = False
    stall.seals(Ben=3)
    assert stall.has("Aki/front") == 2


# Corrections


def test_a_correction_counts_at_once(stall: Stall) -> None:
    """It moves pieces while a question is open, is kept with its reason, and its seats by number."""
    stall.says("give")
    assert stall.corrects(2) == CorrectionResult()
    assert stall.has("Aki/front") == 3
    assert stall.disk[-1] == Corrected(2, "till", "@1/front", "gem", 2, "miscounted", 0.0)
    stall.restarts()
    assert stall.has("Aki/front") == 3


@pytest.mark.parametrize(
    ("correction", "error", "why"),
    [
        (("till", "Aki/front", "gem", 10, "why"), IllegalAnswer, "till has only 8 gems, not 10"),
        (("till", "Aki/front", "gem", 0, "why"), IllegalAnswer, "Move at least 1"),
        (("till", "Aki/front", "gem", True, "why"), IllegalAnswer, "whole number"),
        (("till", "Aki/front", "gem", 1.0, "why"), IllegalAnswer, "whole number"),
        (("till", "till", "gem", 1, "why"), IllegalAnswer, "Nothing can move from till to the same place"),
        (("Ben/purse", "till", "coin", 41, "why"), IllegalAnswer, "These pieces can't come from Ben's purse"),
        (("Ben/purse", "till", "coin", 0, "why"), IllegalAnswer, "Move at least 1"),
        (("till", "Chie/front", "gem", 1, "why"), UnknownName, "There is no place called Chie/front"),
        (("till", "Aki/front", "card", 1, "why"), UnknownName, "no piece called card. Pieces: gem"),
        (("till", "Aki/front", "gem", 1, "  "), UserError, "needs a reason, in one line"),
        (("till", "Aki/front", "gem", 1, "two\nlines"), UserError, "needs a reason, in one line"),
    ],
)
def test_a_correction_that_is_refused(
    stall: Stall, correction: Any, error: type[Exception], why: str
) -> None:
    """What isn't there can't be moved, and every correction needs a reason."""
    stall.says("give")
    before = stall.everything()
    with pytest.raises(error, match=why):
        stall.session.correct(*correction)
    assert stall.everything() == before


def test_a_correction_touches_no_envelope(stall: Stall) -> None:
    """Who sealed what can't be paid any more is asked again once all are open, alone."""
    stall.says("sell")
    stall.seals(Aki=20)
    assert stall.corrects(1, "coin") == CorrectionResult()
    assert tuple(stall.session.drafts) == stall.seats[:1]
    stall.restarts()
    stall.seals(Ben=5)
    assert render(stall.session.table.notes[-1]) == "Only Aki must answer again: Aki can't answer that."
    assert question_as_json_text(stall.session.question).startswith('["Amount @1: Sealed bid"')
    stall.restarts()
    with pytest.raises(IllegalAnswer, match=r"^Aki can't answer that\.$"):
        stall.says(20)
    stall.says(19)
    assert stall.has("Aki/front") == 1
    assert stall.has("till", "coin") == 1 + 19


def test_all_that_was_opened_is_legal_at_one_moment(stall: Stall) -> None:
    """Where somebody is asked again, a correction meanwhile counts for what the others gave, too."""
    stall.says("sell")
    stall.seals(Aki=20)
    stall.corrects(1, "coin")
    stall.seals(Ben=5)
    stall.session.correct("Ben/purse", "till", "coin", 16, "miscounted")
    stall.says(19)
    assert question_as_json_text(stall.session.question).startswith('["Amount @2: Sealed bid"')
    stall.says(4)
    assert stall.has("Aki/front") == 1


def test_whoever_is_asked_again_may_be_silent(stall: Stall) -> None:
    """A player who sealed and left: silence answers what is asked again."""
    stall.says("sell")
    stall.seals(Aki=20)
    stall.corrects(1, "coin")
    stall.session.mark_player_absent(stall.seats[0])
    stall.seals(Ben=5)
    assert stall.has("Ben/front") == 1
    assert [told.answer for told in stall.session.rulebook_run.answered_questions[-1:]] == [0]


def test_what_is_asked_again_can_be_taken_back(stall: Stall) -> None:
    """Undo asks it once more, then asks before it closes what all have seen; an amendment needs what fits."""
    stall.says("sell")
    stall.seals(Aki=20)
    stall.corrects(1, "coin")
    stall.seals(Ben=5)
    stall.says(19)
    stall.session.undo()
    assert question_as_json_text(stall.session.question).startswith('["Amount @1: Sealed bid"')
    with pytest.raises(WouldUndoReveal):
        stall.session.undo()
    with pytest.raises(IllegalAnswer, match="can't answer that"):
        stall.session.amend_answer(2, 20, stall.seats[0])
    stall.session.amend_answer(2, 18, stall.seats[0])
    assert stall.has("Aki/front") == 1


def test_after_the_end_only_undo_corrects(stall: Stall) -> None:
    """A final score is corrected by going back."""
    stall.says("give", "close")
    with pytest.raises(UserError, match=r"The game is over\. Undo first, then correct"):
        stall.corrects()
    with pytest.raises(UserError, match=r"The game is over\. There are no more questions"):
        stall.says("give")
    assert stall.session.result is not None
    stall.session.undo()
    stall.corrects()


# Undo and redo


def test_undo_says_what_to_move_back(stall: Stall) -> None:
    """The last thing in force is taken back, answer or correction, and redo puts it back."""
    stall.says("give")
    stall.corrects(2)
    assert [render(move) for move in stall.session.undo()] == ["2 gems from Aki's front back to till"]
    assert [render(move) for move in stall.session.undo()] == ["1 gem from Aki's front back to till"]
    assert [render(move) for move in stall.session.redo()] == ["1 gem from till to Aki's front"]
    assert stall.session.may_redo
    stall.says("give")
    assert not stall.session.may_redo


def test_there_must_be_something_to_undo_and_redo(stall: Stall) -> None:
    """At the beginning nothing can be undone, and without an undo nothing redone."""
    with pytest.raises(UserError, match="There is nothing to undo"):
        stall.session.undo()
    with pytest.raises(UserError, match="There is nothing to redo"):
        stall.session.redo()


def test_undo_past_a_reveal_asks_first(stall: Stall) -> None:
    """What was seen can't be unseen; confirmed, the round is asked again."""
    selling(stall)
    stall.seals(Ben=3)
    before = stall.everything()
    with pytest.raises(WouldUndoReveal):
        stall.session.undo()
    assert stall.everything() == before
    stall.session.undo(past_reveal=True)
    assert question_as_json_text(stall.session.question).startswith('["Together')


@pytest.mark.parametrize("after", [0, 1, 2])
def test_any_reveal_in_between_asks_first(stall: Stall, after: int) -> None:
    """However much was answered since: whoever goes back past a reveal says so."""
    selling(stall)
    stall.seals(Ben=3)
    stall.says(*["give"] * after)
    before = stall.everything()
    with pytest.raises(WouldUndoReveal):
        stall.session.undo_to_step_count(0)
    assert stall.everything() == before
    stall.session.undo_to_step_count(0, past_reveal=True)
    assert stall.session.steps == []


def test_no_reveal_in_between_asks_nothing(stall: Stall) -> None:
    """What was opened before stays open, so that going back to there needs no second word."""
    selling(stall)
    stall.seals(Ben=3)
    stall.says("give", "give")
    stall.session.undo_to_step_count(3)
    assert len(stall.session.steps) == 3


def test_a_negative_number_of_steps_goes_back_to_the_beginning(stall: Stall) -> None:
    """The running rulebook and the log agree afterwards: no step is in force."""
    selling(stall)
    stall.seals(Ben=3)
    stall.says("give", "give")
    stall.session.undo_to_step_count(-2, past_reveal=True)
    assert (stall.session.steps, stall.session.rulebook_run.steps) == ([], [])


@pytest.mark.parametrize("deed", ["undo", "redo", "amend"])
def test_going_back_drops_the_sealed_answers(stall: Stall, deed: str) -> None:
    """Undo, redo and amend destroy what is in the envelopes of the open question."""
    stall.says("give", "give", "sell")
    if deed == "redo":
        stall.seals(Aki=1, Ben=2)
        stall.session.undo(past_reveal=True)
    stall.seals(Aki=4)
    deeds: dict[str, Callable[[], object]] = {
        "undo": stall.session.undo,
        "redo": stall.session.redo,
        "amend": lambda: stall.session.amend_answer(1, "give"),
    }
    deeds[deed]()
    assert stall.session.drafts == {}
    assert stall.disk.drafts() == []


# Amendments


def test_an_earlier_answer_can_be_changed(stall: Stall) -> None:
    """All later answers count on, and what to move by hand is said."""
    stall.says("sell")
    stall.seals(Aki=4, Ben=3)
    stall.says("give")
    moves = stall.session.amend_answer(2, 5, stall.seats[1])
    assert (stall.has("Aki/front"), stall.has("Ben/front")) == (1, 1)
    assert [render(move) for move in moves] == ["1 gem from Aki's front to Ben's front"]


@pytest.mark.parametrize(
    ("event", "given", "seat", "why"),
    [
        (2, 4, None, "Whose answer do you want to change"),
        (2, 21, 0, "Aki can't answer that"),
        (1, "Sell", None, '"Sell" can\'t be chosen now'),
        (1, "give", 0, "The answers to that question were not sealed: "),
        (9, "give", None, "Answer 9 can't be changed"),
        (3, "give", None, "Answer 3 can't be changed"),
    ],
)
def test_an_amendment_that_is_refused(
    stall: Stall, event: int, given: object, seat: int | None, why: str
) -> None:
    """An amendment is checked as the answer was, against the question as it was asked."""
    stall.says("sell")
    stall.seals(Aki=4, Ben=3)
    before = stall.everything()
    with pytest.raises(UserError, match=why):
        stall.session.amend_answer(event, given, None if seat is None else stall.seats[seat])
    assert stall.everything() == before


def test_an_amendment_that_no_longer_fits(stall: Stall) -> None:
    """It names the first later event that no longer fits, and changes nothing unless told to go back."""
    stall.says("give", "sell")
    stall.seals(Aki=4, Ben=3)
    stall.says("give")
    before = stall.everything()
    with pytest.raises(ReplayConflict) as misfit:
        stall.session.amend_answer(2, "give")
    assert misfit.value.event_number == 3
    assert str(misfit.value) == (
        "“Aki: 4, Ben: 3” is no longer possible (answer 3). The question now is: “What now?”"
    )
    assert stall.everything() == before
    with pytest.raises(WouldUndoReveal):
        stall.session.amend_answer(2, "give", go_back=True)
    assert stall.everything() == before
    stall.session.amend_answer(2, "give", go_back=True, past_reveal=True)
    assert [step.n for step in stall.session.steps] == [1, 2]
    assert stall.has("Aki/front") == 2


def test_after_going_back_the_rest_can_be_redone(stall: Stall) -> None:
    """Where it fits again; else redo says why not and changes nothing."""
    stall.says("give", "close")
    stall.session.undo()
    stall.says("sell")
    stall.seals(Aki=4, Ben=3)
    number = stall.session.steps[1].n
    stall.session.amend_answer(number, "give", go_back=True, past_reveal=True)
    before = stall.everything()
    assert (stall.session.may_redo, stall.session.waiting_redo_count) == (False, 1)
    with pytest.raises(ReplayConflict, match="“Aki: 4, Ben: 3” is no longer possible"):
        stall.session.redo()
    assert stall.everything() == before
    stall.session.amend_answer(number, "sell")
    assert (stall.session.may_redo, stall.session.fitting_redo_count) == (True, 1)
    stall.session.redo()
    assert (stall.has("Aki/front"), stall.session.waiting_redo_count) == (2, 0)


def test_an_amendment_past_the_end(stall: Stall) -> None:
    """Answers that come after the game's new end no longer fit."""
    stall.says("give", "give")
    with pytest.raises(ReplayConflict, match="The game is already over at that point"):
        stall.session.amend_answer(1, "close")
    stall.session.amend_answer(1, "close", go_back=True)
    assert stall.session.result is not None


def test_a_correction_can_misfit_too(stall: Stall) -> None:
    """Later corrections are checked like answers: what isn't there any more can't be moved."""
    stall.says("give")
    stall.session.correct("Aki/front", "Ben/front", "gem", 1, "whose was it?")
    stall.session.amend_answer(1, "give")
    with pytest.raises(
        ReplayConflict, match=r"“Corrected: 1 gem from Aki's front to Ben's front .* has only 0 gems"
    ):
        stall.session.amend_answer(1, "sell")


# Putting away


def test_what_was_put_away_stays_away(stall: Stall) -> None:
    """Nothing can be done with it any more, and its drafts are destroyed."""
    selling(stall)
    stall.session.put_away()
    assert stall.session.is_put_away
    assert stall.disk[-1] == PutAway(stall.session.question_number, None)
    assert stall.disk.drafts() == []
    deeds: list[Callable[[], object]] = [
        *(stall.session.undo, stall.session.redo, stall.session.put_away, stall.corrects),
        *(
            lambda: stall.seals(Ben=3),
            lambda: stall.says("give"),
            lambda: stall.session.amend_answer(1, "give"),
        ),
    ]
    for deed in deeds:
        with pytest.raises(UserError, match="This game has been put away"):
            deed()


def test_envelopes_of_a_game_put_away_stay_closed(stall: Stall) -> None:
    """A draft that could not be destroyed when the game was put away is not opened by the next start."""
    selling(stall)
    stall.disk.cannot_erase = True
    stall.session.put_away()
    stall.disk.cannot_erase = False
    assert len(stall.disk.drafts()) == 1
    assert stall.restarts().drafts == {}
    assert stall.disk.drafts() == []


def test_a_finished_game_keeps_its_score(stall: Stall) -> None:
    """The final score is kept as plain values that need no rules to be read."""
    stall.says("give", "close")
    stall.session.put_away()
    put_away = stall.disk[-1]
    assert isinstance(put_away, PutAway)
    assert put_away.result is not None
    assert put_away.result["winners"] == ["Aki"]


# A disk that is full


DEEDS: dict[str, Deed] = {
    "answer": lambda stall: stall.says("give"),
    "correct": lambda stall: stall.corrects(),
    "undo": lambda stall: stall.session.undo(),
    "redo": lambda stall: stall.session.redo(),
    "amend": lambda stall: stall.session.amend_answer(1, "sell", go_back=True),
    "put away": lambda stall: stall.session.put_away(),
}


@pytest.mark.parametrize("deed", DEEDS.values(), ids=DEEDS)
def test_on_a_full_disk_nothing_is_taken(stall: Stall, deed: Deed) -> None:
    """Question, number, drafts and ledger stay as they were, and with room again all goes on."""
    stall.says("give", "give", "give")
    stall.session.undo()
    before = stall.everything()
    stall.disk.is_full = True
    with pytest.raises(
        EventNotSaved, match=r"^This could not be saved, so it doesn't count: .*No space left"
    ):
        deed(stall)
    assert stall.everything() == before
    stall.disk.is_full = False
    deed(stall)
    assert stall.everything() != before


@pytest.mark.parametrize("room_for_drafts", [False, True])
def test_on_a_full_disk_no_envelope_closes(stall: Stall, room_for_drafts: bool) -> None:
    """Whether the draft or its commitment can't be kept: the envelope is as before, to be closed later."""
    selling(stall)
    before = stall.everything()
    stall.disk.is_full, stall.disk.can_save_drafts_when_full = True, room_for_drafts
    for name in ("Aki", "Ben"):
        with pytest.raises(EventNotSaved):
            stall.seals(**{name: 9})
        assert stall.everything() == before
    stall.disk.is_full = False
    assert stall.restarts().drafts == before[1]
    stall.seals(Ben=3)
    assert stall.has("Aki/front") == 2


@pytest.mark.parametrize("deed", ["replace", "reveal", "undo"])
def test_what_can_not_be_erased_is_erased_later(stall: Stall, deed: str) -> None:
    """What was kept counts, even where the disk refuses to destroy a draft that no longer does."""
    selling(stall)
    stall.disk.cannot_erase = True
    deeds: dict[str, Callable[[], object]] = {
        "replace": lambda: stall.seals(Aki=5),
        "reveal": lambda: stall.seals(Ben=3),
        "undo": stall.session.undo,
    }
    deeds[deed]()
    now = replayable_state(stall.session)
    stall.disk.cannot_erase = False
    assert replayable_state(stall.restarts()) == now
    assert [draft.answer for draft in stall.disk.drafts()] == ([5] if deed == "replace" else [])


# Rules that fail


def test_an_answer_that_crashes_the_rules_does_not_count(stall: Stall) -> None:
    """The table is rebuilt without it; undo, corrections and other answers still work."""
    stall.says("give")
    before = stall.everything()
    with pytest.raises(RulesCrashed, match=r"The rules of Stall crashed here\. The answer doesn't count"):
        stall.says("fail")
    assert stall.everything() == before
    stall.corrects()
    stall.session.undo()
    stall.says("give")
    assert stall.has("Aki/front") == 2


def test_a_reveal_that_crashes_the_rules_leaves_the_envelopes_closed(stall: Stall) -> None:
    """All stay in; whoever seals another answer opens them; the next start doesn't fail."""
    selling(stall)
    with pytest.raises(RulesCrashed):
        stall.seals(Ben=CRASHING_BID)
    assert len(stall.session.drafts) == 2
    stall.restarts()
    assert len(stall.session.drafts) == 2
    stall.seals(Ben=3)
    assert stall.has("Aki/front") == 2


def test_an_amendment_that_crashes_the_rules_changes_nothing(stall: Stall) -> None:
    """The table stays as it was."""
    stall.says("give", "give")
    before = stall.everything()
    with pytest.raises(RulesCrashed):
        stall.session.amend_answer(1, "fail")
    assert stall.everything() == before


def test_rules_that_changed_are_named_at_their_event(stall: Stall) -> None:
    """A saved game that is no longer asked the same says at which event, and what is asked now."""
    stall.says("give", "give")
    with pytest.raises(RulesDifferFromLog) as changed:
        Session(CHANGED_STALL_GAME, list(stall.disk), stall.disk)
    assert changed.value.event == 2
    assert "“What now?” is no longer possible (answer 2). The question now is: “Aki: What else?”" in str(
        changed.value
    )


def test_rules_that_crash_on_a_saved_answer_are_named_at_their_event(stall: Stall) -> None:
    """A rulebook that fails while a saved game is opened is named with the event; nothing is lost."""
    stall.says("give", "give")
    saved = [
        msgspec.structs.replace(event, answer="fail") if getattr(event, "n", 0) == 2 else event
        for event in stall.disk
    ]
    with pytest.raises(RulesDifferFromLog) as changed:
        Session(STALL_GAME, saved, stall.disk)
    assert changed.value.event == 2
    assert "The rules crashed at event 2 (What now?)." in str(changed.value)
    assert isinstance(changed.value.__cause__, RulesCrashed)


def test_a_saved_game_without_its_printed_values_says_so(stall: Stall) -> None:
    """Where the log lacks a deck the rulebook uses, its name is said before the first event."""
    with pytest.raises(
        RulesDifferFromLog, match=r"The printed values of these cards are missing: gems\."
    ) as changed:
        Session(msgspec.structs.replace(STALL_GAME, decks=("gems",)), list(stall.disk), stall.disk)
    assert changed.value.event == 0


def test_where_the_game_waits(stall: Stall) -> None:
    """Error reports name the lines of the rulebook, outermost first; after the end there is none."""
    assert stall.session.current_rulebook_line().startswith("play_stall:")
    stall.says("sell")
    assert " › sell_gem:" in stall.session.current_rulebook_line()
    stall.seals(Aki=1, Ben=2)
    stall.says("close")
    assert stall.session.current_rulebook_line() == ""


def test_a_log_that_is_full(stall: Stall) -> None:
    """Nothing more is taken but that the game is put away; then its log is as long as one that is read."""
    for _ in range(MAX_EVENTS_PER_GAME // 2 - 1):
        stall.disk += [PlayerLeft(1, 1), PlayerReturned(1, 1)]
    session = Session(STALL_GAME, stall.disk, stall.disk, **stall.outside)
    session.mark_player_absent(session.table.seats[0])
    asks = question_as_json_text(session.question)
    deeds: list[Deed] = [
        lambda _: session.mark_player_returned(session.table.seats[0]),
        lambda _: session.answer(session.question_number, "give"),
    ]
    for deed in deeds:
        with pytest.raises(
            EventNotSaved, match=r"This game's log is full\. Put the game away and begin another\."
        ):
            deed(stall)
        assert question_as_json_text(session.question) == asks
    session.put_away()
    assert logtext.parse_log_text(logtext.format_log_text(stall.disk)) == list(stall.disk)
