"""Runs that go on, and many at once."""
