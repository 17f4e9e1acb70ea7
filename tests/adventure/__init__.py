"""Adventures in."""
