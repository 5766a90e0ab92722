"""Moorings: its rules, and what every game must hold."""

from moorings.rulebook import GAME

from companion.testing import Script, check_game, find_untranslated_texts


def turned_up(table: Script, *cards: int) -> Script:
    """Cards of the pile, one after the other."""
    return table.says(*[f"table: turns {card}" for card in cards])


def begun() -> Script:
    """Ships 3, 7 and 20 lie at the quay, and Aki opens."""
    table = Script(GAME, "Aki", "Ben", "Chie").says("table: Aki", "table: done")
    return turned_up(table, 3, 7, 20)


def test_who_passes_takes_the_lowest_ship_for_half() -> None:
    """Ben passes without a bid, Aki after 3; Chie pays all of her 4 for the best, and opens next."""
    table = begun().says("Aki 3", "Ben passes", "Chie 4", "Aki passes")
    assert [table[f"{name}/purse", "coin"] for name in ("Aki", "Ben", "Chie")] == [16, 18, 14]
    assert table.last_notes == ["Aki takes lugger for 2.", "Chie takes caravel for 4."]
    assert turned_up(table, 1, 2, 4).question_log_key == "Raise Chie: auction 2"


def test_nobody_bids_more_than_they_hold_and_nobody_learns_why() -> None:
    """The refusal doesn't say how much there is."""
    assert begun().refuses("Aki 19") == "Aki can't bid that."


def whole() -> Script:
    """Nobody has bid in any of the six auctions, and three freights lie at the desk."""
    table = Script(GAME, "Aki", "Ben", "Chie").says("table: Aki", "table: done")
    for at in range(6):
        turned_up(table, 3 * at + 1, 3 * at + 2, 3 * at + 3)
        for _ in range(2):
            table.says(f"{table.question_log_key.split()[1].rstrip(':')} passes")
    return turned_up(table, 0, 15, 9)


def test_the_highest_ship_brings_the_best_freight() -> None:
    """Ships are chosen in secret; one that was dealt is shown by its owner alone."""
    table = whole()
    fleets = {name: table[f"{name}/hand", "ship"] for name in ("Aki", "Ben", "Chie")}
    assert set(fleets.values()) == {6}
    table.says("Aki: own", "Ben: own", "Chie: own")
    table.says("Aki shows 30", "Ben shows 28", "Chie shows 29")
    assert table.last_notes == [
        "Aki's windjammer brings amber.",
        "Chie's clipper brings wool.",
        "Ben's barque brings ballast.",
    ]
    assert table["Aki/dealt", "ship"] == 1


def test_a_ship_sails_once() -> None:
    """What has sailed can't be shown again."""
    table = whole().says("Aki: own", "Ben: own", "Chie: own")
    table.says("Aki shows 30")
    assert table.refuses("Ben shows 30") == "windjammer is already at another place: sea."


def test_every_promise() -> None:
    """What every game must hold."""
    check_game(GAME, games=2)


def test_every_text_is_japanese_too() -> None:
    """No text is left in English."""
    assert find_untranslated_texts(GAME, "ja") == []
