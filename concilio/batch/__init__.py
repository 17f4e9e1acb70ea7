"""Runs as data: one, resumed ones, and many side by side."""
