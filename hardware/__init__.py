"""Answers made of metal: devices say signals, the desk makes answers of them.

Nothing in here knows a game or the screen, and nothing runs at import.
"""
