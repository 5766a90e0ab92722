"""What the rest of the program knows of a game besides its rules: title, players, options and presets."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Coroutine, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from companion.cards import Deck
from companion.errors import UserError, make_unknown_name_error
from companion.name_matching import count_graphemes
from companion.requests import REQUEST_TYPE_BY_KIND, Raise, Request
from companion.rules.preset_pictures import PresetPicture
from companion.rules.scene import Scene, SceneSetup
from companion.table.ledger import Ledger
from companion.table.scores import GameResult
from companion.table.seats import WORDS_FOR_ALL_PLAYERS, check_names_not_reserved
from companion.table.table import OptionValue, Table
from companion.texts import Labelled, Say, Text, say, say_plain_text

RulebookCoroutine = Coroutine[Request[Any], Any, GameResult]
"""The coroutine of a running rulebook: it yields questions, receives answers and returns the result."""

NO_NUMBER_WORD = "none"
"""The word people type for a number option that isn't set."""
COVER_SUFFIX, DEMO_SUFFIX = ".png", ".log"
"""Suffixes of the files that a game may bring: the cover of its box, and a recorded match."""
MAX_TYPED_NUMBER_DIGITS = 18
"""The most digits of a typed number; a longer number is refused without being parsed."""


def option_value_as_typed(option_value: OptionValue) -> str:
    """Returns an option's value as people type it."""
    return NO_NUMBER_WORD if option_value is None else str(option_value)


class GameOption(msgspec.Struct, frozen=True):
    """An option of a game, which the table may choose before the game begins.

    `hint` says in a sentence what the option changes.
    """

    key: str
    label: Say
    hint: Say
    default: OptionValue

    def describe(self, value: OptionValue) -> Say:
        """Returns the option with a value in words: *Payment: the winning bid*."""
        return say("{option}: {value}", option=self.label, value=self.label_of_value(value))

    def label_of_value(self, value: OptionValue) -> Labelled | str:
        """Returns a value in words."""
        return option_value_as_typed(value)

    @property
    def allowed_values_text(self) -> Text:
        """Text that says which values people may type."""
        raise NotImplementedError  # each kind of option says it

    def parse_value(self, text: str) -> OptionValue:
        """Returns the option's value for a typed text; raises `UserError`, which says what is allowed."""
        raise NotImplementedError  # each kind of option says it


class ChoiceOption(GameOption, frozen=True, kw_only=True):
    """An option with a few named choices.

    `is_game_title`: every choice but the default is part of the title that people use for the game.
    """

    choices: dict[str, Say]
    is_game_title: bool = False

    def label_of_value(self, value: OptionValue) -> Labelled | str:
        """Returns the label of a choice."""
        return self.choices[str(value)]

    @property
    def allowed_values_text(self) -> Text:
        """The keys of all choices as text."""
        return ", ".join(self.choices)

    def parse_value(self, text: str) -> OptionValue:
        """Returns the key of the choice that a typed text names."""
        if text in self.choices:
            return text
        raise UserError(
            say(
                "{key} must be one of {names}, not {text}.",
                key=self.key,
                names=self.allowed_values_text,
                text=text,
            )
        )


class NumberOption(GameOption, frozen=True, kw_only=True):
    """An option that is a whole number from `least` to `most`; with a default of None also "none"."""

    least: int
    most: int

    @property
    def allowed_values_text(self) -> Text:
        """The lowest and the highest number as text, and "none" if that is allowed."""
        if self.default is None:
            return say("{least} to {most} or none", least=self.least, most=self.most)
        return say("{least} to {most}", least=self.least, most=self.most)

    def parse_value(self, text: str) -> OptionValue:
        """Returns the number in a typed text, or None for "none"."""
        if text == NO_NUMBER_WORD and self.default is None:
            return None
        if (
            text.isascii()
            and text.isdigit()
            and len(text) <= MAX_TYPED_NUMBER_DIGITS
            and self.least <= int(text) <= self.most
        ):
            return int(text)
        raise UserError(
            say(
                "{key} must be a number from {allowed}, not {text}.",
                key=self.key,
                allowed=self.allowed_values_text,
                text=text,
            )
        )


class TextOption(GameOption, frozen=True, kw_only=True):
    """An option that is a short text, typed by the players."""

    max_letters: int

    @property
    def allowed_values_text(self) -> Text:
        """The highest number of characters as text."""
        return say("up to {most} characters", most=self.max_letters)

    def parse_value(self, text: str) -> OptionValue:
        """Returns the typed text if it is printable and short enough; raises `UserError` for any other."""
        if text.isprintable() and count_graphemes(text) <= self.max_letters:
            return text
        raise UserError(say("{key} can have at most {most} characters.", key=self.key, most=self.max_letters))


def find_option(title: Say, options: Sequence[GameOption], key: str) -> GameOption:
    """Returns the option with that key; raises `UnknownName`, which lists all options of the titled game."""
    option_by_key = {option.key: option for option in options}
    if key not in option_by_key:
        unknown = say("{game} has no option {name}. Its options: {names}.",
                      game=title, name=key,
                      names=", ".join(option_by_key) or NO_NUMBER_WORD)  # fmt: skip  # one sentence
        raise make_unknown_name_error(key, option_by_key, unknown)
    return option_by_key[key]


class PresetDescription(msgspec.Struct, frozen=True):
    """What people read and see of a preset before they choose it.

    `sentence` says what the companion keeps track of, `good_for` names what the preset is good for. `group`
    is the name of the presets that are offered together. `players` are the fewest and the most players that
    it suits; None: as the game.
    """

    sentence: Say = say("")
    good_for: Say = say("")
    group: Say = say("")
    players: tuple[int, int] | None = None
    picture: PresetPicture = PresetPicture()


def _describe_nothing(_name: str, _deck: Deck) -> PresetDescription:
    """Returns an empty description."""
    return PresetDescription()


def _set_no_options(_deck: Deck) -> Mapping[str, str]:
    """Returns no options."""
    return {}


def _find_no_unused_options(_deck: Deck) -> Collection[str]:
    """Returns no options."""
    return ()


class PresetConfig(msgspec.Struct, frozen=True):
    """How a game's presets (named option files, which people copy, change and share) are chosen and stored.

    `option` is the key of the `ChoiceOption` whose choices are the presets of the game. The default is
    the deck that the game ships. The other files are in the rulebook's folder, as `presets/NAME.toml`.
    `deck` is the name of the deck that the chosen preset replaces. The designs of
    that deck can't have tags.
    `own_folder` is the folder of people's own presets in `templates` of the state directory. None: the folder
    is named by the key of the game. Only Any Game may have another one.
    `read_options` returns the values of other options that the deck of a preset sets, as people would type
    them. People can still choose other values. `find_unused_options` returns the keys of the options that
    have no effect with the deck of a preset; set-up doesn't offer them. `describe` returns what people read
    and see of a preset, from its name and its deck.
    """

    option: str
    deck: str
    own_folder: str | None = None
    read_options: Callable[[Deck], Mapping[str, str]] = _set_no_options
    find_unused_options: Callable[[Deck], Collection[str]] = _find_no_unused_options
    describe: Callable[[str, Deck], PresetDescription] = _describe_nothing


class ChosenPreset(msgspec.Struct, frozen=True):
    """The preset chosen for a game: its key, and the title that people use for it."""

    key: str
    title: Say
    is_default: bool


def _accept_any_deck(_deck: Deck) -> list[Say]:
    return []


def _accept_any_options(
    _options: Mapping[str, OptionValue], _decks: Mapping[str, Deck], _player_count: int
) -> None:
    """Accepts any options with any decks, and any number of players."""


class Game(msgspec.Struct, frozen=True):
    """The definition of a game: its key, title, number of players, rulebook and options.

    `play` is the rulebook: a coroutine that receives a `Table` and returns a `GameResult`. `version`
    increases when the rulebook asks its questions in another way; a saved game stores its version. `decks`
    are the names of the decks whose printed values it uses. `check_deck` raises `UserError` for impossible
    printed values, and returns sentences about odd ones. `check_options` raises `UserError` as a match begins
    if the chosen options, the decks and the number of players don't go together. `has_free_moves`: people may
    move pieces by hand at any time without giving a reason. `typed_numbers_option_key`: the key of the option
    that is chosen when somebody types a row of numbers, if it is offered. If it leads to an open round, a
    front end may show the next round at once (`companion/session/upcoming_round.py`). `question_kinds`: the
    kinds of questions the rulebook asks. Only these can get a time limit. `scene`: how the table looks.
    Without it the table shows everything on it. `help`: the rule behind each question, by the question's
    template; `"Raise"` for all open bids. `presets`: how the game's presets are chosen and stored; see
    `PresetConfig`. `is_demo`: the demo table of the home screen plays the recorded match of this game, and
    home suggests it to newcomers. `is_trial`: newcomers may try this game in two minutes, because it needs
    nothing on the table. Files of the game are beside its rulebook and have its key as name: `KEY.toml`
    (deck), `KEY.png` (cover), `KEY.log` (recorded match), `locale/CODE/LC_MESSAGES/KEY.po` (texts in the
    language with that code).
    """

    key: str
    version: int
    title: Say
    players: tuple[int, int]
    play: Callable[[Table], RulebookCoroutine]
    options: tuple[GameOption, ...] = ()
    decks: tuple[str, ...] = ()
    check_deck: Callable[[Deck], list[Say]] = _accept_any_deck
    check_options: Callable[[Mapping[str, OptionValue], Mapping[str, Deck], int], None] = _accept_any_options
    has_free_moves: bool = False
    typed_numbers_option_key: str = ""
    question_kinds: tuple[str, ...] = tuple(REQUEST_TYPE_BY_KIND)
    scene: Callable[[SceneSetup], Scene] | None = None
    help: Mapping[str, Say] = {}
    presets: PresetConfig | None = None
    is_demo: bool = False
    is_trial: bool = False

    @property
    def folder(self) -> Path:
        """The folder of the game's rulebook."""
        return Path(sys.modules[self.play.__module__].__file__ or "").parent

    def find_file(self, suffix: str) -> Path | None:
        """Returns the game's file with that suffix; None if there is none."""
        path = self.folder / f"{self.key}{suffix}"
        return path if path.is_file() else None

    def help_for_question(self, question: Request[Any]) -> Say | None:
        """Returns the rule that explains a question; None if the game explains none."""
        return self.help.get(question.kind if isinstance(question, Raise) else question.text.template)

    def title_for_options(self, option_values: Mapping[str, OptionValue]) -> Say:
        """Returns the title of the chosen preset if it isn't the default, else the title of the game."""
        preset = self.chosen_preset(option_values)
        return self.title if preset is None or preset.is_default else preset.title

    @property
    def preset_option(self) -> ChoiceOption:
        """The option that chooses a preset; only for games that have presets."""
        assert self.presets is not None, f"{self.key} has no presets"
        (option,) = [option for option in self.options if option.key == self.presets.option]
        assert isinstance(option, ChoiceOption), f"{option.key} offers no choices"
        return option

    @property
    def taggable_deck_names(self) -> tuple[str, ...]:
        """The names of the decks whose cards can have tags: all but the one that a preset replaces."""
        return tuple([name for name in self.decks if self.presets is None or name != self.presets.deck])

    def chosen_preset(self, option_values: Mapping[str, OptionValue]) -> ChosenPreset | None:
        """Returns the preset that these options choose; None if the game has no presets."""
        for option in self.options:
            if isinstance(option, ChoiceOption) and option.is_game_title:
                key = str(option_values.get(option.key, option.default))
                title = option.choices.get(key, say_plain_text(key))
                return ChosenPreset(key, title, is_default=key == option.default)
        return None

    def parse_options(self, text_by_option_key: Mapping[str, str]) -> dict[str, OptionValue]:
        """Returns the values of all options: parsed texts of the chosen ones, defaults of the others."""
        values = {option.key: option.default for option in self.options}
        for key, text in text_by_option_key.items():
            values[key] = find_option(self.title, self.options, key).parse_value(text)
        return values

    def parse_options_with_preset(
        self, text_by_option_key: Mapping[str, str], deck_by_name: Mapping[str, Deck]
    ) -> dict[str, OptionValue]:
        """Returns the values of all options as `parse_options` does; the preset's deck sets some of them.

        An option that people chose has the value that they chose.
        """
        preset = self.presets
        set_by_preset = {} if preset is None else preset.read_options(deck_by_name[preset.deck])
        return self.parse_options({**set_by_preset, **text_by_option_key})

    def check_player_count(self, player_names: Sequence[str]) -> None:
        """Raises `UserError` unless the game can be played by this number of players."""
        least, most = self.players
        if not least <= len(player_names) <= most:
            raise UserError(say("{game} is for {least} to {most} players, not {count}.",
                                 game=self.title, least=least, most=most,
                                 count=len(player_names)))  # fmt: skip  # one sentence

    def check_player_names_unambiguous(self, player_names: Sequence[str], ledger: Ledger) -> None:
        """Raises `UserError` if a player's name could mean a place, or everybody, in a typed payment."""
        if self.has_free_moves:
            places = dict.fromkeys(account.place for account in ledger if account.place.seat is None)
            check_names_not_reserved(
                [*player_names, *(place.key_with_player_name for place in places)], WORDS_FOR_ALL_PLAYERS
            )
            check_names_not_reserved(player_names, places)
