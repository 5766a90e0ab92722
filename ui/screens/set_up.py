"""Set-up: who plays, with which pieces and options; the result is a `NewGame`.

Each decision has a dialog of its own.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec
from kivy.lang import Builder
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.clocks import CLOCK_PRESETS, parse_clocks
from companion.name_matching import are_same_name, find_indistinguishable_names
from companion.rules.game import ChoiceOption, Game, GameOption
from companion.table.seats import MAX_NAME_LETTERS, Seat
from companion.table.table import OptionValue
from companion.texts import render, say_list, say_plain_text
from ui import theme
from ui.events import EventMixin, bind_weak
from ui.host import get_companion_app
from ui.pages import (
    DialogChoice,
    open_choice_dialog,
    open_dialog,
    open_keyboard,
    open_number_pad_on_touch,
    open_page,
)
from ui.screens.limits import TimeLimitsPage
from ui.screens.options import OptionsPager
from ui.widgets.drawing.containers import add_children
from ui.widgets.keys.key import Key, SingleChoiceRow
from ui.widgets.keys.preset_card import FavouriteKey
from ui.widgets.keys.steppers import TypableStepper
from ui.widgets.seats.panel_columns import MAX_FULL_DETAIL_PANELS
from ui.widgets.seats.seating import PlayerRow, TokenKey
from ui.words import capitalize_first_letter

Builder.load_file(str(Path(__file__).with_suffix(".kv")))

CLOCK_OPTION_KEY = "clock of the table"
"""The key of the clock option that every game has; no game's own key has spaces."""
NO_CLOCKS_CHOICE = "none"
"""The value of the clock option without a clock."""


class SetUpScreen(EventMixin, FloatLayout):
    """The screen for setting up a game: asks for players and options.

    Of a game with presets, one preset is set up: the one that people chose in the gallery.
    """

    game = ObjectProperty()
    last_players = ListProperty()
    """Names and colours of the players of the last game."""
    last_player_count = NumericProperty(0)
    """How many played the last game; 0 before the first."""
    known_players = ListProperty()
    """Names of people who played lately, with the colours of their pieces, the latest first."""
    recent_player_groups = ListProperty()
    """Names and colours of the last groups who played together; one touch seats a group."""
    availability_by_device_of_seat = ObjectProperty(lambda _seat: {})
    """A function that returns the devices of a seat by name, and whether each can be used now."""
    preset_name = StringProperty("")
    """The preset that is set up; by default the game's own, and "" if the game has no presets."""
    options_set_by_preset = ObjectProperty(lambda _game, _preset_name: {})
    """A function that returns the values of other options that a preset of a game sets, by their keys."""
    options_unused_by_preset = ObjectProperty(lambda _game, _preset_name: ())
    """A function that returns the keys of the options that have no effect with a preset of a game."""
    house_rules_of_preset = ObjectProperty(lambda _game, _preset_name: {})
    """A function that returns the house rules of a game, or of one of its presets: values of options."""
    players_of_preset = ObjectProperty(lambda game, _preset_name: game.players)
    """A function that returns the fewest and the most players that a preset of a game suits."""
    is_favourite = BooleanProperty(defaultvalue=False)
    """Whether the preset is a favourite, which home shows."""
    heading = StringProperty("")
    __events__ = (
        "on_begin",  # new_game: people begin that game
        "on_sides",  # people: players (name, colour) say where they sit
        "on_phones",  # seats: people give phones to these seats
        "on_favourite",  # people make the preset a favourite, or no favourite any more
        "on_leave",  # people go back without a new game
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.seating = SeatingPlan.for_game(self.game, self.last_players, self.last_player_count)
        self.value_by_option: dict[str, OptionValue] = {
            option.key: option.default for option in self.game.options
        } | {CLOCK_OPTION_KEY: NO_CLOCKS_CHOICE}
        self._unused_options: Collection[str] = ()
        if self.game.presets is not None:
            self.ids.head.add_widget(self._make_favourite_key(), index=1)
            self.preset_name = self.preset_name or str(self.game.preset_option.default)
            least, most = self.players_of_preset(self.game, self.preset_name)
            self.seating = replace(self.seating, size=min(most, max(least, self.seating.size)))
            self.value_by_option[self.game.presets.option] = self.preset_name
            self.value_by_option |= self.options_set_by_preset(self.game, self.preset_name)
            self._unused_options = {
                self.game.presets.option,
                *self.options_unused_by_preset(self.game, self.preset_name),
            }
        self.value_by_option |= self.house_rules_of_preset(self.game, self.preset_name)
        self.is_showing_rules = False
        bind_weak(get_companion_app(), "lang", self._rebuild)
        self._rebuild()

    def _make_favourite_key(self) -> FavouriteKey:
        """Returns the key with a star, which is filled for a favourite."""
        key = FavouriteKey(name="favourite", look="felt", size_hint_x=None, width=theme.length.target)
        key.bind(on_release=lambda _: self.dispatch("on_favourite"))
        self.bind(is_favourite=key.setter("is_favourite"))
        return key

    @property
    def player_names(self) -> tuple[str, ...]:
        """Returns the names of all players: `Player 1` until somebody types a name."""
        app = get_companion_app()
        return tuple(
            guest.name or app.tr("Player {n}", n=number)
            for number, guest in enumerate(self.seating.active_guests, 1)
        )

    @property
    def seats(self) -> Sequence[Seat]:
        """The seats of the game that people set up."""
        guests = self.seating.active_guests
        return [
            Seat(number, name, guest.colour)
            for number, (name, guest) in enumerate(zip(self.player_names, guests, strict=True), 1)
        ]

    @property
    def _options(self) -> tuple[GameOption, ...]:
        """Returns the options of the game that have an effect, and the clock option."""
        options = [option for option in self.game.options if option.key not in self._unused_options]
        return (*options, _make_clock_option(get_companion_app()))

    def show_device_press(self, device: str) -> None:
        """Lights up the row of the player whose device was pressed."""
        for index in self._rows_with_device(device):
            self.people_page.devices_by_player = self._inputs()
            self.people_page.rows[index].flash()

    def update_device_availability(self, device: str) -> None:
        """Shows whether a device that was lost or found can be used now."""
        if self._rows_with_device(device):
            self.people_page.devices_by_player = self._inputs()

    def update_phones(self) -> None:
        """Shows which seats have a phone, and whether it is asleep."""
        if not self.is_showing_rules:
            self._update_people_page()

    def _rows_with_device(self, device: str) -> list[int]:
        """Returns the rows of the players who have this device; none while the rules are shown."""
        if self.is_showing_rules:
            return []
        return [
            index
            for index in range(self.seating.size)
            if device in self.availability_by_device_of_seat(index + 1)
        ]

    def _inputs(self) -> list[list[tuple[str, bool]]]:
        """Returns the kinds of devices of each seat, and whether they can be used.

        Returns an empty list if no seat has a device.
        """
        devices_by_seat = [
            self.availability_by_device_of_seat(number) for number in range(1, self.seating.size + 1)
        ]
        if not any(devices_by_seat):
            return []
        return [
            [(name.split()[0], is_usable) for name, is_usable in devices.items()]
            for devices in devices_by_seat
        ]

    def step_back(self) -> None:
        """Goes back from the rules to the players, and from the players home."""
        if self.is_showing_rules:
            self.is_showing_rules = False
            self._rebuild()
        else:
            self.dispatch("on_leave")

    def _rebuild(self, *_: object) -> None:
        app = get_companion_app()
        title = capitalize_first_letter(render(self.game.title_for_options(self.value_by_option), app.lang))
        self.ids.page.clear_widgets()
        if self.is_showing_rules:
            self.heading = app.tr("{game}: the rules", game=title)
            self.ids.page.add_widget(self._make_rules_pager())
        else:
            self.heading = app.tr("{game}: who plays?", game=title)
            self.ids.page.add_widget(self._make_people_page())

    def _make_people_page(self) -> Widget:
        least, most = self.game.players
        counts = list(range(least, most + 1))
        self.people_page = PeoplePage(
            allowed_player_counts=counts,
            player_count=self.seating.size,
            has_recent_groups=bool(self._fitting_groups),
        )
        self._update_people_page()
        self.people_page.bind(
            on_count=lambda _, count: self._replace_seating(replace(self.seating, size=count)),
            on_token=lambda _, index: self._ask_colour(index),
            on_rename=lambda _, index: self._ask_name(index),
            on_groups=lambda _: self._ask_group(),
            on_sides=lambda _: self.dispatch("on_sides", list(self.people_page.people)),
            on_rules=lambda _: self._show_rules(),
            on_done=lambda _: self._begin(),
        )
        return self.people_page

    def _update_people_page(self) -> None:
        app, names = get_companion_app(), self.player_names
        conflict = find_indistinguishable_names(names)
        self.people_page.people = [
            (name, guest.colour) for name, guest in zip(names, self.seating.active_guests, strict=True)
        ]
        self.people_page.devices_by_player = self._inputs()
        self.people_page.is_blocked = conflict is not None
        if conflict is not None:
            self.people_page.remark = _name_conflict_text(app, *conflict)
        elif any(kind != "phone" for inputs in self.people_page.devices_by_player for kind, _ in inputs):
            self.people_page.remark = app.tr(
                "Seats go clockwise. Touch a name or piece to change it, press a key to test it."
            )
        else:
            self.people_page.remark = app.tr("Seats go clockwise. Touch a name or piece to change it.")

    def _replace_seating(self, seating: SeatingPlan) -> None:
        self.seating = seating
        self._update_people_page()

    def _show_rules(self) -> None:
        self.is_showing_rules = True
        self._rebuild()

    def _ask_name(self, guest_index: int) -> None:
        """Asks for the name of a player, then for the next name that nobody has typed."""
        app, old_name = get_companion_app(), self.seating.guests[guest_index].name

        def rename(name: str) -> None:
            piece = next((piece for known, piece in self.known_players if are_same_name(known, name)), "")
            self._replace_seating(self.seating.with_name(guest_index, name, piece))
            next_index = self.seating.next_unnamed_guest(guest_index)
            if next_index is not None:
                self._ask_name(next_index)

        open_keyboard(
            app.tr("Name of seat {n}", n=guest_index + 1),
            rename,
            max_letters=MAX_NAME_LETTERS,
            text=old_name,
            replaces_text=bool(old_name),
            cancel_text=app.tr("Close"),
            known_names=self._absent_known_players,
        )

    @property
    def _absent_known_players(self) -> list[tuple[str, str]]:
        """Returns the known players who have no seat."""
        seated = [guest.name for guest in self.seating.active_guests]
        return [
            (name, colour)
            for name, colour in self.known_players
            if not any(are_same_name(name, other) for other in seated)
        ]

    @property
    def _fitting_groups(self) -> list[Sequence[tuple[str, str]]]:
        """Returns the last groups that fit the game's number of players, without the current group."""
        current = {(guest.name, guest.colour) for guest in self.seating.active_guests}
        least, most = self.game.players
        return [
            group
            for group in self.recent_player_groups
            if least <= len(group) <= most and {*map(tuple, group)} != current
        ]

    def _ask_group(self) -> None:
        """Lists the groups who played together lately; a touch seats a whole group."""
        app = get_companion_app()

        def seat_group(group: Sequence[tuple[str, str]]) -> None:
            self.seating = SeatingPlan.for_game(self.game, group)
            self._rebuild()

        groups = [
            DialogChoice(
                f"group {index}",
                render(say_list([say_plain_text(name) for name, _ in group]), app.lang),
                partial(seat_group, group),
            )
            for index, group in enumerate(self._fitting_groups)
        ]
        open_choice_dialog(app.tr("Who plays?"), groups, columns=1, lines=3)

    def _ask_colour(self, guest_index: int) -> None:
        """Shows all pieces, of which people touch one."""
        app, colour = get_companion_app(), self.seating.guests[guest_index].colour
        keys = [TokenKey(colour=each, chosen=each == colour, name=each) for each in theme.PLAYER_LOOKS]
        grid = GridLayout(cols=4 if app.stage.is_next_page_portrait else 6, spacing=theme.length.gap / 2)
        title = app.tr("Which piece does {name} take?", name=self.player_names[guest_index])
        dialog = open_dialog(title, "", DialogChoice("no", app.tr("Cancel")), body=add_children(grid, *keys))
        dialog.bind_closing_keys(
            keys, lambda key: self._replace_seating(self.seating.with_colour(guest_index, key.colour))
        )

    def _make_rules_pager(self) -> Widget:
        """Returns the pages of options, with the key that begins the game."""
        app = get_companion_app()
        begin = Key(look="brass", name="begin", text=app.tr("Begin"))
        begin.bind(on_release=lambda _: self._begin())
        own_texts = {CLOCK_OPTION_KEY: app.tr("Our own limits")}
        pager = OptionsPager(self._options, dict(self.value_by_option), own_texts, corner=begin)
        pager.bind(
            on_value=lambda _, key, value: self._set_value(pager, key, value),
            on_own=lambda _, _option: self._open_clocks_page(pager),
        )
        return pager

    def choose_option(self, option: str, value: OptionValue) -> None:
        """Chooses a value, as a touch would."""
        self.value_by_option[option] = value
        self._rebuild()

    def _open_clocks_page(self, pager: OptionsPager) -> None:
        """Opens the page of the table's own clocks; clocks equal to a preset get its name."""

        def choose_clocks(text: str) -> None:
            matching = (name for name in CLOCK_PRESETS if parse_clocks(name) == parse_clocks(text))
            self._set_value(pager, CLOCK_OPTION_KEY, next(matching, text))

        text = str(self.value_by_option[CLOCK_OPTION_KEY])
        open_page(TimeLimitsPage(text, self.game.question_kinds, choose_clocks))

    def _set_value(self, pager: OptionsPager, key: str, value: OptionValue) -> None:
        self.value_by_option[key] = value
        pager.show_options(self._options, dict(self.value_by_option))

    def _begin(self) -> None:
        options = dict(self.value_by_option)
        clocks = str(options.pop(CLOCK_OPTION_KEY))
        self.dispatch("on_begin", self.seating.make_new_game(self.game, self.player_names, options, clocks))


def _make_clock_option(app: Any) -> ChoiceOption:
    """Returns the clock option that every game has, with the presets of `companion.clocks.CLOCK_PRESETS`."""
    presets = {
        NO_CLOCKS_CHOICE: app.tr("No clock"),
        "watch": app.tr("Only measure time"),
        "turn": app.tr("1 minute per turn, then a bell"),
        "bids": app.tr("20 s per bid; too late means no bid"),
        "auction": app.tr("1 minute per lot; a late bid leaves 10 s"),
        "falling": app.tr("The price falls every 4 s"),
        "budget": app.tr("15 minutes per player, plus 10 s per turn"),
    }
    choices = {key: say_plain_text(text) for key, text in presets.items()}
    title, sentence = app.tr("Clock"), app.tr("Choose how long players may think.")
    return ChoiceOption(
        CLOCK_OPTION_KEY, say_plain_text(title), say_plain_text(sentence), NO_CLOCKS_CHOICE, choices=choices
    )


def _name_conflict_text(app: Any, name: str, other: str) -> str:
    """Returns why a game can't begin with two names that look alike."""
    if name == other:
        return str(app.tr("Two players are called {name}. Change one of the names.", name=name))
    return str(
        app.tr("{one} and {other} count as the same name. Change one of the names.", one=name, other=other)
    )


# The first page of set-up: how many play, who they are and which piece is theirs.


class PeoplePage(EventMixin, BoxLayout):
    """A page of the players and their number.

    `people_page` are (name, colour), clockwise. `allowed_player_counts` are the numbers of players that the
    game allows. `devices_by_player` are the kinds of devices of each player, and whether they can be used;
    empty if there are none.
    """

    people = ListProperty()
    allowed_player_counts = ListProperty()
    devices_by_player = ListProperty()
    player_count = NumericProperty(0)
    remark = StringProperty("")
    is_blocked = BooleanProperty(defaultvalue=False)
    has_recent_groups = BooleanProperty(defaultvalue=False)
    """Whether there is another group to choose, besides the current players."""
    is_upright = BooleanProperty(defaultvalue=False)
    __events__ = (
        "on_count",  # count: people choose the number of players
        "on_token",  # index: people choose another piece for a player
        "on_rename",  # index: people rename a player
        "on_groups",  # people open the list of groups who played together lately
        "on_sides",  # people say where they sit
        "on_rules",  # people look at the rules, which they may change
        "on_done",  # people begin the game
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(is_upright=get_companion_app().stage.is_next_page_portrait, **kwargs)
        if not self.has_recent_groups:
            self.ids.ways.remove_widget(self.ids.groups)
        self.ids.count.add_widget(self._make_count_control())
        self.rows: list[PlayerRow] = []
        self.bind(people=self._rebuild_rows, devices_by_player=self._show_devices)
        self._rebuild_rows()

    def _make_count_control(self) -> Widget:
        """Returns a key for each possible number of players; a stepper if there are many."""
        if len(self.allowed_player_counts) <= MAX_FULL_DETAIL_PANELS:
            chips = SingleChoiceRow(
                choices=[(count, str(count)) for count in self.allowed_player_counts],
                chosen=self.player_count,
            )
            chips.bind(chosen=lambda _, count: self.dispatch("on_count", count))
            return chips
        dial = TypableStepper(
            "players",
            least=self.allowed_player_counts[0],
            most=self.allowed_player_counts[-1],
            count=self.player_count,
        )
        dial.bind(count=lambda _, count: self.dispatch("on_count", int(count)))
        open_number_pad_on_touch(dial)
        return dial

    def _show_devices(self, *_: object) -> None:
        for row, inputs in zip_longest(self.rows, self.devices_by_player[: len(self.rows)]):
            row.show_devices(inputs)

    def _rebuild_rows(self, *_: object) -> None:
        """Makes a row for each player, in one column; many rows are in two columns."""
        columns = 1 if len(self.people) <= MAX_FULL_DETAIL_PANELS else 2
        row_count = -(-len(self.people) // columns)
        row_height = theme.length.target * (1.06 if columns == 1 else 1.0)
        row_height *= 1.0 if self.is_upright else theme.max_growth
        gap = theme.length.gap
        self.ids.rows.padding = gap if columns == 1 else (gap, gap / 4)
        self.ids.rows.clear_widgets()
        self.rows = [self._make_row(index, is_narrow=columns > 1) for index in range(len(self.people))]
        grid = GridLayout(
            cols=columns,
            rows=row_count,
            orientation="tb-lr",
            size_hint_y=None,
            height=row_count * row_height,
        )
        add_children(self.ids.rows, add_children(grid, *self.rows), BoxLayout())
        if columns > 1 and self.is_upright:  # the rows are exactly as high as they must be
            self.ids.rows.size_hint_y, self.ids.rows.height = None, grid.height + gap
            for keys in (self.ids.count, self.ids.ways, self.ids.onward):
                keys.height = theme.length.target
        self._show_devices()

    def _make_row(self, index: int, *, is_narrow: bool) -> PlayerRow:
        name, colour = self.people[index]
        row = PlayerRow(name=name, colour=colour, is_narrow=is_narrow)
        row.bind(
            on_token=lambda _: self.dispatch("on_token", index),
            on_rename=lambda _: self.dispatch("on_rename", index),
        )
        return row


# The players during set-up, and the game that they begin. Neither is a widget.


class NewGame(msgspec.Struct, frozen=True):
    """A game that is about to begin: its options and clocks, and who plays with which pieces.

    Set-up creates it. `guests` are name and colour of everybody who was seated, to be remembered; an
    untyped name is empty. `preset_name` is empty if the game has no presets.
    """

    game: str
    names: tuple[str, ...]
    colours: tuple[str, ...]
    options: Mapping[str, OptionValue]
    clocks: str
    guests: tuple[tuple[str, str], ...]
    preset_name: str = ""


@dataclass(frozen=True)
class Guest:
    """A guest who may play: a colour, and a name once somebody typed one."""

    colour: str
    name: str = ""


@dataclass(frozen=True)
class SeatingPlan:
    """A plan of who sits where: twelve guests in clockwise order, of whom the first `size` play."""

    guests: tuple[Guest, ...]
    size: int

    @staticmethod
    def for_game(game: Game, people: Sequence[tuple[str, str]] = (), size: int = 0) -> SeatingPlan:
        """Returns a plan with these people (name, colour) first, and that many guests if the game allows.

        A `size` of 0 stands for the number of people with names.
        """
        least, most = game.players
        known = [Guest(colour, name) for name, colour in people if colour in theme.PLAYER_LOOKS]
        used_colours = {guest.colour for guest in known}
        guests = (*known, *(Guest(colour) for colour in theme.PLAYER_LOOKS if colour not in used_colours))
        named_count = sum(bool(guest.name) for guest in known)
        return SeatingPlan(guests, min(most, max(least, size or named_count)))

    @property
    def active_guests(self) -> tuple[Guest, ...]:
        """Returns the guests who play."""
        return self.guests[: self.size]

    def with_name(self, guest_index: int, name: str, preferred_colour: str = "") -> SeatingPlan:
        """Returns the plan with another name for a guest (from 0).

        The guest gets the preferred colour, unless it is empty or another guest with a name has it. A guest
        who doesn't play loses the same name, so that nobody sits twice when more people play.
        """
        guests = [
            replace(guest, name="") if index >= self.size and are_same_name(guest.name, name) else guest
            for index, guest in enumerate(self.guests)
        ]
        guests[guest_index] = replace(guests[guest_index], name=name)
        plan = replace(self, guests=tuple(guests))
        named_others = {guest.colour for guest in self.active_guests if guest.name} - {
            self.guests[guest_index].colour
        }
        if preferred_colour not in theme.PLAYER_LOOKS or preferred_colour in named_others:
            return plan
        return plan.with_colour(guest_index, preferred_colour)

    def next_unnamed_guest(self, guest_index: int) -> int | None:
        """Returns the next guest clockwise without a name; None if all guests who play have names."""
        others = (*range(guest_index + 1, self.size), *range(guest_index))
        return next((index for index in others if not self.guests[index].name), None)

    def with_colour(self, guest_index: int, colour: str) -> SeatingPlan:
        """Returns the plan with another colour for a guest (from 0); the guest who had it gets theirs."""
        holder = next(index for index, guest in enumerate(self.guests) if guest.colour == colour)
        guests = list(self.guests)
        guests[holder] = replace(guests[holder], colour=guests[guest_index].colour)
        guests[guest_index] = replace(guests[guest_index], colour=colour)
        return replace(self, guests=tuple(guests))

    def make_new_game(
        self, game: Game, names: tuple[str, ...], options: Mapping[str, OptionValue], clocks: str
    ) -> NewGame:
        """Returns the game that these guests are about to begin."""
        colours = tuple(guest.colour for guest in self.active_guests)
        guests = tuple((guest.name, guest.colour) for guest in self.guests)
        preset = "" if game.presets is None else str(options[game.presets.option])
        return NewGame(game.key, names, colours, options, clocks, guests, preset)
