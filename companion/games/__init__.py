"""The games: a folder each, with a rulebook that reads like one and all that the game brings.

No game knows another, or what a screen is.
"""
