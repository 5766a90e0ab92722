"""Device drivers, and the desk that turns what devices say into answers.

Nothing here knows a game or the screen, and importing a module starts nothing.
"""
