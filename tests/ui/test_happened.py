"""What happened is never left out: where it has no room, a sheet shows it and one line keeps it."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from companion.rulebook import Choose, Place, Table, say
from companion.rules.scene_views import CardSpreadView, CellView
from companion.session.view import UntoldStep
from tests.support.ui.missing_information import find_missing_information

MARKET = say("market")
TOLD = [say("Sentence {n} of all that has just happened round this table.", n=n) for n in range(1, 13)]
OPTIONS = {f"key{n}": say("option {n}", n=n) for n in range(9)}


async def much(table: Table) -> None:
    """After the first answer much is told while there is much to choose from."""
    for number in (1, 2, 3):
        await Choose(table.seats[0], say("Which one, time {n}?", n=number), dict(OPTIONS))
        for text in TOLD if number < 3 else TOLD[:1]:
            table.add_note(text)


async def test_a_sheet_opens_where_what_happened_has_no_room(open_small_game: Any) -> None:
    """All sentences are on it; a touch takes it away and presses nothing, and the line brings it back."""
    table, game = await open_small_game(much)
    await table.tap("Option 4")
    play = game.play_screen
    assert play.notes.is_collapsed
    assert play.events_notice.label.text.count("\n") == len(TOLD)  # the first line is the answer
    assert find_missing_information(play) == []
    await table.tap("What happened")  # its heading: wherever it is touched
    assert not table.app.stage.has_overlay
    await table.tap("what happened", "close")  # the key that says how
    assert not table.app.stage.has_overlay
    assert len(game.answers) == 1
    assert "folded and not open" in find_missing_information(play)[0]
    await table.tap("what happened")
    assert table.app.stage.has_overlay
    assert find_missing_information(play) == []


async def test_the_next_answer_takes_the_sheet_away(open_small_game: Any) -> None:
    """An answer that comes from a keypad doesn't wait until somebody has touched the screen."""
    table, game = await open_small_game(much)
    await table.tap("Option 4")
    game.session.answer(game.session.question_number, "key1")
    game.show()
    await table.wait_frames()
    assert len(table.app.stage.overlays_topmost_first) == 1
    game.session.answer(game.session.question_number, "key1")
    game.show()
    await table.wait_frames()
    assert not table.app.stage.has_overlay
    assert not game.play_screen.notes.is_collapsed
    assert game.play_screen.notes.texts[1:] == [TOLD[0].in_language("en")]


async def test_going_back_opens_no_sheet(open_small_game: Any) -> None:
    """What happened before is one line then: everybody has read it."""
    table, game = await open_small_game(much)
    await table.tap("Option 4", "What happened", "Option 4", "What happened")
    game.session.undo()
    game.show()
    await table.wait_frames()
    assert game.play_screen.notes.is_collapsed
    assert not table.app.stage.has_overlay


async def test_what_is_asked_about_is_left_out_last(open_small_game: Any) -> None:
    """Wherever it stands in the middle; where nothing is asked about, what the scene names first stays."""
    from ui import theme
    from ui.widgets.drawing.canvas_diff import record_drawing
    from ui.widgets.pieces.middle import TableMiddle

    await open_small_game(much)
    thirty = [CellView(None, say("number {n}", n=n), n) for n in range(30)]
    cards = [
        CardSpreadView(say("pile {n}", n=n), Place(MARKET), (), None, 0, (), is_subject=False)
        for n in range(3)
    ]
    wanted = replace(cards[2], is_subject=True)
    for parts, seen, unseen in (
        ((*cards[:2], *thirty, wanted), "", "number 29"),
        ((*cards, *thirty), "", "number 29"),
        ((*thirty, *cards), "number 0", "number 29"),
    ):
        middle = TableMiddle(parts=parts, size=(theme.length.target * 7, 0))
        middle.height = middle.min_height_of_required_rows(middle.width)
        middle.choose_line_height()
        record_drawing(middle.draw)
        assert not middle.hides_question_subject
        assert seen in " ".join(middle.visible_texts)
        assert unseen not in " ".join(middle.visible_texts)


async def unnoted_answers(table: Table) -> None:
    """Nothing is noted; the questions are as long as a question may be."""
    for number in range(1, 4):
        question = say(
            "Day {n}: do you dig for gold in the deep old mine, or do you take a day off?", n=number
        )
        await Choose(table.seats[number - 1], question, {"dig": say("dig"), "rest": say("day off")})


async def test_an_answer_that_no_note_says_is_on_the_screen(open_small_game: Any) -> None:
    """Who chose what, without the question; only the last one."""
    table, game = await open_small_game(unnoted_answers)
    assert game.play_screen.notes.texts == []
    await table.tap("Dig")
    assert "Aki: dig" in table.texts()
    await table.tap("Day off")
    assert not [text for text in table.texts() if text.startswith("Aki:")]
    assert "Ben: day off" in table.texts()
    assert not table.app.stage.has_overlay


async def menu(table: Table) -> None:
    """A choice of Aki that is noted; then the table chooses what is next."""
    for _ in range(3):
        await Choose(table.seats[0], say("Which one?"), dict(OPTIONS))
        table.add_note(TOLD[0])
        await Choose(None, say("What is next?"), {"on": say("play on"), "more": say("play much")})


async def test_what_happened_stays_when_the_table_has_chosen_what_is_next(open_small_game: Any) -> None:
    """The next question says what the table has chosen; no sheet opens again."""
    table, game = await open_small_game(menu)
    await table.tap("Option 4")
    happened = game.play_screen.notes.texts
    assert happened == ["Aki: option 4", TOLD[0].in_language("en")]
    await table.tap("Play much")
    assert game.play_screen.notes.texts == happened
    assert not table.app.stage.has_overlay


async def noted_answers(table: Table) -> None:
    """What an answer led to is noted, but not who gave it."""
    for number in range(1, 4):
        await Choose(table.seats[0], say("Which one, time {n}?", n=number), dict(OPTIONS))
        table.add_note(say("The lantern stays unlit."))


async def test_an_answer_stays_beside_what_it_led_to(open_small_game: Any) -> None:
    """Only beside what has been decided it may be left out."""
    table, game = await open_small_game(noted_answers)
    await table.tap("Option 4")
    notes = game.play_screen.notes
    notes.height = notes.min_and_preferred_height(notes.width)[0]
    notes.collapse_or_expand_to_fit()
    assert not notes.is_collapsed
    assert notes.label.text == "Aki: option 4\nThe lantern stays unlit."


async def test_a_correction_may_stand_without_the_answer_before_it(open_small_game: Any) -> None:
    """Where both have no room; the answer was read before."""
    _table, game = await open_small_game(unnoted_answers)
    steps = UntoldStep(say("Corrected: 1 coin from Aki to the bank")), UntoldStep(say("Aki: dig"))
    game.play_screen.view = replace(game.play_screen.view, untold_steps=steps)
    notes = game.play_screen.notes
    assert notes.texts == [step.text.in_language("en") for step in steps]
    notes.height = notes.min_and_preferred_height(notes.width)[0]
    notes.collapse_or_expand_to_fit()
    assert not notes.is_collapsed
    assert notes.label.text == notes.texts[0]
