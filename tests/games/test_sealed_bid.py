"""Sealed bid sentence by sentence: who wins, who pays, what ties do, and each option."""

import pytest

from companion.errors import UserError, WouldUndoReveal
from companion.games.sealed_bid.rulebook import GAME
from companion.testing import Script
from companion.texts import render

NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi", "Fumi", "Gen", "Hana", "Ian", "Jun", "Ken", "Lea", "Mio")


def opened(players: int = 3, **options: str) -> Script:
    """A table that is asked for its first sealed bids."""
    return Script(GAME, *NAMES[:players], options=options)


def bids(script: Script, *amounts: int) -> Script:
    """Everybody seals a bid, clockwise from Aki."""
    return script.says(*(f"{name} {amount}" for name, amount in zip(NAMES, amounts, strict=False)))


def held(script: Script, place: str, piece: str) -> list[int]:
    """How many of a piece everybody has, clockwise from Aki."""
    return [script[f"{seat.name}/{place}", piece] for seat in script.session.table.seats]


# A round


@pytest.mark.parametrize("players", [1, 13])
def test_how_many_play(players: int) -> None:
    """Two to twelve play."""
    with pytest.raises(UserError, match=f"^Sealed bid is for 2 to 12 players, not {players}.$"):
        Script(GAME, *NAMES[:players])


@pytest.mark.parametrize("players", [2, 3, 4, 5, 12])
def test_everybody_is_asked_at_once(players: int) -> None:
    """Everybody bids at once; until all are in nobody knows what was bid."""
    script = opened(players)
    assert [seat.name for seat in script.question.seats] == list(NAMES[:players])
    bids(script, *[3] * (players - 1))
    assert (script.last_notes, script.history_texts) == ([], [])
    script.says(f"{NAMES[players - 1]} 4")
    assert script.last_notes[0] == f"{NAMES[players - 1]} wins with 4."


def test_a_bid_can_be_replaced_until_all_are_in() -> None:
    """The envelope is taken back and closed again as long as one is missing."""
    script = opened().says("Aki 3", "Ben 5", "Aki 7", "Chie 1")
    assert script.history_texts == ["Aki: 7, Ben: 5, Chie: 1"]
    assert script.last_notes == ["Aki wins with 7.", "To pay: Aki 7."]


def test_nobody_bids() -> None:
    """A round in which nobody bids is won by nobody."""
    script = bids(opened(), 0, 0, 0)
    assert script.last_notes == ["No bid: nobody wins this round."]
    assert held(script, "front", "round won") == [0, 0, 0]


def test_again_or_finish() -> None:
    """After each round the table plays again or finishes."""
    script = bids(opened(), 1, 2, 3)
    assert script.question_log_key == "Choose: Another round?"
    assert script.open_question_limits["options"] == {"again": "Again", "finish": "Finish"}
    assert list(script.open_question_limits["sure"]) == ["finish"]
    script.says("table: again")
    heading = script.session.table.heading
    assert heading is not None
    assert render(heading) == "Round 2"
    bids(script, 1, 2, 3).says("table: finish")
    assert script.question_log_key == ""


def test_a_revealed_round_is_undone_only_on_purpose() -> None:
    """What was seen can't be unseen: undo asks first."""
    script = bids(opened(), 1, 2, 3)
    with pytest.raises(WouldUndoReveal):
        script.says("undo")
    script.says("undo past a reveal")
    assert script.question_log_key == "Together Aki Ben Chie: Sealed bid"


# Bad input


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("Aki -1", "Aki must answer at least 0."),
        ("Aki 1000", "Aki can answer at most 999."),
        ("Aki bids much", "Aki must answer with a whole number."),
    ],
)
def test_bids_that_are_refused(line: str, why: str) -> None:
    """A sealed bid is a whole number from 0 to the highest bid."""
    assert opened(most="999").refuses(line) == why


def test_a_bid_above_the_purse() -> None:
    """Where purses are counted nobody bids more than is in it, and it may hold more than any usual bid."""
    assert bids(opened(start="1500"), 1500, 0, 0).last_notes[0] == "Aki wins with 1500."
    script = opened(start="20")
    assert script.refuses("Aki 21") == "Aki has only 20 coins."
    assert bids(script, 20, 1, 2).last_notes == ["Aki wins with 20.", "To pay: Aki 20."]


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"most": "0"}, "most must be a number from 1 to 99999 or none, not 0."),
        ({"most": "many"}, "most must be a number from 1 to 99999 or none, not many."),
        ({"start": "-5"}, "start must be a number from 0 to 99999 or none, not -5."),
        ({"unit": "Reichsthaler"}, "unit can have at most 8 characters."),
        ({"wins": "middle"}, "wins must be one of highest, lowest, not middle."),
        ({"ties": "fight"}, "ties must be one of named, again, not fight."),
        ({"pays": "some"}, "pays must be one of winner, all, nobody, not some."),
        (
            {"colour": "red"},
            "Sealed bid has no option colour. Its options: unit, start, most, wins, ties, pays.",
        ),
    ],
)
def test_options_that_are_refused(options: dict[str, str], why: str) -> None:
    """A wrong option is refused with what is allowed."""
    with pytest.raises(UserError) as refusal:
        Script(GAME, "Aki", "Ben", options=options)
    assert str(refusal.value) == why


# Options


def test_the_lowest_wins() -> None:
    """With wins lowest the lowest bid wins, and 0 is still no bid."""
    assert bids(opened(wins="lowest"), 0, 5, 4).last_notes == ["Chie wins with 4.", "To pay: Chie 4."]


def test_the_highest_bid_allowed() -> None:
    """The table sets the highest bid."""
    script = opened(most="12")
    assert script.refuses("Aki 13") == "Aki can answer at most 12."
    assert bids(script, 12, 1, 2).last_notes[0] == "Aki wins with 12."


def test_the_unit() -> None:
    """The table's own unit stands in the question, in every sum and on the purses."""
    script = opened(unit="gold", start="10")
    texts = [render(part.text) for part in script.question.parts_by_seat.values()]
    assert set(texts) == {"How much do you bid in gold? 0 is no bid."}
    assert bids(script, 4, 2, 0).last_notes == ["Aki wins with 4 gold.", "To pay: Aki 4 gold."]
    script.says("table: again")
    assert bids(script, 2, 2, 0).last_notes == [
        "Tie at 2 gold: Aki, Ben. Nobody wins here; follow the rules of your game."
    ]
    assert {
        render(account.piece) for account in script.session.table.ledger if account.place.key == "@1/purse"
    } == {"gold"}


def test_no_unit() -> None:
    """Without a unit sums are plain numbers."""
    texts = [render(part.text) for part in opened().question.parts_by_seat.values()]
    assert set(texts) == {"How much do you bid? 0 is no bid."}


def test_a_tie_that_is_named() -> None:
    """A tie that is only named is won by nobody, and no winner pays."""
    script = bids(opened(start="10"), 5, 5, 3)
    assert script.last_notes == ["Tie at 5: Aki, Ben. Nobody wins here; follow the rules of your game."]
    assert held(script, "front", "round won") == [0, 0, 0]
    assert held(script, "purse", "money") == [10, 10, 10]


def test_a_tie_where_all_pay() -> None:
    """Where everybody pays, a tie takes everybody's money too."""
    script = bids(opened(pays="all", start="10"), 5, 5, 3)
    assert script.last_notes[-1] == "To pay: Aki 5, Ben 5, Chie 3."
    assert held(script, "purse", "money") == [5, 5, 7]


def test_a_tie_that_bids_again() -> None:
    """Only those tied bid again, as often as it takes."""
    script = bids(opened(ties="again"), 5, 5, 3)
    assert script.last_notes == ["Tie at 5: Aki, Ben bid again."]
    assert script.question_log_key == "Together Aki Ben: Sealed bid"
    script.says("Aki 6", "Ben 6")
    assert script.question_log_key == "Together Aki Ben: Sealed bid"
    script.says("Aki 6", "Ben 7")
    assert script.last_notes == ["Ben wins with 7.", "To pay: Ben 7."]
    assert held(script, "front", "round won") == [0, 1, 0]


def test_a_purse_that_holds_less_than_the_bid_pays_what_it_holds() -> None:
    """Only what a purse pays is noted as paid, if money is taken out of it while others bid again."""
    script = bids(opened(start="5", ties="again", pays="all"), 4, 4, 3)
    script.says("correct 4 money from Chie/purse to bank: lent", "Aki 5", "Ben 4")
    assert script.last_notes[-1] == "Chie can pay only 1."
    assert held(script, "purse", "money") == [0, 1, 0]
    assert held(script, "front", "paid") == [5, 4, 1]


def test_what_is_paid_after_bidding_again() -> None:
    """What is paid is each one's last bid."""
    script = bids(opened(ties="again", pays="all", start="10"), 5, 5, 3).says("Aki 2", "Ben 1")
    assert script.last_notes == ["Aki wins with 2.", "To pay: Aki 2, Ben 1, Chie 3."]
    assert held(script, "purse", "money") == [8, 9, 7]


def test_a_tie_that_gives_up() -> None:
    """If those tied all seal 0 nobody wins."""
    script = bids(opened(ties="again"), 5, 5, 3).says("Aki 0", "Ben 0")
    assert script.last_notes == ["No bid: nobody wins this round."]


@pytest.mark.parametrize(
    ("pays", "purses", "noted"),
    [("winner", [10, 5, 10], [0, 5, 0]), ("all", [7, 5, 10], [3, 5, 0]), ("nobody", [10, 10, 10], [0, 0, 0])],
)
def test_who_pays_from_the_purse(pays: str, purses: list[int], noted: list[int]) -> None:
    """The winner, everybody or nobody pays, and what was paid is noted."""
    script = bids(opened(pays=pays, start="10"), 3, 5, 0)
    assert held(script, "purse", "money") == purses
    assert held(script, "front", "paid") == noted
    assert script["bank", "money"] == 30 - sum(purses)


@pytest.mark.parametrize("start", [{}, {"start": "none"}])
def test_without_purses_payments_are_only_noted(start: dict[str, str]) -> None:
    """Without purses nothing limits a bid but the highest, and payments are only noted."""
    script = bids(Script(GAME, *NAMES[:3], options=start), 3, 999, 0)
    assert held(script, "front", "paid") == [0, 999, 0]
    assert held(script, "purse", "money") == [0, 0, 0]


def test_money_from_the_other_game() -> None:
    """What a purse gains in the other game is put into it from the bank, which never runs out."""
    script = opened(start="5").says("correct 20 money from bank to Aki/purse: sold a house")
    assert bids(script, 25, 1, 2).last_notes[0] == "Aki wins with 25."
    assert held(script, "purse", "money") == [0, 5, 5]


def test_a_bid_that_no_longer_fits_is_made_again() -> None:
    """Money taken from a purse while the bids are sealed: who had bid more bids again, once all are open."""
    script = opened(start="9").says(
        "Aki 9", "Ben 2", "correct 1 money from Aki/purse to bank: fined", "Chie 3"
    )
    assert script.question_log_key == "Amount Aki: How much do you bid? 0 is no bid."
    assert script.last_notes == ["Only Aki must answer again: Aki has only 8 coins."]
    assert script.says("Aki 8").last_notes[0] == "Aki wins with 8."


# The score sheet


def test_the_score_sheet() -> None:
    """Ranked by rounds won, 1224, which make the total; what was paid is for information."""
    script = opened(4)
    for made in ((5, 1, 0, 0), (1, 7, 0, 0), (1, 2, 8, 0)):
        bids(script, *made).says("table: again")
    bids(script, 0, 0, 9, 0).says("table: finish")
    assert script.result_json == {
        "winners": ["Chie"],
        "standings": [
            standing("Chie", 1, 2, 17),
            standing("Aki", 2, 1, 5),
            standing("Ben", 2, 1, 7),
            standing("Dai", 4, 0, 0),
        ],
    }


def standing(name: str, rank: int, won: int, paid: int) -> dict[str, object]:
    """A row of the score sheet."""
    lines = [
        {"label": "rounds won", "value": won, "counts": True},
        {"label": "paid", "value": paid, "counts": False},
    ]
    return {"seat": name, "rank": rank, "out": False, "total": won, "why": None, "lines": lines}
