"""The sound effects: the script makes the shipped files again, and they are fit to be heard."""

from __future__ import annotations

import ast
import wave
from array import array
from itertools import pairwise
from pathlib import Path

import pytest

from scripts import make_sounds
from ui.sound import EFFECTS, SOUND_FOLDER

MAX_TOTAL_BYTES = 1_000_000
MAX_STEP_AT_ENDS = 0.02
"""The highest first and last sample of an effect, as a share of the highest sample."""
MAX_LOUDNESS_DIFFERENCE = 0.12
"""How far the loudness of a file may be from that of its recipe; 12 % are one decibel."""


def read_samples(effect: str) -> list[float]:
    """The samples of a shipped file, as shares of the highest sample."""
    with wave.open(str(SOUND_FOLDER / f"{effect}.wav")) as file:
        assert (file.getnchannels(), file.getsampwidth()) == (1, 2)
        assert file.getframerate() == make_sounds.SAMPLES_PER_SECOND
        return [sample / 32768 for sample in array("h", file.readframes(file.getnframes()))]


@pytest.mark.parametrize("effect", EFFECTS)
def test_the_script_makes_the_shipped_file_byte_by_byte(effect: str) -> None:
    """After a change of a recipe, `python -m scripts.make_sounds` writes the files again."""
    assert make_sounds.render_effect(effect) == (SOUND_FOLDER / f"{effect}.wav").read_bytes()


def test_each_effect_has_a_recipe_and_a_file() -> None:
    """There are twelve, no file is left over, and together they are small."""
    assert len(EFFECTS) == 12
    assert {*make_sounds.RECIPE_BY_EFFECT} == {*EFFECTS}
    files = {file.stem: file.stat().st_size for file in SOUND_FOLDER.iterdir()}
    assert {*files} == {*EFFECTS}
    assert sum(files.values()) < MAX_TOTAL_BYTES


def test_no_computation_depends_on_the_machine() -> None:
    """Only `sqrt` comes from the C library, which rounds it in one way; there is no power and no sum()."""
    nodes = [*ast.walk(ast.parse(Path(make_sounds.__file__).read_text(encoding="utf-8")))]
    imported = {
        f"{node.module}.{name.name}"
        for node in nodes
        if isinstance(node, ast.ImportFrom)
        for name in node.names
    } | {name.name for node in nodes if isinstance(node, ast.Import) for name in node.names}
    assert {name for name in imported if name.startswith(("math", "cmath", "numpy"))} == {"math.sqrt"}
    assert not [node for node in nodes if isinstance(node, ast.Pow)]
    called = {
        node.func.id for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }
    assert not called & {"sum", "pow", "fsum"}


@pytest.mark.parametrize("effect", EFFECTS)
def test_an_effect_neither_clicks_nor_clips(effect: str) -> None:
    """It begins and ends in silence, and its peak stays below the highest sample."""
    samples = read_samples(effect)
    assert samples[0] == 0
    assert max(map(abs, samples[-10:])) < MAX_STEP_AT_ENDS
    assert 0.2 < max(map(abs, samples)) <= make_sounds.MAX_PEAK


@pytest.mark.parametrize("effect", EFFECTS)
def test_an_effect_is_as_loud_as_its_recipe_says(effect: str) -> None:
    """Things on the table are equally loud; alarms are louder, a refusal is softer."""
    wanted = make_sounds.REFERENCE_LOUDNESS * make_sounds.RECIPE_BY_EFFECT[effect].loudness
    measured = make_sounds.measure_loudness(read_samples(effect))
    assert measured == pytest.approx(wanted, rel=MAX_LOUDNESS_DIFFERENCE)


def test_effects_last_as_long_as_what_they_stand_for() -> None:
    """A fanfare is a small tune; what happens often is over at once."""
    seconds = {effect: len(read_samples(effect)) / make_sounds.SAMPLES_PER_SECOND for effect in EFFECTS}
    assert 1.5 <= seconds["fanfare"] <= 2
    assert all(seconds[effect] < 0.5 for effect in ("coin", "chip", "card", "envelope", "gavel", "refusal"))
    assert max(seconds.values()) == seconds["fanfare"]


def test_high_and_low_tones_are_told_apart() -> None:
    """Metal is higher than wood, and a refusal is lower than all others."""
    crossings_per_second = {}
    for effect in EFFECTS:
        samples = read_samples(effect)
        crossings = [first * second < 0 for first, second in pairwise(samples)]
        crossings_per_second[effect] = sum(crossings) * make_sounds.SAMPLES_PER_SECOND / len(samples)
    assert crossings_per_second["coin"] > 3 * crossings_per_second["gavel"]
    assert min(crossings_per_second, key=crossings_per_second.__getitem__) == "refusal"
