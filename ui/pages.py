"""Pages and dialogs, and the one line that opens each.

A page is a title, rows and keys. A dialog is a question, an explanation and choices:

    open_page(Page("Candles", Writing(text="Ready?"), keys=[key("light", "Light", light)]))
    open_dialog("Light it?", "Candles are hot.", Choice("no", "Wait"), Choice("yes", "Light", light, "brass"))

They lie over whatever the app's stage shows. A touch of a choice closes its dialog first and then runs it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import ceil
from typing import TYPE_CHECKING, Any, NamedTuple

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout
from kivy.uix.widget import Widget

from companion.errors import CompanionError
from companion.texts import Text, render
from ui import theme
from ui.events import EventMixin
from ui.host import AppWithEvening, running_app
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.text import Writing
from ui.widgets.keys.key import Key
from ui.widgets.keys.number_pad import Pad
from ui.widgets.keys.option_key import OptionKey
from ui.widgets.keys.pager import Pager
from ui.widgets.keys.steppers import Dial
from ui.widgets.sheets.dialog import Dialog, Leaf
from ui.widgets.sheets.overlays import Overlay, keyboard, number_pad
from ui.widgets.sheets.page_header import Head

if TYPE_CHECKING:
    from companion.requests.fields import NumberField
    from ui.widgets.keys.number_pad import Pad
    from ui.widgets.keys.steppers import Dial


def do_nothing() -> None:
    """What a choice does that only closes its dialog."""


class Choice(NamedTuple):
    """A key of a dialog: its name (for tests), its text, what a touch does, and how the key looks.

    `about` is a seat, a piece or a card's face that is drawn on the key.
    """

    name: str
    text: str
    run: Callable[[], object] = do_nothing
    look: str = "paper"
    icon: str = ""
    is_chosen: bool = False
    about: Any = None


class Page(EventMixin, BoxLayout):
    """A title with the way back, `keys` beside the title, and `rows` below each other.

    The way back dispatches `on_close`; what a touch of other keys does is up to the page.
    """

    __events__: tuple[str, ...] = ("on_close",)  # people leave the page

    def __init__(
        self, title: str | None = None, *rows: Widget, keys: Sequence[Widget] = (), **kwargs: Any
    ) -> None:
        gap = theme.length.gap
        super().__init__(**{"orientation": "vertical", "padding": gap, "spacing": gap, **kwargs})
        if title is not None:
            self.lay_out(title, *rows, keys=keys)

    @property
    def app(self) -> AppWithEvening:
        """The app on whose stage the page lies."""
        return running_app()

    def lay_out(self, title: str, *rows: Widget, keys: Sequence[Widget] = ()) -> None:
        """Adds the head with its keys and the rows below it, for pages that make them after `__init__`."""
        self.head = Head(title, tuple(keys))
        self.head.bind(on_close=lambda _: self.close())
        put(self, self.head, *rows)

    def close(self) -> None:
        """Closes the page, as its way back does."""
        self.dispatch("on_close")

    def event_key(self, event: str, *arguments: object, **look: Any) -> Key:
        """Returns a key that dispatches an event of this page."""
        return Key(on_release=lambda _: self.dispatch(event, *arguments), **look)


def key(name: str, text: str, run: Callable[[], object], *, width: float | None = None, **look: Any) -> Key:
    """Returns a key that calls `run`; `width`, if given, is in pixels."""
    if width is not None:
        look |= {"size_hint_x": None, "width": width}
    return Key(name=name, text=text, on_release=lambda _: run(), **look)


def key_row(*keys: Widget, height: float | None = None) -> BoxLayout:
    """Returns a row of keys side by side, one target high unless told."""
    row = BoxLayout(size_hint_y=None, height=height or theme.length.target, spacing=theme.length.gap)
    return put(row, *keys)


# What lies over everything


def open_page(page: Widget, *, when_gone: Callable[[], object] | None = None) -> Overlay:
    """Shows a page over everything until its `on_close`; `when_gone` is called once it is off the screen."""
    overlay = Overlay(page)
    page.bind(on_close=overlay.close)
    if when_gone is not None:
        overlay.bind(parent=lambda _, parent: None if parent else when_gone())
    running_app().stage.show_overlay(overlay)
    return overlay


def open_dialog(
    title: str, text: str, *choices: Choice, is_large: bool = False, body: Widget | None = None
) -> Dialog:
    """Asks a question; the last choice is nearest to the thumb.

    `body` stands in place of `text`. `is_large`: the dialog takes the whole screen.
    """
    return _show(Leaf if is_large else Dialog, title, choices, text=text, body=body)


def show_message(text: Text) -> Dialog:
    """Shows a sentence over everything until somebody has read it."""
    app = running_app()
    sentence = text if isinstance(text, str) else render(text, app.lang)
    return open_dialog("", sentence, Choice("done", app.tr("Understood"), look="brass"))


def open_sheet(title: str, body: Widget, *choices: Choice) -> Dialog:
    """Shows a widget on a sheet as large as the screen; without choices a key closes it."""
    close = Choice("close", running_app().tr("Close"), look="brass")
    return open_dialog(title, "", *(choices or (close,)), is_large=True, body=body)


def open_choice(
    title: str,
    choices: Iterable[Choice],
    *below: Choice,
    columns: int = 2,
    rows: int | None = None,
    tall: float | None = None,
    text: str = "",
    **key_look: Any,
) -> Dialog:
    """Shows a list of which people touch one; `below` are the keys under the list, else one that cancels.

    `rows` is how many rows a page of the list has; without it the keys share the height of the sheet.
    `text` stands above the keys, which are then no higher than they need be.
    `tall`: the sheet is narrower than the screen, and this share of it high.
    """
    below = below or (Choice("no", running_app().tr("Cancel")),)
    listed = list(choices)
    keys = [_choice_key(choice, key_look) for choice in listed]
    body: Widget
    if rows is not None:
        body = Pager(things=keys, cols=columns, rows=rows, look="paper")
    else:
        body = put(GridLayout(cols=columns, spacing=theme.length.gap), *keys)
    if text:
        row, gap = theme.length.row, theme.length.gap
        body.size_hint_y, body.height = None, (row + gap) * ceil(len(keys) / columns) - gap
        explained = Writing(text=text, lines=8, valign="top")
        body = put(BoxLayout(orientation="vertical", spacing=gap), explained, body)
    dialog = _show(Leaf if tall is None else Dialog, title, below, body=body)
    if tall is not None:
        dialog.tall = tall
    for each, choice in zip(keys, listed, strict=True):
        dialog.leave_with([each], _running(choice))
    return dialog


def _choice_key(choice: Choice, key_look: dict[str, Any]) -> Key:
    shown = {"name": choice.name, "text": choice.text, "look": choice.look, "icon": choice.icon}
    if choice.about is None:
        return Key(chosen=choice.is_chosen, **shown, **key_look)

    return OptionKey(chosen=choice.is_chosen, about=choice.about, **shown, **key_look)


def _running(choice: Choice) -> Callable[[Key], object]:
    return lambda _: choice.run()


def _show(kind: type[Dialog], title: str, choices: Sequence[Choice], **shown: Any) -> Dialog:
    """Shows a dialog whose keys are these choices."""
    dialog = kind(
        title=title,
        answers=[(choice.name, choice.text, choice.look) for choice in choices],
        deeds={choice.name: choice.run for choice in choices},
        **shown,
    )
    running_app().stage.show_overlay(dialog)
    return dialog


# What people type


def open_keyboard(
    heading: str, on_text: Callable[[str], object], *, max_letters: int, text: str = ""
) -> Overlay:
    """Shows the keyboard over everything; calls `on_text` with what people typed, unless they cancel."""
    overlay = keyboard(heading, on_text, most=max_letters, text=text)
    running_app().stage.show_overlay(overlay)
    return overlay


def open_number_pad(
    title: str,
    field: NumberField,
    on_number: Callable[[int], object],
    *,
    confirm: str,
    start: int | None = None,
) -> Overlay:
    """Shows a number pad over everything; calls `on_number` with the number, unless people go back.

    `confirm` is the text of its brass key and holds `{amount}`. `start` is shown first.
    """
    from ui.widgets.keys.number_pad import Pad  # not before: it would delay the first frame

    tr = running_app().tr
    sentence = tr("{least} or more", least=field.least)
    if field.most is not None:
        sentence = tr("From {least} to {most}", least=field.least, most=field.most)
    pad = Pad(least=field.least, most=field.most, step=field.step, sentence=sentence, yes=confirm)
    if start is not None:
        pad.start_at(start)
    page = Page(title, pad, padding=theme.length.margin)

    def confirmed(_pad: Pad, amount: int) -> None:
        page.close()
        on_number(amount)

    pad.bind(on_confirm=confirmed)
    return open_page(page)


def type_into(dial: Dial, *, step: int = 1) -> None:
    """Lets a touch of the dial's figure open a number pad, with multiples of `step`."""
    dial.bind(on_type=lambda _: running_app().stage.show_overlay(number_pad(dial, step)))


def run_or_explain(do: Callable[[], object]) -> bool:
    """Calls `do`, or shows why it can't be done; returns whether it was done."""
    try:
        do()
    except CompanionError as error:
        show_message(error.text)
        return False
    return True
