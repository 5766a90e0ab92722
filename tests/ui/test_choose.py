"""Keys for one of several things, on one page or many."""

from __future__ import annotations

from typing import Any

import pytest

from companion.requests import Choose, DetailedOption, Together
from companion.requests.choose import OptionRequirement
from companion.table.ledger import Piece
from companion.table.table import Table
from companion.texts import Labelled, say
from tests.ui.test_play import check_all

pytestmark = pytest.mark.usefixtures("without_motion")
MANY = 60


async def many(table: Table) -> None:
    """One of sixty, or none of them."""
    options = {str(at): DetailedOption(say("Thing {n}", n=at)) for at in range(MANY)}
    await Choose(
        None,
        say("Which one?"),
        {"none": DetailedOption(say("None of them"), is_decline_option=True), **options},
    )


@pytest.mark.sweep(1)
@pytest.mark.parametrize("size", [(800, 480), (1280, 720), (720, 1280)])
async def test_the_way_out_stands_in_the_corner_of_every_page(open_small_game: Any, size: Any) -> None:
    """Whatever page is open, it is there, at the same place, and answers."""
    table, game = await open_small_game(many, size)
    places = set()
    for _page in range(3):
        check_all(table, size)
        way_out = table.find("None of them")
        places.add(way_out.to_window(*way_out.pos))
        await table.tap("page on")
    assert len(places) == 1
    await table.tap("None of them")
    assert game.answers == ["none"]


async def menu(table: Table) -> None:
    """What is mostly meant, something else, and the way out."""
    options: dict[str, Labelled] = {
        "pay": DetailedOption(say("Payment"), is_most_likely=True),
        "roll": say("Dice"),
        "end": DetailedOption(say("End"), is_decline_option=True),
    }
    await Choose(None, say("What is next?"), options)


@pytest.mark.parametrize("size", [(800, 480), (480, 800)])
async def test_what_ends_the_game_stands_apart_from_other_keys(open_small_game: Any, size: Any) -> None:
    """Nobody ends it who misses the key beside it, or the key above it."""
    from ui import theme

    async def rules(table: Table) -> None:
        options: dict[str, Labelled] = {str(at): say("Thing {n}", n=at) for at in range(5)}
        options["finish"] = DetailedOption(say("Finish"), is_decline_option=True)
        await Choose(None, say("What is next?"), options, confirmations={"finish": say("Finish the game?")})

    table, _ = await open_small_game(rules, size)
    finish, *others = (table.find(text) for text in ("Finish", *[f"Thing {at}" for at in range(5)]))
    for other in others:
        left, above = finish.x - other.right, other.y - finish.top
        assert left >= theme.length.apart or above > theme.length.space - 1, other.text


async def test_what_has_to_be_confirmed_has_a_red_edge(open_small_game: Any) -> None:
    """People see before they touch it that it can't be undone easily."""

    async def rules(table: Table) -> None:
        options: dict[str, Labelled] = {"on": say("Go on"), "finish": say("Finish")}
        await Choose(None, say("What is next?"), options, confirmations={"finish": say("Finish it?")})

    table, _game = await open_small_game(rules)
    assert {table.find(text).look for text in ("Go on", "Finish")} == {"brass", "danger"}
    assert table.find("Finish").look == "danger"


async def test_what_is_mostly_meant_is_brass(open_small_game: Any) -> None:
    """One key is the thing to do now, where the rulebook says which; all others are paper."""
    table, _game = await open_small_game(menu, (800, 480))
    looks = {text: table.find(text).look for text in ("Payment", "Dice", "End")}
    assert looks == {"Payment": "brass", "Dice": "paper", "End": "paper"}


COIN = Piece("coin", say("coin"))


def purses(*, covered: bool) -> Any:
    """Each may buy what costs a coin; Aki has none, the others have two."""

    async def rules(table: Table) -> None:
        lay = table.covered_account if covered else table.account
        held = {seat: lay(COIN, say("purse"), seat) for seat in table.seats}
        for seat in table.seats[1:]:
            table.supply_from_box(held[seat], 2)
        for seat in table.seats[:2]:
            need = OptionRequirement(held[seat], 1, say("{seat} has no coin.", seat=seat))
            options = {"buy": say("Buy"), "pass": say("Pass")}
            await Choose(seat, say("What now?"), dict(options), {"buy": need})

    return rules


async def test_what_cannot_be_paid_for_now_is_faint(open_small_game: Any) -> None:
    """Touched it says why, and asks nothing; once a coin is moved there it can be chosen."""
    table, game = await open_small_game(purses(covered=False))
    assert table.find("Buy").looks_disabled
    assert not table.find("Pass").looks_disabled
    await table.tap("Buy")
    assert game.play_screen.refusal.text == "Aki has no coin."
    assert not game.answers
    game.session.correct("Ben/purse", "Aki/purse", "coin", 1, "a gift")
    game.show()
    await table.wait_frames()
    assert not table.find("Buy").looks_disabled
    await table.tap("Buy")
    assert game.session.steps[-1].answer == "buy"
    assert not table.find("Buy").looks_disabled


async def test_what_only_a_covered_purse_could_pay_for_looks_like_all_else(open_small_game: Any) -> None:
    """Nobody sees by it what lies there."""
    table, _game = await open_small_game(purses(covered=True))
    assert not table.find("Buy").looks_disabled


async def test_why_not_is_said_under_cover_too(open_small_game: Any) -> None:
    """What can't be chosen says so to whoever is filling an envelope, as often as it is touched."""

    async def rules(table: Table) -> None:
        why = say("Nothing is left to buy.")
        options: dict[str, Labelled] = {
            "buy": DetailedOption(say("Buy"), barred_reason=why),
            "pass": say("Pass"),
        }
        await Together(
            say("All choose"), {seat: Choose(seat, say("What now?"), options) for seat in table.seats}
        )

    table, _game = await open_small_game(rules)
    await table.tap("Aki", "Aki, take the screen")
    for _touch in range(2):
        await table.tap("Buy")
        assert "Nothing is left to buy." in table.texts()


async def test_an_option_with_serious_consequences_has_a_danger_edge(open_small_game: Any) -> None:
    """Such as the one that ends the game, which asks first; the only other option is brass."""

    async def last(_table: Table) -> None:
        options = {"again": say("Again"), "finish": say("Finish")}
        await Choose(None, say("Once more?"), options, confirmations={"finish": say("Really?")})

    table, _ = await open_small_game(last)
    assert [table.find(name).look for name in ("again", "finish")] == ["brass", "danger"]


async def night(table: Table) -> None:
    """Actions of which one can't be taken, one is usual and one is what people mostly mean."""
    options: dict[str, Labelled] = {
        "dig": DetailedOption(say("Dig"), barred_reason=say("Not tonight."), group=say("work")),
        "hire": DetailedOption(say("Hire"), group=say("work")),
        "rest": DetailedOption(say("Rest")),
        "pay": DetailedOption(say("Pay"), is_usual=True),
        "sell": DetailedOption(say("Sell"), is_most_likely=True),
        "end": DetailedOption(say("End"), is_decline_option=True),
    }
    for has_free_order in (True, False):
        await Choose(None, say("What now?"), options, has_free_order=has_free_order)


async def test_options_with_a_free_order_begin_with_the_likely_ones(open_small_game: Any) -> None:
    """First their whole group, then others; what can't be chosen comes last, before the way out.

    An order that means something stays.
    """
    table, game = await open_small_game(night, (800, 480))

    def keys() -> list[str]:
        return list(game.play_screen.question_widget.keys)

    assert keys() == ["sell", "pay", "rest", "hire", "dig", "end"]
    await table.tap("Rest")
    assert keys() == ["dig", "hire", "rest", "pay", "sell", "end"]


@pytest.mark.parametrize(("size", "layout"), [((800, 480), ""), ((800, 480), "flat"), ((480, 800), "flat")])
async def test_a_long_word_takes_several_columns(open_small_game: Any, size: Any, layout: str) -> None:
    """Only its own key is wider, so all others still stand side by side, and none is on another page."""

    async def rules(table: Table) -> None:
        options: dict[str, Labelled] = {str(at): say("Thing {n}", n=at) for at in range(10)}
        options["4"] = say("Unabbreviatedness")
        await Choose(
            None, say("Which one?"), {**options, "none": DetailedOption(say("None"), is_decline_option=True)}
        )

    table, game = await open_small_game(rules, size)
    game.play_screen.layout_name = layout
    await table.wait_frames(3)
    check_all(table, size)
    keys = game.play_screen.question_widget.keys
    assert all(key.get_root_window() is not None for key in keys.values())
    widths = {name: round(key.width) for name, key in keys.items()}
    assert widths["4"] > min(widths.values())
    assert len({round(key.y) for key in keys.values()}) < len(keys) / 2
