"""Drivers for what is wired to the pins of the header: buttons, lights, displays and buzzers."""
