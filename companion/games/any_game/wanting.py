"""What is missing in a template, or contradicts itself, so that no evening can be played with it."""

from __future__ import annotations

from companion.games.any_game.printed import kind_of, rules_of, word
from companion.rulebook import Deck, Say, say


def wanting(deck: Deck) -> Say | None:
    """The first thing that is wrong; None: nothing."""
    rules = rules_of(deck)
    kinds = {kind: kind_of(deck, kind) for kind in ("piece", "category", "track", "rules")}
    by_round = [one for one in kinds["category"] if word(one, "when", "round") == "round"]
    wrong = {
        say("there are neither pieces nor points nor tracks."): not (
            kinds["piece"] or kinds["category"] or kinds["track"] or rules.scoring == "knockout"
        ),
        say("there are two designs of rules; one says all of them."): len(kinds["rules"]) > 1,
        say("scoring = {kind} needs a category of points.", kind=rules.scoring): (
            rules.scoring in ("rounds", "contract", "sheet") and not by_round
        ),
        say("a tournament needs out = yes."): rules.scoring == "knockout" and not rules.out,
        say("a tournament has no teams."): rules.scoring == "knockout" and rules.teams > 0,
    }
    return next((why for why, is_so in wrong.items() if is_so), None)
