"""High Bid: its rulebook, its board, its cards and a recorded match."""
