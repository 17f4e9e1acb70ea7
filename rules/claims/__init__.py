"""Mechanical statements found in text, with their spans."""
