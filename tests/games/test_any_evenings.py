"""Evenings with Any Game's money on every front end, to their end; a sum of our own agrees with the books."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest

from companion.jsonlines import JsonSession
from companion.testing import Script
from hardware.desk.answers import submit_device_answer
from hardware.signals import NumbersAnswer
from tests.support.games.any_game_helpers import (
    begin_with_shipped_template,
    question_text,
    rank_and_total_by_player,
)
from tests.support.terminal_sessions import play_lines

FOUR = ("Aki", "Ben", "Chie", "Dai")
Act = str | tuple[str, ...]
"""A payment in a line, `Aki Ben 37`; or the answers of one deed: who answers and what."""


def by_script(script: Script, acts: Sequence[Act]) -> None:
    """As a test says it."""
    for act in acts:
        if isinstance(act, tuple):
            script.says(*act)
        else:
            script.says(f"pay {act}")


def by_terminal(script: Script, acts: Sequence[Act]) -> None:
    """As people type it, every answer and every payment a line."""
    lines = [line for act in acts for line in (map(said, act) if isinstance(act, tuple) else [act])]
    assert "\n! " not in play_lines(script.session, *lines), "a line was refused"


def by_json(script: Script, acts: Sequence[Act]) -> None:
    """As a program says it."""
    wire = JsonSession(script.session)
    for act in acts:
        for line in act if isinstance(act, tuple) else [act]:
            message = answered(script, line) if isinstance(act, tuple) else paying(line)
            reply = wire.reply(1, json.dumps(message).encode())
            assert "error" not in reply, (line, reply)


def said(line: str) -> str:
    """The answer in a line of a script."""
    return line.replace(":", "", 1).split(maxsplit=1)[1]


def answered(script: Script, line: str) -> dict[str, object]:
    """The answer as a program gives it: a number, or the key of an option."""
    answer, options = said(line), script.open_question_limits.get("options", {})
    keys = [key for key, text in options.items() if text.split(" · ")[0] == answer]
    given = [*keys, answer][0] if options else int(answer)
    return {"n": script.question_number, "answer": given}


def paying(line: str) -> dict[str, object]:
    """A payment as a program says it."""
    payer, payee, amount = line.split()
    return {"do": "pay", "from": payer, "to": payee, "amount": int(amount)}


def by_keypads(script: Script, acts: Sequence[Act]) -> None:
    """As keypads say it, one number after the other; a payment goes by the menu."""
    for act in acts:
        for line in act if isinstance(act, tuple) else by_the_menu(act):
            answer, options = (
                answered(script, line)["answer"],
                [*script.open_question_limits.get("options", {})],
            )
            number = options.index(answer) + 1 if options else answer
            assert isinstance(number, int)
            seats = script.session.table.seats
            seat = next((one for one in seats if line.startswith(f"{one.name} ")), seats[0])
            typed = NumbersAnswer("pad", script.question_number, (number,), LATER, 1)
            assert submit_device_answer(script.session, seat, typed, 0.0) is None, line


def by_the_menu(payment: str) -> list[str]:
    """The answers that make a payment: who pays, who is paid, how much."""
    payer, payee, amount = payment.split()
    giver = payer if payer in FOUR else "table"
    return ["table: payment", f"table: {payer}", f"table: {payee}", f"{giver} {amount}"]


Play = Callable[[Script, Sequence[Act]], None]
FRONT_ENDS = pytest.mark.parametrize("play", [by_script, by_terminal, by_json, by_keypads])
LATER = 9.0
"""Seconds after a question appeared: it has been read."""


def money(script: Script, *notes: tuple[str, int]) -> dict[str, int]:
    """What everybody holds."""
    return {
        seat.name: sum(script[f"{seat.name}/purse", piece] * worth for piece, worth in notes)
        for seat in script.session.table.seats
    }


# Property trading


def properties(books: Counter[str]) -> Iterator[Act]:
    """Eighty turns of an evening: rents, purchases, fines, salaries; our own books beside it."""
    chance = Random(1904)
    books.update(dict.fromkeys(FOUR, 1500))
    for turn in range(80):
        name = FOUR[turn % 4]
        other = chance.choice([one for one in FOUR if one != name])
        amount = chance.randint(1, max(1, books[name] // 3))
        match chance.choice(("rent", "rent", "buy", "fine", "salary", "birthday")):
            case "rent":
                books.update({name: -amount, other: amount})
                yield f"{name} {other} {amount}"
            case "buy":
                books[name] -= amount
                yield f"{name} bank {amount}"
            case "fine":
                books.update({name: -amount, "fines": amount})
                yield f"{name} fines {amount}"
            case "salary":
                books[name] += 200
                yield "table: salary", f"table: {name}"
            case "birthday":
                least = min(10, *[books[one] for one in FOUR])
                books.update(dict.fromkeys(FOUR, -least))
                books[name] += 4 * least
                if least:
                    yield f"all {name} {least}"


@FRONT_ENDS
def test_an_evening_of_property_trading(play: Play) -> None:
    """Eighty turns: each payment is one act, and what everybody has is what our own books say."""
    books = Counter[str]()
    acts = list(properties(books))
    script = begin_with_shipped_template("property", *FOUR)
    play(script, acts)
    assert money(script, ("money", 1)) == {name: books[name] for name in FOUR}
    assert script["fines", "money"] == books["fines"]
    assert {len(act) for act in acts if isinstance(act, tuple)} == {2}
    script.says("table: pay_out", "table: Aki")
    books["Aki"] += books["fines"]
    assert {name: total for name, (_, total) in rank_and_total_by_player(script).items()} == {
        name: books[name] for name in FOUR
    }


# An art auction


SALES = (
    ("lime", "Ben", 31), ("rust", "Chie", 24), ("lime", "Aki", 18), ("coral", "Dai", 40),
    ("coral", "Aki", 22), ("lime", "Chie", 27), ("indigo", "Ben", 5), ("slate", "Dai", 12),
    ("coral", "Ben", 33), ("lime", "Dai", 29),
)  # fmt: skip  # a catalogue
PRICES = {"lime": 30, "coral": 20, "rust": 10}
"""At the steps 4, 3 and 2 of the track."""


def art() -> list[Act]:
    """Ten lots, each of the seller whose turn it is; then prices are set, and all is sold."""
    acts: list[Act] = []
    for at, (painter, winner, price) in enumerate(SALES):
        first = ("table: Aki",) if not at else ()
        acts.append((f"table: {painter.title()}", *first, f"table: {winner}", f"{winner} {price}"))
    for one, price in PRICES.items():
        acts.append(("table: price", f"table: {one.title()}", f"table: step {1 + price // 10}"))
    return [*acts, ("table: sell_all",), ("table: round",)]


@FRONT_ENDS
def test_an_evening_of_art_auctions(play: Play) -> None:
    """Ten lots with sellers, three answers a lot; who sells first is asked once; then all is sold."""
    script, acts = begin_with_shipped_template("art", *FOUR), art()
    assert [len(act) for act in acts[1:10]] == [3] * 9
    play(script, acts)
    books = Counter(dict.fromkeys(FOUR, 100))
    for at, (_, winner, price) in enumerate(SALES):
        seller = FOUR[at % 4]
        books[winner] -= price
        books[seller] += price if seller != winner else 0
    for painter, winner, _ in SALES:
        books[winner] += PRICES.get(painter, 0)
    assert money(script, ("money", 1)) == dict(books)
    assert {name: total for name, (_, total) in rank_and_total_by_player(script).items()} == dict(books)


# Train companies


def test_an_evening_with_train_companies() -> None:
    """Shares, dividends paid and kept, prices up and down: money and shares make the total."""
    script = begin_with_shipped_template("train")
    books, bank = Counter(dict.fromkeys(("Aki", "Ben", "Chie"), 400)), 12_000
    held: Counter[tuple[str, str]] = Counter()
    price = {"North Line": 70, "Coast Line": 70, "Hill Line": 60, "River Line": 60}
    for name, company, count in (
        ("Aki", "North Line", 3),
        ("Ben", "Hill Line", 4),
        ("Chie", "North Line", 2),
        ("Ben", "River Line", 2),
    ):
        script.says("table: buy", f"table: {company}", f"table: {name}", f"{name} {count}")
        books[name] -= count * price[company]
        bank += count * price[company]
        held[name, company] += count
    for company, earned, up in (("North Line", 12, 75), ("Hill Line", 9, 65), ("North Line", 15, 80)):
        script.says("table: dividend", f"table: {company}", f"table {earned}", "table: holders")
        script.says("table: price", f"table: {company}", f"table: {up}")
        price[company] = up
        for name in books:
            books[name] += held[name, company] * earned
            bank -= held[name, company] * earned
    script.says(
        "table: dividend",
        "table: River Line",
        "table 8",
        "table: kept",
        "table: price",
        "table: River Line",
        "table: 55",
    )
    price["River Line"], bank = 55, bank - 80
    script.says("table: sell", "table: Hill Line", "table: Ben", "Ben 1")
    books["Ben"], bank, held["Ben", "Hill Line"] = books["Ben"] + 65, bank - 65, 3
    assert money(script, ("money", 1)) == dict(books)
    assert (script["bank", "money"], script["River Line", "money"]) == (bank, 80)
    worth = {
        name: cash + sum(count * price[one] for (who, one), count in held.items() if who == name)
        for name, cash in books.items()
    }
    assert {name: total for name, (_, total) in rank_and_total_by_player(script).items()} == worth


def test_a_broken_bank_is_asked_about() -> None:
    """It pays what it hasn't got, and after the round people say whether the game ends."""
    script = begin_with_shipped_template("train")
    script.session.correct("bank", "Ben/purse", "money", 11_900, "")
    script.says(
        "table: buy", "table: North Line", "table: Aki", "Aki 1", "table: dividend", "table: North Line"
    )
    script.says("table 999", "table: holders", "table: round")
    assert question_text(script) == "The bank is broken. Finish the game?"
    assert script["bank", "money"] == 170 - 999
    assert script["Aki/purse", "money"] == 400 - 70 + 999


# Estate cards


ESTATES = (
    ("Aki 3, Ben 4, Chie withdraws, Aki withdraws", {"Aki": 2, "Ben": 4}),
    ("Aki withdraws, Ben 1, Chie 5, Ben withdraws", {"Ben": 1, "Chie": 5}),
    ("Aki 2, Ben 3, Chie 6, Aki 7, Ben withdraws, Chie withdraws", {"Ben": 2, "Chie": 3, "Aki": 7}),
    ("Aki withdraws, Ben withdraws, Chie 1", {"Chie": 1}),
)


def test_an_evening_with_estate_cards() -> None:
    """Whoever withdraws pays half, rounded up; in the end coins and what the cards were sold for count."""
    script, coins = begin_with_shipped_template("estate"), Counter(dict.fromkeys(("Aki", "Ben", "Chie"), 18))
    for lines, paid in ESTATES:
        script.says("table: auction", *lines.split(", "))
        coins.subtract(paid)
        assert money(script, ("coin", 1)) == dict(coins)
    script.says("table: points", "Aki 31", "Ben 12", "Chie 20")
    cards = {"Aki": 31, "Ben": 12, "Chie": 20}
    assert {name: total for name, (_, total) in rank_and_total_by_player(script).items()} == {
        name: coins[name] + cards[name] for name in cards
    }


# Poker chips


CHIPS = (("white", 1), ("red", 5), ("blue", 25))


@FRONT_ENDS
def test_an_evening_with_poker_chips(play: Play) -> None:
    """Blinds, bets into the pot with change by itself, and winners: no chip is lost."""
    script, books = begin_with_shipped_template("poker", *FOUR), Counter(dict.fromkeys(FOUR, 195))
    chance, acts = Random(52), list[Act]([("table: done",)])
    for hand in range(12):
        acts.append(("table: round",))
        dealer = (hand + 1) % 4
        books[FOUR[(dealer + 1) % 4]] -= 1
        books[FOUR[(dealer + 2) % 4]] -= 2
        pot = 3
        for name in FOUR:
            bet = chance.randint(1, 12)
            acts.append(f"{name} pot {bet}")
            books[name] -= bet
            pot += bet
        winner = chance.choice(FOUR)
        acts.append(("table: pay_out", "table: pot", f"table: {winner}"))
        books[winner] += pot
    play(script, acts)
    assert money(script, *CHIPS) == dict(books)
    assert sum(books.values()) == 4 * 195


# What is seen


def table_of(script: Script) -> str:
    """What the terminal shows of the table."""
    return play_lines(script.session, "state")


def test_shares_prices_and_treasuries_are_one_table() -> None:
    """A line for the prices, each seat and the bank, and for treasuries once something lies there."""
    script = begin_with_shipped_template("train").says(
        "table: buy", "table: North Line", "table: Ben", "Ben 2"
    )
    assert "treasury" not in table_of(script)
    seen = table_of(script.says("table: dividend", "table: North Line", "table 10", "table: kept"))
    rows = [line.split() for line in seen.splitlines()]
    assert ["price", "70", "70", "60", "60"] in rows
    assert ["Ben", "2", "0", "0", "0"] in rows
    assert ["bank", "8", "10", "10", "10"] in rows
    assert ["treasury", "100", "0", "0", "0"] in rows
    assert script.history_texts[-3:] == [
        "Which company made money? North Line",
        "North Line: how much for each share? 10",
        "North Line earns 10 per share. Who is paid? The company keeps everything",
    ]


def test_what_lies_covered_makes_no_total() -> None:
    """Nobody works a purse out from the sum beside it."""
    rows = [line.split() for line in table_of(begin_with_shipped_template("art")).splitlines()]
    assert ["●", "Aki", "hidden", "hidden"] in rows


def test_loans_lie_before_whoever_owes_them() -> None:
    """They are taken from the total."""
    script = begin_with_shipped_template("property").says("table: borrow", "table: Ben", "Ben 300")
    rows = [line.split() for line in table_of(script).splitlines()]
    assert ["▲", "Ben", "1500", "1800", "0", "0", "300"] in rows
    script.session.correct("Ben/purse", "fines", "money", 40, "")
    assert ["fines", "40", "$"] in [line.split() for line in table_of(script).splitlines()]
