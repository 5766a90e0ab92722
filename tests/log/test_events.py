"""What happened in a game, and which of it is in force."""

import hashlib

import msgspec
import pytest

from companion.cards import shipped_deck
from companion.errors import UserError
from companion.log.events import (
    Amended,
    Answered,
    Began,
    Corrected,
    Event,
    PutAway,
    Redone,
    Reopened,
    Sealed,
    Undone,
)
from companion.log.log import MemoryLog, SealedDraft
from companion.log.timeline import build_timeline

BEGAN = Began("egypt", 1, ("Aki",), ("sky",), {"pay_rule": "own_bid"}, {"egypt": shipped_deck("egypt")}, 7)


def answered(n: int, answer: object = "yes") -> Answered:
    """Question n was answered."""
    return Answered(n, f"Done: {n}", answer, "screen", 1.5)


def corrected(n: int) -> Corrected:
    """A card was moved while question n was open."""
    return Corrected(n, "@1/hand", "bank", "card", 1, "miscounted", 2.0)


ONE, TWO, THREE = answered(1), answered(2), answered(3)

ANEW = msgspec.structs.replace(answered(5), rest=1)
LATER = msgspec.structs.replace(corrected(5), rest=2)


@pytest.mark.parametrize(
    ("events", "steps", "undone", "n"),
    [
        ([], [], [], 1),
        ([ONE, TWO], [ONE, TWO], [], 3),
        ([ONE, TWO, Undone(3)], [ONE], [TWO], 4),
        ([ONE, TWO, Undone(3), Undone(4)], [], [TWO, ONE], 5),
        ([ONE, TWO, Undone(3), Undone(4), Redone(5)], [ONE], [TWO], 6),
        ([ONE, TWO, Undone(3), answered(4)], [ONE, answered(4)], [], 5),
        ([ONE, corrected(2)], [ONE, corrected(2)], [], 2),
        ([ONE, Undone(2), corrected(3)], [corrected(3)], [], 3),
        ([ONE, corrected(2), Undone(2)], [ONE], [corrected(2)], 3),
        ([ONE, TWO, THREE, Amended(4, 1, 5, 2)], [answered(1, 5), TWO, THREE], [], 5),
        ([ONE, TWO, THREE, Amended(4, 1, 5, 0)], [answered(1, 5)], [THREE, TWO], 5),
        ([ONE, TWO, THREE, Amended(4, 1, 5, 0), Redone(5)], [answered(1, 5), TWO], [THREE], 6),
        ([ONE, TWO, Undone(3), Amended(4, 1, 5, 0)], [answered(1, 5)], [], 5),
        ([ONE, TWO, THREE, Undone(4, 2), Redone(5, 0.0, 2)], [ONE, TWO, THREE], [], 6),
        ([ONE, TWO, THREE, Undone(4, 3), Redone(5, 0.0, 1, 1)], [TWO], [THREE], 6),
        ([ONE, TWO, THREE, Amended(4, 1, 5, 0), ANEW], [answered(1, 5), ANEW], [THREE], 6),
        ([ONE, TWO, THREE, Amended(4, 1, 5, 0), LATER], [answered(1, 5), LATER], [THREE, TWO], 5),
        (
            [ONE, TWO, THREE, Amended(4, 2, 5, 0), Amended(5, 1, 6, 0, 0.0, 1)],
            [answered(1, 6)],
            [THREE, answered(2, 5)],
            6,
        ),
        ([ONE, PutAway(2, None)], [ONE], [], 2),
        ([ONE, PutAway(2, None), Reopened(2)], [ONE], [], 3),
        ([ONE, TWO, Undone(3), PutAway(4, None), Reopened(4), Redone(5)], [ONE, TWO], [], 6),
        ([ONE, PutAway(2, None), Reopened(2), PutAway(3, None)], [ONE], [], 3),
    ],
)
def test_what_is_in_force(events: list[Event], steps: object, undone: object, n: int) -> None:
    """Undo and redo move the last thing; anything new ends redo; numbers only go up."""
    timeline = build_timeline([BEGAN, *events])
    assert (timeline.steps, timeline.redoable_steps, timeline.question_number) == (steps, undone, n)
    assert timeline.is_put_away is any(isinstance(event, PutAway) for event in events[-1:])


@pytest.mark.parametrize(
    ("events", "mends"),
    [
        ([ONE, TWO, Undone(3)], False),
        ([ONE, TWO, Amended(3, 1, 5, 1)], False),
        ([ONE, TWO, Amended(3, 1, 5, 0)], True),
        ([ONE, TWO, Amended(3, 1, 5, 0), Redone(4)], False),
        ([ONE, TWO, Amended(3, 1, 5, 0), answered(4)], False),
        ([ONE, TWO, Amended(3, 1, 5, 0), answered(4), Undone(5)], False),
        ([ONE, TWO, Amended(3, 1, 5, 0), Undone(4)], True),
        ([ONE, TWO, Undone(3), Amended(4, 1, 5, 0)], False),
    ],
)
def test_what_an_amendment_took_back_waits(events: list[Event], mends: bool) -> None:
    """As long as there is some of it; what was only undone doesn't."""
    assert build_timeline([BEGAN, *events]).continues_amendment is mends


@pytest.mark.parametrize(
    "event",
    [
        Redone(4, 0.0, 0), Redone(4, 0.0, 3), Redone(4, 0.0, 1, 2), Redone(4, 0.0, 1, -1),
        msgspec.structs.replace(answered(4), rest=3), msgspec.structs.replace(answered(4), rest=-1),
    ],
)  # fmt: skip  # a table
def test_more_than_there_is_can_not_be_redone(event: Event) -> None:
    """Nor left out, nor left to be redone."""
    timeline = build_timeline([BEGAN, ONE, TWO, Undone(3, 2)])
    timeline.require_possible_next_event(Redone(4, 0.0, 2))
    timeline.require_possible_next_event(Redone(4, 0.0, 1, 1))
    with pytest.raises(UserError):
        timeline.require_possible_next_event(event)


def test_the_last_seal_counts() -> None:
    """A seat's commitment is replaced by its next, and all are gone with the question or the game."""
    seals: list[Event] = [Sealed(1, 1, "aa"), Sealed(1, 2, "bb"), Sealed(1, 1, "cc")]
    assert build_timeline(seals).commitment_by_seat == {1: "cc", 2: "bb"}
    assert build_timeline([*seals, corrected(1)]).commitment_by_seat == {1: "cc", 2: "bb"}
    assert (
        build_timeline([*seals, ONE]).commitment_by_seat
        == build_timeline([*seals, PutAway(1, None)]).commitment_by_seat
        == {}
    )


def test_a_game_is_reopened_only_after_it_was_put_away() -> None:
    """And after it was put away nothing else can happen."""
    open_game, over = build_timeline([BEGAN, ONE]), build_timeline([BEGAN, ONE, PutAway(2, None)])
    over.require_possible_next_event(Reopened(2))
    for timeline, event in ((open_game, Reopened(2)), (over, answered(2)), (over, PutAway(2, None))):
        with pytest.raises(UserError, match="put away before this"):
            timeline.require_possible_next_event(event)


@pytest.mark.parametrize("event", [2, 4, 0])
def test_only_answers_in_force_can_be_amended(event: int) -> None:
    """What was undone, never asked, or is a correction is no answer in force."""
    timeline = build_timeline([ONE, corrected(2), TWO, Undone(3)])
    assert timeline.answer_to_question(1) == ONE
    with pytest.raises(UserError, match=f"Answer {event} can't be changed"):
        timeline.answer_to_question(event)


def test_every_event_can_be_kept_as_json() -> None:
    """What is written is read as the same event."""
    events: list[Event] = [
        BEGAN,
        Answered(1, "Together @1: Bid", {"1": 4}, "screen", 1.5, {"1": "salt"}),
        Sealed(2, 1, "aa" * 32),
        corrected(2),
        *(Undone(2), Redone(3), Amended(4, 1, [{"values": {"number": 6}}], 0)),
        PutAway(5, {"winners": ["Aki"], "standings": []}),
        Reopened(5),
    ]
    assert msgspec.json.decode(msgspec.json.encode(events), type=list[Event]) == events


def test_a_commitment_binds() -> None:
    """It is the SHA-256 of salt, seat, number and value, and any other of these gives another."""
    draft = SealedDraft(7, 2, {"b": 1, "a": "é"}, "5a17")
    assert draft.commitment == hashlib.sha256(b'5a17:2:7:{"a":"\\u00e9","b":1}').hexdigest()
    others = [
        SealedDraft(8, 2, draft.answer, "5a17"),
        SealedDraft(7, 1, draft.answer, "5a17"),
        SealedDraft(7, 2, {"a": "é", "b": 2}, "5a17"),
        SealedDraft(7, 2, draft.answer, "5a18"),
    ]
    assert len({other.commitment for other in [draft, *others]}) == 5


def test_memory_keeps_a_game_for_a_while() -> None:
    """Events and drafts are kept in order; erased drafts are gone."""
    log = MemoryLog([BEGAN])
    log.append(ONE)
    first, second = SealedDraft(2, 1, 4, "a"), SealedDraft(2, 2, 5, "b")
    log.add_draft(first)
    log.add_draft(second)
    assert list(log) == [BEGAN, ONE]
    assert log.drafts() == [first, second]
    log.delete_drafts(drafts_to_keep=[second])
    assert log.drafts() == [second]
    log.delete_drafts()
    assert log.drafts() == []
