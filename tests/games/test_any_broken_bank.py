"""What a bank without enough money does, as the template says: it asks, pays a part, nothing, or breaks."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.any_game.bank import divide_in_proportion
from companion.games.any_game.rulebook import GAME
from companion.scenes import evaluate_scene, middle_tables
from companion.session.view import make_view
from companion.testing import Script
from companion.texts import say
from tests.support.games.any_game_helpers import (
    NAMES,
    begin_with_cards,
    purse_counts,
    question_text,
    rules_card,
    template_card,
)
from tests.support.games.script_helpers import correct_count

SUPPLY = 20
MONEY = f'id = "coin"\nkind = "piece"\nstart = 100\nworth = 1\nsupply = {SUPPLY}'
NORTH = template_card("company", "north", shares=10, step_at=3)


def bank_with_20(word: str, *cards: str, **said: object) -> Script:
    """Three people with 100 coins each; the bank has 20, and the word says what it does without enough."""
    return begin_with_cards(MONEY, rules_card(payments="yes", empty_bank=word, **said), *cards)


def money_in_play(script: Script) -> int:
    """All coins: those of the bank may be below zero."""
    places = ("bank", "Aki/purse", "Ben/purse", "Chie/purse")
    return sum(script[place, "coin"] for place in places)


def shown(script: Script) -> str:
    """What the table shows, as text."""
    return repr(evaluate_scene(make_view(script.session), script.session.scene))


PAYMENT = ("table: payment", "table: bank", "table: Aki", "table 50")


# Each answer, for one payment


@pytest.mark.parametrize("word", ["part", "nothing", "broken"])
def test_a_bank_with_enough_money_pays_in_full(word: str) -> None:
    """The rule is for a bank that has too little; its last coin is paid like any other."""
    script = bank_with_20(word).says("table: payment", "table: bank", "table: Aki", "table 20")
    assert (purse_counts(script), script["bank", "coin"]) == ([120, 100, 100], 0)
    assert script.last_notes == ["bank pays Aki 20."]


def test_a_bank_that_asks() -> None:
    """Without the field people are asked, as before."""
    script = bank_with_20("ask", salary=50).says("table: salary", "table: Aki")
    assert question_text(script) == "bank must pay Aki 50, but has only 20. What now?"
    assert list(script.open_question_limits["options"]) == ["pay", "part", "nothing"]


def test_a_bank_that_pays_a_part() -> None:
    """It pays what it has without a question, and then nothing more."""
    script = bank_with_20("part").says(*PAYMENT)
    assert (question_text(script), script.last_notes) == ("What is next?", ["bank pays only 20."])
    assert (purse_counts(script), script["bank", "coin"]) == ([120, 100, 100], 0)
    assert script.says(*PAYMENT).last_notes == ["bank can't pay 50. Nothing is paid."]
    assert (purse_counts(script), money_in_play(script)) == ([120, 100, 100], 320)


def test_a_bank_that_pays_nothing() -> None:
    """It keeps what it has, and that is said."""
    script = bank_with_20("nothing").says(*PAYMENT)
    assert (question_text(script), script.last_notes) == (
        "What is next?",
        ["bank can't pay 50. Nothing is paid."],
    )
    assert (purse_counts(script), script["bank", "coin"]) == ([100, 100, 100], SUPPLY)


def test_a_bank_that_breaks() -> None:
    """1830: a broken bank goes on paying, and the players keep account of what it owes."""
    script = bank_with_20("broken").says(*PAYMENT)
    assert script.last_notes == ["The bank is broken.", "bank pays Aki 50."]
    assert (purse_counts(script), script["bank", "coin"]) == ([150, 100, 100], -30)
    assert script.says(*PAYMENT).last_notes == ["bank pays Aki 50."]
    assert (script["bank", "coin"], money_in_play(script)) == (-80, 320)


# What follows from a broken bank


def test_the_game_can_end_after_the_round_in_which_the_bank_breaks() -> None:
    """1830: the game ends after the current round; a table that goes on is asked again after the next one."""
    script = bank_with_20("broken").says("table: round", *PAYMENT)
    assert question_text(script) == "What is next?"
    script.says("table: round")
    assert question_text(script) == "The bank is broken. Finish the game?"
    assert question_text(script.says("table: go_on")) == "What is next?"
    assert question_text(script.says("table: round")) == "The bank is broken. Finish the game?"
    script.says("table: finish")
    assert {one["seat"]: one["total"] for one in script.result_json["standings"]}["Aki"] == 150


def test_income_that_breaks_the_bank_ends_the_round_that_it_opens() -> None:
    """Income is paid when a round begins; this round is still played."""
    script = bank_with_20("broken", income=10)
    assert question_text(script.says("table: round")) == "What is next?"
    assert script.last_notes == ["The bank is broken.", "bank pays Aki, Ben, Chie 30 in all."]
    assert (purse_counts(script), script["bank", "coin"]) == ([110, 110, 110], -10)
    assert question_text(script.says("table: round")) == "The bank is broken. Finish the game?"


def test_without_rounds_a_broken_bank_is_a_reason_at_once() -> None:
    """A score sheet has no rounds; people are asked once."""
    script = bank_with_20("broken", template_card("category", "sixes"), scoring="sheet").says(*PAYMENT)
    assert question_text(script) == "The bank is broken. Finish the game?"
    assert question_text(
        script.says("table: go_on", "table: payment", "table: bank", "table: Ben", "table 1")
    ) == ("What is next?")


def test_a_broken_bank_stays_broken() -> None:
    """1830: money that comes back later doesn't mend the bank. Undo takes the declaration back."""
    script = bank_with_20("broken").says(*PAYMENT)
    script.says("table: payment", "table: Aki", "table: bank", "Aki 90")
    assert script["bank", "coin"] == 60
    assert "The bank is broken" in shown(script)
    assert question_text(script.copy().says("table: round")) == "The bank is broken. Finish the game?"
    script.session.undo_to_step_count(0)
    assert "The bank is broken" not in shown(script)
    assert question_text(script.says("table: round")) == "What is next?"


def test_the_table_shows_that_the_bank_is_broken() -> None:
    """The middle shows the sentence and what the bank owes; before, it shows neither."""
    script = bank_with_20("broken")
    assert "The bank is broken" not in shown(script)
    script.says(*PAYMENT, "restart")
    assert "The bank is broken" in shown(script)
    tables = list(middle_tables(evaluate_scene(make_view(script.session), script.session.scene)))
    assert tables[-1].lines == ((say("The bank is broken."), say("-30")),)


def test_a_bank_that_is_overdrawn_by_hand_is_broken() -> None:
    """Whoever pays in one line breaks the bank too; it is declared with the next answer, if it still is."""
    script = bank_with_20("broken").says("pay bank Aki 50")
    assert (purse_counts(script), script["bank", "coin"]) == ([150, 100, 100], -30)
    assert "The bank is broken" in shown(script)
    mistake = script.copy().says("pay Aki bank 50", "table: round")
    assert (mistake.last_notes, question_text(mistake)) == ([], "What is next?")
    script.says("table: round")
    assert script.last_notes == ["The bank is broken."]
    assert question_text(script) == "The bank is broken. Finish the game?"


def test_a_bank_that_may_not_break_is_not_overdrawn_by_hand() -> None:
    """A part or nothing means that the bank never owes."""
    for word in ("ask", "part", "nothing"):
        assert bank_with_20(word).refuses("pay bank Aki 50") == "bank has only 20, not 50."


# All that a bank pays goes by the one rule


@pytest.mark.parametrize(
    ("word", "purse", "bank"), [("part", 120, 0), ("nothing", 100, 20), ("broken", 150, -30)]
)
def test_a_salary(word: str, purse: int, bank: int) -> None:
    """A salary of 50 from a bank with 20."""
    script = bank_with_20(word, salary=50).says("table: salary", "table: Aki")
    assert (question_text(script), purse_counts(script)[0], script["bank", "coin"]) == (
        "What is next?",
        purse,
        bank,
    )


@pytest.mark.parametrize(
    ("word", "held", "bank"),
    [("part", [107, 107, 106], 0), ("nothing", [100, 100, 100], 20), ("broken", [110, 110, 110], -10)],
)
def test_an_income(word: str, held: list[int], bank: int) -> None:
    """Everybody's income of 10 comes out of one bank: a part is shared, and the first seats get the rest."""
    script = bank_with_20(word, income=10).says("table: round")
    if word == "part":
        assert script.last_notes == [
            "bank has only 20 of 30. It is shared in proportion to what is due.",
            "Aki and Ben each get 7.",
            "Chie gets 6.",
        ]
    assert (question_text(script), purse_counts(script), script["bank", "coin"]) == (
        "What is next?",
        held,
        bank,
    )


def shareholders(word: str, **said: object) -> Script:
    """Aki has 3 shares and Ben 2; the bank has 20 coins."""
    script = bank_with_20(word, NORTH, **said)
    correct_count(script, 3, "north", "bank", "Aki/purse")
    return correct_count(script, 2, "north", "bank", "Ben/purse")


@pytest.mark.parametrize(
    ("word", "held", "notes"),
    [
        (
            "part",
            [112, 108, 100],
            [
                "bank has only 20 of 25. It is shared in proportion to what is due.",
                "Aki gets 12.",
                "Ben gets 8.",
            ],
        ),
        ("nothing", [115, 100, 100], ["Aki gets 15.", "bank can't pay 10. Nothing is paid.", "Ben gets 0."]),
        ("broken", [115, 110, 100], ["Aki gets 15.", "The bank is broken.", "Ben gets 10."]),
    ],
)
def test_a_dividend(word: str, held: list[int], notes: list[str]) -> None:
    """5 for each share: the bank can pay one shareholder in full, or each a part."""
    script = shareholders(word).says("table: dividend", "table: 0", "table 5", "table: holders")
    assert (purse_counts(script), script.last_notes) == (held, notes)


def test_an_older_match_pays_in_the_order_of_seats() -> None:
    """Its log was made so; it lacks the fields that came with the shares."""
    script = shareholders("part")
    deck = script.session.began.decks["any_game"]
    fields = {key: field for key, field in deck.fields.items() if key != "bid_ties"}
    older = Script(GAME, *NAMES, decks={"any_game": replace(deck, fields=fields)})
    correct_count(older, 3, "north", "bank", "Aki/purse")
    correct_count(older, 2, "north", "bank", "Ben/purse")
    older.says("table: dividend", "table: 0", "table 5", "table: holders")
    assert older.last_notes == ["Aki gets 15.", "bank pays only 5.", "Ben gets 5."]


def test_notes_limit_how_finely_a_bank_shares() -> None:
    """With banknotes of 5 only, parts are multiples of 5, and the first seats get what is left over."""
    note = f"{template_card('piece', 'five', note=5, start=0, supply=4)}"
    script = begin_with_cards(note, rules_card(empty_bank="part", income=10)).says("table: round")
    assert purse_counts(script, "five") == [2, 1, 1]


@given(
    st.lists(st.integers(1, 500), min_size=2, max_size=12), st.integers(1, 4_000), st.sampled_from([1, 5, 25])
)
def test_parts_are_in_proportion(dues: list[int], amount: int, unit: int) -> None:
    """Nobody gets more than is due, nothing is made, and each part is less than two notes off."""
    amount = min(amount, sum(dues) - 1)
    parts = divide_in_proportion(amount, dues, unit)
    assert sum(parts) <= amount
    for part, due in zip(parts, dues, strict=True):
        assert 0 <= part <= due
        assert abs(part - amount * due / sum(dues)) < 2 * unit
    if unit == 1:
        assert sum(parts) == amount


def test_half_pay_from_a_broken_bank() -> None:
    """The shareholders are paid first, then the company."""
    script = shareholders("part", half_pay="up").says("table: dividend", "table: 0", "table 5", "table: half")
    assert (purse_counts(script), script["north", "coin"]) == ([109, 106, 100], 5)
    assert script.last_notes[-1] == "bank pays only 5."


@pytest.mark.parametrize(
    ("word", "held", "shares"),
    [("part", 100, 3), ("nothing", 100, 3), ("broken", 190, 0)],
)
def test_shares_that_are_sold(word: str, held: int, shares: int) -> None:
    """A bank that can't pay for all shares takes none; one that breaks pays for them."""
    script = shareholders(word).says("table: sell", "table: 0", "table: Aki", "Aki 3")
    assert (question_text(script), purse_counts(script)[0]) == ("What is next?", held)
    assert script["Aki/purse", "north"] == shares
    everybody = shareholders(word).says("table: sell_all")
    assert everybody["Aki/purse", "north"] == shares
    assert money_in_play(everybody) == 320


def test_loans() -> None:
    """A bank lends what it has; one that may break lends more, and is broken then."""
    for word in ("part", "nothing"):
        script = bank_with_20(word, loans="yes").says("table: borrow", "table: Aki")
        assert script.refuses("Aki 21") == "Aki can answer at most 20."
    script = bank_with_20("broken", loans="yes").says("table: borrow", "table: Aki", "Aki 50")
    assert (purse_counts(script)[0], script["Aki/front", "loan"], script["bank", "coin"]) == (150, 50, -30)
    assert script.last_notes[0] == "The bank is broken."


# Notes


def test_a_broken_bank_owes_its_smallest_notes() -> None:
    """Fifties that are there are paid; the rest is owed in ones."""
    one, fifty = (
        template_card("piece", "one", note=1, start=10, supply=5),
        template_card("piece", "fifty", note=50, supply=1),
    )
    script = begin_with_cards(one, fifty, rules_card(payments="yes", empty_bank="broken"))
    script.says("table: payment", "table: bank", "table: Aki", "table 70")
    assert (script["bank", "one"], script["bank", "fifty"]) == (-15, 0)
    assert (script["Aki/purse", "one"], script["Aki/purse", "fifty"]) == (30, 1)


@pytest.mark.parametrize("word", ["part", "nothing", "broken"])
def test_notes_that_cant_make_an_amount_are_asked_about(word: str) -> None:
    """If only change is missing, people are asked, whatever the rule."""
    ten = template_card("piece", "ten", note=10, start=3, supply=2)
    script = begin_with_cards(ten, rules_card(payments="yes", empty_bank=word))
    script.says("table: payment", "table: bank", "table: Aki", "table 7")
    assert question_text(script) == "bank has no notes to pay Aki exactly 7. What now?"


def test_a_debt_that_no_notes_can_make_is_asked_about() -> None:
    """A bank of tens can't owe 5: people are asked, and the bank isn't broken."""
    ten = template_card("piece", "ten", note=10, start=3, supply=2)
    script = begin_with_cards(ten, rules_card(payments="yes", empty_bank="broken"))
    script.says("table: payment", "table: bank", "table: Aki", "table 25")
    assert question_text(script) == "bank must pay Aki 25, but has only 20. What now?"
    assert list(script.open_question_limits["options"]) == ["pay", "part", "nothing"]
    script.says("table: nothing")
    assert (purse_counts(script, "ten"), "The bank is broken" in shown(script)) == ([3, 3, 3], False)


def test_a_target_does_not_hide_a_broken_bank() -> None:
    """A table that plays on after a target hears at the end of the round that the bank is broken, too."""
    script = bank_with_20("broken", target=120).says("table: round", *PAYMENT)
    assert question_text(script) == "Target of 120 points reached: Aki. Finish the game?"
    script.says("table: go_on", "table: payment", "table: bank", "table: Aki", "table 1")
    assert question_text(script) == "What is next?"
    script.says("table: round")
    assert question_text(script) == "Target of 120 points reached: Aki. The bank is broken. Finish the game?"
    assert question_text(script.says("table: go_on")) == "What is next?"


def test_a_part_is_shared_in_notes_that_exist() -> None:
    """A bank with two twenties can't give three people 13 each: the first two get a note each."""
    twenty = template_card("piece", "twenty", note=20, start=3, supply=2)
    script = begin_with_cards(twenty, rules_card(payments="yes", empty_bank="part", income=20))
    assert purse_counts(script.says("table: round"), "twenty") == [4, 4, 3]


def test_a_pot_of_chips_is_shared_in_chips() -> None:
    """Two players who share a pot of 75 in chips of 25 get 25 each; one gets the odd chip."""
    chip, pot = template_card("piece", "chip", note=25, start=3), template_card("place", "pot")
    script = begin_with_cards(chip, pot, rules_card(payments="yes"))
    for name in ("Aki", "Ben", "Chie"):
        correct_count(script, 1, "chip", f"{name}/purse", "pot")
    script.says("table: pay_out", "table: several", "table: 1", "table: 2", "table: done")
    assert question_text(script) == "25 is left over. Who gets the rest?"
    script.says("table: 2")
    assert purse_counts(script, "chip") == [3, 4, 2]
    assert script.last_notes == ["pot pays Aki, Ben 75 in all."]
