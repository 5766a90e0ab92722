"""The shelf of games as home and set-up see it: what the catalogue finds and what the evening has open."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence

from companion import catalogue
from companion.clocks import read
from companion.errors import TableError
from companion.rules.game import COVER, Game, Number, Pick, Word, written
from companion.rules.game import Option as GameOption
from companion.words import render
from ui.evening.boxes import Begin, Box, Going, NumberOption, Option, PickOption, Timed, WordOption
from ui.evening.window import WindowEvening
from ui.words import Words

DEMO = "egypt"
"""The game whose recorded match the demo table plays."""
CLOCK = "clock of the table"
"""The key of the option that every game has; no game's own, as theirs have no spaces."""
PEOPLE = "people"
"""The setting that holds names and colours of those who played last."""
GROUPS, MOST_GROUPS = "groups", 3
"""The setting that holds the same of each of the last groups whose people all had names, and how many."""
Group = list[tuple[str, str]]


class EveningShelf:
    """A `Shelf` over one evening.

    `cards` shows what is printed on cards, and learns their tags; `service` how machine and devices are;
    `sides` asks where these people sit, each a name and a colour.
    """

    def __init__(
        self,
        evening: WindowEvening,
        words: Words,
        cards: Callable[[], None] = lambda: None,
        service: Callable[[], None] = lambda: None,
        sides: Callable[[Sequence[tuple[str, str]]], None] = lambda _people: None,
    ) -> None:
        self.sides = sides
        self.cards = cards
        self.service = service
        self._evening = evening
        self._words = words

    def boxes(self, lang: str) -> list[Box]:
        """Every game that is installed; a broken one's box says why it can't be played."""
        return [self._box(game, lang) for game in catalogue.games().values()]

    def going(self, lang: str) -> Going | None:
        """The open game, who plays it, and since when, if that is known."""
        saved = self._evening.going()
        if saved is None:
            return None
        return Going(saved.game, _title(saved.game, lang), self._evening.guests(), self._since(lang))

    def people(self) -> list[tuple[str, str]]:
        """Names and colours of those who played last."""
        found: list[tuple[str, str]] = self._evening.setting(PEOPLE, [], list[tuple[str, str]])
        return found

    def groups(self) -> list[Group]:
        """Names and colours of the last groups who played together, the latest first."""
        found: list[Group] = self._evening.setting(GROUPS, [], list[Group])
        return found

    def begin(self, begin: Begin) -> None:
        """Begins the game; the evening says so if it can't."""
        options = {key: written(value) for key, value in begin.options.items() if key != CLOCK}
        clocks = read(str(begin.options[CLOCK]))
        if self._evening.begin(begin.game, begin.names, begin.colours, options, clocks):
            self._evening.remember(PEOPLE, begin.guests)
            self._remember_group(list(begin.guests[: len(begin.names)]))

    def resume(self) -> None:
        """Goes on with the open game."""
        self._evening.resume()

    def demo(self) -> None:
        """Plays the recorded game by itself."""
        from companion.verbs.logs import recorded  # not before: it would delay the first frame

        self._evening.watch(recorded(DEMO))

    def _remember_group(self, group: Group) -> None:
        """Once, however the people sit now; nobody is looked for by "Player 2"."""
        if all(name for name, _ in group):
            names = {name for name, _ in group}
            others = [one for one in self.groups() if {name for name, _ in one} != names]
            self._evening.remember(GROUPS, [group, *others][:MOST_GROUPS])

    def _since(self, lang: str) -> str:
        begun = self._evening.begun()
        if begun is None:
            return ""
        date, at = time.strftime("%Y-%m-%d %H:%M", time.localtime(begun)).split()
        return self._words.said(lang, "since {date}, {time}", date=date, time=at)

    def _box(self, game: Game | catalogue.Broken, lang: str) -> Box:
        if isinstance(game, catalogue.Broken):
            return Box(game.key, game.key, "", 0, 0, broken=render(game.why, lang))
        offered = self._evening.headless.offered(game.key)
        options = (*(self._option(option, lang) for option in offered.options), self._clocks(game, lang))
        cover = str(game.brings(COVER) or "")
        return Box(game.key, render(game.title, lang), "", *game.players, options, cover=cover)

    def _clocks(self, game: Game, lang: str) -> Timed:
        """What every game can be played with, as `companion.clocks.PRESETS` names it."""
        presets = {
            "none": self._words.said(lang, "No clock"),
            "watch": self._words.said(lang, "Time is only counted"),
            "turn": self._words.said(lang, "1 minute a turn, then a ring"),
            "bids": self._words.said(lang, "20 s a bid, then no bid"),
            "auction": self._words.said(lang, "1 minute a lot, 10 s after a late bid"),
            "budget": self._words.said(lang, "15 minutes each, 10 s more a turn"),
        }
        title = self._words.said(lang, "Clock")
        sentence = self._words.said(lang, "How long people may think.")
        own = self._words.said(lang, "Limits of our own")
        return Timed(CLOCK, title, sentence, "none", tuple(presets.items()), own, game.asks)

    def _option(self, option: GameOption, lang: str) -> Option:
        texts = (option.key, render(option.label, lang), render(option.hint, lang))
        match option:
            case Pick():
                choices = tuple((key, render(label, lang)) for key, label in option.choices.items())
                return PickOption(*texts, option.default, choices)
            case Number(default=default):
                assert not isinstance(default, str)
                none = self._words.said(lang, "None") if default is None else None
                return NumberOption(*texts, default, option.least, option.most, none)
            case Word(default=default):
                return WordOption(*texts, str(default), option.letters)
        raise NotImplementedError(option.key)  # an option without a row is a fault of ours


def _title(key: str, lang: str) -> str:
    """The title of a game that is open, even if it is no longer installed."""
    try:
        return render(catalogue.game(key).title, lang)
    except TableError:
        return key
