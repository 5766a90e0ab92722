"""What games say is to be moved by hand when people go back and forth."""

from companion.games.bidders.rulebook import GAME as BIDDERS
from companion.games.egypt.rulebook import GAME as EGYPT
from companion.games.high_bid.rulebook import GAME as HIGH_BID
from companion.games.mammon.rulebook import GAME as MAMMON
from companion.games.oyakata.rulebook import GAME as OYAKATA
from companion.testing import Script
from companion.texts import render
from tests.support.games.high_bid_helpers import deal_first_round, put_up_and_roll, turn_up_and_sell


def test_each_of_a_seats_places_is_named() -> None:
    """Back and forth over a round: workers lie on an edge, on a project or on a guild card."""
    script = Script(BIDDERS, "Aki", "Ben", "Chie", "Dai").says("table: Aki", "table: done")
    script.says("table: turns card:W1", "table: turns card:B1", "Aki: white", "Aki 2")
    script.says("Ben: pass", "Chie: pass", "Dai: pass", "Ben 1", "Dai 0", "undo past a reveal")
    assert script.moves_by_hand == [
        "2 of Aki's workers from Aki's left edge back to white project",
        "1 of Ben's workers from Aki's left edge back to Ben's guild card",
        "white bid marker from white project back to Aki's guild card",
        "1 white card (card W1) from Aki's left edge back to white project",
        "start player marker from Ben's guild card back to Aki's guild card",
    ]
    assert script.says("redo").moves_by_hand == [
        "2 of Aki's workers from white project to Aki's left edge",
        "1 of Ben's workers from Ben's guild card to Aki's left edge",
        "white bid marker from Aki's guild card to white project",
        "1 white card (card W1) from white project to Aki's left edge",
        "start player marker from Aki's guild card to Ben's guild card",
    ]


def test_a_card_that_all_know_has_its_name() -> None:
    """What was put up for sale comes back by name, and forth again to where it was sold."""
    script = put_up_and_roll(turn_up_and_sell(deal_first_round(), "Ben", "maps"), "Ben", "coins", 75, 3).says(
        "undo", "undo"
    )
    assert script.moves_by_hand == ["1 card (Coins) from Ben's offer back to Ben's hand"]
    assert script.says("redo", "redo").moves_by_hand == ["1 card (Coins) from Ben's offer to gallery"]


def first_round(*names: str) -> Script:
    """Bidders!, four at the table; the first two cards are turned up."""
    script = Script(BIDDERS, "Aki", "Ben", "Chie", "Dai").says("table: Aki", "table: done")
    return script.says("table: turns card:W1", "table: turns card:B1", *names)


def cards(script: Script) -> list[str]:
    """What was said of cards and tiles."""
    return [
        move
        for move in script.moves_by_hand
        if {"card", "cards", "tile", "tiles"} & set(move.partition(" from ")[0].split())
    ]


def test_whose_card_goes_back() -> None:
    """Two cards of the same back lie before two seats: each goes back to where it came from."""
    script = first_round("Aki: pass", "Ben: white", "Ben 1", "Chie: pass", "Dai: pass", "Aki: pass")
    script.says("Aki 0", "Chie 0", "table: turns card:W2", "table: turns card:B2")
    script.says("Ben: pass", "Chie: pass", "Dai: pass", "Aki: white", "Aki 1", "Ben: pass", "Chie: pass")
    script.says("Dai: pass", "Ben 0", "Dai 0")
    session = script.session
    script.moves_by_hand = [
        render(move)
        for move in session.undo_to_step_count(session.step_count_before_answer(5), past_reveal=True)
    ]
    assert cards(script) == [
        "1 white card from Aki's front back to deck",
        "1 white card (card W1) from Ben's front back to white project",
        "1 black card (card B2) from box back to deck",
        "1 black card (card B1) from box back to black project",
    ]


def test_a_card_goes_where_another_leaves() -> None:
    """The number of cards on the project stays the same, yet one comes to it and another leaves it."""
    script = first_round("Aki: white", "Aki 2", "Ben: pass", "Chie: pass", "Dai: pass", "Ben 1", "Dai 1")
    script.says("table: turns card:W2", "table: turns card:B2", "Ben: white", "Ben 1", "Chie: pass")
    script.says("Dai: pass", "Aki: pass", "Aki 0", "Chie 0", "table: turns card:W3")
    script.says("amend 5: Aki: pass, going back past a reveal")
    assert cards(script) == [
        "1 white card (card W3) from white project to deck",
        "1 white card from Ben's front to deck",
        "1 white card (card W1) from Aki's left edge to white project",
        "1 black card (card B2) from box to deck",
        "1 black card (card B1) from box to black project",
    ]


def test_whose_tiles_are_drawn_and_discarded() -> None:
    """A tile lies face down, and still has a way of its own."""
    script = Script(OYAKATA, "Aki", "Ben").says("table: Aki", "Aki: places card:A1.1")
    script.says("Ben: places card:A2.1", "undo", "undo")
    assert cards(script.says("redo")) == [
        "1 A tile from Aki's drawn tiles to Aki's tunnel",
        "1 A tile from Aki's drawn tiles to discards",
        "2 A tiles from pile to Ben's drawn tiles",
    ]
    assert cards(script.says("redo")) == [
        "1 A tile from Ben's drawn tiles to Ben's tunnel",
        "1 A tile from Ben's drawn tiles to discards",
    ]


def test_a_deal_is_taken_back_by_shuffling() -> None:
    """Who has which cards is gone with the shuffle: it is said once, not as 25 cards from a hand."""
    egypt = Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki", "table: done", "undo")
    assert egypt.moves_by_hand == ["Gather all the cards and shuffle them again."]
    deal = "Shuffle, deal 25 cards each, box the rest, lay out the daughters."
    assert egypt.says("redo").moves_by_hand == [deal]
    egypt.says("Aki 1", "Ben withdraws", "Chie withdraws", "Aki pays 4", "back to 2")
    assert egypt.moves_by_hand == [
        "Gather all the cards and shuffle them again.",
        "daughter 4 from Aki's front back to market 4",
    ]


def second_round() -> Script:
    """Egypt, dealt for the second time: Aki and Ben had paid a card each, Chie had none to pay with."""
    egypt = Script(EGYPT, "Aki", "Ben", "Chie").says(
        "table: Aki", "table: done", "Aki 1", "Ben 60", "Chie 70"
    )
    egypt.says("Aki withdraws", "Ben withdraws", "Aki pays 6", "Ben can't pay", "Chie can't pay")
    return egypt.says("table: end_round", "table: done")


def test_beyond_a_deal_as_many_cards_lie_as_then() -> None:
    """Whose turn it was to deal sees only the shuffle; whoever goes on back counts the hands out, too."""
    egypt = second_round()
    deal = egypt.question_number - 1
    out = "daughter 4 from market 4 back to box"
    assert egypt.says(f"back to {deal}").moves_by_hand == [
        "Gather all the cards and shuffle them again.",
        out,
    ]
    egypt = second_round().says(f"back to {deal - 2}")
    assert egypt.moves_by_hand == [
        "Gather all the cards and shuffle them again.",
        "1 card from Aki's hand back to bank",
    ]


def test_every_game_says_that_it_shuffles() -> None:
    """Undo of a shuffle or a deal is told by every game that has one."""
    begun = [
        Script(BIDDERS, "Aki", "Ben", "Chie").says("table: Aki", "table: done"),
        Script(HIGH_BID, "Aki", "Ben").says("table: Aki", "table: done"),
        Script(MAMMON, "Aki", "Ben").says("table: done"),
    ]
    for script in begun:
        assert script.says("undo").moves_by_hand == ["Gather all the cards and shuffle them again."]
        assert len(script.says("redo").moves_by_hand) == 1
