"""The app: which screen is shown, in which language, at which size; from home through set-up to the table.

prepare(state / "kivy", Surface())
CompanionApp(lambda: TableController(Store.open(state, for_writing=True), read_wiring())).run()

Over 300 lines, because every way from screen to screen begins here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kivy.app import App
from kivy.clock import Clock
from kivy.core.window import Window
from kivy.properties import StringProperty
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion import languages
from companion.errors import CompanionError
from ui import theme
from ui.evening import home_snapshot
from ui.evening.home_snapshot import HomeSnapshot
from ui.pages import Choice, open_dialog, show_message
from ui.screens.home import AtHome, draw
from ui.screens.quit_flow import Leaving
from ui.sound import Sounds
from ui.stage import Stage
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.text import load_fonts
from ui.words import Words

if TYPE_CHECKING:
    from companion.evening import Evening
    from companion.rules.game import Game
    from companion.settings import Settings
    from hardware.numpads import InputSource
    from ui.evening.controller import TableController
    from ui.screens.cards_and_tags import CardsAndTags
    from ui.screens.home import Home
    from ui.screens.number_pads import PadPairing
    from ui.screens.presets import PresetFlow
    from ui.screens.recovery import Trouble
    from ui.screens.service import Service
    from ui.screens.table import AtTable


class CompanionApp(App):
    """`open_evening` may raise a `CompanionError`: its sentence is shown until it works.

    Where that is a `WiringError`, people may go on by touch with what `without_devices` opens.
    `lang` given as None is the language of the last evening. `inputs` is where number pads are looked for
    when it is asked who has which. `drawer` makes what lies over every screen, built again by its `rebuild`,
    until its `close`. `leaving` asks what is meant when people leave.
    Where `seen_last` is a file, home is drawn as it was seen last before games and devices are loaded, and a
    touch waits for them. The walks from home are loaded once home is drawn, for the same reason.
    """

    title = "Companion"
    lang = StringProperty(languages.ENGLISH)
    home: AtHome | None = None
    table: AtTable
    cards: CardsAndTags
    service: Service
    preset_flow: PresetFlow
    pads: PadPairing | None = None
    _controller: TableController | None = None
    seen_last: Path | None = None
    """The file that keeps how home was seen last."""
    safely: Callable[[], TableController] | None = None
    """Opens an evening in safe mode."""
    unsound = False
    """Whether it ended so often without being told to that safe mode is offered."""
    torn = False
    """Whether it ended without being told to: the game that lay on the table is laid there again."""
    settled: Callable[[], object] = staticmethod(lambda: None)
    """What is done once everything is there that stays."""
    _kept: HomeSnapshot | None = None
    _next: Callable[[], object]
    """What comes once the next frame is shown."""

    def __init__(
        self,
        open_evening: Callable[[], TableController],
        lang: str | None = None,
        without_devices: Callable[[], TableController] | None = None,
        inputs: Callable[[], InputSource] | None = None,
        drawer: Callable[[CompanionApp], Widget] | None = None,
        **kwargs: Any,
    ) -> None:
        if lang is not None:
            kwargs["lang"] = lang
        super().__init__(**kwargs)
        self.words = Words()
        self.leaving = Leaving(self)
        self.drawer: Any = None
        self.sounds = Sounds()
        self._open_evening = open_evening
        self._without_devices = without_devices
        self._inputs = inputs
        self._make_drawer = drawer
        self._told_language = lang is not None

    # What it says, and in which language

    def tr(self, text: str, **named: object) -> str:
        """`tr("{name}, take the screen", name="Aki")`, in the reader's language."""
        return self.words.said(self.lang, text, **named)

    def trn(self, one: str, many: str, n: int) -> str:
        """The text for `n` things; both may hold `{n}`."""
        return self.words.said_n(self.lang, one, many, n)

    def switch_sounds(self) -> None:
        """On or off, now and in the evenings to come."""
        self.controller.change_setting("sound", not self.controller.settings.sound)

    def on_lang(self, _app: object, lang: str) -> None:
        """Everything says it in that language from now on, and so does the next evening."""
        if self.home is not None:
            self.home.speak()
        if self.is_open and lang != self.controller.settings.language:
            self.controller.change_setting("language", lang)

    def _apply(self, settings: Settings) -> None:
        """What was set counts at once; the table heeds where the screen is placed."""
        self.controller.lang = self.lang = settings.language
        self.sounds.on = settings.sound

    # Its evening

    @property
    def controller(self) -> TableController:
        """The controller of the table; the evening must be open."""
        assert self._controller is not None
        return self._controller

    @property
    def evening(self) -> Evening:
        """The game on the table and what is saved; the evening must be open."""
        return self.controller.evening

    @property
    def is_open(self) -> bool:
        """Whether there is an evening, from `open` until `let_go`."""
        return self._controller is not None

    def build(self) -> Widget:
        """Felt, and the drawer over it, if there is one."""
        load_fonts()
        theme.scale_to_window(*Window.size)
        Window.clearcolor = theme.FELT
        Window.bind(size=self._resized)
        self.stage = Stage()
        if self._make_drawer is None:
            return self.stage
        self.drawer = self._make_drawer(self)
        return put(FloatLayout(), self.stage, self.drawer)

    def on_start(self) -> None:
        """Home as it was seen last, and then as it is."""
        seen = home_snapshot.recall(self.seen_last) if self.seen_last is not None else None
        if self.unsound and self.safely is not None:
            self.lang = seen.lang if seen is not None and languages.is_bundled(seen.lang) else self.lang
            self._offer_safe_mode()
            return
        is_other = seen is not None and self._told_language and seen.lang != self.lang
        if seen is None or is_other or languages.find_language(seen.lang) is None:
            self.open()
            return
        self.lang, home = seen.lang, draw(seen)
        self.stage.show(lambda: home)
        self._after_frame(lambda: self.open((seen, home)))

    def _offer_safe_mode(self) -> None:
        open_dialog(
            self.tr("The companion crashed three times in a row"),
            self.tr(
                "Safe mode starts without devices, added games or settings. All saved games are available."
            ),
            Choice("usual", self.tr("Start normally"), self.open),
            Choice("safe", self.tr("Start in safe mode"), self._begin_safely, "brass"),
        )

    def _begin_safely(self) -> None:
        assert self.safely is not None
        self._open_evening, self.seen_last = self.safely, None
        self.open()

    def open(self, there: tuple[HomeSnapshot, Home] | None = None) -> None:
        """Home, or what is in the way of it; `there` is what was seen of it already."""
        try:
            controller = self._open_evening()
        except CompanionError as error:
            self.stage.show(partial(self._trouble, error))
            return
        self._controller = controller
        is_told = self._told_language or controller.is_safe
        faults = controller.load_settings(self.lang if is_told else None)
        controller.fbind("settings", lambda _, settings: self._apply(settings))
        self._apply(controller.settings)
        self.home = AtHome(self, self.leaving, there, self._keep)
        self.go_home()
        for notice in (*controller.notices, *faults):
            show_message(notice)
        if controller.is_safe:
            text = self.tr(
                "Safe mode: no devices, no added games, no settings. Safe mode ends at the next start."
            )
            show_message(text)
        self._after_frame(self._set_out)

    def _after_frame(self, do: Callable[[], object]) -> None:
        """Does it once what is on the screen now has been shown; not if the app has ended meanwhile."""
        self._next = do
        Window.bind(on_flip=self._drawn)
        self.stage.canvas.ask_update()

    def _drawn(self, _window: object) -> None:
        Window.unbind(on_flip=self._drawn)
        Clock.schedule_once(lambda _: self._next())

    def _keep(self, seen: HomeSnapshot) -> None:
        """For the next start."""
        if self.seen_last is not None and seen != self._kept:
            self._kept = seen
            home_snapshot.keep(self.seen_last, seen)

    def _set_out(self) -> None:
        """Home is there: now the walks from it, and the devices."""
        from hardware.numpads import kernel_inputs
        from ui.screens.cards_and_tags import CardsAndTags
        from ui.screens.number_pads import PadPairing
        from ui.screens.presets import PresetFlow
        from ui.screens.recovery import come_back
        from ui.screens.service import Service
        from ui.screens.table import AtTable

        assert self.home is not None
        controller = self.controller
        self.pads = PadPairing(self, self._inputs or kernel_inputs)
        self.preset_flow = PresetFlow(self, controller.diagnostics)
        self.cards = CardsAndTags(self, controller.cards, self.preset_flow)
        self.service = Service(self, controller.diagnostics, self._guests, self.pads.open)
        self.table = AtTable(self, self.home.shelving)
        self.table.listen()
        controller.bind(on_input=self._hear)
        controller.open()
        self.home.is_ready = True
        if self.torn:
            self.torn = False
            come_back(self, self.table.tending.end)
        self.settled()

    def open_settings(self) -> None:
        """The settings, with a way to the service page."""
        from ui.screens.settings import open_settings  # not before: it would delay the first frame

        open_settings(self, self.service.open)

    def open_presets(self, game: Game, done: Callable[[str], object]) -> None:
        """Opens the presets of a game; `done` gets the name of the preset seen last."""
        self.preset_flow.open(game, done)

    def _guests(self) -> list[str]:
        """The names of everybody in the open game."""
        return [name for name, _ in self.controller.read(lambda evening: evening.players_of_open_game(), ())]

    def _hear(self, _controller: TableController, device: str, pressed: bool) -> None:  # noqa: FBT001 - an event
        assert self.home is not None
        self.home.hear(device, pressed=pressed)

    def open_cards(self, decks: Collection[str] = ()) -> None:
        """The cards of one deck, or all decks to choose from."""
        self.cards.open(decks)

    def go_home(self) -> None:
        """Show home."""
        assert self.home is not None
        self.home.show()

    def set_up(self, game: str) -> None:
        """Ask who plays that game, and how."""
        assert self.home is not None
        self.home.set_up(game)

    def let_go(self) -> None:
        """Devices and store are let go, until `open`; the screen that is shown must need neither."""
        self._next = lambda: None
        if self._controller is not None:
            self._controller.close()
            self._controller = None

    def on_stop(self) -> None:
        """The game on the table waits, and the window may outlive the app."""
        Window.unbind(size=self._resized, on_flip=self._drawn)
        if self.drawer is not None:
            self.drawer.close()
        if self.pads is not None:
            self.pads.stop()
        self.let_go()

    def _resized(self, _window: object, size: tuple[int, int]) -> None:
        theme.scale_to_window(*size)
        self.stage.rebuild()
        if self.drawer is not None:
            self.drawer.rebuild()

    def _trouble(self, error: CompanionError) -> Trouble:
        from hardware.wiring import WiringError
        from ui.screens.recovery import Trouble

        devices = isinstance(error, WiringError) and self._without_devices is not None
        trouble = Trouble(error.text, devices=devices)
        trouble.bind(
            on_again=lambda _: self.open(),
            on_without=lambda _: self._go_on_without_devices(),
            on_quit=lambda _: self.leaving.ask(),
        )
        return trouble

    def _go_on_without_devices(self) -> None:
        assert self._without_devices is not None
        self._open_evening = self._without_devices
        self.open()
