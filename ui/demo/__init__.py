"""The real window, worked by a finger: recorded matches shown, and photographs taken."""
