"""What a stranger could observe of a game at one moment, and by what two games can be told apart.

Who shows or writes a game elsewhere has more sights: what it wrote, what its widgets say, its pixels.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import msgspec

from companion.log.events import Event, Sealed
from companion.log.seals import letters
from companion.scenes.evaluate import evaluate_scene
from companion.session.session import Session
from companion.session.view import View, history, view
from companion.table.seats import Seat
from companion.testing.trial import asked, still
from companion.words import render

Look = Callable[[Session, Seat | None], View]


class Sight(NamedTuple):
    """What could be observed at one moment, by name, and the commitments that are in it."""

    sights: dict[str, bytes]
    commitments: frozenset[str] = frozenset()


def moment(session: Session, log: Iterable[Event] = (), look: Look = view, but: Iterable[Seat] = ()) -> Sight:
    """All that can be observed of a session now, `but` what these seats may see of their own.

    The commitments are taken from the `log`.
    """
    eyes = [None, *(seat for seat in session.table.seats if seat not in set(but))]
    views = {f"view of {seat.name if seat else 'all'}": look(session, seat) for seat in eyes}
    everybody = views["view of all"]
    sights = {
        "question": asked(session.question),
        "heading": repr(everybody.heading and render(everybody.heading)),
        "notes": repr([render(note) for note in everybody.notes]),
        "where": session.where(),
        "history": repr([render(entry.text) for entry in history(session)]),
    }
    found = {name: sight.encode() for name, sight in sights.items()}
    found |= {name: msgspec.json.encode(still(seen)) + _laid(session, seen) for name, seen in views.items()}
    return Sight(found, frozenset(event.commitment for event in log if isinstance(event, Sealed)))


def _laid(session: Session, seen: View) -> bytes:
    """The table as its scene shows it to the same eyes."""
    return repr(evaluate_scene(seen, session.scene)).encode()


def differing(one: Sequence[Sight], other: Sequence[Sight]) -> list[str]:
    """What a stranger could tell the twins apart by: `moment 3: view of Aki`; nothing, if all is well."""
    found = [] if len(one) == len(other) else ["the number of moments"]
    for at, (mine, yours) in enumerate(zip(one, other, strict=False)):
        found += [f"moment {at}: {name}" for name in apart(mine, yours)]
    return found


def apart(one: Sight, other: Sight) -> list[str]:
    """The sights by which two moments can be told apart."""
    names = dict.fromkeys([*one.sights, *other.sights])
    return [name for name in names if _masked(one, name) != _masked(other, name)]


def _masked(moment: Sight, name: str) -> bytes:
    """A sight without its commitments, and without the letters of them that an envelope shows."""
    sight = moment.sights.get(name, b"there is no such sight")
    for commitment in moment.commitments:
        sight = sight.replace(commitment.encode(), b"#" * 64)
        sight = sight.replace(letters(commitment).encode(), b"#### #### ####")
    return sight
