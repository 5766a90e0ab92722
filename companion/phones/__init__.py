"""Phones as input devices of seats: pairing, the encrypted channel, and what a page shows."""
