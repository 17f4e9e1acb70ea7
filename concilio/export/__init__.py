"""Chapters made into what is read, printed and played: HTML, PDF, Foundry VTT, Homebrewery."""
