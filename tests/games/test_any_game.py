"""Any Game sentence by sentence, and each template that comes along played to its end."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from companion.cards import Deck, shipped_deck
from companion.errors import UserError
from companion.games.any_game.rulebook import GAME, check_deck
from companion.log.log import MemoryLog
from companion.requests import Choose, DetailedOption
from companion.session.session import Session
from companion.session.view import make_view, movable_holdings_by_place
from companion.testing import Script
from companion.texts import render
from tests.any_game_presets import deck_of as template
from tests.any_game_presets import read
from tests.support.games.any_game_helpers import (
    begin_with_cards_and_coins,
    begin_with_shipped_template,
    purse_counts,
    rules_card,
    template_card,
)

NAMES = ("Aki", "Ben", "Chie")
NOWHERE = Path("/nonexistent")


CHIPS = "\n".join(
    f'[[card]]\nid = "{one}"\nname = "{one} chip"\nkind = "piece"\nstart = {start}\nworth = {worth}'
    for one, start, worth in (("white", 20, 1), ("red", 10, 5), ("blue", 5, 25))
)
"""Chips of which only the white ones are money, and nothing about the rules of the evening."""


def table(name: str = "plain", **options: str) -> Script:
    """Three people with a template."""
    script = Script(GAME, *NAMES, options=options)
    if name != "plain":
        decks = {"any_game": read(CHIPS, "chips.toml") if name == "chips" else template(name, NOWHERE)}
        script.log = MemoryLog()
        script.session = Session.begin(GAME, NAMES, options, script.log, deck_by_name=decks, seed=1)
    return script


def totals(script: Script) -> dict[str, tuple[int, float]]:
    """Rank and total of each seat at the end."""
    script.says("table: finish")
    return {one["seat"]: (one["rank"], one["total"]) for one in script.result_json["standings"]}


def move(script: Script, count: int, piece: str, source: str, target: str) -> None:
    """A free move."""
    script.session.correct(source, target, piece, count, "")


# Pieces


@pytest.mark.parametrize(
    ("name", "looks"),
    [
        ("plain", [("coin", "coin", "")]),
        ("poker", [(one, "chip", one) for one in ("white", "red", "blue")]),
        ("property", [("money", "coin", "yellow"), ("house", "cube", "brown")]),
    ],
)
def test_pieces_look_as_the_template_says(name: str, looks: list[tuple[str, str, str]]) -> None:
    """Each is drawn so and painted so; where nothing is said it is a plain coin."""
    places = movable_holdings_by_place(table(name).session).items()
    pieces = next(
        [held.piece for held in holdings]
        for place, holdings in places
        if place.key_with_player_name == "bank"
    )
    assert [(one.key, one.look, one.colour) for one in pieces] == looks


def test_a_game_from_before_pieces_had_looks_goes_on() -> None:
    """What its log lacks of printed values is as it was then: plain coins."""
    deck = template("poker", NOWHERE)
    designs = tuple(
        replace(one, values={key: one.values[key] for key in one.values.keys() - {"look", "colour"}})
        for one in deck.designs
    )
    began = replace(table().session.began, decks={"any_game": replace(deck, designs=designs)})
    ledger = Session(GAME, [began], MemoryLog()).table.ledger
    looks = {ledger.find_account_by_keys("bank", one).piece for one in ("white", "red", "blue")}
    assert {(one.look, one.colour) for one in looks} == {("coin", "")}


# Free moves and the bank


@pytest.mark.parametrize(("name", "called"), [("plain", "Any Game"), ("train", "train companies")])
def test_what_is_played_is_called_after_its_template(name: str, called: str) -> None:
    """Over every question, on the score and its code; without a template it is Any Game."""
    assert render(make_view(table(name, template=name).session).game_title) == called


def test_pieces_are_moved_freely() -> None:
    """Out of a bank without a limit as many as anybody likes, from purse to purse, without a reason."""
    script = table()
    move(script, 500, "coin", "bank", "Aki/purse")
    move(script, 200, "coin", "Aki/purse", "Ben/purse")
    assert [script[f"{name}/purse", "coin"] for name in NAMES] == [300, 200, 0]
    script.says("undo")
    assert script["Ben/purse", "coin"] == 0
    with pytest.raises(UserError, match="Aki has only 500 coins, not 501"):
        move(script, 501, "coin", "Aki/purse", "bank")


def test_a_bank_with_a_limit_can_be_empty() -> None:
    """It gives what it has and no more."""
    script = table("tracks")
    assert (script["bank", "yellow"], script["Aki/purse", "yellow"]) == (24, 0)
    move(script, 24, "yellow", "bank", "map")
    with pytest.raises(UserError, match="bank has only 0 yellow cube"):
        move(script, 1, "yellow", "bank", "map")


# Rounds and the start player


def test_the_start_player_marker_passes_to_the_left() -> None:
    """At first nobody has it; chosen, it passes with each round, clockwise."""
    script = table().says("table: round")
    assert script.last_notes == []
    script.says("table: start_player", "table: Chie", "table: round")
    assert script.last_notes == ["Aki is the start player."]
    assert script["Aki/front", "start player"] == 1
    assert script["round track", "round"] == 2
    script.says("table: start_player", "table: Aki")
    assert script.last_notes == ["Aki is the start player."]
    assert script["Aki/front", "start player"] == 1


# Bids


def test_a_sealed_bid_is_paid_to_the_bank() -> None:
    """Bids are limited by the purse in the first piece; the winner pays."""
    script = table("chips").says("table: sealed_bid")
    assert script.refuses("Aki 21") == "Aki has only 20 white chips."
    script.says("Aki 7", "Ben 9", "Chie 0")
    assert script.last_notes == ["Ben wins with 9.", "Ben pays 9."]
    assert script["Ben/purse", "white"] == 11


@pytest.mark.parametrize(
    ("options", "bids", "notes", "white"),
    [
        ({"wins": "lowest"}, (4, 9, 0), ["Aki wins with 4.", "Aki pays 4."], (16, 20, 20)),
        ({"wins": "unique"}, (9, 9, 3), ["Chie wins with 3.", "Chie pays 3."], (20, 20, 17)),
        ({"wins": "unique"}, (9, 9, 9), ["Nobody wins."], (20, 20, 20)),
        ({"pays": "second"}, (4, 9, 7), ["Ben wins with 9.", "Ben pays 7."], (20, 13, 20)),
        (
            {"pays": "all"},
            (4, 9, 0),
            ["Ben wins with 9.", "Aki pays 4.", "Ben pays 9."],
            (16, 11, 20),
        ),
        (
            {"pays": "nobody"},
            (4, 90, 0),
            ["Ben wins with 90.", "Nobody pays. Bids: Aki 4, Ben 90."],
            (20, 20, 20),
        ),
        ({"pays": "nobody"}, (0, 0, 0), ["Nobody wins."], (20, 20, 20)),
        ({"wins": "lowest", "pays": "second"}, (4, 9, 0), ["Aki wins with 4.", "Aki pays 9."], (11, 20, 20)),
        ({"wins": "unique", "pays": "second"}, (9, 9, 4), ["Chie wins with 4."], (20, 20, 20)),
        (
            {},
            (9, 9, 3),
            ["Tie at 9: Aki, Ben. Nobody wins here; follow the rules of your game."],
            (20, 20, 20),
        ),
        ({}, (0, 0, 0), ["Nobody wins."], (20, 20, 20)),
    ],
)
def test_what_wins_and_who_pays(
    options: dict[str, str], bids: tuple[int, ...], notes: list[str], white: tuple[int, ...]
) -> None:
    """Each option of the sealed bid."""
    script = table("chips", **options).says("table: sealed_bid")
    script.says(*(f"{name} {bid}" for name, bid in zip(NAMES, bids, strict=True)))
    assert script.last_notes == notes
    assert tuple(script[f"{name}/purse", "white"] for name in NAMES) == white


def test_the_headline_of_a_sale_says_who_wins() -> None:
    """That nobody pays, and what was bid, is said after it."""
    script = table("chips", pays="nobody").says("table: sealed_bid", "Aki 4", "Ben 9", "Chie 0")
    (outcome,) = make_view(script.session).outcomes
    assert render(outcome.headline) == "Ben wins with 9."
    assert script.last_notes == ["Ben wins with 9.", "Nobody pays. Bids: Aki 4, Ben 9."]


def test_ties_may_bid_again() -> None:
    """Only those who tie bid again, until one wins."""
    script = table("chips", ties="again").says("table: sealed_bid", "Aki 5", "Ben 5", "Chie 1")
    assert script.question_log_key == "Together Aki Ben: Sealed bid"
    script.says("Aki 6", "Ben 2")
    assert script.last_notes == ["Aki wins with 6.", "Aki pays 6."]


def test_ties_may_go_by_the_order_of_play() -> None:
    """Without a seller the first from the start player on wins; the second bid is then the tied one."""
    script = table("chips", ties="order", pays="second").says("table: start_player", "table: Ben")
    script.says("table: sealed_bid", "Aki 5", "Ben 3", "Chie 5")
    assert script.last_notes == [
        "Tie at 5: Chie, Aki. Chie comes first in turn order.",
        "Chie wins with 5.",
        "Chie pays 5.",
    ]
    script.says("table: sealed_bid", "Aki 0", "Ben 0", "Chie 0")
    assert script.last_notes == ["Nobody wins."]


@pytest.mark.parametrize(
    ("bids", "winner", "purses"),
    [((3, 7, 7), "Ben", [100, 93, 100]), ((7, 3, 7), "Chie", [100, 107, 93])],
)
def test_a_tied_seller_comes_first(bids: tuple[int, ...], winner: str, purses: list[int]) -> None:
    """Modern Art's hidden auction: the seller wins a tie (and pays the bank), or the next one clockwise."""
    script = begin_with_cards_and_coins(rules_card(auction="sealed", payee="seller"), ties="order").says(
        "table: start_player", "table: Ben", "table: auction"
    )
    script.says(*(f"{name} {bid}" for name, bid in zip(NAMES, bids, strict=True)))
    assert f"{winner} wins with 7." in script.last_notes
    assert purse_counts(script) == purses


def test_an_open_auction() -> None:
    """It begins with the start player, a pass is not final, and the winner pays."""
    script = table("chips").says("table: start_player", "table: Ben", "table: auction")
    script.says("Ben 3", "Chie passes", "Aki 5", "Ben passes", "Chie 6", "Aki passes", "Ben passes")
    assert script.last_notes == ["Chie wins with 6.", "Chie pays 6."]
    assert script["Chie/purse", "white"] == 14
    assert script.says("table: auction").question_log_key == "Raise Ben: lot 2"


def test_an_auction_without_a_bid() -> None:
    """Nobody wins where nobody bids."""
    script = table("chips").says("table: auction", "Aki passes", "Ben passes", "Chie passes")
    assert script.last_notes == ["Nobody wins."]


def test_an_auction_is_limited_by_the_purse_it_is_paid_from() -> None:
    """Nobody bids more than the purse holds now; who has nothing left to bid can only pass."""
    script = table("chips").says("table: auction")
    assert script.refuses("Aki 21") == "Aki can bid at most 20."
    script.says("Aki 20")
    assert render(script.question.text) == "Ben can't bid for lot 1 now and must pass."
    move(script, 5, "white", "bank", "Ben/purse")
    script.says("Ben 25", "Chie passes", "Aki passes")
    assert script.last_notes == ["Ben wins with 25.", "Ben pays 25."]


def test_what_is_taken_away_after_the_bid_is_asked_about() -> None:
    """Pieces may be moved at any time: the table says what happens where a winner's purse was emptied."""
    script = table("chips").says("table: auction", "Aki 15", "Ben passes")
    move(script, 10, "white", "Aki/purse", "bank")
    script.says("Chie passes")
    assert render(script.question.text) == "Aki must pay bank 15, but has only 10. What now?"
    script.says("table: part")
    assert script.last_notes == ["Aki pays only 10."]
    assert script["Aki/purse", "white"] == 0


def test_where_nobody_pays_purses_limit_no_bid() -> None:
    """Beside a game whose money is not here only the table's own limit counts."""
    script = table(pays="nobody").says("table: auction", "Aki 99999", "Ben passes", "Chie passes")
    assert script.last_notes == ["Aki wins with 99999."]
    assert (
        table(pays="nobody", most="12").says("table: auction").refuses("Aki 13") == "Aki can bid at most 12."
    )


def test_a_full_purse_is_no_hindrance() -> None:
    """If the table sets no limit a bid may be as high as the purse."""
    script = table()
    move(script, 1500, "coin", "bank", "Aki/purse")
    script.says("table: sealed_bid", "Aki 1500", "Ben 0", "Chie 0")
    assert script.last_notes == ["Aki wins with 1500.", "Aki pays 1500."]


# Points and the end


def test_points_add_up_and_may_be_below_zero() -> None:
    """Points of one category are entered for everybody, and once more."""
    script = table().says(
        "table: points", "Aki 12", "Ben -5", "Chie 0", "table: points", "Aki 3", "Ben 1", "Chie 0"
    )
    assert totals(script) == {"Aki": (1, 15), "Chie": (2, 0), "Ben": (3, -4)}
    ben = next(one for one in script.result_json["standings"] if one["seat"] == "Ben")
    assert ben["lines"] == [{"label": "points", "value": -4, "counts": True}]


def test_what_lies_there_is_the_net_of_points() -> None:
    """What was gained and what was lost make up for each other, whichever came first."""
    script = table()
    for aki, ben, lies in (
        (12, -5, (12, 0, 0, 5)),
        (-5, 2, (7, 0, 0, 3)),
        (-10, 10, (0, 3, 7, 0)),
        (3, -7, (0, 0, 0, 0)),
    ):
        script.says("table: points", f"Aki {aki}", f"Ben {ben}", "Chie 0")
        held = tuple(
            script[f"{name}/front", piece] for name in NAMES[:2] for piece in ("points", "points lost")
        )
        assert held == lies


def test_pieces_that_count_nothing_are_for_information() -> None:
    """They stand on the sheets of all as soon as somebody holds one, apart from what counts."""
    script = table().says("table: points", "Aki 3", "Ben 2", "Chie 1")
    move(script, 7, "coin", "bank", "Ben/purse")
    script.says("table: finish")
    assert [one["lines"][1:] for one in script.result_json["standings"]] == [
        [{"label": "coin", "value": held, "counts": False}] for held in (0, 7, 0)
    ]


def test_finishing_is_asked_about() -> None:
    """One touch doesn't end an evening: screen, terminal and keypads ask first; other choices are taken."""
    question = table().question
    doubt = question.confirmation_for("finish")
    assert doubt is not None
    assert render(doubt) == "Finish this game and count the score?"
    assert question.confirmation_for("points") is None
    assert question.limits_json["sure"] == {"finish": "Finish this game and count the score?"}


@pytest.mark.parametrize(
    ("rule", "ranks", "why"),
    [
        ("shared", {"Aki": 1, "Ben": 1, "Chie": 3}, None),
        ("money", {"Ben": 1, "Aki": 2, "Chie": 3}, "wins the tie with more money"),
        ("turn_order", {"Ben": 1, "Aki": 2, "Chie": 3}, "wins the tie with an earlier turn"),
    ],
)
def test_equal_totals_go_by_the_tie_rule(rule: str, ranks: dict[str, int], why: str | None) -> None:
    """They share, or more of the first piece, or the first from the start player on; the sheet says which."""
    script = table(tie_rule=rule)
    move(script, 3, "coin", "bank", "Ben/purse")
    script.says("table: start_player", "table: Ben", "table: points", "Aki 5", "Ben 5", "Chie 2")
    assert {seat: rank for seat, (rank, _) in totals(script).items()} == ranks
    assert script.result_json["standings"][0]["why"] == why


def test_the_table_decides_who_wins_a_tie() -> None:
    """Once they finish they say who it is, and the sheet says that they did; other ties share a rank."""
    script = begin_with_cards_and_coins(
        rules_card(),
        template_card("category", "points"),
        names=("Aki", "Ben", "Chie", "Dai"),
        tie_rule="table",
    )
    script.says("table: points", "table: 2, 5, 5, 2", "table: finish")
    assert script.question_log_key == "Choose: Who wins the tie for first place?"
    assert list(script.open_question_limits["options"]) == ["2", "3"]
    script.says("table: Chie")
    standings = script.result_json["standings"]
    assert [(one["seat"], one["rank"], one["total"]) for one in standings] == [
        ("Chie", 1, 105),
        ("Ben", 2, 105),
        ("Aki", 3, 102),
        ("Dai", 3, 102),
    ]
    assert [one["why"] for one in standings] == ["wins the tie, as the table decided", None, None, None]
    script.says("undo", "table: Ben")
    assert script.result_json["winners"] == ["Ben"]


def test_the_table_is_asked_only_about_a_tie_for_first_place() -> None:
    """Nobody is asked where one player leads, and nothing says that the table decided."""
    script = table(tie_rule="table").says("table: points", "Aki 5", "Ben 2", "Chie 2")
    assert totals(script) == {"Aki": (1, 5), "Ben": (2, 2), "Chie": (2, 2)}
    assert [one["why"] for one in script.result_json["standings"]] == [None] * 3


def test_a_tie_of_covered_purses_is_not_asked_about() -> None:
    """The question would tell who is ahead, and people could undo it and bid on: the tied share the rank."""
    script = begin_with_cards_and_coins(rules_card(covered="yes"), tie_rule="table").says("table: finish")
    assert script.result_json["winners"] == ["Aki", "Ben", "Chie"]


def test_a_tie_that_is_gone_is_not_decided() -> None:
    """People correct the score while they are asked: others that tie are asked about, one leader wins."""
    script = begin_with_cards_and_coins(rules_card(), tie_rule="table").says("table: finish")
    script.session.correct("bank", "Ben/purse", "coin", 1, "")
    script.session.correct("bank", "Chie/purse", "coin", 1, "")
    script.says("table: Aki")
    assert list(script.open_question_limits["options"]) == ["2", "3"]
    script.session.correct("bank", "Ben/purse", "coin", 1, "")
    script.says("table: Chie")
    assert script.result_json["winners"] == ["Ben"]
    assert script.result_json["standings"][0]["why"] is None


def test_the_table_decides_between_teams() -> None:
    """A team is one answer, and wins with all its players."""
    script = begin_with_cards_and_coins(
        rules_card(teams=2), names=("Aki", "Ben", "Chie", "Dai"), tie_rule="table"
    ).says("table: finish")
    assert [render(one) for one in script.open_question_limits["options"].values()] == [
        "Aki, Chie",
        "Ben, Dai",
    ]
    script.says("table: 2")
    assert script.result_json["winners"] == ["Ben", "Dai"]
    assert {one["seat"]: one["rank"] for one in script.result_json["standings"]} == {
        "Ben": 1,
        "Dai": 1,
        "Aki": 2,
        "Chie": 2,
    }


def test_without_a_start_player_the_first_seat_counts() -> None:
    """The tie rule of the turn begins with the first seat as long as nobody has the marker."""
    assert totals(table(tie_rule="turn_order")) == {"Aki": (1, 0), "Ben": (2, 0), "Chie": (3, 0)}


# The templates


def test_the_poker_chip_bank_to_its_end() -> None:
    """Chips change hands and count what they are worth; no points are offered."""
    script = table("poker").says("table: done")
    assert "points" not in script.open_question_limits["options"]
    move(script, 5, "blue", "Aki/purse", "Chie/purse")
    assert totals(script) == {"Chie": (1, 320), "Ben": (2, 195), "Aki": (3, 70)}


def test_a_template_has_something_to_count() -> None:
    """One with neither pieces nor points nor tracks is refused; without pieces no bids are offered."""
    printed = shipped_deck("any_game")
    assert check_deck(printed) == []
    points = Deck("any_game", printed.designs[1:], printed.board, printed.fields)
    assert check_deck(points) == []
    with pytest.raises(UserError, match="A template needs at least one piece, category or track"):
        check_deck(Deck("any_game", (), printed.board, printed.fields))
    script = Script(GAME, *NAMES, decks={"any_game": points})
    assert list(script.open_question_limits["options"]) == [
        "round",
        "start_player",
        "points",
        "chance",
        "finish",
    ]


def test_the_marker_is_found_wherever_it_lies() -> None:
    """A marker that people took away by hand comes back when the table chooses."""
    script = table().says("table: start_player", "table: Ben")
    script.session.correct("Ben/front", "bank", "start player", 1, "")
    script.says("table: start_player", "table: Ben")
    assert script["Ben/front", "start player"] == 1


@pytest.mark.parametrize(
    ("template", "usual"),
    [
        *[("plain", "points"), ("points", "write_round"), ("contract", "write_round"), ("sheet", "turns")],
        *[("majority", "points"), ("coop", "track"), ("tournament", "match"), ("poker", "payment")],
        *[("train", "payment"), ("property", "payment"), ("art", None), ("auction", "auction")],
    ],
)
def test_a_newcomer_sees_one_thing_to_do(template: str, usual: str | None) -> None:
    """What a template is for is the one key of the menu that stands out; of equal lots none does."""
    script = Script(GAME, *NAMES) if template == "plain" else begin_with_shipped_template(template)
    question = (script.says("table: done") if template == "poker" else script).question
    assert isinstance(question, Choose)
    options = question.options.items()
    assert [key for key, one in options if isinstance(one, DetailedOption) and one.is_most_likely] == [
        usual
    ] * bool(usual)
