"""Phones as input devices of seats: who is paired, what each is shown, and the link to the web process."""

KEY_FILE_NAME = "phones.key"
"""The file with the private key of the box, which exists while phones are on."""
