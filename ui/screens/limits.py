"""Limits of time of the table's own: each clock that this game can have, and what silence means at its end.

    Limits("turn=60 ring", game.asks)

It edits the text that `--clock` takes; what can't be is said in one sentence, and can't be taken.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kivy.uix.boxlayout import BoxLayout
from kivy.uix.gridlayout import GridLayout

from companion.clocks import parse_clocks
from companion.clocks.clock_settings import ANSWER, COUNT_UP, MAX_CLOCK_SECONDS, RING
from companion.errors import UserError
from ui import theme
from ui.host import running
from ui.pages import Page, open_page, type_into
from ui.widgets.drawing.containers import put
from ui.widgets.drawing.text import Writing
from ui.widgets.keys.key import Chips, Key
from ui.widgets.keys.steppers import Dial
from ui.widgets.sheets.page_header import Head
from ui.words import Speaking

OPEN = "Raise"
"""The kind of question that a lot is made of."""
COUNTS_UP = ("turn", "lot", "game")
ONLY_RINGS = ("game", "Read", "Roll", "Done")
"""At the end of these silence can mean nothing."""
BESIDE = {"lot": "extension", "budget": "increment"}
"""What is set together with a clock, as it needs it."""
USUAL = 60
"""Seconds offered first."""
STEP = 5
IN_THREES = 12
"""Most clocks that have room in three columns; more need four."""
MOST_MINUTES, MOST_SECONDS, MOST_BESIDE = 24 * 60, 59, 60 * 60


class _Page(Page):
    """A column under a head that leads back without a change."""

    __events__: tuple[str, ...] = ("on_done",)  # text: these are the clocks; they can be read

    def __init__(self, title: str) -> None:
        sizes = theme.length
        edges = (sizes.margin, sizes.gap, sizes.margin, sizes.margin)
        super().__init__(padding=edges)
        self.lay_under(Head(title))
        self.take = Key(name="take", look="brass", size_hint=(0.4, None), pos_hint={"right": 1})
        self.take.text, self.take.height = self.app.tr("Done"), sizes.row
        self.take.bind(on_release=lambda _: self._done())

    def _done(self) -> None:
        self.close()
        self.dispatch("on_done", self.clocks)

    @property
    def clocks(self) -> str:
        """The clocks as they would be."""
        raise NotImplementedError  # each page says it


class Limits(_Page):
    """All clocks that a game can have which asks questions of these kinds, and those that are set."""

    def __init__(self, text: str, asks: Sequence[str]) -> None:
        super().__init__(self.app.tr("Time limits"))
        self._set, self._asks = parts(text), asks
        self.grid = GridLayout(cols=3, spacing=theme.length.gap / 2)
        put(self, self.grid, self.take)
        self._lay()

    @property
    def clocks(self) -> str:
        """The clocks as they are set."""
        return joined(self._set)

    def _lay(self) -> None:
        lot = ("lot",) if OPEN in self._asks else ()
        keys = dict.fromkeys(("turn", *lot, "game", "budget", *self._asks, *self._set))
        shown = [key for key in keys if key not in BESIDE.values()]
        self.grid.clear_widgets()
        self.grid.cols = 2 if running().stage.is_upright else 3 if len(shown) <= IN_THREES else 4
        for key in shown:
            one = Key(name=key, text=self._shown(key), lines=3, is_full=True, chosen=key in self._set)
            one.bind(on_release=lambda one: self._ask(one.name))
            put(self.grid, one)

    def _shown(self, key: str) -> str:
        """What it is and how it is set, in a few words."""
        tr = self.app.tr
        title, (seconds, silence) = titles(self.app)[key], taken_apart(self._set.get(key, ""))
        time = f"{seconds // 60}:{seconds % 60:02}"
        face = {
            "": tr("no limit"),
            COUNT_UP: tr("only measured"),
            RING: tr("{time}, then a bell", time=time),
            ANSWER: tr("{time}, auto-answer", time=time),
        }[silence]
        more = self._set.get(BESIDE.get(key, ""))
        return f"{title}\n{face} +{more}" if more else f"{title}\n{face}"

    def _ask(self, key: str) -> None:
        page = OneLimit(key, self._set)
        page.bind(on_done=lambda _, text: self._changed(text))
        open_page(page)

    def _changed(self, text: str) -> None:
        self._set = parts(text)
        self._lay()


class OneLimit(_Page):
    """One clock: whether there is a limit, how long, what silence means; `others` stay as they are."""

    def __init__(self, key: str, others: Mapping[str, str]) -> None:
        self.key, self.beside = key, BESIDE.get(key)
        super().__init__(titles(self.app)[key])
        tr = self.app.tr
        self._others = {one: value for one, value in others.items() if one not in (key, self.beside)}
        seconds, silence = taken_apart(others.get(key, ""))
        self.sentence = Writing(felt=True, lines=3)
        modes = {"": tr("No limit"), COUNT_UP: tr("Only measure"), RING: tr("Ring a bell")}
        modes[ANSWER] = tr("Auto-answer")
        choices = [(mode, text) for mode, text in modes.items() if may_be(key, mode)]
        self.mode = Chips(choices=choices, chosen=silence, size_hint_y=None, height=theme.length.row)
        self.minutes = self._dial("minutes", tr("Minutes"), seconds // 60, MOST_MINUTES, 1)
        self.seconds = self._dial("seconds", tr("Seconds"), seconds % 60, MOST_SECONDS, STEP)
        self.dials = [self.minutes, self.seconds]
        if self.beside:
            late, more = tr("Extension"), tr("Increment")
            text, count = late if key == "lot" else more, int(others.get(self.beside, 0))
            self.dials.append(self._dial(self.beside, text, count, MOST_BESIDE, STEP))
        along = "vertical" if running().stage.is_upright else "horizontal"
        self.row = BoxLayout(orientation=along, spacing=theme.length.gap)
        put(self, self.sentence, self.mode, self.row, self.take)
        for dial in self.dials:
            dial.bind(count=self._show)
        self.mode.bind(chosen=self._show)
        self._show()

    def _dial(self, name: str, text: str, count: int, most: int, by: int) -> Dial:
        dial = Dial(name=name, text=text, count=count, most=most, by=by)
        type_into(dial)
        return dial

    @property
    def clocks(self) -> str:
        """All clocks, this one as it is shown."""
        mode = self.mode.chosen
        own = {self.key: COUNT_UP if mode == COUNT_UP else f"{self._time} {mode}"}
        if self.beside and mode != COUNT_UP and self.dials[-1].count:
            own[self.beside] = str(self.dials[-1].count)
        return joined(self._others | own if mode else self._others)

    @property
    def _time(self) -> int:
        """Seconds until it is up."""
        return int(self.minutes.count * 60 + self.seconds.count)

    def _why_not(self) -> str:
        """In words of the screen: what reads clocks names them as they are typed."""
        tr = self.app.tr
        if not 1 <= self._time <= MAX_CLOCK_SECONDS:
            return str(tr("A limit can be from 1 second to 24 hours."))
        return str(tr("The extension can't be longer than the time for a lot."))

    def _show(self, *_: object) -> None:
        """What it means, or why it can't be."""
        timed = self.mode.chosen in (RING, ANSWER)
        self.row.clear_widgets()
        put(self.row, *(self.dials if timed else ()))
        try:
            parse_clocks(self.clocks)
        except UserError:
            self.sentence.text, self.take.disabled = self._why_not(), True
        else:
            meant = [meanings(self.app)[self.key]]
            meant += [silences(self.app)[self.key]] if self.mode.chosen == ANSWER else []
            self.sentence.text, self.take.disabled = "\n".join(meant), False


def parts(text: str) -> dict[str, str]:
    """Each setting of `turn=60 ring, Raise=20 answer` by its key; a preset's name is read, too."""
    plain = parse_clocks(text).text
    return dict(part.split("=") for part in plain.split(", ")) if plain else {}


def joined(settings: Mapping[str, str]) -> str:
    """The text of these settings."""
    return ", ".join(f"{key}={value}" for key, value in settings.items())


def taken_apart(value: str) -> tuple[int, str]:
    """Seconds and what silence means: `20 answer`, `up`; empty where there is no limit."""
    time, _, silence = value.partition(" ")
    return (int(time), silence) if silence else (USUAL, time)


def may_be(key: str, mode: str) -> bool:
    """Whether a clock can be set so."""
    return (mode != COUNT_UP or key in COUNTS_UP) and (mode != ANSWER or key not in ONLY_RINGS)


def titles(app: Speaking) -> dict[str, str]:
    """What each clock is called."""
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


def meanings(app: Speaking) -> dict[str, str]:
    """What each clock counts."""
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


def silences(app: Speaking) -> dict[str, str]:
    """What silence answers when the time is up."""
    tr = app.tr
    anything = tr(
        "When time is up, the companion passes, withdraws or answers 0 for you if that is allowed. Otherwise "
        "a bell rings."
    )
    return {
        "turn": anything,
        "lot": tr("When time is up, everybody except the highest bidder withdraws."),
        "price": tr("When time is up, the price falls."),
        "budget": anything,
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
