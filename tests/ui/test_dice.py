"""Dice, coins and lots, by touch."""

from __future__ import annotations

from typing import Any

import pytest

from companion.requests import Die, Roll, Together
from companion.table.table import Table
from companion.texts import say
from tests.support.long_names import PEOPLE
from tests.support.ui import screen_variants
from tests.support.ui.screen_faults import visible_widgets
from tests.support.ui.screen_sizes import SIZES, SIZES_AND_LANGUAGES
from tests.ui.test_every_table import check_screen
from tests.ui.test_play import check_all

RED = Die(say("red die"), (25, 50, 75, 75, 100, 200))
GREEN = Die(say("green die"), (0, 1, 2, 3, 4, 5))


async def dice(table: Table) -> None:
    """Two dice, then one."""
    await Roll(table.seats[0], say("Roll both dice"), (RED, GREEN))
    await Roll(None, say("Roll one die"), (RED,))


@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LANGUAGES)
async def test_dice_fit_on_the_play_screen(open_small_game: Any, size: tuple[int, int], lang: str) -> None:
    """Two dice beside five seats, also while an answer was refused."""
    table, game = await open_small_game(dice, size, lang, players=5)
    check_all(table, size)
    game.play_screen.show_refusal(say("No such face."))
    await table.wait_frames()
    check_all(table, size)


async def test_a_face_of_every_die_is_the_answer(open_small_game: Any) -> None:
    """Each die has its own keys, each face once; until all dice have a face another may be chosen."""
    table, game = await open_small_game(dice)
    await table.tap("die 1 75", "die 1 200")
    assert table.find("die 1 200").chosen
    assert not game.answers
    await table.tap("die 2 5")
    assert game.answers == [[200, 5]]
    await table.tap("die 1 50")
    assert game.answers == [[200, 5], [50]]


async def test_a_later_die_may_come_first_before_there_is_less_room(open_small_game: Any) -> None:
    """If the dice no longer fit side by side, people touch the die that has no face yet."""
    table, game = await open_small_game(dice)
    await table.tap("die 2 5")
    question = game.play_screen.question_widget
    question.size_hint_y, question.height = None, question.min_and_preferred_height(question.width)[0]
    await table.wait_frames()
    await table.tap("die 1 75")
    assert game.answers == [[75, 5]]


async def test_the_companion_rolls_for_who_has_no_dice(open_small_game: Any) -> None:
    """One touch of the brass key answers with faces that the dice have."""
    table, game = await open_small_game(dice)
    await table.tap("roll")
    red, green = game.answers[0]
    assert red in RED.faces
    assert green in GREEN.faces


def handful(count: int, sides: int) -> Any:
    """The table rolls so many dice of so many sides."""

    async def rules(table: Table) -> None:
        faces = tuple(range(1, sides + 1))
        await Roll(None, say("Roll"), tuple(Die(say("die {n}", n=n + 1), faces) for n in range(count)))

    return rules


@pytest.mark.sweep(1)
@pytest.mark.parametrize("size", SIZES)
async def test_a_handful_of_dice_is_touched_one_by_one(open_small_game: Any, size: Any) -> None:
    """Where not all have room, one is seen after the other, with what the earlier ones show."""
    table, game = await open_small_game(handful(9, 20), size)
    for at in range(1, 9):
        await table.tap(f"die {at} {2 * at}")
        check_all(table, size)
    assert "2 · 4 · 6 · 8 · 10 · 12 · 14 · 16 · die 9" in table.texts()
    await table.tap("die 9 18")
    assert game.answers == [[2 * at for at in range(1, 10)]]


async def test_small_dice_stand_beside_each_other(open_small_game: Any) -> None:
    """As many as have room with all their faces; the key that rolls says so below them."""

    async def rules(table: Table) -> None:
        await Roll(None, say("Roll"), tuple(Die(say("d{n}", n=n), tuple(range(1, n + 1))) for n in (3, 4)))

    table, game = await open_small_game(rules, (1280, 720))
    assert "Let the companion do it" in table.texts()
    lines = {table.find(f"die {at} 1").to_window(0, table.find(f"die {at} 1").y)[1] for at in (1, 2)}
    assert len(lines) == 1
    await table.tap("die 1 3")
    await table.tap("die 2 4")
    assert game.answers == [[3, 4]]


async def _turn_pages(table: Any, look: screen_variants.ScreenVariant) -> set[str]:
    """Looks at every page of faces; gives the names of their keys."""
    from kivy.uix.behaviors import ButtonBehavior

    seen = set[str]()
    while True:
        await table.wait_frames(2)
        check_screen(table, look.size)
        keys = {
            one.name: one
            for one in visible_widgets(table.app.stage.screen)
            if isinstance(one, ButtonBehavior)
        }
        seen.update(name for name in keys if name.startswith("die "))
        assert "roll" in keys
        if "page on" not in keys or keys["page on"].disabled:
            return seen
        await table.tap("page on")


@pytest.mark.sweep(1)
@pytest.mark.parametrize("look", screen_variants.SCREEN_VARIANTS, ids=screen_variants.variant_id)
@pytest.mark.parametrize("people", [2, 4, 8, 12])
@pytest.mark.parametrize("sides", [12, 22, 28])
async def test_every_face_of_a_large_die_is_touched(
    open_small_game: Any, sides: int, people: int, look: screen_variants.ScreenVariant
) -> None:
    """On as many pages as it takes, also after a smaller die; on each the companion may roll instead."""
    faces = tuple(range(1, sides + 1))
    large, small = Die(say("large die"), faces), Die(say("small die"), tuple(range(1, 9)))

    async def rules(table: Table) -> None:
        await Roll(None, say("Roll, or enter what your own dice show."), (large,))
        await Roll(table.seats[1], say("Roll"), (small, large))

    table, game = await open_small_game(rules, look.size, look.lang, players=people)
    game.play_screen.layout_name = look.layout
    assert await _turn_pages(table, look) >= {f"die 1 {face}" for face in faces}
    await table.tap(f"die 1 {sides}", "die 1 3")
    assert await _turn_pages(table, look) >= {f"die 2 {face}" for face in faces}
    await table.tap(f"die 2 {sides}")
    assert game.answers == [[sides], [3, sides]]


async def _enter_face(table: Any, die: int, face: int, *, is_typed: bool) -> None:
    """Touches the key of a face, or types its digits."""
    await table.tap(*([*str(face), "confirm"] if is_typed else [f"die {die} {face}"]))


@pytest.mark.parametrize("sides", [7, 20, 165])
@pytest.mark.parametrize("count", [1, 3])
async def test_people_enter_what_they_rolled(open_small_game: Any, count: int, sides: int) -> None:
    """However many faces a die has, its face can be entered by touch, and the companion may roll."""
    from ui.questions.roll import MAX_FACES_WITH_KEYS

    table, game = await open_small_game(handful(count, sides))
    is_typed = "type roll" in {getattr(widget, "name", "") for widget in table.widgets()}
    assert is_typed == (sides > MAX_FACES_WITH_KEYS)
    assert table.find("roll")
    if is_typed:
        await table.tap("type roll")
    for die in range(1, count + 1):
        check_all(table, (800, 480))
        await _enter_face(table, die, sides - die, is_typed=is_typed)
    assert game.answers == [[sides - die for die in range(1, count + 1)]]


@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LANGUAGES)
async def test_the_faces_of_a_large_die_are_typed(
    open_small_game: Any, size: tuple[int, int], lang: str
) -> None:
    """The pad names the die and the faces before it, and takes no face that the die doesn't have."""
    table, game = await open_small_game(handful(2, 165), size, lang, players=5)
    check_all(table, size)
    await table.tap("type roll", "1", "6", "6")
    assert "die 1" in table.texts()
    assert table.find("confirm").disabled
    check_all(table, size)
    await table.tap("delete", "5", "confirm")
    assert "165 · die 2" in table.texts()
    check_all(table, size)
    await table.tap("0")
    assert table.find("confirm").disabled
    await table.tap("way out", "type roll", "7", "confirm", "8", "confirm")
    assert game.answers == [[7, 8]]


@pytest.mark.parametrize("size", SIZES)
async def test_the_companion_rolls_a_large_die(open_small_game: Any, size: Any) -> None:
    """One touch of the brass key is enough."""
    table, game = await open_small_game(handful(1, 100), size)
    await table.tap("roll")
    assert 1 <= game.answers[0][0] <= 100


async def test_a_large_die_with_gaps_takes_only_its_faces(open_small_game: Any) -> None:
    """A number between two faces is refused on the pad."""

    async def rules(table: Table) -> None:
        await Roll(None, say("Roll"), (Die(say("tens"), tuple(range(0, 400, 10))),))

    table, game = await open_small_game(rules)
    await table.tap("type roll", "1", "5")
    assert table.find("confirm").disabled
    await table.tap("0", "confirm")
    assert game.answers == [[150]]


async def test_a_sealed_roll_of_a_large_die_is_typed(open_small_game: Any) -> None:
    """Under cover the companion doesn't roll: the pad is there at once."""

    async def rules(table: Table) -> None:
        parts = {
            seat: Roll(seat, say("Roll"), (Die(say("die"), tuple(range(1, 101))),)) for seat in table.seats
        }
        await Together(say("All roll"), dict(parts))

    table, game = await open_small_game(rules, players=2)
    await table.tap("Aki", "Aki, take the screen", "5", "5")
    assert "Seal 55" in table.texts()
    await table.tap("confirm")
    assert [draft.answer for draft in game.session.drafts.values()] == [[55]]


@pytest.mark.parametrize("size", SIZES)
async def test_faces_with_names_are_touched_by_them(open_small_game: Any, size: Any) -> None:
    """No number stands on a coin, nor a name over its only two keys."""

    async def rules(table: Table) -> None:
        await Roll(None, say("Toss"), (Die(say("penny"), (1, 2), (say("heads"), say("tails"))),))

    table, game = await open_small_game(rules, size)
    check_all(table, size)
    assert not {"penny", "1", "2"}.intersection(table.texts())
    await table.tap("tails")
    assert game.answers == [[2]]


def lots(people: int, count: int) -> Any:
    """A question that draws `count` of the people, one after the other."""
    names = tuple(say("Person {n}", n=n) for n in range(1, people + 1))
    dice = tuple(Die(say("lot {n}", n=n + 1), tuple(range(1, people - n + 1))) for n in range(count))

    async def rules(table: Table) -> None:
        await Roll(None, say("Draw"), dice, names)

    return rules


@pytest.mark.parametrize("size", SIZES)
async def test_twelve_names_have_room(open_small_game: Any, size: Any) -> None:
    """As when a lot is drawn for who starts, and everybody plays."""
    table, game = await open_small_game(lots(12, 1), size)
    check_all(table, size)
    await table.tap("Person 12")
    assert game.answers == [[12]]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("look", screen_variants.SCREEN_VARIANTS, ids=screen_variants.variant_id)
@pytest.mark.parametrize("people", [4, 12])
async def test_twelve_long_names_have_room(
    open_small_game: Any, people: int, look: screen_variants.ScreenVariant
) -> None:
    """On pages where a panel is small; each name can be touched."""
    names = tuple(say("{name}", name=name) for name in PEOPLE[look.lang])

    async def rules(_table: Table) -> None:
        await Roll(None, say("Draw lots"), (Die(say("lot"), tuple(range(1, len(names) + 1))),), names)

    table, game = await open_small_game(rules, look.size, look.lang, players=people)
    game.play_screen.layout_name = look.layout
    assert await _turn_pages(table, look) >= {f"die 1 {n}" for n in range(1, len(names) + 1)}
    await table.tap("die 1 12")
    assert game.answers == [[12]]


@pytest.mark.sweep(1)
@pytest.mark.parametrize("size", SIZES)
async def test_lots_are_drawn_by_name(open_small_game: Any, size: Any) -> None:
    """One after the other, out of those who are left: the face of a lot counts these."""
    table, game = await open_small_game(lots(12, 11), size)
    drawn = [f"Person {n}" for n in (12, 1, 11, 2, 10, 3, 9, 4, 8, 5)]
    for name in drawn:
        await table.tap(name)
        assert name not in table.texts()
        check_all(table, size)
    assert {"Person 6", "Person 7"} <= set(table.texts())
    await table.tap("Person 7")
    assert game.answers == [[12, 1, 10, 1, 8, 1, 6, 1, 4, 1, 2]]
