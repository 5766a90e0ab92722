"""`python -m scripts.make_sounds`: the sound effects of the table, made again from nothing.

Writes one WAV file for each effect into ui/sounds: one channel, 16 bits, 22,050 samples a second. Kivy's SDL
provider plays them without further packages. The effects are our own, under the licence of this repository.

Each run gives the same bytes on every machine. The functions of the C library, such as `sin` and `exp`, may
differ in the last bit between processors, so this module uses none of them. It computes only with + − × ÷ and
`sqrt`, which IEEE 754 rounds in one way everywhere, and Python never fuses two of them into one operation.
Sines come from a rotating vector, whose first step is a Taylor series; decays multiply by a constant. Samples
are never added up by `sum()`, since Python 3.12 does that in another way than 3.11. Chance is
`Random(seed).random()`, which Python promises never to change.

Struck things (coins, chips, wood, bells) are sums of partials that fade away, each at its own speed. Paper
and cards are filtered noise. `measure_loudness` weighs frequencies as ears do; each effect is scaled to the
loudness that its recipe asks for.
"""

from __future__ import annotations

import io
import wave
from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from math import sqrt
from random import Random
from typing import NamedTuple

from ui.sound import SOUND_FOLDER

Samples = list[float]

SAMPLES_PER_SECOND = 22050
PI = 3.141592653589793
TAYLOR_TERMS = 24
"""Terms of the series for sine and cosine; more don't change the sum for angles up to π."""
HIGHEST_SAMPLE = 32767
MAX_PEAK = 0.9
"""The highest peak of an effect, as a share of the highest sample; louder parts are rounded off."""
SOFT_PEAK = 0.6
"""Up to this share, samples stay as they are."""
FADE_IN_SECONDS, FADE_OUT_SECONDS = 0.001, 0.03
"""Seconds in which each effect fades in and out; each of its tones fades out too, where it is cut off."""
ECHO_SECONDS = (0.0131, 0.0173, 0.0229, 0.0297)
ECHO_FEEDBACK, ECHO_BRIGHTNESS = 0.72, 0.5
"""The echoes of a small room: their delays, how much of each comes again, and how bright it is then."""


class Partial(NamedTuple):
    """One tone of a struck thing; `decay` is the time in seconds in which it falls to 37 %."""

    hertz: float
    amplitude: float
    decay: float


class Recipe(NamedTuple):
    """How an effect is made, and its loudness compared with a chip or a card."""

    make: Callable[[], Samples]
    loudness: float


# Building blocks


def count_samples(seconds: float) -> int:
    """Returns the number of samples in these seconds."""
    return int(seconds * SAMPLES_PER_SECOND)


def compute_rotation_step(hertz: float) -> tuple[float, float]:
    """Returns cosine and sine of the angle that a tone turns through in one sample."""
    angle = 2 * PI * hertz / SAMPLES_PER_SECOND
    cosine, sine, term = 0.0, 0.0, 1.0
    for power in range(0, TAYLOR_TERMS, 2):
        sign = 1.0 if power % 4 == 0 else -1.0
        cosine += sign * term
        term = term * angle / (power + 1)
        sine += sign * term
        term = term * angle / (power + 2)
    return cosine, sine


def mix(target: Samples, samples: Sequence[float], start: float = 0.0, gain: float = 1.0) -> None:
    """Adds samples to `target`, beginning at second `start`; `target` grows if it is too short."""
    first = count_samples(start)
    target.extend([0.0] * (first + len(samples) - len(target)))
    for index, sample in enumerate(samples, first):
        target[index] += gain * sample


def ring(partials: Iterable[Partial], seconds: float, attack: float = 0.0) -> Samples:
    """Returns a struck thing that rings; `attack` is the time in seconds until it is loudest."""
    result = [0.0] * count_samples(seconds)
    for partial in partials:
        cosine, sine = compute_rotation_step(partial.hertz)
        fading = 1 - 1 / (partial.decay * SAMPLES_PER_SECOND)
        x, y, forward, sideways = partial.amplitude, 0.0, cosine * fading, sine * fading
        for index in range(len(result)):
            result[index] += y
            x, y = x * forward - y * sideways, x * sideways + y * forward
    return fade_ends(result, attack, min(FADE_OUT_SECONDS, seconds / 2))


def fade_ends(samples: Sequence[float], rise_seconds: float, fall_seconds: float) -> Samples:
    """Returns samples that begin and end in silence, so that nothing clicks."""
    result, last = list(samples), len(samples) - 1
    rise, fall = count_samples(rise_seconds), count_samples(fall_seconds)
    for index in range(min(rise, len(result))):
        result[index] *= index / rise
    for index in range(min(fall, len(result))):
        result[last - index] *= index / fall
    return result


def make_noise(seed: int, seconds: float) -> Samples:
    """Returns white noise."""
    rng = Random(seed)
    return [2 * rng.random() - 1 for _ in range(count_samples(seconds))]


def filter_band(samples: Sequence[float], hertz: float, width: float) -> Samples:
    """Returns what a resonator at `hertz` lets through; `width` is the width of its band in hertz."""
    radius = 1 - PI * width / SAMPLES_PER_SECOND
    back = 2 * radius * compute_rotation_step(hertz)[0]
    gain = (1 - radius * radius) / 2
    result: Samples = []
    last, before_last, input_last, input_before_last = 0.0, 0.0, 0.0, 0.0
    for sample in samples:
        output = gain * (sample - input_before_last) + back * last - radius * radius * before_last
        result.append(output)
        last, before_last, input_last, input_before_last = output, last, sample, input_last
    return result


def filter_low(samples: Sequence[float], hertz: float) -> Samples:
    """Returns samples without the frequencies above `hertz`."""
    share = 1 / (1 + SAMPLES_PER_SECOND / (2 * PI * hertz))
    result, level = [], 0.0
    for sample in samples:
        level += share * (sample - level)
        result.append(level)
    return result


def filter_high(samples: Sequence[float], hertz: float) -> Samples:
    """Returns samples without the frequencies below `hertz`."""
    return [sample - low for sample, low in zip(samples, filter_low(samples, hertz), strict=True)]


def shape(samples: Sequence[float], *points: tuple[float, float]) -> Samples:
    """Returns samples whose volume goes in straight lines through points of second and volume."""
    result: Samples = []
    for (start, volume), (end, next_volume) in pairwise(points):
        first, length = count_samples(start), count_samples(end) - count_samples(start)
        for index in range(length):
            if first + index < len(samples):
                share = index / length
                result.append(samples[first + index] * (volume + (next_volume - volume) * share))
    return result


def add_room(samples: Sequence[float], wetness: float, seconds: float) -> Samples:
    """Returns samples in a small room: four echoes that repeat, each softer and duller, for some seconds."""
    result = [*samples, *([0.0] * count_samples(seconds))]
    dry = list(result)
    for delay in ECHO_SECONDS:
        distance = count_samples(delay)
        echo, dull = [0.0] * len(dry), 0.0
        for index in range(distance, len(dry)):
            dull += ECHO_BRIGHTNESS * (echo[index - distance] - dull)
            echo[index] = dry[index - distance] + ECHO_FEEDBACK * dull
        mix(result, echo, gain=wetness / len(ECHO_SECONDS))
    return result


# The effects

DISC_RATIOS = (1.0, 1.73, 2.33, 3.05, 3.91)
"""The tones of a free round plate, compared with its lowest. They are no harmonics: the sound of metal."""
BAR_RATIOS = (1.0, 3.93, 9.2)
"""The tones of a wooden bar, as of a marimba."""
BELL_RATIOS = (0.5, 1.0, 1.19, 1.5, 2.0, 2.66, 3.0, 4.0)
"""The tones of a bell, compared with its strike tone."""


def ring_coin(hertz: float, seconds: float, decay: float = 0.095) -> Samples:
    """Returns one coin that falls on others.

    No coin is perfectly round: each tone is two, a little apart, which gives the shimmer. High tones are
    nearly as loud as the lowest, and fade faster.
    """
    partials = []
    for index, ratio in enumerate(DISC_RATIOS):
        amplitude, fading = 1 / (1 + 0.3 * index), decay / (1 + 0.35 * index)
        partials += [
            Partial(hertz * ratio, amplitude, fading),
            Partial(hertz * ratio * 1.006, amplitude * 0.7, fading * 0.8),
        ]
    coin = ring(partials, seconds)
    mix(coin, filter_high(shape(make_noise(int(hertz), 0.004), (0, 1), (0.004, 0)), 3000), gain=1.2)
    return coin


def make_coin() -> Samples:
    """Returns a coin that is put down: it falls, and touches the table a second time."""
    result = ring_coin(2310, 0.42)
    mix(result, ring_coin(2345, 0.3, 0.06), 0.075, 0.4)
    return result


COIN_FALLS = (
    (2310, 0.0, 1.0),
    (2790, 0.055, 0.8),
    (2480, 0.12, 0.9),
    (3050, 0.165, 0.6),
    (2620, 0.235, 0.7),
    (2395, 0.3, 0.55),
    (2890, 0.34, 0.35),
)
"""The hertz, the second and the volume of each of several coins."""


def make_coins() -> Samples:
    """Returns a handful of coins."""
    result: Samples = []
    for hertz, start, gain in COIN_FALLS:
        mix(result, ring_coin(hertz, 0.36, 0.085), start, gain)
    return result


CHIP_PARTIALS = (
    Partial(1480, 1.0, 0.011),
    Partial(3120, 0.8, 0.008),
    Partial(4870, 0.55, 0.005),
    Partial(620, 0.5, 0.012),
)
"""The tones of clay: few, and gone at once."""


def make_chip() -> Samples:
    """Returns two chips that clack on each other: high for clay, and over at once."""
    clack = ring(CHIP_PARTIALS, 0.1)
    mix(clack, shape(make_noise(5, 0.003), (0, 1), (0.003, 0)), gain=0.6)
    result = list(clack)
    mix(result, clack, 0.042, 0.55)
    mix(result, clack, 0.071, 0.25)
    return result


def make_card() -> Samples:
    """Returns a card that is turned over: a flick through the air, then the slap on the table."""
    air = shape(make_noise(11, 0.09), (0, 0), (0.05, 0.7), (0.075, 1), (0.09, 0))
    flick = filter_band(air, 4200, 3800)
    result = [2 * sample for sample in flick]
    slap = shape(make_noise(12, 0.07), (0, 1), (0.006, 0.5), (0.025, 0.12), (0.07, 0))
    mix(result, filter_band(slap, 1900, 2600), 0.078, 2.6)
    mix(result, ring([Partial(240, 0.6, 0.014), Partial(410, 0.35, 0.01)], 0.07), 0.078)
    return result


RUSTLE_CRACKLES = 70
"""Small creases in the rustle of paper."""


def make_envelope() -> Samples:
    """Returns an envelope that is closed: paper rustles as the flap folds, then a finger presses it down."""
    rng, rustle = Random(21), [0.0] * count_samples(0.34)
    breath = shape(make_noise(22, 0.34), (0, 0), (0.06, 0.35), (0.16, 0.12), (0.25, 0.3), (0.34, 0))
    mix(rustle, filter_band(breath, 3300, 3000), gain=1.2)
    for _ in range(RUSTLE_CRACKLES):
        hertz, start = 1800 + 4600 * rng.random(), 0.3 * rng.random() * (0.4 + 0.6 * rng.random())
        loud = rng.random()
        crackle = ring([Partial(hertz, 1.0, 0.0012), Partial(hertz * 1.37, 0.6, 0.0008)], 0.01)
        mix(rustle, crackle, start, 0.9 * loud * loud * loud)
    press = shape(make_noise(23, 0.09), (0, 0), (0.008, 1), (0.03, 0.3), (0.09, 0))
    mix(rustle, filter_low(filter_band(press, 900, 1200), 2500), 0.3, 1.6)
    mix(rustle, ring([Partial(190, 0.35, 0.02)], 0.1, 0.004), 0.3)
    return rustle


GAVEL_PARTIALS = (
    Partial(335, 1.0, 0.04),
    Partial(742, 0.9, 0.026),
    Partial(1215, 0.7, 0.016),
    Partial(1930, 0.5, 0.01),
    Partial(2870, 0.35, 0.006),
    Partial(4150, 0.2, 0.003),
)
"""The tones of a block of hard wood: high ones are gone almost at once."""


def knock_wood() -> Samples:
    """Returns one knock of a gavel on its block."""
    knock = ring(GAVEL_PARTIALS, 0.16)
    mix(knock, filter_low(shape(make_noise(31, 0.005), (0, 1), (0.005, 0)), 5000), gain=1.1)
    return knock


def make_gavel() -> Samples:
    """Returns two knocks of a gavel in a room."""
    knocks = knock_wood()
    mix(knocks, knock_wood(), 0.17, 0.8)
    return add_room(knocks, 0.35, 0.14)


def make_sold() -> Samples:
    """Returns a knock of the gavel, and two bright bars that say who has it: something is sold."""
    result = knock_wood()
    for hertz, start, gain in ((659.26, 0.14, 0.5), (987.77, 0.24, 0.6)):
        mix(result, ring_bar(hertz, 0.62, 0.2), start, gain)
    return add_room(result, 0.3, 0.1)


def ring_bar(hertz: float, seconds: float, decay: float) -> Samples:
    """Returns a wooden bar, struck with a soft mallet."""
    amplitudes = (1.0, 0.35, 0.1)
    partials = [
        Partial(hertz * ratio, amplitude, decay / ratio)
        for ratio, amplitude in zip(BAR_RATIOS, amplitudes, strict=True)
        if hertz * ratio < SAMPLES_PER_SECOND / 2
    ]
    return ring(partials, seconds, 0.002)


def make_your_turn() -> Samples:
    """Returns two soft bars, a fourth up: somebody is asked."""
    result = ring_bar(587.33, 0.4, 0.13)
    mix(result, ring_bar(783.99, 0.42, 0.17), 0.11)
    return result


def make_refusal() -> Samples:
    """Returns two low soft tones, a third down: that isn't possible.

    Small loudspeakers play no tone below 300 Hz. What they play are the second and third partials, in
    which the ear hears the lowest one all the same.
    """
    result: Samples = []
    for hertz, start in ((233.08, 0.0), (185.0, 0.13)):
        partials = (
            Partial(hertz, 1.0, 0.09),
            Partial(2 * hertz, 0.6, 0.075),
            Partial(3 * hertz, 0.22, 0.05),
        )
        mix(result, ring(partials, 0.34, 0.012), start)
    return result


def make_ten_seconds() -> Samples:
    """Returns three short high strokes of a small bell: hurry."""
    stroke = ring(
        [Partial(1318.5, 1.0, 0.06), Partial(2637, 0.6, 0.045), Partial(3955.5, 0.35, 0.03)], 0.3, 0.002
    )
    result: Samples = []
    for start in (0.0, 0.14, 0.28):
        mix(result, stroke, start)
    return result


def make_time_up() -> Samples:
    """Returns a bell, struck three times: time is up."""
    amplitudes = (0.25, 1.0, 0.5, 0.35, 0.8, 0.4, 0.3, 0.25)
    partials = [
        Partial(784 * ratio, amplitude, 0.34 / (0.6 + 0.4 * ratio))
        for ratio, amplitude in zip(BELL_RATIOS, amplitudes, strict=True)
    ]
    stroke = ring(partials, 1.1, 0.002)
    result: Samples = []
    for start, gain in ((0.0, 0.85), (0.21, 0.85), (0.42, 1.0)):
        mix(result, stroke, start, gain)
    return result


BRASS_HARMONICS = 9


def blow_brass(hertz: float, seconds: float) -> Samples:
    """Returns one tone of a trumpet.

    High partials begin later and end sooner than low ones; the ear knows brass by that. The tone trembles a
    little, by a second tone beside each partial.
    """
    result: Samples = []
    for number in range(1, BRASS_HARMONICS + 1):
        frequency = hertz * number
        if frequency * 1.01 > SAMPLES_PER_SECOND / 2:
            break
        steady = 60.0  # seconds: it doesn't fade by itself, its shape ends it
        pair = ring([Partial(frequency, 1.0, steady), Partial(frequency * 1.003, 0.35, steady)], seconds)
        rise, fall = 0.012 + 0.005 * number, min(seconds * 0.5, 0.05 + 0.012 * number)
        body = max(rise + 0.001, seconds - fall)
        loudest = 1.0 if number <= 3 else 9.0 / (number * number)  # noqa: PLR2004 - trumpets have three loud partials
        tone = shape(pair, (0, 0), (rise, loudest), (body, loudest * 0.7), (seconds, 0))
        mix(result, tone)
    return result


FANFARE = (
    (0.0, 0.13, (392.0,)),
    (0.15, 0.13, (392.0,)),
    (0.3, 0.13, (392.0,)),
    (0.45, 0.32, (523.25, 329.63)),
    (0.78, 0.17, (392.0, 261.63)),
    (0.97, 0.75, (659.26, 523.25, 392.0, 261.63)),
)
"""The second at which each chord begins, how many seconds it lasts, and the hertz of its tones (C major)."""


def make_fanfare() -> Samples:
    """Returns a short fanfare of trumpets in C major."""
    result: Samples = []
    for start, seconds, tones in FANFARE:
        for index, hertz in enumerate(tones):
            mix(result, blow_brass(hertz, seconds), start, 1.0 if index == 0 else 0.6)
    return add_room(result, 0.3, 0.2)


RECIPE_BY_EFFECT = {
    "coin": Recipe(make_coin, 1.0),
    "coins": Recipe(make_coins, 1.0),
    "chip": Recipe(make_chip, 1.0),
    "card": Recipe(make_card, 1.0),
    "envelope": Recipe(make_envelope, 1.0),
    "gavel": Recipe(make_gavel, 1.0),
    "sold": Recipe(make_sold, 1.0),
    "your_turn": Recipe(make_your_turn, 0.8),
    "ten_seconds": Recipe(make_ten_seconds, 1.6),
    "time_up": Recipe(make_time_up, 1.8),
    "refusal": Recipe(make_refusal, 0.7),
    "fanfare": Recipe(make_fanfare, 1.4),
}
"""All effects. Alarms must be heard at a noisy table; a refusal must not annoy."""


# Loudness and files

REFERENCE_LOUDNESS = 0.085
"""The loudness of an effect whose recipe says 1; a chip, which is short, then nearly reaches `MAX_PEAK`."""
EAR_SECONDS = 0.125
"""Time over which ears add up loudness: the setting "fast" of a sound level meter (IEC 61672)."""
EAR_LOW_HERTZ = 300.0
"""Two simple filters at this frequency follow the A-weighting of a sound level meter within 2 dB."""


def measure_loudness(samples: Sequence[float]) -> float:
    """Returns how loud samples are at most, as a sound level meter measures it: A-weighted, fast."""
    weighted = filter_high(filter_high(samples, EAR_LOW_HERTZ), EAR_LOW_HERTZ)
    share, power, highest = 1 / (EAR_SECONDS * SAMPLES_PER_SECOND), 0.0, 0.0
    for sample in weighted:
        power += share * (sample * sample - power)
        highest = max(highest, power)
    return sqrt(highest)


def round_off_peak(sample: float) -> float:
    """Returns a sample that is at most `MAX_PEAK`; a louder one comes closer to it, without an edge."""
    size = abs(sample)
    if size <= SOFT_PEAK:
        return sample
    room, excess = MAX_PEAK - SOFT_PEAK, size - SOFT_PEAK
    rounded = SOFT_PEAK + room * excess / (room + excess)
    return rounded if sample > 0 else -rounded


def render_effect(effect_name: str) -> bytes:
    """Returns an effect as a WAV file."""
    recipe = RECIPE_BY_EFFECT[effect_name]
    samples = fade_ends(recipe.make(), FADE_IN_SECONDS, FADE_OUT_SECONDS)
    gain = REFERENCE_LOUDNESS * recipe.loudness / measure_loudness(samples)
    numbers = array("h", [round(HIGHEST_SAMPLE * round_off_peak(gain * sample)) for sample in samples])
    file = io.BytesIO()
    with wave.open(file, "wb") as wav:
        wav.setnchannels(1)
        wav.setsampwidth(2)
        wav.setframerate(SAMPLES_PER_SECOND)
        wav.writeframes(numbers.tobytes())
    return file.getvalue()


def main() -> None:
    """Writes all effects."""
    for name in RECIPE_BY_EFFECT:
        (SOUND_FOLDER / f"{name}.wav").write_bytes(render_effect(name))


if __name__ == "__main__":
    main()
