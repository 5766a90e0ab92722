"""Tracks that all players share; a full track may end the match, and win or lose it for everybody."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.any_game.state import POINTS_GROUP, FeatureState, MenuAction, TemplateState
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

    `outcome_at_goal` says what follows at the goal: won, lost or nothing.
    """

    def __init__(self, table: Table, design: CardDesign) -> None:
        self.key, self.label = design.id, design_label(design)
        self.goal, self.outcome_at_goal = read_number(design, "goal"), read_word(design, "ends", "nothing")
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
        target_step = self.step_after_move(steps)
        if target_step > self.step:
            self._table.add_markers(self._marker, target_step - self.step)
        else:
            self._table.remove_markers(self._marker, self.step - target_step)


class Tracks(FeatureState):
    """All tracks of the template."""

    def __init__(self, state: TemplateState) -> None:
        self.tracks = [SharedTrack(state.table, design) for design in state.template.designs_of_kind("track")]

    def defeat_reason(self) -> Say | None:
        """Returns why everybody has lost; None if nobody has.

        Everybody has lost if a losing track is full, or if there are winning tracks and none of them is full.
        """
        lost_tracks = [
            track.label for track in self.tracks if track.outcome_at_goal == "lost" and track.is_at_goal
        ]
        winning_tracks = [track for track in self.tracks if track.outcome_at_goal == "won"]
        if lost_tracks:
            return say("lost: {track}", track=say_list(lost_tracks))
        if winning_tracks and not any(track.is_at_goal for track in winning_tracks):
            return say("not reached: {track}", track=say_list([track.label for track in winning_tracks]))
        return None

    def reason_to_finish(self) -> Say | None:
        """Returns the sentence about a full track that ends the match; None if there is none."""
        for track in self.tracks:
            if track.is_at_goal and track.outcome_at_goal != "nothing":
                return say("The track “{track}” has reached its end.", track=track.label)
        return None


async def ask_and_move_track(state: TemplateState) -> None:
    """Asks which track moves and how far, and moves it."""
    track_by_key = {track.key: track for track in Tracks.of(state).tracks}
    options: dict[str, Labelled] = {
        f"{track.key} {steps:+}": DetailedOption(
            say("{track} {steps}", track=track.label, steps=f"{steps:+}"),
            note=_describe_early_stop(track, steps),
            group=track.label,
        )
        for track in track_by_key.values()
        for steps in TRACK_MOVE_STEPS
    }
    key, _, steps = (await Choose(None, say("Which track moves?"), options)).rpartition(" ")
    track = track_by_key[key]
    track.move_marker(int(steps))
    state.table.add_note(
        say("{track}: step {step} of {goal}.", track=track.label, step=track.step, goal=track.goal)
    )


def _describe_early_stop(track: SharedTrack, steps: int) -> Say | None:
    """Returns a note about the step where a track stops; None if it makes all steps."""
    target_step = track.step_after_move(steps)
    return None if target_step == track.step + steps else say("to {n}", n=target_step)


def find_track_errors(template: Template) -> Iterator[Say]:
    """Yields errors of tracks in a template.

    Errors are tracks that begin beyond their goal, or at a goal that ends the match.
    """
    for design in template.designs_of_kind("track"):
        ends_match = read_word(design, "ends", "nothing") != "nothing"
        yield from find_limit_errors(design, "at", read_number(design, "goal") - ends_match, "goal")


def build_progress_tracks(template: Template) -> Iterator[ProgressTrack]:
    """Yields each track with its marker."""
    for design in template.designs_of_kind("track"):
        yield ProgressTrack(
            design_label(design), CountCell(make_track_marker(design), TRACKS), read_number(design, "goal")
        )


MENU = (
    MenuAction(
        "track",
        say("Move a track"),
        ask_and_move_track,
        POINTS_GROUP,
        lambda state: bool(Tracks.of(state).tracks),
    ),
)
HELP = {
    "Which track moves?": say(
        "All players share the tracks. At the end of some tracks, everybody wins or everybody loses."
    ),
}
