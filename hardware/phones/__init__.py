"""Phones as input devices of seats: who is paired, what each is shown, and the link to the web process."""
