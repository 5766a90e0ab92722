"""The Kivy app: which screen is shown, in which language and at which size.

    configure_kivy(state / "kivy", WindowSettings())
    CompanionApp(lambda: TableController(Store.open(state, for_writing=True), read_machine_wiring())).run()

The first frame shows home. Only then the app imports the other screens.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.properties import BooleanProperty, StringProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion import languages
from companion.errors import CompanionError
from ui import theme
from ui.evening import home_snapshot
from ui.evening.first_steps import FirstStepsOffer
from ui.evening.home_snapshot import HomeSnapshot
from ui.evening.pin_attempts import PinAttempts
from ui.idle_dimmer import IdleDimmer
from ui.pages import DialogChoice, open_dialog, show_message
from ui.screen_light import ScreenLight
from ui.screens.home import HomeFlow, make_home_screen
from ui.screens.quit_flow import QuitFlow
from ui.sound import SoundPlayer
from ui.stage import Stage
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.still_picture import StillPicture
from ui.widgets.drawing.text import load_fonts
from ui.words import ScreenTexts

if TYPE_CHECKING:
    from companion.evening import Evening
    from companion.rules.game import Game
    from companion.settings import Settings
    from hardware.numpads import InputDeviceSource
    from ui.evening.controller import TableController
    from ui.host import SetClockFunction
    from ui.screens.cards_and_tags import CardsFlow
    from ui.screens.home import HomeScreen
    from ui.screens.number_pads import NumberPadsFlow
    from ui.screens.presets import PresetFlow
    from ui.screens.recovery import StartErrorScreen
    from ui.screens.service import ServiceFlow
    from ui.screens.table import TableFlow


class CompanionApp(App):
    """The Kivy app.

    `open_evening` may raise a `CompanionError`: the app shows its sentence until opening works. After a
    `WiringError` people may go on by touch, with the evening that `without_devices` opens. Without `lang` the
    app uses the language of the last evening. `find_inputs` returns the input devices that are searched when
    people pair number pads with seats. `make_drawer` makes the drawer over every screen; the app calls its
    `rebuild` and `close`. With a `home_snapshot_file` the app draws home as it was last, before games and
    devices are loaded; a touch waits for them. The other screens are loaded once home is drawn, so that home
    appears sooner.
    """

    title = "Companion"
    lang = StringProperty(languages.ENGLISH)
    is_sound_on = BooleanProperty(defaultvalue=True)
    """Whether effects can be heard: sound is on, and the volume isn't 0."""
    has_reduced_motion = False
    """Whether the settings reduce motion; something else may reduce it too, such as a film."""
    home_flow: HomeFlow | None = None
    table_flow: TableFlow
    cards_flow: CardsFlow
    service_flow: ServiceFlow
    preset_flow: PresetFlow
    number_pads_flow: NumberPadsFlow | None = None
    _controller: TableController | None = None
    home_snapshot_file: Path | None = None
    """The file with the last snapshot of the home screen; the next start draws it before games are loaded."""
    set_system_clock: SetClockFunction | None = None
    """Sets the machine's clock; None on a PC, whose clock isn't ours."""
    open_safe_evening: Callable[[], TableController] | None = None
    """Opens an evening in safe mode."""
    asks_first_questions = False
    """True if the app asks for language, placement and sound before anybody has chosen or played anything."""
    offers_safe_mode = False
    """True after repeated crashes: the app offers safe mode."""
    shows_table_across_room = True
    """Whether the table is shown in large letters after a minute without a touch."""
    reopens_game_after_crash = False
    """True after a crash or a power cut: the app opens the interrupted game again."""
    after_loading: Callable[[], object] = staticmethod(lambda: None)
    """Called when everything that stays in memory is loaded."""
    _saved_snapshot: HomeSnapshot | None = None
    _after_next_frame: Callable[[], object]
    """Called after the next frame."""

    def __init__(
        self,
        open_evening: Callable[[], TableController],
        lang: str | None = None,
        without_devices: Callable[[], TableController] | None = None,
        find_inputs: Callable[[], InputDeviceSource] | None = None,
        make_drawer: Callable[[CompanionApp], Widget] | None = None,
        **kwargs: Any,
    ) -> None:
        if lang is not None:
            kwargs["lang"] = lang
        super().__init__(**kwargs)
        self.words = ScreenTexts()
        self.quit_flow = QuitFlow(self)
        self.drawer: Any = None
        self.sounds = SoundPlayer()
        self.dimmer = IdleDimmer(ScreenLight())
        self.pin_attempts = PinAttempts()
        self._open_evening = open_evening
        self._without_devices = without_devices
        self._find_inputs = find_inputs
        self._make_drawer = make_drawer
        self._has_language_argument = lang is not None

    # Texts, languages and settings

    def tr(self, text: str, **values: object) -> str:
        """Returns a text in the reader's language: `tr("{name}, take the screen", name="Aki")`."""
        return self.words.translate_text(self.lang, text, **values)

    def trn(self, one: str, many: str, n: int) -> str:
        """Returns the singular or plural text for `n` things; both may hold `{n}`."""
        return self.words.translate_plural(self.lang, one, many, n)

    def toggle_sounds(self) -> None:
        """Turns sounds on or off, now and in later evenings; without an open evening nothing happens."""
        if self.has_open_evening:
            self.controller.toggle_sound()

    def on_lang(self, _app: object, lang: str) -> None:
        """Updates all screens after `lang` has changed, and saves the new language as a setting."""
        if self.home_flow is not None:
            self.home_flow.update_language()
        if self.has_open_evening and lang != self.controller.settings.language:
            self.controller.change_setting("language", lang)

    def _apply_settings(self, settings: Settings) -> None:
        """Applies settings at once; the table itself follows the placement of the screen."""
        self.controller.display_language = self.lang = settings.language
        old_volume, self.sounds.volume = self.sounds.volume, settings.volume if settings.sound else 0
        self.is_sound_on = self.sounds.volume > 0
        is_loaded = self.home_flow is not None and self.home_flow.are_other_pages_loaded
        if is_loaded and self.sounds.volume != old_volume:
            self.sounds.play("coin")  # people hear how loud it is now
        self._apply_look(theme.Look(settings.large_text, settings.high_contrast))
        self._apply_light_settings(settings)
        if settings.reduced_motion != self.has_reduced_motion:
            self.has_reduced_motion = theme.reduced_motion = settings.reduced_motion

    def _apply_look(self, look: theme.Look) -> None:
        """Draws everything in another look; the screen is built again, and what was open over it closes."""
        if look != theme.look:
            theme.use_look(look)
            self._prepare_theme()
            self._rebuild()

    def _prepare_theme(self) -> None:
        """Takes the lengths of the theme for this window, and the colour of the window from the theme."""
        theme.scale_lengths_to_window(*Window.size)
        Window.clearcolor = theme.FELT

    def _apply_light_settings(self, settings: Settings) -> None:
        from companion.settings import idle_seconds  # at the top it would delay the first frame

        self.dimmer.light.set_brightness(settings.brightness)
        self.dimmer.set_delays(
            dim_after_seconds=idle_seconds(settings.dim_after),
            sleep_after_seconds=idle_seconds(settings.sleep_after),
        )

    # The evening and the screens

    @property
    def controller(self) -> TableController:
        """Returns the controller of the table; the evening must be open."""
        assert self._controller is not None
        return self._controller

    @property
    def evening(self) -> Evening:
        """Returns the game on the table and what is saved; the evening must be open."""
        return self.controller.evening

    @property
    def has_open_evening(self) -> bool:
        """Returns whether an evening is open.

        It is open from `open_evening` until `close_evening`.
        """
        return self._controller is not None

    def build(self) -> Widget:
        """Builds the stage, and the drawer of simulated devices over it, if there is one."""
        load_fonts()
        self._prepare_theme()
        Window.bind(size=self._handle_resize)
        self.dimmer.start()
        self.still_picture = StillPicture(Window)
        self.stage = Stage()
        if self._make_drawer is None:
            return self.stage
        self.drawer = self._make_drawer(self)
        return add_children(FloatLayout(), self.stage, self.drawer)

    def on_start(self) -> None:
        """Opens the evening and shows home when the app starts.

        Home is first drawn from the last snapshot, then with the loaded games. After repeated crashes the app
        offers safe mode instead, before the evening is opened.
        """
        snapshot = (
            home_snapshot.load_home_snapshot(self.home_snapshot_file)
            if self.home_snapshot_file is not None
            else None
        )
        if self.offers_safe_mode and self.open_safe_evening is not None:
            if (
                snapshot is not None
                and not self._has_language_argument
                and languages.is_bundled(snapshot.lang)
            ):
                self.lang = snapshot.lang
            self._offer_safe_mode()
            return
        is_other_language = (
            snapshot is not None and self._has_language_argument and snapshot.lang != self.lang
        )
        if snapshot is None or is_other_language or languages.find_language(snapshot.lang) is None:
            self.open_evening()
            return
        theme.use_look(theme.Look(snapshot.has_large_text, snapshot.has_high_contrast))
        self._prepare_theme()
        self.lang, home = snapshot.lang, make_home_screen(snapshot)
        self.stage.replace_screen(lambda: home)
        self._after_frame(lambda: self.open_evening((snapshot, home)))

    def _offer_safe_mode(self) -> None:
        open_dialog(
            self.tr("The companion crashed three times in a row"),
            self.tr(
                "Safe mode starts without devices, added games or settings. All saved games are available."
            ),
            DialogChoice("usual", self.tr("Start normally"), self.open_evening),
            DialogChoice("safe", self.tr("Start in safe mode"), self._start_in_safe_mode, "brass"),
        )

    def _start_in_safe_mode(self) -> None:
        assert self.open_safe_evening is not None
        self._open_evening, self.home_snapshot_file = self.open_safe_evening, None
        self.open_evening()

    def open_evening(self, drawn_home: tuple[HomeSnapshot, HomeScreen] | None = None) -> None:
        """Opens the evening and shows home, or why the evening can't be opened.

        `drawn_home` is the home screen that is already drawn, with its snapshot.
        """
        try:
            controller = self._open_evening()
        except CompanionError as error:
            self.stage.replace_screen(partial(self._make_start_error_screen, error))
            return
        self._controller = controller
        keeps_language = self._has_language_argument or controller.is_safe_mode
        faults = controller.load_settings(self.lang if keeps_language else None)
        controller.fbind("settings", lambda _, settings: self._apply_settings(settings))
        drawn_look = theme.look
        self._apply_settings(controller.settings)
        if theme.look != drawn_look:
            drawn_home = None
        self._keep_awake_while_used(controller)
        self.home_flow = HomeFlow(self, self.quit_flow, drawn_home, self._save_snapshot_if_changed)
        if self.asks_first_questions and FirstStepsOffer(controller).is_first_evening:
            self.home_flow.ask_first_questions()
        else:
            self.show_home()
        for notice in (*controller.notices, *faults):
            show_message(notice)
        if controller.is_safe_mode:
            text = self.tr(
                "Safe mode: no devices, no added games, no settings. Safe mode ends at the next start."
            )
            show_message(text)
        self._after_frame(self._load_other_screens_and_devices)

    def _keep_awake_while_used(self, controller: TableController) -> None:
        """Wakes the screen whenever a device is used, the game changes or a clock rings.

        While a clock runs that will ring, the screen stays awake.
        """
        controller.bind(
            on_device_signal=lambda *_: self.dimmer.wake(), on_change=lambda *_: self.dimmer.wake()
        )
        controller.ticker.bind(on_ring=lambda *_: self.dimmer.wake())
        self.dimmer.must_stay_awake = lambda: controller.ticker.will_ring

    def _after_frame(self, action: Callable[[], object]) -> None:
        """Calls `action` after the next frame, unless the app has ended meanwhile."""
        self._after_next_frame = action
        Window.bind(on_flip=self._handle_frame)
        self.stage.canvas.ask_update()

    def _handle_frame(self, _window: object) -> None:
        Window.unbind(on_flip=self._handle_frame)
        Clock.schedule_once(lambda _: self._after_next_frame())

    def _save_snapshot_if_changed(self, snapshot: HomeSnapshot) -> None:
        """Saves the snapshot for the next start, if it differs from the last one saved."""
        if self.home_snapshot_file is not None and snapshot != self._saved_snapshot:
            self._saved_snapshot = snapshot
            home_snapshot.save_home_snapshot(self.home_snapshot_file, snapshot)

    def _load_other_screens_and_devices(self) -> None:
        """Loads the screens that home leads to, and opens the devices; home is already drawn."""
        from hardware.numpads import make_kernel_input_devices
        from ui.screens.cards_and_tags import CardsFlow
        from ui.screens.date_and_time import trust_clock_if_set_by_hand
        from ui.screens.number_pads import NumberPadsFlow
        from ui.screens.presets import PresetFlow
        from ui.screens.service import ServiceFlow
        from ui.screens.table import TableFlow

        assert self.home_flow is not None
        controller = self.controller
        self.number_pads_flow = NumberPadsFlow(self, self._find_inputs or make_kernel_input_devices)
        self.preset_flow = PresetFlow(self, controller.diagnostics)
        self.cards_flow = CardsFlow(self, controller.cards, self.preset_flow)
        self.service_flow = ServiceFlow(
            self, controller.diagnostics, self._player_names_in_open_game, self.number_pads_flow.start_pairing
        )
        self.table_flow = TableFlow(self, self.home_flow.past_games)
        self.table_flow.bind_controller_events()
        self.dimmer.handle_waking_touch = self.table_flow.across_room_flow.return_to_table
        controller.bind(on_device_activity=self._show_device_in_set_up)
        controller.phone_service.bind(on_phones=lambda _: self._show_phones_in_set_up())
        controller.open_devices()
        trust_clock_if_set_by_hand(controller)
        self._finish_loading(self.home_flow)

    def _finish_loading(self, home_flow: HomeFlow) -> None:
        """Loads the sounds, lets home open the other pages, and offers a game that was interrupted."""
        from ui.screens.recovery import offer_interrupted_game

        self.sounds.load()
        home_flow.are_other_pages_loaded = True
        if self.reopens_game_after_crash:
            self.reopens_game_after_crash = False
            offer_interrupted_game(self, self.table_flow.menu.end_and_put_away_game)
        self.after_loading()

    def open_settings(self) -> None:
        """Shows the settings, with a way to the service page."""
        from ui.screens.settings import open_settings  # at the top it would delay the first frame

        open_settings(self, self.service_flow.open)

    def open_language_list(self) -> None:
        """Shows the languages, of which people choose one."""
        from ui.screens.settings import open_language_list  # at the top it would delay the first frame

        open_language_list(self)

    def open_presets(self, game: Game, on_closed_with_last_preset: Callable[[str], object]) -> None:
        """Opens the presets of a game.

        `on_closed_with_last_preset` gets the name of the preset seen last.
        """
        self.preset_flow.open(game, on_closed_with_last_preset)

    def _player_names_in_open_game(self) -> list[str]:
        """Returns the names of all players of the open game."""
        return [
            name
            for name, _ in self.controller.read_store(
                lambda evening: evening.names_and_colours_in_open_game(), ()
            )
        ]

    def _show_device_in_set_up(self, _controller: TableController, device: str, pressed: bool) -> None:  # noqa: FBT001 - an event
        assert self.home_flow is not None
        set_up_screen = self.home_flow.shown_set_up_screen
        if set_up_screen is None:
            return
        if pressed:
            set_up_screen.show_device_press(device)
        else:
            set_up_screen.update_device_availability(device)

    def _show_phones_in_set_up(self) -> None:
        assert self.home_flow is not None
        if (set_up_screen := self.home_flow.shown_set_up_screen) is not None:
            set_up_screen.update_phones()

    def open_cards(self, deck_names: Collection[str] = ()) -> None:
        """Shows the cards of the only deck in `deck_names` that can have tags, or else all decks."""
        self.cards_flow.open_decks(deck_names)

    def show_home(self) -> None:
        """Shows the home screen."""
        assert self.home_flow is not None
        self.home_flow.show_home()

    def open_game_setup(self, game_key: str) -> None:
        """Shows the set-up screen of a game: who plays, and with which options."""
        assert self.home_flow is not None
        self.home_flow.open_set_up(game_key)

    def close_evening(self) -> None:
        """Closes the evening: its devices and its store.

        Both stay closed until `open_evening`; the screen that is shown must need neither.
        """
        self._after_next_frame = lambda: None
        if self._controller is not None:
            self.stage.show_bar(None)
            self._controller.close()
            self._controller = None

    def on_stop(self) -> None:
        """Closes the evening when the app stops; the game can be resumed.

        Unbinds the window, which may outlive the app.
        """
        Window.unbind(size=self._handle_resize, on_flip=self._handle_frame)
        self.dimmer.stop()
        self.still_picture.stop()
        if self.drawer is not None:
            self.drawer.stop_refreshing()
        if self.number_pads_flow is not None:
            self.number_pads_flow.stop_reading_pads()
        self.close_evening()

    def _handle_resize(self, _window: object, _size: tuple[int, int]) -> None:
        self._prepare_theme()
        self._rebuild()

    def _rebuild(self) -> None:
        """Builds the screen again, for another size of the window or another look."""
        self.stage.rebuild_screen()
        if self.drawer is not None:
            self.drawer.rebuild()

    def _make_start_error_screen(self, error: CompanionError) -> StartErrorScreen:
        from hardware.wiring import WiringError
        from ui.screens.recovery import StartErrorScreen

        offers_start_without_devices = isinstance(error, WiringError) and self._without_devices is not None
        screen = StartErrorScreen(error.text, is_device_problem=offers_start_without_devices)
        screen.bind(
            on_again=lambda _: self.open_evening(),
            on_without=lambda _: self._start_without_devices(),
            on_quit=lambda _: self.quit_flow.ask_to_quit(),
        )
        return screen

    def _start_without_devices(self) -> None:
        assert self._without_devices is not None
        self._open_evening = self._without_devices
        self.open_evening()
