"""How each game's table looks while it is played: its numbers are those that people would count."""

from random import Random
from typing import Any

import pytest

from companion import installed_games
from companion.errors import IllegalAnswer
from companion.log.log import MemoryLog
from companion.requests import Choose, Together
from companion.rules.scene_views import GridView, MatView
from companion.scenes import evaluate_scene, middle_tables, seat_table
from companion.session.session import Session
from companion.session.view import make_view
from companion.texts import render
from tests.any_game_presets import deck_of
from tests.support.games.any_game_helpers import (
    NO_DIRECTORY,
    begin_with_cards_and_coins,
    rules_card,
    template_card,
)

NAMES = ("Aki", "Ben", "Chie", "Dai", "Emi")
GAMES = ("any_game", "bidders", "egypt", "high_bid", "mammon", "oyakata", "sealed_bid")
ANSWERS = 40


def begun(game: str, **options: str) -> Session:
    """As many as may play."""
    rules = installed_games.playable_game(game)
    decks = {game: deck_of(options["template"], NO_DIRECTORY)} if "template" in options else None
    return Session.begin(rules, NAMES[: rules.players[1]], options, MemoryLog(), deck_by_name=decks, seed=2)


def answer(session: Session, rng: Random) -> None:
    """Any legal answer."""
    question = session.question
    assert question is not None
    for _try in range(100):
        given = question.random_legal_answer(rng)
        try:
            if isinstance(question, Together):
                for seat, part in question.parts_by_seat.items():
                    session.put_answer_in_envelope(
                        session.question_number, seat, part.answer_to_json(given[seat])
                    )
            else:
                session.answer(session.question_number, question.answer_to_json(given))
        except IllegalAnswer:
            continue
        return


def mats(session: Session) -> tuple[MatView, ...]:
    """What lies before everybody now, by all eyes."""
    return evaluate_scene(make_view(session), session.scene).mats


def number(mat: MatView, name: str) -> object:
    """The cell, or the hero, that is called so."""
    cells = [*mat.cells, *([mat.headline] if mat.headline else [])]
    return next(cell.value for cell in cells if render(cell.name) == name)


@pytest.mark.parametrize("game", GAMES)
def test_every_number_is_known_or_covered(game: str) -> None:
    """Whatever is answered, everybody's cells stand in one order, and a number without a value is covered."""
    session, rng = begun(game), Random(4)
    for _answer in range(ANSWERS):
        seen = make_view(session)
        laid = evaluate_scene(seen, session.scene)
        columns = {tuple(bool(cell.label) for cell in mat.cells) for mat in laid.mats}
        assert len(columns) == 1
        covered = {one.piece for one in seen.holdings if one.count is None}
        for mat in laid.mats:
            assert all(cell.piece in covered for cell in mat.cells if cell.value is None)
        if session.question is None:
            break
        answer(session, rng)


def test_the_total_of_any_game_counts_what_each_piece_is_worth() -> None:
    """Two chips are twice what one is."""
    session = begun("any_game", template="poker")
    pieces = [one for one in session.table.find_deck("any_game").designs if one.values["kind"] == "piece"]
    chip = max(pieces, key=lambda one: int(one.values["worth"]))
    before = number(mats(session)[0], "total")
    session.correct("bank", "Aki/purse", chip.id, 2, "")
    assert number(mats(session)[0], "total") == int(str(before)) + 2 * int(chip.values["worth"])


def test_a_bet_of_mammon_counts_as_it_fights() -> None:
    """Coins of one's own colour count whole."""
    session = begun("mammon")
    answer(session, Random(1))
    session.correct("Aki/treasury", "Aki/bet", "orange coin", 3, "forgotten")
    assert [number(mat, "bet") for mat in mats(session)[:2]] == [3, 0]


@pytest.mark.parametrize(("game", "line"), [("high_bid", 0), ("oyakata", 0), ("oyakata", 1)])
def test_a_price_that_nobody_knows_yet_is_no_nought(game: str, line: int) -> None:
    """Its cell is empty until there is one, and nothing costs 0."""
    session, rng = begun(game), Random(5)
    empty: set[bool] = set()
    for _ in range(600):
        if session.question is None:
            break
        grid = next(
            part
            for part in evaluate_scene(make_view(session), session.scene).middle_parts
            if isinstance(part, GridView)
        )
        prices = grid.lines[line][1] if game == "oyakata" else [cells[0] for _, cells in grid.lines]
        assert 0 not in [price.value for price in prices if price is not None]
        empty |= {price is None for price in prices}
        answer(session, rng)
    assert empty == {True, False}


def answer_without_finishing(session: Session, rng: Random) -> None:
    """Any legal answer, but Any Game goes on."""
    question = session.question
    if not isinstance(question, Choose) or "finish" not in question.options:
        answer(session, rng)
        return
    keys = [key for key in question.legal_option_keys if key != "finish"]
    session.answer(session.question_number, rng.choice(keys))


def leaders(session: Session) -> list[str]:
    """Who wears a crown."""
    return [mat.seat.name for mat in mats(session) if mat.leads]


@pytest.mark.parametrize("game", GAMES)
def test_a_crown_is_for_the_highest_visible_number(game: str) -> None:
    """Nobody leads while all are equal; a game in which something hidden counts has no leader at all."""
    session, rng, numbers = begun(game), Random(4), set[tuple[object, ...]]()
    name = {"any_game": "total", "egypt": "points", "mammon": "strength", "sealed_bid": "won"}.get(game)
    for _answer in range(10 * ANSWERS):
        values: list[Any] = [number(mat, name) if name else 0 for mat in mats(session)]
        numbers.add(tuple(values))
        best = [
            mat.seat.name for mat, value in zip(mats(session), values, strict=True) if value == max(values)
        ]
        assert leaders(session) == (best if len(set(values)) > 1 else [])
        if session.question is None:
            break
        answer_without_finishing(session, rng)
    assert len(numbers) > 1 or name is None


def test_the_crown_is_for_whoever_leads_among_those_who_can_still_win() -> None:
    """A player who is out of the game may have more, but ranks behind everybody who is still in."""
    script = begin_with_cards_and_coins(rules_card(out="yes"))
    for name, coins in (("Aki", 30), ("Ben", 20)):
        script.session.correct("bank", f"{name}/purse", "coin", coins, "")
    assert leaders(script.session) == ["Aki"]
    script.session.correct("box", "Aki/front", "out", 1, "")
    totals: dict[str, Any] = {mat.seat.name: number(mat, "total") for mat in mats(script.session)}
    assert max(totals, key=lambda name: totals[name]) == "Aki"
    assert leaders(script.session) == ["Ben"]


def void_numbers(session: Session) -> list[str]:
    """The totals that don't count, as the table is written: each in parentheses."""
    scene_view = evaluate_scene(make_view(session), session.scene)
    tables = [seat_table(scene_view), *middle_tables(scene_view)]
    cells = [render(cell) for table in tables for line in table.lines for cell in line if cell is not None]
    return [cell for cell in cells if cell.startswith("(")]


def test_the_last_player_of_a_knock_out_wears_the_crown() -> None:
    """Whoever is left has won, whatever the totals; while others only come later, nobody has."""
    script = begin_with_cards_and_coins(rules_card(out="yes", join="yes")).says("table: done")
    script.session.correct("box", "Aki/front", "out", 1, "")
    script.session.correct("box", "Ben/front", "comes later", 1, "")
    assert leaders(script.session) == []
    script.session.correct("Ben/front", "box", "comes later", 1, "")
    script.session.correct("box", "Ben/front", "out", 1, "")
    assert leaders(script.session) == ["Chie"]


@pytest.mark.parametrize("leader_count", [1, 3, 4, 11])
def test_no_more_than_three_players_wear_crowns(leader_count: int) -> None:
    """Crowns of more than three who share the lead would distinguish nobody."""
    names = [f"Player {number}" for number in range(1, 13)]
    trains = {"any_game": deck_of("train", NO_DIRECTORY)}
    game = installed_games.playable_game("any_game")
    session = Session.begin(game, names, {"template": "train"}, MemoryLog(), deck_by_name=trains, seed=2)
    for name in names[:leader_count]:
        session.correct("bank", f"{name}/purse", "money", 5, "")
    assert leaders(session) == (names[:leader_count] if leader_count <= 3 else [])


@pytest.mark.parametrize(
    ("option", "marker", "void"),
    [("out", "out", ["(107)", "(7)"]), ("join", "comes later", [])],
)
def test_only_the_total_of_a_player_who_is_out_does_not_count(
    option: str, marker: str, void: list[str]
) -> None:
    """Before the player and below the points by round it is in parentheses; it counts if the player comes."""
    script = begin_with_cards_and_coins(
        rules_card(scoring="rounds", **{option: "yes"}), template_card("category", "points")
    )
    if option == "join":
        script.says("table: done")
    script.says("table: write_round", "Aki: 7", "Ben: 6", "Chie: 5")
    assert void_numbers(script.session) == []
    script.session.correct("box", "Aki/front", marker, 1, "")
    assert void_numbers(script.session) == void
    headlines = [mat.headline for mat in mats(script.session) if mat.headline]
    assert [headline.is_void for headline in headlines] == [bool(void), False, False]


def test_the_fewest_points_lead_where_they_win() -> None:
    """The crown goes to whoever is ahead by the template's rules; covered purses have no leader."""
    lowest = begun("any_game", template="lowest")
    rng, seen = Random(4), set[int]()
    for _answer in range(10 * ANSWERS):
        totals: dict[str, Any] = {
            mat.seat.name: number(mat, "total") for mat in mats(lowest) if not mat.sits_out
        }
        lead = leaders(lowest)
        seen.add(len(lead))
        assert not lead or {totals[name] for name in lead} == {min(totals.values())}
        if lowest.question is None:
            break
        answer_without_finishing(lowest, rng)
    assert seen - {0}
    covered = begun("any_game", template="art")
    for _answer in range(ANSWERS):
        assert leaders(covered) == []
        if covered.question is None:
            break
        answer_without_finishing(covered, rng)
