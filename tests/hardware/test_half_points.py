"""Half points at devices: a draw of two players, on keypads, on buttons and on displays."""

from __future__ import annotations

import pytest

from companion.requests import Amount
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.seats import Seat
from companion.texts import render, say
from hardware.desk.answers import submit_device_answer
from hardware.desk.entry import ButtonEntry, KeyEntry, apply_button_signal, apply_key, format_button_entry
from hardware.desk.prompts import build_seat_panel
from hardware.device_drivers import fit_to_display
from hardware.signals import ButtonDown, ButtonName, ButtonUp, NumbersAnswer, PadKey
from tests.support.games.any_game_helpers import begin_with_cards, rules_card, template_card
from ui.demo.presses import button_names_for_answer, keypad_keys_for_answer

BUTTON_BY_LETTER: dict[str, ButtonName] = {"+": "plus", "-": "minus", "k": "ok"}
POINTS, MATCH = template_card("category", "points"), rules_card(scoring="rounds", half_points="yes")


def open_round() -> Session:
    """Ann and Ben enter the points of their first game."""
    return begin_with_cards(POINTS, MATCH, names=("Ann", "Ben")).says("table: write_round").session


def totals(session: Session) -> list[str]:
    """The totals now, the best first."""
    assert session.table.score_so_far is not None
    return [str(standing.total) for standing in session.table.score_so_far().standings]


def type_keys(session: Session, seat: Seat, *keys: PadKey) -> str:
    """Types keys on the keypad of a seat; returns why the answer is refused, or nothing."""
    entry, answer = KeyEntry(), None
    for key in keys:
        entry, answer = apply_key(entry, key, session.question_number)
    assert isinstance(answer, tuple), keys
    signal = NumbersAnswer("keypad", session.question_number, answer, 9.0, 1)
    refusal = submit_device_answer(session, seat, signal, 0.0)
    return "" if refusal is None else render(refusal.text)


def test_a_point_and_a_5_are_a_half_on_a_keypad() -> None:
    """A draw: both type 0.5; the half counts when the round is complete."""
    session = open_round()
    ann, ben = session.table.seats
    assert type_keys(session, ann, "0", ".", "5", "OK") == ""
    assert type_keys(session, ben, "1", "2", ".", "5", "OK") == ""
    assert totals(session) == ["12½", "½"]


def test_a_half_alone_needs_no_0() -> None:
    """A draw of a game of chess: both type a point and a 5."""
    session = open_round()
    for seat in session.table.seats:
        assert type_keys(session, seat, ".", "5", "OK") == ""
    assert totals(session) == ["½", "½"]


def test_a_point_at_the_beginning_never_makes_another_number() -> None:
    """Where only whole numbers are allowed, `.5` isn't 5."""
    script = begin_with_cards(POINTS, rules_card(scoring="rounds"), names=("Ann", "Ben"))
    session = script.says("table: write_round").session
    assert type_keys(session, session.table.seats[0], ".", "5", "OK") == "Only 0.."


@pytest.mark.parametrize(
    "keys",
    [
        ("7", ".", "0", "5", "OK"),
        ("7", ".", "0", "0", "5", "OK"),
        ("7", ".", "2", "OK"),
        ("7", ".", "5", "0", "OK"),
        ("7", ".", "5", ".", "5", "OK"),
    ],
)
def test_other_keys_after_the_point_are_refused(keys: tuple[PadKey, ...]) -> None:
    """The line says which keys are allowed: whole numbers, and steps of 0.5."""
    session = open_round()
    assert type_keys(session, session.table.seats[0], *keys) == "Only 0,½.."


def test_the_line_of_a_keypad_says_that_halves_are_allowed() -> None:
    """A display has no ½, so it shows the half as it is typed."""
    session = open_round()
    panel = build_seat_panel(make_view(session), session.table.seats[0], "en")
    assert fit_to_display(panel.line, width_cells=16, has_kana=False) == "Enter 0,0.5.."


@pytest.mark.parametrize(
    ("text", "shown"), [("7½", "7.5"), ("-½", "-0.5"), ("Place 1: 12½", "Place 1: 12.5")]
)
def test_a_display_shows_a_half_as_it_is_typed(text: str, shown: str) -> None:
    """A half alone has a 0 before the point."""
    assert fit_to_display(text, width_cells=16, has_kana=True) == shown


def test_a_display_shows_the_final_score_with_a_half() -> None:
    """The place and the total fit on one line."""
    script = begin_with_cards(POINTS, MATCH, names=("Ann", "Ben"))
    script.says("table: write_round", "table: 12½, -½", "table: finish")
    lines = [
        build_seat_panel(make_view(script.session), seat, "en").line for seat in script.session.table.seats
    ]
    assert [fit_to_display(line, width_cells=16, has_kana=False) for line in lines] == [
        "Place 1: 12.5",
        "Place 2: -0.5",
    ]


def test_each_press_of_a_button_is_half_a_point() -> None:
    """Three presses of plus are 1½; minus goes below 0."""
    session = open_round()
    ann, ben = session.table.seats
    for seat, buttons, entered in ((ann, "+++k", "1.5"), (ben, "-k", "-0.5")):
        assert session.question is not None
        part = session.question.parts_by_seat[seat]
        entry, answer, at, shown = ButtonEntry(), None, 0.0, ""
        for cap in buttons:
            button = BUTTON_BY_LETTER[cap]
            for signal in (ButtonDown("buttons", button, at), ButtonUp("buttons", button, at + 0.1)):
                shown = format_button_entry(entry, part.form) or shown
                entry, answer = apply_button_signal("three", entry, signal, part.form)
            at += 1.0
        assert shown == entered
        assert isinstance(answer, tuple)
        number_answer = NumbersAnswer("buttons", session.question_number, answer, 9.0, 1)
        assert submit_device_answer(session, seat, number_answer, 0.0) is None
    assert totals(session) == ["1½", "-½"]


def test_a_demonstration_presses_the_keys_of_a_half() -> None:
    """The keypad has a point, the screen has a key with ½."""
    form = Amount(None, say("Points"), -20, 20, in_halves=True).form
    assert keypad_keys_for_answer(form, 7.5) == "7.5 OK"
    assert keypad_keys_for_answer(form, 0.5) == "0.5 OK"
    assert button_names_for_answer(form, -7.5) == ["sign", "7", "half", "confirm"]
    assert button_names_for_answer(form, 0.5) == ["half", "confirm"]
