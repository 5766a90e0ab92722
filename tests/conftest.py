"""What holds for all tests."""

import signal

from hypothesis import settings

from tests.conformance.registry import SOAK

# A run in the background ignores Ctrl-C, and so would all the programs that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)

settings.register_profile("sample", max_examples=30, derandomize=True, deadline=None)
settings.register_profile("soak", max_examples=500, deadline=None)
settings.load_profile("soak" if SOAK else "sample")
