"""Wired keypads at serial ports."""
