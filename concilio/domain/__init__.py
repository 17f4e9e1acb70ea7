"""The typed, frozen data that travels through the house."""
