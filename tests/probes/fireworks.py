"""A setting that Companion doesn't have: one more field, and nothing else."""

from __future__ import annotations

from typing import Annotated

from companion.settings import SettingDescription, Settings
from companion.texts import say


class WithFireworks(Settings, frozen=True):
    """The settings, and how many rockets rise for the winner."""

    fireworks: Annotated[
        int, SettingDescription(say("Fireworks"), say("Rockets for the winner."), "table", least=0, most=5)
    ] = 3
