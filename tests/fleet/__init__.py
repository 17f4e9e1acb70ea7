"""Fleets for real: a PostgreSQL from its wheel, worker processes, a fake server."""
