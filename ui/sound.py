"""The few sounds of the table: tones made here, played by Kivy; where there is no loudspeaker, silence."""

from __future__ import annotations

import io
from array import array
from math import pi, sin
from pathlib import Path
from typing import Any

from companion.files.regular_files import replace_file

RATE = 22050
"""Samples a second."""
LOUD = 12000
"""Of 32767: heard at a table, frightening nobody."""
FADE = 0.02
"""Seconds in which a tone comes and goes, so that it doesn't crack."""
TONES = {"ending": ((880.0, 0.12),), "up": ((880.0, 0.18), (660.0, 0.18), (440.0, 0.4))}
"""Each sound as its tones: hertz and seconds."""


def written(name: str) -> bytes:
    """The sound as a WAV file."""
    import wave  # not before: it would delay the first frame

    samples = array("h")
    for hertz, seconds in TONES[name]:
        count = int(RATE * seconds)
        for at in range(count):
            swell = min(1.0, at / RATE / FADE, (count - at) / RATE / FADE)
            samples.append(int(LOUD * swell * sin(2 * pi * hertz * at / RATE)))
    file = io.BytesIO()
    with wave.open(file, "wb") as wav:
        wav.setnchannels(1)
        wav.setsampwidth(2)
        wav.setframerate(RATE)
        wav.writeframes(samples.tobytes())
    return file.getvalue()


class Sounds:
    """`Sounds().play("up")`; `on` says whether anything is heard."""

    def __init__(self) -> None:
        self.on = True
        self.heard = ""
        """What was played last."""
        self._loaded: dict[str, Any] = {}

    def play(self, name: str) -> None:
        """Plays it, if sounds are on."""
        if not self.on:
            return
        if name not in self._loaded:
            self._loaded[name] = _load(name)
        self.heard = name
        if self._loaded[name] is not None:
            self._loaded[name].play()


def _load(name: str) -> Any:
    """What plays it; None where nothing can."""
    import tempfile  # not before, as the next: they would delay the first frame

    from kivy.core.audio import SoundLoader

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / f"{name}.wav"
        replace_file(file, written(name))
        return SoundLoader.load(str(file))
