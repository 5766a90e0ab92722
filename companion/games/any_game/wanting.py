"""What is missing in a template, or contradicts itself, so that no evening can be played with it."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from companion.games.any_game.laid import BID, DEALER, LOAN, LOT, OUT, ROUND, SEED, STAGE, START, WON
from companion.games.any_game.printed import HouseRules, kind_of, number, rules_of, word
from companion.games.any_game.sheet import MOST_POINTS
from companion.games.any_game.terms import Terms, terms_of
from companion.rulebook import NAME, Deck, Design, Say, fold_name, say

SAID_TOGETHER = ("piece", "place", "company")
"""What is said in one breath, as in `3 coins from North Line to pot`: no two of these are called the same."""
OURS = {one.key for one in (BID, DEALER, LOAN, LOT, OUT, ROUND, SEED, STAGE, START, WON)}
"""Marks that lie on every table."""
BESIDE = ("lost", "filled", "price")
"""What is laid beside something is called after it."""
WITHOUT_ROUNDS = ("sheet", "knockout")


def wanting(deck: Deck) -> Say | None:
    """The first thing that is wrong; None: nothing."""
    return next(chain(_missing(deck), _names(deck), _numbers(deck), _rules(deck)), None)


def _missing(deck: Deck) -> Iterator[Say]:
    rules = rules_of(deck)
    kinds = {kind: kind_of(deck, kind) for kind in ("piece", "category", "track", "rules")}
    by_round = [one for one in kinds["category"] if word(one, "when", "round") == "round"]
    wrong = {
        say("A template needs at least one piece, category or track."): not (
            kinds["piece"] or kinds["category"] or kinds["track"] or rules.scoring == "knockout"
        ),
        say('Only one card can have kind = "rules".'): len(kinds["rules"]) > 1,
        say('"scoring = {kind}" needs a category of points.', kind=rules.scoring): (
            rules.scoring in ("rounds", "contract", "sheet") and not by_round
        ),
        say('A tournament needs the setting "out = yes".'): rules.scoring == "knockout" and not rules.out,
        say("A tournament has no teams."): rules.scoring == "knockout" and rules.teams > 0,
        say(
            '"out = yes" doesn\'t work with "teams = 1". Set teams to 0, or to a number from 2 to 6.'
        ): rules.out and rules.teams == 1,
    }
    return (why for why, is_so in wrong.items() if is_so)


def _names(deck: Deck) -> Iterator[Say]:
    taken = OURS | {f"{one.id} {what}" for one in deck.designs for what in BESIDE}
    seen = set[tuple[str, str]]()
    for one in deck.designs:
        kind, name = word(one, "kind", ""), word(one, NAME, one.id).strip()
        called = "" if kind in SAID_TOGETHER else kind, fold_name(name)
        if one.id in taken:
            yield say("{id} is a reserved name. Choose another name.", id=one.id)
        if not name:
            yield _of(one, say('"name" is empty. Write a name, or leave the line out.'))
        if called in seen:
            yield _of(one, say("There is already another {name}. Choose a different name.", name=name))
        seen.add(called)


def _numbers(deck: Deck) -> Iterator[Say]:
    """Numbers of one design that contradict each other, or what stands elsewhere."""
    for one in kind_of(deck, "track"):
        ends = word(one, "ends", "nothing") != "nothing"
        yield from _above(one, "at", number(one, "goal") - ends, "goal")
    for one in kind_of(deck, "category"):
        if highest := number(one, "highest"):
            yield from _above(one, "multiple", highest, "highest")
    for one in kind_of(deck, "company"):
        steps = len(deck.board["prices"])
        if number(one, "step_at") > steps:
            text = 'step_at can\'t be {value}. The list "prices" has only {most} steps.'
            yield _of(one, say(text, most=steps, value=number(one, "step_at")))
    for one in kind_of(deck, "bonus"):
        yield from _bonus(deck, one)


def _bonus(deck: Deck, bonus: Design) -> Iterator[Say]:
    """A bonus that nobody can get."""
    group, reached_at = number(bonus, "of_group"), number(bonus, "reached_at")
    boxes = [one for one in kind_of(deck, "category") if group and number(one, "group") == group]
    if not boxes:
        text = "of_group must be the group of a category; no category has group {value}."
        yield _of(bonus, say(text, value=group))
    elif rules_of(deck).scoring == "sheet" and reached_at > (most := sum(map(_most, boxes))):
        text = "reached_at can't be {value}. The boxes of group {group} can score only {most} together."
        yield _of(bonus, say(text, most=most, group=group, value=reached_at))


def _most(box: Design) -> int:
    """What a box of a sheet holds at most; points besides have no limit."""
    highest, multiple = number(box, "highest") or MOST_POINTS, number(box, "multiple", 1)
    return highest // multiple * multiple if word(box, "when", "round") == "round" else MOST_POINTS


def _rules(deck: Deck) -> Iterator[Say]:
    """Numbers of the rules that lead nowhere."""
    rules, terms = rules_of(deck), terms_of(deck)
    if rules.scoring in WITHOUT_ROUNDS:
        for field in _by_round(rules, terms):
            text = '{field} must be 0, because "scoring = {kind}" has no rounds.'
            yield say(text, field=field, kind=rules.scoring)
    if rules.target:
        yield from _target(deck, rules)


def _by_round(rules: HouseRules, terms: Terms) -> Iterator[str]:
    """What stands there and comes with rounds only."""
    come = {
        "rounds": rules.rounds,
        "income": terms.income,
        "interest": terms.interest,
        "small_blind": terms.small_blind,
        "big_blind": terms.big_blind,
    }
    return (field for field, value in come.items() if value)


def _target(deck: Deck, rules: HouseRules) -> Iterator[Say]:
    """An end that is never reached, or from the beginning."""
    worth = {one.id: number(one, "worth") for one in kind_of(deck, "piece")}
    start = sum(number(one, "start") * worth[one.id] for one in kind_of(deck, "piece"))
    if not (any(worth.values()) or kind_of(deck, "category") or rules.scoring == "knockout"):
        yield say('target needs a category of points, or a piece with a "worth".')
    elif rules.target <= start:
        text = "target can't be {value}. It must be more than {start}, because everybody begins with {start}."
        yield say(text, start=start, value=rules.target)


def _above(one: Design, field: str, most: int, other: str) -> Iterator[Say]:
    """A number that is higher than another one allows."""
    if (value := number(one, field)) > most:
        text = "{field} can't be {value}. It can be at most {most}, because {other} is {number}."
        yield _of(one, say(text, field=field, most=most, other=other, number=number(one, other), value=value))


def _of(one: Design, why: Say) -> Say:
    """What is wrong with one design."""
    return say("card {id}: {why}", id=one.id, why=why)
