"""A keypad at a seat: keys, light, buzzer and display of a Raspberry Pi Pico, and its line to the host."""
