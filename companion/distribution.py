"""What is installed: its name for pip, and the folder where it lies.

Both stand in a module of their own, not in the package `companion`: beside a clone of that name `python -m`
takes the clone's folder for the package, and finds only our modules.
"""

from __future__ import annotations

from pathlib import Path

DISTRIBUTION_NAME = "tabletop-companion"
"""What pip calls all of it; on the package index "companion" is a stranger's."""
PACKAGE_FOLDER = Path(__file__).parent
"""The package `companion`, with the files that come along."""
