"""The sounds of the table, rendered as tones and played by Kivy; silent without a loudspeaker."""

from __future__ import annotations

import io
from array import array
from math import pi, sin
from pathlib import Path
from typing import Any

from companion.files.regular_files import replace_file

SAMPLES_PER_SECOND = 22050
TONE_AMPLITUDE = 12000
"""The amplitude of tones, of at most 32767; people at a table hear the tones, and nobody is frightened."""
FADE_SECONDS = 0.02
"""Seconds in which a tone fades in and out; without fading a tone crackles."""
TONES_BY_SOUND = {"ending": ((880.0, 0.12),), "up": ((880.0, 0.18), (660.0, 0.18), (440.0, 0.4))}
"""The tones of each sound, as hertz and seconds."""


def render_wav(sound_name: str) -> bytes:
    """Returns a sound as a WAV file."""
    import wave  # at the top it would delay the first frame

    samples = array("h")
    for hertz, seconds in TONES_BY_SOUND[sound_name]:
        count = int(SAMPLES_PER_SECOND * seconds)
        for index in range(count):
            fade = min(
                1.0,
                index / SAMPLES_PER_SECOND / FADE_SECONDS,
                (count - index) / SAMPLES_PER_SECOND / FADE_SECONDS,
            )
            samples.append(int(TONE_AMPLITUDE * fade * sin(2 * pi * hertz * index / SAMPLES_PER_SECOND)))
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
        self._player_by_sound: dict[str, Any] = {}

    def play(self, sound_name: str) -> None:
        """Plays a sound, if sounds are on."""
        if not self.is_on:
            return
        if sound_name not in self._player_by_sound:
            self._player_by_sound[sound_name] = _load_player(sound_name)
        self.last_played = sound_name
        if self._player_by_sound[sound_name] is not None:
            self._player_by_sound[sound_name].play()


def _load_player(name: str) -> Any:
    """Returns the player of a sound; None if this machine can't play it."""
    import tempfile  # at the top these two imports would delay the first frame

    from kivy.core.audio import SoundLoader

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.wav"
        replace_file(file, render_wav(name))
        return SoundLoader.load(str(file))
