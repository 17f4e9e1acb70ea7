"""A chapter played before anyone plays it: its scenes as a graph, and the exact odds of its ends."""
