"""Home: continue a game, begin a new one, open past games, cards and settings, or watch the demo."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from math import ceil
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kivy.clock import Clock
from kivy.lang import Builder
from kivy.properties import BooleanProperty, ListProperty, NumericProperty, ObjectProperty, StringProperty
from kivy.uix.boxlayout import BoxLayout
from kivy.uix.widget import Widget

from companion.record.remembered_players import LAST_PLAYERS_KEY, RECENT_GROUPS_KEY, PlayerGroup
from ui import theme
from ui.evening.first_steps import FirstStepsOffer
from ui.evening.home_snapshot import FirstSteps, GameSummary, HomeSnapshot, OngoingGame
from ui.evening.known_players import KnownPlayers
from ui.evening.preset_choices import PresetChoices, PresetOfGame
from ui.events import EventMixin, bind_weak
from ui.host import AppWithEvening, get_companion_app
from ui.pages import show_message
from ui.screens.quit_flow import QuitFlow
from ui.widgets.drawing.containers import add_children, make_filler
from ui.widgets.drawing.surfaces import PaperBoxLayout
from ui.widgets.drawing.symbols import PlayerToken
from ui.widgets.drawing.text import FittedLabel
from ui.widgets.keys.game_box import GameBoxButton
from ui.widgets.keys.key import Key
from ui.widgets.keys.pager import Pager
from ui.words import capitalize_first_letter

if TYPE_CHECKING:
    from companion.installed_games import BrokenGame
    from companion.rules.game import Game
    from companion.store import SavedGame
    from ui.screens.first_evening import FirstEveningFlow
    from ui.screens.gallery import GalleryPage
    from ui.screens.past_games import PastGamesFlow
    from ui.screens.set_up import NewGame, SetUpScreen


DEMO_COVER_PATH = Path(__file__).with_name("demo_cover.png")
"""The picture of the demo table's box."""
MIN_GAME_BOX_SIZE_IN_TARGETS = 2.05, 2.1
"""The least width and height of a game's box."""
UPRIGHT_CONTINUE_HEIGHT_IN_ROWS = 3.7
"""The height of the sheet of the game to continue on an upright screen; five players fit."""
Builder.load_file(str(Path(__file__).with_suffix(".kv")))


class ContinueSheet(EventMixin, PaperBoxLayout):
    """A sheet with the game to continue, and a key for the `other_count` other unfinished games.

    `is_wide`: the sheet takes the whole width of an upright page.
    """

    title = StringProperty("")
    last_played_text = StringProperty("")
    is_wide = BooleanProperty(defaultvalue=False)
    __events__ = (
        "on_continue",  # people continue this game
        "on_waiting",  # people open the list of the other unfinished games
    )

    def __init__(self, game: OngoingGame, other_count: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.title, self.last_played_text = game.title, game.since
        self._players, self._names = game.players, game.names
        self.ids.people.bind(size=Clock.create_trigger(self._show_players, -1))
        if other_count:
            text = get_companion_app().trn("{n} more open game", "{n} more open games", other_count)
            key = Key(
                name="waiting",
                text=text,
                has_narrow_margins=True,
                size_hint_y=None,
                height=theme.length.target,
            )
            key.bind(on_release=lambda _: self.dispatch("on_waiting"))
            add_children(self.ids.ways, key)

    def _show_players(self, *_: object) -> None:
        """Shows a row for each player if they fit, else all names in a few lines."""
        people, line = self.ids.people, theme.length.body * 1.4
        people.clear_widgets()
        if len(self._players) * line > people.height:
            lines = max(3, int(people.height / (theme.length.smallest * 1.3)))
            add_children(people, FittedLabel(text=self._names, lines=lines, abbreviates=True))
            return
        for name, colour in self._players:
            row = BoxLayout(spacing=theme.length.gap, size_hint_max_y=line * 1.5)
            token = PlayerToken(colour=colour, size_hint_x=None, width=line)
            label = FittedLabel(text=name, lines=2, line_height=1.0, abbreviates=True)
            add_children(people, add_children(row, token, label))
        add_children(people, make_filler())


class FirstStepsSheet(EventMixin, PaperBoxLayout):
    """A sheet for newcomers: a game to try in two minutes, and a game to play then."""

    __events__ = (
        "on_try",  # people try the short game
        "on_suggested",  # people set up the suggested game
        "on_not_now",  # people don't want to see the sheet again
    )

    def __init__(self, first_steps: FirstSteps, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        app, sizes = get_companion_app(), theme.length
        title, sentence = app.tr("A good first game"), ""
        play_text = app.tr("Play {game}", game=first_steps.suggested_game.title)
        keys = [("suggested", play_text, "brass"), ("not now", app.tr("Not now"), "paper")]
        if first_steps.offers_trial:
            title = app.tr("Try it in two minutes")
            sentence = app.tr("A secret bid for everybody here, with hints.")
            keys = [("try", app.tr("Try it"), "brass"), ("suggested", play_text, "paper"), keys[-1]]
        self.title = FittedLabel(text=title, style="question", lines=3, line_height=1.0)
        self.sentence = FittedLabel(text=sentence, lines=6, is_paragraph=True, valign="top")
        ways = BoxLayout(orientation="vertical", spacing=sizes.gap, size_hint_y=None)
        ways.height = len(keys) * (sizes.target + sizes.gap) - sizes.gap
        for name, text, look in keys:
            key = Key(name=name, text=text, look=look)
            event = f"on_{name.replace(' ', '_')}"
            key.bind(on_release=lambda _, event=event: self.dispatch(event))
            ways.add_widget(key)
        words = add_children(BoxLayout(orientation="vertical"), self.title, self.sentence)
        add_children(self, words, ways)


class HomeScreen(EventMixin, BoxLayout):
    """The home screen: boxes of the games, the game to continue, and the number of other unfinished games.

    Newcomers see their first steps in place of the game to continue.
    """

    games = ListProperty()
    ongoing_game = ObjectProperty(None, allownone=True)
    first_steps = ObjectProperty(None, allownone=True)
    other_unfinished_count = NumericProperty(0)
    is_upright = BooleanProperty(defaultvalue=False)
    __events__ = (
        "on_continue",  # people continue the game that was played last
        "on_waiting",  # people open the other unfinished games
        "on_past",  # people open the past games and their players
        "on_new",  # game: people set up that game
        "on_broken",  # game: people ask why that game can't be played
        "on_demo",  # people start the demo
        "on_cards",  # people open the cards and their tags
        "on_settings",  # people open the settings
        "on_language",  # people open the list of languages
        "on_quit",  # people quit the app, after a confirmation
        "on_try",  # newcomers try the short game
        "on_suggested",  # newcomers set up the suggested game
        "on_not_now",  # people don't want to see the first steps again
    )

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        rebuild_soon = Clock.create_trigger(self._rebuild, -1)
        bind_weak(get_companion_app(), "lang", self._rebuild)
        self.bind(
            games=rebuild_soon,
            ongoing_game=rebuild_soon,
            first_steps=rebuild_soon,
            other_unfinished_count=rebuild_soon,
            size=rebuild_soon,
        )

    def _rebuild(self, *_: object) -> None:
        self.is_upright = self.height > self.width
        self._place_page_keys()
        table = self.ids.table
        table.clear_widgets()
        if self.ongoing_game:
            add_children(table, self._make_continue_sheet(self.ongoing_game))
        elif self.first_steps:
            add_children(table, self._make_first_steps_sheet(self.first_steps))
        boxes = [*map(self._make_box, self.games), self._make_demo_box()]
        cols, rows = self._choose_grid(len(boxes))
        add_children(table, Pager(items=boxes, cols=cols, rows=rows, between=theme.length.space))

    def _place_page_keys(self) -> None:
        """Places the keys to other pages; on an upright screen they have a row of their own."""
        pages, head = self.ids.pages, self.ids.head
        pages.parent.remove_widget(pages)
        pages.size_hint_x = 1 if self.is_upright else None
        if self.is_upright:
            self.add_widget(pages, index=1)
        else:
            head.add_widget(pages, index=4)

    def _make_continue_sheet(self, game: OngoingGame) -> ContinueSheet:
        sheet = ContinueSheet(game, self.other_unfinished_count, is_wide=self.is_upright)
        sheet.height = theme.length.row * UPRIGHT_CONTINUE_HEIGHT_IN_ROWS
        for event in ("on_continue", "on_waiting"):
            sheet.bind(**{event: lambda _, event=event: self.dispatch(event)})
        return sheet

    def _make_first_steps_sheet(self, first_steps: FirstSteps) -> FirstStepsSheet:
        sizes = theme.length
        if self.is_upright:
            height = sizes.row * UPRIGHT_CONTINUE_HEIGHT_IN_ROWS
            options = {"orientation": "horizontal", "size_hint": (1, None), "height": height}
        else:
            options = {"size_hint": (None, 1), "width": sizes.target * 4}
        sheet = FirstStepsSheet(first_steps, **options)
        for event in ("on_try", "on_suggested", "on_not_now"):
            sheet.bind(**{event: lambda _, event=event: self.dispatch(event)})
        return sheet

    def _choose_grid(self, box_count: int) -> tuple[int, int]:
        """Returns columns and rows of a page of boxes.

        The rows are even. If there is more than one page, there are fewer rows, as the page keys need room.
        """
        sizes = theme.length
        width, height = self.width - 2 * sizes.margin, self.height - sizes.row - sizes.margin - 2 * sizes.gap
        if self.is_upright:
            height -= sizes.row + sizes.gap
        has_sheet = self.ongoing_game or self.first_steps
        if has_sheet and self.is_upright:
            height -= UPRIGHT_CONTINUE_HEIGHT_IN_ROWS * sizes.row + sizes.margin
        elif has_sheet:
            width -= 4 * sizes.target + sizes.margin
        min_width, min_height = MIN_GAME_BOX_SIZE_IN_TARGETS
        cols, rows = _count_fitting_boxes(width, min_width), _count_fitting_boxes(height, min_height)
        if cols * rows < box_count:
            return cols, _count_fitting_boxes(height - sizes.target - sizes.gap, min_height)
        rows = min(rows, ceil(box_count / cols))
        return ceil(box_count / rows), rows

    def _make_box(self, game: GameSummary) -> Widget:
        app = get_companion_app()
        note = app.tr("{least}–{most} players", least=game.min_players, most=game.max_players)
        if game.preset_name:
            note = ""
        if game.broken_reason:
            note = app.tr("Broken")
        box = GameBoxButton(
            cover_path=game.cover_file,
            picture=game.picture,
            text=game.title,
            audience_text=note,
            is_broken=bool(game.broken_reason),
        )
        box.bind(on_release=lambda _: self.dispatch("on_broken" if game.broken_reason else "on_new", game))
        return box

    def _make_demo_box(self) -> Widget:
        app = get_companion_app()
        note = app.tr("Just watch")
        box = GameBoxButton(cover_path=str(DEMO_COVER_PATH), text=app.tr("Demo table"), audience_text=note)
        box.bind(on_release=lambda _: self.dispatch("on_demo"))
        return box


def _count_fitting_boxes(length: float, box_size_in_targets: float) -> int:
    """Returns how many boxes of this size fit, with gaps between them; at least one."""
    gap = theme.length.space
    return max(1, int((length + gap) // (theme.length.target * box_size_in_targets + gap)))


# The flow from home to other screens and back.


MAX_RECENT_GROUPS = 3
"""How many of the last groups with names are remembered."""
PLAYER_COUNT_KEY = "player count"
"""The key under which the number of players of the last game is remembered."""


def make_home_screen(snapshot: HomeSnapshot) -> HomeScreen:
    """Returns the home screen of the snapshot; its keys do nothing yet."""
    return HomeScreen(
        games=snapshot.games,
        ongoing_game=snapshot.ongoing_game,
        other_unfinished_count=snapshot.waiting_game_count,
        first_steps=snapshot.first_steps,
    )


class HomeFlow:
    """Shows the home screen, and opens what people choose there.

    `HomeFlow(app, quit_flow).show_home()`; once `are_other_pages_loaded`, home leads to the other pages.
    `drawn_home` is the home screen that is already shown, with its snapshot: if nothing changed, it stays.
    `save_snapshot` gets each new snapshot.
    """

    are_other_pages_loaded = False
    """Whether the pages besides set-up and languages are loaded.

    Until the pages are loaded, for one frame, only set-up and languages open.
    """

    def __init__(
        self,
        app: AppWithEvening,
        quit_flow: QuitFlow,
        drawn_home: tuple[HomeSnapshot, HomeScreen] | None = None,
        save_snapshot: Callable[[HomeSnapshot], None] = lambda _snapshot: None,
    ) -> None:
        self.app, self.quit_flow = app, quit_flow
        self._drawn_home, self._save_snapshot = drawn_home, save_snapshot
        self._set_up_screen: SetUpScreen | None = None

    @property
    def _preset_choices(self) -> PresetChoices:
        """The presets that people chose lately, and their favourites."""
        return PresetChoices(self.app.controller)

    @cached_property
    def past_games(self) -> PastGamesFlow:
        """Returns the flow of past games and their players."""
        from ui.screens.past_games import PastGamesFlow  # not before: it would delay the first frame

        return PastGamesFlow(self.app)

    @cached_property
    def _first_evening(self) -> FirstEveningFlow:
        """Returns the flow of the first evening."""
        from ui.screens.first_evening import FirstEveningFlow  # not before: it would delay the first frame

        return FirstEveningFlow(self.app)

    def show_home(self) -> None:
        """Shows the home screen."""
        self.app.stage.replace_screen(self._make_home_screen)

    def ask_first_questions(self) -> None:
        """Asks the questions of the first evening, then shows home."""
        self._first_evening.ask_first_questions(self.show_home)

    @property
    def shown_set_up_screen(self) -> SetUpScreen | None:
        """The set-up screen while it is shown, else None."""
        return self._set_up_screen if self.app.stage.screen is self._set_up_screen else None

    def open_game(self, game_key: str, preset_name: str = "") -> None:
        """Opens the set-up of a game or of one of its presets.

        If the game has presets and none is named, the gallery of all presets is opened.
        """
        from companion import installed_games  # not before: it would delay the first frame

        if installed_games.playable_game(game_key).presets is not None and not preset_name:
            self.open_gallery(game_key)
        else:
            self.open_set_up(game_key, preset_name)

    def open_gallery(self, game_key: str) -> None:
        """Opens the gallery of a game's presets."""
        self.app.stage.replace_screen(lambda: self._make_gallery(game_key))

    def open_set_up(self, game_key: str, preset_name: str = "", *, comes_from_gallery: bool = False) -> None:
        """Opens the set-up screen of a game, by default with its default preset.

        If people `comes_from_gallery`, its way back leads to the gallery, else home.
        """
        go_back = partial(self.open_gallery, game_key) if comes_from_gallery else self.show_home
        self.app.stage.replace_screen(lambda: self._make_set_up_screen(game_key, preset_name, go_back))

    def update_language(self) -> None:
        """Updates the home screen to the current language; other pages update themselves."""
        screen = self.app.stage.screen
        if isinstance(screen, HomeScreen):
            snapshot = self._take_snapshot()
            screen.games, screen.ongoing_game = snapshot.games, snapshot.ongoing_game
            screen.other_unfinished_count = snapshot.waiting_game_count
            screen.first_steps = snapshot.first_steps

    def play_demo(self) -> None:
        """Plays the demo, which is a recorded match.

        The players have names of the reader's language.
        """
        from msgspec.structs import replace  # not before: it would delay the first frame

        from companion import languages
        from companion.log.events import Began
        from companion.recorded_match import load_demo_events

        began, *others = load_demo_events()
        assert isinstance(began, Began)
        language = languages.find_language(self.app.controller.display_language)
        names = language.demo_names[: len(began.names)] if language else ()
        if len(names) < len(began.names):
            names = began.names
        self.app.controller.play_recording([replace(began, names=names), *others])

    def begin_game(self, new_game: NewGame) -> None:
        """Begins the game and remembers who plays; if the game can't begin, the controller says why."""
        from companion.clocks import parse_clocks  # not before: it would delay the first frame
        from companion.rules.game import option_value_as_typed

        options = {key: option_value_as_typed(value) for key, value in new_game.options.items()}
        if self.app.controller.start_new_game(
            new_game.game, new_game.names, new_game.colours, options, parse_clocks(new_game.clocks)
        ):
            self._remember_players(new_game)
            FirstStepsOffer(self.app.controller).end()
            if new_game.preset_name:
                self._preset_choices.remember_played(PresetOfGame(new_game.game, new_game.preset_name))

    def _remember_players(self, new_game: NewGame) -> None:
        """Remembers who plays, with which pieces, and how many they are."""
        remember, count = self.app.controller.remember_value, len(new_game.names)
        players = [*new_game.guests[:count]]
        remember(LAST_PLAYERS_KEY, new_game.guests)
        remember(PLAYER_COUNT_KEY, count)
        KnownPlayers(self.app.controller).remember([player for player in players if player[0]])
        self._remember_group(players)

    def recent_player_groups(self) -> list[PlayerGroup]:
        """Returns the last groups who played together, the latest first."""
        groups: list[PlayerGroup] = self.app.controller.load_remembered_value(
            RECENT_GROUPS_KEY, [], list[PlayerGroup]
        )
        return groups

    def _remember_group(self, group: PlayerGroup) -> None:
        """Remembers a group, if all its players have names.

        A group in another order is not another group.
        """
        if all(name for name, _ in group):
            names = {name for name, _ in group}
            others = [other for other in self.recent_player_groups() if {name for name, _ in other} != names]
            self.app.controller.remember_value(RECENT_GROUPS_KEY, [group, *others][:MAX_RECENT_GROUPS])

    # Home

    def _take_snapshot(self) -> HomeSnapshot:
        """Returns what home shows now, and saves it for the next start."""
        from companion import installed_games
        from companion.evening import Evening

        app = self.app
        games = (
            *_summarize_favourites(app, self._preset_choices.favourites),
            *(_summarize_game(app, game) for game in installed_games.games().values()),
        )
        unfinished = app.controller.read_store(Evening.unfinished_games, [])
        ongoing = _describe_ongoing_game(app, unfinished[0]) if unfinished else None
        snapshot = HomeSnapshot(
            app.lang,
            games,
            ongoing,
            max(0, len(unfinished) - 1),
            self._describe_first_steps() if ongoing is None else None,
            has_large_text=theme.look.has_large_text,
            has_high_contrast=theme.look.has_high_contrast,
        )
        self._save_snapshot(snapshot)
        return snapshot

    def _describe_first_steps(self) -> FirstSteps | None:
        """Returns what home offers newcomers; None if it offers nothing any more."""
        offer = FirstStepsOffer(self.app.controller)
        suggested = offer.find_suggested_game()
        if suggested is None:
            return None
        return FirstSteps(_summarize_game(self.app, suggested), offer.find_trial() is not None)

    def _make_home_screen(self) -> HomeScreen:
        snapshot = self._take_snapshot()
        drawn, self._drawn_home = self._drawn_home, None
        home = drawn[1] if drawn is not None and drawn[0] == snapshot else make_home_screen(snapshot)
        home.bind(
            on_continue=self._when_ready(
                lambda flow: flow.past_games.resume_game(home.ongoing_game.store_number)
            ),
            on_waiting=self._when_ready(lambda flow: flow.past_games.show_unfinished_games()),
            on_past=self._when_ready(lambda flow: flow.past_games.show_past_games()),
            on_new=lambda _, game: self.open_game(game.key, game.preset_name),
            on_broken=lambda _, game: show_message(game.broken_reason),
            on_demo=self._when_ready(HomeFlow.play_demo),
            on_cards=self._when_ready(lambda flow: flow.app.open_cards()),
            on_settings=self._when_ready(lambda flow: flow.app.open_settings()),
            on_language=lambda _: self.app.open_language_list(),
            on_try=self._when_ready(HomeFlow.try_short_game),
            on_suggested=lambda home: self.open_game(home.first_steps.suggested_game.key),
            on_not_now=lambda _: self._end_first_steps(),
            on_quit=lambda home: self.quit_flow.ask_to_quit(
                home.ongoing_game.title if home.ongoing_game else ""
            ),
        )
        return home

    def try_short_game(self) -> None:
        """Lets newcomers try the short game."""
        self._first_evening.ask_how_many_try()

    def _end_first_steps(self) -> None:
        """Removes the first steps from home, for good."""
        FirstStepsOffer(self.app.controller).end()
        self.show_home()

    def _when_ready(self, do: Callable[[HomeFlow], object]) -> Callable[[HomeScreen], None]:
        """Returns a handler that calls `do`; the handler does nothing until the other pages are loaded."""

        def do_if_ready(_home: HomeScreen) -> None:
            if self.are_other_pages_loaded:
                do(self)

        return do_if_ready

    # The gallery and set-up

    def _make_gallery(self, game_key: str) -> GalleryPage:
        from ui.screens.gallery import GalleryPage  # not before: it would delay the first frame

        game = self.app.evening.game_with_presets(game_key)
        gallery = GalleryPage(
            game,
            self.app.evening.describe_presets(game),
            self._preset_choices.recent_names(game_key),
            [name for key, name in self._preset_choices.favourites if key == game_key],
        )
        gallery.bind(
            on_choose=lambda _, name: self.open_set_up(game_key, name, comes_from_gallery=True),
            on_own=self._when_ready(
                lambda flow: flow.app.open_presets(game, lambda _name: flow.open_gallery(game_key))
            ),
            on_close=lambda _: self.show_home(),
        )
        return gallery

    def _make_set_up_screen(
        self, game_key: str, preset_name: str, go_back: Callable[[], object]
    ) -> SetUpScreen:
        from companion.evening import Evening  # not before: it would delay the first frame
        from companion.house_rules import variant_key
        from ui.screens.phones import open_phones
        from ui.screens.saved_games import confirm_new_game
        from ui.screens.set_up import SetUpScreen
        from ui.screens.settings import ScreenPlacement

        app, controller, read = self.app, self.app.controller, self.app.controller.read_store
        screen = self._set_up_screen = SetUpScreen(
            game=self.app.evening.game_with_presets(game_key),
            preset_name=preset_name,
            last_players=controller.load_remembered_value(LAST_PLAYERS_KEY, [], list[tuple[str, str]]),
            last_player_count=controller.load_remembered_value(PLAYER_COUNT_KEY, 0, int),
            known_players=KnownPlayers(controller).names_and_colours(),
            recent_player_groups=self.recent_player_groups(),
            availability_by_device_of_seat=controller.device_availability_of_seat,
            options_set_by_preset=self.app.evening.options_set_by_preset,
            options_unused_by_preset=self.app.evening.options_unused_by_preset,
            house_rules_of_preset=lambda game, preset_name: controller.settings.house_rules.get(
                variant_key(game.key, preset_name), {}
            ),
            players_of_preset=self.app.evening.players_of_preset,
        )
        screen.is_favourite = self._is_favourite(screen)
        screen.bind(
            on_begin=lambda _, new_game: confirm_new_game(
                app, read(Evening.find_open_game, None), partial(self.begin_game, new_game)
            ),
            on_sides=lambda _, people: ScreenPlacement(app).open_page_for(people),
            on_phones=lambda _, seats: open_phones(app, seats),
            on_favourite=self._toggle_favourite,
            on_leave=lambda _: go_back(),
        )
        return screen

    def _is_favourite(self, screen: SetUpScreen) -> bool:
        return PresetOfGame(screen.game.key, screen.preset_name) in self._preset_choices.favourites

    def _toggle_favourite(self, screen: SetUpScreen) -> None:
        """Makes the preset that is set up a favourite, or no favourite any more."""
        self._preset_choices.toggle_favourite(PresetOfGame(screen.game.key, screen.preset_name))
        screen.is_favourite = self._is_favourite(screen)


def _summarize_game(app: AppWithEvening, game: Game | BrokenGame) -> GameSummary:
    from companion.installed_games import BrokenGame  # not before: it would delay the first frame
    from companion.rules.game import COVER_SUFFIX
    from companion.texts import render

    if isinstance(game, BrokenGame):
        return GameSummary(game.key, game.key, 0, 0, broken_reason=render(game.why, app.lang))
    cover = str(game.find_file(COVER_SUFFIX) or "")
    return GameSummary(game.key, render(game.title, app.lang), *game.players, cover_file=cover)


def _summarize_favourites(app: AppWithEvening, favourites: Sequence[PresetOfGame]) -> Iterator[GameSummary]:
    """Yields the favourite presets of games that can be played; a preset that is gone is left out."""
    from companion import installed_games  # not before: it would delay the first frame
    from companion.presets import PresetLibrary
    from companion.rules.game import Game
    from companion.texts import render

    games = installed_games.games()
    for key, name in favourites:
        game = games.get(key)
        if not isinstance(game, Game) or game.presets is None:
            continue
        library = PresetLibrary(game, app.evening.store.directory)
        label = library.labels_by_name().get(name)
        if label is not None:
            description = library.describe_preset(name)
            yield GameSummary(
                key,
                capitalize_first_letter(render(label, app.lang)),
                *(description.players or game.players),
                preset_name=name,
                picture=description.picture,
            )


def _describe_ongoing_game(app: AppWithEvening, saved: SavedGame) -> OngoingGame:
    from ui.screens import saved_games  # not before: it would delay the first frame
    from ui.widgets.drawing.line_breaking import NO_BREAK_SPACE

    nobody: Sequence[tuple[str, str]] = ()
    players = app.controller.read_store(lambda evening: evening.names_and_colours_of_players(saved), nobody)
    when = saved_games.last_played_date_and_time(app, saved).replace(" ", NO_BREAK_SPACE)
    since = app.tr("last played {when}", when=when) if when else ""
    title, names = saved_games.saved_game_title(app, saved), saved_games.join_all_player_names(app, saved)
    return OngoingGame(saved.number, title, tuple(players), names, since)
