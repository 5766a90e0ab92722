"""One game being played: answers in, a view out; going back and forth, envelopes, limits of time."""
