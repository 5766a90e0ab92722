"""Any Game's auctions in which people bid with numbered tiles or cards instead of money."""

from collections import Counter
from random import Random

import pytest

from companion.errors import UserError
from companion.games.any_game.rulebook import GAME
from companion.testing import Script
from companion.testing.random_game import answer_randomly
from tests.support.games.any_game_helpers import (
    COIN_CARD,
    begin_with_cards,
    begin_with_cards_and_coins,
    question_text,
    rules_card,
    template_card,
    template_deck,
)

RA = "[board]\ntiles = [13, 8, 5, 2, 12, 9, 6, 3, 11, 10, 7, 4, 1]\n"
"""Ra's suns for three players; sun 1 lies in the middle."""
FOR_SALE = f"[board]\ntiles = {[*range(1, 31)]}\n"
"""For Sale's thirty properties."""
POINTS = template_card("category", "points")
SELLS = 0.3
"""How often a random evening has sellers, who must take what nobody wants."""


def evening(board: str, **said: object) -> Script:
    """Three people with these tiles and one kind of points."""
    return begin_with_cards(f"{rules_card(**said)}\n\n{board}", POINTS)


def tiles(script: Script, place: str) -> list[int]:
    """The numbers of the tiles at a place."""
    return sorted(
        int(account.piece.key.removeprefix("bid tile "))
        for account in script.session.table.ledger
        if account.place.key_with_player_name == place
        for _ in range(account.count)
        if account.piece.key.startswith("bid tile")
    )


def all_tiles(script: Script) -> Counter[str]:
    """How many of each tile there are, wherever they lie."""
    counts = Counter[str]()
    for account in script.session.table.ledger:
        if account.piece.key.startswith("bid tile"):
            counts[account.piece.key] += account.count
    return counts


def values(script: Script, seat: int = 0) -> list[int]:
    """The numbers that the open question allows."""
    parts = [*script.question.parts_by_seat.values()] or [script.question]
    allowed: list[int] = parts[seat].limits_json["values"]
    return allowed


def test_in_ra_each_player_bids_one_of_the_own_suns_and_the_winner_swaps_it() -> None:
    """Once around; the invoker is last. The winning sun lies in the middle, the old one can't be bid yet."""
    script = evening(RA, bid_with="dealt", auction="once", payee="ask")
    assert (tiles(script, "Aki/bid tiles"), tiles(script, "bid tiles")) == ([2, 5, 8, 13], [1])
    script.says("table: auction", "table: Chie")
    assert values(script) == [2, 5, 8, 13]
    assert script.refuses("Aki 7") == "Aki can bid only these numbers: 2, 5, 8, 13."
    script.says("Aki 5")
    assert values(script) == [6, 9, 12]
    script.says("Ben 6")
    assert script.refuses("Chie 4") == "Chie can bid only these numbers: 7, 10, 11."
    script.says("Chie 11")
    assert script.last_notes == ["Chie wins with 11.", "Chie puts tile 11 in the middle and takes tile 1."]
    assert (tiles(script, "Chie/bid tiles"), tiles(script, "Chie/used bid tiles")) == ([4, 7, 10], [1])
    assert tiles(script, "bid tiles") == [11]
    script.says("table: auction", "table: Aki", "Ben 12", "Chie passes", "Aki 13")
    assert (tiles(script, "Aki/used bid tiles"), tiles(script, "bid tiles")) == ([11], [13])


def test_in_ra_players_without_a_sun_are_out_until_the_next_epoch() -> None:
    """Nobody asks them; then all suns are turned up again."""
    script = evening(RA, bid_with="dealt", auction="once")
    for sun in (13, 8, 5, 2):
        script.says("table: auction", f"Aki {sun}", "Ben passes", "Chie passes")
    assert (tiles(script, "Aki/bid tiles"), tiles(script, "Aki/used bid tiles")) == ([], [1, 5, 8, 13])
    script.says("table: auction")
    assert script.question.seats[0].name == "Ben"
    script.says("Ben passes", "Chie passes", "table: tiles")
    assert script.last_notes == ["All used tiles can be bid again."]
    assert tiles(script, "Aki/bid tiles") == [1, 5, 8, 13]
    assert script.refuses("table: tiles") == "No tile has been used."


def test_who_has_no_higher_sun_can_only_pass() -> None:
    """The question says so; the winner is the highest bidder as always."""
    script = evening(RA, bid_with="dealt", auction="once").says("table: auction", "Aki 13")
    assert question_text(script) == "Ben can't bid for lot 1 now and must pass."
    script.says("Ben passes", "Chie passes")
    assert script.last_notes[0] == "Aki wins with 13."


@pytest.mark.parametrize(
    ("auction", "lines"),
    [
        ("open", ["Aki 5", "Ben 6", "Chie passes", "Aki passes"]),
        ("final", ["Aki 5", "Ben 6", "Chie withdraws", "Aki withdraws"]),
        ("sealed", ["Aki 5", "Ben 6", "Chie 0"]),
    ],
)
def test_tiles_are_bid_in_other_ways_too(auction: str, lines: list[str]) -> None:
    """Only the winner's tile is used, as only the winner pays."""
    script = evening(RA, bid_with="dealt", auction=auction).says("table: auction", *lines)
    assert script.last_notes == ["Ben wins with 6.", "Ben puts tile 6 in the middle and takes tile 1."]
    assert tiles(script, "Aki/bid tiles") == [2, 5, 8, 13]


def test_in_the_second_half_of_for_sale_each_card_is_bid_once() -> None:
    """All bid in secret one of the thirty cards; whoever has it is the players' business. All are used up."""
    script = begin_with_cards(
        f"{rules_card(bid_with='shared', auction='sealed')}\n\n{FOR_SALE}", POINTS, pays="all"
    )
    assert question_text(script.says("table: auction")) == "Everybody bids in secret"
    assert values(script) == [*range(1, 31)]
    script.says("Aki 28", "Ben 3", "Chie 17")
    assert script.last_notes[0] == "Aki wins with 28."
    assert tiles(script, "used bid tiles") == [3, 17, 28]
    script.says("table: auction")
    assert script.refuses("Aki 28").startswith("Aki can answer only these numbers: 0, 1, 2, 4, 5")
    script.says("Aki 2", "Ben 30", "Chie 29")
    assert (script.last_notes[0], len(tiles(script, "bid tiles"))) == ("Ben wins with 30.", 24)


def test_in_raj_each_player_has_all_cards_and_uses_up_one_for_each_lot() -> None:
    """1 to 15 for everybody; the highest bid that nobody else made wins (Raj). A new hand takes all back."""
    said = rules_card(bid_with="each", auction="sealed")
    script = begin_with_cards(said, POINTS, pays="all", wins="unique").says(
        "table: auction", "Aki 15", "Ben 15", "Chie 1"
    )
    assert script.last_notes == [
        "Chie wins with 1.",
        "Aki has used tile 15.",
        "Ben has used tile 15.",
        "Chie has used tile 1.",
    ]
    script.says("table: auction")
    assert [values(script, seat)[-1] for seat in range(3)] == [14, 14, 15]
    script.says("Aki 1", "Ben 2", "Chie 3", "table: tiles", "table: auction")
    assert [values(script, seat) for seat in range(3)] == [[*range(1, 16)]] * 3


def test_tiles_are_moved_by_hand_while_a_bid_is_open() -> None:
    """A tile that was given away can't be bid any more; one that was got can."""
    script = evening(RA, bid_with="dealt", auction="once").says("table: auction")
    script.says("correct 1 bid tile 13 from Aki/bid tiles to Ben/bid tiles: swapped")
    assert values(script) == [2, 5, 8]
    assert script.refuses("Aki 13") == "Aki can bid only these numbers: 2, 5, 8."
    script.says(
        "Aki 8", "Ben 13", "correct 1 bid tile 13 from Ben/bid tiles to bid tiles: oops", "Chie passes"
    )
    assert script.last_notes == ["Ben wins with 13."], "the tile is no longer there to be paid"


@pytest.mark.parametrize("bid_with", ["dealt", "each", "shared"])
@pytest.mark.parametrize("auction", ["both", "open", "final", "once", "sealed"])
def test_whatever_people_answer_tiles_only_move(bid_with: str, auction: str) -> None:
    """Random evenings with random rules never get stuck, and no tile is made or lost."""
    for seed in range(6):
        rng = Random(f"{bid_with} {auction} {seed}")
        pays = rng.choice(["winner", "nobody"] if bid_with == "dealt" else ["winner", "all", "nobody"])
        ties = rng.choice(["named", "again"])
        said = {"unsold": rng.choice(["stays", "free", "cheaper"]), "reserve": rng.choice([0, 1, 4])}
        if rng.random() < SELLS:
            said |= {"payee": "seller", "unsold": "seller", "reserve_by": rng.choice(["template", "seller"])}
        script = begin_with_cards(
            f"{rules_card(bid_with=bid_with, auction=auction, **said)}\n\n{RA}",
            *([COIN_CARD] if seed % 2 else [POINTS]),
            pays=pays,
            ties=ties,
        )
        before = all_tiles(script)
        for _ in range(60):
            if script.session.question is not None:
                answer_randomly(script.session, rng)
        assert all_tiles(script) == before


def test_undo_gives_tiles_back_and_a_restart_keeps_them() -> None:
    """All of it is replayed from the log."""
    script = evening(RA, bid_with="dealt", auction="once")
    script.says("table: auction", "Aki 5", "Ben 6", "Chie passes", "restart")
    assert tiles(script, "bid tiles") == [6]
    script.says("undo")
    assert (tiles(script, "bid tiles"), tiles(script, "Ben/bid tiles")) == ([1], [3, 6, 9, 12])


def test_a_team_owns_tiles_together() -> None:
    """Aki and Chie play together, and so do Ben and Dai."""
    script = begin_with_cards(
        f"{rules_card(bid_with='dealt', auction='once', teams=2)}\n\n[board]\ntiles = [1, 2, 3, 4, 5]\n",
        POINTS,
        names=("Aki", "Ben", "Chie", "Dai"),
    )
    assert (tiles(script, "Aki/bid tiles"), tiles(script, "Ben/bid tiles")) == ([1, 2], [3, 4])
    script.says("table: auction", "Aki 2", "Ben 3")
    assert script.last_notes == ["Ben wins with 3.", "Ben puts tile 3 in the middle and takes tile 5."]


@pytest.mark.parametrize(
    ("names", "each", "middle"),
    [
        (("Aki", "Ben"), [13, 8, 5, 2, 12, 9], [1]),
        (("Aki", "Ben", "Chie", "Dai"), [13, 8, 5], [1]),
        (("Aki", "Ben", "Chie", "Dai", "Eri"), [13, 8], [7]),
    ],
)
def test_one_tile_lies_in_the_middle_and_the_others_stay_in_the_box(
    names: tuple[str, ...], each: list[int], middle: list[int]
) -> None:
    """Whoever wins first swaps one tile for one (Ra), whatever can't be dealt evenly."""
    script = begin_with_cards(f"{rules_card(bid_with='dealt')}\n\n{RA}", POINTS, names=names)
    assert (tiles(script, "Aki/bid tiles"), tiles(script, "bid tiles")) == (sorted(each), middle)
    assert {len(tiles(script, f"{name}/bid tiles")) for name in names} == {len(each)}


def test_too_few_tiles_for_the_players_are_refused_at_set_up() -> None:
    """Three tiles are enough for two players or teams and the middle, not for four."""
    board, names = "[board]\ntiles = [7, 8, 9]\n", ("Aki", "Ben", "Chie", "Dai")
    with pytest.raises(UserError) as refused:
        begin_with_cards(f"{rules_card(bid_with='dealt')}\n\n{board}", POINTS, names=names)
    assert str(refused.value) == ("With 4 players, this template needs at least 5 tiles, but it has only 3.")
    for teams, playing in ((0, names[:2]), (2, names)):
        script = begin_with_cards(
            f"{rules_card(bid_with='dealt', teams=teams)}\n\n{board}", POINTS, names=playing
        )
        assert [tiles(script, place) for place in ("Aki/bid tiles", "bid tiles")] == [[7], [9]]


@pytest.mark.parametrize(
    ("card", "error"),
    [
        (rules_card(bid_with="dealt") + "\n\n[board]\ntiles = [1, 2]\n", "needs at least 3 tiles"),
        (template_card("place", "pot", name="Bid tiles"), "Bid tiles is a reserved name"),
        (template_card("place", "used bid tiles"), "used bid tiles is a reserved name"),
        (template_card("piece", "bid tile 3"), "bid tile 3 is a reserved name"),
    ],
)
def test_a_template_with_tiles_has_enough_and_names_nothing_like_them(card: str, error: str) -> None:
    """Typed moves name tiles and their places; a template without tiles may use these names."""
    rules = () if "bid_with" in card else (rules_card(bid_with="each"),)
    with pytest.raises(UserError, match=error):
        GAME.check_deck(template_deck(POINTS, *rules, card))
    if rules:
        assert GAME.check_deck(template_deck(POINTS, card)) == []


def test_a_lot_that_nobody_bids_a_tile_for_costs_its_new_owner_nothing() -> None:
    """A lowest bid is no price here."""
    said = {"bid_with": "dealt", "auction": "once", "reserve": 3, "payee": "seller", "unsold": "seller"}
    script = evening(RA, **said).says("table: auction", "table: Aki")
    assert values(script) == [3, 6, 9, 12]
    script.says("Ben passes", "Chie passes", "Aki passes")
    assert script.last_notes == ["Nobody takes lot 1. Aki gets it for nothing."]


def use_all(script: Script, places: list[str], numbers: list[int]) -> Script:
    """Moves these tiles by hand to the used ones."""
    for place in places:
        for number in numbers:
            script.says(f"correct 1 bid tile {number} from {place}bid tiles to {place}used bid tiles: used")
    return script


@pytest.mark.parametrize("unsold", ["stays", "free", "cheaper"])
@pytest.mark.parametrize("auction", ["open", "final", "once", "sealed"])
@pytest.mark.parametrize(("bid_with", "places"), [("shared", [""]), ("each", ["Aki/", "Ben/", "Chie/"])])
def test_where_nobody_has_a_tile_nobody_is_asked(
    bid_with: str, places: list[str], auction: str, unsold: str
) -> None:
    """When all cards are used (the end of For Sale and of Raj), an auction sells nothing."""
    said = rules_card(bid_with=bid_with, auction=auction, unsold=unsold, reserve=2)
    script = use_all(begin_with_cards(f"{said}\n\n[board]\ntiles = [1, 2]\n", POINTS), places, [1, 2])
    script.says("table: auction")
    assert script.last_notes == ["Nobody has a tile to bid."]
    assert question_text(script) == "What is next?"


def test_a_seller_pays_no_lowest_bid_where_nobody_has_a_tile() -> None:
    """There is no tile 20, and nobody to offer the lot to."""
    said = rules_card(bid_with="each", auction="once", payee="seller", unsold="seller", reserve=20)
    script = begin_with_cards(f"{said}\n\n[board]\ntiles = [1, 2]\n", POINTS)
    use_all(script, ["Aki/", "Ben/", "Chie/"], [1, 2]).says("table: auction", "table: Aki")
    assert "Nobody has a tile to bid." in script.last_notes
    assert question_text(script) == "What is next?"


def test_who_gets_tiles_back_while_the_seller_names_the_lowest_bid_is_asked() -> None:
    """The bidders are those who have a tile when the bidding begins."""
    said = rules_card(bid_with="each", auction="once", payee="seller", reserve_by="seller")
    script = begin_with_cards(f"{said}\n\n[board]\ntiles = [3, 9]\n", POINTS)
    use_all(script, ["Ben/"], [3, 9]).says("table: auction", "table: Aki")
    script.says("correct 1 bid tile 9 from Ben/used bid tiles to Ben/bid tiles: back", "Aki 1", "Aki 1")
    assert values(script) == [9]
    assert script.question.seats[0].name == "Ben"


def test_a_tile_that_exists_once_is_bid_by_one_player() -> None:
    """Aki and Ben say 28: one of them was wrong, so both bid again, but not Chie's 17 (For Sale)."""
    said = rules_card(bid_with="shared", auction="sealed")
    script = begin_with_cards(f"{said}\n\n{FOR_SALE}", POINTS, pays="all").says("table: auction")
    script.says("Aki 28", "Ben 28", "Chie 17")
    assert script.last_notes == ["There is only one tile 28: Aki, Ben bid again."]
    assert 17 not in values(script)
    script.says("Aki 28", "Ben 3")
    assert script.last_notes[0] == "Aki wins with 28."
    assert tiles(script, "used bid tiles") == [3, 17, 28]


def test_a_lowest_tile_becomes_lower_step_by_step() -> None:
    """Nobody bids at least 3, so 2 is enough; then the first in turn gets the lot for nothing."""
    said = {"bid_with": "each", "auction": "once", "unsold": "cheaper", "reserve": 3, "step": 2}
    script = begin_with_cards(f"{rules_card(**said)}\n\n[board]\ntiles = [1, 2, 3]\n", POINTS)
    script.says("table: auction")
    assert values(script) == [3]
    script.says("Aki passes", "Ben passes", "Chie passes")
    assert script.last_notes == ["Nobody takes lot 1. Now: 1"]
    assert values(script) == [1, 2, 3]
    script.says("Aki passes", "Ben passes", "Chie passes")
    assert script.last_notes == ["Nobody takes lot 1. Aki gets it for nothing."]


def test_a_dealt_tile_is_never_paid_by_who_doesnt_win() -> None:
    """The winner swaps a tile with the middle; a second payer would get the winner's tile."""
    with pytest.raises(UserError, match=r"^With dealt tiles, only the winner can pay\."):
        begin_with_cards(rules_card(bid_with="dealt"), POINTS, pays="all")


def test_a_second_bid_is_never_paid_with_a_tile() -> None:
    """Whoever wins has only the own tiles."""
    with pytest.raises(UserError, match=r"^With tiles, nobody can pay the second bid\."):
        begin_with_cards(rules_card(bid_with="each"), POINTS, pays="second")


def test_templates_without_tiles_have_none() -> None:
    """Neither pieces nor a line of the menu."""
    script = begin_with_cards_and_coins(rules_card(auction="once"))
    assert "tiles" not in script.open_question_limits["options"]
    assert not [account for account in script.session.table.ledger if "tile" in account.piece.key]
