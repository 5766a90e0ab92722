"""The app with an evening behind it: from home through set-up to the table and back.

TableApp(lambda: WindowEvening(Store.open(state, playing=True), read_wiring())).run()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.errors import CompanionError
from companion.session.view import View
from companion.table.seats import Seat
from companion.words import Say, render
from hardware.numpads.reader import Inputs, event_files
from hardware.wiring import WiringError
from ui.app import CompanionApp
from ui.evening.shelf import EveningShelf
from ui.evening.window import WindowEvening
from ui.flows.cards_and_tags import CardsAndTags
from ui.flows.moving import Moving
from ui.flows.pairing import PadPairing
from ui.flows.saving import save
from ui.flows.service import Service
from ui.flows.tending import Tending
from ui.flows.undoing import Undoing
from ui.screens.play import Play
from ui.screens.reveal import Reveal
from ui.screens.score import Score
from ui.screens.thrown import Thrown
from ui.screens.trouble import Trouble
from ui.widgets.sheets.dialog import Dialog
from ui.words import LANGUAGES, Words

LANGUAGE = "language"
"""The setting that holds the screen's language."""


class TableApp(CompanionApp):
    """`open_evening` may raise a `CompanionError`: its sentence is shown until it works.

    Where that is a `WiringError`, people may go on by touch with what `without_devices` opens.
    `lang` given as None is the language of the last evening. `inputs` is where number pads are looked for
    when it is asked who has which. `drawer` makes what lies over every screen, built anew by its `rebuild`,
    until its `close`.
    """

    def __init__(
        self,
        open_evening: Callable[[], WindowEvening],
        words: Words | None = None,
        lang: str | None = None,
        without_devices: Callable[[], WindowEvening] | None = None,
        inputs: Callable[[], Inputs] = event_files,
        drawer: Callable[[TableApp], Widget] | None = None,
        **kwargs: Any,
    ) -> None:
        words = words or Words()
        if lang is not None:
            kwargs["lang"] = lang
        super().__init__(
            None,  # type: ignore[arg-type]  # the shelf stands once the evening is open
            words,
            **kwargs,
        )
        self._open_evening = open_evening
        self._without_devices = without_devices
        self._make_drawer = drawer
        self.drawer: Any = None
        self._told_language = lang is not None
        self.bind(lang=lambda _, lang: self._remember(lang))
        self.undoing = Undoing(self)
        self.tending = Tending(self, self.undoing)
        self.moving = Moving(self)
        self.pads = PadPairing(self, inputs)
        self.reveal: Reveal | None = None
        self._notices: dict[Say, Dialog] = {}
        self._n = 0
        self._evening: WindowEvening | None = None

    @property
    def evening(self) -> WindowEvening:
        """The evening; it must be open."""
        assert self._evening is not None
        return self._evening

    @property
    def is_open(self) -> bool:
        """Whether there is an evening, from `on_start` until `let_go`."""
        return self._evening is not None

    def build(self) -> Widget:
        """Felt and home, and the drawer over them, if there is one."""
        stage = super().build()
        if self._make_drawer is None:
            return stage
        self.drawer = self._make_drawer(self)
        root = FloatLayout()
        root.add_widget(stage)
        root.add_widget(self.drawer)
        return root

    def on_start(self) -> None:
        """Home, or what is in the way of it."""
        try:
            evening = self._open_evening()
        except CompanionError as error:
            trouble = partial(self._trouble, error.text, devices=isinstance(error, WiringError))
            self.stage.show(trouble)
            return
        self._evening = evening
        cards = CardsAndTags(self, evening.cards)
        service = Service(self, evening.bench, lambda: [name for name, _ in evening.guests()], self.pads.open)
        self.shelf = EveningShelf(evening, self.words, cards.open, service.open)
        if not self._told_language and (lang := evening.setting(LANGUAGE)) in LANGUAGES:
            self.lang = lang
        evening.lang = self.lang
        evening.bind(
            on_change=lambda _: self.show_table(),
            on_whisper=lambda _, text, seat: self.tending.whisper(text, seat),
            on_refusal=lambda _, text, seat: self.refuse(text, seat),
            on_by_hand=lambda _, moves: self.undoing.by_hand(moves),
            on_rolled=lambda _, roll, faces: self.stage.lay(Thrown(roll.dice, faces, self.lang)),
            on_missing=lambda _, texts: self._miss(texts),
            on_found=lambda _, texts: self._find(texts),
        )
        evening.clockwork.bind(
            **dict.fromkeys(("timed", "clocks", "paused"), lambda *_: self._tell_time()),
            on_ring=lambda _, text: self.refuse(text, None),
        )
        evening.trays.bind(**dict.fromkeys(("laid", "waiting"), lambda *_: self._show_trays()))
        evening.open()
        self.go_home()
        for notice in evening.notices:
            self.say(notice)

    def on_stop(self) -> None:
        """Devices and store are let go; the game on the table waits."""
        super().on_stop()
        if self.drawer is not None:
            self.drawer.close()
        self.pads.stop()
        self.let_go()

    def _resized(self, window: object, size: tuple[int, int]) -> None:
        super()._resized(window, size)
        if self.drawer is not None:
            self.drawer.rebuild()

    def let_go(self) -> None:
        """The same while the app stays, until `on_start`; the screen that is shown must need neither."""
        if self._evening is not None:
            self._evening.close()
            self._evening = None

    def show_table(self) -> None:
        """The screen for what the evening shows now."""
        screen, seen = self.stage.screen, self.evening.view
        if seen is None:
            self.go_home()
        elif isinstance(screen, Play) and seen.question is not None:
            screen.seen = seen
        elif not (isinstance(screen, Score) and screen.result == seen.result):
            self.stage.show(self._table)
        self._show_reveal(seen)
        self.undoing.offer(seen)
        self.tending.show()

    def _tell_time(self) -> None:
        """The clocks, as they stand now."""
        screen, time = self.stage.screen, self.evening.clockwork
        if isinstance(screen, Play):
            screen.timed, screen.clocks, screen.paused = time.timed, time.clocks, time.paused

    def _show_trays(self) -> None:
        """What lies on the readers."""
        screen, trays = self.stage.screen, self.evening.trays
        if isinstance(screen, Play):
            screen.show_laid(list(trays.laid), int(trays.waiting))

    def _show_reveal(self, seen: View | None) -> None:
        """The ceremony, where the envelopes of the question just shown were opened."""
        if self.reveal is not None and (seen is None or seen.n != self._n):
            self.reveal.close()
        if seen is not None and seen.opened is not None and seen.opened.n == self._n:
            self.reveal = Reveal(seen)
            self.stage.lay(self.reveal)
        self._n = 0 if seen is None else seen.n

    def refuse(self, text: Say, _seat: Seat | None) -> None:
        """Why something can't be: near the question, or over whatever is shown."""
        if isinstance(self.stage.screen, Play):
            self.stage.screen.refuse(text)
        else:
            self.say(text)
        self.moving.offer()

    def _miss(self, texts: Sequence[Say]) -> None:
        """What devices can't be used: near the question, or over whatever is shown."""
        if isinstance(self.stage.screen, Play):
            self.stage.screen.miss(*texts)
        else:
            self._notices |= {text: self.say(text) for text in texts}

    def _find(self, texts: Sequence[Say]) -> None:
        """They can be used again: what was said of them goes."""
        if isinstance(self.stage.screen, Play):
            self.stage.screen.find(*texts)
        for text in texts:
            if notice := self._notices.pop(text, None):
                notice.leave()

    def say(self, text: Say) -> Dialog:
        """Tells it in the reader's language."""
        return self.tell(render(text, self.lang))

    def _table(self) -> Widget:
        evening = self.evening
        if evening.view.result is not None:
            past = evening.headless
            score = Score(evening.view, past.standing, past.thinking, is_kept=past.is_saved)
            score.bind(on_do=lambda _, name: self._do(name))
            return score
        time, trays = evening.clockwork, evening.trays
        play = Play(seen=evening.view, timed=time.timed, clocks=time.clocks, paused=time.paused)
        play.show_laid(list(trays.laid), int(trays.waiting))
        play.bind(
            on_answer=lambda _, n, plain: evening.answer(n, plain),
            on_draft=lambda _, n, seat, plain: evening.draft(n, seat, plain),
            on_roll=lambda _, n: evening.roll(n),
            on_take=lambda _, n: evening.take(n),
            on_do=lambda _, name: self._do(name),
            on_private=lambda _, seat: self.tending.private(seat),
        )
        return play

    def _do(self, name: str) -> None:
        """A sign in the bar."""
        match name:
            case "undo":
                self.undoing.undo()
            case "redo":
                self.undoing.redo()
            case "bank" | "history" | "more":
                self.tending.open(name)
            case "save":
                save(self)
            case "pause":
                self.evening.pause()
            case "go on":
                self.evening.go_on()
            case "home":
                self.evening.leave()
            case "again":
                self.evening.again()
            case "put away":
                self.evening.put_away()

    def _trouble(self, text: Say, *, devices: bool) -> Trouble:
        trouble = Trouble(text, devices=devices and self._without_devices is not None)
        trouble.bind(
            on_again=lambda _: self.on_start(),
            on_without=lambda _: self._go_on_without_devices(),
            on_quit=lambda _: self.leaving.ask(None),
        )
        return trouble

    def _go_on_without_devices(self) -> None:
        assert self._without_devices is not None
        self._open_evening = self._without_devices
        self.on_start()

    def _remember(self, lang: str) -> None:
        if self.is_open:
            self.evening.lang = lang
            self.evening.remember(LANGUAGE, lang)
