"""Adventures in: Markdown or YAML to typed outlines, all errors at once."""

from concilio.adventure.facts import facts_of
from concilio.adventure.loader import load_adventure
from concilio.adventure.party import default_sheet, party_of
from concilio.adventure.problems import AdventureErrors, Problem

__all__ = ["AdventureErrors", "Problem", "default_sheet", "facts_of", "load_adventure", "party_of"]
