"""The sound effects of the table, played by Kivy; silent without a loudspeaker.

`python -m scripts.make_sounds` makes the files. `ui.evening.table_sounds` decides which effect is heard when.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

SOUND_FOLDER = Path(__file__).parent / "sounds"
Effect = Literal[
    "fanfare",
    "time_up",
    "ten_seconds",
    "refusal",
    "envelope",
    "sold",
    "gavel",
    "card",
    "coins",
    "coin",
    "chip",
    "your_turn",
]
"""The names of the effects, which are those of their files. Of several at once, only the first is heard."""
EFFECTS: tuple[Effect, ...] = get_args(Effect)
GAIN_BY_VOLUME = (0.0, 0.1, 0.18, 0.32, 0.56, 1.0)
"""How loud each volume is: from the second on, each is 5 decibels louder than the one before."""


class SoundPlayer:
    """Plays effects: `SoundPlayer().play("coin")`; `volume` is an index of `GAIN_BY_VOLUME`, 0 is silent.

    All effects are loaded at once and stay loaded, so that playing one takes less than a millisecond.
    """

    def __init__(self) -> None:
        self.volume = len(GAIN_BY_VOLUME) - 1
        self.last_played: Effect | None = None
        """The effect that was played last; None if there was none."""
        self._sound_by_effect: dict[Effect, Any] | None = None

    def load(self) -> None:
        """Opens the loudspeaker and loads all effects, unless that is done or the volume is 0."""
        if self._sound_by_effect is None and self.volume > 0:
            self._sound_by_effect = _load_sounds()

    def play(self, effect: Effect) -> None:
        """Plays an effect, if there is a loudspeaker and the volume isn't 0."""
        if self.volume == 0:
            return
        self.load()
        self.last_played = effect
        if self._sound_by_effect:
            sound = self._sound_by_effect[effect]
            sound.volume = GAIN_BY_VOLUME[self.volume]
            sound.play()


@cache
def _load_sounds() -> dict[Effect, Any]:
    """Returns the sound of each effect, loaded once; none if this machine has no loudspeaker."""
    from kivy.core.audio import SoundLoader  # at the top it would delay the first frame

    sounds: dict[Effect, Any] = {}
    for effect in EFFECTS:
        sound = SoundLoader.load(str(SOUND_FOLDER / f"{effect}.wav"))
        if sound is None or not sound.length:  # no length: the loudspeaker can't be opened
            return {}
        sounds[effect] = sound
    return sounds
