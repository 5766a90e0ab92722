"""What runs on the keypads themselves, in MicroPython; `keypad.pad` also in the simulated ones."""
