"""What a rulebook is built from: the game's definition, its checks, scenes and auctions."""
