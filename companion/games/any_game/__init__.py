"""Any Game: any table, its pieces and its points."""
