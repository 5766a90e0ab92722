"""What people read and see of a template before they choose it: a sentence, what it is good for, a picture.

The templates that ship have sentences of their own. What people's own templates keep track of, and every
picture, follows from what stands in the template.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import msgspec

from companion.games.any_game.blinds import BlindRules
from companion.games.any_game.contract import ContractRules
from companion.games.any_game.dice import DiceRules
from companion.games.any_game.lots import LotRules
from companion.games.any_game.preset_options import has_auctions, may_have_sealed_bids
from companion.games.any_game.round_sum import RoundSumRules
from companion.games.any_game.template import NO_COLOUR, Template, read_number, read_word
from companion.rulebook import Deck, PieceLook, PresetDescription, PresetPicture, Say, say, say_list

POINTS, CARDS, MONEY = say("Points"), say("Cards"), say("Money")
AUCTIONS, BOARDS = say("Auctions"), say("Boards")
"""Names of the groups of templates."""
MAX_PIECES_IN_PICTURE, MAX_SIGNS_IN_PICTURE = 4, 3
"""The most pieces and signs that a picture shows."""
MIN_CATEGORIES_OF_MAP = 8
"""The fewest categories of points that count as the regions of a map."""
SHARE_LOOK = "card"
"""The look of a company's shares in a picture."""


class ShippedDescription(msgspec.Struct, frozen=True):
    """The texts of a template that ships, its group, and how many players it suits."""

    group: Say
    players: tuple[int, int]
    good_for: Say
    sentence: Say


DESCRIPTION_BY_TEMPLATE: Mapping[str, ShippedDescription] = {
    "plain": ShippedDescription(
        MONEY, (2, 12), say("a first try"), say("Coins, points, bids and dice.")
    ),
    "points": ShippedDescription(
        POINTS, (2, 12), say("most games"), say("Everybody's points of each round.")
    ),
    "lowest": ShippedDescription(
        POINTS, (2, 12), say("card games"), say("Penalty points each round. The fewest win.")
    ),
    "rummy": ShippedDescription(
        CARDS, (2, 12), say("counting penalties"),
        say("Penalty points each round. A player with 101 is out.")
    ),
    "race": ShippedDescription(
        POINTS, (2, 6), say("cribbage"), say("You add points all the time, up to 121.")
    ),
    "mahjong": ShippedDescription(
        POINTS, (4, 4), say("a table of four"), say("16 hands. The points of each add up to 0.")
    ),
    "chess": ShippedDescription(
        POINTS, (2, 12), say("games for two"), say("A win is 1 point, a draw is ½ for each.")
    ),
    "contract": ShippedDescription(
        CARDS, (3, 6), say("trick-taking games"), say("You bid how many tricks you will make.")
    ),
    "tricks": ShippedDescription(
        CARDS, (2, 8), say("bids round by round"), say("One trick in round 1, ten in round 10.")
    ),
    "partners": ShippedDescription(
        CARDS, (4, 4), say("two against two"), say("Two teams bid their tricks, up to 500 points.")
    ),
    "sheet": ShippedDescription(
        POINTS, (2, 12), say("dice games"), say("Five dice fill thirteen boxes.")
    ),
    "majority": ShippedDescription(
        BOARDS, (2, 6), say("influence on a map"), say("The most, second and third of an area score.")
    ),
    "areas": ShippedDescription(
        BOARDS, (2, 5), say("large maps"), say("Three prizes in each of nine regions.")
    ),
    "coop": ShippedDescription(
        BOARDS, (2, 12), say("adventures"), say("All win on one track, or lose on another.")
    ),
    "tracks": ShippedDescription(
        BOARDS, (2, 5), say("saving the world"), say("Four cures win, eight outbreaks lose.")
    ),
    "tournament": ShippedDescription(
        BOARDS, (3, 12), say("a knock-out evening"), say("Players meet in matches. The loser is out.")
    ),
    "poker": ShippedDescription(
        CARDS, (2, 10), say("poker without chips"), say("Chips, a pot, blinds and a dealer.")
    ),
    "poker_tournament": ShippedDescription(
        CARDS, (3, 12), say("a poker evening"), say("Blinds rise every 20 minutes by the clock.")
    ),
    "train": ShippedDescription(
        MONEY, (2, 6), say("railway games"), say("Companies with shares and a price track.")
    ),
    "shares": ShippedDescription(
        MONEY, (4, 4), say("long railway games"), say("Railways pay all they earn, half or nothing.")
    ),
    "property": ShippedDescription(
        MONEY, (2, 8), say("property games"), say("Streets, rents, a salary, houses and loans.")
    ),
    "streets": ShippedDescription(
        MONEY, (2, 8), say("strict property rules"), say("A street that nobody buys is sold by auction.")
    ),
    "workers": ShippedDescription(
        MONEY, (2, 5), say("worker placement"), say("An income each round, wages for helpers, goods.")
    ),
    "art": ShippedDescription(
        AUCTIONS, (3, 5), say("hidden money"), say("You sell each other pictures. Money is hidden.")
    ),
    "dealers": ShippedDescription(
        AUCTIONS, (3, 5), say("sellers who choose"), say("Sell as you like. Sellers may keep the picture.")
    ),
    "estate": ShippedDescription(
        AUCTIONS, (3, 6), say("bidding for cards"), say("Withdraw, and half of your bid comes back.")
    ),
    "auction": ShippedDescription(
        AUCTIONS, (2, 12), say("anything you sell"), say("Lots with names, sold by bids in turn.")
    ),
}  # fmt: skip  # a list of texts
"""The descriptions of the templates that ship, by name."""


FEATURE_BY_SCORING = {
    "rounds": say("points by round"),
    "contract": say("tricks"),
    "sheet": say("a score sheet"),
    "knockout": say("matches"),
}
"""The feature that follows from a way of scoring."""


def describe_template(name: str, deck: Deck) -> PresetDescription:
    """Returns what people read and see of a template; the sentence of people's own lists its features."""
    template = Template(deck)
    picture = make_picture(template)
    if shipped := DESCRIPTION_BY_TEMPLATE.get(name):
        return PresetDescription(shipped.sentence, shipped.good_for, shipped.group, shipped.players, picture)
    return PresetDescription(
        say("Our own: {features}.", features=say_list(list_features(template))),
        say("our own game"),
        choose_group(template),
        picture=picture,
    )


def list_features(template: Template) -> Iterator[Say]:
    """Yields the features of a template in a few words each, at least one."""
    scoring = template.general_rules.scoring
    if scoring in FEATURE_BY_SCORING:
        yield FEATURE_BY_SCORING[scoring]
    features = (
        (say("points"), scoring == "free" and bool(template.designs_of_kind("category"))),
        (say("money"), template.money_piece is not None),
        (say("auctions"), has_auctions(template)),
        (say("shares"), bool(template.designs_of_kind("company"))),
        (say("tracks"), bool(template.designs_of_kind("track"))),
        (say("teams"), template.general_rules.teams > 0),
    )
    yield from (feature for feature, is_there in features if is_there)


def choose_group(template: Template) -> Say:
    """Returns the group in which people look for a template of their own."""
    if template.general_rules.scoring == "contract" or template.money_rules.small_blind:
        return CARDS
    if template.designs_of_kind("track") or template.general_rules.scoring == "knockout":
        return BOARDS
    if has_auctions(template) and not template.money_rules.payments:
        return AUCTIONS
    return MONEY if template.money_piece is not None else POINTS


def make_picture(template: Template) -> PresetPicture:
    """Returns the picture of a template: signs of what it keeps track of, and its first pieces."""
    companies = (read_word(design, "livery", NO_COLOUR) for design in template.designs_of_kind("company"))
    looks = [PieceLook(piece.look, piece.colour) for piece in template.design_by_piece]
    looks += [PieceLook(SHARE_LOOK, "" if colour == NO_COLOUR else colour) for colour in companies]
    return PresetPicture(
        tuple(find_picture_signs(template))[:MAX_SIGNS_IN_PICTURE],
        tuple(dict.fromkeys(looks))[:MAX_PIECES_IN_PICTURE],
    )


def find_picture_signs(template: Template) -> Iterator[str]:
    """Yields the signs of what a template keeps track of, the most important first."""
    general, categories = template.general_rules, template.designs_of_kind("category")
    has_prizes = any(read_number(category, "first") for category in categories)
    counts_only_points = bool(categories) and not has_prizes and not template.designs_of_kind("piece")
    sign_by_scoring = {"rounds": "score sheet", "contract": "cards", "sheet": "boxes", "knockout": "bracket"}
    if general.scoring in sign_by_scoring:
        yield sign_by_scoring[general.scoring]
    elif counts_only_points:
        yield "score sheet"
    contents = {
        "podium": has_prizes,
        "map": has_prizes and len(categories) >= MIN_CATEGORIES_OF_MAP,
        "track": bool(template.designs_of_kind("track")),
        "teams": general.teams > 1,
        "star": template.read_rules(ContractRules).bonus,
        "half": general.half_points,
        "scales": template.read_rules(RoundSumRules).fixed_sum,
        "out": general.out and counts_only_points,
        "arrow down": general.lowest_wins,
        "flag": bool(general.target),
        "clock": bool(template.read_rules(BlindRules).level_minutes),
        "envelope": may_have_sealed_bids(template),
        "hammer": has_auctions(template),
        "tag": template.read_rules(LotRules).names,
        "dice": template.read_rules(DiceRules).dice != DiceRules().dice,
    }
    yield from (sign for sign, is_there in contents.items() if is_there)
