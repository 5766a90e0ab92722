"""A table that plays from lines which read like play."""

import pytest

from companion.errors import IllegalAnswer, ReplayConflict
from companion.games.egypt.rulebook import GAME as EGYPT
from companion.games.sealed_bid.rulebook import GAME as SEALED_BID
from companion.testing import Script
from tests.support.fair_game import FAIR_GAME

TAGS = {"04a1": ("egypt", "4.1")}
OPENED = ("table: Aki", "table: done", "Aki 1", "Ben bids 3", "Chie: withdraws", "Aki withdraws")


@pytest.fixture
def egypt() -> Script:
    """Ben has won the first daughter at 3, and Aki owes 1."""
    return Script(EGYPT, "Aki", "Ben", "Chie", tags=TAGS).says(*OPENED)


def test_a_script_plays(egypt: Script) -> None:
    """Lines are answers, one after the other; what is asked, allowed, told and held can be looked at."""
    assert egypt.question_log_key == "Read Aki: Payment for chip 4"
    assert egypt.open_question_limits["owed"] == 1
    egypt.says("Aki pays other", "Ben pays tag:04a1 card:4.2 other", "Ben: Pay all these cards")
    assert egypt["Ben/hand", "card"] == 22
    assert egypt["Ben/front", "chip 4"] == 1
    assert egypt.question_log_key == "Raise Ben: chip 5"
    assert egypt.history_texts[-1] == "Ben: Pay all these cards"
    assert egypt.question_number == 10
    assert egypt.last_notes == ["Ben pays all these cards."]


@pytest.mark.parametrize(
    ("line", "paid"),
    [
        ("Ben pays 4 other", [{"values": {"number": 4}}, {"values": {}}]),
        ("Ben: 4 other", [{"values": {"number": 4}}, {"values": {}}]),
        ("Ben: 2×4", [{"values": {"number": 4}}, {"values": {"number": 4}}]),
        ("Ben: lays 3×other", [{"values": {}}] * 3),
        ("Ben pays card:4.2 tag:04a1", [{"card": "4.2"}, {"card": "4.1"}]),
    ],
)
def test_cards_in_words(egypt: Script, line: str, paid: object) -> None:
    """Typed, picked or laid on a reader, several alike at once."""
    egypt.says("Aki pays other", line)
    step = egypt.session.steps[-1]
    assert step.answer == paid  # type: ignore[union-attr]  # it is an answer


def test_a_refusal_changes_nothing(egypt: Script) -> None:
    """What the game refuses can be expected, and is proved to change nothing."""
    assert egypt.refuses("Aki can't pay") == "Aki has enough cards to pay 1."
    assert egypt.refuses("Aki pays nothing") == "At least 1 card is needed."
    egypt.says("Aki pays other", "Ben pays 3×other")
    assert egypt.refuses("Ben all") == "Ben must answer with a whole number."
    with pytest.raises(IllegalAnswer):
        egypt.says("Ben 0")
    with pytest.raises(AssertionError, match="'Ben 1' was not refused"):
        egypt.refuses("Ben 1")


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Ben pays 4", "'Ben pays 4', but asked is: Read Aki: Payment for chip 4"),
        ("Dai pays 4", "begins with nobody at the table"),
        ("Aki pays 3", "no card of this deck is called '3'"),
        ("Aki: brig", "no card of this deck is called 'brig'"),
    ],
)
def test_a_line_that_can_not_be_meant(egypt: Script, line: str, why: str) -> None:
    """A line of somebody who isn't asked, or with a card that doesn't exist, is the script's fault."""
    with pytest.raises(AssertionError, match=why):
        egypt.says(line)


def test_a_script_goes_back_and_forth(egypt: Script) -> None:
    """Undo, redo, restart, corrections and amendments are lines; what to move back is remembered."""
    egypt.says("undo")
    assert egypt.question_log_key == "Raise Aki: chip 4"
    egypt.says("redo", "correct 2 card from Aki/hand to bank: miscounted", "restart")
    assert egypt["Aki/hand", "card"] == 23
    egypt.says("Aki pays other", "Ben pays 3×other")
    with pytest.raises(ReplayConflict):
        egypt.says("amend 6: Aki 4")
    egypt.says("amend 6: Aki 4, going back")
    assert egypt.moves_by_hand == [
        "3 cards from bank to Ben's hand",
        "1 card from bank to Aki's hand",
        "daughter 4 from Ben's front to market 4",
    ]
    assert egypt.question_log_key == "Raise Ben: chip 4"


def test_sealed_lines() -> None:
    """One line a seat, again until all are in; an amendment names its seat like any line."""
    script = Script(SEALED_BID, "Aki", "Ben", options={"start": "10"}).says("Aki 4", "Aki 5")
    assert script.refuses("Ben 11") == "Ben has only 10 coins."
    with pytest.raises(AssertionError, match="the game still asks: Together Aki Ben: Sealed bid"):
        _ = script.result_json
    script.says("Ben bids 3")
    assert script.last_notes[0] == "Aki wins with 5."
    script.says("amend 1: Ben 7")
    assert script.last_notes[0] == "Ben wins with 7."
    assert script.refuses("undo").startswith("If you go back, opened answers")
    script.says("undo past a reveal", "redo", "table: finish")
    assert script.question_log_key == ""
    assert script.result_json["winners"] == ["Ben"]
    with pytest.raises(AssertionError, match="the game is over"):
        script.says("table: again")


def test_together_is_answered_by_its_parts() -> None:
    """A line that names nobody who is asked doesn't answer a Together."""
    script = Script(SEALED_BID, "Aki", "Ben")
    with pytest.raises(AssertionError, match="'table: 4', but asked is: Together Aki Ben"):
        script.says("table: 4")


def test_dice_are_typed_or_rolled() -> None:
    """The faces of real dice are a line; the deed `roll` lets the companion roll."""
    script = Script(FAIR_GAME, "Aki", "Ben").says("Aki: 75 0")
    assert script.question_log_key == "Roll Ben: Throw at the cans"
    assert script.refuses("Ben 74 0") == "tens can show only: 0, 25, 50, 75."
    assert script.refuses("Ben: six") == "Answer with a list of 2 faces, in the order of the dice."
    script.says("roll")
    first = script.history_texts[-1]
    script.says("undo", "roll")
    assert script.history_texts[-1] == first
    script = Script(FAIR_GAME, "Aki").says("Aki: 0 0")
    assert script.refuses("roll") == "There are no dice to roll now."


@pytest.mark.parametrize(
    ("line", "own", "foreign"),
    [("Aki: own 2, foreign 1", 2, 0), ("Aki: foreign 0, own 3", 1, 1), ("Aki can't", 4, 1)],
)
def test_several_numbers_in_words(line: str, own: int, foreign: int) -> None:
    """Each number follows its name; what isn't named is 0; who can't says so."""
    script = Script(FAIR_GAME, "Aki").says("Aki 0 5", line)
    assert (script["Aki/purse", "own"], script["Aki/purse", "foreign"]) == (own, foreign)


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Aki: nothing", "The sum is 0; it must be exactly 3."),
        ("Aki: own -1", "own coins must be at least 0."),
        ("Aki: gold 1", "Answer with numbers for own, foreign, or null for: can't pay."),
        ("Aki: three", "Answer with numbers for own, foreign, or null for: can't pay."),
    ],
)
def test_several_numbers_that_are_refused(line: str, why: str) -> None:
    """What can't be read as numbers is handed on to the question, which refuses it."""
    assert Script(FAIR_GAME, "Aki").says("Aki 0 5").refuses(line) == why
