"""Concilio: a table of agents turns a tabletop-RPG outline into chapters that can be run at the table."""

__version__ = "0.1.0"
