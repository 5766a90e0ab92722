"""The settings screen, made from the fields of `companion.settings.Settings`, and pages of single settings.

These are the list of languages, and the position of the screen: standing or flat, and the side at which each
player sits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

from kivy.uix.widget import Widget

from companion.languages import languages
from companion.record.remembered_players import PLAYER_SIDES_KEY
from companion.settings import OFF, SettingDefinition, Settings, find_setting, setting_definitions
from companion.table.seats import Seat
from companion.texts import render
from ui import theme
from ui.evening.controller import TableController
from ui.events import bind_weak
from ui.host import AppWithEvening, AppWithStage
from ui.layouts.flat import choose_side_to_face, default_sides
from ui.pages import DialogChoice, Page, open_choice_dialog, open_page
from ui.screens.about import open_about
from ui.screens.date_and_time import open_date_and_time
from ui.screens.house_rules import open_house_rules
from ui.screens.options import OptionsPager, SlipWithKey
from ui.screens.pin import ask_for_new_pin, run_after_pin
from ui.screens.play import PlayScreen
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key, SingleChoiceRow
from ui.widgets.seats.seating import SeatingTable


class SettingsPage(Page):
    """A page with a slip for each setting; with `open_service`, a key in the corner calls it.

    Changes take effect at once. The page shows the slip of `first_setting` first.
    """

    def __init__(
        self,
        controller: TableController,
        open_service: Callable[[], object] | None = None,
        first_setting: str = "",
    ) -> None:
        super().__init__()
        self._controller, self._open_service = controller, open_service
        self._corner: Key | None = None
        if open_service is not None:
            self._corner = Key(name="service", icon="service", look="felt", size_hint_x=None)
            self._corner.bind(on_release=lambda _: open_service())
        # The keys stand beside the title, so that a small screen has room for one slip more.
        self._pager = OptionsPager(
            (), {}, first_key=first_setting, has_external_keys=True, between=theme.length.gap / 2
        )
        self._pager.bind(on_value=lambda _, name, value: self._change_setting(name, value))
        page_keys = (self._pager.back_key, self._pager.page_number, self._pager.next_key)
        corner_keys = () if self._corner is None else (self._corner,)
        self.add_content("", self._pager, keys_beside_title=(*page_keys, *corner_keys))
        bind_weak(controller, "settings", self._show_settings)
        self._show_settings(controller, controller.settings)

    def _show_settings(self, _controller: TableController, settings: Settings) -> None:
        """Shows all settings as they are now, in the reader's language."""
        definitions = setting_definitions()
        if self._corner is not None:
            self._corner.text = self.app.tr("Service")
            self._corner.width = self._corner.min_width_in_row()
        self.head.title.text = self.app.tr("Settings")
        self._pager.show_options(
            [*(setting.as_option for setting in definitions.values()), *self._make_slips_without_value()],
            {name: setting.to_option(getattr(settings, name)) for name, setting in definitions.items()},
        )

    def _make_slips_without_value(self) -> list[SlipWithKey]:
        """Returns the slips of the house rules, of the date and time on a machine of its own, and About."""
        tr, set_clock = self.app.tr, self.app.set_system_clock
        rules_hint = tr("Rules that you always play with. Set-up begins with them.")
        open_rules = partial(open_house_rules, self.app)
        rules = SlipWithKey("house rules", tr("House rules"), rules_hint, tr("Change"), open_rules)
        about_hint = tr("The version, the licence, and where the games are saved.")
        about = SlipWithKey("about", tr("About"), about_hint, tr("Show"), partial(open_about, self.app))
        if set_clock is None:
            return [rules, about]
        hint = tr("For a machine without a network.")
        set_date = partial(open_date_and_time, self.app, set_clock)
        return [rules, SlipWithKey("date", tr("Date and time"), hint, tr("Change"), set_date), about]

    def _change_setting(self, name: str, value: int | str) -> None:
        """Changes a setting; if everything was built again for another look, opens this page again."""
        overlay, definition = self.parent, find_setting(name)
        if definition.description.is_pin:
            self._change_pin(definition, value)
            return
        self._controller.change_setting(name, definition.from_option(value))
        if overlay is not None and overlay.parent is None:
            open_page(SettingsPage(self._controller, self._open_service, name))

    def _change_pin(self, definition: SettingDefinition, value: int | str) -> None:
        """Turns the PIN off, or asks for a new one."""

        def change(text: str) -> None:
            self._controller.change_setting(definition.name, definition.parse_value(text))

        if value == OFF:
            change(OFF)
            return
        # There is no PIN until it is entered, so the slip says off again.
        self._show_settings(self._controller, self._controller.settings)
        ask_for_new_pin(self.app, change)


# The way to the settings, from home and from the table.


def open_settings(app: AppWithEvening, open_service: Callable[[], object] | None = None) -> None:
    """Opens the page of the settings after the PIN; with `open_service`, a key in the corner calls it."""
    run_after_pin(app, lambda: open_page(SettingsPage(app.controller, open_service)))


# The list of languages, each by its own name.


UPRIGHT_LANGUAGE_GRID, LANDSCAPE_LANGUAGE_GRID = (2, 5), (3, 3)
"""Columns and rows of a page of languages on an upright screen and on a landscape screen."""


def open_language_list(app: AppWithStage) -> None:
    """Opens the list of all languages; a touch changes the language of the whole app at once."""

    def change(code: str) -> None:
        app.lang = code

    choices = [
        DialogChoice(f"language {code}", language.name, partial(change, code), is_chosen=code == app.lang)
        for code, language in languages().items()
    ]
    columns, rows = UPRIGHT_LANGUAGE_GRID if app.stage.is_next_page_portrait else LANDSCAPE_LANGUAGE_GRID
    close = DialogChoice("close", app.tr("Close"))
    open_choice_dialog(app.tr("Language"), choices, close, columns=columns, rows_per_page=rows)


# The position of the screen, and the side at which each player sits.


class ScreenPlacementPage(Page):
    """A page for the screen's position: standing or flat; if flat, people drag their names to their sides.

    `choose_placement` gets the position that people choose. `save_sides` gets the side of each player
    whenever people move one.
    """

    def __init__(
        self,
        people: Sequence[tuple[str, str]],
        placement: str,
        sides: Mapping[str, int],
        *,
        choose_placement: Callable[[str], object],
        save_sides: Callable[[Mapping[str, int]], object],
    ) -> None:
        super().__init__()
        self._choose, self._save_sides = choose_placement, save_sides
        tr, sizes = self.app.tr, theme.length
        definition, lang = find_setting("placement"), self.app.lang
        choices = [(value, render(text, lang)) for value, text in definition.choices.items()]
        self.placement_chips = SingleChoiceRow(
            choices=choices, chosen=placement, name=definition.name, size_hint_y=None, height=sizes.row
        )
        self.hint = FittedLabel(is_on_felt=True, lines=2, size_hint_y=None, height=sizes.body * 2.6)
        self.seating_table = SeatingTable(people=list(people), sides=dict(sides))
        self.empty_space = Widget()
        self.add_content(tr("Screen position"), self.placement_chips, self.hint, self.seating_table)
        self.placement_chips.bind(chosen=lambda _, plan: self._choose_placement(plan))
        self.seating_table.bind(on_side=lambda _, name, side: self._move_player(name, side))
        self._show_table_if_flat()

    def _choose_placement(self, plan: str) -> None:
        self._show_table_if_flat()
        self._choose(plan)

    def _move_player(self, name: str, side: int) -> None:
        self.seating_table.sides = {**self.seating_table.sides, name: side}
        self._save_sides(self.seating_table.sides)

    def _show_table_if_flat(self) -> None:
        """Shows the table only for a flat screen."""
        tr, is_flat = self.app.tr, self.placement_chips.chosen == "flat"
        self.hint.text = (
            tr("Drag each name to the side of the table where that player sits.")
            if is_flat
            else tr("Everybody looks at the screen from the same side.")
        )
        shown, hidden = (
            (self.seating_table, self.empty_space) if is_flat else (self.empty_space, self.seating_table)
        )
        self.remove_widget(hidden)
        if shown.parent is None:
            self.add_widget(shown)


# The position is saved for later evenings.


class ScreenPlacement:
    """The saved position of the screen and of the players."""

    def __init__(self, app: AppWithEvening) -> None:
        self.app = app

    @property
    def placement(self) -> str:
        """Returns the placement of the screen: `standing` or `flat`, as in the settings."""
        return str(self.app.controller.settings.placement)

    def side_by_player(self, player_names: Sequence[str]) -> dict[str, int]:
        """Returns the saved side of each player; players without one are spread around the table."""
        saved = self._saved_sides
        default = default_sides(len(player_names), is_portrait=self.app.stage.height > self.app.stage.width)
        return {name: saved.get(name, side) % 4 for name, side in zip(player_names, default, strict=True)}

    def side_by_seat(self, seats: Sequence[Seat]) -> dict[Seat, int]:
        """Returns the side of each player around a screen that lies flat; nothing if the screen stands."""
        side_by_player = self.side_by_player([seat.name for seat in seats])
        return {seat: side_by_player[seat.name] for seat in seats} if self.placement == "flat" else {}

    def side_to_face(self, seats: Sequence[Seat], asked_seats: Sequence[Seat]) -> int:
        """Returns the side that a screen faces after a question to these seats; 0 if it stands."""
        if self.placement != "flat":
            return 0
        side_by_player = self.side_by_player([seat.name for seat in seats])
        asked_side = side_by_player[asked_seats[0].name] if len(asked_seats) == 1 else None
        stage = self.app.stage
        return choose_side_to_face({*side_by_player.values()}, (stage.width, stage.height), asked_side)

    def apply_to(self, play_screen: PlayScreen) -> None:
        """Applies the position to the play screen."""
        seats: Sequence[Seat] = play_screen.view.seats
        side_by_player = self.side_by_player([seat.name for seat in seats])
        play_screen.side_by_seat = {seat: side_by_player[seat.name] for seat in seats}
        play_screen.layout_name = "flat" if self.placement == "flat" else ""

    def open_page_for(self, people: Sequence[tuple[str, str]]) -> None:
        """Opens the page for these players, each a name and a colour."""
        open_page(
            ScreenPlacementPage(
                people,
                self.placement,
                self.side_by_player([name for name, _ in people]),
                choose_placement=partial(self.app.controller.change_setting, "placement"),
                save_sides=self._save_sides,
            )
        )

    @property
    def _saved_sides(self) -> dict[str, int]:
        return dict(self.app.controller.load_remembered_value(PLAYER_SIDES_KEY, {}, dict[str, int]))

    def _save_sides(self, sides: Mapping[str, int]) -> None:
        self.app.controller.remember_value(PLAYER_SIDES_KEY, {**self._saved_sides, **sides})
        if isinstance(screen := self.app.stage.screen, PlayScreen):
            self.apply_to(screen)
