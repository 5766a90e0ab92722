"""The first evening: three questions, a short game with hints, and a game that home suggests.

The questions are asked before anybody has chosen or played anything. What is offered then is remembered, and
never offered again once people have tried it, played something else, or said that they don't want it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

from kivy.properties import OptionProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.evening import Evening
from companion.languages import languages
from companion.record.player_statistics import exclude_from_statistics
from companion.rules.game import Game, option_value_as_typed
from companion.session.view import View
from companion.settings import find_setting
from companion.table.seats import SEAT_COLOURS
from companion.texts import render
from ui import theme
from ui.evening.first_steps import FirstStepsOffer
from ui.events import EventMixin, bind_weak
from ui.host import AppWithEvening, get_companion_app
from ui.pages import DialogChoice, open_choice_dialog
from ui.widgets.drawing.canvas_diff import Color, SmoothLine
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.surfaces import (
    AutoRedrawWidget,
    Box,
    draw_border,
    draw_paper,
    fill_rounded_box,
    inset_box,
)
from ui.widgets.drawing.symbols import draw_player_token
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key, SingleChoiceRow
from ui.widgets.sheets.overlays import Dialog

MAX_LANGUAGE_KEYS = 4
"""The most languages with keys side by side; more are in a list."""
MAX_TRIAL_PLAYERS = 6
PICTURE_HEIGHT_SHARE, PICTURE_WIDTH_TO_HEIGHT = 0.62, 1.8
"""The share of a key's height that its picture may take, and how wide the picture is for its height."""


# The three questions


class PlacementKey(Key):
    """A key with a drawing of the screen: on a stand, or lying flat among the players."""

    redraw_properties: ClassVar[tuple[str, ...]] = (*Key.redraw_properties, "placement")
    placement = OptionProperty("standing", options=["standing", "flat"])

    def draw(self) -> None:
        """Draws the key, the drawing, and the text below it."""
        super().draw()
        x, y, width, height = inset_box(self.face_box, theme.length.gap)
        picture_height = height * PICTURE_HEIGHT_SHARE
        side = min(picture_height, width / PICTURE_WIDTH_TO_HEIGHT)
        box = (x, y + height - (picture_height + side) / 2, width, side)
        if self.placement == "flat":
            _draw_flat_screen(box)
        else:
            _draw_standing_screen(box)
        self.label.pos, self.label.size = (x, y), (width, max(1.0, height - picture_height))


def _draw_screen(box: Box) -> None:
    fill_rounded_box(theme.INK, box, theme.length.line * 2)
    fill_rounded_box(theme.FELT_LIT, inset_box(box, theme.length.rim), theme.length.line)


def _draw_standing_screen(box: Box) -> None:
    """Draws a screen on a stand, and the players in front of it."""
    x, y, width, height = box
    middle, screen_width = x + width / 2, height * 1.15
    Color(*theme.BRASS_DARK)
    foot = [middle - height * 0.3, y + height * 0.34, middle, y + height * 0.5, middle + height * 0.3]
    SmoothLine(points=[*foot, y + height * 0.34], width=theme.length.line)
    _draw_screen((middle - screen_width / 2, y + height * 0.42, screen_width, height * 0.58))
    side = height * 0.27
    for index, colour in enumerate(SEAT_COLOURS[:3]):
        left = middle + (index - 1) * side * 1.5 - side / 2
        draw_player_token(colour, (left, y, side, side))


def _draw_flat_screen(box: Box) -> None:
    """Draws a table from above, with the screen in the middle and players at all sides."""
    x, y, width, height = box
    middle, side = (x + width / 2, y + height / 2), height * 0.27
    screen_width, screen_height = height * 0.9, height * 0.36
    _draw_screen((middle[0] - screen_width / 2, middle[1] - screen_height / 2, screen_width, screen_height))
    places = ((0.0, -0.36), (0.0, 0.36), (-0.72, 0.0), (0.72, 0.0))
    for colour, (across, up) in zip(SEAT_COLOURS, places, strict=False):
        centre = middle[0] + across * height, middle[1] + up * height
        draw_player_token(colour, (centre[0] - side / 2, centre[1] - side / 2, side, side))


class WelcomePage(EventMixin, BoxLayout):
    """The page with the questions of the first evening: language, placement of the screen, and sound.

    Each answer applies at once.
    """

    __events__ = ("on_done",)  # people go on to home

    def __init__(self, **kwargs: Any) -> None:
        gap = theme.length.gap
        super().__init__(orientation="vertical", padding=(gap * 2, gap), spacing=gap, **kwargs)
        self.app = get_companion_app()
        bind_weak(self.app, "lang", self._fill)
        self._fill()

    def _fill(self, *_: object) -> None:
        """Fills the page in the reader's language."""
        self.clear_widgets()
        tr, sizes = self.app.tr, theme.length
        title = FittedLabel(text=tr("Welcome"), style="title", is_on_felt=True)
        title.size_hint_y, title.height = None, sizes.target
        done_key = Key(name="done", text=tr("Go on"), look="brass", size_hint_y=None, height=sizes.row)
        done_key.bind(on_release=lambda _: self.dispatch("on_done"))
        add_children(
            self,
            title,
            self._make_row(self._label_of("language"), self._make_language_keys()),
            self._make_row(tr("Where is the screen?"), self._make_placement_keys(), height_px=0.0),
            self._make_row(self._label_of("sound"), self._make_sound_keys()),
            done_key,
        )

    def _label_of(self, setting: str) -> str:
        return render(find_setting(setting).description.label, self.app.lang)

    def _make_row(self, text: str, keys: Widget, height_px: float | None = None) -> BoxLayout:
        """Returns a row with a label before the keys, or above them on an upright page.

        A height of 0 takes the room that the other rows leave.
        """
        sizes, is_upright = theme.length, self.app.stage.is_next_page_portrait
        row = BoxLayout(spacing=sizes.gap, orientation="vertical" if is_upright else "horizontal")
        label = FittedLabel(text=text, is_on_felt=True, lines=2)
        if is_upright:
            label.size_hint_y, label.height = None, sizes.body * 1.5
        else:
            label.size_hint_x = 0.4
        if height_px is None:
            row.size_hint_y, row.height = None, sizes.row + (label.height + sizes.gap if is_upright else 0.0)
        return add_children(row, label, keys)

    def _make_language_keys(self) -> Widget:
        """Returns a key for each language by its own name, or a key that opens the list of them."""
        known, app = languages(), self.app
        if len(known) <= MAX_LANGUAGE_KEYS:
            names = [(code, language.name) for code, language in known.items()]
            row = SingleChoiceRow(choices=names, chosen=app.lang, name="language")
            row.bind(chosen=lambda _, code: setattr(app, "lang", code))
            return row
        key = Key(name="language", icon="language", text=known[app.lang].name)
        key.bind(on_release=lambda _: app.open_language_list())
        return key

    def _make_placement_keys(self) -> BoxLayout:
        lang, controller = self.app.lang, self.app.controller
        row = BoxLayout(spacing=theme.length.gap)
        for value, label in find_setting("placement").choices.items():
            key = PlacementKey(
                name=f"placement {value}",
                text=render(label, lang),
                placement=value,
                chosen=value == controller.settings.placement,
            )
            key.bind(on_release=partial(self._choose_placement, row))
            row.add_widget(key)
        return row

    def _choose_placement(self, row: BoxLayout, chosen_key: PlacementKey) -> None:
        self.app.controller.change_setting("placement", chosen_key.placement)
        for key in row.children:
            key.chosen = key is chosen_key

    def _make_sound_keys(self) -> SingleChoiceRow:
        setting, controller = find_setting("sound"), self.app.controller
        choices = [(value, render(label, self.app.lang)) for value, label in setting.choices.items()]
        chosen = setting.to_option(controller.settings.sound)
        row = SingleChoiceRow(choices=choices, chosen=chosen, name="sound")
        row.bind(chosen=lambda _, value: controller.change_setting("sound", setting.from_option(value)))
        return row


# The hints of the short game


class HintBar(AutoRedrawWidget, BoxLayout):
    """A bar with one hint, and a key that ends the hints."""

    def __init__(self, skip: Callable[[], object], **kwargs: Any) -> None:
        sizes = theme.length
        padding = (sizes.space, sizes.gap, sizes.space, sizes.gap)
        super().__init__(height=sizes.target + 2 * sizes.gap, padding=padding, spacing=sizes.gap, **kwargs)
        self.label = FittedLabel(lines=2, line_height=1.0)
        skip_key = Key(name="skip hints", text=get_companion_app().tr("No hints"), size_hint_x=None)
        skip_key.width = skip_key.min_width_in_row()
        skip_key.bind(on_release=lambda _: skip())
        add_children(self, self.label, skip_key)

    def draw(self) -> None:
        """Draws paper with a brass edge."""
        box = inset_box(self.box, theme.length.line)
        draw_paper(box, theme.length.line)
        draw_border(theme.BRASS, box, theme.length.rim)


class TrialGuide:
    """Shows hints while newcomers play the short game; each disappears once people have followed it."""

    def __init__(self, app: AppWithEvening) -> None:
        self._app, self._controller, self._session = app, app.controller, app.evening.session
        self._has_ended = False
        self._binding = self._controller.fbind("on_change", self._show_hint)
        app.stage.bind(overlay_count=self._show_hint)
        bind_weak(app, "lang", self._show_bar)
        self._show_bar()
        self._show_hint()

    def _show_bar(self, *_: object) -> None:
        """Shows the bar in the reader's language, unless the hints have ended."""
        if not self._has_ended:
            self._app.stage.show_bar(self._make_bar)

    def _make_bar(self) -> HintBar:
        self._bar = HintBar(self.end)
        self._bar.label.text = self._find_hint()
        return self._bar

    def _show_hint(self, *_: object) -> None:
        """Shows the hint for what people do next; without one the hints end."""
        if hint := self._find_hint():
            self._bar.label.text = hint
        else:
            self.end()

    def _find_hint(self) -> str:
        """Returns the hint for what people do next; "" once the game is over or another game is open."""
        view = self._controller.view
        is_same_game = view is not None and self._controller.evening.session is self._session
        return choose_hint(self._app, view) if is_same_game else ""

    def end(self) -> None:
        """Ends the hints."""
        self._has_ended = True
        self._controller.unbind_uid("on_change", self._binding)
        self._app.stage.unbind(overlay_count=self._show_hint)
        self._app.stage.show_bar(None)


def choose_hint(app: AppWithEvening, view: View) -> str:
    """Returns the hint for what people do next, from what everybody sees; "" at the end of the game."""
    from ui.questions.sealed_round import SealedAnswerScreen  # not before: it would delay the first frame

    if view.question is None:
        return ""
    if not view.question.is_sealed:
        return app.tr("That was a round. The arrow takes back the last answer. Finish counts the score.")
    if isinstance(app.stage.topmost_widget, SealedAnswerScreen):
        return app.tr("Only this player looks now: enter a number, then touch the tick.")
    return _choose_envelope_hint(app, is_first=not any(envelope.has_answer for envelope in view.envelopes))


def _choose_envelope_hint(app: AppWithEvening, *, is_first: bool) -> str:
    """Returns who touches an envelope next; only a screen that stands is passed on."""
    if theme.is_read_from_all_sides:
        if is_first:
            return app.tr("One of you touches an envelope. Nobody else looks.")
        return app.tr("The next player touches an open envelope.")
    if is_first:
        return app.tr("One of you touches an envelope, and takes the screen.")
    return app.tr("Pass the screen on: the next player touches an open envelope.")


# The flow


class FirstEveningFlow:
    """Asks the first questions, and lets newcomers play a short game with hints."""

    def __init__(self, app: AppWithEvening) -> None:
        self.app = app
        self._offer = FirstStepsOffer(app.controller)

    def ask_first_questions(self, show_home: Callable[[], object]) -> None:
        """Shows the page with the first questions; then home offers the first steps."""
        self._offer.begin_questions()

        def finish(_page: WelcomePage) -> None:
            # Saving the language says that the questions were answered, also if it is the default.
            self.app.controller.change_setting("language", self.app.lang)
            self._offer.begin()
            show_home()

        def make_page() -> WelcomePage:
            page = WelcomePage()
            page.bind(on_done=finish)
            return page

        self.app.stage.replace_screen(make_page)

    def ask_how_many_try(self) -> None:
        """Asks how many people are there, and begins the short game for them."""
        trial = self._offer.find_trial()
        if trial is None:
            return
        least, most = trial.players
        counts = range(least, min(most, MAX_TRIAL_PLAYERS) + 1)
        choices = [
            DialogChoice(f"try with {count}", str(count), partial(self._begin_trial, trial, count))
            for count in counts
        ]
        open_choice_dialog(
            self.app.tr("How many are you?"),
            choices,
            columns=len(choices),
            height_fraction=Dialog.height_share,
        )

    def _begin_trial(self, trial: Game, count: int) -> None:
        """Begins the short game with hints; it counts in no statistics, and is never offered again."""
        app = self.app
        names = [app.tr("Player {n}", n=number) for number in range(1, count + 1)]
        usual_rules = {option.key: option_value_as_typed(option.default) for option in trial.options}
        if app.controller.start_new_game(trial.key, names, SEAT_COLOURS[:count], usual_rules):
            trial_game = app.controller.read_store(Evening.find_open_game, None)
            if trial_game is not None:
                app.controller.try_or_refuse(
                    partial(exclude_from_statistics, app.evening.store, trial_game.number)
                )
            self._offer.end_trial()
            TrialGuide(app)
