"""Number pads made for computers, at USB."""
