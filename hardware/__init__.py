"""Device drivers, and the desk that turns what devices say into answers.

No module here knows a game or the screen, and importing a module starts nothing.
"""
