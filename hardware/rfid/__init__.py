"""Readers of tags: the chip, how it talks with tags, and what lies there."""
