"""Fights resolved move by move: a scenario and a seed in, a log out that replays to the same end."""
