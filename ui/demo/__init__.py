"""Plays recorded matches in the real window with a simulated finger, and takes screenshots."""
