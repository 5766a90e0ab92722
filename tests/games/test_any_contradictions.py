"""Templates with which no evening can be played: numbers and names that contradict each other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from companion.cards import CardValues, Deck
from companion.errors import UserError
from companion.games.any_game.rulebook import GAME
from companion.owner_decks import DesignRow, EditableDeckRows, rows_to_toml
from companion.presets import Preset, chosen_preset_decks
from companion.testing.random_game import RandomGame, answer_randomly
from tests.any_game_presets import SHIPPED, library
from tests.support.games.any_game_helpers import COIN_CARD, NO_DIRECTORY, rules_card, template_card

ANSWERS = 30
POINTS = template_card("category", "points")
NORTH = template_card("company", "north")


def box(name: str, **said: object) -> str:
    """A box of a group."""
    return template_card("category", name, group=1, **said)


def bonus(**said: object) -> str:
    """A bonus."""
    return template_card("bonus", "upper", **{"of_group": 1, "reached_at": 5, "gives": 3, **said})


def called(kind: str, name: str) -> str:
    """One more thing, of that name."""
    return f'{template_card(kind, "b")}\nname = "{name}"'


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        # Numbers of one thing
        (
            [template_card("track", "road", goal=4, at=9)],
            "card road: at can't be 9. It can be at most 4, because goal is 4.",
        ),
        (
            [template_card("track", "road", goal=4, at=4, ends="won")],
            "card road: at can't be 4. It can be at most 3, because goal is 4.",
        ),
        (
            [template_card("category", "run", highest=5, multiple=7)],
            "card run: multiple can't be 7. It can be at most 5, because highest is 5.",
        ),
        (
            [template_card("category", "run", highest=5, lowest=6)],
            "card run: lowest can't be 6. It can be at most 5, because highest is 5.",
        ),
        (
            [COIN_CARD, template_card("company", "north", step_at=11)],
            'card north: step_at can\'t be 11. The list "prices" has only 10 steps.',
        ),
        # Bonuses that nobody gets
        ([POINTS, bonus()], "card upper: of_group must be the group of a category; no category has group 1."),
        (
            [POINTS, bonus(of_group=0)],
            "card upper: of_group must be the group of a category; no category has group 0.",
        ),
        (
            [
                rules_card(scoring="sheet"),
                box("a", highest=10, multiple=4),
                box("b", highest=5),
                bonus(reached_at=14),
            ],
            "card upper: reached_at can't be 14. The boxes of group 1 can score only 13 together.",
        ),
        # Names
        ([COIN_CARD, called("piece", "coin")], "card b: There is already another coin. Choose"),
        ([COIN_CARD, called("place", "Coin")], "card b: There is already another Coin. Choose"),
        ([COIN_CARD, NORTH, called("place", "north")], "card b: There is already another north. Choose"),
        ([POINTS, called("category", "points")], "card b: There is already another points. Choose"),
        ([COIN_CARD, called("place", " ")], 'card b: "name" is empty. Write a name, or leave the line out.'),
        (
            [template_card("category", "out"), rules_card(out="yes")],
            "out is a reserved name. Choose another name.",
        ),
        (
            [POINTS, template_card("category", "points lost")],
            "points lost is a reserved name. Choose another name.",
        ),
        (
            [COIN_CARD, template_card("place", "round track")],
            "round track is a reserved name. Choose another name.",
        ),
        (
            [COIN_CARD, template_card("place", "pot", name="Lots won")],
            "Lots won is a reserved name. Choose another name.",
        ),
        # Rules
        (
            [POINTS, rules_card(teams=1, out="yes")],
            '"out = yes" doesn\'t work with "teams = 1". Set teams to 0, or to a number from 2 to 6.',
        ),
        (
            [POINTS, rules_card(join="yes", teams=2)],
            '"join" doesn\'t work with teams. Set teams to 0, or join to "no".',
        ),
        (
            [COIN_CARD, rules_card(join="yes", scoring="knockout", out="yes")],
            '"join" doesn\'t work with "scoring = knockout". Set join to "no".',
        ),
        (
            [COIN_CARD, rules_card(join="level")],
            '"join = level" needs a category of points whose points are entered with each round.',
        ),
        (
            [POINTS, rules_card(join="level", scoring="sheet")],
            '"join = level" doesn\'t work with a score sheet or a bonus. Set join to "yes".',
        ),
        (
            [COIN_CARD, POINTS, rules_card(join="level", covered="yes")],
            '"join = level" doesn\'t work with covered purses, because it would show them.',
        ),
        (
            [POINTS, rules_card(scoring="sheet", rounds=3)],
            'rounds must be 0, because "scoring = sheet" has no rounds.',
        ),
        (
            [COIN_CARD, rules_card(scoring="knockout", out="yes", income=3)],
            'income must be 0, because "scoring = knockout" has no rounds.',
        ),
        (
            [template_card("track", "road", goal=4), rules_card(target=5)],
            'target needs a category of points, or a piece with a "worth".',
        ),
        (
            [COIN_CARD, rules_card(target=100)],
            "target can't be 100. It must be more than 100, because everybody begins with 100.",
        ),
        # Tricks with bids
        ([POINTS, rules_card(over=1)], 'over needs the setting "overtricks = count".'),
        ([POINTS, rules_card(bags=10)], 'bags needs the setting "overtricks = count".'),
        (
            [POINTS, rules_card(bag_penalty=-100)],
            "bag_penalty needs a number of bags. Set bags to more than 0.",
        ),
        ([COIN_CARD, rules_card(half_points="yes")], "half_points needs a category of points."),
        ([POINTS, rules_card(zero_hit=10)], 'zero_hit needs the setting "zero = flat" or "zero = round".'),
        ([POINTS, rules_card(zero_miss=-10)], 'zero_miss needs the setting "zero = flat" or "zero = round".'),
        (
            [POINTS, rules_card(scoring="contract", trick_sum="tricks")],
            '"trick_sum = tricks" needs a number of tricks. Set tricks to more than 0.',
        ),
        (
            [POINTS, rules_card(scoring="contract", trick_sum="down")],
            '"trick_sum = down" needs a number of tricks. Set tricks to more than 0.',
        ),
        # Money
        ([POINTS, rules_card(salary=5)], "salary needs a piece that serves as money."),
        ([POINTS, rules_card(income=5)], "income needs a piece that serves as money."),
        ([POINTS, rules_card(debts=5)], "debts needs a piece that serves as money."),
        ([POINTS, rules_card(covered="yes")], "covered needs a piece that serves as money."),
        (
            [POINTS, template_card("place", "pot"), rules_card(small_blind=5)],
            "small_blind needs a piece that serves as money.",
        ),
        (
            [COIN_CARD, rules_card(empty_bank="part")],
            "empty_bank can't be part, because the bank never runs out. Give a supply to coin.",
        ),
        (
            [
                template_card("piece", "one", note=1, supply=9),
                template_card("piece", "ten", note=10),
                rules_card(empty_bank="broken"),
            ],
            "empty_bank can't be broken, because the bank never runs out. Give a supply to ten.",
        ),
        ([POINTS, rules_card(empty_bank="nothing")], "empty_bank needs a piece that serves as money."),
        # Roundings of nothing
        (
            [COIN_CARD, rules_card(percentage_rounding="up")],
            'percentage_rounding needs the settings "payments = yes" and "covered = no".',
        ),
        (
            [COIN_CARD, rules_card(payments="yes", covered="yes", percentage_rounding="nearest")],
            'percentage_rounding needs the settings "payments = yes" and "covered = no".',
        ),
        (
            [COIN_CARD, rules_card(loans="yes", interest_rounding="down")],
            "interest_rounding needs interest. Set interest to more than 0.",
        ),
        (
            [COIN_CARD, rules_card(auction="final", refund_rounding="up")],
            "refund_rounding needs a refund of 1 to 99 and an auction in which a pass is final.",
        ),
        (
            [COIN_CARD, rules_card(auction="open", refund=50, refund_rounding="up")],
            "refund_rounding needs a refund of 1 to 99 and an auction in which a pass is final.",
        ),
        (
            [template_card("category", "land", prize_rounding="up")],
            'card land: prize_rounding needs prizes and the setting "ties = split".',
        ),
        (
            [template_card("category", "land", first=5, second=3, ties="lower", prize_rounding="up")],
            'card land: prize_rounding needs prizes and the setting "ties = split".',
        ),
        ([COIN_CARD, rules_card(interest=5)], 'interest needs the setting "loans = yes".'),
        ([COIN_CARD, rules_card(dividend="total")], "dividend needs a company whose shares the bank sells."),
        (
            [COIN_CARD, NORTH, rules_card(half_pay="up", lots="shares", auction="open")],
            "half_pay needs a company whose shares the bank sells.",
        ),
        (
            [COIN_CARD, NORTH, rules_card(dividend_rounding="up")],
            'dividend_rounding needs the setting "dividend = total".',
        ),
        (
            [COIN_CARD, NORTH, rules_card(lots="shares", auction="none")],
            '"lots = shares" needs an auction. Set auction to a value other than none.',
        ),
        (
            [COIN_CARD, rules_card(unsold="seller", payee="others")],
            '"unsold = seller" needs a seller. Set payee to seller or ask.',
        ),
        (
            [COIN_CARD, rules_card(bid_with="dealt", auction="fixed")],
            "With tiles, auction can't be fixed. Set it to one of these: both, none, open, final,",
        ),
        (
            [COIN_CARD, rules_card(bid_with="each", auction="final", refund=50)],
            "With tiles, refund must be 100: a tile can't be paid in parts.",
        ),
        (
            [COIN_CARD, rules_card(unsold="last", auction="once")],
            '"unsold = last" needs an auction in which a pass is final. Set auction to final or ask.',
        ),
        # Options that a template sets
        (
            [COIN_CARD, rules_card(auction="open", bid_ties="order")],
            "bid_ties needs sealed bids. Set auction to sealed, both or ask.",
        ),
        ([POINTS, rules_card(wins="lowest")], "wins needs sealed bids. Set auction to sealed, both or ask."),
        (
            [COIN_CARD, rules_card(auction="aloud", pays="all")],
            "pays needs sealed bids. Set auction to sealed, both or ask.",
        ),
        (
            [COIN_CARD, rules_card(auction="none", pays="nobody")],
            '"pays = nobody" needs an auction. Set auction to a value other than none.',
        ),
        (
            [COIN_CARD, rules_card(auction="sealed", bid_with="each", pays="second")],
            "With tiles, nobody can pay the second bid. Choose another rule for who pays.",
        ),
        ([POINTS, rules_card(tie_rule="money")], "tie_rule needs a piece that serves as money."),
        (
            [COIN_CARD, rules_card(covered="yes", tie_rule="table")],
            '"tie_rule = table" has no effect, because covered money counts: nobody is asked.',
        ),
        (
            [
                template_card("piece", "a", note=10),
                template_card("piece", "b", note=25),
                rules_card(salary=12),
            ],
            "salary can't be 12: the notes can pay only multiples of 5.",
        ),
        (
            [template_card("piece", "a", note=10), rules_card(debts=9)],
            "debts can't be 9. It must be 0 or at least the smallest banknote, 10.",
        ),
    ],
)
def test_what_contradicts_itself_is_refused(cards: list[str], why: str, tmp_path: Path) -> None:
    """However it comes in: as a file beside the others, taken in, begun as another one, or entered."""
    file = tmp_path / "odd.toml"
    file.write_text("\n".join(f"[[card]]\n{one}" for one in cards), encoding="utf-8")
    home = tmp_path / "home"
    with pytest.raises(UserError) as refused:
        library(home).import_file(file)
    assert str(refused.value).startswith(f"odd.toml: {why}")
    assert library(home).own_names() == []
    library(home).create_copy("odd", "poker").write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    for way in (
        lambda: chosen_preset_decks(GAME, {"template": "odd"}, home),
        library(home).existing_or_new_preset("odd").load_rows,
    ):
        with pytest.raises(UserError) as refused:
            way()
        assert str(refused.value).startswith(f"odd.toml: {why}")


def test_what_only_looks_odd_is_taken() -> None:
    """A track that goes back, a bonus of points that are written at will, a target of points to come."""
    for cards in (
        [template_card("track", "lives", goal=4, at=4)],
        [box("a"), bonus(reached_at=9_999)],
        [rules_card(scoring="sheet"), box("a"), box("b", highest=5, when="end"), bonus(reached_at=9_999)],
        [COIN_CARD, rules_card(target=101)],
        [template_card("piece", "a", note=10), rules_card(debts=10, salary=20)],
        [COIN_CARD, called("category", "coin")],
    ):
        text = "\n".join(f"[[card]]\n{one}" for one in cards)
        assert GAME.check_deck(library().parse_preset(text, "own.toml")) == []


def template(name: str) -> Preset:
    """One that comes along."""
    return library(NO_DIRECTORY).existing_or_new_preset(name)


def turned(name: str, design: str) -> Iterator[EditableDeckRows]:
    """A template with each number of one of its designs, or of its board, at its ends and at 0."""
    mine, rows = template(name), template(name).load_rows()
    row = next((one for one in rows.cards if one["id"] == design), DesignRow())
    for key, field in mine.shipped_file.deck.fields.items():
        for number in {field.least, field.most, 0} if not field.choices and _has(field.on, row) else ():
            cards = [{**one, key: number} if one is row else one for one in rows.cards]
            yield replace(rows, cards=cards)
    for key, bound in mine.shipped_file.bounds.items() if not row else ():
        for number in (bound.least, bound.most):
            for length in bound.lengths or ():
                yield replace(rows, board={**rows.board, key: [number] * length})


def _has(on: CardValues, row: DesignRow) -> bool:
    return on.items() <= row.items()


def read(name: str, rows: EditableDeckRows) -> Deck | None:
    """The deck with these rows; None: it is refused, and the sentence begins with the file."""
    try:
        return template(name).parse_deck(rows_to_toml(rows), "own.toml")
    except UserError as error:
        why = str(error)
    assert why.startswith("own.toml: ")
    return None


def parts(name: str) -> list[str]:
    """The designs of a template, and its board."""
    return [*(str(row["id"]) for row in template(name).load_rows().cards), "the board"]


@pytest.mark.without_coverage
@pytest.mark.sweep(6)
@pytest.mark.parametrize(
    ("name", "design"),
    [(name, part) for name in ("plain", *SHIPPED) for part in parts(name)],
)
def test_a_number_at_its_end_is_refused_or_played(name: str, design: str) -> None:
    """Set to the lowest, the highest or 0 it is refused with a sentence, or random answers go on and on."""
    for number, rows in enumerate(turned(name, design)):
        if deck := read(name, rows):
            trial = RandomGame.begin(GAME, number, Random(f"{name} {design} {number}"), {"any_game": deck})
            for _ in range(ANSWERS):
                if trial.session.question is not None:
                    answer_randomly(trial.session, trial.rng)
            trial.check_replay()
