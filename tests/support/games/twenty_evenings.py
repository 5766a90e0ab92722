"""One whole evening with each of the twenty well-known games in docs/games/any_game.md.

An evening is the lines that people say (as `companion.testing.Script` reads them), and what they must have at
the end. The arithmetic is of this module, or the figures are from the source that an evening names: nothing
here knows the code of the templates. Where an evening takes too long, fewer rounds of it are played.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random

from tests.any_game_presets import library
from tests.games.test_any_shipped_money import CHIPS, RAILWAYS, SALES, SEASON, half_for_the_company
from tests.games.test_any_shipped_points import (
    cribbage_points,
    el_grande_points,
    skull_king_points,
    spades_points,
)

FOUR = ("Aki", "Ben", "Chie", "Dai")
THREE = FOUR[:3]
FIVE = (*FOUR, "Emi")
STANDING, SMALL, UPRIGHT = (1280, 720), (800, 480), (720, 1280)


@dataclass(frozen=True)
class Evening:
    """What people say in an evening, and what they have at the end.

    `copy_text`: the text of the template if people made a copy of a built-in one. `ranks`: by default those
    of the totals. `holdings`: how many pieces must lie where, by the keys of place and piece. `note_values`:
    what each note in `money` is worth.
    """

    template: str
    names: Sequence[str]
    lines: Sequence[str]
    totals: Mapping[str, int]
    ranks: Mapping[str, int] = field(default_factory=dict)
    lowest_wins: bool = False
    money: Mapping[str, int] = field(default_factory=dict)
    note_values: Mapping[str, int] = field(default_factory=lambda: {"money": 1})
    holdings: Mapping[tuple[str, str], int] = field(default_factory=dict)
    options: Mapping[str, str] = field(default_factory=dict)
    copy_text: str = ""
    size: tuple[int, int] = STANDING
    lang: str = "en"


def ranks_of_totals(totals: Mapping[str, int], *, lowest_wins: bool) -> dict[str, int]:
    """Returns everybody's rank: one more than the number of players with a better total."""
    sign = -1 if lowest_wins else 1
    return {
        name: 1 + sum(sign * other > sign * total for other in totals.values())
        for name, total in totals.items()
    }


def change_template(name: str, changes: Mapping[str, str], more: str = "") -> str:
    """Returns the text of a built-in template with these changes, each in one place, and with `more`."""
    text = library().read_preset_text(name)
    for old, new in changes.items():
        assert text.count(old) == 1, f"{old!r} isn't in one place of {name}"
        text = text.replace(old, new)
    return text + more


def enter_round(numbers: Sequence[int]) -> list[str]:
    """Returns the lines that enter everybody's points of a round."""
    return ["table: write_round", "table: " + ", ".join(map(str, numbers))]


def purses(money: Mapping[str, int]) -> dict[str, int]:
    """Returns the money of players by the keys of their purses."""
    return {f"{name}/purse": amount for name, amount in money.items()}


class Books:
    """Our own books of an evening: the lines that people say, and what everybody has then."""

    def __init__(self, names: Sequence[str], start: int) -> None:
        self.lines, self.money = list[str](), Counter(dict.fromkeys(names, start))

    def say(self, *lines: str) -> None:
        """Notes lines that move no money."""
        self.lines += lines

    def pay(self, payer: str, payee: str, amount: int) -> None:
        """Notes a payment by hand."""
        self.lines.append(f"pay {payer} {payee} {amount}")
        self.money.subtract({payer: amount})
        self.money.update({payee: amount})


# Money


def play_railways() -> Evening:
    """1830: shares at par, trains for 80, dividends paid, halved and kept, and a price that rises."""
    lines, price = list[str](), dict.fromkeys(RAILWAYS, 100)
    money, treasury, bank = Counter(dict.fromkeys(FOUR, 600)), Counter[str](), 9600
    held = Counter[tuple[str, str]]()
    for name, railway, count in (
        ("Aki", "Lake Railway", 4), ("Ben", "Lake Railway", 2), ("Chie", "Coal Railway", 5),
        ("Dai", "Coal Railway", 1), ("Dai", "Lake Railway", 3),
    ):  # fmt: skip  # a share round
        lines += ["table: buy", f"table: {railway}", f"table: {name}", f"{name} {count}"]
        held[name, railway] += count
        money[name] -= 100 * count
        bank += 100 * count
    for railway in RAILWAYS:  # 60 % are sold: the bank pays ten shares at par
        lines += [f"pay bank {railway} 1000", f"pay {railway} bank 80"]
        treasury[railway] += 1000 - 80
        bank -= 1000 - 80
    for railway, revenue, word in (
        ("Lake Railway", 180, "holders"), ("Coal Railway", 110, "half"), ("Coal Railway", 70, "kept"),
    ):  # fmt: skip  # operating rounds
        lines += ["table: dividend", f"table: {railway}", f"table {revenue}", f"table: {word}"]
        kept = {"holders": 0, "half": half_for_the_company(revenue), "kept": revenue}[word]
        treasury[railway] += kept
        dividends = {name: held[name, railway] * (revenue - kept) // 10 for name in FOUR}
        money.update(dividends)
        bank -= kept + sum(dividends.values())
    lines += ["table: price", "table: Lake Railway", "table: 112", "table: finish"]
    price["Lake Railway"] = 112
    shares = {"lake": "Lake Railway", "coal": "Coal Railway"}
    return Evening(
        "shares",
        FOUR,
        lines,
        {name: money[name] + sum(held[name, one] * price[one] for one in RAILWAYS) for name in FOUR},
        money=purses(money) | treasury | {"bank": bank},
        holdings={
            (f"{name}/purse", key): held[name, railway] for name in FOUR for key, railway in shares.items()
        },
        size=SMALL,
    )


def acquire_price(size: int, tier: int) -> int:
    """Returns a share's price in a chain of this size, as Acquire's card lists it; tier 0 is the cheapest."""
    steps = (2, 3, 4, 5, 6, 11, 21, 31, 41)
    return 100 * (1 + tier + sum(size >= step for step in steps))


HOTELS = {"lake": "Lake Railway", "coal": "Coal Railway"}


class HotelBooks(Books):
    """Our own books of shares in hotels, of the cheapest tier (`lake`) and the middle one (`coal`)."""

    def __init__(self) -> None:
        super().__init__(THREE, 6000)
        self.price, self.held = Counter[str](), Counter[tuple[str, str]]()

    def grow(self, hotel: str, size: int) -> None:
        """Notes the price of a chain that has grown."""
        self.price[hotel] = acquire_price(size, [*HOTELS].index(hotel))
        self.say("table: price", f"table: {HOTELS[hotel]}", f"table: {self.price[hotel]}")

    def give(self, hotel: str, count: int, name: str) -> None:
        """Notes shares that a player gets for nothing, or gives back (below 0)."""
        way = f"from bank to {name}/purse" if count > 0 else f"from {name}/purse to bank"
        self.say(f"correct {abs(count)} {hotel} {way}: ")
        self.held[name, hotel] += count

    def trade(self, verb: str, name: str, hotel: str, count: int) -> None:
        """Notes shares that a player buys or sells."""
        self.say(f"table: {verb}", f"table: {HOTELS[hotel]}", f"table: {name}", f"{name} {count}")
        bought = count if verb == "buy" else -count
        self.held[name, hotel] += bought
        self.money[name] -= self.price[hotel] * bought

    def pay_bonuses(self, hotel: str, first: str, second: str) -> None:
        """Notes the bonuses of the two players with most shares: 10 and 5 times the price."""
        self.pay("bank", first, 10 * self.price[hotel])
        self.pay("bank", second, 5 * self.price[hotel])


def acquire_template() -> str:
    """Returns a copy of the railways: seven chains with 25 shares each, and prices in hundreds."""
    text = change_template(
        "shares",
        {"start = 600": "start = 6000", "supply = 9600\n": "", 'empty_bank = "broken"\n': ""},
        '\n[[card]]\nid = "hill"\nname = "Hill Railway"\nkind = "company"\n',
    )
    cards = text.partition("[[card]]")[2].replace("step_at = 12\n", "")
    cards = cards.replace('kind = "company"', 'kind = "company"\nshares = 25\nstep_at = 0')
    return f"[board]\nprices = {[100 * step for step in range(1, 14)]}\n\n[[card]]{cards}"


def play_acquire() -> Evening:
    """Acquire: founders get a share, chains grow and merge, and bonuses are 10 and 5 times the price."""
    assert (acquire_price(2, 0), acquire_price(11, 1), acquire_price(41, 2)) == (200, 800, 1200)
    books = HotelBooks()
    books.grow("lake", 2)
    books.give("lake", 1, "Aki")
    books.trade("buy", "Aki", "lake", 3)
    books.grow("coal", 3)
    books.give("coal", 1, "Ben")
    books.trade("buy", "Ben", "coal", 3)
    books.trade("buy", "Chie", "lake", 2)
    books.grow("lake", 4)
    books.grow("coal", 6)
    books.pay_bonuses("lake", "Aki", "Chie")  # the coal takes the lake over
    books.trade("sell", "Chie", "lake", 2)
    books.trade("sell", "Aki", "lake", 2)
    books.give("lake", -2, "Aki")  # two shares for one
    books.give("coal", 1, "Aki")
    books.grow("coal", 11)
    books.pay_bonuses("coal", "Ben", "Aki")
    books.say("table: sell_all", "table: finish")
    for (name, hotel), count in books.held.items():
        books.money[name] += count * books.price[hotel]
    totals = {name: books.money[name] for name in THREE}
    return Evening(
        "shares",
        THREE,
        books.lines,
        totals,
        money=purses(totals),
        holdings={("bank", hotel): 25 for hotel in HOTELS},
        copy_text=acquire_template(),
        size=UPRIGHT,
    )


def play_workers() -> Evening:
    """Caylus: 5, 6, 6 and 7 to begin with, an income of 2, 1 for each worker placed, gold for 3 points."""
    lines, chance = ["pay Aki bank 1", "pay bank Dai 1"], Random(1289)
    money = Counter(dict(zip(FOUR, (5, 6, 6, 7), strict=True)))
    gold, points = Counter[str](), Counter[str]()
    for _turn in range(3):
        lines.append("table: round")
        for name in FOUR:
            wages = min(money[name] + 2, chance.randint(1, 6))
            lines.append(f"pay {name} bank {wages}")
            money[name] += 2 - wages
        first_to_pass, miner = chance.choice(FOUR), chance.choice(FOUR)
        lines += [f"pay bank {first_to_pass} 1", f"correct 1 gold from bank to {miner}/purse: "]
        money[first_to_pass] += 1
        gold[miner] += 1
        earned = [chance.randint(0, 6) for _ in FOUR]
        lines += ["table: points", "table: points", "table: " + ", ".join(map(str, earned)), "table: done"]
        points.update(dict(zip(FOUR, earned, strict=True)))
    left = [money[name] // 4 for name in FOUR]
    lines += ["table: points", "table: left", "table: " + ", ".join(map(str, left)), "table: done"]
    return Evening(
        "workers",
        FOUR,
        [*lines, "table: finish"],
        {name: points[name] + 3 * gold[name] + money[name] // 4 for name in FOUR},
        money=purses(money),
        note_values={"coin": 1},
        holdings={(f"{name}/purse", "gold"): gold[name] for name in FOUR},
    )


def bid_for_row(money: Counter[str], start: int, chance: Random) -> tuple[list[str], str]:
    """Returns the lines of an auction from a seat on, and who wins; all pay what the rules say."""
    lines, bids, high, bidding, turn = list[str](), Counter[str](), 0, list(THREE), start
    while len(bidding) > 1:
        name = THREE[turn % 3]
        turn += 1
        if name in bidding and high < money[name] and chance.choice((True, True, False)):
            high = bids[name] = min(money[name], high + chance.randint(1, 2))
            lines.append(f"{name} {high}")
        elif name in bidding:
            bidding.remove(name)
            money[name] -= bids[name] - bids[name] // 2
            lines.append(f"{name} withdraws")
    (winner,) = bidding
    if not high:  # the last one may still bid
        lines.append(f"{winner} 1")
    money[winner] -= max(1, bids[winner])
    return lines, winner


def play_estate() -> Evening:
    """For Sale: 18 coins, half of the bid back, rounded down; the winner begins; then the cards are sold."""
    lines, chance, money, start = list[str](), Random(30), Counter(dict.fromkeys(THREE, 18)), 0
    for _row in range(6):
        bids, winner = bid_for_row(money, start, chance)
        lines += ["table: auction", *bids, "table: start_player", f"table: {winner}"]
        start = THREE.index(winner)
    sold = dict(zip(THREE, (31, 42, 27), strict=True))
    lines += ["table: points", "table: 31, 42, 27", "table: finish"]
    return Evening(
        "estate",
        THREE,
        lines,
        {name: money[name] + sold[name] for name in THREE},
        money=purses(money),
        note_values={"coin": 1},
        lang="ja",
    )


def play_dealers() -> Evening:
    """Modern Art: a season of six sales in four ways, its values, and everybody sells to the bank."""
    lines, money = list[str](), Counter(dict.fromkeys(FOUR, 100))
    for number, (painter, seller, sale, buyer, price) in enumerate(SALES):
        way, _, bids = sale.partition(": ")
        first_seller = [] if number else ["table: Aki"]
        lines += [f"table: {painter}", *first_seller, f"table: {way}", *bids.split(", ")]
        money[buyer] -= price
        money[seller] += price if buyer != seller else 0
        money[buyer] += SEASON[painter]
    for painter, price in SEASON.items():
        lines += ["table: price", f"table: {painter}", f"table: {price}"]
    return Evening(
        "dealers",
        FOUR,
        [*lines, "table: sell_all", "table: finish"],
        dict(money),
        money=purses(money),
        options={"ties": "order"},
        size=SMALL,
    )


def play_streets() -> Evening:
    """Monopoly: salaries, streets, an auction, rents, a tax in percent, a house, fines, and a bankrupt."""
    books = Books(FOUR, 1500)
    for name, price in (("Aki", 60), ("Ben", 200), ("Chie", 140), ("Dai", 400)):
        books.pay(name, "bank", price)
    books.say("table: start_player", "table: Ben", "table: auction", "table: Baltic", "Ben 1", "Chie 30")
    books.say("Dai passes", "Aki 45", "Ben 50", "Chie passes", "Dai passes", "Aki passes")
    books.money["Ben"] -= 50
    books.pay("Ben", "Dai", 50)
    books.pay("Chie", "fines", 75)
    books.say("pay all Aki 10", "table: salary", "table: Ben")  # a birthday, and a round of the board
    books.money.update({"Aki": 30, "Ben": 200 - 10, "Chie": -10, "Dai": -10})
    books.say("table: percentage", "table: Dai", "table: bank", "Dai 10")
    books.money["Dai"] -= books.money["Dai"] // 10
    books.pay("Dai", "bank", 600)
    books.say("correct 3 house from bank to Dai/purse: ")
    books.pay("Aki", "Dai", 1400)
    books.say("table: pay_out", "table: Ben")
    books.money["Ben"] += 75
    books.say("table: payment", "table: Chie", "table: Dai", "Chie 1400", "table: part")
    books.say("table: out", "table: Chie", "table: finish")
    books.money["Dai"] += books.money["Chie"]
    totals = {name: books.money[name] for name in FOUR} | {"Chie": 0}
    return Evening(
        "streets",
        FOUR,
        books.lines,
        totals,
        money=purses(totals) | {"fines": 0},
        holdings={("bank", "house"): 29, ("Dai/purse", "house"): 3},
    )


POKER_LEVELS = ((25, 50, 0), (50, 100, 0), (75, 150, 0), (100, 200, 0), (100, 200, 25))
"""Small blind, big blind and ante."""


def play_poker_hand(stacks: Counter[str], hand: int, chance: Random) -> list[str]:
    """Returns the lines of a hand of the level with this index; in the last one somebody is all in."""
    (small, big, ante), names = POKER_LEVELS[hand], list(stacks)
    paid = Counter(dict.fromkeys(names, ante))
    paid[names[(hand + 1) % len(names)]] += small
    paid[names[(hand + 2) % len(names)]] += big
    bets = {name: 25 * chance.randint(1, 60) for name in chance.sample(names, 2)}
    if hand == len(POKER_LEVELS) - 1:
        loser = next(name for name in names if paid[name] == ante and name not in bets)
        bets[loser] = stacks[loser] - ante
    paid.update(bets)
    winner = chance.choice([name for name in names if paid[name] < stacks[name]])
    stacks.subtract(paid)
    stacks[winner] += paid.total()
    lines = [f"pay {name} pot {bet}" for name, bet in bets.items()]
    return ["table: round", *lines, "table: pay_out", "table: pot", f"table: {winner}"]


def play_poker() -> Evening:
    """A poker tournament: a guest in level 2, antes in level 5, and a player who loses everything."""
    names, chance, stacks = (*FIVE, "Fay"), Random(1970), Counter(dict.fromkeys(FIVE, 10_000))
    lines = ["table: Fay", "table: done"]
    for hand in range(len(POKER_LEVELS)):
        if hand:
            lines.append("table: blinds")
        if hand == 1:
            lines.append("table: join")
            stacks["Fay"] = 10_000
        lines += play_poker_hand(stacks, hand, chance)
    (out,) = (name for name in names if not stacks[name])
    return Evening(
        "poker_tournament",
        names,
        [*lines, "table: out", f"table: {out}", "table: finish"],
        dict(stacks),
        money=purses(stacks) | {"pot": 0, "side pot": 0},
        note_values=CHIPS,
        size=SMALL,
    )


def play_power_plants() -> Evening:
    """Power Grid: 50 for each player, plants in turn, resources, houses and income; money breaks the tie."""
    lines, money = list[str](), Counter(dict.fromkeys(THREE, 50))
    for plant, bids, winner, price in (
        ("04", "Aki 4, Ben 6, Chie withdraws, Aki withdraws", "Ben", 6),
        ("05", "Aki 5, Ben withdraws, Chie withdraws", "Aki", 5),
        ("08", "Aki 8, Ben withdraws, Chie 11, Aki withdraws", "Chie", 11),
    ):
        lines += ["table: auction", f"table: {plant}", *bids.split(", ")]
        money[winner] -= price
    for name, resources, houses, income in (
        ("Chie", 6, 10, 22), ("Aki", 2, 20, 33), ("Ben", 6, 10, 22),
        ("Chie", 6, 31, 33), ("Aki", 4, 18, 33), ("Ben", 5, 28, 22),
    ):  # fmt: skip  # two rounds
        lines += [f"pay {name} bank {resources}", f"pay {name} bank {houses}", f"pay bank {name} {income}"]
        money[name] += income - resources - houses
    lines += ["table: points", "table: 2, 1, 2", "table: finish"]
    totals = dict(zip(THREE, (2, 1, 2), strict=True))
    assert money["Aki"] > money["Chie"]
    text = change_template(
        "auction", {"start = 100": "start = 50"}, '\n[[card]]\nid = "cities"\nkind = "category"\n'
    )
    return Evening(
        "auction",
        THREE,
        lines,
        totals,
        ranks={"Aki": 1, "Chie": 2, "Ben": 3},
        money=purses(money),
        note_values={"coin": 1},
        options={"tie_rule": "money"},
        copy_text=text,
    )


# Points


def play_cribbage() -> Evening:
    """Cribbage to 121: first the other player's points of a deal, then the dealer's with the crib."""
    lines, chance = list[str](), Random(1642)
    deck = [rank + suit for rank in "A23456789TJQK" for suit in "CDHS"]
    names, points, deal = ("Aki", "Ben"), Counter[str](), 0
    while True:
        dealer, other = names[deal % 2], names[(deal + 1) % 2]
        cards = chance.sample(deck, 13)
        hands = [cribbage_points(" ".join(cards[start : start + 4]), cards[12]) for start in (0, 4, 8)]
        for name, pegged in (
            (other, chance.randint(0, 4) + hands[0]),
            (dealer, chance.randint(1, 5) + hands[1] + hands[2]),
        ):
            points[name] += pegged
            lines += ["table: points", "table: " + ", ".join(str(pegged * (one == name)) for one in names)]
            if points[name] >= 121:
                return Evening("race", names, [*lines, "table: finish"], dict(points))
        lines.append("table: round")
        deal += 1


def play_areas() -> Evening:
    """El Grande: nine rounds; after each third, two regions and the tower score, and the king gives 2."""
    lines, chance, points = list[str](), Random(1492), [0] * 4
    prizes = {"north": (5, 3, 1), "east": (6, 4, 2), "tower": (5, 3, 1)}
    for round_number in range(1, 10):
        if round_number % 3 == 0:
            lines.append("table: points")
            for area, three in prizes.items():
                pieces = [chance.randint(0, 4) for _ in FOUR]
                lines += [f"table: {area}", "table: " + ", ".join(map(str, pieces))]
                points = [a + b for a, b in zip(points, el_grande_points(pieces, three), strict=True)]
            king = chance.randrange(4)
            points[king] += 2
            bonus = ", ".join(str(2 * (seat == king)) for seat in range(4))
            lines += ["table: bonus", f"table: {bonus}", "table: done"]
        lines.append("table: round")
    return Evening("areas", FOUR, [*lines, "table: finish"], dict(zip(FOUR, points, strict=True)))


def play_hearts() -> Evening:
    """Hearts: each hand has 26 points; who takes all of them gives 26 to everybody else; the fewest win."""
    lines, chance, points, hand = list[str](), Random(26), Counter(dict.fromkeys(FOUR, 0)), 0
    while max(points.values()) < 100:
        hand += 1
        if hand == 4:
            taken = {name: 26 * (name != "Ben") for name in FOUR}
        else:
            hearts = Counter(chance.choice(FOUR) for _heart in range(13))
            hearts[chance.choice(FOUR)] += 13
            taken = {name: hearts[name] for name in FOUR}
        lines += enter_round([*taken.values()])
        lines += ["table: keep"] if sum(taken.values()) != 26 else []
        points.update(taken)
    return Evening(
        "lowest",
        FOUR,
        [*lines, "table: finish"],
        dict(points),
        lowest_wins=True,
        copy_text=change_template(
            "lowest", {'scoring = "rounds"': 'scoring = "rounds"\nfixed_sum = "yes"\nround_sum = 26'}
        ),
    )


def play_mahjong() -> Evening:
    """Mahjong (MCR): all pay 8, the discarder the hand as well; after a drawn tile all pay both; 16 hands."""
    lines, chance, points = list[str](), Random(88), Counter(dict.fromkeys(FOUR, 0))
    for hand in range(16):
        winner, discarder = chance.sample(FOUR, 2)
        fan, is_drawn = chance.choice((8, 9, 12, 24, 88)), chance.random() < 0.3
        loss = {name: 8 + fan * (is_drawn or name == discarder) for name in FOUR if name != winner}
        won = 3 * (8 + fan) if is_drawn else 3 * 8 + fan
        entered = [-loss.get(name, -won if hand % 2 else 0) for name in FOUR]
        lines += enter_round(entered)
        if sum(entered):  # every other hand the winner's points are worked out
            lines.append(f"table: {won} for {winner}")
        points[winner] += won
        points.subtract(loss)
    assert not points.total()
    return Evening("mahjong", FOUR, [*lines, "table: finish"], dict(points))


def deal_tricks(names: Sequence[str], rounds: int, chance: Random) -> list[list[tuple[int, int]]]:
    """Returns what each player bids and makes: in round n there are n tricks, and each is somebody's."""
    evening = []
    for tricks in range(1, rounds + 1):
        made = Counter(chance.choice(names) for _trick in range(tricks))
        bids = {name: min(tricks, max(0, made[name] + chance.choice((-1, 0, 0, 0, 1)))) for name in names}
        evening.append([(bids[name], made[name]) for name in names])
    return evening


def play_contract(
    names: Sequence[str], rounds: int, score: Callable[[int, int], int], copy_text: str
) -> Evening:
    """Returns an evening in which bids and tricks are entered after each round."""
    lines, totals = list[str](), Counter(dict.fromkeys(names, 0))
    for numbers in deal_tricks(names, rounds, Random(rounds)):
        said = "; ".join(f"bid {bid}, made {made}" for bid, made in numbers)
        lines += ["table: write_round", f"table: {said}"]
        totals.update({name: score(*both) for name, both in zip(names, numbers, strict=True)})
    return Evening("contract", names, [*lines, "table: finish"], dict(totals), copy_text=copy_text)


def play_oh_hell() -> Evening:
    """Oh Hell: 10 points and 1 for each trick of a bid that was made; five players, ten rounds."""
    text = change_template("contract", {"hit = 20\neach = 10\nmiss = -10": "hit = 10\neach = 1"})
    return play_contract(FIVE, 10, lambda bid, made: 10 + made if bid == made else 0, text)


def play_wizard() -> Evening:
    """Wizard: 20 and 10 for each trick, or −10 for each trick above or below; four players, 15 rounds."""
    text = change_template("contract", {"rounds = 10": 'rounds = 15\ntrick_sum = "round"'})
    return play_contract(
        FOUR, 15, lambda bid, made: 20 + 10 * made if bid == made else -10 * abs(bid - made), text
    )


def play_skull_king() -> Evening:
    """Skull King: ten rounds with bonus points; a Kraken takes one trick of round 7."""
    lines, chance, totals = list[str](), Random(1717), Counter(dict.fromkeys(FOUR, 0))
    for round_number, numbers in enumerate(deal_tricks(FOUR, 10, chance), start=1):
        made = [tricks for _, tricks in numbers]
        if round_number == 7:
            made[made.index(max(made))] -= 1
        bonus = [chance.choice((0, 0, 10, 20, 30)) for _ in FOUR]
        lines += [
            "table: write_round",
            *[f"{name} {bid}" for name, (bid, _) in zip(FOUR, numbers, strict=True)],
        ]
        lines += [f"{name} made {n}, bonus {more}" for name, n, more in zip(FOUR, made, bonus, strict=True)]
        lines += ["table: keep"] if sum(made) != round_number else []
        for name, (bid, _), tricks, more in zip(FOUR, numbers, made, bonus, strict=True):
            totals[name] += skull_king_points(round_number, bid, tricks, more)
    return Evening("tricks", FOUR, [*lines, "table: finish"], dict(totals), size=SMALL)


def play_spades() -> Evening:
    """Spades: two teams to 500, with bags and bids of 0."""
    lines, chance, points, bags = list[str](), Random(13), [0, 0], [0, 0]
    while max(points) < 500:
        made = Counter(chance.choices(range(4), k=13))
        bids = [max(0, made[seat] - chance.choice((0, 0, 0, 1, 1, 2))) for seat in range(4)]
        lines += ["table: write_round", *[f"{name} {bid}" for name, bid in zip(FOUR, bids, strict=True)]]
        lines += [f"{name} {made[seat]}" for seat, name in enumerate(FOUR)]
        for team in (0, 1):
            won, more = spades_points((bids[team], bids[team + 2]), (made[team], made[team + 2]))
            bags[team] += more
            points[team] += won - 100 * (bags[team] // 10)
            bags[team] %= 10
    return Evening(
        "partners",
        FOUR,
        [*lines, "table: finish"],
        {name: points[seat % 2] for seat, name in enumerate(FOUR)},
        ranks={name: 1 if points[seat % 2] == max(points) else 2 for seat, name in enumerate(FOUR)},
        holdings={(f"{FOUR[team]}/front", "overtrick bag"): bags[team] for team in (0, 1)},
    )


def play_rummy() -> Evening:
    """Pool Rummy 101: drops cost 20 and 40, a full hand 80; a guest begins level, and two are out.

    Junglee Rummy: a player with 80 and 40 has 120 points and is out. RummyCircle: drops cost 20 or 40.
    """
    lines = [
        "table: Dai",
        "table: done",
        *enter_round([80, 0, 20]),
        "table: join",
        *enter_round([40, 20, 0, 7]),
    ]
    lines += ["table: go_on", "table: out", "table: Aki", *enter_round([0, 40, 80])]
    lines += ["table: go_on", "table: out", "table: Dai", *enter_round([64, 0]), "table: finish"]
    return Evening(
        "rummy",
        FOUR,
        lines,
        {"Chie": 20 + 40, "Ben": 20 + 64, "Dai": 80 + 7 + 80, "Aki": 120},
        ranks={"Chie": 1, "Ben": 2, "Dai": 3, "Aki": 4},
        lowest_wins=True,
    )


def play_suns() -> Evening:
    """Ra: three epochs in which suns are bid; at the end most suns win 5, fewest lose 5."""
    lines, points = list[str](), Counter(dict.fromkeys(THREE, 0))
    suns = {"Aki": {13, 8, 5, 2}, "Ben": {12, 9, 6, 3}, "Chie": {11, 10, 7, 4}}
    in_middle = 1
    epochs = (
        ("Aki: Ben 6, Chie 7, Aki passes; Chie: Aki 13, Ben passes, Chie passes", (7, 4, 11)),
        ("Ben: Chie passes, Aki 8, Ben 9; Aki: Ben passes, Chie 11, Aki passes", (5, 12, -3)),
        ("Chie: Aki passes, Ben 12, Chie passes; Ben: Chie 10, Aki passes, Ben passes", (9, 0, 6)),
    )
    for calls, scored in epochs:
        for call in calls.split("; "):
            caller, _, bids = call.partition(": ")
            lines += ["table: auction", f"table: {caller}", *bids.split(", ")]
            number, winner = max(
                (int(number), name)
                for name, number in (bid.split() for bid in bids.split(", "))
                if number != "passes"
            )
            suns[winner] = suns[winner] - {number} | {in_middle}
            in_middle = number
        lines += [*enter_round(scored), "table: tiles"]
        points.update(dict(zip(THREE, scored, strict=True)))
    sums = {name: sum(suns[name]) for name in THREE}
    bonus = {
        name: 5 * ((sums[name] == max(sums.values())) - (sums[name] == min(sums.values()))) for name in THREE
    }
    points.update(bonus)
    lines += ["table: points", "table: " + ", ".join(map(str, bonus.values())), "table: finish"]
    text = change_template(
        "points", {'kind = "rules"': 'kind = "rules"\nauction = "once"\npayee = "ask"\nbid_with = "dealt"'}
    )
    comment, _, cards = text.partition("[[card]]")
    return Evening(
        "points",
        THREE,
        lines,
        dict(points),
        holdings={(f"{name}/bid tiles", f"bid tile {sun}"): 1 for name, mine in suns.items() for sun in mine}
        | {("bid tiles", f"bid tile {in_middle}"): 1},
        copy_text=f"{comment}[board]\ntiles = [13, 8, 5, 2, 12, 9, 6, 3, 11, 10, 7, 4, 1]\n\n[[card]]{cards}",
        size=UPRIGHT,
    )


def play_sheet() -> Evening:
    """Yahtzee: two players fill thirteen boxes; 63 points in the upper six give 35 more."""
    names = FOUR[:2]
    written = {
        "ones": (3, 2), "twos": (6, 6), "threes": (9, 9), "fours": (12, 8), "fives": (15, 15),
        "sixes": (18, 12), "three": (22, 0), "four": (0, 24), "house": (25, 0), "short": (30, 30),
        "long": (0, 40), "five": (0, 50), "any": (21, 19),
    }  # fmt: skip  # a sheet
    lines = ["table: start_player", "table: Aki", "table: turns"]
    lines += [
        line
        for box, points in written.items()
        for name, number in zip(names, points, strict=True)
        for line in (f"{name}: {box}", f"{name} {number}")
    ]
    upper = [sum(points[seat] for points in [*written.values()][:6]) for seat in (0, 1)]
    assert upper == [63, 52]
    totals = {name: sum(points[seat] for points in written.values()) for seat, name in enumerate(names)}
    totals["Aki"] += 35
    return Evening("sheet", names, [*lines, "table: finish"], totals, size=SMALL)


# All together


def play_cures() -> Evening:
    """Pandemic: 18 cubes to begin with, two outbreaks, some cubes treated, and the fourth cure wins."""
    lines, on_map = list[str](), Counter[str]()
    for colour, count in (("yellow", 3), ("red", 6), ("blue", 4), ("black", 5)):
        lines.append(f"correct {count} {colour} from bank to map: ")
        on_map[colour] += count
    for cure, (colour, treated) in enumerate({"red": 4, "blue": 2, "black": 3, "yellow": 1}.items()):
        lines += [f"correct {treated} {colour} from map to bank: ", "table: track", "table: cures +1"]
        on_map[colour] -= treated
        if cure in (1, 2):
            lines += ["table: track", "table: outbreaks +1", f"correct 3 {colour} from bank to map: "]
            on_map[colour] += 3
            lines += ["table: track", "table: spread +1"]
    return Evening(
        "tracks",
        FOUR,
        [*lines, "table: finish"],
        dict.fromkeys(FOUR, 0),
        ranks=dict.fromkeys(FOUR, 1),
        holdings={("map", colour): count for colour, count in on_map.items()}
        | {("bank", colour): 24 - count for colour, count in on_map.items()},
    )


TWENTY_EVENINGS: Mapping[str, Callable[[], Evening]] = {
    "1830 and other 18xx games": play_railways,
    "Acquire": play_acquire,
    "Caylus": play_workers,
    "Cribbage": play_cribbage,
    "El Grande": play_areas,
    "For Sale": play_estate,
    "Hearts": play_hearts,
    "Mahjong": play_mahjong,
    "Modern Art": play_dealers,
    "Monopoly": play_streets,
    "Oh Hell": play_oh_hell,
    "Pandemic": play_cures,
    "Poker tournament": play_poker,
    "Power Grid": play_power_plants,
    "Ra": play_suns,
    "Rummy": play_rummy,
    "Skull King": play_skull_king,
    "Spades": play_spades,
    "Wizard": play_wizard,
    "Yahtzee": play_sheet,
}
"""The evenings, by the names of the games in docs/games/any_game.md."""
