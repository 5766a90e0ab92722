"""The time limits of the table: every clock that a game can have, and its default answer on timeout.

    open_page(TimeLimitsPage("turn=60 ring", game.question_kinds, on_text))

The pages edit the text that `--clock` takes. They refuse a limit that isn't allowed, and say why in one
sentence.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.clocks import (
    ANSWER_WORD,
    COUNT_UP_WORD,
    MAX_CLOCK_SECONDS,
    RING_WORD,
    TURN_TIME_KEYS,
    parse_clocks,
)
from companion.errors import UserError
from ui import theme
from ui.pages import Page, open_number_pad_on_touch, open_page
from ui.widgets.drawing.containers import add_children
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.key import Key, SingleChoiceRow
from ui.widgets.keys.steppers import TypableStepper
from ui.words import Translator

DELAYS = ("delay", "bronstein")
"""The extra settings that add no time, but let a part of each turn cost none."""
LOT_AUCTION_QUESTION_KIND = "Raise"
"""The kind of question that is asked in the auction of a lot."""
CLOCKS_THAT_COUNT_UP = ("turn", "lot", "game")
CLOCKS_THAT_ONLY_RING = ("game", "Read", "Roll", "Done")
"""Clocks that have no default answer on timeout."""
EXTRA_SETTINGS_BY_CLOCK: Mapping[str, Sequence[str]] = {"lot": ("extension",), "budget": TURN_TIME_KEYS}
"""The extra settings of which some clocks may have one besides their limit, by clock."""
NEW_CLOCK_LIMIT_SECONDS = 60
"""The limit in seconds that a new clock starts with."""
SECONDS_STEP = 5
MAX_CLOCKS_IN_THREE_COLUMNS = 12
"""More clocks need four columns."""
MAX_LIMIT_MINUTES, MAX_SECONDS_ON_DIAL, MAX_EXTRA_SECONDS = 24 * 60, 59, 60 * 60


class _ClockSettingsPage(Page):
    """A page with a key that takes the clocks: `on_text` gets them as valid text.

    The back key changes nothing.
    """

    def __init__(self, title: str, on_text: Callable[[str], object]) -> None:
        sizes = theme.length
        edges = (sizes.margin, sizes.gap, sizes.margin, sizes.margin)
        super().__init__(padding=edges)
        self._on_text = on_text
        self.add_content(title)
        self.take = Key(name="take", look="brass", size_hint=(0.4, None), pos_hint={"right": 1})
        self.take.text, self.take.height = self.app.tr("Done"), sizes.row
        self.take.bind(on_release=lambda _: self._done())

    def _done(self) -> None:
        self.close()
        self._on_text(self.clocks_text)

    @property
    def clocks_text(self) -> str:
        """Returns the clocks as the page shows them."""
        raise NotImplementedError  # each page defines it


class TimeLimitsPage(_ClockSettingsPage):
    """The page of the time limits: a list of all clocks for a game.

    `question_kinds` are those of the game. `text` says which clocks are in use.
    """

    def __init__(self, text: str, question_kinds: Sequence[str], on_text: Callable[[str], object]) -> None:
        super().__init__(self.app.tr("Time limits"), on_text)
        self._setting_by_clock, self._question_kinds = parse_clock_settings(text), question_kinds
        self.grid = GridLayout(cols=3, spacing=theme.length.gap / 2)
        add_children(self, self.grid, self.take)
        self._show_clocks()

    @property
    def clocks_text(self) -> str:
        """Returns the clocks in use, as text."""
        return format_clock_settings(self._setting_by_clock)

    def _show_clocks(self) -> None:
        lot = ("lot",) if LOT_AUCTION_QUESTION_KIND in self._question_kinds else ()
        clocks = dict.fromkeys(
            ("turn", *lot, "game", "budget", *self._question_kinds, *self._setting_by_clock)
        )
        extra_settings = {setting for settings in EXTRA_SETTINGS_BY_CLOCK.values() for setting in settings}
        shown_clocks = [clock for clock in clocks if clock not in extra_settings]
        self.grid.clear_widgets()
        if self.app.stage.is_next_page_portrait:
            self.grid.cols = 2
        else:
            self.grid.cols = 3 if len(shown_clocks) <= MAX_CLOCKS_IN_THREE_COLUMNS else 4
        for clock in shown_clocks:
            key = Key(
                name=clock,
                text=self._describe_clock(clock),
                lines=3,
                has_narrow_margins=True,
                chosen=clock in self._setting_by_clock,
            )
            key.bind(
                on_release=lambda key: open_page(ClockPage(key.name, self._setting_by_clock, self._apply))
            )
            add_children(self.grid, key)

    def _describe_clock(self, clock: str) -> str:
        """Returns the name of a clock and its setting."""
        tr = self.app.tr
        title = clock_titles(self.app)[clock]
        seconds, mode = split_seconds_and_timeout_mode(self._setting_by_clock.get(clock, ""))
        time = f"{seconds // 60}:{seconds % 60:02}"
        setting = {
            "": tr("no limit"),
            COUNT_UP_WORD: tr("only measured"),
            RING_WORD: tr("{time}, then a bell", time=time),
            ANSWER_WORD: tr("{time}, auto-answer", time=time),
        }[mode]
        extra, extra_seconds = find_extra_setting(clock, self._setting_by_clock)
        if not extra_seconds:
            return f"{title}\n{setting}"
        if extra in DELAYS:
            delayed = tr("{limit}, delay {n}", limit=setting, n=extra_seconds)
            return f"{title}\n{delayed}"
        return f"{title}\n{setting} +{extra_seconds}"

    def _apply(self, text: str) -> None:
        self._setting_by_clock = parse_clock_settings(text)
        self._show_clocks()


class ClockPage(_ClockSettingsPage):
    """The page of one clock: its limit and its timeout mode. `setting_by_clock` are all clocks in use."""

    def __init__(
        self, key: str, setting_by_clock: Mapping[str, str], on_text: Callable[[str], object]
    ) -> None:
        self.key, extra_settings = key, EXTRA_SETTINGS_BY_CLOCK.get(key, ())
        extra, extra_seconds = find_extra_setting(key, setting_by_clock)
        super().__init__(clock_titles(self.app)[key], on_text)
        tr = self.app.tr
        self._setting_by_other_clock = {
            clock: value for clock, value in setting_by_clock.items() if clock not in (key, *extra_settings)
        }
        seconds, current_mode = split_seconds_and_timeout_mode(setting_by_clock.get(key, ""))
        self.explanation_label = FittedLabel(is_on_felt=True, lines=3)
        modes = {"": tr("No limit"), COUNT_UP_WORD: tr("Only measure"), RING_WORD: tr("Ring a bell")}
        modes[ANSWER_WORD] = tr("Auto-answer")
        choices = [(mode, text) for mode, text in modes.items() if is_timeout_mode_allowed(key, mode)]
        self.mode_choice = SingleChoiceRow(
            choices=choices, chosen=current_mode, size_hint_y=None, height=theme.length.row
        )
        self.minutes_dial = self._make_dial("minutes", tr("Minutes"), seconds // 60, MAX_LIMIT_MINUTES, 1)
        self.seconds_dial = self._make_dial(
            "seconds", tr("Seconds"), seconds % 60, MAX_SECONDS_ON_DIAL, SECONDS_STEP
        )
        self.dials = [self.minutes_dial, self.seconds_dial]
        self.extra_choice = self._make_extra_choice(extra_settings, extra)
        if extra_settings:
            dial = self._make_dial(extra_settings[0], "", extra_seconds, MAX_EXTRA_SECONDS, SECONDS_STEP)
            self.dials.append(dial)
        self._add_widgets()
        self._show()

    def _add_widgets(self) -> None:
        """Adds everything to the page; one extra setting alone needs no choice."""
        orientation = "vertical" if self.app.stage.is_next_page_portrait else "horizontal"
        self.row = BoxLayout(orientation=orientation, spacing=theme.length.gap)
        extra_choices = [self.extra_choice] if len(self.extra_choice.choices) > 1 else []
        add_children(self, self.explanation_label, self.mode_choice, *extra_choices, self.row, self.take)
        for dial in self.dials:
            dial.bind(count=self._show)
        for choice in (self.mode_choice, self.extra_choice):
            choice.bind(chosen=self._show)

    def _make_extra_choice(self, extra_settings: Sequence[str], chosen: str) -> SingleChoiceRow:
        """Returns the row in which one of the extra settings is chosen."""
        titles = extra_setting_titles(self.app)
        choices = [(setting, titles[setting]) for setting in extra_settings]
        return SingleChoiceRow(choices=choices, chosen=chosen, size_hint_y=None, height=theme.length.row)

    def _make_dial(self, name: str, text: str, count: int, most: int, step: int) -> TypableStepper:
        dial = TypableStepper(name=name, text=text, count=count, most=most, step_size=step)
        open_number_pad_on_touch(dial)
        return dial

    @property
    def clocks_text(self) -> str:
        """Returns all clocks as text, with this one as the page shows it."""
        mode = self.mode_choice.chosen
        own = {self.key: COUNT_UP_WORD if mode == COUNT_UP_WORD else f"{self._limit_seconds} {mode}"}
        if self.extra_choice.chosen and mode != COUNT_UP_WORD and self.dials[-1].count:
            own[self.extra_choice.chosen] = str(self.dials[-1].count)
        return format_clock_settings(
            self._setting_by_other_clock | own if mode else self._setting_by_other_clock
        )

    @property
    def _limit_seconds(self) -> int:
        return int(self.minutes_dial.count * 60 + self.seconds_dial.count)

    def _problem_text(self) -> str:
        """Returns why the clock isn't allowed, in words of the screen: the parser uses the keys of clocks."""
        tr = self.app.tr
        if not 1 <= self._limit_seconds <= MAX_CLOCK_SECONDS:
            return str(tr("A limit can be from 1 second to 24 hours."))
        return str(tr("The extension can't be longer than the time for a lot."))

    def _show(self, *_: object) -> None:
        """Shows what the clock means, or why it isn't allowed."""
        has_limit = self.mode_choice.chosen in (RING_WORD, ANSWER_WORD)
        self.row.clear_widgets()
        add_children(self.row, *(self.dials if has_limit else ()))
        self.extra_choice.disabled = not has_limit
        extra = self.extra_choice.chosen
        if extra:
            self.dials[-1].text = extra_setting_titles(self.app)[extra]
        try:
            parse_clocks(self.clocks_text)
        except UserError:
            self.explanation_label.text, self.take.disabled = self._problem_text(), True
        else:
            sentences = [delay_explanations(self.app).get(extra) or clock_explanations(self.app)[self.key]]
            if self.mode_choice.chosen == ANSWER_WORD:
                sentences.append(timeout_explanations(self.app)[self.key])
            self.explanation_label.text, self.take.disabled = "\n".join(sentences), False


def parse_clock_settings(text: str) -> dict[str, str]:
    """Returns the setting of each clock in the text, by clock.

    The text is like `turn=60 ring, Raise=20 answer`, or the name of a preset.
    """
    canonical = parse_clocks(text).as_text
    return dict(part.split("=") for part in canonical.split(", ")) if canonical else {}


def format_clock_settings(settings: Mapping[str, str]) -> str:
    """Returns these clock settings as one text, such as `turn=60 ring, Raise=20 answer`."""
    return ", ".join(f"{key}={value}" for key, value in settings.items())


def find_extra_setting(clock: str, setting_by_clock: Mapping[str, str]) -> tuple[str, int]:
    """Returns the extra setting of a clock and its seconds; 0 seconds if the clock could have one."""
    settings = EXTRA_SETTINGS_BY_CLOCK.get(clock, ("",))
    setting = next((setting for setting in settings if setting in setting_by_clock), settings[0])
    return setting, int(setting_by_clock.get(setting, 0))


def split_seconds_and_timeout_mode(value: str) -> tuple[int, str]:
    """Splits the setting of a clock, such as `20 answer`, into its seconds and its timeout mode.

    A value without a number, such as `up`, is the mode alone; the seconds are then those of a new clock.
    The mode of a clock without a limit is empty.
    """
    first, _, mode = value.partition(" ")
    return (int(first), mode) if mode else (NEW_CLOCK_LIMIT_SECONDS, first)


def is_timeout_mode_allowed(clock: str, mode: str) -> bool:
    """Returns whether a clock may have this mode."""
    return (mode != COUNT_UP_WORD or clock in CLOCKS_THAT_COUNT_UP) and (
        mode != ANSWER_WORD or clock not in CLOCKS_THAT_ONLY_RING
    )


def clock_titles(app: Translator) -> dict[str, str]:
    """Returns the name of each clock."""
    tr = app.tr
    return {
        "turn": tr("Each turn"),
        "lot": tr("Each lot"),
        "price": tr("Falling price"),
        "game": tr("Whole game"),
        "budget": tr("Time per player"),
        "Choose": tr("Each choice"),
        "Raise": tr("Each open bid"),
        "Amount": tr("A number"),
        "Counts": tr("Several numbers"),
        "Read": tr("Laying down cards"),
        "Roll": tr("Dice roll"),
        "Write": tr("Writing"),
        "Done": tr("Task at the table"),
        "Together": tr("Sealed round"),
    }


def extra_setting_titles(app: Translator) -> dict[str, str]:
    """Returns the name of each extra setting."""
    tr = app.tr
    return {
        "extension": tr("Extension"),
        "increment": tr("Increment"),
        "delay": tr("Delay"),
        "bronstein": tr("Bronstein delay"),
    }


def delay_explanations(app: Translator) -> dict[str, str]:
    """Returns an explanation of a player's time with each kind of delay."""
    tr = app.tr
    return {
        "delay": tr(
            "Each player's time for the whole game. In every turn, the clock waits for the delay first."
        ),
        "bronstein": tr(
            "Each player's time for the whole game. Every turn gives back the time it took, up to the delay."
        ),
    }


def clock_explanations(app: Translator) -> dict[str, str]:
    """Returns an explanation of what each clock measures, by clock."""
    tr = app.tr
    return {
        "turn": tr("The time from one player's question to the next player's question."),
        "lot": tr(
            "The time for all bids on one lot. A bid in the last seconds resets the clock to the extension."
        ),
        "price": tr("The time until the price drops."),
        "game": tr("The time of the whole game, from start to end."),
        "budget": tr("Each player's time for the whole game. Every turn adds the increment."),
        "Choose": tr("The time that a player has for choosing an option."),
        "Raise": tr("The time that a player has for making a higher bid."),
        "Amount": tr("The time that a player has for entering a number."),
        "Counts": tr("The time that a player has for entering several numbers."),
        "Read": tr("The time that a player has for laying down cards."),
        "Roll": tr("The time that a player has for rolling the dice."),
        "Write": tr("The time that a player has for writing a few words."),
        "Done": tr("The time players have to do a task at the table and confirm it."),
        "Together": tr("The time players have to answer in secret, until the last envelope is sealed."),
    }


def timeout_explanations(app: Translator) -> dict[str, str]:
    """Returns an explanation of what happens on timeout, by clock."""
    tr = app.tr
    general = tr(
        "When time is up, the companion passes, withdraws or answers 0 for you if that is allowed. Otherwise "
        "a bell rings."
    )
    return {
        "turn": general,
        "lot": tr("When time is up, everybody except the highest bidder withdraws."),
        "price": tr("When time is up, the price falls."),
        "budget": general,
        "Choose": tr(
            "When time is up, the companion passes for you if that is allowed. Otherwise a bell rings."
        ),
        "Raise": tr(
            "When time is up, the companion passes or withdraws for you if that is allowed. "
            "Otherwise a bell rings."
        ),
        "Amount": tr(
            "When time is up, the companion answers 0 for you if that is allowed. Otherwise a bell rings."
        ),
        "Counts": tr(
            "When time is up, the companion sets all your numbers to 0 if that is allowed. "
            "Otherwise a bell rings."
        ),
        "Write": tr(
            "When time is up, the companion leaves your answer empty if that is allowed. Otherwise a "
            "bell rings."
        ),
        "Together": tr("When time is up, the companion passes or bids 0 for you if that is allowed."),
    }
