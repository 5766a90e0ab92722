"""What a rulebook is made of: the lid of the box, shapes of auctions, and what a box must hold."""
