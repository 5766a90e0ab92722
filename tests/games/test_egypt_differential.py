"""Egypt beside a second Egypt of another make: same answers in, same questions, refusals and standings out.

Where the two differ the rules decide which one is wrong.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from companion.errors import UserError
from companion.games.egypt.rulebook import GAME
from companion.log.log import MemoryLog
from companion.requests import Choose, Raise, Read
from companion.session.session import Session
from tests.support import reference_egypt as second
from tests.support.games.egypt_helpers import NAMES, hand_sizes
from tests.support.reference_egypt_play import random_answer
from tests.support.soak import SOAK

MATCHES = 1_000 if SOAK else 40
WRONG_A_QUESTION = 3


def asked(session: Session) -> tuple[str, int | None, int | str]:
    """Kind, seat and subject of the open question, as the second Egypt names them."""
    question = session.question
    assert question is not None
    seat = question.seats[0].number if question.seats else None
    match question:
        case Raise():
            return "Raise", seat, int(question.about.key.removeprefix("chip "))
        case Read():
            return "Read", seat, int(question.log_key.rsplit(" ", 1)[1])
        case Choose():
            return "Choose", seat, CHOICES[", ".join(question.options).lstrip("12345, ")]
    return question.kind, seat, "deal"


CHOICES = {"": "first leader", "take_back, leave": "overpaid", "end_round, play_on": "end round"}


def refused(session: Session, answer: object) -> bool:
    """Whether the open question refuses an answer."""
    question = session.question
    assert question is not None
    try:
        question.check_answer(question.parse_answer(answer))
    except UserError:
        return True
    return False


def any_answer(state: second.State, rng: random.Random) -> object:
    """An answer of the right kind or of any other, near the edge of what is legal."""
    question = second.open_question(state)
    assert question is not None
    wild: list[object] = [None, True, False, 0, -1, "1", 4.0, [], [4], {"values": {}}, "leave", "play_on"]
    match question.kind:
        case "Raise":
            return rng.choice([*wild, max(state.bids) + rng.randint(-2, 2), 99, 100, 101])
        case "Read":
            return rng.choice([*wild[:3], *[any_payment(state, rng) for _ in range(9)]])
    return rng.choice([*wild, *question.options, "9"])


def any_payment(state: second.State, rng: random.Random) -> list[dict[str, object]]:
    """Some cards of each kind, some of which may have been paid, come twice, or not exist."""
    chip, owed, hand = state.market[0], second.owed(state), state.hands[state.due[0] - 1]
    own = rng.randint(0, rng.choice([1, 3, chip + 1]))
    others = max(0, min(owed, hand) - 2 * own + rng.randint(-1, 2))
    named = rng.choices([*second.NAMES, *state.read, f"{chip}.1", f"{chip}.{chip + 1}", "3.1"], k=2)
    cards: list[dict[str, object]] = [{"values": {"number": chip}} for _ in range(own)]
    cards += [{"values": {}} for _ in range(others)]
    cards += [{"card": name} for name in named[: rng.choice([0, 0, 1, 2])]]
    rng.shuffle(cards)
    return cards


def play_both(seed: int, seen: Counter[str]) -> None:
    """One match of both; every question is first given answers that may be wrong."""
    rng = random.Random(seed)
    names, rule = NAMES[: 3 + seed % 3], second.PAY_RULES[seed // 3 % 2]
    session = Session.begin(GAME, names, {"pay_rule": rule}, MemoryLog(), seed=seed)
    state = second.begin(len(names), {"pay_rule": rule})
    while (question := second.open_question(state)) is not None:
        assert asked(session) == question[:3]
        for wrong in [any_answer(state, rng) for _ in range(WRONG_A_QUESTION)]:
            why = second.refusal_reason(state, wrong)
            assert refused(session, wrong) == (why is not None), (seed, question, wrong, why)
            seen[f"{question.kind} {'refused' if why else 'taken'}"] += 1
        if question.subject != "overpaid":
            assert hand_sizes(session) == list(state.hands)
        answer = random_answer(state, rng)
        session.answer(session.question_number, answer)
        state = second.apply_answer(state, answer)
        subject = question.subject if isinstance(question.subject, str) else ""
        seen[f"{question.kind} {subject} {answer is None}"] += 1
    assert standings(session) == list(second.standings(state))


def standings(session: Session) -> list[second.Standing]:
    """The result as the second Egypt writes it."""
    assert session.result is not None
    return [
        second.Standing(row.seat.number, row.rank, row.total, tuple(line.value for line in row.lines))  # type: ignore[arg-type]  # four lines
        for row in session.result.standings
    ]


@pytest.mark.without_coverage
@pytest.mark.sweep(3)
@pytest.mark.parametrize("worker", range(10))
def test_both_play_the_same_matches(worker: int) -> None:
    """Over many random matches both ask, refuse, hold and rank the same."""
    seen: Counter[str] = Counter()
    for seed in range(worker, MATCHES, 10):
        play_both(seed, seen)
    for kind in ("Choose", "Raise", "Read", "Done"):
        assert seen[f"{kind} refused"], kind
        assert seen[f"{kind} taken"], kind
    assert seen["Choose overpaid False"]
    assert seen["Choose end round False"]
    assert seen["Read  True"]
