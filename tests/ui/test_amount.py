"""One number by touch, where 0 means no bid."""

from __future__ import annotations

from typing import Any

import pytest

from companion.requests import Amount, Choose, Raise, Together
from companion.table.ledger import Piece
from companion.table.table import Table
from companion.texts import say
from tests.ui.test_play import check_all


async def bid(table: Table) -> None:
    """Aki bids at least 60, or nothing."""
    await Amount(table.seats[0], say("Your bid"), 60, step=10, decline=True)
    await Amount(table.seats[0], say("Your other bid"), 60, step=10)


async def test_no_bid_has_a_key_of_its_own(open_small_game: Any) -> None:
    """Below the least only no bid is taken, by its key; where everybody must bid there is none."""
    table, game = await open_small_game(bid)
    await table.tap("5", "0")
    assert table.find("confirm").disabled
    await table.tap("No bid")
    assert game.session.steps[-1].answer == 0
    assert "No bid" not in table.texts()


@pytest.mark.usefixtures("home")
async def test_limits_are_numbers_only_where_the_words_name_both() -> None:
    """With a typographic minus; not where the words name no greatest number, or only some are possible."""
    from ui.widgets.keys.number_pad import NumberPad

    assert NumberPad(least=-5, most=99, limits_text="From −5 to 99")._limits_in_numbers() == "−5 – 99"
    assert NumberPad(least=5, most=999999, limits_text="5 or more")._limits_in_numbers() == ""
    few = NumberPad(least=1, most=20, values=(1, 20), limits_text="One of these: 1, 20")
    assert few._limits_in_numbers() == ""


async def arm(table: Table) -> None:
    """Everybody arms; 0 is grave."""
    sure = say("With 0 you are out.")
    await Together(
        say("Arming"),
        {seat: Amount(seat, say("Strength"), 0, 9, zero_confirmation=sure) for seat in table.seats},
    )


async def test_a_grave_0_is_asked_about_under_the_cover(open_small_game: Any) -> None:
    """The envelope closes on 0 only once its sentence was confirmed; without that the pad comes back."""
    table, game = await open_small_game(arm)
    await table.tap("Aki", "Aki, take the screen", "0", "confirm")
    assert "With 0 you are out." in table.texts()
    assert not game.session.drafts
    await table.tap("not sure")
    assert "With 0 you are out." not in table.texts()
    await table.tap("0", "confirm")
    await table.tap("sure")
    assert list(game.session.drafts) == [game.session.table.seats[0]]
    assert "With 0 you are out." not in table.texts()


async def test_a_number_is_not_asked_about(open_small_game: Any) -> None:
    """Any other number closes the envelope at once."""
    table, game = await open_small_game(arm)
    await table.tap("Aki", "Aki, take the screen", "3", "confirm")
    assert list(game.session.drafts) == [game.session.table.seats[0]]


FEW_WIDTHS = 20
COIN, LOT = Piece("coin", say("coin"), is_endless=True), Piece("lot", say("lot 1"))


async def poor(table: Table) -> None:
    """Aki bids what the purse holds, 2 of it bid already; then a number out of it."""
    bank = table.account(COIN, say("bank"))
    purse = table.account_by_seat(COIN, say("purse"))[table.seats[0]]
    table.move(bank, purse, 3)
    await Raise(table.seats[0], LOT, {table.seats[1]: 2}, paid_from=purse)
    await Amount(table.seats[0], say("Your bid"), 0, 999, paid_from=purse)


async def test_where_only_a_pass_is_left_no_key_says_a_number(open_small_game: Any) -> None:
    """The question says so, the digits rest and the way out works; a purse that fills wakes them."""
    table, game = await open_small_game(poor)
    assert table.find("confirm").text == "Bid\n3"
    game.session.correct("Aki/purse", "bank", "coin", 1, "lent")
    game.show()
    await table.wait_frames()
    assert "Aki can't bid for lot 1 now and must pass." in table.texts()
    assert table.find("confirm").disabled
    n = game.session.question_number
    await table.tap("9", "+1", "confirm")
    assert game.session.question_number == n
    game.session.correct("bank", "Aki/purse", "coin", 5, "paid back")
    game.show()
    await table.wait_frames()
    assert table.find("confirm").text == "Bid\n3"
    game.session.correct("Aki/purse", "bank", "coin", 6, "gone")
    game.show()
    await table.wait_frames()
    await table.tap("way out")
    assert game.session.steps[-1].answer is None


async def test_the_limit_of_a_number_follows_the_purse(open_small_game: Any) -> None:
    """What is allowed is written as the purse stands now."""
    table, game = await open_small_game(poor)
    await table.tap("way out")
    assert number_keys(table) == ["0", "1", "2", "3"]
    game.session.correct("Aki/purse", "bank", "coin", 1, "lent")
    game.show()
    await table.wait_frames()
    assert number_keys(table) == ["0", "1", "2"]
    game.session.correct("bank", "Aki/purse", "coin", 18, "found")
    game.show()
    await table.wait_frames()
    assert "From 0 to 20" in table.texts()
    assert not number_keys(table)


# A key for each of a few numbers


def number_keys(table: Any) -> list[str]:
    """The numbers that have a key of their own."""
    keys = [widget for widget in table.widgets() if hasattr(widget, "number")]
    return [key.text for key in sorted(keys, key=lambda key: (-key.y, key.x))]


def take(least: int, most: int, **said: Any) -> Any:
    """Aki takes a number."""

    async def rules(table: Table) -> None:
        await Amount(table.seats[0], say("How many?"), least, most, **said)

    return rules


@pytest.mark.usefixtures("without_motion")
@pytest.mark.parametrize(
    ("size", "least", "most"),
    [((800, 480), 1, 10), ((480, 800), 3, 8), ((1280, 720), 0, 9), ((800, 480), 0, 1)],
)
async def test_one_of_few_numbers_is_one_touch(
    open_small_game: Any, size: tuple[int, int], least: int, most: int
) -> None:
    """Up to ten numbers have a key each, large enough for a thumb; a pad would need two touches."""
    table, game = await open_small_game(take(least, most), size)
    check_all(table, size)
    assert number_keys(table) == [str(number) for number in range(least, most + 1)]
    await table.tap(str(most))
    assert game.answers == [most]


async def test_more_than_ten_numbers_are_typed(open_small_game: Any) -> None:
    """More than ten keys would be small, or on pages."""
    table, game = await open_small_game(take(0, 10))
    assert not number_keys(table)
    await table.tap("1", "0", "confirm")
    assert game.answers == [10]


async def test_a_hidden_limit_leaves_the_pad(open_small_game: Any) -> None:
    """Nobody sees by the keys how much a covered purse holds."""

    async def rules(table: Table) -> None:
        purse = table.covered_account(COIN, say("purse"), table.seats[0])
        bank = table.account(COIN, say("bank"))
        table.move(bank, purse, 4)
        await Amount(table.seats[0], say("How many?"), 0, paid_from=purse)

    table, _game = await open_small_game(rules)
    assert not number_keys(table)


async def test_no_bid_stands_below_few_numbers(open_small_game: Any) -> None:
    """It is no number, so it has a key of its own."""
    table, game = await open_small_game(take(3, 8, decline=True))
    assert number_keys(table) == ["3", "4", "5", "6", "7", "8"]
    await table.tap("No bid")
    assert game.answers == [0]


async def test_a_few_numbers_are_chosen_and_then_sealed(open_small_game: Any) -> None:
    """Under the cover a touch only chooses; another key seals it, and the next look shows no choice."""
    table, game = await open_small_game(arm)
    await table.tap("Aki", "Aki, take the screen")
    assert table.find("confirm").is_inactive
    assert table.find("0").look == "danger"
    await table.tap("3", "4")
    assert not game.session.drafts
    assert [table.find(number).chosen for number in "34"] == [False, True]
    await table.tap("Seal 4")
    assert list(game.session.drafts) == [game.session.table.seats[0]]
    await table.wait_until(lambda: "Ben" in table.texts())
    assert not number_keys(table)


async def withdraw(table: Table) -> None:
    """Whoever is asked bids, or leaves with a long word."""
    await Raise(table.seats[0], LOT, {}, decline="withdraw")


async def test_the_way_out_is_whole_where_keys_are_not_cramped(open_small_game: Any) -> None:
    """Its word is never cut: where it would be, the pad says that it needs more room."""
    table, _game = await open_small_game(withdraw)
    pad = next(widget for widget in table.widgets() if type(widget).__name__ == "BidDigitsPad")
    widths = [width for width in range(300, 800, 10) if not pad.is_too_narrow(width)]
    assert len(widths) > FEW_WIDTHS
    for width in widths:
        pad.size_hint, pad.size = (None, None), (width, pad.min_and_preferred_height(width)[0])
        await table.wait_frames(2)
        writing = pad.decline_key.label
        assert writing.text == "Withdraw"
        assert not writing.shorten, width


async def test_the_panel_shows_the_bid_that_the_key_makes(open_small_game: Any) -> None:
    """It is pale while it is only offered, and as dark as the highest bid once somebody has typed it."""
    from ui import theme

    table, _game = await open_small_game(withdraw)
    pad = next(widget for widget in table.widgets() if type(widget).__name__ == "BidDigitsPad")
    panel = pad.highest_bid_panel
    assert (panel.bid_text, panel.typed_number.display_text, panel.own_bid_colour) == (
        "",
        "1",
        theme.INK_QUIET,
    )
    await table.tap("4", "0")
    assert (panel.typed_number.display_text, panel.own_bid_colour) == ("40", theme.INK)
    assert table.find("confirm").text == "Bid\n40"


async def leave(table: Table) -> None:
    """One of two choices is grave."""
    options = {"stay": say("Stay"), "go": say("Go")}
    await Choose(None, say("What now?"), dict(options), confirmations={"go": say("For good?")})


async def test_a_grave_choice_is_asked_about(open_small_game: Any) -> None:
    """Its sentence takes the place of the keys, in the reader's language; without a yes they come back."""
    table, game = await open_small_game(leave)
    assert [table.find(key).look for key in ("stay", "go")] == ["brass", "danger"]
    await table.tap("go")
    assert "For good?" in table.texts()
    table.app.lang = "ja"
    await table.wait_frames()
    assert "やめる" in table.texts()
    await table.tap("not sure")
    assert {"Stay", "Go"} <= set(table.texts())
    assert not game.session.steps
    await table.tap("go", "sure")
    assert game.session.steps[-1].answer == "go"


async def test_a_harmless_choice_is_taken_at_once(open_small_game: Any) -> None:
    """Only what is grave is asked about."""
    table, game = await open_small_game(leave)
    await table.tap("stay")
    assert game.session.steps[-1].answer == "stay"


SUN = {number: Piece(f"sun {number}", say("sun {n}", n=number)) for number in (2, 5, 9)}


async def suns(table: Table) -> None:
    """Aki bids one of three suns, as in Ra, then one of two numbers in secret."""
    held = {
        number: table.account_by_seat(piece, say("suns"))[table.seats[0]] for number, piece in SUN.items()
    }
    for account in held.values():
        table.supply_from_box(account)
    await Raise(table.seats[0], LOT, {table.seats[1]: 3}, pieces=held)
    await Amount(table.seats[0], say("Your card"), values=(17, 30))
    await Amount(table.seats[0], say("Your other card"), values=tuple(range(1, 16)))
    await Amount(table.seats[0], say("Your last card"), values=tuple(range(1, 31, 2)))


async def test_a_bid_of_ones_own_numbers_is_offered_stepped_to_and_typed(open_small_game: Any) -> None:
    """The lowest is offered; step keys show the number that they set; others are refused with a sentence."""
    table, game = await open_small_game(suns)
    assert table.find("confirm").text == "Bid\n5"
    await table.tap("4", "confirm")
    assert "Aki can bid only these numbers: 5, 9." in table.texts()
    game.session.correct("Aki/suns", "Ben/suns", "sun 5", 1, "lent")
    game.show()
    await table.wait_frames()
    assert table.find("confirm").text == "Bid\n9"
    game.session.correct("Ben/suns", "Aki/suns", "sun 5", 1, "given back")
    game.show()
    await table.wait_frames()
    assert table.find("confirm").text == "Bid\n5"
    await table.tap("→9", "confirm")
    assert game.session.steps[-1].answer == 9


async def test_a_number_of_ones_own_is_named_by_the_pad(open_small_game: Any) -> None:
    """Few numbers have keys; of many the pad says the lowest and highest, and takes only those.

    Where numbers between them are missing, it says how many there are (For Sale: used cards are gone).
    """
    table, _ = await open_small_game(suns)
    await table.tap("confirm")
    assert number_keys(table) == ["17", "30"]
    await table.tap("17")
    assert "From 1 to 15" in table.texts()
    await table.tap("1", "8")
    assert table.find("confirm").disabled
    await table.tap("clear", "5", "confirm")
    assert "15 numbers from 1 to 29" in table.texts()


async def name_price(table: Table) -> None:
    """A price of five digits is asked about; then a bid is."""
    await Amount(table.seats[0], say("Price"), 1, 99_999_999, confirm_above=9_999)
    await Raise(table.seats[0], LOT, {}, confirm_above=9_999)


async def test_a_huge_number_is_asked_about(open_small_game: Any) -> None:
    """On the pad of an amount and on that of a bid; what people enter instead counts at once."""
    table, game = await open_small_game(name_price)
    assert "1 or more" in table.texts()
    await table.tap("2", "0", "0", "0", "0", "confirm")
    assert {"20000 is an unusual number here. Is it right?", "Take 20000"} <= set(table.texts())
    await table.tap("not sure", "2", "0", "0", "0", "confirm")
    assert game.answers == [2000]
    await table.tap("2", "0", "0", "0", "0", "confirm")
    assert {"20000 is an unusual number here. Is it right?", "Bid 20000"} <= set(table.texts())
    await table.tap("not sure", "2", "0", "0", "0", "0", "confirm", "sure")
    assert game.answers == [2000, 20_000]
