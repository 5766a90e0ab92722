"""Recorded matches: the demo match of a game, replayed at once or played answer by answer."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from companion import installed_games, logtext
from companion.errors import make_unknown_name_error
from companion.log.events import Began, Corrected, Event
from companion.log.log import MemoryLog
from companion.log.timeline import build_timeline
from companion.rules.game import DEMO_SUFFIX, Game, option_value_as_typed
from companion.session.session import Session
from companion.table.table import OptionValue
from companion.texts import say


def load_recorded_events(game_name: str) -> list[Event]:
    """Returns the recorded match of a game.

    Raises `UnknownName`, which lists the games that have one.
    """
    games = installed_games.playable_games()
    files = {game.key: file for game in games if (file := game.find_file(DEMO_SUFFIX)) is not None}
    key = installed_games.match_game_key(game_name, {game.key: game for game in games if game.key in files})
    if key not in files:
        text = "There is no recorded match of {name}. Recorded matches: {names}."
        raise make_unknown_name_error(game_name, files, say(text, name=game_name, names=", ".join(files)))
    return logtext.parse_log_text(files[key].read_text(encoding="utf-8"))


def load_demo_events() -> list[Event]:
    """Returns the recorded match that the demo table plays. Raises `UnknownName` if no game brings one."""
    return load_recorded_events(
        next((game.key for game in installed_games.playable_games() if game.is_demo), "")
    )


def replay_until(events: Sequence[Event], last_question_number: int | None = None) -> Session:
    """Replays events until the last one about a question, and returns the session.

    Without `last_question_number`, all events are replayed.
    """
    began = events[0]
    assert isinstance(began, Began)
    game = installed_games.playable_game(began.game)
    game.check_player_count(began.names)
    first_event = msgspec.structs.replace(began, options=_replayable_options(game, began))
    later_events = [
        event
        for event in events[1:]
        if isinstance(event, Began) or last_question_number is None or event.n <= last_question_number
    ]
    return Session(game, [first_event, *later_events], MemoryLog())


def _replayable_options(game: Game, began: Began) -> dict[str, OptionValue]:
    """Returns the options of a log, each parsed as if people had typed it.

    The option that chooses the preset is left as it is, because the log itself has the preset.
    """
    preset_key = game.presets and game.presets.option
    typed = {key: option_value_as_typed(value) for key, value in began.options.items() if key != preset_key}
    return began.options | game.parse_options(typed)


class RecordedMatch:
    """Plays a recorded match step by step: `play_next_step` until it `is_over`.

    Undone answers aren't played.
    """

    def __init__(self, events: Sequence[Event]) -> None:
        began = events[0]
        assert isinstance(began, Began)
        self.log = MemoryLog()
        self.session = Session(installed_games.playable_game(began.game), [began], self.log)
        self._remaining_steps = list(build_timeline(events).steps[::-1])

    @property
    def is_over(self) -> bool:
        """True if all steps were played."""
        return not self._remaining_steps

    def play_next_step(self) -> None:
        """Plays the next answer or correction; raises a `CompanionError` if it isn't possible."""
        session, step = self.session, self._remaining_steps.pop()
        if isinstance(step, Corrected):
            moves = [(move.source, move.target, move.piece, move.count) for move in step.moves]
            session.correct_all(moves, step.reason)
        elif session.question and session.question.is_sealed:
            for seat in session.question.seats:
                session.put_answer_in_envelope(session.question_number, seat, step.answer[str(seat.number)])
        else:
            session.answer(session.question_number, step.answer)
