"""Layers over a screen: a second screen, a dialog, notices, the keyboard and the number pad.

    Dialog(title="Undo?", text="Give Ben 3.", answers=[("no", "Leave it", "paper"), ("yes", "Undo", "brass")])

A layer takes every touch, so that no widget under it gets the touch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import pairwise
from math import ceil, inf
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.properties import BooleanProperty, ListProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.floatlayout import FloatLayout
from kivy.uix.widget import Widget

from companion.languages import find_language
from companion.texts import render
from ui import theme
from ui.events import EventMixin
from ui.widgets.drawing.canvas_diff import Color, Rectangle
from ui.widgets.drawing.containers import add_children, detach_from_parent
from ui.widgets.drawing.surfaces import AutoRedrawWidget, FeltBackground, PaperBoxLayout, draw_border
from ui.widgets.drawing.text import FittedLabel, measure_text_width
from ui.widgets.keys.key import Key, min_key_width_in_two_lines, with_danger_apart
from ui.words import get_running_translator, join_as_list

if TYPE_CHECKING:
    from companion.requests import Die
    from ui.widgets.keys.keyboard import Keyboard
    from ui.widgets.keys.number_pad import NumberPad
    from ui.widgets.keys.steppers import TypableStepper


class Overlay(FloatLayout):
    """Layer of felt over a screen, with one widget; takes every touch until `close()`."""

    def __init__(self, content: Widget, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.content = content
        add_children(self, FeltBackground(), content)

    def close(self, *_: object) -> None:
        """Removes the overlay."""
        detach_from_parent(self)

    def on_touch_down(self, touch: Any) -> bool:
        """Takes every touch, so that no widget below gets the touch."""
        super().on_touch_down(touch)
        return True


# Dialogs


MIN_TEXT_LINES, LINE_HEIGHT_EM, WRAP_RESERVE_RATIO = 2, 1.4, 1.15
"""Least lines of a text, height of a line in letters, and reserve for lines that end early."""
MAX_ANSWERS_SIDE_BY_SIDE_IF_UPRIGHT = 2
"""Maximum number of answers side by side on an upright screen."""


class Dialog(EventMixin, AutoRedrawWidget):
    """Dialog with a title, a text or a `body` widget, and answer keys: (key, text, look) each.

    The first answer is furthest from the thumb. An answer with the look `danger` stands apart from the
    others. `action_by_answer` maps answers to functions, which are
    called after the dialog has closed. `turn` turns the dialog to the people opposite.
    """

    title = StringProperty("")
    text = StringProperty("")
    answers = ListProperty()
    body = ObjectProperty(None, allownone=True)
    is_upright = BooleanProperty(defaultvalue=False)
    width_share = 0.76
    height_share = 0.74
    __events__: tuple[str, ...] = ("on_answer",)  # key: somebody pressed the answer

    def __init__(
        self,
        *,
        action_by_answer: Mapping[str, Callable[[], object]] | None = None,
        turn: Callable[[], None] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self.action_by_answer, self._turn = action_by_answer or {}, turn
        self.paper = PaperBoxLayout(padding=theme.length.margin, spacing=theme.length.space)
        self.add_widget(self.paper)
        for name in ("title", "text", "answers", "body", "is_upright"):
            self.fbind(name, self._fill)
        self.bind(size=lambda *_: setattr(self, "is_upright", self.height > self.width))
        self._fill()

    def _fill(self, *_: object) -> None:
        self.paper.clear_widgets()
        row_height = theme.length.row
        if self.title:
            title = FittedLabel(text=self.title, style="question", lines=2, line_height=1.0)
            title.size_hint_y, title.height = None, row_height
            add_children(self.paper, title)
        add_children(
            self.paper,
            self.body or FittedLabel(text=self.text, lines=9, is_paragraph=True, valign="top"),
            self._build_answer_keys(),
        )

    @property
    def _are_answers_stacked(self) -> bool:
        """Whether answers are below each other: three or more keys on an upright screen."""
        return self.is_upright and len(self._key_looks) > MAX_ANSWERS_SIDE_BY_SIDE_IF_UPRIGHT

    @property
    def _key_looks(self) -> list[str]:
        """Looks of the answer keys, after that of the key that turns the dialog."""
        return [*(["paper"] if self._turn else []), *(look for _, _, look in self.answers)]

    @property
    def _answer_keys_height(self) -> float:
        row_height, gap = theme.length.row, theme.length.space
        if not self._are_answers_stacked:
            return row_height
        looks = self._key_looks
        gaps = (
            len(looks) - 1 + sum((one == "danger") != (other == "danger") for one, other in pairwise(looks))
        )
        return float(len(looks) * row_height + gaps * gap)

    def _build_answer_keys(self) -> Widget:
        """Builds the answer keys."""
        keys = BoxLayout(size_hint_y=None, height=self._answer_keys_height, spacing=theme.length.space)
        if self._are_answers_stacked:
            keys.orientation = "vertical"
        answers = [
            Key(text=text, name=name, look=look, on_release=self._answer) for name, text, look in self.answers
        ]
        if self._turn is not None:
            turn_key = make_turn_key(self._turn)
            turn_key.size_hint_y = 1
            turn_key.size_hint_x = 1 if self._are_answers_stacked else None
            answers.insert(0, turn_key)
        # An upright dialog has no room for more than twice the spacing.
        return add_children(keys, *with_danger_apart(answers, 0.0 if self.is_upright else theme.length.apart))

    def _answer(self, key: Key) -> None:
        self.close()
        self.dispatch("on_answer", key.name)
        if key.name in self.action_by_answer:
            self.action_by_answer[key.name]()

    def bind_closing_keys(self, keys: Iterable[Key], on_press: Callable[[Key], object]) -> None:
        """Lets each of the keys close the dialog, and then call `on_press` with the key."""

        def close_and_call(key: Key) -> None:
            self.close()
            on_press(key)

        for key in keys:
            key.bind(on_release=close_and_call)

    def close(self) -> None:
        """Closes the dialog without an answer."""
        detach_from_parent(self)

    def on_touch_down(self, touch: Any) -> bool:
        """Takes every touch, so that no widget under the dialog gets the touch."""
        super().on_touch_down(touch)
        return True

    def draw(self) -> None:
        """Draws a veil over the table, and places the sheet in the middle."""
        Color(*theme.VEIL)
        Rectangle(pos=self.pos, size=self.size)
        self.paper.size = (
            self.width * self.width_share,
            min(self.height * self.height_share, self._content_height()),
        )
        self.paper.center = self.center

    def _content_height(self) -> float:
        """Returns the height at which the whole text fits; infinite for a widget."""
        if self.body is not None:
            return inf
        sizes, width = theme.length, self.width * self.width_share - 2 * theme.length.margin
        line_counts = [
            ceil(WRAP_RESERVE_RATIO * measure_text_width(line, sizes.body, bold=False) / width)
            for line in self.text.split("\n")
        ]
        text_height = (
            max(MIN_TEXT_LINES, sum(max(1, line) for line in line_counts)) * sizes.body * LINE_HEIGHT_EM
        )
        title_height = sizes.row + sizes.space if self.title else 0.0
        return float(title_height + text_height + sizes.space + self._answer_keys_height + 2 * sizes.margin)


class FullScreenDialog(Dialog):
    """Dialog that fills the screen, for long choices, a list, or the sum behind a total."""

    width_share, height_share = 0.94, 0.98


# Notices that disappear by themselves


MAX_NOTICE_LINES = 24


class TimedNotice(AutoRedrawWidget, BoxLayout):
    """Notice over everything that disappears at a touch or after some seconds (None: only at a touch).

    The second touch of a double touch doesn't close it: nobody has read the notice then. `turn` turns it to
    the people opposite; a notice that people turn stays until a touch.
    """

    def __init__(
        self, seconds: float | None = None, turn: Callable[[], None] | None = None, **kwargs: Any
    ) -> None:
        sizes = theme.length
        self.turn_key = None if turn is None else make_turn_key(partial(self._turn_and_stay, turn))
        super().__init__(**{"padding": sizes.margin * 2, "spacing": sizes.margin} | kwargs)
        self._seconds, self._made_at = seconds, Clock.get_time()
        self._closing = None if seconds is None else Clock.schedule_once(self._close_if_seen, seconds)

    def _turn_and_stay(self, turn: Callable[[], None]) -> None:
        """Turns the notice, which stays until a touch: who turns it wants to read it."""
        if self._closing is not None:
            self._closing.cancel()
        turn()

    def _close_if_seen(self, _seconds: float) -> None:
        """Removes the notice when its time is over; if something covers it, its time begins anew."""
        if self.parent is None or self.parent.children[0] is self:
            self.close()
        elif self._seconds is not None:
            self._closing = Clock.schedule_once(self._close_if_seen, self._seconds)

    def close(self) -> None:
        """Removes the notice."""
        if self._closing is not None:
            self._closing.cancel()
        detach_from_parent(self)

    def draw(self) -> None:
        """Draws a veil over the table."""
        Color(*theme.VEIL)
        Rectangle(pos=self.pos, size=self.size)

    def on_touch_down(self, touch: Any) -> bool:
        """Closes the notice, unless it is new or the touch turns it; nothing below gets the touch."""
        if self.turn_key is not None and self.turn_key.on_touch_down(touch):
            return True
        if Clock.get_time() >= self._made_at + theme.IGNORED_REPEATED_TOUCH_SECONDS:
            self.close()
        return True


class EventsNotice(TimedNotice):
    """A notice of the latest events: all that happened after the last answer.

    Each event has a line, in letters of `style` or smaller ones. The notice is shown if the screen has no
    room for the events. On a page higher than wide, the key that turns it is below the events, so that the
    title has room.
    """

    def __init__(
        self,
        title: str,
        texts: Sequence[str],
        page_size: tuple[float, float],
        *,
        style: str = "body",
        turn: Callable[[], None] | None = None,
    ) -> None:
        sizes = theme.length
        super().__init__(None, turn, padding=sizes.margin)
        self.texts = texts
        self.title = FittedLabel(text=title, style="question", lines=MAX_NOTICE_LINES, line_height=1.0)
        turn_keys = [self.turn_key] if self.turn_key is not None else []
        foot = turn_keys if page_size[1] > page_size[0] else []
        keys = [*([] if foot else turn_keys), make_close_key()]
        title_width = page_size[0] - 4 * sizes.margin - sum(key.width + sizes.gap for key in keys)
        needed = self.title.min_height_at(title_width) * sizes.body / sizes.smallest
        head = BoxLayout(size_hint_y=None, height=max(sizes.target, needed), spacing=sizes.gap)
        add_children(head, self.title, *keys)
        self.label = FittedLabel(
            text=join_as_list(texts),
            style=style,
            lines=MAX_NOTICE_LINES,
            line_height=1.0,
            is_paragraph=True,
            valign="top",
        )
        sheet = PaperBoxLayout(padding=sizes.margin, spacing=sizes.gap)
        add_children(self, add_children(sheet, head, self.label, *foot))


def make_turn_key(turn: Callable[[], None]) -> Key:
    """Returns the key with which `turn` turns a sheet to the people opposite."""
    word = get_running_translator().tr("Turn round")
    key = Key(name="turn", text=word, icon="turn", size_hint=(None, None), pos_hint={"center_y": 0.5})
    key.bind(on_release=lambda _: turn())
    key.size = min_key_width_in_two_lines(word, "turn"), theme.length.target
    return key


def make_close_key() -> Key:
    """Returns the key that closes a sheet as large as the page, for the corner of the sheet.

    A notice closes at a touch anywhere, so the key only says so.
    """
    key = Key(name="close", text=get_running_translator().tr("Close"), size_hint=(None, None))
    key.size = key.min_width_in_row(), theme.length.target
    return key


class DiceNotice(TimedNotice):
    """The dice that the companion rolled, large, each with its name."""

    def __init__(self, dice: Sequence[Die], faces: Sequence[int], lang: str, **kwargs: Any) -> None:
        super().__init__(theme.REVEAL_PAUSE_SECONDS, **kwargs)
        for die, face in zip(dice, faces, strict=True):
            sheet = PaperBoxLayout(
                size_hint_y=None, height=theme.length.grand * 2.4, pos_hint={"center_y": 0.5}
            )
            number = FittedLabel(text=str(face), style="grand", halign="center")
            name = FittedLabel(
                text=render(die.label, lang), style="question", halign="center", size_hint_y=0.35
            )
            add_children(self, add_children(sheet, number, name))


class _RedRimmedPaper(PaperBoxLayout):
    def draw(self) -> None:
        """Draws paper with a red rim."""
        super().draw()
        draw_border(theme.DANGER, self.box, theme.length.rim * 2)


class TimeUpNotice(TimedNotice):
    """A notice that a clock is up; `text` says whose time is up and what happens now."""

    def __init__(self, text: str, **kwargs: Any) -> None:
        super().__init__(theme.EXPIRED_CLOCK_NOTICE_SECONDS, **kwargs)
        sheet = _RedRimmedPaper(size_hint_y=None, height=theme.length.grand * 2.2, pos_hint={"center_y": 0.5})
        time = FittedLabel(text="0:00", style="grand", halign="center")
        sentence = FittedLabel(text=text, style="question", halign="center", lines=3)
        add_children(self, add_children(sheet, time, sentence))


# The keyboard and the number pad


def make_keyboard_overlay(
    heading: str,
    handle_text: Callable[[str], object],
    *,
    max_letters: int,
    text: str = "",
    **options: Any,
) -> Overlay:
    """Returns an overlay with a keyboard, which closes and then passes the typed text to `handle_text`.

    A known name that people choose is passed as if it were typed. `options` are other properties of the
    keyboard.
    """
    from ui.widgets.keys.keyboard import Keyboard  # at the top it would delay the first frame

    app = get_running_translator()
    tr, language = app.tr, find_language(app.lang)
    keyboard = Keyboard(
        text=text,
        max_letters=max_letters,
        heading=heading,
        **{
            "script": language.keyboard if language else "latin",
            "done_text": tr("Done"),
            "cancel_text": tr("Cancel"),
            "space_text": tr("Space"),
            **options,
        },
    )
    overlay = Overlay(keyboard)

    def close_and_pass_on(_keyboard: Keyboard, typed: str) -> None:
        overlay.close()
        handle_text(typed)

    keyboard.bind(on_done=close_and_pass_on, on_known_name=close_and_pass_on, on_cancel=overlay.close)
    return overlay


def make_number_pad_overlay(dial: TypableStepper, step_size: int) -> Overlay:
    """Returns an overlay with a number pad that sets the count of a dial, in steps of `step_size`."""
    from ui.widgets.keys.number_pad import NumberPad  # at the top it would delay the first frame

    tr = get_running_translator().tr
    pad = NumberPad(least=dial.least, most=dial.most, step=step_size, limits_text=dial.text)
    pad.confirm_text, pad.decline_text = tr("Take {amount}", amount="{amount}"), tr("Cancel")
    pad.prefill_amount(dial.count)
    overlay = Overlay(add_children(BoxLayout(padding=theme.length.margin), pad))

    def close_and_set(_pad: NumberPad, amount: int) -> None:
        overlay.close()
        dial.count = amount

    pad.bind(on_confirm=close_and_set, on_decline=overlay.close)
    return overlay
