"""The verbs of the command `companion`, one file each; each loads when it is used."""
