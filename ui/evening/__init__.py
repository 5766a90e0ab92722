"""The evening behind the window: games, cards and devices as the screens need them; nothing is drawn here."""
