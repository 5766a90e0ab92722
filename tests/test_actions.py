"""The table of actions: what it offers can be done, and each front end reads it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion import installed_games, logtext
from companion.actions import (
    ACTIONS,
    ENVELOPES_CONFIRMATION,
    LATER_ANSWERS_CONFIRMATION,
    REVEAL_CONFIRMATION,
    UNFINISHED_CONFIRMATION,
    UNUSUAL_NUMBER_CONFIRMATION,
    NeedsConfirmation,
    SessionAndStore,
    TableAction,
    offered_actions,
)
from companion.clocks import parse_clocks
from companion.errors import IllegalAnswer, UserError, WouldUndoReveal
from companion.games.egypt.rulebook import GAME as EGYPT
from companion.games.sealed_bid.rulebook import GAME as SEALED
from companion.log.events import Began
from companion.log.log import MemoryLog
from companion.requests.fields import (
    CardsField,
    ConfirmField,
    Field,
    NumberField,
    OptionField,
    QuantitiesField,
)
from companion.session.session import Session
from companion.testing import Script
from companion.texts import render

GOLDEN = sorted((Path(__file__).parent / "golden").glob("*-3.log"))
MOMENTS = 3


def opened(path: Path, share: float) -> Session:
    """A golden match as it stood after a share of its events."""
    events = logtext.parse_log_text(path.read_text(encoding="utf-8"))
    log = MemoryLog(events[: max(1, round(len(events) * share))])
    assert isinstance(events[0], Began)
    return Session(installed_games.playable_game(events[0].game), list(log), log, clock=lambda: 0.0)


def moments(path: Path) -> Iterator[SessionAndStore]:
    """The match from its beginning to its end, with clocks, without somebody, and put away."""
    for at in range(MOMENTS + 1):
        yield SessionAndStore(opened(path, at / MOMENTS))
    clocked, left, over = (opened(path, 0.5) for _ in range(3))
    clocked.set_clock_settings(parse_clocks("turn=60 ring"))
    left.mark_player_absent(left.table.seats[0])
    over.put_away()
    yield from map(SessionAndStore, (clocked, left, over))


def sample(field: Field, rng: Random) -> Any:
    """Something that can be entered there, legal or not."""
    found: Any = "Zoe"
    match field:
        case NumberField(values=values, least=least):
            found = rng.choice(values or (least, least + 1, least + 2))
        case OptionField(options=options):
            found = rng.choice([*options, "@9"])
        case ConfirmField(answer=answer):
            found = answer
        case QuantitiesField(numbers=parts):
            found = {part.key: rng.randint(0, 2) for part in parts}
        case CardsField():
            found = [{"values": {}}]
    return found


def entered(action: TableAction, game: SessionAndStore, rng: Random) -> dict[str, Any]:
    """A value for each parameter that the action asks for."""
    given: dict[str, Any] = {}
    while found := action.next_missing_parameter(game, given):
        parameter, form = found
        values = [sample(field, rng) for field in form.fields]
        given[parameter.key] = form.answer_from_values(values) if values else None
    return given


def is_done(action: TableAction, game: SessionAndStore, rng: Random) -> bool:
    """Does it with anything that can be entered, and confirms whatever is asked; False if it was refused."""
    confirmed: set[str] = set()
    given = entered(action, game, rng)
    while True:
        before = game.current_session.change_count
        try:
            action.run(game, given, confirmed)
        except NeedsConfirmation as asked:
            key = asked.key
        except UserError as refused:
            return not render(refused.text)
        else:
            return True
        assert key in {*action.confirmations} - confirmed
        assert game.current_session.change_count == before
        confirmed.add(key)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_what_is_offered_can_be_done_or_says_why_not(path: Path) -> None:
    """At any moment each action asks for what it needs; before a confirmation nothing has changed."""
    rng, done = Random(path.stem), set[str]()
    for game in moments(path):
        for action in (*ACTIONS.values(), *ACTIONS.values()):
            if action.is_offered(game) and is_done(action, game, rng):
                done.add(action.key)
    assert done >= {"undo", "back", "redo", "rename", "leave", "put_away", "reopen"}


@pytest.mark.sweep(2)
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: path.stem)
def test_what_is_not_offered_changes_nothing(path: Path) -> None:
    """It is refused, or leaves the game as it was."""
    rng = Random(path.stem)
    for game in moments(path):
        known, before = offered_actions(game), game.current_session.change_count
        for action in ACTIONS.values():
            if action not in known:
                with suppress(UserError):
                    is_done(action, game, rng)
        assert game.current_session.change_count == before


# What is confirmed


def test_a_reveal_is_undone_only_after_it_was_confirmed() -> None:
    """Envelopes that are in already come first; each question has its words for a button and a sentence."""
    script = Script(SEALED, "Aki", "Ben").says("Aki 3", "Ben 4", "table: again", "Aki 1")
    game = SessionAndStore(script.session)
    with pytest.raises(NeedsConfirmation, match="1 sealed answer will be torn up") as asked:
        ACTIONS["undo"].run(game, {}, ())
    assert (asked.value.key, render(asked.value.confirm_text)) == (ENVELOPES_CONFIRMATION, "Tear up")
    ACTIONS["undo"].run(game, {}, {ENVELOPES_CONFIRMATION})
    with pytest.raises(NeedsConfirmation, match="Everybody has seen the answers") as asked:
        ACTIONS["undo"].run(game, {}, ())
    assert isinstance(asked.value.session_error_or_self, WouldUndoReveal)
    outcome = ACTIONS["undo"].run(game, {}, {REVEAL_CONFIRMATION})
    assert [render(text) for text in outcome.undone_texts] == ["Aki: 3, Ben: 4"]


@pytest.mark.parametrize(
    ("key", "given", "before"),
    [
        ("put_away", {}, {UNFINISHED_CONFIRMATION}),
        (
            "correct",
            {
                "from": "Ben/purse",
                "to": "Aki/purse",
                "piece": "money",
                "count": 1,
                "reason": "found",
                "again": True,
            },
            set(),
        ),
    ],
)
def test_sealed_answers_are_deleted_only_after_people_agreed(key: str, given: Any, before: set[str]) -> None:
    """To end the game early and to ask again both delete what is in envelopes."""
    script = Script(SEALED, "Aki", "Ben", options={"start": "10"})
    game = SessionAndStore(script.says("Aki 3", "Ben 4", "table: again", "Aki 1").session)
    with pytest.raises(NeedsConfirmation, match="1 sealed answer will be torn up") as asked:
        ACTIONS[key].run(game, given, before)
    assert asked.value.key == ENVELOPES_CONFIRMATION
    assert len(game.current_session.drafts) == 1
    ACTIONS[key].run(game, given, {*before, ENVELOPES_CONFIRMATION})
    assert not game.current_session.drafts


def test_an_amendment_that_breaks_something_later_asks_before_it_goes_back() -> None:
    """The answer that no longer fits is the reason; one that doesn't fit itself is refused at once."""
    script = Script(EGYPT, "Aki", "Ben", "Chie").says("table: Aki", "table: done", "Aki 3", "Ben 4")
    game = SessionAndStore(script.session)
    with pytest.raises(NeedsConfirmation, match="is no longer possible") as asked:
        ACTIONS["amend"].run(game, {"event": 3, "answer": 6}, ())
    assert asked.value.key == LATER_ANSWERS_CONFIRMATION
    with pytest.raises(IllegalAnswer):
        ACTIONS["amend"].run(game, {"event": 3, "answer": 0}, {LATER_ANSWERS_CONFIRMATION})
    outcome = ACTIONS["amend"].run(game, {"event": 3, "answer": 6}, {LATER_ANSWERS_CONFIRMATION})
    assert outcome.amended_answer_text is not None
    assert render(outcome.amended_answer_text) == "Aki bids 6 for daughter 4."


def test_a_game_is_ended_before_its_end_only_after_it_was_confirmed() -> None:
    """The score so far comes back; a game that is over is put away at once."""
    game = SessionAndStore(Script(SEALED, "Aki", "Ben").says("Aki 3", "Ben 4").session)
    with pytest.raises(NeedsConfirmation) as asked:
        ACTIONS["put_away"].run(game, {}, ())
    assert asked.value.key == UNFINISHED_CONFIRMATION
    assert not game.current_session.is_put_away
    outcome = ACTIONS["put_away"].run(game, {}, {UNFINISHED_CONFIRMATION})
    assert outcome.ended_early
    assert outcome.score is not None
    with pytest.raises(UserError, match="put away"):
        ACTIONS["put_away"].run(game, {}, ())


@pytest.mark.parametrize(
    ("action", "values"),
    [
        ("pay", {"from": "bank", "to": "Aki", "amount": 150_000}),
        ("correct", {"from": "bank", "to": "Aki/purse", "piece": "coin", "count": 150_000, "reason": ""}),
    ],
)
def test_an_unusually_large_number_is_moved_only_after_it_was_confirmed(
    action: str, values: dict[str, Any]
) -> None:
    """As an answer is; a usual number is moved at once, and so is a large one among others like it."""
    session = Session.begin(
        installed_games.playable_game("any_game"), ["Aki", "Ben"], {"template": "plain"}, MemoryLog(), seed=1
    )
    game, ledger = SessionAndStore(session), session.table.ledger
    source, target = (ledger.find_account_by_keys(place, "coin") for place in ("bank", "Aki/purse"))
    before = target.count
    with pytest.raises(NeedsConfirmation) as asked:
        ACTIONS[action].run(game, values, ())
    assert asked.value.key == UNUSUAL_NUMBER_CONFIRMATION
    assert render(asked.value.text) == "150000 is an unusual number here. Is it right?"
    assert source.can_go_below_zero
    assert session.table.ledger.find_account_by_keys("Aki/purse", "coin").count == before
    ACTIONS[action].run(game, values, {UNUSUAL_NUMBER_CONFIRMATION})
    ACTIONS[action].run(game, values, ())
    assert session.table.ledger.find_account_by_keys("Aki/purse", "coin").count == before + 300_000


def test_a_sealed_answer_is_amended_with_the_form_of_its_own_question() -> None:
    """Whose it is can be chosen; the answer then is entered as it was in that round."""
    session = Script(SEALED, "Aki", "Ben", options={"most": "9"}).says("Aki 3", "Ben 4").session
    game, amend = SessionAndStore(session), ACTIONS["amend"]
    event, seat, answer = amend.parameters
    chosen = seat.form_if_needed(game, {"event": 1})
    assert chosen is not None
    assert isinstance(chosen.single_field, OptionField)
    assert list(chosen.single_field.options) == ["@1", "@2"]
    form = answer.form_if_needed(game, {"event": 1, "seat": "@2"})
    assert form is not None
    assert isinstance(form.single_field, NumberField)
    assert form.single_field.most == 9
    assert event.form_if_needed(game, {}) is not None
