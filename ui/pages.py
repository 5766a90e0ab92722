"""Pages and dialogs, and the one line that opens each.

A page is a title, rows and buttons. A dialog is a question, an explanation and choices:

    open_page(Page("Candles", FittedLabel(text="Ready?"), keys=[make_key("light", "Light", light)]))
    light_it = DialogChoice("yes", "Light", light, "brass")
    open_dialog("Light it?", "Candles are hot.", DialogChoice("no", "Wait"), light_it)

Pages and dialogs cover the screen on the app's stage. A touch of a choice closes the dialog, then runs the
choice.
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
from ui.events import EventMixin, bind_weak
from ui.host import AppWithEvening, get_companion_app
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.line_breaking import widest_phrase_width
from ui.widgets.drawing.surfaces import Box
from ui.widgets.drawing.text import FittedLabel, measure_text_width
from ui.widgets.keys.icon_bar import SOUND_ICONS
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.widgets.sheets.overlays import (
    Dialog,
    FullScreenDialog,
    Overlay,
    make_keyboard_overlay,
    make_number_pad_overlay,
)

if TYPE_CHECKING:
    from companion.requests.fields import NumberField
    from ui.widgets.keys.number_pad import NumberPad
    from ui.widgets.keys.steppers import TypableStepper


SPACER_SHARE = 0.01
"""The share of the room before the keys of a header, beside keys that may grow to their width."""


class PageHeader(BoxLayout):
    """Header of a page: a back key, which calls `go_back`, a title, and keys of the page."""

    def __init__(self, title: str, keys: tuple[Widget, ...], go_back: Callable[[], object]) -> None:
        sizes = theme.length
        super().__init__(size_hint_y=None, height=sizes.target, spacing=sizes.gap)
        back = Key(icon="leave", name="close", look="felt", size_hint_x=None, width=sizes.bar)
        back.bind(on_release=lambda _: go_back())
        # Two lines of the full size would fill the header and touch the edge of the screen.
        self.title = FittedLabel(
            text=title,
            style="question",
            is_on_felt=True,
            lines=2,
            line_height=1.0,
            padding=(0, sizes.gap / 2),
        )
        self._keys, self._back_key = keys, back
        self._title_row, self._keys_row = BoxLayout(spacing=sizes.gap), BoxLayout(spacing=sizes.gap)
        add_children(self, back, self.title, *keys)
        self.bind(width=self._arrange)
        self.title.bind(text=self._arrange)

    def _arrange(self, *_: object) -> None:
        """Places the keys beside the title, or in a row of their own if the title needs the room."""
        if self.title.parent not in (self, self._title_row):
            return
        sizes = theme.length
        keys = [key for key in self._keys if key.parent in (self, self._keys_row)]
        keys_width = self._back_key.width + sum(map(_full_width, keys)) + sizes.gap * len(keys)
        is_folded = (
            bool(keys)
            and widest_phrase_width(self.title.text, lambda text: measure_text_width(text, sizes.smallest))
            > self.width - keys_width - sizes.gap
        )
        if is_folded == (self._title_row.parent is not None):
            return
        self.clear_widgets()
        self._keys_row.clear_widgets()
        if is_folded:
            _let_texts_give_way(keys)
            add_children(
                self,
                add_children(self._title_row, self._back_key, self.title),
                add_children(self._keys_row, Widget(size_hint_x=SPACER_SHARE), *keys),
            )
        else:
            add_children(self, self._back_key, self.title, *keys)
        self.orientation = "vertical" if is_folded else "horizontal"
        self.height = 2 * sizes.target + sizes.gap if is_folded else sizes.target

    @property
    def area_beside_back_key(self) -> Box:
        """Box of the header without the back key."""
        return self.title.x, self.y, self.right - self.title.x, self.height


def _full_width(key: Widget) -> float:
    """Returns the width of a key of a header where there is room; 0 for one that takes what is left."""
    if key.size_hint_max_x is not None:
        return float(key.size_hint_max_x)
    return float(key.width) if key.size_hint_x is None else 0.0


def _let_texts_give_way(keys: Sequence[Widget]) -> None:
    """Lets keys with a text be narrower if their row is full; those with an icon keep their width."""
    for key in keys:
        if isinstance(key, Key) and key.text and key.size_hint_x is None:
            key.size_hint_x, key.size_hint_max_x = 1.0, key.width


# Pages and their parts


def do_nothing() -> None:
    """Does nothing, for a choice that only closes its dialog."""


class DialogChoice(NamedTuple):
    """A button of a dialog: its name (for tests), its text, what a touch does, and how the button looks.

    `subject` is a seat, a piece or a card's face that is drawn on the button.
    """

    name: str
    text: str
    run: Callable[[], object] = do_nothing
    look: str = "paper"
    icon: str = ""
    is_chosen: bool = False
    subject: Any = None


class SoundKey(Key):
    """A key that turns all sounds off or on again; its icon, which is its name too, shows which they are."""

    def __init__(self, **kwargs: Any) -> None:
        options = {"look": "felt", "size_hint_x": None, "width": theme.length.target, **kwargs}
        super().__init__(**options)
        app = get_companion_app()
        bind_weak(app, "is_sound_on", self._show_state)
        self._show_state(app, app.is_sound_on)

    def _show_state(self, _app: object, is_sound_on: bool) -> None:  # noqa: FBT001 - a property's value
        sound, muted = SOUND_ICONS
        self.icon = self.name = sound if is_sound_on else muted

    def on_release(self) -> None:
        """Turns sounds off or on."""
        get_companion_app().toggle_sounds()


class Page(EventMixin, BoxLayout):
    """A page: a title with the way back, buttons beside the title, and `rows` below each other.

    The way back dispatches `on_close`; the page decides what a touch of its other buttons does.
    """

    __events__: tuple[str, ...] = ("on_close",)  # people leave the page

    def __init__(
        self, title: str | None = None, *rows: Widget, keys_beside_title: Sequence[Widget] = (), **kwargs: Any
    ) -> None:
        gap = theme.length.gap
        super().__init__(**{"orientation": "vertical", "padding": gap, "spacing": gap, **kwargs})
        if title is not None:
            self.add_content(title, *rows, keys_beside_title=keys_beside_title)

    @property
    def app(self) -> AppWithEvening:
        """The app on whose stage the page is shown."""
        return get_companion_app()

    def add_content(self, title: str, *rows: Widget, keys_beside_title: Sequence[Widget] = ()) -> None:
        """Adds the title, its buttons and the rows, for pages that make their content after `__init__`."""
        self.head = PageHeader(title, (*keys_beside_title, SoundKey()), self.close)
        add_children(self, self.head, *rows)

    def close(self) -> None:
        """Closes the page, as a touch of the way back does.

        Dispatches `on_close`; whoever shows the page then removes it.
        """
        self.dispatch("on_close")

    def make_event_key(self, event: str, *arguments: object, **key_options: Any) -> Key:
        """Returns a button that dispatches an event of this page."""
        return Key(on_release=lambda _: self.dispatch(event, *arguments), **key_options)


def make_key(
    name: str, text: str, action: Callable[[], object], *, width_px: float | None = None, **key_options: Any
) -> Key:
    """Returns a button that calls `action`."""
    if width_px is not None:
        key_options |= {"size_hint_x": None, "width": width_px}
    return Key(name=name, text=text, on_release=lambda _: action(), **key_options)


def make_key_row(*keys: Widget, height_px: float | None = None) -> BoxLayout:
    """Returns a row of buttons side by side, one touch target high by default."""
    row = BoxLayout(size_hint_y=None, height=height_px or theme.length.target, spacing=theme.length.gap)
    return add_children(row, *keys)


# Pages and dialogs over the screen


def open_page(page: Widget, *, on_removed: Callable[[], object] | None = None) -> Overlay:
    """Opens a page over everything, until its `on_close`.

    `on_removed` is called once the page is off the screen.
    """
    overlay = Overlay(page)
    page.bind(on_close=overlay.close)
    if on_removed is not None:
        overlay.bind(parent=lambda _, parent: None if parent else on_removed())
    get_companion_app().stage.show_overlay(overlay)
    return overlay


def open_dialog(
    title: str, text: str, *choices: DialogChoice, is_full_screen: bool = False, body: Widget | None = None
) -> Dialog:
    """Opens a dialog with a question and choices.

    The last choice is nearest to the thumb. `body` replaces `text`. `is_full_screen`: the dialog
    takes the whole screen.
    """
    return _show_dialog(FullScreenDialog if is_full_screen else Dialog, title, choices, text=text, body=body)


def show_message(text: Text) -> Dialog:
    """Shows a sentence over everything until somebody has confirmed it."""
    app = get_companion_app()
    sentence = text if isinstance(text, str) else render(text, app.lang)
    return open_dialog("", sentence, DialogChoice("done", app.tr("Understood"), look="brass"))


def open_full_screen_dialog(title: str, body: Widget, *choices: DialogChoice) -> Dialog:
    """Opens a dialog as large as the screen that shows a widget; without choices it has a button to close.

    If players sit around a screen that lies flat, a button turns the dialog to the people opposite.
    """
    app = get_companion_app()
    close = DialogChoice("close", app.tr("Close"), look="brass")
    turn = app.stage.turn_to_opposite_side if app.stage.side_by_seat else None
    return _show_dialog(FullScreenDialog, title, choices or (close,), body=body, turn=turn)


def open_choice_dialog(
    title: str,
    choices: Iterable[DialogChoice],
    *bottom_choices: DialogChoice,
    columns: int = 2,
    rows_per_page: int | None = None,
    height_fraction: float | None = None,
    explanation: str = "",
    **key_options: Any,
) -> Dialog:
    """Opens a dialog with a list from which people choose one.

    `bottom_choices` are the buttons under the list; by default one that cancels. Choices with the look
    `danger` are at the left of them and apart, so that nobody touches them in place of another choice.
    `rows_per_page` makes a list with pages; without it the buttons share the height of the dialog.
    `explanation` is shown above the buttons, which are then no higher than needed.
    `height_fraction`: the dialog is narrower than the screen, and this fraction of it high.
    """
    bottom_choices = bottom_choices or (DialogChoice("no", get_companion_app().tr("Cancel")),)
    all_choices = list(choices)
    choice_list = [choice for choice in all_choices if choice.look != "danger"]
    bottom_choices = (*(choice for choice in all_choices if choice.look == "danger"), *bottom_choices)
    keys = [_make_choice_key(choice, key_options) for choice in choice_list]
    body: Widget
    if rows_per_page is not None:
        body = Pager(items=keys, cols=columns, rows=rows_per_page, look="paper")
    else:
        body = add_children(GridLayout(cols=columns, spacing=theme.length.gap), *keys)
    if explanation:
        row, gap = theme.length.row, theme.length.gap
        body.size_hint_y, body.height = None, (row + gap) * ceil(len(keys) / columns) - gap
        explanation_label = FittedLabel(text=explanation, lines=8, is_paragraph=True, valign="top")
        body = add_children(BoxLayout(orientation="vertical", spacing=gap), explanation_label, body)
    dialog = _show_dialog(
        FullScreenDialog if height_fraction is None else Dialog, title, bottom_choices, body=body
    )
    if height_fraction is not None:
        dialog.height_share = height_fraction
    for key, choice in zip(keys, choice_list, strict=True):
        dialog.bind_closing_keys([key], _run_on_press(choice))
    return dialog


def _make_choice_key(choice: DialogChoice, key_look: dict[str, Any]) -> Key:
    options = {"name": choice.name, "text": choice.text, "look": choice.look, "icon": choice.icon}
    if choice.subject is None:
        return Key(chosen=choice.is_chosen, **options, **key_look)
    from ui.widgets.keys.option_key import OptionKey  # at the top it would delay the first frame

    return OptionKey(chosen=choice.is_chosen, subject=choice.subject, **options, **key_look)


def _run_on_press(choice: DialogChoice) -> Callable[[Key], object]:
    return lambda _: choice.run()


def _show_dialog(
    dialog_class: type[Dialog], title: str, choices: Sequence[DialogChoice], **options: Any
) -> Dialog:
    """Shows a dialog whose keys are these choices."""
    dialog = dialog_class(
        title=title,
        answers=[(choice.name, choice.text, choice.look) for choice in choices],
        action_by_answer={choice.name: choice.run for choice in choices},
        **options,
    )
    get_companion_app().stage.show_overlay(dialog)
    return dialog


# Texts and numbers that people type


def open_keyboard(
    heading: str, on_text: Callable[[str], object], *, max_letters: int, text: str = "", **options: Any
) -> Overlay:
    """Opens the keyboard over everything, and calls `on_text` with the typed text.

    If people cancel, nothing is called. `options` are other properties of the keyboard, such as
    `known_names`.
    """
    overlay = make_keyboard_overlay(heading, on_text, max_letters=max_letters, text=text, **options)
    get_companion_app().stage.show_overlay(overlay)
    return overlay


def open_number_pad(
    title: str,
    field: NumberField,
    on_number: Callable[[int], object],
    *,
    confirm_text: str,
    start_number: int | None = None,
) -> Overlay:
    """Opens a number pad over everything, and calls `on_number` with the number.

    If people go back, nothing is called. `confirm_text` is the text of its confirm button and
    contains `{amount}`. `start_number` is shown first.
    """
    from ui.widgets.keys.number_pad import NumberPad  # at the top it would delay the first frame

    tr = get_companion_app().tr
    limits_text = tr("{least} or more", least=field.least)
    if field.most is not None:
        limits_text = tr("From {least} to {most}", least=field.least, most=field.most)
    pad = NumberPad(
        least=field.least,
        most=field.most,
        step=field.step,
        limits_text=limits_text,
        confirm_text=confirm_text,
    )
    if start_number is not None:
        pad.prefill_amount(start_number)
    page = Page(title, pad, padding=theme.length.margin)

    def close_and_report(_pad: NumberPad, amount: int) -> None:
        page.close()
        on_number(amount)

    pad.bind(on_confirm=close_and_report)
    return open_page(page)


def open_number_pad_on_touch(dial: TypableStepper, *, step: int = 1) -> None:
    """Makes a touch of the dial's number open a number pad for multiples of `step`."""
    dial.bind(
        on_type_request=lambda _: get_companion_app().stage.show_overlay(make_number_pad_overlay(dial, step))
    )


def run_or_explain(action: Callable[[], object]) -> bool:
    """Runs an action, or explains in a message why it failed.

    Returns whether the action was done.
    """
    try:
        action()
    except CompanionError as error:
        show_message(error.text)
        return False
    return True
