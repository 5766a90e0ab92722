"""What is pressed: keys, pads, keyboards, and what is typed on them."""
