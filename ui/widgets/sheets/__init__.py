"""Sheets of paper that lie on the felt, and what stands on them."""
