"""The pieces of the screen: paper, keys, tokens, envelopes. None of them knows a game."""
