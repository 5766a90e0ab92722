"""What keys and cards mean for the open question, and what the devices show."""
