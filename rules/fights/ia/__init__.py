"""Fights by I&A, Part 6."""
