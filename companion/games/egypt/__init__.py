"""Egypt: its rulebook, its cards and a recorded match."""
