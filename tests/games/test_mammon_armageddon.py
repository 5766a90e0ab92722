"""Mammon's third phase sentence by sentence: battles, cards, reactions, eliminations."""

import pytest

from companion.testing import Script
from tests.support.games.mammon_helpers import (
    NAMES,
    asked_players,
    begin_battle,
    counts_by_player,
    option_keys,
    own_coin_counts,
    player_names,
    set_treasury,
    treasury_by_owner,
    wager_in_turn,
)
from tests.support.games.script_helpers import correct_count, question_heading, set_count
from tests.support.refusals import options_named_in_refusal

BATTLES = ["battle_1", "battle_2", "battle_3"]
CARDS = ["mansion", "ambush", "command", "exchange", "confusion", "resolve"]


def passes(script: Script) -> Script:
    """Everybody passes until the window is closed."""
    while "a card, or pass?" in script.question_log_key:
        script.says(f"{asked_players(script)[0]}: pass")
    return script


def fought(script: Script, *amounts: int | str) -> Script:
    """The wagers of a battle, in the order from its caller, without any reaction."""
    return passes(wager_in_turn(script, amounts))


def cardless(script: Script, *without: str) -> Script:
    """Takes all cards from these people."""
    for name in without:
        set_treasury(script, name, cards=0)
    return script


def of(seat: str, script: Script) -> list[str]:
    """The options, which must be this seat's."""
    assert asked_players(script) == [seat]
    return option_keys(script)


# The worked example


def test_the_worked_example() -> None:
    """A 4, B 5; A's spy 7 : 5; B's spy 7 : 8; A retreats: B pays 5, A keeps the coins and the 2 strength."""
    script = begin_battle(2, 2)
    script.says("Aki: battle_2", "Aki 4", "Ben 5")
    assert question_heading(script) == "Bets: Aki 4, Ben 5"
    script.says("Aki: spy")
    assert question_heading(script) == "Bets: Aki 7, Ben 5"
    assert counts_by_player(script, "bet", "spy") == [1, 0]
    script.says("Ben: spy")
    assert question_heading(script) == "Bets: Aki 7, Ben 8"
    script.says("Aki: retreat", "Ben: pass", "Aki: pass")
    assert script.last_notes == [
        "Bets: Aki 7, Ben 8",
        "The battle is won by Ben.",
        "Aki retreats and loses no strength.",
    ]
    assert own_coin_counts(script, "strength") == [2, 2]
    assert own_coin_counts(script, "treasury") == [18, 13]
    assert script["bank", "sky coin"] == 5
    assert counts_by_player(script, "hand", "card") == [4, 5]
    assert [script["discard pile", f"card any {kind}"] for kind in ("spy", "retreat")] == [2, 1]
    assert asked_players(script) == ["Ben"]


# Turns


def test_who_armed_nothing_is_eliminated_first() -> None:
    """Who armed 0 is eliminated first, all together: cards out of the game unseen, coins to the bank."""
    script = begin_battle(0, 3, 0, 2)
    assert script.last_notes == [
        "Aki has no strength left and is eliminated: all cards and coins go back.",
        "Chie has no strength left and is eliminated: all cards and coins go back.",
    ]
    assert counts_by_player(script, "front", "eliminated") == [1, 0, 1, 0]
    assert counts_by_player(script, "hand", "card") == [0, 4, 0, 4]
    assert [treasury_by_owner(script, name) for name in ("Aki", "Chie")] == [{}, {}]
    assert (script["bank", "orange coin"], script["box", "card"]) == (20, 2 + 8)


@pytest.mark.parametrize(
    ("starter", "first"), [("Aki", "Ben"), ("Ben", "Ben"), ("Chie", "Dai"), ("Dai", "Dai")]
)
def test_the_first_survivor_from_the_start_player_begins(starter: str, first: str) -> None:
    """Armageddon begins with the first survivor from the start player, clockwise."""
    assert asked_players(begin_battle(0, 3, 0, 2, starter=starter)) == [first]


def test_turns_go_clockwise_past_the_eliminated() -> None:
    """From the start player, clockwise; the turns of those who are eliminated are skipped."""
    script, turns = begin_battle(5, 0, 5, 5, starter="Chie"), []
    for _ in range(6):
        turns.append(asked_players(script)[0])
        fought(script.says(f"{turns[-1]}: battle_1"), 1, 1, 1)
    assert turns == ["Chie", "Dai", "Aki"] * 2


def test_a_turn_is_a_battle_or_a_card() -> None:
    """A turn is exactly one of: a battle of scale 1 to 3, or a card; one can't pass."""
    script = begin_battle(5, 5, 5)
    assert script.question_log_key == "Choose Aki: Your turn: a battle or a card?"
    assert option_keys(script) == BATTLES + CARDS
    assert script.open_question_limits["options"]["battle_3"] == "battle, scale 3"
    assert question_heading(script) == "Armageddon"


@pytest.mark.parametrize(("strength", "scales"), [(1, 1), (2, 2), (3, 3), (9, 3)])
def test_the_scale_is_not_above_the_own_strength(strength: int, scales: int) -> None:
    """A scale is 1 to 3 and not above the own strength; a battle is always possible."""
    assert option_keys(begin_battle(strength, 5))[:-6] == BATTLES[:scales]


@pytest.mark.parametrize("line", ["Aki: battle_2", "Aki: battle_3"])
def test_a_battle_above_own_strength_is_shown_and_refused(line: str) -> None:
    """A scale above the own strength stands there faint: it is refused with the reason."""
    script = begin_battle(1, 5)
    assert script.refuses(line) == "Not enough strength."
    assert [*script.open_question_limits["cant"]] == ["battle_2", "battle_3"]


@pytest.mark.parametrize("line", ["Aki: battle_0", "Aki: battle_4", "Aki: pass"])
def test_a_scale_outside_1_to_3(line: str) -> None:
    """A scale outside 1 to 3 is refused, and so is passing."""
    assert options_named_in_refusal(begin_battle(1, 5).refuses(line))[:2] == ["battle_1", "mansion"]


@pytest.mark.parametrize("card", ["dung", "spy", "retreat"])
def test_cards_that_are_no_turn(card: str) -> None:
    """Dung is never played; spy and retreat not as a turn."""
    assert card not in options_named_in_refusal(begin_battle(5, 5).refuses(f"Aki: {card}"))


def test_dung_is_no_reaction() -> None:
    """Dung isn't played after a wager either, and no other card but spy and retreat."""
    script = begin_battle(5, 5).says("Aki: battle_1", "Aki 1", "Ben 1")
    assert option_keys(script) == ["spy", "retreat", "pass"]
    assert (
        options_named_in_refusal(script.refuses("Aki: dung"))
        == options_named_in_refusal(script.refuses("Aki: mansion"))
        == ["spy", "retreat", "pass"]
    )


def test_a_card_from_an_empty_hand() -> None:
    """Whoever holds no card calls a battle."""
    script = cardless(begin_battle(5, 5), "Ben")
    fought(script.says("Aki: battle_1"), 1, 1)
    assert of("Ben", script) == BATTLES


@pytest.mark.parametrize("card", ["mansion", "ambush", "command", "resolve"])
def test_a_kind_of_which_two_have_been_played(card: str) -> None:
    """Of no kind more than two are played, whoever held them; what has been played lies open."""
    script, played = begin_battle(9, 9, 9), 0
    while played < 2:
        name = asked_players(script)[0]
        script.says(f"{name}: {card}")
        played += 1
        if card == "resolve":
            fought(script, 1, 1, 1)
        while asked_players(script) == [name]:
            fought(script.says(f"{name}: battle_1"), 1, 1, 1)
    assert card not in option_keys(script)
    assert script["discard pile", f"card any {card}"] == 2
    assert script["discard pile", "card"] == 2
    assert card not in options_named_in_refusal(script.refuses(f"{asked_players(script)[0]}: {card}"))


def test_what_is_offered_does_not_depend_on_the_hand() -> None:
    """Options are the same whatever cards somebody holds, as long as it is one at least."""
    script = begin_battle(5, 5)
    set_treasury(script, "Ben", cards=1)
    fought(script.says("Aki: battle_1"), 1, 1)
    assert of("Ben", script) == BATTLES + CARDS


# Battles


def test_everybody_puts_strength_forward() -> None:
    """Every survivor puts that much strength forward, all of it if it is less."""
    script = begin_battle(5, 1, 3).says("Aki: battle_2")
    assert own_coin_counts(script, "front line") == [2, 1, 2]
    assert own_coin_counts(script, "strength") == [3, 0, 1]
    assert question_heading(script) == "Battle, scale 2"
    assert script.question_log_key == "Together Aki Ben Chie: Aki's battle"


def test_a_battle() -> None:
    """The winner pays the bet; losers lose the strength put forward and take their coins back."""
    script = fought(begin_battle(5, 4, 3).says("Aki: battle_2"), 2, 6, 5)
    assert script.last_notes == [
        "Bets: Aki 2, Ben 6, Chie 5",
        "The battle is won by Ben.",
        "Aki loses 2 strength.",
        "Chie loses 2 strength.",
    ]
    assert own_coin_counts(script, "strength") == [3, 4, 1]
    assert own_coin_counts(script, "treasury") == [15, 10, 17]
    assert own_coin_counts(script, "front line") == own_coin_counts(script, "bet") == [0, 0, 0]
    assert [script["bank", f"{colour} coin"] for colour in ("orange", "sky", "green")] == [2, 6, 2]
    assert counts_by_player(script, "front", "battle won") == [0, 1, 0]


def test_a_tie_at_the_top() -> None:
    """Who ties at the top wins: all of them pay, none of them loses strength; the others do."""
    script = fought(begin_battle(5, 5, 5).says("Aki: battle_3"), 4, 4, 3)
    assert script.last_notes[1] == "The battle is won by Aki, Ben."
    assert own_coin_counts(script, "strength") == [5, 5, 2]
    assert own_coin_counts(script, "treasury") == [11, 11, 15]
    assert counts_by_player(script, "front", "battle won") == [1, 1, 0]


def test_all_wager_0() -> None:
    """A value of 0 always loses: if all bet nothing all lose the strength put forward."""
    script = fought(begin_battle(5, 2, 5).says("Aki: battle_3"), 0, 0, 0)
    assert script.last_notes == [
        "Bets: Aki 0, Ben 0, Chie 0",
        "Nobody made a bet, so everybody loses the battle.",
        "Aki loses 3 strength.",
        "Ben loses 2 strength.",
        "Chie loses 3 strength.",
        "Ben has no strength left and is eliminated: all cards and coins go back.",
    ]
    assert own_coin_counts(script, "strength") == [2, 0, 2]


def test_a_foreign_coin_is_worth_2() -> None:
    """In a battle another colour's coin counts 2, and there is no change."""
    script = begin_battle(5, 5)
    set_treasury(script, "Aki", own=3, Ben=2)
    script.says("Aki: battle_1", "Aki: own 1, foreign 2", "Ben 4")
    assert question_heading(script) == "Bets: Aki 5, Ben 4"
    assert (script["Aki/bet", "orange coin"], script["Aki/bet", "sky coin"]) == (1, 2)
    passes(script)
    assert treasury_by_owner(script, "Aki") == {"Aki": 2}
    assert script["Aki/front", "coin paid"] == 1 + 3, "counted, not valued, and with the start wager"


def test_a_loser_takes_foreign_coins_back() -> None:
    """A loser's foreign coins return too."""
    script = begin_battle(5, 5)
    set_treasury(script, "Aki", own=3, Ben=2)
    fought(script.says("Aki: battle_1"), "own 1, foreign 2", 6)
    assert treasury_by_owner(script, "Aki") == {"Aki": 3, "Ben": 2}


def test_winners_say_clockwise_which_foreign_coins_they_pay() -> None:
    """Each winner, clockwise, says which foreign coins are paid, if more than one split exists."""
    script = begin_battle(5, 5, 5, 5)
    set_treasury(script, "Chie", own=1, Aki=2, Ben=2)
    set_treasury(script, "Dai", own=1, Ben=1, Chie=3)
    set_treasury(script, "Ben", own=2, Aki=2)
    fought(script.says("Aki: battle_1"), 0, "own 2, foreign 1", "foreign 2", "foreign 2")
    assert script.question_log_key == "Counts Chie: Aki's battle: which foreign coins?"
    assert script.open_question_limits["counts"] == {"orange": 2, "sky": 2}
    assert (script.open_question_limits["least"], script.open_question_limits["most"]) == (2, 2)
    script.says("Chie: sky 2")
    assert treasury_by_owner(script, "Chie") == {"Chie": 1, "Aki": 2}
    assert script.question_log_key == "Counts Dai: Aki's battle: which foreign coins?"
    script.says("Dai can't")
    assert treasury_by_owner(script, "Dai") == {"Dai": 1, "Ben": 1, "Chie": 1}, "most common colour first"
    assert treasury_by_owner(script, "Ben") == {"Aki": 1}
    assert counts_by_player(script, "front", "coin paid") == [1, 3, 2, 2]


def test_equally_many_foreign_coins() -> None:
    """Among colours held equally often the next seat's clockwise is bet and paid first."""
    script = begin_battle(5, 5, 5, 5)
    set_treasury(script, "Chie", own=0, Aki=2, Ben=2, Dai=2)
    wager_in_turn(script.says("Aki: battle_1"), [0, 0, "foreign 4", 0])
    assert [script["Chie/bet", f"{colour} coin"] for colour in ("vermilion", "orange", "sky")] == [2, 1, 1]
    passes(script).says("Chie can't")
    assert treasury_by_owner(script, "Chie") == {"Aki": 1, "Ben": 1}


# Reactions


def test_the_window_goes_round_from_the_caller() -> None:
    """Survivors with a card are asked clockwise, first the battle's caller."""
    script, order = begin_battle(5, 5, 0, 5, 5), []
    fought(script.says("Aki: battle_1"), 1, 1, 1, 1)
    cardless(script, "Dai")
    script.says("Ben: battle_1")
    assert asked_players(script) == ["Ben", "Dai", "Emi", "Aki"]
    wager_in_turn(script, [1, 1, 1, 1])
    while "pass?" in script.question_log_key:
        order.append(asked_players(script)[0])
        script.says(f"{order[-1]}: pass")
    assert order == ["Ben", "Emi", "Aki"]


def test_after_a_card_it_goes_on_with_the_next_seat() -> None:
    """After a card the next seat is asked; it closes when all with cards have passed since the last card."""
    script, order = begin_battle(5, 5, 5).says("Aki: battle_1", "Aki 1", "Ben 2", "Chie 3"), []
    for choice in ("pass", "spy", "pass", "pass", "retreat", "pass", "pass", "pass"):
        order.append(asked_players(script)[0])
        script.says(f"{order[-1]}: {choice}")
    assert order == ["Aki", "Ben", "Chie", "Aki", "Ben", "Chie", "Aki", "Ben"]
    assert script.last_notes[0] == "Bets: Aki 1, Ben 5, Chie 3"
    assert script.question_log_key == "Choose Ben: Your turn: a battle or a card?"


def test_who_has_played_the_last_card_is_not_asked_again() -> None:
    """Whoever has no card left needn't pass."""
    script = begin_battle(5, 5, 5)
    set_treasury(script, "Aki", cards=1)
    script.says("Aki: battle_1", "Aki 1", "Ben 2", "Chie 3", "Aki: spy", "Ben: pass", "Chie: pass")
    assert script.last_notes[0] == "Bets: Aki 4, Ben 2, Chie 3"


def test_nobody_holds_a_card() -> None:
    """No window opens where nobody holds a card."""
    script = cardless(begin_battle(5, 5), "Aki", "Ben").says("Aki: battle_1", "Aki 1", "Ben 2")
    assert script.last_notes[1] == "The battle is won by Ben."


def test_both_spies_and_both_retreats_have_been_played() -> None:
    """An open window closes with the last of the four cards, and no other opens."""
    script = begin_battle(9, 9).says("Aki: battle_1", "Aki 1", "Ben 2")
    script.says("Aki: spy", "Ben: spy")
    assert option_keys(script) == ["retreat", "pass"]
    script.says("Aki: retreat", "Ben: retreat")
    assert script.last_notes[:2] == ["Ben plays retreat.", "Bets: Aki 4, Ben 5"]
    script.says("Ben: battle_1", "Ben 1", "Aki 2")
    assert script.last_notes[1] == "The battle is won by Aki."


def test_a_spy_adds_3_to_the_value_not_to_the_coins() -> None:
    """Spy: +3 to the value of the own wager; what is paid is what was bet."""
    script = begin_battle(5, 5).says("Aki: battle_1", "Aki 2", "Ben 4", "Aki: spy")
    passes(script)
    assert script.last_notes[0] == "Bets: Aki 5, Ben 4"
    assert own_coin_counts(script, "treasury") == [13, 15]


def test_two_spies_stack() -> None:
    """Two spies of one player add 6."""
    script = begin_battle(5, 5).says("Aki: battle_1", "Aki 0", "Ben 5", "Aki: spy", "Ben: pass", "Aki: spy")
    passes(script)
    assert script.last_notes[0] == "Bets: Aki 6, Ben 5"


def test_a_bet_of_0_with_a_spy_may_win() -> None:
    """A bet of 0 becomes 3 by a spy and may win, paying 0."""
    script = passes(begin_battle(5, 5).says("Aki: battle_1", "Aki 0", "Ben 2", "Aki: spy"))
    assert script.last_notes[:2] == ["Bets: Aki 3, Ben 2", "The battle is won by Aki."]
    assert own_coin_counts(script, "treasury") == [15, 15]
    assert own_coin_counts(script, "strength") == [5, 4]


def test_a_loser_who_retreats_loses_no_strength() -> None:
    """Retreat: the strength put forward isn't lost; the bet goes back as every loser's."""
    script = passes(begin_battle(5, 3).says("Aki: battle_3", "Aki 0", "Ben 2", "Aki: pass", "Ben: pass"))
    assert own_coin_counts(script, "strength") == [2, 3]
    script = passes(begin_battle(5, 3).says("Aki: battle_3", "Aki 1", "Ben 2", "Aki: retreat"))
    assert own_coin_counts(script, "strength") == [5, 3]
    assert own_coin_counts(script, "treasury")[0] == 15


def test_a_winner_s_retreat_is_wasted() -> None:
    """A retreat of somebody who ends as a winner changes nothing."""
    script = passes(begin_battle(5, 3).says("Aki: battle_3", "Aki 3", "Ben 2", "Aki: retreat"))
    assert script.last_notes == [
        "Bets: Aki 3, Ben 2",
        "The battle is won by Aki.",
        "Ben loses 3 strength.",
        OUT_BEN,
        "Only Aki is still in the game.",
    ]
    assert own_coin_counts(script, "treasury")[0] == 12


OUT_BEN = "Ben has no strength left and is eliminated: all cards and coins go back."


def test_a_retreat_counts_for_one_battle() -> None:
    """A reaction counts for the battle it was played in; then it lies with the discards."""
    script = passes(begin_battle(5, 3).says("Aki: battle_1", "Aki 1", "Ben 2", "Aki: retreat", "Ben: spy"))
    assert [script["Aki/bet", "retreat"], script["Ben/bet", "spy"]] == [0, 0]
    fought(script.says("Ben: battle_1"), 2, 1)
    assert own_coin_counts(script, "strength") == [4, 3]


@pytest.mark.parametrize("card", ["spy", "retreat"])
def test_spy_or_retreat_outside_a_window(card: str) -> None:
    """Before a wager nobody reacts; afterwards only who is asked."""
    script = begin_battle(5, 5)
    assert card not in options_named_in_refusal(script.refuses(f"Aki: {card}"))
    with pytest.raises(AssertionError, match="but asked is: Choose Aki: Your turn"):
        script.says(f"Ben: {card}")


# Cards


def test_mansion() -> None:
    """Mansion: 5 own coins from the bank to the treasury."""
    script = begin_battle(5, 5)
    set_treasury(script, "Aki", own=3)
    script.says("Aki: mansion")
    assert own_coin_counts(script, "treasury") == [8, 15]
    assert counts_by_player(script, "hand", "card") == [5, 6]
    assert script["Aki/front", "card played"] == 1
    assert asked_players(script) == ["Ben"]


def test_ambush() -> None:
    """Ambush: 5 own coins from the bank as strength."""
    script = begin_battle(5, 5)
    set_treasury(script, "Aki", own=3)
    script.says("Aki: ambush")
    assert (own_coin_counts(script, "strength"), own_coin_counts(script, "treasury")) == ([10, 5], [3, 15])


@pytest.mark.parametrize(("bank", "card", "place"), [(3, "mansion", "treasury"), (0, "ambush", "strength")])
def test_as_many_coins_as_there_are(bank: int, card: str, place: str) -> None:
    """Mansion and ambush give as many coins as the bank has, 0 too."""
    script = begin_battle(5, 5)
    set_treasury(script, "Aki", own=15 - bank)
    before = own_coin_counts(script, place)[0]
    script.says(f"Aki: {card}")
    assert own_coin_counts(script, place)[0] == before + bank


def test_command() -> None:
    """Command: two extra turns right after this one, before the next seat; both must be taken."""
    script, turns = begin_battle(5, 5, 5).says("Aki: command"), []
    assert script["Aki/front", "extra turn"] == 1, "the first of two has begun"
    for _ in range(3):
        turns.append(script.question_log_key)
        fought(script.says(f"{asked_players(script)[0]}: battle_1"), 1, 1, 1)
    extra = "Choose Aki: Your extra turn: a battle or a card?"
    assert turns == [extra, extra, "Choose Ben: Your turn: a battle or a card?"]


def test_command_in_an_extra_turn() -> None:
    """Played in an extra turn, command adds two to what is left."""
    script, turns = begin_battle(5, 5).says("Aki: command", "Aki: command"), []
    assert script["Aki/front", "extra turn"] == 2, "one was left, and two more less the one that has begun"
    while asked_players(script) == ["Aki"]:
        turns.append(script.question_log_key)
        fought(script.says("Aki: battle_1"), 1, 1)
    assert len(turns) == 3


def test_extra_turns_are_lost_when_eliminated() -> None:
    """Who is eliminated loses the extra turns."""
    script = begin_battle(1, 5, 5).says("Aki: command")
    fought(script.says("Aki: battle_1"), 0, 1, 1)
    assert script["Aki/front", "extra turn"] == 0
    assert asked_players(script) == ["Ben"]


def test_the_last_survivor_wins_at_once() -> None:
    """One survivor wins at once, extra turns or not."""
    script = fought(begin_battle(5, 1).says("Aki: command", "Aki: battle_1"), 1, 0)
    assert script.result_json["winners"] == ["Aki"]


# Exchange


def test_exchange() -> None:
    """Exchange: another survivor with a card; an own card for one by chance: both hands keep their size."""
    script = begin_battle(5, 5, 0, 5)
    script.says("Aki: exchange")
    assert script.question_log_key == "Choose Aki: With whom do you exchange a card?"
    assert script.open_question_limits["options"] == {"2": "Ben", "4": "Dai"}
    script.says("Aki: Dai")
    assert script.last_notes == ["Aki and Dai exchange a card without showing it."]
    assert counts_by_player(script, "hand", "card") == [3, 4, 0, 4]
    assert asked_players(script) == ["Ben"]


@pytest.mark.parametrize("key", ["1", "3", "4", "6"])
def test_exchange_with_oneself_a_fallen_player_or_an_empty_hand(key: str) -> None:
    """Nobody exchanges with themself, with a fallen player, an empty hand, or nobody."""
    script = cardless(begin_battle(5, 5, 0, 5, 5), "Dai").says("Aki: exchange")
    assert options_named_in_refusal(script.refuses(f"Aki: {key}")) == ["2", "5"]


def test_exchange_with_the_only_other_one() -> None:
    """Where only one survivor holds cards nobody is asked who."""
    script = begin_battle(5, 5).says("Aki: exchange")
    assert script.last_notes == [
        "Aki plays exchange.",
        "Aki and Ben exchange a card without showing it.",
    ]
    assert asked_players(script) == ["Ben"]


def test_exchange_without_an_own_card() -> None:
    """With no own card left one is just taken: the user's hand becomes 1."""
    script = begin_battle(5, 5)
    set_treasury(script, "Aki", cards=1)
    script.says("Aki: exchange")
    assert script.last_notes == ["Aki plays exchange.", "Aki takes a card from Ben without showing it."]
    assert counts_by_player(script, "hand", "card") == [1, 5]


def test_exchange_without_a_partner() -> None:
    """Where no other survivor holds a card exchange can't be played."""
    script = cardless(begin_battle(5, 5, 5), "Ben", "Chie")
    fought(script.says("Aki: battle_1"), 1, 1, 1)
    for name in ("Ben", "Chie"):
        fought(script.says(f"{name}: battle_1"), 1, 1, 1)
    assert of("Aki", script) == [*BATTLES, *(card for card in CARDS if card != "exchange")]
    assert "exchange" not in options_named_in_refusal(script.refuses("Aki: exchange"))


# Confusion


def test_confusion() -> None:
    """Nobody plays any card, and no window opens, until just before the user's next turn."""
    script = begin_battle(5, 5, 5).says("Aki: confusion")
    assert script["Aki/front", "confusion"] == 1
    for name in ("Ben", "Chie"):
        assert of(name, script) == BATTLES
        assert script.refuses(f"{name}: mansion") == "Nobody can play a card during Confusion."
        wager_in_turn(script.says(f"{name}: battle_1"), [1, 1, 1])
    assert script["Aki/front", "confusion"] == 0
    assert of("Aki", script) == BATTLES + CARDS


def test_confusion_lasts_through_extra_turns() -> None:
    """A turn from command doesn't end confusion."""
    script = begin_battle(5, 5).says("Aki: command", "Aki: confusion")
    assert script.question_log_key == "Choose Aki: Your extra turn: a battle or a card?"
    assert of("Aki", script) == BATTLES
    wager_in_turn(script.says("Aki: battle_1"), [1, 1])
    assert of("Ben", script) == BATTLES
    wager_in_turn(script.says("Ben: battle_1"), [1, 1])
    assert "mansion" in of("Aki", script)


def test_confusion_of_somebody_eliminated() -> None:
    """If the user is eliminated it lasts until the turn passes that seat the next time."""
    script = begin_battle(1, 5, 5).says("Aki: confusion")
    wager_in_turn(script.says("Ben: battle_1"), [1, 1, 0])
    assert script["Aki/front", "eliminated"] == 1
    assert script["Aki/front", "confusion"] == 1
    assert of("Chie", script) == BATTLES
    wager_in_turn(script.says("Chie: battle_1"), [1, 1])
    assert "mansion" in of("Ben", script)


def test_confusion_of_somebody_eliminated_in_an_extra_turn() -> None:
    """Who falls in a turn from command, confusion played, keeps the others confused for a whole round."""
    script = begin_battle(1, 5, 5).says("Aki: command", "Aki: confusion")
    wager_in_turn(script.says("Aki: battle_1"), [0, 1, 1])
    assert script["Aki/front", "extra turn"] == 0
    for name in ("Ben", "Chie"):
        assert of(name, script) == BATTLES
        wager_in_turn(script.says(f"{name}: battle_1"), [1, 1])
    assert "mansion" in of("Ben", script)


def test_a_card_under_confusion_after_it_was_put_right() -> None:
    """Confusion is a mark on the table: taken away by hand it is over."""
    script = begin_battle(5, 5).says("Aki: confusion", "Ben: battle_1")
    set_count(script, 0, "confusion", "Aki/front", "box")
    wager_in_turn(script, [1, 1])
    assert option_keys(script) == ["spy", "retreat", "pass"]


# Resolve


def test_resolve() -> None:
    """Resolve: a battle of scale 5, whatever the own strength; who has less puts all forward."""
    script = begin_battle(2, 9, 5).says("Aki: resolve")
    assert own_coin_counts(script, "front line") == [2, 5, 5]
    assert question_heading(script) == "Battle, scale 5"
    fought(script, 3, 1, 2)
    assert own_coin_counts(script, "strength") == [2, 4, 0]
    assert script["Chie/front", "eliminated"] == 1


# Elimination


def test_elimination_is_tested_after_the_battle_is_settled() -> None:
    """All whose strength is 0 after a battle are out at once: cards unseen, coins to the bank."""
    script = fought(begin_battle(2, 9, 2, 1).says("Aki: battle_2"), 0, 3, 2, 2)
    assert counts_by_player(script, "front", "eliminated") == [1, 0, 1, 1]
    assert script.result_json["winners"] == ["Ben"]
    assert script["bank", "orange coin"] == 20
    assert counts_by_player(script, "hand", "card") == [0, 4, 0, 0]
    assert script["discard pile", "card"] == 0


def test_strength_put_forward_is_not_yet_lost() -> None:
    """Who has put all strength forward still wagers and reacts."""
    script = begin_battle(5, 1).says("Aki: battle_3", "Aki 3", "Ben 1", "Aki: pass")
    assert asked_players(script) == ["Ben"]
    passes(script.says("Ben: retreat"))
    assert own_coin_counts(script, "strength") == [5, 1]


def test_strength_put_right_by_hand_counts() -> None:
    """A strength that was miscounted and is put right counts from the next turn on."""
    script = begin_battle(5, 5, 5)
    set_count(script, 0, "sky coin", "Ben/strength", "bank")
    script.says("Aki: mansion")
    assert script.last_notes == ["Aki plays mansion.", OUT_BEN]
    assert asked_players(script) == ["Chie"]


def test_everything_counts_as_it_lies() -> None:
    """Coins moved by hand between a bet and its treasury change the value of the bet while it lies open."""
    script = begin_battle(5, 5).says("Aki: battle_1", "Aki 2", "Ben 4")
    correct_count(script, 3, "orange coin", "Aki/treasury", "Aki/bet")
    passes(script)
    assert script.last_notes[0] == "Bets: Aki 5, Ben 4"


def test_undo_and_restart_keep_reactions() -> None:
    """Undo takes back a reaction, and a restart finds the window as it was."""
    script = begin_battle(5, 5).says(
        "Aki: battle_1", "Aki 2", "Ben 4", "Aki: spy", "Ben: retreat", "undo", "restart"
    )
    assert asked_players(script) == ["Ben"]
    assert question_heading(script) == "Bets: Aki 5, Ben 4"
    assert passes(script).last_notes[1] == "The battle is won by Aki."


def test_a_bet_is_amended_after_reactions() -> None:
    """A bet that was counted wrong is put right though reactions have followed."""
    script = begin_battle(5, 5).says("Aki: battle_1")
    wager = script.question_number
    script.says("Aki 2", "Ben 4", "Aki: spy", "Ben: pass", f"amend {wager}: Ben 6")
    assert question_heading(script) == "Bets: Aki 5, Ben 6"
    assert passes(script).last_notes[1] == "The battle is won by Ben."


def test_everybody_is_named() -> None:
    """Five play to the end."""
    script = begin_battle(1, 1, 1, 1, 1).says("Aki: battle_1")
    fought(script, 5, 4, 3, 2, 1)
    assert player_names(script) == list(NAMES)
    assert script.result_json["winners"] == ["Aki"]
