"""Tracks that all players share; a full track may end the match, and win or lose it for everybody."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.any_game.state import FeatureState, MenuAction, TemplateState
from companion.games.any_game.template import (
    Template,
    design_label,
    find_limit_errors,
    read_number,
    read_word,
)
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
TRACK_MOVE_STEPS = (1, 2, 3, -1)
"""Numbers of steps that a track can move with one choice."""


def make_track_marker(design: CardDesign) -> Piece:
    """Returns the marker of a track."""
    return Piece(design.id, design_label(design), is_endless=True, is_marker=True)


class SharedTrack:
    """A track of all players, with one marker and `goal` steps.

    `ends` says what follows at the goal: won, lost or nothing.
    """

    def __init__(self, table: Table, design: CardDesign) -> None:
        self.key, self.label = design.id, design_label(design)
        self.goal, self.ends = read_number(design, "goal"), read_word(design, "ends", "nothing")
        self._marker = table.account(make_track_marker(design), TRACKS)
        table.supply_from_box(self._marker, min(read_number(design, "at"), self.goal))
        self._table = table

    @property
    def step(self) -> int:
        """The step on which the marker is now."""
        return self._marker.count

    @property
    def is_at_goal(self) -> bool:
        """True if the marker is at the goal."""
        return self.step >= self.goal

    def step_after_move(self, steps: int) -> int:
        """Returns the step after a move on or back; the marker stops at the ends of the track."""
        return max(0, min(self.goal, self.step + steps))

    def move_marker(self, steps: int) -> None:
        """Moves the marker on or back; it stops at the ends of the track."""
        to = self.step_after_move(steps)
        if to > self.step:
            self._table.add_markers(self._marker, to - self.step)
        else:
            self._table.remove_markers(self._marker, self.step - to)


class Tracks(FeatureState):
    """All tracks of the template."""

    def __init__(self, state: TemplateState) -> None:
        self.tracks = [SharedTrack(state.table, one) for one in state.template.designs_of_kind("track")]

    def defeat_reason(self) -> Say | None:
        """Returns why everybody has lost; None if nobody has.

        A losing track is full, or no winning track is.
        """
        lost = [one.label for one in self.tracks if one.ends == "lost" and one.is_at_goal]
        aims = [one for one in self.tracks if one.ends == "won"]
        if lost:
            return say("lost: {track}", track=say_list(lost))
        if aims and not any(one.is_at_goal for one in aims):
            return say("not reached: {track}", track=say_list([one.label for one in aims]))
        return None

    def reason_to_finish(self) -> Say | None:
        """Returns the sentence about a full track that ends the match; None if there is none."""
        for track in self.tracks:
            if track.is_at_goal and track.ends != "nothing":
                return say("The track “{track}” has reached its end.", track=track.label)
        return None


async def ask_and_move_track(state: TemplateState) -> None:
    """Asks which track moves and how far, and moves it."""
    tracks = {one.key: one for one in Tracks.of(state).tracks}
    options: dict[str, Labelled] = {
        f"{one.key} {steps:+}": DetailedOption(
            say("{track} {steps}", track=one.label, steps=f"{steps:+}"),
            note=_stop_note(one, steps),
            group=one.label,
        )
        for one in tracks.values()
        for steps in TRACK_MOVE_STEPS
    }
    key, _, steps = (await Choose(None, say("Which track moves?"), options)).rpartition(" ")
    track = tracks[key]
    track.move_marker(int(steps))
    state.table.add_note(
        say("{track}: step {step} of {goal}.", track=track.label, step=track.step, goal=track.goal)
    )


def _stop_note(track: SharedTrack, steps: int) -> Say | None:
    """The step where the track stops, if that is sooner."""
    to = track.step_after_move(steps)
    return None if to == track.step + steps else say("to {n}", n=to)


def find_track_errors(template: Template) -> Iterator[Say]:
    """Yields errors of tracks.

    Errors are tracks that begin beyond their goal, or at a goal that ends the match.
    """
    for one in template.designs_of_kind("track"):
        ends = read_word(one, "ends", "nothing") != "nothing"
        yield from find_limit_errors(one, "at", read_number(one, "goal") - ends, "goal")


def build_progress_tracks(template: Template) -> Iterator[ProgressTrack]:
    """Yields each track with its marker."""
    for one in template.designs_of_kind("track"):
        yield ProgressTrack(
            design_label(one), CountCell(make_track_marker(one), TRACKS), read_number(one, "goal")
        )


MENU = (
    MenuAction("track", say("Move a track"), ask_and_move_track, lambda state: bool(Tracks.of(state).tracks)),
)
HELP = {
    "Which track moves?": say(
        "All players share the tracks. At the end of some tracks, everybody wins or everybody loses."
    ),
}
