"""Whether this is a soak, which asks for the full counts: `make soak`."""

import os

SOAK = bool(os.environ.get("COMPANION_SOAK"))
