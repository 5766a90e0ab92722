"""What a keypad and its host say to each other; docs/keypad-protocol.md is its description."""
