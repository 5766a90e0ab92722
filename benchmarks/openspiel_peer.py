"""OpenSpiel with the rules of `plain_egypt` inside its State; runs by itself, where open-spiel is installed.

`python openspiel_peer.py WORKLOAD PASSES`: answers each line of standard input with moves a second.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from time import process_time
from typing import Any

import plain_egypt as plain  # type: ignore[import-not-found]  # beside this file, which is run as a script
import pyspiel  # type: ignore[import-not-found]  # has no types, and may not be here

VERBS = ("withdraw", "bid", "pay", "deal", "lead", "end")
WIDTH = 4
"""An action is a verb and an amount below this; "bid" raises by one."""
TYPE = pyspiel.GameType(
    short_name="python_egypt",
    long_name="Python Egypt",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.GENERAL_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=plain.PLAYERS,
    min_num_players=plain.PLAYERS,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={},
)
INFO = pyspiel.GameInfo(
    num_distinct_actions=len(VERBS) * WIDTH,
    max_chance_outcomes=0,
    num_players=plain.PLAYERS,
    min_utility=0.0,
    max_utility=float(plain.GOAL),
    max_game_length=100_000,
)
ACTIONS = {
    ("bid", "withdraw"): [0, WIDTH],
    ("bid",): [WIDTH],
    ("pay",): [2 * WIDTH],
    ("deal",): [3 * WIDTH],
    ("lead",): [4 * WIDTH + seat for seat in range(plain.PLAYERS)],
    ("end",): [5 * WIDTH, 5 * WIDTH + 1],
}


class EgyptGame(pyspiel.Game):  # type: ignore[misc]  # has no types
    """A match with its decks."""

    def __init__(self, decks: list[list[int]]) -> None:
        super().__init__(TYPE, INFO, {})
        self.decks = decks

    def new_initial_state(self) -> EgyptState:
        """The beginning."""
        return EgyptState(self)


class EgyptState(pyspiel.State):  # type: ignore[misc]  # has no types
    """A match at some moment; the table's questions are seat 0's."""

    def __init__(self, game: EgyptGame) -> None:
        super().__init__(game)
        self.s = plain.new_match()

    def current_player(self) -> Any:
        """Whose turn it is."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.s["turn"] or 0

    def _legal_actions(self, player: int) -> list[int]:  # noqa: ARG002  OpenSpiel's signature
        return ACTIONS[plain.legal(self.s)]

    def _apply_action(self, action: int) -> None:
        s, verb = self.s, VERBS[action // WIDTH]
        amount = s["price"] + 1 if verb == "bid" else action % WIDTH
        plain.apply(s, self.get_game().decks, s["turn"], verb, amount)

    def _action_to_string(self, player: int, action: int) -> str:
        return f"{player} {VERBS[action // WIDTH]}"

    def is_terminal(self) -> bool:
        """Whether somebody has won."""
        return bool(self.s["phase"] == "over")

    def returns(self) -> list[float]:
        """The points."""
        return [float(points) for points in self.s["points"]]

    def __str__(self) -> str:
        return str(self.s)


def main(workload: str, passes: str) -> None:
    """A line of moves a second for each line read."""
    work = json.loads(Path(workload).read_text(encoding="utf-8"))
    games = [(EgyptGame(decks), [coded(*move) for move in moves], final) for decks, moves, final in work]
    moves = int(passes) * sum(len(actions) for _, actions, _ in games)
    for _ in sys.stdin:
        took = 0.0
        for game, actions, final in games * int(passes):
            start = process_time()
            end = play(game, actions)
            took += process_time() - start
            assert plain.digest(end.s) == final
        print(moves / took, flush=True)


def coded(_player: int | None, verb: str, amount: int) -> int:
    """A move as OpenSpiel's number of an action."""
    return VERBS.index(verb) * WIDTH + (0 if verb == "bid" else amount)


def play(game: EgyptGame, actions: list[int]) -> EgyptState:
    """A whole match, each action checked by OpenSpiel."""
    state = game.new_initial_state()
    for action in actions:
        state.apply_action_with_legality_check(action)
    return state


if __name__ == "__main__":
    main(*sys.argv[1:])
