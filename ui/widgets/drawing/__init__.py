"""What all widgets are drawn and written with."""
