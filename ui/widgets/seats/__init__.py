"""People at the table, and what lies before them."""
