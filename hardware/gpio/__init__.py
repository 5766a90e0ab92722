"""What is wired to the pins of the header: buttons, lights, displays, buzzers."""
