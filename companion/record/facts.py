"""What is told of a game besides its course: when, how long, which template, who started, if it counts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from companion.clocks import SECOND, timed
from companion.log.dates import Played
from companion.log.events import Event, Reopened
from companion.record import register
from companion.record.when import play_time, when
from companion.rules.game import ChosenPreset
from companion.session.session import Session
from companion.store import Store
from companion.table.seats import Seat
from companion.texts import Say, say

REOPENED = say("This game was reopened after it had been put away.")
LEFT_OUT = say("This game doesn't count in the statistics.")


class Facts(msgspec.Struct, frozen=True):
    """`played` says when, `seconds` how long people played; `starter` is who started, if the rules tell it.

    `preset` is the one that was played, where the game has presets. `counts`: it is in the statistics.
    `reopened`: how often it was taken up again after it had been put away.
    """

    played: Played = Played()
    seconds: float = 0.0
    starter: Seat | None = None
    preset: ChosenPreset | None = None
    counts: bool = True
    reopened: int = 0

    @property
    def told(self) -> Iterator[Say]:
        """A sentence each."""
        if self.preset is not None:
            yield say("Template: {template}", template=self.preset.title)
        yield when(self.played)
        if round(self.seconds):
            yield say("Playing time: {time}", time=play_time(self.seconds))
        if self.starter is not None:
            yield say("Start player: {seat}", seat=self.starter)
        if self.reopened:
            yield REOPENED
        if not self.counts:
            yield LEFT_OUT


NO_FACTS = Facts()
"""Of a game that is kept nowhere."""


def kept_facts(store: Store, number: int) -> Facts:
    """What the store knows of a saved game without its rules."""
    return Facts(
        store.played(number),
        store.lasted(number),
        counts=register.counts(store, number),
        reopened=store.reopened(number),
    )


def with_rules(facts: Facts, session: Session, events: Sequence[Event]) -> Facts:
    """Returns the facts completed with what a session and its log tell."""
    return msgspec.structs.replace(
        facts,
        seconds=timed(events).now / SECOND,
        starter=session.table.start_player,
        preset=session.game.chosen_preset(session.table.options),
        reopened=sum(isinstance(event, Reopened) for event in events),
    )
