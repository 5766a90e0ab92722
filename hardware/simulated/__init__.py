"""Every device without metal, as it ships: worked by physical verbs, chosen like the real ones."""
