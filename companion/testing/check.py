"""What every game must hold, tried on random games.

Chance comes from a seed, and no clock runs: the same call plays the same games.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from random import Random
from traceback import extract_tb
from typing import Any

from companion import logtext
from companion.cards import Deck
from companion.errors import IllegalAnswer, Misfit, RulesCrashed, TableError, in_a_line
from companion.log.events import Answered
from companion.log.memory import Memory
from companion.requests import ConfirmField, NumberField, QuantitiesField, Request, TextField
from companion.rules.game import DEMO_SUFFIX, Game
from companion.scenes.evaluate import evaluate_scene
from companion.session.session import Session
from companion.session.view import view
from companion.table.scores import GameResult
from companion.table.seats import Seat
from companion.testing.mistakes import (
    check_asked,
    check_code,
    check_lid,
    check_values,
    with_checked_scene,
)
from companion.testing.trial import Trial, asked, held, play_on, seen, takes
from companion.testing.twins import check_twins
from companion.words import Say, find_gap

CUTS = 3
"""From how many earlier moments of a game it is played back and forth."""
GOES_BACK = (1, 1, 1, 2, 2, 3, 5, 8)
"""How many undos in a row are tried."""
JUNK: tuple[object, ...] = (
    *(None, True, False, 0, 1, -1, 10**30, 0.0, 1.0, 1.5, "", "1", "no such key", "\ud800"),
    *([], {}, [None], [{}], [[]], [0], [0, 0], {"1": 1}, {"no such key": 1}),
    *([{"card": "no such card"}], [{"card": 1}], [{"tag": "no such tag"}], [{"values": {"no such": 1}}]),
    *([{"card": "1", "values": {}}], [{"values": {}}] * 1_000),
)
"""Answers of which hardly any is legal."""
NO_NUMBERS: tuple[object, ...] = (None, True, False, 0.0, 1.5, "1", [], {}, 10**30, -(10**30))
"""What no number in an answer may be."""
NO_WORDS = ("\x1b[2J", "\x00", "\x7f", "\u202e", "\ufeff", "\ud800")
"""What steers a terminal, turns the way of writing or can't be written."""
RARELY = 0.1
"""How often a question is tried with answers it must refuse."""


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
    check_code(game)
    check_lid(game)
    checked, asked_before = with_checked_scene(game), set[str]()
    for number in range(games):
        try:
            trial = Trial.begun(checked, number, Random(f"{game.key} {seed} {number}"), decks)
            _check_one(trial, asked_before)
        except Exception as error:
            error.add_note(f"in game {number} of check_game({game.key}, seed={seed})")
            for note in _reasons(error, game):
                error.add_note(note)
            raise
    _plays_what_it_brings(game)


def _plays_what_it_brings(game: Game) -> None:
    recorded = game.find_file(DEMO_SUFFIX)
    if recorded is not None:
        events = logtext.read(recorded.read_text(encoding="utf-8"))
        session = Session(game, events, Memory())
        assert session.result is not None, f"{recorded.name} isn't over at its end"


def _reasons(error: BaseException, game: Game) -> Iterator[str]:
    """Why the rules failed, and at which line of theirs."""
    cause = error.__cause__
    if isinstance(error, RulesCrashed) and cause is not None:
        frames = extract_tb(cause.__traceback__)
        lines = [frame for frame in frames if Path(frame.filename).parent == game.folder]
        where = [f" ({Path(frame.filename).name}, line {frame.lineno})" for frame in lines[-1:]]
        yield f"because of {in_a_line(cause)}{''.join(where)}"


def _check_one(trial: Trial, asked_before: set[str]) -> None:
    """Plays a game; the values of a question are looked at where none like it was asked before."""
    books = trial.session.table.ledger.piece_totals()
    check_values(evaluate_scene(view(trial.session), trial.session.scene))
    moments: dict[int, object] = {}

    def watch() -> None:
        session = trial.session
        assert session.table.ledger.piece_totals() == books, f"pieces were made or lost before {session.n}"
        moments[len(session.steps)] = held(session)
        if session.question is not None:
            _is_asked_well(session, session.question, asked_before)
        asked(session.question)
        if session.question is not None and trial.rng.random() < RARELY:
            _refuses(session, session.question)

    play_on(trial.session, trial.rng, watch)
    _keeps_to_its_table(trial.session)
    _adds_up(trial.session.result)
    trial.check_log()
    for _ in range(CUTS):
        part = trial.cut().session
        assert held(part) == moments[len(part.steps)], "a part of the log replays to another table"
        _goes_back_and_forth(part, trial.rng)
        check_twins(trial.cut())
    _is_corrected_and_amended(trial.cut(), books)


def _is_asked_well(session: Session, question: Request[Any], asked_before: set[str]) -> None:
    kind, known = question.kind, session.game.question_kinds
    assert kind in known, f"it asks {kind}, but Game.question_kinds names only {', '.join(known)}"
    try:
        asks = question.asks
    except AttributeError:  # a seat or a text is something else: what it is, is said below
        asks = ""
    if asks not in asked_before:
        check_asked(question)
        _keeps_to_its_table(session)
        asked_before.add(asks)
    _is_counted_by_words(question)


def _keeps_to_its_table(session: Session) -> None:
    """The heading and all that lies there can be called, and the scene can be drawn at this moment, too."""
    heading, score_so_far = session.table.heading, session.table.score_so_far
    assert heading is None or isinstance(heading, Say), f"table.heading must be a text, not {heading!r}"
    assert score_so_far is None or callable(score_so_far), (
        f"table.score_so_far must be a function, not {score_so_far!r}"
    )
    for text in (heading, *[account.piece.label for account in session.table.ledger]):
        assert text is None or not find_gap(text), find_gap(text)
    check_values(evaluate_scene(view(session), session.scene))


def _is_counted_by_words(question: Request[Any]) -> None:
    """Typed as `4 2`, nobody knows whether a key that is a number is one."""
    for part in question.parts.values() or (question,):
        field = part.form.field
        if isinstance(field, QuantitiesField):
            numbers = [one.key for one in field.parts if one.key.isdecimal()]
            assert not numbers, f"{part.asks} counts {', '.join(numbers)}: a key is a word, not a number"


def _adds_up(result: GameResult | None) -> None:
    assert result is not None
    check_values(result)
    for one in result.standings:
        assert one.adds_up, f"{one.seat.name}'s lines that count don't add up to {one.total}"


def _refuses(session: Session, question: Request[Any]) -> None:
    """Everything illegal is refused, a late answer too, and changes nothing."""
    n, before = session.n, _open(session)
    if question.parts:
        _refused(lambda: session.answer(n, {}), "a Together was answered without an answer")
        if question.is_sealed:
            whole = question.dump(question.sample(Random(n)))
            _refused(lambda: session.answer(n, whole), "a Together was answered for all")
    parts: dict[Any, Request[Any]] = {**question.parts} or {None: question}
    for seat, part in parts.items():
        for junk in JUNK:
            if not _legal(part, junk):
                _refused(_answering(session, n, seat, junk), f"{part.asks} took {junk!r}")
        for wrong in _never_legal(part):
            _refused(_answering(session, n, seat, wrong), f"{part.asks} took {wrong!r}")
        _refused(_answering(session, n - 1, seat, None), "a late answer was taken")
    assert _open(session) == before, "a refusal changed something"


def _open(session: Session) -> object:
    return session.n, asked(session.question), held(session), dict(session.drafts), len(session.steps)


def _answering(session: Session, n: int, seat: Seat | None, given: object) -> Callable[[], None]:
    return lambda: session.draft(n, seat, given) if seat else session.answer(n, given)


def _legal(question: Request[Any], given: object) -> bool:
    if isinstance(given, (bool, float)):
        return given is True and question.form.field == ConfirmField()
    return takes(question, given)


def _never_legal(question: Request[Any]) -> list[object]:
    """Answers of the right form with something in them that is wrong in every game."""
    match question.form.field:
        case None if question.form.many:
            first = [die.values[0] for die in question.form.fields if isinstance(die, NumberField)]
            faces: list[object] = [first[1:], [*first, first[0]]]
            return [*faces, *([number] * len(first) for number in NO_NUMBERS)]
        case QuantitiesField(parts=parts):
            keys = [part.key for part in parts]
            wrong = [{key: number} for key in keys for number in (*NO_NUMBERS, -1)]
            return [*wrong, dict.fromkeys([*keys, "no such key"], 0)]
        case TextField(most=most):
            return ["x" * (most + 1), *NO_WORDS]
    return []


def _refused(deed: Callable[[], object], otherwise: str) -> None:
    try:
        deed()
    except TableError:
        return
    raise AssertionError(otherwise)


def _goes_back_and_forth(session: Session, rng: Random) -> None:
    """As many redos as undos change nothing but the numbers, which are never used again."""
    far, before, n = min(rng.choice(GOES_BACK), len(session.steps)), _but_number(session), session.n
    for _ in range(far):
        session.undo(past_reveal=True)
    for _ in range(far):
        session.redo()
    assert _but_number(session) == before, f"{far} undos and redos changed something"
    assert session.n == n + 2 * far, "undo and redo must use up a number each"


def _but_number(session: Session) -> tuple[object, ...]:
    look, *rest = seen(session)
    return look | {"n": 0, "envelopes": (), "may_redo": False}, *rest


def _is_corrected_and_amended(trial: Trial, books: dict[str, int]) -> None:
    session = trial.session
    for happen in (_amends, _corrects, _amends):
        happen(trial)
        assert session.table.ledger.piece_totals() == books, "pieces were made or lost"
        trial.check_log()
    try:
        play_on(session, trial.rng)
    except (RulesCrashed, IllegalAnswer):
        # A table may take away by hand what the rules or every answer need, as long as it can go back.
        trial.check_log()
        session.undo(past_reveal=True)


def _corrects(trial: Trial) -> None:
    session, rng = trial.session, trial.rng
    accounts = list(session.table.ledger)
    if not accounts:
        return
    source = rng.choice([account for account in accounts if account.count > 0] or accounts)
    target = rng.choice([account for account in accounts if account.piece == source.piece])
    count, before = rng.randint(1, max(1, source.count)), seen(session)
    try:
        session.correct(source.place.named_key, target.place.named_key, source.piece.key, count, "miscounted")
    except TableError:
        assert seen(session) == before, "a refused correction changed something"


def _amends(trial: Trial) -> None:
    """Another legal answer to any earlier question either fits all that came later or changes nothing."""
    session = trial.session
    answered = [step for step in session.steps if isinstance(step, Answered)]
    if not answered:
        return
    event = trial.rng.choice(answered).n
    seat, given = trial.another(event)
    before, n = seen(session), session.n
    try:
        session.amend(event, given, seat)
    except Misfit:
        assert seen(session) == before, "a refused amendment changed something"
        session.amend(event, given, seat, go_back=True, past_reveal=True)
    assert session.n == n + 1, "an amendment must use up a number"
