"""Readers of tags: the chip, the protocol of tags, and which tags lie where."""
