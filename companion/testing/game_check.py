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
from companion.scenes.evaluate import evaluate_scene
from companion.session.session import Session
from companion.session.view import make_view
from companion.table.scores import GameResult
from companion.table.seats import Seat
from companion.testing.code_checks import (
    check_field_types,
    check_game_code,
    check_game_types,
    check_question_types,
    with_scene_type_check,
)
from companion.testing.noninterference import check_noninterference
from companion.testing.random_game import (
    RandomGame,
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

    Each of the `games` games has other options and another number of players. `decks` are printed values to
    use instead of those the game brings, by deck name.

    First it reads the code: every question is awaited, and every text gets its arguments. Then it checks the
    types of everything in `Game`, in the scene and in the questions.

    Of each game it proves: it ends; no piece is made or lost; each question can be written as JSON, is of a
    declared kind and counts by words; the lines of the score add up to the totals; sampled answers are legal;
    illegal answers are refused and change nothing; sealed answers come sealed; its log replays to the same
    table, in part, corrected and amended too; undo and redo cancel each other; nothing covered shows in a
    question, an option, a refusal or a message; its scene names only pieces and places of its table. The
    recorded match that the game brings, if any, is played to its end.

    The error carries a note that says in which game it happened.
    """
    check_game_code(game)
    check_game_types(game)
    checked, asked_before = with_scene_type_check(game), set[str]()
    for number in range(games):
        try:
            trial = RandomGame.begin_random_game(
                checked, number, Random(f"{game.key} {seed} {number}"), decks
            )
            _check_random_game(trial, asked_before)
        except Exception as error:
            error.add_note(f"in game {number} of check_game({game.key}, seed={seed})")
            for note in _crash_notes(error, game):
                error.add_note(note)
            raise
    _check_recorded_match(game)


def _check_recorded_match(game: Game) -> None:
    recorded = game.find_file(DEMO_SUFFIX)
    if recorded is not None:
        events = logtext.parse_log_text(recorded.read_text(encoding="utf-8"))
        session = Session(game, events, MemoryLog())
        assert session.result is not None, f"{recorded.name} isn't over at its end"


def _crash_notes(error: BaseException, game: Game) -> Iterator[str]:
    """Yields why the rules crashed, and in which of their lines."""
    cause = error.__cause__
    if isinstance(error, RulesCrashed) and cause is not None:
        frames = extract_tb(cause.__traceback__)
        lines = [frame for frame in frames if Path(frame.filename).parent == game.folder]
        where = [f" ({Path(frame.filename).name}, line {frame.lineno})" for frame in lines[-1:]]
        yield f"because of {describe_exception(cause)}{''.join(where)}"


def _check_random_game(trial: RandomGame, asked_before: set[str]) -> None:
    """Plays and checks one random game; the types of a question are checked only once for each key."""
    books = trial.session.table.ledger.total_by_piece_key()
    check_field_types(evaluate_scene(make_view(trial.session), trial.session.scene))
    moments: dict[int, object] = {}

    def watch() -> None:
        session = trial.session
        assert session.table.ledger.total_by_piece_key() == books, (
            f"pieces were made or lost before {session.question_number}"
        )
        moments[len(session.steps)] = count_by_place_and_piece(session)
        if session.question is not None:
            _check_question_now(session, session.question, asked_before)
        question_as_json_text(session.question)
        if session.question is not None and trial.rng.random() < REFUSAL_TEST_FRACTION:
            _check_refusals(session, session.question)

    play_randomly_to_end(trial.session, trial.rng, watch)
    _check_scene_now(trial.session)
    _check_totals(trial.session.result)
    trial.check_replay()
    for _ in range(REPLAYED_MOMENTS_PER_GAME):
        part = trial.reopen_at_earlier_event().session
        assert count_by_place_and_piece(part) == moments[len(part.steps)], (
            "a part of the log replays to another table"
        )
        _check_undo_and_redo(part, trial.rng)
        check_noninterference(trial.reopen_at_earlier_event())
    _check_corrections_and_amendments(trial.reopen_at_earlier_event(), books)


def _check_question_now(session: Session, question: Request[Any], asked_before: set[str]) -> None:
    kind, known = question.kind, session.game.question_kinds
    assert kind in known, f"it asks {kind}, but Game.question_kinds names only {', '.join(known)}"
    try:
        asks = question.log_key
    except AttributeError:  # a seat or a text is something else: what it is, is said below
        asks = ""
    if asks not in asked_before:
        check_question_types(question)
        _check_scene_now(session)
        asked_before.add(asks)
    _check_count_keys(question)


def _check_scene_now(session: Session) -> None:
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
    """Checks that no key of a count is a number: typed as `4 2`, it couldn't be told from a count."""
    for part in question.parts_by_seat.values() or (question,):
        field = part.form.single_field
        if isinstance(field, QuantitiesField):
            numbers = [one.key for one in field.numbers if one.key.isdecimal()]
            assert not numbers, f"{part.log_key} counts {', '.join(numbers)}: a key is a word, not a number"


def _check_totals(result: GameResult | None) -> None:
    assert result is not None
    check_field_types(result)
    for one in result.standings:
        assert one.lines_add_up, f"{one.seat.name}'s lines that count don't add up to {one.total}"


def _check_refusals(session: Session, question: Request[Any]) -> None:
    """Checks that illegal and late answers are refused and change nothing."""
    n, before = session.question_number, _open_state(session)
    if question.parts_by_seat:
        _expect_refusal(lambda: session.answer(n, {}), "a Together was answered without an answer")
        if question.is_sealed:
            whole = question.answer_to_json(question.random_legal_answer(Random(n)))
            _expect_refusal(lambda: session.answer(n, whole), "a Together was answered for all")
    parts: dict[Any, Request[Any]] = {**question.parts_by_seat} or {None: question}
    for seat, part in parts.items():
        for junk in JUNK_ANSWERS:
            if not _is_legal(part, junk):
                _expect_refusal(_try_answer(session, n, seat, junk), f"{part.log_key} took {junk!r}")
        for wrong in _illegal_answers(part):
            _expect_refusal(_try_answer(session, n, seat, wrong), f"{part.log_key} took {wrong!r}")
        _expect_refusal(_try_answer(session, n - 1, seat, None), "a late answer was taken")
    assert _open_state(session) == before, "a refusal changed something"


def _open_state(session: Session) -> object:
    return (
        session.question_number,
        question_as_json_text(session.question),
        count_by_place_and_piece(session),
        dict(session.drafts),
        len(session.steps),
    )


def _try_answer(session: Session, n: int, seat: Seat | None, given: object) -> Callable[[], None]:
    return lambda: session.put_answer_in_envelope(n, seat, given) if seat else session.answer(n, given)


def _is_legal(question: Request[Any], given: object) -> bool:
    if isinstance(given, (bool, float)):
        return given is True and question.form.single_field == ConfirmField()
    return is_legal_answer(question, given)


def _illegal_answers(question: Request[Any]) -> list[object]:
    """Returns answers of the right form that are illegal in every game."""
    match question.form.single_field:
        case None if question.form.is_list_answer:
            first = [die.values[0] for die in question.form.fields if isinstance(die, NumberField)]
            faces: list[object] = [first[1:], [*first, first[0]]]
            return [*faces, *([number] * len(first) for number in INVALID_NUMBERS)]
        case QuantitiesField(numbers=parts):
            keys = [part.key for part in parts]
            wrong = [{key: number} for key in keys for number in (*INVALID_NUMBERS, -1)]
            return [*wrong, dict.fromkeys([*keys, "no such key"], 0)]
        case TextField(max_letters=most):
            return ["x" * (most + 1), *UNSAFE_TEXTS]
    return []


def _expect_refusal(deed: Callable[[], object], otherwise: str) -> None:
    try:
        deed()
    except UserError:
        return
    raise AssertionError(otherwise)


def _check_undo_and_redo(session: Session, rng: Random) -> None:
    """Checks that as many redos as undos change nothing but the question numbers, which are never reused."""
    far, before, n = (
        min(rng.choice(UNDOS_IN_A_ROW_TO_CHOOSE_FROM), len(session.steps)),
        _state_without_number(session),
        session.question_number,
    )
    for _ in range(far):
        session.undo(past_reveal=True)
    for _ in range(far):
        session.redo()
    assert _state_without_number(session) == before, f"{far} undos and redos changed something"
    assert session.question_number == n + 2 * far, "undo and redo must use up a number each"


def _state_without_number(session: Session) -> tuple[object, ...]:
    look, *rest = replayable_state(session)
    return look | {"question_number": 0, "envelopes": (), "may_redo": False}, *rest


def _check_corrections_and_amendments(trial: RandomGame, books: dict[str, int]) -> None:
    session = trial.session
    for happen in (_amend_at_random, _correct_at_random, _amend_at_random):
        happen(trial)
        assert session.table.ledger.total_by_piece_key() == books, "pieces were made or lost"
        trial.check_replay()
    try:
        play_randomly_to_end(session, trial.rng)
    except (RulesCrashed, IllegalAnswer):
        # A table may take away by hand what the rules or every answer need, as long as it can go back.
        trial.check_replay()
        session.undo(past_reveal=True)


def _correct_at_random(trial: RandomGame) -> None:
    session, rng = trial.session, trial.rng
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


def _amend_at_random(trial: RandomGame) -> None:
    """Amends an earlier answer; either all later answers still fit, or nothing changes."""
    session = trial.session
    answered = [step for step in session.steps if isinstance(step, Answered)]
    if not answered:
        return
    event = trial.rng.choice(answered).n
    seat, given = trial.sample_answer_to_earlier_question(event)
    before, n = replayable_state(session), session.question_number
    try:
        session.amend_answer(event, given, seat)
    except ReplayConflict:
        assert replayable_state(session) == before, "a refused amendment changed something"
        session.amend_answer(event, given, seat, go_back=True, past_reveal=True)
    assert session.question_number == n + 1, "an amendment must use up a number"
