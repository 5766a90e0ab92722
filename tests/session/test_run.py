"""One rulebook at work on one table."""

import msgspec
import pytest

from companion.errors import ReplayConflict, RulesCrashed
from companion.log.events import Answered, Began, Corrected, Step
from companion.requests import Amount
from companion.rules.game import Game, NumberOption, RulebookCoroutine
from companion.session.run import RulebookRun, replay_steps
from companion.session.session import find_no_card
from companion.table.scores import GameResult
from companion.table.seats import SEAT_COLOURS
from companion.table.table import OptionValue, Table
from companion.texts import say
from tests.support.stall_game import STALL_GAME

BEGAN = Began("stall", 1, ("Aki", "Ben"), SEAT_COLOURS[:2], {}, {}, 7)
GEMS = say("Gems")
MENU, BID = "Choose: What now?", "Together @1 @2: Sealed bid"


def answered(n: int, asks: str, answer: object) -> Answered:
    """Question n was answered."""
    return Answered(n, asks, answer, "screen", 0.0)


def played(*steps: Step) -> RulebookRun:
    """The stall after these steps."""
    return replay_steps(STALL_GAME, BEGAN, steps, find_no_card)


def test_a_replay_leads_to_the_same_table() -> None:
    """The answers of a log are enough; each question is remembered with what it led to."""
    run = played(answered(1, MENU, "sell"), answered(2, BID, {"1": 3, "2": 4}), answered(4, MENU, "give"))
    assert [told.question_number for told in run.answered_questions] == [1, 2, 4]
    assert run.question is not None
    assert run.result is None


def test_a_result_ends_it() -> None:
    """After the result nothing is asked."""
    run = played(answered(1, MENU, "close"))
    assert run.question is None
    assert run.result is not None
    assert run.current_rulebook_line() == ""


@pytest.mark.parametrize(
    ("steps", "why"),
    [
        (
            [answered(1, BID, {"1": 1, "2": 1})],
            "“Aki, Ben: Sealed bid” is no longer possible (answer 1). The question now is: “What now?”",
        ),
        ([answered(1, MENU, "dance")], '“What now?” is no longer possible (answer 1). "dance" can\'t'),
        (
            [answered(1, MENU, "close"), answered(2, MENU, "give")],
            "“What now?” is no longer possible (answer 2). The game is already over at that point.",
        ),
        (
            [Corrected(1, "till", "@2/front", "gem", 99, "why", 0.0)],
            "“Corrected: 99 gems from till to Ben's front (why)” is no longer possible (answer 1). till",
        ),
        (
            [Corrected(1, "till", "@3/front", "gem", 1, "why", 0.0)],
            "“Corrected (why)” is no longer possible (answer 1). There is no place called @3/front",
        ),
    ],
)
def test_what_does_not_fit_is_named(steps: list[Step], why: str) -> None:
    """Another question, an illegal answer, a step too many, or pieces that aren't there: with names."""
    with pytest.raises(ReplayConflict) as misfit:
        played(*steps)
    assert why in str(misfit.value)


@pytest.mark.parametrize(("kept", "gems"), [({}, 3), ({"gems": 5}, 5), ({"gems": 5, "gone": 1}, 5)])
def test_an_option_that_a_log_lacks_has_its_default(kept: dict[str, OptionValue], gems: int) -> None:
    """A log from before an option was there opens with its default; what it has itself counts as it was."""

    async def rules(table: Table) -> GameResult:
        await Amount(table.seats[0], GEMS, most=int(str(table.options["gems"])))
        return GameResult(())

    game = Game(
        "hoard", 1, say("Hoard"), (2, 3), rules, (NumberOption("gems", GEMS, GEMS, 3, least=1, most=9),)
    )
    question = RulebookRun(game, msgspec.structs.replace(BEGAN, options=kept), find_no_card).question
    assert question is not None
    assert question.limits_json["most"] == gems


def test_rules_that_crash_are_said_to_crash() -> None:
    """Whatever a rulebook raises, also before its first question, is its own fault."""
    with pytest.raises(RulesCrashed) as crash:
        played(answered(1, MENU, "fail"))
    assert isinstance(crash.value.__cause__, RuntimeError)

    async def nothing_works(table: Table) -> object:
        raise KeyError(table)

    def play(table: Table) -> RulebookCoroutine:
        return nothing_works(table)  # type: ignore[return-value]  # it never comes to a result

    with pytest.raises(RulesCrashed, match="The rules of Broken crashed at the start: KeyError: "):
        RulebookRun(Game("broken", 1, say("Broken"), (2, 3), play), BEGAN, find_no_card)
