"""Rounds that are open to all, by touch: a row for each seat, one pad, and one confirmation for all."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from companion.languages import languages
from companion.requests import Amount, Choose, CountedItem, Counts, Request, Together
from companion.table.seats import Seat
from companion.table.table import Table
from companion.texts import say
from tests.support.soak import SOAK
from tests.support.stall_game import FailingLog
from tests.support.ui.app_helpers import COLOURS, NAMES, answer_questions
from tests.support.ui.screen_faults import find_faults
from tests.ui.test_every_screen import SIZES

POINTS, ANOTHER = say("Points of the round"), say("Another?")


async def rounds(table: Table) -> None:
    """Points for everybody, twice."""
    for _ in range(2):
        parts = {seat: Amount(seat, POINTS, -99, 99) for seat in table.seats}
        await Together(POINTS, dict(parts), is_open=True)


async def pinball(table: Table) -> None:
    """Points that are asked about from five digits on."""
    parts = {seat: Amount(seat, POINTS, -99_999, 99_999, confirm_above=9_999) for seat in table.seats}
    await Together(POINTS, dict(parts), is_open=True)


async def tricks(table: Table) -> None:
    """What everybody bid and made."""
    counted = {"bid": CountedItem(say("bid"), 9), "made": CountedItem(say("made"), 9)}
    parts = {seat: Counts(seat, POINTS, counted) for seat in table.seats}
    await Together(POINTS, dict(parts), is_open=True)


async def votes(table: Table) -> None:
    """What is no number."""
    texts = {"yes": say("yes"), "no": say("no")}
    await Together(ANOTHER, {seat: Choose(seat, ANOTHER, dict(texts)) for seat in table.seats}, is_open=True)


async def number_and_vote(table: Table) -> None:
    """A number from the first player, and a vote from the second."""
    aki, ben, *_ = table.seats
    vote = Choose(ben, ANOTHER, {"yes": say("yes"), "no": say("no")})
    parts: dict[Seat, Request[Any]] = {aki: Amount(aki, POINTS, 0, 99), ben: vote}
    await Together(POINTS, parts, is_open=True)


def rows(table: Any) -> dict[str, tuple[str, bool]]:
    """What stands in each row that can be seen, and whether it is in."""
    found = [one for one in table.widgets() if type(one).__name__ == "SeatNumbersRow"]
    return {
        row.seat.name: (" ".join(one.text for one in row.number_labels), row.is_answer_complete)
        for row in reversed(found)
    }


async def test_a_round_is_entered_row_by_row_and_confirmed_once(open_small_game: Any) -> None:
    """The next row comes by itself; a sign key counts below zero; nothing typed is 0; the last key sends."""
    table, game = await open_small_game(rounds, (1280, 720))
    await table.tap("1", "2", "Next", "sign", "7")
    assert rows(table) == {"Aki": ("12", True), "Ben": ("−7", False), "Chie": ("–", False)}
    await table.tap("Next", "Enter all answers")
    assert game.answers == [{"1": 12, "2": -7, "3": 0}]
    assert rows(table) == {"Aki": ("–", False), "Ben": ("–", False), "Chie": ("–", False)}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("size", [(1024, 600), (1280, 720)])
@pytest.mark.parametrize("asked", [rounds, tricks])
async def test_nothing_touches_the_frame_of_a_row(
    open_small_game: Any, asked: Any, size: tuple[int, int]
) -> None:
    """Name and numbers stand within it, and no number where the tick has its place."""
    from ui import theme

    table, _ = await open_small_game(asked, size)
    found = [one for one in table.widgets() if type(one).__name__ == "SeatNumbersRow"]
    assert len(found) == len(COLOURS)
    for row in found:
        row.size_hint = (None, None)
        row.size = (theme.length.target * 3.4, theme.length.target * 1.15)  # as low as where a grid is above
    await table.wait_frames()
    for row in found:
        for writing in (row.name_label, *row.number_labels):
            # Digits are lower than their line, and so is a large number.
            half = writing.font_size * 0.4 if writing is not row.name_label else writing.texture_size[1] / 2
            assert row.y + theme.length.rim <= writing.center_y - half
            assert writing.center_y + half <= row.top - theme.length.rim
        assert all(figure.right <= row.right - theme.length.smallest for figure in row.number_labels)


async def test_any_row_can_be_touched_and_typed_again(open_small_game: Any) -> None:
    """The first digit replaces what stands there; the rest stays, and the next empty row comes after it."""
    table, game = await open_small_game(rounds, (1280, 720))
    await table.tap("Chie", "5", "Next", "8", "Next")
    assert rows(table) == {"Aki": ("8", True), "Ben": ("–", False), "Chie": ("5", True)}
    await table.tap("Chie", "6", "confirm", "1", "Enter all answers")
    assert game.answers == [{"1": 8, "2": 1, "3": 6}]


async def test_what_no_row_can_hold_can_not_be_taken(open_small_game: Any) -> None:
    """The key sleeps until the number fits."""
    table, game = await open_small_game(rounds, (1280, 720))
    await table.tap("1", "2", "3")
    assert table.find("confirm").disabled
    await table.tap("confirm", "delete", "confirm")
    assert rows(table)["Aki"] == ("12", True)
    assert game.answers == []


async def test_a_huge_number_counts_at_the_second_press(open_small_game: Any) -> None:
    """The key asks about it; meanwhile no other row takes the pad. Another number counts at once."""
    table, game = await open_small_game(pinball, (1280, 720))
    await table.tap("1", "2", "0", "0", "0", "Next")
    assert "Really 12000?" in table.texts()
    await table.tap("Chie")
    assert rows(table)["Aki"] == ("12000", False)
    await table.tap("confirm")
    assert rows(table)["Aki"] == ("12000", True)
    await table.tap("sign", "1", "2", "0", "0", "0", "Next", "delete", "Next", "5", "Enter all answers")
    assert game.answers == [{"1": 12_000, "2": -1_200, "3": 5}]


async def test_what_a_keypad_enters_stands_in_its_row_at_once(open_small_game: Any) -> None:
    """What is being typed for another stays; for the same one it makes room for the next."""
    table, game = await open_small_game(rounds, (1280, 720))
    aki, ben, _ = game.session.table.seats
    await table.tap("4")
    game.session.put_answer_in_envelope(game.session.question_number, ben, 9)
    game.show()
    assert rows(table) == {"Aki": ("4", False), "Ben": ("9", True), "Chie": ("–", False)}
    game.session.put_answer_in_envelope(game.session.question_number, aki, 3)
    game.show()
    assert rows(table) == {"Aki": ("3", True), "Ben": ("9", True), "Chie": ("–", False)}
    await table.tap("2", "Enter all answers")
    assert game.answers == [{"1": 3, "2": 9, "3": 2}]


async def test_where_there_is_no_room_a_key_leads_to_the_rows(open_small_game: Any) -> None:
    """They lie over everything, keep what is in, and go with the round or by the way back."""
    table, game = await open_small_game(rounds, players=5)
    game.play_screen.layout_name = "flat"
    await table.wait_frames()
    await table.tap("unfold", "1", "Next", "close")
    assert rows(table) == {}
    await table.tap("unfold")
    assert rows(table)["Aki"] == ("1", True)
    await table.tap(*["Next"] * 3, "Enter all answers")
    assert game.answers == [{"1": 1, "2": 0, "3": 0, "4": 0, "5": 0}]
    assert rows(table) == {}


async def test_what_is_no_number_is_put_seat_by_seat(open_small_game: Any) -> None:
    """A touch on a row asks it; the answer stands in the row for all."""
    table, game = await open_small_game(votes, (1280, 720))
    await table.tap("Ben", "no")
    assert rows(table)["Ben"][1]
    await table.tap("Aki", "yes", "Chie", "yes")
    assert game.answers == [{"1": "yes", "2": "no", "3": "yes"}]


async def test_a_number_that_is_refused_stays_in_its_row(open_small_game: Any) -> None:
    """On a full disk the row keeps the number; the last key of the round sends it again."""
    table, game = await open_small_game(rounds, (1280, 720), log=(log := FailingLog()))
    log.is_full = True
    await table.tap("4", "2", "Next")
    assert game.last_refusal.startswith("This could not be saved")
    assert rows(table)["Aki"] == ("42", False)
    log.is_full = False
    await table.tap("7", "Next", "8", "Enter all answers")
    assert game.answers == [{"1": 42, "2": 7, "3": 8}]


async def test_a_number_that_is_refused_stays_on_its_page(open_small_game: Any) -> None:
    """On a full disk the page of a seat stays open with the number; it closes once the number counts."""
    table, game = await open_small_game(number_and_vote, (1280, 720), log=(log := FailingLog()))
    log.is_full = True
    await table.tap("Aki", "4", "2", "confirm")
    assert any(text.startswith("This could not be saved") for text in table.texts())
    log.is_full = False
    await table.tap("confirm")
    assert {seat.name: draft.answer for seat, draft in game.session.drafts.items()} == {"Aki": 42}
    await table.tap("Aki", "4", "2", "confirm", "Ben", "no")
    assert game.answers == [{"1": 42, "2": "no"}]


async def test_several_numbers_of_a_seat_stand_in_its_row(open_small_game: Any) -> None:
    """They are asked for one after the other; a seat whose numbers are all there has answered."""
    table, game = await open_small_game(tricks, (1280, 720), players=2)
    await table.tap("3", "Next")
    assert rows(table) == {"Aki": ("3 –", False), "Ben": ("– –", False)}
    await table.tap("2", "Next", "4", "Next", "4", "Enter all answers")
    assert game.answers == [{"1": {"bid": 3, "made": 2}, "2": {"bid": 4, "made": 4}}]


async def test_undo_asks_before_entries_are_wiped(home: Any) -> None:
    """They are no envelopes, and nobody is told of any."""
    home.app.controller.start_new_game("any_game", NAMES, COLOURS, {"template": "points"})
    answer_questions(home.app.controller, "write_round")
    await home.wait_frames()
    if "unfold" in [getattr(widget, "name", "") for widget in home.widgets()]:
        await home.tap("unfold", "7", "Next", "close")
    else:
        await home.tap("7", "Next")
    await home.tap("undo")
    assert "1 entry of this round will be deleted." in home.texts()
    await home.tap("no", "undo", "yes")
    assert home.app.controller.view.question.kind == "Choose"


LOOKS = [*product(SIZES, languages(), ("", "flat"), (3, 12))] if SOAK else [(SIZES[0], "ja", "", 12)]
LOOKS.append(((1024, 600), "en", "", 4))  # a row is low there, and its name stands above its numbers


@pytest.mark.parametrize(("size", "lang", "plan", "players"), LOOKS)
async def test_nothing_is_wrong_with_a_round(
    open_small_game: Any, size: tuple[int, int], lang: str, plan: str, players: int
) -> None:
    """In every plan, and over everything."""
    table, game = await open_small_game(rounds, size, lang, players)
    game.play_screen.layout_name = plan
    await table.wait_frames(4)
    found = find_faults(table, size)
    if not rows(table):
        await table.tap("unfold")
        found += find_faults(table, size)
    await table.tap("sign", "9", "9", "confirm")
    found += find_faults(table, size)
    assert len(rows(table)) == players
    assert not [fault for fault in found if "untranslated" not in fault], "\n".join(found)
