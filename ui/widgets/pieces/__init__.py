"""Pieces, cards and boxes as they look."""
