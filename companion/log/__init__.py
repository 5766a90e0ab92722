"""What happened in a game: events, how they are read, and what they prove by themselves."""
