"""What is kept of a game when people go home: the score sheet, as text, CSV, JSON or one HTML page.

A `Record` is taken from a session through `companion.session.view`, so an unfinished game has nothing
in it that is covered or sealed; the score sheet and the standing over time are there once the game is over.
It draws from the log, and knows neither the store nor the time of day.
Its modules are imported one by one: the screen needs no page, and starts sooner without it.
"""
