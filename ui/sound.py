"""The sounds of the table: tones are rendered here and played by Kivy. Without a loudspeaker it is silent."""

from __future__ import annotations

import io
from array import array
from math import pi, sin
from pathlib import Path
from typing import Any

from companion.files.regular_files import replace_file

SAMPLES_PER_SECOND = 22050
TONE_AMPLITUDE = 12000
"""The amplitude of tones, of at most 32767.

Tones are audible at a table and frighten nobody.
"""
FADE_SECONDS = 0.02
"""Seconds in which a tone fades in and out.

Without fading a tone crackles.
"""
TONES_BY_SOUND = {"ending": ((880.0, 0.12),), "up": ((880.0, 0.18), (660.0, 0.18), (440.0, 0.4))}
"""The tones of each sound, as hertz and seconds."""


def render_wav(sound_name: str) -> bytes:
    """Returns a sound as a WAV file."""
    import wave  # not before: it would delay the first frame

    samples = array("h")
    for hertz, seconds in TONES_BY_SOUND[sound_name]:
        count = int(SAMPLES_PER_SECOND * seconds)
        for at in range(count):
            swell = min(
                1.0, at / SAMPLES_PER_SECOND / FADE_SECONDS, (count - at) / SAMPLES_PER_SECOND / FADE_SECONDS
            )
            samples.append(int(TONE_AMPLITUDE * swell * sin(2 * pi * hertz * at / SAMPLES_PER_SECOND)))
    file = io.BytesIO()
    with wave.open(file, "wb") as wav:
        wav.setnchannels(1)
        wav.setsampwidth(2)
        wav.setframerate(SAMPLES_PER_SECOND)
        wav.writeframes(samples.tobytes())
    return file.getvalue()


class SoundPlayer:
    """Plays sounds: `SoundPlayer().play("up")`; `is_on` says whether sounds are on."""

    def __init__(self) -> None:
        self.is_on = True
        self.last_played = ""
        """The name of the sound that was played last."""
        self._loaded: dict[str, Any] = {}

    def play(self, sound_name: str) -> None:
        """Plays a sound, if sounds are on."""
        if not self.is_on:
            return
        if sound_name not in self._loaded:
            self._loaded[sound_name] = _load(sound_name)
        self.last_played = sound_name
        if self._loaded[sound_name] is not None:
            self._loaded[sound_name].play()


def _load(name: str) -> Any:
    """Returns the player of a sound; None if this machine can't play it."""
    import tempfile  # not before, as the next: they would delay the first frame

    from kivy.core.audio import SoundLoader

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.wav"
        replace_file(file, render_wav(name))
        return SoundLoader.load(str(file))
