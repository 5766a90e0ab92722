"""The verbs of the command `companion` that work devices, one file each."""
