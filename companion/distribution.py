"""The installed distribution: its name for pip, and the folder of the package.

Both are in a module of their own, not in the package `companion`. If `python -m` runs beside a clone that is
called `companion`, it takes the clone's folder for the package, and finds only our modules.
"""

from __future__ import annotations

from pathlib import Path

DISTRIBUTION_NAME = "tabletop-companion"
"""The name of the installed package for pip; on the package index "companion" belongs to somebody else."""
PACKAGE_FOLDER = Path(__file__).parent
"""The folder of the package `companion`, with its data files."""
