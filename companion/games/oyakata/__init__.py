"""Oyakata: its rulebook in four parts, what is printed, and a recorded match."""
