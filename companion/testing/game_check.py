"""Checks what every game must fulfil, by playing random games.

Chance comes from a seed, and no clock runs: equal calls play equal games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from traceback import extract_tb
from typing import Any

from companion import logtext
from companion.cards import Deck
from companion.errors import IllegalAnswer, ReplayConflict, RulesCrashed, UserError, describe_exception
from companion.log.events import Answered
from companion.log.log import MemoryLog
from companion.requests import ConfirmField, NumberField, QuantitiesField, Request, TextField
from companion.rules.game import DEMO_SUFFIX, Game
from companion.scenes import evaluate_scene
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.scores import GameResult
from companion.table.seats import Seat
from companion.testing.code_checks import (
    check_field_types,
    check_game_code,
    check_game_fields,
    check_question_types_and_limits,
    game_with_scene_type_check,
)
from companion.testing.noninterference import check_noninterference
from companion.testing.random_game import (
    RandomGame,
    ReplayableState,
    count_by_place_and_piece,
    is_legal_answer,
    play_randomly_to_end,
    question_as_json_text,
    replayable_state,
)
from companion.texts import Say, find_text_fault

REPLAYED_MOMENTS_PER_GAME = 3
"""The number of earlier moments of each game from which undo, redo and replay are checked."""
UNDOS_IN_A_ROW_TO_CHOOSE_FROM = (1, 1, 1, 2, 2, 3, 5, 8)
"""Numbers of undos in a row, to choose from."""
JUNK_ANSWERS: tuple[object, ...] = (
    *(None, True, False, 0, 1, -1, 10**30, 0.0, 1.0, 1.5, "", "1", "no such key", "\ud800"),
    *([], {}, [None], [{}], [[]], [0], [0, 0], {"1": 1}, {"no such key": 1}),
    *([{"card": "no such card"}], [{"card": 1}], [{"tag": "no such tag"}], [{"values": {"no such": 1}}]),
    *([{"card": "1", "values": {}}], [{"values": {}}] * 1_000),
)
"""Answers in JSON that are hardly ever legal."""
INVALID_NUMBERS: tuple[object, ...] = (None, True, False, 0.0, 1.5, "1", [], {}, 10**30, -(10**30))
"""Values that no number in an answer may have."""
UNSAFE_TEXTS = ("\x1b[2J", "\x00", "\x7f", "\u202e", "\ufeff", "\ud800")
"""Texts that control a terminal, change the writing direction or can't be encoded."""
REFUSAL_TEST_FRACTION = 0.1
"""The share of questions that are tested with answers they must refuse."""


def check_game(
    game: Game, *, games: int = 50, seed: int = 0, decks: Mapping[str, Deck] | None = None
) -> None:
    """Plays random games and raises AssertionError if one breaks a promise that every game must keep.

    Each of the `games` games has other options and another number of players. `decks` are printed values, by
    deck name, to use instead of those that the game brings.

    The function first checks the code: every question is awaited, and every text gets its arguments. Then it
    checks the types of everything in `Game`, in the scene and in the questions.

    The promises are: a game ends; no piece is made or lost; each question can be written as JSON, is of a
    declared kind and counts by words; the lines of the score add up to the totals; sampled answers are legal;
    illegal answers are refused and change nothing; sealed answers come sealed; the log replays to the same
    table, also in part, corrected and amended; undo and redo cancel each other; nothing covered shows in a
    question, an option, a refusal or a message; the scene names only pieces and places of the table. The
    recorded match that the game brings, if any, is played to its end.

    The error carries a note that says in which game it happened.
    """
    check_game_code(game)
    check_game_fields(game)
    checked_game, checked_log_keys = game_with_scene_type_check(game), set[str]()
    for number in range(games):
        try:
            random_game = RandomGame.begin(checked_game, number, Random(f"{game.key} {seed} {number}"), decks)
            _check_random_game(random_game, checked_log_keys)
        except Exception as error:
            error.add_note(f"in game {number} of check_game({game.key}, seed={seed})")
            for note in _crash_notes(error, game):
                error.add_note(note)
            raise
    _check_recorded_match(game)


def _check_recorded_match(game: Game) -> None:
    match_file = game.find_file(DEMO_SUFFIX)
    if match_file is not None:
        events = logtext.parse_log_text(match_file.read_text(encoding="utf-8"))
        session = Session(game, events, MemoryLog())
        assert session.result is not None, f"{match_file.name} isn't over at its end"


def _crash_notes(error: BaseException, game: Game) -> Iterator[str]:
    """Yields a note with the reason why the rules crashed, and the line of the game's code."""
    cause = error.__cause__
    if isinstance(error, RulesCrashed) and cause is not None:
        frames = extract_tb(cause.__traceback__)
        lines = [frame for frame in frames if Path(frame.filename).parent == game.folder]
        locations = [f" ({Path(frame.filename).name}, line {frame.lineno})" for frame in lines[-1:]]
        yield f"because of {describe_exception(cause)}{''.join(locations)}"


def _check_random_game(random_game: RandomGame, checked_log_keys: set[str]) -> None:
    """Plays and checks one random game. The types of a question are checked only once for each log key."""
    piece_totals = random_game.session.table.ledger.total_by_piece_key()
    check_field_types(evaluate_scene(make_view(random_game.session), random_game.session.scene))
    counts_by_step_count: dict[int, object] = {}

    def check_moment() -> None:
        session = random_game.session
        assert session.table.ledger.total_by_piece_key() == piece_totals, (
            f"pieces were made or lost before {session.question_number}"
        )
        counts_by_step_count[len(session.steps)] = count_by_place_and_piece(session)
        if session.question is not None:
            _check_open_question(session, session.question, checked_log_keys)
        question_as_json_text(session.question)
        if session.question is not None and random_game.rng.random() < REFUSAL_TEST_FRACTION:
            _check_refusals(session, session.question)

    play_randomly_to_end(random_game.session, random_game.rng, check_moment)
    _check_labels_and_scene(random_game.session)
    _check_result(random_game.session.result)
    random_game.check_replay()
    for _ in range(REPLAYED_MOMENTS_PER_GAME):
        earlier_session = random_game.reopen_at_earlier_event().session
        assert (
            count_by_place_and_piece(earlier_session) == counts_by_step_count[len(earlier_session.steps)]
        ), "a part of the log replays to another table"
        _check_undo_and_redo(earlier_session, random_game.rng)
        check_noninterference(random_game.reopen_at_earlier_event())
    _check_corrections_and_amendments(random_game.reopen_at_earlier_event(), piece_totals)


def _check_open_question(session: Session, question: Request[Any], checked_log_keys: set[str]) -> None:
    kind, known_kinds = question.kind, session.game.question_kinds
    assert kind in known_kinds, f"it asks {kind}, but Game.question_kinds names only {', '.join(known_kinds)}"
    try:
        log_key = question.log_key
    except AttributeError:  # check_question_types_and_limits names the wrong type below
        log_key = ""
    if log_key not in checked_log_keys:
        check_question_types_and_limits(question)
        _check_labels_and_scene(session)
        checked_log_keys.add(log_key)
    _check_count_keys(question)


def _check_labels_and_scene(session: Session) -> None:
    """Checks that the heading and all pieces have complete labels, and the scene can be evaluated now."""
    heading, score_so_far = session.table.heading, session.table.score_so_far
    assert heading is None or isinstance(heading, Say), f"table.heading must be a text, not {heading!r}"
    assert score_so_far is None or callable(score_so_far), (
        f"table.score_so_far must be a function, not {score_so_far!r}"
    )
    for text in (heading, *[account.piece.label for account in session.table.ledger]):
        assert text is None or not find_text_fault(text), find_text_fault(text)
    check_field_types(evaluate_scene(make_view(session), session.scene))


def _check_count_keys(question: Request[Any]) -> None:
    """Checks that no key of a count is a number: nobody could tell the key from the count in `4 2`."""
    for part in question.parts_by_seat.values() or (question,):
        field = part.form.single_field
        if isinstance(field, QuantitiesField):
            numeric_keys = [item.key for item in field.numbers if item.key.isdecimal()]
            assert not numeric_keys, (
                f"{part.log_key} counts {', '.join(numeric_keys)}: a key is a word, not a number"
            )


def _check_result(result: GameResult | None) -> None:
    assert result is not None
    check_field_types(result)
    for standing in result.standings:
        assert standing.lines_add_up, (
            f"{standing.seat.name}'s lines that count don't add up to {standing.total}"
        )


def _check_refusals(session: Session, question: Request[Any]) -> None:
    """Checks that illegal and late answers are refused and change nothing."""
    n, before = session.question_number, _state_of_open_question(session)
    if question.parts_by_seat:
        _expect_refusal(lambda: session.answer(n, {}), "a Together was answered without an answer")
        if question.is_sealed:
            answer_of_all = question.answer_to_json(question.random_legal_answer(Random(n)))
            _expect_refusal(lambda: session.answer(n, answer_of_all), "a Together was answered for all")
    parts: dict[Any, Request[Any]] = {**question.parts_by_seat} or {None: question}
    for seat, part in parts.items():
        for junk_answer in JUNK_ANSWERS:
            if not _is_legal(part, junk_answer):
                _expect_refusal(
                    _make_attempt(session, n, seat, junk_answer), f"{part.log_key} took {junk_answer!r}"
                )
        for illegal_answer in _illegal_answers(part):
            _expect_refusal(
                _make_attempt(session, n, seat, illegal_answer), f"{part.log_key} took {illegal_answer!r}"
            )
        _expect_refusal(_make_attempt(session, n - 1, seat, None), "a late answer was taken")
    assert _state_of_open_question(session) == before, "a refusal changed something"


def _state_of_open_question(session: Session) -> object:
    return (
        session.question_number,
        question_as_json_text(session.question),
        count_by_place_and_piece(session),
        dict(session.drafts),
        len(session.steps),
    )


def _make_attempt(session: Session, n: int, seat: Seat | None, json_answer: object) -> Callable[[], None]:
    return lambda: (
        session.put_answer_in_envelope(n, seat, json_answer) if seat else session.answer(n, json_answer)
    )


def _is_legal(question: Request[Any], json_answer: object) -> bool:
    field = question.form.single_field
    if isinstance(json_answer, float) and isinstance(field, NumberField) and field.allows_halves:
        return is_legal_answer(question, json_answer)
    if isinstance(json_answer, (bool, float)):
        return json_answer is True and field == ConfirmField()
    return is_legal_answer(question, json_answer)


def _illegal_answers(question: Request[Any]) -> list[object]:
    """Returns answers of the right form that are illegal in every game."""
    match question.form.single_field:
        case None if question.form.is_list_answer:
            lowest_faces = [die.values[0] for die in question.form.fields if isinstance(die, NumberField)]
            roll_answers: list[object] = [lowest_faces[1:], [*lowest_faces, lowest_faces[0]]]
            return [*roll_answers, *([number] * len(lowest_faces) for number in INVALID_NUMBERS)]
        case QuantitiesField(numbers=items):
            keys = [part.key for part in items]
            answers = [
                {part.key: number}
                for part in items
                for number in (*INVALID_NUMBERS, -1)
                if not (part.allows_halves and isinstance(number, float))
            ]
            return [*answers, dict.fromkeys([*keys, "no such key"], 0)]
        case TextField(max_letters=most):
            return ["x" * (most + 1), *UNSAFE_TEXTS]
    return []


def _expect_refusal(attempt: Callable[[], object], message: str) -> None:
    try:
        attempt()
    except UserError:
        return
    raise AssertionError(message)


def _check_undo_and_redo(session: Session, rng: Random) -> None:
    """Checks that undos and as many redos change nothing but the question numbers, which are never reused."""
    count = min(rng.choice(UNDOS_IN_A_ROW_TO_CHOOSE_FROM), len(session.steps))
    before, n = _state_without_number(session), session.question_number
    for _ in range(count):
        session.undo(past_reveal=True)
    for _ in range(count):
        session.redo()
    assert _state_without_number(session) == before, f"{count} undos and redos changed something"
    assert session.question_number == n + 2 * count, "undo and redo must use up a number each"


def _state_without_number(session: Session) -> ReplayableState:
    state = replayable_state(session)
    return state._replace(view=state.view | {"question_number": 0, "envelopes": (), "may_redo": False})


def _check_corrections_and_amendments(random_game: RandomGame, piece_totals: dict[str, int]) -> None:
    session = random_game.session
    for change in (_amend_at_random, _correct_at_random, _amend_at_random):
        change(random_game)
        assert session.table.ledger.total_by_piece_key() == piece_totals, "pieces were made or lost"
        random_game.check_replay()
    try:
        play_randomly_to_end(session, random_game.rng)
    except (RulesCrashed, IllegalAnswer):
        # People may take away by hand what the rules or every answer need, as long as they can undo that.
        random_game.check_replay()
        session.undo(past_reveal=True)


def _correct_at_random(random_game: RandomGame) -> None:
    session, rng = random_game.session, random_game.rng
    accounts = list(session.table.ledger)
    if not accounts:
        return
    source = rng.choice([account for account in accounts if account.count > 0] or accounts)
    target = rng.choice([account for account in accounts if account.piece == source.piece])
    count, before = rng.randint(1, max(1, source.count)), replayable_state(session)
    try:
        session.correct(
            source.place.key_with_player_name,
            target.place.key_with_player_name,
            source.piece.key,
            count,
            "miscounted",
        )
    except UserError:
        assert replayable_state(session) == before, "a refused correction changed something"


def _amend_at_random(random_game: RandomGame) -> None:
    """Amends an earlier answer; either all later answers still fit, or nothing changes."""
    session = random_game.session
    answered = [step for step in session.steps if isinstance(step, Answered)]
    if not answered:
        return
    event = random_game.rng.choice(answered).n
    seat, json_answer = random_game.sample_amendment(event)
    before, n = replayable_state(session), session.question_number
    try:
        session.amend_answer(event, json_answer, seat)
    except ReplayConflict:
        assert replayable_state(session) == before, "a refused amendment changed something"
        session.amend_answer(event, json_answer, seat, go_back=True, past_reveal=True)
    assert session.question_number == n + 1, "an amendment must use up a number"
