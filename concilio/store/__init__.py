"""A run's folder: journal of replies, artifacts, events, atomic files."""
