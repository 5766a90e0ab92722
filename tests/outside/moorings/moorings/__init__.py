"""Moorings, a game for Companion."""
