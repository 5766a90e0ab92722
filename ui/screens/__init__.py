"""Whole screens, made of widgets and plain values."""
