"""What an amendment took back is offered again, as long as it fits."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from companion.errors import ReplayConflict, UserError
from companion.games.bidders.rulebook import GAME as BIDDERS
from companion.games.egypt.rulebook import GAME as EGYPT
from companion.log.events import Corrected, Redone
from companion.requests import Choose, Done, OptionRequirement
from companion.rules.game import Game
from companion.session.session import Session
from companion.table.ledger import Piece
from companion.table.scores import GameResult, rank_seats
from companion.table.table import Table
from companion.testing import Script
from companion.texts import Labelled, say, say_n
from tests.support.stall_game import STALL_GAME


async def walk(table: Table) -> GameResult:
    """One question a letter, all the way that was chosen; the rules can't stand the end of some."""
    ways: dict[str, Labelled] = {way: say("{way}", way=way) for way in WAYS}
    way = await Choose(None, say("Which way?"), ways)
    for letter in way.removesuffix("!"):
        await Done(None, say("{letter}", letter=letter))
    if way.endswith("!"):
        raise ZeroDivisionError
    return rank_seats(table.seats, lambda seat: 0, lambda seat: ())


AS_IT_WAS = ("abcdef", "abcd", "abcab", "abcda", "abca", "aba", "abc")
WAYS = (*AS_IT_WAS, "acdef", "adef", "axbcd", "axcd", "aab", "aa", "aax", "xa!")
WALK = Game("walk", 1, say("Walk"), (1, 1), walk)


async def kiosk(table: Table) -> GameResult:
    """One coin buys a newspaper, once."""
    coin = Piece("coin", say("coin"), count_label=say_n("{n} coin", "{n} coins", n=2))
    purse = table.supply_from_box(table.account(coin, say("purse"), table.seats[0]))
    box = table.account(coin, say("box"))
    options: dict[str, Labelled] = {"buy": say("A newspaper"), "wait": say("Nothing yet")}
    needs = {"buy": OptionRequirement(purse, 1, say("Aki has no coin."))}
    while (chosen := await Choose(table.seats[0], say("What now?"), options, needs)) != "wait" or purse.count:
        if chosen == "buy":
            table.move(purse, box)
    return rank_seats(table.seats, lambda seat: 0, lambda seat: ())


KIOSK = Game("kiosk", 1, say("Kiosk"), (1, 1), kiosk)


def bidders(*lines: str) -> Script:
    """Four at Bidders!, the first cards turned up."""
    script = Script(BIDDERS, "Aki", "Ben", "Chie", "Dai").says("table: Aki", "table: done")
    return script.says("table: turns card:W1", "table: turns card:B1", *lines)


def egypt(*lines: str) -> Script:
    """Three at Egypt, the cards dealt."""
    return Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki", "table: done", *lines)


def offered(script: Script) -> tuple[int, int]:
    """How much waits, and how much of it fits now."""
    return script.session.waiting_redo_count, script.session.fitting_redo_count


def reopened(script: Script) -> tuple[int, int]:
    """What waits and what fits, once the program was started again."""
    session = Session(script.session.game, list(script.log), script.log)
    return session.waiting_redo_count, session.fitting_redo_count


BIDS = "Aki 3", "Ben 4", "Chie withdraws", "Aki withdraws", "Aki pays 6 6 6", "Ben pays 4 6 6", "Ben 1"


def test_the_misfit_is_answered_anew_and_the_rest_is_redone() -> None:
    """Whoever bid too little bids again; then what came later is put back, in one act as far as it fits."""
    script = egypt(*BIDS).says("amend 3: Aki 6, going back")
    assert (script.question_log_key, offered(script)) == ("Raise Ben: chip 4", (6, 0))
    assert not script.session.may_redo
    with pytest.raises(
        ReplayConflict, match=r"“Ben bids 4 for daughter 4\.” is no longer possible \(answer 4\)\. Ben must"
    ):
        script.session.redo()
    script.says("Ben 8")
    assert (script.question_log_key, offered(script), reopened(script)) == (
        "Raise Chie: chip 4",
        (5, 2),
        (5, 2),
    )
    script.says("redo 2")
    assert (script.question_log_key, offered(script), reopened(script)) == (
        "Read Aki: Payment for chip 4",
        (3, 0),
        (3, 0),
    )
    script.says("Aki pays 6 6 6 6 6 6", "Ben pays 4 4 4 4")
    assert (script.question_log_key, offered(script)) == ("Raise Ben: chip 5", (1, 1))
    script.says("redo 9")
    assert (script.question_log_key, offered(script), script.session.may_redo) == (
        "Raise Chie: chip 5",
        (0, 0),
        False,
    )
    assert script.history_texts[2:] == [
        "Aki bids 6 for daughter 4.",
        "Ben bids 8 for daughter 4.",
        "Chie withdraws.",
        "Aki withdraws.",
        "Aki lays down 6 cards.",
        "Ben lays down 4 cards.",
        "Ben bids 1 for daughter 5.",
    ]


def misfit_of(script: Script) -> str:
    """What redo says that no longer fits."""
    with pytest.raises(ReplayConflict) as refused:
        script.session.redo()
    return str(refused.value)


@pytest.mark.parametrize(
    ("script", "told"),
    [
        (lambda: egypt(*BIDS).says("amend 3: Aki 6, going back"), "“Ben bids 4 for daughter 4.”"),
        (
            lambda: Script(KIOSK, "Aki").says("Aki: wait", "Aki: buy", "amend 1: Aki: buy, going back"),
            "“Aki: What now? → A newspaper”",
        ),
        (
            lambda: Script(KIOSK, "Aki").says(
                "Aki: wait", "Aki: wait", "amend 2: Aki: buy", "amend 1: Aki: buy, going back"
            ),
            "“Aki: What now? → A newspaper”",
        ),
    ],
)
def test_what_does_not_fit_is_told_as_well_after_a_restart(script: Callable[[], Script], told: str) -> None:
    """The log alone knows what an option was called: the answer is told by its question, as it was asked."""
    before = misfit_of(played := script())
    assert told in before
    assert misfit_of(played.says("restart")) == before


def test_event_by_event() -> None:
    """Redo puts back one thing at a time, as long as it fits; an answer by hand takes the place of one."""
    script = egypt(*BIDS).says("amend 3: Aki 6, going back", "Ben 8", "redo")
    assert (script.history_texts[-1], offered(script)) == ("Chie withdraws.", (4, 1))
    script.says("Aki 9")
    assert (script.question_log_key, offered(script)) == ("Raise Ben: chip 4", (3, 0))
    script.says("Ben withdraws")
    assert offered(script) == (3, 0)
    script.says("Aki pays 4 4 4 4 6")
    assert offered(script) == (2, 0)


def white_to_pass() -> Script:
    """Aki said white and laid 2 workers, but had meant to pass."""
    script = bidders("Aki: white", "Aki 2", "Ben: white", "Ben 3", "Chie: pass", "Dai: pass", "Aki: pass")
    return script.says(f"amend {script.question_number - 7}: Aki: pass, going back")


def test_what_is_not_asked_any_more_is_left_out() -> None:
    """Where Aki passes nobody asks for workers, and the bids of the others come again at once."""
    script = white_to_pass()
    assert (script.question_log_key, offered(script)) == (
        "Choose Ben: Round 1: bid on a card, or pass",
        (6, 5),
    )
    script.says("redo 5")
    assert isinstance(last := script.log[-1], Redone)
    assert (last.count, last.skipped) == (5, 1)
    assert (script.question_log_key, offered(script)) == ("Together Aki Chie: Round 1: cooperation", (0, 0))


def test_who_answers_by_hand_leaves_the_rest_to_be_redone() -> None:
    """What isn't asked any more goes with the answer that takes the place of the next one."""
    script = white_to_pass().says("Ben: black")
    assert offered(script) == (4, 0)
    script.says("Ben 1")
    assert (script.question_log_key, offered(script)) == (
        "Choose Chie: Round 1: bid on a card, or pass",
        (4, 3),
    )
    assert script.says("redo 3").history_texts[-1] == "Aki passes."


def test_what_was_not_asked_then_leaves_all_of_it() -> None:
    """Where Aki bids instead of passing, the workers are new; the answers of the others wait."""
    script = bidders("Aki: pass", "Ben: black", "Ben 1", "Chie: pass", "Dai: pass")
    script.says(f"amend {script.question_number - 5}: Aki: white, going back")
    assert (script.question_log_key.split(": ")[-1], offered(script)) == (
        "your workers on the white card",
        (4, 0),
    )
    script.says("Aki 2")
    assert offered(script) == (4, 4)


def test_a_correction_comes_with_the_answer_before_which_it_was_made() -> None:
    """It is put back like an answer, left out where it can't be; one made since leaves the rest."""
    lines = (
        "table: sell",
        "Aki 4",
        "Ben 3",
        "correct 1 gem from Aki/front to Ben/front: whose?",
        "table: give",
    )
    script = Script(STALL_GAME, "Aki", "Ben").says(*lines, "table: close")
    script.says("amend 1: table: give, going back past a reveal")
    assert offered(script) == (4, 3)
    script.says("correct 1 gem from Aki/front to till: lost")
    assert (offered(script), reopened(script)) == ((4, 2), (4, 2))
    script.says("redo")
    assert script.history_texts[-1] == "What now? Give a gem"
    assert not any(isinstance(step, Corrected) for step in script.session.steps[2:])


def test_a_correction_that_no_longer_fits_waits_until_it_does() -> None:
    """It is put back by itself once what it moved is there again."""
    script = Script(STALL_GAME, "Aki", "Ben").says(
        "table: give", "correct 1 gem from Aki/front to Ben/front: whose?"
    )
    script.says("amend 1: table: sell, going back")
    assert offered(script) == (1, 0)
    script.says("Aki 4", "Ben 3")
    assert offered(script) == (1, 1)
    assert script.says("redo").moves_by_hand == ["1 gem from Aki's front to Ben's front"]


def test_a_later_answer_to_the_same_question_is_not_taken_for_an_earlier_one() -> None:
    """The bids of one sale are not offered for another."""
    script = Script(STALL_GAME, "Aki", "Ben").says(
        "table: give", "table: sell", "Aki 4", "Ben 3", "table: close"
    )
    script.says("amend 1: table: sell, going back past a reveal")
    assert offered(script) == (3, 0)
    assert script.says("Aki 5", "Ben 2").history_texts[-1] == "Aki: 5, Ben: 2"
    assert offered(script) == (3, 3)


@pytest.mark.parametrize(
    ("before", "after", "waiting", "fitting"),
    [
        ("abcdef", "acdef", 5, 4),  # one isn't asked any more
        ("abcdef", "adef", 5, 3),  # two aren't
        ("abcd", "axbcd", 3, 0),  # one is new
        ("abcd", "axcd", 3, 0),  # another in its stead
        ("abcab", "aab", 4, 0),  # what comes only later isn't taken for what comes now
        ("abcda", "aa", 4, 0),  # more would be left out than put back
        ("abca", "aax", 3, 0),
        ("aba", "aa", 2, 1),  # as much as is left out
        ("abcd", "abc", 1, 0),  # nothing is asked at all
    ],
)
def test_where_to_go_on(before: str, after: str, waiting: int, fitting: int) -> None:
    """At the next answer to what is asked now, if that's all it has left out for it than is put back."""
    script = Script(WALK, "Aki").says(f"table: {before}", *["table: done"] * len(before))
    script.says(f"amend 1: table: {after}, going back")
    assert (offered(script), script.session.may_redo) == ((waiting, fitting), fitting > 0)


def test_two_amendments_one_after_the_other() -> None:
    """What the first took back waits on under what the second takes back."""
    script = egypt(*BIDS).says("amend 3: Aki 6, going back", "Ben 8", "amend 3: Aki 9, going back")
    assert (script.question_log_key, offered(script)) == ("Raise Ben: chip 4", (6, 0))
    assert script.says("Ben 10").session.fitting_redo_count == 2
    assert reopened(script) == (5, 2)


def test_undo_goes_back_into_it() -> None:
    """What was answered again can be undone and redone, and then what waits goes on."""
    script = egypt(*BIDS).says("amend 3: Aki 6, going back", "Ben 8", "undo")
    assert (script.question_log_key, offered(script)) == ("Raise Ben: chip 4", (6, 3))
    assert script.says("redo").history_texts[-1] == "Ben bids 8 for daughter 4."
    assert script.says("undo", "Ben 7").session.waiting_redo_count == 5


def test_undo_alone_is_ended_by_a_new_answer() -> None:
    """Nobody offers what people took back themselves once they have answered something else."""
    script = egypt("Aki 3", "Ben 4", "undo", "undo")
    assert (offered(script), script.session.may_redo) == ((0, 0), True)
    assert not script.says("Aki 3").session.may_redo


def test_at_least_one() -> None:
    """Nothing at all can't be redone."""
    script = egypt("Aki 3", "undo")
    with pytest.raises(UserError, match="Redo at least 1 answer, not 0"):
        script.session.redo(0)


def test_silence_waits_for_what_can_be_redone() -> None:
    """What was answered before somebody left is offered before silence answers for the seat."""
    script = egypt(*BIDS).says("amend 3: Aki 6, going back", "Chie leaves", "Ben 8")
    assert (script.question_log_key, offered(script)) == ("Raise Chie: chip 4", (5, 2))
    script.says("redo")
    assert script.question_log_key == "Raise Aki: chip 4"


def test_nothing_that_crashes_the_rules_is_offered() -> None:
    """What the rules can't stand any more is left to the table."""
    script = Script(WALK, "Aki").says("table: abc", *["table: done"] * 3)
    script.says("amend 1: table: xa!, going back", "table: done")
    assert (script.question_log_key, offered(script)) == ("Done: a", (3, 0))
