"""The record of a game: score sheet, history and times, as text, CSV, JSON or one HTML page.

A `GameRecord` is taken from a session through `companion.session.view`, so the record of an unfinished game
contains nothing hidden or sealed. The score sheet and the score history are in it once the game is over.
The modules of the package are imported one by one: the screen needs no page, and starts sooner without it.
"""
