"""What keys and cards mean for the question now open, and what is shown beside them."""
