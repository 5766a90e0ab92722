"""Tracks that all players share; a full track may end the match, and win or lose it for everybody."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.any_game.state import FeatureState, MenuAction, TemplateState
from companion.games.any_game.template import Template, label_of, limit_errors, number_on, word_on
from companion.rulebook import (
    CardDesign,
    Choose,
    CountCell,
    DetailedOption,
    Labelled,
    Piece,
    ProgressTrack,
    Say,
    Table,
    say,
    say_list,
)

TRACKS = say("tracks")
MOVE_STEPS = (1, 2, 3, -1)
"""How far a track can move with one choice."""


def marker_of(design: CardDesign) -> Piece:
    """The marker on a track."""
    return Piece(design.id, label_of(design), is_endless=True, is_marker=True)


class SharedTrack:
    """A marker on a track with `goal` steps. `ends` says what follows at the goal: won, lost or nothing."""

    def __init__(self, table: Table, design: CardDesign) -> None:
        self.key, self.label = design.id, label_of(design)
        self.goal, self.ends = number_on(design, "goal"), word_on(design, "ends", "nothing")
        self._marker = table.account(marker_of(design), TRACKS)
        table.supply(self._marker, min(number_on(design, "at"), self.goal))
        self._table = table

    @property
    def step(self) -> int:
        """The step of the marker."""
        return self._marker.count

    @property
    def is_full(self) -> bool:
        """True if the marker stands at the goal."""
        return self.step >= self.goal

    def step_after(self, steps: int) -> int:
        """The step after moving on or back; the marker stops at the ends of the track."""
        return max(0, min(self.goal, self.step + steps))

    def move(self, steps: int) -> None:
        """Moves the marker on or back, between the ends of the track."""
        to = self.step_after(steps)
        if to > self.step:
            self._table.add_markers(self._marker, to - self.step)
        else:
            self._table.remove_markers(self._marker, self.step - to)


class Tracks(FeatureState):
    """All tracks of the template."""

    def __init__(self, state: TemplateState) -> None:
        self.tracks = [SharedTrack(state.table, one) for one in state.template.designs("track")]

    def defeat_reason(self) -> Say | None:
        """Why everybody has lost: a losing track is full, or no winning track is. None if nobody has."""
        lost = [one.label for one in self.tracks if one.ends == "lost" and one.is_full]
        aims = [one for one in self.tracks if one.ends == "won"]
        if lost:
            return say("lost: {track}", track=say_list(lost))
        if aims and not any(one.is_full for one in aims):
            return say("not reached: {track}", track=say_list([one.label for one in aims]))
        return None

    def reason_to_finish(self) -> Say | None:
        """The sentence about a full track that ends the match; None if there is none."""
        for track in self.tracks:
            if track.is_full and track.ends != "nothing":
                return say("The track “{track}” has reached its end.", track=track.label)
        return None


async def move_track(state: TemplateState) -> None:
    """Asks which track moves, and how far."""
    tracks = {one.key: one for one in Tracks.of(state).tracks}
    options: dict[str, Labelled] = {
        f"{one.key} {steps:+}": DetailedOption(
            say("{track} {steps}", track=one.label, steps=f"{steps:+}"),
            note=_stop_note(one, steps),
            group=one.label,
        )
        for one in tracks.values()
        for steps in MOVE_STEPS
    }
    key, _, steps = (await Choose(None, say("Which track moves?"), options)).rpartition(" ")
    track = tracks[key]
    track.move(int(steps))
    state.table.add_note(
        say("{track}: step {step} of {goal}.", track=track.label, step=track.step, goal=track.goal)
    )


def _stop_note(track: SharedTrack, steps: int) -> Say | None:
    """The step where the track stops, if that is sooner."""
    to = track.step_after(steps)
    return None if to == track.step + steps else say("to {n}", n=to)


def errors(template: Template) -> Iterator[Say]:
    """Tracks that begin beyond their goal, or at a goal that ends the match."""
    for one in template.designs("track"):
        ends = word_on(one, "ends", "nothing") != "nothing"
        yield from limit_errors(one, "at", number_on(one, "goal") - ends, "goal")


def scene_parts(template: Template) -> Iterator[ProgressTrack]:
    """Each track with its marker."""
    for one in template.designs("track"):
        yield ProgressTrack(label_of(one), CountCell(marker_of(one), TRACKS), number_on(one, "goal"))


MENU = (MenuAction("track", say("Move a track"), move_track, lambda state: bool(Tracks.of(state).tracks)),)
HELP = {
    "Which track moves?": say(
        "All players share the tracks. At the end of some tracks, everybody wins or everybody loses."
    ),
}
