"""The app: which screen is shown, in which language, at which size.

prepare(state / "kivy", Display())
CompanionApp(shelf).run()
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol

from kivy.app import App
from kivy.core.window import Window
from kivy.properties import StringProperty
from kivy.uix.widget import Widget

from ui import theme
from ui.evening.boxes import Begin, Box, Going
from ui.flows.leaving import Leaving, Way
from ui.screens.home import Home
from ui.screens.set_up import SetUp
from ui.stage import Stage
from ui.widgets.drawing.writing import load_fonts
from ui.widgets.sheets.dialog import Dialog
from ui.words import LANGUAGES, Words, other


class Shelf(Protocol):
    """What the app needs from whoever keeps the games; texts come in the language asked for."""

    def boxes(self, lang: str) -> Sequence[Box]:
        """The games that are installed, the broken ones too."""
        ...

    def going(self, lang: str) -> Going | None:
        """The game that is open, if there is one."""
        ...

    def people(self) -> Sequence[tuple[str, str]]:
        """Names and colours of those who played last."""
        ...

    def begin(self, begin: Begin) -> None:
        """Begin this game; whatever was open waits."""
        ...

    def resume(self) -> None:
        """Go on with the open game."""
        ...

    def demo(self) -> None:
        """Show the recorded game."""
        ...

    def cards(self) -> None:
        """Show what is printed on cards, and learn their tags."""
        ...

    def service(self) -> None:
        """Show how this machine and its devices are."""
        ...


class CompanionApp(App):
    """Home and set-up; the rest comes through the `Shelf`.

    `shut_down` is given where the app is all that its machine shows.
    """

    title = "Companion"
    lang = StringProperty("en", options=list(LANGUAGES))

    def __init__(
        self, shelf: Shelf, words: Words | None = None, shut_down: Way | None = None, **kwargs: Any
    ) -> None:
        super().__init__(**kwargs)
        self.shelf = shelf
        self.words = words or Words()
        self.leaving = Leaving(self, shut_down)

    def tr(self, text: str, **named: object) -> str:
        """`tr("{name}, take the screen", name="Aki")`, in the reader's language."""
        return self.words.said(self.lang, text, **named)

    def trn(self, one: str, many: str, n: int) -> str:
        """The text for `n` things; both may hold `{n}`."""
        return self.words.said_n(self.lang, one, many, n)

    def build(self) -> Widget:
        """Felt and home."""
        load_fonts()
        theme.fit(*Window.size)
        Window.clearcolor = theme.FELT
        Window.bind(size=self._resized)
        self.stage = Stage()
        self.bind(lang=lambda *_: self._speak())
        return self.stage

    def on_start(self) -> None:
        """Home is the first thing seen."""
        self.go_home()

    def on_stop(self) -> None:
        """The window may outlive the app."""
        Window.unbind(size=self._resized)

    def go_home(self) -> None:
        """Show home."""
        self.stage.show(self._home)

    def tell(self, text: str) -> Dialog:
        """A sentence over everything, until somebody has read it."""
        answers = [("done", self.tr("Understood"), "brass")]
        notice = Dialog(text=text, answers=answers)
        self.stage.lay(notice)
        return notice

    def ask(
        self, title: str, text: str, answers: Sequence[tuple[str, str, str]], do: Callable[[], object]
    ) -> Dialog:
        """A question over everything; what is to be done is done when the answer is "yes"."""
        dialog = Dialog(title=title, text=text, answers=answers)
        dialog.bind(on_answer=lambda _, answer: do() if answer == "yes" else None)
        self.stage.lay(dialog)
        return dialog

    def switch_language(self) -> None:
        """The other language, at once and everywhere."""
        self.lang = other(self.lang)

    def _resized(self, _window: object, size: tuple[int, int]) -> None:
        theme.fit(*size)
        self.stage.rebuild()

    def _home(self) -> Home:
        home = Home(
            boxes=self.shelf.boxes(self.lang),
            going=self.shelf.going(self.lang),
            other_language=LANGUAGES[other(self.lang)],
        )
        home.bind(
            on_continue=lambda _: self.shelf.resume(),
            on_new=lambda _, box: self.set_up(box.key),
            on_broken=lambda _, box: self.tell(box.broken),
            on_demo=lambda _: self.shelf.demo(),
            on_cards=lambda _: self.shelf.cards(),
            on_service=lambda _: self.shelf.service(),
            on_language=lambda _: self.switch_language(),
            on_quit=lambda home: self.leaving.ask(home.going),
        )
        return home

    def set_up(self, game: str) -> None:
        """Show the set-up of that game."""
        self.stage.show(lambda: self._set_up(game))

    def _box(self, game: str) -> Box:
        return next(box for box in self.shelf.boxes(self.lang) if box.key == game)

    def _set_up(self, game: str) -> SetUp:
        screen = SetUp(box=self._box(game), guests=self.shelf.people())
        screen.bind(
            on_begin=lambda _, begin: self.shelf.begin(begin),
            on_leave=lambda _: self.go_home(),
        )
        return screen

    def _speak(self) -> None:
        """Texts in kv have changed by themselves; what came as values is asked for anew."""
        screen = self.stage.screen
        if isinstance(screen, Home):
            self.stage.rebuild()
        elif isinstance(screen, SetUp):
            screen.box = self._box(screen.box.key)
