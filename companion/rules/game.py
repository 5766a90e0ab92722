"""The lid of a box: what the rest of the program knows of a game without its rules."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from companion.cards import Deck
from companion.errors import UserError, unknown_name
from companion.name_matching import count_graphemes
from companion.requests import KINDS, Raise, Request
from companion.rules.scene import Scene, SceneSetup
from companion.table.ledger import Ledger
from companion.table.scores import GameResult
from companion.table.seats import EVERYBODY_WORDS, check_names_are_free
from companion.table.table import OptionValue, Table
from companion.texts import Say, Text, literal_text, say

RulebookCoroutine = Coroutine[Request[Any], Any, GameResult]
"""A rulebook at work: hands out questions, takes answers, ends with the result."""

NO_NUMBER_WORD = "none"
"""How people write that a number is not set."""
COVER_SUFFIX, DEMO_SUFFIX = ".png", ".log"
"""How the files end that a game may bring: what is on its box, and a match that was recorded."""
MAX_NUMBER_DIGITS = 18
"""A longer number is refused unread."""


def value_text(setting: OptionValue) -> str:
    """A setting as people write it."""
    return NO_NUMBER_WORD if setting is None else str(setting)


class GameOption(msgspec.Struct, frozen=True):
    """Something a table may choose before the game begins; `hint` says in a sentence what it changes."""

    key: str
    label: Say
    hint: Say
    default: OptionValue

    @property
    def allowed_text(self) -> Text:
        """What people may write."""
        raise NotImplementedError  # each kind of option says it

    def parse_value(self, text: str) -> OptionValue:
        """The setting that people wrote; raises `UserError`, which says what is allowed."""
        raise NotImplementedError  # each kind of option says it


class ChoiceOption(GameOption, frozen=True, kw_only=True):
    """An option with a few named choices.

    `is_game_title`: every choice but the default is part of what people say they play.
    """

    choices: dict[str, Say]
    is_game_title: bool = False

    @property
    def allowed_text(self) -> Text:
        """The keys of all choices."""
        return _names(self.choices)

    def parse_value(self, text: str) -> OptionValue:
        """Returns the key of a choice."""
        if text in self.choices:
            return text
        raise UserError(
            say(
                "{key} must be one of {names}, not {text}.",
                key=self.key,
                names=self.allowed_text,
                text=text,
            )
        )


class NumberOption(GameOption, frozen=True, kw_only=True):
    """An option that is a whole number from `least` to `most`; with a default of None also "none"."""

    least: int
    most: int

    @property
    def allowed_text(self) -> Text:
        """The lowest and the highest number, and none if that is allowed."""
        if self.default is None:
            return say("{least} to {most} or none", least=self.least, most=self.most)
        return say("{least} to {most}", least=self.least, most=self.most)

    def parse_value(self, text: str) -> OptionValue:
        """Returns the number, or None."""
        if text == NO_NUMBER_WORD and self.default is None:
            return None
        if (
            text.isascii()
            and text.isdigit()
            and len(text) <= MAX_NUMBER_DIGITS
            and self.least <= int(text) <= self.most
        ):
            return int(text)
        raise UserError(
            say(
                "{key} must be a number from {allowed}, not {text}.",
                key=self.key,
                allowed=self.allowed_text,
                text=text,
            )
        )


class TextOption(GameOption, frozen=True, kw_only=True):
    """An option that is a short word, typed by the players."""

    max_letters: int

    @property
    def allowed_text(self) -> Text:
        """The longest word allowed."""
        return say("up to {most} characters", most=self.max_letters)

    def parse_value(self, text: str) -> OptionValue:
        """Returns the word."""
        if text.isprintable() and count_graphemes(text) <= self.max_letters:
            return text
        raise UserError(say("{key} can have at most {most} characters.", key=self.key, most=self.max_letters))


class Presets(msgspec.Struct, frozen=True):
    """What a game says that has presets: named option files, which people choose, copy, change and share.

    `option` is the key of the `ChoiceOption` whose choices are the presets of the game. Its default is
    the deck that the game ships. The other files lie beside the rulebook, as `presets/NAME.toml`.
    `deck` is the name of the deck whose place the chosen preset takes. Its designs are no cards with tags.
    `own_folder` is where people's own presets lie in `templates` of the state directory. None: the folder
    carries the key of the game. Only Any Game may have another one.
    """

    option: str
    deck: str
    own_folder: str | None = None


class ChosenPreset(msgspec.Struct, frozen=True):
    """The preset that a table plays, by its key, and what people call it."""

    key: str
    title: Say
    is_default: bool


def _plausible(_deck: Deck) -> list[Say]:
    return []


def _together(_options: Mapping[str, OptionValue], _decks: Mapping[str, Deck]) -> None:
    """Any options go with any decks."""


class Game(msgspec.Struct, frozen=True):
    """A game: its key, title, number of players, rulebook and options.

    `play` is the rulebook: a coroutine that takes a `Table` and returns a `GameResult`.
    `version` goes up when the rulebook asks its questions in another way; a saved game names its version.
    `decks` are the names of the decks whose printed values it uses.
    `check_deck` raises `UserError` for printed values that are impossible, and returns sentences about odd
    ones.
    `check_options` raises `UserError` as a match begins if the chosen options don't go together.
    `has_free_moves`: people may move pieces by hand at any time without giving a reason.
    `typed_row_option`: the key of the option that is chosen when somebody types a row of numbers where
    it is offered.
    `question_kinds`: the kinds of questions the rulebook asks. Only these can get a time limit.
    `scene`: how the table looks. Without it the table shows everything that lies on it.
    `help`: the rule behind each question, by the question's template; `"Raise"` for all open bids.
    `presets`: the game has presets; see `Presets`.
    `is_demo`: the demo table of the home screen plays the recorded match of this game.
    Files of the game lie beside its rulebook and carry its key: `KEY.toml` (deck), `KEY.png` (cover),
    `KEY.log` (recorded match), `locale/CODE/LC_MESSAGES/KEY.po` (texts in the language with that code).
    """

    key: str
    version: int
    title: Say
    players: tuple[int, int]
    play: Callable[[Table], RulebookCoroutine]
    options: tuple[GameOption, ...] = ()
    decks: tuple[str, ...] = ()
    check_deck: Callable[[Deck], list[Say]] = _plausible
    check_options: Callable[[Mapping[str, OptionValue], Mapping[str, Deck]], None] = _together
    has_free_moves: bool = False
    typed_row_option: str = ""
    question_kinds: tuple[str, ...] = tuple(KINDS)
    scene: Callable[[SceneSetup], Scene] | None = None
    help: Mapping[str, Say] = {}
    presets: Presets | None = None
    is_demo: bool = False

    @property
    def folder(self) -> Path:
        """The folder of its rulebook."""
        return Path(sys.modules[self.play.__module__].__file__ or "").parent

    def find_file(self, ending: str) -> Path | None:
        """Returns the game's file with that ending; None if it has none."""
        path = self.folder / f"{self.key}{ending}"
        return path if path.is_file() else None

    def help_for(self, question: Request[Any]) -> Say | None:
        """Returns the rule behind a question; None if the game explains none."""
        return self.help.get(question.kind if isinstance(question, Raise) else question.text.template)

    def title_for(self, settings: Mapping[str, OptionValue]) -> Say:
        """Returns what people say they play: the title, or a chosen option that stands for it."""
        preset = self.chosen_preset(settings)
        return self.title if preset is None or preset.is_default else preset.title

    @property
    def preset_option(self) -> ChoiceOption:
        """The option that chooses a preset; ask only a game that has presets."""
        assert self.presets is not None, f"{self.key} has no presets"
        (pick,) = [one for one in self.options if one.key == self.presets.option]
        assert isinstance(pick, ChoiceOption), f"{pick.key} offers no choices"
        return pick

    @property
    def card_decks(self) -> tuple[str, ...]:
        """The names of the decks whose cards can have tags: all but the one whose place a preset takes."""
        return tuple([name for name in self.decks if self.presets is None or name != self.presets.deck])

    def chosen_preset(self, settings: Mapping[str, OptionValue]) -> ChosenPreset | None:
        """Returns the preset that is played, if the game has presets."""
        for option in self.options:
            if isinstance(option, ChoiceOption) and option.is_game_title:
                key = str(settings.get(option.key, option.default))
                title = option.choices.get(key, literal_text(key))
                return ChosenPreset(key, title, is_default=key == option.default)
        return None

    def parse_options(self, chosen: Mapping[str, str]) -> dict[str, OptionValue]:
        """Returns the values of all options: the chosen ones, and the defaults of the others."""
        known = {option.key: option for option in self.options}
        for key in chosen:
            if key not in known:
                none = say("{game} has no option {name}. Its options: {names}.",
                           game=self.title, name=key,
                           names=_names(known) or NO_NUMBER_WORD)  # fmt: skip  # one sentence
                raise unknown_name(key, known, none)
        return {
            key: option.parse_value(chosen[key]) if key in chosen else option.default
            for key, option in known.items()
        }

    def check_players(self, names: Sequence[str]) -> None:
        """Raises `UserError` unless this many can play."""
        least, most = self.players
        if not least <= len(names) <= most:
            raise UserError(say("{game} is for {least} to {most} players, not {count}.",
                                 game=self.title, least=least, most=most,
                                 count=len(names)))  # fmt: skip  # one sentence

    def check_names(self, names: Sequence[str], ledger: Ledger) -> None:
        """Raises `UserError` for a name of a player that means a place, or everybody, in a typed payment."""
        if self.has_free_moves:
            places = dict.fromkeys(one.place for one in ledger if one.place.seat is None)
            check_names_are_free([*names, *(place.shown_key for place in places)], EVERYBODY_WORDS)
            check_names_are_free(names, places)


def _names(keys: Mapping[str, object]) -> str:
    return ", ".join(keys)
