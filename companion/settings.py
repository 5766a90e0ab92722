"""The settings, which people choose once for all evenings; each field of `Settings` describes one setting.

House rules are in `Settings` too. They depend on the installed games; `companion.house_rules` describes them.

    settings, faults = load_settings(store)
    settings.sound
    save_setting(store, "sound", False)

The window draws the fields, the command lists them, and both check values by them. A saved value that isn't
allowed stays in the file, and the default is used. What the program remembers by itself, such as who played
last, is not a setting: `Store.save_value` saves it under keys of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

import msgspec

from companion.errors import UserError, make_unknown_name_error
from companion.files.bounded_json import decode_stored_json
from companion.house_rules import HOUSE_RULES_KEY, HouseRules, load_house_rules
from companion.languages import ENGLISH, languages
from companion.pin import hash_pin, is_pin, is_saved_pin
from companion.rules.game import ChoiceOption, GameOption, NumberOption, option_value_as_typed
from companion.store import Store
from companion.texts import Say, Text, say, say_n, say_plain_text

SettingValue = bool | int | str
AppliesTo = Literal["table", "machine"]
"""Whether a setting applies to everybody at this table, or to the screen and loudspeaker of this machine."""
APPLIES_TO: Mapping[AppliesTo, Say] = {"table": say("everybody at the table"), "machine": say("this device")}
OFF, ON = "off", "on"
NEVER, IDLE_MINUTES = "never", (1, 2, 5, 10, 30, 60)
"""The choices of a time without touches, in minutes."""


class SettingDescription(msgspec.Struct, frozen=True):
    """The texts about a setting, what it applies to, and which values are allowed.

    A text has `choices`: each value with its name. A number has `least` and `most`. A boolean has neither.
    `is_pin`: the setting is a PIN; only its hash is saved, and everybody learns only whether there is one.
    """

    label: Say
    hint: Say
    applies_to: AppliesTo
    choices: Callable[[], Mapping[str, Say]] | None = None
    least: int = 0
    most: int = 0
    is_pin: bool = False


def _language_choices() -> Mapping[str, Say]:
    return {code: say_plain_text(language.name) for code, language in languages().items()}


def _placement_choices() -> Mapping[str, Say]:
    return {"standing": say("On a stand"), "flat": say("Lying flat")}


def _on_off_choices() -> Mapping[str, Say]:
    return {ON: say("On"), OFF: say("Off")}


def _idle_time_choices() -> Mapping[str, Say]:
    minutes = {str(n): say_n("{n} minute", "{n} minutes", n=n) for n in IDLE_MINUTES}
    return {NEVER: say("Never"), **minutes}


def idle_seconds(choice: str) -> float | None:
    """Returns the seconds that a choice of a time without touches means; None for never."""
    return None if choice == NEVER else 60.0 * int(choice)


class Settings(msgspec.Struct, frozen=True):
    """All settings. A field whose key in the store is another word has that key as its `name`."""

    language: Annotated[
        str,
        SettingDescription(
            say("Language"),
            say("The language of the touchscreen and of the displays."),
            "table",
            _language_choices,
        ),
    ] = ENGLISH
    placement: Annotated[
        str,
        SettingDescription(
            say("Screen position"),
            say("Lying flat: every player's panel faces that player."),
            "machine",
            _placement_choices,
        ),
    ] = msgspec.field(default="standing", name="plan")
    sound: Annotated[
        bool,
        SettingDescription(
            say("Sound"), say("What you hear of money, cards, envelopes and clocks."), "machine"
        ),
    ] = True
    volume: Annotated[
        int,
        SettingDescription(
            say("Volume"), say("From 0, which is silent, to 5, the loudest."), "machine", least=0, most=5
        ),
    ] = 3
    brightness: Annotated[
        int,
        SettingDescription(
            say("Brightness"), say("From 1, the darkest, to 10, the brightest."), "machine", least=1, most=10
        ),
    ] = 10
    dim_after: Annotated[
        str,
        SettingDescription(
            say("Dim the screen after"),
            say("Darker after this time. The waking touch presses nothing."),
            "machine",
            _idle_time_choices,
        ),
    ] = "5"
    sleep_after: Annotated[
        str,
        SettingDescription(
            say("Screen goes dark after"),
            say("A touch turns the screen on again; this touch presses nothing."),
            "machine",
            _idle_time_choices,
        ),
    ] = "30"
    large_text: Annotated[
        bool,
        SettingDescription(say("Large text"), say("Texts are larger wherever there is room."), "machine"),
    ] = False
    high_contrast: Annotated[
        bool,
        SettingDescription(
            say("High contrast"), say("Black on white, on a black ground, with thicker lines."), "machine"
        ),
    ] = False
    reduced_motion: Annotated[
        bool,
        SettingDescription(
            say("Reduced motion"),
            say("Cards, coins and envelopes appear at once, without moving."),
            "machine",
        ),
    ] = False
    pin: Annotated[
        str,
        SettingDescription(
            say("PIN"),
            say("Four digits, asked before settings and moves in the bank."),
            "machine",
            is_pin=True,
        ),
    ] = ""
    house_rules: HouseRules = {}
    """The options with which new games begin; no single setting, so no setting of the list."""


class SettingDefinition(msgspec.Struct, frozen=True):
    """The definition of one setting: its name, key in the store, type, default and description."""

    name: str
    key: str
    type: type
    default: SettingValue
    description: SettingDescription

    @property
    def choices(self) -> dict[str, Say]:
        """The values as people write them, each with its label; none for a number.

        Of a PIN only on and off: whether there is one.
        """
        if self.type is bool or self.description.is_pin:
            return dict(_on_off_choices())
        return dict(self.description.choices()) if self.description.choices else {}

    @property
    def as_option(self) -> GameOption:
        """The setting as an option, as games have them; a boolean is a choice of on and off."""
        description, default = self.description, self.to_option(self.default)
        texts = (self.name, description.label, description.hint, default)
        if choices := self.choices:
            return ChoiceOption(*texts, choices=choices)
        return NumberOption(*texts, least=description.least, most=description.most)

    def to_option(self, value: SettingValue) -> int | str:
        """Converts a value of the setting to a value of the option: on and off for a boolean and a PIN."""
        return (ON if value else OFF) if self.type is bool or self.description.is_pin else value

    def from_option(self, value: int | str | None) -> SettingValue:
        """Converts a value of the option to a value of the setting."""
        assert value is not None  # only options without a default have it
        return value == ON if self.type is bool else value

    def parse_value(self, text: str) -> SettingValue:
        """Returns the value in a text that people typed; raises `UserError`, which says what is allowed.

        Of a PIN the text is four digits, and the value is their hash; for off the value is empty.
        """
        if not self.description.is_pin:
            return self.from_option(self.as_option.parse_value(text))
        if text == OFF:
            return ""
        self._require_pin(is_pin(text))
        return hash_pin(text)

    def format_value(self, value: SettingValue) -> str:
        """Returns a value as people type it."""
        return option_value_as_typed(self.to_option(value))

    def require_allowed_value(self, value: Any) -> SettingValue:
        """Returns the value if it is allowed; raises `UserError`, which says what is allowed, if not."""
        if self.description.is_pin:
            self._require_pin(isinstance(value, str) and (value == "" or is_saved_pin(value)))
            return str(value)
        has_type = isinstance(value, self.type)
        return self.parse_value(self.format_value(value) if has_type else msgspec.json.encode(value).decode())

    def _require_pin(self, is_allowed: bool) -> None:  # noqa: FBT001 - its caller gives it by place
        """Raises `UserError` unless a PIN is allowed; the sentence doesn't repeat what was typed."""
        if not is_allowed:
            raise UserError(say("A PIN must be four digits."))

    @property
    def allowed_values_text(self) -> Text:
        """The values that people may type, as text."""
        if self.description.is_pin:
            return say("on, which asks for four digits, or off")
        return self.as_option.allowed_values_text

    def public_value(self, value: SettingValue) -> SettingValue:
        """Returns a value for programs; of a PIN only whether there is one."""
        return bool(value) if self.description.is_pin else value

    def describe_value(self, value: SettingValue) -> Say:
        """Returns a value in words, such as *On a stand*."""
        text = self.format_value(value)
        return self.choices.get(text, say_plain_text(text))


def default_settings() -> Settings:
    """Returns the settings before anybody has changed them."""
    return Settings()


def setting_definitions() -> dict[str, SettingDefinition]:
    """Returns the definitions of all settings by name, in the order of the settings page."""
    definitions = {}
    for field in msgspec.structs.fields(Settings):
        if get_origin(field.type) is not Annotated:
            continue  # the house rules
        value_type, description = get_args(field.type)
        definitions[field.name] = SettingDefinition(
            field.name, field.encode_name, value_type, field.default, description
        )
    return definitions


def find_setting(name: str) -> SettingDefinition:
    """Returns the setting of that name; raises `UnknownName`, which lists all names."""
    known = setting_definitions()
    if name not in known:
        text = "There is no setting called {name}. Settings: {names}."
        raise make_unknown_name_error(name, known, say(text, name=name, names=", ".join(known)))
    return known[name]


class LoadedSettings(NamedTuple):
    """The saved settings, and a sentence about each saved value that isn't allowed."""

    settings: Settings
    faults: list[Say]


def load_settings(store: Store) -> LoadedSettings:
    """Returns the saved settings. A value that isn't allowed stays in the file, and the default is used."""
    values: dict[str, Any] = {}
    faults: list[Say] = []
    for name, setting in setting_definitions().items():
        try:
            values[name] = _load_value(store, setting)
        except (msgspec.DecodeError, UnicodeDecodeError, UserError):
            default = setting.describe_value(setting.default)
            text = "The saved setting “{setting}” can't be used. Until you change it, it is: {default}."
            faults.append(say(text, setting=setting.description.label, default=default))
    house_rules, faults_by_variant = load_house_rules(store)
    faults += chain.from_iterable(faults_by_variant.values())
    return LoadedSettings(Settings(**values, house_rules=house_rules), faults)


def has_saved_settings(store: Store) -> bool:
    """Returns whether any setting has a saved value, allowed or not."""
    keys = [*(setting.key for setting in setting_definitions().values()), HOUSE_RULES_KEY]
    return any(store.load_json_text(key) is not None for key in keys)


def save_setting(store: Store, name: str, value: Any) -> None:
    """Saves a setting; raises `UserError` for a value that isn't allowed, and then nothing has changed."""
    setting = find_setting(name)
    store.save_value(setting.key, setting.require_allowed_value(value))


def _load_value(store: Store, setting: SettingDefinition) -> SettingValue:
    """Returns the saved value, or the default if there is none; raises an error if it isn't allowed."""
    text = store.load_json_text(setting.key)
    if text is None:
        return setting.default
    return setting.require_allowed_value(decode_stored_json(msgspec.json.Decoder(), text))
