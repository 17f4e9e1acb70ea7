"""Prompt files, one a message, per language. Data only: `agents.prompting` reads them."""
