"""Reading and writing files that people and programs exchange, with limits on their size."""
