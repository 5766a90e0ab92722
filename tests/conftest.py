"""What holds for all tests."""

import signal

# A run in the background ignores Ctrl-C, and so would all the programs that tests start.
signal.signal(signal.SIGINT, signal.default_int_handler)
