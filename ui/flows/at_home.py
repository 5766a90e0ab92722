"""Home and set-up: which games there are, the way to a game and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property, partial
from typing import TYPE_CHECKING

from ui.evening.home_snapshot import GameSummary, HomeSnapshot, OngoingGame
from ui.flows.language import choose_language
from ui.flows.leaving import Leaving
from ui.host import TableHost
from ui.screens.home import Home

if TYPE_CHECKING:
    from companion.catalogue import Broken
    from companion.rules.game import Game
    from companion.store import Saved
    from ui.evening.seating_plan import NewGame
    from ui.flows.shelving import Shelving
    from ui.screens.set_up import SetUp

PEOPLE = "people"
"""The key under which names and colours of those who played last are remembered."""
GROUPS, MOST_GROUPS = "groups", 3
"""The key under which the last groups are remembered whose people all had names, and how many."""
Group = list[tuple[str, str]]
"""Names and colours of people who played together."""


def draw(snapshot: HomeSnapshot) -> Home:
    """Returns home as in the snapshot; nothing can be done there yet."""
    return Home(games=snapshot.lids, going=snapshot.going, waiting=snapshot.waiting)


class AtHome:
    """`AtHome(app, leaving).show()`; once `is_ready` is set, home leads on to the other pages.

    `drawn` is the home that is on the screen already, with its snapshot: if home still looks so, it stays.
    `keep` is given each new snapshot.
    """

    is_ready = False
    """Whether the other pages are loaded; until then, for one frame, only set-up and languages open."""

    def __init__(
        self,
        app: TableHost,
        leaving: Leaving,
        drawn: tuple[HomeSnapshot, Home] | None = None,
        keep: Callable[[HomeSnapshot], None] = lambda _snapshot: None,
    ) -> None:
        self.app, self.leaving = app, leaving
        self._drawn, self._keep = drawn, keep
        self._setting_up: SetUp | None = None

    @cached_property
    def shelving(self) -> Shelving:
        """The pages of saved games."""
        from ui.flows.shelving import Shelving  # not before: it would delay the first frame

        return Shelving(self.app)

    def show(self) -> None:
        """Shows home."""
        self.app.stage.show(self._home)

    def hear(self, device: str, *, pressed: bool) -> None:
        """Tells set-up that something was pressed at a device, or that the device was lost or found."""
        if self._setting_up is not None and self.app.stage.screen is self._setting_up:
            self._setting_up.hear(device, pressed=pressed)

    def set_up(self, game: str) -> None:
        """Shows the set-up of that game."""
        self.app.stage.show(lambda: self._set_up(game))

    def speak(self) -> None:
        """Shows home in the language that is read now; other pages do so by themselves."""
        screen = self.app.stage.screen
        if isinstance(screen, Home):
            seen = self._look()
            screen.games, screen.going, screen.waiting = seen.lids, seen.going, seen.waiting

    def watch_demo(self) -> None:
        """Plays the recorded match by itself, with people of the reader's language."""
        from msgspec.structs import replace  # not before: it would delay the first frame

        from companion import languages
        from companion.log.events import Began
        from companion.recorded import demo_match

        began, *others = demo_match()
        assert isinstance(began, Began)
        language = languages.find(self.app.controller.lang)
        names = language.people[: len(began.names)] if language else ()
        if len(names) < len(began.names):
            names = began.names
        self.app.controller.watch([replace(began, names=names), *others])

    def begin(self, new: NewGame) -> None:
        """Begins the game and remembers who plays; the evening says why if the game can't begin."""
        from companion.clocks import read  # not before: it would delay the first frame
        from companion.rules.game import value_text

        options = {key: value_text(value) for key, value in new.options.items()}
        if self.app.controller.begin(new.game, new.names, new.colours, options, read(new.clocks)):
            self.app.controller.remember(PEOPLE, new.guests)
            self._remember_group([*new.guests[: len(new.names)]])

    def groups(self) -> list[Group]:
        """Returns the last groups who played together, the latest first."""
        found: list[Group] = self.app.controller.recall(GROUPS, [], list[Group])
        return found

    def _remember_group(self, group: Group) -> None:
        """Remembers a group once, however its people sit; none with a player whom nobody named."""
        if all(name for name, _ in group):
            names = {name for name, _ in group}
            others = [one for one in self.groups() if {name for name, _ in one} != names]
            self.app.controller.remember(GROUPS, [group, *others][:MOST_GROUPS])

    # Home

    def _look(self) -> HomeSnapshot:
        """Returns what home shows now, and keeps it for the next start."""
        from companion import catalogue  # not before: it would delay the first frame
        from companion.evening import Evening

        app = self.app
        lids = tuple(_summary(app, game) for game in catalogue.games().values())
        unfinished = app.controller.read(Evening.unfinished, [])
        going = _ongoing(app, unfinished[0]) if unfinished else None
        snapshot = HomeSnapshot(app.lang, lids, going, max(0, len(unfinished) - 1))
        self._keep(snapshot)
        return snapshot

    def _home(self) -> Home:
        snapshot = self._look()
        drawn, self._drawn = self._drawn, None
        home = drawn[1] if drawn is not None and drawn[0] == snapshot else draw(snapshot)
        home.bind(
            on_continue=self._when_ready(lambda flow: flow.shelving.resume(home.going.number)),
            on_waiting=self._when_ready(lambda flow: flow.shelving.waiting()),
            on_past=self._when_ready(lambda flow: flow.shelving.past()),
            on_new=lambda _, game: self.set_up(game.key),
            on_broken=lambda _, game: self.app.tell(game.broken),
            on_demo=self._when_ready(AtHome.watch_demo),
            on_cards=self._when_ready(lambda flow: flow.app.open_cards()),
            on_settings=self._when_ready(lambda flow: flow.app.open_settings()),
            on_language=lambda _: choose_language(self.app),
            on_quit=lambda home: self.leaving.ask(home.going.title if home.going else ""),
        )
        return home

    def _when_ready(self, do: Callable[[AtHome], object]) -> Callable[[Home], None]:
        """Returns a handler that does it, or nothing as long as the other pages aren't loaded."""

        def do_if_ready(_home: Home) -> None:
            if self.is_ready:
                do(self)

        return do_if_ready

    # Set-up

    def _game(self, key: str) -> Game:
        """Returns a game with the presets that there are now."""
        return self.app.evening.offered(key)

    def _set_up(self, game: str) -> SetUp:
        from companion.evening import Evening  # not before: it would delay the first frame
        from ui.flows.keeping import keeping
        from ui.flows.sitting import Sides
        from ui.screens.set_up import SetUp

        app, controller, read = self.app, self.app.controller, self.app.controller.read
        screen = self._setting_up = SetUp(
            game=self._game(game),
            guests=controller.recall(PEOPLE, [], list[tuple[str, str]]),
            groups=self.groups(),
            inputs=controller.inputs,
        )
        screen.bind(
            on_begin=lambda _, new: keeping(app, read(Evening.going, None), partial(self.begin, new)),
            on_sides=lambda _, people: Sides(app).ask(people),
            on_made=lambda screen, option: app.open_presets(
                screen.game, partial(self._choose, screen, option.key)
            ),
            on_leave=lambda _: self.show(),
        )
        return screen

    def _choose(self, screen: SetUp, option: str, name: str) -> None:
        """Offers the presets that there are now, and chooses the one that was seen last."""
        screen.game = self._game(screen.game.key)
        screen.choose(option, name)


def _summary(app: TableHost, game: Game | Broken) -> GameSummary:
    from companion.catalogue import Broken  # not before: it would delay the first frame
    from companion.rules.game import COVER_SUFFIX
    from companion.words import render

    if isinstance(game, Broken):
        return GameSummary(game.key, game.key, 0, 0, broken=render(game.why, app.lang))
    cover = str(game.find_file(COVER_SUFFIX) or "")
    return GameSummary(game.key, render(game.title, app.lang), *game.players, cover=cover)


def _ongoing(app: TableHost, saved: Saved) -> OngoingGame:
    from ui.screens import saved_games  # not before: it would delay the first frame
    from ui.widgets.drawing.line_ends import UNBROKEN

    nobody: Sequence[tuple[str, str]] = ()
    people = app.controller.read(lambda evening: evening.people(saved), nobody)
    when = UNBROKEN.join(saved_games.last_played(app, saved))
    since = app.tr("last played {when}", when=when) if when else ""
    title, names = saved_games.title(app, saved), saved_games.names(app, saved)
    return OngoingGame(saved.number, title, tuple(people), names, since)
