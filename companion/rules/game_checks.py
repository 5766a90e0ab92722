"""Checks of a game from another package, before the home screen lists it.

Built-in games are checked by their tests; reading their decks too would only delay the first frame. What a
rulebook does during play is caught by `RulebookRun`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from companion.cards import shipped_deck_file
from companion.errors import UserError
from companion.requests import REQUEST_TYPE_BY_KIND
from companion.rules.game import (
    ChoiceOption,
    Game,
    NumberOption,
    PresetConfig,
    TextOption,
    option_value_as_typed,
)
from companion.table.seats import SEAT_COLOURS
from companion.texts import Labelled, Say, say

MAX_PLAYERS = len(SEAT_COLOURS)


def check_game_definition(game: Game) -> None:
    """Raises `UserError`, a sentence for the game's author, if the game's definition is invalid.

    Errors of the game's own functions are raised unchanged.
    """
    for field_name, is_valid, requirement in GAME_FIELD_CHECKS:
        value = getattr(game, field_name)
        if not is_valid(value):
            text = "its {part} {wanted}, not {value}."
            raise UserError(say(text, part=field_name, wanted=requirement, value=str(value)))
    for option in game.options:
        option.parse_value(option_value_as_typed(option.default))
    for name in game.decks:
        check_game_deck(game, name)
    if game.presets is not None and not _are_presets_valid(game.presets, game):
        raise UserError(say("its presets must name a choice in its options and a deck in its decks."))


def check_game_deck(game: Game, deck_name: str) -> None:
    """Raises `UserError` if a deck is missing, refused by the game, or named like that of another game."""
    deck = shipped_deck_file(deck_name, game.folder).deck
    is_own_name = deck_name == game.key or deck_name.startswith(f"{game.key}_")
    if not is_own_name and (game.folder / f"{deck_name}.toml").is_file():
        raise UserError(
            say(
                "the name of its deck must be {key} or begin with {key}_; {name} isn't allowed.",
                key=game.key,
                name=deck_name,
            )
        )
    try:
        game.check_deck(deck)
    except UserError as error:
        raise UserError(say("{deck}: {why}", deck=deck_name, why=error.text)) from error


def _are_players_valid(players: object) -> bool:
    if not isinstance(players, tuple) or [type(number) for number in players] != [int, int]:
        return False
    least, most = players
    return bool(1 <= least <= most <= MAX_PLAYERS)


def _are_options_valid(options: object) -> bool:
    if not isinstance(options, tuple) or not all(
        isinstance(option, (ChoiceOption, NumberOption, TextOption)) for option in options
    ):
        return False
    return len({option.key for option in options}) == len(options)


def _are_question_kinds(kinds: object) -> bool:
    return isinstance(kinds, tuple) and all(kind in REQUEST_TYPE_BY_KIND for kind in kinds)


def _are_names(names: object) -> bool:
    return isinstance(names, tuple) and all(isinstance(name, str) for name in names)


def _are_presets_valid(presets: object, game: Game) -> bool:
    """Returns whether option and deck exist; only Any Game may have another folder, that of version 0.2."""
    if (
        not isinstance(presets, PresetConfig)
        or presets.own_folder is not None
        or presets.deck not in game.decks
    ):
        return False
    return any(isinstance(option, ChoiceOption) and option.key == presets.option for option in game.options)


GameFieldCheck = tuple[str, Callable[[Any], bool], Labelled]
GAME_FIELD_CHECKS: tuple[GameFieldCheck, ...] = (
    ("version", lambda version: type(version) is int, say("must be a whole number")),
    ("title", lambda title: isinstance(title, Say), say("must be a text made with say()")),
    (
        "players",
        _are_players_valid,
        say("must be two numbers from 1 to {most}, the fewest and the most players", most=MAX_PLAYERS),
    ),
    ("play", callable, say("must be a coroutine function")),
    (
        "options",
        _are_options_valid,
        say("must be a tuple of ChoiceOption, NumberOption and TextOption with different keys"),
    ),
    ("decks", _are_names, say("must be a tuple of names")),
    ("check_deck", callable, say("must be a function")),
    (
        "question_kinds",
        _are_question_kinds,
        say("must be a tuple of question kinds: {kinds}", kinds=", ".join(REQUEST_TYPE_BY_KIND)),
    ),
)
"""The checked fields of a `Game`: the name, the test of its value, and the requirement in words."""
