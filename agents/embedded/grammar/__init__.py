"""Grammar for slots that carry the outline's words: one module a language, behind one protocol."""

from functools import cache

from agents.embedded.grammar.base import Grammar, Noun
from agents.embedded.grammar.en import English
from agents.embedded.grammar.es import Spanish

__all__ = ["Grammar", "Noun", "grammar_of"]

_GRAMMARS: dict[str, type[Spanish] | type[English]] = {"es": Spanish, "en": English}


@cache
def grammar_of(language: str) -> Grammar:
    """Return the grammar of a language (`es`, `en`).

    Raises:
        KeyError: no such grammar.
    """
    return _GRAMMARS[language]()
