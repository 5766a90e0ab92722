"""One evening at a table: which game is on the table, how it began, and what can be seen of it.

The window, the terminal and JSON lines begin, resume and put away their games here. What people do in a game
is done to its `Session`. The module knows no screen.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from companion import installed_games
from companion.actions import correct_by_hand
from companion.cards import Deck
from companion.clocks import ClockSettings
from companion.errors import CompanionError, StoreUnavailable, UserError
from companion.files.user_files import write_app_file
from companion.house_rules import load_house_rules, variant_key
from companion.languages import prefer_translations_of_game
from companion.log.events import Answered, Event
from companion.log.log import Log, MemoryLog
from companion.presets import (
    PresetLibrary,
    options_set_by_preset,
    options_unused_by_preset,
    starting_decks,
    with_own_presets,
)
from companion.record.player_records import describe_new_bests
from companion.record.player_statistics import CountedGame, load_counted_games, results_on_table
from companion.record.record import (
    FACTS_OF_UNSAVED_GAME,
    GameFacts,
    ScoreMoment,
    StepMovements,
    ThinkingTime,
    complete_facts,
    facts_from_store,
    movements_by_step,
    result_from_json,
    scores_after_each_step,
    thinking_times,
)
from companion.recorded_match import RecordedMatch
from companion.rules.game import Game, PresetDescription, option_value_as_typed
from companion.rules.scene import Scene
from companion.session.corrections import CorrectionResult
from companion.session.run import AnsweredQuestion
from companion.session.session import NO_CLOCKS, Session, find_no_card
from companion.session.view import Holding, View, make_view, money_by_place, movable_holdings_by_place
from companion.store import GameLog, SavedGame, Store
from companion.table.audit import AUDIT_CORRECTION_REASON, AuditDifference, AuditFix, find_audit_differences
from companion.table.ledger import Piece, Place
from companion.table.moves import PieceMove
from companion.table.scores import GameResult
from companion.table.seats import SEAT_COLOURS, Seat
from companion.table.table import OptionValue, Table
from companion.texts import Say, say_plain_text

if TYPE_CHECKING:
    from companion.record.record import RecordEntry

UNFINISHED_STATES = ("open", "waiting")


class Evening:
    """The games of one evening: `Evening(store)`.

    A front end calls `begin_game` or `resume_game`, plays the `session`, and calls `put_game_away`.
    `clock` returns the seconds since 1970, or None if the time isn't known; without it the store's clock is
    used. `seconds` returns seconds that never jump. `tags` finds cards of tags that weren't enrolled.
    Whatever isn't possible raises a `CompanionError`.
    """

    def __init__(
        self,
        store: Store,
        *,
        clock: Callable[[], float | None] | None = None,
        seconds: Callable[[], float] = time.monotonic,
        tags: Callable[[str], tuple[str, str] | None] = find_no_card,
    ) -> None:
        self.store = store
        self.session: Session | None = None
        """The game on the table."""
        self.finished_game: SavedGame | None = None
        """The game on the table, if it is over and only looked back at."""
        self._game_number: int | None = None
        self._log: GameLog | None = None
        self._events: Callable[[], Sequence[Event]] = list
        store.wall_clock, store.monotonic_seconds = clock or store.wall_clock, seconds
        self._session_options: dict[str, Any] = {
            "tags": lambda uid: store.card_of_tag(uid) or tags(uid),
            "clock": seconds,
        }

    # Which game

    def game_with_presets(self, game_key: str) -> Game:
        """Returns the game with that key, with people's own presets among its choices."""
        return with_own_presets(installed_games.playable_game(game_key), self.store.directory)

    def options_set_by_preset(self, game: Game, preset_name: str) -> dict[str, OptionValue]:
        """Returns the values of other options that a preset of the game sets, by the key of the option."""
        return options_set_by_preset(game, self.store.directory, preset_name)

    def players_of_preset(self, game: Game, preset_name: str) -> tuple[int, int]:
        """Returns the fewest and the most players that a preset of the game suits."""
        return PresetLibrary(game, self.store.directory).describe_preset(preset_name).players or game.players

    def options_unused_by_preset(self, game: Game, preset_name: str) -> Collection[str]:
        """Returns the keys of the options that have no effect with a preset of the game."""
        return options_unused_by_preset(game, self.store.directory, preset_name)

    def describe_presets(self, game: Game) -> dict[str, PresetDescription]:
        """Returns what people read and see of each preset of a game, by name; people's own come first."""
        library = PresetLibrary(game, self.store.directory)
        names = dict.fromkeys((*library.own_names(), *library.labels_by_name()))
        return {name: library.describe_preset(name) for name in names}

    def begin_game(
        self,
        game_key: str,
        names: Sequence[str],
        options: Mapping[str, str],
        clocks: ClockSettings = NO_CLOCKS,
        colours: Sequence[str] = SEAT_COLOURS,
    ) -> Session:
        """Begins a new game.

        The game is played with the values printed on the owner's copy. An option that isn't in `options` has
        its house rule. A game that is still open becomes a waiting one.
        """
        options = {**self._house_rules_as_typed(game_key, options), **options}
        log = self.store.new_game_log()
        try:
            session = self._begin_session(log, game_key, names, options, clocks, colours)
        except CompanionError:
            self._restore_current_log()
            raise
        self._put_on_table(session, log)
        return session

    def resume_game(
        self, saved_game: SavedGame | None = None, approve: Callable[[Session], None] = lambda _: None
    ) -> Session:
        """Resumes an unfinished game where it stopped.

        Without `saved_game` the open one is resumed. If `approve` raises an error, the open game stays
        open.
        """
        open_game = self.store.find_open_game()
        saved_game = saved_game or open_game
        assert saved_game is not None
        log = self.store.open_game_log(saved_game.number)
        try:
            session = Session(
                installed_games.playable_game(saved_game.game), log.events(), log, **self._session_options
            )
            session.load_scene()
            approve(session)
        except CompanionError:
            if open_game is not None:
                self.store.open_game_log(open_game.number)
            self._restore_current_log()
            raise
        session.answer_for_absent_players()
        self._put_on_table(session, log)
        self._update_play_dates()
        return session

    def show_finished_game(self, saved_game: SavedGame) -> Session:
        """Shows a finished game on the table, as it was at its end.

        Nothing can be changed.
        """
        events = self.store.open_game_log(saved_game.number).events()
        log = MemoryLog(events)
        log.save_names(saved_game.names)
        session = Session(
            installed_games.playable_game(saved_game.game), events, log, **self._session_options
        )
        self._replace_game(session, saved_game.number, log.copy, saved_game)
        return session

    def reopen_game(self, saved_game: SavedGame) -> Session:
        """Reopens a game that was put away.

        The open game becomes a waiting one, and the record notes it. Raises `CompanionError` if its rules
        can't read it any more; then nothing has changed.
        """
        log = self.store.open_game_log(saved_game.number)
        session = Session(
            installed_games.playable_game(saved_game.game), log.events(), log, **self._session_options
        )
        session.load_scene()
        session.reopen()
        self.store.set_current_game_log(log)
        self._put_on_table(session, log)
        return session

    def undo_early_end(self) -> Session:
        """Reopens the game on the table, which was put away before its end; see `reopen_game`."""
        (saved_game,) = [saved for saved in self.store.all_saved_games() if saved.number == self._game_number]
        return self.reopen_game(saved_game)

    def play_again(self) -> Session:
        """Puts the game away and begins it again, with the same people and options.

        If it can't begin any more, for example because its preset was deleted, this game stays as it is.
        """
        began, clocks = self.current_session.began, self.current_session.clock_settings
        names = [seat.name for seat in self.table.seats]
        options = {key: option_value_as_typed(value) for key, value in began.options.items()}
        self._begin_session(MemoryLog(), began.game, names, options, clocks, began.colours)
        if not self.current_session.is_put_away:
            self.current_session.put_away()
        return self.begin_game(began.game, names, options, clocks, began.colours)

    def show_recorded_match(self, recorded_match: RecordedMatch) -> None:
        """Shows a recorded match on the table, which plays itself.

        Nothing of it is saved here.
        """
        self._replace_game(recorded_match.session, None, recorded_match.log.copy)

    def save_dates_and_stop_clocks(self) -> None:
        """Saves the play dates and stops the clocks, because people are leaving the table.

        The clocks are stopped to the tick.
        """
        session = self.session
        if session is None:
            return
        self._update_play_dates()
        if self.is_game_saved and session.has_clocks and not session.is_put_away:
            session.pause_clocks()

    def take_game_off_table(self) -> None:
        """Takes the game off the table without putting it away: the game stays open."""
        self.session = self.finished_game = None

    def put_game_away(self) -> None:
        """Puts the game on the table away: ends it, finished or not, and clears the table."""
        if not self.current_session.is_put_away:
            self.current_session.put_away()
        self.take_game_off_table()

    # Saved games

    def find_open_game(self) -> SavedGame | None:
        """Returns the open game; None if no game is open."""
        return self.store.find_open_game()

    def unfinished_games(self) -> list[SavedGame]:
        """Returns the games that can continue.

        The open game comes first, then the others, the last played first.
        """
        unfinished = [saved for saved in self.store.all_saved_games() if saved.state in UNFINISHED_STATES]
        return sorted(
            unfinished, key=lambda saved: (saved.state != "open", -(self.last_played_at(saved) or 0.0))
        )

    def past_games(self) -> list[SavedGame]:
        """Returns the saved games that were put away, finished or not, the newest first."""
        return [saved for saved in self.store.all_saved_games() if saved.state not in UNFINISHED_STATES]

    def names_and_colours_of_players(self, saved_game: SavedGame) -> tuple[tuple[str, str], ...]:
        """Returns the name and colour of each player in a saved game."""
        began = self.store.read_began_event(saved_game.number)
        return tuple(zip(saved_game.names, began.colours if began else SEAT_COLOURS, strict=False))

    def title_of(self, saved_game: SavedGame) -> Say:
        """Returns the title of a saved game.

        A preset that stands for the game has its own title. The key of the game is its title if the game
        is no longer installed.
        """
        try:
            game = installed_games.playable_game(saved_game.game)
        except UserError:
            return say_plain_text(saved_game.game)
        return game.title_for_options(self.options_of(saved_game))

    def options_of(self, saved_game: SavedGame) -> Mapping[str, OptionValue]:
        """Returns the options with which a saved game began."""
        began = self.store.read_began_event(saved_game.number)
        return began.options if began else {}

    def names_and_colours_in_open_game(self) -> tuple[tuple[str, str], ...]:
        """Returns the name and colour of each player in the open game.

        The result is empty if no game is open.
        """
        saved = self.find_open_game()
        return self.names_and_colours_of_players(saved) if saved else ()

    def counted_games(self, game_key: str | None = None) -> list[CountedGame]:
        """Returns the games that count in the statistics, newest first; with `game_key` only of that game."""
        return load_counted_games(self.store, self.title_of, game_key)

    def find_new_bests(self) -> list[Say]:
        """Returns sentences about totals of the game on the table that are better than all before.

        Only a game that is over, saved, and not looked back at has new bests.
        """
        number, session = self._game_number, self.session
        if number is None or session is None or session.result is None or self.finished_game is not None:
            return []
        saved_games = self.store.all_saved_games()
        saved_game = next((saved for saved in saved_games if saved.number == number), None)
        if saved_game is None:  # it was deleted elsewhere, or the disk is lost
            return []
        earlier_games = [game for game in self.counted_games(saved_game.game) if game.number != number]
        results = results_on_table(self.store, number, session.result)
        return describe_new_bests(earlier_games, self.title_of(saved_game), results)

    def facts_of(self, saved_game: SavedGame) -> GameFacts:
        """Returns the facts of a saved game, such as its dates and duration.

        For the game on the table the facts are completed from its session.
        """
        facts = facts_from_store(self.store, saved_game.number)
        if self.session is None or self._game_number != saved_game.number:
            return facts
        return complete_facts(facts, self.session, self._events())

    def last_played_at(self, saved_game: SavedGame) -> float | None:
        """Returns when a game was last on the table, in seconds since 1970; None if nobody knew the time."""
        return self.store.play_dates(saved_game.number).ended

    @property
    def is_game_saved(self) -> bool:
        """True if the game on the table is saved; a recorded match isn't."""
        return self._game_number is not None

    # The game on the table

    @property
    def current_session(self) -> Session:
        """The session of the game on the table; there must be one."""
        assert self.session is not None
        return self.session

    @property
    def game(self) -> Game:
        """The rules of the game on the table; there must be one."""
        return self.current_session.game

    @property
    def table(self) -> Table:
        """The table of the game, with its seats and its ledger; there must be one."""
        return self.current_session.table

    @property
    def scene(self) -> Scene | None:
        """The scene of the game on the table: how its rulebook arranges the table on a screen.

        None if there is no game or no scene.
        """
        return None if self.session is None else self.session.scene

    def view_for(self, seat: Seat | None = None) -> View:
        """Returns the view for a seat: what that seat may see of the table now.

        Without a seat, it is what everybody may see.
        """
        view = make_view(self.current_session, seat)
        if self.finished_game is None:
            return view
        result = result_from_json(self.finished_game.result, view.seats)
        is_early = self.finished_game.state == "put away"
        return msgspec.structs.replace(view, question=None, result=result, is_score_so_far=is_early)

    def movable_holdings_by_place(self) -> dict[Place, list[Holding]]:
        """Returns the pieces that people may move by hand, by the place where they are."""
        return movable_holdings_by_place(self.current_session)

    def money_by_place(self) -> dict[Place, list[Holding]]:
        """Returns the money of each place that amounts are paid from and to, places of seats first."""
        return money_by_place(self.current_session)

    def view_ended_early(self, score: GameResult | None) -> View:
        """Returns the view of a game that was put away before its end, with the score that it had then."""
        return msgspec.structs.replace(self.view_for(), question=None, result=score, is_score_so_far=True)

    def history_entries(self) -> Sequence[RecordEntry]:
        """Returns the entries of the game's history, as sentences.

        An entry with a time is a step in force.
        """
        from companion.record.record import history_entries  # what draws records takes long to load

        return history_entries(self.current_session, self._events())

    def step_movements(self) -> list[StepMovements]:
        """Returns the movements of each step, the pieces that it moved, from the beginning on."""
        return movements_by_step(self.current_session)

    def scores_after_each_step(self) -> tuple[ScoreMoment, ...]:
        """Returns the score after each step; empty while a game in which pieces were hidden isn't over."""
        return scores_after_each_step(self.session) if self.session else ()

    def thinking_times(self) -> tuple[ThinkingTime, ...]:
        """Returns how long each seat has thought."""
        return thinking_times(self._events(), self.table.seats) if self.session else ()

    def answered_question_of_step(self, step_index: int) -> AnsweredQuestion | None:
        """Returns the question and the answer of the step with an index; None for a correction by hand."""
        step = self.current_session.steps[step_index]
        if not isinstance(step, Answered):
            return None
        answered_questions = self.current_session.rulebook_run.answered_questions
        return next((answered for answered in answered_questions if answered.question_number == step.n), None)

    def last_asked_seats(self) -> Sequence[Seat]:
        """Returns the seats of the question that was answered last; none if it was for the whole table."""
        answered_questions = self.current_session.rulebook_run.answered_questions
        return answered_questions[-1].question.seats if answered_questions else ()

    def step_indices_asked_about(self, subject: Piece | Place, seat: Seat) -> list[int]:
        """Returns the indices of the steps at which a seat was asked about a piece or a place."""
        indices = []
        for step_index in range(len(self.current_session.steps)):
            answered = self.answered_question_of_step(step_index)
            if (
                answered is not None
                and answered.question.about == subject
                and seat in answered.question.seats
            ):
                indices.append(step_index)
        return indices

    def export_record(self, format_name: str, lang: str) -> Path:
        """Writes the record of the game to a file and returns its path."""
        from companion.record.exports import save_export  # what draws records takes long to load
        from companion.record.record import create_record

        number = self._game_number
        facts = FACTS_OF_UNSAVED_GAME if number is None else facts_from_store(self.store, number)
        record = create_record(self.current_session, self._events(), number, facts)
        return save_export(record, format_name, lang, self.store.directory)

    def save_picture(self, png: bytes, folders_of_sticks: Sequence[Path]) -> Path:
        """Writes a picture of the result to the first USB stick, or else to the exports; returns its path."""
        from companion.record.exports import EXPORTS_FOLDER_NAME, export_file_name

        folder = [*folders_of_sticks, self.store.directory / EXPORTS_FOLDER_NAME][0]
        path = folder / export_file_name(self._game_number, self.game.key, "png")
        write_app_file(path, png)
        return path

    # The cards on the table

    @property
    def taggable_deck(self) -> Deck | None:
        """The deck of the game on the table, if its cards can have tags; else None."""
        names = self.session.game.taggable_deck_names if self.session else ()
        return next((self.table.find_deck(name) for name in names), None)

    def audit_hand(self, seat: Seat, read_card_ids: Collection[str]) -> list[AuditDifference]:
        """Returns how the cards that a seat's tags identify differ from the ledger.

        `read_card_ids` are the ids of these cards. Only that seat may see the differences.
        """
        assert self.taggable_deck is not None
        return find_audit_differences(self.table.ledger, self.taggable_deck, seat, read_card_ids)

    def apply_audit_fix(self, fix: AuditFix, confirmed_keys: Collection[str] = ()) -> None:
        """Applies the correction that an audit of a hand proposes.

        Raises as `move_pieces` does.
        """
        self.move_pieces(fix.moves, AUDIT_CORRECTION_REASON, confirmed_keys=confirmed_keys)

    def move_pieces(
        self,
        moves: Sequence[PieceMove],
        reason: str,
        *,
        ask_again: bool = False,
        confirmed_keys: Collection[str] = (),
    ) -> CorrectionResult:
        """Moves pieces by hand, one move after the other: all of them or none.

        Raises `NeedsConfirmation` before answers of the open round are deleted, and `UserError` if a move
        isn't possible.
        """
        keyed_moves = [(move.source.key, move.target.key, move.piece.key, move.count) for move in moves]
        return correct_by_hand(
            self.current_session, keyed_moves, reason, ask_again=ask_again, confirmed_keys=confirmed_keys
        )

    # Putting a game on the table

    def _house_rules_as_typed(self, game_key: str, options: Mapping[str, str]) -> dict[str, str]:
        """Returns the house rules of a game, or of its preset in the options, as people type them."""
        game = self.game_with_presets(game_key)
        preset_name = ""
        if game.presets is not None:
            preset_name = options.get(game.presets.option, str(game.preset_option.default))
        house_rules = load_house_rules(self.store).rules.get(variant_key(game_key, preset_name), {})
        return {key: option_value_as_typed(value) for key, value in house_rules.items()}

    def _begin_session(
        self,
        log: Log,
        game: str,
        names: Sequence[str],
        options: Mapping[str, str],
        clocks: ClockSettings,
        colours: Sequence[str],
    ) -> Session:
        game_with_presets = self.game_with_presets(game)
        return Session.begin(
            game_with_presets,
            names,
            options,
            log,
            colours=colours,
            deck_by_name=starting_decks(game_with_presets, self.store.directory, options),
            clock_settings=clocks,
            **self._session_options,
        )

    def _put_on_table(self, session: Session, log: GameLog) -> None:
        self._replace_game(session, log.number, log.events)
        self._log = log

    def _restore_current_log(self) -> None:
        """Tells the store that the game on the table is played on, after another game could not be opened.

        If the state directory is lost later, the store moves the answers that this log has in memory.
        """
        if self._log is not None:
            self.store.set_current_game_log(self._log)

    def _replace_game(
        self,
        session: Session,
        number: int | None,
        events: Callable[[], Sequence[Event]],
        finished_game: SavedGame | None = None,
    ) -> None:
        self.session, self.finished_game = session, finished_game
        self._game_number, self._events, self._log = number, events, None
        prefer_translations_of_game(session.game.key)

    def _update_play_dates(self) -> None:
        """Saves that the game is being played now. An error of the disk is ignored: a date isn't worth it."""
        if self._log is not None:
            with suppress(StoreUnavailable):
                self._log.update_play_dates()
