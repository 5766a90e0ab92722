"""The desk: tables of what is pressed at a seat, what comes of it, and what each keypad shows."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from companion.bounds import MAX_ENTERED_NUMBER
from companion.games.egypt.rulebook import GAME as EGYPT
from companion.games.high_bid.rulebook import GAME as HIGH_BID
from companion.games.sealed_bid import rulebook as sealed_bid
from companion.languages import languages
from companion.log.log import MemoryLog
from companion.requests import (
    REQUEST_TYPE_BY_KIND,
    Amount,
    CardRate,
    Choose,
    CountedItem,
    Counts,
    DetailedOption,
    Die,
    Done,
    PriceInCards,
    Raise,
    Read,
    Request,
    Roll,
    Together,
    Write,
)
from companion.rules.game import Game
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.ledger import Account, Ledger, Piece, Place
from companion.table.scores import rank_seats
from companion.table.seats import Seat
from companion.table.table import Table
from companion.texts import Say, render, say
from hardware.desk.answers import (
    MIN_QUESTION_READING_SECONDS,
    NO_GAME_TEXT,
    NOT_SAVED_TEXT,
    NOT_YOUR_TURN_TEXT,
    NOTHING_HIDDEN_TEXT,
    RULES_CRASHED_TEXT,
    TOO_LATE_TEXT,
    TOO_SOON_TEXT,
    ZERO_NEEDS_CONFIRMATION,
    DeviceAnswerRefusal,
    submit_device_answer,
)
from hardware.desk.prompts import build_seat_panel, key_texts_by_preference
from hardware.device_drivers import SeatPanel, can_display_show
from hardware.signals import ControlKeyAnswer, DeviceAnswer, NumbersAnswer
from tests.support.stall_game import FailingLog

NAMES = ["Aki", "Ben", "Chie"]
CHIP = Piece("chip 6", say("daughter {number}", number=6))
RATES = (CardRate(say("cards numbered 6"), 2, {"number": 6}), CardRate(say("other cards"), 1))
CANT = say("can't pay")
SHOWN = 100.0
"""When every panel here was shown, in seconds."""


@dataclass
class Desk:
    """A game that asks one question, and the keypads of its seats."""

    session: Session
    log: FailingLog

    def says(
        self,
        seat: int | None,
        keys: str,
        *,
        question: int | None = None,
        at: float = SHOWN + MIN_QUESTION_READING_SECONDS,
    ) -> str:
        """What comes of keys pressed at a seat: `"taken"`, or what the keypad shows."""
        said = signal(keys, self.session.question_number if question is None else question, at)
        refused = self.submitted(seat, said)
        return "taken" if refused is None else render(refused.text)

    def submitted(self, seat: int | None, said: DeviceAnswer) -> DeviceAnswerRefusal | None:
        """Settles what was said with all that is said aloud."""
        seats = self.session.table.seats
        return submit_device_answer(self.session, seats.seat_numbered(seat) if seat else None, said, SHOWN)

    def shows(self, seat: int, language: str = "en") -> SeatPanel:
        """What the keypad at a seat shows."""
        eyes = self.session.table.seats.seat_numbered(seat)
        return build_seat_panel(make_view(self.session, eyes), eyes, language)

    @property
    def answer(self) -> Any:
        """The last answer that was taken."""
        return self.session.rulebook_run.answered_questions[-1].answer


def signal(keys: str, question: int, at: float = SHOWN + MIN_QUESTION_READING_SECONDS) -> DeviceAnswer:
    """`OK`, `NO`, or numbers: `12`, `2.1`."""
    if keys in ("OK", "NO"):
        return ControlKeyAnswer("keypad", question, "ok" if keys == "OK" else "no", at, 1)
    return NumbersAnswer("keypad", question, tuple(map(int, keys.split("."))), at, 1)


def desk(name: str) -> Desk:
    """A desk at which Ben (or everybody) is asked that question."""

    async def play(table: Table) -> Any:
        asked = await QUESTIONS[name](table, table.seats.find_seat("Ben"))
        assert asked != "crash", "a mistake in the rulebook"
        return rank_seats(table.seats, lambda seat: 3 - seat.number, lambda _: ())

    log = FailingLog()
    game = Game("trial", 1, say("Trial"), (1, 5), play, (), ("egypt",))
    return Desk(Session.begin(game, NAMES, {}, log, seed=7), log)


def payment(table: Table, seat: Seat, *, hand: int = 25, worth: PriceInCards | None = None) -> Read:
    """Ben owes 5 for chip 6."""
    faces = table.track_faces("egypt", Place(say("bank")))
    return Read(seat, say("Payment"), faces, 1, hand, worth, CANT)


def sealed(table: Table, part: Callable[[Seat], Request[Any]]) -> Together[Any]:
    """Aki and Ben are asked in secret."""
    return Together(say("Sealed bid"), {seat: part(seat) for seat in table.seats[:2]})


def several(seat: Seat, kinds: int = 2, **limits: Any) -> Counts:
    """Ben counts up to 4 of each of several kinds."""
    return Counts(
        seat, say("Pay"), {f"kind {n}": CountedItem(say("coins"), 4) for n in range(1, kinds + 1)}, **limits
    )


def dice(seat: Seat | None, number: int) -> Roll:
    """A question for this many dice."""
    return Roll(
        seat, say("Roll"), (Die(say("tens"), (0, 25, 50, 75)), *[Die(say("ones"), (0, 5))] * (number - 1))
    )


def bag(seat: Seat) -> Account:
    """What nobody may know."""
    return Ledger().open_account(Place(say("bag"), seat), CHIP, covered=True)


QUESTIONS: Mapping[str, Callable[[Table, Seat], Request[Any]]] = {
    "opens": lambda _, ben: Raise(ben, CHIP, {}, most=99, decline=None),
    "bids": lambda table, ben: Raise(ben, CHIP, {table.seats[0]: 4}, most=99, decline="withdraw"),
    "tens": lambda _, ben: Raise(ben, CHIP, {}, least=10, step=10, decline="pass"),
    "tens to 50": lambda _, ben: Raise(ben, CHIP, {}, least=10, step=10, most=50, decline="pass"),
    "tens to 500": lambda _, ben: Raise(ben, CHIP, {}, least=10, step=10, most=500, decline="pass"),
    "topped": lambda table, ben: Raise(ben, CHIP, {table.seats[0]: 99}, most=99, decline="withdraw"),
    "penniless": lambda _, ben: Raise(ben, CHIP, {}, paid_from=4, least=5),
    "too dear": lambda _, ben: Amount(ben, say("How much?"), 60, 50, decline=True),
    "falls": lambda table, _: Choose(
        None,
        say("Chip 6 for 5"),
        {**{str(seat.number): seat for seat in table.seats[:2]}, "pass": say("Nobody yet")},
        race_seats=table.seats[:2],
    ),
    "amount": lambda _, ben: Amount(ben, say("How much?"), 0, 999),
    "points": lambda _, ben: Amount(ben, say("How many?"), -9999, 9999),
    "from -5": lambda _, ben: Amount(ben, say("How much?"), -5, 9, step=2),
    "huge": lambda _, ben: Amount(ben, say("How much?"), 0, 99_999, confirm_above=9_999),
    "grave": lambda _, ben: Amount(ben, say("How much?"), 0, 9, zero_confirmation=say("With 0 you are out.")),
    "some": lambda _, ben: Amount(ben, say("How much?"), 1),
    "or none": lambda _, ben: Amount(ben, say("How much?"), 60, step=10, decline=True),
    "sealed": lambda table, _: sealed(table, lambda seat: Amount(seat, say("Your bid"), 0, 999)),
    "price": lambda _, ben: several(ben, least=3, most=3),
    "can pay": lambda _, ben: several(ben, 3, least=3, most=3, decline=CANT),
    "up to": lambda _, ben: several(ben, 3, most=9),
    "four": lambda _, ben: several(ben, 4, decline=CANT),
    "six": lambda _, ben: several(ben, 6),
    "broke": lambda _, ben: several(ben, least=9, decline=CANT),
    "any": lambda _, ben: Counts(ben, say("Draw"), {"soil": CountedItem(say("soil"), bag(ben))}),
    "dice": lambda _, ben: dice(ben, 2),
    "all dice": lambda _, __: dice(None, 5),
    "yes or no": lambda _, ben: Choose(ben, say("Again?"), {"again": say("Again"), "end": say("Finish")}),
    "done for": lambda _, ben: Choose(
        ben,
        say("Again?"),
        {"again": say("Again"), "end": say("Finish")},
        confirmations={"end": say("Finish?")},
    ),
    "forbidden": lambda _, ben: Choose(
        ben,
        say("What?"),
        {"a": DetailedOption(say("A"), barred_reason=say("Not now.")), "b": say("B"), "c": say("C")},
    ),
    "which": lambda table, ben: Choose(ben, say("Who?"), {seat.key: seat for seat in table.seats}),
    "one": lambda _, ben: Choose(ben, say("What?"), {"crash": say("A very long thing indeed")}),
    "anybody": lambda table, _: Choose(None, say("Who?"), {seat.name: seat for seat in table.seats}),
    "deal": lambda _, __: Done(None, say("Deal the cards.")),
    "put back": lambda _, ben: Done(ben, say("Put the card back.")),
    "pay": lambda table, ben: payment(table, ben, worth=PriceInCards(5, RATES)),
    "poor": lambda table, ben: payment(table, ben, hand=4, worth=PriceInCards(5, RATES)),
    "lay": payment,
    "few tiles": lambda _, ben: Raise(ben, CHIP, {}, values=(2, 7, 99)),
    "tens of tiles": lambda _, ben: Raise(ben, CHIP, {}, values=(10, 20, 30, 40)),
    "fifteen tiles": lambda _, ben: Amount(ben, say("Which?"), values=range(1, 16), decline=True),
    "high tiles": lambda _, ben: Raise(ben, CHIP, {}, values=(10_000_000, 20_000_000, 30_000_000)),
    "all points": lambda _, ben: Amount(ben, say("How many?"), -MAX_ENTERED_NUMBER, MAX_ENTERED_NUMBER),
    "high price": lambda _, ben: Raise(ben, CHIP, {}, least=12_345_678, most=23_456_789),
    "eight digits": lambda _, ben: Amount(ben, say("How many?"), 12_345_678, 98_765_432),
    "wide price": lambda _, ben: Raise(ben, CHIP, {}, least=1_234_567, most=12_345_678),
    "narrow price": lambda _, ben: Raise(ben, CHIP, {}, least=12_345_678, most=12_345_999),
    "high steps": lambda _, ben: Raise(ben, CHIP, {}, least=10_000_000, step=500),
    "name": lambda _, ben: Write(ben, say("What is sold?"), decline=say("No name")),
    "must name": lambda _, ben: Write(ben, say("What is sold?")),
}


@pytest.mark.parametrize(
    ("name", "keys", "answer"),
    [
        ("opens", "1", 1),
        ("bids", "5", 5),
        ("bids", "NO", None),
        ("tens", "30", 30),
        ("forbidden", "1", "b"),
        ("forbidden", "2", "c"),
        ("tens", "NO", None),
        ("topped", "NO", None),
        ("penniless", "NO", None),
        ("too dear", "NO", 0),
        ("amount", "0", 0),
        ("amount", "12", 12),
        ("amount", "NO", 0),
        ("or none", "70", 70),
        ("or none", "0", 0),
        ("or none", "NO", 0),
        ("price", "2.1", {"kind 1": 2, "kind 2": 1}),
        ("can pay", "0.3.0", {"kind 1": 0, "kind 2": 3, "kind 3": 0}),
        ("can pay", "NO", None),
        ("broke", "NO", None),
        ("six", "0.0.0.0.0.4", {f"kind {n}": 4 * (n == 6) for n in range(1, 7)}),
        ("dice", "75.0", (75, 0)),
        ("all dice", "0.5.0.5.0", (0, 5, 0, 5, 0)),
        ("yes or no", "1", "again"),
        ("yes or no", "2", "end"),
        ("which", "3", "@3"),
        ("deal", "OK", True),
        ("put back", "OK", True),
        ("poor", "NO", None),
        ("name", "NO", ""),
    ],
)
def test_keys_mean_an_answer(name: str, keys: str, answer: object) -> None:
    """Each kind of question is answered with digits, OK and NO, and the game goes on."""
    table = desk(name)
    assert table.says(2, keys) == "taken"
    assert table.answer == answer
    assert table.session.result is not None


@pytest.mark.parametrize("keys", ["0", "NO"])
def test_a_grave_0_is_asked_about(keys: str) -> None:
    """Where 0 is asked about, it counts only from who was asked and says it again."""
    table = desk("grave")
    assert table.says(2, keys) == "0? Press again"
    assert table.session.question_number == 1
    assert table.submitted(2, signal(keys, 1)) == ZERO_NEEDS_CONFIRMATION
    assert (
        submit_device_answer(
            table.session, table.session.table.seats[1], signal(keys, 1), SHOWN, is_confirmed=True
        )
        is None
    )
    assert table.answer == 0


def test_a_huge_number_is_asked_about() -> None:
    """A number that is asked about counts when it is entered again; a smaller one counts at once."""
    table = desk("huge")
    assert table.says(2, "20000") == "Sure? Again"
    assert table.says(2, "2000") == "taken"
    assert table.answer == 2_000


def test_a_grave_choice_is_asked_about() -> None:
    """A choice that is asked about counts when it is pressed again; any other counts at once."""
    table = desk("done for")
    assert table.says(2, "2") == "Sure? Again"
    assert table.session.question_number == 1
    assert (
        submit_device_answer(
            table.session, table.session.table.seats[1], signal("2", 1), SHOWN, is_confirmed=True
        )
        is None
    )
    assert table.answer == "end"
    assert desk("done for").says(2, "1") == "taken"


def test_whoever_presses_first_has_it() -> None:
    """In a race OK or any number at a seat says that it was first, at whatever moment; NO says nothing."""
    for keys in ("OK", "1"):
        table = desk("falls")
        assert table.shows(1).line == table.shows(2).line == "Take it: OK"
        assert table.says(2, "NO") == "Only OK"
        assert table.says(3, "OK") == "Not your turn"
        assert table.says(2, keys, at=SHOWN) == "taken"
        assert table.answer == "2"
        assert table.says(1, "OK", question=1) == "Too late"


def test_ok_alone_lets_the_companion_roll() -> None:
    """Where dice are asked for, OK without a face leaves them to the companion."""
    table = desk("dice")
    assert table.says(2, "OK", at=SHOWN) == "Too soon: again"
    assert table.says(2, "OK") == "taken"
    step = table.session.steps[-1]
    assert step.via == "dice"  # type: ignore[union-attr]  # it is an answer
    assert table.answer[0] in (0, 25, 50, 75)


@pytest.mark.parametrize(("keys", "sixes", "others"), [("2.1", 2, 1), ("0.5", 0, 5), ("3.0", 3, 0)])
def test_a_payment_is_typed_as_counts(keys: str, sixes: int, others: int) -> None:
    """The numbers of cards of each rate are typed in the order of the question."""
    table = desk("pay")
    assert table.says(2, keys) == "taken"
    assert [card.values for card in table.answer] == [{"number": 6}] * sixes + [{}] * others


@pytest.mark.parametrize(
    ("name", "keys", "shown"),
    [
        ("opens", "0", "Only 1-99"),
        ("opens", "NO", "Only 1-99"),
        ("bids", "4", "Only 5-99/NO"),
        ("bids", "100", "Only 5-99/NO"),
        ("bids", "OK", "Only 5-99/NO"),
        ("bids", "5.5", "Only 5-99/NO"),
        ("tens", "15", "Only 10,20../NO"),
        ("tens to 50", "60", "10,20..50/NO"),
        ("topped", "100", "Only NO"),
        ("too dear", "60", "Only NO"),
        ("amount", "1000", "Only 0-999"),
        ("amount", "OK", "Only 0-999"),
        ("some", "NO", "Only 1.."),
        ("or none", "10", "Only 60,70../NO"),
        ("sealed", "1000", "Only 0-999"),
        ("price", "2", "Only 3=_._"),
        ("price", "2.2", "Only 3=_._"),
        ("price", "1.1.1", "Only 3=_._"),
        ("price", "NO", "Only 3=_._"),
        ("price", "OK", "Only 3=_._"),
        ("up to", "4.4.4", "Only 0-9=_._._"),
        ("broke", "4.4", "Only NO"),
        ("any", "1", "Only 0..=_"),
        ("dice", "1.0", "Only OK/_._"),
        ("dice", "75", "Only OK/_._"),
        ("dice", "NO", "Only OK/_._"),
        ("yes or no", "0", "Only 1-2"),
        ("yes or no", "3", "Only 1-2"),
        ("yes or no", "OK", "Only 1-2"),
        ("yes or no", "NO", "Only 1-2"),
        ("yes or no", "1.1", "Only 1-2"),
        ("one", "OK", "Only 1"),
        ("deal", "NO", "Only OK"),
        ("deal", "1", "Only OK"),
        ("pay", "1.1", "Only 5=_x2._x1"),
        ("pay", "5", "Only 5=_x2._x1"),
        ("pay", "7.0", "Only 5=_x2._x1"),
        ("pay", "0.26", "Only 5=_x2._x1"),
        ("pay", "0.9999999999999", "Only 5=_x2._x1"),
        ("pay", "NO", "Only 5=_x2._x1"),
        ("pay", "OK", "Only 5=_x2._x1"),
        ("poor", "1.1", "5=_x2._x1/NO"),
        ("lay", "3", "Only NO"),
        ("name", "3", "Only NO"),
        ("name", "OK", "Only NO"),
        ("must name", "NO", "Use the screen"),
        ("must name", "3", "Use the screen"),
    ],
)
def test_other_keys_are_refused_with_what_is_allowed(name: str, keys: str, shown: str) -> None:
    """The keypad shows which keys answer; nothing changes, and nothing is said to the others."""
    table = desk(name)
    before = list(table.log)
    refused = table.submitted(2, signal(keys, table.session.question_number))
    assert refused is not None
    assert (render(refused.text), refused.announcement) == (shown, None)
    assert table.log == before
    assert table.session.question is not None


def test_every_kind_of_question_can_be_answered_at_a_keypad() -> None:
    """A kind that is registered has its keys, or its parts have."""
    answered = {"Raise": "5", "Amount": "5", "Choose": "1", "Counts": "2.1", "Read": "3.0", "Roll": "OK",
                "Write": "NO", "Done": "OK", "Together": "5"}  # fmt: skip  # a table
    asked = {"Raise": "bids", "Amount": "amount", "Choose": "which", "Counts": "price", "Read": "pay",
             "Roll": "dice", "Write": "name", "Done": "put back",
             "Together": "sealed"}  # fmt: skip  # a table
    assert set(answered) == set(REQUEST_TYPE_BY_KIND)
    for kind, name in asked.items():
        table = desk(name)
        assert isinstance(table.session.question, REQUEST_TYPE_BY_KIND[kind])
        assert table.says(2, answered[kind]) == "taken"


@pytest.mark.parametrize(
    ("name", "seat", "question", "shown"),
    [
        ("bids", 1, 1, NOT_YOUR_TURN_TEXT),
        ("bids", 3, 1, NOT_YOUR_TURN_TEXT),
        ("bids", 1, 0, NOT_YOUR_TURN_TEXT),
        ("bids", 2, 0, NOT_YOUR_TURN_TEXT),
        ("bids", None, 1, NOT_YOUR_TURN_TEXT),
        ("anybody", None, 1, NOT_YOUR_TURN_TEXT),
        ("sealed", 3, 1, NOT_YOUR_TURN_TEXT),
        ("bids", 2, 9, TOO_LATE_TEXT),
        ("bids", 1, 9, TOO_LATE_TEXT),
    ],
)
def test_who_is_not_asked_is_told_so_alone(name: str, seat: int | None, question: int, shown: object) -> None:
    """A keypad answers only for its own seat and only the question that it shows."""
    table = desk(name)
    assert table.submitted(seat, signal("5", question)) == DeviceAnswerRefusal(shown)  # type: ignore[arg-type]  # a Say
    assert table.session.question_number == 1


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_a_question_to_the_table_is_answered_by_any_seat(seat: int) -> None:
    """The first answer counts, the next comes too late."""
    table = desk("anybody")
    assert table.says(seat, "3") == "taken"
    assert table.answer == "Chie"
    assert table.says(seat % 3 + 1, "1", question=1) == "Too late"


def test_nothing_is_taken_twice() -> None:
    """Keys that are pressed once more for an answered question do nothing."""
    table = desk("deal")
    assert [table.says(1, "OK", question=1), table.says(1, "OK", question=1)] == ["taken", "Too late"]


def test_a_game_that_was_put_away_takes_nothing() -> None:
    """Its question stands there still, and is closed."""
    table = desk("bids")
    table.session.put_away()
    assert table.says(2, "5") == "No game yet"


@pytest.mark.parametrize(
    ("keys", "after", "shown"),
    [
        ("OK", -1.0, "Too soon: again"),
        ("OK", 0.0, "Too soon: again"),
        ("OK", MIN_QUESTION_READING_SECONDS - 0.01, "Too soon: again"),
        ("NO", MIN_QUESTION_READING_SECONDS - 0.01, "Too soon: again"),
        ("OK", MIN_QUESTION_READING_SECONDS, "taken"),
    ],
)
def test_who_presses_before_reading_is_asked_again(keys: str, after: float, shown: str) -> None:
    """The second tap of a double tap never confirms the next question."""
    assert desk("put back").says(2, keys, at=SHOWN + after) == shown


def test_numbers_are_never_too_soon() -> None:
    """Nobody types a number by mistake: its first digit was pressed for this very question."""
    assert desk("bids").says(2, "5", at=SHOWN) == "taken"


def test_a_sealed_answer_may_be_replaced_until_all_are_in() -> None:
    """The last one in opens them all; after that it is too late."""
    table = desk("sealed")
    assert [table.says(2, "7"), table.says(2, "NO"), table.says(2, "9"), table.says(1, "4")] == ["taken"] * 4
    aki, ben, _ = table.session.table.seats
    assert table.answer == {aki: 4, ben: 9}
    assert table.says(2, "8", question=1) == "Too late"


def test_what_can_not_be_saved_is_refused_and_works_later() -> None:
    """The question stays open, the table hears why, and the same keys count once there is room again."""
    table = desk("bids")
    table.log.free_event_slots = 0
    refused = table.submitted(2, signal("5", 1))
    assert refused is not None
    assert render(refused.text) == "Not saved: again"
    assert refused.announcement is not None
    assert "No space left" in render(refused.announcement)
    assert table.shows(2) == SeatPanel(1, "Bid 5-99/NO", "on")
    table.log.free_event_slots = 1
    assert table.says(2, "5") == "taken"
    assert table.answer == 5


def test_envelopes_that_could_not_be_opened_are_asked_for_again() -> None:
    """All are in, the reveal wasn't saved: everybody's light is on, and whoever seals again opens them."""
    table = desk("sealed")
    assert table.says(1, "4") == "taken"
    table.log.free_event_slots = 1
    assert table.says(2, "6") == "Not saved: again"
    assert [table.shows(1), table.shows(2)] == [SeatPanel(1, "Enter 0-999", "on")] * 2
    table.log.free_event_slots = 2
    assert table.says(2, "6") == "taken"
    assert list(table.answer.values()) == [4, 6]


def test_rules_that_fail_are_told_aloud() -> None:
    """The answer doesn't count; the keypad says so in two words, the table hears what it can do."""
    table = desk("one")
    refused = table.submitted(2, signal("1", 1))
    assert refused is not None
    assert refused.text == RULES_CRASHED_TEXT
    assert refused.announcement is not None
    assert "Undo or correct" in render(refused.announcement)
    assert table.shows(2).question == 1


# What the keypads show


@pytest.mark.parametrize(
    ("name", "asked", "waiting"),
    [
        ("opens", SeatPanel(1, "Bid 1-99", "on"), SeatPanel(0, "Wait: Ben")),
        ("bids", SeatPanel(1, "Bid 5-99/NO", "on"), SeatPanel(0, "Wait: Ben")),
        ("tens", SeatPanel(1, "Bid 10,20../NO", "on"), SeatPanel(0, "Wait: Ben")),
        ("tens to 50", SeatPanel(1, "Bid 10,20..50/NO", "on"), SeatPanel(0, "Wait: Ben")),
        ("tens to 500", SeatPanel(1, "10,20..500/NO", "on"), SeatPanel(0, "Wait: Ben")),
        ("topped", SeatPanel(1, "Only NO", "on"), SeatPanel(0, "Wait: Ben")),
        ("penniless", SeatPanel(1, "Only NO", "on"), SeatPanel(0, "Wait: Ben")),
        ("too dear", SeatPanel(1, "Only NO", "on"), SeatPanel(0, "Wait: Ben")),
        ("amount", SeatPanel(1, "Enter 0-999", "on"), SeatPanel(0, "Wait: Ben")),
        ("some", SeatPanel(1, "Enter 1..", "on"), SeatPanel(0, "Wait: Ben")),
        ("sealed", SeatPanel(1, "Enter 0-999", "on"), SeatPanel(0, "Wait: Aki, Ben")),
        ("price", SeatPanel(1, "Enter 3=_._", "on"), SeatPanel(0, "Wait: Ben")),
        ("can pay", SeatPanel(1, "Enter 3=_._._/NO", "on"), SeatPanel(0, "Wait: Ben")),
        ("up to", SeatPanel(1, "Enter 0-9=_._._", "on"), SeatPanel(0, "Wait: Ben")),
        ("four", SeatPanel(1, "0-16=_._._._/NO", "on"), SeatPanel(0, "Wait: Ben")),
        ("six", SeatPanel(1, "Enter 0-24=6x_", "on"), SeatPanel(0, "Wait: Ben")),
        ("broke", SeatPanel(1, "Only NO", "on"), SeatPanel(0, "Wait: Ben")),
        ("any", SeatPanel(1, "Enter 0..=_", "on"), SeatPanel(0, "Wait: Ben")),
        ("dice", SeatPanel(1, "Roll OK/_._", "on"), SeatPanel(0, "Wait: Ben")),
        ("all dice", SeatPanel(1, "Roll OK/5x_", "on"), SeatPanel(1, "Roll OK/5x_", "on")),
        ("yes or no", SeatPanel(1, "1 Again 2 Finish", "on"), SeatPanel(0, "Wait: Ben")),
        ("which", SeatPanel(1, "Choose 1-3", "on"), SeatPanel(0, "Wait: Ben")),
        ("one", SeatPanel(1, "Choose 1", "on"), SeatPanel(0, "Wait: Ben")),
        ("anybody", SeatPanel(1, "Choose 1-3", "on"), SeatPanel(1, "Choose 1-3", "on")),
        ("deal", SeatPanel(1, "When done: OK", "on"), SeatPanel(1, "When done: OK", "on")),
        ("put back", SeatPanel(1, "When done: OK", "on"), SeatPanel(0, "Wait: Ben")),
        ("pay", SeatPanel(1, "Pay 5=_x2._x1", "on"), SeatPanel(0, "Wait: Ben")),
        ("poor", SeatPanel(1, "Pay 5=_x2._x1/NO", "on"), SeatPanel(0, "Wait: Ben")),
        ("lay", SeatPanel(1, "Screen, or NO", "on"), SeatPanel(0, "Wait: Ben")),
        ("name", SeatPanel(1, "Screen, or NO", "on"), SeatPanel(0, "Wait: Ben")),
        ("must name", SeatPanel(1, "Use the screen", "on"), SeatPanel(0, "Wait: Ben")),
    ],
)
def test_a_keypad_shows_what_is_asked_of_its_seat(name: str, asked: SeatPanel, waiting: SeatPanel) -> None:
    """Ben's light is on and his line says what to press; Chie's says for whom the table waits."""
    table = desk(name)
    assert (table.shows(2), table.shows(3)) == (asked, waiting)


def test_an_envelope_that_is_in_puts_the_light_out() -> None:
    """Its line says for whom the table waits, and the number still stands there: it may be filled again."""
    table = desk("sealed")
    table.says(2, "7")
    assert [table.shows(seat) for seat in (1, 2, 3)] == [
        SeatPanel(1, "Enter 0-999", "on"),
        SeatPanel(1, "OK. Wait: Aki", "off"),
        SeatPanel(0, "Wait: Aki", "off"),
    ]


def test_a_light_tells_nothing_of_an_envelope_that_no_longer_fits() -> None:
    """A correction left Ben less than his bid: once all are open he is asked, alone."""
    session = Session.begin(sealed_bid.GAME, NAMES, {"start": "10"}, MemoryLog(), seed=7)
    table = Desk(session, FailingLog())
    table.says(2, "7")
    before = table.shows(2)
    session.correct("Ben/purse", "bank", "money", 5, "he paid twice")
    assert (before.light, table.shows(2)) == ("off", before)
    table.says(1, "3")
    table.says(3, "4")
    assert table.shows(2) == SeatPanel(2, "Enter 0-5", "on")
    assert table.shows(1).light == "off"
    table.says(2, "5")
    assert session.question_number == 3


def test_at_the_end_each_keypad_shows_its_own_place() -> None:
    """Rank and total."""
    table = desk("deal")
    table.says(1, "OK")
    assert [table.shows(seat).line for seat in (1, 2, 3)] == ["Place 1: 2", "Place 2: 1", "Place 3: 0"]
    assert table.shows(1).question == 0


@pytest.mark.parametrize(
    ("name", "line", "refusal"),
    [
        ("few tiles", "Bid 2,7,99/NO", "Only 2,7,99/NO"),
        ("tens of tiles", "10,20,30,40/NO", "10,20,30,40/NO"),
        ("fifteen tiles", "Enter 1,2,+13/NO", "Only 1,2,+13/NO"),
        ("high tiles", "10000000,+2/NO", "10000000,+2/NO"),
        ("all points", "-99999999..", "Only -99999999.."),
        ("high price", "12346k-23456k/NO", "12346k-23456k/NO"),
        ("eight digits", "12345678-98765k", "12345678-98765k"),
        ("wide price", "1235k-12345k/NO", "1235k-12345k/NO"),
        ("narrow price", "12345678../NO", "12345678../NO"),
        ("high steps", "10000000../NO", "10000000../NO"),
    ],
)
def test_a_line_says_as_much_as_it_has_room_for(name: str, line: str, refusal: str) -> None:
    """All numbers go before the word; of more than fit, the lowest and how many others there are.

    Of limits that don't fit, whole thousands stay, and what they allow is allowed.
    """
    table = desk(name)
    assert table.shows(2).line == line
    assert table.says(2, "1.1") == refusal
    assert all(can_display_show(text, width_cells=16) for text in (line, refusal, table.shows(2, "ja").line))


@pytest.mark.parametrize(
    "name", ["bids", "topped", "amount", "which", "deal", "price", "pay", "poor", "lay", "dice", "name"]
)
def test_in_japanese_a_line_is_kana(name: str) -> None:
    """All that is asked can be shown in sixteen cells, the keys included."""
    table = desk(name)
    english, japanese = table.shows(2).line, table.shows(2, "ja").line
    question = table.session.question
    assert question is not None
    assert japanese != english
    assert any(keys in japanese for keys in key_texts_by_preference(question.form))
    assert can_display_show(japanese, width_cells=16)


@pytest.mark.parametrize("language", languages())
@pytest.mark.parametrize(
    "name", ["bids", "topped", "amount", "which", "deal", "price", "pay", "poor", "lay", "dice", "name"]
)
def test_a_line_and_its_keys_fit_in_every_language(name: str, language: str) -> None:
    """A display has sixteen cells and no accents; the keys are on it in some form."""
    table = desk(name)
    line = table.shows(2, language).line
    question = table.session.question
    assert question is not None
    assert any(keys in line for keys in key_texts_by_preference(question.form))
    assert can_display_show(line, width_cells=16)


WORDS = [NO_GAME_TEXT, NOT_YOUR_TURN_TEXT, TOO_LATE_TEXT, TOO_SOON_TEXT, NOT_SAVED_TEXT, RULES_CRASHED_TEXT]


@pytest.mark.parametrize("text", WORDS, ids=render)
@pytest.mark.parametrize("language", languages())
def test_the_words_of_a_refusal_fit(text: Say, language: str) -> None:
    """Sixteen cells, no kanji, in every language."""
    assert can_display_show(render(text, language), width_cells=16)


def test_a_name_that_no_display_has_is_left_out() -> None:
    """A name in kanji would be question marks."""
    session = Session.begin(sealed_bid.GAME, ["健太", "Ben"], {}, MemoryLog(), seed=7)
    table = Desk(session, FailingLog())
    table.says(2, "7")
    assert table.shows(2).line == "OK. Wait"
    assert can_display_show(table.shows(2, "ja").line, width_cells=16)


DOCUMENT = (Path(__file__).parents[2] / "docs" / "keypad-protocol.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["bids", "amount", "yes or no", "which", "price", "pay", "dice", "deal"])
def test_the_document_shows_every_line(name: str) -> None:
    """docs/keypad-protocol.md explains the lines as they are, and the words of every refusal."""
    assert f"`{desk(name).shows(2).line}`" in DOCUMENT
    assert all(f"`{render(words)}`" in DOCUMENT for words in WORDS)


# The twin test


Shows = Callable[[Desk, int], SeatPanel]


def evening(bids: tuple[int, int, int], shows: Shows) -> list[tuple[SeatPanel, ...]]:
    """All panels of a sealed round, from the question to just before the last envelope, in both languages."""
    outside: dict[str, Any] = {"clock": lambda: 0.0, "salt": lambda: "salt"}
    table = Desk(Session.begin(sealed_bid.GAME, NAMES, {}, MemoryLog(), seed=7, **outside), FailingLog())
    seen = [tuple(shows(table, seat) for seat in (1, 2, 3))]
    for seat, bid in ((1, bids[0]), (2, bids[1]), (1, bids[2])):
        assert table.says(seat, str(bid)) == "taken"
        seen.append(tuple(shows(table, seat) for seat in (1, 2, 3)))
    return seen


def leaks_parity(table: Desk, seat: int) -> SeatPanel:
    """A mutant: of every envelope that is in, one bit gets into all lines."""
    leak = "".join(str(draft.answer % 2) for draft in table.session.drafts.values())
    shown = table.shows(seat)
    return SeatPanel(shown.question, shown.line + leak, shown.light)


def leaks_zero(table: Desk, seat: int) -> SeatPanel:
    """A mutant: who bids nothing isn't waited for with a light."""
    own = table.session.drafts.get(table.session.table.seats.seat_numbered(seat))
    shown = table.shows(seat)
    return SeatPanel(shown.question, shown.line, "blink" if own and own.answer else shown.light)


TWINS = [((0, 0, 0), (999, 1, 2)), ((12, 7, 3), (13, 8, 30))]


@pytest.mark.parametrize(("one", "other"), TWINS)
def test_no_line_or_light_tells_what_is_sealed(
    one: tuple[int, int, int], other: tuple[int, int, int]
) -> None:
    """Two rounds that differ only in what was bid look the same on every keypad until the reveal."""
    for shows in (Desk.shows, lambda table, seat: table.shows(seat, "ja")):
        assert evening(one, shows) == evening(other, shows)


@pytest.mark.parametrize("mutant", [leaks_parity, leaks_zero])
def test_a_line_that_tells_one_bit_is_caught(mutant: Shows) -> None:
    """The comparison sees a leak in line or light."""
    assert any(evening(one, mutant) != evening(other, mutant) for one, other in TWINS)


# What is one's own


def test_a_seat_is_shown_what_lies_covered_before_it() -> None:
    """On its own display, whoever's turn it is; it counts as no answer, and nobody else hears of it."""
    session = Session.begin(HIGH_BID, NAMES, {}, MemoryLog())
    aki, ben, _ = session.table.seats
    cash = session.table.ledger.find_account_by_keys("Ben/purse", "dollar").count
    asked = ControlKeyAnswer("keypad 2", 0, "own", SHOWN, 1)
    told = submit_device_answer(session, ben, asked, SHOWN)
    assert told is not None
    assert (render(told.text), told.announcement) == (f"Own: {cash}", None)
    assert can_display_show(render(told.text), width_cells=16)
    before = [build_seat_panel(make_view(session, seat), seat, "en") for seat in (aki, ben)]
    session.table.ledger.supply_from_box(session.table.ledger.find_account_by_keys("Ben/purse", "dollar"), 5)
    assert submit_device_answer(session, ben, asked, SHOWN) != told
    assert submit_device_answer(
        session, aki, ControlKeyAnswer("keypad 1", 0, "own", SHOWN, 1), SHOWN
    ) == DeviceAnswerRefusal(say("Own: {counts}", counts=str(cash)))
    assert [build_seat_panel(make_view(session, seat), seat, "en") for seat in (aki, ben)] == before
    assert session.steps == []


def test_where_nothing_is_covered_the_display_says_so() -> None:
    """And a keypad at which nobody plays learns nothing."""
    session = Session.begin(EGYPT, NAMES, {}, MemoryLog())
    asked = ControlKeyAnswer("keypad 1", 0, "own", SHOWN, 1)
    assert submit_device_answer(session, session.table.seats[0], asked, SHOWN) == DeviceAnswerRefusal(
        NOTHING_HIDDEN_TEXT
    )
    assert submit_device_answer(session, None, asked, SHOWN) == DeviceAnswerRefusal(NOT_YOUR_TURN_TEXT)
