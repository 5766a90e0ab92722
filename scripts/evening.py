"""An evening of some people, from which golden logs and demos come: whoever plays, it is always the same."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
