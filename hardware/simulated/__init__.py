"""Simulated devices, as they ship: worked by what hands do, and read by the real drivers."""
