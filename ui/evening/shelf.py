"""The shelf of games as home and set-up see it: what the catalogue finds and what the evening has open."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence

import msgspec

from companion import catalogue, languages, templates
from companion.clocks import read
from companion.errors import CompanionError, TableError
from companion.evening import Evening
from companion.log.events import Began
from companion.record import register
from companion.record.facts import NO_FACTS, Facts
from companion.record.when import play_time, short
from companion.rules.game import COVER, Game, written
from companion.rules.game import Option as GameOption
from companion.store import Saved
from companion.words import listed, literal, render
from ui.evening.boxes import (
    Begin,
    Box,
    Going,
    Option,
    Over,
    Regular,
    Timed,
)
from ui.evening.options import in_language
from ui.evening.window import WindowEvening
from ui.widgets.drawing.line_ends import UNBROKEN
from ui.words import Words

DEMO = "egypt"
"""The game whose recorded match the demo table plays."""
BEST = 6
"""Most players who are named in a row of the past games; a touch shows all."""
CLOCK = "clock of the table"
"""The key of the option that every game has; no game's own, as theirs have no spaces."""
PEOPLE = "people"
"""The key under which names and colours of those who played last are remembered."""
GROUPS, MOST_GROUPS = "groups", 3
"""The key under which the last groups are remembered whose people all had names, and how many."""
Group = list[tuple[str, str]]


class EveningShelf:
    """A `Shelf` over one evening.

    `cards` shows what is printed on cards, and learns their tags; `settings` what is set;
    `sides` asks where these people sit, each a name and a colour.
    `templates` shows those of Any Game, and tells which was looked at last.
    `waiting` and `past` show the games that can go on, and those that are over; `stuck` says why one can't.
    """

    def __init__(
        self,
        evening: WindowEvening,
        words: Words,
        cards: Callable[[], None] = lambda: None,
        sides: Callable[[Sequence[tuple[str, str]]], None] = lambda _people: None,
    ) -> None:
        self.sides = sides
        self.cards = cards
        self.settings: Callable[[], None] = lambda: None
        self.templates: Callable[[Callable[[str], object]], None] = lambda _done: None
        self.waiting: Callable[[], None] = lambda: None
        self.past: Callable[[], None] = lambda: None
        self.stuck: Callable[[Saved, CompanionError], None] = lambda _saved, _error: None
        self._evening = evening
        self._words = words

    def boxes(self, lang: str) -> list[Box]:
        """Every game that is installed; a broken one's box says why it can't be played."""
        return [self._box(game, lang) for game in catalogue.games().values()]

    def going(self, lang: str) -> list[Going]:
        """The games that can go on, the one played last first."""
        return [self._going(saved, lang) for saved in self._evening.read(Evening.unfinished, [])]

    def over(self) -> list[Saved]:
        """The games that were put away, the newest first; `ended` says more of one."""
        return self._evening.read(Evening.over, [])

    def ended(self, saved: Saved, lang: str) -> Over:
        """How one of them ended."""
        facts = self.facts(saved)
        time = [play_time(facts.seconds)] if round(facts.seconds) else []
        ending = "   ".join([self._ending(saved, lang, counts=facts.counts), *time])
        title, when = self._called(saved, lang), short(facts.played)
        return Over(saved.number, title, when, ending, _cover(saved.game))

    def facts(self, saved: Saved) -> Facts:
        """When and how long one of them was played, whether it counts, and the like."""
        return self._evening.read(lambda evening: evening.facts(saved), NO_FACTS)

    def regulars(self) -> list[Regular]:
        """Who played games to their end, the most wins first."""
        return self._evening.read(
            lambda evening: [_regular(one) for one in register.players(evening.store)], []
        )

    def by_game(self, name: str, lang: str) -> list[Regular]:
        """What one of them played and won, a game each in place of the name."""

        def look(evening: Evening) -> list[Regular]:
            found = register.by_game(evening.store, name)
            return [Regular(_title(key, lang), one.games, one.wins) for key, one in found.items()]

        return self._evening.read(look, [])

    def merge(self, name: str, into: str) -> None:
        """Joins two names of one person; raises `TableError` if they can't be one."""
        register.merge(self._evening.headless.store, name, into)

    def uncount(self, name: str) -> None:
        """What that name played until now is no longer counted."""
        register.delete(self._evening.headless.store, name)

    def people(self) -> list[tuple[str, str]]:
        """Names and colours of those who played last."""
        found: list[tuple[str, str]] = self._evening.recall(PEOPLE, [], list[tuple[str, str]])
        return found

    def groups(self) -> list[Group]:
        """Names and colours of the last groups who played together, the latest first."""
        found: list[Group] = self._evening.recall(GROUPS, [], list[Group])
        return found

    def inputs(self, seat: int) -> Mapping[str, bool]:
        """The devices with which a seat answers, and whether each can be used now."""
        return self._evening.inputs(seat)

    def begin(self, begin: Begin) -> None:
        """Begins the game; the evening says so if it can't."""
        options = {key: written(value) for key, value in begin.options.items() if key != CLOCK}
        clocks = read(str(begin.options[CLOCK]))
        if self._evening.begin(begin.game, begin.names, begin.colours, options, clocks):
            self._evening.remember(PEOPLE, begin.guests)
            self._remember_group(list(begin.guests[: len(begin.names)]))

    def resume(self, number: int) -> None:
        """Goes on with that game, or says why it can't."""
        for saved in self._evening.read(Evening.unfinished, []):
            if saved.number == number:
                try:
                    self._evening.go_on_with(saved)
                except CompanionError as error:
                    self.stuck(saved, error)

    def demo(self) -> None:
        """Plays the recorded game by itself."""
        from companion.recorded import find_recorded  # not before: it would delay the first frame

        began, *others = find_recorded(DEMO)
        assert isinstance(began, Began)
        language = languages.find(self._evening.lang)
        names = language.people[: len(began.names)] if language else ()
        if len(names) < len(began.names):
            names = began.names
        self._evening.watch([msgspec.structs.replace(began, names=names), *others])

    def _remember_group(self, group: Group) -> None:
        """Once, however the people sit now; nobody is looked for by "Player 2"."""
        if all(name for name, _ in group):
            names = {name for name, _ in group}
            others = [one for one in self.groups() if {name for name, _ in one} != names]
            self._evening.remember(GROUPS, [group, *others][:MOST_GROUPS])

    def _going(self, saved: Saved, lang: str) -> Going:
        people = self._evening.read(lambda evening: evening.people(saved), ())
        title, since = self._called(saved, lang), ""
        day = self._day(saved)
        if day:
            since = self._words.said(lang, "last played {when}", when=UNBROKEN.join(day))
        cover, is_open = _cover(saved.game), saved.state == "open"
        names = _named(saved, lang)
        return Going(
            saved.game, title, people, since, saved.number, cover, " ".join(day), names, is_open=is_open
        )

    def _called(self, saved: Saved, lang: str) -> str:
        """What they play or played: the game, or what was chosen that stands for it."""
        try:
            options = self._evening.read(lambda evening: evening.options(saved), {})
            return render(catalogue.game(saved.game).called(options), lang)
        except TableError:  # the game is no longer installed
            return _title(saved.game, lang)

    def _day(self, saved: Saved) -> list[str]:
        """Date and time when it last lay on the table; nothing where nobody knows."""
        touched = self._evening.read(lambda evening: evening.touched(saved), None)
        return time.strftime("%Y-%m-%d %H:%M", time.localtime(touched)).split() if touched else []

    def _ending(self, saved: Saved, lang: str, *, counts: bool) -> str:
        """Ranks, names and totals of the best, and how many more; names alone where no score was kept.

        A game that is left out of the statistics says so.
        """
        ended = self._ended(saved, lang)
        return ended if counts else self._words.said(lang, "Not counted: {ended}", ended=ended)

    def _ended(self, saved: Saved, lang: str) -> str:
        if saved.result is None:
            return self._words.said(lang, "{names}: ended early", names=_named(saved, lang))
        places = [
            f"{one['rank']}. {one['seat']} {one['total']}".replace(" ", UNBROKEN)
            for one in saved.result["standings"]
        ]
        more = [f"+{len(places) - BEST}"] if len(places) > BEST else []
        ranks = "   ".join([*places[:BEST], *more])
        is_early = saved.state == "put away"
        return self._words.said(lang, "Ended early: {ranks}", ranks=ranks) if is_early else ranks

    def _box(self, game: Game | catalogue.Broken, lang: str) -> Box:
        if isinstance(game, catalogue.Broken):
            return Box(game.key, game.key, 0, 0, broken=render(game.why, lang))
        offered = self._evening.headless.offered(game.key)
        options = (*(self._option(option, lang) for option in offered.options), self._clocks(game, lang))
        cover = str(game.brings(COVER) or "")
        return Box(game.key, render(game.title, lang), *game.players, cover=cover, options=options)

    def _option(self, option: GameOption, lang: str) -> Option:
        made = self._words.said(lang, "Make your own") if option.key == templates.OPTION else ""
        return in_language(option, self._words, lang, made)

    def _clocks(self, game: Game, lang: str) -> Timed:
        """What every game can be played with, as `companion.clocks.PRESETS` names it."""
        presets = {
            "none": self._words.said(lang, "No clock"),
            "watch": self._words.said(lang, "Only measure time"),
            "turn": self._words.said(lang, "1 minute per turn, then a bell"),
            "bids": self._words.said(lang, "20 s per bid; too late means no bid"),
            "auction": self._words.said(lang, "1 minute per lot; a late bid leaves 10 s"),
            "falling": self._words.said(lang, "The price falls every 4 s"),
            "budget": self._words.said(lang, "15 minutes per player, plus 10 s per turn"),
        }
        title = self._words.said(lang, "Clock")
        sentence = self._words.said(lang, "Choose how long players may think.")
        own = self._words.said(lang, "Our own limits")
        return Timed(CLOCK, title, sentence, "none", tuple(presets.items()), own=own, asks=game.asks)


def _regular(one: register.Player) -> Regular:
    return Regular(one.name, one.games, one.wins)


def _named(saved: Saved, lang: str) -> str:
    return render(listed(map(literal, saved.names)), lang)


def _cover(key: str) -> str:
    try:
        return str(catalogue.game(key).brings(COVER) or "")
    except TableError:
        return ""


def _title(key: str, lang: str) -> str:
    """The title of a game that is open, even if it is no longer installed."""
    try:
        return render(catalogue.game(key).title, lang)
    except TableError:
        return key
