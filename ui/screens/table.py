"""The table: the screen of what the evening shows, with its clocks and card readers, and what its keys do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from kivy.uix.widget import Widget

from companion.actions import GO_ON, GO_ON_IN, PAUSE, ActionOutcome
from companion.evening import Evening
from companion.session.view import View
from companion.store import SavedGame
from companion.texts import Say, render
from ui.host import TableHost
from ui.pages import Choice, open_dialog, show_message
from ui.screens import saved_games
from ui.screens.actions import perform
from ui.screens.history import Undoing
from ui.screens.notices import Thrown, TimeUp
from ui.screens.past_games import Shelving
from ui.screens.play import PlayScreen
from ui.screens.reveal import Reveal
from ui.screens.saved_games import keeping
from ui.screens.score import Score, save
from ui.screens.screen_position import Sides
from ui.screens.table_menu import Tending
from ui.widgets.sheets.dialog import Dialog


class AtTable:
    """`AtTable(app, shelving)`, then `listen` as soon as the app's evening is open.

    `reveal` is the last ceremony. From a game that is past the way leads back to `shelving`.
    """

    def __init__(self, app: TableHost, shelving: Shelving) -> None:
        self.app = app
        self._shelving = shelving
        self.undoing = Undoing(app)
        self.tending = Tending(app, self.undoing, shelving.reopen)
        self.moving = Moving(app)
        self.reveal: Reveal | None = None
        self._notices: dict[Say, Dialog] = {}
        self._n = 0
        self._ending: set[object] = set()

    def listen(self) -> None:
        """From now on what the evening says is shown."""
        controller = self.app.controller
        controller.bind(
            on_change=lambda _: self.show(),
            settings=lambda *_: self._place(),
            on_whisper=lambda _, text, seat: self.tending.whisper(text, seat),
            on_refusal=lambda _, text, _seat: self.refuse(text),
            on_by_hand=lambda _, moves: self.undoing.by_hand(moves),
            on_rolled=lambda _, roll, faces: self.app.stage.lay(Thrown(roll.dice, faces, self.app.lang)),
            on_missing=lambda _, texts: self._miss(texts),
            on_found=lambda _, texts: self._find(texts),
        )
        controller.ticker.bind(
            **dict.fromkeys(("timed", "clocks", "paused"), lambda *_: self._tell_time()),
            on_ring=lambda _, text: self._ring(text),
        )
        controller.reader_state.bind(**dict.fromkeys(("laid", "waiting"), lambda *_: self._show_readers()))

    def show(self) -> None:
        """The screen for what the evening shows now."""
        screen, seen = self.app.stage.screen, self.app.controller.view
        if seen is None:
            self.app.go_home()
        elif isinstance(screen, PlayScreen) and seen.question is not None:
            screen.is_demo = self.app.controller.is_demo
            screen.scene, screen.seen = self.app.evening.scene, seen
        elif not (
            isinstance(screen, Score) and screen.result == seen.result and screen.about == self._about()
        ):
            self.app.stage.show(self._screen)
        self._show_reveal(seen)
        self.undoing.offer(seen)
        self.tending.show()

    def _place(self) -> None:
        """The play screen stands or lies as is set now."""
        if isinstance(screen := self.app.stage.screen, PlayScreen):
            Sides(self.app).fit(screen)

    def refuse(self, text: Say) -> None:
        """Why something can't be: near the question, or over whatever is shown."""
        if isinstance(self.app.stage.screen, PlayScreen):
            self.app.stage.screen.show_refusal(text)
        else:
            show_message(text)
        self.moving.offer()

    def _ring(self, text: Say) -> None:
        """A clock is up: everybody sees and hears it."""
        self.app.sounds.play("up")
        self.app.stage.lay(TimeUp(render(text, self.app.lang)))

    def _tell_time(self) -> None:
        """The clocks, as they stand now; a tone where one begins its last ten seconds."""
        screen, time = self.app.stage.screen, self.app.controller.ticker
        ending: set[object] = {(clock.key, clock.seats) for clock in time.clocks if clock.is_ending}
        if ending - self._ending:
            self.app.sounds.play("ending")
        self._ending = ending
        if isinstance(screen, PlayScreen):
            screen.timed, screen.clocks, screen.paused = time.timed, time.clocks, time.paused

    def _show_readers(self) -> None:
        """What lies on the readers."""
        screen, readers = self.app.stage.screen, self.app.controller.reader_state
        if isinstance(screen, PlayScreen):
            screen.show_cards_on_reader(list(readers.laid), int(readers.waiting))

    def _show_reveal(self, seen: View | None) -> None:
        """The ceremony, where the envelopes of the question just shown were opened."""
        if self.reveal is not None and (seen is None or seen.n != self._n):
            self.reveal.close()
        if seen is not None and seen.opened is not None and seen.opened.n == self._n:
            self.reveal = Reveal(seen, is_flat=Sides(self.app).plan == "flat")
            self.app.stage.lay(self.reveal)
        self._n = 0 if seen is None else seen.n

    def _miss(self, texts: Sequence[Say]) -> None:
        """What devices can't be used: near the question, or over whatever is shown."""
        if isinstance(self.app.stage.screen, PlayScreen):
            self.app.stage.screen.add_device_warnings(*texts)
        else:
            self._notices |= {text: show_message(text) for text in texts}

    def _find(self, texts: Sequence[Say]) -> None:
        """They can be used again: what was said of them goes."""
        if isinstance(self.app.stage.screen, PlayScreen):
            self.app.stage.screen.remove_device_warnings(*texts)
        for text in texts:
            if notice := self._notices.pop(text, None):
                notice.leave()

    def _about(self) -> str:
        """Which game of the past lies there; empty where it is none."""
        past = self.app.evening.finished_game
        return saved_games.about(self.app, past) if past else ""

    def _screen(self) -> Widget:
        controller = self.app.controller
        if controller.view.result is not None:
            evening = self.app.evening
            kept = {"is_kept": evening.is_saved, "is_demo": controller.is_demo}
            kept["is_flat"] = Sides(self.app).plan == "flat"
            score = Score(
                controller.view, evening.score_history, evening.thinking_times, about=self._about(), **kept
            )
            score.bind(on_do=lambda _, name: self._do(name))
            return score
        time, readers = controller.ticker, controller.reader_state
        seen, scene = controller.view, self.app.evening.scene
        times = {"timed": time.timed, "clocks": time.clocks, "paused": time.paused}
        play = PlayScreen(seen=seen, scene=scene, is_demo=controller.is_demo, **times)
        Sides(self.app).fit(play)
        play.show_cards_on_reader(list(readers.laid), int(readers.waiting))
        play.bind(
            on_answer=lambda _, n, plain: self._give(controller.answer, n, plain),
            on_draft=lambda _, n, seat, plain: self._give(controller.draft, n, seat, plain),
            on_roll=lambda _, n: self._give(controller.roll, n),
            on_take=lambda _, n: self._give(controller.take, n),
            on_do=lambda _, name: self._do(name),
            on_private=lambda _, seat: self.tending.private(seat),
        )
        return play

    def _give(self, answer: Callable[..., None], *given: Any) -> None:
        """What a key means; in a demo it can only mean that somebody would like to play."""
        if self.app.controller.is_demo:
            self._invite()
        else:
            answer(*given)

    def _invite(self) -> None:
        """To the game that the demo shows."""
        app, game = self.app, self.app.evening.game
        title = render(game.title, app.lang)
        text = app.tr("This demo plays by itself. Would you like to play {game} yourselves?", game=title)
        play = Choice("yes", app.tr("Play {game}", game=title), partial(self._set_up, game.key), "brass")
        open_dialog(app.tr("Demo"), text, Choice("no", app.tr("Keep watching")), play)

    def _set_up(self, game: str) -> None:
        self.app.controller.leave()
        self.app.set_up(game)

    def _do(self, name: str) -> None:
        """A sign in the bar; in a demo nothing can be taken back or played again."""
        if self.app.controller.is_demo and name in ("undo", "redo", "again"):
            self._invite()
            return
        past = self.app.evening.finished_game
        if past is not None and name in ("shelf", "more"):
            self._do_in_past(name, past)
            return
        match name:
            case "undo" | "redo":
                getattr(self.undoing, name)()
            case "bank" | "history" | "score" | "more" | "values":
                self.tending.open(name)
            case "save":
                save(self.app)
            case "pause":
                perform(self.app, PAUSE)
            case "go on":
                perform(self.app, GO_ON)
            case "again":
                self._again()
            case "put away":
                self.app.controller.put_away()

    def _again(self) -> None:
        """Begins a new game with the players of this one; another game may be open if this one is past."""
        controller = self.app.controller
        going = controller.read(Evening.find_open_game, None) if self.app.evening.finished_game else None
        keeping(self.app, going, controller.again)

    def _do_in_past(self, name: str, past: SavedGame) -> None:
        """A key under the score of a game that is looked back at."""
        if name == "shelf":
            self.app.controller.leave()
            self._shelving.back()
        else:
            self._shelving.more(past)


# Where the saved games are lost while people play: offers to go on in another directory.
#
# What it writes there is all that was taken; what was refused isn't among it.


class Moving:
    """`Moving(app)` asks on the app's stage, once at a time, and does it with the app's evening."""

    def __init__(self, app: TableHost) -> None:
        self.app = app
        self._asking: Dialog | None = None

    def offer(self) -> None:
        """Asks, if nothing can be kept where it was and there is another place."""
        place = self.app.evening.store.find_other_directory()
        if place is None or (self._asking is not None and self._asking.parent is not None):
            return
        tr = self.app.tr
        text = tr(
            "The companion can't reach the saved games. "
            "This game can continue in {directory}. No answer is lost.",
            directory=str(place),
        )
        move = Choice("yes", tr("Continue there"), partial(self._do, place), "brass")
        self._asking = open_dialog(tr("Continue in another folder?"), text, Choice("no", tr("Not now")), move)

    def _do(self, place: Path) -> None:
        perform(self.app, GO_ON_IN, {"directory": str(place)}, done=self._tell)

    def _tell(self, outcome: ActionOutcome) -> None:
        tr = self.app.tr
        show_message(
            tr(
                "The game continues in {directory}. Next time, start with: companion --state {directory}",
                directory=str(outcome.moved_to),
            )
        )
