"""The game, without any screen, wire or clock.

Nothing here opens a window or a device; `hardware` and `ui` stand on this package, never the other way round.
"""
