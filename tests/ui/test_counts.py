"""Several numbers at once, by touch: on the play screen and under cover."""

from __future__ import annotations

from typing import Any

import pytest

from companion.requests import CountedItem, Counts, Together
from companion.session.view import make_view
from companion.table.ledger import Piece
from companion.table.table import Table
from companion.texts import say
from tests.support.ui.screen_faults import find_cut_texts
from tests.support.ui.screen_sizes import SIZES, SIZES_AND_LANGUAGES
from tests.support.ui.text_checks import (
    check_all_texts_are_whole,
    check_texts_do_not_touch,
    ink_box_in_window,
)
from tests.ui.test_play import check_all

GEM = {
    colour: Piece(f"{colour} gem", say(f"{colour} gem"), look="gem", colour=colour)
    for colour in ("red", "blue", "yellow", "green", "white", "black")
}


async def price(table: Table) -> None:
    """Aki owes exactly 3, in own coins or foreign ones."""
    coin = Piece("own", say("own coin"))
    own = table.supply_from_box(table.account_by_seat(coin, say("purse"))[table.seats[0]], 12)
    counted = {"own": CountedItem(say("own coins"), own), "foreign": CountedItem(say("foreign coins"), 2)}
    await Counts(table.seats[0], say("Pay for the card"), counted, 3, 3, decline=say("can't pay"))


def many(count: int, kinds: int | None = None, most: int | None = 9) -> Any:
    """The table counts so many kinds of gems, 0 to 9 in all."""

    async def rules(table: Table) -> None:
        counted = {str(n): CountedItem(say("gem {n}", n=n), 4) for n in range(1, count + 1)}
        await Counts(None, say("What came out of the bag?"), counted, 0, most, kinds)

    return rules


async def bag(table: Table) -> None:
    """A covered bag of two."""
    held = table.supply_from_box(table.covered_account(GEM["red"], say("bag"), table.seats[0]), 2)
    await Counts(table.seats[0], say("Draw"), {"red": CountedItem(GEM["red"], held)})


async def sealed(table: Table) -> None:
    """Everybody seals numbers."""
    parts = {
        seat: Counts(
            seat,
            say("Your coins"),
            {"own": CountedItem(say("own coins"), 20), "other": CountedItem(say("other"), 4)},
        )
        for seat in table.seats[:2]
    }
    await Together(say("Wager"), dict(parts))


async def test_a_price_is_counted_to_the_coin(open_small_game: Any) -> None:
    """Each dial has its own limit, the sum says what is missing, and nobody can count beyond the price."""
    table, game = await open_small_game(price)
    assert {"own coins", "0/12", "foreign coins", "0/2", "total\n3 to go"} <= set(table.texts())
    assert table.find("take").disabled
    await table.tap("more own", "more foreign", "more foreign", "more foreign")
    assert {"total", "3/3"} <= set(table.texts())
    assert table.find("more own").disabled
    await table.tap("less foreign")
    assert "total\n1 to go" in table.texts()
    await table.tap("more own", "take")
    assert game.answers == [{"own": 2, "foreign": 1}]


async def test_a_large_number_is_typed(open_small_game: Any) -> None:
    """Touching the number opens a pad; too much is named and can't be taken; the way out changes nothing."""
    table, game = await open_small_game(price)
    await table.tap("type own", "5", "confirm")
    assert "total\n2 too many" in table.texts()
    assert table.find("take").disabled
    await table.tap("type own", "way out", "type own", "3", "confirm", "take")
    assert game.answers == [{"own": 3, "foreign": 0}]


async def test_a_number_being_typed_outlives_the_language(open_small_game: Any) -> None:
    """The pad's own words change with it."""
    table, _ = await open_small_game(price)
    await table.tap("type own", "7")
    table.app.lang = "ja"
    await table.wait_frames()
    assert {"7", "やめる", "7にする"} <= set(table.texts())


async def test_who_cannot_says_so(open_small_game: Any) -> None:
    """The way out is far from the brass key."""
    table, game = await open_small_game(price)
    await table.tap("cant")
    assert game.answers == [None]


async def test_no_more_kinds_than_allowed_can_be_counted(open_small_game: Any) -> None:
    """Two kinds at most: the third can't rise until one is back at nothing."""
    table, game = await open_small_game(many(4, kinds=2))
    await table.tap("more 1", "more 3", "more 3")
    assert [table.find(f"more {n}").disabled for n in range(1, 5)] == [False, True, False, True]
    await table.tap("less 1", "more 4", "take")
    assert game.answers == [{"1": 0, "2": 0, "3": 2, "4": 1}]


async def test_what_is_covered_limits_nothing_that_can_be_seen(open_small_game: Any) -> None:
    """The dial goes beyond what is there; the refusal says no number."""
    table, game = await open_small_game(bag)
    await table.tap("more red", "more red", "more red", "take")
    assert not game.answers
    assert "These pieces can't come from Aki's bag." in table.texts()


async def test_a_limit_that_changes_is_shown_at_once(open_small_game: Any) -> None:
    """Limits are live: a correction while the question is open counts."""
    table, game = await open_small_game(price)
    game.session.correct("Aki/purse", "Ben/purse", "own", 11, "miscounted")
    game.show()
    await table.wait_frames()
    assert "0/1" in table.texts()
    await table.tap("more own")
    assert table.find("more own").disabled


async def test_numbers_are_sealed_under_cover_and_wiped(
    open_small_game: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each seat counts or types for itself; nothing of it is left on the widget when its envelope closes."""
    from ui import theme

    monkeypatch.setattr(theme, "REVEAL_PAUSE_SECONDS", 3600.0)
    table, game = await open_small_game(sealed)
    await table.tap("Aki", "Aki, take the screen", "more other", "type own", "1", "5", "confirm", "take")
    assert set(game.session.drafts) == {game.session.table.seats[0]}
    assert game.play_screen.question_widget.answer_screen.question.make_answer() == {"own": 0, "other": 0}
    game.play_screen.question_widget.answer_screen.remove_from_screen()
    await table.wait_frames()
    await table.tap("Ben", "Ben, take the screen", "type own", "7", "not now")
    assert set(game.session.drafts) == {game.session.table.seats[0]}
    await table.tap("Ben", "Ben, take the screen")
    assert "7" not in table.texts()
    await table.tap("take")
    assert game.answers == [{"1": {"own": 15, "other": 1}, "2": {"own": 0, "other": 0}}]


@pytest.mark.parametrize(("size", "lang"), SIZES_AND_LANGUAGES)
@pytest.mark.parametrize("rules", [price, many(8, kinds=3)])
async def test_everything_fits_on_the_play_screen(
    open_small_game: Any, size: tuple[int, int], lang: str, rules: Any
) -> None:
    """Up to eight numbers beside five seats, also while one of them was refused."""
    table, game = await open_small_game(rules, size, lang, players=5)
    check_all(table, size)
    game.play_screen.show_refusal(say("The sum is {sum}; it must be exactly {most}.", sum=2, most=3))
    await table.wait_frames()
    check_all(table, size)


async def sale(table: Table) -> None:
    """Four gems with their prices."""
    counted = {
        colour: CountedItem(say("{piece} at {price} gold", piece=say(f"{colour} gem"), price=3), 1)
        for colour in ("red", "blue", "yellow", "white")
    }
    await Counts(table.seats[0], say("Gems sold"), counted, 1, None, 1)


async def dug(table: Table) -> None:
    """Six things out of a covered bag."""
    counted = {
        name: CountedItem(say(name), 4)
        for name in ("soil", "mud", "red gem", "blue gem", "yellow gem", "white gem")
    }
    await Counts(table.seats[0], say("Chips dug"), counted, 0, 3)


@pytest.mark.sweep(1)
@pytest.mark.parametrize(("size", "lang"), [(SIZES[0], "de"), (SIZES[0], "ja"), (SIZES[1], "en")])
@pytest.mark.parametrize("rules", [sale, dug, many(6), price])
async def test_a_long_name_stands_beside_its_number(
    open_small_game: Any, size: tuple[int, int], lang: str, rules: Any
) -> None:
    """However little room a dial has, its name and its number don't touch, and both are inside it."""
    table, game = await open_small_game(rules, size, lang, players=5)
    check_all(table, size)
    for dial in game.play_screen.question_widget.dials.values():
        check_texts_do_not_touch(dial.number.label, dial.number.number)
        for writing in (dial.number.label, dial.number.number):
            assert dial.y <= ink_box_in_window(writing)[1], writing.text
            assert ink_box_in_window(writing)[3] <= dial.top, writing.text


async def foreign(table: Table) -> None:
    """Coins of four others, whose names have two words each and are far from equally long."""
    names = ("Maximilian Hohenfels", "Anna-Katharina Mayer", "Jo Featherstonehaugh", "Bo Li")
    counted = {name: CountedItem(say("{name}'s coin", name=name), 4) for name in names}
    await Counts(table.seats[0], say("Which coins?"), counted, 0, 4)


async def test_a_label_of_two_unequal_lines_is_whole(open_small_game: Any) -> None:
    """Dials stand in two columns only where the longer line has room, and in one only where that has."""
    table, game = await open_small_game(foreign)
    question, two_columns = game.play_screen.question_widget, 2
    widths = [width for width in range(240, 800, 8) if not question.is_too_narrow(width)]
    columns = set()
    for width in widths:
        question.size_hint, question.size = (None, None), (width, question.min_and_preferred_height(width)[0])
        await table.wait_frames(2)
        labels = [dial.number.label for dial in question.dials.values()]
        assert not [*find_cut_texts(labels)], (width, question.pager.cols)
        columns.add(question.pager.cols)
    assert columns == {1, two_columns}


@pytest.mark.parametrize("size", SIZES)
async def test_eight_numbers_fit_under_cover(open_small_game: Any, size: tuple[int, int]) -> None:
    """Two columns of four, with the sum below."""

    async def rules(table: Table) -> None:
        counted = {str(n): CountedItem(say("gem {n}", n=n), 40) for n in range(1, 9)}
        await Together(say("Wager"), {table.seats[0]: Counts(table.seats[0], say("Your gems"), counted)})

    table, _ = await open_small_game(rules, size)
    await table.tap("Aki", "Aki, take the screen")
    from ui import theme

    least = theme.length.target - 0.5
    for n in range(1, 9):
        assert min(table.find(f"more {n}").size) >= least
    check_all_texts_are_whole(table.widgets())


async def too_dear(table: Table) -> None:
    """Aki owes 5 with an own coin and two foreign ones."""
    coin = Piece("own", say("own coin"))
    purses = table.account_by_seat(coin, say("purse"))
    own, _ = (
        table.supply_from_box(purses[table.seats[0]], 1),
        table.supply_from_box(purses[table.seats[1]], 9),
    )
    counted = {"own": CountedItem(say("own coins"), own), "foreign": CountedItem(say("foreign coins"), 2)}
    await Counts(table.seats[0], say("Pay for the card"), counted, 5, 5, decline=say("can't pay"))


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
async def test_where_only_declining_is_left_no_dial_is_there(
    open_small_game: Any, size: tuple[int, int]
) -> None:
    """The one key declines."""
    table, game = await open_small_game(too_dear, size)
    question = game.play_screen.question_widget
    assert (question.dials, question.done_key.parent) == ({}, None)
    check_all(table, size)
    await table.tap("cant")
    await table.wait_frames()
    assert game.session.rulebook_run.answered_questions[-1].answer is None


async def test_dials_come_back_when_the_price_can_be_paid(open_small_game: Any) -> None:
    """Coins that people correct while the question is open can be counted at once."""
    table, game = await open_small_game(too_dear)
    assert not game.play_screen.question_widget.dials
    game.session.correct("Ben/purse", "Aki/purse", "own", 4, "a gift")
    game.play_screen.view = make_view(game.session)
    await table.wait_frames()
    assert [*game.play_screen.question_widget.dials] == ["own", "foreign"]


def gems_in_hand(*held: int) -> Any:
    """Aki pays up to 3 with gems; everybody sees how many of each kind Aki has."""

    async def rules(table: Table) -> None:
        counted = {
            str(n): CountedItem(
                say("gem {n}", n=n),
                table.supply_from_box(
                    table.account_by_seat(Piece(f"gem {n}", say("gem {n}", n=n)), say("purse"))[
                        table.seats[n % 2]
                    ],
                    count,
                ),
            )
            for n, count in enumerate(held)
        }
        await Counts(table.seats[0], say("Pay"), counted, 0, 3)

    return rules


async def test_a_number_that_can_only_be_0_has_no_dial(open_small_game: Any) -> None:
    """The rows that can be counted are on one page, and the answer has every key."""
    table, game = await open_small_game(gems_in_hand(0, 3, 0, 0, 2, 0, 0, 0))
    assert [*game.play_screen.question_widget.dials] == ["1", "4"]
    assert "page on" not in {getattr(widget, "name", "") for widget in table.widgets()}
    check_all(table, (800, 480))
    await table.tap("more 1", "more 4", "more 4")
    assert {"3", "total\nat most 3"} <= set(table.texts())
    await table.tap("take")
    assert game.answers == [{str(n): {1: 1, 4: 2}.get(n, 0) for n in range(8)}]


async def test_the_key_says_that_nothing_was_counted(open_small_game: Any) -> None:
    """Where 0 is allowed, so that nobody confirms 0 by mistake; where 0 isn't allowed, the key sleeps."""
    table, _ = await open_small_game(gems_in_hand(3, 2))
    assert table.find("take").text == "Done: nothing"
    await table.tap("more 1")
    assert table.find("take").text == "Done"


async def test_the_key_does_not_say_nothing_where_something_is_owed(open_small_game: Any) -> None:
    """The key is disabled, and the caption says how much is missing."""
    table, _ = await open_small_game(price)
    assert (table.find("take").text, table.find("take").disabled) == ("Done", True)


async def test_every_number_has_a_dial_where_all_can_only_be_0(open_small_game: Any) -> None:
    """A question never is empty."""
    _, game = await open_small_game(gems_in_hand(0, 0))
    assert [*game.play_screen.question_widget.dials] == ["0", "1"]


async def test_a_dial_that_comes_or_goes_leaves_the_other_numbers(open_small_game: Any) -> None:
    """Gems that people correct while the question is open get a dial; the number begun stays."""
    table, game = await open_small_game(gems_in_hand(0, 3, 2, 0))
    widget = game.play_screen.question_widget
    await table.tap("more 1", "more 1")
    game.session.correct("Aki/purse", "Ben/purse", "gem 2", 2, "miscounted")
    game.show()
    await table.wait_frames()
    assert {key: dial.count for key, dial in widget.dials.items()} == {"1": 2}
    game.session.correct("Ben/purse", "Aki/purse", "gem 2", 1, "a gift")
    game.show()
    await table.wait_frames()
    assert {key: dial.count for key, dial in widget.dials.items()} == {"1": 2, "2": 0}


async def test_a_former_answer_fills_only_dials_that_are_there(open_small_game: Any) -> None:
    """A number that can only be 0 by now stays 0."""
    _, game = await open_small_game(gems_in_hand(0, 3, 2, 0))
    widget = game.play_screen.question_widget
    widget.prefill({"0": 1, "1": 2, "2": 0, "3": 0})
    assert widget.make_answer() == {"0": 0, "1": 2, "2": 0, "3": 0}


@pytest.mark.parametrize("width", [130, 153, 180, 260])
def test_what_the_sum_means_stays_inside_its_display(width: int) -> None:
    """However narrow the display is, the caption gives way before it lies under a key."""
    from kivy.clock import Clock

    from ui import theme
    from ui.questions.counts import SumDisplay

    display = SumDisplay(size=(width, theme.length.row))
    display.set_upright(upright=False)
    display.figure.text, display.caption.text = "0", "Summe\nnoch 1\nhöchstens 1 Sorte"
    display.do_layout()
    Clock.tick()
    display.do_layout()
    assert display.caption.right <= display.right - display.padding[2] + 1
