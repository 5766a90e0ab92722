"""The end of Bidders!: who is out, who wins, what the score sheet says, and what may be printed."""

import re
from collections.abc import Iterator, Sequence

import msgspec
import pytest

from companion.cards import CardDesign, Deck, parse_deck_file, shipped_deck, shipped_deck_file
from companion.errors import UserError
from companion.games.bidders.board import (
    first_seat_clockwise_from,
    left_and_right_neighbour,
    spots_of_seat,
    sum_of_filled_slots,
    white_card_spot,
)
from companion.games.bidders.rulebook import (
    MAX_POPULARITY_RANK_TO_STAY_IN,
    check_deck,
    popularity_ranks,
    seats_eliminated_by_popularity,
)
from companion.owner_decks import deck_to_rows, rows_to_toml
from companion.session.view import make_view
from companion.table.scores import rank_seats
from companion.table.seats import Seats, make_seats
from companion.testing import Script
from companion.texts import render
from tests.support.games.bidders_helpers import NAMES, begin_script, count_at, play_round
from tests.support.soak import SOAK

PLAYERS = (3, 4, 5)


def seats(count: int) -> Seats:
    """Seats for this many people."""
    return make_seats(NAMES[:count])


def rankings(count: int) -> Iterator[list[int]]:
    """Every way so many can be ranked with ties, as the rank of each."""
    yield from _ranked_on([0] * count, set(range(count)))


def _ranked_on(places: list[int], left: set[int]) -> Iterator[list[int]]:
    """The ranks of those left, the best of whom share the next rank, whoever they are."""
    if not left:
        yield list(places)
    for chosen in range(1, 2 ** len(left)):
        group = {one for at, one in enumerate(sorted(left)) if chosen >> at & 1}
        for one in group:
            places[one] = len(places) - len(left) + 1
        yield from _ranked_on(places, left - group)


def out_of(popularity: Sequence[int]) -> list[str]:
    """Who is out where people have so much popularity."""
    people = seats(len(popularity))
    places = popularity_ranks(dict(zip(people, popularity, strict=True)))
    return [seat.name for seat in seats_eliminated_by_popularity(places)]


# Who is out


def test_a_tie_for_rank_three() -> None:
    """Q&A: 27, 25, 23, 23: two share rank 3, and nobody is out."""
    assert out_of([27, 25, 23, 23]) == []


def test_a_tie_for_rank_two() -> None:
    """Q&A: 27, 25, 25, 23: two share rank 2, the 23 is rank 4 and out."""
    assert out_of([27, 25, 25, 23]) == ["Dai"]


@pytest.mark.parametrize(
    ("popularity", "out"),
    [
        ([30, 20, 20, 20, 20], []),
        ([9, 7, 7], []),
        ([9, 7, 6], ["Chie"]),
        ([9, 9, 6], ["Chie"]),
        ([5, 5, 5], []),
        ([1, 2, 3, 4], ["Aki"]),
        ([1, 2, 3, 4, 5], ["Aki", "Ben"]),
        ([3, 3, 3, 1, 1], ["Dai", "Emi"]),
        ([-1, -2, -3], ["Chie"]),
    ],
)
def test_who_is_out(popularity: list[int], out: list[str]) -> None:
    """Rank 4 or worse is out, with 3 players rank 3; equals share a rank and the next is skipped."""
    assert out_of(popularity) == out


@pytest.mark.parametrize(("players", "orders"), [(3, 13), (4, 75), (5, 541)])
def test_who_is_out_in_every_order(players: int, orders: int) -> None:
    """Of all orders with ties exactly those put somebody out whose rank is below the last that stays in."""
    found = list(rankings(players))
    assert len(found) == len({tuple(places) for places in found}) == orders
    for places in found:
        people = seats(players)
        popularity = {seat: 10 - place for seat, place in zip(people, places, strict=True)}
        assert popularity_ranks(popularity) == dict(zip(people, places, strict=True))
        worst = {3: 3, 4: 4, 5: 4}[players]
        assert seats_eliminated_by_popularity(popularity_ranks(popularity)) == [
            seat for seat, place in zip(people, places, strict=True) if place >= worst
        ]


@pytest.mark.parametrize("players", PLAYERS)
def test_somebody_stays_in(players: int) -> None:
    """In no order is everybody out, and at most two are."""
    for places in rankings(players):
        out = sum(place > MAX_POPULARITY_RANK_TO_STAY_IN[players] for place in places)
        assert 0 <= out <= 2


@pytest.mark.parametrize("players", PLAYERS if SOAK else PLAYERS[:2])
def test_money_decides_in_every_order(players: int) -> None:
    """Of all orders of popularity and money: those in by money, then those out by money, ranks going on."""
    people = seats(players)
    for liked in rankings(players):
        popularity = {seat: 10 - place for seat, place in zip(people, liked, strict=True)}
        out = seats_eliminated_by_popularity(popularity_ranks(popularity))
        for rich in rankings(players):
            money = {seat: 10 - place for seat, place in zip(people, rich, strict=True)}
            result = rank_seats(people, money.__getitem__, lambda seat: (), eliminated_seats=out)
            still_in = [seat for seat in people if seat not in out]
            best = max(money[seat] for seat in still_in)
            assert set(result.winners) == {seat for seat in still_in if money[seat] == best}
            for standing in result.standings:
                ahead = [
                    seat
                    for seat in people
                    if (seat not in out, money[seat]) > (standing.seat not in out, money[standing.seat])
                ]
                assert (standing.rank, standing.is_eliminated) == (1 + len(ahead), standing.seat in out)


# Who sits where


def test_neighbours_and_edges() -> None:
    """Left is clockwise next; the edge between two is the left edge of the one who sits before the other."""
    aki, ben, chie, dai = seats(4)
    table = Seats((aki, ben, chie, dai))
    assert left_and_right_neighbour(table, aki) == (ben, dai)
    assert left_and_right_neighbour(table, dai) == (aki, chie)
    assert [spot.place.key_with_player_name for spot in spots_of_seat(table, aki)] == [
        "Aki/left edge",
        "Aki/front",
        "Dai/left edge",
    ]


@pytest.mark.parametrize("players", PLAYERS)
def test_who_starts_next(players: int) -> None:
    """The first clockwise from the white card: its partner to the left, else its winner."""
    people = seats(players)
    for winner in people:
        left, right = left_and_right_neighbour(people, winner)
        assert first_seat_clockwise_from(people, white_card_spot(people, winner, left)) == left
        assert first_seat_clockwise_from(people, white_card_spot(people, winner, right)) == winner
        assert first_seat_clockwise_from(people, white_card_spot(people, winner, None)) == winner
        assert (
            white_card_spot(people, winner, left)
            == spots_of_seat(people, winner)[0]
            == spots_of_seat(people, left)[2]
        )
        assert (
            white_card_spot(people, winner, right)
            == spots_of_seat(people, winner)[2]
            == spots_of_seat(people, right)[0]
        )


# The guild card


@pytest.mark.parametrize(
    ("workers", "hearts", "money"), [(0, 0, 0), (1, 1, 0), (2, 1, 1), (8, 5, 6), (10, 7, 9)]
)
def test_workers_fill_the_guild_card(workers: int, hearts: int, money: int) -> None:
    """Workers at home fill slots 1, 2, … and bring the hearts and dollars printed there; 8 bring 5 and $6."""
    board = shipped_deck("bidders").board
    assert (
        sum_of_filled_slots(board["hearts"], workers),
        sum_of_filled_slots(board["dollars"], workers),
    ) == (hearts, money)


# The score sheet


def whole_game(players: int = 3) -> Script:
    """Ten rounds: Aki wins W1 (3) with Ben's help; Ben wins B1 (-1) and $3; Chie gets $1 and W2 (4) alone."""
    script = begin_script(players)
    play_round(script, white=("Aki", 2), black=("Ben", 1), share={"Ben": 1})
    play_round(script, white=("Chie", 2))
    for _ in range(8):
        play_round(script)
    return script


def test_the_score_sheet() -> None:
    """Each won card, the guild card, popularity and its rank for information; chips and dollars count."""
    script = whole_game()
    sheet = {standing["seat"]: standing for standing in script.result_json["standings"]}
    lines = {name: [(line["label"], line["value"]) for line in sheet[name]["lines"]] for name in NAMES[:3]}
    assert lines["Ben"] == [
        ("black card", -1),
        ("white card", 3),
        ("hearts on the guild card", 7),
        ("popularity", 9),
        ("popularity rank", 3),
        ("chips", 3),
        ("dollars on the guild card", 9),
    ]
    counting = [line["label"] for line in sheet["Ben"]["lines"] if line["counts"]]
    assert counting == ["chips", "dollars on the guild card"]
    assert [value for label, value in lines["Aki"] if label in ("white card", "popularity", "chips")] == [
        3,
        10,
        1,
    ]
    assert [value for label, value in lines["Chie"] if label in ("white card", "popularity", "chips")] == [
        4,
        11,
        0,
    ]


def test_the_richest_of_those_who_are_in_wins() -> None:
    """Ben has the most money but ranks third of three in popularity: he is out, and Aki wins."""
    script = whole_game()
    assert script.last_notes[-2:] == ["Ben is out: popularity 9, rank 3.", "Round 10 was the last."]
    assert script.result_json["winners"] == ["Aki"]
    standings = [
        (each["seat"], each["rank"], each["out"], each["total"]) for each in script.result_json["standings"]
    ]
    assert standings == [("Aki", 1, False, 10), ("Chie", 2, False, 9), ("Ben", 3, True, 12)]
    whys = [each["why"] for each in script.result_json["standings"]]
    assert whys == [None, None, "eliminated: popularity 9, rank 3"]


def test_a_white_card_counts_in_full_for_both() -> None:
    """Ruling: a shared white card is a line on both score sheets."""
    sheets = {each["seat"]: each["lines"] for each in whole_game().result_json["standings"]}
    for name in ("Aki", "Ben"):
        assert {"label": "white card", "value": 3, "counts": False} in sheets[name]


def test_a_shared_win() -> None:
    """Equal money shares the win."""
    script = begin_script()
    for _ in range(10):
        play_round(script)
    assert script.result_json["winners"] == ["Aki", "Ben", "Chie", "Dai"]


def test_workers_on_cards_count_nothing() -> None:
    """Workers on project cards go to the box; only those at home fill the guild card."""
    script = begin_script(3)
    for _ in range(9):
        play_round(script)
    play_round(script, white=("Aki", 10))
    assert count_at(script, "box", "orange worker") == 10
    sheet = {each["seat"]: each["lines"] for each in script.result_json["standings"]}["Aki"]
    assert {"label": "hearts on the guild card", "value": 0, "counts": False} in sheet
    assert {"label": "dollars on the guild card", "value": 0, "counts": True} in sheet


def test_the_last_round_is_recovered_too() -> None:
    """After round 10 workers come back once more, before they are counted."""
    script = begin_script(3)
    for _ in range(8):
        play_round(script)
    play_round(script, white=("Aki", 10))
    play_round(script)
    assert count_at(script, "Aki/guild card", "orange worker") == 1


def test_won_cards_are_turned_up_at_the_end() -> None:
    """At the end everybody sees which cards were won, and where they lie."""
    seen = {
        (holding.place.key_with_player_name, holding.piece.key)
        for holding in make_view(whole_game().session).holdings
        if holding.piece.key.startswith("card ")
    }
    assert {("Aki/left edge", "card W1"), ("Ben/front", "card B1"), ("Chie/front", "card W2")} <= seen


def test_a_card_that_was_only_typed_is_a_line_too() -> None:
    """A card that isn't in the list counts what was typed."""
    script = begin_script(3)
    script.session.answer(script.question_number, [{"values": {"popularity": 12}}])
    play_round(script, white=("Aki", 1))
    for _ in range(9):
        play_round(script)
    sheet = {each["seat"]: each["lines"] for each in script.result_json["standings"]}["Aki"]
    assert sheet[0] == {
        "label": "white card",
        "value": 12,
        "counts": False,
    }


# What may be printed


DECK = shipped_deck("bidders")


def test_the_deck() -> None:
    """12 white and 12 black cards whose values are a guess until the owners have entered theirs."""
    assert DECK.provisional
    assert check_deck(DECK) == []
    colours = [design.values["colour"] for design in DECK.designs for _ in design.copy_ids]
    assert (colours.count("white"), colours.count("black")) == (12, 12)


@pytest.mark.parametrize(
    ("board", "warning"),
    [
        (
            {"hearts": (2, 0, 1, 0, 1, 0, 2, 0, 2, 0)},
            "hearts: slots 1 to 8 add up to 6. In the rulebook's example they add up to 5.",
        ),
        (
            {"dollars": (0,) * 10},
            "dollars: slots 1 to 8 add up to 0. In the rulebook's example they add up to 6.",
        ),
    ],
)
def test_a_guild_card_unlike_the_example_is_warned_of(
    board: dict[str, tuple[int, ...]], warning: str
) -> None:
    """Slots 1 to 8 bring 5 hearts and $6 in the rulebook's example; other sums are odd, not wrong."""
    deck = msgspec.structs.replace(DECK, board={**DECK.board, **board})
    assert [render(text) for text in check_deck(deck)] == [warning]


def printed(id_: str, **values: int | str) -> Deck:
    """The deck with other values on one card."""
    designs = [
        CardDesign(each.id, each.copies, {**each.values, **values}) if each.id == id_ else each
        for each in DECK.designs
    ]
    return msgspec.structs.replace(DECK, designs=tuple(designs))


@pytest.mark.parametrize(
    ("deck", "why"),
    [
        (printed("B1", colour="white"), "The number of cards of colour white must be 12, not 13."),
        (
            msgspec.structs.replace(DECK, designs=DECK.designs[1:]),
            "The number of cards of colour white must be 12, not 11.",
        ),
    ],
)
def test_a_deck_that_can_not_be(deck: Deck, why: str) -> None:
    """Another number of cards of a colour is refused."""
    with pytest.raises(UserError) as refused:
        check_deck(deck)
    assert str(refused.value) == why


@pytest.mark.parametrize(
    ("card", "liked", "allowed"),
    [("W1", 0, "from 1 to 20"), ("B1", 0, "from -20 to -1"), ("B1", 3, "from -20 to -1")],
)
def test_a_card_that_can_not_be(card: str, liked: int, allowed: str) -> None:
    """A white card nobody likes or a black card somebody likes is refused in an owner's file."""
    text = rows_to_toml(deck_to_rows(printed(card, popularity=liked), "id"))
    why = f"mine: card {card}: popularity must be a number {allowed}, not {liked}."
    with pytest.raises(UserError, match=f"^{re.escape(why)}$"):
        parse_deck_file("bidders", text, "mine", shipped_deck_file("bidders"))
