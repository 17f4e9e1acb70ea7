"""Fights by the house rules (`combate`), which rest on the SRD 5.1."""
