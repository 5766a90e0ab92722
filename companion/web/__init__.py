"""The process that faces the network: it serves the pages, and passes on what it can't read."""
