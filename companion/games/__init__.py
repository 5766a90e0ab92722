"""The games: one folder for each, with its rulebook and everything else that the game needs.

A game imports no other game, and nothing about screens.
"""
