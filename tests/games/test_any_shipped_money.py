"""Evenings with Any Game's shipped templates for money, with the figures of a known game.

Each test names the game and the page that its figures come from. The arithmetic beside the script is its own:
it knows no code of the templates.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from companion.games.any_game.rulebook import check_deck
from companion.testing import Script
from tests.any_game_presets import library, read
from tests.support.games.any_game_helpers import (
    begin_with_shipped_template,
    question_text,
    rank_and_total_by_player,
)

FOUR = ("Aki", "Ben", "Chie", "Dai")
SIX = (*FOUR, "Emi", "Fay")
CHIPS = {"white": 25, "red": 100, "blue": 500, "black": 1000}


def money(script: Script, notes: dict[str, int]) -> list[int]:
    """What everybody holds, in the order of the seats."""
    seats = script.session.table.seats
    return [
        sum(script[f"{seat.name}/purse", piece] * worth for piece, worth in notes.items()) for seat in seats
    ]


# Poker tournament


@pytest.mark.parametrize(
    ("bets", "winner", "expected"),
    [
        # Pluribus, hand 89: blinds 50 and 100, 10,000 chips each; the published stacks after the hand
        (
            "p3 200, p6 200, p2 100, p6 250, p3 250, p6 1850, p3 1850",
            "p3",
            {"p1": 9950, "p2": 9800, "p3": 12550, "p4": 10000, "p5": 10000, "p6": 7700},
        ),
        # Pluribus, hand 42: the published results are −50, −200, −650, 0, 900 and 0
        (
            "p3 200, p5 200, p2 100, p3 450, p5 450, p5 2350",
            "p5",
            {"p1": 9950, "p2": 9800, "p3": 9350, "p4": 10000, "p5": 10900, "p6": 10000},
        ),
    ],
)
def test_recorded_poker_hands_end_on_the_recorded_stacks(
    bets: str, winner: str, expected: dict[str, int]
) -> None:
    """Brown and Sandholm, Superhuman AI for multiplayer poker (2019), data file S1; p6 has the button."""
    names = ("p6", "p1", "p2", "p3", "p4", "p5")
    script = begin_with_shipped_template("poker_tournament", *names).says("table: done")
    script.says("table: blinds", "table: round")
    for bet in bets.split(", "):
        name, amount = bet.split()
        script.says(f"pay {name} pot {amount}")
    script.says("table: pay_out", "table: pot", f"table: {winner}")
    assert dict(zip(names, money(script, CHIPS), strict=True)) == expected


def test_an_evening_of_a_poker_tournament() -> None:
    """Eight levels of three hands; antes from level 5 on, a guest in level 3, and no chip is lost."""
    script = begin_with_shipped_template("poker_tournament", *SIX).says("table: 6", "table: done")
    books, chance, playing = Counter(dict.fromkeys(SIX[:5], 10_000)), Random(1970), list(SIX[:5])
    small_blinds, antes = (25, 50, 75, 100, 100, 150, 200, 300), (0, 0, 0, 0, 25, 25, 50, 75)
    dealer = -1
    for level, (small, ante) in enumerate(zip(small_blinds, antes, strict=True), start=1):
        if level == 3:
            script.says("table: join")
            books["Fay"], playing = 10_000, list(SIX)
        for _hand in range(3):
            script.says("table: round")
            dealer = (dealer + 1) % len(playing) if dealer >= 0 else 0
            paid = Counter(dict.fromkeys(playing, ante))
            paid[playing[(dealer + 1) % len(playing)]] += small
            paid[playing[(dealer + 2) % len(playing)]] += 2 * small
            for name in chance.sample(playing, 3):
                bet = 25 * chance.randint(1, 20)
                script.says(f"pay {name} pot {bet}")
                paid[name] += bet
            winner = chance.choice(playing)
            assert sum(script["pot", piece] * worth for piece, worth in CHIPS.items()) == paid.total()
            script.says("table: pay_out", "table: pot", f"table: {winner}")
            books.subtract(paid)
            books[winner] += paid.total()
        script.says("table: blinds")
    assert money(script, CHIPS) == [books[name] for name in SIX]
    assert books.total() == 60_000


# Railway shares: 1830 and its relatives


RAILWAYS = ("Lake Railway", "Coal Railway")


def half_for_the_company(revenue: int) -> int:
    """What a company keeps of a half dividend: half of each tenth, rounded down (as 18xx.games does)."""
    return revenue // 2 // 10 * 10


def test_an_evening_with_railway_shares() -> None:
    """Totals are paid, halved and kept; trains cost 80; the bank breaks, and the round is played on."""
    script = begin_with_shipped_template("shares", *FOUR)
    books, treasury, bank = Counter(dict.fromkeys(FOUR, 600)), Counter[str](), 9600
    held: Counter[tuple[str, str]] = Counter()
    for name, railway, count in (
        ("Aki", "Lake Railway", 4), ("Ben", "Lake Railway", 2), ("Chie", "Coal Railway", 5),
        ("Dai", "Coal Railway", 1), ("Dai", "Lake Railway", 3),
    ):  # fmt: skip  # a share round
        script.says("table: buy", f"table: {railway}", f"table: {name}", f"{name} {count}")
        held[name, railway] += count
    books.subtract({name: 100 * sum(held[name, one] for one in RAILWAYS) for name in FOUR})
    bank += 100 * held.total()
    for railway in RAILWAYS:  # 60 % are sold: the bank pays ten shares at par
        script.says("table: payment", "table: bank", f"table: {railway}", "table 1000")
        script.says("table: payment", f"table: {railway}", "table: bank", "table 80")
        treasury[railway] += 1000 - 80
        bank -= 1000 - 80
    for railway, revenue, word in (
        ("Lake Railway", 180, "holders"), ("Coal Railway", 110, "half"), ("Lake Railway", 180, "half"),
        ("Coal Railway", 70, "kept"),
    ):  # fmt: skip  # two operating rounds
        script.says("table: dividend", f"table: {railway}", f"table {revenue}", f"table: {word}")
        kept = {"holders": 0, "half": half_for_the_company(revenue), "kept": revenue}[word]
        treasury[railway] += kept
        bank -= kept
        dividends = {name: held[name, railway] * (revenue - kept) // 10 for name in FOUR}
        books.update(dividends)
        bank -= sum(dividends.values())
    assert (half_for_the_company(180), half_for_the_company(110)) == (90, 50)
    assert money(script, {"money": 1}) == [books[name] for name in FOUR]
    assert {one: script[one, "money"] for one in treasury} == dict(treasury)
    assert script["bank", "money"] == bank
    assert sum(books.values()) + sum(treasury.values()) + bank == 12_000


def test_the_bank_of_the_railways_breaks() -> None:
    """1830: the bank pays a dividend that it doesn't have, and the game may end with the round."""
    script = begin_with_shipped_template("shares", *FOUR)
    script.says("table: buy", "table: Lake Railway", "table: Aki", "Aki 6")
    script.session.correct("bank", "Forest Railway", "money", 9600 + 600 - 50, "a long evening")
    script.says("table: dividend", "table: Lake Railway", "table 300", "table: holders")
    assert script.last_notes == ["The bank is broken.", "Aki gets 180."]
    assert (script["Aki/purse", "money"], script["bank", "money"]) == (180, 50 - 180)
    assert question_text(script) == "What is next?"
    script.says("table: round")
    assert question_text(script) == "The bank is broken. Finish the game?"


# Art dealers: Modern Art


SALES = (
    ("Lime", "Aki", "open: Ben 10, Chie 15, Dai passes, Aki passes, Ben passes", "Chie", 15),
    ("Coral", "Ben", "once: Chie 5, Dai 12, Aki passes, Ben 13", "Ben", 13),  # the seller pays the bank
    ("Lime", "Chie", "fixed: Chie 20, Dai: pass, Aki: pass, Ben: pass", "Chie", 20),  # nobody else wants it
    ("Lime", "Dai", "sealed: Aki 18, Ben 18, Chie 0, Dai 0", "Aki", 18),  # Aki sits to the seller's left
    (
        "Coral",
        "Aki",
        "open: Ben passes, Chie passes, Dai passes, Aki passes",
        "Aki",
        0,
    ),  # free for the seller
    ("Rust", "Ben", "fixed: Ben 9, Chie: pass, Dai: take", "Dai", 9),
)
SEASON = {"Lime": 30, "Coral": 20, "Rust": 10}
"""What the painters with most pictures are worth after the first season."""


def test_a_season_of_art_dealers() -> None:
    """Modern Art: the seller is paid, keeps what nobody wants, and a tie goes by turn order."""
    script = begin_with_shipped_template("dealers", *FOUR, ties="order")
    books = Counter(dict.fromkeys(FOUR, 100))
    for number, (painter, seller, sale, buyer, price) in enumerate(SALES):
        way, _, lines = sale.partition(": ")
        first_seller = () if number else ("table: Aki",)
        script.says(f"table: {painter}", *first_seller, f"table: {way}", *lines.split(", "))
        books[buyer] -= price
        books[seller] += price if buyer != seller else 0
        assert money(script, {"money": 1}) == [books[name] for name in FOUR]
    for painter, price in SEASON.items():
        script.says("table: price", f"table: {painter}", f"table: {price}")
    script.says("table: sell_all")
    for painter, _, _, buyer, _ in SALES:
        books[buyer] += SEASON[painter]
    assert money(script, {"money": 1}) == [books[name] for name in FOUR]
    assert {name: total for name, (_, total) in rank_and_total_by_player(script).items()} == dict(books)


# Property with auctions


def test_the_shortest_game_of_property() -> None:
    """Monopoly in four turns: after 1,350, 950 and 150 the first player gets all that the second one has.

    Daniel and Josh Whitehead, The Shortest Possible Game of Monopoly (scatter.wordpress.com, 2010).
    """
    script = begin_with_shipped_template("streets", "Aki", "Ben")
    script.says("pay bank Aki 200")
    assert money(script, {"money": 1}) == [1700, 1500]
    script.says("pay Ben bank 200", "pay Aki bank 350")
    assert money(script, {"money": 1}) == [1350, 1300]
    script.says("pay Aki bank 400", "table: salary", "table: Aki")
    assert money(script, {"money": 1}) == [1150, 1300]
    script.says("pay Aki bank 1000")
    script.session.correct("bank", "Aki/purse", "house", 5, "")
    assert (money(script, {"money": 1}), script["bank", "house"]) == ([150, 1300], 27)
    script.says("table: payment", "table: Ben", "table: Aki")
    assert script.refuses("Ben 1400") == "Ben can pay at most 1300."
    script.says("Ben 1300", "table: out", "table: Ben")
    assert rank_and_total_by_player(script) == {"Aki": (1, 1450), "Ben": (2, 0)}


def test_an_auction_of_a_street() -> None:
    """Monopoly: a street that nobody buys goes to the highest bidder, also to whoever refused it."""
    script = begin_with_shipped_template("streets", *FOUR).says("table: start_player", "table: Ben")
    script.says("table: auction", "table: Baltic", "Ben 1", "Chie 30", "Dai passes", "Aki 45", "Ben 50")
    script.says("Chie passes", "Dai passes", "Aki passes")
    assert money(script, {"money": 1}) == [1500, 1450, 1500, 1500]
    script.says(
        "pay all Aki 10", "pay Chie fines 75", "table: percentage", "table: Dai", "table: bank", "Dai 10"
    )
    assert money(script, {"money": 1}) == [1530, 1440, 1500 - 10 - 75, 1490 - 149]
    assert script["fines", "money"] == 75


# Workers and wages: Caylus


def test_turns_with_workers_and_wages() -> None:
    """Caylus: 5, 6, 6 and 7 to begin with, an income of 2, 1 for each worker placed, gold for 3 points."""
    script, books, chance = (
        begin_with_shipped_template("workers", *FOUR),
        Counter(dict.fromkeys(FOUR, 6)),
        Random(1289),
    )
    assert [script["Aki/purse", piece] for piece in ("helper", "food", "wood", "stone")] == [6, 2, 1, 0]
    script.says("pay Aki bank 1", "pay bank Dai 1")
    books.update({"Aki": -1, "Dai": 1})
    gold, prestige = Counter[str](), Counter[str]()
    for _turn in range(8):
        script.says("table: round")
        for name in FOUR:
            books[name] += 2
            wages = min(books[name], chance.randint(1, 6))
            script.says(f"pay {name} bank {wages}")
            books[name] -= wages
        first_to_pass, miner = chance.choice(FOUR), chance.choice(FOUR)
        script.says(f"pay bank {first_to_pass} 1")
        books[first_to_pass] += 1
        script.session.correct("bank", f"{miner}/purse", "gold", 1, "the mine")
        gold[miner] += 1
        points = {name: chance.randint(0, 6) for name in FOUR}
        script.says(
            "table: points", "table: points", *[f"{name} {n}" for name, n in points.items()], "table: done"
        )
        prestige.update(points)
    assert money(script, {"coin": 1}) == [books[name] for name in FOUR]
    script.says(
        "table: points", "table: left", *[f"{name} {books[name] // 4}" for name in FOUR], "table: done"
    )
    assert {name: total for name, (_, total) in rank_and_total_by_player(script).items()} == {
        name: prestige[name] + 3 * gold[name] + books[name] // 4 for name in FOUR
    }


# Copies that the page of Any Game speaks of


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("points", 'kind = "rules"', 'kind = "rules"\nauction = "once"\npayee = "ask"\nbid_with = "dealt"'),
        ("lowest", 'kind = "rules"', 'kind = "rules"\nfixed_sum = "yes"\nround_sum = 26'),
        ("mahjong", "rounds = 16", "rounds = 0"),
        ("contract", "hit = 20\neach = 10\nmiss = -10", "hit = 10\neach = 1"),
        ("contract", "rounds = 10", 'rounds = 15\ntrick_sum = "round"'),
        ("estate", "refund = 50", 'refund = 50\nrefund_rounding = "up"'),
        ("shares", "start = 600", "start = 6000"),
        ("auction", "start = 100", 'start = 50\n\n[[card]]\nid = "cities"\nkind = "category"'),
    ],
)
def test_copies_for_other_games_are_valid(name: str, old: str, new: str) -> None:
    """The changes that the table of well-known games names make a template that people can play."""
    text = library().read_preset_text(name)
    assert text.count(old) == 1
    assert check_deck(read(text.replace(old, new), "copy.toml")) == []
