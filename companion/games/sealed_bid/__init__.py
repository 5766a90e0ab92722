"""Sealed bid: its rulebook."""
