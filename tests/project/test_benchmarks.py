"""The benchmarks measure what they say; nothing is timed here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from benchmarks import __main__ as bench
from benchmarks import kept, longest
from benchmarks import plain_egypt as plain
from benchmarks.answers import as_played, digest, play_plain, with_payments
from benchmarks.rounds import alternate, ratio
from benchmarks.workload import Match, matches
from companion import installed_games
from companion.log.events import Answered
from companion.session.session import Session


@pytest.mark.parametrize("name", bench.MODULES)
def test_every_module_offers_its_figures(name: str) -> None:
    """Each one of the list can be asked for its figures."""
    assert callable(import_module(f"benchmarks.{name}").figures)


@pytest.mark.parametrize("match", matches(3))
@pytest.mark.parametrize("play", [as_played, with_payments])
def test_the_engine_and_the_plain_loop_end_alike(match: Match, play: Callable[[Match], Session]) -> None:
    """Points, rounds, chips, cards and knock-outs of a random match are the same in both."""
    assert match.final == plain.digest(play_plain(match)) == digest(play(match))


def test_the_plain_loop_refuses_what_the_rules_refuse() -> None:
    """It checks every move as the engine does: out of turn, not higher, or no such verb now."""
    decks, moves = matches(1)[0][:2]
    s = plain.play(decks, moves[:3])
    for move in [(s["turn"], "bid", s["price"]), (s["turn"] - 1, "withdraw", 0), (s["turn"], "pay", 0)]:
        with pytest.raises(ValueError, match="illegal move"):
            plain.apply(s, decks, *move)


@pytest.mark.without_coverage
def test_the_longest_match_is_searched_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is no shorter than any random or recorded one, finished, and the same one each time."""
    monkeypatch.setattr(longest, "MATCHES", 3)
    monkeypatch.setattr(longest, "CUTS", 20)
    mammon = installed_games.playable_game("mammon")
    found, again = longest.longest(mammon), longest.longest(mammon)
    others = [*longest.recorded(mammon), *(longest.played(mammon, number) for number in range(3))]
    assert len(others) == 4 + 3
    assert found.result is not None
    assert len(found.steps) >= max(len(one.steps) for one in others)
    answers = [[one.answer for one in match.steps if isinstance(one, Answered)] for match in (found, again)]
    assert answers[0] == answers[1]


def test_what_is_compared_takes_turns() -> None:
    """Each round measures everything once, and ratios are taken round by round."""
    turns = count(1)
    taken = alternate(2, {name: lambda: float(next(turns)) for name in ("ours", "beside")})
    assert taken == {"ours": [1, 3], "beside": [2, 4]}
    assert ratio(taken["ours"], taken["beside"]) == pytest.approx((1 / 2 + 3 / 4) / 2)


@pytest.mark.without_coverage
def test_the_recorded_match_is_played_by_touch(tmp_path: Path) -> None:
    """The real window gives the time of each answer, even after a result, and of drawing each frame again."""
    program = """
from benchmarks import window

window.ANSWERS, window.STILL = 8, 0.05
window.main("touch", "play", ".")
"""
    environment = {**os.environ, "PYTHONPATH": str(bench.RESULTS.parents[1])}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path, env=environment)
    taken = json.loads(done.stdout)
    assert {name: len(times) for name, times in taken.items()} == {"answers": 8, "frames": 8}
    assert all(time > 0 for times in taken.values() for time in times)


@pytest.mark.without_coverage
@pytest.mark.parametrize("shown", ["ours", "bare"])
def test_the_frames_of_a_payment_are_timed(tmp_path: Path, shown: str) -> None:
    """A coin slides in the real window, a plain rectangle in that of a bare scene; each frame is timed."""
    program = f"""
from benchmarks import moving
from ui import theme

moving.TRANSFERS, theme.COIN_SLIDE_SECONDS = 1, 0.75
moving.main("transfer", "{shown}", ".")
"""
    environment = {**os.environ, "PYTHONPATH": str(bench.RESULTS.parents[1])}
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=True, capture_output=True, text=True, cwd=tmp_path, env=environment)
    frames = json.loads(done.stdout.splitlines()[-1])
    assert frames
    assert all(time > 0 for time in frames)


def test_a_figure_that_fails_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The failure is printed, the exit code tells, and the next module is measured."""
    figure = {"name": "x.y", "value": 3, "unit": "ms", "beside": {"bare": 2}, "ratio": 1.5}

    def broken() -> Iterator[dict[str, Any]]:
        raise OSError("no such disk")

    for name, figures in (("broken", broken), ("sound", lambda: iter([figure]))):
        module = ModuleType(name)
        vars(module)["figures"] = figures
        monkeypatch.setitem(sys.modules, f"benchmarks.{name}", module)
    monkeypatch.setattr(bench, "RESULTS", tmp_path / "results.jsonl")
    assert bench.main(["broken", "sound"]) == 1
    told = capsys.readouterr()
    assert "no such disk" in told.err
    assert "× 1.5" in told.out
    assert [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()] == [figure]


PAGE = """
| figure | before | ratio | now | ratio | wanted |
| --- | ---: | ---: | ---: | ---: | --- |
| `engine` | 4 moves/s | 0.5 | 2 moves/s | 0.2 | – |
| `one`, `other` | 4 ms | – | 3 ms | 1.5 | – |
| `count` | 8 | – | 8 | + 1 point | – |

| figure | lowest | a | b | highest |
| --- | ---: | ---: | ---: | ---: |
| `engine` | 0.1 | 0.2 | 0.3 | 0.4 |
"""


def test_what_the_page_keeps() -> None:
    """The last column of ratios counts for each figure in a row where it is a number; other tables don't."""
    assert kept.ratios(PAGE) == {"engine": 0.2, "one": 1.5, "other": 1.5}


@pytest.mark.parametrize(
    ("name", "unit", "ratio", "told"),
    [
        ("engine", "moves/s", 0.17, ["engine: × 0.17, and × 0.2 is kept"]),
        ("engine", "moves/s", 0.19, []),
        ("engine", "moves/s", 0.9, []),
        ("one", "ms", 1.7, ["one: × 1.7, and × 1.5 is kept"]),
        ("one", "ms", 0.2, []),
        ("count", "", 9.0, []),
        ("other", "ms", None, []),
    ],
)
def test_what_got_worse_is_named(name: str, unit: str, ratio: float | None, told: list[str]) -> None:
    """By more than a tenth of its ratio; where things are done in a second, less is worse."""
    figure = {"name": name, "unit": unit, "ratio": ratio}
    assert list(kept.worse([figure], kept.ratios(PAGE))) == told


def test_every_figure_of_the_page_can_be_compared() -> None:
    """Its table is read as it is written: the engine's and going back's ratios are in it."""
    found = kept.ratios(kept.PAGE.read_text(encoding="utf-8"))
    assert {"engine.answers", "store.commit", "ui.start", "undo.longest_game.egypt"} <= found.keys()
