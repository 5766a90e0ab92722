"""The box of a game on the shelf: the picture that the game brings under a paper label."""
