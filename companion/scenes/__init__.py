"""How a game's table looks at one moment, as labelled cells and as text."""
